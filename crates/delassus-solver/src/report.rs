//! What a solver is told and what it answers. One form for every solver, so that a case can name a chain of them.

use serde::{Deserialize, Serialize};

use crate::error::SolverError;

/// When a solver stops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Largest accepted natural-map residual over the contacts, without unit.
    pub tolerance: f64,
    /// Sweeps (NLGS), pivots (Lemke) or linear solves (Newton) after which a solver gives up.
    pub max_iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 5000 }
    }
}

impl Options {
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
pub enum End {
    /// The residual is within the tolerance.
    Converged,
    /// All iterations allowed were done.
    Budget,
    /// The residual falls too slowly: about so many more iterations would be needed (1e9 stands for never), and another method is cheaper.
    Slow {
        /// Further iterations by the last rate.
        more: usize,
    },
    /// The method found no way to go on.
    Stuck,
    /// Data that are not finite or do not fit together.
    Unsound,
}

/// How a solve went. Not having converged is no error: the caller decides what to try next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name of the solver.
    pub solver: &'static str,
    /// Sweeps (NLGS), pivots (Lemke) or linear solves (Newton) done.
    pub iterations: usize,
    /// Natural-map residual of the impulses handed back, max over the contacts, without unit. NaN if the data are not finite or
    /// do not fit together.
    pub residual: f64,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
    /// Why the solver stopped.
    pub end: End,
    /// Contacts whose local problem had several solutions in the last sweep, or has at the solution (Lemke, Newton); possible
    /// where μ|W_NT| ≥ W_NN, in space also a little below.
    pub several_solutions: usize,
}

impl Report {
    /// What was done and, if it was not enough, what was left and why it ended, in words.
    pub fn effort(&self) -> String {
        let done = format!("{} iterations of {}", self.iterations, self.solver);
        let left = format!("{done} (residual {:.1e}", self.residual);
        match self.end {
            End::Converged => done,
            End::Budget => format!("{left}, no more allowed)"),
            End::Slow { more } if more < NEVER => format!("{left}, falling so slowly that {more} more were in sight)"),
            End::Slow { .. } => format!("{left}, not falling any more)"),
            End::Stuck => format!("{left}, no way on)"),
            End::Unsound => format!("{left}, numbers that are not finite)"),
        }
    }

    /// Nothing done and nothing known yet.
    pub(crate) fn not_started(solver: &'static str) -> Self {
        let end = End::Unsound;
        Self { solver, iterations: 0, residual: f64::NAN, converged: false, end, several_solutions: 0 }
    }

    /// Says by its residual whether it converged, and if not, by its iterations why; an end that is known already stays.
    pub(crate) fn conclude(mut self, options: &Options) -> Self {
        self.converged = self.residual <= options.tolerance;
        self.end = match self.end {
            _ if self.converged => End::Converged,
            _ if !self.residual.is_finite() => End::Unsound,
            End::Slow { more } => End::Slow { more },
            _ if self.iterations >= options.max_iterations => End::Budget,
            _ => End::Stuck,
        };
        self
    }
}

/// So many iterations are as good as never.
const NEVER: usize = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_defaults_and_refuse_unknown_names() {
        let options: Options = serde_json::from_str("{\"tolerance\": 1e-6}").unwrap();
        assert_eq!(options, Options { tolerance: 1e-6, max_iterations: 5000 });
        assert!(serde_json::from_str::<Options>("{\"tolerence\": 1e-6}").is_err());
    }

    #[test]
    fn the_words_say_what_was_left_and_why() {
        let options = Options { tolerance: 1e-8, max_iterations: 100 };
        let report = |residual, iterations, end| {
            Report { residual, iterations, end, ..Report::not_started("nlgs") }.conclude(&options)
        };
        let words = |residual, iterations, end| report(residual, iterations, end).effort();
        assert_eq!(words(1e-9, 7, End::Stuck), "7 iterations of nlgs");
        assert_eq!(words(0.02, 100, End::Stuck), "100 iterations of nlgs (residual 2.0e-2, no more allowed)");
        assert_eq!(
            words(0.02, 50, End::Slow { more: 1600 }),
            "50 iterations of nlgs (residual 2.0e-2, falling so slowly that 1600 more were in sight)"
        );
        assert_eq!(
            words(0.02, 50, End::Slow { more: 1_000_000_000 }),
            "50 iterations of nlgs (residual 2.0e-2, not falling any more)"
        );
        assert_eq!(words(0.02, 50, End::Stuck), "50 iterations of nlgs (residual 2.0e-2, no way on)");
        assert_eq!(words(f64::NAN, 0, End::Stuck), "0 iterations of nlgs (residual NaN, numbers that are not finite)");
        assert!(report(1e-9, 7, End::Stuck).converged && !report(0.02, 7, End::Stuck).converged);
    }

    #[test]
    fn a_tolerance_must_be_positive() {
        assert_eq!(Options::default().validate(), Ok(()));
        for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let fault = Options { tolerance, ..Options::default() }.validate().unwrap_err();
            assert!(matches!(fault, SolverError::Option { name: "tolerance", .. }));
        }
    }
}
