//! `--set PATH=VALUE`: one value of a text replaced, or one field added, without touching anything else.
//!
//! The value has to be one RON value by itself, so it cannot break out of its place; only its own bytes are
//! taken, not the comments around it. A field that is absent is written after the last one on the same line, so
//! the lines of the text keep their numbers and a comment keeps what it comments.
//!
//! What holds the field may be absent too, as `output` in `--set output.every=1`: it is then written as its default has it, `output:
//! (every: 1)`, `solver: Nlgs(tolerance: 1e-9)`. The defaults come from outside, as the whole text with all of them written out.

use serde::de::IgnoredAny;

use super::de::options;
use super::error::{PathError, SetError};
use super::json::{self, Language};
use super::path::{PathStep, container, go, parse_path, variant};
use super::tree::{NodeKind, Span, TextNode, Tree, shortened};
use super::words::plain;

/// What an assignment does to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes of the old text that go; empty for a new field.
    pub old: Span,
    /// What takes their place.
    pub text: String,
    /// The bytes of the value in the new text.
    pub value: Span,
    /// All that is new there: the value, with its key and what holds it where these were absent.
    pub written: Span,
}

impl Splice {
    /// The new text.
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.old.start], self.text, &text[self.old.end..])
    }

    /// Where a span of the old text is in the new one; `None` if it was replaced, in part or wholly.
    pub fn carry(&self, span: Span) -> Option<Span> {
        let moved = |offset: usize| offset - self.old.end + self.old.start + self.text.len();
        if span.end <= self.old.start {
            Some(span)
        } else if span.start >= self.old.end {
            Some(Span::new(moved(span.start), moved(span.end)))
        } else if span.covers(self.old) && span != self.old {
            Some(Span::new(span.start, moved(span.end)))
        } else {
            None
        }
    }
}

/// Splits `PATH=VALUE` at the first `=`.
pub fn parse_assignment(text: &str) -> Result<(&str, &str), SetError> {
    let (path, value) = text.split_once('=').ok_or_else(|| SetError::NoEquals { text: text.to_owned() })?;
    let (path, value) = (path.trim(), value.trim());
    if path.is_empty() {
        return Err(SetError::NoPath);
    }
    Ok((path, value))
}

/// How to give the value at `path` a new text, or add it if it is absent.
pub fn splice(tree: &Tree, path: &str, value: &str) -> Result<Splice, SetError> {
    splice_in(Language::Ron, tree, path, value, || None)
}

/// The same in a text of either language; the value is of the same, and so are the `defaults`: the text with all of them written
/// out, or nothing if it cannot be read.
pub(super) fn splice_in(
    language: Language,
    tree: &Tree,
    path: &str,
    value: &str,
    defaults: impl FnOnce() -> Option<Tree>,
) -> Result<Splice, SetError> {
    let value = match language {
        Language::Ron => checked(value)?,
        Language::Json => checked_json(value)?,
    };
    let failed = |source| SetError::Path(Box::new(source));
    let steps = parse_path(path).map_err(failed)?;
    let mut node = tree.root();
    for (i, step) in steps.iter().enumerate() {
        node = match go(node, step) {
            Ok(next) => next,
            Err(source @ PathError::NoKey { what: "key", .. }) => {
                let defaults = if i + 1 < steps.len() { defaults() } else { None };
                let nested = nested(language, defaults.as_ref(), &steps, i, &value);
                // Where the defaults have a list and the text has not, as with `contacts: All(…)`, what the text has is told.
                let is_other = |e: &PathError| matches!((e, step), (PathError::NoKey { what: "item", key, .. }, PathStep::Key(k)) if key == k);
                let nested = nested.map_err(|better| failed(better.filter(|e| !is_other(e)).unwrap_or(source)))?;
                return insertion(tree, container(node, step), step, &nested);
            }
            Err(source) => return Err(failed(source)),
        };
    }
    Ok(replacement(tree, node, &value))
}

/// The bytes of the value alone, if the text is one well-formed value.
fn checked(value: &str) -> Result<String, SetError> {
    let bad = |column: usize, problem: String| SetError::BadValue { value: shortened(value), column, problem };
    if value.is_empty() {
        return Err(bad(1, String::from("it is empty")));
    }
    let column = |offset: usize| 1 + value[..offset].chars().count();
    let tree = Tree::parse(value).map_err(|error| bad(column(error.offset), error.problem.to_string()))?;
    if !tree.attributes().is_empty() {
        return Err(bad(1, String::from("an attribute can only begin a whole file")));
    }
    // Digits and escapes are ron's to judge.
    options().from_str::<IgnoredAny>(value).map_err(|error| {
        let offset = tree.offset_of(error.span.start.line, error.span.start.col);
        bad(column(offset), plain(&error.code))
    })?;
    Ok(tree.root().text().to_owned())
}

/// The same of JSON.
fn checked_json(value: &str) -> Result<String, SetError> {
    match serde_json::from_str::<IgnoredAny>(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(error) => {
            let column = value.char_indices().take_while(|(i, _)| *i + 1 < error.column()).count() + 1;
            let problem = format!("{}; the case is JSON, and so are its values", json::words(&error));
            Err(SetError::BadValue { value: shortened(value), column, problem })
        }
    }
}

fn replacement(tree: &Tree, node: TextNode<'_>, value: &str) -> Splice {
    let old = node.span();
    // Only after `Some` without brackets can a value touch a letter before it.
    let glued = tree.text()[..old.start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let space = if glued { " " } else { "" };
    let start = old.start + space.len();
    let value_span = Span::new(start, start + value.len());
    Splice { old, text: format!("{space}{value}"), value: value_span, written: value_span }
}

/// A value with what holds it.
struct Nested {
    text: String,
    /// Where in the text the value itself is.
    value: Span,
}

impl Nested {
    fn alone(value: &str) -> Self {
        Self { text: value.to_owned(), value: Span::new(0, value.len()) }
    }

    fn within(self, before: &str, after: &str) -> Self {
        let value = Span::new(self.value.start + before.len(), self.value.end + before.len());
        Self { text: format!("{before}{}{after}", self.text), value }
    }
}

/// What stands at the first absent step, `steps[absent]`: the value, in what the further steps go through. Without an error of its
/// own it cannot be made from nothing.
fn nested(
    language: Language,
    defaults: Option<&Tree>,
    steps: &[PathStep],
    absent: usize,
    value: &str,
) -> Result<Nested, Option<PathError>> {
    let mut node = defaults.map(Tree::root);
    for (i, step) in steps[..=absent].iter().enumerate() {
        node = match node.map(|node| go(node, step)) {
            None => None,
            Some(Ok(next)) => Some(next),
            // The last key alone: whoever reads the text knows whether it may be there.
            Some(Err(_)) if i + 1 == steps.len() => None,
            Some(Err(source)) => return Err(Some(source)),
        };
    }
    filled(language, node, &steps[absent + 1..], value)
}

/// The value at the end of some steps from a default, which is written out as far as they go.
fn filled(
    language: Language,
    default: Option<TextNode<'_>>,
    steps: &[PathStep],
    value: &str,
) -> Result<Nested, Option<PathError>> {
    let Some((step, rest)) = steps.split_first() else { return Ok(Nested::alone(value)) };
    // Nothing is known of it, or it is optional and absent: only a struct can be made from nothing.
    let Some(default) = default.filter(|node| !is_none(language, *node)) else {
        let key = match step {
            PathStep::Key(key) | PathStep::Quoted(key) if key.parse::<usize>().is_err() => key,
            _ => return Err(None),
        };
        return Ok(held(language, key, &[], filled(language, None, rest, value)?));
    };
    let inner = container(default, step);
    let next = match go(default, step) {
        Ok(next) => Some(next),
        Err(PathError::NoKey { what: "key", .. }) if rest.is_empty() => None,
        Err(source) => return Err(Some(source)),
    };
    let filling = filled(language, next, rest, value)?;
    match (inner.kind(), step, next) {
        (NodeKind::List | NodeKind::Tuple, _, Some(next)) => {
            let (list, item) = (inner.span(), next.span());
            let text = inner.text();
            Ok(filling.within(&text[..item.start - list.start], &text[item.end - list.start..]))
        }
        (_, PathStep::Key(key) | PathStep::Quoted(key), _) => {
            Ok(held(language, key, &variants_between(default, inner), filling))
        }
        (_, PathStep::Index(index), _) => Ok(held(language, &index.to_string(), &[], filling)),
    }
}

fn is_none(language: Language, node: TextNode<'_>) -> bool {
    node.kind() == NodeKind::None || (language == Language::Json && node.text() == "null")
}

/// `Name(key: value)`, or `{"Name": {"key": value}}`.
fn held(language: Language, key: &str, names: &[String], value: Nested) -> Nested {
    let (open, close, key) = match language {
        Language::Ron => ("(", ")", field_text(key).unwrap_or_else(|| key.to_owned())),
        Language::Json => ("{", "}", format!("{key:?}")),
    };
    let mut value = value.within(&format!("{open}{key}: "), close);
    for (i, name) in names.iter().rev().enumerate() {
        value = match language {
            Language::Ron if i == 0 => value.within(name, ""),
            Language::Ron => value.within(&format!("{name}("), ")"),
            Language::Json => value.within(&format!("{{{name:?}: "), "}"),
        };
    }
    value
}

/// The names of the variants from a value down to a container within it, outermost first.
fn variants_between(outer: TextNode<'_>, inner: TextNode<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let mut node = inner;
    loop {
        names.extend(node.name().filter(|_| node.kind() != NodeKind::Some).map(str::to_owned));
        let Some(parent) = node.parent().filter(|_| node != outer) else { break };
        names.extend(variant(parent).and_then(TextNode::key));
        node = parent;
    }
    names.reverse();
    names
}

/// `key: value` as a new last entry of a struct or map.
fn insertion(tree: &Tree, node: TextNode<'_>, step: &PathStep, value: &Nested) -> Result<Splice, SetError> {
    let key = match step {
        PathStep::Key(key) | PathStep::Quoted(key) => key_text(node, key),
        PathStep::Index(index) => Some(index.to_string()),
    };
    let (Some(key), Some(body)) = (key, node.body_start()) else {
        let key = match step {
            PathStep::Key(key) | PathStep::Quoted(key) => key.clone(),
            PathStep::Index(index) => index.to_string(),
        };
        return Err(SetError::BadKey { key });
    };
    let (place, before, after) = match (node.children().last(), node.after_comma()) {
        (None, _) => (body, "", ""),
        (Some(_), Some(after_comma)) => (after_comma, " ", ","),
        (Some(last), None) => (last.span().end, ", ", ""),
    };
    debug_assert!(tree.text().is_char_boundary(place), "places are ends of tokens");
    let first = place + before.len();
    let start = first + key.len() + 2;
    Ok(Splice {
        old: Span::new(place, place),
        text: format!("{before}{key}: {}{after}", value.text),
        value: Span::new(start + value.value.start, start + value.value.end),
        written: Span::new(first, start + value.text.len()),
    })
}

/// A key as it has to be written in a struct or map, if it can be.
fn key_text(node: TextNode<'_>, key: &str) -> Option<String> {
    if node.kind() == NodeKind::Map {
        let is_quoted = |child: TextNode<'_>| child.written_key().is_some_and(|text| text.starts_with('"'));
        let quoted = node.children().next().is_none() || node.children().any(is_quoted);
        let alone = Tree::parse(key).is_ok_and(|tree| tree.root().text() == key);
        return if quoted || !alone { Some(format!("{key:?}")) } else { Some(key.to_owned()) };
    }
    field_text(key)
}

/// A key as the field of a struct is written in RON, if it can be.
fn field_text(key: &str) -> Option<String> {
    let as_field = |name: &str| {
        let text = format!("({name}: ())");
        let fits = Tree::parse(&text).is_ok_and(|tree| tree.root().field(key).is_some());
        fits && options().from_str::<IgnoredAny>(&text).is_ok()
    };
    let raw = format!("r#{key}");
    if as_field(key) { Some(key.to_owned()) } else { as_field(&raw).then_some(raw) }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    fn set(text: &str, assignment: &str) -> String {
        let tree = Tree::parse(text).unwrap();
        let (path, value) = parse_assignment(assignment).unwrap();
        let splice = splice(&tree, path, value).unwrap_or_else(|error| panic!("{error}"));
        let new = splice.apply(text);
        let again = Tree::parse(&new).unwrap_or_else(|error| panic!("{new}: {error}"));
        let found = find(&again, path).unwrap();
        assert_eq!(found.span(), splice.value, "{new}: the value is where it is said to be");
        new
    }

    #[test]
    fn replaced() {
        let check = |text: &str, assignment: &str, expected: &str| assert_eq!(set(text, assignment), expected);
        check("(a: 1)", "a=2", "(a: 2)");
        check("(a: 1)", " a = [1, (b: 2)] ", "(a: [1, (b: 2)])");
        check("(a: 1)", "a=2 // or three", "(a: 2)");
        check("(a: 1)", "a=/* two */ 2", "(a: 2)");
        check("(a: Euler /* x */, b: 1)", "a=Theta(theta: 0.5)", "(a: Theta(theta: 0.5) /* x */, b: 1)");
        check("(a: Theta(theta: 0.5))", "a=Euler", "(a: Euler)");
        check("(a: [1, 2, 3])", "a[1]=x", "(a: [1, x, 3])");
        check("(a: [(name: \"b\", c: 1)])", "a.b.c=2", "(a: [(name: \"b\", c: 2)])");
        check("(a: Some(1))", "a=2", "(a: 2)");
        check("(a: Some((b: 1)))", "a.b=2", "(a: Some((b: 2)))");
        check("(a: \"x=y\")", "a=\"y=x\"", "(a: \"y=x\")");
        check("(\"é\", 1)", "[1]=2", "(\"é\", 2)");
    }

    #[test]
    fn inserted() {
        let check = |text: &str, expected: &str| assert_eq!(set(text, "b=2"), expected);
        check("(a: 1)", "(a: 1, b: 2)");
        check("(a: 1,)", "(a: 1, b: 2,)");
        check("()", "(b: 2)");
        check("Case()", "Case(b: 2)");
        check("( // none yet\n)", "(b: 2 // none yet\n)");
        check("(\n  a: 1, // one\n)", "(\n  a: 1, b: 2, // one\n)");
        check("(\n  a: 1 // one, and only\n)", "(\n  a: 1, b: 2 // one, and only\n)");
        check("(a: 1 /* , */ , /* c */)", "(a: 1 /* , */ , b: 2, /* c */)");
        check("(a: \"é\")", "(a: \"é\", b: 2)");
        check("{}", "{\"b\": 2}");
        check("{\"a\": 1}", "{\"a\": 1, \"b\": 2}");
        check("{a: 1}", "{a: 1, b: 2}");
        assert_eq!(set("(a: Theta(x: 1))", "a.y=2"), "(a: Theta(x: 1, y: 2))");
        assert_eq!(set("(a: Theta())", "a.y=2"), "(a: Theta(y: 2))");
        assert_eq!(set("(a: Some((x: 1)))", "a.y=2"), "(a: Some((x: 1, y: 2)))");
        assert_eq!(set("(a: 1)", "b-c=2"), "(a: 1, r#b-c: 2)");
        assert_eq!(set("{1: 1}", "[2]=2"), "{1: 1, 2: 2}");
        assert_eq!(set("{\"a\": 1}", "[\"x.y\"]=2"), "{\"a\": 1, \"x.y\": 2}");
    }

    /// What holds the key is written as the defaults have it; without defaults, as a struct.
    #[test]
    fn held_by_what_is_absent() {
        let text = r#"(a: 1, list: [(name: "x", b: 1)])"#;
        let full = r#"(a: 1, o: (p: None, q: (r: 2)), s: Nlgs(t: 1, u: [3, 4], w: Stop), list: [(name: "x", b: 1, c: (d: 5))])"#;
        let check = |assignment: &str, expected: &str| {
            let (path, value) = parse_assignment(assignment).unwrap();
            let splice = splice_in(Language::Ron, &Tree::parse(text).unwrap(), path, value, || Tree::parse(full).ok());
            let splice = splice.unwrap_or_else(|error| panic!("{assignment}: {error}"));
            let new = splice.apply(text);
            assert_eq!(new, expected);
            let found = find(&Tree::parse(&new).unwrap(), path).map(TextNode::span);
            assert_eq!(found, Ok(splice.value), "{new}: the value is where it is said to be");
            assert!(splice.written.covers(splice.value) && new[splice.written.range()].contains(": "));
        };
        let list = r#"list: [(name: "x", b: 1)]"#;
        check("o.p=7", &format!("(a: 1, {list}, o: (p: 7))"));
        check("o.q.r=7", &format!("(a: 1, {list}, o: (q: (r: 7)))"));
        check("o.p.z=7", &format!("(a: 1, {list}, o: (p: (z: 7)))"));
        check("s.t=7", &format!("(a: 1, {list}, s: Nlgs(t: 7))"));
        check("s.u[1]=7", &format!("(a: 1, {list}, s: Nlgs(u: [3, 7]))"));
        check("s.unknown=7", &format!("(a: 1, {list}, s: Nlgs(unknown: 7))"));
        check("list.x.c.d=7", r#"(a: 1, list: [(name: "x", b: 1, c: (d: 7))])"#);
        let refused = |assignment: &str, defaults: Option<&str>| {
            let (path, value) = parse_assignment(assignment).unwrap();
            let defaults = || defaults.and_then(|text| Tree::parse(text).ok());
            splice_in(Language::Ron, &Tree::parse(text).unwrap(), path, value, defaults).unwrap_err().to_string()
        };
        assert_eq!(
            refused("lost.p=7", Some(full)),
            "no key `lost` at the top; there are `a`, `o`, `s`, `list`; did you mean `list`?"
        );
        assert_eq!(refused("s.w.x=7", Some(full)), "cannot go to `x` in `s.w`: it is `Stop`");
        assert_eq!(refused("s.u[2]=7", Some(full)), "no item [2] in `s.u`: it has 2, counted from 0");
        assert_eq!(refused("o.p[0]=7", None), "no key `o` at the top; there are `a`, `list`");
        assert_eq!(set(text, "o.p.q=7"), format!("(a: 1, {list}, o: (p: (q: 7)))"));
    }

    /// The same in JSON, where a variant is an object with one key.
    #[test]
    fn held_in_json() {
        let (text, full) = (r#"{"a": 1}"#, r#"{"a": 1, "o": {"p": null}, "s": {"Nlgs": {"t": 1, "u": [3, 4]}}}"#);
        let check = |assignment: &str, expected: &str| {
            let (path, value) = parse_assignment(assignment).unwrap();
            let splice = splice_in(Language::Json, &Tree::parse(text).unwrap(), path, value, || Tree::parse(full).ok());
            assert_eq!(splice.unwrap().apply(text), expected);
        };
        check("o.p=7", r#"{"a": 1, "o": {"p": 7}}"#);
        check("s.t=7", r#"{"a": 1, "s": {"Nlgs": {"t": 7}}}"#);
        check("s.u[0]=7", r#"{"a": 1, "s": {"Nlgs": {"u": [7, 4]}}}"#);
    }

    /// A letter of `Some` without brackets must not swallow the value.
    #[test]
    fn never_glued() {
        let text = "(a: Some\"x\")";
        let tree = Tree::parse(text).unwrap();
        let inner = find(&tree, "a").unwrap().children().next().unwrap();
        assert_eq!(replacement(&tree, inner, "5").apply(text), "(a: Some 5)");
    }

    #[test]
    fn spans_carried() {
        let splice = Splice {
            old: Span::new(10, 12),
            text: String::from("12345"),
            value: Span::new(10, 15),
            written: Span::new(10, 15),
        };
        assert_eq!(splice.carry(Span::new(2, 10)), Some(Span::new(2, 10)), "before");
        assert_eq!(splice.carry(Span::new(12, 14)), Some(Span::new(15, 17)), "after");
        assert_eq!(splice.carry(Span::new(8, 20)), Some(Span::new(8, 23)), "around");
        assert_eq!(splice.carry(Span::new(10, 12)), None, "the same");
        assert_eq!(splice.carry(Span::new(11, 12)), None, "inside");
    }

    #[test]
    fn assignments() {
        assert_eq!(parse_assignment("a.b=c=d").unwrap(), ("a.b", "c=d"));
        assert_eq!(parse_assignment(" a = 1 ").unwrap(), ("a", "1"));
    }
}
