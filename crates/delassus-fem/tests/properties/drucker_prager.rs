//! Drucker's and Prager's cone at a point: driven paths against closed forms, the pyramid of Mohr and Coulomb, the apex, and what is refused.

use delassus_error::Coded;
use delassus_fem::material::MaterialSpec;
use delassus_fem::tensor::{Mandel, deviator, shear_invariant, trace, unit};
use delassus_fem::{ConeFit, DruckerPrager, Hardening, VonMises};

use crate::point::Point;
use crate::support::Numbers;

const YOUNG: f64 = 200.0;
const POISSON: f64 = 0.3;
const MU: f64 = YOUNG / (2.0 * (1.0 + POISSON));
const BULK: f64 = YOUNG / (3.0 * (1.0 - 2.0 * POISSON));
const COHESION: f64 = 0.1;

fn law(cone: ConeFit, friction: f64, dilation: f64) -> DruckerPrager {
    let law = DruckerPrager::new(YOUNG, POISSON, COHESION, friction);
    DruckerPrager { cone, dilation_angle: Some(dilation), ..law }
}

/// η and ξ, as de Souza Neto, Perić & Owen (2008) have them in their equations (6.121), (6.122) and (6.123).
fn slopes(cone: ConeFit, degrees: f64) -> (f64, f64) {
    let (sin, cos, tan) = (degrees.to_radians().sin(), degrees.to_radians().cos(), degrees.to_radians().tan());
    match cone {
        ConeFit::Compression => {
            (6.0 * sin / (3.0_f64.sqrt() * (3.0 - sin)), 6.0 * cos / (3.0_f64.sqrt() * (3.0 - sin)))
        }
        ConeFit::Extension => (6.0 * sin / (3.0_f64.sqrt() * (3.0 + sin)), 6.0 * cos / (3.0_f64.sqrt() * (3.0 + sin))),
        ConeFit::PlaneStrain => {
            let root = (9.0 + 12.0 * tan * tan).sqrt();
            (3.0 * tan / root, 3.0 / root)
        }
    }
}

/// Pressed or pulled with free sides: Mohr's and Coulomb's strengths 2c cos φ/(1 ∓ sin φ) at the edges that the cone meets, with c = c_0 + H α. The strains follow the
/// flow, which keeps its direction: ε_x = σ_x/E ∓ γ/√3 + ⅓ η̄ γ across and along, for any steps.
#[test]
fn a_bar_has_the_strength_of_mohr_and_coulomb() {
    let phi = 30.0_f64;
    let (sin, cos) = (phi.to_radians().sin(), phi.to_radians().cos());
    for (cone, sign) in [(ConeFit::Compression, -1.0), (ConeFit::Extension, 1.0)] {
        for dilation in [0.0, 10.0, 30.0] {
            let hardening = Hardening::Linear { modulus: 2.0 };
            let mut point = Point::new(DruckerPrager { hardening, ..law(cone, phi, dilation) });
            let (_, xi) = slopes(cone, phi);
            let (eta_bar, _) = slopes(cone, dilation);
            for strain in [1e-4, 1e-3, 3e-3, 4e-3, 0.02] {
                let r = point.pull(sign * strain);
                let (a, sigma) = (point.z[6], r.stress[0]);
                assert!(r.stress[1].abs() < 1e-12, "the sides are free");
                if a <= 0.0 {
                    assert!((sigma / (sign * strain * YOUNG) - 1.0).abs() < 1e-12);
                    continue;
                }
                let strength = 2.0 * (COHESION + 2.0 * a) * cos / (1.0 + sign * sin);
                assert!((sign * sigma / strength - 1.0).abs() < 1e-10, "{cone:?} {dilation}: {sigma} {strength}");
                let gamma = a / xi;
                let along = sigma / YOUNG + gamma * (sign / 3.0_f64.sqrt() + eta_bar / 3.0);
                let across = -POISSON * sigma / YOUNG + gamma * (-0.5 * sign / 3.0_f64.sqrt() + eta_bar / 3.0);
                assert!((along - sign * strain).abs() < 1e-10 * strain, "{cone:?} {dilation}: {along}");
                assert!((across - point.strain[1]).abs() < 1e-10 * strain, "{cone:?} {dilation}: {across}");
            }
            assert!(point.z[6] > 0.01);
        }
    }
}

/// Sheared at a constant volume: what wants to dilate is pressed, p = −κ η̄ γ, and τ = ξ c + η κ η̄ γ grows with the shear that flowed.
#[test]
fn shear_at_constant_volume() {
    for cone in [ConeFit::Compression, ConeFit::Extension, ConeFit::PlaneStrain] {
        for dilation in [0.0, 12.0, 25.0] {
            let mut point = Point::new(law(cone, 25.0, dilation));
            let ((eta, xi), (eta_bar, _)) = (slopes(cone, 25.0), slopes(cone, dilation));
            for shear in [5e-4, 4e-3, 0.01, 0.05] {
                let r = point.to(Mandel::new(0.0, 0.0, 0.0, shear / 2.0_f64.sqrt(), 0.0, 0.0));
                let rise = eta * BULK * eta_bar;
                let gamma = ((shear - xi * COHESION / MU) / (1.0 + rise / MU)).max(0.0);
                let tau = if gamma > 0.0 { xi * COHESION + rise * gamma } else { MU * shear };
                assert!((r.stress[3] / 2.0_f64.sqrt() / tau - 1.0).abs() < 1e-10, "{cone:?} {dilation} {shear}");
                assert!((trace(&r.stress) / 3.0 + BULK * eta_bar * gamma).abs() < 1e-10 * tau, "{cone:?} {dilation}");
                assert!((point.z[6] - xi * gamma).abs() < 1e-12, "{cone:?} {dilation}");
            }
        }
    }
}

/// Pulled on all sides the tension ends at the apex, c cot φ for every cone, whatever the dilatancy; with hardening c = c_0 + H (ξ/η) Δv. Sheared before, the shear is gone there.
#[test]
fn the_apex_ends_the_tension() {
    for cone in [ConeFit::Compression, ConeFit::Extension, ConeFit::PlaneStrain] {
        for dilation in [0.0, 12.0, 25.0] {
            for modulus in [0.0, 3.0] {
                let hardening = Hardening::Linear { modulus };
                let mut point = Point::new(DruckerPrager { hardening, ..law(cone, 25.0, dilation) });
                let (eta, xi) = slopes(cone, 25.0);
                let ratio = xi / eta;
                assert!((ratio * 25.0_f64.to_radians().tan() - 1.0).abs() < 1e-12, "{cone:?}");
                for strain in [2e-4, 1e-3, 5e-3] {
                    let r = point.to(unit() * strain);
                    // p = ratio (c + H ratio Δv), Δv = 3ε − p/κ
                    let exact =
                        (ratio * (COHESION + modulus * ratio * 3.0 * strain)) / (1.0 + modulus * ratio * ratio / BULK);
                    let exact = exact.min(3.0 * BULK * strain);
                    assert!((trace(&r.stress) / 3.0 / exact - 1.0).abs() < 1e-10, "{cone:?} {dilation} {modulus}");
                    assert!(deviator(&r.stress).norm() < 1e-14);
                }
            }
            let mut point = Point::new(law(cone, 25.0, dilation));
            point.to(Mandel::new(0.0, 0.0, 0.0, 0.01, 0.0, 0.0));
            let r = point.to(Mandel::new(0.01, 0.01, 0.01, 0.012, 0.0, 0.0));
            let apex = COHESION / 25.0_f64.to_radians().tan();
            assert!((r.stress - unit() * apex).norm() < 1e-12, "{cone:?} {dilation}: {}", r.stress);
        }
    }
}

/// Without friction it is von Mises' law of the yield stress √3 c.
#[test]
fn without_friction_it_is_von_mises() {
    let mut numbers = Numbers::new(6);
    let hardening = Hardening::Linear { modulus: 3.0 };
    // q = √3 j, c(ξγ) with ξ = 1 and α = γ/√3: H_q = 3 H
    let mut mises = Point::new(
        VonMises::new(YOUNG, POISSON, 3.0_f64.sqrt() * COHESION).hardening(Hardening::Linear { modulus: 9.0 }),
    );
    let mut cone = Point::new(DruckerPrager { hardening, ..law(ConeFit::PlaneStrain, 0.0, 0.0) });
    for _ in 0..40 {
        let strain = Mandel::from_fn(|_, _| 0.003 * numbers.next());
        let (a, b) = (mises.to(strain), cone.to(strain));
        assert!((a.stress - b.stress).norm() < 1e-12, "{} {}", a.stress, b.stress);
        assert!((a.tangent - b.tangent).norm() < 1e-10);
        assert!((a.stored - b.stored).abs() < 1e-14 && (a.dissipated - b.dissipated).abs() < 1e-14);
    }
    assert!(mises.z[6] > 0.01);
}

/// In plane strain with ψ = φ, driven the way it flows, the stress comes to Mohr's and Coulomb's R = c cos φ − S sin φ of half the sum S and half the difference R of the stresses
/// in the plane.
#[test]
fn plane_strain_collapses_as_mohr_and_coulomb_say() {
    let phi = 30.0_f64.to_radians();
    let mut point = Point::new(law(ConeFit::PlaneStrain, 30.0, 30.0));
    let along = (1.0 + phi.sin()) / (1.0 - phi.sin());
    let mut stress = Mandel::zeros();
    for k in 1..=400 {
        let strain = 1e-4 * f64::from(k);
        stress = point.to(Mandel::new(along * strain, -strain, 0.0, 0.0, 0.0, 0.0)).stress;
    }
    let (radius, middle) = (0.5 * (stress[0] - stress[1]), 0.5 * (stress[0] + stress[1]));
    let strength = COHESION * phi.cos() - middle * phi.sin();
    assert!((radius / strength - 1.0).abs() < 1e-8, "{radius} {strength}");
}

/// On random paths: never outside of the cone, work stored or dissipated, dissipation never below zero, the tangent the derivative and symmetric where it says so.
#[test]
fn random_paths_keep_the_laws() {
    let mut numbers = Numbers::new(9);
    let curves = [
        Hardening::default(),
        Hardening::Linear { modulus: 0.3 },
        Hardening::Voce { saturation: 0.2, exponent: 40.0, modulus: 0.5 },
    ];
    for hardening in curves {
        for dilation in [0.0, 10.0, 25.0] {
            let law = DruckerPrager { hardening: hardening.clone(), ..law(ConeFit::Compression, 25.0, dilation) };
            let mut point = Point::new(law);
            assert_eq!(point.law.has_symmetric_tangent(), dilation >= 25.0);
            let (eta, xi) = slopes(ConeFit::Compression, 25.0);
            let (mut on_cone, mut at_apex, mut elastic) = (0, 0, 0);
            for _ in 0..80 {
                // about the strain that flowed, and growing with the cohesion: else all ends in pressure, which the dilatancy makes
                let flowed = Mandel::from_column_slice(&point.z[..6]);
                let size = point.law.plastic(&point.z).map_or(0.0, |p| p.yield_stress / COHESION);
                let push = unit() * (0.0014 * numbers.next());
                let strain = flowed + (push + Mandel::from_fn(|_, _| 0.001 * numbers.next())) * size;
                let (left, tangent) = (point.work_left(strain), point.tangent_error(strain, 1e-9));
                assert!(left.abs() < 1e-15, "{hardening:?} {dilation}: {left:e}");
                let before = point.z[6];
                let r = point.to(strain);
                assert!(r.dissipated >= 0.0 && point.z[6] >= before, "{:e}", r.dissipated);
                let a = point.z[6];
                let cohesion = match hardening {
                    Hardening::Linear { modulus } => COHESION + modulus * a,
                    Hardening::Voce { .. } => COHESION + 0.5 * a + 0.1 * (1.0 - (-40.0 * a).exp()),
                    Hardening::Table { .. } => f64::NAN,
                };
                let (shear, pressure) = (shear_invariant(&r.stress), trace(&r.stress) / 3.0);
                let excess = shear + eta * pressure - xi * cohesion;
                assert!(excess < 1e-13, "{hardening:?} {dilation}: {excess:e}");
                assert!(tangent < 1e-5 * YOUNG, "{hardening:?} {dilation}: {tangent:e}");
                let skew = (r.tangent - r.tangent.transpose()).norm();
                assert!(skew < 1e-11 || dilation < 25.0, "{skew:e}");
                if a <= before {
                    elastic += 1;
                } else {
                    assert!(excess.abs() < 1e-13, "{hardening:?} {dilation}: {excess:e}");
                    *(if shear < 1e-12 { &mut at_apex } else { &mut on_cone }) += 1;
                }
            }
            assert!(on_cone > 8 && at_apex > 8 && elastic > 8, "{on_cone} {at_apex} {elastic}");
        }
    }
}

/// Sand without cohesion bears no tension and is strong under pressure.
#[test]
fn without_cohesion_the_apex_is_the_origin() {
    let mut point = Point::new(DruckerPrager { cohesion: 0.0, ..law(ConeFit::Compression, 30.0, 10.0) });
    let r = point.to(Mandel::new(0.002, 0.001, 0.0, 0.001, 0.0, 0.0));
    assert!(r.stress.norm() < 1e-13 && r.dissipated.abs() < 1e-13, "{}", r.stress);
    // on the way back what flowed apart is open: no pressure until it has closed
    let r = point.to(Mandel::new(-0.01, -0.009, -0.01, 0.001, 0.0, 0.0));
    let (eta, _) = slopes(ConeFit::Compression, 30.0);
    assert!(trace(&r.stress) < 0.0 && shear_invariant(&r.stress) <= -eta * trace(&r.stress) / 3.0 + 1e-13);
}

#[test]
fn cones_without_meaning_are_refused() {
    let base = law(ConeFit::Compression, 30.0, 10.0);
    let refused = |law: DruckerPrager| MaterialSpec::from(law).build(1.0).unwrap_err();
    let wrong = [
        (DruckerPrager { cohesion: -1.0, ..base.clone() }, "cohesion = -1"),
        (DruckerPrager { cohesion: f64::NAN, ..base.clone() }, "cohesion = NaN"),
        (DruckerPrager { friction_angle: 90.0, ..base.clone() }, "friction_angle = 90"),
        (DruckerPrager { friction_angle: -1.0, ..base.clone() }, "friction_angle = -1"),
        (DruckerPrager { dilation_angle: Some(31.0), ..base.clone() }, "dilation_angle = 31"),
        (DruckerPrager { dilation_angle: Some(f64::NAN), ..base.clone() }, "dilation_angle = NaN"),
        (DruckerPrager { cohesion: 0.0, friction_angle: 0.0, dilation_angle: None, ..base.clone() }, "cohesion = 0"),
    ];
    for (law, words) in wrong {
        let error = refused(law);
        assert_eq!(error.code().0, "E0601");
        assert!(error.to_string().contains(words), "{error}");
    }
    let soft = refused(DruckerPrager { hardening: Hardening::Linear { modulus: -0.1 }, ..base });
    assert_eq!(soft.code().0, "E0687", "softening without a length");
}
