//! The free rotation of a rigid body about its centre of mass.
//!
//! ```text
//! dπ/dt = π × Ω ,  π = I Ω = Rᵀ L            Euler's equations in principal axes; L is constant in space
//! π_m = π + ½τ π_m × I⁻¹π_m                  implicit midpoint (Newton's iteration from π)
//! R⁺ = R cay(τ I⁻¹π_m)                       cay(a): the rotation of the quaternion (1, a/2), normalised
//! ```
//!
//! R⁺ᵀ L is then π⁺ = 2π_m − π, so L is kept by construction, and the midpoint rule keeps the quadratic invariant ½ π·I⁻¹π: energy and angular momentum
//! are exact at any length of the step. Its phase error, (τω)²/12 a radian, is reduced by Suzuki's composition of five midpoints of the lengths
//! s τ, s τ, (1−4s) τ, s τ, s τ with s = 1/(4 − ∛4), which is of fourth order and keeps what the midpoint keeps. A long way is cut into pieces of at most [`PIECE`].

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Largest angle of one composition \[rad\].
const PIECE: f64 = 0.25;

/// Pieces of a drift beyond which they become longer instead of more.
const MOST_PIECES: f64 = 4096.0;

/// Iterations of Newton's method for π_m: from π it converges in three or four.
const MOST_ITERATIONS: usize = 20;

/// s = 1/(4 − ∛4).
const S: f64 = 0.414_490_771_794_375_7;

/// Where a free rotation leads in a time (s): the orientation of the principal axes, for the angular momentum `l` in space and principal moments.
pub fn turned(from: UnitQuaternion<f64>, l: &Vector3<f64>, moments: &Vector3<f64>, time: f64) -> UnitQuaternion<f64> {
    let omega = body_spin(&from, l, moments);
    let angle = omega.norm() * time.abs();
    if angle.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
        return from;
    }
    // All axes are principal: Ω is constant.
    if moments[0].to_bits() == moments[1].to_bits() && moments[1].to_bits() == moments[2].to_bits() {
        return normalised(from * UnitQuaternion::from_scaled_axis(omega * time));
    }
    let pieces = (angle / PIECE).ceil().clamp(1.0, MOST_PIECES);
    let tau = time / pieces;
    let mut q = from;
    for _ in 0..pieces as usize {
        for share in [S, S, 1.0 - 4.0 * S, S, S] {
            q = midpoint(q, l, moments, share * tau);
        }
    }
    q
}

/// Ω = I⁻¹ Rᵀ L in principal axes.
pub fn body_spin(at: &UnitQuaternion<f64>, l: &Vector3<f64>, moments: &Vector3<f64>) -> Vector3<f64> {
    at.inverse_transform_vector(l).component_div(moments)
}

fn midpoint(q: UnitQuaternion<f64>, l: &Vector3<f64>, moments: &Vector3<f64>, tau: f64) -> UnitQuaternion<f64> {
    let pi = q.inverse_transform_vector(l);
    let inverse = moments.map(|i| 1.0 / i);
    let half = 0.5 * tau;
    let mut p = pi;
    for _ in 0..MOST_ITERATIONS {
        let omega = p.component_mul(&inverse);
        let left = p - pi - p.cross(&omega) * half;
        // d(p × I⁻¹p) = −[I⁻¹p] dp + [p] I⁻¹ dp
        let slope = p.cross_matrix() * Matrix3::from_diagonal(&inverse) - omega.cross_matrix();
        let Some(step) = (Matrix3::identity() - slope * half).lu().solve(&left) else { break };
        p -= step;
        if step.amax() <= 2.0 * f64::EPSILON * p.amax() {
            break;
        }
    }
    let a = p.component_mul(&inverse) * half;
    normalised(q * UnitQuaternion::from_quaternion(Quaternion::from_parts(1.0, a)))
}

/// Of length one again: products round.
pub fn normalised(q: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(q.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten thousand turns of an asymmetric top about its unstable axis: L is L, the energy stays.
    #[test]
    fn an_asymmetric_top_keeps_its_energy() {
        let moments = Vector3::new(1.0, 2.0, 2.9);
        let l = Vector3::new(0.02, 2.0, 0.01);
        let energy = |q: &UnitQuaternion<f64>| {
            0.5 * body_spin(q, &l, &moments).component_mul(&moments).dot(&body_spin(q, &l, &moments))
        };
        let mut q = UnitQuaternion::identity();
        let (first, mut worst) = (energy(&q), 0.0_f64);
        // |ω| ≈ 1: a turn takes 2π; 20 drifts a turn.
        for _ in 0..200_000 {
            q = turned(q, &l, &moments, std::f64::consts::TAU / 20.0);
            worst = worst.max((energy(&q) / first - 1.0).abs());
        }
        assert!(worst < 1e-12, "{worst:e}");
        assert!((q.into_inner().norm() - 1.0).abs() < 4.0 * f64::EPSILON);
    }

    /// Symmetric: the axis of the body goes round L with |L|/I₁, the body turns about it with ω₃ (1 − I₃/I₁).
    #[test]
    fn a_symmetric_top_precesses() {
        let (i1, i3) = (2.0, 3.0);
        let moments = Vector3::new(i1, i1, i3);
        // Tilted by α from L = (0, 0, 5).
        let (alpha, l, time) = (0.4_f64, Vector3::new(0.0, 0.0, 5.0), 1.7);
        let start = UnitQuaternion::from_scaled_axis(Vector3::new(alpha, 0.0, 0.0));
        let precession = 5.0 / i1 * time;
        let own = 5.0 * alpha.cos() / i3 * (1.0 - i3 / i1) * time;
        let exact = UnitQuaternion::from_scaled_axis(Vector3::z() * precession)
            * start
            * UnitQuaternion::from_scaled_axis(Vector3::z() * own);
        let error = |n: usize| {
            let mut q = start;
            for _ in 0..n {
                q = turned(q, &l, &moments, time / n as f64);
            }
            q.angle_to(&exact)
        };
        let errors = [80, 160].map(error);
        // Fourth order.
        assert!(errors[0] < 1e-7 && errors[0] / errors[1] > 14.0, "{errors:?}");
    }

    /// The intermediate axis is unstable: a top turns over, and comes back.
    #[test]
    fn the_intermediate_axis_turns_over() {
        let moments = Vector3::new(1.0, 2.0, 3.0);
        let l = Vector3::new(1e-3, 2.0, 0.0);
        let mut q = UnitQuaternion::identity();
        let mut lowest = 1.0_f64;
        for _ in 0..4000 {
            q = turned(q, &l, &moments, 0.01);
            lowest = lowest.min(q.transform_vector(&Vector3::y()).y);
        }
        assert!(lowest < -0.99, "{lowest}");
    }
}
