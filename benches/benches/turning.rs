//! A whole step of a body that turns against one of the same body with linear kinematics, in flight: what a pass of its iteration costs.
//!
//! ```text
//! per pass = step of the spinning cube / (passes × step of the vibrating cube)          step = detection to audit, without output
//! ```
//!
//! The time of a step is the sum of the shortest times of its phases: other programs disturb a whole step more often than a phase. `whole` compares the shortest whole steps.
//! A cube of H8 cells. In flight a linear step has one solve with the factor of M̂, as each pass has, so nothing hides what a pass does besides. Both are measured in turns, on one thread.
//! `turns by` is hω: the passes grow with it.
//!
//! `cargo bench -p benches --bench turning -- "12288 dofs"` runs one size.

use std::path::Path;

use benches::table::{Table, ratio, seconds};
use benches::timing::{Measured, Mode, alternate, is_wanted};
use benches::{BenchResult, ensure, on_one_thread};
use delassus_case::Loaded;
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::step::{Snapshot, step};
use delassus_sim::timings::Timings;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Phases with their times \[s\].
type Phases = Vec<(&'static str, f64)>;

/// Spin \[rad/s\]: the rim has the strain ρω²r²/E of 5e-8 and vibrates by it.
const SPIN: f64 = 50.0;

fn main() -> BenchResult {
    let mode = Mode::from_arguments();
    on_one_thread(move || {
        let mut table = Table::new(
            "A step of a spinning cube beside a linear one",
            &["dofs", "turns by", "passes", "linear step", "turning step", "per pass", "(whole)"],
        );
        let mut split = Table::new("Phases of the turning step, in linear steps", &["dofs", "turns by"]);
        let mut headed = false;
        for cells in mode.choose(vec![2], vec![10, 15, 24]) {
            let dofs = 3 * (cells + 1_usize).pow(3);
            for turn in mode.choose(vec![0.05], vec![0.01, 0.05]) {
                if !is_wanted(&format!("{dofs} dofs, {turn}")) {
                    continue;
                }
                let found = compare(mode, cells, turn)?;
                let [linear, turning] = [0, 1].map(|k| found.phases[k].iter().map(|(_, t)| t).sum::<f64>());
                let per_pass = |linear: f64, turning: f64| ratio(turning / linear / found.passes as f64);
                table.row(vec![
                    dofs.to_string(),
                    turn.to_string(),
                    found.passes.to_string(),
                    seconds(linear),
                    seconds(turning),
                    per_pass(linear, turning),
                    format!("({})", per_pass(found.steps[0].min, found.steps[1].min)),
                ]);
                if !headed {
                    split.head(found.phases[1].iter().map(|(name, _)| *name));
                    headed = true;
                }
                let mut row = vec![dofs.to_string(), turn.to_string()];
                row.extend(found.phases[1].iter().map(|(_, t)| ratio(t / linear)));
                split.row(row);
            }
        }
        table.print()?;
        split.print()?;
        Ok(())
    })
}

/// What was measured on one size.
struct Compared {
    /// Of the linear body and of the one that turns.
    steps: [Measured; 2],
    passes: usize,
    /// Shortest time of each phase, of both \[s\].
    phases: [Phases; 2],
}

/// One scene with the state that its steps begin with.
struct Flight {
    engine: Engine<3>,
    from: Snapshot,
    h: f64,
}

impl Flight {
    fn new(cells: usize, h: f64, kinematics: &str, motion: &str) -> Result<Self, Failure> {
        let text = format!(
            "(title: \"cube\", dimension: 3, kinematics: {kinematics}, \
             materials: [(name: \"elastic\", density: 2000.0, law: KelvinVoigt(young: 1.0e9, poisson: 0.3))],\n\
             bodies: [(name: \"cube\", mesh: Box(corner: (-0.05, -0.05, -0.05), size: (0.1, 0.1, 0.1), \
             cells: ({cells}, {cells}, {cells})), material: \"elastic\", {motion})],\n\
             contacts: [], integrator: EnergyMomentum(theta: 0.5), step: {h:?}, duration: 1.0)"
        );
        let model = Loaded::from_text(Path::new("cube.ron"), text, &[])?.model::<3>()?;
        let mut engine = Engine::new(&model)?;
        let from = step(&mut engine, &mut Timings::default(), &model.start(), h)?.snapshot;
        Ok(Self { engine, from, h })
    }

    /// A step, and the passes that it took; phases are kept if they are shorter.
    fn step(&mut self, phases: &mut Phases) -> Result<usize, Failure> {
        let mut timings = Timings::default();
        let outcome = step(&mut self.engine, &mut timings, &self.from, self.h)?;
        std::hint::black_box(Ledger::default().after(&outcome));
        ensure(outcome.balancing.is_balanced(), || "a step is out of balance".to_owned())?;
        if phases.is_empty() {
            phases.extend_from_slice(timings.phases());
        }
        for ((_, least), (_, spent)) in phases.iter_mut().zip(timings.phases()) {
            *least = least.min(*spent);
        }
        Ok(outcome.balancing.iterations)
    }
}

fn compare(mode: Mode, cells: usize, turn: f64) -> Result<Compared, Failure> {
    let h = turn / SPIN;
    let mut linear = Flight::new(cells, h, "SmallStrain", "velocity_field: [\"0.01*sin(30*x)\", \"0\", \"0\"]")?;
    let mut turning = Flight::new(cells, h, "Corotational()", &format!("spin: {SPIN:?}"))?;
    let [mut straight, mut turned] = [Phases::new(), Phases::new()];
    let passes = turning.step(&mut turned)?;
    ensure(linear.step(&mut straight)? == 1, || "a linear step has one pass".to_owned())?;
    let mut failures = Vec::new();
    let mut late = Vec::new();
    let [a, b] = alternate(
        mode,
        6.0,
        [&mut || failures.extend(linear.step(&mut straight).err()), &mut || {
            late.extend(turning.step(&mut turned).err())
        }],
    );
    failures.into_iter().chain(late).next().map_or(Ok(()), Err)?;
    Ok(Compared { steps: [a, b], passes, phases: [straight, turned] })
}
