//! A full symmetric matrix: only what lies below the diagonal is stored, and read once for both halves of a product.
//!
//! ```text
//! Σ_{j≠i} W_ij x_j = Σ_{j<i} W_ij x_j + above_i,      above_j = Σ_{i>j} W_ijᵀ x_i
//! ```
//!
//! A Gauss–Seidel sweep takes the first sum with the new x as it comes to contact i, and then adds W_ijᵀ x_i to what the contacts before
//! i will meet in the next sweep, while row i is still in the nearest cache. The time of a sweep over many contacts is that of reading W
//! from memory: half of it takes half the time, and half the memory (D²·8 bytes for two coupled contacts).

use super::Couples;
use super::kernel::{Flat, add_transposed, put, take, times};
use crate::linalg::{Matrix, Vector};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Half<const D: usize> {
    /// Block row i, i times D² numbers after those before it: D rows of D·i columns.
    numbers: Vec<f64>,
}

/// Where block row `i` starts.
#[inline]
fn start<const D: usize>(i: usize) -> usize {
    D * D * (i * i.saturating_sub(1) / 2)
}

impl<const D: usize> Half<D> {
    /// All zero.
    pub(crate) fn zeros(n: usize) -> Self {
        Self { numbers: vec![0.0; start::<D>(n)] }
    }

    /// Sets W_ij, j < i.
    #[inline]
    pub(crate) fn set(&mut self, i: usize, j: usize, block: &Matrix<D>) {
        put(&mut self.numbers[start::<D>(i)..start::<D>(i + 1)], j, block);
    }

    /// W_ij, j < i.
    #[inline]
    pub(crate) fn get(&self, i: usize, j: usize) -> Matrix<D> {
        take(self.rows(i), j)
    }

    /// The D rows of contact `i`.
    #[inline]
    fn rows(&self, i: usize) -> &[f64] {
        &self.numbers[start::<D>(i)..start::<D>(i + 1)]
    }
}

impl<const D: usize> Couples<D> for Half<D> {
    #[inline(always)]
    fn below(&self, i: usize, x: &Flat) -> Vector<D> {
        times(self.rows(i), &x.numbers()[..D * i])
    }

    #[inline(always)]
    fn pass_on(&self, i: usize, x: &Vector<D>, above: &mut Flat) {
        add_transposed(self.rows(i), x, &mut above.numbers_mut()[..D * i]);
    }
}
