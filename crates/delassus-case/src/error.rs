//! Errors of cases.

use std::path::PathBuf;

use delassus_error::input::ReadError;
use delassus_error::machine::{MEMORY, NO_ROOM};
use delassus_error::{Code, Coded, Failure, FileError, InternalError, excerpt};

use crate::problem::{CaseProblem, ProblemKind};
use crate::source::SetError;

/// Why a case cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The case file is not there.
    #[error("there is no case file `{0}`")]
    NoCase(PathBuf),
    /// The case is wrong; the text shows every problem with its place.
    #[error("{text}")]
    Case {
        /// All problems as a user reads them.
        text: String,
        /// The problems found after reading, empty when the text itself could not be read.
        problems: Vec<CaseProblem>,
        /// Code of the first problem.
        code: Code,
    },
    /// A `--set` that cannot be applied.
    #[error("--set {}: {source}", excerpt(.assignment))]
    Set {
        /// As given.
        assignment: String,
        /// What is wrong.
        source: SetError,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that is not read for what it is.
    #[error(transparent)]
    Read(ReadError),
    /// Something that should be impossible.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

impl From<ReadError> for CaseError {
    fn from(e: ReadError) -> Self {
        match e {
            ReadError::File(e) => Self::File(e),
            other => Self::Read(other),
        }
    }
}

impl Coded for CaseError {
    fn code(&self) -> Code {
        match self {
            Self::NoCase(_) => Code("E0801"),
            Self::Case { code, .. } => *code,
            Self::Set { source, .. } => source.code(),
            Self::File(e) => e.code(),
            Self::Read(e) => e.code(),
            Self::Internal(e) => e.code(),
        }
    }
}

impl Failure for CaseError {
    fn exit_code(&self) -> u8 {
        match self {
            Self::NoCase(_) | Self::Set { .. } => 2,
            Self::Case { code, .. } if *code == MEMORY => NO_ROOM,
            Self::Case { problems, .. } => match problems.iter().map(|p| p.kind).min() {
                None | Some(ProblemKind::Input) => 2,
                Some(ProblemKind::Mesh) => 3,
                Some(ProblemKind::File) => 5,
            },
            Self::File(e) => e.exit_code(),
            Self::Read(e) => e.exit_code(),
            Self::Internal(e) => e.exit_code(),
        }
    }
}
