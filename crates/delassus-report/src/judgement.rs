//! The verdict of a results folder: the one that the run wrote, or, if the run did not finish, one computed from the existing files.

use delassus_run::judgement::{Evidence, Judgement, Word, judge as judge_run, judge_unfinished, verdict_of_history};
use delassus_run::status::{Ending, RunState, ending};
use delassus_sim::verdict::Verdict;

use super::folder::Results;

/// A run that has been judged.
pub struct JudgedRun {
    /// The verdict in words.
    pub judgement: Judgement,
    /// The numbers it rests on.
    pub verdict: Verdict,
    /// Accepted steps.
    pub steps: usize,
}

/// The verdict on a folder.
#[must_use]
pub fn judge(results: &Results) -> JudgedRun {
    let rows = results.history.rows().len();
    let Some(m) = &results.manifest else { return unfinished(results, rows.saturating_sub(1)) };
    let evidence = Evidence {
        case: &results.case,
        verdict: &m.verdict,
        history: &results.history,
        verification: m.verification.as_ref(),
        steps: m.steps,
    };
    // Older versions wrote the numbers only.
    let judgement = m.judgement.clone().unwrap_or_else(|| judge_run(&evidence));
    JudgedRun { judgement, verdict: m.verdict.clone(), steps: m.steps }
}

/// A run that left no manifest.
fn unfinished(results: &Results, steps: usize) -> JudgedRun {
    let status = results.status.as_ref();
    // A run that said why it stopped has also said what it counted, which is more than its history tells.
    let said = status.filter(|s| matches!(s.state, RunState::Interrupted | RunState::Failed));
    let verdict = said.map_or_else(|| verdict_of_history(&results.case, &results.history), |s| s.verdict.clone());
    let evidence =
        Evidence { case: &results.case, verdict: &verdict, history: &results.history, verification: None, steps };
    let planned = status.map_or_else(String::new, |s| format!(" of {}", s.steps));
    let (word, text) = match ending(results.path(), status) {
        Ending::Going => (Word::Unfinished, format!("The run is not finished yet; {steps}{planned} steps are done.")),
        Ending::Interrupted => (
            Word::Unfinished,
            format!(
                "The run was interrupted after {steps}{planned} steps; the same command with --resume continues it."
            ),
        ),
        Ending::Failed(error) => (
            Word::Failed,
            format!("The run stopped with an error after {steps}{planned} steps: {} {}", error.code, error.message),
        ),
        Ending::Killed => (
            Word::Unfinished,
            format!(
                "The run ended after {steps}{planned} steps without a message: it was killed, or the machine \
                 stopped. The same command with --resume continues from the last checkpoint."
            ),
        ),
    };
    let judgement = judge_unfinished(&evidence, word, text);
    JudgedRun { judgement, verdict, steps }
}

/// The class of the page's style sheet.
#[must_use]
pub fn class(word: Word) -> &'static str {
    match word {
        Word::Pass => "pass",
        Word::Doubtful => "doubtful",
        Word::Failed => "failed",
        Word::Unfinished => "unfinished",
    }
}
