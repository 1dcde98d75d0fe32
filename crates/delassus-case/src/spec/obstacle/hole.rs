//! `Hole`, in space `Cavity`.

use std::sync::Arc;

use delassus_contact::{Cavity, Obstacle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlaneOutline, ShapeReader, ShapeSpec, circle};
use crate::spec::Components;
use crate::spec::units::{LENGTH, UnitTable};

/// A round hole with bodies inside: everything outside the circle, in space the sphere, is solid.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Hole", deny_unknown_fields)]
#[schemars(inline)]
pub struct HoleShape {
    /// Centre \[m\].
    pub centre: Components,
    /// Radius \[m\].
    pub radius: f64,
}

impl HoleShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("centre", LENGTH), ("radius", LENGTH)];
}

impl<const D: usize> ShapeSpec<D> for HoleShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        Some(Arc::new(Cavity { centre: read.point("centre", &self.centre)?, radius: self.radius }))
    }

    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::Closed { points: circle(&self.centre, self.radius), is_hollow: true }
    }
}
