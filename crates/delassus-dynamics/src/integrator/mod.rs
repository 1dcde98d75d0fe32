//! Time integrators: one residual form, several schemes.
//!
//! Every scheme writes the step as one equation for the velocity at its end,
//!
//! ```text
//! r(v⁺) + H p + s = 0 ,     −∂r/∂v⁺ = M̂ = M + c_C C + c_K K
//! ```
//!
//! with contact impulses p and support impulses s (on prescribed dofs only). A linear body needs one correction from any
//! initial value; a nonlinear one needs several. The schemes differ in M̂, in the update of q, and in the configuration
//! q_c and the time τ of the gap: g⁺ = g(q_c) + τ U_N⁺.
//!
//! | scheme | M̂ | q⁺ | q_c | τ |
//! |---|---|---|---|---|
//! | θ-method | M + hθC + h²θ²K | q + h(θv⁺ + (1−θ)v) | q + h(1−θ)v | hθ |
//! | modified θ | as θ-method | as θ-method | q + h(1−θ)v | h |
//! | θ-Euler | M + hθC + h²θK | q + h v⁺ | q | h |
//! | Newmark | M + hγC + h²βK | q_c + τ v⁺ | q + h(1−β/γ)v + h²(½−β/γ)a | hβ/γ |
//! | energy–momentum | M + ½hC + ½h²θK | q + ½h(v + v⁺) | q + ½hv | h |
//! | explicit | lumped M | q + h v⁺ (forces at q) | q | h |
//! | quasi-static | hC + h²K (s h²M where a rigid motion is free, between iterates alone) | q + h v⁺ | q | h |
//!
//! References: Vola, Pratt, Jean & Raous 1998 §3 (θ, modified θ, θ-Euler; their systems omit "+ h r"), Jean 1995 §3.
//!
//! A new scheme is one file here, a `mod` line and a variant of [`IntegratorSpec`].

mod energy_momentum;
mod explicit;
mod modified_theta;
mod newmark;
mod quasi_static;
mod theta;
mod theta_euler;
mod theta_family;

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effective_mass::{Coefficients, EFFECTIVE, combine_parts, pattern_of, turned};
use crate::error::DynamicsError;
use crate::factor::Analysis;
use crate::mass_inverse::MassInverse;
use crate::operator::Operator;
use crate::state::State;
use crate::system::{
    BodyResponse, Conserving, ConservingStep, Drifted, Motion, Stresses, System, TangentAt, TurnedStep, TurningStart,
};

pub use energy_momentum::EnergyMomentum;
pub use explicit::{Explicit, Masses};
pub use modified_theta::ModifiedTheta;
pub use newmark::Newmark;
pub use quasi_static::QuasiStatic;
pub use theta::Theta;
pub use theta_euler::ThetaEuler;

/// What one step did to the energy of one body: the terms of the scheme's exact identity (for a linear body)
///
/// ```text
/// ΔE = external + Σ p·(Hᵀ v_t) − viscous − plastic − numerical − spin − remainder
/// ```
///
/// For an inelastic body the identity holds if the work of the stresses is what the materials store and dissipate: each of the three has a formula of its own.
#[derive(Clone, Debug)]
pub struct Balance {
    /// v_t: the velocity on which reactions do their work in this scheme \[m/s\].
    pub test_velocity: Vec<f64>,
    /// Kinetic energy at the step's end \[J\].
    pub kinetic: f64,
    /// Elastic energy at the step's end \[J\].
    pub elastic: f64,
    /// Work of the loads over the step, and what materials got by another way than their stress \[J\].
    pub load_work: f64,
    /// Work of the supports over the step \[J\].
    pub support_work: f64,
    /// Energy dissipated by viscosity over the step, that of the materials included \[J\].
    pub viscous: f64,
    /// Plastic work over the step \[J\].
    pub plastic: f64,
    /// Energy dissipated by the scheme over the step \[J\].
    pub numerical: f64,
    /// Energy that the scheme takes from the spin of a body that turns \[J\].
    pub spin: f64,
    /// Energy taken by what no formula assigns: volumes that change with the energy they store, where the geometry moves \[J\].
    pub remainder: f64,
    /// Impulse of the supports over the step \[N·s\], in the order of [`System::prescribed`].
    pub support_impulse: Vec<f64>,
    /// Inertia and internal forces, for inelastic bodies, whose evolution may be slow.
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

/// A pass of the search for the velocity at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePass {
    /// The first: a body that turns predicts its frames.
    First,
    /// With the frames themselves.
    Later,
}

/// The start of a step, with quantities that several parts of the step need.
pub struct StepStart<'a> {
    /// The body.
    pub body: BodyView<'a>,
    /// Its state.
    pub from: &'a State,
    /// Step \[s\].
    pub h: f64,
    /// The response of an inelastic body in that state.
    pub response: Option<BodyResponse>,
    /// The diagonal of M̂ of an explicit scheme \[kg\].
    pub masses: Option<Vec<f64>>,
    /// The frame of a body that turns.
    pub turning: Option<TurningStart>,
    /// The contact configuration of a body that drifts, and its velocity there.
    pub drifted: Option<Drifted>,
    /// Is the force of the step the one that conserves, of a body that [knows it](System::conserving)?
    pub conserves: bool,
}

impl<'a> StepStart<'a> {
    /// A step of length `h` of a body from a state, without masses of a scheme's own.
    #[must_use]
    pub fn new(body: BodyView<'a>, from: &'a State, h: f64) -> Self {
        let frame = body.system.turning().map(|turning| (turning, turning.begin(from, h)));
        let response = match &frame {
            Some((turning, start)) => Some(turning.response_at(start, from)),
            None => body.system.response_at(from),
        };
        Self {
            body,
            from,
            h,
            response,
            masses: None,
            turning: frame.map(|(_, start)| start),
            drifted: None,
            conserves: false,
        }
    }

    /// The same, of a body that may drift until the contact configuration.
    #[must_use]
    pub fn after_drift(self, delay: f64) -> Self {
        let drifted = self.system().drifting().map(|body| body.drift(self.from, delay));
        Self { drifted, ..self }
    }

    /// v, to which impulses add: the velocity at the start, or that of a body that drifts in the contact configuration.
    #[must_use]
    pub fn velocity(&self) -> &[f64] {
        self.drifted.as_ref().map_or(&self.from.v, |at| &at.v)
    }

    /// `out` ← P(t) where the step starts, in the contact configuration of a body that drifts.
    pub fn loads_into(&self, t: f64, out: &mut [f64]) {
        match (self.system().drifting(), &self.drifted) {
            (Some(body), Some(at)) => body.loads_at_into(t, &at.q, out),
            _ => self.system().loads_at_into(t, &self.from.q, out),
        }
    }

    /// The body.
    #[must_use]
    pub fn system(&self) -> &'a dyn System {
        self.body.system
    }

    /// `out` ← f(q, z) at the start.
    pub fn force_into(&self, out: &mut [f64]) {
        match &self.response {
            Some(response) => out.copy_from_slice(&response.force),
            None => self.system().elastic_force_into(&self.from.q, out),
        }
    }

    /// The force of the step that conserves, if it is the one that is used.
    #[must_use]
    pub fn conserving(&self) -> Option<&'a dyn Conserving> {
        if self.conserves { self.body.system.conserving() } else { None }
    }

    /// `out` ← the force of a motion from here: F(x, x⁺) of a body that turns or conserves, f_θ of others.
    pub fn step_force_into(&self, dq: &[f64], theta: f64, out: &mut [f64]) {
        if let Some(body) = self.conserving() {
            return out.copy_from_slice(&body.step(&self.motion(dq), theta).force);
        }
        match (self.system().turning(), &self.turning) {
            (Some(body), Some(start)) => out.copy_from_slice(&body.step_force(start, &self.motion(dq), theta)),
            _ => self.mean_force_into(dq, theta, out),
        }
    }

    /// `out` ← the same, linear in the motion, for the first pass of a step.
    pub fn predicted_force_into(&self, dq: &[f64], theta: f64, out: &mut [f64]) {
        match (self.system().turning(), &self.turning) {
            (Some(body), Some(start)) => out.copy_from_slice(&body.predicted_force(start, &self.motion(dq), theta)),
            _ => self.step_force_into(dq, theta, out),
        }
    }

    /// `out` ← f_θ = (1−θ) f + θ f⁺ of a motion from here.
    pub fn mean_force_into(&self, dq: &[f64], theta: f64, out: &mut [f64]) {
        let Some(before) = &self.response else {
            let q = self.system().moved(&self.from.q, &theta_family::scaled(theta, dq));
            return self.system().elastic_force_into(&q, out);
        };
        let after = self.system().respond(&self.motion(dq)).unwrap_or_default();
        let pairs = before.force.iter().zip(&after.force);
        out.iter_mut()
            .zip(pairs)
            .for_each(|(f, (b, a))| *f = if theta < 1.0 { theta * a + (1.0 - theta) * b } else { *a });
    }

    /// `out` ← the loads of a motion from here, P_c = (1−c) P(t) + c P(t⁺); those that follow the body act in the middle of the motion.
    pub fn load_into(&self, dq: &[f64], level: f64, out: &mut [f64]) {
        let (system, t, h) = (self.system(), self.from.t, self.h);
        let (mut before, mut after) = (vec![0.0; out.len()], vec![0.0; out.len()]);
        if system.has_following_loads() {
            let q = system.moved(&self.from.q, &theta_family::scaled(0.5, dq));
            system.loads_at_into(t, &q, &mut before);
            system.loads_at_into(t + h, &q, &mut after);
        } else {
            self.loads_into(t, &mut before);
            self.loads_into(t + h, &mut after);
        }
        out.copy_from_slice(&theta_family::blend(1.0 - level, &before, level, &after));
    }

    /// A motion from here.
    #[must_use]
    pub fn motion<'m>(&'m self, dq: &'m [f64]) -> Motion<'m> {
        Motion { from: self.from, dq, h: self.h }
    }
}

/// How a step ended.
#[derive(Clone, Debug)]
pub struct StepEnd {
    /// The new state.
    pub state: State,
    /// How an inelastic body responded to the motion.
    pub response: Option<BodyResponse>,
    /// What the step did inside a body that turns or conserves, in a scheme that uses the force of the step.
    pub turned: Option<TurnedStep>,
    /// The velocity that impulses left to a body that drifts, in the contact configuration.
    pub reached: Option<Vec<f64>>,
}

impl StepEnd {
    /// v⁺, with which the impulse balance holds.
    #[must_use]
    pub fn velocity(&self) -> &[f64] {
        self.reached.as_deref().unwrap_or(&self.state.v)
    }
}

/// A time-stepping scheme. One for a whole run, without state of its own.
pub trait Integrator: Send + Sync + std::fmt::Debug {
    /// τ \[s\]: the time over which the final velocity acts on the gap.
    fn gap_time(&self, h: f64) -> f64;
    /// Time from the step's start to the contact configuration \[s\].
    fn contact_delay(&self, h: f64) -> f64;
    /// M̂.
    fn coefficients(&self, h: f64) -> Coefficients;
    /// The factor of M in M̂, for the values of a tangent.
    fn mass_weight(&self, _system: &dyn System, _tangent: &[f64], _h: f64) -> f64 {
        1.0
    }
    /// The symbolic part of M̂, which no step size changes: that of the body's matrices.
    fn analyse(&self, system: &dyn System) -> Result<Arc<Analysis>, DynamicsError> {
        let tied = system.guides().map_or(system.tied(), |guides| guides.tied());
        Ok(Arc::new(Analysis::new(&pattern_of(tied, system.matrices().pattern()), EFFECTIVE)?))
    }
    /// The values of M̂ for a step, linearised at the velocity `v` of its end: lower triangle in the pattern of the body's
    /// matrices \[kg\].
    fn effective_mass(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        if let Some(values) = self.mass_of_parts(start, v, FramePass::Later, Stresses::Counted) {
            return values;
        }
        let dq = self.displacement(start.from, v, start.h);
        let system = start.system();
        let tangent = match (start.conserving(), self.strain_level()) {
            (Some(body), Some(theta)) => Cow::Owned(body.tangent(&start.motion(&dq), theta, Stresses::Counted)),
            _ => system.tangent(&start.motion(&dq)),
        };
        let mass = self.mass_weight(system, &tangent, start.h);
        let values = combine_parts(mass, system.matrices(), self.coefficients(start.h), &tangent, None);
        match &start.turning {
            Some(TurningStart { middle: Some(middle), .. }) if self.operator_varies(system) => {
                turned(system.matrices().pattern(), &values, middle)
            }
            _ => values,
        }
    }
    /// The same for a body that has frames for its parts: in a pass, with or without the part of the stresses. None for others.
    fn mass_of_parts(&self, start: &StepStart<'_>, v: &[f64], pass: FramePass, stresses: Stresses) -> Option<Vec<f64>> {
        let (system, dq) = (start.system(), self.displacement(start.from, v, start.h));
        let at = match (self.strain_level(), pass) {
            (None, _) => TangentAt::End,
            (Some(theta), FramePass::First) => TangentAt::Start { theta },
            (Some(theta), FramePass::Later) => TangentAt::Middle { theta },
        };
        if system.turning().is_none() {
            // One tangent serves the others, unless it is not positive definite.
            let inelastic = system.inelastic().filter(|_| stresses == Stresses::LeftOut)?;
            let tangent = match (start.conserving(), self.strain_level()) {
                (Some(body), Some(theta)) => body.tangent(&start.motion(&dq), theta, stresses),
                _ => inelastic.tangent_without_stresses(&start.motion(&dq))?,
            };
            let mass = self.mass_weight(system, &tangent, start.h);
            return Some(combine_parts(mass, system.matrices(), self.coefficients(start.h), &tangent, None));
        }
        let tangent = system.turning()?.step_tangent(&start.motion(&dq), at, stresses)?;
        let damping = tangent.damping.as_deref();
        let mass = self.mass_weight(system, &tangent.stiffness, start.h);
        Some(combine_parts(mass, system.matrices(), self.coefficients(start.h), &tangent.stiffness, damping))
    }
    /// Does M̂ of this body depend on more than the step size?
    fn operator_varies(&self, system: &dyn System) -> bool {
        system.inelastic().is_some_and(|body| body.tangent_varies())
    }
    /// Must the velocity at the end of a step be searched for by Newton's method, since the forces of this body are not linear
    /// in it?
    fn iterates(&self, system: &dyn System) -> bool {
        self.operator_varies(system) || system.turning().is_some()
    }
    /// c of the means x_c = (1−c) x + c x⁺ of loads and velocities in the change of momentum, M Δv = h (P_c − C v_c − …); `None` for a scheme in which
    /// other masses or forces take part.
    fn force_level(&self) -> Option<f64>;
    /// θ at which the force F(x, x⁺) of a step acts on a body that turns; `None` for a scheme that uses its forces at the ends of the step.
    fn strain_level(&self) -> Option<f64> {
        None
    }
    /// Does the scheme use the force of a step that conserves, of bodies that [know one](System::conserving)?
    fn conserves(&self) -> bool {
        false
    }
    /// Has a body inertia in this scheme? Without, kinetic energy is 0, momentum does not change, and velocities are displacements of a step over its length.
    fn has_inertia(&self) -> bool {
        true
    }
    /// May bodies that are the same up to a rigid motion have one factor of M̂ in common?
    fn shares_operators(&self) -> bool {
        true
    }
    /// Does the scheme need a lumped mass?
    fn requires_lumped_mass(&self) -> bool {
        false
    }
    /// The step beyond which the scheme may be unstable for this body with its own masses, in a state and for its tangent over a
    /// step of length `h`; none for a scheme that is stable with every step \[s\].
    fn critical_step(&self, _system: &dyn System, _from: &State, _h: f64) -> Option<f64> {
        None
    }
    /// Whether the [inertia](Balance::inertia) of a body is measured.
    fn tells_inertia(&self, is_inelastic: bool) -> bool {
        is_inelastic
    }
    /// Ratio of inertia to internal forces above which an evolution is no longer slow.
    fn max_inertia(&self) -> Option<f64> {
        None
    }
    /// What a step of length `h` starts from.
    fn begin<'a>(&self, body: BodyView<'a>, from: &'a State, h: f64) -> StepStart<'a> {
        let start = StepStart::new(body, from, h).after_drift(self.contact_delay(h));
        StepStart { conserves: self.conserves(), ..start }
    }
    /// Does the scheme keep accelerations (and so need M⁻¹)?
    fn keeps_acceleration(&self) -> bool {
        false
    }
    /// q_c: the configuration of a body without drift in which gaps and frames are measured ([`contact_configuration`] knows both kinds).
    fn contact_configuration(&self, system: &dyn System, from: &State, h: f64) -> Vec<f64>;
    /// The velocity from which the search for the one at the step's end begins.
    fn first_guess(&self, start: &StepStart<'_>) -> Vec<f64> {
        first_guess(start)
    }
    /// r(v): what is left of the impulse balance of the step if it ended with velocity `v`, without reactions \[N·s\].
    fn residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64>;
    /// r(v) at the first velocity `v` of a search: a body that turns predicts its frame, which makes r linear.
    fn first_residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        self.residual(start, v)
    }
    /// Δq = q⁺ ⊖ q of a step that ends with velocity `v` \[m\].
    fn displacement(&self, from: &State, v: &[f64], h: f64) -> Vec<f64>;
    /// The end of a step that ends with velocity `v`, of a body without drift ([`finish`] knows both kinds).
    fn finish(&self, start: &StepStart<'_>, v: Vec<f64>) -> StepEnd {
        let dq = self.displacement(start.from, &v, start.h);
        let q = start.system().moved(&start.from.q, &dq);
        let step = (start.system().turning(), &start.turning, self.strain_level());
        if let (Some(body), Some(frame), Some(theta)) = step {
            let turned = body.step(frame, &start.motion(&dq), theta);
            let state = State { t: start.from.t + start.h, q, v, z: turned.z.clone(), aux: Vec::new() };
            return StepEnd { state, response: None, turned: Some(turned), reached: None };
        }
        if let (Some(body), Some(theta)) = (start.conserving(), self.strain_level()) {
            let step = body.step(&start.motion(&dq), theta);
            let ConservingStep { z, stored, dissipated, plastic, supplied, numerical, .. } = step;
            let turned = TurnedStep { z: z.clone(), stored, dissipated, plastic, supplied, numerical, spin: 0.0 };
            let state = State { t: start.from.t + start.h, q, v, z, aux: Vec::new() };
            return StepEnd { state, response: None, turned: Some(turned), reached: None };
        }
        let response = start.system().respond(&start.motion(&dq));
        let z = response.as_ref().map(|a| a.z.clone()).unwrap_or_default();
        StepEnd {
            state: State { t: start.from.t + start.h, q, v, z, aux: Vec::new() },
            response,
            turned: None,
            reached: None,
        }
    }
    /// The terms of the energy identity of this step; `contact_impulse` is H p on the dofs \[N·s\].
    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance;
}

/// A body with M⁻¹, which some integrators need beyond [`System`].
#[derive(Clone, Copy)]
pub struct BodyView<'a> {
    /// The body.
    pub system: &'a dyn System,
    /// M⁻¹, present when the scheme [keeps accelerations](Integrator::keeps_acceleration).
    pub mass: Option<&'a MassInverse>,
}

impl BodyView<'_> {
    /// Makes a state consistent with the prescribed motions and the integrator's own variables: v = V(t) on prescribed dofs,
    /// a = M⁻¹(P − Cv − f) elsewhere.
    pub fn start(&self, state: &mut State) {
        for (&dof, (v, _)) in self.system.prescribed().iter().zip(self.system.prescribed_motion(state.t)) {
            state.v[dof] = v;
        }
        crate::ties::spread(self.system.tied(), &mut state.v);
        let response = self.system.response_at(state);
        state.aux = self.acceleration(state, response.as_ref());
    }

    /// a(t, q, v), or nothing when no M⁻¹ is kept.
    fn acceleration(&self, state: &State, response: Option<&BodyResponse>) -> Vec<f64> {
        let Some(mass) = self.mass else { return Vec::new() };
        let mut force = theta_family::net_force(self.system, state, response);
        mass.acceleration(self.system, state.t, &mut force);
        force
    }
}

/// q_c of any body: gaps and frames are measured in it.
#[must_use]
pub fn contact_configuration(integrator: &dyn Integrator, system: &dyn System, from: &State, h: f64) -> Vec<f64> {
    match system.drifting() {
        Some(body) => body.drift(from, integrator.contact_delay(h)).q,
        None => integrator.contact_configuration(system, from, h),
    }
}

/// The end of a step of any body that ends with velocity `v`; that of a body that drifts is meant in the contact configuration.
#[must_use]
pub fn finish(integrator: &dyn Integrator, start: &StepStart<'_>, v: Vec<f64>) -> StepEnd {
    let (Some(body), Some(at)) = (start.system().drifting(), &start.drifted) else {
        return integrator.finish(start, v);
    };
    let rest = start.h - integrator.contact_delay(start.h);
    let state = State { t: start.from.t + start.h, ..body.finish(start.from, at, &v, rest) };
    StepEnd { state, response: None, turned: None, reached: Some(v) }
}

/// The velocity from which the search for the one at the step's end begins: the present one, with the prescribed velocities of
/// the end. Elimination then needs no columns of M̂.
#[must_use]
pub fn first_guess(start: &StepStart<'_>) -> Vec<f64> {
    let (system, mut v) = (start.system(), start.velocity().to_vec());
    for (&dof, (velocity, _)) in system.prescribed().iter().zip(system.prescribed_motion(start.from.t + start.h)) {
        v[dof] = velocity;
    }
    v
}

/// The velocity at the step's end if no contact acted: v + w r(v), the end of the search for a linear body, one step of
/// Newton's method from v for others.
pub fn free_velocity(
    integrator: &dyn Integrator,
    start: &StepStart<'_>,
    operator: &mut Operator,
    v: &[f64],
) -> Vec<f64> {
    let mut correction = integrator.residual(start, v);
    operator.apply(&mut correction);
    v.iter().zip(&correction).map(|(x, d)| x + d).collect()
}

/// The schemes a case can name.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize, PartialEq)]
pub enum IntegratorSpec {
    /// θ-method.
    Theta(Theta),
    /// Modified θ-method.
    ModifiedTheta(ModifiedTheta),
    /// θ-Euler method.
    ThetaEuler(ThetaEuler),
    /// Newmark's method.
    Newmark(Newmark),
    /// Energy–momentum method, for bodies that turn.
    EnergyMomentum(EnergyMomentum),
    /// Explicit in the displacements, implicit in the reactions.
    Explicit(Explicit),
    /// A sequence of equilibria, without inertia.
    QuasiStatic,
}

impl IntegratorSpec {
    /// Checks the parameters and builds the scheme.
    pub fn build(&self) -> Result<Box<dyn Integrator>, DynamicsError> {
        Ok(match self {
            Self::Theta(s) => Box::new(s.checked()?),
            Self::ModifiedTheta(s) => Box::new(s.checked()?),
            Self::ThetaEuler(s) => Box::new(s.checked()?),
            Self::Newmark(s) => Box::new(s.checked()?),
            Self::EnergyMomentum(s) => Box::new(s.checked()?),
            Self::Explicit(s) => Box::new(s.checked()?),
            Self::QuasiStatic => Box::new(QuasiStatic),
        })
    }
}

/// `impl From<Scheme> for IntegratorSpec`, each for its variant.
macro_rules! scheme_of {
    ($($scheme:ident,)*) => {
        $(impl From<$scheme> for IntegratorSpec {
            fn from(scheme: $scheme) -> Self {
                Self::$scheme(scheme)
            }
        })*
    };
}

impl From<QuasiStatic> for IntegratorSpec {
    fn from(_: QuasiStatic) -> Self {
        Self::QuasiStatic
    }
}

scheme_of! { Theta, ModifiedTheta, ThetaEuler, Newmark, EnergyMomentum, Explicit, }

/// Kinetic and elastic energy of a state \[J\].
#[must_use]
pub fn energies(system: &dyn System, state: &State) -> (f64, f64) {
    (theta_family::kinetic_energy(system, &state.v), system.stored_energy(state))
}
