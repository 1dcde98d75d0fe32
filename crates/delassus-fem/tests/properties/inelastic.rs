//! Properties of bodies with memory or moving geometry, for every element.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, State, System};
use delassus_fem::{
    Body, BodyInput, Formulation, GeneralizedMaxwell, Gravity, InitialStress, Kinematics, Lithostatic, Material,
    MaterialSpec, Maxwell, ObjectiveRate, PronyTerm, Section, TimeFunction,
};
use delassus_mesh::{CellKind, Mesh, generate};

use crate::support::{Numbers, distorted, kinds, max_abs, soft};

fn maxwell(viscosity: Option<f64>) -> Arc<dyn Material> {
    let law = Maxwell { viscosity, ..Maxwell::new(3.0, 0.3, 1.0) };
    MaterialSpec::Maxwell(law).build(2.5).unwrap()
}

fn prony() -> Arc<dyn Material> {
    let terms = vec![PronyTerm { share: 0.4, time: 0.3 }, PronyTerm { share: 0.2, time: 3.0 }];
    let law = GeneralizedMaxwell { young: Some(3.0), poisson: Some(0.3), terms, ..GeneralizedMaxwell::default() };
    MaterialSpec::GeneralizedMaxwell(law).build(2.5).unwrap()
}

const RATES: [Kinematics; 2] = [
    Kinematics::UpdatedGeometry { rate: ObjectiveRate::GreenNaghdi },
    Kinematics::UpdatedGeometry { rate: ObjectiveRate::Jaumann },
];

fn body_of<const D: usize>(
    mesh: Mesh<D>,
    material: Arc<dyn Material>,
    formulation: Formulation,
    kinematics: Kinematics,
) -> Body<D> {
    let section = if D == 2 { Section::PlaneStrain { thickness: 0.7 } } else { Section::Solid };
    let input = BodyInput::new("test", Arc::new(mesh), material);
    Body::new(BodyInput { section, formulation, kinematics, ..input }).unwrap()
}

fn every<const D: usize>(check: impl Fn(CellKind, Formulation, &str)) {
    for kind in kinds::<D>() {
        for formulation in [Formulation::Standard, Formulation::BBar] {
            check(kind, formulation, &format!("{kind} {formulation:?}"));
        }
    }
}

fn start<const D: usize>(body: &Body<D>) -> State {
    body.at_start(vec![0.0; body.n_dof()])
}

fn force<const D: usize>(body: &Body<D>, from: &State, dq: &[f64], h: f64) -> Vec<f64> {
    body.respond(&Motion { from, dq, h }).force
}

fn advanced<const D: usize>(body: &Body<D>, from: &State, dq: &[f64], h: f64) -> State {
    let z = body.respond(&Motion { from, dq, h }).z;
    let q = from.q.iter().zip(dq).map(|(q, d)| q + d).collect();
    State { t: from.t + h, q, z, ..from.clone() }
}

fn springs_alone<const D: usize>() {
    every::<D>(|kind, formulation, name| {
        let linear = body_of::<D>(distorted(kind, 2), soft(), formulation, Kinematics::SmallStrain);
        let springs = body_of::<D>(distorted(kind, 2), maxwell(None), formulation, Kinematics::SmallStrain);
        assert!(linear.inelastic().is_none() && springs.inelastic().is_some());
        let q = Numbers::new(3).vector(linear.n_dof());
        let mut expected = vec![0.0; q.len()];
        linear.elastic_force_into(&q, &mut expected);
        // in two steps: the internal variables carry the first
        let half: Vec<f64> = q.iter().map(|q| 0.5 * q).collect();
        let middle = advanced(&springs, &start(&springs), &half, 1.0);
        let f = force(&springs, &middle, &half, 1.0);
        let error = f.iter().zip(&expected).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-13 * max_abs(&expected), "{name}: {error:e}, rounding of sums over points");
        let end = advanced(&springs, &middle, &half, 1.0);
        let stored = (&springs as &dyn System).stored_energy(&end);
        assert!((stored / linear.elastic_energy(&q) - 1.0).abs() < 1e-13, "{name}");
        let (a, b) = (springs.cell_fields(&end), linear.cell_fields(&State::new(0.0, q.clone(), vec![0.0; q.len()])));
        for (a, b) in a.stress.as_flattened().iter().zip(b.stress.as_flattened()) {
            assert!((a - b).abs() < 1e-12, "{name}: stresses of order 10");
        }
    });
}

#[test]
fn springs_alone_make_the_linear_body() {
    springs_alone::<2>();
    springs_alone::<3>();
}

fn tangent_is_derivative<const D: usize>() {
    every::<D>(|kind, formulation, name| {
        for material in [maxwell(Some(0.8)), prony()] {
            let body = body_of::<D>(distorted(kind, 1), material, formulation, Kinematics::SmallStrain);
            let mut numbers = Numbers::new(11);
            let n = body.n_dof();
            let from = advanced(&body, &start(&body), &numbers.vector(n), 0.2);
            check_tangent(&body, &from, &numbers.vector(n), name, 1e-9);
        }
    });
}

/// ∂f/∂Δq by central differences against the tangent, on some columns.
fn check_tangent<const D: usize>(body: &Body<D>, from: &State, dq: &[f64], name: &str, tolerance: f64) {
    let (h, step) = (0.1, 1e-4);
    let tangent = crate::support::dense_values(body.matrices().pattern(), &body.tangent(&Motion { from, dq, h }));
    let scale = tangent.amax();
    for j in (0..dq.len()).step_by(3) {
        let moved = |d: f64| {
            let mut dq = dq.to_vec();
            dq[j] += d;
            force(body, from, &dq, h)
        };
        let (plus, minus) = (moved(step), moved(-step));
        for i in 0..dq.len() {
            let secant = (plus[i] - minus[i]) / (2.0 * step);
            let error = (tangent[(i, j)] - secant).abs() / scale;
            assert!(error < tolerance, "{name}: entry ({i}, {j}) {secant} {}", tangent[(i, j)]);
        }
    }
}

#[test]
fn tangent_is_the_derivative_of_the_force() {
    tangent_is_derivative::<2>();
    tangent_is_derivative::<3>();
}

/// Without stress the part that is left out of the tangent vanishes; the motion of 1e-6 cells leaves as much.
#[test]
fn tangent_of_moving_geometry_is_the_derivative_where_there_is_no_stress() {
    every::<2>(|kind, formulation, name| {
        for kinematics in RATES {
            let body = body_of::<2>(distorted(kind, 1), maxwell(Some(0.8)), formulation, kinematics);
            let dq = vec![0.0; body.n_dof()];
            // central differences of a smooth function with steps of 1e-4
            check_tangent(&body, &start(&body), &dq, name, 1e-6);
        }
    });
}

fn translation_leaves_nothing<const D: usize>() {
    every::<D>(|kind, formulation, name| {
        for kinematics in [Kinematics::SmallStrain, RATES[0], RATES[1]] {
            let body = body_of::<D>(distorted(kind, 2), maxwell(Some(1.0)), formulation, kinematics);
            let dq: Vec<f64> = (0..body.n_dof()).map(|i| [1e3, -2e3, 5e2][i % D]).collect();
            let f = force(&body, &start(&body), &dq, 0.5);
            // positions of 1e3 are rounded to 1e-13, which moving geometry sees in gradients
            let allowed = if kinematics == Kinematics::SmallStrain { 0.0 } else { 1e-10 };
            assert!(max_abs(&f) <= allowed, "{name} {kinematics:?}: {:e}", max_abs(&f));
        }
    });
}

#[test]
fn translation_leaves_no_force() {
    translation_leaves_nothing::<2>();
    translation_leaves_nothing::<3>();
}

/// A body under stress is turned by a large angle in one step: the forces turn with it, for both rates.
#[test]
fn forces_turn_with_the_body() {
    every::<2>(|kind, formulation, name| {
        for kinematics in RATES {
            let body = body_of::<2>(distorted(kind, 2), maxwell(None), formulation, kinematics);
            let mut numbers = Numbers::new(23);
            let dq: Vec<f64> = numbers.vector(body.n_dof()).iter().map(|x| 0.02 * x).collect();
            let strained = advanced(&body, &start(&body), &dq, 1.0);
            let before = force(&body, &strained, &vec![0.0; dq.len()], 0.0);
            let (sin, cos) = 2.1_f64.sin_cos();
            let turn = |x: f64, y: f64| [cos * x - sin * y, sin * x + cos * y];
            let positions = body.positions(&strained.q);
            let rigid: Vec<f64> = positions
                .iter()
                .flat_map(|x| {
                    let y = turn(x[0], x[1]);
                    [y[0] - x[0], y[1] - x[1]]
                })
                .collect();
            let after = force(&body, &strained, &rigid, 1.0);
            for (a, b) in after.chunks_exact(2).zip(before.chunks_exact(2)) {
                let b = turn(b[0], b[1]);
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 1e-12, "{name} {kinematics:?}: forces of order 0.1");
            }
        }
    });
}

/// The work of the stresses is what the body stores and dissipates, less what volumes took along: to rounding, in every step.
fn path_work_closes<const D: usize>() {
    every::<D>(|kind, formulation, name| {
        let small = Kinematics::SmallStrain;
        let bodies = [
            (maxwell(Some(0.8)), small),
            (prony(), small),
            (maxwell(Some(0.8)), RATES[0]),
            (maxwell(Some(0.8)), RATES[1]),
        ];
        for (material, kinematics) in bodies {
            let body = body_of::<D>(distorted(kind, 1), material, formulation, kinematics);
            let mut numbers = Numbers::new(31);
            let mut motion = || numbers.vector(body.n_dof()).iter().map(|x| 0.03 * x).collect::<Vec<f64>>();
            let from = advanced(&body, &start(&body), &motion(), 0.2);
            let before = (&body as &dyn System).stored_energy(&from);
            let after = body.respond(&Motion { from: &from, dq: &motion(), h: 0.1 });
            let left = after.path_work - (after.stored - before - after.dilated) - after.dissipated;
            let scale = after.path_work.abs() + after.dissipated;
            // rounding of some points; volumes that take nothing along would leave 1e-2
            assert!(left.abs() < 1e-13 * scale, "{name} {kinematics:?}: {left:e} of {scale:e}");
            assert!(after.dissipated > 1e-2 * scale && (after.stored - before).abs() > 1e-2 * scale, "{name}");
            assert_eq!(after.dilated.abs() > 1e-4 * scale, kinematics != small, "{name} {kinematics:?}");
        }
    });
}

#[test]
fn path_work_is_what_is_stored_and_dissipated() {
    path_work_closes::<2>();
    path_work_closes::<3>();
}

/// Work of the nodes' forces with weight θ over a turn and a stretch in n steps, less that of the stresses; and what volumes took along.
fn geometry_error(kinematics: Kinematics, theta: f64, n: usize) -> (f64, f64) {
    let body = body_of::<2>(distorted(CellKind::Quad4, 2), maxwell(Some(5.0)), Formulation::Standard, kinematics);
    // turned by 0.6, stretched by 20 and 10 %, each in equal parts of time
    let place = |x: &[f64; 2], t: f64| {
        let (sin, cos) = (0.6 * t).sin_cos();
        let y = [x[0] * (1.0 + 0.2 * t), x[1] * (1.0 + 0.1 * t)];
        [cos * y[0] - sin * y[1] - x[0], sin * y[0] + cos * y[1] - x[1]]
    };
    let at = |t: f64| body.mesh().points.iter().flat_map(|x| place(x, t)).collect::<Vec<f64>>();
    let (mut state, mut force) = (start(&body), vec![0.0; body.n_dof()]);
    let (mut error, mut dilated) = (0.0, 0.0);
    for k in 1..=n {
        let dq: Vec<f64> = at(k as f64 / n as f64).iter().zip(&state.q).map(|(b, a)| b - a).collect();
        let after = body.respond(&Motion { from: &state, dq: &dq, h: 1.0 / n as f64 });
        let work: f64 = (0..dq.len()).map(|i| dq[i] * ((1.0 - theta) * force[i] + theta * after.force[i])).sum();
        error += work - after.path_work;
        dilated += after.dilated;
        state = advanced(&body, &state, &dq, 1.0 / n as f64);
        force = after.force;
    }
    (error, dilated)
}

/// What the scheme takes with moving geometry vanishes with the step: as h² for θ = ½, as h for θ = 1. What volumes take along does not: it is a property
/// of the material's rate form.
#[test]
fn work_of_forces_and_of_stresses_agree_in_the_limit() {
    for kinematics in RATES {
        for (theta, order) in [(0.5, 2.0), (1.0, 1.0)] {
            let [coarse, middle, fine] = [50, 100, 200].map(|n| geometry_error(kinematics, theta, n));
            let found = [(coarse.0 / middle.0).abs().log2(), (middle.0 / fine.0).abs().log2()];
            assert!(found.iter().all(|f| (f - order).abs() < 0.1), "{kinematics:?}, θ = {theta}: {found:?}");
            let change = (fine.1 - middle.1).abs() / fine.1;
            assert!(fine.1 > 1e-3 && change < 1e-3, "{kinematics:?}: {} {}", middle.1, fine.1);
        }
    }
}

/// σ_xy/μ of a cell sheared to γ in n steps.
fn sheared<const D: usize>(mesh: Mesh<D>, kinematics: Kinematics, gamma: f64, n: usize) -> f64 {
    let body = body_of::<D>(mesh, maxwell(None), Formulation::Standard, kinematics);
    let dq: Vec<f64> = body
        .mesh()
        .points
        .iter()
        .flat_map(|x| {
            let mut d = [0.0; D];
            d[0] = gamma / n as f64 * x[1];
            d
        })
        .collect();
    let end = (0..n).fold(start(&body), |state, _| advanced(&body, &state, &dq, 1.0));
    let mu = 3.0 / 2.6;
    body.cell_fields(&end).stress[0][3] / mu
}

/// Jaumann: sin γ. Green–Naghdi: 2 cos 2β (2β − 2 tan 2β ln cos β − tan β), tan β = γ/2 (Dienes 1979).
#[test]
fn rates_in_large_simple_shear() {
    let exact = |gamma: f64| {
        let b = (0.5 * gamma).atan();
        2.0 * (2.0 * b).cos() * (2.0 * b - 2.0 * (2.0 * b).tan() * b.cos().ln() - b.tan())
    };
    for (gamma, green_naghdi, jaumann) in [(1.0, 0.869784, 0.841471), (4.0, 2.317944, -0.756802)] {
        assert!((exact(gamma) - green_naghdi).abs() < 1e-6 && (f64::sin(gamma) - jaumann).abs() < 1e-6);
        let mut errors = Vec::new();
        for n in [100, 200] {
            let square = |kind| generate::rectangle([0.0, 0.0], [1.0, 1.0], [1, 1], kind, 1).unwrap();
            let cube = || generate::block([0.0; 3], [1.0; 3], [1, 1, 1], CellKind::Hexahedron8, 1).unwrap();
            for (kinematics, exact) in RATES.into_iter().zip([exact(gamma), gamma.sin()]) {
                let found = [
                    sheared(square(CellKind::Triangle3), kinematics, gamma, n),
                    sheared(square(CellKind::Quad4), kinematics, gamma, n),
                    sheared(cube(), kinematics, gamma, n),
                ];
                for s in found {
                    assert!((s - exact).abs() < 1e-3, "γ = {gamma}, {kinematics:?}, {n} steps: {s}, exact {exact}");
                }
                errors.push((found[0] - exact).abs());
            }
        }
        // second order: a quarter at half the step
        assert!(errors[2] < 0.3 * errors[0] && errors[3] < 0.3 * errors[1], "γ = {gamma}: {errors:?}");
    }
}

/// Under its own weight a body with lithostatic stress is in balance at every node that is not held, whatever the mesh of
/// linear triangles, tetrahedra or quadratic cells; bilinear ones to their quadrature.
#[test]
fn lithostatic_stress_carries_the_weight() {
    for kind in [CellKind::Triangle3, CellKind::Quad4] {
        let mut mesh = generate::rectangle([0.0, -10.0], [20.0, 10.0], [8, 5], kind, 1).unwrap();
        let mut numbers = Numbers::new(4);
        let inside = |x: &[f64; 2]| x[0] > 0.1 && x[0] < 19.9 && x[1] > -9.9 && x[1] < -0.1;
        for x in mesh.points.iter_mut().filter(|x| inside(x)) {
            x.iter_mut().for_each(|x| *x += 0.3 * numbers.next());
        }
        let gravity = [0.0, -10.0];
        let stress = Lithostatic { surface: [3.0, 0.0], density: 2.5, gravity, lateral: 0.4 };
        let input = BodyInput {
            gravity: vec![Gravity { acceleration: gravity, factor: TimeFunction::Constant(1.0) }],
            initial_stress: Some(InitialStress::Lithostatic(stress)),
            ..BodyInput::new("rock", Arc::new(mesh), maxwell(Some(1.0)))
        };
        let body = Body::new(input).unwrap();
        let state = start(&body);
        let mut load = vec![0.0; body.n_dof()];
        body.loads_into(0.0, &mut load);
        let f = force(&body, &state, &vec![0.0; load.len()], 0.0);
        let weight = max_abs(&load);
        for (node, x) in body.mesh().points.iter().enumerate() {
            let (left, top_or_inside) = (f[2 * node] - load[2 * node], x[1] > -9.9);
            let out = (f[2 * node + 1] - load[2 * node + 1]).abs();
            // a linear stress is integrated exactly by one point of a triangle; four of a distorted quadrilateral do too
            if top_or_inside {
                assert!(out < 1e-12 * weight, "{kind}: node {node} at {x:?}, {out:e} of {weight:e}");
            }
            if x[0] > 0.1 && x[0] < 19.9 {
                assert!(left.abs() < 1e-12 * weight, "{kind}: node {node} at {x:?} is pushed sideways by {left:e}");
            }
        }
        let fields = body.cell_fields(&state);
        let deepest = fields.stress.iter().map(|s| s[1]).fold(0.0, f64::min);
        assert!(deepest < -200.0, "some cell is near the bottom: {deepest}");
        for s in &fields.stress {
            assert!((s[0] - 0.4 * s[1]).abs() < 1e-12 * s[1].abs() && (s[2] - s[0]).abs() < 1e-12 * s[1].abs());
        }
    }
}

/// A motion that turns cells over gives forces that are not numbers, and no panic.
#[test]
fn cells_turned_over_on_the_way_are_told() {
    for kinematics in RATES {
        let body = body_of::<2>(distorted(CellKind::Quad4, 2), maxwell(Some(1.0)), Formulation::Standard, kinematics);
        let from = start(&body);
        let mirrored: Vec<f64> = body.mesh().points.iter().flat_map(|x| [-2.0 * x[0], 0.0]).collect();
        assert!(force(&body, &from, &mirrored, 1.0).iter().any(|f| f.is_nan()));
    }
}
