//! Linear systems of Newton's method by LU with pivots, dense or by fronts as the matrix is, in one thread: the same bits whatever else runs.

use faer::Mat;

use super::frontal::{FrontFactor, FrontPattern, Numbering};
use crate::linalg::Matrix;
use crate::linalg::dense::DenseLu;
use crate::operator::BlockMatrix;
use crate::report::StopReason;
use crate::work::{self, Allowance};

/// Part of the blocks that must be there for the dense factor, and the order up to which it is taken anyway.
const FULL: f64 = 0.3;
const SMALL: usize = 60;

/// Residual of a linear system, relative to its right-hand side, that is improved once, and one that is no solution.
const IMPROVABLE: f64 = 1e-10;
const HOPELESS: f64 = 1e-3;

/// Is a matrix of this order, with this share of its blocks, factored as a full one?
pub(super) fn is_dense(order: usize, share: f64) -> bool {
    order <= SMALL || share >= FULL
}

/// What is kept from one linear system to the next.
#[derive(Debug, Default)]
pub(super) struct LinearMemory {
    pattern: Option<FrontPattern>,
    /// Work of the last factor; zero before the first.
    pub(super) factor_work: u64,
}

impl LinearMemory {
    /// The pattern of the contacts that are closed, or of a few more: ordered anew only where the last one does not serve.
    fn pattern<const D: usize>(&mut self, w: &BlockMatrix<D>, is_closed: &[bool]) -> &FrontPattern {
        let closed = is_closed.iter().filter(|c| **c).count();
        let pattern = match self.pattern.take() {
            Some(pattern) if pattern.serves(is_closed, closed) => pattern,
            _ => FrontPattern::new(w, is_closed),
        };
        self.pattern.insert(pattern)
    }
}

/// A linear system; its right-hand side becomes the solution.
pub(super) struct NewtonSystem<const D: usize> {
    pub(super) entries: NewtonMatrix<D>,
    pub(super) right: Vec<f64>,
}

/// A square matrix that is being filled.
pub(super) enum NewtonMatrix<const D: usize> {
    Dense(Mat<f64>),
    /// Blocks in the order of the rows of W; of each, as many rows and columns count as the contacts have unknowns.
    Sparse(Vec<Matrix<D>>),
}

impl<const D: usize> NewtonMatrix<D> {
    /// All zero; `share` of the blocks are going to be filled.
    pub(super) fn new(order: usize, share: f64, w: &BlockMatrix<D>) -> Self {
        if is_dense(order, share) {
            Self::Dense(Mat::zeros(order, order))
        } else {
            Self::Sparse(vec![Matrix::<D>::zeros(); w.n_blocks()])
        }
    }

    fn is_finite(&self) -> bool {
        match self {
            Self::Dense(matrix) => matrix.col_iter().all(|column| column.iter().all(|x| x.is_finite())),
            Self::Sparse(blocks) => blocks.iter().all(|block| block.iter().all(|x| x.is_finite())),
        }
    }
}

impl<const D: usize> NewtonSystem<D> {
    /// Replaces the right-hand side by the solution; false if there is none that is finite. An error where the factor is more work than allowed.
    pub(super) fn solve(
        &mut self,
        w: &BlockMatrix<D>,
        numbering: &Numbering<'_>,
        memory: &mut LinearMemory,
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, StopReason> {
        if !self.entries.is_finite() {
            return Ok(false);
        }
        match &mut self.entries {
            NewtonMatrix::Dense(matrix) => {
                memory.factor_work = work::of_dense_factor(matrix.nrows());
                begin(memory.factor_work, allowance)?;
                let mut x = Mat::from_fn(self.right.len(), 1, |i, _| self.right[i]);
                DenseLu::new(std::mem::replace(matrix, Mat::zeros(0, 0))).solve_in_place(&mut x);
                for (i, value) in self.right.iter_mut().enumerate() {
                    *value = x[(i, 0)];
                }
            }
            NewtonMatrix::Sparse(blocks) => {
                let is_closed: Vec<bool> = numbering.sizes.iter().map(|&size| size > 0).collect();
                let factor_work = work::of_front_factor(memory.pattern(w, &is_closed).work(numbering.sizes));
                memory.factor_work = factor_work;
                begin(factor_work, allowance)?;
                let pattern = memory.pattern(w, &is_closed);
                let Some(factor) = FrontFactor::new(pattern, numbering, blocks) else { return Ok(false) };
                if !improved(&factor, pattern, numbering, blocks, &mut self.right) {
                    return Ok(false);
                }
            }
        }
        Ok(self.right.iter().all(|value| value.is_finite()))
    }
}

/// Solves by fronts, whose rows are exchanged but little: the residual says whether that was enough.
fn improved<const D: usize>(
    factor: &FrontFactor,
    pattern: &FrontPattern,
    numbering: &Numbering<'_>,
    blocks: &[Matrix<D>],
    right: &mut [f64],
) -> bool {
    let size = |x: &[f64]| x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let wanted = right.to_vec();
    factor.solve(right);
    let mut rest = pattern.residual(numbering, blocks, right, &wanted);
    if size(&rest) > IMPROVABLE * size(&wanted) {
        factor.solve(&mut rest);
        right.iter_mut().zip(&rest).for_each(|(x, change)| *x += change);
        rest = pattern.residual(numbering, blocks, right, &wanted);
    }
    size(&rest) <= HOPELESS * size(&wanted)
}

/// Subtracts the work of a factorisation from the budget. It is one call that cannot be interrupted, so the budget is
/// checked before it.
fn begin(work: u64, allowance: &mut Allowance<'_>) -> Result<(), StopReason> {
    if let Some(end) = allowance.end_before(work) {
        return Err(end);
    }
    allowance.spend(work);
    Ok(())
}

#[cfg(test)]
mod tests {
    use delassus_error::Interrupt;

    use super::*;
    use crate::testing::Random;

    /// W of `n` contacts, each coupled to itself and with probability `share` to others; not symmetric, but its pattern is.
    fn random_operator(random: &mut Random, n: usize, share: f64) -> BlockMatrix<3> {
        let mut sees = vec![vec![false; n]; n];
        for i in 0..n {
            for j in 0..i {
                let yes = random.between(0.0, 1.0) < share;
                (sees[i][j], sees[j][i]) = (yes, yes);
            }
            sees[i][i] = true;
        }
        let mut block = |i: usize, j: usize| {
            let mut block = Matrix::<3>::from_fn(|_, _| random.between(-1.0, 1.0));
            if i == j {
                block += Matrix::<3>::identity() * 4.0;
            }
            block
        };
        let rows = (0..n).map(|i| (0..n).filter(|&j| sees[i][j]).map(|j| (j, block(i, j))).collect()).collect();
        BlockMatrix::from_rows(rows).unwrap()
    }

    /// The unknowns of contacts that have from 0 to 3 each.
    fn numbering(random: &mut Random, n: usize) -> (Vec<usize>, Vec<usize>) {
        let sizes: Vec<usize> = (0..n).map(|_| random.below(4)).collect();
        let first = (0..n).map(|i| sizes[..i].iter().sum()).collect();
        (sizes, first)
    }

    /// The same matrix as blocks and in full.
    fn both(w: &BlockMatrix<3>, sizes: &[usize], first: &[usize]) -> [NewtonMatrix<3>; 2] {
        let order = sizes.iter().sum();
        let mut dense = Mat::zeros(order, order);
        let mut blocks = Vec::new();
        for i in 0..w.n() {
            w.for_row(i, |j, block| {
                blocks.push(*block);
                for k in 0..sizes[i] {
                    for l in 0..sizes[j] {
                        dense[(first[i] + k, first[j] + l)] = block[(k, l)];
                    }
                }
            });
        }
        [NewtonMatrix::Dense(dense), NewtonMatrix::Sparse(blocks)]
    }

    #[test]
    fn fronts_solve_what_the_dense_factor_solves() {
        let mut random = Random::new(81);
        let never = Interrupt::never();
        for (n, share) in [(0, 1.0), (1, 1.0), (12, 0.2), (60, 0.05), (60, 0.3), (80, 1.0), (250, 0.01)] {
            let w = random_operator(&mut random, n, share);
            let mut memory = LinearMemory::default();
            // Other statuses with the same memory: the order of the first serves, or a new one is made.
            for _ in 0..3 {
                let (sizes, first) = numbering(&mut random, n);
                let numbering = Numbering { sizes: &sizes, first: &first };
                let right: Vec<f64> = (0..sizes.iter().sum()).map(|_| random.between(-1.0, 1.0)).collect();
                let [dense, sparse] = both(&w, &sizes, &first).map(|entries| {
                    let mut system = NewtonSystem { entries, right: right.clone() };
                    assert_eq!(system.solve(&w, &numbering, &mut memory, &mut Allowance::unlimited(&never)), Ok(true));
                    system.right
                });
                let size = dense.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                // Two backward stable ways, conditions up to a thousand.
                let apart = dense.iter().zip(&sparse).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()));
                assert!(apart < 1e-10 * size, "{n} {share}: {apart}");
            }
        }
    }

    #[test]
    fn singular_matrices_and_nan_are_told() {
        let never = Interrupt::never();
        for value in [2.0, 0.0, f64::NAN] {
            let n = 40;
            let block = |i: usize| Matrix::<3>::identity() * if i == 1 { value } else { 1.0 };
            let w = BlockMatrix::from_rows((0..n).map(|i| vec![(i, block(i))]).collect()).unwrap();
            let (sizes, first) = (vec![3; n], (0..n).map(|i| 3 * i).collect::<Vec<_>>());
            for entries in both(&w, &sizes, &first) {
                let mut system = NewtonSystem { entries, right: vec![1.0; 3 * n] };
                let numbering = Numbering { sizes: &sizes, first: &first };
                let solved =
                    system.solve(&w, &numbering, &mut LinearMemory::default(), &mut Allowance::unlimited(&never));
                assert_eq!(solved, Ok((value - 2.0).abs() < 1e-12), "{value}");
            }
        }
    }

    #[test]
    fn a_factor_beyond_what_is_allowed_is_not_begun() {
        let mut random = Random::new(83);
        let never = Interrupt::never();
        let w = random_operator(&mut random, 40, 0.1);
        let (sizes, first) = (vec![3; 40], (0..40).map(|i| 3 * i).collect::<Vec<_>>());
        for entries in [0, 1] {
            let solve = |allowance: &mut Allowance<'_>| {
                let [dense, sparse] = both(&w, &sizes, &first);
                let entries = if entries == 0 { dense } else { sparse };
                let numbering = Numbering { sizes: &sizes, first: &first };
                NewtonSystem { entries, right: vec![1.0; 120] }.solve(
                    &w,
                    &numbering,
                    &mut LinearMemory::default(),
                    allowance,
                )
            };
            let mut free = Allowance::unlimited(&never);
            assert_eq!(solve(&mut free), Ok(true));
            let work = free.spent();
            assert!(work > 0 && work <= 120_u64.pow(3));
            assert_eq!(solve(&mut Allowance::of(work, &never)), Ok(true));
            let mut short = Allowance::of(work - 1, &never);
            assert_eq!((solve(&mut short), short.spent()), (Err(StopReason::Spent { budget: work - 1 }), 0));
            let interrupt = Interrupt::at_look(0);
            assert_eq!(solve(&mut Allowance::unlimited(&interrupt)), Err(StopReason::Interrupted));
        }
    }
}
