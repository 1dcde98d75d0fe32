//! `status.json`: the progress of a run, from its start on.
//!
//! Its state distinguishes finished, interrupted and failed runs. A run whose state is `running` and that does not hold its
//! [lock](crate::lock) was killed.

use std::path::Path;
use std::time::Instant;

use delassus_error::Failure;
use delassus_error::number;
use delassus_sim::verdict::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::FolderError;
use crate::lock::Lock;
use crate::results::Folder;

pub use crate::results::STATUS;

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// It steps on, or was killed while it did.
    Running,
    /// It was asked to stop, and saved its state.
    Interrupted,
    /// It stopped with an error.
    Failed,
    /// It came to its end.
    Finished,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct StopError {
    /// Code of the error.
    pub code: String,
    /// Its text.
    pub message: String,
}

/// Where a run stands.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct RunStatus {
    /// What it does.
    pub state: RunState,
    /// Nominal steps done when this was written.
    pub done: usize,
    /// Nominal steps of the run.
    pub steps: usize,
    /// Time reached \[s\].
    #[serde(with = "number")]
    pub time: f64,
    /// Why it stopped.
    #[serde(default)]
    pub error: Option<StopError>,
    /// Its process and pace, while it runs.
    #[serde(default)]
    pub pace: Option<RunPace>,
    /// What was counted so far.
    #[serde(default)]
    pub verdict: Verdict,
}

/// The beginning of the steps of a process.
pub(crate) struct Begun {
    /// When.
    pub at: Instant,
    /// Nominal steps that were done then, by processes before.
    pub done: usize,
}

/// How fast a run goes. The clock is in no other file of a run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct RunPace {
    /// Its process.
    pub pid: u32,
    /// Seconds since its first step, of this process.
    pub elapsed_s: f64,
    /// Seconds to its end at this pace; none before the first step is done.
    pub remaining_s: Option<f64>,
}

impl RunPace {
    /// After so many of the nominal steps.
    pub(crate) fn of(begun: &Begun, done: usize, steps: usize) -> Self {
        let elapsed_s = begun.at.elapsed().as_secs_f64();
        let (own, left) = (done.saturating_sub(begun.done), steps.saturating_sub(done));
        let remaining_s = (own > 0).then(|| elapsed_s / own as f64 * left as f64);
        Self { pid: std::process::id(), elapsed_s, remaining_s }
    }
}

impl RunStatus {
    /// Writes it into a results folder.
    pub fn write(&self, folder: &Folder) -> Result<(), FolderError> {
        folder.write(STATUS, format!("{:#}\n", json!(self)).as_bytes())
    }
}

impl StopError {
    /// Of an error.
    #[must_use]
    pub fn of(e: &dyn Failure) -> Self {
        Self { code: e.code().as_str().to_owned(), message: e.to_string() }
    }
}

/// How a run that left no manifest ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The run is in progress.
    Going,
    /// It was asked to stop, and can be resumed.
    Interrupted,
    /// It stopped with an error.
    Failed(StopError),
    /// It ended without saying why: killed, or the machine went down.
    Killed,
}

/// How a folder's run ended, by its status and its lock; the status of a run is none where an older version wrote the folder.
#[must_use]
pub fn ending(folder: &Path, status: Option<&RunStatus>) -> Ending {
    match status {
        _ if Lock::is_run_going(folder) => Ending::Going,
        Some(RunStatus { state: RunState::Interrupted, .. }) => Ending::Interrupted,
        Some(RunStatus { state: RunState::Failed, error: Some(error), .. }) => Ending::Failed(error.clone()),
        _ => Ending::Killed,
    }
}

/// Reads a status.
pub fn parse(bytes: &[u8]) -> Result<RunStatus, serde_json::Error> {
    serde_json::from_slice(bytes)
}
