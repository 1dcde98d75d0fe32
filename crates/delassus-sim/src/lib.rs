//! Cases, models, the time step, observers and verification.
//!
//! ```text
//! case text --source--> Case --model--> Model --engine/step--> Outcome --observer--> results folder
//!                                                 ^__________ Snapshot _|
//! ```
//!
//! [`run::run_case`] does it all; [`check::check_case`] stops before the first step.

pub mod case;
pub mod case_error;
pub mod check;
pub mod checkpoint;
pub mod codes;
pub mod components;
pub mod condense;
mod contact_phase;
pub mod engine;
pub mod error;
pub mod gallery;
mod hash;
pub mod history;
pub mod ledger;
pub mod load;
pub mod lower;
pub mod manifest;
pub mod memory;
pub mod model;
pub mod newton;
pub mod observer;
pub mod operators;
pub mod outcome;
pub mod overlap;
mod past;
pub mod plot;
pub mod problem;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod run_error;
pub mod schema;
pub mod snapshot;
pub mod solve;
pub mod source;
pub mod start;
pub mod step;
pub mod suite;
pub mod summary;
pub mod timings;
mod tractions;
pub mod verdict;
pub mod verify;
pub mod writer;

pub use case::Case;
pub use case_error::CaseError;
pub use delassus_error::{Code, Coded, Failure};
pub use error::SimError;
pub use load::Loaded;
pub use model::Model;
pub use run::{Monitor, RunOptions, Silent, Summary, run_case};
pub use run_error::RunError;
