//! Von Mises' law with a power law of the rate, at a point: steady flow, relaxation, and the two limits.
//!
//! Closed forms: at a steady rate q = σ_y (1 + (α̇/ε̇_0)^m) with α̇ = γ̇/√3 in shear. At a held strain the excess x = q/σ_y − 1 follows ẋ = −(3μ ε̇_0/σ_y) x^(1/m): an
//! exponential for m = 1, of which the implicit step is x⁺ = x/(1 + 3μ ε̇_0 h/σ_y) exactly, and 1/x = 1/x_0 + 3μ ε̇_0 t/σ_y for m = ½.

use delassus_error::Coded;
use delassus_fem::material::MaterialSpec;
use delassus_fem::tensor::{Mandel, von_mises};
use delassus_fem::{Hardening, PowerLaw, VonMises};

use crate::point::Point;
use crate::support::Numbers;

const YOUNG: f64 = 200.0;
const POISSON: f64 = 0.3;
const MU: f64 = YOUNG / (2.0 * (1.0 + POISSON));
const YIELD: f64 = 0.4;

fn law(reference: f64, exponent: f64) -> VonMises {
    VonMises { rate: Some(PowerLaw { reference, exponent }), ..VonMises::new(YOUNG, POISSON, YIELD) }
}

fn sheared(gamma: f64) -> Mandel {
    Mandel::new(0.0, 0.0, 0.0, gamma / 2.0_f64.sqrt(), 0.0, 0.0)
}

#[test]
fn steady_shear_is_above_the_yield_stress_by_the_power_law() {
    for exponent in [1.0, 0.5, 0.2, 0.01] {
        let (reference, rate) = (40.0, 3.0);
        let mut point = Point { h: 2e-3, ..Point::new(law(reference, exponent)) };
        let mut q = 0.0;
        for k in 1..=400 {
            q = von_mises(&point.to(sheared(rate * point.h * f64::from(k))).stress);
        }
        let exact = YIELD * (1.0 + (rate / 3.0_f64.sqrt() / reference).powf(exponent));
        assert!((q / exact - 1.0).abs() < 1e-10, "m = {exponent}: {q} {exact}");
    }
}

/// Pulled at a constant rate with free sides σ = σ_y (1 + (ε̇/ε̇_0)^m), with hardening by the strain that flowed: σ = (σ_0 + H α)(1 + ((α⁺ − α)/(h ε̇_0))^m) at every step.
#[test]
fn a_pulled_bar_follows_the_law_at_every_step() {
    let hardening = Hardening::Linear { modulus: 3.0 };
    let mut point = Point { h: 1e-2, ..Point::new(law(5.0, 0.3).hardening(hardening)) };
    for k in 1..=40 {
        let (strain, before) = (2e-3 * f64::from(k), point.z[6]);
        let stress = point.pull(strain).stress;
        let (a, flowed) = (point.z[6], point.z[6] - before);
        let exact = (YIELD + 3.0 * a) * (1.0 + (flowed / (point.h * 5.0)).powf(0.3));
        assert!(flowed <= 0.0 || (stress[0] / exact - 1.0).abs() < 1e-10, "step {k}: {} {exact}", stress[0]);
        assert!((strain - stress[0] / YOUNG - a).abs() < 1e-10 * strain, "step {k}");
    }
    assert!(point.z[6] > 0.07);
}

#[test]
fn stress_relaxes_to_the_yield_stress() {
    let strain = sheared(0.02);
    let beyond = |q: f64| q / YIELD - 1.0;
    // m = 1: the implicit step in closed form, also where it is long
    for h in [1e-5, 1e-3, 1.0] {
        let reference = 0.7;
        let mut point = Point { h: 0.0, ..Point::new(law(reference, 1.0)) };
        let mut x = beyond(von_mises(&point.to(strain).stress));
        assert!((x / beyond(3.0_f64.sqrt() * MU * 0.02) - 1.0).abs() < 1e-12, "without time nothing flows");
        point.h = h;
        for _ in 0..20 {
            x /= 1.0 + 3.0 * MU * reference * h / YIELD;
            let q = von_mises(&point.to(strain).stress);
            assert!((q / (YIELD * (1.0 + x)) - 1.0).abs() < 1e-10, "h = {h}: {q}");
        }
    }
    // m = ½: first order in the step
    let error = |n: u32| {
        let (reference, time) = (2e-3, 0.5);
        let mut point = Point { h: 0.0, ..Point::new(law(reference, 0.5)) };
        let start = beyond(von_mises(&point.to(strain).stress));
        point.h = time / f64::from(n);
        let mut q = 0.0;
        for _ in 0..n {
            q = von_mises(&point.to(strain).stress);
        }
        let exact = YIELD * (1.0 + 1.0 / (1.0 / start + 3.0 * MU * reference * time / YIELD));
        q / exact - 1.0
    };
    let errors = [100, 200, 400].map(error);
    assert!(errors[2].abs() < 2e-3, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 2.0).abs() < 0.05, "{errors:?}");
    }
}

/// Slowly it is the law without a rate, suddenly Hooke's; whatever the exponent, the numbers stay numbers.
#[test]
fn limits_of_the_rate() {
    let mut numbers = Numbers::new(3);
    for exponent in [1.0, 0.2, 0.01, 3.0] {
        let slow = PowerLaw { reference: 1e12_f64.powf(1.0 / exponent).min(1e300), exponent };
        let fast = PowerLaw { reference: 1e-300, exponent };
        let of = |rate| Point::new(VonMises { rate, ..VonMises::new(YOUNG, POISSON, YIELD) });
        let (mut plain, mut slowly, mut fast) = (of(None), of(Some(slow)), of(Some(fast)));
        for _ in 0..30 {
            let strain = Mandel::from_fn(|_, _| 0.004 * numbers.next());
            let (a, b, c) = (plain.to(strain), slowly.to(strain), fast.to(strain));
            // 1e-12 of the rate over the reference, to the power; 1e300 is 1e-3 to the power of 0.01
            let close = if exponent < 0.1 { 2e-3 } else { 1e-10 };
            assert!((a.stress - b.stress).norm() < close, "m = {exponent}: {} {}", a.stress, b.stress);
            if exponent <= 1.0 && exponent > 0.1 {
                assert!((c.stress - c.tangent * strain).norm() < 1e-10, "m = {exponent}: Hooke's law");
            }
            assert!(b.stress.iter().chain(c.stress.iter()).all(|x| x.is_finite()), "m = {exponent}");
        }
    }
}

#[test]
fn random_paths_keep_the_laws() {
    let mut numbers = Numbers::new(4);
    let voce = Hardening::Voce { saturation: 0.7, exponent: 30.0, modulus: 0.5 };
    for exponent in [1.0, 0.4, 0.1] {
        for kinematic in [0.0, 4.0] {
            let law = VonMises { kinematic, ..law(2.0, exponent).hardening(voce.clone()) };
            let mut point = Point { h: 0.01, ..Point::new(law) };
            let mut flowed = 0;
            for _ in 0..40 {
                let strain = Mandel::from_fn(|_, _| 0.006 * numbers.next());
                let left = point.work_left(strain);
                assert!(left.abs() < 1e-15, "m = {exponent}: {left:e}");
                let (before, tangent) = (point.z[6], point.tangent_error(strain, 1e-8));
                let r = point.to(strain);
                assert!(r.dissipated >= 0.0 && point.z[6] >= before);
                if point.z[6] > before + 1e-4 {
                    flowed += 1;
                    assert!(tangent < 1e-5 * YOUNG, "m = {exponent}: {tangent:e}");
                }
            }
            assert!(flowed > 15, "m = {exponent}: {flowed}");
        }
    }
}

#[test]
fn rates_without_meaning_are_refused() {
    for (reference, exponent) in [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, 0.0), (1.0, -0.2), (1.0, f64::NAN)] {
        let error = MaterialSpec::from(law(reference, exponent)).build(1.0).unwrap_err();
        assert_eq!(error.code().0, "E0601");
        assert!(error.to_string().contains("rate."), "{error}");
    }
}
