//! Newmark's method with the reaction as an impulse on the velocity.
//!
//! ```text
//! M a  = P − C v − K q                      without contact reactions, a = dV/dt on supports
//! v⁺   = v + h((1−γ) a + γ a⁺) + M⁻¹ H p
//! q_c  = q + h(1−β/γ) v + h²(½−β/γ) a       q⁺ = q_c + τ v⁺ ,   τ = hβ/γ
//! M̂    = M + hγ C + h²β K
//! ```
//!
//! (½, ¼) is the θ-method at ½, contact included. Newmark's method is provided for comparison: it oscillates
//! in contact.
//!
//! Energy, exact for a linear body, with f = P − C v + R (R: support forces), x_γ = (1−γ) x + γ x⁺ and s the support
//! impulses beyond h R_γ:
//!
//! ```text
//! Δ(E + ½h²(β−γ/2) a·M a) = Δq·f_γ + v_t·(H p + s) − (γ−½)(|Δq|²_K + h²(β−γ/2)|Δa|²_M)
//! v_t = Δq/h − (β/γ−½)(Δv + hγ Δa)
//! ```
//!
//! The change of the algorithmic energy ½h²(β−γ/2) a·M a counts as numerical dissipation (it may be negative).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::theta_family::{
    InternalWork, blend, dot, free_square, kinetic_energy, net_force, plus_scaled, scaled, subtract, subtract_viscosity,
};
use super::{Balance, Inertia, Integrator, StepEnd, StepStart};
use crate::effective_mass::Coefficients;
use crate::error::DynamicsError;
use crate::state::State;
use crate::system::System;

/// Newmark's method, γ ∈ [½, 1], 2β ≥ γ.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Newmark {
    /// γ.
    pub gamma: f64,
    /// β.
    pub beta: f64,
}

impl Newmark {
    /// Itself, if the parameters are allowed.
    pub fn checked(self) -> Result<Self, DynamicsError> {
        let scheme = "Newmark";
        if !(0.5..=1.0).contains(&self.gamma) {
            return Err(DynamicsError::Parameter {
                scheme,
                parameter: "gamma",
                value: self.gamma,
                allowed: "gamma must lie in [0.5, 1]",
            });
        }
        if !(2.0 * self.beta >= self.gamma && self.beta <= 1.0) {
            return Err(DynamicsError::Parameter {
                scheme,
                parameter: "beta",
                value: self.beta,
                allowed: "beta must lie in [gamma/2, 1] (unconditional stability)",
            });
        }
        Ok(self)
    }

    fn ratio(self) -> f64 {
        self.beta / self.gamma
    }
}

/// a, with zeros when the state was never started.
fn acceleration(state: &State) -> Vec<f64> {
    if state.aux.len() == state.v.len() { state.aux.clone() } else { vec![0.0; state.v.len()] }
}

fn times_mass(system: &dyn System, x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    system.mass_times_into(x, &mut out);
    out
}

impl Newmark {
    /// What a step takes from the spin of a body that turns \[J\]. The forces that keep its parts on their circles act with the weights 1 − γ and γ of both ends, hence behind its middle by
    /// (γ − ½) hω, and brake it as those of a θ-method do: by (γ − ½) |Δv|²_M of the spin.
    fn taken_from_spin(&self, start: &StepStart<'_>, dq: &[f64]) -> f64 {
        let share = self.gamma - 0.5;
        match (start.system().turning(), &start.turning) {
            (Some(body), Some(frame)) if share > 0.0 => share * body.step(frame, &start.motion(dq), self.gamma).spin,
            _ => 0.0,
        }
    }
}

impl Integrator for Newmark {
    fn gap_time(&self, h: f64) -> f64 {
        h * self.ratio()
    }

    fn contact_delay(&self, h: f64) -> f64 {
        h - self.gap_time(h)
    }

    fn force_level(&self) -> Option<f64> {
        Some(self.gamma)
    }

    fn coefficients(&self, h: f64) -> Coefficients {
        Coefficients { damping: h * self.gamma, stiffness: h * h * self.beta }
    }

    fn keeps_acceleration(&self) -> bool {
        true
    }

    fn contact_configuration(&self, system: &dyn System, from: &State, h: f64) -> Vec<f64> {
        let drifted = system.moved(&from.q, &scaled(h * (1.0 - self.ratio()), &from.v));
        system.moved(&drifted, &scaled(h * h * (0.5 - self.ratio()), &acceleration(from)))
    }

    fn residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        let (system, from, h) = (start.system(), start.from, start.h);
        let dq = self.displacement(from, v, h);
        let (mut force_plus, mut part) = (vec![0.0; v.len()], vec![0.0; v.len()]);
        let q = system.moved(&from.q, &dq);
        system.loads_at_into(from.t + h, &q, &mut force_plus);
        start.mean_force_into(&dq, 1.0, &mut part);
        subtract(&part, &mut force_plus);
        subtract_viscosity(system, &q, v, &mut force_plus, &mut part);
        let force = times_mass(system, &acceleration(from));
        let jump = times_mass(system, &blend(-1.0, &from.v, 1.0, v));
        let impulse = blend(h * (1.0 - self.gamma), &force, h * self.gamma, &force_plus);
        blend(1.0, &impulse, -1.0, &jump)
    }

    fn displacement(&self, from: &State, v: &[f64], h: f64) -> Vec<f64> {
        let drift = blend(h * (1.0 - self.ratio()), &from.v, h * h * (0.5 - self.ratio()), &acceleration(from));
        plus_scaled(&drift, self.gap_time(h), v)
    }

    fn finish(&self, start: &StepStart<'_>, v: Vec<f64>) -> StepEnd {
        let dq = self.displacement(start.from, &v, start.h);
        let response = start.system().respond(&start.motion(&dq));
        let z = response.as_ref().map(|a| a.z.clone()).unwrap_or_default();
        let q = start.system().moved(&start.from.q, &dq);
        let mut state = State { t: start.from.t + start.h, q, v, z, aux: Vec::new() };
        state.aux = start.body.acceleration(&state, response.as_ref());
        StepEnd { state, response, turned: None, reached: None }
    }

    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance {
        let (system, from, to, h) = (start.system(), start.from, &end.state, start.h);
        let (gamma, surplus) = (self.gamma, self.beta - 0.5 * self.gamma);
        let (a, a_plus) = (acceleration(from), acceleration(to));
        let dq = system.motion_between(&from.q, &to.q);
        let dv = blend(-1.0, &from.v, 1.0, &to.v);
        let da = blend(-1.0, &a, 1.0, &a_plus);
        let lag = plus_scaled(&dv, h * gamma, &da);
        let test_velocity = blend(1.0 / h, &dq, -(self.ratio() - 0.5), &lag);

        let mean = |x: &[f64], y: &[f64]| blend(1.0 - gamma, x, gamma, y);
        let (mut load, mut load_plus) = (vec![0.0; dq.len()], vec![0.0; dq.len()]);
        system.loads_at_into(from.t, &from.q, &mut load);
        system.loads_at_into(to.t, &to.q, &mut load_plus);
        let work = InternalWork::of(start, end, gamma);
        let load_work = dot(&dq, &mean(&load, &load_plus)) + work.supplied;
        let mut viscous = work.dissipated;
        if system.is_damped() {
            let mut force = vec![0.0; dq.len()];
            system.viscous_force_into(&mean(&from.q, &to.q), &mean(&from.v, &to.v), &mut force);
            viscous += dot(&dq, &force);
        }

        let fixed = system.prescribed();
        let (mut support_impulse, mut support_work) = (Vec::new(), 0.0);
        if !fixed.is_empty() {
            let (inertia, inertia_plus) = (times_mass(system, &a), times_mass(system, &a_plus));
            let support = blend(1.0, &inertia, -1.0, &net_force(system, from, start.response.as_ref()));
            let support_plus = blend(1.0, &inertia_plus, -1.0, &net_force(system, to, end.response.as_ref()));
            let lasting = mean(&support, &support_plus);
            let sum = mean(&inertia, &inertia_plus);
            let jump = times_mass(system, &dv);
            for &dof in fixed {
                let sudden = jump[dof] - h * sum[dof] - contact_impulse[dof];
                support_work += dq[dof] * lasting[dof] + test_velocity[dof] * sudden;
                support_impulse.push(h * lasting[dof] + sudden);
            }
        }
        let algorithmic = h * h * surplus * (kinetic_energy(system, &a_plus) - kinetic_energy(system, &a));
        let spin = self.taken_from_spin(start, &dq);
        let numerical =
            algorithmic + work.numerical + (gamma - 0.5) * 2.0 * h * h * surplus * kinetic_energy(system, &da) - spin;
        let inertia = work
            .internal
            .map(|internal| Inertia { inertia: free_square(system, &times_mass(system, &dv)) / (h * h), internal });
        Balance {
            test_velocity,
            kinetic: kinetic_energy(system, &to.v),
            elastic: work.stored,
            load_work,
            support_work,
            viscous,
            plastic: work.plastic,
            numerical,
            spin,
            remainder: work.remainder,
            support_impulse,
            inertia,
        }
    }
}
