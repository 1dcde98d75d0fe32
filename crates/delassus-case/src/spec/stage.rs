//! The `stages` of a case: parts of a run that follow one another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::units::{TIME, UnitTable};

/// A part of a run, which begins where the one before ended.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StageEntry {
    /// Name; its results are in a folder of this name.
    pub name: String,
    /// How long it takes \[s\]; `duration` of the case when absent.
    #[serde(default)]
    pub duration: Option<f64>,
    /// Step \[s\]; `step` of the case when absent.
    #[serde(default)]
    pub step: Option<f64>,
    /// What else differs from the case, as `--set` has it: `loads=[]`, `contacts.ground.law.friction=0.5`.
    #[serde(default)]
    pub changes: Vec<String>,
}

impl StageEntry {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("duration", TIME), ("step", TIME)];
}
