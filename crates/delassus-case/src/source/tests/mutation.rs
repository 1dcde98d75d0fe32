//! Mutated case texts: nothing panics, and the tree is never stricter than ron.
//!
//! Deterministic: a xorshift generator with a fixed seed changes realistic texts by deleting, doubling,
//! swapping and inserting pieces. For every text that ron reads as a value, the tree reads it too, every value is
//! found again by its path, and replacing a value or adding a field leaves a text that ron still reads.

use super::de::Case;
use crate::source::expand::Expansion;
use crate::source::path::path_of;
use crate::source::*;

/// A text of the type that the tests of reading use.
const CASE: &str = r#"(
    title: "é", step: 1e-3, steps: 100, integrator: Theta(theta: 0.5), duration: Some(Years(3.0)),
    bodies: [
        (name: "a", density: 1.0, velocity: (1.0, KmPerHour(-2.0)), positive: 3),
        Body(name: "b", density: 2, velocity: (0, 0)),
    ],
    groups: {"x": 1, "y": 2}, verbose: true, contacts: ["a", "b"],
)"#;

const SEEDS: [&str; 6] = [
    CASE,
    r#"#![enable(implicit_some, unwrap_newtypes)]
// Two blocks
(
    title: "two \"blocks\" é\n", step: 1e-4, duration: Years(1e6),
    integrator: Theta(theta: 0.5), /* nested /* comment */ here */
    gravity: (0.0, -9.81),
    bodies: [
        (name: "left", mesh: Block(size: (1.0, 2.0), refine: 4), velocity: Some((1.0, 0.0)), fixed: None),
        Rigid(name: "right", mesh: File(r"..\mesh.msh"), law: Elastic((young: 2.1e11, nu: 0.3)),),
    ],
    contacts: [(name: "faces", law: Coulomb(friction: 0.3), nodes: 0..10)],
)"#,
    r##"Case(a: r#"raw "text" here"#, b: b"bytes\x41", c: 'x', d: '\'', e: b'\n', r#odd-key: r#odd.name, f: br#"x"#)"##,
    r#"{"key": [1, 2.5, -3, +4, .5, 6., 0xFF, 0b101, 1_000, inf, -inf, NaN, 1u8, 2f64], plain: {1: (), (2, 3): ( )}}"#,
    "[Some(Some(1)), None, true, false, Unit, Unit(), (a: 1), Named(a: (b: (c: [[]]))), '\\u{1F600}', \"\\u{e9}\\x41\\\n   x\"]",
    "(\r\n\ta: 1,\r\n\tb: \"\u{65e5}\u{672c}\", \u{200E} c: [/**/], // last\r\n)",
];

const PIECES: [&str; 34] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "#",
    "r#",
    "b'",
    "br",
    "//",
    "/*",
    "*/",
    "\n",
    " ",
    "Some",
    "Some(",
    "None",
    "..",
    "..=",
    "-",
    "1",
    "e",
    "é",
    "\u{85}",
    "a: ",
    "inf",
    "()",
    "#![enable(implicit_some)]",
];

const BLANKS: [&str; 5] = [" ", "\r\n\t", "/* ) /* \" */ */", "// (\n", "\u{2028}"];

struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// A place of a text where a character begins.
fn place(random: &mut Xorshift, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutate(random: &mut Xorshift, text: &mut String) {
    let at = place(random, text);
    let short = 1 + random.below(6);
    let end = text[at..].char_indices().nth(short).map_or(text.len(), |(i, _)| at + i);
    match random.below(10) {
        0 => text.replace_range(at..end, ""),
        1 => {
            let piece = text[at..end].to_owned();
            let to = place(random, text);
            text.insert_str(to, &piece);
        }
        2 => {
            let one = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            text.replace_range(at..one, PIECES[random.below(PIECES.len())]);
        }
        3..=5 => {
            // A whole value taken elsewhere keeps more texts valid than single characters do.
            if let Ok(tree) = Tree::parse(text) {
                let pick = |random: &mut Xorshift| tree.nodes().nth(random.below(tree.len())).map(TextNode::span);
                if let (Some(from), Some(to)) = (pick(random), pick(random)) {
                    let value = text[from.range()].to_owned();
                    text.replace_range(to.range(), &value);
                }
            }
        }
        6 | 7 => {
            // Blanks and comments before a value change nothing.
            if let Ok(tree) = Tree::parse(text) {
                let at = tree.nodes().nth(random.below(tree.len())).map_or(0, |node| node.span().start);
                text.insert_str(at, BLANKS[random.below(BLANKS.len())]);
            }
        }
        _ => text.insert_str(at, PIECES[random.below(PIECES.len())]),
    }
    if text.len() > 4000 {
        let cut = (0..=2000).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        text.truncate(cut);
    }
}

/// What must hold for any text; whether ron reads it as a value, and as a case.
fn examine(random: &mut Xorshift, text: &str) -> (bool, bool) {
    let read = options().from_str::<ron::Value>(text);
    let default = ron::from_str::<ron::Value>(text);
    let tree = match Tree::parse(text) {
        Ok(tree) => tree,
        Err(error) => {
            assert!(text.is_char_boundary(error.offset) && !error.to_string().is_empty());
            assert!(
                read.is_err() && default.is_err() && options().from_str::<Case>(text).is_err(),
                "ron reads what the tree refuses: {error}\n{text}"
            );
            assert_eq!(Document::new(text, "x").map(|_| ()).unwrap_err().items().len(), 1);
            return (false, false);
        }
    };
    for node in tree.nodes() {
        let span = node.span();
        assert_eq!(&text[span.range()], node.text());
        assert!(node.parent().is_none_or(|parent| parent.span().covers(span)));
    }
    // What serde reads has numbers for units; every place of it leads back into the text.
    let units = Expansion::new(&tree, "x", &UnitRules::default());
    let expanded = units.slice(&tree, "", Span::new(0, text.len()));
    let places: Vec<usize> = (0..=expanded.text.len()).map(|offset| expanded.written(offset)).collect();
    assert!(places.is_sorted() && places.last() == Some(&text.len()), "{text}");
    let typed = options().from_str::<Case>(&expanded.text);
    let sound = units.problems().is_empty();
    let unique = crate::source::de::duplicates(&tree, "x").is_empty();
    let collected = super::de::read(text);
    assert_eq!(collected.is_ok(), typed.is_ok() && unique && sound, "{text}");
    if read.is_err() {
        // A problem is always told, and shown on lines of bounded length.
        let problems = from_text::<ron::Value>(text, "x").expect_err(text);
        assert!(!problems.items().is_empty());
        assert!(problems.items().iter().all(|p| p.source.chars().count() < 500 && p.line > 0 && p.column > 0));
        return (false, typed.is_ok());
    }
    lead_back(&tree, unique);
    sets(random, &tree);
    (true, typed.is_ok())
}

/// Every value is found again by its path, except where two keys are the same.
fn lead_back(tree: &Tree, unique: bool) {
    for node in tree.nodes().filter(|node| node.parent().is_some()) {
        let wrapped = node.parent().is_some_and(|parent| parent.kind() == NodeKind::Some);
        let odd_key = std::iter::successors(Some(node), |n| n.parent())
            .filter_map(TextNode::key)
            .any(|key| key.contains("\"]") || key.is_empty());
        if unique && !wrapped && !odd_key {
            let path = path_of(node);
            let found = find(tree, &path).unwrap_or_else(|error| panic!("{path}: {error}\n{}", tree.text()));
            assert_eq!(found.span(), node.span(), "{path}\n{}", tree.text());
            assert_eq!(at(tree, &path), Some(node.span()));
        }
    }
}

/// One value replaced and one field added: still readable, and the value is where it is said to be.
fn sets(random: &mut Xorshift, tree: &Tree) {
    let values = ["5", "\"a\"", "Euler", "Theta(theta: 0.5)", "[(a: 1), 2]", "{\"k\": 'v'}", "Some(1)", "()"];
    let value = values[random.below(values.len())];
    let Some(node) = tree.nodes().nth(random.below(tree.len())) else {
        return;
    };
    let path = path_of(node);
    let added = if path.is_empty() { String::from("zz_new") } else { format!("{path}.zz_new") };
    for target in [path, added] {
        let Ok(splice) = splice(tree, &target, value) else {
            continue;
        };
        let new = splice.apply(tree.text());
        assert_eq!(&new[splice.value.range()], value);
        Tree::parse(&new).unwrap_or_else(|error| panic!("{target}={value}: {error}\n{new}"));
        let again = options().from_str::<ron::Value>(&new);
        assert!(again.is_ok(), "{target}={value}: {again:?}\n{}\n---\n{new}", tree.text());
    }
}

/// How many of the texts were read as a value, and as a case.
fn run(seed: u64, count: usize) -> (usize, usize) {
    let mut random = Xorshift(seed);
    let (mut values, mut cases) = (0, 0);
    let mut last = String::new();
    for i in 0..count {
        // Half of the texts carry on from the one before, so that oddities pile up.
        let mut text = if i % 2 == 0 { SEEDS[random.below(SEEDS.len())].to_owned() } else { last.clone() };
        for _ in 0..=random.below(3) {
            mutate(&mut random, &mut text);
        }
        let (value, case) = examine(&mut random, &text);
        values += usize::from(value);
        cases += usize::from(case);
        last = text;
    }
    (values, cases)
}

#[test]
fn mutated_texts() {
    for text in SEEDS {
        assert!(examine(&mut Xorshift(1), text).0, "{text}");
    }
    // A longer run is asked for by DELASSUS_MUTATIONS=1000000.
    let count = std::env::var("DELASSUS_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let (values, cases) = run(0x9E37_79B9_7F4A_7C15, count);
    // A run where hardly a text is valid would test nothing.
    assert!(values > count / 5 && cases > count / 100, "of {count} texts only {values} values, {cases} cases");
}
