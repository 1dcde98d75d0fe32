//! Geologic layers with a fault (Jean 1995 §5.1, figures 10 to 12).
//!
//! Reference: what the paper says of its figure 10 (no sliding on the lower part, then rising quickly to the surface), and an
//! independent computation: 965 m of slip at 2.5 km of depth.
//!
//! Goal: the slip profile, Coulomb's law at every node, the balance of vertical forces, and how little the result hangs on step, side,
//! scheme and number of threads.
//!
//! ```text
//!  ->  +------+-----+
//!  ->  |     /      |      20 km × 10 km, fault dips by 56.3°, μ = 0.2, v0 = 0.33e-10 m/s, a million years
//!      +----+-------+
//! ```
//!
//! Tolerances: as the benchmark states them; Coulomb's law to ten times the solver's tolerance.

use std::sync::Arc;

use delassus_sim::Model;
use delassus_sim::engine::Engine;
use delassus_sim::step::{Outcome, step};
use delassus_sim::timings::Timings;
use delassus_solver::Status;
use verification::{load, run, show, try_run};

const SPEED: f64 = 0.33e-10;

fn slip(settings: &[&str]) -> f64 {
    let slip = run(&load("geologic-fault", &[settings, &["verify=None"]].concat())).last("slip.u");
    show(&format!("fault {settings:?}: slip at 2.5 km {slip:.2} m"));
    slip
}

/// All steps of the case; the last outcome.
fn last_step(model: &Arc<Model<2>>) -> Outcome<2> {
    let mut engine = Engine::new(model).unwrap();
    let (mut snapshot, mut timings, mut last) = (model.start(), Timings::default(), None);
    for _ in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &snapshot, model.h).unwrap();
        assert!(outcome.is_accepted(1e-10), "{}", outcome.description());
        snapshot = outcome.snapshot.clone();
        last = Some(outcome);
    }
    last.unwrap()
}

#[test]
fn sliding_rises_from_the_soft_layer_to_the_surface() {
    let model: Arc<Model<2>> = load("geologic-fault", &[]).model().unwrap();
    let last = last_step(&model);
    // 25 candidates, less those that have slid past the footwall's edge
    assert!((20..=25).contains(&last.touches.len()) && last.too_deep == 0, "{}", last.touches.len());
    assert_eq!(model.n_candidates(), 25);
    // from the bottom up: depth at the start, velocity along the fault over v0
    let candidates = &model.pairs[0].directions[0].candidates()[0];
    let mut profile = Vec::new();
    for t in &last.touches {
        let node = candidates.nodes()[t.contact.key.candidate as usize];
        let depth = -model.bodies[0].body.mesh().points[node][1];
        let [n, s] = [t.impulse[0], t.impulse[1].abs()];
        assert!(s <= 0.2 * n * (1.0 + 1e-9), "Coulomb at {depth} m: {s:e} {n:e}");
        if t.status == Status::Slip {
            assert!((s / (0.2 * n) - 1.0).abs() < 1e-9, "sliding at {depth} m: {s:e} {n:e}");
        }
        profile.push((depth, t.velocity[1].abs() / SPEED, n > 0.0));
    }
    profile.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (depth, velocity, faces) in &profile {
        show(&format!(
            "fault, depth {depth:7.0} m: sliding velocity {velocity:.4} v0{}",
            if *faces { "" } else { " (free)" }
        ));
    }
    let deep = profile.iter().filter(|p| p.0 > 7000.0);
    assert!(deep.clone().count() >= 5 && deep.clone().all(|p| p.1 < 1e-2), "nothing slides below 7 km");
    let facing: Vec<f64> = profile.iter().filter(|p| p.2).map(|p| p.1).collect();
    assert!(facing.len() >= 20);
    // Rising through the soft layer and into the stiff one, which slides as a block above 3 km: flat to 1 %, and 0.7 % slower at the
    // top, beside the two nodes that hang over the footwall's edge.
    let most = facing.iter().copied().fold(0.0, f64::max);
    let (below, above): (Vec<&(f64, f64, bool)>, Vec<_>) = profile.iter().filter(|p| p.2).partition(|p| p.0 > 3000.0);
    // where it sticks, velocities are those of the solver's tolerance
    assert!(below.windows(2).all(|w| w[1].1 >= w[0].1 - 1e-9), "rising towards the surface: {facing:?}");
    assert!(above.len() >= 5 && above.iter().all(|p| p.1 > 0.99 * most), "a block: {facing:?}");
    assert!(facing.last().is_some_and(|v| *v > 1.0 && *v < 1.8), "at most v0/cos(dip) at the surface: {facing:?}");
    vertical_balance(&model, &last);
}

/// The bottom carries the weight: the fault's forces cancel, and inertia is nothing.
fn vertical_balance(model: &Model<2>, last: &Outcome<2>) {
    let (mut carried, mut weight) = (0.0, 0.0);
    for (b, balance) in model.bodies.iter().zip(&last.balances) {
        let vertical = b.body.prescribed().iter().zip(&balance.support_impulse).filter(|(dof, _)| *dof % 2 == 1);
        carried += vertical.map(|(_, p)| p / last.h).sum::<f64>();
        weight += 9.81 * b.body.total_mass();
    }
    show(&format!("fault: bottom carries {carried:.9e} N, weight {weight:.9e} N"));
    assert!((carried / weight - 1.0).abs() < 1e-6, "{carried:e} against {weight:e}");
}

#[test]
fn slip_depends_little_on_the_step() {
    let found = [100, 200, 400].map(|n: u32| slip(&[&format!("step={:?}", 3.15576e13 / f64::from(n))]));
    let (least, most) =
        (found.iter().copied().fold(f64::INFINITY, f64::min), found.iter().copied().fold(0.0, f64::max));
    assert!(most / least - 1.0 < 0.02, "{found:?}");
    assert!(found.iter().all(|s| (s - 965.0).abs() < 60.0), "{found:?}");
}

#[test]
fn either_side_may_hold_the_candidates() {
    let swapped = [
        "contacts.fault.candidates=(body: \"footwall\", group: \"fault\")",
        "contacts.fault.antagonists=Surface(body: \"hanging wall\", group: \"fault\")",
        "step=3.15576e11",
    ];
    let (a, b) = (slip(&["step=3.15576e11"]), slip(&swapped));
    assert!((b / a - 1.0).abs() < 0.05, "{a} and {b}");
}

#[test]
fn strong_friction_holds() {
    let run = run(&load("geologic-fault", &["contacts.fault.law.friction=0.6", "step=3.15576e11", "verify=None"]));
    for probe in ["slip", "slip surface", "slip deep"] {
        let slip = run.last(&format!("{probe}.u"));
        show(&format!("fault, mu = 0.6: {probe} {slip:.3} m"));
        assert!(slip < 2.0, "{probe}: {slip}");
    }
}

#[test]
fn explicit_with_fictitious_masses_agrees() {
    let explicit = run(&load("geologic-fault-explicit", &[]));
    let check = &explicit.summary.verification.as_ref().unwrap().checks[0];
    let ratio = explicit.column("inertia_ratio");
    let mean = ratio[1..].iter().sum::<f64>() / (ratio.len() - 1) as f64;
    show(&format!(
        "fault, explicit: slip {:.2} m ({:.3}), inertia ratio {mean:.2e} in the mean, {:.2e} at most",
        check.found, check.error, explicit.summary.verdict.max_inertia
    ));
    assert!(check.passed, "{check:?}");
    assert!(mean < 1e-2, "inertia stays small: {mean}");
}

#[test]
fn threads_change_no_bit() {
    let hashes: Vec<String> = ["geologic-fault", "geologic-fault-explicit"]
        .iter()
        .flat_map(|case| {
            let steps = format!("duration={:?}", 12.0 * load(case, &[]).case.step);
            let loaded = load(case, &[&steps, "verify=None"]);
            [1, 2].map(|threads| try_run(&loaded, Some(threads)).0.unwrap().state_hash)
        })
        .collect();
    assert!(hashes[0] == hashes[1] && hashes[2] == hashes[3] && hashes[0] != hashes[2], "{hashes:?}");
}
