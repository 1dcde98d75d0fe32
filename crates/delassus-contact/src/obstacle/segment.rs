//! The segment: one facet, with the rules of facets at its ends.

use std::sync::Arc;

use super::checks::{check_finite, components};
use super::{Obstacle, ObstacleGeometry, RigidSurface};
use crate::{ContactError, Dimension, Few, NarrowPhase, Pose, Vector};

/// One face of a solid in 2D: the solid is on the left of a → b, the outward normal on the right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment<const D: usize> {
    /// First end (m).
    pub a: Vector<D>,
    /// Second end (m).
    pub b: Vector<D>,
}

impl<const D: usize> Segment<D> {
    pub(super) fn at(&self, pose: &Pose<D>) -> Self {
        Self { a: pose.place(&self.a), b: pose.place(&self.b) }
    }
}

impl<const D: usize> Obstacle<D> for Segment<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    fn validate(&self) -> Result<(), ContactError> {
        if D != 2 {
            return Err(ContactError::SegmentDimension { dimension: D });
        }
        check_finite("first end", &self.a)?;
        check_finite("second end", &self.b)?;
        if (self.b - self.a).norm_squared().is_normal() {
            Ok(())
        } else {
            Err(ContactError::ZeroLengthObstacle { a: components(&self.a), b: components(&self.b) })
        }
    }

    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>> {
        Arc::new(self.at(pose))
    }

    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError> {
        // Valid in 2D only, where these are the two corners of the facet.
        let surface = RigidSurface::from_facets(vec![self.a, self.b], vec![Few::from([0, 1])])?;
        Ok(ObstacleGeometry::Facets(surface))
    }

    fn largest_depth(&self) -> f64 {
        (self.b - self.a).norm()
    }

    fn lines(&self, _: &[Vector<D>]) -> Vec<[Vector<D>; 2]> {
        vec![[self.a, self.b]]
    }
}
