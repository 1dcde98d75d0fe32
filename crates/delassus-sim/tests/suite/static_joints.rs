//! Joints in statics (`QuasiStatic`), against closed forms of bars and against supports.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::sync::Arc;

use delassus_sim::Model;
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::outcome::Outcome;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;

use super::rigid::{close, made};

/// E A/L of the bars: 1 m long, 0.2 m high, 1 m thick.
const STIFF: f64 = 1e7 * 0.2;

/// A bar from `x` on, Poisson's ratio 0: stress and strain are uniform under a pull.
fn bar(name: &str, x: f64) -> String {
    format!("(name: \"{name}\", material: \"m\", mesh: Rectangle(corner: ({x}, 0), size: (1, 0.2), cells: (4, 1)))")
}

fn statics(keys: &str) -> Arc<Model<2>> {
    made::<2>(&format!(
        "integrator: QuasiStatic, kinematics: SmallStrain, step: 0.25, materials: [(name: \"m\", density: 1000, law: KelvinVoigt(young: 1e7, poisson: 0.0))], {keys}"
    ))
}

/// Four steps; every one is accepted, and the ledger closes to what the iteration leaves (1e-10).
fn done(model: &Arc<Model<2>>, mut look: impl FnMut(f64, &Outcome<2>)) -> Vec<Vec<f64>> {
    let mut engine = Engine::new(model).unwrap();
    let mut snapshot = engine.start().unwrap();
    let mut ledger = Ledger::new(0.0, 0.0);
    for k in 0..4 {
        let outcome = step(&mut engine, &mut Timings::default(), &snapshot, model.h).unwrap();
        assert!(outcome.is_accepted(model.solver_options.tolerance), "step {k}: {}", outcome.description());
        ledger = ledger.after(&outcome);
        assert!(ledger.relative_residual() < 1e-9, "step {k}: {:e}", ledger.relative_residual());
        look(0.25 * (k + 1) as f64, &outcome);
        snapshot = outcome.snapshot;
    }
    snapshot.states.into_iter().map(|s| s.q).collect()
}

/// A bar that a spring in a guide holds beside its support: u = F/(k + E A/L), in every step of a load that grows.
#[test]
fn a_spring_beside_a_bar() {
    let (k, pull) = (5e5, 1e4);
    let model = statics(&format!(
        "bodies: [{}], boundary: [(body: \"bar\", group: \"left\", x: 0.0, y: 0.0)], \
         joints: [(name: \"spring\", kind: Slider, body: \"bar\", group: \"right\", axis: (1, 0), spring: (stiffness: {k}))], \
         loads: [Pressure(body: \"bar\", group: \"right\", pressure: -{}, factor: Ramp(end: 1.0, to: 1.0))]",
        bar("bar", 0.0),
        pull / 0.2
    ));
    done(&model, |t, o| {
        let exact = t * pull / (k + STIFF);
        close(o.snapshot.joints[0] / exact, 1.0, 1e-11, "displacement");
        close(o.joints[0].force[0] / (-k * exact), 1.0, 1e-11, "force of the spring");
        close(o.joints[0].force[1] / pull, 0.0, 1e-11, "force across");
    });
}

/// Two bars in a row, pinned at both corners: the second has no support. It moves by F L/(E A) at the pins and by twice that at its end; each pin carries half of the pull.
#[test]
fn pins_hold_a_bar_to_another() {
    let pull = 1e4;
    let model = statics(&format!(
        "bodies: [{}, {}], boundary: [(body: \"a\", group: \"left\", x: 0.0, y: 0.0)], \
         joints: [(name: \"low\", kind: Ball, body: \"b\", to: \"a\", at: (1, 0)), (name: \"high\", kind: Ball, body: \"b\", to: \"a\", at: (1, 0.2))], \
         loads: [Pressure(body: \"b\", group: \"right\", pressure: -{}, factor: Ramp(end: 1.0, to: 1.0))]",
        bar("a", 0.0),
        bar("b", 1.0),
        pull / 0.2
    ));
    let end = done(&model, |t, o| {
        for joint in &o.joints {
            close(joint.force[0] / (-0.5 * t * pull), 1.0, 1e-8, "half of the pull");
            close(joint.force[1] / pull, 0.0, 1e-8, "force across");
        }
    });
    let points = &model.bodies[1].body.mesh().points;
    for (n, x) in points.iter().enumerate() {
        close(end[1][2 * n] / (pull / STIFF), x[0], 1e-8, "displacement");
        close(end[1][2 * n + 1] / (pull / STIFF), 0.0, 1e-8, "displacement across");
    }
}

/// A beam that joints alone hold bends under its weight as on supports at the same nodes, and each end carries half of the weight.
#[test]
fn joints_hold_a_beam_as_supports_do() {
    let keys = |held: &str| {
        format!(
            "bodies: [{}], {held}, loads: [Gravity(acceleration: (0.0, -10.0), factor: Ramp(end: 1.0, to: 1.0))]",
            bar("beam", 0.0)
        )
    };
    let supported = "boundary: [(body: \"beam\", group: \"bottom_left\", x: 0.0, y: 0.0), (body: \"beam\", group: \"bottom_right\", y: 0.0)]";
    let jointed = "joints: [(name: \"pin\", kind: Ball, body: \"beam\", at: (0, 0)), (name: \"roller\", kind: Slider, body: \"beam\", at: (1, 0), axis: (1, 0))]";
    let expected = done(&statics(&keys(supported)), |_, _| {});
    let found = done(&statics(&keys(jointed)), |t, o| {
        for joint in &o.joints {
            close(joint.force[1] / (0.5 * t * 2000.0), 1.0, 1e-8, "half of the weight");
        }
        close(o.joints[0].force[0] / 2000.0, 0.0, 1e-8, "no thrust");
    });
    let deepest = expected[0].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(deepest > 1e-4, "{deepest}");
    for (a, b) in found[0].iter().zip(&expected[0]) {
        // The proximal iteration leaves 1e-10 of the loads, which moves the softest motion by a hundred times as much.
        close(a / deepest, b / deepest, 1e-7, "displacement");
    }
}

/// A rod that is shortened by 1 mm pulls the end of a bar along: the force is E A/L times that.
#[test]
fn a_rod_that_is_shortened_pulls_a_bar() {
    let model = statics(&format!(
        "bodies: [{}], boundary: [(body: \"bar\", group: \"left\", x: 0.0, y: 0.0)], \
         joints: [(name: \"rod\", kind: Distance, body: \"bar\", group: \"right\", to_at: (2, 0.1), motion: Coordinate(Ramp(end: 1.0, to: -1e-3)))]",
        bar("bar", 0.0)
    ));
    done(&model, |t, o| close(o.joints[0].force[0] / (1e-3 * t * STIFF), 1.0, 1e-10, "pull"));
}
