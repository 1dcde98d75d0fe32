//! Rigid bodies of a case: shape, inertia, loads, prescribed motions.

use std::sync::Arc;

use delassus_error::Coded;
use delassus_fem::{Formulation, Gravity, MassKind, Material, Rayleigh};
use delassus_mesh::{CellBlock, CellKind, Mesh};
use delassus_rigid::{AppliedForce, RigidBody, RigidGuide, RigidInertia, RigidInput, TouchingPoints};
use delassus_shapes::{MassProperties, RigidShape, ShapeError, ShapePose, ShapeSpace, contacts};
use delassus_sim::model::{ModelBody, StartSpec};
use delassus_sim::space::Dimension;
use nalgebra::{Matrix3, SVector, Vector3};

use super::Builder;
use super::Generate;
use super::body::PlacedMesh;
use super::joint::is_at_point;
use super::mesh::{clump_meshes, clump_parts};
use super::names::find_name;
use crate::codes;
use crate::problem::ProblemKind;
use crate::spec::{BodyEntry, ClumpPart, ClumpSpec, Components, InertiaSpec, LoadEntry, MeshSpec};

/// Points of the picture of a round shape, around it.
pub(super) const AROUND: usize = 32;

/// Part of the size of the smaller one by which parts of a clump may overlap: rounding.
const OVERLAP: f64 = 1e-9;

/// The mesh in which a shape is drawn, with points around round parts: simplices from its centre. Of round shapes the first points are the centres of their ends.
pub(super) fn drawn<const D: usize>(shape: &RigidShape<D>, ends: &[SVector<f64, D>], around: usize) -> Mesh<D>
where
    Dimension<D>: ShapeSpace<D>,
{
    let surface = shape.surface(around);
    let mut points: Vec<[f64; D]> = ends.iter().map(|e| (*e).into()).collect();
    let centre = match shape.mass_properties(1.0) {
        Ok(MassProperties { centre, .. }) if shape.is_convex() => Some(centre),
        _ => None,
    };
    let apex = match (centre, ends) {
        // The centre of a ball is its end.
        (Some(_), [_]) | (None, _) => 0,
        (Some(centre), _) => {
            points.push(centre.into());
            points.len() - 1
        }
    };
    let first = points.len();
    points.extend(surface.points.iter().map(|p| <[f64; D]>::from(*p)));
    let mut nodes = Vec::new();
    for facet in &surface.facets {
        if D == 2 && centre.is_some() {
            for k in 0..facet.len() {
                nodes.extend([apex, first + facet[k], first + facet[(k + 1) % facet.len()]]);
            }
        } else if D == 2 {
            let corners: Vec<SVector<f64, D>> = facet.iter().map(|&i| surface.points[i]).collect();
            nodes.extend(ears(&corners).into_iter().flatten().map(|k| first + facet[k]));
        } else {
            for k in 1..facet.len().saturating_sub(1) {
                nodes.extend([apex, first + facet[0], first + facet[k], first + facet[k + 1]]);
            }
        }
    }
    let kind = if D == 2 { CellKind::Triangle3 } else { CellKind::Tetrahedron4 };
    let blocks = if nodes.is_empty() { Vec::new() } else { vec![CellBlock { kind, nodes }] };
    Mesh { points, blocks, groups: Vec::new() }
}

/// Triangles of a polygon, counter-clockwise, by cutting off ears.
fn ears<const D: usize>(corners: &[SVector<f64, D>]) -> Vec<[usize; 3]> {
    let area = |a: usize, b: usize, c: usize| {
        let (u, v) = (corners[b] - corners[a], corners[c] - corners[a]);
        u[0] * v[1] - u[1] * v[0]
    };
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut out = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let is_ear = |k: &usize| {
            let (a, b, c) = (left[(k + n - 1) % n], left[*k], left[(k + 1) % n]);
            let holds = |&p: &usize| {
                p != a && p != b && p != c && area(a, b, p) >= 0.0 && area(b, c, p) >= 0.0 && area(c, a, p) >= 0.0
            };
            area(a, b, c) > 0.0 && !left.iter().any(holds)
        };
        // A polygon without an ear is one whose corners rounding has put on a line: any is as good.
        let k = (0..n).find(is_ear).unwrap_or(0);
        out.push([left[(k + n - 1) % n], left[k], left[(k + 1) % n]]);
        left.remove(k);
    }
    if let [a, b, c] = left[..] {
        out.push([a, b, c]);
    }
    out
}

/// The nodes of a mesh at which faces in D directions meet.
fn corner_nodes<const D: usize>(mesh: &Mesh<D>) -> Vec<usize> {
    let mut normals: Vec<Vec<SVector<f64, D>>> = vec![Vec::new(); mesh.n_points()];
    for facet in mesh.boundary() {
        let n = SVector::<f64, D>::from(mesh.facet_normal(&facet));
        for &node in &facet.nodes {
            if normals[node].iter().all(|m| (m - n).amax() > 1e-9) {
                normals[node].push(n);
            }
        }
    }
    (0..normals.len()).filter(|&k| normals[k].len() >= D).collect()
}

/// The points by which the parts of a clump touch. Their meshes follow one another in that of the clump; a round one begins with the centres of its ends.
fn touching_parts<const D: usize>(clump: &ClumpSpec, drawn: &[Mesh<D>], mesh: &Mesh<D>) -> Vec<TouchingPoints> {
    let corners = corner_nodes(mesh);
    let mut first = 0;
    let mut out = Vec::with_capacity(drawn.len());
    for (part, own) in clump.parts.iter().zip(drawn) {
        let last = first + own.n_points();
        out.push(match part {
            ClumpPart::Round(r) => TouchingPoints { nodes: vec![first], radius: r.radius },
            ClumpPart::Capsule(c) => TouchingPoints { nodes: vec![first, first + 1], radius: c.radius },
            ClumpPart::Polygon(_) | ClumpPart::Polyhedron(_) => {
                let mine = corners.iter().copied().filter(|n| (first..last).contains(n)).collect();
                TouchingPoints { nodes: mine, radius: 0.0 }
            }
        });
        first = last;
    }
    out
}

impl Builder<'_> {
    /// Parts of a clump that overlap have what they share twice, unless mass, centre and moments are given.
    fn check_overlap<const D: usize>(&mut self, i: usize, clump: &ClumpSpec) -> Option<()>
    where
        Dimension<D>: Generate<D>,
    {
        let entry = &self.case.bodies[i];
        let given = entry.inertia.as_ref();
        if given.is_some_and(|g| g.mass.is_some() && !g.moments.0.is_empty() && !g.centre.0.is_empty()) {
            return Some(());
        }
        let parts = clump_parts::<D>(clump).ok()?;
        let home = ShapePose::default();
        let mut found = Vec::new();
        for k in 0..parts.len() {
            for j in 0..k {
                found.clear();
                contacts((&parts[j], &home), (&parts[k], &home), 0.0, &mut found);
                let depth = found.iter().map(|c| -c.gap).fold(0.0, f64::max);
                if depth > OVERLAP * parts[j].inner_size().min(parts[k].inner_size()) {
                    let message = format!(
                        "parts {j} and {k} of the clump `{}` overlap by {depth:.3e} m, and what they share would be there twice: give `inertia` with mass, moments and centre",
                        entry.name
                    );
                    self.problems.input(codes::CLUMP_OVERLAP, format!("bodies[{i}].inertia"), message);
                    return None;
                }
            }
        }
        Some(())
    }

    /// What a rigid body must not be asked for.
    fn check_rigid_keys(&mut self, i: usize, entry: &BodyEntry) -> Option<()> {
        let before = self.problems.0.len();
        let wrong = [
            ("regions", !entry.regions.is_empty()),
            ("split", !entry.split.is_empty()),
            ("formulation", entry.formulation != Formulation::default()),
            ("mass", entry.mass != MassKind::default()),
            ("damping", entry.damping != Rayleigh::default()),
            ("kinematics", entry.kinematics.is_some()),
            ("initial_stress", entry.initial_stress.is_some()),
        ];
        for (key, _) in wrong.into_iter().filter(|w| w.1) {
            let message = format!("body `{}` is rigid: `{key}` is a key of deformable bodies", entry.name);
            self.problems.input(codes::RIGID_KEY, format!("bodies[{i}].{key}"), message);
        }
        (self.problems.0.len() == before).then_some(())
    }

    /// Axisymmetric bodies stand beside each other alone.
    pub(super) fn check_sections(&mut self) {
        let case = self.case;
        let Some(first) = case.bodies.iter().find(|b| b.section.is_revolved()) else { return };
        for (i, entry) in case.bodies.iter().enumerate().filter(|(_, b)| !b.section.is_revolved() || b.is_rigid()) {
            let what = if entry.is_rigid() { "rigid" } else { "not" };
            let message = format!("body `{}` is axisymmetric, and body `{}` is {what}", first.name, entry.name);
            self.problems.input(codes::MIXED_SECTIONS, format!("bodies[{i}]"), message);
        }
    }

    /// What rigid bodies exclude for a whole case.
    pub(super) fn check_rigid_case(&mut self) {
        let case = self.case;
        let Some(first) = case.bodies.iter().find(|b| b.is_rigid()) else {
            for (i, entry) in case.bodies.iter().enumerate().filter(|(_, b)| b.inertia.is_some()) {
                self.deforms(format!("bodies[{i}].inertia"), &entry.name, "`inertia` is a key of rigid bodies");
            }
            return;
        };
        let integrator = case.integrator.build();
        if integrator.is_ok_and(|i| i.keeps_acceleration() || i.requires_lumped_mass() || !i.has_inertia()) {
            let message = format!(
                "body `{}` is rigid, and this scheme has no rigid bodies: choose `ModifiedTheta`, `EnergyMomentum`, `Theta` or `ThetaEuler`",
                first.name
            );
            self.problems.input(codes::RIGID_SCHEME, "integrator", message);
        }
        if case.start == StartSpec::Equilibrium {
            let message = format!(
                "body `{}` is rigid: an equilibrium at the start is found for deformable bodies alone",
                first.name
            );
            self.problems.input(codes::RIGID_EQUILIBRIUM, "start", message);
        }
        for (i, entry) in case.bodies.iter().enumerate().filter(|(_, b)| b.inertia.is_some() && !b.is_rigid()) {
            self.deforms(format!("bodies[{i}].inertia"), &entry.name, "`inertia` is a key of rigid bodies");
        }
    }

    fn deforms(&mut self, path: String, name: &str, what: &str) {
        self.problems.input(codes::NOT_RIGID, path, format!("body `{name}` deforms: {what}"));
    }

    /// The shape of a body in its place, and its points.
    fn shape<const D: usize>(
        &mut self,
        i: usize,
        placed: &PlacedMesh<D>,
        copy: usize,
        mesh: &Mesh<D>,
    ) -> Option<(RigidShape<D>, Vec<TouchingPoints>)>
    where
        Dimension<D>: Generate<D>,
    {
        let entry = &self.case.bodies[i];
        let path = format!("bodies[{i}].mesh");
        let (rotation, position) = placed.pose(copy);
        let pose = ShapePose { position, rotation };
        let round = |nodes: Vec<usize>, radius: f64| vec![TouchingPoints { nodes, radius }];
        let made: Result<(RigidShape<D>, Vec<TouchingPoints>), ShapeError> = match (
            &entry.mesh,
            Dimension::<D>::shape(&entry.mesh),
        ) {
            (MeshSpec::Packing(_), _) => {
                let radius = placed.grain_radius(copy)?;
                RigidShape::ball(radius).map(|s| (s.moved(&pose), round(vec![0], radius)))
            }
            (MeshSpec::Blocks(_), _) => {
                let block = placed.block(copy)?;
                let touching = match block.radius {
                    Some(radius) => round(vec![0], radius),
                    None => round(corner_nodes(mesh), 0.0),
                };
                Ok((block.shape.clone(), touching))
            }
            (MeshSpec::PointMass(_), Some(shape)) => shape.map(|s| (s.moved(&pose), round(vec![0], 0.0))),
            (MeshSpec::Round(r), Some(shape)) => shape.map(|s| (s.moved(&pose), round(vec![0], r.radius))),
            (MeshSpec::Capsule(c), Some(shape)) => shape.map(|s| (s.moved(&pose), round(vec![0, 1], c.radius))),
            (MeshSpec::Clump(clump), Some(shape)) => {
                let drawn = clump_meshes::<D>(&mut self.problems, &path, clump)?;
                let touching = touching_parts(clump, &drawn, mesh);
                shape.map(|s| (s.moved(&pose), touching))
            }
            (_, Some(shape)) => shape.map(|s| (s.moved(&pose), round(corner_nodes(mesh), 0.0))),
            (_, None) => match Dimension::<D>::outline(mesh) {
                Some(shape) => shape.map(|s| (s, round(corner_nodes(mesh), 0.0))),
                None => {
                    let message = format!(
                        "the outline of the mesh of the rigid body `{}` passes a node twice: cells that meet in a corner alone do not hold together",
                        entry.name
                    );
                    self.problems.add(codes::RIGID_OUTLINE, path, message, ProblemKind::Mesh);
                    return None;
                }
            },
        };
        made.map_err(|e| self.problems.add(e.code(), path, e.to_string(), ProblemKind::Mesh)).ok()
    }

    /// Mass, centre of mass and moments, by what is given, the rest by shape and density.
    fn inertia<const D: usize>(
        &mut self,
        i: usize,
        placed: &PlacedMesh<D>,
        copy: usize,
        shape: &RigidShape<D>,
        materials: &[Option<Arc<dyn Material>>],
    ) -> Option<RigidInertia<D>>
    where
        Dimension<D>: Generate<D>,
    {
        let entry = &self.case.bodies[i];
        let at = |key: &str| format!("bodies[{i}].inertia.{key}");
        let usual = InertiaSpec::default();
        let given = entry.inertia.as_ref().unwrap_or(&usual);
        let names: Vec<&str> = self.case.materials.iter().map(|m| m.name.as_str()).collect();
        let of_material = match &entry.material {
            Some(name) => {
                let k = find_name(&mut self.problems, &format!("bodies[{i}].material"), "material", name, &names)?;
                Some(materials[k].as_ref()?.density())
            }
            None => None,
        };
        for (key, value) in [("density", given.density), ("mass", given.mass)] {
            if let Some(value) = value {
                self.positive(&at(key), key, value)?;
            }
        }
        if let MeshSpec::Clump(clump) = &entry.mesh {
            self.check_overlap::<D>(i, clump)?;
        }
        let thickness = if D == 2 { entry.section.thickness() } else { 1.0 };
        let is_point = matches!(entry.mesh, MeshSpec::PointMass(_));
        let (rotation, position) = placed.pose(copy);
        let centre = match given.centre.0.is_empty() {
            true => None,
            false => Some(position + rotation * SVector::from(self.vector::<D>(&at("centre"), &given.centre)?)),
        };
        let moments = self.moments::<D>(&at("moments"), &given.moments)?;
        // In the axes of the body as it is placed.
        let moments = moments.map(|m| {
            let turn =
                Matrix3::from_fn(|i, j| if i < D && j < D { rotation[(i, j)] } else { f64::from(u8::from(i == j)) });
            turn * m * turn.transpose()
        });
        let Some(density) = given.density.or(of_material).or(given.mass.map(|_| 1.0)) else {
            let message = format!(
                "the rigid body `{}` has no mass: give `material`, or `inertia: (density: …)` or `inertia: (mass: …)`",
                entry.name
            );
            self.problems.input(codes::NO_INERTIA, format!("bodies[{i}]"), message);
            return None;
        };
        if is_point {
            let Some(mass) = given.mass else {
                let message = format!("the point mass `{}` has no volume: give `inertia: (mass: …)`", entry.name);
                self.problems.input(codes::NO_INERTIA, format!("bodies[{i}].inertia"), message);
                return None;
            };
            return Some(RigidInertia { mass, centre: shape.aabb(&ShapePose::default()).low, moments: None });
        }
        let own = match shape.mass_properties(density * thickness) {
            Ok(own) => own,
            Err(e) => {
                self.problems.add(e.code(), format!("bodies[{i}]"), e.to_string(), ProblemKind::Mesh);
                return None;
            }
        };
        // A mass that is given scales the moments of the shape.
        let mass = given.mass.unwrap_or(own.mass);
        let moments = moments.unwrap_or_else(|| own.inertia * (mass / own.mass));
        Some(RigidInertia { mass, centre: centre.unwrap_or(own.centre), moments: Some(moments) })
    }

    /// Moments of inertia as a matrix, if they are given; outside: whether they could be read.
    #[expect(
        clippy::option_option,
        reason = "the inner one is the case's, the outer one says whether it could be read"
    )]
    fn moments<const D: usize>(&mut self, path: &str, given: &Components) -> Option<Option<Matrix3<f64>>> {
        let c = &given.0;
        if let Some(x) = c.iter().find(|x| !x.is_finite()) {
            self.problems.input(codes::NOT_FINITE, path, format!("{x} is not a finite number"));
            return None;
        }
        Some(match (D, c[..].len()) {
            (_, 0) => None,
            (2, 1) => Some(Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, c[0]))),
            (3, 3) => Some(Matrix3::from_diagonal(&Vector3::new(c[0], c[1], c[2]))),
            (3, 6) => Some(Matrix3::new(c[0], c[3], c[5], c[3], c[1], c[4], c[5], c[4], c[2])),
            (_, n) => {
                let right = if D == 2 { "1" } else { "3 or 6" };
                self.problems.input(codes::COMPONENTS, path, format!("{n} components where {right} are needed"));
                return None;
            }
        })
    }

    /// The k-th body of the roster, which is rigid.
    pub(super) fn rigid_body<const D: usize>(
        &mut self,
        k: usize,
        meshes: &[Option<PlacedMesh<D>>],
        materials: &[Option<Arc<dyn Material>>],
    ) -> Option<ModelBody<D>>
    where
        Dimension<D>: Generate<D>,
    {
        let member = &self.roster.members[k];
        let (i, copy, name) = (member.entry, member.copy, member.name.clone());
        let entry = &self.case.bodies[i];
        let keys = self.check_rigid_keys(i, entry);
        let velocity = self.vector::<D>(&format!("bodies[{i}].velocity"), &entry.velocity);
        if !entry.spin.is_finite() {
            self.problems.input(
                codes::NOT_FINITE,
                format!("bodies[{i}].spin"),
                format!("{} is not a finite number", entry.spin),
            );
            return None;
        }
        let axis = self.axis::<D>(&format!("bodies[{i}].spin_axis"), &entry.spin_axis);
        let section = self.section_and_damping(i, entry);
        let placed = meshes[i].as_ref()?;
        let mesh = placed.copy(copy);
        let (shape, touching) = self.shape(i, placed, copy, &mesh)?;
        section?;
        let inertia = self.inertia(i, placed, copy, &shape, materials)?;
        let (gravity, forces) = self.rigid_loads(k, &mesh, &inertia.centre, inertia.moments.is_none());
        let guide = self.guide(k, inertia.moments.is_some());
        keys?;
        let shape = shape.moved(&ShapePose::at(-inertia.centre));
        let picture = placed.picture(copy);
        let input = RigidInput {
            name: name.clone(),
            mesh,
            inertia,
            gravity,
            forces,
            guide: guide?,
            shape: Some(Arc::new(shape)),
            touching,
            thickness: if D == 2 { entry.section.thickness() } else { 1.0 },
            picture,
        };
        let body = match RigidBody::new(input) {
            Ok(body) => body,
            Err(e) => {
                self.problems.input(e.code(), format!("bodies[{i}]"), e.to_string());
                return None;
            }
        };
        if !body.turns() && entry.spin.abs() > 0.0 {
            let message = format!("the point mass `{name}` cannot turn: leave `spin` out");
            self.problems.input(codes::RIGID_KEY, format!("bodies[{i}].spin"), message);
            return None;
        }
        let (mut velocity, mut spin) = (velocity?, axis?.scale(entry.spin));
        if let Some(block) = placed.block(copy) {
            velocity.iter_mut().zip(block.velocity.iter()).for_each(|(v, own)| *v += own);
            spin += block.spin;
        }
        let initial_velocity = body.velocity(&velocity, &spin);
        Some(ModelBody {
            name,
            entry: i,
            body: Box::new(body),
            initial_velocity,
            initial_displacement: Vec::new(),
            contact_dofs: Vec::new(),
            mass_inverse: None,
            mesh_hash: placed.hash().cloned(),
        })
    }

    /// Loads on a rigid body.
    fn rigid_loads<const D: usize>(
        &mut self,
        body: usize,
        mesh: &Mesh<D>,
        centre: &SVector<f64, D>,
        is_point: bool,
    ) -> (Vec<Gravity<D>>, Vec<AppliedForce<D>>) {
        let case = self.case;
        let (mut gravity, mut forces) = (Vec::new(), Vec::new());
        for (k, load) in case.loads.iter().enumerate() {
            let at = |key: &str| format!("loads[{k}].{key}");
            match load {
                LoadEntry::Gravity { acceleration, bodies, factor, field } => {
                    let named = bodies.is_empty() || bodies.iter().any(|b| self.roster.means(b, body));
                    if named && field.is_some() {
                        let message = "a rigid body has no `field`: name the deformable ones in `bodies`";
                        self.problems.input(codes::NO_FIELD, at("field"), message);
                    }
                    if let (true, Some(acceleration)) =
                        (named && factor.validate().is_ok(), self.vector(&at("acceleration"), acceleration))
                    {
                        gravity.push(Gravity { acceleration, factor: factor.clone() });
                    }
                }
                LoadEntry::Force { body: name, force, moment, point, factor } if self.roster.means(name, body) => {
                    let force_read = self.vector::<D>(&at("force"), force);
                    let moment_read = self.moment::<D>(&at("moment"), moment);
                    let point_read = self.vector::<D>(&at("point"), point);
                    if let (Some(f), Some(m), Some(p), true) =
                        (force_read, moment_read, point_read, factor.validate().is_ok())
                    {
                        if is_point {
                            self.point_load(k, name, &m, (!point.0.is_empty()).then(|| SVector::from(p)), centre);
                        }
                        let arm = if point.0.is_empty() { SVector::zeros() } else { SVector::from(p) - centre };
                        forces.push(AppliedForce { force: SVector::from(f), moment: m, arm, factor: factor.clone() });
                    }
                }
                LoadEntry::NodalForce { body: name, group, force, factor } if self.roster.means(name, body) => {
                    let known = self.known_group(&at("group"), mesh, group) && factor.validate().is_ok();
                    if let (true, Some(f), Ok(found)) =
                        (known, self.vector::<D>(&at("force"), force), mesh.group(group))
                    {
                        let nodes = mesh.group_nodes(found);
                        let sum: SVector<f64, D> = nodes.iter().map(|&n| SVector::from(mesh.points[n]) - centre).sum();
                        let arm = sum / nodes.len().max(1) as f64;
                        forces.push(AppliedForce {
                            force: SVector::from(f),
                            moment: Vector3::zeros(),
                            arm,
                            factor: factor.clone(),
                        });
                    }
                }
                LoadEntry::Traction { body: name, .. } | LoadEntry::Pressure { body: name, .. }
                    if self.roster.means(name, body) =>
                {
                    let message = format!("body `{name}` is rigid: give the resultant as a `Force`");
                    self.problems.input(codes::RIGID_LOAD, at("body"), message);
                }
                _ => {}
            }
        }
        (gravity, forces)
    }

    /// A point mass takes neither a moment nor a force beside it.
    fn point_load<const D: usize>(
        &mut self,
        load: usize,
        name: &str,
        moment: &Vector3<f64>,
        point: Option<SVector<f64, D>>,
        place: &SVector<f64, D>,
    ) {
        if moment.amax() > 0.0 {
            let message = format!("the point mass `{name}` cannot turn: leave `moment` out, or give it an extent");
            self.problems.input(codes::RIGID_LOAD, format!("loads[{load}].moment"), message);
        }
        if let Some(p) = point.filter(|p| !is_at_point(&(p - place), place)) {
            let message = format!(
                "the point mass `{name}` is at {:?}, and no force acts on it at {:?}: leave `point` out",
                place.as_slice(),
                p.as_slice()
            );
            self.problems.input(codes::RIGID_LOAD, format!("loads[{load}].point"), message);
        }
    }

    /// A moment: one number in the plane, three in space.
    fn moment<const D: usize>(&mut self, path: &str, given: &Components) -> Option<Vector3<f64>> {
        if D == 3 || given.0.is_empty() {
            return self.vector::<3>(path, given).map(Vector3::from);
        }
        self.vector::<1>(path, given).map(|[m]| Vector3::new(0.0, 0.0, m))
    }

    /// The prescribed motion of a rigid body.
    fn guide<const D: usize>(&mut self, body: usize, turns: bool) -> Option<RigidGuide<D>> {
        let case = self.case;
        let mut guide = RigidGuide::<D>::default();
        for (k, entry) in case.motions.iter().enumerate() {
            if !self.roster.means(&entry.body, body) {
                continue;
            }
            let path = format!("motions[{k}]");
            let functions = [("x", &entry.x), ("y", &entry.y), ("z", &entry.z)];
            for (component, (key, f)) in functions.into_iter().enumerate().take(D) {
                let Some(f) = f.as_ref().filter(|f| f.validate().is_ok()) else { continue };
                if guide.velocity[component].replace(f.clone()).is_some() {
                    self.problems.input(
                        codes::RIGID_LOAD,
                        format!("{path}.{key}"),
                        format!("`{}` has this motion already", entry.body),
                    );
                }
            }
            let axis = self.axis::<D>(&format!("{path}.spin_axis"), &entry.spin_axis)?;
            if let Some(f) = entry.spin.as_ref().filter(|f| f.validate().is_ok()) {
                if !turns {
                    let message = format!("the point mass `{}` cannot turn: leave `spin` out", entry.body);
                    self.problems.input(codes::RIGID_LOAD, format!("{path}.spin"), message);
                }
                if guide.spin.replace(f.clone()).is_some() {
                    self.problems.input(
                        codes::RIGID_LOAD,
                        format!("{path}.spin"),
                        format!("`{}` has this motion already", entry.body),
                    );
                }
                guide.axis = axis.into_inner();
            }
        }
        Some(guide)
    }

    /// Motions, forces, supports and ties, each for its kind of body.
    pub(super) fn check_rigid_entries(&mut self) {
        let case = self.case;
        let is_rigid = |found: std::ops::Range<usize>, members: &[super::roster::Member]| {
            found.map(|k| case.bodies[members[k].entry].is_rigid()).next()
        };
        for (k, entry) in case.motions.iter().enumerate() {
            let path = format!("motions[{k}]");
            let found = self.known_bodies(&format!("{path}.body"), &entry.body);
            if found.and_then(|f| is_rigid(f, &self.roster.members)) == Some(false) {
                self.deforms(
                    format!("{path}.body"),
                    &entry.body,
                    "`motions` are of rigid bodies, supports of others are entries of `boundary`",
                );
            }
            if entry.x.is_none() && entry.y.is_none() && entry.z.is_none() && entry.spin.is_none() {
                self.problems.input(
                    codes::NOTHING_PRESCRIBED,
                    &path,
                    "no component is prescribed: give at least one velocity",
                );
            }
            if entry.z.is_some() && case.dimension < 3 {
                self.problems.input(codes::NO_Z, format!("{path}.z"), "z: a plane case has no such direction");
            }
            for (key, f) in [("x", &entry.x), ("y", &entry.y), ("z", &entry.z), ("spin", &entry.spin)] {
                if let Some(f) = f {
                    self.velocity_function(&format!("{path}.{key}"), f);
                }
            }
        }
        for (k, load) in case.loads.iter().enumerate() {
            let LoadEntry::Force { body, .. } = load else { continue };
            let path = format!("loads[{k}].body");
            let found = self.known_bodies(&path, body);
            if found.and_then(|f| is_rigid(f, &self.roster.members)) == Some(false) {
                self.deforms(path, body, "a `Force` acts on a rigid body; use `NodalForce`, `Traction` or `Pressure`");
            }
        }
        for (i, body) in case.bodies.iter().enumerate().filter(|(_, b)| b.is_rigid()) {
            for (key, field) in
                [("velocity_field", &body.velocity_field), ("displacement_field", &body.displacement_field)]
            {
                if !field.is_empty() {
                    let message = "a rigid body moves as a whole: give `velocity` and `spin`";
                    self.problems.input(codes::NO_FIELD, format!("bodies[{i}].{key}"), message);
                }
            }
        }
        let named = case.boundary.iter().enumerate().map(|(k, b)| (format!("boundary[{k}].body"), &b.body));
        let tied = case.ties.iter().enumerate().map(|(k, t)| (format!("ties[{k}].body"), &t.body));
        for (path, body) in named.chain(tied).collect::<Vec<_>>() {
            let rigid = case.bodies.iter().filter(|b| b.is_rigid());
            let is_named = rigid.clone().any(|b| b.name == *body || body.starts_with(&format!("{}-", b.name)));
            let is_other = case.bodies.iter().any(|b| !b.is_rigid() && b.name == *body);
            if is_named && !is_other {
                let message = format!("body `{body}` is rigid: its prescribed motions are entries of `motions`");
                self.problems.input(codes::RIGID_LOAD, path, message);
            }
        }
    }
}
