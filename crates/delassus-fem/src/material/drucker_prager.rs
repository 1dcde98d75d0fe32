//! Drucker's and Prager's plasticity of soils and rock: a cone with the pressure, with a dilatancy of its own and a return to the apex.
//!
//! ```text
//! σ = κ tr(ε_e) I + 2μ dev ε_e ,   p = ⅓ tr σ (tension positive) ,   j = √(½ s:s)
//! j + η p ≤ ξ c(α) ,     ε̇_p = γ̇ (s/(2j) + ⅓ η̄ I) ,   α̇ = ξ γ̇
//! ```
//!
//! η and ξ belong to the friction angle φ, η̄ = η(ψ) to the dilatancy angle ψ ≤ φ; the cone meets Mohr's and Coulomb's pyramid (de Souza Neto, Perić & Owen 2008 §6.4, §8.3)
//!
//! ```text
//! Compression   η = 6 sin φ/(√3 (3 − sin φ))    ξ = 6 cos φ/(√3 (3 − sin φ))         at the outer edges: triaxial compression
//! Extension     η = 6 sin φ/(√3 (3 + sin φ))    ξ = 6 cos φ/(√3 (3 + sin φ))         at the inner edges: triaxial extension
//! PlaneStrain   η = 3 tan φ/√(9 + 12 tan²φ)     ξ = 3/√(9 + 12 tan²φ)                the collapse in plane strain, for ψ = φ
//! ```
//!
//! Over a step, with j*, p*, n = s*/|s*| of the elastic trial:
//!
//! ```text
//! cone   j* + η p* − (μ + κ η η̄) Δγ − ξ c(α + ξ Δγ) = 0 ,   s = (1 − μ Δγ/j*) s* ,   p = p* − κ η̄ Δγ
//!        𝒞 = κ I⊗I + 2μ (1 − r) 𝕀_dev + 2μ r n⊗n − (√2 μ n + κ η̄ I)⊗(√2 μ n + κ η I)/(μ + κ η η̄ + ξ² c′) ,   r = μ Δγ/j*
//! apex   where the cone would leave s < 0:  s = 0 ,  η p = ξ c(α⁺) ,  α⁺ = α + ξ a + (ξ/η)(Δv − η̄ a) ,   a = j*/μ ,  Δv = (p* − p)/κ
//! ```
//!
//! At the apex the volume flows as the tension demands, whatever ψ is; α goes on from the cone without a jump. For η̄ = η it is the associated return. Without friction
//! (φ = 0) there is no apex. With ψ < φ the tangent is not symmetric. Energies of a step, Δε = Δε_e + Δε_p:
//!
//! ```text
//! stored      ½ κ (tr ε_e)² + μ |dev ε_e|²
//! dissipated  (ξ c(α⁺) − (η − η̄) p) Δγ on the cone ,   p Δv at the apex         ≥ 0 since η̄ ≤ η and η p ≤ ξ c
//! path work   ½ (σ + σ⁺):Δε_e + σ⁺:Δε_p
//! ```
//!
//! Internal variables: ε_p in Mandel notation, α.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hardening::{Hardening, YieldCurve};
use super::moduli::{Elasticity, law_with_moduli};
use super::{Kinematics3, Material, PlasticState, Response};
use crate::error::{FemError, check_non_negative};
use crate::tensor::{Mandel, Tangent, deviator, isotropic, trace, unit};

const LAW: &str = "DruckerPrager";

/// An excess over the cone up to this part of its terms is rounding.
const AT_YIELD: f64 = 1e-12;

/// Iterations of a return, far above what any curve needs.
const MOST_ITERATIONS: usize = 100;

/// Where the cone meets Mohr's and Coulomb's pyramid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ConeFit {
    /// At the edges of triaxial compression.
    #[default]
    Compression,
    /// At the edges of triaxial extension.
    Extension,
    /// So that both collapse at the same load in plane strain.
    PlaneStrain,
}

impl ConeFit {
    /// η and ξ of an angle \[rad\].
    fn slopes(self, angle: f64) -> (f64, f64) {
        let (sin, cos) = math::sin_cos(angle);
        let by = |divisor: f64| (6.0 * sin / divisor, 6.0 * cos / divisor);
        match self {
            Self::Compression => by(3.0_f64.sqrt() * (3.0 - sin)),
            Self::Extension => by(3.0_f64.sqrt() * (3.0 + sin)),
            Self::PlaneStrain => {
                let root = (9.0 * cos * cos + 12.0 * sin * sin).sqrt();
                (3.0 * sin / root, 3.0 * cos / root)
            }
        }
    }
}

law_with_moduli! {
    /// Parameters: either (`young`, `poisson`) or (`lambda`, `mu`), cohesion and angles.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub struct DruckerPrager {
        /// Cohesion c ≥ 0 \[Pa\].
        pub cohesion: f64,
        /// Angle of internal friction φ, 0 ≤ φ < 90° \[°\].
        pub friction_angle: f64,
        /// Angle of dilatancy ψ, 0 ≤ ψ ≤ φ; φ when absent \[°\].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub dilation_angle: Option<f64>,
        /// Where the cone meets Mohr's and Coulomb's pyramid.
        #[serde(default)]
        pub cone: ConeFit,
        /// How the cohesion grows with the plastic strain α = ξ ∫ γ̇ dt; not at all by default.
        #[serde(default)]
        pub hardening: Hardening,
    }
}

impl DruckerPrager {
    /// Young's modulus \[Pa\], Poisson's ratio, cohesion \[Pa\] and angle of friction \[°\]; with as much dilatancy, and without hardening.
    #[must_use]
    pub fn new(young: f64, poisson: f64, cohesion: f64, friction_angle: f64) -> Self {
        Self { young: Some(young), poisson: Some(poisson), cohesion, friction_angle, ..Self::default() }
    }

    /// Checks the parameters and makes the material.
    pub(super) fn build(&self, density: f64) -> Result<DruckerPragerSolid, FemError> {
        let elasticity = self.elasticity(density)?;
        check_non_negative(LAW, "cohesion", self.cohesion)?;
        let refuse =
            |parameter, value, allowed| Err(FemError::Parameter { what: LAW.into(), parameter, value, allowed });
        if !(0.0..90.0).contains(&self.friction_angle) {
            return refuse("friction_angle", self.friction_angle, "an angle in degrees, >= 0 and < 90");
        }
        let dilation = self.dilation_angle.unwrap_or(self.friction_angle);
        if !(0.0..=self.friction_angle).contains(&dilation) {
            return refuse("dilation_angle", dilation, "an angle in degrees, >= 0 and <= friction_angle");
        }
        if self.cohesion <= 0.0 && self.friction_angle <= 0.0 {
            return refuse("cohesion", self.cohesion, "> 0 where friction_angle is 0: else nothing resists shear");
        }
        let curve = YieldCurve::new(LAW, self.cohesion, &self.hardening)?;
        let (friction, cohesive) = self.cone.slopes(self.friction_angle.to_radians());
        let (dilatancy, _) = self.cone.slopes(dilation.to_radians());
        Ok(DruckerPragerSolid { elasticity, curve, friction, cohesive, dilatancy })
    }
}

/// Drucker's and Prager's solid with checked parameters.
#[derive(Clone, Debug)]
pub(super) struct DruckerPragerSolid {
    elasticity: Elasticity,
    /// c(α).
    curve: YieldCurve,
    /// η.
    friction: f64,
    /// ξ.
    cohesive: f64,
    /// η̄.
    dilatancy: f64,
}

/// The elastic trial.
struct ElasticTrial {
    /// s*.
    deviator: Mandel,
    /// j*.
    shear: f64,
    /// p*.
    pressure: f64,
    /// α before.
    alpha: f64,
}

/// A return to the cone or to its apex.
struct Returned {
    /// Δε_p.
    flowed: Mandel,
    /// Δα.
    hardened: f64,
    dissipated: f64,
    tangent: Tangent,
}

/// The root of a function that falls from a value ≥ 0 at 0 to one ≤ 0 at `high`, given with its slope, to the rounding of `scale`.
fn falling_root(mut high: f64, scale: f64, f: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    let (mut low, mut x) = (0.0, 0.0);
    for _ in 0..MOST_ITERATIONS {
        let (value, slope) = f(x);
        if value.abs() <= 4.0 * f64::EPSILON * scale {
            return Some(x);
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let next = x - value / slope;
        let next = if next > low && next <= high { next } else { 0.5 * (low + high) };
        if (next - x).abs() <= 0.0 {
            return Some(x);
        }
        x = next;
    }
    None
}

impl DruckerPragerSolid {
    /// κ and μ.
    fn moduli(&self) -> (f64, f64) {
        (self.elasticity.lame.bulk(), self.elasticity.lame.mu)
    }

    /// The terms of the cone, j* + η p* and ξ c, and the sum of their sizes.
    fn excess(&self, t: &ElasticTrial) -> (f64, f64) {
        let limit = self.cohesive * self.curve.at(t.alpha).0;
        (t.shear + self.friction * t.pressure - limit, t.shear + self.friction * t.pressure.abs() + limit)
    }

    /// The return to the cone; none where it would leave s < 0.
    fn to_cone(&self, t: &ElasticTrial) -> Option<Returned> {
        let ((bulk, mu), (eta, xi, eta_bar)) = (self.moduli(), (self.friction, self.cohesive, self.dilatancy));
        let (excess, scale) = self.excess(t);
        let stiffness = mu + bulk * eta * eta_bar;
        // cohesion that does not grow gives the most that can flow
        let flow = falling_root(excess / stiffness, scale, |x| {
            let (c, slope) = self.curve.at(t.alpha + xi * x);
            (t.shear + eta * t.pressure - stiffness * x - xi * c, -stiffness - xi * xi * slope)
        })?;
        if mu * flow > t.shear || t.shear <= 0.0 {
            return None;
        }
        let n = t.deviator / (SQRT_2 * t.shear);
        let flowed = n * (flow / SQRT_2) + unit() * (eta_bar * flow / 3.0);
        let (c, slope) = self.curve.at(t.alpha + xi * flow);
        let pressure = t.pressure - bulk * eta_bar * flow;
        let r = mu * flow / t.shear;
        let shrunk = mu * (1.0 - r);
        let along = n * (SQRT_2 * mu);
        let (left, right) = (along + unit() * (bulk * eta_bar), along + unit() * (bulk * eta));
        let tangent = isotropic(bulk - 2.0 / 3.0 * shrunk, shrunk) + n * n.transpose() * (2.0 * mu * r)
            - left * right.transpose() / (stiffness + xi * xi * slope);
        let dissipated = (xi * c - (eta - eta_bar) * pressure) * flow;
        Some(Returned { flowed, hardened: xi * flow, dissipated, tangent })
    }

    /// The return to the apex.
    fn to_apex(&self, t: &ElasticTrial) -> Option<Returned> {
        let ((bulk, mu), (eta, xi, eta_bar)) = (self.moduli(), (self.friction, self.cohesive, self.dilatancy));
        let (ratio, sheared) = (xi / eta, t.shear / mu);
        // α of what flows of the volume beyond what the cone flows on the way to its apex
        let hardened = |beyond: f64| xi * sheared + ratio * beyond;
        let left = t.pressure - bulk * eta_bar * sheared;
        let scale = t.pressure.abs() + bulk * eta_bar * sheared + ratio * self.curve.at(t.alpha).0;
        let most = (left - ratio * self.curve.at(t.alpha + hardened(0.0)).0) / bulk;
        let beyond = falling_root(most, scale, |x| {
            let (c, slope) = self.curve.at(t.alpha + hardened(x));
            (left - bulk * x - ratio * c, -bulk - ratio * ratio * slope)
        })?;
        let volume = eta_bar * sheared + beyond;
        let flowed = t.deviator / (2.0 * mu) + unit() * (volume / 3.0);
        let slope = self.curve.at(t.alpha + hardened(beyond)).1;
        let n = if t.shear > 0.0 { t.deviator / (SQRT_2 * t.shear) } else { Mandel::zeros() };
        let rising = n * (SQRT_2 * xi * (1.0 - eta_bar / eta)) + unit() * ratio;
        let tangent = unit() * rising.transpose() * (ratio * slope / (1.0 + ratio * ratio * slope / bulk));
        let pressure = t.pressure - bulk * volume;
        Some(Returned { flowed, hardened: hardened(beyond), dissipated: pressure * volume, tangent })
    }
}

impl Material for DruckerPragerSolid {
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

    fn has_symmetric_tangent(&self) -> bool {
        self.dilatancy >= self.friction
    }

    fn plastic(&self, z: &[f64]) -> Option<PlasticState> {
        let strain = *z.get(6)?;
        Some(PlasticState { strain, yield_stress: self.curve.at(strain).0 })
    }

    fn respond(&self, kinematics: &Kinematics3, _h: f64, z_old: &[f64], z_new: &mut [f64]) -> Response {
        let (old, alpha) = (Mandel::from_column_slice(&z_old[..6]), z_old[6]);
        let (bulk, mu) = self.moduli();
        let strain = &kinematics.strain;
        let elastic = isotropic(bulk - 2.0 / 3.0 * mu, mu);
        let stress_of = |elastic: &Mandel| deviator(elastic) * (2.0 * mu) + unit() * (bulk * trace(elastic));
        let trial = stress_of(&(strain - old));
        let deviator_of_trial = deviator(&trial);
        let t = ElasticTrial {
            shear: deviator_of_trial.norm() / SQRT_2,
            deviator: deviator_of_trial,
            pressure: trace(&trial) / 3.0,
            alpha,
        };
        let still = Returned { flowed: Mandel::zeros(), hardened: 0.0, dissipated: 0.0, tangent: elastic };
        let (excess, scale) = self.excess(&t);
        let found = if excess > AT_YIELD * scale {
            // a flow that is no number makes a stress that is none: the step is refused, and a shorter one is tried
            let none = Returned { flowed: Mandel::repeat(f64::NAN), ..still };
            let has_apex = self.friction > 0.0;
            self.to_cone(&t).or_else(|| self.to_apex(&t).filter(|_| has_apex)).unwrap_or(none)
        } else {
            still
        };
        let plastic = old + found.flowed;
        z_new[..6].copy_from_slice(plastic.as_slice());
        z_new[6] = alpha + found.hardened;
        let after = strain - plastic;
        let stress = stress_of(&after);
        let before = stress_of(&(strain - kinematics.increment - old));
        let (dilated, sheared) = (trace(&after), deviator(&after));
        Response {
            stress,
            tangent: found.tangent,
            rate_tangent: Tangent::zeros(),
            stored: 0.5 * bulk * dilated * dilated + mu * sheared.norm_squared(),
            dissipated: found.dissipated,
            supplied: 0.0,
            path_work: 0.5 * (before + stress).dot(&(kinematics.increment - found.flowed)) + stress.dot(&found.flowed),
        }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(self.clone()))
    }
}
