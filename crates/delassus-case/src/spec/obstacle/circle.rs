//! `Circle`, in space `Sphere`.

use std::sync::Arc;

use delassus_contact::{Ball, Obstacle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlaneOutline, ShapeReader, ShapeSpec, circle};
use crate::spec::Components;
use crate::spec::units::{LENGTH, UnitTable};

/// A solid disk, in space a ball.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Circle", deny_unknown_fields)]
#[schemars(inline)]
pub struct CircleShape {
    /// Centre \[m\].
    pub centre: Components,
    /// Radius \[m\].
    pub radius: f64,
}

impl CircleShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("centre", LENGTH), ("radius", LENGTH)];
}

impl<const D: usize> ShapeSpec<D> for CircleShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        Some(Arc::new(Ball { centre: read.point("centre", &self.centre)?, radius: self.radius }))
    }

    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::Closed { points: circle(&self.centre, self.radius), is_hollow: false }
    }
}
