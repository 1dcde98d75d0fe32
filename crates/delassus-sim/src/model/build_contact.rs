//! Contact pairs of a case: obstacles, candidates, antagonists.

use delassus_contact::{CandidateSet, FacetSurface, NarrowPhase, NodeToFacet, Obstacle};
use delassus_fem::TimeFunction;
use delassus_mesh::MeshError;
use delassus_solver::LawSpec;
use nalgebra::SVector;

use super::build::Builder;
use super::names::find_name;
use super::{ModelBody, ModelPair, MovingObstacle, Pass, Target};
use crate::case::{AntagonistSpec, Components, ContactEntry, Motion, ObstacleSpec, SurfaceSpec};
use crate::problem::ProblemKind;

impl Builder<'_> {
    pub(super) fn obstacles<const D: usize>(&mut self) -> Vec<Option<MovingObstacle<D>>> {
        let case = self.case;
        let mut out = Vec::new();
        for (i, entry) in case.obstacles.iter().enumerate() {
            let at = |key: &str| format!("obstacles[{i}].{key}");
            let mut point = |key: &str, c: &Components| {
                let path = at(&format!("shape.{key}"));
                if c.0.is_empty() {
                    self.problems.input(&path, format!("{key} needs {D} components"));
                    return None;
                }
                self.vector::<D>(&path, c).map(SVector::from)
            };
            let shape = match &entry.shape {
                ObstacleSpec::HalfPlane { point: p, normal } => {
                    let (point, normal) = (point("point", p), point("normal", normal));
                    point.zip(normal).map(|(point, normal)| Obstacle::HalfSpace { point, normal })
                }
                ObstacleSpec::Segment { a, b } => {
                    let (a, b) = (point("a", a), point("b", b));
                    a.zip(b).map(|(a, b)| Obstacle::Segment { a, b })
                }
            };
            let shape = shape.and_then(|s: Obstacle<D>| self.problems.check(&at("shape"), s.validate().map(|()| s)));
            let velocity = self.motion(&at("velocity"), &entry.velocity);
            out.push(shape.zip(velocity).map(|(shape, velocity)| MovingObstacle { shape, velocity }));
        }
        out
    }

    pub(super) fn motion(&mut self, path: &str, motion: &Motion) -> Option<Vec<TimeFunction>> {
        let mut good = true;
        let mut out = Vec::new();
        for (key, f) in [("x", &motion.x), ("y", &motion.y)] {
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
            .map(|f| {
                <[usize; D]>::try_from(f.nodes.as_slice()).map_err(|_| format!("facet {:?} is not linear", f.nodes))
            })
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
