//! Rigid obstacles without dofs, moved by the caller: one file per shape.
//!
//! A new shape is a file with a struct that implements [`Obstacle`], and a line here. A shape with a closed formula for its gap
//! implements [`GapFormula`] as well; a shape made of facets returns them as a [`RigidSurface`].

mod ball;
mod bore;
mod cavity;
mod checks;
mod cylinder;
mod distance;
mod half_space;
mod outline;
mod rigid_mesh;
mod rigid_surface;
mod segment;
mod solid_box;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::sync::Arc;

use crate::{ContactError, Pose, Vector};

pub use ball::Ball;
pub use bore::Bore;
pub use cavity::Cavity;
pub(crate) use checks::components;
pub use cylinder::Cylinder;
pub use half_space::HalfSpace;
pub use outline::Faces;
pub use rigid_surface::{RigidSurface, Solid};
pub use segment::Segment;
pub use solid_box::SolidBox;

/// A rigid shape in the world.
pub trait Obstacle<const D: usize>: Debug + Send + Sync {
    /// Checks that the numbers make a shape.
    ///
    /// # Errors
    /// If a coordinate is not finite, a normal or axis has no direction, a length or size is not positive, or the shape does not
    /// exist in D dimensions.
    fn validate(&self) -> Result<(), ContactError>;

    /// The shape in another pose.
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>>;

    /// What detection projects candidates on, at the same place.
    ///
    /// # Errors
    /// If the shape is not valid.
    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError>;

    /// Largest penetration that still counts as one (m). Behind an open surface by more than its size is not behind it; a closed one
    /// has no such limit.
    fn largest_depth(&self) -> f64 {
        f64::INFINITY
    }

    /// The outline in the plane, as segments; what has no end is drawn as far as the `bodies` (their nodes, m) reach.
    fn lines(&self, bodies: &[Vector<D>]) -> Vec<[Vector<D>; 2]> {
        let _ = bodies;
        Vec::new()
    }

    /// The surface in space, with corners counter-clockwise seen from where bodies may be; what has no end is drawn as far as the
    /// `bodies` (their nodes, m) reach.
    fn faces(&self, bodies: &[Vector<D>]) -> Faces {
        let _ = bodies;
        Faces::default()
    }
}

/// What detection projects candidates on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ObstacleGeometry<const D: usize> {
    /// A closed formula.
    Formula(Arc<dyn GapFormula<D>>),
    /// Facets, searched with a tree.
    Facets(RigidSurface<D>),
}

/// A shape with a closed formula for its gap; its directions are unit vectors.
pub trait GapFormula<const D: usize>: Debug + Send + Sync {
    /// The shape in another pose.
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn GapFormula<D>>;

    /// Gap (m) of a point and the unit normal from the shape to it.
    fn gap(&self, point: &Vector<D>) -> (f64, Vector<D>);

    /// Whether a candidate can come through from behind: there is no limit to the penetration otherwise.
    fn has_other_side(&self) -> bool {
        true
    }
}
