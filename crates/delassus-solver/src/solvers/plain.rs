//! What methods for plain problems have in common: laws without springs and moments, sizes that fit, and a report that is concluded.

use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::prepared::PreparedProblem;
use crate::problem::ContactProblem;
use crate::report::{SolverOptions, SolverReport};
use crate::work::Allowance;

/// Does a problem have neither springs nor moments?
pub(super) fn is_plain<const D: usize>(problem: &ContactProblem<D>) -> bool {
    !problem.has_springs() && !problem.has_moments()
}

/// Prepares a problem and lets `iterate` improve `p`, unless it is solved already. Problems that are not plain, data that are not finite and sizes that do not fit give a report
/// with no iterations.
pub(super) fn solve_plain<const D: usize>(
    name: &'static str,
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    iterate: impl FnOnce(&mut PreparedProblem<'_, D>, &mut [Vector<D>], &mut Allowance<'_>, &mut SolverReport),
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    let mut report = SolverReport::not_started(name);
    if problem.check_sizes(p).is_err() {
        return report;
    }
    let mut prepared = PreparedProblem::new(problem);
    report.residual = prepared.residual(p);
    if report.residual > options.tolerance && report.residual.is_finite() && is_plain(problem) {
        iterate(&mut prepared, p, allowance, &mut report);
    }
    report.work = allowance.spent();
    report = report.conclude(options);
    if report.residual.is_finite() {
        prepared.residual(p);
        report.several_solutions = prepared.several();
    }
    report
}
