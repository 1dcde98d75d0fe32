//! Moments of rolling and spinning resistance, judged by their two conditions and not by the code of the solvers.
//!
//! ```text
//! |p_N| ≤ a ,  v_N ≠ 0 ⇒ p_N = −a sign v_N          ‖p_T‖ ≤ b ,  v_T ≠ 0 ⇒ p_T = −b v_T/‖v_T‖
//! ```
//!
//! The error of a part is how far its impulse is from the nearest one within the bound to p − ρ v, as a velocity; ρ = 1/λmax as for contacts. Without mobility there is
//! no moment to judge, but that it be within its bound.

use delassus_math as math;

use super::{CertifiedContact, maximum, positive, quotient, tangential};
use crate::linalg::Vector;
use crate::problem::{Cone, ContactProblem};

/// Bounds about the normal and in the tangent plane [N·s]; none where the cone is not that of a moment.
pub(super) fn bounds<const D: usize>(cone: Cone, p: &[Vector<D>]) -> Option<[f64; 2]> {
    match cone {
        Cone::Within { across, along } => Some([across, along]),
        Cone::Turning(turning) => {
            let push = positive(p[turning.of][0]);
            Some([turning.spinning * push, turning.rolling * push])
        }
        Cone::Open | Cone::Coulomb(_) | Cone::Bilateral => None,
    }
}

/// e_α of a moment.
pub(super) fn error<const D: usize>(c: &CertifiedContact<D>, [across, along]: [f64; 2], scale: f64) -> f64 {
    if c.lambda == 0.0 {
        return maximum([positive(c.p[0].abs() - across), positive(tangential(&c.p) - along)].into_iter());
    }
    let rho = 1.0 / c.lambda;
    let wanted = c.p[0] - rho * c.v[0];
    let about_normal = if wanted.abs() > across { c.p[0] - across * wanted.signum() } else { rho * c.v[0] };
    let pull = Vector::<D>::from_fn(|k, _| if k == 0 { 0.0 } else { c.p[k] - rho * c.v[k] });
    let reach = tangential(&pull);
    let missed = if reach > along { c.p - pull * (along / reach) } else { c.v * rho };
    quotient(math::hypot(about_normal, tangential(&missed)), rho * scale)
}

/// The largest part of a moment beyond its bounds [N·s].
pub(super) fn excess<const D: usize>(problem: &ContactProblem<D>, p: &[Vector<D>]) -> f64 {
    let beyond = |(law, own): (&crate::problem::Derived<D>, &Vector<D>)| {
        let [across, along] = bounds(law.cone, p)?;
        Some(maximum([positive(own[0].abs() - across), positive(tangential(own) - along)].into_iter()))
    };
    maximum(problem.laws.iter().zip(p).filter_map(beyond))
}
