//! `delassus import`.

use std::path::PathBuf;

use clap::Args;
use delassus_case::datbox::{Schedule, read_folder, write_folder};

use crate::{CommandError, Reply};

/// Make a case of a folder DATBOX of LMGC90: rigid bodies, materials, contact laws, drives, state at the start
#[derive(Args)]
pub struct Import {
    /// The folder with BODIES.DAT, `BULK_BEHAV.DAT`, `TACT_BEHAV.DAT`; `DOF.INI` and `DRV_DOF.DAT` may be missing
    datbox: PathBuf,
    /// The new folder for the case
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Length of a step [s]; LMGC90 has it in its command script
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    step: f64,
    /// Duration [s]
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    duration: f64,
    /// θ of the scheme, from 0.5 to 1
    #[arg(long, default_value_t = 0.5)]
    theta: f64,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err("it must be a positive number".to_owned()),
    }
}

impl Import {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let scene = read_folder(&self.datbox)?;
        let title = format!("LMGC90: {}", self.datbox.display());
        let written = scene.write(&title, Schedule { step: self.step, duration: self.duration, theta: self.theta })?;
        let case = write_folder(&written, &self.out)?;
        let (n, d) = (scene.bodies.len(), scene.dimension);
        Ok(format!("{0}: {n} bodies, dimension {d}\nnext: delassus check {0}, then delassus run {0}", case.display())
            .into())
    }
}
