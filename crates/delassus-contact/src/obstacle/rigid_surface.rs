//! Rigid obstacles made of facets: polygons and chains of segments (2D); those of triangles are in `rigid_mesh.rs`.
//!
//! ```text
//! area = ½ Σ x_i × x_{i+1}      > 0 run counter-clockwise, solid on the left of every side: inside
//!                               < 0 run clockwise: solid outside, a container
//! ```
//!
//! The gap is the signed distance, with the corners of [`crate::Dimension`]: the normal turns about a corner that sticks out, and
//! in a corner that is re-entrant (that of a container, say) a candidate faces the nearer side only: one contact per candidate. A
//! node to be held by both walls of a corner needs two pairs, one per wall.

use std::sync::Arc;

use super::checks::{check_finite, components};
use super::outline::{Faces, space};
use super::{Obstacle, ObstacleGeometry};
use crate::{ContactError, Dimension, FacetNodes, FacetSurface, NarrowPhase, Pose, Vector};

/// Relative size of a cross product that is rounding, when crossings are looked for.
const ROUNDING: f64 = 1e-12;

/// On which side of a closed polygon or surface the solid is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solid {
    /// It bounds a solid body.
    Inside,
    /// It is a container: everything outside it is solid.
    Outside,
}

/// A rigid surface of points at rest and facets between them.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidSurface<const D: usize> {
    points: Vec<Vector<D>>,
    facets: FacetSurface<D>,
}

impl<const D: usize> RigidSurface<D> {
    /// The points (m), as oriented.
    #[must_use]
    pub fn points(&self) -> &[Vector<D>] {
        &self.points
    }

    /// The facets between the points.
    #[must_use]
    pub fn facets(&self) -> &[FacetNodes] {
        self.facets.facets()
    }

    /// Whether the surface has no border.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.facets.is_closed()
    }

    /// Diagonal of the box round its points (m).
    #[must_use]
    pub fn extent(&self) -> f64 {
        let range = |i: usize| {
            let along = self.points.iter().map(|p| p[i]);
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        Vector::<D>::from_fn(|i, _| range(i).1 - range(i).0).norm()
    }

    /// The facets and how they are connected.
    pub(crate) fn surface(&self) -> &FacetSurface<D> {
        &self.facets
    }

    /// The facets, and the coordinates at rest as those of a body.
    pub(crate) fn into_parts(self) -> (FacetSurface<D>, Vec<f64>) {
        let coordinates = self.points.iter().flat_map(|p| p.iter().copied()).collect();
        (self.facets, coordinates)
    }
}

impl<const D: usize> RigidSurface<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// Facets between points known to be good.
    pub(crate) fn from_facets(
        points: Vec<Vector<D>>,
        facets: Vec<impl Into<FacetNodes>>,
    ) -> Result<Self, ContactError> {
        Ok(Self { points, facets: FacetSurface::new(0, facets)? })
    }

    /// Smallest and largest facet (m).
    #[must_use]
    pub fn facet_sizes(&self) -> (f64, f64) {
        let coordinates: Vec<f64> = self.points.iter().flat_map(|p| p.iter().copied()).collect();
        self.facets.facet_sizes(&coordinates)
    }
}

impl<const D: usize> Obstacle<D> for RigidSurface<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// Its constructors have checked it.
    fn validate(&self) -> Result<(), ContactError> {
        Ok(())
    }

    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>> {
        let points = self.points.iter().map(|x| pose.place(x)).collect();
        Arc::new(Self { points, facets: self.facets.clone() })
    }

    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError> {
        Ok(ObstacleGeometry::Facets(self.clone()))
    }

    fn largest_depth(&self) -> f64 {
        if self.is_closed() { f64::INFINITY } else { self.extent() }
    }

    fn lines(&self, _: &[Vector<D>]) -> Vec<[Vector<D>; 2]> {
        self.facets().iter().map(|f| [self.points[f[0]], self.points[f[D - 1]]]).collect()
    }

    fn faces(&self, _: &[Vector<D>]) -> Faces {
        Faces {
            points: self.points.iter().map(space).collect(),
            faces: self.facets().iter().map(|f| f.to_vec()).collect(),
        }
    }
}

impl RigidSurface<2> {
    /// A closed polygon: three points or more (m), run either way, the first one not repeated at the end.
    ///
    /// # Errors
    /// If there are too few points, one is not finite, a side has no length, sides cross, or the polygon has no area.
    pub fn polygon(mut points: Vec<Vector<2>>, solid: Solid) -> Result<Self, ContactError> {
        let sides = sides(&points, 3, true)?;
        let area = signed_area(&points);
        let perimeter: f64 = sides.iter().map(|&[i, j]| (points[j] - points[i]).norm()).sum();
        if area.abs() <= ROUNDING * perimeter * perimeter {
            return Err(ContactError::FlatPolygon { n_points: points.len(), area });
        }
        if (area > 0.0) != (solid == Solid::Inside) {
            points.reverse();
        }
        Self::from_facets(points, sides)
    }

    /// An open chain of two points or more (m): the solid is on its left, the outward normal on its right.
    ///
    /// # Errors
    /// If there are too few points, one is not finite, a segment has no length, or segments cross.
    pub fn chain(points: Vec<Vector<2>>) -> Result<Self, ContactError> {
        let sides = sides(&points, 2, false)?;
        Self::from_facets(points, sides)
    }
}

/// The sides between successive points, which are checked.
fn sides(points: &[Vector<2>], needed: usize, closed: bool) -> Result<Vec<[usize; 2]>, ContactError> {
    let n = points.len();
    if n < needed {
        return Err(ContactError::TooFewPoints { count: n, needed });
    }
    points.iter().try_for_each(|p| check_finite("point", p))?;
    let sides: Vec<[usize; 2]> = (0..if closed { n } else { n - 1 }).map(|i| [i, (i + 1) % n]).collect();
    if let Some(&[i, j]) = sides.iter().find(|s| Dimension::<2>::normal(&s.map(|i| points[i])).is_none()) {
        return Err(ContactError::ZeroLengthObstacle { a: components(&points[i]), b: components(&points[j]) });
    }
    match crossing(points, &sides) {
        Some([first, second]) => Err(ContactError::CrossingSides {
            first,
            second,
            first_ends: sides[first].map(|i| points[i].into()),
            second_ends: sides[second].map(|i| points[i].into()),
        }),
        None => Ok(sides),
    }
}

fn signed_area(points: &[Vector<2>]) -> f64 {
    // From one of the points, so that a polygon far from the origin keeps its digits.
    let base = points[0];
    let corner = |i: usize| points[i % points.len()] - base;
    (0..points.len()).map(|i| 0.5 * corner(i).perp(&corner(i + 1))).sum()
}

/// Two sides that cross strictly inside both; touching is allowed.
fn crossing(points: &[Vector<2>], sides: &[[usize; 2]]) -> Option<[usize; 2]> {
    let span = |s: usize| {
        let [a, b] = sides[s].map(|i| points[i].x);
        (a.min(b), a.max(b))
    };
    // From left to right a side can cross only those that begin before it ends.
    let mut order: Vec<usize> = (0..sides.len()).collect();
    order.sort_by(|&a, &b| span(a).0.total_cmp(&span(b).0).then(a.cmp(&b)));
    for (k, &first) in order.iter().enumerate() {
        let end = span(first).1;
        let reached = order[k + 1..].iter().take_while(|&&second| span(second).0 <= end);
        for &second in reached {
            let [a, b] = [first, second].map(|s| sides[s].map(|i| points[i]));
            if separates(&a, &b) && separates(&b, &a) {
                return Some([first.min(second), first.max(second)]);
            }
        }
    }
    None
}

/// Whether the ends of `other` are strictly on the two sides of the line through `segment`.
fn separates(segment: &[Vector<2>; 2], other: &[Vector<2>; 2]) -> bool {
    let edge = segment[1] - segment[0];
    let side = |p: &Vector<2>| {
        let (from_start, from_end) = (p - segment[0], p - segment[1]);
        let cross = edge.perp(&from_start);
        let noise = ROUNDING * edge.norm() * from_start.norm().max(from_end.norm());
        if cross > noise {
            1
        } else if cross < -noise {
            -1
        } else {
            0
        }
    };
    side(&other[0]) * side(&other[1]) < 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: &[[f64; 2]]) -> Vec<Vector<2>> {
        points.iter().map(|&p| p.into()).collect()
    }

    const TRIANGLE: [[f64; 2]; 3] = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]];

    #[test]
    fn polygons_are_oriented_by_the_flag_not_by_the_order() {
        let reversed: Vec<[f64; 2]> = TRIANGLE.iter().rev().copied().collect();
        for given in [&TRIANGLE[..], &reversed] {
            let solid = RigidSurface::polygon(points(given), Solid::Inside).unwrap();
            let container = RigidSurface::polygon(points(given), Solid::Outside).unwrap();
            assert!((signed_area(solid.points()) - 1.0).abs() < 1e-15);
            assert!((signed_area(container.points()) + 1.0).abs() < 1e-15);
            assert_eq!(solid.facets(), [[0, 1], [1, 2], [2, 0]]);
            let (low, high) = solid.facet_sizes();
            assert!((low - 1.0).abs() < 1e-15 && (high - 5f64.sqrt()).abs() < 1e-15);
        }
        let open = RigidSurface::chain(points(&reversed)).unwrap();
        assert_eq!(open.points(), &points(&reversed)[..]);
        assert_eq!(open.facets(), [[0, 1], [1, 2]]);
        assert!(!open.is_closed() && (open.extent() - 5f64.sqrt()).abs() < 1e-15);
        assert!(RigidSurface::polygon(points(&TRIANGLE), Solid::Inside).unwrap().is_closed());
    }

    #[test]
    fn polygons_are_checked() {
        let error = |p: &[[f64; 2]]| RigidSurface::polygon(points(p), Solid::Inside).unwrap_err();
        assert_eq!(error(&TRIANGLE[..2]), ContactError::TooFewPoints { count: 2, needed: 3 });
        assert_eq!(RigidSurface::chain(vec![]).unwrap_err(), ContactError::TooFewPoints { count: 0, needed: 2 });
        let broken = error(&[[0.0, 0.0], [f64::NAN, 0.0], [0.0, 1.0]]);
        assert!(matches!(broken, ContactError::NonFiniteObstacle { what: "point", .. }), "{broken}");
        // The first point repeated at the end.
        let closed = error(&[TRIANGLE[0], TRIANGLE[1], TRIANGLE[2], TRIANGLE[0]]);
        assert_eq!(closed, ContactError::ZeroLengthObstacle { a: vec![0.0, 0.0], b: vec![0.0, 0.0] });
        assert!(closed.to_string().contains("first point"), "{closed}");
        let flat = error(&[[0.0, 0.0], [0.1, 0.3], [0.2, 0.6]]);
        assert!(matches!(flat, ContactError::FlatPolygon { n_points: 3, .. }), "{flat}");
        let eight = error(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.5]]);
        assert!(matches!(eight, ContactError::CrossingSides { first: 0, second: 2, .. }), "{eight}");
        assert!(eight.to_string().contains("cross"), "{eight}");
        let loop_ = RigidSurface::chain(points(&[[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [1.0, -1.0]])).unwrap_err();
        assert!(matches!(loop_, ContactError::CrossingSides { first: 0, second: 2, .. }), "{loop_}");
    }

    #[test]
    fn sides_may_touch_and_be_many() {
        // A bow tie whose middle is a point of both wings.
        let tie = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0]];
        assert!(RigidSurface::polygon(points(&tie), Solid::Inside).is_ok());
        let n = 20_000;
        let round = (0..n).map(|i| std::f64::consts::TAU * f64::from(i) / f64::from(n));
        let round: Vec<Vector<2>> = round.map(|a| Vector::<2>::new(9.0 + a.cos(), 1e3 + a.sin())).collect();
        let polygon = RigidSurface::polygon(round, Solid::Inside).unwrap();
        assert_eq!(polygon.facets().len(), 20_000);
        assert!((signed_area(polygon.points()) - std::f64::consts::PI).abs() < 1e-7);
    }
}
