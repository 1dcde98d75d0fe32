//! Expressions of the time, with exact derivatives.

use std::fmt;
use std::sync::Arc;

use delassus_math::{Expression, ExpressionError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::FemError;

/// An expression of `t` \[s\]; a text that is none is kept, and refused when it is validated.
#[derive(Clone)]
pub struct TimeExpression {
    text: String,
    read: Result<Arc<Expression>, ExpressionError>,
}

impl TimeExpression {
    /// From its text, `1e-3*sin(2*pi*50*t)`.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let read = Expression::parse(&text, &["t"]).map(Arc::new);
        Self { text, read }
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn validate(&self) -> Result<(), FemError> {
        match &self.read {
            Ok(_) => Ok(()),
            Err(e) => Err(FemError::Expression { at: e.at, reason: e.reason.clone() }),
        }
    }

    /// Value, first and second derivative at `t`; not numbers for a text that is no expression.
    pub(super) fn jet(&self, t: f64) -> [f64; 3] {
        self.read.as_ref().map_or([f64::NAN; 3], |expression| expression.jet(t))
    }

    pub(super) fn value(&self, t: f64) -> f64 {
        self.read.as_ref().map_or(f64::NAN, |expression| expression.value(&[t]))
    }
}

impl PartialEq for TimeExpression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for TimeExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl Serialize for TimeExpression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for TimeExpression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function and operator against central differences; the step 1e-4 leaves 1e-8 of the third, 1e-7 of the fourth derivative and rounding.
    #[test]
    fn derivatives_are_those_of_differences() {
        let h = 1e-4;
        for text in [
            "sin(3*t)",
            "cos(t^2)",
            "tan(t)",
            "asin(t/2)",
            "acos(t/3)",
            "atan(2*t)",
            "atan2(t, 1+t^2)",
            "sinh(t)",
            "cosh(2*t)",
            "tanh(t)",
            "exp(-t)*sin(5*t)",
            "ln(1+t)",
            "log10(2+t)",
            "sqrt(1+t)",
            "abs(t-9)*t",
            "sign(t)*t^2",
            "floor(t)+t^3",
            "mod(t+0.1, 0.5)^2",
            "min(t, 2*t^2)",
            "max(t, 3*t^2)",
            "hypot(t, 1+t)",
            "step(t)*t^2",
            "heaviside(t-9)*t",
            "if(t < 1, t^3, 7)",
            "(t > 0.1)*t^2",
            "1/(1+t^2)",
            "t/(2+sin(t))",
            "-t^3",
            "t^t",
            "2^t",
            "(1+t)^(2*t)",
            "t^-2",
            "7",
            "t-3*t*t",
        ] {
            let function = TimeExpression::new(text);
            function.validate().unwrap_or_else(|e| panic!("{text}: {e}"));
            for t in [0.31, 0.74] {
                let [f, d, dd] = function.jet(t);
                let value = |t: f64| function.value(t);
                assert_eq!(f.to_bits(), value(t).to_bits(), "{text}");
                let (below, above) = (value(t - h), value(t + h));
                let size = 1.0 + f.abs() + d.abs() + dd.abs();
                assert!((d - (above - below) / (2.0 * h)).abs() <= 1e-5 * size, "{text} at {t}: {d}");
                assert!((dd - (above - 2.0 * f + below) / (h * h)).abs() <= 1e-4 * size, "{text} at {t}: {dd}");
            }
        }
    }

    #[test]
    fn powers_have_derivatives_at_zero() {
        for (text, expected) in [("t^2", [0.0, 0.0, 2.0]), ("t^3 - t", [0.0, -1.0, 0.0]), ("(t-1)^2", [1.0, -2.0, 2.0])]
        {
            let found = TimeExpression::new(text).jet(0.0);
            assert!(found.iter().zip(expected).all(|(a, b): (&f64, f64)| (a - b).abs() < 1e-15), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_text_that_is_none_is_refused() {
        let wrong = TimeExpression::new("2*y");
        let text = wrong.validate().unwrap_err().to_string();
        assert!(text.contains("character 3: no variable `y`: the variables are t"), "{text}");
        assert!(wrong.value(1.0).is_nan() && wrong.jet(1.0)[1].is_nan());
    }
}
