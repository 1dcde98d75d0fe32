//! Tests of the scanner and of the places it gives.

use crate::source::tree::*;

/// Kind of the whole text, and the texts of its children.
fn check(text: &str, kind: NodeKind, children: &[&str]) {
    let tree = Tree::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found: Vec<_> = tree.root().children().map(TextNode::text).collect();
    assert_eq!((tree.root().kind(), found.as_slice()), (kind, children), "{text}");
}

#[test]
fn values() {
    check("()", NodeKind::Unit, &[]);
    check("( /* nothing */ )", NodeKind::Unit, &[]);
    check("Case()", NodeKind::Unit, &[]);
    check("Euler", NodeKind::Ident, &[]);
    check("r#a-b.c", NodeKind::Ident, &[]);
    check("(a: 1, r#b-c: 2,)", NodeKind::Struct, &["1", "2"]);
    check("Theta (theta : 0.5)", NodeKind::Struct, &["0.5"]);
    check("Theta\n// why\n(theta: 0.5)", NodeKind::Struct, &["0.5"]);
    check("(1, x, (2))", NodeKind::Tuple, &["1", "x", "(2)"]);
    check("Velocity(1.0,)", NodeKind::Tuple, &["1.0"]);
    check("[1, /* , */ 2, // ]\n 3,]", NodeKind::List, &["1", "2", "3"]);
    check("{\"a\": 1, b: 2, 3: [4], (5, 6): 7}", NodeKind::Map, &["1", "2", "[4]", "7"]);
    check("Some(5)", NodeKind::Some, &["5"]);
    check("Some ( 5 , )", NodeKind::Some, &["5"]);
    check("Some(a: 1)", NodeKind::Struct, &["1"]);
    check("Some(1, 2)", NodeKind::Tuple, &["1", "2"]);
    check("Some 5", NodeKind::Some, &["5"]);
    check("[Some, Some]", NodeKind::List, &["Some", "Some"]);
    check("None", NodeKind::None, &[]);
    check("\"a \\\" ) b\"", NodeKind::Str, &[]);
    check("r\"\\\"", NodeKind::Str, &[]);
    check("r##\"a \"# b\"##", NodeKind::Str, &[]);
    check("b\"a\\\"\"", NodeKind::Bytes, &[]);
    check("br#\"a\"b\"#", NodeKind::Bytes, &[]);
    check("true", NodeKind::Bool, &[]);
    check("truely", NodeKind::Ident, &[]);
    check("['a', '\\'', ''', '\\u{1F600}', 'é']", NodeKind::List, &["'a'", "'\\''", "'''", "'\\u{1F600}'", "'é'"]);
    check("/* a /* nested */ one */ 1 // end", NodeKind::Number, &[]);
    check("#![enable(implicit_some)]\n#![type = \"a]b\"] 1", NodeKind::Number, &[]);
}

#[test]
fn numbers() {
    for number in [
        "0",
        "-1",
        "+1.5e-3",
        ".5",
        "5.",
        "1_000",
        "0xFF_u8",
        "0b1010",
        "1f32",
        "-inf",
        "NaN",
        "inff64",
        "b'x'",
        "0..10",
        "0..=1.5",
        "..",
        "..3",
        "..=3",
        "1..",
        "-inf..inf",
        "b'a'..=b'z'",
        "inf..",
    ] {
        check(number, NodeKind::Number, &[]);
        check(&format!("[{number},{number}/**/]"), NodeKind::List, &[number, number]);
    }
}

#[test]
fn places() {
    let text = "#![enable(implicit_some)]\n(\r\n  é: Theta(theta: 0.5), // é\n  b: [1,\n 2])";
    let tree = Tree::parse(text).unwrap();
    let theta = tree.root().field("é").and_then(|node| node.field("theta")).unwrap();
    assert_eq!(theta.text(), "0.5");
    assert_eq!(&text[theta.key_span().unwrap().range()], "theta");
    assert_eq!(theta.parent().unwrap().name(), Some("Theta"));
    assert_eq!(&text[theta.parent().unwrap().head().range()], "Theta(");
    assert_eq!(tree.deepest(theta.span().start), theta);
    assert_eq!(tree.deepest(theta.key_span().unwrap().start), theta.parent().unwrap());
    let (line, span) = tree.line_at(theta.span().start);
    assert_eq!((line, &text[span.range()]), (3, "  é: Theta(theta: 0.5), // é"));
    assert_eq!(&text[tree.line_at(27).1.range()], "(", "without the carriage return");
    assert_eq!(tree.offset_of(3, 19), theta.span().start, "columns are characters");
    assert_eq!(tree.offset_of(99, 1), text.len());
    assert_eq!(tree.attributes(), "#![enable(implicit_some)]");
    assert_eq!(tree.root().field("b").unwrap().index(), 1);
    assert_eq!(tree.root().after_comma(), None);
    assert_eq!(tree.len(), tree.nodes().count());
}

/// 128 brackets are read, 129 are not; dropping and walking the tree needs no deep stack.
#[test]
fn depth() {
    let nested = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
    assert!(Tree::parse(&nested(MAX_DEPTH)).is_ok());
    assert!(Tree::parse(&nested(MAX_DEPTH + 1)).is_err());
    assert!(Tree::parse(&format!("{}1", "Some ".repeat(MAX_DEPTH))).is_ok());
    assert!(Tree::parse(&format!("{}1", "Some ".repeat(MAX_DEPTH + 1))).is_err());
    assert!(Tree::parse(&format!("{{{}1", "{".repeat(100_000))).is_err());
}

#[test]
fn words() {
    let describe = |text: &str| Tree::parse(text).unwrap().root().describe();
    assert_eq!(describe("\"abc\""), "the string `\"abc\"`");
    assert_eq!(describe("Theta(\n    theta: 1)"), "`Theta( theta: 1)`");
    assert_eq!(describe(&format!("[{}]", "1, ".repeat(1000))), "the list `[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…`");
    for (text, words) in [
        ("(a: 1)", "the struct "),
        ("(1)", "the tuple "),
        ("{}", "the map "),
        ("b\"\"", "the byte string "),
        ("1", "the number "),
        ("true", "the boolean "),
        ("'a'", "the character "),
        ("()", ""),
    ] {
        assert_eq!(describe(text), format!("{words}`{text}`"));
    }
}
