//! The modified θ-method (Vola et al. 1998 §3).
//!
//! The body moves by the θ-method; only the contact relations use q̂⁺ = q⁺ + h(1−θ) v⁺ instead of q⁺:
//!
//! ```text
//! g⁺ = g(q + h(1−θ) v) + h U_N⁺         τ = h
//! ```
//!
//! so a lasting contact has U_N⁺ = 0 and does not oscillate. On the other hand there is a true gap of −h(1−θ)² V at the
//! first touch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::theta_family::check_theta;
use super::{Balance, Integrator, StepEnd, StepStart, Theta};
use crate::effective_mass::Coefficients;
use crate::error::DynamicsError;
use crate::state::State;
use crate::system::System;

/// Modified θ-method, θ ∈ [½, 1].
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ModifiedTheta {
    /// θ.
    pub theta: f64,
}

impl ModifiedTheta {
    /// Itself, if θ is allowed.
    pub fn checked(self) -> Result<Self, DynamicsError> {
        check_theta("ModifiedTheta", self.theta).map(|()| self)
    }

    fn motion(self) -> Theta {
        Theta { theta: self.theta }
    }
}

impl Integrator for ModifiedTheta {
    fn gap_time(&self, h: f64) -> f64 {
        h
    }

    fn contact_delay(&self, h: f64) -> f64 {
        self.motion().contact_delay(h)
    }

    fn force_level(&self) -> Option<f64> {
        Some(self.theta)
    }

    fn coefficients(&self, h: f64) -> Coefficients {
        self.motion().coefficients(h)
    }

    fn contact_configuration(&self, system: &dyn System, from: &State, h: f64) -> Vec<f64> {
        self.motion().contact_configuration(system, from, h)
    }

    fn residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        self.motion().residual(start, v)
    }

    fn first_residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        self.motion().first_residual(start, v)
    }

    fn strain_level(&self) -> Option<f64> {
        Some(self.theta)
    }

    fn displacement(&self, from: &State, v: &[f64], h: f64) -> Vec<f64> {
        self.motion().displacement(from, v, h)
    }

    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance {
        self.motion().balance(start, end, contact_impulse)
    }
}
