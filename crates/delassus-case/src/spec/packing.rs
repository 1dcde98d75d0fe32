//! Keys of packings: one entry of a case for many rigid disks or balls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Components;
use super::units::{COUNT, LENGTH, UnitTable};

/// Rigid disks, in space balls, that a generator places: bodies `name-0`, `name-1`, ….
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PackingSpec {
    /// How many, and how large.
    pub sizes: PackingSizes,
    /// How they are placed.
    #[serde(default)]
    pub order: PackingOrder,
    /// Lengths of the container along x, in space along x and y \[m\].
    pub base: Components,
    /// Corner of least coordinates of the container; the origin when absent \[m\].
    #[serde(default)]
    pub corner: Components,
    /// Another seed is another packing.
    #[serde(default)]
    pub seed: u64,
    /// Corners of the polygon in which one is drawn, in space of its equator; 0: as a point with a radius.
    #[serde(default)]
    pub around: Option<usize>,
}

impl PackingSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("sizes.Counts[].count", COUNT),
        ("sizes.Counts[].radius", LENGTH),
        ("sizes.Uniform.count", COUNT),
        ("sizes.Uniform.least", LENGTH),
        ("sizes.Uniform.most", LENGTH),
        ("sizes.EqualVolume.count", COUNT),
        ("sizes.EqualVolume.least", LENGTH),
        ("sizes.EqualVolume.most", LENGTH),
        ("base", LENGTH),
        ("corner", LENGTH),
        ("seed", COUNT),
        ("around", COUNT),
    ];

    /// Number of bodies.
    #[must_use]
    pub fn count(&self) -> usize {
        match &self.sizes {
            PackingSizes::Counts(list) => list.iter().fold(0, |n: usize, one| n.saturating_add(one.count)),
            PackingSizes::Uniform { count, .. } | PackingSizes::EqualVolume { count, .. } => *count,
        }
    }
}

/// The sizes of a packing.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum PackingSizes {
    /// So many of each radius, mixed by the seed.
    Counts(Vec<GrainCount>),
    /// Radii uniform in a range.
    Uniform {
        /// How many.
        count: usize,
        /// Smallest radius \[m\].
        least: f64,
        /// Largest radius \[m\].
        most: f64,
    },
    /// The same area, in space the same volume, in each part of a range of radii: small ones are more.
    EqualVolume {
        /// How many.
        count: usize,
        /// Smallest radius \[m\].
        least: f64,
        /// Largest radius \[m\].
        most: f64,
    },
}

/// So many of a radius.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GrainCount {
    /// How many.
    pub count: usize,
    /// Radius \[m\].
    pub radius: f64,
}

/// How the bodies of a packing are placed.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum PackingOrder {
    /// In layers of cells of the largest size, at random in the cells, so that none touch.
    #[default]
    Loose,
    /// In the plane: one after the other falls at random and rolls down on those that lie.
    Deposited,
}
