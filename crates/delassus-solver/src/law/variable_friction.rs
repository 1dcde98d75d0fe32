//! Unilateral contact with a friction coefficient that varies with time, place and pressure.
//!
//! ```text
//! 0 ≤ g⁺ ⟂ p_N ≥ 0 ,      ‖p_T‖ ≤ μ p_N ,   U_T ≠ 0 ⇒ p_T = −μ p_N U_T/‖U_T‖ ,      μ = μ(t⁺, x, P) ,   P = p_N/(h A)
//! ```
//!
//! t⁺ is the end of the step, where the law holds; x is where the contact is in the contact configuration; P is the mean pressure over the step on the area A
//! of the contact. μ of time and place is known before the solve. μ of the pressure belongs to the solution: the law is derived again from the last P until it
//! holds (the outer fixed point of [`crate::solve_under_laws`]), and [`ContactLaw::violation`] judges with the μ of the solution's own P, as the audit does.
//! Each law of the fixed point is Coulomb's, so that nothing but the size of the cone changes. Where friction unloads a contact and μ falls with P, the next P
//! would overshoot: of μ = τ/P, whose drag is constant, a change δ becomes a/(1 + a) δ, where a = μ W_NT/W_NN may be near −1. Hence the pressure follows by a part
//! of each change ([`ContactLaw::follows_push`]).
//!
//! Where a contact is not pressed, friction has no force whatever μ is: an infinite μ(0), as of Archard's μ ∝ P^(−1/3), counts as 0 there. Any other μ that
//! is negative, infinite or not a number ends the run ([`ContactLaw::refuse`]).

use std::sync::Arc;

use delassus_math::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ContactInput, ContactLaw, StepTimes, statement};
use crate::error::SolverError;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

const NAME: &str = "VariableFriction";

/// What an expression of μ may name; in the plane there is no z.
const SPACE: [&str; 5] = ["t", "p", "x", "y", "z"];

/// Numbers of the time and of the pressure among these.
const TIME: usize = 0;
const PRESSURE: usize = 1;

/// Signorini's condition on the gap, Coulomb's law with a coefficient that an expression gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariableFriction {
    /// Friction coefficient μ ≥ 0, an expression of the time `t` \[s\], the place `x`, `y`, `z` \[m\] of the contact and the contact pressure `p` \[Pa\].
    pub friction: String,
}

impl VariableFriction {
    fn parse(&self, names: &[&str]) -> Result<Expression, SolverError> {
        Expression::parse(&self.friction, names).map_err(|e| SolverError::LawExpression {
            law: NAME,
            key: "friction",
            at: e.at,
            reason: e.reason,
        })
    }

    /// Checks that the coefficient is an expression.
    ///
    /// # Errors
    /// [`SolverError::LawExpression`] with the place of its first fault.
    pub fn validate(&self) -> Result<(), SolverError> {
        self.parse(&SPACE).map(|_| ())
    }

    /// Does μ depend on the pressure, so that contacts need an area?
    #[must_use]
    pub fn counts_pressure(&self) -> bool {
        self.parse(&SPACE).is_ok_and(|expression| expression.uses(PRESSURE))
    }

    /// The law in a dimension.
    ///
    /// # Errors
    /// An expression that is none there.
    pub(super) fn in_dimension<const D: usize>(&self) -> Result<FrictionField, SolverError> {
        let expression = Arc::new(self.parse(&SPACE[..2 + D])?);
        Ok(FrictionField { of_pressure: expression.uses(PRESSURE), expression, held: None })
    }
}

/// The law with its expression.
#[derive(Clone, Debug)]
pub(super) struct FrictionField {
    expression: Arc<Expression>,
    of_pressure: bool,
    /// The time that it is held at, if it is.
    held: Option<f64>,
}

impl FrictionField {
    /// μ for a normal impulse, as the expression has it; an infinite one without pressure counts for nothing.
    fn coefficient<const D: usize>(&self, x: &ContactInput<D>, push: f64, step: &StepTimes) -> f64 {
        let mut at = [0.0; SPACE.len()];
        at[TIME] = self.held.unwrap_or(x.time);
        at[PRESSURE] = pressure(x, push, step);
        at[2..2 + D].copy_from_slice(x.place.as_slice());
        let mu = self.expression.value(&at[..2 + D]);
        if mu > 0.0 && mu.is_infinite() && self.of_pressure && push <= 0.0 { 0.0 } else { mu }
    }
}

/// Mean pressure over the step \[Pa\].
fn pressure<const D: usize>(x: &ContactInput<D>, push: f64, step: &StepTimes) -> f64 {
    if push > 0.0 { push / (step.h * x.area) } else { 0.0 }
}

impl<const D: usize> ContactLaw<D> for FrictionField {
    fn implicit(&self) -> bool {
        self.of_pressure
    }

    fn follows_push(&self) -> bool {
        self.of_pressure
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        _z: &[f64],
        iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        let mu = self.coefficient(x, iterate.map_or(0.0, |out| out.impulse[0]), step);
        // What is no coefficient is refused at the solution; on the way to it a pressure may be any.
        let mut derived = Derived::standard(Cone::Coulomb(if mu.is_finite() { mu.max(0.0) } else { 0.0 }));
        derived.v_shift[0] = x.gap / step.gap_time;
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, _z: &[f64]) -> f64 {
        let mu = self.coefficient(x, out.impulse[0], step);
        let opening = x.gap / step.gap_time + out.velocity[0];
        statement::contact(opening, mu, &out.velocity, &out.impulse, &out.scale)
    }

    fn refuse(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes) -> Result<(), SolverError> {
        let mu = self.coefficient(x, out.impulse[0], step);
        if mu >= 0.0 && mu.is_finite() {
            return Ok(());
        }
        Err(SolverError::FrictionValue {
            expression: self.expression.text().to_owned(),
            value: mu,
            time: self.held.unwrap_or(x.time),
            place: x.place.iter().copied().collect(),
            pressure: pressure(x, out.impulse[0], step),
        })
    }

    fn frozen(&self) -> Option<Arc<dyn ContactLaw<D>>> {
        Some(Arc::new(Self { held: Some(0.0), ..self.clone() }))
    }
}
