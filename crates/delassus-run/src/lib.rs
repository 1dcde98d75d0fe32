//! Runs: time steps with a policy for failed ones, files for ParaView, history.csv, checkpoints, summary and
//! manifest.
//!
//! ```text
//! Loaded --Model, start--> steps, records --writer--> results folder --summary, manifest-->
//!                            ^________ checkpoint _________|
//! ```
//!
//! [`judgement`] computes the verdict once; every command that shows it reads the same one.
//!
//! [`run_case`] runs a case; [`check::check_case`] checks one without a step. [`Simulation`] is the same run as an object in memory, without a folder.

pub mod advice;
mod advice_contact;
pub mod check;
pub mod checkpoint;
pub mod end_state;
pub mod error;
mod execution;
pub mod export;
mod files;
mod json;
pub mod judgement;
pub mod lock;
pub mod manifest;
pub mod modes;
mod monitor;
mod names;
pub mod plot;
pub mod race;
pub mod records;
pub mod results;
pub mod run;
mod saved;
pub mod simulation;
pub mod size;
pub mod solve;
pub mod stages;
pub mod status;
pub mod summary;
pub mod threads;
mod tractions;
pub mod writer;

pub use error::RunError;
pub use json::json_fault;
pub use run::{Monitor, RunOptions, Silent, run_case};
pub use simulation::Simulation;
pub use summary::Summary;

/// The commit that this program was built from.
pub const COMMIT: &str = env!("DELASSUS_COMMIT");

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
