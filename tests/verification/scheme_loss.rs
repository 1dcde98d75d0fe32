//! What `check` says a scheme takes from a vibration, against what the ledger of a run finds.
//!
//! Reference: none but the run itself. The prediction knows the length of the bar, its wave speed and one step of the scheme for one
//! oscillator; the run knows its cells, its matrices and the sum of what every step lost.
//!
//! Goal: the slowest stretching of a free bar, q = 0, v = cos(π x/L), an exact mode of the lumped bar with ν = 0, over four periods of
//! 45 steps, with every scheme that loses.
//!
//! ```text
//!   +--+--+--+--+--+--+--+--+--+--+
//!   |  |  |  |  |  |  |  |  |  |  |   1 m x 0.05 m, 40 x 1 Q4, free all round; E = rho = 1, nu = 0: T = 2L/c = 2 s
//!   +--+--+--+--+--+--+--+--+--+--+
//! ```
//!
//! Tolerance: 0.5 % of the loss: the mesh's frequency is (2c/e) sin(πe/2L), 1 − π²/24/40² = 2.6e-4 below πc/L, the loss goes with its
//! square, and the energy swings by a part ωh/2 of a step's loss at the end.

use std::sync::Arc;

use delassus_dynamics::oscillator::energy_kept;
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use verification::load_text;

const CASE: &str = r#"(
    title: "Free bar",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.0))],
    bodies: [(
        name: "bar",
        mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 0.05), cells: (40, 1)),
        material: "m",
        mass: Lumped,
    )],
    integrator: Theta(theta: 0.5),
    step: 1.0,
    duration: 1.0,
)"#;

/// The part of the energy that the ledger calls numerical, and that the oscillator predicts.
fn losses(scheme: &str, h: f64, n_steps: usize) -> (f64, f64) {
    let loaded = load_text(CASE, &[&format!("integrator={scheme}")]);
    let model: Arc<Model<2>> = loaded.model().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut snapshot = model.start();
    let points = &model.bodies[0].body.mesh().points;
    snapshot.states[0].v = points.iter().flat_map(|p| [(std::f64::consts::PI * p[0]).cos(), 0.0]).collect();
    model.view(0).start(&mut snapshot.states[0]);
    let (kinetic, _) = delassus_dynamics::integrator::energies(&*model.bodies[0].body, &snapshot.states[0]);
    let mut timings = Timings::default();
    let mut lost = 0.0;
    for _ in 0..n_steps {
        let outcome = step(&mut engine, &mut timings, &snapshot, h).unwrap();
        lost += outcome.balances[0].numerical;
        snapshot = outcome.snapshot;
    }
    let kept = energy_kept(&*model.integrator, std::f64::consts::TAU * h / 2.0).unwrap();
    (lost / kinetic, 1.0 - kept.powf(n_steps as f64))
}

#[test]
fn the_ledger_finds_what_is_predicted() {
    let h = 2.0 / 45.0;
    for scheme in
        ["ThetaEuler(theta: 0.5)", "ThetaEuler(theta: 0.55)", "Theta(theta: 0.6)", "ModifiedTheta(theta: 0.55)"]
    {
        let (measured, predicted) = losses(scheme, h, 4 * 45);
        assert!((measured / predicted - 1.0).abs() < 5e-3, "{scheme}: measured {measured}, predicted {predicted}");
        assert!(predicted > 0.1, "{scheme}: {predicted}");
    }
    // θ = ½ loses nothing, in both.
    let (measured, predicted) = losses("ModifiedTheta(theta: 0.5)", h, 4 * 45);
    assert!(measured.abs() < 1e-12 && predicted.abs() < 1e-10, "{measured} {predicted}");
}
