//! Convergence of the contact velocity of the two bars with mesh and step.
//!
//! Reference: exact solution by characteristics (d'Alembert), a step function of time at the contact face.
//!
//! Goal: the L1 error of the velocity of the contact face falls as mesh and step are halved together. The solution jumps, so
//! the order is below one: a front smeared over √(h t) by a dissipative scheme gives ½.
//!
//! Parameters: `cases/bars-impact.ron`, n = 20 · 2^k elements a bar (along the bar; across it nothing varies), h = h₀/2^k,
//! k = 0 … 4.
//!
//! Tolerance: order ≥ 0.4 for θ-Euler 0.55, ≥ 0.35 for modified θ 0.55, fitted over all levels.

use verification::bars::run_bars;
use verification::{fitted_order, show};

fn check(scheme: &str, least: f64) {
    let levels = [20, 40, 80, 160, 320];
    let mut errors = Vec::new();
    for n in levels {
        let run = run_bars(scheme, n, &[]);
        let verification = run.summary.verification.as_ref().unwrap();
        errors.push(verification.errors.iter().find(|e| e.column == "left_face.vx").unwrap().l1);
    }
    let steps: Vec<f64> = levels.iter().map(|&n| 1.0 / f64::from(n as u32)).collect();
    let order = fitted_order(&steps, &errors);
    let between: Vec<String> = errors.windows(2).map(|w| format!("{:.3}", (w[0] / w[1]).log2())).collect();
    show(&format!("convergence {scheme}: n {levels:?}, L1 {errors:.5?}, orders {between:?}, fitted {order:.3}"));
    assert!(errors.windows(2).all(|w| w[1] < w[0]), "{scheme}: {errors:?}");
    assert!(order >= least, "{scheme}: order {order}, errors {errors:?}");
}

#[test]
fn theta_euler_converges() {
    check("ThetaEuler(theta: 0.55)", 0.4);
}

#[test]
fn modified_theta_converges() {
    check("ModifiedTheta(theta: 0.55)", 0.35);
}

#[test]
fn theta_method_converges() {
    check("Theta(theta: 0.55)", 0.35);
}
