//! Any matrix by rows: long runs of neighbouring columns (contacts of one pair of bodies) as whole rows, what is left as single blocks.
//!
//! Whole rows, both halves: a sparse W of rigid bodies is small, and one computed by others need not be symmetric.

use super::Couples;
use super::kernel::{Flat, put, take, times};
use crate::linalg::{Matrix, Vector};

/// Blocks in a row that must be neighbours to be kept as a run: fewer are faster one by one.
const RUN: usize = 6;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rows<const D: usize> {
    /// Where each row starts in `runs` and in `columns`; one more at the end.
    start: Vec<[usize; 2]>,
    runs: Vec<BlockRun>,
    /// The runs, D rows each.
    numbers: Vec<f64>,
    columns: Vec<usize>,
    /// Columns of blocks one after the other, as nalgebra has them.
    blocks: Vec<[[f64; D]; D]>,
}

/// Blocks at the columns first, first + 1, ….
#[derive(Clone, Copy, Debug, PartialEq)]
struct BlockRun {
    first: usize,
    length: usize,
    /// Where its D rows start.
    start: usize,
}

impl BlockRun {
    fn rows<'a, const D: usize>(&self, numbers: &'a [f64]) -> &'a [f64] {
        &numbers[self.start..self.start + D * D * self.length]
    }
}

impl<const D: usize> Rows<D> {
    pub(crate) fn with_capacity(n: usize) -> Self {
        let mut start = Vec::with_capacity(n + 1);
        start.push([0, 0]);
        Self { start, ..Self::default() }
    }

    /// Appends a row: blocks off the diagonal, by ascending columns.
    pub(crate) fn push(&mut self, entries: &[(usize, Matrix<D>)]) {
        for run in entries.chunk_by(|a, b| a.0 + 1 == b.0) {
            if run.len() < RUN {
                self.columns.extend(run.iter().map(|e| e.0));
                self.blocks.extend(run.iter().map(|e| e.1.data.0));
                continue;
            }
            let start = self.numbers.len();
            self.runs.push(BlockRun { first: run[0].0, length: run.len(), start });
            self.numbers.resize(start + D * D * run.len(), 0.0);
            for (k, (_, block)) in run.iter().enumerate() {
                put(&mut self.numbers[start..], k, block);
            }
        }
        self.start.push([self.runs.len(), self.columns.len()]);
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.columns.len() + self.runs.iter().map(|run| run.length).sum::<usize>()
    }

    /// Columns and blocks of row `i`, ascending, without the diagonal.
    pub(crate) fn row(&self, i: usize) -> Vec<(usize, Matrix<D>)> {
        let (from, to) = (self.start[i], self.start[i + 1]);
        let single = |k: usize| (self.columns[k], Matrix::<D>::from_fn(|r, c| self.blocks[k][c][r]));
        let mut row: Vec<(usize, Matrix<D>)> = (from[1]..to[1]).map(single).collect();
        for run in &self.runs[from[0]..to[0]] {
            let rows = run.rows::<D>(&self.numbers);
            row.extend((0..run.length).map(|k| (run.first + k, take(rows, k))));
        }
        row.sort_by_key(|e| e.0);
        row
    }

    /// Number of blocks of row `i` without the diagonal.
    pub(crate) fn row_len(&self, i: usize) -> usize {
        let (from, to) = (self.start[i], self.start[i + 1]);
        to[1] - from[1] + self.runs[from[0]..to[0]].iter().map(|run| run.length).sum::<usize>()
    }

    /// Columns of row `i`, ascending, without the diagonal.
    pub(crate) fn columns_of(&self, i: usize) -> Vec<usize> {
        let (from, to) = (self.start[i], self.start[i + 1]);
        let mut columns = self.columns[from[1]..to[1]].to_vec();
        columns.extend(self.runs[from[0]..to[0]].iter().flat_map(|run| run.first..run.first + run.length));
        columns.sort_unstable();
        columns
    }

    /// Block (i, j), i ≠ j, if it is stored.
    pub(crate) fn block(&self, i: usize, j: usize) -> Option<Matrix<D>> {
        let (from, to) = (self.start[i], self.start[i + 1]);
        if let Ok(k) = self.columns[from[1]..to[1]].binary_search(&j) {
            return Some(Matrix::<D>::from_fn(|r, c| self.blocks[from[1] + k][c][r]));
        }
        let run = self.runs[from[0]..to[0]].iter().find(|run| (run.first..run.first + run.length).contains(&j))?;
        Some(take(run.rows::<D>(&self.numbers), j - run.first))
    }
}

impl<const D: usize> Couples<D> for Rows<D> {
    #[inline(always)]
    fn below(&self, i: usize, x: &Flat) -> Vector<D> {
        let (from, to) = (self.start[i], self.start[i + 1]);
        // Each column of a block has a sum of its own, so that no addition waits for the one before it.
        let mut sums = [[0.0; D]; D];
        let values = x.blocks::<D>();
        for (&j, block) in self.columns[from[1]..to[1]].iter().zip(&self.blocks[from[1]..to[1]]) {
            let x = &values[j];
            for c in 0..D {
                for r in 0..D {
                    sums[c][r] += block[c][r] * x[c];
                }
            }
        }
        let mut sum = Vector::<D>::from_fn(|r, _| sums.iter().map(|column| column[r]).sum());
        for run in &self.runs[from[0]..to[0]] {
            let columns = D * run.first..D * (run.first + run.length);
            sum += times(run.rows::<D>(&self.numbers), &x.numbers()[columns]);
        }
        sum
    }

    #[inline(always)]
    fn pass_on(&self, _: usize, _: &Vector<D>, _: &mut Flat) {}
}
