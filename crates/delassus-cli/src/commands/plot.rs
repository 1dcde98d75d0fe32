//! `delassus plot`.

use std::path::PathBuf;

use clap::Args;
use delassus_error::FileError;
use delassus_report::plot::{column_names, plot};

use crate::{CommandError, Reply};

/// Draw columns of history.csv over time, or their spectra, as an SVG file; without columns, list them
#[derive(Args)]
pub struct Plot {
    /// Results folder
    results: PathBuf,
    /// Columns of history.csv
    columns: Vec<String>,
    /// Amplitudes over frequency instead
    #[arg(long)]
    spectrum: bool,
    /// File to write, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Plot {
    pub fn execute(self) -> Result<Reply, CommandError> {
        if self.columns.is_empty() {
            return Ok(column_names(&self.results)?.into());
        }
        let svg = plot(&self.results, &self.columns, self.spectrum)?;
        let Some(path) = self.out else { return Ok(svg.into()) };
        let text = path.display().to_string();
        std::fs::write(&path, svg).map_err(|source| FileError { action: "write", path, source })?;
        Ok(text.into())
    }
}
