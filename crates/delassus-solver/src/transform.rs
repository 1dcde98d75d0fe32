//! The change of variables that turns every law into the standard problem, at one contact.
//!
//! ```text
//! C = (I + W S)⁻¹,   W̃ = C W + B,   ṽ_free = C(U_loc − W s) + a − B s
//! U = C(U_loc − W s + W p̃),   p = p̃ − s − S U
//! ```
//!
//! W is the diagonal block and U_loc = U − W p the velocity that the rest of the world gives this contact
//! (Jean, Acary & Monerie 2001, §6; with the signs of springs that attract). All that does not change in a sweep is computed once.

use crate::local::{Block, Dimension, LocalKernel};
use crate::problem::{Cone, Derived, Matrix, Vector};

/// One contact in its standard variables.
#[derive(Clone, Debug)]
pub(crate) struct Standard<const D: usize>
where
    Dimension<D>: LocalKernel<D>,
{
    /// W̃, prepared.
    pub(crate) block: Block<D>,
    pub(crate) cone: Cone,
    /// a − B s − C W s, what ṽ_free adds to C U_loc.
    offset: Vector<D>,
    s: Vector<D>,
    /// What only laws with a spring need; apart, so that a sweep over others does not read it.
    soft: Option<Box<Soft<D>>>,
}

#[derive(Clone, Debug)]
struct Soft<const D: usize> {
    /// Diagonal block W.
    w: Matrix<D>,
    c: Matrix<D>,
    spring: Vector<D>,
}

impl<const D: usize> Standard<D>
where
    Dimension<D>: LocalKernel<D>,
{
    pub(crate) fn new(w: &Matrix<D>, law: &Derived<D>) -> Self {
        let soft = law.spring.iter().any(|&k| k != 0.0).then(|| {
            let sum = Matrix::<D>::identity() + w * Matrix::<D>::from_diagonal(&law.spring);
            // W S has no negative eigenvalue, so the sum is regular for valid data; NaN otherwise, which the residual reports.
            let c = sum.try_inverse().unwrap_or_else(|| Matrix::<D>::from_element(f64::NAN));
            Box::new(Soft { w: *w, c, spring: law.spring })
        });
        let cw = soft.as_ref().map_or(*w, |soft| soft.c * w);
        // (W⁻¹ + S)⁻¹ is symmetric; the product is so only up to rounding.
        let cw_symmetric = (cw + cw.transpose()) * 0.5;
        Self {
            block: Block::new(&(cw_symmetric + Matrix::<D>::from_diagonal(&law.w_shift))),
            cone: law.cone,
            offset: law.v_shift - law.w_shift.component_mul(&law.p_shift) - cw * law.p_shift,
            s: law.p_shift,
            soft,
        }
    }

    /// ṽ_free from U_loc.
    #[inline(always)]
    pub(crate) fn v_free(&self, others: &Vector<D>) -> Vector<D> {
        match &self.soft {
            None => others + self.offset,
            Some(soft) => soft.c * others + self.offset,
        }
    }

    /// p̃ from p and U_loc.
    #[inline(always)]
    pub(crate) fn impulse(&self, others: &Vector<D>, p: &Vector<D>) -> Vector<D> {
        match &self.soft {
            None => p + self.s,
            Some(soft) => p + self.s + soft.spring.component_mul(&(others + soft.w * p)),
        }
    }

    /// p from p̃ and U_loc.
    #[inline(always)]
    pub(crate) fn original(&self, others: &Vector<D>, standard: &Vector<D>) -> Vector<D> {
        let p = standard - self.s;
        match &self.soft {
            None => p,
            Some(soft) => p - soft.spring.component_mul(&(soft.c * (others + soft.w * p))),
        }
    }
}
