//! The sweeps on random problems, judged by the certificate and by statements of the laws that are written out here.

mod moments;
mod space;

use nalgebra::{DMatrix, DVector};

use super::*;
use crate::certificate::certify;
use crate::linalg::Matrix;
use crate::local::Status;
use crate::operator::BlockMatrix;
use crate::problem::{Cone, Derived};
use crate::solution::{ContactScale, contact_solutions, statuses};
use crate::testing::{BodyKind, Random, column, in_units, random_problem, velocities, zeros};

const KINDS: [BodyKind; 2] = [BodyKind::Deformable, BodyKind::Rigid];

#[test]
fn random_problems_converge_and_are_certified() {
    let mut random = Random::new(41);
    let (mut slow, mut many, mut seen) = (0, 0, [0_usize; 4]);
    // Rigid heaps with more contacts than degrees of freedom can take many sweeps; all of them get there.
    let options = SolverOptions { max_iterations: 50_000, ..SolverOptions::default() };
    for case in 0..1600 {
        let n = 1 + random.below(40);
        let kind = KINDS[case % 2];
        let problem = random_problem(&mut random, n, kind);
        problem.validate().unwrap();
        let mut p = zeros(n);
        let report = solve(&problem, &mut p, &options);
        assert!(report.converged, "case {case} {kind:?} n {n}: {report:?}");
        let certificate = certify(&problem, &p).unwrap();
        // The solver's own residual and the certificate are the same quantity by two codes; they differ by rounding only.
        assert!(certificate.law_error <= 1.01e-10, "case {case}: {certificate:?}");
        assert!((certificate.law_error - report.residual).abs() <= 1e-12);
        let over_budget = report.iterations > SolverOptions::default().max_iterations;
        assert!(
            !over_budget || kind == BodyKind::Rigid,
            "deformable bodies need no more than the usual budget: {report:?}"
        );
        slow += usize::from(over_budget);
        many += usize::from(report.iterations > 10);
        for status in statuses(&problem, &p) {
            seen[usize::from(status.code())] += 1;
        }
    }
    assert!(slow <= 8 && many > 800, "{slow} {many}");
    assert!(seen[..3].iter().all(|&k| k > 300), "{seen:?}");
}

#[test]
fn no_contacts_is_solved_at_once() {
    let problem = ContactProblem::<2> {
        operator: BlockMatrix::dense(0, |_, _| Matrix::<2>::zeros()),
        v_free: vec![],
        laws: vec![],
    };
    let report = solve(&problem, &mut [], &SolverOptions::default());
    assert!(report.converged && report.iterations == 0);
    assert!(statuses(&problem, &[]).is_empty());
}

#[test]
fn warm_start_from_the_solution_needs_no_sweep() {
    let mut random = Random::new(42);
    for case in 0..60 {
        let n = 1 + random.below(30);
        let problem = random_problem(&mut random, n, KINDS[case % 2]);
        let mut p = zeros(n);
        solve(&problem, &mut p, &SolverOptions::default());
        let before = p.clone();
        let report = solve(&problem, &mut p, &SolverOptions::default());
        assert!(report.converged && report.iterations == 0, "{report:?}");
        assert_eq!(before, p);
    }
}

#[test]
fn the_same_bits_twice() {
    let mut random = Random::new(43);
    for case in 0..40 {
        let n = 1 + random.below(40);
        let problem = random_problem(&mut random, n, KINDS[case % 2]);
        let run = || {
            let mut p = zeros(n);
            let report = solve(&problem, &mut p, &SolverOptions::default());
            let bits: Vec<u64> = p.iter().flat_map(|v| [v[0].to_bits(), v[1].to_bits()]).collect();
            (report.iterations, report.residual.to_bits(), bits)
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn units_do_not_matter() {
    let mut random = Random::new(44);
    for case in 0..30 {
        let n = 2 + random.below(20);
        let problem = random_problem(&mut random, n, KINDS[case % 2]);
        // A budget the solves do not use up and one they do: then the residual itself is far from rounding and must agree.
        for max_iterations in [3, 5000] {
            let options = SolverOptions { max_iterations, ..SolverOptions::default() };
            let mut p = zeros(n);
            let report = solve(&problem, &mut p, &options);
            for (mass, length, time) in [(1e6, 1.0, 1.0), (1.0, 1e-6, 1.0), (1.0, 1.0, 1e6), (1e-6, 1e6, 1e-6)] {
                let mut q = zeros(n);
                let other = solve(&in_units(&problem, mass, length, time), &mut q, &options);
                assert_eq!(report.iterations, other.iterations, "case {case}");
                assert!((report.residual - other.residual).abs() <= 1e-9);
                let unit = mass * length / time;
                let size = p.iter().map(Vector::<2>::norm).fold(0.0, f64::max);
                for (x, y) in p.iter().zip(&q) {
                    assert!((x - y / unit).norm() <= 1e-9 * size);
                }
            }
        }
    }
}

#[test]
fn a_budget_too_small_is_reported() {
    let mut random = Random::new(45);
    let problem = random_problem(&mut random, 20, BodyKind::Deformable);
    let report = solve(&problem, &mut zeros(20), &SolverOptions { max_iterations: 1, ..SolverOptions::default() });
    assert!(!report.converged && report.iterations == 1 && report.residual > 1e-10, "{report:?}");
    let report = solve(&problem, &mut zeros(20), &SolverOptions { max_iterations: 0, ..SolverOptions::default() });
    assert!(!report.converged && report.iterations == 0 && report.residual > 1e-10);
}

#[test]
fn data_that_are_not_finite_end_at_once() {
    let clean = random_problem(&mut Random::new(46), 6, BodyKind::Deformable);
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
            assert!(!report.converged && !report.residual.is_finite(), "change {k} {value}: {report:?}");
            assert!(report.iterations <= 1);
        }
        let mut p = zeros(6);
        p[1][1] = value;
        let report = solve(&clean, &mut p, &SolverOptions::default());
        assert!(!report.converged && !report.residual.is_finite());
    }
    assert!(solve(&clean, &mut zeros(5), &SolverOptions::default()).residual.is_nan());
    assert!(contact_solutions(&clean, &zeros(5)).is_empty());
}

/// Solution of a frictionless problem by trying every set of closed contacts.
fn active_set(problem: &ContactProblem<2>) -> Vec<f64> {
    let n = problem.n();
    let w = DMatrix::from_fn(n, n, |i, j| problem.operator.block(i, j)[(0, 0)]);
    let q = DVector::from_fn(n, |i, _| problem.v_free[i][0] + problem.laws[i].v_shift[0]);
    for set in 0..(1_usize << n) {
        let closed: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let sub = DMatrix::from_fn(closed.len(), closed.len(), |i, j| w[(closed[i], closed[j])]);
        let right = DVector::from_fn(closed.len(), |i, _| -q[closed[i]]);
        // The LU of an empty matrix is not defined; nothing closed, nothing to solve.
        let Some(x) = (if closed.is_empty() { Some(right) } else { sub.lu().solve(&right) }) else { continue };
        let mut p = DVector::zeros(n);
        for (k, &i) in closed.iter().enumerate() {
            p[i] = x[k];
        }
        let v = &w * &p + &q;
        if p.iter().all(|&x| x >= 0.0) && v.iter().all(|&x| x >= -1e-12) {
            return p.iter().copied().collect();
        }
    }
    panic!("a positive definite problem has a solution");
}

#[test]
fn frictionless_problems_agree_with_active_sets() {
    let mut random = Random::new(47);
    for _ in 0..150 {
        let n = 1 + random.below(8);
        let mut problem = random_problem(&mut random, n, BodyKind::Deformable);
        for law in &mut problem.laws {
            law.cone = Cone::Coulomb(0.0);
        }
        let mut p = zeros(n);
        assert!(solve(&problem, &mut p, &SolverOptions { tolerance: 1e-12, ..SolverOptions::default() }).converged);
        let exact = active_set(&problem);
        let size = exact.iter().copied().fold(1e-3, f64::max);
        for i in 0..n {
            // Residual 1e-12 times the condition of W, below 1e3 for these bodies.
            assert!((p[i][0] - exact[i]).abs() <= 1e-9 * size, "{p:?} {exact:?}");
            assert!(p[i][1].abs() <= 1e-300, "no friction, no tangential impulse");
        }
    }
}

/// A well-conditioned problem whose laws `change` fills in; returns it solved, with its velocities.
fn solved_with(
    random: &mut Random,
    n: usize,
    change: impl Fn(&mut Random, &mut Derived<2>, f64),
) -> (ContactProblem<2>, Vec<Vector<2>>, Vec<Vector<2>>) {
    let mut problem = random_problem(random, n, BodyKind::Deformable);
    for (i, law) in problem.laws.iter_mut().enumerate() {
        law.v_shift[0] = random.between(-0.3, 0.6);
        change(random, law, problem.operator.diagonal(i)[(0, 0)]);
    }
    problem.validate().unwrap();
    let mut p = zeros(n);
    let report = solve(&problem, &mut p, &SolverOptions { tolerance: 1e-12, ..SolverOptions::default() });
    assert!(report.converged, "{report:?}");
    assert!(certify(&problem, &p).unwrap().law_error <= 1.1e-12);
    let u = velocities(&problem, &p);
    (problem, u, p)
}

fn friction(law: &Derived<2>) -> f64 {
    match law.cone {
        Cone::Coulomb(mu) => mu,
        Cone::Open | Cone::Bilateral | Cone::Within { .. } | Cone::Turning(_) => {
            panic!("Coulomb contacts only")
        }
    }
}

/// 1e-10 of velocities and impulses of order one: residual 1e-12 with room for the ratio of scales of neighbours.
const CLOSE: f64 = 1e-10;

#[test]
fn compliant_law_by_its_own_statement() {
    // Elastic, with viscous friction: p_N = (−(U_N + a_N))₊ / B_N and p_T = −U_T/B_T cut off at ±μ p_N.
    let mut random = Random::new(48);
    for _ in 0..200 {
        let n = 1 + random.below(12);
        let (problem, u, p) = solved_with(&mut random, n, |random, law, w| {
            law.w_shift = Vector::<2>::new(w * random.between(0.05, 2.0), w * random.between(0.05, 2.0));
        });
        for (i, law) in problem.laws.iter().enumerate() {
            let normal = (-(u[i][0] + law.v_shift[0])).max(0.0) / law.w_shift[0];
            let bound = friction(law) * normal;
            let tangential = (-u[i][1] / law.w_shift[1]).clamp(-bound, bound);
            assert!((p[i] - Vector::<2>::new(normal, tangential)).norm() * law.w_shift.min() <= CLOSE);
        }
    }
}

/// Signorini and Coulomb for a pair (gap velocity and sliding velocity, impulse) of order one.
fn assert_coulomb(mu: f64, v: [f64; 2], p: [f64; 2]) {
    assert!(v[0].min(p[0]).abs() <= CLOSE, "Signorini {v:?} {p:?}");
    assert!(p[1].abs() <= mu * p[0] + CLOSE, "cone {v:?} {p:?}");
    if v[1].abs() > CLOSE {
        assert!((p[1] + v[1].signum() * mu * p[0]).abs() <= CLOSE, "sliding {v:?} {p:?}");
    }
}

#[test]
fn cohesive_law_by_its_own_statement() {
    // A strength c: p_N may go down to −c, and friction acts on p_N + c.
    let mut random = Random::new(49);
    let mut pulled = 0;
    for _ in 0..200 {
        let n = 1 + random.below(12);
        let (problem, u, p) = solved_with(&mut random, n, |random, law, w| {
            law.p_shift[0] = random.between(0.0, 0.5) / w;
        });
        for (i, law) in problem.laws.iter().enumerate() {
            let cohesion = law.p_shift[0];
            assert_coulomb(friction(law), [u[i][0] + law.v_shift[0], u[i][1]], [p[i][0] + cohesion, p[i][1]]);
            pulled += usize::from(p[i][0] < -0.1 * cohesion && u[i][0] + law.v_shift[0] < CLOSE);
        }
    }
    assert!(pulled > 50, "{pulled}");
}

#[test]
fn adhesive_spring_by_its_own_statement() {
    // Springs of stiffness k attract: R_N + k_N g⁺ ≥ 0 ⟂ g⁺ ≥ 0, and friction on R + k u, u_T⁺ = u_Tc + τ U_T.
    let mut random = Random::new(50);
    let (h, tau) = (0.5, 0.25);
    for _ in 0..200 {
        let n = 1 + random.below(12);
        let (problem, u, p) = solved_with(&mut random, n, |random, law, w| {
            let k = Vector::<2>::new(random.between(0.0, 8.0), random.between(0.0, 8.0)) / w;
            let place = Vector::<2>::new(tau * law.v_shift[0], random.between(-0.1, 0.1));
            law.spring = k * (h * tau);
            law.p_shift = k.component_mul(&place) * h;
        });
        for (i, law) in problem.laws.iter().enumerate() {
            let stiffness = law.spring / (h * tau);
            let start =
                Vector::<2>::from_fn(|k, _| if stiffness[k] > 0.0 { law.p_shift[k] / (h * stiffness[k]) } else { 0.0 });
            let end = start + u[i] * tau;
            let contact = p[i] / h + stiffness.component_mul(&end);
            assert_coulomb(friction(law), [end[0] / tau, u[i][1]], [contact[0] * h, contact[1] * h]);
        }
    }
}

#[test]
fn mixed_cones_open_bond_and_friction() {
    let mut random = Random::new(51);
    for _ in 0..100 {
        let n = 3 + random.below(12);
        let mut problem = random_problem(&mut random, n, BodyKind::Deformable);
        problem.laws[0].cone = Cone::Open;
        problem.laws[1].cone = Cone::Bilateral;
        let mut p = zeros(n);
        assert!(solve(&problem, &mut p, &SolverOptions::default()).converged);
        let u = velocities(&problem, &p);
        assert!(p[0].norm() < 1e-300);
        assert!((u[1] + problem.laws[1].v_shift).norm() < 1e-8);
        let status = statuses(&problem, &p);
        assert_eq!((status[0], status[1]), (Status::Open, Status::Bonded));
        assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-10);
    }
}

#[test]
fn prescribed_tangents_leave_singular_blocks() {
    let mut random = Random::new(52);
    for _ in 0..200 {
        let n = 2 + random.below(15);
        let mut problem = random_problem(&mut random, n, BodyKind::Deformable);
        // Every other contact has its tangential velocity prescribed, at rest or driven: its row and column of W vanish.
        let fixed = |i: usize, k: usize| i.is_multiple_of(2) && k == 1;
        let full = problem.operator.clone();
        problem.operator = BlockMatrix::dense(n, |i, j| {
            Matrix::<2>::from_fn(|k, l| if fixed(i, k) || fixed(j, l) { 0.0 } else { full.block(i, j)[(k, l)] })
        });
        for i in (0..n).step_by(2) {
            problem.v_free[i][1] = if random.below(2) == 0 { 0.0 } else { random.between(-1.0, 1.0) };
        }
        problem.validate().unwrap();
        let mut p = zeros(n);
        let report = solve(&problem, &mut p, &SolverOptions::default());
        assert!(report.converged, "{report:?}");
        assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-10);
        for i in (0..n).step_by(2).filter(|&i| problem.v_free[i][1] != 0.0) {
            let bound = friction(&problem.laws[i]) * p[i][0];
            assert!(
                (p[i][1] + problem.v_free[i][1].signum() * bound).abs() <= 1e-12 * (1.0 + bound),
                "driven contacts slide"
            );
        }
    }
}

#[test]
fn an_over_constrained_contact_never_converges() {
    let fixed = Matrix::<2>::new(0.0, 0.0, 0.0, 1.0);
    let problem = ContactProblem {
        operator: BlockMatrix::dense(1, |_, _| fixed),
        v_free: vec![Vector::<2>::new(-1.0, 0.0)],
        laws: vec![Derived::standard(Cone::Coulomb(0.3))],
    };
    let mut p = zeros(1);
    let report = solve(&problem, &mut p, &SolverOptions { max_iterations: 60, ..SolverOptions::default() });
    assert!(!report.converged && report.residual > 0.1 && report.iterations == 60, "{report:?}");
    assert!(p[0].norm() < 1e-300);
    assert!(certify(&problem, &p).unwrap().law_error > 0.1);
}

#[test]
fn giving_up_is_early_where_it_is_right_and_changes_nothing_elsewhere() {
    // A column of 60 disks: information travels one disk per sweep and there, so that thousands of sweeps are needed.
    let problem = column(60, 0.3);
    let plain = solve(&problem, &mut zeros(60), &SolverOptions::default());
    assert!(!plain.converged && plain.iterations == 5000, "{plain:?}");
    let early = solve_or_give_up(&problem, &mut zeros(60), &SolverOptions::default(), usize::MAX);
    assert!(!early.converged && early.iterations <= 1000, "{early:?}");
    assert!(matches!(early.end, StopReason::Slow { more } if more > 5000 - early.iterations), "{early:?}");
    // Where something cheap can take over, three looks are enough.
    let cheap = solve_or_give_up(&problem, &mut zeros(60), &SolverOptions::default(), 300);
    assert!(
        cheap.iterations == CHECK_EVERY && matches!(cheap.end, StopReason::Slow { more } if more > 300),
        "{cheap:?}"
    );
    // With a budget that suffices the same sweeps go on to the end.
    let patient = SolverOptions { max_iterations: 100_000, ..SolverOptions::default() };
    let (mut p, mut q) = (zeros(60), zeros(60));
    assert_eq!(solve(&problem, &mut p, &patient), solve_or_give_up(&problem, &mut q, &patient, usize::MAX));
    assert_eq!(p, q);
    let (mut random, mut too_early, mut right) = (Random::new(53), 0, 0);
    for case in 0..600 {
        let n = 1 + random.below(40);
        let problem = random_problem(&mut random, n, KINDS[case % 2]);
        let (mut p, mut q) = (zeros(n), zeros(n));
        let options = SolverOptions { max_iterations: 1000, ..SolverOptions::default() };
        let (plain, early) =
            (solve(&problem, &mut p, &options), solve_or_give_up(&problem, &mut q, &options, usize::MAX));
        if early.converged || early.iterations == options.max_iterations {
            assert!(plain == early && p == q, "case {case}");
        } else {
            too_early += usize::from(plain.converged);
            right += usize::from(!plain.converged);
        }
    }
    // Convergence is not steady, so a few are given up that would have arrived.
    assert!(too_early <= 6 && right >= 3, "{too_early} {right}");
}

#[test]
fn the_scale_of_a_contact_at_rest_is_a_part_of_the_fastest() {
    let problem = ContactProblem {
        operator: BlockMatrix::dense(2, |i, j| Matrix::<2>::identity() * if i == j { 0.5 } else { 0.0 }),
        v_free: vec![Vector::<2>::new(-3.0, 4.0), Vector::<2>::zeros()],
        laws: vec![Derived::standard(Cone::Coulomb(0.3)); 2],
    };
    let scales: Vec<ContactScale> = contact_solutions(&problem, &zeros(2)).iter().map(|out| out.scale).collect();
    for (scale, velocity) in scales.iter().zip([5.0, 5e-6]) {
        assert!(
            (scale.velocity / velocity - 1.0).abs() < 1e-15 && (scale.impulse * 0.5 / velocity - 1.0).abs() < 1e-15
        );
    }
}
