//! The contact laws: the worst law error, and the number of steps that were accepted above the tolerance.

use delassus_sim::outcome::ROUNDING;

use super::{Evidence, Finding, Topic, Weight, count};

/// A law error beyond which a contact no longer acts by its law in any useful sense: one part in a thousand of the contact's own velocities.
const BROKEN: f64 = 1e-3;

pub(super) fn weigh(e: &Evidence<'_>) -> Vec<Finding> {
    let (v, tolerance) = (e.verdict, e.tolerance());
    if !e.has_contact() {
        return Vec::new();
    }
    let is_beyond = v.law_error.is_nan() || v.law_error > tolerance + ROUNDING;
    if v.flagged == 0 && !is_beyond {
        return Vec::new();
    }
    let weight = if v.law_error.is_nan() || v.law_error > BROKEN { Weight::Failed } else { Weight::Doubtful };
    let worst = format!("worst law error {:.1e}{}", v.law_error, e.worst_row("law_error"));
    let text = match v.flagged {
        0 => format!("The law error is above the tolerance {tolerance:.0e}: {worst}."),
        n => format!("{} accepted above the tolerance {tolerance:.0e}: {worst}.", count(n, "step was", "steps were")),
    };
    vec![Finding { weight, topic: Topic::Law, text }]
}
