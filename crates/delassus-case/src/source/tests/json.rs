//! Tests of JSON: what is read, the words and places of every kind of problem, `--set`.

use super::de::Case;
use crate::source::*;

/// A whole case with one field replaced.
fn text_with(field: &str) -> String {
    let key = field.split(':').next().unwrap_or_default();
    let parts = ["\"step\": 0.1", "\"integrator\": \"Euler\"", "\"bodies\": []"];
    let others: Vec<&str> = parts.into_iter().filter(|part| !part.starts_with(&format!("{key}:"))).collect();
    format!("{{\n{field},\n{}}}", others.join(",\n"))
}

fn read(text: &str) -> Result<Case, Diagnostics> {
    Document::of(Language::Json, text, "x.json")?.collect(&super::de::probes(), &super::de::REQUIRED)
}

/// `path: message | help @ marked text` of the only problem of a text.
fn check(text: &str, expected: &str) {
    let problems = read(text).map(drop).expect_err(text);
    let [problem] = problems.items() else { panic!("{text}: one problem expected: {problems}") };
    let marked: String = problem.source.chars().skip(problem.marks.0).take(problem.marks.1).collect();
    let help = problem.help.as_deref().unwrap_or("-");
    assert_eq!(format!("{}: {} | {help} @ {marked}", problem.path, problem.message), expected, "{text}");
}

#[test]
fn accepted() {
    for text in [
        r#"{"step": 1, "integrator": {"Theta": {"theta": 0.5}}, "bodies": []}"#,
        r#"{"step": 1, "integrator": {"Newmark": {"beta": 0.25, "gamma": 0.5}}, "bodies": [], "duration": 3}"#,
        r#"{"step": 1, "integrator": "Euler", "bodies": [{"name": "a", "density": 1, "velocity": [1, 2]}]}"#,
        "\u{FEFF}{\"step\": 1, \"integrator\": \"Euler\", \"bodies\": [], \"duration\": null, \"contacts\": null}",
    ] {
        read(text).unwrap_or_else(|problems| panic!("{text}: {problems}"));
    }
}

#[test]
fn places_and_words() {
    let check = |field: &str, expected: &str| check(&text_with(field), expected);
    check(
        r#""integrator": {"Theta": {"tetha": 0.5}}"#,
        "integrator.tetha: no field `tetha` | did you mean `theta`? the fields are `theta` @ \"tetha\"",
    );
    check(
        r#""integrator": {"Teta": {"theta": 0.5}}"#,
        "integrator: no variant `Teta` | did you mean `Theta`? the variants are `Euler`, `Theta`, `Newmark` @ \"Teta\"",
    );
    check(
        r#""integrator": "Verlet""#,
        "integrator: no variant `Verlet` | the variants are `Euler`, `Theta`, `Newmark` @ \"Verlet\"",
    );
    check(
        r#""integrator": {"Newmark": {"beta": 0.25}}"#,
        "integrator: the field `gamma` is missing | add `\"gamma\": …` @ {",
    );
    check(r#""step": "x""#, "step: expected a number, found the string `\"x\"` | - @ \"x\"");
    check(r#""steps": 1.5"#, "steps: expected a whole number, found the number `1.5` | - @ 1.5");
    check(r#""steps": -1"#, "steps: expected a whole number, found the number `-1` | - @ -1");
    check(r#""verbose": 1"#, "verbose: expected true or false, found the number `1` | - @ 1");
    check(r#""bodies": 3"#, "bodies: expected a list [ … ], found the number `3` | - @ 3");
    check(
        r#""bodies": [{"name": "a", "density": 1}, {"name": "b",  "density": "x"}]"#,
        "bodies.b.density: expected a number, found the string `\"x\"` | - @ \"x\"",
    );
    check(
        r#""bodies": [{"name": "a", "density": 1}, {"name": "b"}]"#,
        "bodies.b: the field `density` is missing | add `\"density\": …` @ {",
    );
    check(
        r#""bodies": [{"name": "é", "density": 1, "positive": -2.5}]"#,
        "bodies.é.positive: -2.5 is not positive | - @ -2.5",
    );
    check(
        r#""bodies": [{"name": "a", "positive": -2.5, "density": 1}]"#,
        "bodies.a.positive: -2.5 is not positive | - @ -2.5",
    );
    check(
        r#""bodies": [{"name": "a", "density": 1, "velocity": [1]}]"#,
        "bodies.a.velocity: invalid length 1, expected an array of length 2 | - @ [1]",
    );
    check(
        r#""integrator": 3"#,
        "integrator: expected a variant, \"Name\" or {\"Name\": …} with no other key, found the number `3` | - @ 3",
    );
    check(
        r#""stepp": 3"#,
        "stepp: no field `stepp` | did you mean `step`? the fields are `title`, `step`, `steps`, `integrator`, `duration`, `bodies`, `groups`, `verbose`, `contacts` @ \"stepp\"",
    );
}

#[test]
fn at_the_top() {
    check(r#"{"step": 1, "bodies": []}"#, ": the field `integrator` is missing | add `\"integrator\": …` @ {");
    check(
        "{\"step\": 1,\n \"step\": 2, \"integrator\": \"Euler\", \"bodies\": []}",
        "step: `step` is given twice; first in line 1 | - @ \"step\"",
    );
}

#[test]
fn not_json() {
    check("{\"step\": 1,\n}", ": not JSON: comma before the closing bracket | - @ }");
    check(
        "{\"step\": Years(2)}",
        "step: `Years(2)` is not JSON; a name with values is written {\"Name\": …} there | - @ Years(",
    );
    check("{\"step\": Euler}", "step: `Euler` is not JSON; a name is written in quotes there | - @ Euler");
    check("{\"step\": 1 // one\n}", ": not JSON: expected `,` or `}` | - @ /");
    check("{\"step\": [1, 2}", ": `}` closes the `[` of line 1; expected `]` | - @ }");
}

/// Several problems at once, as in RON.
#[test]
fn all_of_them() {
    let text = "{\"step\": \"x\",\n\"integrator\": \"E\",\n\"bodies\": [{\"name\": 1}, {\"name\": \"b\"}]}";
    let problems = read(text).unwrap_err();
    let lines: Vec<usize> = problems.items().iter().map(|p| p.line).collect();
    assert_eq!(lines, [1, 2, 3, 3], "{problems}");
}

#[test]
fn set() {
    let text = r#"{"step": 1, "integrator": {"Theta": {"theta": 0.5}}, "bodies": [{"name": "a", "density": 1}]}"#;
    let with = |assignment: &str| {
        let mut document = Document::of(Language::Json, text, "x.json").unwrap();
        document.set(assignment).map(|()| document.text().to_owned()).map_err(|e| e.to_string())
    };
    assert_eq!(with("step=2e-3").unwrap(), text.replace("\"step\": 1", "\"step\": 2e-3"));
    assert_eq!(with("integrator.theta=0.7").unwrap(), text.replace("0.5", "0.7"));
    assert_eq!(with("integrator.Theta.theta=0.7").unwrap(), text.replace("0.5", "0.7"));
    assert_eq!(with("integrator=\"Euler\"").unwrap(), text.replace(r#"{"Theta": {"theta": 0.5}}"#, "\"Euler\""));
    assert_eq!(with("bodies.a.velocity=[1, 2]").unwrap(), text.replace("1}]", "1, \"velocity\": [1, 2]}]"));
    let refused = with("integrator=Theta(theta: 1)").unwrap_err();
    assert!(refused.contains("the case is JSON, and so are its values"), "{refused}");
    // What is not there is made; whether it may be there is serde's to say, in the name of the `--set`.
    assert_eq!(with("integrator.beta.x=1").unwrap(), text.replace("0.5}", "0.5, \"beta\": {\"x\": 1}}"));
    // A problem in a value that was given says so.
    let mut document = Document::of(Language::Json, text, "x.json").unwrap();
    document.set("step=\"x\"").unwrap();
    let problems = document.read::<Case>().unwrap_err();
    assert_eq!(problems.items()[0].note.as_deref(), Some("value given by --set step=\"x\""));
    assert_eq!(document.problem(crate::codes::NOT_POSITIVE, "bodies.a.density", "is bad").column, 92);
}

#[test]
fn by_ending() {
    let of = |name: &str| Language::of(std::path::Path::new(name));
    assert_eq!(
        (of("a.json"), of("a.JSON"), of("a.ron"), of("json")),
        (Language::Json, Language::Json, Language::Ron, Language::Ron)
    );
    assert_eq!((Language::Json.name(), Language::Ron.name()), ("JSON", "RON"));
}
