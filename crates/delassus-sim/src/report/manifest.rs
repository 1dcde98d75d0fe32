//! `manifest.json` read back.
//!
//! JSON has no NaN: such a number was written as `null`, and is NaN again here.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

/// What a finished run says of itself. Keys this program does not know are passed over.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    /// The program that ran.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
    /// File name of the case.
    pub case: Option<String>,
    /// SHA-256 of the case after `--set`.
    pub case_hash: String,
    /// SHA-256 of each body's mesh file.
    pub mesh_hashes: BTreeMap<String, String>,
    /// The `--set` assignments.
    pub settings: Vec<String>,
    /// Threads.
    pub threads: usize,
    /// Accepted steps.
    pub steps: usize,
    /// Degrees of freedom.
    pub dofs: usize,
    /// SHA-256 of the final state.
    pub state_hash: String,
    /// The worst over all steps.
    pub verdict: Verdict,
    /// Errors against the exact solution, and checks.
    pub verification: Option<Verification>,
    /// Seconds of each phase; `total` is the whole run, `steps` a count.
    pub timings_s: BTreeMap<String, f64>,
}

/// The worst over all steps; [`crate::summary::Verdict`] read back.
#[derive(Clone, Debug, Deserialize)]
pub struct Verdict {
    /// Largest law error.
    #[serde(deserialize_with = "number")]
    pub law_error: f64,
    /// Largest relative residual of the energy ledger.
    #[serde(deserialize_with = "number")]
    pub energy_residual: f64,
    /// Deepest penetration the law saw \[m\].
    #[serde(deserialize_with = "number")]
    pub max_penetration: f64,
    /// Deepest true penetration \[m\].
    #[serde(deserialize_with = "number")]
    pub true_penetration: f64,
    /// Steps accepted beyond tolerance.
    pub flagged: usize,
    /// Steps tried again with half the length.
    pub cuts: usize,
    /// Most sweeps in a step.
    pub max_iterations: usize,
    /// Sweeps of all steps.
    pub total_iterations: usize,
    /// Most contacts that acted at once.
    pub max_active: usize,
    /// Candidates deep inside a body, left out.
    pub too_deep: usize,
}

/// [`crate::verify::Verification`] read back.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Verification {
    /// Errors against exact curves.
    pub errors: Vec<ColumnError>,
    /// Checks.
    pub checks: Vec<Check>,
}

/// Relative errors of a column.
#[derive(Clone, Debug, Deserialize)]
pub struct ColumnError {
    /// The column of `history.csv`.
    pub column: String,
    /// Mean.
    #[serde(deserialize_with = "number")]
    pub l1: f64,
    /// Root mean square.
    #[serde(deserialize_with = "number")]
    pub l2: f64,
    /// Largest.
    #[serde(deserialize_with = "number")]
    pub max: f64,
}

/// How a check came out.
#[derive(Clone, Debug, Deserialize)]
pub struct Check {
    /// What is checked.
    pub name: String,
    /// The number found.
    #[serde(deserialize_with = "number")]
    pub found: f64,
    /// What it should be.
    #[serde(deserialize_with = "number")]
    pub expected: f64,
    /// Relative error (absolute when `expected` is 0).
    #[serde(deserialize_with = "number")]
    pub error: f64,
    /// Largest error allowed.
    #[serde(deserialize_with = "number")]
    pub tolerance: f64,
    /// Is it within tolerance?
    pub passed: bool,
}

/// Reads a manifest.
pub fn parse(bytes: &[u8]) -> Result<Manifest, serde_json::Error> {
    serde_json::from_slice(bytes)
}

fn number<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(d)?.unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_not_a_number_and_absence_is_an_error() {
        let text = r#"{"name": "a", "found": null, "expected": 1.0, "error": null, "tolerance": 0.1, "passed": false}"#;
        let check: Check = serde_json::from_str(text).unwrap();
        assert!(check.found.is_nan() && (check.expected - 1.0).abs() < 1e-15);
        let missing = text.replace(r#""found": null, "#, "");
        assert!(serde_json::from_str::<Check>(&missing).unwrap_err().to_string().contains("found"));
    }
}
