//! Contact solvers by themselves: nanoseconds per contact and sweep on full and sparse W, and the stiff problem.
//!
//! Full W: two H8 blocks with 289 contacts, h of two crossings of a cell, and forty times that: W is far from diagonal, Gauss–Seidel needs
//! many sweeps, and Newton's method takes over. Sparse W: random graphs of rigid bodies. All from p = 0, to 1e-8.

use benches::cubes::Cubes;
use benches::heap::heap;
use benches::table::{Table, seconds};
use benches::timing::{Mode, is_wanted, measure};
use benches::{BenchResult, ensure, on_one_thread};
use delassus_sim::engine::Engine;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use delassus_solver::{ContactProblem, Method, SolverOptions, Vector, certify, nlgs, solve_in_order};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Sweeps timed together.
const SWEEPS: usize = 50;
/// Time given to each task \[s\].
const SECONDS: f64 = 1.0;
const TOLERANCE: f64 = 1e-8;
/// Step of the stiff problem, in crossings of a cell: Gauss–Seidel needs more than a thousand sweeps.
const STIFF: f64 = 80.0;

fn main() -> BenchResult {
    let mode = Mode::from_arguments();
    on_one_thread(move || {
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
        let blocks = [("full", 10, 2.0), ("full", 16, 2.0), ("full, stiff", 16, STIFF)];
        for (name, side, crossings) in
            mode.choose([("full", 2, 2.0), ("full", 3, 2.0), ("full, stiff", 3, STIFF)], blocks)
        {
            if is_wanted(&format!("{name} {}", (side + 1) * (side + 1))) {
                table.row(row(mode, name, &cubes(side, crossings)?)?);
            }
        }
        for (bodies, contacts) in mode.choose([(5, 12), (8, 20)], [(140, 400), (700, 2000)]) {
            if is_wanted(&format!("sparse {contacts}")) {
                table.row(row(mode, "sparse", &heap(bodies, contacts)?)?);
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
    let all = SolverOptions { tolerance: f64::MIN_POSITIVE, max_iterations: SWEEPS };
    let mut sweeps = 1;
    let time = measure(mode, SECONDS, || {
        p.copy_from_slice(&nothing);
        sweeps = nlgs::solve(problem, &mut p, &all).iterations.max(1);
    });
    let mut cells = vec![name.to_owned(), n.to_string(), problem.operator.n_blocks().to_string()];
    cells.push(seconds(time.min / (sweeps * n) as f64));
    let options = SolverOptions { tolerance: TOLERANCE, max_iterations: 5000 };
    for methods in [&[Method::Nlgs][..], &[Method::Newton], &[Method::Nlgs, Method::Newton]] {
        let mut reports = Vec::new();
        let time = measure(mode, SECONDS, || {
            p.copy_from_slice(&nothing);
            reports = solve_in_order(methods, problem, &mut p, &options);
        });
        let error = certify(problem, &p)?.law_error;
        let effort: Vec<String> = reports.iter().map(|r| r.iterations.to_string()).collect();
        // Sweeps alone, or Newton alone, need not arrive; both together must. Two codes: they differ by rounding.
        let arrived = error <= TOLERANCE + 1e-12;
        ensure(arrived || methods.len() == 1, || format!("{name} {n}, {methods:?}: law error {error}, {reports:?}"))?;
        let note = if arrived { "" } else { ", not solved" };
        cells.extend([format!("{}{note}", effort.join(" + ")), seconds(time.min)]);
    }
    Ok(cells)
}
