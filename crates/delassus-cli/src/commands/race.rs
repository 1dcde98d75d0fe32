//! `delassus race`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use delassus_error::{FileError, InternalError};
use delassus_run::race::{
    CHAIN_NAME, METHODS, RaceResult, RaceRules, RacedProblem, profile, profile_picture, race_file,
};
use delassus_solver::SolverOptions;
use serde_json::json;

use crate::interrupts::heard;
use crate::{CommandError, Reply};

/// Time all contact methods and their chain on problems from files, and compare them
#[derive(Args)]
pub struct Race {
    /// FCLIB files or failed-problem.json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Largest accepted law error (a number without unit)
    #[arg(long, value_name = "X", default_value_t = 1e-8, value_parser = super::solve::tolerance)]
    tolerance: f64,
    /// Largest number of sweeps, pivots or linear solves of each method
    #[arg(long, value_name = "N", default_value_t = 5000)]
    max_iterations: usize,
    /// Multiplications that each method may do on a problem; about 1e9 take a second
    #[arg(long, value_name = "N", default_value_t = 5e9, value_parser = super::solve::tolerance)]
    budget: f64,
    /// How often each is run: the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeat: usize,
    /// Write the performance profile to this SVG file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Print one JSON object with all results instead of the table
    #[arg(long)]
    json: bool,
}

/// A method over all problems.
struct MethodSummary {
    method: &'static str,
    /// Problems solved.
    solved: usize,
    /// Problems on which it was the fastest that solved them.
    fastest: usize,
    /// Geometric mean of its time over the shortest, on those it solved.
    mean_ratio: Option<f64>,
}

impl Race {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let interrupt = heard("stopping");
        let rules = RaceRules {
            options: SolverOptions { tolerance: self.tolerance, max_iterations: self.max_iterations },
            budget: self.budget as u64,
            repeats: self.repeat,
            interrupt: &interrupt,
        };
        let problems: Vec<RacedProblem> = self.files.iter().map(|f| race_file(f, &rules)).collect::<Result<_, _>>()?;
        if let Some(path) = &self.picture {
            let failed = |source| FileError { action: "write", path: path.clone(), source };
            std::fs::write(path, profile_picture(&problems)).map_err(failed)?;
        }
        let summary: Vec<MethodSummary> = names().map(|method| summary(&problems, method)).collect();
        let text = if self.json {
            let rows: Vec<_> = summary
                .iter()
                .map(|s| json!({ "method": s.method, "solved": s.solved, "fastest": s.fastest, "mean_ratio": s.mean_ratio }))
                .collect();
            let report = json!({ "problems": problems, "summary": rows });
            serde_json::to_string_pretty(&report).map_err(|e| InternalError(e.to_string()))?
        } else {
            table(&problems, &summary)
        };
        Ok(text.into())
    }
}

/// The methods and the chain.
fn names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|m| m.name()).chain([CHAIN_NAME])
}

fn of<'a>(problem: &'a RacedProblem, method: &str) -> Option<&'a RaceResult> {
    problem.results.iter().find(|r| r.method == method)
}

fn shortest(problem: &RacedProblem) -> f64 {
    problem.results.iter().filter(|r| r.solved).map(|r| r.seconds).fold(f64::INFINITY, f64::min)
}

fn summary(problems: &[RacedProblem], method: &'static str) -> MethodSummary {
    let solved: Vec<f64> = problems
        .iter()
        .filter_map(|p| Some(delassus_math::ln(of(p, method).filter(|r| r.solved)?.seconds / shortest(p))))
        .collect();
    let mean_ratio = (!solved.is_empty()).then(|| delassus_math::exp(solved.iter().sum::<f64>() / solved.len() as f64));
    let fastest = (profile(problems, method, &[1.0])[0] * problems.len() as f64).round() as usize;
    MethodSummary { method, solved: solved.len(), fastest, mean_ratio }
}

/// A row for each problem: time in ms of each method, in brackets with its law error where it did not solve it.
fn table(problems: &[RacedProblem], summary: &[MethodSummary]) -> String {
    let name = |p: &RacedProblem| p.file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let width = problems.iter().map(|p| name(p).chars().count()).max().unwrap_or(0).max(8);
    let mut out = format!("{:<width$} dim contacts", "time [ms]");
    for method in names() {
        let _ = write!(out, " {method:>17}");
    }
    let _ = write!(out, "  law error natural map");
    for p in problems {
        let _ = write!(out, "\n{:<width$} {:>3} {:>8}", name(p), p.dimension, p.contacts);
        for method in names() {
            let cell = match of(p, method) {
                None => "-".to_owned(),
                Some(r) if !r.solved => format!("({:.1}, {:.0e})", 1e3 * r.seconds, r.law_error),
                Some(r) if method == CHAIN_NAME => format!("{:.2} {}", 1e3 * r.seconds, r.by),
                Some(r) => format!("{:.2}", 1e3 * r.seconds),
            };
            let _ = write!(out, " {cell:>17}");
        }
        if let Some(r) = of(p, CHAIN_NAME) {
            let natural = r.natural_map.map_or_else(|| "-".to_owned(), |e| format!("{e:.1e}"));
            let _ = write!(out, " {:>10.1e} {natural:>11}", r.law_error);
        }
    }
    let mut row = |title: &str, cell: &dyn Fn(&MethodSummary) -> String| {
        let _ = write!(out, "\n{title:<width$} {:>12}", "");
        for s in summary {
            let _ = write!(out, " {:>17}", cell(s));
        }
    };
    row("solved", &|s| s.solved.to_string());
    row("fastest", &|s| s.fastest.to_string());
    row("mean ratio", &|s| s.mean_ratio.map_or_else(|| "-".to_owned(), |r| format!("{r:.2}")));
    out
}
