//! The computation itself: the model of bodies and contacts, the start, the time step, the operators, the energy
//! ledger.
//!
//! ```text
//! Model --engine, step--> Outcome --stepper: policy, ledger, verdict--> observers
//!   ^______ Snapshot ________|
//! ```
//!
//! A [`Model`] is checked and immutable; [`step::step`] is a pure function of the accepted [`snapshot::Snapshot`] and of h.
//! [`stepper::Stepper`] owns the accepted state and decides what becomes of a step.

pub mod audit;
mod audited;
pub mod condense;
mod contact_history;
mod contact_phase;
pub mod dimensions;
pub mod displaced;
pub mod engine;
pub mod error;
pub mod granular;
mod held;
mod imbalance;
pub mod joints;
pub mod ledger;
pub mod masonry;
pub mod memory;
pub mod model;
mod moments;
pub mod newton;
pub mod observer;
pub mod operators;
pub mod outcome;
pub mod overlap;
pub mod parallel;
mod passed;
pub mod record;
pub mod rest;
mod shape_contacts;
pub mod sightings;
pub mod snapshot;
pub mod space;
mod spun;
pub mod start;
pub mod step;
pub mod stepper;
pub mod surfaces;
pub mod timings;
pub mod traction;
mod velocities;
pub mod verdict;
mod w_memory;

pub use error::SimError;
pub use model::Model;

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
