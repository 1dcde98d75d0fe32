//! Identities and exact solutions of rigid bodies: loss in impacts, thresholds, walls that carry a force, order of bodies, the limit of stiff bodies.

use delassus_dynamics::{Drifting, State};
use delassus_sim::Model;
use delassus_sim::snapshot::Snapshot;

use super::rigid::{close, made, run};

fn kinetic<const D: usize>(model: &Model<D>, s: &Snapshot) -> f64
where
    delassus_sim::space::Dimension<D>: delassus_sim::space::Space<D>,
{
    model.bodies.iter().zip(&s.states).map(|(b, s)| delassus_dynamics::integrator::energies(&*b.body, s).0).sum()
}

/// An asymmetric top about its unstable axis over 10⁴ turns with steps of 0.1 rad: L has its bits, the energy stays to 1e-12.
#[test]
fn a_free_top_over_ten_thousand_turns() {
    let model = made::<3>(
        "step: 0.01, bodies: [(name: \"top\", rigid: true, inertia: (density: 1000.0), \
         mesh: Box(corner: (-0.15, -0.1, -0.05), size: (0.3, 0.2, 0.1), cells: (1, 1, 1)), spin: 10.0, spin_axis: (0.02, 1.0, 0.03))]",
    );
    let rigid = model.bodies[0].body.rigid().unwrap();
    let start = model.start().states[0].clone();
    let (l, energy) = (rigid.angular_momentum(&start), rigid.rotation_energy(&start.v));
    let mut state: State = start;
    let mut worst = 0.0_f64;
    // As a step of the midpoint rule without impulses: drift to the contact configuration, and on.
    for _ in 0..(std::f64::consts::TAU * 1e4 / 0.1) as usize {
        let at = rigid.drift(&state, 0.005);
        let v = at.v.clone();
        state = rigid.finish(&state, &at, &v, 0.005);
        worst = worst.max((rigid.rotation_energy(&state.v) / energy - 1.0).abs());
    }
    assert_eq!(rigid.angular_momentum(&state), l);
    assert!(worst < 1e-12, "{worst:e}");
}

/// Jean & Moreau 1992, (6.2): an impact with one dissipation index δ at all contacts loses ½ δ Σ p (U⁺ − U⁻) − Σ p U^a, with the mean U^a = ½(1−δ) U⁻ + ½(1+δ) U⁺. In every step, to rounding.
#[test]
fn impacts_lose_what_the_index_says() {
    for (delta, friction) in [(0.0, 0.0), (0.0, 0.4), (0.3, 0.4), (1.0, 0.4)] {
        let model = made::<3>(&format!(
            "step: 0.005, bodies: [\
             (name: \"a\", rigid: true, inertia: (density: 10.0), mesh: Box(corner: (-0.5, -0.5, -0.5), size: (1, 1, 1), cells: (1, 1, 1)), \
              rotation: 40.0, rotation_axis: (1, 2, 0.5), velocity: (2, 0.5, 0), spin: 3.0, spin_axis: (0, 1, 1)), \
             (name: \"b\", rigid: true, inertia: (density: 10.0), mesh: Box(corner: (-0.5, -0.4, -0.3), size: (1, 0.8, 0.6), cells: (1, 1, 1)), \
              rotation: 25.0, rotation_axis: (0, 1, 3), translation: (1.9, 0.2, 0.1), velocity: (-1, 0, 0))], \
             contacts: [(name: \"ab\", candidates: (body: \"a\"), antagonists: Surface(body: \"b\"), law: Restitution(dissipation_index: {delta}, friction: {friction}, separating: true))]",
        ));
        let first = kinetic(&model, &model.start());
        let (mut before, mut impacts) = (first, 0);
        let end = run(&model, 300, |k, o| {
            let after = kinetic(&model, &o.snapshot);
            let mut loss = 0.0;
            // Without loads U_free is U⁻.
            for ((law, p), minus) in o.problem.laws.iter().zip(&o.solution).zip(&o.problem.v_free) {
                let _ = law;
                let t = o.touches.iter().find(|t| (t.impulse - p).amax() <= 0.0 && p.amax() > 0.0);
                let Some(t) = t else { continue };
                let mean = minus * (0.5 * (1.0 - delta)) + t.velocity * (0.5 * (1.0 + delta));
                loss += 0.5 * delta * p.dot(&(t.velocity - minus)) - p.dot(&mean);
                impacts += 1;
            }
            close(before - after, loss, 1e-12 * first, &format!("δ = {delta}, step {k}"));
            assert!(loss >= -1e-13 * first, "energy gained: {loss}");
            before = after;
        });
        assert!(impacts > 0);
        if delta <= 0.0 && friction <= 0.0 {
            close(kinetic(&model, &end) / first, 1.0, 1e-12, "e = 1, μ = 0");
        }
    }
}

/// Disks and squares in a box of four walls, e = 1, without friction: many impacts, the energy stays to 1e-12.
#[test]
fn elastic_impacts_keep_the_energy() {
    let wall = |name: &str, x: f64, y: f64, w: f64, h: f64| {
        format!(
            "(name: \"wall {name}\", rigid: true, inertia: (mass: 1.0), mesh: Rectangle(corner: ({x}, {y}), size: ({w}, {h}), cells: (1, 1)))"
        )
    };
    let walls = [
        wall("left", -1.0, -1.0, 1.0, 4.0),
        wall("right", 2.0, -1.0, 1.0, 4.0),
        wall("below", 0.0, -1.0, 2.0, 1.0),
        wall("above", 0.0, 2.0, 2.0, 1.0),
    ];
    let held = ["left", "right", "below", "above"]
        .map(|n| format!("(body: \"wall {n}\", x: 0.0, y: 0.0, spin: 0.0)"))
        .join(", ");
    let law = "law: Restitution(normal: 1.0, separating: true)";
    let with = ["left", "right", "below", "above"].map(|n| {
        ["disk", "square"].map(|b| {
            format!("(name: \"{b} {n}\", candidates: (body: \"{b}\"), antagonists: Surface(body: \"wall {n}\"), {law})")
        })
    });
    let with = with.concat().join(", ");
    let model = made::<2>(&format!(
        "step: 0.004, bodies: [\
         (name: \"disk\", mesh: Round(centre: (0.3, 0.4), radius: 0.15), inertia: (density: 2.0), velocity: (1.3, 0.7), copies: (count: 3, translation: (0.5, 0.1))), \
         (name: \"square\", rigid: true, mesh: Rectangle(corner: (0.3, 1.3), size: (0.25, 0.2), cells: (1, 1)), inertia: (density: 3.0), velocity: (-0.8, -1.1), spin: 2.0, copies: (count: 3, translation: (0.55, 0.0))), \
         {}], motions: [{held}], \
         contacts: [{with}, (name: \"disks\", candidates: (body: \"disk\"), antagonists: Surface(body: \"disk\"), {law}), \
         (name: \"squares\", candidates: (body: \"square\"), antagonists: Surface(body: \"square\"), {law}), \
         (name: \"both\", candidates: (body: \"disk\"), antagonists: Surface(body: \"square\"), {law})]",
        walls.join(", ")
    ));
    let first = kinetic(&model, &model.start());
    let mut impacts = 0;
    let end = run(&model, 1500, |_, o| {
        impacts += o.touches.iter().filter(|t| t.impulse[0] > 0.0).count();
        close(kinetic(&model, &o.snapshot) / first, 1.0, 1e-12, "energy");
    });
    assert!(impacts > 20, "{impacts}");
    for (b, s) in model.bodies.iter().zip(&end.states).take(6) {
        let at = b.body.rigid().unwrap().pose(&s.q).centre;
        assert!(at.iter().all(|x| (0.0..2.0).contains(x)), "{} has left the box: {at}", b.name);
    }
}

/// Biaxial test: four disks between two fixed walls and two that carry forces and are led without friction, one of them with weight. Each carries its force; nothing moves; without the disks a wall
/// falls freely.
#[test]
fn walls_carry_their_forces() {
    let plate = |name: &str, x: f64, y: f64, w: f64, h: f64| {
        format!(
            "(name: \"{name}\", rigid: true, inertia: (mass: 3.0), mesh: Rectangle(corner: ({x}, {y}), size: ({w}, {h}), cells: (1, 1)))"
        )
    };
    let bodies = [
        plate("left", -0.1, -0.5, 0.1, 2.0),
        plate("floor", 0.0, -0.1, 1.0, 0.1),
        plate("right", 0.4, -0.5, 0.1, 2.0),
        plate("lid", 0.0, 0.4, 1.0, 0.1),
    ]
    .join(", ");
    // Rows "low" and "high" of two disks each.
    let met = [
        ("low", "low"),
        ("high", "high"),
        ("high", "low"),
        ("low", "left"),
        ("high", "left"),
        ("low", "right"),
        ("high", "right"),
        ("low", "floor"),
        ("high", "lid"),
    ];
    let contact = |(a, b): &(&str, &str)| {
        format!(
            "(name: \"{a} {b}\", candidates: (body: \"{a}\"), antagonists: Surface(body: \"{b}\"), law: Restitution())"
        )
    };
    let contacts = met.iter().map(contact).collect::<Vec<_>>().join(", ");
    let motions = "motions: [(body: \"left\", x: 0.0, y: 0.0, spin: 0.0), (body: \"floor\", x: 0.0, y: 0.0, spin: 0.0), \
                   (body: \"right\", y: 0.0, spin: 0.0), (body: \"lid\", x: 0.0, spin: 0.0)]";
    let loads = "loads: [Gravity(acceleration: (0.0, -10.0), bodies: [\"lid\"]), Force(body: \"right\", force: (-40.0, 0.0)), Force(body: \"lid\", force: (0.0, -70.0), point: (0.2, 0.4))]";
    let model = made::<2>(&format!(
        "step: 0.001, bodies: [\
         (name: \"low\", mesh: Round(centre: (0.1, 0.1), radius: 0.1), inertia: (mass: 1.0), copies: (count: 2, translation: (0.2, 0))), \
         (name: \"high\", mesh: Round(centre: (0.1, 0.3), radius: 0.1), inertia: (mass: 1.0), copies: (count: 2, translation: (0.2, 0))), {bodies}], \
         contacts: [{contacts}], {motions}, {loads}"
    ));
    let end = run(&model, 500, |k, o| {
        let force = |pairs: [usize; 2]| {
            let mine = o.touches.iter().filter(|t| pairs.contains(&(t.contact.key.pair as usize)));
            mine.map(|t| t.impulse[0]).sum::<f64>() / model.h
        };
        for (pairs, exact) in [([3, 4], 40.0), ([5, 6], 40.0), ([7, 7], 100.0), ([8, 8], 100.0)] {
            close(force(pairs) / exact, 1.0, 1e-10, &format!("wall {pairs:?}, step {k}"));
        }
    });
    for (b, s) in model.bodies.iter().zip(&end.states) {
        assert!(s.q[..2].iter().all(|u| u.abs() < 1e-12), "{} moves: {:?}", b.name, s.q);
    }
    let alone = made::<2>(&format!("step: 0.001, bodies: [{bodies}], {motions}, {loads}"));
    let end = run(&alone, 100, |_, _| {});
    close(end.states[3].q[1], -0.5 * 100.0 / 3.0 * 0.01, 1e-13, "lid falls");
    close(end.states[2].q[0], -0.5 * 40.0 / 3.0 * 0.01, 1e-13, "right wall goes in");
    close(end.states[3].q[0].abs() + end.states[2].q[1].abs(), 0.0, 0.0, "led");
}

/// A block on an incline, the gravity turned in its place: it slides above tan α = μ with g (sin α − μ cos α), and topples above tan α = b/h.
#[test]
fn slopes_and_toppling() {
    let block = |width: f64, height: f64, slope: f64| {
        let (s, c) = (slope.atan().sin(), slope.atan().cos());
        made::<2>(&format!(
            "step: 0.001, bodies: [(name: \"block\", rigid: true, inertia: (density: 1000.0), mesh: Rectangle(corner: (0, 0), size: ({width}, {height}), cells: (1, 1)))], \
             obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
             contacts: [(name: \"base\", candidates: (body: \"block\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 0.5))], \
             loads: [Gravity(acceleration: ({}, {}))]",
            10.0 * s,
            -10.0 * c
        ))
    };
    let end = |model: &std::sync::Arc<Model<2>>| run(model, 200, |_, _| {}).states[0].clone();
    let held = end(&block(1.0, 0.5, 0.4999));
    assert!(held.q[..2].iter().chain(&held.v).all(|x| x.abs() < 1e-12), "{held:?}");
    for slope in [0.5001_f64, 0.8] {
        let slid = end(&block(1.0, 0.5, slope));
        let exact = 10.0 * (slope.atan().sin() - 0.5 * slope.atan().cos());
        close(slid.v[0], exact * 0.2, 1e-10, "slides");
        close(slid.v[2], 0.0, 1e-10, "does not turn");
    }
    let stands = end(&block(0.2, 0.8, 0.2499));
    assert!(stands.v.iter().all(|x| x.abs() < 1e-12), "{stands:?}");
    // It turns about its lower corner, clockwise, with the moment that is too much, which grows with the tilt: ω = (M/I k) sinh k t, k² = 3g/4R.
    let falls = end(&block(0.2, 0.8, 0.2501));
    let moment = 10.0 * (0.4 * 0.2501_f64.atan().sin() - 0.1 * 0.2501_f64.atan().cos());
    let rate = (30.0 / (4.0 * (0.01_f64 + 0.16).sqrt())).sqrt();
    let exact = -moment / ((0.04 + 0.64) / 3.0) / rate * (0.2 * rate).sinh();
    close(falls.v[2] / exact, 1.0, 1e-2, "topples");
}

/// A wall of bricks that is pushed, with its bodies in the reverse order: without friction the velocities are the same to the tolerance of the law.
#[test]
fn order_of_bodies_without_friction() {
    // To the law's tolerance of 1e-13, over the condition of W.
    assert!(renumbered(0.0) < 1e-11, "{:e}", renumbered(0.0));
}

/// The same with friction: impulses and velocities need not be unique (Jean & Moreau 1992 §1). Every step of both orders satisfies laws and audit; the difference of velocities is told, and is below the speed of the impact.
#[test]
#[expect(clippy::print_stdout, reason = "the difference is there to be read: no value of it is right")]
fn order_of_bodies_with_friction() {
    for friction in [0.1, 0.4, 1.0] {
        let difference = renumbered(friction);
        println!("friction {friction}: velocities differ by {difference:.1e} m/s of 2 m/s");
        assert!(difference < 2.0, "{difference:e}");
    }
}

/// Largest difference of velocities, of two orders of the bodies [m/s].
fn renumbered(friction: f64) -> f64 {
    let brick = |k: usize| {
        let (row, column) = (k / 3, k % 3);
        let x = 0.5 * f64::from(column as u32) + if row % 2 == 1 { 0.25 } else { 0.0 };
        let push = if k == 7 { ", velocity: (0.0, -2.0)" } else { "" };
        format!(
            "(name: \"brick {k}\", rigid: true, inertia: (density: 100.0), mesh: Rectangle(corner: ({x}, {}), size: (0.5, 0.2), cells: (1, 1)){push})",
            0.2 * f64::from(row as u32)
        )
    };
    let made_of = |order: &[usize]| {
        let bodies = order.iter().map(|&k| brick(k)).collect::<Vec<_>>().join(", ");
        let mut pairs: Vec<String> = (0..9)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| {
                format!("(name: \"{i} {j}\", candidates: (body: \"brick {i}\"), antagonists: Surface(body: \"brick {j}\"), law: Restitution(normal: 0.5, friction: {friction}))")
            })
            .chain((0..3).map(|k| format!("(name: \"floor {k}\", candidates: (body: \"brick {k}\"), antagonists: Obstacle(\"floor\"), law: Restitution(normal: 0.5, friction: {friction}))")))
            .collect();
        // Contacts are numbered by pairs: these too are in the order of the bodies.
        if order[0] != 0 {
            pairs.reverse();
        }
        let pairs = pairs.join(", ");
        made::<2>(&format!(
            "step: 0.001, bodies: [{bodies}], obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], contacts: [{pairs}], loads: [Gravity(acceleration: (0, -10))]"
        ))
    };
    let order: Vec<usize> = (0..9).collect();
    let reverse: Vec<usize> = (0..9).rev().collect();
    // One step: the impact of the brick that was pushed.
    let (a, b) = (run(&made_of(&order), 1, |_, _| {}), run(&made_of(&reverse), 1, |_, _| {}));
    let apart = |k: usize| a.states[k].v.iter().zip(&b.states[8 - k].v).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    (0..9).map(apart).fold(0.0, f64::max)
}

/// A rigid block is the limit of the deformable one, of the order 1/E. Both slide down a slope, their weight laid on at once. Where all points slide the friction is μ N, so that for the mean places (x, y) of the block
/// m (x'' + μ y'') = m g (sin α − μ cos α), whatever its vibrations: x + μ y is that of the rigid block, to rounding. With ν = 0 the mean over x of the heights is a bar under its weight, which sinks between nothing and twice
/// as far as at rest, ρ g cos α H²/(3E): |x − x_rigid| ≤ μ ⅔ ρ g cos α H²/E. The largest y of the run is this bound: it is reached at t = 2H/c, and the mesh has four cells for the wave.
#[test]
fn a_stiff_block_is_a_rigid_one() {
    let (s, c) = (0.8_f64.atan().sin(), 0.8_f64.atan().cos());
    let (friction, height, gravity) = (0.3, 0.5, 10.0);
    let scene = |body: &str, contact: &str| {
        made::<2>(&format!(
            "step: 5e-4, materials: [{body}, obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
             contacts: [(name: \"base\", {contact}, antagonists: Obstacle(\"floor\"), {}], loads: [Gravity(acceleration: ({}, {}))]",
            if contact.contains("group") {
                format!("law: SignoriniCoulomb(friction: {friction}))")
            } else {
                format!("law: Restitution(friction: {friction}))")
            },
            gravity * s,
            -gravity * c
        ))
    };
    let mesh = format!("mesh: Rectangle(corner: (0, 0), size: (2, {height}), cells: (4, 4)), velocity: (1.0, 0.0)");
    let rigid = scene(
        &format!("], bodies: [(name: \"block\", rigid: true, inertia: (density: 1000.0), {mesh})]"),
        "candidates: (body: \"block\")",
    );
    let mut exact = Vec::new();
    run(&rigid, 200, |_, o| exact.push(o.snapshot.states[0].q[0]));
    close(exact[199], 0.1 + 0.5 * gravity * (s - friction * c) * 0.01, 1e-12, "rigid");
    for young in [1e7, 1e8, 1e9] {
        let material = format!("(name: \"m\", density: 1000.0, law: KelvinVoigt(young: {young:e}, poisson: 0.0))");
        let body =
            format!("{material}], bodies: [(name: \"block\", material: \"m\", kinematics: SmallStrain, {mesh})]");
        let model = scene(&body, "candidates: (body: \"block\", group: \"bottom\")");
        // Equal cells: a quarter of the mass of each at its nodes gives the mean, as for the consistent mass.
        let mean = |q: &[f64], k: usize| {
            let part = |n: usize, last: usize| if n == 0 || n == last { 0.5 } else { 1.0 };
            (0..25).map(|n| part(n % 5, 4) * part(n / 5, 4) * q[2 * n + k]).sum::<f64>() / 16.0
        };
        let (mut deepest, mut apart) = (0.0_f64, 0.0_f64);
        run(&model, 200, |k, o| {
            let q = &o.snapshot.states[0].q;
            let (x, y) = (mean(q, 0), mean(q, 1));
            close(x + friction * y, exact[k], 1e-11, &format!("E = {young:e}, step {k}"));
            deepest = deepest.max(-y);
            apart = apart.max((x - exact[k]).abs());
        });
        let bound = 2.0 / 3.0 * 1000.0 * gravity * c * height * height / young;
        assert!(deepest <= 1.05 * bound && deepest >= 0.9 * bound, "E = {young:e}: {deepest:e} {bound:e}");
        assert!(apart <= 1.05 * friction * bound, "E = {young:e}: {apart:e}");
    }
}

/// Painlevé: the impulse that stops the tip of a rod that is pushed does not depend on the step, but for the weight: p = (0.3, 0.4) m V, and the energy that is lost is 0.2 m V².
#[test]
fn a_jump_without_a_collision_has_a_finite_impulse() {
    for h in [1e-3, 1e-5, 1e-7] {
        let model = made::<2>(&format!(
            "step: {h:e}, bodies: [(name: \"rod\", mesh: Polygon(points: [(0, 0), (0.45, 0.88), (0.4422135955, 0.8994271910)]), velocity: (-2, 0), \
             inertia: (mass: 1.0, moments: [0.08333333333333333], centre: (0.22360679774997896, 0.4472135954999579)))], \
             obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
             contacts: [(name: \"tip\", candidates: (body: \"rod\"), antagonists: Obstacle(\"floor\"), law: Restitution(friction: 2.0))], \
             loads: [Gravity(acceleration: (0, -9.81))]"
        ));
        let mut p = [0.0; 2];
        let end = run(&model, 1, |_, o| {
            let acting = o.touches.iter().find(|t| t.impulse[0] > 0.0).unwrap();
            p = (acting.contact.frame * acting.impulse).into();
        });
        // The step turns the arms by V h, the weight adds g h.
        close(p[1], 0.6, 20.0 * h, "normal impulse");
        close(p[0], 0.8, 20.0 * h, "tangential impulse");
        close(2.0 - kinetic(&model, &end), 0.8, 60.0 * h, "loss");
    }
}

/// Thirty blocks on one another, at rest for two seconds, with and without restitution, solved to 1e-10 only: gaps of the size of that tolerance open, and close again. Nothing sinks.
#[test]
fn a_deep_stack_does_not_sink() {
    for e in [0.0, 0.4] {
        let law = format!("law: Restitution(normal: {e}, friction: 0.5)");
        let model = made::<2>(&format!(
            "step: 0.005, bodies: [(name: \"s\", rigid: true, inertia: (density: 1000.0), mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)), copies: (count: 30, translation: (0, 1)))], \
             obstacles: [(name: \"f\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
             contacts: [(name: \"a\", candidates: (body: \"s-0\"), antagonists: Obstacle(\"f\"), {law}), (name: \"b\", candidates: (body: \"s\"), antagonists: Surface(body: \"s\"), {law})], \
             loads: [Gravity(acceleration: (0, -9.81))], solver: Nlgs(tolerance: 1e-10, max_iterations: 10000)"
        ));
        let weight = 30.0 * 1000.0 * 9.81;
        let end = run(&model, 400, |k, o| {
            let floor: f64 = o.touches.iter().filter(|t| t.contact.key.pair == 0).map(|t| t.impulse[0]).sum();
            close(floor / (model.h * weight), 1.0, 1e-6, &format!("weight, e = {e}, step {k}"));
        });
        for (k, s) in end.states.iter().enumerate() {
            assert!(s.q[1].abs() < 1e-9, "block {k} sinks, e = {e}: {:?}", s.q);
        }
    }
}

/// Reactions, weight and inertia of every body of a stack are in balance to 1e-13 of the weight at every step, while it is dropped, lands on its edge and settles; at rest for ten seconds
/// reactions are the weight to 1e-10 and nothing sinks.
#[test]
fn reactions_and_inertia_balance_the_weight_at_every_step() {
    let model = made::<2>(
        "step: 0.005, bodies: [(name: \"a\", rigid: true, inertia: (density: 1000.0), mesh: Rectangle(corner: (-0.5, 0.002), size: (1, 0.5), cells: (1, 1))), \
         (name: \"b\", rigid: true, inertia: (density: 1000.0), mesh: Rectangle(corner: (-0.2, 0.51), size: (0.5, 0.4), cells: (1, 1)))], \
         obstacles: [(name: \"f\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))], \
         contacts: [(name: \"floor\", candidates: (body: \"a\"), antagonists: Obstacle(\"f\"), law: Restitution(friction: 0.5)), \
         (name: \"ab\", candidates: (body: \"b\"), antagonists: Surface(body: \"a\"), law: Restitution(friction: 0.5))], \
         loads: [Gravity(acceleration: (0, -9.81))]",
    );
    let masses: Vec<f64> = model.bodies.iter().map(|b| b.body.total_mass()).collect();
    let weight = 9.81 * (masses[0] + masses[1]);
    let mut before = [0.0; 2];
    let mut settled = None;
    let end = run(&model, 2200, |k, o| {
        let mut force = [0.0; 2];
        o.touches.iter().for_each(|t| force[t.contact.key.pair as usize] += (t.contact.frame * t.impulse)[1]);
        let v = [0, 1].map(|b| o.snapshot.states[b].v[1]);
        // The floor on a, a on b.
        let given = [force[0] - force[1], force[1]];
        for b in 0..2 {
            let rest = given[b] - masses[b] * (9.81 * model.h + v[b] - before[b]);
            assert!(rest.abs() <= 1e-13 * weight * model.h.max(0.1), "body {b}, step {k}: {rest:e}");
        }
        before = v;
        if k >= 200 {
            close(force[0] / (weight * model.h), 1.0, 1e-10, &format!("weight at rest, step {k}"));
            let y = [0, 1].map(|b| o.snapshot.states[b].q[1]);
            let first = *settled.get_or_insert(y);
            (0..2).for_each(|b| close(y[b], first[b], 1e-12, &format!("body {b} sinks, step {k}")));
        }
    });
    assert!(end.states.iter().all(|s| s.v.iter().all(|v| v.abs() < 1e-11)));
}

/// Housner's block on a base that is slightly concave lands on its second corner while the first still touches. Newton's rule at both corners, U⁺ = −e U⁻ = 0, would stop it; by Moreau's law the first corner leaves, and the
/// block rocks on with 1 − (3/2) sin² α of its speed, tan α = b/h. The first corner has no impulse and opens.
///
/// The law acts in the step in which the gap would close, and leaves what is left of it, 0 to h U⁻. The corner falls freely through that, some √h, and a second blow brings the weight of these steps at once: afterwards the
/// block has the speed of one that stayed on its corner. Shape on shape, and on a half plane.
#[test]
fn a_concave_base_rocks_by_moreaus_law() {
    let plate = "(name: \"plate\", rigid: true, inertia: (mass: 1.0), mesh: Rectangle(corner: (-1, -1), size: (2, 1), cells: (1, 1))),";
    let held = "motions: [(body: \"plate\", x: 0.0, y: 0.0, spin: 0.0)],";
    let floor = "obstacles: [(name: \"floor\", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],";
    for (body, keys, ground) in [(plate, held, "Surface(body: \"plate\")"), ("", floor, "Obstacle(\"floor\")")] {
        let model = made::<2>(&format!(
            "step: 2e-4, bodies: [{body} \
             (name: \"block\", rigid: true, mesh: Polygon(points: [(0, 0), (0.1, 0.001), (0.2, 0), (0.2, 0.8), (0, 0.8)]), \
              inertia: (mass: 160.0, moments: [9.066666666666667], centre: (0.1, 0.4)), rotation: 2.864788975654116)], {keys} \
             contacts: [(name: \"base\", candidates: (body: \"block\"), antagonists: {ground}, law: Restitution(friction: 1.0))], \
             loads: [Gravity(acceleration: (0.0, -9.81))]",
        ));
        let block = model.bodies.len() - 1;
        let weight = 160.0 * 9.81 * model.h;
        // What the weight takes from the speed in a step, (3g/4R) sin α h.
        let slower = 0.75 * 9.81 / 0.17_f64.sqrt() / 17.0_f64.sqrt() * model.h;
        let (mut before, mut blows, mut gap) = (0.0_f64, Vec::new(), 0.0);
        run(&model, 900, |k, o| {
            let (state, rigid) = (&o.snapshot.states[block], model.bodies[block].body.rigid().unwrap());
            let (now, pose) = (state.v[2], rigid.pose(&state.q));
            // A corner of the block as it stands: its height and the velocity up.
            let corner = |x: f64| {
                let arm = pose.rotation * (nalgebra::Rotation2::new(0.05) * nalgebra::Vector2::new(x, -0.4));
                (pose.centre[1] + arm[1], state.v[1] + now * arm[0])
            };
            let on_the_first = o.touches.iter().filter(|t| t.contact.point[0] < 0.1).map(|t| t.impulse.amax());
            if let Some(blow) = o.touches.iter().find(|t| t.impulse[0] > 5.0 * weight) {
                assert!(blow.contact.point[0] > 0.1, "on its second corner: {}", blow.contact.point);
                close(on_the_first.fold(0.0, f64::max), 0.0, 0.0, "impulse of the first corner");
                if blows.is_empty() {
                    let (height, rises) = corner(-0.1);
                    assert!(height.abs() < 1e-3 && rises > 0.1, "step {k}: {height} {rises}");
                    // sin² α = 1/17; what the weight takes in a step is below 2e-3 of the speed.
                    close(now / before, 1.0 - 1.5 / 17.0, 2e-3, &format!("Housner's ratio, step {k}"));
                    gap = corner(0.1).0;
                    assert!(gap >= 0.0 && gap <= model.h * 0.2 * before.abs(), "what is left of the gap: {gap:e}");
                }
                blows.push((k, before, now));
            } else if blows.len() == 1 {
                let impulse = o.touches.iter().map(|t| t.impulse.amax()).fold(0.0, f64::max);
                assert!(impulse <= 0.0 && (now - before).abs() < 1e-12, "it flies: step {k}: {impulse:e}");
            }
            before = now;
        });
        assert_eq!(blows.len(), 2, "{blows:?}");
        let ((landing, _, _), (second, at, after)) = (blows[0], blows[1]);
        let steps = (second - landing) as f64;
        // The corner falls with g less ω² times the height of the centre above it.
        let fall = (2.0 * gap / (9.81 - at * at * 0.4)).sqrt() / model.h;
        assert!((steps - fall).abs() < 2.0, "{steps} steps, {fall} to fall by {gap:e}");
        close(after.abs(), at.abs() - steps * slower, slower, "as if it had stayed on its corner");
    }
}
