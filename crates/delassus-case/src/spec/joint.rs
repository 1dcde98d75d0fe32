//! Keys of joints.

use delassus_fem::TimeFunction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Components;
use super::units::{LENGTH, PURE, UnitRule, UnitTable, bare, in_time};

/// What a joint holds.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize, PartialEq, Eq)]
pub enum JointKindSpec {
    /// A common point; a pin in the plane.
    Ball,
    /// A common point and a common axis, z in the plane; its coordinate is the angle.
    Hinge,
    /// A common axis along which the sides move without turning; its coordinate is the displacement along it.
    Slider,
    /// Everything.
    Fixed,
    /// The distance of two points, a rod without mass; its coordinate is the change of its length.
    Distance,
    /// A spring, a dashpot or dry friction along the line between two points, or between the means of two groups; it holds nothing. Its coordinate is the change of its length.
    Spring,
    /// Every node of a group of a deformable body follows a rigid body.
    Bonded,
}

/// Prescribed motion of the coordinate of a joint.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum JointMotionSpec {
    /// The coordinate, 0 at t = 0 \[m or rad\].
    Coordinate(TimeFunction),
    /// Its rate \[m/s or rad/s\].
    Rate(TimeFunction),
}

/// A spring and a damper on the coordinate of a joint.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct JointSpringSpec {
    /// Stiffness \[N/m or N·m\].
    pub stiffness: f64,
    /// Damping \[N·s/m or N·m·s\].
    pub damping: f64,
    /// Coordinate at which the spring has no force \[m or rad\].
    pub rest: f64,
}

impl JointSpringSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable =
        &[("stiffness", bare("N/m or N·m")), ("damping", bare("N·s/m or N·m·s")), ("rest", bare("m or rad"))];
}

/// Friction in a joint that grows with the force it carries.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct JointCoulombSpec {
    /// Coulomb's coefficient μ.
    pub friction: f64,
    /// Radius r of the pin of a `Hinge`: the moment of friction is μ r |R| \[m\].
    #[serde(default)]
    pub radius: Option<f64>,
}

impl JointCoulombSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("friction", PURE), ("radius", LENGTH)];
}

/// A joint between two bodies, or a body and the ground.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    /// Name; `history.csv` gets `name.force_x`, ….
    pub name: String,
    /// What it holds.
    pub kind: JointKindSpec,
    /// One side.
    pub body: String,
    /// The nodes of `body`, if it deforms, of which the joint has the mean; the node nearest to `at` when absent.
    #[serde(default)]
    pub group: Option<String>,
    /// The other side; the ground when absent.
    #[serde(default)]
    pub to: Option<String>,
    /// The nodes of `to`, if it deforms; the node nearest to `to_at`, or `at`, when absent.
    #[serde(default)]
    pub to_group: Option<String>,
    /// The point of the joint at the start; of a `Distance` or `Spring` its end on `body` \[m\].
    #[serde(default)]
    pub at: Components,
    /// The end of a `Distance` or `Spring` on the other side at the start \[m\].
    #[serde(default)]
    pub to_at: Components,
    /// Axis of a `Hinge` in space (z when absent), direction of a `Slider`, fixed in the other side.
    #[serde(default)]
    pub axis: Components,
    /// Prescribed coordinate.
    #[serde(default)]
    pub motion: Option<JointMotionSpec>,
    /// Spring and damper on the coordinate.
    #[serde(default)]
    pub spring: Option<JointSpringSpec>,
    /// Largest force or moment of dry friction along the coordinate \[N or N·m\].
    #[serde(default)]
    pub friction: Option<f64>,
    /// Dry friction by the reaction R across the coordinate: μ r |R| of a `Hinge` with a pin of radius r, μ |R| of a `Slider`. It adds to `friction`.
    #[serde(default)]
    pub coulomb: Option<JointCoulombSpec>,
}

impl JointEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("at", LENGTH),
        ("to_at", LENGTH),
        ("axis", PURE),
        ("motion.Coordinate", in_time("m or rad")),
        ("motion.Rate", in_time("m/s or rad/s")),
        ("spring", UnitRule::Within(JointSpringSpec::UNITS)),
        ("friction", bare("N or N·m")),
        ("coulomb", UnitRule::Within(JointCoulombSpec::UNITS)),
    ];
}
