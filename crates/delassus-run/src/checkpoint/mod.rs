//! Checkpoints: all that a run needs to go on where it was, to the last bit.
//!
//! ```text
//! magic (16 bytes) | format u32 | length u64 | payload | SHA-256 of all before (32 bytes)
//! ```
//!
//! The payload (encoded by postcard) is an [`Origin`] (version, case, meshes), the place in the run, the accepted snapshot (states, impulses, what contacts
//! remember), ledger, verdict and log, and a [`WriterCursor`] for each observer: how far its files had come. Factors and search trees are
//! not state and are made again. Files are written aside, synchronised and renamed, and the last two are kept: a run that is
//! killed at any moment finds at least one that is whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use delassus_case::hash::sha256;
use delassus_case::load::Loaded;
use delassus_case::lower::Lowered;
use delassus_dynamics::State;
use delassus_error::{InternalError, input};
use delassus_sim::ledger::Ledger;
use delassus_sim::model::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_solver::history_len;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{CheckpointError, RunError};
use crate::results::{CHECKPOINT_ENDING, CHECKPOINTS, Folder};
use crate::summary::file_hashes;
use crate::verdict::Verdict;
use crate::writer::WriterCursor;

/// The first bytes of every checkpoint.
const MAGIC: &[u8; 16] = b"DelassusCheckpt\n";

/// Changes whenever the payload does.
const FORMAT: u32 = 3;

/// Checkpoints that are kept.
const KEPT: usize = 2;

/// When a run saves its state.
#[derive(Clone, Copy, Debug)]
pub struct Cadence {
    /// Steps between two checkpoints, if they are to be counted.
    pub steps: Option<usize>,
    /// Longest time between two checkpoints.
    pub time: Duration,
}

impl Default for Cadence {
    /// Five minutes: little is lost, and short runs write none.
    fn default() -> Self {
        Self { steps: None, time: Duration::from_secs(300) }
    }
}

impl Cadence {
    /// Is it time, `done` steps into the run and so long after the last one?
    pub(crate) fn is_due(&self, done: usize, last: Instant) -> bool {
        self.steps.is_some_and(|n| done.is_multiple_of(n.max(1))) || last.elapsed() >= self.time
    }
}

/// What a checkpoint belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Origin {
    /// Version of the program.
    pub version: String,
    /// Hash of the case's text after `--set`.
    pub case: String,
    /// Names and hashes of the meshes and references.
    pub meshes: Vec<(String, String)>,
}

impl Origin {
    /// Of a run of this case by this program.
    #[must_use]
    pub fn of<const D: usize>(loaded: &Loaded, lowered: &Lowered<D>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            case: loaded.hash(),
            meshes: file_hashes(loaded, lowered).into_iter().collect(),
        }
    }

    /// Is it ours?
    fn check(&self, ours: &Self, path: &Path) -> Result<(), CheckpointError> {
        let other = |what: String| CheckpointError::OtherCase { path: path.to_owned(), what };
        if self.version != ours.version {
            let (found, ours) = (self.version.clone(), ours.version.clone());
            return Err(CheckpointError::OtherVersion { path: path.to_owned(), found, ours });
        }
        if self.case != ours.case {
            return Err(other("the text of the case with its --set".to_owned()));
        }
        match self.meshes.iter().zip(&ours.meshes).find(|(a, b)| a != b) {
            Some((_, (name, _))) => Err(other(format!("the file of `{name}`"))),
            None if self.meshes.len() != ours.meshes.len() => Err(other("the list of meshes".to_owned())),
            None => Ok(()),
        }
    }
}

/// A run between two steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Checkpoint {
    /// What it belongs to.
    pub origin: Origin,
    /// Nominal steps done.
    pub done: usize,
    /// Accepted steps, those of halved length included.
    pub step: usize,
    /// The accepted state.
    pub snapshot: Snapshot,
    /// Energies so far.
    pub ledger: Ledger,
    /// The worst so far.
    pub verdict: Verdict,
    /// Lines of the log so far.
    pub log: Vec<String>,
    /// Messages so far.
    pub notes: usize,
    /// How far the observers' files had come.
    pub cursors: Vec<WriterCursor>,
}

impl Checkpoint {
    /// The file's content.
    pub fn to_bytes(&self) -> Result<Vec<u8>, InternalError> {
        let payload = postcard::to_allocvec(self).map_err(|e| InternalError(format!("checkpoint: {e}")))?;
        let mut out = MAGIC.to_vec();
        out.extend(FORMAT.to_le_bytes());
        out.extend((payload.len() as u64).to_le_bytes());
        out.extend(payload);
        let sum = Sha256::digest(&out);
        out.extend(sum);
        Ok(out)
    }

    /// A file's content read back; `path` is for messages.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, CheckpointError> {
        let damaged = |reason| CheckpointError::Damaged { path: path.to_owned(), reason };
        let rest =
            bytes.strip_prefix(MAGIC.as_slice()).ok_or_else(|| damaged("it does not begin like a checkpoint"))?;
        let head = rest.split_first_chunk().and_then(|(format, rest)| Some((format, rest.split_first_chunk()?.0)));
        let (format, length) = head.ok_or_else(|| damaged("it ends within its first line"))?;
        let (format, length) = (u32::from_le_bytes(*format), u64::from_le_bytes(*length));
        if format != FORMAT {
            // Where the version stands may have changed with the format.
            let (found, ours) = (format!("of checkpoint format {format}"), format!("of format {FORMAT}"));
            return Err(CheckpointError::OtherVersion { path: path.to_owned(), found, ours });
        }
        let begin = MAGIC.len() + size_of::<u32>() + size_of::<u64>();
        let end = usize::try_from(length).ok().and_then(|length| begin.checked_add(length));
        let Some((content, sum)) = end.and_then(|end| bytes.split_at_checked(end)) else {
            return Err(damaged("it is shorter than it says"));
        };
        if sum != Sha256::digest(content).as_slice() {
            return Err(damaged("its checksum is not that of its content"));
        }
        Self::from_payload(&content[begin..]).ok_or_else(|| damaged("its content is not that of a checkpoint"))
    }

    /// The payload alone, whose checksum is known to be right.
    #[must_use]
    pub fn from_payload(payload: &[u8]) -> Option<Self> {
        postcard::take_from_bytes(payload).ok().filter(|(_, rest)| rest.is_empty()).map(|(found, _)| found)
    }

    /// Are the results as they were when it was written, and does it fit the model?
    fn check<const D: usize>(&self, folder: &Path, path: &Path, model: &Model<D>) -> Result<(), CheckpointError> {
        if !self.fits(model) {
            return Err(CheckpointError::Damaged { path: path.to_owned(), reason: "it does not fit the model" });
        }
        let changed = |file: &str, reason: &str| CheckpointError::Changed {
            path: folder.join(file),
            step: self.done,
            reason: reason.to_owned(),
        };
        for cursor in &self.cursors {
            match cursor {
                WriterCursor::Text { bytes, sha256: sum } => {
                    let file = "history.csv";
                    let found =
                        input::read_file(&folder.join(file), input::RESULTS).map_err(|e| changed(file, &e.reason()))?;
                    let part = usize::try_from(*bytes).ok().and_then(|n| found.get(..n));
                    let part = part.ok_or_else(|| changed(file, "it is shorter"))?;
                    if sha256(part) != *sum {
                        return Err(changed(file, "its rows are others"));
                    }
                }
                WriterCursor::Frames(written) => {
                    if let Some((_, file)) = written.iter().find(|(_, file)| !folder.join(file).is_file()) {
                        return Err(changed(file, "the file is gone"));
                    }
                }
            }
        }
        Ok(())
    }

    fn fits<const D: usize>(&self, model: &Model<D>) -> bool {
        let start = model.start();
        let states = &self.snapshot.states;
        let same = |a: &[f64], b: &[f64]| a.len() == b.len();
        let known = |key: &delassus_contact::ContactKey| {
            model.pass_of(key).is_some_and(|p| (key.candidate as usize) < p.candidates.areas().len())
        };
        // Explicit schemes have reactions from the first step on.
        let same_aux = |a: &State, b: &State| same(&a.aux, &b.aux) || same(&a.aux, &a.v);
        states.len() == start.states.len()
            && states
                .iter()
                .zip(&start.states)
                .all(|(a, b)| same(&a.q, &b.q) && same(&a.v, &b.v) && same(&a.z, &b.z) && same_aux(a, b))
            && self.snapshot.impulses.iter().all(|(key, p)| known(key) && p.len() == D)
            && self.snapshot.histories.iter().all(|(key, history)| {
                known(key) && history.z.len() == history_len(&*model.pairs[key.pair as usize].law)
            })
            && self.done < model.n_steps
    }

    /// Writes it, and keeps the last two.
    pub fn save(&self, folder: &Folder) -> Result<(), RunError> {
        folder.make(CHECKPOINTS)?;
        folder.write_durably(&format!("{CHECKPOINTS}/step_{:09}{CHECKPOINT_ENDING}", self.done), &self.to_bytes()?)?;
        // That an old one stays is no reason to stop.
        for (_, old) in list(folder.path()).into_iter().skip(KEPT) {
            let _ = fs::remove_file(old);
        }
        Ok(())
    }

    /// The newest of a folder that can be used; none when the folder has none. `tell` hears of those that cannot.
    pub fn find<const D: usize>(
        folder: &Path,
        ours: &Origin,
        model: &Model<D>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Option<Self>, RunError>
    where
        Dimension<D>: Space<D>,
    {
        let mut reasons = Vec::new();
        for (_, path) in list(folder) {
            let bytes = input::read_file(&path, input::CHECKPOINT)?;
            let read = Self::from_bytes(&bytes, &path).and_then(|found| {
                found.origin.check(ours, &path)?;
                found.check(folder, &path, model)?;
                Ok(found)
            });
            match read {
                Ok(found) => return Ok(Some(found)),
                Err(e @ (CheckpointError::OtherCase { .. } | CheckpointError::OtherVersion { .. })) => {
                    return Err(e.into());
                }
                Err(e) => {
                    tell(&format!("{e}; trying the one before"));
                    reasons.push(format!("  {e}"));
                }
            }
        }
        if reasons.is_empty() {
            return Ok(None);
        }
        Err(CheckpointError::NoneGood { folder: folder.join(CHECKPOINTS), reasons: reasons.join("\n") }.into())
    }
}

/// The checkpoints of a results folder, the newest first.
pub(crate) fn list(folder: &Path) -> Vec<(usize, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder.join(CHECKPOINTS)) else { return Vec::new() };
    let numbered = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let step = name.strip_prefix("step_")?.strip_suffix(CHECKPOINT_ENDING)?.parse().ok()?;
        Some((step, path))
    };
    let mut out: Vec<_> = entries.filter_map(|e| numbered(e.ok()?.path())).collect();
    out.sort();
    out.reverse();
    out
}

#[cfg(test)]
mod tests;
