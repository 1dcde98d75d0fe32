//! Cases made in code are those that a text gives: the same defaults, the same checks, the same codes.

use std::path::Path;

use delassus_case::spec::{
    BodyEntry, BoundaryEntry, Case, ContactEntry, InterfaceSpec, LoadEntry, NlgsSpec, NormalsSpec, ObstacleEntry,
    ObstacleVelocity, PointsSpec, ProbeSpec, SpaceAxis, StartSpec, TieEntry, Units,
};
use delassus_case::{CaseError, Loaded};
use delassus_dynamics::integrator::{ModifiedTheta, Theta};
use delassus_fem::{KelvinVoigt, Kinematics, MassKind, Maxwell, Section, TimeFunction};
use delassus_solver::LawSpec;
use delassus_solver::law::{Restitution, SignoriniCoulomb};
use delassus_verify::{BarsImpact, CheckSpec, Measure, SolutionSpec, VerifySpec};

fn bar(name: &str, x: f64, speed: f64) -> BodyEntry {
    BodyEntry::rectangle(name, [x, 0.0], [0.254, 1.0], [20, 1])
        .material("steel")
        .section(Section::PlaneStress { thickness: 1.0 })
        .mass(MassKind::Lumped)
        .velocity([speed, 0.0])
}

fn bars() -> Case {
    Case::plane("Impact of two elastic bars")
        .kinematics(Kinematics::SmallStrain)
        .material("steel", KelvinVoigt::elastic(0.20684e12, 0.0), 7895.7)
        .body(bar("left", -0.254, 5.13588))
        .body(bar("right", 0.0, -5.13588))
        .contact("faces", ("left", "right"), ("right", "left"), LawSpec::Frictionless)
        .integrator(ModifiedTheta { theta: 0.55 })
        .step(0.2226e-5)
        .duration(0.2e-3)
        .solver(NlgsSpec { tolerance: 1e-12, ..NlgsSpec::default() })
        .output_every(1)
        .probe("left_face", ProbeSpec::group("left", "right"))
        .probe("right_face", ProbeSpec::group("right", "left"))
        .probe("left_bar", ProbeSpec::body("left"))
        .probe("right_bar", ProbeSpec::body("right"))
        .verify(VerifySpec {
            solution: Some(SolutionSpec::BarsImpact(BarsImpact {
                young: 0.20684e12,
                density: 7895.7,
                length: 0.254,
                area: 1.0,
                speed: 5.13588,
                gap: 0.0,
                drift: 0.0,
                pair: Some("faces".into()),
                left_face: Some("left_face".into()),
                right_face: Some("right_face".into()),
                left_bar: Some("left_bar".into()),
                right_bar: Some("right_bar".into()),
            })),
            checks: vec![
                CheckSpec {
                    name: "contact stress, rho c V".into(),
                    measure: Measure::Mean { column: "faces.force_x".into(), from: 1.985e-5, to: 7.940e-5 },
                    expected: -2.075523e8,
                    tolerance: 0.01,
                },
                CheckSpec {
                    name: "release, 2L/c".into(),
                    measure: Measure::LastTimeAbove { column: "faces.force_x".into(), level: 4.151e6 },
                    expected: 9.925257e-5,
                    tolerance: 0.03,
                },
            ],
            ..VerifySpec::default()
        })
}

#[test]
fn the_bars_of_the_gallery_in_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/bars-impact.ron");
    let read = Loaded::read(&path, &[]).unwrap();
    let made = Loaded::of_case(bars(), path.parent().unwrap()).unwrap();
    assert_eq!(made.resolved_text().unwrap(), read.resolved_text().unwrap());
    assert_eq!(made.json_text().unwrap(), read.json_text().unwrap());
    assert_eq!((made.name().as_str(), made.copy_name()), ("impact-of-two-elastic-bars", "case.ron"));
    assert_eq!(made.columns(), read.columns());
    // What a results folder keeps of it is a case of its own, and the same one.
    let again = Loaded::from_text(Path::new("case.ron"), made.given.clone(), &[]).unwrap();
    assert_eq!(again.hash(), made.hash());
    assert_eq!(again.json_text().unwrap(), made.json_text().unwrap());
}

/// What the bars do not have.
const REST: &str = r#"(
    title: "All the rest",
    units: Plain,
    materials: [
        (name: "rock", density: 2.0, law: Maxwell(young: 3.0, poisson: 0.2, viscosity: 4.0)),
        (name: "clay", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.1, shear_viscosity: 0.5)),
    ],
    bodies: [(
        name: "slab",
        mesh: Rectangle(corner: (0, 0), size: (4, 2), cells: (4, 2)),
        copies: (count: 2, translation: (0, 3)),
        split: [(name: "joint", facets: Box(from: (0, 1), to: (4, 1)))],
        regions: [(group: "body", material: "rock")],
        material: "clay",
        damping: (alpha: 0.1, beta: 0.2),
        rotation: 90.0,
        translation: (5, 1),
        spin: 0.01,
    )],
    obstacles: [
        (name: "floor", shape: HalfPlane(point: (0, 0), normal: (0, 1))),
        (name: "wheel", shape: Circle(centre: (9, 9), radius: 1.5), velocity: (y: Sine(amplitude: 1, frequency: 2)),
         spin: 3.0, pivot: (9, 9)),
    ],
    contacts: [
        (name: "ground", candidates: (body: "slab-0", group: "left"), antagonists: Obstacle("floor"),
         law: SignoriniCoulomb(friction: 0.3)),
        (name: "joints", candidates: (body: "slab-0", group: "joint-plus"),
         antagonists: Surface(body: "slab-0", group: "joint-minus"), law: Restitution(normal: 0.5),
         points: OnFacets(2), normals: Continuous, both: true, initial_penetration: 1e-3),
    ],
    loads: [
        Gravity(acceleration: (0, -9.81), factor: Ramp(end: 1, to: 1)),
        Traction(body: "slab-1", group: "top", traction: (1, 2)),
        Pressure(body: "slab-1", group: "top", pressure: 7, factor: 2),
        NodalForce(body: "slab-1", group: "top", force: (3, 4)),
    ],
    boundary: [(body: "slab-1", group: "bottom", x: 0, y: Table([(0, 0), (1, 1)]))],
    ties: [(body: "slab-1", slaves: "right", masters: "left", components: [Y])],
    start: Equilibrium,
    integrator: Theta(theta: 1.0),
    step: 0.1,
    duration: 2.0,
    memory: 1e6,
    probes: [(name: "p", at: Point(body: "slab-0", point: (1, 1))), (name: "s", at: Stress(body: "slab-0", group: "body"))],
)"#;

fn rest() -> Case {
    let clay = KelvinVoigt::elastic(1.0, 0.1).with_viscosity(0.0, 0.5);
    let slab = BodyEntry::rectangle("slab", [0.0, 0.0], [4.0, 2.0], [4, 2])
        .copies(2, [0.0, 3.0])
        .split("joint", InterfaceSpec::Box { from: [0.0, 1.0].into(), to: [4.0, 1.0].into() })
        .region("body", "rock")
        .material("clay")
        .damping(0.1, 0.2)
        .rotation(90.0)
        .translation([5.0, 1.0])
        .spin(0.01);
    let wave = TimeFunction::Sine { amplitude: 1.0, frequency: 2.0, phase: 0.0, offset: 0.0 };
    let joints = (("slab-0", "joint-plus"), ("slab-0", "joint-minus"));
    let bouncing = Restitution { normal: Some(0.5), ..Restitution::default() };
    let joints = ContactEntry::new("joints", joints.0, joints.1, bouncing)
        .points(PointsSpec::OnFacets(2))
        .normals(NormalsSpec::Continuous)
        .both()
        .initial_penetration(1e-3);
    let ramp = TimeFunction::Ramp { start: 0.0, end: 1.0, from: 0.0, to: 1.0 };
    Case::plane("All the rest")
        .units(Units::Plain)
        .material("rock", Maxwell::new(3.0, 0.2, 4.0), 2.0)
        .material("clay", clay, 1.0)
        .body(slab)
        .obstacle(ObstacleEntry::half_plane("floor", [0.0, 0.0], [0.0, 1.0]))
        .obstacle(
            ObstacleEntry::circle("wheel", [9.0, 9.0], 1.5)
                .velocity(ObstacleVelocity::default().y(wave))
                .spin(3.0, [9.0, 9.0]),
        )
        .contact("ground", ("slab-0", "left"), "floor", SignoriniCoulomb { friction: 0.3 })
        .contact_entry(joints)
        .load(LoadEntry::gravity([0.0, -9.81]).factor(ramp))
        .load(LoadEntry::traction("slab-1", "top", [1.0, 2.0]))
        .load(LoadEntry::pressure("slab-1", "top", 7.0).factor(2.0))
        .load(LoadEntry::nodal_force("slab-1", "top", [3.0, 4.0]))
        .boundary(BoundaryEntry::new("slab-1", "bottom").x(0.0).y(TimeFunction::Table(vec![(0.0, 0.0), (1.0, 1.0)])))
        .tie(TieEntry::new("slab-1", "right", "left").components(&[SpaceAxis::Y]))
        .start(StartSpec::Equilibrium)
        .integrator(Theta { theta: 1.0 })
        .step(0.1)
        .duration(2.0)
        .memory(1e6)
        .probe("p", ProbeSpec::point("slab-0", [1.0, 1.0]))
        .probe("s", ProbeSpec::stress("slab-0", "body"))
}

#[test]
fn what_the_bars_do_not_have() {
    let read = Loaded::from_text(Path::new("rest.ron"), REST.to_owned(), &[]).unwrap();
    let made = Loaded::of_case(rest(), "").unwrap();
    assert_eq!(made.json_text().unwrap(), read.json_text().unwrap());
}

/// The smallest case of each dimension has the defaults of the text.
#[test]
fn defaults_are_those_of_the_text() {
    let text = |head: &str, mesh: &str| {
        format!(
            "(title: \"A block\", {head} materials: [(name: \"m\", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))], \
             bodies: [(name: \"b\", mesh: {mesh}, material: \"m\")], integrator: Theta(theta: 0.5), step: 0.1, duration: 1.0)"
        )
    };
    let finish = |case: Case, body: BodyEntry| {
        case.material("m", KelvinVoigt::elastic(1.0, 0.3), 1.0)
            .body(body.material("m"))
            .integrator(Theta { theta: 0.5 })
            .step(0.1)
            .duration(1.0)
    };
    let flat = finish(Case::plane("A block"), BodyEntry::rectangle("b", [0.0; 2], [1.0; 2], [2, 3]));
    let solid = finish(Case::space("A block"), BodyEntry::block("b", [0.0; 3], [1.0; 3], [2, 3, 4]));
    let written = [
        text("", "Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 3))"),
        text("dimension: 3,", "Box(corner: (0, 0, 0), size: (1, 1, 1), cells: (2, 3, 4))"),
    ];
    for (case, text) in [flat, solid].into_iter().zip(written) {
        let read = Loaded::from_text(Path::new("block.ron"), text, &[]).unwrap();
        assert_eq!(Loaded::of_case(case, "").unwrap().json_text().unwrap(), read.json_text().unwrap());
    }
}

/// What is wrong has the code that a text would get, and its key instead of a line.
#[test]
fn problems_name_their_keys() {
    let mut case = bars().step(0.0).contact("more", ("left", "lid"), "wall", LawSpec::Frictionless);
    case.bodies[1].material = Some("stele".into());
    let Err(error) = Loaded::of_case(case, "").unwrap().model::<2>() else { panic!("the case was accepted") };
    let CaseError::Case { text, problems, .. } = &error else { panic!("{error}") };
    let found: Vec<_> = problems.iter().map(|p| (p.path.as_str(), p.code.as_str())).collect();
    let expected = [
        ("step", "E0305"),
        ("bodies[1].material", "E0335"),
        ("contacts[1].candidates.group", "E0421"),
        ("contacts[1].antagonists", "E0335"),
    ];
    assert_eq!(found, expected, "{text}");
    let first = "error[E0305]: case `Impact of two elastic bars`: step: step = 0 must be positive and finite\n";
    assert!(text.starts_with(first), "{text}");
    assert!(text.contains("bars`: bodies.right.material: ") && text.contains("steel"), "{text}");
    assert!(text.ends_with("4 problems in case `Impact of two elastic bars`"), "{text}");
}

/// Without scheme, step and duration there is no run.
#[test]
fn what_has_no_default_must_be_given() {
    let case = Case::plane("\u{1b}[31m!?").material("m", KelvinVoigt::elastic(1.0, 0.3), 1.0);
    let loaded = Loaded::of_case(case.body(BodyEntry::rectangle("b", [0.0; 2], [1.0; 2], [1, 1]).material("m")), "");
    let loaded = loaded.unwrap();
    assert_eq!(loaded.name(), "31m", "a name of letters and digits");
    let Err(CaseError::Case { text, problems, .. }) = loaded.model::<2>() else { panic!("the case was accepted") };
    let mut paths: Vec<&str> = problems.iter().map(|p| p.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["duration", "integrator", "step"], "{text}");
    assert!(!text.contains('\u{1b}'), "nothing that a terminal obeys: {text}");
}
