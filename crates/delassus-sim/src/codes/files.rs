//! Codes of a run and its commands, and of the files and folders they read and write.

use crate::checkpoint::CheckpointError;
use crate::error::SimError;
use crate::report::ReportError;
use delassus_error::{Code, Coded};

impl Coded for SimError {
    fn code(&self) -> Code {
        match self {
            Self::Case { code, .. } => *code,
            Self::Set { source, .. } => source.code(),
            Self::Body { source, .. } => source.code(),
            Self::Contact(e) => e.code(),
            Self::Solver(e) => e.code(),
            Self::Step { source, .. } => source.code(),
            Self::Solve(e) => e.code(),
            Self::Checkpoint(e) => e.code(),
            Self::Vtk { source, .. } => source.code(),
            Self::Report(e) => e.code(),
            Self::NotConverged { .. } => Code("E0701"),
            Self::NoEquilibrium { .. } => Code("E0702"),
            Self::NotFinite { .. } => Code("E0703"),
            Self::Memory { .. } => Code("E0704"),
            Self::Interrupted { .. } => Code("E0705"),
            Self::NoCase(_) => Code("E0801"),
            Self::Io { .. } => delassus_error::FILE,
            Self::Occupied(_) => Code("E0803"),
            Self::NotResults(_) => Code("E0804"),
            Self::Finished(_) => Code("E0805"),
            Self::Taken(_) => Code("E0806"),
            Self::NoSuchExample { .. } => Code("E0807"),
            Self::Plot { .. } => Code("E0808"),
            Self::NoEntry { .. } => Code("E1001"),
            Self::BadTolerance(_) => Code("E1002"),
            Self::NoSuchCode { .. } => Code("E1003"),
            Self::Internal(_) => delassus_error::INTERNAL,
        }
    }
}

impl Coded for ReportError {
    fn code(&self) -> Code {
        match self {
            Self::NoFolder(_) => Code("E0811"),
            Self::NotResults(_) => Code("E0812"),
            Self::Unreadable { .. } => Code("E0813"),
            Self::Damaged { .. } => Code("E0814"),
            Self::Line { .. } => Code("E0815"),
            Self::Vtk { source, .. } => source.code(),
        }
    }
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
