//! The change of variables that makes every law the standard problem, at one contact.
//!
//! ```text
//! C = (I + W S)⁻¹,   W̃ = C W + B,   ṽ_free = C(U_loc − W s) + a − B s
//! U = C(U_loc − W s + W p̃),   p = p̃ − s − S U
//! ```
//!
//! W is the diagonal block and U_loc = U − W p the velocity of this contact due to everything else (Jean, Acary & Monerie 2001,
//! §6; with the signs of springs that attract). All that does not change in a sweep is computed once.

use crate::linalg::{Matrix, Vector};
use crate::local::{Dimension, LocalBlock, LocalKernel};
use crate::problem::{Cone, Derived};

/// Skew part of a block, relative to the block, below which it is rounding.
const SKEW: f64 = 1e-14;

/// One contact in its standard variables.
#[derive(Clone, Debug)]
pub(crate) struct StandardContact<const D: usize>
where
    Dimension<D>: LocalKernel<D>,
{
    /// W̃, prepared.
    pub(crate) block: LocalBlock<D>,
    pub(crate) cone: Cone,
    /// Velocity below which nothing is judged [m/s].
    pub(crate) least: f64,
    /// The same along the contact, where it is another.
    pub(crate) least_along: Option<f64>,
    /// a − B s − C W s, what ṽ_free adds to C U_loc.
    offset: Vector<D>,
    s: Vector<D>,
    /// What few contacts need; apart, so that a sweep over the others does not read it.
    special: Special<D>,
}

#[derive(Clone, Debug)]
enum Special<const D: usize> {
    None,
    /// A law with a spring.
    Soft(Box<SoftContact<D>>),
    /// The skew part K of a diagonal block that is not symmetric (problems of other codes): kernels want a symmetric block, so that K p is
    /// taken from the last iterate and becomes right as the iterates converge.
    Skew(Box<Matrix<D>>),
}

#[derive(Clone, Debug)]
struct SoftContact<const D: usize> {
    /// Diagonal block W.
    w: Matrix<D>,
    c: Matrix<D>,
    spring: Vector<D>,
}

impl<const D: usize> StandardContact<D>
where
    Dimension<D>: LocalKernel<D>,
{
    pub(crate) fn new(w: &Matrix<D>, law: &Derived<D>) -> Self {
        let soft = law.spring.iter().any(|&k| k != 0.0).then(|| {
            let sum = Matrix::<D>::identity() + w * Matrix::<D>::from_diagonal(&law.spring);
            // W S has no negative eigenvalue, so the sum is regular for valid data; NaN otherwise, which the residual reports.
            let c = sum.try_inverse().unwrap_or_else(|| Matrix::<D>::from_element(f64::NAN));
            Box::new(SoftContact { w: *w, c, spring: law.spring })
        });
        let cw = soft.as_ref().map_or(*w, |soft| soft.c * w);
        // (W⁻¹ + S)⁻¹ is symmetric; the product is so only up to rounding.
        let cw_symmetric = (cw + cw.transpose()) * 0.5;
        let skew = cw - cw_symmetric;
        let special = match soft {
            Some(soft) => Special::Soft(soft),
            None if skew.amax() > SKEW * cw.amax() => Special::Skew(Box::new(skew)),
            None => Special::None,
        };
        let block = LocalBlock::new(&(cw_symmetric + Matrix::<D>::from_diagonal(&law.w_shift)));
        Self {
            least: law.margin.least_velocity(block.largest()),
            least_along: law.margin.least_along(block.largest()),
            block,
            cone: law.cone,
            offset: law.v_shift - law.w_shift.component_mul(&law.p_shift) - cw * law.p_shift,
            s: law.p_shift,
            special,
        }
    }

    /// ṽ_free from U_loc; `last` is the p̃ that the contact has.
    #[inline(always)]
    pub(crate) fn v_free(&self, others: &Vector<D>, last: &Vector<D>) -> Vector<D> {
        match &self.special {
            Special::None => others + self.offset,
            Special::Soft(soft) => soft.c * others + self.offset,
            Special::Skew(skew) => others + self.offset + **skew * last,
        }
    }

    /// p̃ from p and U_loc.
    #[inline(always)]
    pub(crate) fn impulse(&self, others: &Vector<D>, p: &Vector<D>) -> Vector<D> {
        match &self.special {
            Special::Soft(soft) => p + self.s + soft.spring.component_mul(&(others + soft.w * p)),
            _ => p + self.s,
        }
    }

    /// p from p̃ and U_loc.
    #[inline(always)]
    pub(crate) fn original(&self, others: &Vector<D>, standard: &Vector<D>) -> Vector<D> {
        let p = standard - self.s;
        match &self.special {
            Special::Soft(soft) => p - soft.spring.component_mul(&(soft.c * (others + soft.w * p))),
            _ => p,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::certify;
    use crate::operator::BlockMatrix;
    use crate::problem::ContactProblem;
    use crate::report::SolverOptions;
    use crate::solvers::nlgs;
    use crate::testing::Random;
    use crate::testing::space::nothing;

    /// Problems of other codes have blocks that are not symmetric; the certificate does not use this.
    #[test]
    fn blocks_that_are_not_symmetric_are_solved_as_they_are() {
        let mut random = Random::new(77);
        for skew in [0.0, 1e-12, 1e-3, 0.1] {
            let rows = (0..4).map(|i| {
                let part = |j: usize| if i == j { 1.0 } else { 0.1 };
                let noise = |random: &mut Random| Matrix::<3>::from_fn(|_, _| skew * random.between(-1.0, 1.0));
                (0..4).map(|j| (j, Matrix::<3>::identity() * part(j) + noise(&mut random))).collect()
            });
            let problem = ContactProblem::<3> {
                operator: BlockMatrix::from_rows(rows.collect()).unwrap(),
                v_free: (0..4).map(|i| Vector::<3>::new(-1.0, 0.5 * f64::from(i), 0.2)).collect(),
                laws: vec![Derived::standard(Cone::Coulomb(0.3)); 4],
            };
            let mut p = nothing(4);
            let report = nlgs::solve(&problem, &mut p, &SolverOptions::default());
            assert!(report.converged, "skew {skew}: {report:?}");
            // The same quantity by two codes; they differ by rounding, and by the block whose largest eigenvalue scales it.
            assert!(certify(&problem, &p).unwrap().law_error <= 1.2e-10, "skew {skew}");
        }
    }
}
