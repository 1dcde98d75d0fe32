//! A whole step against the work it cannot do without: two solves with the factor of M̂ (free velocity, correction by p).
//!
//! ```text
//! ratio = step / (2 × w x)          ratio with sweeps = step / (2 × w x + contact solve)
//! ```
//!
//! The step is `delassus_sim::step::step` (detection to energy balance) and the ledger; observers are left out. Steps and
//! solves are measured in turns. In flight only one of the two solves is needed.

use benches::scene::{Scene, Under};
use benches::table::{Table, ratio, seconds};
use benches::timing::{Measured, Mode, alternate, is_wanted};
use benches::{BenchResult, ensure, on_one_thread};
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::operators::Operators;
use delassus_sim::step::{Outcome, step};
use delassus_sim::timings::Timings;

fn main() -> BenchResult {
    let mode = Mode::from_arguments();
    on_one_thread(move || {
        let sizes = mode.choose(vec![[8, 2]], vec![[100, 4], [200, 24], [250, 199]]);
        let mut ratios = Table::new(
            "A step and two solves (minima; medians in brackets)",
            &["scene", "dofs", "contacts", "sweeps", "2 solves", "step", "ratio", "(median)", "with sweeps"],
        );
        let mut split = Table::new("Phases of a step, in units of two solves", &["scene", "dofs"]);
        let mut headed = false;
        for (name, under, damped_and_driven) in [
            ("flight", Under::Nothing, false),
            ("contact", Under::Floor, false),
            ("contact, damped, driven", Under::Floor, true),
        ] {
            for &cells in &sizes {
                let scene = Scene { cells, under, damped_and_driven };
                if !is_wanted(&format!("{name} {}", scene.n_dof())) {
                    continue;
                }
                let result = compare(mode, &scene)?;
                if !headed {
                    split.head(result.phases.iter().map(|(name, _)| *name));
                    headed = true;
                }
                ratios.row(result.ratio_row(name, &scene));
                split.row(result.split_row(name, &scene));
            }
        }
        ratios.print()?;
        split.print()?;
        Ok(())
    })
}

/// What was measured on one scene.
struct Compared {
    solves: Measured,
    step: Measured,
    /// Shortest time of each phase \[s\], in the order of the method.
    phases: Vec<(&'static str, f64)>,
    contacts: usize,
    sweeps: usize,
}

impl Compared {
    fn ratio_row(&self, name: &str, scene: &Scene) -> Vec<String> {
        let sweeps = self.phases.iter().find(|(name, _)| *name == "solve").map_or(f64::NAN, |(_, t)| *t);
        vec![
            name.to_owned(),
            scene.n_dof().to_string(),
            self.contacts.to_string(),
            self.sweeps.to_string(),
            seconds(self.solves.min),
            seconds(self.step.min),
            ratio(self.step.min / self.solves.min),
            format!("({})", ratio(self.step.median / self.solves.median)),
            ratio(self.step.min / (self.solves.min + sweeps)),
        ]
    }

    fn split_row(&self, name: &str, scene: &Scene) -> Vec<String> {
        let mut row = vec![name.to_owned(), scene.n_dof().to_string()];
        row.extend(self.phases.iter().map(|(_, t)| ratio(t / self.solves.min)));
        row
    }
}

fn compare(mode: Mode, scene: &Scene) -> Result<Compared, Box<dyn std::error::Error + Send + Sync>> {
    let model = scene.model()?;
    let mut engine = Engine::new(&model)?;
    let from = scene.settled(&mut engine)?;
    let mut first = Timings::default();
    let outcome = step(&mut engine, &mut first, &from, model.h)?;
    check(scene, &outcome, model.solver_options.tolerance)?;

    // The same factor by itself: the engine's own is borrowed by the steps.
    let mut operators = Operators::at_start(&model, model.h)?;
    let mut x = outcome.snapshot.states[0].v.clone();
    let mut phases = first.phases().to_vec();
    let (contacts, sweeps) = (outcome.problem.n(), outcome.iterations());
    let ledger = Ledger::default();
    let mut failure = None;
    let mut one_step = || {
        let mut timings = Timings::default();
        match step(&mut engine, &mut timings, &from, model.h) {
            Ok(outcome) => drop(std::hint::black_box((ledger.after(&outcome), outcome))),
            Err(e) => failure = Some(e),
        }
        for ((_, shortest), (_, spent)) in phases.iter_mut().zip(timings.phases()) {
            *shortest = shortest.min(*spent);
        }
    };
    let mut two_solves = || {
        for _ in 0..2 {
            operators.bodies[0].apply(&mut x);
        }
        // repeated solves would shrink x to denormal numbers, which are slow
        x.copy_from_slice(&outcome.snapshot.states[0].v);
    };
    let [step, solves] = alternate(mode, 4.0, [&mut one_step, &mut two_solves]);
    failure.map_or(Ok(()), Err)?;
    Ok(Compared { solves, step, phases, contacts, sweeps })
}

/// The step measured must be one a run would accept.
fn check(scene: &Scene, outcome: &Outcome<2>, tolerance: f64) -> BenchResult {
    ensure(outcome.is_accepted(tolerance), || format!("{scene:?}: law error {}", outcome.certificate.law_error))?;
    ensure(outcome.snapshot.states.iter().all(delassus_dynamics::State::is_finite), || {
        format!("{scene:?}: not finite")
    })?;
    let acting = outcome.snapshot.impulses.len();
    let right = match scene.under {
        Under::Nothing => acting == 0,
        Under::Floor | Under::Slab => acting > scene.cells[0] / 2,
    };
    ensure(right, || format!("{scene:?}: {acting} contacts act"))
}
