//! Friction with an elliptic cone against its closed forms.

use super::driven::Driven;
use super::*;
use crate::certify;
use crate::problem::ConeSection;
use crate::testing::BodyKind;
use crate::testing::space::space_problem;

const LAW: EllipticFriction = EllipticFriction { along: 0.2, across: 0.5, direction: [1.0, 0.0, 0.0] };

pub(super) fn some(random: &mut Random) -> Vec<LawSpec> {
    let law = EllipticFriction {
        along: random.between(0.05, 1.2),
        across: random.between(0.05, 1.2),
        direction: std::array::from_fn(|_| random.between(-1.0, 1.0)),
    };
    vec![LawSpec::EllipticFriction(law), LawSpec::EllipticFriction(EllipticFriction { across: law.along, ..law })]
}

/// On a plane whose normal is z: tangents y and −x, so that the direction x is the second tangent, backwards.
fn on_floor(law: EllipticFriction, h: f64, mobility: f64) -> Driven<3> {
    let mut point = Driven::<3>::of_mobility(LawSpec::EllipticFriction(law), h, mobility);
    point.frame = Matrix::<3>::from_columns(&[
        Vector::<3>::new(0.0, 0.0, 1.0),
        Vector::<3>::new(0.0, 1.0, 0.0),
        Vector::<3>::new(-1.0, 0.0, 0.0),
    ]);
    point
}

/// World (x, y) to the local frame of that plane, under a push.
fn local(normal: f64, x: f64, y: f64) -> Vector<3> {
    Vector::<3>::new(normal, y, -x)
}

/// A point led along in any direction: p_i = −p_N μ_i² U_i/√(Σ μ_j² U_j²), and no other drag of the ellipse would take more power.
#[test]
fn the_drag_is_the_one_of_the_ellipse_that_loses_most() {
    let push = 10.0;
    for i in 0..24 {
        let (sin, cos) = (0.13 + f64::from(i) * std::f64::consts::PI / 12.0).sin_cos();
        let mut point = on_floor(LAW, 1e-3, 1e-9);
        let done = point.advance(local(-1e-9 * push * 1e-3, 0.3 * cos, 0.3 * sin));
        let force = done.force(&point.step);
        let (fx, fy) = (-force[2], force[1]);
        let root = (0.2 * cos).hypot(0.5 * sin);
        let exact = [-push * 0.04 * cos / root, -push * 0.25 * sin / root];
        assert!((fx - exact[0]).hypot(fy - exact[1]) < 1e-9 * push, "{i}: {fx} {fy} {exact:?}");
        let power = -(fx * cos + fy * sin);
        for k in 0..3600 {
            let (s, c) = (f64::from(k) * std::f64::consts::PI / 1800.0).sin_cos();
            assert!(-(0.2 * push * c * cos + 0.5 * push * s * sin) <= power * (1.0 + 1e-12));
        }
        // The drag is not opposite to the motion but along the axes.
        assert!((fx * sin - fy * cos).abs() > 0.1 || (cos * sin).abs() < 0.2, "{i}");
    }
}

/// What the ellipse holds sticks; beyond it slides, towards the normal of the ellipse at the drag.
#[test]
fn a_pull_slides_where_it_leaves_the_ellipse() {
    for i in 0..12 {
        let (sin, cos) = (0.2 + f64::from(i) * std::f64::consts::PI / 6.0).sin_cos();
        for (part, slides) in [(0.999, false), (1.001, true)] {
            let mut point = on_floor(LAW, 1e-3, 0.5);
            let (fx, fy) = (2.0 * cos * part, 5.0 * sin * part);
            let done = point.push(local(-10.0, fx, fy));
            assert_eq!(done.out.status == Status::Slip, slides, "{i} {part}");
            if slides {
                let (ux, uy) = (-done.out.velocity[2], done.out.velocity[1]);
                let (nx, ny) = (cos / 2.0, sin / 5.0);
                // The drag is that of the pull but for what it exceeds the ellipse by.
                assert!((ux * ny - uy * nx).abs() < 0.02 * ux.hypot(uy) * nx.hypot(ny) && ux * nx + uy * ny > 0.0);
            }
        }
    }
}

/// A block that slides freely: dU_1/dU_2 = (μ_1/μ_2)² U_1/U_2, so that U_2 = C U_1^((μ_2/μ_1)²), and with μ_2² = 2 μ_1², U_2 = C U_1²,
/// t = ∫ √(μ_1² + μ_2² C² U²)/(g μ_1²) dU: it turns towards direction 1 and stops at t(U_1 = 0).
#[test]
fn a_free_block_turns_towards_the_lesser_friction() {
    let (along, gravity, start) = (0.2_f64, 9.81, 1.0_f64);
    let across = along * 2.0_f64.sqrt();
    let c = start / (start * start);
    // ∫₀ᵘ √(a² + b² x²) dx with a = μ_1, b = μ_2 C.
    let integral = |u: f64| {
        let (a, b) = (along, across * c);
        let root = (a * a + b * b * u * u).sqrt();
        0.5 * (u * root + a * a / b * (b * u / a).asinh())
    };
    let time_to = |u: f64| (integral(start) - integral(u)) / (gravity * along * along);
    let run = |n: u32| {
        let h = time_to(0.4) / f64::from(n);
        let law = EllipticFriction { along, across, ..LAW };
        let mut point = on_floor(law, h, 1.0);
        point.velocity = local(0.0, start, start);
        for _ in 0..n {
            point.push(local(-gravity, 0.0, 0.0));
        }
        let (u1, u2) = (-point.velocity[2], point.velocity[1]);
        [u1 - 0.4, u2 - c * 0.16]
    };
    let (coarse, fine) = (run(200), run(400));
    for k in 0..2 {
        assert!(fine[k].abs() < 2e-3 && (coarse[k] / fine[k] - 2.0).abs() < 0.1, "{coarse:?} {fine:?}");
    }
}

/// Two equal coefficients are Coulomb's cone, whatever the direction; a direction across the plane leaves the other coefficient.
#[test]
fn a_circle_is_coulombs() {
    let mut random = Random::new(9);
    for _ in 0..200 {
        let trial = random_trial::<3>(&mut random);
        let friction = random.between(0.1, 1.0);
        let direction: [f64; 3] = std::array::from_fn(|_| random.between(-1.0, 1.0));
        let normal = trial.contact.frame.column(0).into_owned();
        let coulomb = solve_one(&SignoriniCoulomb { friction }, &trial, &[]).solutions[0];
        for law in [
            EllipticFriction { along: friction, across: friction, direction },
            EllipticFriction { along: 2.0, across: friction, direction: [normal[0], normal[1], normal[2]] },
        ] {
            let out = solve_one(&law, &trial, &[]).solutions[0];
            assert!((out.impulse - coulomb.impulse).norm() <= 1e-9 * coulomb.scale.impulse, "{law:?}");
        }
    }
}

/// Several contacts of one body: the solvers' own residual, the certificate, and the law's statement agree, for ellipses of any ratio among circles.
#[test]
fn solvers_and_certificate_know_ellipses() {
    let mut random = Random::new(19);
    for method in [Method::Nlgs, Method::Newton] {
        let mut seen = 0;
        for _ in 0..30 {
            let mut problem = space_problem(&mut random, 5, BodyKind::Deformable);
            for law in &mut problem.laws {
                let (sin, cos) = random.between(-3.0, 3.0).sin_cos();
                law.cone = crate::problem::Cone::Coulomb(random.between(0.1, 0.8));
                // A compliance or a spring beside it, alike in both tangents, and shifts of any direction.
                let diagonal =
                    Vector::<3>::new(random.between(0.0, 1.0), 0.0, 0.0).add_scalar(random.between(0.0, 0.5));
                match random.below(4) {
                    0 => law.w_shift = diagonal,
                    1 => law.spring = diagonal,
                    _ => {}
                }
                law.v_shift += random.point::<3>() * 0.1;
                law.p_shift = random.point::<3>() * 0.1;
                if random.below(3) > 0 {
                    law.section = ConeSection::Ellipse { axis: [cos, sin], ratio: random.between(0.1, 1.0) };
                }
            }
            problem.validate().unwrap();
            let options = SolverOptions { tolerance: 1e-10, ..SolverOptions::default() };
            let mut p = vec![Vector::<3>::zeros(); 5];
            let reports = crate::solve_in_order(&[method, Method::Nlgs], &problem, &mut p, &options);
            assert!(reports.last().unwrap().converged, "{reports:?}");
            let certified = certify(&problem, &p).unwrap();
            assert!(certified.law_error <= 1.01e-10, "{}", certified.law_error);
            for (i, out) in crate::solution::contact_solutions(&problem, &p).iter().enumerate() {
                let crate::problem::Cone::Coulomb(mu) = problem.laws[i].cone else { unreachable!() };
                let law = &problem.laws[i];
                let (u, own) = (out.velocity, out.impulse);
                let (v, push) = (
                    u + law.v_shift + law.w_shift.component_mul(&own),
                    own + law.p_shift + law.spring.component_mul(&u),
                );
                let error = match law.section {
                    ConeSection::Circle => statement::coulomb(mu, &v, &push, &out.scale),
                    ConeSection::Ellipse { axis, ratio } => {
                        statement::elliptic([mu, ratio * mu], axis, &v, &push, &out.scale)
                    }
                };
                assert!(error <= 1e-8, "{error:e}");
                let direct = problem.v_free[i]
                    + problem.operator.row(i).iter().fold(Vector::<3>::zeros(), |sum, (j, w)| sum + w * p[*j]);
                assert!((direct - out.velocity).norm() <= 1e-10 * out.scale.velocity.max(1.0), "{direct} {out:?}");
            }
            // A wrong ratio is seen.
            for law in &mut problem.laws {
                if let ConeSection::Ellipse { axis, ratio } = law.section {
                    law.section = ConeSection::Ellipse { axis, ratio: 0.5 * ratio };
                }
            }
            // Where a contact slides; those that stick may be well within both ellipses.
            seen += usize::from(certify(&problem, &p).unwrap().law_error > 1e-3);
        }
        assert!(seen > 20, "{seen} of 30");
    }
}

#[test]
fn there_is_no_ellipse_in_the_plane() {
    let fault = LawSpec::EllipticFriction(LAW).build::<2>().err().unwrap();
    assert!(fault.to_string().starts_with("law `EllipticFriction` needs a case with `dimension: 3`"), "{fault}");
}
