//! Rigid bodies through the step of the method: free motion, loads, prescribed motion, impacts, rolling, rest.
//!
//! Forces of these motions are constant between changes of status, and the midpoint rule integrates such motions exactly: tolerances are rounding and the tolerance of
//! the contact laws, unless a comment says otherwise.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::Loaded;
use delassus_case::lower::Generate;
use delassus_dynamics::State;
use delassus_sim::Model;
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::outcome::Outcome;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::Dimension;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use nalgebra::Vector3;

/// A case with the keys given, stepped by the midpoint rule.
pub(crate) fn made<const D: usize>(keys: &str) -> Arc<Model<D>>
where
    Dimension<D>: Generate<D>,
{
    let materials = if keys.contains("materials:") { "" } else { "materials: []," };
    let integrator = if keys.contains("integrator:") { "" } else { "integrator: ModifiedTheta(theta: 0.5)," };
    let solver = if keys.contains("solver:") { "" } else { "solver: Nlgs(tolerance: 1e-13, max_iterations: 100000)," };
    let text = format!("(title: \"t\", dimension: {D}, {materials} {integrator} duration: 1.0, {solver} {keys})");
    let loaded = Loaded::from_text(Path::new("t.ron"), text, &[]).unwrap();
    loaded.model::<D>().unwrap()
}

/// `n` steps; every one is accepted by solver, certificate, audit and law, and the energy ledger closes.
pub(crate) fn run<const D: usize>(model: &Arc<Model<D>>, n: usize, mut look: impl FnMut(usize, &Outcome<D>)) -> Snapshot
where
    Dimension<D>: Generate<D>,
{
    let mut engine = Engine::new(model).unwrap();
    let mut snapshot = engine.start().unwrap();
    let mut energies = [0.0; 2];
    for (b, s) in model.bodies.iter().zip(&snapshot.states) {
        let (kinetic, elastic) = delassus_dynamics::integrator::energies(&*b.body, s);
        energies = [energies[0] + kinetic, energies[1] + elastic];
    }
    let mut ledger = Ledger::new(energies[0], energies[1]);
    for k in 0..n {
        let outcome = step(&mut engine, &mut Timings::default(), &snapshot, model.h).unwrap();
        assert!(outcome.is_accepted(model.solver_options.tolerance), "step {k}: {}", outcome.description());
        ledger = ledger.after(&outcome);
        assert!(ledger.relative_residual() < 1e-12, "step {k}: {:e}", ledger.relative_residual());
        look(k, &outcome);
        snapshot = outcome.snapshot;
    }
    snapshot
}

pub(crate) fn close(found: f64, exact: f64, tolerance: f64, what: &str) {
    assert!((found - exact).abs() <= tolerance, "{what}: {found}, not {exact}");
}

const SPINNING_BOX: &str = "step: 0.01, bodies: [(name: \"top\", rigid: true, inertia: (density: 1000.0), \
    mesh: Box(corner: (-0.15, -0.1, -0.05), size: (0.3, 0.2, 0.1), cells: (1, 1, 1)), \
    velocity: (1.0, 2.0, 3.0), spin: 10.0, spin_axis: (0.02, 1.0, 0.03))]";

/// An asymmetric top about its unstable axis, in every scheme: L has the same bits at the end, and the energy stays.
#[test]
fn a_free_top_keeps_its_momentum_and_energy() {
    for scheme in
        ["ModifiedTheta(theta: 0.5)", "Theta(theta: 0.75)", "ThetaEuler(theta: 1.0)", "EnergyMomentum(theta: 0.5)"]
    {
        let model = made::<3>(&format!("{SPINNING_BOX}, integrator: {scheme}"));
        let start = model.start();
        let rigid = model.bodies[0].body.rigid().unwrap();
        let first = rigid.angular_momentum(&start.states[0]);
        let energy = |s: &State| delassus_dynamics::integrator::energies(&*model.bodies[0].body, s).0;
        let mut lowest = 1.0_f64;
        let end = run(&model, 2000, |_, o| {
            let s = &o.snapshot.states[0];
            assert_eq!(rigid.angular_momentum(s), first);
            close(energy(s) / energy(&start.states[0]), 1.0, 1e-12, scheme);
            lowest = lowest.min(rigid.pose(&s.q).rotation[(1, 1)]);
        });
        // It turned over more than once, and went straight on.
        assert!(lowest < -0.9, "{scheme}: {lowest}");
        close(end.states[0].q[2], 60.0, 1e-10, scheme);
        // L is what the angular velocity says.
        let s = &end.states[0];
        let axes = rigid.pose(&s.q).rotation;
        let moments = Vector3::new(0.04 + 0.01, 0.09 + 0.01, 0.09 + 0.04) * 6.0 / 12.0;
        let l = axes * (axes.transpose() * rigid.spin(&s.q, &s.v)).component_mul(&moments);
        assert!((l - first).norm() < 1e-12 * first.norm(), "{l} {first}");
    }
}

/// Gravity and a constant force off the centre: x = ½ (g + F/m) t²; a moment M(t) = sin t about z: ω = (1 − cos t)/I.
#[test]
fn forces_and_moments_move_a_body() {
    let model = made::<2>(
        "step: 0.001, bodies: [(name: \"plate\", rigid: true, inertia: (mass: 2.0, moments: [0.5]), \
         mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (1, 1)), velocity: (3.0, 0.0))], \
         loads: [Gravity(acceleration: (0.0, -10.0)), Force(body: \"plate\", force: (4.0, 0.0)), \
         Force(body: \"plate\", moment: [1.0], factor: Sine(amplitude: 1.0, frequency: 0.15915494309189535))]",
    );
    let end = run(&model, 1000, |_, _| {});
    let State { q, v, .. } = &end.states[0];
    close(q[1], -5.0, 1e-12, "fall");
    close(q[0], 3.0 + 1.0, 1e-12, "push");
    // The trapezoidal rule of the load: h²/12.
    close(v[2], (1.0 - 1.0_f64.cos()) / 0.5, 2e-7, "spin");
    // A force at a point turns the body: a pendulum about its centre, energy ½ I ω² = F b (1 − cos φ) to the order of the step.
    let model = made::<2>(
        "step: 0.001, bodies: [(name: \"plate\", rigid: true, inertia: (mass: 2.0, moments: [0.5]), \
         mesh: Rectangle(corner: (-1, -0.5), size: (2, 1), cells: (1, 1)))], \
         loads: [Force(body: \"plate\", force: (0.0, -3.0), point: (1.0, 0.0))]",
    );
    let end = run(&model, 500, |_, _| {});
    let State { q, v, .. } = &end.states[0];
    close(0.25 * v[2] * v[2], -3.0 * q[3], 1e-5, "energy of the turn");
    assert!(q[3] < -0.5);
}

/// A wall that carries 50 N and moves along y alone; a platform that turns as prescribed.
#[test]
fn motions_are_prescribed_by_components() {
    let model = made::<3>(
        "step: 0.01, bodies: [\
         (name: \"wall\", rigid: true, inertia: (mass: 5.0), mesh: Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (1, 1, 1))), \
         (name: \"wheel\", rigid: true, inertia: (mass: 5.0), mesh: Box(corner: (4, 0, 0), size: (1, 2, 3), cells: (1, 1, 1)))], \
         motions: [(body: \"wall\", x: 0.0, z: 0.5, spin: 0.0), \
         (body: \"wheel\", spin: Ramp(start: 0.0, end: 1.0, from: 0.0, to: 2.0), spin_axis: (1, 2, 2))], \
         loads: [Force(body: \"wall\", force: (7.0, -50.0, 0.0), moment: (1.0, 2.0, 3.0))]",
    );
    let end = run(&model, 100, |_, _| {});
    let [wall, wheel] = [0, 1].map(|k| &end.states[k]);
    close(wall.q[0], 0.0, 0.0, "held");
    close(wall.q[1], -5.0, 1e-12, "driven");
    close(wall.q[2], 0.5, 1e-12, "led");
    let rigid = model.bodies[1].body.rigid().unwrap();
    // ∫ω = 1 by the trapezoidal rule, exact for a ramp.
    assert!((rigid.turn(&wheel.q) - Vector3::new(1.0, 2.0, 2.0) / 3.0).norm() < 1e-12, "{}", rigid.turn(&wheel.q));
    close(rigid.spin(&wheel.q, &wheel.v).norm(), 2.0, 1e-13, "spin");
}

/// A ball rolls at 5/7 of its sliding speed, a disk at 2/3.
#[test]
fn a_ball_and_a_disk_roll() {
    let ball = made::<3>(
        "step: 0.001, bodies: [(name: \"ball\", mesh: Round(centre: (0, 0, 0.5), radius: 0.5), inertia: (density: 10.0), velocity: (2.1, 2.8, 0.0))], \
         obstacles: [(name: \"floor\", shape: HalfSpace(point: (0, 0, 0), normal: (0, 0, 1)))], \
         contacts: [(name: \"rest\", candidates: (body: \"ball\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 0.25))], \
         loads: [Gravity(acceleration: (0, 0, -10))]",
    );
    let weight = ball.bodies[0].body.total_mass() * 10.0;
    let end = run(&ball, 1000, |k, o| {
        let force: f64 = o.touches.iter().map(|t| t.impulse[0]).sum::<f64>() / ball.h;
        close(force / weight, 1.0, 1e-12, &format!("weight, step {k}"));
    });
    let State { q, v, .. } = &end.states[0];
    close(v[0], 1.5, 1e-10, "5/7 along x");
    close(v[1], 2.0, 1e-10, "5/7 along y");
    close(q[2], 0.0, 1e-14, "it stays on the floor");
    let spin = ball.bodies[0].body.rigid().unwrap().spin(q, v);
    assert!((spin - Vector3::new(-4.0, 3.0, 0.0)).norm() < 1e-10, "{spin}");
    let disk = made::<2>(
        "step: 0.001, bodies: [(name: \"disk\", mesh: Round(centre: (0, 0.5), radius: 0.5), inertia: (density: 10.0), velocity: (3.0, 0.0))], \
         obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
         contacts: [(name: \"rest\", candidates: (body: \"disk\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 0.25))], \
         loads: [Gravity(acceleration: (0, -10))]",
    );
    let end = run(&disk, 1000, |_, _| {});
    close(end.states[0].v[0], 2.0, 1e-10, "2/3");
    close(end.states[0].v[2], -4.0, 1e-10, "spin");
}

/// A stack of three boxes of different sizes on a slab: at rest reactions are the weights from the first step on, and nothing sinks in ten seconds.
#[test]
fn a_stack_rests() {
    let model = made::<3>(
        "step: 0.01, bodies: [\
         (name: \"slab\", rigid: true, inertia: (density: 2000.0), mesh: Box(corner: (-2, -2, -1), size: (4, 4, 1), cells: (1, 1, 1))), \
         (name: \"a\", rigid: true, inertia: (density: 2000.0), mesh: Box(corner: (-0.5, -0.5, 0), size: (1, 1, 0.5), cells: (1, 1, 1))), \
         (name: \"b\", rigid: true, inertia: (density: 1000.0), mesh: Box(corner: (-0.3, -0.4, 0.5), size: (0.8, 0.8, 0.5), cells: (1, 1, 1))), \
         (name: \"c\", mesh: Round(centre: (0.1, 0, 1.2), radius: 0.2), inertia: (density: 1000.0))], \
         motions: [(body: \"slab\", x: 0.0, y: 0.0, z: 0.0, spin: 0.0)], \
         contacts: [(name: \"sa\", candidates: (body: \"a\"), antagonists: Surface(body: \"slab\"), law: Restitution(friction: 0.5)), \
         (name: \"ab\", candidates: (body: \"b\"), antagonists: Surface(body: \"a\"), law: Restitution(friction: 0.5)), \
         (name: \"bc\", candidates: (body: \"c\"), antagonists: Surface(body: \"b\"), law: Restitution(friction: 0.5))], \
         loads: [Gravity(acceleration: (0, 0, -9.81))]",
    );
    let masses: Vec<f64> = model.bodies.iter().map(|b| b.body.total_mass()).collect();
    let above = [masses[1] + masses[2] + masses[3], masses[2] + masses[3], masses[3]];
    let end = run(&model, 1000, |k, o| {
        let mut force = [0.0; 3];
        o.touches.iter().for_each(|t| force[t.contact.key.pair as usize] += t.impulse[0] / model.h);
        for (pair, (f, m)) in force.iter().zip(above).enumerate() {
            close(f / (9.81 * m), 1.0, 1e-10, &format!("weight on pair {pair}, step {k}"));
        }
    });
    for (b, s) in model.bodies.iter().zip(&end.states) {
        assert!(s.q[2].abs() < 1e-13, "{} sinks: {:?}", b.name, s.q);
        // A ball rolls freely: what the law's tolerance of 1e-13 leaves of its speed in 1000 steps adds up.
        assert!(s.q[..2].iter().all(|u| u.abs() < 1e-11), "{} slides or rolls: {:?}", b.name, s.q);
        assert!(s.v.iter().all(|v| v.abs() < 1e-11), "{} moves: {:?}", b.name, s.v);
    }
}

/// Two balls, head-on and oblique, without friction: Newton's law along the normal, and the loss ½ m* (1 − e²) U². With e = 1 nothing is lost.
#[test]
fn balls_collide() {
    for e in [0.0, 0.3, 1.0] {
        let model = made::<3>(&format!(
            "step: 0.01, bodies: [(name: \"a\", mesh: Round(centre: (0, 0, 0), radius: 0.5), inertia: (mass: 2.0), velocity: (3, 0, 0), spin: 5.0, spin_axis: (1, 2, 3)), \
             (name: \"b\", mesh: Round(centre: (1.05, 0.3, 0), radius: 0.5), inertia: (mass: 1.0), velocity: (-1, 0, 0))], \
             contacts: [(name: \"ab\", candidates: (body: \"a\"), antagonists: Surface(body: \"b\"), law: Restitution(normal: {e}))]"
        ));
        let energy = |s: &Snapshot| -> f64 {
            let all = model.bodies.iter().zip(&s.states);
            all.map(|(b, s)| delassus_dynamics::integrator::energies(&*b.body, s).0).sum()
        };
        let (mut hits, mut loss) = (0, 0.0);
        let end = run(&model, 50, |_, o| {
            for t in o.touches.iter().filter(|t| t.impulse[0] > 0.0) {
                hits += 1;
                // The approach along the normal, and p = m* (1 + e) U.
                let n = t.contact.frame.column(0).into_owned();
                let approach = -4.0 * n[0];
                close(t.impulse[0], 2.0 / 3.0 * (1.0 + e) * approach, 1e-12, "impulse");
                close(t.velocity[0], e * approach, 1e-12, "rebound");
                loss = 0.5 * 2.0 / 3.0 * (1.0 - e * e) * approach * approach;
            }
        });
        assert_eq!(hits, 1, "one impact");
        close(energy(&model.start()) - energy(&end), loss, 1e-12, "loss");
        let total: f64 = 2.0 * end.states[0].v[0] + end.states[1].v[0];
        close(total, 5.0, 1e-13, "momentum");
    }
}

/// The friction and the moments of an impact of a box on a box: total momentum and angular momentum about the origin are kept.
#[test]
fn impacts_keep_angular_momentum() {
    let model = made::<3>(
        "step: 0.005, bodies: [\
         (name: \"a\", rigid: true, inertia: (density: 10.0), mesh: Box(corner: (-0.5, -0.5, -0.5), size: (1, 1, 1), cells: (1, 1, 1)), \
          rotation: 40.0, rotation_axis: (1, 2, 0.5), velocity: (2, 0.5, 0), spin: 3.0, spin_axis: (0, 1, 1)), \
         (name: \"b\", rigid: true, inertia: (density: 10.0), mesh: Box(corner: (-0.5, -0.4, -0.3), size: (1, 0.8, 0.6), cells: (1, 1, 1)), \
          rotation: 25.0, rotation_axis: (0, 1, 3), translation: (1.9, 0.2, 0.1), velocity: (-1, 0, 0))], \
         contacts: [(name: \"ab\", candidates: (body: \"a\"), antagonists: Surface(body: \"b\"), law: Restitution(normal: 0.4, tangential: 0.1, friction: 0.3))]",
    );
    let momenta = |s: &Snapshot| {
        let mut p = Vector3::zeros();
        let mut l = Vector3::zeros();
        for (b, s) in model.bodies.iter().zip(&s.states) {
            let rigid = b.body.rigid().unwrap();
            let mv = Vector3::new(s.v[0], s.v[1], s.v[2]) * b.body.total_mass();
            p += mv;
            l += rigid.angular_momentum(s) + rigid.pose(&s.q).centre.cross(&mv);
        }
        (p, l)
    };
    let (p, l) = momenta(&model.start());
    let mut touched = 0;
    let end = run(&model, 400, |_, o| touched += o.touches.iter().filter(|t| t.impulse[0] > 0.0).count());
    let (p_end, l_end) = momenta(&end);
    assert!(touched > 0);
    assert!((p - p_end).norm() < 1e-12 * p.norm(), "{p} {p_end}");
    assert!((l - l_end).norm() < 1e-12 * l.norm(), "{l} {l_end}");
}
