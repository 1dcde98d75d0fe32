//! Contacts in closed form: round shapes, walls, blocks that lie on one another.

use delassus_contact::{Dimension, Vector};
use delassus_shapes::{RigidShape, ShapeContact, ShapePose, ShapeSpace, contacts};

fn found<const D: usize>(
    a: (&RigidShape<D>, &ShapePose<D>),
    b: (&RigidShape<D>, &ShapePose<D>),
    reach: f64,
) -> Vec<ShapeContact<D>>
where
    Dimension<D>: ShapeSpace<D>,
{
    let mut out = Vec::new();
    contacts(a, b, reach, &mut out);
    for c in &out {
        assert!((c.on_a - c.on_b - c.normal * c.gap).norm() < 1e-14, "{c:?}");
        assert!((c.normal.norm() - 1.0).abs() < 1e-15, "{c:?}");
    }
    assert!(out.is_sorted_by(|c, d| c.key < d.key), "sorted, each key once: {out:?}");
    out
}

fn v2(x: f64, y: f64) -> Vector<2> {
    Vector::<2>::new(x, y)
}

fn v3(x: f64, y: f64, z: f64) -> Vector<3> {
    Vector::<3>::new(x, y, z)
}

#[test]
fn balls() {
    let (a, b) = (RigidShape::<2>::ball(1.0).unwrap(), RigidShape::<2>::ball(2.0).unwrap());
    let [c] = found((&a, &ShapePose::at(v2(3.0, 4.0))), (&b, &ShapePose::default()), 3.0)[..] else { panic!() };
    assert!((c.gap - 2.0).abs() < 1e-15 && (c.normal - v2(0.6, 0.8)).norm() < 1e-15);
    assert!((c.on_a - v2(2.4, 3.2)).norm() < 1e-15 && (c.on_b - v2(1.2, 1.6)).norm() < 1e-15);
    assert!(found((&a, &ShapePose::at(v2(3.0, 4.0))), (&b, &ShapePose::default()), 1.9).is_empty());
    // One in the other, and with the same centre.
    let [c] = found((&a, &ShapePose::at(v2(0.5, 0.0))), (&b, &ShapePose::default()), 0.0)[..] else { panic!() };
    assert!((c.gap + 2.5).abs() < 1e-15);
    assert_eq!(found((&a, &ShapePose::default()), (&b, &ShapePose::default()), 0.0).len(), 1);
}

#[test]
fn a_wall() {
    let wall = RigidShape::<3>::half_space(v3(0.0, 0.0, 2.0)).unwrap();
    let ball = RigidShape::<3>::ball(0.5).unwrap();
    let [c] = found((&ball, &ShapePose::at(v3(1.0, 2.0, 0.75))), (&wall, &ShapePose::default()), 1.0)[..] else {
        panic!()
    };
    assert!((c.gap - 0.25).abs() < 1e-15 && (c.on_b - v3(1.0, 2.0, 0.0)).norm() < 1e-15);
    let block = RigidShape::<3>::block(v3(2.0, 1.0, 0.5)).unwrap();
    let four = found((&wall, &ShapePose::default()), (&block, &ShapePose::at(v3(0.0, 0.0, 0.25))), 1e-3);
    assert_eq!(four.len(), 4);
    assert!(four.iter().all(|c| c.gap.abs() < 1e-15 && (c.normal - v3(0.0, 0.0, -1.0)).norm() < 1e-15));
}

#[test]
fn a_capsule_has_two_points_on_a_block_and_beside_another() {
    let capsule = RigidShape::<3>::capsule([v3(-1.0, 0.0, 0.0), v3(1.0, 0.0, 0.0)], 0.25).unwrap();
    let block = RigidShape::<3>::block(v3(1.0, 1.0, 1.0)).unwrap();
    let on_block = found((&capsule, &ShapePose::at(v3(0.0, 0.0, 0.75))), (&block, &ShapePose::default()), 1e-6);
    assert_eq!(on_block.len(), 2);
    assert!(on_block.iter().all(|c| c.gap.abs() < 1e-15 && (c.on_a.x.abs() - 0.5).abs() < 1e-15));
    let beside = found((&capsule, &ShapePose::at(v3(0.5, 0.0, 0.5))), (&capsule, &ShapePose::default()), 1e-6);
    assert_eq!(beside.len(), 2, "{beside:?}");
    assert!(beside.iter().all(|c| c.gap.abs() < 1e-15));
    let crossed = ShapePose::turned_about(v3(0.0, 0.0, 0.5), v3(0.0, 0.0, 1.0));
    assert_eq!(found((&capsule, &crossed), (&capsule, &ShapePose::default()), 1e-6).len(), 1);
}

#[test]
fn blocks_that_lie_on_one_another_have_two_and_four_points() {
    let brick = RigidShape::<2>::block(v2(2.0, 1.0)).unwrap();
    for shift in [0.0, 0.3, -1.0, 1.5] {
        let two = found((&brick, &ShapePose::at(v2(shift, 1.0))), (&brick, &ShapePose::default()), 1e-3);
        assert_eq!(two.len(), 2, "{shift}: {two:?}");
        assert!(two.iter().all(|c| c.gap.abs() < 1e-15 && (c.normal - v2(0.0, 1.0)).norm() < 1e-15));
        let mut x = [two[0].on_a.x, two[1].on_a.x];
        x.sort_by(f64::total_cmp);
        let expected = [(-1.0_f64).max(shift - 1.0), 1.0_f64.min(shift + 1.0)];
        assert!((x[0] - expected[0]).abs() < 1e-15 && (x[1] - expected[1]).abs() < 1e-15, "{x:?}");
    }
    let block = RigidShape::<3>::block(v3(2.0, 2.0, 1.0)).unwrap();
    for (shift, turn, count) in [(0.0, 0.0, 4), (0.5, 0.0, 4), (0.0, 0.25 * std::f64::consts::PI, 8), (0.5, 0.3, 8)] {
        let pose = ShapePose::turned_about(v3(shift, 0.5 * shift, 1.0), v3(0.0, 0.0, turn));
        let points = found((&block, &pose), (&block, &ShapePose::default()), 1e-3);
        assert!(points.len() <= count && points.len() >= 4, "{shift} {turn}: {points:?}");
        assert!(points.iter().all(|c| c.gap.abs() < 1e-14 && (c.normal - v3(0.0, 0.0, 1.0)).norm() < 1e-15));
    }
}

#[test]
fn a_brick_on_a_re_entrant_polygon() {
    // A channel: the brick stands on its floor, between its walls with play on one side.
    let corners =
        [[0., 0.], [5., 0.], [5., 3.], [4., 3.], [4., 1.], [1., 1.], [1., 3.], [0., 3.]].map(Vector::<2>::from);
    let channel = RigidShape::<2>::polygon(&corners).unwrap();
    let brick = RigidShape::<2>::block(v2(2.0, 1.0)).unwrap();
    let all = found((&brick, &ShapePose::at(v2(2.0, 1.5))), (&channel, &ShapePose::default()), 1e-3);
    // Two points on the floor, two on the left wall.
    let on = |n: Vector<2>| all.iter().filter(|c| (c.normal - n).norm() < 1e-14 && c.gap.abs() < 1e-14).count();
    assert_eq!((on(v2(0.0, 1.0)), on(v2(1.0, 0.0)), all.len()), (2, 2, 4), "{all:#?}");
}

/// Areas of faces on faces: their sum is the common area, and their first moments are those of the common part, for polygons of any number of corners.
#[test]
fn faces_share_the_area_of_their_common_part() {
    // A rectangle on another, shifted: 1.6 m of 2 m.
    let (a, b) = (RigidShape::block(v2(2.0, 1.0)).unwrap(), RigidShape::block(v2(3.0, 1.0)).unwrap());
    let two = found((&a, &ShapePose::at(v2(0.9, 1.0))), (&b, &ShapePose::default()), 1e-3);
    assert_eq!(two.len(), 2);
    assert!(two.iter().all(|c| (c.area - 0.8).abs() < 1e-14), "{two:?}");
    // A box turned by 0.3 rad on another one of other sides: a polygon, clipped here once more by half-planes.
    let (sin, cos) = 0.3_f64.sin_cos();
    let turn = nalgebra::Matrix3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
    let (a, b) = (RigidShape::block(v3(2.0, 1.4, 1.0)).unwrap(), RigidShape::block(v3(1.5, 1.7, 1.0)).unwrap());
    let placed = ShapePose { position: v3(0.2, 0.1, 1.0), rotation: turn };
    let points = found((&a, &placed), (&b, &ShapePose::default()), 1e-3);
    let mut polygon: Vec<[f64; 2]> = [[-1.0, -0.7], [1.0, -0.7], [1.0, 0.7], [-1.0, 0.7]]
        .map(|[x, y]| [0.2 + cos * x - sin * y, 0.1 + sin * x + cos * y])
        .to_vec();
    for (axis, sign, limit) in [(0, 1.0, 0.75), (0, -1.0, 0.75), (1, 1.0, 0.85), (1, -1.0, 0.85)] {
        let inside = |p: &[f64; 2]| limit - sign * p[axis];
        let n = polygon.len();
        let mut cut = Vec::new();
        for k in 0..n {
            let (p, q) = (polygon[k], polygon[(k + 1) % n]);
            let (u, v) = (inside(&p), inside(&q));
            if u >= 0.0 {
                cut.push(p);
            }
            if u * v < 0.0 {
                cut.push([0, 1].map(|i| p[i] + (q[i] - p[i]) * u / (u - v)));
            }
        }
        polygon = cut;
    }
    assert!(polygon.len() > 4 && points.len() == polygon.len(), "{} {}", points.len(), polygon.len());
    // ∫1, ∫x, ∫y by Green's formula.
    let mut exact = [0.0; 3];
    for k in 0..polygon.len() {
        let (p, q) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        let c = 0.5 * (p[0] * q[1] - p[1] * q[0]);
        exact = [exact[0] + c, exact[1] + c * (p[0] + q[0]) / 3.0, exact[2] + c * (p[1] + q[1]) / 3.0];
    }
    let sum = |f: fn(&ShapeContact<3>) -> f64| points.iter().map(|c| c.area * f(c)).sum::<f64>();
    let shared = [sum(|_| 1.0), sum(|c| c.on_a.x), sum(|c| c.on_a.y)];
    assert!(shared.iter().zip(exact).all(|(s, e)| (s - e).abs() < 1e-13), "{shared:?} {exact:?}");
    assert!(points.iter().all(|c| c.area > 0.0));
    // Balls, capsules, corners: points.
    let ball = RigidShape::<3>::ball(0.5).unwrap();
    assert!(
        found((&ball, &ShapePose::at(v3(0.0, 0.0, 1.0))), (&b, &ShapePose::default()), 1e-3)[0].area.abs() < 1e-300
    );
}

/// The distance from a feature by its number, as a key names it.
#[test]
fn a_key_names_places() {
    let (a, b) = (RigidShape::block(v3(2.0, 1.0, 1.0)).unwrap(), RigidShape::block(v3(3.0, 0.5, 1.0)).unwrap());
    let (at, home) = (ShapePose::at(v3(0.9, 0.1, 1.0)), ShapePose::default());
    let points = found((&a, &at), (&b, &home), 1e-3);
    assert_eq!(points.len(), 4);
    for (i, c) in points.iter().enumerate() {
        for (j, d) in points.iter().enumerate() {
            let far = delassus_shapes::feature_distance(&a, &at, c.key.feature_a(), &d.on_a).unwrap();
            let from = delassus_shapes::feature_distance(&b, &home, c.key.feature_b(), &d.on_b).unwrap();
            assert_eq!(far.max(from) < 1e-12, i == j, "{c:?} {d:?}");
        }
    }
    assert_eq!(delassus_shapes::feature_distance(&a, &at, 999, &v3(0.0, 0.0, 0.0)), None);
}
