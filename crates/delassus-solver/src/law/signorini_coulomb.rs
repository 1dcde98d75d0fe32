//! Unilateral contact on the gap with Coulomb friction.
//!
//! ```text
//! 0 ≤ g⁺ ⟂ p_N ≥ 0,  g⁺ = g + τ U_N          (Signorini)
//! ‖p_T‖ ≤ μ p_N,  U_T ≠ 0 ⇒ p_T = −μ p_N U_T/‖U_T‖   (Coulomb)
//! ```
//!
//! Vola, Pratt, Jean & Raous 1998, (8)–(12), with g ≥ 0 open and p_N ≥ 0. Dividing by τ: a_N = g/τ and the rest of the change of
//! variables is zero. There is no history.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ContactInput, ContactLaw, StepTimes, statement};
use crate::error::SolverError;
use crate::problem::{Cone, Derived, check_friction};
use crate::solution::ContactSolution;

/// Signorini's condition on the gap at the end of the step, Coulomb's law on the sliding velocity there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SignoriniCoulomb {
    /// Friction coefficient μ ≥ 0.
    pub friction: f64,
}

impl SignoriniCoulomb {
    /// Checks the friction coefficient.
    ///
    /// # Errors
    /// [`SolverError::Friction`] if it is not a finite number ≥ 0.
    pub fn validate(&self) -> Result<(), SolverError> {
        check_friction(self.friction, || "law `SignoriniCoulomb`".to_owned())
    }
}

impl<const D: usize> ContactLaw<D> for SignoriniCoulomb {
    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        _z: &[f64],
        _iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let mut derived = Derived::standard(Cone::Coulomb(self.friction));
        derived.v_shift[0] = x.gap / step.gap_time;
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, _z: &[f64]) -> f64 {
        let opening = x.gap / step.gap_time + out.velocity[0];
        statement::contact(opening, self.friction, &out.velocity, &out.impulse, &out.scale)
    }
}
