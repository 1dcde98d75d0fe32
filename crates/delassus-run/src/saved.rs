//! What `--resume` finds in a results folder: nothing, a run that had just begun, or a checkpoint.
//!
//! No results are deleted here. The run starts from the beginning only in a folder without results: the first checkpoint is written before the
//! first row and frame, so the checkpoint of results without one was removed, which is an error. Anything that cannot be read is an error.

use std::path::{Path, PathBuf};

use delassus_case::load::Loaded;
use delassus_sim::model::Model;
use delassus_sim::space::{Dimension, Space};

use crate::checkpoint::{Checkpoint, FoundCheckpoint, Origin};
use crate::error::{CheckpointError, FolderError, RunError};
use crate::files;
use crate::manifest;
use crate::monitor::Monitor;
use crate::results::{Contents, Folder, MARK};

/// What a run can continue from.
pub(crate) enum Saved {
    /// No run.
    Nothing,
    /// A run that was stopped before its first checkpoint.
    Beginning,
    /// A state.
    State(Box<FoundCheckpoint>),
}

/// Looks for it in a results folder.
pub(crate) fn find_saved<const D: usize>(
    out: &Path,
    loaded: &Loaded,
    origin: &Origin,
    model: &Model<D>,
    monitor: &mut dyn Monitor,
) -> Result<Saved, RunError>
where
    Dimension<D>: Space<D>,
{
    let contents = Contents::of(out)?;
    contents.check_ours_but_checkpoints()?;
    check_unfinished(out, &loaded.hash(), origin)?;
    if let Some(found) = Checkpoint::find(out, origin, model, &mut |text| monitor.message(text))? {
        monitor.message(&format!("resumed after step {} of {}", found.checkpoint.done, model.n_steps));
        return Ok(Saved::State(Box::new(found)));
    }
    let mark = out.join(MARK);
    let marked = match files::read(&mark)? {
        Some(text) if text != mark_text(loaded, origin)?.as_bytes() => return Err(other_case(mark, "the case").into()),
        found => found.is_some(),
    };
    if let Some(work) = contents.work().filter(|_| marked) {
        let found = work.strip_prefix(out).unwrap_or(work).display().to_string();
        return Err(CheckpointError::NoCheckpoint { folder: out.to_owned(), found }.into());
    }
    monitor.message(&format!("no checkpoint in {}: the run starts from the beginning", out.display()));
    Ok(if marked { Saved::Beginning } else { Saved::Nothing })
}

/// The content of the mark: the case with all its defaults, and the state it goes on from.
pub(crate) fn mark_text(loaded: &Loaded, origin: &Origin) -> Result<String, RunError> {
    let text = loaded.resolved_text()?;
    Ok(match &origin.from {
        Some(sha256) => format!("{text}\n// goes on from the end.state of SHA-256 {sha256}\n"),
        None => text,
    })
}

fn other_case(path: PathBuf, what: &str) -> CheckpointError {
    CheckpointError::OtherCase { path, what: what.to_owned() }
}

/// An error if the run is finished, or if that is not known; another one if what is finished is another run, also one whose files were others.
fn check_unfinished(out: &Path, case_hash: &str, origin: &Origin) -> Result<(), RunError> {
    let path = out.join("manifest.json");
    let Some(text) = files::read(&path)? else { return Ok(()) };
    let damaged = |reason: String| CheckpointError::Manifest { path: path.clone(), reason };
    if text.is_empty() {
        return Err(damaged("it is empty".into()).into());
    }
    let parsed: serde_json::Value = serde_json::from_slice(&text).map_err(|e| damaged(e.to_string()))?;
    let hash = parsed["case_hash"].as_str().ok_or_else(|| damaged("it has no `case_hash`".into()))?;
    if hash != case_hash {
        return Err(other_case(path, "the text of the case with its --set").into());
    }
    if parsed["from"].as_str() != origin.from.as_deref() {
        return Err(other_case(path, "the end of a run given by --from,").into());
    }
    let differs =
        |(name, ours): &&(String, String)| parsed["mesh_hashes"][name].as_str().is_some_and(|hash| hash != ours);
    if let Some((name, _)) = origin.meshes.iter().find(differs) {
        return Err(other_case(path, &format!("the file of `{name}`")).into());
    }
    // A run that was killed between its manifest, which it writes when all else is on the disk, and its end has left its checkpoints.
    if manifest::parse(&text).is_ok() {
        let _: Result<(), FolderError> = Folder::open(out).remove_checkpoints();
    }
    Err(RunError::Finished(out.to_owned()))
}
