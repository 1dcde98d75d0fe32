//! St Venant's and Kirchhoff's solid: Hooke's law in Green's strain.
//!
//! ```text
//! S = λ tr(E) I + 2μ E ,   E = ½(C − I) ,   ψ = ½λ (tr E)² + μ E:E
//! ```
//!
//! For large rotations and moderate strains: pressed far together it loses its stiffness (a bar at the stretch 1/√3). With `SmallStrain` it is Hooke's law.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::moduli::{Elasticity, law_with_moduli};
use super::{Kinematics3, Material, Response, Stretching};
use crate::error::FemError;
use crate::tensor::{Mandel, Tangent, unit};

law_with_moduli! {
    /// Parameters: either (`young`, `poisson`) or (`lambda`, `mu`).
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct StVenantKirchhoff {}
}

impl StVenantKirchhoff {
    /// Young's modulus \[Pa\] and Poisson's ratio.
    #[must_use]
    pub fn new(young: f64, poisson: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), ..Self::default() }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<GreenSolid, FemError> {
        let elasticity = self.elasticity(density)?;
        Ok(GreenSolid { elasticity, elastic: elasticity.lame.tangent() })
    }
}

/// St Venant's and Kirchhoff's solid with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct GreenSolid {
    elasticity: Elasticity,
    elastic: Tangent,
}

impl Material for GreenSolid {
    fn density(&self) -> f64 {
        self.elasticity.density
    }

    fn wave_speed(&self) -> f64 {
        self.elasticity.wave_speed
    }

    fn respond(&self, kinematics: &Kinematics3, _h: f64, _z_old: &[f64], _z_new: &mut [f64]) -> Response {
        let stress = self.elastic * kinematics.strain;
        Response {
            stress,
            tangent: self.elastic,
            rate_tangent: Tangent::zeros(),
            stored: 0.5 * stress.dot(&kinematics.strain),
            dissipated: 0.0,
            supplied: 0.0,
            // the mean stress of the step, exact for a linear law
            path_work: (stress - self.elastic * kinematics.increment * 0.5).dot(&kinematics.increment),
        }
    }

    fn respond_finite(&self, motion: &Stretching, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Option<Response> {
        if !motion.after.c.iter().all(|x| x.is_finite()) || !is_stretch(&motion.after.c) {
            return None;
        }
        let green = |c: &Mandel| (c - unit()) * 0.5;
        let strain = green(&motion.after.c);
        let increment = strain - green(&motion.before.c);
        Some(self.respond(&Kinematics3 { strain, increment, strain_rate: Mandel::zeros() }, h, z_old, z_new))
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(self.clone()))
    }
}

/// Is C positive definite?
fn is_stretch(c: &Mandel) -> bool {
    crate::tensor::matrix(c).cholesky().is_some()
}
