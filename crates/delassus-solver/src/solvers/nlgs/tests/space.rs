//! The sweeps in space: random bodies, certified; several cones; no direction preferred.

use std::time::Instant;

use super::*;
use crate::testing::space::{nothing, space_problem};

#[test]
fn random_problems_in_space_converge_and_are_certified() {
    let mut random = Random::new(54);
    let (mut seen, mut largest, mut stalled) = ([0_usize; 4], 0, 0);
    for case in 0..240 {
        let n = 1 + random.below(100);
        let kind = KINDS[case % 2];
        let problem = space_problem(&mut random, n, kind);
        problem.validate().unwrap();
        let mut p = nothing(n);
        let report = solve(&problem, &mut p, &SolverOptions::default());
        let certificate = certify(&problem, &p).unwrap();
        assert!((certificate.law_error - report.residual).abs() <= 1e-12 * report.residual.max(1.0), "case {case}");
        if !report.converged {
            // More contacts than freedoms: left to Newton's method, whose tests solve them all.
            assert!(kind == BodyKind::Rigid, "case {case} n {n}: {report:?}");
            stalled += 1;
            continue;
        }
        assert!(certificate.law_error <= 1.01e-10);
        largest = largest.max(n);
        for status in statuses(&problem, &p) {
            seen[usize::from(status.code())] += 1;
        }
    }
    assert!(largest > 90 && stalled <= 30, "{largest} {stalled}");
    assert!(seen[..3].iter().all(|&k| k > 300), "{seen:?}");
}

#[test]
fn turning_every_tangential_frame_turns_the_answer() {
    let mut random = Random::new(55);
    for _ in 0..20 {
        let n = 1 + random.below(30);
        let problem = space_problem(&mut random, n, BodyKind::Deformable);
        let turns: Vec<Matrix<3>> = (0..n)
            .map(|_| {
                let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
                Matrix::<3>::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos)
            })
            .collect();
        let mut turned = problem.clone();
        turned.operator = BlockMatrix::dense(n, |i, j| turns[i] * problem.operator.block(i, j) * turns[j].transpose());
        turned.v_free = (0..n).map(|i| turns[i] * problem.v_free[i]).collect();
        let (mut p, mut q) = (nothing(n), nothing(n));
        let options = SolverOptions { tolerance: 1e-12, ..SolverOptions::default() };
        let (one, other) = (solve(&problem, &mut p, &options), solve(&turned, &mut q, &options));
        assert!(one.converged && other.converged && one.iterations.abs_diff(other.iterations) <= 1);
        let size = p.iter().map(Vector::<3>::norm).fold(0.0, f64::max);
        for i in 0..n {
            // Residual 1e-12 times the condition of W, below 1e3 for these bodies.
            assert!((turns[i] * p[i] - q[i]).norm() <= 1e-9 * size);
        }
    }
}

#[test]
fn mixed_cones_and_prescribed_tangents_in_space() {
    let mut random = Random::new(56);
    for _ in 0..40 {
        let n = 4 + random.below(20);
        let mut problem = space_problem(&mut random, n, BodyKind::Deformable);
        problem.laws[0].cone = Cone::Open;
        problem.laws[1].cone = Cone::Bilateral;
        problem.laws[2].cone = Cone::Coulomb(0.4);
        // Both tangents of contact 2 are driven at a given speed.
        let full = problem.operator.clone();
        problem.operator = BlockMatrix::dense(n, |i, j| {
            let fixed = |contact: usize, k: usize| contact == 2 && k > 0;
            Matrix::<3>::from_fn(|k, l| if fixed(i, k) || fixed(j, l) { 0.0 } else { full.block(i, j)[(k, l)] })
        });
        problem.v_free[2] = Vector::<3>::new(-2.0, 0.6, 0.8);
        problem.validate().unwrap();
        let mut p = nothing(n);
        assert!(solve(&problem, &mut p, &SolverOptions::default()).converged);
        assert!(certify(&problem, &p).unwrap().law_error <= 1.01e-10);
        let status = statuses(&problem, &p);
        assert_eq!((status[0], status[1]), (Status::Open, Status::Bonded));
        let pull = Vector::<3>::new(0.0, -0.6, -0.8) * (0.4 * p[2][0]);
        assert!((p[2] - pull - Vector::<3>::new(p[2][0], 0.0, 0.0)).norm() <= 1e-11 * p[2].norm());
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "printed, not asserted: the time depends on the machine and the profile")]
fn time_of_a_sweep() {
    let mut random = Random::new(57);
    for (what, problem) in [
        ("full W, 100 contacts", space_problem(&mut random, 100, BodyKind::Deformable)),
        ("rigid bodies, 100 contacts", space_problem(&mut random, 100, BodyKind::Rigid)),
    ] {
        let mut times = [f64::INFINITY; 2];
        for (time, sweeps) in times.iter_mut().zip([5, 45]) {
            for _ in 0..3 {
                let start = Instant::now();
                let options = SolverOptions { tolerance: f64::MIN_POSITIVE, max_iterations: sweeps };
                let report = solve(&problem, &mut nothing(100), &options);
                *time = time.min(start.elapsed().as_secs_f64());
                assert!(report.iterations <= sweeps);
            }
        }
        println!("{what}: {:.0} ns per contact and sweep", (times[1] - times[0]) / (40.0 * 100.0) * 1e9);
    }
}
