//! Identification of the run to which a checkpoint belongs.

use std::path::Path;

use delassus_case::load::Loaded;
use delassus_case::lower::Lowered;
use serde::{Deserialize, Serialize};

use super::NotTaken;
use crate::error::CheckpointError;
use crate::summary::file_hashes;

/// What a checkpoint belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Origin {
    /// Version of the program.
    pub version: String,
    /// Hash of the case's text after `--set`.
    pub case: String,
    /// Names and hashes of the meshes and references.
    pub meshes: Vec<(String, String)>,
    /// Instructions of the processor on which the run computes.
    pub level: String,
}

impl Origin {
    /// Of a run of this case by this program.
    #[must_use]
    pub fn of<const D: usize>(loaded: &Loaded, lowered: &Lowered<D>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            case: loaded.hash(),
            meshes: file_hashes(loaded, lowered).into_iter().collect(),
            level: delassus_math::level().to_owned(),
        }
    }

    /// Is it ours?
    pub(super) fn check(&self, ours: &Self, path: &Path) -> Result<(), NotTaken> {
        self.compare(ours, path).map_err(NotTaken::Foreign)
    }

    fn compare(&self, ours: &Self, path: &Path) -> Result<(), CheckpointError> {
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
            None if self.level != ours.level => {
                let (found, ours) = (self.level.clone(), ours.level.clone());
                Err(CheckpointError::OtherLevel { path: path.to_owned(), found, ours })
            }
            None => Ok(()),
        }
    }
}
