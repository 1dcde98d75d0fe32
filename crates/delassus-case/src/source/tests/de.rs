//! Tests of reading, of the words for every kind of problem, and of collecting all of them.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::source::*;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be read by serde")]
pub(super) struct Case {
    #[serde(default)]
    title: String,
    step: f64,
    #[serde(default)]
    steps: u32,
    integrator: Integrator,
    #[serde(default)]
    duration: Option<Duration>,
    bodies: Vec<Body>,
    #[serde(default)]
    groups: BTreeMap<String, u8>,
    #[serde(default)]
    verbose: bool,
    #[serde(default)]
    contacts: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "the fields are there to be read by serde")]
enum Integrator {
    Euler,
    Theta(Theta),
    Newmark { beta: f64, gamma: f64 },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be read by serde")]
struct Theta {
    theta: f64,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "the fields are there to be read by serde")]
enum Duration {
    Seconds(f64),
    Named { years: f64 },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be read by serde")]
struct Body {
    name: String,
    density: f64,
    #[serde(default)]
    velocity: [f64; 2],
    #[serde(default)]
    positive: Positive,
}

#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "f64")]
#[expect(dead_code, reason = "only whether it can be made matters")]
struct Positive(f64);

impl TryFrom<f64> for Positive {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if value > 0.0 { Ok(Self(value)) } else { Err(format!("{value} is not positive")) }
    }
}

pub(super) fn probes() -> Vec<(&'static str, KeyProbe)> {
    vec![
        ("title", KeyProbe::value::<String>()),
        ("step", KeyProbe::value::<f64>()),
        ("steps", KeyProbe::value::<u32>()),
        ("integrator", KeyProbe::value::<Integrator>()),
        ("duration", KeyProbe::value::<Option<Duration>>()),
        ("bodies", KeyProbe::list::<Body>()),
        ("groups", KeyProbe::value::<BTreeMap<String, u8>>()),
        ("verbose", KeyProbe::value::<bool>()),
        ("contacts", KeyProbe::list::<String>()),
    ]
}

pub(super) const REQUIRED: [&str; 3] = ["step", "integrator", "bodies"];

pub(super) fn read(text: &str) -> Result<Case, Diagnostics> {
    collect(text, "x.ron", &probes(), &REQUIRED)
}

/// A whole case with one field replaced, read; `path: message | help @ marked text`.
fn check(field: &str, expected: &str) {
    let key = field.split(':').next().unwrap_or_default();
    let parts = ["step: 0.1", "integrator: Euler", "bodies: []"];
    let others: Vec<&str> = parts.into_iter().filter(|part| !part.starts_with(&format!("{key}:"))).collect();
    let text = format!("(\n{field},\n{})", others.join(",\n"));
    for result in [read(&text).map(|_| ()), from_text::<Case>(&text, "x.ron").map(|_| ())] {
        let problems = result.expect_err(&text);
        let [problem] = problems.items() else {
            panic!("{text}: one problem expected: {problems}");
        };
        let marked: String = problem.source.chars().skip(problem.marks.0).take(problem.marks.1).collect();
        let help = problem.help.as_deref().unwrap_or("-");
        assert_eq!(format!("{}: {} | {help} @ {marked}", problem.path, problem.message), expected, "{text}");
    }
}

#[test]
fn accepted() {
    for text in [
        "(step: 1, integrator: Theta(theta: 0.5), bodies: [])",
        "(step: 1, integrator: Newmark(beta: 0.25, gamma: 0.5), bodies: [], duration: 3)",
        "(step: 1, integrator: Euler, bodies: [(name: \"a\", density: 1, velocity: (1, 2))], duration: Some(3))",
        "Case(step: 1, integrator: Euler, bodies: [], duration: (years: 2), contacts: [\"a\"])",
        "\u{FEFF}(step: 1, integrator: Euler, bodies: [], contacts: None)",
        "#![enable(implicit_some)] (step: 1, integrator: Euler, bodies: [],)",
    ] {
        read(text).unwrap_or_else(|problems| panic!("{text}: {problems}"));
        from_text::<Case>(text, "x.ron").unwrap_or_else(|problems| panic!("{text}: {problems}"));
    }
}

#[test]
fn unknown_and_missing() {
    check(
        "integrator: Theta(tetha: 0.5)",
        "integrator.tetha: no field `tetha` in `Theta` | did you mean `theta`? the fields are `theta` @ tetha",
    );
    check(
        "integrator: Teta(theta: 0.5)",
        "integrator: no variant `Teta` of `Integrator` | did you mean `Theta`? the variants are `Euler`, `Theta`, `Newmark` @ Teta",
    );
    check(
        "integrator: Verlet",
        "integrator: no variant `Verlet` of `Integrator` | the variants are `Euler`, `Theta`, `Newmark` @ Verlet",
    );
    check("integrator: Theta()", "integrator: the field `theta` of `Theta` is missing | add `theta: …` @ Theta(");
    check(
        "integrator: Newmark(beta: 0.25)",
        "integrator: the field `gamma` of `Newmark` is missing | add `gamma: …` @ Newmark(",
    );
    check(
        "bodies: [(name: \"a\", density: 1), (name: \"b\",\n   velocity: (1, 2))]",
        "bodies.b: the field `density` of `Body` is missing | add `density: …` @ (",
    );
}

#[test]
fn wrong_types() {
    check("step: \"x\"", "step: expected a number, found the string `\"x\"` | - @ \"x\"");
    check("step:    fast", "step: expected a number, found `fast` | - @ fast");
    check("step: 1.2.3", "step: expected a number, found the number `1.2.3` | - @ 1.2.3");
    check("steps: x", "steps: expected an integer, found `x` | - @ x");
    check("steps: 1.5", "steps: expected an integer, found the number `1.5` | - @ 1.5");
    check("steps: 5000000000", "steps: the number `5000000000` is too large or too small here | - @ 5000000000");
    check("steps: -1", "steps: the number `-1` is too large or too small here | - @ -1");
    check("verbose: 1", "verbose: expected `true` or `false`, found the number `1` | - @ 1");
    check("title: case", "title: expected a string \"…\", found `case` | put it in quotes: \"case\" @ case");
    check("groups: [1]", "groups: expected a map { … }, found the list `[1]` | - @ [1]");
    check("groups: {\"a\": 300}", "groups.a: the number `300` is too large or too small here | - @ 300");
    check("integrator: 5", "integrator: expected a name, found the number `5` | - @ 5");
    check("integrator: Euler(1)", "integrator: `Euler` has no fields here | - @ Euler(");
    check(
        "integrator: Theta",
        "integrator: expected ( … ), found `Theta` | `Theta` needs its fields: `Theta(…)` @ Theta",
    );
    check("duration: Forever", "duration: `Forever` is none of the forms of `Duration` | - @ Forever");
    check("duration: \"\"", "duration: the string `\"\"` is none of the forms of `Duration` | - @ \"\"");
}

#[test]
fn wrong_shapes() {
    let body = |rest: &str| format!("bodies: [(name: \"a\", density: 1, {rest})]");
    check(
        &body("velocity: [1, 2]"),
        "bodies.a.velocity: expected ( … ), found the list `[1, 2]` | write it with round brackets, ( … ) @ [1, 2]",
    );
    check(&body("velocity: (1, 2, 3)"), "bodies.a.velocity[2]: expected 2 values, found 3 | - @ 3");
    check(&body("velocity: (1)"), "bodies.a.velocity: expected an array of length 2, found 1 value | - @ (1)");
    check(&body("velocity: 1"), "bodies.a.velocity: expected ( … ), found the number `1` | - @ 1");
    check(&body("positive: -1"), "bodies.a.positive: -1 is not positive | - @ -1");
    check("bodies: [Mass(1)]", "bodies[0]: expected `Body`( … ), found `Mass(1)` | - @ Mass(");
    check("bodies: [5]", "bodies[0]: expected `Body`( … ), found the number `5` | - @ 5");
}

/// A list that is none is told by the probe and by serde in the same words, apart from the help.
#[test]
fn not_a_list() {
    let text = "(step: 1, integrator: Euler, bodies: (1, 2))";
    let problems = read(text).unwrap_err();
    assert_eq!(problems.items()[0].message, "expected a list [ … ], found the tuple `(1, 2)`");
    let problems = from_text::<Case>(text, "x.ron").unwrap_err();
    assert_eq!(problems.items()[0].message, "expected a list [ … ], found the tuple `(1, 2)`");
    assert_eq!(problems.items()[0].help.as_deref(), Some("write it with square brackets, [ … ]"));
    let text = "(step: 1, integrator: Euler, bodies: \"a\")";
    let problems = from_text::<Case>(text, "x.ron").unwrap_err();
    assert_eq!(problems.items()[0].help.as_deref(), Some("a list of one is written [ … ] too"));
}

/// The words for errors that the types of a case hardly reach.
#[test]
fn rare_words() {
    fn message<T: serde::de::DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
        from_text::<T>(text, "x").unwrap_err().items()[0].message.clone()
    }
    #[derive(Debug, Deserialize)]
    struct Marker;
    #[derive(Debug, Deserialize)]
    enum Nothing {}
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "the fields are there to be read by serde")]
    struct Named {
        a: char,
    }
    assert_eq!(message::<()>("5"), "expected `()`, found the number `5`");
    assert_eq!(message::<char>("5"), "expected a character, found the number `5`");
    assert_eq!(message::<Marker>("Other"), "expected `Marker`( … ), found `Other`");
    assert_eq!(message::<Named>("Other(a: 'a')"), "expected `Named`( … ), found `Other(a: 'a')`");
    assert_eq!(message::<(u8, u8)>("(a: 1, b: 2)"), "expected an integer, found the struct `(a: 1, b: 2)`");
    assert_eq!(message::<[u8; 1]>("(300)"), "the number `300` is too large or too small here");
    assert_eq!(message::<String>("b\"a\""), "expected a string \"…\", found the byte string `b\"a\"`");
    assert_eq!(message::<String>("\"\\q\""), "unknown escape character");
    let nothing = from_text::<Nothing>("A", "x").unwrap_err();
    assert_eq!(nothing.items()[0].help.as_deref(), Some("there are no variants"));
    let strict = "#![enable(explicit_struct_names)] (a: 'a')";
    assert_eq!(message::<Named>(strict), "expected the explicit struct name `Named`, but none was found");
    let unknown = "#![enable(magic)] 5";
    assert_eq!(message::<u8>(unknown), "no RON extension named `magic`");
}

/// The bytes ron calls base64, options without `implicit_some`, and too deep recursion, by their codes.
#[test]
fn words_by_code() {
    use ron::Error;
    let tree = Tree::parse("[5]").unwrap();
    let words = |error: Error| {
        let place = crate::source::place::locate(&tree, &error, 1, 1);
        crate::source::words::explain(&error, &place, &[]).1
    };
    assert_eq!(words(Error::ExpectedByteString), "expected a byte string b\"…\", found the number `5`");
    assert_eq!(words(Error::ExpectedOption), "expected `None` or `Some(…)`, found the number `5`");
    assert_eq!(words(Error::ExpectedNamedStructLike("")), "expected ( … ) without a name, found the number `5`");
    assert_eq!(words(Error::ExceededRecursionLimit), "the values are nested too deeply");
    assert_eq!(words(Error::ExpectedComma), "expected an integer, found the number `5`");
    assert_eq!(words(Error::DuplicateStructField { field: "a", outer: None }), "`a` is given twice");
    assert_eq!(words(Error::ExpectedArrayEnd), "expected 0 values, found 1");
    assert_eq!(words(Error::Eof), "unexpected end of RON");
    let expected = String::from("a b");
    let found = String::from("a c");
    assert_eq!(words(Error::InvalidValueForType { expected, found }), "expected a b, found a c");
    let list = Tree::parse("[[5]]").unwrap();
    let error = Error::ExpectedComma;
    let place = crate::source::place::locate(&list, &error, 1, 1);
    assert_eq!(crate::source::words::explain(&error, &place, &[]).1, "unexpected the list `[5]`");
}

/// Everything that is wrong is told at once, in the order of the text.
#[test]
fn all_at_once() {
    let text = "#![enable(implicit_some)]
(
    titel: \"é\",
    integrator: Theta(theta: \"half\"),
    bodies: [
        (name: \"a\", density: \"heavy\"),
        (name: \"b\", density: 1),
        (name: \"c\", densty: 1),
        (name: \"d\", density: 1, density: 2),
        (name: \"e\", density: 1,
         velocity: (1, x)),
    ],
    groups: {\"u\": 1, \"u\": 2},
    contacts: 5,
)";
    let problems = read(text).unwrap_err();
    let lines: Vec<String> =
        problems.items().iter().map(|p| format!("{}:{} {}: {}", p.line, p.column, p.path, p.message)).collect();
    let expected = [
        "2:1 : the field `step` is missing",
        "3:5 titel: no field `titel`",
        "4:30 integrator.theta: expected a number, found the string `\"half\"`",
        "6:30 bodies.a.density: expected a number, found the string `\"heavy\"`",
        "8:21 bodies.c.densty: no field `densty` in `Body`",
        "9:33 bodies.d.density: `density` is given twice; first in line 9",
        "11:24 bodies.e.velocity[1]: expected a number, found `x`",
        "13:22 groups.u: `u` is given twice; first in line 13",
        "14:15 contacts: expected a list [ … ], found the number `5`",
    ];
    assert_eq!(lines, expected, "{problems}");
    assert!(problems.to_string().ends_with("9 problems in x.ron"));
    assert_eq!(
        problems.items()[1].help.as_deref(),
        Some(
            "did you mean `title`? the fields are `title`, `step`, `steps`, `integrator`, `duration`, `bodies`, `groups`, `verbose`, `contacts`"
        )
    );
}

/// What only the whole shows is told too: here the name of the root, and a root that is no struct.
#[test]
fn the_whole() {
    let problems = read("Cake(step: 1, integrator: Euler, bodies: [])").unwrap_err();
    assert!(problems.items()[0].message.starts_with("expected `Case`( … ), found `Cake(step: 1"), "{problems}");
    let problems = read("[1, 2]").unwrap_err();
    assert_eq!(problems.items()[0].message, "expected `Case`( … ), found the list `[1, 2]`");
    let problems = read("(step: 1,\n integrator Euler)").unwrap_err();
    assert_eq!(
        problems.to_string(),
        "error[E0110]: x.ron:2:2: this value needs a name, `name: value`, like the fields before it\n    \
         2 |  integrator Euler)\n      |  ^\n\n1 problem in x.ron"
    );
    assert!(read("").unwrap_err().to_string().starts_with("error[E0104]: x.ron:1:1: the text ends"));
}

/// At most `MAX_PROBLEMS` are collected, also from keys given twice.
#[test]
fn not_too_many() {
    let text = format!("(step: 1, integrator: Euler, bodies: [{}])", "5,".repeat(1000));
    assert_eq!(read(&text).unwrap_err().items().len(), MAX_PROBLEMS);
    let (many, one) = ("(a: 1, a: 2),".repeat(1000), "a: 1,".repeat(1000));
    for text in [format!("[{many}]"), format!("({one})")] {
        assert!(from_text::<ron::Value>(&text, "x").unwrap_err().items().len() <= MAX_PROBLEMS + 1);
    }
}

/// Semantic problems point at the value, at what holds a defaulted key, and name the `--set` they came from.
#[test]
fn semantic() {
    let text = "(\n  step: 1,\n  integrator: Euler,\n  bodies: [(name: \"a\", density: 1)],\n)";
    let mut document = Document::new(text, "x.ron").unwrap();
    let problem = document.problem(crate::codes::NOT_POSITIVE, "step", "must be below 1").with_help("halve it");
    assert_eq!(
        problem.to_string(),
        "error[E0305]: x.ron:2:9: step: must be below 1\n    2 |   step: 1,\n      |         ^\n   help: halve it"
    );
    assert_eq!(document.problem(crate::codes::NOT_POSITIVE, "bodies.a.velocity", "m").line, 4);
    assert_eq!(document.problem(crate::codes::NOT_POSITIVE, "bodies[0].velocity", "m").column, 12);
    assert_eq!(document.problem(crate::codes::NOT_POSITIVE, "nothing.at.all", "m").line, 1);
    document.set("step=0").unwrap();
    document.set("bodies.a.density=-22").unwrap();
    document.set("steps=7").unwrap();
    let note = |path: &str| document.problem(crate::codes::NOT_POSITIVE, path, "m").note;
    assert_eq!(note("step").as_deref(), Some("value given by --set step=0"));
    assert_eq!(note("bodies.a.density").as_deref(), Some("value given by --set bodies.a.density=-22"));
    assert_eq!(note("steps").as_deref(), Some("value given by --set steps=7"));
    assert_eq!(note("integrator"), None);
    assert_eq!(note("bodies.a.name"), None);
    document.set("bodies=[(name: \"b\", density: x)]").unwrap();
    let problems = document.collect::<Case>(&probes(), &REQUIRED).map(|_| ()).unwrap_err();
    let [problem] = problems.items() else { panic!("{problems}") };
    assert_eq!(problem.note.as_deref(), Some("value given by --set bodies=[(name: \"b\", density: x)]"));
    assert_eq!(problem.line, 4, "the lines keep their numbers");
    document.set("bodies[0].density=3").unwrap();
    assert!(document.collect::<Case>(&probes(), &REQUIRED).is_ok(), "{}", document.text());
    assert_eq!(document.file(), "x.ron");
    assert_eq!(document.tree().text(), document.text());
}

/// The deepest text that is scanned is also read, within the stack of a test thread.
#[test]
fn deepest() {
    let text = format!("{}1{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert!(from_text::<ron::Value>(&text, "x").is_ok());
    let text = format!("{}1{}", "A(a: Some(".repeat(MAX_DEPTH / 2), "))".repeat(MAX_DEPTH / 2));
    assert!(from_text::<ron::Value>(&text, "x").is_ok());
}
