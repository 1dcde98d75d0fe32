//! A single contact problem: read from a file, solved, and checked by two error measures that are computed
//! outside the solver.
//!
//! Files are FCLIB's (HDF5, local or global form) or `failed-problem.json`, which a run leaves when a step cannot be solved.

use std::path::{Path, PathBuf};
use std::time::Instant;

use delassus_error::excerpt;
use delassus_error::input::{PROBLEM, read_file_or_stdin};
use delassus_fclib::{Fclib, FclibProblem, in_file_order, natural_map_error, standard_form};
use delassus_sim::outcome::ROUNDING;
use delassus_sim::space::{Dimension, Space};
use delassus_solver::{ChainSettings, Cone, ContactProblem, SolverError, SolverReport, Vector, certify, solve_chain};
use serde::Serialize;

use crate::error::{RunError, SolveError};
use crate::json_fault;

/// A solved problem.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedProblem {
    /// The file.
    pub file: PathBuf,
    /// 2 or 3.
    pub dimension: usize,
    /// Number of contacts, without moments.
    pub contacts: usize,
    /// Was it given in global form, and condensed?
    pub condensed: bool,
    /// What the solvers say, in the order in which they were tried.
    pub reports: Vec<SolverReport>,
    /// Time of the solvers \[s\].
    pub seconds: f64,
    /// Largest natural-map error of a contact, scale-free, by the certificate.
    pub law_error: f64,
    /// ‖r − P_K(r − (u + μ‖u_T‖ n))‖ / ‖q‖; none where a contact is a bond.
    pub natural_map: Option<f64>,
    /// The same of the solution that the file gives.
    pub given: Option<f64>,
    /// Is it within the tolerance, by the solver and by the certificate?
    pub converged: bool,
    /// max |W − Wᵀ| over max |W|.
    pub asymmetry: f64,
    /// Where W is not symmetric beyond rounding: the problem with (W + Wᵀ)/2.
    pub symmetric_part: Option<SymmetricPart>,
    /// Impulses, component by component \[N·s\]; moments follow the force of their contact \[N·m·s\].
    pub impulses: Vec<f64>,
}

/// A problem solved with the symmetric part of its W.
#[derive(Clone, Debug, Serialize)]
pub struct SymmetricPart {
    /// What the solvers say, in the order in which they were tried.
    pub reports: Vec<SolverReport>,
    /// Time of the solvers \[s\].
    pub seconds: f64,
    /// As for the problem itself.
    pub law_error: f64,
    /// As for the problem itself.
    pub natural_map: Option<f64>,
    /// As for the problem itself.
    pub converged: bool,
}

/// Asymmetry of W above which it is no rounding: methods that need a symmetric W then solve another problem.
const ASYMMETRIC: f64 = 1e-9;

/// Reads and solves a problem, and where its W is not symmetric also the one with the symmetric part of W.
pub fn solve_file(path: &Path, chain: &ChainSettings<'_>) -> Result<SolvedProblem, RunError> {
    let bytes = read_file_or_stdin(path, PROBLEM)?;
    let Fclib { problem, condensed, solution, levers } = parse(path, &bytes)?;
    let solved = match &problem {
        FclibProblem::Plane(p) => solve_both(p, solution.as_deref(), chain),
        FclibProblem::Space(p) => solve_both(p, solution.as_deref(), chain),
    };
    chain.interrupt.check()?;
    let mut solved = solved.map_err(|source| SolveError::Posed { path: path.to_owned(), source })?;
    if let Some(levers) = levers {
        solved.impulses = in_file_order(solved.dimension, &levers, &solved.impulses);
    }
    Ok(SolvedProblem { file: path.to_owned(), condensed, ..solved })
}

/// A file's problem: JSON if it begins like it, FCLIB otherwise.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Fclib, SolveError> {
    if bytes.iter().find(|b| !b.is_ascii_whitespace()) != Some(&b'{') {
        return delassus_fclib::read(bytes).map_err(|source| SolveError::Fclib { path: path.to_owned(), source });
    }
    let wrong = |reason: String| SolveError::Json { path: path.to_owned(), reason };
    // Without a dimension it may be any JSON, and nothing of it is shown.
    let foreign = |e: serde_json::Error| wrong(json_fault(&e));
    let wrong = |e: serde_json::Error| wrong(excerpt(&e.to_string()));
    #[derive(serde::Deserialize)]
    struct Head {
        dimension: usize,
    }
    let problem = match serde_json::from_slice::<Head>(bytes).map_err(foreign)?.dimension {
        2 => FclibProblem::Plane(serde_json::from_slice(bytes).map_err(wrong)?),
        3 => FclibProblem::Space(serde_json::from_slice(bytes).map_err(wrong)?),
        other => {
            let reason = format!("dimension = {other}: it should be 2 or 3");
            return Err(SolveError::Json { path: path.to_owned(), reason });
        }
    };
    Ok(Fclib { problem, condensed: false, solution: None, levers: None })
}

/// The problem as it is stored, and with the symmetric part of W where that is another.
fn solve_both<const D: usize>(
    problem: &ContactProblem<D>,
    given: Option<&[f64]>,
    chain: &ChainSettings<'_>,
) -> Result<SolvedProblem, SolverError>
where
    Dimension<D>: Space<D>,
{
    let mut solved = solve(problem, given, chain)?;
    solved.asymmetry = problem.operator.max_asymmetry();
    if solved.asymmetry > ASYMMETRIC {
        let even = ContactProblem { operator: problem.operator.symmetric_part(), ..problem.clone() };
        let SolvedProblem { reports, seconds, law_error, natural_map, converged, .. } = solve(&even, None, chain)?;
        solved.symmetric_part = Some(SymmetricPart { reports, seconds, law_error, natural_map, converged });
    }
    Ok(solved)
}

fn solve<const D: usize>(
    problem: &ContactProblem<D>,
    given: Option<&[f64]>,
    chain: &ChainSettings<'_>,
) -> Result<SolvedProblem, SolverError>
where
    Dimension<D>: Space<D>,
{
    problem.validate()?;
    let mut p = vec![Vector::<D>::zeros(); problem.n()];
    let begin = Instant::now();
    let reports = solve_chain(chain, problem, &mut p);
    let seconds = begin.elapsed().as_secs_f64();
    let law_error = certify(problem, &p)?.law_error;
    let given = given.map(|r| r.chunks_exact(D).map(Vector::<D>::from_column_slice).collect::<Vec<_>>());
    Ok(SolvedProblem {
        file: PathBuf::new(),
        dimension: D,
        contacts: problem.laws.iter().filter(|l| !matches!(l.cone, Cone::Turning(_))).count(),
        condensed: false,
        converged: reports.last().is_some_and(|r| r.converged) && law_error <= chain.options.tolerance + ROUNDING,
        reports,
        seconds,
        law_error,
        natural_map: judged(problem, &p),
        given: given.and_then(|r| judged(problem, &r)),
        asymmetry: 0.0,
        symmetric_part: None,
        impulses: p.iter().flat_map(|p| p.iter().copied().collect::<Vec<_>>()).collect(),
    })
}

/// The natural-map error in the variables in which every law is Coulomb's.
pub(crate) fn judged<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> Option<f64> {
    let plain = standard_form(problem).ok()?;
    let mut u = vec![Vector::<D>::zeros(); p.len()];
    problem.operator.apply_into(p, &mut u);
    let shifted = |(i, law): (usize, &delassus_solver::Derived<D>)| {
        let velocity = u[i] + problem.v_free[i];
        (law.cone != Cone::Open).then(|| p[i] + law.p_shift + law.spring.component_mul(&velocity))
    };
    let r: Vec<Vector<D>> = problem.laws.iter().enumerate().filter_map(shifted).collect();
    Some(natural_map_error(&plain, &r))
}
