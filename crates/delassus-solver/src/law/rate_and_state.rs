//! Unilateral contact with friction that depends on the rate and the state of sliding, by Dieterich and Ruina.
//!
//! ```text
//! μ(V, θ) = a asinh( V/(2 V₀) exp((μ₀ + b ln(V₀ θ/D_c))/a) ),    V = ‖U_T⁺‖
//! ageing:  θ̇ = 1 − V θ/D_c            slip:  θ̇ = −(V θ/D_c) ln(V θ/D_c)
//! ```
//!
//! For V ≫ V₀ e^(−μ/a) this is μ₀ + a ln(V/V₀) + b ln(V₀ θ/D_c); regularised, μ vanishes with V, so that there is no sticking but slow
//! sliding. Over a step V is constant and θ exact, with x = V h/D_c:
//!
//! ```text
//! ageing:  θ⁺ = θ e^(−x) + h (1 − e^(−x))/x           slip:  ln θ⁺ = e^(−x) ln θ + (1 − e^(−x)) ln(D_c/V)
//! ```
//!
//! The outer fixed point, from the last solution (U, p), with θ⁺ that of its speed and m = ∂μ/∂V:
//!
//! - fast, where friction hardly brakes more when the contact goes faster (m p_N W small): Newton's method on μ. With V_k the speed of the
//!   solution, p_T = −p_N (μ_k + m (V − V_k)) is the cone of μ_k − m V_k ≥ 0 (μ is concave in V) and a dashpot S_T = m p_N along the contact;
//! - slow, where a little more speed is much more friction: the other way round. V_k is the speed that the law has for the drag of the
//!   solution, and the contact is to slide at V_k, a_T = −V_k along the drag's contrary. Its error falls by 1/(m p_N W) in each iteration.

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, HistoryEntry, LawEnergy, StepTimes};
use crate::error::SolverError;
use crate::linalg::{Vector, relative};
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// m p_N W above which sliding counts as slow.
const STIFF: f64 = 10.0;

/// Signorini's condition on the gap, friction by rate and state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateAndState {
    /// μ₀ > 0, friction coefficient of steady sliding at V₀.
    pub reference_friction: f64,
    /// a > 0, direct effect of velocity; without unit.
    pub direct_effect: f64,
    /// b ≥ 0, effect of the state; without unit.
    pub evolution_effect: f64,
    /// V₀ > 0 [m/s].
    pub reference_velocity: f64,
    /// D_c > 0, slip distance over which the state evolves \[m\].
    pub slip_distance: f64,
    /// θ > 0 of a new contact \[s\]; D_c/V₀ if left out.
    #[serde(default)]
    pub initial_state: Option<f64>,
    /// How the state evolves.
    #[serde(default)]
    pub evolution: Evolution,
}

/// How the state of a contact evolves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Evolution {
    /// It grows with time at rest (Dieterich).
    #[default]
    Ageing,
    /// It changes only by slip (Ruina).
    Slip,
}

impl RateAndState {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("RateAndState");
        keys.positive("reference_friction", self.reference_friction)?;
        keys.positive("direct_effect", self.direct_effect)?;
        keys.not_negative("evolution_effect", self.evolution_effect)?;
        keys.positive("reference_velocity", self.reference_velocity)?;
        keys.positive("slip_distance", self.slip_distance)?;
        self.initial_state.map_or(Ok(()), |state| keys.positive("initial_state", state))
    }

    /// θ after a step at speed `v`.
    fn aged(&self, state: f64, v: f64, h: f64) -> f64 {
        let x = v * h / self.slip_distance;
        // (1 − e^(−x)), and its quotient by x.
        let passed = -math::exp_m1(-x);
        let part = if x > 0.0 { passed / x } else { 1.0 };
        match self.evolution {
            Evolution::Ageing => state * math::exp(-x) + h * part,
            Evolution::Slip if v > 0.0 => {
                math::exp(math::exp(-x) * math::ln(state) + passed * math::ln(self.slip_distance / v))
            }
            Evolution::Slip => state,
        }
    }

    /// (μ₀ + b ln(V₀ θ/D_c))/a.
    fn exponent(&self, state: f64) -> f64 {
        let ratio = self.reference_velocity * state / self.slip_distance;
        (self.reference_friction + self.evolution_effect * math::ln(ratio)) / self.direct_effect
    }

    /// ln(y) with y = V/(2 V₀) e^exponent, the argument of asinh; −∞ at rest.
    fn argument(&self, v: f64, state: f64) -> f64 {
        math::ln(v / (2.0 * self.reference_velocity)) + self.exponent(state)
    }

    /// μ(V, θ), without overflow for large exponents.
    fn coefficient(&self, v: f64, state: f64) -> f64 {
        let ln_y = self.argument(v, state);
        // asinh y = ln(y + √(1 + y²)) = ln y + ln(1 + √(1 + y⁻²)).
        let asinh = if ln_y > 0.0 {
            ln_y + math::ln_1p((1.0 + math::exp(-2.0 * ln_y)).sqrt())
        } else {
            math::asinh(math::exp(ln_y))
        };
        self.direct_effect * asinh
    }

    /// ∂μ/∂V at constant θ = a y/(V √(1 + y²)) [s/m].
    fn slope(&self, v: f64, state: f64) -> f64 {
        let ln_y = self.argument(v, state);
        if v > 0.0 && ln_y > -30.0 {
            // y/√(1 + y²) = 1/√(1 + y⁻²).
            self.direct_effect / (v * (1.0 + math::exp(-2.0 * ln_y)).sqrt())
        } else {
            self.direct_effect * math::exp(self.exponent(state)) / (2.0 * self.reference_velocity)
        }
    }

    /// The change of variables about a solution with a push.
    fn refine<const D: usize>(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        out: &ContactSolution<D>,
        derived: &mut Derived<D>,
    ) {
        let (slide, drag, push) = (tangent(&out.velocity), tangent(&out.impulse), out.impulse[0]);
        let state = self.aged(z[0], slide.norm(), step.h);
        // Speed by the drag, and what a change of it does to itself through friction.
        let slow = self.speed(drag.norm() / push, state);
        let mobility = tangent(&(out.velocity - x.v_free)).norm() / drag.norm();
        let mobility = mobility.max(out.scale.velocity / out.scale.impulse);
        if self.slope(slow, state) * push * mobility > STIFF {
            // What nothing drags is to rest.
            if drag.norm() > 0.0 {
                derived.v_shift += drag * (slow / drag.norm());
            }
            return;
        }
        // The solution's speed and that of its drag enclose what is sought; they may be decades apart.
        let speed = (slide.norm().max(1e-3 * slow) * slow).sqrt();
        let (mu, slope) = (self.coefficient(speed, state), self.slope(speed, state));
        derived.cone = Cone::Coulomb((mu - slope * speed).max(0.0));
        derived.spring = Vector::<D>::from_fn(|i, _| if i == 0 { 0.0 } else { slope * push });
    }

    /// V of a friction coefficient and a state.
    fn speed(&self, mu: f64, state: f64) -> f64 {
        let x = mu / self.direct_effect;
        // 2 sinh x e^(−exponent), without overflow.
        self.reference_velocity * (math::exp(x - self.exponent(state)) - math::exp(-x - self.exponent(state)))
    }
}

impl<const D: usize> ContactLaw<D> for RateAndState {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        const { &[HistoryEntry::scalar("state"), HistoryEntry::scalar("slip_rate")] }
    }

    fn start(&self, _at_start: bool, z: &mut [f64]) {
        z[0] = self.initial_state.unwrap_or(self.slip_distance / self.reference_velocity);
        z[1] = 0.0;
    }

    fn implicit(&self) -> bool {
        true
    }

    fn derive(
        &self,
        x: &ContactInput<D>,
        step: &StepTimes,
        z: &[f64],
        iterate: Option<&ContactSolution<D>>,
    ) -> Derived<D> {
        // No contact goes faster than without friction, nearly; its coefficient bounds those to come.
        let fastest = tangent(&x.v_free).norm();
        let bound = self.coefficient(fastest, self.aged(z[0], fastest, step.h));
        let mut derived = Derived::standard(Cone::Coulomb(bound));
        derived.v_shift[0] = x.gap / step.gap_time;
        if let Some(out) = iterate.filter(|out| out.impulse[0] > 0.0) {
            self.refine(x, step, z, out, &mut derived);
        }
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let slide = tangent(&out.velocity);
        let (speed, drag) = (slide.norm(), tangent(&out.impulse));
        let opening = x.gap / step.gap_time + out.velocity[0];
        let signorini = statement::complementary(opening, out.impulse[0], &out.scale);
        let push = out.impulse[0].max(0.0);
        let state = self.aged(z[0], speed, step.h);
        let bound = self.coefficient(speed, state) * push;
        let against = if speed == 0.0 { Vector::<D>::zeros() } else { slide * (bound / speed) };
        let impulse = relative((drag + against).norm(), out.scale.drag);
        // At slow sliding μ changes with a few roundings of the velocity: then it is the velocity that must be right.
        let velocity = if push > 0.0 && drag.norm() > 0.0 {
            let wanted = drag * (-self.speed(drag.norm() / push, state) / drag.norm());
            relative((slide - wanted).norm(), out.scale.sliding)
        } else {
            f64::INFINITY
        };
        statement::worst([signorini, if impulse.is_nan() { impulse } else { impulse.min(velocity) }])
    }

    fn commit(
        &self,
        _x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        let speed = tangent(&out.velocity).norm();
        new[0] = self.aged(old[0], speed, step.h);
        new[1] = speed;
        LawEnergy::default()
    }
}
