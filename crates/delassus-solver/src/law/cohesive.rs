//! Cohesion without friction: a bond that holds until it is pulled with its strength, then unilateral contact.
//!
//! ```text
//! bonded:  0 ≤ g⁺ ⟂ p_N + h c A ≥ 0        broken:  0 ≤ g⁺ ⟂ p_N ≥ 0        p_T = 0
//! ```
//!
//! Jean, Acary & Monerie 2001, §1 and §6 d ("non-frictional cohesive example"). The bond breaks when it opens (module `brittle`); it
//! slides freely.

use serde::{Deserialize, Serialize};

use super::brittle::{self, Brittle, Glue};
use super::keys::{Keys, Per};
use super::{ContactInput, ContactLaw, ContactOutput, LawEnergy, Slot, Step};
use crate::error::SolverError;
use crate::problem::Derived;

/// Cohesion across the contact, nothing along it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

    fn bond(&self, area: f64) -> Brittle {
        Brittle {
            strength: self.cohesion * self.per.area(area),
            bonded_friction: 0.0,
            friction: 0.0,
            slip_breaks: false,
            glue: self.glue,
        }
    }
}

impl<const D: usize> ContactLaw<D> for Cohesive {
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
