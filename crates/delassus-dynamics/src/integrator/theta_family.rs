//! What the schemes of the θ family share.
//!
//! ```text
//! r(v⁺) = h (P_θ − C v_θ − K q_θ) − M (v⁺ − v)
//! v_θ = θ v⁺ + (1−θ) v ,   P_θ = θ P(t⁺) + (1−θ) P(t)
//! q_θ = q + θ Δq           Δq = h v_θ (θ, modified θ) or h v⁺ (θ-Euler)
//! ```
//!
//! Energy, exact for a linear body (s: support impulses):
//!
//! ```text
//! ΔE = h v_t·P_θ + v_t·(H p + s) − h v_t·C v_θ − m |Δv|²_M − (θ−½) |Δq|²_K
//! v_t = v_θ, m = θ−½ (θ, modified θ)      v_t = v⁺, m = ½ (θ-Euler)
//! ```

use super::{Balance, StepView};
use crate::{DynamicsError, State, System};

/// θ of a scheme, checked.
pub(super) fn check_theta(scheme: &'static str, theta: f64) -> Result<(), DynamicsError> {
    if (0.5..=1.0).contains(&theta) {
        return Ok(());
    }
    Err(DynamicsError::Parameter {
        scheme,
        parameter: "theta",
        value: theta,
        allowed: "theta must lie in [0.5, 1] (0.5 conserves energy, 1 is implicit Euler)",
    })
}

/// x + a y.
pub(super) fn plus_scaled(x: &[f64], a: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x + a * y).collect()
}

/// b x + a y.
pub(super) fn blend(b: f64, x: &[f64], a: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| b * x + a * y).collect()
}

pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// P(t) − C v − K q.
pub(super) fn net_force(system: &dyn System, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut force = vec![0.0; q.len()];
    let mut part = vec![0.0; q.len()];
    system.loads_into(t, &mut force);
    subtract_resistance(system, q, v, &mut force, &mut part);
    force
}

fn subtract_resistance(system: &dyn System, q: &[f64], v: &[f64], force: &mut [f64], part: &mut [f64]) {
    system.elastic_force_into(q, part);
    for (f, x) in force.iter_mut().zip(part.iter()) {
        *f -= x;
    }
    if system.is_damped() {
        system.viscous_force_into(v, part);
        for (f, x) in force.iter_mut().zip(part.iter()) {
            *f -= x;
        }
    }
}

/// P_θ.
fn mean_load(system: &dyn System, t: f64, h: f64, theta: f64) -> Vec<f64> {
    let mut before = vec![0.0; system.n_dof()];
    let mut after = vec![0.0; system.n_dof()];
    system.loads_into(t, &mut before);
    system.loads_into(t + h, &mut after);
    blend(1.0 - theta, &before, theta, &after)
}

/// r(v) with forces at `q_theta`, v_θ.
pub(super) fn residual(system: &dyn System, from: &State, v: &[f64], q_theta: &[f64], theta: f64, h: f64) -> Vec<f64> {
    let v_theta = blend(1.0 - theta, &from.v, theta, v);
    let mut force = mean_load(system, from.t, h, theta);
    let mut part = vec![0.0; v.len()];
    subtract_resistance(system, q_theta, &v_theta, &mut force, &mut part);
    let jump: Vec<f64> = v.iter().zip(&from.v).map(|(a, b)| a - b).collect();
    system.mass_times_into(&jump, &mut part);
    force.iter().zip(&part).map(|(f, m)| h * f - m).collect()
}

/// ½ vᵀ M v.
pub(super) fn kinetic_energy(system: &dyn System, v: &[f64]) -> f64 {
    let mut momentum = vec![0.0; v.len()];
    system.mass_times_into(v, &mut momentum);
    0.5 * dot(v, &momentum)
}

/// The energy identity above. `residual` = r(v⁺), `mass_share` = m.
pub(super) fn balance(
    step: &StepView<'_>,
    theta: f64,
    mass_share: f64,
    test_velocity: Vec<f64>,
    residual: impl FnOnce() -> Vec<f64>,
) -> Balance {
    let StepView { system, from, to, h, contact_impulse } = *step;
    let dq = blend(-1.0, &from.q, 1.0, &to.q);
    let dv = blend(-1.0, &from.v, 1.0, &to.v);
    let load_work = h * dot(&test_velocity, &mean_load(system, from.t, h, theta));
    let viscous = if system.is_damped() {
        let mut force = vec![0.0; dq.len()];
        system.viscous_force_into(&blend(1.0 - theta, &from.v, theta, &to.v), &mut force);
        h * dot(&test_velocity, &force)
    } else {
        0.0
    };
    let stiffness_share = theta - 0.5;
    let mut numerical = 0.0;
    if mass_share > 0.0 {
        numerical += mass_share * 2.0 * kinetic_energy(system, &dv);
    }
    if stiffness_share > 0.0 {
        numerical += stiffness_share * 2.0 * system.elastic_energy(&dq);
    }
    let fixed = system.prescribed();
    let mut support_impulse = Vec::new();
    if !fixed.is_empty() {
        let left = residual();
        support_impulse = fixed.iter().map(|&dof| -(left[dof] + contact_impulse[dof])).collect();
    }
    let support_work = fixed.iter().zip(&support_impulse).map(|(&dof, s)| s * test_velocity[dof]).sum();
    Balance {
        test_velocity,
        kinetic: kinetic_energy(system, &to.v),
        elastic: system.elastic_energy(&to.q),
        load_work,
        support_work,
        viscous,
        numerical,
        support_impulse,
    }
}
