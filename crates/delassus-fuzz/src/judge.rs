//! One execution, watched: what came of it, or in which way it failed.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};

use crate::memory;
use crate::targets::{Answer, FuzzTarget};

/// An execution may usually take this long. Inputs are a few kilobytes, and reading them takes microseconds.
pub const LONGEST: Duration = Duration::from_secs(1);

/// A way to fail.
#[derive(Clone, Debug, PartialEq)]
pub enum FuzzFailure {
    /// A panic.
    Panic {
        /// File and line.
        at: String,
        /// What it said.
        message: String,
    },
    /// It took longer than the judge allows.
    Slow {
        /// How long \[s\].
        seconds: f64,
        /// How long it may take \[s\].
        longest: f64,
    },
    /// It held more memory than its length explains.
    Memory {
        /// Bytes held at once.
        bytes: usize,
        /// What the target allows for an input of this length.
        bound: usize,
    },
}

impl FuzzFailure {
    /// Failures of the same kind count as the same when an input is made smaller.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::Panic { at, .. } => format!("panic at {at}"),
            Self::Slow { .. } => "slow".to_owned(),
            Self::Memory { .. } => "memory".to_owned(),
        }
    }
}

impl std::fmt::Display for FuzzFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Panic { at, message } => write!(f, "panic at {at}: {message}"),
            Self::Slow { seconds, longest } => write!(f, "slow: {seconds:.1} s, at most {longest} s are allowed"),
            Self::Memory { bytes, bound } => write!(f, "memory: {bytes} bytes held, at most {bound} are allowed"),
        }
    }
}

/// What an execution gave.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The outcome, or the failure.
    pub result: Result<Answer, FuzzFailure>,
    /// All bytes asked for during the execution.
    pub asked: usize,
}

thread_local! {
    /// Where the panic of this thread was, and what it said. None in a thread that is not watched.
    static CAUGHT: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
    static WATCHED: RefCell<bool> = const { RefCell::new(false) };
}

/// Makes the panics of watched threads silent; all others are told as before.
fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !WATCHED.with(|watched| *watched.borrow()) {
                return usual(info);
            }
            let at = info.location().map_or_else(|| "?".to_owned(), |l| format!("{}:{}", l.file(), l.line()));
            let words = info.payload();
            let words =
                words.downcast_ref::<&str>().copied().or_else(|| words.downcast_ref::<String>().map(String::as_str));
            let message = words.unwrap_or("no words").lines().next().unwrap_or_default().to_owned();
            CAUGHT.with(|caught| *caught.borrow_mut() = Some((at, message)));
        }));
    });
}

/// Runs inputs of one target.
pub struct Judge<'a> {
    target: &'a FuzzTarget,
    /// An execution may take this long; more than [`LONGEST`] for long inputs and where others have the processor.
    pub longest: Duration,
    /// The most that any execution held beyond what was held before it, as far as records of the process tell.
    pub peak: usize,
}

impl<'a> Judge<'a> {
    /// A judge for a target.
    #[must_use]
    pub fn new(target: &'a FuzzTarget) -> Self {
        quiet();
        Self { target, longest: LONGEST, peak: 0 }
    }

    /// Runs one input.
    pub fn run(&mut self, input: &[u8]) -> Judged {
        let (held, most, asked) = (memory::held(), memory::most(), memory::asked());
        let start = Instant::now();
        WATCHED.with(|watched| *watched.borrow_mut() = true);
        let caught = catch_unwind(AssertUnwindSafe(|| (self.target.run)(input)));
        WATCHED.with(|watched| *watched.borrow_mut() = false);
        let elapsed = start.elapsed();
        let asked = memory::asked() - asked;
        // The record of the process is exact where this execution broke it. Where it did not, it held no more than one
        // before it that was within its bound.
        let record = memory::most();
        let bytes = if record > most { record.saturating_sub(held) } else { 0 };
        self.peak = self.peak.max(bytes);
        let bound = self.target.memory.of(input.len());
        let result = match caught {
            Err(_) => {
                let (at, message) = CAUGHT
                    .with(|c| c.borrow_mut().take())
                    .unwrap_or_else(|| ("another thread".to_owned(), "its words are above, if it had any".to_owned()));
                Err(FuzzFailure::Panic { at, message })
            }
            Ok(_) if elapsed > self.longest => {
                Err(FuzzFailure::Slow { seconds: elapsed.as_secs_f64(), longest: self.longest.as_secs_f64() })
            }
            Ok(_) if bytes > bound => Err(FuzzFailure::Memory { bytes, bound }),
            Ok(outcome) => Ok(outcome),
        };
        Judged { result, asked }
    }
}
