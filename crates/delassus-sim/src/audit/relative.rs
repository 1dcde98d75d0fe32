//! Hᵀ once more: the relative velocity at a contact from the velocities of the bodies, without the code of the step.

use delassus_contact::{Contact, Map, Side};
use delassus_solver::Vector;

use crate::model::Model;

/// Velocity of a side's point for velocities `v` of the bodies in the configurations `q` \[m/s\].
fn point_velocity<const D: usize>(model: &Model<D>, q: &[Vec<f64>], side: &Side<D>, v: &[&[f64]]) -> Vector<D> {
    let Some(body) = side.body else { return side.velocity };
    let known = &model.bodies[body].body;
    let site = |k: usize| match known.jacobian(&q[body], k) {
        Some(jacobian) => {
            let rows = jacobian.row_iter().map(|row| row.iter().zip(v[body]).map(|(j, v)| j * v).sum::<f64>());
            Vector::<D>::from_iterator(rows)
        }
        None => Vector::<D>::from_fn(|i, _| v[body][D * k + i]),
    };
    match &side.map {
        Map::Nodes(weights) => weights.iter().fold(side.velocity, |sum, &(k, w)| sum + site(k) * w),
        Map::Arm { centre, rotation, arm } => {
            let omega = site(*rotation);
            let turned = match D {
                2 => Vector::<D>::from_fn(|i, _| if i == 0 { -omega[0] * arm[1] } else { omega[0] * arm[0] }),
                _ => Vector::<D>::from_fn(|i, _| {
                    let (j, k) = ((i + 1) % D, (i + 2) % D);
                    omega[j] * arm[k] - omega[k] * arm[j]
                }),
            };
            side.velocity + site(*centre) + turned
        }
        Map::Fixed => side.velocity,
    }
}

/// Relative velocity in the frame of a contact: normal, then tangents \[m/s\].
pub(super) fn relative_velocity<const D: usize>(
    model: &Model<D>,
    q: &[Vec<f64>],
    contact: &Contact<D>,
    v: &[&[f64]],
) -> Vector<D> {
    let mut world = Vector::<D>::zeros();
    for (sign, side) in contact.signed_sides() {
        world += point_velocity(model, q, side, v) * sign;
    }
    Vector::<D>::from_fn(|i, _| (0..D).map(|k| contact.frame[(k, i)] * world[k]).sum::<f64>())
}
