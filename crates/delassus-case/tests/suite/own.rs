//! Things that a program brings along: they run as those of the list do, and a case that is read cannot be run without them.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use delassus_case::spec::{
    BodyEntry, BoundaryEntry, BoxSpec, Case, LoadEntry, ObstacleEntry, ObstacleSpec, RectangleSpec,
};
use delassus_case::{CaseError, Loaded};
use delassus_contact::{Ball, HalfSpace};
use delassus_dynamics::integrator::Theta;
use delassus_fem::material::{Kinematics3, Response};
use delassus_fem::tensor::isotropic;
use delassus_fem::{FemError, KelvinVoigt, Material, OwnFunction, OwnMaterial};
use delassus_mesh::{CellKind, generate};
use delassus_run::{RunOptions, Silent, run_case};
use delassus_solver::law::{OwnLaw, SignoriniCoulomb};
use delassus_solver::{ContactInput, ContactLaw, ContactSolution, Derived, LawSpec, SolverError, StepTimes};

/// Coulomb's law under another name, in the plane.
#[derive(Clone, Debug)]
struct MyFriction {
    mu: f64,
}

impl ContactLaw<2> for MyFriction {
    fn derive(&self, x: &ContactInput<2>, step: &StepTimes, z: &[f64], i: Option<&ContactSolution<2>>) -> Derived<2> {
        SignoriniCoulomb { friction: self.mu }.derive(x, step, z, i)
    }

    fn violation(&self, x: &ContactInput<2>, out: &ContactSolution<2>, step: &StepTimes, z: &[f64]) -> f64 {
        SignoriniCoulomb { friction: self.mu }.violation(x, out, step, z)
    }
}

impl OwnLaw for MyFriction {
    fn validate(&self) -> Result<(), SolverError> {
        let wrong = || SolverError::Law { law: "MyFriction", key: "mu", value: self.mu, wanted: "≥ 0".to_owned() };
        if self.mu >= 0.0 { Ok(()) } else { Err(wrong()) }
    }

    fn plane(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<2>>> {
        Some(self)
    }
}

/// Hooke's law; `hardening` makes it nonlinear.
#[derive(Clone, Debug)]
struct Hooke {
    density: f64,
    hardening: f64,
}

impl Material for Hooke {
    fn density(&self) -> f64 {
        self.density
    }

    fn wave_speed(&self) -> f64 {
        (3e4 / self.density).sqrt()
    }

    fn respond(&self, kinematics: &Kinematics3, _h: f64, _: &[f64], _: &mut [f64]) -> Response {
        let tangent = isotropic(1e4, 1e4);
        let stress = tangent * kinematics.strain * (1.0 + self.hardening * kinematics.strain.norm_squared());
        let (stored, rate_tangent) = (0.5 * stress.dot(&kinematics.strain), isotropic(0.0, 0.0));
        // A spring: the mean of the stresses at both ends.
        let before = tangent * (kinematics.strain - kinematics.increment);
        let path_work = 0.5 * (stress + before).dot(&kinematics.increment);
        Response { stress, tangent, rate_tangent, stored, dissipated: 0.0, supplied: 0.0, path_work }
    }

    fn without_viscosity(&self) -> Result<Arc<dyn Material>, FemError> {
        Ok(Arc::new(self.clone()))
    }
}

impl OwnMaterial for Hooke {}

/// The ramp t/T.
#[derive(Debug)]
struct Linear {
    until: f64,
}

impl OwnFunction for Linear {
    fn value(&self, t: f64) -> f64 {
        t / self.until
    }

    fn derivative(&self, _: f64) -> f64 {
        1.0 / self.until
    }
}

/// A block that is pushed along a floor.
fn pushed(mesh: RectangleSpec, law: impl Into<LawSpec>, floor: impl Into<ObstacleSpec>) -> Case {
    Case::plane("A block is pushed")
        .material("m", KelvinVoigt::lame(1e4, 1e4), 3.0)
        .body(BodyEntry::new("block", mesh).material("m"))
        .obstacle(ObstacleEntry::new("floor", floor))
        .contact("ground", ("block", "bottom"), "floor", law)
        .load(LoadEntry::gravity([0.0, -10.0]))
        .load(LoadEntry::traction("block", "right", [20.0, 0.0]))
        .integrator(Theta { theta: 0.5 })
        .step(0.01)
        .duration(0.2)
}

fn of_the_list() -> Case {
    let floor = ObstacleEntry::half_plane("floor", [0.0, 0.0], [0.0, 1.0]).shape;
    pushed(RectangleSpec::new([0.0; 2], [1.0; 2], [3, 3]), SignoriniCoulomb { friction: 0.4 }, floor)
}

/// The hash of the last state, and the folder's case.
fn ran(case: Case) -> (String, String) {
    let loaded = Loaded::of_case(case, "").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions { out: Some(folder.path().to_owned()), threads: Some(1), ..RunOptions::default() };
    let summary = run_case(&loaded, &options, &mut Silent).unwrap();
    (summary.state_hash, std::fs::read_to_string(folder.path().join("case.ron")).unwrap())
}

/// One thing after the other is replaced by the program's own, and the run has the same bits.
#[test]
fn own_things_have_the_bits_of_those_of_the_list() {
    let expected = ran(of_the_list()).0;
    let mut law = of_the_list();
    law.contacts[0].law = MyFriction { mu: 0.4 }.into();
    let mut material = of_the_list();
    material.materials[0].law = Hooke { density: 3.0, hardening: 0.0 }.into();
    let mut floor = of_the_list();
    floor.obstacles[0].shape =
        ObstacleSpec::own(HalfSpace::<2> { point: [0.0, 0.0].into(), normal: [0.0, 1.0].into() });
    let mut mesh = of_the_list();
    mesh.bodies[0].mesh = generate::rectangle([0.0; 2], [1.0; 2], [3, 3], CellKind::Quad4, 1).unwrap().into();
    for (case, name) in [
        (law, "Own(\"MyFriction { mu: 0.4 }\")"),
        (material, "Own(\"Hooke { density: 3.0, hardening: 0.0 }\")"),
        (floor, "Own(\"HalfSpace { "),
        (mesh, "Own(\"mesh "),
    ] {
        let (hash, text) = ran(case);
        assert_eq!(hash, expected, "{name}");
        assert!(text.contains(name), "{text}");
        // What the folder keeps can be read, and is not a case that can be run.
        let read = Loaded::from_text(Path::new("case.ron"), text.clone(), &[]).unwrap();
        assert_eq!(read.given, text);
        let Err(CaseError::Case { problems, text, .. }) = read.model::<2>() else {
            panic!("{name} was made of its name")
        };
        assert_eq!(problems.iter().map(|p| p.code.as_str()).collect::<Vec<_>>(), ["E0147"], "{text}");
        assert!(text.contains("only that program can run it"), "{text}");
    }
}

/// A load that grows as a ramp of the list does has the same values, to rounding of t/T.
#[test]
fn own_functions_drive_loads_and_supports() {
    let case = |factor: delassus_fem::TimeFunction| {
        let mut case = of_the_list();
        case.loads[1] = LoadEntry::traction("block", "right", [20.0, 0.0]).factor(factor.clone());
        case.boundary(BoundaryEntry::new("block", "top").y(0.0).x(factor))
    };
    let end = |case: Case| {
        let model = Loaded::of_case(case, "").unwrap().model::<2>().unwrap();
        let motion = delassus_dynamics::System::prescribed_motion(model.bodies[0].body.as_ref(), 0.05);
        assert!(!motion.is_empty());
        motion
    };
    let ramp = delassus_fem::TimeFunction::Ramp { start: 0.0, end: 0.2, from: 0.0, to: 1.0 };
    for ((v, a), (w, b)) in end(case(ramp)).into_iter().zip(end(case(Linear { until: 0.2 }.into()))) {
        assert!((v - w).abs() < 1e-15 && (a - b).abs() < 1e-14, "{v} {w} {a} {b}");
    }
}

/// The codes with which a case is refused.
fn refused<const D: usize>(case: Case) -> Vec<(String, &'static str)>
where
    delassus_sim::space::Dimension<D>: delassus_case::lower::Generate<D>,
{
    let Err(CaseError::Case { problems, .. }) = Loaded::of_case(case, "").unwrap().model::<D>() else {
        panic!("the case was accepted")
    };
    problems.into_iter().map(|p| (p.path, p.code.as_str())).collect()
}

#[test]
fn own_things_are_checked() {
    let with = |change: &dyn Fn(&mut Case)| {
        let mut case = of_the_list();
        change(&mut case);
        refused::<2>(case)
    };
    let bad_law = with(&|c| c.contacts[0].law = MyFriction { mu: -1.0 }.into());
    assert_eq!(bad_law, [("contacts[0].law".to_owned(), "E0632")]);
    let density = with(&|c| c.materials[0].law = Hooke { density: 4.0, hardening: 0.0 }.into());
    assert_eq!(density, [("materials[0]".to_owned(), "E0149")]);
    let hardening = with(&|c| c.materials[0].law = Hooke { density: 3.0, hardening: 0.1 }.into());
    assert_eq!(hardening, [("materials[0]".to_owned(), "E0172")]);
    let ball = with(&|c| c.obstacles[0].shape = ObstacleSpec::own(Ball::<3> { centre: [0.0; 3].into(), radius: 1.0 }));
    assert_eq!(ball, [("obstacles[0].shape".to_owned(), "E0309")]);
    let flat = with(&|c| c.obstacles[0].shape = ObstacleSpec::own(Ball::<2> { centre: [0.0; 2].into(), radius: -1.0 }));
    assert_eq!(flat.len(), 1, "{flat:?}");
    let solid = generate::block([0.0; 3], [1.0; 3], [1, 1, 1], CellKind::Hexahedron8, 1).unwrap();
    let solid = with(&|c| c.bodies[0].mesh = solid.clone().into());
    assert_eq!(solid, [("bodies[0].mesh".to_owned(), "E0309")]);
    let mut broken = generate::rectangle([0.0; 2], [1.0; 2], [1, 1], CellKind::Quad4, 1).unwrap();
    broken.blocks[0].nodes[2] = 77;
    let broken = with(&|c| c.bodies[0].mesh = broken.clone().into());
    assert!(broken.len() == 1 && broken[0].0 == "bodies[0].mesh" && broken[0].1.starts_with("E04"), "{broken:?}");
    // A law of the plane in space.
    let space = Case::space("In space")
        .material("m", KelvinVoigt::elastic(1.0, 0.3), 1.0)
        .body(BodyEntry::new("a", BoxSpec::new([0.0; 3], [1.0; 3], [1; 3])).material("m"))
        .obstacle(ObstacleEntry::half_plane("floor", [0.0; 3], [0.0, 0.0, 1.0]))
        .contact("c", ("a", "bottom"), "floor", MyFriction { mu: 0.1 })
        .integrator(Theta { theta: 0.5 })
        .step(0.1)
        .duration(1.0);
    let codes: Vec<_> = refused::<3>(space).into_iter().filter(|p| p.0 == "contacts[0].law").collect();
    assert_eq!(codes, [("contacts[0].law".to_owned(), "E0148")]);
}
