//! The point of a shape's surface that is nearest to a point.
//!
//! Of a convex core the face with the greatest height of the point decides inside. Elsewhere it is the nearest of all faces, found in a tree of boxes
//! where the core is not convex. The sign then comes from the pseudonormal of the nearest feature (Bærentzen & Aanæs 2005): the normal of a face, the sum of the
//! normals of the two faces of an edge, and at a corner the sum of the normals weighted by the angles of the faces.

use delassus_contact::{Dimension, Vector};

use crate::core::{Core, Feature, axis};
use crate::shape::ShapePart;
use crate::{RigidShape, ShapePose, ShapeSpace};

/// The nearest point of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeFoot<const D: usize> {
    /// Signed distance of the point (m): negative inside.
    pub gap: f64,
    /// Unit normal, from the shape to the point (inside: the way out).
    pub normal: Vector<D>,
    /// The nearest point of the surface (m), in space.
    pub foot: Vector<D>,
    /// The number of the feature, as in a [`crate::FeatureKey`].
    pub feature: u32,
}

/// The point of the surface of a shape that is nearest to `point` (m, in space). Of a clump it is that of the part with the least gap.
#[must_use]
pub fn nearest<const D: usize>(shape: &RigidShape<D>, pose: &ShapePose<D>, point: &Vector<D>) -> ShapeFoot<D>
where
    Dimension<D>: ShapeSpace<D>,
{
    let own = pose.own(point);
    let mut first = 0;
    let mut best: Option<ShapeFoot<D>> = None;
    for part in &shape.parts {
        let found = match part {
            ShapePart::HalfSpace { normal, offset } => {
                let gap = normal.dot(&own) - offset;
                ShapeFoot { gap, normal: *normal, foot: own - normal * gap, feature: first }
            }
            ShapePart::Core(core) => {
                let CoreFoot { gap, normal, feature, .. } = foot(core, &own);
                let gap = gap - core.radius;
                ShapeFoot { gap, normal, foot: own - normal * gap, feature: first + core.number(feature) }
            }
        };
        if best.as_ref().is_none_or(|b| found.gap < b.gap) {
            best = Some(found);
        }
        first += part.n_features() as u32;
    }
    let found = best.unwrap_or(ShapeFoot { gap: f64::INFINITY, normal: Vector::zeros(), foot: own, feature: 0 });
    ShapeFoot { normal: pose.rotation * found.normal, foot: pose.place(&found.foot), ..found }
}

/// The distance of `point` (m, in space) from the surface about the feature of this number; none for a number that the shape does not have, and for a wall.
#[must_use]
pub fn feature_distance<const D: usize>(
    shape: &RigidShape<D>,
    pose: &ShapePose<D>,
    feature: u32,
    point: &Vector<D>,
) -> Option<f64>
where
    Dimension<D>: ShapeSpace<D>,
{
    let own = pose.own(point);
    let mut number = feature as usize;
    let part = shape.parts.iter().find(|part| {
        let is_here = number < part.n_features();
        number -= if is_here { 0 } else { part.n_features() };
        is_here
    })?;
    let ShapePart::Core(core) = part else { return None };
    let (corners, edges) = (core.points.len(), core.edges.len());
    let there = if number < corners {
        core.points[number]
    } else if number < corners + edges {
        let ends = core.edges[number - corners].ends.map(|c| core.points[c]);
        ends[0] + (ends[1] - ends[0]) * crate::space::place_along(ends, &own)
    } else {
        Dimension::<D>::closest_on_face(core, number - corners - edges, &own).1
    };
    Some(((own - there).norm() - core.radius).abs())
}

/// The nearest point of a core, in the core's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoreFoot<const D: usize> {
    pub gap: f64,
    pub normal: Vector<D>,
    pub foot: Vector<D>,
    pub feature: Feature,
}

/// The nearest point of a core to a point, signed.
pub(crate) fn foot<const D: usize>(core: &Core<D>, point: &Vector<D>) -> CoreFoot<D>
where
    Dimension<D>: ShapeSpace<D>,
{
    if core.faces.is_empty() {
        let ends = [core.points[0], core.points[core.points.len() - 1]];
        let s = crate::space::place_along(ends, point);
        let (feature, foot) = match s {
            s if s <= 0.0 => (Feature::Corner(0), ends[0]),
            s if s >= 1.0 => (Feature::Corner(core.points.len() - 1), ends[1]),
            s => (Feature::Edge(0), ends[0] + (ends[1] - ends[0]) * s),
        };
        let across = Dimension::<D>::across(&(ends[1] - ends[0]).try_normalize(0.0).unwrap_or_else(|| axis(1)));
        return outside(feature, foot, point, &across.column(1).into_owned());
    }
    // The core of a capsule in the plane has no inside.
    let is_thin = core.points.len() == 2;
    if core.is_convex && !is_thin {
        let height = |f: usize| core.faces[f].normal.dot(&(point - core.points[core.faces[f].corners[0]]));
        let best = (0..core.faces.len()).reduce(|b, f| if height(f) > height(b) { f } else { b }).unwrap_or(0);
        let gap = height(best);
        if gap <= 0.0 {
            let normal = core.faces[best].normal;
            return CoreFoot { gap, normal, foot: point - normal * gap, feature: Feature::Face(best) };
        }
    }
    let on_face = |f: usize| {
        let (feature, there) = Dimension::<D>::closest_on_face(core, f, point);
        ((there - point).norm(), feature, there)
    };
    let (distance, feature, there) = match &core.tree {
        Some(tree) => {
            let (found, _) = tree.nearest(point, f64::INFINITY, |f, _| {
                let (d, feature, there) = on_face(f);
                Some((d, (feature, there)))
            });
            found.map_or((f64::INFINITY, Feature::Face(0), core.points[0]), |n| (n.distance, n.value.0, n.value.1))
        }
        None => (0..core.faces.len()).map(on_face).reduce(|b, c| if c.0 < b.0 { c } else { b }).unwrap_or((
            f64::INFINITY,
            Feature::Face(0),
            core.points[0],
        )),
    };
    let out = direction(core, feature);
    if is_thin || core.is_convex || out.dot(&(point - there)) > 0.0 {
        return outside(feature, there, point, &out);
    }
    let normal = (there - point).try_normalize(0.0).unwrap_or_else(|| unit(&out));
    CoreFoot { gap: -distance, normal, foot: there, feature }
}

/// A direction out of the core at a feature: its normal or pseudonormal, not of unit length.
pub(crate) fn direction<const D: usize>(core: &Core<D>, feature: Feature) -> Vector<D> {
    match feature {
        Feature::Face(f) => core.faces[f].normal,
        Feature::Edge(e) => {
            core.edges[e].faces.map_or_else(Vector::zeros, |f| f.iter().map(|&f| core.faces[f].normal).sum())
        }
        Feature::Corner(c) => core.pseudonormals[c],
    }
}

fn unit<const D: usize>(v: &Vector<D>) -> Vector<D> {
    v.try_normalize(0.0).unwrap_or_else(|| axis(0))
}

/// The nearest point as seen from outside; `instead` is the direction where the point is on it.
fn outside<const D: usize>(feature: Feature, foot: Vector<D>, point: &Vector<D>, instead: &Vector<D>) -> CoreFoot<D> {
    let gap = (point - foot).norm();
    let normal = (point - foot).try_normalize(0.0).unwrap_or_else(|| unit(instead));
    CoreFoot { gap, normal, foot, feature }
}
