//! Collections of blocks of a case: one entry, many rigid bodies of different shapes.

use std::path::Path;
use std::sync::Arc;

use delassus_error::Coded;
use delassus_error::input::{InputKind, read_file};
use delassus_shapes::{Arch, BrickWall, Colonnade, CourseEnds, Dome, PlacedBlock, RigidShape, ShapeError, ShapePose};
use delassus_sim::model::turn;
use delassus_sim::space::Dimension;
use nalgebra::{SMatrix, SVector, Vector3};

use super::body::{PlacedMember, PlacedMesh};
use super::mesh::{check_lengths, components};
use super::rigid::drawn;
use super::roster::MAX_COPIES;
use super::{Builder, Generate};
use crate::block_files::{self, FileBlock};
use crate::codes;
use crate::hash::sha256;
use crate::problem::ProblemKind;
use crate::spec::{ArchSpec, BlockFileSpec, BlocksSpec, BodyEntry, ColonnadeSpec, CourseEndsSpec, DomeSpec, WallSpec};

/// A file of blocks: 256 MB are a million blocks.
const BLOCKS: InputKind = InputKind { noun: "a file of blocks", most: 256_000_000 };

/// Points around a disk or ball of a file where it is drawn.
const AROUND: usize = 12;

impl Builder<'_> {
    /// The blocks of an entry in their places.
    pub(super) fn blocks<const D: usize>(
        &mut self,
        i: usize,
        entry: &BodyEntry,
        spec: &BlocksSpec,
        folder: &Path,
    ) -> Option<PlacedMesh<D>>
    where
        Dimension<D>: Generate<D>,
    {
        let path = format!("bodies[{i}].mesh");
        check_lengths(&mut self.problems, &path, &entry.mesh, D)?;
        let before = self.problems.0.len();
        let given = |is_given: fn(&crate::spec::InertiaSpec) -> bool| entry.inertia.as_ref().is_some_and(is_given);
        let wrong = [
            ("copies", entry.copies.is_some()),
            ("faces", !entry.faces.is_empty()),
            ("inertia.mass", given(|x| x.mass.is_some())),
            ("inertia.moments", given(|x| !x.moments.0.is_empty())),
            ("inertia.centre", given(|x| !x.centre.0.is_empty())),
        ];
        for (key, _) in wrong.into_iter().filter(|w| w.1) {
            let message = format!("`{}` is a collection of blocks, which has no `{key}`", entry.name);
            self.problems.input(codes::BLOCKS_KEY, format!("bodies[{i}].{key}"), message);
        }
        self.check_blocks(&path, spec);
        let translation = self.vector::<D>(&format!("bodies[{i}].translation"), &entry.translation);
        let angle = self.degrees(&format!("bodies[{i}].rotation"), entry.rotation);
        let axis = self.axis::<D>(&format!("bodies[{i}].rotation_axis"), &entry.rotation_axis);
        // A number of none or too many has been noted where bodies are counted.
        let is_counted = (1..=MAX_COPIES).contains(&spec.n_blocks());
        (is_counted && self.problems.0.len() == before).then_some(())?;
        let (made, hash, read) = match spec {
            BlocksSpec::File(file) => {
                let (blocks, hash) = self.block_file(&path, file, folder)?;
                let made: Result<Vec<PlacedBlock<D>>, (usize, ShapeError)> =
                    blocks.iter().enumerate().map(|(k, b)| shaped(b, file.scale).map_err(|e| (k, e))).collect();
                (made.map_err(|(k, e)| (e.code(), format!("block {k}: {e}"))), Some(hash), (blocks, file.scale))
            }
            made => (Dimension::<D>::blocks(made).map_err(|e| (e.code(), e.to_string())), None, (Vec::new(), 1.0)),
        };
        let made = made.map_err(|(code, text)| self.problems.add(code, path, text, ProblemKind::Mesh)).ok()?;
        let (angle, translation) = (angle?, SVector::from(translation?));
        let rotation = if angle.abs() > 0.0 { turn::<D>(&axis?, angle).into_inner() } else { SMatrix::identity() };
        let all = ShapePose { position: translation, rotation };
        let turned = |x: &[f64; 3]| rotation * SVector::<f64, D>::from_fn(|i, _| x[i]);
        let (blocks, scale) = read;
        let member = |(k, (shape, pose)): (usize, PlacedBlock<D>)| {
            let pose = all.then(&pose);
            let shape = shape.moved(&pose);
            let of_file = blocks.get(k);
            let radius = of_file.and_then(|b| b.radius).map(|r| scale * r);
            let (ends, around) = if radius.is_some() { (&[pose.position][..], AROUND) } else { (&[][..], 0) };
            PlacedMember {
                picture: Arc::new(drawn(&shape, ends, around)),
                shape,
                radius,
                velocity: of_file.map_or_else(SVector::zeros, |b| turned(&b.velocity) * scale),
                spin: of_file.map_or_else(Vector3::zeros, |b| spun(&rotation, &b.spin)),
            }
        };
        let members = made.into_iter().enumerate().map(member).collect();
        Some(PlacedMesh::of_blocks(members, hash, (rotation, translation)))
    }

    /// Numbers that shapes do not check.
    fn check_blocks(&mut self, path: &str, spec: &BlocksSpec) {
        let mut fault = |key: &str, value: f64, right: &str| {
            self.problems.input(codes::BLOCKS, format!("{path}.{key}"), format!("{key} = {value} {right}"));
        };
        match spec {
            BlocksSpec::Wall(w) => {
                if !(w.joint.is_finite() && w.joint >= 0.0) {
                    fault("joint", w.joint, "must be a finite length >= 0");
                }
                if !(0.0..1.0).contains(&w.shift) {
                    fault("shift", w.shift, "must be at least 0 and less than 1");
                }
            }
            BlocksSpec::Colonnade(c) if !(c.architrave.is_finite() && c.architrave >= 0.0) => {
                fault("architrave", c.architrave, "must be a finite height >= 0");
            }
            BlocksSpec::File(f) if !(f.scale.is_finite() && f.scale > 0.0) => {
                fault("scale", f.scale, "must be positive and finite");
            }
            _ => {}
        }
    }

    /// The blocks of a file, and its hash.
    fn block_file(&mut self, path: &str, spec: &BlockFileSpec, folder: &Path) -> Option<(Vec<FileBlock>, String)> {
        let file = folder.join(&spec.file);
        let bytes = match read_file(&file, BLOCKS) {
            Ok(bytes) => bytes,
            Err(e) => {
                let missing = e.is_missing();
                let (code, kind) =
                    if missing { (codes::NO_MESH_FILE, ProblemKind::Input) } else { (e.code(), ProblemKind::File) };
                let hint = if missing { " (paths are relative to the case file)" } else { "" };
                let message = format!("cannot read the blocks `{}`: {}{hint}", file.display(), e.reason());
                self.problems.add(code, path, message, kind);
                return None;
            }
        };
        let blocks = match block_files::read(&spec.file, &bytes) {
            Ok(blocks) => blocks,
            Err(e) => {
                self.problems.add(e.code(), path, format!("blocks `{}`: {e}", file.display()), ProblemKind::Mesh);
                return None;
            }
        };
        if blocks.len() != spec.count {
            let message = format!("the file has {} blocks, `count` says {}", blocks.len(), spec.count);
            self.problems.input(codes::BLOCKS, format!("{path}.count"), message);
            return None;
        }
        Some((blocks, sha256(&bytes)))
    }
}

/// An angular velocity turned with its block: in the plane it stays.
fn spun<const D: usize>(rotation: &SMatrix<f64, D, D>, spin: &[f64; 3]) -> Vector3<f64> {
    if D == 2 {
        return Vector3::from(*spin);
    }
    Vector3::from_fn(|i, _| (0..3).map(|k| rotation[(i, k)] * spin[k]).sum())
}

/// The shape of a block of a file.
fn shaped<const D: usize>(block: &FileBlock, scale: f64) -> Result<PlacedBlock<D>, ShapeError>
where
    Dimension<D>: Generate<D>,
{
    let points: Vec<SVector<f64, 3>> = block.points.iter().map(|p| scale * SVector::from(*p)).collect();
    if let (Some(radius), [centre]) = (block.radius, &points[..]) {
        let position = SVector::from_fn(|i, _| centre[i]);
        return RigidShape::ball(scale * radius).map(|shape| (shape, ShapePose { position, ..ShapePose::default() }));
    }
    Dimension::<D>::block_of(&points, &block.faces).map(|shape| (shape, ShapePose::default()))
}

/// Bricks of a wall.
pub(super) fn wall<const D: usize>(spec: &WallSpec) -> Result<Vec<PlacedBlock<D>>, ShapeError>
where
    Dimension<D>: Generate<D>,
{
    let ends = match spec.ends {
        CourseEndsSpec::Closed => CourseEnds::Closed,
        CourseEndsSpec::Toothed => CourseEnds::Toothed,
        CourseEndsSpec::Alternate => CourseEnds::Alternate,
    };
    let (brick, joint, shift) = (SVector::from(components(&spec.brick)), spec.joint, spec.shift);
    BrickWall { brick, per_course: spec.per_course, courses: spec.courses, joint, shift, ends }.bricks()
}

/// Voussoirs of an arch.
pub(super) fn arch(spec: &ArchSpec) -> Result<Vec<PlacedBlock<2>>, ShapeError> {
    Arch { inner: spec.inner, outer: spec.outer, angle: spec.angle.to_radians(), count: spec.count }.voussoirs()
}

/// Columns and architraves.
pub(super) fn colonnade(spec: &ColonnadeSpec) -> Colonnade {
    Colonnade {
        columns: spec.columns,
        spacing: spec.spacing,
        drums: spec.drums,
        diameter: spec.diameter,
        taper: spec.taper,
        drum_height: spec.drum_height,
        architrave: spec.architrave,
        sides: spec.sides,
    }
}

/// Rings of a dome.
pub(super) fn dome(spec: &DomeSpec) -> Result<Vec<PlacedBlock<3>>, ShapeError> {
    let ([inner, outer], latitudes): ([f64; 2], [f64; 2]) = (components(&spec.radii), components(&spec.latitude));
    Dome {
        inner,
        outer,
        latitudes: latitudes.map(f64::to_radians),
        rings: spec.rings,
        per_ring: spec.per_ring,
        is_bonded: spec.bonded,
    }
    .blocks()
}
