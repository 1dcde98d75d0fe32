//! Momentum and angular momentum of every body over a step.
//!
//! ```text
//! Σ m Δv     = h Σ (P_c − α m v_c) + Σ p + Σ s               x_c = (1−c) x + c x⁺ ,  c of the scheme
//! Σ x × m Δv = h Σ x × (P_c − α m v_c) + Σ x × p + Σ x × s   small strains: moments about the undeformed places x = X;
//!                                                            bodies that turn, or of finite strain with a step that conserves: about the places x_½ in its middle
//! ```
//!
//! Without inertia (`QuasiStatic`) the left sides are 0, and bodies that turn have their moments about the places x⁺ at the end of the step.
//!
//! P has the forces of springs and dashpots between nodes and the ground. Internal forces have neither a sum nor a moment; those of axisymmetric bodies have no sum along the axis, which alone is looked at. m are the masses of the nodes, p world impulses of the contacts at the points where they act, s those of the supports.

use std::borrow::Cow;

use delassus_contact::Map;
use delassus_dynamics::{System, ties};
use delassus_fem::Body;
use nalgebra::SVector;

use super::laws::quotient;
use super::{AuditError, AuditTopic, AuditedStep, BALANCED};
use crate::model::JointSide;

/// Rounding of velocities over the limit: 1e-14 over 1e-8.
const ROUNDED: f64 = 1e-6;

/// A sum of vectors and its moment, with the sums of their sizes.
#[derive(Clone, Copy)]
struct Sums<const D: usize> {
    force: SVector<f64, D>,
    moment: [f64; 3],
    size: f64,
    size_of_moment: f64,
}

impl<const D: usize> Sums<D> {
    fn new() -> Self {
        Self { force: SVector::zeros(), moment: [0.0; 3], size: 0.0, size_of_moment: 0.0 }
    }

    /// Adds a vector that acts at a place.
    fn add(&mut self, at: &SVector<f64, D>, p: &SVector<f64, D>) {
        self.force += p;
        self.size += p.amax();
        self.size_of_moment += at.amax() * p.amax();
        // In the plane the moment has its third component alone.
        for i in if D == 2 { 2..3 } else { 0..3 } {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            self.moment[i] += at[j] * p[k] - at[k] * p[j];
        }
    }

    fn errors(&self) -> [f64; 2] {
        let moment = self.moment.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        [quotient(self.force.amax(), self.size), quotient(moment, self.size_of_moment)]
    }
}

/// The worst body, by momentum and by angular momentum; nothing for schemes whose masses are not those of the bodies.
pub(super) fn errors<const D: usize>(step: &AuditedStep<'_, D>) -> Vec<AuditError> {
    let Some(level) = step.model.integrator.force_level() else { return Vec::new() };
    let topics = [AuditTopic::Momentum, AuditTopic::AngularMomentum];
    let mut worst = topics.map(|topic| AuditError { topic, limit: BALANCED, ..AuditError::default() });
    let places: Vec<Cow<'_, [[f64; D]]>> = (0..step.model.bodies.len()).map(|k| places(step, k)).collect();
    let sums = contact_sums(step, &places);
    let of_body = super::rigid::contacts_by_body(step);
    for (k, (known, mut sum)) in step.model.bodies.iter().zip(sums).enumerate() {
        if let Some(rigid) = known.body.rigid() {
            let found = super::rigid::errors(step, (k, rigid), level, &of_body[k]);
            worst.iter_mut().zip(found).for_each(|(worst, error)| worst.see(error, || known.name.clone()));
        }
        let Some(body) = known.body.finite_elements() else { continue };
        add_body(step, k, body, level, &places[k], &mut sum);
        let is_revolved = body.section().is_revolved();
        if is_revolved {
            sum.force[0] = 0.0;
        }
        let [force, moment] = sum.errors();
        worst[0].see(force, || known.name.clone());
        // Ties act at two places, and bodies whose geometry moves have their moments about other places.
        let moves = body.kinematics().moves_geometry() && step.starts[k].conserving().is_none();
        if !is_revolved && body.tied().is_empty() && !moves && has_places(step, body) {
            worst[1].see(moment, || known.name.clone());
        }
    }
    worst.into()
}

/// Has the force of a step no moment about the places of [`places`]? That of a body that turns has none in schemes that use the force of the step; in statics
/// it is that of the end of the step, but for viscosity, which is that of its middle.
fn has_places<const D: usize>(step: &AuditedStep<'_, D>, body: &Body<D>) -> bool {
    let integrator = &step.model.integrator;
    body.turning().is_none() || integrator.strain_level().is_some() || (!integrator.has_inertia() && !body.is_damped())
}

/// The places of the nodes about which moments are taken.
fn places<'a, const D: usize>(step: &AuditedStep<'a, D>, k: usize) -> Cow<'a, [[f64; D]]> {
    let known = &step.model.bodies[k].body;
    let points = &known.mesh().points;
    if known.turning().is_none() && step.starts[k].conserving().is_none() {
        return Cow::Borrowed(points);
    }
    let (from, h) = (step.starts[k].from, step.times.h);
    let dq = step.model.integrator.displacement(from, &step.settled.v_plus[k], h);
    // Statics balances forces at the end of a step.
    let part = if step.model.integrator.has_inertia() { 0.5 } else { 1.0 };
    let moved = |(n, x): (usize, &[f64; D])| std::array::from_fn(|i| x[i] + from.q[D * n + i] + part * dq[D * n + i]);
    Cow::Owned(points.iter().enumerate().map(moved).collect())
}

/// The impulses of the contacts on every body.
fn contact_sums<const D: usize>(step: &AuditedStep<'_, D>, places: &[Cow<'_, [[f64; D]]>]) -> Vec<Sums<D>> {
    let mut sums = vec![Sums::new(); step.model.bodies.len()];
    for (contact, p) in step.settled.posed.contacts.iter().zip(&step.settled.p) {
        let world = contact.frame * p;
        for (sign, side) in contact.signed_sides() {
            if let (Some(body), Map::Nodes(weights)) = (side.body, &side.map) {
                let points = &places[body];
                let at = weights.iter().filter_map(|&(node, w)| points.get(node).map(|x| SVector::from(*x) * w));
                sums[body].add(&at.sum(), &(world * sign));
            }
        }
    }
    for action in &step.actions {
        if let JointSide::Nodes { body, weights } = action.side {
            let at = weights.iter().map(|&(node, w)| SVector::from(places[*body][node]) * w).sum();
            sums[*body].add(&at, &action.impulse);
        }
    }
    sums
}

/// What acts on a body besides contacts, less the change of its momentum.
fn add_body<const D: usize>(
    step: &AuditedStep<'_, D>,
    k: usize,
    body: &Body<D>,
    level: f64,
    places: &[[f64; D]],
    sums: &mut Sums<D>,
) {
    let (start, v_plus, h) = (&step.starts[k], &step.settled.v_plus[k], step.times.h);
    let n = body.n_dof();
    let (mut before, mut after, mut change) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    body.loads_into(start.from.t, &mut before);
    body.loads_into(start.from.t + h, &mut after);
    if body.has_following_loads() {
        // They act in the middle of the motion, or where it ends in a scheme that uses forces there.
        let dq = step.model.integrator.displacement(start.from, v_plus, h);
        let part = if step.model.integrator.strain_level().is_some() { 0.5 } else { 1.0 };
        let q: Vec<f64> = start.from.q.iter().zip(&dq).map(|(q, d)| q + part * d).collect();
        body.add_following_loads(start.from.t, &q, &mut before);
        body.add_following_loads(start.from.t + h, &q, &mut after);
    }
    let dv: Vec<f64> = v_plus.iter().zip(&start.from.v).map(|(a, b)| a - b).collect();
    if step.model.integrator.has_inertia() {
        body.mass_times_into(&dv, &mut change);
    }
    let alpha = body.mass_damping();
    let mut drag = vec![0.0; n];
    if alpha > 0.0 {
        let v: Vec<f64> = v_plus.iter().zip(&start.from.v).map(|(a, b)| level * a + (1.0 - level) * b).collect();
        body.mass_times_into(&v, &mut drag);
    }
    if body.has_ground_forces() {
        // Springs and dashpots act at the level of the other forces.
        let dq = step.model.integrator.displacement(start.from, v_plus, h);
        let q_after: Vec<f64> = start.from.q.iter().zip(&dq).map(|(q, d)| q + d).collect();
        body.add_ground_forces(&start.from.q, &start.from.v, &mut before);
        body.add_ground_forces(&q_after, v_plus, &mut after);
    }
    let mut impulse: Vec<f64> =
        (0..n).map(|i| h * (level * after[i] + (1.0 - level) * before[i] - alpha * drag[i]) - change[i]).collect();
    for (&dof, s) in body.prescribed().iter().zip(&step.balances[k].support_impulse) {
        impulse[dof] += s;
    }
    // What cancels at a node counts for rounding, as velocities do of which only the change is seen.
    // What the equation of motion leaves at a node is judged there, and cannot be in balance here.
    let mut left: Vec<f64> = step.residuals[k].iter().zip(&step.settled.impulse[k]).map(|(r, p)| r + p).collect();
    ties::gather(body.tied(), &mut left);
    body.prescribed().iter().for_each(|&dof| left[dof] = 0.0);
    let (v, v_free) = (&start.from.v, &step.v_free[k]);
    let rounded = if step.model.integrator.has_inertia() { ROUNDED } else { 0.0 };
    let momentum =
        |i: usize| rounded * body.node_masses()[i / D].abs() * (v[i].abs() + v_free[i].abs() + v_plus[i].abs());
    for (node, (x, p)) in places.iter().zip(impulse.chunks_exact(D)).enumerate() {
        let x = SVector::from(*x);
        sums.add(&x, &SVector::from_column_slice(p));
        let dofs = D * node..D * node + D;
        let size: f64 = dofs.map(|i| change[i].abs() + momentum(i) + left[i].abs() / BALANCED).sum();
        sums.size += size;
        sums.size_of_moment += x.amax() * size;
    }
}
