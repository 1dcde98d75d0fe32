//! Stress at the nodes, and principal stresses.
//!
//! Stresses are computed at quadrature points, and people look for them at the surface. In each cell the linear course that fits the points best, weighted
//! by volume, is continued to the nodes; a node has the mean over its cells, weighted by their volumes V_c:
//!
//! ```text
//! σ_c(x) = σ̄ + G (x − x̄)     G = (⟨σ xᵀ⟩ − σ̄ x̄ᵀ) (⟨x xᵀ⟩ − x̄ x̄ᵀ)⁻¹     σ_a = Σ_c V_c σ_c(x_a) / Σ_c V_c
//! ```
//!
//! A stress that is linear in the undeformed body is found exactly. Cells with too few points for a slope (T3, TE4) give their average. Where materials meet,
//! the mean is over both sides, though the stress jumps.

use delassus_mesh::Mesh;
use nalgebra::{Matrix3, Vector3};

use crate::cell::CellAverage;
use crate::tensor::{Mandel, components, von_mises};

/// Cauchy stress at the nodes of a body, tension positive \[Pa\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodalStress {
    /// XX YY ZZ XY YZ XZ of each node; zero at nodes without cells.
    pub stress: Vec<[f64; 6]>,
    /// Von Mises stress of these.
    pub von_mises: Vec<f64>,
}

impl NodalStress {
    /// From the averages of cells with their nodes.
    pub(crate) fn of<'a, const D: usize>(
        mesh: &Mesh<D>,
        cells: impl Iterator<Item = (&'a [usize], &'a CellAverage)>,
    ) -> Self {
        let mut sums = vec![(Mandel::zeros(), 0.0); mesh.n_points()];
        for (nodes, average) in cells {
            let first = mesh.points[nodes[0]];
            for &node in nodes {
                let x = mesh.points[node];
                let place = Vector3::from_fn(|i, _| if i < D { x[i] - first[i] } else { 0.0 });
                let (stress, volume) = &mut sums[node];
                *stress += average.stress_at(D, &place) * average.volume;
                *volume += average.volume;
            }
        }
        let mean = |(stress, volume): &(Mandel, f64)| if *volume > 0.0 { stress / *volume } else { Mandel::zeros() };
        let found: Vec<Mandel> = sums.iter().map(mean).collect();
        Self { stress: found.iter().map(components).collect(), von_mises: found.iter().map(von_mises).collect() }
    }
}

/// Principal values of a symmetric tensor and their directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal {
    /// Largest first.
    pub values: [f64; 3],
    /// Unit vectors along them, right-handed; the largest component of the first two is positive.
    pub directions: [[f64; 3]; 3],
}

/// The principal values of a symmetric tensor with the components XX YY ZZ XY YZ XZ; NaN where one is not finite.
#[must_use]
pub fn principal(tensor: &[f64; 6]) -> Principal {
    let [xx, yy, zz, xy, yz, xz] = *tensor;
    if tensor.iter().any(|x| !x.is_finite()) {
        return Principal { values: [f64::NAN; 3], directions: [[f64::NAN; 3]; 3] };
    }
    // Rotations of Jacobi: the values of a tensor with a plane of symmetry stay exact, and the result depends on no library.
    let mut a = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let mut q = Matrix3::identity();
    // A handful of sweeps is enough for any tensor.
    for _ in 0..SWEEPS {
        for (i, j) in [(0, 1), (1, 2), (0, 2)] {
            rotate(&mut a, &mut q, i, j);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[(j, j)].total_cmp(&a[(i, i)]));
    let axis = |k: usize| -> Vector3<f64> { q.column(k).into_owned() };
    let upright = |x: Vector3<f64>| if x[x.iamax()] < 0.0 { -x } else { x };
    let (first, second) = (upright(axis(order[0])), upright(axis(order[1])));
    Principal {
        values: order.map(|k| a[(k, k)]),
        directions: [first.into(), second.into(), first.cross(&second).into()],
    }
}

/// Sweeps over the three planes: Jacobi's iteration converges quadratically.
const SWEEPS: usize = 8;

/// Turns in the plane (i, j) until a_ij vanishes.
fn rotate(a: &mut Matrix3<f64>, q: &mut Matrix3<f64>, i: usize, j: usize) {
    let off = a[(i, j)];
    if off.abs() <= f64::EPSILON * 1e-3 * (a[(i, i)].abs() + a[(j, j)].abs()) {
        return;
    }
    let tau = (a[(j, j)] - a[(i, i)]) / (2.0 * off);
    let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let mut turn = Matrix3::identity();
    (turn[(i, i)], turn[(j, j)], turn[(i, j)], turn[(j, i)]) = (c, c, t * c, -t * c);
    *a = turn.transpose() * *a * turn;
    (a[(i, j)], a[(j, i)]) = (0.0, 0.0);
    *q *= turn;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rebuilt(p: &Principal) -> Matrix3<f64> {
        let axis = |k: usize| Vector3::from(p.directions[k]);
        (0..3).fold(Matrix3::zeros(), |sum, k| sum + axis(k) * axis(k).transpose() * p.values[k])
    }

    #[test]
    fn principal_values_make_the_tensor_again() {
        let tensors = [
            [3.0, -1.0, 2.0, 0.5, -0.25, 1.75],
            [1e9, 1e9, -3e8, 4e8, 0.0, 0.0],
            [0.0; 6],
            [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            [1e-300, 2e-300, 0.0, 1e-300, 0.0, 0.0],
            [1.0, 1.0, 1.0, 1e-9, 1e-9, 1e-9],
        ];
        for t in tensors {
            let found = principal(&t);
            let [xx, yy, zz, xy, yz, xz] = t;
            let given = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
            assert!((rebuilt(&found) - given).amax() <= 4e-15 * given.amax(), "{t:?}: {found:?}");
            assert!(found.values.is_sorted_by(|a, b| a >= b), "{found:?}");
            let q = Matrix3::from_columns(&found.directions.map(Vector3::from));
            assert!((q.transpose() * q - Matrix3::identity()).amax() <= 4e-15 && q.determinant() > 0.0, "{found:?}");
        }
    }

    /// Pure shear τ: ±τ at 45°.
    #[test]
    fn pure_shear_has_its_directions() {
        let found = principal(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        let r = std::f64::consts::FRAC_1_SQRT_2;
        for (found, exact) in found.values.iter().zip([2.0, 0.0, -2.0]) {
            assert!((found - exact).abs() <= 1e-15, "{found}");
        }
        assert!((Vector3::from(found.directions[0]) - Vector3::new(r, r, 0.0)).amax() <= 1e-15, "{found:?}");
        assert!(principal(&[f64::NAN; 6]).values[0].is_nan());
    }
}
