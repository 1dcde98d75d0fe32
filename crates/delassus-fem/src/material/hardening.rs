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
    /// Points with straight lines between them.
    Table {
        /// The points, by growing plastic strain; the first is the yield stress at plastic strain 0.
        points: Vec<HardeningPoint>,
    },
}

/// A point of a yield curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HardeningPoint {
    /// α \[-\].
    pub strain: f64,
    /// σ_y \[Pa\].
    pub stress: f64,
}

impl Hardening {
    /// A table of (plastic strain, yield stress).
    #[must_use]
    pub fn table(points: &[(f64, f64)]) -> Self {
        let point = |&(strain, stress): &(f64, f64)| HardeningPoint { strain, stress };
        Self::Table { points: points.iter().map(point).collect() }
    }
}

impl Default for Hardening {
    fn default() -> Self {
        Self::Linear { modulus: 0.0 }
    }
}

/// A curve σ_y(α), checked: it never falls.
#[derive(Clone, Debug)]
pub(super) struct YieldCurve {
    initial: f64,
    hardening: Hardening,
}

impl YieldCurve {
    /// From the value at α = 0, which its law has checked.
    pub fn new(law: &'static str, initial: f64, hardening: &Hardening) -> Result<Self, FemError> {
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
                // what is left of a huge exponent is nothing, and must not be multiplied by infinity
                (self.initial + modulus * alpha + range * grown, modulus + range * (exponent * left))
            }
            Hardening::Table { points } => {
                let next = points.partition_point(|p| p.strain <= alpha);
                let first = HardeningPoint { strain: 0.0, stress: self.initial };
                let from = points.get(next.wrapping_sub(1)).copied().unwrap_or(first);
                let Some(to) = points.get(next) else { return (from.stress, 0.0) };
                // points may be so close that the slope is infinite
                let (rise, length) = (to.stress - from.stress, to.strain - from.strain);
                (from.stress + rise * ((alpha - from.strain) / length), rise / length)
            }
        }
    }
}

fn check_table(law: &'static str, initial: f64, points: &[HardeningPoint]) -> Result<(), FemError> {
    let refuse = |parameter, value, allowed| Err(FemError::Parameter { what: law.into(), parameter, value, allowed });
    let Some(first) = points.first() else { return Err(FemError::EmptyTable) };
    if first.strain.abs() > 0.0 {
        return refuse("the first plastic strain of the table", first.strain, "0");
    }
    // a number that is none is refused too
    if (first.stress - initial).abs() > 0.0 || first.stress.is_nan() {
        return refuse("the first stress of the table", first.stress, "the same as the law has without plastic strain");
    }
    for (a, b) in points.iter().zip(points.iter().skip(1)) {
        check_finite(law, "a plastic strain of the table", b.strain)?;
        check_non_negative(law, "a stress of the table", b.stress)?;
        if b.strain <= a.strain {
            return refuse("a plastic strain of the table", b.strain, "greater than the one before it");
        }
        if b.stress < a.stress {
            return Err(FemError::Softening { what: law.into(), parameter: "a stress of the table", value: b.stress });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Curves that are nearly steps: values and slopes stay numbers, or slopes are infinite where the step is.
    #[test]
    fn steep_curves_are_numbers() {
        let curves = [
            Hardening::Voce { saturation: 9e8, exponent: 1e300, modulus: 0.0 },
            Hardening::Voce { saturation: 9e8, exponent: 1e-300, modulus: 0.0 },
            Hardening::table(&[(0.0, 4e8), (1e-310, 9e8)]),
            Hardening::table(&[(0.0, 4e8), (5e-324, 9e8), (1e300, 9e8)]),
            Hardening::Linear { modulus: 1e290 },
        ];
        for hardening in curves {
            let curve = YieldCurve::new("law", 4e8, &hardening).unwrap();
            assert!((curve.at(0.0).0 - 4e8).abs() <= 0.0, "{hardening:?}");
            let mut before = 0.0;
            for alpha in [0.0, 5e-324, 1e-310, 1e-300, 1e-20, 1e-3, 1.0, 1e3] {
                let (stress, slope) = curve.at(alpha);
                assert!(
                    stress.is_finite() && stress >= before && slope >= 0.0,
                    "{hardening:?} {alpha:e}: {stress} {slope}"
                );
                before = stress;
            }
        }
    }
}
