//! `delassus check`.

use std::path::PathBuf;

use clap::Args;
use delassus_sim::check::check_case;
use delassus_sim::{Loaded, SimError};

use crate::Reply;

/// Check a case without running it: sizes, contact pairs, time scales, all problems at once
#[derive(Args)]
pub struct Check {
    /// Case file (RON)
    case: PathBuf,
    /// Change a value of the case
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
}

impl Check {
    pub fn execute(self) -> Result<Reply, SimError> {
        Ok(check_case(&Loaded::read(&self.case, &self.set)?)?.into())
    }
}
