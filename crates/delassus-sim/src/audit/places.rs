//! Places at which the two sides of a contact act, and their frame.
//!
//! ```text
//! x_c = Σ w x  of the candidate = the point that was detected          x = X + u(q_c)
//! x_c − Σ w x  of the antagonist ∥ n                                   inside a facet
//! Fᵀ F = I ,  det F = 1                                                F = (n, t, …)
//! ```
//!
//! p and −p then act on one line: contacts make no couple, and the angular momentum of all bodies together is kept. The sums over single bodies cannot see it.
//! At an edge or a corner of a facet the candidate may be past the border by the overhang, and nodes of weight zero are not stored: a foot inside a facet
//! has D nodes or more. With continuous normals a couple of the size of the gap is part of the method: there only the candidate is judged.

use delassus_contact::{Contact, Map, Matrix, Normals, Side};
use delassus_solver::Vector;

use super::laws::quotient;
use super::{AuditError, AuditTopic, AuditedStep, BALANCED};
use crate::outcome::worse;

/// Rounding of coordinates over the limit, with a margin: 1e-14 over 1e-8.
const ROUNDED: f64 = 1e-6;

/// The worst contact of a step.
pub(super) fn error<const D: usize>(step: &AuditedStep<'_, D>) -> AuditError {
    let mut worst = AuditError { topic: AuditTopic::Place, limit: BALANCED, ..AuditError::default() };
    let ways: Vec<_> = step.model.bodies.iter().zip(step.q_c).map(|(b, q)| b.body.displacements(q)).collect();
    let position = |body: usize, node: usize| {
        let known = &step.model.bodies[body].body;
        if let (Some(rigid), true) = (known.rigid(), node >= known.mesh().n_points()) {
            return Some(rigid.pose(&step.q_c[body]).centre);
        }
        let x = step.model.bodies[body].body.mesh().points.get(node)?;
        let u = ways[body].get(D * node..D * node + D)?;
        Some(Vector::<D>::from_fn(|i, _| x[i] + u[i]))
    };
    for contact in &step.settled.posed.contacts {
        let pair = &step.model.pairs[contact.key.pair as usize];
        worst.see(displaced(contact, pair.normals, &position), || pair.name.clone());
    }
    worst
}

/// How far the sides of a contact are from where they should act, over the size of the facet.
fn displaced<const D: usize>(
    contact: &Contact<D>,
    normals: Normals,
    position: &impl Fn(usize, usize) -> Option<Vector<D>>,
) -> f64 {
    let mut worst = skewness(&contact.frame);
    if !contact.further.is_empty() || contact.key.is_moment() {
        return worst;
    }
    let [candidate, antagonist] = &contact.sides;
    let rounding = ROUNDED * contact.point.amax();
    if let Some((foot, size, _)) = placed(candidate, position) {
        worst = worse(worst, quotient((foot - contact.point).amax(), size.max(rounding)));
    }
    if let Some((foot, size, nodes)) = placed(antagonist, position)
        && nodes >= D
        && normals == Normals::Facet
    {
        let (apart, n) = (contact.point - foot, contact.normal());
        let along = (apart - n * n.dot(&apart)).amax();
        worst = worse(worst, quotient(along, size.max(rounding)));
    }
    worst
}

/// How far a frame is from an orthonormal, right-handed one.
fn skewness<const D: usize>(frame: &Matrix<D>) -> f64 {
    let f = |i: usize, j: usize| frame[(i, j)];
    let volume = if D == 2 {
        f(0, 0) * f(1, 1) - f(0, 1) * f(1, 0)
    } else {
        (0..D).map(|i| f(i, 0) * (f((i + 1) % D, 1) * f((i + 2) % D, 2) - f((i + 2) % D, 1) * f((i + 1) % D, 2))).sum()
    };
    worse((frame.transpose() * frame - Matrix::identity()).amax(), (volume - 1.0).abs())
}

/// Where a side acts, how far its nodes are from there, and their number; none where it does not act on nodes.
fn placed<const D: usize>(
    side: &Side<D>,
    position: &impl Fn(usize, usize) -> Option<Vector<D>>,
) -> Option<(Vector<D>, f64, usize)> {
    if let (Some(body), Map::Arm { centre, rotation, arm }) = (side.body, &side.map) {
        // Of shapes alone: balls about a node are detected at their centre.
        let is_shape = *centre == *rotation + 1;
        return if is_shape { Some((position(body, *centre)? + arm, arm.amax(), D)) } else { None };
    }
    let (Some(body), Map::Nodes(weights)) = (side.body, &side.map) else { return None };
    let mut foot = Vector::<D>::zeros();
    for &(node, w) in weights {
        foot += position(body, node)? * w;
    }
    let distances = weights.iter().filter_map(|&(node, _)| Some((position(body, node)? - foot).amax()));
    Some((foot, distances.fold(0.0, f64::max), weights.len()))
}

#[cfg(test)]
mod tests {
    use delassus_contact::{ContactKey, frame_from_normal};

    use super::*;

    /// A candidate above a facet, both with the weights given.
    fn at<const D: usize>(
        point: [f64; D],
        (own, own_weights): (&[[f64; D]], &[f64]),
        (facet, weights): (&[[f64; D]], &[f64]),
        normal: [f64; D],
    ) -> impl Fn(Normals) -> f64 {
        let side = |body, weights: &[f64]| Side::on_nodes(body, weights.iter().copied().enumerate());
        let contact = Contact {
            key: ContactKey::nearest(0, 0, 0),
            sides: [side(0, own_weights), side(1, weights)],
            further: Vec::new(),
            gap: 0.0,
            frame: frame_from_normal(&Vector::from(normal)).unwrap(),
            area: 1.0,
            point: Vector::from(point),
        };
        let points = [own.to_vec(), facet.to_vec()];
        move |normals| displaced(&contact, normals, &|body, node| points[body].get(node).map(|x| Vector::from(*x)))
    }

    #[test]
    fn exchanged_weights_make_a_couple() {
        let (node, facet) = ([[1.2, 3.0]], [[1.0, 2.9], [2.0, 2.9]]);
        let found = |weights: [f64; 2]| at([1.2, 3.0], (&node, &[1.0]), (&facet, &weights), [0.0, 1.0])(Normals::Facet);
        assert!(found([0.8, 0.2]) < 1e-14);
        // From 0.2 to 0.8 of the facet; 0.8 of it is the farther node.
        assert!((found([0.2, 0.8]) - 0.75).abs() < 1e-12);
        // At a corner the candidate may be past the end.
        assert!(found([1.0, 0.0]) < 1e-14);
    }

    #[test]
    fn exchanged_weights_of_a_face_make_a_couple() {
        let (node, face) = ([[0.2, 0.3, 0.1]], [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let found =
            |weights: [f64; 3]| at(node[0], (&node, &[1.0]), (&face, &weights), [0.0, 0.0, 1.0])(Normals::Facet);
        assert!(found([0.5, 0.2, 0.3]) < 1e-14);
        assert!(found([0.5, 0.3, 0.2]) > 0.1);
    }

    #[test]
    fn a_candidate_on_a_facet_acts_where_it_was_detected() {
        let (own, facet) = ([[0.0, 0.0], [1.0, 0.0]], [[1.0, -0.1], [0.0, -0.1]]);
        let found =
            |weights: [f64; 2], normals| at([0.3, 0.0], (&own, &weights), (&facet, &[0.3, 0.7]), [0.0, 1.0])(normals);
        assert!(found([0.7, 0.3], Normals::Facet) < 1e-14);
        for normals in [Normals::Facet, Normals::Continuous] {
            assert!(found([0.3, 0.7], normals) > 0.5, "{normals:?}");
        }
    }

    #[test]
    fn frames_are_orthonormal_and_right_handed() {
        let plane = frame_from_normal(&Vector::<2>::new(0.6, 0.8)).unwrap();
        let space = frame_from_normal(&Vector::<3>::new(0.36, 0.48, 0.8)).unwrap();
        assert!(skewness(&plane) < 1e-14 && skewness(&space) < 1e-14);
        for k in 0..2 {
            let mut turned = plane;
            turned[(k, 1)] = -turned[(k, 1)];
            assert!(skewness(&turned) > 0.5, "component {k} of the tangent");
        }
        for k in 1..3 {
            let mut turned = space;
            turned.column_mut(k).neg_mut();
            assert!(skewness(&turned) > 1.0, "tangent {k}");
        }
        // The tangent of a vertical normal is still orthogonal, but left-handed.
        assert!(skewness(&Matrix::<2>::new(0.0, 1.0, 1.0, 0.0)) > 1.0);
    }

    #[test]
    fn a_gap_of_a_continuous_normal_is_no_error() {
        let (node, facet) = ([[0.3, 0.1]], [[0.0, 0.0], [1.0, 0.0]]);
        let found = at(node[0], (&node, &[1.0]), (&facet, &[0.7, 0.3]), [0.6, 0.8]);
        assert!(found(Normals::Continuous) < 1e-14 && found(Normals::Facet) > 1e-3);
    }
}
