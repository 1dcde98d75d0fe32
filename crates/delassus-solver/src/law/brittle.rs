//! Bonds that are rigid until they break at once: the common part of the cohesive laws.
//!
//! ```text
//! bonded:   p̃ = p + h c A n,   (g, p̃) Signorini,  (U_T, p̃_T) Coulomb with tanφ
//! broken:   p itself, with μ
//! ```
//!
//! Jean, Acary & Monerie 2001, §1 and §6 d, the cohesion as an impulse h c A. "R_N + c < 0" never holds at a solution, so that a
//! bond breaks on what the step makes of it: it opens (p̃_N = 0), or it slips where the law says that this breaks it. It must move for that, beyond the
//! rounding of velocities. Several bonds between two rigid faces share a force in more than one way, of which a solver finds one, and some of them may be at
//! their bound while others hold the face. No velocity depends on that choice: U = 0 as long as there is any sharing within the bounds, so the face
//! breaks where all of its bonds together cannot carry the force, and not before.
//! A bond that holds is rigid: its path has no length, and its force does no work on it. On the step that breaks it, the path is the opening, and c A
//! over it is lost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::Per;
use super::{ContactInput, ContactLaw, HistoryEntry, LawEnergy, StepTimes, statement};
use crate::linalg::{Vector, length};
use crate::local::Status;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// When a broken bond, or a contact that had none, is glued (Jean, Acary & Monerie 2001, §1, rules b).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Glue {
    /// Never: rule (b) left out.
    #[default]
    Never,
    /// At the end of a step in which the gap is closed (and, where slip breaks bonds, does not slip).
    OnContact,
    /// The same, if the contact is also pressed, p_N > 0.
    UnderPressure,
}

/// The history: z = [bonded, damage_energy].
const HISTORY: [HistoryEntry; 2] = [HistoryEntry::scalar("bonded"), HistoryEntry::scalar("damage_energy")];

/// The law of brittle bonds; those that a case can name are settings of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Brittle {
    /// c [Pa; N per point].
    pub(super) cohesion: f64,
    pub(super) per: Per,
    /// tanφ while bonded.
    pub(super) bonded_friction: f64,
    /// μ after.
    pub(super) friction: f64,
    /// Whether slip breaks it.
    pub(super) slip_breaks: bool,
    pub(super) glue: Glue,
}

/// Velocity over the scale of the contact above which a bond moves: what solvers leave is far below. A bond counts as strong by this part more.
const MOVES: f64 = 1e-7;

fn is_bonded(z: &[f64]) -> bool {
    z[0] > 0.5
}

impl Brittle {
    /// c A \[N\].
    fn strength(&self, area: f64) -> f64 {
        self.cohesion * self.per.area(area)
    }

    fn pull<const D: usize>(&self, x: &ContactInput<D>, step: &StepTimes, z: &[f64]) -> Vector<D> {
        let mut pull = Vector::<D>::zeros();
        pull[0] = if is_bonded(z) { -step.h * self.strength(x.area) } else { 0.0 };
        pull
    }

    fn coefficient(&self, z: &[f64]) -> f64 {
        if is_bonded(z) { self.bonded_friction } else { self.friction }
    }
}

impl<const D: usize> ContactLaw<D> for Brittle {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        &HISTORY
    }

    fn start(&self, at_start: bool, z: &mut [f64]) {
        z.fill(0.0);
        z[0] = f64::from(u8::from(at_start));
    }

    fn reaches(&self, z: &[f64]) -> bool {
        is_bonded(z)
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        _iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let mut derived = Derived::standard(Cone::Coulomb(self.coefficient(z)));
        derived.v_shift[0] = x.gap / step.gap_time;
        derived.p_shift = -self.pull(x, step, z);
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let opening = x.gap / step.gap_time + out.velocity[0];
        let push = out.impulse - self.pull(x, step, z);
        statement::contact(opening, self.coefficient(z), &out.velocity, &push, &out.scale)
    }

    fn commit(
        &self,
        x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        let was = is_bonded(old);
        let parts = x.gap / step.gap_time + out.velocity[0] > MOVES * out.scale.velocity;
        let slides = length(&statement::tangent(&out.velocity)) > MOVES * out.scale.sliding;
        let holds = match out.status {
            Status::Open => was && !parts && !(self.slip_breaks && slides),
            Status::Slip => !self.slip_breaks || (was && !slides),
            Status::Stick | Status::Bonded => true,
        };
        let glues = match self.glue {
            Glue::Never => false,
            Glue::OnContact => true,
            Glue::UnderPressure => out.impulse[0] > 0.0,
        };
        let is = holds && (was || glues);
        let opening = x.drift[0] + step.rest * out.velocity[0];
        let dissipated = if was && !is { self.strength(x.area) * opening.max(0.0) } else { 0.0 };
        new[0] = f64::from(u8::from(is));
        new[1] = old[1] + dissipated;
        let bond = self.pull(x, step, old);
        let way = if is { 0.0 } else { opening.max(0.0) };
        LawEnergy { bond, dissipated, path_work: -bond[0] / step.h * way, ..LawEnergy::default() }
    }
}
