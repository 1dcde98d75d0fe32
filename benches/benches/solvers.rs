//! Contact solvers by themselves: nanoseconds per contact and sweep on full and sparse W, and the stiff problem.
//!
//! Full W: two H8 blocks with 289 contacts, h of two crossings of a cell (and ten times that: W is far from diagonal, Gauss–Seidel needs
//! many sweeps, and Newton's method takes over). Sparse W: random graphs of rigid bodies. All from p = 0, to 1e-8.

use benches::cubes::Cubes;
use benches::heap::heap;
use benches::table::{Table, seconds};
use benches::timing::{Mode, is_wanted, measure};
use benches::{BenchResult, ensure, on_one_thread};
use delassus_sim::engine::Engine;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use delassus_solver::{ContactProblem, Method, Options, Vector, certify, nlgs, solve_in_order};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Sweeps timed together.
const SWEEPS: usize = 50;
/// Time given to each task \[s\].
const SECONDS: f64 = 1.0;
const TOLERANCE: f64 = 1e-8;

fn main() -> BenchResult {
    let mode = Mode::from_arguments();
    on_one_thread(move || {
        let problems = [
            ("full", cubes(mode.choose(2, 10), 2.0)?),
            ("full", cubes(mode.choose(3, 16), 2.0)?),
            ("full, stiff", cubes(mode.choose(3, 16), mode.choose(2.0, 60.0))?),
            ("sparse", heap(mode.choose(5, 140), mode.choose(12, 400))?),
            ("sparse", heap(mode.choose(8, 700), mode.choose(20, 2000))?),
        ];
        let mut table = Table::new(
            "Contact solvers, to 1e-8 from nothing",
            &[
                "W",
                "contacts",
                "blocks",
                "sweep, a contact",
                "nlgs",
                "time",
                "newton",
                "time",
                "nlgs, then newton",
                "time",
            ],
        );
        for (name, problem) in &problems {
            if is_wanted(&format!("{name} {}", problem.n())) {
                table.row(row(mode, name, problem)?);
            }
        }
        table.print()?;
        Ok(())
    })
}

/// The problem of a step of two blocks with (side + 1)² contacts.
fn cubes(side: usize, crossings: f64) -> Result<ContactProblem<3>, Failure> {
    let cubes = Cubes { crossings, ..Cubes::new(side, 3) };
    let model = cubes.model()?;
    let mut engine = Engine::new(&model)?;
    let from = cubes.settled(&mut engine)?;
    let problem = step(&mut engine, &mut Timings::default(), &from, model.h)?.problem;
    ensure(2 * problem.n() > cubes.n_candidates(), || format!("{cubes:?}: {} contacts", problem.n()))?;
    Ok(problem)
}

fn row(mode: Mode, name: &str, problem: &ContactProblem<3>) -> Result<Vec<String>, Failure> {
    let n = problem.n();
    let nothing = vec![Vector::<3>::zeros(); n];
    let mut p = nothing.clone();
    // a tolerance out of reach: all sweeps are done, unless the problem is solved to the last bit
    let all = Options { tolerance: f64::MIN_POSITIVE, max_iterations: SWEEPS };
    let mut sweeps = 1;
    let time = measure(mode, SECONDS, || {
        p.copy_from_slice(&nothing);
        sweeps = nlgs::solve(problem, &mut p, &all).iterations.max(1);
    });
    let mut cells = vec![name.to_owned(), n.to_string(), problem.operator.n_blocks().to_string()];
    cells.push(seconds(time.min / (sweeps * n) as f64));
    let options = Options { tolerance: TOLERANCE, max_iterations: 20_000 };
    for methods in [&[Method::Nlgs][..], &[Method::Newton], &[Method::Nlgs, Method::Newton]] {
        let mut reports = Vec::new();
        let time = measure(mode, SECONDS, || {
            p.copy_from_slice(&nothing);
            reports = solve_in_order(methods, problem, &mut p, &options);
        });
        let error = certify(problem, &p)?.law_error;
        // two codes: they differ by rounding
        ensure(error <= TOLERANCE + 1e-12, || format!("{name} {n}, {methods:?}: law error {error}, {reports:?}"))?;
        let effort: Vec<String> = reports.iter().map(|r| r.iterations.to_string()).collect();
        cells.extend([effort.join(" + "), seconds(time.min)]);
    }
    Ok(cells)
}
