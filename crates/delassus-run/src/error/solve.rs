//! Reasons why a contact problem of a file cannot be solved.

use std::path::PathBuf;

use delassus_error::{Code, Coded};
use delassus_fclib::FclibError;
use delassus_solver::SolverError;

/// Why a problem could not be posed.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Not an FCLIB file.
    #[error("{path}: {source}")]
    Fclib {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: FclibError,
    },
    /// Not a problem that a run left.
    #[error("{path}: not a contact problem: {reason}")]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
    /// Numbers that make no problem.
    #[error("{path}: {source}")]
    Posed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: SolverError,
    },
}

impl Coded for SolveError {
    fn code(&self) -> Code {
        match self {
            Self::Fclib { source, .. } => source.code(),
            Self::Posed { source, .. } => source.code(),
            Self::Json { .. } => Code("E0910"),
        }
    }
}
