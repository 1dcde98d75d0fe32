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
    /// Contacts whose local problem had several solutions in the last sweep, or has at the solution (Lemke, Newton); possible
    /// where μ|W_NT| ≥ W_NN, in space also a little below.
    pub several_solutions: usize,
}

impl Report {
    /// What was done, in words.
    pub fn effort(&self) -> String {
        format!("{} iterations of {}", self.iterations, self.solver)
    }

    /// Nothing done and nothing known yet.
    pub(crate) fn not_started(solver: &'static str) -> Self {
        Self { solver, iterations: 0, residual: f64::NAN, converged: false, several_solutions: 0 }
    }
}

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
    fn a_tolerance_must_be_positive() {
        assert_eq!(Options::default().validate(), Ok(()));
        for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let fault = Options { tolerance, ..Options::default() }.validate().unwrap_err();
            assert!(matches!(fault, SolverError::Option { name: "tolerance", .. }));
        }
    }
}
