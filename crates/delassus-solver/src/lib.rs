//! Frictional contact problems as plain data, their solvers, and the check of solutions.
//!
//! ```text
//! find (U, p):  U = v_free + W p,  and at every contact, with ṽ = U + a + B p and p̃ = p + s + S U,
//!               0 ≤ ṽ_N ⟂ p̃_N ≥ 0,   ‖p̃_T‖ ≤ μ p̃_N,   ṽ_T ≠ 0 ⇒ p̃_T = −μ p̃_N ṽ_T/‖ṽ_T‖
//! ```
//!
//! A contact law ([`law`]) derives (a, B, s, S) and the cone once per contact and step; solvers ([`nlgs`], [`admm`], [`newton`], [`interior`], in the plane also
//! [`lemke`]; [`chain`] tries them in order) work on the resulting [`ContactProblem`]; laws that depend on the solution are derived again
//! until they hold ([`implicit`]); the certificate ([`certificate`]) checks the result by separate code. The crate does not depend on meshes,
//! bodies, elements or time integrators.
//!
//! ```text
//! linalg ← operator ← problem ← natural_map ← local ← standard ← prepared ← solution ← law
//!             ↑          ↑                                          ↑                   ↑
//!   report ← work   certificate                                  solvers  ←─────────  implicit
//! ```
//!
//! Conventions: gap ≥ 0 open, normal impulse ≥ 0 pushes the bodies apart, local index 0 is the normal, then the tangents.
//! SI units. The unknown is the impulse p [N·s]; forces are p/h.

pub mod certificate;
pub mod error;
pub mod implicit;
pub mod law;
mod linalg;
pub mod local;
mod mixing;
mod natural_map;
pub mod operator;
mod prepared;
pub mod problem;
pub mod report;
pub mod solution;
mod solvers;
mod standard;
mod stretch;
#[cfg(test)]
mod testing;
pub mod work;

pub use certificate::{Certificate, certify};
pub use error::SolverError;
pub use implicit::{ContactUnderLaw, Settlement, solve_under_laws};
pub use law::{ContactInput, ContactLaw, HistoryEntry, HistoryEntryKind, LawEnergy, LawSpec, StepTimes, history_len};
pub use linalg::{Matrix, Vector};
pub use local::{Dimension, LocalKernel, Status};
pub use mixing::Mixing;
pub use operator::BlockMatrix;
pub use problem::{AlongMargin, Cone, ConeSection, ContactProblem, Derived, Margin, ResistanceLimits};
pub use report::{SolverOptions, SolverReport, StopReason};
pub use solution::{ContactScale, ContactSolution};
pub use solvers::chain::{ChainSettings, solve_chain, solve_in_order, solve_with, solve_within_budget};
pub use solvers::{Method, admm, chain, interior, lemke, newton, nlgs};

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
