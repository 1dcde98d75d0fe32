//! Paths to the values of a case: `integrator.theta`, `bodies[0].velocity`, `bodies.left.mesh.refine`.
//!
//! A step is a key of a struct or map, an index of a list or tuple, or the `name` of an item of a list. Variants
//! are looked through: the fields of `Theta(theta: 0.5)`, of `Some((a: 1))` and of `Elastic((young: 1e9))` are
//! reached by their own names; so are those of `{"Theta": {"theta": 0.5}}`, which is how JSON writes a variant. Keys with points or brackets are quoted: `groups["a.b"]`.

use super::error::PathError;
use super::nearest::nearest;
use super::tree::{MAX_DEPTH, NodeKind, Span, TextNode, Tree};

/// At most this many keys are listed in a message.
const LISTED: usize = 12;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// `.key`: a key, the name of an item, or an index if it is a number.
    Key(String),
    /// `[3]`: an index.
    Index(usize),
    /// `["key"]`: a key or the name of an item, whatever characters it has.
    Quoted(String),
}

impl PathStep {
    fn shown(&self) -> String {
        match self {
            PathStep::Key(key) => key.clone(),
            PathStep::Index(index) => format!("[{index}]"),
            PathStep::Quoted(key) => format!("[{key:?}]"),
        }
    }
}

/// The steps of a path.
pub fn parse_path(path: &str) -> Result<Vec<PathStep>, PathError> {
    let malformed = |why| PathError::Malformed { path: path.to_owned(), why };
    if path.is_empty() {
        return Err(malformed("it is empty"));
    }
    let mut steps = Vec::new();
    let mut rest = path;
    // A key may begin the path and must follow a point.
    let mut key_due = !path.starts_with('[');
    loop {
        if key_due {
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            let key = rest[..end].trim();
            if key.is_empty() {
                return Err(malformed("a key is empty"));
            }
            steps.push(PathStep::Key(key.to_owned()));
            rest = &rest[end..];
        } else if let Some(quoted) = rest.strip_prefix("[\"") {
            let end = quoted.find("\"]").ok_or_else(|| malformed("`[\"` is not closed with `\"]`"))?;
            steps.push(PathStep::Quoted(quoted[..end].to_owned()));
            rest = &quoted[end + 2..];
        } else if let Some(inner) = rest.strip_prefix('[') {
            let end = inner.find(']').ok_or_else(|| malformed("`[` is not closed"))?;
            let key = inner[..end].trim();
            if key.is_empty() {
                return Err(malformed("the brackets are empty"));
            }
            steps.push(key.parse().map_or_else(|_| PathStep::Key(key.to_owned()), PathStep::Index));
            rest = &inner[end + 1..];
        }
        // What they lead to is walked step by step, and no text nests deeper.
        if steps.len() > MAX_DEPTH {
            return Err(malformed("it has more than 128 steps"));
        }
        key_due = match rest.chars().next() {
            None => return Ok(steps),
            Some('.') => {
                rest = &rest[1..];
                true
            }
            Some('[') => false,
            Some(']') => return Err(malformed("`]` without `[`")),
            Some(_) => return Err(malformed("after `]` a `.` or `[` should follow")),
        };
    }
}

/// The value at a path.
pub fn find<'t>(tree: &'t Tree, path: &str) -> Result<TextNode<'t>, PathError> {
    let mut node = tree.root();
    for step in parse_path(path)? {
        node = go(node, &step)?;
    }
    Ok(node)
}

/// Where to point for a path after deserialisation: the value, or the nearest container that the text has when
/// a key was left to its default. `None` if the path is malformed.
pub fn at(tree: &Tree, path: &str) -> Option<Span> {
    let mut node = tree.root();
    for (i, step) in parse_path(path).ok()?.iter().enumerate() {
        match go(node, step) {
            Ok(next) => node = next,
            Err(_) if i == 0 => return Some(node.head()),
            // The container's key says more than its opening bracket.
            Err(_) => return Some(node.key_span().unwrap_or(node.head())),
        }
    }
    Some(node.span())
}

/// One step from a value.
pub(super) fn go<'t>(node: TextNode<'t>, step: &PathStep) -> Result<TextNode<'t>, PathError> {
    let node = container(node, step);
    let place = || place(node);
    match (node.kind(), step) {
        (NodeKind::List | NodeKind::Tuple, PathStep::Index(index)) => node
            .children()
            .nth(*index)
            .ok_or_else(|| PathError::NoIndex { index: *index, place: place(), len: node.children().count() }),
        (NodeKind::List | NodeKind::Tuple, PathStep::Key(key)) if key.parse::<usize>().is_ok() => {
            let named = (node.kind() == NodeKind::List).then(|| item(node, key)).and_then(Result::ok);
            let index = key.parse().unwrap_or(usize::MAX);
            node.children().nth(index).or(named).ok_or_else(|| PathError::NoIndex {
                index,
                place: place(),
                len: node.children().count(),
            })
        }
        (NodeKind::List, PathStep::Key(name) | PathStep::Quoted(name)) => item(node, name),
        (NodeKind::Struct | NodeKind::Map, PathStep::Key(key) | PathStep::Quoted(key)) => {
            node.field(key).ok_or_else(|| absent("key", key, node, node.children().filter_map(TextNode::key).collect()))
        }
        (NodeKind::Map, PathStep::Index(index)) => go(node, &PathStep::Key(index.to_string())),
        (NodeKind::Unit, PathStep::Key(key) | PathStep::Quoted(key)) => Err(absent("key", key, node, Vec::new())),
        _ => Err(PathError::NotContainer { key: step.shown(), place: place(), found: node.describe() }),
    }
}

/// The value that a step is taken in: inside `Some(…)`, and for a key also inside the only value of a newtype.
pub(super) fn container<'t>(node: TextNode<'t>, step: &PathStep) -> TextNode<'t> {
    let mut node = node.unwrapped();
    let by_key = match step {
        PathStep::Key(key) => key.parse::<usize>().is_err(),
        PathStep::Quoted(_) => true,
        PathStep::Index(_) => false,
    };
    let is_step = |inner: TextNode<'_>| match step {
        PathStep::Key(key) | PathStep::Quoted(key) => inner.key().as_ref() == Some(key),
        PathStep::Index(_) => false,
    };
    loop {
        node = match (by_key && node.kind() == NodeKind::Tuple).then(|| only_child(node)).flatten() {
            Some(inner) => inner.unwrapped(),
            // A variant in JSON, unless the step names it.
            None => match variant(node) {
                Some(inner) if !is_step(inner) => inner,
                _ => return node,
            },
        };
    }
}

/// What a variant of JSON holds, `{"Theta": …}`: its key is the only one and begins with a capital, as no field does.
pub(super) fn variant(node: TextNode<'_>) -> Option<TextNode<'_>> {
    let inner = (node.kind() == NodeKind::Map).then(|| only_child(node)).flatten()?;
    inner.key()?.starts_with(|c: char| c.is_ascii_uppercase()).then_some(inner)
}

fn only_child(node: TextNode<'_>) -> Option<TextNode<'_>> {
    let mut children = node.children();
    let first = children.next()?;
    children.next().is_none().then_some(first)
}

/// The `name` of an item of a list.
fn item_name(item: TextNode<'_>) -> Option<String> {
    let step = PathStep::Key(String::from("name"));
    let named = container(item, &step);
    (named.kind() == NodeKind::Struct || named.kind() == NodeKind::Map)
        .then(|| named.field("name"))??
        .unwrapped()
        .string()
}

fn item<'t>(list: TextNode<'t>, name: &str) -> Result<TextNode<'t>, PathError> {
    let matching = |node: &TextNode<'t>| item_name(*node).is_some_and(|found| found == name);
    let mut found = list.children().filter(matching);
    let Some(first) = found.next() else {
        return Err(absent("item", name, list, list.children().filter_map(item_name).collect()));
    };
    match found.count() {
        0 => Ok(first),
        others => Err(PathError::Ambiguous {
            name: name.to_owned(),
            place: place(list),
            count: others + 1,
            first: first.index(),
        }),
    }
}

/// The error for a key that does not exist, with those that do.
fn absent(what: &'static str, key: &str, node: TextNode<'_>, keys: Vec<String>) -> PathError {
    let there = if keys.is_empty() && node.children().next().is_some() {
        String::from("none there has a name")
    } else if keys.is_empty() {
        String::from("it is empty")
    } else {
        format!("there are {}", list_of(keys.iter().map(String::as_str)))
    };
    let hint =
        nearest(key, keys.iter().map(String::as_str)).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    PathError::NoKey { what, key: key.to_owned(), place: place(node), there, hint }
}

/// `` `a`, `b`, `c` ``, not too many.
pub(super) fn list_of<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    let mut all: Vec<String> = keys.take(LISTED + 1).map(|key| format!("`{key}`")).collect();
    if all.len() > LISTED {
        all.truncate(LISTED);
        all.push(String::from("…"));
    }
    all.join(", ")
}

/// How far a path went, for a message.
fn place(node: TextNode<'_>) -> String {
    let path = path_of(node);
    if path.is_empty() { String::from("at the top") } else { format!("in `{path}`") }
}

/// The path of a value, empty for the root. Items of a list are called by name where that is unambiguous;
/// values in `Some(…)` and in newtypes have the path of what holds them.
pub fn path_of(node: TextNode<'_>) -> String {
    let mut parts = Vec::new();
    let mut below_has_key = false;
    let mut node = node;
    while let Some(parent) = node.parent() {
        let skipped = parent.kind() == NodeKind::Some
            || variant(parent).is_some()
            || (parent.kind() == NodeKind::Tuple && below_has_key && only_child(parent).is_some());
        if !skipped {
            let part = step_to(node, parent);
            below_has_key = !part.starts_with('[') || part.starts_with("[\"");
            parts.push(part);
        }
        node = parent;
    }
    let mut path = String::new();
    for part in parts.iter().rev() {
        if !path.is_empty() && !part.starts_with('[') {
            path.push('.');
        }
        path.push_str(part);
    }
    path
}

/// The step from a container to a value in it, as written in a path.
fn step_to(node: TextNode<'_>, parent: TextNode<'_>) -> String {
    let is_plain = |key: &str| {
        !key.is_empty()
            && !key.contains(['.', '[', ']', '"', '='])
            && key.trim() == key
            && !key.contains(char::is_control)
    };
    if let Some(key) = node.key() {
        let plain = is_plain(&key) && key.parse::<usize>().is_err();
        return if plain { key } else { format!("[\"{key}\"]") };
    }
    if parent.kind() == NodeKind::List
        && let Some(name) = item_name(node)
        && is_plain(&name)
        && name.parse::<usize>().is_err()
        && item(parent, &name).is_ok()
    {
        return name;
    }
    format!("[{}]", node.index())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = r#"(
        integrator: Theta(theta: 0.5),
        maybe: Some((depth: 1)),
        inline: Some(depth: 2),
        law: Elastic((young: 3)),
        bodies: [
            (name: "left", velocity: (1, 2), mesh: Block(refine: 4)),
            Rigid(name: "right", mesh: File("a.msh")),
            (velocity: (7, 8)),
            Wrapped((name: "inner", mass: 5)),
        ],
        contacts: [(name: "faces", law: (friction: 0.3))],
        groups: {"a.b": 9, plain: 10, 3: 11},
        r#odd-key: 12,
        list: Some([13, 14]),
    )"#;

    fn check(path: &str, expected: &str) {
        let tree = Tree::parse(CASE).unwrap();
        assert_eq!(find(&tree, path).unwrap().text(), expected, "{path}");
    }

    #[test]
    fn found() {
        check("integrator.theta", "0.5");
        check("maybe.depth", "1");
        check("inline.depth", "2");
        check("law.young", "3");
        check("law[0].young", "3");
        check("law.0", "(young: 3)");
        check("bodies.left.mesh.refine", "4");
        check("bodies[0].velocity[1]", "2");
        check("bodies.0.velocity.1", "2");
        check("bodies[left].velocity", "(1, 2)");
        check("bodies.right.mesh", "File(\"a.msh\")");
        check("bodies.right.mesh[0]", "\"a.msh\"");
        check("bodies.2.velocity.0", "7");
        check("bodies.inner.mass", "5");
        check("contacts.faces.law.friction", "0.3");
        check("groups[\"a.b\"]", "9");
        check("groups.plain", "10");
        check("groups.3", "11");
        check("groups[3]", "11");
        check("odd-key", "12");
        check(" odd-key ", "12");
        check("list[1]", "14");
        check("list.0", "13");
    }

    /// Every value is found again by its own path; a wrapped one by what wraps it.
    #[test]
    fn paths_lead_back() {
        let tree = Tree::parse(CASE).unwrap();
        let mut seen = 0;
        for node in tree.nodes().filter(|node| node.parent().is_some_and(|parent| parent.kind() != NodeKind::Some)) {
            let path = path_of(node);
            assert_eq!(find(&tree, &path).unwrap().span(), node.span(), "{path}");
            seen += 1;
        }
        assert_eq!(seen, 42);
        assert_eq!(path_of(find(&tree, "bodies[0].mesh.refine").unwrap()), "bodies.left.mesh.refine");
        assert_eq!(path_of(find(&tree, "bodies.2.velocity.0").unwrap()), "bodies[2].velocity[0]");
        assert_eq!(path_of(find(&tree, "law.young").unwrap()), "law.young");
    }

    /// A defaulted key falls back to what holds it.
    #[test]
    fn places_of_paths() {
        let tree = Tree::parse(CASE).unwrap();
        let shown = |path: &str| at(&tree, path).map(|span| &CASE[span.range()]);
        assert_eq!(shown("integrator.theta"), Some("0.5"));
        assert_eq!(shown("integrator.alpha"), Some("integrator"));
        assert_eq!(shown("bodies.left.density"), Some("("));
        assert_eq!(shown("gravity.x"), Some("("));
        assert_eq!(shown("bodies[7].density"), Some("bodies"));
        assert_eq!(shown("a..b"), None);
    }
}
