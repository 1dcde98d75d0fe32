//! Rigid polygons, containers, disks and holes against formulas that share nothing with the crate; their limits; invariance.

use delassus_contact::{
    Antagonist, Ball, Cavity, Contact, ContactKey, Detection, Detector, HalfSpace, Pose, RigidMotion, RigidSurface,
    Segment, Solid, Vector,
};

use super::polygons::{points, signed_distance};
use super::{pair, star};
use crate::random::Random;

const FAR: f64 = f64::INFINITY;

fn detect(points: &[[f64; 2]], shape: impl Into<Antagonist<2>>, pose: Pose<2>, reach: f64, depth: f64) -> Detection<2> {
    let x = points.concat();
    let motion = RigidMotion { pose, ..RigidMotion::default() };
    let mut detector = Detector::new(vec![pair(points.len(), shape.into(), reach, depth)], &[&x]).unwrap();
    detector.detect(&[&x], &[motion]).unwrap()
}

fn random_pose(random: &mut Random) -> Pose<2> {
    let mut vector = || Vector::<2>::new(random.within(-2.0, 2.0), random.within(-2.0, 2.0));
    let (centre, translation) = (vector(), vector());
    Pose::turned(random.within(-4.0, 4.0), centre, translation)
}

fn place(pose: &Pose<2>, nodes: &[[f64; 2]]) -> Vec<[f64; 2]> {
    nodes.iter().map(|&p| pose.place(&p.into()).into()).collect()
}

/// Gap and unit normal of a contact are a signed distance and its direction: moved by the gap along the normal the point is on
/// the surface (distance zero by the oracle).
fn check(c: &Contact<2>, oracle: impl Fn([f64; 2]) -> f64) {
    // Coordinates up to ten, a few roundings each in the crate, in the placing and in the oracle.
    const ROUNDING: f64 = 4e-14;
    let d = oracle(c.point.into());
    assert!((c.gap.abs() - d.abs()).abs() < ROUNDING, "{:?}: {} and {d}", c.point, c.gap);
    assert!(d.abs() < ROUNDING || (c.gap < 0.0) == (d < 0.0), "{:?}: {} and {d}", c.point, c.gap);
    let foot = c.point - c.normal() * c.gap;
    assert!(oracle(foot.into()).abs() < ROUNDING, "{:?}: the foot is off by {}", c.point, oracle(foot.into()));
    assert!((c.normal().norm() - 1.0).abs() < 1e-15);
    assert_eq!((c.sides[1].body, c.sides[1].velocity), (None, Vector::<2>::zeros()));
}

#[test]
fn the_gap_of_a_polygon_is_its_signed_distance_solid_or_container() {
    let mut random = Random::new(81);
    let mut signs = [0; 4];
    for round in 0..300 {
        let n = 3 + random.below(15);
        let nodes = star(&mut random, n);
        let pose = if round % 3 == 0 { Pose::default() } else { random_pose(&mut random) };
        let placed = place(&pose, &nodes);
        let points = points(&mut random, &placed, 40);
        for (k, solid) in [Solid::Inside, Solid::Outside].into_iter().enumerate() {
            let polygon = RigidSurface::polygon(nodes.iter().map(|&p| p.into()).collect(), solid).unwrap();
            let found = detect(&points, polygon, pose, FAR, FAR);
            assert_eq!(found.contacts.len(), points.len(), "every point has one contact");
            let sign = if solid == Solid::Inside { 1.0 } else { -1.0 };
            for c in &found.contacts {
                check(c, |p| sign * signed_distance(&placed, p));
                signs[2 * k + usize::from(c.gap < 0.0)] += 1;
            }
        }
    }
    assert!(signs.iter().all(|&n| n > 1500), "inside and outside, both kinds: {signs:?}");
}

#[test]
fn the_gap_of_a_disk_and_of_a_hole_is_radial() {
    let mut random = Random::new(82);
    let mut signs = [0; 4];
    for _ in 0..300 {
        let centre = Vector::<2>::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0));
        let (radius, pose) = (random.within(0.1, 2.0), random_pose(&mut random));
        let middle = pose.place(&centre);
        let point = |_| {
            let (angle, near) = (random.within(0.0, 6.3), 10f64.powf(random.within(-16.0, 0.0)));
            let r = [radius * (1.0 + near), radius * (1.0 - near), random.within(0.0, 4.0)][random.below(3)];
            [middle.x + r * angle.cos(), middle.y + r * angle.sin()]
        };
        let points: Vec<[f64; 2]> = (0..20).map(point).collect();
        for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
            let shape = [Antagonist::from(Ball { centre, radius }), Cavity { centre, radius }.into()][k].clone();
            let found = detect(&points, shape, pose, FAR, FAR);
            assert_eq!(found.contacts.len(), points.len());
            for c in &found.contacts {
                check(c, |p| sign * ((p[0] - middle.x).hypot(p[1] - middle.y) - radius));
                let radial = c.normal().perp(&(c.point - middle));
                assert!(radial.abs() < 1e-14 && sign * c.normal().dot(&(c.point - middle)) >= 0.0, "{c:?}");
                signs[2 * k + usize::from(c.gap < 0.0)] += 1;
            }
        }
    }
    assert!(signs.iter().all(|&n| n > 1000), "inside and outside, both kinds: {signs:?}");
}

#[test]
fn half_planes_and_segments_turn() {
    // Turned by a right angle about (1, 0) and moved up by 3, the floor y = 0 becomes the wall x = 1, solid on its right.
    let pose = Pose::turned(std::f64::consts::FRAC_PI_2, Vector::<2>::new(1.0, 0.0), Vector::<2>::new(0.0, 3.0));
    let floor = HalfSpace { point: Vector::<2>::zeros(), normal: Vector::<2>::new(0.0, 2.0) };
    let table = Segment { a: Vector::<2>::new(2.0, 0.0), b: Vector::<2>::new(0.0, 0.0) };
    for (shape, seen) in [(Antagonist::from(floor), vec![0, 1, 2]), (table.into(), vec![0, 2])] {
        let found = detect(&[[0.75, 3.5], [0.5, 9.0], [1.25, 2.5]], shape.clone(), pose, 1.0, 1.0).contacts;
        assert_eq!(found.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), seen, "{shape:?}");
        for c in &found {
            assert!((c.gap - (1.0 - c.point[0])).abs() < 1e-15, "{shape:?}: {}", c.gap);
            assert!((c.normal() - Vector::<2>::new(-1.0, 0.0)).norm() < 1e-15, "{shape:?}: {}", c.normal());
        }
    }
}

#[test]
fn a_disk_has_a_depth_and_a_hole_has_none() {
    let (centre, radius) = (Vector::<2>::new(1.0, 0.0), 1.0);
    let points = [[2.1, 0.0], [1.9, 0.0], [1.7, 0.0], [1.3, 0.0], [2.4, 0.0], [9.0, 0.0]];
    let ball = detect(&points, Ball { centre, radius }, Pose::default(), 0.2, 0.2);
    assert_eq!(ball.contacts.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0, 1]);
    // 0.3 is between once and twice the depth; 0.7 is elsewhere.
    assert_eq!(ball.too_deep, [ContactKey::nearest(0, 0, 2)]);
    assert_eq!((ball.penetrations[0].n_behind, ball.penetrations[0].n_too_deep), (2, 1));
    let hole = detect(&points, Cavity { centre, radius }, Pose::default(), 0.2, 0.2);
    assert_eq!(hole.contacts.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0, 1, 4, 5]);
    assert!(hole.too_deep.is_empty());
}

#[test]
fn at_the_centre_of_a_round_shape_the_first_axis_is_radial() {
    let (centre, radius) = (Vector::<2>::new(0.3, 0.7), 2.0);
    for (shape, gap, x) in
        [(Antagonist::from(Ball { centre, radius }), -2.0, 1.0), (Cavity { centre, radius }.into(), 2.0, -1.0)]
    {
        let c = detect(&[[0.3, 0.7]], shape, Pose::default(), FAR, FAR).contacts.remove(0);
        assert!((c.gap - gap).abs() < 1e-300 && (c.normal() - Vector::<2>::new(x, 0.0)).norm() < 1e-300, "{c:?}");
    }
    // Next to it the direction is the true one, however small the distance.
    let near = [[0.3, 0.7f64.next_up()]];
    let c = detect(&near, Ball { centre, radius }, Pose::default(), FAR, FAR).contacts.remove(0);
    assert!((c.normal() - Vector::<2>::new(0.0, 1.0)).norm() < 1e-15, "{c:?}");
}

/// Every kind of obstacle around the origin, of size about one and scaled.
pub(super) fn shapes(random: &mut Random, scale: f64) -> Vec<Antagonist<2>> {
    let n = 3 + random.below(8);
    let nodes: Vec<Vector<2>> = star(random, n).into_iter().map(|p| Vector::<2>::from(p) * scale).collect();
    let (a, b) = (Vector::<2>::new(1.3, 0.2) * scale, Vector::<2>::new(-1.1, -0.3) * scale);
    let (centre, radius) = (Vector::<2>::new(0.1, -0.2) * scale, 0.8 * scale);
    vec![
        HalfSpace { point: centre, normal: Vector::<2>::new(0.6, 0.8) }.into(),
        Segment { a, b }.into(),
        Ball { centre, radius }.into(),
        Cavity { centre, radius }.into(),
        RigidSurface::polygon(nodes.clone(), Solid::Inside).unwrap().into(),
        RigidSurface::polygon(nodes.clone(), Solid::Outside).unwrap().into(),
        RigidSurface::chain(nodes).unwrap().into(),
    ]
}

#[test]
fn gaps_do_not_depend_on_place_direction_and_unit() {
    let mut random = Random::new(83);
    let mut worst: f64 = 0.0;
    let mut n_contacts = 0;
    for round in 0..200 {
        let pose = random_pose(&mut random);
        let points: Vec<[f64; 2]> = (0..20).map(|_| [random.within(-1.5, 1.5), random.within(-1.5, 1.5)]).collect();
        let scale = [1.0, 1e-6, 1e6][round % 3];
        let scaled = Pose { centre: pose.centre * scale, translation: pose.translation * scale, ..pose };
        let moved: Vec<[f64; 2]> = place(&pose, &points).into_iter().map(|p| p.map(|c| c * scale)).collect();
        let seed = 1000 + round as u64;
        let (before, after) = (shapes(&mut Random::new(seed), 1.0), shapes(&mut Random::new(seed), scale));
        for (one, other) in before.into_iter().zip(after) {
            let one = detect(&points, one, Pose::default(), FAR, FAR).contacts;
            let other = detect(&moved, other, scaled, FAR, FAR).contacts;
            assert_eq!(one.len(), other.len());
            for (a, b) in one.iter().zip(&other) {
                worst = worst.max((a.gap - b.gap / scale).abs());
                n_contacts += 1;
            }
        }
    }
    // Rounding of coordinates up to ten times the size of the shape: 10 × 2e-16, a few times.
    assert!(worst < 1e-13, "{worst}");
    assert!(n_contacts > 20_000, "{n_contacts}");
}
