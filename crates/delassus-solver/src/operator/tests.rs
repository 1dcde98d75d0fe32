//! Products of every storage against sums by hand.

use super::*;
use crate::testing::Random;

fn random_block<const D: usize>(random: &mut Random) -> Matrix<D> {
    Matrix::<D>::from_fn(|_, _| random.between(-1.0, 1.0))
}

/// W of `n` contacts in which i and j see each other if `sees` says so, symmetric or not, as a table and as a matrix.
fn random_matrix<const D: usize>(
    random: &mut Random,
    n: usize,
    symmetric: bool,
    sees: impl Fn(usize, usize) -> bool,
) -> (Vec<Vec<Matrix<D>>>, BlockMatrix<D>) {
    let mut table: Vec<Vec<Matrix<D>>> = (0..n).map(|_| (0..n).map(|_| random_block(random)).collect()).collect();
    for i in 0..n {
        for j in 0..n {
            if !sees(i, j) {
                table[i][j].fill(0.0);
            } else if symmetric && j < i {
                table[i][j] = table[j][i].transpose();
            }
        }
        if symmetric {
            table[i][i] = (table[i][i] + table[i][i].transpose()) * 0.5;
        }
    }
    let row = |i: usize| (0..n).rev().filter(|&j| sees(i, j)).map(|j| (j, table[i][j])).collect();
    let matrix = BlockMatrix::from_rows((0..n).map(row).collect()).unwrap();
    (table, matrix)
}

/// Products, blocks and rows against the table; the matrix must be stored as `half` says.
fn check<const D: usize>(random: &mut Random, table: &[Vec<Matrix<D>>], matrix: &BlockMatrix<D>, half: bool) {
    let n = table.len();
    assert_eq!(matches!(matrix.coupling(), Coupling::Half(_)), half);
    let p: Vec<_> = (0..n).map(|_| Vector::<D>::from_fn(|_, _| random.between(-1.0, 1.0))).collect();
    let mut out = vec![Vector::<D>::zeros(); n];
    matrix.apply_into(&p, &mut out);
    let mut sweep = Products::new(matrix);
    sweep.load(matrix, &p);
    for i in 0..n {
        let sum = |skip: usize| (0..n).filter(|&j| j != skip).fold(Vector::<D>::zeros(), |s, j| s + table[i][j] * p[j]);
        // 1e-14 for every ten products of numbers below one.
        let rounding = 1e-15 * (D * n + 10) as f64;
        assert!((out[i] - sum(n)).norm() < rounding);
        assert!((sweep.others::<D>(i) - sum(i)).norm() < rounding);
        assert_eq!(matrix.diagonal(i), table[i][i]);
        let row = matrix.row(i);
        assert!(row.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(row.iter().all(|&(j, block)| block == table[i][j]));
        assert!((0..n).all(|j| matrix.block(i, j) == table[i][j]));
    }
}

#[test]
fn products_and_blocks_of_every_storage() {
    let mut random = Random::new(3);
    for n in [0, 1, 2, 3, 7, 20, 41] {
        let (table, matrix) = random_matrix::<3>(&mut random, n, true, |_, _| true);
        check(&mut random, &table, &matrix, true);
        assert_eq!(matrix, BlockMatrix::dense(n, |i, j| table[i][j]));
        assert_eq!(matrix, BlockMatrix::symmetric(n, |i, j| table[i][j]));
        let (table, matrix) = random_matrix::<2>(&mut random, n, true, |_, _| true);
        check(&mut random, &table, &matrix, true);
        let (table, matrix) = random_matrix::<1>(&mut random, n, true, |_, _| true);
        check(&mut random, &table, &matrix, true);
        // Not symmetric: whole rows.
        let (table, matrix) = random_matrix::<3>(&mut random, n, false, |_, _| true);
        check(&mut random, &table, &matrix, n < 2);
        assert_eq!(matrix, BlockMatrix::dense(n, |i, j| table[i][j]));
    }
    // Groups of neighbours (runs of each length), and a few others.
    for group in [2, 5, 8, 13] {
        let sees = |i: usize, j: usize| i / group == j / group || (i * j) % 11 == 1;
        let (table, matrix) = random_matrix::<3>(&mut random, 40, true, sees);
        check(&mut random, &table, &matrix, false);
        assert_eq!(matrix.n_blocks(), (0..40).map(|i| (0..40).filter(|&j| sees(i, j)).count()).sum::<usize>());
        let (table, matrix) = random_matrix::<2>(&mut random, 40, false, sees);
        check(&mut random, &table, &matrix, false);
    }
}

#[test]
fn asymmetry_is_seen() {
    let one = Matrix::<2>::identity();
    let symmetric = BlockMatrix::dense(3, |_, _| one);
    assert!(symmetric.max_asymmetry() < 1e-15);
    let mut rows: Vec<Vec<(usize, Matrix<2>)>> = (0..3).map(|i| vec![(i, one)]).collect();
    rows[0].push((2, one * 0.25));
    let lopsided = BlockMatrix::from_rows(rows).unwrap();
    assert!((lopsided.max_asymmetry() - 0.25).abs() < 1e-15);
}

#[test]
fn columns_out_of_range_or_twice_are_refused() {
    let one = Matrix::<2>::identity();
    let far = BlockMatrix::from_rows(vec![vec![(1, one)]]);
    assert_eq!(far, Err(SolverError::ColumnOutOfRange { row: 0, column: 1, n: 1 }));
    let twice = BlockMatrix::from_rows(vec![vec![(0, one), (0, one)]]);
    assert_eq!(twice, Err(SolverError::DuplicateColumn { row: 0, column: 0 }));
}

#[test]
fn rows_outside_and_short_vectors_do_no_harm() {
    let w = BlockMatrix::dense(2, |_, _| Matrix::<2>::identity());
    assert!(w.row(9).is_empty() && w.block(9, 0).norm() < 1e-300);
    assert!(w.diagonal(9).norm() < 1e-300);
    let mut out = [Vector::<2>::zeros()];
    w.apply_into(&[Vector::<2>::new(1.0, 2.0)], &mut out);
    assert!((out[0] - Vector::<2>::new(1.0, 2.0)).norm() < 1e-15);
    w.apply_into(&[Vector::<2>::new(1.0, 2.0); 5], &mut out);
    assert!((out[0] - Vector::<2>::new(2.0, 4.0)).norm() < 1e-15);
}
