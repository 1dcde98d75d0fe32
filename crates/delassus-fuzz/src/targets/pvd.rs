//! A collection of frames, as `delassus report` reads it back.

use delassus_mesh::vtk::read_pvd;

use super::{Answer, Bound, Form, FuzzTarget, no_words};

/// Collections.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "pvd", form: Form::Text, words: no_words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Answer {
    Answer::of(read_pvd(input), |entries| vec![entries.len()])
}
