//! A moment in a Newton step: each of its parts, about the normal and in the tangent plane, is held or on its bound.
//!
//! ```text
//! held       |y| ≤ b           v = 0
//! on bound   |y| > b           x + dx = (b + c dx_N) ŷ        and across ŷ as for friction, g = b/|y|
//! ```
//!
//! b = c x_N with the scaled normal impulse x_N of the contact that bounds it and c = μ √λ/√λ_N; b alone where the bound is fixed. Where that contact opens, the moment vanishes with it.

use super::ClosedContact;
use crate::linalg::Vector;
use crate::local::{Dimension, LocalKernel};
use crate::natural_map::tangential_norm;
use crate::prepared::PreparedProblem;
use crate::problem::{Cone, ResistanceLimits};

/// A bound, and how it grows with the scaled push.
#[derive(Clone, Copy)]
struct MomentBound {
    now: f64,
    rate: f64,
}

impl MomentBound {
    /// May a part of this size be held? A part that may never act is none.
    fn holds(&self, size: f64) -> bool {
        size <= self.now && (self.now > 0.0 || self.rate > 0.0)
    }
}

impl<const D: usize> ClosedContact<D> {
    /// The moment whose equations begin as those of a contact that sticks; none if it vanishes.
    pub(super) fn of_moment(mut self, prepared: &PreparedProblem<'_, D>, root: f64) -> Option<Self>
    where
        Dimension<D>: LocalKernel<D>,
    {
        if root <= 0.0 {
            return None;
        }
        let i = self.contact;
        let (of, [normal, tangent]) = match prepared.laws[i].cone {
            Cone::Within { across, along } => (None, [across, along].map(|b| MomentBound { now: root * b, rate: 0.0 })),
            Cone::Turning(ResistanceLimits { of, spinning, rolling }) => {
                let other = prepared.contacts[of].block.largest().sqrt();
                if Self::new(prepared, other, of, 0).is_none() || other <= 0.0 {
                    return None;
                }
                let push = prepared.push(of).max(0.0);
                let bound = |mu: f64| MomentBound { now: root * mu * push, rate: mu * root / other };
                (Some(of), [spinning, rolling].map(bound))
            }
            _ => return None,
        };
        let (x, v) = (prepared.standard_impulse(i) * root, prepared.standard_velocity(i) / root);
        let y = x - v;
        let mut shares = Vector::<D>::zeros();
        if !normal.holds(y[0].abs()) {
            let sign = 1_f64.copysign(y[0]);
            self.test[(0, 0)] = 0.0;
            self.diagonal[0] = 1.0;
            self.right[0] = sign * normal.now - x[0];
            shares[0] = sign * normal.rate;
        }
        let size = tangential_norm(&y);
        if !tangent.holds(size) {
            let mut direction = if size > 0.0 { y / size } else { Vector::<D>::from_fn(|k, _| [0.0, 1.0, 0.0][k]) };
            direction[0] = 0.0;
            for k in 1..D {
                self.basis[(k, 1)] = direction[k];
                self.test[(k, 1)] = 0.0;
            }
            self.diagonal[1] = 1.0;
            self.right[1] = tangent.now - direction.dot(&x);
            shares[1] = tangent.rate;
            if D == 3 {
                let across = Vector::<D>::from_fn(|k, _| [0.0, -direction[2], direction[1]][k]);
                let ratio = if size > 0.0 { tangent.now / size } else { 0.0 };
                self.basis.set_column(2, &across);
                self.test.set_column(2, &(across * ratio));
                self.diagonal[2] = 1.0 - ratio;
                self.right[2] = ratio * across.dot(&v) - across.dot(&x);
            }
        }
        self.bounded = of.map(|of| (of, shares));
        Some(self)
    }
}
