//! The round hole: g = R − ‖x − c‖, normal (c − x)/‖x − c‖.

use std::sync::Arc;

use super::checks::{check_finite, check_radius};
use super::distance::from_centre;
use super::outline::{Faces, circle, space};
use super::{GapFormula, Obstacle, ObstacleGeometry};
use crate::{ContactError, Pose, Vector};

/// A round hole, seen from inside, with everything around it solid. It has no other side, so no penetration is too deep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cavity<const D: usize> {
    /// Its centre c (m).
    pub centre: Vector<D>,
    /// Its radius R (m).
    pub radius: f64,
}

impl<const D: usize> Cavity<D> {
    fn at(&self, pose: &Pose<D>) -> Self {
        Self { centre: pose.place(&self.centre), ..*self }
    }
}

impl<const D: usize> Obstacle<D> for Cavity<D> {
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
        Faces::sphere(&space(&self.centre), self.radius).turned()
    }
}

impl<const D: usize> GapFormula<D> for Cavity<D> {
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn GapFormula<D>> {
        Arc::new(self.at(pose))
    }

    fn gap(&self, point: &Vector<D>) -> (f64, Vector<D>) {
        let (radial, distance) = from_centre(&self.centre, point);
        (self.radius - distance, -radial)
    }

    fn has_other_side(&self) -> bool {
        false
    }
}
