//! `delassus solve`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use delassus_error::InternalError;
use delassus_run::solve::{SolvedProblem, solve_file};
use delassus_solver::{ChainSettings, Method, SolverOptions, SolverReport, StopReason};

use crate::interrupts::heard;
use crate::{CommandError, Reply};

/// Exit code where a problem was not solved to tolerance.
const NOT_CONVERGED: u8 = 4;

/// Solve single contact problems from files: FCLIB (HDF5), or failed-problem.json of a run
#[derive(Args)]
pub struct Solve {
    /// FCLIB files or failed-problem.json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Largest accepted law error (a number without unit)
    #[arg(long, value_name = "X", default_value_t = 1e-8, value_parser = tolerance)]
    tolerance: f64,
    /// Largest number of sweeps, pivots or linear solves of each solver
    #[arg(long, value_name = "N", default_value_t = 5000)]
    max_iterations: usize,
    /// Solvers in the order in which they are tried
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_values = ["nlgs", "lemke", "admm", "newton", "interior", "newton", "nlgs"])]
    methods: Vec<Name>,
    /// Print one JSON object with all results, including impulses, instead of the table
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Nonlinear Gauss–Seidel
    Nlgs,
    /// Lemke's pivoting (plane problems)
    Lemke,
    /// Semismooth Newton
    Newton,
    /// Alternating directions
    Admm,
    /// Interior points on the cone form
    Interior,
}

/// A tolerance.
pub(super) fn tolerance(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is not a number greater than 0");
    text.parse().ok().filter(|t: &f64| t.is_finite() && *t > 0.0).ok_or_else(wrong)
}

impl Solve {
    pub fn execute(self) -> Result<Reply, CommandError> {
        let options = SolverOptions { tolerance: self.tolerance, max_iterations: self.max_iterations };
        let method = |name: &Name| match name {
            Name::Nlgs => Method::Nlgs,
            Name::Lemke => Method::Lemke,
            Name::Newton => Method::Newton,
            Name::Admm => Method::Admm,
            Name::Interior => Method::Interior,
        };
        let methods: Vec<Method> = self.methods.iter().map(method).collect();
        let interrupt = heard("stopping");
        let chain = ChainSettings { methods: &methods, options: &options, interrupt: &interrupt };
        let solved: Vec<SolvedProblem> = self.files.iter().map(|f| solve_file(f, &chain)).collect::<Result<_, _>>()?;
        let exit_code = if solved.iter().all(|s| s.converged) { 0 } else { NOT_CONVERGED };
        let text = if self.json {
            serde_json::to_string_pretty(&solved).map_err(|e| InternalError(e.to_string()))?
        } else {
            table(&solved)
        };
        Ok(Reply { text, exit_code })
    }
}

/// What a solver did, in few words.
fn effort_of(report: &SolverReport) -> String {
    match report.end {
        StopReason::TooDear { .. } => format!("{} not started", report.solver),
        StopReason::Spent { .. } => format!("{} {} (budget)", report.iterations, report.solver),
        _ => format!("{} {}", report.iterations, report.solver),
    }
}

fn table(solved: &[SolvedProblem]) -> String {
    let name = |s: &SolvedProblem| s.file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let width = solved.iter().map(|s| name(s).chars().count()).max().unwrap_or(0).max(4);
    let mut out = format!(
        "{:<width$}  dim  contacts  {:<28} {:>10} {:>10} {:>11}",
        "file", "iterations", "time [s]", "law error", "natural map"
    );
    for s in solved {
        let effort: Vec<String> = s.reports.iter().map(effort_of).collect();
        let natural = s.natural_map.map_or_else(|| "-".to_owned(), |e| format!("{e:.1e}"));
        let _ = write!(
            out,
            "\n{:<width$}  {:>3}  {:>8}  {:<28} {:>10.4} {:>10.1e} {:>11}",
            name(s),
            s.dimension,
            s.contacts,
            effort.join(", "),
            s.seconds,
            s.law_error,
            natural
        );
        if !s.converged {
            let _ = write!(out, "  NOT SOLVED");
        }
        if let Some(given) = s.given {
            let _ = write!(out, "  (solution in the file: {given:.1e})");
        }
        if let Some(even) = &s.symmetric_part {
            let effort: Vec<String> = even.reports.iter().map(effort_of).collect();
            let natural = even.natural_map.map_or_else(|| "-".to_owned(), |e| format!("{e:.1e}"));
            let _ = write!(
                out,
                "\n{:<width$}                 {:<28} {:>10.4} {:>10.1e} {:>11}  (symmetric part of W; W differs from it by {:.1e})",
                "",
                effort.join(", "),
                even.seconds,
                even.law_error,
                natural,
                s.asymmetry
            );
            if !even.converged {
                let _ = write!(out, "  NOT SOLVED");
            }
        }
    }
    out
}
