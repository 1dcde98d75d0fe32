//! Contacts of two convex cores: separating axes, the common plane (Cundall 1988), and the common part of two faces.
//!
//! The normal n is exact wherever a face takes part. It is found in two steps:
//!
//! ```text
//! s(n) = min over corners of a of n·x − max over corners of b of n·x        signed distance along n, from b to a
//! axes   the normals of the faces of b, minus those of a, and in space u × v of those edges u of a and v of b that make a face
//!        of the Minkowski difference (Gregorius 2013)
//! ```
//!
//! The axis with the largest s has −s as the shortest translation that takes the two apart where s ≤ 0. Where s > 0 the nearest points of
//! the cores, at the distance d ≥ s, are found from all pairs of features. If d = s the axis is their direction; else n is the direction between
//! them, as where corners face corners. Equality is up to rounding ([`ROUNDING`] of the sizes), within which a face of b is taken before one of a, and
//! a face before edges: then the normal of bodies that rest on one another does not waver.
//!
//! The points of contact are made along n by `manifold.rs`. They have the least gap among them up to rounding; where the faces have no common
//! part, as where corners face corners, the nearest points are the one contact.

use delassus_contact::Dimension;

use crate::core::{Core, Feature, axis};
use crate::hit::{Hit, PlacedCore};
use crate::{ShapePose, ShapeSpace, manifold};

/// Share of the sizes within which distances are equal.
pub(crate) const ROUNDING: f64 = 1e-11;

/// Appends the contacts of two convex cores whose gap is at most `reach` (m). `seen` is the pose of a in the frame of b.
pub(crate) fn pair<const D: usize>(a: &Core<D>, b: &Core<D>, seen: &ShapePose<D>, reach: f64, hits: &mut Vec<Hit<D>>)
where
    Dimension<D>: ShapeSpace<D>,
{
    let (a, b) = (&PlacedCore::new(a, seen), &PlacedCore::at_home(b));
    let tolerance = ROUNDING * (a.core.extent + b.core.extent);
    let Some(least) = normal(a, b, reach, tolerance) else { return };
    let begin = hits.len();
    manifold::between(a, b, &least.normal, reach, tolerance, hits);
    if !hits[begin..].iter().any(|h| h.gap <= least.gap + tolerance) && least.gap <= reach {
        hits.push(least);
    }
}

/// The shortest way that a face of one, or of the other, leads out of the convex hulls: for cores of which one is not convex.
pub(crate) fn way_out<const D: usize>(a: &PlacedCore<'_, D>, b: &PlacedCore<'_, D>) -> Option<Hit<D>> {
    let mut best: Option<Hit<D>> = None;
    for n in b.normals.iter().copied().chain(a.normals.iter().map(|n| -n)) {
        let ((i, below), (j, above)) = (a.farthest(&-n), b.farthest(&n));
        let gap = -below - above;
        if best.as_ref().is_none_or(|h| gap > h.gap) {
            let p = a.points[i];
            let features = [Feature::Corner(i), Feature::Corner(j)];
            best = Some(Hit { features, points: [p, p - n * gap], normal: n, gap, area: 0.0 });
        }
    }
    best
}

/// The contact of least gap, along the normal of the pair; none if it is farther than `reach` (m).
fn normal<const D: usize>(a: &PlacedCore<'_, D>, b: &PlacedCore<'_, D>, reach: f64, tolerance: f64) -> Option<Hit<D>>
where
    Dimension<D>: ShapeSpace<D>,
{
    let mut axis: Option<Hit<D>> = None;
    for way in 0..3 {
        let found = match way {
            0 => face_axis(a, b, false, tolerance),
            1 => face_axis(b, a, true, tolerance),
            _ => Dimension::<D>::edge_axis(a, b),
        };
        let Some(hit) = found else { continue };
        if hit.gap > reach + tolerance {
            return None;
        }
        if axis.as_ref().is_none_or(|h| hit.gap > h.gap + tolerance) {
            axis = Some(hit);
        }
    }
    if let Some(axis) = &axis
        && axis.gap <= tolerance
    {
        return Some(*axis);
    }
    let nearest = Dimension::<D>::closest(a, b, reach + tolerance);
    match (axis, nearest) {
        (Some(axis), Some(nearest)) if nearest.gap <= axis.gap + tolerance => {
            Some(Hit { normal: axis.normal, gap: nearest.gap, ..nearest })
        }
        (Some(_), Some(nearest)) => Some(nearest),
        (None, Some(nearest)) => Some(apart(a, b, nearest, tolerance)),
        // The nearest points are farther than the reach.
        (_, None) => None,
    }
}

/// The face of b (or of a, with `is_swapped` and the two exchanged) from which the other is farthest.
fn face_axis<const D: usize>(
    a: &PlacedCore<'_, D>,
    b: &PlacedCore<'_, D>,
    is_swapped: bool,
    tolerance: f64,
) -> Option<Hit<D>> {
    let mut best: Option<(usize, usize, f64)> = None;
    for (f, n) in b.normals.iter().enumerate() {
        let (corner, below) = a.farthest(&-n);
        let gap = -below - b.level(f);
        if best.is_none_or(|(_, _, g)| gap > g + tolerance) {
            best = Some((f, corner, gap));
        }
    }
    let (face, corner, gap) = best?;
    let (n, p) = (b.normals[face], a.points[corner]);
    let features = [Feature::Corner(corner), Feature::Face(face)];
    let hit = Hit { features, points: [p, p - n * gap], normal: n, gap, area: 0.0 };
    Some(if is_swapped { hit.swapped() } else { hit })
}

/// Cores without faces whose nearest points may coincide: a direction is found for them that does not depend on rounding.
fn apart<const D: usize>(a: &PlacedCore<'_, D>, b: &PlacedCore<'_, D>, nearest: Hit<D>, tolerance: f64) -> Hit<D>
where
    Dimension<D>: ShapeSpace<D>,
{
    if nearest.gap > tolerance {
        return nearest;
    }
    // Across the longer one, towards the centre of the other as far as that goes.
    let longer = if a.core.extent >= b.core.extent { a } else { b };
    let along = longer.points[longer.points.len() - 1] - longer.points[0];
    let frame = Dimension::<D>::across(&along.try_normalize(0.0).unwrap_or_else(|| axis(0)));
    let between = a.centre - b.centre;
    let mut normal = if along.norm() > 0.0 { frame.column(1).into_owned() } else { frame.column(0).into_owned() };
    if let Some(unit) = along.try_normalize(0.0) {
        let rest = between - unit * unit.dot(&between);
        if rest.norm() > tolerance {
            normal = rest.normalize();
        }
    }
    Hit { normal, gap: normal.dot(&(nearest.points[0] - nearest.points[1])), ..nearest }
}
