//! Joints at the end of a step, by distances of points alone.
//!
//! ```text
//! ball        |x_A − x_B|
//! axis        of two points at the distance ℓ along it, fixed in A and in B: their distance, across the axis for a slider
//! fixed       the same for every axis
//! friction    |λ| over h F
//! ```
//!
//! ℓ is the size of the model, so that angles count as lengths. The code of the step measures angles by products of axes instead.

use nalgebra::{Rotation3, SVector, Vector3};

use super::laws::quotient;
use super::{AuditError, AuditTopic, AuditedStep};
use crate::joints::{frictions, springs};
use crate::model::{Joint, JointKind, Model};

/// Error over the size that a step may leave: that of the iteration, for several points and rounding.
const HELD: f64 = 1e-11;

fn whole<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 })
}

/// How far a joint is from where it should be at time `t` \[m\].
fn apart<const D: usize>(model: &Model<D>, joint: &Joint<D>, q: &[Vec<f64>], t: f64, size: f64) -> f64 {
    let place = joint.place(model, q);
    let [a, b] = place.points.map(|x| whole(&x));
    let driven = joint.motion.as_ref().map(|m| m.coordinate(t));
    let [axes_a, axes_b] = &place.axes;
    if joint.kind == JointKind::Spring {
        return 0.0;
    }
    if joint.kind == JointKind::Distance {
        return ((a - b).norm() - joint.length - driven.unwrap_or(0.0)).abs();
    }
    let axis = axes_b.column(D - 1).into_owned();
    let mut worst = match (joint.kind, driven) {
        (JointKind::Slider, None) => (a - b - axis * (a - b).dot(&axis)).norm(),
        (JointKind::Slider, Some(s)) => (a - b - axis * s).norm(),
        _ => (a - b).norm(),
    };
    if !joint.turns(model) {
        return worst;
    }
    // What A's axes should be.
    let turn = match (joint.kind, driven) {
        (JointKind::Ball, _) => return worst,
        (JointKind::Hinge, Some(angle)) => Rotation3::from_scaled_axis(axes_b.column(2) * angle),
        _ => Rotation3::identity(),
    };
    for k in 0..3 {
        // A free hinge has its axis alone; in the plane that is z for every side.
        if joint.kind == JointKind::Hinge && driven.is_none() && k < 2 {
            continue;
        }
        worst = worst.max((axes_a.column(k) - turn * axes_b.column(k)).norm() * size);
    }
    worst
}

/// The worst joint; nothing without joints.
pub(super) fn error<const D: usize>(step: &AuditedStep<'_, D>) -> Option<AuditError> {
    let phase = step.joints?;
    let (size, t) = (step.model.size(), step.starts[0].from.t + step.times.h);
    let mut worst =
        AuditError { topic: AuditTopic::Joint, limit: HELD.max(10.0 * phase.error().limit), ..AuditError::default() };
    for joint in &step.model.joints {
        worst.see(quotient(apart(step.model, joint, step.q_plus, t, size), size), || joint.name.clone());
    }
    for (joint, error) in springs(step.model, phase, step.q_plus) {
        worst.see(error, || step.model.joints[joint].name.clone());
    }
    for (joint, excess) in frictions(phase) {
        worst.see(excess * worst.limit, || step.model.joints[joint].name.clone());
    }
    Some(worst)
}
