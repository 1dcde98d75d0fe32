//! Shapes that are none: each with its code.
#![expect(clippy::expect_used, reason = "a helper of a test fails by panicking")]

use delassus_contact::{Matrix, Vector};
use delassus_error::Coded;
use delassus_shapes::{RigidShape, ShapeError, ShapePose};

fn check<const D: usize>(made: Result<RigidShape<D>, ShapeError>, code: &str, part: &str) {
    let error = made.expect_err("it is wrong");
    assert_eq!(error.code().0, code, "{error}");
    assert!(error.to_string().contains(part), "{error}");
}

fn polygon(corners: &[[f64; 2]]) -> Result<RigidShape<2>, ShapeError> {
    RigidShape::polygon(&corners.iter().copied().map(Vector::<2>::from).collect::<Vec<_>>())
}

/// A cube of side 1, in quadrilaterals.
fn cube() -> (Vec<Vector<3>>, Vec<Vec<usize>>) {
    let points = (0..8).map(|i| Vector::<3>::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (points, faces.map(|f| f.to_vec()).to_vec())
}

#[test]
fn sizes_and_points() {
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e200] {
        check(RigidShape::<2>::ball(radius), "E0571", "radius");
    }
    check(RigidShape::<3>::block(Vector::<3>::new(1.0, 0.0, 1.0)), "E0571", "length");
    check(RigidShape::<3>::capsule([Vector::<3>::zeros(); 2], 1.0), "E0571", "length");
    check(polygon(&[[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]]), "E0572", "point 1");
    check(RigidShape::half_space(Vector::<3>::zeros()), "E0573", "no direction");
    check(RigidShape::half_space(Vector::<2>::new(f64::NAN, 1.0)), "E0573", "no direction");
    check(polygon(&[[0.0, 0.0], [1.0, 0.0]]), "E0574", "2 points");
}

#[test]
fn polygons() {
    // A bow tie, a side that turns back, a corner twice, two loops that touch.
    check(polygon(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), "E0575", "sides 0");
    check(polygon(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), "E0575", "sides 0");
    check(polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), "E0575", "sides");
    check(polygon(&[[0., 0.], [1., 0.], [1., 1.], [2., 2.], [1., 1.], [0., 1.]]), "E0575", "sides");
    check(polygon(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), "E0576", "area");
    check(polygon(&[[0.0, 0.0], [1.0, 0.0], [0.5, 1e-14]]), "E0576", "area");
    assert!(polygon(&[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]).is_ok(), "clockwise is as good");
}

#[test]
fn polyhedra() {
    let (points, faces) = cube();
    assert!(RigidShape::polyhedron(&points, &faces).is_ok_and(|s| s.is_convex()));
    let inside_out: Vec<Vec<usize>> = faces.iter().map(|f| f.iter().rev().copied().collect()).collect();
    let [a, b] = [&faces, &inside_out].map(|f| RigidShape::polyhedron(&points, f).expect("a cube"));
    assert_eq!(a.mass_properties(1.0).expect("a mass"), b.mass_properties(1.0).expect("a mass"));
    check(RigidShape::polyhedron(&points[..3], &faces), "E0574", "3 points");
    check(RigidShape::polyhedron(&points, &[]), "E0574", "polyhedron");
    let with = |i: usize, face: Vec<usize>| {
        let mut changed = faces.clone();
        changed[i] = face;
        changed
    };
    check(RigidShape::polyhedron(&points, &with(2, vec![0, 1, 5, 9])), "E0577", "face 2");
    check(RigidShape::polyhedron(&points, &with(2, vec![0, 1, 1, 4])), "E0577", "face 2");
    check(RigidShape::polyhedron(&points, &faces[1..]), "E0579", "edge from point 0");
    check(RigidShape::polyhedron(&points, &with(0, vec![2, 6, 4, 0])), "E0579", "edge");
    let mut bent = points.clone();
    bent[7].z += 0.1;
    check(RigidShape::polyhedron(&bent, &faces), "E0578", "not plane");
    let mut flat = points.clone();
    flat.iter_mut().for_each(|p| p.z = 0.0);
    check(RigidShape::polyhedron(&flat, &faces), "E0576", "volume");
    // A corner pushed into the cube, in triangles: closed, but not convex.
    let triangles: Vec<Vec<usize>> =
        faces.iter().flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]]).collect();
    let mut dent = points.clone();
    dent[7] = Vector::<3>::new(0.5, 0.5, 0.5);
    check(RigidShape::polyhedron(&dent, &triangles), "E0580", "not convex");
    assert!(RigidShape::surface_of(&dent, &triangles).is_ok_and(|s| !s.is_convex()));
    // Pushed out through the opposite faces.
    dent[7] = Vector::<3>::new(0.4, 0.45, -3.0);
    check(RigidShape::surface_of(&dent, &triangles), "E0581", "go through");
    // A sliver without area.
    let mut sliver = points.clone();
    sliver[7] = points[6];
    check(RigidShape::surface_of(&sliver, &triangles), "E0578", "without area");
}

#[test]
fn boundaries_within_boundaries() {
    let square =
        |low: f64, high: f64| [[low, low], [high, low], [high, high], [low, high]].map(Vector::<2>::from).to_vec();
    let turned = |low: f64, high: f64| square(low, high).into_iter().rev().collect::<Vec<_>>();
    let made = |lines: &[Vec<Vector<2>>]| RigidShape::outlines(lines);
    assert!(made(&[square(0.0, 3.0), turned(1.0, 2.0)]).is_ok_and(|s| !s.is_convex()));
    assert!(made(&[square(0.0, 1.0), square(2.0, 3.0)]).is_ok(), "two parts");
    assert!(made(&[square(0.0, 4.0), turned(1.0, 3.0), square(1.5, 2.0)]).is_ok(), "a part in a hole");
    assert!(made(&[turned(0.0, 1.0)]).is_ok(), "one line may have either order");
    check(made(&[square(0.0, 3.0), square(1.0, 2.0)]), "E0593", "part 1");
    check(made(&[square(0.0, 3.0), turned(4.0, 5.0)]), "E0593", "part 1");
    check(made(&[square(0.0, 2.0), turned(1.0, 3.0)]), "E0575", "sides");
    check(made(&[turned(0.0, 3.0), square(1.0, 2.0)]), "E0576", "area");
    check(made(&[square(0.0, 3.0), turned(1.0, 2.0)[..2].to_vec()]), "E0574", "2 points");
    // A cube with a cavity, and one with a cube in it.
    let (points, faces) = cube();
    let within = |inside_out: bool| {
        let all: Vec<Vector<3>> =
            points.iter().copied().chain(points.iter().map(|p| p * 0.5 + Vector::<3>::repeat(0.25))).collect();
        let inner = faces.iter().map(|f| {
            let shifted: Vec<usize> = f.iter().map(|c| c + 8).collect();
            if inside_out { shifted.into_iter().rev().collect() } else { shifted }
        });
        RigidShape::surface_of(&all, &faces.iter().cloned().chain(inner).collect::<Vec<_>>())
    };
    let hollow = within(true).and_then(|s| s.mass_properties(8.0)).expect("a hollow cube");
    assert!((hollow.mass - 7.0).abs() < 1e-14, "{}", hollow.mass);
    check(within(false), "E0593", "part 1");
}

#[test]
fn clumps() {
    let ball = RigidShape::<2>::ball(1.0).expect("a ball");
    let wall = RigidShape::half_space(Vector::<2>::new(0.0, 1.0)).expect("a wall");
    check(RigidShape::<2>::clump(&[]), "E0582", "no parts");
    check(RigidShape::clump(&[(wall, ShapePose::default())]), "E0582", "half-space");
    let sheared = ShapePose { rotation: Matrix::<2>::new(1.0, 0.1, 0.0, 1.0), ..ShapePose::default() };
    check(RigidShape::clump(&[(ball.clone(), sheared)]), "E0583", "part 0");
    let nowhere = ShapePose::at(Vector::<2>::new(f64::NAN, 0.0));
    check(RigidShape::clump(&[(ball, nowhere)]), "E0583", "part 0");
}
