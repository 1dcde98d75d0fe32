//! What is to be looked at: candidates, what they may touch, within which limits, and how obstacles move.

use crate::{CandidateSet, FacetSurface, Obstacle, Vector};

/// What the candidates of a pair may touch.
#[derive(Debug, Clone, PartialEq)]
pub enum Antagonist<const D: usize> {
    /// The surface of a body.
    Surface(FacetSurface<D>),
    /// A rigid shape, placed at each detection by its [`Motion`].
    Obstacle(Obstacle<D>),
}

/// Candidates and what they may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair<const D: usize> {
    /// The caller's number of the pair, part of the contact keys.
    pub id: u32,
    /// 0, or 1 for the second pass of a two-pass pair; (id, pass) is unique.
    pub pass: u8,
    /// The nodes.
    pub candidates: CandidateSet,
    /// What they may touch.
    pub antagonist: Antagonist<D>,
    /// Largest gap reported (m); may be infinite.
    pub reach: f64,
    /// Largest penetration accepted (m); may be infinite. Not used with a half-space, which has no other side.
    pub depth: f64,
}

/// Where an obstacle is and how it moves; at rest by default, not used for the surface of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion<const D: usize> {
    /// Displacement from the place at rest, at the time of the contact configuration (m).
    pub displacement: Vector<D>,
    /// Velocity over the step (m/s).
    pub velocity: Vector<D>,
}

impl<const D: usize> Default for Motion<D> {
    fn default() -> Self {
        Self { displacement: Vector::zeros(), velocity: Vector::zeros() }
    }
}
