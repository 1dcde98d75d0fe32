//! The `obstacles` of a case: rigid shapes and their prescribed motion.
//!
//! A shape is a file here, with its keys, their units and how they become an [`Obstacle`]; a variant, a line of units and an arm of
//! [`ObstacleSpec`]; and, if its geometry is new, a file in `delassus-contact`.

mod bore;
mod box_shape;
mod circle;
mod cylinder;
mod half_plane;
mod hole;
mod mesh;
mod own;
mod polygon;
mod segment;

use std::sync::Arc;

use delassus_contact::{Obstacle, Solid};
use delassus_error::Own;
use delassus_fem::TimeFunction;
use delassus_math as math;
use delassus_sim::space::{Dimension, Space};
use nalgebra::{Rotation, SVector};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Components;
use super::units::UnitRule::{Function, Within};
use super::units::{LENGTH, PURE, SPEED_IN_TIME, UnitTable};
use crate::source::UnitMeasure::Bare;
pub use bore::BoreShape;
pub use box_shape::BoxShape;
pub use circle::CircleShape;
pub use cylinder::CylinderShape;
pub use half_plane::HalfPlaneShape;
pub use hole::HoleShape;
pub use mesh::{MeshShape, SolidSide};
pub use own::OwnShape;
pub use polygon::{ContainerShape, PolygonShape};
pub use segment::SegmentShape;

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
    pub velocity: ObstacleVelocity,
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

impl ObstacleEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("shape", Within(ObstacleSpec::UNITS)),
        ("velocity", Within(ObstacleVelocity::UNITS)),
        ("spin", Function(Bare("rad/s"))),
        ("spin_axis", PURE),
        ("pivot", LENGTH),
    ];
}

/// Shapes of obstacles.
///
/// `HalfSpace`, `Sphere` and `Cavity` are other names of `HalfPlane`, `Circle` and `Hole`.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[schemars(transform = tidy)]
pub enum ObstacleSpec {
    /// All points on the side the normal points away from.
    #[serde(alias = "HalfSpace")]
    HalfPlane(HalfPlaneShape),
    /// A segment; the obstacle is on the left of a → b, bodies on the right.
    Segment(SegmentShape),
    /// A solid disk, in space a ball.
    #[serde(alias = "Sphere")]
    Circle(CircleShape),
    /// A round hole with bodies inside: everything outside the circle, in space the sphere, is solid.
    #[serde(alias = "Cavity")]
    Hole(HoleShape),
    /// A solid polygon.
    Polygon(PolygonShape),
    /// A container with bodies inside: everything outside the polygon is solid.
    Container(ContainerShape),
    /// A solid box, in the plane a rectangle.
    Box(BoxShape),
    /// A solid cylinder with flat ends, in space.
    Cylinder(CylinderShape),
    /// A round hole without ends, with bodies inside, in space: everything outside is solid.
    Bore(BoreShape),
    /// Triangles and quadrilaterals of a mesh file, in space.
    Mesh(MeshShape),
    /// A shape of the program that makes the case; a text has only its name and cannot be run.
    Own(Own<OwnShape>),
}

impl ObstacleSpec {
    /// What the numbers of every shape measure, under both of its names.
    const UNITS: UnitTable = &[
        ("HalfPlane", Within(HalfPlaneShape::UNITS)),
        ("HalfSpace", Within(HalfPlaneShape::UNITS)),
        ("Segment", Within(SegmentShape::UNITS)),
        ("Circle", Within(CircleShape::UNITS)),
        ("Sphere", Within(CircleShape::UNITS)),
        ("Hole", Within(HoleShape::UNITS)),
        ("Cavity", Within(HoleShape::UNITS)),
        ("Polygon", Within(PolygonShape::UNITS)),
        ("Container", Within(ContainerShape::UNITS)),
        ("Box", Within(BoxShape::UNITS)),
        ("Cylinder", Within(CylinderShape::UNITS)),
        ("Bore", Within(BoreShape::UNITS)),
        ("Mesh", Within(MeshShape::UNITS)),
    ];

    /// What every shape can do.
    #[must_use]
    pub fn shape<const D: usize>(&self) -> &dyn ShapeSpec<D>
    where
        Dimension<D>: Space<D>,
    {
        match self {
            Self::HalfPlane(shape) => shape,
            Self::Segment(shape) => shape,
            Self::Circle(shape) => shape,
            Self::Hole(shape) => shape,
            Self::Polygon(shape) => shape,
            Self::Container(shape) => shape,
            Self::Box(shape) => shape,
            Self::Cylinder(shape) => shape,
            Self::Bore(shape) => shape,
            Self::Mesh(shape) => shape,
            Self::Own(shape) => shape,
        }
    }
}

/// A shape as a case gives it.
pub trait ShapeSpec<const D: usize> {
    /// The obstacle; `None` if a number is not one it can be, which the reader has noted.
    fn obstacle(&self, read: &mut dyn ShapeReader<D>) -> Option<Arc<dyn Obstacle<D>>>;

    /// How pictures of plane cases show it; empty for shapes of space.
    fn in_plane(&self) -> PlaneOutline {
        PlaneOutline::Closed { points: Vec::new(), is_hollow: false }
    }
}

/// Checks what a shape is made of. Problems are noted at the place of the key in the case.
pub trait ShapeReader<const D: usize> {
    /// D components that must be given.
    fn point(&mut self, key: &str, given: &Components) -> Option<SVector<f64, D>>;

    /// A number above zero; `name` is its name in messages.
    fn positive(&mut self, key: &str, name: &str, value: f64) -> Option<f64>;

    /// The turn of the keys `rotation` \[degrees\] and `rotation_axis`.
    fn rotation(&mut self, degrees: f64, axis: &Components) -> Option<Rotation<f64, D>>;

    /// The obstacle of a closed polygon \[m\].
    fn polygon(&mut self, corners: Vec<SVector<f64, D>>, solid: Solid) -> Option<Arc<dyn Obstacle<D>>>;

    /// The obstacle of a group of facets of a file.
    fn mesh(&mut self, given: &MeshShape) -> Option<Arc<dyn Obstacle<D>>>;

    /// The obstacle that a program made.
    fn own(&mut self, shape: &Own<OwnShape>) -> Option<Arc<dyn Obstacle<D>>>;
}

/// The outline of a shape in the plane, at t = 0.
pub enum PlaneOutline {
    /// A point of the boundary \[m\] and the outward normal, of any length.
    HalfPlane {
        /// The point.
        point: [f64; 2],
        /// The normal.
        normal: [f64; 2],
    },
    /// Both ends \[m\].
    Segment([f64; 2], [f64; 2]),
    /// A closed outline.
    Closed {
        /// Corners \[m\].
        points: Vec<[f64; 2]>,
        /// Is the solid outside it?
        is_hollow: bool,
    },
}

/// Corners of a drawn circle.
const ROUND: usize = 96;

fn circle(centre: &Components, radius: f64) -> Vec<[f64; 2]> {
    let at = |k: usize| std::f64::consts::TAU * k as f64 / ROUND as f64;
    let c = two(centre);
    (0..ROUND).map(|k| [c[0] + radius * math::cos(at(k)), c[1] + radius * math::sin(at(k))]).collect()
}

/// The first two components; absent ones are zero.
fn two(c: &Components) -> [f64; 2] {
    [c.0.first().copied().unwrap_or(0.0), c.0.get(1).copied().unwrap_or(0.0)]
}

/// A variant describes its shape, so that the shape need not do so again. The schema has the names in space too, which serde keeps to
/// itself.
fn tidy(schema: &mut Schema) {
    let Some(variants) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    for shape in variants.iter_mut().filter_map(|variant| variant.get_mut("properties")?.as_object_mut()) {
        for fields in shape.values_mut().filter_map(Value::as_object_mut) {
            fields.remove("description");
        }
    }
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

/// A velocity given by components.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename = "Motion", deny_unknown_fields)]
pub struct ObstacleVelocity {
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

impl ObstacleVelocity {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("x", SPEED_IN_TIME), ("y", SPEED_IN_TIME), ("z", SPEED_IN_TIME)];
}
