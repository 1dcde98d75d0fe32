//! Which facets of its own body a candidate may touch.
//!
//! Around a candidate, and across the thickness of its body, there are always near facets that it cannot touch. Excluded are
//!
//! ```text
//! the facets of the candidate and those that have a node in common with one of them
//! n · n_c ≥ 0            facets that do not face the candidate's own outward normal n_c
//! g < −min(depth, e/2)   facets passed by more than half the thickness e of the body behind the candidate
//! ```
//!
//! The facets of a candidate are those that hold all its nodes: of a point inside a face, that face. At the border of what is left,
//! inside the solid, a facet reaches a little past its end: flush faces that meet (the ends of a ring that closes) must not lose
//! their corner nodes to a side that looks away.
//!
//! The rule on the gap is needed because nothing local tells the far face of a thin strip (g = −e, facing) from the face of another
//! part that was entered by e. So e is measured once, in the configuration at rest: the distance to the nearest
//! facet that faces the candidate and has it behind. A body in which it shrinks to less than half of e is beyond the rule.
//! Faces that touch or overlap at rest (a closed crack, a mesh of two parts) are no thickness: a facet counts if the
//! candidate is behind it by at least [`THINNEST`] of the facet's size. A body whose mesh overlaps itself at rest by more than that
//! has the overlap taken for a thickness: it is neither in contact there nor reported.
//!
//! A candidate that lies on the surface at rest without being part of it is on the other side of an interface (a crack that was
//! cut into the mesh): the two sides are then as two bodies, and no thickness limits the depth. In a bent interface it is behind
//! facets around the corner, as near as the corner is.

use crate::prepared::FacetTree;
use crate::{CandidatePoint, CandidateSet, Dimension, FacetSurface, NarrowPhase, Projection, Vector};

/// Thickness of the thinnest part taken as one, relative to the size of its facets.
const THINNEST: f64 = 0.01;

/// A candidate among the facets of its own body.
pub(crate) struct OwnBody<'a, const D: usize> {
    candidate: &'a CandidatePoint,
    /// Sum of the normals of its facets; `None` if it is not on the surface.
    normal: Option<Vector<D>>,
    /// Largest penetration accepted (m).
    depth: f64,
}

impl<'a, const D: usize> OwnBody<'a, D>
where
    Dimension<D>: NarrowPhase<D>,
{
    pub(crate) fn new(surface: &FacetSurface<D>, positions: &[f64], candidate: &'a CandidatePoint, depth: f64) -> Self {
        let normal = surface.normal_at(candidate.nodes(), positions);
        Self { candidate, normal: (normal.amax() > 0.0).then_some(normal), depth }
    }

    fn faces(&self, normal: &Vector<D>) -> bool {
        self.normal.is_none_or(|own| own.dot(normal) < 0.0)
    }

    /// Whether the facet is far enough along the surface.
    fn admits(&self, surface: &FacetSurface<D>, facet: usize) -> bool {
        !surface.in_ring_of(facet, self.candidate.nodes())
    }

    /// The point of a facet that the candidate faces and may touch.
    pub(crate) fn project(
        &self,
        surface: &FacetSurface<D>,
        positions: &[f64],
        facet: usize,
        point: &Vector<D>,
        within: f64,
    ) -> Option<Projection<D>> {
        if !self.admits(surface, facet) {
            return None;
        }
        let projection = Dimension::<D>::project(surface, positions, facet, point, within)
            .or_else(|| Dimension::<D>::project_past_ridge(surface, positions, facet, point))?;
        (self.faces(&projection.normal) && projection.gap >= -self.depth).then_some(projection)
    }

    /// Whether the candidate, at rest, touches a facet of the surface without belonging to it.
    fn touches(&self, surface: &FacetSurface<D>, positions: &[f64], facet: usize) -> bool {
        let corners = surface.corners(facet, positions);
        let point: Vector<D> = self.candidate.position(positions);
        self.normal.is_none() && Dimension::<D>::distance(&corners, &point) <= THINNEST * Dimension::<D>::size(&corners)
    }

    /// Distance to a facet (m), if it is a far side of the body at rest.
    fn thickness(&self, surface: &FacetSurface<D>, positions: &[f64], facet: usize) -> Option<f64> {
        if !self.admits(surface, facet) {
            return None;
        }
        let corners = surface.corners(facet, positions);
        let normal = Dimension::<D>::normal(&corners)?;
        let point: Vector<D> = self.candidate.position(positions);
        let behind = -normal.dot(&(point - corners[0]));
        let counts = self.faces(&normal) && behind >= THINNEST * Dimension::<D>::size(&corners);
        counts.then(|| Dimension::<D>::distance(&corners, &point))
    }
}

/// Largest penetration of every candidate (m) in the surface of its own body: at most `depth`, and half the thickness at rest.
pub(crate) fn depths<const D: usize>(
    candidates: &CandidateSet,
    facets: &FacetTree<D>,
    at_rest: &[f64],
    depth: f64,
) -> Vec<f64>
where
    Dimension<D>: NarrowPhase<D>,
{
    let of_candidate = |candidate: &CandidatePoint| {
        let own = OwnBody::new(&facets.surface, at_rest, candidate, depth);
        let point = candidate.position(at_rest);
        let (touched, _) = facets
            .tree
            .nearest(&point, depth, |facet, _| own.touches(&facets.surface, at_rest, facet).then_some((0.0, ())));
        if touched.is_some() {
            return depth;
        }
        // Farther than twice the depth the thickness does not matter.
        let (nearest, _) = facets.tree.nearest(&point, 2.0 * depth, |facet, _| {
            own.thickness(&facets.surface, at_rest, facet).map(|distance| (distance, ()))
        });
        nearest.map_or(depth, |n| depth.min(0.5 * n.distance))
    };
    candidates.points().iter().map(of_candidate).collect()
}
