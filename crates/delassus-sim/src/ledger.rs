//! The energy ledger: the balance of energies, works and losses of a run.
//!
//! ```text
//! E_kin + E_el + E_bonds + E_springs = E(0) + external + contact − friction − turning − damage − viscous − plastic − numerical − spin − joints − remainder + residual
//! ```
//!
//! Terms are summed step by step from the exact identity of each scheme, and none of them is computed from the others: the residual is round-off, for
//! linear bodies and for materials with internal variables. A stored or dissipated energy that is wrong shows in it.
//! With v_t the scheme's test velocity and U_t = Hᵀ v_t − V_obstacle:
//!
//! ```text
//! friction = −Σ p_T·U_t,T     turning = −Σ M·Ω_t     contact = Σ p_N U_t,N     external = loads + supports + heat + Σ p·V_obstacle
//! ```
//!
//! Heat is what a temperature does that expands a material, of either sign. "Plastic" is what materials that yield dissipate; "viscous" has all other losses of materials.
//!
//! In a sudden change of velocity from U⁻ to U⁺ the bodies lose the energy −Σ p_N ½(U⁻ + U⁺)_N (Thomson and Tait). It equals −contact if v_t is
//! the mean of v and v⁺: θ = ½, γ = ½. In other schemes "numerical" contains the rest, (θ − ½) Δv·M Δv for v_t = θ v⁺ + (1 − θ) v, and contact
//! may be positive in a collision that loses energy: the loss is numerical − contact.
//!
//! with p less the bond's part p_b where the law has a bond. What p_b takes out, −p_b·U_t, is the work W on the path by which the law goes through the step,
//! and an error of the time step, −p_b·U_t − W, that goes to "numerical". W comes from the bond's forces; that it is what the bond stores and
//! loses to damage is what the residual shows.
//!
//! "Spin" is what θ > ½ takes from a body that turns, as it would from a rigid one: m |(T − I) v|²_M with the velocities v of its spin and its turn T over the
//! step (m as in `integrator/theta_family`). The energy–momentum method takes nothing.
//!
//! "Joints" is the work that joints take beyond what their drives, springs and friction account for (`joints/ends`): their rows act at the contact configuration,
//! so λ·J v_t is not exactly λ times what the coordinate moved. It is of the order h², and should come and go. It is an error of the step, of either sign.
//!
//! "Remainder" is known, but neither work nor loss: stored energy that volumes take along as they change (moving geometry; some part of the energy
//! as large as the strain of volume), and the difference between what the springs of bonds held at the end of a step and what they hold when the
//! next one measures their opening (it vanishes with h, but for points beyond the edge of what they face).

use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// Cumulative energies \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Kinetic + elastic energy at the start.
    pub initial: f64,
    /// Kinetic energy now.
    pub kinetic: f64,
    /// Elastic energy now.
    pub elastic: f64,
    /// Energy stored in the springs of contact laws now, counted from the start.
    pub bonds: f64,
    /// Energy stored in the springs of joints now, counted from the start.
    pub springs: f64,
    /// Work of loads, supports, obstacles and driven joints, and of heat that expands materials.
    pub external: f64,
    /// Energy dissipated by viscosity.
    pub viscous: f64,
    /// Plastic work.
    pub plastic: f64,
    /// Energy dissipated by friction.
    pub friction: f64,
    /// Energy dissipated by rolling and spinning resistance.
    pub turning: f64,
    /// Work of normal contact impulses on the test velocity; minus the energy lost in impacts where that is the mean velocity.
    pub contact: f64,
    /// Energy lost in bonds: damage, breaking.
    pub damage: f64,
    /// Energy dissipated by the time-stepping scheme.
    pub numerical: f64,
    /// Energy that the scheme takes from the spin of bodies that turn.
    pub spin: f64,
    /// Energy that joints take beyond that of their drives, springs and friction: the error of the step in them, of either sign.
    pub joints: f64,
    /// Energy taken by what is neither work nor loss: volumes that change with the energy they store, springs of bonds whose opening is measured anew.
    pub remainder: f64,
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
            next.plastic += b.plastic;
            next.numerical += b.numerical;
            next.spin += b.spin;
            next.remainder += b.remainder;
            let works = [b.load_work, b.support_work, b.viscous, b.plastic, b.numerical, b.spin, b.remainder];
            next.turnover += works.map(f64::abs).iter().sum::<f64>();
        }
        for work in outcome.touches.iter().map(|t| &t.work) {
            next.contact += work.normal;
            next.friction += work.friction;
            next.turning += work.turning;
            next.external += work.obstacle;
            next.bonds += work.stored;
            next.damage += work.damage;
            next.numerical += work.numerical;
            next.remainder += work.remainder;
            next.turnover += work.turnover();
        }
        for joint in outcome.joints.iter().map(|j| &j.work) {
            next.external += joint.external;
            next.friction += joint.friction;
            next.springs += joint.stored;
            next.viscous += joint.viscous;
            next.numerical += joint.numerical;
            next.joints += joint.error;
            next.turnover += joint.turnover();
        }
        next
    }

    /// Residual of the energy identity \[J\].
    #[must_use]
    pub fn residual(&self) -> f64 {
        let lost = self.friction
            + self.turning
            + self.damage
            + self.viscous
            + self.plastic
            + self.numerical
            + self.spin
            + self.joints
            + self.remainder;
        self.kinetic + self.elastic + self.bonds + self.springs - (self.initial + self.external + self.contact - lost)
    }

    /// The scale of the residual \[J\]: energy or turnover, whichever is larger.
    #[must_use]
    pub fn scale(&self) -> f64 {
        (self.kinetic + self.elastic + self.bonds.max(0.0) + self.springs.max(0.0)).max(self.turnover)
    }

    /// |residual| relative to its scale; 0 when nothing happened.
    #[must_use]
    pub fn relative_residual(&self) -> f64 {
        let scale = self.scale();
        // Nothing happened: nothing is left over. A scale that is no number gives none.
        if scale <= 0.0 { 0.0 } else { self.residual().abs() / scale }
    }
}
