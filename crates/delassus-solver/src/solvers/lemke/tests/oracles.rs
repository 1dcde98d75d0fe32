//! Lemke's method against what it shares nothing with: Gauss–Seidel sweeps, and all statuses or active sets by brute force.

use super::*;

/// Differences of the two solvers over random problems: (impulses, velocities), relative, and how many had different solutions.
struct Comparison {
    impulses: f64,
    velocities: f64,
    different: usize,
    stalled: usize,
    pivots: usize,
    residual: f64,
}

fn compare(seed: u64, cases: usize, mut make: impl FnMut(&mut Random) -> ContactProblem<2>) -> Comparison {
    let mut random = Random::new(seed);
    let mut c = Comparison { impulses: 0.0, velocities: 0.0, different: 0, stalled: 0, pivots: 0, residual: 0.0 };
    for case in 0..cases {
        let problem = make(&mut random);
        problem.validate().unwrap();
        let (report, p) = solved(&problem, &format!("case {case}"));
        c.pivots += report.iterations;
        c.residual = c.residual.max(report.residual);
        let mut q = zeros(problem.n());
        let sweeps = nlgs::solve(&problem, &mut q, &SolverOptions { tolerance: 1e-12, ..PATIENT });
        assert!(sweeps.residual <= AT_REST, "case {case}: {sweeps:?}");
        let (u, v) = (velocities(&problem, &p), velocities(&problem, &q));
        let fastest = size(&problem.v_free).max(size(&u));
        if distance(&u, &v) > 1e-6 * fastest {
            // Both are solutions: the certificate has judged the one, and now the other.
            assert!(certify(&problem, &q).unwrap().law_error <= AT_REST, "case {case}");
            c.different += 1;
            continue;
        }
        if !sweeps.converged {
            // The sweeps ended at the rounding of contacts at rest; how near they came is not for this test to say.
            c.stalled += 1;
            continue;
        }
        c.velocities = c.velocities.max(distance(&u, &v) / fastest);
        c.impulses = c.impulses.max(distance(&p, &q) / size(&p).max(1e-3));
    }
    c
}

#[test]
fn agrees_with_gauss_seidel_on_deformable_bodies() {
    let c = compare(71, 700, |random| {
        let n = 1 + random.below(30);
        let mu = random.between(0.0, 1.2);
        with_friction(random_problem(random, n, BodyKind::Deformable), mu)
    });
    // Residual 1e-12 of the sweeps times a condition below 1e3.
    assert!(c.impulses <= 1e-9 && c.velocities <= 1e-9 && c.different + c.stalled == 0, "{}", c.stalled);
    // The system of the basis is solved afresh: a few roundings are left, not those of the pivots.
    assert!(c.residual <= 1e-14 && c.pivots > 5000, "{} {}", c.residual, c.pivots);
}

#[test]
fn agrees_with_gauss_seidel_on_rigid_bodies_in_velocities() {
    let c = compare(72, 500, |random| {
        let n = 1 + random.below(20);
        let mu = random.between(0.0, 1.2);
        with_friction(random_problem(random, n, BodyKind::Rigid), mu)
    });
    // Impulses of a singular W are not unique. Wedges let a few problems have several motions.
    assert!(c.velocities <= 1e-9 && c.different <= 5 && c.stalled <= 5, "{:e} {}", c.velocities, c.different);
    assert!(c.impulses > 1e-3, "some impulses are not unique");
    assert!(c.residual <= 1e-12, "contacts at rest are swept clean: {:e}", c.residual);
}

#[test]
fn agrees_with_gauss_seidel_where_everything_is_coupled() {
    let c = compare(73, 500, |random| {
        let n = 1 + random.below(12);
        coupled_problem(random, n, 4 * n, 1.2)
    });
    assert!(c.impulses <= 1e-9 && c.velocities <= 1e-9 && c.different + c.stalled <= 5, "{}", c.different);
}

/// All solutions of a problem without shifts but `a`, by trying every status at every contact; each is a linear system in p, solved by
/// LU, and counts if the inequalities of its statuses hold.
pub(super) fn brute_force(problem: &ContactProblem<2>) -> Vec<Vec<Vector<2>>> {
    let n = problem.n();
    let w = DMatrix::from_fn(2 * n, 2 * n, |i, j| problem.operator.block(i / 2, j / 2)[(i % 2, j % 2)]);
    let q = DVector::from_fn(2 * n, |i, _| problem.v_free[i / 2][i % 2] + problem.laws[i / 2].v_shift[i % 2]);
    let mu = |i: usize| if let Cone::Coulomb(mu) = problem.laws[i].cone { mu } else { panic!("friction only") };
    let mut found: Vec<Vec<Vector<2>>> = Vec::new();
    for code in 0..4_usize.pow(n as u32) {
        let status = |i: usize| code / 4_usize.pow(i as u32) % 4;
        // Two equations per contact: open p = 0; stick v = 0; slip v_N = 0 and p_T ± μ p_N = 0.
        let mut system = w.clone();
        let mut right = -&q;
        for i in 0..n {
            let replace: &[(usize, f64, f64)] = match status(i) {
                0 => &[(0, 1.0, 0.0), (1, 0.0, 1.0)],
                1 => &[],
                2 => &[(1, mu(i), 1.0)],
                _ => &[(1, -mu(i), 1.0)],
            };
            for &(k, normal, tangential) in replace {
                system.row_mut(2 * i + k).fill(0.0);
                system[(2 * i + k, 2 * i)] = normal;
                system[(2 * i + k, 2 * i + 1)] = tangential;
                right[2 * i + k] = 0.0;
            }
        }
        let Some(p) = system.lu().solve(&right) else { continue };
        let v = &w * &p + &q;
        let holds = |i: usize| {
            let (vn, vt, pn, pt) = (v[2 * i], v[2 * i + 1], p[2 * i], p[2 * i + 1]);
            // Numbers of order one: 1e-9 is above rounding at any condition met here, and far below what a wrong status gives.
            let sign = [0.0, 0.0, 1.0, -1.0][status(i)];
            vn > -1e-9 && pn > -1e-9 && sign * vt > -1e-9 && pt.abs() < mu(i) * pn + 1e-9
        };
        if (0..n).all(holds) {
            let p: Vec<Vector<2>> = (0..n).map(|i| Vector::<2>::new(p[2 * i], p[2 * i + 1])).collect();
            if found.iter().all(|other| distance(other, &p) > 1e-7 * size(&p).max(1.0)) {
                found.push(p);
            }
        }
    }
    found
}

#[test]
fn is_one_of_the_solutions_that_brute_force_finds() {
    let (mut random, mut counts, mut worst) = (Random::new(74), [0_usize; 3], 0.0_f64);
    for case in 0..1200 {
        let n = 1 + random.below(4);
        let problem = match case % 3 {
            0 => coupled_problem(&mut random, n, 3 * n, 1.2),
            1 => coupled_problem(&mut random, n, 3 * n, 4.0),
            _ => with_friction(random_problem(&mut random, n, BodyKind::Deformable), 1.0),
        };
        let (_, p) = solved(&problem, &format!("case {case}"));
        let all = brute_force(&problem);
        assert!(!all.is_empty(), "case {case}: brute force finds nothing");
        let error = all.iter().map(|q| distance(&p, q) / size(q).max(1.0)).fold(f64::INFINITY, f64::min);
        worst = worst.max(error);
        assert!(error <= 1e-9, "case {case}: {p:?} is none of {all:?}");
        counts[case % 3] += usize::from(all.len() > 1);
        if all.len() > 1 {
            for q in &all {
                assert!(certify(&problem, q).unwrap().law_error <= 1e-9, "case {case}: {q:?}");
            }
            let mut q = zeros(n);
            if nlgs::solve(&problem, &mut q, &PATIENT).converged {
                assert!(all.iter().any(|x| distance(x, &q) <= 1e-8 * size(x).max(1.0)), "case {case}: {q:?}");
            }
        }
        // What is flagged at a contact is also several as a whole when there is but one contact.
        if n == 1 {
            assert_eq!(all.len() > 1, solved(&problem, "again").0.several_solutions == 1, "case {case}: {all:?}");
        }
    }
    assert!(counts[0] <= 20 && counts[1] >= 5 && counts[2] == 0, "{counts:?}");
}

#[test]
fn frictionless_problems_agree_with_all_active_sets() {
    let mut random = Random::new(75);
    for case in 0..200 {
        let n = 1 + random.below(8);
        let mut problem = random_problem(&mut random, n, BodyKind::Deformable);
        for law in &mut problem.laws {
            law.cone = Cone::Coulomb(0.0);
        }
        let w = DMatrix::from_fn(n, n, |i, j| problem.operator.block(i, j)[(0, 0)]);
        let q = DVector::from_fn(n, |i, _| problem.v_free[i][0] + problem.laws[i].v_shift[0]);
        let (_, p) = solved(&problem, &format!("case {case}"));
        // The one set whose closed contacts push and whose open ones part.
        let sets = (0..1_usize << n).filter_map(|set| {
            let closed = |i: usize| set >> i & 1 == 1;
            let system = DMatrix::from_fn(n, n, |i, j| if closed(i) { w[(i, j)] } else { f64::from(u8::from(i == j)) });
            let x = system.lu().solve(&DVector::from_fn(n, |i, _| if closed(i) { -q[i] } else { 0.0 }))?;
            let v = &w * &x + &q;
            (x.iter().chain(v.iter()).all(|&y| y > -1e-12)).then_some(x)
        });
        let exact = sets.into_iter().next().unwrap();
        for i in 0..n {
            assert!((p[i][0] - exact[i]).abs() <= 1e-12 * exact.amax().max(1.0), "case {case}");
            assert!(p[i][1].abs() < 1e-300);
        }
    }
}
