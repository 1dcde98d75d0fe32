//! The answer of one cell to a motion, quadrature point by quadrature point: for bodies with memory or moving geometry.
//!
//! ```text
//! small strains     :  Δε = Σ B_a Δq_a ,   f_a = Σ_qp B_aᵀ σ⁺ w |J| t ,   K_ab = Σ_qp B_aᵀ (∂σ⁺/∂Δε) B_b w |J| t
//! updated geometry  :  the same with B and |J| of x⁺ for f and K, and increments from the middle (see `kinematics`)
//! ```
//!
//! Displacements enter relative to the first node of the cell, and the force on that node is minus the sum of the others, as for
//! linear bodies: a translation leaves nothing.

use nalgebra::{Matrix3, SMatrix, SVector};

use crate::element::Element;
use crate::kernel::{CellAverage, CellModel, Point, packed_index, packed_length, points};
use crate::kinematics::{Frames, Kinematics, ObjectiveRate, in_space, logarithmic_strain};
use crate::material::{Kinematics3, Response};
use crate::memory::Wanted;
use crate::tensor::{Mandel, Tangent, turned, turned_tangent, von_mises};

/// A cell that moves.
#[derive(Clone, Copy)]
pub(crate) struct CellMotion<'a, const D: usize> {
    pub model: CellModel<'a>,
    pub kinematics: Kinematics,
    /// Nodes as given \[m\].
    pub x: &'a [[f64; D]],
    /// Their displacements at the start \[m\].
    pub q: &'a [[f64; D]],
    /// And within the step \[m\].
    pub dq: &'a [[f64; D]],
    /// Step \[s\].
    pub h: f64,
    /// Internal variables of all quadrature points at the start: the material's, then those kept by the kinematics.
    pub z: &'a [f64],
    /// Are tangent and averages wanted?
    pub wanted: Wanted,
}

/// What a cell answers. The buffers are used again from cell to cell.
#[derive(Debug, Default)]
pub(crate) struct CellAnswer {
    /// Forces on the nodes, D each \[N\].
    pub force: Vec<f64>,
    /// Internal variables at the end.
    pub z: Vec<f64>,
    /// Reduced tangent, packed; empty if not wanted \[N/m\].
    pub tangent: Vec<f64>,
    /// Stored at the end \[J\].
    pub stored: f64,
    /// Dissipated within the step \[J\].
    pub dissipated: f64,
    /// Averages over the cell at the end.
    pub average: CellAverage,
}

/// The strain operators of a geometry at its quadrature points.
struct Geometry<const D: usize, const N: usize> {
    points: Vec<Point<D, N>>,
    operators: Vec<Vec<SMatrix<f64, 6, D>>>,
}

impl<const D: usize, const N: usize> Geometry<D, N> {
    /// None for a cell that is turned over or flat.
    fn of<E: Element<D, N>>(x: &[[f64; D]], model: &CellModel) -> Option<Self> {
        let points = points::<E, D, N>(x, E::RULE);
        let good = points.len() == E::RULE.len() && points.iter().all(|p| p.volume > 0.0);
        good.then(|| Self { operators: model.formulation.operators::<E, D, N>(x, &points), points })
    }

    fn strain(&self, k: usize, d: &[SVector<f64, D>; N]) -> Mandel {
        self.operators[k].iter().zip(d).skip(1).fold(Mandel::zeros(), |sum, (b, d)| sum + b * d)
    }

    /// ∇d at a point.
    fn gradient(&self, k: usize, d: &[SVector<f64, D>; N]) -> Matrix3<f64> {
        let g = &self.points[k].gradient;
        let sum = (1..N).fold(SMatrix::<f64, D, D>::zeros(), |sum, a| sum + d[a] * g.column(a).transpose());
        in_space(&sum)
    }
}

/// x relative to the first node.
fn relative<const D: usize, const N: usize>(x: &[[f64; D]]) -> [SVector<f64, D>; N] {
    std::array::from_fn(|a| SVector::from(x[a]) - SVector::from(x[0]))
}

fn plus<const D: usize>(x: &[[f64; D]], a: f64, y: &[[f64; D]]) -> Vec<[f64; D]> {
    x.iter().zip(y).map(|(x, y)| std::array::from_fn(|i| x[i] + a * y[i])).collect()
}

/// Answers; forces are NaN for a motion that turns the cell over.
pub(crate) fn respond<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    out: &mut CellAnswer,
) {
    out.start(D * N, cell.z, if cell.wanted.tangent { packed_length(D * (N - 1)) } else { 0 });
    let done = match cell.kinematics {
        Kinematics::SmallStrain => small::<E, D, N>(cell, out),
        Kinematics::UpdatedGeometry { rate } => updated::<E, D, N>(cell, rate, out),
    };
    if done.is_none() {
        out.force.fill(f64::NAN);
    }
    for i in 0..D {
        out.force[i] = -(1..N).map(|a| out.force[D * a + i]).sum::<f64>();
    }
}

fn small<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    out: &mut CellAnswer,
) -> Option<()> {
    let geometry = Geometry::<D, N>::of::<E>(cell.x, &cell.model)?;
    let (q, dq) = (relative::<D, N>(cell.q), relative::<D, N>(cell.dq));
    let volume: f64 = geometry.points.iter().map(|p| p.volume).sum();
    for k in 0..geometry.points.len() {
        let increment = geometry.strain(k, &dq);
        let strain = geometry.strain(k, &q) + increment;
        let response = out.material(cell, k, &Kinematics3 { strain, increment, strain_rate: Mandel::zeros() });
        out.add(&geometry, k, &response, cell.model.section.thickness());
        if cell.wanted.average {
            out.average.add(&response.stress, &strain, geometry.points[k].volume / volume);
        }
    }
    Some(())
}

fn updated<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    rate: ObjectiveRate,
    out: &mut CellAnswer,
) -> Option<()> {
    let before = plus(cell.x, 1.0, cell.q);
    let given = points::<E, D, N>(cell.x, E::RULE);
    let middle = Geometry::<D, N>::of::<E>(&plus(&before, 0.5, cell.dq), &cell.model)?;
    let after = Geometry::<D, N>::of::<E>(&plus(&before, 1.0, cell.dq), &cell.model)?;
    let (q, dq) = (relative::<D, N>(cell.q), relative::<D, N>(cell.dq));
    let volume: f64 = after.points.iter().map(|p| p.volume).sum();
    let given = Geometry { points: given, operators: Vec::new() };
    let n_kept = cell.kinematics.n_kept();
    for k in 0..after.points.len() {
        let f_before = Matrix3::identity() + given.gradient(k, &q);
        let f_after = f_before + given.gradient(k, &dq);
        let frames = match rate {
            ObjectiveRate::GreenNaghdi => Frames::of_rotations(&f_before, &f_after),
            ObjectiveRate::Jaumann => {
                let change = middle.gradient(k, &dq);
                let end = (k + 1) * out.z.len() / after.points.len();
                let frames = Frames::of_spin(&cell.z[end - n_kept..end], &((change - change.transpose()) * 0.5));
                out.z[end - n_kept..end].copy_from_slice(frames.end.as_slice());
                frames
            }
        };
        let increment = turned(&middle.strain(k, &dq), &frames.middle.transpose());
        let kinematics = Kinematics3 { increment, ..Kinematics3::rest() };
        let mut response = out.material(cell, k, &kinematics);
        response.stress = turned(&response.stress, &frames.end);
        if cell.wanted.tangent {
            response.tangent = turned_tangent(&response.tangent, &frames.end);
        }
        out.add(&after, k, &response, cell.model.section.thickness());
        if cell.wanted.average {
            out.average.add(&response.stress, &logarithmic_strain(&f_after), after.points[k].volume / volume);
        }
    }
    Some(())
}

impl CellAnswer {
    fn start(&mut self, n_force: usize, z: &[f64], n_tangent: usize) {
        self.force.clear();
        self.force.resize(n_force, 0.0);
        self.z.clear();
        self.z.extend_from_slice(z);
        self.tangent.clear();
        self.tangent.resize(n_tangent, 0.0);
        (self.stored, self.dissipated, self.average) = (0.0, 0.0, CellAverage::default());
    }

    /// The material's answer at quadrature point k, whose internal variables move on.
    fn material<const D: usize>(&mut self, cell: &CellMotion<'_, D>, k: usize, kinematics: &Kinematics3) -> Response {
        let material = cell.model.material;
        let n = material.n_internal();
        let first = k * (n + cell.kinematics.n_kept());
        let own = first..first + n;
        material.respond(kinematics, cell.h, &cell.z[own.clone()], &mut self.z[own])
    }

    /// Adds a quadrature point to forces, tangent and energies.
    fn add<const D: usize, const N: usize>(
        &mut self,
        geometry: &Geometry<D, N>,
        k: usize,
        r: &Response,
        thickness: f64,
    ) {
        let weight = geometry.points[k].volume * thickness;
        let b = &geometry.operators[k];
        for a in 1..N {
            let f = b[a].tr_mul(&r.stress) * weight;
            (0..D).for_each(|i| self.force[D * a + i] += f[i]);
        }
        self.stored += r.stored * weight;
        self.dissipated += r.dissipated * weight;
        if !self.tangent.is_empty() {
            self.add_tangent::<D, N>(b, &(r.tangent * weight));
        }
    }

    fn add_tangent<const D: usize, const N: usize>(&mut self, b: &[SMatrix<f64, 6, D>], tangent: &Tangent) {
        for a in 1..N {
            let left = tangent * b[a];
            for c in 1..=a {
                let block = left.tr_mul(&b[c]);
                for i in 0..D {
                    for j in 0..if a == c { i + 1 } else { D } {
                        self.tangent[packed_index(D * (a - 1) + i, D * (c - 1) + j)] += block[(i, j)];
                    }
                }
            }
        }
    }
}

impl CellAverage {
    fn add(&mut self, stress: &Mandel, strain: &Mandel, share: f64) {
        self.stress += stress * share;
        self.strain += strain * share;
        self.von_mises += von_mises(stress) * share;
    }
}
