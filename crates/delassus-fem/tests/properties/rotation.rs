//! How far a body has turned: exact for any homogeneous deformation of any body, and blind to what is no rotation.

use std::f64::consts::PI;
use std::sync::Arc;

use delassus_dynamics::{State, System};
use delassus_fem::{Body, BodyInput, BodyRotation, Kinematics, Material, MaterialSpec, Maxwell, ObjectiveRate};
use delassus_mesh::{CellKind, generate};
use nalgebra::{Rotation3, SMatrix, SVector, Unit, Vector3};

use crate::support::{Numbers, distorted, for_every_body, soft};

/// The rotation of a body with u = F X − X + t.
fn rotation_of<const D: usize>(body: &Body<D>, f: &SMatrix<f64, D, D>, t: f64) -> BodyRotation {
    let moved = |x: &[f64; D]| -> [f64; D] {
        let x = SVector::from(*x);
        (f * x - x + SVector::repeat(t)).into()
    };
    rotation_at(body, body.mesh().points.iter().flat_map(moved).collect())
}

fn rotation_at<const D: usize>(body: &Body<D>, q: Vec<f64>) -> BodyRotation {
    let v = vec![0.0; q.len()];
    body.rotation(&State::new(0.0, q, v)).unwrap()
}

/// The rotation about an axis aslant, in the plane about z.
fn turned<const D: usize>(angle: f64) -> SMatrix<f64, D, D> {
    let axis = if D == 2 { Vector3::z_axis() } else { Unit::new_normalize(Vector3::new(1.0, -2.0, 2.0)) };
    let whole = Rotation3::from_axis_angle(&axis, angle);
    SMatrix::from_fn(|i, j| whole[(i, j)])
}

fn stretch<const D: usize>(size: f64) -> SMatrix<f64, D, D> {
    let e = [[1.0, 0.4, -0.2], [0.4, -0.7, 0.3], [-0.2, 0.3, 0.5]];
    SMatrix::from_fn(|i, j| f64::from(i == j) + size * e[i][j])
}

/// Gradients of fields of size 1 on distorted cells: some ten roundings.
const ROUNDING: f64 = 1e-14;

#[test]
fn a_rigid_rotation_is_found_whatever_its_angle() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        for angle in [0.0, 1e-9, 1e-3, 0.087, 1.0, 2.5, PI - 1e-4, PI - 1e-9] {
            let found = rotation_of(body, &turned(angle), 0.0);
            let errors = [found.mean - angle, found.largest - angle];
            assert!(errors.iter().all(|e| e.abs() < ROUNDING), "{name}, {angle}: {errors:?}");
        }
    }
    for_every_body!(2, check);
}

/// A strain, however large, and a translation are no rotation, and leave a rotation as it is: F = R U.
#[test]
fn strains_and_translations_do_not_turn() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        for size in [1e-6, 1e-2, 0.5] {
            for angle in [0.0, 0.02, 1.2] {
                let found = rotation_of(body, &(turned(angle) * stretch(size)), 0.0);
                let errors = [found.mean - angle, found.largest - angle];
                assert!(errors.iter().all(|e| e.abs() < ROUNDING), "{name}, {size}, {angle}: {errors:?}");
            }
        }
        let still = rotation_of(body, &SMatrix::identity(), 1e9);
        assert!(still.mean <= 0.0 && still.largest <= 0.0, "{name}: {still:?}");
    }
    for_every_body!(2, check);
}

/// Half of the cells turn one way, half the other: the mean does not turn. And the cell that turns most is named.
#[test]
fn the_mean_is_that_of_the_body_and_the_largest_that_of_a_cell() {
    let mesh = generate::rectangle([0.0, -0.5], [8.0, 1.0], [8, 1], CellKind::Quad4, 1).unwrap();
    let beam = Body::new(BodyInput::new("beam", Arc::new(mesh), soft())).unwrap();
    // bent to a circle: u_x = −κ x y, u_y = ½ κ x², with x from the middle; the centre of a cell turns by κ x
    let bent = |kappa: f64| -> Vec<f64> {
        let at = |[x, y]: &[f64; 2]| [-kappa * (x - 4.0) * y, 0.5 * kappa * (x - 4.0) * (x - 4.0)];
        beam.mesh().points.iter().flat_map(at).collect()
    };
    let found = rotation_at(&beam, bent(0.01));
    // bilinear cells have the slope of the chord at their centres, which is the slope of the parabola there
    assert!(found.mean < 1e-16 && (found.largest - (0.01_f64 * 3.5).atan()).abs() < 1e-15, "{found:?}");
    assert_eq!(found.cell, 0, "of two equal ones the first");
    let mut q = bent(0.01);
    // the upper right corner, node 8 of the upper row: 1e-3 to the left turns the last cell a little further
    let corner = beam.mesh().points.iter().position(|p| (p[0] - 8.0).abs() + (p[1] - 0.5).abs() < 1e-12).unwrap();
    q[2 * corner] -= 1e-3;
    assert_eq!(rotation_at(&beam, q).cell, 7);
}

/// One cell of many, flattened, turned over, collapsed to a point, torn to the end of the numbers: no panic, no other cell is lost.
#[test]
fn cells_beyond_repair_are_measured() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let n = body.n_dof();
        for (what, factor) in [("a point", 0.0), ("a mirror", -1.0), ("large", 1e3), ("huge", 1e300)] {
            // the whole body, and one node of it
            let whole: Vec<f64> = body.mesh().points.iter().flatten().map(|x| (factor - 1.0) * x).collect();
            let mut node = vec![0.0; n];
            node[..D].copy_from_slice(&whole[..D]);
            for q in [whole, node] {
                let found = rotation_at(body, q);
                assert!((0.0..=PI).contains(&found.mean), "{name}, {what}: {found:?}");
                assert!((0.0..=PI).contains(&found.largest), "{name}, {what}: {found:?}");
            }
        }
        let mut q = Numbers::new(3).vector(n);
        q[n - 1] = f64::NAN;
        let found = rotation_at(body, q);
        assert!(found.mean.is_nan() && found.largest.is_nan(), "{name}: {found:?}");
        q = vec![f64::MAX; n];
        q[1] = f64::MIN;
        let found = rotation_at(body, q);
        assert!(found.mean.is_nan() && found.largest.is_nan(), "{name}: beyond all numbers: {found:?}");
    }
    for_every_body!(2, check);
}

/// Against the definition, cell by cell and without any bound: random displacements of every size.
#[test]
fn no_cell_is_passed_over_that_turns_more() {
    let body: Body<2> = Body::new(BodyInput::new("b", Arc::new(distorted(CellKind::Triangle3, 4)), soft())).unwrap();
    let mesh = body.mesh();
    let mut numbers = Numbers::new(11);
    for size in [1e-8, 1e-3, 0.03, 0.3, 3.0] {
        let q: Vec<f64> = numbers.vector(body.n_dof()).iter().map(|x| size * x).collect();
        let edge = |x: &dyn Fn(usize) -> [f64; 2], a: usize, b: usize| [x(b)[0] - x(a)[0], x(b)[1] - x(a)[1]];
        let (before, after) =
            (|n: usize| mesh.points[n], |n: usize| [mesh.points[n][0] + q[2 * n], mesh.points[n][1] + q[2 * n + 1]]);
        // F = [x₁ x₂] [X₁ X₂]⁻¹ by Cramer's rule
        let angle = |cell: &[usize]| {
            let [[a, c], [b, d]] = [edge(&before, cell[0], cell[1]), edge(&before, cell[0], cell[2])];
            let [[p, r], [s, t]] = [edge(&after, cell[0], cell[1]), edge(&after, cell[0], cell[2])];
            let (f11, f12) = (p * d - s * c, s * a - p * b);
            let (f21, f22) = (r * d - t * c, t * a - r * b);
            (f21 - f12).atan2(f11 + f22).abs()
        };
        let block = mesh.blocks.iter().find(|b| b.kind == CellKind::Triangle3).unwrap();
        let angles: Vec<f64> = block.nodes.chunks_exact(3).map(angle).collect();
        let most = angles.iter().copied().fold(0.0, f64::max);
        let found = rotation_at(&body, q);
        assert!((found.largest - most).abs() < 1e-13, "{size}: {} {most}", found.largest);
        assert!((angles[found.cell] - most).abs() < 1e-13, "{size}: cell {}", found.cell);
    }
}

#[test]
fn a_body_whose_geometry_moves_along_is_not_measured() {
    let maxwell = Maxwell { lambda: Some(1.0), mu: Some(1.0), ..Maxwell::default() };
    let material: Arc<dyn Material> = MaterialSpec::Maxwell(maxwell).build(1.0).unwrap();
    for (kinematics, told) in
        [(Kinematics::SmallStrain, true), (Kinematics::UpdatedGeometry { rate: ObjectiveRate::GreenNaghdi }, false)]
    {
        let input = BodyInput::new("b", Arc::new(distorted::<2>(CellKind::Quad4, 2)), Arc::clone(&material));
        let body = Body::new(BodyInput { kinematics, ..input }).unwrap();
        let state = body.at_start(vec![0.0; body.n_dof()]);
        assert_eq!(body.rotation(&state).is_some(), told);
        assert_eq!(body.kinematics(), kinematics);
    }
}
