//! What a run writes as it goes: files of the accepted states, and the lines of `run.log`.

use std::path::{Path, PathBuf};

use delassus_case::spec::OutputSpec;
use delassus_error::FileError;
use delassus_sim::observer::{Frame, ObserverError};

use super::Monitor;
use crate::error::RunError;
use crate::execution::ExecutionWatch;
use crate::records::Records;
use crate::results::Folder;
use crate::writer::{Writer, WriterCursor, writers};

/// Messages of a run that are shown as they come.
const SHOWN_NOTES: usize = 20;

/// The files of a run.
pub(super) struct RunOutput<const D: usize> {
    pub folder: Folder,
    pub writers: Vec<Box<dyn Writer<D>>>,
    /// Lines of `run.log`.
    pub log: Vec<String>,
    /// Messages so far.
    pub notes: usize,
    /// How far it was when the nominal step under way had to be cut: files of its parts may have to be dropped.
    pub before_cut: Option<BeforeCut>,
    /// Folder for the contact problems of the steps.
    problems: Option<PathBuf>,
    /// Has it been told that a problem has no form in FCLIB?
    is_told: bool,
}

/// How far the output of a run was.
pub(super) struct BeforeCut {
    lines: usize,
    notes: usize,
    cursors: Vec<WriterCursor>,
}

impl<const D: usize> RunOutput<D> {
    /// Nothing is written yet.
    pub fn new(folder: Folder, output: &OutputSpec, records: &Records, problems: Option<PathBuf>) -> Self {
        let writers = writers(&folder, output, records);
        Self { writers, folder, log: Vec::new(), notes: 0, before_cut: None, problems, is_told: false }
    }

    /// Writes what is recorded, and shows some of it.
    pub fn watch<'a>(&'a mut self, monitor: &'a mut dyn Monitor) -> OutputWatch<'a, D> {
        OutputWatch { output: self, monitor }
    }

    /// How far the files have come.
    pub fn cursors(&self, records: &Records) -> Vec<WriterCursor> {
        self.writers.iter().map(|w| w.cursor(records)).collect()
    }

    /// Drops what the log says of the nominal step under way; the cursors of before, if it was cut.
    pub fn rewind(&mut self) -> Option<Vec<WriterCursor>> {
        let BeforeCut { lines, notes, cursors } = self.before_cut.take()?;
        self.log.truncate(lines);
        self.notes = notes;
        Some(cursors)
    }

    /// Waits until all that was written is on the disk.
    pub fn synchronise(&self) -> Result<(), RunError> {
        self.writers.iter().try_for_each(|w| w.synchronise())?;
        Ok(self.folder.synchronise()?)
    }

    pub fn write_log(&self) -> Result<(), RunError> {
        Ok(self.folder.write("run.log", (self.log.join("\n") + "\n").as_bytes())?)
    }
}

/// A run's output, and who is shown some of it.
pub(super) struct OutputWatch<'a, const D: usize> {
    output: &'a mut RunOutput<D>,
    monitor: &'a mut dyn Monitor,
}

impl<const D: usize> ExecutionWatch<D> for OutputWatch<'_, D> {
    fn recorded(&mut self, frame: &Frame<'_, D>, records: &Records) -> Result<(), ObserverError> {
        self.output.writers.iter_mut().try_for_each(|w| w.write(frame, records))?;
        let reason = match &self.output.problems {
            Some(folder) => dump_problem(folder, frame)?,
            None => None,
        };
        if let Some(reason) = reason.filter(|_| !self.output.is_told) {
            self.output.is_told = true;
            self.note(&format!(
                "step {}: its contact problem is not written, nor are others like it: {reason}",
                frame.step
            ));
        }
        Ok(())
    }

    /// A line for the log; the first few are also shown.
    fn note(&mut self, text: &str) {
        let Self { output, monitor } = self;
        output.notes += 1;
        if output.notes <= SHOWN_NOTES {
            monitor.message(text);
        }
        if output.notes == SHOWN_NOTES {
            monitor.message("further messages are in run.log only");
        }
        output.log.push(text.to_owned());
    }

    fn cutting(&mut self, records: &Records) {
        if self.output.before_cut.is_none() {
            let (lines, notes) = (self.output.log.len(), self.output.notes);
            self.output.before_cut = Some(BeforeCut { lines, notes, cursors: self.output.cursors(records) });
        }
    }
}

/// Writes the contact problem of a step as `problem-STEP.hdf5`; a reason if FCLIB has no form for it. Steps without contacts have none.
fn dump_problem<const D: usize>(folder: &Path, frame: &Frame<'_, D>) -> Result<Option<String>, FileError> {
    let Some(outcome) = frame.outcome.filter(|o| o.problem.n() > 0) else { return Ok(None) };
    let description = format!("step {} at t = {:e} s", frame.step, frame.snapshot.time());
    let bytes = match delassus_fclib::write(&outcome.problem, "a contact problem of Delassus", &description) {
        Ok(bytes) => bytes,
        Err(e) => return Ok(Some(e.to_string())),
    };
    std::fs::create_dir_all(folder).map_err(|source| FileError {
        action: "create",
        path: folder.to_owned(),
        source,
    })?;
    let path = folder.join(format!("problem-{:06}.hdf5", frame.step));
    std::fs::write(&path, bytes).map_err(|source| FileError { action: "write", path, source })?;
    Ok(None)
}
