//! Semismooth Newton made robust by proximal-point regularisation, in the plane and in space.
//!
//! ```text
//! p_{k+1} solves the contact problem with   ṽ + α Λ (p − p_k)   for ṽ,      Λ = diag λmax(W̃_αα)
//! ```
//!
//! A solution of the problem is a fixed point whatever α is, and for α > 0 each problem in between has W̃ + αΛ, which is regular where W̃ is
//! not: rigid bodies with more contacts than freedoms, contacts posed twice. Each is solved by Newton's method (module `inner`: Alart &
//! Curnier 1991); on success α is divided by ten, on failure multiplied. Rockafellar 1976 for monotone problems; Coulomb friction is none, so
//! that there is no proof, and the natural map of the problem itself decides (compared with other methods in Acary, Brémond & Huber 2018).
//!
//! Gauss–Seidel sweeps give the start. The regularisation is a law like others (B += αΛ, a −= αΛ p_k), so that all else works on an ordinary
//! [`ContactProblem`]; laws with springs are first put in their standard form (module `standard`).
//!
//! Cost: an LU for each Newton step, dense or by fronts (module `frontal`) as W is, of order D for each sticking and D − 1 for each sliding contact: two or three
//! steps for deformable bodies, mostly ten to a hundred for heaps of rigid ones. The order of the fronts is kept from step to step. Memory: W as it is, and a dense system that becomes its
//! factors, 1.2 GB for a full one at [`MAX_COMPONENTS`], or the fronts. One thread, no random numbers: the same bits for the same data.
//!
//! Not every problem is solved: where the load may move between many more contacts than freedoms at the cost of a trace of velocity (condition
//! 1e12), the residual can stay at some 1e-10, and a rock pile with friction one at 1e-4. The report says so. In a chain, module [`interior`](super::interior) takes over after
//! a few steps.

pub(super) mod frontal;
mod inner;
mod linear;
mod step;

use delassus_error::Interrupt;
use nalgebra::DVector;

use super::plain::is_plain;
use super::{ChainPlace, ChainSolver, Method};
use crate::linalg::{Matrix, Vector};
use crate::local::{Dimension, LocalKernel};
use crate::natural_map::tangential_norm;
use crate::operator::BlockMatrix;
use crate::prepared::PreparedProblem;
use crate::problem::{Cone, ContactProblem, Derived};
use crate::report::{SolverOptions, SolverReport};
use crate::solvers::nlgs;
use crate::standard::problem::StandardProblem;
use crate::work::{self, Allowance};
use frontal::FrontPattern;
use inner::InnerEffort;
use linear::LinearMemory;

/// Name in reports and cases.
pub const NAME: &str = "newton";

/// D times the number of contacts beyond which the method is not tried where W is full: a dense matrix of this order takes 1.2 GB.
pub const MAX_COMPONENTS: usize = 12_000;

/// α of a short turn, its steps at most, and how many are expected.
const SHORT_ALPHA: f64 = 1e-10;
const SHORT_MOST: usize = 8;
const SHORT_STEPS: u64 = 3;

/// Part of the bound of friction from which an impulse counts as that of a contact that slides.
const SLIDING: f64 = 1.0 - 1e-6;

/// α of a first attempt of a few steps, which is all that deformable bodies need; α after that; and its bounds.
const ATTEMPT: f64 = 1e-6;
const ATTEMPT_STEPS: usize = 5;
const FIRST: f64 = 1e-2;
const LEAST: f64 = 1e-10;
const MOST: f64 = 1e3;

/// Part of the residual that a regularised problem may leave.
const CLOSER: f64 = 0.1;

/// α, problems and steps where another method has found the statuses.
const FINISH: f64 = 1e-4;
const FINISH_PROBLEMS: usize = 8;
const FINISH_STEPS: usize = 25;

/// Regularised problems and Newton steps in all, beyond which nothing more was seen to come.
const MAX_PROBLEMS: usize = 100;
const MAX_STEPS: usize = 400;

/// The same where interior points can take over.
const STEPS_BEFORE_INTERIOR: usize = 160;

/// Problems without the residual halved that end the search where it is below so many tolerances: then it is rounding.
const PATIENCE: usize = 8;
const ROUNDING: f64 = 10.0;

/// Newton steps that most problems of deformable bodies need.
const USUAL_STEPS: u64 = 4;

/// Those of rigid ones, of whose contacts many are open.
const USUAL_SPARSE_STEPS: u64 = 5;

/// Sweeps that are not worth another method, however small the problem.
const LEAST_WORTH: usize = 300;

/// Sweeps before, and after where the residual is below this.
const START_SWEEPS: usize = 50;
const CLEANABLE: f64 = 1e-6;

/// The method in a chain.
pub(super) struct NewtonSolver;

impl<const D: usize> ChainSolver<D> for NewtonSolver
where
    Dimension<D>: LocalKernel<D>,
{
    fn name(&self) -> &'static str {
        NAME
    }

    fn applies(&self, problem: &ContactProblem<D>) -> bool {
        fits(problem)
    }

    fn worth_in_sweeps(&self, problem: &ContactProblem<D>) -> usize {
        worth_in_sweeps(problem)
    }

    fn expected_work(&self, problem: &ContactProblem<D>) -> u64 {
        let (order, n) = (D * problem.n(), problem.n().max(1) as f64);
        let is_dense = linear::is_dense(order, problem.operator.n_blocks() as f64 / (n * n));
        let softening = if problem.has_springs() { work::of_softening(order) } else { 0 };
        softening + if is_dense { work::of_dense_factor(order) } else { 0 }
    }

    fn solve(
        &self,
        problem: &ContactProblem<D>,
        p: &mut [Vector<D>],
        options: &SolverOptions,
        mut place: ChainPlace<'_>,
    ) -> SolverReport {
        let turn = match place.next {
            _ if place.is_short => NewtonTurn::Short,
            Some(Method::Interior) => NewtonTurn::Steps(STEPS_BEFORE_INTERIOR),
            _ => NewtonTurn::Steps(MAX_STEPS),
        };
        solve_within(problem, p, options, (place.sweeps_done, turn), &mut place.allowance)
    }
}

/// Is W full, and are there no springs? Then a few steps from the last impulses mostly do ([`NewtonTurn::Short`]).
pub(super) fn takes_short_turns<const D: usize>(problem: &ContactProblem<D>) -> bool {
    is_full(&problem.operator) && is_plain(problem) && fits(problem)
}

/// Is so much of W there that it is factored as a full matrix at any size?
fn is_full<const D: usize>(w: &BlockMatrix<D>) -> bool {
    linear::is_dense(usize::MAX, w.n_blocks() as f64 / (w.n().max(1) as f64).powi(2))
}

/// Number of sweeps that cost as much as a short turn from these impulses: a few factors of the contacts that press.
pub(super) fn short_turn_in_sweeps<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> usize {
    let unknowns = |(p, law): (&Vector<D>, &Derived<D>)| {
        let standard = p + law.p_shift;
        match law.cone {
            Cone::Coulomb(mu) if p.amax() > 0.0 => {
                let slides = tangential_norm(&standard) >= SLIDING * mu * standard[0];
                if slides { D - 1 } else { D }
            }
            Cone::Bilateral => D,
            _ => 0,
        }
    };
    let order = match p.iter().zip(&problem.laws).map(unknowns).sum() {
        0 => D * problem.n(),
        order => order,
    };
    let sweep = work::of_sweep(&problem.operator).max(1);
    // A matrix is put together, and a residual taken, in each step.
    let all = SHORT_STEPS * (work::of_dense_factor(order) + 3 * sweep);
    usize::try_from(all / sweep).unwrap_or(usize::MAX)
}

/// How long the method may try.
#[derive(Clone, Copy, Debug)]
enum NewtonTurn {
    /// A few steps from impulses that have their statuses but for a few: no regularisation to speak of, no help by sweeps.
    Short,
    /// So many steps, regularised as it takes.
    Steps(usize),
}

/// Is the matrix small enough if it is full? By fronts any size is.
fn fits<const D: usize>(problem: &ContactProblem<D>) -> bool {
    // The standard form of springs has other impulses than those that bound moments.
    if problem.has_springs() && problem.has_moments() {
        return false;
    }
    let n = problem.n() as f64;
    let is_dense =
        problem.has_springs() || linear::is_dense(usize::MAX, problem.operator.n_blocks() as f64 / (n * n).max(1.0));
    !is_dense || D * problem.n() <= MAX_COMPONENTS
}

/// Solves the problem by at most `options.max_iterations` Newton steps; `p` holds the best impulses seen. Converged or not is decided by
/// the natural-map residual. Data that are not finite, or sizes that do not fit, give a report with a residual of NaN or infinity; more
/// than [`MAX_COMPONENTS`] components give one with no steps.
pub fn solve<const D: usize>(problem: &ContactProblem<D>, p: &mut [Vector<D>], options: &SolverOptions) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    solve_after(problem, p, options, 0)
}

/// The same from impulses that `sweeps` sweeps have already made: only those that are missing are done before.
pub fn solve_after<const D: usize>(
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    sweeps: usize,
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    solve_within(
        problem,
        p,
        options,
        (sweeps, NewtonTurn::Steps(MAX_STEPS)),
        &mut Allowance::unlimited(&Interrupt::never()),
    )
}

fn solve_within<const D: usize>(
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    (sweeps, turn): (usize, NewtonTurn),
    allowance: &mut Allowance<'_>,
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    let (start, steps) = match turn {
        NewtonTurn::Short => (0, 0),
        NewtonTurn::Steps(steps) => (START_SWEEPS.saturating_sub(sweeps), steps),
    };
    let mut report = SolverReport::not_started(NAME);
    if problem.check_sizes(p).is_err() {
        return report;
    }
    let mut prepared = PreparedProblem::new(problem);
    report.residual = prepared.residual(p);
    if report.residual > options.tolerance && report.residual.is_finite() && fits(problem) {
        let effort = &mut ProximalEffort { options, start, steps, allowance };
        if matches!(turn, NewtonTurn::Short) {
            short(&mut prepared, p, effort, &mut report);
        } else if problem.has_springs() {
            through_standard(problem, &mut prepared, p, effort, &mut report);
        } else {
            proximal(&mut prepared, p, effort, &mut report);
        }
    }
    report.work = allowance.spent();
    report = report.conclude(options);
    if report.residual.is_finite() {
        prepared.residual(p);
        report.several_solutions = prepared.several();
    }
    report
}

/// Number of sweeps that cost as much as the method, by counting operations: a few dense factors, which run two to three times as fast as
/// sweeps do, or some more by fronts.
pub fn worth_in_sweeps<const D: usize>(problem: &ContactProblem<D>) -> usize {
    let (order, n) = (D * problem.n(), problem.n().max(1) as f64);
    let sweep = work::of_sweep(&problem.operator).max(1);
    let all = if linear::is_dense(order, problem.operator.n_blocks() as f64 / (n * n)) {
        USUAL_STEPS * work::of_dense_factor(order)
    } else {
        let pattern = FrontPattern::new(&problem.operator, &vec![true; problem.n()]);
        USUAL_SPARSE_STEPS * work::of_front_factor(pattern.work(&vec![D; problem.n()]))
    };
    usize::try_from(all / sweep).unwrap_or(usize::MAX).max(LEAST_WORTH)
}

/// When the iterations stop, and what has been done before.
struct ProximalEffort<'e, 'i> {
    options: &'e SolverOptions,
    /// Sweeps to begin with.
    start: usize,
    /// Newton steps at most.
    steps: usize,
    allowance: &'e mut Allowance<'i>,
}

/// Laws with springs: the standard form is a problem without.
fn through_standard<const D: usize>(
    problem: &ContactProblem<D>,
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    ProximalEffort { options, start, steps, allowance }: &mut ProximalEffort<'_, '_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    allowance.spend(work::of_softening(D * problem.n()));
    let Some(standard) = StandardProblem::new(problem) else { return };
    let n = p.len();
    let plain = ContactProblem {
        operator: BlockMatrix::symmetric(n, |i, j| Matrix::<D>::from_fn(|k, l| standard.w[(D * i + k, D * j + l)])),
        v_free: (0..n).map(|i| Vector::<D>::from_fn(|k, _| standard.v_free[D * i + k])).collect(),
        laws: problem.laws.iter().map(|law| Derived::standard(law.cone)).collect(),
    };
    prepared.residual(p);
    let mut x: Vec<Vector<D>> = (0..n).map(|i| *prepared.standard_impulse(i)).collect();
    let mut plain_prepared = PreparedProblem::new(&plain);
    let mut inside = SolverReport { residual: plain_prepared.residual(&x), ..*report };
    // A little closer than asked for: the way back rounds.
    let closer = SolverOptions { tolerance: 0.5 * options.tolerance, ..**options };
    let effort = &mut ProximalEffort { options: &closer, start: *start, steps: *steps, allowance };
    proximal(&mut plain_prepared, &mut x, effort, &mut inside);
    (report.iterations, report.end) = (inside.iterations, inside.end);
    let flat = DVector::from_fn(D * n, |i, _| x[i / D][i % D]);
    if let Some(candidate) = standard.original(&flat) {
        keep(prepared, p, &candidate, report);
    }
}

/// Takes a candidate if it is better; its residual.
pub(super) fn keep<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    candidate: &[Vector<D>],
    report: &mut SolverReport,
) -> f64
where
    Dimension<D>: LocalKernel<D>,
{
    let residual = prepared.residual(candidate);
    if residual < report.residual {
        report.residual = residual;
        p.copy_from_slice(candidate);
    }
    residual
}

/// The proximal iterations; `p` and the report hold the best.
fn proximal<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    ProximalEffort { options, start, steps, allowance }: &mut ProximalEffort<'_, '_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let (options, start) = (*options, *start);
    let mut candidate = p.to_vec();
    if start > 0 {
        let first = SolverOptions { max_iterations: start, ..*options };
        nlgs::sweeps(prepared, &mut candidate, &first, None, allowance);
        keep(prepared, p, &candidate, report);
        candidate.copy_from_slice(p);
    }
    let start = ProximalStart { attempt: attempt_first(prepared), alpha: FIRST, problems: MAX_PROBLEMS, steps: *steps };
    iterate(prepared, p, candidate, &start, options, allowance, report);
}

/// A few steps on a problem that is hardly regularised.
fn short<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    ProximalEffort { options, allowance, .. }: &mut ProximalEffort<'_, '_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let mut candidate = p.to_vec();
    let mut regular = regularised(prepared, p, SHORT_ALPHA);
    let effort = InnerEffort::attempt(options.max_iterations.min(SHORT_MOST));
    let mut memory = LinearMemory::default();
    let inner = inner::solve(&mut regular, &mut candidate, 0.5 * options.tolerance, &effort, &mut memory, allowance);
    report.iterations += inner.steps;
    if let Some(end) = inner.end {
        report.end = end;
    }
    allowance.spend(prepared.sweep_work);
    keep(prepared, p, &candidate, report);
}

/// How the proximal iterations begin and how long they may last.
struct ProximalStart {
    /// Is a step without much regularisation tried first?
    attempt: bool,
    /// α after that.
    alpha: f64,
    problems: usize,
    steps: usize,
}

/// Deformable bodies, whose W is full, mostly need no regularisation.
fn attempt_first<const D: usize>(prepared: &PreparedProblem<'_, D>) -> bool
where
    Dimension<D>: LocalKernel<D>,
{
    is_full(prepared.operator)
}

/// The last steps from impulses that have their statuses, for methods that find these but not the last digits.
pub(super) fn finish<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    candidate: Vec<Vector<D>>,
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let start = ProximalStart { attempt: false, alpha: FINISH, problems: FINISH_PROBLEMS, steps: FINISH_STEPS };
    prepared.residual(&candidate);
    iterate(prepared, p, candidate, &start, options, allowance, report);
}

/// The proximal iterations from `candidate`; `p` and the report hold the best.
fn iterate<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    mut candidate: Vec<Vector<D>>,
    start: &ProximalStart,
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let attempt = start.attempt;
    let mut centre = candidate.clone();
    let mut memory = LinearMemory::default();
    let (mut alpha, mut residual) = (if attempt { ATTEMPT } else { start.alpha }, prepared.residual(&candidate));
    let budget = options.max_iterations.min(report.iterations + start.steps);
    let (mut stale, mut mark) = (0, f64::INFINITY);
    for number in 0..start.problems {
        if report.residual <= options.tolerance || report.iterations >= budget || alpha > MOST {
            break;
        }
        if let Some(end) = allowance.end() {
            report.end = end;
            break;
        }
        (mark, stale) = if report.residual < 0.5 * mark { (report.residual, 0) } else { (mark, stale + 1) };
        if stale > PATIENCE && report.residual <= ROUNDING * options.tolerance {
            break;
        }
        let mut regular = regularised(prepared, &centre, alpha);
        // The problem in between need not be solved better than this one wants.
        let wanted = (CLOSER * residual).max(0.1 * options.tolerance);
        let left = budget - report.iterations;
        let effort = if number == 0 && attempt {
            InnerEffort::attempt(left.min(ATTEMPT_STEPS))
        } else {
            InnerEffort::full(left)
        };
        let inner = inner::solve(&mut regular, &mut candidate, wanted, &effort, &mut memory, allowance);
        report.iterations += inner.steps;
        allowance.spend(prepared.sweep_work);
        if inner.converged {
            residual = keep(prepared, p, &candidate, report);
            if residual <= CLEANABLE && number > 0 {
                clean(prepared, p, candidate.clone(), options, allowance, report);
            }
            centre.copy_from_slice(&candidate);
            alpha = (alpha * 0.1).max(LEAST);
        } else {
            keep(prepared, p, &candidate, report);
            candidate.copy_from_slice(&centre);
            alpha = if number == 0 && attempt { start.alpha } else { alpha * 10.0 };
        }
        if let Some(end) = inner.end {
            report.end = end;
            break;
        }
    }
}

/// Sweeps from a candidate that is good but for rounding at contacts at rest beside fast ones. Each is judged: at that level the residual
/// goes up and down.
fn clean<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    mut candidate: Vec<Vector<D>>,
    options: &SolverOptions,
    allowance: &mut Allowance<'_>,
    report: &mut SolverReport,
) where
    Dimension<D>: LocalKernel<D>,
{
    let one = SolverOptions { max_iterations: 1, ..*options };
    for _ in 0..START_SWEEPS {
        if report.residual <= options.tolerance || allowance.end().is_some() {
            break;
        }
        let residual = nlgs::sweeps(prepared, &mut candidate, &one, None, allowance).residual;
        if residual < report.residual {
            report.residual = residual;
            p.copy_from_slice(&candidate);
        }
    }
}

/// The problem about `centre`: B += αΛ, a −= αΛ p_k. W itself is shared.
fn regularised<'a, const D: usize>(
    prepared: &PreparedProblem<'a, D>,
    centre: &[Vector<D>],
    alpha: f64,
) -> PreparedProblem<'a, D>
where
    Dimension<D>: LocalKernel<D>,
{
    let mut laws = prepared.laws.to_vec();
    for ((law, contact), centre) in laws.iter_mut().zip(&prepared.contacts).zip(centre) {
        let shift = alpha * contact.block.largest();
        law.w_shift.add_scalar_mut(shift);
        law.v_shift -= centre * shift;
    }
    PreparedProblem::with_laws(prepared.operator, prepared.v_free, laws.into())
}

#[cfg(test)]
mod tests;
