//! Rigid bodies in the plane and in space.
//!
//! A [`RigidBody`] is a [`System`](delassus_dynamics::System) that drifts ([`Drifting`](delassus_dynamics::Drifting)): between impulses it moves freely, with its momentum, its
//! angular momentum and its energy kept. Its velocities are those of the centre of mass, in the axes of space, and the angular velocity in principal axes,
//! which turn with the body: the mass matrix is a constant diagonal.

mod body;
mod error;
mod free_turn;
mod inertia;
mod loads;

pub use body::{RigidBody, RigidInput, RigidPicture, RigidPose, TouchingPoints};
pub use error::RigidError;
pub use inertia::RigidInertia;
pub use loads::{AppliedForce, RigidGuide};

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");
