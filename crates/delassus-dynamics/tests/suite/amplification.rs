//! One free oscillator, one step: the 2×2 matrix that takes (q, v/ω) over a step, against closed forms.
//!
//! ```text
//! θ, modified θ   z⁺ = λ z with z = q − i v/ω,   λ = (1 + i(1−θ)Ω) / (1 − iθΩ),   Ω = ωh
//! θ-Euler         det = 1 / (1+θΩ²)                 trace = (2 − (1−θ)Ω²) / (1+θΩ²)
//! Newmark         det = 1 − (γ−½)Ω² / (1+βΩ²)       trace = 2 − (γ+½)Ω² / (1+βΩ²)
//! ```

use crate::common::{Family, Linear, Run, Scheme, Worst, schemes};

const MASS: f64 = 2.3;
const OMEGA: f64 = 3.7;

/// Ω from 0.1 to 10, evenly in the logarithm.
fn frequencies() -> impl Iterator<Item = f64> {
    (0..=40).map(|i| 10.0_f64.powf(-1.0 + 0.05 * f64::from(i)))
}

/// Rows: q⁺, v⁺/ω. Columns: start from (1, 0), from (0, 1).
fn step_matrix(scheme: &Scheme, capital_omega: f64) -> [[f64; 2]; 2] {
    let system = Linear::oscillator(MASS, 0.0, MASS * OMEGA * OMEGA);
    let mut run = Run::new(&system, scheme.integrator.as_ref(), capital_omega / OMEGA);
    let mut column = |q: f64, u: f64| {
        let from = run.start(0.0, vec![q], vec![u * OMEGA]);
        let to = run.step(&from);
        [to.q[0], to.v[0] / OMEGA]
    };
    let (a, b) = (column(1.0, 0.0), column(0.0, 1.0));
    [[a[0], b[0]], [a[1], b[1]]]
}

fn determinant(m: [[f64; 2]; 2]) -> f64 {
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

fn trace(m: [[f64; 2]; 2]) -> f64 {
    m[0][0] + m[1][1]
}

/// (Re λ, Im λ) of the θ-method.
fn lambda(theta: f64, omega: f64) -> (f64, f64) {
    let denominator = 1.0 + (theta * omega).powi(2);
    ((1.0 - theta * (1.0 - theta) * omega * omega) / denominator, omega / denominator)
}

#[test]
fn step_matrix_has_the_closed_form() {
    let mut worst = Worst::default();
    for scheme in schemes() {
        for w in frequencies() {
            let m = step_matrix(&scheme, w);
            let errors = match scheme.family {
                Family::Theta(theta) | Family::ModifiedTheta(theta) => {
                    let (re, im) = lambda(theta, w);
                    let modulus = (1.0 + ((1.0 - theta) * w).powi(2)) / (1.0 + (theta * w).powi(2));
                    let phase = ((1.0 - theta) * w).atan() + (theta * w).atan();
                    vec![
                        m[0][0] - re,
                        m[0][1] - im,
                        m[1][0] + im,
                        m[1][1] - re,
                        determinant(m) - modulus,
                        m[0][1].atan2(m[0][0]) - phase,
                    ]
                }
                Family::EnergyMomentum(theta) => {
                    let d = 1.0 + 0.5 * theta * w * w;
                    vec![determinant(m) - (1.0 + 0.5 * (1.0 - theta) * w * w) / d, trace(m) - (2.0 - 0.5 * w * w) / d]
                }
                // Without inertia nothing vibrates.
                Family::QuasiStatic => Vec::new(),
                Family::ThetaEuler(theta) => {
                    let d = 1.0 + theta * w * w;
                    vec![determinant(m) - 1.0 / d, trace(m) - (2.0 - (1.0 - theta) * w * w) / d]
                }
                Family::Newmark { gamma, beta } => {
                    let d = 1.0 + beta * w * w;
                    vec![
                        determinant(m) - (1.0 - (gamma - 0.5) * w * w / d),
                        trace(m) - (2.0 - (gamma + 0.5) * w * w / d),
                    ]
                }
            };
            for e in errors {
                worst.see(e.abs(), || format!("{} at Ω = {w}", scheme.name()));
            }
        }
    }
    // Entries are O(Ω) at most: 1e-12 leaves a few hundred roundings.
    worst.check(1e-12);
}

#[test]
fn no_scheme_amplifies_and_order_two_means_no_damping() {
    for scheme in schemes() {
        for w in frequencies() {
            let m = step_matrix(&scheme, w);
            let (half, det) = (0.5 * trace(m), determinant(m));
            let inside = half * half - det;
            let radius = if inside > 0.0 { half.abs() + inside.sqrt() } else { det.sqrt() };
            let name = scheme.name();
            if scheme.order > 1.5 {
                assert!((radius - 1.0).abs() < 1e-12, "{name} at Ω = {w}: spectral radius {radius} must be 1");
            } else {
                assert!(radius < 1.0 - 1e-5, "{name} at Ω = {w}: spectral radius {radius} must be below 1");
            }
        }
    }
}

#[test]
fn newmark_half_quarter_is_theta_half_on_one_dof() {
    let find = |family: Family| schemes().into_iter().find(|s| s.family == family).unwrap();
    let theta = find(Family::Theta(0.5));
    let newmark = find(Family::Newmark { gamma: 0.5, beta: 0.25 });
    let mut worst = Worst::default();
    for w in frequencies() {
        let (a, b) = (step_matrix(&theta, w), step_matrix(&newmark, w));
        for (x, y) in a.as_flattened().iter().zip(b.as_flattened()) {
            worst.see((x - y).abs(), || format!("Ω = {w}"));
        }
    }
    worst.check(1e-12);
}
