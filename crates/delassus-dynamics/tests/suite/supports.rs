//! Prescribed dofs: they move exactly as told, and the supports carry what they must.

use delassus_dynamics::integrator::Balance;
use delassus_dynamics::{State, System};

use crate::common::{Linear, Random, Run, Scheme, Worst, all_schemes, schemes};

fn balance(scheme: &Scheme, system: &Linear, from: &State, to: &State, h: f64) -> Balance {
    let none = vec![0.0; system.n_dof()];
    Run::new(system, scheme.integrator.as_ref(), h).balance(from, to, &none)
}

#[test]
fn prescribed_velocities_are_met_to_the_last_bit() {
    for scheme in schemes() {
        for lumped in [true, false] {
            let mut random = Random::new(5);
            let system = Linear::busy_chain(&mut random, 9, lumped, &[0, 4, 8]);
            let mut run = Run::new(&system, scheme.integrator.as_ref(), 0.17);
            let mut state = run.start(0.6, random.vector(9), random.vector(9));
            for step in 0..20 {
                for (&dof, (v, a)) in system.prescribed().iter().zip(system.prescribed_motion(state.t)) {
                    let name = scheme.name();
                    assert_eq!(state.v[dof].to_bits(), v.to_bits(), "{name}, step {step}, dof {dof}");
                    if scheme.integrator.keeps_acceleration() {
                        assert_eq!(state.aux[dof].to_bits(), a.to_bits(), "{name}, step {step}, dof {dof}");
                    }
                }
                // Impulses on prescribed dofs too: they must go into the support.
                state = run.step_with(&state, &random.vector(9));
            }
        }
    }
}

#[test]
fn start_leaves_free_velocities_alone() {
    for scheme in schemes() {
        let mut random = Random::new(6);
        let system = Linear::busy_chain(&mut random, 5, true, &[2]);
        let run = Run::new(&system, scheme.integrator.as_ref(), 0.1);
        let (q, v) = (random.vector(5), random.vector(5));
        let state = run.start(1.3, q.clone(), v.clone());
        assert_eq!(state.q, q);
        for i in [0, 1, 3, 4] {
            assert_eq!(state.v[i].to_bits(), v[i].to_bits());
        }
        assert_eq!(state.v[2].to_bits(), system.prescribed_motion(1.3)[0].0.to_bits());
    }
}

#[test]
fn held_end_of_a_pulled_chain_carries_the_load() {
    // dof 0 held, a force on every dof: spring i is stretched by the sum of the forces beyond it, nothing moves.
    let (n, k, h) = (12, 30.0, 0.05);
    let force = |dof: usize| 1.0 + 0.37 * dof as f64;
    let beyond = |i: usize| (i..n).map(force).sum::<f64>();
    let mut q = vec![0.0; n];
    for i in 1..n {
        q[i] = q[i - 1] + beyond(i) / k;
    }
    let expected = -h * beyond(0);
    let mut worst = Worst::default();
    for scheme in all_schemes() {
        for lumped in [true, false] {
            let system =
                Linear::chain(n, 1.0, 0.4, k, lumped).loaded(move |dof, _| force(dof)).moved(&[0], |_, _| (0.0, 0.0));
            let mut run = Run::new(&system, scheme.integrator.as_ref(), h);
            let mut from = run.start(0.0, q.clone(), vec![0.0; n]);
            for _ in 0..5 {
                let to = run.step(&from);
                let b = balance(&scheme, &system, &from, &to, h);
                worst.see((b.support_impulse[0] - expected).abs() / expected.abs(), || scheme.name());
                worst.see(b.support_work.abs() / expected.abs(), || scheme.name());
                from = to;
            }
        }
    }
    // Rounding of positions up to 7 m: 1e-15 · k against forces of 36 N, over five steps.
    worst.check(1e-13);
}

#[test]
fn impulse_on_a_prescribed_dof_is_taken_by_its_support() {
    for scheme in all_schemes() {
        let system = Linear::chain(4, 1.0, 0.0, 5.0, false).moved(&[1], |_, _| (0.0, 0.0));
        let mut run = Run::new(&system, scheme.integrator.as_ref(), 0.1);
        let from = run.start(0.0, vec![0.0; 4], vec![0.0; 4]);
        let impulse = [0.0, 3.0, 0.0, 0.0];
        let to = run.step_with(&from, &impulse);
        assert!(to.v.iter().chain(&to.q).all(|x| x.abs() < 1e-16), "{}: nothing may move", scheme.name());
        assert!((run.balance(&from, &to, &impulse).support_impulse[0] + 3.0).abs() < 1e-15, "{}", scheme.name());
    }
}

#[test]
fn driven_mass_needs_the_analytic_impulse() {
    // m alone, V = sin t, load P: s = m ΔV − h (θ P⁺ + (1−θ) P), exactly.
    let (m, h) = (3.0, 0.2);
    for scheme in schemes() {
        let load = |t: f64| 0.5 + t * t;
        let system =
            Linear::oscillator(m, 0.0, 0.0).loaded(move |_, t| load(t)).moved(&[0], |_, t: f64| (t.sin(), t.cos()));
        let mut run = Run::new(&system, scheme.integrator.as_ref(), h);
        let mut from = run.start(0.4, vec![0.0], vec![0.0]);
        for _ in 0..20 {
            let to = run.step(&from);
            let b = balance(&scheme, &system, &from, &to, h);
            let mean = scheme.weight() * load(to.t) + (1.0 - scheme.weight()) * load(from.t);
            let expected = m * (to.t.sin() - from.t.sin()) - h * mean;
            let name = scheme.name();
            assert!((b.support_impulse[0] - expected).abs() < 1e-13, "{name}: {} not {expected}", b.support_impulse[0]);
            from = to;
        }
    }
}

#[test]
fn total_impulse_of_a_driven_oscillator_converges_to_the_integral() {
    // m, c, k on one dof moved by V = sin t from q = 0: ∫(m a + c v + k q) dt = m sin T + c (1 − cos T) + k (T − sin T).
    let (m, c, k, end) = (2.0, 0.7, 5.0, 2.0_f64);
    let exact = m * end.sin() + c * (1.0 - end.cos()) + k * (end - end.sin());
    for scheme in schemes() {
        let error = |n: u32| {
            let system = Linear::oscillator(m, c, k).moved(&[0], |_, t: f64| (t.sin(), t.cos()));
            let h = end / f64::from(n);
            let mut run = Run::new(&system, scheme.integrator.as_ref(), h);
            let mut from = run.start(0.0, vec![0.0], vec![0.0]);
            let mut total = 0.0;
            for _ in 0..n {
                let to = run.step(&from);
                total += balance(&scheme, &system, &from, &to, h).support_impulse[0];
                from = to;
            }
            (total - exact).abs()
        };
        let order = (error(200) / error(800)).log2() / 2.0;
        assert!(order > scheme.order - 0.05, "{}: order {order}", scheme.name());
    }
}
