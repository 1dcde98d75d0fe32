//! Newmark's method with γ = ½, β = ¼ and impulses on the velocity is the θ-method at ½, contact included.
//!
//! Reference: the identity follows from M a = P − C v − K q at both ends of a step: ½ h (M a + M a⁺) is the θ-method's
//! h (P − C v − K q)_½, and q_c, τ and M̂ coincide.
//!
//! Goal: the two codes, which share nothing but the body, give the same run: every column of the history and the final state.
//!
//! Parameters: `cases/bars-impact.ron`, with lumped and with consistent mass, with and without damping.
//!
//! Tolerance: 1e-11 of the largest value of each column: rounding of some hundred steps.

use verification::bars::run_bars;
use verification::{distance, largest, show};

fn check(name: &str, settings: &[&str]) {
    let theta = run_bars("Theta(theta: 0.5)", 20, settings);
    let newmark = run_bars("Newmark(gamma: 0.5, beta: 0.25)", 20, settings);
    let mut worst = (0.0, String::new());
    // What is zero up to rounding, or counts iterations, has no scale of its own.
    let skipped = ["energy_residual", "momentum_x", "momentum_y", "law_error", "audit_error", "solver_iterations"];
    let energy = theta.largest("kinetic_energy");
    let mut compared = 0;
    for column in theta.summary.history.names() {
        if skipped.contains(&column.as_str())
            || column.ends_with("uy")
            || column.ends_with("vy")
            || column.ends_with("force_y")
        {
            continue;
        }
        let is_energy = ["_energy", "_work", "_dissipation"].iter().any(|end| column.ends_with(end));
        let scale = match column.as_str() {
            _ if is_energy => energy,
            "max_penetration" | "true_penetration" | "surface_penetration" => theta.largest("left_face.ux"),
            // Angles of rounding.
            "body_rotation" | "cell_rotation" => 1.0,
            _ => theta.largest(column),
        };
        let difference = distance(&theta.column(column), &newmark.column(column));
        let error = if scale > 0.0 { difference / scale } else { difference };
        compared += 1;
        if error > worst.0 {
            worst = (error, column.clone());
        }
    }
    let mut state: f64 = 0.0;
    for (a, b) in theta.summary.final_snapshot.states.iter().zip(&newmark.summary.final_snapshot.states) {
        state = state.max(distance(&a.q, &b.q) / largest(&a.q)).max(distance(&a.v, &b.v) / largest(&a.v));
    }
    show(&format!(
        "Newmark = theta 1/2, {name}: {compared} columns, worst {:.1e} (`{}`), final state {state:.1e}",
        worst.0, worst.1
    ));
    assert!(compared > 25 && worst.0 <= 1e-11, "{name}: {worst:?}");
    assert!(state <= 1e-11, "{name}: {state:e}");
}

#[test]
fn lumped_mass() {
    check("lumped", &[]);
}

#[test]
fn consistent_mass() {
    check("consistent", &["bodies.left.mass=Consistent", "bodies.right.mass=Consistent"]);
}

#[test]
fn with_damping() {
    check("damped", &["bodies.left.damping=(alpha: 2e3, beta: 2e-7)", "bodies.right.damping=(alpha: 2e3, beta: 2e-7)"]);
}
