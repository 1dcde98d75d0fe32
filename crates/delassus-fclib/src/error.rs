//! Reasons why a file is not a contact problem.

use delassus_error::machine::MemoryError;
use delassus_error::{Code, Coded, excerpt};

/// What is wrong with a file, or with a problem that is to become one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FclibError {
    /// Another kind of file.
    #[error("not an HDF5 file: it should begin with the bytes 89 48 44 46 (\\x89HDF)")]
    NotHdf5,
    /// The file ends too early, or points outside itself.
    #[error("byte {at}: {what} is missing; the file has {len} bytes and may be cut off or damaged")]
    Outside {
        /// Where something should be.
        at: u64,
        /// What.
        what: &'static str,
        /// Length of the file.
        len: usize,
    },
    /// A part of HDF5 that FCLIB files do not use.
    #[error("`{place}`: {what} is not supported; FCLIB files have {instead}")]
    Unsupported {
        /// Path in the file.
        place: String,
        /// What it has.
        what: String,
        /// What would be right.
        instead: &'static str,
    },
    /// Bytes that contradict themselves.
    #[error("`{place}`: {what}")]
    Damaged {
        /// Path in the file.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// An array that is far longer than the file can hold.
    #[error(
        "`{place}` declares {numbers} numbers in a file of {file} bytes: all arrays together may be 16 times as long as the file"
    )]
    Inflated {
        /// Path in the file.
        place: String,
        /// How many numbers it should have.
        numbers: usize,
        /// Length of the file.
        file: usize,
    },
    /// A problem that is larger than the memory there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Something every problem has.
    #[error("`{0}` is missing")]
    Missing(String),
    /// No problem in the file that can be solved here.
    #[error("the file holds {}; it should hold a group `fclib_local` or `fclib_global`, or one of these with `_rolling`", excerpt(.found))]
    NoProblem {
        /// The groups it has.
        found: String,
    },
    /// A number that does not fit the others.
    #[error("`{place}` = {}: {right}", excerpt(.value))]
    Value {
        /// Path in the file.
        place: String,
        /// As found.
        value: String,
        /// What would be right.
        right: String,
    },
    /// A problem that FCLIB has no form for.
    #[error("contact {contact} {why}, which FCLIB's local format cannot represent")]
    NoForm {
        /// The contact.
        contact: usize,
        /// What it is.
        why: &'static str,
    },
    /// A problem whose springs couple too many contacts to be condensed.
    #[error("{n} contacts with springs would give a full matrix; at most {most} are written")]
    TooMany {
        /// How many there are.
        n: usize,
        /// How many are written.
        most: usize,
    },
}

impl Coded for FclibError {
    fn code(&self) -> Code {
        match self {
            Self::NotHdf5 => Code("E0901"),
            Self::Outside { .. } => Code("E0902"),
            Self::Unsupported { .. } => Code("E0903"),
            Self::Damaged { .. } => Code("E0904"),
            Self::Inflated { .. } => Code("E0925"),
            Self::Memory(e) => e.code(),
            Self::Missing(_) => Code("E0905"),
            Self::NoProblem { .. } => Code("E0906"),
            Self::Value { .. } => Code("E0907"),
            Self::NoForm { .. } => Code("E0908"),
            Self::TooMany { .. } => Code("E0909"),
        }
    }
}
