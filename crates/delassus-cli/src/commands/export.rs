//! `delassus export`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::export::{ExportFormat, export};

use crate::{CommandError, Reply};

/// Write the frames of a results folder as blocks with the names of bodies and contacts, or as one VTKHDF file
#[derive(Args)]
pub struct Export {
    /// Results folder
    results: PathBuf,
    /// Write fields.vtkhdf, all frames in one file, instead of blocks.pvd
    #[arg(long)]
    vtkhdf: bool,
}

impl Export {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let format = if self.vtkhdf { ExportFormat::Vtkhdf } else { ExportFormat::Blocks };
        let (file, n) = export(&self.results, format)?;
        Ok(format!("{} ({n} frames)", file.display()).into())
    }
}
