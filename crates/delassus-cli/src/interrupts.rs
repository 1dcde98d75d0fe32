//! Ctrl-C, and signals that ask a program to end.

use std::io::Write as _;

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
        let _ = writeln!(std::io::stderr(), "interrupted: {done} (again to stop at once)");
    });
    interrupt
}
