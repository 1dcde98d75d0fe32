//! `delassus run`.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use delassus_case::Loaded;
use delassus_error::Failure;
use delassus_report::folder::Results;
use delassus_report::judgement::judge;
use delassus_report::{ReportError, write_report};
use delassus_run::checkpoint::Cadence;
use delassus_run::stages::{join_stages, stages_of};
use delassus_run::{RunError, RunOptions, run_case};

use crate::events::{self, Events};
use crate::interrupts::heard;
use crate::progress::Progress;
use crate::{CommandError, Reply, faults};

/// Exit code of a run that stopped on the way.
const NOT_CONVERGED: u8 = 4;

/// Exit code of a run that is not to be trusted, if asked for.
const DOUBTFUL: u8 = 1;

/// Run a case and write fields for ParaView, histories and a summary to results/CASE
#[derive(Args)]
pub struct Run {
    /// Case file (RON, or JSON if its name ends in .json)
    case: PathBuf,
    /// Results folder, instead of results/CASE
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
    /// Continue a run that was interrupted or killed; the results equal those of an uninterrupted run, bit for bit
    #[arg(long)]
    resume: bool,
    /// Start where the run in this results folder ended; time goes on
    #[arg(long, value_name = "RESULTS")]
    from: Option<PathBuf>,
    /// Save the state every N steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_steps: Option<u64>,
    /// Save the state at least every T minutes
    #[arg(long, value_name = "T", default_value_t = 5.0, value_parser = minutes)]
    checkpoint_minutes: f64,
    /// Print no progress and no summary
    #[arg(long, short)]
    quiet: bool,
    /// Print no progress
    #[arg(long)]
    no_progress: bool,
    /// Write report.html at the end, even if the run fails
    #[arg(long)]
    report: bool,
    /// Write the contact problem of every step into this folder, as FCLIB files
    #[arg(long, value_name = "DIR")]
    dump_problems: Option<PathBuf>,
    /// Exit with 1 if the verdict is Doubtful or Failed
    #[arg(long)]
    strict: bool,
    /// Print progress and summary for programs: one JSON object per line on stdout
    #[arg(long, conflicts_with_all = ["quiet", "no_progress"])]
    json: bool,
}

/// A time between two checkpoints.
fn minutes(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is not a number of minutes between 0 and 1e6");
    text.parse().ok().filter(|t| (0.0..=1e6).contains(t)).ok_or_else(wrong)
}

/// Is the finished run of a folder to be trusted?
fn is_pass(folder: &Path) -> Result<bool, ReportError> {
    Ok(judge(&Results::read(folder)?).judgement.is_pass())
}

impl Run {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let json = self.json;
        let done = match catch_unwind(AssertUnwindSafe(|| self.run())) {
            Ok(done) => done,
            // Programs hear of a fault by an event; people when it has unwound.
            Err(payload) => {
                if json && let Some(fault) = faults::first() {
                    events::error(fault);
                }
                resume_unwind(payload);
            }
        };
        if json && let Err(e) = &done {
            events::error(&*e.0);
        }
        done
    }

    fn run(self) -> Result<Reply, CommandError> {
        let loaded = Loaded::read(&self.case, &self.set)?;
        let folder = self.out.clone().unwrap_or_else(|| loaded.results_folder());
        if loaded.case.stages.is_empty() {
            return self.run_one(&loaded, folder, self.from.clone());
        }
        // One after the other, each from the end of the one before; a reply for each, and the worst exit code.
        let stages = stages_of(&loaded, &folder)?;
        let (mut from, mut reply) = (self.from.clone(), Reply { text: String::new(), exit_code: 0 });
        for stage in &stages {
            let done = self.run_one(&stage.case, stage.folder.clone(), from)?;
            if !done.text.is_empty() {
                let _ = writeln!(reply.text, "stage `{}`\n{}\n", stage.name, done.text);
            }
            reply.exit_code = reply.exit_code.max(done.exit_code);
            from = Some(stage.folder.clone());
        }
        join_stages(&folder, &stages)?;
        if !reply.text.is_empty() {
            let _ = write!(reply.text, "all stages: {}", folder.display());
        }
        Ok(reply)
    }

    fn run_one(&self, loaded: &Loaded, folder: PathBuf, from: Option<PathBuf>) -> Result<Reply, CommandError> {
        let threads = self.threads.map(usize::from);
        let steps = self.checkpoint_steps.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let options = RunOptions {
            out: Some(folder.clone()),
            force: self.force,
            threads,
            resume: self.resume,
            from,
            checkpoints: Cadence { steps, time: Duration::from_secs_f64(60.0 * self.checkpoint_minutes) },
            stop: heard("discarding the unfinished step and saving the state"),
            problems: self.dump_problems.clone(),
        };
        let run = if self.json {
            run_case(loaded, &options, &mut Events::new())
        } else {
            run_case(loaded, &options, &mut Progress::new(self.quiet || self.no_progress, self.quiet))
        };
        // A run that stopped on the way has left a folder too; its own error matters more than that of its report.
        if self.report && matches!(&run, Err(e) if e.exit_code() == NOT_CONVERGED) {
            let _ = write_report(&folder);
        }
        let (mut text, passed) = match run {
            // What was asked for is there.
            Err(e @ RunError::Finished(_)) => (e.to_string(), !self.strict || is_pass(&folder)?),
            Err(e) => return Err(e.into()),
            Ok(summary) => (summary.to_string(), summary.judgement.is_pass()),
        };
        let exit_code = if self.strict && !passed { DOUBTFUL } else { 0 };
        let page = if self.report { Some(write_report(&folder)?) } else { None };
        if self.json {
            events::summary(&folder, page.as_deref(), exit_code)?;
        }
        if let Some(page) = page {
            let _ = write!(text, "\n  report     {}", page.display());
        } else {
            let _ = write!(text, "\n  report     delassus report {} (or run with --report)", folder.display());
        }
        Ok(Reply { text: if self.quiet || self.json { String::new() } else { text }, exit_code })
    }
}
