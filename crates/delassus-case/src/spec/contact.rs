//! The `contacts` of a case: the two sides, their groups, and the contact law.

use delassus_solver::LawSpec;
use delassus_solver::law::TurningResistance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::foreign_units::CONTACT_LAW;
use super::units::UnitRule::Within;
use super::units::{COUNT, LENGTH, UnitTable};

/// A contact pair.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ContactEntry {
    /// Name; `history.csv` gets the columns `name.force_x`, `name.force_y`, `name.area`, `name.stick_area`,
    /// `name.max_pressure`.
    pub name: String,
    /// The side whose points may touch.
    pub candidates: SurfaceSpec,
    /// The side they may touch.
    pub antagonists: AntagonistSpec,
    /// Contact law.
    pub law: LawSpec,
    /// Which points of the candidates' side may touch.
    #[serde(default)]
    pub points: PointsSpec,
    /// Which normal contacts with facets get.
    #[serde(default)]
    pub normals: NormalsSpec,
    /// Also let the antagonist's nodes touch the candidates' segments (two passes).
    #[serde(default)]
    pub both: bool,
    /// Deepest penetration accepted in the geometry as it is given \[m\].
    #[serde(default)]
    pub initial_penetration: f64,
    /// Rolling and spinning resistance, between rigid bodies and of these with obstacles.
    #[serde(default)]
    pub resistance: Option<TurningResistance>,
}

impl ContactEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("law", Within(CONTACT_LAW)),
        ("points.OnFacets", COUNT),
        ("initial_penetration", LENGTH),
        ("resistance.rolling", LENGTH),
        ("resistance.spinning", LENGTH),
    ];
}

/// A named group of a body.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceSpec {
    /// Body.
    pub body: String,
    /// Group of that body's mesh; a rigid body without it touches with its whole shape.
    #[serde(default)]
    pub group: String,
}

/// What candidates may touch.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum AntagonistSpec {
    /// Facets of a group of a body.
    Surface(SurfaceSpec),
    /// An obstacle, by name.
    Obstacle(String),
}

/// Which points of the candidates' side may touch.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum PointsSpec {
    /// Its nodes.
    #[default]
    Nodes,
    /// Points inside its facets, this number along each side of a facet: the centres of equal parts.
    OnFacets(usize),
    /// The quadrature points of its facets; the only choice for quadratic elements.
    Quadrature,
}

/// Which normal contacts with facets get.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum NormalsSpec {
    /// Perpendicular to the facet.
    #[default]
    Facet,
    /// Interpolated between the normals of the nodes: no jump at ridges of a smooth surface.
    Continuous,
}
