//! Linear systems of Newton's method by LU with pivots, dense or sparse as the matrix is, in one thread: the same bits whatever else runs.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::sparse::linalg::lu::{NumericLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Mat, Par};

use crate::operator::BlockMatrix;

/// Part of the blocks that must be there for the dense factor, and the order up to which it is taken anyway.
const FULL: f64 = 0.15;
const SMALL: usize = 300;

/// Replaces `right` by the solution of `matrix` x = `right`; false if there is none that is finite.
pub(super) fn solve_in_place<const D: usize>(matrix: &BlockMatrix<D>, right: &mut [f64]) -> bool {
    let finite = |i: usize| matrix.row(i).1.iter().all(|block| block.iter().all(|x| x.is_finite()));
    if !(0..matrix.n()).all(finite) {
        return false;
    }
    let n = matrix.n() as f64;
    let mut x = Mat::from_fn(right.len(), 1, |i, _| right[i]);
    let solved = if D * matrix.n() <= SMALL || matrix.n_blocks() as f64 >= FULL * n * n {
        dense(matrix, &mut x);
        true
    } else {
        sparse(matrix, &mut x).is_some()
    };
    for (i, value) in right.iter_mut().enumerate() {
        *value = x[(i, 0)];
    }
    solved && right.iter().all(|value| value.is_finite())
}

fn dense<const D: usize>(matrix: &BlockMatrix<D>, x: &mut Mat<f64>) {
    let n = D * matrix.n();
    let mut full = Mat::<f64>::zeros(n, n);
    for i in 0..matrix.n() {
        let (columns, blocks) = matrix.row(i);
        for (&j, block) in columns.iter().zip(blocks) {
            for l in 0..D {
                for k in 0..D {
                    full[(D * i + k, D * j + l)] = block[(k, l)];
                }
            }
        }
    }
    let (mut order, mut inverse) = (vec![0_usize; n], vec![0_usize; n]);
    let mut memory = MemBuffer::new(factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    let (_, permutation) =
        factor::lu_in_place(full.as_mut(), &mut order, &mut inverse, Par::Seq, stack, Default::default());
    let mut memory = MemBuffer::new(solve::solve_in_place_scratch::<usize, f64>(n, 1, Par::Seq));
    let stack = MemStack::new(&mut memory);
    let (l, u) = (full.as_ref(), full.as_ref());
    solve::solve_in_place_with_conj(l, u, permutation, Conj::No, x.as_mut(), Par::Seq, stack);
}

fn sparse<const D: usize>(matrix: &BlockMatrix<D>, x: &mut Mat<f64>) -> Option<()> {
    let n = D * matrix.n();
    let mut pointer = vec![0_usize; n + 1];
    for i in 0..matrix.n() {
        for &j in matrix.row(i).0 {
            for l in 0..D {
                pointer[D * j + l + 1] += D;
            }
        }
    }
    for column in 0..n {
        pointer[column + 1] += pointer[column];
    }
    let mut next = pointer.clone();
    let (mut rows, mut values) = (vec![0_usize; pointer[n]], vec![0.0; pointer[n]]);
    // Rows in ascending order, so that every column is sorted.
    for i in 0..matrix.n() {
        let (columns, blocks) = matrix.row(i);
        for (&j, block) in columns.iter().zip(blocks) {
            for l in 0..D {
                let place = &mut next[D * j + l];
                for k in 0..D {
                    (rows[*place], values[*place]) = (D * i + k, block[(k, l)]);
                    *place += 1;
                }
            }
        }
    }
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &pointer, None, &rows);
    let symbolic = factorize_symbolic_lu(pattern, Default::default()).ok()?;
    let mut numeric = NumericLu::new();
    let mut memory = MemBuffer::new(symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()));
    let lu = symbolic
        .factorize_numeric_lu(
            &mut numeric,
            SparseColMatRef::new(pattern, &values),
            Par::Seq,
            MemStack::new(&mut memory),
            Default::default(),
        )
        .ok()?;
    let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
    lu.solve_in_place_with_conj(Conj::No, x.as_mut(), Par::Seq, MemStack::new(&mut memory));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Matrix;
    use crate::testing::Random;

    /// Blocks on the diagonal and with probability `share` elsewhere, not symmetric.
    fn random_matrix(random: &mut Random, n: usize, share: f64) -> BlockMatrix<3> {
        let rows = (0..n)
            .map(|i| {
                let there: Vec<usize> = (0..n).filter(|&j| j == i || random.between(0.0, 1.0) < share).collect();
                there.into_iter().map(|j| (j, Matrix::<3>::from_fn(|_, _| random.between(-1.0, 1.0)))).collect()
            })
            .collect();
        BlockMatrix::from_rows(rows).unwrap()
    }

    fn times(a: &BlockMatrix<3>, x: &[f64]) -> Vec<f64> {
        let n = a.n();
        let entry = |i: usize, j: usize| a.block(i / 3, j / 3)[(i % 3, j % 3)];
        (0..3 * n).map(|i| (0..3 * n).map(|j| entry(i, j) * x[j]).sum()).collect()
    }

    #[test]
    fn dense_and_sparse_systems_are_solved_to_rounding() {
        let mut random = Random::new(81);
        for (n, share) in [(1, 1.0), (2, 1.0), (10, 0.5), (40, 1.0), (110, 0.02), (120, 0.05)] {
            let a = random_matrix(&mut random, n, share);
            let right: Vec<f64> = (0..3 * n).map(|_| random.between(-1.0, 1.0)).collect();
            let mut x = right.clone();
            assert!(solve_in_place(&a, &mut x));
            let size = x.iter().map(|y| y.abs()).fold(1.0, f64::max);
            for (left, right) in times(&a, &x).iter().zip(&right) {
                // Backward stable: rounding times the size of the solution, with room for the growth of the pivots.
                assert!((left - right).abs() < 1e-13 * n as f64 * size, "{n} {left} {right}");
            }
        }
        let none = BlockMatrix::<3>::from_rows(vec![]).unwrap();
        assert!(solve_in_place(&none, &mut []));
    }

    #[test]
    fn singular_matrices_and_nan_are_told() {
        for n in [2, 120] {
            let diagonal = |value: f64| {
                let rows = (0..n).map(|i| vec![(i, Matrix::<3>::identity() * if i == 1 { value } else { 1.0 })]);
                BlockMatrix::from_rows(rows.collect()).unwrap()
            };
            assert!(solve_in_place(&diagonal(2.0), &mut vec![1.0; 3 * n]));
            assert!(!solve_in_place(&diagonal(0.0), &mut vec![1.0; 3 * n]));
            assert!(!solve_in_place(&diagonal(f64::NAN), &mut vec![1.0; 3 * n]));
            // Rows that repeat each other.
            let twice = BlockMatrix::from_rows((0..n).map(|i| vec![(i, Matrix::<3>::from_element(1.0))]).collect());
            assert!(!solve_in_place(&twice.unwrap(), &mut (0..3 * n).map(|i| i as f64).collect::<Vec<_>>()));
        }
    }
}
