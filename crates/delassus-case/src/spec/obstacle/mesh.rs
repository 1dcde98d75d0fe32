//! `Mesh`, in space.

use std::sync::Arc;

use delassus_contact::Obstacle;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShapeReader, ShapeSpec};

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
}

impl<const D: usize> ShapeSpec<D> for MeshShape {
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>> {
        read.mesh(&self.file, self.group.as_deref(), self.solid)
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
