//! A function of time in a CSV file: where it is. Whoever has the file turns it into a table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A curve of time in a CSV file.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeCsv {
    /// The file, relative to the case file.
    pub file: String,
    /// Column of the times.
    #[serde(default = "time")]
    pub time: String,
    /// Column of the values.
    pub value: String,
    /// The unit of the times \[s\].
    #[serde(default = "one")]
    pub time_unit: f64,
    /// The unit of the values, in that of what they are for.
    #[serde(default = "one")]
    pub value_unit: f64,
}

fn time() -> String {
    "time".to_owned()
}

fn one() -> f64 {
    1.0
}
