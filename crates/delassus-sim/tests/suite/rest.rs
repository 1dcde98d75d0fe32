//! What `start: Equilibrium` refuses, and what its confirming step tells.
//!
//! Reference: statics. A block on a slope rests below the friction angle, tan φ = 0.3, and slides above it; what nothing holds moves for ever;
//! a bar of height L under its own weight shortens by ρgL²/(2E).
//!
//! Goal: every refusal has its code and names the body; a state of rest is confirmed, another is not.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_error::Coded;
use delassus_sim::engine::Engine;
use delassus_sim::start::Start;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use delassus_sim::{Model, SimError, rest};

fn model(case: &str, settings: &[String]) -> Arc<Model<2>> {
    Loaded::from_text(Path::new("inline.ron"), case.to_owned(), settings).unwrap().model::<2>().unwrap()
}

fn refused(case: &str) -> SimError {
    let model = model(case, &[]);
    Start::find(&mut Engine::new(&model).unwrap()).map(|start| start.equilibrium.unwrap().to_string()).unwrap_err()
}

fn block(young: f64, load: &str, obstacle: &str) -> String {
    format!(
        r#"(
        title: "A block that may not rest",
        kinematics: SmallStrain,
        materials: [(name: "m", density: 2000.0, law: KelvinVoigt(young: {young:e}, poisson: 0.0))],
        bodies: [(name: "block", mesh: Rectangle(corner: (0, 0), size: (0.4, 1.0), cells: (2, 5)), material: "m")],
        obstacles: [(name: "plane", shape: HalfPlane(point: (0, {obstacle}), normal: (0, 1)))],
        contacts: [(name: "foot", candidates: (body: "block", group: "bottom"), antagonists: Obstacle("plane"),
            law: SignoriniCoulomb(friction: 0.3))],
        loads: [Gravity(acceleration: {load})],
        start: Equilibrium,
        integrator: Theta(theta: 0.5),
        step: 1e-3,
        duration: 1e-3,
    )"#
    )
}

/// No state of rest: on a slope above the friction angle, without support, pulled away from it. And one that is none: a bar of 1 m under
/// its weight that is ρgL²/(2E) = 10 m shorter.
#[test]
fn what_does_not_rest_is_refused() {
    for (what, case, code) in [
        ("slides", block(1e7, "(4, -10)", "0"), "E0702"),
        ("floats away", block(1e7, "(0, 10)", "0"), "E0702"),
        ("is pulled off, sideways", block(1e7, "(3, 1)", "0"), "E0702"),
        ("collapses", block(1e3, "(0, -10)", "0"), "E0370"),
    ] {
        let error = refused(&case);
        assert_eq!(error.code().0, code, "{what}: {error}");
        assert!(error.to_string().contains("body `block`"), "{error}");
    }
    // It holds on the gentler slope, and as far as its support is away.
    for (load, obstacle) in [("(2.5, -10)", "0"), ("(0, -10)", "-20")] {
        let model = model(&block(1e7, load, obstacle), &[]);
        Start::find(&mut Engine::new(&model).unwrap()).unwrap();
    }
}

/// Statics refuses the same bodies in a step, and names the motion that nothing resists. The block that rests is held by friction alone.
#[test]
fn a_static_step_refuses_what_nothing_holds() {
    let settings = ["integrator=QuasiStatic", "start=Undeformed", "step=1.0", "duration=1.0"].map(str::to_owned);
    let one = |load: &str| {
        let model = model(&block(1e7, load, "0"), &settings);
        step(&mut Engine::new(&model).unwrap(), &mut Timings::default(), &model.start(), model.h).map(|_| ())
    };
    for (load, motion) in [("(4, -10)", "shift along x"), ("(0, 10)", "shift along y")] {
        let error = one(load).unwrap_err();
        assert_eq!(error.code().0, "E0709", "{error}");
        assert!(error.to_string().contains("body `block`") && error.to_string().contains(motion), "{error}");
    }
    one("(1, -10)").unwrap();
}

/// The confirming step tells a state of rest from one that is none, for steps short and long beside the periods (0.06 s) of the block.
#[test]
fn a_step_confirms_rest_and_nothing_else() {
    for h in ["1e-4", "1e-2", "10"] {
        let settings = ["step", "duration"].map(|key| format!("{key}={h}"));
        let model = model(&block(1e7, "(0, -10)", "0"), &settings);
        let start = Start::find(&mut Engine::new(&model).unwrap()).unwrap();
        rest::confirm(&model, &start.snapshot).unwrap();
        let error = rest::confirm(&model, &model.start()).unwrap_err();
        assert_eq!(error.code().0, "E0371", "{error}");
        assert!(error.to_string().contains("moves body `block`"), "{error}");
    }
}

/// A body that turns and has no load is at rest as it is: what is left of its forces is rounding of its places.
#[test]
fn a_body_with_a_frame_and_no_load_is_at_rest() {
    let case = block(1e11, "(0, 0)", "-0.3")
        .replace("kinematics: SmallStrain,", "")
        .replace("corner: (0, 0)", "corner: (3, 7)");
    let model = model(&case, &["bodies.block.rotation=33".to_owned()]);
    let found = Start::find(&mut Engine::new(&model).unwrap()).unwrap().equilibrium.unwrap();
    // ten roundings of places of 8 m
    assert!(found.displacement < 1e-14, "{found}");
}
