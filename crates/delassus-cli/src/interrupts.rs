//! Ctrl-C, signals that end a program, and the signal for a file that may not grow.

use std::io::Write as _;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use delassus_error::Interrupt;

/// Exit code of a program that was asked to stop twice; asked once it ends by itself, with the same code.
const INTERRUPTED: i32 = 130;

/// What the first Ctrl-C (or SIGTERM) raises, with a line that says what is `done` now; the second one ends the program at once.
pub fn heard(done: &'static str) -> Interrupt {
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    // Without a handler an interrupt ends the program as it ends any program; checkpoints hold all the same.
    let _ = ctrlc::set_handler(move || {
        if raised.raise() {
            std::process::exit(INTERRUPTED);
        }
        let _ = writeln!(std::io::stderr(), "interrupted: {done} (repeat to stop at once)");
    });
    interrupt
}

/// Where files may not grow beyond a limit (`ulimit -f`), the write that would exceed it is an error with a code, as on a full disk. Without
/// a handler the signal SIGXFSZ ends the program.
pub fn survive_file_limits() {
    #[cfg(unix)]
    {
        // The flag itself is not asked: the write fails too, and says which file it was.
        let exceeded = Arc::new(AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, exceeded);
    }
}
