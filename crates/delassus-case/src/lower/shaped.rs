//! Contacts of rigid bodies as whole shapes: a side without a group.
//!
//! ```text
//! rigid with rigid          shape with shape
//! rigid with deformable     points of the rigid body (corners, centres of round ends) with facets
//! deformable with rigid     points of the deformable body with the shape; `both` has this and the line above
//! rigid with an obstacle    points of the rigid body with the obstacle
//! ```

use std::sync::Arc;

use delassus_contact::{CandidateSet, Round};
use delassus_rigid::{RigidBody, TouchingPoints};
use delassus_sim::model::{
    Direction, ModelAntagonist, ModelBody, MovingObstacle, ShapeCandidates, ShapePairing, ShapedBody, rotation_site,
};
use delassus_sim::space::{Dimension, Space};

use super::Builder;
use super::names::find_name;
use crate::codes;
use crate::problem::{ProblemKind, Refusal};
use crate::spec::{AntagonistSpec, ContactEntry, SurfaceSpec};

/// Passes of points with surfaces, and contacts of shapes.
type ShapeSides<const D: usize> = (Vec<Direction<D>>, Option<ShapePairing<D>>);

impl Builder<'_> {
    /// Does a contact name a body without a group?
    pub(super) fn is_of_shapes(&self, entry: &ContactEntry) -> bool {
        entry.candidates.group.is_empty()
            || matches!(&entry.antagonists, AntagonistSpec::Surface(s) if s.group.is_empty())
    }

    pub(super) fn shaped_sides<const D: usize>(
        &mut self,
        i: usize,
        entry: &ContactEntry,
        bodies: &[Option<ModelBody<D>>],
        obstacles: &[Option<MovingObstacle<D>>],
    ) -> Option<ShapeSides<D>>
    where
        Dimension<D>: Space<D>,
    {
        let at = |key: &str| format!("contacts[{i}].{key}");
        let (mut directions, mut shapes) = (Vec::new(), None);
        match (&entry.antagonists, entry.candidates.group.is_empty()) {
            (AntagonistSpec::Obstacle(name), _) => {
                if entry.both {
                    let message = "an obstacle has no nodes: `both` needs two bodies";
                    self.problems.input(codes::BOTH_WITH_OBSTACLE, at("both"), message);
                }
                let names: Vec<&str> = self.case.obstacles.iter().map(|o| o.name.as_str()).collect();
                let k = find_name(&mut self.problems, &at("antagonists"), "obstacle", name, &names);
                let candidates = self.touching(&at("candidates"), &entry.candidates, bodies);
                self.check_areas(i, entry, Some(entry.candidates.body.clone()));
                let target = obstacles[k?].as_ref()?.clone();
                directions.push(Direction::new(candidates?, vec![ModelAntagonist::Obstacle(target)], false));
            }
            (AntagonistSpec::Surface(s), true) if s.group.is_empty() => {
                if entry.both {
                    let message = "shapes of rigid bodies touch both ways by themselves: leave `both` out";
                    self.problems.input(codes::RIGID_BOTH, at("both"), message);
                }
                let candidates = self.shaped(&at("candidates"), &entry.candidates, bodies);
                let antagonists = self.shaped(&at("antagonists"), s, bodies)?;
                let is_point = |b: &ShapedBody<D>| {
                    bodies[b.body].as_ref().and_then(|b| b.body.rigid()).is_some_and(|r| !r.turns())
                };
                if candidates.iter().flatten().any(is_point) && antagonists.iter().any(is_point) {
                    let message = format!(
                        "`{}` and `{}` are point masses, which have no surface to touch one another: give one a radius by `mesh: Round(…)`, or leave this contact out",
                        entry.candidates.body, s.body
                    );
                    self.problems.input(codes::POINTS_TOUCH, at("antagonists"), message);
                }
                let all = candidates.iter().flatten().chain(&antagonists);
                let without = all.filter(|b| !b.shape.has_areas()).map(|b| b.body).next();
                self.check_areas(i, entry, without.and_then(|k| Some(bodies[k].as_ref()?.name.clone())));
                shapes = Some(ShapePairing { candidates: ShapeCandidates::Shapes(candidates?), antagonists });
            }
            (AntagonistSpec::Surface(s), true) => {
                let candidates = self.touching(&at("candidates"), &entry.candidates, bodies);
                self.check_areas(i, entry, Some(entry.candidates.body.clone()));
                let targets = self.surfaces(&at("antagonists"), s, bodies)?;
                directions.push(Direction::new(candidates?, targets, false));
                if entry.both {
                    shapes = Some(self.points_with_shapes(
                        i,
                        entry,
                        ("antagonists", s),
                        ("candidates", &entry.candidates),
                        bodies,
                    )?);
                }
            }
            (AntagonistSpec::Surface(s), false) => {
                shapes = Some(self.points_with_shapes(
                    i,
                    entry,
                    ("candidates", &entry.candidates),
                    ("antagonists", s),
                    bodies,
                )?);
                if entry.both {
                    let candidates = self.touching(&at("antagonists"), s, bodies);
                    self.check_areas(i, entry, Some(s.body.clone()));
                    let targets = self.surfaces(&at("candidates"), &entry.candidates, bodies)?;
                    directions.push(Direction::new(candidates?, targets, true));
                }
            }
        }
        Some((directions, shapes))
    }

    /// Refuses a law that counts per area at the points of a body whose contacts have none.
    fn check_areas(&mut self, i: usize, entry: &ContactEntry, without: Option<String>) {
        let (Some(body), true) = (without, entry.law.counts_by_area()) else { return };
        let message = format!(
            "this law counts per area, and `{body}` touches in points without one here: give its numbers `per: Point`, or name a `group` of the body"
        );
        self.problems.input(codes::RIGID_LAW, format!("contacts[{i}].law"), message);
    }

    fn points_with_shapes<const D: usize>(
        &mut self,
        i: usize,
        entry: &ContactEntry,
        points: (&str, &SurfaceSpec),
        shapes: (&str, &SurfaceSpec),
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<ShapePairing<D>>
    where
        Dimension<D>: Space<D>,
    {
        let at = |key: &str| format!("contacts[{i}].{key}");
        let kind = self.points(&at("points"), entry.points)?;
        let sets = self.candidates(&at(points.0), points.1, kind, bodies);
        let antagonists = self.shaped(&at(shapes.0), shapes.1, bodies)?;
        Some(ShapePairing { candidates: ShapeCandidates::Points(sets?), antagonists })
    }

    /// The rigid bodies that a side without a group means.
    fn rigid_side<'b, const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &'b [Option<ModelBody<D>>],
    ) -> Option<Vec<(usize, &'b RigidBody<D>)>> {
        let meant = self.known_bodies(&format!("{path}.body"), &spec.body)?;
        let mut found = Vec::with_capacity(meant.len());
        for k in meant {
            let known = bodies[k].as_ref()?;
            let Some(rigid) = known.body.rigid() else {
                let message = format!("body `{}` deforms: name the `group` of it that may touch", spec.body);
                self.problems.input(codes::NOT_RIGID, format!("{path}.body"), message);
                return None;
            };
            found.push((k, rigid));
        }
        Some(found)
    }

    fn shaped<const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<Vec<ShapedBody<D>>> {
        let sides = self.rigid_side(path, spec, bodies)?;
        let made = |(body, rigid): (usize, &RigidBody<D>)| {
            let entry = &self.case.bodies[self.roster.members[body].entry];
            let thickness = if D == 2 { entry.section.thickness() } else { 1.0 };
            Some(ShapedBody { body, shape: Arc::clone(rigid.input().shape.as_ref()?), thickness })
        };
        sides.into_iter().map(made).collect()
    }

    /// The points by which rigid bodies touch surfaces and obstacles.
    fn touching<const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<Vec<CandidateSet>> {
        let sides = self.rigid_side(path, spec, bodies)?;
        let made: Result<Vec<Vec<_>>, Refusal> = sides.into_iter().map(|(k, rigid)| points_of(k, rigid)).collect();
        made.map(|sets| sets.concat())
            .map_err(|e| self.problems.add(e.code, format!("{path}.body"), e.message, ProblemKind::Mesh))
            .ok()
    }
}

/// A set for each radius: of a clump one for each part.
fn points_of<const D: usize>(k: usize, rigid: &RigidBody<D>) -> Result<Vec<CandidateSet>, Refusal> {
    let one = |points: &TouchingPoints| {
        let set = CandidateSet::new(k, points.nodes.clone(), vec![1.0; points.nodes.len()])?;
        if points.radius > 0.0 {
            let round = Round { radius: points.radius, rotation: rotation_site(&rigid.input().mesh) };
            return Ok(set.round(round)?);
        }
        Ok(set)
    };
    rigid.input().touching.iter().map(one).collect()
}
