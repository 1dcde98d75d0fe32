//! A whole run: steps, the policy when a step fails, observers, checkpoints. `ending.rs` has the end of a run.

mod ending;

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use delassus_case::load::Loaded;
use delassus_case::lower::{Generate, Lowered};
use delassus_case::spec::FailurePolicy;
use delassus_error::{InternalError, Interrupt};
use delassus_fem::BodyRotation;
use delassus_sim::engine::Engine;
use delassus_sim::error::SimError;
use delassus_sim::ledger::Ledger;
use delassus_sim::memory::Memory;
use delassus_sim::model::Model;
use delassus_sim::observer::{Frame, Observer};
use delassus_sim::outcome::Outcome;
use delassus_sim::record::Columns;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::surfaces::SurfaceView;
use delassus_sim::timings::Timings;
use delassus_sim::verdict::{Verdict, turning};
use delassus_verify::{ExactCurves, SolutionSpec};

use crate::checkpoint::{Cadence, Checkpoint, FoundCheckpoint, Kept, Origin};
use crate::error::{FolderError, RunError};
use crate::lock::{Holder, Lock};
use crate::results::{Folder, MARK};
use crate::saved::{Saved, find_saved};
use crate::status::{RunState, RunStatus, StopError};
use crate::threads::Threads;
use crate::writer::{ContactFrames, FieldFrames, HistoryFile, LineFiles, ObstacleFrames, Writer};

pub use crate::monitor::{Monitor, Silent};
pub use crate::summary::Summary;

/// Frames of a run whose case does not say how many it wants.
const USUAL_FRAMES: usize = 50;

/// Messages of a run that are shown as they come.
const SHOWN_NOTES: usize = 20;

/// Steps between two frames of a run.
pub(crate) fn steps_between_frames(loaded: &Loaded, n_steps: usize) -> usize {
    loaded.case.output.every.unwrap_or_else(|| n_steps.div_ceil(USUAL_FRAMES)).max(1)
}

/// The initial state of a case; problems are reported at their place in the text.
pub(crate) fn find_start<const D: usize>(loaded: &Loaded, engine: &mut Engine<D>) -> Result<Start, RunError>
where
    Dimension<D>: Space<D>,
{
    Start::find(engine).map_err(|e| match loaded.locate(e) {
        Ok(other) => other.into(),
        Err(located) => located.into(),
    })
}

/// How a run is to be done.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Results folder; `results/<case>` when absent.
    pub out: Option<PathBuf>,
    /// Replace earlier results.
    pub force: bool,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
    /// Continue the run in the folder.
    pub resume: bool,
    /// When the state is saved.
    pub checkpoints: Cadence,
    /// Raised from outside: the run is to drop its step, save its state and stop.
    pub stop: Interrupt,
}

/// Runs a case to its end. Nothing is written before the case has been checked.
pub fn run_case(loaded: &Loaded, options: &RunOptions, monitor: &mut dyn Monitor) -> Result<Summary, RunError> {
    let Threads { pool, note } = Threads::start(options.threads)?;
    if let Some(note) = note {
        monitor.message(&note);
    }
    pool.install(|| match loaded.case.dimension {
        2 => run_in::<2>(loaded, options, monitor),
        3 => run_in::<3>(loaded, options, monitor),
        other => Err(loaded.unsupported_dimension(other).into()),
    })
}

fn run_in<const D: usize>(loaded: &Loaded, options: &RunOptions, monitor: &mut dyn Monitor) -> Result<Summary, RunError>
where
    Dimension<D>: Generate<D>,
{
    let started = Instant::now();
    let mut timings = Timings::default();
    let out = options.out.clone().unwrap_or_else(|| loaded.results_folder());
    let lowered = loaded.lowered::<D>()?;
    let model = &lowered.model;
    let mut engine = Engine::new(model)?.heeding(&options.stop);
    Memory::of(&mut engine, 1)?.admit()?;
    timings.lap("load");
    let origin = Origin::of(loaded, &lowered);
    // What is there to go on with must not change while it is read.
    let held = if options.resume && is_there(&out)? { Some(Lock::take(&out, Holder::Run)?) } else { None };
    let saved = if options.resume { find_saved(&out, loaded, &origin, model, monitor)? } else { Saved::Nothing };
    // The start has factors of its own, which are gone before those of the run are made.
    let start = if matches!(saved, Saved::State(_)) { None } else { Some(find_start(loaded, &mut engine)?) };
    timings.lap("start");
    // Before any file: a body that cannot be factored is bad input, and leaves nothing behind.
    engine.prepare()?;
    timings.lap("factor");
    let _lock = match held {
        Some(lock) => lock,
        None => Folder::open(&out).hold(Holder::Run)?,
    };
    let folder = match saved {
        Saved::State(_) | Saved::Beginning => Folder::open(&out),
        Saved::Nothing => Folder::create(&out, options.force)?,
    };
    let purpose = Purpose { origin, options: options.clone() };
    let mut runner = Runner::new(&lowered, engine, loaded, folder, timings, purpose);
    match (saved, start) {
        (Saved::State(found), _) => runner.resume(*found)?,
        (_, Some(start)) => runner.begin(loaded, start)?,
        _ => return Err(InternalError("a run without a start".into()).into()),
    }
    monitor.started(&loaded.case.title, model.n_steps);
    monitor.progressed(runner.done, runner.snapshot.time());
    // A panic goes on from here, but not before the folder says that the run has failed: of the runner nothing but what it counted is used again.
    let stepped = catch_unwind(AssertUnwindSafe(|| runner.run_all(monitor)));
    monitor.ended();
    let mut conclude = || runner.conclude(loaded, started.elapsed().as_secs_f64());
    let finished = stepped.and_then(|done| catch_unwind(AssertUnwindSafe(|| done.and_then(|()| conclude()))));
    match finished {
        Ok(finished) => finished.inspect_err(|e| runner.tell_why(e)),
        Err(payload) => {
            runner.tell_why(&InternalError::of_panic(&*payload).into());
            resume_unwind(payload)
        }
    }
}

/// Is the results folder there? A link to a folder, on another disk perhaps, is one.
fn is_there(out: &Path) -> Result<bool, FolderError> {
    match std::fs::metadata(out) {
        Ok(found) => Ok(found.is_dir()),
        // A link that leads nowhere is told when the folder is made.
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(source) => Err(FolderError::Unreadable { path: out.to_owned(), source }),
    }
}

/// What a run is of, and how it is to be done.
struct Purpose {
    origin: Origin,
    options: RunOptions,
}

struct Runner<'a, const D: usize> {
    lowered: &'a Lowered<D>,
    model: &'a Model<D>,
    engine: Engine<D>,
    folder: Folder,
    history: HistoryFile,
    fields: FieldFrames,
    contacts: ContactFrames,
    obstacles: ObstacleFrames,
    lines: LineFiles,
    snapshot: Snapshot,
    ledger: Ledger,
    last: Option<Outcome<D>>,
    /// What the surfaces showed after the last step.
    seen: Option<SurfaceView<D>>,
    /// Nominal steps done.
    done: usize,
    /// Accepted steps, those of halved length included.
    step: usize,
    every: usize,
    /// Size of the model \[m\].
    size: f64,
    verdict: Verdict,
    timings: Timings,
    log: Vec<String>,
    /// Messages so far.
    notes: usize,
    origin: Origin,
    options: RunOptions,
    last_save: Instant,
    /// The checkpoints that are on the disk.
    kept: Kept,
    /// Where the nominal step under way began, if it had to be cut: a run cannot continue from accepted halves of it.
    before_cut: Option<Box<Checkpoint>>,
}

impl<'a, const D: usize> Runner<'a, D>
where
    Dimension<D>: Space<D>,
{
    fn new(
        lowered: &'a Lowered<D>,
        engine: Engine<D>,
        loaded: &Loaded,
        folder: Folder,
        timings: Timings,
        Purpose { origin, options }: Purpose,
    ) -> Self {
        let Lowered { model, references, lines } = lowered;
        let exact = ExactCurves { solution: solution_of(loaded), references: references.clone() };
        Self {
            lowered,
            model,
            engine,
            history: HistoryFile::new(&folder, Columns::of(model), exact),
            fields: FieldFrames::new(&folder),
            contacts: ContactFrames::new(&folder),
            obstacles: ObstacleFrames::new(&folder),
            lines: LineFiles::new(&folder, lines.clone(), model.h),
            folder,
            ledger: Ledger::default(),
            snapshot: model.start(),
            last: None,
            seen: None,
            done: 0,
            step: 0,
            every: steps_between_frames(loaded, model.n_steps),
            size: model.size(),
            verdict: Verdict::default(),
            timings,
            log: Vec::new(),
            notes: 0,
            origin,
            options,
            last_save: Instant::now(),
            kept: Kept::default(),
            before_cut: None,
        }
    }

    fn begin(&mut self, loaded: &Loaded, start: Start) -> Result<(), RunError> {
        self.folder.write_durably(MARK, loaded.resolved_text()?.as_bytes())?;
        self.folder.write(loaded.copy_name(), loaded.given.as_bytes())?;
        self.tell(RunState::Running, None)?;
        self.log.push(format!("case: {}", loaded.case.title));
        self.log.extend(start.equilibrium.map(|e| e.to_string()));
        self.ledger = initial_ledger(self.model, &start.snapshot);
        self.snapshot = start.snapshot;
        // Before the first row and frame: results without a checkpoint are not those of a run that had just begun.
        self.save()?;
        self.observe(true)
    }

    /// Goes on where a checkpoint was written.
    fn resume(&mut self, FoundCheckpoint { checkpoint: from, kept }: FoundCheckpoint) -> Result<(), RunError> {
        let is_before_all = from.is_before_all();
        let Checkpoint { origin: _, done, step, snapshot, ledger, verdict, log, notes, cursors } = from;
        for (writer, cursor) in self.writers().into_iter().zip(&cursors) {
            writer.resume(cursor)?;
        }
        (self.done, self.step, self.snapshot, self.ledger) = (done, step, snapshot, ledger);
        (self.verdict, self.log, self.notes, self.kept) = (verdict, log, notes, kept);
        self.tell(RunState::Running, None)?;
        if is_before_all { self.observe(true) } else { Ok(()) }
    }

    /// Writes where the run stands.
    fn tell(&self, state: RunState, error: Option<StopError>) -> Result<(), RunError> {
        let (done, steps, time) = (self.done, self.model.n_steps, self.snapshot.time());
        Ok(RunStatus { state, done, steps, time, error, verdict: self.verdict.clone() }.write(&self.folder)?)
    }

    /// Writes why the run stopped. What stopped it matters more than what may go wrong in writing about it.
    fn tell_why(&self, e: &RunError) {
        let _ = match e {
            RunError::Interrupted { .. } => self.tell(RunState::Interrupted, None),
            other => self.tell(RunState::Failed, Some(StopError::of(other))),
        };
    }

    /// Everything that is needed to continue.
    fn checkpoint(&mut self) -> Checkpoint {
        Checkpoint {
            origin: self.origin.clone(),
            done: self.done,
            step: self.step,
            snapshot: self.snapshot.clone(),
            ledger: self.ledger,
            verdict: self.verdict.clone(),
            log: self.log.clone(),
            notes: self.notes,
            cursors: self.writers().iter().map(|w| w.cursor()).collect(),
        }
    }

    /// Saves it.
    fn save(&mut self) -> Result<(), RunError> {
        let checkpoint = self.checkpoint();
        self.save_as(&checkpoint)
    }

    fn save_as(&mut self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        self.synchronise()?;
        self.kept.add(checkpoint.save(&self.folder)?);
        self.write_log()?;
        self.last_save = Instant::now();
        self.timings.lap("checkpoint");
        Ok(())
    }

    /// Waits until all that was written is on the disk.
    fn synchronise(&self) -> Result<(), RunError> {
        self.history.synchronise()?;
        Ok(self.folder.synchronise()?)
    }

    fn writers(&mut self) -> [&mut dyn Writer<D>; 5] {
        [&mut self.history, &mut self.fields, &mut self.contacts, &mut self.obstacles, &mut self.lines]
    }

    fn run_all(&mut self, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        let n = self.model.n_steps;
        for i in self.done + 1..=n {
            self.before_cut = None;
            if self.options.stop.is_raised() {
                return Err(self.stop());
            }
            let is_output = i % self.every == 0 || i == n;
            let halvings = match self.model.policy {
                FailurePolicy::CutStep { halvings } => halvings,
                FailurePolicy::Stop | FailurePolicy::AcceptAndFlag => 0,
            };
            if let Err(e) = self.advance(self.model.h, halvings, is_output, monitor) {
                if matches!(e, RunError::Sim(SimError::Interrupted(_))) {
                    return Err(self.stop());
                }
                self.log.push(e.to_string());
                // What stopped the run matters more than what may go wrong in writing about it.
                let _ = self.write_log();
                return Err(e);
            }
            self.done = i;
            monitor.progressed(i, self.snapshot.time());
            // Not after the last step: the end of a run needs the step itself, not only the state it led to.
            if i < n && self.options.checkpoints.is_due(i, self.last_save) {
                self.save()?;
            }
        }
        Ok(())
    }

    /// Saves the state between two nominal steps; what was done of the one under way is dropped, and done again on `--resume`.
    fn stop(&mut self) -> RunError {
        let saved = match self.before_cut.take() {
            Some(before) => *before,
            None => self.checkpoint(),
        };
        self.log.clone_from(&saved.log);
        if let Err(e) = self.save_as(&saved) {
            return e;
        }
        let (time, folder) = (saved.snapshot.time(), self.folder.path().display().to_string());
        RunError::Interrupted { done: saved.done, n: self.model.n_steps, time, folder }
    }

    /// One step of length `h`, or two of half its length when it fails.
    fn advance(&mut self, h: f64, halvings: u32, is_output: bool, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        let outcome = match step(&mut self.engine, &mut self.timings, &self.snapshot, h) {
            Ok(outcome) => outcome,
            Err(e @ SimError::Interrupted(_)) => return Err(e.into()),
            Err(e) => {
                return Err(RunError::Step {
                    step: self.step + 1,
                    time: self.snapshot.time(),
                    saved: self.place_of(self.save_state()),
                    source: Box::new(e),
                });
            }
        };
        let finite = outcome.overflown().is_none();
        let good = finite && outcome.is_accepted(self.model.solver_options.tolerance);
        if good {
            if outcome.reports.len() > 1 {
                self.note(monitor, format!("step {}: {}", self.step + 1, outcome.description()));
            }
            return self.accept(outcome, is_output, monitor);
        }
        if finite && self.model.policy == FailurePolicy::AcceptAndFlag {
            self.verdict.flagged += 1;
            self.note(monitor, format!("step {}: accepted with {}", self.step + 1, outcome.description()));
            return self.accept(outcome, is_output, monitor);
        }
        if halvings > 0 {
            if self.before_cut.is_none() {
                self.before_cut = Some(Box::new(self.checkpoint()));
            }
            self.verdict.cuts += 1;
            self.note(
                monitor,
                format!(
                    "step {} at t = {:e} s: {}; trying again with h = {:e} s",
                    self.step + 1,
                    self.snapshot.time(),
                    outcome.description(),
                    0.5 * h
                ),
            );
            self.advance(0.5 * h, halvings - 1, false, monitor)?;
            return self.advance(0.5 * h, halvings - 1, is_output, monitor);
        }
        Err(self.give_up(&outcome))
    }

    fn accept(&mut self, outcome: Outcome<D>, is_output: bool, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        self.ledger = self.ledger.after(&outcome);
        self.step += 1;
        self.verdict.look_at(&outcome, &self.ledger);
        self.verdict.look_at_places(self.model, self.size, &outcome.snapshot, self.step);
        let turned = self.verdict.rotation.value;
        self.verdict.look_at_rotations(self.model, &outcome, self.step);
        if turned < BodyRotation::NOTICEABLE && self.verdict.rotation.value >= BodyRotation::NOTICEABLE {
            self.note(monitor, turning(&self.verdict.rotation));
        }
        if let Some(most) = self.model.integrator.max_inertia() {
            self.verdict.look_at_inertia(outcome.inertia_ratio(), most, outcome.h);
        }
        let seen = self.engine.surfaces()?.see(self.model, &outcome)?;
        self.timings.lap("surfaces");
        for text in self.verdict.sightings.look_at(self.model, &seen, self.step, outcome.snapshot.time()) {
            self.note(monitor, text);
        }
        self.seen = Some(seen);
        self.snapshot = outcome.snapshot.clone();
        self.last = Some(outcome);
        self.observe(is_output)
    }

    fn observe(&mut self, is_output: bool) -> Result<(), RunError> {
        let frame = Frame {
            model: self.model,
            step: self.step,
            snapshot: &self.snapshot,
            ledger: &self.ledger,
            outcome: self.last.as_ref(),
            seen: self.seen.as_ref(),
            is_output,
        };
        // Not by `writers()`, which would borrow all that the frame shows.
        let observers: [&mut dyn Observer<D>; 5] =
            [&mut self.history, &mut self.fields, &mut self.contacts, &mut self.obstacles, &mut self.lines];
        for observer in observers {
            observer.observe(&frame)?;
        }
        self.timings.lap("observe");
        Ok(())
    }

    /// A line for the log; the first few are also shown.
    fn note(&mut self, monitor: &mut dyn Monitor, text: String) {
        self.notes += 1;
        if self.notes <= SHOWN_NOTES {
            monitor.message(&text);
        }
        if self.notes == SHOWN_NOTES {
            monitor.message("further messages are in run.log only");
        }
        self.log.push(text);
    }

    fn write_log(&self) -> Result<(), RunError> {
        Ok(self.folder.write("run.log", (self.log.join("\n") + "\n").as_bytes())?)
    }
}

/// The exact solution that a case names.
fn solution_of(loaded: &Loaded) -> Option<SolutionSpec> {
    loaded.case.verify.as_ref().and_then(|v| v.solution.clone())
}

/// The ledger at t = 0.
fn initial_ledger<const D: usize>(model: &Model<D>, snapshot: &Snapshot) -> Ledger {
    let (mut kinetic, mut elastic) = (0.0, 0.0);
    for (body, state) in model.bodies.iter().zip(&snapshot.states) {
        let (k, e) = delassus_dynamics::integrator::energies(&*body.body, state);
        kinetic += k;
        elastic += e;
    }
    Ledger::new(kinetic, elastic)
}

#[cfg(test)]
mod tests;
