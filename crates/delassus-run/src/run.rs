//! A whole run: steps, the policy when a step fails, observers, checkpoints, and what is left at the end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use delassus_case::load::Loaded;
use delassus_case::lower::Generate;
use delassus_case::spec::FailurePolicy;
use delassus_error::InternalError;
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::model::Model;
use delassus_sim::observer::{Frame, Observer};
use delassus_sim::outcome::Outcome;
use delassus_sim::record::Columns;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::surfaces::Seen;
use delassus_sim::timings::Timings;
use delassus_verify::{SolutionSpec, verify};
use serde_json::json;

use crate::checkpoint::{Cadence, Checkpoint, Origin};
use crate::error::{CheckpointError, RunError};
use crate::results::{Folder, MARK};
use crate::sightings::Sightings;
use crate::summary::{manifest, state_hash};
use crate::tractions::tractions;
use crate::verdict::Verdict;
use crate::writer::{ContactFrames, FieldFrames, HistoryFile, ObstacleFrames, Writer};

pub use crate::summary::Summary;

/// Frames of a run whose case does not say how many it wants.
const USUAL_FRAMES: usize = 50;

/// Messages of a run that are shown as they come.
const SHOWN_NOTES: usize = 20;

/// Steps between two frames of a run.
pub(crate) fn steps_between_frames(loaded: &Loaded, n_steps: usize) -> usize {
    loaded.case.output.every.unwrap_or_else(|| n_steps.div_ceil(USUAL_FRAMES)).max(1)
}

/// The state a case starts from; what it is refused for is told at its place in the text.
pub(crate) fn find_start<const D: usize>(loaded: &Loaded, engine: &mut Engine<'_, D>) -> Result<Start, RunError>
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
    /// Go on with the run that is in the folder.
    pub resume: bool,
    /// When the state is saved.
    pub checkpoints: Cadence,
    /// Set from outside: the run is to finish its step, save its state and stop.
    pub stop: Arc<AtomicBool>,
}

/// Someone who wants to know how a run goes.
pub trait Monitor: Send {
    /// The run starts.
    fn started(&mut self, title: &str, n_steps: usize);
    /// So many of the nominal steps are done.
    fn progressed(&mut self, done: usize, time: f64);
    /// Something worth a line.
    fn message(&mut self, text: &str);
    /// The last step is done, or the run has failed.
    fn ended(&mut self);
}

/// Nobody.
pub struct Silent;

impl Monitor for Silent {
    fn started(&mut self, _: &str, _: usize) {}
    fn progressed(&mut self, _: usize, _: f64) {}
    fn message(&mut self, _: &str) {}
    fn ended(&mut self) {}
}

/// Runs a case to its end. Nothing is written before the case has been checked.
pub fn run_case(loaded: &Loaded, options: &RunOptions, monitor: &mut dyn Monitor) -> Result<Summary, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()
        .map_err(|e| InternalError(format!("threads: {e}")))?;
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
    let model = loaded.model::<D>()?;
    let mut engine = Engine::new(&model)?;
    timings.lap("load");
    let origin = Origin::of(loaded, &model);
    let saved = if options.resume { find_saved(&out, loaded, &origin, &model, monitor)? } else { Saved::Nothing };
    // The start has factors of its own, which are gone before those of the run are made.
    let start = if matches!(saved, Saved::State(_)) { None } else { Some(find_start(loaded, &mut engine)?) };
    timings.lap("start");
    // Before any file: a body that cannot be factored is bad input, and leaves nothing behind.
    engine.prepare()?;
    timings.lap("factor");
    let folder = match saved {
        Saved::State(_) => Folder::open(&out),
        Saved::Beginning => Folder::create(&out, true)?,
        Saved::Nothing => Folder::create(&out, options.force)?,
    };
    let mut runner = Runner::new(&model, engine, loaded, folder, timings, Purpose { origin, options: options.clone() });
    match (saved, start) {
        (Saved::State(checkpoint), _) => runner.resume(*checkpoint)?,
        (_, Some(start)) => runner.begin(loaded, start)?,
        _ => return Err(InternalError("a run without a start".into()).into()),
    }
    monitor.started(&loaded.case.title, model.n_steps);
    monitor.progressed(runner.done, runner.snapshot.time());
    let finished = runner.run_all(monitor);
    monitor.ended();
    finished?;
    runner.conclude(loaded, started.elapsed().as_secs_f64())
}

/// What there is to go on with.
enum Saved {
    /// No run.
    Nothing,
    /// A run that was stopped before its first checkpoint.
    Beginning,
    /// A state.
    State(Box<Checkpoint>),
}

fn find_saved<const D: usize>(
    out: &Path,
    loaded: &Loaded,
    origin: &Origin,
    model: &Model<D>,
    monitor: &mut dyn Monitor,
) -> Result<Saved, RunError>
where
    Dimension<D>: Space<D>,
{
    let other = |path: PathBuf, what: &str| CheckpointError::OtherCase { path, what: what.to_owned() };
    if let Some(hash) = finished_case(out) {
        let path = out.join("manifest.json");
        return Err(match hash == origin.case {
            true => RunError::Finished(out.to_owned()),
            false => other(path, "the text of the case with its --set").into(),
        });
    }
    if let Some(found) = Checkpoint::find(out, origin, model, &mut |text| monitor.message(text))? {
        monitor.message(&format!("resumed after step {} of {}", found.done, model.n_steps));
        return Ok(Saved::State(Box::new(found)));
    }
    monitor.message(&format!("no checkpoint in {}: the run begins at its beginning", out.display()));
    let mark = out.join(MARK);
    match std::fs::read_to_string(&mark) {
        Ok(text) if text == loaded.resolved_text()? => Ok(Saved::Beginning),
        Ok(_) => Err(other(mark, "the case").into()),
        Err(_) => Ok(Saved::Nothing),
    }
}

/// Hash of the case of a finished run.
fn finished_case(out: &Path) -> Option<String> {
    let text = std::fs::read(out.join("manifest.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&text).ok()?;
    manifest["case_hash"].as_str().map(str::to_owned)
}

/// What a run is of, and how it is to be done.
struct Purpose {
    origin: Origin,
    options: RunOptions,
}

struct Runner<'a, const D: usize> {
    model: &'a Model<D>,
    engine: Engine<'a, D>,
    folder: Folder,
    history: HistoryFile,
    fields: FieldFrames,
    contacts: ContactFrames,
    obstacles: ObstacleFrames,
    snapshot: Snapshot,
    ledger: Ledger,
    last: Option<Outcome<D>>,
    /// What the surfaces showed after the last step.
    seen: Option<Seen<D>>,
    /// The worst of that so far.
    sightings: Sightings,
    /// Nominal steps done.
    done: usize,
    /// Accepted steps, those of halved length included.
    step: usize,
    every: usize,
    verdict: Verdict,
    timings: Timings,
    log: Vec<String>,
    /// Messages so far.
    notes: usize,
    origin: Origin,
    options: RunOptions,
    last_save: Instant,
}

impl<'a, const D: usize> Runner<'a, D>
where
    Dimension<D>: Space<D>,
{
    fn new(
        model: &'a Model<D>,
        engine: Engine<'a, D>,
        loaded: &Loaded,
        folder: Folder,
        timings: Timings,
        Purpose { origin, options }: Purpose,
    ) -> Self {
        Self {
            model,
            engine,
            history: HistoryFile::new(&folder, Columns::of(model), solution_of(loaded)),
            fields: FieldFrames::new(&folder),
            contacts: ContactFrames::new(&folder),
            obstacles: ObstacleFrames::new(&folder),
            folder,
            ledger: Ledger::default(),
            snapshot: model.start(),
            last: None,
            seen: None,
            sightings: Sightings::default(),
            done: 0,
            step: 0,
            every: steps_between_frames(loaded, model.n_steps),
            verdict: Verdict::default(),
            timings,
            log: Vec::new(),
            notes: 0,
            origin,
            options,
            last_save: Instant::now(),
        }
    }

    fn begin(&mut self, loaded: &Loaded, start: Start) -> Result<(), RunError> {
        self.folder.write(MARK, loaded.resolved_text()?.as_bytes())?;
        self.folder.write(loaded.copy_name(), loaded.given.as_bytes())?;
        self.log.push(format!("case: {}", loaded.case.title));
        self.log.extend(start.equilibrium.map(|e| e.to_string()));
        self.ledger = initial_ledger(self.model, &start.snapshot);
        self.snapshot = start.snapshot;
        self.observe(true)
    }

    /// Goes on where a checkpoint was written.
    fn resume(&mut self, from: Checkpoint) -> Result<(), RunError> {
        let Checkpoint { origin: _, done, step, snapshot, ledger, verdict, sightings, log, notes, cursors } = from;
        for (writer, cursor) in self.writers().into_iter().zip(&cursors) {
            writer.resume(cursor)?;
        }
        (self.done, self.step, self.snapshot, self.ledger) = (done, step, snapshot, ledger);
        (self.verdict, self.sightings, self.log, self.notes) = (verdict, sightings, log, notes);
        Ok(())
    }

    /// Saves all that is needed to go on.
    fn save(&mut self) -> Result<(), RunError> {
        self.history.synchronise()?;
        let checkpoint = Checkpoint {
            origin: self.origin.clone(),
            done: self.done,
            step: self.step,
            snapshot: self.snapshot.clone(),
            ledger: self.ledger,
            verdict: self.verdict.clone(),
            sightings: self.sightings.clone(),
            log: self.log.clone(),
            notes: self.notes,
            cursors: self.writers().iter().map(|w| w.cursor()).collect(),
        };
        checkpoint.save(&self.folder)?;
        self.write_log()?;
        self.last_save = Instant::now();
        self.timings.lap("checkpoint");
        Ok(())
    }

    fn writers(&mut self) -> [&mut dyn Writer<D>; 4] {
        [&mut self.history, &mut self.fields, &mut self.contacts, &mut self.obstacles]
    }

    fn run_all(&mut self, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        let n = self.model.n_steps;
        for i in self.done + 1..=n {
            if self.options.stop.load(Ordering::Relaxed) {
                self.save()?;
                let (time, folder) = (self.snapshot.time(), self.folder.path().display().to_string());
                return Err(RunError::Interrupted { done: self.done, n, time, folder });
            }
            let is_output = i % self.every == 0 || i == n;
            let halvings = match self.model.policy {
                FailurePolicy::CutStep { halvings } => halvings,
                FailurePolicy::Stop | FailurePolicy::AcceptAndFlag => 0,
            };
            if let Err(e) = self.advance(self.model.h, halvings, is_output, monitor) {
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

    /// One step of length `h`, or two of half its length when it fails.
    fn advance(&mut self, h: f64, halvings: u32, is_output: bool, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        let outcome = match step(&mut self.engine, &mut self.timings, &self.snapshot, h) {
            Ok(outcome) => outcome,
            Err(e) => {
                return Err(RunError::Step {
                    step: self.step + 1,
                    time: self.snapshot.time(),
                    saved: self.place_of(self.save_state()),
                    source: Box::new(e),
                });
            }
        };
        let finite = outcome.snapshot.states.iter().all(delassus_dynamics::State::is_finite);
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
        Err(self.give_up(&outcome, finite))
    }

    fn accept(&mut self, outcome: Outcome<D>, is_output: bool, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        self.ledger = self.ledger.after(&outcome);
        self.step += 1;
        self.verdict.look_at(&outcome, &self.ledger);
        if let Some(most) = self.model.integrator.max_inertia() {
            self.verdict.look_at_inertia(outcome.inertia_ratio(), most, outcome.h);
        }
        let seen = self.engine.surfaces()?.see(self.model, &outcome)?;
        self.timings.lap("surfaces");
        for text in self.sightings.look_at(self.model, &seen, self.step, outcome.snapshot.time()) {
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
        let observers: [&mut dyn Observer<D>; 4] =
            [&mut self.history, &mut self.fields, &mut self.contacts, &mut self.obstacles];
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

    /// Saves the last good state.
    fn save_state(&self) -> Result<(), RunError> {
        let bodies: Vec<_> = self
            .model
            .bodies
            .iter()
            .zip(&self.snapshot.states)
            .map(|(b, s)| json!({ "name": b.name, "displacement": s.q, "velocity": s.v }))
            .collect();
        let state = json!({ "step": self.step, "time": self.snapshot.time(), "bodies": bodies });
        Ok(self.folder.write("last-good-state.json", state.to_string().as_bytes())?)
    }

    /// Saves the last good state and the problem that was not solved; returns the error to end with.
    fn give_up(&self, outcome: &Outcome<D>, finite: bool) -> RunError {
        let saved = self.save_state();
        let (step, time) = (self.step + 1, self.snapshot.time());
        if !finite {
            let bad = outcome.snapshot.states.iter().position(|s| !s.is_finite()).unwrap_or(0);
            let body = self.model.bodies[bad].name.clone();
            return RunError::NotFinite { step, time, body, saved: self.place_of(saved) };
        }
        let saved = saved.and_then(|()| {
            let problem = serde_json::to_vec(&outcome.problem).map_err(|e| InternalError(e.to_string()))?;
            self.folder.write("failed-problem.json", &problem)?;
            // For other codes; bonds have no form there, and the JSON says it all.
            let description = format!("step {step} at t = {time:e} s, law error {:.1e}", outcome.certificate.law_error);
            match delassus_fclib::write(&outcome.problem, "a contact problem of Delassus", &description) {
                Ok(bytes) => Ok(self.folder.write("failed-problem.hdf5", &bytes)?),
                Err(_) => Ok(()),
            }
        });
        RunError::NotConverged {
            step,
            time,
            contacts: outcome.problem.n(),
            law_error: outcome.certificate.law_error,
            iterations: outcome.iterations(),
            judged: outcome.description(),
            tolerance: self.model.solver_options.tolerance,
            h: outcome.h,
            saved: self.place_of(saved),
        }
    }

    /// Where things were saved, or why they were not.
    fn place_of(&self, saved: Result<(), RunError>) -> String {
        match saved {
            Ok(()) => self.folder.path().display().to_string(),
            Err(e) => format!("no file ({e})"),
        }
    }

    fn write_log(&self) -> Result<(), RunError> {
        Ok(self.folder.write("run.log", (self.log.join("\n") + "\n").as_bytes())?)
    }

    fn conclude(mut self, loaded: &Loaded, wall: f64) -> Result<Summary, RunError> {
        let history = &self.history.history;
        let mut pictures = Vec::new();
        let mut verification = loaded.case.verify.as_ref().map(|spec| verify(spec, history));
        if let Some(solution) = loaded.case.verify.as_ref().and_then(|v| v.solution.as_ref()) {
            for plot in solution.solution().plots() {
                let path = self.folder.file(plot.file);
                let svg = crate::plot::against_exact(&plot, history, loaded.case.units)
                    .map_err(|reason| RunError::Plot { path, reason })?;
                self.folder.write(plot.file, svg.as_bytes())?;
                pictures.push(plot.file.to_owned());
            }
            if let (Some(outcome), Some(verification)) = (&self.last, &mut verification) {
                let names: Vec<&str> = self.model.pairs.iter().map(|p| p.name.as_str()).collect();
                let is_single = |name: &str| self.model.pairs.iter().any(|p| p.name == name && p.passes.len() == 1);
                let profiles = solution.solution().profiles(self.snapshot.time());
                for profile in profiles.into_iter().filter(|p| is_single(p.pair)) {
                    let tractions = tractions(&profile, &names, outcome);
                    verification.errors.extend(profile.error(&tractions));
                    let svg = crate::plot::along_contact(&profile, &tractions, loaded.case.units);
                    self.folder.write(profile.file, svg.as_bytes())?;
                    pictures.push(profile.file.to_owned());
                }
            }
        }
        let summary = Summary {
            title: loaded.case.title.clone(),
            units: loaded.case.units,
            folder: self.folder.path().to_owned(),
            steps: self.step,
            time: self.snapshot.time(),
            wall,
            n_dof: self.model.n_dof(),
            n_candidates: self.model.n_candidates(),
            verdict: self.verdict.clone(),
            sightings: self.sightings.clone(),
            tolerance: self.model.solver_options.tolerance,
            verification,
            pictures,
            state_hash: state_hash(&self.snapshot),
            final_snapshot: self.snapshot.clone(),
            history: history.clone(),
        };
        self.log.push(summary.to_string());
        if self.engine.n_given_up() > 0 {
            let times = self.engine.n_given_up();
            self.log
                .push(format!("columns of w were given up for others {times} times: more `memory` would save time"));
        }
        self.write_log()?;
        let threads = self.options.threads.unwrap_or_else(rayon::current_num_threads);
        let manifest = manifest(&summary, loaded, self.model, threads, &self.timings);
        self.folder.write("manifest.json", manifest.text().as_bytes())?;
        self.folder.remove_checkpoints()?;
        Ok(summary)
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
        let (k, e) = delassus_dynamics::integrator::energies(&body.body, state);
        kinetic += k;
        elastic += e;
    }
    Ledger::new(kinetic, elastic)
}
