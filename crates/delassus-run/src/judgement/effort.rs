//! Effort: steps that a fallback solver solved, and steps that were cut.

use super::{Evidence, Finding, Topic, Weight, count, percent};

/// Smallest share of such steps that is reported.
const TOLD: f64 = 1e-2;

/// A share from which the step or the solver does not fit the problem.
const UNFIT: f64 = 0.5;

pub(super) fn weigh(e: &Evidence<'_>) -> Vec<Finding> {
    let v = e.verdict;
    let share = |n: usize| n as f64 / e.steps.max(1) as f64;
    let mut out = Vec::new();
    let mut tell = |weight, text| out.push(Finding { weight, topic: Topic::Effort, text });
    if share(v.takeovers) >= TOLD {
        let n = count(v.takeovers, "step was", "steps were");
        tell(Weight::Note, format!("{n} solved by a fallback solver ({} of all).", percent(share(v.takeovers))));
    }
    if share(v.without_stresses) >= TOLD {
        let n = count(v.without_stresses, "pass", "passes");
        tell(
            Weight::Note,
            format!("{n} left out what stresses do in turning: with it M̂ was not positive definite (a part buckles)."),
        );
    }
    if v.indefinite > 0 {
        let n = count(v.indefinite, "step was", "steps were");
        tell(
            Weight::Note,
            format!(
                "{n} tried again with half the length because M̂ was not positive definite (a material softens or a part buckles)."
            ),
        );
    }
    if v.cuts > 0 && share(v.cuts) >= TOLD {
        let weight = if share(v.cuts) >= UNFIT { Weight::Doubtful } else { Weight::Note };
        let n = count(v.cuts, "step was", "steps were");
        tell(weight, format!("{n} tried again with half the length: `step` is too long for them."));
    }
    out
}
