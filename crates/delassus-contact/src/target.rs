//! Antagonists made ready for detection: trees over facets, and shapes with a formula of their own.
//!
//! ```text
//! half-space   g = n·(x − p)          ball    g = ‖x − c‖ − R,  normal (x − c)/‖x − c‖
//!                                     cavity  g = R − ‖x − c‖,  normal (c − x)/‖x − c‖
//! ```
//!
//! At the very centre of a round shape every direction is radial: the first axis is taken.

use crate::frame::unit;
use crate::obstacle::components;
use crate::surface::position_of;
use crate::{BoxTree, ContactError, FacetSurface, NarrowPhase, NodeToFacet, Obstacle, Pose, Projection, RigidSurface};
use crate::{RigidMotion, Vector};

/// Facets and a tree over them.
#[derive(Debug, Clone)]
pub(crate) struct FacetTree<const D: usize> {
    pub(crate) surface: FacetSurface<D>,
    pub(crate) tree: BoxTree<D>,
}

impl<const D: usize> FacetTree<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    pub(crate) fn new(surface: FacetSurface<D>, positions: &[f64]) -> Self {
        let boxes: Vec<_> = (0..surface.facets().len()).map(|f| NodeToFacet::bounds(&surface, positions, f)).collect();
        Self { surface, tree: BoxTree::new(&boxes) }
    }

    /// Fits the tree to moved nodes.
    pub(crate) fn refit(&mut self, positions: &[f64]) {
        let surface = &self.surface;
        self.tree.refit(|facet| NodeToFacet::bounds(surface, positions, facet));
    }
}

/// The first facet without extent.
pub(crate) fn flat_facet<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Option<usize>
where
    NodeToFacet: NarrowPhase<D>,
{
    (0..surface.facets().len()).find(|&f| NodeToFacet::normal(&surface.corners(f, positions)).is_none())
}

/// What the candidates of a pair may touch, where it is now.
#[derive(Debug, Clone)]
pub(crate) enum Target<const D: usize> {
    /// The surface of a body, by its index among those of the detector.
    Surface(usize),
    /// An obstacle made of facets, whose nodes have coordinates of their own: at rest, and placed.
    Rigid { facets: FacetTree<D>, at_rest: Vec<f64>, placed: Vec<f64> },
    /// A shape at rest, and placed.
    Shape { at_rest: Shape<D>, placed: Shape<D> },
}

impl<const D: usize> Target<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    pub(crate) fn of_rigid(surface: RigidSurface<D>) -> Result<Self, ContactError> {
        let (surface, at_rest) = surface.into_parts();
        check_sides(&surface, &at_rest)?;
        let facets = FacetTree::new(surface, &at_rest);
        Ok(Self::Rigid { facets, placed: at_rest.clone(), at_rest })
    }

    pub(crate) fn of_obstacle(obstacle: &Obstacle<D>) -> Result<Self, ContactError> {
        obstacle.validate()?;
        let shape = match *obstacle {
            Obstacle::HalfSpace { point, normal } => {
                let (normal, _) =
                    unit(&normal).ok_or_else(|| ContactError::ZeroNormal { normal: components(&normal) })?;
                Shape::HalfSpace { point, normal }
            }
            Obstacle::Ball { centre, radius } => Shape::Ball { centre, radius },
            Obstacle::Cavity { centre, radius } => Shape::Cavity { centre, radius },
            Obstacle::Segment { a, b } => {
                // Valid in 2D only, where these are the two corners of the facet.
                let facet = std::array::from_fn(|corner| corner);
                return Self::of_rigid(RigidSurface::from_facets(vec![a, b], vec![facet])?);
            }
        };
        Ok(Self::Shape { at_rest: shape, placed: shape })
    }

    /// Puts an obstacle where it is now.
    pub(crate) fn place(&mut self, motion: &RigidMotion<D>) -> Result<(), ContactError> {
        match self {
            Self::Surface(_) => {}
            Self::Rigid { facets, at_rest, placed } => {
                for (node, coordinates) in placed.chunks_mut(D).enumerate() {
                    coordinates.copy_from_slice(motion.pose.place(&position_of(at_rest, node)).as_slice());
                }
                check_sides(&facets.surface, placed)?;
                facets.refit(placed);
            }
            Self::Shape { at_rest, placed } => *placed = at_rest.placed(&motion.pose),
        }
        Ok(())
    }

    /// Whether a candidate can come through from behind: no limit to the penetration otherwise.
    pub(crate) fn has_other_side(&self) -> bool {
        !matches!(self, Self::Shape { at_rest: Shape::HalfSpace { .. } | Shape::Cavity { .. }, .. })
    }
}

/// Sides far from the origin can lose their length to rounding.
fn check_sides<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Result<(), ContactError>
where
    NodeToFacet: NarrowPhase<D>,
{
    let Some(facet) = flat_facet(surface, positions) else { return Ok(()) };
    let corners = surface.corners(facet, positions);
    Err(ContactError::ZeroLengthObstacle { a: components(&corners[0]), b: components(&corners[D - 1]) })
}

/// A shape with a formula for its gap.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape<const D: usize> {
    /// The normal is a unit vector.
    HalfSpace {
        point: Vector<D>,
        normal: Vector<D>,
    },
    Ball {
        centre: Vector<D>,
        radius: f64,
    },
    Cavity {
        centre: Vector<D>,
        radius: f64,
    },
}

impl<const D: usize> Shape<D> {
    fn placed(&self, pose: &Pose<D>) -> Self {
        match *self {
            Self::HalfSpace { point, normal } => {
                Self::HalfSpace { point: pose.place(&point), normal: pose.rotation * normal }
            }
            Self::Ball { centre, radius } => Self::Ball { centre: pose.place(&centre), radius },
            Self::Cavity { centre, radius } => Self::Cavity { centre: pose.place(&centre), radius },
        }
    }

    pub(crate) fn project(&self, point: &Vector<D>) -> Projection<D> {
        let (gap, normal) = match self {
            Self::HalfSpace { point: border, normal } => (normal.dot(&(point - border)), *normal),
            Self::Ball { centre, radius } => {
                let (radial, distance) = from_centre(centre, point);
                (distance - radius, radial)
            }
            Self::Cavity { centre, radius } => {
                let (radial, distance) = from_centre(centre, point);
                (radius - distance, -radial)
            }
        };
        Projection { distance: gap.abs(), gap, normal, weights: [0.0; D] }
    }
}

/// Radial unit vector and distance (m) of a point.
fn from_centre<const D: usize>(centre: &Vector<D>, point: &Vector<D>) -> (Vector<D>, f64) {
    unit(&(point - centre)).unwrap_or_else(|| (Vector::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 }), 0.0))
}
