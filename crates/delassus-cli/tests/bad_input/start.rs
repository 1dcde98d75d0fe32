//! Cases that cannot start: bodies that overlap, and equilibria that do not exist.

use super::{BLOCK, INPUT, MESH, NOT_CONVERGED, Scene, check_message, edited, listing};

fn refused(name: &str, edits: &[(&str, &str)], code: i32, says: &str) {
    let scene = Scene::new(&edited(BLOCK, edits));
    // `check` gives the same words as `run`, and neither writes anything.
    for args in [&["run", "case.ron", "--out", "out"][..], &["check", "case.ron"]] {
        check_message(name, &scene.delassus(args), code, says);
        assert_eq!(listing(&scene), ["case.ron"], "{name}: something was written");
    }
}

/// The block 2 mm inside the plank.
const SUNK: (&str, &str) = ("corner: (0.1, 0.1)", "corner: (0.1, 0.098)");

#[test]
fn overlapping_bodies() {
    refused(
        "sunk",
        &[SUNK],
        MESH,
        "E0551 | case.ron:28: | contacts[0] | contact `slide` starts with 5 candidates behind their antagonist \
         | the deepest by 2.000e-3 m at (0.1, 0.098) | initial_penetration: 2.1e-3",
    );
    refused(
        "behind the wall",
        &[("point: (0.4, 0.0)", "point: (0.25, 0.0)")],
        MESH,
        "E0551 | contact `stop` starts with 3 candidates | the deepest by 5.000e-2 m",
    );
    // Both pairs at once.
    refused(
        "both",
        &[SUNK, ("point: (0.4, 0.0)", "point: (0.25, 0.0)")],
        MESH,
        "E0551 | contact `slide` | contact `stop`",
    );
}

#[test]
fn an_overlap_can_be_allowed() {
    let allowed = |depth: &str| {
        let law = "law: SignoriniCoulomb(friction: 0.3),";
        let text = edited(BLOCK, &[SUNK, (law, &format!("{law} initial_penetration: {depth},"))]);
        Scene::new(&text).delassus(&["check", "case.ron"])
    };
    let good = allowed("2.1e-3");
    assert_eq!(good.code, 0, "{good:?}");
    assert!(
        good.stdout
            .contains("contact `slide`: 5 candidates overlap at the start, deepest initial penetration 2.000e-3 m"),
        "{}",
        good.stdout
    );
    check_message("not enough", &allowed("1.9e-3"), MESH, "E0551 | deepest by 2.000e-3 m");
    check_message(
        "negative",
        &allowed("-1.0"),
        INPUT,
        "E0307 | initial_penetration = -1 must be finite and not negative",
    );
    check_message("NaN", &allowed("NaN"), INPUT, "E0307 | initial_penetration = NaN");
}

#[test]
fn no_equilibrium() {
    let start = |value: &str| ("integrator: Theta".to_owned(), format!("start: {value},\n    integrator: Theta"));
    let (from, to) = start("Equilibrium");
    // A smooth plank that is tilted: the block would slide for ever.
    refused(
        "slides",
        &[
            (&from, &to),
            ("friction: 0.3", "friction: 0.0"),
            ("acceleration: (0.0, -9.81)", "acceleration: (-1.0, -9.81)"),
        ],
        NOT_CONVERGED,
        "E0702 | start: Equilibrium: no state of rest was found | is still not balanced | start: Undeformed",
    );
    // Nothing below it that could hold it.
    refused(
        "falls",
        &[(&from, &to), ("corner: (0.1, 0.1)", "corner: (-5.0, 5.0)")],
        NOT_CONVERGED,
        "E0702 | no state of rest was found",
    );
    let (from, to) = start("Equilibrum");
    refused("a slip of the pen", &[(&from, &to)], INPUT, "E0122 | `Equilibrum` | `Undeformed` | `Equilibrium`");
}
