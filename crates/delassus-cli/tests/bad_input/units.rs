//! Units in words: malformed, misspelt, of the wrong kind, or where none may stand.

use super::{BLOCK, INPUT, Row, Scene, check_message, check_rows, listing};

pub const ROWS: &[Row] = &[
    (
        "unit of a string",
        "duration: 2e-3",
        "duration: Hours(\"x\")",
        "E0141 | case.ron:45:15: duration: | `Hours` takes one number, found `Hours(\"x\")` | `Hours(1.0)`",
    ),
    (
        "unit of nothing",
        "duration: 2e-3",
        "duration: Hours()",
        "E0141 | case.ron:45:15: duration: | `Hours` takes one number",
    ),
    ("unit alone", "duration: 2e-3", "duration: Hours", "E0141 | case.ron:45:15: duration: | `Hours` takes one number"),
    (
        "unit of a vector",
        "size: (0.5, 0.1)",
        "size: Cm(50, 10)",
        "E0141 | case.ron:20:55: | mesh.size: | `Cm` takes one number | `(Cm(1.0), Cm(2.0))` | 1 problem",
    ),
    (
        "unit misspelt",
        "duration: 2e-3",
        "duration: Yaers(1)",
        "E0142 | case.ron:45:15: duration: no unit `Yaers` | did you mean `Years`? | a bare number is in s",
    ),
    (
        "unit of a function misspelt",
        "x: 0.0, y: 0.0)",
        "x: MmPerYaer(1), y: 0.0)",
        "E0142 | case.ron:41:45: boundary[0].x: no unit `MmPerYaer` | did you mean `MmPerYear`?",
    ),
    (
        "name before a vector",
        "velocity: (1.0, 0.0)",
        "velocity: Knots(1.0, 0.0)",
        "E0142 | case.ron:16:23: bodies.block.velocity: no unit `Knots` | the units of speed are | in m/s",
    ),
    (
        "unit misspelt where any may stand",
        "expected: 1.0",
        "expected: Yaers(1.0)",
        "E0125 | case.ron:54: | expected a number, found `Yaers(1.0)` | did you mean the unit `Years`?",
    ),
    (
        "length for a time",
        "step: 1e-4",
        "step: Km(1e-4)",
        "E0143 | case.ron:44:11: step: `step` is a time: Km is a unit of length | `Minutes` | a bare number is in s",
    ),
    (
        "time for a pressure",
        "young: 1.0e7",
        "young: Days(1)",
        "E0143 | case.ron:6: | young: `young` is a pressure: Days is a unit of time | `GPa`",
    ),
    (
        "length for a time of a table",
        "(0.01, 1.0)",
        "(Cm(1), 1.0)",
        "E0143 | case.ron:38: | number 1 in a row of `Table` is a time: Cm is a unit of length",
    ),
    (
        "unit of a factor",
        "(0.01, 1.0)",
        "(0.01, MPa(1.0))",
        "E0144 | case.ron:38: | `factor` is a number without unit: MPa is a unit of pressure",
    ),
    (
        "unit of a density",
        "density: 1000.0",
        "density: Tonnes(1)",
        "E0144 | case.ron:6:35: | `density` is in kg/m³: Tonnes is a unit of mass | write a bare number, in kg/m³",
    ),
    ("unit of a count", "cells: (5, 1)", "cells: (Km(5), 1)", "E0125 | case.ron:20:75: | an integer, found `Km(5)`"),
    (
        "beyond all numbers",
        "duration: 2e-3",
        "duration: Myr(1e300)",
        "E0146 | case.ron:45:15: | `Myr(1e300)` is too large",
    ),
    (
        "unit in a plain case",
        "dimension: 2,",
        "dimension: 2, units: Plain, memory: Km(1),",
        "E0145 | case.ron:4:41: memory: no unit such as `Km` here | `units: Plain` all numbers are bare | write a bare number",
    ),
    (
        "unit in a formula of a plain case",
        "dimension: 2,",
        "dimension: 2, units: Plain, motions: [(body: \"x\", x: Expression(\"2*Mm(t)\"))],",
        "E0145 | case.ron:4:69: motions[0].x[0]: no unit such as `Mm` here | write a bare number",
    ),
    // Behind units the places are those of the text.
    (
        "mistake behind units",
        "corner: (0.0, 0.0), size: (0.5, 0.1), cells: (5, 1)",
        "corner: (Mm(0), Mm(0)), size: (Cm(50), Km(1e-4)), cells: (5.5, 1)",
        "E0125 | case.ron:20:87: | cells[0] | an integer | `5.5`",
    ),
    (
        "value with a unit out of range",
        "size: (0.5, 0.1)",
        "size: (Cm(-50), 0.1)",
        "E0443 | case.ron:20: | rectangle: size[0] = -0.5 | > 0",
    ),
];

#[test]
fn mistakes_in_units() {
    check_rows(ROWS, INPUT);
}

#[test]
fn units_of_the_command_line() {
    for (setting, says) in [
        ("step=Km(1)", "E0143 | case.ron:44:11: step: `step` is a time | value given by --set step=Km(1)"),
        (
            "step=Yaers(1)",
            "E0142 | case.ron:44:11: step: no unit `Yaers` | did you mean `Years`? | --set step=Yaers(1)",
        ),
        ("step=Hours(1", "E0203 | --set step=Hours(1: | never closed"),
    ] {
        let scene = Scene::new(BLOCK);
        let done = scene.delassus(&["run", "case.ron", "--out", "out", "--set", setting]);
        check_message(setting, &done, INPUT, says);
        assert_eq!(listing(&scene), ["case.ron"], "{setting}: something was written");
    }
}
