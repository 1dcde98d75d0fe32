//! Rigid shapes in 3D against formulas that share nothing with the crate; their edges, limits, invariance.

use std::sync::Arc;

use delassus_contact::{
    Antagonist, Ball, Bore, Cavity, Contact, ContactKey, Cylinder, Detection, Detector, HalfSpace, Obstacle, Pose,
    RigidMotion, RigidSurface, Solid, SolidBox, Vector,
};
use nalgebra::Rotation3;

use super::{FAR, cube, distance, pair, points_around, star, triangles, vector, winding};
use crate::random::Random;

pub(super) fn detect_shape(
    points: &[[f64; 3]],
    shape: impl Into<Antagonist<3>>,
    pose: Pose<3>,
    reach: f64,
    depth: f64,
) -> Detection<3> {
    let x = points.concat();
    let motion = RigidMotion { pose, ..RigidMotion::default() };
    let mut detector = Detector::new(vec![pair(points.len(), shape.into(), reach, depth)], &[&x]).unwrap();
    detector.detect(&[&x], &[motion]).unwrap()
}

pub(super) fn random_pose(random: &mut Random) -> Pose<3> {
    Pose::turned_about(vector(random, 2.0), vector(random, 2.0), vector(random, 2.0))
}

/// Gap and unit normal of a contact are a signed distance and its direction: moved by the gap along the normal the point is on
/// the surface (distance zero by the oracle).
fn check(c: &Contact<3>, oracle: impl Fn(Vector<3>) -> f64) {
    // Coordinates up to ten, a few roundings each in the crate, in the placing and in the oracle.
    const ROUNDING: f64 = 4e-14;
    let d = oracle(c.point);
    assert!((c.gap - d).abs() < ROUNDING, "{:?}: {} and {d}", c.point, c.gap);
    let foot = c.point - c.normal() * c.gap;
    assert!(oracle(foot).abs() < ROUNDING, "{:?}: the foot is off by {}", c.point, oracle(foot));
    assert!((c.normal().norm() - 1.0).abs() < 1e-15);
    assert_eq!((c.sides[1].body, c.sides[1].velocity), (None, Vector::<3>::zeros()));
}

/// Signed distance to a box around the origin: to the clamped point outside, to the nearest face inside.
fn to_box(s: &Vector<3>, y: &Vector<3>) -> f64 {
    let nearest = Vector::<3>::from_fn(|i, _| y[i].clamp(-s[i], s[i]));
    let inside = (0..3).map(|i| s[i] - y[i].abs()).fold(FAR, f64::min);
    if inside > 0.0 { -inside } else { (y - nearest).norm() }
}

/// Signed distance to a cylinder along z around the origin: by cases.
fn to_cylinder(radius: f64, half: f64, y: &Vector<3>) -> f64 {
    let (rho, z) = (y.x.hypot(y.y), y.z.abs());
    match (rho > radius, z > half) {
        (false, false) => -(radius - rho).min(half - z),
        (true, false) => rho - radius,
        (false, true) => z - half,
        (true, true) => (rho - radius).hypot(z - half),
    }
}

/// The shape at rest, its middle, and the oracle in the axes at rest.
type Case = (Arc<dyn Obstacle<3>>, Vector<3>, Box<dyn Fn(Vector<3>) -> f64>);

fn cases(random: &mut Random) -> Vec<Case> {
    let (centre, turn) = (vector(random, 1.0), vector(random, 2.0));
    let s = Vector::<3>::from_fn(|_, _| random.within(0.1, 1.0));
    let (radius, half_length) = (s.x, s.y);
    let rotation = Rotation3::new(turn);
    let local = move |x: Vector<3>| rotation.inverse() * (x - centre);
    let axis = rotation * Vector::<3>::new(0.0, 0.0, 0.3);
    vec![
        (Arc::new(HalfSpace { point: centre, normal: axis }), centre, Box::new(move |x| local(x).z)),
        (Arc::new(Ball { centre, radius }), centre, Box::new(move |x| local(x).norm() - radius)),
        (Arc::new(Cavity { centre, radius }), centre, Box::new(move |x| radius - local(x).norm())),
        (Arc::new(SolidBox { centre, half_sizes: s, rotation }), centre, Box::new(move |x| to_box(&s, &local(x)))),
        (
            Arc::new(Cylinder { centre, axis, radius, half_length }),
            centre,
            Box::new(move |x| to_cylinder(radius, half_length, &local(x))),
        ),
        (Arc::new(Bore { point: centre, axis, radius }), centre, Box::new(move |x| radius - local(x).xy().norm())),
    ]
}

#[test]
fn the_gap_of_every_shape_is_its_signed_distance() {
    let mut random = Random::new(151);
    let mut signs = [[0; 2]; 6];
    for round in 0..300 {
        let pose = if round % 3 == 0 { Pose::default() } else { random_pose(&mut random) };
        for (k, (shape, middle, oracle)) in cases(&mut random).into_iter().enumerate() {
            let at_rest: Vec<Vector<3>> = (0..10).map(|_| middle + vector(&mut random, 1.3)).collect();
            let points: Vec<[f64; 3]> = at_rest.iter().map(|x| pose.place(x).into()).collect();
            let found = detect_shape(&points, Antagonist::Obstacle(shape), pose, FAR, FAR).contacts;
            assert_eq!(found.len(), points.len());
            for c in &found {
                let back = |x: Vector<3>| pose.rotation.inverse() * (x - pose.centre - pose.translation) + pose.centre;
                check(c, |x| oracle(back(x)));
                signs[k][usize::from(c.gap < 0.0)] += 1;
            }
        }
    }
    assert!(signs.iter().flatten().all(|&n| n > 150), "inside and outside, all shapes: {signs:?}");
}

#[test]
fn on_edges_and_rims_the_normal_is_the_mean_of_the_faces() {
    let (s2, s3) = (0.5f64.sqrt(), (1.0f64 / 3.0).sqrt());
    let cuboid: &dyn Obstacle<3> = &SolidBox {
        centre: Vector::<3>::zeros(),
        half_sizes: Vector::<3>::new(1.0, 2.0, 3.0),
        rotation: Rotation3::identity(),
    };
    let (centre, axis) = (Vector::<3>::zeros(), Vector::<3>::new(0.0, 0.0, 5.0));
    let roller: &dyn Obstacle<3> = &Cylinder { centre, axis, radius: 1.0, half_length: 2.0 };
    for (shape, p, gap, normal) in [
        (cuboid, [1.0, 0.5, 3.0], 0.0, [s2, 0.0, s2]),
        (cuboid, [-1.0, 2.0, 3.0], 0.0, [-s3, s3, s3]),
        (cuboid, [1.3, 0.5, 3.4], 0.5, [0.6, 0.0, 0.8]),
        (cuboid, [0.5, 0.0, 0.0], -0.5, [1.0, 0.0, 0.0]),
        (cuboid, [1.0, 0.5, 0.5], 0.0, [1.0, 0.0, 0.0]),
        // In the middle of the box the nearest faces are ± the first axis: one of them.
        (cuboid, [0.0, 0.0, 0.0], -1.0, [1.0, 0.0, 0.0]),
        (roller, [1.0, 0.0, 2.0], 0.0, [s2, 0.0, s2]),
        (roller, [0.0, -1.3, -2.4], 0.5, [0.0, -0.6, -0.8]),
        (roller, [0.0, 0.0, 2.5], 0.5, [0.0, 0.0, 1.0]),
        (roller, [0.0, 0.0, 1.5], -0.5, [0.0, 0.0, 1.0]),
        // On the axis every direction is radial: the first tangent of the axis.
        (roller, [0.0, 0.0, 0.0], -1.0, [1.0, 0.0, 0.0]),
        (&Bore { point: centre, axis, radius: 1.0 }, [0.0, 0.0, 9.0], 1.0, [-1.0, 0.0, 0.0]),
    ] {
        let placed = Antagonist::Obstacle(shape.placed(&Pose::default()));
        let c = detect_shape(&[p], placed, Pose::default(), FAR, FAR).contacts.remove(0);
        let error = (c.gap - gap).abs() + (c.normal() - Vector::<3>::from(normal)).norm();
        assert!(error < 1e-15, "{shape:?} {p:?}: {} {}", c.gap, c.normal());
    }
}

#[test]
fn a_box_is_the_mesh_of_its_faces() {
    let mut random = Random::new(152);
    let half_sizes = Vector::<3>::new(0.5, 0.8, 1.1);
    let mesh = cube(2, |x| x.component_mul(&half_sizes));
    let rigid = |facets: &super::Solid| {
        let points = facets.points.iter().map(|&p| p.into()).collect();
        RigidSurface::solid(points, facets.facets.clone(), Solid::Inside).unwrap()
    };
    let triangulated = mesh.triangulated(&mut random);
    let cuboid = SolidBox { centre: Vector::<3>::zeros(), half_sizes, rotation: Rotation3::identity() };
    let pose = random_pose(&mut random);
    let points: Vec<[f64; 3]> =
        points_around(&mut random, &mesh, 500).into_iter().map(|p| pose.place(&p.into()).into()).collect();
    let one = detect_shape(&points, cuboid, pose, FAR, FAR).contacts;
    for mesh in [mesh, triangulated] {
        let other = detect_shape(&points, rigid(&mesh), pose, FAR, FAR).contacts;
        assert_eq!((one.len(), other.len()), (500, 500));
        for (a, b) in one.iter().zip(&other) {
            assert!((a.gap - b.gap).abs() < 1e-14, "{:?}: {} and {}", a.point, a.gap, b.gap);
        }
    }
}

#[test]
fn the_gap_of_a_rigid_mesh_is_its_signed_distance_solid_or_container() {
    let mut random = Random::new(153);
    let mut signs = [0; 4];
    for _ in 0..30 {
        let mesh = star(&mut random, 2, 0.5).triangulated(&mut random);
        let pose = random_pose(&mut random);
        let placed = mesh.map(|x| pose.place(&x));
        let points = points_around(&mut random, &placed, 30);
        let cut = triangles(&placed, 1);
        for (k, solid) in [Solid::Inside, Solid::Outside].into_iter().enumerate() {
            let at_rest = mesh.points.iter().map(|&p| p.into()).collect();
            let rigid = RigidSurface::solid(at_rest, mesh.facets.clone(), solid).unwrap();
            let found = detect_shape(&points, rigid, pose, FAR, FAR).contacts;
            assert_eq!(found.len(), points.len(), "every point has one contact");
            for c in &found {
                let d = distance(&placed, &c.point);
                // Coordinates up to ten.
                assert!((c.gap.abs() - d).abs() < 4e-14, "{:?}: {} and {d}", c.point, c.gap);
                if d > 1e-9 {
                    let inside = winding(&cut, &c.point) > 0.5;
                    assert_eq!(c.gap < 0.0, inside == (solid == Solid::Inside), "{:?}: {}", c.point, c.gap);
                }
                signs[2 * k + usize::from(c.gap < 0.0)] += 1;
            }
        }
    }
    assert!(signs.iter().all(|&n| n > 150), "inside and outside, both kinds: {signs:?}");
}

#[test]
fn an_open_mesh_ends_and_has_a_depth() {
    // A table of two triangles over [0, 1]², normal up.
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]].map(Vector::<3>::from);
    let table = RigidSurface::mesh(points.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let points = [[0.5, 0.5, 0.2], [1.03, 0.5, -0.1], [1.1, 0.5, 0.0], [0.5, 0.5, -0.4], [0.5, 0.5, -0.9]];
    let found = detect_shape(&points, table, Pose::default(), 0.3, 0.3);
    assert_eq!(found.contacts.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(found.too_deep, [ContactKey::nearest(0, 0, 3)]);
    assert!((found.contacts[1].gap + 0.1).abs() < 1e-15);
}

#[test]
fn solids_have_a_depth_and_holes_have_none() {
    let (centre, axis) = (Vector::<3>::zeros(), Vector::<3>::new(0.0, 0.0, 1.0));
    let points = [[1.1, 0.0, 0.0], [0.9, 0.0, 0.0], [0.7, 0.0, 0.0], [0.1, 0.0, 0.0], [1.4, 0.0, 0.0]];
    let seen = |shape: Antagonist<3>| {
        let found = detect_shape(&points, shape, Pose::default(), 0.2, 0.2);
        let seen: Vec<u32> = found.contacts.iter().map(|c| c.key.candidate).collect();
        (seen, found.too_deep.iter().map(|k| k.candidate).collect::<Vec<_>>())
    };
    let cuboid = SolidBox { centre, half_sizes: Vector::<3>::repeat(1.0), rotation: Rotation3::identity() };
    for solid in [Antagonist::from(cuboid), Cylinder { centre, axis, radius: 1.0, half_length: 9.0 }.into()] {
        assert_eq!(seen(solid.clone()), (vec![0, 1], vec![2]), "{solid:?}");
    }
    let (contacts, deep) = seen(Bore { point: centre, axis, radius: 1.0 }.into());
    assert_eq!((contacts, deep), (vec![0, 1, 4], vec![]));
}

/// Every kind of obstacle around the origin, of size about one.
pub(super) fn shapes(random: &mut Random) -> Vec<Antagonist<3>> {
    let mut shapes: Vec<Antagonist<3>> = cases(random).into_iter().map(|c| Antagonist::Obstacle(c.0)).collect();
    let mesh = star(random, 2, 0.7).triangulated(random);
    for solid in [Solid::Inside, Solid::Outside] {
        let points = mesh.points.iter().map(|&p| p.into()).collect();
        shapes.push(RigidSurface::solid(points, mesh.facets.clone(), solid).unwrap().into());
    }
    // Open, and of flat faces: past the border of a warped one the rate of the gap is not quite the normal velocity.
    let open = star(random, 2, 0.9).triangulated(random);
    let points = open.points.iter().map(|&p| p.into()).collect();
    shapes.push(RigidSurface::mesh(points, open.facets[..40].to_vec()).unwrap().into());
    shapes
}

#[test]
fn a_placed_obstacle_is_the_obstacle_in_that_pose() {
    let mut random = Random::new(154);
    for _ in 0..50 {
        let pose = random_pose(&mut random);
        for (shape, ..) in cases(&mut random) {
            let points: Vec<[f64; 3]> = (0..10).map(|_| vector(&mut random, 3.0).into()).collect();
            let one = detect_shape(&points, Antagonist::Obstacle(shape.clone()), pose, FAR, FAR).contacts;
            let placed = Antagonist::Obstacle(shape.placed(&pose));
            let other = detect_shape(&points, placed, Pose::default(), FAR, FAR).contacts;
            for (a, b) in one.iter().zip(&other) {
                assert!((a.gap - b.gap).abs() < 1e-14 && (a.normal() - b.normal()).norm() < 1e-13, "{shape:?}");
            }
        }
    }
}
