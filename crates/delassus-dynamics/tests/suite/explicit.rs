//! The explicit scheme: symplectic Euler with real masses, dynamic relaxation with fictitious ones.

use delassus_dynamics::integrator::{BodyView, Explicit, Masses, first_guess};
use delassus_dynamics::{DynamicsError, Integrator, Operator, State, System};

use crate::common::{Form, Linear, Random, Worst};

const REAL: Explicit = Explicit { masses: Masses::Real, damping: 0.0 };

/// A step as a run does it: M̂ is the diagonal that the scheme gives.
fn step(scheme: &Explicit, system: &Linear, from: &State, h: f64, impulse: &[f64]) -> (State, f64) {
    let start = scheme.begin(BodyView { system, mass: None }, from, h);
    let mut v = first_guess(&start);
    let analysis = scheme.analyse(system).unwrap();
    let mut operator = Operator::with_analysis(&analysis, system, scheme.effective_mass(&start, &v)).unwrap();
    let mut change = scheme.residual(&start, &v);
    change.iter_mut().zip(impulse).for_each(|(r, p)| *r += p);
    operator.apply(&mut change);
    v.iter_mut().zip(&change).for_each(|(v, d)| *v += d);
    let end = scheme.finish(&start, v);
    let b = scheme.balance(&start, &end, impulse);
    let contact: f64 = b.test_velocity.iter().zip(impulse).map(|(v, p)| v * p).sum();
    let before = system.mass.half_square(&from.v) + system.stiffness.half_square(&from.q);
    let gain = b.kinetic + b.elastic - before;
    let terms = [gain, b.load_work, b.support_work, contact, b.viscous, b.numerical];
    let left = gain - (b.load_work + b.support_work + contact - b.viscous - b.numerical);
    (end.state, left.abs() / terms.iter().map(|x| x.abs()).sum::<f64>())
}

fn zeros(n: usize) -> Vec<f64> {
    vec![0.0; n]
}

#[test]
fn one_dof_steps_as_symplectic_euler() {
    let (m, k, h) = (2.0, 3.0, 0.4);
    let system = Linear::new(Form::new(vec![m]), Form::zero(1), Form::new(vec![k]));
    let from = State::new(0.0, vec![0.7], vec![-0.2]);
    let (to, _) = step(&REAL, &system, &from, h, &[0.0]);
    let v = -0.2 - h * k / m * 0.7;
    assert!((to.v[0] - v).abs() < 1e-15 && (to.q[0] - (0.7 + h * v)).abs() < 1e-15);
    let critical = REAL.critical_step(&system, &from, h).unwrap();
    assert!((critical - 2.0 / (k / m).sqrt()).abs() < 1e-15, "2/ω, exact for one dof");
}

#[test]
fn energy_identity_holds_with_loads_supports_damping_and_impulses() {
    let mut worst = Worst::default();
    for (seed, fixed) in [(1, vec![]), (2, vec![0]), (3, vec![2, 7])] {
        let mut random = Random::new(seed);
        let system = Linear::busy_chain(&mut random, 9, true, &fixed);
        for scheme in [
            REAL,
            Explicit { damping: 0.4, ..REAL },
            Explicit { masses: Masses::Fictitious { safety: 0.6 }, damping: 0.4 },
        ] {
            let mut state = State::new(0.3, random.vector(9), random.vector(9));
            BodyView { system: &system, mass: None }.start(&mut state);
            for _ in 0..5 {
                let (to, left) = step(&scheme, &system, &state, 0.05, &random.vector(9));
                worst.see(left, || format!("seed {seed}, {scheme:?}"));
                state = to;
            }
        }
    }
    // a dozen terms of the same size
    worst.check(1e-13);
}

/// Stiffness of a chain held at its first mass, with a load at its end: q = P (1, 2, 3, …)/k.
fn held_chain(n: usize, load: f64) -> Linear {
    let system = Linear::chain(n, 1.0, 0.0, 5.0, true).moved(&[0], |_, _| (0.0, 0.0));
    system.loaded(move |dof, _| if dof == n - 1 { load } else { 0.0 })
}

#[test]
fn fictitious_masses_make_any_step_stable() {
    let n = 12;
    let system = held_chain(n, 0.0);
    for h in [1e-6, 1.0, 1e9] {
        let scheme = Explicit { masses: Masses::Fictitious { safety: 0.8 }, damping: 0.0 };
        let from = State::new(0.0, Random::new(4).vector(n), zeros(n));
        let start = scheme.begin(BodyView { system: &system, mass: None }, &from, h);
        let masses = start.masses.clone().unwrap();
        // inner masses have 2k on the diagonal and k to each side
        assert!((masses[5] / (h * h * 20.0 / (4.0 * 0.64)) - 1.0).abs() < 1e-14, "h = {h}: {}", masses[5]);
        let mut state = from.clone();
        let first = system.stiffness.half_square(&state.q);
        let mut largest = 0.0_f64;
        for _ in 0..3000 {
            state = step(&scheme, &system, &state, h, &zeros(n)).0;
            largest = largest.max(system.stiffness.half_square(&state.q));
        }
        assert!(largest < 20.0 * first, "h = {h}: energies {first}, then up to {largest}");
        assert!(state.q.iter().any(|q| q.abs() > 1e-3), "h = {h}: it still swings");
    }
}

#[test]
fn local_damping_ends_in_equilibrium() {
    let n = 12;
    let system = held_chain(n, 2.0);
    let scheme = Explicit { masses: Masses::Fictitious { safety: 0.7 }, damping: 0.5 };
    let mut state = State::new(0.0, zeros(n), zeros(n));
    for _ in 0..4000 {
        state = step(&scheme, &system, &state, 10.0, &zeros(n)).0;
    }
    for (i, q) in state.q.iter().enumerate() {
        assert!((q - 2.0 * i as f64 / 5.0).abs() < 1e-9, "mass {i} at {q}");
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let refused = |scheme: Explicit, name: &str| match scheme.checked().unwrap_err() {
        DynamicsError::Parameter { parameter, .. } => assert_eq!(parameter, name),
        other => panic!("{other}"),
    };
    for damping in [-0.1, 1.0, f64::NAN] {
        refused(Explicit { damping, ..REAL }, "damping");
    }
    for safety in [0.0, 1.0, -1.0, f64::NAN] {
        refused(Explicit { masses: Masses::Fictitious { safety }, damping: 0.0 }, "safety");
    }
    assert!(REAL.checked().is_ok() && REAL.requires_lumped_mass());
    assert_eq!(held_chain(3, 0.0).n_dof(), 3);
}
