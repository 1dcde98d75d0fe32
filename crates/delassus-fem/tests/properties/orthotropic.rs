//! Orthotropic elasticity: its moduli in any direction, its symmetry, frames that turn, and what is refused.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, System};
use delassus_error::Coded;
use delassus_fem::material::{Kinematics3, MaterialSpec};
use delassus_fem::tensor::{Mandel, rotated_tangent};
use delassus_fem::{Body, BodyInput, FrameScope, KelvinVoigt, Kinematics, Orthotropic};
use delassus_mesh::CellKind;
use nalgebra::{Matrix3, Rotation3, Vector3};

use crate::material::wood;
use crate::support::{distorted, max_abs};

const YOUNG: [f64; 3] = [3.0, 1.0, 0.6];
const POISSON: [f64; 3] = [0.35, 0.4, 0.3];
const SHEAR: [f64; 3] = [0.5, 0.2, 0.4];

fn tangent(law: Orthotropic) -> delassus_fem::tensor::Tangent {
    MaterialSpec::from(law).build(1.0).unwrap().instantaneous().tangent
}

/// Pulled along its axes it has E_i and ν_ij, sheared G_ij; ν_21 = ν_12 E_2/E_1.
#[test]
fn moduli_are_those_given() {
    let s = tangent(Orthotropic::new(YOUNG, POISSON, SHEAR)).try_inverse().unwrap();
    for i in 0..3 {
        assert!((s[(i, i)] * YOUNG[i] - 1.0).abs() < 1e-13);
        // 1/(2G) in Mandel notation, of xy, yz, xz
        assert!((s[(3 + i, 3 + i)] * 2.0 * SHEAR[i] - 1.0).abs() < 1e-13);
    }
    for (i, j, nu) in [(0, 1, POISSON[0]), (1, 2, POISSON[1]), (0, 2, POISSON[2])] {
        assert!((-s[(j, i)] * YOUNG[i] - nu).abs() < 1e-13, "ν_{i}{j}");
        assert!((-s[(i, j)] * YOUNG[j] - nu * YOUNG[j] / YOUNG[i]).abs() < 1e-13, "ν_{j}{i}");
    }
}

/// Pulled at an angle to the fibres: 1/E = c⁴/E_1 + s⁴/E_2 + (1/G_12 − 2ν_12/E_1) s²c²  (Lekhnitskii).
#[test]
fn modulus_at_an_angle_to_the_axes() {
    for degrees in [0.0_f64, 17.0, 45.0, 80.0, 90.0, 200.0] {
        let (sin, cos) = (degrees.to_radians().sin(), degrees.to_radians().cos());
        // vectors of any length, the second only roughly across
        let law =
            Orthotropic::new(YOUNG, POISSON, SHEAR).axes([7.0 * cos, 7.0 * sin, 0.0], [-sin + cos, cos + sin, 0.0]);
        let modulus = 1.0 / tangent(law).try_inverse().unwrap()[(0, 0)];
        let exact = cos.powi(4) / YOUNG[0]
            + sin.powi(4) / YOUNG[1]
            + (1.0 / SHEAR[0] - 2.0 * POISSON[0] / YOUNG[0]) * (sin * cos).powi(2);
        assert!((modulus * exact - 1.0).abs() < 1e-12, "{degrees}: {modulus} {}", 1.0 / exact);
    }
}

/// Half turns about its axes change nothing, other turns do; turned axes turn the tangent.
#[test]
fn it_has_three_planes_of_symmetry() {
    let c = tangent(wood());
    let [first, second] = wood().axes.unwrap().map(Vector3::from);
    let (a, b) = (first.normalize(), (second - first * (first.dot(&second) / first.norm_squared())).normalize());
    for axis in [a, b, a.cross(&b)] {
        let turn = |angle: f64| Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(axis), angle).into_inner();
        assert!((rotated_tangent(&c, &turn(std::f64::consts::PI)) - c).norm() < 1e-14);
        assert!((rotated_tangent(&c, &turn(0.5)) - c).norm() > 0.1);
    }
    let turn = Rotation3::from_euler_angles(0.3, -0.8, 1.9).into_inner();
    let [x, y] = wood().axes.unwrap().map(|v| (turn * Vector3::from(v)).into());
    assert!((tangent(wood().axes(x, y)) - rotated_tangent(&c, &turn)).norm() < 1e-14);
}

#[test]
fn equal_moduli_are_isotropic() {
    let shear = 2.0 / (2.0 * 1.3);
    let law = Orthotropic::new([2.0; 3], [0.3; 3], [shear; 3]).axes([1.0, 2.0, -0.5], [0.3, 0.1, 1.0]);
    let hooke = MaterialSpec::from(KelvinVoigt::elastic(2.0, 0.3)).build(1.0).unwrap().instantaneous().tangent;
    assert!((tangent(law) - hooke).norm() < 1e-14);
}

fn body(law: Orthotropic, kinematics: Kinematics) -> Body<2> {
    let law = MaterialSpec::from(law).build(1.0).unwrap();
    let input = BodyInput::new("board", Arc::new(distorted(CellKind::Quad4, 2)), law);
    Body::new(BodyInput { kinematics, ..input }).unwrap()
}

/// A strain in the axes of the body and then a turn of the whole: the fibres turn along, the energy stays and the forces turn.
#[test]
fn axes_turn_with_the_body() {
    let grain = || Orthotropic::new(YOUNG, POISSON, SHEAR).axes([2.0, 1.0, 0.0], [0.0, 1.0, 0.0]);
    let frames = [FrameScope::Body, FrameScope::Elements].map(|frames| Kinematics::Corotational { frames });
    for kinematics in frames.into_iter().chain([Kinematics::FiniteStrain {}]) {
        let body = body(grain(), kinematics);
        let turn = Rotation3::from_euler_angles(0.0, 0.0, 1.3).into_inner();
        // symmetric, so that the frame of the strain alone is not turned
        let stretch = Matrix3::new(1.01, 0.004, 0.0, 0.004, 0.995, 0.0, 0.0, 0.0, 1.0);
        let answer = |f: Matrix3<f64>| {
            let to = |x: &[f64; 2]| {
                let x = Vector3::new(x[0], x[1], 0.0);
                let u = f * x - x;
                [u[0], u[1]]
            };
            let dq: Vec<f64> = body.mesh().points.iter().flat_map(to).collect();
            let from = body.at_start(vec![0.0; dq.len()]);
            Inelastic::respond(&body, &Motion { from: &from, dq: &dq, h: 0.1 })
        };
        let (still, turned) = (answer(stretch), answer(turn * stretch));
        assert!(still.stored > 1e-6 && (turned.stored / still.stored - 1.0).abs() < 1e-12, "{kinematics:?}");
        for (a, b) in still.force.chunks_exact(2).zip(turned.force.chunks_exact(2)) {
            let a = turn * Vector3::new(a[0], a[1], 0.0);
            assert!(
                (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-13 * (1.0 + max_abs(&still.force)),
                "{kinematics:?}"
            );
        }
    }
}

/// Bodies whose moduli depend on the direction do not share a factor with one that is turned.
#[test]
fn turned_bodies_share_no_factor() {
    let of = |law: Orthotropic| body(law, Kinematics::SmallStrain);
    assert!(!MaterialSpec::from(wood()).build(1.0).unwrap().is_isotropic());
    let (a, b) = (of(Orthotropic::new(YOUNG, POISSON, SHEAR)), of(Orthotropic::new(YOUNG, POISSON, SHEAR)));
    assert!(a.rotation_onto(&b).is_none() && a.n_dof() == b.n_dof());
}

#[test]
fn what_is_no_solid_is_refused() {
    let code = |law: Orthotropic| MaterialSpec::from(law).build(1.0).unwrap_err();
    let base = || Orthotropic::new(YOUNG, POISSON, SHEAR);
    for (law, expected) in [
        (Orthotropic::new([3.0, 0.0, 0.6], POISSON, SHEAR), "E0601"),
        (Orthotropic::new(YOUNG, POISSON, [0.5, -0.2, 0.4]), "E0601"),
        (Orthotropic::new(YOUNG, [f64::NAN, 0.4, 0.3], SHEAR), "E0601"),
        // |ν_12| ≥ √(E_1/E_2)
        (Orthotropic::new(YOUNG, [1.8, 0.4, 0.3], SHEAR), "E0368"),
        // each small enough, but the volume would grow under pressure
        (Orthotropic::new([1.0; 3], [0.6; 3], SHEAR), "E0368"),
        (base().axes([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]), "E0368"),
        (base().axes([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]), "E0368"),
        (base().axes([1.0, f64::NAN, 0.0], [0.0, 1.0, 0.0]), "E0368"),
    ] {
        let error = code(law.clone());
        assert_eq!(error.code().0, expected, "{law:?}: {error}");
    }
    let askew = MaterialSpec::from(wood()).build(1.0).unwrap();
    let input = BodyInput::new("board", Arc::new(distorted::<2>(CellKind::Quad4, 1)), Arc::clone(&askew));
    assert_eq!(Body::new(input).unwrap_err().code().0, "E0369", "a plane body sees no shear across its plane");
    let input = BodyInput::new("board", Arc::new(distorted::<3>(CellKind::Hexahedron8, 1)), askew);
    assert!(Body::new(input).is_ok());
}

/// S = C : E of the logarithmic strain, in a stretch along an axis: E_1 ln λ.
#[test]
fn a_stretch_along_an_axis() {
    let law = MaterialSpec::from(Orthotropic::new(YOUNG, POISSON, SHEAR)).build(1.0).unwrap();
    let stretch = 1.3_f64;
    let strain = Mandel::new(stretch.ln(), -POISSON[0] * stretch.ln(), -POISSON[2] * stretch.ln(), 0.0, 0.0, 0.0);
    let r = law.respond(&Kinematics3 { strain, increment: strain, ..Kinematics3::rest() }, 1.0, &[], &mut []);
    assert!((r.stress - Mandel::ith(0, YOUNG[0] * stretch.ln())).norm() < 1e-14);
}
