//! The verdict in words: what was reached, what needs attention, and the energy ledger with the signs of its lines.

use delassus_dynamics::integrator::{IntegratorSpec, ModifiedTheta, Theta};
use delassus_run::verdict::Verdict;
use delassus_sim::outcome::ROUNDING;

use super::figures::lines;
use super::folder::Results;

/// Relative residual of the energy ledger above which it does not close. For linear bodies it is round-off, some 1e-15
/// times the square root of the number of steps; a wrong or missing term shows as 1e-3 and more.
pub const LEDGER_LIMIT: f64 = 1e-8;

/// A loss may be negative by this part of the energy that was turned over.
pub const SIGN_LIMIT: f64 = 1e-9;

/// How a run is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// All that was asked for was reached.
    Pass,
    /// Something is not as it should be.
    Attention,
    /// The run did not come to its end.
    Unfinished,
}

impl Word {
    /// As it is written on the page.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Pass => "Pass",
            Self::Attention => "Attention",
            Self::Unfinished => "Unfinished",
        }
    }

    /// The class of the page's style sheet.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Attention => "attention",
            Self::Unfinished => "unfinished",
        }
    }
}

/// The verdict on a run.
pub struct Judgement {
    /// In a word.
    pub word: Word,
    /// In a line.
    pub sentence: String,
    /// What needs attention, one sentence each.
    pub remarks: Vec<String>,
    /// The numbers it rests on.
    pub verdict: Verdict,
    /// Accepted steps.
    pub steps: usize,
}

/// Judges a run by its manifest, or by its history when it did not finish.
#[must_use]
pub fn judge(results: &Results) -> Judgement {
    let rows = results.history.rows().len();
    let (verdict, steps) = match &results.manifest {
        Some(m) => (m.verdict.clone(), m.steps),
        None => (from_history(results), rows.saturating_sub(1)),
    };
    let mut remarks = remarks(results, &verdict);
    let word = match &results.manifest {
        None => Word::Unfinished,
        Some(_) if remarks.is_empty() => Word::Pass,
        Some(_) => Word::Attention,
    };
    if word == Word::Unfinished {
        remarks.insert(0, "There is no manifest.json: the run failed, was stopped, or is still going.".to_owned());
        if let Some(line) = results.log.lines().rfind(|l| l.starts_with("step ")) {
            remarks.insert(1, format!("Last message of the log: {line}"));
        }
    }
    Judgement { word, sentence: sentence(results, &verdict, steps), remarks, verdict, steps }
}

/// A number of which the size matters: two digits, zero as 0.
#[must_use]
pub fn small(x: f64) -> String {
    if x.abs() <= 0.0 { "0".to_owned() } else { format!("{x:.1e}") }
}

fn sentence(results: &Results, v: &Verdict, steps: usize) -> String {
    if steps == 0 {
        return "No step was accepted.".to_owned();
    }
    let mut parts = Vec::new();
    if results.case.contacts.is_empty() {
        parts.push(format!("{steps} steps without contact"));
    } else {
        let met = steps.saturating_sub(v.flagged);
        parts.push(format!("{met} of {steps} steps at tolerance {:.0e}", results.tolerance()));
        parts.push(format!("worst law error {}", small(v.law_error)));
    }
    parts.push(format!("energy ledger closes to {}", small(v.energy_residual)));
    if !results.case.contacts.is_empty() {
        let m = results.case.units.symbol(" m");
        parts.push(format!(
            "deepest penetration {}{m} as the law sees it, {}{m} true",
            small(v.max_penetration),
            small(v.true_penetration)
        ));
    }
    let checks = results.manifest.as_ref().and_then(|m| m.verification.as_ref()).map_or(&[][..], |v| &v.checks);
    if !checks.is_empty() {
        let passed = checks.iter().filter(|c| c.passed).count();
        parts.push(format!("checks: {passed} of {} passed", checks.len()));
    }
    parts.join("; ") + "."
}

fn remarks(results: &Results, v: &Verdict) -> Vec<String> {
    let mut out = Vec::new();
    if v.flagged > 0 {
        out.push(format!("{} steps were accepted beyond tolerance.", v.flagged));
    } else if !results.case.contacts.is_empty()
        && (v.law_error.is_nan() || v.law_error > results.tolerance() + ROUNDING)
    {
        out.push(format!("The law error {:.1e} is above the tolerance {:.0e}.", v.law_error, results.tolerance()));
    }
    if v.energy_residual.is_nan() || v.energy_residual > LEDGER_LIMIT {
        let text = format!("The energy ledger does not close: {:.1e}, above {LEDGER_LIMIT:.0e}.", v.energy_residual);
        out.push(text);
    }
    if v.too_deep > 0 {
        out.push(format!("{} times a candidate was deep inside a body and left out.", v.too_deep));
    }
    for line in ledger(results).iter().filter(|l| !l.sign_is_right) {
        out.push(format!("The {} was negative, as low as {:.2e} J: energy was created there.", line.name, line.lowest));
    }
    let checks = results.manifest.as_ref().and_then(|m| m.verification.as_ref()).map_or(&[][..], |v| &v.checks);
    for check in checks.iter().filter(|c| !c.passed) {
        out.push(format!("The check “{}” failed.", check.name));
    }
    out
}

/// The worst of what the history holds; flagged steps are those beyond the tolerance.
fn from_history(results: &Results) -> Verdict {
    let column = |name: &str| results.column(name);
    let most = |name: &str| column(name).into_iter().fold(0.0, f64::max);
    let tolerance = results.tolerance();
    let has_contact = !results.case.contacts.is_empty();
    Verdict {
        law_error: most("law_error"),
        energy_residual: most("energy_residual"),
        max_penetration: most("max_penetration"),
        true_penetration: most("true_penetration"),
        flagged: column("law_error").iter().filter(|e| has_contact && **e > tolerance + ROUNDING).count(),
        cuts: 0,
        max_iterations: most("solver_iterations") as usize,
        total_iterations: column("solver_iterations").iter().filter(|x| x.is_finite()).sum::<f64>() as usize,
        max_active: most("active_contacts") as usize,
        too_deep: 0,
        ..Verdict::default()
    }
}

/// A line of the energy ledger at the end of the run.
pub struct LedgerLine {
    /// Its name.
    pub name: &'static str,
    /// Value at the end \[J\].
    pub end: f64,
    /// Smallest value on the way, at most 0 \[J\].
    pub lowest: f64,
    /// Largest value on the way, at least 0 \[J\].
    pub highest: f64,
    /// A loss, which should never be negative.
    pub is_loss: bool,
    /// Not a loss, or never negative beyond round-off.
    pub sign_is_right: bool,
}

/// Must a loss be positive with this scheme? Friction works on the scheme's test velocity, which is that of the law only for θ-Euler
/// and θ = 1; Newmark with β > γ/2 gives back algorithmic energy.
fn sign_is_certain(integrator: &IntegratorSpec, column: &str) -> bool {
    match (integrator, column) {
        (
            IntegratorSpec::Theta(Theta { theta }) | IntegratorSpec::ModifiedTheta(ModifiedTheta { theta }),
            "friction_dissipation",
        ) => *theta >= 1.0,
        (IntegratorSpec::Newmark(_), "friction_dissipation") => false,
        (IntegratorSpec::Newmark(n), "numerical_dissipation") => 2.0 * n.beta <= n.gamma,
        _ => true,
    }
}

/// The lines of the ledger, with the check of their signs.
#[must_use]
pub fn ledger(results: &Results) -> Vec<LedgerLine> {
    let known: Vec<super::figures::Line> = lines(results).collect();
    let lines: Vec<Vec<f64>> = known.iter().map(|l| l.values(results)).collect();
    let energy = results.column("kinetic_energy").into_iter().zip(results.column("elastic_energy")).map(|(k, e)| k + e);
    let size = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
    let scale = lines.iter().flatten().copied().chain(energy).map(size).fold(0.0, f64::max);
    let line = |(l, values): (&super::figures::Line, &Vec<f64>)| {
        let lowest = values.iter().copied().fold(0.0, f64::min);
        LedgerLine {
            name: l.name,
            end: values.last().copied().unwrap_or(0.0),
            lowest,
            highest: values.iter().copied().fold(0.0, f64::max),
            is_loss: l.is_loss,
            sign_is_right: !l.is_loss
                || !sign_is_certain(&results.case.integrator, l.column)
                || lowest >= -SIGN_LIMIT * scale,
        }
    };
    known.iter().zip(&lines).map(line).collect()
}

/// The row with the largest value of a column: (step, time \[s\]).
#[must_use]
pub fn worst_row(results: &Results, column: &str) -> Option<(usize, f64)> {
    let values = results.column(column);
    let worst = (0..values.len()).filter(|&i| values[i] > 0.0).max_by(|&a, &b| {
        // The first of equals.
        values[a].total_cmp(&values[b]).then(b.cmp(&a))
    })?;
    Some((worst, results.column("time").get(worst).copied().unwrap_or(f64::NAN)))
}
