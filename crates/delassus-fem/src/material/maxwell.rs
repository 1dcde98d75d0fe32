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
use super::moduli::{Elasticity, law_with_moduli};
use super::{Kinematics3, Material, Response};
use crate::error::{FemError, check_positive};
use crate::tensor::{Mandel, Tangent, deviator, isotropic, trace, unit};

const LAW: &str = "Maxwell";

law_with_moduli! {
    /// Parameters of Maxwell's body: either (`young`, `poisson`) or (`lambda`, `mu`), and a viscosity.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Maxwell {
        /// Viscosity η > 0 \[Pa·s\]; without one the body is (hypo)elastic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub viscosity: Option<f64>,
        /// Time integration of the stress.
        #[serde(default)]
        pub integration: Integration,
    }
}

impl Maxwell {
    /// Young's modulus \[Pa\], Poisson's ratio and viscosity \[Pa·s\].
    #[must_use]
    pub fn new(young: f64, poisson: f64, viscosity: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), viscosity: Some(viscosity), ..Self::default() }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<MaxwellBody, FemError> {
        let elasticity = self.elasticity(density)?;
        let lame = elasticity.lame;
        if let Some(viscosity) = self.viscosity {
            check_positive(LAW, "viscosity", viscosity)?;
        }
        let time = self.viscosity.map_or(f64::INFINITY, |viscosity| viscosity / lame.mu);
        Ok(MaxwellBody { elasticity, branch: Branch { mu: lame.mu, time, integration: self.integration } })
    }
}

/// Maxwell's body with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct MaxwellBody {
    elasticity: Elasticity,
    branch: Branch,
}

impl Material for MaxwellBody {
    fn density(&self) -> f64 {
        self.elasticity.density
    }

    fn n_internal(&self) -> usize {
        6
    }

    fn wave_speed(&self) -> f64 {
        self.elasticity.wave_speed
    }

    fn respond(&self, kinematics: &Kinematics3, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response {
        let (old, increment) = (Mandel::from_column_slice(z_old), &kinematics.increment);
        let relaxed = self.branch.relax(h, &deviator(&old), &deviator(increment));
        let (bulk, before) = (self.elasticity.lame.bulk(), trace(&old) / 3.0);
        let pressure = before + bulk * trace(increment);
        let stress = relaxed.stress + unit() * pressure;
        z_new.copy_from_slice(stress.as_slice());
        let mu = self.branch.mu * relaxed.gain;
        Response {
            stress,
            tangent: isotropic(bulk - 2.0 / 3.0 * mu, mu),
            stored: relaxed.stored + pressure * pressure / (2.0 * bulk),
            dissipated: relaxed.dissipated,
            supplied: 0.0,
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
