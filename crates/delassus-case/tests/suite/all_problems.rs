//! Everything wrong with a case is told in one go, whatever else is wrong.

use std::path::Path;

use delassus_case::{CaseError, Loaded};

const CASE: &str = r#"(
    title: "Wrong in many places",
    kinematics: SmallStrain,
    materials: [(name: "steel", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
    bodies: [
        (name: "first", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)), material: "stel"),
        (name: "second", mesh: Rectangle(corner: (2, 0), size: (1, 1), cells: (0, 1)), material: "steel"),
    ],
    loads: [
        Gravity(acceleration: (0, -1), bodies: ["third"], factor: Table([])),
        Pressure(body: "second", group: "top", pressure: inf),
    ],
    boundary: [(body: "first", group: "left"), (body: "fourth", group: "left", x: NaN)],
    obstacles: [(name: "wheel", shape: Circle(centre: (0, 0), radius: -1), spin: inf)],
    integrator: Theta(theta: 0.2),
    step: 0,
    duration: 1,
)"#;

#[test]
fn a_broken_first_body_hides_nothing() {
    let loaded = Loaded::from_text(Path::new("wrong.ron"), CASE.into(), &[]).unwrap();
    let Err(CaseError::Case { problems, text, .. }) = loaded.model::<2>() else { panic!("the case was accepted") };
    let mut paths: Vec<&str> = problems.iter().map(|p| p.path.as_str()).collect();
    paths.sort_unstable();
    let expected = [
        "bodies[0].material",
        "bodies[1].mesh",
        "boundary[0]",
        "boundary[1].body",
        "boundary[1].x",
        "integrator",
        "loads[0].bodies[0]",
        "loads[0].factor",
        "loads[1].pressure",
        "obstacles[0].shape",
        "obstacles[0].spin",
        "step",
    ];
    assert_eq!(paths, expected, "{text}");
    assert!(text.ends_with("12 problems in wrong.ron"), "{text}");
}

/// A case of two blocks on a floor.
const BLOCKS: &str = r#"(
    title: "Blocks",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
    bodies: [
        (
            name: "b",
            mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)),
            copies: (count: 3, translation: (2, 0)),
            material: "m",
        ),
        (name: "c", mesh: Rectangle(corner: (0, 3), size: (1, 1), cells: (1, 1)), material: "m"),
    ],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0, 0), normal: (0, 1)))],
    contacts: [
        (name: "floor", candidates: (body: "b", group: "bottom"), antagonists: Obstacle("floor"), law: Frictionless),
    ],
    boundary: [(body: "b-1", group: "left", x: 0)],
    integrator: Theta(theta: 0.5),
    step: 1,
    duration: 1,
    solver: Nlgs(margins: (gap: 0, force: 0)),
    probes: [(name: "p", at: Body("b-2"))],
)"#;

/// What is wrong with the case of two blocks when one thing is changed.
fn problems_of(changes: &[(&str, &str)]) -> Result<Vec<(String, String)>, CaseError> {
    let mut text = BLOCKS.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    match Loaded::from_text(Path::new("case.ron"), text, &[])?.model::<2>() {
        Ok(_) => Ok(Vec::new()),
        Err(CaseError::Case { problems, .. }) => {
            Ok(problems.iter().map(|p| (p.path.clone(), p.message.clone())).collect())
        }
        Err(other) => Err(other),
    }
}

/// With every key written out, one that does not exist is the only one told of.
#[test]
fn an_unknown_key_does_not_make_others_unknown() {
    let path = Path::new("case.ron");
    let all = Loaded::from_text(path, BLOCKS.into(), &[]).unwrap().resolved_text().unwrap();
    assert!(all.contains("\n    ties:") && all.contains("\n    memory:"), "{all}");
    let text = all.replacen("(\n", "(\n    colour: 3,\n", 1);
    let Err(CaseError::Case { text, .. }) = Loaded::from_text(path, text, &[]) else { panic!("it was accepted") };
    assert!(text.contains("case.ron:2:5: colour: no field `colour`"), "{text}");
    assert!(text.ends_with("1 problem in case.ron"), "{text}");
}

#[test]
fn copies_are_checked_and_told_apart() {
    assert_eq!(problems_of(&[]).unwrap(), []);
    let told = |from: &str, to: &str, path: &str, message: &str| {
        let found = problems_of(&[(from, to)]).unwrap();
        // What hangs on it may be wrong too.
        assert_eq!(found.first(), Some(&(path.to_owned(), message.to_owned())), "{found:?}");
    };
    let range = "count = 0 must lie between 1 and 100000";
    told("count: 3", "count: 0", "bodies[0].copies.count", range);
    let which = "`b` has 3 copies: say which, `b-0` for the first";
    told("Body(\"b-2\")", "Body(\"b\")", "probes[0].at", which);
    let unknown = "no body is named `b-3`: the copies of `b` are `b-0` … `b-2`";
    told("body: \"b-1\"", "body: \"b-3\"", "boundary[0].body", unknown);
    let taken = "a copy has the name `b-1`, which bodies[0] has too";
    told("name: \"c\"", "name: \"b-1\"", "bodies[1].copies", taken);
    told(
        "translation: (2, 0)",
        "translation: (2, 0, 1)",
        "bodies[0].copies.translation",
        "3 components where 2 are needed",
    );
    told("count: 3", "count: 3, rotation: inf", "bodies[0].copies.rotation", "inf is not a finite number of degrees");
    // The same mistake in every copy is told once.
    let found = problems_of(&[("material: \"m\",\n        ),", "material: \"n\",\n        ),")]).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn margins_come_in_pairs() {
    let with = |margins: &str| problems_of(&[("gap: 0, force: 0", margins)]).unwrap();
    assert_eq!(with("gap: 1e-9, force: 1.0"), []);
    let one = vec![("solver.margins".to_owned(), "give both `gap` and `force`, or neither".to_owned())];
    assert_eq!(with("gap: 1e-9"), one);
    assert_eq!(with("sliding: 1e-6, drag: 1.0"), []);
    let along = vec![("solver.margins".to_owned(), "give both `sliding` and `drag`, or neither".to_owned())];
    assert_eq!(with("gap: 1e-9, force: 1.0, drag: 1.0"), along);
    let negative = with("sliding: -1e-6, drag: 1.0");
    assert_eq!(negative[0].0, "solver.margins.sliding");
    let found = with("gap: -1, force: NaN");
    let expected = [
        ("solver.margins.gap", "gap = -1 must be a finite number >= 0"),
        ("solver.margins.force", "force = NaN must be a finite number >= 0"),
    ];
    assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn laws_are_checked_where_they_stand() {
    for (law, message) in [
        ("SignoriniCoulomb(friction: -1)", "friction"),
        ("Adhesive(normal_stiffness: 0, tangential_stiffness: 1, energy: 1)", "normal_stiffness = 0"),
        ("MohrCoulomb(cohesion: -2, internal_friction: 0.5)", "cohesion = -2"),
        ("Restitution(normal: 2)", "normal = 2"),
        ("BilinearCohesive(strength: 1, stiffness: 1, energy: 0.1)", "energy = 0.1"),
        (
            "RateAndState(reference_friction: 0.6, direct_effect: 0, evolution_effect: 0.01, reference_velocity: 1, slip_distance: 1)",
            "direct_effect = 0",
        ),
        ("StaticDynamic(static_friction: 0.1, dynamic_friction: 0.5)", "static_friction"),
        ("Compliant(stiffness: -1)", "stiffness = -1"),
        ("SmoothFriction(curve: [(speed: 1, added: -0.1)])", "added = -0.1"),
        ("ElasticShear(shear_stiffness: 0, friction: 0.3)", "shear_stiffness = 0"),
        ("VariableFriction(friction: \"0.1 + q\")", "friction: character 7: no variable `q`"),
        ("VariableFriction(friction: \"0.1 + z\")", "friction: character 7: no variable `z`"),
        ("EllipticFriction(along: 0, across: 0.3, direction: (1, 0, 0))", "along = 0"),
        ("EllipticFriction(along: 0.1, across: 0.3, direction: (1, 0, 0))", "needs a case with `dimension: 3`"),
    ] {
        let found = problems_of(&[("law: Frictionless", &format!("law: {law}"))]).unwrap();
        assert!(
            found.len() == 1 && found[0].0 == "contacts[0].law" && found[0].1.contains(message),
            "{law}: {found:?}"
        );
    }
}
