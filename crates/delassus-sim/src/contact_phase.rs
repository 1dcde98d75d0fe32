//! The contact part of a step: the selection of active contacts, the contact problem, and the result of every
//! contact.

use delassus_contact::{Contact, ContactKey, local_velocity, scatter};
use delassus_dynamics::{Operator, State};
use delassus_solver::{
    BlockMatrix, ChainSettings, Cone, ContactInput, ContactProblem, ContactUnderLaw, Derived, Settlement, Status,
    StepTimes, Vector, solve_under_laws,
};

use crate::condense::{Sites, condense};
use crate::contact_history::{recall, to_local, to_world};
use crate::error::SimError;
use crate::joints::{Coupled, JointPhase};
use crate::model::Model;
use crate::operators::Operators;
use crate::outcome::{Touch, Work};
use crate::snapshot::{ContactHistory, Snapshot};
use crate::space::{Dimension, Space};
use crate::timings::Timings;
use crate::velocities::{corrected, seen, views};
use crate::w_memory::admit_w;

/// World impulses by contact \[N·s\], sorted by key.
type Impulses = [(ContactKey, Vec<f64>)];

/// Which detected contacts take part in the problem: ascending indices.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Active {
    chosen: Vec<bool>,
}

impl Active {
    /// Those that touch or would close without impulses, those that acted in the last step, and those with a bond.
    pub fn predicted<const D: usize>(
        model: &Model<D>,
        contacts: &[Contact<D>],
        given: &Given<'_>,
        gap_time: f64,
    ) -> Self {
        let Given { from, v_free, q_c, last, .. } = given;
        let v = model.site_velocities(q_c, &views(v_free));
        let v = seen(&v);
        let bonded = |c: &Contact<D>| {
            let law = model.law_of(c);
            !law.history_entries().is_empty() && law.reaches(&recall(law, c, &from.histories).z)
        };
        // Joints that touch up to rounding would join one after the other, with a solve for each.
        let touching = model.rounding();
        let mut chosen: Vec<bool> = contacts
            .iter()
            .map(|c| {
                if c.key.is_moment() {
                    return false;
                }
                c.gap <= touching
                    || c.gap + gap_time * local_velocity(c, &v)[0] <= 0.0
                    || last.binary_search_by_key(&c.key, |(key, _)| *key).is_ok()
                    || bonded(c)
            })
            .collect();
        follow(contacts, &mut chosen);
        Self { chosen }
    }

    /// Adds every inactive contact whose predicted gap is negative; returns whether there was one.
    pub fn add_closing<const D: usize>(&mut self, contacts: &[Contact<D>], v_plus: &[&[f64]], gap_time: f64) -> bool {
        let mut added = false;
        for (c, chosen) in contacts.iter().zip(&mut self.chosen) {
            if !*chosen && !c.key.is_moment() && c.gap + gap_time * local_velocity(c, v_plus)[0] < 0.0 {
                *chosen = true;
                added = true;
            }
        }
        if added {
            follow(contacts, &mut self.chosen);
        }
        added
    }

    /// The others, without moments.
    pub fn left_out<'c, const D: usize>(&'c self, contacts: &'c [Contact<D>]) -> impl Iterator<Item = &'c Contact<D>> {
        contacts.iter().zip(&self.chosen).filter(|(c, yes)| !**yes && !c.key.is_moment()).map(|(c, _)| c)
    }

    /// The chosen ones among the detected.
    pub fn of<'c, const D: usize>(&self, contacts: &'c [Contact<D>]) -> Vec<&'c Contact<D>> {
        contacts.iter().zip(&self.chosen).filter(|(_, yes)| **yes).map(|(c, _)| c).collect()
    }
}

/// Chooses the moments of the contacts that are chosen.
fn follow<const D: usize>(contacts: &[Contact<D>], chosen: &mut [bool]) {
    let n = contacts.partition_point(|c| !c.key.is_moment());
    for k in n..contacts.len() {
        let force = contacts[..n].binary_search_by_key(&contacts[k].key.of_force(), |c| c.key);
        chosen[k] = force.is_ok_and(|i| chosen[i]);
    }
}

/// A solved contact problem and what it does to the bodies.
pub(crate) struct Settled<'c, const D: usize> {
    pub active: Active,
    pub posed: Posed<'c, D>,
    /// Impulses in the local frames, in the problem's order \[N·s\].
    pub p: Vec<Vector<D>>,
    pub settlement: Settlement<D>,
    /// H p on the dofs of every body, with what joints give \[N·s\].
    pub impulse: Vec<Vec<f64>>,
    /// What the contacts added to λ of the joints \[N·s\].
    pub joints: Option<Vec<f64>>,
    /// Velocities at the step's end \[m/s\].
    pub v_plus: Vec<Vec<f64>>,
}

impl<const D: usize> Settled<'_, D> {
    /// Refuses what a law cannot be with at this solution.
    pub fn refuse(&self, model: &Model<D>, times: &StepTimes) -> Result<(), SimError> {
        for ((ruled, out), contact) in self.posed.ruled.iter().zip(&self.settlement.solutions).zip(&self.posed.contacts)
        {
            ruled.law.refuse(&ruled.input, out, times).map_err(|source| SimError::Law {
                pair: model.pairs[contact.key.pair as usize].name.clone(),
                source,
            })?;
        }
        Ok(())
    }

    /// World impulses of the contacts that act, by key.
    pub fn impulses(&self) -> Vec<(ContactKey, Vec<f64>)> {
        let acting = self.posed.contacts.iter().zip(&self.p).filter(|(_, p)| p.amax() > 0.0);
        by_key(acting.map(|(c, p)| (c.key, (c.frame * p).iter().copied().collect())).collect())
    }
}

/// W of the contacts of a pass, for the next pass of the same step: it does not change while the operators do not.
pub(crate) struct KnownW<const D: usize> {
    active: Active,
    w: BlockMatrix<D>,
    coupled: Option<Coupled<D>>,
}

impl<const D: usize> KnownW<D> {
    /// That of a pass whose result is not needed any more; none if an operator is another one in each pass.
    pub fn after(model: &Model<D>, settled: Settled<'_, D>) -> Option<Self> {
        let varies = (0..model.bodies.len()).any(|body| model.operator_varies(body));
        (!varies).then_some(Self {
            active: settled.active,
            w: settled.posed.problem.operator,
            coupled: settled.posed.coupled,
        })
    }
}

/// Velocities v of the bodies at the start of a pass, and r(v).
pub(crate) type PassStart<'a> = (&'a [Vec<f64>], &'a [Vec<f64>]);

/// What a contact problem starts from.
pub(crate) struct Given<'a> {
    /// The accepted state.
    pub from: &'a Snapshot,
    /// Contact configurations of the bodies \[m\].
    pub q_c: &'a [Vec<f64>],
    /// Velocities of the bodies to which impulses add \[m/s\].
    pub v_minus: &'a [&'a [f64]],
    /// Velocities of the bodies if no contact impulse acted \[m/s\].
    pub v_free: &'a [Vec<f64>],
    /// Impulses to start from.
    pub last: &'a Impulses,
    /// Velocities that the pass starts from and r at these, where v⁺ is their sum with w (r + H p): one solve, in which forces that nearly cancel do so before it.
    pub pass: Option<PassStart<'a>>,
    /// What joints give the bodies without contacts, on the dofs \[N·s\].
    pub held: Option<&'a [Vec<f64>]>,
}

impl Given<'_> {
    /// v⁺ of a body under the impulses H p.
    fn reached(&self, body: usize, w: &mut Operator, impulse: &[f64]) -> Vec<f64> {
        match self.pass {
            Some((v, r)) => {
                let held = self.held.map(|held| &held[body]);
                let sum: Vec<f64> =
                    (0..impulse.len()).map(|i| r[body][i] + impulse[i] + held.map_or(0.0, |p| p[i])).collect();
                corrected(w, &v[body], &sum)
            }
            None => corrected(w, &self.v_free[body], impulse),
        }
    }
}

/// What a pass of a step takes along.
pub(crate) struct PassInput<'a, const D: usize> {
    /// The joints, as this pass has them.
    pub joints: Option<&'a JointPhase<'a, D>>,
    /// W of the pass before, where it still holds.
    pub known: Option<KnownW<D>>,
}

/// Condenses, derives the laws, solves and corrects the velocities, until no contact left out would close.
pub(crate) fn settle<'c, 'm, const D: usize>(
    model: &'m Model<D>,
    contacts: &'c [Contact<D>],
    operators: &mut Operators,
    given: &Given<'_>,
    carried: PassInput<'_, D>,
    times: &StepTimes,
    timings: &mut Timings,
) -> Result<Settled<'c, D>, SimError>
where
    'm: 'c,
    Dimension<D>: Space<D>,
{
    let Given { last, .. } = given;
    let PassInput { joints, mut known } = carried;
    let mut active = Active::predicted(model, contacts, given, times.gap_time);
    let mut acting = last.to_vec();
    loop {
        let known = known.take().filter(|known| known.active == active);
        let carried = PassInput { joints, known };
        let mut posed = pose(model, active.of(contacts), operators, given, carried, times, timings)?;
        let mut p = posed.warm_start(&acting);
        let interrupt = operators.interrupt();
        let chain = ChainSettings { methods: &model.methods, options: &model.solver_options, interrupt };
        let settlement = solve_under_laws(&chain, &posed.ruled, &mut posed.problem, &mut p, times);
        interrupt.check()?;
        timings.lap("solve");
        let mut impulse = model.gathered(given.q_c, posed.reactions(&p, model.no_impulses()));
        let added = posed.response(joints, &p);
        if let (Some(phase), Some(added)) = (joints, &added) {
            add(&mut impulse, &phase.impulse(added));
        }
        let v_plus = operators.for_each_body(|i, w| given.reached(i, w, &impulse[i]));
        if let Some(held) = given.held {
            add(&mut impulse, held);
        }
        timings.lap("finish");
        // A contact left out that would close now joins, and the problem is solved again.
        let settled = Settled { active: active.clone(), posed, p, settlement, impulse, joints: added, v_plus };
        let v = model.site_velocities(given.q_c, &views(&settled.v_plus));
        if !active.add_closing(contacts, &seen(&v), times.gap_time) {
            return Ok(settled);
        }
        acting = settled.impulses();
    }
}

/// A contact problem as it is posed to the solver, with what it was made of.
pub(crate) struct Posed<'c, const D: usize> {
    pub contacts: Vec<&'c Contact<D>>,
    pub ruled: Vec<ContactUnderLaw<'c, D>>,
    pub problem: ContactProblem<D>,
    /// How the contacts feel joints.
    pub coupled: Option<Coupled<D>>,
}

/// U_free = Hᵀ v_free, the laws derived from it, and W = Hᵀ w H, for the active contacts.
fn pose<'c, 'm, const D: usize>(
    model: &'m Model<D>,
    contacts: Vec<&'c Contact<D>>,
    operators: &mut Operators,
    given: &Given<'_>,
    carried: PassInput<'_, D>,
    times: &StepTimes,
    timings: &mut Timings,
) -> Result<Posed<'c, D>, SimError>
where
    'm: 'c,
{
    let inputs = inputs(model, &contacts, given, times);
    let ruled = contacts.iter().zip(inputs).map(|(c, input)| {
        let law = model.law_of(c);
        ContactUnderLaw { law, input, history: to_local(law, c, recall(law, c, &given.from.histories).z) }
    });
    let ruled: Vec<ContactUnderLaw<'c, D>> = ruled.collect();
    let margin = model.margins.over(model.solver_options.tolerance, times);
    let mut laws: Vec<Derived<D>> = ruled.iter().map(|r| Derived { margin, ..r.derive(times, None) }).collect();
    bind(&contacts, &mut laws);
    timings.lap("derive_laws");
    let (operator, coupled) = match carried.known {
        Some(known) => (known.w, known.coupled),
        None => {
            admit_w(&contacts)?;
            let sites = Sites { model, q: given.q_c };
            match carried.joints.and_then(|phase| phase.eliminated.as_ref().map(|e| (phase, e))) {
                Some((phase, eliminated)) if !contacts.is_empty() => {
                    let all: Vec<&Contact<D>> = phase.rows.blocks.iter().chain(contacts.iter().copied()).collect();
                    operators.expose(model, &all)?;
                    let rows = &phase.rows;
                    let (coupled, w) = Coupled::of(eliminated, &rows.blocks, &rows.rows, &contacts, operators, sites)?;
                    (w, Some(coupled))
                }
                _ => {
                    operators.expose(model, &contacts)?;
                    (condense(&contacts, operators, sites)?, None)
                }
            }
        }
    };
    timings.lap("condense");
    let v_free = ruled.iter().map(|r| r.input.v_free).collect();
    Ok(Posed { contacts, ruled, problem: ContactProblem { operator, v_free, laws }, coupled })
}

/// Tells moments which contact bounds them.
fn bind<const D: usize>(contacts: &[&Contact<D>], laws: &mut [Derived<D>]) {
    let n = contacts.partition_point(|c| !c.key.is_moment());
    for (contact, law) in contacts.iter().zip(laws).skip(n) {
        if let (Cone::Turning(turning), Ok(of)) =
            (&mut law.cone, contacts[..n].binary_search_by_key(&contact.key.of_force(), |c| c.key))
        {
            turning.of = of;
        }
    }
}

/// Impulses sorted by key.
fn by_key(mut impulses: Vec<(ContactKey, Vec<f64>)>) -> Vec<(ContactKey, Vec<f64>)> {
    impulses.sort_by_key(|(key, _)| *key);
    impulses
}

impl<const D: usize> Posed<'_, D> {
    /// The last impulses of the contacts, turned into their present frames.
    pub fn warm_start(&self, last: &Impulses) -> Vec<Vector<D>> {
        self.contacts.iter().map(|c| warm_start(c, last)).collect()
    }

    /// What impulses of the contacts add to λ of the joints.
    pub fn response(&self, joints: Option<&JointPhase<'_, D>>, p: &[Vector<D>]) -> Option<Vec<f64>> {
        let (phase, coupled) = (joints?, self.coupled.as_ref()?);
        Some(coupled.response(phase.eliminated.as_ref()?, p, phase.rows.rows.len()))
    }

    /// H p on the sites of every body, added to `impulse`.
    pub fn reactions(&self, p: &[Vector<D>], mut impulse: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        for (c, p) in self.contacts.iter().zip(p) {
            scatter(c, p, &mut impulse);
        }
        impulse
    }
}

fn add(sum: &mut [Vec<f64>], part: &[Vec<f64>]) {
    sum.iter_mut().zip(part).for_each(|(x, y)| x.iter_mut().zip(y).for_each(|(x, y)| *x += y));
}

/// What is known of the contacts before the solve.
fn inputs<const D: usize>(
    model: &Model<D>,
    contacts: &[&Contact<D>],
    given: &Given<'_>,
    times: &StepTimes,
) -> Vec<ContactInput<D>> {
    let (states, q_c) = (&given.from.states, given.q_c);
    let v_minus = model.site_velocities(q_c, given.v_minus);
    let v_free = model.site_velocities(q_c, &views(given.v_free));
    let (v_minus, v_free) = (seen(&v_minus), seen(&v_free));
    let delay = times.h - times.rest;
    // The way to the contact configuration as a velocity, so that obstacles are counted; where there is none, nothing is divided.
    let q: Vec<&[f64]> = states.iter().map(|s| s.q.as_slice()).collect();
    let way = (delay > 0.0).then(|| model.mean_velocities(&q, &views(q_c), delay));
    let way = way.as_ref().map(|way| model.site_velocities(q_c, &views(way)));
    let way = way.as_ref().map(|way| seen(way));
    contacts
        .iter()
        .map(|c| ContactInput {
            gap: c.gap,
            area: c.area,
            v_minus: local_velocity(c, &v_minus),
            v_free: local_velocity(c, &v_free),
            drift: way.as_ref().map_or_else(Vector::zeros, |way| local_velocity(c, way) * delay),
            frame: c.frame,
            acted: given.from.impulses.binary_search_by_key(&c.key, |(key, _)| *key).is_ok(),
            place: c.point,
            time: given.from.time() + times.h,
        })
        .collect()
}

/// The last impulse of this contact, turned into its present frame.
fn warm_start<const D: usize>(c: &Contact<D>, last: &Impulses) -> Vector<D> {
    match last.binary_search_by_key(&c.key, |(key, _)| *key) {
        Ok(k) => c.frame.transpose() * Vector::<D>::from_column_slice(&last[k].1),
        Err(_) => Vector::zeros(),
    }
}

/// What describes the end of the step to the contacts.
pub(crate) struct Moved<'a> {
    /// What the step started from.
    pub from: &'a Snapshot,
    pub q_c: &'a [Vec<f64>],
    pub states: &'a [State],
    pub v_plus: &'a [Vec<f64>],
    /// The velocities on which reactions do their work in the scheme.
    pub v_t: Vec<&'a [f64]>,
    pub times: StepTimes,
}

/// A contact of the problem, solved.
struct SolvedContact<'a, const D: usize> {
    ruled: &'a ContactUnderLaw<'a, D>,
    output: &'a delassus_solver::ContactSolution<D>,
    cone: Cone,
    error: f64,
}

/// Every detected contact as the step left it.
pub(crate) fn describe<const D: usize>(
    model: &Model<D>,
    contacts: &[Contact<D>],
    settled: &Settled<'_, D>,
    errors: &[f64],
    moved: &Moved<'_>,
) -> Vec<Touch<D>> {
    let rest = moved.times.rest;
    let q_plus: Vec<&[f64]> = moved.states.iter().map(|s| s.q.as_slice()).collect();
    let travel = model.mean_velocities(&views(moved.q_c), &q_plus, rest);
    let sites = [views(moved.v_plus), views(&travel), moved.v_t.clone()].map(|v| model.site_velocities(moved.q_c, &v));
    let [v, travel, v_t] = [0, 1, 2].map(|k| seen(&sites[k]));
    let Posed { ruled, problem, .. } = &settled.posed;
    let outputs = settled.settlement.solutions.iter();
    let mut solved = ruled
        .iter()
        .zip(outputs)
        .zip(&problem.laws)
        .zip(errors)
        .map(|(((ruled, output), law), error)| SolvedContact { ruled, output, cone: law.cone, error: *error });
    let one = |(contact, chosen): (&Contact<D>, &bool)| {
        let velocity = local_velocity(contact, &v);
        let mut touch = Touch {
            contact: contact.clone(),
            velocity,
            impulse: Vector::zeros(),
            moment: Vector::zeros(),
            status: Status::Open,
            friction: 0.0,
            work: Work::default(),
            history: recall(model.law_of(contact), contact, &moved.from.histories),
            law_error: 0.0,
            gap: contact.gap + moved.times.gap_time * velocity[0],
            true_gap: contact.gap + rest * local_velocity(contact, &travel)[0],
        };
        if let Some(solved) = solved_next(*chosen, &mut solved) {
            touch.take(&solved, moved, &v_t);
        }
        touch
    };
    // A further facet of a candidate that did not come into play is not told.
    let n = contacts.partition_point(|c| !c.key.is_moment());
    let told = contacts[..n].iter().zip(&settled.active.chosen).filter(|(c, chosen)| **chosen || !c.key.is_across());
    let mut touches: Vec<Touch<D>> = told.map(one).collect();
    share_areas(model, &mut touches);
    let moments = contacts.iter().zip(&settled.active.chosen).skip(n).filter(|(_, chosen)| **chosen);
    for ((contact, _), solved) in moments.zip(solved) {
        if let Ok(k) = touches.binary_search_by_key(&contact.key.of_force(), |t| t.contact.key) {
            touches[k].resist(contact, &solved, &v_t);
        }
    }
    touches
}

/// If several contacts of one candidate act, its area is divided among them in proportion to their pressures. Contacts of shapes have areas of their own.
fn share_areas<const D: usize>(model: &Model<D>, touches: &mut [Touch<D>]) {
    let of_shapes = |key: &ContactKey| key.pass >= model.pairs[key.pair as usize].n_passes();
    let candidate = |t: &Touch<D>| ContactKey { corner: 0, ..t.contact.key };
    for facets in touches
        .chunk_by_mut(|a, b| candidate(a) == candidate(b))
        .filter(|facets| facets.len() > 1 && !of_shapes(&facets[0].contact.key))
    {
        let total: f64 = facets.iter().map(|t| t.impulse[0].max(0.0)).sum();
        for t in facets.iter_mut().filter(|t| t.impulse[0] > 0.0) {
            t.contact.area *= t.impulse[0] / total;
        }
    }
}

impl<const D: usize> Touch<D> {
    /// Takes over what the solution says: impulse, status, work, and the history at the step's end. `v_t` are the velocities of the sites on which reactions
    /// do their work in the scheme.
    fn take(&mut self, solved: &SolvedContact<'_, D>, moved: &Moved<'_>, v_t: &[&[f64]]) {
        let SolvedContact { ruled, output, cone, error } = solved;
        let contact = &self.contact;
        let (z, energy) = ruled.commit(output, &moved.times);
        let bonded = ruled.law.reaches(&z);
        let obstacle = contact.frame.transpose() * contact.sides[1].velocity;
        self.impulse = output.impulse;
        self.law_error = *error;
        self.status = if bonded { Status::Bonded } else { output.status };
        self.friction = if let Cone::Coulomb(mu) = cone { *mu } else { 0.0 };
        // Also without an impulse: a bond that is let go to rest gives back what it stored.
        self.work = Work::of(&self.impulse, &energy, &local_velocity(contact, v_t), &obstacle);
        // What is pressed together slides; a bond that is sheared does not.
        let slides = output.status == Status::Slip && !bonded;
        let before = std::mem::take(&mut self.history);
        self.history = ContactHistory {
            z: to_world(ruled.law, contact, z),
            slip: before.slip + if slides { moved.times.h * sliding(&self.velocity) } else { 0.0 },
            friction: before.friction + self.work.friction,
        };
    }
}

impl<const D: usize> Touch<D> {
    /// Takes over what its moment did.
    fn resist(&mut self, contact: &Contact<D>, solved: &SolvedContact<'_, D>, v_t: &[&[f64]]) {
        let (p, lever) = (&solved.output.impulse, contact.area);
        self.moment = p * lever;
        self.law_error = self.law_error.max(solved.error);
        self.work.turning = -p.dot(&local_velocity(contact, v_t));
        self.work.obstacle += p.dot(&(contact.frame.transpose() * contact.sides[1].velocity));
    }
}

/// Norm of the tangential part.
fn sliding<const D: usize>(velocity: &Vector<D>) -> f64 {
    velocity.iter().skip(1).map(|t| t * t).sum::<f64>().sqrt()
}

fn solved_next<I: Iterator>(chosen: bool, solved: &mut I) -> Option<I::Item> {
    if chosen { solved.next() } else { None }
}

/// World impulses of the contacts that acted: the next warm start.
pub(crate) fn active_impulses<const D: usize>(settled: &Settled<'_, D>) -> Vec<(ContactKey, Vec<f64>)> {
    settled.impulses()
}
