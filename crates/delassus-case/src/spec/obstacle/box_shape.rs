//! `Box`, in the plane a rectangle.

use std::sync::Arc;

use delassus_contact::{Obstacle, SolidBox};
use delassus_math as math;
use nalgebra::SVector;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlaneOutline, ShapeReader, ShapeSpec, two};
use crate::spec::Components;
use crate::spec::units::{LENGTH, PURE, UnitTable, bare};

/// A solid box, in the plane a rectangle.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Box", deny_unknown_fields)]
#[schemars(inline)]
pub struct BoxShape {
    /// Centre \[m\].
    pub centre: Components,
    /// Lengths along its own axes \[m\].
    pub size: Components,
    /// Turn about its centre, counter-clockwise \[degrees\].
    #[serde(default)]
    pub rotation: f64,
    /// Axis of `rotation` in space; z when absent.
    #[serde(default)]
    pub rotation_axis: Components,
}

impl BoxShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable =
        &[("centre", LENGTH), ("size", LENGTH), ("rotation", bare("degrees")), ("rotation_axis", PURE)];

    fn sizes<const D: usize>(&self, read: &mut dyn ShapeReader<D>) -> Option<SVector<f64, D>> {
        let sizes = read.point("size", &self.size)?;
        let good = (0..D).all(|i| read.positive("size", &format!("size[{i}]"), sizes[i]).is_some());
        good.then_some(sizes)
    }
}

impl<const D: usize> ShapeSpec<D> for BoxShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        let (centre, size) = (read.point("centre", &self.centre), self.sizes(read));
        let rotation = read.rotation(self.rotation, &self.rotation_axis)?;
        Some(Arc::new(SolidBox { centre: centre?, half_sizes: size? * 0.5, rotation }))
    }

    fn in_plane(&self) -> PlaneOutline {
        let (c, s) = (two(&self.centre), two(&self.size));
        let (sin, cos) = math::sin_cos(self.rotation.to_radians());
        let corner = |[x, y]: [f64; 2]| {
            let [a, b] = [0.5 * x * s[0], 0.5 * y * s[1]];
            [c[0] + cos * a - sin * b, c[1] + sin * a + cos * b]
        };
        let points = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec();
        PlaneOutline::Closed { points, is_hollow: false }
    }
}
