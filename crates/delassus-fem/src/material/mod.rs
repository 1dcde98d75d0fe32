//! Materials: the stress of a material point, always in three dimensions.
//!
//! A material integrates its own stress over a step h and returns the algorithmic tangents; plane strain and plane
//! stress are the business of the [`Section`](crate::Section), time integration that of the integrator.

mod kelvin_voigt;

use serde::{Deserialize, Serialize};

use crate::FemError;
use crate::tensor::{Mandel, Tangent};

pub use kelvin_voigt::KelvinVoigt;

/// What happens to a material point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinematics3 {
    /// Strain at the end of the step \[-\].
    pub strain: Mandel,
    /// Strain rate \[1/s\].
    pub strain_rate: Mandel,
}

impl Kinematics3 {
    /// A point at rest, unstrained.
    #[must_use]
    pub fn rest() -> Self {
        Self { strain: Mandel::zeros(), strain_rate: Mandel::zeros() }
    }
}

/// How the material answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Cauchy stress, tension positive \[Pa\].
    pub stress: Mandel,
    /// ∂σ/∂ε at fixed strain rate \[Pa\].
    pub tangent: Tangent,
    /// ∂σ/∂ε̇ at fixed strain \[Pa·s\].
    pub rate_tangent: Tangent,
    /// Stored energy at the end of the step \[J/m³\].
    pub stored: f64,
    /// Energy dissipated over the step, ≥ 0 \[J/m³\].
    pub dissipated: f64,
}

/// A constitutive law at a material point.
pub trait Material: Send + Sync + std::fmt::Debug {
    /// Mass density \[kg/m³\].
    fn density(&self) -> f64;

    /// Number of internal variables per quadrature point.
    fn n_internal(&self) -> usize {
        0
    }

    /// Is the answer the same in all directions? Bodies of materials that say so share their factors when one is the other
    /// turned.
    fn is_isotropic(&self) -> bool {
        true
    }

    /// Speed of dilatational waves in the unbounded medium, an upper bound of all others \[m/s\].
    fn wave_speed(&self) -> f64;

    /// The stress after a step of length `h` \[s\], with internal variables `z_old` before and `z_new` after it.
    fn respond(&self, kinematics: &Kinematics3, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response;
}

/// A material law with its parameters, as a case file gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MaterialSpec {
    /// Isotropic linear elasticity with viscosity in parallel.
    KelvinVoigt(KelvinVoigt),
}

impl MaterialSpec {
    /// Checks the parameters and makes the material.
    ///
    /// # Errors
    /// [`FemError::Parameter`] or [`FemError::ElasticPair`] for parameters without physical meaning.
    pub fn build(&self, density: f64) -> Result<Box<dyn Material>, FemError> {
        match self {
            Self::KelvinVoigt(law) => Ok(Box::new(law.build(density)?)),
        }
    }

    /// The same material without what slows it down: it takes its equilibrium at once.
    #[must_use]
    pub fn without_viscosity(&self) -> Self {
        match self {
            Self::KelvinVoigt(law) => Self::KelvinVoigt(law.clone().with_viscosity(0.0, 0.0)),
        }
    }
}
