//! Probes of masonry: which joints are closed at the start.

use delassus_rigid::RigidBody;
use delassus_shapes::{BroadPhase, RigidShape, ShapePose, contacts};
use delassus_sim::model::ModelBody;
use delassus_sim::model::{MasonryBlock, MasonryGroup, MasonryJoint};
use delassus_sim::space::Dimension;
use nalgebra::{SVector, Vector3};

use super::{Builder, Generate};
use crate::codes;
use crate::spec::LoadEntry;

/// Share of the size of the smaller block within which a joint is closed at the start.
const CLOSED: f64 = 1e-6;

fn in_space<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0))
}

impl Builder<'_> {
    /// The blocks that a probe measures together.
    pub(super) fn masonry<const D: usize>(
        &mut self,
        path: &str,
        names: &[String],
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<MasonryGroup>
    where
        Dimension<D>: Generate<D>,
    {
        let mut found: Vec<usize> = Vec::new();
        for name in names {
            found.extend(self.known_bodies(path, name)?);
        }
        found.sort_unstable();
        found.dedup();
        let mut blocks: Vec<(usize, &RigidBody<D>, &RigidShape<D>)> = Vec::with_capacity(found.len());
        for k in found {
            let body = bodies[k].as_ref()?;
            let Some((rigid, shape)) = body.body.rigid().and_then(|r| Some((r, r.input().shape.as_deref()?))) else {
                let message = format!("body `{}` deforms: `Masonry` measures rigid blocks", body.name);
                self.problems.input(codes::NOT_RIGID, path, message);
                return None;
            };
            blocks.push((k, rigid, shape));
        }
        if blocks.is_empty() {
            self.problems.input(codes::BLOCKS, path, "`Masonry` names no body");
            return None;
        }
        let up = self.upwards::<D>();
        let poses: Vec<ShapePose<D>> = blocks.iter().map(|b| ShapePose::at(b.1.input().inertia.centre)).collect();
        let size = |k: usize| blocks[k].2.bounding_radius();
        let largest = (0..blocks.len()).map(size).filter(|s| s.is_finite()).fold(0.0, f64::max);
        let boxes: Vec<_> = blocks.iter().zip(&poses).map(|((_, _, shape), pose)| shape.aabb(pose)).collect();
        let (mut near, mut touching, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        BroadPhase::new().pairs(&boxes, CLOSED * largest, |_, _| true, &mut near);
        for (i, j) in near {
            touching.clear();
            contacts((blocks[i].2, &poses[i]), (blocks[j].2, &poses[j]), CLOSED * size(i).min(size(j)), &mut touching);
            joints.extend(touching.iter().map(|c| MasonryJoint {
                bodies: [blocks[i].0, blocks[j].0],
                points: [in_space(&(c.on_a - poses[i].position)), in_space(&(c.on_b - poses[j].position))],
                normal: in_space(&c.normal),
            }));
        }
        let block = |(body, rigid, _): &(usize, &RigidBody<D>, &RigidShape<D>)| {
            let heights = rigid.input().mesh.points.iter().map(|x| up.dot(&in_space(&SVector::from(*x))));
            let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            MasonryBlock { body: *body, centre: in_space(&rigid.input().inertia.centre), height: high - low }
        };
        Some(MasonryGroup { blocks: blocks.iter().map(block).collect(), joints, up })
    }

    /// Against the weight of the case; without one along the last axis.
    fn upwards<const D: usize>(&self) -> Vector3<f64> {
        let weights = self.case.loads.iter().filter_map(|load| match load {
            LoadEntry::Gravity { acceleration, .. } if acceleration.0.len() == D => {
                Some(Vector3::from_fn(|i, _| acceleration.0.get(i).copied().unwrap_or(0.0)))
            }
            _ => None,
        });
        let sum: Vector3<f64> = weights.sum();
        let length = sum.norm();
        if length.is_finite() && length > 0.0 { -sum / length } else { Vector3::ith(D - 1, 1.0) }
    }
}
