//! The code of every error, such as `E0312`, and what `delassus explain` says of it.
//!
//! | codes | about |
//! |---|---|
//! | E01xx | the text of a case: syntax, keys, types, units |
//! | E02xx | `--set` and paths |
//! | E03xx | what a case means: values and names |
//! | E04xx | mesh files, groups and cells |
//! | E05xx | geometry, elements and contact surfaces |
//! | E06xx | materials, laws, sections, supports |
//! | E07xx | a run |
//! | E08xx | files and folders |
//! | E09xx | contact problems in files |
//! | E10xx | command line, and the program itself |
//!
//! A code belongs to a reason, not to a sentence: variants that only wrap another error pass its code on. Every enum of errors
//! is matched here without `_`, so that a new variant without a code does not compile. A new code is one line there (or a
//! constant of [`case`]), a section of `explanations.md`, and a test that names it; `tests/codes` holds the three together.
//! Codes that were published are not given to other reasons.

pub mod case;
mod contact;
mod explain;
mod fem;
mod files;
mod mesh;
mod solver;
mod text;

use std::fmt;

pub use explain::{Explanation, all, explain, find, overview};

/// The name of a reason, such as `E0312`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

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
