//! Von Mises' plasticity (J2) with isotropic and linear kinematic hardening, and a power law of the rate.
//!
//! ```text
//! σ = κ tr(ε) I + 2μ dev(ε − ε_p) ,   β = ⅔ H_k ε_p ,   ξ = dev σ − β ,   q = √(3/2) |ξ|
//! q ≤ σ_y(α) ,   ε̇_p = α̇ √(3/2) n ,   n = ξ/|ξ| ,   α̇ ≥ 0 ,   α̇ (q − σ_y) = 0
//! ```
//!
//! Over a step the plastic strain grows along n of its end (radial return: Wilkins 1964; Krieg & Key 1976; de Souza Neto, Perić & Owen 2008 §7.3–7.6):
//!
//! ```text
//! q* − (3μ + H_k) Δα − σ_y(α + Δα) = 0              q*, n of the elastic trial
//! C = κ I⊗I + 2μ (1 − 3μ Δα/q*) 𝕀_dev + 6μ² (Δα/q* − 1/(3μ + H_k + σ_y′)) n⊗n
//! ```
//!
//! With a power law of the rate (`rate`, viscoplasticity as of Perzyna 1966 and Cowper & Symonds 1957) the stress that flows is above the yield stress,
//!
//! ```text
//! q = σ_y(α) (1 + (α̇/ε̇_0)^m)         α̇ = Δα/h ,   q* − (3μ + H_k) Δα − σ_y(α + Δα) (1 + (Δα/(h ε̇_0))^m) = 0
//! ```
//!
//! and σ_y′ in C becomes the derivative of all of the last term. Without time (h = 0) nothing flows. The left side falls as Δα grows, so its root is unique; Newton's iteration is kept within the bracket that the signs give. Energies of a step, Δε = Δε_e + Δε_p:
//!
//! ```text
//! stored      ½ κ (tr ε)² + μ |dev ε_e|² + ⅓ H_k |ε_p|²
//! dissipated  q⁺ Δα        q⁺ = σ_y(α⁺), with a rate that times 1 + (Δα/(h ε̇_0))^m
//! path work   ½ (σ + σ⁺):Δε_e + ξ⁺:Δε_p + ½ (β + β⁺):Δε_p
//! ```
//!
//! All of the isotropic and the viscous part of the plastic work counts as dissipated (heat). Internal variables: ε_p in Mandel notation, α.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hardening::{Hardening, YieldCurve};
use super::moduli::{Elasticity, law_with_moduli};
use super::rate::PowerLaw;
use super::{Kinematics3, Material, PlasticState, Response};
use crate::error::{FemError, check_non_negative, check_positive};
use crate::tensor::{Mandel, Tangent, deviator, isotropic, trace, unit};

const LAW: &str = "VonMises";

/// An excess over the yield stress up to this part of it is rounding.
const AT_YIELD: f64 = 1e-12;

/// Iterations of the return, far above what any curve needs.
const MOST_ITERATIONS: usize = 100;

law_with_moduli! {
    /// Parameters: either (`young`, `poisson`) or (`lambda`, `mu`), the yield stress and its hardening.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct VonMises {
        /// Stress σ_0 > 0 at which a pulled bar begins to flow \[Pa\].
        pub yield_stress: f64,
        /// How the yield stress grows; none by default.
        #[serde(default)]
        pub hardening: Hardening,
        /// Modulus H_k ≥ 0 of the kinematic hardening \[Pa\].
        #[serde(default)]
        pub kinematic: f64,
        /// How the stress that flows grows with the rate; not at all by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub rate: Option<PowerLaw>,
    }
}

impl VonMises {
    /// Young's modulus \[Pa\], Poisson's ratio and yield stress \[Pa\]; perfectly plastic.
    #[must_use]
    pub fn new(young: f64, poisson: f64, yield_stress: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), yield_stress, ..Self::default() }
    }

    /// The same with isotropic hardening.
    #[must_use]
    pub fn hardening(self, hardening: Hardening) -> Self {
        Self { hardening, ..self }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<VonMisesSolid, FemError> {
        let elasticity = self.elasticity(density)?;
        check_positive(LAW, "yield_stress", self.yield_stress)?;
        let curve = YieldCurve::new(LAW, self.yield_stress, &self.hardening)?;
        check_non_negative(LAW, "kinematic", self.kinematic)?;
        self.rate.as_ref().map_or(Ok(()), |rate| rate.check(LAW))?;
        Ok(VonMisesSolid { elasticity, curve, kinematic: self.kinematic, rate: self.rate })
    }
}

/// Von Mises' solid with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct VonMisesSolid {
    elasticity: Elasticity,
    curve: YieldCurve,
    /// H_k \[Pa\].
    kinematic: f64,
    rate: Option<PowerLaw>,
}

/// What flows in a step.
struct PlasticFlow {
    /// Δα.
    size: f64,
    /// q⁺ \[Pa\].
    stress: f64,
    /// Its derivative by Δα \[Pa\].
    slope: f64,
}

impl VonMisesSolid {
    /// 3μ + H_k.
    fn stiffness(&self) -> f64 {
        3.0 * self.elasticity.lame.mu + self.kinematic
    }

    /// The stress that flows by `size` over h, and its derivative.
    fn flowing(&self, alpha: f64, size: f64, h: f64) -> PlasticFlow {
        let (limit, slope) = self.curve.at(alpha + size);
        let (factor, growth) = self.rate.map_or((1.0, 0.0), |rate| rate.factor(size, h));
        PlasticFlow { size, stress: limit * factor, slope: slope * factor + limit * growth }
    }

    /// What flows over h from a trial beyond the yield stress; none if it is not found (numbers that are none).
    fn flow(&self, trial: f64, alpha: f64, h: f64) -> Option<PlasticFlow> {
        let stiffness = self.stiffness();
        let (mut low, mut high, mut size) = (0.0, trial / stiffness, 0.0);
        if let Some(rate) = self.rate {
            // What flows where the strain does not give way, more than what flows: if it is nothing beside the elastic strain, it is what flows.
            let over = trial / self.curve.at(alpha).0 - 1.0;
            let most = rate.flow(over, h);
            if stiffness * most <= f64::EPSILON * trial {
                let slope = if most > 0.0 { self.flowing(alpha, most, h).slope } else { f64::INFINITY };
                return Some(PlasticFlow { size: most, stress: trial - stiffness * most, slope });
            }
            // less than what flows, unless the material hardens
            size = rate.flow(0.5 * over, h).min(0.5 * (trial - self.curve.at(alpha).0) / stiffness);
        }
        for _ in 0..MOST_ITERATIONS {
            let found = self.flowing(alpha, size, h);
            let excess = trial - stiffness * size - found.stress;
            if excess.abs() <= 4.0 * f64::EPSILON * trial {
                return Some(found);
            }
            if excess > 0.0 {
                low = size;
            } else {
                high = size;
            }
            let next = size + excess / (stiffness + found.slope);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            // the bracket is one number wide
            if (next - size).abs() <= 0.0 {
                return Some(found);
            }
            size = next;
        }
        None
    }
}

impl Material for VonMisesSolid {
    fn density(&self) -> f64 {
        self.elasticity.density
    }

    fn n_internal(&self) -> usize {
        7
    }

    fn wave_speed(&self) -> f64 {
        self.elasticity.wave_speed
    }

    fn is_linear(&self) -> bool {
        false
    }

    fn plastic(&self, z: &[f64]) -> Option<PlasticState> {
        let strain = *z.get(6)?;
        Some(PlasticState { strain, yield_stress: self.curve.at(strain).0 })
    }

    fn respond(&self, kinematics: &Kinematics3, h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response {
        let (old, alpha) = (Mandel::from_column_slice(&z_old[..6]), z_old[6]);
        let (bulk, mu) = (self.elasticity.lame.bulk(), self.elasticity.lame.mu);
        let (strain, back) = (&kinematics.strain, 2.0 / 3.0 * self.kinematic);
        let stress_of = |strain: &Mandel, plastic: &Mandel| {
            (deviator(strain) - plastic) * (2.0 * mu) + unit() * (bulk * trace(strain))
        };
        let trial = deviator(&stress_of(strain, &old)) - old * back;
        let size = trial.norm();
        let q = 1.5_f64.sqrt() * size;
        let limit = self.curve.at(alpha).0;
        let mut tangent = isotropic(bulk - 2.0 / 3.0 * mu, mu);
        let (mut plastic, mut flow) = (old, PlasticFlow { size: 0.0, stress: limit, slope: 0.0 });
        if q > limit * (1.0 + AT_YIELD) && (self.rate.is_none() || h > 0.0) {
            let n = trial / size;
            // a flow that is no number makes a stress that is none: the step is refused, and a shorter one is tried
            let none = PlasticFlow { size: f64::NAN, stress: f64::NAN, slope: 0.0 };
            flow = self.flow(q, alpha, h).unwrap_or(none);
            plastic += n * (1.5_f64.sqrt() * flow.size);
            let share = flow.size / q;
            let shrunk = mu * (1.0 - 3.0 * mu * share);
            let along = 6.0 * mu * mu * (share - 1.0 / (self.stiffness() + flow.slope));
            tangent = isotropic(bulk - 2.0 / 3.0 * shrunk, shrunk) + n * n.transpose() * along;
        }
        z_new[..6].copy_from_slice(plastic.as_slice());
        z_new[6] = alpha + flow.size;
        let stress = stress_of(strain, &plastic);
        let before = stress_of(&(strain - kinematics.increment), &old);
        let flowed = plastic - old;
        let elastic = deviator(strain) - plastic;
        let dilated = trace(strain);
        let driving = deviator(&stress) - plastic * back;
        Response {
            stress,
            tangent,
            rate_tangent: Tangent::zeros(),
            stored: 0.5 * bulk * dilated * dilated + mu * elastic.norm_squared() + 0.5 * back * plastic.norm_squared(),
            dissipated: flow.stress * flow.size,
            supplied: 0.0,
            path_work: 0.5 * (before + stress).dot(&(kinematics.increment - flowed))
                + (driving + (old + plastic) * (0.5 * back)).dot(&flowed),
        }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(Self { rate: None, ..self.clone() }))
    }
}
