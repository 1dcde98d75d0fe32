//! Two contact solvers that share no iteration agree on every step of the plane cases.
//!
//! Reference: Lemke's pivoting ([`delassus_solver::lemke`]), exact but for rounding, from nothing, on the very problem each step
//! solved by Gauss–Seidel sweeps.
//!
//! Goal: the impulses agree. They need not where the problem does not determine them, and this is recognised explicitly:
//!
//! ```text
//! undetermined   λmin(W) < 1e-7 λmax(W)        impulses may differ by 1e-13 λmax/λmin or, W singular, by anything in its kernel:
//!                                              U = U_free + W p must agree instead
//! several        velocities differ too, and the certificate passes both: friction can have several solutions
//! ```
//!
//! Parameters: every case with its own scheme, mesh, step and duration. Sweeps to a law error of
//! 1e-13; a run of its own at 1e-10 counts the sweeps that users pay for.
//!
//! Tolerances: impulses to 1e-9 of the largest of the step. The law error of 1e-13 is relative to the velocity of a contact; where it
//! slides by at 0.3 m/s and a step changes that by g h = 5 mm/s, it is 6e-12 of W p, and the condition of W comes on top (40 there).
//! Velocities to 1e-10 of the largest of U_free and W p: no condition enters. None of the cases has several solutions.

use delassus_case::Loaded;
use delassus_sim::engine::Engine;
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use delassus_solver::{Cone, ContactProblem, SolverOptions, Vector, certify, lemke};
use nalgebra::DMatrix;
use verification::{load, show};

/// The cases, each with what changes it.
const CASES: [(&str, &[&str]); 9] = [
    ("bars-impact", &[]),
    ("bars-impact-2d", &[]),
    ("blocks-gmsh", &[]),
    ("cylinder-impact", &[]),
    ("oblique-impact", &[]),
    ("sliding-block", &[]),
    ("incline", &[]),
    ("hertz-cylinder", &[]),
    ("cattaneo-mindlin", &[]),
];

/// Law error to which the sweeps go, and Lemke's method.
const SWEPT: f64 = 1e-13;
/// λmin/λmax of W below which impulses count as undetermined.
const REGULAR: f64 = 1e-7;
/// Impulses, relative to the largest of the step.
const IMPULSES: f64 = 1e-9;
/// Velocities, relative to the largest of the step.
const VELOCITIES: f64 = 1e-10;

/// What was found over the steps of a case.
#[derive(Clone, Copy, Debug, Default)]
struct Agreement {
    /// Steps with a contact problem.
    steps: usize,
    /// Steps with an impulse.
    acting: usize,
    /// Largest relative difference of impulses, over steps where W determines them.
    impulses: f64,
    /// Largest relative difference of velocities, over all steps.
    velocities: f64,
    /// Steps whose W is nearly singular.
    undetermined: usize,
    /// Largest relative difference of impulses over those steps.
    undetermined_impulses: f64,
    /// Steps with several solutions.
    several: usize,
    /// Least λmin/λmax of W.
    condition: f64,
    /// Largest law error of the two solvers, by the certificate.
    law_errors: [f64; 2],
}

fn largest(x: &[Vector<2>]) -> f64 {
    x.iter().map(|v| v.amax()).fold(0.0, f64::max)
}

fn difference(x: &[Vector<2>], y: &[Vector<2>]) -> f64 {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
}

/// λmin/λmax of W, on the directions in which an impulse can act: without friction that is the normal alone.
fn conditioning(problem: &ContactProblem<2>) -> f64 {
    let acts =
        |i: usize, axis: usize| axis == 0 || !matches!(problem.laws[i].cone, Cone::Coulomb(mu) if mu.abs() == 0.0);
    let rows: Vec<(usize, usize)> =
        (0..problem.n()).flat_map(|i| [(i, 0), (i, 1)]).filter(|&(i, axis)| acts(i, axis)).collect();
    let w = DMatrix::from_fn(rows.len(), rows.len(), |i, j| {
        let ((a, k), (b, l)) = (rows[i], rows[j]);
        problem.operator.block(a, b)[(k, l)]
    });
    let eigenvalues = w.symmetric_eigenvalues();
    eigenvalues.min().max(0.0) / eigenvalues.max()
}

fn compare(loaded: &Loaded) -> Agreement {
    let model = loaded.model::<2>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut timings = Timings::default();
    let mut from = Start::find(&mut engine).unwrap().snapshot;
    let mut found = Agreement { condition: 1.0, ..Agreement::default() };
    for i in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
        assert!(outcome.converged(), "step {i}: {}", outcome.description());
        let problem = &outcome.problem;
        if problem.n() > 0 {
            let swept = outcome.solution.clone();
            let mut pivoted = vec![Vector::<2>::zeros(); problem.n()];
            let report =
                lemke::solve(problem, &mut pivoted, &SolverOptions { tolerance: SWEPT, max_iterations: 10_000 });
            let certificates = [&swept, &pivoted].map(|p| certify(problem, p).unwrap().law_error);
            // Pivots on a singular W enlarge rounding; both stay within what a case asks for by default.
            assert!(certificates[0] <= 1e-12 && certificates[1] <= 1e-10, "step {i}: {certificates:?}, {report:?}");
            let [w_swept, w_pivoted] = [&swept, &pivoted].map(|p| {
                let mut u = vec![Vector::<2>::zeros(); problem.n()];
                problem.operator.apply_into(p, &mut u);
                u
            });
            let scale = largest(&problem.v_free).max(largest(&w_swept));
            let velocities = if scale > 0.0 { difference(&w_swept, &w_pivoted) / scale } else { 0.0 };
            let size = largest(&swept).max(largest(&pivoted));
            let impulses = if size > 0.0 { difference(&swept, &pivoted) / size } else { 0.0 };
            let condition = conditioning(problem);
            found.steps += 1;
            found.acting += usize::from(size > 0.0);
            found.condition = found.condition.min(condition);
            found.velocities = found.velocities.max(velocities);
            // Both are certified above: velocities that differ all the same are another solution.
            found.several += usize::from(velocities > VELOCITIES);
            if condition < REGULAR {
                found.undetermined += 1;
                found.undetermined_impulses = found.undetermined_impulses.max(impulses);
            } else {
                found.impulses = found.impulses.max(impulses);
            }
            for (worst, e) in found.law_errors.iter_mut().zip(certificates) {
                *worst = worst.max(e);
            }
        }
        from = outcome.snapshot;
    }
    found
}

/// Mean and largest number of sweeps to a law error of 1e-10, over the steps with contacts, each from the last impulses.
fn sweeps(loaded: &Loaded) -> (f64, usize) {
    let model = loaded.model::<2>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut timings = Timings::default();
    let mut from = Start::find(&mut engine).unwrap().snapshot;
    let mut counts = Vec::new();
    for _ in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
        assert!(outcome.is_accepted(1e-10), "{}", outcome.description());
        if outcome.problem.n() > 0 {
            counts.push(outcome.iterations());
        }
        from = outcome.snapshot;
    }
    let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    (mean, counts.into_iter().max().unwrap_or(0))
}

#[test]
fn gauss_seidel_and_lemke_agree_on_every_step() {
    show(
        "solvers agree        steps acting  impulses  velocities  undetermined  λmin/λmax  law errors      sweeps mean, max",
    );
    for (name, settings) in CASES {
        let with = |tolerance: &str| {
            let solver = format!("solver=Nlgs(tolerance: {tolerance}, max_iterations: 1000000, fallback: [])");
            load(name, &[settings, &[solver.as_str()]].concat())
        };
        let found = compare(&with("1e-13"));
        let (mean, most) = sweeps(&with("1e-10"));
        show(&format!(
            "  {name:18} {:5} {:6}   {:.1e}     {:.1e}  {:12}    {:.1e}  {:.0e}, {:.0e}   {mean:.1}, {most}",
            found.steps,
            found.acting,
            found.impulses,
            found.velocities,
            found.undetermined,
            found.condition,
            found.law_errors[0],
            found.law_errors[1]
        ));
        assert!(found.acting > 10, "{name}: {found:?}");
        assert_eq!((found.several, found.undetermined), (0, 0), "{name}: {found:?}");
        assert!(found.impulses <= IMPULSES && found.velocities <= VELOCITIES, "{name}: {found:?}");
    }
}

/// Two passes over matching faces pose every contact twice: W is singular, the two solvers share the impulse differently between
/// the twins, and the velocities are the same all the same.
#[test]
fn undetermined_impulses_are_recognised() {
    let solver = "solver=Nlgs(tolerance: 1e-13, max_iterations: 100000, fallback: [])";
    let found = compare(&load("bars-impact", &["contacts.faces.both=true", solver]));
    show(&format!(
        "  two passes over matching faces: {} of {} steps undetermined, impulses differ by {:.1e}, velocities by {:.1e}",
        found.undetermined, found.steps, found.undetermined_impulses, found.velocities
    ));
    assert!(found.undetermined == found.steps && found.acting > 10, "{found:?}");
    assert!(found.undetermined_impulses > IMPULSES && found.velocities <= VELOCITIES, "{found:?}");
}
