//! Impact by Newton and Moreau, for bodies that are rigid: contact on velocities, with restitution.
//!
//! ```text
//! g + τ v_free,N ≤ 0:                  0 ≤ U_N⁺ + e_N U_N⁻ ⟂ p_N ≥ 0,       Coulomb on U_T⁺ + e_T U_T⁻
//! else, e_N = 0 or p ≠ 0 before:       0 ≤ U_N⁺ + max(g, 0)/τ ⟂ p_N ≥ 0,    the same along
//! else:                                p = 0
//! ```
//!
//! Moreau 2000, (26)–(27), puts the weighted means U^a = (e U⁻ + U⁺)/(1 + e) into the law of contact; Jean & Moreau 1992, (6.1), the
//! mean ½(1−δ) U⁻ + ½(1+δ) U⁺ with the dissipation index δ. The law of contact does not see a positive factor, so both are U⁺ + e U⁻ with
//! e = (1−δ)/(1+δ); (6.1) has one δ for all components. The impulse may be zero with U^a_N > 0: a rocking block lifts off.
//!
//! Bodies that rest on one another fall alike without impulses: the gap of a contact within a stack, opened by as little as the tolerance of the solver, closes by the impulses of other contacts alone. Without the second
//! line such a contact would be left out for a step, and the stack above it would sink into what is below, step after step. An impact with e_N > 0 that others cause within the step waits for the next one, where its restitution is known.
//!
//! U_N⁻ > 0 (moving apart, and pushed together within the step) gives no restitution: U_N⁺ ≥ −e U_N⁻ would let the bodies approach. With
//! `separating` it counts, as (26) is stated.
//! The gap is not in the law: what a step penetrates before the impact stays, of the order of h times the speed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, StepTimes};
use crate::error::SolverError;
use crate::linalg::Vector;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

const NAME: &str = "Restitution";

/// Restitution across and along the contact, with Coulomb's friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Restitution {
    /// e_N from 0 to 1, without unit; 0 if left out.
    pub normal: Option<f64>,
    /// e_T above −1 and up to 1, without unit; 0 if left out.
    pub tangential: Option<f64>,
    /// δ from 0 to 1, in place of both coefficients: e_N = e_T = (1−δ)/(1+δ); without unit.
    pub dissipation_index: Option<f64>,
    /// Friction coefficient μ ≥ 0.
    pub friction: f64,
    /// Whether a velocity of separation U_N⁻ > 0 counts in the mean too, as Moreau's (26) is stated.
    pub separating: bool,
}

impl Restitution {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range, [`SolverError::LawTwice`] for an index and a coefficient.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys(NAME);
        if let Some(e) = self.normal {
            keys.within("normal", e, 0.0, 1.0)?;
        }
        if let Some(e) = self.tangential {
            keys.check("tangential", e, e > -1.0 && e <= 1.0, || "above -1 and up to 1".to_owned())?;
        }
        if let Some(delta) = self.dissipation_index {
            keys.within("dissipation_index", delta, 0.0, 1.0)?;
            let given = [("normal", self.normal), ("tangential", self.tangential)];
            if let Some((other, _)) = given.into_iter().find(|(_, e)| e.is_some()) {
                return Err(SolverError::LawTwice { law: NAME, one: "dissipation_index", other });
            }
        }
        keys.not_negative("friction", self.friction)
    }

    /// (e_N, e_T).
    fn coefficients(&self) -> (f64, f64) {
        match self.dissipation_index {
            Some(delta) => ((1.0 - delta) / (1.0 + delta), (1.0 - delta) / (1.0 + delta)),
            None => (self.normal.unwrap_or(0.0), self.tangential.unwrap_or(0.0)),
        }
    }

    /// e U⁻, the normal part only of an approach unless a separation counts too.
    fn returned<const D: usize>(&self, v_minus: &Vector<D>) -> Vector<D> {
        let (normal, along) = self.coefficients();
        let mut a = tangent(v_minus) * along;
        a[0] = normal * if self.separating { v_minus[0] } else { v_minus[0].min(0.0) };
        a
    }

    /// What is added to U⁺ in the law; none where no impulse may act.
    fn shift<const D: usize>(&self, x: &ContactInput<D>, step: &StepTimes) -> Option<Vector<D>> {
        let mut a = self.returned(&x.v_minus);
        if closes(x, step) {
            return Some(a);
        }
        a[0] = x.gap.max(0.0) / step.gap_time;
        (x.acted || self.coefficients().0 <= 0.0).then_some(a)
    }
}

/// Whether the gap would close if no impulse acted.
fn closes<const D: usize>(x: &ContactInput<D>, step: &StepTimes) -> bool {
    x.gap + step.gap_time * x.v_free[0] <= 0.0
}

impl<const D: usize> ContactLaw<D> for Restitution {
    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        _z: &[f64],
        _iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let Some(shift) = self.shift(x, step) else { return Derived::standard(Cone::Open) };
        let mut derived = Derived::standard(Cone::Coulomb(self.friction));
        derived.v_shift = shift;
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, _z: &[f64]) -> f64 {
        let Some(shift) = self.shift(x, step) else { return statement::nothing(&out.impulse, &out.scale) };
        let mean = out.velocity + shift;
        statement::contact(mean[0], self.friction, &mean, &out.impulse, &out.scale)
    }
}
