//! Contact methods against each other on problems from files: each with the same budget of counted work, timed, judged by two measures outside of the solvers, and compared
//! by performance profiles (Dolan & Moré 2002).
//!
//! ```text
//! ρ_m(τ) = share of the problems that method m solves within τ times the time of the fastest method of that problem
//! ```

use std::path::{Path, PathBuf};
use std::time::Instant;

use delassus_chart::chart::{AxisScale, Chart, ChartCurve, Horizontal};
use delassus_chart::stroke::{BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, Stroke};
use delassus_error::Interrupt;
use delassus_error::input::{PROBLEM, read_file_or_stdin};
use delassus_fclib::FclibProblem;
use delassus_math as math;
use delassus_sim::outcome::ROUNDING;
use delassus_sim::space::{Dimension, Space};
use delassus_solver::{
    ChainSettings, ContactProblem, Method, SolverError, SolverOptions, Vector, certify, solve_chain,
    solve_within_budget,
};
use serde::Serialize;

use crate::error::{RunError, SolveError};
use crate::solve::{judged, parse};

/// The methods by themselves.
pub const METHODS: [Method; 5] = [Method::Nlgs, Method::Lemke, Method::Admm, Method::Newton, Method::Interior];

/// The methods in the order in which a run tries them.
pub const CHAIN: [Method; 7] =
    [Method::Nlgs, Method::Lemke, Method::Admm, Method::Newton, Method::Interior, Method::Newton, Method::Nlgs];

/// Name of the chain among the methods.
pub const CHAIN_NAME: &str = "chain";

/// How a race is held.
#[derive(Clone, Copy, Debug)]
pub struct RaceRules<'a> {
    /// When a method is done.
    pub options: SolverOptions,
    /// Multiplications that a method by itself may do on a problem.
    pub budget: u64,
    /// Times each is run; the shortest time counts.
    pub repeats: usize,
    /// Asks all of them to stop.
    pub interrupt: &'a Interrupt,
}

/// A method on a problem.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaceResult {
    /// The method, or the chain.
    pub method: &'static str,
    /// Shortest time \[s\].
    pub seconds: f64,
    /// Iterations of all methods of it.
    pub iterations: usize,
    /// Multiplications counted: the same on every machine.
    pub work: u64,
    /// Largest natural-map error of a contact, scale-free, by the certificate.
    pub law_error: f64,
    /// FCLIB's natural map; none where a contact is a bond.
    pub natural_map: Option<f64>,
    /// Is it within the tolerance, by the certificate?
    pub solved: bool,
    /// The method that solved it, of a chain.
    pub by: &'static str,
}

/// A problem and all who tried it; methods that do not apply to it are not in the list.
#[derive(Clone, Debug, Serialize)]
pub struct RacedProblem {
    /// The file.
    pub file: PathBuf,
    /// 2 or 3.
    pub dimension: usize,
    /// Number of contacts.
    pub contacts: usize,
    /// max |W − Wᵀ| over max |W|.
    pub asymmetry: f64,
    /// The methods in their order, the chain last.
    pub results: Vec<RaceResult>,
}

/// Lets all methods and the chain solve the problem of a file.
///
/// # Errors
/// A file that cannot be read, a problem that is not well posed, an interrupt.
pub fn race_file(path: &Path, rules: &RaceRules<'_>) -> Result<RacedProblem, RunError> {
    let bytes = read_file_or_stdin(path, PROBLEM)?;
    let raced = match &parse(path, &bytes)?.problem {
        FclibProblem::Plane(problem) => race(problem, rules),
        FclibProblem::Space(problem) => race(problem, rules),
    };
    rules.interrupt.check()?;
    let raced = raced.map_err(|source| SolveError::Posed { path: path.to_owned(), source })?;
    Ok(RacedProblem { file: path.to_owned(), ..raced })
}

fn race<const D: usize>(problem: &ContactProblem<D>, rules: &RaceRules<'_>) -> Result<RacedProblem, SolverError>
where
    Dimension<D>: Space<D>,
{
    problem.validate()?;
    let mut results = Vec::new();
    for method in METHODS {
        let solve = |p: &mut [Vector<D>]| {
            solve_within_budget(method, problem, p, &rules.options, (rules.budget, rules.interrupt))
                .into_iter()
                .collect()
        };
        results.extend(timed(problem, method.name(), rules, solve)?);
    }
    let settings = ChainSettings { methods: &CHAIN, options: &rules.options, interrupt: rules.interrupt };
    results.extend(timed(problem, CHAIN_NAME, rules, |p| solve_chain(&settings, problem, p))?);
    Ok(RacedProblem {
        file: PathBuf::new(),
        dimension: D,
        contacts: problem.laws.iter().filter(|l| !matches!(l.cone, delassus_solver::Cone::Turning(_))).count(),
        asymmetry: problem.operator.max_asymmetry(),
        results,
    })
}

/// The shortest of several solves from nothing; none if there was no report.
fn timed<const D: usize>(
    problem: &ContactProblem<D>,
    method: &'static str,
    rules: &RaceRules<'_>,
    solve: impl Fn(&mut [Vector<D>]) -> Vec<delassus_solver::SolverReport>,
) -> Result<Option<RaceResult>, SolverError>
where
    Dimension<D>: Space<D>,
{
    let mut found: Option<RaceResult> = None;
    for _ in 0..rules.repeats.max(1) {
        let mut p = vec![Vector::<D>::zeros(); problem.n()];
        let begin = Instant::now();
        let reports = solve(&mut p);
        let seconds = begin.elapsed().as_secs_f64();
        let Some(last) = reports.last() else { return Ok(None) };
        if rules.interrupt.is_raised() {
            break;
        }
        if let Some(found) = &mut found {
            found.seconds = found.seconds.min(seconds);
            continue;
        }
        let law_error = certify(problem, &p)?.law_error;
        found = Some(RaceResult {
            method,
            seconds,
            iterations: reports.iter().map(|r| r.iterations).sum(),
            work: reports.iter().map(|r| r.work).sum(),
            law_error,
            natural_map: judged(problem, &p),
            solved: law_error <= rules.options.tolerance + ROUNDING,
            by: last.solver,
        });
    }
    Ok(found)
}

/// ρ of one method at the ratios `ratios`.
#[must_use]
pub fn profile(problems: &[RacedProblem], method: &str, ratios: &[f64]) -> Vec<f64> {
    let solved = |p: &RacedProblem, only: Option<&str>| {
        let those = p.results.iter().filter(|r| r.solved && only.is_none_or(|name| r.method == name));
        those.map(|r| r.seconds).fold(f64::INFINITY, f64::min)
    };
    // Each problem has the time of this method over the shortest; what nobody solved counts for all.
    let over: Vec<f64> = problems.iter().map(|p| solved(p, Some(method)) / solved(p, None)).collect();
    let share = |ratio: f64| over.iter().filter(|r| **r <= ratio).count() as f64 / problems.len().max(1) as f64;
    ratios.iter().map(|&ratio| share(ratio)).collect()
}

/// The profiles of all methods as a picture that stands alone.
#[must_use]
pub fn profile_picture(problems: &[RacedProblem]) -> String {
    let decades: Vec<f64> = (0..=300).map(|k| f64::from(k) * 0.01).collect();
    let ratios: Vec<f64> = decades.iter().map(|&d| math::powf(10.0, d)).collect();
    let names = METHODS.iter().map(|m| m.name()).chain([CHAIN_NAME]);
    let strokes = [
        Stroke::full(BLUE),
        Stroke::dashed(PURPLE, "2 3"),
        Stroke::dashed(GREEN, "7 3"),
        Stroke::dashed(RED, "10 3 2 3"),
        Stroke::dashed(ORANGE, "4 2"),
        Stroke::full(BLACK),
    ];
    let curve = |(name, stroke): (&str, Stroke)| ChartCurve {
        name: name.to_owned(),
        values: profile(problems, name, &ratios),
        stroke,
    };
    let chart = Chart {
        id: "race".to_owned(),
        label: format!("share of {} problems solved within a multiple of the shortest time", problems.len()),
        quantity: "share of the problems",
        unit: "",
        horizontal: Horizontal { quantity: "decades above the shortest time", unit: "" },
        scale: AxisScale::Linear,
        curves: names.zip(strokes).map(curve).collect(),
        levels: Vec::new(),
        moments: Vec::new(),
    };
    chart.draw_file(&decades)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(method: &'static str, seconds: f64, solved: bool) -> RaceResult {
        RaceResult { method, seconds, iterations: 1, work: 1, law_error: 0.0, natural_map: None, solved, by: method }
    }

    fn problem(results: Vec<RaceResult>) -> RacedProblem {
        RacedProblem { file: PathBuf::new(), dimension: 3, contacts: 1, asymmetry: 0.0, results }
    }

    /// By hand: of four problems nlgs is the fastest in one, twice as slow in one, fails in one, and nobody solves the last.
    #[test]
    fn profiles_by_hand() {
        let problems = [
            problem(vec![result("nlgs", 1.0, true), result("newton", 3.0, true)]),
            problem(vec![result("nlgs", 4.0, true), result("newton", 2.0, true)]),
            problem(vec![result("nlgs", 0.1, false), result("newton", 2.0, true)]),
            problem(vec![result("nlgs", 0.1, false), result("newton", 0.2, false)]),
        ];
        assert_eq!(profile(&problems, "nlgs", &[1.0, 1.9, 2.0, 1e6]), [0.25, 0.25, 0.5, 0.5]);
        assert_eq!(profile(&problems, "newton", &[1.0, 2.9, 3.0]), [0.5, 0.5, 0.75]);
        assert_eq!(profile(&problems, "admm", &[1e9]), [0.0]);
        let picture = profile_picture(&problems);
        assert!(picture.contains("<svg") && picture.contains("chain") && picture.contains("share of 4 problems"));
    }
}
