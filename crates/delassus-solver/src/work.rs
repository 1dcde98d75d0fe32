//! Work of solvers, counted in operations instead of time, and the budgets of the fallback solvers.
//!
//! ```text
//! unit            a multiplication with its addition, as fast as in a sweep
//! sweep           D² for each block of W, 150 for each local kernel; a residual counts as a sweep, for it is a product W p as well
//! pivot (Lemke)   order², times 2: each reads and writes the whole tableau
//! factor          order³/3, times 2/5, if dense; the multiplications of its fronts, if sparse
//! ```
//!
//! The numbers come from sizes and patterns alone, never from a clock: a budget ends a solver at the same place on every machine, with any
//! number of threads. The weights 2 and 2/5 are how long such a multiplication takes compared with one of a sweep, from 100 to 2000 contacts.
//!
//! # Budget of a fallback
//! A fallback solver replaces sweeps: those that the case allows (`max_iterations`, or the usual 5000 if that is more). It may do
//! [`LEMKE_SHARE`] or [`NEWTON_SHARE`] times their work. Then a problem with all its fallbacks costs a few times what the sweeps alone might
//! have cost, whatever happens, and never the cube of its size: that of Lemke's method grows with n³, that of sweeps over bodies with a few
//! neighbours with n. Small problems have [`FLOOR`]: there the exact methods cost next to nothing.

use delassus_error::Interrupt;

use crate::operator::BlockMatrix;
use crate::report::{SolverOptions, StopReason};

/// A local kernel, as multiplications.
const KERNEL: u64 = 150;

/// Work of Lemke's method over that of the sweeps which it replaces: cut on the way, it leaves nothing.
pub const LEMKE_SHARE: u64 = 4;

/// The same of Newton's method: where sweeps do not arrive at all it mostly does, and what it has done is kept. Large heaps need eight.
pub const NEWTON_SHARE: u64 = 12;

/// The same of alternating directions: where they arrive they do so soon.
pub const ADMM_SHARE: u64 = 1;

/// What any fallback may do, about a tenth of a second: plane problems of 200 contacts are always solved by pivoting.
pub const FLOOR: u64 = 200_000_000;

/// Work of one sweep.
pub fn of_sweep<const D: usize>(operator: &BlockMatrix<D>) -> u64 {
    (D * D * operator.n_blocks()) as u64 + KERNEL * operator.n() as u64
}

/// Work of one pivot on a tableau.
pub(crate) fn of_pivot(order: usize) -> u64 {
    2 * (order as u64).pow(2)
}

/// Work of a dense factor.
pub(crate) fn of_dense_factor(order: usize) -> u64 {
    (order as u64).pow(3) * 2 / 15
}

/// Work of a factor by fronts, given its multiplications.
pub(crate) fn of_front_factor(multiplications: u64) -> u64 {
    multiplications
}

/// Work of eliminating the springs of all contacts, of so many components: a factor, and a right-hand side for each of them.
pub(crate) fn of_softening(components: usize) -> u64 {
    4 * of_dense_factor(components)
}

/// What a method that takes over may do: `share` times the work of all sweeps.
pub fn budget<const D: usize>(operator: &BlockMatrix<D>, options: &SolverOptions, share: u64) -> u64 {
    let sweeps = options.max_iterations.max(SolverOptions::default().max_iterations) as u64;
    share.saturating_mul(sweeps).saturating_mul(of_sweep(operator)).max(FLOOR)
}

/// What a solver may still do, what it has done, and whether anyone wants it to stop.
#[derive(Debug)]
pub(crate) struct Allowance<'a> {
    most: u64,
    spent: u64,
    interrupt: &'a Interrupt,
}

impl<'a> Allowance<'a> {
    /// Any amount of work.
    pub(crate) fn unlimited(interrupt: &'a Interrupt) -> Self {
        Self::of(u64::MAX, interrupt)
    }

    /// So much work.
    pub(crate) fn of(most: u64, interrupt: &'a Interrupt) -> Self {
        Self { most, spent: 0, interrupt }
    }

    pub(crate) fn spend(&mut self, work: u64) {
        self.spent = self.spent.saturating_add(work);
    }

    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    pub(crate) fn interrupt(&self) -> &'a Interrupt {
        self.interrupt
    }

    /// Is there room for so much more?
    pub(crate) fn affords(&self, work: u64) -> bool {
        work <= self.most - self.most.min(self.spent)
    }

    /// Why no more may be done, if so.
    pub(crate) fn end(&self) -> Option<StopReason> {
        if self.interrupt.is_raised() {
            return Some(StopReason::Interrupted);
        }
        (self.spent >= self.most).then_some(StopReason::Spent { budget: self.most })
    }

    /// Why an amount of work cannot be begun, if so.
    pub(crate) fn end_before(&self, work: u64) -> Option<StopReason> {
        self.end().or_else(|| (!self.affords(work)).then_some(StopReason::Spent { budget: self.most }))
    }
}
