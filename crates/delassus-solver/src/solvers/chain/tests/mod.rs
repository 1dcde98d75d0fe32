//! Which method is tried, what it leaves, and that a dimension without Lemke's method passes it over.

mod budget;
mod interrupt;

use super::*;
use crate::certificate::certify;
use crate::linalg::Matrix;
use crate::local::{LocalBlock, LocalSolution, Status};
use crate::operator::BlockMatrix;
use crate::problem::{Cone, Derived};
use crate::report::StopReason;
use crate::solvers::{lemke, newton};
use crate::testing::space::{FLAT, box_stack, nothing};
use crate::testing::{BodyKind, Random, column, coupled_problem, random_problem, zeros};

const BOTH: [Method; 2] = [Method::Nlgs, Method::Lemke];

fn solvers(reports: &[SolverReport]) -> Vec<&'static str> {
    reports.iter().map(|r| r.solver).collect()
}

#[test]
fn the_first_that_converges_ends_the_chain() {
    let problem = random_problem(&mut Random::new(91), 12, BodyKind::Deformable);
    let (mut p, mut q) = (zeros(12), zeros(12));
    let reports = solve_in_order(&BOTH, &problem, &mut p, &SolverOptions::default());
    assert_eq!(reports, vec![nlgs::solve(&problem, &mut q, &SolverOptions::default())]);
    assert!(reports[0].converged && p == q);
    let reports = solve_in_order(&[Method::Lemke, Method::Nlgs], &problem, &mut zeros(12), &SolverOptions::default());
    assert_eq!(solvers(&reports), ["lemke"]);
}

#[test]
fn lemke_takes_over_from_a_stalling_gauss_seidel() {
    let problem = column(60, 0.3);
    let mut p = zeros(60);
    let reports = solve_in_order(&BOTH, &problem, &mut p, &SolverOptions::default());
    assert_eq!(solvers(&reports), ["nlgs", "lemke"]);
    assert!(!reports[0].converged && reports[0].iterations <= 1000 && reports[1].converged, "{reports:?}");
    assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-10);
    // With no other method the whole budget is used, even if the same method is named twice.
    for methods in [&[Method::Nlgs][..], &[Method::Nlgs, Method::Nlgs]] {
        let reports = solve_in_order(methods, &problem, &mut zeros(60), &SolverOptions::default());
        assert!(reports.len() == methods.len() && reports[0].iterations == 5000, "{reports:?}");
    }
}

#[test]
fn newton_takes_over_in_space_and_lemke_is_passed_over() {
    let problem = box_stack(10, 2, 0.7, FLAT);
    let mut p = nothing(problem.n());
    let all = [Method::Nlgs, Method::Lemke, Method::Newton];
    let reports = solve_in_order(&all, &problem, &mut p, &SolverOptions::default());
    assert_eq!(solvers(&reports), ["nlgs", "newton"]);
    assert!(!reports[0].converged && reports[1].converged, "{reports:?}");
    // Early, and both reports say why they ended.
    assert!(reports[0].iterations <= 250 && matches!(reports[0].end, StopReason::Slow { .. }), "{reports:?}");
    assert!(reports[0].effort().contains(" iterations of nlgs (residual ") && reports[1].end == StopReason::Converged);
    assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-10);
    assert!(solve_with(Method::Lemke, &problem, &mut p, &SolverOptions::default()).is_none());
}

/// A face whose contacts see each other over thirty neighbours, from the impulses of the step before: sweeps take hundreds, a few Newton steps are cheaper, and begin early.
#[test]
fn newton_takes_a_short_turn_on_full_operators() {
    let n = 40;
    let reach = |i: usize, j: usize| {
        let decay = delassus_math::exp(-(i.abs_diff(j) as f64) / 30.0);
        Matrix::<2>::identity() * if i == j { decay + 1e-3 } else { decay }
    };
    let pushed = |speed: f64| ContactProblem {
        operator: BlockMatrix::dense(n, reach),
        v_free: vec![Vector::<2>::new(-speed, 0.2 * speed); n],
        laws: vec![Derived::standard(Cone::Coulomb(0.3)); n],
    };
    let options = SolverOptions::default();
    let mut p = zeros(n);
    assert!(nlgs::solve(&pushed(1.0), &mut p, &options).converged);
    let problem = pushed(1.01);
    assert!(nlgs::solve(&problem, &mut p.clone(), &options).iterations > 100);
    let reports = solve_in_order(&[Method::Nlgs, Method::Newton], &problem, &mut p, &options);
    assert_eq!(solvers(&reports), ["nlgs", "newton"]);
    // Two looks at the residual are enough; all stick at the solution, so that the system is linear once the statuses are found.
    assert!(reports[0].iterations == 8 && matches!(reports[0].end, StopReason::Slow { .. }), "{reports:?}");
    assert!(reports[1].converged && reports[1].iterations <= 8, "{reports:?}");
    assert!(reports.iter().all(|r| !r.is_fallback), "both are one way to the solution");
    assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-10);
}

#[test]
fn newton_takes_any_number_of_contacts_unless_its_matrix_is_full() {
    let n = newton::MAX_COMPONENTS / 3 + 1;
    let rows = (0..n).map(|i| vec![(i, Matrix::<3>::identity())]).collect();
    let mut problem = ContactProblem::<3> {
        operator: BlockMatrix::from_rows(rows).unwrap(),
        v_free: vec![Vector::<3>::new(-1.0, 0.0, 0.0); n],
        laws: vec![Derived::standard(Cone::Coulomb(0.3)); n],
    };
    let methods = [Method::Newton, Method::Nlgs];
    let reports = solve_in_order(&methods, &problem, &mut nothing(n), &SolverOptions::default());
    assert_eq!(solvers(&reports), ["newton"]);
    assert!(reports[0].converged, "{reports:?}");
    // Springs make it full.
    problem.laws[0].spring[0] = 1.0;
    let reports = solve_in_order(&methods, &problem, &mut nothing(n), &SolverOptions::default());
    assert_eq!(solvers(&reports), ["nlgs"]);
    assert_eq!(newton::solve(&problem, &mut nothing(n), &SolverOptions::default()).iterations, 0);
}

#[test]
fn when_all_fail_the_best_impulses_are_left_and_the_last_report_is_theirs() {
    let options = SolverOptions { max_iterations: 3, ..SolverOptions::default() };
    let problem = random_problem(&mut Random::new(92), 20, BodyKind::Deformable);
    for methods in [[Method::Nlgs, Method::Lemke], [Method::Lemke, Method::Nlgs]] {
        let mut p = zeros(20);
        let reports = solve_in_order(&methods, &problem, &mut p, &options);
        assert!(reports.len() == 2 && reports.iter().all(|r| !r.converged), "{reports:?}");
        assert!((certify(&problem, &p).unwrap().law_error - reports[1].residual).abs() < 1e-12);
        let least = reports.iter().map(|r| r.residual).fold(f64::INFINITY, f64::min);
        assert!(reports[1].residual <= least);
    }
}

#[test]
fn a_method_that_makes_matters_worse_is_not_followed() {
    // One sweep from near a solution can lead away from it where contacts are strongly coupled.
    let (mut random, mut dropped) = (Random::new(95), 0);
    let options = SolverOptions { max_iterations: 1, tolerance: 1e-14 };
    for _ in 0..200 {
        let problem = coupled_problem(&mut random, 8, 17, 1.0);
        let mut start = zeros(8);
        assert!(lemke::solve(&problem, &mut start, &SolverOptions::default()).converged);
        for x in &mut start {
            *x += random.vector() * 1e-3;
        }
        let mut p = start.clone();
        let reports = solve_in_order(&[Method::Lemke, Method::Nlgs], &problem, &mut p, &options);
        assert!(reports.len() == 2 && reports[1].residual <= reports[0].residual, "{reports:?}");
        assert!((certify(&problem, &p).unwrap().law_error - reports[1].residual).abs() < 1e-12);
        dropped += usize::from(p == start);
    }
    assert!((1..200).contains(&dropped), "{dropped}");
}

#[test]
fn nothing_to_try_changes_nothing() {
    let problem = random_problem(&mut Random::new(93), 5, BodyKind::Rigid);
    let mut p = zeros(5);
    assert!(solve_in_order(&[], &problem, &mut p, &SolverOptions::default()).is_empty());
    assert_eq!(p, zeros(5));
    let mut wrong = problem.clone();
    wrong.v_free[0][0] = f64::NAN;
    let reports = solve_in_order(&BOTH, &wrong, &mut p, &SolverOptions::default());
    assert!(reports.len() == 2 && reports[1].residual.is_nan() && !reports[1].converged);
}

#[test]
fn names_in_cases_and_reports() {
    assert_eq!(serde_json::to_string(&BOTH).unwrap(), "[\"Nlgs\",\"Lemke\"]");
    assert_eq!(serde_json::from_str::<Method>("\"Lemke\"").unwrap(), Method::Lemke);
    assert_eq!(serde_json::from_str::<Method>("\"Newton\"").unwrap(), Method::Newton);
    assert_eq!(serde_json::from_str::<Method>("\"Admm\"").unwrap(), Method::Admm);
    assert!(serde_json::from_str::<Method>("\"Jacobi\"").is_err());
    for method in [Method::Nlgs, Method::Lemke, Method::Newton, Method::Interior] {
        let problem = random_problem(&mut Random::new(94), 3, BodyKind::Deformable);
        let report = solve_with(method, &problem, &mut zeros(3), &SolverOptions::default()).unwrap();
        assert_eq!(report.solver, method.name());
    }
}

/// Contacts on a line, for a dimension that has no Lemke's method.
impl LocalKernel<1> for Dimension<1> {
    type Prepared = ();

    fn prepare(_shifted: &Matrix<1>) {}

    fn extreme_eigenvalues(w: &Matrix<1>) -> (f64, f64) {
        (w[0], w[0])
    }

    fn solve(w: &Matrix<1>, b: &Vector<1>) -> Vector<1> {
        Vector::<1>::new(b[0] / w[0])
    }

    fn coulomb(block: &LocalBlock<1>, v_free: &Vector<1>, _mu: f64, _last: &Vector<1>) -> LocalSolution<1> {
        let impulse = Vector::<1>::new((-v_free[0] / block.largest()).max(0.0));
        LocalSolution { impulse, status: if v_free[0] > 0.0 { Status::Open } else { Status::Stick }, several: false }
    }
}

#[test]
fn a_dimension_without_lemke_passes_it_over() {
    let problem = ContactProblem::<1> {
        operator: BlockMatrix::dense(2, |i, j| Matrix::<1>::new(if i == j { 2.0 } else { -1.0 })),
        v_free: vec![Vector::<1>::new(-1.0); 2],
        laws: vec![Derived::standard(Cone::Coulomb(0.0)); 2],
    };
    let mut p = vec![Vector::<1>::zeros(); 2];
    assert!(solve_with(Method::Lemke, &problem, &mut p, &SolverOptions::default()).is_none());
    let reports = solve_in_order(&[Method::Lemke, Method::Nlgs], &problem, &mut p, &SolverOptions::default());
    assert_eq!(solvers(&reports), ["nlgs"]);
    // 2x − x = 1 at both: one each.
    assert!(reports[0].converged && p.iter().all(|x| (x[0] - 1.0).abs() < 1e-9));
}
