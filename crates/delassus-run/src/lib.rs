//! Runs: steps with a policy when one fails, files for ParaView, history, checkpoints, and what is left at the end.
//!
//! ```text
//! Loaded --Model, start--> steps --writer--> results folder --summary, manifest-->
//!                            ^____ checkpoint ____|
//! ```
//!
//! [`run_case`] does it all; [`check::check_case`] stops before the first step.

pub mod advice;
pub mod check;
pub mod checkpoint;
pub mod error;
pub mod export;
pub mod manifest;
pub mod plot;
pub mod results;
pub mod run;
pub mod solve;
pub mod summary;
mod tractions;
pub mod verdict;
pub mod writer;

pub use error::RunError;
pub use run::{Monitor, RunOptions, Silent, run_case};
pub use summary::Summary;

/// The commit that this program was built from.
pub const COMMIT: &str = env!("DELASSUS_COMMIT");

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
