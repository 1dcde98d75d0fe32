//! An expression of a `verify` block: read, and its value asked for.

use delassus_fem::Expression;

use super::{Answer, Bound, Form, FuzzTarget, text};

/// Expressions.
pub const TARGET: FuzzTarget = FuzzTarget { name: "expression", form: Form::Text, words, memory: Bound::READER, run };

fn words() -> Vec<String> {
    let words = ["sin(", "atan2(", "if(", "max(", ",", ")", "^", "-", "pi", "t", "x", "<=", "1e-3", "step("];
    words.map(str::to_owned).to_vec()
}

fn run(input: &[u8]) -> Answer {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let read = Expression::parse(text, &["t", "x"]);
    Answer::of(read, |expression| {
        // Whatever the value, there is one, and it is the same again.
        let values = [[0.0, 0.0], [0.5, -2.0], [f64::NAN, f64::INFINITY]].map(|at| expression.value(&at));
        let again = expression.value(&[0.5, -2.0]);
        let same = again.to_bits() == values[1].to_bits();
        vec![expression.text().len(), usize::from(same), values.iter().filter(|v| v.is_finite()).count()]
    })
}
