//! Von Mises' plasticity (J2) with isotropic and linear kinematic hardening.
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
//! The left side falls as Δα grows, so its root is unique; Newton's iteration is kept within the bracket that the signs give. Energies of a step, Δε = Δε_e + Δε_p:
//!
//! ```text
//! stored      ½ κ (tr ε)² + μ |dev ε_e|² + ⅓ H_k |ε_p|²
//! dissipated  σ_y(α⁺) Δα
//! path work   ½ (σ + σ⁺):Δε_e + ξ⁺:Δε_p + ½ (β + β⁺):Δε_p
//! ```
//!
//! All of the isotropic part of the plastic work counts as dissipated (heat). Internal variables: ε_p in Mandel notation, α.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hardening::{Hardening, YieldCurve};
use super::moduli::Lame;
use super::{Kinematics3, Material, PlasticState, Response};
use crate::error::{FemError, check_non_negative, check_positive};
use crate::tensor::{Mandel, Tangent, deviator, isotropic, trace, unit};

const LAW: &str = "VonMises";

/// An excess over the yield stress up to this part of it is rounding.
const AT_YIELD: f64 = 1e-12;

/// Iterations of the return, far above what any curve needs.
const MOST_ITERATIONS: usize = 100;

/// Parameters: either (`young`, `poisson`) or (`lambda`, `mu`), the yield stress and its hardening.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VonMises {
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
    /// Stress σ_0 > 0 at which a pulled bar begins to flow \[Pa\].
    pub yield_stress: f64,
    /// How the yield stress grows; none by default.
    #[serde(default)]
    pub hardening: Hardening,
    /// Modulus H_k ≥ 0 of the kinematic hardening \[Pa\].
    #[serde(default)]
    pub kinematic: f64,
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
        check_positive(LAW, "density", density)?;
        let moduli = Lame::from_pair(LAW, self.young, self.poisson, self.lambda, self.mu)?;
        let curve = YieldCurve::new(LAW, self.yield_stress, &self.hardening)?;
        check_non_negative(LAW, "kinematic", self.kinematic)?;
        let wave_speed = moduli.wave_speed(LAW, density)?;
        Ok(VonMisesSolid { density, wave_speed, bulk: moduli.bulk(), mu: moduli.mu, curve, kinematic: self.kinematic })
    }
}

/// Von Mises' solid with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct VonMisesSolid {
    density: f64,
    wave_speed: f64,
    /// κ \[Pa\].
    bulk: f64,
    /// μ \[Pa\].
    mu: f64,
    curve: YieldCurve,
    /// H_k \[Pa\].
    kinematic: f64,
}

impl VonMisesSolid {
    /// Δα and σ_y′ at its end; none if it is not found (numbers that are none).
    fn flow(&self, trial: f64, alpha: f64) -> Option<(f64, f64)> {
        let stiffness = 3.0 * self.mu + self.kinematic;
        let (mut low, mut high) = (0.0, trial / stiffness);
        let mut flow = 0.0;
        for _ in 0..MOST_ITERATIONS {
            let (limit, slope) = self.curve.at(alpha + flow);
            let excess = trial - stiffness * flow - limit;
            if excess.abs() <= 4.0 * f64::EPSILON * trial {
                return Some((flow, slope));
            }
            if excess > 0.0 {
                low = flow;
            } else {
                high = flow;
            }
            let next = flow + excess / (stiffness + slope);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            // the bracket is one number wide
            if (next - flow).abs() <= 0.0 {
                return Some((flow, slope));
            }
            flow = next;
        }
        None
    }
}

impl Material for VonMisesSolid {
    fn density(&self) -> f64 {
        self.density
    }

    fn n_internal(&self) -> usize {
        7
    }

    fn wave_speed(&self) -> f64 {
        self.wave_speed
    }

    fn is_linear(&self) -> bool {
        false
    }

    fn plastic(&self, z: &[f64]) -> Option<PlasticState> {
        let strain = *z.get(6)?;
        Some(PlasticState { strain, yield_stress: self.curve.at(strain).0 })
    }

    fn respond(&self, kinematics: &Kinematics3, _h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response {
        let (old, alpha) = (Mandel::from_column_slice(&z_old[..6]), z_old[6]);
        let (strain, back) = (&kinematics.strain, 2.0 / 3.0 * self.kinematic);
        let stress_of = |strain: &Mandel, plastic: &Mandel| {
            (deviator(strain) - plastic) * (2.0 * self.mu) + unit() * (self.bulk * trace(strain))
        };
        let trial = deviator(&stress_of(strain, &old)) - old * back;
        let size = trial.norm();
        let q = 1.5_f64.sqrt() * size;
        let limit = self.curve.at(alpha).0;
        let mut tangent = isotropic(self.bulk - 2.0 / 3.0 * self.mu, self.mu);
        let (mut plastic, mut flow) = (old, 0.0);
        if q > limit * (1.0 + AT_YIELD) {
            let n = trial / size;
            let found = self.flow(q, alpha);
            // a flow that is no number makes a stress that is none: the step is refused
            let (found, slope) = found.unwrap_or((f64::NAN, 0.0));
            flow = found;
            plastic += n * (1.5_f64.sqrt() * flow);
            let (mu, share) = (self.mu, flow / q);
            let shrunk = mu * (1.0 - 3.0 * mu * share);
            let along = 6.0 * mu * mu * (share - 1.0 / (3.0 * mu + self.kinematic + slope));
            tangent = isotropic(self.bulk - 2.0 / 3.0 * shrunk, shrunk) + n * n.transpose() * along;
        }
        z_new[..6].copy_from_slice(plastic.as_slice());
        z_new[6] = alpha + flow;
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
            stored: 0.5 * self.bulk * dilated * dilated
                + self.mu * elastic.norm_squared()
                + 0.5 * back * plastic.norm_squared(),
            dissipated: self.curve.at(alpha + flow).0 * flow,
            path_work: 0.5 * (before + stress).dot(&(kinematics.increment - flowed))
                + (driving + (old + plastic) * (0.5 * back)).dot(&flowed),
        }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(self.clone()))
    }
}
