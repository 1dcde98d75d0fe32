//! `delassus study`, and references of one's own in a run: files, pictures, checks and exit codes.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use serde_json::Value;

use crate::common::{BLOCK, Scene, edited};

fn json(scene: &Scene, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(scene.path(name)).unwrap()).unwrap()
}

/// A bar whose right end is pulled: a wave runs to the left with c = √(E/ρ) = 4 m/s, and behind it the stress is the traction, the
/// velocity σ/(ρ c) = 0.025 m/s.
const BAR: &str = r#"(
    title: "A bar is pulled",
    kinematics: SmallStrain,
    materials: [(name: "rubber", density: 1000.0, law: KelvinVoigt(young: 16000.0, poisson: 0.0))],
    bodies: [(
        name: "bar",
        mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 0.1), cells: (4, 1)),
        material: "rubber",
        section: PlaneStress(thickness: 0.1),
        mass: Consistent,
    )],
    boundary: [(body: "bar", group: "left", x: 0.0), (body: "bar", group: "bottom", y: 0.0)],
    loads: [Traction(body: "bar", group: "right", traction: (100.0, 0.0))],
    integrator: Theta(theta: 0.5),
    step: 0.025,
    duration: 0.2,
    probes: [(name: "end", at: Group(body: "bar", group: "right"))],
    verify: (
        references: [(column: "end.vx", curve: Expression("0.025"), to: 0.2, norm: L1, tolerance: 0.2)],
        lines: [(
            name: "stress behind the wave", of: Body(body: "bar", field: Sxx), from: (0.45, 0.05), to: (1, 0.05), time: 0.15,
            curve: Expression("100"), norm: L1, tolerance: 0.35,
        )],
    ),
)"#;

#[test]
fn references_go_into_history_pictures_manifest_and_report() {
    let scene = Scene::new(BAR);
    let done = scene.delassus(&[
        "run",
        "case.ron",
        "--out",
        "out",
        "--report",
        "--set",
        "bodies.bar.mesh.refine=8",
        "--set",
        "step=2.5e-3",
    ]);
    assert_eq!(done.code, 0, "{done:?}");
    for piece in [
        "end.vx  ",
        "stress behind the wave(s)",
        "pass  end.vx against its reference, mean error (L1)",
        "reference-1.svg",
        "line-1.svg",
    ] {
        assert!(done.stdout.contains(piece), "no {piece} in {}", done.stdout);
    }
    let history = std::fs::read_to_string(scene.path("out/history.csv")).unwrap();
    assert!(history.lines().next().unwrap().ends_with(",end.vx.exact"), "{history}");
    assert!(history.lines().all(|l| l.ends_with("0.025") || l.ends_with("exact")));
    let line = std::fs::read_to_string(scene.path("out/line-1.csv")).unwrap();
    assert_eq!(line.lines().next(), Some("time,s,x,y,z,weight,computed,exact"));
    // Cells of 1/32 m from 0.45 to 1: the first holds 0.45, and is compared at its middle, below the line that parts two rows of cells.
    assert_eq!(line.lines().count(), 1 + 18, "{line}");
    assert!(line.lines().nth(1).unwrap().contains(",0.453125,0.0437"), "{line}");
    let manifest = json(&scene, "out/manifest.json");
    assert_eq!(manifest["verification"]["checks"].as_array().unwrap().len(), 2);
    let page = std::fs::read_to_string(scene.path("out/report.html")).unwrap();
    for piece in ["Against references", "id=\"fig-reference-1\"", "id=\"fig-line-1\"", "reference, 0.025"] {
        assert!(page.contains(piece), "no {piece}");
    }
    // A wrong curve fails, and so does one that is not a number.
    for wrong in ["0.05", "sqrt(-1-t)"] {
        let set = format!("verify.references[0].curve=Expression(\"{wrong}\")");
        let done = scene.delassus(&["run", "case.ron", "--out", "out", "--force", "--set", &set]);
        assert!(done.stdout.contains("FAIL  end.vx against its reference"), "{done:?}");
    }
}

#[test]
fn a_study_prints_its_orders_and_writes_a_page() {
    let scene = Scene::new(BAR);
    let args = ["study", "case.ron", "--refine", "step,mesh", "--levels", "3", "--out", "s", "--threads", "1"];
    let done = scene.delassus(&args);
    assert_eq!(done.code, 0, "{done:?}");
    for piece in ["3 levels of step and mesh", "end.vx: mean error (L1) against its reference", "order ", "study.html"]
    {
        assert!(done.stdout.contains(piece), "no {piece} in {}", done.stdout);
    }
    // What it will cost is told before: half the step, four times the cells.
    assert!(done.stderr.contains("level 3: 32 steps, about ") && done.stderr.contains("64 times the work"), "{done:?}");
    let study = json(&scene, "s/study.json");
    assert_eq!(study["levels"][2]["settings"][1], "bodies[0].mesh.refine=4");
    assert_eq!(study["levels"][2]["steps"], 32);
    assert!(scene.path("s/study.html").is_file() && scene.path("s/level-3/manifest.json").is_file());
    // Again: everything is there. With another value: refused, until forced.
    let again = scene.delassus(&args);
    assert!(again.code == 0 && again.stderr.matches("kept from an earlier run").count() == 3, "{again:?}");
    let other = [&args[..], &["--set", "duration=0.175"]].concat();
    let refused = scene.delassus(&other);
    assert!(refused.code == 5 && refused.stderr.contains("\nerror[E0913]: "), "{refused:?}");
    assert_eq!(scene.delassus(&[&other[..], &["--force", "--quiet"]].concat()).code, 0);
}

#[test]
fn a_level_that_is_not_solved_ends_the_study_with_four() {
    let solver = "tolerance: 1e-10, max_iterations: 2000";
    let hard = "tolerance: 1e-14, max_iterations: 1, fallback: [], on_failure: Stop";
    let scene = Scene::new(&edited(BLOCK, &[(solver, hard)]));
    let done = scene.delassus(&["study", "case.ron", "--refine", "step", "--out", "s", "--quiet"]);
    assert_eq!(done.code, 4, "{done:?}");
    assert!(done.stdout.contains("level 1 was not solved: error[E0701]"), "{done:?}");
    assert!(std::fs::read_to_string(scene.path("s/study.html")).unwrap().contains("Stopped."));
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let scene = Scene::new(BAR);
    let bad = scene.delassus(&["study", "case.ron", "--refine", "time"]);
    assert!(bad.code == 2 && bad.stderr.contains("`time` cannot be refined"), "{bad:?}");
    let bad = scene.delassus(&["study", "case.ron", "--refine", "step", "--quantity", "end.vy2"]);
    assert!(bad.code == 2 && bad.stderr.starts_with("error[E0912]") && bad.stderr.contains("did you mean"), "{bad:?}");
    let mesh = ["--set", "bodies.bar.mesh=File(\"bar.msh\")"];
    let bad = scene.delassus(&[&["study", "case.ron", "--refine", "mesh"][..], &mesh].concat());
    assert!(bad.code == 2 && bad.stderr.starts_with("error[E0911]: body `bar`"), "{bad:?}");
    assert!(!scene.path("results").exists());
}
