//! A run with a results folder: what steps and records is `execution`; here are the files, the checkpoints and the log. `ending.rs` has what is left at the end.

mod ending;
mod output;

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use delassus_case::load::Loaded;
use delassus_case::lower::Generate;
use delassus_error::{InternalError, Interrupt};
use delassus_sim::space::{Dimension, Space};
use delassus_sim::stepper::{FailureReason, Standing};

use crate::checkpoint::{Cadence, Checkpoint, FoundCheckpoint, Kept};
use crate::end_state::{self, Continued};
use crate::error::{FolderError, RunError};
use crate::execution::{Execution, PreparedCase};
use crate::lock::{Holder, Lock};
use crate::names::names_table;
use crate::results::{Folder, MARK, NAMES};
use crate::saved::{Saved, find_saved, mark_text};
use crate::status::{Begun, RunPace, RunState, RunStatus, StopError};
use crate::threads::Threads;

use output::RunOutput;

pub use crate::monitor::{Monitor, Silent};
pub use crate::summary::Summary;

/// Time between two writings of the status.
const BETWEEN_STATUS: Duration = Duration::from_secs(1);

/// How a run is to be done.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Results folder; `results/<case>` when absent.
    pub out: Option<PathBuf>,
    /// Replace earlier results.
    pub force: bool,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
    /// Continue the run in the folder.
    pub resume: bool,
    /// Start where the run in this folder ended.
    pub from: Option<PathBuf>,
    /// When the state is saved.
    pub checkpoints: Cadence,
    /// Interrupt: when it is raised, the run discards its step, saves its state and stops.
    pub stop: Interrupt,
    /// Folder into which the contact problem of every step is written, as FCLIB files.
    pub problems: Option<PathBuf>,
}

/// Runs a case to its end. Nothing is written before the case has been checked.
pub fn run_case(loaded: &Loaded, options: &RunOptions, monitor: &mut dyn Monitor) -> Result<Summary, RunError> {
    let Threads { pool, note } = Threads::start(options.threads)?;
    if let Some(note) = note {
        monitor.message(&note);
    }
    pool.install(|| match loaded.case.dimension {
        2 => run_in::<2>(loaded, options, monitor),
        3 => run_in::<3>(loaded, options, monitor),
        other => Err(loaded.unsupported_dimension(other).into()),
    })
}

fn run_in<const D: usize>(loaded: &Loaded, options: &RunOptions, monitor: &mut dyn Monitor) -> Result<Summary, RunError>
where
    Dimension<D>: Generate<D>,
{
    let started = Instant::now();
    let out = options.out.clone().unwrap_or_else(|| loaded.results_folder());
    let prepared = PreparedCase::<D>::new(loaded, &options.stop)?;
    let model = Arc::clone(&prepared.lowered.model);
    // What is there to go on with must not change while it is read.
    let held = if options.resume && is_there(&out)? { Some(Lock::take(&out, Holder::Run)?) } else { None };
    let mut prepared = prepared;
    let continued = options.from.as_ref().map(|folder| end_state::find(folder, &model)).transpose()?;
    prepared.origin = prepared.origin.going_on(continued.as_ref().map(|c| c.sha256.as_str()));
    let saved =
        if options.resume { find_saved(&out, loaded, &prepared.origin, &model, monitor)? } else { Saved::Nothing };
    let (is_new, mut found) = (matches!(saved, Saved::Nothing), None);
    let (execution, told) = match saved {
        Saved::State(state) => {
            let standing = state.checkpoint.standing();
            found = Some(*state);
            (prepared.at(loaded, standing)?, None)
        }
        Saved::Beginning | Saved::Nothing => match continued {
            Some(Continued { snapshot, dropped, .. }) => {
                let time = snapshot.time();
                let execution = prepared.from(loaded, snapshot)?;
                let told = options.from.as_ref().map(|folder| told_start(folder, time, &dropped));
                (execution, told)
            }
            None => {
                let (execution, equilibrium) = prepared.start(loaded)?;
                (execution, equilibrium.map(|e| e.to_string()))
            }
        },
    };
    let _lock = match held {
        Some(lock) => lock,
        None => Folder::open(&out).hold(Holder::Run)?,
    };
    let folder = if is_new { Folder::create(&out, options.force)? } else { Folder::open(&out) };
    let mut runner = Runner {
        output: RunOutput::new(folder, &loaded.case.output, &execution.records, options.problems.clone()),
        execution,
        loaded,
        options: options.clone(),
        last_save: Instant::now(),
        last_told: Instant::now(),
        begun: Begun { at: Instant::now(), done: 0 },
        kept: Kept::default(),
    };
    match found {
        Some(found) => runner.resume(found)?,
        None => runner.begin(told)?,
    }
    runner.begun = Begun { at: Instant::now(), done: runner.now().done };
    monitor.started(&loaded.case.title, model.n_steps);
    monitor.progressed(runner.now().done, runner.now().snapshot.time());
    // A panic goes on from here, but not before the folder says that the run has failed: of the runner nothing but what it counted is used again.
    let stepped = catch_unwind(AssertUnwindSafe(|| runner.run_all(monitor)));
    monitor.ended();
    let mut conclude = || runner.conclude(started.elapsed().as_secs_f64());
    let finished = stepped.and_then(|done| catch_unwind(AssertUnwindSafe(|| done.and_then(|()| conclude()))));
    match finished {
        Ok(finished) => finished.inspect_err(|e| runner.tell_why(e)),
        Err(payload) => {
            runner.tell_why(&InternalError::of_panic(&*payload).into());
            resume_unwind(payload)
        }
    }
}

/// What the log says of a start at the end of another run.
fn told_start(folder: &Path, time: f64, dropped: &[String]) -> String {
    let mut text = format!("goes on from {} at t = {time:e} s", folder.display());
    if !dropped.is_empty() {
        text +=
            &format!("; the case has no contact pair {}, what their contacts remembered is dropped", quoted(dropped));
    }
    text
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Is the results folder there? A link to a folder, on another disk perhaps, is one.
fn is_there(out: &Path) -> Result<bool, FolderError> {
    match std::fs::metadata(out) {
        Ok(found) => Ok(found.is_dir()),
        // A link that leads nowhere is told when the folder is made.
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(source) => Err(FolderError::Unreadable { path: out.to_owned(), source }),
    }
}

/// A run that writes into a folder.
struct Runner<'a, const D: usize> {
    loaded: &'a Loaded,
    execution: Execution<D>,
    output: RunOutput<D>,
    options: RunOptions,
    last_save: Instant,
    /// When the status was last written.
    last_told: Instant,
    /// When its steps began.
    begun: Begun,
    /// The checkpoints that are on the disk.
    kept: Kept,
}

impl<const D: usize> Runner<'_, D>
where
    Dimension<D>: Space<D>,
{
    fn now(&self) -> &Standing<D> {
        self.execution.stepper.now()
    }

    fn begin(&mut self, told: Option<String>) -> Result<(), RunError> {
        let (loaded, folder) = (self.loaded, &self.output.folder);
        folder.write_durably(MARK, mark_text(loaded, &self.execution.origin)?.as_bytes())?;
        folder.write(loaded.copy_name(), loaded.given.as_bytes())?;
        folder.write(NAMES, names_table(&loaded.case, self.execution.stepper.model()).as_bytes())?;
        self.tell(RunState::Running, None)?;
        self.output.log.push(format!("case: {}", loaded.case.title));
        self.output.log.extend(told);
        // Before the first row and frame: results without a checkpoint are not those of a run that had just begun.
        self.save()?;
        self.show_start()
    }

    /// Continues from a checkpoint.
    fn resume(&mut self, FoundCheckpoint { checkpoint: from, kept }: FoundCheckpoint) -> Result<(), RunError> {
        let is_before_all = from.is_before_all();
        let Checkpoint { log, notes, cursors, .. } = from;
        for (writer, cursor) in self.output.writers.iter_mut().zip(&cursors) {
            writer.resume(cursor, &mut self.execution.records)?;
        }
        (self.output.log, self.output.notes, self.kept) = (log, notes, kept);
        self.tell(RunState::Running, None)?;
        if is_before_all { self.show_start() } else { Ok(()) }
    }

    fn show_start(&mut self) -> Result<(), RunError> {
        Ok(self.execution.show_start(&mut self.output.watch(&mut Silent))?)
    }

    /// Writes the status of the run.
    fn tell(&self, state: RunState, error: Option<StopError>) -> Result<(), RunError> {
        let Standing { done, snapshot, verdict, .. } = self.now();
        let (steps, time) = (self.execution.stepper.model().n_steps, snapshot.time());
        // Of a run that is over, files say nothing that depends on the clock.
        let pace = (state == RunState::Running).then(|| RunPace::of(&self.begun, *done, steps));
        Ok(RunStatus { state, done: *done, steps, time, error, pace, verdict: verdict.clone() }
            .write(&self.output.folder)?)
    }

    /// Writes why the run stopped. What stopped it matters more than what may go wrong in writing about it.
    fn tell_why(&self, e: &RunError) {
        let _ = match e {
            RunError::Interrupted { .. } => self.tell(RunState::Interrupted, None),
            other => self.tell(RunState::Failed, Some(StopError::of(other))),
        };
    }

    /// All that is needed to go on.
    fn checkpoint(&self) -> Checkpoint {
        let Standing { done, step, snapshot, ledger, verdict, .. } = self.now();
        Checkpoint {
            origin: self.execution.origin.clone(),
            done: *done,
            step: *step,
            snapshot: snapshot.as_ref().clone(),
            ledger: *ledger,
            verdict: verdict.clone(),
            log: self.output.log.clone(),
            notes: self.output.notes,
            cursors: self.output.cursors(&self.execution.records),
        }
    }

    /// Saves it.
    fn save(&mut self) -> Result<(), RunError> {
        let checkpoint = self.checkpoint();
        self.save_as(&checkpoint)
    }

    fn save_as(&mut self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        self.output.synchronise()?;
        self.kept.add(checkpoint.save(&self.output.folder)?);
        self.output.write_log()?;
        self.last_save = Instant::now();
        self.execution.stepper.timings.lap("checkpoint");
        Ok(())
    }

    fn run_all(&mut self, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        while !self.execution.stepper.is_finished() {
            self.output.before_cut = None;
            if let Err(failure) = self.execution.step(&mut self.output.watch(monitor)) {
                if matches!(failure.reason, FailureReason::Interrupted(_)) {
                    return Err(self.stop());
                }
                let saved = self.save_failure(&failure);
                let e = self.execution.error_of(failure, saved);
                self.output.log.push(e.to_string());
                // What stopped the run matters more than what may go wrong in writing about it.
                let _ = self.output.write_log();
                return Err(e);
            }
            let done = self.now().done;
            monitor.progressed(done, self.now().snapshot.time());
            if self.last_told.elapsed() >= BETWEEN_STATUS {
                self.tell(RunState::Running, None)?;
                self.last_told = Instant::now();
            }
            // Not after the last step: the end of a run needs the step itself, not only the state it led to.
            if !self.execution.stepper.is_finished() && self.options.checkpoints.is_due(done, self.last_save) {
                self.save()?;
            }
        }
        Ok(())
    }

    /// Saves the state between two nominal steps; what was done of the one under way is dropped, and done again on `--resume`.
    fn stop(&mut self) -> RunError {
        let cursors = self.output.rewind();
        let mut saved = self.checkpoint();
        saved.cursors = cursors.unwrap_or(saved.cursors);
        if let Err(e) = self.save_as(&saved) {
            return e;
        }
        let (time, folder) = (saved.snapshot.time(), self.output.folder.path().display().to_string());
        RunError::Interrupted { done: saved.done, n: self.execution.stepper.model().n_steps, time, folder }
    }
}

#[cfg(test)]
mod tests;
