//! Options and reports of solvers, in the same form for every solver, so that a case can name a sequence of them.

use serde::{Deserialize, Serialize};

use crate::error::SolverError;

/// When a solver stops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SolverOptions {
    /// Largest accepted natural-map residual over the contacts, without unit.
    pub tolerance: f64,
    /// Sweeps (NLGS), pivots (Lemke) or linear solves (Newton) after which a solver gives up.
    pub max_iterations: usize,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 5000 }
    }
}

impl SolverOptions {
    /// Checks that the tolerance is a finite number > 0.
    ///
    /// # Errors
    /// [`SolverError::Option`].
    pub fn validate(&self) -> Result<(), SolverError> {
        if self.tolerance.is_finite() && self.tolerance > 0.0 {
            return Ok(());
        }
        Err(SolverError::Option { name: "tolerance", value: self.tolerance, wanted: "a finite number > 0" })
    }
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum StopReason {
    /// The residual is within the tolerance.
    Converged,
    /// All iterations allowed were done.
    Budget,
    /// The residual falls too slowly: about so many more iterations would be needed (1e9 means never), and another method is cheaper.
    Slow {
        /// Further iterations by the last rate.
        more: usize,
    },
    /// The method cannot continue.
    Stuck,
    /// Not started: by the sizes of the problem it would take more work than a fallback may do (module [`work`](crate::work)).
    TooDear {
        /// Work that is to be expected.
        work: u64,
        /// Work allowed.
        budget: u64,
    },
    /// All the work that a fallback may do was done, or the next part of it would have been more (module [`work`](crate::work)).
    Spent {
        /// Work allowed.
        budget: u64,
    },
    /// Someone asked to stop.
    Interrupted,
    /// Data that are not finite or do not fit together.
    Unsound,
}

/// How a solve went. Not having converged is no error: the caller decides what to try next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SolverReport {
    /// Name of the solver.
    pub solver: &'static str,
    /// Sweeps (NLGS), pivots (Lemke) or linear solves (Newton) done.
    pub iterations: usize,
    /// Multiplications counted (module [`work`](crate::work)): the same on every machine.
    pub work: u64,
    /// Natural-map residual of the impulses handed back, max over the contacts, without unit. NaN if the data are not finite or
    /// do not fit together.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
    /// Why the solver stopped.
    pub end: StopReason,
    /// Contacts whose local problem had several solutions in the last sweep, or has at the solution (Lemke, Newton); possible
    /// where μ|W_NT| ≥ W_NN, in space also a little below.
    pub several_solutions: usize,
    /// Whether the method stood in for one before it that did not reach the tolerance. The first method does not, nor do the few steps of Newton's
    /// method that finish short sweeps.
    pub is_fallback: bool,
}

impl SolverReport {
    /// What was done and, if it was not enough, what was left and why it ended, as text.
    pub fn effort(&self) -> String {
        let done = format!("{} iterations of {}", self.iterations, self.solver);
        let left = format!("{done} (residual {:.1e}", self.residual);
        match self.end {
            StopReason::Converged => done,
            StopReason::Budget => format!("{left}, at the limit of iterations)"),
            StopReason::Slow { more } if more < NEVER => {
                format!("{left}, falling so slowly that about {more} more would be needed)")
            }
            StopReason::Slow { .. } => format!("{left}, no longer falling)"),
            StopReason::Stuck => format!("{left}, no further step possible)"),
            StopReason::TooDear { work, budget } => {
                format!(
                    "{} not started (it needs about {} multiplications, its budget is {})",
                    self.solver,
                    rounded(work),
                    rounded(budget)
                )
            }
            StopReason::Spent { budget } => {
                format!("{left}, its budget of {} multiplications used up)", rounded(budget))
            }
            StopReason::Interrupted => format!("{left}, interrupted)"),
            StopReason::Unsound => format!("{left}, not finite)"),
        }
    }

    /// Nothing done and nothing known yet.
    pub(crate) fn not_started(solver: &'static str) -> Self {
        let end = StopReason::Unsound;
        Self {
            solver,
            iterations: 0,
            work: 0,
            residual: f64::NAN,
            converged: false,
            end,
            several_solutions: 0,
            is_fallback: false,
        }
    }

    /// Says by its residual whether it converged, and if not, by its iterations why; an end that is known already stays.
    pub(crate) fn conclude(mut self, options: &SolverOptions) -> Self {
        self.converged = self.residual <= options.tolerance;
        self.end = match self.end {
            _ if self.converged => StopReason::Converged,
            _ if !self.residual.is_finite() => StopReason::Unsound,
            known @ (StopReason::Slow { .. }
            | StopReason::TooDear { .. }
            | StopReason::Spent { .. }
            | StopReason::Interrupted) => known,
            _ if self.iterations >= options.max_iterations => StopReason::Budget,
            _ => StopReason::Stuck,
        };
        self
    }
}

/// So many iterations are as good as never.
const NEVER: usize = 1_000_000;

/// A number of multiplications, to two digits.
fn rounded(work: u64) -> String {
    format!("{:.1e}", work as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_defaults_and_refuse_unknown_names() {
        let options: SolverOptions = serde_json::from_str("{\"tolerance\": 1e-6}").unwrap();
        assert_eq!(options, SolverOptions { tolerance: 1e-6, max_iterations: 5000 });
        assert!(serde_json::from_str::<SolverOptions>("{\"tolerence\": 1e-6}").is_err());
    }

    #[test]
    fn the_text_says_what_was_left_and_why() {
        let options = SolverOptions { tolerance: 1e-8, max_iterations: 100 };
        let report = |residual, iterations, end| {
            SolverReport { residual, iterations, end, ..SolverReport::not_started("nlgs") }.conclude(&options)
        };
        let text = |residual, iterations, end| report(residual, iterations, end).effort();
        assert_eq!(text(1e-9, 7, StopReason::Stuck), "7 iterations of nlgs");
        assert_eq!(
            text(0.02, 100, StopReason::Stuck),
            "100 iterations of nlgs (residual 2.0e-2, at the limit of iterations)"
        );
        assert_eq!(
            text(0.02, 50, StopReason::Slow { more: 1600 }),
            "50 iterations of nlgs (residual 2.0e-2, falling so slowly that about 1600 more would be needed)"
        );
        assert_eq!(
            text(0.02, 50, StopReason::Slow { more: 1_000_000_000 }),
            "50 iterations of nlgs (residual 2.0e-2, no longer falling)"
        );
        assert_eq!(
            text(0.02, 50, StopReason::Stuck),
            "50 iterations of nlgs (residual 2.0e-2, no further step possible)"
        );
        assert_eq!(text(f64::NAN, 0, StopReason::Stuck), "0 iterations of nlgs (residual NaN, not finite)");
        assert_eq!(
            text(0.02, 0, StopReason::TooDear { work: 2_940_000_000, budget: 690_000_000 }),
            "nlgs not started (it needs about 2.9e9 multiplications, its budget is 6.9e8)"
        );
        assert_eq!(
            text(0.02, 100, StopReason::Spent { budget: 690_000_000 }),
            "100 iterations of nlgs (residual 2.0e-2, its budget of 6.9e8 multiplications used up)"
        );
        assert_eq!(text(0.02, 3, StopReason::Interrupted), "3 iterations of nlgs (residual 2.0e-2, interrupted)");
        // Whatever ended it, arrived is arrived.
        assert_eq!(text(1e-9, 3, StopReason::Interrupted), "3 iterations of nlgs");
        assert!(report(1e-9, 7, StopReason::Stuck).converged && !report(0.02, 7, StopReason::Stuck).converged);
    }

    #[test]
    fn a_tolerance_must_be_positive() {
        assert_eq!(SolverOptions::default().validate(), Ok(()));
        for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let fault = SolverOptions { tolerance, ..SolverOptions::default() }.validate().unwrap_err();
            assert!(matches!(fault, SolverError::Option { name: "tolerance", .. }));
        }
    }
}
