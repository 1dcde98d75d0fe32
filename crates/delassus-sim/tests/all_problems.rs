//! Everything wrong with a case is told in one go, whatever else is wrong.

use std::path::Path;

use delassus_sim::{Loaded, SimError};

const CASE: &str = r#"(
    title: "Wrong in many places",
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
    let Err(SimError::Case { problems, text }) = loaded.model::<2>() else { panic!("the case was accepted") };
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
