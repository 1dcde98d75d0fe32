//! Contact pairs of a model: candidates and their antagonists.

use std::sync::Arc;

use delassus_contact::{
    Antagonist, CandidateSet, ContactKey, FacetSurface, Normals, Obstacle, Pairing, PassNumbers, Pose, Target,
};
use delassus_fem::TimeFunction;
use delassus_solver::ContactLaw;
use delassus_solver::law::TurningResistance;
use nalgebra::SVector;

use super::{RotationAxis, ShapeCandidates, ShapePairing, turn};
use crate::space::{Dimension, Space};

/// A contact pair of the case.
#[derive(Clone)]
pub struct ModelPair<const D: usize> {
    /// Name.
    pub name: String,
    /// Law of all its contacts.
    pub law: Arc<dyn ContactLaw<D>>,
    /// Rolling and spinning resistance of its contacts.
    pub resistance: Option<TurningResistance>,
    /// Deepest penetration accepted in the geometry as it is given \[m\].
    pub initial_penetration: f64,
    /// Which normal its contacts with facets get.
    pub normals: Normals,
    /// One direction, or two with the sides exchanged; none where all contacts are of whole shapes.
    pub directions: Vec<Direction<D>>,
    /// What touches as a whole shape.
    pub shapes: Option<ShapePairing<D>>,
}

/// Sets of candidates, each of which may touch each antagonist: one of each, or those of the copies of a body.
#[derive(Clone)]
pub struct Direction<const D: usize> {
    candidates: Vec<CandidateSet>,
    antagonists: Vec<ModelAntagonist<D>>,
    exchanged: bool,
    numbers: PassNumbers,
}

/// The candidates of one body and one thing that they may touch.
#[derive(Clone, Copy)]
pub struct Pass<'a, const D: usize> {
    /// Candidate points.
    pub candidates: &'a CandidateSet,
    /// What they may touch.
    pub antagonist: &'a ModelAntagonist<D>,
    /// Are the candidates those of the pair's second side?
    pub exchanged: bool,
}

impl<const D: usize> Direction<D> {
    /// Every set with every antagonist; of copies none with itself. `exchanged` tells that the candidates are those of the pair's second
    /// side.
    #[must_use]
    pub fn new(candidates: Vec<CandidateSet>, antagonists: Vec<ModelAntagonist<D>>, exchanged: bool) -> Self {
        let bodies: Vec<usize> = candidates.iter().map(CandidateSet::body).collect();
        let others: Vec<Option<usize>> = antagonists.iter().map(ModelAntagonist::body).collect();
        let numbers = PassNumbers::new(&bodies, &others);
        Self { candidates, antagonists, exchanged, numbers }
    }

    /// The points, a set for each body.
    #[must_use]
    pub fn candidates(&self) -> &[CandidateSet] {
        &self.candidates
    }

    /// What they may touch.
    #[must_use]
    pub fn antagonists(&self) -> &[ModelAntagonist<D>] {
        &self.antagonists
    }

    /// The surfaces among the antagonists.
    pub fn surfaces(&self) -> impl Iterator<Item = &FacetSurface<D>> {
        self.antagonists.iter().filter_map(|a| match a {
            ModelAntagonist::Surface(s) => Some(s),
            ModelAntagonist::Obstacle(_) => None,
        })
    }

    /// Are the candidates those of the pair's second side?
    #[must_use]
    pub fn is_exchanged(&self) -> bool {
        self.exchanged
    }

    /// Number of its passes.
    #[must_use]
    pub fn n_passes(&self) -> u64 {
        self.numbers.count()
    }
}

impl<const D: usize> ModelPair<D> {
    /// Number of passes of all directions; most of them are between bodies far from each other.
    #[must_use]
    pub fn n_passes(&self) -> u64 {
        self.directions.iter().map(Direction::n_passes).sum()
    }

    /// The pass of a number, as in the keys of the contacts.
    #[must_use]
    pub fn pass(&self, number: u64) -> Option<Pass<'_, D>> {
        let mut number = number;
        for direction in &self.directions {
            let Direction { candidates, antagonists, exchanged, numbers } = direction;
            match number.checked_sub(numbers.count()) {
                Some(beyond) => number = beyond,
                None => {
                    let place = numbers.place(number)?;
                    let (candidates, antagonist) = (candidates.get(place.set)?, antagonists.get(place.antagonist)?);
                    return Some(Pass { candidates, antagonist, exchanged: *exchanged });
                }
            }
        }
        None
    }

    /// Can a contact of this pair have this key?
    #[must_use]
    pub fn knows(&self, key: &ContactKey) -> bool {
        if key.is_moment() {
            return self.resistance.is_some() && self.knows(&key.of_force());
        }
        let of_direction = self.pass(key.pass).map(|pass| (key.candidate as usize) < pass.candidates.n_points());
        of_direction.unwrap_or_else(|| self.shapes.as_ref().is_some_and(|s| s.knows(self.n_passes(), key)))
    }

    /// The pair with its obstacles held where they are at t = 0.
    #[must_use]
    pub fn frozen(&self) -> Self {
        let mut pair = self.clone();
        for antagonist in pair.directions.iter_mut().flat_map(|d| &mut d.antagonists) {
            if let ModelAntagonist::Obstacle(obstacle) = antagonist {
                (obstacle.velocity, obstacle.spin) = (Vec::new(), TimeFunction::Constant(0.0));
            }
        }
        if let Some(law) = pair.law.frozen() {
            pair.law = law;
        }
        pair
    }

    /// Is it a pair between many bodies, of which only neighbours are looked at?
    #[must_use]
    pub fn is_among_many(&self) -> bool {
        self.n_passes() > MANY_PASSES
    }

    /// Do its candidates all belong to the first side?
    #[must_use]
    pub fn is_one_sided(&self) -> bool {
        self.directions.iter().all(|d| !d.exchanged)
    }

    /// Number of candidate points, each counted once.
    #[must_use]
    pub fn n_candidates(&self) -> usize {
        let of_shapes = match self.shapes.as_ref().map(|s| &s.candidates) {
            None => 0,
            // Four points of each shape, as of a face on a face.
            Some(ShapeCandidates::Shapes(list)) => 4 * list.len(),
            Some(ShapeCandidates::Points(sets)) => sets.iter().map(CandidateSet::n_points).sum(),
        };
        of_shapes + self.directions.iter().flat_map(Direction::candidates).map(CandidateSet::n_points).sum::<usize>()
    }

    /// The pair of this number as the detector wants it, for positions at rest.
    pub(super) fn pairings(&self, id: u32, rest: &[Vec<f64>]) -> Vec<Pairing<D>>
    where
        Dimension<D>: Space<D>,
    {
        let many = self.is_among_many();
        let target = |antagonist: &ModelAntagonist<D>| {
            let (antagonist, depth) = match antagonist {
                ModelAntagonist::Surface(s) if many => {
                    (Antagonist::Surface(s.clone()), NEAR * s.facet_sizes(&rest[s.body()]).0)
                }
                // A node deeper than a facet is long has come through from another side.
                ModelAntagonist::Surface(s) => (Antagonist::Surface(s.clone()), s.facet_sizes(&rest[s.body()]).1),
                ModelAntagonist::Obstacle(o) => (Antagonist::Obstacle(o.shape.clone()), o.shape.largest_depth()),
            };
            Target { antagonist, reach: if many { depth } else { f64::INFINITY }, depth }
        };
        let mut first_pass = 0;
        let mut pairings = Vec::with_capacity(self.directions.len());
        for direction in &self.directions {
            pairings.push(Pairing {
                id,
                first_pass,
                candidates: direction.candidates.clone(),
                targets: direction.antagonists.iter().map(target).collect(),
                normals: self.normals,
                // What is remembered, or counted by area, belongs to a candidate once.
                corners: self.law.history_entries().is_empty(),
            });
            first_pass += direction.n_passes();
        }
        pairings
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

impl<const D: usize> ModelAntagonist<D> {
    /// The body whose surface it is; of an obstacle, none.
    #[must_use]
    pub fn body(&self) -> Option<usize> {
        match self {
            Self::Surface(s) => Some(s.body()),
            Self::Obstacle(_) => None,
        }
    }
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
    /// Axis about which it turns.
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

/// Up to so many passes of a pair, every candidate is reported with its gap, however far: the search costs a logarithm.
const MANY_PASSES: u64 = 2;

/// Of pairs between many bodies only what is nearer, before or behind, than this part of the smallest facet: the far side of a neighbour
/// must not be taken for its near one.
const NEAR: f64 = 0.25;
