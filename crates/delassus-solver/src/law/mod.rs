//! Contact laws. Once per contact and step, a law derives the map from its variables to the standard problem. It may keep a
//! history.
//!
//! ```text
//! ṽ = U + a + B p,   p̃ = p + s + S U,   cone of p̃        (derive)
//! ```
//!
//! Jean, Acary & Monerie 2001, §6. A new law is one file here, its `mod` line and a variant of [`LawSpec`] with its arms;
//! a program outside brings one as [`OwnLaw`]. Laws divide gaps by
//! [`StepTimes::gap_time`], never by h.
//!
//! A law may keep a history z of each contact, whose entries [`ContactLaw::history_entries`] names. Displacements along the contact are
//! advanced as the scheme advances positions,
//!
//! ```text
//! u_c = u + drift,    u_law = u_c + τ U⁺  (where the law looks, as at the gap g_c + τ U_N⁺),    u⁺ = u_c + rest U⁺
//! ```

mod adhesive;
mod bilinear_cohesive;
mod brittle;
mod cohesive;
mod compliant;
mod damage;
mod elastic_shear;
mod elliptic_friction;
mod keys;
mod mohr_coulomb;
mod own;
mod rate_and_state;
mod restitution;
mod signorini_coulomb;
mod smooth_friction;
pub mod statement;
mod static_dynamic;
mod tied;
mod turning;
mod variable_friction;

use std::sync::Arc;

use delassus_error::Own;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::SolverError;
use crate::linalg::{Matrix, Vector};
use crate::problem::Derived;
use crate::solution::ContactSolution;

pub use adhesive::{Adhesive, FrictionActs};
pub use bilinear_cohesive::BilinearCohesive;
pub use brittle::Glue;
pub use cohesive::Cohesive;
pub use compliant::Compliant;
pub use elastic_shear::ElasticShear;
pub use elliptic_friction::EllipticFriction;
pub use keys::Per;
pub use mohr_coulomb::MohrCoulomb;
pub use own::OwnLaw;
pub use rate_and_state::{Evolution, RateAndState};
pub use restitution::Restitution;
pub use signorini_coulomb::SignoriniCoulomb;
pub use smooth_friction::{FrictionPoint, SmoothFriction};
pub use static_dynamic::StaticDynamic;
pub use tied::{Release, Tied};
pub use turning::TurningResistance;
pub use variable_friction::VariableFriction;

/// The step a law is derived for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepTimes {
    /// Length of the step h \[s\].
    pub h: f64,
    /// τ of g⁺ = g + τ U_N, given by the time integrator \[s\].
    pub gap_time: f64,
    /// Time from the contact configuration to the end of the step, over which positions move with U⁺ \[s\].
    pub rest: f64,
}

/// What is known of a contact before the solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactInput<const D: usize> {
    /// Gap at the contact configuration \[m\], ≥ 0 open.
    pub gap: f64,
    /// Area that belongs to the contact \[m²\]; in plane problems length times thickness. Of a moment the length ℓ by which it is divided \[m\].
    pub area: f64,
    /// Local relative velocity at the start of the step [m/s].
    pub v_minus: Vector<D>,
    /// Local relative velocity at the end of the step if no contact impulse acted [m/s].
    pub v_free: Vector<D>,
    /// Local relative displacement from the accepted state to the contact configuration \[m\].
    pub drift: Vector<D>,
    /// The local frame, its axes n, t, … as columns in world axes: for laws with a direction.
    pub frame: Matrix<D>,
    /// Did the contact have an impulse in the last step?
    pub acted: bool,
    /// Where the contact is in the contact configuration \[m\].
    pub place: Vector<D>,
    /// The end of the step, at which the law holds \[s\].
    pub time: f64,
}

impl<const D: usize> ContactInput<D> {
    /// The gap of the accepted state, from which the step starts \[m\].
    pub fn gap_before(&self) -> f64 {
        self.gap - self.drift[0]
    }
}

/// What a bond did over a step; all zero for a law without one. Its impulse is the part of p that is neither a push of the bodies on one another nor
/// friction. The work of this impulse is the work on the path by which the law goes through the step, and an error of the time step. The law computes
/// the former from its forces, without the energies, so that the ledger shows an error in either:
///
/// ```text
/// path_work = stored + dissipated + friction + remainder        to rounding
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawEnergy<const D: usize> {
    /// The bond's part of p [N·s].
    pub bond: Vector<D>,
    /// Change of the energy stored in the law's springs \[J\].
    pub stored: f64,
    /// Energy lost in the law beyond friction and impact: damage, broken bonds. ≥ 0 \[J\].
    pub dissipated: f64,
    /// Energy lost by sliding within the bond: friction behind a spring. ≥ 0 \[J\].
    pub friction: f64,
    /// Work done on the bond along the path of the step, from its forces and openings alone \[J\].
    pub path_work: f64,
    /// What the springs held at the end of the last step, less what they hold at the start of this one: the law knew the gap to first order in the
    /// motion, now it is measured. It vanishes with the step, but for points beyond the edge of what they face, whose gap is not the integral of the
    /// velocity that the law has \[J\].
    pub remainder: f64,
}

impl<const D: usize> Default for LawEnergy<D> {
    fn default() -> Self {
        Self { bond: Vector::zeros(), stored: 0.0, dissipated: 0.0, friction: 0.0, path_work: 0.0, remainder: 0.0 }
    }
}

/// An entry of a contact's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Its name in `contacts.pvd`.
    pub name: &'static str,
    /// What it is.
    pub kind: HistoryEntryKind,
}

/// What an entry of a history is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryEntryKind {
    /// One number.
    Scalar,
    /// D numbers in the local frame; between steps they are stored in world axes.
    Vector,
}

impl HistoryEntry {
    /// An entry of one number.
    pub const fn scalar(name: &'static str) -> Self {
        Self { name, kind: HistoryEntryKind::Scalar }
    }

    /// An entry of D numbers.
    pub const fn vector(name: &'static str) -> Self {
        Self { name, kind: HistoryEntryKind::Vector }
    }

    /// How many numbers it has in D dimensions.
    #[expect(clippy::len_without_is_empty, reason = "no entry is empty")]
    pub fn len<const D: usize>(&self) -> usize {
        match self.kind {
            HistoryEntryKind::Scalar => 1,
            HistoryEntryKind::Vector => D,
        }
    }
}

/// A contact law in D dimensions. Called once per contact and step (and outer iteration), never inside the sweeps.
pub trait ContactLaw<const D: usize>: Send + Sync {
    /// The entries of the history z of a contact, in their order.
    fn history_entries(&self) -> &'static [HistoryEntry] {
        &[]
    }

    /// The initial history of a contact; `at_start`: the contact touched at the start of the run, so a bond may exist.
    fn start(&self, at_start: bool, z: &mut [f64]) {
        let _ = at_start;
        z.fill(0.0);
    }

    /// Whether a contact with this history may have an impulse although its gap is open and does not close: a
    /// bond.
    fn reaches(&self, z: &[f64]) -> bool {
        let _ = z;
        false
    }

    /// Change of variables and cone for this step. `iterate` is the last solution, for laws with an outer fixed point; `None` in the
    /// first iteration.
    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D>;

    /// Whether the law must be derived again from the solution until [`ContactLaw::violation`] is within tolerance.
    fn implicit(&self) -> bool {
        false
    }

    /// Whether the iterations of an implicit law follow the normal impulse, and might overshoot it: they then take a part of each change.
    fn follows_push(&self) -> bool {
        false
    }

    /// The error of (U, p) in the law as the paper states it, in its own variables and not through `derive`; without unit, 0 if the law
    /// holds.
    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64;

    /// Whether the solution may stand where the law has a parameter that is known during a run alone: asked once a step.
    ///
    /// # Errors
    /// The value that cannot be, with what it is of.
    fn refuse(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes) -> Result<(), SolverError> {
        let _ = (x, out, step);
        Ok(())
    }

    /// The law as it is at t = 0, for a search of an equilibrium; `None`: it does not change with time.
    fn frozen(&self) -> Option<Arc<dyn ContactLaw<D>>> {
        None
    }

    /// Writes the history after an accepted step; `old` and `new` have [`history_len`] entries.
    fn commit(
        &self,
        x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        let _ = (x, out, step);
        new.copy_from_slice(old);
        LawEnergy::default()
    }
}

/// Length of the history z of a contact.
pub fn history_len<const D: usize>(law: &dyn ContactLaw<D>) -> usize {
    law.history_entries().iter().map(HistoryEntry::len::<D>).sum()
}

/// A law as a case names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum LawSpec {
    /// Unilateral contact on the gap with Coulomb friction.
    SignoriniCoulomb(SignoriniCoulomb),
    /// Unilateral contact on the gap without friction.
    Frictionless,
    /// Adhesion with damage (Frémond, Cangémi, Raous), unilateral contact and friction.
    Adhesive(Adhesive),
    /// Cohesion and internal friction until it breaks, then friction.
    MohrCoulomb(MohrCoulomb),
    /// Cohesion without friction until it is pulled open, then unilateral contact.
    Cohesive(Cohesive),
    /// Impact of rigid bodies with restitution and friction.
    Restitution(Restitution),
    /// Contact that is elastic across, viscous along.
    Compliant(Compliant),
    /// Friction that is higher at rest than in motion.
    StaticDynamic(StaticDynamic),
    /// Friction by rate and state.
    RateAndState(RateAndState),
    /// Coulomb's friction and a free smooth function of the speed.
    SmoothFriction(SmoothFriction),
    /// Friction behind an elastic shear that is remembered.
    ElasticShear(ElasticShear),
    /// Friction with two coefficients in two directions; in space.
    EllipticFriction(EllipticFriction),
    /// Friction that varies with time, place and pressure.
    VariableFriction(VariableFriction),
    /// Contacts tied permanently, or while they are pressed.
    Tied(Tied),
    /// Bilinear cohesive zone, then contact with friction.
    BilinearCohesive(BilinearCohesive),
    /// A law of the program that makes the case; a text has only its name and cannot be run.
    Own(Own<dyn OwnLaw>),
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
            Self::Adhesive(law) => law.validate(),
            Self::MohrCoulomb(law) => law.validate(),
            Self::Cohesive(law) => law.validate(),
            Self::Restitution(law) => law.validate(),
            Self::Compliant(law) => law.validate(),
            Self::StaticDynamic(law) => law.validate(),
            Self::RateAndState(law) => law.validate(),
            Self::SmoothFriction(law) => law.validate(),
            Self::ElasticShear(law) => law.validate(),
            Self::EllipticFriction(law) => law.validate(),
            Self::VariableFriction(law) => law.validate(),
            Self::Tied(law) => law.validate(),
            Self::BilinearCohesive(law) => law.validate(),
            Self::Own(law) => law.get(own::KIND)?.validate(),
        }
    }

    /// Does the law keep a history of its contacts?
    pub fn keeps_history(&self) -> bool {
        // A law that is only named keeps none that could be shown; one of one's own may exist in one dimension.
        let plane = self.build::<2>().map(|law| law.history_entries());
        plane.or_else(|_| self.build::<3>().map(|law| law.history_entries())).is_ok_and(|entries| !entries.is_empty())
    }

    /// Do numbers of the law count per area? A law of one's own is not asked.
    pub fn counts_by_area(&self) -> bool {
        let per = match self {
            Self::VariableFriction(law) => return law.counts_pressure(),
            Self::Adhesive(law) => law.per,
            Self::MohrCoulomb(law) => law.per,
            Self::Cohesive(law) => law.per,
            Self::Compliant(law) => law.per,
            Self::ElasticShear(law) => law.per,
            Self::BilinearCohesive(law) => law.per,
            _ => Per::Point,
        };
        per == Per::Area
    }

    /// The law itself, for D dimensions.
    ///
    /// # Errors
    /// For a law of one's own that is only named, or not made for D dimensions.
    pub fn build<const D: usize>(&self) -> Result<Arc<dyn ContactLaw<D>>, SolverError> {
        Ok(match self {
            Self::SignoriniCoulomb(law) => Arc::new(*law),
            Self::Frictionless => Arc::new(SignoriniCoulomb { friction: 0.0 }),
            Self::Adhesive(law) => Arc::new(*law),
            Self::MohrCoulomb(law) => Arc::new(law.bond()),
            Self::Cohesive(law) => Arc::new(law.bond()),
            Self::Restitution(law) => Arc::new(*law),
            Self::Compliant(law) => Arc::new(*law),
            Self::StaticDynamic(law) => Arc::new(*law),
            Self::RateAndState(law) => Arc::new(*law),
            Self::SmoothFriction(law) => Arc::new(law.curve()),
            Self::ElasticShear(law) => Arc::new(*law),
            Self::EllipticFriction(law) => law.in_dimension()?,
            Self::VariableFriction(law) => Arc::new(law.in_dimension::<D>()?),
            Self::Tied(law) => Arc::new(*law),
            Self::BilinearCohesive(law) => Arc::new(*law),
            Self::Own(law) => own::in_dimension(law)?,
        })
    }
}

/// `impl From<Law> for LawSpec`, each for its variant.
macro_rules! law_of {
    ($($law:ident,)*) => {
        $(impl From<$law> for LawSpec {
            fn from(law: $law) -> Self {
                Self::$law(law)
            }
        })*
    };
}

law_of! {
    SignoriniCoulomb,
    Adhesive,
    MohrCoulomb,
    Cohesive,
    Restitution,
    Compliant,
    StaticDynamic,
    RateAndState,
    SmoothFriction,
    ElasticShear,
    EllipticFriction,
    VariableFriction,
    Tied,
    BilinearCohesive,
}

#[cfg(test)]
mod tests;
