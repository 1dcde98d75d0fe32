//! How the yield stress grows with the equivalent plastic strain α.
//!
//! ```text
//! Linear   σ_y = σ_0 + H α
//! Voce     σ_y = σ_0 + H α + (σ_∞ − σ_0)(1 − e^(−δ α))
//! Table    straight lines between points, constant after the last
//! ```

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{FemError, check_finite, check_non_negative, check_positive};

/// Isotropic hardening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Hardening {
    /// A straight line.
    Linear {
        /// H ≥ 0 \[Pa\].
        modulus: f64,
    },
    /// Saturation, with a straight line added.
    Voce {
        /// σ_∞, at least the yield stress \[Pa\].
        saturation: f64,
        /// δ > 0 \[-\].
        exponent: f64,
        /// H ≥ 0 \[Pa\].
        #[serde(default)]
        modulus: f64,
    },
    /// Points (plastic strain, yield stress) with straight lines between them; the first plastic strain is 0.
    Table {
        /// (α \[-\], σ_y \[Pa\]).
        points: Vec<(f64, f64)>,
    },
}

impl Default for Hardening {
    fn default() -> Self {
        Self::Linear { modulus: 0.0 }
    }
}

/// A curve σ_y(α), checked: it starts above zero and never falls.
#[derive(Clone, Debug)]
pub(super) struct YieldCurve {
    initial: f64,
    hardening: Hardening,
}

impl YieldCurve {
    pub fn new(law: &'static str, initial: f64, hardening: &Hardening) -> Result<Self, FemError> {
        check_positive(law, "yield_stress", initial)?;
        let falls = |parameter, value| FemError::Softening { what: law.into(), parameter, value };
        match hardening {
            Hardening::Linear { modulus } => {
                check_finite(law, "modulus", *modulus)?;
                if *modulus < 0.0 {
                    return Err(falls("modulus", *modulus));
                }
            }
            Hardening::Voce { saturation, exponent, modulus } => {
                check_positive(law, "saturation", *saturation)?;
                check_positive(law, "exponent", *exponent)?;
                check_finite(law, "modulus", *modulus)?;
                if *saturation < initial {
                    return Err(falls("saturation", *saturation));
                }
                if *modulus < 0.0 {
                    return Err(falls("modulus", *modulus));
                }
            }
            Hardening::Table { points } => check_table(law, initial, points)?,
        }
        Ok(Self { initial, hardening: hardening.clone() })
    }

    /// σ_y and dσ_y/dα (of the line to the right, at a point of a table) \[Pa\].
    pub fn at(&self, alpha: f64) -> (f64, f64) {
        match &self.hardening {
            Hardening::Linear { modulus } => (self.initial + modulus * alpha, *modulus),
            Hardening::Voce { saturation, exponent, modulus } => {
                let (range, left) = (saturation - self.initial, math::exp(-exponent * alpha));
                let grown = -math::exp_m1(-exponent * alpha);
                (self.initial + modulus * alpha + range * grown, modulus + range * exponent * left)
            }
            Hardening::Table { points } => {
                let next = points.partition_point(|p| p.0 <= alpha);
                let from = points.get(next.wrapping_sub(1)).copied().unwrap_or((0.0, self.initial));
                let slope = points.get(next).map_or(0.0, |to| (to.1 - from.1) / (to.0 - from.0));
                (from.1 + slope * (alpha - from.0), slope)
            }
        }
    }
}

fn check_table(law: &'static str, initial: f64, points: &[(f64, f64)]) -> Result<(), FemError> {
    let refuse = |parameter, value, allowed| Err(FemError::Parameter { what: law.into(), parameter, value, allowed });
    let Some(first) = points.first() else { return Err(FemError::EmptyTable) };
    if first.0.abs() > 0.0 {
        return refuse("the first plastic strain of the table", first.0, "0");
    }
    if (first.1 - initial).abs() > 0.0 {
        return refuse("the first stress of the table", first.1, "the same as `yield_stress`");
    }
    for (a, b) in points.iter().zip(points.iter().skip(1)) {
        check_finite(law, "a plastic strain of the table", b.0)?;
        check_non_negative(law, "a stress of the table", b.1)?;
        if b.0 <= a.0 {
            return refuse("a plastic strain of the table", b.0, "greater than the one before it");
        }
        if b.1 < a.1 {
            return Err(FemError::Softening { what: law.into(), parameter: "a stress of the table", value: b.1 });
        }
    }
    Ok(())
}
