//! `delassus init`.

use std::path::PathBuf;

use clap::Args;
use delassus_suite::gallery::copy_case;
use delassus_suite::gallery_text;

use crate::{CommandError, Reply};

/// List the cases that come with the program, or copy one with its meshes into a new folder
#[derive(Args)]
pub struct Init {
    /// Name of a case; without it, all cases are listed
    name: Option<String>,
    /// The new folder, instead of NAME
    #[arg(long, value_name = "DIR", requires = "name")]
    out: Option<PathBuf>,
}

impl Init {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let Some(name) = self.name else { return Ok(gallery_text()?.into()) };
        let folder = self.out.unwrap_or_else(|| PathBuf::from(name.trim_end_matches(".ron")));
        let case = copy_case(&name, &folder)?;
        Ok(format!("{0}\nnext: delassus check {0}, then delassus run {0}", case.display()).into())
    }
}
