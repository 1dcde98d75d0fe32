//! Unilateral contact on the gap with Coulomb friction.
//!
//! ```text
//! 0 ≤ g⁺ ⟂ p_N ≥ 0,  g⁺ = g + τ U_N          (Signorini)
//! ‖p_T‖ ≤ μ p_N,  U_T ≠ 0 ⇒ p_T = −μ p_N U_T/‖U_T‖   (Coulomb)
//! ```
//!
//! Vola, Pratt, Jean & Raous 1998, (8)–(12), with g ≥ 0 open and p_N ≥ 0. Dividing by τ: a_N = g/τ and the rest of the change of
//! variables is zero. There is no history.

use serde::{Deserialize, Serialize};

use super::{ContactInput, ContactLaw, ContactOutput, LawEnergy, Step};
use crate::error::SolverError;
use crate::problem::{Cone, Derived, Vector, check_friction};

/// Signorini's condition on the gap at the end of the step, Coulomb's law on the sliding velocity there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// The tangential part, the normal component set to zero.
fn tangent<const D: usize>(x: &Vector<D>) -> Vector<D> {
    let mut t = *x;
    t[0] = 0.0;
    t
}

impl<const D: usize> ContactLaw<D> for SignoriniCoulomb {
    fn derive(
        &self,
        contact: &ContactInput<D>,
        step: &Step,
        _internal: &[f64],
        _iterate: Option<&ContactOutput<D>>,
    ) -> Derived<D> {
        let mut derived = Derived::standard(Cone::Coulomb(self.friction));
        derived.v_shift[0] = contact.gap / step.gap_time;
        derived
    }

    fn violation(&self, contact: &ContactInput<D>, out: &ContactOutput<D>, step: &Step, _internal: &[f64]) -> f64 {
        let part = |error: f64, scale: f64| if error == 0.0 { 0.0 } else { error / scale };
        let gap = part(contact.gap + step.gap_time * out.velocity[0], step.gap_time * out.scale.velocity);
        let push = part(out.impulse[0], out.scale.impulse);
        // min(g⁺, p_N) vanishes exactly where both are ≥ 0 and one is zero.
        let signorini = if gap.is_nan() || push.is_nan() { f64::NAN } else { gap.min(push).abs() };
        let (slide, drag) = (tangent(&out.velocity), tangent(&out.impulse));
        let bound = self.friction * out.impulse[0];
        let excess = part(drag.norm() - bound, out.scale.impulse);
        let speed = slide.norm();
        // ‖U_T‖ p_T = −μ p_N U_T: either there is no sliding, or the impulse opposes it with the full bound. The two defects are
        // multiplied, as in the natural map: in space the direction of a slow slip is the less certain the slower it is, and the lesser
        // of the two would be as large as the root of the natural map's error.
        let sliding = if speed > 0.0 {
            let opposed = drag + slide * (bound.max(0.0) / speed);
            part(speed, out.scale.velocity).min(1.0) * part(opposed.norm(), out.scale.impulse)
        } else {
            speed
        };
        [excess, sliding].into_iter().fold(signorini, |worst, e| if e > worst || e.is_nan() { e } else { worst })
    }

    fn commit(
        &self,
        _contact: &ContactInput<D>,
        _out: &ContactOutput<D>,
        _step: &Step,
        _old: &[f64],
        _new: &mut [f64],
    ) -> LawEnergy {
        LawEnergy::default()
    }
}
