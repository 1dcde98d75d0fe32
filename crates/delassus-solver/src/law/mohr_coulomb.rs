//! Mohr–Coulomb: cohesion and internal friction until the bond breaks, Coulomb's friction after.
//!
//! ```text
//! bonded:  0 ≤ g⁺ ⟂ p_N + h c A ≥ 0,   ‖p_T‖ ≤ tanφ (p_N + h c A)        broken:  Signorini, Coulomb with μ
//! ```
//!
//! Jean, Acary & Monerie 2001, §6 d. The strength in tension is c, in shear tanφ (σ + c) under a pressure σ. The bond breaks when it opens or
//! slips (module `brittle`).

use serde::{Deserialize, Serialize};

use super::brittle::{self, Brittle, Glue};
use super::keys::{Keys, Per};
use super::{ContactInput, ContactLaw, ContactOutput, LawEnergy, Slot, Step};
use crate::error::SolverError;
use crate::problem::Derived;

/// Cohesion and internal friction, then friction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

    fn bond(&self, area: f64) -> Brittle {
        Brittle {
            strength: self.cohesion * self.per.area(area),
            bonded_friction: self.internal_friction,
            friction: self.friction,
            slip_breaks: true,
            glue: self.glue,
        }
    }
}

impl<const D: usize> ContactLaw<D> for MohrCoulomb {
    fn memory(&self) -> &'static [Slot] {
        &brittle::MEMORY
    }

    fn start(&self, at_start: bool, z: &mut [f64]) {
        brittle::start(at_start, z);
    }

    fn reaches(&self, z: &[f64]) -> bool {
        brittle::is_bonded(z)
    }

    fn derive(&self, x: &ContactInput<D>, step: &Step, z: &[f64], _iterate: Option<&ContactOutput<D>>) -> Derived<D> {
        self.bond(x.area).derive(x, step, z)
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactOutput<D>, step: &Step, z: &[f64]) -> f64 {
        self.bond(x.area).violation(x, out, step, z)
    }

    fn commit(
        &self,
        x: &ContactInput<D>,
        out: &ContactOutput<D>,
        step: &Step,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        self.bond(x.area).commit(x, out, step, old, new)
    }
}
