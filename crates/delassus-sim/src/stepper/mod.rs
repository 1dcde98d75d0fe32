//! A model stepped through time: the accepted state, what was counted, and what to do when a step fails.
//!
//! ```text
//! accepted state --step h--> within tolerance? --yes--> accept: ledger, verdict, surfaces, observers
//!                                  |no
//!                  policy: Stop            the nominal step fails
//!                          AcceptAndFlag   accept and count it
//!                          CutStep         two steps of h/2, each with one halving fewer; also where M̂ is not positive definite
//! ```
//!
//! A *nominal* step is one of the case's own length. It is done as a whole or not at all: whatever ends it with an error (no tolerance after the last
//! halving, an interrupt, an observer), the stepper is then in the state before it. Halves that had been accepted are dropped.

mod failure;

use std::sync::Arc;

use delassus_dynamics::integrator::energies;
use delassus_error::Interrupt;
use delassus_fem::BodyRotation;

use crate::engine::Engine;
use crate::error::SimError;
use crate::ledger::Ledger;
use crate::model::{FailurePolicy, Model};
use crate::observer::{Frame, Observer, ObserverError};
use crate::outcome::Outcome;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};
use crate::step::step;
use crate::surfaces::SurfaceView;
use crate::timings::Timings;
use crate::verdict::{Verdict, turning, turning_in_frame};

pub use failure::{FailureReason, StepFailure};

/// Where a stepper stands. A copy shares the states, so it costs little.
#[derive(Clone)]
pub struct Standing<const D: usize> {
    /// Nominal steps done.
    pub done: usize,
    /// Accepted steps, those of halved length included.
    pub step: usize,
    /// The accepted state.
    pub snapshot: Arc<Snapshot>,
    /// Energies so far.
    pub ledger: Ledger,
    /// What was counted so far.
    pub verdict: Verdict,
    /// The step that led here; none at the start, and after a checkpoint until the next step.
    pub last: Option<Arc<Arrival<D>>>,
}

/// An accepted step.
pub struct Arrival<const D: usize> {
    /// The state before it.
    pub from: Arc<Snapshot>,
    /// What it left.
    pub outcome: Outcome<D>,
    /// What the surfaces showed after it.
    pub seen: SurfaceView<D>,
}

/// Steps a model and applies the policy of its case.
pub struct Stepper<const D: usize> {
    engine: Engine<D>,
    now: Standing<D>,
    /// Size of the model \[m\].
    size: f64,
    /// Where the time goes.
    pub timings: Timings,
}

impl<const D: usize> Stepper<D>
where
    Dimension<D>: Space<D>,
{
    /// Stands at the start of a run.
    #[must_use]
    pub fn new(engine: Engine<D>, start: Snapshot, timings: Timings) -> Self {
        let ledger = initial_ledger(&engine.model, &start);
        let now =
            Standing { done: 0, step: 0, snapshot: Arc::new(start), ledger, verdict: Verdict::default(), last: None };
        Self::at(engine, now, timings)
    }

    /// Stands where another one stood.
    #[must_use]
    pub fn at(engine: Engine<D>, now: Standing<D>, timings: Timings) -> Self {
        let size = engine.model.size();
        Self { engine, now, size, timings }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model<D>> {
        &self.engine.model
    }

    /// Detector and operators.
    #[must_use]
    pub fn engine(&self) -> &Engine<D> {
        &self.engine
    }

    /// Where it stands.
    #[must_use]
    pub fn now(&self) -> &Standing<D> {
        &self.now
    }

    /// Are all nominal steps done?
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.now.done >= self.engine.model.n_steps
    }

    /// The accepted state as observers see it.
    #[must_use]
    pub fn frame(&self, is_output: bool) -> Frame<'_, D> {
        let Standing { step, snapshot, ledger, last, .. } = &self.now;
        Frame {
            model: &self.engine.model,
            step: *step,
            snapshot,
            ledger,
            from: last.as_ref().map(|l| &*l.from),
            outcome: last.as_ref().map(|l| &l.outcome),
            seen: last.as_ref().map(|l| &l.seen),
            is_output,
        }
    }

    /// From now on someone else may ask to stop.
    pub fn heed(&mut self, interrupt: &Interrupt) {
        self.engine.heed(interrupt);
    }

    /// Goes to another place of the run.
    pub fn go_to(&mut self, standing: Standing<D>) {
        self.now = standing;
    }

    /// The step of length `h` from a state as it was done: what led to a saved state is computed again instead of saved. Nothing is counted.
    ///
    /// # Errors
    /// Those of a step.
    pub fn retrace(&mut self, from: Arc<Snapshot>, h: f64) -> Result<Arrival<D>, SimError> {
        let outcome = step(&mut self.engine, &mut self.timings, &from, h)?;
        let model = Arc::clone(&self.engine.model);
        let seen = self.engine.surfaces()?.see(&model, &outcome)?;
        Ok(Arrival { from, outcome, seen })
    }

    /// Shows the accepted state to an observer.
    ///
    /// # Errors
    /// That of the observer.
    pub fn show(&mut self, is_output: bool, observer: &mut dyn Observer<D>) -> Result<(), ObserverError> {
        observer.observe(&self.frame(is_output))?;
        self.timings.lap("observe");
        Ok(())
    }

    /// One nominal step. `is_output` says whether frames are written of the state that it leads to.
    ///
    /// # Errors
    /// Whatever ends it; the stepper is then in the state before it.
    pub fn step(&mut self, is_output: bool, observer: &mut dyn Observer<D>) -> Result<(), StepFailure<D>> {
        let before = self.now.clone();
        let stepped = self.nominal(is_output, observer);
        match &stepped {
            Ok(()) => self.now.done += 1,
            Err(_) => self.now = before,
        }
        stepped
    }

    fn nominal(&mut self, is_output: bool, observer: &mut dyn Observer<D>) -> Result<(), StepFailure<D>> {
        self.engine.interrupt().check().map_err(|e| self.failed(FailureReason::Interrupted(e)))?;
        let (h, policy) = (self.engine.model.h, self.engine.model.policy);
        let halvings = match policy {
            FailurePolicy::CutStep { halvings } => halvings,
            FailurePolicy::Stop | FailurePolicy::AcceptAndFlag => 0,
        };
        self.advance(h, halvings, is_output, observer)
    }

    fn failed(&self, reason: FailureReason<D>) -> StepFailure<D> {
        StepFailure { step: self.now.step + 1, from: Arc::clone(&self.now.snapshot), reason }
    }

    /// One step of length `h`, or two of half its length when it fails.
    fn advance(
        &mut self,
        h: f64,
        halvings: u32,
        is_output: bool,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepFailure<D>> {
        let stepped = step(&mut self.engine, &mut self.timings, &self.now.snapshot, h);
        let outcome = match stepped {
            Ok(outcome) => outcome,
            // Masses count for more in a shorter step.
            Err(e) if halvings > 0 && e.is_indefinite() => {
                self.now.verdict.indefinite += 1;
                return self.halve(h, halvings, &e.to_string(), is_output, observer);
            }
            Err(e) => return Err(self.failed(e.into())),
        };
        let (policy, tolerance) = (self.engine.model.policy, self.engine.model.solver_options.tolerance);
        let number = self.now.step + 1;
        let finite = outcome.overflown().is_none();
        if finite && outcome.is_accepted(tolerance) {
            if outcome.is_taken_over() {
                observer.note(&format!("step {number}: {}", outcome.description()));
            }
            return self.accept(outcome, is_output, observer);
        }
        if finite && policy == FailurePolicy::AcceptAndFlag {
            self.now.verdict.flagged += 1;
            observer.note(&format!("step {number}: accepted with {}", outcome.description()));
            return self.accept(outcome, is_output, observer);
        }
        if halvings == 0 {
            return Err(self.failed(FailureReason::Rejected(Box::new(outcome))));
        }
        let description = outcome.description();
        // Its contact problem is not needed any more, and may be large.
        drop(outcome);
        self.halve(h, halvings, &description, is_output, observer)
    }

    /// Two steps of half the length.
    fn halve(
        &mut self,
        h: f64,
        halvings: u32,
        why: &str,
        is_output: bool,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepFailure<D>> {
        observer.cutting();
        self.now.verdict.cuts += 1;
        observer.note(&format!(
            "step {} at t = {:e} s: {why}; trying again with h = {:e} s",
            self.now.step + 1,
            self.now.snapshot.time(),
            0.5 * h
        ));
        self.advance(0.5 * h, halvings - 1, false, observer)?;
        self.advance(0.5 * h, halvings - 1, is_output, observer)
    }

    fn accept(
        &mut self,
        outcome: Outcome<D>,
        is_output: bool,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepFailure<D>> {
        let model = Arc::clone(&self.engine.model);
        let watched = self.engine.surfaces().and_then(|surfaces| surfaces.see(&model, &outcome));
        let seen = watched.map_err(|e| self.failed(e.into()))?;
        self.timings.lap("surfaces");
        let Standing { step, snapshot, ledger, verdict, last, .. } = &mut self.now;
        *ledger = ledger.after(&outcome);
        *step += 1;
        if let (0, Some(deep)) = (verdict.too_deep, &outcome.deep) {
            observer.note(&format!("step {step} at t = {:.4e} s: {deep}", outcome.snapshot.time()));
        }
        verdict.look_at(&outcome, ledger);
        verdict.look_at_tolerance(&outcome, model.solver_options.tolerance);
        verdict.look_at_audit(&outcome, *step);
        verdict.look_at_places(&model, self.size, &outcome.snapshot, *step);
        let turned = verdict.rotation.value;
        verdict.look_at_rotations(&model, &outcome, *step);
        if turned < BodyRotation::NOTICEABLE && verdict.rotation.value >= BodyRotation::NOTICEABLE {
            let named = model.bodies.iter().find(|body| body.name == verdict.rotation.place);
            let is_framed = named.is_some_and(|body| body.body.turning().is_some());
            let text = if is_framed { turning_in_frame } else { turning };
            observer.note(&text(&verdict.rotation));
        }
        if let Some(most) = model.integrator.max_inertia() {
            verdict.look_at_inertia(outcome.inertia_ratio(), most, outcome.h);
        }
        for text in verdict.sightings.look_at(&model, &seen, *step, outcome.snapshot.time()) {
            observer.note(&text);
        }
        let from = std::mem::replace(snapshot, Arc::new(outcome.snapshot.clone()));
        *last = Some(Arc::new(Arrival { from, outcome, seen }));
        let shown = self.show(is_output, observer);
        let Standing { step, snapshot, .. } = &self.now;
        shown.map_err(|e| StepFailure { step: *step, from: Arc::clone(snapshot), reason: FailureReason::Observer(e) })
    }
}

/// The ledger at t = 0.
fn initial_ledger<const D: usize>(model: &Model<D>, snapshot: &Snapshot) -> Ledger {
    let (mut kinetic, mut elastic) = (0.0, 0.0);
    for (body, state) in model.bodies.iter().zip(&snapshot.states) {
        let (k, e) = energies(&*body.body, state);
        kinetic += if model.integrator.has_inertia() { k } else { 0.0 };
        elastic += e;
    }
    Ledger::new(kinetic, elastic)
}
