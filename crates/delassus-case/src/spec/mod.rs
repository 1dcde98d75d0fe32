//! A case as plain data.
//!
//! Every type here mirrors the text one to one (`docs/case-format.md` is the guide); nothing is checked beyond types and
//! names. Meaning is checked when the case becomes a [`Model`](delassus_sim::model::Model). Lengths in m, masses in kg, times
//! in s, angles in degrees where a user writes one; units in words have become SI before.

use delassus_dynamics::integrator::IntegratorSpec;
use delassus_fem::{Formulation, FrameScope, Kinematics, MassKind, MaterialSpec, Rayleigh, Section, TimeFunction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use delassus_sim::model::{FailurePolicy, MarginSpec, StartSpec};
use delassus_verify::VerifySpec;
pub use delassus_verify::components::{Components, Counts};

mod all_contacts;
mod attachment;
mod blocks;
mod contact;
mod foreign_units;
mod joint;
mod keys;
mod mesh;
mod nouns;
mod obstacle;
mod output;
mod own_mesh;
mod packing;
mod probe;
mod rigid;
mod solver;
mod stage;
mod units;

pub use all_contacts::AllContacts;
pub(crate) use all_contacts::{BOUNDARY, MOST_PAIRED};
pub use attachment::AttachmentEntry;
pub use blocks::{ArchSpec, BlockFileSpec, BlocksSpec, ColonnadeSpec, CourseEndsSpec, DomeSpec, WallSpec};
pub use contact::{AntagonistSpec, ContactEntry, NormalsSpec, PointsSpec, SurfaceSpec};
pub use joint::{JointCoulombSpec, JointEntry, JointKindSpec, JointMotionSpec, JointSpringSpec};
pub use mesh::{
    AnnulusSpec, BallSpec, BoxSpec, CylinderSpec, DiskSpec, FaceRuleSpec, FacesEntry, InterfaceSpec, MeshSpec,
    PlaneCell, QuarterBallSpec, RectangleSpec, ShellBlockSpec, SolidCell, SplitEntry,
};
pub use nouns::NOUNS;
pub use obstacle::{
    BoreShape, BoxShape, CircleShape, ContainerShape, CylinderShape, HalfPlaneShape, HoleShape, MeshShape,
    ObstacleEntry, ObstacleSpec, ObstacleVelocity, OwnShape, PlaneOutline, PolygonShape, SegmentShape, ShapeReader,
    ShapeSpec, SolidSide,
};
pub use output::{NumberPrecision, OutputField, OutputSpec};
pub use own_mesh::OwnMesh;
pub use packing::{GrainCount, PackingOrder, PackingSizes, PackingSpec};
pub use probe::{ProbeEntry, ProbeSpec};
pub use rigid::{
    CapsuleSpec, ClumpPart, ClumpSpec, InertiaSpec, MotionEntry, PointMassSpec, PolyhedronSpec, RigidPolygonSpec,
    RigidSurfaceSpec, RoundSpec,
};
pub use solver::{LemkeSpec, NlgsSpec, SolverSpec};
pub use stage::StageEntry;
pub use units::{all_unit_rules, unit_paths};

use foreign_units::{DAMPING, INTEGRATOR, MATERIAL, SECTION, VERIFY};
use units::UnitRule::Within;
use units::{COUNT, FACTOR_IN_TIME, LENGTH, PRESSURE, PURE, SPEED, SPEED_IN_TIME, TIME, UnitTable, bare};

/// A whole case.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Another case file, whose keys this one replaces; its keys are here once the case is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// One line about the case.
    pub title: String,
    /// The units of its numbers, for labels.
    #[serde(default)]
    pub units: Units,
    /// Dimension of space.
    #[serde(default = "two")]
    pub dimension: usize,
    /// How strains are measured in bodies that do not say it themselves.
    #[serde(default = "usual_kinematics")]
    pub kinematics: Kinematics,
    /// Materials, referred to by name.
    pub materials: Vec<MaterialEntry>,
    /// Bodies.
    pub bodies: Vec<BodyEntry>,
    /// Rigid obstacles with prescribed motion.
    #[serde(default)]
    pub obstacles: Vec<ObstacleEntry>,
    /// Contact pairs.
    #[serde(default, deserialize_with = "all_contacts::contacts")]
    #[schemars(with = "all_contacts::ContactsWritten")]
    pub contacts: Vec<ContactEntry>,
    /// Loads.
    #[serde(default)]
    pub loads: Vec<LoadEntry>,
    /// Prescribed velocities.
    #[serde(default)]
    pub boundary: Vec<BoundaryEntry>,
    /// Prescribed motions of rigid bodies.
    #[serde(default)]
    pub motions: Vec<MotionEntry>,
    /// Joints between bodies.
    #[serde(default)]
    pub joints: Vec<JointEntry>,
    /// Ties between nodes.
    #[serde(default)]
    pub ties: Vec<TieEntry>,
    /// Springs, dashpots, masses and absorbing boundaries between bodies and the ground.
    #[serde(default)]
    pub attachments: Vec<AttachmentEntry>,
    /// How the bodies are deformed at t = 0.
    #[serde(default)]
    pub start: StartSpec,
    /// Time-stepping scheme.
    pub integrator: IntegratorSpec,
    /// Step h \[s\].
    pub step: f64,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Parts of the run that follow one another.
    #[serde(default)]
    pub stages: Vec<StageEntry>,
    /// Contact solver.
    #[serde(default)]
    pub solver: SolverSpec,
    /// Largest memory for condensed operators \[B\].
    #[serde(default = "usual_memory")]
    pub memory: f64,
    /// What is written, and how often.
    #[serde(default)]
    pub output: OutputSpec,
    /// Points and bodies followed in `history.csv`.
    #[serde(default)]
    pub probes: Vec<ProbeEntry>,
    /// Exact solution and checks.
    #[serde(default)]
    pub verify: Option<VerifySpec>,
}

/// One frame that turns with the body: rotations of any size, at small strains.
pub(crate) fn usual_kinematics() -> Kinematics {
    Kinematics::Corotational { frames: FrameScope::Body }
}

impl Case {
    /// How the strains of a body are measured: as it says itself, or as the case says. Axisymmetric bodies cannot turn: for them small strains stand for a frame.
    #[must_use]
    pub fn kinematics_of(&self, body: &BodyEntry) -> Kinematics {
        match (body.kinematics, self.kinematics) {
            (Some(own), _) => own,
            (None, Kinematics::Corotational { .. }) if body.section.is_revolved() => Kinematics::SmallStrain,
            (None, of_case) => of_case,
        }
    }

    /// What its numbers measure, see [`all_unit_rules`].
    const UNITS: UnitTable = &[
        ("dimension", COUNT),
        ("materials[]", Within(MaterialEntry::UNITS)),
        ("bodies[]", Within(BodyEntry::UNITS)),
        ("obstacles[]", Within(ObstacleEntry::UNITS)),
        ("contacts[]", Within(ContactEntry::UNITS)),
        ("contacts.All", Within(AllContacts::UNITS)),
        ("loads[]", Within(LoadEntry::UNITS)),
        ("boundary[]", Within(BoundaryEntry::UNITS)),
        ("motions[]", Within(MotionEntry::UNITS)),
        ("joints[]", Within(JointEntry::UNITS)),
        ("ties[]", Within(TieEntry::UNITS)),
        ("attachments[]", Within(AttachmentEntry::UNITS)),
        ("integrator", Within(INTEGRATOR)),
        ("step", TIME),
        ("duration", TIME),
        ("stages[]", Within(StageEntry::UNITS)),
        ("solver", Within(SolverSpec::UNITS)),
        ("memory", bare("B")),
        ("output", Within(OutputSpec::UNITS)),
        ("probes[]", Within(ProbeEntry::UNITS)),
        ("verify", Within(VERIFY)),
    ];

    /// Number of bodies, copies included.
    #[must_use]
    pub fn n_bodies(&self) -> usize {
        // A case of the past is not checked when a report counts its bodies.
        self.bodies.iter().fold(0, |n: usize, b| n.saturating_add(b.n_bodies()))
    }
}

fn two() -> usize {
    2
}

/// Most memory for condensed operators where a case does not say \[B\].
pub(crate) const USUAL_MEMORY: f64 = 4e9;

fn usual_memory() -> f64 {
    USUAL_MEMORY
}

/// The units of a case's numbers. They change labels, never results.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum Units {
    /// Metre, kilogram, second.
    #[default]
    Si,
    /// No units, or another consistent set: numbers are shown without units.
    Plain,
}

impl Units {
    /// A unit's symbol, or nothing where numbers are shown bare.
    #[must_use]
    pub fn symbol(self, si: &'static str) -> &'static str {
        match self {
            Self::Si => si,
            Self::Plain => "",
        }
    }
}

/// A material.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialEntry {
    /// Name bodies refer to.
    pub name: String,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Constitutive law.
    pub law: MaterialSpec,
}

impl MaterialEntry {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("density", bare("kg/m³")), ("law", Within(MATERIAL))];
}

/// A body, deformable unless it says that it is rigid.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    /// Name.
    pub name: String,
    /// Mesh: a file or a generator.
    pub mesh: MeshSpec,
    /// Unit of the coordinates in a mesh file: `Mm(1)` of one in millimetres \[m\].
    #[serde(default = "one_metre")]
    pub scale: f64,
    /// Is it rigid? Point masses, round shapes, capsules, polygons, polyhedra, blocks and packings always are.
    #[serde(default)]
    pub rigid: bool,
    /// Mass, centre of mass and moments of a rigid body, where they do not follow from shape and density.
    #[serde(default)]
    pub inertia: Option<InertiaSpec>,
    /// Several bodies instead of one.
    #[serde(default)]
    pub copies: Option<CopiesSpec>,
    /// Faces that get a name by where they are.
    #[serde(default)]
    pub faces: Vec<FacesEntry>,
    /// Interfaces along which the mesh is split.
    #[serde(default)]
    pub split: Vec<SplitEntry>,
    /// Material of all cells not named in `regions`.
    #[serde(default)]
    pub material: Option<String>,
    /// Materials of groups of cells.
    #[serde(default)]
    pub regions: Vec<RegionEntry>,
    /// Plane strain or plane stress, with thickness.
    #[serde(default)]
    pub section: Section,
    /// Formulation of the strain.
    #[serde(default)]
    pub formulation: Formulation,
    /// Lumped or consistent mass.
    #[serde(default)]
    pub mass: MassKind,
    /// Rayleigh damping C += α M + β K.
    #[serde(default)]
    pub damping: Rayleigh,
    /// How its strains are measured; as the case says when absent.
    #[serde(default)]
    pub kinematics: Option<Kinematics>,
    /// Stress at the start.
    #[serde(default)]
    pub initial_stress: Option<InitialStressSpec>,
    /// Rotation of the mesh about the origin, counter-clockwise, before `translation` \[degrees\].
    #[serde(default)]
    pub rotation: f64,
    /// Axis of `rotation` in space; z when absent.
    #[serde(default)]
    pub rotation_axis: Components,
    /// Translation of the mesh \[m\].
    #[serde(default)]
    pub translation: Components,
    /// Initial velocity \[m/s\].
    #[serde(default)]
    pub velocity: Components,
    /// Initial angular velocity about the centre of mass, counter-clockwise \[rad/s\].
    #[serde(default)]
    pub spin: f64,
    /// Axis of `spin` in space; z when absent.
    #[serde(default)]
    pub spin_axis: Components,
    /// Initial velocity that varies from place to place, an expression of x, y, z for each component; added to `velocity` and `spin` \[m/s\].
    #[serde(default)]
    pub velocity_field: Vec<String>,
    /// Initial displacement, an expression of x, y, z for each component \[m\].
    #[serde(default)]
    pub displacement_field: Vec<String>,
}

impl BodyEntry {
    /// Is it rigid?
    #[must_use]
    pub fn is_rigid(&self) -> bool {
        self.rigid || self.mesh.is_shape()
    }

    /// How many bodies it stands for: one, its copies, or those of a packing or of blocks.
    #[must_use]
    pub fn n_bodies(&self) -> usize {
        match (&self.mesh, &self.copies) {
            (MeshSpec::Packing(packing), _) => packing.count(),
            (MeshSpec::Blocks(blocks), _) => blocks.n_blocks(),
            (_, Some(copies)) => copies.count,
            (_, None) => 1,
        }
    }

    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("mesh", Within(MeshSpec::UNITS)),
        ("scale", LENGTH),
        ("inertia", Within(InertiaSpec::UNITS)),
        ("copies", Within(CopiesSpec::UNITS)),
        ("faces[]", Within(FacesEntry::UNITS)),
        ("split[]", Within(SplitEntry::UNITS)),
        ("section", Within(SECTION)),
        ("damping", Within(DAMPING)),
        ("initial_stress", Within(InitialStressSpec::UNITS)),
        ("rotation", bare("degrees")),
        ("rotation_axis", PURE),
        ("translation", LENGTH),
        ("velocity", SPEED),
        ("spin", bare("rad/s")),
        ("spin_axis", PURE),
    ];
}

/// The unit of coordinates in which no other is given.
fn one_metre() -> f64 {
    1.0
}

/// Copies of a body, named `name-0`, `name-1`, …: the k-th is turned k times and moved k times. Its initial velocity is that of the first.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CopiesSpec {
    /// How many bodies, the first included.
    pub count: usize,
    /// Rotation from one copy to the next about an axis through the origin, before `translation` \[degrees\].
    #[serde(default)]
    pub rotation: f64,
    /// Axis of `rotation` in space; z when absent.
    #[serde(default)]
    pub rotation_axis: Components,
    /// Translation from one copy to the next \[m\].
    #[serde(default)]
    pub translation: Components,
}

impl CopiesSpec {
    /// What its numbers measure.
    const UNITS: UnitTable =
        &[("count", COUNT), ("rotation", bare("degrees")), ("rotation_axis", PURE), ("translation", LENGTH)];
}

/// Stress of a body at the start.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum InitialStressSpec {
    /// The weight of what lies above.
    Lithostatic {
        /// A point of the free surface, which is normal to gravity \[m\].
        surface: Components,
        /// Density of the column above \[kg/m³\].
        density: f64,
        /// Acceleration \[m/s²\].
        gravity: Components,
        /// Horizontal over vertical stress.
        #[serde(default = "unit")]
        lateral: f64,
    },
}

impl InitialStressSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("Lithostatic.surface", LENGTH),
        ("Lithostatic.density", bare("kg/m³")),
        ("Lithostatic.gravity", bare("m/s²")),
        ("Lithostatic.lateral", PURE),
    ];
}

fn unit() -> f64 {
    1.0
}

/// The material of a group of cells.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegionEntry {
    /// Group of cells.
    pub group: String,
    /// Material's name.
    pub material: String,
}

/// A load.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum LoadEntry {
    /// Uniform acceleration on bodies.
    Gravity {
        /// Acceleration \[m/s²\].
        acceleration: Components,
        /// Bodies it acts on; all when empty.
        #[serde(default)]
        bodies: Vec<String>,
        /// Factor in time.
        #[serde(default)]
        factor: TimeFunction,
        /// Factor in space: an expression of x, y, z and t.
        #[serde(default)]
        field: Option<String>,
    },
    /// Force per area on the facets of a group.
    Traction {
        /// Body.
        body: String,
        /// Group of facets.
        group: String,
        /// Traction \[Pa\].
        traction: Components,
        /// Does it turn with the facets?
        #[serde(default)]
        follows: bool,
        /// Factor in time.
        #[serde(default)]
        factor: TimeFunction,
        /// Factor in space: an expression of x, y, z and t.
        #[serde(default)]
        field: Option<String>,
    },
    /// Pressure against the facets of a group, in the undeformed geometry unless it follows.
    Pressure {
        /// Body.
        body: String,
        /// Group of facets.
        group: String,
        /// Pressure \[Pa\], positive pushes inward.
        pressure: f64,
        /// Does it act on the facets as they are, along their normals?
        #[serde(default)]
        follows: bool,
        /// Factor in time.
        #[serde(default)]
        factor: TimeFunction,
        /// Factor in space: an expression of x, y, z and t.
        #[serde(default)]
        field: Option<String>,
    },
    /// A couple on the facets of a group: a traction that is linear over the group, without resultant.
    Couple {
        /// Body.
        body: String,
        /// Group of facets.
        group: String,
        /// Moment \[N·m\].
        moment: f64,
        /// Its axis in space; z when absent.
        #[serde(default)]
        axis: Components,
        /// Does the traction turn with the facets?
        #[serde(default)]
        follows: bool,
        /// Factor in time.
        #[serde(default)]
        factor: TimeFunction,
    },
    /// A force on a point of a rigid body, and a moment.
    Force {
        /// Body.
        body: String,
        /// Force \[N\].
        #[serde(default)]
        force: Components,
        /// Moment: one number in the plane, counter-clockwise, three in space \[N·m\].
        #[serde(default)]
        moment: Components,
        /// The point of the body where it acts, at the start; the centre of mass when absent \[m\].
        #[serde(default)]
        point: Components,
        /// Factor in time.
        #[serde(default)]
        factor: TimeFunction,
    },
    /// A force shared in equal parts by the nodes of a group.
    NodalForce {
        /// Body.
        body: String,
        /// Group.
        group: String,
        /// Total force \[N\].
        force: Components,
        /// Factor in time.
        #[serde(default)]
        factor: TimeFunction,
    },
}

impl LoadEntry {
    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("Gravity.acceleration", bare("m/s²")),
        ("Gravity.factor", FACTOR_IN_TIME),
        ("Traction.traction", PRESSURE),
        ("Traction.factor", FACTOR_IN_TIME),
        ("Pressure.pressure", PRESSURE),
        ("Pressure.factor", FACTOR_IN_TIME),
        ("Couple.moment", bare("N·m")),
        ("Couple.axis", PURE),
        ("Couple.factor", FACTOR_IN_TIME),
        ("Force.force", bare("N")),
        ("Force.moment", bare("N·m")),
        ("Force.point", LENGTH),
        ("Force.factor", FACTOR_IN_TIME),
        ("NodalForce.force", bare("N")),
        ("NodalForce.factor", FACTOR_IN_TIME),
    ];
}

/// Prescribed velocities of the nodes of a group.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoundaryEntry {
    /// Body.
    pub body: String,
    /// Group.
    pub group: String,
    /// Velocity along x \[m/s\]; free when absent.
    #[serde(default)]
    pub x: Option<TimeFunction>,
    /// Velocity along y \[m/s\]; free when absent.
    #[serde(default)]
    pub y: Option<TimeFunction>,
    /// Velocity along z, in space \[m/s\]; free when absent.
    #[serde(default)]
    pub z: Option<TimeFunction>,
}

impl BoundaryEntry {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("x", SPEED_IN_TIME), ("y", SPEED_IN_TIME), ("z", SPEED_IN_TIME)];
}

/// Nodes of a group that have the displacements of those of another: a periodic cell.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TieEntry {
    /// Body.
    pub body: String,
    /// Group of the nodes that follow.
    pub slaves: String,
    /// Group of the nodes they follow.
    pub masters: String,
    /// Components that are equal; all when empty.
    #[serde(default)]
    pub components: Vec<SpaceAxis>,
    /// From a master to its slave \[m\]; from the lowest corners of the groups when absent.
    #[serde(default)]
    pub translation: Components,
}

impl TieEntry {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("translation", LENGTH)];
}

/// A direction of space.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
#[serde(rename = "Axis")]
pub enum SpaceAxis {
    /// x.
    X,
    /// y.
    Y,
    /// z, in space.
    Z,
}
