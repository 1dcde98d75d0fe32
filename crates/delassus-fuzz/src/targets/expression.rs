//! An expression of a `verify` block, a function of time, a field or a friction coefficient: read, and its value and derivatives asked for.

use delassus_fem::{Expression, SpaceExpression, TimeExpression, TimeFunction};
use delassus_solver::LawSpec;
use delassus_solver::law::VariableFriction;

use super::{Answer, Bound, Form, FuzzTarget, text};

/// Expressions.
pub const TARGET: FuzzTarget = FuzzTarget { name: "expression", form: Form::Text, words, memory: Bound::READER, run };

fn words() -> Vec<String> {
    let words = [
        "sin(", "atan2(", "if(", "max(", ",", ")", "^", "-", "pi", "t", "x", "y", "z", "p", "<=", "1e-3", "step(",
        "Mm(", "Years(",
    ];
    words.map(str::to_owned).to_vec()
}

fn run(input: &[u8]) -> Answer {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    // As a function of time it also has derivatives.
    let in_time = TimeFunction::Displacement(Box::new(TimeFunction::Expression(TimeExpression::new(text))));
    let rates = [0.0, 0.5, f64::INFINITY].map(|t| in_time.value(t) + in_time.derivative(t));
    let finite = rates.iter().filter(|rate| rate.is_finite()).count();
    // And as a field of a load a value at every place.
    let field =
        SpaceExpression::<3>::parse(text).map_or(0, |f| usize::from(f.value(&[0.5, -2.0, 0.0], 1.0).is_finite()));
    // And as friction a law, or a reason why it is none.
    let law = LawSpec::from(VariableFriction { friction: text.to_owned() });
    let friction = law.validate().is_ok_and(|()| law.build::<2>().is_ok());
    let finite = finite + field + usize::from(friction);
    let read = Expression::parse(text, &["t", "x"]);
    Answer::of(read, |expression| {
        // Whatever the value, there is one, and it is the same again.
        let values = [[0.0, 0.0], [0.5, -2.0], [f64::NAN, f64::INFINITY]].map(|at| expression.value(&at));
        let again = expression.value(&[0.5, -2.0]);
        let same = again.to_bits() == values[1].to_bits();
        vec![expression.text().len(), usize::from(same), values.iter().filter(|v| v.is_finite()).count() + finite]
    })
}
