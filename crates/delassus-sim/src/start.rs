//! The initial state of a run: the given geometry, or the equilibrium under the loads of t = 0.
//!
//! Penetrations in the given geometry are refused unless the pair allows them: the first step would push the bodies
//! apart with the velocity penetration/h, an unintended impact.
//!
//! The equilibrium is found with the time steps of the method on a frozen model: boundaries and obstacles are at rest, initial velocities are
//! zero, loads have their value of t = 0, and there is no viscosity or damping. Implicit Euler steps of a length H far above the periods of the
//! bodies are taken, each from rest:
//!
//! ```text
//! M (q⁺ − q)/H² + K q⁺ = P(0) + H r        laws of contact on q⁺ − q
//! ```
//!
//! This is the proximal-point iteration for the equilibrium: the error of an elastic mode of frequency ω is multiplied by
//! 1/(1 + ω²H²) in a step, a rigid motion without resistance is not changed. The inertia term is the out-of-balance force.
//! If it decreases slowly (slender bodies, or a body that has to fall on its support first), H is increased.
//!
//! Free bodies that spin are stretched by their spin, at relative equilibrium (`spun`).
//!
//! The state found is checked once more (`rest`): it must be near the given geometry, and one step with the length and scheme of
//! the run must not change it.

use std::sync::Arc;

use delassus_contact::Contact;
use delassus_dynamics::State;
use delassus_dynamics::integrator::Theta;
use delassus_error::{InternalError, Interrupt};
use delassus_fem::FemError;
use delassus_solver::{Method, SolverOptions};

use crate::displaced::Displaced;
use crate::engine::Engine;
use crate::error::SimError;
use crate::joints::fit_velocities;
use crate::model::{FailurePolicy, Joint, MarginSpec, Model, ModelBody, ModelPair, StartSpec, Twins};
use crate::rest::{Forces, confirm, is_near};
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};
use crate::spun::spin_up;
use crate::step::step;
use crate::timings::Timings;

pub use crate::overlap::Overlap;

/// First H over the time a wave takes through the largest body: the lowest modes of a stocky body shrink by some 1e-4 a step.
const LONG: f64 = 30.0;

/// The out-of-balance force should fall to this part in a step, or H is made longer by `LONGER`, at most `LONGEST` times in all:
/// beyond that, the mass would be lost in the rounding of the stiffness.
const SLOW: f64 = 0.1;
const LONGER: f64 = 10.0;
const LONGEST: usize = 3;

/// Out-of-balance force over all forces at which the equilibrium counts as reached.
const BALANCED: f64 = 1e-12;

/// The same when rounding stops further progress.
const BALANCED_TO_ROUNDING: f64 = 1e-8;

/// Steps in which the out-of-balance force must halve at least once.
const PATIENCE: usize = 20;

/// Law error of the long steps: it causes an out-of-balance force in the run.
const SHARP: f64 = 1e-12;

/// Where a run starts.
pub struct Start {
    /// The state at t = 0.
    pub snapshot: Snapshot,
    /// How the equilibrium was found, with `start: Equilibrium`.
    pub equilibrium: Option<Equilibrium>,
    /// Overlaps in the geometry as given, beyond rounding, that the case allows.
    pub overlaps: Vec<Overlap>,
}

/// How an equilibrium was found.
#[derive(Clone, Copy, Debug)]
pub struct Equilibrium {
    /// Long steps taken.
    pub steps: usize,
    /// Out-of-balance force over the sum of loads and contact forces of this state.
    pub out_of_balance: f64,
    /// Largest displacement of a node along an axis \[m\].
    pub displacement: f64,
}

impl std::fmt::Display for Equilibrium {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { steps, out_of_balance, displacement } = self;
        write!(
            f,
            "start: equilibrium after {steps} long steps, imbalance {out_of_balance:.1e} of the forces, largest \
             displacement {displacement:.3e} m"
        )
    }
}

impl Start {
    /// Refuses penetrations that the case does not allow, then finds the initial state.
    pub fn find<const D: usize>(engine: &mut Engine<D>) -> Result<Self, SimError>
    where
        Dimension<D>: Space<D>,
    {
        let overlaps = allowed_overlaps(engine)?;
        let (snapshot, equilibrium) = match engine.model.start_state {
            StartSpec::Undeformed => (engine.start()?, None),
            StartSpec::Equilibrium => {
                equilibrium(&engine.model, engine.interrupt()).map(|(state, found)| (state, Some(found)))?
            }
        };
        Ok(Self { snapshot, equilibrium, overlaps })
    }
}

/// The overlaps of the geometry as given, with the obstacles where they are at t = 0; an error for those that are not allowed.
fn allowed_overlaps<const D: usize>(engine: &mut Engine<D>) -> Result<Vec<Overlap>, SimError>
where
    Dimension<D>: Space<D>,
{
    let model = &*Arc::clone(&engine.model);
    let found = engine.detect_between(&model.reference(), 0.0, model.h)?.penetrations;
    let shapes = engine.shape_contacts(&model.reference(), 0.0, &[])?;
    let (mut allowed, mut refused) = (Vec::new(), Vec::new());
    // Once: it looks at all bodies.
    let rounding = model.rounding();
    for (pair, known) in model.pairs.iter().enumerate() {
        // The deepest of a pair's directions speaks for the pair.
        let directions = model.directions().zip(&found).filter(|((p, _), _)| *p == pair);
        let deepest = directions.filter_map(|(_, f)| f.deepest.map(|d| (d, f.n_behind)));
        let of_points = deepest.min_by(|a, b| a.0.gap.total_cmp(&b.0.gap)).map(|(d, n)| (-d.gap, n, d.point));
        let behind: Vec<&Contact<D>> =
            shapes.iter().filter(|c| c.key.pair as usize == pair && c.gap < -rounding).collect();
        let of_shapes = behind.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).map(|c| (-c.gap, behind.len(), c.point));
        let deepest = of_points.into_iter().chain(of_shapes).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((depth, candidates, place)) = deepest else { continue };
        if depth <= rounding {
            continue;
        }
        let overlap = Overlap { pair, candidates, depth, place: place.iter().copied().collect() };
        let is_allowed = depth <= known.initial_penetration + rounding;
        if is_allowed { allowed.push(overlap) } else { refused.push(overlap) }
    }
    if refused.is_empty() { Ok(allowed) } else { Err(SimError::StartOverlap(refused)) }
}

/// The model with supports, obstacles and loads as at t = 0, stepped with `h` by implicit Euler.
fn frozen<const D: usize>(model: &Model<D>, h: f64) -> Result<Model<D>, SimError> {
    let integrator = Arc::new(Theta { theta: 1.0 });
    let freeze = |b: &ModelBody<D>| {
        let body = b.body.frozen()?;
        let initial_velocity = vec![0.0; b.initial_velocity.len()];
        Ok(ModelBody {
            name: b.name.clone(),
            entry: b.entry,
            body,
            initial_velocity,
            initial_displacement: b.initial_displacement.clone(),
            contact_dofs: b.contact_dofs.clone(),
            mass_inverse: None,
            mesh_hash: b.mesh_hash.clone(),
        })
    };
    let bodies = model.bodies.iter().map(freeze).collect::<Result<Vec<_>, FemError>>()?;
    let tolerance = model.solver_options.tolerance.min(SHARP);
    Ok(Model {
        twins: Twins::find(&bodies, true),
        bodies,
        pairs: model.pairs.iter().map(ModelPair::frozen).collect(),
        joints: model.joints.iter().map(Joint::frozen).collect(),
        memory: model.memory,
        integrator,
        h,
        n_steps: 1,
        // Steps this long make W nearly singular: pivoting does not mind.
        methods: vec![Method::Lemke, Method::Admm, Method::Newton, Method::Interior, Method::Newton, Method::Nlgs],
        solver_options: SolverOptions { tolerance, ..SolverOptions::default() },
        margins: MarginSpec::default(),
        policy: FailurePolicy::default(),
        start_state: StartSpec::Undeformed,
        probes: Vec::new(),
        materials: model.materials.clone(),
    })
}

/// Long steps, each from rest, until the forces balance.
fn equilibrium<const D: usize>(model: &Model<D>, interrupt: &Interrupt) -> Result<(Snapshot, Equilibrium), SimError>
where
    Dimension<D>: Space<D>,
{
    let elements = model.bodies.iter().filter_map(|b| b.body.finite_elements());
    let slowest = elements.map(|b| b.characteristics().max_wave_speed).fold(f64::INFINITY, f64::min);
    // Where no wave crosses anything, the step of the run gives the time scale.
    let mut h = if slowest.is_finite() { LONG * model.size() / slowest } else { LONG * model.h };
    let calm = Arc::new(frozen(model, h)?);
    let mut engine = Engine::new(&calm)?.heeding(interrupt);
    let mut timings = Timings::default();
    let mut snapshot = engine.start()?;
    let (mut best, mut since, mut steps, mut longer) = (f64::INFINITY, 0, 0, 0);
    loop {
        let outcome = step(&mut engine, &mut timings, &snapshot, h)?;
        steps += 1;
        let forces = Forces::of(&calm, &outcome);
        let left = forces.left();
        // Sharper than the run is a wish: contacts posed more than once leave the rounding of their gaps.
        let solved = outcome.is_within(model.solver_options.tolerance);
        let words = outcome.description();
        snapshot = at_rest(outcome.snapshot);
        let stalled = since >= PATIENCE || !left.is_finite();
        let balanced = left <= BALANCED || (stalled && left <= BALANCED_TO_ROUNDING);
        // A body pushed out of another ends without any force: there is nothing to measure the rest by.
        if solved && (balanced || forces.is_rounding(&calm, &snapshot)) {
            let displacement = is_near(&mut engine, steps, &snapshot)?.by;
            // The contact forces go over as the impulses of a step of the run.
            scale_impulses(&mut snapshot, model.h / h);
            drop(engine);
            let calm = Arc::into_inner(calm).ok_or_else(|| InternalError("the calm model is still in use".into()))?;
            confirm(&Arc::new(held(model, calm)), &snapshot)?;
            let found = Equilibrium { steps, out_of_balance: left, displacement };
            return Ok((set_going(model, snapshot)?, found));
        }
        if stalled {
            let moved = Displaced::farthest(&calm, None, &snapshot);
            return Err(SimError::NoEquilibrium { steps, out_of_balance: left, moved, judged: words });
        }
        if left > SLOW * best && left > BALANCED_TO_ROUNDING && longer < LONGEST {
            // The impulses that the next step starts from are those of forces over its length.
            scale_impulses(&mut snapshot, LONGER);
            (h, longer, since) = (h * LONGER, longer + 1, 0);
            engine.forget_operators();
        }
        (best, since) = if left < 0.5 * best { (left, 0) } else { (best, since + 1) };
    }
}

/// The frozen model with the scheme and the step of the run.
fn held<const D: usize>(model: &Model<D>, calm: Model<D>) -> Model<D> {
    let twins = Twins::find(&calm.bodies, model.integrator.shares_operators());
    Model { twins, integrator: model.integrator.clone(), h: model.h, ..calm }
}

/// The same displacements, internal variables and contact impulses, at t = 0 and without velocity.
fn at_rest(mut snapshot: Snapshot) -> Snapshot {
    for s in &mut snapshot.states {
        let (q, z) = (std::mem::take(&mut s.q), std::mem::take(&mut s.z));
        *s = State { z, ..State::new(0.0, q, vec![0.0; s.v.len()]) };
    }
    snapshot
}

/// The equilibrium with the model's initial velocities. Bodies that nothing holds or touches and that spin are stretched by their spin.
fn set_going<const D: usize>(model: &Model<D>, calm: Snapshot) -> Result<Snapshot, SimError> {
    let mut out = model.start();
    for (i, (to, from)) in out.states.iter_mut().zip(calm.states).enumerate() {
        to.q = from.q;
        // What has relaxed has no branches in the calm model, and no stress in those of this one.
        if from.z.len() == to.z.len() {
            to.z = from.z;
        }
        if calm.impulses.is_empty() {
            spin_up(&*model.bodies[i].body, &model.bodies[i].name, to)?;
        }
        // Accelerations, if the scheme keeps them, are those of the stretched body.
        model.view(i).start(to);
    }
    (out.impulses, out.histories, out.joints) = (calm.impulses, calm.histories, calm.joints);
    fit_velocities(model, &mut out)?;
    Ok(out)
}

fn scale_impulses(snapshot: &mut Snapshot, factor: f64) {
    for (_, p) in &mut snapshot.impulses {
        p.iter_mut().for_each(|x| *x *= factor);
    }
}
