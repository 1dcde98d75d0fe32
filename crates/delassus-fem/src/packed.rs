//! Lower triangles of symmetric matrices, packed row by row: entry (r, c) at r(r+1)/2 + c; and which rows of a cell matrix are kept (see the kernel).

/// Entries of the lower triangle of an n×n matrix.
pub(crate) const fn packed_length(n: usize) -> usize {
    n * (n + 1) / 2
}

/// Position of entry (row, column), column ≤ row, in the packed lower triangle.
pub(crate) const fn packed_index(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

/// Degrees of freedom of a cell whose rows are kept, when this many components count by themselves.
pub(crate) const fn n_kept<const D: usize, const N: usize>(n_absolute: usize) -> usize {
    if n_absolute > 0 { D * N } else { D * (N - 1) }
}

/// The first node whose rows are kept.
pub(crate) const fn first_kept(n_absolute: usize) -> usize {
    if n_absolute > 0 { 0 } else { 1 }
}

/// Empties the rows of the first node whose displacements are relative to themselves.
pub(crate) fn empty_relative<const D: usize>(packed: &mut [f64], n: usize, n_absolute: usize) {
    if n_absolute == 0 {
        return;
    }
    for own in n_absolute..D {
        (0..n).for_each(|other| packed[packed_index(own.max(other), own.min(other))] = 0.0);
    }
}
