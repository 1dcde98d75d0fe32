//! Rolling and spinning resistance: closed forms, and Gauss–Seidel, Newton and the certificate against one another.

use delassus_error::Coded;

use crate::certificate::certify;
use crate::linalg::Vector;
use crate::problem::{Cone, ContactProblem, ResistanceLimits};
use crate::report::SolverOptions;
use crate::solution::contact_solutions;
use crate::solvers::{Method, newton, nlgs};
use crate::testing::Random;
use crate::testing::rolling::{Coefficients, ball, random_pile};
use crate::testing::space::nothing;
use crate::{SolverError, Status};

const TIGHT: SolverOptions = SolverOptions { tolerance: 1e-13, max_iterations: 20_000 };

fn solved(problem: &ContactProblem<3>) -> Vec<Vector<3>> {
    assert_eq!(problem.validate(), Ok(()));
    let mut p = nothing(problem.n());
    let report = nlgs::solve(problem, &mut p, &TIGHT);
    assert!(report.converged, "{report:?}");
    p
}

/// A ball of mass m = 1 and radius r = 1 lands with v_z = −1: p_N = 1. Rolling without slip it has m r² + I = 7/5; what moment and friction leave follows from both balances.
#[test]
fn a_ball_is_braked_as_in_closed_form() {
    let c = Coefficients { friction: 0.5, rolling: 0.1, spinning: 0.05 };
    // Rolling along x with v = ω_y r = 1: (7/5) Δv = −μ_r p_N/r, friction −Δv (I/m)/r² … = μ_r − (2/5)Δv.
    let p = solved(&ball([1.0, 0.0, -1.0], [0.0, 1.0, 0.0], c));
    let dv = -0.1 / 1.4;
    assert!((p[0][0] - 1.0).abs() < 1e-13 && (p[1].fixed_rows::<2>(1).norm() - 0.1).abs() < 1e-13, "{p:?}");
    // Force on the ball in x is m Δv; the frame's first tangent is x.
    assert!((p[0][1] - dv).abs() < 1e-12 && p[0][2].abs() < 1e-12, "{p:?}");
    // Slow rolling is stopped: the moment is (7/5) v.
    let p = solved(&ball([0.05, 0.0, -1.0], [0.0, 0.05, 0.0], c));
    assert!((p[1].fixed_rows::<2>(1).norm() - 0.07).abs() < 1e-12, "{p:?}");
    // Spin about the normal: ΔΩ = −μ_s p_N/I, stopped below that.
    let fast = ball([0.0, 0.0, -1.0], [0.0, 0.0, -3.0], c);
    let p = solved(&fast);
    assert!((p[1][0] - 0.05).abs() < 1e-13, "{p:?}");
    let out = contact_solutions(&fast, &p);
    assert!((out[1].velocity[0] + 3.0 - 0.05 * 2.5).abs() < 1e-12 && out[1].status == Status::Slip);
    assert!((out[1].push - 1.0).abs() < 1e-13 && (out[0].push - 1.0).abs() < 1e-13);
    let p = solved(&ball([0.0, 0.0, -1.0], [0.0, 0.0, 0.1], c));
    assert!((p[1][0] + 0.04).abs() < 1e-13, "{p:?}");
    // One that lifts off has no moment.
    assert!(solved(&ball([1.0, 0.0, 1.0], [0.0, 1.0, 2.0], c)).iter().all(|p| p.norm() < 1e-15));
}

/// The lever is a choice of units.
#[test]
fn the_lever_does_not_matter() {
    let c = Coefficients { friction: 0.3, rolling: 0.1, spinning: 0.05 };
    let mut problem = ball([1.0, 0.3, -1.0], [0.2, 0.5, 1.0], c);
    let p = solved(&problem);
    let lever = 1e-2;
    let scale = |i: usize, j: usize| [1.0, lever][i] * [1.0, lever][j];
    problem.operator = crate::BlockMatrix::dense(2, |i, j| problem.operator.row(i)[j].1 * scale(i, j));
    problem.v_free[1] *= lever;
    problem.laws[1].cone = Cone::Turning(ResistanceLimits { of: 0, spinning: 0.05 / lever, rolling: 0.1 / lever });
    let q = solved(&problem);
    assert!((q[0] - p[0]).norm() < 1e-12 && (q[1] * lever - p[1]).norm() < 1e-12);
}

#[test]
fn two_methods_and_the_certificate_agree_on_piles() {
    let mut random = Random::new(515);
    let mut newton_steps = 0;
    for k in 0..60 {
        let c = Coefficients {
            friction: [0.0, 0.3, 0.8][k % 3],
            rolling: if k % 5 == 0 { 0.0 } else { random.decades(-3.0, 0.0) },
            spinning: if k % 4 == 0 { 0.0 } else { random.decades(-3.0, 0.0) },
        };
        let problem = random_pile(&mut random, 1 + k % 9, c);
        assert_eq!(problem.validate(), Ok(()));
        let mut p = nothing(problem.n());
        let report = nlgs::solve(&problem, &mut p, &SolverOptions { tolerance: 1e-10, max_iterations: 20_000 });
        assert!(report.converged, "{k}: {report:?}");
        let judged = certify(&problem, &p).unwrap();
        assert!(judged.law_error < 1.2e-10 && judged.cone < 1e-9, "{judged:?}");
        // Anything else is seen: a moment too large, of the wrong sign, or none where it slips.
        for change in [1.01, -1.0, 0.5] {
            let slipping = contact_solutions(&problem, &p);
            let Some(i) =
                (0..problem.n()).find(|&i| i % 2 == 1 && slipping[i].status == Status::Slip && p[i].norm() > 1e-3)
            else {
                continue;
            };
            let mut wrong = p.clone();
            wrong[i] *= change;
            // The least is 1 % of a moment of 1e-3 among impulses of order one: far above the tolerance.
            assert!(certify(&problem, &wrong).unwrap().law_error > 1e-7);
        }
        // Cold start by Newton alone, without the sweeps before.
        let mut q = nothing(problem.n());
        let report =
            newton::solve_after(&problem, &mut q, &SolverOptions { tolerance: 1e-10, max_iterations: 400 }, 50);
        assert!(report.converged, "{k}: {report:?}");
        newton_steps += report.iterations;
        // Velocities are compared: impulses of a pile need not be unique.
        let (a, b) = (contact_solutions(&problem, &p), contact_solutions(&problem, &q));
        if c.friction == 0.0 {
            assert!(a.iter().zip(&b).all(|(a, b)| (a.velocity - b.velocity).norm() < 1e-7), "{k}");
        }
    }
    assert!(newton_steps > 60, "Newton's steps are what is tested: {newton_steps}");
}

#[test]
fn methods_that_know_no_moments_are_not_tried() {
    let problem = ball([1.0, 0.0, -1.0], [0.0; 3], Coefficients { friction: 0.5, rolling: 0.1, spinning: 0.0 });
    for method in [Method::Admm, Method::Interior, Method::Lemke] {
        assert!(!method.applies(&problem), "{method:?}");
    }
    assert!(Method::Newton.applies(&problem) && Method::Nlgs.applies(&problem));
    let mut lost = problem.clone();
    lost.laws[1].cone = Cone::Turning(ResistanceLimits { of: 7, spinning: 0.1, rolling: 0.1 });
    assert_eq!(lost.validate(), Err(SolverError::Moment { contact: 1, of: 7 }));
    assert_eq!(lost.validate().unwrap_err().code().0, "E0690");
    assert!(!nlgs::solve(&lost, &mut nothing(2), &TIGHT).converged);
    lost.laws[1].cone = Cone::Turning(ResistanceLimits { of: 0, spinning: -0.1, rolling: 0.1 });
    assert!(matches!(lost.validate(), Err(SolverError::Friction { .. })));
    // Written and read again.
    let text = serde_json::to_string(&problem).unwrap();
    assert_eq!(serde_json::from_str::<ContactProblem<3>>(&text).unwrap(), problem);
}
