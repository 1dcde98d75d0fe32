//! The contact solver of a case.

use delassus_solver::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::foreign_units::{MARGINS, ON_FAILURE};
use super::units::UnitRule::Within;
use super::units::{COUNT, PURE, UnitTable};
use super::{FailurePolicy, MarginSpec};

/// The contact solver.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum SolverSpec {
    /// Nonlinear Gauss–Seidel.
    Nlgs(NlgsSpec),
    /// Lemke's complementary pivoting: exact; plane problems only.
    Lemke(LemkeSpec),
}

impl SolverSpec {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[("Nlgs", Within(NlgsSpec::UNITS)), ("Lemke", Within(LemkeSpec::UNITS))];
}

impl Default for SolverSpec {
    fn default() -> Self {
        Self::Nlgs(NlgsSpec::default())
    }
}

/// Options of the nonlinear Gauss–Seidel solver.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct NlgsSpec {
    /// Largest law error accepted (scale-free natural map).
    pub tolerance: f64,
    /// Largest number of sweeps.
    pub max_iterations: usize,
    /// Accepted errors, in physical units.
    pub margins: MarginSpec,
    /// Fallback solvers, in this order, if the sweeps do not converge.
    pub fallback: Vec<Method>,
    /// What to do then.
    pub on_failure: FailurePolicy,
}

impl NlgsSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[
        ("tolerance", PURE),
        ("max_iterations", COUNT),
        ("margins", Within(MARGINS)),
        ("on_failure", Within(ON_FAILURE)),
    ];
}

impl Default for NlgsSpec {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 5000,
            margins: MarginSpec::default(),
            fallback: vec![Method::Lemke, Method::Admm, Method::Newton, Method::Interior, Method::Newton, Method::Nlgs],
            on_failure: FailurePolicy::default(),
        }
    }
}

/// Options of Lemke's method.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct LemkeSpec {
    /// Largest law error accepted (scale-free natural map).
    pub tolerance: f64,
    /// Accepted errors, in physical units.
    pub margins: MarginSpec,
    /// What to do if the tolerance is not reached.
    pub on_failure: FailurePolicy,
}

impl LemkeSpec {
    /// What its numbers measure.
    const UNITS: UnitTable = &[("tolerance", PURE), ("margins", Within(MARGINS)), ("on_failure", Within(ON_FAILURE))];
}

impl Default for LemkeSpec {
    fn default() -> Self {
        Self { tolerance: 1e-10, margins: MarginSpec::default(), on_failure: FailurePolicy::default() }
    }
}
