//! Contacts under their laws: the problem they pose, and the fixed point of laws that are not affine over a step.
//!
//! ```text
//! laws ← derive(·)            U, p ← solve            laws ← derive(U, p)            U, p ← solve   …
//! until every law that asked for it is satisfied by its own words
//! ```
//!
//! Jean, Acary & Monerie 2001, §6 e ("possible without extra cost when outer Newton–Raphson loops are to be used"). Each turn starts from
//! the impulses of the last, and where turns creep, laws are derived from velocities further ahead (`Leap`). W does not change.

use crate::law::{ContactInput, ContactLaw, LawEnergy, Step};
use crate::linalg::{Vector, larger};
use crate::local::{Dimension, LocalKernel};
use crate::problem::{ContactProblem, Derived};
use crate::report::{Options, Report};
use crate::solution::{ContactOutput, outputs};
use crate::solvers::Method;
use crate::solvers::chain::solve_in_order;

/// Turns after which the laws count as not settled: the caller takes a shorter step.
const MOST_TURNS: usize = 200;

/// The problem of a turn is solved so much finer than its laws are judged: started from the last turn it would otherwise end where it starts,
/// a little above the tolerance of the laws.
const FINER: f64 = 0.1;

/// A contact, its law and its history.
#[derive(Clone)]
pub struct Ruled<'a, const D: usize> {
    /// The law.
    pub law: &'a dyn ContactLaw<D>,
    /// What is known before the solve.
    pub input: ContactInput<D>,
    /// z, vectors in the local frame.
    pub history: Vec<f64>,
}

impl<const D: usize> Ruled<'_, D> {
    /// The change of variables, from the last solution if there is one.
    pub fn derive(&self, step: &Step, iterate: Option<&ContactOutput<D>>) -> Derived<D> {
        self.law.derive(&self.input, step, &self.history, iterate)
    }

    /// How far a solution is from the law by its own words.
    pub fn violation(&self, out: &ContactOutput<D>, step: &Step) -> f64 {
        self.law.violation(&self.input, out, step, &self.history)
    }

    /// The history after the step, and what the bond did.
    pub fn commit(&self, out: &ContactOutput<D>, step: &Step) -> (Vec<f64>, LawEnergy<D>) {
        let mut new = self.history.clone();
        let energy = self.law.commit(&self.input, out, step, &self.history, &mut new);
        (new, energy)
    }
}

/// How contacts under their laws were settled.
#[derive(Clone, Debug)]
pub struct Settlement<const D: usize> {
    /// The solvers' words in the last turn.
    pub reports: Vec<Report>,
    /// The solution at each contact.
    pub outputs: Vec<ContactOutput<D>>,
    /// Largest violation of a law by its own words.
    pub violation: f64,
    /// Times that the problem was solved.
    pub turns: usize,
}

/// Solves `problem`, whose laws were derived from `contacts` without an iterate, and derives those that are implicit again until they hold.
/// `p` is the warm start and the result; `problem.laws` end as those of the last turn.
pub fn solve_under_laws<const D: usize>(
    methods: &[Method],
    contacts: &[Ruled<'_, D>],
    problem: &mut ContactProblem<D>,
    p: &mut [Vector<D>],
    (options, step): (&Options, &Step),
) -> Settlement<D>
where
    Dimension<D>: LocalKernel<D>,
{
    let mut turns = 0;
    let mut leap = Leap::default();
    let finer = Options { tolerance: FINER * options.tolerance, ..*options };
    let asked = if contacts.iter().any(|c| c.law.implicit()) { &finer } else { options };
    loop {
        let reports = solve_in_order(methods, problem, p, asked);
        turns += 1;
        let outputs = outputs(problem, p);
        let judged = || contacts.iter().zip(&outputs);
        let unsettled = judged().filter(|(c, _)| c.law.implicit()).map(|(c, out)| c.violation(out, step));
        let unsettled = unsettled.fold(0.0, larger);
        let converged = reports.last().is_none_or(|r| r.converged || r.residual <= options.tolerance);
        if unsettled <= options.tolerance || turns >= MOST_TURNS || unsettled.is_nan() || !converged {
            let violation = judged().map(|(c, out)| c.violation(out, step)).fold(0.0, larger);
            return Settlement { reports, outputs, violation, turns };
        }
        let ahead = leap.ahead(&outputs);
        for ((contact, out), derived) in contacts.iter().zip(&ahead).zip(&mut problem.laws) {
            if contact.law.implicit() {
                *derived = Derived { margin: derived.margin, ..contact.derive(step, Some(out)) };
            }
        }
    }
}

/// Least and largest ratio of one change to the last from which a leap is taken: below, turns are quick by themselves; above, there is no end in
/// sight.
const RATIOS: [f64; 2] = [0.2, 0.98];

/// How much the ratio may change from turn to turn where it counts as steady, as a part of 1 − ratio.
const STEADY: f64 = 0.1;

/// Leaps over turns that creep: when changes of the velocities shrink by a steady ratio r, the rest of their geometric series, r/(1 − r) of the last
/// change, is added to the velocities from which laws are derived (Aitken's Δ², for vectors). Where softening makes turns slow, next to a fold, r
/// grows along the way, so that a leap falls short of the solution rather than past it. Solutions are judged as ever.
struct Leap<const D: usize> {
    /// Velocities of the last turn, the change to them, and its ratio to the one before; nothing after a leap.
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
    /// The solutions of a turn, with velocities from which the next one starts.
    fn ahead(&mut self, outputs: &[ContactOutput<D>]) -> Vec<ContactOutput<D>> {
        let now: Vec<Vector<D>> = outputs.iter().map(|o| o.velocity).collect();
        let change: Option<Vec<_>> = self.last.as_ref().map(|last| now.iter().zip(last).map(|(a, b)| a - b).collect());
        let dot = |a: &[Vector<D>], b: &[Vector<D>]| a.iter().zip(b).map(|(x, y)| x.dot(y)).sum::<f64>();
        let ratio = match (&change, &self.change) {
            (Some(new), Some(old)) => Some(dot(new, old) / dot(old, old)),
            _ => None,
        };
        let steady =
            |r: f64, before: f64| (RATIOS[0]..RATIOS[1]).contains(&r) && (r - before).abs() <= STEADY * (1.0 - r);
        let mut out = outputs.to_vec();
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
