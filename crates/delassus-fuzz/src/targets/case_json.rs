//! A case in JSON, up to the case as plain data.

use std::path::Path;

use delassus_case::Loaded;

use super::{Bound, Form, Outcome, Target, case_ron, text};

/// Cases in JSON.
pub const TARGET: Target =
    Target { name: "case-json", form: Form::Text, words: case_ron::words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Outcome {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    Outcome::of(Loaded::from_text(Path::new("fuzz.json"), text.to_owned(), &[]), |loaded| case_ron::sizes(&loaded))
}
