//! The state a run starts from: the geometry as given, or the equilibrium under the loads of t = 0.
//!
//! Penetrations in the geometry as given are refused unless the pair allows them: the first step would push the bodies
//! apart with the speed penetration/h, an impact nobody asked for.
//!
//! The equilibrium is found with the steps of the run itself: everything that moves is held (boundaries, obstacles,
//! initial velocities, factors of loads at their value of t = 0), viscosity and damping are left out, and implicit Euler steps of a length H far above the
//! bodies' periods are taken, each from rest:
//!
//! ```text
//! M (q⁺ − q)/H² + K q⁺ = P(0) + H r        laws of contact on q⁺ − q
//! ```
//!
//! This is the proximal-point iteration for the equilibrium: an elastic mode of frequency ω shrinks by 1/(1 + ω²H²) a
//! step, a rigid motion that nothing resists is left alone. What the inertia term leaves over is the out-of-balance force.
//! Where it falls slowly (slender bodies, or a body that has yet to fall on its support), H grows.

use delassus_contact::{NarrowPhase, NodeToFacet};
use delassus_dynamics::integrator::{IntegratorSpec, Theta};
use delassus_dynamics::{State, System};
use delassus_fem::{Rayleigh, TimeFunction};
use delassus_solver::{Dimension, LocalKernel};

use crate::case::{Case, Components, LemkeSpec, LoadEntry, Motion, OutputSpec, SolverSpec, StartSpec};
use crate::codes::case as codes;
use crate::engine::Engine;
use crate::error::SimError;
use crate::load::Loaded;
use crate::model::{Generate, Model, Space};
use crate::problem::{ProblemKind, Problems};
use crate::step::{Outcome, Snapshot, step};
use crate::timings::Timings;

/// First H over the time a wave takes through the largest body: the lowest modes of a stocky body shrink by some 1e-4 a step.
const LONG: f64 = 30.0;

/// The out-of-balance force should fall to this part in a step, or H is made longer by `LONGER`, at most `LONGEST` times in all:
/// beyond, the mass would drown in the rounding of the stiffness.
const SLOW: f64 = 0.1;
const LONGER: f64 = 10.0;
const LONGEST: usize = 3;

/// Out-of-balance force over all forces at which the equilibrium counts as reached.
const BALANCED: f64 = 1e-12;

/// The same when rounding stops further progress.
const BALANCED_TO_ROUNDING: f64 = 1e-8;

/// Steps in which the out-of-balance force must halve at least once.
const PATIENCE: usize = 20;

/// Law error of the long steps: what is left over is force out of balance in the run.
const SHARP: f64 = 1e-12;

/// A penetration of this part of the model's size is rounding of coordinates.
const ROUNDING_OF_COORDINATES: f64 = 1e-10;

/// Where a run starts.
pub struct Start {
    /// The state at t = 0.
    pub snapshot: Snapshot,
    /// How the equilibrium was found, if one was asked for.
    pub equilibrium: Option<Equilibrium>,
    /// Overlaps in the geometry as given, beyond rounding, that the case allows.
    pub overlaps: Vec<Overlap>,
}

/// A contact pair whose sides overlap in the geometry as given.
#[derive(Clone, Debug)]
pub struct Overlap {
    /// Number of the pair.
    pub pair: usize,
    /// Candidates behind their antagonist.
    pub candidates: usize,
    /// Depth of the deepest \[m\].
    pub depth: f64,
    /// Where that is \[m\].
    pub place: Vec<f64>,
}

/// How an equilibrium was found.
#[derive(Clone, Copy, Debug)]
pub struct Equilibrium {
    /// Long steps taken.
    pub steps: usize,
    /// Out-of-balance force over the sum of loads and contact forces.
    pub out_of_balance: f64,
    /// Largest displacement of a node along an axis \[m\].
    pub displacement: f64,
}

impl std::fmt::Display for Equilibrium {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { steps, out_of_balance, displacement } = self;
        write!(
            f,
            "start: equilibrium after {steps} long steps, out of balance by {out_of_balance:.1e} of the forces; \
             largest displacement {displacement:.3e} m"
        )
    }
}

impl Start {
    /// Refuses penetrations that the case does not allow, then finds the state asked for.
    pub fn find<const D: usize>(loaded: &Loaded, engine: &mut Engine<'_, D>) -> Result<Self, SimError>
    where
        Space<D>: Generate<D>,
        NodeToFacet: NarrowPhase<D>,
        Dimension<D>: LocalKernel<D>,
    {
        let overlaps = allowed_overlaps(loaded, engine)?;
        let (snapshot, equilibrium) = match loaded.case.start {
            StartSpec::Undeformed => (engine.start()?, None),
            StartSpec::Equilibrium => equilibrium(loaded, engine.model).map(|(state, found)| (state, Some(found)))?,
        };
        Ok(Self { snapshot, equilibrium, overlaps })
    }
}

/// The overlaps of the geometry as given, with the obstacles where they are at t = 0; an error for those that are not allowed.
fn allowed_overlaps<const D: usize>(loaded: &Loaded, engine: &mut Engine<'_, D>) -> Result<Vec<Overlap>, SimError>
where
    NodeToFacet: NarrowPhase<D>,
{
    let model = engine.model;
    let at_rest: Vec<Vec<f64>> = model.bodies.iter().map(|b| vec![0.0; b.body.n_dof()]).collect();
    let found = engine.detect_between(&at_rest, 0.0, model.h)?.penetrations;
    let mut problems = Problems::default();
    let mut overlaps = Vec::new();
    for (pair, entry) in loaded.case.contacts.iter().enumerate() {
        // Detections know passes; the deepest of a pair's passes speaks for the pair.
        let passes = model.passes().zip(&found).filter(|((p, _, _), _)| *p == pair);
        let deepest = passes.filter_map(|(_, f)| f.deepest.map(|d| (d, f.n_behind)));
        let Some((deepest, candidates)) = deepest.min_by(|a, b| a.0.gap.total_cmp(&b.0.gap)) else { continue };
        let depth = -deepest.gap;
        if depth <= rounding(model) {
            continue;
        }
        let place: Vec<f64> = deepest.point.iter().copied().collect();
        if depth > entry.initial_penetration + rounding(model) {
            let m = loaded.case.units.symbol(" m");
            let message = format!(
                "contact `{}` starts with {candidates} candidates behind their antagonist, the deepest by {depth:.3e}{m} at \
                 {place:?}; move the bodies apart, or allow it with `initial_penetration: {:e}`",
                entry.name,
                rounded_up(depth)
            );
            problems.add(codes::START_OVERLAP, format!("contacts[{pair}]"), message, ProblemKind::Mesh);
        }
        overlaps.push(Overlap { pair, candidates, depth, place });
    }
    if problems.is_empty() { Ok(overlaps) } else { Err(loaded.problems(problems)) }
}

/// Gaps and penetrations up to this are rounding of coordinates \[m\].
pub(crate) fn rounding<const D: usize>(model: &Model<D>) -> f64 {
    ROUNDING_OF_COORDINATES * model.size()
}

/// The next number above with two digits.
fn rounded_up(x: f64) -> f64 {
    let unit = 10_f64.powi(x.log10().floor() as i32 - 1);
    let up = (x / unit).floor() + 1.0;
    // Through text: 12 · 0.001 is not 0.012.
    format!("{up}e{}", x.log10().floor() as i32 - 1).parse().unwrap_or(up * unit)
}

/// The case with everything held as it is at t = 0, stepped with `h`.
fn held(case: &Case, h: f64) -> Case {
    let mut held = Case {
        start: StartSpec::Undeformed,
        integrator: IntegratorSpec::Theta(Theta { theta: 1.0 }),
        step: h,
        duration: h,
        // Steps this long make W nearly singular: pivoting does not mind.
        solver: SolverSpec::Lemke(LemkeSpec { tolerance: tolerance(&case.solver).min(SHARP), ..LemkeSpec::default() }),
        output: OutputSpec::default(),
        probes: Vec::new(),
        verify: None,
        ..case.clone()
    };
    for material in &mut held.materials {
        material.law = material.law.without_viscosity();
    }
    for body in &mut held.bodies {
        (body.velocity, body.spin, body.damping) = (Components::default(), 0.0, Rayleigh::default());
    }
    for obstacle in &mut held.obstacles {
        (obstacle.velocity, obstacle.spin) = (Motion::default(), None);
    }
    for boundary in &mut held.boundary {
        for velocity in [&mut boundary.x, &mut boundary.y, &mut boundary.z] {
            *velocity = velocity.as_ref().map(|_| TimeFunction::Constant(0.0));
        }
    }
    for load in &mut held.loads {
        let (LoadEntry::Gravity { factor, .. }
        | LoadEntry::Traction { factor, .. }
        | LoadEntry::Pressure { factor, .. }
        | LoadEntry::NodalForce { factor, .. }) = load;
        *factor = TimeFunction::Constant(factor.value(0.0));
    }
    held
}

fn tolerance(solver: &SolverSpec) -> f64 {
    match solver {
        SolverSpec::Nlgs(s) => s.tolerance,
        SolverSpec::Lemke(s) => s.tolerance,
    }
}

/// Long steps from rest to rest, until inertia has nothing to say.
fn equilibrium<const D: usize>(loaded: &Loaded, model: &Model<D>) -> Result<(Snapshot, Equilibrium), SimError>
where
    Space<D>: Generate<D>,
    NodeToFacet: NarrowPhase<D>,
    Dimension<D>: LocalKernel<D>,
{
    let slowest = model.bodies.iter().map(|b| b.body.characteristics().max_wave_speed).fold(f64::INFINITY, f64::min);
    let mut h = LONG * model.size() / slowest;
    let calm = loaded.model_of::<D>(&held(&loaded.case, h))?;
    let mut engine = Engine::new(&calm)?;
    let mut timings = Timings::default();
    let mut snapshot = engine.start()?;
    let (mut best, mut since, mut steps, mut longer, mut forces) = (f64::INFINITY, 0, 0, 0, 0.0);
    loop {
        let outcome = step(&mut engine, &mut timings, &snapshot, h)?;
        steps += 1;
        let (inertia, acting) = balance(&calm, &outcome);
        // What acted on the way counts: a body pushed out of another ends without any force.
        forces = f64::max(forces, acting);
        let left = if inertia > 0.0 { inertia / forces } else { 0.0 };
        // Sharper than the run is a wish: contacts posed more than once leave the rounding of their gaps.
        let solved = outcome.is_within(tolerance(&loaded.case.solver));
        let words = outcome.words();
        snapshot = at_rest(outcome.snapshot);
        let stalled = since >= PATIENCE || !left.is_finite();
        if solved && (left <= BALANCED || (stalled && best <= BALANCED_TO_ROUNDING)) {
            let displacement = snapshot.states.iter().flat_map(|s| &s.q).fold(0.0, |m: f64, x| m.max(x.abs()));
            let found = Equilibrium { steps, out_of_balance: left, displacement };
            return Ok((set_going(model, snapshot, h), found));
        }
        if stalled {
            return Err(SimError::NoEquilibrium { steps, out_of_balance: left, judged: words });
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

/// Σ |M v|/H, what the inertia of the long step still carries, and Σ |P| + Σ |r|, the forces that act \[N\].
fn balance<const D: usize>(model: &Model<D>, outcome: &Outcome<D>) -> (f64, f64) {
    let (mut inertia, mut forces) = (0.0, 0.0);
    for (b, state) in model.bodies.iter().zip(&outcome.snapshot.states) {
        let mut x = vec![0.0; state.v.len()];
        b.body.mass_times_into(&state.v, &mut x);
        inertia += x.iter().map(|m| m.abs()).sum::<f64>() / outcome.h;
        b.body.loads_into(0.0, &mut x);
        forces += x.iter().map(|p| p.abs()).sum::<f64>();
    }
    forces += outcome.touches.iter().map(|t| t.impulse.amax()).sum::<f64>() / outcome.h;
    (inertia, forces)
}

/// The same displacements, internal variables and contact impulses, at t = 0 and without velocity.
fn at_rest(mut snapshot: Snapshot) -> Snapshot {
    for s in &mut snapshot.states {
        let (q, z) = (std::mem::take(&mut s.q), std::mem::take(&mut s.z));
        *s = State { z, ..State::new(0.0, q, vec![0.0; s.v.len()]) };
    }
    snapshot
}

/// The equilibrium with the model's initial velocities; the contact forces go over as the impulses of a step of the run.
fn set_going<const D: usize>(model: &Model<D>, calm: Snapshot, h: f64) -> Snapshot {
    let mut out = model.start();
    for (i, (to, from)) in out.states.iter_mut().zip(calm.states).enumerate() {
        to.q = from.q;
        // What has relaxed has no branches in the calm model, and no stress in those of this one.
        if from.z.len() == to.z.len() {
            to.z = from.z;
        }
        model.view(i).start(to);
    }
    (out.impulses, out.pasts) = (calm.impulses, calm.pasts);
    scale_impulses(&mut out, model.h / h);
    out
}

fn scale_impulses(snapshot: &mut Snapshot, factor: f64) {
    for (_, p) in &mut snapshot.impulses {
        p.iter_mut().for_each(|x| *x *= factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_suggested_is_enough() {
        for (x, up) in
            [(2.0e-3, 2.1e-3), (1.034e-2, 1.1e-2), (9.99e-5, 1.0e-4), (0.05, 0.051), (7.0, 7.1), (120.4, 130.0)]
        {
            let found = rounded_up(x);
            assert!(found > x && (found / up - 1.0).abs() < 1e-12, "{x}: {found}");
        }
    }
}
