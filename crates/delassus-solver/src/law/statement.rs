//! The conditions that laws state, as errors without unit: 0 where the condition holds.
//!
//! Velocities are seen against [`ContactScale::velocity`], impulses against [`ContactScale::impulse`]; those of friction against
//! [`ContactScale::sliding`] and [`ContactScale::drag`]. NaN stays NaN.

use crate::linalg::{Vector, larger, length, relative};
use crate::solution::ContactScale;

/// 0 ≤ v ⟂ p ≥ 0.
pub fn complementary(v: f64, p: f64, scale: &ContactScale) -> f64 {
    let (v, p) = (relative(v, scale.velocity), relative(p, scale.impulse));
    // min(v, p) vanishes exactly where both are ≥ 0 and one is zero.
    if v.is_nan() || p.is_nan() { f64::NAN } else { v.min(p).abs() }
}

/// ‖p_T‖ ≤ μ p_N, and v_T ≠ 0 only where p_T = −μ p_N v_T/‖v_T‖.
pub fn coulomb<const D: usize>(mu: f64, v: &Vector<D>, p: &Vector<D>, scale: &ContactScale) -> f64 {
    dissipating(mu * p[0], &tangent(v), &tangent(p), scale)
}

/// ‖p‖ ≤ bound, and v ≠ 0 only where p = −bound v/‖v‖: no other impulse within the bound takes more power out.
pub fn dissipating<const D: usize>(bound: f64, slide: &Vector<D>, drag: &Vector<D>, scale: &ContactScale) -> f64 {
    let excess = relative(length(drag) - bound, scale.drag);
    let speed = length(slide);
    // ‖v_T‖ p_T = −μ p_N v_T: either there is no sliding, or the impulse opposes it with the full bound. The two defects are
    // multiplied, as in the natural map: in space the direction of a slow slip is the less certain the slower it is, and the lesser
    // of the two would be as large as the root of the natural map's error.
    let sliding = if speed > 0.0 {
        let opposed = drag + slide * (bound.max(0.0) / speed);
        relative(speed, scale.sliding).min(1.0) * relative(length(&opposed), scale.drag)
    } else {
        speed
    };
    worst([excess, sliding])
}

/// Coulomb's law with an elliptic cone: (p_1/μ_1)² + (p_2/μ_2)² ≤ p_N², and where U_T ≠ 0 the drag is the one of the ellipse that loses most,
/// U_i = −κ p_i/μ_i² with κ > 0 (Jean & Moreau 1992, (4.1): −U is the tangential part of a normal of the cone). `axis` is the unit vector of direction 1 in the
/// tangents; only in space.
pub fn elliptic<const D: usize>(
    mu: [f64; 2],
    axis: [f64; 2],
    u: &Vector<D>,
    p: &Vector<D>,
    scale: &ContactScale,
) -> f64 {
    // μ_i U_i and p_i/μ_i are parallel where U_i = −κ p_i/μ_i²: Coulomb's law on a circle.
    let most = mu[0].max(mu[1]);
    let own = |x: &Vector<D>| [x[1] * axis[0] + x[2] * axis[1], x[2] * axis[0] - x[1] * axis[1]];
    let (slide, drag) = (own(u), own(p));
    let mut weighed = [Vector::<D>::zeros(), Vector::<D>::zeros()];
    for k in 0..2 {
        weighed[0][k + 1] = slide[k] * (mu[k] / most);
        weighed[1][k + 1] = drag[k] * (most / mu[k]);
    }
    weighed[1][0] = p[0];
    coulomb(most, &weighed[0], &weighed[1], scale)
}

/// Signorini's condition on a velocity of opening and Coulomb's law on U_T.
pub fn contact<const D: usize>(opening: f64, mu: f64, u: &Vector<D>, p: &Vector<D>, scale: &ContactScale) -> f64 {
    worst([complementary(opening, p[0], scale), coulomb(mu, u, p, scale)])
}

/// p = 0.
pub fn nothing<const D: usize>(p: &Vector<D>, scale: &ContactScale) -> f64 {
    relative(length(p), scale.impulse)
}

/// The tangential part, the normal component set to zero.
pub fn tangent<const D: usize>(x: &Vector<D>) -> Vector<D> {
    let mut t = *x;
    t[0] = 0.0;
    t
}

/// The largest error, none below zero.
pub fn worst<const N: usize>(errors: [f64; N]) -> f64 {
    errors.into_iter().fold(0.0, larger)
}
