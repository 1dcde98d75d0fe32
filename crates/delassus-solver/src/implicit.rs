//! The contact problem with its laws, and the fixed-point iteration for laws that are not affine over a step.
//!
//! ```text
//! laws ← derive(·)            U, p ← solve            laws ← derive(U, p)            U, p ← solve   …
//! until every law that asked for it is satisfied by its own statement
//! ```
//!
//! Jean, Acary & Monerie 2001, §6 e ("possible without extra cost when outer Newton–Raphson loops are to be used"). Each iteration starts from
//! the impulses of the last, and if the iterations converge slowly, laws are derived from extrapolated velocities (`Leap`). Laws that follow the normal impulse
//! ([`ContactLaw::follows_push`]) are derived from p_k = p_{k−1} + ω (p − p_{k−1}), ω ≤ 1 falling with the iterations: a change that would come back r times as large,
//! r < −1, comes back 1 − ω (1 − r) times as large. W does not change.

use crate::law::{ContactInput, ContactLaw, LawEnergy, StepTimes};
use crate::linalg::{Vector, larger};
use crate::local::{Dimension, LocalKernel};
use crate::problem::{ContactProblem, Derived};
use crate::report::{SolverOptions, SolverReport};
use crate::solution::{ContactSolution, contact_solutions};
use crate::solvers::chain::{ChainSettings, solve_chain};

/// Iterations after which the laws count as not settled: the caller takes a shorter step.
const MAX_ITERATIONS: usize = 200;

/// The problem of an iteration is solved so much finer than its laws are judged: started from the last iteration it would otherwise end where it
/// starts, a little above the tolerance of the laws.
const FINER: f64 = 0.1;

/// Part ω of a change of the normal impulse that laws follow, from an iteration on: it holds r > 1 − 2/ω.
const PACES: [(usize, f64); 4] = [(100, 0.1), (50, 0.25), (12, 0.5), (0, 1.0)];

/// A contact, its law and its history.
#[derive(Clone)]
pub struct ContactUnderLaw<'a, const D: usize> {
    /// The law.
    pub law: &'a dyn ContactLaw<D>,
    /// What is known before the solve.
    pub input: ContactInput<D>,
    /// z, vectors in the local frame.
    pub history: Vec<f64>,
}

impl<const D: usize> ContactUnderLaw<'_, D> {
    /// The change of variables, from the last solution if there is one.
    pub fn derive(&self, step: &StepTimes, iterate: Option<&ContactSolution<D>>) -> Derived<D> {
        self.law.derive(&self.input, step, &self.history, iterate)
    }

    /// The error of a solution in the original variables of the law.
    pub fn violation(&self, out: &ContactSolution<D>, step: &StepTimes) -> f64 {
        self.law.violation(&self.input, out, step, &self.history)
    }

    /// The history after the step, and what the bond did.
    pub fn commit(&self, out: &ContactSolution<D>, step: &StepTimes) -> (Vec<f64>, LawEnergy<D>) {
        let mut new = self.history.clone();
        let energy = self.law.commit(&self.input, out, step, &self.history, &mut new);
        (new, energy)
    }
}

/// How contacts under their laws were settled.
#[derive(Clone, Debug)]
pub struct Settlement<const D: usize> {
    /// The solvers' reports in the last iteration.
    pub reports: Vec<SolverReport>,
    /// The solution at each contact.
    pub solutions: Vec<ContactSolution<D>>,
    /// Largest error of the laws in their original variables.
    pub violation: f64,
    /// Times that the problem was solved.
    pub iterations: usize,
}

/// Solves `problem`, whose laws were derived from `contacts` without an iterate, and derives those that are implicit again until they hold. `p`
/// is the warm start and the result; `problem.laws` end as those of the last iteration. An interrupt ends it; then the results must be
/// discarded.
pub fn solve_under_laws<const D: usize>(
    settings: &ChainSettings<'_>,
    contacts: &[ContactUnderLaw<'_, D>],
    problem: &mut ContactProblem<D>,
    p: &mut [Vector<D>],
    step: &StepTimes,
) -> Settlement<D>
where
    Dimension<D>: LocalKernel<D>,
{
    let options = settings.options;
    let mut iterations = 0;
    let mut leap = Leap::default();
    let mut pushes: Vec<Option<f64>> = vec![None; contacts.len()];
    let finer = SolverOptions { tolerance: FINER * options.tolerance, ..*options };
    let asked = if contacts.iter().any(|c| c.law.implicit()) { &finer } else { options };
    loop {
        let reports = solve_chain(&ChainSettings { options: asked, ..*settings }, problem, p);
        iterations += 1;
        let solutions = contact_solutions(problem, p);
        let judged = || contacts.iter().zip(&solutions);
        let unsettled = judged().filter(|(c, _)| c.law.implicit()).map(|(c, out)| c.violation(out, step));
        let unsettled = unsettled.fold(0.0, larger);
        let converged = reports.last().is_none_or(|r| r.converged || r.residual <= options.tolerance);
        let stopped = settings.interrupt.is_raised();
        if unsettled <= options.tolerance || iterations >= MAX_ITERATIONS || unsettled.is_nan() || !converged || stopped
        {
            let violation = judged().map(|(c, out)| c.violation(out, step)).fold(0.0, larger);
            return Settlement { reports, solutions, violation, iterations };
        }
        let mut ahead = leap.ahead(&solutions);
        let pace = PACES.iter().find(|(from, _)| iterations >= *from).map_or(1.0, |(_, pace)| *pace);
        for ((contact, out), push) in contacts.iter().zip(&mut ahead).zip(&mut pushes) {
            if contact.law.follows_push() {
                let before = push.unwrap_or(out.impulse[0]);
                out.impulse[0] = before + pace * (out.impulse[0] - before);
                *push = Some(out.impulse[0]);
            }
        }
        for ((contact, out), derived) in contacts.iter().zip(&ahead).zip(&mut problem.laws) {
            if contact.law.implicit() {
                *derived = Derived { margin: derived.margin, ..contact.derive(step, Some(out)) };
            }
        }
    }
}

/// Least and largest ratio of one change to the last from which a leap is taken: below, iterations are quick by themselves; above, there is no
/// end in sight.
const RATIOS: [f64; 2] = [0.2, 0.98];

/// How much the ratio may change from iteration to iteration where it counts as steady, as a part of 1 − ratio.
const STEADY: f64 = 0.1;

/// Extrapolation of slow iterations: when changes of the velocities shrink by a steady ratio r, the rest of their geometric series, r/(1 − r) of
/// the last change, is added to the velocities from which laws are derived (Aitken's Δ², for vectors). Where softening makes iterations slow,
/// next to a fold, r grows along the way, so that an extrapolation ends before the solution rather than beyond it. The check of solutions is the
/// same.
struct Leap<const D: usize> {
    /// Velocities of the last iteration, the change to them, and its ratio to the one before; nothing after a leap.
    last: Option<Vec<Vector<D>>>,
    change: Option<Vec<Vector<D>>>,
    ratio: Option<f64>,
}

impl<const D: usize> Default for Leap<D> {
    fn default() -> Self {
        Self { last: None, change: None, ratio: None }
    }
}

impl<const D: usize> Leap<D> {
    /// The solutions of an iteration, with velocities from which the next one starts.
    fn ahead(&mut self, solutions: &[ContactSolution<D>]) -> Vec<ContactSolution<D>> {
        let now: Vec<Vector<D>> = solutions.iter().map(|o| o.velocity).collect();
        let change: Option<Vec<_>> = self.last.as_ref().map(|last| now.iter().zip(last).map(|(a, b)| a - b).collect());
        let dot = |a: &[Vector<D>], b: &[Vector<D>]| a.iter().zip(b).map(|(x, y)| x.dot(y)).sum::<f64>();
        let ratio = match (&change, &self.change) {
            (Some(new), Some(old)) => Some(dot(new, old) / dot(old, old)),
            _ => None,
        };
        let steady =
            |r: f64, before: f64| (RATIOS[0]..RATIOS[1]).contains(&r) && (r - before).abs() <= STEADY * (1.0 - r);
        let mut out = solutions.to_vec();
        match (ratio, self.ratio, &change) {
            (Some(r), Some(before), Some(change)) if steady(r, before) => {
                for (o, c) in out.iter_mut().zip(change) {
                    o.velocity += c * (r / (1.0 - r));
                }
                *self = Self::default();
            }
            _ => *self = Self { last: Some(now), change, ratio },
        }
        out
    }
}
