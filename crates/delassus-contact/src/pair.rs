//! A contact pair: candidates, antagonist, and the limits of detection.

use std::sync::Arc;

use crate::{CandidateSet, FacetSurface, Obstacle};

/// What the candidates of a pair may touch.
#[derive(Debug, Clone)]
pub enum Antagonist<const D: usize> {
    /// The surface of a body. Pairs with equal surfaces share one tree.
    Surface(FacetSurface<D>),
    /// A rigid shape, placed at each detection by its motion.
    Obstacle(Arc<dyn Obstacle<D>>),
}

impl<const D: usize, O: Obstacle<D> + 'static> From<O> for Antagonist<D> {
    fn from(obstacle: O) -> Self {
        Self::Obstacle(Arc::new(obstacle))
    }
}

/// Which normal the contacts of a pair with facets get.
///
/// At the ridges of a coarse mesh of a smooth surface the normal of the facet jumps, and a node that slides over a ridge gets a sudden
/// velocity. The continuous normal does not jump:
///
/// ```text
/// n̄ ∥ Σ_k w_k N_k      N_k normal of node k: mean of those of its facets (in 3D by their angles), w_k weights of the foot
/// ḡ = g (n·n̄)          the separation g n seen along n̄: of the sign of g, zero where g is
/// ```
///
/// What it does to the law: n̄ is not perpendicular to the facet, so that a node that slides along the facet has U_N ≠ 0 (it follows the
/// smooth surface that the facet stands for), the pressure has a part along the facet, and friction one across it. Impulses remain
/// opposite, but while a gap is left (g ≠ 0) they are not on one line: a couple of p g sin(n, n̄). dḡ/dt = U_N holds at g = 0 only.
/// Where the foot jumps (behind a ridge that sticks out, before a re-entrant one: by about the gap times the bend) n̄ jumps by that much
/// over the length of a facet. It rounds edges that are meant to be sharp (a box): use the facet's normal there. The foot, the weights
/// and the choice of the antagonist are those of the facets. Shapes with a formula have their own normal in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normals {
    /// Perpendicular to the facet, from the ridge in the wedge of a ridge: the gradient of the gap.
    #[default]
    Facet,
    /// Interpolated between the normals of the nodes.
    Continuous,
}

/// Candidates and what they may touch.
#[derive(Debug, Clone)]
pub struct Pair<const D: usize> {
    /// The caller's number of the pair, part of the contact keys.
    pub id: u32,
    /// 0, or 1 for the second pass of a two-pass pair; (id, pass) is unique.
    pub pass: u64,
    /// The points.
    pub candidates: CandidateSet,
    /// What they may touch.
    pub antagonist: Antagonist<D>,
    /// Largest gap reported (m); may be infinite.
    pub reach: f64,
    /// Largest penetration accepted (m); may be infinite. Not used with a half-space and a cavity, which have no other side;
    /// between candidates and surface of one body never more than half the thickness of the body at rest.
    pub depth: f64,
    /// Which normal the contacts get.
    pub normals: Normals,
    /// Is a candidate in a re-entrant corner held by each of its facets? For normals of the facets; not between candidates and surface of
    /// one body.
    pub corners: bool,
}
