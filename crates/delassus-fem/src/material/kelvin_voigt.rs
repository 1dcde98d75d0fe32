//! Kelvin–Voigt solid: isotropic linear elasticity and linear viscosity in parallel.
//!
//! ```text
//! σ = λ tr ε I + 2μ ε + λ_v tr ε̇ I + 2μ_v ε̇ ,    λ_v = κ_v − ⅔ μ_v
//! ψ = ½ λ (tr ε)² + μ ε:ε ,    σ_v:ε̇ = κ_v (tr ε̇)² + 2μ_v dev ε̇ : dev ε̇ ≥ 0
//! ```
//!
//! The deformable bodies of Jean 1995 (F = −Kq − Uq̇ + P) and of Vola, Pratt, Jean & Raous 1998. With viscosities
//! proportional to the moduli, (κ_v, μ_v) = τ (κ, μ), the damping matrix is C = τ K and a mode of circular frequency ω
//! has the damping ratio ζ = τ ω / 2.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::moduli::{Elasticity, law_with_moduli};
use super::{Kinematics3, Material, Response};
use crate::error::{FemError, check_non_negative};
use crate::tensor::{Tangent, isotropic};

const LAW: &str = "KelvinVoigt";

law_with_moduli! {
    /// Parameters of the Kelvin–Voigt solid: either (`young`, `poisson`) or (`lambda`, `mu`), and viscosities.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct KelvinVoigt {
        /// Bulk viscosity κ_v ≥ 0 \[Pa·s\].
        #[serde(default)]
        pub bulk_viscosity: f64,
        /// Shear viscosity μ_v ≥ 0 \[Pa·s\].
        #[serde(default)]
        pub shear_viscosity: f64,
    }
}

impl KelvinVoigt {
    /// Elastic solid with Young's modulus \[Pa\] and Poisson's ratio.
    #[must_use]
    pub fn elastic(young: f64, poisson: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), ..Self::default() }
    }

    /// Elastic solid with Lamé moduli \[Pa\].
    #[must_use]
    pub fn lame(lambda: f64, mu: f64) -> Self {
        Self { lambda: Some(lambda), mu: Some(mu), ..Self::default() }
    }

    /// The same solid with bulk and shear viscosity \[Pa·s\].
    #[must_use]
    pub fn with_viscosity(self, bulk: f64, shear: f64) -> Self {
        Self { bulk_viscosity: bulk, shear_viscosity: shear, ..self }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<KelvinVoigtSolid, FemError> {
        let elasticity = self.elasticity(density)?;
        check_non_negative(LAW, "bulk_viscosity", self.bulk_viscosity)?;
        check_non_negative(LAW, "shear_viscosity", self.shear_viscosity)?;
        let (bulk, shear) = (self.bulk_viscosity, self.shear_viscosity);
        Ok(KelvinVoigtSolid {
            elasticity,
            elastic: elasticity.lame.tangent(),
            viscous: isotropic(bulk - 2.0 / 3.0 * shear, shear),
        })
    }
}

/// A Kelvin–Voigt solid with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct KelvinVoigtSolid {
    elasticity: Elasticity,
    elastic: Tangent,
    viscous: Tangent,
}

impl Material for KelvinVoigtSolid {
    fn density(&self) -> f64 {
        self.elasticity.density
    }

    fn wave_speed(&self) -> f64 {
        self.elasticity.wave_speed
    }

    fn respond(&self, kinematics: &Kinematics3, h: f64, _z_old: &[f64], _z_new: &mut [f64]) -> Response {
        let Kinematics3 { strain, increment, strain_rate } = kinematics;
        let (elastic, viscous) = (self.elastic * strain, self.viscous * strain_rate);
        Response {
            stress: elastic + viscous,
            tangent: self.elastic,
            rate_tangent: self.viscous,
            stored: 0.5 * elastic.dot(strain),
            dissipated: h * viscous.dot(strain_rate),
            supplied: 0.0,
            // the mean of the springs' stress, and the viscous one
            path_work: (elastic - self.elastic * increment * 0.5 + viscous).dot(increment),
        }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(Self { viscous: isotropic(0.0, 0.0), ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejects(law: &KelvinVoigt, density: f64, words: &[&str]) {
        let message = law.build(density).unwrap_err().to_string();
        for word in words {
            assert!(message.contains(word), "`{word}` is not in: {message}");
        }
    }

    #[test]
    fn parameters_without_meaning_are_refused() {
        let steel = KelvinVoigt::elastic(2e11, 0.3);
        assert!(steel.build(7800.0).is_ok());
        rejects(&steel, 0.0, &["density = 0 must be a finite number > 0"]);
        rejects(&steel, f64::NAN, &["density = NaN"]);
        rejects(&steel, f64::INFINITY, &["density = inf"]);
        rejects(&KelvinVoigt::elastic(-1.0, 0.3), 1.0, &["young = -1"]);
        rejects(&KelvinVoigt::elastic(1.0, 0.5), 1.0, &["poisson = 0.5 must be < 0.5", "BBar"]);
        rejects(&KelvinVoigt::elastic(1.0, -1.0), 1.0, &["poisson = -1", "> -1"]);
        rejects(&KelvinVoigt::elastic(1.0, f64::NAN), 1.0, &["poisson = NaN"]);
        rejects(&KelvinVoigt::elastic(1e308, 0.499), 1.0, &["wave speed = inf"]);
        rejects(&KelvinVoigt::lame(1.0, 0.0), 1.0, &["mu = 0"]);
        rejects(&KelvinVoigt::lame(-2.0, 1.0), 1.0, &["lambda = -2", "bulk modulus"]);
        rejects(&steel.clone().with_viscosity(-1.0, 0.0), 1.0, &["bulk_viscosity = -1"]);
        rejects(&steel.clone().with_viscosity(0.0, f64::NAN), 1.0, &["shear_viscosity = NaN"]);
    }

    #[test]
    fn one_pair_of_moduli_is_wanted() {
        rejects(&KelvinVoigt::default(), 1.0, &["none of them", "young", "lambda"]);
        rejects(&KelvinVoigt { young: Some(1.0), ..KelvinVoigt::default() }, 1.0, &["(given: young)"]);
        rejects(&KelvinVoigt { mu: Some(1.0), ..KelvinVoigt::elastic(1.0, 0.2) }, 1.0, &["young, poisson, mu"]);
    }

    #[test]
    fn both_pairs_describe_the_same_solid() {
        let (young, poisson) = (2.5, 0.25);
        let a = KelvinVoigt::elastic(young, poisson).build(3.0).unwrap();
        let b = KelvinVoigt::lame(1.0, 1.0).build(3.0).unwrap();
        assert!((a.elastic - b.elastic).norm() < 1e-14, "λ = μ = 1 for E = 2.5, ν = ¼, to rounding");
        assert!((a.elasticity.wave_speed - 1.0).abs() < 1e-15, "c² = (λ + 2μ)/ρ = 1");
    }
}
