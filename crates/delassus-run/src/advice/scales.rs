//! Length, stiffness and time of a body as a whole.
//!
//! ```text
//! E of a pull along x, y free (z free in space, as the section says in the plane):   E' = C_xx − C_xy²/C_yy   or   1/(C⁻¹)_xx
//! T = 2L/c ,   c = √(E'/ρ)          a wave along the body, there and back: the period of the slowest stretching of a free bar,
//!                                   and how long a bar stays on what it strikes
//! ```

use delassus_fem::Body;
use delassus_fem::tensor::Tangent;
use nalgebra::{SMatrix, SVector};

/// Moduli of an isotropic material in a section \[Pa\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moduli {
    /// Of a pull with nothing free: C_xx.
    pub held: f64,
    /// Of a pull with one direction free.
    pub half_free: f64,
    /// Of a pull with all directions free that the section leaves free.
    pub free: f64,
    /// Of shear.
    pub shear: f64,
}

impl Moduli {
    /// Of the material of a region of a body; none if it has no stiffness.
    pub fn of<const D: usize>(body: &Body<D>, region: usize) -> Option<Self> {
        let full: Tangent = body.regions().get(region)?.material.instantaneous().tangent;
        let c = body.section().condense(&full);
        let half_free = c[(0, 0)] - c[(0, 1)] * c[(1, 0)] / c[(1, 1)];
        let free = if D == 3 { 1.0 / full.try_inverse()?[(0, 0)] } else { half_free };
        let found = Self { held: c[(0, 0)], half_free, free, shear: 0.5 * c[(3, 3)] };
        (found.free.is_finite() && found.free > 0.0 && found.shear > 0.0).then_some(found)
    }
}

/// A wave along a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LongWave {
    /// Largest extent of the body \[m\].
    pub length: f64,
    /// Time there and back through its slowest material \[s\].
    pub period: f64,
}

impl LongWave {
    /// Of a body; none without stiffness.
    pub fn of<const D: usize>(body: &Body<D>) -> Option<Self> {
        let speed = |region: usize| {
            let density = body.regions()[region].material.density();
            Moduli::of(body, region).map(|m| (m.free / density).sqrt())
        };
        let slowest = (0..body.regions().len()).filter_map(speed).fold(f64::INFINITY, f64::min);
        let (_, length) = longest_extent(&body.mesh().points)?;
        let found = Self { length, period: 2.0 * length / slowest };
        (found.period.is_finite() && found.period > 0.0).then_some(found)
    }
}

/// The axis along which some points spread most, that of their covariance, and their extent along it \[m\]; of a square, its side.
pub(super) fn longest_extent<const D: usize>(points: &[[f64; D]]) -> Option<(SVector<f64, D>, f64)> {
    let extent = |along: &SVector<f64, D>| {
        let places = points.iter().map(|p| SVector::from(*p).dot(along));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    let mean = points.iter().fold(SVector::<f64, D>::zeros(), |sum, p| sum + SVector::from(*p)) / points.len() as f64;
    let spread = points.iter().fold(SMatrix::<f64, D, D>::zeros(), |sum, p| {
        let d = SVector::from(*p) - mean;
        sum + d * d.transpose()
    });
    let unit = |i: usize| SVector::<f64, D>::from_fn(|k, _| if k == i { 1.0 } else { 0.0 });
    let first = (0..D).map(unit).max_by(|a, b| extent(a).total_cmp(&extent(b)))?;
    // The power method: a bar that lies askew is found in a few rounds, and what has no longest axis keeps the one it began with.
    let axis = (0..POWERS).try_fold(first, |axis, _| (spread * axis).try_normalize(0.0))?;
    Some((axis, extent(&axis)))
}

/// Rounds of the power method: a ratio of lengths of 1.2 is found to 1e-3.
const POWERS: usize = 20;

pub(super) fn distance<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar askew has its length, a square its side.
    #[test]
    fn extents() {
        let grid = |a: f64, b: f64, angle: f64| -> Vec<[f64; 2]> {
            let (sin, cos) = angle.sin_cos();
            let at = |i: u32| (a * f64::from(i % 11) / 10.0, b * f64::from(i / 11) / 10.0);
            (0..121).map(at).map(|(x, y)| [cos * x - sin * y, sin * x + cos * y]).collect()
        };
        let extent = |points: &[[f64; 2]]| longest_extent(points).map(|found| found.1);
        for points in [grid(1.0, 0.1, 0.7), grid(1.0, 0.8, 0.0), grid(1.0, 1.0, 0.0)] {
            assert!(extent(&points).is_some_and(|x| (x - 1.0).abs() < 1e-9));
        }
        assert_eq!((extent(&[[1.0, 2.0]]), extent(&[])), (None, None));
    }
}
