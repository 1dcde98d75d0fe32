//! Mohr–Coulomb: cohesion and internal friction until the bond breaks, Coulomb's friction after.
//!
//! ```text
//! bonded:  0 ≤ g⁺ ⟂ p_N + h c A ≥ 0,   ‖p_T‖ ≤ tanφ (p_N + h c A)        broken:  Signorini, Coulomb with μ
//! ```
//!
//! Jean, Acary & Monerie 2001, §6 d. The strength in tension is c, in shear tanφ (σ + c) under a pressure σ. The bond breaks when it opens or
//! slips (module `brittle`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::brittle::{Brittle, Glue};
use super::keys::{Keys, Per};
use crate::error::SolverError;

/// Cohesion and internal friction, then friction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MohrCoulomb {
    /// c ≥ 0, strength in tension [Pa; N per point].
    pub cohesion: f64,
    /// tanφ ≥ 0, friction coefficient while bonded; the strength in shear without pressure is c tanφ.
    pub internal_friction: f64,
    /// Friction coefficient μ ≥ 0 after breaking.
    #[serde(default)]
    pub friction: f64,
    /// Whether the cohesion is per area or per contact point.
    #[serde(default)]
    pub per: Per,
    /// When a broken bond is glued again.
    #[serde(default)]
    pub glue: Glue,
}

impl MohrCoulomb {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("MohrCoulomb");
        keys.not_negative("cohesion", self.cohesion)?;
        keys.not_negative("internal_friction", self.internal_friction)?;
        keys.not_negative("friction", self.friction)
    }

    /// The law itself.
    pub(super) fn bond(&self) -> Brittle {
        Brittle {
            cohesion: self.cohesion,
            per: self.per,
            bonded_friction: self.internal_friction,
            friction: self.friction,
            slip_breaks: true,
            glue: self.glue,
        }
    }
}
