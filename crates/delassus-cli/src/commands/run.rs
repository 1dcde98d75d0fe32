//! `delassus run`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use delassus_sim::report::write_report;
use delassus_sim::{Loaded, RunOptions, SimError, run_case};

use crate::Reply;
use crate::events::{self, Events};
use crate::progress::Progress;

/// Exit code of a run that stopped on the way.
const NOT_CONVERGED: u8 = 4;

/// Run a case; fields for ParaView, histories and a summary go to results/CASE
#[derive(Args)]
pub struct Run {
    /// Case file (RON, or JSON if its name ends in .json)
    case: PathBuf,
    /// Results folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Change a value of the case, e.g. --set step=1e-6 or --set 'bodies.left.mesh.refine=2'
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Number of threads (the results do not depend on it)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Replace earlier results
    #[arg(long)]
    force: bool,
    /// No progress and no summary
    #[arg(long, short)]
    quiet: bool,
    /// No progress
    #[arg(long)]
    no_progress: bool,
    /// Write report.html at the end, also of a run that fails on the way
    #[arg(long)]
    report: bool,
    /// Progress and summary on stdout for programs, one JSON object a line
    #[arg(long, conflicts_with_all = ["quiet", "no_progress"])]
    json: bool,
}

impl Run {
    pub fn execute(self) -> Result<Reply, SimError> {
        let json = self.json;
        let done = self.run();
        if json && let Err(e) = &done {
            events::error(e);
        }
        done
    }

    fn run(self) -> Result<Reply, SimError> {
        let loaded = Loaded::read(&self.case, &self.set)?;
        let folder = self.out.unwrap_or_else(|| loaded.results_folder());
        let threads = self.threads.map(usize::from);
        let options = RunOptions { out: Some(folder.clone()), force: self.force, threads };
        let run = if self.json {
            run_case(&loaded, &options, &mut Events::new())
        } else {
            run_case(&loaded, &options, &mut Progress::new(self.quiet || self.no_progress, self.quiet))
        };
        // A run that stopped on the way has left a folder too; its own error matters more than that of its report.
        if self.report && matches!(&run, Err(e) if e.exit_code() == NOT_CONVERGED) {
            let _ = write_report(&folder);
        }
        let mut text = run?.to_string();
        let page = if self.report { Some(write_report(&folder)?) } else { None };
        if self.json {
            events::summary(&folder, page.as_deref())?;
        }
        if let Some(page) = page {
            let _ = write!(text, "\n  report     {}", page.display());
        } else {
            let _ = write!(text, "\n  report     delassus report {} (or run with --report)", folder.display());
        }
        Ok(if self.quiet || self.json { String::new() } else { text }.into())
    }
}
