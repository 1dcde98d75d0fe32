//! Algebra of one second-order cone L = { x : ‖x_T‖ ≤ x_0 }, or of a half line where there is one component: products, Nesterov–Todd scaling, steps to its edge.
//!
//! ```text
//! x ∘ y = (x·y, x_0 y_T + y_0 x_T),   det x = x_0² − ‖x_T‖²
//! scaling:  V = Vᵀ,  V y = V⁻¹ x = λ,    w = (x̄ + J ȳ)/2γ,  γ² = (1 + x̄·ȳ)/2,  x̄ = x/√det x,  η² = √(det x/det y)
//!           V = η [w_0  w_Tᵀ; w_T  I + w_T w_Tᵀ/(1 + w_0)]
//! ```
//!
//! Nesterov & Todd 1998; Alizadeh & Goldfarb 2003, §4.

use crate::linalg::{Matrix, Vector};

/// What is left of a determinant that rounding has taken away, relative to the square of the size.
const LEAST: f64 = 1e-30;

/// det x, by factors so that little cancels, above zero.
fn determinant<const D: usize>(x: &Vector<D>, size: usize) -> f64 {
    let tangential = tangential(x, size);
    ((x[0] - tangential) * (x[0] + tangential)).max(LEAST * x[0] * x[0]).max(f64::MIN_POSITIVE)
}

/// ‖x_T‖.
pub(super) fn tangential<const D: usize>(x: &Vector<D>, size: usize) -> f64 {
    (1..size).map(|k| x[k] * x[k]).sum::<f64>().sqrt()
}

/// I − e ŷᵀ: what y does to y − ‖y_T‖ e. The identity where nothing slides.
pub(super) fn sliding_part<const D: usize>(y: &Vector<D>, size: usize) -> Matrix<D> {
    let mut part = Matrix::<D>::identity();
    let norm = tangential(y, size);
    if norm > 0.0 {
        (1..size).for_each(|k| part[(0, k)] = -y[k] / norm);
    }
    part
}

/// x ∘ y.
pub(super) fn product<const D: usize>(x: &Vector<D>, y: &Vector<D>) -> Vector<D> {
    let mut z = y * x[0] + x * y[0];
    z[0] = x.dot(y);
    z
}

/// z of x ∘ z = r.
pub(super) fn quotient<const D: usize>(x: &Vector<D>, r: &Vector<D>, size: usize) -> Vector<D> {
    let mut reflected = -x;
    reflected[0] = x[0];
    let first = reflected.dot(r) / determinant(x, size);
    let mut z = (r - x * first) / x[0];
    z[0] = first;
    z
}

/// The scaling of a pair of interior points.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConeScaling<const D: usize> {
    pub(super) matrix: Matrix<D>,
    pub(super) inverse: Matrix<D>,
    /// λ.
    pub(super) point: Vector<D>,
}

impl<const D: usize> ConeScaling<D> {
    pub(super) fn new(x: &Vector<D>, y: &Vector<D>, size: usize) -> Self {
        let (root_x, root_y) = (determinant(x, size).sqrt(), determinant(y, size).sqrt());
        let (unit_x, mut unit_y) = (x / root_x, y / root_y);
        let gamma = (0.5 * (1.0 + unit_x.dot(&unit_y))).max(0.5).sqrt();
        unit_y = -unit_y;
        unit_y[0] = -unit_y[0];
        let w = (unit_x + unit_y) / (2.0 * gamma);
        let eta = (root_x / root_y).sqrt();
        let matrix = half_rotation(&w) * eta;
        let mut mirrored = -w;
        mirrored[0] = w[0];
        Self { matrix, inverse: half_rotation(&mirrored) / eta, point: matrix * y }
    }
}

/// [w_0  w_Tᵀ; w_T  I + w_T w_Tᵀ/(1 + w_0)].
fn half_rotation<const D: usize>(w: &Vector<D>) -> Matrix<D> {
    Matrix::<D>::from_fn(|i, j| match (i, j) {
        (0, 0) => w[0],
        (0, k) | (k, 0) => w[k],
        _ => f64::from(u8::from(i == j)) + w[i] * w[j] / (1.0 + w[0]),
    })
}

/// Largest t for which x + t d is in the cone; infinite if any is.
pub(super) fn longest_step<const D: usize>(x: &Vector<D>, d: &Vector<D>, size: usize) -> f64 {
    let mut longest = if d[0] < 0.0 { -x[0] / d[0] } else { f64::INFINITY };
    if size > 1 {
        let inner = |a: &Vector<D>, b: &Vector<D>| 2.0 * a[0] * b[0] - a.dot(b);
        // det(x + t d) = c + 2 b t + a t².
        let (a, b, c) = (inner(d, d), inner(x, d), determinant(x, size));
        let discriminant = b * b - a * c;
        if discriminant >= 0.0 {
            let q = -(b + if b >= 0.0 { discriminant.sqrt() } else { -discriminant.sqrt() });
            for root in [q / a, c / q] {
                if root > 0.0 && root < longest {
                    longest = root;
                }
            }
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn interior(random: &mut Random) -> Vector<3> {
        let t = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        Vector::<3>::new((t[0] * t[0] + t[1] * t[1]).sqrt() + random.between(0.01, 1.0), t[0], t[1])
    }

    /// V y = V⁻¹ x, V V⁻¹ = I and the quotient undoes the product: the definitions, at random points.
    #[test]
    fn the_scaling_takes_both_points_to_one() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let (x, y) = (interior(&mut random), interior(&mut random));
            let s = ConeScaling::new(&x, &y, 3);
            // Determinants down to 2e-2 of squares of size 2: a hundred roundings.
            assert!((s.matrix * y - s.inverse * x).norm() < 1e-12 * s.point.norm());
            assert!((s.matrix * s.inverse - Matrix::<3>::identity()).norm() < 1e-11);
            let z = interior(&mut random);
            assert!((quotient(&x, &product(&x, &z), 3) - z).norm() < 1e-11);
        }
    }

    /// The step ends on the edge of the cone, and a direction into it has no end.
    #[test]
    fn the_longest_step_ends_on_the_edge() {
        let mut random = Random::new(6);
        for _ in 0..500 {
            let x = interior(&mut random);
            let d = Vector::<3>::from_fn(|_, _| random.between(-1.0, 1.0));
            let t = longest_step(&x, &d, 3);
            let gap = |t: f64| {
                let z = x + d * t;
                z[0] - tangential(&z, 3)
            };
            if t.is_infinite() {
                assert!(gap(1e3) >= 0.0);
            } else {
                assert!(gap(t).abs() < 1e-9 * (1.0 + t) && gap(0.99 * t) > 0.0 && gap(1.01 * t) < 0.0);
            }
        }
        let one = |x: f64, d: f64| longest_step(&Vector::<3>::new(x, 0.0, 0.0), &Vector::<3>::new(d, 0.0, 0.0), 1);
        assert!((one(1.0, -2.0) - 0.5).abs() < 1e-15 && one(1.0, 2.0).is_infinite());
    }

    /// The derivative of y − ‖y_T‖ e, by differences of half of the digits.
    #[test]
    fn what_slides_is_taken_along() {
        let mut random = Random::new(7);
        for size in [1, 3] {
            for _ in 0..100 {
                let y = interior(&mut random);
                let d = Vector::<3>::from_fn(|k, _| if k < size { random.between(-1.0, 1.0) } else { 0.0 });
                let map = |y: Vector<3>| {
                    let mut z = y;
                    z[0] -= tangential(&y, size);
                    z
                };
                let step = 1e-6;
                let differences = (map(y + d * step) - map(y - d * step)) / (2.0 * step);
                // The third derivative is 1/‖y_T‖², above 1e-4 of size here nearly always.
                let bound = 1e-6 / (y[1] * y[1] + y[2] * y[2]);
                assert!((sliding_part(&y, size) * d - differences).norm() < bound.max(1e-9));
            }
        }
        assert_eq!(sliding_part(&Vector::<3>::new(1.0, 0.0, 0.0), 3), Matrix::<3>::identity());
    }
}
