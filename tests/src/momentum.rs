//! Momentum, step by step, against the impulses of everything that acts from outside.
//!
//! ```text
//! Σ M Δv = h Σ P_w − h Σ C v_w + Σ s + Σ p_obstacle ,      x_w = (1−w) x + w x⁺ ,  w = θ or γ
//! ```
//!
//! s are the support impulses; elastic forces, material viscosity and contact between bodies cancel in the sum.

use delassus_case::Loaded;
use delassus_contact::scatter;
use delassus_sim::engine::Engine;
use delassus_sim::ledger::Ledger;
use delassus_sim::model::Model;
use delassus_sim::step::{Outcome, Snapshot, step};
use delassus_sim::timings::Timings;

/// What a run by hand found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace {
    /// Largest error of the sum of all impulses, relative to the sum of |M v| over all dofs, the loads' and contacts' impulses.
    pub momentum_error: f64,
    /// Largest relative residual of the energy ledger.
    pub energy_residual: f64,
    /// Largest law error of a step.
    pub law_error: f64,
    /// Total impulse of the supports and the obstacles, in size: shows that they did act \[N·s\].
    pub outside: f64,
    /// Most contacts that acted at once.
    pub active: usize,
}

/// Steps the model of a case by hand; `weight` is the scheme's θ or γ.
#[must_use]
pub fn trace(loaded: &Loaded, weight: f64) -> Trace {
    let model = loaded.model::<2>().unwrap_or_else(|e| panic!("{e}"));
    let mut engine = Engine::new(&model).unwrap_or_else(|e| panic!("{e}"));
    let mut timings = Timings::default();
    let mut from = model.start();
    let start: (f64, f64) = model.bodies.iter().zip(&from.states).fold((0.0, 0.0), |sum, (b, s)| {
        let (k, e) = delassus_dynamics::integrator::energies(&*b.body, s);
        (sum.0 + k, sum.1 + e)
    });
    let mut ledger = Ledger::new(start.0, start.1);
    let mut out = Trace::default();
    let mut error = [0.0; 2];
    for i in 0..model.n_steps {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap_or_else(|e| panic!("{e}"));
        assert!(outcome.is_accepted(model.solver_options.tolerance), "step {i} not solved: {:?}", outcome.reports);
        ledger = ledger.after(&outcome);
        let (change, scale, outside) = imbalance(&model, &from, &outcome, weight);
        // Errors are summed: a drift of the momentum would be seen.
        error = [error[0] + change[0], error[1] + change[1]];
        out.momentum_error = out.momentum_error.max(error[0].hypot(error[1]) / scale);
        out.energy_residual = out.energy_residual.max(ledger.relative_residual());
        out.law_error = out.law_error.max(outcome.certificate.law_error);
        out.outside += outside;
        out.active = out.active.max(outcome.touches.iter().filter(|t| t.impulse.amax() > 0.0).count());
        from = outcome.snapshot;
    }
    out
}

/// What is left of the impulse balance of a step, its scale, and the size of the outside impulses.
fn imbalance(model: &Model<2>, from: &Snapshot, outcome: &Outcome<2>, weight: f64) -> ([f64; 2], f64, f64) {
    let (to, h) = (&outcome.snapshot, outcome.h);
    let mut rest = [0.0; 2];
    let (mut scale, mut outside) = (0.0, 0.0);
    let mut reactions: Vec<Vec<f64>> = from.states.iter().map(|s| vec![0.0; s.v.len()]).collect();
    for t in &outcome.touches {
        let mut one: Vec<Vec<f64>> = reactions.iter().map(|r| vec![0.0; r.len()]).collect();
        scatter(&t.contact, &t.impulse, &mut one);
        if t.contact.sides[1].body.is_none() {
            outside += t.impulse.norm();
        }
        for (sum, x) in reactions.iter_mut().zip(&one) {
            sum.iter_mut().zip(x).for_each(|(a, b)| *a += b);
        }
    }
    for (k, body) in model.bodies.iter().enumerate() {
        let (before, after) = (&from.states[k], &to.states[k]);
        let n = before.v.len();
        let of = |fill: &dyn Fn(&mut [f64])| {
            let mut x = vec![0.0; n];
            fill(&mut x);
            x
        };
        let momentum = of(&|x| body.body.mass_times_into(&before.v, x));
        let momentum_after = of(&|x| body.body.mass_times_into(&after.v, x));
        let loads = [before.t, after.t].map(|t| of(&|x| body.body.loads_into(t, x)));
        let drag = [before, after].map(|s| of(&|x| body.body.viscous_force_into(&s.q, &s.v, x)));
        for i in 0..n {
            let net = |f: &[Vec<f64>; 2]| h * ((1.0 - weight) * f[0][i] + weight * f[1][i]);
            rest[i % 2] += momentum_after[i] - momentum[i] - net(&loads) + net(&drag) - reactions[k][i];
            scale += momentum_after[i].abs() + net(&loads).abs() + reactions[k][i].abs();
        }
        for (&dof, s) in body.body.prescribed().iter().zip(&outcome.balances[k].support_impulse) {
            rest[dof % 2] -= s;
            outside += s.abs();
        }
    }
    (rest, scale, outside)
}
