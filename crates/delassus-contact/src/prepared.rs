//! Antagonists made ready for detection: trees over facets, and shapes with a formula of their own.

use std::sync::Arc;

use crate::corner;
use crate::obstacle::components;
use crate::surface::position_of;
use crate::{BoxTree, ContactError, Dimension, FacetSurface, Few, GapFormula, NarrowPhase, Obstacle, ObstacleGeometry};
use crate::{RigidMotion, RigidSurface};

/// Facets and a tree over them.
#[derive(Debug, Clone)]
pub(crate) struct FacetTree<const D: usize> {
    pub(crate) surface: FacetSurface<D>,
    pub(crate) tree: BoxTree<D>,
    /// Which ridges of every facet are re-entrant corners of the geometry as given.
    pub(crate) corners: Vec<Few<bool>>,
}

impl<const D: usize> FacetTree<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    pub(crate) fn new(surface: FacetSurface<D>, positions: &[f64]) -> Self {
        let boxes: Vec<_> =
            (0..surface.facets().len()).map(|f| Dimension::<D>::bounds(&surface, positions, f)).collect();
        let corners = corner::corners(&surface, positions);
        Self { surface, tree: BoxTree::new(&boxes), corners }
    }

    /// Fits the tree to moved nodes.
    pub(crate) fn refit(&mut self, positions: &[f64]) {
        let surface = &self.surface;
        self.tree.refit(|facet| Dimension::<D>::bounds(surface, positions, facet));
    }
}

/// The first facet without extent.
pub(crate) fn flat_facet<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Option<usize>
where
    Dimension<D>: NarrowPhase<D>,
{
    (0..surface.facets().len()).find(|&f| Dimension::<D>::normal(&surface.corners(f, positions)).is_none())
}

/// What the candidates of a pair may touch, where it is now.
#[derive(Debug, Clone)]
pub(crate) enum PreparedAntagonist<const D: usize> {
    /// The surface of a body, by its index among those of the detector.
    Surface(usize),
    /// An obstacle made of facets, whose nodes have coordinates of their own: at rest, and placed.
    Rigid { facets: FacetTree<D>, at_rest: Vec<f64>, placed: Vec<f64> },
    /// A shape with a formula, at rest and placed.
    Formula { at_rest: Arc<dyn GapFormula<D>>, placed: Arc<dyn GapFormula<D>> },
}

impl<const D: usize> PreparedAntagonist<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    pub(crate) fn of_obstacle(obstacle: &dyn Obstacle<D>) -> Result<Self, ContactError> {
        obstacle.validate()?;
        match obstacle.geometry()? {
            ObstacleGeometry::Formula(at_rest) => Ok(Self::Formula { placed: at_rest.clone(), at_rest }),
            ObstacleGeometry::Facets(surface) => Self::of_rigid(surface),
        }
    }

    fn of_rigid(surface: RigidSurface<D>) -> Result<Self, ContactError> {
        let (surface, at_rest) = surface.into_parts();
        check_sides(&surface, &at_rest)?;
        let facets = FacetTree::new(surface, &at_rest);
        Ok(Self::Rigid { facets, placed: at_rest.clone(), at_rest })
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
            Self::Formula { at_rest, placed } => *placed = at_rest.placed(&motion.pose),
        }
        Ok(())
    }

    /// Whether a candidate can come through from behind: no limit to the penetration otherwise.
    pub(crate) fn has_other_side(&self) -> bool {
        !matches!(self, Self::Formula { at_rest, .. } if !at_rest.has_other_side())
    }
}

/// Sides far from the origin can lose their length to rounding.
fn check_sides<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Result<(), ContactError>
where
    Dimension<D>: NarrowPhase<D>,
{
    let Some(facet) = flat_facet(surface, positions) else { return Ok(()) };
    let corners = surface.corners(facet, positions);
    if D == 2 {
        return Err(ContactError::ZeroLengthObstacle { a: components(&corners[0]), b: components(&corners[1]) });
    }
    Err(ContactError::FlatObstacleFacet { facet, corners: corners.iter().map(components).collect() })
}
