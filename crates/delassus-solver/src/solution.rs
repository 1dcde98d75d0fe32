//! The solution at each contact: velocity, impulse, status, and the scales against which errors are judged.

use crate::linalg::{Vector, relative};
use crate::local::{Dimension, LocalKernel, Status};
use crate::prepared::PreparedProblem;
use crate::problem::{Cone, ContactProblem};
use crate::standard::contact::StandardContact;
use crate::stretch::ConeStretch;

/// What the solve says of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSolution<const D: usize> {
    /// U, local relative velocity at the end of the step [m/s].
    pub velocity: Vector<D>,
    /// p, local impulse on the candidate [N·s].
    pub impulse: Vector<D>,
    /// What the contact does.
    pub status: Status,
    /// p_N of the contact that bounds it: its own, or that of the contact to which a moment belongs [N·s].
    pub push: f64,
    /// Sizes against which errors are to be seen.
    pub scale: ContactScale,
}

/// Scales of a contact, which separate violations from rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactScale {
    /// V = max(‖ṽ_free‖, λmax‖p̃‖, λmax‖p‖, 1e-6 · max over contacts) [m/s].
    pub velocity: f64,
    /// V/λmax(W̃) [N·s].
    pub impulse: f64,
    /// V of what slides [m/s]; another than `velocity` where friction has margins of its own.
    pub sliding: f64,
    /// V of what slides over λmax(W̃) [N·s].
    pub drag: f64,
}

impl ContactScale {
    /// The same sizes across and along.
    pub fn new(velocity: f64, impulse: f64) -> Self {
        Self { velocity, impulse, sliding: velocity, drag: impulse }
    }
}

/// Velocity, impulse, status and scales at each contact for given impulses; empty if the sizes do not fit. The status is that of the local
/// problem with the other impulses as they are.
pub fn contact_solutions<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> Vec<ContactSolution<D>>
where
    Dimension<D>: LocalKernel<D>,
{
    if problem.check_sizes(p).is_err() {
        return Vec::new();
    }
    if let Some(stretch) = ConeStretch::of(problem) {
        // Sizes stay those of the round problem, in which errors are judged.
        let round = contact_solutions(&stretch.rounded(problem), &stretch.to_round(p)).into_iter().enumerate();
        return round
            .map(|(i, out)| ContactSolution { velocity: stretch.velocity(i, &out.velocity), impulse: p[i], ..out })
            .collect();
    }
    let mut prepared = PreparedProblem::new(problem);
    prepared.residual(p);
    let describe = |(i, contact): (usize, &StandardContact<D>)| {
        let others = prepared.others(i);
        let impulse = prepared.standard_impulse(i);
        let cone = contact.cone.under(|of| p[of][0]);
        let solution = contact.block.solve(&contact.v_free(&others, impulse), cone, impulse);
        let (speed, lambda) = (prepared.scale(i), contact.block.largest());
        let sliding = prepared.scale_along(i).unwrap_or(speed);
        ContactSolution {
            velocity: others + problem.operator.diagonal(i) * p[i],
            impulse: p[i],
            status: solution.status,
            push: if let Cone::Turning(turning) = contact.cone { p[turning.of][0] } else { p[i][0] },
            scale: ContactScale {
                velocity: speed,
                impulse: relative(speed, lambda),
                sliding,
                drag: relative(sliding, lambda),
            },
        }
    };
    prepared.contacts.iter().enumerate().map(describe).collect()
}

/// Status of each contact for given impulses; empty if the sizes do not fit.
pub fn statuses<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> Vec<Status>
where
    Dimension<D>: LocalKernel<D>,
{
    contact_solutions(problem, p).into_iter().map(|output| output.status).collect()
}
