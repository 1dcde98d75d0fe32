//! `delassus diff`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::diff::diff;

use crate::{CommandError, Reply};

/// Exit code of two folders that differ.
const DIFFERENT: u8 = 1;

/// Compare two results folders: final state, histories, frames; exit code 0 if equal, 1 if different
#[derive(Args)]
pub struct Diff {
    /// Results folder
    a: PathBuf,
    /// Another results folder
    b: PathBuf,
    /// Allowed difference, relative to the largest value of a column or field; default: none, all bits must be equal
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    tolerance: Option<f64>,
}

impl Diff {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let found = diff(&self.a, &self.b, self.tolerance)?;
        Ok(Reply { text: found.text, exit_code: if found.equal { 0 } else { DIFFERENT } })
    }
}
