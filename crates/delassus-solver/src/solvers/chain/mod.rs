//! Which solver, and which one next: a case names methods in order, and each takes over when the one before has not converged.

use super::{ChainPlace, Method, nlgs};
use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::problem::ContactProblem;
use crate::report::{SolverOptions, SolverReport};

/// Which methods are tried, in order, and when each stops.
#[derive(Clone, Copy, Debug)]
pub struct ChainSettings<'a> {
    /// The methods, in order.
    pub methods: &'a [Method],
    /// When each of them stops.
    pub options: &'a SolverOptions,
}

/// Solves with one method; none, and `p` untouched, if it does not apply to the problem.
pub fn solve_with<const D: usize>(
    method: Method,
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
) -> Option<SolverReport>
where
    Dimension<D>: LocalKernel<D>,
{
    method.applies(problem).then(|| method.solver().solve(problem, p, options, &ChainPlace::default()))
}

/// Solves with the methods in their order until one converges, each from the best impulses so far. One report per method tried; those
/// that do not apply are passed over. `p` ends with the impulses of the lowest residual, and the last report holds for them: where a
/// method made things worse its impulses are dropped and its report carries the residual of those kept. Gauss–Seidel with another method
/// to follow ends as soon as it can be seen not to arrive, or to cost more than the other ([`nlgs::solve_or_give_up`]).
pub fn solve_in_order<const D: usize>(
    methods: &[Method],
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
) -> Vec<SolverReport>
where
    Dimension<D>: LocalKernel<D>,
{
    let methods: Vec<Method> = methods.iter().copied().filter(|m| m.applies(problem)).collect();
    let mut reports: Vec<SolverReport> = Vec::with_capacity(methods.len());
    let mut best = p.to_vec();
    for (k, &method) in methods.iter().enumerate() {
        let next = methods[k + 1..].iter().find(|&&next| next != method);
        let place = ChainPlace {
            sweeps_done: reports.iter().filter(|r| r.solver == nlgs::NAME).map(|r| r.iterations).sum(),
            next_worth: next.map(|next| next.solver().worth_in_sweeps(problem)),
        };
        let mut report = method.solver().solve(problem, p, options, &place);
        match reports.last() {
            Some(before) if report.residual.is_nan() || report.residual >= before.residual => {
                report.residual = before.residual;
                report.several_solutions = before.several_solutions;
                p.copy_from_slice(&best);
            }
            _ => best.copy_from_slice(p),
        }
        reports.push(report);
        if report.converged {
            break;
        }
    }
    reports
}

#[cfg(test)]
mod tests;
