//! The operator W of a contact problem: velocities at contacts per impulses at contacts.
//!
//! ```text
//! W_αβ = H_αᵀ w H_β   [1/kg],   symmetric, positive semi-definite as a whole
//! ```
//!
//! Contacts of different bodies are not coupled, so rows are sparse for many bodies and full for one. Two ways of storing it, chosen by
//! what the matrix is:
//!
//! - full and symmetric (deformable bodies, all contacts with a body in common): the half below the diagonal (module `half`);
//! - anything else: by rows, neighbouring columns together (module `rows`).
//!
//! Cost of a product: D² multiplications per block, and reading what is stored once.

mod half;
mod kernel;
mod rows;

use crate::error::SolverError;
use crate::linalg::{Matrix, Vector};
use half::Half;
pub(crate) use kernel::Flat;
use rows::Rows;

/// Block matrix of n × n blocks of size D × D.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockMatrix<const D: usize> {
    /// W_αα [1/kg].
    diagonal: Vec<Matrix<D>>,
    coupling: Coupling<D>,
}

/// All but the diagonal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Coupling<const D: usize> {
    /// Full and symmetric.
    Half(Half<D>),
    /// Anything else.
    Rows(Rows<D>),
}

/// What a sweep and a product want of either way of storing: Σ_{j≠i} W_ij x_j = below(i, x) + above_i.
pub(crate) trait Couples<const D: usize> {
    /// The part of Σ_{j≠i} W_ij x_j that row i holds: all of it, or that of the contacts before i.
    fn below(&self, i: usize, x: &Flat) -> Vector<D>;

    /// Adds to `above` what x_i does to the contacts whose own rows do not say so.
    fn pass_on(&self, i: usize, x: &Vector<D>, above: &mut Flat);
}

impl<const D: usize> BlockMatrix<D> {
    /// Full matrix of n × n blocks, `block(i, j)` being row i, column j.
    pub fn dense(n: usize, mut block: impl FnMut(usize, usize) -> Matrix<D>) -> Self {
        let rows: Vec<Vec<(usize, Matrix<D>)>> = (0..n).map(|i| (0..n).map(|j| (j, block(i, j))).collect()).collect();
        Self::from_sorted(&rows)
    }

    /// Full symmetric matrix, `block(i, j)` being row i, column j ≤ i: each pair once, row after row.
    pub fn symmetric(n: usize, mut block: impl FnMut(usize, usize) -> Matrix<D>) -> Self {
        let mut half = Half::zeros(n);
        let mut diagonal = Vec::with_capacity(n);
        for i in 0..n {
            for j in 0..i {
                half.set(i, j, &block(i, j));
            }
            diagonal.push(block(i, i));
        }
        Self { diagonal, coupling: Coupling::Half(half) }
    }

    /// Matrix from rows of (column, block) in any order; blocks that are absent are zero.
    ///
    /// # Errors
    /// A column ≥ the number of rows, or the same column twice in a row.
    pub fn from_rows(mut rows: Vec<Vec<(usize, Matrix<D>)>>) -> Result<Self, SolverError> {
        let n = rows.len();
        for (row, entries) in rows.iter_mut().enumerate() {
            entries.sort_by_key(|&(column, _)| column);
            if let Some(&(column, _)) = entries.last().filter(|e| e.0 >= n) {
                return Err(SolverError::ColumnOutOfRange { row, column, n });
            }
            if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(SolverError::DuplicateColumn { row, column: pair[0].0 });
            }
        }
        Ok(Self::from_sorted(&rows))
    }

    /// From sound rows, sorted by column.
    pub(crate) fn from_sorted(rows: &[Vec<(usize, Matrix<D>)>]) -> Self {
        let n = rows.len();
        let full = rows.iter().all(|row| row.len() == n);
        // By the bits: what differs by rounding is kept as it is.
        let mirrored = |i: usize| (0..i).all(|j| rows[j][i].1 == rows[i][j].1.transpose());
        if full && (0..n).all(mirrored) {
            return Self::symmetric(n, |i, j| rows[i][j].1);
        }
        let mut diagonal = Vec::with_capacity(n);
        let mut coupling = Rows::with_capacity(n);
        let mut others = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let own = row.iter().find(|e| e.0 == i);
            diagonal.push(own.map_or_else(Matrix::<D>::zeros, |e| e.1));
            others.clear();
            others.extend(row.iter().filter(|e| e.0 != i));
            coupling.push(&others);
        }
        Self { diagonal, coupling: Coupling::Rows(coupling) }
    }

    /// Number of block rows: the number of contacts.
    pub fn n(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of blocks that are not zero by construction, of both halves and the diagonal.
    pub fn n_blocks(&self) -> usize {
        let n = self.n();
        match &self.coupling {
            Coupling::Half(_) => n * n,
            Coupling::Rows(rows) => n + rows.n_blocks(),
        }
    }

    /// Columns, ascending, and blocks of row `i`; empty if there is no such row.
    pub fn row(&self, i: usize) -> Vec<(usize, Matrix<D>)> {
        let mut row = Vec::new();
        self.for_row(i, |j, block| row.push((j, *block)));
        row
    }

    /// Calls `task` with column and block for the blocks of row `i`, by ascending columns.
    pub(crate) fn for_row(&self, i: usize, mut task: impl FnMut(usize, &Matrix<D>)) {
        match &self.coupling {
            _ if i >= self.n() => {}
            Coupling::Half(_) => (0..self.n()).for_each(|j| task(j, &self.block(i, j))),
            Coupling::Rows(rows) => {
                let row = rows.row(i);
                let before = row.partition_point(|e| e.0 < i);
                row[..before].iter().for_each(|(j, block)| task(*j, block));
                task(i, &self.diagonal[i]);
                row[before..].iter().for_each(|(j, block)| task(*j, block));
            }
        }
    }

    /// Is only the half below the diagonal stored, so that W is symmetric to the bit?
    pub(crate) fn is_stored_as_half(&self) -> bool {
        matches!(self.coupling, Coupling::Half(_))
    }

    /// Number of blocks of row `i`.
    pub(crate) fn row_len(&self, i: usize) -> usize {
        match &self.coupling {
            _ if i >= self.n() => 0,
            Coupling::Half(_) => self.n(),
            Coupling::Rows(rows) => 1 + rows.row_len(i),
        }
    }

    /// Calls `task` with the columns of row `i` that [`Self::for_row`] visits, in its order.
    pub(crate) fn for_column_of_row(&self, i: usize, mut task: impl FnMut(usize)) {
        match &self.coupling {
            _ if i >= self.n() => {}
            Coupling::Half(_) => (0..self.n()).for_each(task),
            Coupling::Rows(rows) => {
                let columns = rows.columns_of(i);
                let before = columns.partition_point(|&j| j < i);
                columns[..before].iter().for_each(|&j| task(j));
                task(i);
                columns[before..].iter().for_each(|&j| task(j));
            }
        }
    }

    /// `out` = W p, over the rows that `out` has; entries of `p` beyond its end count as zero.
    pub fn apply_into(&self, p: &[Vector<D>], out: &mut [Vector<D>]) {
        let mut products = Products::new(self);
        products.load(self, &p[..p.len().min(self.n())]);
        for (i, value) in out.iter_mut().enumerate().take(self.n()) {
            *value = products.others(i) + self.diagonal[i] * products.x.get::<D>(i);
        }
    }

    /// Diagonal block of row `i`, zero if it is not stored [1/kg].
    pub fn diagonal(&self, i: usize) -> Matrix<D> {
        self.diagonal.get(i).copied().unwrap_or_else(Matrix::<D>::zeros)
    }

    /// Block at row `i`, column `j`, zero if it is not stored [1/kg].
    pub fn block(&self, i: usize, j: usize) -> Matrix<D> {
        if i == j || i >= self.n() || j >= self.n() {
            return if i == j { self.diagonal(i) } else { Matrix::<D>::zeros() };
        }
        match &self.coupling {
            Coupling::Half(half) if j < i => half.get(i, j),
            Coupling::Half(half) => half.get(j, i).transpose(),
            Coupling::Rows(rows) => rows.block(i, j).unwrap_or_else(Matrix::<D>::zeros),
        }
    }

    pub(crate) fn coupling(&self) -> &Coupling<D> {
        &self.coupling
    }

    /// (W + Wᵀ)/2.
    #[must_use]
    pub fn symmetric_part(&self) -> Self {
        let mut rows: Vec<std::collections::BTreeMap<usize, Matrix<D>>> = vec![Default::default(); self.n()];
        for i in 0..self.n() {
            self.for_row(i, |j, block| {
                *rows[i].entry(j).or_insert_with(Matrix::<D>::zeros) += block * 0.5;
                *rows[j].entry(i).or_insert_with(Matrix::<D>::zeros) += block.transpose() * 0.5;
            });
        }
        let rows: Vec<Vec<(usize, Matrix<D>)>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        Self::from_sorted(&rows)
    }

    /// max |W − Wᵀ| over the entries, relative to max |W|; 0 for a zero matrix. A healthy W stays near rounding (1e-14).
    pub fn max_asymmetry(&self) -> f64 {
        let mut worst = 0.0_f64;
        let mut largest = 0.0_f64;
        for i in 0..self.n() {
            for (j, block) in self.row(i) {
                largest = largest.max(block.amax());
                worst = worst.max((block - self.block(j, i).transpose()).amax());
            }
        }
        if largest > 0.0 { worst / largest } else { 0.0 }
    }
}

/// Impulses and what they do at the other contacts; made once, filled again and again.
#[derive(Clone, Debug)]
pub(crate) struct Products {
    /// Impulses.
    pub(crate) x: Flat,
    /// The parts of Σ_{j≠i} W_ij x_j.
    below: Flat,
    pub(crate) above: Flat,
}

impl Products {
    pub(crate) fn new<const D: usize>(w: &BlockMatrix<D>) -> Self {
        let zero = Flat::zeros::<D>(w.n());
        Self { x: zero.clone(), below: zero.clone(), above: zero }
    }

    /// Takes the impulses of all contacts and multiplies.
    pub(crate) fn load<const D: usize>(&mut self, w: &BlockMatrix<D>, p: &[Vector<D>]) {
        self.x.load(p);
        self.above.clear();
        match w.coupling() {
            Coupling::Half(half) => self.multiply(half, w.n(), true),
            Coupling::Rows(rows) => self.multiply(rows, w.n(), true),
        }
    }

    /// Multiplies again after a sweep, which has kept `above` up to date.
    pub(crate) fn refresh<const D: usize>(&mut self, w: &BlockMatrix<D>) {
        match w.coupling() {
            Coupling::Half(half) => self.multiply(half, w.n(), false),
            Coupling::Rows(rows) => self.multiply(rows, w.n(), false),
        }
    }

    fn multiply<const D: usize>(&mut self, coupling: &impl Couples<D>, n: usize, both: bool) {
        for i in 0..n {
            let below = coupling.below(i, &self.x);
            self.below.set(i, &below);
            if both {
                coupling.pass_on(i, &self.x.get(i), &mut self.above);
            }
        }
    }

    /// Σ_{j≠i} W_ij x_j.
    #[inline]
    pub(crate) fn others<const D: usize>(&self, i: usize) -> Vector<D> {
        self.below.get::<D>(i) + self.above.get::<D>(i)
    }
}

#[cfg(test)]
mod tests {
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
            let sum =
                |skip: usize| (0..n).filter(|&j| j != skip).fold(Vector::<D>::zeros(), |s, j| s + table[i][j] * p[j]);
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
        // Blocks that one half alone has are in both then.
        let even = lopsided.symmetric_part();
        assert!(even.max_asymmetry() < 1e-15 && even.n_blocks() == 5);
        assert!((even.block(0, 2) - one * 0.125).norm() < 1e-15 && (even.block(2, 0) - one * 0.125).norm() < 1e-15);
        assert_eq!(even.diagonal(1), one);
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
}
