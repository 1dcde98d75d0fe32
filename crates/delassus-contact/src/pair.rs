//! What is to be looked at: candidates, what they may touch, and within which limits.

use crate::{CandidateSet, FacetSurface, Obstacle, RigidSurface};

/// What the candidates of a pair may touch.
#[derive(Debug, Clone, PartialEq)]
pub enum Antagonist<const D: usize> {
    /// The surface of a body. Pairs with equal surfaces share one tree.
    Surface(FacetSurface<D>),
    /// A simple rigid shape, placed at each detection by its motion.
    Obstacle(Obstacle<D>),
    /// A rigid polygon or chain, placed at each detection by its motion.
    Rigid(RigidSurface<D>),
}

impl<const D: usize> From<Obstacle<D>> for Antagonist<D> {
    fn from(obstacle: Obstacle<D>) -> Self {
        Self::Obstacle(obstacle)
    }
}

impl<const D: usize> From<RigidSurface<D>> for Antagonist<D> {
    fn from(surface: RigidSurface<D>) -> Self {
        Self::Rigid(surface)
    }
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
    /// Largest penetration accepted (m); may be infinite. Not used with a half-space and a cavity, which have no other side;
    /// between candidates and surface of one body never more than half the thickness of the body at rest.
    pub depth: f64,
}
