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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standard<const D: usize>
where
    Dimension<D>: LocalKernel<D>,
{
    /// W̃, prepared.
    pub(crate) block: Block<D>,
    pub(crate) cone: Cone,
    /// Diagonal block W.
    w: Matrix<D>,
    /// C.
    c: Matrix<D>,
    /// a − B s − C W s, what ṽ_free adds to C U_loc.
    offset: Vector<D>,
    s: Vector<D>,
    spring: Vector<D>,
    has_spring: bool,
}

impl<const D: usize> Standard<D>
where
    Dimension<D>: LocalKernel<D>,
{
    pub(crate) fn new(w: &Matrix<D>, law: &Derived<D>) -> Self {
        let has_spring = law.spring.iter().any(|&k| k != 0.0);
        let c = if has_spring {
            let sum = Matrix::<D>::identity() + w * Matrix::<D>::from_diagonal(&law.spring);
            // W S has no negative eigenvalue, so the sum is regular for valid data; NaN otherwise, which the residual reports.
            sum.try_inverse().unwrap_or_else(|| Matrix::<D>::from_element(f64::NAN))
        } else {
            Matrix::<D>::identity()
        };
        let cw = c * w;
        // (W⁻¹ + S)⁻¹ is symmetric; the product is so only up to rounding.
        let cw_symmetric = (cw + cw.transpose()) * 0.5;
        Self {
            block: Block::new(&(cw_symmetric + Matrix::<D>::from_diagonal(&law.w_shift))),
            cone: law.cone,
            w: *w,
            c,
            offset: law.v_shift - law.w_shift.component_mul(&law.p_shift) - cw * law.p_shift,
            s: law.p_shift,
            spring: law.spring,
            has_spring,
        }
    }

    /// U_loc from the velocity U that goes with the impulse p.
    #[inline]
    pub(crate) fn others(&self, velocity: &Vector<D>, p: &Vector<D>) -> Vector<D> {
        velocity - self.w * p
    }

    /// ṽ_free from U_loc.
    #[inline]
    pub(crate) fn v_free(&self, others: &Vector<D>) -> Vector<D> {
        if self.has_spring { self.c * others + self.offset } else { others + self.offset }
    }

    /// p̃ from (U, p).
    #[inline]
    pub(crate) fn impulse(&self, velocity: &Vector<D>, p: &Vector<D>) -> Vector<D> {
        p + self.s + self.spring.component_mul(velocity)
    }

    /// p from p̃ and U_loc.
    #[inline]
    pub(crate) fn original(&self, others: &Vector<D>, standard: &Vector<D>) -> Vector<D> {
        let p = standard - self.s;
        if !self.has_spring {
            return p;
        }
        let velocity = self.c * (others + self.w * p);
        p - self.spring.component_mul(&velocity)
    }
}
