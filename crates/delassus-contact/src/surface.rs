//! The antagonist side of a contact: oriented facets of a body and their neighbours.
//!
//! A surface holds topology only. Positions are world coordinates of the moment, passed at each detection, flat per body:
//! component i of a node is at `D * node + i`.

use crate::{ContactError, Dimension, FacetNodes, Few, NarrowPhase, Vector};

/// Oriented facets of a body with their neighbours: one or more chains (2D) or sheets (3D), open or closed.
///
/// In 2D a facet is a segment [a, b] with the solid on its left: the outward normal is on the right of a → b,
/// n = (t_y, −t_x). The boundary of a solid is then run counter-clockwise. In 3D it is a triangle or a quadrilateral (bilinear,
/// flat or not), its nodes counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct FacetSurface<const D: usize> {
    body: usize,
    facets: Vec<FacetNodes>,
    neighbours: Vec<Few<Option<usize>>>,
    /// (node, facet) for every corner, sorted: the facets of a node are contiguous.
    corners_of: Vec<(usize, usize)>,
    /// Of every facet, which corners are on a border.
    at_border: Vec<Few<bool>>,
}

impl<const D: usize> FacetSurface<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// Connects the facets of a body.
    ///
    /// # Errors
    /// If there is no facet, a facet has not the number of nodes of its dimension or names a node twice, the surface branches, or
    /// neighbours are oriented differently.
    pub fn new<F: Into<FacetNodes>>(body: usize, facets: Vec<F>) -> Result<Self, ContactError> {
        let facets: Vec<FacetNodes> = facets.into_iter().map(Into::into).collect();
        if facets.is_empty() {
            return Err(ContactError::EmptySurface { body });
        }
        let [fewest, most] = Dimension::<D>::CORNERS;
        for (facet, nodes) in facets.iter().enumerate() {
            let count = nodes.len();
            if !(fewest..=most).contains(&count) {
                return Err(ContactError::CornerCount { facet, count, fewest, most });
            }
            if let Some(i) = (1..count).find(|&i| nodes[..i].contains(&nodes[i])) {
                return Err(ContactError::RepeatedNode { facet, node: nodes[i] });
            }
        }
        let neighbours = Dimension::<D>::connect(&facets)?;
        let mut corners_of: Vec<(usize, usize)> =
            facets.iter().enumerate().flat_map(|(f, nodes)| nodes.into_iter().map(move |node| (node, f))).collect();
        corners_of.sort_unstable();
        let mut border = Vec::new();
        for (nodes, others) in facets.iter().zip(&neighbours) {
            for ridge in (0..others.len()).filter(|&r| others[r].is_none()) {
                border.extend(Dimension::<D>::ridge(nodes.len(), ridge).into_iter().map(|corner| nodes[corner]));
            }
        }
        border.sort_unstable();
        let at_border = facets.iter().map(|nodes| nodes.map(|n| border.binary_search(&n).is_ok())).collect();
        Ok(Self { body, facets, neighbours, corners_of, at_border })
    }

    /// Smallest and largest facet (m) in the given configuration: the scale for [`crate::Pair::reach`] and
    /// [`crate::Pair::depth`].
    ///
    /// # Panics
    /// If a node of the surface is not in `positions`.
    #[must_use]
    pub fn facet_sizes(&self, positions: &[f64]) -> (f64, f64) {
        let sizes = (0..self.facets.len()).map(|f| Dimension::<D>::size(&self.corners(f, positions)));
        sizes.fold((f64::INFINITY, 0.0), |(low, high), s| (low.min(s), high.max(s)))
    }

    /// Sum of the normals of the facets that hold all of these nodes (one node: those around it), each as long as its share; zero
    /// if there are none.
    pub(crate) fn normal_at(&self, nodes: &[usize], positions: &[f64]) -> Vector<D> {
        let mut sum = Vector::zeros();
        for f in self.holding(nodes) {
            let corner = nodes.first().and_then(|node| self.facets[f].iter().position(|n| n == node));
            sum += Dimension::<D>::corner_normal(&self.corners(f, positions), corner.unwrap_or(0));
        }
        sum
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
    pub fn facets(&self) -> &[FacetNodes] {
        &self.facets
    }

    /// Neighbours of a facet across its ridges; in 2D the previous facet (at its first node) and the next one, in 3D that across
    /// the edge from each node to the next.
    #[must_use]
    pub fn neighbours(&self, facet: usize) -> Few<Option<usize>> {
        self.neighbours[facet]
    }

    /// Whether the surface has no border.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.neighbours.iter().all(|others| others.iter().all(Option::is_some))
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
    pub fn corners(&self, facet: usize, positions: &[f64]) -> Few<Vector<D>> {
        self.facets[facet].map(|node| position_of(positions, node))
    }

    /// Which corners of a facet are on a border of the surface.
    pub(crate) fn at_border(&self, facet: usize) -> Few<bool> {
        self.at_border[facet]
    }

    /// The facets that hold all of these nodes, ascending.
    fn holding<'a>(&'a self, nodes: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
        let around = nodes.first().into_iter().flat_map(|&node| self.facets_of(node));
        around.filter(|&f| nodes.iter().all(|node| self.facets[f].contains(node)))
    }

    /// Whether a facet holds all of these nodes, or has a node in common with one that does.
    pub(crate) fn in_ring_of(&self, facet: usize, nodes: &[usize]) -> bool {
        let ring = &self.facets[facet];
        self.holding(nodes).any(|f| self.facets[f].iter().any(|node| ring.contains(node)))
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
    fn surfaces_are_checked() {
        let surface = |facets: &[[usize; 2]]| FacetSurface::<2>::new(7, facets.to_vec()).unwrap_err();
        assert_eq!(surface(&[]), ContactError::EmptySurface { body: 7 });
        let long = FacetSurface::<2>::new(7, vec![[0, 1, 2]]).unwrap_err();
        assert_eq!(long, ContactError::CornerCount { facet: 0, count: 3, fewest: 2, most: 2 });
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
        let ring: Vec<usize> = (0..8).filter(|&f| chain.in_ring_of(f, &[4])).collect();
        assert_eq!(ring, [2, 3, 4, 5]);
        // Of a point inside facet 4: the facet and its two neighbours.
        let ring: Vec<usize> = (0..8).filter(|&f| chain.in_ring_of(f, &[4, 5])).collect();
        assert_eq!(ring, [3, 4, 5]);
    }

    #[test]
    fn sizes_are_lengths() {
        let chain = FacetSurface::<2>::new(0, vec![[0, 1], [1, 2]]).unwrap();
        let (low, high) = chain.facet_sizes(&[0.0, 0.0, 3.0, 4.0, 3.0, 6.0]);
        assert!((low - 2.0).abs() < 1e-15 && (high - 5.0).abs() < 1e-14);
    }
}
