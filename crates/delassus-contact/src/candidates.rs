//! Candidate points: nodes of a body, or points interpolated between some of them.
//!
//! ```text
//! x = Σ_k w_k x_k,   V = Σ_k w_k v_k,   Σ w_k = 1       (w_k > 0 inside linear faces, of either sign in quadratic ones)
//! ```
//!
//! A node is the plain case: one node, weight one. Points inside faces (a few per face of a block, say) carry each a share of the
//! face's area; they detect an antagonist that the corners of the face miss. A candidate is numbered by its place in the list, so
//! the keys of its contacts do not change while it slides.
//!
//! There may be more points than nodes; then only the resulting nodal forces are unique. So tractions are measured at the corners a of the
//! facets, by the linear functions φ_a, which nodes of linear and of quadratic facets can both make:
//!
//! ```text
//! F_a = Σ_i φ_a(x_i) p_i,   A_a = Σ_i φ_a(x_i) A_i,   Σ_a φ_a = 1      (φ_a = w_a in linear facets; a node is its own corner)
//! ```

use crate::surface::position_of;
use crate::{ContactError, Dimension, FacetNodes, FacetSurface, Few, NarrowPhase, Vector};

/// By how much the sum of the weights of a point may miss one: a few roundings of weights computed by the caller.
const WEIGHT_SUM: f64 = 1e-12;

/// A point fixed to nodes of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidatePoint {
    /// Ascending, each once.
    nodes: Vec<usize>,
    /// None zero, of sum one.
    weights: Vec<f64>,
    /// Corners and φ of a point in a quadratic facet; empty where these are the nodes and weights.
    corners: Vec<(usize, f64)>,
}

impl CandidatePoint {
    /// A node.
    #[must_use]
    pub fn node(node: usize) -> Self {
        Self { nodes: vec![node], weights: vec![1.0], corners: Vec::new() }
    }

    /// A point between nodes; nodes of weight zero are left out.
    ///
    /// # Errors
    /// [`ContactError::InvalidWeights`] if nodes and weights are not equal in number, a node is named twice, a weight is
    /// negative or not finite, or the weights do not add up to one.
    pub fn new(nodes: impl Into<FacetNodes>, weights: impl Into<Few<f64>>) -> Result<Self, ContactError> {
        let (nodes, weights) = (nodes.into(), weights.into());
        if nodes.len() != weights.len() || weights.iter().any(|w| *w < 0.0) {
            return Err(ContactError::InvalidWeights { nodes: nodes.to_vec(), weights: weights.to_vec() });
        }
        Self::interpolated(nodes.into_iter().zip(weights))
    }

    /// A point made of nodes and weights of either sign, as the shape functions of a quadratic face give them; nodes of weight zero
    /// are left out.
    ///
    /// # Errors
    /// [`ContactError::InvalidWeights`] if a node is named twice, a weight is not finite, or the weights do not add up to one.
    pub fn interpolated(shares: impl IntoIterator<Item = (usize, f64)>) -> Result<Self, ContactError> {
        let mut shares: Vec<(usize, f64)> = shares.into_iter().collect();
        shares.sort_by_key(|s| s.0);
        let twice = shares.windows(2).any(|w| w[0].0 == w[1].0);
        let sum: f64 = shares.iter().map(|s| s.1).sum();
        let is_one = (sum - 1.0).abs() <= WEIGHT_SUM;
        if twice || !is_one {
            let (nodes, weights) = shares.into_iter().unzip();
            return Err(ContactError::InvalidWeights { nodes, weights });
        }
        shares.retain(|s| s.1.abs() > 0.0);
        let (nodes, weights) = shares.into_iter().unzip();
        Ok(Self { nodes, weights, corners: Vec::new() })
    }

    /// A point of a facet, linear or quadratic: nodes and weights of its shape functions, and corners with their linear functions φ.
    ///
    /// # Errors
    /// [`ContactError::InvalidWeights`] as of [`Self::interpolated`], or if a φ is negative.
    pub fn in_facet(
        shares: impl IntoIterator<Item = (usize, f64)>,
        corners: impl IntoIterator<Item = (usize, f64)>,
    ) -> Result<Self, ContactError> {
        let Self { nodes, weights, .. } = Self::interpolated(corners)?;
        if weights.iter().any(|w| *w < 0.0) {
            return Err(ContactError::InvalidWeights { nodes, weights });
        }
        Ok(Self { corners: nodes.into_iter().zip(weights).collect(), ..Self::interpolated(shares)? })
    }

    /// The nodes, ascending.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// Nodes and weights.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64)> {
        self.nodes.iter().copied().zip(self.weights.iter().copied())
    }

    /// Corners of its facet and their φ at the point; of a node the node itself.
    pub fn corner_shares(&self) -> impl Iterator<Item = (usize, f64)> {
        let own = self.shares().take(if self.corners.is_empty() { self.nodes.len() } else { 0 });
        own.chain(self.corners.iter().copied())
    }

    /// Where the point is (m), for `positions[D * node + i]`.
    ///
    /// # Panics
    /// If a node of the point is not in `positions`.
    #[must_use]
    pub fn position<const D: usize>(&self, positions: &[f64]) -> Vector<D> {
        let first: Vector<D> = position_of(positions, self.nodes[0]);
        if self.nodes.len() == 1 {
            return first;
        }
        // From the first node: a rigid translation far from the origin leaves the point where it is in the face.
        let rest = self.shares().skip(1).map(|(node, w)| (position_of::<D>(positions, node) - first) * w);
        rest.fold(first, |sum, part| sum + part)
    }
}

/// Points of a body that may touch, with their tributary areas.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateSet {
    body: usize,
    points: Vec<CandidatePoint>,
    areas: Vec<f64>,
    /// Every node of a point once, in the order of the points.
    nodes: Vec<usize>,
    /// Corners and their areas A_a, ascending.
    corners: Vec<(usize, f64)>,
    /// Corners of the facets that the candidates are on, if they are on facets.
    facets: Vec<FacetNodes>,
    round: Option<Round>,
}

/// Candidates that are centres of balls (in the plane: disks) of a body that turns. The ball touches where its surface is nearest, at the arm −r n from
/// the centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// Radius r > 0 (m).
    pub radius: f64,
    /// Site of the rotation of the body.
    pub rotation: usize,
}

impl CandidateSet {
    /// Nodes of a body as candidates: one area (m²) per node (in 2D the tributary length times the thickness).
    ///
    /// # Errors
    /// If the set is empty, a node is listed twice, or the areas are not one positive number per node.
    pub fn new(body: usize, nodes: Vec<usize>, areas: Vec<f64>) -> Result<Self, ContactError> {
        Self::from_points(body, nodes.into_iter().map(CandidatePoint::node).collect(), areas)
    }

    /// Points of a body as candidates: one area (m²) per point.
    ///
    /// # Errors
    /// If the set is empty, a point is listed twice, or the areas are not one positive number per point.
    pub fn from_points(body: usize, points: Vec<CandidatePoint>, areas: Vec<f64>) -> Result<Self, ContactError> {
        if points.is_empty() {
            return Err(ContactError::EmptyCandidates { body });
        }
        if points.len() != areas.len() {
            return Err(ContactError::AreaCount { body, nodes: points.len(), areas: areas.len() });
        }
        if let Some((point, &area)) = points.iter().zip(&areas).find(|&(_, &a)| !(a > 0.0 && a.is_finite())) {
            return Err(ContactError::InvalidArea { body, node: point.nodes[0], area });
        }
        if let Some([first, second]) = twins(&points) {
            return Err(match points[first].nodes() {
                &[node] => ContactError::DuplicateCandidate { body, node },
                nodes => ContactError::DuplicatePoint { body, first, second, nodes: nodes.to_vec() },
            });
        }
        let mut nodes: Vec<(usize, usize)> =
            points.iter().flat_map(|p| p.nodes.iter().copied()).enumerate().map(|(k, node)| (node, k)).collect();
        nodes.sort_unstable();
        nodes.dedup_by_key(|n| n.0);
        nodes.sort_by_key(|n| n.1);
        let corners = corner_areas(&points, &areas);
        Ok(Self {
            body,
            points,
            areas,
            nodes: nodes.into_iter().map(|n| n.0).collect(),
            corners,
            facets: Vec::new(),
            round: None,
        })
    }

    /// The same candidates with the facets that they are on, each by its corners; for pictures of what acts on them.
    #[must_use]
    pub fn with_facets(self, facets: Vec<FacetNodes>) -> Self {
        Self { facets, ..self }
    }

    /// Corners of the facets that the candidates are on; none where these are not known, as for nodes alone.
    #[must_use]
    pub fn facets(&self) -> &[FacetNodes] {
        &self.facets
    }

    /// Points inside the facets of a surface: every facet cut into n pieces along each side (n² in 3D), a point in the middle of
    /// each, with its area (m²) at these positions `[D * node + i]` (in 2D its length: that is, for a thickness of one).
    ///
    /// # Errors
    /// [`ContactError::EmptyCandidates`] if n is zero, [`ContactError::InvalidArea`] if a facet has no extent.
    ///
    /// # Panics
    /// If a node of the surface is not in `positions`.
    pub fn on_facets<const D: usize>(
        surface: &FacetSurface<D>,
        positions: &[f64],
        n: usize,
    ) -> Result<Self, ContactError>
    where
        Dimension<D>: NarrowPhase<D>,
    {
        let (mut points, mut areas) = (Vec::new(), Vec::new());
        for (f, nodes) in surface.facets().iter().enumerate() {
            for (weights, area) in Dimension::<D>::pieces(&surface.corners(f, positions), n) {
                points.push(CandidatePoint::new(*nodes, weights)?);
                areas.push(area);
            }
        }
        Self::from_points(surface.body(), points, areas)
    }

    /// The same candidates, as centres of balls.
    ///
    /// # Errors
    /// [`ContactError::BallRadius`] if the radius is not positive and finite, [`ContactError::RoundPoint`] if a candidate is not a node.
    pub fn round(self, round: Round) -> Result<Self, ContactError> {
        if !(round.radius > 0.0 && round.radius.is_finite()) {
            return Err(ContactError::BallRadius { body: self.body, radius: round.radius });
        }
        if let Some(index) = self.points.iter().position(|p| p.nodes.len() != 1) {
            return Err(ContactError::RoundPoint { body: self.body, index });
        }
        Ok(Self { round: Some(round), ..self })
    }

    /// The balls whose centres the candidates are, if they are.
    #[must_use]
    pub fn as_round(&self) -> Option<Round> {
        self.round
    }

    /// Index of the body.
    #[must_use]
    pub fn body(&self) -> usize {
        self.body
    }

    /// Number of candidates.
    #[must_use]
    pub fn n_points(&self) -> usize {
        self.points.len()
    }

    /// The candidates, in the order that numbers them.
    #[must_use]
    pub fn points(&self) -> &[CandidatePoint] {
        &self.points
    }

    /// Every node that a candidate depends on, once; of a set of nodes, the candidates in their order.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The tributary areas (m²).
    #[must_use]
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// The corners of the facets with the area A_a = Σ φ_a A_i (m²) that belongs to each, nodes ascending; of a set of nodes these with their
    /// own areas.
    #[must_use]
    pub fn corner_areas(&self) -> &[(usize, f64)] {
        &self.corners
    }
}

/// Corners, ascending, with the sums of φ times area.
fn corner_areas(points: &[CandidatePoint], areas: &[f64]) -> Vec<(usize, f64)> {
    let shares = |(point, area): (&CandidatePoint, &f64)| {
        let area = *area;
        point.corner_shares().map(move |(node, share)| (node, share * area)).collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, f64)> = points.iter().zip(areas).flat_map(shares).collect();
    // Stable: each sum is taken in the order of the points.
    all.sort_by_key(|a| a.0);
    all.chunk_by(|a, b| a.0 == b.0).map(|same| (same[0].0, same.iter().map(|a| a.1).sum())).collect()
}

/// Two equal points.
fn twins(points: &[CandidatePoint]) -> Option<[usize; 2]> {
    let compare = |&a: &usize, &b: &usize| {
        let (a, b) = (&points[a], &points[b]);
        let weights = || a.weights.iter().zip(b.weights.iter()).map(|(v, w)| v.total_cmp(w));
        a.nodes.cmp(&b.nodes).then_with(|| weights().find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal))
    };
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(compare);
    order.windows(2).find(|w| compare(&w[0], &w[1]).is_eq()).map(|w| [w[0], w[1]])
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
    fn weights_are_checked() {
        let error = |nodes: &[usize], weights: &[f64]| {
            let (nodes, weights) = (Few::try_from(nodes).unwrap(), Few::try_from(weights).unwrap());
            CandidatePoint::new(nodes, weights).unwrap_err()
        };
        for (nodes, weights) in
            [(&[1, 2][..], &[1.0][..]), (&[1, 1], &[0.5, 0.5]), (&[1, 2], &[1.5, -0.5]), (&[1, 2], &[0.5, 0.51])]
        {
            let expected = ContactError::InvalidWeights { nodes: nodes.to_vec(), weights: weights.to_vec() };
            assert_eq!(error(nodes, weights), expected);
        }
        let signed = |shares: &[(usize, f64)]| CandidatePoint::interpolated(shares.iter().copied());
        assert_eq!(
            signed(&[(7, 1.5), (3, -0.5), (9, 0.0)]).unwrap().shares().collect::<Vec<_>>(),
            [(3, -0.5), (7, 1.5)]
        );
        for bad in [
            &[(1, 0.5), (1, 0.5)][..],
            &[(1, f64::NAN)],
            &[(1, f64::INFINITY), (2, f64::NEG_INFINITY)],
            &[(1, 0.9)],
            &[],
        ] {
            assert!(matches!(signed(bad), Err(ContactError::InvalidWeights { .. })), "{bad:?}");
        }
        let nan = error(&[1, 2], &[f64::NAN, 0.5]);
        assert!(matches!(&nan, ContactError::InvalidWeights { .. }) && nan.to_string().contains("NaN"), "{nan}");
    }

    #[test]
    fn points_listed_twice_are_found_whatever_the_order_of_their_nodes() {
        let point = |nodes: [usize; 3], weights: [f64; 3]| CandidatePoint::new(nodes, weights).unwrap();
        let points = vec![
            point([5, 2, 9], [0.5, 0.25, 0.25]),
            point([5, 2, 9], [0.25, 0.5, 0.25]),
            point([2, 9, 5], [0.25, 0.25, 0.5]),
        ];
        let error = CandidateSet::from_points(1, points, vec![1.0; 3]).unwrap_err();
        assert_eq!(error, ContactError::DuplicatePoint { body: 1, first: 0, second: 2, nodes: vec![2, 5, 9] });
        // A point at a node is that node.
        let points = vec![CandidatePoint::node(2), point([5, 2, 9], [0.0, 1.0, 0.0])];
        let error = CandidateSet::from_points(1, points, vec![1.0; 2]).unwrap_err();
        assert_eq!(error, ContactError::DuplicateCandidate { body: 1, node: 2 });
    }

    #[test]
    fn a_set_names_its_nodes_once_in_their_order() {
        assert_eq!(CandidateSet::new(0, vec![7, 3, 5], vec![1.0; 3]).unwrap().nodes(), [7, 3, 5]);
        let point = |nodes: [usize; 2]| CandidatePoint::new(nodes, [0.5, 0.5]).unwrap();
        let set = CandidateSet::from_points(0, vec![point([4, 8]), point([1, 4])], vec![1.0; 2]).unwrap();
        assert_eq!((set.nodes(), set.n_points()), (&[4, 8, 1][..], 2));
    }

    #[test]
    fn corners_share_the_area_of_the_points_around() {
        // Nodes are their own corners, ascending.
        let nodes = CandidateSet::new(0, vec![7, 3], vec![0.25, 0.5]).unwrap();
        assert_eq!(nodes.corner_areas(), [(3, 0.5), (7, 0.25)]);
        // Two segments of length 2, two points in each, at 1/4 and 3/4: a half of a segment to each of its ends.
        let point = |nodes: [usize; 2], s: f64| CandidatePoint::new(nodes, [1.0 - s, s]).unwrap();
        let points = vec![point([4, 8], 0.25), point([4, 8], 0.75), point([8, 1], 0.25), point([8, 1], 0.75)];
        let set = CandidateSet::from_points(0, points, vec![1.0; 4]).unwrap();
        assert_eq!(set.corner_areas(), [(1, 1.0), (4, 1.0), (8, 2.0)]);
        // A point in a quadratic segment: 4 and 8 its corners, 6 its middle. The middle counts half to each end.
        let shares = [(4, 0.375), (8, -0.125), (6, 0.75)];
        let curved = CandidatePoint::in_facet(shares, [(4, 0.75), (8, 0.25)]).unwrap();
        assert_eq!(curved.nodes(), [4, 6, 8]);
        let set = CandidateSet::from_points(0, vec![curved], vec![2.0]).unwrap();
        assert_eq!((set.nodes(), set.corner_areas()), (&[4, 6, 8][..], &[(4, 1.5), (8, 0.5)][..]));
        let below = CandidatePoint::in_facet(shares, [(4, 1.25), (8, -0.25)]);
        assert!(matches!(below, Err(ContactError::InvalidWeights { .. })), "{below:?}");
    }

    #[test]
    fn points_in_facets_share_their_area_and_their_centre() {
        // A segment of length 5 in three pieces.
        let segment = FacetSurface::<2>::new(0, vec![[0, 1]]).unwrap();
        let x = [0.0, 0.0, 3.0, 4.0];
        let set = CandidateSet::on_facets(&segment, &x, 3).unwrap();
        let seen: Vec<Vector<2>> = set.points().iter().map(|p| p.position(&x)).collect();
        for (k, p) in seen.iter().enumerate() {
            let s = (k as f64 + 0.5) / 3.0;
            assert!((p - Vector::<2>::new(3.0, 4.0) * s).norm() < 1e-15 && (set.areas()[k] - 5.0 / 3.0).abs() < 1e-15);
        }
        let none = CandidateSet::on_facets(&segment, &x, 0).unwrap_err();
        assert_eq!(none, ContactError::EmptyCandidates { body: 0 });
        let flat = CandidateSet::on_facets(&segment, &[1.0; 4], 2).unwrap_err();
        assert!(matches!(flat, ContactError::InvalidArea { body: 0, node: 0, .. }), "{flat}");
    }
}
