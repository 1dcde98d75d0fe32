//! Bodies with a frame that turns with them: identities of the force of a step, for every element, both kinds of mass and every material.
//!
//! ```text
//! Σ F = 0 ,   Σ x_½ × F = 0 ,   F·Δx = ΔΨ + D + N ,      f = ∂Ψ/∂x of one configuration
//! ```

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, State, System, Turning};
use delassus_fem::{Body, BodyInput, FrameScope, Kinematics, MassKind, Material, MaterialSpec, Maxwell, Section};
use nalgebra::{Rotation3, SVector, Unit, Vector3};

use crate::support::{Numbers, distorted, kinds, max_abs, soft};

const TURNS: Kinematics = Kinematics::Corotational { frames: FrameScope::Body };

/// A frame for the body, and one for each cell.
const SCOPES: [FrameScope; 2] = [FrameScope::Body, FrameScope::Elements];

fn maxwell() -> Arc<dyn Material> {
    MaterialSpec::Maxwell(Maxwell { viscosity: Some(2.0), ..Maxwell::new(3.0, 0.3, 1.0) }).build(2.5).unwrap()
}

/// Every body, with its places as given.
fn every<const D: usize>(materials: &[fn() -> Arc<dyn Material>], mut check: impl FnMut(&Body<D>, &str)) {
    let masses = [MassKind::Lumped, MassKind::Consistent];
    for (kind, frames) in kinds::<D>().into_iter().flat_map(|kind| SCOPES.map(|frames| (kind, frames))) {
        for (mass, (m, material)) in
            masses.into_iter().flat_map(|mass| materials.iter().enumerate().map(move |m| (mass, m)))
        {
            let kinematics = Kinematics::Corotational { frames };
            let section = if D == 2 { Section::PlaneStrain { thickness: 0.7 } } else { Section::Solid };
            let input = BodyInput::new("test", Arc::new(distorted::<D>(kind, 2)), material());
            let body = Body::new(BodyInput { section, mass, kinematics, ..input }).unwrap();
            check(&body, &format!("{kind} {frames:?} {mass:?} material {m}"));
        }
    }
}

fn places<const D: usize>(body: &Body<D>, q: &[f64]) -> Vec<SVector<f64, D>> {
    let at = |(n, x): (usize, &[f64; D])| SVector::from_fn(|i, _| x[i] + q[D * n + i]);
    body.mesh().points.iter().enumerate().map(at).collect()
}

/// Displacements of a body that is turned about a point and strained at random.
fn turned<const D: usize>(body: &Body<D>, angle: f64, numbers: &mut Numbers, strain: f64) -> Vec<f64> {
    let axis = if D == 3 { Vector3::new(1.0, -2.0, 0.5) } else { Vector3::z() };
    let r = Rotation3::from_axis_angle(&Unit::new_normalize(axis), angle);
    let mut q = Vec::new();
    for x in &body.mesh().points {
        let y = Vector3::from_fn(|i, _| if i < D { x[i] + strain * numbers.next() } else { 0.0 });
        let z = r * y + Vector3::new(3.0, -1.0, if D == 3 { 2.0 } else { 0.0 });
        q.extend((0..D).map(|i| z[i] - x[i]));
    }
    q
}

fn moment<const D: usize>(x: &[SVector<f64, D>], f: &[f64]) -> Vec<f64> {
    let pairs: &[(usize, usize)] = if D == 2 { &[(0, 1)] } else { &[(0, 1), (1, 2), (2, 0)] };
    let one =
        |&(i, j): &(usize, usize)| (0..x.len()).map(|n| x[n][i] * f[D * n + j] - x[n][j] * f[D * n + i]).sum::<f64>();
    pairs.iter().map(one).collect()
}

fn force_of_a_step<const D: usize>() {
    let mut numbers = Numbers::new(7);
    let materials: [fn() -> Arc<dyn Material>; 2] = [soft, maxwell];
    every::<D>(&materials, |body, name| {
        for (angles, theta) in [([0.3, 0.7], 0.5), ([2.0, 4.5], 1.0), ([-1.0, -1.0], 0.7)] {
            let [q, q_plus] = angles.map(|angle| turned(body, angle, &mut numbers, 0.05));
            let dq: Vec<f64> = q.iter().zip(&q_plus).map(|(a, b)| b - a).collect();
            let from = State { q: q.clone(), ..body.at_start(vec![0.0; q.len()]) };
            let motion = Motion { from: &from, dq: &dq, h: 0.1 };
            let start = body.begin(&from, 0.1);
            let force = body.step_force(&start, &motion, theta);
            let step = body.step(&start, &motion, theta);
            let middle: Vec<SVector<f64, D>> =
                places(body, &q).iter().zip(places(body, &q_plus)).map(|(x, y)| (x + y) * 0.5).collect();
            // Sums of a hundred forces of this size, at distances of up to 5.
            let size = max_abs(&force);
            let sum = (0..D).map(|i| force.iter().skip(i).step_by(D).sum::<f64>().abs()).fold(0.0, f64::max);
            assert!(sum < 1e-13 * size, "{name}: sum {sum:e} of {size:e}");
            let moment = max_abs(&moment(&middle, &force));
            assert!(moment < 1e-12 * size, "{name}: moment {moment:e} of {size:e}");
            let before = (body as &dyn System).stored_energy(&from);
            let work: f64 = force.iter().zip(&dq).map(|(f, d)| f * d).sum();
            let left = work - (step.stored - before) - step.dissipated - step.numerical;
            let scale = step.stored + before + step.numerical + size * max_abs(&dq);
            assert!(left.abs() < 1e-12 * scale, "{name}, θ {theta}: work {work:e}, off by {left:e} of {scale:e}");
            // The path of a material with internal variables is its own.
            assert!(!step.z.is_empty() || step.numerical >= 0.0, "{name}: {}", step.numerical);
            assert!(step.stored > 1e-5 && size > 1e-4, "{name}: there is something to see, {} {size}", step.stored);
        }
    });
}

#[test]
fn the_force_of_a_step_conserves_momentum_moment_and_energy() {
    force_of_a_step::<2>();
    force_of_a_step::<3>();
}

fn gradient<const D: usize>() {
    let mut numbers = Numbers::new(11);
    every::<D>(&[soft as fn() -> Arc<dyn Material>], |body, name| {
        let q = turned(body, 2.3, &mut numbers, 0.05);
        let from = State { q, ..body.at_start(vec![0.0; body.n_dof()]) };
        let still = vec![0.0; body.n_dof()];
        let force = body.respond(&Motion { from: &from, dq: &still, h: 0.0 }).force;
        let direction: Vec<f64> = (0..body.n_dof()).map(|_| numbers.next()).collect();
        let energy = |s: f64| {
            let q = from.q.iter().zip(&direction).map(|(q, d)| q + s * d).collect();
            (body as &dyn System).stored_energy(&State { q, ..from.clone() })
        };
        let slope: f64 = force.iter().zip(&direction).map(|(f, d)| f * d).sum();
        // A central difference of five points: h⁴ and rounding over h.
        let h = 1e-3;
        let secant = (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h);
        let scale = max_abs(&force) * body.n_dof() as f64;
        assert!((secant - slope).abs() < 1e-8 * scale, "{name}: {secant} {slope}");
    });
}

#[test]
fn the_force_of_a_configuration_is_the_derivative_of_its_energy() {
    gradient::<2>();
    gradient::<3>();
}

fn rigid<const D: usize>() {
    let mut numbers = Numbers::new(3);
    every::<D>(&[soft as fn() -> Arc<dyn Material>], |body, name| {
        for angle in [1e-3, 1.0, 3.0] {
            let q = turned(body, angle, &mut numbers, 0.0);
            let from = State { q, ..body.at_start(vec![0.0; body.n_dof()]) };
            let off = (body.frame_angle(&from).unwrap() - angle).abs();
            // of inertias that differ by tens, and positions of size 5
            assert!(off < 1e-13, "{name}: {off:e}");
            let energy = (body as &dyn System).stored_energy(&from);
            assert!(energy < 1e-26, "{name}: a rigid motion stores {energy:e}");
            let strain = body.rotation(&from).unwrap().strain;
            assert!(strain < 1e-13, "{name}: {strain:e}");
        }
    });
}

#[test]
fn a_rigid_motion_leaves_no_strain_in_the_frame() {
    rigid::<2>();
    rigid::<3>();
}

/// The stress of a body that is stretched and then turned is that of the stretched one, turned.
#[test]
fn stresses_turn_with_the_body() {
    let mesh = Arc::new(
        delassus_mesh::generate::rectangle([0.0, 0.0], [2.0, 1.0], [2, 1], delassus_mesh::CellKind::Quad4, 1).unwrap(),
    );
    let body = Body::new(BodyInput { kinematics: TURNS, ..BodyInput::new("test", mesh, soft()) }).unwrap();
    let stretched: Vec<f64> = body.mesh().points.iter().flat_map(|x| [0.01 * x[0], 0.0]).collect();
    let quarter: Vec<f64> = body
        .mesh()
        .points
        .iter()
        .zip(stretched.chunks_exact(2))
        .flat_map(|(x, u)| [-(x[1] + u[1]) - x[0], x[0] + u[0] - x[1]])
        .collect();
    let at = |q: Vec<f64>| body.cell_fields(&State { q, ..body.at_start(vec![0.0; body.n_dof()]) });
    let (before, after) = (at(stretched), at(quarter));
    for (a, b) in before.stress.iter().zip(&after.stress) {
        assert!(a[0] > 1e-3, "{a:?}");
        assert!(
            (a[0] - b[1]).abs() < 1e-13 && (a[1] - b[0]).abs() < 1e-13 && (a[2] - b[2]).abs() < 1e-13,
            "{a:?} {b:?}"
        );
    }
}

/// Viscosity acts on the rate in the frame: none in a rigid motion, and what it dissipates is positive.
#[test]
fn viscosity_leaves_rigid_motions_alone() {
    let mut numbers = Numbers::new(5);
    let material = MaterialSpec::KelvinVoigt(delassus_fem::KelvinVoigt {
        shear_viscosity: 0.2,
        bulk_viscosity: 0.1,
        young: Some(3.0),
        poisson: Some(0.3),
        ..delassus_fem::KelvinVoigt::default()
    });
    let mesh = Arc::new(distorted::<3>(delassus_mesh::CellKind::Hexahedron8, 2));
    let body = Body::new(BodyInput { kinematics: TURNS, ..BodyInput::new("test", mesh, material.build(2.0).unwrap()) })
        .unwrap();
    let q = turned(&body, 1.2, &mut numbers, 0.05);
    let x = places(&body, &q);
    let spin = Vector3::new(0.4, -0.7, 1.1);
    let rigid: Vec<f64> =
        x.iter().flat_map(|x| (spin.cross(x) + Vector3::new(1.0, 2.0, 3.0)).as_slice().to_vec()).collect();
    let mut force = vec![0.0; rigid.len()];
    body.viscous_force_into(&q, &rigid, &mut force);
    assert!(max_abs(&force) < 1e-12, "{:e}", max_abs(&force));
    let v: Vec<f64> = rigid.iter().map(|v| v + 0.1 * numbers.next()).collect();
    body.viscous_force_into(&q, &v, &mut force);
    let power: f64 = force.iter().zip(&v).map(|(f, v)| f * v).sum();
    assert!(power > 1e-4, "{power}");
    assert!(max_abs(&moment(&x, &force)) < 1e-13 * max_abs(&force) * 100.0);
}

/// Held in all components of its nodes, a body that turns shares its factor with its twin; held in one, the factor is another one in each step.
#[test]
fn a_body_held_by_a_component_has_no_twin() {
    let body = |components: &[usize]| {
        let mesh =
            delassus_mesh::generate::rectangle([0.0, 0.0], [2.0, 1.0], [2, 1], delassus_mesh::CellKind::Quad4, 1);
        let held = |&component: &usize| delassus_fem::PrescribedVelocity {
            group: "left".into(),
            component,
            velocity: delassus_fem::TimeFunction::Constant(0.0),
        };
        (Arc::new(mesh.unwrap()), components.iter().map(held).collect::<Vec<_>>())
    };
    for (components, has_twin) in [(&[0, 1][..], true), (&[0][..], false)] {
        let material = soft();
        let [first, second] = [0, 1].map(|_| {
            let (mesh, prescribed) = body(components);
            let input = BodyInput::new("test", mesh, Arc::clone(&material));
            Body::new(BodyInput { kinematics: TURNS, prescribed, ..input }).unwrap()
        });
        assert_eq!(first.rotation_onto(&second).is_some(), has_twin, "{components:?}");
        assert_eq!(first.tangent_varies(), !has_twin);
    }
}
