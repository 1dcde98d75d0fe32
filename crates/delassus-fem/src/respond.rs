//! The response of one cell to a motion, quadrature point by quadrature point: for bodies with internal variables or moving
//! geometry.
//!
//! ```text
//! small strains     :  Δε = Σ B_a Δq_a ,   f_a = Σ_qp B_aᵀ σ⁺ w |J| t ,   K_ab = Σ_qp B_aᵀ (∂σ⁺/∂Δε) B_b w |J| t
//! updated geometry  :  the same with B and |J| of x⁺ for f and K, and increments from the middle (see `kinematics`)
//! energies          :  Σ_qp ψ⁺ v⁺ stored,  Σ_qp D v̄, Σ_qp W v̄ and what is supplied over the step,  v = w |J| t, v̄ the mean of its ends;
//!                      Σ_qp ψ̄ Δv is energy that volumes took along, so that Δ(Σ ψ v) = Σ v̄ Δψ + Σ ψ̄ Δv
//! ```
//!
//! In plane stress of small strains the increment along z is the one with σ_zz⁺ = 0. Materials are linear in the increment, so with the stress σ⁰ and the tangent C of
//! a step without it
//!
//! ```text
//! Δε_zz = −σ⁰_zz / C_zz,zz ,     K from the tangent C − C_·,zz C_zz,·/C_zz,zz
//! ```
//!
//! ε_zz at the start belongs to the internal variables. Where the stress depends on the strain itself (springs that last) it follows from σ_zz = 0 there, so that a state
//! given by displacements alone is consistent.
//!
//! Displacements enter relative to the first node of the cell, and the force on that node is minus the sum of the others, as for
//! linear bodies: a translation leaves nothing. Radial displacements of axisymmetric cells count by themselves.

use nalgebra::{Matrix3, SMatrix, SVector};

use crate::cell::{CellAverage, CellModel};
use crate::element::Element;
use crate::formulation::Formulation;
use crate::kinematics::{Kinematics, MaterialFrames, ObjectiveRate, in_space, logarithmic_strain};
use crate::mapping::{QuadraturePoint, place, point, rule};
use crate::material::{Kinematics3, Material, PlasticState, Response, Stretching};
use crate::packed::{empty_relative, first_kept, n_kept, packed_index, packed_length};
use crate::section::Section;
use crate::tensor::{Mandel, Tangent, ZZ, rotated, rotated_tangent, unit};

/// What is wanted of the cells besides forces and internal variables.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub tangent: bool,
    /// Does the tangent of finite strains count what the present stresses do?
    pub stresses: bool,
    pub average: bool,
    /// θ, if the force of the step is wanted in the place of that at its end (finite strain alone).
    pub step: Option<f64>,
}

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

impl<const D: usize> CellMotion<'_, D> {
    /// Internal variables of a quadrature point.
    fn stride(&self) -> usize {
        self.model.material.n_internal() + kept_of(&self.model, self.kinematics)
    }
}

/// Numbers that a quadrature point keeps besides those of its material: what the kinematics keep, and ε_zz in plane stress.
pub(crate) fn kept_of(model: &CellModel<'_>, kinematics: Kinematics) -> usize {
    kinematics.n_kept() + usize::from(matches!(model.section, Section::PlaneStress { .. }))
}

/// How a cell responds. The buffers are used again from cell to cell.
#[derive(Debug, Default)]
pub(crate) struct CellResponse {
    /// Forces on the nodes, D each \[N\].
    pub force: Vec<f64>,
    /// Internal variables at the end.
    pub z: Vec<f64>,
    /// Reduced tangent, packed; empty if not wanted \[N/m\].
    pub tangent: Vec<f64>,
    /// Stored at the end \[J\].
    pub stored: f64,
    /// Dissipated within the step, but for plastic work \[J\].
    pub dissipated: f64,
    /// Plastic work within the step \[J\].
    pub plastic: f64,
    /// Supplied to the material within the step by another way than its stress \[J\].
    pub supplied: f64,
    /// Work of the stress within the step, along the material's path \[J\].
    pub path_work: f64,
    /// Stored energy that volumes took along as they changed \[J\].
    pub dilated: f64,
    /// Taken by the scheme, if the force of a step is wanted \[J\].
    pub numerical: f64,
    /// Averages over the cell at the end.
    pub average: CellAverage,
    /// Internal variables that nothing changed, for [`CellResponse::stored_before`].
    still: Vec<f64>,
    /// Does the material yield, so that what it dissipates is plastic work?
    yields: bool,
}

/// A geometry of a cell, seen at one quadrature point after the other.
struct Geometry<const D: usize, const N: usize> {
    x: [[f64; D]; N],
    section: Section,
    /// ḡ of B-bar, if it is used (see [`Formulation`]).
    mean: Option<SMatrix<f64, D, N>>,
}

/// What a geometry is at a quadrature point.
struct Here<const D: usize, const N: usize> {
    point: QuadraturePoint<D, N>,
    operators: [SMatrix<f64, 6, D>; N],
}

impl<const D: usize, const N: usize> Geometry<D, N> {
    /// None for a cell that is turned over or flat.
    fn of<E: Element<D, N>>(x: [[f64; D]; N], model: &CellModel) -> Option<Self> {
        let mut geometry = Self { x, section: model.section, mean: None };
        let n_points = geometry.rule::<E>().len();
        if model.formulation == Formulation::BBar && E::KIND.is_linear() && n_points > 1 {
            let (mut sum, mut volume) = (SMatrix::zeros(), 0.0);
            for k in 0..n_points {
                let point = geometry.point::<E>(k)?;
                sum += point.traces() * point.volume;
                volume += point.volume;
            }
            geometry.mean = Some(sum / volume);
        }
        Some(geometry)
    }

    fn rule<E: Element<D, N>>(&self) -> &'static [([f64; D], f64)] {
        rule::<E, D, N>(self.section)
    }

    fn point<E: Element<D, N>>(&self, k: usize) -> Option<QuadraturePoint<D, N>> {
        point::<E, D, N>(&self.x, &self.rule::<E>()[k], self.section).filter(|p| p.volume > 0.0)
    }

    fn here<E: Element<D, N>>(&self, k: usize) -> Option<Here<D, N>> {
        let point = self.point::<E>(k)?;
        let mut operators: [_; N] = std::array::from_fn(|a| point.operator(a));
        if let Some(mean) = &self.mean {
            for (a, b) in operators.iter_mut().enumerate() {
                *b += unit() * (mean.column(a) - point.trace(a)).transpose() / 3.0;
            }
        }
        Some(Here { point, operators })
    }

    fn volume<E: Element<D, N>>(&self) -> Option<f64> {
        (0..self.rule::<E>().len()).map(|k| self.point::<E>(k).map(|p| p.volume)).sum()
    }
}

impl<const D: usize, const N: usize> Here<D, N> {
    /// ε; displacements of the first node count where they are not relative to it.
    fn strain(&self, d: &[SVector<f64, D>; N], first: usize) -> Mandel {
        self.operators.iter().zip(d).skip(first).fold(Mandel::zeros(), |sum, (b, d)| sum + b * d)
    }
}

/// ∇d at a point.
fn gradient<const D: usize, const N: usize>(point: &QuadraturePoint<D, N>, d: &[SVector<f64, D>; N]) -> Matrix3<f64> {
    let outer = |a: usize| d[a] * point.gradient.column(a).transpose();
    in_space(&(1..N).fold(SMatrix::<f64, D, D>::zeros(), |sum, a| sum + outer(a)))
}

/// x relative to the first node, but for components that count by themselves.
pub(crate) fn relative<const D: usize, const N: usize>(x: &[[f64; D]], n_absolute: usize) -> [SVector<f64, D>; N] {
    std::array::from_fn(|a| SVector::from_fn(|i, _| if i < n_absolute { x[a][i] } else { x[a][i] - x[0][i] }))
}

/// x + y + a z.
fn moved<const D: usize, const N: usize>(x: &[[f64; D]], y: &[[f64; D]], a: f64, z: &[[f64; D]]) -> [[f64; D]; N] {
    std::array::from_fn(|n| std::array::from_fn(|i| x[n][i] + y[n][i] + a * z[n][i]))
}

/// The response with the symmetric part of its tangent: operators are symmetric.
fn for_operator(material: &dyn Material, response: Response) -> Response {
    if material.has_symmetric_tangent() {
        return response;
    }
    Response { tangent: (response.tangent + response.tangent.transpose()) * 0.5, ..response }
}

/// Responds in one of the ways below; forces are NaN for a motion that turns the cell over, or that its material cannot follow.
pub(crate) fn respond_by<const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    out: &mut CellResponse,
    way: impl FnOnce(&CellMotion<'_, D>, &mut CellResponse) -> Option<()>,
) {
    let n_absolute = cell.model.section.n_absolute();
    let n = n_kept::<D, N>(n_absolute);
    out.start(D * N, cell.z, if cell.wanted.tangent { packed_length(n) } else { 0 });
    let material = cell.model.material;
    out.yields = cell.z.get(..material.n_internal()).is_some_and(|z| material.plastic(z).is_some());
    if way(cell, out).is_none() || !out.force.iter().all(|f| f.is_finite()) {
        // No tangent is better than one that is no number: the step is refused by its forces.
        out.force.fill(f64::NAN);
        out.tangent.fill(0.0);
    }
    for i in n_absolute..D {
        out.force[i] = -(1..N).map(|a| out.force[D * a + i]).sum::<f64>();
    }
    if cell.wanted.tangent {
        empty_relative::<D>(&mut out.tangent, n, n_absolute);
    }
}

/// Small strains.
pub(crate) fn small<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    out: &mut CellResponse,
) -> Option<()> {
    let geometry = Geometry::<D, N>::of::<E>(std::array::from_fn(|a| cell.x[a]), &cell.model)?;
    let section = cell.model.section;
    let (n_absolute, first) = (section.n_absolute(), first_kept(section.n_absolute()));
    let (q, dq) = (relative::<D, N>(cell.q, n_absolute), relative::<D, N>(cell.dq, n_absolute));
    let volume = if cell.wanted.average { geometry.volume::<E>()? } else { 1.0 };
    let thickness = section.thickness();
    out.average.volume = volume * thickness;
    for (k, (xi, _)) in rule::<E, D, N>(section).iter().enumerate() {
        let here = geometry.here::<E>(k)?;
        let increment = here.strain(&dq, first);
        let (strain, response) = out.small_point(cell, k, here.strain(&q, first), increment);
        out.add(&here, &response, thickness, first);
        out.add_energies(&response, here.point.volume * thickness, here.point.volume * thickness);
        if cell.wanted.average {
            let place = place::<E, D, N>(cell.x, xi);
            out.average.add(&response.stress, &strain, here.point.volume / volume, &place);
            out.average.add_plastic(out.plastic(cell, k), here.point.volume / volume);
        }
    }
    Some(())
}

/// Moving geometry; not for axisymmetric cells.
pub(crate) fn updated<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    rate: ObjectiveRate,
    out: &mut CellResponse,
) -> Option<()> {
    let section = cell.model.section;
    let given = Geometry::<D, N> { x: std::array::from_fn(|a| cell.x[a]), section, mean: None };
    let before = Geometry::<D, N> { x: moved(cell.x, cell.q, 0.0, cell.dq), section, mean: None };
    let middle = Geometry::<D, N>::of::<E>(moved(cell.x, cell.q, 0.5, cell.dq), &cell.model)?;
    let after = Geometry::<D, N>::of::<E>(moved(cell.x, cell.q, 1.0, cell.dq), &cell.model)?;
    let (q, dq) = (relative::<D, N>(cell.q, 0), relative::<D, N>(cell.dq, 0));
    let volume = if cell.wanted.average { after.volume::<E>()? } else { 1.0 };
    out.average.volume = volume * cell.model.section.thickness();
    let (n_points, n_kept) = (E::RULE.len(), cell.kinematics.n_kept());
    for k in 0..n_points {
        let (given, middle, after) = (given.point::<E>(k)?, middle.here::<E>(k)?, after.here::<E>(k)?);
        let f_before = Matrix3::identity() + gradient(&given, &q);
        let f_after = f_before + gradient(&given, &dq);
        let frames = match rate {
            ObjectiveRate::GreenNaghdi => MaterialFrames::of_rotations(&f_before, &f_after),
            ObjectiveRate::Jaumann => {
                let change = gradient(&middle.point, &dq);
                let end = (k + 1) * out.z.len() / n_points;
                let kept = end - n_kept..end;
                let frames = MaterialFrames::of_spin(&cell.z[kept.clone()], &((change - change.transpose()) * 0.5));
                out.z[kept].copy_from_slice(frames.end.as_slice());
                frames
            }
        };
        let increment = rotated(&middle.strain(&dq, 1), &frames.middle.transpose());
        let mut response = out.material(cell, k, &Kinematics3 { increment, ..Kinematics3::rest() });
        let thickness = cell.model.section.thickness();
        let volumes = [before.point::<E>(k)?.volume * thickness, after.point.volume * thickness];
        out.add_energies(&response, 0.5 * (volumes[0] + volumes[1]), volumes[1]);
        out.dilated += 0.5 * (out.stored_before(cell, k) + response.stored) * (volumes[1] - volumes[0]);
        response.stress = rotated(&response.stress, &frames.end);
        if cell.wanted.tangent {
            response.tangent = rotated_tangent(&response.tangent, &frames.end);
        }
        out.add(&after, &response, thickness, 1);
        if cell.wanted.average {
            let place = place::<E, D, N>(cell.x, &E::RULE[k].0);
            out.average.add(&response.stress, &logarithmic_strain(&f_after), after.point.volume / volume, &place);
        }
    }
    Some(())
}

impl CellResponse {
    fn start(&mut self, n_force: usize, z: &[f64], n_tangent: usize) {
        self.force.clear();
        self.force.resize(n_force, 0.0);
        self.z.clear();
        self.z.extend_from_slice(z);
        self.tangent.clear();
        self.tangent.resize(n_tangent, 0.0);
        (self.stored, self.dissipated, self.average) = (0.0, 0.0, CellAverage::default());
        (self.path_work, self.dilated, self.plastic, self.supplied) = (0.0, 0.0, 0.0, 0.0);
        self.numerical = 0.0;
    }

    /// The strain at the end of a step of small strains and the response to it, at quadrature point k; in plane stress with the strain along z.
    fn small_point<const D: usize>(
        &mut self,
        cell: &CellMotion<'_, D>,
        k: usize,
        before: Mandel,
        increment: Mandel,
    ) -> (Mandel, Response) {
        let respond = |out: &mut Self, h: f64, before: Mandel, increment: Mandel| {
            let kinematics = Kinematics3 { strain: before + increment, increment, strain_rate: Mandel::zeros() };
            out.material_over(cell, k, &kinematics, h)
        };
        let section = cell.model.section;
        if !matches!(section, Section::PlaneStress { .. }) {
            return (before + increment, respond(self, cell.h, before, increment));
        }
        let kept = (k + 1) * cell.stride() - 1;
        let (still, mut along) = (Mandel::zeros(), Mandel::zeros());
        along[ZZ] = 1.0;
        let free = respond(self, 0.0, before, still).stress[ZZ];
        let slope = respond(self, 0.0, before + along, still).stress[ZZ] - free;
        let thinned = if slope > 0.0 { -free / slope } else { cell.z.get(kept).copied().unwrap_or(0.0) };
        let before = before + along * thinned;
        let trial = respond(self, cell.h, before, increment);
        let increment = increment - along * (trial.stress[ZZ] / trial.tangent[(ZZ, ZZ)]);
        let mut response = respond(self, cell.h, before, increment);
        response.tangent = section.condense(&response.tangent);
        if let Some(z) = self.z.get_mut(kept) {
            *z = before[ZZ] + increment[ZZ];
        }
        (before + increment, response)
    }

    /// The material's response at quadrature point k, whose internal variables move on.
    fn material<const D: usize>(&mut self, cell: &CellMotion<'_, D>, k: usize, kinematics: &Kinematics3) -> Response {
        self.material_over(cell, k, kinematics, cell.h)
    }

    /// The same over another time.
    fn material_over<const D: usize>(
        &mut self,
        cell: &CellMotion<'_, D>,
        k: usize,
        kinematics: &Kinematics3,
        h: f64,
    ) -> Response {
        let material = cell.model.material;
        let first = k * cell.stride();
        let own = first..first + material.n_internal();
        for_operator(material, material.respond(kinematics, h, &cell.z[own.clone()], &mut self.z[own]))
    }

    /// The plastic state of quadrature point k.
    pub(crate) fn plastic<const D: usize>(&self, cell: &CellMotion<'_, D>, k: usize) -> Option<PlasticState> {
        let material = cell.model.material;
        let first = k * cell.stride();
        material.plastic(self.z.get(first..first + material.n_internal())?)
    }

    /// The response of quadrature point k at finite strain; none where its material cannot follow.
    pub(crate) fn stretched<const D: usize>(
        &mut self,
        cell: &CellMotion<'_, D>,
        k: usize,
        motion: &Stretching,
    ) -> Option<Response> {
        let material = cell.model.material;
        let first = k * cell.stride();
        let own = first..first + material.n_internal();
        let response = material.respond_finite(motion, cell.h, &cell.z[own.clone()], &mut self.z[own])?;
        Some(for_operator(material, response))
    }

    /// ψ of quadrature point k at the start, of a material that follows increments \[J/m³\].
    fn stored_before<const D: usize>(&mut self, cell: &CellMotion<'_, D>, k: usize) -> f64 {
        let material = cell.model.material;
        let first = k * cell.stride();
        let z = &cell.z[first..first + material.n_internal()];
        self.still.clear();
        self.still.extend_from_slice(z);
        material.respond(&Kinematics3::rest(), 0.0, z, &mut self.still).stored
    }

    /// Adds the energies of a quadrature point with its mean volume of the step and that at its end \[m³\].
    pub(crate) fn add_energies(&mut self, r: &Response, mean: f64, end: f64) {
        self.stored += r.stored * end;
        let lost = if self.yields { &mut self.plastic } else { &mut self.dissipated };
        *lost += r.dissipated * mean;
        self.supplied += r.supplied * mean;
        self.path_work += r.path_work * mean;
    }

    /// Adds a quadrature point to forces and tangent.
    fn add<const D: usize, const N: usize>(&mut self, here: &Here<D, N>, r: &Response, thickness: f64, first: usize) {
        let weight = here.point.volume * thickness;
        let b = &here.operators;
        for a in first..N {
            let f = b[a].tr_mul(&r.stress) * weight;
            (0..D).for_each(|i| self.force[D * a + i] += f[i]);
        }
        if !self.tangent.is_empty() {
            self.add_tangent::<D, N>(b, &(r.tangent * weight), first);
        }
    }

    fn add_tangent<const D: usize, const N: usize>(
        &mut self,
        b: &[SMatrix<f64, 6, D>],
        tangent: &Tangent,
        first: usize,
    ) {
        for a in first..N {
            let left = tangent * b[a];
            for c in first..=a {
                let block = left.tr_mul(&b[c]);
                for i in 0..D {
                    for j in 0..if a == c { i + 1 } else { D } {
                        self.tangent[packed_index(D * (a - first) + i, D * (c - first) + j)] += block[(i, j)];
                    }
                }
            }
        }
    }
}
