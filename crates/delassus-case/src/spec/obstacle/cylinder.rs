//! `Cylinder`, in space.

use std::sync::Arc;

use delassus_contact::{Cylinder, Obstacle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShapeReader, ShapeSpec};
use crate::spec::Components;
use crate::spec::units::{LENGTH, PURE, UnitTable};

/// A solid cylinder with flat ends, in space.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Cylinder", deny_unknown_fields)]
#[schemars(inline)]
pub struct CylinderShape {
    /// Centre \[m\].
    pub centre: Components,
    /// Direction of its axis (any length).
    pub axis: Components,
    /// Radius \[m\].
    pub radius: f64,
    /// Length along the axis \[m\].
    pub length: f64,
}

impl CylinderShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("centre", LENGTH), ("axis", PURE), ("radius", LENGTH), ("length", LENGTH)];
}

impl<const D: usize> ShapeSpec<D> for CylinderShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        let (centre, axis) = (read.point("centre", &self.centre), read.point("axis", &self.axis));
        let length = read.positive("length", "length", self.length);
        Some(Arc::new(Cylinder { centre: centre?, axis: axis?, radius: self.radius, half_length: 0.5 * length? }))
    }
}
