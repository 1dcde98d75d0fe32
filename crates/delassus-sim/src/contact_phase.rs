//! The contact part of a step, piece by piece: which contacts take part, the problem they pose, and what they did.

use delassus_contact::{Contact, ContactKey, local_velocity, scatter};
use delassus_dynamics::{Operator, State};
use delassus_solver::{
    ContactInput, ContactOutput, ContactProblem, Dimension, LocalKernel, Report, Status, Step, Vector, solve_in_order,
};

use crate::condense::condense;
use crate::error::SimError;
use crate::model::Model;
use crate::operators::Operators;
use crate::outcome::{Snapshot, Touch};
use crate::timings::Timings;

/// World impulses by contact \[N·s\], sorted by key.
type Impulses = [(ContactKey, Vec<f64>)];

/// Which detected contacts take part in the problem: ascending indices.
pub(crate) struct Active {
    chosen: Vec<bool>,
}

impl Active {
    /// Those that would close without impulses, and those that acted in the last step.
    pub fn predicted<const D: usize>(
        contacts: &[Contact<D>],
        v_free: &[Vec<f64>],
        last: &Impulses,
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
    pub fn add_closing<const D: usize>(&mut self, contacts: &[Contact<D>], v_plus: &[Vec<f64>], gap_time: f64) -> bool {
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

    /// The chosen ones among the detected.
    pub fn of<'c, const D: usize>(&self, contacts: &'c [Contact<D>]) -> Vec<&'c Contact<D>> {
        contacts.iter().zip(&self.chosen).filter(|(_, yes)| **yes).map(|(c, _)| c).collect()
    }
}

fn views(v: &[Vec<f64>]) -> Vec<&[f64]> {
    v.iter().map(Vec::as_slice).collect()
}

/// A solved contact problem and what it does to the bodies.
pub(crate) struct Settled<'c, const D: usize> {
    pub active: Active,
    pub posed: Posed<'c, D>,
    /// Impulses in the local frames, in the problem's order \[N·s\].
    pub p: Vec<Vector<D>>,
    pub reports: Vec<Report>,
    /// H p on the dofs of every body \[N·s\].
    pub impulse: Vec<Vec<f64>>,
    /// Velocities at the step's end \[m/s\].
    pub v_plus: Vec<Vec<f64>>,
}

impl<const D: usize> Settled<'_, D> {
    /// World impulses of the contacts that act, by key.
    pub fn impulses(&self) -> Vec<(ContactKey, Vec<f64>)> {
        let acting = self.posed.contacts.iter().zip(&self.p).filter(|(_, p)| p.amax() > 0.0);
        acting.map(|(c, p)| (c.key, (c.frame * p).iter().copied().collect())).collect()
    }
}

/// Condenses, derives the laws, solves and corrects the velocities, until no contact left out would close.
pub(crate) fn settle<'c, const D: usize>(
    model: &Model<D>,
    contacts: &'c [Contact<D>],
    operators: &mut Operators,
    (from, v_free, last): (&Snapshot, &[Vec<f64>], &Impulses),
    times: &Step,
    timings: &mut Timings,
) -> Result<Settled<'c, D>, SimError>
where
    Dimension<D>: LocalKernel<D>,
{
    let mut active = Active::predicted(contacts, v_free, last, times.gap_time);
    loop {
        let posed = pose(model, active.of(contacts), operators, (&from.states, v_free), times, timings)?;
        let mut p = posed.warm_start(last);
        let reports = solve_in_order(&model.methods, &posed.problem, &mut p, &model.solver_options);
        timings.lap("solve");
        let impulse = posed.reactions(&p, &from.states);
        let v_plus = model.for_each_body(operators, |i, w| corrected(w, &v_free[i], &impulse[i]));
        timings.lap("finish");
        // A contact left out that would close now joins, and the problem is solved again.
        if !active.add_closing(contacts, &v_plus, times.gap_time) {
            return Ok(Settled { active, posed, p, reports, impulse, v_plus });
        }
    }
}

/// A contact problem as it is posed to the solver, with what it was made of.
pub(crate) struct Posed<'c, const D: usize> {
    pub contacts: Vec<&'c Contact<D>>,
    pub inputs: Vec<ContactInput<D>>,
    pub problem: ContactProblem<D>,
}

/// U_free = Hᵀ v_free, the laws derived from it, and W = Hᵀ w H, for the active contacts.
pub(crate) fn pose<'c, const D: usize>(
    model: &Model<D>,
    contacts: Vec<&'c Contact<D>>,
    operators: &mut Operators,
    velocities: (&[State], &[Vec<f64>]),
    times: &Step,
    timings: &mut Timings,
) -> Result<Posed<'c, D>, SimError> {
    let v_minus: Vec<&[f64]> = velocities.0.iter().map(|s| s.v.as_slice()).collect();
    let v_free = views(velocities.1);
    let inputs: Vec<ContactInput<D>> = contacts.iter().map(|c| input(c, &v_minus, &v_free)).collect();
    let laws = contacts.iter().zip(&inputs).map(|(c, x)| model.law_of(c).derive(x, times, &[], None)).collect();
    timings.lap("derive_laws");
    operators.expose(model, &contacts)?;
    let operator = condense(&contacts, operators)?;
    timings.lap("condense");
    let v_free = inputs.iter().map(|x| x.v_free).collect();
    Ok(Posed { contacts, inputs, problem: ContactProblem { operator, v_free, laws } })
}

impl<const D: usize> Posed<'_, D> {
    /// The last impulses of the contacts, turned into their present frames.
    pub fn warm_start(&self, last: &Impulses) -> Vec<Vector<D>> {
        self.contacts.iter().map(|c| warm_start(c, last)).collect()
    }

    /// H p on the dofs of every body.
    pub fn reactions(&self, p: &[Vector<D>], states: &[State]) -> Vec<Vec<f64>> {
        let mut impulse: Vec<Vec<f64>> = states.iter().map(|s| vec![0.0; s.v.len()]).collect();
        for (c, p) in self.contacts.iter().zip(p) {
            scatter(c, p, &mut impulse);
        }
        impulse
    }

    /// The largest violation of a law by its own statement.
    pub fn own_violation(&self, model: &Model<D>, outputs: &[ContactOutput<D>], times: &Step) -> f64 {
        let judged = self.contacts.iter().zip(&self.inputs).zip(outputs);
        judged.map(|((c, x), out)| model.law_of(c).violation(x, out, times, &[])).fold(0.0, worse)
    }
}

fn input<const D: usize>(c: &Contact<D>, v_minus: &[&[f64]], v_free: &[&[f64]]) -> ContactInput<D> {
    let (v_minus, v_free) = (local_velocity(c, v_minus), local_velocity(c, v_free));
    ContactInput { gap: c.gap, area: c.area, v_minus, v_free, drift: Vector::zeros() }
}

/// The last impulse of this contact, turned into its present frame.
fn warm_start<const D: usize>(c: &Contact<D>, last: &Impulses) -> Vector<D> {
    match last.binary_search_by_key(&c.key, |(key, _)| *key) {
        Ok(k) => c.frame.transpose() * Vector::<D>::from_column_slice(&last[k].1),
        Err(_) => Vector::zeros(),
    }
}

/// v_free + w H p; a body that nothing touches keeps v_free.
pub(crate) fn corrected(operator: &mut Operator, v_free: &[f64], impulse: &[f64]) -> Vec<f64> {
    if impulse.iter().all(|x| x.abs() == 0.0) {
        return v_free.to_vec();
    }
    let mut dv = impulse.to_vec();
    operator.apply(&mut dv);
    v_free.iter().zip(&dv).map(|(v, d)| v + d).collect()
}

/// The larger error; NaN is the largest of all.
pub(crate) fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// What describes the end of the step to the contacts.
pub(crate) struct Moved<'a> {
    pub q_c: &'a [Vec<f64>],
    pub states: &'a [State],
    pub v_plus: &'a [Vec<f64>],
    pub times: Step,
    /// Time from the contact configuration to the step's end \[s\].
    pub rest: f64,
}

/// Every detected contact as the step left it.
pub(crate) fn describe<const D: usize>(
    contacts: Vec<Contact<D>>,
    active: &Active,
    outputs: &[ContactOutput<D>],
    errors: &[f64],
    moved: &Moved<'_>,
) -> Vec<Touch<D>> {
    let travel: Vec<Vec<f64>> = moved
        .states
        .iter()
        .zip(moved.q_c)
        .map(|(s, q_c)| s.q.iter().zip(q_c).map(|(a, b)| (a - b) / moved.rest).collect())
        .collect();
    let (v, travel) = (views(moved.v_plus), views(&travel));
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

/// World impulses of the contacts that acted: the next warm start.
pub(crate) fn active_impulses<const D: usize>(touches: &[Touch<D>]) -> Vec<(ContactKey, Vec<f64>)> {
    touches
        .iter()
        .filter(|t| t.impulse.amax() > 0.0)
        .map(|t| (t.contact.key, (t.contact.frame * t.impulse).iter().copied().collect()))
        .collect()
}
