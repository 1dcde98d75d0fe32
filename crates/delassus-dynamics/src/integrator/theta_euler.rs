//! The θ-Euler method (Vola et al. 1998 §3, eq. \[7\], with the missing "+ h r").
//!
//! ```text
//! M Δv = h (P_θ − C v_θ − K (q + θ h v⁺)) + H p         q⁺ = q + h v⁺
//! M̂ = M + hθ C + h²θ K        q_c = q                   τ = h
//! ```
//!
//! First order for every θ, and dissipative (½|Δv|²_M per step even at θ = ½); contacts last without oscillation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::theta_family::{DoneStep, Levels, balance, check_theta, residual};
use super::{Balance, FramePass, Integrator, StepEnd, StepStart};
use crate::effective_mass::Coefficients;
use crate::error::DynamicsError;
use crate::state::State;
use crate::system::System;

/// θ-Euler method, θ ∈ [½, 1].
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ThetaEuler {
    /// θ.
    pub theta: f64,
}

impl ThetaEuler {
    /// Itself, if θ is allowed.
    pub fn checked(self) -> Result<Self, DynamicsError> {
        check_theta("ThetaEuler", self.theta).map(|()| self)
    }
}

impl Integrator for ThetaEuler {
    fn gap_time(&self, h: f64) -> f64 {
        h
    }

    fn contact_delay(&self, _h: f64) -> f64 {
        0.0
    }

    fn force_level(&self) -> Option<f64> {
        Some(self.theta)
    }

    fn coefficients(&self, h: f64) -> Coefficients {
        Coefficients { damping: h * self.theta, stiffness: h * h * self.theta }
    }

    fn contact_configuration(&self, _system: &dyn System, from: &State, _h: f64) -> Vec<f64> {
        from.q.clone()
    }

    fn residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        residual(start, &self.displacement(start.from, v, start.h), v, Levels::both(self.theta), FramePass::Later)
    }

    fn first_residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        residual(start, &self.displacement(start.from, v, start.h), v, Levels::both(self.theta), FramePass::First)
    }

    fn strain_level(&self) -> Option<f64> {
        Some(self.theta)
    }

    fn displacement(&self, _from: &State, v: &[f64], h: f64) -> Vec<f64> {
        v.iter().map(|v| h * v).collect()
    }

    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance {
        let v = end.velocity();
        balance(&DoneStep { start, end, contact_impulse }, Levels::both(self.theta), 0.5, v.to_vec(), || {
            self.residual(start, v)
        })
    }
}
