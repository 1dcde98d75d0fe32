//! Explicit in the displacements, implicit in the reactions (Jean 1995 §5.1), with real or fictitious masses.
//!
//! ```text
//! m Δv = h (F + d) + H p ,   F = P(t) − C v − f(q, z)        q⁺ = q + h v⁺        q_c = q      τ = h
//! d = −α |F + R| sgn v                                       local damping; R: reactions of the last step
//! ```
//!
//! Local damping (Cundall) opposes the velocity with the fraction α of the out-of-balance force of each dof, reactions of
//! contacts and supports included. It vanishes in equilibrium.
//!
//! M̂ is the diagonal m. With the masses of the body, h must stay below the critical step 2/ω_max; by Gershgorin's circles
//!
//! ```text
//! ω_max² ≤ max_i Σ_j |K_ij| / m_i
//! ```
//!
//! *Fictitious* masses are for evolutions in which inertia does not matter: for a given h, each node gets the smallest mass for
//! which h is the fraction s of its critical step,
//!
//! ```text
//! m = h²/(4 s²) · max over the node's dofs of Σ_j |K_ij| ,     K = ∂f⁺/∂q⁺ over h at the step's start
//! ```
//!
//! They are computed again at each step from the state and h; velocities are kept. The ratio |m Δv/h| / |f| measures whether
//! inertia is small enough ([`Inertia`]). After a sudden event it is the released force for any h, and decreases from step to
//! step; in a smooth motion it is proportional to the masses, that is to h². Loads keep the real masses.
//!
//! Energy: that of the θ-Euler method at θ = 0; kinetic energy is that of the real masses, and the dissipation by
//! fictitious masses and local damping counts as numerical.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::theta_family::{DoneStep, Levels, balance, dot, free_square, net_force};
use super::{Balance, BodyView, FramePass, Inertia, Integrator, StepEnd, StepStart};
use crate::effective_mass::{Coefficients, EFFECTIVE, diagonal};
use crate::error::DynamicsError;
use crate::factor::Analysis;
use crate::state::State;
use crate::system::{Motion, Stresses, System};

const SCHEME: &str = "Explicit";

/// Explicit scheme.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Explicit {
    /// Masses of the nodes.
    pub masses: Masses,
    /// α of the local damping, 0 ≤ α < 1.
    pub damping: f64,
}

/// Masses of an explicit scheme.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub enum Masses {
    /// Those of the body.
    #[default]
    Real,
    /// The smallest masses with which the step is stable.
    Fictitious {
        /// s: ratio of the step to the critical step, in (0, 1).
        safety: f64,
    },
}

/// An evolution with fictitious masses counts as slow while inertia is below this part of the internal forces. Nothing keeps it there: a run tells
/// for how long it was larger, and the column `inertia_ratio` can be checked.
const SLOW: f64 = 1e-2;

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

    /// F at the start of a step \[N\].
    fn force(start: &StepStart<'_>) -> Vec<f64> {
        net_force(start.system(), start.from, start.response.as_ref())
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
    let tangent = system.tangent(&Motion { from, dq: &vec![0.0; from.v.len()], h });
    let pattern = system.matrices().pattern();
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
fn critical_step(system: &dyn System, from: &State, h: f64) -> f64 {
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

    fn force_level(&self) -> Option<f64> {
        (self.masses == Masses::Real && self.damping <= 0.0).then_some(0.0)
    }

    fn coefficients(&self, _h: f64) -> Coefficients {
        Coefficients { damping: 0.0, stiffness: 0.0 }
    }

    /// That of a diagonal.
    fn analyse(&self, system: &dyn System) -> Result<Arc<Analysis>, DynamicsError> {
        Ok(Arc::new(Analysis::new(&diagonal(system.n_dof()), EFFECTIVE)?))
    }

    /// The frames of a body's parts have no share in a diagonal.
    fn mass_of_parts(&self, _: &StepStart<'_>, _: &[f64], _: FramePass, _: Stresses) -> Option<Vec<f64>> {
        None
    }

    /// The diagonal m.
    fn effective_mass(&self, start: &StepStart<'_>, _v: &[f64]) -> Vec<f64> {
        start.masses.clone().unwrap_or_default()
    }

    /// Fictitious masses are made at each step; real ones cost nothing to take again.
    fn operator_varies(&self, _system: &dyn System) -> bool {
        true
    }

    /// Forces are those of the start of the step.
    fn iterates(&self, _system: &dyn System) -> bool {
        false
    }

    /// Diagonals are cheap, and fictitious masses are each body's own.
    fn shares_operators(&self) -> bool {
        false
    }

    fn requires_lumped_mass(&self) -> bool {
        true
    }

    fn critical_step(&self, system: &dyn System, from: &State, h: f64) -> Option<f64> {
        Some(critical_step(system, from, h))
    }

    fn tells_inertia(&self, _is_inelastic: bool) -> bool {
        true
    }

    fn max_inertia(&self) -> Option<f64> {
        match self.masses {
            Masses::Real => None,
            Masses::Fictitious { .. } => Some(SLOW),
        }
    }

    fn begin<'a>(&self, body: BodyView<'a>, from: &'a State, h: f64) -> StepStart<'a> {
        let masses = Some(self.mass(body.system, from, h));
        StepStart { masses, ..StepStart::new(body, from, h) }
    }

    fn contact_configuration(&self, _system: &dyn System, from: &State, _h: f64) -> Vec<f64> {
        from.q.clone()
    }

    fn residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        let (force, mass) = (Self::force(start), start.masses.as_deref().unwrap_or_default());
        let damping = self.damping_force(&force, start.from);
        let at = |i: usize| force[i] + damping.get(i).copied().unwrap_or(0.0);
        (0..v.len()).map(|i| start.h * at(i) - mass[i] * (v[i] - start.from.v[i])).collect()
    }

    fn displacement(&self, _from: &State, v: &[f64], h: f64) -> Vec<f64> {
        v.iter().map(|v| h * v).collect()
    }

    fn finish(&self, start: &StepStart<'_>, v: Vec<f64>) -> StepEnd {
        let dq = self.displacement(start.from, &v, start.h);
        let response = start.system().respond(&start.motion(&dq));
        let z = response.as_ref().map(|a| a.z.clone()).unwrap_or_default();
        let q = start.system().moved(&start.from.q, &dq);
        let aux = self.residual(start, &v).into_iter().map(|r| -r / start.h).collect();
        StepEnd { state: State { t: start.from.t + start.h, q, v, z, aux }, response, turned: None, reached: None }
    }

    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance {
        let (system, from, to, h) = (start.system(), start.from, &end.state, start.h);
        let residual = || self.residual(start, &to.v);
        let mut balance =
            balance(&DoneStep { start, end, contact_impulse }, Levels::both(0.0), 0.5, to.v.clone(), residual);
        let mass = start.masses.as_deref().unwrap_or_default();
        let change: Vec<f64> = (0..mass.len()).map(|i| mass[i] * (to.v[i] - from.v[i])).collect();
        if self.masses != Masses::Real {
            let real = real_masses(system);
            let beyond = |i: usize| to.v[i] * (change[i] - real[i] * (to.v[i] - from.v[i]));
            balance.numerical += (0..mass.len()).map(beyond).sum::<f64>();
        }
        if self.damping > 0.0 {
            balance.numerical -= h * dot(&to.v, &self.damping_force(&Self::force(start), from));
        }
        let mut force = vec![0.0; change.len()];
        start.force_into(&mut force);
        balance.inertia =
            Some(Inertia { inertia: free_square(system, &change) / (h * h), internal: free_square(system, &force) });
        balance
    }
}
