//! From positions to contacts: the pairs, their trees, and one detection.
//!
//! Every candidate gets at most one contact: with the nearest point of its antagonist, by branch and bound
//! ([`crate::BoxTree`]) and the projection of the dimension ([`crate::NarrowPhase`]). Two limits of a pair decide:
//!
//! ```text
//! −depth ≤ g ≤ reach     a contact
//! g > reach              too far: nothing
//! g < −depth             behind the face by more than a step can explain, so on another side of the body: not a contact; its
//!                        key is listed if it is less than twice the depth behind (a node that goes through in steps shorter than
//!                        `depth` is seen there at least once)
//! ```
//!
//! Both limits are lengths chosen by the caller in relation to the facets ([`FacetSurface::facet_sizes`]); there is no length
//! in the code. Choose `reach` not less than the largest approach in a step, and `depth` less than half the thinnest part.
//!
//! Self contact (candidates and surface of one body): the facets of the candidate and their neighbours are left out, as well as
//! facets that do not face the candidate's own outward normal, and those passed by more than `depth` (the far side
//! of a thin part).

use crate::frame::{frame_from_unit, unit};
use crate::obstacle::components;
use crate::surface::position_of;
use crate::{Antagonist, BoxTree, CandidateSet, Contact, ContactError, ContactKey, FacetSurface, Motion, NarrowPhase};
use crate::{NodeToFacet, Obstacle, Pair, Projection, Side, Vector};

/// What a detection found.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection<const D: usize> {
    /// The contacts, sorted by key; no key occurs twice.
    pub contacts: Vec<Contact<D>>,
    /// Candidates found between once and twice the depth behind their antagonist, sorted; they are not among the contacts.
    pub too_deep: Vec<ContactKey>,
    /// Number of facets looked at, a measure of the work.
    pub n_visited: usize,
}

/// Contact detection for a fixed list of pairs.
#[derive(Debug, Clone)]
pub struct Detector<const D: usize> {
    /// Sorted by (id, pass), hence the contacts by key.
    pairs: Vec<PreparedPair<D>>,
}

#[derive(Debug, Clone)]
struct PreparedPair<const D: usize> {
    /// Position in the caller's list.
    index: usize,
    id: u32,
    pass: u8,
    candidates: CandidateSet,
    target: Target<D>,
    reach: f64,
    depth: f64,
}

#[derive(Debug, Clone)]
enum Target<const D: usize> {
    Surface {
        surface: FacetSurface<D>,
        tree: BoxTree<D>,
    },
    /// An obstacle made of facets, whose nodes have coordinates of their own.
    Facets {
        surface: FacetSurface<D>,
        tree: BoxTree<D>,
        at_rest: Vec<f64>,
    },
    HalfSpace {
        point: Vector<D>,
        normal: Vector<D>,
    },
}

/// The antagonist point of one candidate.
struct Found<const D: usize> {
    projection: Projection<D>,
    side: Side<D>,
}

impl<const D: usize> Detector<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    /// Detector of the pairs, with trees fit for `positions[body][D * node + i]` (m).
    ///
    /// # Errors
    /// If a pair is not valid, is given twice, or does not fit the positions.
    pub fn new(pairs: Vec<Pair<D>>, positions: &[&[f64]]) -> Result<Self, ContactError> {
        let prepared: Result<Vec<_>, _> =
            pairs.into_iter().enumerate().map(|(index, pair)| PreparedPair::new(index, pair, positions)).collect();
        let mut pairs = prepared?;
        pairs.sort_by_key(|p| (p.id, p.pass));
        if let Some(twice) = pairs.windows(2).find(|w| (w[0].id, w[0].pass) == (w[1].id, w[1].pass)) {
            return Err(ContactError::DuplicatePair { pair: twice[0].id, pass: twice[0].pass });
        }
        Ok(Self { pairs })
    }

    /// Finds the contacts in a configuration: world positions `positions[body][D * node + i]` (m), and one motion per pair in
    /// the order of the pairs.
    ///
    /// The result depends on the arguments only, not on earlier calls.
    ///
    /// # Errors
    /// If positions are missing or not finite, a facet has no length, or the motions are not one finite motion per pair.
    pub fn detect(&mut self, positions: &[&[f64]], motions: &[Motion<D>]) -> Result<Detection<D>, ContactError> {
        if motions.len() != self.pairs.len() {
            return Err(ContactError::MotionCount { motions: motions.len(), pairs: self.pairs.len() });
        }
        let mut detection = Detection { contacts: Vec::new(), too_deep: Vec::new(), n_visited: 0 };
        for pair in &mut self.pairs {
            let motion = &motions[pair.index];
            pair.check(positions, motion)?;
            let placed = pair.target.place(positions, motion)?;
            pair.detect_into(positions, &placed, motion, &mut detection)?;
        }
        Ok(detection)
    }

    /// Number of pairs.
    #[must_use]
    pub fn n_pairs(&self) -> usize {
        self.pairs.len()
    }
}

impl<const D: usize> PreparedPair<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    fn new(index: usize, pair: Pair<D>, positions: &[&[f64]]) -> Result<Self, ContactError> {
        let Pair { id, pass, candidates, antagonist, reach, depth } = pair;
        for (limit, value) in [("reach", reach), ("depth", depth)] {
            if value.is_nan() || value < 0.0 {
                return Err(ContactError::InvalidLimit { pair: id, pass, limit, value });
            }
        }
        check_nodes::<D>(positions, candidates.body(), candidates.nodes().iter().copied())?;
        let target = Target::new(antagonist, positions)?;
        Ok(Self { index, id, pass, candidates, target, reach, depth })
    }

    fn check(&self, positions: &[&[f64]], motion: &Motion<D>) -> Result<(), ContactError> {
        check_nodes::<D>(positions, self.candidates.body(), self.candidates.nodes().iter().copied())?;
        for (what, value) in [("displacement", &motion.displacement), ("velocity", &motion.velocity)] {
            if value.iter().any(|c| !(c * c).is_finite()) {
                return Err(ContactError::NonFiniteMotion {
                    pair: self.id,
                    pass: self.pass,
                    what,
                    value: components(value),
                });
            }
        }
        Ok(())
    }

    fn detect_into(
        &self,
        positions: &[&[f64]],
        placed: &[f64],
        motion: &Motion<D>,
        detection: &mut Detection<D>,
    ) -> Result<(), ContactError> {
        let x = positions[self.candidates.body()];
        for (i, (&node, &area)) in self.candidates.nodes().iter().zip(self.candidates.areas()).enumerate() {
            let point = position_of(x, node);
            let (found, visited) = self.antagonist_of(node, &point, placed, motion);
            detection.n_visited += visited;
            let Some(Found { projection, side }) = found else { continue };
            let key = ContactKey { pair: self.id, pass: self.pass, candidate: key_index(i)? };
            if projection.gap > self.reach {
                continue;
            }
            if projection.gap < -self.depth && !matches!(self.target, Target::HalfSpace { .. }) {
                detection.too_deep.push(key);
                continue;
            }
            detection.contacts.push(Contact {
                key,
                sides: [Side::on_nodes(self.candidates.body(), [(node, 1.0)]), side],
                gap: projection.gap,
                frame: frame_from_unit(&projection.normal),
                area,
                point,
                pair: self.index,
            });
        }
        Ok(())
    }

    /// The nearest antagonist point of a candidate, and the number of facets looked at.
    fn antagonist_of(
        &self,
        node: usize,
        point: &Vector<D>,
        placed: &[f64],
        motion: &Motion<D>,
    ) -> (Option<Found<D>>, usize) {
        match &self.target {
            Target::Surface { surface, tree } => {
                let own = (surface.body() == self.candidates.body()).then_some(node);
                let (nearest, visited) = self.nearest(surface, tree, placed, own, point);
                let found = nearest.map(|(facet, projection)| {
                    let weights = surface.facets()[facet].into_iter().zip(projection.weights);
                    Found { projection, side: Side::on_nodes(surface.body(), weights) }
                });
                (found, visited)
            }
            Target::Facets { surface, tree, .. } => {
                let (nearest, visited) = self.nearest(surface, tree, placed, None, point);
                let found =
                    nearest.map(|(_, projection)| Found { projection, side: Side::on_obstacle(motion.velocity) });
                (found, visited)
            }
            Target::HalfSpace { point: border, normal } => {
                let gap = normal.dot(&(point - (border + motion.displacement)));
                let projection = Projection { distance: gap.abs(), gap, normal: *normal, weights: [0.0; D] };
                (Some(Found { projection, side: Side::on_obstacle(motion.velocity) }), 0)
            }
        }
    }

    /// Nearest facet and projection; `own` is the candidate's node if it belongs to the same body.
    fn nearest(
        &self,
        surface: &FacetSurface<D>,
        tree: &BoxTree<D>,
        placed: &[f64],
        own: Option<usize>,
        point: &Vector<D>,
    ) -> (Option<(usize, Projection<D>)>, usize) {
        // Twice the depth: behind the face nodes are looked for so far, to tell those that went through.
        let radius = self.reach.max(2.0 * self.depth);
        let own_normal = own.map(|node| surface.node_normal(node, placed)).filter(|n| n.amax() > 0.0);
        let (nearest, visited) = tree.nearest(point, radius, |facet| {
            if own.is_some_and(|node| surface.in_ring_of(facet, node)) {
                return None;
            }
            let projection = NodeToFacet::project(surface, placed, facet, point)?;
            let turned_away = own_normal.is_some_and(|n| n.dot(&projection.normal) >= 0.0);
            if turned_away || (own.is_some() && projection.gap < -self.depth) {
                return None;
            }
            Some((projection.distance, projection))
        });
        (nearest.map(|n| (n.facet, n.value)), visited)
    }
}

impl<const D: usize> Target<D>
where
    NodeToFacet: NarrowPhase<D>,
{
    fn new(antagonist: Antagonist<D>, positions: &[&[f64]]) -> Result<Self, ContactError> {
        match antagonist {
            Antagonist::Surface(surface) => {
                check_nodes::<D>(positions, surface.body(), surface.nodes())?;
                let tree = tree_of(&surface, positions[surface.body()])?;
                Ok(Self::Surface { surface, tree })
            }
            Antagonist::Obstacle(obstacle) => {
                obstacle.validate()?;
                match obstacle {
                    Obstacle::HalfSpace { point, normal } => {
                        let (normal, _) =
                            unit(&normal).ok_or_else(|| ContactError::ZeroNormal { normal: components(&normal) })?;
                        Ok(Self::HalfSpace { point, normal })
                    }
                    Obstacle::Segment { a, b } => {
                        let surface = FacetSurface::new(0, vec![std::array::from_fn(|corner| corner)])?;
                        let at_rest: Vec<f64> = a.iter().chain(b.iter()).copied().collect();
                        let tree = tree_of(&surface, &at_rest)?;
                        Ok(Self::Facets { surface, tree, at_rest })
                    }
                }
            }
        }
    }

    /// Coordinates of the nodes of the facets in this configuration; the tree is refitted to them.
    fn place<'a>(
        &mut self,
        positions: &[&'a [f64]],
        motion: &Motion<D>,
    ) -> Result<std::borrow::Cow<'a, [f64]>, ContactError> {
        match self {
            Self::Surface { surface, tree } => {
                check_nodes::<D>(positions, surface.body(), surface.nodes())?;
                let x = positions[surface.body()];
                check_facets(surface, x)?;
                tree.refit(|facet| NodeToFacet::bounds(surface, x, facet));
                Ok(x.into())
            }
            Self::Facets { surface, tree, at_rest } => {
                let moved: Vec<f64> = at_rest.iter().enumerate().map(|(i, x)| x + motion.displacement[i % D]).collect();
                check_facets(surface, &moved)?;
                tree.refit(|facet| NodeToFacet::bounds(surface, &moved, facet));
                Ok(moved.into())
            }
            Self::HalfSpace { .. } => Ok((&[][..]).into()),
        }
    }
}

fn tree_of<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Result<BoxTree<D>, ContactError>
where
    NodeToFacet: NarrowPhase<D>,
{
    check_facets(surface, positions)?;
    let boxes: Vec<_> = (0..surface.facets().len()).map(|f| NodeToFacet::bounds(surface, positions, f)).collect();
    Ok(BoxTree::new(&boxes))
}

fn check_facets<const D: usize>(surface: &FacetSurface<D>, positions: &[f64]) -> Result<(), ContactError>
where
    NodeToFacet: NarrowPhase<D>,
{
    match (0..surface.facets().len()).find(|&f| NodeToFacet::normal(&surface.corners(f, positions)).is_none()) {
        Some(facet) => {
            let nodes = surface.facets()[facet].to_vec();
            Err(ContactError::ZeroLengthFacet { body: surface.body(), facet, nodes })
        }
        None => Ok(()),
    }
}

/// Positions of these nodes exist and are numbers whose squares are numbers.
fn check_nodes<const D: usize>(
    positions: &[&[f64]],
    body: usize,
    nodes: impl IntoIterator<Item = usize>,
) -> Result<(), ContactError> {
    let x = positions.get(body).ok_or(ContactError::UnknownBody { body, n_bodies: positions.len() })?;
    let n_nodes = x.len() / D;
    for node in nodes {
        if node >= n_nodes {
            return Err(ContactError::UnknownNode { body, node, n_nodes });
        }
        for component in 0..D {
            let value = x[D * node + component];
            if value.is_nan() || value.abs() >= 1e150 {
                return Err(ContactError::InvalidPosition { body, node, component, value });
            }
        }
    }
    Ok(())
}

fn key_index(index: usize) -> Result<u32, ContactError> {
    u32::try_from(index).map_err(|_| ContactError::TooManyCandidates { index })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_a_limit() {
        let index = u32::MAX as usize + 1;
        assert_eq!(key_index(index), Err(ContactError::TooManyCandidates { index }));
        assert_eq!(key_index(index - 1), Ok(u32::MAX));
    }
}
