//! Obstacles of a case: shapes, and how they move.

use std::path::Path;

use delassus_contact::{Antagonist, Few, Obstacle, Solid};
use delassus_fem::TimeFunction;
use delassus_mesh::gmsh;
use nalgebra::SVector;

use super::Builder;
use super::mesh::read_file;
use super::{Generate, Space};
use crate::case::{Components, Motion, ObstacleSpec, SolidSide};
use crate::codes::{Coded, case as codes};
use crate::hash::sha256;
use crate::model::MovingObstacle;
use crate::model::turn;
use crate::problem::ProblemKind;

impl Builder<'_> {
    pub(super) fn obstacles<const D: usize>(&mut self, folder: &Path) -> Vec<Option<MovingObstacle<D>>>
    where
        Space<D>: Generate<D>,
    {
        let case = self.case;
        let mut out = Vec::new();
        for (i, entry) in case.obstacles.iter().enumerate() {
            let at = |key: &str| format!("obstacles[{i}].{key}");
            let shape = self.shape(&at("shape"), &entry.shape, folder);
            let velocity = self.motion(&at("velocity"), &entry.velocity);
            let spin = entry.spin.clone().unwrap_or(TimeFunction::Constant(0.0));
            let spin = self.function(&at("spin"), &spin).then_some(spin);
            let axis = self.axis::<D>(&at("spin_axis"), &entry.spin_axis);
            let pivot = self.vector::<D>(&at("pivot"), &entry.pivot).map(SVector::from);
            out.push(match (shape, velocity, spin, axis, pivot) {
                (Some((shape, mesh_hash)), Some(velocity), Some(spin), Some(axis), Some(pivot)) => {
                    Some(MovingObstacle { number: i, shape, velocity, spin, axis, pivot, mesh_hash })
                }
                _ => None,
            });
        }
        out
    }

    /// A shape, and the hash of its mesh file.
    fn shape<const D: usize>(
        &mut self,
        path: &str,
        spec: &ObstacleSpec,
        folder: &Path,
    ) -> Option<(Antagonist<D>, Option<String>)>
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
            ObstacleSpec::Box { centre, size, rotation, rotation_axis } => {
                let (centre, size) = (self.point(path, "centre", centre), self.sizes(path, size));
                let axis = self.axis::<D>(&format!("{path}.rotation_axis"), rotation_axis);
                let angle = self.degrees(&format!("{path}.rotation"), *rotation);
                let rotation = turn(&axis?, angle?);
                Obstacle::Box { centre: centre?, half_sizes: size? * 0.5, rotation }
            }
            ObstacleSpec::Cylinder { centre, axis, radius, length } => {
                let (centre, axis) = (self.point(path, "centre", centre), self.point(path, "axis", axis));
                let length = self.positive(&format!("{path}.length"), "length", *length);
                Obstacle::Cylinder { centre: centre?, axis: axis?, radius: *radius, half_length: 0.5 * length? }
            }
            ObstacleSpec::Bore { point, axis, radius } => {
                let (point, axis) = (self.point(path, "point", point), self.point(path, "axis", axis));
                Obstacle::Bore { point: point?, axis: axis?, radius: *radius }
            }
            ObstacleSpec::Polygon { points } => return Some((self.polygon(path, points, Solid::Inside)?, None)),
            ObstacleSpec::Container { points } => return Some((self.polygon(path, points, Solid::Outside)?, None)),
            ObstacleSpec::Mesh { file, group, solid } => {
                return self.surface_of_file(path, file, group, *solid, folder);
            }
        };
        self.problems.check(path, obstacle.validate()).map(|()| (obstacle.into(), None))
    }

    fn polygon<const D: usize>(&mut self, path: &str, points: &[Components], solid: Solid) -> Option<Antagonist<D>>
    where
        Space<D>: Generate<D>,
    {
        let corners = points.iter().enumerate().map(|(k, c)| self.point(path, &format!("points[{k}]"), c));
        let corners = corners.collect::<Option<Vec<_>>>()?;
        self.problems.check(path, Space::<D>::polygon(corners, solid)).map(Into::into)
    }

    /// Facets of a gmsh file.
    fn surface_of_file<const D: usize>(
        &mut self,
        path: &str,
        file: &str,
        group: &str,
        solid: SolidSide,
        folder: &Path,
    ) -> Option<(Antagonist<D>, Option<String>)>
    where
        Space<D>: Generate<D>,
    {
        if D != 3 {
            self.problems.input(
                codes::OTHER_DIMENSION,
                path,
                "a `Mesh` obstacle is a surface in space; in the plane give a `Polygon`",
            );
            return None;
        }
        let (file, bytes) = read_file(&mut self.problems, &format!("{path}.file"), file, folder)?;
        let surface = match gmsh::read(&bytes).and_then(|msh| msh.to_surface(group)) {
            Ok(surface) => surface,
            Err(e) => {
                let message = format!("mesh `{}`: {e}", file.display());
                self.problems.add(e.code(), format!("{path}.group"), message, ProblemKind::Mesh);
                return None;
            }
        };
        let points = surface.points.iter().map(|x| SVector::from_fn(|i, _| x[i])).collect();
        let facets = surface.facets.iter().filter_map(|f| Few::try_from(f.as_slice()).ok()).collect();
        match Space::<D>::rigid_mesh(points, facets, solid) {
            Ok(made) => Some((made.into(), Some(sha256(&bytes)))),
            Err(e) => {
                let message = format!("mesh `{}`, group `{group}`: {e}", file.display());
                self.problems.add(e.code(), format!("{path}.solid"), message, ProblemKind::Mesh);
                None
            }
        }
    }

    /// D components that must be given.
    fn point<const D: usize>(&mut self, path: &str, key: &str, c: &Components) -> Option<SVector<f64, D>> {
        let path = format!("{path}.{key}");
        if c.0.is_empty() {
            self.problems.input(codes::COMPONENTS, &path, format!("{key} needs {D} components"));
            return None;
        }
        self.vector::<D>(&path, c).map(SVector::from)
    }

    /// The sizes of a box.
    fn sizes<const D: usize>(&mut self, path: &str, c: &Components) -> Option<SVector<f64, D>> {
        let sizes: SVector<f64, D> = self.point(path, "size", c)?;
        let path = format!("{path}.size");
        let good = (0..D).all(|i| self.positive(&path, &format!("size[{i}]"), sizes[i]).is_some());
        good.then_some(sizes)
    }

    pub(super) fn motion(&mut self, path: &str, motion: &Motion) -> Option<Vec<TimeFunction>> {
        let mut good = true;
        let mut out = Vec::new();
        if motion.z.is_some() && self.case.dimension < 3 {
            self.problems.input(codes::NO_Z, format!("{path}.z"), "z: a plane case has no such direction");
        }
        for (key, f) in [("x", &motion.x), ("y", &motion.y), ("z", &motion.z)] {
            let f = f.clone().unwrap_or(TimeFunction::Constant(0.0));
            good &= self.function(&format!("{path}.{key}"), &f);
            out.push(f);
        }
        good.then_some(out)
    }
}
