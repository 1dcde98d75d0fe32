//! Loads that follow the surface they act on.

use std::sync::Arc;

use delassus_dynamics::{Motion, State, Stresses, System, TangentAt, Turning, symmetric_times_into};
use delassus_error::Coded;
use delassus_fem::{Body, BodyInput, FrameScope, Kinematics, SurfaceLoad, TimeFunction, Traction};
use delassus_mesh::{CellKind, generate};
use nalgebra::{Rotation3, SVector, Unit, Vector3};

use crate::support::{Numbers, max_abs, soft};

const CELLS: Kinematics = Kinematics::Corotational { frames: FrameScope::Elements };

fn plane(traction: Traction<2>, follows: bool, kinematics: Kinematics) -> Body<2> {
    let mesh = Arc::new(generate::rectangle([0.0, -0.2], [1.0, 0.4], [3, 2], CellKind::Quad4, 1).unwrap());
    let load = SurfaceLoad { group: "right".into(), traction, factor: TimeFunction::Constant(2.0) };
    let mut input = BodyInput { kinematics, ..BodyInput::new("test", mesh, soft()) };
    if follows {
        input.following_loads.push(load)
    } else {
        input.surface_loads.push(load)
    }
    Body::new(input).unwrap()
}

fn solid(traction: Traction<3>, kind: CellKind) -> Body<3> {
    let size = [1.0, 0.4, 0.6];
    let linear = CellKind::all().find(|k| k.is_linear() && k.corners() == kind.corners()).unwrap();
    let mesh = generate::block([0.0; 3], size, [1, 2, 1], linear, 1).unwrap();
    let mesh = Arc::new(if kind.is_linear() { mesh } else { mesh.to_quadratic().unwrap() });
    let load = SurfaceLoad { group: "right".into(), traction, factor: TimeFunction::Constant(1.0) };
    let mut input = BodyInput { kinematics: CELLS, ..BodyInput::new("test", mesh, soft()) };
    input.following_loads.push(load);
    Body::new(input).unwrap()
}

fn loads<const D: usize>(body: &Body<D>, q: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; body.n_dof()];
    (body as &dyn System).loads_at_into(0.3, q, &mut out);
    out
}

/// Resultant and moment about the origin.
fn resultants<const D: usize>(body: &Body<D>, q: &[f64], f: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
    let embed = |x: &[f64]| Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 });
    let places = body.mesh().points.iter().zip(q.chunks_exact(D)).map(|(x, u)| embed(x) + embed(u));
    places.zip(f.chunks_exact(D)).fold((Vector3::zeros(), Vector3::zeros()), |(sum, moment), (x, f)| {
        (sum + embed(f), moment + x.cross(&embed(f)))
    })
}

fn turned<const D: usize>(body: &Body<D>, r: &Rotation3<f64>) -> Vec<f64> {
    let turn = |x: &[f64; D]| {
        let y = r * Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 });
        (0..D).map(|i| y[i] - x[i]).collect::<Vec<f64>>()
    };
    body.mesh().points.iter().flat_map(turn).collect()
}

/// On the shape as given such a load is the dead one; on a turned body it is that one, turned.
#[test]
fn loads_that_follow_turn_with_the_body() {
    let still = vec![0.0; 24];
    for traction in [Traction::Vector([3.0, -1.0]), Traction::Pressure(2.0), Traction::Couple([0.0, 0.0, 1.5])] {
        let (dead, body) = (plane(traction, false, CELLS), plane(traction, true, CELLS));
        let given = loads(&dead, &still);
        assert!(max_abs(&given) > 0.1);
        let same = loads(&body, &still);
        assert!(given.iter().zip(&same).all(|(a, b)| (a - b).abs() < 1e-14), "{traction:?}");
        let r = Rotation3::from_axis_angle(&Vector3::z_axis(), 2.2);
        let q = turned(&body, &r);
        let after = loads(&body, &q);
        for (a, b) in given.chunks_exact(2).zip(after.chunks_exact(2)) {
            let exact = r * Vector3::new(a[0], a[1], 0.0);
            // a dozen roundings of numbers of size 3
            assert!((exact.x - b[0]).abs() < 1e-14 && (exact.y - b[1]).abs() < 1e-14, "{traction:?}: {exact} {b:?}");
        }
        assert_eq!(loads(&dead, &q), given, "a dead load stays");
    }
    // −p n over the face: 2 · 2 Pa on 0.4 m²
    let (sum, _) = resultants(
        &plane(Traction::Pressure(2.0), true, CELLS),
        &still,
        &loads(&plane(Traction::Pressure(2.0), true, CELLS), &still),
    );
    assert!((sum - Vector3::new(-1.6, 0.0, 0.0)).norm() < 1e-14, "{sum}");
}

/// A couple has no resultant and its moment, on every kind of facet and about every axis; a true pressure grows with the face.
#[test]
fn a_couple_has_its_moment_and_nothing_else() {
    for kind in [CellKind::Hexahedron8, CellKind::Tetrahedron4, CellKind::Tetrahedron10, CellKind::Hexahedron20] {
        for moment in [[0.0, 0.0, 2.0], [0.0, 3.0, 0.0], [1.0, 0.0, 0.0], [0.4, -0.5, 0.7]] {
            let body = solid(Traction::Couple(moment), kind);
            let axis = Unit::new_normalize(Vector3::new(1.0, -2.0, 0.5));
            for angle in [0.0, 1.3] {
                let r = Rotation3::from_axis_angle(&axis, angle);
                let q = turned(&body, &r);
                let (sum, found) = resultants(&body, &q, &loads(&body, &q));
                let exact = r * Vector3::from(moment);
                assert!(sum.norm() < 1e-13 && (found - exact).norm() < 1e-13, "{kind} {moment:?}: {sum} {found}");
            }
        }
        let body = solid(Traction::Pressure(5.0), kind);
        let grown: Vec<f64> = body.mesh().points.iter().flat_map(|x| x.map(|x| x * 0.5)).collect();
        let (sum, _) = resultants(&body, &grown, &loads(&body, &grown));
        assert!((sum - Vector3::new(-5.0 * 0.24 * 2.25, 0.0, 0.0)).norm() < 1e-13, "{kind}: {sum}");
    }
    let bent = plane(Traction::Couple([0.0, 0.0, 1.5]), true, CELLS);
    let still = vec![0.0; bent.n_dof()];
    let (sum, moment) = resultants(&bent, &still, &loads(&bent, &still));
    assert!(sum.norm() < 1e-14 && (moment.z - 3.0).abs() < 1e-14, "{sum} {moment}: twice, by its factor");
}

/// The part of the load in the tangent is the symmetric part of its derivative.
#[test]
fn the_tangent_has_the_symmetric_part_of_the_load() {
    let mut numbers = Numbers::new(4);
    for traction in [Traction::Vector([3.0, -1.0]), Traction::Pressure(2.0), Traction::Couple([0.0, 0.0, 1.5])] {
        let [with, without] = [traction, Traction::Vector([0.0; 2])].map(|t| plane(t, true, CELLS));
        let n = with.n_dof();
        let [a, b, q] = [1.0, 1.0, 0.05].map(|size| (0..n).map(|_| size * numbers.next()).collect::<Vec<f64>>());
        let from = State { q: q.clone(), ..with.at_start(vec![0.0; n]) };
        let still = vec![0.0; n];
        let motion = Motion { from: &from, dq: &still, h: 0.1 };
        let part = |direction: &[f64]| {
            let [f, g] = [&with, &without].map(|body| {
                let values = body.step_tangent(&motion, TangentAt::End, Stresses::Counted).unwrap().stiffness;
                let mut f = vec![0.0; n];
                symmetric_times_into(body.matrices().pattern(), &values, direction, &mut f);
                f
            });
            SVector::<f64, 24>::from_fn(|i, _| f[i] - g[i])
        };
        let slope = |direction: &[f64]| {
            let at = |s: f64| {
                let q: Vec<f64> = q.iter().zip(direction).map(|(q, d)| q + s * d).collect();
                SVector::<f64, 24>::from_column_slice(&loads(&with, &q))
            };
            // s² of the third derivative, over facets of 0.2
            (at(-1e-4) - at(1e-4)) / 2e-4
        };
        let vector = |x: &[f64]| SVector::<f64, 24>::from_column_slice(x);
        let found = vector(&b).dot(&part(&a));
        let exact = 0.5 * (vector(&b).dot(&slope(&a)) + vector(&a).dot(&slope(&b)));
        assert!(
            exact.abs() > 1e-3 && (found - exact).abs() < 1e-5 * exact.abs().max(1.0),
            "{traction:?}: {found} {exact}"
        );
    }
}

#[test]
fn a_body_of_small_strains_refuses_such_a_load() {
    let mesh = Arc::new(generate::rectangle([0.0, 0.0], [1.0, 1.0], [1, 1], CellKind::Quad4, 1).unwrap());
    let load =
        SurfaceLoad { group: "right".into(), traction: Traction::Pressure(1.0), factor: TimeFunction::Constant(1.0) };
    let mut input = BodyInput::new("block", mesh, soft());
    input.following_loads.push(load.clone());
    let error = Body::new(input.clone()).unwrap_err();
    assert_eq!(error.code().0, "E0626");
    assert!(error.to_string().contains("load on `right`"), "{error}");
    input.kinematics = Kinematics::Corotational { frames: FrameScope::Body };
    assert!(Body::new(input).unwrap().has_following_loads());
}
