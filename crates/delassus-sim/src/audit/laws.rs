//! Velocities that contacts reached, and the laws on them.
//!
//! ```text
//! U = Hᵀ v⁺ ,   V = max(|U|, |Hᵀ v_free|) ,   λ = max |U − Hᵀ v_free| / max |p| ,   P = V/λ        over all contacts of the step
//! ```
//!
//! V and P are the sizes against which velocities and impulses are judged. λ is a mobility that needs no W: what the impulses did to the velocities. Where
//! impulses balance one another, as in a structure at rest, λ says little: then the largest sizes of the solver's contacts are larger, and count.

use delassus_dynamics::integrator::StepStart;
use delassus_solver::{ContactInput, ContactScale, ContactSolution, Vector};

use super::relative::relative_velocity;
use super::{AuditError, AuditTopic, AuditedStep};
use crate::outcome::ROUNDING;

/// Part of a velocity that rounding may take away between v⁺ and v_free + W p: both are sums of large numbers that cancel.
const CANCELLED: f64 = 1e-9;

/// What the contacts of the problem reached.
pub(super) struct ReachedVelocities<const D: usize> {
    /// Hᵀ v⁺, Hᵀ v_free and Hᵀ v of each contact of the problem \[m/s\].
    end: Vec<Vector<D>>,
    free: Vec<Vector<D>>,
    start: Vec<Vector<D>>,
    /// Hᵀ of the way to the contact configuration \[m\].
    drift: Vec<Vector<D>>,
    scale: ContactScale,
}

fn views(v: &[Vec<f64>]) -> Vec<&[f64]> {
    v.iter().map(Vec::as_slice).collect()
}

fn largest<const D: usize>(vectors: &[Vector<D>]) -> f64 {
    vectors.iter().map(Vector::norm).fold(0.0, f64::max)
}

impl<const D: usize> ReachedVelocities<D> {
    pub fn of(step: &AuditedStep<'_, D>) -> Self {
        let AuditedStep { model, q_c, settled, .. } = step;
        let at = |v: &[&[f64]]| -> Vec<Vector<D>> {
            settled.posed.contacts.iter().map(|c| relative_velocity(model, q_c, c, v)).collect()
        };
        let before: Vec<&[f64]> = step.starts.iter().map(StepStart::velocity).collect();
        let delay = step.times.h - step.times.rest;
        let drift = if delay > 0.0 {
            let q: Vec<&[f64]> = step.starts.iter().map(|s| s.from.q.as_slice()).collect();
            let way = model.mean_velocities(&q, &views(q_c), delay);
            at(&views(&way)).into_iter().map(|u| u * delay).collect()
        } else {
            vec![Vector::<D>::zeros(); settled.p.len()]
        };
        let (end, free, start) = (at(&views(&settled.v_plus)), at(&views(step.v_free)), at(&before));
        let done: Vec<Vector<D>> = end.iter().zip(&free).map(|(a, b)| a - b).collect();
        let margin = settled.posed.problem.laws.first().map(|law| law.margin).unwrap_or_default();
        let velocity = largest(&end).max(largest(&free)).max(margin.velocity);
        let (moved, pushed) = (largest(&done), largest(&settled.p));
        // Impulses that move nothing, as on bodies that are held, are judged by themselves.
        let impulse = if moved > 0.0 { (pushed * (velocity / moved)).max(pushed) } else { pushed };
        let known = settled.settlement.solutions.iter().map(|s| s.scale);
        let impulse = impulse.max(margin.impulse);
        // Margins of friction are its own.
        let along = margin.along.unwrap_or_default();
        let own =
            ContactScale { velocity, impulse, sliding: velocity.max(along.velocity), drag: impulse.max(along.impulse) };
        let scale = known.fold(own, |a, b| ContactScale {
            velocity: a.velocity.max(b.velocity),
            impulse: a.impulse.max(b.impulse),
            sliding: a.sliding.max(b.sliding),
            drag: a.drag.max(b.drag),
        });
        Self { end, free, start, drift, scale }
    }

    /// Hᵀ v⁺ against what the solver took it for.
    pub fn velocity_error(&self, step: &AuditedStep<'_, D>) -> AuditError {
        let mut worst = AuditError { topic: AuditTopic::Velocity, ..AuditError::default() };
        worst.limit = CANCELLED.max(step.model.solver_options.tolerance);
        let known = self.end.iter().zip(&step.settled.settlement.solutions).zip(&step.settled.posed.contacts);
        // Velocities of the bodies themselves may be much larger than relative ones, and so is their rounding.
        let speed = step.settled.v_plus.iter().flatten().fold(0.0, |m: f64, v| m.max(v.abs()));
        let scale = self.scale.velocity.max(ROUNDING * speed / worst.limit);
        for ((reached, solved), contact) in known {
            worst.see(quotient((reached - solved.velocity).amax(), scale), || {
                step.model.pairs[contact.key.pair as usize].name.clone()
            });
        }
        worst
    }

    /// The statement of every law, and the gaps of the contacts left out.
    pub fn law_error(&self, step: &AuditedStep<'_, D>) -> AuditError {
        let AuditedStep { model, settled, times, .. } = step;
        let tolerance = model.solver_options.tolerance;
        let mut worst =
            AuditError { topic: AuditTopic::Law, limit: 10.0 * tolerance + CANCELLED, ..AuditError::default() };
        let solutions = settled.posed.ruled.iter().zip(&settled.settlement.solutions).zip(&settled.posed.contacts);
        for (i, ((ruled, solved), contact)) in solutions.enumerate() {
            let input = ContactInput {
                gap: contact.gap,
                area: contact.area,
                v_minus: self.start[i],
                v_free: self.free[i],
                drift: self.drift[i],
                frame: contact.frame,
                acted: ruled.input.acted,
                place: contact.point,
                time: step.starts.first().map_or(0.0, |s| s.from.t) + times.h,
            };
            let judged = |velocity| {
                let at = ContactSolution { velocity, scale: self.scale, ..*solved };
                ruled.law.violation(&input, &at, times, &ruled.history)
            };
            // A law may change with the rounding of a velocity (friction by rate and state, at rest): then it may hold on the one that the solver saw.
            // That the two are equal is the other check.
            let (reached, seen) = (judged(self.end[i]), judged(solved.velocity));
            worst.see(if reached.is_nan() { reached } else { reached.min(seen) }, || {
                model.pairs[contact.key.pair as usize].name.clone()
            });
        }
        let v = views(&settled.v_plus);
        for contact in settled.active.left_out(step.contacts) {
            let opening = contact.gap + times.gap_time * relative_velocity(model, step.q_c, contact, &v)[0];
            let depth = (-opening / times.gap_time).max(0.0);
            worst.see(quotient(depth, self.scale.velocity), || model.pairs[contact.key.pair as usize].name.clone());
        }
        worst
    }
}

/// error/scale, where no error is none even without scale.
pub(super) fn quotient(error: f64, scale: f64) -> f64 {
    if error <= 0.0 { 0.0 } else { error / scale }
}
