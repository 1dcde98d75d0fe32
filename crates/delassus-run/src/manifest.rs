//! `manifest.json`: the data of a finished run, for programs.

use std::collections::BTreeMap;

use delassus_case::spec::Units;
use delassus_error::number;
use delassus_sim::verdict::Verdict;
use delassus_verify::Verification;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::judgement::Judgement;

/// The data of a finished run. Unknown keys are ignored.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Manifest {
    /// The program that ran.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
    /// Title of the case.
    #[serde(default)]
    pub title: String,
    /// Units of its numbers.
    #[serde(default)]
    pub units: Units,
    /// File name of the case.
    pub case: Option<String>,
    /// SHA-256 of the case after `--set`.
    pub case_hash: String,
    /// SHA-256 of each body's mesh file.
    pub mesh_hashes: BTreeMap<String, String>,
    /// The `--set` assignments.
    pub settings: Vec<String>,
    /// SHA-256 of the end state from which it went on, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Instruction level on which it ran.
    #[serde(default)]
    pub level: String,
    /// Threads.
    pub threads: usize,
    /// Accepted steps.
    pub steps: usize,
    /// Time reached \[s\].
    #[serde(default, with = "number")]
    pub time: f64,
    /// Degrees of freedom.
    pub dofs: usize,
    /// SHA-256 of the final state.
    pub state_hash: String,
    /// The worst over all steps.
    pub verdict: Verdict,
    /// The verdict in words; none in folders of older versions.
    #[serde(default)]
    pub judgement: Option<Judgement>,
    /// Errors against the exact solution, and checks.
    pub verification: Option<Verification>,
    /// Seconds of each phase; `total` is the whole run, `steps` a count.
    pub timings_s: BTreeMap<String, f64>,
}

impl Manifest {
    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut value = json!(self);
        // A count among times.
        value["timings_s"]["steps"] = json!(self.steps);
        format!("{value:#}\n")
    }
}

/// Reads a manifest.
pub fn parse(bytes: &[u8]) -> Result<Manifest, serde_json::Error> {
    serde_json::from_slice(bytes)
}
