//! Local frames, and the maps H and Hᵀ between the local contact variables and the dofs of the bodies.
//!
//! ```text
//! Hᵀ v = frameᵀ (V_candidate − V_antagonist)          relative velocity, components N, T…
//! H p  : + frame p on the candidate, − frame p on the antagonist, spread by the weights of the sides
//! ```
//!
//! H is never a matrix: [`local_velocity`] applies Hᵀ and [`scatter`] applies H, exact transposes of each other (an
//! obstacle's prescribed velocity is the affine part of the first). References: Jean 1995, §2 (U = H* q̇, r = H R); Jean,
//! Acary & Monerie 2001, whose signs are used.

use crate::{Contact, ContactError, Matrix, Vector};

/// Sine of the angle from the poles of the tangent field below which it is not followed: rounding would turn it.
const POLE: f64 = 1e-9;

/// Relative velocity of a contact in its frame (m/s), obstacle's velocity included: component 0 is dg/dt.
///
/// `velocities[body][D * site + i]` holds the velocities of the sites of every body.
///
/// # Panics
/// If a body or node of the contact is not in `velocities`.
#[must_use]
pub fn local_velocity<const D: usize>(contact: &Contact<D>, velocities: &[&[f64]]) -> Vector<D> {
    let [candidate, antagonist] = &contact.sides;
    let mut relative = candidate.point_velocity(velocities) - antagonist.point_velocity(velocities);
    for (weight, side) in &contact.further {
        relative += side.point_velocity(velocities) * *weight;
    }
    contact.frame.transpose() * relative
}

/// Adds H p to the vectors of the bodies: the local impulse (N·s) acts on the candidate, its opposite on the antagonist.
///
/// # Panics
/// If a body or node of the contact is not in `out`.
pub fn scatter<const D: usize>(contact: &Contact<D>, impulse: &Vector<D>, out: &mut [Vec<f64>]) {
    let world = contact.frame * impulse;
    contact.sides[0].add_impulse(&world, out);
    contact.sides[1].add_impulse(&-world, out);
    for (weight, side) in &contact.further {
        side.add_impulse(&(world * *weight), out);
    }
}

/// Orthonormal right-handed frame whose first column is the direction of `normal` (any length but zero).
///
/// In 2D the tangent is t = (−n_y, n_x), n turned by +90°: on a segment whose outward normal is on its right this is the
/// direction of the segment. In 3D
///
/// ```text
/// t₁ ∥ S n − (n·S n) n,   S (x, y, z) = (z, x, y),      t₂ = n × t₁
/// ```
///
/// S turns by 120° about (1, 1, 1), so t₁ is defined and smooth but at the two normals ±(1, 1, 1)/√3 (some such place there
/// must be: no tangent field on the sphere is without zeros). A normal that turns slowly turns its tangents slowly: at an angle α
/// from these two, by no more than 1 + 2/sin α times its own turn. The frames of the six axes are axes, exactly.
///
/// # Errors
/// [`ContactError::ZeroNormal`] if the normal is zero or not finite.
pub fn frame_from_normal<const D: usize>(normal: &Vector<D>) -> Result<Matrix<D>, ContactError> {
    let (n, _) = unit(normal).ok_or_else(|| ContactError::ZeroNormal { normal: normal.iter().copied().collect() })?;
    Ok(frame_from_unit(&n))
}

/// As [`frame_from_normal`], for a normal known to be a unit vector.
pub(crate) fn frame_from_unit<const D: usize>(n: &Vector<D>) -> Matrix<D> {
    if D == 2 {
        let mut frame = Matrix::<D>::zeros();
        frame.set_column(0, n);
        frame[(0, 1)] = -n[1];
        frame[(1, 1)] = n[0];
        return frame;
    }
    let shifted = Vector::<D>::from_fn(|i, _| n[(i + D - 1) % D]);
    let mut frame = Matrix::<D>::zeros();
    frame.set_column(0, n);
    if D == 3 {
        let across = |v: &Vector<D>| v - n * n.dot(v);
        // Twice: near the poles the first difference has few digits. At a pole any axis will do.
        let first_axis = Vector::<D>::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 });
        let t =
            Some(across(&shifted)).filter(|t| t.norm_squared() > POLE * POLE).unwrap_or_else(|| across(&first_axis));
        let t = across(&(t / t.norm()));
        let t = t / t.norm();
        for i in 0..D {
            let (j, k) = ((i + 1) % D, (i + 2) % D);
            frame[(i, 1)] = t[i];
            frame[(i, 2)] = n[j] * t[k] - n[k] * t[j];
        }
    }
    frame
}

/// Direction and length of a vector, without overflow or underflow; `None` if it is zero or not finite.
pub(crate) fn unit<const D: usize>(v: &Vector<D>) -> Option<(Vector<D>, f64)> {
    let scale = v.amax();
    if v.iter().any(|c| !c.is_finite()) || scale <= 0.0 {
        return None;
    }
    let scaled = v.map(|c| c / scale);
    let norm = scaled.norm();
    Some((scaled / norm, norm * scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactKey, Side};
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn contact<const D: usize>(n: Vector<D>, lambda: f64, obstacle: Option<Vector<D>>) -> Contact<D> {
        let antagonist = match obstacle {
            Some(velocity) => Side::on_obstacle(velocity),
            None => Side::on_nodes(1, (0..D).map(|k| (k, if k == 0 { 1.0 - lambda } else { lambda / (D - 1) as f64 }))),
        };
        Contact {
            key: ContactKey::nearest(0, 0, 0),
            sides: [Side::on_nodes(0, [(1, 1.0)]), antagonist],
            further: Vec::new(),
            gap: 0.0,
            frame: frame_from_normal(&n).unwrap(),
            area: 1.0,
            point: Vector::zeros(),
        }
    }

    fn check_frame<const D: usize>(n: Vector<D>, determinant: impl Fn(&Matrix<D>) -> f64) {
        let f = frame_from_normal(&n).unwrap();
        assert!((f.transpose() * f - Matrix::<D>::identity()).amax() < 1e-15 * 8.0, "{f}");
        assert!((determinant(&f) - 1.0).abs() < 1e-14, "right-handed: {f}");
        assert!((f.column(0).into_owned() * n.norm() - n).norm() < 1e-14 * n.norm(), "first column along n: {f}");
    }

    /// p·(Hᵀ v − Hᵀ 0) = (H p)·v, and no net impulse between two bodies.
    fn check_adjoint<const D: usize>(c: &Contact<D>, v: &[Vec<f64>], p: &Vector<D>) {
        let zero: Vec<Vec<f64>> = v.iter().map(|b| vec![0.0; b.len()]).collect();
        let views = |x: &[Vec<f64>]| local_velocity(c, &x.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut f = zero.clone();
        scatter(c, p, &mut f);
        let left = p.dot(&(views(v) - views(&zero)));
        let right: f64 = f.iter().flatten().zip(v.iter().flatten()).map(|(a, b)| a * b).sum();
        let scale = p.norm() * v.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
        assert!((left - right).abs() <= 1e-13 * scale, "{left} and {right}");
        if c.sides[1].body.is_some() {
            for i in 0..D {
                let total: f64 = f.iter().flat_map(|b| b.iter().skip(i).step_by(D)).sum();
                assert!(total.abs() <= 1e-14 * p.norm(), "net impulse {total}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, rng_seed: RngSeed::Fixed(31), ..ProptestConfig::default() })]

        #[test]
        fn frames_are_right_handed_2d(x in -1.0..1.0, y in -1.0..1.0, e in -12i32..12) {
            let n = Vector::<2>::new(x, y) * 10f64.powi(e);
            prop_assume!(n.norm() > 0.0);
            check_frame(n, |f| f.determinant());
        }

        #[test]
        fn frames_are_right_handed_3d(x in -1.0..1.0, y in -1.0..1.0, z in -1.0..1.0, e in -12i32..12) {
            let n = Vector::<3>::new(x, y, z) * 10f64.powi(e);
            prop_assume!(n.norm() > 0.0);
            check_frame(n, |f| f.determinant());
        }

        #[test]
        fn maps_are_transposes_2d(a in -3.0..3.0, l in 0.0..1.0, v in prop::collection::vec(-9.0..9.0, 8), p0 in -5.0..5.0, p1 in -5.0..5.0, fixed: bool) {
            let obstacle = fixed.then(|| Vector::<2>::new(v[0], v[3]));
            let c = contact(Vector::<2>::new(f64::cos(a), f64::sin(a)), l, obstacle);
            check_adjoint(&c, &[v[..4].to_vec(), v[4..].to_vec()], &Vector::<2>::new(p0, p1));
        }

        #[test]
        fn maps_are_transposes_3d(n in prop::array::uniform3(0.1..1.0), l in 0.0..1.0, v in prop::collection::vec(-9.0..9.0, 15), p in prop::array::uniform3(-5.0..5.0), fixed: bool) {
            let obstacle = fixed.then(|| Vector::<3>::new(v[0], v[3], v[7]));
            let c = contact(Vector::<3>::from(n), l, obstacle);
            check_adjoint(&c, &[v[..6].to_vec(), v[6..].to_vec()], &Vector::<3>::from(p));
        }
    }

    #[test]
    fn the_axes_give_exact_frames() {
        for (n, t) in
            [([1.0, 0.0], [0.0, 1.0]), ([0.0, 1.0], [-1.0, 0.0]), ([-1.0, 0.0], [0.0, -1.0]), ([0.0, -1.0], [1.0, 0.0])]
        {
            let f = frame_from_normal(&Vector::<2>::from(n)).unwrap();
            assert_eq!(f, Matrix::<2>::from_columns(&[n.into(), t.into()]));
        }
        for k in 0..3 {
            for s in [1.0, -1.0] {
                let mut n = Vector::<3>::zeros();
                n[k] = s;
                check_frame(n, |f| f.determinant());
                let f = frame_from_normal(&n).unwrap();
                assert!(f.iter().all(|c| [0.0, 1.0].contains(&c.abs())), "axes, exactly: {f}");
            }
        }
    }

    #[test]
    fn frames_turn_slowly_with_the_normal() {
        let mut random = crate::testing::Random::new(32);
        let pole = Vector::<3>::repeat(1.0 / 3f64.sqrt());
        let mut worst: f64 = 0.0;
        for _ in 0..20_000 {
            let mut direction = || Vector::<3>::from_fn(|_, _| random.within(-1.0, 1.0));
            let (n, turn) = (direction().normalize(), direction() * 1e-6);
            // Through the planes where components change their sign, too.
            let n = if random.below(2) == 0 { n } else { Vector::<3>::new(0.0, n.y, n.z).normalize() };
            let other = (n + turn).normalize();
            let [f, g] = [n, other].map(|n| frame_from_normal(&n).unwrap());
            let bound = 1.0 + 2.0 / n.cross(&pole).norm().max(1e-3);
            let turned = (f - g).norm() / (other - n).norm();
            worst = worst.max(turned / bound);
        }
        // The Frobenius norm of three columns, each turned by at most the bound: √3 of it.
        assert!(worst < 3f64.sqrt(), "{worst}");
        assert!(worst > 0.2, "the bound is worth its name: {worst}");
    }

    #[test]
    fn at_the_poles_of_the_tangent_field_there_is_a_frame() {
        for s in [1.0, -1.0] {
            for off in [0.0, 1e-16, 1e-12, 1e-9, 1e-8, 1e-4] {
                check_frame(Vector::<3>::new(s, s, s + off), |f| f.determinant());
            }
        }
    }

    #[test]
    fn the_normal_velocity_is_the_rate_of_the_gap() {
        // A floor that rises at 2 m/s under a node falling at 3 m/s: the gap closes at 5 m/s.
        let c = contact(Vector::<2>::new(0.0, 1.0), 0.0, Some(Vector::<2>::new(0.5, 2.0)));
        let u = local_velocity(&c, &[&[0.0, 0.0, 0.25, -3.0]]);
        assert!((u - Vector::<2>::new(-5.0, 0.25)).norm() < 1e-15);
    }

    #[test]
    fn a_zero_or_broken_normal_is_an_error() {
        for n in [[0.0, 0.0], [f64::NAN, 1.0], [f64::INFINITY, 0.0]] {
            let error = frame_from_normal(&Vector::<2>::from(n)).unwrap_err();
            assert!(matches!(error, ContactError::ZeroNormal { .. }), "{error}");
        }
        assert!(frame_from_normal(&Vector::<2>::new(1e-200, 1e-200)).is_ok(), "tiny normals do not underflow");
    }
}
