//! The model: a case that has been checked, with meshes loaded and bodies assembled. Immutable during a run.

mod rotation;
mod settings;
mod twins;

use std::collections::BTreeMap;
use std::sync::Arc;

use delassus_contact::{
    Antagonist, CandidateSet, Contact, ContactError, FacetSurface, Normals, Obstacle, Pair, Pose, RigidMotion,
};
use delassus_dynamics::integrator::{Balance, BodyView, StepEnd, StepStart};
use delassus_dynamics::{Integrator, MassInverse, State, System};
use delassus_fem::{Body, BodyRotation, TimeFunction};
use delassus_solver::{ContactLaw, Method, SolverOptions};
use nalgebra::SVector;
use rayon::prelude::*;

use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};

pub use rotation::{RotationAxis, turn};
pub use settings::{FailurePolicy, MarginSpec, StartSpec};
pub use twins::{Class, Twins};

/// A body with its initial state.
pub struct ModelBody<const D: usize> {
    /// Name.
    pub name: String,
    /// Its entry in the case: copies have the same.
    pub entry: usize,
    /// The finite-element body.
    pub body: Body<D>,
    /// Initial velocities \[m/s\].
    pub initial_velocity: Vec<f64>,
    /// Dofs that contact can touch, ascending.
    pub contact_dofs: Vec<usize>,
    /// M⁻¹, for integrators that keep accelerations.
    pub mass_inverse: Option<MassInverse>,
    /// Hash of the mesh file, when there is one.
    pub mesh_hash: Option<String>,
}

/// A contact pair of the case.
#[derive(Clone)]
pub struct ModelPair<const D: usize> {
    /// Name.
    pub name: String,
    /// Law of all its contacts.
    pub law: Arc<dyn ContactLaw<D>>,
    /// Deepest penetration accepted in the geometry as it is given \[m\].
    pub initial_penetration: f64,
    /// Which normal its contacts with facets get.
    pub normals: Normals,
    /// Its passes: one, or two with the sides exchanged.
    pub passes: Vec<Pass<D>>,
}

/// One pass of a contact pair.
#[derive(Clone)]
pub struct Pass<const D: usize> {
    /// Candidate nodes.
    pub candidates: CandidateSet,
    /// What they may touch.
    pub antagonist: ModelAntagonist<D>,
    /// Are the candidates those of the pair's second side?
    pub exchanged: bool,
}

impl<const D: usize> ModelPair<D> {
    /// The pair with its obstacles held where they are at t = 0.
    #[must_use]
    pub fn frozen(&self) -> Self {
        let mut pair = self.clone();
        for pass in &mut pair.passes {
            if let ModelAntagonist::Obstacle(obstacle) = &mut pass.antagonist {
                (obstacle.velocity, obstacle.spin) = (Vec::new(), TimeFunction::Constant(0.0));
            }
        }
        pair
    }

    /// Is it a pair between many bodies, of which only neighbours are looked at?
    #[must_use]
    pub fn is_among_many(&self) -> bool {
        self.passes.len() > MANY_PASSES
    }

    /// Do its candidates all belong to the first side?
    #[must_use]
    pub fn is_one_sided(&self) -> bool {
        self.passes.iter().all(|p| !p.exchanged)
    }
}

/// What candidates may touch.
#[derive(Clone)]
pub enum ModelAntagonist<const D: usize> {
    /// Facets of a body.
    Surface(FacetSurface<D>),
    /// A moving obstacle.
    Obstacle(MovingObstacle<D>),
}

/// A rigid obstacle and its prescribed motion.
#[derive(Clone)]
pub struct MovingObstacle<const D: usize> {
    /// Its place in the case's list.
    pub number: usize,
    /// Shape at t = 0.
    pub shape: Arc<dyn Obstacle<D>>,
    /// Velocity components of the translation \[m/s\].
    pub velocity: Vec<TimeFunction>,
    /// Angular velocity about the axis \[rad/s\].
    pub spin: TimeFunction,
    /// RotationAxis about which it turns.
    pub axis: RotationAxis,
    /// Point about which it turns, at t = 0 \[m\].
    pub pivot: SVector<f64, D>,
    /// Hash of the mesh file, when there is one.
    pub mesh_hash: Option<String>,
}

impl<const D: usize> MovingObstacle<D> {
    /// Where it is at time `t`.
    pub fn pose(&self, t: f64) -> Pose<D> {
        let translation = SVector::from_fn(|i, _| self.velocity.get(i).map_or(0.0, |f| f.integral(0.0, t)));
        let rotation = turn(&self.axis, self.spin.integral(0.0, t));
        Pose { rotation, centre: self.pivot, translation }
    }
}

/// What is followed in `history.csv`.
#[derive(Clone, Debug)]
pub enum Probe {
    /// Displacement and velocity: a weighted mean over nodes of a body, weights of sum 1.
    Motion {
        /// Body.
        body: usize,
        /// Nodes and weights.
        weights: Vec<(usize, f64)>,
    },
    /// The same of a node relative to another, and their lengths: (body, node) each.
    Between {
        /// What is followed.
        node: (usize, usize),
        /// From where.
        reference: (usize, usize),
    },
    /// Mean stress: a weighted mean over cells of a body, weights of sum 1.
    Stress {
        /// Body.
        body: usize,
        /// Cells by global number and weights.
        weights: Vec<(usize, f64)>,
    },
}

/// What a probe follows, as far as its columns depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    /// Displacement and velocity.
    Motion,
    /// The same of a node relative to another, and their lengths.
    Between,
    /// Mean stress.
    Stress,
}

impl Probe {
    /// What it follows.
    #[must_use]
    pub fn kind(&self) -> ProbeKind {
        match self {
            Self::Motion { .. } => ProbeKind::Motion,
            Self::Between { .. } => ProbeKind::Between,
            Self::Stress { .. } => ProbeKind::Stress,
        }
    }
}

/// A checked case, ready to be stepped.
pub struct Model<const D: usize> {
    /// Bodies.
    pub bodies: Vec<ModelBody<D>>,
    /// Which of them share a factor.
    pub twins: Twins,
    /// Contact pairs.
    pub pairs: Vec<ModelPair<D>>,
    /// Most bytes that the condensed operators of a step size may take.
    pub memory: usize,
    /// Time-stepping scheme.
    pub integrator: Arc<dyn Integrator>,
    /// Nominal step \[s\].
    pub h: f64,
    /// Number of nominal steps.
    pub n_steps: usize,
    /// Contact solvers, in the order in which they are tried.
    pub methods: Vec<Method>,
    /// Contact solver's options.
    pub solver_options: SolverOptions,
    /// Errors that do not matter.
    pub margins: MarginSpec,
    /// What to do when it fails.
    pub policy: FailurePolicy,
    /// How the bodies are deformed at t = 0.
    pub start_state: StartSpec,
    /// Names of the probes, and what they follow.
    pub probes: Vec<(String, Probe)>,
    /// Names of the materials, in the order of the case.
    pub materials: Vec<String>,
}

impl<const D: usize> Model<D> {
    /// The accepted state at t = 0.
    #[must_use]
    pub fn start(&self) -> Snapshot {
        let states = self
            .bodies
            .iter()
            .enumerate()
            .map(|(i, b)| {
                let mut state = b.body.at_start(b.initial_velocity.clone());
                self.view(i).start(&mut state);
                state
            })
            .collect();
        Snapshot { states, impulses: Vec::new(), histories: Vec::new() }
    }

    /// Is there a body whose forces are not linear within a step?
    #[must_use]
    pub fn iterates(&self) -> bool {
        self.bodies.iter().any(|b| self.integrator.iterates(&b.body))
    }

    /// Does M̂ of this body depend on more than the step size?
    #[must_use]
    pub fn operator_varies(&self, body: usize) -> bool {
        self.integrator.operator_varies(&self.bodies[body].body)
    }

    /// What integrators may ask of a body.
    #[must_use]
    pub fn view(&self, body: usize) -> BodyView<'_> {
        BodyView { system: &self.bodies[body].body, mass: self.bodies[body].mass_inverse.as_ref() }
    }

    /// q_c of every body.
    #[must_use]
    pub fn contact_configuration(&self, from: &Snapshot, h: f64) -> Vec<Vec<f64>> {
        from.states.iter().map(|s| self.integrator.contact_configuration(s, h)).collect()
    }

    /// What a step of every body starts from.
    #[must_use]
    pub fn begin<'s>(&'s self, from: &'s Snapshot, h: f64) -> Vec<StepStart<'s>> {
        from.states.par_iter().enumerate().map(|(i, s)| self.integrator.begin(self.view(i), s, h)).collect()
    }

    /// The ends of a step that ends with the velocities `v_plus`.
    #[must_use]
    pub fn finish(&self, starts: &[StepStart<'_>], v_plus: &[Vec<f64>]) -> Vec<StepEnd> {
        starts.par_iter().zip(v_plus).map(|(s, v)| self.integrator.finish(s, v.clone())).collect()
    }

    /// Energy terms of every body over a step; `impulse` is H p.
    #[must_use]
    pub fn balances(&self, starts: &[StepStart<'_>], ends: &[StepEnd], impulse: &[Vec<f64>]) -> Vec<Balance> {
        let steps = starts.par_iter().zip(ends).zip(impulse);
        steps.map(|((start, end), impulse)| self.integrator.balance(start, end, impulse)).collect()
    }

    /// How far every body has turned from its undeformed state; none where the geometry moves along.
    #[must_use]
    pub fn rotations(&self, states: &[State]) -> Vec<Option<BodyRotation>> {
        self.bodies.par_iter().zip(states).map(|(b, state)| b.body.rotation(state)).collect()
    }

    /// World coordinates of the nodes of every body, for displacements `q` (none: undeformed).
    #[must_use]
    pub fn positions(&self, q: Option<&[Vec<f64>]>) -> Vec<Vec<f64>> {
        self.bodies
            .iter()
            .enumerate()
            .map(|(k, b)| {
                let rest = b.body.mesh().points.iter().flatten();
                match q {
                    Some(q) => rest.zip(&q[k]).map(|(x, u)| x + u).collect(),
                    None => rest.copied().collect(),
                }
            })
            .collect()
    }

    /// The law of a contact.
    #[must_use]
    pub fn law_of(&self, contact: &Contact<D>) -> &dyn ContactLaw<D> {
        &*self.pairs[contact.key.pair as usize].law
    }

    /// All passes in order: pair by pair.
    pub fn passes(&self) -> impl Iterator<Item = (usize, u32, &Pass<D>)> {
        self.pairs.iter().enumerate().flat_map(|(i, p)| p.passes.iter().zip(0u32..).map(move |(pass, k)| (i, k, pass)))
    }

    /// How every pass's obstacle moves over the gap time after time `from`.
    pub fn obstacle_motions(&self, from: f64, gap_time: f64) -> Result<Vec<RigidMotion<D>>, ContactError> {
        let motion = |pass: &Pass<D>| match &pass.antagonist {
            ModelAntagonist::Surface(_) => Ok(RigidMotion::default()),
            ModelAntagonist::Obstacle(o) => RigidMotion::between(&o.pose(from), &o.pose(from + gap_time), gap_time),
        };
        self.passes().map(|(_, _, pass)| motion(pass)).collect()
    }

    /// Total number of degrees of freedom.
    #[must_use]
    pub fn n_dof(&self) -> usize {
        self.bodies.iter().map(|b| b.body.n_dof()).sum()
    }

    /// Diameter of the largest body: the diagonal of its box \[m\].
    #[must_use]
    pub fn size(&self) -> f64 {
        let diagonal = |b: &ModelBody<D>| {
            let range = |i: usize| {
                let coordinates = b.body.mesh().points.iter().map(move |p| p[i]);
                coordinates.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, u), x| (l.min(x), u.max(x)))
            };
            (0..D).map(range).map(|(low, high)| (high - low) * (high - low)).sum::<f64>().sqrt()
        };
        self.bodies.iter().map(diagonal).fold(0.0, f64::max)
    }

    /// Gaps and penetrations up to this are rounding of coordinates \[m\].
    #[must_use]
    pub fn rounding(&self) -> f64 {
        ROUNDING_OF_COORDINATES * self.size()
    }

    /// Number of candidate points; of a pair between many bodies each counts once.
    #[must_use]
    pub fn n_candidates(&self) -> usize {
        let of_pair = |pair: &ModelPair<D>| {
            let sides = pair.passes.iter().map(|p| ((p.candidates.body(), p.exchanged), p.candidates.n_points()));
            sides.collect::<BTreeMap<_, _>>().into_values().sum::<usize>()
        };
        self.pairs.iter().map(of_pair).sum()
    }
}

impl<const D: usize> Model<D>
where
    Dimension<D>: Space<D>,
{
    /// The pairs as the detector wants them.
    #[must_use]
    pub fn contact_pairs(&self) -> Vec<Pair<D>> {
        let rest = self.positions(None);
        self.passes()
            .map(|(i, pass_number, pass)| {
                let many = self.pairs[i].is_among_many();
                let (antagonist, depth) = match &pass.antagonist {
                    ModelAntagonist::Surface(s) if many => {
                        (Antagonist::Surface(s.clone()), NEAR * s.facet_sizes(&rest[s.body()]).0)
                    }
                    // A node deeper than a facet is long has come through from another side.
                    ModelAntagonist::Surface(s) => (Antagonist::Surface(s.clone()), s.facet_sizes(&rest[s.body()]).1),
                    ModelAntagonist::Obstacle(o) => (Antagonist::Obstacle(o.shape.clone()), o.shape.largest_depth()),
                };
                Pair {
                    id: i as u32,
                    pass: pass_number,
                    candidates: pass.candidates.clone(),
                    antagonist,
                    reach: if many { depth } else { f64::INFINITY },
                    normals: self.pairs[i].normals,
                    // What is remembered, or counted by area, belongs to a candidate once.
                    corners: self.pairs[i].law.history_entries().is_empty(),
                    depth,
                }
            })
            .collect()
    }
}

/// A penetration of this part of the model's size is rounding of coordinates.
const ROUNDING_OF_COORDINATES: f64 = 1e-10;

/// Up to so many passes of a pair, every candidate is reported with its gap, however far: the search costs a logarithm.
const MANY_PASSES: usize = 2;

/// Of pairs between many bodies only what is nearer, before or behind, than this part of the smallest facet: the far side of a neighbour
/// must not be taken for its near one.
const NEAR: f64 = 0.25;
