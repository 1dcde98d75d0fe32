//! Contact problems of other codes, as `delassus solve` reads them, up to the form in which they are written.

use delassus_fclib::{FclibProblem, read, standard_form};

use super::{Answer, Bound, Form, FuzzTarget, no_words};

/// FCLIB files.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "fclib", form: Form::Binary, words: no_words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Answer {
    Answer::of(read(input), |file| match &file.problem {
        FclibProblem::Plane(p) => vec![2, p.n(), p.operator.n_blocks(), usize::from(standard_form(p).is_ok())],
        FclibProblem::Space(p) => vec![3, p.n(), p.operator.n_blocks(), usize::from(standard_form(p).is_ok())],
    })
}
