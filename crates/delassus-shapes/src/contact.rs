//! Contacts of a pair of shapes.

use delassus_contact::{Dimension, Vector};
use serde::{Deserialize, Serialize};

use crate::core::{Core, Feature, axis};
use crate::hit::Hit;
use crate::shape::ShapePart;
use crate::{RigidShape, ShapePose, ShapeSpace, convex, features};

/// The features of two shapes that touch: the one of `a` in the upper half, the one of `b` in the lower half.
///
/// It stays the same from step to step while the same features touch. Contacts of a pair are sorted by it, and no two have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub struct FeatureKey(pub u64);

impl FeatureKey {
    fn of(a: u32, b: u32) -> Self {
        Self(u64::from(a) << 32 | u64::from(b))
    }

    /// The number of the feature of `a`: corners, then edges, then faces, part after part.
    #[must_use]
    pub fn feature_a(&self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The number of the feature of `b`.
    #[must_use]
    pub fn feature_b(&self) -> u32 {
        (self.0 & u64::from(u32::MAX)) as u32
    }
}

/// One point of contact of two shapes a and b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeContact<const D: usize> {
    /// Which features touch.
    pub key: FeatureKey,
    /// Signed distance (m): positive when open, negative when penetrating; on_a − on_b = gap · normal.
    pub gap: f64,
    /// Unit normal, from b to a.
    pub normal: Vector<D>,
    /// The point of a (m), in space.
    pub on_a: Vector<D>,
    /// The point of b (m), in space.
    pub on_b: Vector<D>,
    /// Its share of the area in which two faces face one another (m², in the plane m); 0 where points or edges touch, and of parts that are round or
    /// not convex.
    pub area: f64,
}

/// A shape and where it is.
pub type PlacedShape<'s, const D: usize> = (&'s RigidShape<D>, &'s ShapePose<D>);

/// Appends the contacts of two shapes whose gap is at most `reach` (m), sorted by their keys.
///
/// Convex parts have contacts along one normal: the shortest way between the parts, or the shortest translation that takes them apart where they
/// penetrate. The points are the corners of the common part of the two faces that face one another, seen along the normal. Parts that are not convex
/// have a contact for each pair of features whose distance is a local minimum. The least gap of all contacts is the distance of the shapes.
/// Nothing is found where a pose is not finite.
pub fn contacts<const D: usize>(
    a: PlacedShape<'_, D>,
    b: PlacedShape<'_, D>,
    reach: f64,
    out: &mut Vec<ShapeContact<D>>,
) where
    Dimension<D>: ShapeSpace<D>,
{
    if !(a.1.is_finite() && b.1.is_finite()) || reach.is_nan() {
        return;
    }
    let begin = out.len();
    let mut first_a = 0;
    for part_a in &a.0.parts {
        let mut first_b = 0;
        for part_b in &b.0.parts {
            let mut found = Found { first: [first_a, first_b], out };
            match (part_a, part_b) {
                (ShapePart::Core(p), ShapePart::Core(q)) => core_pair((p, a.1), (q, b.1), reach, &mut found),
                (ShapePart::Core(p), ShapePart::HalfSpace { normal, offset }) => {
                    wall((p, a.1), (normal, *offset, b.1), reach, false, &mut found);
                }
                (ShapePart::HalfSpace { normal, offset }, ShapePart::Core(q)) => {
                    wall((q, b.1), (normal, *offset, a.1), reach, true, &mut found);
                }
                (ShapePart::HalfSpace { .. }, ShapePart::HalfSpace { .. }) => {}
            }
            first_b += part_b.n_features() as u32;
        }
        first_a += part_a.n_features() as u32;
    }
    let mine = &mut out[begin..];
    mine.sort_by(|c, d| c.key.cmp(&d.key).then(c.gap.total_cmp(&d.gap)));
    let mut last = None;
    let mut kept = begin;
    for i in begin..out.len() {
        // Of several with one key, which only features of slivers can have, the least gap stays.
        if last != Some(out[i].key) {
            last = Some(out[i].key);
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Where contacts of a pair of parts go.
struct Found<'o, const D: usize> {
    /// Number of the first feature of each part.
    first: [u32; 2],
    out: &'o mut Vec<ShapeContact<D>>,
}

impl<const D: usize> Found<'_, D> {
    /// A contact between features of given numbers; points of the cores and normal in space, the gap of the shapes.
    fn push(&mut self, numbers: [u32; 2], radii: [f64; 2], hit: &Hit<D>) {
        let ([p, q], normal) = (hit.points, hit.normal);
        self.out.push(ShapeContact {
            key: FeatureKey::of(self.first[0] + numbers[0], self.first[1] + numbers[1]),
            gap: hit.gap,
            normal,
            on_a: p - normal * radii[0],
            on_b: q + normal * radii[1],
            area: hit.area,
        });
    }
}

/// Corners of a core before a wall.
fn wall<const D: usize>(
    (core, pose): (&Core<D>, &ShapePose<D>),
    (normal, offset, frame): (&Vector<D>, f64, &ShapePose<D>),
    reach: f64,
    is_swapped: bool,
    found: &mut Found<'_, D>,
) {
    let up = frame.rotation * normal;
    let own = pose.rotation.tr_mul(&-up);
    // The level of the core's origin above the wall, and of its corners above that.
    let origin = up.dot(&(pose.position - frame.position)) - offset;
    for (i, point) in core.points.iter().enumerate() {
        let level = origin - own.dot(point);
        let gap = level - core.radius;
        if gap > reach || !core.is_corner[i] || !(core.is_convex || features::is_extreme(core, i, &own)) {
            continue;
        }
        let placed = pose.place(point);
        let features = [Feature::Corner(i), Feature::Face(0)];
        let hit = Hit { features, points: [placed, placed - up * level], normal: up, gap, area: 0.0 };
        let corner = i as u32;
        if is_swapped {
            found.push([0, corner], [0.0, core.radius], &hit.swapped());
        } else {
            found.push([corner, 0], [core.radius, 0.0], &hit);
        }
    }
}

/// Two parts that are not walls.
fn core_pair<const D: usize>(
    (a, pose_a): (&Core<D>, &ShapePose<D>),
    (b, pose_b): (&Core<D>, &ShapePose<D>),
    reach: f64,
    found: &mut Found<'_, D>,
) where
    Dimension<D>: ShapeSpace<D>,
{
    let radii = [a.radius, b.radius];
    let rounded = a.radius + b.radius;
    // a as seen from b: large coordinates of both cancel before anything else is computed.
    let seen = pose_a.seen_from(pose_b);
    let apart = seen.place(&a.centre) - b.centre;
    let distance = apart.norm();
    if distance - a.extent - b.extent - rounded > reach {
        return;
    }
    let mut hits = Vec::new();
    if a.points.len() == 1 && b.points.len() == 1 {
        let normal = if distance > 0.0 { apart / distance } else { axis(0) };
        let points = [seen.place(&a.points[0]), b.points[0]];
        let features = [Feature::Corner(0), Feature::Corner(0)];
        hits.push(Hit { features, points, normal, gap: distance, area: 0.0 });
    } else if a.is_convex && b.is_convex {
        convex::pair(a, b, &seen, reach + rounded, &mut hits);
    } else {
        features::pair(a, b, &seen, reach + rounded, &mut hits);
    }
    for hit in &hits {
        let numbers = [a.number(hit.features[0]), b.number(hit.features[1])];
        let gap = hit.gap - rounded;
        if gap <= reach {
            let points = hit.points.map(|p| pose_b.place(&p));
            // A round core has no plane faces.
            let area = if rounded > 0.0 { 0.0 } else { hit.area };
            found.push(numbers, radii, &Hit { points, normal: pose_b.rotation * hit.normal, gap, area, ..*hit });
        }
    }
}
