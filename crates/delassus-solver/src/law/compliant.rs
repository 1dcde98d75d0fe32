//! Contact made soft: elastic across, viscous along.
//!
//! ```text
//! p_N/h = k A g⁻                                   g⁻ = max(−g⁺, 0), penetration        (or Signorini without k)
//! p_T/h = −c A U_T, not beyond μ p_N/h             p_T = −P(h c A U_T), P on the disk of radius μ p_N   (or Coulomb without c)
//! ```
//!
//! Jean, Acary & Monerie 2001, §1 and §6: regularised laws are changes of variables too. With B_N = 1/(k A h τ) and a_N = g/τ, ṽ_N = 0 is
//! p_N = −h k A (g + τ U_N); with B_T = 1/(h c A), ṽ_T = 0 is p_T = −h c A U_T.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::{Keys, Per};
use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, HistoryEntry, LawEnergy, StepTimes};
use crate::error::SolverError;
use crate::linalg::Vector;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// Elastic compliance of the contact and viscous regularisation of friction, each optional.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Compliant {
    /// k > 0, pressure per penetration [N/m³; N/m per point]; Signorini's condition if left out.
    pub stiffness: Option<f64>,
    /// c > 0, traction per sliding velocity below the bound of friction [N·s/m³; N·s/m per point]; Coulomb's law if left out.
    pub damping: Option<f64>,
    /// Friction coefficient μ ≥ 0.
    pub friction: f64,
    /// Whether the numbers are per area or per contact point.
    pub per: Per,
}

impl Compliant {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("Compliant");
        for (key, value) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            value.map_or(Ok(()), |value| keys.positive(key, value))?;
        }
        keys.not_negative("friction", self.friction)
    }
}

impl<const D: usize> ContactLaw<D> for Compliant {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        const { &[HistoryEntry::scalar("bond_energy")] }
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        _z: &[f64],
        _iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let area = self.per.area(x.area);
        let across = self.stiffness.map_or(0.0, |k| 1.0 / (k * area * step.h * step.gap_time));
        let along = self.damping.map_or(0.0, |c| 1.0 / (c * area * step.h));
        let mut derived = Derived::standard(Cone::Coulomb(self.friction));
        derived.v_shift[0] = x.gap / step.gap_time;
        derived.w_shift = Vector::<D>::from_fn(|i, _| if i == 0 { across } else { along });
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, _z: &[f64]) -> f64 {
        let area = self.per.area(x.area);
        // What the compliance gives way by, as velocities: a stiff contact is judged by its gap, not by a force made from its rounding.
        let sunk = self.stiffness.map_or(0.0, |k| out.impulse[0] / (step.h * k * area));
        let crept = self.damping.map_or(Vector::<D>::zeros(), |c| tangent(&out.impulse) / (step.h * c * area));
        let gap = x.gap + step.gap_time * out.velocity[0] + sunk;
        statement::contact(gap / step.gap_time, self.friction, &(out.velocity + crept), &out.impulse, &out.scale)
    }

    fn commit(
        &self,
        x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        let Some(k) = self.stiffness else {
            new.copy_from_slice(old);
            return LawEnergy::default();
        };
        let sunk = Sunk::over(k * self.per.area(x.area), x, out, step);
        let mut bond = Vector::<D>::zeros();
        bond[0] = out.impulse[0];
        let stored = sunk.after - old[0];
        let remainder = old[0] - sunk.before;
        new[0] = sunk.after;
        LawEnergy { bond, stored, path_work: sunk.path_work, remainder, ..LawEnergy::default() }
    }
}

/// What a spring across the contact did over a step \[J\].
#[derive(Default)]
pub(super) struct Sunk {
    /// Energy at the start of the step.
    pub(super) before: f64,
    /// Energy at its end.
    pub(super) after: f64,
    /// Work on the spring.
    pub(super) path_work: f64,
}

impl Sunk {
    /// Of the stiffness k A [N/m].
    pub(super) fn over<const D: usize>(
        stiffness: f64,
        x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
    ) -> Self {
        let (before, depth) = ((-x.gap_before()).max(0.0), (-(x.gap + step.rest * out.velocity[0])).max(0.0));
        Self {
            before: 0.5 * stiffness * before * before,
            after: 0.5 * stiffness * depth * depth,
            // trapezoids of the pressure over the penetration
            path_work: 0.5 * (stiffness * before + stiffness * depth) * (depth - before),
        }
    }
}
