//! Expressions of the place, and of the time where they say so: `1 - y/0.2`, `sin(pi*x)*exp(-t/0.1)`.

use std::sync::Arc;

use delassus_math::{Expression, ExpressionError};

/// An expression of `x`, `y`, in space `z`, and `t`; places \[m\] are those of the undeformed body, t in seconds.
#[derive(Clone, Debug)]
pub struct SpaceExpression<const D: usize> {
    expression: Arc<Expression>,
    /// The time that it is held at, if it is.
    held: Option<f64>,
}

impl<const D: usize> SpaceExpression<D> {
    /// From its text.
    ///
    /// # Errors
    /// A text that is none, with the place of its first fault.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let names: &[&str] = if D == 2 { &["x", "y", "t"] } else { &["x", "y", "z", "t"] };
        Ok(Self { expression: Arc::new(Expression::parse(text, names)?), held: None })
    }

    /// The value at a place and a time.
    #[must_use]
    pub fn value(&self, place: &[f64; D], t: f64) -> f64 {
        let t = self.held.unwrap_or(t);
        let at: [f64; 4] = std::array::from_fn(|i| if i < D { place[i] } else { t });
        self.expression.value(&at[..=D])
    }

    /// Does it change with time?
    #[must_use]
    pub fn varies(&self) -> bool {
        self.held.is_none() && self.expression.uses(D)
    }

    /// The same, held at its value of a time.
    #[must_use]
    pub fn held_at(&self, t: f64) -> Self {
        Self { held: Some(t), ..self.clone() }
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        self.expression.text()
    }
}
