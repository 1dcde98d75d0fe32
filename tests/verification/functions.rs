//! Motions given as displacements and by formulas.
//!
//! Reference: the displacement itself. A plate is moved as a whole by u(t) = A sin(ω t); its velocity at the ends of steps is u̇, so with θ = ½ its
//! displacement is the trapezium rule,
//!
//! ```text
//! |q(t) − u(t)| ≤ t h²/12 max|u‴| = t h²/12 A ω³        and of order 2;         θ = 1 adds (θ − ½) h (u̇(t) − u̇(0)).
//! ```
//!
//! An obstacle is placed by the integral of its velocity, which for a displacement is u(t) − u(0) to rounding. The plate, without mass of
//! its own to speak of, is pushed by it.
//!
//! Parameters: A = 1 mm, 50 Hz, one and a quarter periods in 50, 100, 200 steps. Tolerances: the bound above; 0.1 on the order; for the same function
//! written in two ways 1e-12 of A ω, rounding of the argument.

use std::f64::consts::TAU;

use verification::{Run, distance, fitted_order, load_text, run, show};

const CASE: &str = r#"(
    title: "A plate is moved",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3))],
    bodies: [(name: "plate", mesh: Rectangle(corner: (0, 0), size: (0.1, 0.1), cells: (2, 2)), material: "m")],
    boundary: [(body: "plate", group: "body", x: 0.0, y: 0.0)],
    integrator: Theta(theta: 0.5),
    step: 5e-4,
    duration: 0.025,
    probes: [(name: "tip", at: Point(body: "plate", point: (0.1, 0.1)))],
)"#;

const AMPLITUDE: f64 = 1e-3;
const OMEGA: f64 = TAU * 50.0;
const END: f64 = 0.025;

fn moved(x: &str, settings: &[&str]) -> Run {
    let motion = format!("boundary=[(body: \"plate\", group: \"body\", x: {x}, y: 0.0)]");
    run(&load_text(CASE, &[&[motion.as_str()], settings].concat()))
}

#[test]
fn nodes_follow_a_displacement_to_second_order() {
    let exact = AMPLITUDE * (OMEGA * END).sin();
    let (mut steps, mut errors) = (Vec::new(), Vec::new());
    for step in [5e-4, 2.5e-4, 1.25e-4] {
        let run = moved("Displacement(Expression(\"1e-3*sin(2*pi*50*t)\"))", &[&format!("step={step}")]);
        let error = (run.last("tip.ux") - exact).abs();
        let bound = END * step * step / 12.0 * AMPLITUDE * OMEGA.powi(3);
        show(&format!("h = {step:e}: error {error:.2e} m, bound {bound:.2e}"));
        assert!(error <= bound, "{error} {bound}");
        steps.push(step);
        errors.push(error);
    }
    let order = fitted_order(&steps, &errors);
    assert!((order - 2.0).abs() < 0.1, "{order}");
    // The other schemes add (θ − ½) h (u̇(t) − u̇(0)) exactly.
    let run = moved("Displacement(Sine(amplitude: 1e-3, frequency: 50))", &["integrator=Theta(theta: 1.0)"]);
    let rate = |t: f64| AMPLITUDE * OMEGA * (OMEGA * t).cos();
    let trapezium = moved("Displacement(Sine(amplitude: 1e-3, frequency: 50))", &[]).last("tip.ux");
    let expected = trapezium + 0.5 * 5e-4 * (rate(END) - rate(0.0));
    assert!((run.last("tip.ux") - expected).abs() < 1e-12 * AMPLITUDE * OMEGA);
}

#[test]
fn the_same_function_in_several_words() {
    let velocity = moved("Sine(amplitude: 0.3141592653589793, frequency: 50, phase: 1.5707963267948966)", &[]);
    for x in ["Expression(\"1e-3*2*pi*50*cos(2*pi*50*t)\")", "Displacement(Expression(\"1e-3*sin(2*pi*50*t)\"))"] {
        let other = moved(x, &[]);
        for column in ["tip.ux", "tip.vx"] {
            assert!(
                distance(&velocity.column(column), &other.column(column)) < 1e-12 * AMPLITUDE * OMEGA,
                "{x}: {column}"
            );
        }
    }
}

/// A wall moves by a displacement with a kink: it is where the displacement says at the end of every step, and the plate rests on it.
#[test]
fn obstacles_are_where_the_displacement_says() {
    let run = run(&load_text(
        CASE,
        &[
            "boundary=[(body: \"plate\", group: \"body\", y: 0.0)]",
            "obstacles=[(name: \"wall\", shape: HalfPlane(point: (0, 0), normal: (1, 0)), velocity: (x: Displacement(Ramp(start: 0.0033, end: 0.011, to: 1e-3))))]",
            "contacts=[(name: \"push\", candidates: (body: \"plate\", group: \"left\"), antagonists: Obstacle(\"wall\"), law: Frictionless)]",
            "loads=[Traction(body: \"plate\", group: \"right\", traction: (-1e4, 0))]",
            "integrator=Theta(theta: 1.0)",
            "probes=[(name: \"foot\", at: Group(body: \"plate\", group: \"left\"))]",
        ],
    ));
    // The load keeps the left side on the wall, which stands at 1 mm in the end.
    let foot = run.last("foot.ux");
    show(&format!("foot at {foot:.15}"));
    assert!((foot - 1e-3).abs() < 1e-12, "{foot}");
    let at = |t: f64| 1e-3 * ((t - 0.0033) / (0.011 - 0.0033)).clamp(0.0, 1.0);
    let (times, feet) = (run.column("time"), run.column("foot.ux"));
    // No candidate is behind the wall at the end of a step.
    assert!(times.iter().zip(&feet).all(|(t, u)| *u >= at(*t) - 1e-10));
}
