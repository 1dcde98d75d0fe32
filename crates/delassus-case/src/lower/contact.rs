//! Contact pairs of a case: candidates, antagonists.

use delassus_contact::{CandidatePoint, CandidateSet, FacetNodes, FacetSurface, Normals};
use delassus_error::Coded;
use delassus_fem::{Body, FacePoint};
use delassus_mesh::MeshError;
use delassus_sim::model::{
    Direction, Joint, JointSide, ModelAntagonist, ModelBody, ModelPair, MovingObstacle, ShapeCandidates,
};
use delassus_sim::space::{Dimension, Space};
use delassus_solver::law::TurningResistance;

use super::Builder;
use super::names::find_name;
use crate::codes;
use crate::problem::{ProblemKind, Refusal};
use crate::spec::{AntagonistSpec, ContactEntry, NormalsSpec, PointsSpec, SurfaceSpec};

/// Points along each side of a facet beyond which a number is a slip of the pen.
const MAX_POINTS: usize = 64;

impl Builder<'_> {
    pub(super) fn pair<const D: usize>(
        &mut self,
        i: usize,
        entry: &ContactEntry,
        bodies: &[Option<ModelBody<D>>],
        obstacles: &[Option<MovingObstacle<D>>],
    ) -> Option<ModelPair<D>>
    where
        Dimension<D>: Space<D>,
    {
        let at = |key: &str| format!("contacts[{i}].{key}");
        let law = self.problems.check(&at("law"), entry.law.validate().and_then(|()| entry.law.build()));
        let depth = entry.initial_penetration;
        if !(depth.is_finite() && depth >= 0.0) {
            let message = format!("initial_penetration = {depth} must be finite and not negative");
            self.problems.input(codes::NEGATIVE, at("initial_penetration"), message);
        }
        let resistance = self.resistance(i, entry)?;
        if self.is_of_shapes(entry) {
            let (directions, shapes) = self.shaped_sides(i, entry, bodies, obstacles)?;
            let (name, law, normals) = (entry.name.clone(), law?, Normals::Facet);
            return Some(ModelPair { name, law, resistance, initial_penetration: depth, normals, directions, shapes });
        }
        let mut directions = Vec::new();
        let points = self.points(&at("points"), entry.points)?;
        let candidates = self.candidates(&at("candidates"), &entry.candidates, points, bodies);
        match &entry.antagonists {
            AntagonistSpec::Surface(s) => {
                let targets = self.surfaces(&at("antagonists"), s, bodies);
                directions.push(Direction::new(candidates?, targets?, false));
                if entry.both {
                    let candidates = self.candidates(&at("antagonists"), s, points, bodies)?;
                    let targets = self.surfaces(&at("candidates"), &entry.candidates, bodies)?;
                    directions.push(Direction::new(candidates, targets, true));
                }
            }
            AntagonistSpec::Obstacle(name) => {
                let names: Vec<&str> = self.case.obstacles.iter().map(|o| o.name.as_str()).collect();
                let k = find_name(&mut self.problems, &at("antagonists"), "obstacle", name, &names);
                if entry.both {
                    self.problems.input(
                        codes::BOTH_WITH_OBSTACLE,
                        at("both"),
                        "an obstacle has no nodes: `both` needs two bodies",
                    );
                }
                let target = obstacles[k?].as_ref()?;
                let antagonists = vec![ModelAntagonist::Obstacle(target.clone())];
                directions.push(Direction::new(candidates?, antagonists, false));
            }
        }
        let law = law?;
        let normals = match entry.normals {
            NormalsSpec::Facet => Normals::Facet,
            NormalsSpec::Continuous => Normals::Continuous,
        };
        let (name, shapes) = (entry.name.clone(), None);
        Some(ModelPair { name, law, resistance, initial_penetration: depth, normals, directions, shapes })
    }

    /// Rolling and spinning resistance of a pair; outside: whether it can be had.
    #[expect(
        clippy::option_option,
        reason = "the inner one is the case's, the outer one says whether it could be read"
    )]
    fn resistance(&mut self, i: usize, entry: &ContactEntry) -> Option<Option<TurningResistance>> {
        let Some(resistance) = entry.resistance else { return Some(None) };
        let path = format!("contacts[{i}].resistance");
        self.problems.check(&path, resistance.validate())?;
        let mut sides = vec![&entry.candidates.body];
        if let AntagonistSpec::Surface(s) = &entry.antagonists {
            sides.push(&s.body);
        }
        for name in sides {
            // Names that are not known are told elsewhere.
            let found =
                self.roster.members.iter().position(|m| m.name == *name || self.case.bodies[m.entry].name == *name);
            if let Some(k) = found
                && !self.case.bodies[self.roster.members[k].entry].is_rigid()
            {
                let message = format!("`{name}` deforms: only rigid bodies and obstacles resist rolling and spinning");
                self.problems.input(codes::RESISTANCE, path, message);
                return None;
            }
        }
        Some(Some(resistance))
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

    /// Which points may touch, if their number makes sense.
    pub(super) fn points(&mut self, path: &str, points: PointsSpec) -> Option<PointsSpec> {
        match points {
            PointsSpec::OnFacets(n) if !(1..=MAX_POINTS).contains(&n) => {
                let message = format!("OnFacets({n}): points along each side of a facet, from 1 to {MAX_POINTS}");
                self.problems.input(codes::POINTS, path, message);
                None
            }
            _ => Some(points),
        }
    }

    /// A group of every body that a name means.
    pub(super) fn sides<'b, const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &'b [Option<ModelBody<D>>],
    ) -> Option<Vec<NumberedBody<'b, D>>> {
        let meant = self.known_bodies(&format!("{path}.body"), &spec.body)?;
        let sides: Option<Vec<NumberedBody<'b, D>>> = meant.map(|k| bodies[k].as_ref().map(|b| (k, b))).collect();
        let sides = sides?;
        // Copies have the same groups.
        let (_, first) = sides.first()?;
        self.known_group(&format!("{path}.group"), first.body.mesh(), &spec.group).then_some(sides)
    }

    pub(super) fn candidates<const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        points: PointsSpec,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<Vec<CandidateSet>>
    where
        Dimension<D>: Space<D>,
    {
        let made = self.sides(path, spec, bodies)?.into_iter().map(|side| match points {
            PointsSpec::Nodes => nodes(side, spec),
            PointsSpec::OnFacets(n) => on_facets(side, spec, n),
            PointsSpec::Quadrature => quadrature_points(side, spec),
        });
        let made: Result<Vec<_>, Refusal> = made.collect();
        made.map_err(|e| self.problems.add(e.code, format!("{path}.group"), e.message, ProblemKind::Mesh)).ok()
    }

    pub(super) fn surfaces<const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<Vec<ModelAntagonist<D>>>
    where
        Dimension<D>: Space<D>,
    {
        let sides = self.sides(path, spec, bodies)?;
        let made: Result<Vec<_>, Refusal> =
            sides.into_iter().map(|side| surface(side, spec).map(ModelAntagonist::Surface)).collect();
        made.map_err(|e| self.problems.add(e.code, format!("{path}.group"), e.message, ProblemKind::Mesh)).ok()
    }
}

/// The facets of a group that candidates may touch.
fn surface<const D: usize>((k, body): NumberedBody<'_, D>, spec: &SurfaceSpec) -> Result<FacetSurface<D>, Refusal>
where
    Dimension<D>: Space<D>,
{
    let found = body.body.mesh().group_facets(&spec.group);
    let facets = found.map_err(|e| Refusal::new(e.code(), format!("antagonists need facets: {e}")))?;
    if is_quadratic(&facets) {
        let message = format!(
            "group `{}` of `{}` has facets of quadratic elements: they can only be candidates, with `points: Quadrature`",
            spec.group, spec.body
        );
        return Err(Refusal::new(codes::QUADRATIC_ANTAGONISTS, message));
    }
    linear_surface(k, &facets)
}

/// A body and its number.
pub(super) type NumberedBody<'a, const D: usize> = (usize, &'a ModelBody<D>);

/// The facets of a group; of a group of points or edges, none.
fn facets_of<const D: usize>(body: &ModelBody<D>, group: &str) -> Result<Option<Vec<delassus_mesh::Facet>>, Refusal> {
    match body.body.mesh().group_facets(group) {
        Ok(facets) => Ok(Some(facets)),
        Err(MeshError::NoFacets { .. }) => Ok(None),
        Err(e) => Err(e.into()),
    }
}

/// The finite elements that areas of a surface come from.
fn elements<'b, const D: usize>(body: &'b ModelBody<D>, spec: &SurfaceSpec) -> Result<&'b Body<D>, Refusal> {
    let none = || Refusal::new(codes::NO_FACETS_FOR_POINTS, format!("body `{}` has no finite elements", spec.body));
    body.body.finite_elements().ok_or_else(none)
}

/// The facets of a group, which must have some.
fn needed_facets<const D: usize>(
    body: &ModelBody<D>,
    spec: &SurfaceSpec,
) -> Result<Vec<delassus_mesh::Facet>, Refusal> {
    facets_of(body, &spec.group)?.ok_or_else(|| {
        let message =
            format!("group `{}` of `{}` has no facets to put points on; leave `points` out", spec.group, spec.body);
        Refusal::new(codes::NO_FACETS_FOR_POINTS, message)
    })
}

fn is_quadratic(facets: &[delassus_mesh::Facet]) -> bool {
    facets.iter().any(|f| f.kind.n_nodes() > f.kind.n_corners())
}

fn linear_surface<const D: usize>(body: usize, facets: &[delassus_mesh::Facet]) -> Result<FacetSurface<D>, Refusal>
where
    Dimension<D>: Space<D>,
{
    let corners = facets.iter().map(|f| {
        let refusal = |n| Refusal::new(codes::NOT_LINEAR, format!("a facet of {n} nodes {:?} is not linear", f.nodes));
        FacetNodes::try_from(f.nodes.as_slice()).map_err(refusal)
    });
    Ok(FacetSurface::new(body, corners.collect::<Result<Vec<_>, _>>()?)?)
}

/// The nodes of a group, each with the area of the boundary around it.
fn nodes<const D: usize>((k, body): NumberedBody<'_, D>, spec: &SurfaceSpec) -> Result<CandidateSet, Refusal> {
    let mesh = body.body.mesh();
    let group = mesh.group(&spec.group)?;
    let facets = match facets_of(body, &spec.group)? {
        Some(facets) => facets,
        None => mesh.boundary(),
    };
    if is_quadratic(&facets) {
        // Corners of quadratic faces carry no share of a pressure, or one below zero: at nodes R_N ≥ 0 would be wrong.
        let message = format!(
            "group `{}` of `{}` has facets of quadratic elements, whose nodes cannot be contact candidates: \
             choose `points: Quadrature`",
            spec.group, spec.body
        );
        return Err(Refusal::new(codes::QUADRATIC_CANDIDATES, message));
    }
    if body.body.rigid().is_some() {
        // Rigid bodies touch in points.
        let mut nodes: Vec<usize> = facets.iter().flat_map(|f| f.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let n = nodes.len();
        return Ok(CandidateSet::new(k, nodes, vec![1.0; n])?);
    }
    let areas = elements(body, spec)?.tributary_areas(&facets)?;
    let all = if group.dim + 1 < D { mesh.group_nodes(group) } else { areas.iter().map(|a| a.0).collect() };
    let mut chosen = Vec::new();
    for node in all {
        let Ok(place) = areas.binary_search_by_key(&node, |a| a.0) else {
            let message = format!("node {node} of group `{}` is not on the boundary of `{}`", spec.group, spec.body);
            return Err(Refusal::new(codes::NODE_INSIDE, message));
        };
        chosen.push(areas[place]);
    }
    let (nodes, areas) = chosen.into_iter().unzip();
    let set = CandidateSet::new(k, nodes, areas)?;
    // Nodes of a line or of points alone have no surface.
    Ok(if group.dim + 1 < D { set } else { set.with_facets(corners(&facets)) })
}

/// n points along each side of every facet of a group.
fn on_facets<const D: usize>(
    (k, body): NumberedBody<'_, D>,
    spec: &SurfaceSpec,
    n: usize,
) -> Result<CandidateSet, Refusal>
where
    Dimension<D>: Space<D>,
{
    let facets = needed_facets(body, spec)?;
    if is_quadratic(&facets) {
        let message = format!(
            "group `{}` of `{}` has facets of quadratic elements: choose `points: Quadrature`",
            spec.group, spec.body
        );
        return Err(Refusal::new(codes::QUADRATIC_CANDIDATES, message));
    }
    let positions: Vec<f64> = body.body.mesh().points.iter().flatten().copied().collect();
    let set = CandidateSet::on_facets(&linear_surface::<D>(k, &facets)?, &positions, n)?;
    let section = elements(body, spec)?.section();
    let radius = |p: &CandidatePoint| p.shares().map(|(node, share)| share * positions[D * node]).sum();
    let area = |(a, p): (&f64, &CandidatePoint)| a * section.thickness() * section.around(radius(p));
    let areas = set.areas().iter().zip(set.points()).map(area).collect();
    Ok(CandidateSet::from_points(k, set.points().to_vec(), areas)?.with_facets(corners(&facets)))
}

/// The quadrature points of the facets of a group.
fn quadrature_points<const D: usize>(
    (k, body): NumberedBody<'_, D>,
    spec: &SurfaceSpec,
) -> Result<CandidateSet, Refusal> {
    let facets = needed_facets(body, spec)?;
    let points = elements(body, spec)?.face_points(&facets)?;
    let areas = points.iter().map(|p| p.area).collect();
    let point = |p: FacePoint| CandidatePoint::in_facet(p.shares, p.corners);
    let made = points.into_iter().map(point).collect::<Result<Vec<_>, _>>();
    Ok(CandidateSet::from_points(k, made?, areas)?.with_facets(corners(&facets)))
}

/// The corners of facets.
fn corners(facets: &[delassus_mesh::Facet]) -> Vec<FacetNodes> {
    facets.iter().filter_map(|f| FacetNodes::try_from(f.nodes.get(..f.kind.n_corners())?).ok()).collect()
}

/// The dofs of every body that some contact can touch.
pub(super) fn gather_contact_dofs<const D: usize>(
    bodies: &mut [ModelBody<D>],
    pairs: &[ModelPair<D>],
    joints: &[Joint<D>],
) {
    let mut nodes: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    for direction in pairs.iter().flat_map(|p| &p.directions) {
        direction.candidates().iter().for_each(|set| nodes[set.body()].extend(set.nodes()));
        direction.surfaces().for_each(|s| nodes[s.body()].extend(s.nodes()));
    }
    for shapes in pairs.iter().filter_map(|p| p.shapes.as_ref()) {
        if let ShapeCandidates::Points(sets) = &shapes.candidates {
            sets.iter().for_each(|set| nodes[set.body()].extend(set.nodes()));
        }
    }
    for side in joints.iter().flat_map(|j| &j.sides) {
        if let JointSide::Nodes { body, weights } = side {
            nodes[*body].extend(weights.iter().map(|w| w.0));
        }
    }
    // The w of a rigid body is dense: nothing of it is condensed.
    for (body, mut nodes) in bodies.iter_mut().zip(nodes).filter(|(b, _)| b.body.finite_elements().is_some()) {
        nodes.sort_unstable();
        nodes.dedup();
        body.contact_dofs = nodes.iter().flat_map(|n| (0..D).map(move |i| D * n + i)).collect();
    }
}
