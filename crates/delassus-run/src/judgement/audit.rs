//! The audit: equation of motion, momentum and contact laws on the velocities that the bodies reached.

use super::{Evidence, Finding, Topic, Weight, small};

/// Fails where a step that does not satisfy its own equations was accepted.
pub(super) fn weigh(e: &Evidence<'_>) -> Vec<Finding> {
    let worst = &e.verdict.audit;
    if worst.value <= 1.0 {
        return Vec::new();
    }
    let text = format!(
        "A step does not satisfy its own equations: the error of the {} is {} times its limit ({}).",
        worst.place,
        small(worst.value),
        e.when(worst.step, worst.time)
    );
    vec![Finding { weight: Weight::Failed, topic: Topic::Audit, text }]
}
