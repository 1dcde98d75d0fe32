//! What the parameters of laws have in common: their checks, and whether they count per area or per point.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::SolverError;

/// What the numbers of a law are counted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Per {
    /// Per unit of area: the law multiplies them by the area of the contact.
    #[default]
    Area,
    /// Per contact point, independent of its area (units without 1/m²).
    Point,
}

impl Per {
    /// Area by which the numbers are multiplied [m²]; 1 per point.
    pub(super) fn area(self, area: f64) -> f64 {
        match self {
            Self::Area => area,
            Self::Point => 1.0,
        }
    }
}

/// Checks of the parameters of the law of this name.
pub(super) struct Keys(pub(super) &'static str);

impl Keys {
    pub(super) fn positive(&self, key: &'static str, value: f64) -> Result<(), SolverError> {
        self.check(key, value, value > 0.0, || "a finite number > 0".to_owned())
    }

    pub(super) fn not_negative(&self, key: &'static str, value: f64) -> Result<(), SolverError> {
        self.check(key, value, value >= 0.0, || "a finite number ≥ 0".to_owned())
    }

    pub(super) fn within(&self, key: &'static str, value: f64, low: f64, high: f64) -> Result<(), SolverError> {
        self.check(key, value, (low..=high).contains(&value), || format!("from {low} to {high}"))
    }

    /// `fits` must hold and the value be finite; `wanted` says what would be right.
    pub(super) fn check(
        &self,
        key: &'static str,
        value: f64,
        fits: bool,
        wanted: impl FnOnce() -> String,
    ) -> Result<(), SolverError> {
        if fits && value.is_finite() {
            return Ok(());
        }
        Err(SolverError::Law { law: self.0, key, value, wanted: wanted() })
    }
}
