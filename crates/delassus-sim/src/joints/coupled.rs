//! How contacts feel joints: W − Cᵀ (A + E)⁻¹ C = W − Zᵀ Z with Z = L⁻¹ C.

use delassus_contact::Contact;
use delassus_solver::{BlockMatrix, Matrix, Vector};

use super::envelope::Envelope;
use super::rows::JointRow;
use crate::condense::{Sites, condense};
use crate::error::SimError;
use crate::operators::Operators;

/// The rows that are eliminated.
#[derive(Clone, Debug)]
pub(crate) struct EliminatedJoints {
    /// L of A + E.
    pub factor: Envelope,
    /// Numbers of the rows, in the order of the factor.
    pub active: Vec<usize>,
}

/// Z of the contacts of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Coupled<const D: usize> {
    /// For each contact D columns; empty for one that no joint is near.
    z: Vec<Vec<Vec<f64>>>,
    /// From where on they are not zero.
    first: Vec<usize>,
}

impl<const D: usize> Coupled<D> {
    /// Z, and the W that contacts see.
    pub fn of(
        eliminated: &EliminatedJoints,
        blocks: &[Contact<D>],
        rows: &[JointRow],
        contacts: &[&Contact<D>],
        operators: &Operators,
        at: Sites<'_, D>,
    ) -> Result<(Self, BlockMatrix<D>), SimError> {
        let all: Vec<&Contact<D>> = blocks.iter().chain(contacts.iter().copied()).collect();
        let whole = condense(&all, operators, at)?;
        let (n_blocks, active) = (blocks.len(), &eliminated.active);
        let mut out = Self { z: Vec::new(), first: Vec::new() };
        for i in 0..contacts.len() {
            let row = whole.row(n_blocks + i);
            let near: Vec<(usize, Matrix<D>)> = row.into_iter().filter(|e| e.0 < n_blocks).collect();
            let block = |k: usize| near.binary_search_by_key(&k, |e| e.0).ok().map(|found| near[found].1);
            let mut z = vec![vec![0.0; active.len()]; if near.is_empty() { 0 } else { D }];
            for (place, &number) in active.iter().enumerate() {
                let Some(w) = block(rows[number].block) else { continue };
                z.iter_mut().enumerate().for_each(|(c, z)| z[place] = w[(c, rows[number].component)]);
            }
            z.iter_mut().for_each(|z| eliminated.factor.forward(z));
            let is_zero = |place: &usize| z.iter().all(|z| z[*place].abs() <= 0.0);
            out.first.push((0..active.len()).take_while(is_zero).count());
            out.z.push(z);
        }
        let corrected = out.corrected(&whole, n_blocks)?;
        Ok((out, corrected))
    }

    /// Do two contacts feel each other through joints?
    fn meet(&self, i: usize, j: usize) -> bool {
        let from = self.first[i].max(self.first[j]);
        !self.z[i].is_empty()
            && !self.z[j].is_empty()
            && (from..self.z[i][0].len())
                .any(|k| self.z[i].iter().any(|z| z[k].abs() > 0.0) && self.z[j].iter().any(|z| z[k].abs() > 0.0))
    }

    fn product(&self, i: usize, j: usize) -> Matrix<D> {
        let from = self.first[i].max(self.first[j]);
        let dot = |a: &[f64], b: &[f64]| a[from..].iter().zip(&b[from..]).map(|(x, y)| x * y).sum::<f64>();
        Matrix::<D>::from_fn(|r, c| dot(&self.z[i][r], &self.z[j][c]))
    }

    fn corrected(&self, whole: &BlockMatrix<D>, n_blocks: usize) -> Result<BlockMatrix<D>, SimError> {
        let n = self.z.len();
        let mut rows: Vec<Vec<(usize, Matrix<D>)>> = vec![Vec::new(); n];
        for i in 0..n {
            let own = whole.row(n_blocks + i);
            for j in 0..=i {
                let known = own.binary_search_by_key(&(n_blocks + j), |e| e.0).ok().map(|k| own[k].1);
                let met = self.meet(i, j).then(|| self.product(i, j));
                let block = match (known, met) {
                    (Some(w), Some(z)) => w - z,
                    (Some(w), None) => w,
                    (None, Some(z)) => -z,
                    (None, None) => continue,
                };
                rows[i].push((j, block));
                if j < i {
                    rows[j].push((i, block.transpose()));
                }
            }
        }
        Ok(BlockMatrix::from_rows(rows)?)
    }

    /// What impulses of the contacts add to λ: −L⁻ᵀ Z p, by row number.
    pub fn response(&self, eliminated: &EliminatedJoints, p: &[Vector<D>], n_rows: usize) -> Vec<f64> {
        let mut x = vec![0.0; eliminated.active.len()];
        for (z, p) in self.z.iter().zip(p) {
            for (z, p) in z.iter().zip(p.iter()) {
                x.iter_mut().zip(z).for_each(|(x, z)| *x -= z * p);
            }
        }
        eliminated.factor.backward(&mut x);
        let mut out = vec![0.0; n_rows];
        eliminated.active.iter().zip(&x).for_each(|(&row, x)| out[row] = *x);
        out
    }
}
