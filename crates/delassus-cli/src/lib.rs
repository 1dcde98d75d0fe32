//! The command line of Delassus: arguments, progress, exit codes. Everything else is in the other crates.
//!
//! Data goes to stdout, everything else to stderr. A new command is one file in `commands/` and a line of `Command`.

pub mod codes;
mod commands;
mod events;
pub mod faults;
mod interrupts;
mod output;
mod pace;
mod progress;

use std::io::Write;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{Parser, Subcommand};
use delassus_error::machine::set_limit;
use delassus_error::{Failure, bounded};

/// Finite-element dynamics with contact and friction, by Non-Smooth Contact Dynamics.
///
/// Exit codes: 0 ok, 1 the answer is no (a check of `verify` failed, `diff` found a difference, the verdict of `run --strict` is not Pass), 2 bad input, 3 mesh or geometry,
/// 4 not converged, 5 input/output, 70 internal error, 71 no memory or no threads, 130 interrupted (the state of a run is saved, and `run --resume` continues it).
/// Every error has a code; `delassus explain CODE` explains a code.
#[derive(Parser)]
#[command(name = "delassus", version, long_version = version())]
struct Arguments {
    /// Largest amount of memory that the command may use, such as 8GB, or `none`; default: what the machine and the limits of the process allow
    #[arg(long, global = true, value_name = "SIZE", value_parser = memory_limit)]
    memory_limit: Option<u64>,
    #[command(subcommand)]
    command: Command,
}

/// The output of `--version`: the version, and the instruction level, on which the last bits of results
/// depend.
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
    Race(commands::Race),
    Study(commands::StudyCommand),
    Verify(commands::Verify),
    Init(commands::Init),
    Import(commands::Import),
    Show(commands::Show),
    Diff(commands::Diff),
    Plot(commands::Plot),
    Film(commands::Film),
    Export(commands::Export),
    Watch(commands::Watch),
    View(commands::ViewCommand),
    Modes(commands::Modes),
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
            Self::Race(c) => c.execute(),
            Self::Study(c) => c.execute(),
            Self::Verify(c) => c.execute(),
            Self::Init(c) => c.execute(),
            Self::Import(c) => c.execute(),
            Self::Show(c) => c.execute(),
            Self::Diff(c) => c.execute(),
            Self::Plot(c) => c.execute(),
            Self::Film(c) => c.execute(),
            Self::Export(c) => c.execute(),
            Self::Watch(c) => c.execute(),
            Self::View(c) => c.execute(),
            Self::Modes(c) => c.execute(),
            Self::Schema(c) => c.execute(),
            Self::Completions(c) => c.execute(),
            Self::Explain(c) => c.execute(),
        }
    }
}

/// A number of bytes with or without a unit.
fn memory_limit(text: &str) -> Result<u64, String> {
    if text == "none" {
        return Ok(u64::MAX);
    }
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)];
    let (number, unit) =
        units.iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, *size))).unwrap_or((text, 1.0));
    let bytes = number.trim().parse::<f64>().ok().map(|n| n * unit).filter(|n| n.is_finite() && *n >= 1.0);
    // Saturates: more than can be addressed is no limit.
    bytes.map(|n| n as u64).ok_or_else(|| "a size such as 8GB, 500MB or 4e9, or `none`".to_owned())
}

/// Why a command was not carried out.
struct CommandError(Box<dyn Failure>);

impl<E: Failure + 'static> From<E> for CommandError {
    fn from(e: E) -> Self {
        Self(Box::new(e))
    }
}

/// The output of a command and its exit code.
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
    faults::watched(carry_out)
}

fn carry_out() -> ExitCode {
    interrupts::survive_file_limits();
    let Arguments { command, memory_limit } = Arguments::parse();
    if let Some(bytes) = memory_limit {
        set_limit(bytes);
    }
    let done = command.execute().and_then(|Reply { text, exit_code }| {
        if !text.is_empty() {
            output::say(&text);
        }
        output::arrived()?;
        Ok(exit_code)
    });
    match done {
        Ok(exit_code) => ExitCode::from(exit_code),
        Err(CommandError(e)) => {
            let (text, code) = (bounded(&e.to_string()), e.code());
            // Problems of a case come with their own places and codes.
            let text = if text.starts_with("error[") { text } else { format!("error[{code}]: {text}") };
            let _ = writeln!(std::io::stderr(), "{text}\nfor more: delassus explain {code}");
            ExitCode::from(e.exit_code())
        }
    }
}
