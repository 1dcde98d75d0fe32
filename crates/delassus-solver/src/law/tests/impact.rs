//! Restitution and compliance against their closed forms.

use super::driven::Driven;
use super::*;
use crate::problem::Cone;

pub(super) fn some(random: &mut Random, size: &Size) -> Vec<LawSpec> {
    let friction = random.between(0.0, 1.2);
    let (normal, tangential) = (Some(random.between(0.0, 1.0)), Some(random.between(-0.9, 1.0)));
    let index = Some(random.between(0.0, 1.0));
    let stiffness = Some(size.stiffness * random.decades(-2.0, 3.0));
    let damping = Some(size.pressure / size.speed * random.decades(-2.0, 2.0));
    let soft = Compliant { stiffness, damping, friction, per: Per::Area };
    vec![
        LawSpec::Restitution(Restitution { normal, tangential, friction, ..Restitution::default() }),
        LawSpec::Restitution(Restitution { dissipation_index: index, friction, ..Restitution::default() }),
        LawSpec::Restitution(Restitution { normal, friction, separating: true, ..Restitution::default() }),
        LawSpec::Compliant(soft),
        LawSpec::Compliant(Compliant { damping: None, ..soft }),
        LawSpec::Compliant(Compliant { stiffness: None, ..soft }),
    ]
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    // Free flight is exact between impacts (v and the height by the energy); the impact is one step of the law.
    for (spec, e) in [
        (
            Restitution { normal: Some(0.8), tangential: Some(-0.5), friction: 10.0, ..Restitution::default() },
            [0.8, -0.5],
        ),
        (Restitution { dissipation_index: Some(0.25), friction: 10.0, ..Restitution::default() }, [0.6, 0.6]),
    ] {
        let mut ball = Driven::<2>::of_mobility(LawSpec::Restitution(spec), 1e-3, 0.5);
        let (gravity, first, slide) = (9.81, 1.0, 0.3);
        let mut height: f64 = first;
        let mut along = slide;
        for bounce in 1..=10 {
            let speed = (2.0 * gravity * height).sqrt();
            ball.gap = 0.0;
            ball.velocity = Vector::<2>::new(-speed, along);
            ball.push(Vector::<2>::zeros());
            height = ball.velocity[0].powi(2) / (2.0 * gravity);
            along = ball.velocity[1];
            let (up, side) = (first * f64::powi(e[0], 2 * bounce), slide * f64::powi(-e[1], bounce));
            assert!((height / up - 1.0).abs() < 1e-12 && (along / side - 1.0).abs() < 1e-12, "{bounce}");
        }
        // Moving apart, or at rest: no restitution, and no impulse where nothing closes.
        ball.gap = 1.0;
        assert!(ball.push(Vector::<2>::new(-1.0, 0.0)).out.impulse.norm() < 1e-300);
        ball.gap = -1e-6;
        ball.velocity = Vector::<2>::new(0.1, 0.0);
        ball.push(Vector::<2>::new(-1e3, 0.0));
        assert!(ball.velocity[0].abs() < 1e-15);
    }
}

/// Moving apart with 0.1 m/s and pushed together hard within the step: (26) lets the bodies approach with e times that speed; the usual law stops them.
#[test]
fn a_separation_counts_in_the_mean_where_it_is_told_to() {
    for (separating, after) in [(false, 0.0), (true, -0.08)] {
        let law = Restitution { normal: Some(0.8), separating, ..Restitution::default() };
        let mut ball = Driven::<2>::of_mobility(LawSpec::Restitution(law), 1e-3, 0.5);
        ball.gap = -1e-6;
        ball.velocity = Vector::<2>::new(0.1, 0.0);
        ball.push(Vector::<2>::new(-1e3, 0.0));
        assert!((ball.velocity[0] - after).abs() < 1e-15, "{}", ball.velocity[0]);
    }
}

#[test]
fn a_compliant_contact_is_a_spring_in_compression() {
    let (k, area) = (1e7, 0.02);
    let law = Compliant { stiffness: Some(k), friction: 0.3, ..Compliant::default() };
    let mut point = Driven::<2>::of_mobility(LawSpec::Compliant(law), 1e-4, 0.5);
    point.area = area;
    let (mut work, mut given) = (0.0, 0.0);
    for i in 0..4000 {
        let force = 100.0 * (0.01 * f64::from(i)).sin() - 50.0;
        let done = point.push(Vector::<2>::new(force, 0.0));
        let spring = k * area * (-point.gap).max(0.0);
        assert!((done.force(&point.step)[0] - spring).abs() < 1e-9 * 100.0, "{i}");
        work += done.energy.stored;
        given = 0.5 * k * area * (-point.gap).max(0.0).powi(2);
        assert!((done.energy.bond[0] - done.out.impulse[0]).abs() < 1e-300);
    }
    assert!((work - given).abs() < 1e-12 && (point.z[0] - given).abs() < 1e-300);
}

#[test]
fn friction_made_viscous_is_a_dashpot_below_its_bound() {
    let (c, area, push) = (400.0, 0.5, 10.0);
    let law = Compliant { damping: Some(c), friction: 0.3, ..Compliant::default() };
    for (pull, slides) in [(2.0, false), (4.0, true)] {
        let mut point = Driven::<2>::of_mobility(LawSpec::Compliant(law), 1e-3, 0.5);
        point.area = area;
        for _ in 0..200 {
            let done = point.push(Vector::<2>::new(-push, pull));
            let viscous = c * area * point.velocity[1];
            let drag = -done.force(&point.step)[1];
            assert!((drag - viscous.min(0.3 * push)).abs() < 1e-10, "{drag} {viscous}");
        }
        // Below the bound it creeps at pull/c, above it goes faster and faster.
        assert_eq!(point.velocity[1] > 1.1 * pull / (c * area), slides);
        assert!(slides || (point.velocity[1] * c * area / pull - 1.0).abs() < 1e-6);
    }
}

/// A gap that would not close by itself: without restitution, or where the contact acted before, an impulse of others cannot close it beyond zero; with restitution, and new, the impact waits.
#[test]
fn a_contact_that_others_close_is_held() {
    let step = StepTimes { h: 1e-3, gap_time: 1e-3, rest: 5e-4 };
    let zero = Vector::<2>::zeros();
    for (normal, acted, held) in [(0.0, false, true), (0.0, true, true), (0.5, true, true), (0.5, false, false)] {
        let law = Restitution { normal: Some(normal), friction: 0.3, ..Restitution::default() };
        let x = ContactInput {
            gap: 1e-9,
            area: 1.0,
            v_minus: zero,
            v_free: zero,
            drift: zero,
            frame: Matrix::identity(),
            acted,
            place: Vector::zeros(),
            time: 0.0,
        };
        let derived = ContactLaw::<2>::derive(&law, &x, &step, &[], None);
        assert_eq!(derived.cone, if held { Cone::Coulomb(0.3) } else { Cone::Open }, "{normal} {acted}");
        // It may close up to zero: U_N⁺ ≥ −g/τ.
        assert!(!held || (derived.v_shift[0] - 1e-6).abs() < 1e-20);
        // What has penetrated and goes apart is not pushed out.
        let out =
            ContactInput { gap: -1e-9, v_free: Vector::<2>::new(1.0, 0.0), v_minus: Vector::<2>::new(1.0, 0.0), ..x };
        let derived = ContactLaw::<2>::derive(&law, &out, &step, &[], None);
        assert!(derived.v_shift[0].abs() < 1e-300);
    }
}
