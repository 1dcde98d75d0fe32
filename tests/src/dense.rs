//! Dense matrices of a body, for oracles that share nothing with the sparse code.

use delassus_dynamics::System;
use nalgebra::DMatrix;
use nalgebra_sparse::CscMatrix;

/// A symmetric matrix given by its lower triangle.
#[must_use]
pub fn symmetric(lower: &CscMatrix<f64>) -> DMatrix<f64> {
    let n = lower.ncols();
    let mut out = DMatrix::zeros(n, n);
    for (i, j, &a) in lower.triplet_iter() {
        out[(i, j)] = a;
        out[(j, i)] = a;
    }
    out
}

/// M, C and K of a body.
#[must_use]
pub fn mass_damping_stiffness(system: &dyn System) -> [DMatrix<f64>; 3] {
    let m = system.matrices();
    [&m.mass, &m.damping, &m.stiffness].map(symmetric)
}
