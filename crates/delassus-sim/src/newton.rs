//! Newton's iteration around the contact problem, for bodies whose forces are not linear within a step.
//!
//! ```text
//! r(v_k) + M̂_k (v_k − v) … :   v_free = v_k + w_k r(v_k) ,   U = Hᵀ v_free + W_k p  with the laws ,   v_{k+1} = v_free + w_k H p
//! until  |r(v_{k+1}) + H p|  on the free dofs is nothing beside the impulses that make it up
//! ```
//!
//! (Jean 1995 §3.) M̂_k has the tangent at v_k; the contacts are those of the contact configuration, with their frames. Linear bodies,
//! and bodies whose forces are linear in the displacements of one step, are done after the first iteration.

use delassus_contact::ContactKey;
use delassus_dynamics::integrator::{StepStart, first_guess};
use delassus_dynamics::{Integrator, ties};
use rayon::prelude::*;

use crate::contact_phase::Settled;
use crate::model::Model;
use crate::outcome::{Balancing, worse};
use crate::snapshot::Snapshot;

/// Iterations after which the step counts as not converged.
const MOST_ITERATIONS: usize = 30;

/// A Newton iteration under way.
pub(crate) struct Newton {
    /// Velocities of the bodies at the step's end, so far \[m/s\].
    pub v: Vec<Vec<f64>>,
    /// r(v) of the bodies \[N·s\].
    pub residuals: Vec<Vec<f64>>,
    /// Impulses to start from, in world axes, sorted by key \[N·s\].
    pub impulses: Vec<(ContactKey, Vec<f64>)>,
    pub balancing: Balancing,
}

impl Newton {
    pub fn new(integrator: &dyn Integrator, starts: &[StepStart<'_>], from: &Snapshot) -> Self {
        let v: Vec<Vec<f64>> = starts.iter().map(|s| first_guess(s.system(), s.from, s.h)).collect();
        Self {
            residuals: residuals(integrator, starts, &v),
            v,
            impulses: from.impulses.clone(),
            balancing: Balancing { iterations: 0, imbalance: 0.0 },
        }
    }

    /// Takes note of what the contact problem gave; true if there is nothing more to gain.
    pub fn is_done<const D: usize>(
        &mut self,
        model: &Model<D>,
        starts: &[StepStart<'_>],
        settled: &Settled<'_, D>,
    ) -> bool {
        self.balancing.iterations += 1;
        if !model.iterates() {
            return true;
        }
        self.v.clone_from(&settled.v_plus);
        self.residuals = residuals(&*model.integrator, starts, &self.v);
        self.impulses = settled.impulses();
        self.balancing.imbalance = imbalance(starts, &self.residuals, &settled.impulse);
        let hopeless = !self.balancing.imbalance.is_finite() || self.balancing.iterations >= MOST_ITERATIONS;
        self.balancing.is_balanced() || hopeless
    }
}

/// r(v) of every body, bodies in parallel.
fn residuals(integrator: &dyn Integrator, starts: &[StepStart<'_>], v: &[Vec<f64>]) -> Vec<Vec<f64>> {
    starts.par_iter().zip(v).map(|(s, v)| integrator.residual(s, v)).collect()
}

/// max |r(v⁺) + H p| on free dofs over the largest of |H p|, |h P|, |h f| and of what the supports carry, all bodies together.
fn imbalance(starts: &[StepStart<'_>], residuals: &[Vec<f64>], impulses: &[Vec<f64>]) -> f64 {
    let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, y| worse(m, y.abs()));
    let (mut left, mut scale) = (0.0, 0.0);
    for ((start, residual), impulse) in starts.iter().zip(residuals).zip(impulses) {
        let (system, h) = (start.system(), start.h);
        let mut sum: Vec<f64> = residual.iter().zip(impulse).map(|(r, p)| r + p).collect();
        scale = f64::max(scale, largest(impulse) + largest(&sum));
        // What holds tied dofs together is no imbalance.
        ties::gather(system.tied(), &mut sum);
        for &dof in system.prescribed() {
            sum[dof] = 0.0;
        }
        left = worse(left, largest(&sum));
        let mut force = vec![0.0; sum.len()];
        system.loads_into(start.from.t + h, &mut force);
        scale = f64::max(scale, h * largest(&force));
        start.force_into(&mut force);
        scale = f64::max(scale, h * largest(&force));
    }
    if left > 0.0 || left.is_nan() { left / scale } else { 0.0 }
}
