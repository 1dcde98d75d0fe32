//! Geometry of space.

use std::f64::consts::{PI, TAU};

use delassus_contact::{Dimension, Matrix, Vector};

use crate::core::{Bend, Core, Feature, axis};
use crate::hit::{Hit, PlacedCore};
use crate::mass::{self, Moments};
use crate::space::{ShapeSpace, place_along, segment_pair};
use crate::{ShapeError, ShapeSurface};

/// Square of the sine of the angle below which two edges are parallel: faces and corners then take their part.
const PARALLEL: f64 = 1e-16;

impl ShapeSpace<3> for Dimension<3> {
    fn block(half: &Vector<3>) -> Result<Core<3>, ShapeError> {
        let corner = |i: usize| Vector::<3>::from_fn(|k, _| if i >> k & 1 == 1 { half[k] } else { -half[k] });
        let points: Vec<_> = (0..8).map(corner).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        crate::polyhedron::core(&points, &faces.map(|f| f.to_vec()))
    }

    fn surface_of(core: &Core<3>, around: usize) -> ShapeSurface<3> {
        if core.radius > 0.0 {
            return round_surface(core, around);
        }
        let points = if core.faces.is_empty() { Vec::new() } else { core.points.clone() };
        ShapeSurface { points, facets: core.faces.iter().map(|f| f.corners.clone()).collect() }
    }

    fn moments_of(core: &Core<3>) -> Moments<3> {
        match core.points.len() {
            1 => mass::ball(core),
            2 => mass::capsule(core),
            _ => {
                let fans = core.faces.iter().flat_map(|f| {
                    let c = &f.corners;
                    (1..c.len() - 1).map(|i| [c[0], c[i], c[i + 1]])
                });
                mass::enclosed(core, fans, |arms| arms.determinant() / 6.0)
            }
        }
    }

    fn closest_on_face(core: &Core<3>, face: usize, point: &Vector<3>) -> (Feature, Vector<3>) {
        let (corners, normal) = (&core.faces[face].corners, core.faces[face].normal);
        let at = |i: usize| core.points[corners[i % corners.len()]];
        let foot = point - normal * normal.dot(&(point - at(0)));
        let mut best: Option<(f64, Feature, Vector<3>)> = None;
        for i in 0..corners.len() {
            let ends = [at(i), at(i + 1)];
            if (ends[1] - ends[0]).cross(&(foot - ends[0])).dot(&normal) >= 0.0 {
                continue;
            }
            let s = place_along(ends, point);
            let (feature, there) = if s <= 0.0 {
                (Feature::Corner(corners[i]), ends[0])
            } else if s >= 1.0 {
                (Feature::Corner(corners[(i + 1) % corners.len()]), ends[1])
            } else {
                let edge = core.edge_between(corners[i], corners[(i + 1) % corners.len()]);
                (edge.map_or(Feature::Face(face), Feature::Edge), ends[0] + (ends[1] - ends[0]) * s)
            };
            let square = (there - point).norm_squared();
            if best.as_ref().is_none_or(|b| square < b.0) {
                best = Some((square, feature, there));
            }
        }
        best.map_or((Feature::Face(face), foot), |(_, feature, there)| (feature, there))
    }

    fn is_pierced(core: &Core<3>, face: usize, [p, q]: [Vector<3>; 2]) -> bool {
        let (corners, normal) = (&core.faces[face].corners, core.faces[face].normal);
        let at = |i: usize| core.points[corners[i % corners.len()]];
        let [above, below] = [p, q].map(|x| normal.dot(&(x - at(0))));
        if above * below >= 0.0 {
            return false;
        }
        let there = p + (q - p) * (above / (above - below));
        (0..corners.len()).all(|i| (at(i + 1) - at(i)).cross(&(there - at(i))).dot(&normal) > 0.0)
    }

    fn edge_axis(a: &PlacedCore<'_, 3>, b: &PlacedCore<'_, 3>) -> Option<Hit<3>> {
        let mut best: Option<Hit<3>> = None;
        for (i, e) in a.core.edges.iter().enumerate().filter(|(_, e)| e.bend == Bend::Convex) {
            let u = a.points[e.ends[1]] - a.points[e.ends[0]];
            let arc_a = e.faces.map(|f| f.map(|f| a.normals[f]));
            for (j, f) in b.core.edges.iter().enumerate().filter(|(_, f)| f.bend == Bend::Convex) {
                let v = b.points[f.ends[1]] - b.points[f.ends[0]];
                let arc_b = f.faces.map(|f| f.map(|f| -b.normals[f]));
                if !arcs_cross(arc_a, arc_b, &u, &v) {
                    continue;
                }
                let across = u.cross(&v);
                let square = across.norm_squared();
                if square <= PARALLEL * u.norm_squared() * v.norm_squared() {
                    continue;
                }
                let (p, q) = (a.points[e.ends[0]], b.points[f.ends[0]]);
                let mut normal = across / square.sqrt();
                // Out of b and into a; edges through the centre (capsules) leave it to the other, or to the centres.
                let outward = normal.dot(&(q - b.centre)) - normal.dot(&(p - a.centre));
                let scale = f64::EPSILON * 64.0 * (a.core.extent + b.core.extent);
                let sign = if outward.abs() > scale { outward } else { normal.dot(&(a.centre - b.centre)) };
                if sign < 0.0 {
                    normal = -normal;
                }
                let gap = normal.dot(&(p - q));
                if best.as_ref().is_none_or(|h| gap > h.gap) {
                    let features = [Feature::Edge(i), Feature::Edge(j)];
                    best = Some(Hit { features, points: [p, q], normal, gap, area: 0.0 });
                }
            }
        }
        let mut hit = best?;
        let [Feature::Edge(i), Feature::Edge(j)] = hit.features else { return None };
        hit.points = segment_pair(ends(a, i), ends(b, j)).1;
        Some(hit)
    }

    fn closest(a: &PlacedCore<'_, 3>, b: &PlacedCore<'_, 3>, limit: f64) -> Option<Hit<3>> {
        let mut best = NearestEdges { limit, hit: None };
        best.corners_of(a, b, false);
        best.corners_of(b, a, true);
        best.edges_of(a, b);
        best.hit
    }

    fn across(normal: &Vector<3>) -> Matrix<3> {
        let least = normal.iamin();
        let t = normal.cross(&axis::<3>(least)).normalize();
        Matrix::<3>::from_columns(&[*normal, t, normal.cross(&t)])
    }
}

/// Do two edges make a face of the Minkowski difference? Their arcs on the sphere of normals cross then (Gregorius 2013). The arc of a capsule is a
/// full circle.
fn arcs_cross(arc_a: Option<[Vector<3>; 2]>, arc_b: Option<[Vector<3>; 2]>, u: &Vector<3>, v: &Vector<3>) -> bool {
    match (arc_a, arc_b) {
        (Some([a, b]), Some([c, d])) => {
            let (cu, du, av, bv) = (c.dot(u), d.dot(u), a.dot(v), b.dot(v));
            cu * du < 0.0 && av * bv < 0.0 && cu * bv > 0.0
        }
        (None, Some([c, d])) => c.dot(u) * d.dot(u) < 0.0,
        (Some([a, b]), None) => a.dot(v) * b.dot(v) < 0.0,
        (None, None) => true,
    }
}

fn ends(placed: &PlacedCore<'_, 3>, edge: usize) -> [Vector<3>; 2] {
    placed.core.edges[edge].ends.map(|c| placed.points[c])
}

/// The nearest points so far.
struct NearestEdges {
    limit: f64,
    hit: Option<Hit<3>>,
}

impl NearestEdges {
    fn offer(&mut self, features: [Feature; 2], points: [Vector<3>; 2], is_swapped: bool) {
        let apart = points[0] - points[1];
        let gap = apart.norm();
        if gap <= self.limit && self.hit.as_ref().is_none_or(|h| gap < h.gap) {
            self.limit = gap;
            let normal = apart.try_normalize(0.0).unwrap_or_else(|| axis(0));
            let hit = Hit { features, points, normal, gap, area: 0.0 };
            self.hit = Some(if is_swapped { hit.swapped() } else { hit });
        }
    }

    /// Corners of `a` above the inside of faces of `b`.
    fn corners_of(&mut self, a: &PlacedCore<'_, 3>, b: &PlacedCore<'_, 3>, is_swapped: bool) {
        for (f, face) in b.core.faces.iter().enumerate() {
            let (n, level) = (b.normals[f], b.level(f));
            for (i, p) in a.points.iter().enumerate() {
                let height = n.dot(p) - level;
                if height < 0.0 || height > self.limit {
                    continue;
                }
                let k = face.corners.len();
                let is_inside = (0..k).all(|s| {
                    let [q, r] = [face.corners[s], face.corners[(s + 1) % k]].map(|c| b.points[c]);
                    (r - q).cross(&(p - q)).dot(&n) >= 0.0
                });
                if is_inside {
                    self.offer([Feature::Corner(i), Feature::Face(f)], [*p, p - n * height], is_swapped);
                }
            }
        }
    }

    /// Edges of one against edges of the other. A ball is an edge without length.
    fn edges_of(&mut self, a: &PlacedCore<'_, 3>, b: &PlacedCore<'_, 3>) {
        let list = |p: &PlacedCore<'_, 3>| -> Vec<(Option<usize>, [usize; 2])> {
            if p.core.edges.is_empty() {
                return (0..p.points.len()).map(|i| (None, [i, i])).collect();
            }
            p.core.edges.iter().enumerate().map(|(i, e)| (Some(i), e.ends)).collect()
        };
        let feature = |edge: Option<usize>, ends: [usize; 2], s: f64| match edge {
            Some(e) if s > 0.0 && s < 1.0 => Feature::Edge(e),
            _ => Feature::Corner(if s < 1.0 { ends[0] } else { ends[1] }),
        };
        let others = list(b);
        for (e, ends_a) in list(a) {
            let here = ends_a.map(|c| a.points[c]);
            for &(f, ends_b) in &others {
                let there = ends_b.map(|c| b.points[c]);
                let apart = |i: usize| {
                    let low = here[0][i].min(here[1][i]) - there[0][i].max(there[1][i]);
                    low.max(there[0][i].min(there[1][i]) - here[0][i].max(here[1][i]))
                };
                if (0..3).any(|i| apart(i) > self.limit) {
                    continue;
                }
                let ([s, t], points) = segment_pair(here, there);
                self.offer([feature(e, ends_a, s), feature(f, ends_b, t)], points, false);
            }
        }
    }
}

/// Rings about the axis of a ball or capsule, and its two poles.
fn round_surface(core: &Core<3>, around: usize) -> ShapeSurface<3> {
    let [first, last] = [core.points[0], core.points[core.points.len() - 1]];
    let axis = (last - first).try_normalize(0.0).unwrap_or_else(|| axis(2));
    let frame = Dimension::<3>::across(&axis);
    let half = (around / 4).max(1);
    let mut points = vec![first - axis * core.radius];
    let mut rings = 0;
    // From pole to pole; a capsule has its equator twice.
    for (centre, begin) in [(first, 0), (last, half)] {
        let skip = usize::from(begin == 0 || core.points.len() == 1);
        for k in begin + skip..begin + half + usize::from(begin == 0) {
            let angle = PI * (k as f64 / (2 * half) as f64) - 0.5 * PI;
            let (up, out) = (delassus_math::sin(angle) * core.radius, delassus_math::cos(angle) * core.radius);
            for i in 0..around {
                let turn = TAU * i as f64 / around as f64;
                let ray = frame.column(1) * delassus_math::cos(turn) + frame.column(2) * delassus_math::sin(turn);
                points.push(centre + axis * up + ray * out);
            }
            rings += 1;
        }
    }
    points.push(last + axis * core.radius);
    let top = points.len() - 1;
    let at = |ring: usize, i: usize| 1 + ring * around + i % around;
    let mut facets = Vec::new();
    for i in 0..around {
        facets.push(vec![0, at(0, i + 1), at(0, i)]);
        for ring in 1..rings {
            facets.push(vec![at(ring - 1, i), at(ring - 1, i + 1), at(ring, i + 1), at(ring, i)]);
        }
        facets.push(vec![at(rings - 1, i), at(rings - 1, i + 1), top]);
    }
    ShapeSurface { points, facets }
}
