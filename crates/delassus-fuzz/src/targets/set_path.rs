//! An assignment of `--set` on a small case.

use std::path::Path;
use std::sync::LazyLock;

use delassus_case::Loaded;
use delassus_case::source::Document;

use super::{Answer, Bound, Form, FuzzTarget, case_ron, text};

/// Assignments.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "set-path", form: Form::Text, words: case_ron::words, memory: Bound::READER, run };

/// Lists, names, options, variants and tuples: something for every kind of step of a path.
const CASE: &str = r#"(title: "x", kinematics: SmallStrain, materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
bodies: [(name: "b", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (1, 1)), material: "m", copies: (count: 2))],
integrator: Theta(theta: 0.5), step: 0.1, duration: 1)"#;

fn run(input: &[u8]) -> Answer {
    static DOCUMENT: LazyLock<Option<Document>> = LazyLock::new(|| Document::new(CASE, "fuzz.ron").ok());
    let assignment = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let Some(mut document) = DOCUMENT.clone() else { return Answer::Refused("the case itself".to_owned()) };
    if let Err(error) = document.set(assignment) {
        return Answer::Refused(error.to_string());
    }
    // Set once more on top of itself, then read: places must still be right.
    let again = document.set(assignment).map_or_else(|error| error.to_string().len(), |()| 0);
    let loaded = Loaded::from_text(Path::new("fuzz.ron"), CASE.to_owned(), &[assignment.to_owned()]);
    Answer::of(loaded, |loaded| vec![again, loaded.case.bodies.len()])
}
