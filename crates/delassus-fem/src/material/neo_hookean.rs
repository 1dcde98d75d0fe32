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
use super::moduli::{Elasticity, law_with_moduli};
use super::{Kinematics3, Material, Response, Stretching};
use crate::error::FemError;

law_with_moduli! {
    /// Parameters of Neo-Hooke's rubber at small strains: either (`young`, `poisson`) or (`lambda`, `mu`).
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct NeoHookean {}
}

impl NeoHookean {
    /// Young's modulus \[Pa\] and Poisson's ratio of small strains.
    #[must_use]
    pub fn new(young: f64, poisson: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), ..Self::default() }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<Rubber, FemError> {
        let elasticity = self.elasticity(density)?;
        let lame = elasticity.lame;
        Ok(Rubber { elasticity, energy: InvariantEnergy { moduli: [0.5 * lame.mu, 0.0], bulk: lame.bulk() } })
    }
}

/// A hyperelastic material by invariants, with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct Rubber {
    /// Of small strains.
    pub elasticity: Elasticity,
    pub energy: InvariantEnergy,
}

impl Material for Rubber {
    fn density(&self) -> f64 {
        self.elasticity.density
    }

    fn wave_speed(&self) -> f64 {
        self.elasticity.wave_speed
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
