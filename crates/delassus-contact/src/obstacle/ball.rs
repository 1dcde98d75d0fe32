//! The disk and the ball: g = ‖x − c‖ − R, normal (x − c)/‖x − c‖.

use std::sync::Arc;

use super::checks::{check_finite, check_radius};
use super::distance::from_centre;
use super::outline::{Faces, circle, space};
use super::{GapFormula, Obstacle, ObstacleGeometry};
use crate::{ContactError, Pose, Vector};

/// A solid disk (2D) or ball (3D), seen from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball<const D: usize> {
    /// Its centre c (m).
    pub centre: Vector<D>,
    /// Its radius R (m).
    pub radius: f64,
}

impl<const D: usize> Ball<D> {
    pub(super) fn at(&self, pose: &Pose<D>) -> Self {
        Self { centre: pose.place(&self.centre), ..*self }
    }
}

impl<const D: usize> Obstacle<D> for Ball<D> {
    fn validate(&self) -> Result<(), ContactError> {
        check_finite("centre", &self.centre)?;
        check_radius(self.radius)
    }

    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>> {
        Arc::new(self.at(pose))
    }

    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError> {
        Ok(ObstacleGeometry::Formula(Arc::new(*self)))
    }

    fn lines(&self, _: &[Vector<D>]) -> Vec<[Vector<D>; 2]> {
        circle(&self.centre, self.radius)
    }

    fn faces(&self, _: &[Vector<D>]) -> Faces {
        Faces::sphere(&space(&self.centre), self.radius)
    }
}

impl<const D: usize> GapFormula<D> for Ball<D> {
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn GapFormula<D>> {
        Arc::new(self.at(pose))
    }

    fn gap(&self, point: &Vector<D>) -> (f64, Vector<D>) {
        let (radial, distance) = from_centre(&self.centre, point);
        (distance - self.radius, radial)
    }
}
