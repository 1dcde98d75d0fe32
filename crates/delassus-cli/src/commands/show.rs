//! `delassus show`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::show::{show, show_json};

use crate::{CommandError, Reply};

/// Summarise a results folder, also of a run in progress: verdict, checks, last values, files
#[derive(Args)]
pub struct Show {
    /// Results folder
    results: PathBuf,
    /// Print the same as JSON, with the whole manifest
    #[arg(long)]
    json: bool,
}

impl Show {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let text = if self.json { format!("{:#}", show_json(&self.results)?) } else { show(&self.results)? };
        Ok(text.into())
    }
}
