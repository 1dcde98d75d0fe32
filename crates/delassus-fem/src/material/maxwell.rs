//! Maxwell's viscoelastic body: elasticity and viscosity in series, the volume elastic.
//!
//! ```text
//! σ° = 2μ D + λ tr(D) I − (μ/η) dev σ ,     τ = η/μ
//! ```
//!
//! (Jean 1995 §5.1, with its 2γμ = μ/η.) The internal variable is the stress itself, with σ_zz in plane strain. Over a step the
//! deviator follows its branch ([`Integration`]), the mean stress p⁺ = p + κ tr Δε; the stress is linear in the increment, with
//! the tangent κ I⊗I + 2μ g (𝕀 − ⅓ I⊗I). The rate σ° is that of the frame in which the body hands over increments: the axes of
//! space for small strains, a frame that rotates with the material otherwise (see the kinematics of a body).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::branch::{Branch, Integration};
use super::moduli::Lame;
use super::{Kinematics3, Material, Response};
use crate::error::{FemError, check_positive};
use crate::tensor::{Mandel, Tangent, deviator, isotropic, trace, unit};

const LAW: &str = "Maxwell";

/// Parameters of Maxwell's body: either (`young`, `poisson`) or (`lambda`, `mu`), and a viscosity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Maxwell {
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
    /// Viscosity η > 0 \[Pa·s\]; without one the body is (hypo)elastic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viscosity: Option<f64>,
    /// Time integration of the stress.
    #[serde(default)]
    pub integration: Integration,
}

impl Maxwell {
    /// Young's modulus \[Pa\], Poisson's ratio and viscosity \[Pa·s\].
    #[must_use]
    pub fn new(young: f64, poisson: f64, viscosity: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), viscosity: Some(viscosity), ..Self::default() }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<MaxwellBody, FemError> {
        check_positive(LAW, "density", density)?;
        let moduli = Lame::from_pair(LAW, self.young, self.poisson, self.lambda, self.mu)?;
        if let Some(viscosity) = self.viscosity {
            check_positive(LAW, "viscosity", viscosity)?;
        }
        let time = self.viscosity.map_or(f64::INFINITY, |viscosity| viscosity / moduli.mu);
        Ok(MaxwellBody {
            density,
            wave_speed: moduli.wave_speed(LAW, density)?,
            bulk: moduli.bulk(),
            branch: Branch { mu: moduli.mu, time, integration: self.integration },
        })
    }
}

/// Maxwell's body with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct MaxwellBody {
    density: f64,
    wave_speed: f64,
    /// κ \[Pa\].
    bulk: f64,
    branch: Branch,
}

impl Material for MaxwellBody {
    fn density(&self) -> f64 {
        self.density
    }

    fn n_internal(&self) -> usize {
        6
    }

    fn wave_speed(&self) -> f64 {
        self.wave_speed
    }

    fn respond(&self, kinematics: &Kinematics3, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response {
        let (old, increment) = (Mandel::from_column_slice(z_old), &kinematics.increment);
        let relaxed = self.branch.relax(h, &deviator(&old), &deviator(increment));
        let before = trace(&old) / 3.0;
        let pressure = before + self.bulk * trace(increment);
        let stress = relaxed.stress + unit() * pressure;
        z_new.copy_from_slice(stress.as_slice());
        let mu = self.branch.mu * relaxed.gain;
        Response {
            stress,
            tangent: isotropic(self.bulk - 2.0 / 3.0 * mu, mu),
            stored: relaxed.stored + pressure * pressure / (2.0 * self.bulk),
            dissipated: relaxed.dissipated,
            path_work: relaxed.path_work + 0.5 * (before + pressure) * trace(increment),
            rate_tangent: Tangent::zeros(),
        }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(Self { branch: Branch { time: f64::INFINITY, ..self.branch }, ..self.clone() }))
    }

    fn follows_increments(&self) -> bool {
        true
    }

    fn prestress(&self, stress: &Mandel, z: &mut [f64]) -> bool {
        z.copy_from_slice(stress.as_slice());
        true
    }
}
