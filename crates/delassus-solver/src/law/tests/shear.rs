//! Elastic shear with memory and friction against its closed forms.

use super::driven::{Done, Driven};
use super::*;

const LAW: ElasticShear = ElasticShear { shear_stiffness: 1e6, normal_stiffness: None, friction: 0.5, per: Per::Area };

pub(super) fn some(random: &mut Random, size: &Size) -> Vec<LawSpec> {
    let law = ElasticShear {
        shear_stiffness: size.stiffness * random.decades(-2.0, 2.0),
        normal_stiffness: None,
        friction: random.between(0.0, 1.2),
        per: Per::Area,
    };
    let soft = ElasticShear { normal_stiffness: Some(size.stiffness * random.decades(-2.0, 2.0)), ..law };
    vec![LawSpec::ElasticShear(law), LawSpec::ElasticShear(soft)]
}

/// The identity of a step, to some roundings of the energy that is held.
fn check<const D: usize>(done: &Done<D>, held: f64) {
    let LawEnergy { stored, friction, path_work, remainder, .. } = done.energy;
    let left = path_work - stored - friction - remainder;
    let scale = held + stored.abs() + friction + path_work.abs();
    assert!(left.abs() <= 1e-14 * scale && remainder.abs() <= 1e-14 * scale && friction >= 0.0, "{:?}", done.energy);
}

/// A point pressed with 10 N and led along a way, step by step: (way, force along) after each, and the energies.
struct LedAlong {
    point: Driven<3>,
    way: Vector<3>,
}

impl LedAlong {
    fn new(law: ElasticShear, h: f64) -> Self {
        // The point is so heavy that the force does not change its motion.
        Self { point: Driven::<3>::of_mobility(LawSpec::ElasticShear(law), h, 1e-10 / h), way: Vector::zeros() }
    }

    fn go(&mut self, way: [f64; 2], push: f64) -> Done<3> {
        let normal = -self.point.w[(0, 0)] * push * self.point.step.h;
        let done = self.point.advance(Vector::<3>::new(normal, way[0], way[1]));
        self.way += done.out.velocity * self.point.step.h;
        check(&done, self.point.z[3]);
        done
    }
}

/// The loop of force over way: up with k to the bound, along it, back with k from there (the force does not turn when the motion does), to the other bound.
/// A cycle of amplitude a loses 4 μN (a − μN/k).
#[test]
fn a_cycle_of_shear_is_the_loop_of_a_spring_and_a_slider() {
    let (k, push, bound) = (1e6, 10.0, 5.0);
    let (amplitude, n) = (2e-5_f64, 400_u32);
    let mut led = LedAlong::new(LAW, 1e-3);
    // 0.6 and 0.8 of the way in the two directions.
    let speed = amplitude / (f64::from(n) * 1e-3);
    let (mut lost, mut energy_in, mut last_force, mut e) = (0.0, 0.0, 0.0, 0.0_f64);
    for part in 0..9_u32 {
        // A quarter out, then halves to and fro.
        let sign = if part == 0 || part % 4 == 3 || part % 4 == 0 { 1.0 } else { -1.0 };
        for step in 0..n {
            let done = led.go([0.6 * sign * speed, 0.8 * sign * speed], push);
            let force = done.force(&led.point.step);
            // The way that it went: the force slows the heavy point by 1e-5 of its speed.
            let way = 1e-3 * (0.6 * done.out.velocity[1] + 0.8 * done.out.velocity[2]);
            e = (e + way).clamp(-bound / k, bound / k);
            let along = -(0.6 * force[1] + 0.8 * force[2]);
            assert!((along - k * e).abs() < 1e-9 * bound, "{part} {step}: {along} {}", k * e);
            assert!((0.8 * force[1] - 0.6 * force[2]).abs() < 1e-6 * bound);
            energy_in += done.energy.path_work;
            if part > 0 {
                lost += done.energy.friction;
            }
            // Right after a turn the force is still that of before.
            if step == 0 && part > 0 && sign < 0.0 && last_force > 0.0 {
                assert!(along > 0.0, "the force turned with the motion");
            }
            last_force = along;
        }
    }
    let cycle = 4.0 * bound * (amplitude - bound / k);
    assert!((lost / (2.0 * cycle) - 1.0).abs() < 2e-5, "{lost} {cycle}");
    assert!(energy_in > lost);
}

/// A circular way: after the bound is reached the shear follows the motion, and the force has the size μN always.
#[test]
fn on_a_circle_the_force_turns_with_the_motion() {
    let (push, bound, n, radius) = (10.0, 5.0, 20_000_u32, 1e-4);
    let mut led = LedAlong::new(LAW, 1e-3);
    let omega = 2.0 * std::f64::consts::PI / (f64::from(n) * 1e-3);
    let mut angle = 0.0;
    for i in 0..n {
        let (sin, cos) = (omega * 1e-3 * (f64::from(i) + 0.5)).sin_cos();
        let done = led.go([-radius * omega * sin, radius * omega * cos], push);
        let force = done.force(&led.point.step);
        let size = statement::tangent(&force).norm();
        if i > n / 4 {
            assert!((size / bound - 1.0).abs() < 1e-9);
            // Angle by which the force is behind the contrary of the motion.
            angle = ((force[1] * -sin + force[2] * cos) / -size).clamp(-1.0, 1.0).acos();
        }
    }
    // Steady on a circle of radius r, of shear e = μN/k = r/20: the elastic part turns too, ė = Ω e, so that the slip is Ω √(r² − e²) and the lag asin(e/r).
    assert!((angle - (0.05_f64).asin()).abs() < 1e-3, "{angle}");
}

/// A contact that opens forgets its shear, and what this had stored is lost to friction: nothing holds it.
#[test]
fn a_contact_that_opens_forgets_its_shear() {
    let mut led = LedAlong::new(LAW, 1e-3);
    led.go([3e-3, 0.0], 10.0);
    let held = 0.5 * 1e6 * 9e-12;
    assert!((led.point.z[3] / held - 1.0).abs() < 1e-6);
    let done = led.point.advance(Vector::<3>::new(1e-3, 0.0, 0.0));
    assert!(done.out.impulse.norm() < 1e-300 && led.point.z.iter().all(|z| z.abs() < 1e-300), "{:?}", led.point.z);
    assert!((done.energy.friction / held - 1.0).abs() < 1e-6 && done.energy.path_work.abs() < 1e-12 * held);
    // Pressed again it starts from rest.
    led.point.gap = 0.0;
    let again = led.go([1e-3, 0.0], 10.0);
    assert!((again.force(&led.point.step)[1] + 1.0).abs() < 1e-6);
}

/// As the push falls the shear slides back; at rest what is lost is what is stored less.
#[test]
fn a_falling_push_lets_the_shear_slide() {
    let mut led = LedAlong::new(LAW, 1e-3);
    led.go([4e-3, 0.0], 10.0);
    let (mut lost, mut worked, mut before) = (0.0, 0.0, led.point.z[3]);
    let held = before;
    assert!((held / (0.5 * 1e6 * 16e-12) - 1.0).abs() < 1e-5);
    for i in 1..=100 {
        let done = led.go([0.0, 0.0], 10.0 - 0.1 * f64::from(i) + 1e-3);
        lost += done.energy.friction;
        worked += done.energy.path_work;
        assert!(led.point.z[3] <= before * (1.0 + 1e-12) && done.energy.path_work.abs() < 1e-6 * 8e-6);
        before = led.point.z[3];
    }
    assert!(
        ((lost + before - worked) / held - 1.0).abs() < 1e-12 && (lost / held - 1.0).abs() < 1e-4,
        "{lost} {before}"
    );
}

/// Without slip it is a spring: a mass on it swings with √(k/m), and in the limit of short steps keeps its energy.
#[test]
fn a_mass_on_its_shear_swings() {
    let (mass, k, n) = (2.0_f64, 1e4_f64, 4000_u32);
    let period = 2.0 * std::f64::consts::PI * (mass / k).sqrt();
    let h = period / f64::from(n);
    let law = ElasticShear { shear_stiffness: k, friction: 10.0, ..LAW };
    let mut point = Driven::<2>::of_mobility(LawSpec::ElasticShear(law), h, 1.0 / mass);
    point.velocity = Vector::<2>::new(0.0, 0.01);
    let mut crossings = Vec::new();
    for i in 0..2 * n {
        let before = point.velocity[1];
        let done = point.push(Vector::<2>::new(-100.0, 0.0));
        check(&done, point.z[2]);
        assert!(done.energy.friction.abs() < 1e-300 && done.out.status == Status::Stick);
        if before > 0.0 && point.velocity[1] <= 0.0 {
            crossings.push((f64::from(i) + before / (before - point.velocity[1])) * h);
        }
    }
    let measured = crossings[1] - crossings[0];
    assert!((measured / period - 1.0).abs() < 1e-5, "{measured} {period}");
}
