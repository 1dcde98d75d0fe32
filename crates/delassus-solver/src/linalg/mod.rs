//! Small vectors and matrices, eigenvalues, dense factors, and comparisons that keep NaN: what every other module may use.

pub(crate) mod dense;
pub(crate) mod eigen;

use nalgebra::{SMatrix, SVector};

/// Vector in a local contact frame: index 0 is the normal, then the tangents.
pub type Vector<const D: usize> = SVector<f64, D>;
/// Matrix in a local contact frame.
pub type Matrix<const D: usize> = SMatrix<f64, D, D>;

/// Larger of two, and NaN if either is: f64::max would hide a NaN.
pub(crate) fn larger(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.max(y) }
}

/// Quotient error/scale, zero if nothing is wrong.
pub(crate) fn relative(error: f64, scale: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error / scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_never_lost() {
        assert!(larger(f64::NAN, 1.0).is_nan() && larger(1.0, f64::NAN).is_nan());
        assert!((larger(1.0, 2.0) - 2.0).abs() < 1e-15);
        assert!(relative(0.0, 0.0) < 1e-300 && relative(1.0, 0.0).is_infinite());
    }
}
