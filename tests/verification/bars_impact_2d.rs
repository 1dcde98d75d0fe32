//! A thick bar against a rigid wall, ν = 0.45: a real two-dimensional impact.
//!
//! Reference: Vola, Pratt, Jean & Raous 1998 §6.1.2 (no exact solution; width, mesh and figures lost). The expected numbers are
//! those of an independent small program on this mesh.
//!
//! Goal: stress, release, rebound of the three θ schemes; the remark of the paper that the velocity of the contact face
//! overshoots after release except with θ-Euler; plane stress and ν = 0 as the limits with a known wave speed.
//!
//! ```text
//!     bar, +V
//!   +---------------------------------------+|/
//!   |  40 x 4 Q4, 0.254 m x 0.0254 m        ||/  rigid wall, no friction
//!   +---------------------------------------+|/
//! ```
//!
//! Parameters: `cases/bars-impact-2d.ron`; E = 0.20684e12 Pa, ρ = 7895.7 kg/m³, V = 5.13588 m/s, h = 1.113e-6 s, θ = 0.55.
//!
//! Tolerances: one unit of the last digit the reference gives (5e-4 relative for stresses, 1e-3 for the rebound), one step for
//! times, 0.02 V for the overshoot.

use verification::bars::SPEED;
use verification::{Run, load, run, show};

const WIDTH: f64 = 0.0254;
const STEP: f64 = 1.113e-6;

struct Figures {
    stress: f64,
    release: f64,
    rebound: f64,
    overshoot: f64,
}

fn figures(run: &Run) -> Figures {
    let (time, force) = (run.column("time"), run.column("wall.force_x"));
    let window: Vec<f64> =
        (1..time.len()).filter(|&i| (2e-5..=8e-5).contains(&time[i])).map(|i| -force[i] / WIDTH).collect();
    let stress = window.iter().sum::<f64>() / window.len() as f64;
    let last = (0..time.len()).rev().find(|&i| -force[i] / WIDTH > 0.02 * stress).unwrap();
    let centre = run.column("centre.vx");
    let overshoot = centre[last..].iter().fold(0.0, |m: f64, v| m.max(-v)) / SPEED;
    Figures { stress, release: time[last], rebound: -run.last("bar.vx") / SPEED, overshoot }
}

fn measure(name: &str, settings: &[&str]) -> (Run, Figures) {
    let run = run(&load("bars-impact-2d", settings));
    let f = figures(&run);
    show(&format!(
        "bar 2D {name:42} stress {:.4e}  release {:.4e}  cm {:.4}  overshoot {:.3}  law error {:.1e}",
        f.stress, f.release, f.rebound, f.overshoot, run.summary.verdict.law_error
    ));
    (run, f)
}

#[test]
fn plane_strain_as_the_reference() {
    for (scheme, stress, rebound, overshoot) in [
        ("Theta(theta: 0.55)", 2.311e8, 0.921, 1.38),
        ("ThetaEuler(theta: 0.55)", 2.288e8, 0.862, 1.03),
        ("ModifiedTheta(theta: 0.55)", 2.313e8, 0.922, 1.38),
    ] {
        let (run, f) = measure(scheme, &[&format!("integrator={scheme}")]);
        assert!((f.stress / stress - 1.0).abs() < 5e-4, "{scheme}: stress {}", f.stress);
        assert!(f.release > 8.9e-5 - STEP && f.release < 9.02e-5 + STEP, "{scheme}: release {}", f.release);
        assert!((f.rebound - rebound).abs() < 1e-3, "{scheme}: rebound {}", f.rebound);
        assert!((f.overshoot - overshoot).abs() < 0.02, "{scheme}: overshoot {}", f.overshoot);
        let verification = run.summary.verification.as_ref().unwrap();
        assert!(verification.checks.len() == 2 && verification.passed(), "{scheme}: {:?}", verification.checks);
    }
}

#[test]
fn plane_stress_and_no_poisson_effect() {
    let stress = "bodies.bar.section=PlaneStress(thickness: 1.0)";
    let no_poisson = "materials.steel.law=KelvinVoigt(young: 0.20684e12, poisson: 0.0)";
    // The reference does not name its scheme; its four digits are those of the θ-method. The others differ by their own smearing:
    // 0.3 % is allowed to θ-Euler, 0.1 % to modified θ.
    for (scheme, tolerance) in
        [("Theta(theta: 0.55)", 5e-4), ("ThetaEuler(theta: 0.55)", 3e-3), ("ModifiedTheta(theta: 0.55)", 1e-3)]
    {
        let integrator = format!("integrator={scheme}");
        let (_, f) = measure(&format!("plane stress {scheme}"), &[stress, &integrator]);
        assert!((f.stress / 2.080e8 - 1.0).abs() < tolerance, "{scheme}: plane stress {}", f.stress);
        assert!((f.release - 1.002e-4).abs() < STEP, "{scheme}: plane stress {}", f.release);
        // ν = 0: the bar of one dimension, ρcV = 2.0755e8 Pa, 2L/c = 9.925e-5 s.
        let (_, f) = measure(&format!("nu = 0 {scheme}"), &[no_poisson, &integrator]);
        assert!((f.stress / 2.075e8 - 1.0).abs() < tolerance, "{scheme}: nu = 0 {}", f.stress);
        assert!((f.release - 1.00e-4).abs() < STEP, "{scheme}: nu = 0 {}", f.release);
    }
}

/// Half the bar cannot tell that its upper half is there: the solution is symmetric about the axis.
#[test]
fn the_solution_is_symmetric() {
    let run = run(&load("bars-impact-2d", &[]));
    // Lateral velocities of the whole bar and of the mean over the face vanish.
    for column in ["bar.vy", "face.vy", "centre.vy"] {
        assert!(run.largest(column) / SPEED < 1e-9, "{column}: {:e}", run.largest(column));
    }
}
