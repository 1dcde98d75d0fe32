//! Penetration of disks and balls that have no facets: grains of packings.
//!
//! ```text
//! ball in ball        r_a + r_b − |c_a − c_b|          exact
//! ball in solid       r − g(c)                         g: signed distance of the centre from the facets of the solid
//! ball in obstacle    r − g(c)                         g: signed distance from the obstacle
//! ```
//!
//! Depths are divided by the radius, in place of the size of a facet: of the smaller one, or of the facet that was entered if that is smaller.

use std::collections::BTreeSet;

use delassus_contact::{Aabb, SolidDepth, Vector};
use delassus_shapes::BroadPhase;

use super::{Configuration, Entered, SurfaceFindings, SurfaceWatch};
use crate::model::Model;
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};

/// The balls of a model.
#[derive(Default)]
pub(super) struct Balls<const D: usize> {
    /// Body and radius \[m\].
    all: Vec<(usize, f64)>,
    /// Balls whose centres are behind an open surface from the beginning, by the place of the obstacle among the watched ones.
    behind_at_start: BTreeSet<(usize, usize)>,
    near: BroadPhase<D>,
}

impl<const D: usize> Balls<D> {
    /// Those bodies that are balls without facets.
    pub fn of(model: &Model<D>) -> Self {
        let ball = |(k, b): (usize, &crate::model::ModelBody<D>)| {
            let radius = b.body.rigid()?.ball_radius()?;
            (b.body.mesh().n_cells() == 0).then_some((k, radius))
        };
        Self { all: model.bodies.iter().enumerate().filter_map(ball).collect(), ..Self::default() }
    }

    pub fn bytes(&self) -> usize {
        self.all.len() * (size_of::<(usize, f64)>() + 3 * size_of::<Aabb<D>>())
    }

    fn centres(&self, model: &Model<D>, q: impl Fn(usize) -> Vec<f64>) -> Vec<Vector<D>> {
        let centre = |&(body, _): &(usize, f64)| {
            let rigid = model.bodies[body].body.rigid();
            rigid.map_or_else(Vector::zeros, |rigid| rigid.pose(&q(body)).centre)
        };
        self.all.iter().map(centre).collect()
    }
}

impl<const D: usize> SurfaceWatch<D>
where
    Dimension<D>: Space<D>,
{
    /// Notes which balls are behind an open surface at the start; obstacles are in their first places.
    pub(super) fn note_balls_behind(&mut self, model: &Model<D>) {
        let centres = self.balls.centres(model, |body| model.bodies[body].body.reference());
        for (k, watched) in self.obstacles.iter().enumerate().filter(|(_, o)| o.solid.is_open()) {
            let behind = centres.iter().enumerate().filter(|(_, c)| watched.solid.gap(c) < 0.0);
            self.balls.behind_at_start.extend(behind.map(|(ball, _)| (k, ball)));
        }
    }

    /// Balls in balls, in solids and in obstacles, which are in their places.
    pub(super) fn look_at_balls(
        &mut self,
        model: &Model<D>,
        snapshot: &Snapshot,
        at: &Configuration<D>,
        findings: &mut SurfaceFindings<D>,
    ) {
        if self.balls.all.is_empty() {
            return;
        }
        let centres = self.balls.centres(model, |body| snapshot.states[body].q.clone());
        let n = centres.len();
        let around = |(c, &(_, r)): (&Vector<D>, &(usize, f64))| {
            let r = Vector::repeat(r);
            Aabb { low: c - r, high: c + r }
        };
        let boxes: Vec<Aabb<D>> =
            centres.iter().zip(&self.balls.all).map(around).chain(at.boxes.iter().copied()).collect();
        let mut near = Vec::new();
        self.balls.near.pairs(&boxes, 0.0, |i, _| i < n, &mut near);
        for (i, j) in near {
            if j < n {
                self.look_at_two_balls((i, &centres[i]), (j, &centres[j]), findings);
            } else {
                self.look_at_ball_in_solid((i, &centres[i]), j - n, at, findings);
            }
        }
        for k in 0..self.obstacles.len() {
            for (ball, centre) in centres.iter().enumerate() {
                self.look_at_ball_in_obstacle((ball, centre), k, findings);
            }
        }
    }

    fn look_at_two_balls(
        &self,
        (i, a): (usize, &Vector<D>),
        (j, b): (usize, &Vector<D>),
        findings: &mut SurfaceFindings<D>,
    ) {
        let [(one, r_a), (other, r_b)] = [i, j].map(|k| self.balls.all[k]);
        let depth = r_a + r_b - (a - b).norm();
        if depth <= 0.0 {
            return;
        }
        let allowed = self.declared.between(one, other);
        if allowed.is_none() && self.declared.are_jointed(one, other) {
            return;
        }
        let ratio = (depth - allowed.unwrap_or(0.0)) / r_a.min(r_b);
        if ratio > findings.ratio(allowed.is_some()) {
            let place = a + (b - a) * (r_a / (r_a + r_b));
            findings.keep(SolidDepth { depth, ratio, place }, one, Entered::Body(other), allowed.is_some());
        }
    }

    fn look_at_ball_in_solid(
        &mut self,
        (ball, centre): (usize, &Vector<D>),
        solid: usize,
        at: &Configuration<D>,
        findings: &mut SurfaceFindings<D>,
    ) {
        let (body, radius) = self.balls.all[ball];
        let into = self.solids[solid].body;
        let allowed = self.declared.between(body, into);
        if allowed.is_none() && self.declared.are_jointed(body, into) {
            return;
        }
        let reach = radius.max(2.0 * at.boxes[solid].inner_distance(centre));
        let shape = self.solids[solid].shape;
        let Some((facet, gap)) = self.shapes[shape].placed(&at.positions[solid]).gap(centre, reach) else { return };
        let depth = radius - gap;
        let ratio = (depth - allowed.unwrap_or(0.0)) / radius.min(self.shapes[shape].facet_sizes()[facet]);
        if depth > 0.0 && ratio > findings.ratio(allowed.is_some()) {
            let found = SolidDepth { depth, ratio, place: *centre };
            findings.keep(found, body, Entered::Body(into), allowed.is_some());
        }
    }

    fn look_at_ball_in_obstacle(
        &self,
        (ball, centre): (usize, &Vector<D>),
        k: usize,
        findings: &mut SurfaceFindings<D>,
    ) {
        let (body, radius) = self.balls.all[ball];
        let watched = &self.obstacles[k];
        let depth = radius - watched.solid.gap(centre);
        if depth <= 0.0 || self.balls.behind_at_start.contains(&(k, ball)) {
            return;
        }
        let number = watched.obstacle.number;
        // An obstacle is there for those only that a contact names.
        let Some(allowed) = self.declared.with_obstacle(body, number) else { return };
        let ratio = (depth - allowed) / radius;
        if ratio > findings.ratio(true) {
            findings.keep(SolidDepth { depth, ratio, place: *centre }, body, Entered::Obstacle(number), true);
        }
    }
}
