//! `Mesh`, in space.

use std::sync::Arc;

use delassus_contact::Obstacle;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShapeReader, ShapeSpec};
use crate::spec::Components;
use crate::spec::units::{LENGTH, PURE, UnitTable, bare};

/// Triangles and quadrilaterals of a mesh file, in space.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Mesh", deny_unknown_fields)]
#[schemars(inline)]
pub struct MeshShape {
    /// The file (STL, OBJ, or a mesh as for bodies), relative to the case file.
    pub file: String,
    /// Its group of facets; all facets of the file when absent.
    #[serde(default)]
    pub group: Option<String>,
    /// On which side of them the solid is.
    pub solid: SolidSide,
    /// Unit of the coordinates in the file: `Mm(1)` of one in millimetres \[m\].
    #[serde(default = "one_metre")]
    pub scale: f64,
    /// Turn about the origin, counter-clockwise, before `translation` \[degrees\].
    #[serde(default)]
    pub rotation: f64,
    /// Axis of `rotation`; z when absent.
    #[serde(default)]
    pub rotation_axis: Components,
    /// Shift to its place \[m\].
    #[serde(default)]
    pub translation: Components,
}

fn one_metre() -> f64 {
    1.0
}

impl MeshShape {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable =
        &[("scale", LENGTH), ("rotation", bare("degrees")), ("rotation_axis", PURE), ("translation", LENGTH)];

    /// Is it elsewhere, or of another size, than in its file?
    pub(crate) fn is_moved(&self) -> bool {
        (self.scale - 1.0).abs() > 0.0 || self.rotation.abs() > 0.0 || !self.translation.0.is_empty()
    }

    /// The surface of a file in metres, in its place.
    #[must_use]
    pub fn new(file: impl Into<String>, solid: SolidSide) -> Self {
        let (rotation, rotation_axis, translation) = (0.0, Components::default(), Components::default());
        Self { file: file.into(), group: None, solid, scale: 1.0, rotation, rotation_axis, translation }
    }
}

impl<const D: usize> ShapeSpec<D> for MeshShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        read.mesh(self)
    }
}

/// On which side of a surface from a mesh the solid is.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum SolidSide {
    /// Inside a closed surface.
    Inside,
    /// Outside a closed surface, with bodies inside.
    Outside,
    /// Behind the facets of the file: seen from the bodies, their corners are counter-clockwise. Open or
    /// closed.
    Behind,
    /// In front of them: seen from the bodies, their corners are clockwise.
    Before,
}
