//! Plane stress of bodies with memory: the strain along z is the one without stress.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Motion, State, System};
use delassus_fem::{
    Body, BodyInput, FrameScope, GeneralizedMaxwell, Kinematics, Material, MaterialSpec, Maxwell, PronyTerm, Section,
};
use delassus_mesh::CellKind;

use crate::support::{Numbers, distorted, kinds, max_abs, soft};

const SECTION: Section = Section::PlaneStress { thickness: 0.7 };

fn body(kind: CellKind, material: Arc<dyn Material>, kinematics: Kinematics) -> Body<2> {
    let input = BodyInput::new("test", Arc::new(distorted(kind, 2)), material);
    Body::new(BodyInput { section: SECTION, kinematics, ..input }).unwrap()
}

fn materials() -> [Arc<dyn Material>; 2] {
    let terms = vec![PronyTerm { share: 0.4, time: 0.3 }, PronyTerm { share: 0.2, time: 3.0 }];
    let prony = GeneralizedMaxwell { young: Some(3.0), poisson: Some(0.3), terms, ..GeneralizedMaxwell::default() };
    [MaterialSpec::Maxwell(Maxwell::new(3.0, 0.3, 1.0)), MaterialSpec::GeneralizedMaxwell(prony)]
        .map(|law| law.build(2.5).unwrap())
}

/// Without viscosity it is the linear body, in forces, energy and fields.
#[test]
fn springs_alone_are_a_linear_body() {
    for kind in kinds::<2>() {
        let linear = body(kind, soft(), Kinematics::SmallStrain);
        let springs = MaterialSpec::Maxwell(Maxwell { viscosity: None, ..Maxwell::new(3.0, 0.3, 1.0) });
        let springs = body(kind, springs.build(2.5).unwrap(), Kinematics::SmallStrain);
        let q = Numbers::new(3).vector(linear.n_dof());
        let mut expected = vec![0.0; q.len()];
        linear.elastic_force_into(&q, &mut expected);
        let start = springs.at_start(vec![0.0; q.len()]);
        let half: Vec<f64> = q.iter().map(|q| 0.5 * q).collect();
        let first = springs.respond(&Motion { from: &start, dq: &half, h: 1.0 });
        let middle = State { q: half.clone(), z: first.z, ..start.clone() };
        let answer = springs.respond(&Motion { from: &middle, dq: &half, h: 1.0 });
        let error = answer.force.iter().zip(&expected).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-13 * max_abs(&expected), "{kind}: {error:e}");
        assert!((answer.stored / linear.elastic_energy(&q) - 1.0).abs() < 1e-13, "{kind}");
        let end = State { q: q.clone(), z: answer.z, ..start };
        let (a, b) = (springs.cell_fields(&end), linear.cell_fields(&State::new(0.0, q, vec![0.0; end.v.len()])));
        for (a, b) in a.strain.iter().zip(&b.strain).chain(a.stress.iter().zip(&b.stress)) {
            let error = a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            assert!(error < 1e-12 * max_abs(b).max(1.0), "{kind}: {a:?} {b:?}");
        }
    }
}

/// After any steps there is no stress along z, work is stored or dissipated, and the tangent is the derivative of the force.
#[test]
fn no_stress_along_z_and_a_ledger_that_closes() {
    for kinematics in [Kinematics::SmallStrain, Kinematics::Corotational { frames: FrameScope::Body }] {
        for material in materials() {
            for kind in kinds::<2>() {
                let body = body(kind, Arc::clone(&material), kinematics);
                let mut numbers = Numbers::new(7);
                let mut state = body.at_start(vec![0.0; body.n_dof()]);
                let mut stored = 0.0;
                for h in [0.05, 0.7, 2.0] {
                    let dq: Vec<f64> = numbers.vector(body.n_dof()).iter().map(|x| 0.01 * x).collect();
                    let answer = body.respond(&Motion { from: &state, dq: &dq, h });
                    let left = answer.path_work - (answer.stored - stored) - answer.dissipated;
                    assert!(left.abs() < 1e-12 * answer.stored, "{kind}, {kinematics:?}: {left:e}");
                    assert!(answer.dissipated > 0.0);
                    if kinematics == Kinematics::SmallStrain {
                        check_tangent(&body, &state, &dq, h, &answer.force);
                    }
                    stored = answer.stored;
                    let q = state.q.iter().zip(&dq).map(|(q, d)| q + d).collect();
                    state = State { q, z: answer.z, ..state };
                    for stress in &body.cell_fields(&state).stress {
                        assert!(stress[2].abs() < 1e-14 * (1.0 + max_abs(stress)), "{kind}: {stress:?}");
                    }
                }
            }
        }
    }
}

/// The force is linear in the increment: differences over any size have rounding alone.
fn check_tangent(body: &Body<2>, from: &State, dq: &[f64], h: f64, force: &[f64]) {
    let tangent = body.tangent(&Motion { from, dq, h });
    let x = Numbers::new(11).vector(dq.len());
    let mut expected = vec![0.0; dq.len()];
    delassus_dynamics::symmetric_times_into(body.matrices().pattern(), &tangent, &x, &mut expected);
    let moved: Vec<f64> = dq.iter().zip(&x).map(|(d, x)| d + x).collect();
    let there = body.respond(&Motion { from, dq: &moved, h }).force;
    let error = (0..dq.len()).fold(0.0, |m: f64, i| m.max((there[i] - force[i] - expected[i]).abs()));
    assert!(error < 1e-12 * max_abs(&expected), "{error:e}");
}
