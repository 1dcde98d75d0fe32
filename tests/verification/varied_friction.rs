//! Friction that varies with time, place and pressure, on blocks that deform.
//!
//! References:
//!
//! ```text
//! μ(t) = 0.4 − t on a slope          the block holds until μ = tan α, then v = ½ g cos α (t − t₀)²
//! μ(p) = τ/max(p, p₀)                the drag is τ A, however the pressure above p₀ is distributed: it stops after V m/(τ A)
//! μ(x) = a + b x                     cases/rough-track.ron: the moment of friction shifts the pressure, so that μ = (a + b x)/(1 − b H/2); harmonic
//! ```
//!
//! Parameters: `cases/incline.ron`, `sliding-block.ron`, `rough-track.ron`; h = 1e-4 s, Kelvin–Voigt time 2e-5 s.
//!
//! Tolerances: times two steps, since μ is that of the end of each step and the block leans by 4e-8 m before it slides; speeds those of two steps;
//! ledger 1e-12 of the turnover.

use delassus_error::Coded as _;
use verification::{Run, load, run, show, try_run};

const STEP: f64 = 1e-4;

fn closes(run: &Run) {
    let verdict = &run.summary.verdict;
    assert!(verdict.flagged == 0 && verdict.law_error <= 1e-9, "{verdict:?}");
    let residual = run.largest("energy_residual");
    assert!(residual <= 1e-12, "the ledger is off by {residual:e}");
}

#[test]
fn a_block_starts_to_slide_when_its_friction_has_fallen() {
    let law = "contacts.ground.law=VariableFriction(friction: \"0.4 - t\")";
    let run = run(&load("incline", &[law, "start=Equilibrium", "duration=0.2", "verify=()"]));
    closes(&run);
    // tan α = 0.303, g cos α = 9.38848836509.
    let (start, pull) = (0.4 - 0.303, 9.388_488_365_09);
    let (t, v) = (run.column("time"), run.column("block.vx"));
    let before = t.iter().zip(&v).filter(|(t, _)| **t < start - 0.002).map(|(_, v)| v.abs()).fold(0.0, f64::max);
    let found = 0.2 - (2.0 * run.last("block.vx") / pull).sqrt();
    show(&format!("holds with {before:.1e} m/s until {found:.5} s, exact {start}"));
    assert!((found - start).abs() < 2.0 * STEP, "{found}");
    // One step of the last acceleration would be 1e-5 m/s; the block leans as friction falls.
    assert!(before < 1e-5, "{before}");
}

#[test]
fn friction_of_a_shear_strength_does_not_ask_for_the_pressure() {
    let law = "contacts.ground.law=VariableFriction(friction: \"300/max(p, 3)\")";
    let run = run(&load("sliding-block", &[law, "verify=()"]));
    closes(&run);
    // 300 Pa on 0.2 m² hold back 20 kg of 0.5 m/s: 3 m/s².
    let (t, v) = (run.column("time"), run.column("block.vx"));
    let sliding = t.iter().zip(&v).filter(|(t, _)| **t < 0.16);
    let late: Vec<(f64, f64)> = sliding.map(|(t, v)| (*t, v - (0.5 - 3.0 * t))).collect();
    let off = late.iter().map(|(_, off)| off.abs()).fold(0.0, f64::max);
    let settled: Vec<f64> = late.iter().filter(|(t, _)| *t > 0.005).map(|(_, off)| *off).collect();
    let change = settled.iter().map(|off| (off - settled[0]).abs()).fold(0.0, f64::max);
    let force = run.column("ground.force_x")[800];
    show(&format!("speed within {off:.1e} m/s of V − τ A t/m, {change:.1e} m/s after the start, drag {force} N"));
    // Friction begins suddenly and lifts points for a few steps; they have no drag then, all together less than the drag of one step. After that
    // the law holds to 1e-10 of the impulses.
    assert!(off < 3.0 * STEP && change < 1e-7, "{off} {change}");
    assert!((force + 60.0).abs() < 1e-6 * 60.0, "{force}");
    assert!(run.last("block.vx").abs() < 1e-9);
}

#[test]
fn rougher_ground_stops_a_block_where_its_energy_ends() {
    let run = run(&load("rough-track", &[]));
    closes(&run);
    let verification = run.summary.verification.as_ref().unwrap();
    assert!(verification.passed() && verification.checks.len() == 4, "{:?}", verification.checks);
}

#[test]
fn friction_that_is_none_ends_the_run() {
    for (text, value) in [("0.05 - t", "is -"), ("sqrt(0.05 - t)", "is NaN")] {
        let law = format!("contacts.ground.law=VariableFriction(friction: \"{text}\")");
        let (result, _folder) = try_run(&load("sliding-block", &[&law, "verify=()"]), Some(1));
        let error = result.unwrap_err();
        assert_eq!(error.code().as_str(), "E0180", "{error}");
        let message = error.to_string();
        assert!(message.contains("contact `ground`") && message.contains(value), "{message}");
        assert!(message.contains("t = 5.0"), "the first step after 0.05 s: {message}");
    }
}
