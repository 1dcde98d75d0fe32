//! What each phase costs, in seconds and in solves with the factor of M̂ of the same body.
//!
//! Assembly, analysis, factor and condensation of w are paid once a run (or once a step size); detection, the element
//! passes, W and the sweeps at every step.

use std::sync::Arc;

use benches::scene::{Scene, Under};
use benches::table::{Table, ratio, seconds};
use benches::timing::{Mode, alternate, is_wanted};
use benches::{BenchResult, ensure, on_one_thread};
use delassus_contact::Contact;
use delassus_dynamics::System;
use delassus_dynamics::effective_mass::{Coefficients, combine};
use delassus_dynamics::factor::{Analysis, Factor, Workspace};
use delassus_fem::{Body, BodyInput, KelvinVoigt, MaterialSpec};
use delassus_mesh::{CellKind, generate};
use delassus_sim::condense::{Sites, condense};
use delassus_sim::engine::Engine;
use delassus_sim::operators::Operators;
use delassus_sim::step::{Snapshot, step};
use delassus_sim::timings::Timings;
use delassus_solver::{ContactProblem, SolverOptions, Vector, nlgs};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Sweeps timed together.
const SWEEPS: usize = 100;

fn main() -> BenchResult {
    let mode = Mode::from_arguments();
    on_one_thread(move || {
        for cells in mode.choose(vec![[8, 2]], vec![[100, 4], [200, 24], [250, 199]]) {
            let scene = Scene::new(cells, Under::Floor);
            if !is_wanted(&scene.n_dof().to_string()) {
                continue;
            }
            let mut bench = Bench::new(mode, &scene)?;
            bench.body(&scene)?;
            bench.steps("on a floor", &scene)?;
            bench.steps("on a slab", &Scene::new(cells, Under::Slab))?;
            bench.table.print()?;
        }
        Ok(())
    })
}

/// The table of one size, and the yardstick: a solve, measured in turns with each phase.
struct Bench {
    mode: Mode,
    table: Table,
    factor: Factor,
    workspace: Workspace,
    load: Vec<f64>,
}

impl Bench {
    fn new(mode: Mode, scene: &Scene) -> Result<Self, Failure> {
        let body = body_of(scene)?;
        let (analysis, values) = effective(&body)?;
        let factor = Factor::new(&analysis, &values, MATRIX)?;
        let mut workspace = Workspace::new(&analysis);
        let load: Vec<f64> = (0..body.n_dof()).map(|i| ((i * 37) % 101) as f64 - 50.0).collect();
        let mut x = load.clone();
        factor.solve(&mut x, &mut workspace);
        check_solution(&body, &values, &x, &load)?;
        let [nx, ny] = scene.cells;
        let title = format!("{} dofs ({nx} × {ny} Q4), {} entries in L", body.n_dof(), analysis.n_factor_entries());
        let table = Table::new(title, &["phase", "min", "median", "one solve", "ratio of minima"]);
        Ok(Self { mode, table, factor, workspace, load })
    }

    /// Times a task that does `shares` times what is to be shown.
    fn time_shared(&mut self, name: impl Into<String>, shares: f64, mut task: impl FnMut()) -> f64 {
        let Self { mode, factor, workspace, load, .. } = self;
        let mut x = load.clone();
        let mut solve = || {
            x.copy_from_slice(load);
            factor.solve(&mut x, workspace);
        };
        let [measured, yardstick] = alternate(*mode, SECONDS, [&mut task, &mut solve]);
        let (min, median) = (measured.min / shares, measured.median / shares);
        let cells = [seconds(min), seconds(median), seconds(yardstick.min), ratio(min / yardstick.min)];
        self.table.row(std::iter::once(name.into()).chain(cells));
        min
    }

    fn time(&mut self, name: impl Into<String>, task: impl FnMut()) {
        self.time_shared(name, 1.0, task);
    }

    /// What belongs to one body alone.
    fn body(&mut self, scene: &Scene) -> BenchResult {
        let body = body_of(scene)?;
        let mut failure: Option<Failure> = None;
        self.time("assembly of a body", || keep_failure(body_of(scene), &mut failure));
        self.time("analysis", || {
            keep_failure(Analysis::new(body.matrices().pattern(), MATRIX), &mut failure);
        });
        let (analysis, values) = effective(&body)?;
        self.time("factor", || keep_failure(Factor::new(&analysis, &values, MATRIX), &mut failure));
        let factor = Factor::new(&analysis, &values, MATRIX)?;
        let bottom: Vec<usize> = (0..2 * (scene.cells[0] + 1)).collect();
        self.time(format!("condensation of w on {} dofs", bottom.len()), || {
            keep_failure(factor.condense(&bottom), &mut failure);
        });
        let q: Vec<f64> = (0..body.n_dof()).map(|i| 1e-6 * ((i * 29) % 97) as f64).collect();
        let mut f = vec![0.0; q.len()];
        self.time("elastic forces, K q", || body.elastic_force_into(&q, &mut f));
        let mut energy = 0.0;
        self.time("elastic energy", || energy = body.elastic_energy(&q));
        self.time("inertia, M v", || body.mass_times_into(&q, &mut f));
        body.elastic_force_into(&q, &mut f);
        let work: f64 = 0.5 * f.iter().zip(&q).map(|(f, q)| f * q).sum::<f64>();
        // two orders of summation over all cells
        ensure((work - energy).abs() <= 1e-10 * energy, || format!("½ q·Kq = {work}, energy {energy}"))?;
        failure.map_or(Ok(()), Err)
    }

    /// What belongs to a step.
    fn steps(&mut self, name: &str, scene: &Scene) -> BenchResult {
        let model = scene.model()?;
        let mut engine = Engine::new(&model)?;
        let from = scene.settled(&mut engine)?;
        let q_c = model.contact_configuration(&from, model.h);
        let mut failure: Option<Failure> = None;
        self.time(format!("{name}: detection"), || {
            keep_failure(engine.detect(&q_c, &from, model.h), &mut failure);
        });

        let outcome = step(&mut engine, &mut Timings::default(), &from, model.h)?;
        ensure(outcome.is_accepted(model.solver_options.tolerance), || format!("{scene:?}: step not accepted"))?;
        ensure(outcome.problem.n() > 0, || format!("{scene:?}: no contact acts"))?;
        let acting: Vec<&Contact<2>> = acting(&outcome.touches, &outcome.problem);
        ensure(acting.len() == outcome.problem.n(), || format!("{scene:?}: {} contacts found", acting.len()))?;
        let operators = Operators::at_start(&model, model.h)?;
        self.contact(name, &outcome.problem, &acting, &operators, Sites { model: &model, q: &q_c })?;
        self.whole(name, &mut engine, &from)?;
        failure.map_or(Ok(()), Err)
    }

    fn contact(
        &mut self,
        name: &str,
        problem: &ContactProblem<2>,
        acting: &[&Contact<2>],
        operators: &Operators,
        sites: Sites<'_, 2>,
    ) -> BenchResult {
        let n = acting.len();
        let mut failure: Option<Failure> = None;
        let same = condense(acting, operators, sites)? == problem.operator;
        ensure(same, || format!("{name}: W put together again differs"))?;
        self.time(format!("{name}: W of {n} contacts"), || {
            keep_failure(condense(acting, operators, sites), &mut failure);
        });

        // a tolerance out of reach: all sweeps are done
        let options = SolverOptions { tolerance: f64::MIN_POSITIVE, max_iterations: SWEEPS };
        let mut p = vec![Vector::<2>::zeros(); n];
        let mut sweeps = 0;
        let sweep = self.time_shared(format!("{name}: one sweep"), SWEEPS as f64, || {
            p.fill(Vector::zeros());
            sweeps = nlgs::solve(problem, &mut p, &options).iterations;
        });
        ensure(sweeps == SWEEPS && p.iter().all(|p| p.iter().all(|x| x.is_finite())), || {
            format!("{name}: {sweeps} sweeps")
        })?;
        self.table.row([format!("{name}: one sweep, for each contact"), seconds(sweep / n as f64)]);
        failure.map_or(Ok(()), Err)
    }

    fn whole(&mut self, name: &str, engine: &mut Engine<2>, from: &Snapshot) -> BenchResult {
        let h = engine.model.h;
        let mut failure: Option<Failure> = None;
        self.time(format!("{name}: whole step"), || {
            keep_failure(step(engine, &mut Timings::default(), from, h), &mut failure);
        });
        failure.map_or(Ok(()), Err)
    }
}

const MATRIX: &str = "effective mass";

/// Time given to each phase \[s\].
const SECONDS: f64 = 1.0;

/// The slab of a scene, by itself.
fn body_of(scene: &Scene) -> Result<Body<2>, Failure> {
    let mesh = generate::rectangle([0.0, 0.0], scene.size(), scene.cells, CellKind::Quad4, 1)?;
    let steel = MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.1e11, 0.3)).build(7800.0)?;
    Ok(Body::new(BodyInput::new("slab", mesh.into(), steel))?)
}

/// M + h²θ²K of a body with the step of the scenes.
fn effective(body: &Body<2>) -> Result<(Arc<Analysis>, Vec<f64>), Failure> {
    let coefficient = (0.55 * benches::scene::STEP).powi(2);
    let matrices = body.matrices();
    let coefficients = Coefficients { damping: 0.0, stiffness: coefficient };
    let values = combine(matrices, coefficients, matrices.stiffness.values());
    Ok((Arc::new(Analysis::new(matrices.pattern(), MATRIX)?), values))
}

/// A x = b to rounding.
fn check_solution(body: &Body<2>, values: &[f64], x: &[f64], b: &[f64]) -> BenchResult {
    let mut left = vec![0.0; x.len()];
    delassus_dynamics::symmetric_times_into(body.matrices().pattern(), values, x, &mut left);
    let error = left.iter().zip(b).map(|(l, b)| (l - b).abs()).fold(0.0, f64::max);
    // loads of the order of 50, a condition number below 100
    ensure(error < 1e-10, || format!("the solve leaves {error}"))
}

/// The contacts that took part in the problem: those near enough, in order.
fn acting<'a>(touches: &'a [delassus_sim::step::Touch<2>], problem: &ContactProblem<2>) -> Vec<&'a Contact<2>> {
    if touches.len() == problem.n() {
        return touches.iter().map(|t| &t.contact).collect();
    }
    touches.iter().filter(|t| t.law_error > 0.0 || t.impulse.amax() > 0.0).map(|t| &t.contact).collect()
}

/// Drops a result, keeping the first error.
fn keep_failure<T, E: Into<Failure>>(result: Result<T, E>, failure: &mut Option<Failure>) {
    match result {
        Ok(value) => drop(std::hint::black_box(value)),
        Err(e) => {
            failure.get_or_insert(e.into());
        }
    }
}
