//! Several mistakes at once are all reported, in the order of their places, with their number.

use super::{BLOCK, INPUT, Scene, check_refused, edited};

/// A third body, put after the plank.
const END: &str = "material: \"steel\",\n        ),\n    ],";

/// Lines of the problems, in the order shown; all of them are found in one go.
fn check_places(name: &str, edits: &[(&str, &str)], expected: &[usize], says: &str) {
    let scene = Scene::new(&edited(BLOCK, edits));
    check_refused(name, &scene, INPUT, says);
    let done = scene.delassus(&["run", "case.ron", "--out", "out"]);
    let line = |l: &str| l.strip_prefix("error[")?.split_once("]: case.ron:")?.1.split(':').next()?.parse().ok();
    let lines: Vec<usize> = done.stderr.lines().filter_map(line).collect();
    assert_eq!(lines, expected, "{name}: {}", done.stderr);
}

#[test]
fn three_bodies_and_two_more_in_the_text() {
    let third = "material: steel,\n        ),\n        (name: \"third\", material: \"steel\"),\n    ],";
    let edits =
        [("velocity: (1.0", "velocty: (1.0"), (END, third), ("step: 1e-4", "step: small"), ("output: (", "outputs: (")];
    let says =
        "E0121 | E0125 | E0123 | velocty | \"steel\" | `mesh` | is missing | small | outputs | 5 problems in case.ron";
    check_places("text", &edits, &[16, 21, 23, 45, 48], says);
}

#[test]
fn three_bodies_and_two_more_in_the_values() {
    let third = "material: \"steel\",\n        ),\n        (name: \"third\", mesh: File(\"none.msh\"), material: \"stel\"),\n    ],";
    let edits = [
        ("thickness: 0.5", "thickness: -0.5"),
        ("cells: (5, 1)", "cells: (5, 0)"),
        (END, third),
        ("theta: 0.6", "theta: 0.3"),
        ("every: 5", "every: 0"),
    ];
    let says = "E0601 | E0443 | E0401 | E0335 | E0361 | E0318 | thickness = -0.5 | cells[1] = 0 | none.msh | `stel` | theta = 0.3 | 0 steps | 6 problems in case.ron";
    check_places("values", &edits, &[14, 20, 23, 23, 44, 48], says);
}

/// One mistake that several entries suffer from is told where each of them stands.
#[test]
fn a_case_without_bodies() {
    let start = BLOCK.find("    bodies: [").unwrap();
    let end = BLOCK.find("    obstacles: [").unwrap();
    let scene = Scene::new(&format!("{}    bodies: [],\n{}", &BLOCK[..start], &BLOCK[end..]));
    let says = "E0302 | E0335 | a case needs at least one body | no body is named `block`: the case has none | contacts[0] | probes[1]";
    check_refused("no bodies", &scene, INPUT, says);
}
