//! The energy ledger: what came in, what went out, and what is left over.
//!
//! ```text
//! E_kin + E_el = E(0) + external + contact − friction − viscous − numerical + residual
//! ```
//!
//! Terms are summed step by step from the exact identity of each scheme, so for linear bodies the residual is round-off.
//! With v_t the scheme's test velocity and U_t = Hᵀ v_t − V_obstacle:
//!
//! ```text
//! friction = −Σ p_T·U_t,T     contact = Σ p_N U_t,N (minus the impact loss)     external = loads + supports + Σ p·V_obstacle
//! ```

use delassus_contact::local_velocity;
use serde::{Deserialize, Serialize};

use crate::step::Outcome;

/// Cumulative energies \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Kinetic + elastic energy at the start.
    pub initial: f64,
    /// Kinetic energy now.
    pub kinetic: f64,
    /// Elastic energy now.
    pub elastic: f64,
    /// Work of loads, supports and obstacles.
    pub external: f64,
    /// Energy taken by viscosity.
    pub viscous: f64,
    /// Energy taken by friction.
    pub friction: f64,
    /// Work of normal contact impulses; minus the impact loss.
    pub contact: f64,
    /// Energy taken by the time-stepping scheme.
    pub numerical: f64,
    /// Sum of the sizes of all works: the scale of round-off.
    pub turnover: f64,
}

impl Ledger {
    /// A ledger that starts with these energies.
    #[must_use]
    pub fn new(kinetic: f64, elastic: f64) -> Self {
        Self { initial: kinetic + elastic, kinetic, elastic, ..Self::default() }
    }

    /// The ledger after a step.
    #[must_use]
    pub fn after<const D: usize>(&self, outcome: &Outcome<D>) -> Self {
        let mut next = Self { kinetic: 0.0, elastic: 0.0, ..*self };
        for b in &outcome.balances {
            next.kinetic += b.kinetic;
            next.elastic += b.elastic;
            next.external += b.load_work + b.support_work;
            next.viscous += b.viscous;
            next.numerical += b.numerical;
            next.turnover += b.load_work.abs() + b.support_work.abs() + b.viscous.abs() + b.numerical.abs();
        }
        let v_t: Vec<&[f64]> = outcome.balances.iter().map(|b| b.test_velocity.as_slice()).collect();
        for t in outcome.touches.iter().filter(|t| t.impulse.amax() > 0.0) {
            let velocity = local_velocity(&t.contact, &v_t);
            let normal = t.impulse[0] * velocity[0];
            let tangential = t.impulse.dot(&velocity) - normal;
            let obstacle = t.impulse.dot(&(t.contact.frame.transpose() * t.contact.sides[1].velocity));
            next.contact += normal;
            next.friction -= tangential;
            next.external += obstacle;
            next.turnover += normal.abs() + tangential.abs() + obstacle.abs();
        }
        next
    }

    /// What the identity leaves over \[J\].
    #[must_use]
    pub fn residual(&self) -> f64 {
        self.kinetic + self.elastic
            - (self.initial + self.external + self.contact - self.friction - self.viscous - self.numerical)
    }

    /// The scale the residual is to be seen against \[J\]: energy or turnover, whichever is larger.
    #[must_use]
    pub fn scale(&self) -> f64 {
        (self.kinetic + self.elastic).max(self.turnover)
    }

    /// |residual| relative to its scale; 0 when nothing happened.
    #[must_use]
    pub fn relative_residual(&self) -> f64 {
        let scale = self.scale();
        // Nothing happened: nothing is left over. A scale that is no number gives none.
        if scale <= 0.0 { 0.0 } else { self.residual().abs() / scale }
    }
}
