//! Linear systems of Newton's method by LU with pivots, dense or sparse as the matrix is, in one thread: the same bits whatever else runs.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{NumericLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Mat, Par};

use super::fill::elimination_work;
use crate::linalg::dense::DenseLu;
use crate::report::StopReason;
use crate::work::{self, Allowance};

/// Part of the blocks that must be there for the dense factor, and the order up to which it is taken anyway.
const FULL: f64 = 0.15;
const SMALL: usize = 300;

/// A linear system; its right-hand side becomes the solution.
pub(super) struct NewtonSystem {
    pub(super) entries: NewtonMatrix,
    pub(super) right: Vec<f64>,
}

/// A square matrix that is being filled.
pub(super) enum NewtonMatrix {
    Dense(Mat<f64>),
    /// Order, and (row, column, value) in any order, none twice.
    Sparse(usize, Vec<(usize, usize, f64)>),
}

/// Is a matrix of this order, with this share of its blocks, factored as a full one?
pub(super) fn is_dense(order: usize, share: f64) -> bool {
    order <= SMALL || share >= FULL
}

impl NewtonMatrix {
    /// All zero; `share` of the blocks are going to be filled.
    pub(super) fn new(order: usize, share: f64) -> Self {
        if is_dense(order, share) { Self::Dense(Mat::zeros(order, order)) } else { Self::Sparse(order, Vec::new()) }
    }

    #[inline]
    pub(super) fn put(&mut self, row: usize, column: usize, value: f64) {
        match self {
            Self::Dense(matrix) => matrix[(row, column)] = value,
            Self::Sparse(_, entries) => entries.push((row, column, value)),
        }
    }

    fn is_finite(&self) -> bool {
        match self {
            Self::Dense(matrix) => matrix.col_iter().all(|column| column.iter().all(|x| x.is_finite())),
            Self::Sparse(_, entries) => entries.iter().all(|e| e.2.is_finite()),
        }
    }
}

impl NewtonSystem {
    /// Replaces the right-hand side by the solution; false if there is none that is finite. An error where the factor is more work than allowed.
    pub(super) fn solve(&mut self, allowance: &mut Allowance<'_>) -> Result<bool, StopReason> {
        if !self.entries.is_finite() {
            return Ok(false);
        }
        let mut x = Mat::from_fn(self.right.len(), 1, |i, _| self.right[i]);
        let solved = match &mut self.entries {
            NewtonMatrix::Dense(matrix) => {
                begin(work::of_dense_factor(matrix.nrows()), allowance)?;
                DenseLu::new(std::mem::replace(matrix, Mat::zeros(0, 0))).solve_in_place(&mut x);
                true
            }
            NewtonMatrix::Sparse(order, entries) => sparse(*order, entries, &mut x, allowance)?,
        };
        for (i, value) in self.right.iter_mut().enumerate() {
            *value = x[(i, 0)];
        }
        Ok(solved && self.right.iter().all(|value| value.is_finite()))
    }
}

/// Subtracts the work of a factorisation from the budget. It is one library call that cannot be interrupted, so the budget is
/// checked before it.
fn begin(work: u64, allowance: &mut Allowance<'_>) -> Result<(), StopReason> {
    if let Some(end) = allowance.end_before(work) {
        return Err(end);
    }
    allowance.spend(work);
    Ok(())
}

/// False if there is no factor.
fn sparse(
    n: usize,
    entries: &mut [(usize, usize, f64)],
    x: &mut Mat<f64>,
    allowance: &mut Allowance<'_>,
) -> Result<bool, StopReason> {
    entries.sort_unstable_by_key(|e| (e.1, e.0));
    let mut pointer = vec![0_usize; n + 1];
    for entry in entries.iter() {
        pointer[entry.1 + 1] += 1;
    }
    for column in 0..n {
        pointer[column + 1] += pointer[column];
    }
    let rows: Vec<usize> = entries.iter().map(|e| e.0).collect();
    let values: Vec<f64> = entries.iter().map(|e| e.2).collect();
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &pointer, None, &rows);
    let Ok(symbolic) = factorize_symbolic_lu(pattern, Default::default()) else { return Ok(false) };
    begin(sparse_work(n, entries, symbolic.col_perm().arrays().1), allowance)?;
    let mut numeric = NumericLu::new();
    let mut memory = MemBuffer::new(symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()));
    let factored = symbolic.factorize_numeric_lu(
        &mut numeric,
        SparseColMatRef::new(pattern, &values),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    let Ok(lu) = factored else { return Ok(false) };
    let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
    lu.solve_in_place_with_conj(Conj::No, x.as_mut(), Par::Seq, MemStack::new(&mut memory));
    Ok(true)
}

/// Work of a sparse factor; `place` says when each column is eliminated.
fn sparse_work(n: usize, entries: &[(usize, usize, f64)], place: &[usize]) -> u64 {
    let mut rows: Vec<Vec<usize>> = std::iter::repeat_with(Vec::new).take(n).collect();
    for &(row, column, _) in entries {
        rows[row].push(place[column]);
    }
    rows.iter_mut().for_each(|row| row.sort_unstable());
    work::of_sparse_factor(elimination_work(rows))
}

#[cfg(test)]
mod tests {
    use delassus_error::Interrupt;

    use super::*;
    use crate::testing::Random;

    fn alone(system: &mut NewtonSystem) -> bool {
        system.solve(&mut Allowance::unlimited(&Interrupt::never())).unwrap()
    }

    fn system(n: usize, matrix: &[(usize, usize, f64)], right: Vec<f64>) -> NewtonSystem {
        let mut entries = NewtonMatrix::new(n, matrix.len() as f64 / (n * n).max(1) as f64);
        for &(i, j, value) in matrix {
            entries.put(i, j, value);
        }
        NewtonSystem { entries, right }
    }

    /// Entries on the diagonal and with probability `share` elsewhere, not symmetric.
    fn random_matrix(random: &mut Random, n: usize, share: f64) -> Vec<(usize, usize, f64)> {
        let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let there: Vec<_> = places.filter(|&(i, j)| i == j || random.between(0.0, 1.0) < share).collect();
        there.into_iter().map(|(i, j)| (i, j, random.between(-1.0, 1.0))).collect()
    }

    #[test]
    fn dense_and_sparse_systems_are_solved_to_rounding() {
        let mut random = Random::new(81);
        for (n, share) in [(0, 1.0), (1, 1.0), (6, 1.0), (30, 0.5), (120, 1.0), (330, 0.02), (360, 0.05), (320, 0.3)] {
            let a = random_matrix(&mut random, n, share);
            let right: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
            let mut solved = system(n, &a, right.clone());
            assert!(alone(&mut solved));
            let mut left = vec![0.0; n];
            for &(i, j, value) in &a {
                left[i] += value * solved.right[j];
            }
            let size = solved.right.iter().map(|y| y.abs()).fold(1.0, f64::max);
            for (left, right) in left.iter().zip(&right) {
                // Backward stable: rounding times the size of the solution, with room for the growth of the pivots.
                assert!((left - right).abs() < 1e-13 * n as f64 * size, "{n} {left} {right}");
            }
        }
    }

    #[test]
    fn singular_matrices_and_nan_are_told() {
        for n in [6, 360] {
            let diagonal = |value: f64| {
                let matrix: Vec<_> = (0..n).map(|i| (i, i, if i == 1 { value } else { 1.0 })).collect();
                alone(&mut system(n, &matrix, vec![1.0; n]))
            };
            assert!(diagonal(2.0));
            assert!(!diagonal(0.0));
            assert!(!diagonal(f64::NAN));
            // Rows that repeat each other.
            let twice: Vec<_> = (0..n).flat_map(|i| [(i, 2 * (i / 2), 1.0), (i, 2 * (i / 2) + 1, 1.0)]).collect();
            assert!(!alone(&mut system(n, &twice, (0..n).map(|i| i as f64).collect())));
        }
    }

    #[test]
    fn a_factor_beyond_what_is_allowed_is_not_begun() {
        let mut random = Random::new(83);
        let never = Interrupt::never();
        for (n, share) in [(120, 1.0), (330, 0.02)] {
            let a = random_matrix(&mut random, n, share);
            let mut free = Allowance::unlimited(&never);
            assert_eq!(system(n, &a, vec![1.0; n]).solve(&mut free), Ok(true));
            let work = free.spent();
            assert!(work > 0 && work <= (n as u64).pow(3));
            let mut enough = Allowance::of(work, &never);
            assert_eq!(system(n, &a, vec![1.0; n]).solve(&mut enough), Ok(true));
            let mut short = Allowance::of(work - 1, &never);
            let end = system(n, &a, vec![1.0; n]).solve(&mut short);
            assert_eq!((end, short.spent()), (Err(StopReason::Spent { budget: work - 1 }), 0));
            let interrupt = Interrupt::at_look(0);
            let end = system(n, &a, vec![1.0; n]).solve(&mut Allowance::unlimited(&interrupt));
            assert_eq!(end, Err(StopReason::Interrupted));
        }
    }
}
