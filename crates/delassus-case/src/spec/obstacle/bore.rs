//! `Bore`, in space.

use std::sync::Arc;

use delassus_contact::{Bore, Obstacle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShapeReader, ShapeSpec};
use crate::spec::Components;
use crate::spec::units::{LENGTH, PURE, UnitTable};

/// A round hole without ends, with bodies inside, in space: everything outside is solid.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Bore", deny_unknown_fields)]
#[schemars(inline)]
pub struct BoreShape {
    /// A point of its axis \[m\].
    pub point: Components,
    /// Direction of its axis (any length).
    pub axis: Components,
    /// Radius \[m\].
    pub radius: f64,
}

impl BoreShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("point", LENGTH), ("axis", PURE), ("radius", LENGTH)];
}

impl<const D: usize> ShapeSpec<D> for BoreShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        let (point, axis) = (read.point("point", &self.point), read.point("axis", &self.axis));
        Some(Arc::new(Bore { point: point?, axis: axis?, radius: self.radius }))
    }
}
