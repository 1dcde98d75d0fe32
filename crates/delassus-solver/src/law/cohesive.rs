//! Cohesion without friction: a bond that holds until it is pulled with its strength, then unilateral contact.
//!
//! ```text
//! bonded:  0 ≤ g⁺ ⟂ p_N + h c A ≥ 0        broken:  0 ≤ g⁺ ⟂ p_N ≥ 0        p_T = 0
//! ```
//!
//! Jean, Acary & Monerie 2001, §1 and §6 d ("non-frictional cohesive example"). The bond breaks when it opens (module `brittle`); it
//! slides freely.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::brittle::{Brittle, Glue};
use super::keys::{Keys, Per};
use crate::error::SolverError;

/// Cohesion normal to the contact, no resistance along it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cohesive {
    /// c ≥ 0, strength in tension [Pa; N per point].
    pub cohesion: f64,
    /// Whether the cohesion is per area or per contact point.
    #[serde(default)]
    pub per: Per,
    /// When a broken bond is glued again.
    #[serde(default)]
    pub glue: Glue,
}

impl Cohesive {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        Keys("Cohesive").not_negative("cohesion", self.cohesion)
    }

    /// The law itself.
    pub(super) fn bond(&self) -> Brittle {
        Brittle {
            cohesion: self.cohesion,
            per: self.per,
            bonded_friction: 0.0,
            friction: 0.0,
            slip_breaks: false,
            glue: self.glue,
        }
    }
}
