//! Two equal half cylinders pressed together and pushed sideways: the partial slip of Cattaneo and Mindlin.
//!
//! Reference: Cattaneo 1938, Mindlin 1949; Johnson, Contact Mechanics, 1985, §7.2(a). The part |x| < c sticks,
//! c = a √(1 − Q/(μ P)); the shear is μ p₀ [√(1 − x²/a²) − (c/a) √(1 − x²/c²)].
//!
//! Goal: the part that sticks, at every step of the push; the shear; that pressing alone makes no shear; that the push does not
//! move the pressure; that Gauss–Seidel and pivoting give the same forces.
//!
//! ```text
//!        v v V V V V V
//!     <- +-------|-------+
//!         \    upper    /
//!           `.       .'         same material: Dundurs' β = 0
//!              `---'            meshes are mirror images, node meets node
//!              .---.
//!           .'       `.
//!         /    lower    \
//!        +---------------+ ->
//!        ^ ^ ^ ^ ^ ^ ^ ^ ^
//! ```
//!
//! Two bodies of one material, not a plane and ν → ½: β is then 0 exactly, and no nearly incompressible element is in
//! the way. Both bodies carry mirrored loads: a clamped flat side would hinder the lateral strain of one body only, and
//! that alone leaves a shear of 0.9 % of p₀. The normal loads of the two halves of a flat side balance the moment Q R of the push.
//!
//! Parameters: `cases/cattaneo-mindlin.ron`; R = 50 mm, E = 2 GPa, ν = 0.3, μ = 0.3, P = 210 N/mm: a = 2.466 mm, cells of 0.25 mm.
//!
//! Tolerances: c within one cell at every step, by count; a quarter of a cell from the straight line through
//! (x², (μ p − q)²) of the sticking points. Shear by pressing alone 1e-3 p₀: a node that lands in a step with friction keeps the
//! sideways part of that step, which falls faster than the step. Pressure: 2.5 % of p₀ between left and right, reached at the
//! outermost points, where half a cell decides; its centre is where the moment of the shear, which acts at heights x²/(2R),
//! puts it, to 1e-4 of a, and that is within 0.5 % of a.

use verification::{Run, distance, largest, load, run, show};

use crate::hertz_cylinder::{CELL, Point, ellipse_through, tractions};

const THICKNESS: f64 = 0.02;
const FRICTION: f64 = 0.3;
const LOAD: f64 = 2.1e5;
const RADIUS: f64 = 0.05;
const PUSH_STARTS: f64 = 0.1;

/// Hertz's (a, p₀): E* is half of E/(1 − ν²), the relative radius half of R.
fn hertz() -> (f64, f64) {
    let a = (4.0 * LOAD * RADIUS * 0.91 / (std::f64::consts::PI * 2.0e9)).sqrt();
    (a, 2.0 * LOAD / (std::f64::consts::PI * a))
}

/// Runs the case with Q = `part` μ P at the end.
fn pushed(part: f64, settings: &[&str]) -> (Vec<Point>, Run) {
    let shear = part * FRICTION * LOAD / (2.0 * RADIUS);
    let mut all: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    for (i, (side, turn)) in [(-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (1.0, 1.0)].into_iter().enumerate() {
        all.push(format!("loads[{}].traction=({}, {})", 4 + i, side * shear, 2.0 * turn * shear));
    }
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let loaded = load("cattaneo-mindlin", &all);
    let run = run(&loaded);
    (tractions(&loaded, &run), run)
}

/// Largest |counted − exact| half width of the sticking part over the push, in cells.
fn worst_stick(run: &Run, part: f64) -> f64 {
    let (time, stick) = (run.column("time"), run.column("joint.stick_area"));
    let mut seen = 0;
    let mut worst: f64 = 0.0;
    for (t, area) in time.iter().zip(stick).filter(|(t, _)| **t > PUSH_STARTS * (1.0 + 1e-9)) {
        let c = hertz().0 * (1.0 - part * (t - PUSH_STARTS) / PUSH_STARTS).sqrt();
        worst = worst.max((area / (2.0 * THICKNESS) - c).abs() / CELL);
        seen += 1;
    }
    assert!(seen >= 20, "{seen} steps of the push");
    worst
}

/// c from the sticking points: there (μ p − q)² falls with x² to zero at c.
fn fitted_stick(points: &[Point]) -> f64 {
    let (_, p0) = hertz();
    // Where it slips the rest is zero but for the tilt of the contact, some 1e-3 of μ p₀.
    let rest = |t: &Point| FRICTION * t.traction[1] - t.traction[0];
    let sticks = points.iter().filter(|t| rest(t) > 0.02 * FRICTION * p0);
    ellipse_through(&sticks.map(|t| (t.x, rest(t))).collect::<Vec<_>>()).0
}

fn check_solved(run: &Run) {
    let v = &run.summary.verdict;
    assert!(v.law_error <= 1e-10 + 1e-12 && v.energy_residual <= 1e-11, "{v:?}");
    assert_eq!(v.flagged + v.cuts + v.too_deep, 0, "{v:?}");
}

#[test]
fn half_of_the_limit() {
    let (points, run) = pushed(0.5, &[]);
    let checks = run.summary.verification.as_ref().unwrap();
    assert!(checks.passed(), "{:?}", checks.checks);
    check_solved(&run);
    let (a, p0) = hertz();
    let c = a * 0.5f64.sqrt();
    let counted = run.last("joint.stick_area") / (2.0 * THICKNESS);
    let fitted = (fitted_stick(&points) - c) / CELL;
    let worst = worst_stick(&run, 0.5);
    let error = |name: &str| checks.errors.iter().find(|e| e.column == name).unwrap().l2;
    let (pressure, shear) = (error("joint.pressure(x)"), error("joint.shear(x)"));
    // Mirror images, left and right.
    let odd = |axis: usize| {
        let t: Vec<f64> = points.iter().map(|p| p.traction[axis]).collect();
        let back: Vec<f64> = t.iter().rev().copied().collect();
        0.5 * distance(&t, &back) / p0
    };
    let total: f64 = points.iter().map(|t| t.traction[1]).sum();
    let centre = points.iter().map(|t| t.x * t.traction[1]).sum::<f64>() / total;
    let lever = points.iter().map(|t| t.y * t.traction[0]).sum::<f64>() / total;
    let rest = run.last("kinetic_energy") / run.last("elastic_energy");
    show(&format!(
        "cattaneo-mindlin: c counted {:+.3} cells (worst of the push {worst:.3}), fitted {fitted:+.3} cells; p0 {:+.2e}; profiles L2: pressure \
         {pressure:.1e}, shear {shear:.1e}; odd parts: pressure {:.1e} p0, shear {:.1e} p0; centre {centre:.2e} m (lever {lever:.2e}); \
         kinetic/elastic {rest:.0e}; law error {:.0e}, {} pivots at most, ledger {:.0e}",
        (counted - c) / CELL,
        run.last("joint.max_pressure") / p0 - 1.0,
        odd(1),
        odd(0),
        run.summary.verdict.law_error,
        run.summary.verdict.max_iterations,
        run.summary.verdict.energy_residual
    ));
    assert!((counted - c).abs() < CELL && worst < 1.0, "{counted} {c}, {worst}");
    assert!(fitted.abs() < 0.25, "{fitted}");
    assert!((run.last("joint.max_pressure") / p0 - 1.0).abs() < 0.01);
    assert!(pressure < 0.02, "{pressure}");
    assert!(odd(1) < 0.025 && odd(0) < 0.01, "{} {}", odd(1), odd(0));
    assert!(centre.abs() < 0.005 * a, "{centre}");
    // Moments about the middle vanish: what moves the pressure is the lever of the shear, nothing else.
    assert!((centre - lever).abs() < 1e-4 * a, "{centre} {lever}");
    assert!(rest < 1e-6, "{rest:e}");
}

#[test]
fn nearly_everything_slips() {
    let (points, run) = pushed(0.9, &["verify=None"]);
    check_solved(&run);
    let c = hertz().0 * 0.1f64.sqrt();
    let worst = worst_stick(&run, 0.9);
    let fitted = (fitted_stick(&points) - c) / CELL;
    show(&format!("cattaneo-mindlin: Q = 0.9 mu P: worst stick {worst:.3} cells, fitted c {fitted:+.3} cells"));
    assert!(worst < 1.0 && fitted.abs() < 0.25, "{worst} {fitted}");
}

#[test]
fn pressing_alone_makes_no_shear() {
    let (_, p0) = hertz();
    let shear = |step: &str| {
        let (points, run) = pushed(0.5, &["duration=0.1", step, "verify=None"]);
        check_solved(&run);
        // Everything sticks, by symmetry without force.
        assert!((run.last("joint.area") - run.last("joint.stick_area")).abs() < 1e-12);
        assert!(run.largest("joint.force_x") < 1e-9 * run.last("joint.force_y"), "{:e}", run.largest("joint.force_x"));
        largest(&points.iter().map(|t| t.traction[0]).collect::<Vec<_>>()) / p0
    };
    let (long, short) = (shear("step=4e-3"), shear("step=2e-3"));
    show(&format!("cattaneo-mindlin: shear by pressing alone {long:.1e} p0, {short:.1e} with half the step"));
    assert!(short < 1e-3 && short < 0.5 * long, "{long:e} {short:e}");
}

#[test]
fn gauss_seidel_and_pivoting_agree() {
    // Short steps, for the sake of Gauss–Seidel: the bodies then swing, and stick and slip all the same.
    let mut short: Vec<String> = ["step=1e-4", "duration=4e-3", "verify=None"].map(str::to_owned).to_vec();
    for i in 0..4 {
        short.push(format!("loads[{i}].factor.end=2e-3"));
        short.push(format!("loads[{}].factor=Ramp(start: 2e-3, end: 4e-3, to: 1.0)", 4 + i));
    }
    let forces = |solver: &str| {
        let settings: Vec<&str> = short.iter().map(String::as_str).chain([solver]).collect();
        let (points, run) = pushed(0.5, &settings);
        let stick = run.column("joint.stick_area");
        let slipped = stick.iter().zip(run.column("joint.area")).any(|(s, a)| *s < 0.9 * a);
        assert!(slipped, "nothing slipped");
        assert_eq!(run.summary.verdict.cuts, 0, "another step would be another path");
        let all = points.iter().flat_map(|t| t.traction).collect::<Vec<f64>>();
        (all, run.summary.verdict.max_iterations)
    };
    // In one step rounding holds the sweeps at 9e-13.
    let (nlgs, sweeps) = forces("solver=Nlgs(tolerance: 1e-12, max_iterations: 50000, fallback: [])");
    let (lemke, pivots) = forces("solver=Lemke(tolerance: 1e-12)");
    let apart = distance(&nlgs, &lemke) / largest(&lemke);
    show(&format!(
        "cattaneo-mindlin: forces of NLGS ({sweeps} sweeps) and Lemke ({pivots} pivots) differ by {apart:.1e}"
    ));
    assert!(apart < 1e-9, "{apart:e}");
}
