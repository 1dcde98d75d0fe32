//! A half cylinder pressed on a rigid plane without friction: pressure and half width of Hertz.
//!
//! Reference: Hertz 1882; Johnson, Contact Mechanics, 1985, §4.2(c). With E* = E/(1 − ν²) and P per length,
//! a = √(4 P R/(π E*)), p₀ = 2 P/(π a), p(x) = p₀ √(1 − x²/a²).
//!
//! Goal: peak, width and profile of the pressure; how they come nearer to the exact ones with more cells over a; that damped
//! motion and direct equilibrium end in the same state; that Gauss–Seidel and pivoting give the same forces.
//!
//! ```text
//!      p  v v v v v v v v v
//!         +-------|-------+       1500 Q4, graded: 0.25 mm at the contact, some 4 mm at the flat side
//!          \      |      /
//!           `.    |    .'         the axis moves up and down only
//!              `--+--'
//!     ////////////////////////    no friction
//! ```
//!
//! Parameters: `cases/hertz-cylinder.ron`; R = 50 mm, E = 2 GPa, ν = 0.3, plane strain, P = 210 N/mm: a = 2.466 mm (9.9 cells),
//! p₀ = 54.21 MPa. Other loads put 3.5 to 14 cells over a: for a half plane a quarter of the load is a mesh twice as coarse.
//!
//! Tolerances: the counted half width within one cell (the outermost node counts with its whole cell, hence some 0.6 cells too much).
//! The half width of the straight line through (x², p²) uses all points and is no count: a quarter of a cell, for where in its cell
//! the edge lies is seen only through the mean pressure there. p₀: 5 % in the case; here 0.02 over the number of cells in a, and
//! (a/R)²/2 for the finite body. Equilibrium against motion: 1e-9, Gauss–Seidel at 1e-10 from a warm start at rest.

use delassus_case::Loaded;
use verification::{Run, distance, largest, load, run, show};

/// Width of a cell at the contact \[m\].
pub const CELL: f64 = 0.25e-3;

const THICKNESS: f64 = 0.02;
const RADIUS: f64 = 0.05;
const MODULUS: f64 = 2.0e9 / 0.91;
const LOAD: f64 = 2.1e5;

/// A candidate of the first pair that carries a force at the end of a run.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Place along x in the undeformed body \[m\].
    pub x: f64,
    /// Height in the undeformed body \[m\].
    pub y: f64,
    /// Traction along x and y \[Pa\].
    pub traction: [f64; 2],
}

/// The tractions at the end of a run, by ascending x.
pub fn tractions(loaded: &Loaded, run: &Run) -> Vec<Point> {
    let model = loaded.model::<2>().unwrap();
    let candidates = &model.pairs[0].directions[0].candidates()[0];
    let mesh = model.bodies[candidates.body()].body.mesh();
    let h = run.last("step_size");
    let mut out: Vec<Point> = run
        .summary
        .final_snapshot
        .impulses
        .iter()
        .map(|(key, p)| {
            let i = key.candidate as usize;
            let [x, y] = mesh.points[candidates.nodes()[i]];
            let unit = h * candidates.areas()[i];
            Point { x, y, traction: [p[0] / unit, p[1] / unit] }
        })
        .collect();
    out.sort_by(|a, b| a.x.total_cmp(&b.x));
    out
}

/// (half width, peak) of y = peak √(1 − x²/b²) through the points: a straight line in (x², y²) by least squares.
pub fn ellipse_through(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let squares: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x * x, y * y)).collect();
    let (mx, my) = squares.iter().fold((0.0, 0.0), |m, s| (m.0 + s.0 / n, m.1 + s.1 / n));
    let (sxy, sxx) = squares.iter().fold((0.0, 0.0), |m, s| (m.0 + (s.0 - mx) * (s.1 - my), m.1 + (s.0 - mx).powi(2)));
    let slope = sxy / sxx;
    let top = my - slope * mx;
    ((-top / slope).sqrt(), top.sqrt())
}

/// Hertz's (a, p₀).
fn hertz(load: f64) -> (f64, f64) {
    let a = (4.0 * load * RADIUS / (std::f64::consts::PI * MODULUS)).sqrt();
    (a, 2.0 * load / (std::f64::consts::PI * a))
}

/// Largest relative error of the peak: cells, and the finite body.
fn peak_tolerance(a: f64) -> f64 {
    0.02 * CELL / a + 0.5 * (a / RADIUS).powi(2)
}

/// The case at rest under a load from the first moment on, by direct equilibrium and one step.
fn at_rest(load_per_length: f64) -> (Loaded, Run) {
    let pressure = load_per_length / (2.0 * RADIUS);
    let mut settings: Vec<String> = ["start=Equilibrium", "duration=1e-4", "verify=None"].map(str::to_owned).to_vec();
    for i in 0..2 {
        settings.push(format!("loads[{i}].pressure={pressure}"));
        settings.push(format!("loads[{i}].factor=1.0"));
    }
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let loaded = load("hertz-cylinder", &settings);
    let run = run(&loaded);
    (loaded, run)
}

#[test]
fn peak_and_half_width() {
    let loaded = load("hertz-cylinder", &[]);
    let run = run(&loaded);
    let verdict = &run.summary.verdict;
    let checks = run.summary.verification.as_ref().unwrap();
    assert!(checks.passed(), "{:?}", checks.checks);
    let (a, p0) = hertz(LOAD);
    let peak = run.last("ground.max_pressure") / p0 - 1.0;
    let counted = run.last("ground.area") / (2.0 * THICKNESS);
    let points: Vec<(f64, f64)> = tractions(&loaded, &run).iter().map(|t| (t.x, t.traction[1])).collect();
    let fitted = ellipse_through(&points);
    let rest = run.last("kinetic_energy") / run.last("elastic_energy");
    let profile = checks.errors.iter().find(|e| e.column == "ground.pressure(x)").unwrap();
    show(&format!(
        "hertz: p0 {peak:+.2e}, a counted {:+.3} cells, a fitted {:+.2e}, profile L1 {:.1e} L2 {:.1e}; kinetic/elastic {rest:.0e}, \
         law error {:.1e}, at most {} sweeps, ledger {:.0e}",
        (counted - a) / CELL,
        fitted.0 / a - 1.0,
        profile.l1,
        profile.l2,
        verdict.law_error,
        verdict.max_iterations,
        verdict.energy_residual
    ));
    assert!((counted - a).abs() < CELL, "{counted} {a}");
    assert!((fitted.0 - a).abs() < 0.25 * CELL, "{fitted:?} {a}");
    assert!(peak.abs() < peak_tolerance(a), "{peak}");
    assert!(profile.l2 < 0.02, "{profile:?}");
    assert!(rest < 1e-20, "{rest:e}");
    assert!(verdict.law_error <= 1e-10 + 1e-12 && verdict.energy_residual <= 1e-12, "{verdict:?}");
    // Sweeps are work: a loss of convergence shows here, not in the forces (550 when written).
    assert!(verdict.flagged + verdict.cuts + verdict.takeovers == 0 && verdict.max_iterations <= 700, "{verdict:?}");
    // The same state without the motion that led to it.
    let (calm_case, calm) = at_rest(LOAD);
    let forces = |l: &Loaded, r: &Run| tractions(l, r).iter().map(|t| t.traction[1] / p0).collect::<Vec<_>>();
    let apart = distance(&forces(&loaded, &run), &forces(&calm_case, &calm));
    show(&format!("hertz: equilibrium and damped motion differ by {apart:.1e} p0"));
    assert!(apart < 1e-9, "{apart:e}");
}

#[test]
fn more_cells_over_the_half_width_bring_it_nearer() {
    for factor in [0.125, 0.25, 0.5, 1.0, 2.0] {
        let (loaded, run) = at_rest(factor * LOAD);
        let (a, p0) = hertz(factor * LOAD);
        let all = tractions(&loaded, &run);
        let counted = run.last("ground.area") / (2.0 * THICKNESS);
        let (width, top) = ellipse_through(&all.iter().map(|t| (t.x, t.traction[1])).collect::<Vec<_>>());
        let peak = run.last("ground.max_pressure") / p0 - 1.0;
        show(&format!(
            "hertz: {:5.2} cells over a, a/R {:.4}: p0 {peak:+.2e}, a counted {:+.2} cells, fitted a {:+.2e}, fitted p0 {:+.2e}",
            a / CELL,
            a / RADIUS,
            (counted - a) / CELL,
            width / a - 1.0,
            top / p0 - 1.0
        ));
        assert!((counted - a).abs() < CELL, "{factor}: {counted} {a}");
        // Loads and contact forces balance.
        let force = run.last("ground.force_y") / (factor * LOAD * THICKNESS);
        assert!((force - 1.0).abs() < 1e-9, "{factor}: {force}");
        assert!((width - a).abs() < 0.25 * CELL, "{factor}: {width} {a}");
        assert!(peak.abs() < peak_tolerance(a), "{factor}: {peak}");
    }
}

/// Two or three points on a facet have no forces of their own: point by point the peak is 1.4 and 1.9 p0 too high. From what the nodes carry it is
/// that of the nodes, to the tolerance of the law. One point on a facet leaves a mode free in which forces rise and fall from facet to facet: 2 %.
/// The edge to a cell.
#[test]
fn points_on_facets_measure_the_same_pressure() {
    let (a, p0) = hertz(LOAD);
    // The quadrature of a straight facet has one point.
    for kind in ["Quadrature", "OnFacets(2)", "OnFacets(3)"] {
        let points = format!("contacts.ground.points={kind}");
        let at_once = [
            "start=Equilibrium",
            "duration=1e-4",
            "loads[0].factor=1.0",
            "loads[1].factor=1.0",
            "verify.solution.factor=1.0",
        ];
        let loaded = load("hertz-cylinder", &[&at_once[..], &[&points, "solver=Nlgs(tolerance: 1e-8)"]].concat());
        let run = run(&loaded);
        let peak = run.last("ground.max_pressure") / p0 - 1.0;
        let counted = run.last("ground.area") / (2.0 * THICKNESS);
        let profile =
            run.summary.verification.as_ref().unwrap().errors.iter().find(|e| e.column == "ground.pressure(x)");
        let l2 = profile.unwrap().l2;
        show(&format!(
            "hertz, {kind}: p0 {peak:+.2e}, a counted {:+.3} cells, profile L2 {l2:.1e}",
            (counted - a) / CELL
        ));
        let allowed = if kind == "Quadrature" { 0.02 } else { peak_tolerance(a) };
        assert!(peak.abs() < allowed, "{kind}: {peak}");
        assert!((counted - a).abs() < CELL, "{kind}: {counted} {a}");
        assert!(l2 < 0.03, "{kind}: {l2}");
    }
}

#[test]
fn gauss_seidel_and_pivoting_agree() {
    let short = ["duration=4e-3", "loads[0].factor.end=2e-3", "loads[1].factor.end=2e-3", "verify=None"];
    let forces = |solver: &str| {
        let loaded = load("hertz-cylinder", &[&short[..], &[solver]].concat());
        let run = run(&loaded);
        let sweeps = run.summary.verdict.max_iterations;
        (tractions(&loaded, &run).iter().map(|t| t.traction[1]).collect::<Vec<_>>(), sweeps)
    };
    let (nlgs, sweeps) = forces("solver=Nlgs(tolerance: 1e-13, max_iterations: 20000, fallback: [])");
    let (lemke, pivots) = forces("solver=Lemke(tolerance: 1e-13)");
    let apart = distance(&nlgs, &lemke) / largest(&lemke);
    show(&format!("hertz: forces of NLGS ({sweeps} sweeps) and Lemke ({pivots} pivots) differ by {apart:.1e}"));
    assert!(apart < 1e-9, "{apart:e}");
}
