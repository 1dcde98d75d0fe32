//! Stress at the nodes: constant and linear stresses are found exactly, also in bodies that have turned.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, State, System};
use delassus_fem::{Body, BodyInput, Formulation, FrameScope, KelvinVoigt, Kinematics, Section};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::{Matrix3, Vector3};

use crate::support::{build, distorted, kinds, soft};

/// E and ν of the bodies here.
const YOUNG: f64 = 3.0;
const POISSON: f64 = 0.3;

/// σ = λ tr ε I + 2 μ ε of a displacement gradient.
fn stress(gradient: &Matrix3<f64>) -> Matrix3<f64> {
    let lambda = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    let mu = YOUNG / (2.0 * (1.0 + POISSON));
    let strain = (gradient + gradient.transpose()) * 0.5;
    Matrix3::identity() * (lambda * strain.trace()) + strain * (2.0 * mu)
}

fn matrix(c: &[f64; 6]) -> Matrix3<f64> {
    Matrix3::new(c[0], c[3], c[5], c[3], c[1], c[4], c[5], c[4], c[2])
}

fn at<const D: usize>(x: &[f64; D]) -> Vector3<f64> {
    Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0))
}

/// The largest difference of the nodal stresses from the exact ones, over the largest exact one.
fn error<const D: usize>(
    body: &Body<D>,
    displacement: &dyn Fn(&Vector3<f64>) -> Vector3<f64>,
    exact: &dyn Fn(&Vector3<f64>) -> Matrix3<f64>,
) -> f64 {
    let mesh = body.mesh();
    let q: Vec<f64> = mesh.points.iter().flat_map(|x| displacement(&at(x)).as_slice()[..D].to_vec()).collect();
    let z = body.inelastic().map(Inelastic::initial).unwrap_or_default();
    let state = State { t: 0.0, v: vec![0.0; q.len()], q, z, aux: Vec::new() };
    let (_, nodal) = body.cell_and_nodal_fields(&state);
    let mut largest = [0.0_f64; 2];
    for (x, found) in mesh.points.iter().zip(&nodal.stress) {
        let exact = exact(&at(x));
        largest = [largest[0].max((matrix(found) - exact).amax()), largest[1].max(exact.amax())];
    }
    largest[0] / largest[1]
}

/// u = A x + x-quadratic part; its gradient is linear in x.
fn quadratic(x: &Vector3<f64>, bend: f64) -> Vector3<f64> {
    let [x, y, z] = [x[0], x[1], x[2]];
    Vector3::new(
        0.1 * x - 0.2 * y + bend * (x * y - 0.5 * y * y),
        0.3 * x + 0.05 * y + bend * (0.7 * x * x + 0.2 * x * y),
        0.02 * z + bend * 0.4 * z * z,
    )
}

fn gradient(x: &Vector3<f64>, bend: f64) -> Matrix3<f64> {
    let [x, y, z] = [x[0], x[1], x[2]];
    Matrix3::new(
        0.1 + bend * y,
        -0.2 + bend * (x - y),
        0.0,
        0.3 + bend * (1.4 * x + 0.2 * y),
        0.05 + bend * 0.2 * x,
        0.0,
        0.0,
        0.0,
        0.02 + bend * 0.8 * z,
    )
}

fn body<const D: usize>(mesh: Mesh<D>) -> Body<D> {
    let section = if D == 2 { Section::PlaneStrain { thickness: 0.7 } } else { Section::Solid };
    Body::new(BodyInput { section, ..BodyInput::new("body", Arc::new(mesh), soft()) }).unwrap()
}

/// In the plane the third line of the displacement is none.
fn flat<const D: usize>(g: Matrix3<f64>) -> Matrix3<f64> {
    let mut g = g;
    if D == 2 {
        g.row_mut(2).fill(0.0);
        g.column_mut(2).fill(0.0);
    }
    g
}

fn constant_is_exact<const D: usize>() {
    for kind in kinds::<D>() {
        let e =
            error(&body(distorted::<D>(kind, 3)), &|x| quadratic(x, 0.0), &|x| stress(&flat::<D>(gradient(x, 0.0))));
        assert!(e < 1e-12, "{kind}: {e:.1e}");
    }
}

#[test]
fn a_constant_stress_is_exact_for_every_kind() {
    constant_is_exact::<2>();
    constant_is_exact::<3>();
}

/// Quadratic cells whose sides are straight have all quadratic displacements: of any shape if they are simplices, rectangular otherwise.
#[test]
fn a_linear_stress_is_exact_for_quadratic_cells() {
    let plane = [
        distorted::<2>(CellKind::Triangle6, 3),
        generate::rectangle([-0.3, 0.4], [2.0, 1.2], [3, 2], CellKind::Quad4, 1).unwrap().to_quadratic().unwrap(),
    ];
    for mesh in plane {
        let e = error(&body(mesh), &|x| quadratic(x, 1.0), &|x| stress(&flat::<2>(gradient(x, 1.0))));
        assert!(e < 1e-12, "{e:.1e}");
    }
    let space = [
        distorted::<3>(CellKind::Tetrahedron10, 2),
        generate::block([0.1; 3], [2.0, 1.2, 0.9], [2, 2, 2], CellKind::Hexahedron8, 1)
            .unwrap()
            .to_quadratic()
            .unwrap(),
    ];
    for mesh in space {
        let e = error(&body(mesh), &|x| quadratic(x, 1.0), &|x| stress(&gradient(x, 1.0)));
        assert!(e < 1e-12, "{e:.1e}");
    }
}

/// Pure bending of one layer of cells with incompatible modes: −E κ y up to the surface, where the average of a cell is zero.
#[test]
fn bending_is_exact_at_the_surface() {
    let kappa = 0.01;
    let mesh = generate::block([0.0, -0.5, -0.5], [4.0, 1.0, 1.0], [4, 1, 1], CellKind::Hexahedron8, 1).unwrap();
    let input = BodyInput::new("beam", Arc::new(mesh), build(KelvinVoigt::elastic(YOUNG, POISSON), 1.0));
    let body = Body::new(BodyInput { formulation: Formulation::IncompatibleModes, ..input }).unwrap();
    let u = |x: &Vector3<f64>| {
        let [x, y, z] = [x[0], x[1], x[2]];
        Vector3::new(-x * y, 0.5 * (x * x + POISSON * (y * y - z * z)), POISSON * y * z) * kappa
    };
    let exact = |x: &Vector3<f64>| Matrix3::from_diagonal(&Vector3::new(-YOUNG * kappa * x[1], 0.0, 0.0));
    let e = error(&body, &u, &exact);
    assert!(e < 1e-12, "{e:.1e}");
}

/// A body that has turned by 2 rad about an oblique axis: the stress turns along.
#[test]
fn the_stress_turns_with_the_body() {
    let mesh = generate::block([0.1; 3], [2.0, 1.2, 0.9], [2, 2, 2], CellKind::Hexahedron8, 1).unwrap();
    let mesh = mesh.to_quadratic().unwrap();
    let kinematics = Kinematics::Corotational { frames: FrameScope::Body };
    let body = Body::new(BodyInput { kinematics, ..BodyInput::new("body", Arc::new(mesh), soft()) }).unwrap();
    let axis = nalgebra::Unit::new_normalize(Vector3::new(1.0, 2.0, -0.5));
    let r = nalgebra::Rotation3::from_axis_angle(&axis, 2.0);
    // So small that what the frame sees of the rotation of the cells does not count.
    let small = 1e-7;
    let q = |x: &Vector3<f64>| r * (x + quadratic(x, 1.0) * small) - x;
    let exact = |x: &Vector3<f64>| r.matrix() * stress(&gradient(x, 1.0)) * r.matrix().transpose() * small;
    let e = error(&body, &q, &exact);
    assert!(e < 1e-5, "{e:.1e}");
}
