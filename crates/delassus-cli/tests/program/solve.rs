//! `delassus solve`: problems of other codes, and problems that a run could not solve.

use serde_json::Value;

use crate::common::{BLOCK, Scene, edited};

const SPACE: &[u8] = include_bytes!("../../../delassus-fclib/tests/data/space-columns.hdf5");
const PLANE: &[u8] = include_bytes!("../../../delassus-fclib/tests/data/plane-rows.hdf5");
const ROLLING: &[u8] = include_bytes!("../../../delassus-fclib/tests/data/rolling.hdf5");

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
        (&["rolling.hdf5"], 2, "error[E0905]: rolling.hdf5: `fclib_global_rolling/spacedim` is missing"),
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

#[test]
fn a_race_times_all_methods_and_draws_their_profile() {
    let scene = Scene::new(BLOCK);
    std::fs::write(scene.path("space.hdf5"), SPACE).unwrap();
    std::fs::write(scene.path("plane.hdf5"), PLANE).unwrap();
    let files = ["race", "--repeat", "1", "--picture", "profile.svg", "space.hdf5", "plane.hdf5"];
    let done = scene.delassus(&files);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("chain") && done.stdout.contains("mean ratio"), "{}", done.stdout);
    assert!(std::fs::read_to_string(scene.path("profile.svg")).unwrap().contains("share of 2 problems"));
    let done = scene.delassus(&["race", "--json", "--repeat", "1", "space.hdf5", "plane.hdf5"]);
    let found: Value = serde_json::from_str(&done.stdout).unwrap();
    for k in [0, 1] {
        let results = found["problems"][k]["results"].as_array().unwrap();
        // The chain is the last, and the certificate found that it solved the problem.
        assert!(results.last().unwrap()["method"] == "chain" && results.last().unwrap()["solved"] == true, "{found}");
        let lemke = results.iter().any(|r| r["method"] == "lemke");
        assert_eq!(lemke, found["problems"][k]["dimension"] == 2);
    }
    let done = scene.delassus(&["race", "absent.hdf5"]);
    assert_eq!(done.code, 5, "{}", done.stderr);
}

/// The problems that a run writes are those it solved: each is solved again, by itself.
#[test]
fn the_problems_of_a_run_can_be_raced() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--dump-problems", "problems"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let mut files: Vec<String> = std::fs::read_dir(scene.path("problems"))
        .unwrap()
        .map(|e| format!("problems/{}", e.unwrap().file_name().to_string_lossy()))
        .collect();
    files.sort();
    assert!(!files.is_empty() && files.len() <= 20 && files[0].starts_with("problems/problem-0000"), "{files:?}");
    let all: Vec<&str> =
        ["race", "--json", "--repeat", "1"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let found: Value = serde_json::from_str(&scene.delassus(&all).stdout).unwrap();
    assert_eq!(found["summary"][5]["solved"].as_u64(), Some(files.len() as u64), "{found}");
}
