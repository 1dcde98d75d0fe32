//! What the schemes of the θ family share.
//!
//! ```text
//! r(v⁺) = h (P_θ − C v_θ − f_θ) − M (v⁺ − v)
//! v_θ = θ v⁺ + (1−θ) v ,   P_θ = θ P(t⁺) + (1−θ) P(t)
//! f_θ = θ f⁺ + (1−θ) f     = K (q + θ Δq) for a linear body;   Δq = h v_θ (θ, modified θ) or h v⁺ (θ-Euler)
//! ```
//!
//! Energy, exact for a linear body (s: support impulses):
//!
//! ```text
//! ΔE = h v_t·P_θ + v_t·(H p + s) − h v_t·C v_θ − m |Δv|²_M − (θ−½) |Δq|²_K
//! v_t = v_θ, m = θ−½ (θ, modified θ)      v_t = v⁺, m = ½ (θ-Euler)
//! ```
//!
//! For an inelastic body Δq·f_θ − W stands for (θ−½) |Δq|²_K, with the work W of the stresses on the path that the materials integrate. W is computed
//! from stresses and strains alone, so that W − ΔΨ − D + Q, with the stored energy Ψ, the dissipation D and what is supplied Q, remains for the ledger to judge: it is
//! rounding. With moving geometry Δq·f_θ − W also has the difference between the forces' geometry and that of the increments, which vanishes with h.
//!
//! Materials of moving geometry store ψ per volume as it is now. Volumes v that change take ψ along without work: Δ(ψ v) = v̄ Δψ + ψ̄ Δv, with the means
//! v̄ and ψ̄ of the step's ends. W and D count with v̄; ψ̄ Δv is the body's `dilated`, a line of the ledger of its own (the remainder). It does not
//! vanish with h: it is as large as the strain of volume beside one, as a rate form of elasticity for the Cauchy stress has no stored energy.

use std::borrow::Cow;

use super::{Balance, FramePass, Inertia, StepEnd, StepStart};
use crate::error::DynamicsError;
use crate::state::State;
use crate::system::{BodyResponse, System, TurnedStep};

/// θ of a scheme, checked.
pub(super) fn check_theta(scheme: &'static str, theta: f64) -> Result<(), DynamicsError> {
    if (0.5..=1.0).contains(&theta) {
        return Ok(());
    }
    Err(DynamicsError::Parameter {
        scheme,
        parameter: "theta",
        value: theta,
        allowed: "theta must lie in [0.5, 1] (0.5 conserves energy, 1 is implicit Euler)",
    })
}

/// x + a y.
pub(super) fn plus_scaled(x: &[f64], a: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x + a * y).collect()
}

/// a x.
pub(super) fn scaled(a: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| a * x).collect()
}

/// b x + a y.
pub(super) fn blend(b: f64, x: &[f64], a: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| b * x + a * y).collect()
}

pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// P(t) − C v − f of a state; `response` is that of an inelastic body.
pub(super) fn net_force(system: &dyn System, state: &State, response: Option<&BodyResponse>) -> Vec<f64> {
    let mut force = vec![0.0; state.v.len()];
    let mut part = vec![0.0; state.v.len()];
    system.loads_at_into(state.t, &state.q, &mut force);
    match response {
        Some(response) => subtract(&response.force, &mut force),
        None => {
            system.elastic_force_into(&state.q, &mut part);
            subtract(&part, &mut force);
        }
    }
    subtract_viscosity(system, &state.q, &state.v, &mut force, &mut part);
    force
}

pub(super) fn subtract(part: &[f64], from: &mut [f64]) {
    for (f, x) in from.iter_mut().zip(part) {
        *f -= x;
    }
}

pub(super) fn subtract_viscosity(system: &dyn System, q: &[f64], v: &[f64], force: &mut [f64], part: &mut [f64]) {
    if system.is_damped() {
        system.viscous_force_into(q, v, part);
        subtract(part, force);
    }
}

/// The levels of a scheme, 0 at the start of a step and 1 at its end.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    /// Of internal forces.
    pub force: f64,
    /// Of loads, and of the velocities that viscosity sees.
    pub rate: f64,
}

impl Levels {
    /// One level for both.
    pub fn both(theta: f64) -> Self {
        Self { force: theta, rate: theta }
    }
}

/// The configuration in the middle of a motion, whose frame turns the viscosity of a body that turns; that of others depends on none.
pub(super) fn middle<'a>(start: &StepStart<'a>, dq: &[f64]) -> Cow<'a, [f64]> {
    match start.turning {
        Some(_) => Cow::Owned(start.system().moved(&start.from.q, &scaled(0.5, dq))),
        None => Cow::Borrowed(&start.from.q),
    }
}

/// The velocities that viscosity sees: v_θ, or Δq/h of a body that turns, which is a rigid motion about the middle of the step where the step is one.
fn rate(start: &StepStart<'_>, dq: &[f64], v: &[f64], levels: Levels) -> Vec<f64> {
    match &start.turning {
        Some(_) => scaled(1.0 / start.h, dq),
        None => blend(1.0 - levels.rate, start.velocity(), levels.rate, v),
    }
}

/// r(v) for a step that ends with it, displaced by `dq`.
pub(super) fn residual(start: &StepStart<'_>, dq: &[f64], v: &[f64], levels: Levels, pass: FramePass) -> Vec<f64> {
    let (system, h) = (start.system(), start.h);
    let (mut force, mut part) = (vec![0.0; v.len()], vec![0.0; v.len()]);
    start.load_into(dq, levels.rate, &mut force);
    match pass {
        FramePass::First => start.predicted_force_into(dq, levels.force, &mut part),
        FramePass::Later => start.step_force_into(dq, levels.force, &mut part),
    }
    subtract(&part, &mut force);
    if system.is_damped() {
        let rate = rate(start, dq, v, levels);
        subtract_viscosity(system, &middle(start, dq), &rate, &mut force, &mut part);
    }
    let jump: Vec<f64> = v.iter().zip(start.velocity()).map(|(a, b)| a - b).collect();
    system.mass_times_into(&jump, &mut part);
    force.iter().zip(&part).map(|(f, m)| h * f - m).collect()
}

/// ½ vᵀ M v.
pub(super) fn kinetic_energy(system: &dyn System, v: &[f64]) -> f64 {
    let mut momentum = vec![0.0; v.len()];
    system.mass_times_into(v, &mut momentum);
    0.5 * dot(v, &momentum)
}

/// What internal forces did over a step, besides what they stored \[J\].
pub(super) struct InternalWork {
    /// Dissipated by the viscosity of the materials.
    pub dissipated: f64,
    /// Plastic work.
    pub plastic: f64,
    /// Supplied to the materials from outside, as work is.
    pub supplied: f64,
    /// Dissipated by the scheme: (θ−½) |Δq|²_K, or its replacement for an inelastic body.
    pub numerical: f64,
    /// Taken by volumes that changed with what they stored.
    pub remainder: f64,
    /// Stored at the end.
    pub stored: f64,
    /// |f⁺|² over the free dofs, for an inelastic body \[N²\].
    pub internal: Option<f64>,
}

impl InternalWork {
    pub fn of(start: &StepStart<'_>, end: &StepEnd, theta: f64) -> Self {
        let system = start.system();
        let dq = system.motion_between(&start.from.q, &end.state.q);
        if let Some(TurnedStep { stored, dissipated, plastic, supplied, numerical, .. }) = end.turned {
            let internal = system.inelastic().filter(|body| !body.is_elastic()).map(|_| {
                let mut force = vec![0.0; end.state.v.len()];
                start.step_force_into(&dq, theta, &mut force);
                free_square(system, &force)
            });
            return Self { dissipated, plastic, supplied, numerical, remainder: 0.0, stored, internal };
        }
        let (Some(before), Some(after)) = (&start.response, &end.response) else {
            let share = theta - 0.5;
            let (stored, numerical) = if share.abs() > 0.0 {
                let [stored, jump] = system.elastic_energies([&end.state.q, &dq]);
                (stored, share * 2.0 * jump)
            } else {
                (system.elastic_energy(&end.state.q), 0.0)
            };
            let none = Self {
                dissipated: 0.0,
                plastic: 0.0,
                supplied: 0.0,
                numerical,
                remainder: 0.0,
                stored,
                internal: None,
            };
            return none;
        };
        let work = (1.0 - theta) * dot(&dq, &before.force) + theta * dot(&dq, &after.force);
        Self {
            dissipated: after.dissipated,
            plastic: after.plastic,
            supplied: after.supplied,
            numerical: work - after.path_work,
            remainder: -after.dilated,
            stored: after.stored,
            internal: Some(free_square(system, &after.force)),
        }
    }
}

/// |x|² over the degrees of freedom that are not prescribed, of forces that tied ones have together.
pub(super) fn free_square(system: &dyn System, x: &[f64]) -> f64 {
    if !system.tied().is_empty() {
        let mut x = x.to_vec();
        crate::ties::gather(system.tied(), &mut x);
        for &dof in system.prescribed() {
            x[dof] = 0.0;
        }
        return dot(&x, &x);
    }
    let prescribed: f64 = system.prescribed().iter().map(|&dof| x[dof] * x[dof]).sum();
    (dot(x, x) - prescribed).max(0.0)
}

/// A step that is done.
pub(super) struct DoneStep<'a> {
    pub start: &'a StepStart<'a>,
    pub end: &'a StepEnd,
    /// H p on the dofs \[N·s\].
    pub contact_impulse: &'a [f64],
}

/// The energy identity above. `residual` = r(v⁺), `mass_share` = m.
pub(super) fn balance(
    step: &DoneStep<'_>,
    levels: Levels,
    mass_share: f64,
    test_velocity: Vec<f64>,
    residual: impl FnOnce() -> Vec<f64>,
) -> Balance {
    let DoneStep { start, end, contact_impulse } = *step;
    let (system, from, to, h) = (start.system(), start.from, &end.state, start.h);
    let dv = blend(-1.0, start.velocity(), 1.0, end.velocity());
    let mut load = vec![0.0; dv.len()];
    start.load_into(&system.motion_between(&from.q, &to.q), levels.rate, &mut load);
    let work = InternalWork::of(start, end, levels.force);
    let load_work = h * dot(&test_velocity, &load) + work.supplied;
    let mut viscous = work.dissipated;
    if system.is_damped() {
        let mut force = vec![0.0; dv.len()];
        let dq = system.motion_between(&from.q, &to.q);
        system.viscous_force_into(&middle(start, &dq), &rate(start, &dq, end.velocity(), levels), &mut force);
        viscous += h * dot(&test_velocity, &force);
    }
    let (mut numerical, mut spin) = (work.numerical, 0.0);
    if mass_share > 0.0 {
        let lost = mass_share * 2.0 * kinetic_energy(system, &dv);
        // Of the loss in all, what a rigid body would lose: vibrations may make it less.
        spin = end.turned.as_ref().map_or(0.0, |turned| lost.min(mass_share * turned.spin));
        numerical += lost - spin;
    }
    let inertia = work.internal.map(|internal| {
        let mut change = vec![0.0; dv.len()];
        system.mass_times_into(&dv, &mut change);
        Inertia { inertia: free_square(system, &change) / (h * h), internal }
    });
    let (support_impulse, support_work) = supports(system, contact_impulse, &test_velocity, residual);
    Balance {
        test_velocity,
        kinetic: kinetic_energy(system, &to.v),
        elastic: work.stored,
        load_work,
        support_work,
        viscous,
        plastic: work.plastic,
        numerical,
        spin,
        remainder: work.remainder,
        support_impulse,
        inertia,
    }
}

/// Impulses of the supports, −(r(v⁺) + H p) on the prescribed dofs, and their work.
pub(super) fn supports(
    system: &dyn System,
    contact_impulse: &[f64],
    test_velocity: &[f64],
    residual: impl FnOnce() -> Vec<f64>,
) -> (Vec<f64>, f64) {
    let fixed = system.prescribed();
    let mut impulse = Vec::new();
    if !fixed.is_empty() {
        let left = residual();
        impulse = fixed.iter().map(|&dof| -(left[dof] + contact_impulse[dof])).collect();
    }
    let work = fixed.iter().zip(&impulse).map(|(&dof, s)| s * test_velocity[dof]).sum();
    (impulse, work)
}
