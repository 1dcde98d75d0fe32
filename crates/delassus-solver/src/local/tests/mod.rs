//! The plane kernel against brute force over the statuses, written without it: each status is a 2×2 linear system solved by LU, and a
//! candidate counts if the inequalities of its status hold.

mod three;

use super::*;
use crate::testing::Random;

/// Error of (v, p) against the law, relative to the contact's scale: largest of the plain defects of Signorini and Coulomb. A measure of
/// its own, not the natural map.
fn defect(w: &Matrix<2>, q: &Vector<2>, mu: f64, p: &Vector<2>) -> f64 {
    let lambda = w.symmetric_eigenvalues().max();
    let v = q + w * p;
    let scale = q.norm().max(lambda * p.norm());
    if scale == 0.0 {
        return 0.0;
    }
    let (vn, vt, pn, pt) = (v[0] / scale, v[1] / scale, lambda * p[0] / scale, lambda * p[1] / scale);
    let signorini = vn.min(pn).abs();
    let outside = (pt.abs() - mu * pn).max(0.0);
    let sliding = vt.abs().min((pt + mu * pn * vt.signum()).abs());
    signorini.max(outside).max(sliding)
}

/// Impulses of all statuses whose defect is below `tolerance`.
fn brute_force(w: &Matrix<2>, q: &Vector<2>, mu: f64, tolerance: f64) -> Vec<(Vector<2>, Status)> {
    let normal = w.row(0).into_owned();
    let mut candidates = vec![(Vector::<2>::zeros(), Status::Open)];
    candidates.extend(w.lu().solve(&-q).map(|p| (p, Status::Stick)));
    for sign in [1.0, -1.0] {
        // v_N = 0 and p_T + sign μ p_N = 0.
        let system = Matrix::<2>::new(normal[0], normal[1], sign * mu, 1.0);
        candidates.extend(system.lu().solve(&Vector::<2>::new(-q[0], 0.0)).map(|p| (p, Status::Slip)));
    }
    candidates.retain(|(p, _)| p.iter().all(|x| x.is_finite()) && defect(w, q, mu, p) <= tolerance);
    candidates
}

/// A block of size 1e-6…1e6 and condition 1…1e8, axes at any angle.
fn random_block(random: &mut Random) -> Matrix<2> {
    let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
    let axes = Matrix::<2>::new(cos, -sin, sin, cos);
    let condition = if random.below(2) == 0 { random.decades(0.0, 8.0) } else { random.decades(0.0, 1.0) };
    let w = axes * Matrix::<2>::new(1.0, 0.0, 0.0, 1.0 / condition) * axes.transpose();
    (w + w.transpose()) * (0.5 * random.decades(-6.0, 6.0))
}

/// A free velocity anywhere, or exactly on a boundary between statuses, or one whose solution is chosen.
fn random_free(random: &mut Random, w: &Matrix<2>, mu: f64) -> Vector<2> {
    let speed = random.decades(-3.0, 3.0);
    let q = random.vector() * speed;
    let n = random.between(0.0, 1.0) * speed / w.trace();
    match random.below(9) {
        0 => Vector::<2>::zeros(),
        1 => Vector::<2>::new(0.0, q[1]),
        2 => Vector::<2>::new(q[0], 0.0),
        3 => Vector::<2>::new(-q[0].abs(), q[1]),
        // On the edge of sticking.
        4 => -w * Vector::<2>::new(n, mu * n),
        5 => -w * Vector::<2>::new(n, -mu * n),
        // Sticking inside.
        6 => -w * Vector::<2>::new(n, mu * n * random.between(-1.0, 1.0)),
        // Sliding with v_T = q_T.
        7 => Vector::<2>::new(0.0, q[1]) - w * Vector::<2>::new(n, -q[1].signum() * mu * n),
        _ => q,
    }
}

#[test]
fn agrees_with_brute_force() {
    let mut random = Random::new(1);
    let (mut counts, mut steep, mut several, mut worst) = ([0_usize; 3], 0_usize, 0_usize, 0.0_f64);
    for case in 0..60_000 {
        let mu = if random.below(8) == 0 { 0.0 } else { random.between(0.0, 1.5) };
        let w = random_block(&mut random);
        let q = random_free(&mut random, &w, mu);
        let last = random.vector();
        let block = LocalBlock::new(&w);
        assert!(!block.is_singular());
        let found = block.solve(&q, Cone::Coulomb(mu), &last);
        counts[usize::from(found.status.code())] += 1;
        // 1e-12 is some thousand roundings: elimination leaves ‖W‖‖p‖ε, which the scale contains whatever the condition; the slip
        // denominators lose at most the ratio of the chosen numbers.
        let e = defect(&w, &q, mu, &found.impulse);
        worst = worst.max(e);
        assert!(e <= 1e-12, "case {case}: defect {e}, mu {mu}, w {w}, q {q}, {found:?}");
        let all = brute_force(&w, &q, mu, 1e-11);
        assert!(!all.is_empty(), "case {case}: brute force finds none");
        // Same impulse as one of them, up to the condition of the block (1e8 × 1e-16, with room).
        let lambda = w.symmetric_eigenvalues();
        let near =
            |p: &Vector<2>| (p - found.impulse).norm() * lambda.min() <= 1e-10 * q.norm().max(lambda.max() * p.norm());
        assert!(all.iter().any(|(p, _)| near(p)), "case {case}: {all:?} against {found:?}");
        if mu * w[(0, 1)].abs() < w[(0, 0)] {
            assert!(!found.several);
        } else {
            steep += 1;
            several += usize::from(found.several);
        }
    }
    assert!(counts.iter().all(|&n| n > 5000), "{counts:?}");
    assert!(steep > 2000 && several > 100, "{steep} {several}");
    assert!(worst > 0.0);
}

#[test]
fn several_solutions_are_flagged_and_the_first_is_taken() {
    // W_NN = 1, W_NT = 1.9, μ = 1 > W_NN/W_NT: at v_free,N > 0 the contact may open, or wedge and slip.
    let w = Matrix::<2>::new(1.0, 1.9, 1.9, 4.0);
    let q = Vector::<2>::new(0.5, 2.0);
    let expected = brute_force(&w, &q, 1.0, 1e-12);
    assert!(expected.len() > 1, "{expected:?}");
    let found = LocalBlock::new(&w).solve(&q, Cone::Coulomb(1.0), &Vector::<2>::zeros());
    assert_eq!(found.status, Status::Open);
    assert!(found.several);
}

#[test]
fn scaling_velocity_and_mass_scales_the_solution() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let mu = random.between(0.0, 1.5);
        let w = random_block(&mut random);
        let q = random.vector();
        let zero = Vector::<2>::zeros();
        let one = LocalBlock::new(&w).solve(&q, Cone::Coulomb(mu), &zero);
        // Powers of two: no rounding at all, so the bits must agree.
        let other = LocalBlock::new(&(w * 1024.0)).solve(&(q * 0.25), Cone::Coulomb(mu), &zero);
        assert_eq!(one.impulse / 4096.0, other.impulse);
        assert_eq!(one.status, other.status);
    }
}

#[test]
fn open_and_bilateral_cones() {
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let w = random_block(&mut random);
        let q = random.vector();
        let block = LocalBlock::new(&w);
        let last = random.vector();
        let open = block.solve(&q, Cone::Open, &last);
        assert!(open.impulse.norm() < 1e-300 && open.status == Status::Open);
        let bonded = block.solve(&q, Cone::Bilateral, &last);
        assert_eq!(bonded.status, Status::Bonded);
        let v = block.velocity(&q, &bonded.impulse);
        // Backward stable: the velocity left is a few roundings of λ‖p‖.
        assert!(v.norm() <= 1e-14 * (q.norm() + block.largest() * bonded.impulse.norm()));
    }
}

/// Repeats the kernel on its own result, as the sweeps do.
fn repeat(w: &Matrix<2>, q: &Vector<2>, cone: Cone, mut p: Vector<2>) -> LocalSolution<2> {
    let block = LocalBlock::new(w);
    for _ in 0..20 {
        p = block.solve(q, cone, &p).impulse;
    }
    block.solve(q, cone, &p)
}

#[test]
fn a_prescribed_tangent_slides_or_keeps_its_impulse() {
    let w = Matrix::<2>::new(2.0, 0.0, 0.0, 0.0);
    assert!(LocalBlock::new(&w).is_singular());
    // Driven at v_T = 3: full friction against the motion, and the velocity constraint as without the shift.
    let driven = repeat(&w, &Vector::<2>::new(-1.0, 3.0), Cone::Coulomb(0.4), Vector::<2>::zeros());
    assert_eq!(driven.status, Status::Slip);
    assert!((driven.impulse - Vector::<2>::new(0.5, -0.2)).norm() < 1e-12);
    // Held: nothing drives p_T, it stays where it was; p_N is exact in spite of the shift.
    let held = repeat(&w, &Vector::<2>::new(-1.0, 0.0), Cone::Coulomb(0.4), Vector::<2>::new(0.0, 0.1));
    assert_eq!(held.status, Status::Stick);
    assert!((held.impulse - Vector::<2>::new(0.5, 0.1)).norm() < 1e-12);
}

#[test]
fn an_oblique_roller_is_solved_exactly() {
    // One degree of freedom along (cos, sin): W has rank one. Normal approach −1 with v_free along the roller.
    let d = Vector::<2>::new(0.8, 0.6);
    let w = d * d.transpose();
    let q = -d;
    // Sticking with enough friction: μ > 0.75 holds p along d inside the cone.
    let stick = repeat(&w, &q, Cone::Coulomb(0.9), Vector::<2>::zeros());
    assert_eq!(stick.status, Status::Stick);
    assert!((q + w * stick.impulse).norm() < 1e-12);
    // Less friction: p = p_N (1, μ) backs the slip, still v_N = 0 and thus v = 0 along the only degree of freedom.
    let edge = repeat(&w, &q, Cone::Coulomb(0.2), Vector::<2>::zeros());
    assert!((q + w * edge.impulse).norm() < 1e-12);
    assert!(edge.impulse[1].abs() <= 0.2 * edge.impulse[0] * (1.0 + 1e-12));
}

#[test]
fn what_cannot_move_gets_no_impulse() {
    let zero = Vector::<2>::zeros();
    let last = Vector::<2>::new(1.0, 0.2);
    let q = Vector::<2>::new(-1.0, 0.5);
    for w in [Matrix::<2>::zeros(), Matrix::<2>::new(0.0, 0.0, 0.0, 3.0)] {
        let found = LocalBlock::new(&w).solve(&q, Cone::Coulomb(0.5), &last);
        assert_eq!((found.impulse, found.status), (zero, Status::Open));
    }
    assert_eq!(LocalBlock::new(&Matrix::<2>::zeros()).solve(&q, Cone::Bilateral, &last).impulse, zero);
    // A bond on a driven direction cannot be kept: the impulse must not grow from sweep to sweep.
    let driven = repeat(&Matrix::<2>::new(2.0, 0.0, 0.0, 0.0), &q, Cone::Bilateral, last);
    assert!(driven.impulse.norm() <= last.norm());
}

#[test]
fn nan_in_nan_out() {
    // No panic, and the velocity that the caller judges is not a number.
    let block = LocalBlock::new(&Matrix::<2>::from_element(f64::NAN));
    let q = Vector::<2>::new(-1.0, 0.0);
    for cone in [Cone::Coulomb(0.5), Cone::Coulomb(0.0), Cone::Bilateral] {
        let found = block.solve(&q, cone, &Vector::<2>::zeros());
        assert!(block.velocity(&q, &found.impulse).iter().all(|v| v.is_nan()), "{found:?}");
    }
}
