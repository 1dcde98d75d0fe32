//! Dimension-free dynamics: state, systems, time integrators, factored effective mass.
//!
//! A body is a [`System`]: flat vectors of degrees of freedom, a mass, forces and prescribed motions. An
//! [`Integrator`] turns it into one linear problem per step,
//!
//! ```text
//! M̂ (v⁺ − v) = r(v) + H p ,        w = M̂⁻¹
//! ```
//!
//! and an [`Operator`] holds the factor of M̂ and the condensed part of w that contact needs.
//! Nothing here knows a mesh, an element, a contact or the dimension of space.

pub mod factor;
pub mod integrator;
pub mod operator;
mod order;
mod state;
mod system;

mod error;

pub use error::DynamicsError;
pub use integrator::Integrator;
pub use operator::Operator;
pub use state::State;
pub use system::{Inelastic, Matrices, Motion, MotionEnergy, System, symmetric_times_into};
