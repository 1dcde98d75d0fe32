//! Why a checkpoint is not used.

use std::path::PathBuf;

use delassus_error::{Code, Coded, Failure};

/// What is wrong with a checkpoint, or with the files it belongs to.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Not the bytes that were written.
    #[error("checkpoint `{path}` is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Written by another version of the program, which may have stepped in another way.
    #[error(
        "checkpoint `{path}` was written by delassus {found}, and this is {ours}: a run is resumed by the version that began it; \
         give --force to run the case from its beginning"
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Version that wrote it.
        found: String,
        /// This version.
        ours: String,
    },
    /// Of another case.
    #[error(
        "`{path}` belongs to another case: {what} is not the same. Give the case (and every --set) of the run that is to be \
         resumed, --out DIR for another folder, or --force to replace it"
    )]
    OtherCase {
        /// The checkpoint, or another file of the run.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// A file of the results is not as it was when the checkpoint was written.
    #[error("`{path}` is not what it was when the checkpoint of step {step} was written: {reason}")]
    Changed {
        /// The file.
        path: PathBuf,
        /// Step of the checkpoint.
        step: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// There are checkpoints, and none can be used.
    #[error("no checkpoint in `{folder}` can be used:\n{reasons}\nGive --force to run the case from its beginning")]
    NoneGood {
        /// Where they are.
        folder: PathBuf,
        /// What is wrong with each, a line each.
        reasons: String,
    },
}

impl Coded for CheckpointError {
    fn code(&self) -> Code {
        match self {
            Self::Damaged { .. } => Code("E0821"),
            Self::OtherVersion { .. } => Code("E0822"),
            Self::OtherCase { .. } => Code("E0823"),
            Self::Changed { .. } => Code("E0824"),
            Self::NoneGood { .. } => Code("E0825"),
        }
    }
}

impl Failure for CheckpointError {
    /// 2 for what the user gave, 5 for what became of files.
    fn exit_code(&self) -> u8 {
        match self {
            Self::OtherVersion { .. } | Self::OtherCase { .. } => 2,
            Self::Damaged { .. } | Self::Changed { .. } | Self::NoneGood { .. } => 5,
        }
    }
}
