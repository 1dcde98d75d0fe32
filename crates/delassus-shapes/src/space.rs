//! What differs between the plane and space.

use delassus_contact::{Matrix, Vector};

use crate::core::{Core, Feature};
use crate::hit::{Hit, PlacedCore};
use crate::mass::Moments;
use crate::{ShapeError, ShapeSurface};

/// Geometry of a dimension, implemented for `Dimension<2>` (`plane.rs`) and `Dimension<3>` (`volume.rs`) alone.
pub trait ShapeSpace<const D: usize> {
    /// The core of a rectangle or a box with these half-lengths (m).
    #[doc(hidden)]
    fn block(half: &Vector<D>) -> Result<Core<D>, ShapeError>;
    /// Points and polygons of the surface around a core.
    #[doc(hidden)]
    fn surface_of(core: &Core<D>, around: usize) -> ShapeSurface<D>;
    /// Volume and its moments.
    #[doc(hidden)]
    fn moments_of(core: &Core<D>) -> Moments<D>;
    /// The point of a face that is nearest to a point, and whether it is within the face, on an edge or at a corner.
    #[doc(hidden)]
    fn closest_on_face(core: &Core<D>, face: usize, point: &Vector<D>) -> (Feature, Vector<D>);
    /// Does a segment go through a face? Touching does not count.
    #[doc(hidden)]
    fn is_pierced(core: &Core<D>, face: usize, ends: [Vector<D>; 2]) -> bool;
    /// Of all directions across an edge of a and an edge of b that can take the two apart: the one that does so most.
    #[doc(hidden)]
    fn edge_axis(a: &PlacedCore<'_, D>, b: &PlacedCore<'_, D>) -> Option<Hit<D>>;
    /// The nearest points of two convex cores that do not meet, if they are not farther apart than `limit` (m).
    #[doc(hidden)]
    fn closest(a: &PlacedCore<'_, D>, b: &PlacedCore<'_, D>, limit: f64) -> Option<Hit<D>>;
    /// Unit vectors that are orthogonal to a unit normal and to one another; columns from the second on.
    #[doc(hidden)]
    fn across(normal: &Vector<D>) -> Matrix<D>;
}

/// The nearest points of two segments, with their places along them (0 … 1).
pub(crate) fn segment_pair<const D: usize>(
    [a, b]: [Vector<D>; 2],
    [c, d]: [Vector<D>; 2],
) -> ([f64; 2], [Vector<D>; 2]) {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let ratio = |x: f64, y: f64| if y > 0.0 { (x / y).clamp(0.0, 1.0) } else { 0.0 };
    let det = uu * vv - uv * uv;
    // Parallel segments have many nearest points: the first end decides.
    let s = if det > f64::EPSILON * uu * vv { (uv * vw - uw * vv) / det } else { 0.0 };
    let s = s.clamp(0.0, 1.0);
    let t = ratio(uv * s + vw, vv);
    let s = ratio(uv * t - uw, uu);
    ([s, t], [a + u * s, c + v * t])
}

/// The place along a segment (0 … 1) that is nearest to a point.
pub(crate) fn place_along<const D: usize>([a, b]: [Vector<D>; 2], point: &Vector<D>) -> f64 {
    let u = b - a;
    let uu = u.dot(&u);
    if uu > 0.0 { (u.dot(&(point - a)) / uu).clamp(0.0, 1.0) } else { 0.0 }
}
