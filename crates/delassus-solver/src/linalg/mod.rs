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

/// Below this length the squares of the components would vanish.
const SQUARABLE: f64 = 1e-150;

/// ‖v‖, also of vectors whose squares underflow: a body at rest may have relative velocities of 1e-200 m/s. Elsewhere it has the bits
/// of `norm`.
pub(crate) fn length<const D: usize>(v: &Vector<D>) -> f64 {
    let (norm, size) = (v.norm(), v.amax());
    if norm < SQUARABLE && size > 0.0 { size * (v / size).norm() } else { norm }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_length_underflows() {
        for size in [1.0, 1e-140, 1e-160, 1e-202, 1e-300, f64::MIN_POSITIVE] {
            let v = Vector::<3>::new(2.0 * size, -size, 2.0 * size);
            assert!((length(&v) / (3.0 * size) - 1.0).abs() < 1e-15, "{size:e}");
        }
        let v = Vector::<2>::new(0.3, -0.7);
        assert_eq!(length(&v).to_bits(), v.norm().to_bits());
        assert!(length(&Vector::<2>::zeros()) <= 0.0 && length(&Vector::<2>::new(f64::NAN, 1.0)).is_nan());
        assert!(length(&Vector::<2>::new(f64::NAN, 1e-300)).is_nan());
    }

    #[test]
    fn nan_is_never_lost() {
        assert!(larger(f64::NAN, 1.0).is_nan() && larger(1.0, f64::NAN).is_nan());
        assert!((larger(1.0, 2.0) - 2.0).abs() < 1e-15);
        assert!(relative(0.0, 0.0) < 1e-300 && relative(1.0, 0.0).is_infinite());
    }
}
