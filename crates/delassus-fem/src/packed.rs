//! Lower triangles of symmetric matrices, packed row by row: entry (r, c) at r(r+1)/2 + c.

/// Entries of the lower triangle of an n×n matrix.
pub(crate) const fn packed_length(n: usize) -> usize {
    n * (n + 1) / 2
}

/// Position of entry (row, column), column ≤ row, in the packed lower triangle.
pub(crate) const fn packed_index(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}
