//! Rolling and spinning resistance through the step of the method, against closed forms.
//!
//! Forces and moments of these motions are constant until the body stops, and the midpoint rule integrates such motions exactly; bodies stop at the end of a step. Tolerances are those of the
//! law (1e-13 a step) and rounding over some hundred steps. [`run`] asks every step for an audit and a ledger that closes to 1e-12.

use delassus_sim::Model;
use delassus_sim::outcome::Outcome;

use super::rigid::{close, made, run};

const FLOOR: &str = "obstacles: [(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 0, 1)))]";

/// A ball of radius 0.5 on the floor, or on a slab that is held.
fn ball(motion: &str, resistance: &str, floor: &str) -> std::sync::Arc<Model<3>> {
    let on_slab = floor.is_empty();
    let slab = "(name: \"slab\", rigid: true, inertia: (density: 1.0), mesh: Box(corner: (-3, -3, -1), size: (6, 6, 1), cells: (1, 1, 1)))";
    let (others, against) =
        if on_slab { (format!("{slab}, "), "Surface(body: \"slab\")") } else { (String::new(), "Obstacle(\"floor\")") };
    let held = if on_slab { "motions: [(body: \"slab\", x: 0.0, y: 0.0, z: 0.0, spin: 0.0)]" } else { floor };
    made::<3>(&format!(
        "step: 0.001, bodies: [{others}(name: \"ball\", mesh: Round(centre: (0, 0, 0.5), radius: 0.5), inertia: (density: 10.0), {motion})], {held}, \
         contacts: [(name: \"rest\", candidates: (body: \"ball\"), antagonists: {against}, law: Restitution(friction: 0.5), resistance: {resistance})], \
         loads: [Gravity(acceleration: (0, 0, -10), bodies: [\"ball\"])]"
    ))
}

fn lost<const D: usize>(o: &Outcome<D>) -> f64 {
    o.touches.iter().map(|t| t.work.turning).sum()
}

/// A disk on a slope rests while tan α ≤ μ_r/r, else it rolls with g (sin α − (μ_r/r) cos α)/(1 + ½).
#[test]
fn a_disk_on_a_slope_rests_or_rolls() {
    let disk = |slope: f64| {
        let (s, c) = (slope.atan().sin(), slope.atan().cos());
        made::<2>(&format!(
            "step: 0.001, bodies: [(name: \"disk\", mesh: Round(centre: (0, 0.5), radius: 0.5), inertia: (density: 10.0))], \
             obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
             contacts: [(name: \"rest\", candidates: (body: \"disk\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 0.5), resistance: (rolling: 0.05))], \
             loads: [Gravity(acceleration: ({}, {}))]",
            10.0 * s,
            -10.0 * c
        ))
    };
    for slope in [0.05, 0.0999, -0.0999] {
        let model = disk(slope);
        let weight = model.bodies[0].body.total_mass() * 10.0;
        let held = run(&model, 200, |_, o| {
            // M = m g r sin α about the centre balances the friction.
            let moment: f64 = o.touches.iter().map(|t| t.moment[1]).sum::<f64>() / model.h;
            close(moment / (weight * 0.5 * slope.atan().sin()), 1.0, 1e-9, "moment at rest");
        });
        let s = &held.states[0];
        assert!(s.q[..2].iter().chain(&s.v).all(|x| x.abs() < 1e-12), "slope {slope}: {s:?}");
    }
    for slope in [0.1001_f64, 0.3, -0.3] {
        let (s, c) = (slope.abs().atan().sin(), slope.abs().atan().cos());
        let exact = slope.signum() * 10.0 * (s - 0.1 * c) / 1.5;
        let rolled = run(&disk(slope), 200, |_, _| {});
        close(rolled.states[0].v[0], exact * 0.2, 1e-10, "rolls");
        close(rolled.states[0].v[2], -exact * 0.4, 1e-10, "without slip");
        close(rolled.states[0].q[0], exact * 0.02, 1e-10, "place");
    }
}

/// A ball that rolls with v stops after v²/2a, a = g (μ_r/r)/(1 + 2/5) = 1 m/s²: on an obstacle and on a body. What it had is the loss of the moment; friction has no part in it.
#[test]
fn a_rolling_ball_stops_after_its_distance() {
    for floor in [FLOOR, ""] {
        // v = (0.3, 0.4) and ω = n × v/r.
        let motion = "velocity: (0.3, 0.4, 0), spin: 1.0, spin_axis: (-0.8, 0.6, 0.0)";
        let model = ball(motion, "(rolling: 0.07)", floor);
        let k = model.bodies.len() - 1;
        let (mut turning, mut friction) = (0.0, 0.0);
        let mass = model.bodies[k].body.total_mass();
        let end = run(&model, 600, |step, o| {
            turning += lost(o);
            friction += o.touches.iter().map(|t| t.work.friction).sum::<f64>();
            if step == 249 {
                close(o.snapshot.states[k].v[0], 0.15, 1e-10, "half of the speed after half of the time");
            }
        });
        let s = &end.states[k];
        close(s.q[0], 0.6 * 0.125, 1e-10, "distance along x");
        close(s.q[1], 0.8 * 0.125, 1e-10, "distance along y");
        assert!(s.v.iter().all(|v| v.abs() < 1e-11), "it stays at rest: {:?}", s.v);
        let energy = 0.5 * mass * 0.25 * 1.4;
        close(turning / energy, 1.0, 1e-10, "loss by rolling");
        assert!(friction.abs() < 1e-10 * energy, "{friction:e}");
    }
}

/// A ball that spins about the normal is slowed by μ_s m g/I = 1 rad/s², and stops. On an obstacle that turns it is taken along, and the obstacle does the work.
#[test]
fn a_spinning_ball_stops_in_its_time() {
    for floor in [FLOOR, ""] {
        let model = ball("spin: 0.5, spin_axis: (0, 0, 1)", "(spinning: 0.01)", floor);
        let k = model.bodies.len() - 1;
        let rigid = model.bodies[k].body.rigid().unwrap();
        let mut turning = 0.0;
        let end = run(&model, 600, |step, o| {
            turning += lost(o);
            let t = (step + 1) as f64 * 1e-3;
            let state = &o.snapshot.states[k];
            close(rigid.spin(&state.q, &state.v)[2], (0.5 - t).max(0.0), 1e-10, &format!("spin at {t}"));
        });
        assert!(end.states[k].v.iter().all(|v| v.abs() < 1e-11), "{:?}", end.states[k].v);
        close(turning / (0.5 * 0.1 * model.bodies[k].body.total_mass() * 0.25), 1.0, 1e-10, "loss by spinning");
    }
    let turning = "obstacles: [(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 0, 1)), spin: 0.25, spin_axis: (0, 0, 1), pivot: (0, 0, 0))]";
    let model = ball("velocity: (0, 0, 0)", "(spinning: 0.01)", turning);
    let rigid = model.bodies[0].body.rigid().unwrap();
    run(&model, 400, |step, o| {
        let (t, state) = ((step + 1) as f64 * 1e-3, &o.snapshot.states[0]);
        close(rigid.spin(&state.q, &state.v)[2], t.min(0.25), 1e-10, &format!("spin at {t}"));
    });
}

/// Spinning alone does not brake rolling, nor rolling resistance a spin.
#[test]
fn the_two_resistances_are_apart() {
    let rolls = ball("velocity: (0.5, 0, 0), spin: 1.0, spin_axis: (0, 1, 0)", "(spinning: 0.01)", FLOOR);
    close(run(&rolls, 100, |_, _| {}).states[0].v[0], 0.5, 1e-11, "rolls on");
    let spins = ball("spin: 0.5, spin_axis: (0, 0, 1)", "(rolling: 0.07)", FLOOR);
    let rigid = spins.bodies[0].body.rigid().unwrap();
    let end = run(&spins, 100, |_, _| {});
    close(rigid.spin(&end.states[0].q, &end.states[0].v)[2], 0.5, 1e-11, "spins on");
}
