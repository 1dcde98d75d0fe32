//! Newton's iteration around the contact problem, for bodies whose forces are not linear within a step.
//!
//! ```text
//! r(v_k) + M̂_k (v_k − v) … :   v_free = v_k + w_k r(v_k) ,   U = Hᵀ v_free + W_k p  with the laws ,   v_{k+1} = v_free + w_k H p
//! until  |r(v_{k+1}) + H p|  on the free dofs is nothing beside the impulses that make it up
//! ```
//!
//! (Jean 1995 §3.) M̂_k has the tangent at v_k; the contacts are those of the contact configuration, with their frames. Linear bodies,
//! and bodies whose forces are linear in the displacements of one step, are done after the first turn.

use delassus_contact::ContactKey;
use delassus_dynamics::System;
use delassus_dynamics::integrator::first_guess;

use crate::contact_phase::Settled;
use crate::model::Model;
use crate::outcome::Snapshot;

/// Out-of-balance impulse over the impulses at which the iteration ends.
const BALANCED: f64 = 1e-10;

/// Turns after which the step counts as not converged.
const MOST_ITERATIONS: usize = 30;

/// How an iteration went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balancing {
    /// Turns taken.
    pub iterations: usize,
    /// Largest out-of-balance impulse over the impulses of loads, internal forces and contacts; 0 where it vanishes by construction.
    pub imbalance: f64,
}

impl Balancing {
    /// Is the step in balance?
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        self.imbalance <= BALANCED
    }
}

/// A Newton iteration under way.
pub(crate) struct Newton {
    /// Velocities of the bodies at the step's end, so far \[m/s\].
    pub v: Vec<Vec<f64>>,
    /// Impulses to start from, in world axes, sorted by key \[N·s\].
    pub impulses: Vec<(ContactKey, Vec<f64>)>,
    pub balancing: Balancing,
}

impl Newton {
    pub fn new<const D: usize>(model: &Model<D>, from: &Snapshot, h: f64) -> Self {
        let guess = |(b, s)| first_guess(b, s, h);
        let bodies = model.bodies.iter().map(|b| &b.body as &dyn System);
        Self {
            v: bodies.zip(&from.states).map(guess).collect(),
            impulses: from.impulses.clone(),
            balancing: Balancing { iterations: 0, imbalance: 0.0 },
        }
    }

    /// Takes note of what the contact problem gave; true if there is nothing more to gain.
    pub fn is_done<const D: usize>(
        &mut self,
        model: &Model<D>,
        from: &Snapshot,
        settled: &Settled<'_, D>,
        h: f64,
    ) -> bool {
        self.balancing.iterations += 1;
        if !model.iterates() {
            return true;
        }
        self.v.clone_from(&settled.v_plus);
        self.impulses = settled.impulses();
        self.balancing.imbalance = imbalance(model, from, settled, h);
        let hopeless = !self.balancing.imbalance.is_finite() || self.balancing.iterations >= MOST_ITERATIONS;
        self.balancing.is_balanced() || hopeless
    }
}

/// max |r(v⁺) + H p| on free dofs over max |h f| + max |h P| + max |H p|, all bodies together.
fn imbalance<const D: usize>(model: &Model<D>, from: &Snapshot, settled: &Settled<'_, D>, h: f64) -> f64 {
    let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, y| if y.is_nan() { f64::NAN } else { m.max(y.abs()) });
    let (mut left, mut scale) = (0.0, 0.0);
    for (i, (body, state)) in model.bodies.iter().zip(&from.states).enumerate() {
        let system: &dyn System = &body.body;
        let (v, impulse) = (&settled.v_plus[i], &settled.impulse[i]);
        let mut sum = model.integrator.residual(system, state, v, h);
        sum.iter_mut().zip(impulse).for_each(|(r, p)| *r += p);
        // what acts on supports is theirs to carry, and a measure of what acts at all
        scale = f64::max(scale, largest(impulse) + largest(&sum));
        for &dof in system.prescribed() {
            sum[dof] = 0.0;
        }
        let here = largest(&sum);
        left = if here.is_nan() { here } else { f64::max(left, here) };
        let mut force = vec![0.0; v.len()];
        system.loads_into(state.t + h, &mut force);
        scale = f64::max(scale, h * largest(&force));
        system.force_at_into(state, &mut force);
        scale = f64::max(scale, h * largest(&force));
    }
    if left > 0.0 || left.is_nan() { left / scale } else { 0.0 }
}
