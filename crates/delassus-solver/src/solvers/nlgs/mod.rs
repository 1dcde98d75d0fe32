//! Nonlinear block Gauss–Seidel: the contacts are visited in fixed order, each solved exactly with the others frozen.
//!
//! ```text
//! for α = 1 … n:   U_loc = v_free,α + Σ_{β≠α} W_αβ p_β,   p_α ← local kernel (W_αα, U_loc, law α)
//! ```
//!
//! Jean & Moreau 1992 and Jean 1995 (the NSCD sweeps). One sweep costs one product W p. A warm start in `p` is used as it is. The sweeps end on
//! the natural-map residual of the whole problem (module `prepared`, with the velocity scale V_α = max(‖ṽ_free,α‖, λmax‖p̃_α‖, λmax‖p_α‖, 1e-6 ·
//! max over contacts)); it costs a product as well, so it is computed only when the change of a sweep is small enough.
//!
//! Everything is decided by ratios of velocities: the iterates do not depend on the units. No allocation and no dynamic call in a sweep.
//!
//! One thread. Contacts of one colour (no two of them coupled) could be visited in parallel with the same bits, but the contacts of a deformable
//! body are all coupled, so that each colour has hardly a contact. What it would save for heaps of rigid bodies is in `docs/performance.md`.

use std::cell::LazyCell;

use delassus_error::Interrupt;
use delassus_math as math;

use super::{ChainPlace, ChainSolver, Worth};
use crate::linalg::{Vector, larger, relative};
use crate::local::{Dimension, LocalKernel};
use crate::operator::{Couples, Coupling, Products};
use crate::prepared::PreparedProblem;
use crate::problem::ContactProblem;
use crate::report::{SolverOptions, SolverReport, StopReason};
use crate::work::Allowance;

/// Name in reports and cases.
pub const NAME: &str = "nlgs";

/// The residual is computed at least every so many sweeps, even if the changes do not ask for it.
const CHECK_EVERY: usize = 50;

/// Where another method may take over.
const USUAL: OutlookPace = OutlookPace { every: 10, span: 2, patience: 3 };

/// The same where the other one is Newton's method on a full W, which mostly arrives: then it is enough to see once that it is cheaper.
const SHORT: OutlookPace = OutlookPace { every: 4, span: 1, patience: 1 };

/// Contacts of a sweep between two looks at the interrupt: a full row of W that fills a large memory takes a tenth of a millisecond.
const HEAR_EVERY: usize = 1024;

/// The method in a chain.
pub(super) struct NlgsSolver;

impl<const D: usize> ChainSolver<D> for NlgsSolver
where
    Dimension<D>: LocalKernel<D>,
{
    fn name(&self) -> &'static str {
        NAME
    }

    fn solve(
        &self,
        problem: &ContactProblem<D>,
        p: &mut [Vector<D>],
        options: &SolverOptions,
        mut place: ChainPlace<'_>,
    ) -> SolverReport {
        let pace = if place.is_short { SHORT } else { USUAL };
        run(problem, p, options, place.next_worth.map(|worth| Outlook::new(worth, pace)), &mut place.allowance)
    }
}

/// Sweeps from the warm start `p` (n entries [N·s]) until the residual is within `options.tolerance`; `p` holds the result, converged or
/// not. Data that are not finite, or sizes that do not fit, give a report with a residual of NaN or infinity.
pub fn solve<const D: usize>(problem: &ContactProblem<D>, p: &mut [Vector<D>], options: &SolverOptions) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    run(problem, p, options, None, &mut Allowance::unlimited(&Interrupt::never()))
}

/// The same sweeps, ended early when they had better be: for a caller who has another method, which costs as much as `worth`
/// sweeps (`usize::MAX`: not known). The rate of the last twenty sweeps (later a hundred) is carried on to the tolerance; if that takes more than `worth` sweeps, or
/// more than are left of `options.max_iterations`, three times in a row, the sweeps end. They never do before the fiftieth.
pub fn solve_or_give_up<const D: usize>(
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    worth: usize,
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    run(
        problem,
        p,
        options,
        Some(Outlook::new(Box::new(move || worth), USUAL)),
        &mut Allowance::unlimited(&Interrupt::never()),
    )
}

fn run<const D: usize>(
    problem: &ContactProblem<D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    outlook: Option<Outlook<'_>>,
    allowance: &mut Allowance<'_>,
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    if problem.check_sizes(p).is_err() {
        return SolverReport::not_started(NAME);
    }
    sweeps(&mut PreparedProblem::new(problem), p, options, outlook, allowance)
}

/// The sweeps, on a problem that is prepared already and whose sizes fit.
pub(crate) fn sweeps<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    options: &SolverOptions,
    mut outlook: Option<Outlook<'_>>,
    allowance: &mut Allowance<'_>,
) -> SolverReport
where
    Dimension<D>: LocalKernel<D>,
{
    let mut report = SolverReport::not_started(NAME);
    let before = allowance.spent();
    report.residual = prepared.residual(p);
    allowance.spend(prepared.sweep_work);
    let mut gate = options.tolerance;
    let every = outlook.as_ref().map_or(CHECK_EVERY, |o| o.pace.every);
    while report.residual.is_finite() && report.residual > options.tolerance {
        if report.iterations >= options.max_iterations {
            break;
        }
        if let Some(end) = allowance.end() {
            report.end = end;
            break;
        }
        let sweep = sweep(prepared, allowance.interrupt());
        allowance.spend(prepared.sweep_work);
        report.iterations += 1;
        report.several_solutions = sweep.several;
        // NaN must be looked at, it ends the loop.
        let promising = sweep.change <= gate || sweep.change.is_nan();
        let last = report.iterations == options.max_iterations;
        let early = report.iterations < CHECK_EVERY && report.iterations.is_multiple_of(every);
        let regular = report.iterations.is_multiple_of(CHECK_EVERY)
            || early && outlook.as_ref().is_some_and(|o| *o.worth < usize::MAX);
        if promising || last || regular {
            report.residual = prepared.residual_after_sweep();
            allowance.spend(prepared.sweep_work);
            // Both fall together: the change at which the residual will be small enough.
            let ratio = (options.tolerance / report.residual).clamp(0.1, 0.9);
            gate = if promising { sweep.change * ratio } else { gate };
        }
        if let Some(sweeps) = outlook.as_mut().filter(|_| regular).and_then(|o| o.hopeless(&report, options)) {
            report.end = StopReason::Slow { more: sweeps };
            break;
        }
    }
    if report.iterations > 0 {
        for (i, p) in p.iter_mut().enumerate() {
            *p = prepared.products.x.get(i);
        }
    }
    report.work = allowance.spent() - before;
    report.conclude(options)
}

/// When sweeps end for another method.
#[derive(Clone, Copy, Debug)]
struct OutlookPace {
    /// Sweeps between two looks at the residual up to the first regular check.
    every: usize,
    /// Looks over which the speed of convergence is measured.
    span: usize,
    /// Poor outlooks in a row that end the sweeps.
    patience: usize,
}

/// Residuals at the regular checks, and how often in a row they promised nothing.
pub(crate) struct Outlook<'a> {
    pace: OutlookPace,
    /// Sweeps for which the next method could be had.
    worth: LazyCell<usize, Worth<'a>>,
    /// Sweeps done, and the residual.
    looks: Vec<(usize, f64)>,
    poor: usize,
}

impl<'a> Outlook<'a> {
    fn new(worth: Worth<'a>, pace: OutlookPace) -> Self {
        Self { pace, worth: LazyCell::new(worth), looks: Vec::new(), poor: 0 }
    }

    /// Takes note of a regular check; the sweeps that would still be needed, if it is time to end them.
    fn hopeless(&mut self, report: &SolverReport, options: &SolverOptions) -> Option<usize> {
        self.looks.push((report.iterations, report.residual));
        let &(then, before) = self.looks.iter().nth_back(self.pace.span)?;
        // Decades per sweep; not above zero if the residual does not fall.
        let speed = math::log10(before / report.residual) / (report.iterations - then) as f64;
        let wanted = math::log10(report.residual / options.tolerance);
        let more = if speed > 0.0 { wanted / speed } else { f64::INFINITY };
        let left = options.max_iterations.saturating_sub(report.iterations).min(*self.worth);
        self.poor = if more > left as f64 { self.poor + 1 } else { 0 };
        // Beyond the numbers a person cares for: it does not arrive.
        (self.poor >= self.pace.patience).then(|| more.min(1e9) as usize)
    }
}

/// What a sweep did.
struct Sweep {
    /// Largest change of an impulse, as a velocity relative to the contact's scale.
    change: f64,
    /// Contacts with several local solutions.
    several: usize,
}

/// One sweep over all contacts, of the impulses that the prepared problem holds; an interrupt ends it early, and its result is then not used.
fn sweep<const D: usize>(prepared: &mut PreparedProblem<'_, D>, interrupt: &Interrupt) -> Sweep
where
    Dimension<D>: LocalKernel<D>,
{
    match prepared.operator.coupling() {
        Coupling::Half(half) => sweep_with(half, prepared, interrupt),
        Coupling::Rows(rows) => sweep_with(rows, prepared, interrupt),
    }
}

#[inline(always)]
fn sweep_with<const D: usize>(
    coupling: &impl Couples<D>,
    prepared: &mut PreparedProblem<'_, D>,
    interrupt: &Interrupt,
) -> Sweep
where
    Dimension<D>: LocalKernel<D>,
{
    let floor = prepared.floor() * prepared.floor();
    let Products { x, above, .. } = &mut prepared.products;
    // Squares of changes, relative to those of the scales: one root for the whole sweep.
    let mut done = Sweep { change: 0.0, several: 0 };
    for (i, (contact, v_free)) in prepared.contacts.iter().zip(prepared.v_free).enumerate() {
        if i % HEAR_EVERY == HEAR_EVERY - 1 && interrupt.is_raised() {
            break;
        }
        let others = v_free + coupling.below(i, x) + above.get::<D>(i);
        let before = contact.impulse(&others, &x.get(i));
        let v_free = contact.v_free(&others, &before);
        let cone = contact.cone.under(|of| x.get::<D>(of)[0]);
        let solution = contact.block.solve(&v_free, cone, &before);
        let p = contact.original(&others, &solution.impulse);
        x.set(i, &p);
        above.set(i, &Vector::<D>::zeros());
        coupling.pass_on(i, &p, above);
        let lambda = contact.block.largest() * contact.block.largest();
        // The change only says when to look at the residual: the wider of the margins will do.
        let least = contact.least.max(contact.least_along.unwrap_or(0.0));
        let floor = floor.max(least * least);
        let push = solution.impulse.norm_squared().max(p.norm_squared());
        let scale = v_free.norm_squared().max(lambda * push).max(floor);
        let change = lambda * (solution.impulse - before).norm_squared();
        done.change = larger(done.change, relative(change, scale));
        done.several += usize::from(solution.several);
    }
    done.change = done.change.sqrt();
    done
}

#[cfg(test)]
mod tests;
