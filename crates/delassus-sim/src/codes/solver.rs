//! Codes of contact problems in files.

use delassus_error::{Code, Coded};

use crate::solve::SolveError;

impl Coded for SolveError {
    fn code(&self) -> Code {
        match self {
            Self::Fclib { source, .. } => source.code(),
            Self::Posed { source, .. } => source.code(),
            Self::Json { .. } => Code("E0910"),
        }
    }
}
