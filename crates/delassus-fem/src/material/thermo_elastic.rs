//! Elasticity that expands with a given temperature.
//!
//! ```text
//! σ = λ tr(ε_e) I + 2μ ε_e ,   ε_e = ε − α T(t) I ,   ψ = ½ σ:ε_e
//! work of the stress  ½ (σ + σ⁺):Δε ,     given by the heat  −½ (σ + σ⁺):I α ΔT ,     Δψ = both together
//! ```
//!
//! T is the temperature over the one at which the undeformed body has no stress, the same everywhere. What heat does is work from outside, of either sign. The internal
//! variable is the time since the start, so that nothing but the material knows of T; the search of an equilibrium at the start sees T(0).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::moduli::{Elasticity, law_with_moduli};
use super::{Kinematics3, Material, Response};
use crate::error::{FemError, check_finite};
use crate::function::TimeFunction;
use crate::tensor::{Tangent, trace, unit};

const LAW: &str = "ThermoElastic";

law_with_moduli! {
    /// Parameters: either (`young`, `poisson`) or (`lambda`, `mu`), expansion and temperature.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ThermoElastic {
        /// Coefficient α of the expansion of a length \[1/K\].
        pub expansion: f64,
        /// Temperature over the one without stress, over the time since the start \[K\].
        pub temperature: TimeFunction,
    }
}

impl ThermoElastic {
    /// Young's modulus \[Pa\], Poisson's ratio, expansion \[1/K\] and temperature \[K\].
    #[must_use]
    pub fn new(young: f64, poisson: f64, expansion: f64, temperature: impl Into<TimeFunction>) -> Self {
        let (young, poisson, temperature) = (Some(young), Some(poisson), temperature.into());
        Self { young, poisson, expansion, temperature, ..Self::default() }
    }

    /// The same body with the temperature that it has at the start.
    pub(super) fn at_start(&self) -> Self {
        Self { temperature: TimeFunction::Constant(self.temperature.value(0.0)), ..self.clone() }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<ThermoElasticSolid, FemError> {
        let elasticity = self.elasticity(density)?;
        check_finite(LAW, "expansion", self.expansion)?;
        self.temperature.validate().map_err(|e| e.at("temperature"))?;
        Ok(ThermoElasticSolid { elasticity, elastic: elasticity.lame.tangent(), law: self.clone() })
    }
}

/// A body that expands with its temperature, with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct ThermoElasticSolid {
    elasticity: Elasticity,
    elastic: Tangent,
    law: ThermoElastic,
}

impl ThermoElasticSolid {
    /// α T at a time since the start.
    fn expanded(&self, t: f64) -> f64 {
        self.law.expansion * self.law.temperature.value(t)
    }
}

impl Material for ThermoElasticSolid {
    fn density(&self) -> f64 {
        self.elasticity.density
    }

    fn n_internal(&self) -> usize {
        1
    }

    fn wave_speed(&self) -> f64 {
        self.elasticity.wave_speed
    }

    fn respond(&self, kinematics: &Kinematics3, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response {
        // long steps in the search of an equilibrium must not use up time
        let stands = matches!(self.law.temperature, TimeFunction::Constant(_));
        let [from, to] = [z_old[0], if stands { z_old[0] } else { z_old[0] + h }];
        z_new[0] = to;
        let Kinematics3 { strain, increment, .. } = kinematics;
        let (before, after) = (self.expanded(from), self.expanded(to));
        let elastic = strain - unit() * after;
        let stress = self.elastic * elastic;
        let mean = 0.5 * (stress + self.elastic * (strain - increment - unit() * before));
        Response {
            stress,
            tangent: self.elastic,
            rate_tangent: Tangent::zeros(),
            stored: 0.5 * stress.dot(&elastic),
            dissipated: 0.0,
            supplied: -trace(&mean) * (after - before),
            path_work: mean.dot(increment),
        }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(Self { law: self.law.at_start(), ..self.clone() }))
    }
}
