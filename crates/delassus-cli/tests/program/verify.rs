//! `delassus verify`: page, figures and exit code, from any folder and without the repository's files.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use serde_json::Value;

use crate::common::Scene;

fn json(scene: &Scene, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(scene.path(name)).unwrap()).unwrap()
}

#[test]
fn a_page_the_figures_and_zero() {
    let scene = Scene::new("");
    let done =
        scene.delassus(&["verify", "oblique-impact", "oscillator-step-theta-half", "--out", "a/b", "--threads", "1"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("2 of 2 passed") && done.stdout.contains("verification.html"), "{done:?}");
    // Progress goes to stderr: which entry of how many, and the time left.
    assert!(done.stderr.contains("[2/2, about ") && done.stderr.contains("oblique-impact … passed"), "{done:?}");
    let page = std::fs::read_to_string(scene.path("a/b/verification.html")).unwrap();
    for piece in ["2 of 2 entries passed", "velocity of the rebound", "Kim, B. M. Kwak", "Observed order", "<svg "] {
        assert!(page.contains(piece), "no {piece}");
    }
    let figures = json(&scene, "a/b/verification.json");
    assert_eq!((figures["passed"].as_u64(), figures["total"].as_u64()), (Some(2), Some(2)));
    assert_eq!(figures["threads"], 1);
    let run = figures["entries"].as_array().unwrap().iter().find(|e| e["name"] == "oblique-impact").unwrap();
    assert_eq!(run["run"]["checks"].as_array().unwrap().len(), 5);
    // The runs themselves are gone, and nothing else was left.
    let mut left: Vec<_> = std::fs::read_dir(scene.path("a/b")).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["verification.html", "verification.json"]);
}

#[test]
fn a_wrong_reference_ends_with_one_and_says_which() {
    let scene = Scene::new("");
    let wrong = ["--set", "verify.checks[1].expected=5.0"];
    let args =
        [&["verify", "oblique-impact", "--quiet", "--out", "mine.html", "--results", "runs"][..], &wrong].concat();
    let done = scene.delassus(&args);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stdout.contains("FAIL  oblique-impact: The check “velocity of the rebound” failed"), "{done:?}");
    assert!(done.stdout.contains("0 of 1 passed") && done.stderr.is_empty(), "{done:?}");
    assert!(std::fs::read_to_string(scene.path("mine.html")).unwrap().contains("✗ failed"));
    assert_eq!(json(&scene, "mine.json")["entries"][0]["passed"], false);
    // Asked to be kept.
    assert!(scene.path("runs/runs/oblique-impact/manifest.json").is_file());
}

#[test]
fn unknown_names_are_refused_before_anything_runs() {
    let scene = Scene::new("");
    let done = scene.delassus(&["verify", "bars-impct"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(
        done.stderr.starts_with("error[E1001]: ") && done.stderr.contains("did you mean `bars-impact`?"),
        "{done:?}"
    );
    assert!(!scene.path("verification.html").exists());
}

#[test]
fn the_list_names_entries_and_costs() {
    let done = Scene::new("").delassus(&["verify", "--list", "--quick"]);
    assert!(done.code == 0 && done.stdout.contains("sliding-block-step  "), "{done:?}");
    assert!(!done.stdout.contains("dome") && done.stdout.contains("entries, about"), "{done:?}");
}
