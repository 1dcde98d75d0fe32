//! `delassus diff`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::diff::diff;

use crate::{CommandError, Reply};

/// Exit code of two folders that differ.
const DIFFERENT: u8 = 1;

/// Compare two results folders: final state, histories, frames. Exit code 0 equal, 1 different
#[derive(Args)]
pub struct Diff {
    /// Results folder
    a: PathBuf,
    /// Another results folder
    b: PathBuf,
    /// Largest difference that does not count, relative to the largest value of a column or field; without it every bit counts
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    tolerance: Option<f64>,
}

impl Diff {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let found = diff(&self.a, &self.b, self.tolerance)?;
        Ok(Reply { text: found.text, exit_code: if found.equal { 0 } else { DIFFERENT } })
    }
}
