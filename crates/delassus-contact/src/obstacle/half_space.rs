//! The half-space: g = n·(x − p).

use std::sync::Arc;

use super::checks::{check_finite, components};
use super::outline::{Faces, MARGIN, axes, shadow, space};
use super::{GapFormula, Obstacle, ObstacleGeometry};
use crate::frame::unit;
use crate::{ContactError, Pose, Vector};

/// Everything behind a line (2D) or a plane (3D); it has no other side, so no penetration is too deep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace<const D: usize> {
    /// A point of the border (m).
    pub point: Vector<D>,
    /// Direction out of the solid, of any length but zero.
    pub normal: Vector<D>,
}

impl<const D: usize> HalfSpace<D> {
    pub(super) fn at(&self, pose: &Pose<D>) -> Self {
        Self { point: pose.place(&self.point), normal: pose.rotation * self.normal }
    }

    fn with_unit_normal(&self) -> Result<Self, ContactError> {
        let (normal, _) =
            unit(&self.normal).ok_or_else(|| ContactError::ZeroNormal { normal: components(&self.normal) })?;
        Ok(Self { normal, ..*self })
    }
}

impl<const D: usize> Obstacle<D> for HalfSpace<D> {
    fn validate(&self) -> Result<(), ContactError> {
        check_finite("point", &self.point)?;
        self.with_unit_normal().map(|_| ())
    }

    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>> {
        Arc::new(self.at(pose))
    }

    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError> {
        Ok(ObstacleGeometry::Formula(Arc::new(self.with_unit_normal()?)))
    }

    /// The border, from one end of the bodies' shadow on it to the other.
    fn lines(&self, bodies: &[Vector<D>]) -> Vec<[Vector<D>; 2]> {
        let Self { point, normal } = self;
        let mut along = Vector::<D>::zeros();
        (along[0], along[1]) = (normal[1], -normal[0]);
        let along = along / normal.norm();
        let Some((low, high)) = shadow(bodies.iter().map(|x| (x - point).dot(&along))) else { return Vec::new() };
        let margin = MARGIN * (high - low);
        vec![[point + along * (low - margin), point + along * (high + margin)]]
    }

    /// The rectangle around the bodies' shadow on the border.
    fn faces(&self, bodies: &[Vector<D>]) -> Faces {
        let point = space(&self.point);
        let [a, b, _] = axes(&space(&self.normal));
        let reach = [a, b].map(|d| shadow(bodies.iter().map(|x| (space(x) - point).dot(&d))));
        let [Some(along), Some(across)] = reach else { return Faces::default() };
        let margin = MARGIN * (along.1 - along.0).max(across.1 - across.0);
        let corner = |s: f64, t: f64| point + a * s + b * t;
        let (s, t) = ((along.0 - margin, along.1 + margin), (across.0 - margin, across.1 + margin));
        let points = vec![corner(s.0, t.0), corner(s.1, t.0), corner(s.1, t.1), corner(s.0, t.1)];
        Faces { points, faces: vec![vec![0, 1, 2, 3]] }
    }
}

impl<const D: usize> GapFormula<D> for HalfSpace<D> {
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn GapFormula<D>> {
        Arc::new(self.at(pose))
    }

    fn gap(&self, point: &Vector<D>) -> (f64, Vector<D>) {
        (self.normal.dot(&(point - self.point)), self.normal)
    }

    fn has_other_side(&self) -> bool {
        false
    }
}
