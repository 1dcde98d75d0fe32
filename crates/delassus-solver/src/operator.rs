//! The operator W of a contact problem: velocities at contacts per impulses at contacts.
//!
//! ```text
//! W_αβ = H_αᵀ w H_β   [1/kg],   symmetric, positive semi-definite as a whole
//! ```
//!
//! Stored by block rows (pointer, column, D×D block), each row sorted by column. Contacts of different bodies do not see each
//! other, so rows are sparse for many bodies and full for one. Cost of a product: D² multiplications per stored block.

use crate::error::SolverError;
use crate::problem::{Matrix, Vector};

/// Block matrix of n × n blocks of size D × D, in compressed rows.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockMatrix<const D: usize> {
    /// Row i holds the blocks `ptr[i]..ptr[i + 1]`.
    ptr: Vec<usize>,
    /// Column of each block, ascending within a row.
    col: Vec<usize>,
    /// The blocks [1/kg].
    blocks: Vec<Matrix<D>>,
    /// Place of the diagonal block of each row, if it is stored.
    diagonal: Vec<Option<usize>>,
}

impl<const D: usize> BlockMatrix<D> {
    /// Full matrix of n × n blocks, `block(i, j)` being row i, column j.
    pub fn dense(n: usize, mut block: impl FnMut(usize, usize) -> Matrix<D>) -> Self {
        let mut blocks = Vec::with_capacity(n * n);
        let mut col = Vec::with_capacity(n * n);
        for i in 0..n {
            for j in 0..n {
                col.push(j);
                blocks.push(block(i, j));
            }
        }
        Self { ptr: (0..=n).map(|i| i * n).collect(), col, blocks, diagonal: (0..n).map(|i| Some(i * n + i)).collect() }
    }

    /// Matrix from rows of (column, block) in any order; blocks that are absent are zero.
    ///
    /// # Errors
    /// A column ≥ the number of rows, or the same column twice in a row.
    pub fn from_rows(rows: Vec<Vec<(usize, Matrix<D>)>>) -> Result<Self, SolverError> {
        let n = rows.len();
        let mut matrix = Self {
            ptr: Vec::with_capacity(n + 1),
            col: Vec::new(),
            blocks: Vec::new(),
            diagonal: Vec::with_capacity(n),
        };
        matrix.ptr.push(0);
        for (row, mut entries) in rows.into_iter().enumerate() {
            entries.sort_by_key(|&(column, _)| column);
            let mut previous = None;
            let mut diagonal = None;
            for (column, block) in entries {
                if column >= n {
                    return Err(SolverError::ColumnOutOfRange { row, column, n });
                }
                if previous == Some(column) {
                    return Err(SolverError::DuplicateColumn { row, column });
                }
                if column == row {
                    diagonal = Some(matrix.blocks.len());
                }
                previous = Some(column);
                matrix.col.push(column);
                matrix.blocks.push(block);
            }
            matrix.diagonal.push(diagonal);
            matrix.ptr.push(matrix.blocks.len());
        }
        Ok(matrix)
    }

    /// Number of block rows: the number of contacts.
    pub fn n(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of stored blocks.
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Columns, ascending, and blocks of row `i`; empty if there is no such row.
    pub fn row(&self, i: usize) -> (&[usize], &[Matrix<D>]) {
        if i >= self.n() {
            return (&[], &[]);
        }
        let range = self.ptr[i]..self.ptr[i + 1];
        (&self.col[range.clone()], &self.blocks[range])
    }

    /// (W p)_i [m/s], for `p` of n entries; entries of `p` beyond its end count as zero.
    #[inline]
    pub fn row_times(&self, i: usize, p: &[Vector<D>]) -> Vector<D> {
        let (columns, blocks) = self.row(i);
        if D == 3 {
            return sum_of_products(columns, blocks, p);
        }
        let mut sum = Vector::<D>::zeros();
        for (&j, block) in columns.iter().zip(blocks) {
            if let Some(x) = p.get(j) {
                sum += block * x;
            }
        }
        sum
    }

    /// `out` = W p, over the rows that `out` has.
    pub fn apply_into(&self, p: &[Vector<D>], out: &mut [Vector<D>]) {
        for (i, value) in out.iter_mut().enumerate() {
            *value = self.row_times(i, p);
        }
    }

    /// Diagonal block of row `i`, zero if it is not stored [1/kg].
    pub fn diagonal(&self, i: usize) -> Matrix<D> {
        let place = self.diagonal.get(i).copied().flatten();
        place.map_or_else(Matrix::<D>::zeros, |k| self.blocks[k])
    }

    /// Block at row `i`, column `j`, zero if it is not stored [1/kg].
    pub fn block(&self, i: usize, j: usize) -> Matrix<D> {
        let (columns, blocks) = self.row(i);
        columns.binary_search(&j).map_or_else(|_| Matrix::<D>::zeros(), |k| blocks[k])
    }

    /// max |W − Wᵀ| over the entries, relative to max |W|; 0 for a zero matrix. A healthy W stays near rounding (1e-14).
    pub fn max_asymmetry(&self) -> f64 {
        let mut worst = 0.0_f64;
        let mut largest = 0.0_f64;
        for i in 0..self.n() {
            let (columns, blocks) = self.row(i);
            for (&j, block) in columns.iter().zip(blocks) {
                largest = largest.max(block.amax());
                worst = worst.max((block - self.block(j, i).transpose()).amax());
            }
        }
        if largest > 0.0 { worst / largest } else { 0.0 }
    }
}

/// Σ blocks·p. Each of the D² products of a block has a sum of its own, so that no addition waits for the one before it, and a full row
/// runs over `p` without looking at the columns.
#[inline]
fn sum_of_products<const D: usize>(columns: &[usize], blocks: &[Matrix<D>], p: &[Vector<D>]) -> Vector<D> {
    // Columns ascend and none is there twice: as many as `p` has are all of them.
    let sums = if columns.len() == p.len() && columns.last().is_none_or(|&j| j < p.len()) {
        full_row(blocks, p)
    } else {
        let mut sums = [[0.0; D]; D];
        for (&j, block) in columns.iter().zip(blocks) {
            if let Some(x) = p.get(j) {
                add_products(&mut sums, block, x);
            }
        }
        sums
    };
    Vector::<D>::from_fn(|k, _| sums.iter().map(|column| column[k]).sum())
}

/// The sums of a full row; a function by itself, so that all of them stay in registers.
#[inline(never)]
fn full_row<const D: usize>(blocks: &[Matrix<D>], p: &[Vector<D>]) -> [[f64; D]; D] {
    let mut sums = [[0.0; D]; D];
    for (block, x) in blocks.iter().zip(p) {
        add_products(&mut sums, block, x);
    }
    sums
}

/// Column l of `sums` += x_l · column l of `block`.
#[inline(always)]
fn add_products<const D: usize>(sums: &mut [[f64; D]; D], block: &Matrix<D>, x: &Vector<D>) {
    for l in 0..D {
        for k in 0..D {
            sums[l][k] += block.data.0[l][k] * x[l];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn random_block(random: &mut Random) -> Matrix<2> {
        Matrix::<2>::from_fn(|_, _| random.between(-1.0, 1.0))
    }

    #[test]
    fn rows_in_any_order_give_the_same_products_as_dense() {
        let mut random = Random::new(3);
        let n = 7;
        let table: Vec<Vec<Matrix<2>>> = (0..n).map(|_| (0..n).map(|_| random_block(&mut random)).collect()).collect();
        let dense = BlockMatrix::dense(n, |i, j| table[i][j]);
        let rows = (0..n).map(|i| (0..n).rev().map(|j| (j, table[i][j])).collect()).collect();
        let sparse = BlockMatrix::from_rows(rows).unwrap();
        assert_eq!(dense, sparse);
        let p: Vec<_> = (0..n).map(|_| Vector::<2>::new(random.between(-1.0, 1.0), 0.5)).collect();
        let mut out = vec![Vector::<2>::zeros(); n];
        dense.apply_into(&p, &mut out);
        for i in 0..n {
            let by_hand = (0..n).fold(Vector::<2>::zeros(), |s, j| s + table[i][j] * p[j]);
            // 1e-14: seven products of numbers below one.
            assert!((out[i] - by_hand).norm() < 1e-14);
            assert_eq!(dense.diagonal(i), table[i][i]);
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
        assert!(w.row(9).0.is_empty());
        assert!(w.diagonal(9).norm() < 1e-300);
        assert!((w.row_times(0, &[Vector::<2>::new(1.0, 2.0)]) - Vector::<2>::new(1.0, 2.0)).norm() < 1e-15);
    }
}
