//! The command line of Delassus: arguments, progress, exit codes. Everything else is in the other crates.
//!
//! Data goes to stdout, everything else to stderr. A new command is one file in `commands/` and a line of `Command`.

pub mod codes;
mod commands;
mod events;
mod interrupts;
mod pace;
mod progress;

use std::io::Write;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{Parser, Subcommand};
use delassus_error::Failure;

/// Finite-element dynamics with exact frictional contact (Non-Smooth Contact Dynamics).
///
/// Exit codes: 0 ok, 1 the answer is no (a check of `verify` failed, `diff` found a difference, the verdict of `run --strict` is not Pass), 2 bad input, 3 mesh or geometry,
/// 4 not converged, 5 input/output, 130 interrupted (once a run has begun its state is saved, `run --resume` goes on).
/// Every error has a code; `delassus explain CODE` tells more.
#[derive(Parser)]
#[command(name = "delassus", version, long_version = version())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What `--version` tells: besides the version what the last bits of results depend on.
fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| format!("{}\ninstruction level: {}", env!("CARGO_PKG_VERSION"), delassus_math::level()))
}

#[derive(Subcommand)]
enum Command {
    Run(commands::Run),
    Report(commands::Report),
    Check(commands::Check),
    Solve(commands::Solve),
    Study(commands::StudyCommand),
    Verify(commands::Verify),
    Init(commands::Init),
    Show(commands::Show),
    Diff(commands::Diff),
    Schema(commands::Schema),
    Completions(commands::Completions),
    Explain(commands::Explain),
}

impl Command {
    fn execute(self) -> Result<Reply, CommandError> {
        match self {
            Self::Run(c) => c.execute(),
            Self::Report(c) => c.execute(),
            Self::Check(c) => c.execute(),
            Self::Solve(c) => c.execute(),
            Self::Study(c) => c.execute(),
            Self::Verify(c) => c.execute(),
            Self::Init(c) => c.execute(),
            Self::Show(c) => c.execute(),
            Self::Diff(c) => c.execute(),
            Self::Schema(c) => c.execute(),
            Self::Completions(c) => c.execute(),
            Self::Explain(c) => c.execute(),
        }
    }
}

/// Why a command was not carried out.
struct CommandError(Box<dyn Failure>);

impl<E: Failure + 'static> From<E> for CommandError {
    fn from(e: E) -> Self {
        Self(Box::new(e))
    }
}

/// What a command has to say at its end.
struct Reply {
    /// For stdout.
    text: String,
    /// 0, or another code where what was asked for was done and the answer is no.
    exit_code: u8,
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self { text, exit_code: 0 }
    }
}

/// Carries out the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    match Arguments::parse().command.execute() {
        Ok(Reply { text, exit_code }) => {
            if !text.is_empty() {
                // A closed pipe is the reader's choice, not a failure.
                let _ = writeln!(std::io::stdout(), "{text}");
            }
            ExitCode::from(exit_code)
        }
        Err(CommandError(e)) => {
            let (text, code) = (e.to_string(), e.code());
            // Problems of a case come with their own places and codes.
            let text = if text.starts_with("error[") { text } else { format!("error[{code}]: {text}") };
            let _ = writeln!(std::io::stderr(), "{text}\nfor more: delassus explain {code}");
            ExitCode::from(e.exit_code())
        }
    }
}
