//! The whole problem in its standard variables, dense, and the bonds eliminated from it.
//!
//! ```text
//! C = (I + W S)⁻¹,   W̃ = C W + B,   ṽ_free = C(U_free − W s) + a − B s,   U = C(U_free − W s + W p̃),   p = p̃ − s − S U
//! bonds b:   0 = ṽ_b = W̃_bb p̃_b + W̃_bf p̃_f + ṽ_free,b      ⇒   A = W̃_ff − W̃_fb W̃_bb⁻¹ W̃_bf
//! ```
//!
//! The formulas of one contact (module `contact`) with the global W: Jean, Acary & Monerie 2001, §6. W̃ stays symmetric. Component k
//! of contact α is number Dα + k.

use delassus_error::Interrupt;
use faer::Mat;
use nalgebra::{DMatrix, DVector};

use crate::linalg::dense::{DenseLu, product_with_transposed};
use crate::linalg::{Matrix, Vector};
use crate::local::{Dimension, LocalKernel};
use crate::problem::ContactProblem;

/// Pivot of a bond, relative to its own mobility, below which the other bonds already hold it.
const DEPENDENT: f64 = 1e-11;

/// W̃ and ṽ_free of all contacts.
pub(crate) struct StandardProblem<const D: usize> {
    /// W̃ [1/kg].
    pub(crate) w: DMatrix<f64>,
    /// ṽ_free [m/s].
    pub(crate) v_free: DVector<f64>,
    /// 1/√λmax(W̃_αα) for each contact [√kg], zero without mobility: impulses divided and velocities multiplied by it have no unit but
    /// that of √energy, whatever the masses.
    pub(crate) scale: Vec<f64>,
    s: DVector<f64>,
    spring: DVector<f64>,
    /// What the springs change, if there are any.
    soft: Option<SoftProblem>,
}

/// W and U_free − W s as they were, and I + W S factored.
struct SoftProblem {
    w: DMatrix<f64>,
    v_free: DVector<f64>,
    factor: DenseLu,
}

impl<const D: usize> StandardProblem<D>
where
    Dimension<D>: LocalKernel<D>,
{
    /// Dense form of a problem; none if I + W S is singular, which valid data exclude.
    pub(crate) fn new(problem: &ContactProblem<D>) -> Option<Self> {
        let n = problem.n();
        let mut w = DMatrix::<f64>::zeros(D * n, D * n);
        for i in 0..n {
            for (j, block) in problem.operator.row(i) {
                w.fixed_view_mut::<D, D>(D * i, D * j).copy_from(&block);
            }
        }
        let gather = |f: &dyn Fn(usize) -> Vector<D>| DVector::from_fn(D * n, |i, _| f(i / D)[i % D]);
        let a = gather(&|i| problem.laws[i].v_shift);
        let b = gather(&|i| problem.laws[i].w_shift);
        let s = gather(&|i| problem.laws[i].p_shift);
        let spring = gather(&|i| problem.laws[i].spring);
        let mut v_free = gather(&|i| problem.v_free[i]) - &w * &s;
        let mut soft = None;
        if spring.iter().any(|&k| k != 0.0) {
            let one = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
            let factor = DenseLu::new(Mat::from_fn(D * n, D * n, |i, j| one(i, j) + w[(i, j)] * spring[j]));
            let softened = factor.solve(&w)?;
            let moved = factor.solve_one(&v_free)?;
            soft = Some(SoftProblem { w, v_free, factor });
            w = softened;
            v_free = moved;
        }
        w = (&w + w.transpose()) * 0.5;
        for i in 0..D * n {
            w[(i, i)] += b[i];
        }
        v_free += a - b.component_mul(&s);
        let scale = (0..n).map(|i| scale_of::<D>(&w, i)).collect();
        Some(Self { w, v_free, scale, s, spring, soft })
    }

    /// p from p̃.
    pub(crate) fn original(&self, standard: &DVector<f64>) -> Option<Vec<Vector<D>>> {
        let mut p = standard - &self.s;
        if let Some(soft) = &self.soft {
            let velocity = soft.factor.solve_one(&(&soft.v_free + &soft.w * standard))?;
            p -= self.spring.component_mul(&velocity);
        }
        Some(p.as_slice().chunks_exact(D).map(Vector::<D>::from_column_slice).collect())
    }

    /// (A, ṽ_free of A) on the components `free`, and the independent ones of the components `bonded`; none if someone asked to stop.
    pub(crate) fn without_bonds(
        &self,
        free: &[usize],
        bonded: &[usize],
        interrupt: &Interrupt,
    ) -> Option<(DMatrix<f64>, DVector<f64>, Vec<usize>)> {
        let mut a = DMatrix::from_fn(free.len(), free.len(), |i, j| self.w[(free[i], free[j])]);
        let mut q = DVector::from_fn(free.len(), |i, _| self.v_free[free[i]]);
        let (held, factor) = self.independent(bonded, interrupt)?;
        if !held.is_empty() {
            // Rows of L⁻¹ (W̃_bf, ṽ_free,b), in the order of elimination.
            let mut rows = DMatrix::from_fn(held.len(), free.len() + 1, |i, j| {
                free.get(j).map_or(self.v_free[held[i]], |&column| self.w[(held[i], column)])
            });
            for i in 0..held.len() {
                interrupt.check().ok()?;
                for j in 0..i {
                    let (above, mut here) = (rows.row(j).into_owned(), rows.row_mut(i));
                    here -= above * factor[(i, j)];
                }
                let mut here = rows.row_mut(i);
                here /= factor[(i, i)];
            }
            let y = rows.columns(0, free.len());
            a -= product_with_transposed(&rows, free.len());
            q -= y.transpose() * rows.column(free.len());
        }
        Some((a, q, held))
    }

    /// Cholesky with diagonal pivots of W̃_bb: the components that are not held by those before them, and the factor in that order.
    fn independent(&self, bonded: &[usize], interrupt: &Interrupt) -> Option<(Vec<usize>, DMatrix<f64>)> {
        let mut rest: Vec<usize> = bonded.iter().copied().filter(|&i| self.w[(i, i)] > 0.0).collect();
        let mut held: Vec<usize> = Vec::with_capacity(rest.len());
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(rest.len());
        // Row of the factor for a component, against the components held so far, and what is left of its own mobility.
        let mut partial: Vec<(Vec<f64>, f64)> = rest.iter().map(|&i| (Vec::new(), self.w[(i, i)])).collect();
        loop {
            interrupt.check().ok()?;
            let share = |k: usize| partial[k].1 / self.w[(rest[k], rest[k])];
            let best = (0..rest.len()).reduce(|x, y| if share(y) > share(x) { y } else { x });
            let Some(k) = best.filter(|&k| share(k) > DEPENDENT) else { break };
            let chosen = rest.remove(k);
            let (mut row, left) = partial.remove(k);
            let pivot = left.sqrt();
            for (&i, (other, mobility)) in rest.iter().zip(&mut partial) {
                let dot: f64 = row.iter().zip(other.iter()).map(|(x, y)| x * y).sum();
                let entry = (self.w[(i, chosen)] - dot) / pivot;
                other.push(entry);
                *mobility -= entry * entry;
            }
            row.push(pivot);
            rows.push(row);
            held.push(chosen);
        }
        let factor = DMatrix::from_fn(held.len(), held.len(), |i, j| rows[i].get(j).copied().unwrap_or(0.0));
        Some((held, factor))
    }
}

fn scale_of<const D: usize>(w: &DMatrix<f64>, contact: usize) -> f64
where
    Dimension<D>: LocalKernel<D>,
{
    let block = Matrix::<D>::from_fn(|k, l| w[(D * contact + k, D * contact + l)]);
    let largest = Dimension::<D>::extreme_eigenvalues(&block).1;
    if largest > 0.0 { 1.0 / largest.sqrt() } else { 0.0 }
}
