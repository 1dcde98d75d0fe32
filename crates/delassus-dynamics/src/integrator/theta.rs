//! The θ-method (Vola et al. 1998 §3, eq. \[6\], with the missing "+ h r").
//!
//! ```text
//! M Δv = h (P_θ − C v_θ − K (q + θ h v_θ)) + H p        q⁺ = q + h v_θ
//! M̂ = M + hθ C + h²θ² K       q_c = q + h(1−θ) v        τ = hθ
//! ```
//!
//! Signorini is imposed on the gap at q⁺ itself, so a lasting contact obeys V⁺ = (1 − 1/θ) V: the contact velocity
//! changes sign at every step (undamped for θ = ½).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::theta_family::{DoneStep, Levels, balance, blend, check_theta, residual, scaled};
use super::{Balance, FramePass, Integrator, StepEnd, StepStart};
use crate::effective_mass::Coefficients;
use crate::error::DynamicsError;
use crate::state::State;
use crate::system::System;

/// θ-method, θ ∈ [½, 1].
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Theta {
    /// θ.
    pub theta: f64,
}

impl Theta {
    /// Itself, if θ is allowed.
    pub fn checked(self) -> Result<Self, DynamicsError> {
        check_theta("Theta", self.theta).map(|()| self)
    }
}

impl Integrator for Theta {
    fn gap_time(&self, h: f64) -> f64 {
        h * self.theta
    }

    fn contact_delay(&self, h: f64) -> f64 {
        h * (1.0 - self.theta)
    }

    fn force_level(&self) -> Option<f64> {
        Some(self.theta)
    }

    fn coefficients(&self, h: f64) -> Coefficients {
        Coefficients { damping: h * self.theta, stiffness: (h * self.theta).powi(2) }
    }

    fn contact_configuration(&self, system: &dyn System, from: &State, h: f64) -> Vec<f64> {
        system.moved(&from.q, &scaled(h * (1.0 - self.theta), &from.v))
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

    fn displacement(&self, from: &State, v: &[f64], h: f64) -> Vec<f64> {
        blend(1.0 - self.theta, &from.v, self.theta, v).into_iter().map(|v| h * v).collect()
    }

    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance {
        let v_theta = blend(1.0 - self.theta, start.velocity(), self.theta, end.velocity());
        balance(&DoneStep { start, end, contact_impulse }, Levels::both(self.theta), self.theta - 0.5, v_theta, || {
            self.residual(start, end.velocity())
        })
    }
}
