//! What a body without supports and loads must keep: uniform motion and momentum.

use delassus_dynamics::System;
use proptest::prelude::*;

use crate::common::{Linear, Random, Run, Worst, schemes};

fn momentum(system: &Linear, v: &[f64]) -> f64 {
    let mut p = vec![0.0; v.len()];
    system.mass_times_into(v, &mut p);
    p.iter().sum()
}

/// Σ |K q|.
fn internal_forces(system: &Linear, q: &[f64]) -> f64 {
    let mut force = vec![0.0; q.len()];
    system.elastic_force_into(q, &mut force);
    force.iter().map(|f| f.abs()).sum()
}

#[test]
fn uniform_motion_is_exact_for_any_step() {
    for scheme in schemes() {
        for lumped in [true, false] {
            for h in [1e-6, 0.01, 1.0, 50.0] {
                let system = Linear::chain(7, 1.3, 0.6, 8.0, lumped);
                let mut run = Run::new(&system, scheme.integrator.as_ref(), h);
                // Far from the origin: relative displacements are still exactly zero.
                let (q0, v0) = (1.0e4, -2.7);
                let mut state = run.start(0.0, vec![q0; 7], vec![v0; 7]);
                for _ in 0..100 {
                    state = run.step(&state);
                }
                let exact = q0 + v0 * 100.0 * h;
                for i in 0..7 {
                    let name = scheme.name();
                    assert!((state.v[i] - v0).abs() < 1e-14, "{name}, h = {h}: v = {}", state.v[i]);
                    // A hundred additions to a number of size max(|q0|, |exact|).
                    let tolerance = 100.0 * f64::EPSILON * q0.abs().max(exact.abs());
                    assert!((state.q[i] - exact).abs() < tolerance, "{name}, h = {h}: q = {}, not {exact}", state.q[i]);
                }
            }
        }
    }
}

#[test]
fn momentum_changes_by_the_impulse() {
    let mut worst = Worst::default();
    for scheme in schemes() {
        for lumped in [true, false] {
            for h in [1e-3, 0.1, 3.0] {
                let mut random = Random::new(17);
                let system = Linear::chain(11, 0.8, 0.5, 6.0, lumped);
                let mut run = Run::new(&system, scheme.integrator.as_ref(), h);
                let mut from = run.start(0.0, random.vector(11), random.vector(11));
                for step in 0..10 {
                    let impulse = random.vector(11);
                    let to = run.step_with(&from, &impulse);
                    let gained = momentum(&system, &to.v) - momentum(&system, &from.v);
                    let given: f64 = impulse.iter().sum();
                    // The sum cancels momenta, impulses and internal forces over h: rounding is relative to these.
                    let sizes = to.v.iter().chain(&from.v).chain(&impulse).map(|x| x.abs()).sum::<f64>();
                    let scale = sizes + h * internal_forces(&system, &to.q);
                    worst.see((gained - given).abs() / scale, || format!("{}, h = {h}, step {step}", scheme.name()));
                    from = to;
                }
            }
        }
    }
    worst.check(1e-13);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rigid translation changes nothing but q: forces come from relative displacements. The offset is a power of two
    /// so that adding it to multiples of 2⁻²⁰ rounds nothing.
    #[test]
    fn motion_does_not_depend_on_the_place(seed in any::<u64>(), exponent in -3.0_f64..0.5) {
        let h = 10.0_f64.powf(exponent);
        for scheme in schemes() {
            let mut random = Random::new(seed);
            let system = Linear::chain(6, 1.0, 0.2, 5.0, true);
            let grid = f64::from(1 << 20);
            let near: Vec<f64> = random.vector(6).iter().map(|x| (x * grid).round() / grid).collect();
            let far: Vec<f64> = near.iter().map(|x| x + 1024.0).collect();
            let v = random.vector(6);
            let mut run = Run::new(&system, scheme.integrator.as_ref(), h);
            let (a, b) = (run.start(0.0, near, v.clone()), run.start(0.0, far, v));
            let (a, b) = (run.step(&a), run.step(&b));
            for i in 0..6 {
                // One rounding of q_θ at size 1024 (1e-13), times h k / m̂ ≤ 5 / h·…: below 1e-11 for these steps.
                prop_assert!((a.v[i] - b.v[i]).abs() < 1e-11, "{}: {} against {}", scheme.name(), a.v[i], b.v[i]);
                prop_assert!((a.q[i] + 1024.0 - b.q[i]).abs() < 1e-11);
            }
        }
    }
}
