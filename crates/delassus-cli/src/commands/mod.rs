//! The commands, one file each: their arguments, and a call of what does the work.

mod check;
mod completions;
mod diff;
mod explain;
mod film;
mod init;
mod modes;
mod plot;
mod race;
mod report;
mod run;
mod schema;
mod show;
mod solve;
mod study;
mod verify;
mod view;
mod watch;

pub use check::Check;
pub use completions::Completions;
pub use diff::Diff;
pub use explain::Explain;
pub use film::Film;
pub use init::Init;
pub use modes::Modes;
pub use plot::Plot;
pub use race::Race;
pub use report::Report;
pub use run::Run;
pub use schema::Schema;
pub use show::Show;
pub use solve::Solve;
pub use study::StudyCommand;
pub use verify::Verify;
pub use view::ViewCommand;
pub use watch::Watch;
