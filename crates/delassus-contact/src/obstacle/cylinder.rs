//! The cylinder: heights above its faces q = (ρ − R, |z| − L), z along the axis, ρ from it; directions: radial and ± the axis.

use std::sync::Arc;

use super::checks::{check_axis, check_finite, check_radius, check_size, check_space, direction};
use super::distance::{from_axis, from_faces, noise};
use super::outline::{Faces, SIDES, axes, ring, space};
use super::{GapFormula, Obstacle, ObstacleGeometry};
use crate::{ContactError, Few, Pose, Vector};

/// A solid cylinder with flat ends (3D).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder<const D: usize> {
    /// Its centre (m).
    pub centre: Vector<D>,
    /// Direction of its axis, of any length but zero.
    pub axis: Vector<D>,
    /// Its radius R (m).
    pub radius: f64,
    /// Half its length L (m).
    pub half_length: f64,
}

impl<const D: usize> Cylinder<D> {
    fn at(&self, pose: &Pose<D>) -> Self {
        Self { centre: pose.place(&self.centre), axis: pose.rotation * self.axis, ..*self }
    }
}

impl<const D: usize> Obstacle<D> for Cylinder<D> {
    fn validate(&self) -> Result<(), ContactError> {
        check_space::<D>("cylinder")?;
        check_finite("centre", &self.centre)?;
        check_axis(&self.axis)?;
        check_radius(self.radius)?;
        check_size("half length", self.half_length)
    }

    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>> {
        Arc::new(self.at(pose))
    }

    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError> {
        Ok(ObstacleGeometry::Formula(Arc::new(Self { axis: direction(&self.axis)?, ..*self })))
    }

    fn faces(&self, _: &[Vector<D>]) -> Faces {
        let (centre, own) = (space(&self.centre), axes(&space(&self.axis)));
        let ends = [-self.half_length, self.half_length].map(|s| centre + own[2] * s);
        let mut out = Faces::tube(&ends.map(|end| ring(&end, &own, self.radius)));
        out.cap(0, ends[0], false);
        out.cap(SIDES, ends[1], true);
        out
    }
}

impl<const D: usize> GapFormula<D> for Cylinder<D> {
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn GapFormula<D>> {
        Arc::new(self.at(pose))
    }

    fn gap(&self, point: &Vector<D>) -> (f64, Vector<D>) {
        let Self { centre, axis, radius, half_length } = self;
        let (radial, rho, z) = from_axis(centre, axis, point);
        let faces = Few::from([(rho - radius, radial), (z.abs() - half_length, axis * z.signum())]);
        from_faces(&faces, noise(point, centre, radius.max(*half_length)))
    }
}
