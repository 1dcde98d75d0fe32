//! The part of detection that depends on the dimension: neighbours of facets, their geometry, and the
//! projection of a point.
//!
//! The detector is written once for every D; a dimension is one `impl NarrowPhase<D> for Dimension<D>` in a file of its own.

use crate::{Aabb, ContactError, FacetNodes, FacetSurface, Few, Vector};

/// The dimension D as a type, on which each crate hangs what it does differently in the plane and in space (here [`NarrowPhase`]).
pub use nalgebra::Const as Dimension;

/// The point of a surface that a candidate faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection<const D: usize> {
    /// Distance (m) by which facets are ranked: |gap| (but for rounding).
    pub distance: f64,
    /// Signed distance (m), positive outside the solid.
    pub gap: f64,
    /// Unit normal from the surface to the point.
    pub normal: Vector<D>,
    /// Shape weights of the antagonist point on the nodes of the facet: ≥ 0, of sum 1.
    pub weights: Few<f64>,
}

/// Facet geometry of one space dimension.
pub trait NarrowPhase<const D: usize> {
    /// Fewest and most nodes of a facet.
    const CORNERS: [usize; 2];

    /// Corners of the facet that bound ridge number `ridge`: in 2D one, in 3D the two of an edge.
    fn ridge(n_corners: usize, ridge: usize) -> Few<usize>;

    /// Neighbours of every facet, across each of its ridges (in 2D the end nodes, in 3D the edges).
    ///
    /// # Errors
    /// If the facets do not make an oriented surface.
    fn connect(facets: &[FacetNodes]) -> Result<Vec<Few<Option<usize>>>, ContactError>;

    /// Unit outward normal of a facet (at its middle); `None` if it has no extent.
    fn normal(corners: &[Vector<D>]) -> Option<Vector<D>>;

    /// Outward normal of a facet at one of its corners, as long as its share in the normal of that node (zero if undefined).
    fn corner_normal(corners: &[Vector<D>], corner: usize) -> Vector<D>;

    /// Characteristic length of a facet (m).
    fn size(corners: &[Vector<D>]) -> f64;

    /// Distance from a point to the nearest point of a facet taken alone (m).
    fn distance(corners: &[Vector<D>], point: &Vector<D>) -> f64;

    /// A box that holds every point of the facet that [`NarrowPhase::project`] can answer with.
    fn bounds(surface: &FacetSurface<D>, positions: &[f64], facet: usize) -> Aabb<D>;

    /// The point of a facet that `point` faces; `None` where a neighbour is nearer, or beyond an open end. An answer farther than
    /// `within` (m) may be left out.
    ///
    /// Over all facets the nearest answer is the closest point of the surface.
    fn project(
        surface: &FacetSurface<D>,
        positions: &[f64],
        facet: usize,
        point: &Vector<D>,
        within: f64,
    ) -> Option<Projection<D>>;

    /// For a point inside the solid that [`NarrowPhase::project`] leaves to a neighbour, because its foot on this facet is a little past
    /// the ridge between them: the ridge, with this facet's own normal. For those who may not touch the neighbour.
    fn project_past_ridge(
        surface: &FacetSurface<D>,
        positions: &[f64],
        facet: usize,
        point: &Vector<D>,
    ) -> Option<Projection<D>>;

    /// The closest point of a facet taken alone, seen along the facet's own normal there; `None` if it has no extent.
    fn onto_facet(corners: &[Vector<D>], point: &Vector<D>) -> Option<Projection<D>>;

    /// The facet cut into equal pieces, n along each side: weights of the middle of every piece, and its area (m²; in 2D its
    /// length, m).
    fn pieces(corners: &[Vector<D>], n: usize) -> Vec<(Few<f64>, f64)>;
}
