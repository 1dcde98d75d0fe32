//! One step of the method (Jean 1995 §3; Vola et al. 1998 §3–§5), from an accepted state to the next.
//!
//! ```text
//! contact configuration  q_c        -> detect: gaps, frames, weights
//! free velocity          v_free
//! condense               U_free = Hᵀ v_free,  W = Hᵀ w H
//! derive laws            a, B, s, S, cone of each contact
//! solve                  U = U_free + W p  with the law at every contact
//! certify                residual of the laws by code of its own
//! finish                 v⁺ = v_free + w H p,  q⁺
//! ```
//!
//! A step is a pure function of the accepted state and of h: nothing is overwritten, a rejected step leaves no trace.

use delassus_contact::{Contact, ContactKey, local_velocity, scatter};
use delassus_dynamics::integrator::{Balance, StepView, free_velocity};
use delassus_dynamics::{Operator, State};
use delassus_solver::{
    Certificate, ContactInput, ContactOutput, ContactProblem, Derived, Report, Status, Step, Vector, certify, nlgs,
};

use crate::condense::condense;
use crate::engine::Engine;
use crate::error::SimError;
use crate::timings::Timings;

/// What is accepted at the end of a step and all that the next one needs.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// States of the bodies.
    pub states: Vec<State>,
    /// Impulses of the contacts that acted, in world axes \[N·s\], sorted by key: the next warm start.
    pub impulses: Vec<(ContactKey, Vec<f64>)>,
}

/// A candidate's contact as the step left it.
#[derive(Clone, Debug)]
pub struct Touch<const D: usize> {
    /// Geometry at the contact configuration.
    pub contact: Contact<D>,
    /// U⁺ in the local frame \[m/s\].
    pub velocity: Vector<D>,
    /// p in the local frame \[N·s\].
    pub impulse: Vector<D>,
    /// Open, sticking, sliding.
    pub status: Status,
    /// Natural-map error of this contact (0 for one that was never near).
    pub law_error: f64,
    /// g + τ U_N: the gap the law sees at the step's end \[m\].
    pub gap: f64,
    /// The gap at q⁺, to first order \[m\].
    pub true_gap: f64,
}

/// A finished step.
#[derive(Clone, Debug)]
pub struct Outcome<const D: usize> {
    /// The new state.
    pub snapshot: Snapshot,
    /// Step taken \[s\].
    pub h: f64,
    /// Every detected contact, sorted by key.
    pub touches: Vec<Touch<D>>,
    /// Energy terms of each body.
    pub balances: Vec<Balance>,
    /// The solver's own word.
    pub report: Report,
    /// The independent judgement.
    pub certificate: Certificate,
    /// Largest violation of a contact's law by the law's own statement, scale-free.
    pub own_violation: f64,
    /// The contact problem that was solved.
    pub problem: ContactProblem<D>,
    /// Candidates found deep inside their antagonist and left out.
    pub too_deep: usize,
}

impl<const D: usize> Outcome<D> {
    /// Is the step within tolerance, by the solver, by the certificate and by the laws' own words?
    #[must_use]
    pub fn is_accepted(&self, tolerance: f64) -> bool {
        // Solver and certificate use the same measure by different code: they differ by rounding. The laws' own words
        // are another measure, equal to it up to a factor of the order of one.
        self.report.converged
            && self.certificate.law_error <= tolerance + ROUNDING
            && self.own_violation <= 10.0 * tolerance + ROUNDING
    }
}

/// Largest difference by rounding between two evaluations of a scale-free error.
const ROUNDING: f64 = 1e-12;

/// One step of length `h`.
pub fn step<const D: usize>(
    engine: &mut Engine<'_, D>,
    timings: &mut Timings,
    from: &Snapshot,
    h: f64,
) -> Result<Outcome<D>, SimError>
where
    delassus_solver::Dimension<D>: delassus_solver::LocalKernel<D>,
    delassus_contact::NodeToFacet: delassus_contact::NarrowPhase<D>,
{
    let model = engine.model;
    let integrator = &*model.integrator;
    let times = Step { h, gap_time: integrator.gap_time(h) };

    let q_c: Vec<Vec<f64>> = from.states.iter().map(|s| integrator.contact_configuration(s, h)).collect();
    let detection = engine.detect(&q_c, from.time(), h)?;
    let contacts = detection.contacts;
    timings.lap("detect");
    let operators = engine.operators(h)?;
    timings.lap("factor");
    let v_free = model
        .for_each_body(operators, |i, op| free_velocity(integrator, &model.bodies[i].body, op, &from.states[i], h));
    timings.lap("free_velocity");

    let mut active = Active::predicted(&contacts, &v_free, &from.impulses, times.gap_time);
    let (problem, p, report, v_plus, impulse) = loop {
        let chosen: Vec<&Contact<D>> = active.iter().map(|i| &contacts[i]).collect();
        let inputs: Vec<ContactInput<D>> = chosen.iter().map(|c| input(c, &from.states, &v_free)).collect();
        let laws: Vec<Derived<D>> =
            chosen.iter().zip(&inputs).map(|(c, x)| model.law_of(c).derive(x, &times, &[], None)).collect();
        timings.lap("derive_laws");
        let problem = ContactProblem {
            operator: condense(&chosen, operators)?,
            v_free: inputs.iter().map(|x| x.v_free).collect(),
            laws,
        };
        timings.lap("condense");
        let mut p: Vec<Vector<D>> = chosen.iter().map(|c| warm_start(c, &from.impulses)).collect();
        let report = nlgs::solve(&problem, &mut p, &model.solver_options);
        timings.lap("solve");

        let impulse = reactions(&chosen, &p, &from.states);
        let v_plus = model.for_each_body(operators, |i, op| corrected(op, &v_free[i], &impulse[i]));
        timings.lap("finish");
        if !active.add_closing(&contacts, &v_plus, times.gap_time) {
            break (problem, p, report, v_plus, impulse);
        }
    };

    let certificate = certify(&problem, &p)?;
    let outputs = nlgs::outputs(&problem, &p);
    let own_violation = active
        .iter()
        .zip(&outputs)
        .map(|(i, out)| {
            let c = &contacts[i];
            model.law_of(c).violation(&input(c, &from.states, &v_free), out, &times, &[])
        })
        .fold(0.0, worse);
    timings.lap("certify");
    let states: Vec<State> = (0..from.states.len())
        .map(|i| integrator.finish(&model.view(i), &from.states[i], v_plus[i].clone(), h))
        .collect();
    let balances = (0..states.len())
        .map(|i| {
            integrator.balance(&StepView {
                system: &model.bodies[i].body,
                from: &from.states[i],
                to: &states[i],
                h,
                contact_impulse: &impulse[i],
            })
        })
        .collect();
    let rest = h - integrator.contact_delay(h);
    let touches = describe(
        contacts,
        &active,
        &outputs,
        &certificate.errors,
        &v_plus,
        &Moved { q_c: &q_c, states: &states, times, rest },
    );
    let impulses = active_impulses(&touches);
    timings.lap("finish");
    Ok(Outcome {
        snapshot: Snapshot { states, impulses },
        h,
        touches,
        balances,
        report,
        certificate,
        own_violation,
        problem,
        too_deep: detection.too_deep.len(),
    })
}

impl Snapshot {
    /// Time of the state \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.states.first().map_or(0.0, |s| s.t)
    }
}

/// Which detected contacts take part in the problem: ascending indices.
struct Active {
    chosen: Vec<bool>,
}

impl Active {
    /// Those that would close without impulses, and those that acted in the last step.
    fn predicted<const D: usize>(
        contacts: &[Contact<D>],
        v_free: &[Vec<f64>],
        last: &[(ContactKey, Vec<f64>)],
        gap_time: f64,
    ) -> Self {
        let v = views(v_free);
        let chosen = contacts
            .iter()
            .map(|c| {
                c.gap + gap_time * local_velocity(c, &v)[0] <= 0.0
                    || last.binary_search_by_key(&c.key, |(key, _)| *key).is_ok()
            })
            .collect();
        Self { chosen }
    }

    /// Adds every contact left out whose predicted gap turned negative; says whether there was one.
    fn add_closing<const D: usize>(&mut self, contacts: &[Contact<D>], v_plus: &[Vec<f64>], gap_time: f64) -> bool {
        let v = views(v_plus);
        let mut added = false;
        for (c, chosen) in contacts.iter().zip(&mut self.chosen) {
            if !*chosen && c.gap + gap_time * local_velocity(c, &v)[0] < 0.0 {
                *chosen = true;
                added = true;
            }
        }
        added
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.chosen.iter().enumerate().filter(|(_, yes)| **yes).map(|(i, _)| i)
    }
}

fn views(v: &[Vec<f64>]) -> Vec<&[f64]> {
    v.iter().map(Vec::as_slice).collect()
}

fn input<const D: usize>(c: &Contact<D>, states: &[State], v_free: &[Vec<f64>]) -> ContactInput<D> {
    let before: Vec<&[f64]> = states.iter().map(|s| s.v.as_slice()).collect();
    ContactInput {
        gap: c.gap,
        area: c.area,
        v_minus: local_velocity(c, &before),
        v_free: local_velocity(c, &views(v_free)),
    }
}

/// The last impulse of this contact, turned into its present frame.
fn warm_start<const D: usize>(c: &Contact<D>, last: &[(ContactKey, Vec<f64>)]) -> Vector<D> {
    match last.binary_search_by_key(&c.key, |(key, _)| *key) {
        Ok(k) => c.frame.transpose() * Vector::<D>::from_column_slice(&last[k].1),
        Err(_) => Vector::zeros(),
    }
}

/// H p on the dofs of every body.
fn reactions<const D: usize>(contacts: &[&Contact<D>], p: &[Vector<D>], states: &[State]) -> Vec<Vec<f64>> {
    let mut impulse: Vec<Vec<f64>> = states.iter().map(|s| vec![0.0; s.v.len()]).collect();
    for (c, p) in contacts.iter().zip(p) {
        scatter(c, p, &mut impulse);
    }
    impulse
}

/// v_free + w H p; a body that nothing touches keeps v_free.
fn corrected(operator: &mut Operator, v_free: &[f64], impulse: &[f64]) -> Vec<f64> {
    if impulse.iter().all(|x| x.abs() == 0.0) {
        return v_free.to_vec();
    }
    let mut dv = impulse.to_vec();
    operator.apply(&mut dv);
    v_free.iter().zip(&dv).map(|(v, d)| v + d).collect()
}

/// The larger error; NaN is the largest of all.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// What describes the end of the step to the contacts.
struct Moved<'a> {
    q_c: &'a [Vec<f64>],
    states: &'a [State],
    times: Step,
    /// Time from the contact configuration to the step's end \[s\].
    rest: f64,
}

fn describe<const D: usize>(
    contacts: Vec<Contact<D>>,
    active: &Active,
    outputs: &[ContactOutput<D>],
    errors: &[f64],
    v_plus: &[Vec<f64>],
    moved: &Moved<'_>,
) -> Vec<Touch<D>> {
    let travel: Vec<Vec<f64>> = moved
        .states
        .iter()
        .zip(moved.q_c)
        .map(|(s, q_c)| s.q.iter().zip(q_c).map(|(a, b)| (a - b) / moved.rest).collect())
        .collect();
    let (v, travel) = (views(v_plus), views(&travel));
    let mut solved = outputs.iter().zip(errors);
    contacts
        .into_iter()
        .zip(&active.chosen)
        .map(|(contact, chosen)| {
            let velocity = local_velocity(&contact, &v);
            let (impulse, status, law_error) = match (chosen, solved_next(*chosen, &mut solved)) {
                (true, Some((out, e))) => (out.impulse, out.status, *e),
                _ => (Vector::zeros(), Status::Open, 0.0),
            };
            let gap = contact.gap + moved.times.gap_time * velocity[0];
            let true_gap = contact.gap + moved.rest * local_velocity(&contact, &travel)[0];
            Touch { contact, velocity, impulse, status, law_error, gap, true_gap }
        })
        .collect()
}

fn solved_next<I: Iterator>(chosen: bool, solved: &mut I) -> Option<I::Item> {
    if chosen { solved.next() } else { None }
}

fn active_impulses<const D: usize>(touches: &[Touch<D>]) -> Vec<(ContactKey, Vec<f64>)> {
    touches
        .iter()
        .filter(|t| t.impulse.amax() > 0.0)
        .map(|t| (t.contact.key, (t.contact.frame * t.impulse).iter().copied().collect()))
        .collect()
}
