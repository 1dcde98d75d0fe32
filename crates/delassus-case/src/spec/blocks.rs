//! Keys of collections of blocks: one entry of a case for many rigid blocks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Components;
use super::units::UnitRule::Within;
use super::units::{COUNT, LENGTH, PURE, UnitTable, bare};

/// Rigid blocks that a generator places, or a file: bodies `name-0`, `name-1`, ….
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum BlocksSpec {
    /// A wall of bricks.
    Wall(WallSpec),
    /// A circular arch of voussoirs, in the plane.
    Arch(ArchSpec),
    /// A row of columns of drums, with architraves.
    Colonnade(ColonnadeSpec),
    /// Rings of a dome, in space.
    Dome(DomeSpec),
    /// Blocks from a file.
    File(BlockFileSpec),
}

impl BlocksSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("Wall", Within(WallSpec::UNITS)),
        ("Arch", Within(ArchSpec::UNITS)),
        ("Colonnade", Within(ColonnadeSpec::UNITS)),
        ("Dome", Within(DomeSpec::UNITS)),
        ("File", Within(BlockFileSpec::UNITS)),
    ];

    /// Number of blocks.
    #[must_use]
    pub fn n_blocks(&self) -> usize {
        match self {
            Self::Wall(w) => {
                // Shifted courses are closed by two parts of a brick in place of one brick.
                let is_bonded = w.shift - w.shift.floor() > 0.0;
                let more =
                    if is_bonded && w.ends == CourseEndsSpec::Closed && w.per_course > 0 { w.courses / 2 } else { 0 };
                w.per_course.saturating_mul(w.courses).saturating_add(more)
            }
            Self::Arch(a) => a.count,
            Self::Colonnade(c) => {
                let beams = if c.architrave > 0.0 { c.columns.saturating_sub(1) } else { 0 };
                c.columns.saturating_mul(c.drums).saturating_add(beams)
            }
            Self::Dome(d) => d.rings.saturating_mul(d.per_ring),
            Self::File(f) => f.count,
        }
    }
}

/// A wall of bricks from the origin along x, one brick thick; the last axis is upwards. Bricks are counted course by course from the bottom, each from x = 0.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WallSpec {
    /// Lengths of a brick along the axes \[m\].
    pub brick: Components,
    /// Bricks in a course.
    pub per_course: usize,
    /// Number of courses.
    pub courses: usize,
    /// Width of the joints between bricks \[m\].
    #[serde(default)]
    pub joint: f64,
    /// Shift of every other course, in bricks: 0.5 is a running bond, 0 a stack.
    #[serde(default = "half")]
    pub shift: f64,
    /// How the courses end.
    #[serde(default)]
    pub ends: CourseEndsSpec,
}

impl WallSpec {
    /// What its numbers measure.
    const UNITS: UnitTable =
        &[("brick", LENGTH), ("per_course", COUNT), ("courses", COUNT), ("joint", LENGTH), ("shift", PURE)];
}

/// How courses of bricks end.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum CourseEndsSpec {
    /// Shifted courses are filled up with parts of bricks at both ends.
    #[default]
    Closed,
    /// Shifted courses stick out.
    Toothed,
    /// One brick of every course is a part, as long as the shift: the last of the first course, the first of the second, and so on.
    Alternate,
}

/// Voussoirs between two circles about the origin, with radial joints; they are counted from the right springing.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ArchSpec {
    /// Radius of the inner face \[m\].
    pub inner: f64,
    /// Radius of the outer face \[m\].
    pub outer: f64,
    /// Angle of the whole ring, symmetric about the vertical \[degrees\].
    #[serde(default = "half_turn")]
    pub angle: f64,
    /// Number of voussoirs.
    pub count: usize,
}

impl ArchSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("inner", LENGTH), ("outer", LENGTH), ("angle", bare("degrees")), ("count", COUNT)];
}

/// Columns along x, the axis of the first through the origin, and architraves from axis to axis; the last axis is upwards. Drums are counted column by column, each from below, then the architraves.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ColonnadeSpec {
    /// Number of columns.
    pub columns: usize,
    /// Distance of their axes \[m\].
    pub spacing: f64,
    /// Drums in a column.
    pub drums: usize,
    /// Diameter of a column at its foot, through the corners of a drum \[m\].
    pub diameter: f64,
    /// Height of a drum \[m\].
    pub drum_height: f64,
    /// Diameter at the top over that at the foot.
    #[serde(default = "one")]
    pub taper: f64,
    /// Height of the architraves; 0 for none \[m\].
    #[serde(default)]
    pub architrave: f64,
    /// Sides of a drum, in space.
    #[serde(default = "twelve")]
    pub sides: usize,
}

impl ColonnadeSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("columns", COUNT),
        ("spacing", LENGTH),
        ("drums", COUNT),
        ("diameter", LENGTH),
        ("drum_height", LENGTH),
        ("taper", PURE),
        ("architrave", LENGTH),
        ("sides", COUNT),
    ];
}

/// Blocks between two spheres about the origin, cones about z and planes through z; they are counted ring by ring from below, each from x counter-clockwise.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DomeSpec {
    /// Inner and outer radius \[m\].
    pub radii: Components,
    /// Latitudes of the lower and the upper edge \[degrees\].
    pub latitude: Components,
    /// Number of rings.
    pub rings: usize,
    /// Blocks in a ring.
    pub per_ring: usize,
    /// Is every other ring shifted by half a block?
    #[serde(default = "yes")]
    pub bonded: bool,
}

impl DomeSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("radii", LENGTH), ("latitude", bare("degrees")), ("rings", COUNT), ("per_ring", COUNT)];
}

/// Polygons or polyhedra of a file, in its order.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BlockFileSpec {
    /// The file, relative to the case file: JSON, or BODIES.DAT of LMGC90.
    pub file: String,
    /// How many blocks it has.
    pub count: usize,
    /// Metres in a unit of its coordinates.
    #[serde(default = "one")]
    pub scale: f64,
}

impl BlockFileSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("count", COUNT), ("scale", PURE)];
}

fn half() -> f64 {
    0.5
}

fn half_turn() -> f64 {
    180.0
}

fn one() -> f64 {
    1.0
}

fn twelve() -> usize {
    12
}

fn yes() -> bool {
    true
}
