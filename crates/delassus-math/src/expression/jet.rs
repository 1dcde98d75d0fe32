//! Derivatives of an expression of one variable.
//!
//! ```text
//! u = (u, u′, u″),    g(u) = (g, g′ u′, g″ u′² + g′ u″),    f(a, b)″ = f_aa a′² + 2 f_ab a′ b′ + f_bb b′² + f_a a″ + f_b b″
//! ```
//!
//! The value and its first two derivatives go through the operations together. A term with a derivative of zero is left out: at t = 0 the
//! logarithm in the derivative of `t^2` is infinite, but nothing asks for it.

use super::calls::branch;
use super::{Callable, Expression, Operation};

/// c d, where d = 0 counts for nothing whatever c.
fn times(c: f64, d: f64) -> f64 {
    if d.abs() > 0.0 || d.is_nan() { c * d } else { 0.0 }
}

impl Expression {
    /// Value, first and second derivative of an expression of one variable.
    #[must_use]
    pub fn jet(&self, t: f64) -> [f64; 3] {
        let mut stack: Vec<[f64; 3]> = Vec::new();
        let pop = |stack: &mut Vec<[f64; 3]>| stack.pop().unwrap_or([f64::NAN; 3]);
        for operation in &self.operations {
            let value = match *operation {
                Operation::Number(x) => [x, 0.0, 0.0],
                Operation::Variable(_) => [t, 1.0, 0.0],
                Operation::Call(Callable::One(f, derivatives)) => {
                    let [u, du, ddu] = pop(&mut stack);
                    let [d, dd] = derivatives(u);
                    [f(u), times(d, du), times(dd, du * du) + times(d, ddu)]
                }
                Operation::Call(Callable::Two(f, derivatives)) => {
                    let [b, db, ddb] = pop(&mut stack);
                    let [a, da, dda] = pop(&mut stack);
                    let [fa, fb, faa, fab, fbb] = derivatives(a, b);
                    let second = times(faa, da * da) + 2.0 * times(fab, da * db) + times(fbb, db * db);
                    [f(a, b), times(fa, da) + times(fb, db), second + times(fa, dda) + times(fb, ddb)]
                }
                Operation::Call(Callable::If) => {
                    let (no, yes, condition) = (pop(&mut stack), pop(&mut stack), pop(&mut stack));
                    std::array::from_fn(|i| branch(condition[0], yes[i], no[i]))
                }
            };
            stack.push(value);
        }
        pop(&mut stack)
    }
}
