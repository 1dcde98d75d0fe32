//! Functions of time that a program brings along.
//!
//! Integrals, unless the function gives its own, are by adaptive Gauss-Legendre quadrature: an interval is halved until the rule of 7 points
//! on it and those on its halves agree,
//!
//! ```text
//! |G(a, b) − G(a, m) − G(m, b)| ≤ 10⁻¹⁴ ∫ |f|,   m = (a + b)/2.
//! ```
//!
//! At a jump the two may agree by chance some halvings early, which leaves an error about ten times that.

use std::fmt::Debug;
use std::sync::Arc;

use delassus_error::Own;

use super::TimeFunction;
use crate::error::FemError;

/// What messages call it.
pub(super) const KIND: &str = "function of time";

/// A function of time of one's own; `TimeFunction::from(function)` puts it into a case.
pub trait OwnFunction: Debug + Send + Sync {
    /// The name that stands for the function in files; its `Debug` text, with its parameters, unless another is given.
    fn name(&self) -> String {
        format!("{self:?}")
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`FemError::Parameter`] for one out of range.
    fn validate(&self) -> Result<(), FemError> {
        Ok(())
    }

    /// The value at time `t` \[s\].
    fn value(&self, t: f64) -> f64;

    /// The derivative at time `t`, at a kink the one to the right. Newmark's scheme takes the accelerations of prescribed velocities from
    /// it; loads and obstacles never ask. There is no default, because a difference quotient needs a time scale that only the function
    /// knows.
    fn derivative(&self, t: f64) -> f64;

    /// The integral from `t0` to `t1`; it moves obstacles. The default is by quadrature, to about 10⁻¹² of the integral of the absolute
    /// value, kinks and jumps included. A peak much narrower than the interval may be missed: give the integral then.
    fn integral(&self, t0: f64, t1: f64) -> f64 {
        quadrature(&|t| self.value(t), t0, t1)
    }
}

impl<F: OwnFunction + 'static> From<F> for TimeFunction {
    fn from(function: F) -> Self {
        Self::Own(Own::new(function.name(), Arc::new(function)))
    }
}

/// What the function answers; nothing is known of one that is only named, which a model refuses.
pub(super) fn asked(own: &Own<dyn OwnFunction>, ask: impl Fn(&dyn OwnFunction) -> f64) -> f64 {
    own.thing().map_or(f64::NAN, |function| ask(function.as_ref()))
}

/// Nodes and weights of Gauss and Legendre on [−1, 1], 7 points: exact for polynomials up to degree 13.
const GAUSS: [(f64, f64); 7] = [
    (-0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
    (-0.741_531_185_599_394_4, 0.279_705_391_489_276_6),
    (-0.405_845_151_377_397_2, 0.381_830_050_505_118_9),
    (0.0, 0.417_959_183_673_469_4),
    (0.405_845_151_377_397_2, 0.381_830_050_505_118_9),
    (0.741_531_185_599_394_4, 0.279_705_391_489_276_6),
    (0.949_107_912_342_758_5, 0.129_484_966_168_869_7),
];

/// Difference allowed, as a part of the integral of the absolute value.
const TOLERANCE: f64 = 1e-14;

/// Halvings beyond which a jump is known to rounding.
const DEEPEST: u32 = 48;

pub(super) fn quadrature(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let size = gauss(&|t| f(t).abs(), a, b).abs();
    refined(f, a, b, gauss(f, a, b), TOLERANCE * size, DEEPEST)
}

fn gauss(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    half * GAUSS.iter().map(|(x, weight)| weight * f(middle + half * x)).sum::<f64>()
}

fn refined(f: &dyn Fn(f64) -> f64, a: f64, b: f64, whole: f64, allowed: f64, left: u32) -> f64 {
    let middle = 0.5 * (a + b);
    let (first, second) = (gauss(f, a, middle), gauss(f, middle, b));
    let halves = first + second;
    let error = (halves - whole).abs();
    if left == 0 || error.is_nan() || error <= allowed {
        return halves;
    }
    refined(f, a, middle, first, allowed, left - 1) + refined(f, middle, b, second, allowed, left - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Pulse {
        until: f64,
    }

    impl OwnFunction for Pulse {
        fn value(&self, t: f64) -> f64 {
            if t < self.until { delassus_math::exp(-t) } else { -1.0 }
        }

        fn derivative(&self, t: f64) -> f64 {
            if t < self.until { -delassus_math::exp(-t) } else { 0.0 }
        }
    }

    #[test]
    fn integrals_without_a_formula() {
        let f = TimeFunction::from(Pulse { until: 0.3 });
        f.validate().unwrap();
        // 1 − e^(−0.3) − (1.7 − 0.3), across the jump; the sign follows the limits.
        let exact = 1.0 - delassus_math::exp(-0.3) - 1.4;
        for (found, wanted) in
            [(f.integral(0.0, 1.7), exact), (f.integral(1.7, 0.0), -exact), (f.integral(0.4, 0.4), 0.0)]
        {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}: what is promised, of an integral of |f| of 1.7");
        }
        let smooth = quadrature(&|t| delassus_math::sin(40.0 * t), 0.0, 1.0);
        assert!((smooth - (1.0 - delassus_math::cos(40.0)) / 40.0).abs() < 1e-12, "{smooth}");
        assert!(quadrature(&|_| f64::NAN, 0.0, 1.0).is_nan());
    }

    #[test]
    fn a_name_is_not_a_function() {
        let made = TimeFunction::from(Pulse { until: 0.3 });
        let text = ron::to_string(&made).unwrap();
        assert_eq!(text, "Own(\"Pulse { until: 0.3 }\")");
        let read: TimeFunction = ron::from_str(&text).unwrap();
        let Err(FemError::Own(missing)) = read.validate() else { panic!("a name was accepted") };
        assert_eq!(missing.kind, KIND);
        assert!(read != made && made == made.clone() && read.value(0.0).is_nan());
    }
}
