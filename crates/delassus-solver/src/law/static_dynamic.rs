//! Unilateral contact with friction that is higher at rest than in motion.
//!
//! ```text
//! without v_c:   μ = μ_s if the contact sticks at the start of the step, else μ_d
//! with v_c:      μ = μ_d + (μ_s − μ_d) exp(−‖U_T⁺‖/v_c)
//! ```
//!
//! Jean, Acary & Monerie 2001, §4 and §6 (status at the step's start). The smooth μ is found by the outer fixed point, from rest, μ = μ_s:
//! less friction, faster sliding, less friction. It is monotone for one contact and ends at the slowest sliding that the step allows; a
//! contact that μ_s can hold sticks.

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, HistoryEntry, LawEnergy, StepTimes};
use crate::error::SolverError;
use crate::local::Status;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// Signorini's condition on the gap, Coulomb's law with a coefficient at rest and one in motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StaticDynamic {
    /// μ_s ≥ μ_d, friction coefficient at rest.
    pub static_friction: f64,
    /// μ_d ≥ 0, friction coefficient in motion.
    pub dynamic_friction: f64,
    /// v_c > 0, sliding velocity over which the friction decreases [m/s]; at once if left out.
    #[serde(default)]
    pub velocity: Option<f64>,
}

impl StaticDynamic {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("StaticDynamic");
        keys.not_negative("dynamic_friction", self.dynamic_friction)?;
        let (at_rest, moving) = (self.static_friction, self.dynamic_friction);
        keys.check("static_friction", at_rest, at_rest >= moving, || format!("at least dynamic_friction = {moving}"))?;
        self.velocity.map_or(Ok(()), |v| keys.positive("velocity", v))
    }

    /// μ of a sliding speed, for a contact that slides or does not at the start of the step.
    fn coefficient(&self, speed: f64, z: &[f64]) -> f64 {
        let (at_rest, moving) = (self.static_friction, self.dynamic_friction);
        match self.velocity {
            Some(v) => moving + (at_rest - moving) * math::exp(-speed / v),
            None if z[0] > 0.5 => moving,
            None => at_rest,
        }
    }
}

impl<const D: usize> ContactLaw<D> for StaticDynamic {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        const { &[HistoryEntry::scalar("sliding")] }
    }

    /// A contact that touches at the start is at rest; one that comes later arrives in motion.
    fn start(&self, at_start: bool, z: &mut [f64]) {
        z[0] = if at_start { 0.0 } else { 1.0 };
    }

    fn implicit(&self) -> bool {
        self.velocity.is_some()
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let mu = self.coefficient(iterate.map_or(0.0, |out| tangent(&out.velocity).norm()), z);
        let mut derived = Derived::standard(Cone::Coulomb(mu));
        derived.v_shift[0] = x.gap / step.gap_time;
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let mu = self.coefficient(tangent(&out.velocity).norm(), z);
        let opening = x.gap / step.gap_time + out.velocity[0];
        statement::contact(opening, mu, &out.velocity, &out.impulse, &out.scale)
    }

    fn commit(
        &self,
        _x: &ContactInput<D>,
        out: &ContactSolution<D>,
        _step: &StepTimes,
        _old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        new[0] = if out.status == Status::Stick { 0.0 } else { 1.0 };
        LawEnergy::default()
    }
}
