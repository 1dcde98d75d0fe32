//! `delassus run`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use delassus_case::Loaded;
use delassus_error::Failure;
use delassus_report::write_report;
use delassus_run::checkpoint::Cadence;
use delassus_run::{RunError, RunOptions, run_case};

use crate::events::{self, Events};
use crate::progress::Progress;
use crate::{CommandError, Reply};

/// Exit code of a run that stopped on the way.
const NOT_CONVERGED: u8 = 4;

/// Exit code of a run that was asked to stop twice; asked once it saves its state first.
const INTERRUPTED: i32 = 130;

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
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Go on with a run that was interrupted or killed: the results are those of a run that was not, to the last bit
    #[arg(long)]
    resume: bool,
    /// Save the state every so many steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_steps: Option<u64>,
    /// Save the state at least every so many minutes
    #[arg(long, value_name = "T", default_value_t = 5.0, value_parser = minutes)]
    checkpoint_minutes: f64,
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

/// A time between two checkpoints.
fn minutes(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is not a number of minutes between 0 and 1e6");
    text.parse().ok().filter(|t| (0.0..=1e6).contains(t)).ok_or_else(wrong)
}

/// A flag that the first Ctrl-C (or SIGTERM) sets; the second one ends the program at once.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    // Without a handler an interrupt ends the run as it ends any program; checkpoints hold all the same.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        let _ = writeln!(std::io::stderr(), "interrupted: finishing the step and saving (again to stop at once)");
    });
    flag
}

impl Run {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let json = self.json;
        let done = self.run();
        if json && let Err(e) = &done {
            events::error(&*e.0);
        }
        done
    }

    fn run(self) -> Result<Reply, CommandError> {
        let loaded = Loaded::read(&self.case, &self.set)?;
        let folder = self.out.unwrap_or_else(|| loaded.results_folder());
        let threads = self.threads.map(usize::from);
        let steps = self.checkpoint_steps.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let options = RunOptions {
            out: Some(folder.clone()),
            force: self.force,
            threads,
            resume: self.resume,
            checkpoints: Cadence { steps, time: Duration::from_secs_f64(60.0 * self.checkpoint_minutes) },
            stop: stop_flag(),
        };
        let run = if self.json {
            run_case(&loaded, &options, &mut Events::new())
        } else {
            run_case(&loaded, &options, &mut Progress::new(self.quiet || self.no_progress, self.quiet))
        };
        // A run that stopped on the way has left a folder too; its own error matters more than that of its report.
        if self.report && matches!(&run, Err(e) if e.exit_code() == NOT_CONVERGED) {
            let _ = write_report(&folder);
        }
        let mut text = match run {
            // What was asked for is there.
            Err(e @ RunError::Finished(_)) if !self.json => return Ok(e.to_string().into()),
            Err(RunError::Finished(_)) => String::new(),
            Err(e) => return Err(e.into()),
            Ok(summary) => summary.to_string(),
        };
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
