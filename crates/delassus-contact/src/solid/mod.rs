//! Closed surfaces of bodies and the depth of points inside them, independent of candidates and antagonists.
//!
//! The boundary of a meshed part is closed, so that the nearest point of it tells inside from outside (the pseudo-normals of
//! [`crate::NarrowPhase::project`]) and how deep:
//!
//! ```text
//! depth(x)  = distance to the nearest facet if x is inside, nothing outside     the way out is the shortest one
//! ratio     = (depth − allowed) / min(size of the facet entered, size of the facets of x)
//! ```
//!
//! Points that cannot matter are excluded by the box [l, u] round the surface. No point inside is deeper than
//!
//! ```text
//! depth(x) ≤ min_i min(x_i − l_i, u_i − x_i)
//! ```
//!
//! and the search for the nearest facet ends there. A point whose bound is below the required ratio costs a few comparisons, so bodies
//! that lie on each other, or are far apart, cost next to nothing.
//!
//! The points of a surface that are looked for in others are its nodes and the middles of its facets. Where edges of two solids
//! cross and no node or middle is inside the other (crossed bars of one coarse cell), no penetration is found.

use crate::surface::position_of;
use crate::{Aabb, BoxTree, Dimension, FacetNodes, FacetSurface, Few, MAX_CORNERS, NarrowPhase, Vector};

/// By how much (relative) the search goes farther than the bound of the depth, for rounding.
const MARGIN: f64 = 1e-9;

/// The closed surface of a solid, its nodes numbered from 0: topology, and facet sizes at rest. Solids that are copies of each other share
/// one.
#[derive(Debug, Clone)]
pub struct SolidShape<const D: usize> {
    surface: FacetSurface<D>,
    tree: BoxTree<D>,
    /// Of every facet at rest (m).
    facet_sizes: Vec<f64>,
    /// Of the smallest facet around every node at rest (m).
    node_sizes: Vec<f64>,
    /// Of the smallest facet at rest (m).
    smallest: f64,
}

/// A point of a surface, with the size of the facets around it (m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint<const D: usize> {
    /// Where it is (m).
    pub place: Vector<D>,
    /// Size of the smallest facet it belongs to, at rest (m).
    pub size: f64,
}

/// How deep a point lies in a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidDepth<const D: usize> {
    /// Distance to the surface (m).
    pub depth: f64,
    /// What of it is more than allowed, over the size of the smaller facet.
    pub ratio: f64,
    /// Where the point is (m).
    pub place: Vector<D>,
}

/// What depths do not matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthLimit {
    /// Depth that is allowed (m).
    pub allowed: f64,
    /// Ratio up to which the rest does not matter.
    pub ratio: f64,
}

impl<const D: usize> SolidShape<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// The surface of these facets, with nodes 0 to n − 1 at `at_rest[D * node + i]` (m). `None` if it is not closed, branches, or has a
    /// facet without extent: then inside and outside are not defined.
    ///
    /// # Panics
    /// If a node is not in `at_rest`.
    #[must_use]
    pub fn new(facets: Vec<FacetNodes>, at_rest: &[f64]) -> Option<Self> {
        let surface = FacetSurface::<D>::new(0, facets).ok().filter(FacetSurface::is_closed)?;
        let corners = |f: usize| surface.corners(f, at_rest);
        let n_facets = surface.facets().len();
        if (0..n_facets).any(|f| Dimension::<D>::normal(&corners(f)).is_none()) {
            return None;
        }
        let facet_sizes: Vec<f64> = (0..n_facets).map(|f| Dimension::<D>::size(&corners(f))).collect();
        let smallest_of = |node: usize| surface.facets_of(node).map(|f| facet_sizes[f]).fold(f64::INFINITY, f64::min);
        let node_sizes = (0..at_rest.len() / D).map(smallest_of).collect();
        let smallest = facet_sizes.iter().copied().fold(f64::INFINITY, f64::min);
        let boxes: Vec<_> = (0..n_facets).map(|f| Dimension::<D>::bounds(&surface, at_rest, f)).collect();
        Some(Self { tree: BoxTree::new(&boxes), surface, facet_sizes, node_sizes, smallest })
    }

    /// The surface.
    #[must_use]
    pub fn surface(&self) -> &FacetSurface<D> {
        &self.surface
    }

    /// What it holds in memory, about: facets with their neighbours, corners and borders, and a tree with a leaf for every few of them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let per_facet = size_of::<FacetNodes>() + size_of::<Few<Option<usize>>>() + size_of::<Few<bool>>();
        let corners = MAX_CORNERS * size_of::<(usize, usize)>();
        self.facet_sizes.len() * (per_facet + corners + 2 * size_of::<f64>() + size_of::<Aabb<D>>())
    }

    /// Size of every facet at rest (m).
    #[must_use]
    pub fn facet_sizes(&self) -> &[f64] {
        &self.facet_sizes
    }

    /// A node at these positions.
    ///
    /// # Panics
    /// If the node is not in `positions`.
    #[must_use]
    pub fn node(&self, node: usize, positions: &[f64]) -> SurfacePoint<D> {
        SurfacePoint { place: position_of(positions, node), size: self.node_sizes[node] }
    }

    /// The nodes and the middles of the facets at these positions.
    ///
    /// # Panics
    /// If a node is not in `positions`.
    pub fn points<'a>(&'a self, positions: &'a [f64]) -> impl Iterator<Item = SurfacePoint<D>> + 'a {
        let nodes = (0..self.node_sizes.len()).map(move |node| self.node(node, positions));
        let middles = self.facet_sizes.iter().enumerate().map(move |(f, &size)| {
            let corners = self.surface.corners(f, positions);
            SurfacePoint { place: corners.iter().sum::<Vector<D>>() / corners.len() as f64, size }
        });
        nodes.chain(middles)
    }

    /// The solid at these positions: fits the tree to them.
    ///
    /// # Panics
    /// If a node is not in `positions`.
    pub fn placed<'a>(&'a mut self, positions: &'a [f64]) -> PlacedSolid<'a, D> {
        let surface = &self.surface;
        self.tree.refit(|facet| Dimension::<D>::bounds(surface, positions, facet));
        PlacedSolid { bounds: bounds_of(positions), shape: self, positions }
    }

    /// Whether a point may lie in this solid, whose box is given, deeper than the limit, judged by the box
    /// alone.
    #[must_use]
    pub fn may_hold(&self, bounds: &Aabb<D>, point: &SurfacePoint<D>, limit: DepthLimit) -> bool {
        bounds.inner_distance(&point.place) - limit.allowed > limit.ratio * point.size.min(self.smallest)
    }
}

/// The box round all positions.
#[must_use]
pub fn bounds_of<const D: usize>(positions: &[f64]) -> Aabb<D> {
    Aabb::around((0..positions.len() / D).map(|node| position_of(positions, node)))
}

/// A solid where it is.
pub struct PlacedSolid<'a, const D: usize> {
    shape: &'a SolidShape<D>,
    positions: &'a [f64],
    bounds: Aabb<D>,
}

impl<const D: usize> PlacedSolid<'_, D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// The nearest facet within `reach` (m), and the signed distance from the surface (m), below zero inside.
    #[must_use]
    pub fn gap(&self, point: &Vector<D>, reach: f64) -> Option<(usize, f64)> {
        let SolidShape { surface, tree, .. } = self.shape;
        let (nearest, _) = tree.nearest(point, reach, |facet, within| {
            Dimension::<D>::project(surface, self.positions, facet, point, within).map(|p| (p.distance, p.gap))
        });
        nearest.map(|n| (n.facet, n.value))
    }

    /// Whether some facet is that near (m).
    fn is_within(&self, point: &Vector<D>, reach: f64) -> bool {
        let SolidShape { surface, tree, .. } = self.shape;
        let (nearest, _) = tree.nearest(point, reach, |facet, within| {
            let distance = Dimension::<D>::distance(&surface.corners(facet, self.positions), point);
            (distance <= within).then_some((distance, ()))
        });
        nearest.is_some()
    }

    /// How deep a point lies inside, if it is deeper than the limit.
    #[must_use]
    pub fn depth(&self, point: &SurfacePoint<D>, limit: DepthLimit) -> Option<SolidDepth<D>> {
        if !self.shape.may_hold(&self.bounds, point, limit) {
            return None;
        }
        // Nearer to the surface than what matters, it is not deep: no need to know on which side, which takes the faces round a ridge.
        if self.is_within(&point.place, limit.allowed + limit.ratio * point.size.min(self.shape.smallest)) {
            return None;
        }
        let reach = self.bounds.inner_distance(&point.place) * (1.0 + MARGIN);
        let (facet, gap) = self.gap(&point.place, reach)?;
        let ratio = (-gap - limit.allowed) / point.size.min(self.shape.facet_sizes[facet]);
        (ratio > limit.ratio).then_some(SolidDepth { depth: -gap, ratio, place: point.place })
    }

    /// The point of largest ratio beyond the limit, the first among equals.
    pub fn deepest(
        &self,
        points: impl IntoIterator<Item = SurfacePoint<D>>,
        limit: DepthLimit,
    ) -> Option<SolidDepth<D>> {
        let mut best: Option<SolidDepth<D>> = None;
        for point in points {
            let ratio = best.map_or(limit.ratio, |b| b.ratio);
            best = self.depth(&point, DepthLimit { ratio, ..limit }).or(best);
        }
        best
    }
}

#[cfg(test)]
mod tests;
