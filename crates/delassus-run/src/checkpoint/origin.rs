//! Identification of the run to which a checkpoint belongs.

use std::path::Path;

use delassus_case::hash::sha256;
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
    /// Hash of the case's text after `--set`, and of the end state from which the run goes on, if it does.
    pub case: String,
    /// Names and hashes of the meshes and references.
    pub meshes: Vec<(String, String)>,
    /// SHA-256 of this end state; in a file it is a part of `case`.
    #[serde(skip)]
    pub from: Option<String>,
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
            from: None,
            level: delassus_math::level().to_owned(),
        }
    }

    /// The same, of a run that goes on from an end state of this hash.
    #[must_use]
    pub fn going_on(self, from: Option<&str>) -> Self {
        match from {
            Some(from) => Self {
                case: sha256(format!("{} from {from}", self.case).as_bytes()),
                from: Some(from.to_owned()),
                ..self
            },
            None => self,
        }
    }

    /// Checks that it belongs to this run.
    pub(super) fn check(&self, ours: &Self, path: &Path) -> Result<(), NotTaken> {
        let path = path.to_owned();
        let foreign = match self.difference(ours) {
            None => return Ok(()),
            Some(OriginDifference::Version { found, ours }) => CheckpointError::OtherVersion { path, found, ours },
            Some(OriginDifference::Case { what }) => CheckpointError::OtherCase { path, what },
            Some(OriginDifference::Level { found, ours }) => CheckpointError::OtherLevel { path, found, ours },
        };
        Err(NotTaken::Foreign(foreign))
    }

    /// The first thing that is not the same.
    pub(crate) fn difference(&self, ours: &Self) -> Option<OriginDifference> {
        let case = |what: String| Some(OriginDifference::Case { what });
        if self.version != ours.version {
            return Some(OriginDifference::Version { found: self.version.clone(), ours: ours.version.clone() });
        }
        if self.case != ours.case {
            return case("the text of the case with its --set, or the end of a run given by --from,".to_owned());
        }
        match self.meshes.iter().zip(&ours.meshes).find(|(a, b)| a != b) {
            Some((_, (name, _))) => case(format!("the file of `{name}`")),
            None if self.meshes.len() != ours.meshes.len() => case("the list of meshes".to_owned()),
            None if self.level != ours.level => {
                Some(OriginDifference::Level { found: self.level.clone(), ours: ours.level.clone() })
            }
            None => None,
        }
    }
}

/// What makes two origins different.
pub(crate) enum OriginDifference {
    /// Version of the program.
    Version { found: String, ours: String },
    /// The case, or a file that it names.
    Case { what: String },
    /// Instruction level.
    Level { found: String, ours: String },
}
