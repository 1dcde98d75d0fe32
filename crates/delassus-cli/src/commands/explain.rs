//! `delassus explain`.

use clap::Args;

use crate::{CommandError, Reply, codes};

/// What an error code such as E0312 means, why it happens and what to do; without a code, the list of all
#[derive(Args)]
pub struct Explain {
    /// The code; E0312, e312 and 312 are the same
    code: Option<String>,
}

impl Explain {
    pub fn execute(self) -> Result<Reply, CommandError> {
        Ok(match self.code {
            Some(code) => codes::explain(&code)?,
            None => codes::overview(),
        }
        .into())
    }
}
