//! The checks of the `verify` block: a check that fails makes the run fail.

use super::{Evidence, Finding, Topic, Weight};

pub(super) fn weigh(e: &Evidence<'_>) -> Vec<Finding> {
    let failed = e.checks().iter().filter(|c| !c.passed);
    failed
        .map(|c| {
            let text = if c.found.is_nan() {
                format!("The check “{}” failed: its measure has no value in this run.", c.name)
            } else {
                format!(
                    "The check “{}” failed: {:.6e}, expected {:.6e} (error {:.2e}, allowed {:.2e}).",
                    c.name, c.found, c.expected, c.error, c.tolerance
                )
            };
            Finding { weight: Weight::Failed, topic: Topic::Check, text }
        })
        .collect()
}
