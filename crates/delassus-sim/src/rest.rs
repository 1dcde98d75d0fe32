//! Checks whether a state is at rest: the conditions on the state that the long steps of `start` have found.
//!
//! ```text
//! balance       Σ |M v|/H            what inertia still carries, against the forces of this state: Σ |P| + Σ |r|
//! nearness      |q|                  no farther than `FAR` times the box around all bodies and their gaps to what they may touch
//! confirmation  Σ |M v⁺|/h + Σ |f⁺ − f|  of one step of the run's own scheme and length from there, against Σ |P| + Σ |r| + Σ |f|
//! ```
//!
//! The long steps use each contact in the frame it had before the step. In a state that is balanced in such steps, contacts may still
//! change sides in every step. A step of the run starts from the state as it is: unsupported parts move (inertia), and parts that are
//! not deformed enough deform (f⁺ − f, the larger term if h is longer than the periods of the bodies).

use std::sync::Arc;

use delassus_dynamics::System;

use crate::displaced::Displaced;
use crate::engine::Engine;
use crate::error::SimError;
use crate::imbalance::places;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};
use crate::step::step;
use crate::timings::Timings;

/// Largest displacement of an equilibrium, in sizes of the model.
const FAR: f64 = 2.0;

/// Part of the forces that a step of the run may set free or change: far above what the tolerance of an equilibrium leaves, far below the
/// share that a contact which slips or opens sets free.
const CONFIRMED: f64 = 1e-4;

/// Roundings of a displacement that a nodal force has seen.
const ROUNDINGS: f64 = 4.0;

/// Forces of a state \[N\].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forces {
    /// Σ |M v|/h: what the inertia of the step still carries.
    pub inertia: f64,
    /// Σ |P| + Σ |r|: loads and contacts.
    pub acting: f64,
}

impl Forces {
    /// At the end of a step from rest.
    pub fn of<const D: usize>(model: &Model<D>, outcome: &Outcome<D>) -> Self {
        let mut out = Self::default();
        for (b, state) in model.bodies.iter().zip(&outcome.snapshot.states) {
            let mut x = vec![0.0; state.v.len()];
            b.body.mass_times_into(&state.v, &mut x);
            out.inertia += sum(&x) / outcome.h;
            b.body.loads_into(0.0, &mut x);
            b.body.add_following_loads(0.0, &state.q, &mut x);
            out.acting += sum(&x);
        }
        out.acting += outcome.joints.iter().map(|j| j.force.amax()).sum::<f64>();
        out.acting += outcome.touches.iter().map(|t| t.impulse.amax()).sum::<f64>() / outcome.h;
        out
    }

    /// Out-of-balance force over the forces that act.
    pub fn left(&self) -> f64 {
        if self.inertia > 0.0 { self.inertia / self.acting } else { 0.0 }
    }

    /// Is there no force but what rounding makes of the displacements, N ε Σ |K| |q|, in a frame of the places, N ε Σ |K| (|X| + |q|)?
    pub fn is_rounding<const D: usize>(&self, model: &Model<D>, at: &Snapshot) -> bool {
        let of_body = |(b, state): (&crate::model::ModelBody<D>, &delassus_dynamics::State)| {
            let stiffness = &b.body.matrices().stiffness;
            let way = b.body.motion_between(&b.body.reference(), &state.q);
            let values: Vec<f64> = stiffness.values().iter().map(|k| k.abs()).collect();
            let q: Vec<f64> = match b.body.turning() {
                Some(turning) => places(turning, &way),
                None => way.iter().map(|q| q.abs()).collect(),
            };
            let mut x = vec![0.0; q.len()];
            delassus_dynamics::symmetric_times_into(stiffness.pattern(), &values, &q, &mut x);
            sum(&x)
        };
        let noise: f64 = model.bodies.iter().zip(&at.states).map(of_body).sum();
        self.inertia + self.acting <= ROUNDINGS * f64::EPSILON * noise
    }
}

fn sum(x: &[f64]) -> f64 {
    x.iter().map(|x| x.abs()).sum()
}

/// Size of the model \[m\]: the diagonal of the box around all bodies, and their largest gap to what they may touch.
fn size<const D: usize>(engine: &mut Engine<D>) -> Result<f64, SimError>
where
    Dimension<D>: Space<D>,
{
    let model = &*Arc::clone(&engine.model);
    let points = || model.bodies.iter().flat_map(|b| &b.body.mesh().points);
    let range =
        |i: usize| points().map(|p| p[i]).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, u), x| (l.min(x), u.max(x)));
    let diagonal = (0..D).map(range).map(|(low, high)| (high - low) * (high - low)).sum::<f64>().sqrt();
    let contacts = engine.detect_between(&model.reference(), 0.0, model.h)?.contacts;
    Ok(diagonal + contacts.iter().map(|c| c.gap).fold(0.0, f64::max))
}

/// Refuses a state that is far from the geometry as given.
pub(crate) fn is_near<const D: usize>(
    engine: &mut Engine<D>,
    steps: usize,
    state: &Snapshot,
) -> Result<Displaced, SimError>
where
    Dimension<D>: Space<D>,
{
    let (moved, size) = (Displaced::farthest(&engine.model, None, state), size(engine)?);
    if moved.by <= FAR * size { Ok(moved) } else { Err(SimError::FarEquilibrium { steps, moved, size }) }
}

/// Refuses a state that does not stay as it is in one step of a model in which everything is held.
///
/// # Errors
/// [`SimError::UnconfirmedEquilibrium`], or that of a step that cannot be done.
pub fn confirm<const D: usize>(held: &Arc<Model<D>>, from: &Snapshot) -> Result<(), SimError>
where
    Dimension<D>: Space<D>,
{
    let outcome = step(&mut Engine::new(held)?, &mut Timings::default(), from, held.h)?;
    let Forces { inertia, acting } = Forces::of(held, &outcome);
    let (mut changed, mut internal) = (0.0, 0.0);
    for (i, (before, after)) in from.states.iter().zip(&outcome.snapshot.states).enumerate() {
        let [f, f_plus] = [before, after].map(|s| internal_force(&*held.bodies[i].body, s));
        changed += f.iter().zip(&f_plus).map(|(a, b)| (a - b).abs()).sum::<f64>();
        internal += sum(&f);
    }
    let forces = Forces { inertia: inertia + changed, acting: acting + internal };
    let part = forces.left();
    if part <= CONFIRMED || forces.is_rounding(held, from) {
        return Ok(());
    }
    let moved = Displaced::farthest(held, Some(from), &outcome.snapshot);
    Err(SimError::UnconfirmedEquilibrium { h: held.h, moved, part, judged: outcome.description() })
}

/// f(q, z) \[N\].
fn internal_force(system: &dyn System, state: &delassus_dynamics::State) -> Vec<f64> {
    system.response_at(state).map_or_else(
        || {
            let mut f = vec![0.0; state.v.len()];
            system.elastic_force_into(&state.q, &mut f);
            f
        },
        |response| response.force,
    )
}
