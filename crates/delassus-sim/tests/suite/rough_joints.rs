//! Friction of joints by the force that they carry: μ r |R| of a pin, μ |R| of a guide.
//!
//! `run` asserts in every step that joints and their friction hold by the audit, and that the energy ledger closes to 1e-12.

use super::joints::{DISK, G, bar, runge_kutta};
use super::rigid::{close, made, run};

/// A wheel of 2 kg on a pin of 0.02 m, μ = 0.3: the pin carries the weight alone, so the spin falls by μ r m g/I a second, and rests. Exact in the scheme, whose reaction has the weight in every step.
#[test]
fn a_wheel_on_a_rough_pin_comes_to_rest() {
    let (h, i, spin) = (0.01, 0.4, 1.0);
    let slow = 0.3 * 0.02 * 2.0 * G / i;
    let model = made::<2>(&format!(
        "step: {h}, bodies: [{DISK}, spin: {spin})], loads: [Gravity(acceleration: (0.0, -{G}))], \
         joints: [(name: \"axle\", kind: Hinge, body: \"disk\", at: (0, 0), coulomb: (friction: 0.3, radius: 0.02))]"
    ));
    let mut lost = 0.0;
    run(&model, 400, |n, o| {
        let exact = (spin - slow * h * (n + 1) as f64).max(0.0);
        close(o.snapshot.states[0].v[2], exact, 1e-11, "spin");
        lost += o.joints[0].work.friction;
    });
    close(lost, 0.5 * i * spin * spin, 1e-11, "dissipation");
}

/// In space the force along the axis of the pin has no friction: the same wheel with its axis upright spins on, and with a level axis it slows down.
#[test]
fn a_pin_feels_the_force_across_its_axis_alone() {
    for (gravity, slow) in
        [("(0, 0, -9.81)", 0.0), ("(0, -9.81, 0)", 0.006 * 2.0 * G / 0.4), ("(0, -9.81, -5)", 0.006 * 2.0 * G / 0.4)]
    {
        let model = made::<3>(&format!(
            "step: 0.01, bodies: [(name: \"wheel\", rigid: true, inertia: (mass: 2.0, moments: [0.3, 0.3, 0.4]), spin: 1.0, spin_axis: (0, 0, 1), \
             mesh: Box(corner: (-0.5, -0.5, -0.05), size: (1, 1, 0.1), cells: (1, 1, 1)))], loads: [Gravity(acceleration: {gravity})], \
             joints: [(name: \"axle\", kind: Hinge, body: \"wheel\", at: (0, 0, 0), axis: (0, 0, 1), coulomb: (friction: 0.3, radius: 0.02))]"
        ));
        let rigid = model.bodies[0].body.rigid().cloned();
        let end = run(&model, 50, |_, _| {});
        let spin = rigid.map(|r| r.spin(&end.states[0].q, &end.states[0].v)[2]);
        close(spin.unwrap_or(f64::NAN), 1.0 - 0.5 * slow, 1e-11, gravity);
    }
}

/// A box on a guide with the slope tan α = 0.75: it stays below μ = 0.75 and slides above with g (sin α − μ cos α). Besides a force that does not depend on the reaction, both add.
#[test]
fn a_box_slides_down_a_rough_guide() {
    let (s, c) = (0.6, 0.8);
    for (mu, fixed) in [(0.75 * 1.001, 0.0), (0.75 * 0.999, 0.0), (0.3, 0.0), (0.3, 1.5)] {
        let more = if fixed > 0.0 { format!("friction: {fixed}, ") } else { String::new() };
        let model = made::<2>(&format!(
            "step: 0.01, bodies: [(name: \"box\", rigid: true, inertia: (mass: 2.0), mesh: Rectangle(corner: (0, 0), size: (1, 0.5), cells: (1, 1)))], \
             joints: [(name: \"rail\", kind: Slider, body: \"box\", at: (0.2, 0.1), axis: ({c}, -{s}), {more}coulomb: (friction: {mu}))], \
             loads: [Gravity(acceleration: (0.0, -{G}))]"
        ));
        let end = run(&model, 100, |_, _| {});
        let way = (0.5 * (G * (s - mu * c) - fixed / 2.0)).max(0.0);
        close(end.joints[0], way, 1e-11, &format!("way with {mu}, {fixed}"));
    }
}

/// A bar on a rough pin, let go level, against its angle by Runge and Kutta: I θ'' = −m g d sin θ − μ r |R| sign θ', with R of the motion of its centre. R is up to 2.5 times the weight, and the friction feels itself in it. In the
/// first swing the error is of second order; later, turning points fall between steps.
#[test]
fn a_pendulum_on_a_rough_pin_swings_as_its_angle_says() {
    let (per_force, d, own) = (0.02, 0.5, 1.01 / 12.0);
    let rate = |y: &[f64; 2], way: f64| {
        let ((s, c), w) = (y[0].sin_cos(), y[1]);
        let mut a = -G * d * s / (own + d * d);
        // The friction changes the acceleration, and this the reaction; the factor of the iteration is some per_force/d.
        for _ in 0..40 {
            let reaction = (d * w * w + G * c).hypot(d * a + G * s);
            a = (-G * d * s - per_force * reaction * way) / (own + d * d);
        }
        [w, a]
    };
    let oracle = |time: f64| {
        let (n, h) = ((time / 1e-4).round() as usize, 1e-4);
        let mut y = [std::f64::consts::FRAC_PI_2, 0.0];
        for _ in 0..n {
            let way = if y[1].abs() > 0.0 { y[1].signum() } else { -y[0].signum() };
            y = runge_kutta(y, 1, h, |y| rate(y, way));
        }
        y[0] - std::f64::consts::FRAC_PI_2
    };
    let angle = |h: f64, time: f64| {
        let model = made::<2>(&format!(
            "step: {h}, bodies: [{}], loads: [Gravity(acceleration: (0.0, -{G}))], \
             joints: [(name: \"pin\", kind: Hinge, body: \"bar\", at: (0, 0), coulomb: (friction: 0.5, radius: 0.04))]",
            bar("bar", 0.0)
        ));
        run(&model, (time / h).round() as usize, |_, _| {}).joints[0]
    };
    let exact = oracle(0.6);
    let errors = [4e-3, 2e-3].map(|h| (angle(h, 0.6) - exact).abs());
    assert!(errors[1] < 2e-5 && errors[0] / errors[1] > 3.5, "{errors:?}");
    // Two turning points later: friction has taken some 0.08 rad in each swing. A turning point may be off by a step, in which friction has the wrong sense: h² θ'' < 1e-4 rad each.
    close(angle(2e-3, 2.4), oracle(2.4), 1e-3, "after turning points");
}
