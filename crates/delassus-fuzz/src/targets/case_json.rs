//! A case in JSON, up to the case as plain data.

use std::path::Path;

use delassus_case::Loaded;

use super::{Answer, Bound, Form, FuzzTarget, case_ron, text};

/// Cases in JSON.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "case-json", form: Form::Text, words: case_ron::words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Answer {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    Answer::of(Loaded::from_text(Path::new("fuzz.json"), text.to_owned(), &[]), |loaded| case_ron::sizes(&loaded))
}
