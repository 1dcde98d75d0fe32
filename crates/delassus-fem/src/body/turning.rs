//! Bodies that turn: small strains in the frame of [`Corotation`](crate::corotation::Corotation).
//!
//! A state in the frame is that of a body of small strains: ũ in the place of q. Elastic cells give s = K (ũ + θ Δũ) from their reduced matrices,
//! materials with internal variables s = (1−θ) f̃ + θ f̃⁺ by the response to the motion Δũ.

use delassus_dynamics::{
    BlockRotation, BodyResponse, Inelastic, Motion, State, StepTangent, Stresses, System, TangentAt, TurnedStep,
    Turning, TurningStart,
};
use nalgebra::{SMatrix, SVector};

use super::Body;
use crate::corotation::{BodyFrame, Corotation, half_turn};
use crate::rotation::rotation_angle;

/// A matrix, row by row.
fn rows<const D: usize>(a: &SMatrix<f64, D, D>) -> Vec<f64> {
    a.transpose().as_slice().to_vec()
}

pub(super) fn plus(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x + y).collect()
}

fn minus(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x - y).collect()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The end of a motion, in its frame.
struct LocalEnd<const D: usize> {
    frame: BodyFrame<D>,
    q: Vec<f64>,
    /// Δũ.
    change: Vec<f64>,
}

impl<const D: usize> LocalEnd<D> {
    fn of(corotation: &Corotation<D>, start: &TurningStart, motion: &Motion<'_>) -> Self {
        let q = plus(&motion.from.q, motion.dq);
        let frame = corotation.frame(&q);
        let change = minus(&corotation.local(&frame, &q), &start.local.q);
        Self { frame, q, change }
    }
}

/// The frame at the start of a step.
fn frame_of<const D: usize>(start: &TurningStart) -> BodyFrame<D> {
    BodyFrame::at(SMatrix::from_row_slice(&start.rotation), SVector::from_column_slice(&start.centre))
}

impl<const D: usize> Body<D> {
    /// The frame of a configuration and the displacements in it; none for a body without a frame.
    pub(crate) fn in_frame(&self, state: &State) -> Option<(BodyFrame<D>, State)> {
        let corotation = self.corotation.as_ref().filter(|_| !self.has_cell_frames())?;
        let frame = corotation.frame(&state.q);
        let q = corotation.local(&frame, &state.q);
        let v = corotation.local_velocity(&frame, &q, &state.v);
        Some((frame, State { q, v, ..state.clone() }))
    }

    /// Has each cell a frame of its own?
    #[must_use]
    pub fn has_cell_frames(&self) -> bool {
        self.cell_pattern.is_some()
    }

    /// The angle by which the frame is turned, the largest of those of the cells if each has one, 0 to π \[rad\]; none for a body without a frame.
    #[must_use]
    pub fn frame_angle(&self, state: &State) -> Option<f64> {
        if self.has_cell_frames() {
            return Some(self.largest_turn_of_cells(&state.q));
        }
        let frame = self.corotation.as_ref()?.frame(&state.q);
        Some(rotation_angle(&(frame.rotation - SMatrix::identity())))
    }

    /// s of a motion Δũ from the start of a step.
    fn local_force(&self, start: &TurningStart, change: &[f64], h: f64, theta: f64) -> Vec<f64> {
        let mut s = vec![0.0; change.len()];
        match &start.response {
            Some(before) => {
                let after = self.small_response(&Motion { from: &start.local, dq: change, h });
                let pairs = before.force.iter().zip(&after.force);
                s.iter_mut().zip(pairs).for_each(|(s, (b, a))| *s = (1.0 - theta) * b + theta * a);
            }
            None => {
                let at: Vec<f64> = start.local.q.iter().zip(change).map(|(u, d)| u + theta * d).collect();
                self.elastic_force_into(&at, &mut s);
            }
        }
        s
    }

    /// C v of a body with a frame, without α M v.
    pub(super) fn turned_viscosity(&self, corotation: &Corotation<D>, q: &[f64], v: &[f64]) -> Vec<f64> {
        if self.has_cell_frames() {
            return self.viscosity_of_cells(q, v);
        }
        let frame = corotation.frame(q);
        let local = corotation.local(&frame, q);
        let rate = corotation.local_velocity(&frame, &local, v);
        let mut s = vec![0.0; v.len()];
        self.assembly.add_damping_force(&rate, &mut s);
        corotation.force(&frame, q, &s)
    }

    /// The response of a body with a frame, for schemes that use forces of configurations: f⁺ = −∂Ψ/∂x.
    pub(super) fn turned_response(&self, corotation: &Corotation<D>, motion: &Motion<'_>) -> BodyResponse {
        if self.has_cell_frames() {
            return self.response_of_cells(motion);
        }
        let before = corotation.frame(&motion.from.q);
        let local = State { q: corotation.local(&before, &motion.from.q), ..motion.from.clone() };
        if self.internal_variables.is_none() && motion.dq.iter().all(|d| d.abs() <= 0.0) {
            return turned_by(corotation, &before, &motion.from.q, self.elastic_response(&local.q));
        }
        let q = plus(&motion.from.q, motion.dq);
        let frame = corotation.frame(&q);
        let change = minus(&corotation.local(&frame, &q), &local.q);
        let response = if self.internal_variables.is_some() {
            self.small_response(&Motion { from: &local, dq: &change, h: motion.h })
        } else {
            let mut middle = vec![0.0; change.len()];
            let half: Vec<f64> = local.q.iter().zip(&change).map(|(u, d)| u + 0.5 * d).collect();
            self.elastic_force_into(&half, &mut middle);
            let path_work = dot(&middle, &change);
            BodyResponse { path_work, ..self.elastic_response(&plus(&local.q, &change)) }
        };
        turned_by(corotation, &frame, &q, response)
    }

    /// Force and energy of displacements in the frame, of an elastic body.
    fn elastic_response(&self, local: &[f64]) -> BodyResponse {
        let mut force = vec![0.0; local.len()];
        let stored = self.assembly.elastic_force_of_energy(local, &mut force) + self.links.energy(local);
        self.links.add_elastic(local, &mut force);
        BodyResponse { force, stored, ..BodyResponse::default() }
    }
}

/// The response of a configuration, from that in its frame.
fn turned_by<const D: usize>(
    corotation: &Corotation<D>,
    frame: &BodyFrame<D>,
    q: &[f64],
    local: BodyResponse,
) -> BodyResponse {
    BodyResponse { force: corotation.force(frame, q, &local.force), ..local }
}

impl<const D: usize> Turning for Body<D> {
    fn places(&self) -> Vec<f64> {
        self.corotation.as_ref().map(Corotation::places_given).unwrap_or_default()
    }

    fn begin(&self, from: &State, h: f64) -> TurningStart {
        let Some(corotation) = &self.corotation else { return TurningStart::default() };
        let frame = corotation.frame(&from.q);
        let local = State { q: corotation.local(&frame, &from.q), ..from.clone() };
        let spin = corotation.spin(&frame, &local.q, &from.v);
        let (half, angle) = half_turn::<D>(&spin, h);
        if self.has_cell_frames() {
            // the cells find their frames themselves; the body as a whole only tells its spin
            return TurningStart { spin: spin.into(), angle, ..TurningStart::default() };
        }
        let response = self.internal_variables.as_ref().map(|_| {
            let still = vec![0.0; local.q.len()];
            self.small_response(&Motion { from: &local, dq: &still, h: 0.0 })
        });
        TurningStart {
            middle: BlockRotation::new(D, rows(&(frame.rotation * half))),
            rotation: rows(&frame.rotation),
            centre: frame.centre.as_slice().to_vec(),
            half: rows(&half),
            spin: spin.into(),
            angle,
            local,
            response,
        }
    }

    fn response_at(&self, start: &TurningStart, from: &State) -> BodyResponse {
        let Some(corotation) = self.corotation.as_ref().filter(|_| !self.has_cell_frames()) else {
            return self.respond(&Motion { from, dq: &vec![0.0; from.v.len()], h: 0.0 });
        };
        let local = start.response.clone().unwrap_or_else(|| self.elastic_response(&start.local.q));
        turned_by(corotation, &frame_of(start), &from.q, local)
    }

    fn predicted_force(&self, start: &TurningStart, motion: &Motion<'_>, theta: f64) -> Vec<f64> {
        if self.has_cell_frames() {
            return self.predicted_force_of_cells(motion, theta);
        }
        let (Some(corotation), Some(middle)) = (&self.corotation, &start.middle) else { return Vec::new() };
        let [turned, half] = [middle.rows(), &start.half].map(SMatrix::<f64, D, D>::from_row_slice);
        let change = corotation.predicted_motion(&turned, &half, &start.local.q, motion.dq);
        let mut force = self.local_force(start, &change, motion.h, theta);
        middle.forward(&mut force);
        force
    }

    fn turn_on(&self, start: &TurningStart, cause: &[f64], correction: &mut [f64]) {
        // The correction must stay zero where the body is held.
        if !(self.prescribed().is_empty() && self.tied().is_empty()) {
            return;
        }
        if let (Some(corotation), Some(middle)) = (&self.corotation, &start.middle) {
            let [middle, half] = [middle.rows(), &start.half].map(SMatrix::<f64, D, D>::from_row_slice);
            corotation.turn_on([&middle, &half], &start.local.q, cause, correction);
        }
    }

    fn step_force(&self, start: &TurningStart, motion: &Motion<'_>, theta: f64) -> Vec<f64> {
        if self.has_cell_frames() {
            return self.step_force_of_cells(motion, theta);
        }
        let Some(corotation) = &self.corotation else { return Vec::new() };
        let end = LocalEnd::of(corotation, start, motion);
        let s = self.local_force(start, &end.change, motion.h, theta);
        corotation.step_force([&frame_of(start), &end.frame], [&motion.from.q, &end.q], &s)
    }

    fn step_tangent(&self, motion: &Motion<'_>, at: TangentAt, stresses: Stresses) -> Option<StepTangent> {
        self.has_cell_frames().then(|| self.tangent_of_cells(motion, at, stresses))
    }

    fn step(&self, start: &TurningStart, motion: &Motion<'_>, theta: f64) -> TurnedStep {
        if self.has_cell_frames() {
            return TurnedStep { spin: self.spin_of_cells(motion), ..self.step_of_cells(motion, theta) };
        }
        let Some(corotation) = &self.corotation else { return TurnedStep::default() };
        let end = LocalEnd::of(corotation, start, motion);
        let turn = frame_of::<D>(start).rotation.transpose() * end.frame.rotation;
        let spin = corotation.spin_change(&start.local.q, &start.spin.into(), &turn);
        if let Some(before) = &start.response {
            let after = self.small_response(&Motion { from: &start.local, dq: &end.change, h: motion.h });
            let work = (1.0 - theta) * dot(&before.force, &end.change) + theta * dot(&after.force, &end.change);
            let (numerical, BodyResponse { z, stored, dissipated, plastic, supplied, .. }) =
                (work - after.path_work, after);
            return TurnedStep { z, stored, dissipated, plastic, supplied, numerical, spin };
        }
        let share = theta - 0.5;
        let at_end = plus(&start.local.q, &end.change);
        let (stored, numerical) = if share.abs() > 0.0 {
            let [stored, jump] = self.elastic_energies([&at_end, &end.change]);
            (stored, share * 2.0 * jump)
        } else {
            (self.elastic_energy(&at_end), 0.0)
        };
        TurnedStep { stored, numerical, spin, ..TurnedStep::default() }
    }
}
