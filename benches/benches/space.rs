//! Whole steps of two H8 blocks pressed and sheared on each other, from 4 thousand to 200 thousand dofs and from 64 to 2000 contacts.
//!
//! ```text
//! ratio = step / (2 × w x, all bodies)          step = detection to energy ledger, without output
//! ```
//!
//! Steps and solves are measured in turns, on one thread; a row of the history and a frame for ParaView are measured beside them. The
//! growth of each phase goes into a picture with logarithmic axes, `target/space-growth.svg`.
//!
//! `cargo bench -p benches --bench space -- "4350 dofs"` runs one size; the largest ones take some minutes and about 5 GB.

use std::path::PathBuf;
use std::time::Instant;

use benches::cubes::Cubes;
use benches::growth::{Panel, Series, picture};
use benches::table::{Table, ratio, seconds};
use benches::timing::{Measured, Mode, is_wanted};
use benches::{BenchResult, ensure, memory, on_one_thread};
use delassus_case::spec::OutputSpec;
use delassus_run::records::Records;
use delassus_run::results::Folder;
use delassus_run::writer::{ContactFrames, FieldFrames, HistoryFile, Writer};
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::observer::Frame;
use delassus_sim::step::{Outcome, Snapshot, step};
use delassus_sim::timings::Timings;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Side and height in cells: growing in all directions, and with the same number of dofs from a tower to a slab.
const GROWING: [(usize, usize); 5] = [(7, 9), (11, 13), (19, 19), (24, 25), (31, 31)];
const FLATTER: [(usize, usize); 5] = [(7, 114), (11, 52), (19, 19), (29, 8), (44, 3)];

fn main() -> BenchResult {
    let mode = Mode::from_arguments();
    on_one_thread(move || {
        let mut results: Vec<Measurement> = Vec::new();
        let sizes = mode.choose(vec![(2, 2), (3, 1)], [GROWING, FLATTER].concat());
        for (side, height) in sizes {
            let cubes = Cubes::new(side, height);
            let name = format!("{} dofs, {} contacts", cubes.n_dof(), cubes.n_candidates());
            if is_wanted(&name) && results.iter().all(|r| r.cubes != cubes) {
                results.push(measure(mode, cubes)?);
            }
        }
        tables(&results)?;
        growth(mode, &results)
    })
}

/// What was measured on one size.
struct Measurement {
    cubes: Cubes,
    contacts: usize,
    sweeps: usize,
    solves: Measured,
    step: Measured,
    /// Shortest time of each phase \[s\], by name.
    phases: Vec<(&'static str, f64)>,
    /// Factors, condensation and first step \[s\].
    first: f64,
    peak: Option<f64>,
}

impl Measurement {
    fn phase(&self, name: &str) -> f64 {
        self.phases.iter().find(|(n, _)| *n == name).map_or(0.0, |(_, t)| *t)
    }

    /// The phases as the tables name them.
    fn columns(&self) -> [(&'static str, f64); 8] {
        [
            ("free velocity", self.phase("free_velocity")),
            ("detection", self.phase("detect")),
            ("W", self.phase("derive_laws") + self.phase("condense")),
            ("solve", self.phase("solve")),
            ("certify", self.phase("certify")),
            ("finish", self.phase("finish") + self.phase("ledger")),
            ("history", self.phase("history")),
            ("frame", self.phase("frame")),
        ]
    }
}

fn measure(mode: Mode, cubes: Cubes) -> Result<Measurement, Failure> {
    /// Fewer rounds say little about a minimum; longer than this is not needed for one.
    const LEAST_ROUNDS: usize = 5;
    const SECONDS: f64 = 5.0;
    memory::forget_peak();
    let started = Instant::now();
    let loaded = cubes.loaded()?;
    let lowered = loaded.lowered::<3>()?;
    let model = &lowered.model;
    let mut engine = Engine::new(model)?;
    engine.prepare()?;
    let first = started.elapsed().as_secs_f64();
    let from = cubes.settled(&mut engine)?;
    let outcome = step(&mut engine, &mut Timings::default(), &from, model.h)?;
    check(&cubes, &outcome, model.solver_options.tolerance)?;

    let (mut steps, mut solves) = (Vec::new(), Vec::new());
    let mut phases: Vec<(&'static str, f64)> = Vec::new();
    let mut x: Vec<Vec<f64>> = outcome.snapshot.states.iter().map(|s| s.v.clone()).collect();
    let rounds = mode.choose(1, LEAST_ROUNDS);
    let begun = Instant::now();
    while steps.len() < rounds || (mode == Mode::Full && begun.elapsed().as_secs_f64() < SECONDS) {
        let before = Instant::now();
        let mut timings = Timings::default();
        let again = step(&mut engine, &mut timings, &from, model.h)?;
        let ledger = Ledger::default().after(&again);
        timings.lap("ledger");
        drop(std::hint::black_box((ledger, again)));
        steps.push(before.elapsed().as_secs_f64());
        keep_least(&mut phases, timings.phases());
        let before = Instant::now();
        for (operator, x) in engine.prepare()?.bodies.iter_mut().zip(&mut x) {
            operator.apply(x);
            operator.apply(x);
        }
        solves.push(before.elapsed().as_secs_f64());
        // repeated solves would shrink x to denormal numbers, which are slow
        for (x, state) in x.iter_mut().zip(&outcome.snapshot.states) {
            x.copy_from_slice(&state.v);
        }
    }
    let peak = memory::peak();
    output(&outcome, Records::new(&loaded, &lowered), &lowered.model, &from, &mut phases)?;
    let (contacts, sweeps) = (outcome.problem.n(), outcome.iterations());
    let (solves, step) = (Measured::of(solves), Measured::of(steps));
    Ok(Measurement { cubes, contacts, sweeps, solves, step, phases, first, peak })
}

fn keep_least(phases: &mut Vec<(&'static str, f64)>, spent: &[(&'static str, f64)]) {
    for &(name, t) in spent {
        match phases.iter_mut().find(|(n, _)| *n == name) {
            Some((_, least)) => *least = least.min(t),
            None => phases.push((name, t)),
        }
    }
}

/// A row of the history, and a frame of fields and contacts, as a run writes them.
fn output(
    outcome: &Outcome<3>,
    mut records: Records,
    model: &delassus_sim::Model<3>,
    from: &Snapshot,
    phases: &mut Vec<(&'static str, f64)>,
) -> BenchResult {
    let path = std::env::temp_dir().join(format!("delassus-bench-{}", std::process::id()));
    let folder = Folder::create(&path, true)?;
    let mut history = HistoryFile::new(&folder);
    let asked = OutputSpec::default();
    let (mut fields, mut contacts) = (FieldFrames::new(&folder, &asked), ContactFrames::new(&folder, &asked));
    let ledger = Ledger::default().after(outcome);
    for round in 0..3 {
        let snapshot = if round == 0 { from } else { &outcome.snapshot };
        let frame = Frame {
            model,
            step: round,
            snapshot,
            ledger: &ledger,
            from: Some(from),
            outcome: Some(outcome),
            seen: None,
            is_output: true,
        };
        let mut timings = Timings::default();
        records.add(&frame);
        history.write(&frame, &records)?;
        timings.lap("history");
        fields.write(&frame, &records)?;
        contacts.write(&frame, &records)?;
        timings.lap("frame");
        keep_least(phases, timings.phases());
    }
    std::fs::remove_dir_all(&path)?;
    Ok(())
}

/// The step measured must be one a run would accept.
fn check(cubes: &Cubes, outcome: &Outcome<3>, tolerance: f64) -> BenchResult {
    ensure(outcome.is_accepted(tolerance), || format!("{cubes:?}: {}", outcome.description()))?;
    let finite = outcome.snapshot.states.iter().all(delassus_dynamics::State::is_finite);
    ensure(finite, || format!("{cubes:?}: not finite"))?;
    let acting = outcome.snapshot.impulses.len();
    ensure(2 * acting > cubes.n_candidates(), || format!("{cubes:?}: {acting} contacts act"))
}

fn tables(results: &[Measurement]) -> BenchResult {
    let mut whole = Table::new(
        "A step and two solves of all bodies (minima; medians in brackets)",
        &["dofs", "contacts", "sweeps", "2 solves", "step", "ratio", "(median)", "without solver", "factor", "peak"],
    );
    let mut split = Table::new("Phases of a step", &["dofs", "contacts"]);
    if let Some(first) = results.first() {
        split.head(first.columns().map(|c| c.0));
    }
    for r in results {
        whole.row([
            r.cubes.n_dof().to_string(),
            r.contacts.to_string(),
            r.sweeps.to_string(),
            seconds(r.solves.min),
            seconds(r.step.min),
            ratio(r.step.min / r.solves.min),
            format!("({})", ratio(r.step.median / r.solves.median)),
            ratio((r.step.min - r.phase("solve")) / r.solves.min),
            seconds(r.first),
            r.peak.map_or("?".to_owned(), |bytes| format!("{:.0} MB", 1e-6 * bytes)),
        ]);
        let sizes = [r.cubes.n_dof().to_string(), r.contacts.to_string()];
        split.row(sizes.into_iter().chain(r.columns().map(|c| seconds(c.1))));
    }
    whole.print()?;
    split.print()?;
    Ok(())
}

/// Exponents of the growth with the dofs and with the contacts, in words and as a picture.
fn growth(mode: Mode, results: &[Measurement]) -> BenchResult {
    let chosen = |sizes: &[(usize, usize)]| -> Vec<&Measurement> {
        let among = |r: &&Measurement| sizes.contains(&(r.cubes.side, r.cubes.height));
        let mut chosen: Vec<&Measurement> = results.iter().filter(among).collect();
        chosen.sort_by_key(|r| r.contacts);
        chosen
    };
    let tiny = [(2, 2), (3, 1)];
    let (growing, flatter) = mode.choose((&tiny[..], &tiny[..]), (&GROWING[..], &FLATTER[..]));
    let by_dofs = series(&chosen(growing), |r| r.cubes.n_dof() as f64);
    let by_contacts = series(&chosen(flatter), |r| r.contacts as f64);
    let mut table = Table::new("Exponents of growth", &["phase", "with dofs", "with contacts"]);
    for (a, b) in by_dofs.iter().zip(&by_contacts) {
        table.row([a.name.clone(), ratio(a.exponent()), ratio(b.exponent())]);
    }
    table.print()?;
    if chosen(growing).len() < 2 || chosen(flatter).len() < 2 {
        return Ok(());
    }
    let svg = picture(&[
        Panel { title: "Two H8 blocks of growing size", size: "degrees of freedom", series: &by_dofs },
        Panel { title: "About 50 000 dofs, from a tower to a slab", size: "contacts", series: &by_contacts },
    ]);
    ensure(svg.contains("exponent"), || "the picture is empty".to_owned())?;
    if mode == Mode::Full {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/space-growth.svg");
        std::fs::write(path, svg)?;
    }
    Ok(())
}

fn series(results: &[&Measurement], size: impl Fn(&Measurement) -> f64) -> Vec<Series> {
    let of = |name: &str, time: &dyn Fn(&Measurement) -> f64| Series {
        name: name.to_owned(),
        points: results.iter().map(|r| (size(r), time(r))).collect(),
    };
    let mut all = vec![of("step", &|r| r.step.min), of("two solves", &|r| r.solves.min)];
    for k in [0, 1, 2, 3, 5] {
        let name = results.first().map_or("", |r| r.columns()[k].0);
        all.push(of(name, &|r| r.columns()[k].1));
    }
    all
}
