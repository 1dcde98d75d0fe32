//! Free smooth friction against its closed forms.

use super::driven::Driven;
use super::*;

fn curve(points: &[(f64, f64)]) -> Vec<FrictionPoint> {
    points.iter().map(|&(speed, added)| FrictionPoint { speed, added }).collect()
}

/// One that rises from rest without Coulomb's part, one of any shape, one that falls.
pub(super) fn some(random: &mut Random, size: &Size) -> Vec<LawSpec> {
    let friction = random.between(0.1, 0.6);
    let speed = size.speed * random.decades(-1.0, 0.5);
    let mut rise = || random.between(0.0, 0.3);
    let rising = curve(&[(speed, rise()), (2.0 * speed, 0.3 + rise()), (4.0 * speed, 0.6 + rise())]);
    // As weak as the bodies' inertia allows for one solution: friction that falls faster makes a step jump.
    let falling = curve(&[(4.0 * speed, -0.1 * friction), (8.0 * speed, -0.3 * friction)]);
    let any = curve(&[(speed, rise()), (6.0 * speed, -0.1 * rise()), (9.0 * speed, rise())]);
    vec![
        LawSpec::SmoothFriction(SmoothFriction { friction: 0.0, curve: rising }),
        LawSpec::SmoothFriction(SmoothFriction { friction, curve: falling }),
        LawSpec::SmoothFriction(SmoothFriction { friction, curve: any }),
    ]
}

/// A point pressed with 10 N and pulled ends at the speed at which the curve takes the pull up; the points of the curve are met exactly.
#[test]
fn a_steady_pull_ends_at_the_speed_of_the_curve() {
    let points = [(0.1, 0.05), (0.3, 0.25), (0.5, 0.3), (1.0, 0.45)];
    for friction in [0.0, 0.2] {
        for (speed, added) in points {
            let law = SmoothFriction { friction, curve: curve(&points) };
            let mut point = Driven::<3>::of_mobility(LawSpec::SmoothFriction(law), 0.02, 0.5);
            let pull = (friction + added) * 10.0;
            for _ in 0..4000 {
                point.push(Vector::<3>::new(-10.0, 0.6 * pull, 0.8 * pull));
            }
            let v = statement::tangent(&point.velocity).norm();
            // The last point is where the curve becomes flat: it is reached as 1/√t only.
            let within = if speed < 1.0 { 1e-9 } else { 0.02 };
            assert!(
                (v / speed - 1.0).abs() < within && (point.velocity[1] / v - 0.6).abs() < 1e-9,
                "{friction} {v} {speed}"
            );
        }
    }
}

/// Of one point the curve is the parabola φ = c (2x − x²), x = V/V₁: from rest under a pull, and slowed down by it alone,
/// m V̇ = −N c (2x − x²), whose solution is x/(2 − x) = x₀/(2 − x₀) e^(−2 N c t/(m V₁)).
#[test]
fn a_body_slows_down_by_its_curve() {
    let (c, last, push, mass, start) = (0.4, 2.0, 10.0, 2.0, 1.6);
    let error = |n: u32| {
        let h = 1.0 / f64::from(n);
        let law = SmoothFriction { friction: 0.0, curve: curve(&[(last, c)]) };
        let mut point = Driven::<2>::of_mobility(LawSpec::SmoothFriction(law), h, 1.0 / mass);
        point.velocity = Vector::<2>::new(0.0, start);
        let mut lost = 0.0;
        for _ in 0..n {
            let done = point.push(Vector::<2>::new(-push, 0.0));
            lost -= done.out.impulse[1]
                * 0.5
                * (done.out.velocity[1] + (done.out.velocity[1] - done.out.impulse[1] / mass));
            assert_eq!(done.energy, LawEnergy::default());
        }
        // What friction takes is what the body has less.
        let v = point.velocity[1];
        assert!((lost - 0.5 * mass * (start * start - v * v)).abs() < 1e-12);
        let x = start / last;
        let ratio = x / (2.0 - x) * (-2.0 * push * c / (mass * last)).exp();
        v / (last * 2.0 * ratio / (1.0 + ratio)) - 1.0
    };
    let (coarse, fine) = (error(200), error(400));
    // Implicit Euler is of first order.
    assert!(fine.abs() < 3e-3 && (coarse / fine - 2.0).abs() < 0.05, "{coarse:e} {fine:e}");
}

/// The curve goes through its points, its slope is continuous, and between points it does not leave their range.
#[test]
fn the_curve_is_smooth_and_monotone_between_its_points() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let mut points = Vec::new();
        let mut speed = 0.0;
        for _ in 0..=random.below(6) {
            speed += random.decades(-2.0, 1.0);
            points.push((speed, random.between(-0.3, 0.5)));
        }
        let law = SmoothFriction { friction: 0.3, curve: curve(&points) };
        law.validate().unwrap();
        // φ from the law's own statement: the drag of a unit push at which it holds.
        let zero = Vector::<2>::zeros();
        let built = LawSpec::SmoothFriction(law).build::<2>().unwrap();
        let holds = |v: f64, mu: f64| {
            let velocity = Vector::<2>::new(0.0, v);
            let x = ContactInput {
                gap: 0.0,
                area: 1.0,
                v_minus: zero,
                v_free: zero,
                drift: zero,
                frame: Matrix::identity(),
                acted: false,
                place: Vector::zeros(),
                time: 0.0,
            };
            let scale = ContactScale::new(1e-9, 1.0);
            let out = ContactSolution {
                velocity,
                impulse: Vector::<2>::new(1.0, -mu),
                status: Status::Slip,
                push: 1.0,
                scale,
            };
            built.violation(&x, &out, &StepTimes { h: 1.0, gap_time: 1.0, rest: 1.0 }, &[])
        };
        // With such a scale of velocities the error of the statement is the difference of coefficients.
        let phi = |v: f64| 2.0 - 0.3 - holds(v, 2.0);
        let mut from = (0.0_f64, 0.0_f64);
        for &(speed, added) in &points {
            assert!((phi(speed) - added).abs() < 1e-12, "{points:?}");
            let (low, high) = (from.1.min(added), from.1.max(added));
            for i in 1..20 {
                let v = from.0 + (speed - from.0) * f64::from(i) / 20.0;
                assert!((low - 1e-12..=high + 1e-12).contains(&phi(v)), "{points:?} {v}");
            }
            // The slope from both sides of a point, to the curvature of cubics over a small way.
            let d = 1e-5 * speed.min(1e-2);
            let steepest = points.iter().fold(0.5 / 1e-2, |m: f64, p| m.max(1.0 / p.0));
            let (left, right) = ((phi(speed) - phi(speed - d)) / d, (phi(speed + d) - phi(speed)) / d);
            assert!((left - right).abs() < 1e-2 * steepest, "{points:?} {speed}: {left} {right}");
            from = (speed, added);
        }
        assert!((phi(2.0 * from.0) - from.1).abs() < 1e-12);
    }
}
