//! Reasons why a run cannot go on from the end of another.

use std::path::PathBuf;

use delassus_error::{Code, Coded, Failure};

/// What is wrong with the end state that `--from` names.
#[derive(Debug, thiserror::Error)]
pub enum EndStateError {
    /// No results folder.
    #[error("--from `{folder}`: this is no results folder of a run (it has no case.resolved.ron)")]
    NoResults {
        /// The folder.
        folder: PathBuf,
    },
    /// A run that did not come to its end.
    #[error(
        "--from `{folder}`: the run in it left no `end.state`, so it is not finished, or an older version wrote it. \
         Finish it first with `delassus run CASE --resume`"
    )]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// Not the bytes that were written, or those of another version.
    #[error("`{path}` cannot be used: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Of other bodies or contacts.
    #[error("`{path}` does not fit the case: {what}")]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
}

impl Coded for EndStateError {
    fn code(&self) -> Code {
        match self {
            Self::NoResults { .. } => Code("E0827"),
            Self::Missing { .. } => Code("E0828"),
            Self::Damaged { .. } => Code("E0829"),
            Self::OtherModel { .. } => Code("E0830"),
        }
    }
}

impl Failure for EndStateError {
    /// 2 for what the user gave, 5 for what became of files.
    fn exit_code(&self) -> u8 {
        match self {
            Self::NoResults { .. } | Self::OtherModel { .. } => 2,
            Self::Missing { .. } | Self::Damaged { .. } => 5,
        }
    }
}
