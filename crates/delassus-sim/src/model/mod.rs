//! The model: a case that has been checked, with meshes loaded and bodies assembled. Immutable during a run.

mod groups;
mod joint;
mod pair;
mod rigid;
mod rotation;
mod settings;
mod shaped;
mod spatial;
mod twins;

use std::borrow::Cow;
use std::sync::Arc;

use delassus_contact::{Contact, ContactError, ContactKey, Pairing, RigidMotion};
use delassus_dynamics::integrator::{Balance, BodyView, StepEnd, StepStart, contact_configuration, finish};
use delassus_dynamics::{Integrator, MassInverse, State};
use delassus_fem::BodyRotation;
use delassus_solver::{ContactLaw, Method, SolverOptions};
use nalgebra::SVector;

use crate::parallel::prelude::*;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};

pub use groups::{GrainGroup, MasonryBlock, MasonryGroup, MasonryJoint};
pub use joint::{Joint, JointFriction, JointKind, JointMotion, JointPlace, JointSide, JointSpring};
pub use pair::{Direction, ModelAntagonist, ModelPair, MovingObstacle, Pass};
pub use rigid::{centre_site, rotation_site};
pub use rotation::{RotationAxis, turn};
pub use settings::{FailurePolicy, MarginSpec, StartSpec};
pub use shaped::{ShapeCandidates, ShapePairing, ShapedBody};
pub use spatial::{Jacobian, SpatialBody};
pub use twins::{Class, Twins};

/// A body with its initial state.
pub struct ModelBody<const D: usize> {
    /// Name.
    pub name: String,
    /// Its entry in the case: copies have the same.
    pub entry: usize,
    /// The body itself.
    pub body: Box<dyn SpatialBody<D>>,
    /// Initial velocities \[m/s\].
    pub initial_velocity: Vec<f64>,
    /// Displacements at t = 0, of all dofs \[m\]; empty where there are none.
    pub initial_displacement: Vec<f64>,
    /// Dofs of a deformable body that contact can touch, ascending.
    pub contact_dofs: Vec<usize>,
    /// M⁻¹, for integrators that keep accelerations.
    pub mass_inverse: Option<MassInverse>,
    /// Hash of the mesh file, when there is one.
    pub mesh_hash: Option<String>,
}

/// What a probe writes to `history.csv`.
#[derive(Clone, Debug)]
pub enum Probe {
    /// Displacement and velocity: a weighted mean over nodes of a body, weights of sum 1, or of a rigid body its centre of mass, by its site.
    Motion {
        /// Body.
        body: usize,
        /// Nodes and weights.
        weights: Vec<(usize, f64)>,
    },
    /// Displacement and velocity of a node relative to another, and their lengths: (body, node) each.
    Between {
        /// What is followed.
        node: (usize, usize),
        /// From where.
        reference: (usize, usize),
    },
    /// Turn, angular velocity and angular momentum of a rigid body.
    Turn {
        /// Body.
        body: usize,
    },
    /// Measures of grains.
    Grains(GrainGroup),
    /// Measures of masonry.
    Masonry(MasonryGroup),
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
    /// Turn, angular velocity and angular momentum.
    Turn,
    /// Measures of grains.
    Grains,
    /// Measures of masonry.
    Masonry,
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
            Self::Turn { .. } => ProbeKind::Turn,
            Self::Grains(_) => ProbeKind::Grains,
            Self::Masonry(_) => ProbeKind::Masonry,
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
    /// Joints.
    pub joints: Vec<Joint<D>>,
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
                if !b.initial_displacement.is_empty() {
                    state.q.clone_from(&b.initial_displacement);
                }
                self.view(i).start(&mut state);
                state
            })
            .collect();
        Snapshot { states, impulses: Vec::new(), histories: Vec::new(), joints: vec![0.0; self.joints.len()] }
    }

    /// Whether a body has forces that are nonlinear within a step, so that Newton's iteration is needed.
    #[must_use]
    pub fn iterates(&self) -> bool {
        self.bodies.iter().any(|b| self.integrator.iterates(&*b.body))
    }

    /// Has a step no inertia, and a body a rigid motion that its supports leave free?
    #[must_use]
    pub fn floats(&self) -> bool {
        !self.integrator.has_inertia() && self.bodies.iter().any(|b| b.body.floating().is_some())
    }

    /// Does M̂ of this body depend on more than the step size?
    #[must_use]
    pub fn operator_varies(&self, body: usize) -> bool {
        self.integrator.operator_varies(&*self.bodies[body].body)
    }

    /// What integrators may ask of a body.
    #[must_use]
    pub fn view(&self, body: usize) -> BodyView<'_> {
        BodyView { system: &*self.bodies[body].body, mass: self.bodies[body].mass_inverse.as_ref() }
    }

    /// q_c of every body.
    #[must_use]
    pub fn contact_configuration(&self, from: &Snapshot, h: f64) -> Vec<Vec<f64>> {
        let bodies = self.bodies.iter().zip(&from.states);
        bodies.map(|(b, s)| contact_configuration(&*self.integrator, &*b.body, s, h)).collect()
    }

    /// The configuration of every body as it is given.
    #[must_use]
    pub fn reference(&self) -> Vec<Vec<f64>> {
        self.bodies.iter().map(|b| b.body.reference()).collect()
    }

    /// What a step of every body starts from.
    #[must_use]
    pub fn begin<'s>(&'s self, from: &'s Snapshot, h: f64) -> Vec<StepStart<'s>> {
        from.states.par_iter().enumerate().map(|(i, s)| self.integrator.begin(self.view(i), s, h)).collect()
    }

    /// The ends of a step that ends with the velocities `v_plus`.
    #[must_use]
    pub fn finish(&self, starts: &[StepStart<'_>], v_plus: &[Vec<f64>]) -> Vec<StepEnd> {
        starts.par_iter().zip(v_plus).map(|(s, v)| finish(&*self.integrator, s, v.clone())).collect()
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

    /// World coordinates of the nodes of every body, in the configurations `q` (none: as given).
    #[must_use]
    pub fn positions(&self, q: Option<&[Vec<f64>]>) -> Vec<Vec<f64>> {
        let place =
            |(k, b): (usize, &ModelBody<D>)| q.map_or_else(|| b.body.rest_positions(), |q| b.body.positions(&q[k]));
        self.bodies.iter().enumerate().map(place).collect()
    }

    /// Velocities of the sites of every body, in the configurations `q` and for the velocities `v` \[m/s\].
    #[must_use]
    pub fn site_velocities<'a>(&self, q: &[Vec<f64>], v: &[&'a [f64]]) -> Vec<Cow<'a, [f64]>> {
        self.bodies.iter().zip(q).zip(v).map(|((b, q), v)| b.body.site_velocities(q, v)).collect()
    }

    /// The velocities with which bodies come from one configuration to another in a time \[m/s\].
    #[must_use]
    pub fn mean_velocities(&self, from: &[&[f64]], to: &[&[f64]], time: f64) -> Vec<Vec<f64>> {
        let ways = self.bodies.iter().zip(from).zip(to).map(|((b, from), to)| b.body.motion_between(from, to));
        ways.map(|way| way.into_iter().map(|d| d / time).collect()).collect()
    }

    /// Impulses at the sites of every body, on its degrees of freedom \[N·s\].
    #[must_use]
    pub fn gathered(&self, q: &[Vec<f64>], impulses: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        self.bodies.iter().zip(q).zip(impulses).map(|((b, q), p)| b.body.gathered(q, p)).collect()
    }

    /// Largest speed of a point of any body, for velocities `v` and those that loads add in a step \[m/s\].
    #[must_use]
    pub fn largest_speed(&self, from: &Snapshot, h: f64) -> f64 {
        let of = |(b, state): (&ModelBody<D>, &State)| match b.body.rigid() {
            Some(rigid) => {
                // A grain has one node.
                let own = if b.body.mesh().n_points() == 1 { rigid.ball_radius().unwrap_or(0.0) } else { 0.0 };
                let arm = rigid.arms().iter().map(|a| a.norm()).fold(own, f64::max);
                let mut load = vec![0.0; state.v.len()];
                b.body.loads_into(state.t + h, &mut load);
                let gained = SVector::<f64, D>::from_column_slice(&load[..D]).norm() * h / b.body.total_mass();
                let speed = SVector::<f64, D>::from_column_slice(&state.v[..D]).norm();
                speed + gained + arm * rigid.spin(&state.q, &state.v).norm()
            }
            None => state.v.chunks_exact(D).map(|v| SVector::<f64, D>::from_column_slice(v).norm()).fold(0.0, f64::max),
        };
        self.bodies.iter().zip(&from.states).map(of).fold(0.0, f64::max)
    }

    /// Zeros at the sites of every body.
    #[must_use]
    pub fn no_impulses(&self) -> Vec<Vec<f64>> {
        self.bodies.iter().map(|b| vec![0.0; D * b.body.n_sites()]).collect()
    }

    /// The law of a contact.
    #[must_use]
    pub fn law_of(&self, contact: &Contact<D>) -> &dyn ContactLaw<D> {
        let pair = &self.pairs[contact.key.pair as usize];
        match &pair.resistance {
            Some(resistance) if contact.key.is_moment() => resistance,
            _ => &*pair.law,
        }
    }

    /// The pass of a contact.
    #[must_use]
    pub fn pass_of(&self, key: &ContactKey) -> Option<Pass<'_, D>> {
        self.pairs.get(key.pair as usize)?.pass(key.pass)
    }

    /// All directions with the number of their pair, in order.
    pub fn directions(&self) -> impl Iterator<Item = (usize, &Direction<D>)> {
        self.pairs.iter().enumerate().flat_map(|(i, p)| p.directions.iter().map(move |d| (i, d)))
    }

    /// The obstacles that contacts name, each with the number of its pair; some more than once.
    pub fn obstacles(&self) -> impl Iterator<Item = (usize, &MovingObstacle<D>)> {
        self.directions().flat_map(|(i, d)| {
            d.antagonists().iter().filter_map(move |a| match a {
                ModelAntagonist::Obstacle(o) => Some((i, o)),
                ModelAntagonist::Surface(_) => None,
            })
        })
    }

    /// How every antagonist moves over the gap time after time `from`, in the order of the directions: surfaces of bodies not by themselves.
    pub fn obstacle_motions(&self, from: f64, gap_time: f64) -> Result<Vec<RigidMotion<D>>, ContactError> {
        let motion = |antagonist: &ModelAntagonist<D>| match antagonist {
            ModelAntagonist::Surface(_) => Ok(RigidMotion::default()),
            ModelAntagonist::Obstacle(o) => RigidMotion::between(&o.pose(from), &o.pose(from + gap_time), gap_time),
        };
        self.directions().flat_map(|(_, d)| d.antagonists()).map(motion).collect()
    }

    /// Total number of degrees of freedom.
    #[must_use]
    pub fn n_dof(&self) -> usize {
        self.bodies.iter().map(|b| b.body.n_dof()).sum()
    }

    /// Diameter of the largest body: the diagonal of its box. Without a body of any size (point masses) it is that of the box of all bodies and of the origin \[m\].
    #[must_use]
    pub fn size(&self) -> f64 {
        let of = |b: &ModelBody<D>| match b.body.rigid().and_then(|rigid| rigid.ball_radius()) {
            // A grain has one node.
            Some(radius) if b.body.mesh().n_points() == 1 => 2.0 * radius * (D as f64).sqrt(),
            _ => diagonal(&b.body.mesh().points),
        };
        let largest = self.bodies.iter().map(of).fold(0.0, f64::max);
        if largest > 0.0 {
            return largest;
        }
        let all: Vec<[f64; D]> = self.bodies.iter().flat_map(|b| b.body.mesh().points.iter().copied()).collect();
        diagonal(&[&all[..], &[[0.0; D]]].concat())
    }

    /// Least time in which a wave crosses the shortest edge of a cell; infinite without finite elements \[s\].
    #[must_use]
    pub fn crossing_time(&self) -> f64 {
        let elements = self.bodies.iter().filter_map(|b| b.body.finite_elements());
        elements.map(|b| b.characteristics().crossing_time).fold(f64::INFINITY, f64::min)
    }

    /// Gaps and penetrations up to this are rounding of coordinates \[m\].
    #[must_use]
    pub fn rounding(&self) -> f64 {
        ROUNDING_OF_COORDINATES * self.size()
    }

    /// Number of candidate points; of a pair between many bodies each counts once.
    #[must_use]
    pub fn n_candidates(&self) -> usize {
        self.pairs.iter().map(ModelPair::n_candidates).sum()
    }
}

impl<const D: usize> Model<D>
where
    Dimension<D>: Space<D>,
{
    /// The pairs as the detector wants them: a pairing for each direction.
    #[must_use]
    pub fn contact_pairings(&self) -> Vec<Pairing<D>> {
        let rest = self.positions(None);
        (0..).zip(&self.pairs).flat_map(|(id, pair)| pair.pairings(id, &rest)).collect()
    }
}

/// A penetration of this part of the model's size is rounding of coordinates.
const ROUNDING_OF_COORDINATES: f64 = 1e-10;

/// Diagonal of the box of points; 0 without any \[m\].
fn diagonal<const D: usize>(points: &[[f64; D]]) -> f64 {
    let way = |i: usize| {
        let fold = |(l, u): (f64, f64), x: f64| (l.min(x), u.max(x));
        let (low, high) = points.iter().map(|p| p[i]).fold((f64::INFINITY, f64::NEG_INFINITY), fold);
        if low <= high { high - low } else { 0.0 }
    };
    (0..D).map(|i| way(i) * way(i)).sum::<f64>().sqrt()
}
