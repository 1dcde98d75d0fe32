//! A ball pressed on a rigid plane without friction: Hertz's contact at a point, `cases/hertz-sphere.ron`.
//!
//! Reference: Hertz 1882; Johnson, Contact Mechanics, 1985, §4.2(a). With E* = E/(1 − ν²), a³ = 3 P R/(4 E*), p₀ = 3 P/(2 π a²),
//! p(r) = p₀ √(1 − r²/a²), approach δ = a²/R of points far from the contact.
//!
//! Goal: peak, radius and profile of the pressure, and the approach; that what is missing in the approach is the finite ball and goes with
//! a/R; that damped motion and direct equilibrium end in the same state.
//!
//! Parameters: the case as it is written, P = 430 N: a/R = 0.039, 5.4 cells over a; and, with 6 cells and more layers, P, P/8 and P/64, whose
//! contacts are half and a quarter as wide, on meshes whose fine blocks are so too and whose layers grow alike.
//!
//! Tolerances: p₀ and the radius fitted through (r², p²) 1 % (2 % with 6 cells); the counted area as in the case; δ 5 % in the case. Against a/R the deviation of δ
//! is a straight line: through the outer two of the three points, it must meet the middle one to 1e-3 and come to Hertz's approach at a/R = 0 to
//! 2e-3 (4.7 cells over a).

use delassus_case::Loaded;
use verification::{Run, distance, load, run, show};

use crate::hertz_cylinder::ellipse_through;

const MODULUS: f64 = 2.0e9 / 0.91;
const RADIUS: f64 = 0.05;
const LOAD: f64 = 430.0;
/// Body force of the case at its load \[m/s²\].
const PULL: f64 = 690.062_519_94;

/// Hertz's (a, p₀).
fn hertz(load: f64) -> (f64, f64) {
    let a = (0.75 * load * RADIUS / MODULUS).cbrt();
    (a, 1.5 * load / (std::f64::consts::PI * a * a))
}

/// (distance from the pole, pressure) of the candidates that carry a force at the end of a run.
fn pressures(loaded: &Loaded, run: &Run) -> Vec<(f64, f64)> {
    let model = loaded.model::<3>().unwrap();
    let candidates = &model.pairs[0].directions[0].candidates()[0];
    let mesh = model.bodies[candidates.body()].body.mesh();
    let h = run.last("step_size");
    let mut out: Vec<(f64, f64)> = run
        .summary
        .final_snapshot
        .impulses
        .iter()
        .map(|(key, p)| {
            let i = key.candidate as usize;
            let [x, _, z] = mesh.points[candidates.nodes()[i]];
            (x.hypot(z), p[1] / (h * candidates.areas()[i]))
        })
        .collect();
    out.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    out
}

/// The case at rest under a part of its load, by direct equilibrium and one step, with a fine block in proportion to the contact.
fn at_rest(part: f64, layers: usize) -> (Loaded, Run) {
    let narrow = part.cbrt();
    let loaded = load(
        "hertz-sphere",
        &[
            "start=Equilibrium",
            "duration=2.5e-4",
            "verify=None",
            &format!("loads[0].acceleration=(0.0, {:e}, 0.0)", -PULL * part),
            "loads[0].factor=1.0",
            &format!("bodies.ball.mesh.patch={:e}", 2.5e-3 * narrow),
            "bodies.ball.mesh.cells=6",
            &format!("bodies.ball.mesh.layers={layers}"),
        ],
    );
    let run = run(&loaded);
    (loaded, run)
}

#[test]
fn pressure_radius_and_approach() {
    let loaded = load("hertz-sphere", &[]);
    let run = run(&loaded);
    let checks = run.summary.verification.as_ref().unwrap();
    assert!(checks.passed(), "{:?}", checks.checks);
    let (a, p0) = hertz(LOAD);
    let points = pressures(&loaded, &run);
    let (radius, peak) = ellipse_through(&points);
    let profile = checks.errors.iter().find(|e| e.column == "ground.pressure(r)").unwrap();
    let rest = run.last("kinetic_energy") / run.last("elastic_energy");
    let verdict = &run.summary.verdict;
    show(&format!(
        "hertz sphere: p0 {:+.2e}, a fitted {:+.2e}, p0 fitted {:+.2e}, a counted {:+.2e}, approach {:+.2e}, profile L1 {:.1e} L2 {:.1e}; \
         kinetic/elastic {rest:.0e}, law {:.1e}, ledger {:.0e}, at most {} sweeps",
        run.last("ground.max_pressure") / p0 - 1.0,
        radius / a - 1.0,
        peak / p0 - 1.0,
        (4.0 * run.last("ground.area") / std::f64::consts::PI).sqrt() / a - 1.0,
        -run.last("ball.uy") / (a * a / RADIUS) - 1.0,
        profile.l1,
        profile.l2,
        verdict.law_error,
        verdict.energy_residual,
        verdict.max_iterations
    ));
    assert!((run.last("ground.max_pressure") / p0 - 1.0).abs() < 0.01);
    assert!((radius / a - 1.0).abs() < 0.01 && (peak / p0 - 1.0).abs() < 0.01, "{radius} {peak}");
    assert!(profile.l2 < 0.03, "{profile:?}");
    assert!(rest < 1e-15, "{rest:e}");
    assert!(verdict.flagged + verdict.cuts + verdict.takeovers == 0 && verdict.max_iterations <= 250, "{verdict:?}");
    assert!(verdict.law_error <= 1e-10 + 1e-12 && verdict.energy_residual <= 1e-12, "{verdict:?}");
}

#[test]
fn what_is_missing_in_the_approach_is_the_finite_ball() {
    let mut found = Vec::new();
    for (part, layers) in [(1.0, 26), (0.125, 30), (1.0 / 64.0, 34)] {
        let (loaded, run) = at_rest(part, layers);
        // The mesh changes a little with the block, and its mass: the load is what the plane carries.
        let load = 4.0 * run.last("ground.force_y");
        let (a, p0) = hertz(load);
        let (radius, _) = ellipse_through(&pressures(&loaded, &run));
        let approach = -run.last("ball.uy") / (a * a / RADIUS) - 1.0;
        show(&format!(
            "hertz sphere at rest: a/R {:.4}: p0 {:+.2e}, a fitted {:+.2e}, approach {approach:+.2e} = {:+.3} a/R",
            a / RADIUS,
            run.last("ground.max_pressure") / p0 - 1.0,
            radius / a - 1.0,
            approach / (a / RADIUS)
        ));
        assert!((run.last("ground.max_pressure") / p0 - 1.0).abs() < 0.01 && (radius / a - 1.0).abs() < 0.02);
        found.push((a / RADIUS, approach));
    }
    let slope = (found[0].1 - found[2].1) / (found[0].0 - found[2].0);
    let line = |x: f64| found[2].1 + slope * (x - found[2].0);
    show(&format!("hertz sphere: approach deviates by {slope:+.3} a/R {:+.1e}", line(0.0)));
    assert!((line(found[1].0) - found[1].1).abs() < 1e-3 && line(0.0).abs() < 2e-3, "{found:?}");
    assert!(slope < -0.4 && slope > -0.7, "{slope}");
}

#[test]
fn motion_and_equilibrium_end_alike() {
    // Fewer cells: two ways to one state, whatever the mesh.
    let coarse = ["bodies.ball.mesh.cells=5", "bodies.ball.mesh.layers=12"];
    let moved = load("hertz-sphere", &[coarse[0], coarse[1], "verify=None", "duration=0.025"]);
    let calm = load(
        "hertz-sphere",
        &[coarse[0], coarse[1], "verify=None", "start=Equilibrium", "duration=2.5e-4", "loads[0].factor=1.0"],
    );
    let pressure = |l: &Loaded| pressures(l, &run(l)).iter().map(|p| p.1 / hertz(LOAD).1).collect::<Vec<_>>();
    let apart = distance(&pressure(&moved), &pressure(&calm));
    show(&format!("hertz sphere: equilibrium and damped motion differ by {apart:.1e} p0"));
    // Gauss–Seidel at 1e-10, from a warm start at rest.
    assert!(apart < 1e-7, "{apart:e}");
}
