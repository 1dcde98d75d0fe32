//! Geometry: bodies inside one another, bodies that turn, bodies that are gone.

use super::{Evidence, Finding, Topic, Weight, count};

/// A body this many model sizes away from where it began is lost.
pub(super) const LOST: f64 = 10.0;

pub(super) fn weigh(e: &Evidence<'_>) -> Vec<Finding> {
    let v = e.verdict;
    let mut out = Vec::new();
    if v.too_deep > 0 {
        let text = format!(
            "{} a candidate was deep inside a body and left out: bodies pass through one another.",
            count(v.too_deep, "time", "times")
        );
        out.push(Finding { weight: Weight::Doubtful, topic: Topic::Penetration, text });
    }
    if v.displacement.value > LOST {
        let w = &v.displacement;
        let text = format!(
            "Body `{}` moved {:.0} times the size of the model ({}).",
            w.place,
            w.value,
            e.when(w.step, w.time)
        );
        out.push(Finding { weight: Weight::Doubtful, topic: Topic::LostBody, text });
    }
    out
}
