//! Newton's iteration around the contact problem, for bodies whose forces are not linear within a step.
//!
//! ```text
//! r(v_k) + M̂_k (v_k − v) … :   v_free = v_k + w_k r(v_k) ,   U = Hᵀ v_free + W_k p  with the laws ,   v_{k+1} = v_free + w_k H p
//! v_free ← v_free + δ ,   δ = w (r(v_k) + H p) ,    the same for a constant w: of bodies that turn, where δ is brought closer to the tangent of the forces
//! until  |r(v_{k+1}) + H p|  on the free dofs is nothing beside the impulses that make it up, or no longer falls and is rounding
//! ```
//!
//! (Jean 1995 §3; the measure and what rounding leaves: `imbalance`.) M̂_k has the tangent at v_k; the contacts are those of the contact
//! configuration, with their frames. Linear bodies, and bodies whose forces are linear in the displacements of one step, need one iteration. An
//! iteration that no longer reduces an imbalance above rounding is continued, because it may have overshot. At the limit of iterations the step
//! counts as not converged. In statics, where no mass helps an operator that is not the derivative of the forces, passes are accelerated ([`Mixing`]).

use std::borrow::Cow;

use delassus_contact::ContactKey;
use delassus_dynamics::integrator::{FramePass, StepStart};
use delassus_dynamics::{Integrator, Operator};
use delassus_solver::Mixing;

use crate::contact_phase::Settled;
use crate::error::SimError;
use crate::held::not_held;
use crate::imbalance::{Imbalance, Internal, TrialEnd, rounding};
use crate::model::Model;
use crate::outcome::Balancing;
use crate::parallel::prelude::*;
use crate::snapshot::Snapshot;
use crate::velocities::corrected;

/// Iterations after which the step counts as not converged.
const MOST_ITERATIONS: usize = 30;

/// The same where a body is held by its contacts alone: it may have to come to them first.
const MOST_PROXIMAL: usize = 100;

/// An iteration that leaves more than this fraction of the previous imbalance counts as stalled.
const STALLED: f64 = 0.5;

/// What may be left along a free rigid motion in statics, over its scale, while passes still reduce it: a hundredth of what the ledger may.
const RESULTANT: f64 = 1e-10;

/// Most that rounding excuses in statics.
const ROUNDED: f64 = 1e-8;

/// An imbalance that grows by this factor ends the acceleration of passes, which begins anew.
const WORSE: f64 = 10.0;

/// A Newton iteration under way.
pub(crate) struct Newton {
    /// Velocities of the bodies at the step's end, so far \[m/s\].
    pub v: Vec<Vec<f64>>,
    /// The velocities at which the search began \[m/s\].
    guess: Vec<Vec<f64>>,
    /// r(v) of the bodies \[N·s\].
    pub residuals: Vec<Vec<f64>>,
    /// Impulses to start from, in world axes, sorted by key \[N·s\].
    pub impulses: Vec<(ContactKey, Vec<f64>)>,
    pub balancing: Balancing,
    /// What the last pass left along free rigid motions, in statics.
    resultant: f64,
    /// The last pass, none before the first.
    last: Option<LastPass>,
    /// Passes so far, in statics.
    mixing: Mixing,
}

/// What a pass leaves to the next.
struct LastPass {
    /// v_free of the bodies \[m/s\].
    free: Vec<Vec<f64>>,
    /// H p on their dofs \[N·s\].
    impulses: Vec<Vec<f64>>,
}

impl Newton {
    pub fn new(integrator: &dyn Integrator, starts: &[StepStart<'_>], from: &Snapshot) -> Self {
        let v: Vec<Vec<f64>> = starts.iter().map(|s| integrator.first_guess(s)).collect();
        Self {
            residuals: starts.par_iter().zip(&v).map(|(s, v)| integrator.first_residual(s, v)).collect(),
            guess: v.clone(),
            v,
            impulses: from.impulses.clone(),
            balancing: Balancing::default(),
            resultant: f64::INFINITY,
            last: None,
            mixing: Mixing::default(),
        }
    }

    /// v_free of body `i`. The operator of a body that turns with one frame is the same in all passes: what they found is kept, and δ alone is added.
    pub fn free_velocity(
        &self,
        integrator: &dyn Integrator,
        i: usize,
        start: &StepStart<'_>,
        w: &mut Operator,
    ) -> Vec<f64> {
        let has_one_frame = integrator.strain_level().is_some() && !integrator.operator_varies(start.system());
        let (Some(last), Some(body), Some(frame), true) =
            (&self.last, start.system().turning(), &start.turning, has_one_frame)
        else {
            return corrected(w, &self.v[i], &self.residuals[i]);
        };
        let cause: Vec<f64> = self.residuals[i].iter().zip(&last.impulses[i]).map(|(r, p)| r + p).collect();
        let mut correction = cause.clone();
        w.apply(&mut correction);
        body.turn_on(frame, &cause, &mut correction);
        last.free[i].iter().zip(&correction).map(|(v, d)| v + d).collect()
    }

    /// The pass that comes.
    pub fn pass(&self) -> FramePass {
        if self.balancing.iterations == 0 { FramePass::First } else { FramePass::Later }
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
        v_free: &[Vec<f64>],
    ) -> bool {
        self.balancing.iterations += 1;
        if !model.iterates() {
            return true;
        }
        let began = std::mem::replace(&mut self.v, settled.v_plus.clone());
        self.last = Some(LastPass { free: v_free.to_vec(), impulses: settled.impulse.clone() });
        self.residuals = residuals(&*model.integrator, starts, &self.v);
        self.impulses = settled.impulses();
        let end = TrialEnd { starts, v: &self.v, impulses: &settled.impulse };
        let (found, before) =
            (Imbalance::of(&*model.integrator, end, &self.residuals, Internal::AtStart), self.balancing.imbalance);
        self.balancing.imbalance = found.relative();
        self.balancing.rounding = 0.0;
        let stalled = self.balancing.iterations > 1 && self.balancing.imbalance > STALLED * before;
        let limit = if model.floats() { MOST_PROXIMAL } else { MOST_ITERATIONS };
        let last = self.balancing.iterations >= limit;
        if (stalled || last) && !self.balancing.is_balanced() {
            let explained = found.part(rounding(&*model.integrator, end));
            // In statics velocities grow without end where nothing resists. The rounding of them must not excuse what is left; that of the motion that the step
            // began with may.
            let most = if model.integrator.has_inertia() {
                f64::INFINITY
            } else {
                found.part(rounding(&*model.integrator, TrialEnd { v: &self.guess, ..end })).max(ROUNDED)
            };
            self.balancing.rounding = explained.min(most);
        }
        let falls = found.resultant > RESULTANT && found.resultant <= STALLED * self.resultant;
        self.resultant = found.resultant;
        let done = (self.balancing.is_balanced() && !falls) || last || !self.balancing.imbalance.is_finite();
        if !done && !model.integrator.has_inertia() {
            if self.balancing.iterations > 1 && self.balancing.imbalance > WORSE * before {
                self.mixing.restart();
            }
            let mixed = self.mixing.next(&began.concat(), &settled.v_plus.concat());
            self.v = per_body(&mixed, &settled.v_plus);
            self.residuals = residuals(&*model.integrator, starts, &self.v);
        }
        done
    }

    /// Refuses a step of statics that is out of balance because nothing holds a body.
    pub fn refuse_floating<const D: usize>(
        &self,
        model: &Model<D>,
        starts: &[StepStart<'_>],
        settled: &Settled<'_, D>,
    ) -> Result<(), SimError> {
        if self.balancing.is_balanced() || !model.floats() {
            return Ok(());
        }
        let sum = |(r, p): (&Vec<f64>, &Vec<f64>)| r.iter().zip(p).map(|(r, p)| r + p).collect();
        not_held(model, starts, self.residuals.iter().zip(&settled.impulse).map(sum)).map_or(Ok(()), Err)
    }
}

/// r(v) of every body, bodies in parallel.
fn residuals(integrator: &dyn Integrator, starts: &[StepStart<'_>], v: &[Vec<f64>]) -> Vec<Vec<f64>> {
    starts.par_iter().zip(v).map(|(s, v)| integrator.residual(s, v)).collect()
}

/// The numbers of all bodies one after the other, divided as `like`.
fn per_body(all: &[f64], like: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut rest = all;
    let mut out = Vec::with_capacity(like.len());
    for body in like {
        let (own, others) = rest.split_at(body.len());
        out.push(own.to_vec());
        rest = others;
    }
    out
}
