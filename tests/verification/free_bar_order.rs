//! Order of every scheme on smooth motion: a bar that vibrates freely in one of its own modes.
//!
//! Reference: the discrete mode of the finite-element bar, K φ = ω² M φ from a dense eigenproblem; exact in time,
//! q = A φ sin ωt, v = A ω φ cos ωt.
//!
//! Goal: order 2 in the full state (q, v/ω) for θ = ½ of the θ and modified θ methods and Newmark (½, ¼), order 1 for θ-Euler
//! and for θ ≥ 0.55. No contact: the modified θ-method is then the θ-method.
//!
//! ```text
//!   +--+--+--+--+--+--+--+--+
//!   |  |  |  |  |  |  |  |  |   2 m x 0.5 m, 8 x 2 Q4, free all round
//!   +--+--+--+--+--+--+--+--+
//!   |  |  |  |  |  |  |  |  |   E = 100 Pa, nu = 0.3, rho = 1 kg/m3, plane strain
//!   +--+--+--+--+--+--+--+--+
//! ```
//!
//! Parameters: one period T, h = T/100 … T/800 (second order) or T/800 … T/6400 (first order, whose next term is larger).
//!
//! Tolerance: observed order ± 0.05 at every halving.

use std::sync::Arc;

use delassus_dynamics::System;
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use nalgebra::{DMatrix, DVector};
use verification::dense::mass_damping_stiffness;
use verification::{load_text, show};

const CASE: &str = r#"(
    title: "Free bar",
    kinematics: SmallStrain,
    materials: [(name: "soft", density: 1.0, law: KelvinVoigt(young: 100.0, poisson: 0.3))],
    bodies: [(
        name: "bar",
        mesh: Rectangle(corner: (0.0, 0.0), size: (2.0, 0.5), cells: (8, 2)),
        material: "soft",
        mass: Lumped,
    )],
    integrator: Theta(theta: 0.5),
    step: 1.0,
    duration: 1.0,
)"#;

/// The first mode that is not rigid: angular frequency and shape with φᵀMφ = 1.
fn first_mode(system: &dyn System) -> (f64, DVector<f64>) {
    let [mass, _, stiffness] = mass_damping_stiffness(system);
    let root = mass.cholesky().unwrap().l();
    let inverse = root.try_inverse().unwrap();
    let reduced: DMatrix<f64> = &inverse * stiffness * inverse.transpose();
    let eigen = reduced.symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let elastic = (0..eigen.eigenvalues.len()).filter(|&i| eigen.eigenvalues[i] > 1e-9 * largest);
    let chosen = elastic.min_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b])).unwrap();
    let shape = inverse.transpose() * eigen.eigenvectors.column(chosen);
    (eigen.eigenvalues[chosen].sqrt(), shape)
}

/// Error of (q, v/ω) after one period in `n` steps, in the norm of M, relative to the amplitude.
fn error(scheme: &str, mass: &str, n: usize) -> f64 {
    let loaded = load_text(CASE, &[&format!("integrator={scheme}"), &format!("bodies.bar.mass={mass}")]);
    let model: Arc<Model<2>> = loaded.model().unwrap();
    let body = model.bodies[0].body.finite_elements().unwrap();
    let (omega, shape) = first_mode(body);
    let h = std::f64::consts::TAU / omega / n as f64;
    let mut engine = Engine::new(&model).unwrap();
    let mut snapshot = model.start();
    let state = &mut snapshot.states[0];
    // A phase that has both displacement and velocity at start and end.
    let phase = 0.7_f64;
    state.q = (phase.sin() * &shape).as_slice().to_vec();
    state.v = (omega * phase.cos() * &shape).as_slice().to_vec();
    let (q0, v0) = (state.q.clone(), state.v.clone());
    model.view(0).start(state);
    let mut timings = Timings::default();
    for _ in 0..n {
        snapshot = step(&mut engine, &mut timings, &snapshot, h).unwrap().snapshot;
    }
    let end = &snapshot.states[0];
    let square = |x: &[f64], y: &[f64]| {
        let d: Vec<f64> = x.iter().zip(y).map(|(a, b)| a - b).collect();
        let mut m = vec![0.0; d.len()];
        body.mass_times_into(&d, &mut m);
        d.iter().zip(&m).map(|(a, b)| a * b).sum::<f64>()
    };
    (square(&end.q, &q0) + square(&end.v, &v0) / (omega * omega)).sqrt()
}

fn check(scheme: &str, mass: &str, expected: f64) {
    // θ-Euler's and the θ-method's first-order errors carry a second-order one that halves the distance to 1 at each level.
    let coarsest = if expected > 1.5 { 100 } else { 800 };
    let levels: Vec<usize> = (0..4).map(|k| coarsest << k).collect();
    let errors: Vec<f64> = levels.iter().map(|&n| error(scheme, mass, n)).collect();
    let orders: Vec<f64> = errors.windows(2).map(|w| (w[0] / w[1]).log2()).collect();
    show(&format!(
        "order {scheme:32} {mass:10} steps {levels:?}: errors {errors:.2?} e-6, orders {orders:.4?}",
        errors = errors.iter().map(|e| e * 1e6).collect::<Vec<_>>()
    ));
    assert!(orders.iter().all(|p| (p - expected).abs() <= 0.05), "{scheme}, {mass}: {orders:?}, errors {errors:?}");
}

#[test]
fn second_order() {
    for scheme in ["Theta(theta: 0.5)", "ModifiedTheta(theta: 0.5)", "Newmark(gamma: 0.5, beta: 0.25)"] {
        check(scheme, "Lumped", 2.0);
        check(scheme, "Consistent", 2.0);
    }
}

#[test]
fn first_order() {
    for scheme in [
        "ThetaEuler(theta: 0.5)",
        "ThetaEuler(theta: 0.55)",
        "ThetaEuler(theta: 0.75)",
        "ThetaEuler(theta: 1.0)",
        "Theta(theta: 0.55)",
        "Theta(theta: 1.0)",
        "ModifiedTheta(theta: 0.55)",
        "ModifiedTheta(theta: 1.0)",
        "Newmark(gamma: 0.6, beta: 0.3025)",
    ] {
        check(scheme, "Lumped", 1.0);
    }
}
