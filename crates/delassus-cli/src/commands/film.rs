//! `delassus film`.

use std::path::PathBuf;

use clap::Args;
use delassus_report::film::{FilmOptions, write_film};

use crate::{CommandError, Reply};

/// Write film.svg into a results folder: an animated picture of the run that any browser shows
#[derive(Args)]
pub struct Film {
    /// Results folder
    results: PathBuf,
    /// Most pictures; a run writes about 50 frames unless its case says otherwise
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(2..=500))]
    frames: u16,
    /// How long the film lasts, in seconds
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    seconds: f64,
}

/// A time that a film may last.
fn seconds(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is not a number of seconds between 0.1 and 3600");
    text.parse().ok().filter(|t| (0.1..=3600.0).contains(t)).ok_or_else(wrong)
}

impl Film {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let options = FilmOptions { frames: usize::from(self.frames), seconds: self.seconds };
        let (file, n) = write_film(&self.results, options)?;
        Ok(format!("{} ({n} pictures)", file.display()).into())
    }
}
