//! LU with row pivots of a dense matrix, in one thread: the same bits whatever else runs.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::linalg::matmul::matmul;
use faer::perm::PermRef;
use faer::{Accum, Conj, Mat, MatMut, MatRef, Par};
use nalgebra::{DMatrix, DVector};

/// YᵀY of the first `n` columns Y of a matrix. By faer, as all large products: nalgebra would leave it to a library that chooses instructions by itself.
pub(crate) fn product_with_transposed(matrix: &DMatrix<f64>, n: usize) -> DMatrix<f64> {
    let y = MatRef::from_column_major_slice(matrix.as_slice(), matrix.nrows(), matrix.ncols()).subcols(0, n);
    let mut product = DMatrix::zeros(n, n);
    let out = MatMut::from_column_major_slice_mut(product.as_mut_slice(), n, n);
    matmul(out, Accum::Replace, y.transpose(), y, 1.0, Par::Seq);
    product
}

/// A factored square matrix.
pub(crate) struct DenseLu {
    /// L below the diagonal, which is one, and U.
    factors: Mat<f64>,
    order: Vec<usize>,
    inverse: Vec<usize>,
}

impl DenseLu {
    /// Factors a matrix, whose memory becomes that of the factors. A singular one is seen by its solutions, which are not finite.
    pub(crate) fn new(mut full: Mat<f64>) -> Self {
        let n = full.nrows();
        let (mut order, mut inverse) = (vec![0_usize; n], vec![0_usize; n]);
        let mut memory = MemBuffer::new(factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default()));
        let stack = MemStack::new(&mut memory);
        factor::lu_in_place(full.as_mut(), &mut order, &mut inverse, Par::Seq, stack, Default::default());
        Self { factors: full, order, inverse }
    }

    /// Replaces right-hand sides, one a column, by their solutions.
    pub(crate) fn solve_in_place(&self, right: &mut Mat<f64>) {
        let n = self.factors.nrows();
        let mut memory = MemBuffer::new(solve::solve_in_place_scratch::<usize, f64>(n, right.ncols(), Par::Seq));
        let stack = MemStack::new(&mut memory);
        let rows = PermRef::new_checked(&self.order, &self.inverse, n);
        let (l, u) = (self.factors.as_ref(), self.factors.as_ref());
        solve::solve_in_place_with_conj(l, u, rows, Conj::No, right.as_mut(), Par::Seq, stack);
    }

    /// The solutions of right-hand sides, one a column; none if they are not finite.
    pub(crate) fn solve(&self, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        let mut x = Mat::from_fn(right.nrows(), right.ncols(), |i, j| right[(i, j)]);
        self.solve_in_place(&mut x);
        let solution = DMatrix::from_fn(right.nrows(), right.ncols(), |i, j| x[(i, j)]);
        solution.iter().all(|value| value.is_finite()).then_some(solution)
    }

    /// The same for one right-hand side.
    pub(crate) fn solve_one(&self, right: &DVector<f64>) -> Option<DVector<f64>> {
        let mut x = Mat::from_fn(right.len(), 1, |i, _| right[i]);
        self.solve_in_place(&mut x);
        let solution = DVector::from_fn(right.len(), |i, _| x[(i, 0)]);
        solution.iter().all(|value| value.is_finite()).then_some(solution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn solutions_satisfy_their_equations() {
        for n in [1, 2, 7, 40, 150] {
            let mut random = Random::new(n as u64);
            let full = DMatrix::from_fn(n, n, |_, _| random.between(-1.0, 1.0));
            let right = DMatrix::from_fn(n, 3, |_, _| random.between(-1.0, 1.0));
            let x = DenseLu::new(Mat::from_fn(n, n, |i, j| full[(i, j)])).solve(&right).unwrap();
            // Backward stable: the residual is rounding of |A||x|, whatever the condition.
            let size = n as f64 * x.amax().max(1.0);
            assert!((&full * &x - &right).amax() < 1e-14 * size, "order {n}");
        }
    }

    /// Exact: the entries are small integers.
    #[test]
    fn a_product_with_the_transposed_is_that_of_the_first_columns() {
        for (rows, n) in [(1, 1), (3, 2), (9, 7), (40, 31)] {
            let matrix = DMatrix::from_fn(rows, n + 1, |i, j| ((3 * i + 5 * j) % 7) as f64 - 3.0);
            let y = matrix.columns(0, n).into_owned();
            assert_eq!(product_with_transposed(&matrix, n), y.transpose() * &y, "{rows} × {n}");
        }
    }

    #[test]
    fn a_singular_matrix_has_no_solution() {
        let zero = DenseLu::new(Mat::zeros(3, 3));
        assert!(zero.solve(&DMatrix::from_element(3, 1, 1.0)).is_none());
    }
}
