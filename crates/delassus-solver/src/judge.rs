//! The natural-map residual of a whole problem: the number by which every solver here decides that it is done.
//!
//! ```text
//! residual = max_α e_α,   e_α = natural map of contact α / V_α,   V_α = max(‖ṽ_free,α‖, λmax‖p̃_α‖, 1e-6 · max over contacts)
//! ```
//!
//! ṽ_free,α is the velocity that the other contacts leave at α. One evaluation costs a product W p and allocates nothing.

use crate::local::{Dimension, LocalKernel};
use crate::problem::{ContactProblem, Vector};
use crate::residual::{SCALE_FLOOR, larger, natural_map, relative};
use crate::transform::Standard;

/// A problem with its contacts prepared in their standard variables.
pub(crate) struct Judge<'a, const D: usize>
where
    Dimension<D>: LocalKernel<D>,
{
    pub(crate) problem: &'a ContactProblem<D>,
    pub(crate) contacts: Vec<Standard<D>>,
    judged: Vec<Judged>,
    largest: f64,
}

/// Error and scale of a contact, both velocities [m/s].
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    error: f64,
    scale: f64,
}

impl<'a, const D: usize> Judge<'a, D>
where
    Dimension<D>: LocalKernel<D>,
{
    /// Prepares a problem whose sizes fit.
    pub(crate) fn new(problem: &'a ContactProblem<D>) -> Self {
        let prepare = |(i, law)| Standard::new(&problem.operator.diagonal(i), law);
        let contacts: Vec<Standard<D>> = problem.laws.iter().enumerate().map(prepare).collect();
        Self { problem, judged: vec![Judged::default(); contacts.len()], contacts, largest: 0.0 }
    }

    /// Largest relative error of the impulses `p`; NaN if any is.
    pub(crate) fn residual(&mut self, p: &[Vector<D>]) -> f64 {
        self.largest = 0.0;
        for (i, (contact, out)) in self.contacts.iter().zip(&mut self.judged).enumerate() {
            let velocity = self.problem.v_free[i] + self.problem.operator.row_times(i, p);
            let v_free = contact.v_free(&contact.others(&velocity, &p[i]));
            let impulse = contact.impulse(&velocity, &p[i]);
            let v = contact.block.velocity(&v_free, &impulse);
            let lambda = contact.block.largest();
            out.error = natural_map(contact.cone, lambda, &v, &impulse);
            out.scale = v_free.norm().max(lambda * impulse.norm());
            self.largest = larger(self.largest, out.scale);
        }
        let floor = self.floor();
        self.judged.iter().fold(0.0, |e, contact| larger(e, relative(contact.error, larger(contact.scale, floor))))
    }

    /// Least velocity scale, by the impulses last judged [m/s].
    pub(crate) fn floor(&self) -> f64 {
        SCALE_FLOOR * self.largest
    }

    /// V_α by the impulses last judged [m/s].
    pub(crate) fn scale(&self, contact: usize) -> f64 {
        self.judged[contact].scale.max(self.floor())
    }

    /// Σ error²/λmax of the impulses last judged \[J\]: what a line search brings down. Contacts without mobility are not in it.
    pub(crate) fn merit(&self) -> f64 {
        let energy = |(contact, judged): (&Standard<D>, &Judged)| match contact.block.largest() {
            lambda if lambda > 0.0 => judged.error * judged.error / lambda,
            _ => 0.0,
        };
        self.contacts.iter().zip(&self.judged).map(energy).sum()
    }

    /// Σ e_α² of the impulses last judged: the same near a solution, where the small contacts count as well.
    pub(crate) fn fine_merit(&self) -> f64 {
        let floor = self.floor();
        self.judged.iter().map(|contact| relative(contact.error, larger(contact.scale, floor)).powi(2)).sum()
    }

    /// Number of contacts whose local problem, the others' impulses being as they are, has several solutions.
    pub(crate) fn several(&self, p: &[Vector<D>]) -> usize {
        let several = |(i, contact): (usize, &Standard<D>)| {
            let velocity = self.problem.v_free[i] + self.problem.operator.row_times(i, p);
            let v_free = contact.v_free(&contact.others(&velocity, &p[i]));
            contact.block.solve(&v_free, contact.cone, &contact.impulse(&velocity, &p[i])).several
        };
        self.contacts.iter().enumerate().filter(|&c| several(c)).count()
    }
}
