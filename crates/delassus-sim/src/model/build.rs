//! From a case to a model: everything is checked here, once, and all problems are collected.

use std::path::Path;
use std::sync::Arc;

use delassus_contact::{CandidateSet, FacetSurface, NarrowPhase, NodeToFacet, Obstacle};
use delassus_dynamics::System;
use delassus_dynamics::operator::MassInverse;
use delassus_fem::{
    Body, BodyInput, FemError, Gravity, Material, NodalForce, PrescribedVelocity, Region, SurfaceLoad, TimeFunction,
    Traction,
};
use delassus_mesh::{Mesh, MeshError};
use delassus_solver::{LawSpec, Options};
use nalgebra::SVector;

use super::mesh_source::{load_mesh, place};
use super::names::{check_names, find_name};
use super::{Generate, Model, ModelBody, ModelPair, MovingObstacle, Pass, Probe, Space, Target};
use crate::case::{
    AntagonistSpec, BodyEntry, Case, Components, ContactEntry, FailurePolicy, LoadEntry, Motion, ObstacleSpec,
    ProbeSpec, SolverSpec, SurfaceSpec,
};
use crate::problem::{ProblemKind, Problems};
use crate::record::Columns;

/// Steps beyond which a run would never end: a slip of units.
const MAX_STEPS: f64 = 1e9;

/// Halvings beyond which a step would drown in the rounding of time.
const MAX_HALVINGS: u32 = 30;

impl<const D: usize> Model<D>
where
    Space<D>: Generate<D>,
    NodeToFacet: NarrowPhase<D>,
{
    /// Checks a case and builds its model; `folder` is where paths in the case start.
    pub fn build(case: &Case, folder: &Path) -> Result<Self, Problems> {
        let mut builder = Builder { case, problems: Problems::default() };
        let model = builder.model(folder);
        match model {
            Some(model) if builder.problems.is_empty() => Ok(model),
            _ => Err(builder.problems),
        }
    }
}

struct Builder<'a> {
    case: &'a Case,
    problems: Problems,
}

impl Builder<'_> {
    fn model<const D: usize>(&mut self, folder: &Path) -> Option<Model<D>>
    where
        Space<D>: Generate<D>,
        NodeToFacet: NarrowPhase<D>,
    {
        let case = self.case;
        self.check_all_names();
        let times = self.times();
        let (solver_options, policy) = self.solver();
        let integrator = self.problems.check("integrator", case.integrator.build());
        let materials = self.materials();
        let obstacles = self.obstacles::<D>();
        if case.output.every == Some(0) {
            self.problems.input("output.every", "0 steps between frames: must be at least 1");
        }
        if case.bodies.is_empty() {
            self.problems.input("bodies", "a case needs at least one body");
        }
        let meshes: Vec<_> = case.bodies.iter().enumerate().map(|(i, b)| self.mesh::<D>(i, b, folder)).collect();
        let mut bodies: Vec<Option<ModelBody<D>>> = Vec::new();
        for (i, mesh) in meshes.iter().enumerate() {
            let input = mesh.as_ref().map(|(mesh, hash)| (Arc::clone(mesh), hash.clone()));
            bodies.push(self.body(i, input, &materials));
        }
        let pairs: Vec<_> =
            case.contacts.iter().enumerate().map(|(i, c)| self.pair(i, c, &bodies, &obstacles)).collect();
        let probes: Vec<_> = (0..case.probes.len()).map(|i| self.probe(i, &bodies)).collect();
        self.verification();

        let (h, n_steps) = times?;
        let mut bodies = bodies.into_iter().collect::<Option<Vec<_>>>()?;
        let pairs = pairs.into_iter().collect::<Option<Vec<ModelPair<D>>>>()?;
        let integrator = integrator?;
        gather_contact_dofs(&mut bodies, &pairs);
        if integrator.keeps_acceleration() {
            for (i, b) in bodies.iter_mut().enumerate() {
                b.mass_inverse = self.problems.check(&format!("bodies[{i}]"), MassInverse::new(&b.body));
            }
        }
        let probes = probes.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Model { bodies, pairs, integrator, h, n_steps, solver_options, policy, probes })
    }

    fn check_all_names(&mut self) {
        let case = self.case;
        let p = &mut self.problems;
        check_names(p, "materials", case.materials.iter().map(|x| x.name.as_str()));
        check_names(p, "bodies", case.bodies.iter().map(|x| x.name.as_str()));
        check_names(p, "obstacles", case.obstacles.iter().map(|x| x.name.as_str()));
        check_names(p, "contacts", case.contacts.iter().map(|x| x.name.as_str()));
        check_names(p, "probes", case.probes.iter().map(|x| x.name.as_str()));
    }

    fn positive(&mut self, path: &str, value: f64) -> bool {
        let good = value.is_finite() && value > 0.0;
        if !good {
            self.problems.input(path, format!("{path} = {value} must be positive and finite"));
        }
        good
    }

    fn times(&mut self) -> Option<(f64, usize)> {
        let (h, duration) = (self.case.step, self.case.duration);
        let good = self.positive("step", h) & self.positive("duration", duration);
        if !good {
            return None;
        }
        // Whole steps; a remainder of rounding does not count as one.
        let steps = (duration / h - 1e-9).ceil().max(1.0);
        if steps > MAX_STEPS {
            let message = format!("duration/step = {steps:e} steps: more than {MAX_STEPS:e} would never end");
            self.problems.input("step", message);
            return None;
        }
        Some((h, steps as usize))
    }

    fn solver(&mut self) -> (Options, FailurePolicy) {
        let SolverSpec::Nlgs(spec) = &self.case.solver;
        if !(spec.tolerance > 0.0 && spec.tolerance < 1.0) {
            let message = format!("tolerance = {} must lie between 0 and 1", spec.tolerance);
            self.problems.input("solver.tolerance", message);
        }
        if spec.max_iterations == 0 {
            self.problems.input("solver.max_iterations", "max_iterations = 0 must be at least 1");
        }
        if let FailurePolicy::CutStep { halvings } = spec.on_failure
            && halvings > MAX_HALVINGS
        {
            let message = format!("halvings = {halvings} must be at most {MAX_HALVINGS} (step/2^{MAX_HALVINGS})");
            self.problems.input("solver.on_failure.halvings", message);
        }
        (Options { tolerance: spec.tolerance, max_iterations: spec.max_iterations }, spec.on_failure)
    }

    fn materials(&mut self) -> Vec<Option<Arc<dyn Material>>> {
        let case = self.case;
        if case.materials.is_empty() {
            self.problems.input("materials", "a case needs at least one material");
        }
        let build = |(i, m): (usize, &crate::case::MaterialEntry)| {
            let built = m.law.build(m.density).map_err(|e| format!("material `{}`: {e}", m.name));
            self.problems.check(&format!("materials[{i}]"), built).map(Arc::from)
        };
        case.materials.iter().enumerate().map(build).collect()
    }

    /// D finite components; absent ones are zero.
    fn vector<const D: usize>(&mut self, path: &str, c: &Components) -> Option<[f64; D]> {
        if c.0.is_empty() {
            return Some([0.0; D]);
        }
        if c.0.len() != D {
            self.problems.input(path, format!("{} components where {D} are needed", c.0.len()));
            return None;
        }
        if let Some(x) = c.0.iter().find(|x| !x.is_finite()) {
            self.problems.input(path, format!("{x} is not a finite number"));
            return None;
        }
        Some(std::array::from_fn(|i| c.0[i]))
    }

    fn function(&mut self, path: &str, f: &TimeFunction) -> bool {
        self.problems.check(path, f.validate()).is_some()
    }

    fn obstacles<const D: usize>(&mut self) -> Vec<Option<MovingObstacle<D>>> {
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

    fn motion(&mut self, path: &str, motion: &Motion) -> Option<Vec<TimeFunction>> {
        let mut good = true;
        let mut out = Vec::new();
        for (key, f) in [("x", &motion.x), ("y", &motion.y)] {
            let f = f.clone().unwrap_or(TimeFunction::Constant(0.0));
            good &= self.function(&format!("{path}.{key}"), &f);
            out.push(f);
        }
        good.then_some(out)
    }

    fn mesh<const D: usize>(
        &mut self,
        i: usize,
        entry: &BodyEntry,
        folder: &Path,
    ) -> Option<(Arc<Mesh<D>>, Option<String>)>
    where
        Space<D>: Generate<D>,
    {
        let loaded = load_mesh::<D>(&mut self.problems, &format!("bodies[{i}].mesh"), &entry.mesh, folder);
        let translation = self.vector::<D>(&format!("bodies[{i}].translation"), &entry.translation);
        if !entry.rotation.is_finite() {
            let message = format!("{} is not a finite number of degrees", entry.rotation);
            self.problems.input(format!("bodies[{i}].rotation"), message);
        }
        let (mut mesh, hash) = loaded?;
        place(&mut mesh, entry.rotation, &translation?);
        Some((Arc::new(mesh), hash))
    }

    fn body<const D: usize>(
        &mut self,
        i: usize,
        mesh: Option<(Arc<Mesh<D>>, Option<String>)>,
        materials: &[Option<Arc<dyn Material>>],
    ) -> Option<ModelBody<D>> {
        let entry = &self.case.bodies[i];
        let regions = self.regions(i, entry, materials);
        let velocity = self.vector::<D>(&format!("bodies[{i}].velocity"), &entry.velocity);
        if !entry.spin.is_finite() {
            self.problems.input(format!("bodies[{i}].spin"), format!("{} is not a finite number", entry.spin));
        }
        let constants = self.section_and_damping(i, entry);
        let (mesh, mesh_hash) = mesh?;
        let mut input = BodyInput {
            name: entry.name.clone(),
            mesh: Arc::clone(&mesh),
            regions: regions?,
            section: entry.section,
            formulation: entry.formulation,
            mass: entry.mass,
            rayleigh: entry.damping,
            gravity: Vec::new(),
            surface_loads: Vec::new(),
            nodal_forces: Vec::new(),
            prescribed: Vec::new(),
        };
        self.loads(i, &mut input);
        self.boundary(i, &mut input);
        constants?;
        let body = match Body::new(input) {
            Ok(body) => body,
            Err(e) => {
                let kind = kind_of(&e);
                self.problems.add(format!("bodies[{i}]"), e.to_string(), kind);
                return None;
            }
        };
        let initial_velocity = initial_velocity(&body, &velocity?, entry.spin);
        Some(ModelBody {
            name: entry.name.clone(),
            body,
            initial_velocity,
            contact_dofs: Vec::new(),
            mass_inverse: None,
            mesh_hash,
        })
    }

    /// Notes a thickness or damping that is out of range, at its own key.
    fn section_and_damping(&mut self, i: usize, entry: &BodyEntry) -> Option<()> {
        let mut good = self.problems.check(&format!("bodies[{i}].section"), entry.section.validate());
        for (key, value) in [("alpha", entry.damping.alpha), ("beta", entry.damping.beta)] {
            if !(value.is_finite() && value >= 0.0) {
                let message = format!("damping: {key} = {value} must be a finite number >= 0");
                self.problems.input(format!("bodies[{i}].damping.{key}"), message);
                good = None;
            }
        }
        good
    }

    fn regions(&mut self, i: usize, entry: &BodyEntry, materials: &[Option<Arc<dyn Material>>]) -> Option<Vec<Region>> {
        let names: Vec<&str> = self.case.materials.iter().map(|m| m.name.as_str()).collect();
        if entry.material.is_none() && entry.regions.is_empty() {
            let message = format!("body `{}` has no material: give `material` or `regions`", entry.name);
            self.problems.input(format!("bodies[{i}]"), message);
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

    fn loads<const D: usize>(&mut self, body: usize, input: &mut BodyInput<D>) {
        let case = self.case;
        let names: Vec<&str> = case.bodies.iter().map(|b| b.name.as_str()).collect();
        for (k, load) in case.loads.iter().enumerate() {
            let at = |key: &str| format!("loads[{k}].{key}");
            match load {
                LoadEntry::Gravity { acceleration, bodies, factor } => {
                    if body == 0 {
                        self.function(&at("factor"), factor);
                        for (n, name) in bodies.iter().enumerate() {
                            find_name(&mut self.problems, &at(&format!("bodies[{n}]")), "body", name, &names);
                        }
                    }
                    let mine = (bodies.is_empty() || bodies.contains(&input.name)) && factor.validate().is_ok();
                    if let (true, Some(acceleration)) = (mine, self.vector(&at("acceleration"), acceleration)) {
                        input.gravity.push(Gravity { acceleration, factor: factor.clone() });
                    }
                }
                LoadEntry::Traction { body: name, group, traction, factor } => {
                    if self.acts_on(k, body, name, group, factor, input)
                        && self.has_facets(&at("group"), &input.mesh, group)
                    {
                        if let Some(t) = self.vector(&at("traction"), traction) {
                            input.surface_loads.push(SurfaceLoad {
                                group: group.clone(),
                                traction: Traction::Vector(t),
                                factor: factor.clone(),
                            });
                        }
                    }
                }
                LoadEntry::Pressure { body: name, group, pressure, factor } => {
                    if body == 0 && !pressure.is_finite() {
                        self.problems.input(at("pressure"), format!("{pressure} is not a finite number"));
                    }
                    if self.acts_on(k, body, name, group, factor, input)
                        && self.has_facets(&at("group"), &input.mesh, group)
                        && pressure.is_finite()
                    {
                        input.surface_loads.push(SurfaceLoad {
                            group: group.clone(),
                            traction: Traction::Pressure(*pressure),
                            factor: factor.clone(),
                        });
                    }
                }
                LoadEntry::NodalForce { body: name, group, force, factor } => {
                    if self.acts_on(k, body, name, group, factor, input) {
                        if let Some(force) = self.vector(&at("force"), force) {
                            input.nodal_forces.push(NodalForce { group: group.clone(), force, factor: factor.clone() });
                        }
                    }
                }
            }
        }
    }

    /// Does load `k` act on this body, and is what it names right?
    fn acts_on<const D: usize>(
        &mut self,
        k: usize,
        body: usize,
        name: &str,
        group: &str,
        factor: &TimeFunction,
        input: &BodyInput<D>,
    ) -> bool {
        let path = format!("loads[{k}]");
        if body == 0 {
            self.function(&format!("{path}.factor"), factor);
            self.known_body(&format!("{path}.body"), name);
        }
        // A wrong factor has been noted once, at its place.
        name == input.name
            && factor.validate().is_ok()
            && self.known_group(&format!("{path}.group"), &input.mesh, group)
    }

    /// Can a traction act on this group?
    fn has_facets<const D: usize>(&mut self, path: &str, mesh: &Mesh<D>, group: &str) -> bool {
        let facets = mesh.group_facets(group);
        facets.map_err(|e| self.problems.add(path, e.to_string(), ProblemKind::Mesh)).is_ok()
    }

    fn known_body(&mut self, path: &str, name: &str) -> Option<usize> {
        let names: Vec<&str> = self.case.bodies.iter().map(|b| b.name.as_str()).collect();
        find_name(&mut self.problems, path, "body", name, &names)
    }

    fn known_group<const D: usize>(&mut self, path: &str, mesh: &Mesh<D>, group: &str) -> bool {
        self.problems.check(path, mesh.group(group)).is_some()
    }

    fn boundary<const D: usize>(&mut self, body: usize, input: &mut BodyInput<D>) {
        let case = self.case;
        for (k, entry) in case.boundary.iter().enumerate() {
            let path = format!("boundary[{k}]");
            let components = [("x", &entry.x), ("y", &entry.y)];
            if body == 0 {
                self.known_body(&format!("{path}.body"), &entry.body);
                if components.iter().all(|(_, f)| f.is_none()) {
                    self.problems.input(&path, "neither x nor y is prescribed: give at least one velocity");
                }
                for (key, f) in components {
                    if let Some(f) = f {
                        self.function(&format!("{path}.{key}"), f);
                    }
                }
            }
            if entry.body != input.name || !self.known_group(&format!("{path}.group"), &input.mesh, &entry.group) {
                continue;
            }
            for (component, (_, f)) in components.into_iter().enumerate() {
                if let Some(velocity) = f.as_ref().filter(|f| f.validate().is_ok()) {
                    let (group, velocity) = (entry.group.clone(), velocity.clone());
                    input.prescribed.push(PrescribedVelocity { group, component, velocity });
                }
            }
        }
    }

    fn pair<const D: usize>(
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

    fn side<'b, const D: usize>(
        &mut self,
        path: &str,
        spec: &SurfaceSpec,
        bodies: &'b [Option<ModelBody<D>>],
    ) -> Option<(usize, &'b ModelBody<D>)> {
        let k = self.known_body(&format!("{path}.body"), &spec.body)?;
        let body = bodies[k].as_ref()?;
        self.known_group(&format!("{path}.group"), body.body.mesh(), &spec.group).then_some((k, body))
    }

    fn candidates<const D: usize>(
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

    fn surface<const D: usize>(
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

    fn probe<const D: usize>(&mut self, i: usize, bodies: &[Option<ModelBody<D>>]) -> Option<Probe> {
        let entry = &self.case.probes[i];
        let path = format!("probes[{i}].at");
        let (body, weights) = match &entry.at {
            ProbeSpec::Body(name) => {
                let k = self.known_body(&path, name)?;
                let body = &bodies[k].as_ref()?.body;
                let total = body.total_mass();
                (k, body.node_masses().iter().map(|m| m / total).enumerate().collect())
            }
            ProbeSpec::Group(spec) => {
                let (k, body) = self.side(&path, spec, bodies)?;
                let mesh = body.body.mesh();
                let nodes = mesh.group_nodes(mesh.group(&spec.group).ok()?);
                let share = 1.0 / nodes.len() as f64;
                (k, nodes.into_iter().map(|n| (n, share)).collect())
            }
            ProbeSpec::Point { body, point } => {
                let k = self.known_body(&format!("{path}.body"), body)?;
                let x = self.vector::<D>(&format!("{path}.point"), point)?;
                let distance = |p: &[f64; D]| p.iter().zip(&x).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
                let points = &bodies[k].as_ref()?.body.mesh().points;
                let nearest =
                    (0..points.len()).min_by(|a, b| distance(&points[*a]).total_cmp(&distance(&points[*b])))?;
                (k, vec![(nearest, 1.0)])
            }
        };
        Some(Probe { name: entry.name.clone(), body, weights })
    }

    fn verification(&mut self) {
        let Some(spec) = &self.case.verify else { return };
        let columns = Columns::of_case(self.case).names();
        let known: Vec<&str> = columns.iter().map(String::as_str).collect();
        if let Some(solution) = &spec.solution {
            for (key, value, right) in solution.solution().faults() {
                self.problems.input(format!("verify.solution.{key}"), format!("{key} = {value} {right}"));
            }
            for column in solution.solution().columns() {
                find_name(&mut self.problems, "verify.solution", "column of history.csv", &column, &known);
            }
        }
        for (k, check) in spec.checks.iter().enumerate() {
            let path = format!("verify.checks[{k}]");
            find_name(
                &mut self.problems,
                &format!("{path}.measure.column"),
                "column of history.csv",
                check.measure.column(),
                &known,
            );
            self.positive_check(&format!("{path}.tolerance"), check.tolerance);
            if !check.expected.is_finite() {
                self.problems.input(format!("{path}.expected"), format!("{} is not a finite number", check.expected));
            }
        }
    }

    fn positive_check(&mut self, path: &str, value: f64) {
        if !(value.is_finite() && value > 0.0) {
            self.problems.input(path, format!("tolerance = {value} must be positive and finite"));
        }
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

/// Translation plus spin about the centre of mass (in the x-y plane).
fn initial_velocity<const D: usize>(body: &Body<D>, velocity: &[f64; D], spin: f64) -> Vec<f64> {
    let points = &body.mesh().points;
    let total = body.total_mass();
    let centre: [f64; D] =
        std::array::from_fn(|i| points.iter().zip(body.node_masses()).map(|(x, m)| m * x[i]).sum::<f64>() / total);
    let mut v = Vec::with_capacity(body.n_dof());
    for x in points {
        let mut at = *velocity;
        if D >= 2 && spin.abs() > 0.0 {
            at[0] -= spin * (x[1] - centre[1]);
            at[1] += spin * (x[0] - centre[0]);
        }
        v.extend(at);
    }
    v
}

/// The dofs of every body that some contact can touch.
fn gather_contact_dofs<const D: usize>(bodies: &mut [ModelBody<D>], pairs: &[ModelPair<D>]) {
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
