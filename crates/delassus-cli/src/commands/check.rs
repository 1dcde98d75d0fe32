//! `delassus check`.

use std::path::PathBuf;

use clap::Args;
use delassus_case::Loaded;
use delassus_run::check::check_case;

use crate::{CommandError, Reply};

/// Check a case without running it: sizes, contact pairs, time scales, all problems at once
#[derive(Args)]
pub struct Check {
    /// Case file (RON, or JSON if its name ends in .json)
    case: PathBuf,
    /// Change a value of the case
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print the case as JSON instead, all defaults written out
    #[arg(long)]
    to_json: bool,
}

impl Check {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let loaded = Loaded::read(&self.case, &self.set)?;
        let checked = check_case(&loaded)?;
        Ok(if self.to_json { loaded.json_text()? } else { checked }.into())
    }
}
