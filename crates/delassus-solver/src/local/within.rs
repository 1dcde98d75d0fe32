//! Fixed bounds: a moment of rolling and spinning resistance while the push of its contact is known.
//!
//! ```text
//! min ½ xᵀ W x + qᵀ x    over   |x_N| ≤ a ,  ‖x_T‖ ≤ b           v = q + W x
//! ```
//!
//! The optimum is the law of largest dissipation: v_T ≠ 0 ⇒ x_T = −b v_T/‖v_T‖, and likewise for x_N. With φ(x_N) the least value over x_T, which is convex, the
//! x_N of the bounded problem is that of the problem without the bound a, drawn to the nearest of −a and a. So at most two problems on the disk are left, each a
//! secular equation (Moré & Sorensen 1983):
//!
//! ```text
//! y = −(A + σ)⁻¹ c ,   ‖y‖ = b ,  σ > 0       or σ = 0 where ‖A⁻¹ c‖ ≤ b
//! ```

use delassus_math as math;

use super::{LocalSolution, Status};
use crate::linalg::{Matrix, Vector};

/// Newton steps of the secular equation, which is nearly linear in 1/‖y‖: four are usual.
const MAX_STEPS: usize = 100;

/// Solution for a positive definite block.
pub(super) fn solve<const D: usize>(w: &Matrix<D>, q: &Vector<D>, across: f64, along: f64) -> LocalSolution<D> {
    // Bounds that are no numbers, or both zero: there is no moment.
    let is_bounding = across > 0.0 || along > 0.0;
    if !is_bounding {
        let x = if across.is_nan() || along.is_nan() { f64::NAN } else { 0.0 };
        return LocalSolution::unique(Vector::<D>::from_element(x), Status::Open);
    }
    let mut free = *w;
    let mut load = *q;
    // x_N eliminated: x_N = −(q_N + W_NT x_T)/W_NN.
    for i in 1..D {
        let ratio = w[(i, 0)] / w[(0, 0)];
        for j in 1..D {
            free[(i, j)] -= ratio * w[(0, j)];
        }
        load[i] -= ratio * q[0];
    }
    let (mut x, mut slips) = on_disk(&free, &load, along);
    let normal = -(q[0] + (1..D).map(|j| w[(0, j)] * x[j]).sum::<f64>()) / w[(0, 0)];
    if normal.abs() > across {
        let edge = across.copysign(normal);
        for i in 1..D {
            load[i] = q[i] + w[(i, 0)] * edge;
        }
        (x, _) = on_disk(w, &load, along);
        x[0] = edge;
        slips = true;
    } else {
        x[0] = normal;
    }
    LocalSolution::unique(x, if slips { Status::Slip } else { Status::Stick })
}

/// x_T of the disk, with the tangential parts of `a` and `c`; whether it is on the edge.
fn on_disk<const D: usize>(a: &Matrix<D>, c: &Vector<D>, bound: f64) -> (Vector<D>, bool) {
    let mut x = Vector::<D>::zeros();
    if D == 2 {
        let free = -c[1] / a[(1, 1)];
        x[1] = if free.abs() > bound { bound.copysign(free) } else { free };
        return (x, free.abs() > bound);
    }
    // Axes of the symmetric 2 × 2 part.
    let (m, off) = (0.5 * (a[(1, 1)] - a[(2, 2)]), 0.5 * (a[(1, 2)] + a[(2, 1)]));
    let (mean, radius) = (0.5 * (a[(1, 1)] + a[(2, 2)]), math::hypot(m, off));
    let angle = 0.5 * math::atan2(off, m);
    let (sin, cos) = math::sin_cos(angle);
    // The product of the eigenvalues is the determinant: the lower one loses no digits.
    let high = mean + radius;
    let low = if high > 0.0 { (a[(1, 1)] * a[(2, 2)] - off * off) / high } else { high };
    let d = [cos * c[1] + sin * c[2], cos * c[2] - sin * c[1]];
    let at = |sigma: f64| [-d[0] / (high + sigma), -d[1] / (low + sigma)];
    let mut y = at(0.0);
    // NaN counts as outside, and stays.
    let size = math::hypot(y[0], y[1]);
    let outside = size > bound || size.is_nan();
    if outside {
        // A bound of zero leaves no direction to look for.
        if bound <= 0.0 {
            return (x, true);
        }
        // ‖y‖ ≥ ‖d‖/(high + σ): the root is not below this, and Newton from there goes up to it.
        let mut sigma = (math::hypot(d[0], d[1]) / bound - high).max(0.0);
        for _ in 0..MAX_STEPS {
            y = at(sigma);
            let size = math::hypot(y[0], y[1]);
            let slope = y[0] * y[0] / (high + sigma) + y[1] * y[1] / (low + sigma);
            let step = size * size * (size - bound) / (bound * slope);
            if step <= f64::EPSILON * (high + sigma) || step.is_nan() {
                break;
            }
            sigma += step;
        }
        let size = math::hypot(y[0], y[1]);
        y = y.map(|x| x * (bound / size));
    }
    (x[1], x[2]) = (cos * y[0] - sin * y[1], sin * y[0] + cos * y[1]);
    (x, outside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::LocalBlock;
    use crate::natural_map::natural_map;
    use crate::problem::Cone;
    use crate::testing::Random;

    fn block<const D: usize>(random: &mut Random) -> Matrix<D> {
        let root = Matrix::<D>::from_fn(|_, _| random.between(-1.0, 1.0));
        root * root.transpose() * random.decades(-4.0, 4.0)
    }

    fn check<const D: usize>(seed: u64)
    where
        super::super::Dimension<D>: super::super::LocalKernel<D>,
    {
        let mut random = Random::new(seed);
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let w = block::<D>(&mut random);
            let q = Vector::<D>::from_fn(|_, _| random.between(-1.0, 1.0)) * random.decades(-3.0, 3.0);
            let bounds = [0, 1].map(|_| match random.below(5) {
                0 => 0.0,
                _ => random.decades(-3.0, 3.0) * q.norm() / w.trace(),
            });
            let cone = Cone::Within { across: bounds[0], along: bounds[1] };
            let ready = LocalBlock::new(&w);
            let found = ready.solve(&q, cone, &Vector::<D>::zeros());
            let (x, v) = (found.impulse, q + w * found.impulse);
            let scale = q.norm().max(ready.largest() * x.norm());
            // The projection of the natural map is other code; a block of condition 1e6 loses as many digits.
            assert!(natural_map(cone, ready.largest(), &v, &x) < 1e-9 * scale, "{w} {q} {cone:?} {x}");
            // Largest dissipation: no other moment within the bounds takes more power out.
            for _ in 0..5 {
                let mut other = Vector::<D>::from_fn(|_, _| random.between(-1.0, 1.0));
                let size = (1..D).map(|k| other[k] * other[k]).sum::<f64>().sqrt().max(1.0);
                other *= bounds[1] / size;
                other[0] = bounds[0] * random.between(-1.0, 1.0);
                assert!(x.dot(&v) <= other.dot(&v) + 1e-9 * scale * (bounds[0] + bounds[1]));
            }
            seen[found.status.code() as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 30), "every status occurs: {seen:?}");
    }

    #[test]
    fn the_law_of_largest_dissipation_holds_in_the_plane_and_in_space() {
        check::<2>(31);
        check::<3>(32);
    }

    /// One rotation of unit inertia: stopped within the bound, slowed by it beyond.
    #[test]
    fn a_wheel_is_stopped_or_slowed() {
        let w = Matrix::<2>::new(0.0, 0.0, 0.0, 2.0);
        let cone = Cone::Within { across: 0.0, along: 0.25 };
        let at = |omega: f64| LocalBlock::new(&w).solve(&Vector::<2>::new(0.0, omega), cone, &Vector::<2>::zeros());
        assert!((at(0.4).impulse[1] + 0.2).abs() < 1e-11 && at(0.4).status == Status::Stick);
        assert!((at(-3.0).impulse[1] - 0.25).abs() < 1e-15 && at(-3.0).status == Status::Slip);
    }
}
