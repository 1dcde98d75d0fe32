//! The common sparsity pattern of M, C and K: lower triangle by node blocks.
//!
//! Column node c holds the row nodes r ≥ c that share a cell with it, ascending, the first being c itself. Within column
//! dof (c, j) come the rows (c, j), …, (c, D−1), then D rows for each further node: the place of an entry follows from
//! the place of its node block by arithmetic.

use nalgebra_sparse::CscMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

/// Sparsity pattern with the node blocks it is made of.
#[derive(Clone, Debug)]
pub(crate) struct NodeBlocks<const D: usize> {
    /// First neighbour of each column node, and the end.
    offsets: Vec<usize>,
    /// Row nodes of each column node, ascending from the diagonal.
    rows: Vec<usize>,
    /// First entry of each column dof.
    starts: Vec<usize>,
}

impl<const D: usize> NodeBlocks<D> {
    /// The pattern of `n_nodes` nodes with the cells given by their nodes.
    pub fn new<'a>(n_nodes: usize, cells: impl Iterator<Item = &'a [usize]>) -> Self {
        let mut pairs: Vec<(usize, usize)> = (0..n_nodes).map(|n| (n, n)).collect();
        for cell in cells {
            for &c in cell {
                pairs.extend(cell.iter().filter(|&&r| r > c).map(|&r| (c, r)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut offsets = vec![0; n_nodes + 1];
        for &(c, _) in &pairs {
            offsets[c + 1] += 1;
        }
        for c in 0..n_nodes {
            offsets[c + 1] += offsets[c];
        }
        let mut starts = Vec::with_capacity(D * n_nodes + 1);
        let mut end = 0;
        for c in 0..n_nodes {
            for j in 0..D {
                starts.push(end);
                end += D * (offsets[c + 1] - offsets[c]) - j;
            }
        }
        starts.push(end);
        Self { offsets, rows: pairs.into_iter().map(|(_, r)| r).collect(), starts }
    }

    /// Numbers that it keeps.
    pub fn n_numbers(&self) -> usize {
        self.offsets.len() + self.rows.len() + self.starts.len()
    }

    /// Number of entries.
    pub fn n_entries(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Place of the block of row node `r` and column node `c` ≤ `r`, if they share a cell.
    pub fn block(&self, r: usize, c: usize) -> Option<usize> {
        self.rows[self.offsets[c]..self.offsets[c + 1]].binary_search(&r).ok()
    }

    /// Place of entry (i, j) of the block at `place` in column node `c`; i ≥ j on the diagonal (place 0).
    pub fn entry(&self, c: usize, place: usize, i: usize, j: usize) -> usize {
        self.starts[D * c + j] + D * place + i - j
    }

    /// The matrix of this pattern without values.
    pub fn zeros(&self) -> CscMatrix<f64> {
        let (pattern, n) = (self.pattern(), D * (self.offsets.len() - 1));
        // as many values as entries, so the check of the constructor cannot fail
        CscMatrix::try_from_pattern_and_values(pattern, vec![0.0; self.n_entries()])
            .unwrap_or_else(|_| CscMatrix::zeros(n, n))
    }

    /// The pattern over degrees of freedom.
    pub fn pattern(&self) -> SparsityPattern {
        let n_nodes = self.offsets.len() - 1;
        let mut indices = Vec::with_capacity(self.n_entries());
        for c in 0..n_nodes {
            for j in 0..D {
                let blocks = &self.rows[self.offsets[c]..self.offsets[c + 1]];
                indices.extend(blocks.iter().flat_map(|r| (0..D).map(move |i| D * r + i)).skip(j));
            }
        }
        let n = D * n_nodes;
        // rows ascend within each column by construction, so the checks of the constructor cannot fail
        SparsityPattern::try_from_offsets_and_indices(n, n, self.starts.clone(), indices)
            .unwrap_or_else(|_| SparsityPattern::zeros(n, n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_where_the_pattern_says() {
        let cells: [&[usize]; 3] = [&[0, 3, 1], &[1, 3, 4], &[4, 2, 1]];
        let blocks = NodeBlocks::<2>::new(5, cells.iter().copied());
        let pattern = blocks.pattern();
        assert_eq!(pattern.nnz(), blocks.n_entries());
        // every node on the diagonal, and the node pairs 01 03 12 13 14 24 34: 5·3 + 7·4 entries
        assert_eq!(pattern.nnz(), 43);
        for c in 0..5 {
            for r in c..5 {
                let Some(place) = blocks.block(r, c) else {
                    assert!(![(1, 0), (3, 0), (2, 1), (3, 1), (4, 1), (4, 2), (4, 3)].contains(&(r, c)));
                    continue;
                };
                for j in 0..2 {
                    for i in if r == c { j..2 } else { 0..2 } {
                        let k = blocks.entry(c, place, i, j);
                        assert!(
                            (pattern.major_offsets()[2 * c + j]..pattern.major_offsets()[2 * c + j + 1]).contains(&k)
                        );
                        assert_eq!(pattern.minor_indices()[k], 2 * r + i);
                    }
                }
            }
        }
    }
}
