//! True penetration of all surfaces, and contact at the edge of a group: errors that contacts of declared
//! candidates cannot detect.
//!
//! A contact pair tests its candidates only. A coarse block whose two corner nodes are candidates falls past a narrower one; a body
//! without any contact passes through all others. So after each step the whole boundaries of all bodies are tested:
//!
//! ```text
//! nodes and middles of facets of every body    in every other body that no joint connects to it, and in the obstacles that its contacts name
//! facets                                       against balls, boxes and cylinders between their nodes
//! corners of obstacles made of facets          in every body
//! grains, which have no facets                 in grains, bodies and obstacles, by their radii (`balls.rs`)
//! ```
//!
//! Parts of one body that no cell joins (a mesh split from side to side) are solids of their own. The faces of a crack that ends inside a body,
//! and a body that folds on itself, are not distinguished from the body; only their contacts test them.
//!
//! Depths are divided by the local size of facets, the accuracy to which a surface is known: nodes of a coarse arc of radius R lie in a
//! fine counterpart by s²/8R for facets of size s, and that is the mesh, not an error. Below [`SLIGHT`] of a facet nothing is reported.
//! The penetration that a pair allows at the start (`initial_penetration`) is subtracted first.
//!
//! The test depends on the state only and does not change it.

mod balls;
mod declared;
mod edges;
mod skin;
mod spacing;

use std::collections::BTreeSet;
use std::sync::Arc;

use delassus_contact::{Aabb, DepthLimit, ObstacleSolid, SolidDepth, SolidShape, SurfacePoint, Vector, bounds_of};

use crate::error::SimError;
use crate::model::{Model, MovingObstacle};
use crate::outcome::Outcome;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};

use balls::Balls;
use declared::Declared;
use edges::GroupEdges;

pub use edges::{EdgeContact, EdgeSide};
pub use spacing::Spacing;

/// Part of a facet's size below which a penetration is none.
pub const SLIGHT: f64 = 1e-3;

/// A point of a body's surface inside something else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePenetration<const D: usize> {
    /// Distance to the surface that was passed \[m\].
    pub depth: f64,
    /// Depth beyond what the contact allows at the start, over the size of the smaller facet.
    pub ratio: f64,
    /// Whose surface it is; of an obstacle's corner, the body that holds it.
    pub body: usize,
    /// What it is in.
    pub into: Entered,
    /// Where \[m\].
    pub place: [f64; D],
    /// Does a contact name the two?
    pub declared: bool,
}

/// What a surface has entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// A body, or another part of the same.
    Body(usize),
    /// An obstacle, by its place in the case's list.
    Obstacle(usize),
}

/// The worst penetrations of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceFindings<const D: usize> {
    /// Between bodies, or with obstacles, that some contact names.
    pub declared: Option<SurfacePenetration<D>>,
    /// Between those that no contact names.
    pub undeclared: Option<SurfacePenetration<D>>,
}

impl<const D: usize> SurfaceFindings<D> {
    /// The one of larger ratio; the declared one among equals.
    #[must_use]
    pub fn worst(&self) -> Option<SurfacePenetration<D>> {
        match (self.declared, self.undeclared) {
            (Some(a), Some(b)) => Some(if b.ratio > a.ratio { b } else { a }),
            (a, b) => a.or(b),
        }
    }

    /// The ratio that a finding must exceed to be reported.
    fn ratio(&self, declared: bool) -> f64 {
        let known = if declared { self.declared } else { self.undeclared };
        known.map_or(SLIGHT, |p| p.ratio)
    }

    fn keep(&mut self, found: SolidDepth<D>, body: usize, into: Entered, declared: bool) {
        let SolidDepth { depth, ratio, place } = found;
        let found = Some(SurfacePenetration { depth, ratio, body, into, place: place.into(), declared });
        if declared {
            self.declared = found;
        } else {
            self.undeclared = found;
        }
    }
}

/// What the surfaces show after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceView<const D: usize> {
    /// The worst penetrations.
    pub penetrations: SurfaceFindings<D>,
    /// The contact that has gone farthest beyond its group.
    pub edge: Option<EdgeContact<D>>,
}

/// A connected part of a body.
struct WatchedSolid {
    body: usize,
    shape: usize,
    /// Nodes of the body, in the order of the shape.
    nodes: Arc<[usize]>,
}

/// An obstacle that contacts name.
struct WatchedObstacle<const D: usize> {
    obstacle: MovingObstacle<D>,
    solid: ObstacleSolid<D>,
    /// Of open surfaces: points of solids (solid, point) that are behind in the geometry as given.
    behind_at_start: BTreeSet<(usize, usize)>,
}

/// The surfaces of all bodies of a model, and the obstacles.
pub struct SurfaceWatch<const D: usize> {
    shapes: Vec<SolidShape<D>>,
    solids: Vec<WatchedSolid>,
    obstacles: Vec<WatchedObstacle<D>>,
    declared: Declared,
    unseen: Vec<usize>,
    edges: GroupEdges,
    balls: Balls<D>,
}

/// Where the solids are.
struct Configuration<const D: usize> {
    positions: Vec<Vec<f64>>,
    boxes: Vec<Aabb<D>>,
}

impl<const D: usize> SurfaceWatch<D>
where
    Dimension<D>: Space<D>,
{
    /// The surfaces of a model.
    ///
    /// # Errors
    /// If an obstacle is not valid.
    pub fn new(model: &Model<D>) -> Result<Self, SimError> {
        let mut watch = Self {
            shapes: Vec::new(),
            solids: Vec::new(),
            obstacles: Vec::new(),
            declared: Declared::of(model),
            unseen: Vec::new(),
            edges: GroupEdges::default(),
            balls: Balls::of(model),
        };
        for body in 0..model.bodies.len() {
            watch.add_body(model, body);
        }
        watch.add_obstacles(model)?;
        watch.note_what_is_behind(model)?;
        watch.edges = watch.group_edges(model);
        Ok(watch)
    }

    /// Bodies whose boundary touches itself along a ridge, so that it has no inside: they are not looked at.
    #[must_use]
    pub fn unseen(&self) -> &[usize] {
        &self.unseen
    }

    /// What it holds in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let nodes: usize = self.solids.iter().map(|s| s.nodes.len()).sum();
        // While it looks, the positions of all nodes are there too.
        self.shapes.iter().map(SolidShape::bytes).sum::<usize>()
            + nodes * size_of::<f64>() * (1 + D)
            + self.balls.bytes()
    }

    /// The solids of a body; solids are stored in the order of the bodies.
    fn solids_of(&self, body: usize) -> std::ops::Range<usize> {
        let below = |limit: usize| self.solids.partition_point(|s| s.body < limit);
        below(body)..below(body + 1)
    }

    fn add_body(&mut self, model: &Model<D>, body: usize) {
        let mesh = model.bodies[body].body.mesh();
        // Copies have cells alike, and follow each other.
        let last = body.checked_sub(1).filter(|&b| model.bodies[b].entry == model.bodies[body].entry);
        if last.is_some_and(|b| model.bodies[b].body.mesh().blocks == mesh.blocks) {
            let copied = |s: &WatchedSolid| WatchedSolid { body, shape: s.shape, nodes: s.nodes.clone() };
            let of_last: Vec<_> = self.solids[self.solids_of(body - 1)].iter().map(copied).collect();
            self.solids.extend(of_last);
            if self.unseen.last().copied() == last {
                self.unseen.push(body);
            }
            return;
        }
        for skin::Part { nodes, facets } in skin::parts(mesh) {
            let at_rest: Vec<f64> = nodes.iter().flat_map(|&n| mesh.points[n]).collect();
            match SolidShape::new(facets, &at_rest) {
                Some(shape) => {
                    self.shapes.push(shape);
                    self.solids.push(WatchedSolid { body, shape: self.shapes.len() - 1, nodes: nodes.into() });
                }
                None if self.unseen.last() == Some(&body) => {}
                None => self.unseen.push(body),
            }
        }
    }

    /// Adds the obstacles that contacts name.
    fn add_obstacles(&mut self, model: &Model<D>) -> Result<(), SimError> {
        for (_, o) in model.obstacles() {
            if self.obstacles.iter().all(|known| known.obstacle.number != o.number) {
                let solid = ObstacleSolid::new(&*o.shape)?;
                let behind_at_start = BTreeSet::new();
                self.obstacles.push(WatchedObstacle { obstacle: o.clone(), solid, behind_at_start });
            }
        }
        Ok(())
    }

    /// A body may reach behind an open surface from the beginning, round its end.
    fn note_what_is_behind(&mut self, model: &Model<D>) -> Result<(), SimError> {
        let at_rest: Vec<Vec<f64>> = self
            .solids
            .iter()
            .map(|s| s.nodes.iter().flat_map(|&n| model.bodies[s.body].body.mesh().points[n]).collect())
            .collect();
        for watched in self.obstacles.iter_mut().filter(|o| o.solid.is_open()) {
            watched.solid.place(&watched.obstacle.pose(0.0))?;
            for (k, (solid, x)) in self.solids.iter().zip(&at_rest).enumerate() {
                let points = self.shapes[solid.shape].points(x).enumerate();
                let behind = points.filter(|(_, p)| watched.solid.gap(&p.place) < -SLIGHT * p.size);
                watched.behind_at_start.extend(behind.map(|(i, _)| (k, i)));
            }
        }
        self.note_balls_behind(model);
        Ok(())
    }

    fn configuration(&self, model: &Model<D>, snapshot: &Snapshot) -> Configuration<D> {
        let bodies = model.bodies.iter().zip(&snapshot.states);
        let displacements: Vec<_> = bodies.map(|(b, s)| b.body.displacements(&s.q)).collect();
        let place = |s: &WatchedSolid| -> Vec<f64> {
            let (points, u) = (&model.bodies[s.body].body.mesh().points, &displacements[s.body]);
            s.nodes.iter().flat_map(|&n| (0..D).map(move |i| points[n][i] + u[D * n + i])).collect()
        };
        let positions: Vec<Vec<f64>> = self.solids.iter().map(place).collect();
        let boxes = positions.iter().map(|x| bounds_of(x)).collect();
        Configuration { positions, boxes }
    }

    /// The worst penetrations of a state: a function of it alone.
    ///
    /// # Errors
    /// If a moving obstacle made of facets loses them to rounding, far from the origin.
    pub fn look(&mut self, model: &Model<D>, snapshot: &Snapshot) -> Result<SurfaceFindings<D>, SimError> {
        let at = self.configuration(model, snapshot);
        let mut findings = SurfaceFindings::default();
        for [host, guest] in meeting(&at.boxes) {
            self.look_at_bodies(host, guest, &at, &mut findings);
        }
        self.place_obstacles(snapshot.time())?;
        for k in 0..self.obstacles.len() {
            for solid in 0..self.solids.len() {
                self.look_at_obstacle(k, solid, &at, &mut findings);
            }
        }
        self.look_at_balls(model, snapshot, &at, &mut findings);
        Ok(findings)
    }

    /// What the surfaces show after a step.
    ///
    /// # Errors
    /// As [`SurfaceWatch::look`].
    pub fn see(&mut self, model: &Model<D>, outcome: &Outcome<D>) -> Result<SurfaceView<D>, SimError> {
        let penetrations = self.look(model, &outcome.snapshot)?;
        Ok(SurfaceView { penetrations, edge: self.edge_contact(model, outcome)? })
    }

    fn place_obstacles(&mut self, time: f64) -> Result<(), SimError> {
        self.obstacles.iter_mut().try_for_each(|o| Ok(o.solid.place(&o.obstacle.pose(time))?))
    }

    fn look_at_bodies(&mut self, host: usize, guest: usize, at: &Configuration<D>, findings: &mut SurfaceFindings<D>) {
        let [into, body] = [host, guest].map(|k| self.solids[k].body);
        let allowed = self.declared.between(body, into);
        if allowed.is_none() && self.declared.are_jointed(body, into) {
            return;
        }
        let limit = DepthLimit { allowed: allowed.unwrap_or(0.0), ratio: findings.ratio(allowed.is_some()) };
        let (shape, bounds) = (&self.shapes[self.solids[host].shape], &at.boxes[host]);
        let points = self.shapes[self.solids[guest].shape].points(&at.positions[guest]);
        let near: Vec<SurfacePoint<D>> = points.filter(|p| shape.may_hold(bounds, p, limit)).collect();
        if near.is_empty() {
            return;
        }
        let placed = self.shapes[self.solids[host].shape].placed(&at.positions[host]);
        if let Some(found) = placed.deepest(near, limit) {
            findings.keep(found, body, Entered::Body(into), allowed.is_some());
        }
    }

    fn look_at_obstacle(&mut self, k: usize, solid: usize, at: &Configuration<D>, findings: &mut SurfaceFindings<D>) {
        let WatchedObstacle { obstacle, solid: target, behind_at_start } = &self.obstacles[k];
        let (body, x, bounds) = (self.solids[solid].body, &at.positions[solid], &at.boxes[solid]);
        // An obstacle is there for those only that a contact names: a wall without end stands in many a body that is never to meet it.
        let Some(allowed) = self.declared.with_obstacle(body, obstacle.number) else { return };
        let into = Entered::Obstacle(obstacle.number);
        let mut limit = DepthLimit { allowed, ratio: findings.ratio(true) };
        let mut best = None;
        let mut keep = |found: Option<SolidDepth<D>>, limit: &mut DepthLimit| {
            if let Some(found) = found {
                (best, limit.ratio) = (Some(found), found.ratio);
            }
        };
        let middle = (bounds.low + bounds.high) * 0.5;
        if target.gap(&middle) <= 0.5 * (bounds.high - bounds.low).norm() || target.is_open() {
            let shape = &self.shapes[self.solids[solid].shape];
            for (i, point) in shape.points(x).enumerate() {
                if !behind_at_start.contains(&(solid, i)) {
                    keep(target.depth(&point, limit), &mut limit);
                }
            }
            for (facet, &size) in shape.facet_sizes().iter().enumerate() {
                keep(target.depth_between(&shape.surface().corners(facet, x), size, limit), &mut limit);
            }
        }
        let corners = target.corners().map(|place| SurfacePoint { place, size: f64::INFINITY });
        let shape = &self.shapes[self.solids[solid].shape];
        let near: Vec<SurfacePoint<D>> = corners.filter(|p| shape.may_hold(bounds, p, limit)).collect();
        if !near.is_empty() {
            let placed = self.shapes[self.solids[solid].shape].placed(x);
            keep(placed.deepest(near, limit), &mut limit);
        }
        if let Some(found) = best {
            findings.keep(found, body, into, true);
        }
    }

    /// Signed distance of a point from the solids of a body \[m\], those with the node `but` of the body left out; infinite if it is
    /// outside by more than `reach`.
    fn gap_to_body(
        &mut self,
        at: &Configuration<D>,
        body: usize,
        but: Option<usize>,
        point: &Vector<D>,
        reach: f64,
    ) -> f64 {
        let mut least = f64::INFINITY;
        for k in self.solids_of(body) {
            let own = but.is_some_and(|node| self.solids[k].nodes.binary_search(&node).is_ok());
            if own || at.boxes[k].distance(point) > reach {
                continue;
            }
            let placed = self.shapes[self.solids[k].shape].placed(&at.positions[k]);
            let within = reach.max(2.0 * at.boxes[k].inner_distance(point));
            least = placed.gap(point, within).map_or(least, |(_, gap)| least.min(gap));
        }
        least
    }
}

/// Which boxes overlap, both ways round: (host, guest), ascending.
fn meeting<const D: usize>(boxes: &[Aabb<D>]) -> Vec<[usize; 2]> {
    let all = boxes.iter().fold(Aabb::empty(), |all, b| all.merged(b));
    let axis = (all.high - all.low).imax();
    // From one end to the other a box can meet only those that begin before it ends.
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&a, &b| boxes[a].low[axis].total_cmp(&boxes[b].low[axis]).then(a.cmp(&b)));
    let mut pairs = Vec::new();
    for (k, &a) in order.iter().enumerate() {
        let reached = order[k + 1..].iter().take_while(|&&b| boxes[b].low[axis] < boxes[a].high[axis]);
        for &b in reached {
            let overlap = |i: usize| boxes[a].high[i].min(boxes[b].high[i]) > boxes[a].low[i].max(boxes[b].low[i]);
            if (0..D).all(overlap) {
                pairs.extend([[a, b], [b, a]]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_meet_are_those_of_all_pairs() {
        // A fixed sequence that fills the plane unevenly; edges that only touch do not meet.
        let boxes: Vec<Aabb<2>> = (0..60_u32)
            .map(|k| {
                let [x, y] = [f64::from(k * 37 % 23), f64::from(k * 53 % 19)];
                let size = f64::from(1 + k % 4);
                Aabb { low: Vector::<2>::new(x, y), high: Vector::<2>::new(x + size, y + 2.0) }
            })
            .collect();
        let mut expected = Vec::new();
        for (i, a) in boxes.iter().enumerate() {
            for (j, b) in boxes.iter().enumerate().filter(|(j, _)| *j != i) {
                if (0..2).all(|k| a.low[k] < b.high[k] && b.low[k] < a.high[k]) {
                    expected.push([i, j]);
                }
            }
        }
        assert_eq!(meeting(&boxes), expected);
        assert!(expected.len() > 100 && expected.len() < 60 * 59 / 2, "{}", expected.len());
        assert_eq!(meeting::<3>(&[]), Vec::<[usize; 2]>::new());
    }
}
