//! A block thrown along a rough plane comes to rest.
//!
//! Reference: Coulomb's law; a rigid block of speed V stops after V/(μg) and V²/(2μg), and friction takes its energy ½mV².
//!
//! Goal: stop time, way, friction work and ledger of a deformable block in the θ schemes, and how hard Gauss–Seidel has to work.
//!
//! ```text
//!      +---------------+
//!      |    block      |  --> 0.5 m/s      0.2 m x 0.1 m, 8 x 4 Q4, E = 1e9 Pa, started from its equilibrium
//!   ---+---------------+-----------------  rigid plane, μ = 0.3, g = 9.81 m/s²
//! ```
//!
//! The centre of mass loses μgh of its speed in each step, in every scheme, so what a scheme makes of the motion is known too. With
//! q⁺ = q + h(w v⁺ + (1−w) v), and the same weight w in the ledger:
//!
//! ```text
//! way = V²/(2μg) − (w−½)hV      friction work = ½mV² (1 − (2w−1)μgh/V)      numerical dissipation = ½mV² (2w−1)μgh/V
//! ```
//!
//! w = θ for the θ-method and the modified one, 1 for θ-Euler.
//!
//! Parameters: `cases/sliding-block.ron`; Kelvin–Voigt time 2e-5 s, h = 1e-4 s, 2000 steps.
//!
//! Tolerances: stop time one step. Way 1e-7 m: the sheared block leans back by up to μρgH²/(2G) = 4e-8 m, and the last step is a
//! part of one, μgh² = 3e-8 m (one step of way would be 5e-5 m). Works 1e-5 of ½mV²: the vibration takes 1e-6 of it. Ledger 1e-12.
//! Friction on the cone 1e-9, ten times the solver's tolerance.

use verification::blocks::{FRICTION, GRAVITY, SIZE, SPEED, STEP, Similar, Track, stop_distance, stop_time};
use verification::{Run, load, run, show};

/// The schemes and their weights w.
const SCHEMES: [(&str, f64); 10] = [
    ("Theta(theta: 0.5)", 0.5),
    ("Theta(theta: 0.55)", 0.55),
    ("Theta(theta: 0.75)", 0.75),
    ("Theta(theta: 1.0)", 1.0),
    ("ModifiedTheta(theta: 0.5)", 0.5),
    ("ModifiedTheta(theta: 0.55)", 0.55),
    ("ModifiedTheta(theta: 0.75)", 0.75),
    ("ThetaEuler(theta: 0.5)", 1.0),
    ("ThetaEuler(theta: 0.55)", 1.0),
    ("ThetaEuler(theta: 1.0)", 1.0),
];

#[test]
fn the_case_verifies_itself() {
    let run = run(&load("sliding-block", &[]));
    let verification = run.summary.verification.as_ref().unwrap();
    assert_eq!(verification.checks.len(), 3);
    assert!(verification.passed(), "{:?}", verification.checks);
}

#[test]
fn every_theta_scheme_stops_the_block() {
    for (scheme, w) in SCHEMES {
        let run = run(&load("sliding-block", &[&format!("integrator={scheme}")]));
        let track = Similar::ITSELF.track(&run);
        check_motion_and_works(scheme, w, &run, &track);
        check_friction(scheme, &run, &track);
        check_solver(scheme, &run);
    }
}

/// Stop time, way, and the lines of the ledger.
fn check_motion_and_works(scheme: &str, w: f64, run: &Run, track: &Track) {
    let energy = track.kinetic[0];
    let lost = (2.0 * w - 1.0) * FRICTION * GRAVITY * STEP / SPEED;
    let way = track.distance() - (stop_distance() - (w - 0.5) * STEP * SPEED);
    let friction = track.friction_ratio() - (1.0 - lost);
    let numerical = run.last("numerical_dissipation") / energy - lost;
    show(&format!(
        "sliding block {scheme:27} stop {:.4} s  way {:.7} m (off by {way:8.1e})  friction work {:.7} (off by {friction:8.1e}), numerical off by {numerical:8.1e}",
        track.stop_time(),
        track.distance(),
        track.friction_ratio()
    ));
    assert!((track.stop_time() - stop_time()).abs() <= STEP, "{scheme}: stops at {}", track.stop_time());
    assert!(way.abs() <= 1e-7, "{scheme}: way {way:e}");
    assert!(friction.abs() <= 1e-5, "{scheme}: friction work {friction:e}");
    assert!(numerical.abs() <= 1e-5, "{scheme}: numerical dissipation {numerical:e}");
    assert!(run.last("block.vx").abs() <= 1e-10, "{scheme}: still moves with {:e} m/s", run.last("block.vx"));
    let others = ["viscous_dissipation", "elastic_energy", "contact_work"].map(|c| run.last(c) / energy);
    assert!(others.iter().all(|x| x.abs() <= 1e-5), "{scheme}: {others:?}");
}

/// While it moves every contact slips with its whole friction, at rest every contact sticks.
fn check_friction(scheme: &str, run: &Run, track: &Track) {
    let (area, stick) = (run.column("ground.area"), run.column("ground.stick_area"));
    let mut off: f64 = 0.0;
    for i in (1..track.time.len()).filter(|&i| track.time[i] < stop_time() - STEP) {
        off = off.max((track.force[i] / (FRICTION * track.normal[i]) + 1.0).abs());
        assert!(
            (area[i] - SIZE[0]).abs() < 1e-12 && stick[i] == 0.0,
            "{scheme}: {} m² of {} m² stick",
            stick[i],
            area[i]
        );
    }
    show(&format!("sliding block {scheme:27} friction off μN by {off:.1e} while it slides"));
    assert!(off <= 1e-9, "{scheme}: {off:e}");
    assert!((run.last("ground.stick_area") - SIZE[0]).abs() < 1e-12, "{scheme}");
    // What the stopped block keeps of the braking force dies away with its vibration.
    assert!(run.last("ground.force_x").abs() <= 1e-4 * run.last("ground.force_y"), "{scheme}");
}

/// Every step at tolerance by Gauss–Seidel alone, in few sweeps: a change for the worse shows here.
fn check_solver(scheme: &str, run: &Run) {
    let v = &run.summary.verdict;
    let mean = v.total_iterations as f64 / run.summary.steps as f64;
    show(&format!(
        "sliding block {scheme:27} {mean:4.1} sweeps a step, most {}; law error {:.1e}, ledger {:.1e}, penetration {:.1e} m",
        v.max_iterations, v.law_error, v.energy_residual, v.max_penetration
    ));
    assert!(v.law_error <= 1e-10 && v.flagged + v.cuts + v.takeovers + v.too_deep == 0, "{scheme}: {v:?}");
    assert!(v.energy_residual <= 1e-12, "{scheme}: ledger {:e}", v.energy_residual);
    // Measured: 2.3 to 6.3 a step, at most 42 in one.
    assert!(v.max_iterations <= 60 && mean <= 10.0, "{scheme}: {v:?}");
}
