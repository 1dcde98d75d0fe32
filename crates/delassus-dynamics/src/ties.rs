//! Ties: degrees of freedom with equal velocities, eliminated from the linear systems.
//!
//! ```text
//! v = E v_r ,   E copies a master to its slaves          M̂_r = Eᵀ M̂ E ,   w = E M̂_r⁻¹ Eᵀ
//! ```
//!
//! Vectors keep their full length. In the reduced matrix the rows and columns of slaves are added into those of their masters and
//! a slave keeps a unit diagonal; of a right-hand side its entry is added into the master's, and it gets the master's solution. The
//! forces that hold the pairs together are never formed: they do no work.

use nalgebra_sparse::pattern::SparsityPattern;

/// (slave, master), by slave; no master is a slave.
pub type Ties = [(usize, usize)];

/// The dof that a dof moves with.
#[must_use]
pub fn master_of(ties: &Ties, dof: usize) -> usize {
    ties.binary_search_by_key(&dof, |tie| tie.0).map_or(dof, |i| ties[i].1)
}

/// x ← Eᵀ x: the entries of slaves go to their masters.
pub fn gather(ties: &Ties, x: &mut [f64]) {
    for &(slave, master) in ties {
        x[master] += x[slave];
        x[slave] = 0.0;
    }
}

/// x ← E x: slaves get what their masters have.
pub fn spread(ties: &Ties, x: &mut [f64]) {
    for &(slave, master) in ties {
        x[slave] = x[master];
    }
}

/// The pattern of Eᵀ A E, with the diagonal of slaves; A by its lower triangle.
pub(crate) fn reduced_pattern(pattern: &SparsityPattern, ties: &Ties) -> SparsityPattern {
    let n = pattern.major_dim();
    let mut columns: Vec<Vec<usize>> = (0..n).map(|dof| vec![dof]).collect();
    for (row, column) in entries(pattern) {
        let [low, high] = ends(ties, row, column);
        columns[low].push(high);
    }
    let mut offsets = Vec::with_capacity(n + 1);
    offsets.push(0);
    let mut rows = Vec::with_capacity(pattern.nnz());
    for column in &mut columns {
        column.sort_unstable();
        column.dedup();
        rows.extend_from_slice(column);
        offsets.push(rows.len());
    }
    SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows).unwrap_or_else(|_| SparsityPattern::zeros(n, n))
}

/// The values of Eᵀ A E in its [pattern](reduced_pattern), with ones on the diagonal of slaves.
pub(crate) fn reduced_values(
    pattern: &SparsityPattern,
    values: &[f64],
    reduced: &SparsityPattern,
    ties: &Ties,
) -> Vec<f64> {
    let mut out = vec![0.0; reduced.nnz()];
    let place = |low: usize, high: usize| {
        let start = reduced.major_offsets()[low];
        let column = &reduced.minor_indices()[start..reduced.major_offsets()[low + 1]];
        column.binary_search(&high).map(|i| start + i).ok()
    };
    for ((row, column), value) in entries(pattern).zip(values) {
        let [low, high] = ends(ties, row, column);
        // Off the diagonal a value stands for two, which fall together if both become the same.
        let times = if row != column && low == high { 2.0 } else { 1.0 };
        if let Some(k) = place(low, high) {
            out[k] += times * value;
        }
    }
    for &(slave, _) in ties {
        if let Some(k) = place(slave, slave) {
            out[k] = 1.0;
        }
    }
    out
}

fn entries(pattern: &SparsityPattern) -> impl Iterator<Item = (usize, usize)> + '_ {
    let offsets = pattern.major_offsets();
    (0..pattern.major_dim())
        .flat_map(move |j| pattern.minor_indices()[offsets[j]..offsets[j + 1]].iter().map(move |&i| (i, j)))
}

fn ends(ties: &Ties, row: usize, column: usize) -> [usize; 2] {
    let (a, b) = (master_of(ties, row), master_of(ties, column));
    [a.min(b), a.max(b)]
}
