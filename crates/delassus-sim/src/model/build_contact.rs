//! Contact pairs of a case: obstacles, candidates, antagonists.

use delassus_contact::{Antagonist, CandidateSet, Facet, FacetSurface, NarrowPhase, NodeToFacet, Obstacle, Solid};
use delassus_fem::TimeFunction;
use delassus_mesh::MeshError;
use delassus_solver::LawSpec;
use nalgebra::SVector;

use super::build::Builder;
use super::names::find_name;
use super::{Generate, ModelBody, ModelPair, MovingObstacle, Pass, Space, Target};
use crate::case::{AntagonistSpec, Components, ContactEntry, Motion, ObstacleSpec, SurfaceSpec};
use crate::problem::ProblemKind;

impl Builder<'_> {
    pub(super) fn obstacles<const D: usize>(&mut self) -> Vec<Option<MovingObstacle<D>>>
    where
        Space<D>: Generate<D>,
    {
        let case = self.case;
        let mut out = Vec::new();
        for (i, entry) in case.obstacles.iter().enumerate() {
            let at = |key: &str| format!("obstacles[{i}].{key}");
            let shape = self.shape(&at("shape"), &entry.shape);
            let velocity = self.motion(&at("velocity"), &entry.velocity);
            let spin = entry.spin.clone().unwrap_or(TimeFunction::Constant(0.0));
            let spin = self.function(&at("spin"), &spin).then_some(spin);
            let pivot = self.vector::<D>(&at("pivot"), &entry.pivot).map(SVector::from);
            out.push(match (shape, velocity, spin, pivot) {
                (Some(shape), Some(velocity), Some(spin), Some(pivot)) => {
                    Some(MovingObstacle { number: i, shape, velocity, spin, pivot })
                }
                _ => None,
            });
        }
        out
    }

    fn shape<const D: usize>(&mut self, path: &str, spec: &ObstacleSpec) -> Option<Antagonist<D>>
    where
        Space<D>: Generate<D>,
    {
        let obstacle = match spec {
            ObstacleSpec::HalfPlane { point, normal } => {
                let (point, normal) = (self.point(path, "point", point), self.point(path, "normal", normal));
                Obstacle::HalfSpace { point: point?, normal: normal? }
            }
            ObstacleSpec::Segment { a, b } => {
                let (a, b) = (self.point(path, "a", a), self.point(path, "b", b));
                Obstacle::Segment { a: a?, b: b? }
            }
            ObstacleSpec::Circle { centre, radius } => {
                Obstacle::Ball { centre: self.point(path, "centre", centre)?, radius: *radius }
            }
            ObstacleSpec::Hole { centre, radius } => {
                Obstacle::Cavity { centre: self.point(path, "centre", centre)?, radius: *radius }
            }
            ObstacleSpec::Polygon { points } => return self.polygon(path, points, Solid::Inside),
            ObstacleSpec::Container { points } => return self.polygon(path, points, Solid::Outside),
        };
        self.problems.check(path, obstacle.validate()).map(|()| obstacle.into())
    }

    fn polygon<const D: usize>(&mut self, path: &str, points: &[Components], solid: Solid) -> Option<Antagonist<D>>
    where
        Space<D>: Generate<D>,
    {
        let corners = points.iter().enumerate().map(|(k, c)| self.point(path, &format!("points[{k}]"), c));
        let corners = corners.collect::<Option<Vec<_>>>()?;
        self.problems.check(path, Space::<D>::polygon(corners, solid)).map(Into::into)
    }

    /// D components that must be given.
    fn point<const D: usize>(&mut self, path: &str, key: &str, c: &Components) -> Option<SVector<f64, D>> {
        let path = format!("{path}.{key}");
        if c.0.is_empty() {
            self.problems.input(&path, format!("{key} needs {D} components"));
            return None;
        }
        self.vector::<D>(&path, c).map(SVector::from)
    }

    pub(super) fn motion(&mut self, path: &str, motion: &Motion) -> Option<Vec<TimeFunction>> {
        let mut good = true;
        let mut out = Vec::new();
        if motion.z.is_some() && self.case.dimension < 3 {
            self.problems.input(format!("{path}.z"), "z: a plane case has no such direction");
        }
        for (key, f) in [("x", &motion.x), ("y", &motion.y), ("z", &motion.z)] {
            let f = f.clone().unwrap_or(TimeFunction::Constant(0.0));
            good &= self.function(&format!("{path}.{key}"), &f);
            out.push(f);
        }
        good.then_some(out)
    }

    pub(super) fn pair<const D: usize>(
        &mut self,
        i: usize,
        entry: &ContactEntry,
        bodies: &[Option<ModelBody<D>>],
        obstacles: &[Option<MovingObstacle<D>>],
    ) -> Option<ModelPair<D>>
    where
        NodeToFacet: NarrowPhase<D>,
    {
        let at = |key: &str| format!("contacts[{i}].{key}");
        let law = self.problems.check(&at("law"), entry.law.validate());
        let friction = match entry.law {
            LawSpec::SignoriniCoulomb(law) => law.friction,
            LawSpec::Frictionless => 0.0,
        };
        let depth = entry.initial_penetration;
        if !(depth.is_finite() && depth >= 0.0) {
            let message = format!("initial_penetration = {depth} must be finite and not negative");
            self.problems.input(at("initial_penetration"), message);
        }
        let mut passes = Vec::new();
        let candidates = self.candidates(&at("candidates"), &entry.candidates, bodies);
        match &entry.antagonists {
            AntagonistSpec::Surface(s) => {
                let target = self.surface(&at("antagonists"), s, bodies);
                passes.push(Pass { candidates: candidates?, antagonist: Target::Surface(target?) });
                if entry.both {
                    let candidates = self.candidates(&at("antagonists"), s, bodies)?;
                    let target = self.surface(&at("candidates"), &entry.candidates, bodies)?;
                    passes.push(Pass { candidates, antagonist: Target::Surface(target) });
                }
            }
            AntagonistSpec::Obstacle(name) => {
                let names: Vec<&str> = self.case.obstacles.iter().map(|o| o.name.as_str()).collect();
                let k = find_name(&mut self.problems, &at("antagonists"), "obstacle", name, &names);
                if entry.both {
                    self.problems.input(at("both"), "an obstacle has no nodes: `both` needs two bodies");
                }
                let target = Target::Obstacle(obstacles[k?].clone()?);
                passes.push(Pass { candidates: candidates?, antagonist: target });
            }
        }
        law?;
        Some(ModelPair { name: entry.name.clone(), law: entry.law.build(), friction, passes })
    }

    pub(super) fn side<'b, const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &'b [Option<ModelBody<D>>],
    ) -> Option<(usize, &'b ModelBody<D>)> {
        let k = self.known_body(&format!("{path}.body"), &spec.body)?;
        let body = bodies[k].as_ref()?;
        self.known_group(&format!("{path}.group"), body.body.mesh(), &spec.group).then_some((k, body))
    }

    pub(super) fn candidates<const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<CandidateSet> {
        let (k, body) = self.side(path, spec, bodies)?;
        let path = format!("{path}.group");
        let mesh = body.body.mesh();
        let group = mesh.group(&spec.group).ok()?;
        let nodes = mesh.group_nodes(group);
        // Points have the area of the boundary around them.
        let facets = match mesh.group_facets(&spec.group) {
            Ok(facets) => facets,
            Err(MeshError::NoFacets { .. }) => mesh.boundary(),
            Err(e) => {
                self.problems.add(&path, e.to_string(), ProblemKind::Mesh);
                return None;
            }
        };
        let areas = self.problems.check(&path, body.body.tributary_areas(&facets))?;
        let mut chosen = Vec::new();
        for node in if group.dim + 1 < D { nodes } else { areas.iter().map(|a| a.0).collect() } {
            match areas.binary_search_by_key(&node, |a| a.0) {
                Ok(a) => chosen.push(areas[a]),
                Err(_) => {
                    let message =
                        format!("node {node} of group `{}` is not on the boundary of `{}`", spec.group, spec.body);
                    self.problems.add(&path, message, ProblemKind::Mesh);
                    return None;
                }
            }
        }
        let (nodes, areas) = chosen.into_iter().unzip();
        let set = CandidateSet::new(k, nodes, areas);
        set.map_err(|e| self.problems.add(&path, e.to_string(), ProblemKind::Mesh)).ok()
    }

    pub(super) fn surface<const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<FacetSurface<D>>
    where
        NodeToFacet: NarrowPhase<D>,
    {
        let (k, body) = self.side(path, spec, bodies)?;
        let path = format!("{path}.group");
        let facets = match body.body.mesh().group_facets(&spec.group) {
            Ok(facets) => facets,
            Err(e) => {
                self.problems.add(&path, format!("antagonists need facets: {e}"), ProblemKind::Mesh);
                return None;
            }
        };
        let made = facets
            .iter()
            .map(|f| Facet::try_from(f.nodes.as_slice()).map_err(|_| format!("facet {:?} is not linear", f.nodes)))
            .collect::<Result<Vec<_>, String>>()
            .and_then(|facets| FacetSurface::new(k, facets).map_err(|e| e.to_string()));
        made.map_err(|e| self.problems.add(&path, e, ProblemKind::Mesh)).ok()
    }
}

/// The dofs of every body that some contact can touch.
pub(super) fn gather_contact_dofs<const D: usize>(bodies: &mut [ModelBody<D>], pairs: &[ModelPair<D>]) {
    let mut nodes: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    for pass in pairs.iter().flat_map(|p| &p.passes) {
        nodes[pass.candidates.body()].extend(pass.candidates.nodes());
        if let Target::Surface(s) = &pass.antagonist {
            nodes[s.body()].extend(s.nodes());
        }
    }
    for (body, mut nodes) in bodies.iter_mut().zip(nodes) {
        nodes.sort_unstable();
        nodes.dedup();
        body.contact_dofs = nodes.iter().flat_map(|n| (0..D).map(move |i| D * n + i)).collect();
    }
}
