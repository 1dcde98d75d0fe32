//! A frozen body is the one built from input in which everything is held as it is at t = 0, bit for bit.

use std::sync::Arc;

use delassus_dynamics::{Inelastic, Matrices, System};
use delassus_fem::{
    Body, BodyInput, FemError, GeneralizedMaxwell, Gravity, InitialStress, Integration, KelvinVoigt, Kinematics,
    Lithostatic, MassKind, Material, MaterialSpec, Maxwell, NodalForce, ObjectiveRate, PrescribedVelocity, PronyTerm,
    Rayleigh, Region, SurfaceLoad, Tie, TimeFunction, Traction,
};
use delassus_mesh::{CellKind, generate};

/// Every function of time that is not constant.
fn functions() -> [TimeFunction; 3] {
    [
        TimeFunction::Sine { amplitude: 0.7, frequency: 3.0, phase: 0.4, offset: 0.2 },
        TimeFunction::Ramp { start: -0.3, end: 1.1, from: 0.1, to: 4.0 },
        TimeFunction::Table(vec![(-1.0, 0.3), (0.7, 2.1), (2.0, -1.0)]),
    ]
}

fn laws() -> Vec<MaterialSpec> {
    let terms = vec![PronyTerm { share: 0.3, time: 0.1 }, PronyTerm { share: 0.25, time: 2.0 }];
    let prony = |integration| GeneralizedMaxwell {
        young: Some(3e6),
        poisson: Some(0.37),
        terms: terms.clone(),
        integration,
        ..GeneralizedMaxwell::default()
    };
    vec![
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(2.3e6, 0.31).with_viscosity(170.0, 230.0)),
        MaterialSpec::Maxwell(Maxwell::new(1.7e6, 0.28, 3.1e5)),
        MaterialSpec::GeneralizedMaxwell(prony(Integration::Exact)),
        MaterialSpec::GeneralizedMaxwell(prony(Integration::BackwardEuler)),
    ]
}

/// A block with two materials, all loads, motions and a tie.
fn input(law: &MaterialSpec, mass: MassKind) -> BodyInput<2> {
    let material = |law: &MaterialSpec| -> Arc<dyn Material> { law.build(1300.0).unwrap() };
    let mesh = generate::rectangle([0.0, 0.0], [1.3, 0.7], [4, 3], CellKind::Quad4, 1).unwrap();
    let [a, b, c] = functions();
    let prescribed = |group: &str, component, velocity: &TimeFunction| PrescribedVelocity {
        group: group.into(),
        component,
        velocity: velocity.clone(),
    };
    BodyInput {
        mass,
        rayleigh: Rayleigh { alpha: 0.3, beta: 0.02 },
        gravity: vec![
            Gravity { acceleration: [0.1, -9.81], factor: a.clone() },
            Gravity { acceleration: [1.0, 0.3], factor: TimeFunction::default() },
        ],
        surface_loads: vec![
            SurfaceLoad { group: "top".into(), traction: Traction::Pressure(31.0), factor: b.clone() },
            SurfaceLoad { group: "top".into(), traction: Traction::Vector([3.0, 7.0]), factor: c.clone() },
        ],
        nodal_forces: vec![NodalForce { group: "top".into(), force: [0.3, 1.7], factor: c.clone() }],
        prescribed: vec![prescribed("bottom", 0, &b), prescribed("bottom", 1, &c)],
        ties: vec![Tie { slaves: "right".into(), masters: "left".into(), components: vec![0, 1], translation: None }],
        ..BodyInput::new("block", Arc::new(mesh), material(law))
    }
}

/// The same input, held by hand.
fn held(input: &BodyInput<2>, law: &MaterialSpec) -> BodyInput<2> {
    let constant = |f: &TimeFunction| TimeFunction::Constant(f.value(0.0));
    let mut held = input.clone();
    held.rayleigh = Rayleigh::default();
    held.regions =
        vec![Region { material: law.without_viscosity().unwrap().build(1300.0).unwrap(), ..input.regions[0].clone() }];
    held.gravity.iter_mut().for_each(|load| load.factor = constant(&load.factor));
    held.surface_loads.iter_mut().for_each(|load| load.factor = constant(&load.factor));
    held.nodal_forces.iter_mut().for_each(|load| load.factor = constant(&load.factor));
    held.prescribed.iter_mut().for_each(|motion| motion.velocity = TimeFunction::Constant(0.0));
    held
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn assert_same_matrices(a: &Matrices, b: &Matrices, case: &str) {
    assert_eq!(a.lumped, b.lumped, "{case}");
    for (name, a, b) in [("M", &a.mass, &b.mass), ("C", &a.damping, &b.damping), ("K", &a.stiffness, &b.stiffness)] {
        assert_eq!(a.pattern(), b.pattern(), "{case}: {name}");
        assert_eq!(bits(a.values()), bits(b.values()), "{case}: {name}");
    }
}

fn check(input: &BodyInput<2>, law: &MaterialSpec, case: &str) {
    let body = Body::new(input.clone()).unwrap();
    let frozen = body.frozen().unwrap();
    let exact = Body::new(held(input, law)).unwrap();
    assert_same_matrices(frozen.matrices(), exact.matrices(), case);
    assert!(Arc::ptr_eq(frozen.mesh(), body.mesh()), "{case}: the mesh is shared");
    assert!(!frozen.is_damped(), "{case}");
    assert_eq!(frozen.prescribed(), body.prescribed(), "{case}");
    assert_eq!(frozen.tied(), exact.tied(), "{case}");
    assert!(!frozen.tied().is_empty() && !frozen.prescribed().is_empty(), "{case}");
    assert_eq!(frozen.inelastic().is_some(), exact.inelastic().is_some(), "{case}");
    assert_eq!(bits(&frozen.initial()), bits(&exact.initial()), "{case}");
    assert_eq!(bits(frozen.node_masses()), bits(exact.node_masses()), "{case}");
    let n = body.n_dof();
    let loads = |body: &Body<2>, t: f64| {
        let mut loads = vec![0.0; n];
        body.loads_into(t, &mut loads);
        loads
    };
    for t in [0.0, 0.13, 5.0] {
        assert_eq!(bits(&loads(&frozen, t)), bits(&loads(&exact, t)), "{case}, t = {t}");
        assert_eq!(bits(&loads(&frozen, t)), bits(&loads(&body, 0.0)), "{case}, t = {t}: loads of t = 0");
        assert_eq!(frozen.prescribed_motion(t), exact.prescribed_motion(t), "{case}, t = {t}");
        assert!(frozen.prescribed_motion(t).iter().all(|&(v, a)| v.abs() + a.abs() <= 0.0), "{case}, t = {t}");
    }
    let q: Vec<f64> = (0..n).map(|i| 1e-3 * (i as f64 * 0.7).sin()).collect();
    let state = frozen.at_start(vec![0.0; n]);
    let motion = delassus_dynamics::Motion { from: &state, dq: &q, h: 0.4 };
    let (a, b): (&dyn System, &dyn System) = (&frozen, &exact);
    match (a.respond(&motion), b.respond(&motion)) {
        (Some(a), Some(b)) => assert_eq!((bits(&a.force), bits(&a.z)), (bits(&b.force), bits(&b.z)), "{case}"),
        (None, None) => {
            let (mut f, mut g) = (vec![0.0; n], vec![0.0; n]);
            frozen.elastic_force_into(&q, &mut f);
            exact.elastic_force_into(&q, &mut g);
            assert_eq!(bits(&f), bits(&g), "{case}");
        }
        _ => panic!("{case}: one of them is inelastic"),
    }
}

#[test]
fn a_frozen_body_is_the_one_of_held_input() {
    for (k, law) in laws().iter().enumerate() {
        for mass in [MassKind::Lumped, MassKind::Consistent] {
            check(&input(law, mass), law, &format!("law {k}, {mass:?}"));
        }
    }
}

#[test]
fn a_frozen_body_keeps_its_initial_stress_and_kinematics() {
    let law = &laws()[1];
    let column = Lithostatic { surface: [0.0, 0.7], density: 1300.0, gravity: [0.0, -9.81], lateral: 0.6 };
    let rate = ObjectiveRate::Jaumann;
    let input = BodyInput {
        rayleigh: Rayleigh { alpha: 0.3, beta: 0.0 },
        kinematics: Kinematics::UpdatedGeometry { rate },
        initial_stress: Some(InitialStress::Lithostatic(column)),
        ..input(law, MassKind::Lumped)
    };
    check(&input, law, "stressed");
}

/// As if the materials of a case were made once without viscosity: bodies that share one share the other.
#[test]
fn frozen_bodies_are_twins_of_each_other_only() {
    let law = &laws()[0];
    let first = input(law, MassKind::Lumped);
    let twin = Body::new(BodyInput { name: "twin".into(), rayleigh: Rayleigh::default(), ..first.clone() }).unwrap();
    let other = Body::new(input(law, MassKind::Lumped)).unwrap().frozen().unwrap();
    let first = Body::new(first).unwrap();
    let (frozen, frozen_twin) = (first.frozen().unwrap(), twin.frozen().unwrap());
    assert!(first.rotation_onto(&twin).is_none(), "they are damped differently");
    assert!(frozen.rotation_onto(&frozen_twin).is_some(), "the damping is left out");
    assert!(frozen.rotation_onto(&other).is_none(), "another object of the same material");
    assert!(frozen.rotation_onto(&twin).is_none() && twin.rotation_onto(&frozen).is_none(), "viscosity differs");
}

#[test]
fn nothing_is_left_of_a_body_of_dashpots() {
    let terms = vec![PronyTerm { share: 1.0, time: 0.1 }];
    let law = GeneralizedMaxwell { young: Some(3e6), poisson: Some(0.3), terms, ..GeneralizedMaxwell::default() };
    let law = MaterialSpec::GeneralizedMaxwell(law);
    let body = Body::new(BodyInput { rayleigh: Rayleigh::default(), ..input(&law, MassKind::Lumped) }).unwrap();
    let exact: FemError = law.without_viscosity().unwrap().build(1300.0).unwrap_err();
    let message = body.frozen().unwrap_err().to_string();
    assert!(message.ends_with(&exact.to_string()), "{message}");
}
