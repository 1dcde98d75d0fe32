//! What the LU factor of a sparse matrix costs, by its pattern alone.
//!
//! ```text
//! column j:   all rows that begin with j become one group, whose pattern is their union;
//!             one of them is the pivot row, the others lose j and go on:   (rows − 1)(columns − 1) multiplications
//! ```
//!
//! George & Ng 1987: the patterns hold whichever row the pivot is, so that this bounds elimination with any row exchanges.

/// Rows with the same pattern.
struct RowGroup {
    rows: usize,
    /// Ascending.
    columns: Vec<usize>,
}

/// Multiplications of the elimination of a square matrix whose rows have entries at these columns (ascending), in the order of the columns.
pub(super) fn elimination_work(rows: Vec<Vec<usize>>) -> u64 {
    let mut beginning: Vec<Vec<RowGroup>> = std::iter::repeat_with(Vec::new).take(rows.len()).collect();
    for columns in rows {
        if let Some(&first) = columns.first() {
            beginning[first].push(RowGroup { rows: 1, columns });
        }
    }
    let mut work = 0;
    for j in 0..beginning.len() {
        let groups = std::mem::take(&mut beginning[j]);
        let merge =
            |a: RowGroup, b: RowGroup| RowGroup { rows: a.rows + b.rows, columns: union(a.columns, &b.columns) };
        let Some(mut group) = groups.into_iter().reduce(merge) else { continue };
        group.columns.remove(0);
        group.rows -= 1;
        work += (group.rows * group.columns.len()) as u64;
        if let Some(&next) = group.columns.first().filter(|_| group.rows > 0) {
            beginning[next].push(group);
        }
    }
    work
}

/// Union of ascending lists.
fn union(a: Vec<usize>, b: &[usize]) -> Vec<usize> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        out.push(a[i].min(b[j]));
        let (left, right) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(left);
        j += usize::from(right);
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn full_triangular_and_banded_matrices_by_hand() {
        // Σ (n − 1 − j)²
        let full = |n: usize| elimination_work(vec![(0..n).collect(); n]);
        assert_eq!([full(1), full(2), full(5)], [0, 1, 16 + 9 + 4 + 1]);
        assert_eq!(elimination_work((0..6).map(|i| (i..6).collect()).collect()), 0);
        assert_eq!(elimination_work((0..6).map(|i| vec![i]).collect()), 0);
        // Tridiagonal: two rows and, with exchanges, three columns at each pivot but the last two.
        let band = |i: usize| (i.saturating_sub(1)..(i + 2).min(6)).collect::<Vec<_>>();
        assert_eq!(elimination_work((0..6).map(band).collect()), 4 * 2 + 1);
        assert_eq!(elimination_work(vec![Vec::new(), vec![0]]), 0);
    }

    /// Elimination as it is done, with the largest pivots: never more than counted, and equal for a full matrix.
    #[test]
    fn it_bounds_elimination_with_row_exchanges() {
        let mut random = Random::new(17);
        for share in [0.05, 0.2, 1.0] {
            let n = 30;
            let mut a: Vec<Vec<f64>> = vec![vec![0.0; n]; n];
            for (i, row) in a.iter_mut().enumerate() {
                for (j, x) in row.iter_mut().enumerate() {
                    if i == j || random.between(0.0, 1.0) < share {
                        *x = random.between(-1.0, 1.0);
                    }
                }
            }
            let pattern = a.iter().map(|row| (0..n).filter(|&j| row[j] != 0.0).collect()).collect();
            let mut done = 0;
            for j in 0..n {
                let pivot = (j..n).max_by(|&x, &y| a[x][j].abs().total_cmp(&a[y][j].abs())).unwrap();
                a.swap(j, pivot);
                let top = a[j].clone();
                for row in a[j + 1..].iter_mut().filter(|row| row[j] != 0.0) {
                    let factor = row[j] / top[j];
                    for k in (j + 1..n).filter(|&k| top[k] != 0.0) {
                        row[k] -= factor * top[k];
                        done += 1;
                    }
                }
            }
            let counted = elimination_work(pattern);
            assert!(counted >= done && done > 0, "{counted} {done}");
            assert!(share < 1.0 || counted == done);
        }
    }
}
