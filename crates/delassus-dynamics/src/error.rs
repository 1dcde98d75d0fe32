//! Errors of this crate.

use delassus_error::{Code, Coded, Interrupted};

/// What can go wrong in the dynamics of one body.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum DynamicsError {
    /// The effective mass M̂ (or M) is not positive definite.
    #[error(
        "the {matrix} matrix is not positive definite at degree of freedom {dof}: \
         check for nodes without mass, negative density or stiffness, and the step"
    )]
    NotPositiveDefinite {
        /// Which matrix.
        matrix: &'static str,
        /// Degree of freedom of the failing pivot, in the body's own numbering.
        dof: usize,
    },
    /// The factorisation failed for another reason (out of memory, index overflow).
    #[error("the factorisation of the {matrix} matrix failed: {reason}")]
    Factorisation {
        /// Which matrix.
        matrix: &'static str,
        /// What the linear-algebra library said.
        reason: String,
    },
    /// A parameter of an integrator is outside its range.
    #[error("{scheme}: {parameter} = {value} is not allowed: {allowed}")]
    Parameter {
        /// The scheme's name.
        scheme: &'static str,
        /// The parameter's name.
        parameter: &'static str,
        /// The value given.
        value: f64,
        /// What would be right.
        allowed: &'static str,
    },
    /// The iteration for natural modes does not converge.
    #[error(
        "{wanted} natural modes were not found with {vectors} vectors: ask for fewer, or check that units, moduli and densities of the body make sense together"
    )]
    NoModes {
        /// Modes asked for.
        wanted: usize,
        /// Vectors of the space.
        vectors: usize,
    },
    /// Someone asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Coded for DynamicsError {
    fn code(&self) -> Code {
        match self {
            Self::Parameter { .. } => Code("E0361"),
            Self::NotPositiveDefinite { .. } => Code("E0706"),
            Self::Factorisation { .. } => Code("E0707"),
            Self::NoModes { .. } => Code("E0710"),
            Self::Interrupted(e) => e.code(),
        }
    }
}
