//! The map of a cell from its reference to space.
//!
//! ```text
//! x(ξ) = Σ_a N_a(ξ) x_a ,   J = ∂x/∂ξ ,   ∇N_a = J⁻ᵀ ∇_ξ N_a
//! ```

use nalgebra::{SMatrix, SVector};

use crate::element::Element;

/// A quadrature point of a cell in space.
pub(crate) struct QuadraturePoint<const D: usize, const N: usize> {
    /// The gradients of the shape functions in space, one column per node \[1/m\].
    pub gradient: SMatrix<f64, D, N>,
    /// Weight times Jacobian determinant \[m^D\].
    pub volume: f64,
}

/// ∂x/∂ξ.
pub(crate) fn jacobian<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    xi: &[f64; D],
) -> SMatrix<f64, D, D> {
    let gradient = E::shape_grad(&SVector::from(*xi));
    SMatrix::from_fn(|i, j| (0..N).map(|a| x[a][i] * gradient[(j, a)]).sum())
}

/// Determinant by elimination with pivoting; `SMatrix::determinant` is not available for generic D.
pub(crate) fn determinant<const D: usize>(mut a: SMatrix<f64, D, D>) -> f64 {
    let mut product = 1.0;
    for k in 0..D {
        let pivot = (k..D).fold(k, |best, i| if a[(i, k)].abs() > a[(best, k)].abs() { i } else { best });
        if pivot != k {
            a.swap_rows(pivot, k);
            product = -product;
        }
        product *= a[(k, k)];
        // a vanishing pivot makes the rest NaN or infinite, never positive: the product is 0 already
        if a[(k, k)].abs() <= 0.0 {
            return 0.0;
        }
        for i in k + 1..D {
            let factor = a[(i, k)] / a[(k, k)];
            for j in k..D {
                a[(i, j)] -= factor * a[(k, j)];
            }
        }
    }
    product
}

/// The quadrature points of a cell in space. The cell must not be inverted.
pub(crate) fn points<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    rule: &[([f64; D], f64)],
) -> Vec<QuadraturePoint<D, N>> {
    rule.iter().filter_map(|at| point::<E, D, N>(x, at)).collect()
}

/// A quadrature point of a cell in space; none where the cell is flat.
pub(crate) fn point<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    (xi, weight): &([f64; D], f64),
) -> Option<QuadraturePoint<D, N>> {
    let jacobian = jacobian::<E, D, N>(x, xi);
    Some(QuadraturePoint {
        gradient: jacobian.try_inverse()?.transpose() * E::shape_grad(&SVector::from(*xi)),
        volume: weight * determinant(jacobian),
    })
}

/// The mean of the nodes of a cell.
pub(crate) fn centre<const D: usize>(x: &[[f64; D]]) -> Vec<f64> {
    (0..D).map(|i| x.iter().map(|p| p[i]).sum::<f64>() / x.len() as f64).collect()
}
