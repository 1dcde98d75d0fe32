//! A case being stepped, with all that is recorded of it and no files: what [`Simulation`](crate::Simulation) and `run` share.
//!
//! ```text
//! Loaded --checks, memory--> PreparedCase --start, factors--> Execution: stepper + records --> verdict
//! ```

use delassus_case::load::Loaded;
use delassus_case::lower::{Generate, Lowered};
use delassus_case::spec::Case;
use delassus_error::Interrupt;
use delassus_fem::Kinematics;
use delassus_sim::engine::Engine;
use delassus_sim::memory::Memory;
use delassus_sim::model::Model;
use delassus_sim::observer::{Frame, Observer, ObserverError};
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::start::{Equilibrium, Start};
use delassus_sim::stepper::{FailureReason, Standing, StepFailure, Stepper};
use delassus_sim::timings::Timings;
use delassus_verify::{PointTraction, Profile, Verification, verify};

use crate::checkpoint::Origin;
use crate::error::{RunError, SimulationError};
use crate::judgement::{Evidence, Judgement, Word, judge, judge_unfinished};
use crate::records::Records;
use crate::tractions::tractions;

/// Frames of a run whose case does not say how many it wants.
const USUAL_FRAMES: usize = 50;

/// Steps between two frames of a run.
pub(crate) fn steps_between_frames(loaded: &Loaded, n_steps: usize) -> usize {
    loaded.case.output.every.unwrap_or_else(|| n_steps.div_ceil(USUAL_FRAMES)).max(1)
}

/// Is it a body of finite strain whose places and speeds were of a sensible size before the step? Then numbers did not overflow: a cell or a material did not follow.
fn cannot_follow<const D: usize>(model: &Model<D>, body: usize, from: &Snapshot) -> bool {
    let elements = model.bodies[body].body.finite_elements();
    let is_finite_strain = elements.is_some_and(|b| matches!(b.kinematics(), Kinematics::FiniteStrain {}));
    let state = &from.states[body];
    is_finite_strain && state.q.iter().chain(&state.v).all(|x| x.abs() < SENSIBLE)
}

/// Far above any place or speed, and far below what overflows in an energy \[m, m/s\].
const SENSIBLE: f64 = 1e30;

/// The state a case starts from; what it is refused for is told at its place in the text.
pub(crate) fn find_start<const D: usize>(loaded: &Loaded, engine: &mut Engine<D>) -> Result<Start, RunError>
where
    Dimension<D>: Space<D>,
{
    Start::find(engine).map_err(|e| match loaded.locate(e) {
        Ok(other) => other.into(),
        Err(located) => located.into(),
    })
}

/// A case that has passed all checks of its model, and for which there is memory. Nothing is factored yet.
pub(crate) struct PreparedCase<const D: usize> {
    pub lowered: Lowered<D>,
    pub origin: Origin,
    engine: Engine<D>,
    timings: Timings,
}

impl<const D: usize> PreparedCase<D>
where
    Dimension<D>: Space<D>,
{
    /// Checks a case.
    pub fn new(loaded: &Loaded, interrupt: &Interrupt) -> Result<Self, RunError>
    where
        Dimension<D>: Generate<D>,
    {
        let mut timings = Timings::default();
        let lowered = loaded.lowered::<D>()?;
        let mut engine = Engine::new(&lowered.model)?.heeding(interrupt);
        Memory::of(&mut engine, 1)?.admit()?;
        timings.lap("load");
        let origin = Origin::of(loaded, &lowered);
        Ok(Self { lowered, origin, engine, timings })
    }

    /// At its start.
    pub fn start(mut self, loaded: &Loaded) -> Result<(Execution<D>, Option<Equilibrium>), RunError> {
        // The start has factors of its own, which are gone before those of the run are made.
        let Start { snapshot, equilibrium, .. } = find_start(loaded, &mut self.engine)?;
        self.timings.lap("start");
        let execution = self.execution(loaded, |engine, timings| Stepper::new(engine, snapshot, timings))?;
        Ok((execution, equilibrium))
    }

    /// At the end of another run.
    pub fn from(self, loaded: &Loaded, snapshot: Snapshot) -> Result<Execution<D>, RunError> {
        self.execution(loaded, |engine, timings| Stepper::new(engine, snapshot, timings))
    }

    /// Where another run of it stood. The records are still empty.
    pub fn at(self, loaded: &Loaded, standing: Standing<D>) -> Result<Execution<D>, RunError> {
        self.execution(loaded, |engine, timings| Stepper::at(engine, standing, timings))
    }

    fn execution(
        mut self,
        loaded: &Loaded,
        stepper: impl FnOnce(Engine<D>, Timings) -> Stepper<D>,
    ) -> Result<Execution<D>, RunError> {
        // Before any file: a body that cannot be factored is bad input, and leaves nothing behind.
        self.engine.prepare()?;
        self.timings.lap("factor");
        let Self { lowered, origin, engine, timings } = self;
        let every = steps_between_frames(loaded, lowered.model.n_steps);
        let records = Records::new(loaded, &lowered);
        Ok(Execution { case: loaded.case.clone(), lowered, origin, stepper: stepper(engine, timings), records, every })
    }
}

/// A case being stepped.
pub(crate) struct Execution<const D: usize> {
    pub case: Case,
    pub lowered: Lowered<D>,
    pub origin: Origin,
    pub stepper: Stepper<D>,
    pub records: Records,
    /// Nominal steps between two frames.
    every: usize,
}

/// Who watches an execution, after each accepted state has been recorded.
pub(crate) trait ExecutionWatch<const D: usize> {
    /// A state was accepted and recorded.
    fn recorded(&mut self, frame: &Frame<'_, D>, records: &Records) -> Result<(), ObserverError>;
    /// A line about a step that is out of the ordinary.
    fn note(&mut self, _text: &str) {}
    /// A step is cut: see [`Observer::cutting`].
    fn cutting(&mut self, _records: &Records) {}
}

/// Records first, then tells.
struct Recorder<'a, const D: usize> {
    records: &'a mut Records,
    watch: &'a mut dyn ExecutionWatch<D>,
}

impl<const D: usize> Observer<D> for Recorder<'_, D>
where
    Dimension<D>: Space<D>,
{
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), ObserverError> {
        self.records.add(frame);
        self.watch.recorded(frame, self.records)
    }

    fn note(&mut self, text: &str) {
        self.watch.note(text);
    }

    fn cutting(&mut self) {
        self.watch.cutting(self.records);
    }
}

impl<const D: usize> Execution<D>
where
    Dimension<D>: Space<D>,
{
    /// Records and shows the state it starts from.
    pub fn show_start(&mut self, watch: &mut dyn ExecutionWatch<D>) -> Result<(), ObserverError> {
        self.stepper.show(true, &mut Recorder { records: &mut self.records, watch })
    }

    /// One nominal step. After an error nothing is left of it.
    pub fn step(&mut self, watch: &mut dyn ExecutionWatch<D>) -> Result<(), StepFailure<D>> {
        let mark = self.records.mark();
        let (number, n) = (self.stepper.now().done + 1, self.stepper.model().n_steps);
        let is_output = number.is_multiple_of(self.every) || number == n;
        let mut recorder = Recorder { records: &mut self.records, watch };
        let stepped = self.stepper.step(is_output, &mut recorder);
        if stepped.is_err() {
            self.records.rewind(&mark);
        }
        stepped
    }

    /// The error of a run for a step that failed; `saved` is where its files are.
    pub fn error_of(&self, failure: StepFailure<D>, saved: Option<String>) -> RunError {
        let StepFailure { step, from, reason } = failure;
        let (model, time) = (self.stepper.model(), from.time());
        match reason {
            FailureReason::Interrupted(_) => {
                let now = self.stepper.now();
                SimulationError::Interrupted { done: now.done, n: model.n_steps, time: now.snapshot.time() }.into()
            }
            FailureReason::Observer(e) => e.into(),
            FailureReason::Step(e) => RunError::Step { step, time, saved, source: Box::new(e) },
            FailureReason::Rejected(outcome) => match outcome.overflown() {
                Some(bad) if cannot_follow(model, bad, &from) => {
                    RunError::NotFollowed { step, time, body: model.bodies[bad].name.clone(), h: outcome.h, saved }
                }
                Some(bad) => RunError::NotFinite { step, time, body: model.bodies[bad].name.clone(), saved },
                None if outcome.is_solved(model.solver_options.tolerance) => {
                    let worst = outcome.audit.worst().cloned().unwrap_or_default();
                    let what = format!("{} of `{}`", worst.topic.text(), worst.place);
                    RunError::Audit { step, time, what, error: worst.error, limit: worst.limit, saved }
                }
                None => RunError::NotConverged {
                    step,
                    time,
                    contacts: outcome.problem.n(),
                    law_error: outcome.certificate.law_error,
                    iterations: outcome.iterations(),
                    judged: outcome.description(),
                    tolerance: model.solver_options.tolerance,
                    h: outcome.h,
                    saved,
                },
            },
        }
    }

    /// Exact tractions along contacts at this moment, where the case names a solution that has them, with those that the last step left.
    pub fn profiles(&self) -> Vec<(Profile<'_>, Vec<PointTraction>)> {
        let solution = self.case.verify.as_ref().and_then(|v| v.solution.as_ref());
        let (Some(solution), Some(last)) = (solution, &self.stepper.now().last) else { return Vec::new() };
        let model = self.stepper.model();
        let is_single = |name: &str| model.pairs.iter().any(|p| p.name == name && p.n_passes() == 1);
        let profiles = solution.solution().profiles(last.outcome.snapshot.time());
        let single = profiles.into_iter().filter(|p| is_single(p.pair));
        single
            .map(|profile| (tractions(&profile, model, &last.outcome), profile))
            .map(|(found, p)| (p, found))
            .collect()
    }

    /// Errors against exact curves and lines, and checks, as far as the case asks for them; of the whole run.
    pub fn verification(&self) -> Option<Verification> {
        let spec = self.case.verify.as_ref()?;
        let mut out = verify(spec, &self.lowered.references, self.records.history());
        for (profile, found) in self.profiles() {
            out.errors.extend(profile.error(&found));
        }
        for (placed, found) in self.records.lines() {
            let errors = placed.line.error(found.map(|f| &f.record));
            out.checks.extend(placed.line.check(&errors));
            out.errors.push(errors);
        }
        Some(out)
    }

    /// What the run is judged by.
    pub fn evidence<'a>(&'a self, verification: Option<&'a Verification>) -> Evidence<'a> {
        let now = self.stepper.now();
        let (case, history) = (&self.case, self.records.history());
        Evidence { case, verdict: &now.verdict, history, verification, steps: now.step }
    }

    /// The verdict: that of the run if it is at its end, else what can be said so far.
    pub fn judgement(&self) -> Judgement {
        if self.stepper.is_finished() {
            return judge(&self.evidence(self.verification().as_ref()));
        }
        let (done, n) = (self.stepper.now().done, self.stepper.model().n_steps);
        let text = format!("The simulation has not come to its end: {done} of {n} steps are done.");
        judge_unfinished(&self.evidence(None), Word::Unfinished, text)
    }
}
