//! How the stress that flows grows with the rate of flow: a power law.
//!
//! ```text
//! q = σ_y (1 + (α̇/ε̇_0)^m) ,     α̇ = ε̇_0 (q/σ_y − 1)^(1/m)
//! ```
//!
//! As slowly as one likes it is the rate-independent law.

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{FemError, check_positive};

/// A power law of the rate of the equivalent plastic strain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PowerLaw {
    /// Rate ε̇_0 > 0 at which the stress is twice the yield stress \[1/s\].
    pub reference: f64,
    /// m > 0; 1 is a viscosity, 0.2 is common for steel \[-\].
    pub exponent: f64,
}

impl PowerLaw {
    pub(super) fn check(&self, law: &'static str) -> Result<(), FemError> {
        check_positive(law, "rate.reference", self.reference)?;
        check_positive(law, "rate.exponent", self.exponent)
    }

    /// q/σ_y of a flow Δα over h > 0, and its derivative by Δα.
    pub(super) fn factor(&self, flow: f64, h: f64) -> (f64, f64) {
        let part = flow / (h * self.reference);
        if part <= 0.0 {
            // not known at the corner itself, where nothing is made of it
            return (1.0, 0.0);
        }
        let over = math::powf(part, self.exponent);
        (1.0 + over, self.exponent * over / flow)
    }

    /// Δα over h of an excess q/σ_y − 1.
    pub(super) fn flow(&self, over: f64, h: f64) -> f64 {
        h * self.reference * math::powf(over.max(0.0), 1.0 / self.exponent)
    }
}
