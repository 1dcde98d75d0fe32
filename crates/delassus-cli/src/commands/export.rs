//! `delassus export`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::export::{ExportFormat, export};

use crate::{CommandError, Reply};

/// Write the frames of a results folder as blocks with the names of bodies and contacts, as one VTKHDF file, or turned to solids of revolution
#[derive(Args)]
pub struct Export {
    /// Results folder
    results: PathBuf,
    /// Write fields.vtkhdf, all frames in one file, instead of blocks.pvd
    #[arg(long)]
    vtkhdf: bool,
    /// Write solid.pvd, axisymmetric bodies turned about their axis to this many sectors (36 if none are given)
    #[arg(
        long,
        value_name = "SECTORS",
        conflicts_with = "vtkhdf",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "36",
        value_parser = clap::value_parser!(u16).range(3..=720)
    )]
    revolve: Option<u16>,
}

impl Export {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let format = match self.revolve {
            Some(sectors) => ExportFormat::Solid(sectors.into()),
            None if self.vtkhdf => ExportFormat::Vtkhdf,
            None => ExportFormat::Blocks,
        };
        let (file, n) = export(&self.results, format)?;
        Ok(format!("{} ({n} frames)", file.display()).into())
    }
}
