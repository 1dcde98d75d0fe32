//! Bonds of springs with damage: the common part of such laws. A law of this kind gives the stiffness at damage d and the growth of
//! d.
//!
//! ```text
//! p = p̃ − h k (g₊, u_T),   k = k(d⁺),   d⁺ = d(opening where the law looks)      (g₊, u_T) = opening
//! p̃: Signorini on the gap and Coulomb's friction
//! ```
//!
//! Jean, Acary & Monerie 2001, §6 e, with the signs of springs that attract. As a change of variables, for a given k,
//!
//! ```text
//! S = h τ k,   s = h k (g_c, u_Tc),   a_N = g_c/τ
//! ```
//!
//! g < 0 does not occur in a solution of Signorini's condition, so that s_N + S_N U_N is the spring in tension alone.
//!
//! The outer fixed point starts from the old damage. Softening makes it monotone: more damage, softer bond, wider opening, more damage; it ends
//! at the least damage that the step allows. A handful of iterations is usual; its changes shrink by a ratio of 4 W S/(1 + W S), near 1 next to
//! a fold, where the bond is about to snap: there the iterations are extrapolated (module `implicit`), and the caller may still need a shorter
//! step. (A model of each bond as a spring on a support of its own would cross the fold quickly at a single point, but it cycles if contacts of
//! one body are coupled.)
//!
//! Energy over a step, with k and k⁺ of its ends: the bond is worn where the step starts, and its springs then go with k⁺ from u to u⁺. The work on this
//! path is that of the springs' force by trapezoids, which are exact,
//!
//! ```text
//! W = ½ (k⁺ u + k⁺ u⁺)·Δu = Δ(½ k u²) + ½ (k − k⁺) u² [damage]
//! ```
//!
//! whatever damage depends on. Where the bond's impulse acts over the path of the step (τ = rest, no drift; R = bond/h), −R·Δu = W + ½ k⁺ |Δu|² [time step].

use super::statement::{self, tangent};
use super::{ContactInput, ContactLaw, HistoryEntry, LawEnergy, StepTimes};
use crate::linalg::Vector;
use crate::problem::{Cone, Derived};
use crate::solution::ContactSolution;

/// Stiffness of a bond, normal and along the contact [N/m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Springs {
    pub(super) normal: f64,
    pub(super) tangential: f64,
}

/// How far a bond is drawn: g₊ and ‖u_T‖ \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Opening {
    pub(super) normal: f64,
    pub(super) tangential: f64,
}

impl Springs {
    /// The diagonal of k.
    fn diagonal<const D: usize>(self) -> Vector<D> {
        Vector::<D>::from_fn(|i, _| if i == 0 { self.normal } else { self.tangential })
    }

    /// ½ k u² of an opening (g₊, u_T) \[J\].
    fn energy<const D: usize>(self, opening: &Vector<D>) -> f64 {
        0.5 * opening.component_mul(opening).dot(&self.diagonal())
    }
}

impl Opening {
    fn of<const D: usize>(opening: &Vector<D>) -> Self {
        Self { normal: opening[0], tangential: tangent(opening).norm() }
    }

    /// C_N g₊² + C_T u_T².
    pub(super) fn squared(self, normal: f64, tangential: f64) -> f64 {
        normal * self.normal * self.normal + tangential * self.tangential * self.tangential
    }
}

/// A bond of springs with damage d: 0 intact, 1 broken.
pub(super) trait DamageLaw: Send + Sync {
    /// The springs of an intact bond.
    fn intact(&self, area: f64) -> Springs;

    /// What damage leaves of them, 1 … 0.
    fn left(&self, damage: f64) -> f64;

    /// Damage at the end of a step, ≥ `old`; `before` and `opening` are those of the step's start and where the law looks.
    fn grow(&self, old: f64, before: Opening, opening: Opening, step: &StepTimes) -> f64;

    /// Friction coefficient of the step that starts with this damage.
    fn friction(&self, old: f64) -> f64;
}

/// The history: z = [d, u_T (D), bond_energy, damage_energy].
const HISTORY: [HistoryEntry; 4] = [
    HistoryEntry::scalar("damage"),
    HistoryEntry::vector("tangential_displacement"),
    HistoryEntry::scalar("bond_energy"),
    HistoryEntry::scalar("damage_energy"),
];

/// A bond over one step.
struct Bond<'a, const D: usize> {
    x: &'a ContactInput<D>,
    step: &'a StepTimes,
    /// Damage at the start.
    old: f64,
    /// u_T at the start.
    slid: Vector<D>,
}

impl<'a, const D: usize> Bond<'a, D> {
    fn new(x: &'a ContactInput<D>, step: &'a StepTimes, z: &[f64]) -> Self {
        Self { x, step, old: z[0], slid: tangent(&Vector::<D>::from_column_slice(&z[1..=D])) }
    }

    /// (g_c, u_Tc).
    fn configured(&self) -> Vector<D> {
        let mut u = self.slid + tangent(&self.x.drift);
        u[0] = self.x.gap;
        u
    }

    /// (g, u_T) after `time` at U from the contact configuration, only g > 0 counting.
    fn after(&self, time: f64, velocity: &Vector<D>) -> Vector<D> {
        drawn(self.configured() + velocity * time)
    }

    /// (g₊, u_T) at the start of the step.
    fn before(&self) -> Vector<D> {
        let mut u = self.slid;
        u[0] = self.x.gap_before();
        drawn(u)
    }

    /// Where the law looks.
    fn seen(&self, velocity: &Vector<D>) -> Vector<D> {
        self.after(self.step.gap_time, velocity)
    }

    fn damage(&self, law: &impl DamageLaw, opening: Opening) -> f64 {
        law.grow(self.old, Opening::of(&self.before()), opening, self.step)
    }

    /// Damage at the end of the step, of a velocity.
    fn damage_of(&self, law: &impl DamageLaw, velocity: &Vector<D>) -> f64 {
        self.damage(law, Opening::of(&self.seen(velocity)))
    }

    /// The bond's impulse with springs `k` at an opening.
    fn impulse(&self, k: Springs, opening: &Vector<D>) -> Vector<D> {
        opening.component_mul(&k.diagonal()) * -self.step.h
    }

    /// The springs with damage `d`.
    fn springs(&self, law: &impl DamageLaw, d: f64) -> Springs {
        let (intact, left) = (law.intact(self.x.area), law.left(d));
        Springs { normal: left * intact.normal, tangential: left * intact.tangential }
    }
}

/// Only g > 0 draws a bond.
fn drawn<const D: usize>(mut opening: Vector<D>) -> Vector<D> {
    opening[0] = opening[0].max(0.0);
    opening
}

impl<L: DamageLaw, const D: usize> ContactLaw<D> for L {
    fn history_entries(&self) -> &'static [HistoryEntry] {
        &HISTORY
    }

    fn start(&self, at_start: bool, z: &mut [f64]) {
        z.fill(0.0);
        z[0] = if at_start { 0.0 } else { 1.0 };
    }

    fn reaches(&self, z: &[f64]) -> bool {
        z[0] < 1.0
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
        let bond = Bond::new(x, step, z);
        let k = bond.springs(self, iterate.map_or(bond.old, |out| bond.damage_of(self, &out.velocity))).diagonal();
        let mut derived = Derived::standard(Cone::Coulomb(self.friction(bond.old)));
        derived.v_shift[0] = x.gap / step.gap_time;
        derived.spring = k * (step.h * step.gap_time);
        derived.p_shift = bond.configured().component_mul(&k) * step.h;
        derived
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let bond = Bond::new(x, step, z);
        let seen = bond.seen(&out.velocity);
        let pull = bond.impulse(bond.springs(self, bond.damage(self, Opening::of(&seen))), &seen);
        // What the bond does not explain is a push and friction.
        let push = out.impulse - pull;
        let opening = x.gap / step.gap_time + out.velocity[0];
        statement::contact(opening, self.friction(bond.old), &out.velocity, &push, &out.scale)
    }

    fn commit(
        &self,
        x: &ContactInput<D>,
        out: &ContactSolution<D>,
        step: &StepTimes,
        old: &[f64],
        new: &mut [f64],
    ) -> LawEnergy<D> {
        let bond = Bond::new(x, step, old);
        let damage = bond.damage_of(self, &out.velocity);
        let (before, after) = (bond.springs(self, bond.old), bond.springs(self, damage));
        let end = bond.after(step.rest, &out.velocity);
        let start = bond.before();
        let dissipated = (before.energy(&start) - after.energy(&start)).max(0.0);
        let stored = after.energy(&end);
        new[0] = damage;
        new[1..=D].copy_from_slice(tangent(&end).as_slice());
        new[D + 1] = stored;
        new[D + 2] = old[D + 2] + dissipated;
        let forces = (start + end).component_mul(&after.diagonal());
        LawEnergy {
            bond: bond.impulse(after, &bond.seen(&out.velocity)),
            stored: stored - old[D + 1],
            dissipated,
            friction: 0.0,
            path_work: 0.5 * forces.dot(&(end - start)),
            remainder: old[D + 1] - before.energy(&start),
        }
    }
}
