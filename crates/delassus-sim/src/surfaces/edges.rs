//! Contact at the edge of a group: the contact extends beyond the candidates, or the facets, of its pair.
//!
//! A group of facets ends where the neighbour across an edge is not in the group. If the surface continues there without a corner (the
//! normals differ by less than 45° at rest) and no other contact contains the neighbour, a contact that acts at the end of the group
//! probably extends beyond it, where nothing resists. It certainly does if
//!
//! ```text
//! p_N > 0 at the end of the group,  and  depth(x) > depth of the contact itself       x a node of the neighbour, past the ridge
//! ```
//!
//! that is, if the surface beyond the group penetrates the other side more deeply than the contact does. Both sides of a pair
//! are checked: the candidates at the end of their group, and the facets at the end of the antagonists' group.
//!
//! Of points inside facets, those nearest to the edge are at the end: those with the largest weight on its nodes. In self contact the
//! surface beyond the group lies in the same body: nothing is reported there.

use std::collections::{BTreeMap, BTreeSet};

use delassus_contact::{CandidateSet, Contact, FacetSurface, Map, NarrowPhase, Vector};

use super::{Configuration, SurfaceWatch, WatchedSolid};
use crate::error::SimError;
use crate::model::{Model, ModelAntagonist};
use crate::outcome::{Outcome, Touch};
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};

/// Cosine of the angle between neighbours up to which a surface continues: 45°.
const SMOOTH: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Weights that differ by less are those of points equally near to a ridge.
const SAME_WEIGHT: f64 = 1e-9;

/// A contact that extends beyond its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeContact<const D: usize> {
    /// Number of the pair.
    pub pair: usize,
    /// The body whose group ends.
    pub body: usize,
    /// Which side of the pair that is.
    pub side: EdgeSide,
    /// How deep the surface beyond is in the other side \[m\].
    pub depth: f64,
    /// The same over the size of its facets.
    pub ratio: f64,
    /// Where \[m\].
    pub place: [f64; D],
    /// Contacts of all pairs that act at such an end.
    pub count: usize,
}

/// A side of a contact pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeSide {
    /// Whose points may touch.
    Candidates,
    /// Whose facets they may touch.
    Antagonists,
}

/// Nodes of a body past the end of a group, each with the size of its facets \[m\].
type Beyond = BTreeMap<usize, f64>;

/// A side of the passes of a pair: the pair, whether its sides are exchanged, and the body.
type SideKey = (usize, bool, usize);

/// The ends of all groups beyond which the surface continues; sides without such ends are left out.
#[derive(Default)]
pub(super) struct GroupEdges {
    /// Of the candidates' sides, by candidate.
    candidates: BTreeMap<SideKey, BTreeMap<usize, Beyond>>,
    /// Of the antagonists' sides, by the nodes of the end.
    antagonists: BTreeMap<SideKey, BTreeMap<usize, Beyond>>,
}

/// A node past the end of a group, with the size of its facets \[m\].
struct PastEnd {
    side: EdgeSide,
    node: usize,
    size: f64,
}

/// A ridge at the end of a group: its nodes, and those past it.
struct End {
    ridge: Vec<usize>,
    beyond: Beyond,
}

impl<const D: usize> SurfaceWatch<D>
where
    Dimension<D>: Space<D>,
{
    /// The ends of all groups of the model's contacts.
    pub(super) fn group_edges(&self, model: &Model<D>) -> GroupEdges {
        let mut edges = GroupEdges::default();
        for (pair, direction) in model.directions() {
            for set in direction.candidates() {
                let key = (pair, direction.is_exchanged(), set.body());
                let nodes: BTreeSet<usize> = set.nodes().iter().copied().collect();
                let covered = |of: &[usize]| of.iter().all(|n| nodes.contains(n));
                let ends = self.ends(model, set.body(), covered, covered);
                edges.candidates.extend((!ends.is_empty()).then(|| (key, at_candidates(set, &ends))));
            }
            for s in direction.surfaces() {
                let key = (pair, direction.is_exchanged(), s.body());
                let facets: BTreeSet<Vec<usize>> = s.facets().iter().map(|f| sorted(f)).collect();
                let ends = self.ends(model, s.body(), |facet| facets.contains(&sorted(facet)), |_| false);
                edges.antagonists.extend((!ends.is_empty()).then(|| (key, at_nodes(&ends))));
            }
        }
        edges
    }

    /// Where a group ends and the surface of its body continues: at the ridges of its facets, and at ridges that it holds without a facet
    /// of theirs (a single node in the plane).
    fn ends(
        &self,
        model: &Model<D>,
        body: usize,
        holds_facet: impl Fn(&[usize]) -> bool,
        holds_ridge: impl Fn(&[usize]) -> bool,
    ) -> Vec<End> {
        let mut ends = Vec::new();
        let b = &model.bodies[body];
        let in_contact = |node: usize| b.contact_dofs.binary_search(&(D * node)).is_ok();
        for WatchedSolid { shape, nodes, .. } in &self.solids[self.solids_of(body)] {
            let shape = &self.shapes[*shape];
            let surface: &FacetSurface<D> = shape.surface();
            let at_rest: Vec<f64> = nodes.iter().flat_map(|&n| b.body.mesh().points[n]).collect();
            let global = |facet: usize| surface.facets()[facet].map(|n| nodes[n]);
            let normal = |facet: usize| Dimension::<D>::normal(&surface.corners(facet, &at_rest));
            let is_in: Vec<bool> = (0..surface.facets().len()).map(|f| holds_facet(&global(f))).collect();
            for facet in 0..is_in.len() {
                let others = surface.neighbours(facet);
                for (r, next) in others.iter().enumerate().filter_map(|(r, next)| next.map(|next| (r, next))) {
                    let corners = Dimension::<D>::ridge(others.len(), r);
                    let ridge: Vec<usize> = corners.iter().map(|&c| global(facet)[c]).collect();
                    let ends_here = !is_in[next] && (is_in[facet] || holds_ridge(&ridge));
                    if !ends_here || global(next).iter().all(|&n| in_contact(n)) {
                        continue;
                    }
                    if normal(facet).zip(normal(next)).is_some_and(|(m, n)| m.dot(&n) > SMOOTH) {
                        let past = surface.facets()[next].into_iter().filter(|&n| !ridge.contains(&nodes[n]));
                        let beyond = past.map(|n| (nodes[n], shape.node(n, &at_rest).size)).collect();
                        ends.push(End { ridge, beyond });
                    }
                }
            }
        }
        ends
    }

    /// The contact of a step that has gone farthest beyond its group, by the ratio of depth to size; `None` if all are within.
    ///
    /// # Errors
    /// As [`SurfaceWatch::look`].
    pub fn edge_contact(&mut self, model: &Model<D>, outcome: &Outcome<D>) -> Result<Option<EdgeContact<D>>, SimError> {
        let acting = outcome.touches.iter().filter(|t| t.impulse[0] > 0.0);
        let rounding = model.rounding();
        let deeper = |t: &Touch<D>| (-t.true_gap).max(0.0) + rounding;
        self.farthest(model, &outcome.snapshot, acting.map(|t| (&t.contact, deeper(t))))
    }

    /// The same of a state before any step: contacts that touch at the end of a group, while the surface beyond touches as well.
    ///
    /// # Errors
    /// As [`SurfaceWatch::look`].
    pub fn edge_at_start(
        &mut self,
        model: &Model<D>,
        snapshot: &Snapshot,
        contacts: &[Contact<D>],
    ) -> Result<Option<EdgeContact<D>>, SimError> {
        let rounding = model.rounding();
        let touching = contacts.iter().filter(|c| c.gap <= rounding);
        self.farthest(model, snapshot, touching.map(|c| (c, -rounding)))
    }

    /// Of contacts, each with the depth that the surface beyond must exceed.
    fn farthest<'c>(
        &mut self,
        model: &Model<D>,
        snapshot: &Snapshot,
        contacts: impl Iterator<Item = (&'c Contact<D>, f64)>,
    ) -> Result<Option<EdgeContact<D>>, SimError> {
        let edges = std::mem::take(&mut self.edges);
        let at_ends = contacts.filter_map(|(c, deeper)| edges.at(model, c).map(|beyond| (c, deeper, beyond)));
        let found = self.farthest_of(model, snapshot, &at_ends.collect::<Vec<_>>());
        self.edges = edges;
        found
    }

    fn farthest_of(
        &mut self,
        model: &Model<D>,
        snapshot: &Snapshot,
        at_ends: &[(&Contact<D>, f64, Vec<PastEnd>)],
    ) -> Result<Option<EdgeContact<D>>, SimError> {
        if at_ends.is_empty() {
            return Ok(None);
        }
        let at = self.configuration(model, snapshot);
        self.place_obstacles(snapshot.time())?;
        let (mut worst, mut count) = (None::<EdgeContact<D>>, 0);
        for (contact, deeper, beyond) in at_ends {
            let mut is_beyond = false;
            for past in beyond {
                let Some((body, place, depth)) = self.depth_beyond(model, &at, contact, past) else { continue };
                if depth <= *deeper {
                    continue;
                }
                is_beyond = true;
                let (pair, side, ratio) = (contact.key.pair as usize, past.side, depth / past.size);
                if worst.is_none_or(|w| ratio > w.ratio) {
                    worst = Some(EdgeContact { pair, body, side, depth, ratio, place: place.into(), count: 0 });
                }
            }
            count += usize::from(is_beyond);
        }
        Ok(worst.map(|w| EdgeContact { count, ..w }))
    }

    /// The body whose group ends, where its node past the end is, and how deep in the other side (below zero outside).
    fn depth_beyond(
        &mut self,
        model: &Model<D>,
        at: &Configuration<D>,
        contact: &Contact<D>,
        past: &PastEnd,
    ) -> Option<(usize, Vector<D>, f64)> {
        let [candidate, antagonist] = [0, 1].map(|k| contact.sides[k].body);
        let (own, other) = match past.side {
            EdgeSide::Candidates => (candidate?, antagonist),
            EdgeSide::Antagonists => (antagonist?, candidate),
        };
        let place = self.place_of(at, own, past.node)?;
        let gap = match other {
            Some(body) => self.gap_to_body(at, body, (body == own).then_some(past.node), &place, past.size),
            None => {
                let ModelAntagonist::Obstacle(o) = model.pass_of(&contact.key)?.antagonist else { return None };
                self.obstacles.iter().find(|w| w.obstacle.number == o.number)?.solid.gap(&place)
            }
        };
        Some((own, place, -gap))
    }

    fn place_of(&self, at: &Configuration<D>, body: usize, node: usize) -> Option<Vector<D>> {
        self.solids_of(body).find_map(|solid| {
            let k = self.solids[solid].nodes.binary_search(&node).ok()?;
            Some(Vector::from_fn(|i, _| at.positions[solid][D * k + i]))
        })
    }
}

impl GroupEdges {
    /// What is past the ends that a contact is at.
    fn at<const D: usize>(&self, model: &Model<D>, contact: &Contact<D>) -> Option<Vec<PastEnd>> {
        let pair = contact.key.pair as usize;
        let exchanged = model.pass_of(&contact.key)?.exchanged;
        let side = |k: usize| contact.sides[k].body.map(|body| (pair, exchanged, body));
        let mut out = Vec::new();
        let mut add = |side: EdgeSide, beyond: &Beyond| {
            out.extend(beyond.iter().map(|(&node, &size)| PastEnd { side, node, size }));
        };
        let known = side(0).and_then(|key| self.candidates.get(&key));
        if let Some(beyond) = known.and_then(|known| known.get(&(contact.key.candidate as usize))) {
            add(EdgeSide::Candidates, beyond);
        }
        let known = side(1).and_then(|key| self.antagonists.get(&key));
        if let (Some(known), Map::Nodes(weights)) = (known, &contact.sides[1].map) {
            for beyond in weights.iter().filter_map(|(node, _)| known.get(node)) {
                add(EdgeSide::Antagonists, beyond);
            }
        }
        (!out.is_empty()).then_some(out)
    }
}

fn sorted(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes
}

/// What is past the ridges of every node.
fn at_nodes(ends: &[End]) -> BTreeMap<usize, Beyond> {
    let mut out: BTreeMap<usize, Beyond> = BTreeMap::new();
    for End { ridge, beyond } in ends {
        for &node in ridge {
            out.entry(node).or_default().extend(beyond);
        }
    }
    out
}

/// What is past the ridges that every candidate stands at.
fn at_candidates(set: &CandidateSet, ends: &[End]) -> BTreeMap<usize, Beyond> {
    if ends.is_empty() {
        return BTreeMap::new();
    }
    let mut points_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, point) in set.points().iter().enumerate() {
        point.nodes().iter().for_each(|&node| points_of.entry(node).or_default().push(i));
    }
    let mut out: BTreeMap<usize, Beyond> = BTreeMap::new();
    for End { ridge, beyond } in ends {
        let near: BTreeSet<usize> = ridge.iter().filter_map(|n| points_of.get(n)).flatten().copied().collect();
        let weight = |i: usize| {
            let on_ridge = set.points()[i].shares().filter(|(n, _)| ridge.contains(n));
            on_ridge.map(|(_, w)| w).sum::<f64>()
        };
        let most = near.iter().map(|&i| weight(i)).fold(0.0, f64::max);
        for &i in near.iter().filter(|&&i| weight(i) >= most - SAME_WEIGHT) {
            out.entry(i).or_default().extend(beyond);
        }
    }
    out
}
