//! Moving and turning obstacles: the normal velocity is the rate of the gap, the velocity that of the material point.

use delassus_contact::{
    Antagonist, Ball, Contact, Detector, HalfSpace, Pose, RigidMotion, Segment, Translation, Vector, local_velocity,
};

use super::obstacles::shapes;
use super::pair;
use crate::random::Random;

const FAR: f64 = f64::INFINITY;

fn detect(points: &[f64], shape: &Antagonist<2>, motion: RigidMotion<2>) -> Vec<Option<Contact<2>>> {
    let mut detector = Detector::new(vec![pair(points.len() / 2, shape.clone(), FAR, FAR)], &[points]).unwrap();
    let mut found = vec![None; points.len() / 2];
    for c in detector.detect(&[points], &[motion]).unwrap().contacts {
        let i = c.key.candidate as usize;
        found[i] = Some(c);
    }
    found
}

/// A pose, and the one it moves to in the time `tau` with the given mean velocity and angular velocity.
struct Move {
    start: Pose<2>,
    end: Pose<2>,
    motion: RigidMotion<2>,
}

fn moved(random: &mut Random, velocity: Vector<2>, spin: f64, tau: f64) -> Move {
    let mut vector = || Vector::<2>::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0));
    let (centre, shift) = (vector(), vector());
    let angle = random.within(-3.0, 3.0);
    let start = Pose::turned(angle, centre, shift);
    let end = Pose::turned(angle + spin * tau, centre, shift + velocity * tau);
    Move { start, end, motion: RigidMotion::between(&start, &end, tau).unwrap() }
}

/// Largest error of g + τ U_N as the gap after τ, and the number of candidates that stay on their facet; nodes move too.
fn prediction_error(random: &mut Random, speed: f64, spin: f64, tau: f64) -> (f64, usize) {
    let (mut worst, mut n): (f64, usize) = (0.0, 0);
    for shape in shapes(random, 1.0) {
        let velocity = Vector::<2>::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0)) * speed;
        let spin = spin * random.within(0.5, 1.0);
        let Move { start, end, motion } = moved(random, velocity, spin, tau);
        let x: Vec<f64> = (0..40).map(|_| random.within(-2.0, 2.0)).collect();
        let v: Vec<f64> = (0..40).map(|_| random.within(-1.0, 1.0) * speed).collect();
        let after: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + tau * v).collect();
        let (before, after) = (detect(&x, &shape, motion), detect(&after, &shape, RigidMotion { pose: end, ..motion }));
        for (a, b) in before.iter().zip(&after) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            // Another side of a re-entrant corner, or through the middle of a round shape: no rate there.
            let turned = (motion.spin * tau * a.normal() - (b.normal() - a.normal())).norm();
            if turned > 4.0 * tau * (1.0 + speed) {
                continue;
            }
            let foot = a.point - a.normal() * a.gap;
            let material = start.rotation.inverse() * (foot - start.centre - start.translation) + start.centre;
            let exact = (end.place(&material) - start.place(&material)) / tau;
            assert!(
                (a.sides[1].velocity - exact).norm() < 1e-14 / tau,
                "the velocity of the material point at the foot"
            );
            worst = worst.max((b.gap - a.gap - tau * local_velocity(a, &[&v])[0]).abs());
            n += 1;
        }
    }
    (worst, n)
}

#[test]
fn the_normal_velocity_is_the_rate_of_the_gap() {
    let mut random = Random::new(91);
    let tau = 1e-7;
    let (mut worst, mut n): (f64, usize) = (0.0, 0);
    for _ in 0..100 {
        let (error, count) = prediction_error(&mut random, 1.0, 2.0, tau);
        worst = worst.max(error / tau);
        n += count;
    }
    // Velocities are of order ten. The rest is τ times the squares of velocities over distances to corners or centres (down to
    // a few hundredths), and the rounding of the gaps, 1e-15, over τ.
    assert!(worst < 1e-5, "{worst}");
    assert!(n > 10_000, "{n} rates");
}

#[test]
fn the_error_of_the_prediction_falls_with_the_square_of_the_gap_time() {
    // A turning half-plane far from anything singular: the exact gap is n(t)·(x − p).
    let floor: Antagonist<2> = HalfSpace { point: Vector::<2>::zeros(), normal: Vector::<2>::new(0.0, 1.0) }.into();
    let error = |tau: f64| {
        let start = Pose::turned(0.2, Vector::<2>::new(0.5, 0.0), Vector::<2>::zeros());
        let end = Pose::turned(0.2 + 3.0 * tau, start.centre, Vector::<2>::new(0.4, -0.7) * tau);
        let motion = RigidMotion::between(&start, &end, tau).unwrap();
        let point = [2.0, 1.5];
        let before = detect(&point, &floor, motion)[0].clone().unwrap();
        let after = detect(&point, &floor, RigidMotion { pose: end, ..motion })[0].clone().unwrap();
        (after.gap - before.gap - tau * local_velocity(&before, &[&[0.0; 2]])[0]).abs()
    };
    let errors = [1e-2, 5e-3, 2.5e-3].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.05, "order {order}, errors {errors:?}");
    }
}

#[test]
fn for_translations_of_flat_faces_the_prediction_is_exact() {
    let floor = HalfSpace { point: Vector::<2>::new(0.3, 0.1), normal: Vector::<2>::new(-0.6, 0.8) };
    let table = Segment { a: Vector::<2>::new(50.0, 0.0), b: Vector::<2>::new(-50.0, 0.0) };
    let mut random = Random::new(92);
    for shape in [Antagonist::from(floor), table.into()] {
        for _ in 0..500 {
            let tau = random.within(0.1, 3.0);
            let velocity = Vector::<2>::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0));
            let pose = Pose::turned(random.within(-1.0, 1.0), Vector::<2>::zeros(), Vector::<2>::new(0.2, 0.1));
            let end = Pose { translation: pose.translation + velocity * tau, ..pose };
            let motion = RigidMotion::between(&pose, &end, tau).unwrap();
            let point = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
            let before = detect(&point, &shape, motion)[0].clone().unwrap();
            let after = detect(&point, &shape, RigidMotion { pose: end, ..motion })[0].clone().unwrap();
            let predicted = before.gap + tau * local_velocity(&before, &[&[0.0; 2]])[0];
            // Coordinates of a segment 100 long: its normal is known to 1e-16 and turns with 1e-14 of rounding at its ends.
            assert!((after.gap - predicted).abs() < 1e-13, "{} and {predicted}", after.gap);
        }
    }
}

#[test]
fn a_disk_that_turns_in_place_drags_and_opens_by_the_square_of_its_angle_only() {
    let (radius, angle, tau) = (0.5, 1e-3, 1e-2);
    let centre = Vector::<2>::new(2.0, 1.0);
    let end = Pose::turned(angle, centre, Vector::<2>::zeros());
    let motion = RigidMotion::between(&Pose::default(), &end, tau).unwrap();
    let disk: Antagonist<2> = Ball { centre, radius }.into();
    let c = detect(&[2.0, 1.6], &disk, motion)[0].clone().unwrap();
    let u = local_velocity(&c, &[&[0.0; 2]]);
    // The surface under the point goes to −x (t = −x on top, so that U_T = −V_T): chord of the arc over the gap time.
    let exact = Vector::<2>::new(radius * (1.0 - angle.cos()), -radius * angle.sin()) / tau;
    // Rounding of cos and of the coordinates, over τ.
    assert!((u - exact).norm() < 1e-13, "{u} and {exact}");
}

#[test]
fn translations_by_poses_and_by_motions_are_the_same() {
    let mut random = Random::new(93);
    for shape in shapes(&mut random, 1.0) {
        let motion = Translation { displacement: Vector::<2>::new(0.25, -0.5), velocity: Vector::<2>::new(1.0, 3.0) };
        let start = Pose::translated(motion.displacement);
        let end = Pose::translated(motion.displacement + motion.velocity * 0.5);
        let between = RigidMotion::between(&start, &end, 0.5).unwrap();
        let x: Vec<f64> = (0..40).map(|_| random.within(-2.0, 2.0)).collect();
        assert_eq!(detect(&x, &shape, motion.into()), detect(&x, &shape, between));
    }
}
