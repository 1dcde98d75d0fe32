//! The text of a case, up to the case as plain data.

use std::path::Path;

use delassus_case::Loaded;

use super::{Answer, Bound, Form, FuzzTarget, text};

/// Cases.
pub const TARGET: FuzzTarget = FuzzTarget { name: "case-ron", form: Form::Text, words, memory: Bound::READER, run };

/// The guide to cases: all keys and variants are in it, a test of its own insists.
const GUIDE: &str =
    concat!(include_str!("../../../../docs/case-format.md"), include_str!("../../../../docs/exact-solutions.md"));

/// The words of code in the guide.
pub(super) fn words() -> Vec<String> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let code = GUIDE.split('`').skip(1).step_by(2).flat_map(|code| code.split(|c| !is_letter(c)));
    let mut words: Vec<String> = code.filter(|word| word.len() > 1).map(str::to_owned).collect();
    words.extend(
        ["Some(", "None", "true", "false", "/*", "*/", "//", "r#\"", "b\"", "()", "#![enable("].map(str::to_owned),
    );
    words
}

fn run(input: &[u8]) -> Answer {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    Answer::of(Loaded::from_text(Path::new("fuzz.ron"), text.to_owned(), &[]), |loaded| sizes(&loaded))
}

/// What tells cases apart.
pub(super) fn sizes(loaded: &Loaded) -> Vec<usize> {
    let case = &loaded.case;
    vec![case.materials.len(), case.bodies.len(), case.contacts.len(), case.loads.len(), case.n_bodies()]
}
