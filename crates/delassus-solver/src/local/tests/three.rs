//! The kernel in space against a scan over sliding directions that shares nothing with it, and against the certificate.

use std::f64::consts::TAU;
use std::time::Instant;

use crate::certificate::certify;
use crate::linalg::{Matrix, Vector};
use crate::local::{Dimension, LocalBlock, LocalKernel, LocalSolution, Status};
use crate::operator::BlockMatrix;
use crate::problem::{Cone, ContactProblem, Derived};
use crate::testing::Random;

fn vector(random: &mut Random) -> Vector<3> {
    random.point()
}

/// A random rotation, from three angles.
fn rotation(random: &mut Random) -> Matrix<3> {
    let mut r = Matrix::<3>::identity();
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
        let mut g = Matrix::<3>::identity();
        (g[(i, i)], g[(j, j)], g[(i, j)], g[(j, i)]) = (cos, cos, -sin, sin);
        r *= g;
    }
    r
}

/// A block of size 1e-6…1e6 with a condition of up to 10 to the power `decades`, axes anywhere.
fn random_block(random: &mut Random, decades: f64) -> Matrix<3> {
    let top = if random.below(2) == 0 { decades } else { 1.0 };
    let lowest = random.decades(-top, 0.0);
    let eigenvalues =
        Vector::<3>::new(1.0, lowest, if random.below(2) == 0 { 1.0 } else { random.decades(-top, 0.0).max(lowest) });
    let axes = rotation(random);
    let w = axes * Matrix::<3>::from_diagonal(&eigenvalues) * axes.transpose();
    (w + w.transpose()) * (0.5 * random.decades(-6.0, 6.0))
}

/// A free velocity anywhere, or exactly on a boundary between statuses, or one whose solution is chosen.
fn random_free(random: &mut Random, w: &Matrix<3>, mu: f64) -> Vector<3> {
    let speed = random.decades(-9.0, 9.0);
    let q = vector(random) * speed;
    let n = random.between(0.0, 1.0) * speed / w.trace();
    let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
    let edge = Vector::<3>::new(n, mu * n * cos, mu * n * sin);
    match random.below(11) {
        0 => Vector::<3>::zeros(),
        1 => Vector::<3>::new(0.0, q[1], q[2]),
        2 => Vector::<3>::new(q[0], 0.0, 0.0),
        3 => Vector::<3>::new(-q[0].abs(), q[1], q[2]),
        // Hardly approaching, hardly sliding.
        4 => Vector::<3>::new(-q[0].abs() * random.decades(-14.0, 0.0), q[1], q[2]),
        5 => Vector::<3>::new(-q[0].abs(), q[1] * 1e-12, q[2] * 1e-12),
        // On the edge of sticking, and within the cone.
        6 => -w * edge,
        7 => -w * Vector::<3>::new(n, edge[1] * random.between(-1.0, 1.0), edge[2] * random.between(-1.0, 1.0)),
        // Sliding against the edge at a chosen speed, down to 1e-12 of the others.
        8 => Vector::<3>::new(0.0, -cos, -sin) * (speed * random.decades(-12.0, 0.0)) - w * edge,
        _ => q,
    }
}

fn friction(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => 0.0,
        1 => random.decades(-12.0, 0.0),
        _ => random.between(0.0, 2.0),
    }
}

/// The certificate's error of an impulse.
fn error(w: &Matrix<3>, q: &Vector<3>, mu: f64, p: &Vector<3>) -> f64 {
    let problem = ContactProblem {
        operator: BlockMatrix::dense(1, |_, _| *w),
        v_free: vec![*q],
        laws: vec![Derived::standard(Cone::Coulomb(mu))],
    };
    certify(&problem, &[*p]).unwrap().law_error
}

#[test]
fn a_hundred_thousand_hard_problems_are_solved() {
    let mut random = Random::new(61);
    let (mut counts, mut several, mut worst) = ([0_usize; 3], 0_usize, 0.0_f64);
    for case in 0..120_000 {
        let mu = friction(&mut random);
        let w = random_block(&mut random, 10.0);
        let q = random_free(&mut random, &w, mu);
        let block = LocalBlock::new(&w);
        assert!(!block.is_singular());
        let found = block.solve(&q, Cone::Coulomb(mu), &(vector(&mut random) * random.decades(-6.0, 6.0)));
        counts[usize::from(found.status.code())] += 1;
        several += usize::from(found.several);
        let e = error(&w, &q, mu, &found.impulse);
        worst = worst.max(e);
        // Some hundred roundings of ‖W‖‖p‖, whatever the condition.
        assert!(e <= 1e-13, "case {case}: {e}, mu {mu}, w {w}, q {q}, {found:?}");
    }
    assert!(counts.iter().all(|&n| n > 10_000) && several > 1000, "{counts:?} {several}");
}

/// All solutions: open and stick by their inequalities, sliding by a scan over directions with bisection.
fn brute_force(w: &Matrix<3>, q: &Vector<3>, mu: f64) -> Vec<Vector<3>> {
    let mut all = Vec::new();
    if q[0] >= 0.0 {
        all.push(Vector::<3>::zeros());
    }
    all.extend(w.lu().solve(&-q).filter(|p| p[1].hypot(p[2]) <= mu * p[0]));
    // Along d: v_N = 0 gives p_N, and v_T must be against d. Times the denominator there is no pole.
    let slide = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let along = w * Vector::<3>::new(1.0, mu * cos, mu * sin);
        let v = [q[1] * along[0] - q[0] * along[1], q[2] * along[0] - q[0] * along[2]];
        (v[0] * sin - v[1] * cos, along[0], Vector::<3>::new(1.0, mu * cos, mu * sin))
    };
    let n = 4000;
    for k in 0..n {
        let (mut a, mut b) = (k as f64 * TAU / n as f64, (k + 1) as f64 * TAU / n as f64);
        let rising = slide(a).0 < 0.0;
        if rising == (slide(b).0 < 0.0) {
            continue;
        }
        for _ in 0..60 {
            let m = 0.5 * (a + b);
            if (slide(m).0 < 0.0) == rising {
                a = m;
            } else {
                b = m;
            }
        }
        let (_, denominator, direction) = slide(a);
        let p = direction * (-q[0] / denominator);
        let v = q + w * p;
        if p[0] >= 0.0 && v[1] * direction[1] + v[2] * direction[2] <= 0.0 {
            all.push(p);
        }
    }
    all
}

#[test]
fn agrees_with_a_scan_over_directions() {
    let mut random = Random::new(62);
    let (mut compared, mut slips, mut doubled, mut flagged) = (0, 0, 0, 0);
    for case in 0..12_000 {
        let mu = friction(&mut random).max(1e-3);
        // A scan of finite steps sees what is not too narrow: condition up to 1e4, and nothing exactly on a boundary.
        let w = random_block(&mut random, 4.0);
        let q = vector(&mut random);
        let found = LocalBlock::new(&w).solve(&q, Cone::Coulomb(mu), &vector(&mut random));
        let all = brute_force(&w, &q, mu);
        assert!(!all.is_empty(), "case {case}: the scan finds none, w {w}, q {q}, mu {mu}");
        let lambda = w.symmetric_eigenvalues();
        let distance = |p: &Vector<3>, r: &Vector<3>| {
            (p - r).norm() * lambda.min() / (q.norm() + lambda.max() * p.norm().max(r.norm()))
        };
        // In velocity over the least eigenvalue; 1e-9 is what the bisection and a condition of 1e4 leave.
        assert!(all.iter().any(|p| distance(p, &found.impulse) < 1e-9), "case {case}: {all:?} {found:?}");
        let different = all.iter().any(|p| all.iter().any(|r| distance(p, r) > 1e-7));
        assert!(found.several || !different, "case {case}: {all:?} but {found:?}");
        compared += 1;
        slips += usize::from(found.status == Status::Slip);
        doubled += usize::from(different);
        flagged += usize::from(found.several);
    }
    assert!(compared >= 10_000 && slips > 3000 && doubled > 50);
    // Solutions nearer than the scan's distance, and pairs between two of its directions, are few.
    assert!(flagged - doubled <= doubled / 20, "{flagged} {doubled}");
}

#[test]
fn order_and_flag_of_several_solutions() {
    // The plane's wedge, in space: W_NN = 1, W_NT = 1.9, μ = 1: at v_free,N > 0 the contact may open, or wedge and slip.
    let w = Matrix::<3>::new(1.0, 1.9, 0.0, 1.9, 4.0, 0.0, 0.0, 0.0, 1.0);
    let q = Vector::<3>::new(0.5, 2.0, 0.0);
    assert!(brute_force(&w, &q, 1.0).len() > 1);
    let found = LocalBlock::new(&w).solve(&q, Cone::Coulomb(1.0), &Vector::<3>::zeros());
    assert!(found.status == Status::Open && found.several, "{found:?}");
}

#[test]
fn no_tangential_direction_is_preferred() {
    let mut random = Random::new(63);
    let mut worst = 0.0_f64;
    for _ in 0..20_000 {
        let mu = friction(&mut random);
        let w = random_block(&mut random, 2.0);
        let q = vector(&mut random);
        let last = vector(&mut random);
        let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
        let r = Matrix::<3>::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos);
        let one = LocalBlock::new(&w).solve(&q, Cone::Coulomb(mu), &last);
        let turned = r * w * r.transpose();
        let other =
            LocalBlock::new(&((turned + turned.transpose()) * 0.5)).solve(&(r * q), Cone::Coulomb(mu), &(r * last));
        let size = one.impulse.norm().max(q.norm() / w.trace());
        let apart = (r * one.impulse - other.impulse).norm() / size;
        if one.several {
            // Which of several comes first is a matter of statuses, and those are the same.
            assert_eq!(one.status, other.status);
        }
        worst = worst.max(apart);
    }
    // Rounding 1e-16 times the condition 1e2, and room for steep wedges.
    assert!(worst < 1e-12, "{worst}");
}

#[test]
fn with_one_tangent_at_rest_it_is_the_plane_kernel() {
    let mut random = Random::new(64);
    for _ in 0..20_000 {
        let mu = random.between(0.0, 2.0);
        let a = Matrix::<2>::from_fn(|_, _| random.between(-1.0, 1.0));
        let plane = a * a.transpose() + Matrix::<2>::identity() * 0.02;
        let q = random.vector();
        let zero = Vector::<2>::zeros();
        let two = LocalBlock::new(&plane).solve(&q, Cone::Coulomb(mu), &zero);
        let mut w = Matrix::<3>::identity();
        w.fixed_view_mut::<2, 2>(0, 0).copy_from(&plane);
        let three =
            LocalBlock::new(&w).solve(&Vector::<3>::new(q[0], q[1], 0.0), Cone::Coulomb(mu), &Vector::<3>::zeros());
        let size = two.impulse.norm() + q.norm();
        // Condition 1e2 at most; a problem with several solutions may have more of them in space.
        let same = (three.impulse - Vector::<3>::new(two.impulse[0], two.impulse[1], 0.0)).norm() <= 1e-10 * size;
        assert!(same || (two.several && three.several), "{two:?} {three:?}");
        assert!(three.several || !two.several);
    }
}

#[test]
fn scaling_velocity_and_mass_scales_the_solution() {
    let mut random = Random::new(65);
    for _ in 0..5000 {
        let mu = friction(&mut random);
        let w = random_block(&mut random, 6.0);
        let q = vector(&mut random);
        let zero = Vector::<3>::zeros();
        let one = LocalBlock::new(&w).solve(&q, Cone::Coulomb(mu), &zero);
        // Powers of two that are squares, since the middle of a bracket is a root: no rounding at all, so the bits must agree.
        let other = LocalBlock::new(&(w * 1024.0)).solve(&(q * 0.25), Cone::Coulomb(mu), &zero);
        assert_eq!(one.impulse / 4096.0, other.impulse);
        assert_eq!(one.status, other.status);
    }
}

/// Repeats the kernel on its own result, as the sweeps do.
fn repeat(w: &Matrix<3>, q: &Vector<3>, cone: Cone, mut p: Vector<3>) -> LocalSolution<3> {
    let block = LocalBlock::new(w);
    for _ in 0..20 {
        p = block.solve(q, cone, &p).impulse;
    }
    block.solve(q, cone, &p)
}

#[test]
fn prescribed_tangents_slide_or_keep_their_impulse() {
    let w = Matrix::<3>::from_diagonal(&Vector::<3>::new(2.0, 0.0, 0.0));
    assert!(LocalBlock::new(&w).is_singular());
    let cone = Cone::Coulomb(0.5);
    // Driven at 5 m/s along (0.6, 0.8).
    let driven = repeat(&w, &Vector::<3>::new(-1.0, 3.0, 4.0), cone, Vector::<3>::zeros());
    assert_eq!(driven.status, Status::Slip);
    assert!((driven.impulse - Vector::<3>::new(0.5, -0.15, -0.2)).norm() < 1e-12, "{driven:?}");
    let held = repeat(&w, &Vector::<3>::new(-1.0, 0.0, 0.0), cone, Vector::<3>::new(0.0, 0.1, -0.05));
    assert_eq!(held.status, Status::Stick);
    assert!((held.impulse - Vector::<3>::new(0.5, 0.1, -0.05)).norm() < 1e-12, "{held:?}");
}

#[test]
fn semidefinite_blocks_of_rank_one_and_two_are_solved() {
    // v_free in the range of W, so that there is a solution; the shift about the last iterate must leave no trace.
    let mut random = Random::new(66);
    let mut worst = 0.0_f64;
    for case in 0..4000 {
        let rank = 1 + case % 2;
        let mut w = Matrix::<3>::zeros();
        let mut q = Vector::<3>::zeros();
        for _ in 0..rank {
            let mut d = vector(&mut random);
            d[0] = d[0].abs() + 0.1;
            w += d * d.transpose();
            q -= d * random.between(0.0, 1.0);
        }
        let mu = random.between(0.0, 1.0);
        let found = repeat(&w, &q, Cone::Coulomb(mu), Vector::<3>::zeros());
        let e = error(&w, &q, mu, &found.impulse);
        worst = worst.max(e);
        assert!(e <= 1e-10, "case {case}: {e} {w} {q} {mu} {found:?}");
    }
}

#[test]
fn what_cannot_move_gets_no_impulse_and_nan_gives_nan() {
    let q = Vector::<3>::new(-1.0, 0.5, 0.0);
    let last = Vector::<3>::new(1.0, 0.2, 0.1);
    for w in [Matrix::<3>::zeros(), Matrix::<3>::from_diagonal(&Vector::<3>::new(0.0, 3.0, 1.0))] {
        let found = LocalBlock::new(&w).solve(&q, Cone::Coulomb(0.5), &last);
        assert_eq!((found.impulse, found.status), (Vector::<3>::zeros(), Status::Open));
    }
    let block = LocalBlock::new(&Matrix::<3>::from_element(f64::NAN));
    for cone in [Cone::Coulomb(0.5), Cone::Coulomb(0.0), Cone::Bilateral] {
        let found = block.solve(&q, cone, &Vector::<3>::zeros());
        assert!(block.velocity(&q, &found.impulse).iter().all(|v| v.is_nan()), "{found:?}");
    }
}

#[test]
fn eigenvalues_and_solve_of_a_block() {
    let mut random = Random::new(67);
    let mut worst = 0.0_f64;
    for _ in 0..20_000 {
        let w = random_block(&mut random, 10.0);
        let (low, high) = Dimension::<3>::extreme_eigenvalues(&w);
        let reference = w.symmetric_eigenvalues();
        assert!((low - reference.min()).abs() <= 1e-14 * high && (high - reference.max()).abs() <= 1e-14 * high);
        let b = vector(&mut random);
        let x = Dimension::<3>::solve(&w, &b);
        worst = worst.max((w * x - b).norm() / (high * x.norm()));
    }
    // Backward stable whatever the condition: a few roundings.
    assert!(worst < 5e-15, "{worst:e}");
}

#[test]
#[expect(clippy::print_stdout, reason = "printed, not asserted: the time depends on the machine and the profile")]
fn time_of_a_local_solve() {
    let mut random = Random::new(68);
    let cases: Vec<(LocalBlock<3>, Vector<3>, f64)> = (0..1000)
        .map(|_| {
            let w = random_block(&mut random, 1.0) + Matrix::<3>::identity();
            (LocalBlock::new(&w), vector(&mut random) - Vector::<3>::new(0.5, 0.0, 0.0), random.between(0.1, 0.8))
        })
        .collect();
    let mut last = vec![Vector::<3>::zeros(); cases.len()];
    for what in ["cold", "warm"] {
        let (start, rounds) = (Instant::now(), 50);
        for _ in 0..rounds {
            for ((block, q, mu), p) in cases.iter().zip(&mut last) {
                let from = if what == "cold" { Vector::<3>::zeros() } else { *p };
                *p = block.solve(q, Cone::Coulomb(*mu), &from).impulse;
            }
        }
        println!("{what}: {:.0} ns per local solve", start.elapsed().as_nanos() as f64 / (rounds * cases.len()) as f64);
    }
    assert!(last.iter().all(|p| p.iter().all(|x| x.is_finite())));
}
