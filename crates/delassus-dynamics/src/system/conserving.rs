//! Bodies of finite strain that know a force of a step F(x, x⁺) which conserves.
//!
//! ```text
//! Σ F = 0 ,   Σ x_½ × F = 0 ,   F·Δx = ΔΨ + D − Q + N     Ψ stored, D dissipated by the materials, Q supplied to them, N ≥ 0 by the scheme
//! ```
//!
//! for every pair of configurations, as the force of a body that [turns](super::Turning) in a frame, without one.

use super::{Motion, Stresses};

/// What a step did inside such a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConservingStep {
    /// F; not finite for a motion that the body cannot make \[N\].
    pub force: Vec<f64>,
    /// z⁺.
    pub z: Vec<f64>,
    /// Energy stored at the end \[J\].
    pub stored: f64,
    /// Energy dissipated by the materials, but for plastic work \[J\].
    pub dissipated: f64,
    /// Plastic work \[J\].
    pub plastic: f64,
    /// What the materials got by another way than their stresses \[J\].
    pub supplied: f64,
    /// Energy dissipated by the scheme \[J\].
    pub numerical: f64,
}

/// The interface of such a body.
pub trait Conserving: Send + Sync {
    /// The step of a motion, with strains at the level θ.
    fn step(&self, motion: &Motion<'_>, theta: f64) -> ConservingStep;
    /// The symmetric part of ∂F/∂x⁺ over θ, or near it: lower triangle in the pattern of K \[N/m\].
    fn tangent(&self, motion: &Motion<'_>, theta: f64, stresses: Stresses) -> Vec<f64>;
}
