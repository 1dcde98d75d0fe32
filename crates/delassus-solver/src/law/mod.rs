//! Contact laws. A law says, once per contact and step, how its variables map to the standard problem, and keeps its own history.
//!
//! ```text
//! ṽ = U + a + B p,   p̃ = p + s + S U,   cone of p̃        (derive)
//! ```
//!
//! Jean, Acary & Monerie 2001, §6. A new law is one file here, one `mod` line and one variant of [`LawSpec`]. Laws divide gaps by
//! [`Step::gap_time`], never by h.

mod signorini_coulomb;

use serde::{Deserialize, Serialize};

use crate::error::SolverError;
use crate::local::Status;
use crate::problem::{Derived, Vector};

pub use signorini_coulomb::SignoriniCoulomb;

/// The step a law is derived for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Length of the step h \[s\].
    pub h: f64,
    /// τ of g⁺ = g + τ U_N, given by the time integrator \[s\].
    pub gap_time: f64,
}

/// What is known of a contact before the solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactInput<const D: usize> {
    /// Gap at the contact configuration \[m\], ≥ 0 open.
    pub gap: f64,
    /// Area the contact stands for \[m²\]; in plane problems length times thickness.
    pub area: f64,
    /// Local relative velocity at the start of the step [m/s].
    pub v_minus: Vector<D>,
    /// Local relative velocity at the end of the step if no contact impulse acted [m/s].
    pub v_free: Vector<D>,
}

/// What the solve says of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOutput<const D: usize> {
    /// U, local relative velocity at the end of the step [m/s].
    pub velocity: Vector<D>,
    /// p, local impulse on the candidate [N·s].
    pub impulse: Vector<D>,
    /// What the contact does.
    pub status: Status,
    /// Sizes against which errors are to be seen.
    pub scale: Scale,
}

/// Natural sizes at a contact: without them no violation could be told from rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// V = max(‖ṽ_free‖, λmax‖p̃‖, 1e-6 · max over contacts) [m/s].
    pub velocity: f64,
    /// V/λmax(W̃) [N·s].
    pub impulse: f64,
}

/// Energy that a law itself took in over a step \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LawEnergy {
    /// Change of the energy stored in the law's springs.
    pub stored: f64,
    /// Energy lost in the law beyond friction and impact: damage, broken bonds. ≥ 0.
    pub dissipated: f64,
}

/// A contact law in D dimensions. Called once per contact and step, never inside the sweeps.
pub trait ContactLaw<const D: usize>: Send + Sync {
    /// Length of the history z of a contact.
    fn n_internal(&self) -> usize {
        0
    }

    /// Change of variables and cone for this step. `iterate` is the last solution, for laws that ask for an outer fixed point.
    fn derive(
        &self,
        contact: &ContactInput<D>,
        step: &Step,
        internal: &[f64],
        iterate: Option<&ContactOutput<D>>,
    ) -> Derived<D>;

    /// Whether the law must be derived again from the solution until it no longer changes.
    fn implicit(&self) -> bool {
        false
    }

    /// How far (U, p) is from the law as the paper states it, in its own variables and not through `derive`; without unit, 0 on the law.
    fn violation(&self, contact: &ContactInput<D>, out: &ContactOutput<D>, step: &Step, internal: &[f64]) -> f64;

    /// Writes the history after an accepted step; `old` and `new` have [`ContactLaw::n_internal`] entries.
    fn commit(
        &self,
        contact: &ContactInput<D>,
        out: &ContactOutput<D>,
        step: &Step,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy;
}

/// A law as a case names it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum LawSpec {
    /// Unilateral contact on the gap with Coulomb friction.
    SignoriniCoulomb(SignoriniCoulomb),
    /// Unilateral contact on the gap without friction.
    Frictionless,
}

impl LawSpec {
    /// Checks the law's parameters.
    ///
    /// # Errors
    /// The parameter that is out of range, with its value.
    pub fn validate(&self) -> Result<(), SolverError> {
        match self {
            Self::SignoriniCoulomb(law) => law.validate(),
            Self::Frictionless => Ok(()),
        }
    }

    /// The law itself, for D dimensions.
    pub fn build<const D: usize>(&self) -> Box<dyn ContactLaw<D>> {
        match self {
            Self::SignoriniCoulomb(law) => Box::new(*law),
            Self::Frictionless => Box::new(SignoriniCoulomb { friction: 0.0 }),
        }
    }
}

#[cfg(test)]
mod tests;
