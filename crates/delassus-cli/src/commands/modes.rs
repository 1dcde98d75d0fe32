//! `delassus modes`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use delassus_case::Loaded;
use delassus_run::modes::{ModeOptions, modes_of_case};

use crate::interrupts::heard;
use crate::{CommandError, Reply};

/// Compute natural frequencies and mode shapes of the bodies of a case, with their supports and without contacts
#[derive(Args)]
pub struct Modes {
    /// Case file
    case: PathBuf,
    /// Modes of each body, rigid motions included
    #[arg(long, short, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=500))]
    count: u16,
    /// Results folder, instead of results/CASE-modes
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Change a value of the case
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Replace earlier results
    #[arg(long)]
    force: bool,
}

impl Modes {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let loaded = Loaded::read(&self.case, &self.set)?;
        let options = ModeOptions { out: self.out, force: self.force, count: usize::from(self.count) };
        let (folder, table) = modes_of_case(&loaded, &options, &heard("stopping"))?;
        let unit = loaded.case.units.symbol("Hz");
        let mut text = String::from("body                 mode     frequency");
        for m in &table {
            let rigid = if m.frequency > 0.0 { "" } else { "  rigid motion" };
            let _ = write!(text, "\n{:<20} {:>4}  {:>12.6e} {unit}{rigid}", m.body, m.number, m.frequency);
        }
        let _ = write!(text, "\n  shapes     {}", folder.join("modes.pvd").display());
        Ok(text.into())
    }
}
