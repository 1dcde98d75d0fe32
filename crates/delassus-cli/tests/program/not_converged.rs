//! A contact problem that is not solved to tolerance: stop, cut the step, or accept and flag; never in silence.
//!
//! One sweep cannot solve five contacts with friction to 1e-14.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use serde_json::Value;

use crate::common::{BLOCK, Done, Scene, edited};

const SOLVER: &str = "tolerance: 1e-10, max_iterations: 2000";

/// The base case with one sweep a step, and what to do when that is not enough.
fn scene(policy: &str) -> Scene {
    Scene::new(&edited(
        BLOCK,
        &[(SOLVER, &format!("tolerance: 1e-14, max_iterations: 1, fallback: [], on_failure: {policy}"))],
    ))
}

fn run(scene: &Scene) -> Done {
    scene.delassus(&["run", "case.ron", "--out", "out"])
}

fn json(scene: &Scene, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(scene.path("out").join(name)).unwrap()).unwrap()
}

/// Rows of `history.csv` below its header, all of them whole.
fn rows(scene: &Scene) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(scene.path("out/history.csv")).unwrap();
    assert!(text.ends_with('\n'), "the last line is not whole");
    let columns = text.lines().next().unwrap().split(',').count();
    let row = |line: &str| {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert_eq!(row.len(), columns, "{line}");
        row
    };
    text.lines().skip(1).map(row).collect()
}

/// The run stopped with code 4 before it accepted a step beyond tolerance, and left all that is needed to look into it.
fn check_stopped(scene: &Scene, done: &Done, accepted: usize, time: f64, smallest: &str) {
    assert_eq!((done.code, done.stdout.as_str()), (4, ""), "{}", done.stderr);
    let first = format!("error[E0701]: step {} at t = {time:e} s: the step (5 contacts) was not solved", accepted + 1);
    for piece in [
        first.as_str(),
        "law error ",
        "after 1 iterations of nlgs",
        "tolerance 1.0e-14",
        smallest,
        "are in out",
        "max_iterations",
    ] {
        assert!(done.stderr.contains(piece), "no `{piece}` in\n{}", done.stderr);
    }
    assert!(!scene.path("out/manifest.json").exists(), "a manifest is for finished runs");
    let parts = std::fs::read_dir(scene.path("out")).unwrap();
    assert!(parts.map(|e| e.unwrap().file_name()).all(|n| !n.to_string_lossy().ends_with(".part")));

    let rows = rows(scene);
    assert_eq!(rows.len(), accepted + 1, "the initial state and the accepted steps");
    let state = json(scene, "last-good-state.json");
    assert_eq!(state["step"], accepted);
    assert!((state["time"].as_f64().unwrap() - time).abs() < 1e-18);
    let bodies = state["bodies"].as_array().unwrap();
    assert_eq!(bodies.iter().map(|b| b["name"].as_str().unwrap()).collect::<Vec<_>>(), ["block", "plank"]);
    for (body, n) in bodies.iter().zip([30, 24]) {
        for field in ["displacement", "velocity"] {
            let numbers = body[field].as_array().unwrap();
            assert!(numbers.len() == n && numbers.iter().all(Value::is_number), "{field}");
        }
    }
    let problem = json(scene, "failed-problem.json");
    assert_eq!(problem["v_free"].as_array().unwrap().len(), 2 * 5, "two components a contact");
    assert_eq!(problem["laws"].as_array().unwrap().len(), 5, "one law a contact");
    let log = std::fs::read_to_string(scene.path("out/run.log")).unwrap();
    assert!(log.contains("was not solved to tolerance"), "{log}");
}

#[test]
fn stop() {
    let scene = scene("Stop");
    let done = run(&scene);
    check_stopped(&scene, &done, 0, 0.0, "smallest step tried 1e-4 s");
    assert!(done.stderr.starts_with("error[E0701]: "), "{}", done.stderr);
}

#[test]
fn cut_the_step() {
    let scene = scene("CutStep(halvings: 1)");
    let done = run(&scene);
    check_stopped(&scene, &done, 0, 0.0, "smallest step tried 5e-5 s");
    assert!(done.stderr.contains("trying again with h = 5e-5 s"), "{}", done.stderr);
    let quiet = scene.delassus(&["run", "case.ron", "--out", "out", "--force", "--quiet"]);
    check_stopped(&scene, &quiet, 0, 0.0, "smallest step tried 5e-5 s");
    assert!(quiet.stderr.starts_with("error[E0701]: "), "--quiet leaves the error alone: {}", quiet.stderr);
}

/// The block first flies freely: the steps before the impact are good and stay.
#[test]
fn good_steps_before_the_failure_are_kept() {
    let scene = scene("Stop");
    // 0.35 mm above the plank, falling at 1 m/s: the fourth step of 0.1 mm is the one that touches.
    let sets = ["--set", "bodies.block.translation=(0.0, 3.5e-4)", "--set", "bodies.block.velocity=(1.0, -1.0)"];
    let done = scene.delassus(&[&["run", "case.ron", "--out", "out"][..], &sets].concat());
    let time = 1e-4 + 1e-4 + 1e-4;
    check_stopped(&scene, &done, 3, time, "smallest step tried 1e-4 s");
}

#[test]
fn accept_and_flag() {
    let scene = scene("AcceptAndFlag");
    let done = run(&scene);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let line = done.stdout.lines().nth(1).unwrap();
    assert!(line.contains(": 0 of 20 steps at tolerance 1e-14; worst law error "), "{}", done.stdout);
    assert!(line.starts_with("  Doubtful") || line.starts_with("  Failed"), "{line}");
    assert!(done.stdout.contains("20 steps were accepted above the tolerance 1e-14"), "{}", done.stdout);
    assert_eq!(done.stderr.lines().filter(|l| l.contains(": accepted with law error ")).count(), 20, "{}", done.stderr);
    assert_eq!(rows(&scene).len(), 21);
    let manifest = json(&scene, "manifest.json");
    assert_eq!(manifest["verdict"]["flagged"], 20);
    assert!(manifest["verdict"]["law_error"].as_f64().unwrap() > 1e-14);
    for left in ["last-good-state.json", "failed-problem.json"] {
        assert!(!scene.path("out").join(left).exists(), "{left}");
    }
}

/// A later good run with --force takes the traces of the failure away.
#[test]
fn a_failed_run_can_be_replaced() {
    let scene = scene("Stop");
    assert_eq!(run(&scene).code, 4);
    let refused = run(&scene);
    assert!(refused.code == 5 && refused.stderr.contains("--force"), "{}", refused.stderr);
    let args = ["run", "case.ron", "--out", "out", "--force", "--set", "solver=Nlgs(tolerance: 1e-10)"];
    let done = scene.delassus(&args);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(scene.path("out/manifest.json").exists() && !scene.path("out/failed-problem.json").exists());
}

/// Halving the step is enough here: the run goes on and says how often it had to.
#[test]
fn a_cut_that_helps() {
    let scene = Scene::new(BLOCK);
    let cut =
        ["--set", "solver=Nlgs(tolerance: 1e-6, max_iterations: 1, fallback: [], on_failure: CutStep(halvings: 8))"];
    let done = scene.delassus(&[&["run", "case.ron", "--out", "out"][..], &cut].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let manifest = json(&scene, "manifest.json");
    let cuts = manifest["verdict"]["cuts"].as_u64().unwrap();
    assert!(cuts > 0 && done.stdout.contains(&format!("{cuts} steps were tried again with half the length")), "{cuts}");
    assert_eq!(manifest["verdict"]["flagged"], 0);
    // A cut makes one step two, and the run still ends at its time.
    let rows = rows(&scene);
    assert_eq!(rows.len() as u64, 21 + cuts);
    assert!((rows[rows.len() - 1][1] - 2e-3).abs() < 1e-15);
}

/// A spin beyond all numbers, of a body whose supports do not stop it in time.
#[test]
fn a_state_that_is_no_longer_finite_stops_the_run() {
    let scene = Scene::new(BLOCK);
    let (spin, held) = ("bodies.block.spin=1e308", "boundary=[(body: \"block\", group: \"left\", x: 0.0, y: 0.0)]");
    let set = ["--set", "contacts=[]", "--set", spin, "--set", held];
    let done = scene.delassus(&[&["run", "case.ron", "--out", "out"][..], &set].concat());
    assert_eq!(done.code, 4, "{}", done.stderr);
    assert!(done.stderr.contains("error[E0703]: step ") && done.stderr.contains("no longer finite"), "{}", done.stderr);
}

/// Squares overflow before velocities do: energies that are no numbers are no result, and such a run does not come to its end.
#[test]
fn energies_that_are_no_longer_finite_stop_the_run() {
    let scene = Scene::new(BLOCK);
    let set = ["--set", "contacts=[]", "--set", "loads=[]", "--set", "bodies.block.velocity=(1e160, 0)"];
    let done = scene.delassus(&[&["run", "case.ron", "--out", "out"][..], &set].concat());
    assert_eq!(done.code, 4, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("error[E0703]: step 1 ") && done.stderr.contains("no longer finite"),
        "{}",
        done.stderr
    );
}

/// A block is drawn in until its cells turn over, and a metal whose rate law has no root in the numbers that there are: shorter steps are tried, and the run ends with a reason.
#[test]
fn what_cannot_follow_its_motion_stops_the_run() {
    const CRUSHED: &str = r#"(
        title: "Crushed",
        dimension: 2,
        kinematics: FiniteStrain(),
        materials: [(name: "m", density: 1000.0, law: NeoHookean(young: 1e6, poisson: 0.3))],
        bodies: [(name: "block", mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 1.0), cells: (2, 2)), material: "m")],
        boundary: [
            (body: "block", group: "bottom", x: 0.0, y: 0.0),
            (body: "block", group: "top", x: 0.0, y: -2.0),
        ],
        integrator: QuasiStatic,
        step: 0.125,
        duration: 1.0,
        output: (every: 100),
    )"#;
    let metal =
        "materials.m.law=VonMises(young: 1e6, poisson: 0.3, yield_stress: 1e3, rate: (reference: 1.0, exponent: 1e4))";
    for settings in [&[][..], &["--set", metal][..]] {
        let scene = Scene::new(CRUSHED);
        let done = scene.delassus(&[&["run", "case.ron", "--out", "out"][..], settings].concat());
        assert_eq!(done.code, 4, "{}{}", done.stdout, done.stderr);
        assert!(done.stderr.contains("error[E0374]: step ") && done.stderr.contains("`block`"), "{}", done.stderr);
        assert!(
            done.stderr.contains("forces of `block` are no numbers") && done.stderr.contains("trying again with h = ")
        );
        let rows = rows(&scene);
        assert!(rows.iter().flatten().all(|x| x.is_finite()), "what is recorded are numbers");
    }
}

/// A body faster than numbers reach: the run stops with the reason, the last good state and a log that tells the same.
#[test]
fn numbers_that_overflow_stop_the_run() {
    for (speed, reason) in
        [("1e308", "error[E0546]: step 1 at t = 0e0 s"), ("1e200", "error[E0546]: step 1 at t = 0e0 s")]
    {
        let scene = Scene::new(BLOCK);
        let set = format!("bodies.block.velocity=({speed}, 0.0)");
        let done = scene.delassus(&["run", "case.ron", "--out", "out", "--set", &set]);
        assert_eq!(done.code, 4, "{speed}: {}", done.stderr);
        assert!(
            done.stderr.contains(reason) && done.stderr.contains("the last good state is in out"),
            "{}",
            done.stderr
        );
        assert_eq!(json(&scene, "last-good-state.json")["step"], 0);
        let log = std::fs::read_to_string(scene.path("out/run.log")).unwrap();
        let told = done.stderr.lines().next().unwrap().trim_start_matches("error[E0546]: ");
        assert!(log.contains(told), "{log}\n{told}");
    }
}
