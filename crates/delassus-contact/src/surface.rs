//! What meets in a contact: candidate nodes on one side, oriented facets on the other.
//!
//! Both hold topology only. Positions are world coordinates of the moment, passed at each detection, flat per body:
//! component i of a node is at `D * node + i`.

use crate::{ContactError, NarrowPhase, NodeToFacet, Vector};

/// Nodes of a body that may touch, with their tributary areas.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateSet {
    body: usize,
    nodes: Vec<usize>,
    areas: Vec<f64>,
}

impl CandidateSet {
    /// Candidates of a body: one area (m²) per node (in 2D the tributary length times the thickness).
    ///
    /// # Errors
    /// If the set is empty, a node is listed twice, or the areas are not one positive number per node.
    pub fn new(body: usize, nodes: Vec<usize>, areas: Vec<f64>) -> Result<Self, ContactError> {
        if nodes.is_empty() {
            return Err(ContactError::EmptyCandidates { body });
        }
        if nodes.len() != areas.len() {
            return Err(ContactError::AreaCount { body, nodes: nodes.len(), areas: areas.len() });
        }
        if let Some((&node, &area)) = nodes.iter().zip(&areas).find(|&(_, &a)| !(a > 0.0 && a.is_finite())) {
            return Err(ContactError::InvalidArea { body, node, area });
        }
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|w| w[0] == w[1]) {
            return Err(ContactError::DuplicateCandidate { body, node: twice[0] });
        }
        Ok(Self { body, nodes, areas })
    }

    /// Index of the body.
    #[must_use]
    pub fn body(&self) -> usize {
        self.body
    }

    /// The nodes, in the order that numbers the candidates.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The tributary areas (m²).
    #[must_use]
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }
}

/// Oriented facets of a body with their neighbours: one or more chains, open or closed.
///
/// In 2D a facet is a segment [a, b] with the solid on its left: the outward normal is on the right of a → b,
/// n = (t_y, −t_x). The boundary of a solid is then run counter-clockwise.
#[derive(Debug, Clone, PartialEq)]
pub struct FacetSurface<const D: usize> {
    body: usize,
    facets: Vec<[usize; D]>,
    neighbours: Vec<[Option<usize>; D]>,
    /// (node, facet) for every corner, sorted: the facets of a node are contiguous.
    corners_of: Vec<(usize, usize)>,
}

impl<const D: usize> FacetSurface<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    /// Connects the facets of a body.
    ///
    /// # Errors
    /// If there is no facet, a facet names a node twice, a chain branches, or neighbours are oriented differently.
    pub fn new(body: usize, facets: Vec<[usize; D]>) -> Result<Self, ContactError> {
        if facets.is_empty() {
            return Err(ContactError::EmptySurface { body });
        }
        for (facet, nodes) in facets.iter().enumerate() {
            if let Some(i) = (1..D).find(|&i| nodes[..i].contains(&nodes[i])) {
                return Err(ContactError::RepeatedNode { facet, node: nodes[i] });
            }
        }
        let neighbours = NodeToFacet::connect(&facets)?;
        let mut corners_of: Vec<(usize, usize)> =
            facets.iter().enumerate().flat_map(|(f, nodes)| nodes.map(|node| (node, f))).collect();
        corners_of.sort_unstable();
        Ok(Self { body, facets, neighbours, corners_of })
    }

    /// Smallest and largest facet (m) in the given configuration: the scale for [`crate::Pair::reach`] and
    /// [`crate::Pair::depth`].
    ///
    /// # Panics
    /// If a node of the surface is not in `positions`.
    #[must_use]
    pub fn facet_sizes(&self, positions: &[f64]) -> (f64, f64) {
        let sizes = (0..self.facets.len()).map(|f| NodeToFacet::size(&self.corners(f, positions)));
        sizes.fold((f64::INFINITY, 0.0), |(low, high), s| (low.min(s), high.max(s)))
    }

    /// Sum of the unit normals of the facets around a node; zero if the node is not on the surface.
    pub(crate) fn node_normal(&self, node: usize, positions: &[f64]) -> Vector<D> {
        let normals = self.facets_of(node).filter_map(|f| NodeToFacet::normal(&self.corners(f, positions)));
        normals.fold(Vector::zeros(), |sum, n| sum + n)
    }
}

impl<const D: usize> FacetSurface<D> {
    /// Index of the body.
    #[must_use]
    pub fn body(&self) -> usize {
        self.body
    }

    /// Nodes of the facets.
    #[must_use]
    pub fn facets(&self) -> &[[usize; D]] {
        &self.facets
    }

    /// Neighbours of a facet across its ridges; in 2D the previous facet (at its first node) and the next one.
    #[must_use]
    pub fn neighbours(&self, facet: usize) -> [Option<usize>; D] {
        self.neighbours[facet]
    }

    /// Whether the surface has no border.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.neighbours.iter().flatten().all(Option::is_some)
    }

    /// The nodes of the surface, each once, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = usize> {
        self.corners_of.chunk_by(|a, b| a.0 == b.0).map(|of_node| of_node[0].0)
    }

    /// The facets around a node, ascending.
    pub fn facets_of(&self, node: usize) -> impl Iterator<Item = usize> {
        let first = self.corners_of.partition_point(|&(n, _)| n < node);
        self.corners_of[first..].iter().take_while(move |&&(n, _)| n == node).map(|&(_, f)| f)
    }

    /// Positions of the corners of a facet.
    ///
    /// # Panics
    /// If a node of the facet is not in `positions`.
    #[must_use]
    pub fn corners(&self, facet: usize, positions: &[f64]) -> [Vector<D>; D] {
        self.facets[facet].map(|node| position_of(positions, node))
    }

    /// Whether a facet holds the node or is a direct neighbour of one that does.
    pub(crate) fn in_ring_of(&self, facet: usize, node: usize) -> bool {
        let around = std::iter::once(facet).chain(self.neighbours[facet].into_iter().flatten());
        around.into_iter().any(|f| self.facets[f].contains(&node))
    }
}

/// Position of a node in flat coordinates.
pub(crate) fn position_of<const D: usize>(positions: &[f64], node: usize) -> Vector<D> {
    Vector::from_fn(|i, _| positions[D * node + i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidate_sets_are_checked() {
        let set = |nodes: &[usize], areas: &[f64]| CandidateSet::new(4, nodes.to_vec(), areas.to_vec()).unwrap_err();
        assert_eq!(set(&[], &[]), ContactError::EmptyCandidates { body: 4 });
        assert_eq!(set(&[1, 2], &[0.5]), ContactError::AreaCount { body: 4, nodes: 2, areas: 1 });
        assert_eq!(set(&[1, 2], &[0.5, 0.0]), ContactError::InvalidArea { body: 4, node: 2, area: 0.0 });
        assert!(matches!(set(&[1], &[f64::NAN]), ContactError::InvalidArea { node: 1, .. }));
        assert!(matches!(set(&[1], &[f64::INFINITY]), ContactError::InvalidArea { node: 1, .. }));
        assert_eq!(set(&[3, 1, 3], &[1.0; 3]), ContactError::DuplicateCandidate { body: 4, node: 3 });
        let message = set(&[1, 2], &[0.5, -1.0]).to_string();
        assert!(message.contains("node 2 of body 4") && message.contains("-1"), "{message}");
    }

    #[test]
    fn surfaces_are_checked() {
        let surface = |facets: &[[usize; 2]]| FacetSurface::<2>::new(7, facets.to_vec()).unwrap_err();
        assert_eq!(surface(&[]), ContactError::EmptySurface { body: 7 });
        assert_eq!(surface(&[[0, 1], [5, 5]]), ContactError::RepeatedNode { facet: 1, node: 5 });
        let branching = ContactError::BranchingChain { node: 1, count: 3, facets: vec![0, 1, 2] };
        assert_eq!(surface(&[[0, 1], [1, 2], [1, 3]]), branching);
        let opposite = ContactError::InconsistentOrientation { node: 2, first: 1, second: 2 };
        assert_eq!(surface(&[[0, 1], [1, 2], [3, 2]]), opposite);
        assert_eq!(surface(&[[3, 4], [3, 9]]), ContactError::InconsistentOrientation { node: 3, first: 0, second: 1 });
    }

    #[test]
    fn chains_are_connected_whatever_the_order_of_the_facets() {
        let open = FacetSurface::<2>::new(0, vec![[12, 13], [10, 11], [11, 12]]).unwrap();
        assert_eq!(open.neighbours(0), [Some(2), None]);
        assert_eq!(open.neighbours(1), [None, Some(2)]);
        assert_eq!(open.neighbours(2), [Some(1), Some(0)]);
        assert!(!open.is_closed());
        assert_eq!(open.nodes().collect::<Vec<_>>(), [10, 11, 12, 13]);
        assert_eq!(open.facets_of(12).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(open.facets_of(9).count() + open.facets_of(14).count(), 0);
        let closed = FacetSurface::<2>::new(0, vec![[0, 1], [1, 2], [2, 0]]).unwrap();
        assert!(closed.is_closed());
        assert_eq!(closed.neighbours(0), [Some(2), Some(1)]);
    }

    #[test]
    fn the_ring_of_a_node_is_its_facets_and_their_neighbours() {
        let chain = FacetSurface::<2>::new(0, (0..8).map(|i| [i, i + 1]).collect()).unwrap();
        let ring: Vec<usize> = (0..8).filter(|&f| chain.in_ring_of(f, 4)).collect();
        assert_eq!(ring, [2, 3, 4, 5]);
    }

    #[test]
    fn sizes_are_lengths() {
        let chain = FacetSurface::<2>::new(0, vec![[0, 1], [1, 2]]).unwrap();
        let (low, high) = chain.facet_sizes(&[0.0, 0.0, 3.0, 4.0, 3.0, 6.0]);
        assert!((low - 2.0).abs() < 1e-15 && (high - 5.0).abs() < 1e-14);
    }
}
