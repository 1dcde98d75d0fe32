//! Mass, centre of mass and moments of a rigid body, as they are given.

use nalgebra::{Matrix3, SVector};

/// Mass, centre of mass, and inertia about it.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidInertia<const D: usize> {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass \[m\].
    pub centre: SVector<f64, D>,
    /// Inertia about the centre in the axes of space; in the plane the entry (2, 2) \[kg m²\]. None for a point mass.
    pub moments: Option<Matrix3<f64>>,
}
