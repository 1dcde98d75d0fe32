//! Which solver, and which one next: a case names methods in order, and each takes over when the one before has not converged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::problem::ContactProblem;
use crate::report::{Options, Report};
use crate::solvers::{lemke, newton, nlgs};

/// The solvers, as a case names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Method {
    /// Nonlinear Gauss–Seidel ([`nlgs`]).
    Nlgs,
    /// Lemke's method ([`lemke`]): plane problems of at most [`lemke::MAX_CONTACTS`] contacts.
    Lemke,
    /// Semismooth Newton with proximal regularisation ([`newton`]): problems of at most [`newton::MAX_COMPONENTS`] components.
    Newton,
}

impl Method {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nlgs => nlgs::NAME,
            Self::Lemke => lemke::NAME,
            Self::Newton => newton::NAME,
        }
    }

    /// Sweeps of Gauss–Seidel for which the method can be had, as far as is known.
    fn worth<const D: usize>(self, problem: &ContactProblem<D>) -> usize {
        if self == Self::Newton { newton::worth_in_sweeps(problem) } else { usize::MAX }
    }

    /// Whether the method can be tried on a problem: by its dimension and size.
    pub fn applies<const D: usize>(self, problem: &ContactProblem<D>) -> bool
    where
        Dimension<D>: LocalKernel<D>,
    {
        match self {
            Self::Nlgs => true,
            Self::Lemke => Dimension::<D>::lemke().is_some() && problem.n() <= lemke::MAX_CONTACTS,
            Self::Newton => D * problem.n() <= newton::MAX_COMPONENTS,
        }
    }
}

/// Solves with one method; none, and `p` untouched, if it does not apply to the problem.
pub fn solve_with<const D: usize>(
    method: Method,
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &Options,
) -> Option<Report>
where
    Dimension<D>: LocalKernel<D>,
{
    if !method.applies(problem) {
        return None;
    }
    match method {
        Method::Nlgs => Some(nlgs::solve(problem, p, options)),
        Method::Newton => Some(newton::solve(problem, p, options)),
        Method::Lemke => Dimension::<D>::lemke().map(|solve| solve(problem, p, options)),
    }
}

/// Solves with the methods in their order until one converges, each from the best impulses so far. One report per method tried; those
/// that do not apply are passed over. `p` ends with the impulses of the lowest residual, and the last report holds for them: where a
/// method made things worse its impulses are dropped and its report carries the residual of those kept. Gauss–Seidel with another method
/// to follow ends as soon as it can be seen not to arrive, or to cost more than the other ([`nlgs::solve_or_give_up`]).
pub fn solve_in_order<const D: usize>(
    methods: &[Method],
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &Options,
) -> Vec<Report>
where
    Dimension<D>: LocalKernel<D>,
{
    let methods: Vec<Method> = methods.iter().copied().filter(|m| m.applies(problem)).collect();
    let mut reports: Vec<Report> = Vec::with_capacity(methods.len());
    let mut best = p.to_vec();
    for (k, &method) in methods.iter().enumerate() {
        let next = methods[k + 1..].iter().find(|&&next| next != method);
        let report = match (method, next) {
            (Method::Nlgs, Some(next)) => Some(nlgs::solve_or_give_up(problem, p, options, next.worth(problem))),
            (Method::Newton, _) => {
                let sweeps = reports.iter().filter(|r| r.solver == nlgs::NAME).map(|r| r.iterations).sum();
                Some(newton::solve_after(problem, p, options, sweeps))
            }
            _ => solve_with(method, problem, p, options),
        };
        let Some(mut report) = report else { continue };
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
