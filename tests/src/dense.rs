//! Dense matrices of a body, for oracles that share nothing with the sparse code.

use delassus_dynamics::{Matrices, System};
use nalgebra::DMatrix;

/// A symmetric matrix given by its lower triangle in the pattern of `matrices`.
#[must_use]
pub fn symmetric(matrices: &Matrices, values: &[f64]) -> DMatrix<f64> {
    let n = matrices.pattern.major_dim();
    let mut out = DMatrix::zeros(n, n);
    for ((j, i), &a) in matrices.pattern.entries().zip(values) {
        out[(i, j)] = a;
        out[(j, i)] = a;
    }
    out
}

/// M, C and K of a body.
#[must_use]
pub fn mass_damping_stiffness(system: &dyn System) -> [DMatrix<f64>; 3] {
    let m = system.matrices();
    [&m.mass, &m.damping, &m.stiffness].map(|values| symmetric(m, values))
}
