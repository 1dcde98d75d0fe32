//! The CSV file of a reference of one's own.

use delassus_verify::table::Polyline;

use super::{Answer, Bound, Form, FuzzTarget, text};

/// References in files.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "reference-csv", form: Form::Text, words, memory: Bound::READER, run };

fn words() -> Vec<String> {
    ["t", "u", ",", ";", "\t", "#", "\"", "1e-3", "nan", "inf", "-0"].map(str::to_owned).to_vec()
}

fn run(input: &[u8]) -> Answer {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    Answer::of(Polyline::parse(text, ["t", "u"], [1e-3, 1.0]), |curve| {
        let [first, last] = curve.range();
        let inside = curve.value(0.5 * (first + last)).is_finite();
        vec![curve.n_points(), usize::from(inside)]
    })
}
