//! Errors of rigid bodies.

use delassus_error::{Code, Coded};
use thiserror::Error;

/// A rigid body that cannot be.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RigidError {
    /// A mass that is not positive.
    #[error("the mass of rigid body `{body}` is {mass} kg: it must be positive and finite")]
    RigidMass {
        /// Name of the body.
        body: String,
        /// Its mass (kg).
        mass: f64,
    },
    /// Moments of inertia that no body has.
    #[error(
        "rigid body `{body}` has the principal moments of inertia {moments:?} kg m²: each must be positive and finite, and none larger than \
         the sum of the others"
    )]
    RigidInertia {
        /// Name of the body.
        body: String,
        /// The moments (kg m²).
        moments: Vec<f64>,
    },
}

impl Coded for RigidError {
    fn code(&self) -> Code {
        match self {
            Self::RigidMass { .. } => Code("E0591"),
            Self::RigidInertia { .. } => Code("E0592"),
        }
    }
}
