//! The energy identity of every scheme, exact per step, under everything at once.
//!
//! ```text
//! E(to) − E(from) = load_work + support_work + H p·v_t − viscous − numerical
//! ```

use delassus_dynamics::integrator::Balance;
use delassus_dynamics::{State, System};
use proptest::prelude::*;

use crate::common::{Family, Linear, Random, Run, Scheme, Worst, all_schemes, dot, schemes};

/// E of a state, from the forms of the system and not through `balance`.
fn energy(system: &Linear, state: &State) -> f64 {
    system.mass.half_square(&state.v) + system.stiffness.half_square(&state.q)
}

/// The same, without kinetic energy where a scheme has no inertia.
fn energy_in(scheme: &Scheme, system: &Linear, state: &State) -> f64 {
    if scheme.integrator.has_inertia() { energy(system, state) } else { system.stiffness.half_square(&state.q) }
}

/// ½h²(β−γ/2) a·M a: what Newmark's numerical dissipation may give back.
fn algorithmic(scheme: &Scheme, system: &Linear, state: &State, h: f64) -> f64 {
    match scheme.family {
        Family::Newmark { gamma, beta } => h * h * (beta - 0.5 * gamma) * system.mass.half_square(&state.aux),
        _ => 0.0,
    }
}

/// |left − right| of the identity over the sum of the sizes of its terms.
fn violation(before: f64, b: &Balance, contact_impulse: &[f64]) -> f64 {
    let after = b.kinetic + b.elastic;
    let contact = dot(contact_impulse, &b.test_velocity);
    let left = after - before - (b.load_work + b.support_work + contact - b.viscous - b.numerical);
    let terms = [before, after, b.load_work, b.support_work, contact, b.viscous, b.numerical];
    left.abs() / terms.iter().map(|x| x.abs()).sum::<f64>()
}

/// Five steps of one scheme with random impulses on the free dofs; the largest violation.
fn run(scheme: &Scheme, system: &Linear, random: &mut Random, h: f64, worst: &mut Worst, case: &str) {
    let n = system.n_dof();
    let mut run = Run::new(system, scheme.integrator.as_ref(), h);
    let mut from = run.start(random.between(-2.0, 2.0), random.vector(n), random.vector(n));
    let mut before = energy_in(scheme, system, &from);
    for step in 0..5 {
        let mut impulse = random.vector(n);
        for &dof in system.prescribed() {
            impulse[dof] = 0.0;
        }
        let to = run.step_with(&from, &impulse);
        let balance = run.balance(&from, &to, &impulse);
        let case = || format!("{}, {case}, h = {h}, step {step}", scheme.name());
        worst.see(violation(before, &balance, &impulse), case);
        let after = energy_in(scheme, system, &to);
        worst.see((balance.kinetic + balance.elastic - after).abs() / after, case);
        let stored = algorithmic(scheme, system, &to, h) - algorithmic(scheme, system, &from, h);
        let lost = balance.numerical - stored;
        assert!(lost >= -1e-12 * stored.abs(), "{}: numerical dissipation {lost}", case());
        (from, before) = (to, balance.kinetic + balance.elastic);
    }
}

#[test]
fn identity_holds_with_loads_damping_supports_and_impulses() {
    let mut worst = Worst::default();
    for scheme in all_schemes() {
        for lumped in [true, false] {
            for fixed in [vec![], vec![0], vec![0, 7], vec![3, 4]] {
                for h in [1e-4, 1e-2, 0.3, 5.0] {
                    let mut random = Random::new(40 + fixed.len() as u64);
                    let system = Linear::busy_chain(&mut random, 8, lumped, &fixed);
                    run(&scheme, &system, &mut random, h, &mut worst, &format!("lumped {lumped}, fixed {fixed:?}"));
                }
            }
        }
    }
    worst.check(1e-12);
}

#[test]
fn conserving_schemes_lose_nothing() {
    for scheme in schemes() {
        let system = Linear::chain(6, 1.0, 0.0, 3.0, true);
        let mut random = Random::new(8);
        let mut run = Run::new(&system, scheme.integrator.as_ref(), 0.4);
        let mut state = run.start(0.0, random.vector(6), random.vector(6));
        let first = energy(&system, &state);
        for _ in 0..1000 {
            state = run.step(&state);
        }
        let ratio = energy(&system, &state) / first;
        if scheme.order > 1.5 {
            // A thousand steps of rounding.
            assert!((ratio - 1.0).abs() < 1e-12, "{}: E/E₀ = {ratio}", scheme.name());
        } else {
            // The translation of the whole remains, the oscillation must have decayed.
            assert!(ratio < 0.9, "{}: E/E₀ = {ratio}", scheme.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn identity_holds_on_any_system(seed in any::<u64>(), n in 2_usize..14, exponent in -4.0_f64..1.0, n_fixed in 0_usize..3) {
        let h = 10.0_f64.powf(exponent);
        for scheme in all_schemes() {
            let mut random = Random::new(seed);
            let fixed = random.subset(n, n_fixed.min(n - 1));
            let system = Linear::random(&mut random, n)
                .loaded(|dof, t| (2.0 * t + dof as f64).sin())
                .moved(&fixed, |dof, t| ((t + dof as f64).sin(), (t + dof as f64).cos()));
            let mut worst = Worst::default();
            run(&scheme, &system, &mut random, h, &mut worst, &format!("seed {seed}, n = {n}, {n_fixed} fixed"));
            worst.check(1e-12);
        }
    }
}
