//! Momentum and angular momentum of rigid bodies over a step, from places and impulses alone.
//!
//! ```text
//! m Δv = h P + Σ p + s ,      L⁺ − L = R_c I ΔΩ = h M + Σ (x − c) × p + s      about the centre of mass c in the contact configuration
//! ```
//!
//! The points x at which contacts act come from the nodes, or from the arms, and not from the matrices J of the body.

use delassus_contact::Map;
use delassus_dynamics::System;
use delassus_rigid::RigidBody;
use nalgebra::{SVector, Vector3};

use super::AuditedStep;
use super::laws::quotient;
use crate::model::centre_site;

/// Rounding of velocities over the limit: 1e-14 over 1e-8.
const ROUNDED: f64 = 1e-6;

fn whole<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 })
}

/// The contacts of the problem on every body, ascending: a body is not compared with the contacts of all others.
pub(super) fn contacts_by_body<const D: usize>(step: &AuditedStep<'_, D>) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); step.model.bodies.len()];
    for (number, contact) in step.settled.posed.contacts.iter().enumerate() {
        for body in contact.signed_sides().filter_map(|(_, side)| side.body) {
            if out[body].last() != Some(&number) {
                out[body].push(number);
            }
        }
    }
    out
}

/// Errors of the momentum and of the angular momentum of a body under these contacts, relative to their terms.
pub(super) fn errors<const D: usize>(
    step: &AuditedStep<'_, D>,
    (k, body): (usize, &RigidBody<D>),
    level: f64,
    contacts: &[usize],
) -> [f64; 2] {
    let (q, start, h) = (&step.q_c[k], &step.starts[k], step.times.h);
    let pose = body.pose(q);
    let mesh = &body.input().mesh;
    let place = |site: usize| {
        if site == centre_site(mesh) { pose.centre } else { pose.centre + pose.rotation * body.arm(site) }
    };
    let (mut force, mut moment) = (SVector::<f64, D>::zeros(), Vector3::zeros());
    let (mut size, mut size_of_moment) = (0.0, 0.0);
    for &number in contacts {
        let (contact, p) = (step.settled.posed.contacts[number], &step.settled.p[number]);
        for (sign, side) in contact.signed_sides().filter(|(_, side)| side.body == Some(k)) {
            let world = contact.frame * p * sign;
            if let (true, Map::Nodes(weights)) = (contact.key.is_moment(), &side.map) {
                // The moment itself; in the plane it is the first of two numbers.
                let lever: f64 = weights.iter().map(|w| w.1).sum();
                let turn = if D == 2 { Vector3::new(0.0, 0.0, world[0]) } else { whole(&world) };
                moment += turn * lever;
                size_of_moment += turn.amax() * lever;
                continue;
            }
            let at = match &side.map {
                Map::Nodes(weights) => weights.iter().map(|&(node, w)| place(node) * w).sum(),
                Map::Arm { centre, arm, .. } => place(*centre) + arm,
                Map::Fixed => continue,
            };
            let arm = whole(&(at - pose.centre));
            force += world;
            moment += arm.cross(&whole(&world));
            size += world.amax();
            size_of_moment += arm.amax() * world.amax();
        }
    }
    for action in step.actions.iter().filter(|a| a.side.body() == Some(k)) {
        let arm = whole(&(action.at - pose.centre));
        force += action.impulse;
        moment += arm.cross(&whole(&action.impulse)) + action.moment;
        size += action.impulse.amax();
        size_of_moment += arm.amax() * action.impulse.amax() + action.moment.amax();
    }
    let n = body.n_dof();
    let (mut before, mut after) = (vec![0.0; n], vec![0.0; n]);
    start.loads_into(start.from.t, &mut before);
    start.loads_into(start.from.t + h, &mut after);
    let masses = body.matrices().mass.values();
    let (v, v_plus) = (start.velocity(), &step.settled.v_plus[k]);
    let change = |i: usize| masses[i] * (v_plus[i] - v[i]);
    let mut rest: Vec<f64> = (0..n).map(|i| h * (level * after[i] + (1.0 - level) * before[i]) - change(i)).collect();
    for (&dof, s) in body.prescribed().iter().zip(&step.balances[k].support_impulse) {
        rest[dof] += s;
    }
    let rounding = |i: usize| ROUNDED * masses[i] * (v[i].abs() + v_plus[i].abs() + step.v_free[k][i].abs());
    // Loads that supports carry cancel, and leave their rounding.
    let loaded = |i: usize| ROUNDED * h * (before[i].abs() + after[i].abs());
    let rounding = |i: usize| rounding(i) + loaded(i);
    for i in 0..D {
        force[i] += rest[i];
        size += change(i).abs() + rounding(i);
    }
    for (axis, i) in body.axes(q).into_iter().zip(D..n) {
        moment += axis * rest[i];
        size_of_moment += change(i).abs() + rounding(i);
    }
    // Arms are differences of places.
    size_of_moment += ROUNDED * pose.centre.amax() * size;
    let moment = if n > D { moment.amax() } else { 0.0 };
    [quotient(force.amax(), size), quotient(moment, size_of_moment)]
}
