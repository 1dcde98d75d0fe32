//! Forces on a rigid body and motions that are prescribed for it.

use delassus_fem::TimeFunction;
use nalgebra::{SVector, Vector3};

/// A force with a constant direction that acts on a point of the body, and a moment; both times a factor.
#[derive(Clone, Debug)]
pub struct AppliedForce<const D: usize> {
    /// Force, in the axes of space \[N\].
    pub force: SVector<f64, D>,
    /// Moment, in the axes of space; in the plane its third component \[N m\].
    pub moment: Vector3<f64>,
    /// The point, from the centre of mass in the body as it is given \[m\].
    pub arm: SVector<f64, D>,
    /// Factor in time.
    pub factor: TimeFunction,
}

/// Velocities that are prescribed.
#[derive(Clone, Debug)]
pub struct RigidGuide<const D: usize> {
    /// Of the centre of mass, along the axes of space \[m/s\]; none where it is free.
    pub velocity: [Option<TimeFunction>; D],
    /// Angular velocity about an axis that is fixed in space and in the body; none where the body turns freely \[rad/s\].
    pub spin: Option<TimeFunction>,
    /// That axis, of length one; z in the plane.
    pub axis: Vector3<f64>,
}

impl<const D: usize> Default for RigidGuide<D> {
    fn default() -> Self {
        Self { velocity: std::array::from_fn(|_| None), spin: None, axis: Vector3::z() }
    }
}
