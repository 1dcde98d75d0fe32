//! `delassus report` and `run --report`: the page is written, named, and the same either way.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use crate::common::{BLOCK, Scene, edited};

fn page(scene: &Scene) -> String {
    std::fs::read_to_string(scene.path("out/report.html")).unwrap()
}

#[test]
fn a_report_at_the_end_of_a_run_and_later_are_the_same() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--report"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(done.stdout.ends_with("\n  report     out/report.html\n"), "{}", done.stdout);
    let first = page(&scene);
    std::fs::remove_file(scene.path("out/report.html")).unwrap();
    let done = scene.delassus(&["report", "out"]);
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (0, "out/report.html\n", ""));
    assert!(first == page(&scene), "the two pages differ");
    assert!(first.contains("<strong>Pass.</strong> 20 of 20 steps at tolerance 1e-10;"));
    assert!(first.contains("id=\"fig-force-2\"") && first.contains("id=\"fig-probe-2-displacement\""));
}

/// The sample case in space, a twentieth of it.
#[test]
fn a_case_in_space_has_its_pictures() {
    let scene = Scene::new(include_str!("../../../../cases/block-slide-3d.ron"));
    let short = ["--set", "duration=0.01", "--set", "output.every=20"];
    let done = scene.delassus(&[&["run", "case.ron", "--out", "out", "--report", "--quiet"], &short[..]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let page = page(&scene);
    for k in 1..=6 {
        assert!(page.contains(&format!("<svg id=\"fig-mesh-{k}\"")), "picture {k}");
    }
    assert!(page.contains("Displacements are ") && page.contains("Parallel projection"));
}

#[test]
fn a_run_offers_its_report_and_a_new_run_removes_the_old_one() {
    let scene = Scene::new(BLOCK);
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--quiet", "--report"]);
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (0, "", ""));
    assert!(page(&scene).ends_with("</html>\n"));
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--force"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("\n  report     delassus report out "), "{}", done.stdout);
    assert!(!scene.path("out/report.html").exists(), "a report of another run");
}

#[test]
fn a_run_that_fails_is_reported_as_failed() {
    let policy = "tolerance: 1e-14, max_iterations: 1, fallback: [], on_failure: Stop";
    let scene = Scene::new(&edited(BLOCK, &[("tolerance: 1e-10, max_iterations: 2000", policy)]));
    let done = scene.delassus(&["run", "case.ron", "--out", "out", "--report"]);
    assert_eq!((done.code, done.stdout.as_str()), (4, ""), "{}", done.stderr);
    let page = page(&scene);
    assert!(page.contains("<strong>Failed.</strong> No step was accepted."));
    assert!(page.contains("was not solved to tolerance"));
}

#[test]
fn the_wrong_folder_and_damaged_files_are_refused() {
    let scene = Scene::new(BLOCK);
    for (folder, piece) in
        [("nowhere", "error[E0811]: there is no folder `nowhere`"), (".", "error[E0812]: `.` is not a results folder")]
    {
        let done = scene.delassus(&["report", folder]);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{}", done.stderr);
        assert!(done.stderr.starts_with(piece), "{}", done.stderr);
    }
    let done = scene.delassus(&["run", "case.ron", "--out", "out"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    std::fs::write(scene.path("out/manifest.json"), "{").unwrap();
    let done = scene.delassus(&["report", "out"]);
    assert_eq!((done.code, done.stdout.as_str()), (5, ""), "{}", done.stderr);
    assert!(done.stderr.starts_with("error[E0814]: `out/manifest.json` is damaged"), "{}", done.stderr);
    // A line in the middle of a table, then the whole table.
    let again = ["run", "case.ron", "--out", "out", "--force", "--quiet"];
    assert_eq!(scene.delassus(&again).code, 0);
    let text = std::fs::read_to_string(scene.path("out/history.csv")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[5] = "1,2,three";
    std::fs::write(scene.path("out/history.csv"), lines.join("\n") + "\n").unwrap();
    let done = scene.delassus(&["report", "out"]);
    assert_eq!(done.code, 5, "{}", done.stderr);
    assert!(done.stderr.starts_with("error[E0815]: `out/history.csv` is damaged, line 6"), "{}", done.stderr);
    std::fs::remove_file(scene.path("out/history.csv")).unwrap();
    let done = scene.delassus(&["report", "out"]);
    assert!(done.code == 5 && done.stderr.starts_with("error[E0813]: cannot read"), "{}", done.stderr);
    assert!(!scene.path("out/report.html").exists());
}
