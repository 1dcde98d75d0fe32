//! The commands, one file each: their arguments, and a call of what does the work.

mod check;
mod completions;
mod diff;
mod explain;
mod init;
mod report;
mod run;
mod schema;
mod show;
mod solve;
mod study;
mod verify;

pub use check::Check;
pub use completions::Completions;
pub use diff::Diff;
pub use explain::Explain;
pub use init::Init;
pub use report::Report;
pub use run::Run;
pub use schema::Schema;
pub use show::Show;
pub use solve::Solve;
pub use study::StudyCommand;
pub use verify::Verify;
