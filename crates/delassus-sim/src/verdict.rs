//! Numbers for the verdict, counted step by step.

use delassus_error::number;
use delassus_math as math;
use serde::{Deserialize, Serialize};

use crate::ledger::Ledger;
use crate::model::Model;
use crate::outcome::{Outcome, worse};
use crate::sightings::Sightings;
use crate::snapshot::Snapshot;

/// The largest value of something over a run, with where and when it was seen first.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Worst {
    /// The value; NaN is the largest of all.
    #[serde(with = "number")]
    pub value: f64,
    /// Step at whose end it was seen.
    pub step: usize,
    /// Time of that \[s\].
    #[serde(with = "number")]
    pub time: f64,
    /// Where: a body, a pair, a point.
    pub place: String,
}

impl Worst {
    /// Takes a value into account, seen at the end of a step.
    pub fn see(&mut self, value: f64, step: usize, time: f64, place: impl FnOnce() -> String) {
        let is_larger = value > self.value || value.is_nan();
        if is_larger && !self.value.is_nan() {
            *self = Self { value, step, time, place: place() };
        }
    }
}

/// How far a run can be trusted: the worst over all steps.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Verdict {
    /// Largest natural-map error of a contact law, scale-free.
    #[serde(with = "number")]
    pub law_error: f64,
    /// Largest relative residual of the energy ledger.
    #[serde(with = "number")]
    pub energy_residual: f64,
    /// Deepest penetration the law saw at a step's end \[m\].
    #[serde(with = "number")]
    pub max_penetration: f64,
    /// Deepest true penetration at a step's end \[m\].
    #[serde(with = "number")]
    pub true_penetration: f64,
    /// Steps accepted beyond tolerance.
    pub flagged: usize,
    /// Steps that were tried again with half the length.
    pub cuts: usize,
    /// Steps in which another solver took over from the first.
    #[serde(default)]
    pub takeovers: usize,
    /// Most sweeps and pivots in a step.
    pub max_iterations: usize,
    /// Sweeps and pivots of all steps.
    pub total_iterations: usize,
    /// Most contacts that acted at once.
    pub max_active: usize,
    /// Candidates found deep inside a body and left out, summed over the steps.
    pub too_deep: usize,
    /// Passes of bodies whose M̂ left out what stresses do in turning, because it was not positive definite with it.
    #[serde(default)]
    pub without_stresses: usize,
    /// Steps that were tried again with half the length because M̂ was not positive definite in any form; they are among the `cuts`.
    #[serde(default)]
    pub indefinite: usize,
    /// Largest ratio of inertia to internal forces, where it is to be small.
    #[serde(default, with = "number")]
    pub max_inertia: f64,
    /// Time during which it was larger than wanted \[s\].
    #[serde(default, with = "number")]
    pub restless_time: f64,
    /// Largest mean displacement of a body, over the size of the model.
    #[serde(default)]
    pub displacement: Worst,
    /// Largest rotation of a body of small strains as a whole \[rad\].
    #[serde(default)]
    pub rotation: Worst,
    /// Largest rotation of a cell of such a body \[rad\].
    #[serde(default)]
    pub cell_rotation: Worst,
    /// Largest error of the audit over its limit.
    #[serde(default)]
    pub audit: Worst,
    /// What rounding may make of the work of joints, and the tolerance of the laws of that of contacts \[J\].
    #[serde(default, with = "number")]
    pub joint_rounding: f64,
    /// What the surfaces of the bodies showed.
    #[serde(default)]
    pub sightings: Sightings,
}

impl Verdict {
    /// Takes a step into account.
    pub fn look_at<const D: usize>(&mut self, outcome: &Outcome<D>, ledger: &Ledger) {
        self.law_error = worse(self.law_error, outcome.certificate.law_error);
        self.energy_residual = worse(self.energy_residual, ledger.relative_residual());
        for t in &outcome.touches {
            self.max_penetration = self.max_penetration.max(-t.gap);
            self.true_penetration = self.true_penetration.max(-t.true_gap);
        }
        self.joint_rounding += outcome.joints.iter().map(|j| j.work.rounding).sum::<f64>();
        self.max_iterations = self.max_iterations.max(outcome.iterations());
        self.total_iterations += outcome.iterations();
        self.takeovers += usize::from(outcome.is_taken_over() && outcome.converged());
        let active = outcome.touches.iter().filter(|t| t.impulse.amax() > 0.0).count();
        self.max_active = self.max_active.max(active);
        self.too_deep += outcome.too_deep;
        self.without_stresses += outcome.balancing.without_stresses;
    }

    /// Takes into account what contact laws that hold to `tolerance` leave of the work of contacts: |p| times the velocity that is known no better, V = max(|U_free|, |W_αα| |p|).
    pub fn look_at_tolerance<const D: usize>(&mut self, outcome: &Outcome<D>, tolerance: f64) {
        let problem = &outcome.problem;
        let left = |(k, p): (usize, &delassus_solver::Vector<D>)| {
            let size = p.norm();
            size * problem.v_free[k].norm().max(problem.operator.diagonal(k).norm() * size)
        };
        self.joint_rounding += tolerance * outcome.solution.iter().enumerate().map(left).sum::<f64>();
    }

    /// Takes the audit of step `step` into account.
    pub fn look_at_audit<const D: usize>(&mut self, outcome: &Outcome<D>, step: usize) {
        if let Some(worst) = outcome.audit.worst() {
            let place = || format!("{} of `{}`", worst.topic.text(), worst.place);
            self.audit.see(worst.ratio(), step, outcome.snapshot.time(), place);
        }
    }

    /// Takes into account how far the bodies had turned at the end of step `step`.
    pub fn look_at_rotations<const D: usize>(&mut self, model: &Model<D>, outcome: &Outcome<D>, step: usize) {
        for (body, rotation) in model.bodies.iter().zip(&outcome.rotations) {
            let (Some(r), time) = (rotation, outcome.snapshot.time()) else { continue };
            self.rotation.see(r.mean, step, time, || body.name.clone());
            self.cell_rotation.see(r.largest, step, time, || format!("{}, cell {}", body.name, r.cell));
        }
    }

    /// Takes the places of the bodies at the end of step `step` into account.
    pub fn look_at_places<const D: usize>(&mut self, model: &Model<D>, size: f64, snapshot: &Snapshot, step: usize) {
        for (body, state) in model.bodies.iter().zip(&snapshot.states) {
            let u = body.body.displacements(&state.q);
            let n = (u.len() / D).max(1) as f64;
            let mean = |i: usize| u.iter().skip(i).step_by(D).sum::<f64>() / n;
            let distance = (0..D).map(mean).fold(0.0, |sum, u| sum + u * u).sqrt();
            // A single point mass at the origin has no size to compare with.
            if size > 0.0 || distance.is_nan() {
                self.displacement.see(distance / size, step, snapshot.time(), || body.name.clone());
            }
        }
    }

    /// The same for an evolution that is meant to be slow.
    pub fn look_at_inertia(&mut self, ratio: f64, most: f64, h: f64) {
        self.max_inertia = self.max_inertia.max(ratio);
        self.restless_time += if ratio > most { h } else { 0.0 };
    }
}

/// A body of small strains that turns, in words.
#[must_use]
pub fn turning(worst: &Worst) -> String {
    let Worst { value, step, time, place } = worst;
    let (angle, growth) = (value.to_degrees(), 100.0 * (1.0 / math::cos(*value) - 1.0));
    let grown = if *value < 1.5 {
        format!("small strains make it grow by {growth:.2} %")
    } else {
        "the rotation is not small".to_owned()
    };
    format!("body `{place}` has turned by {angle:.1}° (step {step}, t = {time:.4e} s): {grown}")
}

/// A body with a frame, or with one for each element: what is left of its rotation in there, in words.
#[must_use]
pub fn turning_in_frame(worst: &Worst) -> String {
    let Worst { value, step, time, place } = worst;
    format!(
        "parts of body `{place}` turn in its frame by {:.1}° on average (step {step}, t = {time:.4e} s)",
        value.to_degrees()
    )
}
