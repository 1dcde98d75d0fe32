//! Mistakes that serde or the scanner finds: syntax, keys, types.

use super::{BLOCK, FILES, INPUT, Row, Scene, check_message, check_refused, check_rows};

pub const ROWS: &[Row] = &[
    ("bracket never closed", "\n)\n", "\n", "E0106 | case.ron:2:1: | `(` is never closed with `)`"),
    (
        "bracket of the other kind",
        "boundary: [",
        "boundary: (",
        "E0107 | case.ron:42:5: | `]` closes the `(` of line 40",
    ),
    ("comma missing", "step: 1e-4,", "step: 1e-4", "E0108 | case.ron:45:5: | expected `,` or `)`"),
    ("string never closed", "\"base.vx\"", "\"base.vx", "E0112 | case.ron:54: | string is never closed"),
    ("text after the end", "\n)\n", "\n)\n(", "E0117 | case.ron:58:1: | '(' follows the end"),
    ("nested too deep", "step: 1e-4", DEEP, "E0102 | case.ron:44: | more than 128 deep"),
    (
        "top-level key",
        "output: (",
        "outputs: (",
        "E0121 | case.ron:47:5: | no field `outputs` | did you mean `output`?",
    ),
    (
        "key of a body",
        "velocity:",
        "velocty:",
        "E0121 | case.ron:16:13: | bodies.block.velocty | did you mean `velocity`?",
    ),
    (
        "key of a law",
        "poisson: 0.3)",
        "posson: 0.3)",
        "E0121 | case.ron:6:74: | no field `posson` | did you mean `poisson`?",
    ),
    (
        "key of a load",
        "bodies: [\"block\"]",
        "bodys: [\"block\"]",
        "E0121 | case.ron: | no field `bodys` | did you mean `bodies`?",
    ),
    (
        "key of a section",
        "thickness: 0.5",
        "thicknes: 0.5",
        "E0121 | case.ron:14: | no field `thicknes` | did you mean `thickness`?",
    ),
    (
        "scheme",
        "Theta(theta",
        "Teta(theta",
        "E0122 | case.ron:43:17: | no integrator `Teta` | did you mean `Theta`? | `Newmark`",
    ),
    (
        "scheme that is not there",
        "integrator: Theta(theta",
        "integrator: Static(theta",
        "E0122 | case.ron:43:17: integrator: | no integrator `Static` | the integrators are `Theta`, `ModifiedTheta` | statics is `QuasiStatic`, without brackets | `start: Equilibrium`",
    ),
    (
        "law of a material",
        "KelvinVoigt(young: 1.0e7",
        "Ogden(young: 1.0e7",
        "E0122 | no material law `Ogden` | the material laws are `KelvinVoigt`, `Maxwell` | hyperelastic materials are `NeoHookean(…)`",
    ),
    ("string for a number", "step: 1e-4", "step: \"1e-4\"", "E0125 | case.ron:44:11: step: | a number | `\"1e-4\"`"),
    (
        "word for a string",
        "\"steel\",\n        )",
        "steel,\n        )",
        "E0125 | case.ron:21:23: | put it in quotes: \"steel\"",
    ),
    (
        "number for a title",
        "title: \"A block slides along a plank\"",
        "title: 5",
        "E0125 | case.ron:3:12: title: | a string | `5`",
    ),
    (
        "fraction for a count",
        "cells: (5, 1)",
        "cells: (5.5, 1)",
        "E0125 | case.ron:20:75: | cells[0] | an integer | `5.5`",
    ),
    ("negative count", "every: 5", "every: -5", "E0127 | case.ron:47:21: output.every: | `-5`"),
    (
        "count beyond all",
        "cells: (5, 1)",
        "cells: (99999999999999999999, 1)",
        "E0127 | case.ron:20: | `99999999999999999999`",
    ),
    (
        "number for a point",
        "corner: (0.0, 0.0)",
        "corner: 0.0",
        "E0125 | case.ron:20:37: | corner | components such as (1.0, 0.0)",
    ),
    ("word for a function", "x: 0.0, y", "x: \"zero\", y", "E0128 | case.ron:41:45: boundary[0].x: | Ramp | `zero`"),
    (
        "key twice",
        "step: 1e-4,",
        "step: 1e-4,\n    step: 2e-4,",
        "E0124 | case.ron:45:5: step: | given twice; first in line 44",
    ),
    (
        "required key absent",
        "    duration: 2e-3,\n",
        "",
        "E0123 | case.ron:2:1: | `duration` is missing | add `duration: …`",
    ),
    (
        "name of a body absent",
        "            name: \"plank\",\n",
        "",
        "E0123 | case.ron:18:9: bodies[1]: | `name` | is missing",
    ),
    (
        "list as a single value",
        "probes: [",
        "probes: 3, other: [",
        "E0125 | E0121 | case.ron:48:13: probes: | expected a list [ … ]",
    ),
];

/// 200 brackets.
const DEEP: &str = concat!(
    "step: ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
    "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1"
);

#[test]
fn mistakes_in_the_text() {
    check_rows(ROWS, INPUT);
}

#[test]
fn an_empty_file_and_a_file_of_comments() {
    check_refused("empty", &Scene::new(""), INPUT, "E0104 | case.ron:1:1: | a value should follow");
    check_refused("comments", &Scene::new("// nothing\n"), INPUT, "E0104 | case.ron:2:1: | a value should follow");
    check_refused(
        "unit",
        &Scene::new("()"),
        INPUT,
        "E0123 | `title` | `materials` | `bodies` | `step` | 6 problems in case.ron",
    );
}

#[test]
fn a_case_that_is_not_text() {
    let scene = Scene::new("");
    let mut bytes = BLOCK.as_bytes().to_vec();
    bytes[40] = 0xff;
    std::fs::write(scene.path("case.ron"), bytes).unwrap();
    let done = scene.delassus(&["run", "case.ron", "--out", "out"]);
    check_message("not UTF-8", &done, INPUT, "E0118 | case.ron | byte 40 is not UTF-8 | RON");
    assert!(!scene.path("out").exists());
}

#[test]
fn a_case_that_is_not_there() {
    let scene = Scene::new(BLOCK);
    for command in [&["run", "cases/none.ron"][..], &["check", "cases/none.ron"]] {
        check_message("missing", &scene.delassus(command), INPUT, "E0801 | no case file `cases/none.ron`");
    }
    check_message("a folder", &scene.delassus(&["run", "."]), FILES, "E0922 | cannot read `.`: it is a folder");
    assert_eq!(super::listing(&scene), ["case.ron"]);
}
