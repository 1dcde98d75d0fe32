//! Neo-Hooke's rubber: hyperelastic, compressible or nearly incompressible.
//!
//! ```text
//! ψ = ½μ (Ī₁ − 3) + ½κ (½(J² − 1) − ln J)        (see `invariants`)
//! ```
//!
//! With `SmallStrain` it is Hooke's law of the same moduli.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::invariants::InvariantEnergy;
use super::moduli::Lame;
use super::{Kinematics3, Material, Response, Stretching};
use crate::error::{FemError, check_positive};

const LAW: &str = "NeoHookean";

/// Parameters of Neo-Hooke's rubber at small strains: either (`young`, `poisson`) or (`lambda`, `mu`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NeoHookean {
    /// Young's modulus E > 0 \[Pa\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young: Option<f64>,
    /// Poisson's ratio, −1 < ν < ½ \[-\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<f64>,
    /// First Lamé modulus λ > −⅔ μ \[Pa\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Shear modulus μ > 0 \[Pa\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mu: Option<f64>,
}

impl NeoHookean {
    /// Young's modulus \[Pa\] and Poisson's ratio of small strains.
    #[must_use]
    pub fn new(young: f64, poisson: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), ..Self::default() }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<Rubber, FemError> {
        check_positive(LAW, "density", density)?;
        let moduli = Lame::from_pair(LAW, self.young, self.poisson, self.lambda, self.mu)?;
        let energy = InvariantEnergy { moduli: [0.5 * moduli.mu, 0.0], bulk: moduli.bulk() };
        Ok(Rubber { density, wave_speed: moduli.wave_speed(LAW, density)?, energy })
    }
}

/// A hyperelastic material by invariants, with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct Rubber {
    pub density: f64,
    pub wave_speed: f64,
    pub energy: InvariantEnergy,
}

impl Material for Rubber {
    fn density(&self) -> f64 {
        self.density
    }

    fn wave_speed(&self) -> f64 {
        self.wave_speed
    }

    fn respond(&self, kinematics: &Kinematics3, _h: f64, _z_old: &[f64], _z_new: &mut [f64]) -> Response {
        self.energy.respond(kinematics)
    }

    fn respond_finite(&self, motion: &Stretching, _h: f64, _z_old: &[f64], _z_new: &mut [f64]) -> Option<Response> {
        self.energy.respond_finite(motion)
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(self.clone()))
    }
}
