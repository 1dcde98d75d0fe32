//! Moments that contacts of rigid bodies transmit: rolling and spinning resistance.
//!
//! ```text
//! U = ℓ Fᵀ (Ω_candidate − Ω_antagonist) ,   M = ℓ F p          F = (n, t, …) of the contact; in the plane U = (0, ℓ Ω)
//! ```
//!
//! A moment is a contact of its own beside the one that presses, with the same machinery: its sides are the rotations of the bodies, weighed by the lever ℓ; an obstacle turns with its
//! mean spin over the gap time. ℓ is the lesser radius of gyration of the two, so that p and U are of the size of forces and velocities of points. The moments stand after all contacts, so that contacts are numbered
//! as without them.

use delassus_contact::{Contact, Map, Matrix, Side, Vector};
use delassus_rigid::RigidBody;

use crate::model::{Model, ModelAntagonist, rotation_site};

/// The moments of the contacts of pairs that have a resistance, in the order of the contacts; obstacles turn from `time` for `gap_time`.
pub(crate) fn moments<const D: usize>(
    model: &Model<D>,
    contacts: &[Contact<D>],
    time: f64,
    gap_time: f64,
) -> Vec<Contact<D>> {
    let resisting = contacts.iter().filter(|c| model.pairs[c.key.pair as usize].resistance.is_some());
    resisting.filter_map(|c| moment(model, c, time, gap_time)).collect()
}

/// The moment of a contact; none where nothing can turn.
fn moment<const D: usize>(model: &Model<D>, contact: &Contact<D>, time: f64, gap_time: f64) -> Option<Contact<D>> {
    let rigid = |side: &Side<D>| side.body.and_then(|k| model.bodies[k].body.rigid());
    let levers = contact.sides.iter().filter_map(|side| gyration(rigid(side)?));
    let lever = levers.reduce(f64::min)?;
    let side = |side: &Side<D>| match (side.body, rigid(side)) {
        (Some(k), Some(_)) => {
            let rotation = rotation_site(model.bodies[k].body.mesh());
            Side { body: Some(k), map: Map::Nodes(vec![(rotation, lever)]), velocity: Vector::zeros() }
        }
        _ => Side::on_obstacle(spin(model, contact, time, gap_time) * lever),
    };
    Some(Contact {
        key: contact.key.of_moment(),
        sides: [side(&contact.sides[0]), side(&contact.sides[1])],
        further: Vec::new(),
        gap: contact.gap,
        frame: frame(&contact.frame),
        area: lever,
        point: contact.point,
    })
}

/// √(I/m), in space with the mean of the principal moments \[m\]; none of a body that does not turn.
fn gyration<const D: usize>(body: &RigidBody<D>) -> Option<f64> {
    let inertia = &body.input().inertia;
    let moments = inertia.moments?;
    let mean = if D == 2 { moments[(2, 2)] } else { moments.trace() / 3.0 };
    (mean > 0.0).then(|| (mean / inertia.mass).sqrt())
}

/// The frame of a moment: in the plane the rotation (ω, 0) is the tangential component.
fn frame<const D: usize>(contact: &Matrix<D>) -> Matrix<D> {
    if D == 3 {
        return *contact;
    }
    let mut frame = Matrix::<D>::zeros();
    (frame[(1, 0)], frame[(0, 1)]) = (-1.0, 1.0);
    frame
}

/// Mean angular velocity of the obstacle of a contact \[rad/s\]; in the plane its first component.
fn spin<const D: usize>(model: &Model<D>, contact: &Contact<D>, time: f64, gap_time: f64) -> Vector<D> {
    let antagonist = model.pass_of(&contact.key).map(|pass| pass.antagonist);
    let Some(ModelAntagonist::Obstacle(obstacle)) = antagonist else { return Vector::zeros() };
    let mean = obstacle.spin.integral(time, time + gap_time) / gap_time;
    Vector::from_fn(|i, _| match D {
        2 => f64::from(u8::from(i == 0)) * mean,
        _ => obstacle.axis[i] * mean,
    })
}
