//! The verdict of a run: one word, one sentence, and the findings that explain it.
//!
//! ```text
//! Evidence (case, numbers counted step by step, history, checks) --WEIGHED--> findings --the heaviest--> word
//! ```
//!
//! A run is judged once, at its end, and the judgement goes into `manifest.json`; `run`, `show`, `report`, `verify` and `--json` all read
//! it from there. A folder without one (of an older version, or of a run that did not finish) is judged by the same function.
//!
//! To add a criterion, add a file here with a function `weigh`, and a line in `WEIGHED`.

mod audit;
mod checks;
mod effort;
mod energy;
mod geometry;
mod law;

use delassus_case::spec::{Case, SolverSpec};
use delassus_error::digits::fixed;
use delassus_sim::verdict::{Verdict, Worst};
use delassus_verify::history::History;
use delassus_verify::{CheckResult, Verification};
use serde::{Deserialize, Serialize};

pub use energy::{LEDGER_LIMIT, LINES, LedgerLine, LineEntry, LineKind, SIGN_LIMIT, ledger_lines};

/// The word of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Word {
    /// No finding makes the result uncertain.
    Pass,
    /// The run finished, but a finding makes the result uncertain.
    Doubtful,
    /// An identity or a reference contradicts the result, or the run stopped with an error.
    Failed,
    /// The run is not finished.
    Unfinished,
}

impl Word {
    /// As it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Pass => "Pass",
            Self::Doubtful => "Doubtful",
            Self::Failed => "Failed",
            Self::Unfinished => "Unfinished",
        }
    }
}

/// How much a finding matters; the order is that of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Weight {
    /// Worth knowing.
    Note,
    /// The result is uncertain.
    Doubtful,
    /// The result is contradicted.
    Failed,
}

/// What a finding is about. Programs may rely on these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// The contact laws.
    Law,
    /// A step does not satisfy its own equations.
    Audit,
    /// The energy ledger does not close.
    Ledger,
    /// A line of the ledger that should be a loss has created energy.
    EnergyCreated,
    /// Joints have created or taken energy.
    Joints,
    /// Energy dissipated by the time-stepping scheme.
    NumericalDissipation,
    /// Bodies inside one another.
    Penetration,
    /// Bodies that turn although their kinematics are linear.
    Rotation,
    /// Bodies that are strained so far that linear kinematics does not hold.
    Strain,
    /// Contact at the border of its group of facets.
    GroupEdge,
    /// Bodies far away from where the model was.
    LostBody,
    /// Steps that needed another solver or half their length.
    Effort,
    /// Checks of the `verify` block.
    Check,
    /// The run did not finish.
    Ending,
}

/// A reason for a verdict.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Finding {
    /// How much.
    pub weight: Weight,
    /// About what.
    pub topic: Topic,
    /// In a sentence: what, how large, where and when it was worst.
    pub text: String,
}

/// The verdict on a run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Judgement {
    /// In a word.
    pub word: Word,
    /// In a line.
    pub sentence: String,
    /// What matters, the heaviest first.
    pub findings: Vec<Finding>,
}

impl Judgement {
    /// Is there a reason not to trust the result? Those of `Pass` are notes.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.word == Word::Pass
    }

    /// The findings that are not notes.
    pub fn reasons(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|f| f.weight > Weight::Note)
    }
}

/// The data from which the verdict is computed.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The case, with all defaults.
    pub case: &'a Case,
    /// What was counted step by step.
    pub verdict: &'a Verdict,
    /// All rows of `history.csv`.
    pub history: &'a History,
    /// Errors against exact curves, and checks.
    pub verification: Option<&'a Verification>,
    /// Accepted steps.
    pub steps: usize,
}

impl Evidence<'_> {
    /// The law error the case asked for.
    fn tolerance(&self) -> f64 {
        tolerance(self.case)
    }

    fn has_contact(&self) -> bool {
        !self.case.contacts.is_empty()
    }

    fn checks(&self) -> &[CheckResult] {
        self.verification.map_or(&[], |v| &v.checks)
    }

    fn column(&self, name: &str) -> Vec<f64> {
        self.history.column(name).unwrap_or_default()
    }

    /// A length with its unit.
    fn length(&self, x: f64) -> String {
        format!("{}{}", small(x), self.case.units.symbol(" m"))
    }

    /// An energy with its unit.
    fn energy(&self, x: f64) -> String {
        format!("{}{}", small(x), self.case.units.symbol(" J"))
    }

    /// "step 12, t = 1.2e-3 s".
    fn when(&self, step: usize, time: f64) -> String {
        format!("step {step}, t = {time:.4e}{}", self.case.units.symbol(" s"))
    }

    /// Where a column of the history is largest, in words; empty if it is nowhere above zero.
    fn worst_row(&self, column: &str) -> String {
        worst_row(self.history, column).map_or_else(String::new, |(step, t)| format!(" ({})", self.when(step, t)))
    }
}

/// All criteria, in the order in which their findings are reported.
const WEIGHED: [fn(&Evidence<'_>) -> Vec<Finding>; 6] =
    [checks::weigh, law::weigh, audit::weigh, energy::weigh, geometry::weigh, effort::weigh];

/// Computes the verdict of a finished run.
#[must_use]
pub fn judge(evidence: &Evidence<'_>) -> Judgement {
    let mut findings: Vec<Finding> = WEIGHED.iter().flat_map(|weigh| weigh(evidence)).collect();
    // Stable: findings of one weight keep their order.
    findings.sort_by_key(|f| std::cmp::Reverse(f.weight));
    let word = match findings.first().map(|f| f.weight) {
        Some(Weight::Failed) => Word::Failed,
        Some(Weight::Doubtful) => Word::Doubtful,
        Some(Weight::Note) | None => Word::Pass,
    };
    Judgement { word, sentence: sentence(evidence), findings }
}

/// Judges a run that has not come to its end: `word` and `text` say how it stands.
#[must_use]
pub fn judge_unfinished(evidence: &Evidence<'_>, word: Word, text: String) -> Judgement {
    let mut judgement = judge(evidence);
    let weight = if word == Word::Failed { Weight::Failed } else { Weight::Doubtful };
    judgement.findings.insert(0, Finding { weight, topic: Topic::Ending, text });
    judgement.word = word;
    judgement
}

/// The law error that a case asks for.
#[must_use]
pub fn tolerance(case: &Case) -> f64 {
    match &case.solver {
        SolverSpec::Nlgs(nlgs) => nlgs.tolerance,
        SolverSpec::Lemke(lemke) => lemke.tolerance,
    }
}

/// A number of which the size matters: two digits, zero as 0.
#[must_use]
pub fn small(x: f64) -> String {
    if x.abs() <= 0.0 { "0".to_owned() } else { format!("{x:.1e}") }
}

/// A share in per cent, with the digits that matter.
fn percent(share: f64) -> String {
    match 100.0 * share {
        p if p >= 9.95 => format!("{} %", fixed(p, 0)),
        p if p >= 0.095 => format!("{p:.1} %"),
        p => format!("{p:.0e} %"),
    }
}

/// "1 step", "3 steps".
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The row with the largest value of a column: (step, time \[s\]); none if it is nowhere above zero.
#[must_use]
pub fn worst_row(history: &History, column: &str) -> Option<(usize, f64)> {
    let values = history.column(column)?;
    let worst = (0..values.len()).filter(|&i| values[i] > 0.0).max_by(|&a, &b| {
        // The first of equals.
        values[a].total_cmp(&values[b]).then(b.cmp(&a))
    })?;
    Some((worst, history.column("time")?.get(worst).copied().unwrap_or(f64::NAN)))
}

/// The largest value of a column, with where it was.
fn worst_of(history: &History, column: &str) -> Worst {
    let Some((step, time)) = worst_row(history, column) else { return Worst::default() };
    let value = history.column(column).and_then(|c| c.get(step).copied()).unwrap_or_default();
    Worst { value, step, time, place: "audit".to_owned() }
}

/// The numbers everyone asks for, in a line.
fn sentence(e: &Evidence<'_>) -> String {
    let (v, steps) = (e.verdict, e.steps);
    if steps == 0 {
        return "No step was accepted.".to_owned();
    }
    let mut parts = Vec::new();
    if e.has_contact() {
        let met = steps.saturating_sub(v.flagged);
        parts.push(format!("{met} of {steps} steps at tolerance {:.0e}", e.tolerance()));
        parts.push(format!("worst law error {}", small(v.law_error)));
    } else {
        parts.push(format!("{} without contact", count(steps, "step", "steps")));
    }
    parts.push(format!("energy ledger closes to {}", small(v.energy_residual)));
    if e.has_contact() {
        parts.push(format!(
            "deepest penetration {} in the contact law, {} at the end of a step",
            e.length(v.max_penetration),
            e.length(v.true_penetration)
        ));
    }
    if !e.checks().is_empty() {
        let passed = e.checks().iter().filter(|c| c.passed).count();
        parts.push(format!("checks: {passed} of {} passed", e.checks().len()));
    }
    parts.join("; ") + "."
}

/// The numbers of a run without a manifest, computed from its history; flagged steps are those above the tolerance.
#[must_use]
pub fn verdict_of_history(case: &Case, history: &History) -> Verdict {
    use delassus_sim::outcome::ROUNDING;
    let column = |name: &str| history.column(name).unwrap_or_default();
    let most = |name: &str| column(name).into_iter().fold(0.0, f64::max);
    let has_contact = !case.contacts.is_empty();
    let beyond = |e: &&f64| has_contact && **e > tolerance(case) + ROUNDING;
    Verdict {
        law_error: most("law_error"),
        audit: worst_of(history, "audit_error"),
        energy_residual: most("energy_residual"),
        max_penetration: most("max_penetration"),
        true_penetration: most("true_penetration"),
        flagged: column("law_error").iter().filter(beyond).count(),
        max_iterations: most("solver_iterations") as usize,
        total_iterations: column("solver_iterations").iter().filter(|x| x.is_finite()).sum::<f64>() as usize,
        max_active: most("active_contacts") as usize,
        ..Verdict::default()
    }
}

#[cfg(test)]
mod tests;
