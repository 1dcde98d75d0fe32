//! Frictional contact problems as plain data, and what solves and judges them.
//!
//! ```text
//! find (U, p):  U = v_free + W p,  and at every contact, with ṽ = U + a + B p and p̃ = p + s + S U,
//!               0 ≤ ṽ_N ⟂ p̃_N ≥ 0,   ‖p̃_T‖ ≤ μ p̃_N,   ṽ_T ≠ 0 ⇒ p̃_T = −μ p̃_N ṽ_T/‖ṽ_T‖
//! ```
//!
//! A contact law ([`law`]) says once per contact and step what (a, B, s, S) and the cone are; solvers ([`nlgs`], [`newton`], in the
//! plane also [`lemke`]; [`chain`] tries them in order) work on the resulting [`ContactProblem`]; the certificate ([`certificate`]) judges the
//! result by code of its own. Nothing here knows a mesh, a body, an element or a time integrator.
//!
//! Conventions: gap ≥ 0 open, normal impulse ≥ 0 pushes the bodies apart, local index 0 is the normal, then the tangents.
//! SI units. The unknown is the impulse p [N·s]; forces are p/h.

pub mod certificate;
pub mod chain;
mod dense;
mod dump;
mod eigen;
pub mod error;
mod judge;
pub mod law;
mod lcp;
pub mod lemke;
pub mod local;
pub mod newton;
pub mod nlgs;
pub mod operator;
pub mod problem;
pub mod report;
mod residual;
mod standard;
#[cfg(test)]
mod testing;
mod transform;

pub use certificate::{Certificate, certify};
pub use chain::{Method, solve_in_order, solve_with};
pub use error::SolverError;
pub use law::{
    ContactInput, ContactLaw, ContactOutput, LawEnergy, LawSpec, Ruled, Scale, Settlement, Slot, SlotKind, Step,
    memory_len, solve_under_laws,
};
pub use local::{Dimension, LocalKernel, Status};
pub use operator::BlockMatrix;
pub use problem::{Cone, ContactProblem, Derived, Margin, Matrix, Vector};
pub use report::{End, Options, Report};

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
