//! Points driven through finite strains, against closed forms: Cauchy stresses to 1e-10 of the moduli.
//!
//! Simple shear by γ, F = I + γ e₁⊗e₂, with b = FFᵀ, J = 1:
//!
//! ```text
//! Neo-Hooke, Mooney & Rivlin   σ = 2c₁ dev b − 2c₂ dev b⁻¹
//! St Venant & Kirchhoff        σ₁₂ = S₁₂ + γ S₂₂ = μγ + (½λ + μ) γ³
//! Hooke in logarithms          σ₁₂ = 2μ arsinh(½γ) · 2/√(4 + γ²) ,   σ₁₁ = −σ₂₂ = 2μ arsinh(½γ) · γ/√(4 + γ²)
//! ```
//!
//! Swelling F = sI: σ = ½κ(J − 1/J), (3λ + 2μ)(s² − 1)/(2s), κ ln J/J. Pulled by the stretch s with free sides a metal that hardens by H has, in logarithms, the laws of small
//! strains: ln s = τ/E + α, τ = σ_0 + Hα, and across −ντ/E − ½α. A Maxwell body drawn at a constant rate of ln s, held across: τ₁₁ = κ ln s + Σ (4/3) G ė τ_i (1 − e^(−t/τ_i)).

use delassus_fem::material::{MaterialSpec, Stretch, Stretching};
use delassus_fem::tensor::{matrix, symmetric_part};
use delassus_fem::{
    DruckerPrager, GeneralizedMaxwell, Hardening, KelvinVoigt, Maxwell, MooneyRivlin, NeoHookean, PronyTerm,
    StVenantKirchhoff, VonMises,
};
use nalgebra::{Matrix3, Vector3};

const YOUNG: f64 = 2.6;
const POISSON: f64 = 0.3;
const MU: f64 = 1.0;
const LAMBDA: f64 = 1.5;
const BULK: f64 = LAMBDA + 2.0 / 3.0 * MU;

/// A stress over a stretch.
type Curve = fn(f64) -> f64;

/// Largest error of a stress: 1e-10 of a modulus of order one.
const EXACT: f64 = 1e-10;

/// Cauchy stresses along a path of deformation gradients, h apart.
fn driven(law: impl Into<MaterialSpec>, path: &[Matrix3<f64>], h: f64) -> Vec<Matrix3<f64>> {
    let law = law.into().build(1.0).unwrap();
    let mut z = vec![0.0; law.n_internal()];
    let stretch = |f: &Matrix3<f64>| Stretch { c: symmetric_part(&(f.transpose() * f)), volume: f.determinant() };
    let mut before = stretch(&Matrix3::identity());
    let mut stresses = Vec::new();
    for f in path {
        let after = stretch(f);
        let motion = Stretching { before, after, stresses: true };
        let s = law.respond_finite(&motion, h, &z.clone(), &mut z).unwrap().stress;
        stresses.push(f * matrix(&s) * f.transpose() / f.determinant());
        before = after;
    }
    stresses
}

fn sheared(gamma: f64) -> Matrix3<f64> {
    let mut f = Matrix3::identity();
    f[(0, 1)] = gamma;
    f
}

fn deviator(a: &Matrix3<f64>) -> Matrix3<f64> {
    a - Matrix3::identity() * (a.trace() / 3.0)
}

#[test]
fn simple_shear() {
    let shears = [0.1, 0.5, 1.0, 2.0, 3.5, -1.0];
    let path = shears.map(sheared);
    let rubber = |c1: f64, c2: f64, gamma: f64| {
        let f = sheared(gamma);
        let b = f * f.transpose();
        deviator(&b) * (2.0 * c1) - deviator(&b.try_inverse().unwrap()) * (2.0 * c2)
    };
    let hooke = |gamma: f64| {
        let (size, root) = (2.0 * MU * (0.5 * gamma).asinh(), (4.0 + gamma * gamma).sqrt());
        let (along, across) = (size * gamma / root, size * 2.0 / root);
        Matrix3::new(along, across, 0.0, across, -along, 0.0, 0.0, 0.0, 0.0)
    };
    let close = |name: &str, found: &[Matrix3<f64>], exact: &dyn Fn(f64) -> Matrix3<f64>| {
        for (found, gamma) in found.iter().zip(shears) {
            let error = (found - exact(gamma)).amax();
            assert!(error < EXACT, "{name}, γ = {gamma}: {error:e}");
        }
    };
    close("Neo-Hooke", &driven(NeoHookean::new(YOUNG, POISSON), &path, 1.0), &|g| rubber(0.5 * MU, 0.0, g));
    let mooney = MooneyRivlin { c1: 0.4, c2: 0.1, bulk: 3.0 };
    close("Mooney and Rivlin", &driven(mooney, &path, 1.0), &|g| rubber(0.4, 0.1, g));
    close("Hooke in logarithms", &driven(KelvinVoigt::elastic(YOUNG, POISSON), &path, 1.0), &hooke);
    for (found, gamma) in driven(StVenantKirchhoff::new(YOUNG, POISSON), &path, 1.0).iter().zip(shears) {
        let exact = MU * gamma + (0.5 * LAMBDA + MU) * gamma.powi(3);
        assert!((found[(0, 1)] - exact).abs() < EXACT * (1.0 + exact.abs()), "γ = {gamma}: {found}");
    }
}

#[test]
fn swelling() {
    let sizes = [1.1, 1.7, 0.8, 0.4];
    let path = sizes.map(|s| Matrix3::identity() * s);
    let laws: [(MaterialSpec, Curve); 4] = [
        (NeoHookean::new(YOUNG, POISSON).into(), |s| 0.5 * BULK * (s.powi(3) - s.powi(-3))),
        (MooneyRivlin { c1: 0.4, c2: 0.1, bulk: BULK }.into(), |s| 0.5 * BULK * (s.powi(3) - s.powi(-3))),
        (StVenantKirchhoff::new(YOUNG, POISSON).into(), |s| 1.5 * BULK * (s * s - 1.0) / s),
        (KelvinVoigt::elastic(YOUNG, POISSON).into(), |s| BULK * 3.0 * s.ln() / s.powi(3)),
    ];
    for (law, exact) in laws {
        for (found, s) in driven(law.clone(), &path, 1.0).iter().zip(sizes) {
            let error = (found - Matrix3::identity() * exact(s)).amax();
            assert!(error < EXACT * (1.0 + exact(s).abs()), "{law:?} {s}: {error:e}");
        }
    }
}

/// To four times its length and to a fifth of it.
#[test]
fn a_metal_bar_at_large_stretch() {
    let (limit, modulus) = (0.02, 0.3);
    let law = || VonMises::new(YOUNG, POISSON, limit).hardening(Hardening::Linear { modulus });
    for end in [4.0_f64, 0.2] {
        let sign = end.ln().signum();
        let states: Vec<(f64, f64)> = (1..=9)
            .map(|k| {
                let strain = end.ln() * f64::from(k) / 9.0;
                let flowed = (strain.abs() - limit / YOUNG) / (1.0 + modulus / YOUNG);
                (strain, flowed)
            })
            .collect();
        let stress = |flowed: f64| sign * (limit + modulus * flowed);
        let at = |&(strain, flowed): &(f64, f64)| {
            let across = -POISSON * stress(flowed) / YOUNG - 0.5 * sign * flowed;
            Matrix3::from_diagonal(&Vector3::new(strain.exp(), across.exp(), across.exp()))
        };
        let path: Vec<Matrix3<f64>> = states.iter().map(at).collect();
        for ((found, f), state) in driven(law(), &path, 1.0).iter().zip(&path).zip(&states) {
            let kirchhoff = found * f.determinant();
            assert!((kirchhoff[(0, 0)] - stress(state.1)).abs() < EXACT, "{state:?}: {kirchhoff}");
            assert!(kirchhoff[(1, 1)].abs() < EXACT, "{state:?}: the sides are free, {kirchhoff}");
        }
    }
}

/// Soil swells until it flows at the apex of its cone: the mean stress is c cot φ per undeformed volume.
#[test]
fn soil_at_its_apex() {
    let law = DruckerPrager::new(YOUNG, POISSON, 0.01, 30.0);
    let path = [1.05, 1.2, 1.6].map(|s| Matrix3::identity() * s);
    for (found, f) in driven(law, &path, 1.0).iter().zip(&path) {
        let exact = Matrix3::identity() * (0.01 * 3.0_f64.sqrt() / f.determinant());
        assert!((found - exact).amax() < EXACT, "{found} {exact}");
    }
}

#[test]
fn bodies_that_relax_are_drawn_at_a_constant_rate() {
    let (h, rate) = (0.05, 0.8);
    let strains: Vec<f64> = (1..=30).map(|k| rate * h * f64::from(k)).collect();
    let path: Vec<Matrix3<f64>> =
        strains.iter().map(|e| Matrix3::from_diagonal(&Vector3::new(e.exp(), 1.0, 1.0))).collect();
    let relaxed = |share: f64, time: f64, strain: f64| {
        4.0 / 3.0 * MU * share * rate * time * (1.0 - (-strain / rate / time).exp())
    };
    let maxwell = driven(Maxwell::new(YOUNG, POISSON, 0.4 * MU), &path, h);
    let terms = vec![PronyTerm { share: 0.5, time: 0.2 }, PronyTerm { share: 0.3, time: 2.0 }];
    let prony = GeneralizedMaxwell { young: Some(YOUNG), poisson: Some(POISSON), terms, ..Default::default() };
    let prony = driven(prony, &path, h);
    for (k, e) in strains.iter().enumerate() {
        let volume = BULK * e;
        let exact = [
            volume + relaxed(1.0, 0.4, *e),
            volume + 4.0 / 3.0 * MU * 0.2 * e + relaxed(0.5, 0.2, *e) + relaxed(0.3, 2.0, *e),
        ];
        for (found, exact) in [&maxwell[k], &prony[k]].into_iter().zip(exact) {
            assert!((found[(0, 0)] * e.exp() - exact).abs() < EXACT, "{e}: {found} {exact}");
        }
    }
}

/// The work of a closed path of strains is nothing for rubber, and what is dissipated for metal.
#[test]
fn a_closed_path_gives_nothing_back() {
    let path: Vec<Matrix3<f64>> = (0..=40)
        .map(|k| {
            let t = f64::from(k) * std::f64::consts::TAU / 40.0;
            let mut f = Matrix3::identity() * (1.0 + 0.1 * t.sin());
            f[(0, 1)] = 0.4 * (1.0 - t.cos());
            f[(2, 0)] = 0.3 * (2.0 * t).sin();
            f
        })
        .collect();
    for (law, flows) in [
        (MaterialSpec::from(NeoHookean::new(YOUNG, POISSON)), false),
        (KelvinVoigt::elastic(YOUNG, POISSON).into(), false),
        (VonMises::new(YOUNG, POISSON, 0.05).into(), true),
    ] {
        let law = law.build(1.0).unwrap();
        let mut z = vec![0.0; law.n_internal()];
        let (mut work, mut dissipated, mut stored) = (0.0, 0.0, 0.0);
        let c = |f: &Matrix3<f64>| Stretch { c: symmetric_part(&(f.transpose() * f)), volume: f.determinant() };
        for pair in path.windows(2) {
            let motion = Stretching { before: c(&pair[0]), after: c(&pair[1]), stresses: true };
            let r = law.respond_finite(&motion, 1.0, &z.clone(), &mut z).unwrap();
            work += r.path_work;
            dissipated += r.dissipated;
            stored = r.stored;
        }
        assert!((work - stored - dissipated).abs() < 1e-13, "{law:?}: {work} {stored} {dissipated}");
        assert_eq!(dissipated > 0.0, flows, "{law:?}");
        assert!(flows || work.abs() < 1e-14, "{law:?}: {work:e}");
    }
}
