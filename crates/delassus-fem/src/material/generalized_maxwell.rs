//! Generalized Maxwell body (Prony series) in small strain; one term is the standard linear solid.
//!
//! ```text
//! G(t) = G₀ (1 − Σ g_i (1 − e^(−t/τ_i)))
//! σ = κ tr ε I + 2 G₀ (1 − Σ g_i) e + Σ s_i ,     ṡ_i = 2 g_i G₀ ė − s_i/τ_i
//! ```
//!
//! E and ν are those of the instantaneous response, the volume is elastic. Each term is a Maxwell branch, whose stress is an
//! internal variable, carried over a step exactly for a constant rate or by backward Euler.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::branch::{Branch, Integration};
use super::moduli::{Elasticity, law_with_moduli};
use super::{Kinematics3, Material, Response};
use crate::error::{FemError, check_positive};
use crate::tensor::{Mandel, Tangent, deviator, isotropic, trace, unit};

const LAW: &str = "GeneralizedMaxwell";

law_with_moduli! {
    /// Parameters of the generalized Maxwell body: instantaneous moduli and a Prony series of the shear modulus.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct GeneralizedMaxwell {
        /// The series; shares add to at most 1.
        pub terms: Vec<PronyTerm>,
        /// Time integration of the branches.
        #[serde(default)]
        pub integration: Integration,
    }
}

/// One term of a Prony series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PronyTerm {
    /// g_i: part of the instantaneous shear modulus that relaxes, 0 < g ≤ 1.
    pub share: f64,
    /// τ_i > 0 \[s\].
    pub time: f64,
}

impl GeneralizedMaxwell {
    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<GeneralizedMaxwellBody, FemError> {
        let elasticity = self.elasticity(density)?;
        let moduli = elasticity.lame;
        for term in &self.terms {
            check_positive(LAW, "share", term.share)?;
            check_positive(LAW, "time", term.time)?;
        }
        let sum: f64 = self.terms.iter().map(|t| t.share).sum();
        // as many roundings as terms
        if sum > 1.0 + 1e-12 {
            let allowed = "at most 1: the shares of all terms are parts of one modulus";
            return Err(FemError::Parameter { what: LAW.into(), parameter: "sum of shares", value: sum, allowed });
        }
        let branch = |t: &PronyTerm| Branch { mu: t.share * moduli.mu, time: t.time, integration: self.integration };
        Ok(GeneralizedMaxwellBody {
            elasticity,
            lasting: moduli.mu * (1.0 - sum).max(0.0),
            branches: self.terms.iter().map(branch).collect(),
            law: self.clone(),
        })
    }

    /// The same body after all has relaxed: its springs alone.
    pub(super) fn at_rest(&self) -> Self {
        let Ok(moduli) = self.moduli() else { return self.clone() };
        let lasting = moduli.mu * (1.0 - self.terms.iter().map(|t| t.share).sum::<f64>());
        Self {
            young: None,
            poisson: None,
            lambda: Some(moduli.bulk() - 2.0 / 3.0 * lasting),
            mu: Some(lasting),
            terms: Vec::new(),
            integration: self.integration,
        }
    }
}

/// A generalized Maxwell body with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct GeneralizedMaxwellBody {
    elasticity: Elasticity,
    /// Shear modulus that does not relax \[Pa\].
    lasting: f64,
    branches: Vec<Branch>,
    /// The parameters, from which the springs that last are made.
    law: GeneralizedMaxwell,
}

impl Material for GeneralizedMaxwellBody {
    fn density(&self) -> f64 {
        self.elasticity.density
    }

    fn n_internal(&self) -> usize {
        6 * self.branches.len()
    }

    fn wave_speed(&self) -> f64 {
        self.elasticity.wave_speed
    }

    fn respond(&self, kinematics: &Kinematics3, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response {
        let (e, de) = (deviator(&kinematics.strain), deviator(&kinematics.increment));
        let (bulk, volume) = (self.elasticity.lame.bulk(), trace(&kinematics.strain));
        let mut stress = unit() * (bulk * volume) + e * (2.0 * self.lasting);
        let mut mu = self.lasting;
        let mut stored = 0.5 * bulk * volume * volume + self.lasting * e.norm_squared();
        // the springs' stress in the middle of the step, on the increment
        let middle = kinematics.strain - kinematics.increment * 0.5;
        let mut path_work =
            bulk * trace(&middle) * trace(&kinematics.increment) + 2.0 * self.lasting * deviator(&middle).dot(&de);
        let mut dissipated = 0.0;
        for (branch, (old, new)) in self.branches.iter().zip(z_old.chunks_exact(6).zip(z_new.chunks_exact_mut(6))) {
            let relaxed = branch.relax(h, &Mandel::from_column_slice(old), &de);
            new.copy_from_slice(relaxed.stress.as_slice());
            stress += relaxed.stress;
            mu += branch.mu * relaxed.gain;
            stored += relaxed.stored;
            dissipated += relaxed.dissipated;
            path_work += relaxed.path_work;
        }
        let tangent = isotropic(bulk - 2.0 / 3.0 * mu, mu);
        Response { stress, tangent, rate_tangent: Tangent::zeros(), stored, dissipated, supplied: 0.0, path_work }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(self.law.at_rest().build(self.elasticity.density)?))
    }
}
