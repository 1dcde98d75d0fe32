//! The certificate of a step: its result, judged from v⁺, the geometry of the contacts and the impulses alone.
//!
//! ```text
//! velocity   U = Hᵀ v⁺ against the U = v_free + W p that the solver saw            W, its blocks, factors, H
//! law        every law by its own statement on (U, p), with U = Hᵀ v⁺; gaps of contacts left out
//! motion     r(v⁺) + H p = 0 on the free dofs of every body                        factors, assembled matrices, iterations
//! momentum   Σ M Δv = Σ (h P + p + s),  Σ X × M Δv = Σ X × (h P + p + s)           masses, weights of H, supports, internal forces
//! joint      the points and axes of every joint at the end of the step, from the places of its sides
//! place      p and −p of a contact act on one line; frames are orthonormal         weights of facets, frames
//! ```
//!
//! Neither W nor the derived laws are used: H is evaluated here once more. The sizes against which errors are seen are the largest velocities and impulses of
//! the step; those of the solver, which know what a single impulse would do, count among them as sizes alone.
//! r(v⁺) comes from the forces of the cells, not from the assembled matrices that were factored (Jean 1995 §3).
//!
//! What a scheme leaves by construction is allowed for: a law looks at g + τ U_N, with the gap time τ of the scheme; a law on velocities at velocities.
//!
//! A new check is a file here and a line in `Audit::of`.

mod joints;
mod laws;
mod momentum;
mod places;
mod relative;
mod rigid;

use delassus_contact::Contact;
use delassus_dynamics::integrator::{Balance, StepStart};
use delassus_solver::StepTimes;

pub use crate::audited::{Audit, AuditError, AuditTopic};

use crate::contact_phase::Settled;
use crate::imbalance::{Imbalance, Internal, TrialEnd, rounding, rounding_of_places};
use crate::joints::{JointAction, JointPhase};
use crate::model::Model;

/// An error of motion or momentum up to this is rounding and the tolerance of Newton's iteration.
pub const BALANCED: f64 = 1e-8;

/// Roundings of a direct solve over those of one evaluation of the forces: errors add up along the elimination.
const SOLVED: f64 = 16.0;

/// What is judged.
pub(crate) struct AuditedStep<'a, const D: usize> {
    pub model: &'a Model<D>,
    pub starts: &'a [StepStart<'a>],
    pub q_c: &'a [Vec<f64>],
    pub v_free: &'a [Vec<f64>],
    /// r(v⁺) of the bodies \[N·s\].
    pub residuals: &'a [Vec<f64>],
    pub contacts: &'a [Contact<D>],
    /// Joints of the step.
    pub joints: Option<&'a JointPhase<'a, D>>,
    /// What they give the bodies.
    pub actions: Vec<JointAction<'a, D>>,
    /// Configurations at the end.
    pub q_plus: &'a [Vec<f64>],
    pub settled: &'a Settled<'a, D>,
    pub balances: &'a [Balance],
    pub times: StepTimes,
}

impl Audit {
    /// Judges a step.
    pub(crate) fn of<const D: usize>(step: &AuditedStep<'_, D>) -> Self {
        let seen = laws::ReachedVelocities::of(step);
        let mut errors = vec![seen.velocity_error(step), seen.law_error(step), motion(step)];
        errors.extend(momentum::errors(step));
        errors.push(places::error(step));
        errors.extend(joints::error(step));
        Self { errors }
    }
}

/// r(v⁺) + H p on the free dofs, all bodies together.
fn motion<const D: usize>(step: &AuditedStep<'_, D>) -> AuditError {
    let (integrator, v) = (&*step.model.integrator, &step.settled.v_plus);
    let end = TrialEnd { starts: step.starts, v, impulses: &step.settled.impulse };
    let found = Imbalance::of(integrator, end, step.residuals, Internal::Implied);
    let error = found.relative();
    let mut limit = BALANCED;
    if error > limit {
        // v⁺ is the sum of v_free and of what impulses do: where they cancel, the rounding of both remains.
        let free = TrialEnd { v: step.v_free, ..end };
        let explained = rounding(integrator, end) + rounding(integrator, free) + rounding_of_places(step.model, free);
        let explained = SOLVED * explained;
        limit = limit.max(found.part(explained));
    }
    AuditError { topic: AuditTopic::Motion, error, limit, place: step.model.bodies[found.body].name.clone() }
}
