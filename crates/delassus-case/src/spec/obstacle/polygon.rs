//! `Polygon` and `Container`, in the plane.

use std::sync::Arc;

use delassus_contact::{Obstacle, Solid};
use nalgebra::SVector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlaneOutline, ShapeReader, ShapeSpec, two};
use crate::spec::Components;
use crate::spec::units::{LENGTH, UnitTable};

fn corners<const D: usize>(read: &mut dyn ShapeReader<D>, points: &[Components]) -> Option<Vec<SVector<f64, D>>> {
    points.iter().enumerate().map(|(k, c)| read.point(&format!("points[{k}]"), c)).collect()
}

/// A solid polygon.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Polygon", deny_unknown_fields)]
#[schemars(inline)]
pub struct PolygonShape {
    /// Corners in either order \[m\].
    pub points: Vec<Components>,
}

impl PolygonShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("points", LENGTH)];
}

impl<const D: usize> ShapeSpec<D> for PolygonShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        let corners = corners(read, &self.points)?;
        read.polygon(corners, Solid::Inside)
    }

    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::Closed { points: self.points.iter().map(two).collect(), is_hollow: false }
    }
}

/// A container with bodies inside: everything outside the polygon is solid.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Container", deny_unknown_fields)]
#[schemars(inline)]
pub struct ContainerShape {
    /// Corners in either order \[m\].
    pub points: Vec<Components>,
}

impl ContainerShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("points", LENGTH)];
}

impl<const D: usize> ShapeSpec<D> for ContainerShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        let corners = corners(read, &self.points)?;
        read.polygon(corners, Solid::Outside)
    }

    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::Closed { points: self.points.iter().map(two).collect(), is_hollow: true }
    }
}
