//! Mass properties: closed forms, sums of parts, sums over a grid, rigid motions.
#![expect(clippy::expect_used, reason = "a helper of a test fails by panicking")]

use crate::common::{Plenty, Random};
use delassus_contact::{Dimension, Vector};
use delassus_error::Coded;
use delassus_shapes::{MassProperties, RigidShape, ShapePose, nearest};
use nalgebra::Matrix3;

fn of<const D: usize>(shape: &RigidShape<D>) -> MassProperties<D>
where
    Dimension<D>: Plenty<D>,
{
    shape.mass_properties(2.0).expect("a mass")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-14 * b.abs().max(1.0)
}

#[test]
fn closed_forms() {
    let pi = std::f64::consts::PI;
    let disk = of(&RigidShape::<2>::ball(3.0).expect("a disk"));
    assert!(close(disk.mass, 18.0 * pi) && close(disk.inertia[(2, 2)], 0.5 * 18.0 * pi * 9.0));
    let sphere = of(&RigidShape::<3>::ball(3.0).expect("a sphere"));
    assert!(close(sphere.mass, 72.0 * pi));
    assert!((sphere.inertia - Matrix3::identity() * (0.4 * 72.0 * pi * 9.0)).amax() < 1e-11);
    let block = of(&RigidShape::<3>::block(Vector::<3>::new(1.0, 2.0, 3.0)).expect("a block"));
    let expected = Matrix3::from_diagonal(&Vector::<3>::new(13.0, 10.0, 5.0));
    assert!(close(block.mass, 12.0) && (block.inertia - expected).amax() < 1e-13 && block.centre.norm() < 1e-15);
    let rectangle = of(&RigidShape::<2>::block(Vector::<2>::new(3.0, 4.0)).expect("a block"));
    assert!(close(rectangle.mass, 24.0) && close(rectangle.inertia[(2, 2)], 50.0));
    // A triangle with a corner off the origin: J about the centre = m (sum of squares of its sides)/36.
    let corners = [[1.0, 1.0], [4.0, 1.0], [1.0, 5.0]].map(Vector::<2>::from);
    let triangle = of(&RigidShape::polygon(&corners).expect("a triangle"));
    assert!(close(triangle.mass, 12.0) && (triangle.centre - Vector::<2>::new(2.0, 7.0 / 3.0)).norm() < 1e-15);
    assert!(close(triangle.inertia[(2, 2)], 12.0 * 50.0 / 36.0));
    // A regular tetrahedron of edge a: I = m a²/20.
    let points = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(Vector::<3>::from);
    let tetrahedron = of(&RigidShape::polyhedron(&points, &crate::common::hull(&points)).expect("a tetrahedron"));
    assert!(close(tetrahedron.mass, 16.0 / 3.0));
    assert!((tetrahedron.inertia - Matrix3::identity() * (16.0 / 3.0 * 8.0 / 20.0)).amax() < 1e-14);
}

/// Capsules against a sum over a fine grid: relative error of the grid 1e-3.
#[test]
fn capsules_by_a_grid() {
    let ends = [Vector::<2>::new(-0.4, 0.1), Vector::<2>::new(0.7, 0.5)];
    let shape = RigidShape::capsule(ends, 0.3).expect("a capsule");
    let exact = of(&shape);
    let (h, mut m, mut c, mut j) = (0.004, 0.0, Vector::<2>::zeros(), 0.0);
    let cells = |lines: i32| (0..lines).map(move |i| -1.5 + (f64::from(i) + 0.5) * h);
    for x in cells(750) {
        for y in cells(750) {
            let p = Vector::<2>::new(x, y);
            if nearest(&shape, &ShapePose::default(), &p).gap < 0.0 {
                m += 2.0 * h * h;
                c += p * (2.0 * h * h);
                j += (p - exact.centre).norm_squared() * 2.0 * h * h;
            }
        }
    }
    assert!((m / exact.mass - 1.0).abs() < 1e-3 && (c / m - exact.centre).norm() < 1e-3);
    assert!((j / exact.inertia[(2, 2)] - 1.0).abs() < 2e-3, "{j} {exact:?}");
    // In space the integral along the axis is one of disks: ∫ ρ π (r²)² /4 etc., by Simpson's rule.
    let (l, r) = (1.2, 0.4);
    let solid =
        of(&RigidShape::<3>::capsule([Vector::<3>::new(0.0, 0.0, -l / 2.0), Vector::<3>::new(0.0, 0.0, l / 2.0)], r)
            .expect("a capsule"));
    let n = 20_000;
    let dz = (l + 2.0 * r) / f64::from(n);
    let (mut mass, mut axial, mut across) = (0.0, 0.0, 0.0);
    for i in 0..n {
        let z = -(l / 2.0 + r) + (f64::from(i) + 0.5) * dz;
        let beyond = (z.abs() - l / 2.0).max(0.0);
        let square = r * r - beyond * beyond;
        let disk = 2.0 * std::f64::consts::PI * square * dz;
        mass += disk;
        axial += 0.5 * disk * square;
        across += disk * (0.25 * square + z * z);
    }
    assert!((mass / solid.mass - 1.0).abs() < 1e-7 && (axial / solid.inertia[(2, 2)] - 1.0).abs() < 1e-7);
    assert!((across / solid.inertia[(0, 0)] - 1.0).abs() < 1e-7, "{across} {solid:?}");
}

/// The sum of parts, and a rigid motion of all.
#[test]
fn parts_and_motions() {
    let mut random = Random(1);
    for _ in 0..300 {
        let parts: Vec<_> =
            (0..3).map(|_| (<Dimension<3>>::convex(&mut random).shape, <Dimension<3>>::turned(&mut random))).collect();
        let clump = of(&RigidShape::clump(&parts).expect("a clump"));
        // About the origin: inertia of each, turned, and moved by Steiner.
        let (mut m, mut s, mut i) = (0.0, Vector::<3>::zeros(), Matrix3::zeros());
        let steiner = |mass: f64, c: Vector<3>| (Matrix3::identity() * c.norm_squared() - c * c.transpose()) * mass;
        for (shape, pose) in &parts {
            let one = of(shape);
            let c = pose.place(&one.centre);
            m += one.mass;
            s += c * one.mass;
            i += pose.rotation * one.inertia * pose.rotation.transpose() + steiner(one.mass, c);
        }
        assert!(close(clump.mass, m) && (clump.centre - s / m).norm() < 1e-13);
        assert!((clump.inertia + steiner(clump.mass, clump.centre) - i).amax() < 1e-11);
        let own = clump.inertia.symmetric_eigenvalues();
        assert!(
            own.min() > 0.0 && own.max() <= own.sum() - own.max() + 1e-12,
            "principal moments obey the triangle inequality"
        );
    }
    // Far from its origin a block keeps its inertia.
    let block = RigidShape::<3>::block(Vector::<3>::new(1.0, 2.0, 3.0)).expect("a block");
    let far = of(&block.moved(&ShapePose::at(Vector::<3>::new(1e6, -1e6, 1e6))));
    assert!((far.inertia - of(&block).inertia).amax() < 1e-8 && close(far.mass, 12.0));
}

#[test]
fn what_has_no_mass() {
    let code = |r: Result<MassProperties<2>, delassus_shapes::ShapeError>| r.expect_err("an error").code().0;
    assert_eq!(code(RigidShape::<2>::point().mass_properties(1.0)), "E0585");
    assert_eq!(
        code(RigidShape::<2>::half_space(Vector::<2>::new(0.0, 1.0)).expect("a wall").mass_properties(1.0)),
        "E0585"
    );
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(code(RigidShape::<2>::ball(1.0).expect("a ball").mass_properties(density)), "E0584");
    }
}
