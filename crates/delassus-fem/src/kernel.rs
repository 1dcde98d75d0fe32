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
//! 21 numbers hold a Quad4, 10 a Triangle3, 231 an Hexahedron8 (lower triangle, row by row: entry (r, c) at r(r+1)/2 + c).
//! In an axisymmetric cell a radial shift is a strain: radial displacements count by themselves and the rows of all nodes are kept, that of the axial
//! displacement of the first node (which is relative to itself) empty.
//!
//! Unknowns of the cell itself (incompatible modes) follow those of the nodes and are eliminated from the last on,
//!
//! ```text
//! K_ij ← K_ij − K_ri K_rj / K_rr   (i, j < r) ,     then   x_r = −Σ_{c<r} K_rc x_c / K_rr   from the first on
//! ```
//!
//! Everything is generic over the element and monomorphised; [`Kernel`] is the table of the resulting functions.

use nalgebra::{SMatrix, SVector};

use crate::cell::{CellAverage, CellModel};
use crate::element::Element;
use crate::mapping::{QuadraturePoint, determinant, jacobian, place, point, points, radius, rule, shape_at};
use crate::material::Kinematics3;
use crate::motion::respond;
use crate::packed::{empty_relative, first_kept, n_kept, packed_index, packed_length};
use crate::respond::{CellMotion, CellResponse};
use crate::section::Section;
use crate::tensor::{Mandel, Tangent};

/// The integrals over one cell.
pub(crate) struct CellIntegrals {
    /// Reduced stiffness \[N/m\].
    pub stiffness: Vec<f64>,
    /// Reduced viscosity \[N·s/m\].
    pub viscosity: Vec<f64>,
    /// Consistent mass of pairs of nodes, N×N \[kg\].
    pub mass: Vec<f64>,
    /// The gradients of the shape functions at the centre \[1/m\], node after node without the first, then the volume by that point \[m^D\].
    pub centre: Vec<f64>,
}

/// A quadrature point of a facet in space.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FacetPoint {
    /// The shape functions of the facet.
    pub shape: Vec<f64>,
    /// Weight times area element \[m^(D−1)\].
    pub area: f64,
    /// Unit normal: on the right of a curve in the plane z = 0, on the side that sees a surface counter-clockwise.
    pub normal: [f64; 3],
}

type Average<const D: usize> = fn(&[[f64; D]], &CellModel, &[[f64; D]], &[[f64; D]]) -> CellAverage;
type ShapeAt<const D: usize> = fn(&[[f64; D]], &[f64; D]) -> Option<Vec<f64>>;
type Quadrature<const D: usize> = fn(&[[f64; D]], Section) -> Vec<[f64; D]>;
type AddForce = fn(&[usize], &[f64], &[f64], &mut [f64]);
type AddForceOf = fn(&[usize], &[f64], &[f64], &mut [f64]) -> f64;
type Energies = fn(&[usize], &[f64], [&[f64]; 2]) -> [f64; 2];
type AtCentres<const D: usize> = fn(&[usize], &[f64], &[f64], &mut dyn FnMut(&SMatrix<f64, D, D>, f64));

type Gradients<const D: usize> = fn(&[[f64; D]], &[[f64; D]], &mut dyn FnMut(&SMatrix<f64, D, D>, f64));

/// The functions of one element type, without its number of nodes in the type.
#[derive(Clone, Copy)]
pub(crate) struct Kernel<const D: usize> {
    pub n_nodes: usize,
    /// Whether the only nodes are the corners.
    pub is_linear: bool,
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
    /// The same for two q, with the bits of each alone, for one reading of the matrices.
    pub energies: Energies,
    /// Both: `out` += K q, and ½ qᵀ K q with the bits of `energy`, for one reading of the matrices.
    pub add_force_of_energy: AddForceOf,
    /// Visits the displacement gradient at the centre of every cell and its volume by that point: (nodes of the cells, what
    /// [`CellIntegrals::centre`] has of them, q, visit).
    pub at_centres: AtCentres<D>,
    /// Visits the displacement gradient at every quadrature point of a cell and its volume: (nodes as given, displacements, visit).
    pub gradients: Gradients<D>,
    /// The response of a cell with internal variables or moving geometry.
    pub respond: fn(&CellMotion<'_, D>, &mut CellResponse),
    /// Where the quadrature points of a cell are.
    pub quadrature: Quadrature<D>,
    /// The shape functions of a cell, with its nodes at these positions, at a point of space; none where it does not hold the point.
    pub shape_at: ShapeAt<D>,
    /// The quadrature points of a curve or surface of this element in space; none for a volume.
    pub facet: fn(&[[f64; 3]]) -> Vec<FacetPoint>,
    /// The same by the rule of the mass, which is exact for tractions that are linear over a plane facet.
    pub facet_of_moments: fn(&[[f64; 3]]) -> Vec<FacetPoint>,
}

impl<const D: usize> Kernel<D> {
    /// The kernel of element `E`.
    pub fn of<E: Element<D, N>, const N: usize>(section: Section) -> Self {
        let is_revolved = section.is_revolved();
        Self {
            n_nodes: N,
            is_linear: E::KIND.is_linear(),
            n_packed: packed_length(n_kept::<D, N>(section.n_absolute())),
            integrate: integrate::<E, D, N>,
            average: average::<E, D, N>,
            add_force: if is_revolved { add_force::<D, N, 1> } else { add_force::<D, N, 0> },
            energy: if is_revolved { energy::<D, N, 1> } else { energy::<D, N, 0> },
            energies: if is_revolved { energies::<D, N, 1> } else { energies::<D, N, 0> },
            add_force_of_energy: if is_revolved {
                add_force_of::<D, N, 1, true>
            } else {
                add_force_of::<D, N, 0, true>
            },
            at_centres: at_centres::<D, N>,
            gradients: gradients::<E, D, N>,
            respond: respond::<E, D, N>,
            quadrature: quadrature::<E, D, N>,
            shape_at: shape_at::<E, D, N>,
            facet: |x| facet::<E, D, N>(x, E::RULE),
            facet_of_moments: |x| facet::<E, D, N>(x, E::MASS_RULE),
        }
    }
}

/// The smallest of the Jacobian determinants; NaN if one is.
fn worst(determinants: impl Iterator<Item = f64>) -> f64 {
    let least = |worst: f64, det: f64| if det.is_nan() || worst.is_nan() { f64::NAN } else { worst.min(det) };
    determinants.fold(f64::INFINITY, least)
}

/// Where the quadrature points are.
fn quadrature<E: Element<D, N>, const D: usize, const N: usize>(x: &[[f64; D]], section: Section) -> Vec<[f64; D]> {
    let place = |xi: &[f64; D]| {
        let shape = E::shape(&SVector::from(*xi));
        std::array::from_fn(|i| (0..N).map(|a| shape[a] * x[a][i]).sum())
    };
    rule::<E, D, N>(section).iter().map(|(xi, _)| place(xi)).collect()
}

/// Σ_qp B_aᵀ 𝐂 B_b · volume · thickness of the rows that are kept, packed; the modes last, not yet eliminated.
fn reduced_matrix<const D: usize, const N: usize>(
    points: &[QuadraturePoint<D, N>],
    operators: &[Vec<SMatrix<f64, 6, D>>],
    tangent: &Tangent,
    section: Section,
    thickness: f64,
) -> Vec<f64> {
    let first = first_kept(section.n_absolute());
    let n = D * operators.first().map_or(0, |b| b.len() - first);
    let mut packed = vec![0.0; packed_length(n)];
    // row k holds component k of 𝐂 B for all columns, so that the inner loop runs over neighbours in memory
    let mut weighted: [Vec<f64>; 6] = std::array::from_fn(|_| vec![0.0; n]);
    let mut products = vec![0.0; n];
    for (point, b) in points.iter().zip(operators) {
        for (node, b) in b.iter().skip(first).enumerate() {
            let stress = tangent * b * (point.volume * thickness);
            for (k, weighted) in weighted.iter_mut().enumerate() {
                (0..D).for_each(|i| weighted[D * node + i] = stress[(k, i)]);
            }
        }
        for row in 0..n {
            let (left, products) = (b[row / D + first].column(row % D), &mut products[..=row]);
            products.fill(0.0);
            for (left, weighted) in left.iter().zip(&weighted) {
                products.iter_mut().zip(weighted).for_each(|(p, w)| *p += left * w);
            }
            let entries = &mut packed[packed_index(row, 0)..=packed_index(row, row)];
            entries.iter_mut().zip(&*products).for_each(|(entry, p)| *entry += p);
        }
    }
    empty_relative::<D>(&mut packed, n, section.n_absolute());
    packed
}

/// A pivot below this part of its diagonal entry is rounding: the mode has no stiffness (a fluid without shear viscosity),
/// so the others do not feel it either.
const SINGULAR: f64 = 1e-12;

/// Eliminates all unknowns from `kept` on; their rows stay, for [`recover`]. Rows without pivot are emptied.
fn eliminate(packed: &mut [f64], kept: usize) {
    let n = (0..).find(|&n| packed_length(n) >= packed.len()).unwrap_or(0);
    let diagonal: Vec<f64> = (0..n).map(|r| packed[packed_index(r, r)]).collect();
    for r in (kept..n).rev() {
        let (above, row) = packed.split_at_mut(packed_index(r, 0));
        let pivot = row[r];
        if pivot <= SINGULAR * diagonal[r] {
            row[..=r].fill(0.0);
            continue;
        }
        let mut entries = above.iter_mut();
        for i in 0..r {
            let factor = row[i] / pivot;
            for (x, entry) in row[..=i].iter().zip(&mut entries) {
                *entry -= factor * x;
            }
        }
    }
}

/// The unknowns that [`eliminate`] took out, appended to the kept ones.
fn recover(packed: &[f64], x: &mut Vec<f64>) {
    while packed_length(x.len()) < packed.len() {
        let r = x.len();
        let row = &packed[packed_index(r, 0)..=packed_index(r, r)];
        let force: f64 = row.iter().zip(x.iter()).map(|(k, x)| k * x).sum();
        x.push(if row[r] > 0.0 { -force / row[r] } else { 0.0 });
    }
}

fn integrate<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    model: &CellModel,
) -> Result<CellIntegrals, f64> {
    let at = |xi: &[f64; D]| determinant(jacobian::<E, D, N>(x, xi));
    let mass_determinants: Vec<f64> = E::MASS_RULE.iter().map(|(xi, _)| at(xi)).collect();
    let others = rule::<E, D, N>(model.section).iter().map(|(xi, _)| xi).chain(&E::NODES).map(at);
    let worst = worst(mass_determinants.iter().copied().chain(others));
    if worst.is_nan() || worst <= 0.0 {
        return Err(worst);
    }
    let thickness = model.section.thickness();
    let response = model.material.instantaneous();
    let stiffness_points = points::<E, D, N>(x, model.section);
    let operators = model.formulation.operators::<E, D, N>(x, &stiffness_points);
    let kept = n_kept::<D, N>(model.section.n_absolute());
    let matrix = |tangent: &Tangent| {
        if tangent.amax() <= 0.0 {
            return vec![0.0; packed_length(kept)];
        }
        let condensed = model.section.condense(tangent);
        let mut packed = reduced_matrix(&stiffness_points, &operators, &condensed, model.section, thickness);
        eliminate(&mut packed, kept);
        packed.truncate(packed_length(kept));
        packed
    };

    let mut mass = SMatrix::<f64, N, N>::zeros();
    for ((xi, weight), determinant) in E::MASS_RULE.iter().zip(mass_determinants) {
        let shape = E::shape(&SVector::from(*xi));
        let volume = weight * determinant * model.section.around(radius(&shape, x));
        mass += shape * shape.transpose() * (volume * thickness * model.material.density());
    }
    Ok(CellIntegrals {
        stiffness: matrix(&response.tangent),
        viscosity: matrix(&response.rate_tangent),
        mass: mass.as_slice().to_vec(),
        centre: centre::<E, D, N>(x, model.section),
    })
}

fn average<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    model: &CellModel,
    q: &[[f64; D]],
    v: &[[f64; D]],
) -> CellAverage {
    let points = points::<E, D, N>(x, model.section);
    let operators = model.formulation.operators::<E, D, N>(x, &points);
    let (n_absolute, first) = (model.section.n_absolute(), first_kept(model.section.n_absolute()));
    let volume: f64 = points.iter().map(|p| p.volume).sum();
    let mut mean = CellAverage::over(volume * model.section.thickness());
    let has_modes = operators.first().is_some_and(|b| b.len() > N);
    // relative to the first node, as the forces are; then the modes
    let unknowns = |u: &[[f64; D]], tangent: &Tangent| -> Vec<SVector<f64, D>> {
        let apart = |u_a: &[f64; D]| SVector::from_fn(|i, _| if i < n_absolute { u_a[i] } else { u_a[i] - u[0][i] });
        let mut d: Vec<SVector<f64, D>> = u.iter().skip(first).map(apart).collect();
        if has_modes {
            let mut packed = reduced_matrix(&points, &operators, &model.section.condense(tangent), model.section, 1.0);
            eliminate(&mut packed, D * (N - 1));
            let mut all: Vec<f64> = d.iter().flat_map(|d| d.iter().copied()).collect();
            recover(&packed, &mut all);
            d.extend(all[D * (N - 1)..].chunks_exact(D).map(SVector::from_column_slice));
        }
        d
    };
    let plane_strain = |b: &[SMatrix<f64, 6, D>], d: &[SVector<f64, D>]| {
        b.iter().skip(first).zip(d).fold(Mandel::zeros(), |sum, (b, d)| sum + b * d)
    };
    let tangents = model.material.instantaneous();
    let (q, v) = (unknowns(q, &tangents.tangent), unknowns(v, &tangents.rate_tangent));
    for ((point, b), (xi, _)) in points.iter().zip(&operators).zip(rule::<E, D, N>(model.section)) {
        let strain = model.section.complete(&tangents.tangent, &plane_strain(b, &q));
        let strain_rate = model.section.complete(&tangents.rate_tangent, &plane_strain(b, &v));
        let kinematics = Kinematics3 { strain, strain_rate, ..Kinematics3::rest() };
        let response = model.material.respond(&kinematics, 1.0, &[], &mut []);
        mean.add(&response.stress, &strain, point.volume / volume, &place::<E, D, N>(x, xi));
    }
    mean
}

fn facet<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; 3]],
    rule: &[([f64; D], f64)],
) -> Vec<FacetPoint> {
    let point = |(xi, weight): &([f64; D], f64)| {
        let xi = SVector::from(*xi);
        let gradient = E::shape_grad(&xi);
        let tangent = |j: usize| -> [f64; 3] {
            std::array::from_fn(|i| x.iter().enumerate().map(|(a, x)| x[i] * gradient[(j, a)]).sum())
        };
        let normal = match D {
            1 => {
                let [x, y, _] = tangent(0);
                [y, -x, 0.0]
            }
            2 => {
                let (a, b) = (tangent(0), tangent(1));
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            }
            _ => return None,
        };
        let size = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        let shape = E::shape(&xi).as_slice().to_vec();
        Some(FacetPoint { shape, area: weight * size, normal: normal.map(|n| n / size) })
    };
    rule.iter().filter_map(point).collect()
}

/// Displacements of the nodes of a cell relative to its first node (row 0 stays zero); the first A components as they are.
#[inline(always)]
fn relative<const D: usize, const N: usize, const A: usize>(cell: &[usize], q: &[f64]) -> [[f64; D]; N] {
    let mut d = [[0.0; D]; N];
    let origin = &q[D * cell[0]..D * cell[0] + D];
    for a in first_kept(A)..N {
        let node = &q[D * cell[a]..D * cell[a] + D];
        for i in 0..D {
            d[a][i] = if i < A { node[i] } else { node[i] - origin[i] };
        }
    }
    d
}

/// f_i = Σ_j K_ij d_j for the nodes of a cell whose rows are kept (row 0 stays zero where it is not).
///
/// Each row of the packed triangle is read once, for its own sum and for the column it also is. The sum goes on in four parts side by
/// side: one after the other, every addition would wait for the one before it.
#[inline(always)]
fn reduced_times<const D: usize, const N: usize, const A: usize>(k: &[f64], d: &[[f64; D]; N]) -> [[f64; D]; N] {
    let mut f = [[0.0; D]; N];
    let left_out = D * first_kept(A);
    let (x, y) = (&d.as_flattened()[left_out..], &mut f.as_flattened_mut()[left_out..]);
    let mut rest = k;
    for row in 0..n_kept::<D, N>(A) {
        let (entries, after) = rest.split_at(row + 1);
        rest = after;
        let own = x[row];
        let (entries, columns, out) = (&entries[..row], &x[..row], &mut y[..row]);
        let ((entries, last), (columns, last_columns)) = (entries.as_chunks::<4>(), columns.as_chunks::<4>());
        let (out, last_out) = out.as_chunks_mut::<4>();
        let mut sums = [0.0; 4];
        for ((entry, x), y) in entries.iter().zip(columns).zip(out) {
            for c in 0..4 {
                sums[c] += entry[c] * x[c];
                y[c] += entry[c] * own;
            }
        }
        let mut sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
        for ((entry, x), y) in last.iter().zip(last_columns).zip(last_out) {
            sum += entry * x;
            *y += entry * own;
        }
        y[row] += sum + k[packed_index(row, row)] * own;
    }
    f
}

fn add_force<const D: usize, const N: usize, const A: usize>(
    nodes: &[usize],
    matrices: &[f64],
    q: &[f64],
    out: &mut [f64],
) {
    add_force_of::<D, N, A, false>(nodes, matrices, q, out);
}

/// The forces, and ½ qᵀ K q if it is wanted.
#[inline(always)]
fn add_force_of<const D: usize, const N: usize, const A: usize, const ENERGY: bool>(
    nodes: &[usize],
    matrices: &[f64],
    q: &[f64],
    out: &mut [f64],
) -> f64 {
    let mut twice = 0.0;
    for (cell, k) in nodes.chunks_exact(N).zip(matrices.chunks_exact(packed_length(n_kept::<D, N>(A)))) {
        let d = relative::<D, N, A>(cell, q);
        let f = reduced_times::<D, N, A>(k, &d);
        if ENERGY {
            twice += work(&d, &f);
        }
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
            origin[i] += if i < A { f[0][i] } else { -sum[i] };
        }
    }
    0.5 * twice
}

/// Σ d·f over the nodes of a cell.
#[inline(always)]
fn work<const D: usize, const N: usize>(d: &[[f64; D]; N], f: &[[f64; D]; N]) -> f64 {
    d.as_flattened().iter().zip(f.as_flattened()).map(|(x, y)| x * y).sum()
}

fn energy<const D: usize, const N: usize, const A: usize>(nodes: &[usize], matrices: &[f64], q: &[f64]) -> f64 {
    let [energy] = energies_of::<D, N, A, 1>(nodes, matrices, [q]);
    energy
}

fn energies<const D: usize, const N: usize, const A: usize>(
    nodes: &[usize],
    matrices: &[f64],
    q: [&[f64]; 2],
) -> [f64; 2] {
    energies_of::<D, N, A, 2>(nodes, matrices, q)
}

#[inline(always)]
fn energies_of<const D: usize, const N: usize, const A: usize, const COUNT: usize>(
    nodes: &[usize],
    matrices: &[f64],
    q: [&[f64]; COUNT],
) -> [f64; COUNT] {
    let mut twice = [0.0; COUNT];
    for (cell, k) in nodes.chunks_exact(N).zip(matrices.chunks_exact(packed_length(n_kept::<D, N>(A)))) {
        for (twice, q) in twice.iter_mut().zip(q) {
            let d = relative::<D, N, A>(cell, q);
            let f = reduced_times::<D, N, A>(k, &d);
            *twice += work(&d, &f);
        }
    }
    twice.map(|twice| 0.5 * twice)
}

/// What [`CellIntegrals::centre`] is, at the mean of the reference nodes. A cell that is flat there says nothing, with no weight.
fn centre<E: Element<D, N>, const D: usize, const N: usize>(x: &[[f64; D]], section: Section) -> Vec<f64> {
    let xi: SVector<f64, D> = E::NODES.iter().fold(SVector::zeros(), |sum, xi| sum + SVector::from(*xi)) / N as f64;
    let volume: f64 = E::RULE.iter().map(|(_, weight)| weight).sum();
    let Some(point) = point::<E, D, N>(x, &(xi.into(), volume), section) else { return vec![0.0; D * (N - 1) + 1] };
    point.gradient.as_slice()[D..].iter().copied().chain([point.volume]).collect()
}

/// ∂u/∂X = Σ_a d_a ∇N_aᵀ at the centres.
fn at_centres<const D: usize, const N: usize>(
    nodes: &[usize],
    centres: &[f64],
    q: &[f64],
    visit: &mut dyn FnMut(&SMatrix<f64, D, D>, f64),
) {
    for (cell, centre) in nodes.chunks_exact(N).zip(centres.chunks_exact(D * (N - 1) + 1)) {
        let d = relative::<D, N, 0>(cell, q);
        let mut change = SMatrix::<f64, D, D>::zeros();
        for (d, gradient) in d.iter().skip(1).zip(centre.chunks_exact(D)) {
            for j in 0..D {
                for i in 0..D {
                    change[(i, j)] += d[i] * gradient[j];
                }
            }
        }
        visit(&change, centre[D * (N - 1)]);
    }
}

/// ∂u/∂X = Σ_a u_a ∇N_aᵀ at the quadrature points.
fn gradients<E: Element<D, N>, const D: usize, const N: usize>(
    x: &[[f64; D]],
    u: &[[f64; D]],
    visit: &mut dyn FnMut(&SMatrix<f64, D, D>, f64),
) {
    for p in points::<E, D, N>(x, Section::default()) {
        let change = u
            .iter()
            .zip(p.gradient.column_iter())
            .fold(SMatrix::zeros(), |sum, (u, gradient)| sum + SVector::from(*u) * gradient.transpose());
        visit(&change, p.volume);
    }
}
