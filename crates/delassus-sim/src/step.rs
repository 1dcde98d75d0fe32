//! One step of the method (Jean 1995 §3; Vola et al. 1998 §3–§5), from an accepted state to the next.
//!
//! ```text
//! contact configuration  q_c        -> detect: gaps, frames, weights
//! free velocity          v_free = v + w r(v); for bodies that are not linear within a step, Newton's iteration from here to `finish`
//! joints                 bilateral rows eliminated, g(q⁺) = g* iterated: v_free and W below are those of jointed bodies
//! derive laws, condense  U_free = Hᵀ v_free;  a, B, s, S, cone of each contact;  W = Hᵀ w H
//! solve                  U = U_free + W p  with the law at every contact
//! certify                residual of the laws on U = U_free + W p
//! finish                 v⁺ = v_free + w H p,  q⁺,  histories of the contacts
//! audit                  laws, equation of motion and momentum from v⁺, geometry and p alone
//! measure                how far the bodies have turned
//! ```
//!
//! A step is a pure function of the accepted state and of h: nothing is overwritten, and a rejected step changes nothing. The same holds
//! for a step that is [interrupted](Engine::heeding), which ends with [`SimError::Interrupted`].

use std::sync::Arc;

use delassus_contact::Detection;
use delassus_dynamics::State;
use delassus_dynamics::integrator::StepStart;
use delassus_solver::{StepTimes, certify};

use crate::audit::{Audit, AuditedStep};
use crate::contact_history::carried_on;
use crate::contact_phase::{Given, KnownW, Moved, PassInput, Settled, active_impulses, describe, settle};
use crate::engine::Engine;
use crate::error::SimError;
use crate::joints::{self, JointError, JointPhase};
use crate::newton::Newton;
use crate::operators::Linearisation;
use crate::passed::{StepWay, too_deep as deeper};
use crate::space::{Dimension, Space};
use crate::timings::Timings;

pub use crate::outcome::{Outcome, Touch, Work};
pub use crate::snapshot::{ContactHistory, Snapshot};

/// One step of length `h`.
pub fn step<const D: usize>(
    engine: &mut Engine<D>,
    timings: &mut Timings,
    from: &Snapshot,
    h: f64,
) -> Result<Outcome<D>, SimError>
where
    Dimension<D>: Space<D>,
{
    let model = &*Arc::clone(&engine.model);
    let integrator = &*model.integrator;
    let times = StepTimes { h, gap_time: integrator.gap_time(h), rest: h - integrator.contact_delay(h) };

    let q_c = model.contact_configuration(from, h);
    let Detection { contacts, too_deep, .. } = engine.detect(&q_c, from, h)?;
    timings.lap("detect");

    let starts = model.begin(from, h);
    let v_minus: Vec<&[f64]> = starts.iter().map(StepStart::velocity).collect();
    let mut newton = Newton::new(integrator, &starts, from);
    let mut joints = JointPhase::new(model, &starts, &q_c, from, times);
    let mut known = None;
    let (settled, v_free) = loop {
        engine.interrupt().check()?;
        let at = Linearisation { starts: &starts, v: &newton.v, pass: newton.pass() };
        let operators = engine.operators(at, h)?;
        newton.balancing.without_stresses += operators.n_without_stresses();
        timings.lap("factor");
        let v_free = operators.for_each_body(|i, w| newton.free_velocity(integrator, i, &starts[i], w));
        timings.lap("free_velocity");
        let freed = joints.as_mut().map(|j| j.free(operators, &v_free)).transpose()?;
        timings.lap("joints");
        let (v_held, held) = freed.as_ref().map_or((&v_free, None), |f| (&f.v, Some(&f.impulse[..])));
        let pass = model.floats().then_some((&newton.v[..], &newton.residuals[..]));
        let given = Given { from, q_c: &q_c, v_minus: &v_minus, v_free: v_held, last: &newton.impulses, pass, held };
        let carried = PassInput { joints: joints.as_ref(), known };
        let settled = settle(model, &contacts, operators, &given, carried, &times, timings)?;
        let balanced = newton.is_done(model, &starts, &settled, &v_free);
        let closed = joints.as_mut().map(|j| j.is_done(&settled.v_plus, settled.joints.as_deref()));
        timings.lap("joints");
        if balanced && closed.as_ref().is_none_or(|j| j.done) {
            break (settled, freed.map_or(v_free, |f| f.v));
        }
        // Rows that begin or cease to slip change what contacts feel of the joints.
        known = if closed.is_some_and(|j| j.changed) { None } else { KnownW::after(model, settled) };
    };
    newton.refuse_floating(model, &starts, &settled)?;
    settled.refuse(model, &times)?;

    let certificate = certify(&settled.posed.problem, &settled.p)?;
    timings.lap("certify");

    let ends = model.finish(&starts, &settled.v_plus);
    let balances = model.balances(&starts, &ends, &settled.impulse);
    timings.lap("finish");
    let q_plus: Vec<Vec<f64>> = ends.iter().map(|e| e.state.q.clone()).collect();
    let audit = Audit::of(&AuditedStep {
        model,
        starts: &starts,
        q_c: &q_c,
        v_free: &v_free,
        joints: joints.as_ref(),
        actions: joints.as_ref().map_or_else(Vec::new, |j| joints::actions(model, j, &q_c)),
        q_plus: &q_plus,
        residuals: &newton.residuals_at(&settled, model, &starts),
        contacts: &contacts,
        settled: &settled,
        balances: &balances,
        times,
    });
    timings.lap("audit");

    let states: Vec<State> = ends.into_iter().map(|e| e.state).collect();
    let v_t: Vec<&[f64]> = balances.iter().map(|b| b.test_velocity.as_slice()).collect();
    let joint_ends = joints.as_ref().map_or_else(Vec::new, |j| joints::describe(model, j, &q_plus, &v_t));
    let joint_error = joints.as_ref().map_or_else(JointError::default, JointPhase::error);
    let moved = Moved { from, q_c: &q_c, states: &states, v_plus: &settled.v_plus, v_t, times };
    let touches = describe(model, &contacts, &settled, &certificate.errors, &moved);
    let way = StepWay { from, starts: &starts, q_c: &q_c, delay: integrator.contact_delay(h) };
    let (n_deep, deep) = deeper(model, engine.thicknesses(), (&contacts, &touches), &way);
    let snapshot = Snapshot {
        states,
        impulses: active_impulses(&settled),
        histories: carried_on(&from.histories, &touches),
        joints: joint_ends.iter().map(|j| j.coordinate).collect(),
    };
    timings.lap("finish");
    let rotations = model.rotations(&snapshot.states);
    timings.lap("rotation");
    let Settled { posed, p, settlement, .. } = settled;
    Ok(Outcome {
        snapshot,
        h,
        touches,
        joints: joint_ends,
        joint_error,
        balances,
        rotations,
        balancing: newton.balancing,
        reports: settlement.reports,
        certificate,
        audit,
        statement_violation: settlement.violation,
        law_iterations: settlement.iterations,
        problem: posed.problem,
        solution: p,
        too_deep: too_deep.len() + n_deep,
        deep,
    })
}
