//! `delassus solve`: problems of other codes, and problems that a run could not solve.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

mod common;

use serde_json::Value;

use common::{BLOCK, Scene, edited};

const SPACE: &[u8] = include_bytes!("../../delassus-fclib/tests/data/space-columns.hdf5");
const PLANE: &[u8] = include_bytes!("../../delassus-fclib/tests/data/plane-rows.hdf5");
const ROLLING: &[u8] = include_bytes!("../../delassus-fclib/tests/data/rolling.hdf5");

#[test]
fn files_of_other_codes_are_solved_and_judged() {
    let scene = Scene::new(BLOCK);
    std::fs::write(scene.path("space.hdf5"), SPACE).unwrap();
    std::fs::write(scene.path("plane.hdf5"), PLANE).unwrap();
    let done = scene.delassus(&["solve", "space.hdf5", "plane.hdf5"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(done.stdout.lines().count(), 3, "{}", done.stdout);
    assert!(done.stdout.contains("natural map") && done.stdout.contains("nlgs"), "{}", done.stdout);
    let done = scene.delassus(&["solve", "--json", "--tolerance", "1e-12", "space.hdf5", "plane.hdf5"]);
    let found: Value = serde_json::from_str(&done.stdout).unwrap();
    for (k, (dimension, contacts)) in [(3, 4), (2, 5)].into_iter().enumerate() {
        assert_eq!((found[k]["dimension"].as_u64(), found[k]["contacts"].as_u64()), (Some(dimension), Some(contacts)));
        assert_eq!(found[k]["impulses"].as_array().map(Vec::len), Some((dimension * contacts) as usize));
        // Another measure of the same error, equal to it up to a factor of the order of one.
        assert!(found[k]["natural_map"].as_f64().unwrap() < 1e-11 && found[k]["converged"] == true, "{found}");
    }
    let done = scene.delassus(&["solve", "--max-iterations", "1", "--methods", "nlgs", "space.hdf5"]);
    assert!(done.code == 4 && done.stdout.contains("NOT SOLVED"), "{}", done.stdout);
}

/// A step that fails leaves its problem in two forms; each is solved when it gets the sweeps it needs.
#[test]
fn a_problem_that_a_run_left_can_be_solved() {
    let solver = (
        "tolerance: 1e-10, max_iterations: 2000",
        "tolerance: 1e-14, max_iterations: 1, fallback: [], on_failure: Stop",
    );
    let scene = Scene::new(&edited(BLOCK, &[solver]));
    let failed = scene.delassus(&["run", "case.ron", "--out", "out"]);
    assert!(
        failed.code == 4 && failed.stderr.contains("`delassus solve` reads failed-problem.json"),
        "{}",
        failed.stderr
    );
    let done = scene.delassus(&["solve", "--json", "out/failed-problem.json", "out/failed-problem.hdf5"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let found: Value = serde_json::from_str(&done.stdout).unwrap();
    let contacts = |k: usize| found[k]["contacts"].as_u64();
    assert!(contacts(0) == Some(5) && contacts(1) == Some(5), "{found}");
    for k in [0, 1] {
        assert!(found[k]["natural_map"].as_f64().unwrap() < 1e-7, "{found}");
    }
}

#[test]
fn files_that_hold_no_problem_are_refused() {
    let scene = Scene::new(BLOCK);
    std::fs::write(scene.path("rolling.hdf5"), ROLLING).unwrap();
    std::fs::write(scene.path("cut.hdf5"), &SPACE[..3000]).unwrap();
    std::fs::write(scene.path("four.json"), "{\"dimension\": 4}").unwrap();
    std::fs::write(scene.path("half.json"), "{\"dimension\": 2, \"n_contacts\": 1").unwrap();
    for (args, code, says) in [
        (&["nothing.hdf5"][..], 5, "error[E0802]: cannot read `nothing.hdf5`"),
        (&["case.ron"], 2, "error[E0901]: case.ron: not an HDF5 file"),
        (&["rolling.hdf5"], 2, "error[E0906]: rolling.hdf5: the file holds `fclib_global_rolling`"),
        (&["cut.hdf5"], 2, "error[E0902]: cut.hdf5: byte"),
        (&["four.json"], 2, "error[E0910]: four.json: not a contact problem: dimension = 4: it should be 2 or 3"),
        (&["half.json"], 2, "error[E0910]: half.json: not a contact problem: it ends too early"),
        (&["--tolerance", "0", "case.ron"], 2, "`0` is not a number greater than 0"),
        (&["--methods", "magic", "case.ron"], 2, "'magic'"),
        (&[], 2, "<FILE>"),
    ] {
        let done = scene.delassus(&[&["solve"][..], args].concat());
        assert!(done.code == code && done.stderr.contains(says), "{args:?}: {}", done.stderr);
    }
}
