//! Explicit in the displacements, implicit in the reactions (Jean 1995 §5.1), with real or fictitious masses.
//!
//! ```text
//! m Δv = h (F + d) + H p ,   F = P(t) − C v − f(q, z)        q⁺ = q + h v⁺        q_c = q      τ = h
//! d = −α |F + R| sgn v                                       local damping; R: reactions of the last step
//! ```
//!
//! Local damping (Cundall) takes a part α of what is out of balance at each dof, reactions of contacts and supports included, so
//! that nothing is damped in equilibrium.
//!
//! M̂ is the diagonal m. With the masses of the body, h must stay below the critical step 2/ω_max; by Gershgorin's circles
//!
//! ```text
//! ω_max² ≤ max_i Σ_j |K_ij| / m_i
//! ```
//!
//! *Fictitious* masses turn this round for evolutions in which inertia does not matter: for any h, each node gets the least mass
//! that keeps h at the part s of its critical step,
//!
//! ```text
//! m = h²/(4 s²) · max over the node's dofs of Σ_j |K_ij| ,     K = ∂f⁺/∂q⁺ over h at the step's start
//! ```
//!
//! They are made anew at each step from the state and h, velocities are kept. Whether inertia is small enough is for the ratio
//! |m Δv/h| / |f| to say ([`Inertia`]). Loads keep the real masses.
//!
//! Energy: that of the θ-Euler method at θ = 0; kinetic energy is that of the real masses, and what fictitious masses and
//! local damping take counts as numerical.

use serde::{Deserialize, Serialize};

use super::theta_family::{balance, dot, free_square, subtract, subtract_viscosity};
use super::{Balance, BodyView, Coefficients, Inertia, Integrator, StepView};
use crate::{DynamicsError, Motion, State, System};

const SCHEME: &str = "Explicit";

/// Explicit scheme.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Explicit {
    /// Which masses resist.
    pub masses: Masses,
    /// α of the local damping, 0 ≤ α < 1.
    pub damping: f64,
}

/// Masses of an explicit scheme.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Masses {
    /// Those of the body.
    #[default]
    Real,
    /// The least with which the step is stable.
    Fictitious {
        /// s: the step over the critical one, in (0, 1).
        safety: f64,
    },
}

impl Explicit {
    /// Itself, if the parameters are allowed.
    pub fn checked(self) -> Result<Self, DynamicsError> {
        let refuse =
            |parameter, value, allowed| Err(DynamicsError::Parameter { scheme: SCHEME, parameter, value, allowed });
        if !(0.0..1.0).contains(&self.damping) {
            return refuse("damping", self.damping, "damping must lie in [0, 1)");
        }
        match self.masses {
            Masses::Fictitious { safety } if !(safety > 0.0 && safety < 1.0) => {
                refuse("safety", safety, "safety must lie in (0, 1): the step over the critical one")
            }
            _ => Ok(self),
        }
    }

    /// m of every dof \[kg\].
    fn mass(&self, system: &dyn System, from: &State, h: f64) -> Vec<f64> {
        match self.masses {
            Masses::Real => real_masses(system),
            Masses::Fictitious { safety } => {
                let factor = h * h / (4.0 * safety * safety);
                let mut mass = row_sums(system, from, h);
                for node in mass.chunks_mut(system.block_size()) {
                    let largest = node.iter().fold(0.0, |m: f64, x| m.max(*x));
                    node.fill(factor * largest);
                }
                mass
            }
        }
    }

    /// F + d at the start of a step \[N\].
    fn force(&self, system: &dyn System, from: &State) -> Vec<f64> {
        let (mut force, mut part) = (vec![0.0; from.q.len()], vec![0.0; from.q.len()]);
        system.loads_into(from.t, &mut force);
        system.force_at_into(from, &mut part);
        subtract(&part, &mut force);
        subtract_viscosity(system, &from.v, &mut force, &mut part);
        for (i, d) in self.damping_force(&force, from).into_iter().enumerate() {
            force[i] += d;
        }
        force
    }

    /// d, from F \[N\].
    fn damping_force(&self, force: &[f64], from: &State) -> Vec<f64> {
        let damping = |((f, r), v): ((&f64, &f64), &f64)| {
            // at rest nothing is to be damped: f64::signum(0) is one
            if v.abs() > 0.0 { -self.damping * (f + r).abs() * v.signum() } else { 0.0 }
        };
        // before the first step the reactions are not known
        force.iter().zip(&from.aux).zip(&from.v).map(damping).collect()
    }
}

fn real_masses(system: &dyn System) -> Vec<f64> {
    let mut mass = vec![0.0; system.n_dof()];
    system.mass_times_into(&vec![1.0; system.n_dof()], &mut mass);
    mass
}

/// Σ_j |K_ij| with the tangent over a step from this state \[N/m\].
fn row_sums(system: &dyn System, from: &State, h: f64) -> Vec<f64> {
    let tangent = system.tangent(&Motion { from, dq: &vec![0.0; from.q.len()], h });
    let pattern = &system.matrices().pattern;
    let (offsets, rows) = (pattern.major_offsets(), pattern.minor_indices());
    let mut sums = vec![0.0; system.n_dof()];
    for j in 0..pattern.major_dim() {
        for k in offsets[j]..offsets[j + 1] {
            sums[rows[k]] += tangent[k].abs();
            if rows[k] != j {
                sums[j] += tangent[k].abs();
            }
        }
    }
    sums
}

/// A step that is surely stable with the real lumped masses of a body, 2/ω with ω from Gershgorin's circles; infinite without
/// stiffness \[s\].
#[must_use]
pub fn critical_step(system: &dyn System, from: &State, h: f64) -> f64 {
    let ratio = real_masses(system).into_iter().zip(row_sums(system, from, h)).map(|(m, k)| k / m);
    2.0 / ratio.fold(0.0, f64::max).sqrt()
}

impl Integrator for Explicit {
    fn gap_time(&self, h: f64) -> f64 {
        h
    }

    fn contact_delay(&self, _h: f64) -> f64 {
        0.0
    }

    fn coefficients(&self, _h: f64) -> Coefficients {
        Coefficients { damping: 0.0, stiffness: 0.0 }
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn masses(&self, system: &dyn System, from: &State, h: f64) -> Option<Vec<f64>> {
        Some(self.mass(system, from, h))
    }

    fn contact_configuration(&self, from: &State, _h: f64) -> Vec<f64> {
        from.q.clone()
    }

    fn residual(&self, system: &dyn System, from: &State, v: &[f64], h: f64) -> Vec<f64> {
        let (mass, force) = (self.mass(system, from, h), self.force(system, from));
        (0..v.len()).map(|i| h * force[i] - mass[i] * (v[i] - from.v[i])).collect()
    }

    fn displacement(&self, _from: &State, v: &[f64], h: f64) -> Vec<f64> {
        v.iter().map(|v| h * v).collect()
    }

    fn finish(&self, body: &BodyView<'_>, from: &State, v: Vec<f64>, h: f64) -> State {
        let dq = self.displacement(from, &v, h);
        let z = body.system.advance(&Motion { from, dq: &dq, h });
        let q = from.q.iter().zip(&dq).map(|(q, d)| q + d).collect();
        let aux = self.residual(body.system, from, &v, h).into_iter().map(|r| -r / h).collect();
        State { t: from.t + h, q, v, z, aux }
    }

    fn balance(&self, step: &StepView<'_>) -> Balance {
        let StepView { system, from, to, h, .. } = *step;
        let mut balance = balance(step, 0.0, 0.5, to.v.clone(), || self.residual(system, from, &to.v, h));
        let mass = self.mass(system, from, h);
        let change: Vec<f64> = (0..mass.len()).map(|i| mass[i] * (to.v[i] - from.v[i])).collect();
        if self.masses != Masses::Real {
            let real = real_masses(system);
            balance.numerical +=
                (0..mass.len()).map(|i| to.v[i] * (change[i] - real[i] * (to.v[i] - from.v[i]))).sum::<f64>();
        }
        let mut force = vec![0.0; mass.len()];
        if self.damping > 0.0 {
            let undamped = Self { damping: 0.0, ..*self }.force(system, from);
            balance.numerical -= h * dot(&to.v, &self.damping_force(&undamped, from));
        }
        system.force_at_into(from, &mut force);
        balance.inertia =
            Some(Inertia { inertia: free_square(system, &change) / (h * h), internal: free_square(system, &force) });
        balance
    }
}
