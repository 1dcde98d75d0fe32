//! Checkpoints: everything that a run needs to continue with the same bits.
//!
//! A checkpoint is sealed bytes (`seal`). Its payload is an [`Origin`] (version, case, meshes, instruction level), the place in the run, the accepted snapshot (states,
//! impulses, what contacts remember), ledger, verdict and log, and a [`WriterCursor`] for each observer: how far its files had come, with their hashes. Factors
//! and search trees are not state and are made again.
//!
//! The first checkpoint is written before the first row and frame, so a folder without a checkpoint contains no results. All files to which a
//! checkpoint refers are on the disk before it. A checkpoint is written under a temporary name, synchronised and renamed, and the last two are
//! kept: after a kill at any moment at least one is complete.

mod fit;
mod origin;
mod seal;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use delassus_case::hash::sha256;
use delassus_error::InternalError;
use delassus_sim::ledger::Ledger;
use delassus_sim::model::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::stepper::Standing;
use delassus_sim::verdict::Verdict;
use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, FolderError, RunError};
use crate::files::{self, EntryKind};
use crate::results::{CHECKPOINT_ENDING, CHECKPOINTS, Folder};
use crate::writer::{WriterCursor, WrittenFile};

pub(crate) use fit::fits;
pub(crate) use origin::OriginDifference;
pub(crate) use seal::{Seal, SealFault, decoded};

pub use origin::Origin;

/// What surrounds a checkpoint.
const SEAL: Seal = Seal { magic: b"DelassusCheckpt\n", format: 10, what: "a checkpoint" };

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
    /// Five minutes: little is lost, and short runs write no more than the first.
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
    /// Lengths and hashes of the observers' files.
    pub cursors: Vec<WriterCursor>,
}

impl Checkpoint {
    /// The file's content.
    pub fn to_bytes(&self) -> Result<Vec<u8>, InternalError> {
        SEAL.close(self)
    }

    /// A file's content read back; `path` is for messages.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, CheckpointError> {
        SEAL.open(bytes).map_err(|fault| match fault {
            SealFault::Damaged(reason) => damaged(path, &reason),
            SealFault::Format(format) => {
                // Where the version stands may have changed with the format.
                let (found, ours) = (format!("of checkpoint format {format}"), format!("of format {}", SEAL.format));
                CheckpointError::OtherVersion { path: path.to_owned(), found, ours }
            }
        })
    }

    /// The payload alone, whose checksum is known to be right.
    #[must_use]
    pub fn from_payload(payload: &[u8]) -> Option<Self> {
        decoded(payload)
    }

    /// Are the results as they were when it was written, and does it fit the model? `seen` keeps what was read of files that last.
    fn check<const D: usize>(
        &self,
        folder: &Path,
        path: &Path,
        model: &Model<D>,
        seen: &mut FileHashes,
    ) -> Result<(), CheckpointError> {
        if !(fits(&self.snapshot, model) && self.done < model.n_steps) {
            return Err(damaged(path, "it does not fit the model"));
        }
        let changed =
            |file: &str, reason: String| CheckpointError::Changed { path: folder.join(file), step: self.done, reason };
        for cursor in &self.cursors {
            match cursor {
                WriterCursor::Text { bytes, sha256: sum } => {
                    let file = "history.csv";
                    // What came later does not matter, nor whether anything did.
                    if *bytes == 0 {
                        continue;
                    }
                    let found = plain(folder, file).map_err(|reason| changed(file, reason))?;
                    let part = usize::try_from(*bytes).ok().and_then(|n| found.get(..n));
                    let part = part.ok_or_else(|| changed(file, "it is shorter".into()))?;
                    if sha256(part) != *sum {
                        return Err(changed(file, "its rows have changed".into()));
                    }
                }
                WriterCursor::Frames(written) => {
                    for frame in written {
                        let found = seen.of(folder, &frame.file).map_err(|reason| changed(&frame.file, reason))?;
                        let reason = match found {
                            (bytes, _) if *bytes != frame.bytes => {
                                format!("it has {bytes} bytes instead of {}", frame.bytes)
                            }
                            (_, sum) if *sum != frame.sha256 => "its content has changed".to_owned(),
                            _ => continue,
                        };
                        return Err(changed(&frame.file, reason));
                    }
                }
                // They are in the checkpoint.
                WriterCursor::Lines(_) => {}
            }
        }
        Ok(())
    }

    /// Where the run stood.
    pub(crate) fn standing<const D: usize>(&self) -> Standing<D> {
        Standing {
            done: self.done,
            step: self.step,
            snapshot: Arc::new(self.snapshot.clone()),
            ledger: self.ledger,
            verdict: self.verdict.clone(),
            last: None,
        }
    }

    /// Has nothing been written of the run yet, not even its first state?
    pub(crate) fn is_before_all(&self) -> bool {
        self.cursors.iter().all(WriterCursor::is_empty)
    }

    /// Writes it. The files to which it refers must be on the disk.
    pub fn save(&self, folder: &Folder) -> Result<PathBuf, RunError> {
        folder.make(CHECKPOINTS)?;
        let name = format!("{CHECKPOINTS}/step_{:09}{CHECKPOINT_ENDING}", self.done);
        folder.write_durably(&name, &self.to_bytes()?)?;
        Ok(folder.file(&name))
    }

    /// The newest of a folder that can be used; none when the folder has none. `tell` receives messages about
    /// those that cannot be used.
    pub fn find<const D: usize>(
        folder: &Path,
        ours: &Origin,
        model: &Model<D>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Option<FoundCheckpoint>, RunError>
    where
        Dimension<D>: Space<D>,
    {
        let (mut refused, mut seen) = (Vec::new(), FileHashes::default());
        let all = list(folder)?;
        for (k, (_, path)) in all.iter().enumerate() {
            let read = read(path).and_then(|found| {
                found.origin.check(ours, path)?;
                found.check(folder, path, model, &mut seen)?;
                Ok(found)
            });
            match read {
                Ok(checkpoint) => {
                    let mut kept: Vec<PathBuf> = all[k..].iter().map(|(_, path)| path.clone()).collect();
                    kept.reverse();
                    return Ok(Some(FoundCheckpoint { checkpoint, kept: Kept(kept) }));
                }
                Err(NotTaken::Foreign(e)) => return Err(e.into()),
                Err(NotTaken::Unusable(e)) => {
                    if k + 1 < all.len() {
                        tell(&format!("{e}; trying the previous one"));
                    }
                    refused.push(e);
                }
            }
        }
        // What is the same for all is told as it is.
        if refused.iter().all(|e| matches!(e, CheckpointError::OtherVersion { .. })) {
            return refused.into_iter().next().map_or(Ok(None), |e| Err(e.into()));
        }
        let reasons: Vec<String> = refused.iter().map(|e| format!("  {e}")).collect();
        Err(CheckpointError::NoneGood { folder: folder.join(CHECKPOINTS), reasons: reasons.join("\n") }.into())
    }
}

/// A checkpoint that can be used, and those that are kept.
#[derive(Debug)]
pub struct FoundCheckpoint {
    /// The newest that can be used.
    pub checkpoint: Checkpoint,
    /// It and the older ones.
    pub kept: Kept,
}

/// Checkpoints of a run, the oldest first. One that could not be used is not among them, so it takes no place of a good one.
#[derive(Debug, Default)]
pub struct Kept(Vec<PathBuf>);

impl Kept {
    /// Another one is on the disk: the last two are kept.
    pub(crate) fn add(&mut self, path: PathBuf) {
        self.0.retain(|known| *known != path);
        self.0.push(path);
        while self.0.len() > KEPT {
            // That an old one stays is no reason to stop.
            let _ = fs::remove_file(self.0.remove(0));
        }
    }
}

/// Why a checkpoint is not used.
enum NotTaken {
    /// The checkpoint is valid but belongs to another run, so this run cannot continue from it.
    Foreign(CheckpointError),
    /// The checkpoint cannot be used; an older one may be valid.
    Unusable(CheckpointError),
}

impl From<CheckpointError> for NotTaken {
    fn from(e: CheckpointError) -> Self {
        Self::Unusable(e)
    }
}

/// Lengths and hashes of files that were read.
#[derive(Default)]
struct FileHashes(BTreeMap<String, (u64, String)>);

impl FileHashes {
    fn of(&mut self, folder: &Path, file: &str) -> Result<&(u64, String), String> {
        if !self.0.contains_key(file) {
            let WrittenFile { bytes, sha256, .. } = WrittenFile::of(0.0, file, &plain(folder, file)?);
            self.0.insert(file.to_owned(), (bytes, sha256));
        }
        self.0.get(file).ok_or_else(String::new)
    }
}

/// The content of a plain file, in a folder of the results that is no link.
fn plain(folder: &Path, file: &str) -> Result<Vec<u8>, String> {
    let inner = file.rsplit_once('/').map(|(inner, _)| folder.join(inner));
    let told = |e: FolderError| match e {
        FolderError::NotOurs { found, .. } => format!("it is {found}"),
        FolderError::Unreadable { source, .. } => source.to_string(),
        other => other.to_string(),
    };
    if let Some(inner) = inner {
        EntryKind::of(&inner).and_then(|kind| kind.expect(EntryKind::Folder, &inner)).map_err(told)?;
    }
    files::read(&folder.join(file)).map_err(told)?.ok_or_else(|| "the file is gone".to_owned())
}

fn damaged(path: &Path, reason: &str) -> CheckpointError {
    CheckpointError::Damaged { path: path.to_owned(), reason: reason.to_owned() }
}

fn read(path: &Path) -> Result<Checkpoint, NotTaken> {
    let (folder, name) = (path.parent().unwrap_or(path), path.file_name().unwrap_or_default());
    let bytes = plain(folder, &name.to_string_lossy()).map_err(|reason| damaged(path, &reason))?;
    Ok(Checkpoint::from_bytes(&bytes, path)?)
}

/// The checkpoints of a results folder, the newest first.
pub(crate) fn list(folder: &Path) -> Result<Vec<(usize, PathBuf)>, FolderError> {
    let place = folder.join(CHECKPOINTS);
    EntryKind::of(&place)?.expect(EntryKind::Folder, &place)?;
    let numbered = |(name, _): (String, EntryKind)| {
        let step = name.strip_prefix("step_")?.strip_suffix(CHECKPOINT_ENDING)?.parse().ok()?;
        Some((step, place.join(name)))
    };
    let mut out: Vec<(usize, PathBuf)> = files::list(&place)?.into_iter().filter_map(numbered).collect();
    out.sort();
    out.reverse();
    Ok(out)
}

#[cfg(test)]
mod tests;
