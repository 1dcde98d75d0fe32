//! Contacts of whole shapes: rigid bodies with each other, points of deformable bodies with rigid ones.

use std::sync::Arc;

use delassus_contact::{CandidateSet, ContactKey};
use delassus_shapes::RigidShape;

/// A rigid body and its shape, whose origin is the centre of mass of the body as it is given.
#[derive(Clone, Debug)]
pub struct ShapedBody<const D: usize> {
    /// Number of the body.
    pub body: usize,
    /// Shape.
    pub shape: Arc<RigidShape<D>>,
    /// In the plane its thickness \[m\]; 1 in space.
    pub thickness: f64,
}

/// The side of the candidates.
#[derive(Clone, Debug)]
pub enum ShapeCandidates<const D: usize> {
    /// Rigid bodies.
    Shapes(Vec<ShapedBody<D>>),
    /// Points of deformable bodies, a set for each body.
    Points(Vec<CandidateSet>),
}

/// Every candidate with every antagonist; no body with itself.
#[derive(Clone, Debug)]
pub struct ShapePairing<const D: usize> {
    /// What may touch.
    pub candidates: ShapeCandidates<D>,
    /// The rigid bodies that it may touch.
    pub antagonists: Vec<ShapedBody<D>>,
}

impl<const D: usize> ShapePairing<D> {
    /// Numbers of the bodies of the candidates.
    #[must_use]
    pub fn candidate_bodies(&self) -> Vec<usize> {
        match &self.candidates {
            ShapeCandidates::Shapes(shapes) => shapes.iter().map(|s| s.body).collect(),
            ShapeCandidates::Points(sets) => sets.iter().map(CandidateSet::body).collect(),
        }
    }

    /// Number of the pass of a candidate's body and an antagonist, both by their places in the lists, counted from `first`.
    #[must_use]
    pub fn pass(&self, first: u64, candidate: usize, antagonist: usize) -> u64 {
        first + (candidate * self.antagonists.len() + antagonist) as u64
    }

    /// Can a contact have this key, with passes counted from `first`?
    #[must_use]
    pub fn knows(&self, first: u64, key: &ContactKey) -> bool {
        let Some(place) = key.pass.checked_sub(first) else { return false };
        let (n, place) = (self.antagonists.len() as u64, place as usize);
        let candidate = if n > 0 { place / n as usize } else { return false };
        match &self.candidates {
            ShapeCandidates::Shapes(shapes) => candidate < shapes.len(),
            ShapeCandidates::Points(sets) => {
                sets.get(candidate).is_some_and(|set| (key.candidate as usize) < set.n_points() && key.corner == 0)
            }
        }
    }
}
