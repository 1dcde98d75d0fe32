//! May the supports of single components of a body that turns be rows beside its factor ([`Guides`](delassus_dynamics::Guides))?
//!
//! They take w of the body held by them as a difference of w of the free body. The free body gives way by 1/m, the held one by 1/(m + c_K k): as many digits are lost as c_K k/m has. Where
//! steps are long the supports are eliminated instead, and the turned M̂ is factored in each step.

use delassus_dynamics::Matrices;
use nalgebra_sparse::CscMatrix;

/// Largest c_K K_ii / M_ii of a body with rows beside its factor: they lose as many digits of w as this has.
const STIFF: f64 = 1e4;

/// Is M̂ well enough conditioned without the supports of the body?
pub(super) fn is_allowed(matrices: &Matrices, step_weight: f64) -> bool {
    let stiff = |(k, m): (&f64, &f64)| step_weight * k > STIFF * m;
    let [stiffness, mass] = [&matrices.stiffness, &matrices.mass].map(diagonal_of);
    step_weight > 0.0 && !stiffness.iter().zip(&mass).any(stiff)
}

/// The diagonal of a lower triangle.
fn diagonal_of(matrix: &CscMatrix<f64>) -> Vec<f64> {
    matrix
        .col_iter()
        .enumerate()
        .map(|(j, c)| c.row_indices().binary_search(&j).map_or(0.0, |k| c.values()[k]))
        .collect()
}
