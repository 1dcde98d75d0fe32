//! `history.csv`, as `delassus report` reads it back: of a run that ended, and of one that was killed.

use delassus_verify::history::parse;

use super::{Answer, Bound, Form, FuzzTarget, no_words, text};

/// Histories.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "csv", form: Form::Text, words: no_words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Answer {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let unfinished = parse(text, true).is_ok();
    let finished = parse(text, false);
    Answer::of(finished, |history| vec![history.names().len(), history.rows().len(), usize::from(unfinished)])
}
