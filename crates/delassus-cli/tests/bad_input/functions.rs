//! Functions of time that are wrong: formulas, tables in files, displacements.

use super::{BLOCK, INPUT, Row, Scene, check_refused, check_rows, edited};

const TABLE: &str = "Table([(0.0, 0.0), (0.01, 1.0)])";
const SUPPORT: &str = "group: \"bottom\", x: 0.0";

pub const ROWS: &[Row] = &[
    (
        "a misspelt function",
        TABLE,
        "Expression(\"2*sinn(t)\")",
        "E0173 | case.ron:38: | loads[1].factor: the expression cannot be read: character 3: no function `sinn`",
    ),
    (
        "a place in a formula of time",
        TABLE,
        "Expression(\"2*x\")",
        "E0173 | loads[1].factor | no variable `x`: the variables are t",
    ),
    ("no formula", TABLE, "Expression(\"\")", "E0173 | loads[1].factor | character 1: | is missing"),
    ("infinite at the start", TABLE, "Expression(\"1/t\")", "E0177 | loads[1].factor: at t = 0 the function is inf"),
    (
        "no number later",
        SUPPORT,
        "group: \"bottom\", x: Expression(\"sqrt(1e-3 - t)\")",
        "E0177 | boundary[0].x: at t = 0.0011 the function is NaN",
    ),
    (
        "no number within a displacement",
        SUPPORT,
        "group: \"bottom\", x: Displacement(Expression(\"sqrt(t)\"))",
        "E0177 | boundary[0].x: at t = 0 the function is inf",
    ),
    (
        "a displacement that is infinite all along",
        SUPPORT,
        "group: \"bottom\", x: Displacement(Expression(\"9^9^9^9\"))",
        "E0177 | boundary[0].x: at t = 0 the function is inf",
    ),
    (
        "a fault within a displacement",
        SUPPORT,
        "group: \"bottom\", x: Displacement(Expression(\"t+\"))",
        "E0173 | boundary[0].x: the expression cannot be read: character 3",
    ),
    (
        "a factor that is a displacement",
        TABLE,
        "Displacement(Ramp(end: 1, to: 1))",
        "E0176 | loads[1].factor | is for velocities",
    ),
    (
        "a displacement of a displacement",
        SUPPORT,
        "group: \"bottom\", x: Displacement(Displacement(Expression(\"t\")))",
        "E0174 | boundary[0].x: a `Displacement` is a number",
    ),
    (
        "a ramp that goes back",
        SUPPORT,
        "group: \"bottom\", x: Displacement(Ramp(end: 0, to: 1))",
        "E0601 | boundary[0].x | end",
    ),
    (
        "no such file",
        TABLE,
        "Csv(file: \"no.csv\", value: \"a\")",
        "E0635 | loads[1].factor.file: cannot read `no.csv`",
    ),
    ("no unit", TABLE, "Csv(file: \"no.csv\", value: \"a\", time_unit: 0)", "E0305 | loads[1].factor.time_unit"),
];

#[test]
fn wrong_functions() {
    check_rows(ROWS, INPUT);
}

/// Nesting and length are bounded.
#[test]
fn hostile_formulas() {
    for (name, formula, says) in [
        ("deep", "(".repeat(4000), "E0173 | loads[1].factor | nested more than 64 deep"),
        ("long", "1+".repeat(40_000), "E0173 | loads[1].factor | too long: at most 4096"),
    ] {
        let scene = Scene::new(&edited(BLOCK, &[(TABLE, &format!("Expression(\"{formula}\")"))]));
        check_refused(name, &scene, INPUT, says);
    }
}

/// A table in a file is the table: the same rows of `history.csv`, and the file's hash in the manifest. A wrong one is told of.
#[test]
fn tables_in_files() {
    let run = |table: &str, csv: &str| {
        let scene = Scene::new(&edited(BLOCK, &[(TABLE, table)]));
        std::fs::write(scene.path("push.csv"), csv).unwrap();
        let done = scene.delassus(&["run", "case.ron", "--out", "out"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        ["history.csv", "manifest.json"].map(|name| std::fs::read_to_string(scene.path("out").join(name)).unwrap())
    };
    let [expected, _] = run(TABLE, "");
    let [found, manifest] =
        run("Csv(file: \"push.csv\", time: \"t [ms]\", value: \"a\", time_unit: 1e-3)", "t [ms],b,a\n0,9,0\n10,9,1\n");
    assert!(found == expected, "the same bytes");
    assert!(manifest.contains("\"table push.csv\""), "{manifest}");
    for (name, csv, says) in [
        ("column", "t,b\n0,0\n1,1\n", "E0636 | loads[1].factor: `push.csv`"),
        ("value", "time,a\n0,x\n1,1\n", "E0637 | loads[1].factor: `push.csv`"),
        ("order", "time,a\n1,0\n0,1\n", "E0638 | loads[1].factor: `push.csv`"),
    ] {
        let scene = Scene::new(&edited(BLOCK, &[(TABLE, "Csv(file: \"push.csv\", value: \"a\")")]));
        std::fs::write(scene.path("push.csv"), csv).unwrap();
        check_refused(name, &scene, INPUT, says);
    }
}
