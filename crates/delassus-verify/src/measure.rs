//! Measures: how a check takes a number from a column of the history.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::history::History;

/// How a number is taken from a column of `history.csv`.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Measure {
    /// Time average over [from, to].
    Mean {
        /// Column.
        column: String,
        /// Start of the window \[s\].
        from: f64,
        /// End of the window \[s\].
        to: f64,
    },
    /// Largest |value| over [from, to]; the whole run when the window is absent.
    MaxAbs {
        /// Column.
        column: String,
        /// Start of the window \[s\].
        #[serde(default)]
        from: Option<f64>,
        /// End of the window \[s\].
        #[serde(default)]
        to: Option<f64>,
    },
    /// ∫ value dt over [from, to]; the whole run when the window is absent. Of a force: its impulse.
    Integral {
        /// Column.
        column: String,
        /// Start of the window \[s\].
        #[serde(default)]
        from: Option<f64>,
        /// End of the window \[s\].
        #[serde(default)]
        to: Option<f64>,
    },
    /// Slope of the straight line through the values over [from, to], by least squares. Of a velocity: its acceleration.
    Slope {
        /// Column.
        column: String,
        /// Start of the window \[s\].
        from: f64,
        /// End of the window \[s\].
        to: f64,
    },
    /// End of the first step with the largest |value|.
    TimeOfMaxAbs {
        /// Column.
        column: String,
    },
    /// Time of the last step whose |value| exceeds `level`.
    LastTimeAbove {
        /// Column.
        column: String,
        /// Level, in the column's unit.
        level: f64,
    },
    /// End of the first step whose |value| is at most `level`.
    FirstTimeBelow {
        /// Column.
        column: String,
        /// Level, in the column's unit.
        level: f64,
    },
    /// Value at the end of the run.
    Final {
        /// Column.
        column: String,
    },
    /// Relative L1 error against the exact curve.
    L1Error {
        /// Column.
        column: String,
    },
}

impl Measure {
    /// The column it looks at.
    #[must_use]
    pub fn column(&self) -> &str {
        match self {
            Self::Mean { column, .. }
            | Self::MaxAbs { column, .. }
            | Self::Integral { column, .. }
            | Self::Slope { column, .. }
            | Self::TimeOfMaxAbs { column }
            | Self::LastTimeAbove { column, .. }
            | Self::FirstTimeBelow { column, .. }
            | Self::Final { column }
            | Self::L1Error { column } => column,
        }
    }

    /// Why it can measure nothing, if so: (key, what is wrong).
    #[must_use]
    pub fn faults(&self) -> Vec<(&'static str, String)> {
        let window = |from: f64, to: f64| {
            let good = !from.is_nan() && !to.is_nan() && from <= to;
            (!good).then(|| ("from", format!("the window from {from} to {to} is empty")))
        };
        match self {
            Self::Mean { from, to, .. } | Self::Slope { from, to, .. } => window(*from, *to).into_iter().collect(),
            Self::MaxAbs { from, to, .. } | Self::Integral { from, to, .. } => {
                window(from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY)).into_iter().collect()
            }
            Self::LastTimeAbove { level, .. } | Self::FirstTimeBelow { level, .. }
                if !(level.is_finite() && *level >= 0.0) =>
            {
                vec![("level", format!("level = {level} must be finite and not negative"))]
            }
            Self::LastTimeAbove { .. }
            | Self::FirstTimeBelow { .. }
            | Self::TimeOfMaxAbs { .. }
            | Self::Final { .. }
            | Self::L1Error { .. } => Vec::new(),
        }
    }

    /// Does it need an exact curve?
    #[must_use]
    pub fn needs_exact(&self) -> bool {
        matches!(self, Self::L1Error { .. })
    }

    /// The number, if the history has the column and a step in the window.
    #[must_use]
    pub fn of(&self, history: &History) -> Option<f64> {
        let (time, x) = (history.column("time")?, history.column(self.column())?);
        let t = &time;
        let window = |from: f64, to: f64| (1..t.len()).filter(move |&i| t[i] >= from && t[i] <= to);
        match self {
            Self::Mean { from, to, .. } => {
                let (mut sum, mut total) = (0.0, 0.0);
                for i in window(*from, *to) {
                    let h = time[i] - time[i - 1];
                    sum += h * x[i];
                    total += h;
                }
                (total > 0.0).then(|| sum / total)
            }
            Self::MaxAbs { from, to, .. } => {
                let steps = window(from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
                steps.map(|i| x[i].abs()).reduce(f64::max)
            }
            Self::Integral { from, to, .. } => {
                let steps = window(from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
                steps.map(|i| (time[i] - time[i - 1]) * x[i]).reduce(|a, b| a + b)
            }
            Self::Slope { from, to, .. } => slope(window(*from, *to).map(|i| (time[i], x[i]))),
            Self::TimeOfMaxAbs { .. } => {
                let first_largest = |a: usize, b: usize| if x[b].abs() > x[a].abs() { b } else { a };
                (0..time.len()).reduce(first_largest).map(|i| time[i])
            }
            Self::LastTimeAbove { level, .. } => (0..time.len()).rev().find(|&i| x[i].abs() > *level).map(|i| time[i]),
            Self::FirstTimeBelow { level, .. } => (0..time.len()).find(|&i| x[i].abs() <= *level).map(|i| time[i]),
            Self::Final { .. } => x.last().copied(),
            Self::L1Error { column } => super::column_error(history, column).map(|e| e.l1),
        }
    }
}

/// Slope of the straight line through the points by least squares; none through fewer than two times.
fn slope(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    let n = points.clone().count() as f64;
    let (sum_t, sum_x) = points.clone().fold((0.0, 0.0), |(a, b), (t, x)| (a + t, b + x));
    let (mean_t, mean_x) = (sum_t / n, sum_x / n);
    let (mut covariance, mut variance) = (0.0, 0.0);
    for (t, x) in points {
        covariance += (t - mean_t) * (x - mean_x);
        variance += (t - mean_t) * (t - mean_t);
    }
    (variance > 0.0).then(|| covariance / variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        let mut h = History::new(vec!["time".into(), "a".into(), "a.exact".into()]);
        for (t, a, exact) in [(0.0, 9.0, 0.0), (1.0, 2.0, 2.0), (2.0, -4.0, -2.0), (4.0, 1.0, 1.0)] {
            h.push(vec![t, a, exact]);
        }
        h
    }

    fn check(measure: Measure, expected: Option<f64>) {
        assert_eq!(measure.of(&history()), expected, "{measure:?}");
    }

    #[test]
    fn measures_of_a_small_history() {
        let column = || "a".to_owned();
        check(Measure::Mean { column: column(), from: 1.0, to: 2.0 }, Some(-1.0));
        check(Measure::Mean { column: column(), from: 2.0, to: 4.0 }, Some((-4.0 + 2.0) / 3.0));
        check(Measure::Mean { column: column(), from: 5.0, to: 6.0 }, None);
        check(Measure::MaxAbs { column: column(), from: Some(1.0), to: None }, Some(4.0));
        check(Measure::Integral { column: column(), from: None, to: None }, Some(2.0 - 4.0 + 2.0));
        check(Measure::Integral { column: column(), from: Some(1.5), to: Some(4.0) }, Some(-4.0 + 2.0));
        check(Measure::Integral { column: column(), from: Some(5.0), to: None }, None);
        check(Measure::Slope { column: column(), from: 1.0, to: 2.0 }, Some(-6.0));
        check(Measure::Slope { column: column(), from: 2.0, to: 2.0 }, None);
        check(Measure::TimeOfMaxAbs { column: column() }, Some(0.0));
        check(Measure::LastTimeAbove { column: column(), level: 1.5 }, Some(2.0));
        check(Measure::LastTimeAbove { column: column(), level: 99.0 }, None);
        check(Measure::FirstTimeBelow { column: column(), level: 1.5 }, Some(4.0));
        check(Measure::FirstTimeBelow { column: column(), level: 0.5 }, None);
        check(Measure::Final { column: column() }, Some(1.0));
        // |−4 + 2| for one of four seconds, relative to the largest exact value 2.
        check(Measure::L1Error { column: column() }, Some(0.25));
        check(Measure::Final { column: "b".into() }, None);
    }
}
