//! One dof that touches a wall at q = 0, held there by the impulse that makes the predicted gap vanish at every step.
//!
//! ```text
//! g(q_c) + τ V⁺ = 0    ⇒    θ-method    V⁺ = (1 − 1/θ) V at every step        (Vola et al. 1998: the oscillation)
//!                           modified θ  V⁺ = −(1−θ) V, then 0; true gap −h(1−θ)² |V| at first touch
//!                           θ-Euler     V⁺ = 0 at once
//!                           Newmark     V⁺ = (1 − γ/β) V while a = 0
//! ```

use delassus_dynamics::State;

use crate::common::{Family, Linear, Run, Scheme, all_schemes};

const H: f64 = 0.013;
const SPEED: f64 = -1.7;

/// The states of the dof that touches the wall with velocity `SPEED`, over ten steps.
fn hold(scheme: &Scheme, system: &Linear) -> Vec<State> {
    let mut run = Run::new(system, scheme.integrator.as_ref(), H);
    let mut state = run.start(0.0, vec![0.0], vec![SPEED]);
    let mut history = vec![state.clone()];
    for _ in 0..10 {
        let gap = scheme.integrator.contact_configuration(system, &state, H)[0];
        let target = -gap / scheme.integrator.gap_time(H);
        let w = run.w(0, 0);
        let p = (target - run.free_velocity(&state)[0]) / w;
        state = run.step_with(&state, &[p]);
        history.push(state.clone());
    }
    history
}

/// The contact velocities that the scheme has to produce.
fn expected(family: Family) -> Vec<f64> {
    let powers = |ratio: f64| (0..=10).map(|i| SPEED * ratio.powi(i)).collect();
    let mut still = vec![0.0; 11];
    still[0] = SPEED;
    match family {
        Family::Theta(theta) => powers(1.0 - 1.0 / theta),
        Family::ModifiedTheta(theta) => {
            still[1] = -(1.0 - theta) * SPEED;
            still
        }
        Family::EnergyMomentum(_) => {
            still[1] = -0.5 * SPEED;
            still
        }
        Family::ThetaEuler(_) | Family::QuasiStatic => still,
        Family::Newmark { gamma, beta } => powers(1.0 - gamma / beta),
    }
}

#[test]
fn velocity_of_a_lasting_contact() {
    for scheme in all_schemes() {
        let system = Linear::oscillator(2.0, 0.3, 40.0);
        // Newmark's acceleration has to vanish at q = 0: no damper there.
        let undamped = Linear::oscillator(2.0, 0.0, 40.0);
        let newmark = scheme.integrator.keeps_acceleration();
        let history = hold(&scheme, if newmark { &undamped } else { &system });
        for (i, (state, v)) in history.iter().zip(expected(scheme.family)).enumerate() {
            // No ratio exceeds one in size (2β ≥ γ), so roundings do not grow.
            assert!(
                (state.v[0] - v).abs() < 1e-13 * SPEED.abs(),
                "{}, step {i}: V = {}, not {v}",
                scheme.name(),
                state.v[0]
            );
        }
    }
}

#[test]
fn loads_change_the_impulse_and_not_the_velocity() {
    for scheme in all_schemes().iter().filter(|s| !s.integrator.keeps_acceleration()) {
        let pressed = Linear::oscillator(2.0, 0.3, 40.0).loaded(|_, t| -50.0 - 10.0 * t);
        for (i, (state, v)) in hold(scheme, &pressed).iter().zip(expected(scheme.family)).enumerate() {
            assert!((state.v[0] - v).abs() < 1e-12, "{}, step {i}: V = {}, not {v}", scheme.name(), state.v[0]);
        }
    }
}

#[test]
fn true_gap_is_closed_but_for_the_modified_scheme_at_first_touch() {
    for scheme in all_schemes() {
        let history = hold(&scheme, &Linear::oscillator(2.0, 0.0, 40.0));
        for (i, state) in history.iter().enumerate().skip(1) {
            let depth = match scheme.family {
                Family::ModifiedTheta(theta) if i == 1 => H * (1.0 - theta).powi(2) * SPEED,
                Family::EnergyMomentum(_) if i == 1 => 0.25 * H * SPEED,
                _ => 0.0,
            };
            assert!((state.q[0] - depth).abs() < 1e-15, "{}, step {i}: gap {}, not {depth}", scheme.name(), state.q[0]);
        }
    }
}

#[test]
fn resting_contact_carries_the_load() {
    // Held still under a constant load the impulse is minus the load times h, whatever the scheme.
    for scheme in all_schemes() {
        let system = Linear::oscillator(2.0, 0.3, 40.0).loaded(|_, _| -50.0);
        let mut run = Run::new(&system, scheme.integrator.as_ref(), H);
        let mut state = run.start(0.0, vec![0.0], vec![0.0]);
        // Newmark's own a = P/m takes no notice of the reaction, and q_c moves by h²(½−β/γ)a: with β ≠ γ/2 the contact
        // does not stay at rest.
        let surplus = match scheme.family {
            Family::Newmark { gamma, beta } => 0.5 - beta / gamma,
            _ => 0.0,
        };
        for _ in 0..10 {
            let gap = scheme.integrator.contact_configuration(&system, &state, H)[0];
            let creep = H * H * surplus * -25.0;
            assert!((gap - creep).abs() < 1e-16, "{}: q_c = {gap}, not {creep}", scheme.name());
            if surplus < 0.0 {
                break;
            }
            let target = -gap / scheme.integrator.gap_time(H);
            let p = (target - run.free_velocity(&state)[0]) / run.w(0, 0);
            assert!((p - 50.0 * H).abs() < 1e-13, "{}: p = {p}", scheme.name());
            state = run.step_with(&state, &[p]);
        }
    }
}
