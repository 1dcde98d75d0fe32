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
    let direct_effect = random.between(0.005, 0.05);
    let aged = RateAndState {
        reference_friction: random.between(0.2, 0.9),
        direct_effect,
        evolution_effect: direct_effect * random.between(0.0, 1.5),
        reference_velocity: size.speed * random.decades(-3.0, 0.0),
        slip_distance: size.way * random.decades(-1.0, 2.0),
        initial_state: None,
        evolution: if random.below(2) == 0 { Evolution::Ageing } else { Evolution::Slip },
    };
    vec![
        LawSpec::StaticDynamic(StaticDynamic { velocity: None, ..law }),
        LawSpec::StaticDynamic(law),
        LawSpec::RateAndState(aged),
    ]
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
        let speed = statement::tangent(&point.velocity).norm();
        let mu = 0.3 + 0.3 * (-speed / 0.5).exp();
        assert!((statement::tangent(&force).norm() - mu * 10.0).abs() < 1e-9 && speed > 0.0);
    }
}

pub(super) const FAULT: RateAndState = RateAndState {
    reference_friction: 0.6,
    direct_effect: 0.01,
    evolution_effect: 0.015,
    reference_velocity: 1e-6,
    slip_distance: 1e-5,
    initial_state: None,
    evolution: Evolution::Ageing,
};

/// A point pressed with 10 N and driven along at `speed`: its coefficient of friction. Its mobility is so low that the drag changes the speed
/// by 1e-3 of V₀ at most.
fn dragged(point: &mut Driven<2>, speed: f64) -> f64 {
    let normal = -point.w[(0, 0)] * 10.0 * point.step.h;
    let done = point.advance(Vector::<2>::new(normal, speed));
    -done.out.impulse[1] / done.out.impulse[0]
}

fn fault(evolution: Evolution, h: f64) -> Driven<2> {
    let law = RateAndState { evolution, ..FAULT };
    Driven::<2>::of_mobility(LawSpec::RateAndState(law), h, 1e-10 / h)
}

#[test]
fn a_step_of_velocity_jumps_by_a_and_settles_at_a_less_b_over_the_slip_distance() {
    let (v, faster, h) = (1e-6, 1e-5, 1e-3);
    for evolution in [Evolution::Ageing, Evolution::Slip] {
        let mut point = fault(evolution, h);
        // θ = D_c/V₀ is the steady state at V₀: μ₀ (asinh against ln: e^(−2μ/a) is nothing).
        let steady = dragged(&mut point, v);
        assert!((steady - 0.6).abs() < 1e-4, "{steady}");
        let law = RateAndState { evolution, ..FAULT };
        let (a, b, way) = (law.direct_effect, law.evolution_effect, law.slip_distance);
        let mut worst = 0.0_f64;
        for i in 1..=12_000 {
            let mu = dragged(&mut point, faster);
            // Ageing: θ = D/V₂ + (D/V₁ − D/V₂) e^(−V₂t/D); slip: ln(V₂θ/D) = ln(V₂/V₁) e^(−V₂t/D).
            let passed = (-faster * f64::from(i) * h / way).exp();
            let ratio = match evolution {
                Evolution::Ageing => (1.0 / faster + (1.0 / v - 1.0 / faster) * passed) * v,
                Evolution::Slip => (v / faster) * ((faster / v).ln() * passed).exp(),
            };
            let exact = 0.6 + a * (faster / v).ln() + b * ratio.ln();
            worst = worst.max((mu - exact).abs());
        }
        // 1e-4 of the speed is lost to the drag.
        assert!(worst < 1e-5, "{evolution:?} {worst:e}");
        let settled = dragged(&mut point, faster);
        assert!((settled - 0.6 - (a - b) * (faster / v).ln()).abs() < 1e-5, "{settled}");
    }
}

#[test]
fn a_fault_at_rest_ages_with_time() {
    let mut point = fault(Evolution::Ageing, 1.0);
    let before = point.z[0];
    for _ in 0..1000 {
        dragged(&mut point, 0.0);
    }
    assert!((point.z[0] - before - 1000.0).abs() < 1e-9);
    let mut point = fault(Evolution::Slip, 1.0);
    dragged(&mut point, 0.0);
    assert!((point.z[0] - before).abs() < 1e-12);
}
