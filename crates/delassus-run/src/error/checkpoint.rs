//! Reasons why a checkpoint cannot be used.

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
        reason: String,
    },
    /// Written by another version of the program, which may have stepped in another way.
    #[error(
        "checkpoint `{path}` was written by delassus {found}, and this is {ours}: a run is resumed by the version that began it. \
         Nothing was changed. Use that version, or give --out DIR to run the case from its beginning in another folder; --force \
         deletes the contents of this folder and begins again"
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
         resumed, --out DIR for another folder, or --force to delete the contents of this one"
    )]
    OtherCase {
        /// The checkpoint, or another file of the run.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// Computed with other instructions of the processor, whose last bits are others.
    #[error(
        "checkpoint `{path}` was written by a run on instruction level `{found}`, and this is `{ours}`: the rest of the run would \
         have other bits. Nothing was changed. Resume on a processor of level `{found}`, or give --out DIR to run the case from its \
         beginning in another folder"
    )]
    OtherLevel {
        /// The file.
        path: PathBuf,
        /// Level on which it was written.
        found: String,
        /// Level of this program on this machine.
        ours: String,
    },
    /// It is not known whether the run is finished.
    #[error(
        "`{path}` is damaged: {reason}. The run may be finished, so nothing was changed. Restore it from a copy; \
         or move it away, then --resume continues from a checkpoint if there is one; or give --out DIR to run the \
         case in another \
         folder. --force deletes the contents of this folder"
    )]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There are results and no checkpoint.
    #[error(
        "`{folder}` has results of a run (`{found}`) and no checkpoint to continue from. --resume deletes nothing: restore \
         `checkpoints/` from a copy, give --out DIR to run the case from its beginning in another folder, or --force \
         to delete the contents of this one"
    )]
    NoCheckpoint {
        /// The results folder.
        folder: PathBuf,
        /// A file of its run.
        found: String,
    },
    /// A file of the results is not as it was when the checkpoint was written.
    #[error("`{path}` has changed since the checkpoint of step {step} was written: {reason}")]
    Changed {
        /// The file.
        path: PathBuf,
        /// Step of the checkpoint.
        step: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// There are checkpoints, and none can be used.
    #[error(
        "no checkpoint in `{folder}` can be used:\n{reasons}\n\
         Nothing was changed. Keep the folder: `delassus show` and `report` can read it. Restore the files above from a copy \
         and resume again, or give --out DIR to run the case from its beginning in another folder; --force deletes \
         the contents of this one"
    )]
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
            Self::OtherLevel { .. } => Code("E0826"),
            Self::Manifest { .. } => Code("E0818"),
            Self::NoCheckpoint { .. } => Code("E0819"),
            Self::Changed { .. } => Code("E0824"),
            Self::NoneGood { .. } => Code("E0825"),
        }
    }
}

impl Failure for CheckpointError {
    /// 2 for what the user gave, 5 for what became of files.
    fn exit_code(&self) -> u8 {
        match self {
            Self::OtherVersion { .. } | Self::OtherCase { .. } | Self::OtherLevel { .. } => 2,
            Self::Damaged { .. }
            | Self::Manifest { .. }
            | Self::NoCheckpoint { .. }
            | Self::Changed { .. }
            | Self::NoneGood { .. } => 5,
        }
    }
}
