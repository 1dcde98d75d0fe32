//! Newton's method where Gauss–Seidel does well, where it stalls, and where W is singular; judged by the certificate.

use super::*;
use crate::certificate::certify;
use crate::problem::Cone;
use crate::testing::space::{FLAT, TILTED, box_stack, nothing, softened, space_problem, twins};
use crate::testing::{BodyKind, Random, column, coupled_problem, in_units, random_problem};

const KINDS: [BodyKind; 2] = [BodyKind::Deformable, BodyKind::Rigid];

/// Solves from nothing and asserts that the certificate agrees.
fn solved<const D: usize>(problem: &ContactProblem<D>, what: &str) -> (SolverReport, Vec<Vector<D>>)
where
    Dimension<D>: LocalKernel<D>,
{
    problem.validate().unwrap();
    let mut p = nothing(problem.n());
    let report = solve(problem, &mut p, &SolverOptions::default());
    assert!(report.converged, "{what}: {report:?}");
    // The same quantity by two codes; they differ by rounding only.
    assert!(certify(problem, &p).unwrap().law_error <= 1.01e-10, "{what}");
    (report, p)
}

fn stalls<const D: usize>(problem: &ContactProblem<D>) -> bool
where
    Dimension<D>: LocalKernel<D>,
{
    !nlgs::solve(problem, &mut nothing(problem.n()), &SolverOptions::default()).converged
}

#[test]
fn random_problems_in_the_plane_and_in_space() {
    let mut random = Random::new(101);
    let mut steps = 0;
    for case in 0..300 {
        let n = 1 + random.below(40);
        let problem = random_problem(&mut random, n, KINDS[case % 2]);
        steps += solved(&problem, &format!("plane {case}")).0.iterations;
    }
    for case in 0..120 {
        let n = 1 + random.below(if case < 100 { 40 } else { 100 });
        let problem = space_problem(&mut random, n, KINDS[case % 2]);
        steps += solved(&problem, &format!("space {case}, {n} contacts")).0.iterations;
    }
    assert!(steps > 100, "the sweeps at the start must not have solved all");
}

#[test]
fn impulses_agree_with_gauss_seidel_where_they_are_determined() {
    let mut random = Random::new(102);
    for _ in 0..40 {
        let n = 1 + random.below(40);
        let problem = space_problem(&mut random, n, BodyKind::Deformable);
        let mut q = nothing(n);
        let tight = SolverOptions { tolerance: 1e-12, ..SolverOptions::default() };
        assert!(nlgs::solve(&problem, &mut q, &tight).converged);
        let mut p = nothing(n);
        assert!(solve(&problem, &mut p, &tight).converged);
        let size = q.iter().map(Vector::<3>::norm).fold(0.0, f64::max);
        for (x, y) in p.iter().zip(&q) {
            // Residual 1e-12 times the condition of W, below 1e3 for these bodies.
            assert!((x - y).norm() <= 1e-9 * size);
        }
    }
}

#[test]
fn stacks_on_which_gauss_seidel_stalls() {
    let disks = column(60, 0.3);
    assert!(stalls(&disks));
    let (report, p) = solved(&disks, "column of disks");
    assert!(report.iterations <= 60, "{report:?}");
    // The ground stops 60 disks of mass one at 1 m/s.
    assert!((p[0][0] - 60.0).abs() < 1e-6);
    for (boxes, side, mu, motion) in [(10, 2, 0.7, FLAT), (20, 2, 0.3, FLAT), (4, 4, 0.7, FLAT), (10, 2, 0.7, TILTED)] {
        let stack = box_stack(boxes, side, mu, motion);
        let (_, p) = solved(&stack, &format!("{boxes} boxes"));
        if motion == FLAT {
            let ground: f64 = p.iter().take(side * side).map(|x| x[0]).sum();
            assert!((ground - boxes as f64).abs() < 1e-6 * boxes as f64, "{ground}");
        }
    }
    assert!(stalls(&box_stack(20, 2, 0.3, FLAT)) && stalls(&box_stack(10, 2, 0.7, TILTED)));
}

#[test]
fn contacts_posed_twice() {
    let mut random = Random::new(103);
    for case in 0..40 {
        let n = 1 + random.below(25);
        let once = random_problem(&mut random, n, KINDS[case % 2]);
        solved(&twins(&mut random, &once), &format!("plane {case}"));
        let once = space_problem(&mut random, n, KINDS[case % 2]);
        let twice = twins(&mut random, &once);
        let (_, p) = solved(&twice, &format!("space {case}"));
        if case % 2 == 0 {
            // Deformable: what two twins carry together is determined.
            let (_, q) = solved(&once, "once");
            let size = q.iter().map(Vector::<3>::norm).fold(0.0, f64::max);
            for (i, y) in q.iter().enumerate() {
                assert!((p[2 * i] + p[2 * i + 1] - y).norm() <= 1e-6 * size, "case {case}");
            }
        }
    }
    solved(&twins(&mut random, &box_stack(5, 2, 0.5, TILTED)), "boxes twice");
}

#[test]
fn bodies_rigid_but_for_a_trace() {
    let mut random = Random::new(104);
    for case in 0..20 {
        let n = 5 + random.below(40);
        let problem = space_problem(&mut random, n, BodyKind::Rigid);
        solved(&softened(&problem, 1e-12), &format!("space {case}"));
        let problem = random_problem(&mut random, n, BodyKind::Rigid);
        solved(&softened(&problem, 1e-12), &format!("plane {case}"));
    }
    solved(&softened(&box_stack(3, 5, 0.4, FLAT), 1e-12), "boxes on 25 contacts each");
    // Falling askew on 25 contacts each, load can go from contact to contact for 1e-8 of the velocities: the steps end at some 1e-10, and
    // what is asserted is ten times that.
    let askew = softened(&box_stack(3, 5, 0.4, TILTED), 1e-12);
    let report = solve(&askew, &mut nothing(75), &SolverOptions::default());
    assert!(report.residual <= 2e-9, "{report:?}");
}

#[test]
fn every_law_and_cone() {
    let mut random = Random::new(105);
    for case in 0..80 {
        let n = 3 + random.below(15);
        let mut problem = space_problem(&mut random, n, BodyKind::Deformable);
        for (i, law) in problem.laws.iter_mut().enumerate() {
            let w = problem.operator.diagonal(i)[(0, 0)];
            match (case + i) % 5 {
                0 => law.w_shift = Vector::<3>::from_fn(|_, _| w * random.between(0.05, 2.0)),
                1 => law.p_shift[0] = random.between(0.0, 0.5) / w,
                // Springs: through the standard form.
                2 if case % 2 == 0 => {
                    law.spring = Vector::<3>::from_fn(|_, _| random.between(0.0, 2.0) / w);
                    law.p_shift = law.spring.component_mul(&random.point()) * 0.3;
                }
                3 => law.cone = if case % 4 == 0 { Cone::Bilateral } else { Cone::Open },
                _ => {}
            }
        }
        solved(&problem, &format!("case {case}"));
    }
}

#[test]
fn strongly_coupled_contacts_and_large_friction() {
    // No body couples like this; not all have been seen to be solved, so that the rate is what is asserted.
    let (mut random, mut failed) = (Random::new(106), 0);
    for _ in 0..100 {
        let problem = coupled_problem(&mut random, 8, 17, 1.0);
        failed += usize::from(!solve(&problem, &mut nothing(8), &SolverOptions::default()).converged);
    }
    assert!(failed <= 5, "{failed}");
}

#[test]
fn the_same_bits_twice_and_units_do_not_matter() {
    let mut random = Random::new(107);
    for case in 0..10 {
        let n = 10 + random.below(30);
        let problem = random_problem(&mut random, n, KINDS[case % 2]);
        let (first, p) = solved(&problem, "first");
        let (second, q) = solved(&problem, "second");
        assert!(first == second && p == q);
        for (mass, length, time) in [(1e6, 1.0, 1.0), (1e-6, 1e6, 1e-6)] {
            // Powers of ten round: the path may differ where a decision is close, the verdict may not.
            solved(&in_units(&problem, mass, length, time), "other units");
        }
    }
}

#[test]
fn nothing_to_do_and_nothing_to_be_done() {
    let empty = ContactProblem::<3> {
        operator: BlockMatrix::dense(0, |_, _| Matrix::<3>::zeros()),
        v_free: vec![],
        laws: vec![],
    };
    assert!(solve(&empty, &mut [], &SolverOptions::default()).converged);
    let clean = space_problem(&mut Random::new(108), 6, BodyKind::Deformable);
    let (_, p) = solved(&clean, "clean");
    let mut again = p.clone();
    let report = solve(&clean, &mut again, &SolverOptions::default());
    assert!(report.converged && report.iterations == 0 && again == p);
    for value in [f64::NAN, f64::INFINITY] {
        let mut broken = clean.clone();
        broken.v_free[3][1] = value;
        let report = solve(&broken, &mut nothing(6), &SolverOptions::default());
        assert!(!report.converged && !report.residual.is_finite() && report.iterations == 0);
    }
    assert!(solve(&clean, &mut nothing(5), &SolverOptions::default()).residual.is_nan());
    // A contact that cannot move and closes: no solution, all others solved, and an end.
    let mut stuck = clean.clone();
    let full = clean.operator.clone();
    stuck.operator =
        BlockMatrix::dense(6, |i, j| if i == 2 || j == 2 { Matrix::<3>::zeros() } else { full.block(i, j) });
    stuck.v_free[2] = Vector::<3>::new(-1.0, 0.0, 0.0);
    stuck.laws[2].v_shift[0] = 0.0;
    let report = solve(&stuck, &mut nothing(6), &SolverOptions::default());
    assert!(!report.converged && report.residual > 0.1, "{report:?}");
}

#[test]
fn the_budget_is_hard_and_leaves_the_best() {
    let problem = box_stack(10, 2, 0.7, TILTED);
    let mut p = nothing(problem.n());
    let report = solve(&problem, &mut p, &SolverOptions { max_iterations: 2, ..SolverOptions::default() });
    assert!(!report.converged && report.iterations <= 2, "{report:?}");
    assert!((certify(&problem, &p).unwrap().law_error - report.residual).abs() < 1e-12);
}
