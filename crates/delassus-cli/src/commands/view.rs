//! `delassus view`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use delassus_error::FileError;
use delassus_report::view::write_view;

use crate::{CommandError, Reply};

/// Open a results folder in ParaView with bodies, contact pressure, contact forces and obstacles set up
#[derive(Args)]
pub struct ViewCommand {
    /// Results folder
    results: PathBuf,
    /// Write the state file only
    #[arg(long)]
    no_open: bool,
    /// Program to start
    #[arg(long, value_name = "FILE", default_value = "paraview")]
    paraview: PathBuf,
}

impl ViewCommand {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let state = write_view(&self.results)?;
        let line = format!("{} --state={}", self.paraview.display(), state.display());
        if self.no_open {
            return Ok(line.into());
        }
        let started = Command::new(&self.paraview)
            .arg(format!("--state={}", state.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        started.map_err(|source| FileError { action: "start", path: self.paraview, source })?;
        Ok(line.into())
    }
}
