//! A mass on a spring: the decay of a vibration by a scheme.
//!
//! ```text
//! q̈ + ω² q = 0 ,      (q, v)⁺ = A (q, v)       E of a vibration after n steps: ρ(A)²ⁿ E
//! ```
//!
//! Without contact a step of every scheme is linear, so A is known from two steps, those of the states (1, 0) and (0, 1); in
//! units of 1/ω it depends on ωh alone. The energy oscillates about that decay within a period. A linear body without
//! damping is a sum of such oscillators, one for each of its modes.
//!
//! ```text
//! complex pair (a vibration): ρ² = det A        real pair (ωh so large that nothing swings): ρ = ½(|tr A| + √(tr² A − 4 det A))
//! ```

use nalgebra_sparse::CscMatrix;

use crate::error::DynamicsError;
use crate::integrator::{BodyView, Integrator, first_guess, free_velocity};
use crate::mass_inverse::MassInverse;
use crate::operator::Operator;
use crate::state::State;
use crate::system::{Matrices, System};

/// ρ(A)²: the fraction of the energy of a vibration that remains after a step of `angle` = ωh.
///
/// # Errors
/// A [`DynamicsError`] if the scheme cannot step with this ωh (zero, or so large that ω²h² overflows).
pub fn energy_kept(integrator: &dyn Integrator, angle: f64) -> Result<f64, DynamicsError> {
    let oscillator = Oscillator::new();
    let mass = if integrator.keeps_acceleration() { Some(MassInverse::new(&oscillator)?) } else { None };
    let view = BodyView { system: &oscillator, mass: mass.as_ref() };
    let analysis = integrator.analyse(&oscillator)?;
    let step = |q: f64, v: f64| -> Result<[f64; 2], DynamicsError> {
        let mut from = State { t: 0.0, q: vec![q], v: vec![v], z: Vec::new(), aux: Vec::new() };
        view.start(&mut from);
        let start = integrator.begin(view, &from, angle);
        let guess = first_guess(&start);
        let values = integrator.effective_mass(&start, &guess);
        let mut operator = Operator::with_analysis(&analysis, &oscillator, values)?;
        let v = free_velocity(integrator, &start, &mut operator, &guess);
        let end = integrator.finish(&start, v).state;
        Ok([end.q[0], end.v[0]])
    };
    let ([a, c], [b, d]) = (step(1.0, 0.0)?, step(0.0, 1.0)?);
    let (trace, determinant) = (a + d, a * d - b * c);
    let split = trace * trace - 4.0 * determinant;
    Ok(if split > 0.0 { (0.5 * (trace.abs() + split.sqrt())).powi(2) } else { determinant })
}

/// Mass 1 kg, spring 1 N/m: ω = 1/s.
struct Oscillator {
    matrices: Matrices,
}

impl Oscillator {
    fn new() -> Self {
        let one = || CscMatrix::identity(1);
        Self { matrices: Matrices { mass: one(), damping: CscMatrix::zeros(1, 1), stiffness: one(), lumped: true } }
    }
}

impl System for Oscillator {
    fn n_dof(&self) -> usize {
        1
    }

    fn matrices(&self) -> &Matrices {
        &self.matrices
    }

    fn mass_times_into(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
    }

    fn elastic_force_into(&self, q: &[f64], out: &mut [f64]) {
        out.copy_from_slice(q);
    }

    fn elastic_energy(&self, q: &[f64]) -> f64 {
        0.5 * q[0] * q[0]
    }

    fn viscous_force_into(&self, _q: &[f64], _v: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }

    fn is_damped(&self) -> bool {
        false
    }

    fn loads_into(&self, _t: f64, out: &mut [f64]) {
        out.fill(0.0);
    }

    fn prescribed(&self) -> &[usize] {
        &[]
    }

    fn prescribed_motion(&self, _t: f64) -> Vec<(f64, f64)> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrator::{Explicit, ModifiedTheta, Newmark, Theta, ThetaEuler};

    fn kept(integrator: &dyn Integrator, angle: f64) -> f64 {
        energy_kept(integrator, angle).unwrap()
    }

    /// det A by hand, w = ωh: of the θ-method (1 + (1−θ)²w²)/(1 + θ²w²), of θ-Euler 1/(1 + θw²).
    #[test]
    fn the_determinants_of_the_schemes() {
        for w in [1e-3_f64, 0.1, 0.7, 1.9] {
            let w2 = w * w;
            for theta in [0.5, 0.55, 0.8, 1.0] {
                let by_hand = (1.0 + (1.0 - theta) * (1.0 - theta) * w2) / (1.0 + theta * theta * w2);
                for scheme in [&Theta { theta } as &dyn Integrator, &ModifiedTheta { theta }] {
                    assert!((kept(scheme, w) / by_hand - 1.0).abs() < 1e-13, "{theta} {w}");
                }
                // v⁺(1 + θw²) = v − w q, q⁺ = q + w v⁺; beyond some w nothing swings.
                let euler = 1.0 / (1.0 + theta * w2);
                let (trace, determinant) = (1.0 + euler - w2 * euler, euler);
                if trace * trace < 4.0 * determinant {
                    assert!((kept(&ThetaEuler { theta }, w) / euler - 1.0).abs() < 1e-13, "{theta} {w}");
                }
            }
            // Newmark (½, ¼) and the explicit scheme lose nothing.
            assert!((kept(&Newmark { gamma: 0.5, beta: 0.25 }, w) - 1.0).abs() < 1e-13);
            assert!((kept(&Explicit::default(), w) - 1.0).abs() < 1e-13);
        }
    }

    /// Long steps: θ = 1 damps what it does not resolve, θ = ½ keeps it.
    #[test]
    fn long_steps() {
        assert!(kept(&Theta { theta: 1.0 }, 100.0) < 2e-4);
        assert!((kept(&Theta { theta: 0.5 }, 100.0) - 1.0).abs() < 1e-12);
        assert!(energy_kept(&Theta { theta: 1.0 }, f64::NAN).is_err());
    }
}
