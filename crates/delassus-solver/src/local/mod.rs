//! Local kernels: one contact alone, in the standard variables.
//!
//! ```text
//! v = v_free + W p,   0 ≤ v_N ⟂ p_N ≥ 0,   ‖p_T‖ ≤ μ p_N,   v_T ≠ 0 ⇒ p_T = −μ p_N v_T/‖v_T‖
//! ```
//!
//! The problem of Jean, Acary & Monerie 2001, §9, and Jean 1995 ("Signorini, μ-Coulomb, standard"). Open and bilateral contacts are the
//! same in every dimension; Coulomb's cone is what a [`LocalKernel`] adds for one dimension: one file here and its `mod` line.
//!
//! A block made singular by prescribed degrees of freedom gets the proximal shift α = 1e-12·tr(W)/D about the last iterate,
//!
//! ```text
//! v = (v_free − α p_last) + (W + αI) p
//! ```
//!
//! which leaves a solution p = p_last where it was. No impulse acts at a contact without normal mobility: if its gap closes there, the
//! problem has no solution, the residual says so and [`crate::ContactProblem::validate`] names the contact.

mod three;
mod two;
mod within;

use serde::{Deserialize, Serialize};

use crate::linalg::{Matrix, Vector};
use crate::problem::{Cone, ContactProblem, IMMOBILE};

/// Shift of a singular block relative to its mean eigenvalue.
const SHIFT: f64 = 1e-12;

/// The dimension D as a type. Each crate implements on it what differs between the plane and space (here [`LocalKernel`]).
pub use nalgebra::Const as Dimension;

/// Status of a contact in a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    /// No impulse, gap open or opening.
    Open,
    /// Closed, no sliding, impulse inside the cone or on its edge.
    Stick,
    /// Closed and sliding, impulse on the edge of the cone.
    Slip,
    /// Held in all directions by a bond.
    Bonded,
}

impl Status {
    /// Number in output files: 0 open, 1 stick, 2 slip, 3 bonded.
    pub fn code(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Stick => 1,
            Self::Slip => 2,
            Self::Bonded => 3,
        }
    }
}

/// Solution of a local problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalSolution<const D: usize> {
    /// p [N·s].
    pub impulse: Vector<D>,
    /// What the contact does.
    pub status: Status,
    /// Whether the problem has other solutions; the first in the order open, stick, slip is the one given.
    pub several: bool,
}

impl<const D: usize> LocalSolution<D> {
    pub(crate) fn unique(impulse: Vector<D>, status: Status) -> Self {
        Self { impulse, status, several: false }
    }
}

/// What differs between dimensions: the linear algebra of a block, Coulomb's problem, and whether its cone is a polyhedron.
pub trait LocalKernel<const D: usize> {
    /// Data of a block for Coulomb's problem, computed once for all sweeps.
    type Prepared: Copy + std::fmt::Debug + PartialEq;

    /// Prepares a block W̃ + αI.
    fn prepare(shifted: &Matrix<D>) -> Self::Prepared;

    /// Lowest and largest eigenvalue of a symmetric block.
    fn extreme_eigenvalues(w: &Matrix<D>) -> (f64, f64);

    /// x of w x = b for a positive definite block, backward stable: the residual is a few roundings of ‖w‖‖x‖.
    fn solve(w: &Matrix<D>, b: &Vector<D>) -> Vector<D>;

    /// Solution of the standard problem with Coulomb's cone. `block` has normal mobility; `last` is the previous iterate, about
    /// which a singular block is shifted.
    fn coulomb(block: &LocalBlock<D>, v_free: &Vector<D>, mu: f64, last: &Vector<D>) -> LocalSolution<D>
    where
        Dimension<D>: LocalKernel<D>;

    /// A problem and its impulses as those of the plane, for methods that need a cone which is a polyhedron; none in other dimensions.
    fn in_plane<'a>(problem: &'a ContactProblem<D>, p: &'a mut [Vector<D>]) -> Option<PlaneProblem<'a>> {
        let _ = (problem, p);
        None
    }
}

/// A whole problem of the plane and its impulses.
pub struct PlaneProblem<'a> {
    /// The problem.
    pub problem: &'a ContactProblem<2>,
    /// Its impulses [N·s].
    pub p: &'a mut [Vector<2>],
}

/// A diagonal block prepared once for all sweeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalBlock<const D: usize>
where
    Dimension<D>: LocalKernel<D>,
{
    /// W̃ as given [1/kg].
    w: Matrix<D>,
    /// α, non-zero only for a singular block [1/kg].
    shift: f64,
    /// λmax(W̃) [1/kg], never below zero.
    largest: f64,
    prepared: <Dimension<D> as LocalKernel<D>>::Prepared,
}

impl<const D: usize> LocalBlock<D>
where
    Dimension<D>: LocalKernel<D>,
{
    /// Prepares a symmetric positive semi-definite block.
    pub fn new(w: &Matrix<D>) -> Self {
        let (lowest, largest) = Dimension::<D>::extreme_eigenvalues(w);
        let least = SHIFT * w.trace() / D as f64;
        let shift = if lowest < least { least } else { 0.0 };
        Self {
            w: *w,
            shift,
            largest: if largest < 0.0 { 0.0 } else { largest },
            prepared: Dimension::<D>::prepare(&(w + Matrix::<D>::identity() * shift)),
        }
    }

    /// λmax(W̃) [1/kg].
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// v = v_free + W̃ p, without the shift.
    #[inline]
    pub fn velocity(&self, v_free: &Vector<D>, p: &Vector<D>) -> Vector<D> {
        v_free + self.w * p
    }

    /// Whether prescribed degrees of freedom made the block singular.
    pub fn is_singular(&self) -> bool {
        self.shift > 0.0
    }

    /// W̃ + αI.
    fn shifted(&self) -> Matrix<D> {
        self.w + Matrix::<D>::identity() * self.shift
    }

    /// v_free − α p_last.
    fn shifted_free(&self, v_free: &Vector<D>, last: &Vector<D>) -> Vector<D> {
        v_free - last * self.shift
    }

    /// Whether the shift carried a part of the velocity that no impulse can: then `p` only looks like a solution. A true one moves
    /// from `last` by an amount of order v/λ, so that α‖p − last‖ is 1e-12 of the velocities.
    fn leans_on_shift(&self, v_free: &Vector<D>, p: &Vector<D>, last: &Vector<D>) -> bool {
        let scale = v_free.norm().max(self.largest * last.norm());
        self.is_singular() && self.shift * (p - last).norm() > 1e-6 * scale
    }

    /// Solution of the local problem with any cone. `last` is the previous p̃ of this contact.
    #[inline(always)]
    pub fn solve(&self, v_free: &Vector<D>, cone: Cone, last: &Vector<D>) -> LocalSolution<D> {
        let zero = Vector::<D>::zeros();
        match cone {
            Cone::Open => LocalSolution::unique(zero, Status::Open),
            Cone::Bilateral if self.largest > 0.0 => {
                let p = -Dimension::<D>::solve(&self.shifted(), &self.shifted_free(v_free, last));
                // A velocity that cannot be stopped must not pile up impulse: keep what there is, the residual tells.
                let p = if self.leans_on_shift(v_free, &p, last) { *last } else { p };
                LocalSolution::unique(p, Status::Bonded)
            }
            Cone::Bilateral => LocalSolution::unique(zero, Status::Bonded),
            Cone::Within { across, along } if self.largest > 0.0 => {
                within::solve(&self.shifted(), &self.shifted_free(v_free, last), across, along)
            }
            // A moment without its contact resists nothing, nor does one on bodies that do not turn.
            Cone::Within { .. } | Cone::Turning(_) => LocalSolution::unique(zero, Status::Open),
            Cone::Coulomb(mu) => {
                if self.w[(0, 0)] <= IMMOBILE * self.w.trace() {
                    return LocalSolution::unique(zero, Status::Open);
                }
                Dimension::<D>::coulomb(self, v_free, mu, last)
            }
        }
    }
}

#[cfg(test)]
mod tests;
