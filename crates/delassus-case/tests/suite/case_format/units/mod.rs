//! Units in words: the tables of the guide against the program, and a whole case in km, years, mm/yr and GPa.

mod schema;

use std::path::Path;

use delassus_case::source::{UNITS, UnitMeasure};
use delassus_case::spec::{all_unit_rules, unit_paths};
use delassus_case::{Case, CaseError, Loaded};

use super::{guide, root};
use schema::{SchemaPaths, joined};

/// The cells of the rows of a table that begins with a heading.
fn rows<'g>(text: &'g str, heading: &str) -> Vec<Vec<&'g str>> {
    let table = text.lines().skip_while(|l| !l.starts_with(heading)).skip(2).take_while(|l| l.starts_with('|'));
    table.map(|l| l.split('|').skip(1).map(str::trim).collect()).collect()
}

#[test]
fn the_guide_lists_every_unit() {
    let guide = guide();
    let rows = rows(&guide, "| word | of |");
    assert_eq!(rows.len(), UNITS.len());
    for (row, unit) in rows.iter().zip(&UNITS) {
        assert_eq!((row[0], row[1]), (format!("`{}`", unit.name).as_str(), unit.quantity.name()));
        let (value, si) = row[2].split_once(' ').unwrap();
        let value: f64 = value.parse().unwrap();
        assert_eq!((value, si), (unit.si(1.0), unit.quantity.si()), "{}", unit.name);
    }
}

/// Every number that can be written in a case has one rule, and every rule is for such a number.
#[test]
fn every_number_of_the_schema_has_one_rule() {
    let numbers = SchemaPaths::of_case().numbers;
    let rules = all_unit_rules();
    let without: Vec<&String> = numbers.keys().filter(|path| unit_paths().get(path).is_none()).collect();
    assert!(without.is_empty(), "numbers without a rule: {without:#?}");
    for (path, measure) in &rules {
        let is_integer = numbers.get(path).unwrap_or_else(|| panic!("no number stands at `{path}`"));
        assert_eq!(*measure == UnitMeasure::Count, *is_integer, "{path}");
    }
    assert_eq!(rules.len(), numbers.len(), "a number has two rules");
}

/// These take any unit; a new one is to be thought about.
#[test]
fn few_numbers_take_any_unit() {
    let rules = all_unit_rules();
    let any: Vec<&str> = rules.iter().filter(|(_, m)| *m == UnitMeasure::Any).map(|(path, _)| path.as_str()).collect();
    let measures = ["LastTimeAbove", "FirstTimeBelow"].map(|name| format!("verify.checks[].measure.{name}.level"));
    let references = ["references", "lines"].map(|list| format!("verify.{list}[].curve.Csv.value_unit"));
    assert_eq!(any, [&references[0], &references[1], &measures[0], &measures[1], "verify.checks[].expected"]);
}

/// What the keys of a value measure, those of a velocity for example.
fn measures_in(path: &str) -> Vec<UnitMeasure> {
    let is_key = |found: &str| {
        let key = found.strip_prefix(path).and_then(|rest| rest.strip_prefix('.'));
        key.is_some_and(|key| !key.contains(['.', '[']))
    };
    all_unit_rules().into_iter().filter(|(found, _)| is_key(found)).map(|rule| rule.1).collect()
}

/// Every unit of the guide is that of the rule, wherever the type stands: a wrong one there is refused.
#[test]
fn the_rules_are_those_of_the_guide() {
    let (guide, types) = (guide(), SchemaPaths::of_case().types);
    let mut compared = 0;
    for part in guide.split("<!-- keys: ").skip(1) {
        let (names, rest) = part.split_once(" -->").unwrap();
        for row in rows(rest, "| key") {
            let key = row[0].trim_matches('`');
            for name in names.split(", ") {
                let places = types.get(name).unwrap_or_else(|| panic!("the schema has no {name}"));
                for path in places.iter().map(|path| joined(path, key)) {
                    let measures = match unit_paths().get(&path) {
                        Some(measure) => vec![measure],
                        // What has no unit need not be a number.
                        None if row[1].is_empty() => Vec::new(),
                        None => measures_in(&path),
                    };
                    assert!(!measures.is_empty() || row[1].is_empty(), "{path} is in {}, without a rule", row[1]);
                    for measure in measures {
                        let said = match measure {
                            UnitMeasure::Of(quantity) => quantity.si(),
                            UnitMeasure::Bare(si) => si,
                            UnitMeasure::Count if row[1] == "steps" => "steps",
                            UnitMeasure::Count | UnitMeasure::Outer => "",
                            UnitMeasure::Any => "of the column",
                        };
                        assert_eq!(said, row[1], "{path}");
                    }
                }
                compared += usize::from(!row[1].is_empty());
            }
        }
    }
    assert!(compared >= 80, "{compared} keys with units");
}

/// Other names of shapes, names of structs and `Some(…)` do not hide a number from its rule.
#[test]
fn rules_hold_however_a_value_is_written() {
    let text = r#"(
    title: "Blocks", kinematics: SmallStrain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
    bodies: [(name: "c", mesh: Rectangle(corner: (0, 3), size: (1, 1), cells: (1, 1)), material: "m")],
    obstacles: [(name: "o", shape: Circle(centre: (0, 0), radius: 1))],
    boundary: [(body: "c", group: "left", x: 0)],
    integrator: Theta(theta: 0.5),
    step: 1,
    duration: 1,
    verify: (),
)"#;
    let read = |setting: &str| Loaded::from_text(Path::new("case.ron"), text.to_owned(), &[setting.to_owned()]);
    type Number = fn(&Case) -> f64;
    let accepted: [(&str, Number, f64); 5] = [
        ("bodies.c.damping=Rayleigh(beta: Minutes(2))", |case| case.bodies[0].damping.beta, 120.0),
        ("materials.m.law=KelvinVoigt(young: Some(KPa(2)), poisson: 0.3)", |case| case.duration, 1.0),
        (
            "boundary[0].x=Some(Ramp(end: Hours(1), to: KmPerHour(36)))",
            |case| case.boundary[0].x.as_ref().map_or(0.0, |x| x.value(1800.0)),
            5.0,
        ),
        ("obstacles.o.shape=Sphere(centre: (0, 0, Km(1)), radius: Km(1))", |case| case.duration, 1.0),
        (
            "verify=Some(checks: [(name: \"d\", measure: MaxAbs(column: \"t\"), expected: Hours(1), tolerance: 1)])",
            |case| case.verify.as_ref().map_or(0.0, |verify| verify.checks[0].expected),
            3600.0,
        ),
    ];
    for (setting, value, expected) in accepted {
        match read(setting) {
            Ok(loaded) => assert!((value(&loaded.case) - expected).abs() <= 1e-12 * expected, "{setting}"),
            Err(error) => panic!("{setting}: {error}"),
        }
    }
    for (setting, says) in [
        (
            "bodies.c.damping=Rayleigh(beta: Km(2))",
            "error[E0143]: case.ron:4:127: bodies.c.damping.beta: `beta` is a time",
        ),
        ("bodies.c.damping=(alpha: Km(2))", "`alpha` is in 1/s: Km is a unit of length"),
        (
            "materials.m.law=KelvinVoigt(young: Some(Km(2)), poisson: 0.3)",
            "`young` is a pressure: Km is a unit of length",
        ),
        ("boundary[0].x=Some(Ramp(end: Km(1), to: 36))", "`end` is a time: Km is a unit of length"),
        ("boundary[0].x=Some(Table([(0, 0), (1, Km(1))]))", "`x` is a speed: Km is a unit of length"),
        ("obstacles.o.shape=HalfSpace(point: (0, 0, Days(1)), normal: (0, 0, 1))", "`point` is a length: Days is"),
        ("obstacles.o.shape=Sphere(centre: (0, 0, 0), radius: Days(1))", "`radius` is a length: Days is"),
        ("obstacles.o.shape=Cavity(centre: (0, 0, 0), radius: Days(1))", "`radius` is a length: Days is"),
    ] {
        let Err(CaseError::Case { text: told, .. }) = read(setting) else { panic!("{setting} was accepted") };
        assert!(told.contains(says), "{setting}: {told}");
    }
}

/// The same case twice, as in the file and in the units that geologists use.
#[test]
fn a_case_in_km_and_years() {
    let path = root().join("cases/geologic-fault.ron");
    let given = std::fs::read_to_string(&path).unwrap();
    let mut text = given.clone();
    for (si, words, times) in [
        ("young: 1.0e10", "young: GPa(10)", 2),
        ("x: 0.33e-10", "x: MmPerYear(1.0414008)", 1),
        ("step: 1.57788e11", "step: Kyr(5)", 1),
        ("duration: 3.15576e13", "duration: Years(1e6)", 1),
        ("point: (8332.6, -2500.0)", "point: (Km(8.3326), Km(-2.5))", 1),
        ("point: (10000.0, 0.0)", "point: [Km(10), Km(0)]", 1),
        ("point: (5331.3, -7000.0)", "point: (Km(5.3313), Km(-7))", 1),
        ("surface: (0.0, 0.0)", "surface: (0.0, Km(0.0))", 2),
    ] {
        assert_eq!(text.matches(si).count(), times, "`{si}` in the case");
        text = text.replace(si, words);
    }
    let resolved = |text: &str| Loaded::from_text(&path, text.to_owned(), &[]).and_then(|l| l.resolved_text());
    let (expected, found) = (resolved(&given).unwrap(), resolved(&text).unwrap());
    assert!(!found.contains("Km("), "the resolved case is in SI");
    let mut numbers = 0;
    let words =
        |text: &str| -> Vec<String> { text.split([' ', ',', '(', ')']).map(|word| word.trim().to_owned()).collect() };
    assert_eq!(words(&expected).len(), words(&found).len());
    for (a, b) in words(&expected).iter().zip(words(&found)) {
        match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => {
                // two roundings at most: 2.2e-16
                assert!((a - b).abs() <= 1e-15 * a.abs(), "{a:e} and {b:e}");
                numbers += 1;
            }
            _ => assert_eq!(*a, b),
        }
    }
    assert!(numbers > 40, "{numbers} numbers compared");
}

/// `--set` takes units too, and the text that is hashed and shown keeps them.
#[test]
fn units_from_the_command_line() {
    let path = root().join("cases/geologic-fault.ron");
    let settings = ["duration=Kyr(10)", "step=Years(2.5e3)", "boundary[0].x=Table([(0, 0), (Kyr(1), CmPerYear(0.1))])"];
    let loaded = Loaded::read(&path, &settings.map(str::to_owned)).unwrap();
    assert_eq!((loaded.case.duration, loaded.case.step), (3.15576e11, 7.8894e10));
    let x = loaded.case.boundary[0].x.as_ref().unwrap();
    let expected = 1e-3 / 3.15576e7;
    assert!((x.value(1e12) - expected).abs() <= 1e-15 * expected);
    assert!((x.value(0.5 * 3.15576e10) - 0.5 * expected).abs() <= 1e-15 * expected);
}
