//! Axisymmetric bodies: patch test, exact solutions of thick tubes and spheres, masses, loads, and what is refused.

use std::f64::consts::PI;
use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, State, System};
use delassus_error::Coded;
use delassus_fem::{
    Body, BodyInput, FemError, Formulation, Gravity, Kinematics, MaterialSpec, Maxwell, PrescribedVelocity, Section,
    SurfaceLoad, TimeFunction, Traction,
};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::DMatrix;

use crate::support::{Numbers, build, dense, distorted, equilibrium, kinds, soft};

/// E = 3, ν = 0.3.
const YOUNG: f64 = 3.0;
const POISSON: f64 = 0.3;

/// The distorted mesh of the other tests, shifted to positive radii.
fn ring(kind: CellKind, n: usize) -> Mesh<2> {
    let mut mesh = distorted::<2>(kind, n);
    mesh.points.iter_mut().for_each(|x| x[0] += 1.5);
    mesh
}

fn body_on(mesh: Mesh<2>, formulation: Formulation) -> Body<2> {
    let input = BodyInput::new("ring", Arc::new(mesh), soft());
    Body::new(BodyInput { section: Section::Axisymmetric, formulation, ..input }).unwrap()
}

/// A rectangle from (r, z) on, of sizes in metres and cells.
fn rectangle(origin: [f64; 2], size: [f64; 2], cells: [usize; 2], kind: CellKind) -> Mesh<2> {
    let linear = if kind.n_corners() == 3 { CellKind::Triangle3 } else { CellKind::Quad4 };
    let mesh = generate::rectangle(origin, size, cells, linear, 1).unwrap();
    if kind.is_linear() { mesh } else { mesh.to_quadratic().unwrap() }
}

/// Every node's radial and axial displacement.
fn nodes_of(q: &[f64]) -> impl Iterator<Item = [f64; 2]> + '_ {
    q.chunks_exact(2).map(|u| [u[0], u[1]])
}

/// u = (A r, B z) has uniform stress and needs no body force; every element holds it and its rules integrate it exactly. 1e-12: rounding.
#[test]
fn uniform_stress_passes_the_patch_test() {
    let (a, b) = (1e-3, -4e-4);
    let mu = YOUNG / (2.0 * (1.0 + POISSON));
    let lambda = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    let pressure = lambda * (2.0 * a + b);
    let stress = [pressure + 2.0 * mu * a, pressure + 2.0 * mu * b, pressure + 2.0 * mu * a, 0.0, 0.0, 0.0];
    for kind in kinds::<2>() {
        for formulation in [Formulation::Standard, Formulation::BBar] {
            let body = body_on(ring(kind, 4), formulation);
            let points = body.mesh().points.clone();
            let boundary: std::collections::BTreeSet<usize> =
                body.mesh().boundary().iter().flat_map(|f| f.nodes.clone()).collect();
            let fixed: Vec<(usize, f64)> =
                boundary.iter().flat_map(|&n| [(2 * n, a * points[n][0]), (2 * n + 1, b * points[n][1])]).collect();
            let q = equilibrium(&body, &fixed, &vec![0.0; body.n_dof()]);
            for (u, x) in nodes_of(&q).zip(&points) {
                let error = (u[0] - a * x[0]).abs() + (u[1] - b * x[1]).abs();
                assert!(error < 1e-12 * 5e-3, "{kind} {formulation:?}: {error:e}");
            }
            let fields = body.cell_fields(&State::new(0.0, q.clone(), vec![0.0; q.len()]));
            for got in &fields.stress {
                assert!((0..6).all(|k| (got[k] - stress[k]).abs() < 1e-12 * stress[0].abs()), "{kind}: {got:?}");
            }
        }
    }
}

/// Only a shift along the axis is free, in every element.
#[test]
fn one_cell_has_one_rigid_motion() {
    for kind in kinds::<2>() {
        for formulation in [Formulation::Standard, Formulation::BBar] {
            let mut mesh = ring(kind, 1);
            if kind.n_corners() == 3 {
                // one of the two triangles
                let block = mesh.blocks.iter_mut().find(|b| b.kind == kind).unwrap();
                block.nodes.truncate(kind.n_nodes());
                let used = block.nodes.clone();
                let points = used.iter().map(|&n| mesh.points[n]).collect();
                let nodes = (0..used.len()).collect();
                mesh = Mesh { points, blocks: vec![delassus_mesh::CellBlock { kind, nodes }], groups: vec![] };
            }
            let k: DMatrix<f64> = dense(&body_on(mesh, formulation).matrices().stiffness);
            let values = k.symmetric_eigen().eigenvalues;
            let largest = values.amax();
            let free = values.iter().filter(|x| x.abs() < 1e-10 * largest).count();
            assert_eq!(free, 1, "{kind} {formulation:?}: {values}");
        }
    }
}

/// Lamé: σ_r = p a²/(b²−a²) (1 − b²/r²) under p inside, plane strain. The error of the radial displacement inside falls with the square of the cell in linear
/// elements, faster in quadratic ones.
#[test]
fn thick_tube_converges_to_lame() {
    let (a, b, p) = (1.0, 2.0, 0.01);
    let c = p * a * a / (b * b - a * a);
    let exact = |r: f64| (1.0 + POISSON) / YOUNG * c * ((1.0 - 2.0 * POISSON) * r + b * b / r);
    for kind in kinds::<2>() {
        let error = |n: usize| {
            let mesh = rectangle([a, 0.0], [b - a, 0.5], [n, 2], kind);
            let input = BodyInput {
                section: Section::Axisymmetric,
                surface_loads: vec![SurfaceLoad {
                    group: "left".into(),
                    traction: Traction::Pressure(p),
                    factor: TimeFunction::Constant(1.0),
                }],
                ..BodyInput::new("tube", Arc::new(mesh), soft())
            };
            let body = Body::new(input).unwrap();
            let mut load = vec![0.0; body.n_dof()];
            body.loads_into(0.0, &mut load);
            let fixed: Vec<(usize, f64)> = (0..body.mesh().points.len()).map(|n| (2 * n + 1, 0.0)).collect();
            let q = equilibrium(&body, &fixed, &load);
            let inside = body.mesh().points.iter().position(|x| x[0] <= a && x[1] <= 0.0).unwrap();
            (q[2 * inside] / exact(a) - 1.0).abs()
        };
        let (coarse, fine) = (error(4), error(8));
        let (factor, most) = if kind.is_linear() { (3.4, 0.03) } else { (5.0, 1e-3) };
        assert!(coarse < most && fine * factor < coarse, "{kind}: {coarse:e} {fine:e}");
    }
}

/// A hollow sphere under pressure inside: u_r = p a³/(E (b³−a³)) ((1−2ν) ρ + (1+ν) b³/(2ρ²)). Curved quadratic cells, half of the sphere, on the axis too.
#[test]
fn hollow_sphere_converges() {
    let (a, b, p) = (1.0_f64, 2.0_f64, 0.01);
    let c = p * a.powi(3) / (YOUNG * (b.powi(3) - a.powi(3)));
    let exact = |s: f64| c * ((1.0 - 2.0 * POISSON) * s + (1.0 + POISSON) * b.powi(3) / (2.0 * s * s));
    let error = |n: usize, kind: CellKind| {
        // (radius, angle from the equator) → (r, z)
        let mut mesh = rectangle([a, 0.0], [b - a, 0.5 * PI], [n, 2 * n], kind);
        for x in &mut mesh.points {
            let (s, angle) = (x[0], x[1]);
            *x = [s * angle.cos(), s * angle.sin()];
            if x[0] < 1e-12 {
                x[0] = 0.0;
            }
        }
        let load =
            SurfaceLoad { group: "left".into(), traction: Traction::Pressure(p), factor: TimeFunction::Constant(1.0) };
        let input = BodyInput {
            section: Section::Axisymmetric,
            surface_loads: vec![load],
            ..BodyInput::new("sphere", Arc::new(mesh), soft())
        };
        let body = Body::new(input).unwrap();
        let mut load = vec![0.0; body.n_dof()];
        body.loads_into(0.0, &mut load);
        let points = body.mesh().points.clone();
        let mut fixed: Vec<(usize, f64)> = body.prescribed().iter().map(|&dof| (dof, 0.0)).collect();
        assert_eq!(fixed.len(), points.iter().filter(|x| x[0] <= 0.0).count(), "the axis is held by itself");
        fixed.extend(points.iter().enumerate().filter(|(_, x)| x[1] <= 0.0).map(|(n, _)| (2 * n + 1, 0.0)));
        let q = equilibrium(&body, &fixed, &load);
        let off = |(u, x): ([f64; 2], &[f64; 2])| {
            let s = x[0].hypot(x[1]);
            let u_s = (u[0] * x[0] + u[1] * x[1]) / s;
            let across = (u[1] * x[0] - u[0] * x[1]) / s;
            (u_s - exact(s)).abs().max(across.abs())
        };
        nodes_of(&q).zip(&points).map(off).fold(0.0, f64::max) / exact(a)
    };
    let (coarse, fine) = (error(4, CellKind::Quad4), error(8, CellKind::Quad4));
    assert!(coarse < 0.05 && 3.0 * fine < coarse, "{coarse:e} {fine:e}");
    let (coarse, fine) = (error(3, CellKind::Quad8), error(6, CellKind::Quad8));
    assert!(coarse < 3e-3 && 6.0 * fine < coarse, "{coarse:e} {fine:e}");
}

/// ρ V by Pappus, with lumped and consistent masses; a pressure has the resultant of its projection.
#[test]
fn masses_and_loads_are_those_of_the_full_turn() {
    for kind in kinds::<2>() {
        let mesh = rectangle([0.0, 0.2], [0.7, 0.5], [3, 2], kind);
        for mass in [delassus_fem::MassKind::Lumped, delassus_fem::MassKind::Consistent] {
            let load = |traction| SurfaceLoad { group: "top".into(), traction, factor: TimeFunction::Constant(1.0) };
            let input = BodyInput {
                section: Section::Axisymmetric,
                mass,
                gravity: vec![Gravity { acceleration: [0.0, -9.81], factor: TimeFunction::Constant(1.0) }],
                ..BodyInput::new("disc", Arc::new(mesh.clone()), soft())
            };
            let body = Body::new(input.clone()).unwrap();
            let volume = PI * 0.7 * 0.7 * 0.5;
            assert!((body.total_mass() / (2.5 * volume) - 1.0).abs() < 1e-13, "{kind}");
            let sum = |body: &Body<2>| {
                let mut f = vec![0.0; body.n_dof()];
                body.loads_into(0.0, &mut f);
                nodes_of(&f).fold([0.0, 0.0], |s, f| [s[0] + f[0], s[1] + f[1]])
            };
            assert!((sum(&body)[1] / (-9.81 * 2.5 * volume) - 1.0).abs() < 1e-13, "{kind}");
            let pressed =
                BodyInput { gravity: vec![], surface_loads: vec![load(Traction::Pressure(3.0))], ..input.clone() };
            let [radial, axial] = sum(&Body::new(pressed).unwrap());
            assert!((axial / (-3.0 * PI * 0.49) - 1.0).abs() < 1e-13 && radial.abs() < 1e-13, "{kind}: {axial}");
            let side = SurfaceLoad { group: "right".into(), ..load(Traction::Pressure(3.0)) };
            let pressed = BodyInput { gravity: vec![], surface_loads: vec![side], ..input };
            let [radial, _] = sum(&Body::new(pressed).unwrap());
            assert!((radial / (-3.0 * 2.0 * PI * 0.7 * 0.5) - 1.0).abs() < 1e-13, "{kind}: {radial}");
            let facets = body.mesh().group_facets("top").unwrap();
            let area: f64 = body.tributary_areas(&facets).unwrap().iter().map(|a| a.1).sum();
            assert!((area / (PI * 0.49) - 1.0).abs() < 1e-13, "{kind}: {area}");
            let area: f64 = body.face_points(&facets).unwrap().iter().map(|p| p.area).sum();
            assert!((area / (PI * 0.49) - 1.0).abs() < 1e-13, "{kind}: {area}");
        }
    }
}

/// Stored cell matrices and quadrature points tell the same: an elastic body with internal variables has f = K q, and a shift along the axis no force at all.
#[test]
fn both_paths_give_the_same_forces() {
    let elastic = MaterialSpec::Maxwell(Maxwell { young: Some(YOUNG), poisson: Some(POISSON), ..Maxwell::default() });
    for kind in kinds::<2>() {
        for formulation in [Formulation::Standard, Formulation::BBar] {
            let input = BodyInput {
                section: Section::Axisymmetric,
                formulation,
                ..BodyInput::new("ring", Arc::new(ring(kind, 3)), elastic.build(2.5).unwrap())
            };
            let body = Body::new(input).unwrap();
            let from = body.at_start(vec![0.0; body.n_dof()]);
            let dq = Numbers::new(3).vector(body.n_dof());
            let motion = Motion { from: &from, dq: &dq, h: 1.0 };
            let response = body.respond(&motion);
            let mut force = vec![0.0; dq.len()];
            body.elastic_force_into(&dq, &mut force);
            let size = force.iter().fold(0.0, |m: f64, f| m.max(f.abs()));
            let error = force.iter().zip(&response.force).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-13 * size, "{kind} {formulation:?}: {error:e}");
            assert!((response.stored / body.elastic_energy(&dq) - 1.0).abs() < 1e-13, "{kind}");
            let k = dense(&body.matrices().stiffness);
            let product = &k * nalgebra::DVector::from_vec(dq.clone());
            let error = force.iter().zip(product.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-13 * size, "{kind} {formulation:?}: {error:e}");
            let tangent = body.tangent(&motion);
            let values = body.matrices().stiffness.values();
            assert!(tangent.iter().zip(values).all(|(a, b)| (a - b).abs() < 1e-13 * size), "{kind}");
            let shift: Vec<f64> = (0..dq.len()).map(|i| if i % 2 == 1 { 1e6 } else { 0.0 }).collect();
            body.elastic_force_into(&shift, &mut force);
            assert!(force.iter().all(|f| f.abs() <= 0.0), "{kind}: a shift along the axis is no strain");
            let floating = body.floating().unwrap();
            assert_eq!(floating.modes.len(), 1);
            assert!(floating.modes[0].name.contains("along y"), "{}", floating.modes[0].name);
        }
    }
}

fn refused(change: impl FnOnce(&mut BodyInput<2>)) -> FemError {
    let mesh = rectangle([0.0, 0.0], [1.0, 1.0], [2, 2], CellKind::Quad4);
    let mut input = BodyInput { section: Section::Axisymmetric, ..BodyInput::new("ring", Arc::new(mesh), soft()) };
    change(&mut input);
    Body::new(input).unwrap_err()
}

#[test]
fn what_has_no_axis_is_refused() {
    let code = |e: &FemError| e.code().0;
    let mirrored = refused(|input| {
        let mut mesh = (*input.mesh).clone();
        mesh.points.iter_mut().for_each(|x| x[0] -= 0.25);
        input.mesh = Arc::new(mesh);
    });
    assert_eq!(code(&mirrored), "E0681");
    assert!(mirrored.to_string().contains("x = -0.25"), "{mirrored}");
    let turning = Kinematics::Corotational { frames: delassus_fem::FrameScope::Body };
    for kinematics in [turning, Kinematics::UpdatedGeometry { rate: delassus_fem::ObjectiveRate::Jaumann }] {
        assert_eq!(code(&refused(|input| input.kinematics = kinematics)), "E0682");
    }
    assert_eq!(code(&refused(|input| input.formulation = Formulation::IncompatibleModes)), "E0683");
    let gravity = Gravity { acceleration: [1.0, 0.0], factor: TimeFunction::Constant(1.0) };
    assert_eq!(code(&refused(|input| input.gravity = vec![gravity])), "E0684");
    let couple = SurfaceLoad {
        group: "top".into(),
        traction: Traction::Couple([0.0, 0.0, 1.0]),
        factor: TimeFunction::Constant(1.0),
    };
    assert_eq!(code(&refused(|input| input.surface_loads = vec![couple])), "E0684");
    let motion = |group: &str, value| PrescribedVelocity {
        group: group.into(),
        component: 0,
        velocity: TimeFunction::Constant(value),
    };
    let moved = refused(|input| input.prescribed = vec![motion("left", 0.5)]);
    assert_eq!(code(&moved), "E0685");
    assert!(moved.to_string().contains("`left`"), "{moved}");
    // nothing is wrong with a wall that is held
    let mesh = rectangle([0.0, 0.0], [1.0, 1.0], [2, 2], CellKind::Quad4);
    let held = BodyInput {
        section: Section::Axisymmetric,
        prescribed: vec![motion("bottom", 0.0)],
        ..BodyInput::new("ring", Arc::new(mesh), build(delassus_fem::KelvinVoigt::elastic(1.0, 0.2), 1.0))
    };
    assert_eq!(Body::new(held).unwrap().prescribed().len(), 5);
}
