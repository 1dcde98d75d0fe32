//! The conditions that laws state, as errors without unit: 0 where the condition holds.
//!
//! Velocities are seen against [`ContactScale::velocity`], impulses against [`ContactScale::impulse`]. NaN stays NaN.

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
    let (slide, drag) = (tangent(v), tangent(p));
    let bound = mu * p[0];
    let excess = relative(length(&drag) - bound, scale.impulse);
    let speed = length(&slide);
    // ‖v_T‖ p_T = −μ p_N v_T: either there is no sliding, or the impulse opposes it with the full bound. The two defects are
    // multiplied, as in the natural map: in space the direction of a slow slip is the less certain the slower it is, and the lesser
    // of the two would be as large as the root of the natural map's error.
    let sliding = if speed > 0.0 {
        let opposed = drag + slide * (bound.max(0.0) / speed);
        relative(speed, scale.velocity).min(1.0) * relative(length(&opposed), scale.impulse)
    } else {
        speed
    };
    worst([excess, sliding])
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
