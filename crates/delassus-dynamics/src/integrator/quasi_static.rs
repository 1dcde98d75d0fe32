//! Quasi-static steps: a sequence of equilibria under loads that change with time, without inertia.
//!
//! ```text
//! P(t⁺) − C v⁺ − f(q⁺) + H p/h = 0 ,    q⁺ = q + h v⁺ ,    q_c = q ,    τ = h
//! ```
//!
//! Time is the parameter of loads and prescribed motions; it is physical only for viscosity. v⁺ is the displacement of the step over h, so contact laws see
//! slips and closing gaps as in every other scheme (the θ-Euler method at θ = 1 without mass). Prescribed dofs move by exactly u(t⁺) − u(t).
//!
//! The operator is the tangent stiffness, with a proximal term where supports leave a rigid motion free:
//!
//! ```text
//! M̂ = s h² M + h C + h² K ,       M̂ (v_{k+1} − v_k) = r(v_k) + H p        r(v) = h (P⁺ − C v − f⁺)
//! ```
//!
//! r has no mass. The term with M acts on the difference between two iterates alone and vanishes at convergence (Rockafellar 1976, the proximal point
//! method): what is accepted is the balance without it. Of a rigid motion that nothing drives and nothing resists, the iteration picks the one that moves the
//! body least. One that is driven and not resisted has no equilibrium: the iteration does not converge, and the step is refused (see `sim/src/held.rs`).
//!
//! An iteration leaves s/(s + ω²) of the error in an elastic motion of eigenvalue ω². s is a fraction of the smallest ω² of the free body
//! ([`System::softest`]). A body held by its supports has s = 0: where it is linear too, one pass is all.
//!
//! Energy, exact for a linear body: ΔΨ = h v⁺·P⁺ + v⁺·(H p + s) − h v⁺·C v⁺ − ½|Δq|²_K. The last term is what a step of finite length takes, because forces
//! grow over it while their work is computed with those of its end; it vanishes with h. There is no kinetic energy.

use super::theta_family::{InternalWork, dot, middle, scaled, subtract, subtract_viscosity, supports};
use super::{Balance, Integrator, StepEnd, StepStart};
use crate::effective_mass::Coefficients;
use crate::state::State;
use crate::system::System;

/// s over the smallest eigenvalue of the free body: the fraction of an error that an iteration leaves. With far smaller ones W is nearly singular.
const PROXIMAL: f64 = 1e-2;

/// The bits of a number's exponent.
const EXPONENT: u64 = 0x7ff0_0000_0000_0000;

/// The quasi-static scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuasiStatic;

impl QuasiStatic {
    /// s \[1/s²\]; 0 for a body that is held. A power of two: rounding of the estimate must not reach results.
    fn proximal(system: &dyn System, stiffness: &[f64]) -> f64 {
        match system.floating() {
            Some(_) => f64::from_bits((PROXIMAL * system.softest(stiffness)).to_bits() & EXPONENT),
            None => 0.0,
        }
    }

    /// P⁺, with the loads that follow the body where the motion ends \[N\].
    fn load(start: &StepStart<'_>, dq: &[f64]) -> Vec<f64> {
        let (system, t) = (start.system(), start.from.t + start.h);
        let mut load = vec![0.0; system.n_dof()];
        system.loads_at_into(t, &system.moved(&start.from.q, dq), &mut load);
        load
    }
}

impl Integrator for QuasiStatic {
    fn gap_time(&self, h: f64) -> f64 {
        h
    }

    fn contact_delay(&self, _h: f64) -> f64 {
        0.0
    }

    fn force_level(&self) -> Option<f64> {
        Some(1.0)
    }

    fn has_inertia(&self) -> bool {
        false
    }

    fn tells_inertia(&self, _is_inelastic: bool) -> bool {
        false
    }

    fn coefficients(&self, h: f64) -> Coefficients {
        Coefficients { damping: h, stiffness: h * h }
    }

    fn mass_weight(&self, system: &dyn System, tangent: &[f64], h: f64) -> f64 {
        h * h * Self::proximal(system, tangent)
    }

    fn iterates(&self, system: &dyn System) -> bool {
        self.operator_varies(system) || system.turning().is_some() || system.floating().is_some()
    }

    /// At rest, but for prescribed dofs, which go the way of the step.
    fn first_guess(&self, start: &StepStart<'_>) -> Vec<f64> {
        let (system, t, h) = (start.system(), start.from.t, start.h);
        let mut v = vec![0.0; start.from.v.len()];
        for (&dof, way) in system.prescribed().iter().zip(system.prescribed_way(t, t + h)) {
            v[dof] = way / h;
        }
        v
    }

    fn contact_configuration(&self, _system: &dyn System, from: &State, _h: f64) -> Vec<f64> {
        from.q.clone()
    }

    fn residual(&self, start: &StepStart<'_>, v: &[f64]) -> Vec<f64> {
        let dq = self.displacement(start.from, v, start.h);
        let mut force = Self::load(start, &dq);
        let mut part = vec![0.0; v.len()];
        start.mean_force_into(&dq, 1.0, &mut part);
        subtract(&part, &mut force);
        subtract_viscosity(start.system(), &middle(start, &dq), v, &mut force, &mut part);
        scaled(start.h, &force)
    }

    fn displacement(&self, _from: &State, v: &[f64], h: f64) -> Vec<f64> {
        scaled(h, v)
    }

    fn balance(&self, start: &StepStart<'_>, end: &StepEnd, contact_impulse: &[f64]) -> Balance {
        let (system, v, h) = (start.system(), &end.state.v, start.h);
        let work = InternalWork::of(start, end, 1.0);
        let mut viscous = work.dissipated;
        if system.is_damped() {
            let mut force = vec![0.0; v.len()];
            system.viscous_force_into(&middle(start, &scaled(h, v)), v, &mut force);
            viscous += h * dot(v, &force);
        }
        let (support_impulse, support_work) = supports(system, contact_impulse, v, || self.residual(start, v));
        Balance {
            test_velocity: v.clone(),
            kinetic: 0.0,
            elastic: work.stored,
            load_work: h * dot(v, &Self::load(start, &scaled(h, v))) + work.supplied,
            support_work,
            viscous,
            plastic: work.plastic,
            numerical: work.numerical,
            spin: 0.0,
            remainder: work.remainder,
            support_impulse,
            inertia: None,
        }
    }
}
