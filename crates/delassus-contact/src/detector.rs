//! From positions to contacts: the pairs, their trees, and one detection.
//!
//! Every candidate gets at most one contact: with the nearest point of its antagonist, by a tree of boxes
//! ([`crate::BoxTree`]) and the projection of the dimension ([`crate::NarrowPhase`]), or by the formula of a shape; where a pair wants it,
//! another with each facet across a re-entrant ridge (`corner.rs`). Two limits of a pair decide:
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
//! Self contact (candidates and surface of one body) has rules of its own, among them a limit to the depth by the thickness at
//! rest: `self_contact.rs`. There a candidate behind that limit is taken for one on the far side, and is not listed.
//!
//! Sliding along a chain or over faces, the gap is continuous and changes by no more than the candidate moves; the normal is that of
//! the facet, turns with the candidate around a ridge that sticks out, and jumps by the angle of the bend at one that is re-entrant,
//! where the nearest facet changes. [`Normals::Continuous`] exchanges that normal for an interpolated one.
//!
//! Candidates are nodes or points inside faces ([`crate::CandidatePoint`]): the same rules hold for both.

use crate::corner::Corners;
use crate::frame::{frame_from_unit, unit};
use crate::prepared::{FacetTree, PreparedAntagonist, flat_facet};
use crate::self_contact::{self, OwnBody};
use crate::{Antagonist, CandidateSet, Contact, ContactError, ContactKey, Detection, FacetSurface, Few};
use crate::{Dimension, NarrowPhase, Normals, Pair, Penetration, Projection, RigidMotion, Side, Vector};

/// Contact detection for a fixed list of pairs.
#[derive(Debug, Clone)]
pub struct Detector<const D: usize> {
    /// Sorted by (id, pass), hence the contacts by key.
    pairs: Vec<PreparedPair<D>>,
    /// The surfaces of bodies, each once.
    surfaces: Vec<FacetTree<D>>,
}

#[derive(Debug, Clone)]
struct PreparedPair<const D: usize> {
    /// Position in the caller's list.
    index: usize,
    id: u32,
    pass: u32,
    candidates: CandidateSet,
    target: PreparedAntagonist<D>,
    reach: f64,
    depth: f64,
    normals: Normals,
    corners: bool,
    /// Largest penetration of every candidate, if the target is the surface of their own body.
    own_depths: Option<Vec<f64>>,
}

/// The antagonist point of one candidate.
struct AntagonistPoint<const D: usize> {
    projection: Projection<D>,
    side: Side<D>,
    /// Where it is, on facets.
    facet: Option<usize>,
}

impl<const D: usize> Detector<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// Detector of the pairs, for `positions[body][D * node + i]` (m) at rest: the thickness of bodies that may touch themselves
    /// is taken from them, and the trees are made for them.
    ///
    /// # Errors
    /// If a pair is not valid, is given twice, or does not fit the positions.
    pub fn new(pairs: Vec<Pair<D>>, positions: &[&[f64]]) -> Result<Self, ContactError> {
        let mut surfaces = Vec::new();
        let prepared: Result<Vec<_>, _> = pairs
            .into_iter()
            .enumerate()
            .map(|(index, pair)| PreparedPair::new(index, pair, positions, &mut surfaces))
            .collect();
        let mut pairs = prepared?;
        pairs.sort_by_key(|p| (p.id, p.pass));
        if let Some(twice) = pairs.windows(2).find(|w| (w[0].id, w[0].pass) == (w[1].id, w[1].pass)) {
            return Err(ContactError::DuplicatePair { pair: twice[0].id, pass: twice[0].pass });
        }
        Ok(Self { pairs, surfaces })
    }

    /// Finds the contacts in a configuration: world positions `positions[body][D * node + i]` (m), and one motion per pair in
    /// the order of the pairs, [`crate::Translation`]s or [`RigidMotion`]s.
    ///
    /// The result depends on the arguments, the pairs and the positions at rest only, not on earlier calls.
    ///
    /// # Errors
    /// If positions are missing or not finite, a facet has no length, or the motions are not one finite motion per pair.
    pub fn detect<M>(&mut self, positions: &[&[f64]], motions: &[M]) -> Result<Detection<D>, ContactError>
    where
        M: Copy + Into<RigidMotion<D>>,
    {
        if motions.len() != self.pairs.len() {
            return Err(ContactError::MotionCount { motions: motions.len(), pairs: self.pairs.len() });
        }
        let motions: Vec<RigidMotion<D>> = motions.iter().map(|&m| m.into()).collect();
        self.place(positions, &motions)?;
        let mut detection = Detection::new(self.pairs.len());
        for pair in &self.pairs {
            pair.detect_into(positions, &self.surfaces, &motions[pair.index], &mut detection)?;
        }
        Ok(detection)
    }

    /// Checks the configuration, and fits surfaces and obstacles to it.
    fn place(&mut self, positions: &[&[f64]], motions: &[RigidMotion<D>]) -> Result<(), ContactError> {
        for pair in &self.pairs {
            pair.check(positions, &motions[pair.index])?;
        }
        for facets in &mut self.surfaces {
            facets.refit(body_positions(&facets.surface, positions)?);
        }
        self.pairs.iter_mut().try_for_each(|pair| pair.target.place(&motions[pair.index]))
    }

    /// Number of pairs.
    #[must_use]
    pub fn n_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Number of different surfaces of bodies: pairs with equal surfaces share one.
    #[must_use]
    pub fn n_surfaces(&self) -> usize {
        self.surfaces.len()
    }
}

impl<const D: usize> PreparedPair<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    fn new(
        index: usize,
        pair: Pair<D>,
        positions: &[&[f64]],
        surfaces: &mut Vec<FacetTree<D>>,
    ) -> Result<Self, ContactError> {
        let Pair { id, pass, candidates, antagonist, reach, depth, normals, corners } = pair;
        for (limit, value) in [("reach", reach), ("depth", depth)] {
            if value.is_nan() || value < 0.0 {
                return Err(ContactError::InvalidLimit { pair: id, pass, limit, value });
            }
        }
        check_nodes::<D>(positions, candidates.body(), candidates.nodes().iter().copied())?;
        let mut own_depths = None;
        let target = match antagonist {
            Antagonist::Surface(surface) => {
                let x = body_positions(&surface, positions)?;
                let known = surfaces.iter().position(|s| s.surface == surface);
                let surface_index = known.unwrap_or_else(|| {
                    surfaces.push(FacetTree::new(surface, x));
                    surfaces.len() - 1
                });
                let facets = &surfaces[surface_index];
                let own = facets.surface.body() == candidates.body();
                own_depths = own.then(|| self_contact::depths(&candidates, facets, x, depth));
                PreparedAntagonist::Surface(surface_index)
            }
            Antagonist::Obstacle(obstacle) => PreparedAntagonist::of_obstacle(&*obstacle)?,
        };
        let corners = corners && normals == Normals::Facet && own_depths.is_none();
        Ok(Self { index, id, pass, candidates, target, reach, depth, normals, corners, own_depths })
    }

    fn check(&self, positions: &[&[f64]], motion: &RigidMotion<D>) -> Result<(), ContactError> {
        check_nodes::<D>(positions, self.candidates.body(), self.candidates.nodes().iter().copied())?;
        match motion.broken() {
            Some((what, value)) => Err(ContactError::NonFiniteMotion { pair: self.id, pass: self.pass, what, value }),
            None => Ok(()),
        }
    }

    fn detect_into(
        &self,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        motion: &RigidMotion<D>,
        detection: &mut Detection<D>,
    ) -> Result<(), ContactError> {
        let x = positions[self.candidates.body()];
        for (i, (candidate, &area)) in self.candidates.points().iter().zip(self.candidates.areas()).enumerate() {
            let point = candidate.position(x);
            let (found, visited) = self.antagonist_of(i, &point, positions, surfaces, motion);
            detection.n_visited += visited;
            let Some(mut nearest) = found else { continue };
            let key = ContactKey::nearest(self.id, self.pass, key_index(i)?);
            if nearest.projection.gap > self.reach {
                continue;
            }
            if nearest.projection.gap < -self.depth && self.target.has_other_side() {
                detection.push_too_deep(self.index, Penetration { key, point, gap: nearest.projection.gap });
                continue;
            }
            let across = self.across(&mut nearest, &point, positions, surfaces, motion);
            let contact = |AntagonistPoint { projection, side, .. }, key| Contact {
                key,
                sides: [Side::on_nodes(self.candidates.body(), candidate.shares()), side],
                gap: projection.gap,
                frame: frame_from_unit(&projection.normal),
                area,
                point,
                pair: self.index,
            };
            detection.push(contact(nearest, key));
            for (ridge, other) in (1..).zip(across) {
                if let Some(other) = other.filter(|o| (-self.depth..=self.reach).contains(&o.projection.gap)) {
                    detection.push_across(contact(other, ContactKey { corner: ridge, ..key }));
                }
            }
        }
        Ok(())
    }

    /// The antagonist points across the re-entrant ridges of the nearest facet, by ridge.
    fn across(
        &self,
        nearest: &mut AntagonistPoint<D>,
        point: &Vector<D>,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        motion: &RigidMotion<D>,
    ) -> Vec<Option<AntagonistPoint<D>>> {
        let Some(facet) = nearest.facet.filter(|_| self.corners) else { return Vec::new() };
        let (facets, x, is_body) = match &self.target {
            PreparedAntagonist::Surface(index) => {
                let facets = &surfaces[*index];
                (facets, positions[facets.surface.body()], true)
            }
            PreparedAntagonist::Rigid { facets, placed, .. } => (facets, placed.as_slice(), false),
            PreparedAntagonist::Formula { .. } => return Vec::new(),
        };
        if !facets.corners[facet].contains(&true) {
            return Vec::new();
        }
        let surface = &facets.surface;
        let at = |facet: usize, projection: Projection<D>| {
            if is_body {
                on_body(surface, facet, projection)
            } else {
                on_obstacle(motion, point, Some(facet), projection)
            }
        };
        let Corners { own, others } = Corners::at(surface, &facets.corners[facet], x, facet, point);
        if let Some(own) = own {
            *nearest = at(facet, own);
        }
        others.into_iter().map(|other| other.map(|(facet, projection)| at(facet, projection))).collect()
    }

    /// The nearest antagonist point of a candidate, and the number of facets looked at.
    fn antagonist_of(
        &self,
        candidate: usize,
        point: &Vector<D>,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        motion: &RigidMotion<D>,
    ) -> (Option<AntagonistPoint<D>>, usize) {
        match &self.target {
            PreparedAntagonist::Surface(index) => {
                let facets = &surfaces[*index];
                let x = positions[facets.surface.body()];
                let own = self.own_depths.as_ref().map(|depths| {
                    OwnBody::new(&facets.surface, x, &self.candidates.points()[candidate], depths[candidate])
                });
                let (nearest, visited) = self.nearest(facets, x, own.as_ref(), point);
                let found = nearest.map(|(facet, projection)| {
                    let found = on_body(&facets.surface, facet, projection);
                    AntagonistPoint { projection: self.with_normal(&facets.surface, x, facet, projection), ..found }
                });
                (found, visited)
            }
            PreparedAntagonist::Rigid { facets, placed, .. } => {
                let (nearest, visited) = self.nearest(facets, placed, None, point);
                let found = nearest.map(|(facet, projection)| {
                    // The velocity is that of the foot, which the facet's own normal leads to.
                    let found = on_obstacle(motion, point, Some(facet), projection);
                    AntagonistPoint {
                        projection: self.with_normal(&facets.surface, placed, facet, projection),
                        ..found
                    }
                });
                (found, visited)
            }
            PreparedAntagonist::Formula { placed, .. } => {
                let (gap, normal) = placed.gap(point);
                let projection = Projection { distance: gap.abs(), gap, normal, weights: Few::default() };
                let seen = projection.distance <= self.radius() || !placed.has_other_side();
                (seen.then(|| on_obstacle(motion, point, None, projection)), 0)
            }
        }
    }

    /// Twice the depth: behind the face candidates are looked for so far, to tell those that went through.
    fn radius(&self) -> f64 {
        self.reach.max(2.0 * self.depth)
    }

    /// Nearest facet and projection; `own` is the candidate if the facets are of the same body.
    fn nearest(
        &self,
        FacetTree { surface, tree, .. }: &FacetTree<D>,
        positions: &[f64],
        own: Option<&OwnBody<'_, D>>,
        point: &Vector<D>,
    ) -> (Option<(usize, Projection<D>)>, usize) {
        let (nearest, visited) = tree.nearest(point, self.radius(), |facet, within| {
            let projection = match own {
                Some(own) => own.project(surface, positions, facet, point, within),
                None => Dimension::<D>::project(surface, positions, facet, point, within),
            };
            projection.map(|p| (p.distance, p))
        });
        (nearest.map(|n| (n.facet, n.value)), visited)
    }

    /// The projection with the normal that the pair wants ([`Normals`]); the facet's own where the other is not defined.
    fn with_normal(
        &self,
        surface: &FacetSurface<D>,
        positions: &[f64],
        facet: usize,
        projection: Projection<D>,
    ) -> Projection<D> {
        if self.normals == Normals::Facet {
            return projection;
        }
        let mut sum = Vector::zeros();
        for (node, weight) in surface.facets()[facet].into_iter().zip(projection.weights) {
            if let Some((normal, _)) = unit(&surface.normal_at(&[node], positions)) {
                sum += normal * weight;
            }
        }
        match unit(&sum) {
            Some((normal, _)) if normal.dot(&projection.normal) > 0.0 => {
                Projection { normal, gap: projection.gap * normal.dot(&projection.normal), ..projection }
            }
            _ => projection,
        }
    }
}

/// A point of a facet of a body.
fn on_body<const D: usize>(surface: &FacetSurface<D>, facet: usize, projection: Projection<D>) -> AntagonistPoint<D> {
    let weights = surface.facets()[facet].into_iter().zip(projection.weights);
    AntagonistPoint { projection, side: Side::on_nodes(surface.body(), weights), facet: Some(facet) }
}

/// A point of an obstacle, with the velocity that it has there.
fn on_obstacle<const D: usize>(
    motion: &RigidMotion<D>,
    point: &Vector<D>,
    facet: Option<usize>,
    projection: Projection<D>,
) -> AntagonistPoint<D> {
    let foot = point - projection.normal * projection.gap;
    AntagonistPoint { projection, side: Side::on_obstacle(motion.velocity_at(&foot)), facet }
}

/// Positions of the body of a surface, which are checked.
fn body_positions<'a, const D: usize>(
    surface: &FacetSurface<D>,
    positions: &[&'a [f64]],
) -> Result<&'a [f64], ContactError>
where
    Dimension<D>: NarrowPhase<D>,
{
    let body = surface.body();
    check_nodes::<D>(positions, body, surface.nodes())?;
    match flat_facet(surface, positions[body]) {
        Some(facet) => {
            let nodes = surface.facets()[facet].to_vec();
            let flat = ContactError::FlatFacet { body, facet, nodes: nodes.clone() };
            Err(if D == 2 { ContactError::ZeroLengthFacet { body, facet, nodes } } else { flat })
        }
        None => Ok(positions[body]),
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
