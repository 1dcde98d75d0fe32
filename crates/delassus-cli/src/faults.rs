//! A panic is an error of the program. On any thread, it is reported as E1099 with the data for a report, and the exit code is 70.
//!
//! The hook only records the first panic. The message is printed after the command has unwound, so that progress bars are removed and
//! a run has written why it stopped; panics of worker threads are passed to the main thread, and that of a detached thread is reported
//! when the command ends. If Rust is about to abort (a panic within a panic), nothing unwinds, and the message is printed at once.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::process::ExitCode;
use std::sync::OnceLock;

use delassus_error::fault::one_line;
use delassus_error::{Code, Coded, Failure, InternalError};

/// Messages of the Rust library in the last panic before it aborts.
const ABORTS: [&str; 2] = ["panic in a destructor during cleanup", "panic in a function that cannot unwind"];

/// The first panic of this process.
static FIRST: OnceLock<Fault> = OnceLock::new();

/// A panic, with what to report.
#[derive(Clone, Debug)]
pub struct Fault {
    error: InternalError,
    place: String,
    /// If the user asked for it, by RUST_BACKTRACE.
    trace: Option<String>,
}

impl Fault {
    fn of(info: &PanicHookInfo<'_>) -> Self {
        let trace = Backtrace::capture();
        Self {
            error: InternalError::of_panic(info.payload()),
            place: info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string),
            trace: (trace.status() == BacktraceStatus::Captured).then(|| trace.to_string()),
        }
    }

    fn tell(&self) {
        let code = self.code();
        // Nobody is left to tell when this fails too.
        let _ = writeln!(std::io::stderr(), "error[{code}]: {self}\nfor more: delassus explain {code}");
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
        writeln!(f, "{}", self.error)?;
        writeln!(f, "  at       {}", self.place)?;
        writeln!(f, "  version  {}", env!("CARGO_PKG_VERSION"))?;
        write!(f, "  command  {}", one_line(&command.join(" ")))?;
        match &self.trace {
            Some(trace) => write!(f, "\n{}", trace.trim_end()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

impl Coded for Fault {
    fn code(&self) -> Code {
        self.error.code()
    }
}

impl Failure for Fault {
    fn exit_code(&self) -> u8 {
        self.error.exit_code()
    }
}

/// The first panic of this process, if there was one.
#[must_use]
pub fn first() -> Option<&'static Fault> {
    FIRST.get()
}

/// Runs the work of the process; a panic in it, or on any thread until it ends, is reported as E1099.
pub fn watched(work: impl FnOnce() -> ExitCode) -> ExitCode {
    std::panic::set_hook(Box::new(note));
    // Nothing that the work may have left half done is looked at again.
    let ended = catch_unwind(AssertUnwindSafe(work));
    match (ended, first()) {
        (Ok(code), None) => code,
        (_, Some(fault)) => {
            fault.tell();
            ExitCode::from(fault.exit_code())
        }
        // Unwound without the hook.
        (Err(payload), None) => {
            let error = InternalError::of_panic(&*payload);
            let exit_code = error.exit_code();
            Fault { error, place: "an unknown place".to_owned(), trace: None }.tell();
            ExitCode::from(exit_code)
        }
    }
}

fn note(info: &PanicHookInfo<'_>) {
    let fault = Fault::of(info);
    let aborts = ABORTS.contains(&fault.error.0.as_str());
    let first = FIRST.get_or_init(|| fault);
    if aborts {
        first.tell();
        std::process::exit(i32::from(first.exit_code()));
    }
}
