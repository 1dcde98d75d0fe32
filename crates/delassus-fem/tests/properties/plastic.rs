//! Von Mises' plasticity at a point: driven paths against closed forms, and what is refused.

use delassus_error::Coded;
use delassus_fem::material::{Kinematics3, MaterialSpec};
use delassus_fem::tensor::{Mandel, deviator, von_mises};
use delassus_fem::{FemError, Hardening, VonMises};

use crate::point::Point;
use crate::support::Numbers;

const YOUNG: f64 = 200.0;
const POISSON: f64 = 0.3;
const YIELD: f64 = 0.4;

fn law(hardening: Hardening, kinematic: f64) -> VonMises {
    VonMises { kinematic, ..VonMises::new(YOUNG, POISSON, YIELD).hardening(hardening) }
}

/// Pulled along x with free sides σ = σ_y(α), ε = σ/E + α: exact for any steps, since the direction of flow stays. To and fro with kinematic hardening:
/// the stress of the reverse yield is lower by twice the yield stress.
#[test]
fn a_pulled_bar_follows_the_curve() {
    let voce = Hardening::Voce { saturation: 0.9, exponent: 40.0, modulus: 1.0 };
    let table = Hardening::table(&[(0.0, YIELD), (0.01, 0.6), (0.02, 0.65)]);
    let curve = |hardening: &Hardening, a: f64| match hardening {
        Hardening::Linear { modulus } => YIELD + modulus * a,
        Hardening::Voce { .. } => YIELD + a + 0.5 * (1.0 - (-40.0 * a).exp()),
        Hardening::Table { .. } if a < 0.01 => YIELD + 20.0 * a,
        Hardening::Table { .. } => (0.6 + 5.0 * (a - 0.01)).min(0.65),
    };
    for hardening in [Hardening::Linear { modulus: 3.0 }, voce, table, Hardening::default()] {
        let mut point = Point::new(law(hardening.clone(), 0.0));
        for strain in [0.001, 0.002, 0.004, 0.009, 0.02, 0.05] {
            let r = point.pull(strain);
            let a = point.z[6];
            if strain * YOUNG <= YIELD {
                assert!((r.stress[0] / (YOUNG * strain) - 1.0).abs() < 1e-12 && a <= 0.0);
                continue;
            }
            assert!((r.stress[0] / curve(&hardening, a) - 1.0).abs() < 1e-10, "{hardening:?}: {} {a}", r.stress[0]);
            assert!((strain - r.stress[0] / YOUNG - a).abs() < 1e-10 * strain, "{hardening:?}");
            assert!(r.stress[1].abs() < 1e-12, "{hardening:?}: the sides are free");
        }
    }
    let mut point = Point::new(law(Hardening::default(), 5.0));
    let r = point.pull(0.02);
    // σ = σ_0 + H_k ε_p, ε = σ/E + ε_p
    let exact = (YIELD + 5.0 * 0.02) / (1.0 + 5.0 / YOUNG);
    assert!((r.stress[0] / exact - 1.0).abs() < 1e-10, "{} {exact}", r.stress[0]);
    let plastic = 0.02 - exact / YOUNG;
    // elastic back to σ − 2σ_0, then along the lower line
    let turn = 0.02 - 2.0 * YIELD / YOUNG;
    assert!((point.pull(turn + 1e-6).stress[0] - (exact - 2.0 * YIELD + YOUNG * 1e-6)).abs() < 1e-10);
    let r = point.pull(turn - 0.01);
    let exact = (-YIELD + 5.0 * (turn - 0.01)) / (1.0 + 5.0 / YOUNG);
    assert!((r.stress[0] / exact - 1.0).abs() < 1e-10, "{} {exact}", r.stress[0]);
    assert!(point.z[6] > plastic, "α counts both ways");
}

/// Sheared: τ = σ_y/√3, γ = τ/μ + √3 α.
#[test]
fn shear_flows_at_the_yield_stress_over_the_root_of_three() {
    let mut point = Point::new(law(Hardening::Linear { modulus: 2.0 }, 0.0));
    let mu = YOUNG / (2.0 * (1.0 + POISSON));
    for gamma in [0.01, 0.03, 0.1] {
        let r = point.to(Mandel::new(0.0, 0.0, 0.0, gamma / 2.0_f64.sqrt(), 0.0, 0.0));
        let (tau, a) = (r.stress[3] / 2.0_f64.sqrt(), point.z[6]);
        assert!((3.0_f64.sqrt() * tau / (YIELD + 2.0 * a) - 1.0).abs() < 1e-10);
        assert!((gamma - tau / mu - 3.0_f64.sqrt() * a).abs() < 1e-10 * gamma);
    }
}

/// On random paths: the stress is never outside of the yield surface, work is stored or dissipated, the volume does not flow, and the tangent is the derivative.
#[test]
fn random_paths_keep_the_laws() {
    let hardening = [
        Hardening::default(),
        Hardening::Linear { modulus: 3.0 },
        Hardening::Voce { saturation: 0.7, exponent: 30.0, modulus: 0.5 },
        Hardening::table(&[(0.0, YIELD), (0.01, 0.6), (0.02, 0.65)]),
    ];
    let mut numbers = Numbers::new(9);
    for hardening in hardening {
        for kinematic in [0.0, 4.0] {
            let mut point = Point::new(law(hardening.clone(), kinematic));
            let mut stored = 0.0;
            let mut flowed = 0;
            for _ in 0..60 {
                let strain = Mandel::from_fn(|_, _| 0.004 * numbers.next());
                let (start, z) = (point.strain, point.z.clone());
                let r = point.to(strain);
                let left = r.path_work - (r.stored - stored) - r.dissipated;
                assert!(left.abs() < 1e-15, "{hardening:?}: {left:e}");
                stored = r.stored;
                assert!(r.dissipated >= 0.0 && point.z[6] >= z[6]);
                let plastic = Mandel::from_column_slice(&point.z[..6]);
                assert!((plastic[0] + plastic[1] + plastic[2]).abs() < 1e-16);
                let limit = match &hardening {
                    Hardening::Linear { modulus } => YIELD + modulus * point.z[6],
                    Hardening::Voce { .. } => YIELD + 0.5 * point.z[6] + 0.3 * (1.0 - (-30.0 * point.z[6]).exp()),
                    Hardening::Table { .. } if point.z[6] < 0.01 => YIELD + 20.0 * point.z[6],
                    Hardening::Table { .. } => (0.6 + 5.0 * (point.z[6] - 0.01)).min(0.65),
                };
                let q = von_mises(&(deviator(&r.stress) - plastic * (2.0 / 3.0 * kinematic)));
                assert!(q < limit * (1.0 + 1e-11), "{hardening:?}: {q} {limit}");
                if point.z[6] <= z[6] {
                    continue;
                }
                flowed += 1;
                assert!((q / limit - 1.0).abs() < 1e-11, "{hardening:?}");
                for k in 0..6 {
                    let stress = |by: f64| {
                        let strain = strain + Mandel::ith(k, by);
                        let kin = Kinematics3 { strain, increment: strain - start, strain_rate: Mandel::zeros() };
                        point.law.respond(&kin, 1.0, &z, &mut z.clone()).stress
                    };
                    let secant = (stress(1e-8) - stress(-1e-8)) / 2e-8;
                    let error = (secant - r.tangent.column(k)).norm() / YOUNG;
                    // a table has corners, and a step may start at one
                    let is_smooth = !matches!(hardening, Hardening::Table { .. });
                    assert!(error < 1e-6 || !is_smooth, "{hardening:?} {k}: {error:e}");
                }
            }
            assert!(flowed > 20, "{hardening:?}");
        }
    }
}

#[test]
fn curves_without_meaning_are_refused() {
    let refused = |law: VonMises| -> FemError { MaterialSpec::from(law).build(1.0).unwrap_err() };
    let code = |e: &FemError| e.code().0;
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(VonMises::new(1.0, 0.3, bad));
        assert_eq!(code(&error), "E0601");
        assert!(error.to_string().contains(&format!("yield_stress = {bad}")), "{error}");
    }
    let base = VonMises::new(1.0, 0.3, 0.5);
    let soft = [
        Hardening::Linear { modulus: -0.1 },
        Hardening::Voce { saturation: 0.4, exponent: 1.0, modulus: 0.0 },
        Hardening::Voce { saturation: 0.6, exponent: 1.0, modulus: -0.1 },
        Hardening::table(&[(0.0, 0.5), (0.1, 0.4)]),
    ];
    for hardening in soft {
        let error = refused(base.clone().hardening(hardening));
        assert_eq!(code(&error), "E0687");
        assert!(error.to_string().contains("fall"), "{error}");
    }
    let wrong = [
        Hardening::table(&[]),
        Hardening::table(&[(0.1, 0.5)]),
        Hardening::table(&[(0.0, 0.6)]),
        Hardening::table(&[(0.0, 0.5), (0.0, 0.6)]),
        Hardening::table(&[(0.0, 0.5), (f64::NAN, 0.6)]),
        Hardening::Voce { saturation: 0.6, exponent: 0.0, modulus: 0.0 },
    ];
    for hardening in wrong {
        assert!(matches!(code(&refused(base.clone().hardening(hardening))), "E0601" | "E0603"));
    }
    assert_eq!(code(&refused(VonMises { kinematic: -1.0, ..base })), "E0601");
}
