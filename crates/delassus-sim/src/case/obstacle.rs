//! The `obstacles` of a case: rigid shapes and their prescribed motion.

use delassus_fem::TimeFunction;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Components;

/// A rigid obstacle.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleEntry {
    /// Name.
    pub name: String,
    /// Shape at t = 0.
    pub shape: ObstacleSpec,
    /// Velocity of its translation \[m/s\].
    #[serde(default)]
    pub velocity: Motion,
    /// Angular velocity about the pivot, counter-clockwise \[rad/s\].
    #[serde(default)]
    pub spin: Option<TimeFunction>,
    /// Axis of `spin` in space; z when absent.
    #[serde(default)]
    pub spin_axis: Components,
    /// Point about which it turns, at t = 0; it moves along with the translation \[m\].
    #[serde(default)]
    pub pivot: Components,
}

/// Shapes of obstacles.
///
/// `HalfSpace`, `Sphere` and `Cavity` are other names of `HalfPlane`, `Circle` and `Hole`.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(transform = other_names)]
pub enum ObstacleSpec {
    /// All points on the side the normal points away from.
    #[serde(alias = "HalfSpace")]
    HalfPlane {
        /// A point of the boundary \[m\].
        point: Components,
        /// Outward normal (any length).
        normal: Components,
    },
    /// A segment; the obstacle is on the left of a → b, bodies on the right.
    Segment {
        /// First end \[m\].
        a: Components,
        /// Second end \[m\].
        b: Components,
    },
    /// A solid disk, in space a ball.
    #[serde(alias = "Sphere")]
    Circle {
        /// Centre \[m\].
        centre: Components,
        /// Radius \[m\].
        radius: f64,
    },
    /// A round hole with bodies inside: everything outside the circle, in space the sphere, is solid.
    #[serde(alias = "Cavity")]
    Hole {
        /// Centre \[m\].
        centre: Components,
        /// Radius \[m\].
        radius: f64,
    },
    /// A solid polygon.
    Polygon {
        /// Corners in either order \[m\].
        points: Vec<Components>,
    },
    /// A container with bodies inside: everything outside the polygon is solid.
    Container {
        /// Corners in either order \[m\].
        points: Vec<Components>,
    },
    /// A solid box, in the plane a rectangle.
    Box {
        /// Centre \[m\].
        centre: Components,
        /// Lengths along its own axes \[m\].
        size: Components,
        /// Turn about its centre, counter-clockwise \[degrees\].
        #[serde(default)]
        rotation: f64,
        /// Axis of `rotation` in space; z when absent.
        #[serde(default)]
        rotation_axis: Components,
    },
    /// A solid cylinder with flat ends, in space.
    Cylinder {
        /// Centre \[m\].
        centre: Components,
        /// Direction of its axis (any length).
        axis: Components,
        /// Radius \[m\].
        radius: f64,
        /// Length along the axis \[m\].
        length: f64,
    },
    /// A round hole without ends, with bodies inside, in space: everything outside is solid.
    Bore {
        /// A point of its axis \[m\].
        point: Components,
        /// Direction of its axis (any length).
        axis: Components,
        /// Radius \[m\].
        radius: f64,
    },
    /// Triangles and quadrilaterals of a gmsh file, in space.
    Mesh {
        /// The file (MSH 2.2 or 4.1), relative to the case file.
        file: String,
        /// Its group of facets.
        group: String,
        /// On which side of them the solid is.
        solid: SolidSide,
    },
}

/// The schema has the names in space too, which serde keeps to itself.
fn other_names(schema: &mut Schema) {
    let Some(variants) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    for (name, other) in [("HalfPlane", "HalfSpace"), ("Circle", "Sphere"), ("Hole", "Cavity")] {
        let renamed = variants.iter().find_map(|variant| {
            let fields = variant.get("properties")?.get(name)?.clone();
            let mut renamed = variant.clone();
            renamed["properties"] = json!({ other: fields });
            renamed["required"] = json!([other]);
            Some(renamed)
        });
        variants.extend(renamed);
    }
}

/// On which side of a surface from a mesh the solid is.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum SolidSide {
    /// Inside a closed surface.
    Inside,
    /// Outside a closed surface, with bodies inside.
    Outside,
    /// Behind facets as the file has them: bodies see their corners run counter-clockwise. Open or closed.
    Behind,
    /// Before them: bodies see their corners run clockwise.
    Before,
}

/// A velocity given by components.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Along x \[m/s\].
    #[serde(default)]
    pub x: Option<TimeFunction>,
    /// Along y \[m/s\].
    #[serde(default)]
    pub y: Option<TimeFunction>,
    /// Along z, in space \[m/s\].
    #[serde(default)]
    pub z: Option<TimeFunction>,
}
