//! Axes of turns.

use delassus_sim::model::RotationAxis;
use nalgebra::{Unit, Vector3};

use super::Builder;
use crate::codes;
use crate::spec::Components;

impl Builder<'_> {
    /// The axis of a turn: z when none is given; in the plane none may be.
    pub(super) fn axis<const D: usize>(&mut self, path: &str, given: &Components) -> Option<RotationAxis> {
        if given.0.is_empty() {
            return Some(Vector3::z_axis());
        }
        if D != 3 {
            self.problems.input(
                codes::AXIS_IN_PLANE,
                path,
                "an axis in a plane case: all rotations are about z, leave it out",
            );
            return None;
        }
        let axis = Vector3::from(self.vector::<3>(path, given)?);
        // Scaled first, so that no length overflows.
        let unit = Unit::try_new(axis / axis.amax(), 0.0);
        if unit.is_none_or(|u| u.iter().any(|x| !x.is_finite())) {
            let message = format!("the axis ({}, {}, {}) has no direction", axis.x, axis.y, axis.z);
            self.problems.input(codes::ZERO_AXIS, path, message);
            return None;
        }
        unit
    }
}
