//! The bore: g = R − ρ with ρ the distance from the axis, normal towards the axis.

use std::sync::Arc;

use super::checks::{check_axis, check_finite, check_radius, check_space, direction};
use super::distance::from_axis;
use super::outline::{Faces, MARGIN, axes, ring, shadow, space};
use super::{GapFormula, Obstacle, ObstacleGeometry};
use crate::{ContactError, Pose, Vector};

/// A round hole without ends, seen from inside, with everything around it solid (3D). It has no other side, so no penetration is too
/// deep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bore<const D: usize> {
    /// A point of its axis (m).
    pub point: Vector<D>,
    /// Direction of its axis, of any length but zero.
    pub axis: Vector<D>,
    /// Its radius R (m).
    pub radius: f64,
}

impl<const D: usize> Bore<D> {
    fn at(&self, pose: &Pose<D>) -> Self {
        Self { point: pose.place(&self.point), axis: pose.rotation * self.axis, ..*self }
    }
}

impl<const D: usize> Obstacle<D> for Bore<D> {
    fn validate(&self) -> Result<(), ContactError> {
        check_space::<D>("bore")?;
        check_finite("point", &self.point)?;
        check_axis(&self.axis)?;
        check_radius(self.radius)
    }

    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>> {
        Arc::new(self.at(pose))
    }

    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError> {
        Ok(ObstacleGeometry::Formula(Arc::new(Self { axis: direction(&self.axis)?, ..*self })))
    }

    fn faces(&self, bodies: &[Vector<D>]) -> Faces {
        let (point, own) = (space(&self.point), axes(&space(&self.axis)));
        let along = bodies.iter().map(|x| (space(x) - point).dot(&own[2]));
        let Some((low, high)) = shadow(along) else { return Faces::default() };
        let margin = MARGIN * (high - low);
        let ends = [low - margin, high + margin].map(|s| point + own[2] * s);
        Faces::tube(&ends.map(|end| ring(&end, &own, self.radius))).turned()
    }
}

impl<const D: usize> GapFormula<D> for Bore<D> {
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn GapFormula<D>> {
        Arc::new(self.at(pose))
    }

    fn gap(&self, point: &Vector<D>) -> (f64, Vector<D>) {
        let (radial, rho, _) = from_axis(&self.point, &self.axis, point);
        (self.radius - rho, -radial)
    }

    fn has_other_side(&self) -> bool {
        false
    }
}
