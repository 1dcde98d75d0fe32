//! Shapes are checked, placed and drawn.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use nalgebra::Rotation;

use super::outline::{SIDES, shadow};
use super::*;
use crate::{ContactError, Matrix, Pose, Vector};

fn half_space(point: [f64; 2], normal: [f64; 2]) -> HalfSpace<2> {
    HalfSpace { point: point.into(), normal: normal.into() }
}

fn segment(a: [f64; 2], b: [f64; 2]) -> Segment<2> {
    Segment { a: a.into(), b: b.into() }
}

#[test]
fn obstacles_are_checked() {
    assert_eq!(half_space([0.0, 1.0], [0.0, 2.0]).validate(), Ok(()));
    assert_eq!(segment([0.0, 1.0], [0.0, 2.0]).validate(), Ok(()));
    let error = |o: &dyn Obstacle<2>| o.validate().unwrap_err();
    assert_eq!(error(&half_space([0.0; 2], [0.0; 2])), ContactError::ZeroNormal { normal: vec![0.0; 2] });
    assert!(matches!(
        error(&half_space([f64::NAN, 0.0], [0.0, 1.0])),
        ContactError::NonFiniteObstacle { what: "point", .. }
    ));
    assert!(matches!(
        error(&segment([0.0; 2], [f64::INFINITY, 0.0])),
        ContactError::NonFiniteObstacle { what: "second end", .. }
    ));
    assert!(matches!(
        error(&segment([0.0, 1e200], [0.0; 2])),
        ContactError::NonFiniteObstacle { what: "first end", .. }
    ));
    let same = error(&segment([1.0, 2.0], [1.0, 2.0]));
    assert_eq!(same, ContactError::ZeroLengthObstacle { a: vec![1.0, 2.0], b: vec![1.0, 2.0] });
    let solid = Segment { a: Vector::<3>::zeros(), b: Vector::<3>::new(1.0, 0.0, 0.0) };
    assert_eq!(solid.validate(), Err(ContactError::SegmentDimension { dimension: 3 }));
}

#[test]
fn round_obstacles_are_checked() {
    let c = Vector::<2>::new(1.0, 2.0);
    type Round = fn(Vector<2>, f64) -> Arc<dyn Obstacle<2>>;
    let shapes: [Round; 2] =
        [|centre, radius| Arc::new(Ball { centre, radius }), |centre, radius| Arc::new(Cavity { centre, radius })];
    for shape in shapes {
        assert_eq!(shape(c, 0.5).validate(), Ok(()));
        for radius in [0.0, -1.0, f64::INFINITY, 1e200] {
            assert_eq!(shape(c, radius).validate(), Err(ContactError::InvalidRadius { radius }));
        }
        let nan = shape(c, f64::NAN).validate().unwrap_err();
        assert!(matches!(nan, ContactError::InvalidRadius { .. }) && nan.to_string().contains("NaN"), "{nan}");
        let lost = shape(Vector::<2>::new(0.0, f64::NAN), 1.0).validate().unwrap_err();
        assert!(matches!(lost, ContactError::NonFiniteObstacle { what: "centre", .. }), "{lost}");
    }
}

#[test]
fn boxes_and_cylinders_are_checked() {
    let (centre, axis) = (Vector::<3>::zeros(), Vector::<3>::new(0.0, 0.0, 2.0));
    let cuboid = |half_sizes: [f64; 3]| {
        SolidBox { centre, half_sizes: half_sizes.into(), rotation: Rotation::identity() }.validate()
    };
    assert_eq!(cuboid([1.0, 2.0, 3.0]), Ok(()));
    assert_eq!(cuboid([1.0, 0.0, 3.0]), Err(ContactError::InvalidSize { what: "half size", value: 0.0 }));
    assert!(cuboid([1.0, f64::NAN, 3.0]).is_err() && cuboid([1e200, 1.0, 1.0]).is_err());
    let rotation = Rotation::from_matrix_unchecked(Matrix::<3>::repeat(f64::NAN));
    let turned = SolidBox { centre, half_sizes: axis, rotation }.validate();
    assert!(matches!(turned, Err(ContactError::NonFiniteObstacle { what: "rotation", .. })), "{turned:?}");
    let lost = Vector::<3>::repeat(f64::INFINITY);
    let cylinder = |centre, axis, radius, half_length| Cylinder { centre, axis, radius, half_length }.validate();
    assert_eq!(cylinder(centre, axis, 1.0, 2.0), Ok(()));
    assert_eq!(cylinder(centre, centre, 1.0, 2.0), Err(ContactError::ZeroAxis { axis: vec![0.0; 3] }));
    assert_eq!(cylinder(centre, axis, -1.0, 2.0), Err(ContactError::InvalidRadius { radius: -1.0 }));
    let short = ContactError::InvalidSize { what: "half length", value: 0.0 };
    assert_eq!(cylinder(centre, axis, 1.0, 0.0), Err(short));
    assert!(matches!(cylinder(lost, axis, 1.0, 1.0), Err(ContactError::NonFiniteObstacle { what: "centre", .. })));
    assert!(matches!(cylinder(centre, lost, 1.0, 1.0), Err(ContactError::ZeroAxis { .. })));
    let bore = |point, axis, radius| Bore { point, axis, radius }.validate();
    assert_eq!(bore(centre, axis, 1.0), Ok(()));
    assert_eq!(bore(centre, centre, 1.0), Err(ContactError::ZeroAxis { axis: vec![0.0; 3] }));
    assert_eq!(bore(centre, axis, 0.0), Err(ContactError::InvalidRadius { radius: 0.0 }));
    assert!(matches!(bore(lost, axis, 1.0), Err(ContactError::NonFiniteObstacle { what: "point", .. })));
    let (c, a) = (Vector::<2>::zeros(), Vector::<2>::new(1.0, 0.0));
    let flat: [(_, &dyn Obstacle<2>); 2] = [
        ("cylinder", &Cylinder { centre: c, axis: a, radius: 1.0, half_length: 1.0 }),
        ("bore", &Bore { point: c, axis: a, radius: 1.0 }),
    ];
    for (shape, flat) in flat {
        assert_eq!(flat.validate(), Err(ContactError::ShapeDimension { shape, dimension: 2 }));
    }
}

#[test]
fn a_pose_turns_points_and_normals() {
    let pose = Pose::turned(FRAC_PI_2, Vector::<2>::new(1.0, 0.0), Vector::<2>::new(0.0, 3.0));
    let HalfSpace { point, normal } = half_space([1.0, 1.0], [0.0, 2.0]).at(&pose);
    assert!(
        (point - Vector::<2>::new(0.0, 3.0)).norm() < 1e-15 && (normal - Vector::<2>::new(-2.0, 0.0)).norm() < 1e-15
    );
    let ball = Ball { centre: Vector::<2>::new(2.0, 0.0), radius: 0.3 };
    let Ball { centre, radius } = ball.at(&pose);
    assert!((centre - Vector::<2>::new(1.0, 4.0)).norm() < 1e-15 && (radius - 0.3).abs() < 1e-16);
}

#[test]
fn translation_moves_the_shape_and_keeps_its_direction() {
    let d = Pose::translated(Vector::<2>::new(1.0, -2.0));
    assert_eq!(half_space([0.0, 1.0], [0.0, 2.0]).at(&d), half_space([1.0, -1.0], [0.0, 2.0]));
    assert_eq!(segment([0.0, 0.0], [3.0, 0.0]).at(&d), segment([1.0, -2.0], [4.0, -2.0]));
}

#[test]
fn outlines_lie_on_their_shapes() {
    let v = |x: f64, y: f64| Vector::<2>::new(x, y);
    let nodes = [v(0.0, 1.0), v(2.0, 3.0), v(1.0, 0.5)];
    let lines = half_space([0.0, 0.0], [0.0, 2.0]).lines(&nodes);
    // The shadow is [0, 2], a tenth more on either side.
    let [a, b] = lines[0];
    let (left, right) = (a[0].min(b[0]), a[0].max(b[0]));
    assert!(a[1].abs() + b[1].abs() < 1e-15 && (left + 0.2).abs() < 1e-15 && (right - 2.2).abs() < 1e-15);
    let lines = Ball { centre: v(3.0, 4.0), radius: 5.0 }.lines(&[]);
    assert_eq!(lines.len(), 96);
    for [a, b] in &lines {
        assert!(((a - v(3.0, 4.0)).norm() - 5.0).abs() < 1e-14 && (a - b).norm() < 0.33);
    }
    assert!(half_space([0.0, 0.0], [1.0, 0.0]).lines(&[]).is_empty());
    // Turned by a right angle about its centre: 2 m wide, 4 m high.
    let rotation = Rotation::<f64, 2>::new(FRAC_PI_2);
    let sides = SolidBox { centre: v(1.0, 1.0), half_sizes: v(2.0, 1.0), rotation }.lines(&[]);
    assert!(
        sides.iter().flatten().all(|x| (x[0] - 1.0).abs() - 1.0 < 1e-14 && ((x[1] - 1.0).abs() - 2.0).abs() < 1e-14)
    );
    assert!((sides.iter().map(|[a, b]| (b - a).norm()).sum::<f64>() - 12.0).abs() < 1e-14);
}

/// (1/3) Σ x·n dA over a surface about `origin`: the volume of what it encloses, negative seen from inside. Fans are
/// exact here, every face is flat.
fn volume(faces: &Faces, origin: &Vector<3>) -> f64 {
    let of = |f: &Vec<usize>| -> f64 {
        let x = |k: usize| faces.points[f[k]] - origin;
        (1..f.len() - 1).map(|k| x(0).dot(&x(k).cross(&x(k + 1))) / 6.0).sum()
    };
    faces.faces.iter().map(of).sum()
}

/// A polygon of so many sides in a circle has this part of its area.
fn round(sides: usize) -> f64 {
    let angle = TAU / sides as f64;
    angle.sin() / angle
}

#[test]
fn closed_surfaces_enclose_their_volume_and_face_outwards() {
    let centre = Vector::<3>::new(3.0, -1.0, 2.0);
    let axis = Vector::<3>::new(1.0, 2.0, -0.5);
    let found = volume(&Cylinder { centre, axis, radius: 0.5, half_length: 2.0 }.faces(&[]), &centre);
    assert!((found - PI * round(SIDES)).abs() < 1e-12, "{found}");
    let half_sizes = Vector::<3>::repeat(0.5);
    let found = volume(&SolidBox { centre, half_sizes, rotation: Rotation::identity() }.faces(&[]), &centre);
    assert!((found - 1.0).abs() < 1e-14, "{found}");
    // Facets of a ball lie inside it, by about (π/24)²/4 of the radius at their middles.
    let (found, exact) = (volume(&Ball { centre, radius: 2.0 }.faces(&[]), &centre), 32.0 * PI / 3.0);
    assert!(found < exact && found > 0.98 * exact, "{found}");
    assert!((volume(&Cavity { centre, radius: 2.0 }.faces(&[]), &centre) + found).abs() < 1e-12);
}

#[test]
fn every_edge_of_a_closed_surface_is_run_once_each_way() {
    let centre = Vector::<3>::zeros();
    for shape in [
        Ball { centre, radius: 1.0 }.faces(&[]),
        Cylinder { centre, axis: Vector::<3>::x(), radius: 1.0, half_length: 1.0 }.faces(&[]),
        SolidBox { centre, half_sizes: Vector::<3>::repeat(1.0), rotation: Rotation::identity() }.faces(&[]),
    ] {
        let edges = |f: &Vec<usize>| (0..f.len()).map(|k| (f[k], f[(k + 1) % f.len()])).collect::<Vec<_>>();
        let all: Vec<(usize, usize)> = shape.faces.iter().flat_map(edges).collect();
        let once: std::collections::BTreeSet<_> = all.iter().copied().collect();
        assert_eq!(once.len(), all.len());
        assert!(all.iter().all(|&(a, b)| once.contains(&(b, a))));
    }
}

#[test]
fn a_plane_lies_below_the_bodies_and_faces_them() {
    let nodes = [[0.0, 1.0, 0.0], [2.0, 3.0, 1.0], [1.0, 0.5, -1.0]].map(Vector::<3>::from);
    let floor = HalfSpace { point: Vector::<3>::new(9.0, 0.25, 9.0), normal: Vector::<3>::new(0.0, 3.0, 0.0) };
    let plane = floor.faces(&nodes);
    assert!(plane.points.iter().all(|p| (p.y - 0.25).abs() < 1e-15));
    // The shadow is [0, 2] × [−1, 1]; a tenth more on every side.
    for (k, ends) in [(0, [-0.2, 2.2]), (2, [-1.2, 1.2])] {
        let (low, high) = shadow(plane.points.iter().map(|p| p[k])).unwrap();
        assert!((low - ends[0]).abs() < 1e-14 && (high - ends[1]).abs() < 1e-14, "{low} {high}");
    }
    let [a, b, c] = [0, 1, 2].map(|k| plane.points[plane.faces[0][k]]);
    assert!((b - a).cross(&(c - b)).y > 0.0);
    assert!(HalfSpace { point: Vector::<3>::zeros(), normal: Vector::<3>::x() }.faces(&[]).faces.is_empty());
}

#[test]
fn a_bore_is_as_long_as_the_bodies_and_faces_its_axis() {
    let nodes = [[1.0, 0.0, 0.0], [3.0, 0.1, 0.0]].map(Vector::<3>::from);
    let hole = Bore { point: Vector::<3>::zeros(), axis: Vector::<3>::x(), radius: 0.5 }.faces(&nodes);
    let (low, high) = shadow(hole.points.iter().map(|p| p.x)).unwrap();
    assert!((low - 0.8).abs() < 1e-14 && (high - 3.2).abs() < 1e-14);
    // The lateral part alone of (1/3) ∮ x·n dA is two thirds of the volume.
    let found = volume(&hole, &Vector::<3>::new(2.0, 0.0, 0.0));
    assert!((found + 2.0 / 3.0 * 2.4 * PI * 0.25 * round(SIDES)).abs() < 1e-12, "{found}");
}

#[test]
fn open_surfaces_have_a_largest_depth() {
    assert!((segment([0.0, 0.0], [3.0, 4.0]).largest_depth() - 5.0).abs() < 1e-15);
    assert!(half_space([0.0, 0.0], [0.0, 1.0]).largest_depth().is_infinite());
    let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]].map(Vector::<2>::from).to_vec();
    assert!((RigidSurface::chain(corners.clone()).unwrap().largest_depth() - 5.0).abs() < 1e-15);
    assert!(RigidSurface::polygon(corners, Solid::Inside).unwrap().largest_depth().is_infinite());
}
