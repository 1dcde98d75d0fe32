//! A Maxwell branch: a spring of shear modulus μ in series with a dashpot of viscosity η = μ τ, on deviators.
//!
//! ```text
//! ṡ = 2μ ė − s/τ                                           x = h/τ
//! exact for a constant rate :  s⁺ = e⁻ˣ s + 2μ Δe (1−e⁻ˣ)/x
//! backward Euler           :  s⁺ = (s + 2μ Δe)/(1+x)
//! stored ψ = s:s/(4μ) ,       dissipated D = ∫ s:s/(2η) dt
//! ```
//!
//! On the exact path the work is known, ∫ s:ė dt = s̄:Δe with the mean s̄ = s g₁ + 2μ Δe (1 − g₁)/x, g₁ = (1−e⁻ˣ)/x, so that
//! D = s̄:Δe − Δψ; backward Euler takes D = h s⁺:s⁺/(2η).

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
                // zero but for rounding where nothing flows
                let dissipated = if x > 0.0 { (mean.dot(de) - (stored(&stress) - stored(s))).max(0.0) } else { 0.0 };
                Relaxed { stress, gain, stored: stored(&stress), dissipated }
            }
            Integration::BackwardEuler => {
                let gain = 1.0 / (1.0 + x);
                let stress = (s + drive) * gain;
                Relaxed { stress, gain, stored: stored(&stress), dissipated: 2.0 * x * stored(&stress) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_continuous_where_series_take_over() {
        for x in [1e-12, 1e-6, 9.99e-3, 1.001e-2, 0.3, 5.0, 800.0] {
            // by quadrature of e⁻ˣᵘ and of (1 − e⁻ˣᵘ)/x over 0 … 1: midpoints, errors x²/(24 n²) and x/(24 n²)
            let n = 20000;
            let u = |k: usize| (k as f64 + 0.5) / n as f64;
            let decay: f64 = (0..n).map(|k| (-x * u(k)).exp()).sum::<f64>() / n as f64;
            let growth: f64 = (0..n).map(|k| -(-x * u(k)).exp_m1() / x).sum::<f64>() / n as f64;
            let tolerance = 1e-12 + (x + x * x) / (24.0 * (n * n) as f64);
            assert!((mean_decay(x) - decay).abs() <= tolerance, "x = {x}: {} {decay}", mean_decay(x));
            assert!((mean_growth(x) - growth).abs() <= tolerance, "x = {x}: {} {growth}", mean_growth(x));
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
    }
}
