//! Packings of a case: one entry, many rigid disks or balls.
//!
//! A grain has one node, its centre, so that a step carries nothing along that is only drawn. All grains of an entry share one picture, a polygon or ball of radius 1.

use std::sync::Arc;

use delassus_mesh::Mesh;
use delassus_shapes::{PackedBall, RigidShape, ShapePose, SizeDistribution, deposited, drawn_radii, loose, shuffled};
use delassus_sim::model::turn;
use nalgebra::SVector;

use super::Builder;
use super::Generate;
use super::body::PlacedMesh;
use super::mesh::check_lengths;
use super::rigid::drawn;
use crate::codes;
use crate::spec::{BodyEntry, PackingOrder, PackingSizes, PackingSpec};
use delassus_sim::space::Dimension;

/// Most bodies of a packing that are drawn as polygons (balls) where the case does not say it.
const DRAWN_IN_PLANE: usize = 2000;
const DRAWN_IN_SPACE: usize = 200;

/// Corners of a picture where the case does not say it.
const AROUND_IN_PLANE: usize = 24;
const AROUND_IN_SPACE: usize = 12;

/// Corners of a picture at most.
const MOST_AROUND: usize = 256;

/// The grains of an entry in their places.
pub(super) struct Grains<const D: usize> {
    pub balls: Vec<PackedBall<D>>,
    /// How one of radius 1 is drawn; as a point if this is absent.
    pub picture: Option<Arc<Mesh<D>>>,
}

/// A mesh of one node.
pub(super) fn node<const D: usize>(at: SVector<f64, D>) -> Arc<Mesh<D>> {
    Arc::new(Mesh { points: vec![at.into()], blocks: Vec::new(), groups: Vec::new() })
}

impl Builder<'_> {
    /// The packing of an entry.
    pub(super) fn packing<const D: usize>(
        &mut self,
        i: usize,
        entry: &BodyEntry,
        spec: &PackingSpec,
    ) -> Option<PlacedMesh<D>>
    where
        Dimension<D>: Generate<D>,
    {
        let path = format!("bodies[{i}].mesh");
        let before = self.problems.0.len();
        check_lengths(&mut self.problems, &path, &entry.mesh, D)?;
        let offset_centre = entry.inertia.as_ref().is_some_and(|inertia| !inertia.centre.0.is_empty());
        let wrong =
            [("copies", entry.copies.is_some()), ("faces", !entry.faces.is_empty()), ("inertia.centre", offset_centre)];
        for (key, _) in wrong.into_iter().filter(|w| w.1) {
            let message = format!("`{}` is a packing, which has no `{key}`", entry.name);
            self.problems.input(codes::PACKING_KEY, format!("bodies[{i}].{key}"), message);
        }
        let translation = self.vector::<D>(&format!("bodies[{i}].translation"), &entry.translation);
        let angle = self.degrees(&format!("bodies[{i}].rotation"), entry.rotation);
        let axis = self.axis::<D>(&format!("bodies[{i}].rotation_axis"), &entry.rotation_axis);
        let corner = self.vector::<D>(&format!("{path}.corner"), &spec.corner);
        let base = self.base_of::<D>(&path, spec);
        let radii = self.radii::<D>(&path, spec);
        self.check_order::<D>(&path, spec);
        let (translation, corner) = (SVector::from(translation?), SVector::from(corner?));
        let (angle, axis, base, radii) = (angle?, axis?, base?, radii?);
        let widest = 2.0 * radii.iter().copied().fold(0.0, f64::max);
        if let Some(narrow) = base.iter().find(|length| **length <= widest * (1.0 + 1e-6)) {
            let message = format!("base = {narrow} m is not wider than the largest body, {widest} m");
            self.packing_fault(&format!("{path}.base"), &message);
        }
        (self.problems.0.len() == before).then_some(())?;
        let mut balls = match spec.order {
            PackingOrder::Loose => loose::<D>(&radii, &base, spec.seed),
            PackingOrder::Deposited => {
                let in_plane = |ball: PackedBall<2>| PackedBall {
                    centre: SVector::from_fn(|k, _| ball.centre.get(k).copied().unwrap_or(0.0)),
                    radius: ball.radius,
                };
                deposited(&radii, base[0], spec.seed).into_iter().map(in_plane).collect()
            }
        };
        let turned = turn::<D>(&axis, angle);
        for ball in &mut balls {
            let at = corner + ball.centre;
            // An unturned packing keeps its bits.
            ball.centre = if angle.abs() > 0.0 { turned * at } else { at } + translation;
        }
        let first = balls.first().map_or_else(SVector::zeros, |ball| ball.centre);
        let picture = self.picture::<D>(spec, balls.len())?;
        Some(PlacedMesh::of_grains(node(first), Grains { balls, picture }))
    }

    fn packing_fault(&mut self, path: &str, message: &str) {
        self.problems.input(codes::PACKING, path, message);
    }

    fn base_of<const D: usize>(&mut self, path: &str, spec: &PackingSpec) -> Option<Vec<f64>> {
        let lengths: Vec<Option<f64>> =
            spec.base.0.iter().map(|x| self.positive(&format!("{path}.base"), "base", *x)).collect();
        lengths.into_iter().collect()
    }

    fn check_order<const D: usize>(&mut self, path: &str, spec: &PackingSpec) {
        if spec.order == PackingOrder::Deposited && D > 2 {
            let message = "`Deposited` is for disks in the plane: let `Loose` balls fall";
            self.packing_fault(&format!("{path}.order"), message);
        }
        if let Some(around) = spec.around.filter(|n| (1..3).contains(n) || *n > MOST_AROUND) {
            let message = format!("around = {around} must be 0 (points) or lie between 3 and {MOST_AROUND}");
            self.packing_fault(&format!("{path}.around"), &message);
        }
    }

    /// The radii, in the order in which they are placed.
    fn radii<const D: usize>(&mut self, path: &str, spec: &PackingSpec) -> Option<Vec<f64>> {
        // More than that has been refused where bodies are counted.
        let counted = |n: usize| n.min(super::roster::MAX_COPIES);
        let by = |count: usize, sizes: SizeDistribution| drawn_radii::<D>(counted(count), &sizes, spec.seed);
        match &spec.sizes {
            PackingSizes::Counts(list) => {
                let mut all = Vec::new();
                for (k, one) in list.iter().enumerate() {
                    let radius = self.positive(&format!("{path}.sizes[{k}].radius"), "radius", one.radius)?;
                    all.extend(std::iter::repeat_n(radius, counted(one.count)));
                }
                Some(shuffled(all, spec.seed))
            }
            PackingSizes::Uniform { count, least, most } => {
                self.range(path, *least, *most)?;
                Some(by(*count, SizeDistribution::Uniform { least: *least, most: *most }))
            }
            PackingSizes::EqualVolume { count, least, most } => {
                self.range(path, *least, *most)?;
                Some(by(*count, SizeDistribution::EqualVolume { least: *least, most: *most }))
            }
        }
    }

    fn range(&mut self, path: &str, least: f64, most: f64) -> Option<()> {
        self.positive(&format!("{path}.sizes.least"), "least", least)?;
        if !(most.is_finite() && most >= least) {
            let message = format!("most = {most} must be finite and at least {least}");
            self.packing_fault(&format!("{path}.sizes.most"), &message);
            return None;
        }
        Some(())
    }

    /// How a grain of radius 1 is drawn; outside: whether that could be made.
    #[expect(clippy::option_option, reason = "the inner one says whether there is a picture")]
    fn picture<const D: usize>(&mut self, spec: &PackingSpec, n: usize) -> Option<Option<Arc<Mesh<D>>>>
    where
        Dimension<D>: Generate<D>,
    {
        let (few, usual) = if D == 2 { (DRAWN_IN_PLANE, AROUND_IN_PLANE) } else { (DRAWN_IN_SPACE, AROUND_IN_SPACE) };
        let around = spec.around.unwrap_or(if n <= few { usual } else { 0 });
        if around == 0 {
            return Some(None);
        }
        let ball = self.problems.check("bodies", RigidShape::<D>::ball(1.0))?;
        Some(Some(Arc::new(drawn(&ball, &[SVector::zeros()], around))))
    }
}

impl<const D: usize> Grains<D> {
    /// Where a grain is; its axes are those of space.
    pub fn pose(&self, copy: usize) -> Option<ShapePose<D>> {
        self.balls.get(copy).map(|ball| ShapePose::at(ball.centre))
    }
}
