//! `delassus report`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::write_report;

use crate::{CommandError, Reply};

/// Write report.html into a results folder: verdict, plots and pictures on one self-contained page
#[derive(Args)]
pub struct Report {
    /// Results folder of an earlier run
    results: PathBuf,
}

impl Report {
    pub fn execute(self) -> Result<Reply, CommandError> {
        Ok(write_report(&self.results)?.display().to_string().into())
    }
}
