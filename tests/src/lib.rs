//! Helpers of the verification tests: run a case as a user does, step a model by hand, measure what came out.
//!
//! Figures are printed through [`show`]; `cargo test -p verification -- --nocapture` lists them all.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of tests that fails is a failed test")]

pub mod bars;
pub mod blocks;
pub mod dense;
pub mod impact;
pub mod momentum;

use std::path::{Path, PathBuf};

use delassus_case::Loaded;
use delassus_run::{RunError, RunOptions, Silent, Summary, run_case};
use tempfile::TempDir;

/// Every scheme of the project, as a case writes it.
pub const SCHEMES: [&str; 12] = [
    "Theta(theta: 0.5)",
    "Theta(theta: 0.55)",
    "Theta(theta: 1.0)",
    "ModifiedTheta(theta: 0.5)",
    "ModifiedTheta(theta: 0.55)",
    "ThetaEuler(theta: 0.5)",
    "ThetaEuler(theta: 0.55)",
    "ThetaEuler(theta: 1.0)",
    "Newmark(gamma: 0.5, beta: 0.25)",
    "Newmark(gamma: 0.6, beta: 0.3025)",
    "EnergyMomentum(theta: 0.5)",
    "EnergyMomentum(theta: 0.75)",
];

/// A finished run and its results folder, which lives as long as this does.
pub struct Run {
    /// What the run says of itself.
    pub summary: Summary,
    /// Where the results are.
    pub folder: TempDir,
}

impl Run {
    /// All values of a column of the history.
    #[must_use]
    pub fn column(&self, name: &str) -> Vec<f64> {
        let names = self.summary.history.names();
        self.summary.history.column(name).unwrap_or_else(|| panic!("no column `{name}` in {names:?}"))
    }

    /// The last value of a column.
    #[must_use]
    pub fn last(&self, name: &str) -> f64 {
        *self.column(name).last().unwrap()
    }

    /// The largest |value| of a column.
    #[must_use]
    pub fn largest(&self, name: &str) -> f64 {
        largest(&self.column(name))
    }
}

/// max |xᵢ|; NaN if there is one.
#[must_use]
pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, y| if y.is_nan() || m.is_nan() { f64::NAN } else { m.max(y.abs()) })
}

/// max |xᵢ − yᵢ|; NaN if there is one, infinite if the lengths differ.
#[must_use]
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    if x.len() != y.len() {
        return f64::INFINITY;
    }
    largest(&x.iter().zip(y).map(|(a, b)| a - b).collect::<Vec<_>>())
}

/// A case of the folder `cases`.
#[must_use]
pub fn case_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases").join(format!("{name}.ron"))
}

fn owned(settings: &[&str]) -> Vec<String> {
    // Frames of fields are not looked at here, and cost most of the time of a small run.
    let quiet = "output=(every: 1000000)";
    settings.iter().copied().chain([quiet]).map(str::to_owned).collect()
}

/// A case of the folder `cases`, with `--set` assignments.
#[must_use]
pub fn load(name: &str, settings: &[&str]) -> Loaded {
    Loaded::read(&case_path(name), &owned(settings)).unwrap_or_else(|e| panic!("{e}"))
}

/// A case given as text, with `--set` assignments.
#[must_use]
pub fn load_text(text: &str, settings: &[&str]) -> Loaded {
    let whole = Loaded::from_text(Path::new("inline.ron"), text.to_owned(), &owned(settings));
    whole.unwrap_or_else(|e| panic!("{e}"))
}

/// Runs a loaded case in a folder of its own; the folder is kept also when the run fails.
pub fn try_run(loaded: &Loaded, threads: Option<usize>) -> (Result<Summary, RunError>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions { out: Some(folder.path().to_owned()), threads, ..RunOptions::default() };
    (run_case(loaded, &options, &mut Silent), folder)
}

/// Runs a loaded case to its end.
#[must_use]
pub fn run(loaded: &Loaded) -> Run {
    let (result, folder) = try_run(loaded, Some(1));
    Run { summary: result.unwrap_or_else(|e| panic!("{e}")), folder }
}

/// Slope of the straight line through (log xᵢ, log yᵢ) by least squares: the observed order for steps x and errors y.
#[must_use]
pub fn fitted_order(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (lx, ly): (Vec<f64>, Vec<f64>) = (x.iter().map(|a| a.ln()).collect(), y.iter().map(|a| a.ln()).collect());
    let (mx, my) = (lx.iter().sum::<f64>() / n, ly.iter().sum::<f64>() / n);
    let covariance: f64 = lx.iter().zip(&ly).map(|(a, b)| (a - mx) * (b - my)).sum();
    covariance / lx.iter().map(|a| (a - mx) * (a - mx)).sum::<f64>()
}

/// A measured figure, for those who run the tests with `--nocapture`.
#[expect(clippy::print_stdout, reason = "captured by the test harness, shown on request")]
pub fn show(text: &str) {
    println!("{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_measure_what_they_say() {
        assert!((fitted_order(&[1.0, 0.5, 0.25], &[3.0, 0.75, 0.1875]) - 2.0).abs() < 1e-14);
        assert!((distance(&[1.0, 2.0], &[1.0, -2.0]) - 4.0).abs() < 1e-15);
        assert!(distance(&[1.0], &[]).is_infinite());
        assert!(largest(&[0.0, f64::NAN, 1.0]).is_nan());
    }
}
