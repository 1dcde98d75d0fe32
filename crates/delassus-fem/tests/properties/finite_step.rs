//! The force of a step at finite strain: it conserves momentum, angular momentum and energy between any two configurations.

use std::sync::Arc;

use delassus_dynamics::{Conserving, ConservingStep, Inelastic, Motion, State, Stresses, System};
use delassus_fem::material::{Material, MaterialSpec};
use delassus_fem::{
    Body, BodyInput, Formulation, GeneralizedMaxwell, Hardening, Kinematics, Maxwell, MooneyRivlin, NeoHookean,
    PronyTerm, Section, StVenantKirchhoff, VonMises,
};
use delassus_mesh::CellKind;
use nalgebra::{Matrix3, Rotation3, SMatrix, SVector};

use crate::support::{Numbers, dense_values, distorted, kinds};

/// Laws that store all, flow, or relax: a new one is one line here.
fn laws() -> Vec<Arc<dyn Material>> {
    let specs: [MaterialSpec; 6] = [
        NeoHookean::new(2.0, 0.3).into(),
        NeoHookean::new(2.0, 0.4999).into(),
        MooneyRivlin { c1: 0.3, c2: 0.2, bulk: 20.0 }.into(),
        StVenantKirchhoff::new(2.0, 0.3).into(),
        VonMises::new(2.0, 0.3, 0.02).hardening(Hardening::Linear { modulus: 0.2 }).into(),
        Maxwell::new(2.0, 0.3, 0.2).into(),
    ];
    specs.iter().map(|s| s.build(1.3).unwrap()).collect()
}

fn body<const D: usize>(
    kind: CellKind,
    section: Section,
    formulation: Formulation,
    law: &Arc<dyn Material>,
) -> Body<D> {
    let mut mesh = distorted::<D>(kind, 1);
    mesh.points.iter_mut().for_each(|x| x[0] += 1.5);
    let input = BodyInput::new("test", Arc::new(mesh), Arc::clone(law));
    Body::new(BodyInput { section, formulation, kinematics: Kinematics::FiniteStrain {}, ..input }).unwrap()
}

/// A strained and turned state, with the internal variables of the way there, and a motion from it: a turn, a shift and strains.
fn state_and_motion<const D: usize>(body: &Body<D>, strain: f64, turn: f64) -> (State, Vec<f64>) {
    let (n, mut numbers) = (body.n_dof(), Numbers::new(8));
    let rest = body.at_start(vec![0.0; n]);
    let first: Vec<f64> = numbers.vector(n).iter().map(|x| 0.04 * x).collect();
    let z = body.respond(&Motion { from: &rest, dq: &first, h: 0.1 }).z;
    let from = State { q: first.clone(), z, ..rest };
    let is_revolved = body.section().is_revolved();
    let rotation: Matrix3<f64> = if is_revolved {
        Matrix3::identity()
    } else if D == 2 {
        Rotation3::from_euler_angles(0.0, 0.0, turn).into_inner()
    } else {
        Rotation3::from_euler_angles(0.4 * turn, -0.5 * turn, 0.8 * turn).into_inner()
    };
    let r: SMatrix<f64, D, D> = SMatrix::from_fn(|i, j| rotation[(i, j)]);
    let mut dq = Vec::new();
    for (a, x) in body.mesh().points.iter().enumerate() {
        let x = SVector::from(*x) + SVector::<f64, D>::from_column_slice(&first[D * a..D * a + D]);
        let mut to = r * x + SVector::<f64, D>::from_fn(|_, _| strain * numbers.next()) - x;
        to[1] += 0.7;
        dq.extend(to.iter());
    }
    (from, dq)
}

fn every<const D: usize>(law: &Arc<dyn Material>, check: impl Fn(&Body<D>, &str)) {
    let plane = [Section::PlaneStrain { thickness: 0.7 }, Section::Axisymmetric];
    let sections = if D == 3 { vec![Section::Solid] } else { plane.to_vec() };
    for kind in kinds::<D>() {
        for &section in &sections {
            for formulation in [Formulation::Standard, Formulation::BBar] {
                let body = body(kind, section, formulation, law);
                check(&body, &format!("{law:?} {kind} {section:?} {formulation:?}"));
            }
        }
    }
}

/// |x| of all places in the middle of a motion, with the places.
fn middle<const D: usize>(body: &Body<D>, from: &State, dq: &[f64]) -> Vec<SVector<f64, 3>> {
    let at = |(a, x): (usize, &[f64; D])| {
        SVector::<f64, 3>::from_fn(|i, _| if i < D { x[i] + from.q[D * a + i] + 0.5 * dq[D * a + i] } else { 0.0 })
    };
    body.mesh().points.iter().enumerate().map(at).collect()
}

/// Sums of at most 200 terms of order one.
const ROUNDED: f64 = 2e-13;

fn check_conservation<const D: usize>(body: &Body<D>, name: &str) {
    for theta in [0.5, 0.8, 1.0] {
        let (from, dq) = state_and_motion(body, 0.03, 0.9);
        let motion = Motion { from: &from, dq: &dq, h: 0.1 };
        let step = body.conserving().unwrap().step(&motion, theta);
        let (mut sum, mut moment) = (SVector::<f64, 3>::zeros(), SVector::<f64, 3>::zeros());
        for (x, f) in middle(body, &from, &dq).iter().zip(step.force.chunks_exact(D)) {
            let f = SVector::<f64, 3>::from_fn(|i, _| f.get(i).copied().unwrap_or(0.0));
            sum += f;
            moment += x.cross(&f);
        }
        let size: f64 = step.force.iter().map(|f| f.abs()).sum();
        if body.section().is_revolved() {
            sum[0] = 0.0;
        } else {
            assert!(moment.amax() < ROUNDED * 3.0 * size, "{name}: moment {moment}");
        }
        assert!(sum.amax() < ROUNDED * size, "{name}: sum {sum}");
        let work: f64 = step.force.iter().zip(&dq).map(|(f, d)| f * d).sum();
        let before = (body as &dyn System).stored_energy(&from);
        let left = work - (step.stored - before) - step.dissipated - step.plastic + step.supplied - step.numerical;
        // the energy of volume is a difference of numbers of the size of the bulk modulus
        assert!(left.abs() < ROUNDED * (size + 20.0), "{name}, θ = {theta}: energy {left:e} of {work:e}");
        assert!(step.dissipated >= 0.0 && step.plastic >= 0.0 && step.numerical >= 0.0, "{name}");
        assert_eq!(step.numerical > 0.0, theta > 0.5, "{name}");
        assert_eq!(step.z, body.respond(&motion).z, "{name}: the material goes the same way");
    }
}

#[test]
fn momentum_angular_momentum_and_energy_between_any_two_configurations() {
    for law in laws() {
        every::<2>(&law, check_conservation);
        every::<3>(&law, check_conservation);
    }
}

/// A rigid motion, however far, makes no force.
#[test]
fn rigid_steps_are_free() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let (strained, dq) = state_and_motion(body, 0.0, 1.7);
        let rest = body.at_start(vec![0.0; dq.len()]);
        // from the strained state a turn: the stress of the start, in the frame of the middle, does no work
        let step = body.conserving().unwrap().step(&Motion { from: &strained, dq: &dq, h: 0.0 }, 0.5);
        let work: f64 = step.force.iter().zip(&dq).map(|(f, d)| f * d).sum();
        assert!(work.abs() < 1e-13, "{name}: {work:e}");
        let shift = vec![0.3; dq.len()];
        if !body.section().is_revolved() {
            let step = body.conserving().unwrap().step(&Motion { from: &rest, dq: &shift, h: 0.1 }, 0.5);
            assert!(step.force.iter().all(|f| f.abs() < 1e-14), "{name}");
        }
    }
    let rubber = MaterialSpec::from(NeoHookean::new(2.0, 0.3)).build(1.0).unwrap();
    every::<2>(&rubber, check);
    every::<3>(&rubber, check);
}

/// ∂F/∂x⁺ by central differences.
fn slopes(body: &impl Conserving, from: &State, dq: &[f64], theta: f64) -> nalgebra::DMatrix<f64> {
    let n = dq.len();
    let step = 1e-6;
    let mut out = nalgebra::DMatrix::zeros(n, n);
    for column in 0..n {
        let at = |by: f64| -> ConservingStep {
            let mut dq = dq.to_vec();
            dq[column] += by;
            body.step(&Motion { from, dq: &dq, h: 0.1 }, theta)
        };
        let (after, before) = (at(step).force, at(-step).force);
        for row in 0..n {
            out[(row, column)] = (after[row] - before[row]) / (2.0 * step * theta);
        }
    }
    out
}

/// The tangent is the symmetric part of ∂F/∂x⁺ as the step becomes short: what is left is of the size of its strains, with and without mean dilatation.
#[test]
fn the_tangent_is_that_of_the_force_of_short_steps() {
    fn check<const D: usize>(body: &Body<D>, name: &str) {
        let mut errors = [0.0; 2];
        for (error, strain) in errors.iter_mut().zip([4e-3, 1e-3]) {
            let (from, dq) = state_and_motion(body, strain, 0.0);
            let theta = 0.6;
            let motion = Motion { from: &from, dq: &dq, h: 0.1 };
            let values = Conserving::tangent(body, &motion, theta, Stresses::Counted);
            let tangent = dense_values(body.matrices().pattern(), &values);
            let exact = slopes(body, &from, &dq, theta);
            let symmetric = (&exact + exact.transpose()) * 0.5;
            *error = (&tangent - symmetric).amax() / exact.amax();
        }
        // a shift of 0.7 along y is in the motion: nothing depends on it
        assert!(errors[0] < 0.03, "{name}: {errors:?}");
        assert!(errors[1] < 0.4 * errors[0], "{name}: {errors:?}");
    }
    for law in [NeoHookean::new(2.0, 0.3), NeoHookean::new(2.0, 0.49)] {
        let rubber = MaterialSpec::from(law).build(1.0).unwrap();
        every::<2>(&rubber, check);
    }
    let rubber = MaterialSpec::from(NeoHookean::new(2.0, 0.45)).build(1.0).unwrap();
    for formulation in [Formulation::Standard, Formulation::BBar] {
        check(&body::<3>(CellKind::Hexahedron8, Section::Solid, formulation, &rubber), "hexahedron");
    }
}

/// What stresses do left out, it has no negative direction.
#[test]
fn without_stresses_the_tangent_is_never_negative() {
    let rubber = MaterialSpec::from(NeoHookean::new(2.0, 0.3)).build(1.0).unwrap();
    every::<2>(&rubber, |body, name| {
        let (from, dq) = state_and_motion(body, 0.02, 0.3);
        let motion = Motion { from: &from, dq: &dq, h: 0.1 };
        let values = Conserving::tangent(body, &motion, 0.5, Stresses::LeftOut);
        let eigenvalues = dense_values(body.matrices().pattern(), &values).symmetric_eigenvalues();
        assert!(eigenvalues.min() > -1e-12 * eigenvalues.max(), "{name}: {}", eigenvalues.min());
    });
}

/// Relaxing laws of several branches conserve too: the work is found in what is stored and dissipated.
#[test]
fn a_relaxing_body_keeps_its_balance() {
    let terms = vec![PronyTerm { share: 0.3, time: 0.1 }, PronyTerm { share: 0.4, time: 2.0 }];
    let spec = GeneralizedMaxwell { young: Some(1.0), poisson: Some(0.3), terms, ..GeneralizedMaxwell::default() };
    let law = MaterialSpec::from(spec).build(1.0).unwrap();
    check_conservation(&body::<2>(CellKind::Quad4, Section::default(), Formulation::BBar, &law), "Prony");
}
