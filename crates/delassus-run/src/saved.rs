//! What `--resume` finds in a results folder: nothing, a run that had just begun, or a checkpoint.

use std::path::{Path, PathBuf};

use delassus_case::load::Loaded;
use delassus_error::input;
use delassus_sim::model::Model;
use delassus_sim::space::{Dimension, Space};

use crate::checkpoint::{Checkpoint, Origin};
use crate::error::{CheckpointError, RunError};
use crate::monitor::Monitor;
use crate::results::MARK;

/// What there is to go on with.
pub(crate) enum Saved {
    /// No run.
    Nothing,
    /// A run that was stopped before its first checkpoint.
    Beginning,
    /// A state.
    State(Box<Checkpoint>),
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
    let other = |path: PathBuf, what: &str| CheckpointError::OtherCase { path, what: what.to_owned() };
    if let Some(hash) = finished_case(out) {
        let path = out.join("manifest.json");
        return Err(match hash == origin.case {
            true => RunError::Finished(out.to_owned()),
            false => other(path, "the text of the case with its --set").into(),
        });
    }
    if let Some(found) = Checkpoint::find(out, origin, model, &mut |text| monitor.message(text))? {
        monitor.message(&format!("resumed after step {} of {}", found.done, model.n_steps));
        return Ok(Saved::State(Box::new(found)));
    }
    monitor.message(&format!("no checkpoint in {}: the run begins at its beginning", out.display()));
    let mark = out.join(MARK);
    match input::read_file(&mark, input::RECORD) {
        Ok(text) if text == loaded.resolved_text()?.as_bytes() => Ok(Saved::Beginning),
        Ok(_) => Err(other(mark, "the case").into()),
        Err(_) => Ok(Saved::Nothing),
    }
}

/// Hash of the case of a finished run.
fn finished_case(out: &Path) -> Option<String> {
    let text = input::read_file(&out.join("manifest.json"), input::RECORD).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&text).ok()?;
    manifest["case_hash"].as_str().map(str::to_owned)
}
