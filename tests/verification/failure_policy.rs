//! What happens when a contact problem is not solved to tolerance: cut, stop, or go on and say so.
//!
//! Reference: the contract of the program: no step beyond tolerance is accepted silently; exit code 4, last good state and
//! problem saved, history readable.
//!
//! Goal: each policy does what it says, on a case in which the solver is given too few sweeps.
//!
//! ```text
//!      +---+---+---+---+ | 3 m/s
//!      |               | v          block on a rigid floor with friction
//!    ///////////////////////
//! ```
//!
//! Parameters: E = 1e7 Pa, ν = 0.45, μ = 0.5, h = 2e-3 s (a wave crosses a cell in 6e-4 s, so that contacts are strongly coupled
//! and need some fifty sweeps; with h → 0 the lumped mass uncouples them).
//!
//! Tolerances: a cut run ends at the same time as an uncut one, and its impulse is no farther from that of small steps (eight
//! times smaller, first-order scheme) than that of an uncut one, and within 10 %.

use delassus_case::Loaded;
use delassus_error::Failure;
use delassus_run::{RunError, Summary};
use serde_json::Value;
use tempfile::TempDir;
use verification::{distance, largest, load_text, show, try_run};

const CASE: &str = r#"(
    title: "Block on a floor",
    kinematics: SmallStrain,
    materials: [(name: "soft", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.45))],
    bodies: [(
        name: "block",
        mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 0.5), cells: (16, 8)),
        material: "soft",
        velocity: (1.0, -3.0),
    )],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
    contacts: [(
        name: "floor",
        candidates: (body: "block", group: "bottom"),
        antagonists: Obstacle("floor"),
        law: SignoriniCoulomb(friction: 0.5),
    )],
    integrator: ThetaEuler(theta: 0.55),
    step: 2e-3,
    duration: 2e-2,
    solver: Nlgs(tolerance: 1e-8, max_iterations: 5000, fallback: [], on_failure: Stop),
    probes: [(name: "block", at: Body("block"))],
)"#;

fn attempt(settings: &[&str]) -> (Result<Summary, RunError>, TempDir, Loaded) {
    let loaded = load_text(CASE, settings);
    let (result, folder) = try_run(&loaded, Some(1));
    (result, folder, loaded)
}

fn history(folder: &TempDir) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(folder.path().join("history.csv")).unwrap();
    let mut lines = text.lines();
    let columns = lines.next().unwrap().split(',').count();
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert!(rows.iter().all(|r| r.len() == columns), "every line is whole");
    rows
}

fn json(folder: &TempDir, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(folder.path().join(name)).unwrap()).unwrap()
}

/// The run ended with exit code 4 and left what is needed to look into it.
fn assert_given_up(error: &RunError, folder: &TempDir, sweeps: usize) -> usize {
    assert_eq!(error.exit_code(), 4, "{error}");
    let RunError::NotConverged { step, law_error, iterations, tolerance, contacts, .. } = error else {
        panic!("{error}")
    };
    assert!(*law_error > *tolerance && *iterations == sweeps && *contacts > 1, "{error}");
    let rows = history(folder);
    assert_eq!(rows.len(), *step, "the initial state and every accepted step");
    let state = json(folder, "last-good-state.json");
    assert_eq!(state["step"].as_u64().unwrap() as usize + 1, *step);
    assert!((state["time"].as_f64().unwrap() - rows.last().unwrap()[1]).abs() < 1e-15);
    assert_eq!(state["bodies"][0]["velocity"].as_array().unwrap().len(), 2 * 17 * 9);
    // The problem can be read back and is the one that failed.
    let problem = std::fs::read(folder.path().join("failed-problem.json")).unwrap();
    let problem: delassus_solver::ContactProblem<2> = serde_json::from_slice(&problem).unwrap();
    assert_eq!(problem.n(), *contacts);
    assert!(folder.path().join("run.log").exists() && !folder.path().join("manifest.json").exists());
    *step
}

#[test]
fn enough_sweeps_need_no_policy() {
    let (result, ..) = attempt(&[]);
    let summary = result.unwrap();
    show(&format!("policy: at most {} sweeps wanted", summary.verdict.max_iterations));
    // The other tests allow fewer.
    assert!(summary.verdict.max_iterations > 20 && summary.verdict.flagged + summary.verdict.cuts == 0);
}

#[test]
fn stop_stops_at_once() {
    let (result, folder, _) = attempt(&["solver.max_iterations=3"]);
    let error = result.unwrap_err();
    let step = assert_given_up(&error, &folder, 3);
    show(&format!("policy Stop: step {step}: {error}"));
    assert_eq!(step, 1, "the first step already needs more than three sweeps");
}

#[test]
fn accept_and_flag_goes_on_and_counts() {
    let (result, folder, loaded) = attempt(&["solver.max_iterations=3", "solver.on_failure=AcceptAndFlag"]);
    let summary = result.unwrap();
    let verdict = &summary.verdict;
    show(&format!(
        "policy AcceptAndFlag: {} of {} steps flagged, law error {:.1e}",
        verdict.flagged, summary.steps, verdict.law_error
    ));
    assert!(verdict.flagged > 0 && verdict.law_error > summary.tolerance && verdict.cuts == 0);
    // Exactly the steps whose written law error is beyond tolerance.
    let rows = history(&folder);
    let column = summary.history.names().iter().position(|n| n == "law_error").unwrap();
    let beyond = rows.iter().filter(|r| r[column] > 1e-8 + 1e-12).count();
    assert_eq!(beyond, verdict.flagged);
    assert_eq!(summary.steps, 10);
    assert_eq!(json(&folder, "manifest.json")["verdict"]["flagged"].as_u64().unwrap() as usize, verdict.flagged);
    assert!(summary.to_string().contains(&format!("{} of 10 steps at tolerance", 10 - verdict.flagged)), "{summary}");
    drop(loaded);
}

#[test]
fn cut_steps_end_right() {
    let (result, folder, _) = attempt(&["solver.max_iterations=20", "solver.on_failure=CutStep(halvings: 6)"]);
    let summary = result.unwrap();
    let verdict = &summary.verdict;
    let (fine, ..) = attempt(&["step=2.5e-4"]);
    let (uncut, ..) = attempt(&[]);
    let (fine, uncut) = (fine.unwrap(), uncut.unwrap());
    let column = |s: &Summary, name: &str| s.history.column(name).unwrap();
    let (h, time) = (column(&summary, "step_size"), column(&summary, "time"));
    let impulse = |s: &Summary| -> f64 {
        column(s, "floor.force_y").iter().zip(column(s, "step_size")).map(|(f, h)| f * h).sum()
    };
    show(&format!(
        "policy CutStep: {} cuts, {} steps of {:.2e} to {:.2e} s, impulse {:.4} (uncut {:.4}) of that with small steps, ledger {:.1e}",
        verdict.cuts,
        summary.steps,
        h[1..].iter().copied().fold(f64::INFINITY, f64::min),
        largest(&h),
        impulse(&summary) / impulse(&fine),
        impulse(&uncut) / impulse(&fine),
        verdict.energy_residual
    ));
    assert!(verdict.cuts > 0 && verdict.flagged == 0 && summary.steps > 10);
    // Every accepted step is within tolerance, times add up, and the end is where it should be.
    assert!(largest(&column(&summary, "law_error")) <= 1e-8 + 1e-12);
    assert!(time.windows(2).zip(&h[1..]).all(|(t, h)| (t[1] - t[0] - h).abs() < 1e-15));
    assert!((summary.time - 2e-2).abs() < 1e-15 && verdict.energy_residual <= 1e-9);
    let error = |s: &Summary| (impulse(s) / impulse(&fine) - 1.0).abs();
    assert!(error(&summary) <= error(&uncut) && error(&summary) < 0.1, "{} {}", error(&summary), error(&uncut));
    // A rejected step leaves no trace: momentum is what the accepted impulses make it.
    let momentum = column(&summary, "momentum_y");
    let change = momentum[momentum.len() - 1] - momentum[0];
    assert!((change - impulse(&summary)).abs() < 1e-11 * largest(&momentum));
    assert_eq!(history(&folder).len(), summary.steps + 1);
    assert!(
        distance(&[json(&folder, "manifest.json")["verdict"]["cuts"].as_f64().unwrap()], &[verdict.cuts as f64]) < 0.5
    );
}

#[test]
fn cuts_end_in_a_stop_when_they_do_not_help() {
    let (result, folder, _) = attempt(&["solver.max_iterations=1", "solver.on_failure=CutStep(halvings: 2)"]);
    let error = result.unwrap_err();
    assert_given_up(&error, &folder, 1);
    let RunError::NotConverged { h, .. } = &error else { panic!("{error}") };
    // Two halvings of 2e-3 s.
    assert!((h - 5e-4).abs() < 1e-18, "{error}");
}

/// A column of metal whose top is driven down by more than a cell in one step: on the way to balance a cell turns over, and the return of its material has no answer. The
/// step is tried again in halves until it has one; where it may not be, the run ends with exit code 4. No number of the history is none.
#[test]
fn what_no_material_can_follow_asks_for_a_shorter_step() {
    const COLUMN: &str = r#"(
        title: "Column",
        materials: [(name: "metal", density: 1000.0, law: VonMises(young: 1e7, poisson: 0.3, yield_stress: 1e5, hardening: Linear(modulus: 1e6)))],
        bodies: [(
            name: "column",
            mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 1.0), cells: (2, 4)),
            material: "metal",
            kinematics: FiniteStrain(),
            formulation: BBar,
        )],
        boundary: [(body: "column", group: "bottom", x: 0, y: 0), (body: "column", group: "top", x: 0, y: -3.0)],
        integrator: Theta(theta: 1.0),
        step: 0.1,
        duration: 0.1,
        solver: Nlgs(on_failure: CutStep(halvings: 6)),
    )"#;
    let loaded = load_text(COLUMN, &[]);
    let (result, folder) = try_run(&loaded, Some(1));
    let summary = result.unwrap();
    assert!(summary.verdict.cuts > 0, "the step of 0.3 m is longer than a cell of 0.25 m");
    let rows = history(&folder);
    assert!(rows.len() > 2 && rows.iter().flatten().all(|x| x.is_finite()));
    let header = std::fs::read_to_string(folder.path().join("history.csv")).unwrap();
    let plastic = header.lines().next().unwrap().split(',').position(|c| c == "plastic_dissipation").unwrap();
    assert!(rows.last().unwrap()[plastic] > 0.0);
    let (result, folder) = try_run(&load_text(COLUMN, &["solver.on_failure=Stop"]), Some(1));
    assert_eq!(result.unwrap_err().exit_code(), 4);
    assert!(history(&folder).iter().flatten().all(|x| x.is_finite()));
}
