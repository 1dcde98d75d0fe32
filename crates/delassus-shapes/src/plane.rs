//! Geometry of the plane.

use std::f64::consts::TAU;

use delassus_contact::{Dimension, Matrix, Vector};

use crate::core::{Core, Feature, axis};
use crate::hit::{Hit, PlacedCore};
use crate::mass::{self, Moments};
use crate::space::{ShapeSpace, place_along};
use crate::{ShapeError, ShapeSurface};

impl ShapeSpace<2> for Dimension<2> {
    fn block(half: &Vector<2>) -> Result<Core<2>, ShapeError> {
        let [x, y] = [half.x, half.y];
        crate::polygon::core(&[[-x, -y], [x, -y], [x, y], [-x, y]].map(Vector::<2>::from))
    }

    fn surface_of(core: &Core<2>, around: usize) -> ShapeSurface<2> {
        let mut points = Vec::new();
        if core.radius > 0.0 {
            // Half a turn about each corner (one turn about the only one), beginning across the axis.
            let axis = core.points[core.points.len() - 1] - core.points[0];
            let begin = if core.points.len() == 1 { 0.0 } else { delassus_math::atan2(axis.x, -axis.y) };
            let turn = TAU / core.points.len() as f64;
            let steps = around / core.points.len();
            for (i, point) in core.points.iter().enumerate() {
                let last = if core.points.len() == 1 { steps } else { steps + 1 };
                for k in 0..last {
                    let angle = begin + turn * (i as f64 + k as f64 / steps as f64);
                    let ray = Vector::<2>::new(delassus_math::cos(angle), delassus_math::sin(angle));
                    points.push(point + ray * core.radius);
                }
            }
        } else if core.points.len() > 2 {
            points.clone_from(&core.points);
        }
        if core.radius <= 0.0 && core.points.len() > 2 {
            return ShapeSurface { points, facets: loops(core) };
        }
        let facets = if points.is_empty() { Vec::new() } else { vec![(0..points.len()).collect()] };
        ShapeSurface { points, facets }
    }

    fn moments_of(core: &Core<2>) -> Moments<2> {
        match core.points.len() {
            1 => mass::ball(core),
            2 => mass::capsule(core),
            _ => {
                let sides = core.faces.iter().map(|f| [f.corners[0], f.corners[1]]);
                mass::enclosed(core, sides, |arms| 0.5 * arms.determinant())
            }
        }
    }

    fn closest_on_face(core: &Core<2>, face: usize, point: &Vector<2>) -> (Feature, Vector<2>) {
        let corners = &core.faces[face].corners;
        let ends = [core.points[corners[0]], core.points[corners[1]]];
        let s = place_along(ends, point);
        if s <= 0.0 {
            (Feature::Corner(corners[0]), ends[0])
        } else if s >= 1.0 {
            (Feature::Corner(corners[1]), ends[1])
        } else {
            (Feature::Face(face), ends[0] + (ends[1] - ends[0]) * s)
        }
    }

    fn is_pierced(core: &Core<2>, face: usize, [p, q]: [Vector<2>; 2]) -> bool {
        let [a, b] = [0, 1].map(|i| core.points[core.faces[face].corners[i]]);
        let side = |u: Vector<2>, v: Vector<2>, w: Vector<2>| (v - u).perp(&(w - u));
        side(a, b, p) * side(a, b, q) < 0.0 && side(p, q, a) * side(p, q, b) < 0.0
    }

    fn edge_axis(_: &PlacedCore<'_, 2>, _: &PlacedCore<'_, 2>) -> Option<Hit<2>> {
        None
    }

    fn closest(a: &PlacedCore<'_, 2>, b: &PlacedCore<'_, 2>, limit: f64) -> Option<Hit<2>> {
        let mut best = NearestSides { limit, hit: None };
        best.corners_of(a, b, false);
        best.corners_of(b, a, true);
        best.hit
    }

    fn across(normal: &Vector<2>) -> Matrix<2> {
        Matrix::<2>::from_columns(&[*normal, Vector::<2>::new(-normal.y, normal.x)])
    }
}

/// The closed lines of a polygon, whose corners follow one another.
fn loops(core: &Core<2>) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut is_new = true;
    for face in &core.faces {
        if is_new {
            all.push(Vec::new());
        }
        if let Some(last) = all.last_mut() {
            last.push(face.corners[0]);
        }
        is_new = face.corners[1] < face.corners[0];
    }
    all
}

/// The nearest points so far.
struct NearestSides {
    limit: f64,
    hit: Option<Hit<2>>,
}

impl NearestSides {
    /// Corners of `a` against sides (and the corner of a ball) of `b`.
    fn corners_of(&mut self, a: &PlacedCore<'_, 2>, b: &PlacedCore<'_, 2>, is_swapped: bool) {
        for (i, p) in a.points.iter().enumerate() {
            if b.core.faces.is_empty() {
                self.offer([Feature::Corner(i), Feature::Corner(0)], [*p, b.points[0]], is_swapped);
            }
            for (f, face) in b.core.faces.iter().enumerate() {
                let ends = [b.points[face.corners[0]], b.points[face.corners[1]]];
                // The far side of a line cannot be nearest, except of a capsule's, which has two.
                if b.normals[f].dot(&(p - ends[0])) < 0.0 {
                    continue;
                }
                let s = place_along(ends, p);
                let (feature, q) = if s <= 0.0 {
                    (Feature::Corner(face.corners[0]), ends[0])
                } else if s >= 1.0 {
                    (Feature::Corner(face.corners[1]), ends[1])
                } else {
                    (Feature::Face(f), ends[0] + (ends[1] - ends[0]) * s)
                };
                self.offer([Feature::Corner(i), feature], [*p, q], is_swapped);
            }
        }
    }

    fn offer(&mut self, features: [Feature; 2], points: [Vector<2>; 2], is_swapped: bool) {
        let apart = points[0] - points[1];
        let gap = apart.norm();
        if gap <= self.limit && self.hit.as_ref().is_none_or(|h| gap < h.gap) {
            let normal = apart.try_normalize(0.0).unwrap_or_else(|| axis(0));
            let hit = Hit { features, points, normal, gap, area: 0.0 };
            self.hit = Some(if is_swapped { hit.swapped() } else { hit });
        }
    }
}
