//! Codes of contact laws, of contact problems and of the files that hold them.

use delassus_fclib::FclibError;
use delassus_solver::SolverError;

use super::{Code, Coded};
use crate::solve::SolveError;

impl Coded for SolverError {
    fn code(&self) -> Code {
        match self {
            Self::Friction { .. } => Code("E0631"),
            Self::Law { .. } => Code("E0632"),
            Self::LawTwice { .. } => Code("E0633"),
            Self::SizeMismatch { .. } => Code("E0711"),
            Self::NotFinite { .. } => Code("E0712"),
            Self::NegativeDiagonal { .. } => Code("E0713"),
            Self::ShiftAndSpring { .. } => Code("E0714"),
            Self::NegativeMobility { .. } => Code("E0715"),
            Self::OverConstrained { .. } => Code("E0716"),
            Self::ColumnOutOfRange { .. } => Code("E0717"),
            Self::DuplicateColumn { .. } => Code("E0718"),
            Self::Option { .. } => Code("E0719"),
        }
    }
}

impl Coded for FclibError {
    fn code(&self) -> Code {
        match self {
            Self::NotHdf5 => Code("E0901"),
            Self::Outside { .. } => Code("E0902"),
            Self::Unsupported { .. } => Code("E0903"),
            Self::Damaged { .. } => Code("E0904"),
            Self::Missing(_) => Code("E0905"),
            Self::NoProblem { .. } => Code("E0906"),
            Self::Value { .. } => Code("E0907"),
            Self::NoForm { .. } => Code("E0908"),
            Self::TooMany { .. } => Code("E0909"),
        }
    }
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
