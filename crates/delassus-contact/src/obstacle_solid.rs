//! Penetration of whole surfaces of bodies into an obstacle, independent of candidates.
//!
//! The gap g of an obstacle is a signed distance: no point is deeper in it than −g at another point plus their distance. So a body whose
//! middle is farther out than half the diagonal of its box is skipped.
//!
//! Nodes are enough for obstacles without another side (half-space, cavity, bore): there −g is convex, and over a facet it is largest
//! at a corner. A ball, a box or a cylinder may sink into a facet between its nodes. They are convex, so g is a convex function, and
//!
//! ```text
//! g(x) ≥ g(c) + n(c)·(x − c)      n the normal at c, a (sub)gradient of g
//! ```
//!
//! tells which facets can hold a deeper point; there it is found by golden sections along the facet, one within the other in space.
//!
//! Behind an open surface (a segment, a chain, a sheet) there is no inside. A point is behind it if it has a foot on it and is not
//! farther than the surface is large.

use crate::prepared::PreparedAntagonist;
use crate::surface::position_of;
use crate::{ContactError, DepthLimit, Dimension, NarrowPhase, Obstacle, Pose, RigidMotion, SolidDepth, SurfacePoint};
use crate::{Matrix, Vector};

/// Golden sections along a facet: 0.618¹⁶ is 5e-4 of its size, and g is flat at its minimum.
const SECTIONS: usize = 16;

/// An obstacle where it is.
#[derive(Debug, Clone)]
pub struct ObstacleSolid<const D: usize> {
    target: PreparedAntagonist<D>,
    /// Largest depth that counts (m), infinite for what is closed.
    largest_depth: f64,
}

impl<const D: usize> ObstacleSolid<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// The obstacle at rest.
    ///
    /// # Errors
    /// If the shape is not valid.
    pub fn new(obstacle: &dyn Obstacle<D>) -> Result<Self, ContactError> {
        let target = PreparedAntagonist::of_obstacle(obstacle)?;
        Ok(Self { target, largest_depth: obstacle.largest_depth() })
    }

    /// Puts it where it is now.
    ///
    /// # Errors
    /// If a side far from the origin loses its length to rounding.
    pub fn place(&mut self, pose: &Pose<D>) -> Result<(), ContactError> {
        let at_rest = RigidMotion { pose: *pose, velocity: Vector::zeros(), spin: Matrix::zeros() };
        self.target.place(&at_rest)
    }

    /// Whether it is an open surface, which has no inside.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.largest_depth.is_finite()
    }

    /// Signed distance of a point (m), below zero inside; infinite where the point does not face it.
    #[must_use]
    pub fn gap(&self, point: &Vector<D>) -> f64 {
        let gap = match &self.target {
            PreparedAntagonist::Formula { placed, .. } => placed.gap(point).0,
            PreparedAntagonist::Rigid { facets, placed, .. } => {
                let project = |facet: usize, within: f64| {
                    let found = Dimension::<D>::project(&facets.surface, placed, facet, point, within);
                    found.map(|p| (p.distance, p.gap))
                };
                facets.tree.nearest(point, f64::INFINITY, project).0.map_or(f64::INFINITY, |n| n.value)
            }
            PreparedAntagonist::Surface(_) => f64::INFINITY,
        };
        if gap < -self.largest_depth { f64::INFINITY } else { gap }
    }

    /// How deep a point lies inside, if it is deeper than the limit.
    #[must_use]
    pub fn depth(&self, point: &SurfacePoint<D>, limit: DepthLimit) -> Option<SolidDepth<D>> {
        let depth = -self.gap(&point.place);
        let ratio = (depth - limit.allowed) / point.size;
        (ratio > limit.ratio).then_some(SolidDepth { depth, ratio, place: point.place })
    }

    /// The deepest point of a facet of this size (m), if it lies between the nodes and is deeper than the limit.
    #[must_use]
    pub fn depth_between(&self, corners: &[Vector<D>], size: f64, limit: DepthLimit) -> Option<SolidDepth<D>> {
        let PreparedAntagonist::Formula { placed, .. } = &self.target else { return None };
        let middle = corners.iter().sum::<Vector<D>>() / corners.len() as f64;
        let (gap, normal) = placed.gap(&middle);
        let lowest = corners.iter().map(|c| gap + normal.dot(&(c - middle))).fold(f64::INFINITY, f64::min);
        if !placed.has_other_side() || -lowest - limit.allowed <= limit.ratio * size {
            return None;
        }
        let place = lowest_of_facet(corners, &|x| placed.gap(x).0);
        self.depth(&SurfacePoint { place, size }, limit)
    }

    /// The corners of an obstacle made of facets, where they are (m): points that may lie in a body.
    pub fn corners(&self) -> impl Iterator<Item = Vector<D>> + '_ {
        let placed: &[f64] = match &self.target {
            PreparedAntagonist::Rigid { placed, .. } => placed,
            _ => &[],
        };
        (0..placed.len() / D).map(|node| position_of(placed, node))
    }
}

/// Where a convex function is lowest on a facet.
fn lowest_of_facet<const D: usize>(corners: &[Vector<D>], f: &impl Fn(&Vector<D>) -> f64) -> Vector<D> {
    match *corners {
        [a, b] => lowest_of_segment(&a, &b, f),
        // Of a quadrilateral, and of a triangle as one with a side of no length: from a point of one side to one of the opposite.
        [a, b, c, ..] => {
            let d = corners.get(3).copied().unwrap_or(a);
            let across = |s: f64| lowest_of_segment(&(a + (b - a) * s), &(d + (c - d) * s), f);
            across(golden_section(|s| f(&across(s))))
        }
        _ => Vector::zeros(),
    }
}

fn lowest_of_segment<const D: usize>(a: &Vector<D>, b: &Vector<D>, f: &impl Fn(&Vector<D>) -> f64) -> Vector<D> {
    a + (b - a) * golden_section(|s| f(&(a + (b - a) * s)))
}

/// Where in [0, 1] a convex function is lowest.
fn golden_section(f: impl Fn(f64) -> f64) -> f64 {
    let part = 0.5 * (5f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, 1.0);
    let inner = |low: f64, high: f64| [high - part * (high - low), low + part * (high - low)];
    let [mut left, mut right] = inner(low, high);
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..SECTIONS {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = inner(low, high)[0];
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = inner(low, high)[1];
            at_right = f(right);
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use crate::{Ball, HalfSpace, Segment, SolidBox};

    const ALL: DepthLimit = DepthLimit { allowed: 0.0, ratio: 0.0 };

    /// Deepest of many points of a facet: a lower bound of the depth, off by at most half the spacing (g changes by no more than
    /// the point moves).
    fn by_sampling<const D: usize>(solid: &ObstacleSolid<D>, corners: &[Vector<D>], n: usize) -> f64
    where
        Dimension<D>: NarrowPhase<D>,
    {
        let points = Dimension::<D>::pieces(corners, n)
            .into_iter()
            .map(|(weights, _)| corners.iter().zip(weights).fold(Vector::<D>::zeros(), |sum, (c, w)| sum + c * w));
        points.map(|x| -solid.gap(&x)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn check<const D: usize>(seed: u64, n_corners: usize, n: usize) -> usize
    where
        Dimension<D>: NarrowPhase<D>,
    {
        let mut random = Random::new(seed);
        let mut found = 0;
        for k in 0..300 {
            let mut vector = |size: f64| Vector::<D>::from_fn(|_, _| random.within(-size, size));
            let (centre, half) = (vector(0.5), vector(0.3).map(|s| 0.05 + s.abs()));
            let obstacle: Box<dyn Obstacle<D>> = if k % 2 == 0 {
                Box::new(Ball { centre, radius: half[0] })
            } else {
                Box::new(SolidBox { centre, half_sizes: half, rotation: Pose::<D>::default().rotation })
            };
            let solid = ObstacleSolid::new(&*obstacle).unwrap();
            // A parallelogram (or its half): flat, so that the sections are those of a convex function.
            let (middle, along, across) = (vector(0.5), vector(1.0), vector(1.0));
            let a = middle - (along + across) * 0.5;
            let corners: Vec<Vector<D>> = [a, a + along, a + along + across, a + across][..n_corners].to_vec();
            let size = Dimension::<D>::size(&corners);
            let sampled = by_sampling(&solid, &corners, n);
            let deepest = solid.depth_between(&corners, size, ALL).map_or(0.0, |d| d.depth);
            // The finest sections leave 5e-4 of the size along each side; samples are a piece apart.
            let spacing = 1.5 * size / n as f64;
            assert!(deepest >= sampled - 2e-3 * size, "{k}: {deepest} is less than {sampled}");
            assert!(deepest <= sampled.max(0.0) + spacing, "{k}: {deepest} is more than {sampled}");
            found += usize::from(deepest > 0.0);
        }
        found
    }

    #[test]
    fn the_deepest_point_between_nodes_is_that_of_many_points() {
        assert!(check::<2>(5, 2, 400) > 60);
        assert!(check::<3>(6, 3, 60) > 20);
        assert!(check::<3>(7, 4, 60) > 20);
    }

    #[test]
    fn a_ball_in_the_middle_of_a_wide_facet_is_seen() {
        // A facet from −1 to 1 at height 0; the ball's top is at 0.02.
        let ball = ObstacleSolid::new(&Ball { centre: Vector::<2>::new(0.3, -0.03), radius: 0.05 }).unwrap();
        let corners = [Vector::<2>::new(-1.0, 0.0), Vector::<2>::new(1.0, 0.0)];
        let found = ball.depth_between(&corners, 2.0, ALL).unwrap();
        // g = √(s² + 0.03²) − 0.05 with s known to 5e-4 of 2: s²/(2·0.03) < 2e-5.
        assert!((found.depth - 0.02).abs() < 2e-5 && (found.place.x - 0.3).abs() < 1e-3, "{found:?}");
        assert!((found.ratio - found.depth / 2.0).abs() < 1e-15);
        let limit = DepthLimit { allowed: 0.0, ratio: 0.011 };
        assert_eq!(ball.depth_between(&corners, 2.0, limit), None);
        let wall = ObstacleSolid::new(&HalfSpace { point: Vector::<2>::zeros(), normal: Vector::<2>::y() }).unwrap();
        assert_eq!(wall.depth_between(&corners.map(|c| c - Vector::<2>::y()), 2.0, ALL), None, "its corners tell");
    }

    #[test]
    fn behind_an_open_surface_is_near_it_and_moves_with_it() {
        let floor = Segment { a: Vector::<2>::new(1.0, 0.0), b: Vector::<2>::new(0.0, 0.0) };
        let mut floor = ObstacleSolid::new(&floor).unwrap();
        assert!(floor.is_open());
        for (point, gap) in [([0.5, -0.2], -0.2), ([0.5, 0.3], 0.3)] {
            assert!((floor.gap(&point.into()) - gap).abs() < 1e-15, "{point:?}");
        }
        for point in [[0.5, -1.2], [1.2, -0.2]] {
            assert!(floor.gap(&point.into()).is_infinite(), "{point:?}");
        }
        floor.place(&Pose::translated(Vector::<2>::new(0.0, 1.0))).unwrap();
        assert!((floor.gap(&Vector::<2>::new(0.5, 0.8)) + 0.2).abs() < 1e-15);
        assert_eq!(floor.corners().collect::<Vec<_>>(), [Vector::<2>::new(1.0, 1.0), Vector::<2>::new(0.0, 1.0)]);
        let ball = ObstacleSolid::new(&Ball { centre: Vector::<2>::zeros(), radius: 1.0 }).unwrap();
        assert!(!ball.is_open() && ball.corners().next().is_none());
        let point = SurfacePoint { place: Vector::<2>::new(0.5, 0.0), size: 0.25 };
        let found = ball.depth(&point, DepthLimit { allowed: 0.1, ratio: 0.0 }).unwrap();
        assert!((found.depth - 0.5).abs() < 1e-15 && (found.ratio - 1.6).abs() < 1e-14);
    }
}
