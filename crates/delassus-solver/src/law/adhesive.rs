//! Adhesion with damage by Frémond, Cangémi and Raous: a bond of springs whose stiffness goes with the square of its intensity β.
//!
//! ```text
//! k = β² C A,   p = p̃ − h k (g₊, u_T),   (g, p̃) Signorini,  (U_T, p̃_T) Coulomb with μ
//! A(u) = C_N g₊² + C_T u_T²
//! b = 0:  β = min(β_old, w/A(u_law))
//! b > 0:  β̇ = −([w − β A]^−/b)^(1/p),   β⁺ = β_old − h (θ f(β⁺, A(u_law)) + (1 − θ) f(β_old, A(u_old))),   f = −β̇
//! ```
//!
//! Jean, Acary & Monerie 2001, §6 e, with β = 1 intact and β = 0 broken, w its E, G′ = 1 and springs that attract. In one mode and with b = 0
//! the traction rises as C u up to √(C w) at u₀ = √(w/C) and then falls as w²/(C u³); the energy to break the bond is w. The history keeps
//! the damage d = 1 − β.

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::StepTimes;
use super::damage::{DamageLaw, Opening, Springs};
use super::keys::{Keys, Per};
use crate::error::SolverError;

/// β below which adhesion counts as spent: what traction is left is 3e-5 of the strength (it goes with β^1.5).
const SPENT: f64 = 1e-3;

/// Adhesion with damage, unilateral contact and friction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Adhesive {
    /// C_N > 0, stiffness of the intact bond across the contact [N/m³; N/m per point].
    pub normal_stiffness: f64,
    /// C_T > 0, stiffness of the intact bond along the contact [N/m³; N/m per point].
    pub tangential_stiffness: f64,
    /// w > 0, energy that breaks the bond [J/m²; J per point].
    pub energy: f64,
    /// b ≥ 0, viscosity of damage [J·s/m²; J·s per point].
    #[serde(default)]
    pub viscosity: f64,
    /// p > 0, the rate of damage is proportional to the 1/p-th power of its force; without unit. Of no effect
    /// at viscosity 0.
    #[serde(default = "one")]
    pub exponent: f64,
    /// θ from 1/2 to 1 of the scheme for β; without unit. Of no effect at viscosity 0.
    #[serde(default = "one")]
    pub theta: f64,
    /// Friction coefficient μ ≥ 0.
    #[serde(default)]
    pub friction: f64,
    /// From when friction acts.
    #[serde(default)]
    pub friction_acts: FrictionActs,
    /// Friction coefficient while the bond lasts, β > 1e-3, if it is another than μ (JAM 2001 §6 e: one for each status). Not with `AfterAdhesion`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonded_friction: Option<f64>,
    /// Whether the numbers are per area or per contact point.
    #[serde(default)]
    pub per: Per,
}

/// From when friction acts at a bond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FrictionActs {
    /// Always, on the part of the impulse that is not the bond's.
    #[default]
    WithAdhesion,
    /// Once adhesion is spent, β ≤ 1e-3 at the start of a step, and at points that were never bonded. β only tends to zero, as w/A.
    AfterAdhesion,
}

fn one() -> f64 {
    1.0
}

impl Adhesive {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("Adhesive");
        keys.positive("normal_stiffness", self.normal_stiffness)?;
        keys.positive("tangential_stiffness", self.tangential_stiffness)?;
        keys.positive("energy", self.energy)?;
        keys.not_negative("viscosity", self.viscosity)?;
        keys.positive("exponent", self.exponent)?;
        keys.within("theta", self.theta, 0.5, 1.0)?;
        if let Some(mu) = self.bonded_friction {
            keys.not_negative("bonded_friction", mu)?;
            if self.friction_acts == FrictionActs::AfterAdhesion {
                return Err(SolverError::LawTwice { law: "Adhesive", one: "bonded_friction", other: "friction_acts" });
            }
        }
        keys.not_negative("friction", self.friction)
    }

    /// −β̇ at intensity β and A = C_N g₊² + C_T u_T² [1/s].
    fn rate(&self, beta: f64, drawn: f64) -> f64 {
        math::powf((beta * drawn - self.energy).max(0.0) / self.viscosity, 1.0 / self.exponent)
    }

    /// β⁺ + h θ f(β⁺, A) = `known`, which grows with β⁺.
    fn implicit_intensity(&self, known: f64, drawn: f64, h: f64) -> f64 {
        let rest = self.energy / drawn;
        if known <= rest {
            return known;
        }
        let part = h * self.theta;
        // p = 1 by the formula.
        if (self.exponent - 1.0).abs() < f64::EPSILON {
            return (known + part * self.energy / self.viscosity) / (1.0 + part * drawn / self.viscosity);
        }
        let (mut low, mut high) = (rest, known);
        while high - low > 2.0 * f64::EPSILON * high {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if middle + part * self.rate(middle, drawn) > known { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    }
}

impl DamageLaw for Adhesive {
    fn intact(&self, area: f64) -> Springs {
        let area = self.per.area(area);
        Springs { normal: self.normal_stiffness * area, tangential: self.tangential_stiffness * area }
    }

    fn left(&self, damage: f64) -> f64 {
        (1.0 - damage) * (1.0 - damage)
    }

    fn grow(&self, old: f64, before: Opening, opening: Opening, step: &StepTimes) -> f64 {
        let squared = |opening: Opening| opening.squared(self.normal_stiffness, self.tangential_stiffness);
        let (beta, drawn) = (1.0 - old, squared(opening));
        if self.viscosity > 0.0 {
            let known = beta - step.h * (1.0 - self.theta) * self.rate(beta, squared(before));
            return 1.0 - self.implicit_intensity(known, drawn, step.h).min(beta).max(0.0);
        }
        // Compared as products: nothing is divided by an opening of zero, and intact stays exactly intact.
        if beta * drawn > self.energy { 1.0 - self.energy / drawn } else { old }
    }

    fn friction(&self, old: f64) -> f64 {
        let lasts = 1.0 - old > SPENT;
        match self.friction_acts {
            FrictionActs::AfterAdhesion if lasts => 0.0,
            FrictionActs::WithAdhesion if lasts => self.bonded_friction.unwrap_or(self.friction),
            _ => self.friction,
        }
    }
}
