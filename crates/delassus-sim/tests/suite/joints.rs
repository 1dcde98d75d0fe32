//! Joints through the step of the method, against independent integrations, closed forms and identities.
//!
//! `run` asserts in every step that joints hold to 1e-12 of the size, that the audit holds and that the energy ledger closes to 1e-12.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::fmt::Write as _;

use delassus_sim::Model;
use delassus_sim::outcome::Outcome;
use delassus_sim::snapshot::Snapshot;

use crate::rigid::{close, made, run};

pub(crate) const G: f64 = 9.81;

/// A bar along x from `x`, 1 m long, 1 kg.
pub(crate) fn bar(name: &str, x: f64) -> String {
    format!(
        "(name: \"{name}\", rigid: true, inertia: (mass: 1.0), mesh: Rectangle(corner: ({x}, -0.05), size: (1, 0.1), cells: (1, 1))), "
    )
}

/// Bars in a row, hinged to each other and to the ground at the origin.
fn chain(n: usize, h: f64) -> String {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..n {
        bodies += &bar(&format!("bar {k}"), k as f64);
        let to = if k == 0 { String::new() } else { format!("to: \"bar {}\", ", k - 1) };
        write!(joints, "(name: \"pin {k}\", kind: Hinge, body: \"bar {k}\", {to}at: ({k}, 0)), ").unwrap();
    }
    format!("step: {h}, bodies: [{bodies}], joints: [{joints}], loads: [Gravity(acceleration: (0.0, -{G}))]")
}

/// Kinetic energy and energy in the field of gravity.
fn energy<const D: usize>(model: &Model<D>, s: &Snapshot) -> f64 {
    let up = D - 1;
    let of = |(b, s): (&delassus_sim::model::ModelBody<D>, &delassus_dynamics::State)| {
        delassus_dynamics::integrator::energies(&*b.body, s).0 + b.body.total_mass() * G * s.q[up]
    };
    model.bodies.iter().zip(&s.states).map(of).sum()
}

/// y after `n` steps of Runge and Kutta's method of fourth order.
pub(crate) fn runge_kutta<const N: usize>(
    mut y: [f64; N],
    n: usize,
    h: f64,
    rate: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let moved = |y: &[f64; N], k: &[f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    for _ in 0..n {
        let a = rate(&y);
        let b = rate(&moved(&y, &a, 0.5 * h));
        let c = rate(&moved(&y, &b, 0.5 * h));
        let d = rate(&moved(&y, &c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y
}

/// Angles of two bars from the vertical, and their rates.
fn double_pendulum(y: &[f64; 4]) -> [f64; 4] {
    let i = (1.0 + 0.01) / 12.0;
    let [t1, t2, w1, w2] = *y;
    let (s, c) = (t1 - t2).sin_cos();
    let (a11, a22, a12) = (1.25 + i, 0.25 + i, 0.5 * c);
    let f1 = -0.5 * s * w2 * w2 - 1.5 * G * t1.sin();
    let f2 = 0.5 * s * w1 * w1 - 0.5 * G * t2.sin();
    let det = a11 * a22 - a12 * a12;
    [w1, w2, (a22 * f1 - a12 * f2) / det, (a11 * f2 - a12 * f1) / det]
}

/// Two bars let go from the horizontal, against the equations of the angles by Runge and Kutta: second order.
#[test]
fn a_double_pendulum_moves_as_its_angles_say() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let exact = runge_kutta([quarter, quarter, 0.0, 0.0], 100_000, 1e-5, double_pendulum);
    let error = |h: f64| {
        let model = made::<2>(&chain(2, h));
        let mut worst = 0.0_f64;
        let end = run(&model, (1.0 / h).round() as usize, |_, o| worst = worst.max(o.joint_error.error));
        assert!(worst <= 1e-12, "{worst:e}");
        // Coordinates of hinges are relative angles.
        let found = [quarter + end.joints[0], quarter + end.joints[0] + end.joints[1]];
        (found[0] - exact[0]).abs().max((found[1] - exact[1]).abs())
    };
    let errors = [2e-3, 1e-3].map(error);
    assert!(errors[1] < 1e-4 && (errors[0] / errors[1] - 4.0).abs() < 0.4, "{errors:?}");
}

/// The same over ten thousand steps: the joints hold, the energy stays.
#[test]
fn a_free_linkage_keeps_joints_and_energy() {
    let model = made::<2>(&chain(2, 2e-4));
    let first = energy(&model, &model.start());
    // What moves between kinetic energy and that of the field: from the horizontal down.
    let scale = 2.0 * G;
    let (mut worst, mut off) = (0.0_f64, 0.0_f64);
    run(&model, 10_000, |_, o| {
        worst = worst.max(o.joint_error.error);
        off = off.max((energy(&model, &o.snapshot) - first).abs() / scale);
    });
    assert!(worst <= 1e-12 && off <= 1e-5, "{worst:e} {off:e}");
}

fn passes<const D: usize>(o: &Outcome<D>) -> usize {
    o.balancing.iterations
}

/// Twenty bars: dense enough to see the cost, and an error of the factor.
#[test]
fn a_chain_of_twenty_bars() {
    let model = made::<2>(&chain(20, 1e-3));
    let first = energy(&model, &model.start());
    let (mut worst, mut off, mut most) = (0.0_f64, 0.0_f64, 0);
    run(&model, 1000, |_, o| {
        worst = worst.max(o.joint_error.error);
        most = most.max(passes(o));
        off = off.max((energy(&model, &o.snapshot) - first).abs() / (20.0 * G * 10.0));
    });
    assert!(worst <= 1e-12 && off <= 1e-4, "{worst:e} {off:e}");
}

pub(crate) const DISK: &str =
    "(name: \"disk\", mesh: Round(centre: (0, 0), radius: 0.5), inertia: (mass: 2.0, moments: [0.4])";

/// A spring about a hinge, k = 10 N·m, let go at 0.3 rad: the trapezoidal rule turns the phase by 2 atan(hω/2) a step.
#[test]
fn a_spring_swings_by_the_rule_of_the_scheme() {
    let (h, k, i, rest) = (0.01_f64, 10.0_f64, 0.4_f64, 0.3_f64);
    let model = made::<2>(&format!(
        "step: {h}, bodies: [{DISK})], joints: [(name: \"axle\", kind: Hinge, body: \"disk\", at: (0, 0), spring: (stiffness: {k}, rest: {rest}))]"
    ));
    let phase = 2.0 * (0.5 * h * (k / i).sqrt()).atan();
    run(&model, 500, |n, o| {
        let exact = rest * (1.0 - (phase * (n + 1) as f64).cos());
        close(o.snapshot.joints[0], exact, 1e-11, "angle");
        // The moment of the spring is that of the mean angle.
        let mean = 0.5 * (exact + rest * (1.0 - (phase * n as f64).cos()));
        close(o.joints[0].moment[2], -k * (mean - rest), 1e-8, "moment");
    });
}

/// A damper takes (1 − x)/(1 + x), x = c h/(2 I), of the spin in a step.
#[test]
fn a_damper_slows_a_wheel() {
    let (h, c, i) = (0.01, 0.5, 0.4);
    let model = made::<2>(&format!(
        "step: {h}, bodies: [{DISK}, spin: 20.0)], joints: [(name: \"axle\", kind: Hinge, body: \"disk\", at: (0, 0), spring: (damping: {c}))]"
    ));
    let x: f64 = c * h / (2.0 * i);
    let end = run(&model, 100, |_, _| {});
    close(end.states[0].v[2], 20.0 * ((1.0 - x) / (1.0 + x)).powi(100), 1e-11, "spin");
    // Several turns are counted.
    assert!(end.joints[0] > 10.0, "{}", end.joints[0]);
}

/// Dry friction: the spin falls by M/I a second, to rest at t = I ω/M = 0.8 s, where it stays; what was dissipated is ½ I ω² less what the last step cut.
#[test]
fn friction_stops_a_wheel() {
    let (h, limit, i, spin) = (0.01, 2.5, 0.4, 5.0);
    let model = made::<2>(&format!(
        "step: {h}, bodies: [{DISK}, spin: {spin})], joints: [(name: \"axle\", kind: Hinge, body: \"disk\", at: (0, 0), friction: {limit})]"
    ));
    let mut lost = 0.0;
    let end = run(&model, 100, |n, o| {
        let t = h * (n + 1) as f64;
        let exact = (spin - limit / i * t).max(0.0);
        close(o.snapshot.states[0].v[2], exact, 1e-11, "spin");
        lost += o.joints[0].work.friction;
    });
    close(lost, 0.5 * i * spin * spin, 1e-10, "dissipation");
    close(end.joints[0], 0.5 * spin * 0.8, 1e-10, "angle");
    // A bar that friction holds does not move: m g l/2 = 4.905 N·m.
    let held = made::<2>(&format!(
        "step: 0.01, bodies: [{}], joints: [(name: \"pin\", kind: Hinge, body: \"bar\", at: (0, 0), friction: 5.0)], loads: [Gravity(acceleration: (0.0, -{G}))]",
        bar("bar", 0.0)
    ));
    let end = run(&held, 100, |_, o| close(o.joints[0].moment[2], 0.5 * G, 1e-9, "moment of the friction"));
    close(end.joints[0], 0.0, 1e-13, "angle of the bar");
}

/// A box on a slope of 30 degrees without a slope: a slider with friction F. s = ½ (g/2 − F/m) t²; its force is the rest of the weight.
#[test]
fn a_slider_goes_down_its_axis() {
    let (c, s) = (0.75_f64.sqrt(), 0.5);
    let model = made::<2>(&format!(
        "step: 0.01, bodies: [(name: \"box\", rigid: true, inertia: (mass: 2.0), mesh: Rectangle(corner: (0, 0), size: (1, 0.5), cells: (1, 1)))], \
         joints: [(name: \"rail\", kind: Slider, body: \"box\", at: (0.2, 0.1), axis: ({c}, -{s}), friction: 3.0)], \
         loads: [Gravity(acceleration: (0.0, -{G}))]"
    ));
    let end = run(&model, 100, |_, o| {
        // Across the axis m g cos, along it the friction.
        close(o.joints[0].force[0] * s + o.joints[0].force[1] * c, 2.0 * G * c, 1e-9, "across");
        close(o.joints[0].force[0] * c - o.joints[0].force[1] * s, -3.0, 1e-9, "along");
    });
    close(end.joints[0], 0.5 * (0.5 * G - 1.5), 1e-11, "way");
    close(end.states[0].q[3], 0.0, 1e-13, "turn");
}

/// Two free bars that a joint makes one turn and fly as one. Their centres go along chords, on which the velocities ω × r of the start are off by (hω)²/12: the force has hω/12 of it, and with
/// θ = ½ this changes its sign from step to step. The mean of two steps, and the spin, have an error of the order (hω)².
#[test]
fn fixed_bodies_are_one_body() {
    for h in [0.01, 0.005] {
        let model = made::<2>(&format!(
            "step: {h}, bodies: [{} {}], joints: [(name: \"weld\", kind: Fixed, body: \"b\", to: \"a\", at: (1, 0))]",
            bar("a", 0.0).replace("inertia", "spin: 3.0, velocity: (0.0, -1.5), inertia"),
            bar("b", 1.0).replace("inertia", "spin: 3.0, velocity: (0.0, 1.5), inertia")
        ));
        let turn: f64 = 3.0 * h;
        let mut last = None;
        let end = run(&model, 1000, |_, o| {
            let force = o.joints[0].force.norm();
            close(force, 4.5, 4.5 * (turn / 12.0 + turn * turn), "force");
            if let Some(last) = last.replace(force) {
                close(0.5 * (force + last), 4.5, 4.5 * turn * turn, "mean force");
            }
        });
        let momentum = (end.states[0].v[0] + end.states[1].v[0]).hypot(end.states[0].v[1] + end.states[1].v[1]);
        close(momentum, 0.0, 1e-11, "momentum");
        close(end.states[0].v[2], 3.0, 3.0 * turn * turn, "spin");
    }
}

/// A rod without mass and a mass: a pendulum whose pull at the lowest point is 3 m g after a quarter of a turn.
#[test]
fn a_rod_holds_its_length() {
    let h = 1e-3;
    let model = made::<2>(&format!(
        "step: {h}, bodies: [(name: \"bob\", mesh: PointMass(at: (1, 0)), inertia: (mass: 2.0))], \
         joints: [(name: \"rod\", kind: Distance, body: \"bob\", at: (1, 0), to_at: (0, 0))], loads: [Gravity(acceleration: (0.0, -{G}))]"
    ));
    let mut pull = 0.0_f64;
    let first = energy(&model, &model.start());
    run(&model, 10_000, |_, o| {
        pull = pull.max(o.joints[0].force.norm());
        let q = &o.snapshot.states[0].q;
        close((1.0 + q[0]).hypot(q[1]), 1.0, 1e-12, "length");
        close(energy(&model, &o.snapshot), first, 1e-5 * 2.0 * G, "energy");
    });
    close(pull, 3.0 * 2.0 * G, 1e-4 * 6.0 * G, "pull");
}

/// Free bars in a chain that turns in empty space: momentum and angular momentum stay to rounding.
#[test]
fn joints_have_neither_force_nor_moment_in_all() {
    let text = chain(3, 1e-2).replace("(name: \"pin 0\", kind: Hinge, body: \"bar 0\", at: (0, 0)), ", "");
    let text = text.replace(&format!("loads: [Gravity(acceleration: (0.0, -{G}))]"), "");
    let text = text.replacen("inertia", "spin: 2.0, velocity: (0.3, 1.0), inertia", 1);
    let model = made::<2>(&text);
    let angular = |s: &Snapshot| -> f64 {
        let of = |(b, s): (&delassus_sim::model::ModelBody<2>, &delassus_dynamics::State)| {
            let rigid = b.body.rigid().unwrap();
            let c = rigid.pose(&s.q).centre;
            c[0] * s.v[1] - c[1] * s.v[0] + rigid.angular_momentum(s)[2]
        };
        model.bodies.iter().zip(&s.states).map(of).sum()
    };
    let mut first = None;
    run(&model, 2000, |_, o| {
        let s = &o.snapshot;
        let now =
            [s.states.iter().map(|s| s.v[0]).sum::<f64>(), s.states.iter().map(|s| s.v[1]).sum::<f64>(), angular(s)];
        let first = first.get_or_insert(now);
        for (a, b) in now.iter().zip(first.iter()) {
            close(*a, *b, 1e-11, "momentum");
        }
    });
}

/// A planar four-bar linkage in space: four hinges hold 20 degrees of freedom of 18, three of them twice. It turns as the plane one does. Rounding grows where the linkage is stretched out; how much is
/// measured by the plane linkage itself, driven by a moment M that is larger by 1e-9 of it, which changes the speed of the crank's end by 1e-9 h M r/I = 1e-9 · 2e-3 · 4 · 0.5/0.08 = 5e-11 m/s a step. Joints that hold to rounding of
/// places, 1e-15 of 2 m, change speeds by 2e-15/h = 1e-12 m/s, and so by 2 % of that; 10 % are allowed.
#[test]
fn a_closed_loop_with_more_rows_than_needed() {
    let block = |name: &str, corner: [f64; 2], size: [f64; 2], z: &str| {
        let corner = format!("({}, {}{})", corner[0], corner[1], if z.is_empty() { "" } else { ", -0.05" });
        let size = format!("({}, {}{z})", size[0], size[1]);
        let mesh = if z.is_empty() { "Rectangle" } else { "Box" };
        let cells = if z.is_empty() { "(1, 1)" } else { "(1, 1, 1)" };
        format!(
            "(name: \"{name}\", rigid: true, inertia: (mass: 1.0), mesh: {mesh}(corner: {corner}, size: {size}, cells: {cells})), "
        )
    };
    let text = |z: &str, moment: f64| {
        let bodies = block("crank", [-0.05, 0.0], [0.1, 0.5], z)
            + &block("coupler", [0.0, 0.45], [2.0, 0.1], z)
            + &block("rocker", [1.95, -0.5], [0.1, 1.0], z);
        let pin = |name: &str, body: &str, to: &str, x: f64, y: f64| {
            let end = if z.is_empty() { "" } else { ", 0" };
            let to = if to.is_empty() { String::new() } else { format!("to: \"{to}\", ") };
            format!("(name: \"{name}\", kind: Hinge, body: \"{body}\", {to}at: ({x}, {y}{end})), ")
        };
        let joints = pin("a", "crank", "", 0.0, 0.0)
            + &pin("b", "coupler", "crank", 0.0, 0.5)
            + &pin("c", "rocker", "coupler", 2.0, 0.5)
            + &pin("d", "rocker", "", 2.0, -0.5);
        let down = if z.is_empty() { "(0.0, -9.81)" } else { "(0.0, -9.81, 0.0)" };
        format!(
            "step: 2e-3, bodies: [{bodies}], joints: [{joints}], loads: [Gravity(acceleration: {down}), Force(body: \"crank\", moment: {})]",
            if z.is_empty() { format!("[{moment:?}]") } else { format!("(0.0, 0.0, {moment:?})") }
        )
    };
    let plane = |moment: f64| {
        let mut angles = Vec::new();
        run(&made::<2>(&text("", moment)), 1000, |_, o| angles.push(o.snapshot.joints[0]));
        angles
    };
    let (angles, pushed) = (plane(-4.0), plane(-4.0 * (1.0 + 1e-9)));
    let space = made::<3>(&text(", 0.1", -4.0));
    let (mut worst, mut apart) = (0.0_f64, 0.0_f64);
    run(&space, 1000, |k, o| {
        worst = worst.max(o.joint_error.error);
        apart = apart.max((pushed[k] - angles[k]).abs());
        close(o.snapshot.joints[0], angles[k], 0.1 * apart + 1e-12, &format!("angle of the crank, step {k}"));
    });
    assert!(worst <= 1e-12, "{worst:e}");
    assert!(angles.iter().fold(0.0_f64, |m, a| m.max(a.abs())) > 0.5, "it moves");
}

/// A heavy top on a ball joint at its tip, against Euler's angles by Runge and Kutta. I₁ about the tip, I₃ about the axis, tilt θ, precession φ:
/// I₁ θ'' = sin θ (φ'² I₁ cos θ − p_ψ φ' + m g l) with I₁ φ' sin²θ = p_φ − p_ψ cos θ.
#[test]
fn a_top_on_a_ball_joint() {
    let (i1, i3, m, l, spin, tilt) = (0.3_f64, 0.1_f64, 2.0_f64, 0.3_f64, 30.0_f64, 0.4_f64);
    let own = i1 - m * l * l;
    // Spin about its own axis alone at the start; the body is given upright and turned by the key `rotation` about x.
    let axis = [0.0, -tilt.sin(), tilt.cos()];
    let text = |h: f64| {
        format!(
            "step: {h}, bodies: [(name: \"top\", rigid: true, inertia: (mass: {m}, moments: [{own}, {own}, {i3}]), \
             mesh: Box(corner: (-0.1, -0.1, 0.2), size: (0.2, 0.2, 0.2), cells: (1, 1, 1)), rotation: {}, rotation_axis: (1, 0, 0), \
             spin: {spin}, spin_axis: ({}, {}, {}), velocity: (0, 0, 0))], \
             joints: [(name: \"tip\", kind: Ball, body: \"top\", at: (0, 0, 0))], loads: [Gravity(acceleration: (0.0, 0.0, -{G}))]",
            tilt.to_degrees(),
            axis[0],
            axis[1],
            axis[2]
        )
    };
    let (p_psi, p_phi) = (i3 * spin, i3 * spin * tilt.cos());
    let rate = |y: &[f64; 3]| {
        let [t, dt, _] = *y;
        let (s, c) = t.sin_cos();
        let precession = (p_phi - p_psi * c) / (i1 * s * s);
        [dt, s * (precession * precession * i1 * c - p_psi * precession + m * G * l) / i1, precession]
    };
    let exact = runge_kutta([tilt, 0.0, 0.0], 100_000, 1e-5, rate);
    let error = |h: f64| {
        let model = made::<3>(&text(h));
        let end = run(&model, (1.0 / h).round() as usize, |_, _| {});
        let rigid = model.bodies[0].body.rigid().unwrap();
        let c = rigid.pose(&end.states[0].q).centre / l;
        // At the start the axis leans towards −y; φ turns it about z.
        let place = [exact[0].sin() * exact[2].sin(), -exact[0].sin() * exact[2].cos(), exact[0].cos()];
        (0..3).map(|i| (c[i] - place[i]).abs()).fold(0.0, f64::max)
    };
    let errors = [2e-3, 1e-3].map(error);
    assert!(errors[1] < 2e-3 && (errors[0] / errors[1] - 4.0).abs() < 0.6, "{errors:?}");
}

/// A wheel on a hinge with an oblique axis in space: the axis stays, the weight beside it swings it. θ'' = −(m g sin β d/I) sin θ about an axis tilted by β from the vertical.
#[test]
fn a_gate_swings_about_an_oblique_axis() {
    let beta = 0.3_f64;
    let text = format!(
        "step: 1e-3, bodies: [(name: \"gate\", rigid: true, inertia: (mass: 3.0), mesh: Box(corner: (0, -0.05, 0), size: (1, 0.1, 1), cells: (1, 1, 1)))], \
         joints: [(name: \"hinge\", kind: Hinge, body: \"gate\", at: (0, 0, 0), axis: ({}, 0, {}))], loads: [Gravity(acceleration: (0.0, 2.0, -{G}))]",
        -beta.sin(),
        beta.cos()
    );
    let model = made::<3>(&text);
    // By vectors: centre c(φ) turned about a; I about a; torque a·(c × m g).
    let a = nalgebra::Vector3::new(-beta.sin(), 0.0, beta.cos());
    let c0 = nalgebra::Vector3::new(0.5, 0.0, 0.5);
    let g = nalgebra::Vector3::new(0.0, 2.0, -G);
    let rigid = model.bodies[0].body.rigid().unwrap();
    let moments = rigid.input().inertia.moments.unwrap();
    let away = c0 - a * a.dot(&c0);
    let inertia = a.dot(&(moments * a)) + 3.0 * away.norm_squared();
    let rate = |y: &[f64; 2]| {
        let c = nalgebra::Rotation3::from_scaled_axis(a * y[0]) * c0;
        [y[1], a.dot(&c.cross(&g)) * 3.0 / inertia]
    };
    let exact = runge_kutta([0.0, 0.0], 20_000, 1e-4, rate);
    let mut worst = 0.0_f64;
    let end = run(&model, 2000, |_, o| worst = worst.max(o.joint_error.error));
    close(end.joints[0], exact[0], 2e-5, "angle");
    assert!(worst <= 1e-12 && exact[0].abs() > 0.1);
}

/// A rod on a hinge hits a disk that is held: hinge and disk leave one motion, and Newton's rule gives half of its speed back. The joint of the rod is eliminated from W,
/// so the impulse is exact: I_o (ω⁺ − ω⁻)/r with the arm r = 0.8 m.
#[test]
fn a_jointed_rod_bounces_off_a_stop() {
    let model = made::<2>(&format!(
        "step: 1e-3, bodies: [(name: \"rod\", mesh: Capsule(from: (0, 0), to: (0.8660254037844386, -0.5), radius: 0.02), \
         inertia: (mass: 1.0, moments: [0.08333333333333333], centre: (0.4330127018922193, -0.25))), \
         (name: \"stop\", mesh: Round(centre: (-0.12, -0.8), radius: 0.1), inertia: (mass: 1.0))], \
         joints: [(name: \"hinge\", kind: Hinge, body: \"rod\", at: (0, 0))], motions: [(body: \"stop\", x: 0.0, y: 0.0, spin: 0.0)], \
         contacts: [(name: \"blow\", candidates: (body: \"rod\"), antagonists: Surface(body: \"stop\"), law: Restitution(normal: 0.5))], \
         loads: [Gravity(acceleration: (0.0, -{G}))]"
    ));
    let (mut before, mut blows) = (0.0, 0);
    run(&model, 600, |_, o| {
        let now = o.snapshot.states[0].v[2];
        let p: f64 = o.touches.iter().map(|t| t.impulse[0]).sum();
        if p > 0.0 {
            blows += 1;
            // The weight acts in the step as well: a part h g/l of the speed, 1e-3 of it, and the rod is a step from the vertical.
            close(now / before, -0.5, 5e-3, "restitution");
            close(p * 0.8, (now - before) / 3.0, 2e-2, "impulse");
        }
        before = now;
    });
    assert_eq!(blows, 1);
}

fn refused(joints: &str) -> String {
    use delassus_error::Coded as _;
    let model = made::<2>(&format!("step: 0.01, bodies: [{}], joints: [{joints}]", bar("bar", 0.0)));
    let mut engine = delassus_sim::engine::Engine::new(&model).unwrap();
    engine.start().err().unwrap().code().0.to_owned()
}

/// Joints that cannot be met at the start, in place and in velocity; the same joint twice is no contradiction.
#[test]
fn contradictions_at_the_start_are_refused() {
    let hinge = |name: &str, rest: &str| format!("(name: \"{name}\", kind: Hinge, body: \"bar\", at: (0, 0){rest}), ");
    assert_eq!(refused(&hinge("a", ", motion: Coordinate(0.1)")), "E0657");
    let fixed = "(name: \"f\", kind: Fixed, body: \"bar\", at: (1, 0)), ";
    assert_eq!(refused(&(hinge("a", ", motion: Rate(1.0)") + fixed)), "E0658");
    let twice = hinge("a", "") + &hinge("b", "");
    let model = made::<2>(&format!(
        "step: 0.01, bodies: [{}], joints: [{twice}], loads: [Gravity(acceleration: (0.0, -{G}))]",
        bar("bar", 0.0)
    ));
    run(&model, 50, |_, o| {
        // Both carry the same, up to rounding over E: some 1e-16/1e-12 of the force.
        close(o.joints[0].force[1], o.joints[1].force[1], 1e-3 * G, "shared force");
    });
}

/// A driven hinge does the work that becomes kinetic energy, and its velocities at the start fit it.
#[test]
fn a_driven_hinge_does_work() {
    let model = made::<2>(&format!(
        "step: 0.01, bodies: [{}], joints: [(name: \"shaft\", kind: Hinge, body: \"bar\", at: (0, 0), motion: Coordinate(Expression(\"t^2\")))]",
        bar("bar", 0.0)
    ));
    let mut work = 0.0;
    let end = run(&model, 100, |k, o| {
        let t = 0.01 * (k + 1) as f64;
        close(o.snapshot.joints[0], t * t, 1e-12, "angle");
        work += o.joints[0].work.external;
    });
    // ½ I_o ω² with ω = 2 and I_o = 1.01/12 + 1/4; chords instead of arcs, (hω)²/12 = 3e-5.
    close(work, 0.5 * (1.01 / 12.0 + 0.25) * 4.0, 1e-4, "work");
    close(end.states[0].v[2], 2.0, 1e-10, "speed");
}
