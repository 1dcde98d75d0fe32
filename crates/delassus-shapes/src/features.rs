//! Contacts of cores of which one is not convex, or both: pairs of features whose distance is a local minimum.
//!
//! A re-entrant core is not cut into convex parts, because the cuts would be faces that the body does not have. Contacts are
//!
//! ```text
//! a corner of one core and the point of a face, edge or corner of the other that is nearest in its neighbourhood
//! in space: an edge of one and an edge of the other, where they cross as seen along their common normal
//! ```
//!
//! Both need a direction in which the feature is the foremost of its own core (up to [`LEVEL`], so that a face that lies nearly flat has all its
//! corners). A corner within the other core has a contact with the nearest face among those for which that holds, and with faces that stand on that one
//! across a re-entrant ridge. Two edges that have gone through one another have one if each is within the other core there.
//! If neither is the case and the cores cross all the same (bars that cross), the contact is the shortest way along the normal of a face that takes their convex
//! hulls apart. Corners and edges within a plane face do not count, and the triangles of a plane are one face in the keys.

use std::collections::BTreeMap;

use delassus_contact::{Aabb, Dimension, Vector};

use crate::core::{Bend, Core, Feature, axis};
use crate::hit::{Hit, PlacedCore};
use crate::nearest::{direction, foot};
use crate::space::segment_pair;
use crate::{ShapePose, ShapeSpace, convex};

/// Sine of the angle by which neighbours may be in front of a feature that still counts as the foremost.
const LEVEL: f64 = 0.1;

/// Share of the sizes within which a point is on a surface, and share of an edge next to its ends that belongs to the corners.
const ON: f64 = 1e-9;

/// Is a corner of a core the foremost of its neighbourhood in a direction?
pub(crate) fn is_extreme<const D: usize>(core: &Core<D>, corner: usize, direction: &Vector<D>) -> bool {
    let point = core.points[corner];
    // What lies ahead of all neighbours may be the solid itself, at a corner that is re-entrant.
    let is_out = core.points.len() < 3 || core.pseudonormals[corner].dot(direction) > 0.0;
    is_out
        && core.neighbours[corner].iter().all(|&c| {
            let arm = core.points[c] - point;
            arm.dot(direction) <= LEVEL * arm.norm()
        })
}

/// Appends the contacts of two cores whose gap is at most `reach` (m). `seen` is the pose of a in the frame of b.
pub(crate) fn pair<const D: usize>(a: &Core<D>, b: &Core<D>, seen: &ShapePose<D>, reach: f64, hits: &mut Vec<Hit<D>>)
where
    Dimension<D>: ShapeSpace<D>,
{
    let back = ShapePose::default().seen_from(seen);
    corners(a, b, seen, reach, |hit| hits.push(hit));
    // Corners of b, in the frame of a, and back.
    corners(b, a, &back, reach, |hit| {
        let points = hit.points.map(|p| seen.place(&p));
        hits.push(Hit { points, normal: seen.rotation * hit.normal, ..hit }.swapped());
    });
    let (placed, home) = (&PlacedCore::new(a, seen), &PlacedCore::at_home(b));
    if D == 3 {
        edges(placed, home, &back, reach, hits);
    }
    distinct(hits, ON * a.extent.max(b.extent));
    if hits.iter().all(|h| h.gap > 0.0) && (pierces(placed, b) || pierces(&PlacedCore::new(b, &back), a)) {
        // Bars that cross without a corner in one another.
        hits.extend(convex::way_out(placed, home).filter(|h| h.gap < 0.0));
    }
}

/// Does an edge (in the plane a side) of a go through a face of b, in the frame of b?
fn pierces<const D: usize>(a: &PlacedCore<'_, D>, b: &Core<D>) -> bool
where
    Dimension<D>: ShapeSpace<D>,
{
    let sides = a.core.faces.iter().filter(|_| D == 2).map(|f| [f.corners[0], f.corners[1]]);
    let around = Aabb::around(b.points.iter().copied());
    sides.chain(a.core.edges.iter().map(|e| e.ends)).any(|ends| {
        let ends = ends.map(|c| a.points[c]);
        let bounds = Aabb::around(ends);
        let mut found = false;
        if bounds.meets(&around) {
            match &b.tree {
                Some(tree) => tree.meeting(&bounds, |f| found = found || Dimension::<D>::is_pierced(b, f, ends)),
                None => found = (0..b.faces.len()).any(|f| Dimension::<D>::is_pierced(b, f, ends)),
            }
        }
        found
    })
}

/// Corners of a against the surface of b, in the frame of b.
fn corners<const D: usize>(a: &Core<D>, b: &Core<D>, seen: &ShapePose<D>, reach: f64, mut found: impl FnMut(Hit<D>))
where
    Dimension<D>: ShapeSpace<D>,
{
    let around = Aabb::around(b.points.iter().copied()).grown(reach);
    for (i, own) in a.points.iter().enumerate() {
        let point = seen.place(own);
        if !a.is_corner[i] || around.inner_distance(&point) < 0.0 {
            continue;
        }
        let faces = |normal: &Vector<D>| is_extreme(a, i, &seen.rotation.tr_mul(&-normal));
        local(b, &point, reach, faces, |feature, there, normal, gap| {
            let features = [Feature::Corner(i), feature];
            found(Hit { features, points: [point, there], normal, gap, area: 0.0 });
        });
    }
}

/// The feature of a core in whose name a contact is known: a plane for all its triangles, and for edges and corners within it.
fn known<const D: usize>(core: &Core<D>, feature: Feature) -> Feature {
    let plane = |f: usize| Feature::Face(core.plane_of[f]);
    match feature {
        Feature::Face(f) => plane(f),
        Feature::Edge(e) => match core.edges[e].faces {
            Some([f, _]) if core.edges[e].bend == Bend::Flat => plane(f),
            _ => feature,
        },
        Feature::Corner(c) => match core.faces_at[c].first() {
            Some(&f) if core.faces_at[c].iter().all(|&g| core.plane_of[g] == core.plane_of[f]) => plane(f),
            _ => feature,
        },
    }
}

/// The points of a core's surface that are nearest to a point in their neighbourhood, within `reach` (m): feature, place, normal towards the point, gap.
fn local<const D: usize>(
    core: &Core<D>,
    point: &Vector<D>,
    reach: f64,
    is_facing: impl Fn(&Vector<D>) -> bool,
    mut found: impl FnMut(Feature, Vector<D>, Vector<D>, f64),
) where
    Dimension<D>: ShapeSpace<D>,
{
    let on = ON * core.extent;
    let nearest = foot(core, point);
    if nearest.gap > reach {
        return;
    }
    if core.faces.is_empty() || nearest.gap > on {
        // Outside: a face, edge or corner counts if it is nearest for all faces that it belongs to.
        let mut seen: BTreeMap<Feature, (usize, Vector<D>)> = BTreeMap::new();
        each_face(core, point, reach, |f| {
            let (feature, there) = Dimension::<D>::closest_on_face(core, f, point);
            seen.entry(feature).or_insert((0, there)).0 += 1;
        });
        if core.faces.is_empty() {
            seen.insert(nearest.feature, (usize::MAX, nearest.foot));
        }
        for (feature, (times, there)) in seen {
            let needed = match feature {
                Feature::Face(_) => 1,
                Feature::Edge(_) => 2,
                Feature::Corner(c) => core.faces_at[c].len(),
            };
            let gap = (point - there).norm();
            let Some(normal) = (point - there).try_normalize(0.0) else { continue };
            // Not from behind, through the solid. A capsule has no inside.
            let is_before = core.points.len() < 3 || direction(core, feature).dot(&normal) > 0.0;
            if times >= needed && gap <= reach && is_before && is_facing(&normal) {
                let exact = if let Feature::Face(f) = feature { core.faces[f].normal } else { normal };
                found(known(core, feature), there, exact, gap);
            }
        }
        return;
    }
    // Inside or on it: faces above or below which the point is (a little beside them if it is deep), and towards which its own body is foremost there.
    let depth = nearest.gap.abs();
    let mut candidates: Vec<(usize, f64, f64)> = Vec::new();
    each_face(core, point, reach.max(0.0) + 2.0 * depth + on, |f| {
        let (feature, there) = Dimension::<D>::closest_on_face(core, f, point);
        let normal = core.faces[f].normal;
        let height = normal.dot(&(point - there));
        let beside = if feature == Feature::Face(f) { 0.0 } else { (point - there - normal * height).norm() };
        if beside <= 2.0 * depth + on && height <= reach && is_facing(&normal) {
            candidates.push((f, height, beside));
        }
    });
    let below = candidates.iter().copied().filter(|c| c.1 <= on);
    let Some((first, ..)) = below.reduce(|best, c| if c.1 > best.1 { c } else { best }) else {
        if is_facing(&nearest.normal) {
            found(known(core, nearest.feature), nearest.foot, nearest.normal, nearest.gap);
        }
        return;
    };
    // The nearest, those that stand on it (across a re-entrant ridge the way out of one does not lead out of the other), and those that the point is before.
    let corners = &core.faces[first].corners;
    let mean = corners.iter().map(|&c| core.points[c]).sum::<Vector<D>>() / corners.len() as f64;
    for (f, height, beside) in candidates {
        let normal = core.faces[f].normal;
        let is_standing = || normal.dot(&(mean - core.points[core.faces[f].corners[0]])) > on;
        if f == first || is_standing() || (height > on && beside <= on) {
            found(known(core, Feature::Face(f)), point - normal * height, normal, height);
        }
    }
}

/// Calls `look` with the faces that may be nearer to a point than `reach` (m), in ascending order.
fn each_face<const D: usize>(core: &Core<D>, point: &Vector<D>, reach: f64, look: impl FnMut(usize)) {
    let Some(tree) = &core.tree else {
        (0..core.faces.len()).for_each(look);
        return;
    };
    let mut list = Vec::new();
    tree.meeting(&Aabb::around([*point]).grown(reach), |f| list.push(f));
    list.sort_unstable();
    list.into_iter().for_each(look);
}

/// Edges of a against edges of b, in the frame of b.
fn edges<const D: usize>(
    placed: &PlacedCore<'_, D>,
    home: &PlacedCore<'_, D>,
    back: &ShapePose<D>,
    reach: f64,
    hits: &mut Vec<Hit<D>>,
) where
    Dimension<D>: ShapeSpace<D>,
{
    let (a, b) = (placed.core, home.core);
    let on = ON * a.extent.max(b.extent);
    let near_b = Aabb::around(b.points.iter().copied()).grown(reach);
    let mut list = Vec::new();
    for (i, e) in a.edges.iter().enumerate().filter(|(_, e)| e.bend == Bend::Convex) {
        let ends_a = e.ends.map(|c| placed.points[c]);
        let around = Aabb::around(ends_a).grown(reach);
        if !around.meets(&near_b) {
            continue;
        }
        list.clear();
        match &b.tree {
            Some(tree) => tree.meeting(&around, |f| {
                let corners = &b.faces[f].corners;
                let sides =
                    (0..corners.len()).filter_map(|s| b.edge_between(corners[s], corners[(s + 1) % corners.len()]));
                list.extend(sides);
            }),
            None => list.extend(0..b.edges.len()),
        }
        list.sort_unstable();
        list.dedup();
        for &j in list.iter().filter(|&&j| b.edges[j].bend == Bend::Convex) {
            let ends_b = b.edges[j].ends.map(|c| home.points[c]);
            let Some((normal, points)) = crossing_edges(ends_a, ends_b) else { continue };
            let out = direction(b, Feature::Edge(j)) - back.rotation.tr_mul(&direction(a, Feature::Edge(i)));
            let normal = if normal.dot(&out) < 0.0 { -normal } else { normal };
            let gap = normal.dot(&(points[0] - points[1]));
            let is_facing = is_ridge(placed, i, &-normal) && is_ridge(home, j, &normal);
            if gap > reach || !is_facing {
                continue;
            }
            // Edges that have gone through one another are within the other core; those far apart on its other side are not.
            let is_within = || foot(b, &points[0]).gap <= on && foot(a, &back.place(&points[1])).gap <= on;
            if gap >= 0.0 || is_within() {
                hits.push(Hit { features: [Feature::Edge(i), Feature::Edge(j)], points, normal, gap, area: 0.0 });
            }
        }
    }
}

/// Common normal and nearest points of two segments that cross as seen along it, within both.
fn crossing_edges<const D: usize>(a: [Vector<D>; 2], b: [Vector<D>; 2]) -> Option<(Vector<D>, [Vector<D>; 2])> {
    let (u, v) = ((a[1] - a[0]).try_normalize(0.0)?, (b[1] - b[0]).try_normalize(0.0)?);
    let ([s, t], points) = segment_pair(a, b);
    if [s, t].iter().any(|x| *x <= ON || *x >= 1.0 - ON) {
        return None;
    }
    // The part of u across v spans the common plane with it; what is left of an axis is the normal.
    let w = (u - v * v.dot(&u)).try_normalize(ON)?;
    let rest = |k: usize| {
        let e = axis::<D>(k);
        let once = e - v * v.dot(&e) - w * w.dot(&e);
        once - v * v.dot(&once) - w * w.dot(&once)
    };
    let normal = (0..D).map(rest).reduce(|best, r| if r.norm() > best.norm() { r } else { best })?;
    Some((normal.try_normalize(0.0)?, points))
}

/// Is an edge the foremost of its two faces in a direction?
fn is_ridge<const D: usize>(core: &PlacedCore<'_, D>, edge: usize, direction: &Vector<D>) -> bool {
    let edge = &core.core.edges[edge];
    let Some(faces) = edge.faces else { return true };
    let [from, to] = edge.ends.map(|c| core.points[c]);
    let along = (to - from).normalize();
    faces.iter().all(|&f| {
        // Within the face, away from the edge: from the edge to the mean of the corners, less what is along it.
        let corners = &core.core.faces[f].corners;
        let mean = corners.iter().map(|&c| core.points[c]).sum::<Vector<D>>() / corners.len() as f64;
        let arm = mean - from;
        let inward = arm - along * along.dot(&arm);
        inward.dot(direction) <= LEVEL * inward.norm()
    })
}

/// Leaves out contacts at the same place with nearly the same normal: corners that meet are seen from both sides.
fn distinct<const D: usize>(hits: &mut Vec<Hit<D>>, same: f64) {
    let mut kept: Vec<Hit<D>> = Vec::with_capacity(hits.len());
    for hit in hits.iter() {
        let is_known = |k: &Hit<D>| {
            (k.points[0] - hit.points[0]).norm() <= same
                && (k.points[1] - hit.points[1]).norm() <= same
                && (k.normal - hit.normal).norm() <= LEVEL
        };
        if !kept.iter().any(is_known) {
            kept.push(*hit);
        }
    }
    *hits = kept;
}
