//! The `probes` of a case.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::units::{LENGTH, UnitTable};
use super::{Components, SurfaceSpec};

/// A quantity that is written to `history.csv`.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeEntry {
    /// Name; `history.csv` gets `name.ux`, `name.uy`, `name.vx`, `name.vy` (and `uz`, `vz` in space), or what its kind has
    /// instead.
    pub name: String,
    /// What is followed.
    pub at: ProbeSpec,
}

impl ProbeEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("at.Point.point", LENGTH), ("at.Between.point", LENGTH)];
}

/// The place of a probe.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum ProbeSpec {
    /// A body: mass-weighted mean.
    Body(String),
    /// The nodes of a group: their mean.
    Group(SurfaceSpec),
    /// The node nearest to a point.
    Point {
        /// Body.
        body: String,
        /// Point in the undeformed body \[m\].
        point: Components,
    },
    /// The motion of one node relative to another, each the nearest to a point; also its length, `name.u` and `name.v`.
    Between {
        /// Body of the node.
        body: String,
        /// Body of the reference node.
        reference: String,
        /// Point in the undeformed bodies \[m\].
        point: Components,
    },
    /// A rigid body: how far it has turned, its angular velocity and its angular momentum about its centre of mass. `name.angle` (−π to π), `name.w`, `name.l` in the plane;
    /// the rotation vector `name.rx`, …, `name.wx`, …, `name.lx`, … in space.
    Turn(String),
    /// Rigid disks or balls, by the names of their entries: Love–Weber stress `name.sxx`, …, fabric `name.fabric_xx`, …, `name.coordination`, `name.void_ratio`, and as shares of the
    /// contacts that push `name.slipping` and `name.rolling`, of the grains `name.floating`; `name.slope` of the heap.
    Grains(Vec<String>),
    /// Rigid blocks, by the names of their entries: the largest opening and sliding of a joint that was closed at the start, `name.opening`, `name.sliding`, and the number of blocks that have
    /// sunk by more than half of their height, `name.fallen`.
    Masonry(Vec<String>),
    /// The cells of a group: mean Cauchy stress, `name.sxx`, `name.syy`, `name.szz`, `name.sxy` (and `syz`, `sxz` in space), and
    /// `name.differential`, σ_xx − σ_yy.
    Stress(SurfaceSpec),
}
