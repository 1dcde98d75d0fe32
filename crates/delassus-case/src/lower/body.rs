//! Bodies of a case: meshes, materials of their regions, loads, prescribed velocities, initial state.

use std::path::Path;
use std::sync::Arc;

use delassus_dynamics::{System, ties};
use delassus_error::Coded;
use delassus_fem::{
    Body, BodyInput, FemError, FieldLoadKind, Gravity, InitialStress, Lithostatic, Material, NodalForce,
    PrescribedVelocity, Region, SurfaceLoad, Tie, TimeFunction, Traction,
};
use delassus_mesh::{FaceRule, Interface, Mesh, MeshError};
use delassus_rigid::RigidPicture;
use delassus_shapes::RigidShape;
use delassus_sim::model::ModelBody;
use delassus_sim::model::{RotationAxis, turn};
use delassus_sim::space::Dimension;
use nalgebra::{SMatrix, SVector, Vector3};

use super::Builder;
use super::Generate;
use super::mesh::{load_mesh, name_faces, place};
use super::names::find_name;
use super::packing::{Grains, node};
use super::roster::Member;
use crate::codes;
use crate::problem::ProblemKind;
use crate::spec::{
    self, AntagonistSpec, BOUNDARY, BodyEntry, Components, CopiesSpec, InitialStressSpec, InterfaceSpec, LoadEntry,
    MeshSpec,
};

impl Builder<'_> {
    /// Does a contact name this group of this entry?
    fn touches_with(&self, body: &str, group: &str) -> bool {
        let named = |side: &spec::SurfaceSpec| side.body == body && side.group == group;
        let other = |a: &AntagonistSpec| matches!(a, AntagonistSpec::Surface(side) if named(side));
        self.case.contacts.iter().any(|c| named(&c.candidates) || other(&c.antagonists))
    }

    pub(super) fn mesh<const D: usize>(&mut self, i: usize, entry: &BodyEntry, folder: &Path) -> Option<PlacedMesh<D>>
    where
        Dimension<D>: Generate<D>,
    {
        if let MeshSpec::Packing(packing) = &entry.mesh {
            return self.packing(i, entry, packing);
        }
        if let MeshSpec::Blocks(blocks) = &entry.mesh {
            return self.blocks(i, entry, blocks, folder);
        }
        let loaded = load_mesh::<D>(&mut self.problems, &format!("bodies[{i}].mesh"), &entry.mesh, folder);
        let scale = self.mesh_scale(&format!("bodies[{i}].scale"), entry);
        let translation = self.vector::<D>(&format!("bodies[{i}].translation"), &entry.translation);
        let angle = self.degrees(&format!("bodies[{i}].rotation"), entry.rotation);
        let axis = self.axis::<D>(&format!("bodies[{i}].rotation_axis"), &entry.rotation_axis);
        let (mut mesh, hash) = loaded?;
        if let Some(scale) = scale? {
            mesh.points.iter_mut().flatten().for_each(|x| *x *= scale);
        }
        name_faces(&mut self.problems, &format!("bodies[{i}].faces"), &mut mesh, &entry.faces)?;
        let mut mesh = self.split_mesh(i, entry, mesh)?;
        if !mesh.groups.iter().any(|g| g.name == BOUNDARY) && self.touches_with(&entry.name, BOUNDARY) {
            let all =
                FaceRule::Normal { direction: std::array::from_fn(|k| if k == 0 { 1.0 } else { 0.0 }), within: 180.0 };
            let path = format!("bodies[{i}].mesh");
            self.problems.check_mesh(&path, mesh.add_faces(BOUNDARY, &[all]))?;
        }
        let angle = angle?;
        let turned = turn(&axis?, angle);
        place(&mut mesh, (angle.abs() > 0.0).then_some(&turned), &translation?);
        let copies = match &entry.copies {
            Some(copies) => self.copies(&format!("bodies[{i}].copies"), copies)?,
            None => CopySteps { angle: 0.0, axis: Vector3::z_axis(), step: [0.0; D] },
        };
        let first =
            (if angle.abs() > 0.0 { turned.into_inner() } else { SMatrix::identity() }, SVector::from(translation?));
        Some(PlacedMesh { mesh: Arc::new(mesh), hash, copies, first, grains: None, blocks: Vec::new() })
    }

    /// By what the coordinates of a file are multiplied, if they are not in metres.
    fn mesh_scale(&mut self, path: &str, entry: &BodyEntry) -> Option<Option<f64>> {
        let is_plain = (entry.scale - 1.0).abs() <= 0.0;
        if !is_plain && !matches!(entry.mesh, MeshSpec::File(_)) {
            let message = "`scale` is the unit of the coordinates in a mesh file; this mesh is made in metres";
            self.problems.input(codes::SCALE_WITHOUT_FILE, path, message);
            return None;
        }
        let scale = self.positive(path, "scale", entry.scale)?;
        Some((!is_plain).then_some(scale))
    }

    /// The mesh with the interfaces of a body opened.
    fn split_mesh<const D: usize>(&mut self, i: usize, entry: &BodyEntry, mut mesh: Mesh<D>) -> Option<Mesh<D>> {
        let mut interfaces = Vec::with_capacity(entry.split.len());
        for (k, split) in entry.split.iter().enumerate() {
            let at = |key: &str| format!("bodies[{i}].split[{k}].{key}");
            let name = &split.name;
            let mut plus = split.plus.clone();
            let made = match &split.facets {
                InterfaceSpec::Group => Ok(()),
                InterfaceSpec::Box { from, to } => {
                    let corners = (self.corner::<D>(&at("facets.from"), from), self.corner::<D>(&at("facets.to"), to));
                    mesh.add_interface_in_box(name, corners.0?, corners.1?)
                }
                InterfaceSpec::Around(cells) => {
                    plus.get_or_insert_with(|| cells.clone());
                    mesh.add_interface_around(name, cells)
                }
            };
            self.problems.check(&at("facets"), made)?;
            // Each alone first, so that what is wrong is told where it stands.
            let interface = Interface { name: name.clone(), plus };
            let alone = mesh.split(std::slice::from_ref(&interface));
            self.problems.check_mesh(at("name"), alone)?;
            interfaces.push(interface);
        }
        if interfaces.is_empty() {
            return Some(mesh);
        }
        let split = mesh.split(&interfaces);
        self.problems.check_mesh(format!("bodies[{i}].split"), split)
    }

    /// A point that must be given.
    fn corner<const D: usize>(&mut self, path: &str, c: &Components) -> Option<[f64; D]> {
        if c.0.is_empty() {
            self.problems.input(codes::COMPONENTS, path, format!("0 components where {D} are needed"));
            return None;
        }
        self.vector(path, c)
    }

    /// How copies follow one another.
    fn copies<const D: usize>(&mut self, path: &str, spec: &CopiesSpec) -> Option<CopySteps<D>> {
        let angle = self.degrees(&format!("{path}.rotation"), spec.rotation);
        let axis = self.axis::<D>(&format!("{path}.rotation_axis"), &spec.rotation_axis);
        let step = self.vector::<D>(&format!("{path}.translation"), &spec.translation);
        Some(CopySteps { angle: angle?, axis: axis?, step: step? })
    }

    /// The k-th body of the roster, deformable or rigid.
    pub(super) fn any_body<const D: usize>(
        &mut self,
        k: usize,
        meshes: &[Option<PlacedMesh<D>>],
        materials: &[Option<Arc<dyn Material>>],
    ) -> Option<ModelBody<D>>
    where
        Dimension<D>: Generate<D>,
    {
        let Member { entry, copy, .. } = self.roster.members[k];
        if !self.case.bodies[entry].is_rigid() {
            return self.body(k, meshes, materials);
        }
        // As of a deformable body, the first copy tells all.
        if copy > 0 && meshes[entry].is_none() { None } else { self.rigid_body(k, meshes, materials) }
    }

    /// c_K of M̂ in a step; 0 in statics, and for a scheme that is refused.
    fn step_weight(&self) -> f64 {
        let scheme = self.case.integrator.build().ok().filter(|scheme| scheme.has_inertia());
        scheme.map_or(0.0, |scheme| scheme.coefficients(self.case.step).stiffness)
    }

    /// The k-th body of the roster.
    fn body<const D: usize>(
        &mut self,
        k: usize,
        meshes: &[Option<PlacedMesh<D>>],
        materials: &[Option<Arc<dyn Material>>],
    ) -> Option<ModelBody<D>> {
        let Member { entry: i, copy, ref name } = self.roster.members[k];
        // Without a mesh the first copy tells all that can be told; thousands more would repeat it.
        if copy > 0 && meshes[i].is_none() {
            return None;
        }
        let (name, entry) = (name.clone(), &self.case.bodies[i]);
        let regions = self.regions(i, entry, materials);
        let velocity = self.vector::<D>(&format!("bodies[{i}].velocity"), &entry.velocity);
        self.check_spin(k, i, entry);
        let axis = self.axis::<D>(&format!("bodies[{i}].spin_axis"), &entry.spin_axis);
        let constants = self.section_and_damping(i, entry);
        let loaded = meshes[i].as_ref()?;
        let mut input = BodyInput {
            name: name.clone(),
            mesh: loaded.copy(copy),
            regions: regions?,
            section: entry.section,
            formulation: entry.formulation,
            mass: entry.mass,
            rayleigh: entry.damping,
            gravity: Vec::new(),
            surface_loads: Vec::new(),
            following_loads: Vec::new(),
            nodal_forces: Vec::new(),
            field_loads: Vec::new(),
            prescribed: Vec::new(),
            ties: Vec::new(),
            attachments: Vec::new(),
            kinematics: self.case.kinematics_of(entry),
            initial_stress: None,
            step_weight: self.step_weight(),
        };
        let stress = self.initial_stress(i, entry);
        input.initial_stress = stress?;
        self.loads(k, &mut input);
        self.boundary(k, &mut input);
        self.ties(k, &mut input)?;
        self.attachments(k, &mut input);
        constants?;
        let body = match Body::new(input) {
            Ok(body) => body,
            Err(e) => {
                let kind = kind_of(&e);
                self.problems.add(e.code(), format!("bodies[{i}]"), e.to_string(), kind);
                return None;
            }
        };
        let (field, initial_displacement) = self.initial_fields(i, entry, &body)?;
        let mut initial_velocity = initial_velocity(&body, &velocity?, axis?.scale(entry.spin));
        if !entry.velocity_field.is_empty() {
            initial_velocity.iter_mut().zip(field).for_each(|(v, field)| *v += field);
        }
        let fastest = initial_velocity.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let apart = |&&(s, m): &&(usize, usize)| (initial_velocity[s] - initial_velocity[m]).abs() > 1e-12 * fastest;
        if let Some((slave, master)) = body.tied().iter().find(apart) {
            let message =
                format!("nodes {} and {} are tied, but start with different velocities", slave / D, master / D);
            self.problems.input(codes::TIED_VELOCITIES, format!("bodies[{i}].spin"), message);
            return None;
        }
        ties::spread(body.tied(), &mut initial_velocity);
        Some(ModelBody {
            name,
            entry: i,
            body: Box::new(body),
            initial_velocity,
            initial_displacement,
            contact_dofs: Vec::new(),
            mass_inverse: None,
            mesh_hash: loaded.hash.clone(),
        })
    }

    /// The stress a body starts with, if it has one; none at all if what is written is wrong.
    #[expect(
        clippy::option_option,
        reason = "the inner one is the case's, the outer one says whether it could be read"
    )]
    fn initial_stress<const D: usize>(&mut self, i: usize, entry: &BodyEntry) -> Option<Option<InitialStress<D>>> {
        let Some(InitialStressSpec::Lithostatic { surface, density, gravity, lateral }) = &entry.initial_stress else {
            return Some(None);
        };
        let at = |key: &str| format!("bodies[{i}].initial_stress.{key}");
        let surface = self.vector::<D>(&at("surface"), surface);
        let gravity = self.vector::<D>(&at("gravity"), gravity);
        let mut good = true;
        for (key, value) in [("density", *density), ("lateral", *lateral)] {
            if !(value.is_finite() && value >= 0.0) {
                self.problems.input(codes::NEGATIVE, at(key), format!("{key} = {value} must be a finite number >= 0"));
                good = false;
            }
        }
        let (density, lateral) = (*density, *lateral);
        let stress = Lithostatic { surface: surface?, density, gravity: gravity?, lateral };
        good.then_some(Some(InitialStress::Lithostatic(stress)))
    }

    /// Notes a thickness or damping that is out of range, at its own key.
    pub(super) fn section_and_damping(&mut self, i: usize, entry: &BodyEntry) -> Option<()> {
        let mut good = self.problems.check(&format!("bodies[{i}].section"), entry.section.validate());
        for (key, value) in [("alpha", entry.damping.alpha), ("beta", entry.damping.beta)] {
            if !(value.is_finite() && value >= 0.0) {
                let message = format!("damping: {key} = {value} must be a finite number >= 0");
                self.problems.input(codes::NEGATIVE, format!("bodies[{i}].damping.{key}"), message);
                good = None;
            }
        }
        good
    }

    pub(super) fn regions(
        &mut self,
        i: usize,
        entry: &BodyEntry,
        materials: &[Option<Arc<dyn Material>>],
    ) -> Option<Vec<Region>> {
        let names: Vec<&str> = self.case.materials.iter().map(|m| m.name.as_str()).collect();
        if entry.material.is_none() && entry.regions.is_empty() {
            let message = format!("body `{}` has no material: give `material` or `regions`", entry.name);
            self.problems.input(codes::BODY_WITHOUT_MATERIAL, format!("bodies[{i}]"), message);
            return None;
        }
        let mut wanted: Vec<(String, &str, Option<&str>)> = entry
            .regions
            .iter()
            .enumerate()
            .map(|(k, r)| (format!("bodies[{i}].regions[{k}].material"), r.material.as_str(), Some(r.group.as_str())))
            .collect();
        if let Some(name) = &entry.material {
            wanted.push((format!("bodies[{i}].material"), name, None));
        }
        let mut regions = Some(Vec::new());
        for (path, name, group) in wanted {
            let index = find_name(&mut self.problems, &path, "material", name, &names);
            match (index.and_then(|k| materials[k].clone()), &mut regions) {
                (Some(material), Some(list)) => {
                    list.push(Region { name: name.into(), group: group.map(Into::into), material });
                }
                _ => regions = None,
            }
        }
        regions
    }

    /// What can be said of loads and prescribed velocities without the bodies they act on.
    pub(super) fn check_loads_and_boundary(&mut self) {
        let case = self.case;
        for (k, load) in case.loads.iter().enumerate() {
            let at = |key: &str| format!("loads[{k}].{key}");
            let factor = match load {
                LoadEntry::Gravity { bodies, factor, .. } => {
                    for (n, name) in bodies.iter().enumerate() {
                        self.known_bodies(&at(&format!("bodies[{n}]")), name);
                    }
                    factor
                }
                LoadEntry::Force { factor, .. } => factor,
                LoadEntry::Traction { body, factor, .. }
                | LoadEntry::Pressure { body, factor, .. }
                | LoadEntry::Couple { body, factor, .. }
                | LoadEntry::NodalForce { body, factor, .. } => {
                    self.known_bodies(&at("body"), body);
                    factor
                }
            };
            self.function(&at("factor"), factor);
            let number = match load {
                LoadEntry::Pressure { pressure, .. } => Some(("pressure", *pressure)),
                LoadEntry::Couple { moment, .. } => Some(("moment", *moment)),
                LoadEntry::Gravity { .. }
                | LoadEntry::Traction { .. }
                | LoadEntry::Force { .. }
                | LoadEntry::NodalForce { .. } => None,
            };
            if let Some((key, value)) = number.filter(|(_, x)| !x.is_finite()) {
                self.problems.input(codes::NOT_FINITE, at(key), format!("{value} is not a finite number"));
            }
        }
        for (k, entry) in case.ties.iter().enumerate() {
            self.known_bodies(&format!("ties[{k}].body"), &entry.body);
            if entry.components.contains(&spec::SpaceAxis::Z) && case.dimension < 3 {
                self.problems.input(
                    codes::NO_Z,
                    format!("ties[{k}].components"),
                    "Z: a plane case has no such direction",
                );
            }
        }
        for (k, entry) in case.boundary.iter().enumerate() {
            let path = format!("boundary[{k}]");
            self.known_bodies(&format!("{path}.body"), &entry.body);
            if entry.x.is_none() && entry.y.is_none() && entry.z.is_none() {
                self.problems.input(
                    codes::NOTHING_PRESCRIBED,
                    &path,
                    "no component is prescribed: give at least one velocity",
                );
            }
            if entry.z.is_some() && case.dimension < 3 {
                self.problems.input(codes::NO_Z, format!("{path}.z"), "z: a plane case has no such direction");
            }
            for (key, f) in [("x", &entry.x), ("y", &entry.y), ("z", &entry.z)] {
                if let Some(f) = f {
                    self.velocity_function(&format!("{path}.{key}"), f);
                }
            }
        }
    }

    pub(super) fn loads<const D: usize>(&mut self, body: usize, input: &mut BodyInput<D>) {
        let case = self.case;
        for (k, load) in case.loads.iter().enumerate() {
            let at = |key: &str| format!("loads[{k}].{key}");
            match load {
                LoadEntry::Gravity { acceleration, bodies, factor, field } => {
                    let named = bodies.is_empty() || bodies.iter().any(|b| self.roster.means(b, body));
                    let mine = named && factor.validate().is_ok();
                    if let (true, Some(acceleration)) = (mine, self.vector(&at("acceleration"), acceleration)) {
                        if let Some(text) = field {
                            let kind = FieldLoadKind::Acceleration(acceleration);
                            self.field_load(&at("field"), text, (kind, factor), input);
                            continue;
                        }
                        input.gravity.push(Gravity { acceleration, factor: factor.clone() });
                    }
                }
                LoadEntry::Traction { body: name, group, traction, follows, factor, field } => {
                    if self.acts_on(k, name, body, group, factor, input)
                        && self.has_facets(&at("group"), &input.mesh, group)
                        && let Some(t) = self.vector(&at("traction"), traction)
                    {
                        if let Some(text) = self.field_of(k, *follows, field.as_deref()) {
                            let kind = FieldLoadKind::Traction { group: group.clone(), traction: t };
                            self.field_load(&at("field"), text, (kind, factor), input);
                            continue;
                        }
                        push_surface_load(input, *follows, group, Traction::Vector(t), factor);
                    }
                }
                LoadEntry::Pressure { body: name, group, pressure, follows, factor, field } => {
                    if self.acts_on(k, name, body, group, factor, input)
                        && self.has_facets(&at("group"), &input.mesh, group)
                        && pressure.is_finite()
                    {
                        if let Some(text) = self.field_of(k, *follows, field.as_deref()) {
                            let kind = FieldLoadKind::Pressure { group: group.clone(), pressure: *pressure };
                            self.field_load(&at("field"), text, (kind, factor), input);
                            continue;
                        }
                        push_surface_load(input, *follows, group, Traction::Pressure(*pressure), factor);
                    }
                }
                LoadEntry::Couple { body: name, group, moment, axis, follows, factor } => {
                    if self.acts_on(k, name, body, group, factor, input)
                        && self.has_facets(&at("group"), &input.mesh, group)
                        && moment.is_finite()
                        && let Some(axis) = self.axis::<D>(&at("axis"), axis)
                    {
                        let couple = Traction::Couple(axis.scale(*moment).into());
                        push_surface_load(input, *follows, group, couple, factor);
                    }
                }
                LoadEntry::Force { .. } => {}
                LoadEntry::NodalForce { body: name, group, force, factor } => {
                    if self.acts_on(k, name, body, group, factor, input)
                        && let Some(force) = self.vector(&at("force"), force)
                    {
                        input.nodal_forces.push(NodalForce { group: group.clone(), force, factor: factor.clone() });
                    }
                }
            }
        }
    }

    /// The field of a load; a load that follows its surface has none.
    fn field_of<'t>(&mut self, k: usize, follows: bool, field: Option<&'t str>) -> Option<&'t str> {
        if follows && field.is_some() {
            let message = "a load that follows its surface has no `field`: leave one of them out";
            self.problems.input(codes::NO_FIELD, format!("loads[{k}].field"), message);
            return None;
        }
        field
    }

    /// Does load `k` act on this body, and is what it names right?
    pub(super) fn acts_on<const D: usize>(
        &mut self,
        k: usize,
        name: &str,
        body: usize,
        group: &str,
        factor: &TimeFunction,
        input: &BodyInput<D>,
    ) -> bool {
        let path = format!("loads[{k}]");
        // A wrong factor has been noted at its place.
        self.roster.means(name, body)
            && factor.validate().is_ok()
            && self.known_group(&format!("{path}.group"), &input.mesh, group)
    }

    /// Can a traction act on this group?
    pub(super) fn has_facets<const D: usize>(&mut self, path: &str, mesh: &Mesh<D>, group: &str) -> bool {
        self.problems.check_mesh(path, mesh.group_facets(group)).is_some()
    }

    fn ties<const D: usize>(&mut self, body: usize, input: &mut BodyInput<D>) -> Option<()> {
        let case = self.case;
        for (k, entry) in case.ties.iter().enumerate() {
            if !self.roster.means(&entry.body, body) {
                continue;
            }
            let at = |key: &str| format!("ties[{k}].{key}");
            for (key, group) in [("slaves", &entry.slaves), ("masters", &entry.masters)] {
                self.known_group(&at(key), &input.mesh, group).then_some(())?;
            }
            let components = if entry.components.is_empty() {
                (0..D).collect()
            } else {
                entry.components.iter().map(|&axis| axis as usize).collect()
            };
            let given = !entry.translation.0.is_empty();
            let translation = self.vector::<D>(&at("translation"), &entry.translation)?;
            let (slaves, masters) = (entry.slaves.clone(), entry.masters.clone());
            input.ties.push(Tie { slaves, masters, components, translation: given.then_some(translation) });
        }
        Some(())
    }

    pub(super) fn boundary<const D: usize>(&mut self, body: usize, input: &mut BodyInput<D>) {
        let case = self.case;
        for (k, entry) in case.boundary.iter().enumerate() {
            let path = format!("boundary[{k}]");
            let components = [&entry.x, &entry.y, &entry.z];
            let mine = self.roster.means(&entry.body, body);
            if !mine || !self.known_group(&format!("{path}.group"), &input.mesh, &entry.group) {
                continue;
            }
            for (component, f) in components.into_iter().enumerate().take(D) {
                if let Some(velocity) = f.as_ref().filter(|f| f.validate().is_ok()) {
                    let (group, velocity) = (entry.group.clone(), velocity.clone());
                    input.prescribed.push(PrescribedVelocity { group, component, velocity });
                }
            }
        }
    }
}

/// The mesh of an entry in its place, and where its copies go.
pub(super) struct PlacedMesh<const D: usize> {
    mesh: Arc<Mesh<D>>,
    hash: Option<String>,
    copies: CopySteps<D>,
    /// Rotation and translation of the first copy, from the mesh as it is written.
    first: (SMatrix<f64, D, D>, SVector<f64, D>),
    /// Of a packing, where its bodies are: they are no copies of the first.
    grains: Option<Grains<D>>,
    /// Of a collection of blocks, each in its place.
    blocks: Vec<PlacedMember<D>>,
}

/// How copies follow one another: turned by `angle` about `axis`, then moved by `step`.
struct CopySteps<const D: usize> {
    angle: f64,
    axis: RotationAxis,
    step: [f64; D],
}

/// A block of a collection.
pub(super) struct PlacedMember<const D: usize> {
    /// How it is drawn; of a disk or ball the first node is its centre.
    pub picture: Arc<Mesh<D>>,
    /// Its shape in its place.
    pub shape: RigidShape<D>,
    /// Radius of a disk or ball.
    pub radius: Option<f64>,
    /// Velocity of its own at the start [m/s].
    pub velocity: SVector<f64, D>,
    /// Angular velocity of its own at the start [rad/s].
    pub spin: Vector3<f64>,
}

impl<const D: usize> PlacedMesh<D> {
    /// A packing, with the node of its first grain.
    pub(super) fn of_grains(mesh: Arc<Mesh<D>>, grains: Grains<D>) -> Self {
        let copies = CopySteps { angle: 0.0, axis: Vector3::z_axis(), step: [0.0; D] };
        Self {
            mesh,
            hash: None,
            copies,
            first: (SMatrix::identity(), SVector::zeros()),
            grains: Some(grains),
            blocks: Vec::new(),
        }
    }

    /// Blocks, and the rotation and translation of all.
    pub(super) fn of_blocks(
        blocks: Vec<PlacedMember<D>>,
        hash: Option<String>,
        first: (SMatrix<f64, D, D>, SVector<f64, D>),
    ) -> Self {
        let empty = || Arc::new(Mesh { points: Vec::new(), blocks: Vec::new(), groups: Vec::new() });
        let mesh = blocks.first().map_or_else(empty, |b| Arc::clone(&b.picture));
        let copies = CopySteps { angle: 0.0, axis: Vector3::z_axis(), step: [0.0; D] };
        Self { mesh, hash, copies, first, grains: None, blocks }
    }

    /// A block in its place.
    pub(super) fn block(&self, copy: usize) -> Option<&PlacedMember<D>> {
        self.blocks.get(copy)
    }

    /// Radius of a grain.
    pub(super) fn grain_radius(&self, copy: usize) -> Option<f64> {
        Some(self.grains.as_ref()?.balls.get(copy)?.radius)
    }

    /// How a grain is drawn.
    pub(super) fn picture(&self, copy: usize) -> Option<RigidPicture<D>> {
        let mesh = Arc::clone(self.grains.as_ref()?.picture.as_ref()?);
        Some(RigidPicture { mesh, scale: self.grain_radius(copy)? })
    }

    /// Cells of one copy.
    pub(super) fn n_cells(&self) -> usize {
        self.mesh.n_cells()
    }

    /// Hash of the mesh file, when there is one.
    pub(super) fn hash(&self) -> Option<&String> {
        self.hash.as_ref()
    }

    /// Rotation and translation of a copy, from the mesh as it is written.
    pub(super) fn pose(&self, copy: usize) -> (SMatrix<f64, D, D>, SVector<f64, D>) {
        if let Some(pose) = self.grains.as_ref().and_then(|grains| grains.pose(copy)) {
            return (pose.rotation, pose.position);
        }
        if copy == 0 || !self.blocks.is_empty() {
            return self.first;
        }
        let times = copy as f64;
        let turned = turn::<D>(&self.copies.axis, times * self.copies.angle).into_inner();
        let step = SVector::from(self.copies.step.map(|x| times * x));
        (turned * self.first.0, turned * self.first.1 + step)
    }

    /// The mesh of a copy.
    pub(super) fn copy(&self, copy: usize) -> Arc<Mesh<D>> {
        if let Some(pose) = self.grains.as_ref().and_then(|grains| grains.pose(copy)) {
            return node(pose.position);
        }
        if let Some(block) = self.blocks.get(copy) {
            return Arc::clone(&block.picture);
        }
        if copy == 0 {
            return Arc::clone(&self.mesh);
        }
        let times = copy as f64;
        let mut mesh = Mesh::clone(&self.mesh);
        let angle = times * self.copies.angle;
        let turned = turn(&self.copies.axis, angle);
        place(&mut mesh, (angle.abs() > 0.0).then_some(&turned), &self.copies.step.map(|x| times * x));
        Arc::new(mesh)
    }
}

/// Is the mesh at fault, or the case?
fn kind_of(e: &FemError) -> ProblemKind {
    match e {
        FemError::At { source, .. } => kind_of(source),
        FemError::Mesh(MeshError::UnknownGroup { .. }) => ProblemKind::Input,
        FemError::Mesh(_)
        | FemError::NoElement { .. }
        | FemError::InvertedCell { .. }
        | FemError::MasslessNode { .. } => ProblemKind::Mesh,
        _ => ProblemKind::Input,
    }
}

/// Translation plus spin ω × (x − x_c) about the centre of mass; in the plane ω is along z.
fn initial_velocity<const D: usize>(body: &Body<D>, velocity: &[f64; D], spin: Vector3<f64>) -> Vec<f64> {
    let points = &body.mesh().points;
    let total = body.total_mass();
    let centre: [f64; D] =
        std::array::from_fn(|i| points.iter().zip(body.node_masses()).map(|(x, m)| m * x[i]).sum::<f64>() / total);
    let mut v = Vec::with_capacity(body.n_dof());
    for x in points {
        let arm = Vector3::from_fn(|i, _| if i < D { x[i] - centre[i] } else { 0.0 });
        let turning = spin.cross(&arm);
        v.extend((0..D).map(|i| velocity[i] + turning[i]));
    }
    v
}

/// Adds a load on a surface to those that follow it, or to those that do not.
fn push_surface_load<const D: usize>(
    input: &mut BodyInput<D>,
    follows: bool,
    group: &str,
    traction: Traction<D>,
    factor: &TimeFunction,
) {
    let loads = if follows { &mut input.following_loads } else { &mut input.surface_loads };
    loads.push(SurfaceLoad { group: group.to_owned(), traction, factor: factor.clone() });
}
