//! The command line of Delassus: arguments, progress, exit codes. Everything else is in `delassus-sim`.

mod progress;

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use delassus_sim::check::check_case;
use delassus_sim::report::write_report;
use delassus_sim::{Loaded, RunOptions, SimError, run_case};

use crate::progress::Progress;

/// Exit code of a run that stopped on the way.
const NOT_CONVERGED: u8 = 4;

/// Finite-element dynamics with exact frictional contact (Non-Smooth Contact Dynamics).
///
/// Exit codes: 0 ok, 2 bad input, 3 mesh or geometry, 4 not converged, 5 input/output.
#[derive(Parser)]
#[command(name = "delassus", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a case; fields for ParaView, histories and a summary go to results/CASE
    Run {
        /// Case file (RON)
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
    },
    /// Write report.html into a results folder: verdict, plots and pictures on one page, no network needed
    Report {
        /// Results folder of an earlier run
        results: PathBuf,
    },
    /// Check a case without running it: sizes, contact pairs, time scales, all problems at once
    Check {
        /// Case file (RON)
        case: PathBuf,
        /// Change a value of the case
        #[arg(long, value_name = "PATH=VALUE")]
        set: Vec<String>,
    },
}

fn main() -> ExitCode {
    match execute(Arguments::parse().command) {
        Ok(text) => {
            if !text.is_empty() {
                // A closed pipe is the reader's choice, not a failure.
                let _ = writeln!(std::io::stdout(), "{text}");
            }
            ExitCode::SUCCESS
        }
        Err(e) => {
            let text = e.to_string();
            let text = if text.starts_with("error") { text } else { format!("error: {text}") };
            let _ = writeln!(std::io::stderr(), "{text}");
            ExitCode::from(e.exit_code())
        }
    }
}

fn execute(command: Command) -> Result<String, SimError> {
    match command {
        Command::Run { case, out, set, threads, force, quiet, no_progress, report } => {
            let loaded = Loaded::read(&case, &set)?;
            let folder = out.unwrap_or_else(|| loaded.results_folder());
            let options = RunOptions { out: Some(folder.clone()), force, threads: threads.map(usize::from) };
            let mut progress = Progress::new(quiet || no_progress, quiet);
            let run = run_case(&loaded, &options, &mut progress);
            // A run that stopped on the way has left a folder too; its own error matters more than that of its report.
            if report && matches!(&run, Err(e) if e.exit_code() == NOT_CONVERGED) {
                let _ = write_report(&folder);
            }
            let mut text = run?.to_string();
            if report {
                let _ = write!(text, "\n  report     {}", write_report(&folder)?.display());
            } else {
                let _ = write!(text, "\n  report     delassus report {} (or run with --report)", folder.display());
            }
            Ok(if quiet { String::new() } else { text })
        }
        Command::Report { results } => Ok(write_report(&results)?.display().to_string()),
        Command::Check { case, set } => check_case(&Loaded::read(&case, &set)?),
    }
}
