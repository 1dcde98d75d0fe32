//! Observed orders of convergence.
//!
//! Against a reference, with errors e_k at sizes h_k = h_1/2^(k−1):
//!
//! ```text
//! p_k = log₂(e_{k−1}/e_k)
//! ```
//!
//! Without one, by Richardson's method: the values v_k differ by d_k = v_k − v_{k−1}, which shrink like the errors,
//!
//! ```text
//! p_k = log₂(|d_{k−1}|/|d_k|) ,   v ≈ v_n + d_n/(2^p − 1)        p that of the last levels
//! ```
//!
//! after L. F. Richardson, The approximate arithmetical solution by finite differences …, Phil. Trans. R. Soc. A 210 (1911) 307–357;
//! P. J. Roache, Verification of codes and calculations, AIAA Journal 36 (1998) 696–702.

use serde::Serialize;

/// Errors and differences below this part of the values are rounding, whose order means nothing.
const ROUNDING: f64 = 1e-12;

/// What is followed from level to level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum FollowedKind {
    /// A relative error against a reference.
    Error,
    /// A value, by its differences from level to level.
    Value,
    /// A whole curve, by the largest difference from level to level, relative to its largest value.
    Curve,
}

/// A quantity at all levels.
#[derive(Clone, Debug, Serialize)]
pub struct Followed {
    /// Its name.
    pub name: String,
    /// What it is, in words.
    pub about: String,
    /// Kind.
    pub kind: FollowedKind,
    /// Errors or values, one a level; of a curve, its largest value.
    pub values: Vec<f64>,
    /// What shrinks: the errors, or the sizes of the differences from the level before (none at the first).
    pub errors: Vec<Option<f64>>,
    /// Order between each level and the one before, where two errors tell it.
    pub orders: Vec<Option<f64>>,
    /// The last of the orders.
    pub order: Option<f64>,
    /// Where the values lead to, by the last order; of values only.
    pub extrapolated: Option<f64>,
    /// How far the last value is from there.
    pub uncertainty: Option<f64>,
    /// Why there is no order or no extrapolation.
    pub note: Option<String>,
}

impl Followed {
    /// Errors against a reference.
    #[must_use]
    pub fn errors(name: String, about: String, errors: Vec<f64>) -> Self {
        let shrinking = errors.iter().map(|e| Some(e.abs())).collect();
        Self { name, about, ..Self::of(FollowedKind::Error, errors, shrinking, 1.0) }
    }

    /// Values without a reference; `scale` is how large such values are.
    #[must_use]
    pub fn values(name: String, about: String, values: Vec<f64>, scale: f64) -> Self {
        let differences: Vec<f64> = values.windows(2).map(|w| w[1] - w[0]).collect();
        let sizes = std::iter::once(None).chain(differences.iter().map(|d| Some(d.abs()))).collect();
        let mut out = Self { name, about, ..Self::of(FollowedKind::Value, values, sizes, scale) };
        let (Some(order), [.., before, last]) = (out.order, &differences[..]) else { return out };
        if before.signum() * last.signum() > 0.0 && order > 0.2 {
            let rest = last / (order.exp2() - 1.0);
            out.extrapolated = out.values.last().map(|v| v + rest);
            out.uncertainty = Some(rest.abs());
        } else {
            out.note = Some("the differences do not decrease steadily: use more levels".to_owned());
        }
        out
    }

    /// Curves without a reference: largest values, and largest differences from the level before.
    #[must_use]
    pub fn curve(name: String, about: String, largest: Vec<f64>, differences: Vec<f64>) -> Self {
        let scale = largest.last().copied().unwrap_or(0.0);
        let part = |d: &f64| Some(if scale > 0.0 { d / scale } else { *d });
        let sizes = std::iter::once(None).chain(differences.iter().map(part)).collect();
        Self { name, about, ..Self::of(FollowedKind::Curve, largest, sizes, 1.0) }
    }

    fn of(kind: FollowedKind, values: Vec<f64>, errors: Vec<Option<f64>>, scale: f64) -> Self {
        let counts = |e: f64| e.is_finite() && e > ROUNDING * scale;
        let pairs = errors.windows(2).map(|w| match *w {
            [Some(a), Some(b)] if counts(a) && counts(b) => Some((a / b).log2()),
            _ => None,
        });
        let orders: Vec<Option<f64>> = std::iter::once(None).chain(pairs).collect();
        let given: Vec<f64> = errors.iter().filter_map(|e| *e).collect();
        let note = match () {
            () if given.iter().any(|e| !e.is_finite()) => Some("not a number at some level".to_owned()),
            () if given.iter().any(|e| !counts(*e)) => Some("at the level of rounding".to_owned()),
            () if given.len() < 2 => Some("too few levels for an order".to_owned()),
            () => None,
        };
        Self {
            name: String::new(),
            about: String::new(),
            kind,
            order: orders.last().copied().flatten(),
            values,
            errors,
            orders,
            extrapolated: None,
            uncertainty: None,
            note,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|x| (x - expected).abs() < 1e-9)
    }

    /// v(h) = 5 + 3 h^p: errors and differences tell the same order, and the extrapolation is exact.
    #[test]
    fn orders_of_a_power_law() {
        for order in [1.0, 2.0, 0.5] {
            let value = |k: i32| 5.0 + 3.0 * f64::from(-k).exp2().powf(order);
            let values: Vec<f64> = (0..4).map(value).collect();
            let errors = Followed::errors("e".into(), String::new(), values.iter().map(|v| (v - 5.0) / 5.0).collect());
            assert!(near(errors.order, order) && near(errors.orders[1], order) && errors.orders[0].is_none());
            let found = Followed::values("v".into(), String::new(), values, 5.0);
            assert!(near(found.order, order) && found.orders[1].is_none(), "{found:?}");
            assert!(near(found.extrapolated, 5.0) && near(found.uncertainty, value(3) - 5.0), "{found:?}");
            assert!(found.note.is_none());
        }
    }

    #[test]
    fn rounding_and_uneven_values_have_no_order() {
        let follow = |values: &[f64]| Followed::values("v".into(), String::new(), values.to_vec(), 1.0);
        let rounding = follow(&[1.0, 1.0 + 2e-16, 1.0]);
        assert!(rounding.order.is_none() && rounding.note.as_deref() == Some("at the level of rounding"));
        let uneven = follow(&[1.0, 1.1, 1.05]);
        assert!(near(uneven.order, 1.0) && uneven.extrapolated.is_none() && uneven.note.is_some());
        assert!(follow(&[1.0, 2.0]).note.unwrap().contains("too few"));
        assert!(follow(&[1.0, f64::NAN, 2.0]).note.unwrap().contains("not a number"));
        let curve = Followed::curve("c".into(), String::new(), vec![2.0; 4], vec![0.4, 0.1, 0.025]);
        assert!(near(curve.order, 2.0) && near(curve.errors[3], 0.0125) && curve.values.len() == 4);
    }
}
