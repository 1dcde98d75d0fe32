//! Laws of friction against their closed forms.

use super::driven::Driven;
use super::*;

pub(super) fn some(random: &mut Random, size: &Size) -> Vec<LawSpec> {
    let dynamic_friction = random.between(0.0, 0.8);
    let law = StaticDynamic {
        static_friction: dynamic_friction + random.between(0.0, 0.6),
        dynamic_friction,
        velocity: Some(size.speed * random.decades(-2.0, 1.0)),
    };
    vec![LawSpec::StaticDynamic(StaticDynamic { velocity: None, ..law }), LawSpec::StaticDynamic(law)]
}

/// A block on a belt, held by a spring: slip from x = μ_s N/k, then x = μ_d N/k + A cos(ω t + φ) until the belt is caught up again.
#[test]
fn stick_and_slip_on_a_belt_have_their_period_and_amplitude() {
    let (mass, stiffness, weight, belt, at_rest, moving) = (1.0_f64, 100.0, 10.0, 0.1, 0.6, 0.4);
    let omega = (stiffness / mass).sqrt();
    let (jump, h) = ((at_rest - moving) * weight / stiffness, 2e-5);
    let amplitude = jump.hypot(belt / omega);
    let slip = (2.0 * std::f64::consts::PI - 2.0 * (jump * omega / belt).atan()) / omega;
    let period = slip + 2.0 * jump / belt;
    let law = StaticDynamic { static_friction: at_rest, dynamic_friction: moving, velocity: None };
    let mut point = Driven::<2>::of_mobility(LawSpec::StaticDynamic(law), h, 1.0 / mass);
    // x is where the block is; the contact sees its velocity relative to the belt.
    let (mut x, mut starts, mut reach) = (at_rest * weight / stiffness, Vec::new(), [f64::INFINITY, f64::NEG_INFINITY]);
    for i in 0..(6.0 * period / h) as usize {
        let was = point.z[0] > 0.5;
        let relative = point.push(Vector::<2>::new(-weight, -stiffness * x)).out.velocity[1];
        x += h * (relative + belt);
        if point.z[0] > 0.5 && !was {
            starts.push(i as f64 * h);
        }
        if starts.len() > 1 {
            reach = [reach[0].min(x), reach[1].max(x)];
        }
    }
    let cycles = starts.len() - 2;
    let measured = (starts[starts.len() - 1] - starts[1]) / cycles as f64;
    assert!(cycles >= 3 && (measured / period - 1.0).abs() < 0.01, "{measured} {period}");
    assert!((0.5 * (reach[1] - reach[0]) / amplitude - 1.0).abs() < 0.01, "{reach:?} {amplitude}");
}

/// Sliding under a steady pull with a smooth μ(V): V is where the law says, not where the coefficient of the last step would put it.
#[test]
fn a_smooth_coefficient_is_that_of_the_speed_it_leads_to() {
    let law = StaticDynamic { static_friction: 0.6, dynamic_friction: 0.3, velocity: Some(0.5) };
    let mut point = Driven::<3>::of_mobility(LawSpec::StaticDynamic(law), 1e-2, 0.5);
    let held = point.push(Vector::<3>::new(-10.0, 3.0, 4.0));
    assert!(held.out.status == Status::Stick && point.velocity.norm() < 1e-15);
    for _ in 0..50 {
        let done = point.push(Vector::<3>::new(-10.0, 4.2, 5.6));
        let force = done.force(&point.step);
        let speed = words::tangent(&point.velocity).norm();
        let mu = 0.3 + 0.3 * (-speed / 0.5).exp();
        assert!((words::tangent(&force).norm() - mu * 10.0).abs() < 1e-9 && speed > 0.0);
    }
}
