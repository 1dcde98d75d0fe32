//! `delassus explain`.

use clap::Args;

use crate::{CommandError, Reply, codes};

/// Explain an error code such as E0312: its meaning, its causes and the remedy; without a code, list all codes
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
