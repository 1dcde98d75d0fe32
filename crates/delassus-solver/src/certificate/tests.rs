//! The certificate on cases whose errors are known by hand.

use super::*;
use crate::operator::BlockMatrix;
use crate::{AlongMargin, Margin, SolverOptions};

fn one(w: Matrix<2>, v_free: [f64; 2], cone: Cone) -> ContactProblem<2> {
    ContactProblem {
        operator: BlockMatrix::dense(1, |_, _| w),
        v_free: vec![Vector::<2>::from(v_free)],
        laws: vec![Derived::standard(cone)],
    }
}

fn judge(problem: &ContactProblem<2>, p: [f64; 2]) -> Certificate {
    certify(problem, &[Vector::<2>::from(p)]).unwrap()
}

const W: Matrix<2> = Matrix::<2>::new(2.0, 0.0, 0.0, 1.0);

fn check(found: f64, expected: f64) {
    // Three or four roundings of numbers of order one.
    assert!((found - expected).abs() < 1e-14, "{found} instead of {expected}");
}

#[test]
fn exact_solutions_have_no_error() {
    // Open; stick; slip: p_N = 1, v_T = 3 − 0.5 = 2.5 against p_T = −0.5.
    for (v_free, p) in [([1.0, 1.0], [0.0, 0.0]), ([-2.0, 0.25], [1.0, -0.25]), ([-2.0, 3.0], [1.0, -0.5])] {
        let c = judge(&one(W, v_free, Cone::Coulomb(0.5)), p);
        check(c.law_error, 0.0);
        check(c.penetration + c.traction + c.cone + c.complementarity, 0.0);
    }
}

#[test]
fn penetration_and_its_natural_map() {
    // p = 0, ṽ = (−2, 0): ρ = 1/2, P_K(ρ·2, 0) = (1, 0); e = 1/(ρ V) = 1/(½·2) = 1.
    let c = judge(&one(W, [-2.0, 0.0], Cone::Coulomb(0.5)), [0.0, 0.0]);
    check(c.penetration, 2.0);
    check(c.law_error, 1.0);
    assert_eq!(c.worst, Some(0));
}

#[test]
fn traction_cone_and_complementarity() {
    // p = (−1, 0), v_free = (2, 0): ṽ = 0; p̃ is projected on 0, e = 1/(½·2) = 1.
    let c = judge(&one(W, [2.0, 0.0], Cone::Coulomb(0.5)), [-1.0, 0.0]);
    check(c.traction, 1.0);
    check(c.cone, 0.5);
    check(c.law_error, 1.0);
    // Stick with p_T = 0.8 beyond μ p_N = 0.5: projection of (1, 0.8) is 1.4/1.25·(1, ½) = (1.12, 0.56).
    let c = judge(&one(W, [-2.0, -0.8], Cone::Coulomb(0.5)), [1.0, 0.8]);
    check(c.cone, 0.3);
    let scale = (2.0 * 1.0_f64.hypot(0.8)).max(2.0_f64.hypot(0.8));
    check(c.law_error, 0.12_f64.hypot(0.24) / (0.5 * scale));
    // Force at a distance: ṽ_N = 1, p_N = 1.
    let c = judge(&one(W, [-1.0, 0.0], Cone::Coulomb(0.5)), [1.0, 0.0]);
    check(c.complementarity, 1.0);
    check(c.law_error, 0.5 / (0.5 * 2.0));
}

#[test]
fn shifts_and_springs_enter_by_the_laws_statement() {
    // a = (1, 0), B = (2, 0): ṽ_N = U_N + 1 + 2 p_N. U_N = −5 + 2 p_N, so p_N = 1 solves.
    let mut problem = one(W, [-5.0, 0.0], Cone::Coulomb(0.0));
    problem.laws[0].v_shift[0] = 1.0;
    problem.laws[0].w_shift[0] = 2.0;
    check(judge(&problem, [1.0, 0.0]).law_error, 0.0);
    // s_N = 1, S_N = 3, ṽ_N = U_N = 0: p̃_N = p_N + 1 with p_N = −½ holds U_N = 1 − 2·½ = 0.
    let mut problem = one(W, [1.0, 0.0], Cone::Coulomb(0.0));
    problem.laws[0].p_shift[0] = 1.0;
    problem.laws[0].spring[0] = 3.0;
    check(judge(&problem, [-0.5, 0.0]).law_error, 0.0);
    // W̃_NN = 2/(1 + 2·3) = 2/7 < 1 = W̃_TT: λmax is tangential. With p_N = −1: U_N = −1, p̃_N = −3.
    let c = judge(&problem, [-1.0, 0.0]);
    check(c.penetration, 1.0);
    check(c.traction, 3.0);
    // p̃ − ρṽ = (−3 + 1, 0) is projected to the apex; V = max(|−1 + 3·2/7|, 1·3) = 3.
    check(c.law_error, 3.0 / 3.0);
}

#[test]
fn open_and_bonded_contacts() {
    let c = judge(&one(W, [-1.0, 0.0], Cone::Open), [0.0, 0.0]);
    check(c.law_error, 0.0);
    let c = judge(&one(W, [-1.0, 0.0], Cone::Open), [1.0, 0.0]);
    check(c.traction, 1.0);
    check(c.law_error, 1.0);
    let c = judge(&one(W, [2.0, -1.0], Cone::Bilateral), [-1.0, 1.0]);
    check(c.law_error, 0.0);
    let c = judge(&one(W, [2.0, 0.0], Cone::Bilateral), [0.0, 0.0]);
    check(c.law_error, 1.0);
}

#[test]
fn contacts_without_mobility() {
    let still = Matrix::<2>::zeros();
    check(judge(&one(still, [1.0, 2.0], Cone::Coulomb(0.5)), [0.0, 0.0]).law_error, 0.0);
    check(judge(&one(still, [-1.0, 0.0], Cone::Coulomb(0.5)), [0.0, 0.0]).law_error, 1.0);
    check(judge(&one(still, [1.0, 0.0], Cone::Coulomb(0.5)), [7.0, 0.0]).law_error, 1.0);
    check(judge(&one(still, [1.0, 0.0], Cone::Open), [0.0, 0.0]).law_error, 0.0);
    check(judge(&one(still, [1.0, 0.0], Cone::Open), [1.0, 0.0]).law_error, 1.0);
}

#[test]
fn the_worst_contact_and_the_floor_of_the_scale() {
    let problem = ContactProblem {
        operator: BlockMatrix::from_rows((0..3).map(|i| vec![(i, W)]).collect()).unwrap(),
        v_free: vec![Vector::<2>::new(1.0, 0.0), Vector::<2>::new(-1e-9, 0.0), Vector::<2>::new(1.0, 0.0)],
        laws: vec![Derived::standard(Cone::Coulomb(0.5)); 3],
    };
    let c = certify(&problem, &[Vector::<2>::zeros(); 3]).unwrap();
    assert_eq!(c.worst, Some(1));
    // Judged against 1e-6 of the fastest contact, not against itself.
    check(c.errors[1] * 1e3, 1.0);
    check(c.errors[0] + c.errors[2], 0.0);
}

#[test]
fn three_dimensions_need_nothing_new() {
    // Sliding along (0.6, 0.8): p_T = −μ p_N (0.6, 0.8).
    let problem = ContactProblem::<3> {
        operator: BlockMatrix::dense(1, |_, _| Matrix::<3>::identity()),
        v_free: vec![Vector::<3>::new(-2.0, 6.0, 8.0)],
        laws: vec![Derived::standard(Cone::Coulomb(0.5))],
    };
    let exact = Vector::<3>::new(2.0, -0.6, -0.8);
    check(certify(&problem, &[exact]).unwrap().law_error, 0.0);
    let turned = Vector::<3>::new(2.0, -0.8, -0.6);
    assert!(certify(&problem, &[turned]).unwrap().law_error > 0.01);
}

#[test]
fn faults_of_the_data() {
    let problem = one(W, [-1.0, 0.0], Cone::Coulomb(0.5));
    assert!(matches!(certify(&problem, &[]), Err(SolverError::SizeMismatch { what: "p", expected: 1, found: 0 })));
    let c = judge(&one(W, [f64::NAN, 0.0], Cone::Coulomb(0.5)), [0.0, 0.0]);
    assert!(c.law_error.is_nan() && c.worst == Some(0));
    assert!(judge(&problem, [f64::INFINITY, 0.0]).law_error.is_nan());
    let empty = ContactProblem::<2> { operator: BlockMatrix::dense(0, |_, _| W), v_free: vec![], laws: vec![] };
    assert_eq!(certify(&empty, &[]).unwrap().worst, None);
}

/// A thick graph: what is within both margins of the law passes, by the certificate and by the solver's own residual; twice as far does not.
#[test]
fn margins_are_those_of_the_relaxed_law() {
    let (tolerance, h, tau) = (1e-4, 1e-3, 5e-4);
    // Δq = 1 µm, ΔR = 2 N at a contact of mobility 0.3 /kg: Δq/τ = 2 mm/s, λ h ΔR = 0.6 mm/s.
    let (gap, force, lambda) = (1e-6, 2.0, 0.3);
    let margin = Margin { velocity: gap / tau / tolerance, impulse: h * force / tolerance, along: None };
    let error = |v: f64, p: f64| {
        let law = Derived { margin, ..Derived::standard(Cone::Coulomb(0.4)) };
        let problem = ContactProblem {
            operator: BlockMatrix::dense(1, |_, _| Matrix::<2>::identity() * lambda),
            v_free: vec![Vector::<2>::new(v - lambda * p, 0.0)],
            laws: vec![law],
        };
        let p = vec![Vector::<2>::new(p, 0.0)];
        let report =
            crate::solvers::nlgs::solve(&problem, &mut p.clone(), &SolverOptions { tolerance, max_iterations: 0 });
        let certified = certify(&problem, &p).unwrap().law_error;
        assert!((report.residual - certified).abs() <= 1e-12 * certified, "{report:?} {certified:e}");
        certified
    };
    // A push of 1000 N across a gap that is a little open or closed, and a gap of 1 mm across which there is a little force.
    let (push, open) = (1000.0 * h, 1e-3 / tau);
    let slack = f64::min(gap / tau, lambda * h * force);
    for sign in [-1.0, 1.0] {
        assert!(error(sign * 0.99 * slack, push) <= tolerance);
        assert!(error(sign * 2.0 * slack, push) > tolerance);
        assert!(error(open, sign * 0.99 * slack / lambda) <= tolerance);
        assert!(error(open, sign * 2.0 * slack / lambda) > tolerance);
    }
    assert!(error(0.0, push) < 1e-15 && error(open, 0.0) < 1e-15);
}

/// Jean's four margins: those of Signorini's condition and those of Coulomb's law are judged apart, by the certificate, by the solver's own residual, and by
/// the law's statement.
#[test]
fn four_margins_are_those_of_two_relaxed_laws() {
    let (tolerance, h, lambda) = (1e-4, 1e-3, 0.3);
    // Across 2 mm/s and 2 N (0.6 mm/s), along 50 mm/s and 100 N (30 mm/s).
    let (across, along) = (f64::min(2e-3, lambda * h * 2.0), f64::min(0.05, lambda * h * 100.0));
    let margin = Margin {
        velocity: 2e-3 / tolerance,
        impulse: h * 2.0 / tolerance,
        along: Some(AlongMargin { velocity: 0.05 / tolerance, impulse: h * 100.0 / tolerance }),
    };
    let error = |margin: Margin, v: [f64; 2], p: [f64; 2]| {
        let (v, p) = (Vector::<2>::from(v), Vector::<2>::from(p));
        let problem = ContactProblem {
            operator: BlockMatrix::dense(1, |_, _| Matrix::<2>::identity() * lambda),
            v_free: vec![v - p * lambda],
            laws: vec![Derived { margin, ..Derived::standard(Cone::Coulomb(0.4)) }],
        };
        let report = crate::solvers::nlgs::solve(&problem, &mut [p], &SolverOptions { tolerance, max_iterations: 0 });
        let certified = certify(&problem, &[p]).unwrap().law_error;
        assert!((report.residual - certified).abs() <= 1e-12 * certified, "{report:?} {certified:e}");
        let out = crate::solution::contact_solutions(&problem, &[p])[0];
        let own = crate::law::statement::contact(out.velocity[0], 0.4, &out.velocity, &out.impulse, &out.scale);
        (certified, own)
    };
    let push = 1000.0 * h;
    let passes = |v: [f64; 2], p: [f64; 2]| {
        let (certified, own) = error(margin, v, p);
        assert_eq!(certified <= tolerance, own <= tolerance, "{certified:e} {own:e}");
        certified <= tolerance
    };
    // A drag a little beyond the bound of friction: within ΔR_T, by far beyond ΔR_N.
    let drag = |part: f64| [push, 0.4 * push + part * along / lambda];
    assert!(passes([0.0, 0.0], drag(0.5)) && !passes([0.0, 0.0], drag(3.0)));
    let alike = Margin { along: None, ..margin };
    assert!(error(alike, [0.0, 0.0], drag(0.5)).0 > tolerance);
    // A gap a little closed is not excused by the margins of friction.
    for sign in [-1.0, 1.0] {
        assert!(passes([sign * 0.9 * across, 0.0], [push, 0.0]));
        assert!(!passes([sign * 3.0 * across, 0.0], [push, 0.0]));
    }
    // A creep while the drag is below the bound: within ΔU_T, though μ times it is beyond the margin across.
    let creep = |part: f64| error(margin, [0.0, part * along], [push, -0.3 * push]);
    assert!(creep(0.9).0 <= tolerance && creep(2.0).0 > tolerance && 0.4 * 0.9 * along > across);
    // The statement multiplies speed and missing drag (see there): it is not stricter.
    assert!(creep(0.9).1 <= tolerance);
}

/// A row of bodies at rest: velocities of 1e-202 m/s are judged like any others, by the certificate and by the law's own scale.
#[test]
fn velocities_whose_squares_vanish_are_judged() {
    for speed in [1.0, 1e-100, 1e-202, 1e-290] {
        let problem = ContactProblem {
            operator: BlockMatrix::from_rows(vec![vec![(0, Matrix::<2>::identity() * 3.0)]]).unwrap(),
            v_free: vec![Vector::<2>::new(speed, 0.0)],
            laws: vec![Derived::standard(Cone::Coulomb(0.3))],
        };
        let open = certify(&problem, &[Vector::<2>::zeros()]).unwrap();
        assert!(open.law_error <= 0.0, "{speed:e}: {:e}", open.law_error);
        let scale = crate::solution::contact_solutions(&problem, &[Vector::<2>::zeros()])[0].scale;
        assert!((scale.velocity / speed - 1.0).abs() < 1e-15 && scale.impulse.is_finite(), "{speed:e}: {scale:?}");
        // An approach that nothing stops is wrong by its whole size, however slow.
        let closing = ContactProblem { v_free: vec![Vector::<2>::new(-speed, 0.0)], ..problem };
        let error = certify(&closing, &[Vector::<2>::zeros()]).unwrap().law_error;
        assert!((error - 1.0).abs() < 1e-12, "{speed:e}: {error:e}");
        let mut p = [Vector::<2>::zeros()];
        let report = crate::nlgs::solve(&closing, &mut p, &SolverOptions::default());
        let solved = certify(&closing, &p).unwrap().law_error;
        assert!(report.converged && solved < 1e-9, "{speed:e}: {solved:e}");
        assert!((p[0][0] / (speed / 3.0) - 1.0).abs() < 1e-9, "{speed:e}: {:e}", p[0][0]);
    }
}
