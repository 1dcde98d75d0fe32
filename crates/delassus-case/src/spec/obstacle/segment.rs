//! `Segment`, in the plane.

use std::sync::Arc;

use delassus_contact::{Obstacle, Segment};
use delassus_sim::space::{Dimension, Space};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlaneOutline, ShapeReader, ShapeSpec, two};
use crate::spec::Components;
use crate::spec::units::{LENGTH, UnitTable};

/// A segment; the obstacle is on the left of a → b, bodies on the right.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Segment", deny_unknown_fields)]
#[schemars(inline)]
pub struct SegmentShape {
    /// First end \[m\].
    pub a: Components,
    /// Second end \[m\].
    pub b: Components,
}

impl SegmentShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("a", LENGTH), ("b", LENGTH)];
}

impl<const D: usize> ShapeSpec<D> for SegmentShape
where
    Dimension<D>: Space<D>,
{
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        let (a, b) = (read.point("a", &self.a), read.point("b", &self.b));
        Some(Arc::new(Segment { a: a?, b: b? }))
    }

    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::Segment(two(&self.a), two(&self.b))
    }
}
