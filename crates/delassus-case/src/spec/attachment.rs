//! The `attachments` of a case: springs, dashpots, masses and absorbing boundaries between bodies and the ground.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Components;
use super::units::{MASS, UnitTable, bare};

/// What links the nodes of a group to the ground.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AttachmentEntry {
    /// Body.
    pub body: String,
    /// Group.
    pub group: String,
    /// Stiffness of springs along the axes, of all nodes together \[N/m\].
    #[serde(default)]
    pub stiffness: Components,
    /// Damping of dashpots along the axes, of all nodes together \[N·s/m\].
    #[serde(default)]
    pub damping: Components,
    /// Mass that moves along, of all nodes together \[kg\].
    #[serde(default)]
    pub mass: f64,
    /// Do waves that meet the facets leave the body?
    #[serde(default)]
    pub absorbing: bool,
}

impl AttachmentEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("stiffness", bare("N/m")), ("damping", bare("N·s/m")), ("mass", MASS)];
}
