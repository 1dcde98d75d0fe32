//! The rectangle and the box: heights above its faces q_i = |y_i| − s_i with y = Rᵀ(x − c), s half the sizes; directions ± its axes.

use std::sync::Arc;

use nalgebra::Rotation;

use super::checks::{check_finite, check_size};
use super::distance::{from_faces, noise};
use super::outline::{Faces, space};
use super::{GapFormula, Obstacle, ObstacleGeometry};
use crate::{ContactError, Few, Pose, Vector};

/// A solid rectangle (2D) or box (3D), turned about its centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidBox<const D: usize> {
    /// Its centre (m).
    pub centre: Vector<D>,
    /// Half its sizes along its own axes (m).
    pub half_sizes: Vector<D>,
    /// From the world's axes to its own.
    pub rotation: Rotation<f64, D>,
}

impl<const D: usize> SolidBox<D> {
    fn at(&self, pose: &Pose<D>) -> Self {
        let rotation = Rotation::from_matrix_unchecked(pose.rotation.matrix() * self.rotation.matrix());
        Self { centre: pose.place(&self.centre), half_sizes: self.half_sizes, rotation }
    }
}

impl<const D: usize> Obstacle<D> for SolidBox<D> {
    fn validate(&self) -> Result<(), ContactError> {
        check_finite("centre", &self.centre)?;
        let turn = self.rotation.matrix().as_slice();
        if turn.iter().any(|c| !c.is_finite()) {
            return Err(ContactError::NonFiniteObstacle { what: "rotation", value: turn.to_vec() });
        }
        self.half_sizes.iter().try_for_each(|&size| check_size("half size", size))
    }

    fn placed(&self, pose: &Pose<D>) -> Arc<dyn Obstacle<D>> {
        Arc::new(self.at(pose))
    }

    fn geometry(&self) -> Result<ObstacleGeometry<D>, ContactError> {
        Ok(ObstacleGeometry::Formula(Arc::new(*self)))
    }

    fn lines(&self, _: &[Vector<D>]) -> Vec<[Vector<D>; 2]> {
        let corner = |signs: [f64; 2]| {
            let half = Vector::<D>::from_fn(|i, _| signs.get(i).map_or(0.0, |s| s * self.half_sizes[i]));
            self.centre + self.rotation * half
        };
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner);
        (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect()
    }

    fn faces(&self, _: &[Vector<D>]) -> Faces {
        // Corner k is on the far side along axis i if bit i of k is set.
        let corner = |k: usize| {
            let half = Vector::<D>::from_fn(|i, _| if k >> i & 1 == 1 { 1.0 } else { -1.0 });
            space(&(self.centre + self.rotation * half.component_mul(&self.half_sizes)))
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Faces { points: (0..8).map(corner).collect(), faces: faces.iter().map(|f| f.to_vec()).collect() }
    }
}

impl<const D: usize> GapFormula<D> for SolidBox<D> {
    fn placed(&self, pose: &Pose<D>) -> Arc<dyn GapFormula<D>> {
        Arc::new(self.at(pose))
    }

    fn gap(&self, point: &Vector<D>) -> (f64, Vector<D>) {
        let axes = self.rotation.matrix();
        let y = axes.tr_mul(&(point - self.centre));
        let faces = Few::from_fn(D, |i| {
            let axis = axes.column(i).into_owned();
            (y[i].abs() - self.half_sizes[i], if y[i] < 0.0 { -axis } else { axis })
        });
        from_faces(&faces, noise(point, &self.centre, self.half_sizes.amax()))
    }
}
