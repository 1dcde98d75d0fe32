//! Output to stdout, and the error if it cannot be written.
//!
//! If the reader of a pipe has ended (`delassus show … | head`), that is not a failure. If a disk is full, or a file may not grow, output is
//! lost: the failure is recorded, and the program ends with an error.

use std::io::{ErrorKind, Write};
use std::sync::Mutex;

use delassus_error::{Code, Coded, Failure};
use thiserror::Error;

/// The first failure to write.
static LOST: Mutex<Option<String>> = Mutex::new(None);

/// What was to be said is lost.
#[derive(Debug, Error)]
#[error("standard output cannot be written: {reason}; the output is incomplete")]
pub struct OutputLost {
    reason: String,
}

impl Coded for OutputLost {
    fn code(&self) -> Code {
        Code("E1004")
    }
}

impl Failure for OutputLost {
    fn exit_code(&self) -> u8 {
        5
    }
}

/// A line on stdout, at once.
pub fn say(line: &dyn std::fmt::Display) {
    let mut stdout = std::io::stdout().lock();
    let said = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    let Err(e) = said else { return };
    if e.kind() != ErrorKind::BrokenPipe
        && let Ok(mut lost) = LOST.lock()
    {
        lost.get_or_insert(e.to_string());
    }
}

/// Whether everything that was said has arrived, or its reader has gone away.
pub fn arrived() -> Result<(), OutputLost> {
    match LOST.lock().ok().and_then(|lost| lost.clone()) {
        Some(reason) => Err(OutputLost { reason }),
        None => Ok(()),
    }
}
