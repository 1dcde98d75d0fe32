//! Bilinear cohesive zone: a bond that is stiff up to its strength and then softens along a line until its energy is spent.
//!
//! ```text
//! δ = √(g₊² + u_T²),   δ₀ = σ_max/K,   δ_f = 2 w/σ_max
//! d = max(d_old, δ_f (δ − δ₀)/(δ (δ_f − δ₀))),  from 0 to 1        p = p̃ − h (1 − d) K A (g₊, u_T)
//! ```
//!
//! The traction is K δ up to σ_max at δ₀, then σ_max (δ_f − δ)/(δ_f − δ₀), and nothing beyond δ_f; the energy is ½ σ_max δ_f = w. It unloads
//! along the secant. In compression there is contact, and friction once the bond is broken. Cohesive zones are those of Jean, Acary &
//! Monerie 2001, §2; the bond is that of its §6 e with 1 − d for β² (module `damage`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::StepTimes;
use super::damage::{DamageLaw, Opening, Springs};
use super::keys::{Keys, Per};
use crate::error::SolverError;

/// A cohesive zone of given stiffness, strength and energy, then contact with friction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BilinearCohesive {
    /// σ_max > 0, greatest traction [Pa; N per point].
    pub strength: f64,
    /// K > 0, stiffness of the intact bond [N/m³; N/m per point].
    pub stiffness: f64,
    /// w > σ_max²/(2K), energy that breaks the bond [J/m²; J per point].
    pub energy: f64,
    /// Friction coefficient μ ≥ 0 after breaking.
    #[serde(default)]
    pub friction: f64,
    /// Whether the numbers are per area or per contact point.
    #[serde(default)]
    pub per: Per,
}

impl BilinearCohesive {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`SolverError::Law`] with the one that is out of range.
    pub fn validate(&self) -> Result<(), SolverError> {
        let keys = Keys("BilinearCohesive");
        keys.positive("strength", self.strength)?;
        keys.positive("stiffness", self.stiffness)?;
        let stored = 0.5 * self.strength * self.strength / self.stiffness;
        let wanted = || format!("above the elastic energy at the strength, strength²/(2 stiffness) = {stored}");
        keys.check("energy", self.energy, self.energy > stored, wanted)?;
        keys.not_negative("friction", self.friction)
    }
}

impl DamageLaw for BilinearCohesive {
    fn intact(&self, area: f64) -> Springs {
        let stiffness = self.stiffness * self.per.area(area);
        Springs { normal: stiffness, tangential: stiffness }
    }

    fn left(&self, damage: f64) -> f64 {
        1.0 - damage
    }

    fn grow(&self, old: f64, _before: Opening, opening: Opening, _step: &StepTimes) -> f64 {
        let (first, last) = (self.strength / self.stiffness, 2.0 * self.energy / self.strength);
        let drawn = opening.squared(1.0, 1.0).sqrt();
        if drawn <= first {
            return old;
        }
        (last * (drawn - first) / (drawn * (last - first))).min(1.0).max(old)
    }

    fn friction(&self, old: f64) -> f64 {
        if old < 1.0 { 0.0 } else { self.friction }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{ContactInput, ContactLaw};
    use crate::linalg::Vector;
    use crate::local::Status;
    use crate::solution::{ContactScale, ContactSolution};

    const LAW: BilinearCohesive =
        BilinearCohesive { strength: 2e6, stiffness: 1e12, energy: 50.0, friction: 0.3, per: Per::Area };

    /// Tractions over a way of openings along `direction`, and the history at its end.
    fn tractions(direction: Vector<3>, way: impl Iterator<Item = f64>) -> (Vec<f64>, [f64; 6]) {
        let (mut z, mut at, step) = ([0.0; 6], 0.0, StepTimes { h: 1e-3, gap_time: 1e-3, rest: 1e-3 });
        let zero = Vector::<3>::zeros();
        let mut found = Vec::new();
        for to in way {
            let x = ContactInput {
                gap: at * direction[0],
                area: 1.0,
                v_minus: zero,
                v_free: zero,
                drift: zero,
                frame: crate::Matrix::identity(),
                acted: false,
                place: Vector::zeros(),
                time: 0.0,
            };
            let velocity = direction * ((to - at) / step.h);
            let scale = ContactScale::new(1.0, 1.0);
            let out = ContactSolution { velocity, impulse: zero, status: Status::Open, push: 0.0, scale };
            let old = z;
            found.push(LAW.commit(&x, &out, &step, &old, &mut z).bond.norm() / step.h);
            at = to;
        }
        (found, z)
    }

    #[test]
    fn strength_and_energy_in_every_mode() {
        // δ₀ = 2e-6 m, δ_f = 5e-5 m; a hundred thousand steps, one of which ends at δ₀.
        let n = 100_000;
        let spacing = 6e-5 / f64::from(n);
        for direction in
            [Vector::<3>::new(1.0, 0.0, 0.0), Vector::<3>::new(0.0, 0.6, -0.8), Vector::<3>::new(0.6, 0.8, 0.0)]
        {
            let (found, z) = tractions(direction, (1..=n).map(|i| f64::from(i) * spacing));
            let peak = found.iter().copied().fold(0.0, f64::max);
            let work: f64 = found.iter().map(|t| t * spacing).sum();
            assert!((peak / LAW.strength - 1.0).abs() < 1e-3, "{peak}");
            assert!((work / LAW.energy - 1.0).abs() < 1e-6, "{work}");
            assert!((z[0] - 1.0).abs() < 1e-15 && !ContactLaw::<3>::reaches(&LAW, &z));
            // Damage by steps: of first order in the spacing.
            assert!((z[5] / LAW.energy - 1.0).abs() < 1e-3, "{}", z[5]);
        }
    }

    #[test]
    fn it_unloads_along_its_secant_and_carries_on_where_it_was() {
        let normal = Vector::<3>::new(1.0, 0.0, 0.0);
        let (found, _) = tractions(normal, [2.6e-5, 1.3e-5, 0.0, 2.6e-5, 3.8e-5].into_iter());
        // σ_max (δ_f − δ)/(δ_f − δ₀) at 2.6e-5 m is half of the strength.
        for (found, wanted) in found.iter().zip([1e6, 0.5e6, 0.0, 1e6, 0.5e6]) {
            assert!((found - wanted).abs() < 1.0, "{found} {wanted}");
        }
    }

    #[test]
    fn it_is_refused_if_its_energy_is_spent_before_its_strength() {
        let fault = BilinearCohesive { energy: 1.9, ..LAW }.validate().unwrap_err().to_string();
        assert!(fault.starts_with("law `BilinearCohesive`: energy = 1.9 must be above"), "{fault}");
        assert!(BilinearCohesive { strength: 0.0, ..LAW }.validate().is_err());
        assert!(BilinearCohesive { friction: -1.0, ..LAW }.validate().is_err());
        assert_eq!(LAW.validate(), Ok(()));
    }
}
