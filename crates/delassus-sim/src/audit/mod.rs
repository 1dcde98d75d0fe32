//! The certificate of a step: its result, judged from v⁺, the geometry of the contacts and the impulses alone.
//!
//! ```text
//! velocity   U = Hᵀ v⁺ against the U = v_free + W p that the solver saw            W, its blocks, factors, H
//! law        every law by its own statement on (U, p), with U = Hᵀ v⁺; gaps of contacts left out
//! motion     r(v⁺) + H p = 0 on the free dofs of every body                        factors, assembled matrices, iterations
//! momentum   Σ M Δv = Σ (h P + p + s),  Σ X × M Δv = Σ X × (h P + p + s)           masses, weights of H, supports, internal forces
//! ```
//!
//! Neither W nor the derived laws nor a solver's scales are used: H is evaluated here once more, and sizes come from the velocities and impulses of the step.
//! r(v⁺) comes from the forces of the cells, not from the assembled matrices that were factored (Jean 1995 §3).
//!
//! What a scheme leaves by construction is allowed for: a law looks at g + τ U_N, with the gap time τ of the scheme; a law on velocities at velocities.
//!
//! A new check is a file here and a line in [`Audit::of`].

mod laws;
mod momentum;
mod relative;

use delassus_contact::Contact;
use delassus_dynamics::integrator::{Balance, StepStart};
use delassus_solver::StepTimes;
use serde::{Deserialize, Serialize};

use crate::contact_phase::Settled;
use crate::imbalance::{Imbalance, Internal, TrialEnd, rounding, rounding_of_places};
use crate::model::Model;

/// An error of motion or momentum up to this is rounding and the tolerance of Newton's iteration.
pub const BALANCED: f64 = 1e-8;

/// What a check is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditTopic {
    /// The velocities that the bodies reached are not those that the contact problem had.
    #[default]
    Velocity,
    /// A contact law does not hold on the velocities that the bodies reached.
    Law,
    /// The equation of motion of a body does not hold.
    Motion,
    /// The momentum of a body does not change by the impulses on it.
    Momentum,
    /// The same for the angular momentum.
    AngularMomentum,
}

impl AuditTopic {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Velocity => "contact velocities",
            Self::Law => "contact laws",
            Self::Motion => "equation of motion",
            Self::Momentum => "momentum",
            Self::AngularMomentum => "angular momentum",
        }
    }
}

/// The largest error of a check, over its limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditError {
    /// The check.
    pub topic: AuditTopic,
    /// Without unit; 0 where the condition holds.
    pub error: f64,
    /// What it may be.
    pub limit: f64,
    /// The body, or the pair of the contact.
    pub place: String,
}

impl AuditError {
    /// Error over limit; NaN if it is not a number.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        if self.error <= 0.0 { 0.0 } else { self.error / self.limit }
    }
}

/// The certificate of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// The largest error of each check.
    pub errors: Vec<AuditError>,
}

/// What is judged.
pub(crate) struct Judged<'a, const D: usize> {
    pub model: &'a Model<D>,
    pub starts: &'a [StepStart<'a>],
    pub q_c: &'a [Vec<f64>],
    pub v_free: &'a [Vec<f64>],
    /// r(v⁺) of the bodies \[N·s\].
    pub residuals: &'a [Vec<f64>],
    pub contacts: &'a [Contact<D>],
    pub settled: &'a Settled<'a, D>,
    pub balances: &'a [Balance],
    pub times: StepTimes,
}

impl Audit {
    /// Judges a step.
    pub(crate) fn of<const D: usize>(step: &Judged<'_, D>) -> Self {
        let seen = laws::Reached::of(step);
        let mut errors = vec![seen.velocity_error(step), seen.law_error(step), motion(step)];
        errors.extend(momentum::errors(step));
        Self { errors }
    }

    /// The check that is worst, over its limit.
    #[must_use]
    pub fn worst(&self) -> Option<&AuditError> {
        let not_a_number = self.errors.iter().find(|e| e.ratio().is_nan());
        not_a_number.or_else(|| self.errors.iter().max_by(|a, b| a.ratio().total_cmp(&b.ratio())))
    }

    /// Does every check hold?
    #[must_use]
    pub fn holds(&self) -> bool {
        self.worst().is_none_or(|w| w.ratio() <= 1.0)
    }
}

/// r(v⁺) + H p on the free dofs, all bodies together.
fn motion<const D: usize>(step: &Judged<'_, D>) -> AuditError {
    let (integrator, v) = (&*step.model.integrator, &step.settled.v_plus);
    let end = TrialEnd { starts: step.starts, v, impulses: &step.settled.impulse };
    let found = Imbalance::of(end, step.residuals, Internal::Implied);
    let error = found.relative();
    let mut limit = BALANCED;
    if error > limit {
        let explained = rounding(integrator, end) + rounding_of_places(step.model, end);
        limit = limit.max(found.part(explained));
    }
    AuditError { topic: AuditTopic::Motion, error, limit, place: step.model.bodies[found.body].name.clone() }
}
