//! What a fallback may do: counted, the same every time, told in the reports; and small problems are solved exactly as ever.

use super::*;

/// `n` disks on top of each other, with the blocks that are not zero alone.
pub(super) fn sparse_column(n: usize) -> ContactProblem<2> {
    let full = column(n, 0.3);
    let near = |i: usize| i.saturating_sub(1)..(i + 2).min(n);
    let rows = (0..n).map(|i| near(i).map(|j| (j, full.operator.block(i, j))).collect()).collect();
    ContactProblem { operator: BlockMatrix::from_rows(rows).unwrap(), ..full }
}

/// Few sweeps: what follows must do the work. The budget stays that of the usual number.
const SHORT: SolverOptions = SolverOptions { tolerance: 1e-10, max_iterations: 60 };

#[test]
fn lemke_is_not_started_where_it_costs_the_cube_of_a_sparse_problem() {
    let problem = sparse_column(700);
    let budget = work::budget(&problem.operator, &SHORT, work::LEMKE_SHARE);
    // 5000 sweeps of 3n − 2 blocks of four numbers and n kernels, times the share.
    assert_eq!(budget, work::LEMKE_SHARE * 5000 * (4 * (3 * 700 - 2) + 150 * 700));
    let mut p = zeros(700);
    let reports = solve_in_order(&BOTH, &problem, &mut p, &SHORT);
    assert_eq!(solvers(&reports), ["nlgs", "lemke"]);
    // With nothing else that it could leave the problem to, Gauss–Seidel does all its sweeps, and is heard last.
    assert_eq!((reports[0].iterations, reports[0].end), (60, StopReason::Budget));
    let StopReason::TooDear { work, budget: told } = reports[1].end else { panic!("{reports:?}") };
    // 3n/2 pivots of (3n)² numbers, read and written.
    assert!(told == budget && work > (3_u64 * 700).pow(3) && (reports[1].iterations, reports[1].work) == (0, 0));
    assert!(reports[1].residual.to_bits() == reports[0].residual.to_bits() && !reports[1].converged);
    assert!(reports[1].effort().starts_with("lemke not started ("), "{}", reports[1].effort());
    // What comes after it takes over.
    let all = [Method::Nlgs, Method::Lemke, Method::Newton];
    let reports = solve_in_order(&all, &problem, &mut zeros(700), &SHORT);
    assert_eq!(solvers(&reports), ["nlgs", "lemke", "newton"]);
    assert!(reports[2].converged && reports[2].work < 3 * budget, "{reports:?}");
    // Chosen, not fallen back on: any amount of work.
    let small = sparse_column(230);
    let alone = solve_in_order(&[Method::Lemke], &small, &mut zeros(230), &SolverOptions::default());
    assert!(alone[0].converged, "{alone:?}");
}

#[test]
fn a_full_problem_of_the_same_size_may_pivot() {
    // Sweeps over it cost as much as pivots do.
    let full = column(300, 0.3);
    let reports = solve_in_order(&BOTH, &full, &mut zeros(300), &SolverOptions { max_iterations: 700, ..SHORT });
    assert!(solvers(&reports) == ["nlgs", "lemke"] && reports[1].converged, "{reports:?}");
}

#[test]
fn small_problems_are_solved_by_pivoting_however_sparse() {
    for n in [2, 20, 120] {
        let problem = sparse_column(n);
        assert!(Method::Lemke.solver().expected_work(&problem) <= work::FLOOR);
        let mut p = zeros(n);
        let reports = solve_in_order(&BOTH, &problem, &mut p, &SolverOptions { max_iterations: 1 + 2 * n, ..SHORT });
        assert!(solvers(&reports) == ["nlgs", "lemke"] && reports[1].converged, "{reports:?}");
        assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-10);
    }
}

/// Every method ends where its allowance does, at most one of its own parts later, twice the same, and leaves no worse impulses.
#[test]
fn work_is_counted_and_ends_a_method_the_same_way_every_time() {
    let (never, options) = (Interrupt::never(), SolverOptions::default());
    let problem = sparse_column(90);
    let sweep = work::of_sweep(&problem.operator);
    for (method, part) in [
        (Method::Nlgs, 2 * sweep),
        (Method::Lemke, work::of_pivot(3 * 90)),
        (Method::Newton, work::of_dense_factor(2 * 90) + 20 * sweep),
    ] {
        let within = |most: u64| {
            let mut p = zeros(90);
            let place = ChainPlace { allowance: Allowance::of(most, &never), ..ChainPlace::alone(&never) };
            let report = method.solver().solve(&problem, &mut p, &options, place);
            (report, p)
        };
        let (free, _) = within(u64::MAX);
        assert!(free.work > 5 * part || method == Method::Newton, "{free:?}");
        let mut cut = 0;
        for tenths in 1..10 {
            let most = free.work * tenths / 10;
            let (report, p) = within(most);
            assert!(report.work <= most + part, "{report:?}");
            if !report.converged {
                assert_eq!(report.end, StopReason::Spent { budget: most }, "{report:?}");
                cut += 1;
            }
            assert!(report.residual <= 1.0 && report == within(most).0 && p == within(most).1);
        }
        assert!(cut > 0, "{method:?}");
        assert_eq!(within(free.work).0, free);
    }
}
