//! From a case to a model: everything is checked here, once, and all problems are collected.

mod axis;
mod blocks;
mod body;
mod contact;
mod joint;
mod masonry;
mod mesh;
mod names;
mod observed;
mod obstacle;
mod packing;
mod placed;
mod reference;
mod rigid;
mod roster;
mod shaped;
mod spin;
mod statics;
mod tables;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use delassus_dynamics::MassInverse;
use delassus_error::machine::admit_more;
use delassus_error::{Coded as _, digits};
use delassus_fem::{FemError, MassKind, Material, TimeFunction};
use delassus_mesh::Mesh;
use delassus_sim::model::{Model, ModelBody, ModelPair, Twins};
use delassus_sim::space::Dimension;
use delassus_solver::{Method, SolverOptions};

use crate::codes;
use crate::problem::Problems;
use crate::spec::{
    BodyEntry, Case, Components, ContactEntry, FailurePolicy, LemkeSpec, MOST_PAIRED, MarginSpec, NlgsSpec, SolverSpec,
};
use body::PlacedMesh;
use contact::gather_contact_dofs;
pub(crate) use names::check_names;
use roster::Roster;
use tables::with_tables;

pub use mesh::Generate;
pub(crate) use observed::columns;
pub use reference::{LinePlaces, Lowered, PlacedLine, PointInCell};
pub(crate) use tables::functions;

/// Steps beyond which a run would never end: a slip of units.
const MAX_STEPS: f64 = 1e9;

/// Cells of all bodies beyond which no workstation holds their matrices.
const MAX_CELLS: usize = 50_000_000;

/// From this number of cells on, the memory for them is checked.
const LARGE: usize = 100_000;

/// Halvings beyond which a step would drown in the rounding of time.
const MAX_HALVINGS: u32 = 30;

/// Checks a case, builds its model and reads its references; `folder` is where paths in the case start.
pub fn lower<const D: usize>(case: &Case, folder: &Path) -> Result<Lowered<D>, Problems>
where
    Dimension<D>: Generate<D>,
{
    let mut problems = Problems::default();
    let roster = Roster::new(case, &mut problems);
    let mut builder = Builder { case, roster, problems };
    let read = with_tables(&mut builder, folder);
    let Builder { roster, problems, .. } = builder;
    let mut builder = Builder { case: read.as_ref().map_or(case, |(case, _)| case), roster, problems };
    let lowered = builder.lowered(folder);
    match lowered {
        Some(lowered) if builder.problems.is_empty() => {
            let tables = read.map_or_else(Vec::new, |(_, files)| files);
            Ok(Lowered { tables, ..lowered })
        }
        _ => Err(builder.problems),
    }
}

/// Walks through a case and notes what is wrong.
struct Builder<'a> {
    case: &'a Case,
    roster: Roster,
    problems: Problems,
}

/// Times at which a formula is tried.
const MOST_SAMPLES: f64 = 10_000.0;

impl Builder<'_> {
    fn lowered<const D: usize>(&mut self, folder: &Path) -> Option<Lowered<D>>
    where
        Dimension<D>: Generate<D>,
    {
        let case = self.case;
        self.check_all_names();
        let times = self.times();
        let (methods, solver_options, policy) = self.solver();
        let margins = self.margins();
        let memory = self.memory();
        let integrator = self.problems.check("integrator", case.integrator.build());
        let materials = self.materials();
        let obstacles = self.obstacles::<D>(folder);
        self.check_loads_and_boundary();
        self.check_attachments();
        self.check_sections();
        self.check_rigid_case();
        self.check_rigid_entries();
        if case.output.every == Some(0) {
            self.problems.input(codes::NO_FRAMES, "output.every", "0 steps between frames: must be at least 1");
        }
        if case.bodies.is_empty() {
            self.problems.input(codes::NO_BODIES, "bodies", "a case needs at least one body");
        }
        let meshes: Vec<_> = case.bodies.iter().enumerate().map(|(i, b)| self.mesh::<D>(i, b, folder)).collect();
        self.check_size(&meshes)?;
        let bodies: Vec<Option<ModelBody<D>>> =
            (0..self.roster.members.len()).map(|k| self.any_body(k, &meshes, &materials)).collect();
        if let Some(i) = case.contacts.iter().position(ContactEntry::is_all) {
            let message = format!(
                "{} entries of bodies: `All` pairs at most {MOST_PAIRED}; describe equal bodies as `copies` of one entry, or list the contacts",
                case.bodies.len()
            );
            self.problems.input(codes::TOO_MANY_PAIRS, format!("contacts[{i}]"), message);
            return None;
        }
        let pairs: Vec<_> =
            case.contacts.iter().enumerate().map(|(i, c)| self.pair(i, c, &bodies, &obstacles)).collect();
        let joints = self.joints(&bodies);
        let probes: Vec<_> = (0..case.probes.len()).map(|i| self.probe(i, &bodies)).collect();
        self.verification();
        let end = times.map(|(h, n)| h * n as f64);
        let references = self.references(folder, end);
        let lines = self.lines(folder, end, &bodies);

        let (h, n_steps) = times?;
        let mut bodies = bodies.into_iter().collect::<Option<Vec<_>>>()?;
        let pairs = pairs.into_iter().collect::<Option<Vec<ModelPair<D>>>>()?;
        let integrator = integrator?;
        let joints = joints?;
        gather_contact_dofs(&mut bodies, &pairs, &joints);
        if integrator.requires_lumped_mass() {
            for (i, entry) in
                case.bodies.iter().enumerate().filter(|(_, b)| b.mass != MassKind::Lumped && !b.is_rigid())
            {
                let message = format!("body `{}`: an explicit scheme needs `mass: Lumped`", entry.name);
                self.problems.input(codes::EXPLICIT_MASS, format!("bodies[{i}].mass"), message);
            }
        }
        if !integrator.has_inertia() {
            self.check_statics(&bodies);
        }
        if integrator.keeps_acceleration() {
            if !case.ties.is_empty() {
                let message = "Newmark's scheme cannot be used with ties: choose `Theta`, `ModifiedTheta`, \
                `ThetaEuler` or `Explicit`";
                self.problems.input(codes::NEWMARK_TIES, "integrator", message);
            }
            for (i, b) in bodies.iter_mut().enumerate() {
                let path = format!("bodies[{}]", self.roster.members[i].entry);
                b.mass_inverse = self.problems.check(&path, MassInverse::new(&*b.body));
            }
        }
        let probes = probes.into_iter().collect::<Option<Vec<_>>>()?;
        let materials = case.materials.iter().map(|m| m.name.clone()).collect();
        let twins = Twins::find(&bodies, integrator.shares_operators());
        let model = Model {
            bodies,
            twins,
            pairs,
            joints,
            memory,
            integrator: integrator.into(),
            h,
            n_steps,
            methods,
            solver_options,
            margins,
            policy,
            start_state: case.start,
            probes: case.probes.iter().map(|p| p.name.clone()).zip(probes).collect(),
            materials,
        };
        Some(Lowered { model: Arc::new(model), references: references?, lines: lines?, tables: Vec::new() })
    }

    /// Few words may ask for many cells: copies of a large mesh are counted before the first is made.
    fn check_size<const D: usize>(&mut self, meshes: &[Option<PlacedMesh<D>>]) -> Option<()> {
        let mut total = 0_usize;
        for (i, loaded) in meshes.iter().enumerate() {
            let count = self.roster.members.iter().filter(|m| m.entry == i).count();
            let cells = loaded.as_ref().map_or(0, PlacedMesh::n_cells);
            total = total.saturating_add(cells.saturating_mul(count));
            if total > MAX_CELLS {
                let path = if count > 1 { format!("bodies[{i}].copies.count") } else { format!("bodies[{i}].mesh") };
                let message =
                    format!("count = {count} of {cells} cells make {total} cells so far: at most {MAX_CELLS} in all");
                self.problems.input(codes::TOO_MANY_CELLS, path, message);
                return None;
            }
        }
        if total > LARGE {
            // Matrices of the cells, M, C, K and the mesh take more in any case.
            let least = if D == 3 { 1000 } else { 400 };
            let what = format!("a case of {total} cells");
            let help = "Use coarser meshes or fewer bodies, or give the process more memory";
            self.problems.check("bodies", admit_more(total as u64 * least, &what, help))?;
        }
        Some(())
    }

    fn check_all_names(&mut self) {
        let case = self.case;
        if case.base.is_some() {
            let message = "a case made in code has no base: change the keys of the other case instead";
            self.problems.input(codes::BASE_IN_CODE, "base", message);
        }
        let p = &mut self.problems;
        check_names(p, "materials", case.materials.iter().map(|x| x.name.as_str()));
        check_names(p, "bodies", case.bodies.iter().map(|x| x.name.as_str()));
        check_names(p, "obstacles", case.obstacles.iter().map(|x| x.name.as_str()));
        check_names(p, "contacts", case.contacts.iter().map(|x| x.name.as_str()));
        check_names(p, "joints", case.joints.iter().map(|x| x.name.as_str()));
        check_names(p, "probes", case.probes.iter().map(|x| x.name.as_str()));
    }

    /// A number above zero; `key` names it in the message.
    fn positive(&mut self, path: &str, key: &str, value: f64) -> Option<f64> {
        let good = value.is_finite() && value > 0.0;
        if !good {
            self.problems.input(codes::NOT_POSITIVE, path, format!("{key} = {value} must be positive and finite"));
        }
        good.then_some(value)
    }

    /// An angle in radians.
    fn degrees(&mut self, path: &str, value: f64) -> Option<f64> {
        if !value.is_finite() {
            self.problems.input(codes::NOT_FINITE, path, format!("{value} is not a finite number of degrees"));
            return None;
        }
        Some(value.to_radians())
    }

    fn times(&mut self) -> Option<(f64, usize)> {
        let (h, duration) = (self.case.step, self.case.duration);
        let (good_step, good_duration) =
            (self.positive("step", "step", h), self.positive("duration", "duration", duration));
        good_step.and(good_duration)?;
        // Whole steps; a remainder of rounding does not count as one.
        let steps = (duration / h - 1e-9).ceil().max(1.0);
        if steps > MAX_STEPS {
            let message = format!("duration/step = {steps:.3e} steps: at most {MAX_STEPS:e} are allowed");
            self.problems.input(codes::TOO_MANY_STEPS, "step", message);
            return None;
        }
        Some((h, steps as usize))
    }

    fn solver(&mut self) -> (Vec<Method>, SolverOptions, FailurePolicy) {
        let usual = SolverOptions::default();
        let (methods, tolerance, max_iterations, policy) = match &self.case.solver {
            SolverSpec::Nlgs(s) => {
                let methods = std::iter::once(Method::Nlgs).chain(s.fallback.iter().copied()).collect();
                (methods, s.tolerance, s.max_iterations, s.on_failure)
            }
            // Sweeps where there are more contacts than pivoting can take.
            SolverSpec::Lemke(s) => (
                vec![Method::Lemke, Method::Admm, Method::Newton, Method::Interior, Method::Newton, Method::Nlgs],
                s.tolerance,
                usual.max_iterations,
                s.on_failure,
            ),
        };
        if !(tolerance > 0.0 && tolerance < 1.0) {
            let message = format!("tolerance = {} must lie between 0 and 1", tolerance);
            self.problems.input(codes::TOLERANCE, "solver.tolerance", message);
        }
        if max_iterations == 0 {
            self.problems.input(codes::NO_ITERATIONS, "solver.max_iterations", "max_iterations = 0 must be at least 1");
        }
        if let FailurePolicy::CutStep { halvings } = policy
            && halvings > MAX_HALVINGS
        {
            let message = format!("halvings = {halvings} must be at most {MAX_HALVINGS} (step/2^{MAX_HALVINGS})");
            self.problems.input(codes::HALVINGS, "solver.on_failure.halvings", message);
        }
        (methods, SolverOptions { tolerance, max_iterations }, policy)
    }

    fn margins(&mut self) -> MarginSpec {
        let (SolverSpec::Nlgs(NlgsSpec { margins, .. }) | SolverSpec::Lemke(LemkeSpec { margins, .. })) =
            &self.case.solver;
        let given = [("gap", margins.gap), ("force", margins.force)];
        let along = [("sliding", margins.sliding), ("drag", margins.drag)];
        let along_given = along.iter().filter_map(|(key, x)| x.map(|x| (*key, x)));
        let all: Vec<(&str, f64)> = given.into_iter().chain(along_given).collect();
        for (key, value) in all.iter().filter(|(_, x)| !(x.is_finite() && *x >= 0.0)) {
            let message = format!("{key} = {value} must be a finite number >= 0");
            self.problems.input(codes::NEGATIVE, format!("solver.margins.{key}"), message);
        }
        // One alone would say nothing: an error of the law is one of gap or force alike.
        if let [(_, gap), (_, force)] = given
            && (gap > 0.0) != (force > 0.0)
        {
            self.problems.input(codes::ONE_MARGIN, "solver.margins", "give both `gap` and `force`, or neither");
        }
        if margins.sliding.is_some() != margins.drag.is_some() {
            self.problems.input(codes::ONE_MARGIN, "solver.margins", "give both `sliding` and `drag`, or neither");
        }
        *margins
    }

    fn memory(&mut self) -> usize {
        let bytes = self.case.memory;
        if !(bytes.is_finite() && bytes >= 0.0) {
            let message = format!("memory = {bytes} must be a number of bytes >= 0, such as 4e9");
            self.problems.input(codes::NEGATIVE, "memory", message);
        }
        // Saturates: more than the address space is all there is.
        bytes as usize
    }

    fn materials(&mut self) -> Vec<Option<Arc<dyn Material>>> {
        let case = self.case;
        if case.materials.is_empty() && !case.bodies.iter().all(BodyEntry::is_rigid) {
            self.problems.input(codes::NO_MATERIALS, "materials", "a case needs at least one material");
        }
        let build = |(i, m): (usize, &crate::spec::MaterialEntry)| {
            let built = m.law.build(m.density).map_err(|e| e.at(format!("material `{}`", m.name)));
            self.problems.check(&format!("materials[{i}]"), built)
        };
        case.materials.iter().enumerate().map(build).collect()
    }

    /// D finite components; absent ones are zero.
    fn vector<const D: usize>(&mut self, path: &str, c: &Components) -> Option<[f64; D]> {
        if c.0.is_empty() {
            return Some([0.0; D]);
        }
        if c.0.len() != D {
            self.problems.input(codes::COMPONENTS, path, format!("{} components where {D} are needed", c.0.len()));
            return None;
        }
        if let Some(x) = c.0.iter().find(|x| !x.is_finite()) {
            self.problems.input(codes::NOT_FINITE, path, format!("{x} is not a finite number"));
            return None;
        }
        Some(std::array::from_fn(|i| c.0[i]))
    }

    /// Checks a function that is not a velocity.
    fn function(&mut self, path: &str, f: &TimeFunction) -> bool {
        if matches!(f, TimeFunction::Displacement(_)) {
            let message =
                "a `Displacement` is for velocities: `x`, `y`, `z` of `boundary`, and `velocity` of an obstacle";
            self.problems.input(codes::NO_DISPLACEMENT, path, message);
            return false;
        }
        self.velocity_function(path, f)
    }

    /// Checks a function, and that it has a value at the times of the steps: a formula may have none.
    fn velocity_function(&mut self, path: &str, f: &TimeFunction) -> bool {
        let checked = f.validate();
        if let (Err(e @ FemError::Expression { at, .. }), TimeFunction::Expression(_)) = (&checked, f) {
            self.problems.within(e.code(), path, *at, e.to_string());
            return false;
        }
        if self.problems.check(path, checked).is_none() {
            return false;
        }
        let formula = match f {
            TimeFunction::Displacement(of) => of,
            other => other,
        };
        let (step, end) = (self.case.step, self.case.duration);
        if !(matches!(formula, TimeFunction::Expression(_)) && step > 0.0 && end.is_finite()) {
            return true;
        }
        // Every step of a short run, and so many of a long one.
        let samples = (end / step).round().clamp(1.0, MOST_SAMPLES);
        let times = (0..=samples as u32).map(|k| end * f64::from(k) / samples);
        // Of a displacement that is infinite all along the velocity is zero.
        let mut values = times.flat_map(|t| [(t, formula.value(t)), (t, f.value(t))]);
        match values.find(|(_, value)| !value.is_finite()) {
            None => true,
            Some((t, value)) => {
                let message = format!(
                    "at t = {} the function is {value}; it must be finite over the whole run",
                    digits::short(t)
                );
                self.problems.input(codes::FUNCTION_NOT_FINITE, path, message);
                false
            }
        }
    }

    fn known_body(&mut self, path: &str, name: &str) -> Option<usize> {
        self.roster.find_one(&mut self.problems, path, name)
    }

    fn known_bodies(&mut self, path: &str, name: &str) -> Option<Range<usize>> {
        self.roster.find(&mut self.problems, path, name)
    }

    fn known_group<const D: usize>(&mut self, path: &str, mesh: &Mesh<D>, group: &str) -> bool {
        self.problems.check(path, mesh.group(group)).is_some()
    }
}
