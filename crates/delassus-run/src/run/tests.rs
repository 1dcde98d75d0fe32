//! What a run and `check` say of bodies that pass through one another.

use std::path::Path;

use delassus_case::load::Loaded;
use delassus_error::Interrupt;
use delassus_sim::sightings::Sightings;

use super::{Monitor, RunOptions, run_case};
use crate::check::check_case;

/// A wide block of one cell falls on a narrow one, with the candidates on the side of WHO.
const BLOCKS: &str = r#"(title: "blocks", kinematics: SmallStrain, materials: [(name: "m", density: 1000, law: KelvinVoigt(young: 1e8, poisson: 0.3))],
    bodies: [
        (name: "big", mesh: Rectangle(corner: (-0.5, 0.01), size: (1, 0.5), cells: (1, 1)), material: "m"),
        (name: "small", mesh: Rectangle(corner: (-0.1, -0.2), size: (0.2, 0.2), cells: (4, 4)), material: "m"),
    ],
    contacts: [(name: "g", law: SignoriniCoulomb(friction: 0.3), SIDES)],
    boundary: [(body: "small", group: "bottom", x: 0, y: 0)],
    loads: [Gravity(acceleration: (0, -9.81))], integrator: ThetaEuler(theta: 0.55), step: 5e-3, duration: 0.2)"#;
const BIG: &str = r#"candidates: (body: "big", group: "bottom"), antagonists: Surface(body: "small", group: "top")"#;
const SMALL: &str = r#"candidates: (body: "small", group: "top"), antagonists: Surface(body: "big", group: "bottom")"#;

fn blocks(sides: &str) -> Loaded {
    Loaded::from_text(Path::new("blocks.ron"), BLOCKS.replace("SIDES", sides), &[]).unwrap()
}

/// Asks for a stop after a step, and writes down what it is told.
#[derive(Default)]
struct Listener {
    stop_after: usize,
    stop: Interrupt,
    said: Vec<String>,
}

impl Monitor for Listener {
    fn started(&mut self, _: &str, _: usize) {}
    fn progressed(&mut self, done: usize, _: f64) {
        if done == self.stop_after {
            self.stop.raise();
        }
    }
    fn message(&mut self, text: &str) {
        self.said.push(text.to_owned());
    }
    fn ended(&mut self) {}
}

#[test]
fn a_run_says_that_a_body_falls_through_another_and_check_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let loaded = blocks(BIG);
    let mut listener = Listener::default();
    let options = |name: &str| RunOptions { out: Some(dir.path().join(name)), ..RunOptions::default() };
    let whole = run_case(&loaded, &options("whole"), &mut listener).unwrap();
    let found = whole.verdict.sightings.declared.as_ref().unwrap();
    // Free fall over 0.2 s less the gap: 0.19 m, and 0.05 m are a facet.
    assert!(found.ratio > 3.0 && found.depth > 0.15 && found.step == 40, "{found:?}");
    let told: Vec<&String> = listener.said.iter().filter(|s| s.contains("`small` is inside `big`")).collect();
    assert_eq!(told.len(), 1, "once: {:?}", listener.said);
    assert!(whole.to_string().contains("doubtful   The surface of `small` is inside `big`"), "{whole}");
    let column = whole.history.column("surface_penetration").unwrap();
    assert!((column[40] - found.depth).abs() < 1e-15 && column[..5].iter().all(|d| d.abs() < 1e-15));
    // Stopped when it has been told, and resumed: the same, and it is not told again.
    let mut first = Listener { stop_after: 30, stop: Interrupt::new(), ..Listener::default() };
    let stopped = RunOptions { stop: first.stop.clone(), ..options("parts") };
    assert!(run_case(&loaded, &stopped, &mut first).is_err());
    let mut second = Listener::default();
    let resumed = run_case(&loaded, &RunOptions { resume: true, ..options("parts") }, &mut second).unwrap();
    assert_eq!(resumed.verdict.sightings, whole.verdict.sightings);
    assert_eq!(resumed.history.column("surface_penetration"), whole.history.column("surface_penetration"));
    assert!(first.said.iter().any(|s| s.contains("inside")) && !second.said.iter().any(|s| s.contains("inside")));

    let advice = check_case(&loaded).unwrap();
    let expected = "advice: contact `g`: candidates of `big` are 1.000e0 m apart, facets of `small` 5.000e-2 m: exchange the sides, \
                    set `both: true`, or `points: OnFacets(20)`";
    assert!(advice.contains(expected), "{advice}");
}

#[test]
fn a_block_that_lies_on_another_is_not_spoken_of() {
    let dir = tempfile::tempdir().unwrap();
    for (k, sides) in [SMALL.to_owned(), format!("{BIG}, both: true")].iter().enumerate() {
        let loaded = blocks(sides);
        let options = RunOptions { out: Some(dir.path().join(k.to_string())), ..RunOptions::default() };
        let summary = run_case(&loaded, &options, &mut Listener::default()).unwrap();
        assert_eq!(summary.verdict.sightings, Sightings::default());
        assert!(!check_case(&loaded).unwrap().contains("advice: contact `g`"));
    }
}
