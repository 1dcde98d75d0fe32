//! The effective mass of one body as a matrix, with boundary conditions.
//!
//! ```text
//! M̂ = M + c_C C + c_K K          with rows and columns of prescribed dofs replaced by the identity
//! ```
//!
//! The coefficients are those of an [integrator](crate::integrator), the factor is an [`Operator`](crate::Operator).

use std::borrow::Cow;

use nalgebra_sparse::CscMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

use crate::block_rotation::BlockRotation;
use crate::system::Matrices;
use crate::ties;

/// The name of the matrix in errors.
pub(crate) const EFFECTIVE: &str = "effective mass";

/// Coefficients of C and K in M̂ = M + c_C C + c_K K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// c_C \[s\].
    pub damping: f64,
    /// c_K \[s²\].
    pub stiffness: f64,
}

/// M + c_C C + c_K K, lower triangle in the pattern of K, with the values `stiffness` of K or of a tangent.
#[must_use]
pub fn combine(matrices: &Matrices, coefficients: Coefficients, stiffness: &[f64]) -> Vec<f64> {
    combine_parts(1.0, matrices, coefficients, stiffness, None)
}

/// c_M M + c_C C + c_K K, with other values of C in the pattern of K where they are given.
pub(crate) fn combine_parts(
    c_mass: f64,
    matrices: &Matrices,
    coefficients: Coefficients,
    stiffness: &[f64],
    viscosity: Option<&[f64]>,
) -> Vec<f64> {
    let pattern = matrices.pattern();
    let mut values = Vec::with_capacity(pattern.nnz());
    for j in 0..pattern.major_dim() {
        let (mut mass, mut damping) = (Column::of(&matrices.mass, j), Column::of(&matrices.damping, j));
        for &row in pattern.lane(j) {
            let c = viscosity.map_or_else(|| damping.at(row), |c| c[values.len()]);
            let (m, k) = (mass.at(row), stiffness[values.len()]);
            values.push(c_mass * m + (coefficients.damping * c + coefficients.stiffness * k));
        }
    }
    values
}

/// R A Rᵀ for a symmetric A with whole blocks of d × d entries, lower triangle: the matrix of the same body, turned.
#[must_use]
pub(crate) fn turned(pattern: &SparsityPattern, values: &[f64], rotation: &BlockRotation) -> Vec<f64> {
    let (d, rows) = (rotation.size(), rotation.rows());
    let at = |i: usize, j: usize| pattern.lane(j).binary_search(&i).ok().map(|k| pattern.major_offsets()[j] + k);
    let mut out = values.to_vec();
    let (mut block, mut half) = (vec![0.0; d * d], vec![0.0; d * d]);
    for b in 0..pattern.major_dim() / d {
        for a in pattern.lane(d * b).iter().filter(|&&i| i % d == 0).map(|i| i / d) {
            for (k, entry) in block.iter_mut().enumerate() {
                let (i, j) = (d * a + k / d, d * b + k % d);
                *entry = at(i.max(j), i.min(j)).map_or(0.0, |place| values[place]);
            }
            for (k, entry) in half.iter_mut().enumerate() {
                *entry = (0..d).map(|m| rows[k / d * d + m] * block[m * d + k % d]).sum();
            }
            for (i, j) in (0..d).flat_map(|i| (0..d).map(move |j| (i, j))) {
                if let Some(place) = at(d * a + i, d * b + j).filter(|_| d * a + i >= d * b + j) {
                    out[place] = (0..d).map(|m| half[i * d + m] * rows[j * d + m]).sum();
                }
            }
        }
    }
    out
}

/// A column of a matrix, read along the rows of a pattern that has its entries and maybe more.
struct Column<'a> {
    rows: &'a [usize],
    values: &'a [f64],
}

impl<'a> Column<'a> {
    fn of(matrix: &'a CscMatrix<f64>, j: usize) -> Self {
        let (offsets, rows, values) = matrix.csc_data();
        let own = offsets[j]..offsets[j + 1];
        Self { rows: &rows[own.clone()], values: &values[own] }
    }

    /// The entry of a row, zero if there is none; rows must be read in ascending order.
    fn at(&mut self, row: usize) -> f64 {
        match (self.rows.split_first(), self.values.split_first()) {
            (Some((&first, rows)), Some((&value, values))) if first == row => {
                (self.rows, self.values) = (rows, values);
                value
            }
            _ => 0.0,
        }
    }
}

/// The pattern of a body's M̂, with these ties eliminated.
pub(crate) fn pattern_of<'a>(tied: &ties::Ties, pattern: &'a SparsityPattern) -> Cow<'a, SparsityPattern> {
    match tied {
        [] => Cow::Borrowed(pattern),
        tied => Cow::Owned(ties::reduced_pattern(pattern, tied)),
    }
}

/// The pattern of a diagonal matrix.
pub(crate) fn diagonal(n: usize) -> SparsityPattern {
    SparsityPattern::try_from_offsets_and_indices(n, n, (0..=n).collect(), (0..n).collect())
        .unwrap_or_else(|_| SparsityPattern::zeros(n, n))
}

/// Rows and columns of `fixed` dofs become those of the identity; the pattern stays.
pub(crate) fn eliminate(pattern: &SparsityPattern, values: &mut [f64], fixed: &[usize]) {
    if fixed.is_empty() {
        return;
    }
    let mut is_fixed = vec![false; pattern.major_dim()];
    for &dof in fixed {
        is_fixed[dof] = true;
    }
    let offsets = pattern.major_offsets();
    for j in 0..pattern.major_dim() {
        for k in offsets[j]..offsets[j + 1] {
            let i = pattern.minor_indices()[k];
            if i == j && is_fixed[j] {
                values[k] = 1.0;
            } else if is_fixed[i] || is_fixed[j] {
                values[k] = 0.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the product of whole matrices.
    #[test]
    fn a_turned_matrix_is_r_a_rt() {
        // blocks (0, 0), (1, 0), (1, 1), (2, 1), (2, 2) of two dofs each
        let offsets = vec![0, 4, 7, 11, 14, 16, 17];
        let rows = vec![0, 1, 2, 3, 1, 2, 3, 2, 3, 4, 5, 3, 4, 5, 4, 5, 5];
        let pattern = SparsityPattern::try_from_offsets_and_indices(6, 6, offsets, rows).unwrap();
        let values: Vec<f64> = (0..17).map(|k| f64::from(k * k % 7) - 2.5).collect();
        let full = |values: &[f64]| {
            let mut a = nalgebra::DMatrix::<f64>::zeros(6, 6);
            for (k, (j, i)) in pattern.entries().enumerate() {
                a[(i, j)] = values[k];
                a[(j, i)] = values[k];
            }
            a
        };
        let (sin, cos) = (0.6, 0.8);
        let rotation = BlockRotation::new(2, vec![cos, -sin, sin, cos]).unwrap();
        let r =
            nalgebra::DMatrix::from_fn(
                6,
                6,
                |i, j| {
                    if i / 2 == j / 2 { rotation.rows()[2 * (i % 2) + j % 2] } else { 0.0 }
                },
            );
        let exact = &r * full(&values) * r.transpose();
        // a few roundings of numbers up to 5
        assert!((full(&turned(&pattern, &values, &rotation)) - exact).amax() < 1e-14);
    }

    fn bits(x: &[f64]) -> Vec<u64> {
        x.iter().map(|x| x.to_bits()).collect()
    }

    /// Entries that are not stored are zeros, to the last bit and sign.
    #[test]
    fn what_is_not_stored_is_zero() {
        let pattern =
            SparsityPattern::try_from_offsets_and_indices(4, 4, vec![0, 3, 5, 7, 8], vec![0, 1, 3, 1, 2, 2, 3, 3])
                .unwrap();
        let full = |values: &[f64]| CscMatrix::try_from_pattern_and_values(pattern.clone(), values.to_vec()).unwrap();
        let mut diagonal = CscMatrix::identity(4);
        diagonal.values_mut().copy_from_slice(&[0.3, 0.7, 1.1, 0.9]);
        let diagonal_in_full = full(&[0.3, 0.0, 0.0, 0.7, 0.0, 1.1, 0.0, 0.9]);
        let values = [2.0, -1.0, -0.0, 3.3, 0.0, 1.7, -0.1, 5.0];
        let coefficients = Coefficients { damping: 0.11, stiffness: 1.0 / 3.0 };
        let made = |mass: &CscMatrix<f64>, damping: &CscMatrix<f64>| {
            let (mass, damping, stiffness) = (mass.clone(), damping.clone(), full(&values));
            combine(&Matrices { mass, damping, stiffness, lumped: true }, coefficients, &values)
        };
        let by_hand = |m: &[f64], c: &[f64]| -> Vec<f64> {
            let parts = m.iter().zip(c).zip(&values);
            parts.map(|((m, c), k)| m + (coefficients.damping * c + coefficients.stiffness * k)).collect()
        };
        let (none, zeros) = (CscMatrix::zeros(4, 4), full(&[0.0; 8]));
        for (stored, same) in [(&none, &zeros), (&diagonal, &diagonal_in_full)] {
            let exact = bits(&by_hand(diagonal_in_full.values(), same.values()));
            assert_eq!(bits(&made(&diagonal, stored)), exact);
            assert_eq!(bits(&made(&diagonal_in_full, same)), exact);
        }
    }
}
