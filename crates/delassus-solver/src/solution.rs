//! The solution at each contact: velocity, impulse, status, and the scales against which errors are judged.

use crate::linalg::{Vector, relative};
use crate::local::{Dimension, LocalKernel, Status};
use crate::prepared::PreparedProblem;
use crate::problem::ContactProblem;
use crate::standard::contact::StandardContact;

/// What the solve says of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSolution<const D: usize> {
    /// U, local relative velocity at the end of the step [m/s].
    pub velocity: Vector<D>,
    /// p, local impulse on the candidate [N·s].
    pub impulse: Vector<D>,
    /// What the contact does.
    pub status: Status,
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
    let mut prepared = PreparedProblem::new(problem);
    prepared.residual(p);
    let describe = |(i, contact): (usize, &StandardContact<D>)| {
        let others = prepared.others(i);
        let impulse = prepared.standard_impulse(i);
        let solution = contact.block.solve(&contact.v_free(&others, impulse), contact.cone, impulse);
        let speed = prepared.scale(i);
        ContactSolution {
            velocity: others + problem.operator.diagonal(i) * p[i],
            impulse: p[i],
            status: solution.status,
            scale: ContactScale { velocity: speed, impulse: relative(speed, contact.block.largest()) },
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
