//! Tests of units in words: their values, where they may stand, and that problems keep their places.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::source::expand::Expansion;
use crate::source::*;

const PATHS: &[(&str, UnitMeasure)] = &[
    ("step", UnitMeasure::Of(UnitQuantity::Time)),
    ("size", UnitMeasure::Of(UnitQuantity::Length)),
    ("x", UnitMeasure::Of(UnitQuantity::Speed)),
    ("x.Constant", UnitMeasure::Outer),
    ("x.Table[][0]", UnitMeasure::Of(UnitQuantity::Time)),
    ("x.Table[][1]", UnitMeasure::Outer),
    ("x.Ramp.end", UnitMeasure::Of(UnitQuantity::Time)),
    ("x.Ramp.to", UnitMeasure::Outer),
    ("density", UnitMeasure::Bare("kg/m³")),
    ("nu", UnitMeasure::Bare("")),
    ("shapes[].Disk.x", UnitMeasure::Of(UnitQuantity::Length)),
    ("shapes[].Disk.turns", UnitMeasure::Count),
    ("shapes[].level", UnitMeasure::Any),
];

static KNOWN: LazyLock<UnitPaths> =
    LazyLock::new(|| PATHS.iter().map(|(path, measure)| ((*path).to_owned(), *measure)).collect());

fn rules() -> UnitRules {
    UnitRules { paths: &KNOWN, none: None }
}

/// A text as serde reads it.
fn expanded(text: &str) -> String {
    let tree = Tree::parse(text).unwrap();
    let units = Expansion::new(&tree, "x.ron", &rules());
    assert!(units.problems().is_empty(), "{text}: {:?}", units.problems());
    units.slice(&tree, "", Span::new(0, text.len())).text
}

/// `path: message | help @ marked text` of the only problem with the units of a text.
fn problem(text: &str, rules: UnitRules) -> String {
    let tree = Tree::parse(text).unwrap();
    let problems = Expansion::new(&tree, "x.ron", &rules).problems();
    let [problem] = problems.as_slice() else { panic!("{text}: one problem expected: {problems:?}") };
    let marked: String = problem.source.chars().skip(problem.marks.0).take(problem.marks.1).collect();
    format!("{}: {} | {} @ {marked}", problem.path, problem.message, problem.help.as_deref().unwrap_or("-"))
}

/// Against the definitions written out as decimal numbers; all are exact but for the last rounding of the quotient.
#[test]
fn values() {
    let table = [
        ("Minutes", 1.5, 90.0),
        ("Hours", 2.0, 7200.0),
        ("Days", 365.25, 3.15576e7),
        ("Years", 1e6, 3.15576e13),
        ("Kyr", 5.0, 1.57788e11),
        ("Myr", 1.0, 3.15576e13),
        ("Um", 7.0, 7e-6),
        ("Mm", 57.0, 0.057),
        ("Cm", 57.0, 0.57),
        ("Km", 8.3326, 8332.6),
        ("MmPerYear", 1.041_400_8, 0.33e-10),
        ("CmPerYear", 0.104_140_08, 0.33e-10),
        ("KmPerHour", 36.0, 10.0),
        ("KPa", 101.325, 101_325.0),
        ("MPa", 2.5, 2.5e6),
        ("GPa", 10.0, 1e10),
        ("Grams", 250.0, 0.25),
        ("Tonnes", 2.7, 2700.0),
    ];
    assert_eq!(table.map(|row| row.0), UNITS.map(|unit| unit.name), "every unit has its row");
    for (name, value, si) in table {
        let found = UnitWord::named(name).unwrap().si(value);
        assert!((found - si).abs() <= f64::EPSILON * si, "{name}({value}) = {found:e}, not {si:e}");
    }
    assert_eq!(UnitWord::named("Cm").unwrap().si(57.0).to_bits(), 0.57_f64.to_bits(), "57 · 0.01 is another number");
    assert!(UnitWord::named("years").is_none() && UnitWord::named("mPa").is_none());
}

/// The number written is the one computed, bit for bit.
#[test]
fn written_numbers() {
    for value in [1.0, 0.1, 1.041_400_8, 1e-30, 1e23, 3.3e15, -7.7, 0.0, -0.0, 123_456_789.123_456_78] {
        for unit in &UNITS {
            let text = expanded(&format!("{}({value:e})", unit.name));
            let read: f64 = options().from_str(&text).unwrap();
            assert_eq!(read.to_bits(), unit.si(value).to_bits(), "{}({value:e}): {text}", unit.name);
        }
    }
    assert_eq!(expanded("Km(inf)"), "inf", "serde and the checks judge it");
}

#[test]
fn everywhere() {
    let check = |text: &str, expected: &str| assert_eq!(expanded(text), expected);
    check("(step: Hours(2), n: 3)", "(step: 7200.0, n: 3)");
    check("(size: (Km(20), Km( 1e1 /* ten */, )), n: 3)", "(size: (20000.0, 10000.0), n: 3)");
    check("(size: [Km(-1), 2], step: Some(Minutes(1)))", "(size: [-1000.0, 2], step: Some(60.0))");
    check("(x: Table([(Minutes(1), KmPerHour(36)), (90, 0)]))", "(x: Table([(60.0, 10.0), (90, 0)]))");
    check("(x: Ramp(end: Minutes(1), to: KmPerHour(36)))", "(x: Ramp(end: 60.0, to: 10.0))");
    check("(x: Constant(KmPerHour(36)))", "(x: Constant(10.0))");
    check("(x: Constant(3.0), other: OnFacets(2))", "(x: Constant(3.0), other: OnFacets(2))");
    check("{\"a\": Km(1), Km(2): Km(3)}", "{\"a\": 1000.0, Km(2): 3000.0}");
    check("[Km(1), \"Km(1)\", /* Km(1) */ Km]", "[1000.0, \"Km(1)\", /* Km(1) */ Km]");
    check("Km(1_000)", "1000000.0");
}

#[test]
fn malformed() {
    let check = |text: &str, expected: &str| assert_eq!(problem(text, rules()), expected);
    let one = "write the number in brackets: `Hours(1.0)`";
    check(
        "(step: Hours(\"x\"))",
        &format!("step: `Hours` takes one number, found `Hours(\"x\")` | {one} @ Hours(\"x\")"),
    );
    check("(step: Hours())", &format!("step: `Hours` takes one number, found `Hours()` | {one} @ Hours()"));
    check("(step: Hours)", &format!("step: `Hours` takes one number, found `Hours` | {one} @ Hours"));
    check("(step: Hours(a: 1))", &format!("step: `Hours` takes one number, found `Hours(a: 1)` | {one} @ Hours(a: 1)"));
    check("(step: Hours(0..1))", &format!("step: `Hours` takes one number, found `Hours(0..1)` | {one} @ Hours(0..1)"));
    check("(n: Hours(Km(1)))", &format!("n: `Hours` takes one number, found `Hours(Km(1))` | {one} @ Hours(Km(1))"));
    check(
        "(size: Km(1, 2))",
        "size: `Km` takes one number, found `Km(1, 2)` | each number has its own unit: `(Km(1.0), Km(2.0))` @ Km(1, 2)",
    );
    check("(step: Myr(1e300))", "step: `Myr(1e300)` is too large for a number in SI units | - @ Myr(1e300)");
}

#[test]
fn of_the_wrong_kind() {
    let check = |text: &str, expected: &str| assert_eq!(problem(text, rules()), expected);
    let times = "the units of time are `Minutes`, `Hours`, `Days`, `Years`, `Kyr`, `Myr`; a bare number is in s";
    let speeds = "the units of speed are `MmPerYear`, `CmPerYear`, `KmPerHour`; a bare number is in m/s";
    check("(step: Km(1))", &format!("step: `step` is a time: Km is a unit of length | {times} @ Km(1)"));
    check("(step: Some(Km(1)))", &format!("step: `step` is a time: Km is a unit of length | {times} @ Km(1)"));
    check(
        "(size: (1, Hours(1)))",
        "size[1]: `size` is a length: Hours is a unit of time | the units of length are `Um`, `Mm`, `Cm`, `Km`; \
         a bare number is in m @ Hours(1)",
    );
    check("(x: Km(1))", &format!("x: `x` is a speed: Km is a unit of length | {speeds} @ Km(1)"));
    let column = "number 1 in a row of `Table` is a time: Km is a unit of length";
    check("(x: Table([(Km(1), 2)]))", &format!("x[0][0][0]: {column} | {times} @ Km(1)"));
    check(
        "(x: Table([(1, Km(2))]))",
        &format!("x[0][0][1]: `x` is a speed: Km is a unit of length | {speeds} @ Km(2)"),
    );
    check("(x: Ramp(end: Km(2)))", &format!("x.end: `end` is a time: Km is a unit of length | {times} @ Km(2)"));
    check("(x: Ramp(to: Km(2)))", &format!("x.to: `x` is a speed: Km is a unit of length | {speeds} @ Km(2)"));
    check(
        "(density: Grams(2))",
        "density: `density` is in kg/m³: Grams is a unit of mass | write a bare number, in kg/m³ @ Grams(2)",
    );
    check("(nu: MPa(2))", "nu: `nu` is a number without unit: MPa is a unit of pressure | - @ MPa(2)");
}

/// The same key at another path is another number; names of structs and `Some` are not part of the path.
#[test]
fn by_their_paths() {
    let check = |text: &str, expected: &str| assert_eq!(expanded(text), expected);
    check("(shapes: [Disk(x: Cm(57))])", "(shapes: [Disk(x: 0.57)])");
    check("All(shapes: Some([Disk(Round(x: Some(Cm(57))))]))", "All(shapes: Some([Disk(Round(x: Some(0.57)))]))");
    check("(shapes: [Disk((x: Cm(57)))], y: (x: Hours(1)))", "(shapes: [Disk((x: 0.57))], y: (x: 3600.0))");
    check("(shapes: [Square(x: Hours(1)), (level: Hours(1))])", "(shapes: [Square(x: 3600.0), (level: 3600.0)])");
    check("(shapes: [Disk(turns: Hours(1))])", "(shapes: [Disk(turns: 3600.0)])");
    let lengths = "the units of length are `Um`, `Mm`, `Cm`, `Km`; a bare number is in m";
    for text in ["(shapes: [1, Disk(x: Hours(1))])", "All(shapes: [1, Disk(Round(x: (Hours(1))))])"] {
        let told = problem(text, rules());
        let said = format!("`x` is a length: Hours is a unit of time | {lengths} @ Hours(1)");
        assert!(told.ends_with(&said), "{text}: {told}");
    }
}

#[test]
fn misspelt() {
    let check = |text: &str, expected: &str| assert_eq!(problem(text, rules()), expected);
    let times = "the units of time are `Minutes`, `Hours`, `Days`, `Years`, `Kyr`, `Myr`; a bare number is in s";
    let lengths = "the units of length are `Um`, `Mm`, `Cm`, `Km`; a bare number is in m";
    check("(step: Yaers(3))", &format!("step: no unit `Yaers` | did you mean `Years`? {times} @ Yaers(3)"));
    check("(step: years(3))", &format!("step: no unit `years` | did you mean `Years`? {times} @ years(3)"));
    // ron reads a vector whatever stands before it.
    check("(size: Feet(3, 4))", &format!("size: no unit `Feet` | {lengths} @ Feet(3, 4)"));
    // Where nothing is known of the key, serde wants a number.
    let problems = from_text::<Vec<f64>>("[Km(1), Yaers(3)]", "x").unwrap_err();
    let [problem] = problems.items() else { panic!("{problems}") };
    assert_eq!((problem.column, problem.message.as_str()), (9, "expected a number, found `Yaers(3)`"));
    assert_eq!(problem.help.as_deref(), Some("did you mean the unit `Years`?"));
}

#[test]
fn none_at_all() {
    let none = UnitRules { paths: &KNOWN, none: Some("all is bare") };
    let help = "write a bare number";
    assert_eq!(problem("(n: Km(1))", none), format!("n: no unit such as `Km` here: all is bare | {help} @ Km(1)"));
    assert_eq!(problem("(size: Feet(1, 2))", none), "size: no unit `Feet` | write bare numbers @ Feet(1, 2)");
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sized {
    size: (f64, f64),
    #[serde(default)]
    n: Vec<u8>,
    #[serde(default)]
    step: f64,
}

/// A problem behind a unit, on the same line, is shown where it was written; so is one about the unit itself.
#[test]
fn places_lead_back() {
    let check = |text: &str, column: usize, message: &str| {
        let probes = [
            ("size", KeyProbe::value::<(f64, f64)>()),
            ("n", KeyProbe::list::<u8>()),
            ("step", KeyProbe::value::<f64>()),
        ];
        for result in [from_text::<Sized>(text, "x"), collect::<Sized>(text, "x", &probes, &["size"])] {
            let problems = result.expect_err(text);
            let [problem] = problems.items() else { panic!("{text}: {problems}") };
            assert_eq!((problem.line, problem.column), (2, column), "{text}");
            assert!(problem.message.starts_with(message), "{text}: {}", problem.message);
        }
    };
    check("(\n size: (Km(20), Myr(1)), n: [1, x])", 33, "expected an integer, found `x`");
    check("(\n size: (Km(20), Km(10)), é: 2)", 26, "no field `é`");
    check("(\n size: (Km(20), x))", 17, "expected a number, found `x`");
    check("(\n size: (x, Km(20)))", 9, "expected a number, found `x`");
    check("(\n size: (Km(20), Um(1), 3))", 24, "expected 2 values, found 3");
    check("(\n size: Km(20))", 8, "expected ( … ), found `Km(20)`");
    check("(\n size: (Km(20), Um(1)), n: [Cm(100)])", 29, "expected an integer, found `Cm(100)`");
    check("(\n size: (Km(20), Um()))", 17, "`Um` takes one number, found `Um()`");
    check("(\n size: Km(20, 10))", 8, "`Km` takes one number, found `Km(20, 10)`");
    check("(\n size: (1, 2), step: Km(20, 10))", 22, "`Km` takes one number, found `Km(20, 10)`");
}

/// A unit that is wrong does not hide what else is.
#[test]
fn all_at_once() {
    let text = "(size: (Km(), Km(\"x\")), n: [x], step: Hours(1, 2))";
    let probes =
        [("size", KeyProbe::value::<(f64, f64)>()), ("n", KeyProbe::list::<u8>()), ("step", KeyProbe::value::<f64>())];
    let problems = collect::<Sized>(text, "x", &probes, &["size"]).unwrap_err();
    let columns: Vec<usize> = problems.items().iter().map(|problem| problem.column).collect();
    assert_eq!(columns, [9, 15, 29, 39], "{problems}");
    let many = format!("[{}]", "Km(),".repeat(1000));
    assert!(from_text::<Vec<f64>>(&many, "x").unwrap_err().items().len() <= MAX_PROBLEMS + 1);
}

#[test]
fn set_from_outside() {
    let mut document = Document::new("(size: (1, 2), step: 1)", "x").unwrap();
    document.set_unit_rules(rules());
    document.set("step=Hours(2)").unwrap();
    document.set("size[1]=Km(3)").unwrap();
    assert_eq!(document.text(), "(size: (1, Km(3)), step: Hours(2))", "the text stays as written");
    let sized: Sized = document.read().unwrap();
    assert_eq!((sized.size, sized.step), ((1.0, 3000.0), 7200.0));
    assert!(sized.n.is_empty());
    assert_eq!(document.problem(crate::codes::NOT_POSITIVE, "size[1]", "too long").column, 12);
    document.set("step=Km(2)").unwrap();
    let problems = document.read::<Sized>().unwrap_err();
    assert_eq!(problems.items()[0].note.as_deref(), Some("value given by --set step=Km(2)"));
}
