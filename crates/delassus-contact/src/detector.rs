//! From positions to contacts: the pairs, their trees, and one detection.
//!
//! Every candidate gets at most one contact: with the nearest point of its antagonist, by a tree of boxes ([`crate::BoxTree`]) and the
//! projection of the dimension ([`crate::NarrowPhase`]), or by the formula of a shape; if the pair has `corners`, also one with each facet
//! across a re-entrant ridge (`corner.rs`). Two limits of a pair decide:
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
//! rest: `self_contact.rs`. A candidate behind that limit is assumed to be on the far side, and is not listed.
//!
//! Sliding along a chain or over faces, the gap is continuous and changes by no more than the candidate moves; the normal is that of
//! the facet, turns with the candidate around a ridge that sticks out, and jumps by the angle of the bend at one that is re-entrant,
//! where the nearest facet changes. [`Normals::Continuous`] replaces that normal by an interpolated one.
//!
//! Candidates are nodes or points inside faces ([`crate::CandidatePoint`]): the same rules hold for both.

use std::collections::BTreeMap;

use crate::look::PassView;
use crate::prepared::{FacetTree, PreparedAntagonist, flat_facet};
use crate::self_contact;
use crate::{Aabb, Antagonist, BoxTree, CandidateSet, ContactError, Detection, Dimension, FacetSurface};
use crate::{NarrowPhase, Normals, Pairing, PassNumbers, PassPlace, RigidMotion, Target, Vector};

/// Contact detection for a fixed list of pairings.
#[derive(Debug, Clone)]
pub struct Detector<const D: usize> {
    /// Sorted by (id, pass), hence the contacts by key.
    pairings: Vec<PreparedPairing<D>>,
    surfaces: Surfaces<D>,
}

/// The surfaces of bodies, each once.
#[derive(Debug, Clone, Default)]
struct Surfaces<const D: usize> {
    trees: Vec<FacetTree<D>>,
    /// Places of those of a body.
    of_body: BTreeMap<usize, Vec<usize>>,
}

#[derive(Debug, Clone)]
struct PreparedPairing<const D: usize> {
    /// Position in the caller's list.
    index: usize,
    /// Position of the motion of its first target among all motions.
    first_motion: usize,
    id: u32,
    first_pass: u64,
    numbers: PassNumbers,
    sets: Vec<CandidateSet>,
    targets: Vec<PreparedTarget<D>>,
    /// Boxes of the targets, each as far around as it is looked for; `None` if every target is looked at.
    near: Option<BoxTree<D>>,
    normals: Normals,
    corners: bool,
    /// Largest penetration of every candidate of a (set, target), if the target is the surface of their own body.
    own_depths: BTreeMap<(usize, usize), Vec<f64>>,
}

#[derive(Debug, Clone)]
struct PreparedTarget<const D: usize> {
    antagonist: PreparedAntagonist<D>,
    reach: f64,
    depth: f64,
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
    pub fn new<P: Into<Pairing<D>>>(pairs: Vec<P>, positions: &[&[f64]]) -> Result<Self, ContactError> {
        let mut surfaces = Surfaces { trees: Vec::new(), of_body: BTreeMap::new() };
        let mut pairings: Vec<PreparedPairing<D>> = Vec::with_capacity(pairs.len());
        let mut first_motion = 0;
        for (index, pairing) in pairs.into_iter().map(Into::into).enumerate() {
            let prepared = PreparedPairing::new(index, first_motion, pairing, positions, &mut surfaces)?;
            first_motion += prepared.targets.len();
            pairings.push(prepared);
        }
        pairings.sort_by_key(|p| (p.id, p.first_pass));
        let goes_on = |w: &&[PreparedPairing<D>]| {
            let end = w[0].first_pass.saturating_add(w[0].numbers.count().max(1));
            w[0].id == w[1].id && end > w[1].first_pass
        };
        if let Some(twice) = pairings.windows(2).find(goes_on) {
            return Err(ContactError::DuplicatePair { pair: twice[1].id, pass: twice[1].first_pass });
        }
        Ok(Self { pairings, surfaces })
    }

    /// Finds the contacts in a configuration: world positions `positions[body][D * node + i]` (m), and one motion per target in
    /// the order of the pairs and their targets, [`crate::Translation`]s or [`RigidMotion`]s.
    ///
    /// The result depends on the arguments, the pairs and the positions at rest only, not on earlier calls.
    ///
    /// # Errors
    /// If positions are missing or not finite, a facet has no length, or the motions are not one finite motion per target.
    pub fn detect<M>(&mut self, positions: &[&[f64]], motions: &[M]) -> Result<Detection<D>, ContactError>
    where
        M: Copy + Into<RigidMotion<D>>,
    {
        let n_targets = self.pairings.iter().map(|p| p.targets.len()).sum();
        if motions.len() != n_targets {
            return Err(ContactError::MotionCount { motions: motions.len(), pairs: n_targets });
        }
        let motions: Vec<RigidMotion<D>> = motions.iter().map(|&m| m.into()).collect();
        self.place(positions, &motions)?;
        let mut detection = Detection::new(self.pairings.len());
        for pairing in &self.pairings {
            pairing.detect_into(positions, &self.surfaces.trees, pairing.own(&motions), &mut detection)?;
        }
        Ok(detection)
    }

    /// Checks the configuration, and fits surfaces and obstacles to it.
    fn place(&mut self, positions: &[&[f64]], motions: &[RigidMotion<D>]) -> Result<(), ContactError> {
        for pairing in &self.pairings {
            pairing.check(positions, pairing.own(motions))?;
        }
        for facets in &mut self.surfaces.trees {
            facets.refit(body_positions(&facets.surface, positions)?);
        }
        self.pairings.iter_mut().try_for_each(|pairing| pairing.place(motions, &self.surfaces.trees))
    }

    /// Number of pairs or pairings.
    #[must_use]
    pub fn n_pairs(&self) -> usize {
        self.pairings.len()
    }

    /// Number of different surfaces of bodies: pairs with equal surfaces share one.
    #[must_use]
    pub fn n_surfaces(&self) -> usize {
        self.surfaces.trees.len()
    }
}

impl<const D: usize> Surfaces<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    /// The place of a surface, which is added if there is no equal one.
    fn place_of(&mut self, surface: FacetSurface<D>, positions: &[f64]) -> usize {
        let of_body = self.of_body.entry(surface.body()).or_default();
        let known = of_body.iter().copied().find(|&k| self.trees[k].surface == surface);
        known.unwrap_or_else(|| {
            of_body.push(self.trees.len());
            self.trees.push(FacetTree::new(surface, positions));
            self.trees.len() - 1
        })
    }
}

impl<const D: usize> PreparedPairing<D>
where
    Dimension<D>: NarrowPhase<D>,
{
    fn new(
        index: usize,
        first_motion: usize,
        pairing: Pairing<D>,
        positions: &[&[f64]],
        surfaces: &mut Surfaces<D>,
    ) -> Result<Self, ContactError> {
        let numbers = pairing.numbers();
        let Pairing { id, first_pass, candidates: sets, targets: given, normals, corners } = pairing;
        for Target { reach, depth, .. } in &given {
            for (limit, value) in [("reach", *reach), ("depth", *depth)] {
                if value.is_nan() || value < 0.0 {
                    return Err(ContactError::InvalidLimit { pair: id, pass: first_pass, limit, value });
                }
            }
        }
        for set in &sets {
            check_nodes::<D>(positions, set.body(), set.nodes().iter().copied())?;
        }
        let mut sets_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (s, set) in sets.iter().enumerate() {
            sets_of.entry(set.body()).or_default().push(s);
        }
        let mut own_depths = BTreeMap::new();
        let mut targets = Vec::with_capacity(given.len());
        for (t, Target { antagonist, reach, depth }) in given.into_iter().enumerate() {
            let antagonist = match antagonist {
                Antagonist::Surface(surface) => {
                    let x = body_positions(&surface, positions)?;
                    let place = surfaces.place_of(surface, x);
                    let facets = &surfaces.trees[place];
                    for &s in sets_of.get(&facets.surface.body()).into_iter().flatten() {
                        if numbers.number(PassPlace { set: s, antagonist: t }).is_some() {
                            own_depths.insert((s, t), self_contact::depths(&sets[s], facets, x, depth));
                        }
                    }
                    PreparedAntagonist::Surface(place)
                }
                Antagonist::Obstacle(obstacle) => PreparedAntagonist::of_obstacle(&*obstacle)?,
            };
            targets.push(PreparedTarget { antagonist, reach, depth });
        }
        let boxes: Option<Vec<Aabb<D>>> = targets.iter().map(|t| t.bounds(&surfaces.trees)).collect();
        let near = boxes.filter(|b| b.len() > 1).map(|b| BoxTree::new(&b));
        Ok(Self { index, first_motion, id, first_pass, numbers, sets, targets, near, normals, corners, own_depths })
    }

    /// The motions of its targets.
    fn own<'m>(&self, motions: &'m [RigidMotion<D>]) -> &'m [RigidMotion<D>] {
        &motions[self.first_motion..self.first_motion + self.targets.len()]
    }

    fn check(&self, positions: &[&[f64]], motions: &[RigidMotion<D>]) -> Result<(), ContactError> {
        for set in &self.sets {
            check_nodes::<D>(positions, set.body(), set.nodes().iter().copied())?;
        }
        let broken = motions.iter().enumerate().find_map(|(antagonist, m)| m.broken().map(|b| (antagonist, b)));
        let Some((antagonist, (what, value))) = broken else { return Ok(()) };
        let first = self.numbers.number(PassPlace { set: 0, antagonist }).unwrap_or(0);
        Err(ContactError::NonFiniteMotion { pair: self.id, pass: self.first_pass + first, what, value })
    }

    /// Puts obstacles where they are now, and fits the boxes of the targets to their surfaces.
    fn place(&mut self, motions: &[RigidMotion<D>], surfaces: &[FacetTree<D>]) -> Result<(), ContactError> {
        let motions = &motions[self.first_motion..];
        for (target, motion) in self.targets.iter_mut().zip(motions) {
            target.antagonist.place(motion)?;
        }
        if let Some(near) = &mut self.near {
            let targets = &self.targets;
            near.refit(|t| targets[t].bounds(surfaces).unwrap_or_else(Aabb::empty));
        }
        Ok(())
    }

    fn detect_into(
        &self,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        motions: &[RigidMotion<D>],
        detection: &mut Detection<D>,
    ) -> Result<(), ContactError> {
        let mut neighbours = Vec::new();
        for (s, candidates) in self.sets.iter().enumerate() {
            self.neighbours_into(candidates, positions, surfaces, &mut neighbours);
            for &t in &neighbours {
                let Some(number) = self.numbers.number(PassPlace { set: s, antagonist: t }) else { continue };
                let PreparedTarget { antagonist, reach, depth } = &self.targets[t];
                let own_depths = self.own_depths.get(&(s, t)).map(Vec::as_slice);
                let view = PassView {
                    index: self.index,
                    id: self.id,
                    pass: self.first_pass + number,
                    candidates,
                    target: antagonist,
                    reach: *reach,
                    depth: *depth,
                    normals: self.normals,
                    corners: self.corners && self.normals == Normals::Facet && own_depths.is_none(),
                    own_depths,
                };
                view.detect_into(positions, surfaces, &motions[t], detection)?;
            }
        }
        Ok(())
    }

    /// The targets that a set of candidates can be near to, ascending.
    fn neighbours_into(
        &self,
        candidates: &CandidateSet,
        positions: &[&[f64]],
        surfaces: &[FacetTree<D>],
        neighbours: &mut Vec<usize>,
    ) {
        neighbours.clear();
        let Some(near) = &self.near else { return neighbours.extend(0..self.targets.len()) };
        let x = positions[candidates.body()];
        let place = |node: &usize| Vector::<D>::from_fn(|i, _| x[D * node + i]);
        // Points inside faces are between their nodes.
        let centres = Aabb::around(candidates.nodes().iter().map(place));
        let bounds = candidates.as_round().map_or(centres, |round| centres.grown(round.radius));
        near.meeting(&bounds, |t| neighbours.push(t));
        neighbours.retain(|&t| self.targets[t].bounds(surfaces).is_none_or(|b| b.meets(&bounds)));
        neighbours.sort_unstable();
    }
}

impl<const D: usize> PreparedTarget<D> {
    /// The box outside which no candidate finds it; `None` if there is no such box.
    fn bounds(&self, surfaces: &[FacetTree<D>]) -> Option<Aabb<D>> {
        let radius = self.reach.max(2.0 * self.depth);
        match &self.antagonist {
            PreparedAntagonist::Surface(place) if radius.is_finite() => {
                Some(surfaces[*place].tree.bounds().grown(radius))
            }
            _ => None,
        }
    }
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
