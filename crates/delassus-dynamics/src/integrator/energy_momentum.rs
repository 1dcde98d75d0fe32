//! The energy–momentum method: the midpoint rule, with forces of the step that conserve momentum, angular momentum and energy.
//!
//! ```text
//! q⁺ = q + ½h (v + v⁺) ,    M (v⁺ − v) = h (P_½ − C v_½ − F) + H p
//! F = F(x, x⁺) of a body that turns (see [`Turning`](crate::Turning)) or of finite strain (see [`Conserving`](crate::Conserving))
//! F = f_θ of others, K (q + θ Δq) of a linear body
//! ΔE = h v_½·P_½ + v_½·(H p + s) − h v_½·C v_½ − (θ−½) |Δũ|²_K          ũ: displacements in the frame that turns with the body
//! ```
//!
//! θ acts on strains alone: θ = ½ conserves the energy of a free body, θ > ½ damps its vibrations and leaves its spin as it is. P_½ is the mean of
//! both ends. The contact relations are those of the modified θ-method with θ = ½: q_c = q + ½hv, τ = h.
//!
//! The idea of a force of the step that conserves energy and momentum is that of Simo & Tarnow 1992; the frame of one body is
//! described in `fem/src/corotation`, that of finite strain in `fem/src/finite_step`: there (θ−½) ΔE:𝔻 ΔE stands for (θ−½) |Δũ|²_K.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::theta_family::{DoneStep, Levels, balance, blend, check_theta, residual, scaled};
use super::{Balance, FramePass, Integrator, StepEnd, StepStart};
use crate::effective_mass::Coefficients;
use crate::error::DynamicsError;
use crate::state::State;
use crate::system::System;

/// Level of velocities and loads.
const MIDDLE: f64 = 0.5;

/// Energy–momentum method, θ ∈ [½, 1].
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct EnergyMomentum {
    /// θ of the strains.
    pub theta: f64,
}

impl EnergyMomentum {
    /// Itself, if θ is allowed.
    pub fn checked(self) -> Result<Self, DynamicsError> {
        check_theta("EnergyMomentum", self.theta).map(|()| self)
    }

    fn levels(self) -> Levels {
        Levels { force: self.theta, rate: MIDDLE }
    }
}

impl Integrator for EnergyMomentum {
    fn gap_time(&self, h: f64) -> f64 {
        h
    }

    fn contact_delay(&self, h: f64) -> f64 {
        MIDDLE * h
    }

    fn force_level(&self) -> Option<f64> {
        Some(MIDDLE)
    }

    fn strain_level(&self) -> Option<f64> {
        Some(self.theta)
    }

    fn conserves(&self) -> bool {
        true
    }

    fn coefficients(&self, h: f64) -> Coefficients {
        Coefficients { damping: MIDDLE * h, stiffness: MIDDLE * self.theta * h * h }
    }

    fn contact_configuration(&self, system: &dyn System, from: &State, h: f64) -> Vec<f64> {
        system.moved(&from.q, &scaled(MIDDLE * h, &from.v))
    }

    fn residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        residual(start, &self.displacement(start.from, v, start.h), v, self.levels(), FramePass::Later)
    }

    fn first_residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        residual(start, &self.displacement(start.from, v, start.h), v, self.levels(), FramePass::First)
    }

    fn displacement(&self, from: &State, v: &[f64], h: f64) -> Vec<f64> {
        blend(MIDDLE * h, &from.v, MIDDLE * h, v)
    }

    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance {
        let v = blend(1.0 - MIDDLE, start.velocity(), MIDDLE, end.velocity());
        balance(&DoneStep { start, end, contact_impulse }, self.levels(), 0.0, v, || {
            self.residual(start, end.velocity())
        })
    }
}
