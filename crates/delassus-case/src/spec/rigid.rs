//! Keys of rigid bodies: shapes, inertia, prescribed motions.

use delassus_fem::TimeFunction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::units::UnitRule::Within;
use super::units::{COUNT, LENGTH, MASS, PURE, SPEED_IN_TIME, UnitTable, bare, in_time};
use super::{Components, MeshSpec};

/// A point with a mass.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PointMassSpec {
    /// Where it is \[m\].
    pub at: Components,
}

impl PointMassSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("at", LENGTH)];
}

/// A rigid disk, in space a ball.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RoundSpec {
    /// Centre \[m\].
    pub centre: Components,
    /// Radius \[m\].
    pub radius: f64,
}

impl RoundSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("centre", LENGTH), ("radius", LENGTH)];
}

/// All that is nearer to a segment than a radius.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CapsuleSpec {
    /// One end of the segment \[m\].
    pub from: Components,
    /// The other end \[m\].
    pub to: Components,
    /// Radius \[m\].
    pub radius: f64,
}

impl CapsuleSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("from", LENGTH), ("to", LENGTH), ("radius", LENGTH)];
}

/// A rigid polygon, convex or not.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RigidPolygonSpec {
    /// Corners in either order \[m\].
    pub points: Vec<Components>,
}

impl RigidPolygonSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("points", LENGTH)];
}

/// A rigid convex polyhedron.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PolyhedronSpec {
    /// Corners \[m\].
    pub points: Vec<Components>,
    /// Faces: numbers of corners from 0, counter-clockwise seen from outside (or all the other way round).
    pub faces: Vec<Vec<usize>>,
}

impl PolyhedronSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("points", LENGTH), ("faces", COUNT)];
}

/// What a closed surface from a file encloses, convex or not.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RigidSurfaceSpec {
    /// The file (STL, OBJ, or a mesh file with facets), relative to the case file.
    pub file: String,
    /// Its group of facets; all facets of the file when absent.
    #[serde(default)]
    pub group: Option<String>,
    /// What its coordinates are multiplied with: 0.001 for a file in millimetres.
    #[serde(default = "as_it_is")]
    pub scale: f64,
}

impl RigidSurfaceSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("scale", PURE)];
}

fn as_it_is() -> f64 {
    1.0
}

/// Shapes that move together.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ClumpSpec {
    /// The shapes.
    pub parts: Vec<ClumpPart>,
}

impl ClumpSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("parts[].Round", Within(RoundSpec::UNITS)),
        ("parts[].Capsule", Within(CapsuleSpec::UNITS)),
        ("parts[].Polygon", Within(RigidPolygonSpec::UNITS)),
        ("parts[].Polyhedron", Within(PolyhedronSpec::UNITS)),
    ];
}

/// A part of a clump.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum ClumpPart {
    /// A disk, in space a ball.
    Round(RoundSpec),
    /// A capsule.
    Capsule(CapsuleSpec),
    /// A polygon, in the plane.
    Polygon(RigidPolygonSpec),
    /// A convex polyhedron, in space.
    Polyhedron(PolyhedronSpec),
}

impl ClumpPart {
    /// The same as a mesh of a body.
    #[must_use]
    pub fn alone(&self) -> MeshSpec {
        match self.clone() {
            Self::Round(r) => MeshSpec::Round(r),
            Self::Capsule(c) => MeshSpec::Capsule(c),
            Self::Polygon(p) => MeshSpec::Polygon(p),
            Self::Polyhedron(p) => MeshSpec::Polyhedron(p),
        }
    }
}

/// Mass, centre of mass and moments of inertia of a rigid body; what is left out follows from shape and density.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct InertiaSpec {
    /// Density, in place of that of the material \[kg/m³\].
    pub density: Option<f64>,
    /// Mass \[kg\].
    pub mass: Option<f64>,
    /// Moments about the centre of mass: one in the plane; Ixx, Iyy, Izz, and Ixy, Iyz, Ixz if these are not zero, in space \[kg·m²\].
    pub moments: Components,
    /// Centre of mass in the mesh as it is written, before `rotation` and `translation` \[m\].
    pub centre: Components,
}

impl InertiaSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable =
        &[("density", bare("kg/m³")), ("mass", MASS), ("moments", bare("kg·m²")), ("centre", LENGTH)];
}

/// Prescribed motion of a rigid body; what is not given is free.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MotionEntry {
    /// Body.
    pub body: String,
    /// Velocity of the centre of mass along x \[m/s\].
    #[serde(default)]
    pub x: Option<TimeFunction>,
    /// Velocity of the centre of mass along y \[m/s\].
    #[serde(default)]
    pub y: Option<TimeFunction>,
    /// Velocity of the centre of mass along z, in space \[m/s\].
    #[serde(default)]
    pub z: Option<TimeFunction>,
    /// Angular velocity about `spin_axis`; the body turns about no other axis then \[rad/s\].
    #[serde(default)]
    pub spin: Option<TimeFunction>,
    /// Axis of `spin` in space, which keeps its direction; z when absent.
    #[serde(default)]
    pub spin_axis: Components,
}

impl MotionEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("x", SPEED_IN_TIME),
        ("y", SPEED_IN_TIME),
        ("z", SPEED_IN_TIME),
        ("spin", in_time("rad/s")),
        ("spin_axis", PURE),
    ];
}
