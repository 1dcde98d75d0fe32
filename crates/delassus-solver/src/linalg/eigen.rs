//! Eigenvalues of a small symmetric matrix by cyclic Jacobi rotations, for any D. Always ends, whatever the entries.

use delassus_math as math;

use crate::linalg::{Matrix, Vector};

/// Sweeps after which the iteration stops whatever is left; D ≤ 3 needs at most six.
const MAX_SWEEPS: usize = 30;

/// Eigenvalues of the symmetric part of `m`, unsorted. Non-finite entries give non-finite eigenvalues.
pub(crate) fn symmetric_eigenvalues<const D: usize>(m: &Matrix<D>) -> Vector<D> {
    let mut a = (m + m.transpose()) * 0.5;
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for i in 0..D {
            for j in (i + 1)..D {
                rotated |= rotate(&mut a, i, j);
            }
        }
        if !rotated {
            break;
        }
    }
    a.diagonal()
}

/// One rotation in the plane (i, j) that makes a_ij zero; false if it was negligible already.
fn rotate<const D: usize>(a: &mut Matrix<D>, i: usize, j: usize) -> bool {
    let (aii, ajj, aij) = (a[(i, i)], a[(j, j)], a[(i, j)]);
    // Below this size the off-diagonal entry changes no eigenvalue by more than a rounding of the largest one.
    if aij.abs() <= f64::EPSILON * 1e-2 * aii.abs().max(ajj.abs()) {
        return false;
    }
    let zeta = 0.5 * (ajj - aii) / aij;
    let t = zeta.signum() / (zeta.abs() + math::hypot(zeta, 1.0));
    let c = 1.0 / math::hypot(t, 1.0);
    let s = t * c;
    for k in 0..D {
        let (x, y) = (a[(k, i)], a[(k, j)]);
        a[(k, i)] = c * x - s * y;
        a[(k, j)] = s * x + c * y;
    }
    for k in 0..D {
        let (x, y) = (a[(i, k)], a[(j, k)]);
        a[(i, k)] = c * x - s * y;
        a[(j, k)] = s * x + c * y;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn trace_determinant_and_invariants_of_random_matrices() {
        let mut random = Random::new(11);
        for _ in 0..2000 {
            let g = Matrix::<3>::from_fn(|_, _| random.between(-1.0, 1.0));
            let m = g * g.transpose();
            let e = symmetric_eigenvalues(&m);
            // Newton's identities: the sums of powers fix the spectrum. 1e-13: a few roundings of numbers of order one.
            assert!((e.sum() - m.trace()).abs() < 1e-13);
            assert!((e.norm_squared() - (m * m).trace()).abs() < 1e-13);
            assert!((e.product() - m.determinant()).abs() < 1e-13);
        }
    }

    #[test]
    fn non_finite_entries_end() {
        let m = Matrix::<3>::from_element(f64::NAN);
        assert!(symmetric_eigenvalues(&m).iter().all(|e| e.is_nan()));
        let m = Matrix::<2>::from_element(f64::INFINITY);
        assert!(symmetric_eigenvalues(&m).iter().any(|e| !e.is_finite()));
    }

    #[test]
    fn zero_and_diagonal_matrices_are_exact() {
        assert!(symmetric_eigenvalues(&Matrix::<3>::zeros()).norm() < f64::MIN_POSITIVE);
        let m = Matrix::<2>::new(3.0, 0.0, 0.0, 5.0);
        let e = symmetric_eigenvalues(&m);
        assert!((e.max() - 5.0).abs() < 1e-15 && (e.min() - 3.0).abs() < 1e-15);
    }
}
