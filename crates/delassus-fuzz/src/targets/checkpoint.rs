//! Checkpoints, as `run --resume` reads them. A change almost never keeps the checksum, so what stands behind it is read without it too.

use std::path::Path;

use delassus_run::checkpoint::Checkpoint;

use super::{Answer, Bound, Form, FuzzTarget, no_words};

/// Checkpoints.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "checkpoint", form: Form::Binary, words: no_words, memory: Bound::READER, run };

/// Bytes before and after the payload.
const HEAD: usize = 28;
const SUM: usize = 32;

fn run(input: &[u8]) -> Answer {
    let sizes = |c: Checkpoint| {
        let numbers = c.snapshot.states.iter().map(|s| s.q.len() + s.z.len()).sum();
        vec![
            c.done,
            c.step,
            c.notes,
            c.snapshot.states.len(),
            numbers,
            c.snapshot.impulses.len(),
            c.snapshot.histories.len(),
            c.log.len(),
            c.cursors.len(),
        ]
    };
    let whole = Checkpoint::from_bytes(input, Path::new("fuzz.ckpt"));
    let end = input.len().saturating_sub(SUM);
    match input.get(HEAD..end).and_then(Checkpoint::from_payload) {
        Some(checkpoint) => Answer::of(Ok::<_, String>(checkpoint), sizes),
        None => Answer::of(whole, sizes),
    }
}
