//! A block on an incline just below and just above the friction angle.
//!
//! Reference: Coulomb's law; a block at rest stays so for tan α ≤ μ, else it slides with g (sin α − μ cos α).
//!
//! Goal: no drift below the threshold, the exact acceleration above it, in the θ schemes; no equilibrium is invented above it.
//!
//! ```text
//!   x down the slope, gravity (g sin α, −g cos α)
//!      +---------------+
//!      |    block      |  -->              0.2 m x 0.1 m, 8 x 4 Q4, E = 1e9 Pa
//!   ---+---------------+-----------------  rigid plane, μ = 0.3, g = 9.81 m/s²
//! ```
//!
//! Parameters: `cases/incline.ron`; tan α = 0.99 μ, 1.01 μ and closer; Kelvin–Voigt time 2e-5 s, h = 1e-4 s, 500 steps. Laid on
//! undeformed, the block vibrates for some 5 ms and then sticks or slides as a whole.
//!
//! Tolerances: drift 1e-10 m/s (the gravity of a step is 3e-4 m/s). Acceleration 1e-8 of itself where the vibration dies; 1e-4 for
//! θ = ½, whose velocities across the contact change sign for ever. Ledger 1e-12.

use delassus_case::Loaded;
use delassus_error::Failure;
use delassus_run::RunError;
use delassus_sim::SimError;
use verification::blocks::{FRICTION, STEP, Similar, slide_acceleration, slope};
use verification::{Run, largest, load, run, show, try_run};

const SCHEMES: [&str; 8] = [
    "Theta(theta: 0.5)",
    "Theta(theta: 0.55)",
    "Theta(theta: 1.0)",
    "ModifiedTheta(theta: 0.5)",
    "ModifiedTheta(theta: 0.55)",
    "ThetaEuler(theta: 0.5)",
    "ThetaEuler(theta: 0.55)",
    "ThetaEuler(theta: 1.0)",
];

/// The block at tan α = `part` · μ for 50 ms.
fn on_slope(part: f64, start: &str, scheme: &str) -> Loaded {
    let settings = Similar::ITSELF.settings(slope(part), 0.0, 0.05);
    let own = [format!("integrator={scheme}"), format!("start={start}")];
    load("incline", &settings.iter().chain(&own).map(String::as_str).collect::<Vec<_>>())
}

fn check_verdict(what: &str, run: &Run) {
    let v = &run.summary.verdict;
    assert!(v.law_error <= 1e-10 && v.flagged + v.cuts + v.takeovers + v.too_deep == 0, "{what}: {v:?}");
    assert!(v.energy_residual <= 1e-12, "{what}: ledger {:e}", v.energy_residual);
    // Measured: at most 40.
    assert!(v.max_iterations <= 60, "{what}: {v:?}");
}

#[test]
fn the_case_verifies_itself_on_both_sides() {
    let slides = run(&load("incline", &[]));
    let verification = slides.summary.verification.as_ref().unwrap();
    assert_eq!(verification.checks.len(), 1);
    assert!(verification.passed(), "{:?}", verification.checks);
    // As the comment of the case says.
    let gravity = "(2.7929894806, -9.40400498518)";
    let sticks = run(&load(
        "incline",
        &[
            &format!("loads[0].acceleration={gravity}"),
            "start=Equilibrium",
            &format!("verify.solution.gravity={gravity}"),
            r#"verify.checks=[(name: "drift", measure: MaxAbs(column: "block.vx"), expected: 0.0, tolerance: 1e-10)]"#,
        ],
    ));
    assert!(sticks.summary.verification.as_ref().unwrap().passed());
    for (part, run) in [(0.99, &sticks), (1.0, &slides)] {
        let force = run.last("ground.force_x") / run.last("ground.force_y");
        assert!((force + part * FRICTION).abs() < 1e-9, "{part} of the cone: {force}");
    }
}

#[test]
fn sticks_below_the_threshold() {
    for scheme in SCHEMES {
        let run = run(&on_slope(0.99, "Equilibrium", scheme));
        let (drift, u) = (run.largest("block.vx"), run.column("block.ux"));
        let moved = largest(&u.iter().map(|x| x - u[0]).collect::<Vec<_>>());
        show(&format!(
            "incline 0.99 {scheme:27} from equilibrium: drift {drift:.1e} m/s, moves {moved:.1e} m, most sweeps {}",
            run.summary.verdict.max_iterations
        ));
        assert!(drift < 1e-10 && moved < 1e-12, "{scheme}: {drift:e} m/s, {moved:e} m");
        check_verdict(scheme, &run);
    }
}

#[test]
fn comes_to_rest_below_the_threshold() {
    for scheme in SCHEMES {
        let run = run(&on_slope(0.99, "Undeformed", scheme));
        let (v, moved) = (run.column("block.vx"), run.last("block.ux"));
        let late = largest(&v[v.len() - 100..]);
        show(&format!("incline 0.99 {scheme:27} laid on: late drift {late:.1e} m/s, moved by {moved:.1e} m"));
        assert!(late < 1e-10, "{scheme}: {late:e} m/s");
        // It may slip while the vibration unloads the contact: less than a free slide of 2 ms.
        assert!(moved > 0.0 && moved < 0.5 * slope(0.99)[0] * 4e-6, "{scheme}: {moved:e} m");
        check_verdict(scheme, &run);
    }
}

#[test]
fn slides_above_the_threshold() {
    for scheme in SCHEMES {
        let run = run(&on_slope(1.01, "Undeformed", scheme));
        let track = Similar::ITSELF.track(&run);
        let off = track.acceleration(0.03) / slide_acceleration(1.01) - 1.0;
        show(&format!(
            "incline 1.01 {scheme:27} acceleration off by {off:8.1e}, most sweeps {}",
            run.summary.verdict.max_iterations
        ));
        let tolerance = if scheme.contains("theta: 0.5)") && !scheme.starts_with("ThetaEuler") { 1e-4 } else { 1e-8 };
        assert!(off.abs() < tolerance, "{scheme}: {off:e}");
        // m v_x + μ m v_y grows by m g (sin α − μ cos α) h in each step in which every contact slips down.
        let slipping = run.column("ground.stick_area").iter().rposition(|a| *a > 0.0).unwrap();
        let along: Vec<f64> = track.v.iter().zip(&track.lift).map(|(v, lift)| v + FRICTION * lift).collect();
        let steps = along.windows(2).skip(slipping + 1);
        let worst = largest(&steps.map(|w| w[1] - w[0] - slide_acceleration(1.01) * STEP).collect::<Vec<_>>());
        show(&format!("    slips as a whole from step {}; then each step exact to {worst:.1e} m/s", slipping + 1));
        assert!(slipping < 100 && worst < 1e-12, "{scheme}: {slipping}, {worst:e}");
        check_verdict(scheme, &run);
    }
}

/// A hundredth of that distance to the threshold on both sides.
#[test]
fn the_threshold_is_sharp() {
    let scheme = "Theta(theta: 0.55)";
    let below = run(&on_slope(0.9999, "Equilibrium", scheme));
    assert!(below.largest("block.vx") < 1e-10, "{:e}", below.largest("block.vx"));
    let above = run(&on_slope(1.0001, "Undeformed", scheme));
    let off = Similar::ITSELF.track(&above).acceleration(0.03) / slide_acceleration(1.0001) - 1.0;
    show(&format!(
        "incline 0.9999: drift {:.1e} m/s; 1.0001: acceleration off by {off:.1e}",
        below.largest("block.vx")
    ));
    assert!(off.abs() < 1e-6, "{off:e}");
}

/// No state of rest above the threshold: the case is refused, and the part of the forces that nothing holds is named.
#[test]
fn equilibrium_is_refused_above_the_threshold() {
    for part in [1.0001, 1.01, 1.5] {
        let (result, folder) = try_run(&on_slope(part, "Equilibrium", "Theta(theta: 0.55)"), Some(1));
        let error = result.unwrap_err();
        let RunError::Sim(SimError::NoEquilibrium { out_of_balance, .. }) = &error else { panic!("{error}") };
        // m a over the sum of |loads| (both components) and of the larger component of the reactions.
        let [along, across] = slope(part);
        let expected = slide_acceleration(part) / (along - 2.0 * across);
        show(&format!("incline {part}: out of balance by {out_of_balance:.6e}, expected {expected:.6e}"));
        assert!((out_of_balance / expected - 1.0).abs() < 1e-4, "{part}: {out_of_balance:e}, {expected:e}");
        assert!(error.to_string().contains("no state of rest") && error.exit_code() == 4, "{error}");
        assert!(!folder.path().join("history.csv").exists());
    }
}
