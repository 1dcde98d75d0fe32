//! The kernel of one kind of element: integrals over a cell, and forces from stored cell matrices.
//!
//! ```text
//! K_ab = Σ_qp B_aᵀ 𝐂* B_b w |J| t          D×D blocks, 𝐂* the tangent condensed by the section
//! m_ab = ρ t Σ_qp N_a N_b w |J|
//! ```
//!
//! Cell matrices are kept *reduced*: displacements relative to the first node, d_j = q_j − q_0, need only the rows and
//! columns of the other nodes,
//!
//! ```text
//! f_i = Σ_j K_ij d_j  (i, j ≥ 1) ,    f_0 = −Σ_i f_i ,    2E = d·K d
//! ```
//!
//! so a rigid translation, however large, gives exactly no force and no energy, the forces of a cell add to zero, and
//! 21 numbers hold a Q4, 10 a T3 (lower triangle, row by row: entry (r, c) at r(r+1)/2 + c).
//!
//! Everything is generic over the element and monomorphised; [`Kernel`] is the table of the resulting functions.

use nalgebra::{SMatrix, SVector};

use crate::element::Element;
use crate::formulation::Formulation;
use crate::material::{Kinematics3, Material};
use crate::section::Section;
use crate::tensor::{Mandel, Tangent, von_mises};

/// A quadrature point of a cell in space.
pub(crate) struct Point<const D: usize, const N: usize> {
    /// The shape functions.
    pub shape: SVector<f64, N>,
    /// Their gradients in space, one column per node \[1/m\].
    pub gradient: SMatrix<f64, D, N>,
    /// Weight times Jacobian determinant \[m^D\].
    pub volume: f64,
}

/// What a cell is made of.
#[derive(Clone, Copy)]
pub(crate) struct CellModel<'a> {
    pub material: &'a dyn Material,
    pub section: Section,
    pub formulation: Formulation,
}

/// The integrals over one cell.
pub(crate) struct CellIntegrals {
    /// Reduced stiffness \[N/m\].
    pub stiffness: Vec<f64>,
    /// Reduced viscosity \[N·s/m\].
    pub viscosity: Vec<f64>,
    /// Consistent mass of pairs of nodes, N×N \[kg\].
    pub mass: Vec<f64>,
}

/// Volume averages over one cell, for output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellAverage {
    pub stress: Mandel,
    pub strain: Mandel,
    pub von_mises: f64,
}

type Average<const D: usize> = fn(&[[f64; D]], &CellModel, &[[f64; D]], &[[f64; D]]) -> CellAverage;
type AddForce = fn(&[usize], &[f64], &[f64], &mut [f64]);

/// The functions of one element type, without its number of nodes in the type.
#[derive(Clone, Copy)]
pub(crate) struct Kernel<const D: usize> {
    pub n_nodes: usize,
    /// Length of a reduced cell matrix.
    pub n_packed: usize,
    /// The integrals over a cell from the positions of its nodes, or the worst Jacobian determinant if not positive.
    pub integrate: fn(&[[f64; D]], &CellModel) -> Result<CellIntegrals, f64>,
    /// Averages over a cell from positions, displacements and velocities of its nodes.
    pub average: Average<D>,
    /// `out` += K q over all cells: (nodes of the cells, reduced matrices, q, out).
    pub add_force: AddForce,
    /// ½ qᵀ K q over all cells: (nodes of the cells, reduced matrices, q).
    pub energy: fn(&[usize], &[f64], &[f64]) -> f64,
}

impl<const D: usize> Kernel<D> {
    /// The kernel of element `E`.
    pub fn of<E: Element<D, N>, const N: usize>() -> Self {
        Self {
            n_nodes: N,
            n_packed: packed_length(D * (N - 1)),
            integrate: integrate::<E, D, N>,
            average: average::<E, D, N>,
            add_force: add_force::<D, N>,
            energy: energy::<D, N>,
        }
    }
}

/// Entries of the lower triangle of an n×n matrix.
const fn packed_length(n: usize) -> usize {
    n * (n + 1) / 2
}

/// Position of entry (row, column), column ≤ row, in the packed lower triangle.
pub(crate) const fn packed_index(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

/// Determinant by elimination with pivoting; `SMatrix::determinant` is not available for generic D.
fn determinant<const D: usize>(mut a: SMatrix<f64, D, D>) -> f64 {
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

/// ∂x/∂ξ.
fn jacobian<E: Element<D, N>, const D: usize, const N: usize>(x: &[[f64; D]], xi: &[f64; D]) -> SMatrix<f64, D, D> {
    let gradient = E::shape_grad(&SVector::from(*xi));
    SMatrix::from_fn(|i, j| (0..N).map(|a| x[a][i] * gradient[(j, a)]).sum())
}

/// The smallest Jacobian determinant over the points of both rules and the nodes, relative to the reference cell.
fn worst_determinant<E: Element<D, N>, const D: usize, const N: usize>(x: &[[f64; D]]) -> f64 {
    let at = E::RULE.iter().chain(E::MASS_RULE).map(|(xi, _)| xi).chain(&E::NODES);
    let all = at.map(|xi| determinant(jacobian::<E, D, N>(x, xi)));
    all.fold(f64::INFINITY, |worst, det| if det.is_nan() || worst.is_nan() { f64::NAN } else { worst.min(det) })
}

/// The quadrature points of a cell in space. The cell must not be inverted.
pub(crate) fn points<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    rule: &[([f64; D], f64)],
) -> Vec<Point<D, N>> {
    rule.iter()
        .filter_map(|(xi, weight)| {
            let jacobian = jacobian::<E, D, N>(x, xi);
            let xi = SVector::from(*xi);
            Some(Point {
                shape: E::shape(&xi),
                gradient: jacobian.try_inverse()?.transpose() * E::shape_grad(&xi),
                volume: weight * determinant(jacobian),
            })
        })
        .collect()
}

/// Σ_qp B_aᵀ 𝐂 B_b · volume · thickness for a, b ≥ 1, packed.
fn reduced_matrix<const D: usize, const N: usize>(
    points: &[Point<D, N>],
    operators: &[[SMatrix<f64, 6, D>; N]],
    tangent: &Tangent,
    thickness: f64,
) -> Vec<f64> {
    let mut packed = vec![0.0; packed_length(D * (N - 1))];
    for (point, b) in points.iter().zip(operators) {
        let weighted: [SMatrix<f64, 6, D>; N] = std::array::from_fn(|a| tangent * b[a] * (point.volume * thickness));
        for row in 0..D * (N - 1) {
            for column in 0..=row {
                let left = b[row / D + 1].column(row % D);
                packed[packed_index(row, column)] += left.dot(&weighted[column / D + 1].column(column % D));
            }
        }
    }
    packed
}

fn integrate<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    model: &CellModel,
) -> Result<CellIntegrals, f64> {
    let worst = worst_determinant::<E, D, N>(x);
    if worst.is_nan() || worst <= 0.0 {
        return Err(worst);
    }
    let thickness = model.section.thickness();
    let response = model.material.respond(&Kinematics3::rest(), 1.0, &[], &mut []);
    let stiffness_points = points::<E, D, N>(x, E::RULE);
    let operators = model.formulation.operators(&stiffness_points);
    let matrix =
        |tangent: &Tangent| reduced_matrix(&stiffness_points, &operators, &model.section.condense(tangent), thickness);

    let mut mass = SMatrix::<f64, N, N>::zeros();
    for p in points::<E, D, N>(x, E::MASS_RULE) {
        mass += p.shape * p.shape.transpose() * (p.volume * thickness * model.material.density());
    }
    Ok(CellIntegrals {
        stiffness: matrix(&response.tangent),
        viscosity: matrix(&response.rate_tangent),
        mass: mass.as_slice().to_vec(),
    })
}

fn average<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    model: &CellModel,
    q: &[[f64; D]],
    v: &[[f64; D]],
) -> CellAverage {
    let points = points::<E, D, N>(x, E::RULE);
    let operators = model.formulation.operators(&points);
    let volume: f64 = points.iter().map(|p| p.volume).sum();
    let mut mean = CellAverage { stress: Mandel::zeros(), strain: Mandel::zeros(), von_mises: 0.0 };
    // relative to the first node, as the forces are
    let plane_strain = |b: &[SMatrix<f64, 6, D>; N], u: &[[f64; D]]| {
        (1..N).fold(Mandel::zeros(), |sum, a| sum + b[a] * (SVector::from(u[a]) - SVector::from(u[0])))
    };
    let tangents = model.material.respond(&Kinematics3::rest(), 1.0, &[], &mut []);
    for (point, b) in points.iter().zip(&operators) {
        let strain = model.section.complete(&tangents.tangent, &plane_strain(b, q));
        let strain_rate = model.section.complete(&tangents.rate_tangent, &plane_strain(b, v));
        let response = model.material.respond(&Kinematics3 { strain, strain_rate }, 1.0, &[], &mut []);
        let share = point.volume / volume;
        mean.stress += response.stress * share;
        mean.strain += strain * share;
        mean.von_mises += von_mises(&response.stress) * share;
    }
    mean
}

/// Displacements of the nodes of a cell relative to its first node (row 0 stays zero).
#[inline(always)]
fn relative<const D: usize, const N: usize>(cell: &[usize], q: &[f64]) -> [[f64; D]; N] {
    let mut d = [[0.0; D]; N];
    let origin = &q[D * cell[0]..D * cell[0] + D];
    for a in 1..N {
        let node = &q[D * cell[a]..D * cell[a] + D];
        for i in 0..D {
            d[a][i] = node[i] - origin[i];
        }
    }
    d
}

/// f_i = Σ_j K_ij d_j for the nodes i ≥ 1 of a cell (row 0 stays zero).
#[inline(always)]
fn reduced_times<const D: usize, const N: usize>(k: &[f64], d: &[[f64; D]; N]) -> [[f64; D]; N] {
    let mut f = [[0.0; D]; N];
    for row in 0..D * (N - 1) {
        let (a, i) = (row / D + 1, row % D);
        for column in 0..row {
            let (b, j) = (column / D + 1, column % D);
            let entry = k[packed_index(row, column)];
            f[a][i] += entry * d[b][j];
            f[b][j] += entry * d[a][i];
        }
        f[a][i] += k[packed_index(row, row)] * d[a][i];
    }
    f
}

fn add_force<const D: usize, const N: usize>(nodes: &[usize], matrices: &[f64], q: &[f64], out: &mut [f64]) {
    for (cell, k) in nodes.chunks_exact(N).zip(matrices.chunks_exact(packed_length(D * (N - 1)))) {
        let f = reduced_times::<D, N>(k, &relative::<D, N>(cell, q));
        let mut sum = [0.0; D];
        for a in 1..N {
            let node = &mut out[D * cell[a]..D * cell[a] + D];
            for i in 0..D {
                node[i] += f[a][i];
                sum[i] += f[a][i];
            }
        }
        let origin = &mut out[D * cell[0]..D * cell[0] + D];
        for i in 0..D {
            origin[i] -= sum[i];
        }
    }
}

fn energy<const D: usize, const N: usize>(nodes: &[usize], matrices: &[f64], q: &[f64]) -> f64 {
    let mut twice = 0.0;
    for (cell, k) in nodes.chunks_exact(N).zip(matrices.chunks_exact(packed_length(D * (N - 1)))) {
        let d = relative::<D, N>(cell, q);
        let f = reduced_times::<D, N>(k, &d);
        twice += d.as_flattened().iter().zip(f.as_flattened()).map(|(x, y)| x * y).sum::<f64>();
    }
    0.5 * twice
}
