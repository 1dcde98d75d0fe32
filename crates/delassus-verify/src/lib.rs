//! Verification of a run: exact curves beside the computed ones, and checks on the histories.
//!
//! A case's `verify` block names an exact solution and a list of checks. Both refer to columns of `history.csv`: an
//! exact solution gives the exact value of some columns as functions of time, a check measures one number on a column
//! and compares it with a reference. A new exact solution is one file here, a `mod` line and a variant of
//! [`SolutionSpec`]. References of the user are expressions or points of a file, over time or along a line at a given
//! time.

mod bars_impact;
mod bouncing_ball;
mod cattaneo_mindlin;
pub mod components;
mod hertz_impact;
mod hertz_line;
mod hertz_point;
pub mod history;
mod line;
mod maxwell;
mod measure;
mod profile;
mod reference;
mod sliding;
pub mod table;
mod unequal_bars;

use delassus_error::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use bars_impact::BarsImpact;
pub use bouncing_ball::BouncingBall;
pub use cattaneo_mindlin::CattaneoMindlin;
pub use hertz_impact::HertzImpact;
pub use hertz_line::{Ellipse, HertzLine};
pub use hertz_point::HertzPoint;
pub use line::{FieldSource, LineCsv, LineCurveSpec, LineField, LineOf, LineSpec, ReferenceLine};
pub use maxwell::{LargeShear, MaxwellLayer, MaxwellLayers, MaxwellRelaxation};
pub use measure::Measure;
pub use profile::{PointTraction, Profile, ProfileCoordinate, TractionPart};
pub use reference::{Curve, CurveSpec, ExactCurves, Norm, Reference, ReferenceFile, ReferenceSpec};
pub use sliding::Sliding;
pub use unequal_bars::{BarOnBar, UnequalBar, UnequalBars};

use crate::history::History;

/// The `verify` block of a case.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct VerifySpec {
    /// Exact solution.
    pub solution: Option<SolutionSpec>,
    /// Curves of the user with which columns are compared.
    pub references: Vec<ReferenceSpec>,
    /// Lines along which fields are compared at one time.
    pub lines: Vec<LineSpec>,
    /// Numbers to be checked.
    pub checks: Vec<CheckSpec>,
}

/// Exact solutions a case can name.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum SolutionSpec {
    /// Head-on impact of two equal elastic bars.
    BarsImpact(BarsImpact),
    /// Head-on impact of two elastic bars of different length or material.
    UnequalBars(UnequalBars),
    /// A block that slides on a plane, or sticks to it.
    Sliding(Sliding),
    /// A cylinder pressed on a plane, or on another.
    HertzLine(HertzLine),
    /// A ball pressed on a plane, or on another.
    HertzPoint(HertzPoint),
    /// A ball that hits a plane, or another.
    HertzImpact(HertzImpact),
    /// A rigid ball that is dropped and bounces.
    BouncingBall(BouncingBall),
    /// Two cylinders pressed together, then pushed sideways: partial slip.
    CattaneoMindlin(CattaneoMindlin),
    /// Maxwell's body with its strain held.
    MaxwellRelaxation(MaxwellRelaxation),
    /// Large simple shear without flow.
    LargeShear(LargeShear),
    /// Layers of Maxwell bodies shortened between two walls.
    MaxwellLayers(MaxwellLayers),
}

impl SolutionSpec {
    /// The solution itself.
    #[must_use]
    pub fn solution(&self) -> &dyn ExactSolution {
        match self {
            Self::BarsImpact(s) => s,
            Self::UnequalBars(s) => s,
            Self::Sliding(s) => s,
            Self::HertzLine(s) => s,
            Self::HertzPoint(s) => s,
            Self::HertzImpact(s) => s,
            Self::BouncingBall(s) => s,
            Self::CattaneoMindlin(s) => s,
            Self::MaxwellRelaxation(s) => s,
            Self::LargeShear(s) => s,
            Self::MaxwellLayers(s) => s,
        }
    }
}

/// A solution in closed form.
pub trait ExactSolution {
    /// Reasons why these parameters make no solution: (key, value given, what would be right).
    fn faults(&self) -> Vec<(&'static str, f64, &'static str)>;
    /// The columns of `history.csv` it knows.
    fn columns(&self) -> Vec<String>;
    /// The exact value of a column over the step that ends at `t` and has length `h`; velocities and energies at `t`,
    /// forces in the middle of the step.
    fn value(&self, column: &str, t: f64, h: f64) -> Option<f64>;
    /// Pictures of computed against exact: file name, title, what the vertical axis measures, columns.
    fn plots(&self) -> Vec<HistoryPlot>;
    /// Tractions along contacts that it knows at time `t`.
    fn profiles(&self, _t: f64) -> Vec<Profile<'_>> {
        Vec::new()
    }
}

/// A picture of some columns over time.
#[derive(Clone, Debug)]
pub struct HistoryPlot {
    /// File name in the results folder.
    pub file: &'static str,
    /// Title.
    pub title: String,
    /// What the vertical axis measures.
    pub quantity: &'static str,
    /// Unit of the vertical axis.
    pub unit: &'static str,
    /// Columns of `history.csv`.
    pub columns: Vec<String>,
}

/// One number to be checked.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CheckSpec {
    /// What is checked, in words.
    pub name: String,
    /// How the number is taken from the history.
    pub measure: Measure,
    /// What it should be.
    pub expected: f64,
    /// Largest relative error (absolute when `expected` is 0).
    pub tolerance: f64,
}

/// How a check came out.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct CheckResult {
    /// What is checked.
    pub name: String,
    /// The number found.
    #[serde(with = "number")]
    pub found: f64,
    /// What it should be.
    #[serde(with = "number")]
    pub expected: f64,
    /// Relative error (absolute when `expected` is 0).
    #[serde(with = "number")]
    pub error: f64,
    /// Largest error allowed.
    #[serde(with = "number")]
    pub tolerance: f64,
    /// Is it within tolerance?
    pub passed: bool,
}

/// Errors of a column against its exact curve, relative to the largest exact value.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ColumnError {
    /// The column.
    pub column: String,
    /// Mean of |computed − exact|.
    #[serde(with = "number")]
    pub l1: f64,
    /// Root of the mean of (computed − exact)².
    #[serde(with = "number")]
    pub l2: f64,
    /// Largest |computed − exact|.
    #[serde(with = "number")]
    pub max: f64,
    /// The times that were compared \[s\]; none when it was the whole run, or no run of time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<[f64; 2]>,
}

/// The whole verification of a run.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Verification {
    /// Errors against exact curves.
    pub errors: Vec<ColumnError>,
    /// Checks.
    pub checks: Vec<CheckResult>,
}

impl Verification {
    /// Did every check pass?
    #[must_use]
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|c| c.passed)
    }
}

/// Measures a finished history; `references` are those of the block, read.
#[must_use]
pub fn verify(spec: &VerifySpec, references: &[Reference], history: &History) -> Verification {
    let mut errors: Vec<ColumnError> = match &spec.solution {
        Some(s) => s.solution().columns().iter().filter_map(|c| column_error(history, c)).collect(),
        None => Vec::new(),
    };
    let mut checks: Vec<CheckResult> = spec.checks.iter().map(|c| check(c, history)).collect();
    for reference in references {
        let found = reference.error(history);
        checks.extend(reference.check(&found));
        errors.push(found);
    }
    Verification { errors, checks }
}

fn check(spec: &CheckSpec, history: &History) -> CheckResult {
    let found = spec.measure.of(history).unwrap_or(f64::NAN);
    let difference = (found - spec.expected).abs();
    let error = if spec.expected.abs() > 0.0 { difference / spec.expected.abs() } else { difference };
    CheckResult {
        name: spec.name.clone(),
        found,
        expected: spec.expected,
        error,
        tolerance: spec.tolerance,
        passed: error <= spec.tolerance,
    }
}

/// Name of the column that holds the exact values of `column`.
#[must_use]
pub fn exact_column(column: &str) -> String {
    format!("{column}.exact")
}

/// Errors of `(weight, found, exact)`, relative to the largest exact value, or to the largest found where the exact ones are
/// rounding beside it. None without weight.
fn weighted_errors(column: String, points: impl Iterator<Item = (f64, f64, f64)>) -> Option<ColumnError> {
    let (mut l1, mut l2, mut max, mut total) = (0.0, 0.0, 0.0_f64, 0.0);
    let (mut exact_size, mut found_size) = (0.0_f64, 0.0_f64);
    for (weight, found, exact) in points {
        let e = (found - exact).abs();
        l1 += weight * e;
        l2 += weight * e * e;
        total += weight;
        max = max.max(e);
        (exact_size, found_size) = (exact_size.max(exact.abs()), found_size.max(found.abs()));
    }
    let unit = match () {
        () if exact_size > 1e-9 * found_size => exact_size,
        () if found_size > 0.0 => found_size,
        () => 1.0,
    };
    (total > 0.0).then(|| ColumnError {
        column,
        l1: l1 / total / unit,
        l2: (l2 / total).sqrt() / unit,
        max: max / unit,
        window: None,
    })
}

/// Errors of one column, weighted by the step lengths.
#[must_use]
pub fn column_error(history: &History, column: &str) -> Option<ColumnError> {
    let (found, exact) = (history.column(column)?, history.column(&exact_column(column))?);
    let time = history.column("time")?;
    let points = (1..time.len()).map(|i| (time[i] - time[i - 1], found[i], exact[i]));
    weighted_errors(column.to_owned(), points)
}

/// Explanations of the codes of this crate's errors.
pub const EXPLANATIONS: &str = include_str!("explanations.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_not_a_number_and_absence_is_an_error() {
        let text = r#"{"name": "a", "found": null, "expected": 1.0, "error": null, "tolerance": 0.1, "passed": false}"#;
        let check: CheckResult = serde_json::from_str(text).unwrap();
        assert!(check.found.is_nan() && (check.expected - 1.0).abs() < 1e-15);
        let missing = text.replace(r#""found": null, "#, "");
        assert!(serde_json::from_str::<CheckResult>(&missing).unwrap_err().to_string().contains("found"));
    }
}
