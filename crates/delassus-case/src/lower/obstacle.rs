//! Obstacles of a case: shapes, and how they move.

use std::path::Path;
use std::sync::Arc;

use delassus_contact::{Few, Obstacle, Solid};
use delassus_error::{Coded, Own};
use delassus_fem::TimeFunction;
use delassus_mesh::formats;
use delassus_sim::model::{MovingObstacle, turn};
use delassus_sim::space::Dimension;
use nalgebra::{Rotation, SVector};

use super::mesh::{ending, other_dimension, read_file};
use super::{Builder, Generate};
use crate::codes;
use crate::hash::sha256;
use crate::problem::ProblemKind;
use crate::spec::{Components, MeshShape, ObstacleVelocity, OwnShape, ShapeReader};

impl Builder<'_> {
    pub(super) fn obstacles<const D: usize>(&mut self, folder: &Path) -> Vec<Option<MovingObstacle<D>>>
    where
        Dimension<D>: Generate<D>,
    {
        let case = self.case;
        let mut out = Vec::new();
        for (i, entry) in case.obstacles.iter().enumerate() {
            let at = |key: &str| format!("obstacles[{i}].{key}");
            let path = at("shape");
            let mut reader = Reader { builder: &mut *self, path: &path, folder, mesh_hash: None };
            let shape = entry.shape.shape::<D>().obstacle(&mut reader);
            let mesh_hash = reader.mesh_hash;
            let shape = shape.and_then(|shape| self.problems.check(&path, shape.validate()).map(|()| shape));
            let velocity = self.motion(&at("velocity"), &entry.velocity);
            let spin = entry.spin.clone().unwrap_or(TimeFunction::Constant(0.0));
            let spin = self.function(&at("spin"), &spin).then_some(spin);
            let axis = self.axis::<D>(&at("spin_axis"), &entry.spin_axis);
            let pivot = self.vector::<D>(&at("pivot"), &entry.pivot).map(SVector::from);
            out.push(match (shape, velocity, spin, axis, pivot) {
                (Some(shape), Some(velocity), Some(spin), Some(axis), Some(pivot)) => {
                    Some(MovingObstacle { number: i, shape, velocity, spin, axis, pivot, mesh_hash })
                }
                _ => None,
            });
        }
        out
    }

    pub(super) fn motion(&mut self, path: &str, motion: &ObstacleVelocity) -> Option<Vec<TimeFunction>> {
        let mut good = true;
        let mut out = Vec::new();
        if motion.z.is_some() && self.case.dimension < 3 {
            self.problems.input(codes::NO_Z, format!("{path}.z"), "z: a plane case has no such direction");
        }
        for (key, f) in [("x", &motion.x), ("y", &motion.y), ("z", &motion.z)] {
            let f = f.clone().unwrap_or(TimeFunction::Constant(0.0));
            good &= self.velocity_function(&format!("{path}.{key}"), &f);
            out.push(f);
        }
        good.then_some(out)
    }
}

/// Reads one shape: what it asks for, noted at its path.
struct Reader<'a, 'c> {
    builder: &'a mut Builder<'c>,
    path: &'a str,
    folder: &'a Path,
    /// Hash of its mesh file, when it has one.
    mesh_hash: Option<String>,
}

impl Reader<'_, '_> {
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }
}

impl<const D: usize> ShapeReader<D> for Reader<'_, '_>
where
    Dimension<D>: Generate<D>,
{
    fn point(&mut self, key: &str, given: &Components) -> Option<SVector<f64, D>> {
        let path = self.at(key);
        if given.0.is_empty() {
            self.builder.problems.input(codes::COMPONENTS, &path, format!("{key} needs {D} components"));
            return None;
        }
        self.builder.vector::<D>(&path, given).map(SVector::from)
    }

    fn positive(&mut self, key: &str, name: &str, value: f64) -> Option<f64> {
        let path = self.at(key);
        self.builder.positive(&path, name, value)
    }

    fn rotation(&mut self, degrees: f64, axis: &Components) -> Option<Rotation<f64, D>> {
        let [axis_path, angle_path] = ["rotation_axis", "rotation"].map(|key| self.at(key));
        let axis = self.builder.axis::<D>(&axis_path, axis);
        let angle = self.builder.degrees(&angle_path, degrees);
        Some(turn(&axis?, angle?))
    }

    fn polygon(&mut self, corners: Vec<SVector<f64, D>>, solid: Solid) -> Option<Arc<dyn Obstacle<D>>> {
        Some(Arc::new(self.builder.problems.check(self.path, Dimension::<D>::polygon(corners, solid))?))
    }

    fn own(&mut self, shape: &Own<OwnShape>) -> Option<Arc<dyn Obstacle<D>>> {
        let problems = &mut self.builder.problems;
        let made = problems.check(self.path, shape.get("shape"))?;
        let found = made.obstacle::<D>();
        if found.is_none() {
            problems.input(codes::OTHER_DIMENSION, self.path, other_dimension("shape", made.dimension, D));
        }
        found
    }

    fn mesh(&mut self, given: &MeshShape) -> Option<Arc<dyn Obstacle<D>>> {
        if D != 3 {
            self.builder.problems.input(
                codes::OTHER_DIMENSION,
                self.path,
                "a `Mesh` obstacle is a surface in space; in the plane give a `Polygon`",
            );
            return None;
        }
        let [file_path, group_path, solid_path] = ["file", "group", "solid"].map(|key| self.at(key));
        let scale = ShapeReader::<D>::positive(self, "scale", "scale", given.scale);
        let turned = ShapeReader::<D>::rotation(self, given.rotation, &given.rotation_axis);
        let translation_path = self.at("translation");
        let translation = self.builder.vector::<D>(&translation_path, &given.translation).map(SVector::from);
        let (turned, translation, scale) = (turned?, translation?, scale?);
        let group = given.group.as_deref();
        let problems = &mut self.builder.problems;
        let (file, bytes) = read_file(problems, &file_path, &given.file, self.folder)?;
        // What is wrong with the file is told of the file, what is wrong with the group of the group.
        let read = formats::read(&ending(&file), &bytes).map_err(|e| (file_path.clone(), e));
        let group_path = if group.is_some() { group_path } else { file_path };
        let surface = match read.and_then(|read| read.surface(group).map_err(|e| (group_path, e))) {
            Ok(surface) => surface,
            Err((path, e)) => {
                let message = format!("mesh `{}`: {e}", file.display());
                problems.add(e.code(), path, message, ProblemKind::Mesh);
                return None;
            }
        };
        let mut points: Vec<SVector<f64, D>> = surface.points.iter().map(|x| SVector::from_fn(|i, _| x[i])).collect();
        // A surface in its place keeps its bits.
        if given.is_moved() {
            points.iter_mut().for_each(|x| *x = turned * (*x * scale) + translation);
        }
        let facets = surface.facets.iter().filter_map(|f| Few::try_from(f.as_slice()).ok()).collect();
        match Dimension::<D>::rigid_mesh(points, facets, given.solid) {
            Ok(made) => {
                self.mesh_hash = Some(sha256(&bytes));
                Some(Arc::new(made))
            }
            Err(e) => {
                let of = group.map_or_else(String::new, |group| format!(", group `{group}`"));
                let message = format!("mesh `{}`{of}: {e}", file.display());
                problems.add(e.code(), solid_path, message, ProblemKind::Mesh);
                None
            }
        }
    }
}
