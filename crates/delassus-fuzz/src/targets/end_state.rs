//! The end of a run, as `run --from` reads it. What stands behind the checksum is read without it too.

use std::path::Path;

use delassus_run::end_state::EndState;

use super::{Answer, Bound, Form, FuzzTarget, no_words};

/// Ends of runs.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "end-state", form: Form::Binary, words: no_words, memory: Bound::READER, run };

/// Bytes before and after the payload.
const HEAD: usize = 28;
const SUM: usize = 32;

fn run(input: &[u8]) -> Answer {
    let sizes = |s: EndState| {
        let numbers = s.snapshot.states.iter().map(|s| s.q.len() + s.z.len()).sum();
        vec![s.bodies.len(), s.pairs.len(), s.snapshot.states.len(), numbers, s.snapshot.histories.len()]
    };
    let whole = EndState::from_bytes(input, Path::new("end.state"));
    let end = input.len().saturating_sub(SUM);
    match input.get(HEAD..end).and_then(EndState::from_payload) {
        Some(state) => Answer::of(Ok::<_, String>(state), sizes),
        None => Answer::of(whole, sizes),
    }
}
