//! Projection of a node on surfaces of triangles and quadrilaterals (3D).
//!
//! The closest point of a face is inside it, on an edge or at a vertex (`face.rs`). With f that foot and n the face's normal at it:
//!
//! ```text
//! inside:            g = n·(x − f)
//! on an edge of two faces, or at a vertex of several, if f is the closest point of each of them:
//!                    g = ±‖x − f‖,   normal ±(x − f)/‖x − f‖,  + on the side of the pseudo-normal m:
//!                    m ∥ n₁ + n₂ at an edge,  m ∥ Σ α_i n_i at a vertex (α_i the angle of the face there)
//! past a border:     as above with x − f − o instead of x − f, o the part of x − f in the cone of the outward conormals e × n of the
//!                    border edges at f; if ‖o‖ ≤ END_OVERHANG × the face's extent along o
//! ```
//!
//! Weighted by their angles, the normals of a vertex tell inside from outside whatever the triangles (Bærentzen & Aanæs, IEEE
//! Trans. Vis. Comput. Graph. 11, 2005); the corner of a warped quadrilateral has a flat tangent sector, for which the same
//! holds. So g is the signed distance to the surface: continuous, and it changes by no more than the point moves. Where x is f (to
//! rounding), and where the faces of the ridge are in one plane, the normal is m.
//! A face whose closest point is on a ridge while a neighbour has a nearer one gives no answer: every answer is a local minimum of the
//! distance. All faces of a ridge give the same answer to the last bit (but where x is on the ridge to rounding). A vertex at which two
//! sheets touch is one vertex. Past the border of a warped face, the rate of g is U_N but for the twist of the face over the
//! overhang, o·dn/dt: a few per cent of the slip along the border.

use std::collections::BTreeMap;

use crate::face::{Face, FacePlace, Foot};
use crate::frame::unit;
use crate::node_to_segment::END_OVERHANG;
use crate::{Aabb, ContactError, Dimension, FacetNodes, FacetSurface, Few, NarrowPhase, Projection, Vector};

/// Distance below which points are one but for rounding, relative to the coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Angle (rad) below which the faces of a ridge are in one plane: the gap differs by half its square, which is rounding.
const FLAT_RIDGE: f64 = 1e-8;

impl Face {
    fn of(surface: &FacetSurface<3>, positions: &[f64], facet: usize) -> Self {
        Self { corners: surface.corners(facet, positions) }
    }

    /// Lengths that are rounding noise here (m).
    fn noise(&self, point: &Vector<3>) -> f64 {
        let far = self.corners.iter().map(|c| c.amax()).fold(point.amax(), f64::max);
        // No face is larger than twice its coordinates.
        ROUNDING * far
    }

    fn bounds(&self, touches_border: bool) -> Aabb<3> {
        let bounds = Aabb::around(self.corners);
        if !touches_border {
            return bounds;
        }
        let past = Vector::<3>::repeat(END_OVERHANG * self.diameter());
        Aabb { low: bounds.low - past, high: bounds.high + past }
    }

    /// Whether the point, which is past the foot by `past` (m), is that far past the face that it does not face it any more.
    fn is_passed(&self, foot: &Foot, past: &Vector<3>, point: &Vector<3>) -> bool {
        let Some((direction, past)) = unit(past) else { return false };
        let extent = self.corners.iter().map(|c| (point - c - foot.from).dot(&direction)).fold(0.0, f64::max);
        past > END_OVERHANG * extent + self.noise(point)
    }

    /// Unit vector along the face, outwards across an edge.
    fn conormal(&self, edge: usize, normal: &Vector<3>) -> Option<Vector<3>> {
        unit(&self.edge(edge).cross(normal)).map(|(b, _)| b)
    }
}

/// What is left of normals that cancel, relative to them.
const CANCELLED: f64 = 1e-12;

/// The faces that meet at a ridge.
struct RidgeFaces<'a> {
    surface: &'a FacetSurface<3>,
    positions: &'a [f64],
    /// The facet asked about, and where on it.
    facet: usize,
    place: FacePlace,
}

impl RidgeFaces<'_> {
    /// The facets of the ridge, ascending.
    fn facets(&self) -> impl Iterator<Item = usize> {
        let neighbours = self.surface.neighbours(self.facet);
        let (edge, node) = match self.place {
            FacePlace::Edge(k) => (Some((self.facet, neighbours[k])), None),
            FacePlace::Vertex(k) => (None, Some(self.surface.facets()[self.facet][k])),
            FacePlace::Inside => (None, None),
        };
        let edge = edge.into_iter().flat_map(|(own, other)| {
            let other = other.unwrap_or(own);
            let last = (own != other).then_some(own.max(other));
            std::iter::once(own.min(other)).chain(last)
        });
        edge.chain(node.into_iter().flat_map(|node| self.surface.facets_of(node)))
    }

    fn face(&self, facet: usize) -> Face {
        Face::of(self.surface, self.positions, facet)
    }

    /// Whether the ridge is at a border.
    fn is_open(&self) -> bool {
        match self.place {
            FacePlace::Edge(k) => self.surface.neighbours(self.facet)[k].is_none(),
            FacePlace::Vertex(k) => self.surface.at_border(self.facet)[k],
            FacePlace::Inside => false,
        }
    }

    /// Whether no face of the ridge has a point nearer than the foot.
    fn is_closest(&self, foot: &Foot, point: &Vector<3>) -> bool {
        self.facets().filter(|&f| f != self.facet).all(|f| {
            let face = self.face(f);
            (face.closest(point).from - foot.from).amax() <= face.noise(point)
        })
    }

    /// Normal of a facet at the ridge, with its share.
    fn share(&self, facet: usize, foot: &Foot) -> Vector<3> {
        let face = self.face(facet);
        let nodes = &self.surface.facets()[facet];
        let own = &self.surface.facets()[self.facet];
        match self.place {
            FacePlace::Vertex(k) => {
                nodes.iter().position(|n| *n == own[k]).map_or_else(Vector::<3>::zeros, |corner| face.sector(corner))
            }
            _ => {
                // The weights of the foot on the corners of this face: those of the edge's two nodes.
                let weight = |n: &usize| own.iter().position(|m| m == n).map_or(0.0, |k| foot.weights[k]);
                face.normal_at(&nodes.map(|n| weight(&n))).unwrap_or_else(Vector::<3>::zeros)
            }
        }
    }

    /// Unit pseudo-normal, outward; and whether the faces are in one plane.
    fn pseudo_normal(&self, foot: &Foot) -> Option<(Vector<3>, bool)> {
        let (mut sum, mut total) = (Vector::<3>::zeros(), 0.0);
        for f in self.facets() {
            let share = self.share(f, foot);
            sum += share;
            total += share.norm();
        }
        let Some((m, _)) = unit(&sum).filter(|(_, length)| *length > CANCELLED * total) else {
            return self.tip().map(|tip| (tip, false));
        };
        let flat = self.facets().all(|f| unit(&self.share(f, foot)).is_none_or(|(n, _)| (n - m).amax() <= FLAT_RIDGE));
        Some((m, flat))
    }

    /// The part of x − f that is past the border: its projection on the cone of the conormals of the border's edges at the ridge.
    fn past_border(&self, foot: &Foot) -> Vector<3> {
        let mut conormals = Vec::new();
        for f in self.facets() {
            let (face, others) = (self.face(f), self.surface.neighbours(f));
            let Some((normal, _)) = unit(&self.share(f, foot)) else { continue };
            let edges: Vec<usize> = match self.place {
                FacePlace::Vertex(k) => {
                    let node = self.surface.facets()[self.facet][k];
                    let at = self.surface.facets()[f].iter().position(|n| *n == node);
                    at.map_or_else(Vec::new, |c| vec![c, (c + others.len() - 1) % others.len()])
                }
                FacePlace::Edge(k) => vec![k],
                FacePlace::Inside => Vec::new(),
            };
            let open = edges.into_iter().filter(|&k| others[k].is_none());
            conormals.extend(open.filter_map(|k| face.conormal(k, &normal)));
        }
        on_cone(&conormals, &foot.from)
    }

    /// Outward direction at the tip of a fold without thickness, where the normals cancel: away from the faces.
    fn tip(&self) -> Option<Vector<3>> {
        let mut sum = Vector::<3>::zeros();
        for f in self.facets() {
            let face = self.face(f);
            let middle = face.corners.iter().sum::<Vector<3>>() / face.corners.len() as f64;
            let own = &self.face(self.facet).corners;
            let ridge = match self.place {
                FacePlace::Edge(k) => (own[k] + own[(k + 1) % own.len()]) * 0.5,
                FacePlace::Vertex(k) => own[k],
                FacePlace::Inside => middle,
            };
            if let Some((away, _)) = unit(&(ridge - middle)) {
                sum += away;
            }
        }
        unit(&sum).map(|(tip, _)| tip)
    }
}

impl NarrowPhase<3> for Dimension<3> {
    const CORNERS: [usize; 2] = [3, 4];

    fn ridge(n_corners: usize, ridge: usize) -> Few<usize> {
        Few::from([ridge, (ridge + 1) % n_corners])
    }

    fn connect(facets: &[FacetNodes]) -> Result<Vec<Few<Option<usize>>>, ContactError> {
        // (facet, edge, whether it runs from the lower node to the higher)
        let mut at_edge: BTreeMap<[usize; 2], Vec<(usize, usize, bool)>> = BTreeMap::new();
        for (facet, nodes) in facets.iter().enumerate() {
            for (k, &a) in nodes.iter().enumerate() {
                let b = nodes[(k + 1) % nodes.len()];
                at_edge.entry([a.min(b), a.max(b)]).or_default().push((facet, k, a < b));
            }
        }
        let mut neighbours: Vec<Vec<Option<usize>>> = facets.iter().map(|nodes| vec![None; nodes.len()]).collect();
        for (&nodes, faces) in &at_edge {
            match faces[..] {
                [(first, i, up), (second, j, also_up)] => {
                    if up == also_up {
                        return Err(ContactError::OppositeFacets { nodes, first, second });
                    }
                    neighbours[first][i] = Some(second);
                    neighbours[second][j] = Some(first);
                }
                [_] => {}
                _ => {
                    let facets = faces.iter().map(|f| f.0).collect();
                    return Err(ContactError::BranchingSurface { nodes, count: faces.len(), facets });
                }
            }
        }
        Ok(neighbours.iter().map(|others| Few::from_fn(others.len(), |k| others[k])).collect())
    }

    fn normal(corners: &[Vector<3>]) -> Option<Vector<3>> {
        Face::new(corners).normal()
    }

    fn corner_normal(corners: &[Vector<3>], corner: usize) -> Vector<3> {
        Face::new(corners).sector(corner)
    }

    fn size(corners: &[Vector<3>]) -> f64 {
        Face::new(corners).size()
    }

    fn distance(corners: &[Vector<3>], point: &Vector<3>) -> f64 {
        Face::new(corners).closest(point).distance
    }

    fn bounds(surface: &FacetSurface<3>, positions: &[f64], facet: usize) -> Aabb<3> {
        Face::of(surface, positions, facet).bounds(surface.at_border(facet).contains(&true))
    }

    fn project(
        surface: &FacetSurface<3>,
        positions: &[f64],
        facet: usize,
        point: &Vector<3>,
        within: f64,
    ) -> Option<Projection<3>> {
        let face = Face::of(surface, positions, facet);
        let bounds = face.bounds(surface.at_border(facet).contains(&true));
        if bounds.distance(point) > within + face.noise(point) {
            return None;
        }
        let foot = face.closest(point);
        let weights = foot.weights;
        if foot.place == FacePlace::Inside {
            let normal = face.normal_at(&weights)?;
            let gap = foot.distance.copysign(normal.dot(&foot.from));
            return Some(Projection { distance: foot.distance, gap, normal, weights });
        }
        let ridge = RidgeFaces { surface, positions, facet, place: foot.place };
        let open = ridge.is_open();
        if !open && foot.distance > within {
            return None;
        }
        if !ridge.is_closest(&foot, point) {
            // The foot is on the ridge itself: the limit of a point inside. The neighbour is nearer, but it may be one that the caller
            // leaves out.
            let normal = face.normal_at(&weights)?;
            let gap = normal.dot(&foot.from);
            let past = (foot.from - normal * gap).amax();
            let at_limit = past <= face.noise(point);
            return at_limit.then_some(Projection { distance: foot.distance, gap, normal, weights });
        }
        let past = if open { ridge.past_border(&foot) } else { Vector::<3>::zeros() };
        if face.is_passed(&foot, &past, point) {
            return None;
        }
        let (m, flat) = ridge.pseudo_normal(&foot)?;
        let from = foot.from - past;
        let height = m.dot(&from);
        let distance = if open { from.norm() } else { foot.distance };
        // Every face of the ridge must come to the same answer: the noise is that of the largest.
        let noise = ridge.facets().map(|f| ridge.face(f).noise(point)).fold(0.0, f64::max);
        if flat || distance <= noise {
            return Some(Projection { distance, gap: height, normal: m, weights });
        }
        let sign = if height < 0.0 { -1.0 } else { 1.0 };
        Some(Projection { distance, gap: sign * distance, normal: from * (sign / distance), weights })
    }

    fn project_past_ridge(
        surface: &FacetSurface<3>,
        positions: &[f64],
        facet: usize,
        point: &Vector<3>,
    ) -> Option<Projection<3>> {
        let face = Face::of(surface, positions, facet);
        let foot = face.closest(point);
        let ridge = RidgeFaces { surface, positions, facet, place: foot.place };
        let others = ridge.facets().filter(|&f| f != facet).map(|f| (ridge.face(f), ridge.face(f).closest(point)));
        let (other, nearer) = others.min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))?;
        if nearer.distance >= foot.distance {
            return None;
        }
        let normal = face.normal_at(&foot.weights)?;
        let gap = normal.dot(&foot.from);
        let inside = gap < 0.0 && other.normal_at(&nearer.weights)?.dot(&nearer.from) < 0.0;
        // The ridge is the point answered with, so that its distance ranks; the gap is that of the face's plane.
        let past = foot.from - normal * gap;
        let seen = inside && !face.is_passed(&foot, &past, point);
        seen.then_some(Projection { distance: foot.distance, gap, normal, weights: foot.weights })
    }

    fn onto_facet(corners: &[Vector<3>], point: &Vector<3>) -> Option<Projection<3>> {
        let face = Face::new(corners);
        let foot = face.closest(point);
        let normal = face.normal_at(&foot.weights)?;
        let gap = normal.dot(&foot.from);
        Some(Projection { distance: gap.abs(), gap, normal, weights: foot.weights })
    }

    fn pieces(corners: &[Vector<3>], n: usize) -> Vec<(Few<f64>, f64)> {
        let face = Face::new(corners);
        if corners.len() == 3 { triangle_pieces(&face, n) } else { quadrilateral_pieces(&face, n) }
    }
}

/// The closest point to a vector in the cone of one or two unit vectors (of more, the first two).
fn on_cone(directions: &[Vector<3>], v: &Vector<3>) -> Vector<3> {
    let on_ray = |b: &Vector<3>| b * b.dot(v).max(0.0);
    match directions {
        [] => Vector::<3>::zeros(),
        [b] => on_ray(b),
        [a, b, ..] => {
            // v = s a + t b + rest: inside the cone if both are positive, else on one of its sides.
            let (c, va, vb) = (a.dot(b), a.dot(v), b.dot(v));
            let det = 1.0 - c * c;
            let (s, t) = ((va - c * vb) / det, (vb - c * va) / det);
            if det > 1e-12 && s > 0.0 && t > 0.0 {
                return a * s + b * t;
            }
            let (one, two) = (on_ray(a), on_ray(b));
            if one.norm_squared() >= two.norm_squared() { one } else { two }
        }
    }
}

/// n² triangles similar to the whole one.
fn triangle_pieces(face: &Face, n: usize) -> Vec<(Few<f64>, f64)> {
    let count = n as f64;
    let area = 0.5 * face.edge(0).cross(&face.edge(1)).norm() / (count * count);
    let mut out = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n - i {
            let mut push = |third: f64| {
                let (u, v) = ((i as f64 + third) / count, (j as f64 + third) / count);
                out.push((Few::from([1.0 - u - v, u, v]), area));
            };
            push(1.0 / 3.0);
            if i + j + 1 < n {
                push(2.0 / 3.0);
            }
        }
    }
    out
}

/// n² pieces of equal size in the parameters; their areas by 2 × 2 Gauss points, exact for flat faces.
fn quadrilateral_pieces(face: &Face, n: usize) -> Vec<(Few<f64>, f64)> {
    let count = n as f64;
    let density = |u: f64, v: f64| {
        let along_u = face.edge(0) * (1.0 - v) - face.edge(2) * v;
        let along_v = face.edge(1) * u - face.edge(3) * (1.0 - u);
        along_u.cross(&along_v).norm()
    };
    let gauss = [0.5 - 0.5 / 3f64.sqrt(), 0.5 + 0.5 / 3f64.sqrt()];
    let mut out = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n {
            let at = |s: f64, t: f64| ((i as f64 + s) / count, (j as f64 + t) / count);
            let samples = gauss.iter().flat_map(|&s| gauss.map(|t| at(s, t)));
            let area = samples.map(|(u, v)| density(u, v)).sum::<f64>() / (4.0 * count * count);
            let (u, v) = at(0.5, 0.5);
            out.push((Few::from([(1.0 - u) * (1.0 - v), u * (1.0 - v), u * v, (1.0 - u) * v]), area));
        }
    }
    out
}
