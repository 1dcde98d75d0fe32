//! `HalfPlane`, in space `HalfSpace`.

use std::sync::Arc;

use delassus_contact::{HalfSpace, Obstacle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlaneOutline, ShapeReader, ShapeSpec, two};
use crate::spec::Components;
use crate::spec::units::{LENGTH, PURE, UnitTable};

/// All points on the side the normal points away from.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "HalfPlane", deny_unknown_fields)]
#[schemars(inline)]
pub struct HalfPlaneShape {
    /// A point of the boundary \[m\].
    pub point: Components,
    /// Outward normal (any length).
    pub normal: Components,
}

impl HalfPlaneShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("point", LENGTH), ("normal", PURE)];
}

impl<const D: usize> ShapeSpec<D> for HalfPlaneShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        let (point, normal) = (read.point("point", &self.point), read.point("normal", &self.normal));
        Some(Arc::new(HalfSpace { point: point?, normal: normal? }))
    }

    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::HalfPlane { point: two(&self.point), normal: two(&self.normal) }
    }
}
