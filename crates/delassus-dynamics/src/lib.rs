//! Dimension-free dynamics: state, systems, time integrators, factored effective mass.
//!
//! A body is a [`System`]: flat vectors of degrees of freedom, a mass, forces and prescribed motions. An
//! [`Integrator`] turns it into one linear problem per step,
//!
//! ```text
//! M̂ (v⁺ − v) = r(v) + H p ,        w = M̂⁻¹
//! ```
//!
//! an [`Operator`] holds the factor of M̂, and [`Condensed`] the part of w that contact needs. The crate does
//! not depend on meshes, elements, contact or the dimension of space.

mod block_rotation;
pub mod condensed;
pub mod effective_mass;
pub mod factor;
mod guided;
mod guides;
pub mod integrator;
mod mass_inverse;
pub mod matrix_market;
mod modes;
pub mod operator;
mod order;
pub mod oscillator;
mod state;
mod system;
pub mod ties;

mod error;

pub use block_rotation::BlockRotation;
pub use condensed::Condensed;
pub use error::DynamicsError;
pub use guided::Guided;
pub use guides::{Guides, holds_whole_nodes};
pub use integrator::Integrator;
pub use mass_inverse::MassInverse;
pub use modes::{Mode, modes};
pub use operator::Operator;
pub use state::State;
pub use system::{
    BodyResponse, Conserving, ConservingStep, Drifted, Drifting, Floating, Inelastic, Matrices, Motion, RigidMode,
    StepTangent, Stresses, System, TangentAt, TurnedStep, Turning, TurningStart, symmetric_times_into,
};

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
