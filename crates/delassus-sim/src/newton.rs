//! Newton's iteration around the contact problem, for bodies whose forces are not linear within a step.
//!
//! ```text
//! r(v_k) + M̂_k (v_k − v) … :   v_free = v_k + w_k r(v_k) ,   U = Hᵀ v_free + W_k p  with the laws ,   v_{k+1} = v_free + w_k H p
//! until  |r(v_{k+1}) + H p|  on the free dofs is nothing beside the impulses that make it up, or no longer falls and is rounding
//! ```
//!
//! (Jean 1995 §3; the measure and what rounding leaves: `imbalance`.) M̂_k has the tangent at v_k; the contacts are those of the contact
//! configuration, with their frames. Linear bodies, and bodies whose forces are linear in the displacements of one step, need one iteration. An
//! iteration that no longer reduces an imbalance above rounding is continued, because it may have overshot. At the limit of iterations the step
//! counts as not converged.

use std::borrow::Cow;

use delassus_contact::ContactKey;
use delassus_dynamics::Integrator;
use delassus_dynamics::integrator::{StepStart, first_guess};

use crate::contact_phase::Settled;
use crate::imbalance::{Imbalance, Internal, TrialEnd, rounding};
use crate::model::Model;
use crate::outcome::Balancing;
use crate::parallel::prelude::*;
use crate::snapshot::Snapshot;

/// Iterations after which the step counts as not converged.
const MOST_ITERATIONS: usize = 30;

/// An iteration that leaves more than this fraction of the previous imbalance counts as stalled.
const STALLED: f64 = 0.5;

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
            residuals: starts.par_iter().zip(&v).map(|(s, v)| integrator.first_residual(s, v)).collect(),
            v,
            impulses: from.impulses.clone(),
            balancing: Balancing::default(),
        }
    }

    /// r(v⁺) of every body; an iteration has it already.
    pub fn residuals_at<'a, const D: usize>(
        &'a self,
        settled: &Settled<'_, D>,
        model: &Model<D>,
        starts: &[StepStart<'_>],
    ) -> Cow<'a, [Vec<f64>]> {
        if model.iterates() {
            return Cow::Borrowed(&self.residuals);
        }
        Cow::Owned(residuals(&*model.integrator, starts, &settled.v_plus))
    }

    /// Stores the result of the contact problem; returns true if the iteration has converged or can no longer
    /// improve.
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
        let end = TrialEnd { starts, v: &self.v, impulses: &settled.impulse };
        let (found, before) = (Imbalance::of(end, &self.residuals, Internal::AtStart), self.balancing.imbalance);
        self.balancing.imbalance = found.relative();
        self.balancing.rounding = 0.0;
        let stalled = self.balancing.iterations > 1 && self.balancing.imbalance > STALLED * before;
        let last = self.balancing.iterations >= MOST_ITERATIONS;
        if (stalled || last) && !self.balancing.is_balanced() {
            self.balancing.rounding = found.part(rounding(&*model.integrator, end));
        }
        self.balancing.is_balanced() || last || !self.balancing.imbalance.is_finite()
    }
}

/// r(v) of every body, bodies in parallel.
fn residuals(integrator: &dyn Integrator, starts: &[StepStart<'_>], v: &[Vec<f64>]) -> Vec<Vec<f64>> {
    starts.par_iter().zip(v).map(|(s, v)| integrator.residual(s, v)).collect()
}
