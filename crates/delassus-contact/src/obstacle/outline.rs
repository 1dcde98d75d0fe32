//! How shapes are drawn: lines in the plane, triangles and quadrilaterals in space.
//!
//! Corners of faces are counter-clockwise seen from where bodies may be, so a viewer knows which side of a face is solid: the inner
//! side of a ball, the outer side of a cavity. What has no end (a half-space, a bore) is drawn as far as the bodies reach.

use std::f64::consts::{PI, TAU};

use delassus_math as math;

use crate::Vector;

/// Sides of the polygon drawn for a circle in the plane.
const PLANE_SIDES: u32 = 96;

/// Sides of what is drawn for a circle in space.
pub(super) const SIDES: usize = 48;

/// Rings of a ball from pole to pole.
const RINGS: usize = 24;

/// What has no end is drawn beyond the bodies by this part of their extent.
pub(super) const MARGIN: f64 = 0.1;

/// A surface in space.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Faces {
    /// Points (m).
    pub points: Vec<Vector<3>>,
    /// Three or four corners each.
    pub faces: Vec<Vec<usize>>,
}

impl Faces {
    /// The same surface seen from the other side.
    pub(super) fn turned(mut self) -> Self {
        self.faces.iter_mut().for_each(|f| f.reverse());
        self
    }

    /// Rows of points of one length, closed to rings: quadrilaterals between neighbours, with the normal (along the ring)
    /// × (to the next row).
    pub(super) fn tube(rows: &[Vec<Vector<3>>]) -> Self {
        let n = rows.first().map_or(0, Vec::len);
        let quad = |i: usize, k: usize| {
            let next = (k + 1) % n;
            vec![i * n + k, i * n + next, (i + 1) * n + next, (i + 1) * n + k]
        };
        let rings = 0..rows.len().saturating_sub(1);
        Self { points: rows.concat(), faces: rings.flat_map(|i| (0..n).map(move |k| quad(i, k))).collect() }
    }

    /// Triangles from the last of the points to the ring that begins at `first`.
    pub(super) fn cap(&mut self, first: usize, tip: Vector<3>, is_above: bool) {
        let at = self.points.len();
        self.points.push(tip);
        self.faces.extend((0..SIDES).map(|k| {
            let [a, b] = [first + k, first + (k + 1) % SIDES];
            if is_above { vec![a, b, at] } else { vec![b, a, at] }
        }));
    }

    /// The sphere, seen from outside.
    pub(super) fn sphere(centre: &Vector<3>, radius: f64) -> Self {
        let up = axes(&Vector::<3>::y());
        let row = |i: usize| {
            let (sin, cos) = math::sin_cos(PI * i as f64 / RINGS as f64);
            ring(&(centre - up[2] * (radius * cos)), &up, radius * sin)
        };
        let rows: Vec<Vec<Vector<3>>> = (1..RINGS).map(row).collect();
        let mut out = Self::tube(&rows);
        out.cap(0, centre - up[2] * radius, false);
        out.cap((RINGS - 2) * SIDES, centre + up[2] * radius, true);
        out
    }
}

/// The point in space; in the plane z is zero.
pub(super) fn space<const D: usize>(x: &Vector<D>) -> Vector<3> {
    Vector::<3>::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0))
}

/// Unit vectors a, b, c with a × b = c along `c`; a lies along one of the axes as far as it can.
pub(super) fn axes(c: &Vector<3>) -> [Vector<3>; 3] {
    let c = c.normalize();
    // The axis with the smallest component, the first of equals: it is never along c.
    let k = (0..3).min_by(|&i, &j| c[i].abs().total_cmp(&c[j].abs())).unwrap_or(0);
    let mut a = Vector::<3>::zeros();
    a[k] = 1.0;
    let a = (a - c * c[k]).normalize();
    [a, c.cross(&a), c]
}

/// A circle, counter-clockwise about the third axis.
pub(super) fn ring(centre: &Vector<3>, axes: &[Vector<3>; 3], radius: f64) -> Vec<Vector<3>> {
    let at = |k: usize| {
        let (sin, cos) = math::sin_cos(TAU * k as f64 / SIDES as f64);
        centre + (axes[0] * cos + axes[1] * sin) * radius
    };
    (0..SIDES).map(at).collect()
}

/// The smallest and the largest of some values; none if there are none, or not all are finite.
pub(super) fn shadow(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

/// A circle in the plane.
pub(super) fn circle<const D: usize>(centre: &Vector<D>, radius: f64) -> Vec<[Vector<D>; 2]> {
    let at = |k: u32| {
        let (sin, cos) = math::sin_cos(TAU * f64::from(k % PLANE_SIDES) / f64::from(PLANE_SIDES));
        let mut x = *centre;
        (x[0], x[1]) = (x[0] + radius * cos, x[1] + radius * sin);
        x
    };
    (0..PLANE_SIDES).map(|k| [at(k), at(k + 1)]).collect()
}
