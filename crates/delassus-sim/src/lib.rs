//! Cases, models, the time step, observers and verification.
//!
//! ```text
//! case text --source--> Case --model--> Model --engine/step--> Outcome --observer--> results folder
//!                                                 ^__________ Snapshot _|
//! ```
//!
//! [`run::run_case`] does it all; [`check::check_case`] stops before the first step.

pub mod case;
pub mod check;
pub mod checkpoint;
pub mod codes;
pub mod condense;
mod contact_phase;
pub mod engine;
pub mod error;
pub mod gallery;
mod hash;
pub mod history;
pub mod ledger;
pub mod load;
pub mod memory;
pub mod model;
pub mod newton;
pub mod observer;
pub mod operators;
mod outcome;
mod past;
pub mod plot;
pub mod problem;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod schema;
pub mod solve;
pub mod source;
pub mod start;
pub mod step;
pub mod suite;
pub mod summary;
pub mod timings;
pub mod twins;
pub mod verify;

pub use case::Case;
pub use codes::{Code, Coded};
pub use error::SimError;
pub use load::Loaded;
pub use model::Model;
pub use run::{Monitor, RunOptions, Silent, Summary, run_case};
