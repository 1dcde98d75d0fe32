//! The sequence of solvers: a case names methods in order, and each is tried if the one before has not converged.

use delassus_error::Interrupt;

use super::{ChainPlace, Method, Worth, newton, nlgs};
use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::problem::ContactProblem;
use crate::report::{SolverOptions, SolverReport, StopReason};
use crate::stretch::ConeStretch;
use crate::work::{self, Allowance};

/// Which methods are tried, in order, when each stops, and who may stop them all.
#[derive(Clone, Copy, Debug)]
pub struct ChainSettings<'a> {
    /// The methods, in order.
    pub methods: &'a [Method],
    /// When each of them stops.
    pub options: &'a SolverOptions,
    /// Asks all of them to stop.
    pub interrupt: &'a Interrupt,
}

/// Solves with one method, which may do any amount of work; none, and `p` untouched, if it does not apply to the problem.
pub fn solve_with<const D: usize>(
    method: Method,
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
) -> Option<SolverReport>
where
    Dimension<D>: LocalKernel<D>,
{
    let never = Interrupt::never();
    if let Some(stretch) = ConeStretch::of(problem) {
        return stretch.solve(problem, p, |round, p| solve_with(method, round, p, options));
    }
    method.applies(problem).then(|| method.solver().solve(problem, p, options, ChainPlace::alone(&never)))
}

/// Solves with one method that may do so much work ([`work`](crate::work)); none, and `p` untouched, if it does not apply to the problem.
pub fn solve_within_budget<const D: usize>(
    method: Method,
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    (budget, interrupt): (u64, &Interrupt),
) -> Option<SolverReport>
where
    Dimension<D>: LocalKernel<D>,
{
    if let Some(stretch) = ConeStretch::of(problem) {
        return stretch
            .solve(problem, p, |round, p| solve_within_budget(method, round, p, options, (budget, interrupt)));
    }
    let place = ChainPlace { allowance: Allowance::of(budget, interrupt), ..ChainPlace::alone(interrupt) };
    method.applies(problem).then(|| method.solver().solve(problem, p, options, place))
}

/// [`solve_chain`] without anyone who could stop it.
pub fn solve_in_order<const D: usize>(
    methods: &[Method],
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
) -> Vec<SolverReport>
where
    Dimension<D>: LocalKernel<D>,
{
    solve_chain(&ChainSettings { methods, options, interrupt: &Interrupt::never() }, problem, p)
}

/// A method that is tried.
#[derive(Clone, Copy, Debug)]
struct Turn {
    method: Method,
    /// [`ChainPlace::is_short`].
    is_short: bool,
}

/// The methods in their order, with short turns of some of them ([`ChainPlace::is_short`]) before.
fn turns(methods: &[Method], takes_short_newton: bool) -> Vec<Turn> {
    let turn = |method: Method, is_short: bool| Turn { method, is_short };
    let mut turns = Vec::with_capacity(methods.len() + 2);
    if methods.first() == Some(&Method::Nlgs) && takes_short_newton {
        turns.extend([turn(Method::Nlgs, true), turn(Method::Newton, true)]);
    }
    for (k, &method) in methods.iter().enumerate() {
        let is_first_newton = method == Method::Newton && !methods[..k].contains(&Method::Newton);
        if is_first_newton && k > 0 && methods[k..].contains(&Method::Interior) && !takes_short_newton {
            turns.push(turn(Method::Interior, true));
        }
        turns.push(turn(method, method == Method::Admm && k + 1 < methods.len()));
    }
    turns
}

/// Solves with the methods in their order until one converges, each from the best impulses so far. One report per method tried; those
/// that do not apply are passed over. `p` ends with the impulses of the lowest residual, and the last report holds for them: where a
/// method made things worse its impulses are dropped and its report carries the residual of those kept. Gauss–Seidel with another method
/// to follow ends as soon as it can be seen not to arrive, or to cost more than the other ([`nlgs::solve_or_give_up`]).
///
/// The first method is chosen and may do any amount of work. One that takes over has a [budget](crate::work::budget): it is not
/// started where its sizes alone say that it would take more ([`StopReason::TooDear`]), and ends where it does ([`StopReason::Spent`]). Sweeps have
/// their `max_iterations` alone. Some have a short turn first: where W is full, sweeps until they cannot arrive
/// with less work than a few Newton steps, and these steps; elsewhere interior points at once before Newton's method. An interrupt ends the chain; the impulses then are worth nothing.
pub fn solve_chain<const D: usize>(
    settings: &ChainSettings<'_>,
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
) -> Vec<SolverReport>
where
    Dimension<D>: LocalKernel<D>,
{
    if let Some(stretch) = ConeStretch::of(problem) {
        return stretch.solve(problem, p, |round, p| solve_chain(settings, round, p));
    }
    let ChainSettings { options, interrupt, .. } = *settings;
    let methods: Vec<Method> = settings.methods.iter().copied().filter(|m| m.applies(problem)).collect();
    let budget = |method: Method| match method {
        Method::Nlgs => u64::MAX,
        Method::Lemke => work::budget(&problem.operator, options, work::LEMKE_SHARE),
        Method::Newton | Method::Interior => work::budget(&problem.operator, options, work::NEWTON_SHARE),
        Method::Admm => work::budget(&problem.operator, options, work::ADMM_SHARE),
    };
    let is_dear = |method: Method| method.solver().expected_work(problem) > budget(method);
    let takes_short_newton =
        methods.contains(&Method::Newton) && !is_dear(Method::Newton) && newton::takes_short_turns(problem);
    let turns = turns(&methods, takes_short_newton);
    let start = p.to_vec();
    let mut reports: Vec<SolverReport> = Vec::with_capacity(turns.len());
    let mut best = p.to_vec();
    for (k, &Turn { method, is_short }) in turns.iter().enumerate() {
        let solver = method.solver();
        let next = turns[k + 1..].iter().map(|t| t.method).find(|&next| next != method && !is_dear(next));
        let place = ChainPlace {
            sweeps_done: reports.iter().filter(|r| r.solver == nlgs::NAME).map(|r| r.iterations).sum(),
            next_worth: next.map(|next| -> Worth<'_> {
                let start = &start;
                if is_short {
                    Box::new(move || newton::short_turn_in_sweeps(problem, start))
                } else {
                    Box::new(move || next.solver().worth_in_sweeps(problem))
                }
            }),
            next,
            is_short,
            allowance: if k > 0 { Allowance::of(budget(method), interrupt) } else { Allowance::unlimited(interrupt) },
        };
        let mut report = if k > 0 && is_dear(method) {
            let end = StopReason::TooDear { work: solver.expected_work(problem), budget: budget(method) };
            SolverReport { end, ..SolverReport::not_started(solver.name()) }
        } else {
            solver.solve(problem, p, options, place)
        };
        match reports.last() {
            Some(before) if report.residual.is_nan() || report.residual >= before.residual => {
                report.residual = before.residual;
                report.several_solutions = before.several_solutions;
                p.copy_from_slice(&best);
            }
            _ => best.copy_from_slice(p),
        }
        // Short sweeps and the steps of Newton's method behind them are one way to the solution.
        report.is_fallback = k > usize::from(takes_short_newton && turns[0].is_short);
        reports.push(report);
        if report.converged || report.end == StopReason::Interrupted {
            break;
        }
    }
    reports
}

#[cfg(test)]
mod tests;
