//! The solvers of whole problems, and the sequence in which they are tried.
//!
//! A new solver is one file here with its [`ChainSolver`], its `mod` line, a variant of [`Method`] and the arm that joins the two.

pub mod admm;
pub mod chain;
pub mod interior;
pub mod lemke;
pub mod newton;
pub mod nlgs;
mod plain;

use delassus_error::Interrupt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::problem::ContactProblem;
use crate::report::{SolverOptions, SolverReport};
use crate::work::Allowance;

/// The solvers, as a case names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Method {
    /// Nonlinear Gauss–Seidel ([`nlgs`]).
    Nlgs,
    /// Lemke's method ([`lemke`]): plane problems of at most [`lemke::MAX_CONTACTS`] contacts.
    Lemke,
    /// Semismooth Newton with proximal regularisation ([`newton`]): problems of at most [`newton::MAX_COMPONENTS`] components.
    Newton,
    /// Alternating directions ([`admm`]): laws without springs, bodies that do not all touch each other.
    Admm,
    /// Interior points on the cone form ([`interior`]): laws without springs.
    Interior,
}

impl Method {
    fn solver<const D: usize>(self) -> &'static dyn ChainSolver<D>
    where
        Dimension<D>: LocalKernel<D>,
    {
        match self {
            Self::Nlgs => &nlgs::NlgsSolver,
            Self::Lemke => &lemke::LemkeSolver,
            Self::Newton => &newton::NewtonSolver,
            Self::Admm => &admm::AdmmSolver,
            Self::Interior => &interior::InteriorSolver,
        }
    }

    /// Name in reports.
    pub fn name(self) -> &'static str {
        self.solver::<2>().name()
    }

    /// Whether the method can be tried on a problem: by its dimension and size.
    pub fn applies<const D: usize>(self, problem: &ContactProblem<D>) -> bool
    where
        Dimension<D>: LocalKernel<D>,
    {
        self.solver().applies(problem)
    }
}

/// What the chain asks of a solver.
trait ChainSolver<const D: usize> {
    /// Name in reports.
    fn name(&self) -> &'static str;

    /// Whether it can be tried on a problem: by its dimension and size.
    fn applies(&self, problem: &ContactProblem<D>) -> bool {
        let _ = problem;
        true
    }

    /// Sweeps of Gauss–Seidel that cost as much as the method; `usize::MAX` if that is not known.
    fn worth_in_sweeps(&self, problem: &ContactProblem<D>) -> usize {
        let _ = problem;
        usize::MAX
    }

    /// Least work that is to be expected, by sizes alone; zero if they do not tell.
    fn expected_work(&self, problem: &ContactProblem<D>) -> u64 {
        let _ = problem;
        0
    }

    /// Solves a problem to which the method applies, from the warm start `p`, which holds the result.
    fn solve(
        &self,
        problem: &ContactProblem<D>,
        p: &mut [Vector<D>],
        options: &SolverOptions,
        place: ChainPlace<'_>,
    ) -> SolverReport;
}

/// A number of sweeps that is computed when it is asked for: it takes an order of elimination.
type Worth<'a> = Box<dyn FnOnce() -> usize + 'a>;

/// Where in a chain a solver is called.
struct ChainPlace<'a> {
    /// Sweeps of Gauss–Seidel that have made the impulses to start from.
    sweeps_done: usize,
    /// Sweeps of Gauss–Seidel that cost as much as the next method; none if no other method follows.
    next_worth: Option<Worth<'a>>,
    /// Which method that is.
    next: Option<Method>,
    /// Is this a short turn, after which others are tried? Sweeps then end as soon as the other is cheaper, Newton's method takes a few steps only,
    /// alternating directions one ρ, and interior points no fixed point.
    is_short: bool,
    /// How much it may do.
    allowance: Allowance<'a>,
}

impl<'a> ChainPlace<'a> {
    /// A solver by itself.
    fn alone(interrupt: &'a Interrupt) -> Self {
        Self {
            sweeps_done: 0,
            next_worth: None,
            next: None,
            is_short: false,
            allowance: Allowance::unlimited(interrupt),
        }
    }
}
