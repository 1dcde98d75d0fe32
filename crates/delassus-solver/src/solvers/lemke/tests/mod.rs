//! Lemke's method on degenerate and stiff problems, with every law, and on data that have no solution or no meaning.

mod oracles;

use super::*;
use crate::certificate::certify;
use crate::linalg::Matrix;
use crate::local::LocalBlock;
use crate::operator::BlockMatrix;
use crate::problem::Derived;
use crate::testing::{BodyKind, Random, column, coupled_problem, in_units, random_problem, velocities, zeros};

const KINDS: [BodyKind; 2] = [BodyKind::Deformable, BodyKind::Rigid];

/// Sweeps and pivots enough for every problem here.
const PATIENT: SolverOptions = SolverOptions { tolerance: 1e-10, max_iterations: 100_000 };

fn size(p: &[Vector<2>]) -> f64 {
    p.iter().map(Vector::<2>::norm).fold(0.0, f64::max)
}

fn distance(p: &[Vector<2>], q: &[Vector<2>]) -> f64 {
    p.iter().zip(q).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max)
}

/// Where a whole body is stopped and some of its contacts carry nothing, those are judged against 1e-6 of the fastest: rounding 1e-16
/// then shows as 1e-10, whatever solver left it.
const AT_REST: f64 = 1e-9;

/// Solves from zero and asserts that it converged and that the certificate agrees.
fn solved(problem: &ContactProblem<2>, what: &str) -> (SolverReport, Vec<Vector<2>>) {
    solved_to(PATIENT.tolerance, problem, what)
}

fn solved_to(tolerance: f64, problem: &ContactProblem<2>, what: &str) -> (SolverReport, Vec<Vector<2>>) {
    let mut p = zeros(problem.n());
    let report = solve(problem, &mut p, &SolverOptions { tolerance, ..PATIENT });
    assert!(report.converged && report.solver == "lemke", "{what}: {report:?}");
    let certificate = certify(problem, &p).unwrap();
    assert!((certificate.law_error - report.residual).abs() <= 1e-12, "{what}: {report:?} {certificate:?}");
    (report, p)
}

fn with_friction(mut problem: ContactProblem<2>, mu: f64) -> ContactProblem<2> {
    for law in &mut problem.laws {
        if law.cone != Cone::Coulomb(0.0) {
            law.cone = Cone::Coulomb(mu);
        }
    }
    problem
}

/// One rigid block of mass one on `n` equally spaced ground contacts, moving with (v_x, v_y, spin).
fn block_on_ground(n: usize, mu: f64, motion: [f64; 3]) -> ContactProblem<2> {
    let lever = |i: usize| if n > 1 { 2.0 * i as f64 / (n - 1) as f64 - 1.0 } else { 0.0 };
    // Rows of H: normal (0, 1, x), tangent (1, 0, height) with the centre half a metre up; inertia 1/2.
    let row = |i: usize, k: usize| if k == 0 { [0.0, 1.0, lever(i)] } else { [1.0, 0.0, 0.5] };
    let dot = |x: [f64; 3], y: [f64; 3], m: [f64; 3]| (0..3).map(|k| x[k] * y[k] * m[k]).sum::<f64>();
    ContactProblem {
        operator: BlockMatrix::dense(n, |i, j| Matrix::<2>::from_fn(|k, l| dot(row(i, k), row(j, l), [1.0, 1.0, 2.0]))),
        v_free: (0..n).map(|i| Vector::<2>::from_fn(|k, _| dot(row(i, k), motion, [1.0; 3]))).collect(),
        laws: vec![Derived::standard(Cone::Coulomb(mu)); n],
    }
}

#[test]
fn degenerate_problems_do_not_cycle() {
    let modes =
        [[0.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, -1.0, 0.5], [1.0, 0.0, 0.0], [0.1, -1.0, 0.0], [0.0, 1.0, 0.0]];
    for n in [1, 2, 3, 4, 10, 40] {
        for mu in [0.0, 0.2, 0.5, 1.0, 2.0] {
            for motion in modes {
                let problem = block_on_ground(n, mu, motion);
                let (report, p) = solved_to(AT_REST, &problem, &format!("n {n}, μ {mu}, {motion:?}"));
                assert!(report.iterations <= 4 * n, "n {n}, μ {mu}, {motion:?}: {report:?}");
                // Momentum: a block that falls straight down is stopped by a total impulse of one.
                if motion[0].abs() + motion[2].abs() < 0.05 && motion[1] < 0.0 {
                    assert!((p.iter().map(|x| x[0]).sum::<f64>() - 1.0).abs() < 1e-12);
                }
            }
            // At rest: any self-equilibrated start is thrown away or kept, the velocities must stay zero.
            let at_rest = block_on_ground(n, mu, [0.0; 3]);
            let mut p = vec![Vector::<2>::new(0.3, 0.1); n];
            assert!(solve(&at_rest, &mut p, &PATIENT).converged);
            assert!(size(&velocities(&at_rest, &p)) < 1e-12);
        }
    }
    // Forty copies of one contact: W of rank two.
    let block = Matrix::<2>::new(2.0, 0.5, 0.5, 1.0);
    let copies = ContactProblem {
        operator: BlockMatrix::dense(40, |_, _| block),
        v_free: vec![Vector::<2>::new(-1.0, 0.7); 40],
        laws: vec![Derived::standard(Cone::Coulomb(0.4)); 40],
    };
    let (report, p) = solved_to(AT_REST, &copies, "copies");
    let one = LocalBlock::new(&block).solve(&Vector::<2>::new(-1.0, 0.7), Cone::Coulomb(0.4), &Vector::<2>::zeros());
    assert!((p.iter().sum::<Vector<2>>() - one.impulse).norm() < 1e-12 && report.iterations <= 160, "{report:?}");
}

#[test]
fn units_do_not_matter() {
    let (mut random, mut worst) = (Random::new(76), 0.0_f64);
    for case in 0..40 {
        let n = 2 + random.below(20);
        let problem = with_friction(random_problem(&mut random, n, KINDS[case % 2]), 0.6);
        let (report, p) = solved(&problem, "first units");
        for (mass, length, time) in
            [(1e6, 1.0, 1.0), (1e-6, 1.0, 1.0), (1.0, 1e-6, 1.0), (1.0, 1.0, 1e6), (1e-6, 1e6, 1e-6)]
        {
            let (other, q) = solved(&in_units(&problem, mass, length, time), "other units");
            assert_eq!(report.iterations, other.iterations, "case {case}");
            let q: Vec<Vector<2>> = q.iter().map(|x| x / (mass * length / time)).collect();
            worst = worst.max(distance(&p, &q) / size(&p).max(f64::MIN_POSITIVE));
        }
    }
    // The same pivots; rounding times the condition of the final basis.
    assert!(worst <= 1e-9, "{worst:e}");
}

#[test]
fn the_same_bits_twice() {
    let mut random = Random::new(77);
    for case in 0..30 {
        let n = 1 + random.below(30);
        let problem = random_problem(&mut random, n, KINDS[case % 2]);
        assert_eq!(solved(&problem, "once"), solved(&problem, "twice"));
    }
}

#[test]
fn a_stiff_column_that_gauss_seidel_does_not_finish() {
    let mut sweeps = nlgs::solve(&column(60, 0.3), &mut zeros(60), &SolverOptions::default());
    assert!(!sweeps.converged && sweeps.iterations == 5000, "{sweeps:?}");
    let (report, p) = solved(&column(60, 0.3), "column");
    assert!(report.iterations < 300 && report.residual <= 1e-12, "{report:?}");
    // Momentum: the ground stops 60 disks of mass one, each contact those above it.
    for (i, x) in p.iter().enumerate() {
        assert!((x[0] - (60 - i) as f64).abs() < 1e-10, "{i}: {x}");
    }
    let mut q = zeros(60);
    sweeps = nlgs::solve(&column(60, 0.3), &mut q, &PATIENT);
    assert!(sweeps.converged && distance(&p, &q) < 1e-5 * size(&p));
}

#[test]
fn every_law_and_cone() {
    let (mut random, mut worst) = (Random::new(78), 0.0_f64);
    for case in 0..300 {
        let n = 3 + random.below(10);
        let mut problem = random_problem(&mut random, n, BodyKind::Deformable);
        for (i, law) in problem.laws.iter_mut().enumerate() {
            let w = problem.operator.diagonal(i)[(0, 0)];
            let mut pair = |scale: f64| Vector::<2>::new(random.between(0.0, scale), random.between(0.0, scale));
            match (case + i) % 6 {
                0 => (law.w_shift, law.p_shift) = (pair(2.0 * w), pair(0.5 / w)),
                1 => law.p_shift = pair(0.5 / w),
                2 => (law.spring, law.p_shift) = (pair(3.0 / w), pair(0.3 / w)),
                3 => law.cone = Cone::Bilateral,
                4 => (law.cone, law.p_shift, law.spring) = (Cone::Open, pair(0.2 / w), pair(1.0 / w)),
                _ => law.v_shift = pair(0.4),
            }
            if law.cone == Cone::Bilateral {
                law.v_shift = pair(0.3);
            }
        }
        problem.validate().unwrap();
        let (_, p) = solved(&problem, &format!("case {case}"));
        let mut q = zeros(n);
        let sweeps = nlgs::solve(&problem, &mut q, &SolverOptions { tolerance: 1e-13, ..PATIENT });
        assert!(sweeps.residual <= 1e-12, "{sweeps:?}");
        worst = worst.max(distance(&p, &q) / size(&q));
    }
    assert!(worst <= 1e-9, "{worst:e}");
}

#[test]
fn bonds_that_repeat_each_other_are_held_once() {
    // Bonds between one rigid block and the ground have two components each, but there are three freedoms.
    for (n, bonds, motion) in [(6, 4, [0.7, -1.0, 0.3]), (12, 10, [0.1, -0.3, 2.0]), (30, 29, [1.0, 1.0, 1.0 / 3.0])] {
        let mut problem = block_on_ground(n, 0.5, motion);
        for law in problem.laws.iter_mut().take(bonds) {
            law.cone = Cone::Bilateral;
        }
        let (_, p) = solved_to(AT_REST, &problem, "bonds");
        assert!(size(&velocities(&problem, &p)) < 1e-12, "a bonded block stands still");
        // Momentum and spin of order one are stopped by impulses of order one, unless rounding is taken for a freedom.
        assert!(size(&p) < 100.0, "{p:?}");
        let standard = StandardProblem::new(&problem).unwrap();
        assert_eq!(reduce(&problem, &standard, &Interrupt::never()).unwrap().bonds.len(), 3);
    }
}

#[test]
fn a_contact_without_mobility_leaves_the_others_solved() {
    let mut random = Random::new(79);
    let mut problem = random_problem(&mut random, 6, BodyKind::Deformable);
    let full = problem.operator.clone();
    // The normal of contact 2 and the tangent of contact 4 are prescribed, contact 5 wholly.
    let fixed = |i: usize, k: usize| matches!((i, k), (2, 0) | (4, 1) | (5, _));
    problem.operator = BlockMatrix::dense(6, |i, j| {
        Matrix::<2>::from_fn(|k, l| if fixed(i, k) || fixed(j, l) { 0.0 } else { full.block(i, j)[(k, l)] })
    });
    problem.laws = vec![Derived::standard(Cone::Coulomb(0.5)); 6];
    problem.v_free = vec![Vector::<2>::new(-1.0, 0.4); 6];
    problem.v_free[2][0] = 0.5;
    problem.v_free[5][0] = 0.0;
    let (_, p) = solved(&problem, "prescribed and parting");
    assert!(p[2].norm() < 1e-300 && (p[4][1] + 0.5 * p[4][0]).abs() < 1e-12 && p[4][0] > 0.1);
    // Contact 2 closes and nothing can stop it: that contact is wrong, the report says so, all others are right.
    problem.v_free[2][0] = -0.5;
    let mut q = zeros(6);
    let report = solve(&problem, &mut q, &PATIENT);
    assert!(!report.converged && report.residual > 0.1, "{report:?}");
    let errors = certify(&problem, &q).unwrap().errors;
    assert!(errors.iter().enumerate().all(|(i, &e)| i == 2 || e <= 1e-10), "{errors:?}");
}

#[test]
fn no_contacts_are_solved_at_once() {
    let operator = BlockMatrix::dense(0, |_, _| Matrix::<2>::zeros());
    let problem = ContactProblem::<2> { operator, v_free: vec![], laws: vec![] };
    let report = solve(&problem, &mut [], &SolverOptions::default());
    assert!(report.converged && report.iterations == 0);
    // Nothing but open contacts or bonds: no pivots either.
    let mut problem = random_problem(&mut Random::new(80), 4, BodyKind::Deformable);
    for (law, cone) in problem.laws.iter_mut().zip([Cone::Open, Cone::Bilateral, Cone::Open, Cone::Bilateral]) {
        law.cone = cone;
    }
    let (report, p) = solved(&problem, "bonds only");
    assert!(report.iterations == 0 && p[0].norm() < 1e-300 && p[1].norm() > 0.0);
}

#[test]
fn the_budget_is_hard_and_leaves_the_start() {
    let problem = random_problem(&mut Random::new(81), 20, BodyKind::Deformable);
    let (whole, _) = solved(&problem, "whole");
    for max_iterations in [0, 1, whole.iterations - 1] {
        let mut p = vec![Vector::<2>::new(0.01, 0.0); 20];
        let before = p.clone();
        let report = solve(&problem, &mut p, &SolverOptions { max_iterations, ..PATIENT });
        assert!(!report.converged && report.iterations <= max_iterations, "{report:?}");
        assert_eq!(p, before);
        assert!((certify(&problem, &p).unwrap().law_error - report.residual).abs() < 1e-12);
    }
    let exact = SolverOptions { max_iterations: whole.iterations, ..PATIENT };
    assert!(solve(&problem, &mut zeros(20), &exact).converged);
}

#[test]
fn data_that_are_not_finite_end_at_once() {
    let clean = random_problem(&mut Random::new(82), 6, BodyKind::Deformable);
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let changes: [fn(&mut ContactProblem<2>, f64); 6] = [
            |p, x| p.v_free[3][0] = x,
            |p, x| p.laws[2].v_shift[1] = x,
            |p, x| p.laws[2].p_shift[0] = x,
            |p, x| p.laws[2].spring[0] = x,
            |p, x| p.laws[2].w_shift[1] = x,
            |p, x| {
                p.operator = BlockMatrix::dense(6, |i, j| Matrix::<2>::identity() * if i + j == 4 { x } else { 0.1 })
            },
        ];
        for (k, change) in changes.iter().enumerate() {
            let mut problem = clean.clone();
            change(&mut problem, value);
            let report = solve(&problem, &mut zeros(6), &SolverOptions::default());
            assert!(!report.converged && report.iterations == 0, "change {k} {value}: {report:?}");
        }
    }
    let mut friction = clean.clone();
    friction.laws[1].cone = Cone::Coulomb(f64::NAN);
    assert!(!solve(&friction, &mut zeros(6), &SolverOptions::default()).converged);
    assert!(solve(&clean, &mut zeros(5), &SolverOptions::default()).residual.is_nan());
    // More contacts than are tried; sparse, so that the test itself stays small.
    let n = MAX_CONTACTS + 1;
    let many = ContactProblem {
        operator: BlockMatrix::from_rows((0..n).map(|i| vec![(i, Matrix::<2>::identity())]).collect()).unwrap(),
        v_free: vec![Vector::<2>::new(-1.0, 0.0); n],
        laws: vec![Derived::standard(Cone::Coulomb(0.3)); n],
    };
    let report = solve(&many, &mut zeros(n), &SolverOptions::default());
    assert!(!report.converged && report.iterations == 0 && report.residual > 0.1);
}

#[test]
fn a_contact_that_may_wedge_or_open_has_several_solutions() {
    // μ W_NT = 1.9 > W_NN = 1: pushed along +t the contact can let go, or lock itself by its own friction.
    let w = Matrix::<2>::new(1.0, 1.9, 1.9, 4.0);
    let problem = ContactProblem {
        operator: BlockMatrix::dense(1, |_, _| w),
        v_free: vec![Vector::<2>::new(0.5, 2.0)],
        laws: vec![Derived::standard(Cone::Coulomb(1.0))],
    };
    let all = oracles::brute_force(&problem);
    assert!(all.len() >= 2, "{all:?}");
    // Open is a solution and zero is its impulse: nothing is done, but it is said. From elsewhere the pivots find one, too.
    for start in [Vector::<2>::zeros(), Vector::<2>::new(1.0, 0.0)] {
        let mut q = vec![start];
        let report = solve(&problem, &mut q, &PATIENT);
        assert!(report.converged && report.several_solutions == 1, "{report:?}");
        assert!(all.iter().any(|x| distance(x, &q) < 1e-12));
    }
}

#[test]
fn each_form_alone_and_each_way_to_read_it() {
    // The values of the tableau and the system of the basis are two readings of one solution; neither form may lean on the other.
    let (mut random, mut seen) = (Random::new(86), [0_usize; 3]);
    for case in 0..300 {
        let n = 1 + random.below(12);
        let problem = with_friction(random_problem(&mut random, n, BodyKind::Deformable), 0.7);
        let standard = StandardProblem::new(&problem).unwrap();
        let reduced = reduce(&problem, &standard, &Interrupt::never()).unwrap();
        for form in [LemkeForm::Signs, LemkeForm::Bound] {
            let outcome = form.problem(&reduced).solve(1000, &mut Allowance::unlimited(&Interrupt::never()));
            assert_eq!(outcome.end, LcpEnd::Solved, "case {case} {form:?}");
            let modes = form.modes(&reduced, &outcome);
            let polished = polish::polish(&standard, &reduced.contacts, &modes, &reduced.bonds).unwrap();
            let polished = standard.original(&polished).unwrap();
            let error = certify(&problem, &polished).unwrap().law_error;
            assert!(error <= 1e-13, "case {case} {form:?}: {error:e}");
            for ((c, impulse), mode) in reduced.contacts.iter().zip(form.impulses(&reduced, &outcome)).zip(&modes) {
                let raw = Vector::<2>::from(impulse) * (reduced.unit * standard.scale[c.contact]);
                // Rounding of some dozen pivots at a condition below 1e3.
                assert!((raw - polished[c.contact]).norm() <= 1e-11 * size(&polished).max(1.0), "case {case} {form:?}");
                seen[match mode {
                    form::ContactMode::Open => 0,
                    form::ContactMode::Stick => 1,
                    form::ContactMode::Slip { .. } => 2,
                }] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&k| k > 300), "{seen:?}");
}

#[test]
fn rays_of_the_first_form_are_left_to_the_second() {
    let (mut random, mut rays) = (Random::new(83), 0);
    for case in 0..3000 {
        let n = 1 + random.below(8);
        let problem = coupled_problem(&mut random, n, 2 * n + 2, 10.0);
        let standard = StandardProblem::new(&problem).unwrap();
        let reduced = reduce(&problem, &standard, &Interrupt::never()).unwrap();
        let first =
            LemkeForm::Signs.problem(&reduced).solve(10_000, &mut Allowance::unlimited(&Interrupt::never())).end;
        let second =
            LemkeForm::Bound.problem(&reduced).solve(10_000, &mut Allowance::unlimited(&Interrupt::never())).end;
        assert_eq!(second, LcpEnd::Solved, "case {case}");
        rays += usize::from(first == LcpEnd::Ray);
        solved(&problem, &format!("case {case}"));
    }
    assert!(rays >= 1, "{rays}");
}

#[test]
fn second_form_is_copositive() {
    let mut random = Random::new(84);
    for _ in 0..100 {
        let n = 1 + random.below(5);
        let problem = coupled_problem(&mut random, n, 2 * n, 10.0);
        let standard = StandardProblem::new(&problem).unwrap();
        let reduced = reduce(&problem, &standard, &Interrupt::never()).unwrap();
        let mut lcp = LemkeForm::Bound.problem(&reduced);
        let z: Vec<f64> = (0..4 * n).map(|_| random.between(0.0, 1.0)).collect();
        let product: f64 =
            (0..16 * n * n).map(|k| z[k / (4 * n)] * z[k % (4 * n)] * *lcp.entry(k / (4 * n), k % (4 * n))).sum();
        // zᵀMz = pᵀA p + Σ μ λ p_N.
        let p = DVector::from_fn(2 * n, |i, _| if i % 2 == 0 { z[2 * i] } else { z[2 * i - 1] - z[2 * i] });
        let slip: f64 = reduced.contacts.iter().enumerate().map(|(i, c)| c.mu * z[4 * i] * z[4 * i + 3]).sum();
        let expected = p.dot(&(&reduced.a * &p)) + slip;
        assert!((product - expected).abs() < 1e-11 * expected.max(1.0) && product >= 0.0);
    }
}
