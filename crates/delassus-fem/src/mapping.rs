//! The map of a cell from its reference to space.
//!
//! ```text
//! x(ξ) = Σ_a N_a(ξ) x_a ,   J = ∂x/∂ξ ,   ∇N_a = J⁻ᵀ ∇_ξ N_a
//! axisymmetric:  ε_θθ = u_r/r = Σ_a (N_a/r) u_r,a ,   volume w |J| 2π r
//! ```

use nalgebra::{SMatrix, SVector, Vector3};

use crate::element::Element;
use crate::section::Section;
use crate::tensor::{ZZ, strain_operator};

/// A quadrature point of a cell in space.
pub(crate) struct QuadraturePoint<const D: usize, const N: usize> {
    /// The gradients of the shape functions in space, one column per node \[1/m\].
    pub gradient: SMatrix<f64, D, N>,
    /// N_a/r of an axisymmetric cell, one per node \[1/m\]; zero otherwise.
    pub hoop: SVector<f64, N>,
    /// Weight times Jacobian determinant, and times 2π r of an axisymmetric cell \[m^D or m³\].
    pub volume: f64,
}

impl<const D: usize, const N: usize> QuadraturePoint<D, N> {
    /// B_a, ε = Σ B_a u_a.
    pub fn operator(&self, a: usize) -> SMatrix<f64, 6, D> {
        let mut b = strain_operator(&self.gradient.column(a).into_owned());
        b[(ZZ, 0)] += self.hoop[a];
        b
    }

    /// t_a of tr ε = Σ t_a·u_a, one column per node.
    pub fn traces(&self) -> SMatrix<f64, D, N> {
        let mut traces = self.gradient;
        (0..N).for_each(|a| traces[(0, a)] += self.hoop[a]);
        traces
    }

    /// t_a of one node.
    pub fn trace(&self, a: usize) -> SVector<f64, D> {
        let mut trace = self.gradient.column(a).into_owned();
        trace[0] += self.hoop[a];
        trace
    }
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

/// x(ξ) from the first node, with z = 0 in the plane.
pub(crate) fn place<E: Element<D, N>, const D: usize, const N: usize>(x: &[[f64; D]], xi: &[f64; D]) -> Vector3<f64> {
    let shape = E::shape(&SVector::from(*xi));
    let along = |i: usize| (1..N).map(|a| shape[a] * (x[a][i] - x[0][i])).sum();
    Vector3::from_fn(|i, _| if i < D { along(i) } else { 0.0 })
}

/// The quadrature points of the stiffness of a cell in space. The cell must not be inverted.
pub(crate) fn points<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    section: Section,
) -> Vec<QuadraturePoint<D, N>> {
    rule::<E, D, N>(section).iter().filter_map(|at| point::<E, D, N>(x, at, section)).collect()
}

/// The quadrature of the stiffness.
pub(crate) fn rule<E: Element<D, N>, const D: usize, const N: usize>(section: Section) -> &'static [([f64; D], f64)] {
    if section.is_revolved() { E::REVOLVED_RULE } else { E::RULE }
}

/// A quadrature point of a cell in space; none where the cell is flat.
pub(crate) fn point<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    (xi, weight): &([f64; D], f64),
    section: Section,
) -> Option<QuadraturePoint<D, N>> {
    let jacobian = jacobian::<E, D, N>(x, xi);
    let mut point = QuadraturePoint {
        gradient: jacobian.try_inverse()?.transpose() * E::shape_grad(&SVector::from(*xi)),
        hoop: SVector::zeros(),
        volume: weight * determinant(jacobian),
    };
    if section.is_revolved() {
        let shape = E::shape(&SVector::from(*xi));
        let radius = radius(&shape, x);
        point.hoop = shape / radius;
        point.volume *= section.around(radius);
    }
    Some(point)
}

/// r at a point with these shape functions.
pub(crate) fn radius<const D: usize, const N: usize>(shape: &SVector<f64, N>, x: &[[f64; D]]) -> f64 {
    (0..N).map(|a| shape[a] * x[a][0]).sum()
}

/// The shape functions at a point of space; none where the cell does not hold it. Newton's iteration on x(ξ), exact at once for cells
/// with straight parallel sides.
pub(crate) fn shape_at<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    point: &[f64; D],
) -> Option<Vec<f64>> {
    /// Enough for any cell that is not folded.
    const ITERATIONS: usize = 30;
    /// Of the reference cell, whose size is 1 or 2: points on a side belong to the cell, rounding or not.
    const SLACK: f64 = 1e-9;
    // Far points need no iteration.
    for i in 0..D {
        let (low, high) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |b, p| (b.0.min(p[i]), b.1.max(p[i])));
        // Sides of quadratic cells may bulge beyond their nodes.
        let margin = (high - low) * if E::KIND.is_linear() { SLACK } else { 0.5 };
        if !(low - margin..=high + margin).contains(&point[i]) {
            return None;
        }
    }
    let mut xi: SVector<f64, D> = SVector::from_fn(|i, _| E::NODES.iter().map(|n| n[i]).sum::<f64>() / N as f64);
    for _ in 0..ITERATIONS {
        let shape = E::shape(&xi);
        let missing: SVector<f64, D> =
            SVector::from_fn(|i, _| point[i] - (0..N).map(|a| shape[a] * x[a][i]).sum::<f64>());
        let change = jacobian::<E, D, N>(x, &xi.into()).try_inverse()? * missing;
        xi += change;
        if change.amax() <= 1e-3 * SLACK {
            return holds::<E, D, N>(&xi, SLACK).then(|| E::shape(&xi).iter().copied().collect());
        }
        // Far outside the map may fold, and nothing is to be found there.
        if xi.amax() > 1e3 {
            return None;
        }
    }
    None
}

/// Does the reference cell hold ξ? Axes whose nodes go from −1 to 1 are those of a box, axes that begin at 0 those of one simplex.
fn holds<E: Element<D, N>, const D: usize, const N: usize>(xi: &SVector<f64, D>, slack: f64) -> bool {
    let mut sum = 0.0;
    for i in 0..D {
        if E::NODES.iter().any(|n| n[i] < -0.5) {
            if xi[i].abs() > 1.0 + slack {
                return false;
            }
        } else {
            sum += xi[i];
            if xi[i] < -slack {
                return false;
            }
        }
    }
    sum <= 1.0 + slack
}

/// The mean of the nodes of a cell.
pub(crate) fn centre<const D: usize>(x: &[[f64; D]]) -> Vec<f64> {
    (0..D).map(|i| x.iter().map(|p| p[i]).sum::<f64>() / x.len() as f64).collect()
}
