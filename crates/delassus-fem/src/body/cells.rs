//! Bodies whose cells have frames of their own: sums over the cells of [`FramedCell`].
//!
//! Every cell answers in its frame as one of small strains: s = K (ũ + θ Δũ) by its reduced matrix, or (1−θ) s + θ s⁺ by the response of a
//! material with internal variables. Nothing is kept between the calls but the mesh and the matrices of the cells.

use delassus_dynamics::{BodyResponse, Motion, State, StepTangent, Stresses, TangentAt, TurnedStep};
use nalgebra::{SMatrix, SVector};

use super::Body;
use super::turning::plus;
use crate::assembly::{add_mass, scatter_packed};
use crate::cell::CellAverage;
use crate::cell_frames::{CellFrame, FramedCell};
use crate::internal_variables::InternalVariables;
use crate::kinematics::in_space;
use crate::respond::{CellMotion, CellResponse, Wanted};
use crate::rotation::{BodyRotation, RotationSum, rotation_angle};

type Nodes<const D: usize> = Vec<SVector<f64, D>>;

/// x + a y.
fn blend<const D: usize>(x: &[SVector<f64, D>], a: f64, y: &[SVector<f64, D>]) -> Nodes<D> {
    x.iter().zip(y).map(|(x, y)| x + y * a).collect()
}

fn product<const D: usize>(x: &[SVector<f64, D>], y: &[SVector<f64, D>]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x.dot(y)).sum()
}

/// How a cell answers a motion Δũ in its frame.
#[derive(Default)]
struct CellAnswer<const D: usize> {
    /// s at the level θ \[N\].
    force: Nodes<D>,
    /// Internal variables at the end.
    z: Vec<f64>,
    stored: f64,
    dissipated: f64,
    plastic: f64,
    supplied: f64,
    path_work: f64,
    /// Reduced tangent; empty if not wanted \[N/m\].
    tangent: Vec<f64>,
}

/// Where a cell begins and ends, in its frames.
struct CellPath<const D: usize> {
    /// Displacements before and after, relative to the first node.
    u: [Nodes<D>; 2],
    frames: [CellFrame<D>; 2],
    /// ũ before.
    local: Nodes<D>,
    /// Δũ.
    change: Nodes<D>,
}

impl<const D: usize> CellPath<D> {
    fn of(cell: &FramedCell<'_, D>, motion: &Motion<'_>) -> Self {
        let before = cell.relative(&motion.from.q);
        let after = blend(&before, 1.0, &cell.relative(motion.dq));
        let frames = [cell.frame(&before), cell.frame(&after)];
        let local = cell.local(&frames[0], &before);
        let change = blend(&cell.local(&frames[1], &after), -1.0, &local);
        Self { u: [before, after], frames, local, change }
    }

    /// Displacements in the middle.
    fn middle(&self) -> Nodes<D> {
        self.u[0].iter().zip(&self.u[1]).map(|(a, b)| (a + b) * 0.5).collect()
    }

    /// R̄.
    fn mean_frame(&self) -> SMatrix<f64, D, D> {
        (self.frames[0].rotation + self.frames[1].rotation) * 0.5
    }
}

impl<const D: usize> Body<D> {
    /// The cells, with the place of their internal variables.
    fn framed(&self) -> impl Iterator<Item = (FramedCell<'_, D>, std::ops::Range<usize>)> {
        let offsets = self.internal_variables.as_ref().map_or(&[][..], |m| &m.offsets);
        let range = |k: usize| offsets.get(k).zip(offsets.get(k + 1)).map_or(0..0, |(a, b)| *a..*b);
        let cells = self.assembly.parts().enumerate();
        cells.map(move |(k, part)| (FramedCell::new(part, &self.input.mesh.points), range(k)))
    }

    /// The answer of a cell to a motion Δũ from ũ over h.
    fn answer(
        &self,
        cell: &FramedCell<'_, D>,
        z: &[f64],
        [local, change]: [&[SVector<f64, D>]; 2],
        h: f64,
        theta: f64,
        wanted: Wanted,
    ) -> CellAnswer<D> {
        let Some(internal) = &self.internal_variables else {
            let k = cell.part.stiffness;
            let end = blend(local, 1.0, change);
            let force = FramedCell::times(k, &blend(local, theta, change));
            let middle = FramedCell::times(k, &blend(local, 0.5, change));
            let stored = 0.5 * product(&end, &FramedCell::times(k, &end));
            let tangent = if wanted.tangent { k.to_vec() } else { Vec::new() };
            let path_work = product(&middle, change);
            return CellAnswer { force, stored, path_work, tangent, ..CellAnswer::default() };
        };
        let still = vec![SVector::zeros(); change.len()];
        let (mut before, mut after) = (CellResponse::default(), CellResponse::default());
        if theta < 1.0 {
            self.respond_cell(internal, cell, z, [local, &still], 0.0, Wanted::default(), &mut before);
        }
        self.respond_cell(internal, cell, z, [local, change], h, wanted, &mut after);
        let force = |r: &CellResponse| -> Nodes<D> {
            r.force.chunks_exact(D).skip(1).map(SVector::from_column_slice).collect()
        };
        let end = force(&after);
        let force = if theta < 1.0 {
            let share = force(&before);
            end.iter().zip(&share).map(|(a, b)| a * theta + b * (1.0 - theta)).collect()
        } else {
            end
        };
        let CellResponse { z, stored, dissipated, plastic, supplied, path_work, tangent, .. } = after;
        CellAnswer { force, z, stored, dissipated, plastic, supplied, path_work, tangent }
    }

    #[expect(clippy::too_many_arguments, reason = "what a material sees of a cell")]
    fn respond_cell(
        &self,
        internal: &InternalVariables<D>,
        cell: &FramedCell<'_, D>,
        z: &[f64],
        [local, change]: [&[SVector<f64, D>]; 2],
        h: f64,
        wanted: Wanted,
        out: &mut CellResponse,
    ) {
        let Some(model) = self.model_of(cell.part.number) else { return };
        let x: Vec<[f64; D]> = cell.part.nodes.iter().map(|&n| self.input.mesh.points[n]).collect();
        let [q, dq] = [local, change].map(FramedCell::all_nodes);
        let kinematics = internal.kinematics;
        let motion = CellMotion { model, kinematics, x: &x, q: &q, dq: &dq, h, z, wanted };
        (cell.part.kernel.respond)(&motion, out);
    }

    /// F(x, x⁺).
    pub(super) fn step_force_of_cells(&self, motion: &Motion<'_>, theta: f64) -> Vec<f64> {
        let mut out = vec![0.0; motion.dq.len()];
        for (cell, z) in self.framed() {
            let path = CellPath::of(&cell, motion);
            let z = motion.from.z.get(z).unwrap_or_default();
            let answer = self.answer(&cell, z, [&path.local, &path.change], motion.h, theta, Wanted::default());
            cell.add(&cell.force(&path.mean_frame(), &answer.force, &path.middle()), &mut out);
        }
        out
    }

    /// F, linear in the motion: every frame turns as its spin predicts.
    pub(super) fn predicted_force_of_cells(&self, motion: &Motion<'_>, theta: f64) -> Vec<f64> {
        let mut out = vec![0.0; motion.dq.len()];
        for (cell, z) in self.framed() {
            let u = cell.relative(&motion.from.q);
            let frame = cell.frame(&u);
            let local = cell.local(&frame, &u);
            let [w, du] = [&motion.from.v, motion.dq].map(|x| cell.relative(x));
            let (middle, change) = cell.predicted(&frame, &local, &w, &du, motion.h);
            let z = motion.from.z.get(z).unwrap_or_default();
            let answer = self.answer(&cell, z, [&local, &change], motion.h, theta, Wanted::default());
            let forces: Nodes<D> = answer.force.iter().map(|s| middle * s).collect();
            cell.add(&forces, &mut out);
        }
        out
    }

    /// The energies of a step, without its spin.
    pub(super) fn step_of_cells(&self, motion: &Motion<'_>, theta: f64) -> TurnedStep {
        let mut out = TurnedStep { z: vec![0.0; motion.from.z.len()], ..TurnedStep::default() };
        for (cell, z) in self.framed() {
            let path = CellPath::of(&cell, motion);
            let before = motion.from.z.get(z.clone()).unwrap_or_default();
            let answer = self.answer(&cell, before, [&path.local, &path.change], motion.h, theta, Wanted::default());
            out.stored += answer.stored;
            out.dissipated += answer.dissipated;
            out.plastic += answer.plastic;
            out.supplied += answer.supplied;
            // (θ−½)|Δũ|²_K of an elastic cell, by its own formula: no difference of works
            out.numerical += match &self.internal_variables {
                None if theta > 0.5 => {
                    (theta - 0.5) * product(&path.change, &FramedCell::times(cell.part.stiffness, &path.change))
                }
                None => 0.0,
                Some(_) => product(&answer.force, &path.change) - answer.path_work,
            };
            if !answer.z.is_empty() {
                out.z[z].copy_from_slice(&answer.z);
            }
        }
        out
    }

    /// The response for schemes that use forces of configurations, f⁺ = ∂Ψ/∂x.
    pub(super) fn response_of_cells(&self, motion: &Motion<'_>) -> BodyResponse {
        let mut out = BodyResponse {
            force: vec![0.0; motion.dq.len()],
            z: vec![0.0; motion.from.z.len()],
            ..BodyResponse::default()
        };
        for (cell, z) in self.framed() {
            let path = CellPath::of(&cell, motion);
            let before = motion.from.z.get(z.clone()).unwrap_or_default();
            let answer = self.answer(&cell, before, [&path.local, &path.change], motion.h, 1.0, Wanted::default());
            cell.add(&cell.force(&path.frames[1].rotation, &answer.force, &path.u[1]), &mut out.force);
            out.stored += answer.stored;
            out.dissipated += answer.dissipated;
            out.plastic += answer.plastic;
            out.supplied += answer.supplied;
            out.path_work += answer.path_work;
            if !answer.z.is_empty() {
                out.z[z].copy_from_slice(&answer.z);
            }
        }
        out
    }

    /// C v without α M v.
    pub(super) fn viscosity_of_cells(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; v.len()];
        for (cell, _) in self.framed().filter(|(cell, _)| !cell.part.damping.is_empty()) {
            let u = cell.relative(q);
            let frame = cell.frame(&u);
            let rate = cell.rate(&frame, &cell.local(&frame, &u), &cell.relative(v));
            let s = FramedCell::times(cell.part.damping, &rate);
            cell.add(&cell.force(&frame.rotation, &s, &u), &mut out);
        }
        out
    }

    /// The tangents of a step, or of a configuration.
    pub(super) fn tangent_of_cells(&self, motion: &Motion<'_>, at: TangentAt, stresses: Stresses) -> StepTangent {
        let Some(pattern) = &self.cell_pattern else { return StepTangent::default() };
        let mut stiffness = vec![0.0; pattern.n_entries()];
        let mut damping = self.assembly.is_damped().then(|| vec![0.0; pattern.n_entries()]);
        // the frame of a step turns by half of what its end turns
        let share = match (stresses, at) {
            (Stresses::LeftOut, _) => 0.0,
            (Stresses::Counted, TangentAt::Start { theta } | TangentAt::Middle { theta }) => 0.5 / theta,
            (Stresses::Counted, TangentAt::End) => 1.0,
        };
        let (mut full, wanted) = (Vec::new(), Wanted { tangent: true, stresses: true, ..Wanted::default() });
        for (cell, z) in self.framed() {
            let z = motion.from.z.get(z).unwrap_or_default();
            let path = CellPath::of(&cell, motion);
            let still = vec![SVector::zeros(); path.change.len()];
            let (rotation, local, change, theta) = match at {
                TangentAt::Start { .. } => {
                    let (w, frame) = (cell.relative(&motion.from.v), &path.frames[0]);
                    let (middle, _) = cell.predicted(frame, &path.local, &w, &still, motion.h);
                    (middle, path.local.clone(), still, 1.0)
                }
                TangentAt::Middle { theta } => {
                    let middle = cell.frame(&path.middle()).rotation;
                    (middle, blend(&path.local, 0.5, &path.change), path.change.clone(), theta)
                }
                TangentAt::End => {
                    (path.frames[1].rotation, blend(&path.local, 1.0, &path.change), path.change.clone(), 1.0)
                }
            };
            let answer = self.answer(&cell, z, [&path.local, &change], motion.h, theta, wanted);
            let tangent = cell.tangent(&rotation, &local, &answer.tangent, &answer.force, share);
            scatter_packed(pattern, cell.part.nodes, &tangent, &mut full, &mut stiffness);
            if let Some(damping) = damping.as_mut().filter(|_| !cell.part.damping.is_empty()) {
                let tangent = cell.tangent(&rotation, &local, cell.part.damping, &still_of(&local), 0.0);
                scatter_packed(pattern, cell.part.nodes, &tangent, &mut full, damping);
            }
        }
        if share > 0.0 && !self.following.is_empty() {
            let (t, t_plus) = (motion.from.t, motion.from.t + motion.h);
            let (times, part) = match at {
                TangentAt::Start { .. } => ([t, t_plus], 0.0),
                TangentAt::Middle { .. } => ([t, t_plus], 0.5),
                TangentAt::End => ([t_plus; 2], 1.0),
            };
            let q: Vec<f64> = motion.from.q.iter().zip(motion.dq).map(|(q, d)| q + part * d).collect();
            self.following.iter().for_each(|load| load.add_stiffness(times, &q, share, pattern, &mut stiffness));
        }
        if let Some(damping) = &mut damping {
            add_mass(pattern, &self.matrices.mass, self.input.rayleigh.alpha, damping);
        }
        StepTangent { stiffness, damping }
    }

    /// Stress and strain of the cells in a state, turned with their frames.
    pub(super) fn averages_of_cells(&self, state: &State) -> Vec<(usize, CellAverage)> {
        let mut averages = Vec::new();
        let wanted = Wanted { average: true, ..Wanted::default() };
        for (cell, z) in self.framed() {
            let u = cell.relative(&state.q);
            let frame = cell.frame(&u);
            let local = cell.local(&frame, &u);
            let average = match &self.internal_variables {
                Some(internal) => {
                    let (mut response, z) = (CellResponse::default(), state.z.get(z).unwrap_or_default());
                    let still = still_of(&local);
                    self.respond_cell(internal, &cell, z, [&local, &still], 0.0, wanted, &mut response);
                    response.average
                }
                None => {
                    let Some(model) = self.model_of(cell.part.number) else { continue };
                    let x: Vec<[f64; D]> = cell.part.nodes.iter().map(|&n| self.input.mesh.points[n]).collect();
                    let rate = cell.rate(&frame, &local, &cell.relative(&state.v));
                    let [q, v] = [&local, &rate].map(|x| FramedCell::all_nodes(x));
                    (cell.part.kernel.average)(&x, &model, &q, &v)
                }
            };
            averages.push((cell.part.number, average.turned(Some(&in_space(&frame.rotation)))));
        }
        averages
    }

    /// What is left of rotation and strain in the frames, at the quadrature points.
    pub(super) fn rotation_in_cells(&self, q: &[f64]) -> BodyRotation {
        let mut sum = RotationSum::new();
        for (cell, _) in self.framed() {
            let u = cell.relative(q);
            let local = cell.local(&cell.frame(&u), &u);
            let x: Vec<[f64; D]> = cell.part.nodes.iter().map(|&n| self.input.mesh.points[n]).collect();
            (cell.part.kernel.gradients)(&x, &FramedCell::all_nodes(&local), &mut |gradient, volume| {
                sum.add(cell.part.number, gradient, volume);
            });
        }
        sum.result_in_frame()
    }

    /// The largest angle by which a frame is turned \[rad\].
    pub(super) fn largest_turn_of_cells(&self, q: &[f64]) -> f64 {
        let angle = |(cell, _): (FramedCell<'_, D>, _)| {
            rotation_angle(&(cell.frame(&cell.relative(q)).rotation - SMatrix::identity()))
        };
        self.framed().map(angle).fold(0.0, |most: f64, x| if x.is_nan() || x > most { x } else { most })
    }

    /// The energy that a rigid body with the spin of this one loses by the turn of the step, |Δv|²_M (see [`TurnedStep::spin`]); none where the
    /// body as a whole has no frame.
    pub(super) fn spin_of_cells(&self, motion: &Motion<'_>) -> f64 {
        let Some(corotation) = &self.corotation else { return 0.0 };
        let frame = corotation.frame(&motion.from.q);
        let local = corotation.local(&frame, &motion.from.q);
        let spin = corotation.spin(&frame, &local, &motion.from.v);
        let turn = frame.rotation.transpose() * corotation.frame(&plus(&motion.from.q, motion.dq)).rotation;
        let change = corotation.spin_change(&local, &spin, &turn);
        if change.is_finite() { change } else { 0.0 }
    }
}

fn still_of<const D: usize>(x: &[SVector<f64, D>]) -> Nodes<D> {
    vec![SVector::zeros(); x.len()]
}
