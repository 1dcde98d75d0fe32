//! `delassus show`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::show::{show, show_json};

use crate::{CommandError, Reply};

/// Show what a results folder holds: verdict, checks, last values, files; also of a run that is still going
#[derive(Args)]
pub struct Show {
    /// Results folder
    results: PathBuf,
    /// The same as JSON, with the whole manifest
    #[arg(long)]
    json: bool,
}

impl Show {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let text = if self.json { format!("{:#}", show_json(&self.results)?) } else { show(&self.results)? };
        Ok(text.into())
    }
}
