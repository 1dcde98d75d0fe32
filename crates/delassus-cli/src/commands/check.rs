//! `delassus check`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use delassus_case::Loaded;
use delassus_run::check::check_case_unless;
use delassus_run::export::export_matrices;

use crate::interrupts::heard;
use crate::{CommandError, Reply};

/// Check a case without running it: list all problems, sizes, contact pairs, time scales and advice
#[derive(Args)]
pub struct Check {
    /// Case file (RON, or JSON if its name ends in .json)
    case: PathBuf,
    /// Change a value of the case
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Only print the case as JSON, with all defaults
    #[arg(long)]
    to_json: bool,
    /// Write the mass, damping and stiffness matrices of every body to this folder as Matrix Market files
    #[arg(long, value_name = "DIR", conflicts_with = "to_json")]
    export_matrices: Option<PathBuf>,
}

impl Check {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let loaded = Loaded::read(&self.case, &self.set)?;
        if !loaded.case.stages.is_empty() && self.export_matrices.is_none() {
            let checked = stages(&loaded)?;
            return Ok(if self.to_json { loaded.json_text()? } else { checked }.into());
        }
        let mut checked = check_case_unless(&heard("stopping"), &loaded)?;
        if let Some(folder) = &self.export_matrices {
            let written = export_matrices(&loaded, folder)?;
            let _ = write!(checked, "\n  {} matrices written to {}", written.len(), folder.display());
        }
        Ok(if self.to_json { loaded.json_text()? } else { checked }.into())
    }
}

/// Every stage as a case of its own.
fn stages(loaded: &Loaded) -> Result<String, CommandError> {
    let stop = heard("stopping");
    let mut text = String::new();
    for (stage, case) in loaded.case.stages.iter().zip(loaded.stages()?) {
        let _ = writeln!(text, "stage `{}`\n{}\n", stage.name, check_case_unless(&stop, &case)?);
    }
    Ok(text.trim_end().to_owned())
}
