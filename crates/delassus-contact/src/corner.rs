//! Re-entrant corners: a candidate in such a corner has a contact with each of its facets.
//!
//! Here a ridge is the edge between two facets (in the plane, their common node). In front of a ridge that bends inwards, free
//! space lies in front of both facets, so a node there has two conditions
//!
//! ```text
//! n₁·(x − f₁) ≥ 0   and   n₂·(x − f₂) ≥ 0 ,      f_k the closest point of facet k, at most the ridge
//! ```
//!
//! and with the nearest facet alone the node would slide along it into the other facet, and change sides in every step. So the candidate has a
//! contact with its nearest facet and with every facet across a re-entrant ridge of it: two in the plane, three in the corner of a box. The
//! solver determines which of them act. Behind such a ridge, where the closest point is the ridge itself and the direction from it turns with
//! every rounding, the nearest facet too keeps its own normal.
//!
//! A ridge counts as re-entrant if it bends by [`LEAST_BEND`] or more in the given geometry. Bends of a flat or smooth surface that are due
//! to deformation do not count: the nodes on its ridges would have nearly the same contact twice. Beyond the far end of the other facet,
//! where its surface may turn elsewhere, nothing is added.

use crate::{Dimension, FacetSurface, Few, NarrowPhase, Projection, Vector};

/// Cosine of the least bend of a corner, 2°.
const LEAST_BEND: f64 = 0.999_390_827_019_095_7;

/// Part of a separation that may be off the normal by rounding.
const ALIGNED: f64 = 1e-9;

/// What the facets of re-entrant corners at a facet say of a point: by ridge, the facet across it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corners<const D: usize> {
    /// The nearest facet itself, if the point is nearest to a ridge that counts.
    pub own: Option<Projection<D>>,
    pub others: Few<Option<(usize, Projection<D>)>>,
}

impl<const D: usize> Corners<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// Around the facet that a point is nearest to, whose ridges are corners where `is_corner` says so.
    pub fn at(
        surface: &FacetSurface<D>,
        is_corner: &[bool],
        positions: &[f64],
        facet: usize,
        point: &Vector<D>,
    ) -> Self {
        let neighbours = surface.neighbours(facet);
        let own = Dimension::<D>::onto_facet(&surface.corners(facet, positions), point);
        let mut on_ridge = false;
        let others = Few::from_fn(neighbours.len(), |ridge| {
            let other = neighbours[ridge].filter(|_| is_corner[ridge])?;
            on_ridge |= own.is_some_and(|p| is_common(surface, facet, other, &p));
            let corners = surface.corners(other, positions);
            let projection = Dimension::<D>::onto_facet(&corners, point)?;
            // Its foot is inside it, or the ridge: not another of its ends.
            let faces = is_common(surface, other, facet, &projection) || is_before(&corners, &projection, point);
            faces.then_some((other, projection))
        });
        Self { own: own.filter(|_| on_ridge), others }
    }
}

/// Which ridges of every facet are corners, in the geometry as given.
pub(crate) fn corners<const D: usize>(surface: &FacetSurface<D>, at_rest: &[f64]) -> Vec<Few<bool>>
where
    Dimension<D>: NarrowPhase<D>,
{
    let of_facet =
        |facet| surface.neighbours(facet).map(|o| o.is_some_and(|other| is_re_entrant(surface, at_rest, facet, other)));
    (0..surface.facets().len()).map(of_facet).collect()
}

/// Does the surface bend inwards from one facet to its neighbour?
fn is_re_entrant<const D: usize>(surface: &FacetSurface<D>, positions: &[f64], facet: usize, other: usize) -> bool
where
    Dimension<D>: NarrowPhase<D>,
{
    let [one, two] = [facet, other].map(|f| surface.corners(f, positions));
    let (Some(n), Some(m)) = (Dimension::<D>::normal(&one), Dimension::<D>::normal(&two)) else { return false };
    let middle = |corners: &[Vector<D>]| corners.iter().sum::<Vector<D>>() / corners.len() as f64;
    n.dot(&m) < LEAST_BEND && n.dot(&(middle(&two) - middle(&one))) > 0.0
}

/// Is the foot on a facet on nodes that it has in common with another?
fn is_common<const D: usize>(
    surface: &FacetSurface<D>,
    facet: usize,
    other: usize,
    projection: &Projection<D>,
) -> bool {
    let (own, shared) = (&surface.facets()[facet], &surface.facets()[other]);
    own.iter().zip(projection.weights).all(|(node, weight)| weight <= 0.0 || shared.contains(node))
}

/// Is the point before or behind its foot, not beside it?
fn is_before<const D: usize>(corners: &[Vector<D>], projection: &Projection<D>, point: &Vector<D>) -> bool
where
    Dimension<D>: NarrowPhase<D>,
{
    let mut foot = Vector::<D>::zeros();
    for (corner, weight) in corners.iter().zip(projection.weights) {
        foot += corner * weight;
    }
    let beside = point - foot - projection.normal * projection.gap;
    beside.amax() <= ALIGNED * (Dimension::<D>::size(corners) + projection.gap.abs())
}
