//! A collection of frames, as `delassus report` reads it back.

use delassus_mesh::vtk::read_pvd;

use super::{Bound, Form, Outcome, Target, no_words};

/// Collections.
pub const TARGET: Target = Target { name: "pvd", form: Form::Text, words: no_words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Outcome {
    Outcome::of(read_pvd(input), |entries| vec![entries.len()])
}
