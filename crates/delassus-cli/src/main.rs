//! The command line of Delassus: arguments, progress, exit codes. Everything else is in `delassus-sim`.

mod progress;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use delassus_sim::check::check_case;
use delassus_sim::{Loaded, RunOptions, SimError, run_case};

use crate::progress::Progress;

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
    /// Run a case; fields for ParaView, histories and a summary go to results/<case>
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
        Command::Run { case, out, set, threads, force, quiet, no_progress } => {
            let loaded = Loaded::read(&case, &set)?;
            let options = RunOptions { out, force, threads: threads.map(usize::from) };
            let mut progress = Progress::new(quiet || no_progress, quiet);
            let summary = run_case(&loaded, &options, &mut progress)?;
            Ok(if quiet { String::new() } else { summary.to_string() })
        }
        Command::Check { case, set } => check_case(&Loaded::read(&case, &set)?),
    }
}
