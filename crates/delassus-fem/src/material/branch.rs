//! A Maxwell branch: a spring of shear modulus μ in series with a dashpot of viscosity η = μ τ, on deviators.
//!
//! ```text
//! ṡ = 2μ ė − s/τ                                           x = h/τ
//! exact for a constant rate :  s⁺ = e⁻ˣ s + 2μ Δe (1−e⁻ˣ)/x
//! backward Euler           :  s⁺ = (s + 2μ Δe)/(1+x)
//! stored ψ = s:s/(4μ) ,       dissipated D = ∫ s:s/(2η) dt ,      path work W = ∫ s:ė dt
//! ```
//!
//! W, Δψ and D are computed by formulas of their own, so that an error in one of them shows in W − Δψ − D, which is rounding. On the exact path
//! s(u) = e⁻ˣᵘ s + 2μ Δe (1−e⁻ˣᵘ)/x over 0 ≤ u ≤ 1, with g(x) = (1−e⁻ˣ)/x,
//!
//! ```text
//! W = s̄:Δe ,   s̄ = s g(x) + 2μ Δe (1 − g(x))/x
//! D = x/(2μ) (A s:s + 2B s:2μΔe + C 2μΔe:2μΔe) ,   A = ∫ e⁻²ˣᵘ = g(2x) ,   B = ∫ e⁻ˣᵘ (1−e⁻ˣᵘ)/x = ½ g(x)² ,   C = ∫ ((1−e⁻ˣᵘ)/x)²
//! ```
//!
//! Backward Euler lets the stress s⁺ act on the flow Δe_v = x s⁺/(2μ) of the dashpot, and trapezoids on the spring:
//!
//! ```text
//! W = ½ (s + s⁺):(Δe − Δe_v) + s⁺:Δe_v ,     D = h s⁺:s⁺/(2η)
//! ```

use delassus_math as math;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tensor::Mandel;

/// Time integration of a branch over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Integration {
    /// Exactly, for a constant strain rate.
    #[default]
    Exact,
    /// By backward Euler: first order.
    BackwardEuler,
}

/// A spring and a dashpot in series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Branch {
    /// μ > 0 \[Pa\].
    pub mu: f64,
    /// τ = η/μ > 0, infinite for a spring alone \[s\].
    pub time: f64,
    pub integration: Integration,
}

/// A branch after a step.
pub(super) struct Relaxed {
    /// s⁺ \[Pa\].
    pub stress: Mandel,
    /// ∂s⁺/∂(2μ Δe).
    pub gain: f64,
    /// ψ⁺ \[J/m³\].
    pub stored: f64,
    /// D ≥ 0 \[J/m³\].
    pub dissipated: f64,
    /// W \[J/m³\].
    pub path_work: f64,
}

impl Branch {
    /// A step of length h from the deviator `s` with the increment `de` of the strain's deviator.
    pub fn relax(&self, h: f64, s: &Mandel, de: &Mandel) -> Relaxed {
        let x = h / self.time;
        let drive = de * (2.0 * self.mu);
        let stored = |s: &Mandel| s.norm_squared() / (4.0 * self.mu);
        match self.integration {
            Integration::Exact => {
                let gain = mean_decay(x);
                let stress = s * math::exp(-x) + drive * gain;
                let mean = s * gain + drive * mean_growth(x);
                let squares = s.norm_squared() * mean_decay(2.0 * x)
                    + s.dot(&drive) * gain * gain
                    + drive.norm_squared() * mean_square_growth(x);
                let dissipated = x / (2.0 * self.mu) * squares;
                Relaxed { stress, gain, stored: stored(&stress), dissipated, path_work: mean.dot(de) }
            }
            Integration::BackwardEuler => {
                let gain = 1.0 / (1.0 + x);
                let stress = (s + drive) * gain;
                let flow = stress * (x / (2.0 * self.mu));
                let path_work = 0.5 * (s + stress).dot(&(de - flow)) + stress.dot(&flow);
                Relaxed { stress, gain, stored: stored(&stress), dissipated: 2.0 * x * stored(&stress), path_work }
            }
        }
    }
}

/// (1 − e⁻ˣ)/x.
fn mean_decay(x: f64) -> f64 {
    if x > 0.0 { -math::exp_m1(-x) / x } else { 1.0 }
}

/// (1 − (1 − e⁻ˣ)/x)/x; by its series where the difference would lose its digits.
fn mean_growth(x: f64) -> f64 {
    if x > 1e-2 {
        return (1.0 - mean_decay(x)) / x;
    }
    // ½ − x/6 + x²/24 − x³/120 + x⁴/720 − …: the next term is below 2e-14
    0.5 - x / 6.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0 * (1.0 - x / 6.0 * (1.0 - x / 7.0))))
}

/// ∫ ((1 − e⁻ˣᵘ)/x)² du over 0 … 1 = (x − e − ½e²)/x³ with e = 1 − e⁻ˣ; by its series where the difference would lose its digits.
fn mean_square_growth(x: f64) -> f64 {
    if x > 0.1 {
        let e = -math::exp_m1(-x);
        return (x - e - 0.5 * e * e) / (x * x * x);
    }
    // Σ (2ᵏ − 2) (−x)ᵏ⁻²/(k+1)! over k ≥ 2 = 1/3 − x/4 + 7x²/60 − …: the next term is below 1e-18
    let (mut sum, mut power, mut two) = (0.0, 1.0 / 6.0, 4.0);
    for k in 2..=12_u32 {
        sum += (two - 2.0) * power;
        power *= -x / f64::from(k + 2);
        two *= 2.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_continuous_where_series_take_over() {
        for x in [1e-12, 1e-6, 9.99e-3, 1.001e-2, 0.0999, 0.1001, 0.3, 5.0, 800.0] {
            // by quadrature of e⁻ˣᵘ and of (1 − e⁻ˣᵘ)/x over 0 … 1: midpoints, errors x²/(24 n²) and x/(24 n²)
            let n = 20000;
            let u = |k: usize| (k as f64 + 0.5) / n as f64;
            let decay: f64 = (0..n).map(|k| (-x * u(k)).exp()).sum::<f64>() / n as f64;
            let growth: f64 = (0..n).map(|k| -(-x * u(k)).exp_m1() / x).sum::<f64>() / n as f64;
            // Simpson's rule for the square, error 30 x²/(2880 n⁴)
            let at = |u: f64| ((-x * u).exp_m1() / x).powi(2);
            let edge = |k: usize| k as f64 / n as f64;
            let square: f64 =
                (0..n).map(|k| at(edge(k)) + 4.0 * at(u(k)) + at(edge(k + 1))).sum::<f64>() / (6 * n) as f64;
            let tolerance = 1e-12 + (x + x * x) / (24.0 * (n * n) as f64);
            assert!((mean_decay(x) - decay).abs() <= tolerance, "x = {x}: {} {decay}", mean_decay(x));
            assert!((mean_growth(x) - growth).abs() <= tolerance, "x = {x}: {} {growth}", mean_growth(x));
            assert!((mean_square_growth(x) - square).abs() <= 1e-12, "x = {x}: {} {square}", mean_square_growth(x));
        }
    }

    #[test]
    fn the_exact_step_can_be_cut_anywhere() {
        let branch = Branch { mu: 2.0, time: 0.7, integration: Integration::Exact };
        let (s, de) = (Mandel::new(0.3, -0.1, -0.2, 0.5, 0.0, 0.1), Mandel::new(0.02, 0.01, -0.03, 0.0, 0.04, 0.0));
        let whole = branch.relax(1.0, &s, &de);
        let first = branch.relax(0.3, &s, &(de * 0.3));
        let second = branch.relax(0.7, &first.stress, &(de * 0.7));
        assert!((whole.stress - second.stress).norm() < 1e-15);
        assert!((whole.dissipated - first.dissipated - second.dissipated).abs() < 1e-15);
        assert!((whole.path_work - first.path_work - second.path_work).abs() < 1e-15);
    }

    /// Work, stored energy and dissipation have formulas of their own; they agree for steps from a millionth of τ to a thousand τ.
    #[test]
    fn work_is_stored_or_dissipated() {
        let (s, de) = (Mandel::new(0.3, -0.1, -0.2, 0.5, 0.0, 0.1), Mandel::new(0.02, 0.01, -0.03, 0.0, 0.04, 0.0));
        for integration in [Integration::Exact, Integration::BackwardEuler] {
            let branch = Branch { mu: 2.0, time: 0.7, integration };
            for x in [0.0, 1e-6, 1e-3, 9.99e-3, 1.001e-2, 0.0999, 0.1001, 1.0, 30.0, 1e3] {
                let r = branch.relax(x * branch.time, &s, &de);
                let before = s.norm_squared() / (4.0 * branch.mu);
                let left = r.path_work - (r.stored - before) - r.dissipated;
                // some roundings of energies of 0.1; of mean_growth 1e-16/x beyond its series
                assert!(left.abs() < 1e-15, "{integration:?}, x = {x}: {left:e} of {:e}", r.path_work);
                // the dissipation of the state that it starts from, to first order
                if x > 0.0 && x < 1e-2 {
                    let rate = x * 2.0 * before;
                    assert!((r.dissipated / rate - 1.0).abs() < 0.5, "{integration:?}, x = {x}: {:e}", r.dissipated);
                }
            }
        }
    }
}
