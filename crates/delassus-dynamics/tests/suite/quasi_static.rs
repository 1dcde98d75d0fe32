//! Statics: equilibrium at the end of every step, whatever its length and whatever velocities are left from before.

use delassus_dynamics::integrator::{IntegratorSpec, QuasiStatic};

use crate::common::{Linear, Random, Run, Worst, bits};

/// dof 0 moves by 0.3 t, a force on every dof that grows with t: spring i is stretched by the sum of the forces beyond it.
#[test]
fn every_step_ends_in_equilibrium() {
    let (n, k) = (9, 30.0);
    let force = |dof: usize, t: f64| t * (1.0 + 0.37 * dof as f64);
    let mut worst = Worst::default();
    for lumped in [true, false] {
        for h in [1e-6, 0.1, 7.0] {
            let system = Linear::chain(n, 1.0, 0.0, k, lumped).loaded(force).moved(&[0], |_, _| (0.3, 0.0));
            let mut run = Run::new(&system, &QuasiStatic, h);
            let mut state = run.start(0.0, vec![0.0; n], Random::new(3).vector(n));
            for step in 0..5 {
                state = run.step(&state);
                let t = state.t;
                let mut exact = 0.3 * t;
                for (i, q) in state.q.iter().enumerate() {
                    let beyond: f64 = (i..n).map(|dof| force(dof, t)).sum();
                    exact += if i > 0 { beyond / k } else { 0.0 };
                    worst.see((q - exact).abs() / t, || format!("h = {h}, step {step}, dof {i}"));
                }
            }
        }
    }
    // displacements of 6 t, over five steps
    worst.check(1e-13);
}

/// A damper and a spring in parallel creep towards the equilibrium as implicit Euler's method has it, and the path of the load does not depend on velocities before.
#[test]
fn viscosity_creeps() {
    let (c, k, p, h) = (2.0, 5.0, 3.0, 0.1);
    let system = Linear::oscillator(1.0, c, k).loaded(move |_, _| p);
    let mut run = Run::new(&system, &QuasiStatic, h);
    let mut state = run.start(0.0, vec![0.0], vec![1e3]);
    let mut exact = 0.0;
    for _ in 0..50 {
        state = run.step(&state);
        exact = (exact + h * p / c) / (1.0 + h * k / c);
        assert!((state.q[0] - exact).abs() < 1e-13, "{} not {exact}", state.q[0]);
        assert!((c * state.v[0] + k * state.q[0] - p).abs() < 1e-12);
    }
    let other = run.start(0.0, vec![0.25], vec![-7.0]);
    let still = run.start(0.0, vec![0.25], vec![0.0]);
    assert_eq!(bits(&run.step(&other).q), bits(&run.step(&still).q));
}

/// Of a load that grows in n equal steps from nothing the steps take 1/n of what is stored.
#[test]
fn what_the_steps_take() {
    let k = 8.0;
    for n in [1_u32, 4, 50] {
        let system = Linear::oscillator(2.0, 0.0, k).loaded(|_, t| 3.0 * t);
        let mut run = Run::new(&system, &QuasiStatic, 1.0 / f64::from(n));
        let mut state = run.start(0.0, vec![0.0], vec![0.0]);
        let (mut work, mut taken, mut stored) = (0.0, 0.0, 0.0);
        for _ in 0..n {
            let to = run.step(&state);
            let b = run.balance(&state, &to, &[0.0]);
            assert!(b.kinetic.abs() <= 0.0);
            (work, taken, stored, state) = (work + b.load_work, taken + b.numerical, b.elastic, to);
        }
        assert!((stored - 9.0 / (2.0 * k)).abs() < 1e-13);
        assert!((taken - stored / f64::from(n)).abs() < 1e-13, "{n}: {taken}");
        assert!((work - stored - taken).abs() < 1e-13, "{n}: {work}");
    }
}

#[test]
fn a_scheme_of_its_name() {
    assert_eq!(IntegratorSpec::from(QuasiStatic), IntegratorSpec::QuasiStatic);
    let scheme = IntegratorSpec::QuasiStatic.build().unwrap();
    assert!(!scheme.has_inertia() && !scheme.keeps_acceleration() && !scheme.requires_lumped_mass());
    assert!(!scheme.tells_inertia(true));
}
