//! Rolling and spinning resistance: the moment that a contact of bodies that turn transmits besides its force.
//!
//! ```text
//! ‖M_T‖ ≤ μ_r p_N ,   Ω_T ≠ 0 ⇒ M_T = −μ_r p_N Ω_T/‖Ω_T‖         rolling, about the tangents
//! |M_N| ≤ μ_s p_N ,   Ω_N ≠ 0 ⇒ M_N = −μ_s p_N sign Ω_N           spinning, about the normal
//! ```
//!
//! Ω is the relative angular velocity at the end of the step, M the moment's impulse, p_N the push of the contact; μ_r and μ_s are lengths. It is Coulomb's law with Ω in place of the
//! sliding velocity: the set of admissible moments is convex for a given push, and the dissipation is the largest (Acary & Bourrier 2021, with spinning as a third condition).
//! The problem has p = M/ℓ and U = ℓ Ω with a length ℓ of the contact, [`ContactInput::area`] of a moment, so that moments and forces are compared without units.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::{ContactInput, ContactLaw, StepTimes, statement};
use crate::error::SolverError;
use crate::linalg::Vector;
use crate::problem::{Cone, Derived, ResistanceLimits};
use crate::solution::ContactSolution;

const NAME: &str = "resistance";

/// Resistance of a contact against rolling and spinning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TurningResistance {
    /// μ_r ≥ 0: largest moment about a tangent over the normal force \[m\].
    pub rolling: f64,
    /// μ_s ≥ 0: largest moment about the normal over the normal force, in space \[m\].
    pub spinning: f64,
}

impl TurningResistance {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys(NAME);
        keys.not_negative("rolling", self.rolling)?;
        keys.not_negative("spinning", self.spinning)
    }
}

impl<const D: usize> ContactLaw<D> for TurningResistance {
    /// The contact whose push bounds it is not known here: who poses the problem says it.
    fn derive(
        &self,
        x: &ContactInput<D>,
        _step: &StepTimes,
        _z: &[f64],
        _iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let (spinning, rolling) = (self.spinning / x.area, self.rolling / x.area);
        Derived::standard(Cone::Turning(ResistanceLimits { of: usize::MAX, spinning, rolling }))
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, _step: &StepTimes, _z: &[f64]) -> f64 {
        let moments = |mu: f64| mu * out.push.max(0.0) / x.area;
        let about_normal = |x: &Vector<D>| Vector::<D>::from_fn(|k, _| if k == 0 { x[0] } else { 0.0 });
        let (u, p) = (&out.velocity, &out.impulse);
        statement::worst([
            statement::dissipating(moments(self.spinning), &about_normal(u), &about_normal(p), &out.scale),
            statement::dissipating(moments(self.rolling), &statement::tangent(u), &statement::tangent(p), &out.scale),
        ])
    }
}
