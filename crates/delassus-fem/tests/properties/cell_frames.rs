//! Bodies whose cells have frames of their own, beyond what they share with bodies of one frame (`corotation`): formulations and sections, tangents
//! against differences, what is left in the frames.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, State, Stresses, System, TangentAt, Turning, symmetric_times_into};
use delassus_fem::{
    Body, BodyInput, Formulation, FrameScope, KelvinVoigt, Kinematics, Material, MaterialSpec, Section,
};
use delassus_mesh::{CellKind, generate};
use nalgebra::DMatrix;

use crate::support::{Numbers, distorted, kinds, max_abs, soft};

const CELLS: Kinematics = Kinematics::Corotational { frames: FrameScope::Elements };

fn viscous() -> Arc<dyn Material> {
    MaterialSpec::KelvinVoigt(KelvinVoigt {
        shear_viscosity: 0.2,
        bulk_viscosity: 0.1,
        young: Some(3.0),
        poisson: Some(0.3),
        ..KelvinVoigt::default()
    })
    .build(2.0)
    .unwrap()
}

/// Every element with every formulation and section that it has.
fn every<const D: usize>(mut check: impl FnMut(&Body<D>, &str)) {
    let sections = if D == 2 {
        vec![Section::PlaneStrain { thickness: 0.7 }, Section::PlaneStress { thickness: 0.3 }]
    } else {
        vec![Section::Solid]
    };
    for kind in kinds::<D>() {
        for section in &sections {
            for formulation in [Formulation::Standard, Formulation::BBar, Formulation::IncompatibleModes] {
                if formulation == Formulation::BBar && matches!(section, Section::PlaneStress { .. }) {
                    continue;
                }
                let input = BodyInput::new("test", Arc::new(distorted::<D>(kind, 1)), viscous());
                let input = BodyInput { section: *section, formulation, kinematics: CELLS, ..input };
                check(&Body::new(input).unwrap(), &format!("{kind} {formulation:?} {section:?}"));
            }
        }
    }
}

/// Displacements of a body that is turned, bent along x, and strained at random.
fn bent<const D: usize>(body: &Body<D>, [curvature, turn]: [f64; 2], numbers: &mut Numbers, strain: f64) -> Vec<f64> {
    let mut q = Vec::new();
    for x in &body.mesh().points {
        let (angle, r) = (curvature * x[0] + turn, 1.0 / curvature - x[1]);
        let mut place = *x;
        (place[0], place[1]) = (r * angle.sin(), 1.0 / curvature - r * angle.cos());
        q.extend((0..D).map(|i| place[i] - x[i] + strain * numbers.next()));
    }
    q
}

fn forces<const D: usize>(body: &Body<D>, q: &[f64]) -> Vec<f64> {
    let from = State { q: q.to_vec(), ..body.at_start(vec![0.0; body.n_dof()]) };
    body.respond(&Motion { from: &from, dq: &vec![0.0; q.len()], h: 0.0 }).force
}

/// (8 (f(s) − f(−s)) − (f(2s) − f(−2s))) / 12 s of a function of vectors.
fn slope(f: impl Fn(f64) -> Vec<f64>, s: f64) -> Vec<f64> {
    let [a, b, c, d] = [s, -s, 2.0 * s, -2.0 * s].map(f);
    (0..a.len()).map(|i| (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * s)).collect()
}

fn along(q: &[f64], s: f64, direction: &[f64]) -> Vec<f64> {
    q.iter().zip(direction).map(|(q, d)| q + s * d).collect()
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}

fn tangents<const D: usize>() {
    let mut numbers = Numbers::new(21);
    every::<D>(|body, name| {
        let (q, n) = (bent(body, [0.4, 2.0], &mut numbers, 0.02), body.n_dof());
        let direction: Vec<f64> = (0..n).map(|_| numbers.next()).collect();
        let from = State { q: q.clone(), ..body.at_start(vec![0.0; n]) };
        let still = vec![0.0; n];
        let motion = Motion { from: &from, dq: &still, h: 0.1 };
        let pattern = body.matrices().pattern();
        let mut found = vec![0.0; n];
        // the Hessian of the energy
        let tangent = body.step_tangent(&motion, TangentAt::End, Stresses::Counted).unwrap();
        symmetric_times_into(pattern, &tangent.stiffness, &direction, &mut found);
        let exact = slope(|s| forces(body, &along(&q, s, &direction)), 1e-3);
        // differences of five points: s⁴, and rounding over s
        assert!(worst(&found, &exact) < 1e-8 * max_abs(&exact), "{name}: {:e}", worst(&found, &exact));
        // the force of a step from rest, at two levels
        for theta in [0.5, 1.0] {
            let tangent = body.step_tangent(&motion, TangentAt::Middle { theta }, Stresses::Counted).unwrap();
            symmetric_times_into(pattern, &tangent.stiffness, &direction, &mut found);
            let start = body.begin(&from, 0.1);
            let force = |s: f64| {
                let dq = along(&still, s, &direction);
                body.step_force(&start, &Motion { from: &from, dq: &dq, h: 0.1 }, theta)
            };
            let exact: Vec<f64> = slope(force, 1e-3).iter().map(|f| f / theta).collect();
            assert!(worst(&found, &exact) < 1e-8 * max_abs(&exact), "{name} θ {theta}: {:e}", worst(&found, &exact));
        }
        // viscosity, linear in the velocities
        let damping = tangent.damping.unwrap();
        symmetric_times_into(pattern, &damping, &direction, &mut found);
        let mut exact = vec![0.0; n];
        body.viscous_force_into(&q, &direction, &mut exact);
        assert!(worst(&found, &exact) < 1e-12 * max_abs(&exact), "{name}: {:e}", worst(&found, &exact));
        // without the stresses it is never indefinite
        let values = body.step_tangent(&motion, TangentAt::End, Stresses::LeftOut).unwrap().stiffness;
        let mut full = DMatrix::<f64>::zeros(n, n);
        for (k, (j, i)) in pattern.entries().enumerate() {
            full[(i, j)] = values[k];
            full[(j, i)] = values[k];
        }
        let eigenvalues = full.symmetric_eigenvalues();
        assert!(eigenvalues.min() > -1e-13 * eigenvalues.max(), "{name}: {}", eigenvalues.min());
    });
}

#[test]
fn tangents_are_derivatives() {
    tangents::<2>();
    tangents::<3>();
}

fn identities<const D: usize>() {
    let mut numbers = Numbers::new(23);
    every::<D>(|body, name| {
        let [q, q_plus] = [[0.3, 0.4], [-0.4, 2.5]].map(|shape| bent(body, shape, &mut numbers, 0.02));
        let dq: Vec<f64> = q.iter().zip(&q_plus).map(|(a, b)| b - a).collect();
        let from = State { q, ..body.at_start(vec![0.0; dq.len()]) };
        let motion = Motion { from: &from, dq: &dq, h: 0.1 };
        let start = body.begin(&from, 0.1);
        for theta in [0.5, 0.8] {
            let force = body.step_force(&start, &motion, theta);
            let step = body.step(&start, &motion, theta);
            let before = (body as &dyn System).stored_energy(&from);
            let work: f64 = force.iter().zip(&dq).map(|(f, d)| f * d).sum();
            let left = work - (step.stored - before) - step.numerical;
            let scale = step.stored + before + step.numerical;
            assert!(left.abs() < 1e-12 * scale, "{name} θ {theta}: off by {left:e} of {scale:e}");
            assert!(step.numerical >= 0.0 && (theta > 0.5) == (step.numerical > 0.0));
        }
    });
}

#[test]
fn the_work_of_a_step_is_exact_for_every_formulation() {
    identities::<2>();
    identities::<3>();
}

/// A long strip bent into half a circle: frames of the cells leave the strain of bending, κ t/2, one frame leaves rotations of ±90°.
#[test]
fn frames_of_cells_leave_the_strain_of_bending() {
    let mesh = Arc::new(generate::rectangle([0.0, -0.05], [10.0, 0.1], [40, 2], CellKind::Quad4, 1).unwrap());
    let curvature = std::f64::consts::PI / 10.0;
    let left = |frames: FrameScope| {
        let kinematics = Kinematics::Corotational { frames };
        let body = Body::new(BodyInput { kinematics, ..BodyInput::new("strip", Arc::clone(&mesh), soft()) }).unwrap();
        let q = bent(&body, [curvature, 0.0], &mut Numbers::new(1), 0.0);
        let state = State { q, ..body.at_start(vec![0.0; body.n_dof()]) };
        (body.rotation(&state).unwrap(), body.frame_angle(&state).unwrap(), body.cell_fields(&state))
    };
    let (one, _, _) = left(FrameScope::Body);
    assert!(one.largest > 1.2 && one.mean > 0.7 && one.strain > 0.5, "{one:?}");
    let (each, turned, fields) = left(FrameScope::Elements);
    // at the outer quadrature points: κ t/2 · (½ + ½/√3), and the shear κ x/2 of a bilinear cell; chords in the place of arcs change both by (κ l)²/12 = 5e-4
    let (along, across) = (curvature * 0.05 * 0.5 * (1.0 + 1.0 / 3.0_f64.sqrt()), curvature * 0.125 / 12.0_f64.sqrt());
    let strain = 0.5 * along + (0.25 * along * along + across * across).sqrt();
    assert!((each.strain - strain).abs() < 5e-4, "{each:?} {strain}");
    // half the turn of a cell, times 1/√3 and again half: a bilinear cell does not bend
    assert!(each.mean < 0.02 && each.largest < 0.02, "{each:?}");
    // the last cell is turned by half a circle less half of its own part
    let last = std::f64::consts::PI * (1.0 - 0.5 / 40.0);
    assert!((turned - last).abs() < 1e-3, "{turned} {last}");
    // the stress turns with the frames: at the middle of the strip it acts along y, at its ends along x; a bilinear cell does not contract across,
    // so that about ν/(1 − ν), a third, acts there
    let size = |k: usize| fields.stress[k];
    let n = fields.stress.len();
    let (first, middle) = (size(0), size(n / 4));
    assert!(first[0].abs() > 2.5 * first[1].abs() && middle[1].abs() > 2.5 * middle[0].abs(), "{first:?} {middle:?}");
}

/// A body that is given in parts which turn as one has the force of the body of one frame, up to what its strain turns in its cells.
#[test]
fn small_strains_of_a_turned_body_give_the_forces_of_one_frame() {
    let mut numbers = Numbers::new(9);
    let mesh = Arc::new(distorted::<3>(CellKind::Hexahedron8, 2));
    let body = |frames| {
        let kinematics = Kinematics::Corotational { frames };
        Body::new(BodyInput { kinematics, ..BodyInput::new("test", Arc::clone(&mesh), soft()) }).unwrap()
    };
    let (one, each) = (body(FrameScope::Body), body(FrameScope::Elements));
    let noise: Vec<f64> = (0..one.n_dof()).map(|_| numbers.next()).collect();
    for size in [1e-3, 1e-5] {
        let (sin, cos) = 1.1_f64.sin_cos();
        let mut q = Vec::new();
        for (x, u) in mesh.points.iter().zip(noise.chunks_exact(3)) {
            let y = [x[0] + size * u[0], x[1] + size * u[1], x[2] + size * u[2]];
            q.extend([cos * y[0] - sin * y[1] - x[0], sin * y[0] + cos * y[1] - x[1], y[2] - x[2]]);
        }
        let (a, b) = (forces(&one, &q), forces(&each, &q));
        let off = worst(&a, &b) / max_abs(&a);
        assert!(off < 10.0 * size && off > 1e-3 * size, "{size}: {off:e}");
    }
}
