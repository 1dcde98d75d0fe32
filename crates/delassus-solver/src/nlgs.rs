//! Nonlinear block Gauss–Seidel: the contacts are visited in fixed order, each solved exactly with the others frozen.
//!
//! ```text
//! for α = 1 … n:   U_loc = v_free,α + Σ_{β≠α} W_αβ p_β,   p_α ← local kernel (W_αα, U_loc, law α)
//! ```
//!
//! Jean & Moreau 1992 and Jean 1995 (the NSCD sweeps). One sweep costs one product W p. A warm start in `p` is used as it is. The sweeps
//! end on the natural-map residual of the whole problem (module `residual`, with the velocity scale
//! V_α = max(‖ṽ_free,α‖, λmax‖p̃_α‖, 1e-6 · max over contacts)); it costs a product as well, so it is looked at only when the change of
//! a sweep says that it is worth it.
//!
//! Everything is decided by ratios of velocities: the iterates do not depend on the units. No allocation and no dynamic call in a sweep.

use crate::law::{ContactOutput, Scale};
use crate::local::{Dimension, LocalKernel, Status};
use crate::problem::{ContactProblem, Vector};
use crate::report::{Options, Report};
use crate::residual::{SCALE_FLOOR, larger, natural_map, relative};
use crate::transform::Standard;

/// Name in reports and cases.
pub const NAME: &str = "nlgs";

/// The residual is computed at least every so many sweeps, even if the changes do not ask for it.
const CHECK_EVERY: usize = 50;

/// Sweeps from the warm start `p` (n entries [N·s]) until the residual is within `options.tolerance`; `p` holds the result, converged or
/// not. Data that are not finite, or sizes that do not fit, give a report with a residual of NaN or infinity.
pub fn solve<const D: usize>(problem: &ContactProblem<D>, p: &mut [Vector<D>], options: &Options) -> Report
where
    Dimension<D>: LocalKernel<D>,
{
    let mut report = Report { solver: NAME, iterations: 0, residual: f64::NAN, converged: false, several_solutions: 0 };
    if problem.check_sizes(p).is_err() {
        return report;
    }
    let contacts = standard_contacts(problem);
    let mut scratch = vec![Judged::default(); contacts.len()];
    let mut scale = judge(problem, &contacts, p, &mut scratch);
    report.residual = worst(&scratch, scale);
    let mut gate = options.tolerance;
    while report.residual.is_finite() && report.residual > options.tolerance {
        if report.iterations >= options.max_iterations {
            return report;
        }
        let sweep = sweep(problem, &contacts, p, SCALE_FLOOR * scale);
        report.iterations += 1;
        report.several_solutions = sweep.several;
        // NaN must be looked at, it ends the loop.
        let promising = sweep.change <= gate || sweep.change.is_nan();
        let last = report.iterations == options.max_iterations;
        if promising || last || report.iterations.is_multiple_of(CHECK_EVERY) {
            scale = judge(problem, &contacts, p, &mut scratch);
            report.residual = worst(&scratch, scale);
            // Both fall together: the change at which the residual will be small enough.
            let ratio = (options.tolerance / report.residual).clamp(0.1, 0.9);
            gate = if promising { sweep.change * ratio } else { gate };
        }
    }
    report.converged = report.residual <= options.tolerance;
    report
}

/// Velocity, impulse, status and scales at each contact for given impulses; empty if the sizes do not fit. The status is that of the local
/// problem with the other impulses as they are.
pub fn outputs<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> Vec<ContactOutput<D>>
where
    Dimension<D>: LocalKernel<D>,
{
    if problem.check_sizes(p).is_err() {
        return Vec::new();
    }
    let contacts = standard_contacts(problem);
    let mut scratch = vec![Judged::default(); contacts.len()];
    let scale = judge(problem, &contacts, p, &mut scratch);
    let describe = |(i, contact): (usize, &Standard<D>)| {
        let velocity = problem.v_free[i] + problem.operator.row_times(i, p);
        let v_free = contact.v_free(&contact.others(&velocity, &p[i]));
        let solution = contact.block.solve(&v_free, contact.cone, &contact.impulse(&velocity, &p[i]));
        let speed = scratch[i].scale.max(SCALE_FLOOR * scale);
        ContactOutput {
            velocity,
            impulse: p[i],
            status: solution.status,
            scale: Scale { velocity: speed, impulse: relative(speed, contact.block.largest()) },
        }
    };
    contacts.iter().enumerate().map(describe).collect()
}

/// Status of each contact for given impulses; empty if the sizes do not fit.
pub fn statuses<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> Vec<Status>
where
    Dimension<D>: LocalKernel<D>,
{
    outputs(problem, p).into_iter().map(|output| output.status).collect()
}

fn standard_contacts<const D: usize>(problem: &ContactProblem<D>) -> Vec<Standard<D>>
where
    Dimension<D>: LocalKernel<D>,
{
    problem.laws.iter().enumerate().map(|(i, law)| Standard::new(&problem.operator.diagonal(i), law)).collect()
}

/// What a sweep did.
struct Sweep {
    /// Largest change of an impulse, as a velocity relative to the contact's scale.
    change: f64,
    /// Contacts with several local solutions.
    several: usize,
}

/// One sweep over all contacts; `floor` is the least velocity scale.
fn sweep<const D: usize>(
    problem: &ContactProblem<D>,
    contacts: &[Standard<D>],
    p: &mut [Vector<D>],
    floor: f64,
) -> Sweep
where
    Dimension<D>: LocalKernel<D>,
{
    let mut done = Sweep { change: 0.0, several: 0 };
    for (i, contact) in contacts.iter().enumerate() {
        let velocity = problem.v_free[i] + problem.operator.row_times(i, p);
        let others = contact.others(&velocity, &p[i]);
        let v_free = contact.v_free(&others);
        let before = contact.impulse(&velocity, &p[i]);
        let solution = contact.block.solve(&v_free, contact.cone, &before);
        p[i] = contact.original(&others, &solution.impulse);
        let lambda = contact.block.largest();
        let scale = v_free.norm().max(lambda * solution.impulse.norm()).max(floor);
        done.change = larger(done.change, relative(lambda * (solution.impulse - before).norm(), scale));
        done.several += usize::from(solution.several);
    }
    done
}

/// Error and scale of a contact, both velocities [m/s].
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    error: f64,
    scale: f64,
}

/// Natural map of every contact for fixed impulses; returns the largest velocity scale.
fn judge<const D: usize>(
    problem: &ContactProblem<D>,
    contacts: &[Standard<D>],
    p: &[Vector<D>],
    judged: &mut [Judged],
) -> f64
where
    Dimension<D>: LocalKernel<D>,
{
    let mut largest = 0.0;
    for (i, (contact, out)) in contacts.iter().zip(judged).enumerate() {
        let velocity = problem.v_free[i] + problem.operator.row_times(i, p);
        let v_free = contact.v_free(&contact.others(&velocity, &p[i]));
        let impulse = contact.impulse(&velocity, &p[i]);
        let v = contact.block.velocity(&v_free, &impulse);
        let lambda = contact.block.largest();
        out.error = natural_map(contact.cone, lambda, &v, &impulse);
        out.scale = v_free.norm().max(lambda * impulse.norm());
        largest = larger(largest, out.scale);
    }
    largest
}

/// Largest relative error; NaN if any is.
fn worst(judged: &[Judged], largest: f64) -> f64 {
    let floor = SCALE_FLOOR * largest;
    judged.iter().fold(0.0, |e, contact| larger(e, relative(contact.error, larger(contact.scale, floor))))
}

#[cfg(test)]
mod tests;
