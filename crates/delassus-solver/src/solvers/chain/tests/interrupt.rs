//! Someone asks to stop: every method hears it before it has done more than one of its parts, wherever it is.

use delassus_error::Interrupt;

use super::budget::sparse_column;
use super::*;

/// Work of a chain, and why its last method ended.
fn solved<const D: usize>(methods: &[Method], problem: &ContactProblem<D>, interrupt: &Interrupt) -> (u64, StopReason)
where
    Dimension<D>: LocalKernel<D>,
{
    let options = SolverOptions { max_iterations: 300, ..SolverOptions::default() };
    let mut p = vec![Vector::<D>::zeros(); problem.n()];
    let settings = ChainSettings { methods, options: &options, interrupt };
    let reports = solve_chain(&settings, problem, &mut p);
    (reports.iter().map(|r| r.work).sum(), reports.last().unwrap().end)
}

/// Between two looks no more than `part` is done.
fn check<const D: usize>(methods: &[Method], problem: &ContactProblem<D>, part: u64)
where
    Dimension<D>: LocalKernel<D>,
{
    let all = Interrupt::at_look(usize::MAX);
    let (total, _) = solved(methods, problem, &all);
    assert!(all.looks() > 10 && total > 3 * part, "{} looks, {total}", all.looks());
    let mut before = 0;
    for look in 0..all.looks() {
        let interrupt = Interrupt::at_look(look);
        let (done, end) = solved(methods, problem, &interrupt);
        assert!([StopReason::Interrupted, StopReason::Converged].contains(&end), "look {look}: {end:?}");
        assert!(done >= before && done - before <= part, "look {look} of {}: {before} to {done}", all.looks());
        // On the way out a few more looks, no more work.
        assert!(interrupt.looks() - look <= 5, "{} looks after it", interrupt.looks() - look);
        before = done;
    }
    assert!(total - before <= part);
}

#[test]
fn sweeps_pivots_and_newton_steps_hear_it() {
    let problem = sparse_column(40);
    let sweep = work::of_sweep(&problem.operator);
    check(&[Method::Nlgs], &problem, 3 * sweep);
    check(&[Method::Lemke], &problem, 2 * work::of_pivot(3 * 40));
    check(&[Method::Nlgs, Method::Lemke], &problem, 2 * work::of_pivot(3 * 40));
    let boxes = box_stack(4, 2, 0.7, FLAT);
    let (sweep, order) = (work::of_sweep(&boxes.operator), 3 * boxes.n());
    check(&[Method::Newton], &boxes, work::of_dense_factor(order) + 20 * sweep);
}

#[test]
fn a_long_sweep_hears_it_between_contacts() {
    // One sweep over 3000 contacts that do not see each other; asked to stop within it.
    let n = 3000;
    let rows = (0..n).map(|i| vec![(i, Matrix::<2>::identity())]).collect();
    let problem = ContactProblem::<2> {
        operator: BlockMatrix::from_rows(rows).unwrap(),
        v_free: vec![Vector::<2>::new(-1.0, 0.0); n],
        laws: vec![Derived::standard(Cone::Coulomb(0.3)); n],
    };
    let options = SolverOptions::default();
    let solved = |look: usize| {
        let interrupt = Interrupt::at_look(look);
        let mut p = zeros(n);
        solve_chain(
            &ChainSettings { methods: &[Method::Nlgs], options: &options, interrupt: &interrupt },
            &problem,
            &mut p,
        );
        p.iter().filter(|p| p[0] > 0.0).count()
    };
    assert_eq!([solved(0), solved(1), solved(2), solved(3)], [0, 1023, 2047, n]);
}

#[test]
fn what_comes_after_an_interrupted_method_is_not_tried() {
    let problem = sparse_column(40);
    let options = SolverOptions::default();
    let all = [Method::Nlgs, Method::Lemke, Method::Newton, Method::Nlgs];
    let settings = ChainSettings { methods: &all, options: &options, interrupt: &Interrupt::at_look(7) };
    let reports = solve_chain(&settings, &problem, &mut zeros(40));
    assert_eq!(solvers(&reports), ["nlgs"]);
    assert_eq!((reports[0].iterations, reports[0].end), (7, StopReason::Interrupted));
    assert!(reports[0].effort().ends_with(", interrupted)"));
}
