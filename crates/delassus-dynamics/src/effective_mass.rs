//! The effective mass of one body as a matrix: what goes into it, and what boundary conditions do to it.
//!
//! ```text
//! M̂ = M + c_C C + c_K K          with rows and columns of prescribed dofs replaced by the identity
//! ```
//!
//! The coefficients are those of an [integrator](crate::integrator), the factor is an [`Operator`](crate::Operator).

use std::borrow::Cow;

use nalgebra_sparse::pattern::SparsityPattern;

use crate::system::{Matrices, System};
use crate::ties;

/// The name of the matrix in errors.
pub(crate) const EFFECTIVE: &str = "effective mass";

/// Coefficients of C and K in M̂ = M + c_C C + c_K K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// c_C \[s\].
    pub damping: f64,
    /// c_K \[s²\].
    pub stiffness: f64,
}

/// M + c_C C + c_K K, lower triangle.
#[must_use]
pub fn combine(matrices: &Matrices, coefficients: Coefficients, stiffness: &[f64]) -> Vec<f64> {
    let parts = matrices.mass.iter().zip(&matrices.damping).zip(stiffness);
    parts.map(|((m, c), k)| m + (coefficients.damping * c + coefficients.stiffness * k)).collect()
}

/// The pattern of a body's M̂, with tied dofs eliminated.
pub(crate) fn pattern_of<'a>(system: &dyn System, pattern: &'a SparsityPattern) -> Cow<'a, SparsityPattern> {
    match system.tied() {
        [] => Cow::Borrowed(pattern),
        tied => Cow::Owned(ties::reduced_pattern(pattern, tied)),
    }
}

/// The pattern of a diagonal matrix.
pub(crate) fn diagonal(n: usize) -> SparsityPattern {
    SparsityPattern::try_from_offsets_and_indices(n, n, (0..=n).collect(), (0..n).collect())
        .unwrap_or_else(|_| SparsityPattern::zeros(n, n))
}

/// Rows and columns of `fixed` dofs become those of the identity; the pattern stays.
pub(crate) fn eliminate(pattern: &SparsityPattern, values: &mut [f64], fixed: &[usize]) {
    if fixed.is_empty() {
        return;
    }
    let mut is_fixed = vec![false; pattern.major_dim()];
    for &dof in fixed {
        is_fixed[dof] = true;
    }
    let offsets = pattern.major_offsets();
    for j in 0..pattern.major_dim() {
        for k in offsets[j]..offsets[j + 1] {
            let i = pattern.minor_indices()[k];
            if i == j && is_fixed[j] {
                values[k] = 1.0;
            } else if is_fixed[i] || is_fixed[j] {
                values[k] = 0.0;
            }
        }
    }
}
