//! Distances that shapes share: from a centre, from an axis, from the faces of a convex solid.
//!
//! At the very centre of a round shape every direction is radial: the first axis is taken (for a cylinder or bore, the first tangent
//! of its axis).

use crate::Vector;
use crate::frame::{frame_from_unit, unit};

/// Distance from an edge of a shape below which a point is on it but for rounding, relative to coordinates and sizes.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Radial unit vector and distance (m) of a point.
pub(super) fn from_centre<const D: usize>(centre: &Vector<D>, point: &Vector<D>) -> (Vector<D>, f64) {
    unit(&(point - centre)).unwrap_or_else(|| (Vector::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 }), 0.0))
}

/// Radial unit vector, distance from the axis and place along it (m) of a point.
pub(super) fn from_axis<const D: usize>(
    centre: &Vector<D>,
    axis: &Vector<D>,
    point: &Vector<D>,
) -> (Vector<D>, f64, f64) {
    let from_centre = point - centre;
    let z = axis.dot(&from_centre);
    let (radial, rho) = unit(&(from_centre - axis * z))
        .unwrap_or_else(|| (frame_from_unit(axis).column(D.min(2) - 1).into_owned(), 0.0));
    (radial, rho, z)
}

/// Lengths that are rounding noise near a shape (m).
pub(super) fn noise<const D: usize>(point: &Vector<D>, centre: &Vector<D>, size: f64) -> f64 {
    ROUNDING * point.amax().max(centre.amax()).max(size)
}

/// Gap and unit normal of a convex solid with orthogonal faces: height q_i above each face (m), and its normal d_i.
///
/// ```text
/// outside   g = ‖max(q, 0)‖, normal along Σ max(q_i, 0) d_i
/// inside    g = max q_i, normal its d_i, the first of equals
/// ```
///
/// On an edge (to rounding) the normal is the mean of its faces.
pub(super) fn from_faces<const D: usize>(faces: &[(f64, Vector<D>)], noise: f64) -> (f64, Vector<D>) {
    let outside = faces.iter().fold(Vector::zeros(), |sum, (q, d)| sum + d * q.max(0.0));
    let (highest, first) = faces
        .iter()
        .fold((f64::NEG_INFINITY, Vector::zeros()), |best, (q, d)| if *q > best.0 { (*q, *d) } else { best });
    if highest.abs() <= noise {
        // On the surface: on an edge all its faces count.
        let sum = faces.iter().filter(|(q, _)| q.abs() <= noise).fold(Vector::zeros(), |sum, (_, d)| sum + d);
        return (highest, unit(&sum).map_or(first, |(n, _)| n));
    }
    if highest < 0.0 {
        return (highest, first);
    }
    unit(&outside).map_or((highest, first), |(normal, gap)| (gap, normal))
}
