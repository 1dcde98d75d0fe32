//! Moving and turning obstacles in 3D: the normal velocity is the rate of the gap, the velocity that of the material point.

use delassus_contact::{Antagonist, Contact, Cylinder, Detector, Pose, RigidMotion, SolidBox, Vector, local_velocity};

use super::obstacles::{detect_shape, shapes};
use super::{FAR, pair, vector};
use crate::random::Random;

fn detect(points: &[f64], shape: &Antagonist<3>, motion: RigidMotion<3>) -> Vec<Option<Contact<3>>> {
    let n = points.len() / 3;
    let mut found = vec![None; n];
    let mut detector = Detector::new(vec![pair(n, shape.clone(), FAR, FAR)], &[points]).unwrap();
    for c in detector.detect(&[points], &[motion]).unwrap().contacts {
        let i = c.key.candidate as usize;
        found[i] = Some(c);
    }
    found
}

#[test]
fn the_normal_velocity_is_the_rate_of_the_gap() {
    let mut random = Random::new(161);
    let tau = 1e-7;
    let (mut worst, mut n): (f64, usize) = (0.0, 0);
    for _ in 0..20 {
        for shape in shapes(&mut random) {
            let (centre, shift, turn) = (vector(&mut random, 1.0), vector(&mut random, 1.0), vector(&mut random, 2.0));
            let (spin, velocity) = (vector(&mut random, 2.0), vector(&mut random, 1.0));
            let start = Pose::turned_about(turn, centre, shift);
            let step = Pose::turned_about(spin * tau, Vector::<3>::zeros(), Vector::<3>::zeros()).rotation;
            let end = Pose { rotation: step * start.rotation, centre, translation: shift + velocity * tau };
            let motion = RigidMotion::between(&start, &end, tau).unwrap();
            let x: Vec<f64> = (0..60).map(|_| random.within(-2.0, 2.0)).collect();
            let v: Vec<f64> = (0..60).map(|_| random.within(-1.0, 1.0)).collect();
            let later: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + tau * v).collect();
            let before = detect(&x, &shape, motion);
            let after = detect(&later, &shape, RigidMotion { pose: end, ..motion });
            for (a, b) in before.iter().zip(&after) {
                let (Some(a), Some(b)) = (a, b) else { continue };
                // Another side of a re-entrant corner, or through the middle of a shape: no rate there.
                if (a.normal() - b.normal()).norm() > 1e-4 {
                    continue;
                }
                let foot = a.point - a.normal() * a.gap;
                let material = start.rotation.inverse() * (foot - centre - shift) + centre;
                let exact = (end.place(&material) - start.place(&material)) / tau;
                // Rounding of coordinates up to ten, over τ.
                assert!((a.sides[1].velocity - exact).norm() < 2e-14 / tau, "the velocity of the material point");
                worst = worst.max((b.gap - a.gap - tau * local_velocity(a, &[&v])[0]).abs() / tau);
                n += 1;
            }
        }
    }
    // Velocities are of order ten; the rest is τ times their squares over distances to ridges, and the rounding of the gaps over τ.
    assert!(worst < 1e-4, "{worst}");
    assert!(n > 3000, "{n} rates");
}

#[test]
fn for_translations_of_flat_faces_the_prediction_is_exact() {
    let mut random = Random::new(162);
    let half_sizes = Vector::<3>::new(50.0, 50.0, 1.0);
    for _ in 0..300 {
        let turn = Pose::turned_about(vector(&mut random, 2.0), Vector::<3>::zeros(), Vector::<3>::zeros());
        let slab = SolidBox { centre: Vector::<3>::zeros(), half_sizes, rotation: turn.rotation };
        let (tau, velocity) = (random.within(0.1, 3.0), vector(&mut random, 1.0));
        let end = Pose::translated(velocity * tau);
        let motion = RigidMotion::between(&Pose::default(), &end, tau).unwrap();
        let x: [f64; 3] = turn.place(&Vector::<3>::new(0.3, -0.2, 7.0)).into();
        let before = detect(&x, &slab.into(), motion)[0].clone().unwrap();
        let after = detect_shape(&[x], slab, end, FAR, FAR).contacts.remove(0);
        let predicted = before.gap + tau * local_velocity(&before, &[&[0.0; 3]])[0];
        assert!((after.gap - predicted).abs() < 1e-14, "{} and {predicted}", after.gap);
    }
}

#[test]
fn a_roller_that_turns_about_its_axis_drags_and_opens_by_the_square_of_its_angle_only() {
    let (radius, angle, tau) = (0.5, 1e-3, 1e-2);
    let (centre, axis) = (Vector::<3>::new(2.0, 1.0, 0.0), Vector::<3>::new(0.0, 0.0, 1.0));
    let roller: Antagonist<3> = Cylinder { centre, axis, radius, half_length: 1.0 }.into();
    let end = Pose::turned_about(axis * angle, centre, Vector::<3>::zeros());
    let motion = RigidMotion::between(&Pose::default(), &end, tau).unwrap();
    let c = detect(&[2.0, 1.6, 0.3], &roller, motion)[0].clone().unwrap();
    // The surface under the point goes to −x and, by the chord, into the roller.
    let exact = Vector::<3>::new(-radius * angle.sin(), -radius * (1.0 - angle.cos()), 0.0) / tau;
    // Rounding of cos and of the coordinates, over τ.
    assert!((c.sides[1].velocity - exact).norm() < 1e-13, "{}", c.sides[1].velocity);
    assert!((local_velocity(&c, &[&[0.0; 3]])[0] + exact.y).abs() < 1e-13);
}
