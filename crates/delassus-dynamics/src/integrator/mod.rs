//! Time integrators: one residual form, several schemes.
//!
//! Every scheme writes the step as one equation for the velocity at its end,
//!
//! ```text
//! r(v⁺) + H p + s = 0 ,     −∂r/∂v⁺ = M̂ = M + c_C C + c_K K
//! ```
//!
//! with contact impulses p and support impulses s (on prescribed dofs only). A linear body needs one correction from any
//! start; a nonlinear one iterates it. The schemes differ in M̂, in how q follows v, and in where and over which time the
//! gap is looked at: g⁺ = g(q_c) + τ U_N⁺.
//!
//! | scheme | M̂ | q⁺ | q_c | τ |
//! |---|---|---|---|---|
//! | θ-method | M + hθC + h²θ²K | q + h(θv⁺ + (1−θ)v) | q + h(1−θ)v | hθ |
//! | modified θ | as θ-method | as θ-method | q + h(1−θ)v | h |
//! | θ-Euler | M + hθC + h²θK | q + h v⁺ | q | h |
//! | Newmark | M + hγC + h²βK | q_c + τ v⁺ | q + h(1−β/γ)v + h²(½−β/γ)a | hβ/γ |
//! | explicit | lumped M | q + h v⁺ (forces at q) | q | h |
//!
//! References: Vola, Pratt, Jean & Raous 1998 §3 (θ, modified θ, θ-Euler; their systems omit "+ h r"), Jean 1995 §3.
//!
//! A new scheme is one file here, a `mod` line and a variant of [`IntegratorSpec`].

mod explicit;
mod modified_theta;
mod newmark;
mod theta;
mod theta_euler;
mod theta_family;

use serde::{Deserialize, Serialize};

use crate::operator::MassInverse;
use crate::{DynamicsError, Motion, Operator, State, System};

pub use explicit::{Explicit, Masses, critical_step};
pub use modified_theta::ModifiedTheta;
pub use newmark::Newmark;
pub use theta::Theta;
pub use theta_euler::ThetaEuler;

/// Coefficients of C and K in M̂ = M + c_C C + c_K K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// c_C \[s\].
    pub damping: f64,
    /// c_K \[s²\].
    pub stiffness: f64,
}

/// What one step did to the energy of one body: the terms of the scheme's exact identity (for a linear body)
///
/// ```text
/// ΔE = external + Σ p·(Hᵀ v_t) − viscous − numerical
/// ```
///
/// For an inelastic body "numerical" is what remains after the stored energy and the materials' own dissipation.
#[derive(Clone, Debug)]
pub struct Balance {
    /// v_t: the velocity on which reactions do their work in this scheme \[m/s\].
    pub test_velocity: Vec<f64>,
    /// Kinetic energy at the step's end \[J\].
    pub kinetic: f64,
    /// Elastic energy at the step's end \[J\].
    pub elastic: f64,
    /// Work of the loads over the step \[J\].
    pub load_work: f64,
    /// Work of the supports over the step \[J\].
    pub support_work: f64,
    /// Energy taken by viscosity, that of the materials included, over the step \[J\].
    pub viscous: f64,
    /// Energy taken by the scheme itself over the step \[J\].
    pub numerical: f64,
    /// Impulse of the supports over the step \[N·s\], in the order of [`System::prescribed`].
    pub support_impulse: Vec<f64>,
    /// How large inertia is beside the internal forces; for inelastic bodies, whose evolution may be meant to be slow.
    pub inertia: Option<Inertia>,
}

/// Squares of forces over the free degrees of freedom, to be added over bodies \[N²\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    /// |M Δv/h|², with the masses that the scheme uses.
    pub inertia: f64,
    /// |f|².
    pub internal: f64,
}

/// One step as the energy balance sees it.
#[derive(Clone, Copy)]
pub struct StepView<'a> {
    /// The body.
    pub system: &'a dyn System,
    /// State at the step's start.
    pub from: &'a State,
    /// State at the step's end.
    pub to: &'a State,
    /// Step \[s\].
    pub h: f64,
    /// H p: the contact impulses on the dofs \[N·s\].
    pub contact_impulse: &'a [f64],
}

/// A time-stepping scheme. One for a whole run, without state of its own.
pub trait Integrator: Send + Sync + std::fmt::Debug {
    /// τ \[s\]: the time over which the final velocity acts on the gap.
    fn gap_time(&self, h: f64) -> f64;
    /// Time from the step's start to the contact configuration \[s\].
    fn contact_delay(&self, h: f64) -> f64;
    /// M̂.
    fn coefficients(&self, h: f64) -> Coefficients;
    /// Is M̂ a diagonal that needs no factorisation, and may change with every step?
    fn is_explicit(&self) -> bool {
        false
    }
    /// That diagonal for a step from a state \[kg\], if the scheme is explicit.
    fn masses(&self, _system: &dyn System, _from: &State, _h: f64) -> Option<Vec<f64>> {
        None
    }
    /// Does the scheme keep accelerations (and so need M⁻¹)?
    fn keeps_acceleration(&self) -> bool {
        false
    }
    /// q_c: the configuration in which gaps and frames are measured.
    fn contact_configuration(&self, from: &State, h: f64) -> Vec<f64>;
    /// r(v): what is left of the impulse balance of the step if it ended with velocity `v`, without reactions \[N·s\].
    fn residual(&self, system: &dyn System, from: &State, v: &[f64], h: f64) -> Vec<f64>;
    /// Δq = q⁺ − q of a step that ends with velocity `v` \[m\].
    fn displacement(&self, from: &State, v: &[f64], h: f64) -> Vec<f64>;
    /// The state at the end of a step that ends with velocity `v`.
    fn finish(&self, body: &BodyView<'_>, from: &State, v: Vec<f64>, h: f64) -> State {
        let dq = self.displacement(from, &v, h);
        let z = body.system.advance(&Motion { from, dq: &dq, h });
        State { t: from.t + h, q: theta_family::plus_scaled(&from.q, 1.0, &dq), v, z, aux: Vec::new() }
    }
    /// The terms of the energy identity of this step.
    fn balance(&self, step: &StepView<'_>) -> Balance;
}

/// A body with what integrators may ask of it beyond [`System`].
#[derive(Clone, Copy)]
pub struct BodyView<'a> {
    /// The body.
    pub system: &'a dyn System,
    /// M⁻¹, present when the scheme [keeps accelerations](Integrator::keeps_acceleration).
    pub mass: Option<&'a MassInverse>,
}

impl BodyView<'_> {
    /// Makes a state consistent with the prescribed motions and the integrator's memory: v = V(t) on prescribed dofs,
    /// a = M⁻¹(P − Cv − f) elsewhere.
    pub fn start(&self, state: &mut State) {
        for (&dof, (v, _)) in self.system.prescribed().iter().zip(self.system.prescribed_motion(state.t)) {
            state.v[dof] = v;
        }
        state.aux = self.acceleration(state);
    }

    /// a(t, q, v), or nothing when no M⁻¹ is kept.
    fn acceleration(&self, state: &State) -> Vec<f64> {
        let Some(mass) = self.mass else { return Vec::new() };
        let mut force = theta_family::net_force(self.system, state);
        mass.acceleration(self.system, state.t, &mut force);
        force
    }
}

/// The velocity from which the search for the one at the step's end begins: the present one, with the prescribed velocities of
/// the end. Elimination then needs no columns of M̂.
#[must_use]
pub fn first_guess(system: &dyn System, from: &State, h: f64) -> Vec<f64> {
    let mut v = from.v.clone();
    for (&dof, (velocity, _)) in system.prescribed().iter().zip(system.prescribed_motion(from.t + h)) {
        v[dof] = velocity;
    }
    v
}

/// The velocity at the step's end if no contact acted: v + w r(v), the end of the search for a linear body, one step of
/// Newton's method from v for others.
pub fn free_velocity(
    integrator: &dyn Integrator,
    system: &dyn System,
    operator: &mut Operator,
    (from, v): (&State, &[f64]),
    h: f64,
) -> Vec<f64> {
    let mut correction = integrator.residual(system, from, v, h);
    operator.apply(&mut correction);
    v.iter().zip(&correction).map(|(x, d)| x + d).collect()
}

/// The schemes a case can name.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub enum IntegratorSpec {
    /// θ-method.
    Theta(Theta),
    /// Modified θ-method.
    ModifiedTheta(ModifiedTheta),
    /// θ-Euler method.
    ThetaEuler(ThetaEuler),
    /// Newmark's method.
    Newmark(Newmark),
    /// Explicit in the displacements, implicit in the reactions.
    Explicit(Explicit),
}

impl IntegratorSpec {
    /// Checks the parameters and builds the scheme.
    pub fn build(&self) -> Result<Box<dyn Integrator>, DynamicsError> {
        Ok(match self {
            Self::Theta(s) => Box::new(s.checked()?),
            Self::ModifiedTheta(s) => Box::new(s.checked()?),
            Self::ThetaEuler(s) => Box::new(s.checked()?),
            Self::Newmark(s) => Box::new(s.checked()?),
            Self::Explicit(s) => Box::new(s.checked()?),
        })
    }
}

/// Kinetic and elastic energy of a state \[J\].
#[must_use]
pub fn energies(system: &dyn System, state: &State) -> (f64, f64) {
    (theta_family::kinetic_energy(system, &state.v), system.stored_energy(state))
}
