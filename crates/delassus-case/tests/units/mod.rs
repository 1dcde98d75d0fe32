//! Units in words: the tables of the guide against the program, and a whole case in km, years, mm/yr and GPa.

use delassus_case::Loaded;
use delassus_case::source::{Measure, UNITS, UnitRules};
use delassus_case::spec::QUANTITIES;

use super::{guide, root};

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

/// Every key with a unit in the guide has the rule that says so: a wrong unit there is refused.
#[test]
fn the_rules_are_those_of_the_guide() {
    let guide = guide();
    let rules = UnitRules { keys: QUANTITIES, none: None };
    let mut compared = 0;
    for part in guide.split("<!-- keys: ").skip(1) {
        let (types, rest) = part.split_once(" -->").unwrap();
        for row in rows(rest, "| key") {
            let key = row[0].trim_matches('`');
            // Words are no units: what is counted in steps, and what has the unit of something else.
            if row[1].is_empty() || matches!(row[1], "steps" | "of the column") {
                continue;
            }
            for holder in types.split(", ").filter_map(|t| t.rsplit('.').next()) {
                let said = match rules.find(holder, key) {
                    Some(Measure::Of(quantity)) => quantity.si(),
                    Some(Measure::Bare(si)) => si,
                    found => panic!("{types}.{key} is in {}, the rule is {found:?}", row[1]),
                };
                assert_eq!(said, row[1], "{types}.{key}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 80, "{compared} keys with units");
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
