//! The commands, one file each: their arguments, and a call of what does the work.

mod check;
mod report;
mod run;
mod solve;
mod verify;

pub use check::Check;
pub use report::Report;
pub use run::Run;
pub use solve::Solve;
pub use verify::Verify;
