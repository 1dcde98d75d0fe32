//! References of the user: curves over time from a file or an expression, compared with columns of
//! `history.csv`.
//!
//! The error of a column is that of exact solutions, over the steps whose time the reference covers:
//!
//! ```text
//! L1 = Σ h_i |c_i − r(t_i)| / Σ h_i / max |r| ,   L2 = √(Σ h_i (c_i − r(t_i))² / Σ h_i) / max |r| ,   Max = max |c_i − r(t_i)| / max |r|
//! ```
//!
//! Forces are means over a step, so their reference is taken in its middle, as with exact solutions.

use delassus_fem::{Expression, TimeCsv};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::history::History;
use crate::table::Polyline;
use crate::{CheckResult, ColumnError, SolutionSpec, weighted_errors};

/// Means of an error.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
pub enum Norm {
    /// Mean of the absolute value.
    L1,
    /// Root of the mean square.
    L2,
    /// Largest.
    #[default]
    Max,
}

impl Norm {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::L1 => "mean error (L1)",
            Self::L2 => "root mean square error (L2)",
            Self::Max => "largest error",
        }
    }

    /// That of some errors.
    #[must_use]
    pub fn of(self, errors: &ColumnError) -> f64 {
        match self {
            Self::L1 => errors.l1,
            Self::L2 => errors.l2,
            Self::Max => errors.max,
        }
    }
}

/// A curve that a column is compared with.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceSpec {
    /// Column of `history.csv`.
    pub column: String,
    /// The curve.
    pub curve: CurveSpec,
    /// Start of the comparison \[s\]; that of the run, or of the file, when absent.
    #[serde(default)]
    pub from: Option<f64>,
    /// Its end \[s\].
    #[serde(default)]
    pub to: Option<f64>,
    /// Which mean of the error `tolerance` bounds.
    #[serde(default)]
    pub norm: Norm,
    /// Largest relative error; without it nothing is checked.
    #[serde(default)]
    pub tolerance: Option<f64>,
}

/// Where a curve of time comes from.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum CurveSpec {
    /// An expression of the time `t` \[s\].
    Expression(String),
    /// Two columns of a CSV file.
    Csv(TimeCsv),
}

/// A curve of one variable, or of several.
#[derive(Clone, Debug)]
pub enum Curve {
    /// In closed form.
    Formula(Expression),
    /// By points, over its first variable.
    Points(Polyline),
}

impl Curve {
    /// The value where the variables have these values.
    #[must_use]
    pub fn value(&self, variables: &[f64]) -> f64 {
        match self {
            Self::Formula(expression) => expression.value(variables),
            Self::Points(points) => variables.first().map_or(f64::NAN, |x| points.value(*x)),
        }
    }

    /// Where its first variable may lie.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        match self {
            Self::Formula(_) => [f64::NEG_INFINITY, f64::INFINITY],
            Self::Points(points) => points.range(),
        }
    }
}

/// A file that a reference was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFile {
    /// As the case names it.
    pub name: String,
    /// SHA-256 of its bytes.
    pub hash: String,
}

/// A reference that has been read.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What the case says.
    pub spec: ReferenceSpec,
    /// The curve.
    pub curve: Curve,
    /// The file it comes from.
    pub file: Option<ReferenceFile>,
}

impl Reference {
    /// The times that are compared: what the case asks for within what the curve covers \[s\].
    #[must_use]
    pub fn window(&self) -> [f64; 2] {
        let [first, last] = self.curve.range();
        [self.spec.from.map_or(first, |t| t.max(first)), self.spec.to.map_or(last, |t| t.min(last))]
    }

    /// The time at which a step of length `h` that ends at `t` is compared; none outside of the window.
    fn moment(&self, t: f64, h: f64) -> Option<f64> {
        let moment = if is_mean(&self.spec.column) { t - 0.5 * h } else { t };
        let [first, last] = self.window();
        // Times are sums of steps: one that misses an end by rounding alone counts.
        let slack = 1e-9 * (t.abs() + h);
        (moment >= first - slack && moment <= last + slack).then_some(moment)
    }

    /// The value beside the step of length `h` that ends at `t`; not a number where nothing is compared.
    #[must_use]
    pub fn value(&self, t: f64, h: f64) -> f64 {
        self.moment(t, h).map_or(f64::NAN, |moment| self.curve.value(&[moment]))
    }

    /// Errors of its column over the steps it covers; not numbers when no step is, or the reference or the column is none at one.
    #[must_use]
    pub fn error(&self, history: &History) -> ColumnError {
        let column = self.spec.column.clone();
        let nothing = ColumnError { column: column.clone(), l1: f64::NAN, l2: f64::NAN, max: f64::NAN, window: None };
        let (Some(time), Some(found)) = (history.column("time"), history.column(&column)) else { return nothing };
        let steps = (1..time.len()).filter_map(|i| {
            let h = time[i] - time[i - 1];
            self.moment(time[i], h).map(|moment| (time[i], h, found[i], self.curve.value(&[moment])))
        });
        let steps: Vec<(f64, f64, f64, f64)> = steps.collect();
        if steps.iter().any(|s| !s.2.is_finite() || !s.3.is_finite()) {
            return nothing;
        }
        let all = steps.len() + 1 == time.len();
        let window = steps.first().zip(steps.last()).filter(|_| !all).map(|(first, last)| [first.0 - first.1, last.0]);
        let errors = weighted_errors(column, steps.iter().map(|s| (s.1, s.2, s.3)));
        errors.map_or(nothing, |e| ColumnError { window, ..e })
    }

    /// The check that its tolerance asks for.
    #[must_use]
    pub fn check(&self, errors: &ColumnError) -> Option<CheckResult> {
        check_of(&self.spec.column, self.spec.norm, self.spec.tolerance, errors)
    }
}

/// The check that a tolerance of an error asks for.
pub(crate) fn check_of(what: &str, norm: Norm, tolerance: Option<f64>, errors: &ColumnError) -> Option<CheckResult> {
    let tolerance = tolerance?;
    let error = norm.of(errors);
    let name = format!("{what} against its reference, {}", norm.text());
    Some(CheckResult { name, found: error, expected: 0.0, error, tolerance, passed: error <= tolerance })
}

/// Is a column a mean over the step: a force, which is an impulse over h?
fn is_mean(column: &str) -> bool {
    let ending = column.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.starts_with("force_")
}

/// All curves that are compared with columns of a history: those of an exact solution, then references.
#[derive(Clone, Debug, Default)]
pub struct ExactCurves {
    /// The exact solution.
    pub solution: Option<SolutionSpec>,
    /// References of one's own.
    pub references: Vec<Reference>,
}

impl ExactCurves {
    /// The columns they belong to, in order.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let mut out = self.solution.as_ref().map_or(Vec::new(), |s| s.solution().columns());
        out.extend(self.references.iter().map(|r| r.spec.column.clone()));
        out
    }

    /// The values beside the step of length `h` that ends at `t`, in the order of the columns.
    #[must_use]
    pub fn values(&self, t: f64, h: f64) -> Vec<f64> {
        let mut out = Vec::new();
        if let Some(solution) = &self.solution {
            let solution = solution.solution();
            let known = solution.columns();
            out.extend(known.iter().map(|column| solution.value(column, t, h).unwrap_or(f64::NAN)));
        }
        out.extend(self.references.iter().map(|r| r.value(t, h)));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(column: &str, curve: Curve, from: Option<f64>, tolerance: f64) -> Reference {
        let spec = ReferenceSpec {
            column: column.to_owned(),
            curve: CurveSpec::Expression("t".to_owned()),
            from,
            to: None,
            norm: Norm::Max,
            tolerance: Some(tolerance),
        };
        Reference { spec, curve, file: None }
    }

    fn formula(text: &str) -> Curve {
        Curve::Formula(Expression::parse(text, &["t"]).unwrap())
    }

    /// a = t + 0.1 at t = 1, 2, 3 and 4 in steps of 1; the force is 2 t − 1, the mean of 2 t over the step.
    fn history() -> History {
        let mut history = History::new(["time", "a", "p.force_x"].map(str::to_owned).to_vec());
        for k in 0..5 {
            let t = f64::from(k);
            history.push(vec![t, t + 0.1, 2.0 * t - 1.0]);
        }
        history
    }

    #[test]
    fn errors_against_a_formula_pass_and_fail_as_they_should() {
        let right = reference("a", formula("t"), None, 0.03);
        let errors = right.error(&history());
        for (found, expected) in [(errors.l1, 0.025), (errors.l2, 0.025), (errors.max, 0.025)] {
            assert!((found - expected).abs() < 1e-15, "{errors:?}");
        }
        assert!(errors.window.is_none());
        assert!(right.check(&errors).unwrap().passed);
        // A wrong curve, and one that is not a number, fail.
        for wrong in ["1.1*t", "sqrt(1-t)", "1/(t-2)"] {
            let wrong = reference("a", formula(wrong), None, 0.03);
            assert!(!wrong.check(&wrong.error(&history())).unwrap().passed);
        }
        let silent = Reference { spec: ReferenceSpec { tolerance: None, ..right.spec.clone() }, ..right };
        assert!(silent.check(&errors).is_none());
    }

    #[test]
    fn only_what_the_reference_covers_is_compared() {
        let points = Polyline::parse("t,u\n1,1\n3,3\n", ["t", "u"], [1.0; 2]).unwrap();
        let short = reference("a", Curve::Points(points), Some(1.5), 0.1);
        let errors = short.error(&history());
        // Steps that end at 2 and 3.
        assert_eq!(errors.window, Some([1.0, 3.0]));
        assert!((errors.max - 0.1 / 3.0).abs() < 1e-15, "{errors:?}");
        assert!(short.value(1.0, 1.0).is_nan() && (short.value(2.0, 1.0) - 2.0).abs() < 1e-15);
        let never = reference("a", formula("t"), Some(9.0), 0.1);
        assert!(!never.check(&never.error(&history())).unwrap().passed, "nothing compared is not a pass");
    }

    #[test]
    fn forces_are_compared_in_the_middle_of_the_step() {
        let force = reference("p.force_x", formula("2*t"), None, 1e-12);
        assert!(force.error(&history()).max < 1e-15);
    }
}
