//! The error by which solutions of different codes are compared. It is computed from the problem and r, and shares no code with
//! any solver.
//!
//! ```text
//! ‖r − P_K(r − (u + μ‖u_T‖ n))‖ / ‖q‖,   u = W r + q,   K the Coulomb cones
//! ```
//!
//! A moment adds ‖m − P(m − u_m)‖ with P onto the moments that the push of its contact allows.

use delassus_solver::{Cone, ContactProblem, Vector};

/// The error of r \[N·s\]; NaN if the data are not finite, and infinite where a cone is neither Coulomb's nor that of a moment.
#[must_use]
pub fn natural_map_error<const D: usize>(problem: &ContactProblem<D>, r: &[Vector<D>]) -> f64 {
    let mut u = vec![Vector::<D>::zeros(); r.len()];
    problem.operator.apply_into(r, &mut u);
    let (mut error, mut size) = (0.0, 0.0);
    for (i, law) in problem.laws.iter().enumerate() {
        let mut y = u[i] + problem.v_free[i];
        size += problem.v_free[i].norm_squared();
        let mu = match law.cone {
            Cone::Coulomb(mu) => mu,
            Cone::Turning(turning) => {
                let push = r[turning.of][0].max(0.0);
                error += (r[i] - allowed(r[i] - y, turning.spinning * push, turning.rolling * push)).norm_squared();
                continue;
            }
            _ => return f64::INFINITY,
        };
        let slip = (1..D).map(|k| y[k] * y[k]).sum::<f64>().sqrt();
        y[0] += mu * slip;
        error += (r[i] - on_cone(r[i] - y, mu)).norm_squared();
    }
    if size > 0.0 { (error / size).sqrt() } else { error.sqrt() }
}

/// The nearest point of {|x_N| ≤ a, ‖x_T‖ ≤ b}.
fn allowed<const D: usize>(x: Vector<D>, a: f64, b: f64) -> Vector<D> {
    let tangent = (1..D).map(|k| x[k] * x[k]).sum::<f64>().sqrt();
    let part = if tangent > b { b / tangent } else { 1.0 };
    Vector::<D>::from_fn(|k, _| if k == 0 { x[0].clamp(-a, a) } else { part * x[k] })
}

/// The nearest point of {‖x_T‖ ≤ μ x_N}.
fn on_cone<const D: usize>(x: Vector<D>, mu: f64) -> Vector<D> {
    let tangent = (1..D).map(|k| x[k] * x[k]).sum::<f64>().sqrt();
    if tangent <= mu * x[0] {
        return x;
    }
    if mu * tangent <= -x[0] {
        return Vector::<D>::zeros();
    }
    let normal = (x[0] + mu * tangent) / (1.0 + mu * mu);
    Vector::<D>::from_fn(|k, _| if k == 0 { normal } else { mu * normal * x[k] / tangent })
}

#[cfg(test)]
mod tests {
    use delassus_solver::{BlockMatrix, Derived, Matrix};

    use super::*;

    /// One unit mass on a plane, at rest under a push, sliding, or lifting off: the error of the exact r is rounding, of others it is not.
    #[test]
    fn exact_solutions_have_no_error() {
        let problem = |q: [f64; 3]| ContactProblem {
            operator: BlockMatrix::dense(1, |_, _| Matrix::<3>::identity()),
            v_free: vec![Vector::<3>::from(q)],
            laws: vec![Derived::standard(Cone::Coulomb(0.5))],
        };
        for (q, r) in [
            ([-1.0, 0.3, 0.0], [1.0, -0.3, 0.0]),
            ([-1.0, 3.0, 4.0], [1.0, -0.3, -0.4]),
            ([1.0, 3.0, 4.0], [0.0, 0.0, 0.0]),
        ] {
            let error = |r: [f64; 3]| natural_map_error(&problem(q), &[Vector::<3>::from(r)]);
            assert!(error(r) < 1e-15, "{q:?}: {}", error(r));
            assert!(error([r[0] + 0.1, r[1], r[2]]) > 1e-3);
            assert!(error([r[0], r[1], r[2] + 0.1]) > 1e-3);
        }
        let mut bonded = problem([0.0; 3]);
        bonded.laws[0].cone = Cone::Bilateral;
        assert!(natural_map_error(&bonded, &[Vector::<3>::zeros()]).is_infinite());
    }

    /// The projection is the nearest point: no random point of the cone is nearer.
    #[test]
    fn the_projection_is_nearest() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for _ in 0..2000 {
            let mu = random().abs();
            let x = Vector::<3>::from_fn(|_, _| random());
            let nearest = on_cone(x, mu);
            let tangent = nearest[1].hypot(nearest[2]);
            assert!(tangent <= mu * nearest[0] + 1e-15);
            let height = random().abs();
            let (a, b) = (random(), random());
            let size = a.hypot(b).max(1.0);
            let other = Vector::<3>::new(height, mu * height * a / size, mu * height * b / size);
            assert!((x - nearest).norm() <= (x - other).norm() + 1e-15);
        }
    }
}
