//! The `mesh` key of a body: a file, or a generator with its numbers.

use delassus_error::Own;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::BlocksSpec;
use super::own_mesh::OwnMesh;
use super::packing::PackingSpec;
use super::rigid::{
    CapsuleSpec, ClumpSpec, PointMassSpec, PolyhedronSpec, RigidPolygonSpec, RigidSurfaceSpec, RoundSpec,
};
use super::units::UnitRule::Within;
use super::units::{COUNT, LENGTH, PURE, UnitTable, bare};
use super::{Components, Counts};

/// Where a mesh comes from.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum MeshSpec {
    /// A mesh file, relative to the case file: gmsh (MSH 2.2 or 4.1), Abaqus or CalculiX (.inp), VTK (.vtu).
    File(String),
    /// A rectangle.
    Rectangle(RectangleSpec),
    /// A ring of quadrilaterals.
    Annulus(AnnulusSpec),
    /// A full disk of quadrilaterals.
    Disk(DiskSpec),
    /// A box.
    Box(BoxSpec),
    /// A full ball of hexahedra.
    Ball(BallSpec),
    /// A quarter of a ball, graded towards its lowest point.
    QuarterBall(QuarterBallSpec),
    /// A full cylinder along z: an extruded disk.
    Cylinder(CylinderSpec),
    /// A block of a spherical shell.
    ShellBlock(ShellBlockSpec),
    /// A rigid point with a mass.
    PointMass(PointMassSpec),
    /// A rigid disk, in space a rigid ball: exactly round.
    Round(RoundSpec),
    /// A rigid capsule.
    Capsule(CapsuleSpec),
    /// A rigid polygon.
    Polygon(RigidPolygonSpec),
    /// A rigid convex polyhedron.
    Polyhedron(PolyhedronSpec),
    /// Many rigid blocks.
    Blocks(BlocksSpec),
    /// Many rigid disks or balls.
    Packing(PackingSpec),
    /// A rigid body within a closed surface from a file: STL, OBJ, or facets of a mesh file.
    Surface(RigidSurfaceSpec),
    /// A rigid body of several shapes.
    Clump(ClumpSpec),
    /// A mesh of the program that makes the case; a text has only its name and cannot be run.
    Own(Own<OwnMesh>),
}

impl MeshSpec {
    /// What the numbers of every generator measure.
    pub(super) const UNITS: UnitTable = &[
        ("Rectangle", Within(RectangleSpec::UNITS)),
        ("Annulus", Within(AnnulusSpec::UNITS)),
        ("Disk", Within(DiskSpec::UNITS)),
        ("Box", Within(BoxSpec::UNITS)),
        ("Ball", Within(BallSpec::UNITS)),
        ("QuarterBall", Within(QuarterBallSpec::UNITS)),
        ("Cylinder", Within(CylinderSpec::UNITS)),
        ("ShellBlock", Within(ShellBlockSpec::UNITS)),
        ("PointMass", Within(PointMassSpec::UNITS)),
        ("Round", Within(RoundSpec::UNITS)),
        ("Capsule", Within(CapsuleSpec::UNITS)),
        ("Polygon", Within(RigidPolygonSpec::UNITS)),
        ("Polyhedron", Within(PolyhedronSpec::UNITS)),
        ("Blocks", Within(BlocksSpec::UNITS)),
        ("Packing", Within(PackingSpec::UNITS)),
        ("Surface", Within(RigidSurfaceSpec::UNITS)),
        ("Clump", Within(ClumpSpec::UNITS)),
    ];

    /// Is it a shape without cells, of a rigid body?
    #[must_use]
    pub fn is_shape(&self) -> bool {
        matches!(
            self,
            Self::PointMass(_)
                | Self::Round(_)
                | Self::Capsule(_)
                | Self::Polygon(_)
                | Self::Polyhedron(_)
                | Self::Packing(_)
                | Self::Blocks(_)
                | Self::Surface(_)
                | Self::Clump(_)
        )
    }

    /// By how much the cells of a generator are multiplied in each direction; none for other meshes.
    #[must_use]
    pub fn refine(&self) -> Option<usize> {
        match self {
            Self::File(_)
            | Self::Own(_)
            | Self::PointMass(_)
            | Self::Round(_)
            | Self::Capsule(_)
            | Self::Polygon(_)
            | Self::Polyhedron(_)
            | Self::Packing(_)
            | Self::Blocks(_)
            | Self::Surface(_)
            | Self::Clump(_) => None,
            Self::Rectangle(m) => Some(m.refine),
            Self::Annulus(m) => Some(m.refine),
            Self::Disk(m) => Some(m.refine),
            Self::Box(m) => Some(m.refine),
            Self::Ball(m) => Some(m.refine),
            Self::QuarterBall(m) => Some(m.refine),
            Self::Cylinder(m) => Some(m.refine),
            Self::ShellBlock(m) => Some(m.refine),
        }
    }

    /// Name of a generator and the dimension of its meshes; none for other meshes.
    #[must_use]
    pub fn generator(&self) -> Option<(&'static str, usize)> {
        match self {
            Self::File(_)
            | Self::Own(_)
            | Self::PointMass(_)
            | Self::Round(_)
            | Self::Capsule(_)
            | Self::Clump(_)
            | Self::Packing(_) => None,
            Self::Blocks(BlocksSpec::Arch(_)) => Some(("Arch", 2)),
            Self::Blocks(BlocksSpec::Dome(_)) => Some(("Dome", 3)),
            Self::Blocks(_) => None,
            Self::Polygon(_) => Some(("Polygon", 2)),
            Self::Surface(_) => Some(("Surface", 3)),
            Self::Polyhedron(_) => Some(("Polyhedron", 3)),
            Self::Rectangle(_) => Some(("Rectangle", 2)),
            Self::Annulus(_) => Some(("Annulus", 2)),
            Self::Disk(_) => Some(("Disk", 2)),
            Self::Box(_) => Some(("Box", 3)),
            Self::Ball(_) => Some(("Ball", 3)),
            Self::QuarterBall(_) => Some(("QuarterBall", 3)),
            Self::Cylinder(_) => Some(("Cylinder", 3)),
            Self::ShellBlock(_) => Some(("ShellBlock", 3)),
        }
    }
}

/// Cells of a generated rectangle.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum PlaneCell {
    /// Four-node quadrilaterals.
    #[default]
    Quad4,
    /// Three-node triangles.
    Triangle3,
}

/// Rectangle from `corner` (lower left) with `size`.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RectangleSpec {
    /// Lower left corner \[m\].
    pub corner: Components,
    /// Width and height \[m\].
    pub size: Components,
    /// Cells along x and y.
    pub cells: Counts,
    /// Kind of cells.
    #[serde(default)]
    pub element: PlaneCell,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl RectangleSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("corner", LENGTH), ("size", LENGTH), ("cells", COUNT), ("refine", COUNT)];
}

/// Ring between two circles.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AnnulusSpec {
    /// Centre \[m\].
    pub centre: Components,
    /// Inner radius \[m\].
    pub inner_radius: f64,
    /// Outer radius \[m\].
    pub outer_radius: f64,
    /// Cells through the ring and around it.
    pub cells: Counts,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl AnnulusSpec {
    /// What its numbers measure.
    const UNITS: UnitTable =
        &[("centre", LENGTH), ("inner_radius", LENGTH), ("outer_radius", LENGTH), ("cells", COUNT), ("refine", COUNT)];
}

/// Disk: a block of `core` cells joined to the circle by `rings` layers.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DiskSpec {
    /// Centre \[m\].
    pub centre: Components,
    /// Radius \[m\].
    pub radius: f64,
    /// Cells of the core along x and y.
    pub core: Counts,
    /// Layers between core and circle.
    pub rings: usize,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl DiskSpec {
    /// What its numbers measure.
    const UNITS: UnitTable =
        &[("centre", LENGTH), ("radius", LENGTH), ("core", COUNT), ("rings", COUNT), ("refine", COUNT)];
}

/// Cells of a generated box.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum SolidCell {
    /// Eight-node hexahedra.
    #[default]
    Hexahedron8,
    /// Four-node tetrahedra, five per block.
    Tetrahedron4,
    /// Six-node prisms, two per block.
    Prism6,
}

/// Box from `corner` (least coordinates) with `size`.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoxSpec {
    /// Corner of least coordinates \[m\].
    pub corner: Components,
    /// Lengths along x, y, z \[m\].
    pub size: Components,
    /// Cells along x, y, z.
    pub cells: Counts,
    /// Kind of cells.
    #[serde(default)]
    pub element: SolidCell,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl BoxSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("corner", LENGTH), ("size", LENGTH), ("cells", COUNT), ("refine", COUNT)];
}

/// Ball: a cube of `core`³ cells joined to the sphere by `layers`.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BallSpec {
    /// Centre \[m\].
    pub centre: Components,
    /// Radius \[m\].
    pub radius: f64,
    /// Cells along an edge of the core.
    pub core: usize,
    /// Layers between core and sphere.
    pub layers: usize,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl BallSpec {
    /// What its numbers measure.
    const UNITS: UnitTable =
        &[("centre", LENGTH), ("radius", LENGTH), ("core", COUNT), ("layers", COUNT), ("refine", COUNT)];
}

/// Quarter of a ball (x and z above the centre's) with a fine block at its lowest point.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct QuarterBallSpec {
    /// Centre of the ball \[m\].
    pub centre: Components,
    /// Radius \[m\].
    pub radius: f64,
    /// Width along the arc and depth of the fine block \[m\].
    pub patch: f64,
    /// Cells along each edge of the fine block.
    pub cells: usize,
    /// Layers of growing cells from the fine block to the equator.
    pub layers: usize,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl QuarterBallSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("centre", LENGTH),
        ("radius", LENGTH),
        ("patch", LENGTH),
        ("cells", COUNT),
        ("layers", COUNT),
        ("refine", COUNT),
    ];
}

/// Cylinder along z: a disk with `core` and `rings`, extruded over `layers` cells.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CylinderSpec {
    /// Middle of the lower end \[m\].
    pub centre: Components,
    /// Radius \[m\].
    pub radius: f64,
    /// Length along z \[m\].
    pub length: f64,
    /// Cells of the disk's core along x and y.
    pub core: Counts,
    /// Rings of cells between core and circle.
    pub rings: usize,
    /// Cells along z.
    pub layers: usize,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl CylinderSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("centre", LENGTH),
        ("radius", LENGTH),
        ("length", LENGTH),
        ("core", COUNT),
        ("rings", COUNT),
        ("layers", COUNT),
        ("refine", COUNT),
    ];
}

/// Block of a spherical shell about the origin, between two radii, two meridians and two parallels: a voussoir.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShellBlockSpec {
    /// Inner and outer radius \[m\].
    pub radii: Components,
    /// From one meridian to the other, about z from x \[degrees\].
    pub azimuth: Components,
    /// From one parallel to the other, above the plane z = 0 \[degrees\].
    pub latitude: Components,
    /// Cells through the shell, around and upwards.
    pub cells: Counts,
    /// Multiplies the number of cells in each direction.
    #[serde(default = "one")]
    pub refine: usize,
}

impl ShellBlockSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("radii", LENGTH),
        ("azimuth", bare("degrees")),
        ("latitude", bare("degrees")),
        ("cells", COUNT),
        ("refine", COUNT),
    ];
}

/// Faces of a body that get a name by where they are.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FacesEntry {
    /// Name of the group of facets.
    pub name: String,
    /// Rules that all hold for its facets; all facets of the boundary when empty.
    #[serde(default)]
    pub all_of: Vec<FaceRuleSpec>,
}

impl FacesEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("all_of[].Plane.point", LENGTH),
        ("all_of[].Plane.normal", PURE),
        ("all_of[].Box.from", LENGTH),
        ("all_of[].Box.to", LENGTH),
        ("all_of[].Normal.direction", PURE),
        ("all_of[].Normal.within", bare("degrees")),
    ];
}

/// A rule for facets of the boundary, in the coordinates of the mesh (before `rotation` and `translation`).
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum FaceRuleSpec {
    /// On a plane.
    Plane {
        /// A point of it \[m\].
        point: Components,
        /// Its outward normal.
        normal: Components,
    },
    /// With all corners in a box.
    Box {
        /// One corner \[m\].
        from: Components,
        /// The opposite corner \[m\].
        to: Components,
    },
    /// Facing a direction.
    Normal {
        /// The direction.
        direction: Components,
        /// Largest angle between the outward normal and it \[degrees\].
        #[serde(default = "some_degrees")]
        within: f64,
    },
}

fn some_degrees() -> f64 {
    30.0
}

/// An interface along which the mesh of a body is split into two sides.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SplitEntry {
    /// Name of the interface; its sides are the groups `name-plus` and `name-minus`.
    pub name: String,
    /// Which facets it is made of.
    #[serde(default)]
    pub facets: InterfaceSpec,
    /// Group of cells on the plus side; by geometry when absent.
    #[serde(default)]
    pub plus: Option<String>,
}

impl SplitEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("facets.Box.from", LENGTH), ("facets.Box.to", LENGTH)];
}

/// The facets of an interface.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum InterfaceSpec {
    /// Those of the group of the mesh with the interface's name.
    #[default]
    Group,
    /// Those between two cells with all their nodes in a box.
    Box {
        /// One corner \[m\].
        from: Components,
        /// The opposite corner \[m\].
        to: Components,
    },
    /// Those between the cells of a group and others.
    Around(String),
}

fn one() -> usize {
    1
}
