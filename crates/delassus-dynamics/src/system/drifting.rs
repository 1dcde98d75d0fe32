//! Bodies whose velocities change while nothing acts on them: a rigid body in axes that turn with it.
//!
//! ```text
//! (q, v)  ──drift, contact delay──►  (q_c, v_c)  ──impulses──►  (q_c, v_c⁺)  ──drift, rest of the step──►  (q⁺, v⁺)
//! M (v_c⁺ − v_c) = h P_θ(q_c) + H p                    M constant in the axes of the body
//! ```
//!
//! A drift is the motion without any force. It keeps the momentum, the angular momentum and the kinetic energy ½ vᵀ M v of the body, so the energy identity of
//! a scheme holds with v_c and v_c⁺ in place of v and v⁺. Loads, contacts and their velocities belong to the contact configuration q_c,
//! which lies at the time at which the scheme has it for all bodies (Jean & Moreau 1992 §4 have θ = ½ and an explicit gyroscopic term instead of the drift).

use crate::state::State;

/// Where a drift leads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drifted {
    /// The configuration.
    pub q: Vec<f64>,
    /// The velocity there.
    pub v: Vec<f64>,
}

/// The interface of a body that drifts.
pub trait Drifting: Send + Sync {
    /// Where the motion without any force leads from a state in a time \[s\].
    fn drift(&self, from: &State, time: f64) -> Drifted;
    /// The state after impulses have changed the velocity at `at` to `v`, and a further drift over `rest` \[s\]; its time is left to the caller.
    fn finish(&self, from: &State, at: &Drifted, v: &[f64], rest: f64) -> State;
    /// `out` ← P(t), the loads in a configuration, on the degrees of freedom.
    fn loads_at_into(&self, t: f64, q: &[f64], out: &mut [f64]);
}
