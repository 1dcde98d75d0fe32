//! What the errors of all crates have in common: a code such as `E0312`, an explanation, an exit code.
//!
//! | codes | about |
//! |---|---|
//! | E01xx | the text of a case: syntax, keys, types, units |
//! | E02xx | `--set` and paths |
//! | E03xx | what a case means: values and names |
//! | E04xx | mesh files, groups and cells |
//! | E05xx | geometry, elements and contact surfaces |
//! | E06xx | materials, laws, sections, supports, references |
//! | E07xx | a run |
//! | E08xx | files and folders |
//! | E09xx | contact problems in files, studies, memory and input files |
//! | E10xx | command line, and the program itself |
//!
//! A code belongs to a reason, not to a sentence: a variant that only wraps another error passes its code on. Every crate matches its
//! enum of errors without `_`, so that a new variant without a code does not compile, and keeps the explanations of its codes in
//! `explanations.md` beside that enum. Published codes are never given to other reasons. A test of the program (`delassus-cli`) holds
//! codes, explanations, tests and docs/errors.md together.

pub mod digits;
mod excerpt;
mod explanation;
pub mod fault;
pub mod input;
mod interrupt;
pub mod machine;
pub mod number;
mod own;

use std::fmt;
use std::path::PathBuf;

pub use excerpt::{MOST_SHOWN, bounded, cut, excerpt, is_hidden};
pub use explanation::{Explanation, GROUPS, explanations};
pub use interrupt::{Interrupt, Interrupted};
pub use own::{Own, OwnMissing};

/// The name of a reason, such as `E0312`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

impl Code {
    /// As it is printed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// An error that has a code.
pub trait Coded {
    /// Its code.
    fn code(&self) -> Code;
}

/// An error that ends a command.
pub trait Failure: Coded + std::error::Error {
    /// 0 nothing to do, 2 bad input, 3 mesh or geometry, 4 not converged, 5 input/output, 70 internal error, 71 no memory or no threads, 130 interrupted.
    fn exit_code(&self) -> u8;
}

/// Code of a file that cannot be read or written.
pub const FILE: Code = Code("E0802");

/// Code of something that should be impossible.
pub const INTERNAL: Code = Code("E1099");

/// A file that cannot be read or written.
#[derive(Debug)]
pub struct FileError {
    /// What was tried.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`: {}", self.action, self.path.display(), self.source)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Coded for FileError {
    fn code(&self) -> Code {
        FILE
    }
}

impl Failure for FileError {
    fn exit_code(&self) -> u8 {
        5
    }
}

/// Something that should be impossible.
#[derive(Clone, Debug)]
pub struct InternalError(pub String);

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal error, please report it: {}", self.0)
    }
}

impl std::error::Error for InternalError {}

impl Coded for InternalError {
    fn code(&self) -> Code {
        INTERNAL
    }
}

impl Failure for InternalError {
    fn exit_code(&self) -> u8 {
        70
    }
}

/// Explanations of the codes given here.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
