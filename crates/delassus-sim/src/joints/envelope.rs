//! Cholesky's factor of a symmetric matrix within its envelope: A = L Lᵀ, row i from its first entry on.
//!
//! Chains of joints have short rows in their own order, so the cost grows with their number; closed loops fill a few rows.
//! A pivot that is rounding belongs to a row that can do nothing (it acts on held bodies alone): its unknown is 0.

/// Part of a diagonal entry below which a pivot is rounding.
const ROUNDED: f64 = 1e-13;

/// A lower triangle, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Envelope {
    rows: Vec<EnvelopeRow>,
}

#[derive(Clone, Debug)]
struct EnvelopeRow {
    /// Column of the first value; the last is the diagonal.
    first: usize,
    values: Vec<f64>,
}

impl Envelope {
    /// The factor of a matrix whose row i has `entries[i]`, (column ≤ i, value) by ascending columns.
    pub fn factored(entries: &[Vec<(usize, f64)>]) -> Self {
        let mut rows: Vec<EnvelopeRow> = Vec::with_capacity(entries.len());
        for (i, list) in entries.iter().enumerate() {
            let first = list.first().map_or(i, |e| e.0);
            let mut values = vec![0.0; i + 1 - first];
            list.iter().for_each(|&(j, a)| values[j - first] = a);
            let size = values[i - first];
            for j in first..=i {
                if j < i {
                    let row = &rows[j];
                    let from = first.max(row.first).min(j);
                    let pairs = values[from - first..j - first].iter().zip(&row.values[from - row.first..]);
                    let reduced = values[j - first] - pairs.map(|(x, y)| x * y).sum::<f64>();
                    values[j - first] = reduced / row.values[j - row.first];
                } else {
                    let pivot = size - values[..j - first].iter().map(|x| x * x).sum::<f64>();
                    values[j - first] = if pivot > ROUNDED * size { pivot.sqrt() } else { f64::INFINITY };
                }
            }
            rows.push(EnvelopeRow { first, values });
        }
        Self { rows }
    }

    /// x ← L⁻¹ x.
    pub fn forward(&self, x: &mut [f64]) {
        for (i, row) in self.rows.iter().enumerate() {
            let n = i - row.first;
            let sum: f64 = row.values[..n].iter().zip(&x[row.first..i]).map(|(l, x)| l * x).sum();
            x[i] = (x[i] - sum) / row.values[n];
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64]) {
        for (i, row) in self.rows.iter().enumerate().rev() {
            let n = i - row.first;
            x[i] /= row.values[n];
            let known = x[i];
            x[row.first..i].iter_mut().zip(&row.values[..n]).for_each(|(x, l)| *x -= l * known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(entries: &[Vec<(usize, f64)>], b: &[f64]) -> Vec<f64> {
        let (factor, mut x) = (Envelope::factored(entries), b.to_vec());
        factor.forward(&mut x);
        factor.backward(&mut x);
        x
    }

    /// Rows that begin at different columns, against the product with the matrix.
    #[test]
    fn solves_within_the_envelope() {
        let entries = [
            vec![(0, 4.0)],
            vec![(0, 1.0), (1, 5.0)],
            vec![(2, 3.0)],
            vec![(1, -2.0), (2, 0.5), (3, 6.0)],
            vec![(0, 0.25), (3, 1.5), (4, 7.0)],
            vec![(3, -1.0), (4, 2.0), (5, 9.0)],
        ];
        let exact = [1.0, -2.0, 3.0, 0.5, -0.25, 4.0];
        let mut b = [0.0; 6];
        for (i, row) in entries.iter().enumerate() {
            for &(j, a) in row {
                b[i] += a * exact[j];
                if j != i {
                    b[j] += a * exact[i];
                }
            }
        }
        for (x, y) in solved(&entries, &b).iter().zip(exact) {
            assert!((x - y).abs() < 1e-14, "{x} {y}");
        }
    }

    /// A row without a pivot has no part in the solution.
    #[test]
    fn a_row_that_does_nothing_is_left_out() {
        let x = solved(&[vec![(0, 2.0)], vec![(1, 0.0)], vec![(0, 1.0), (2, 3.0)]], &[3.0, 7.0, 4.0]);
        assert!((x[0] - 1.0).abs() < 1e-15 && x[1].abs() <= 0.0 && (x[2] - 1.0).abs() < 1e-15, "{x:?}");
    }
}
