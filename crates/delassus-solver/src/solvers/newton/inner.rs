//! Semismooth Newton on Alart & Curnier's map for one regularised problem: steps (module `step`) and how far to go along them.
//!
//! The step is halved until the sum of squares of the natural map falls below the worst of the last steps (Grippo, Lampariello & Lucidi
//! 1986); where no part of it does, sweeps of Gauss–Seidel, which the regularisation makes contracting, move on to where Newton's method
//! works.

use super::linear::LinearMemory;
use super::step;
use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::prepared::PreparedProblem;
use crate::report::{SolverOptions, StopReason};
use crate::solvers::nlgs;
use crate::work::Allowance;

/// Halvings of a step.
const HALVINGS: usize = 7;

/// Part of the merit that a step must take off, times its length.
const DESCENT: f64 = 1e-4;

/// Residual at the start below which contacts are weighed by their own scale in the merit, not by their energy.
const FINE: f64 = 1e-6;

/// Merits of the last steps, the worst of which a step must better: a change of statuses may have to go uphill first.
const MERITS_KEPT: usize = 6;

/// Least and largest number of sweeps where a step fails, how often they may help, and how many Newton steps one problem gets.
const SWEEPS: [usize; 2] = [30, 500];
const MAX_RESCUES: usize = 3;
const MAX_STEPS: usize = 30;

/// How much an inner solve may do.
pub(super) struct InnerEffort {
    steps: usize,
    rescues: usize,
}

impl InnerEffort {
    /// Newton steps only.
    pub(super) fn attempt(steps: usize) -> Self {
        Self { steps, rescues: 0 }
    }

    /// All that can help, within so many steps.
    pub(super) fn full(steps: usize) -> Self {
        Self { steps: steps.min(MAX_STEPS), rescues: MAX_RESCUES }
    }
}

/// What an inner solve did.
pub(super) struct InnerReport {
    pub(super) steps: usize,
    pub(super) converged: bool,
    /// Why no more may be done, if that is what ended it.
    pub(super) end: Option<StopReason>,
}

/// Solves a problem without springs from `p` within `effort` and the work allowed.
pub(super) fn solve<const D: usize>(
    prepared: &mut PreparedProblem<'_, D>,
    p: &mut [Vector<D>],
    tolerance: f64,
    effort: &InnerEffort,
    memory: &mut LinearMemory,
    allowance: &mut Allowance<'_>,
) -> InnerReport
where
    Dimension<D>: LocalKernel<D>,
{
    let mut residual = prepared.residual(p);
    let measure = if residual <= FINE { PreparedProblem::fine_merit } else { PreparedProblem::merit };
    let (mut done, mut rescues) = (InnerReport { steps: 0, converged: false, end: None }, 0);
    let mut trial = p.to_vec();
    let mut merits = vec![measure(prepared)];
    while residual > tolerance && done.steps < effort.steps {
        let step = match step::newton(prepared, p, memory, allowance) {
            Ok(step) => step,
            Err(end) => {
                done.end = Some(end);
                break;
            }
        };
        done.steps += 1;
        let mut length = 1.0;
        let mut accepted = false;
        for _ in 0..HALVINGS {
            let Some(step) = &step else { break };
            for ((new, old), change) in trial.iter_mut().zip(p.iter()).zip(step) {
                *new = old + change * length;
            }
            let (e, m) = (prepared.residual(&trial), measure(prepared));
            allowance.spend(prepared.sweep_work);
            let worst = merits.iter().rev().take(MERITS_KEPT).copied().fold(0.0, f64::max);
            if e <= tolerance || m < (1.0 - DESCENT * length) * worst {
                (residual, accepted) = (e, true);
                merits.push(m);
                p.copy_from_slice(&trial);
                break;
            }
            length *= 0.5;
        }
        if !accepted {
            if rescues == effort.rescues {
                break;
            }
            rescues += 1;
            let sweeps = sweeps_for_a_factor(memory, prepared.sweep_work);
            let rescue = SolverOptions { tolerance, max_iterations: sweeps };
            residual = nlgs::sweeps(prepared, p, &rescue, None, allowance).residual;
            merits = vec![measure(prepared)];
        }
    }
    done.converged = residual <= tolerance;
    done
}

/// Sweeps that cost as much as the last factor.
fn sweeps_for_a_factor(memory: &LinearMemory, sweep_work: u64) -> usize {
    let sweeps = memory.factor_work / sweep_work.max(1);
    usize::try_from(sweeps).unwrap_or(usize::MAX).clamp(SWEEPS[0], SWEEPS[1])
}
