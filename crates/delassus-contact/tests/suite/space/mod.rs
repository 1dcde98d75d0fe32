//! The same in 3D: faces, ridges, borders, detection against all faces, obstacles, self contact, points on faces.

mod brute_force;
mod candidates;
mod errors;
mod faces;
mod moving;
mod normals;
mod obstacles;
mod plates;
mod self_contact;
mod work;

use delassus_contact::{
    Antagonist, CandidateSet, Contact, Detection, Detector, FacetNodes, FacetSurface, Normals, Pair, Translation,
    Vector,
};

use super::random::Random;

const FAR: f64 = f64::INFINITY;

/// Points and faces.
#[derive(Clone)]
struct Solid {
    points: Vec<[f64; 3]>,
    facets: Vec<FacetNodes>,
}

impl Solid {
    fn surface(&self, body: usize) -> FacetSurface<3> {
        FacetSurface::new(body, self.facets.clone()).unwrap()
    }

    fn corners(&self, facet: usize) -> Vec<Vector<3>> {
        self.facets[facet].iter().map(|&i| self.points[i].into()).collect()
    }

    fn map(&self, f: impl Fn(Vector<3>) -> Vector<3>) -> Self {
        Self { points: self.points.iter().map(|&p| f(p.into()).into()).collect(), facets: self.facets.clone() }
    }

    /// Every quadrilateral cut in two along one of its diagonals.
    fn triangulated(&self, random: &mut Random) -> Self {
        let cut = |f: &FacetNodes| match f[..] {
            [a, b, c, d] if random.below(2) == 0 => vec![FacetNodes::from([a, b, c]), FacetNodes::from([a, c, d])],
            [a, b, c, d] => vec![FacetNodes::from([b, c, d]), FacetNodes::from([b, d, a])],
            _ => vec![*f],
        };
        Self { points: self.points.clone(), facets: self.facets.iter().flat_map(cut).collect() }
    }

    /// Some quadrilaterals cut in two.
    fn mixed(&self, random: &mut Random) -> Self {
        let whole: Vec<bool> = self.facets.iter().map(|_| random.below(2) == 0).collect();
        let mut facets = Vec::new();
        for (f, whole) in self.facets.iter().zip(whole) {
            let one = Self { points: Vec::new(), facets: vec![*f] };
            facets.extend(if whole { vec![*f] } else { one.triangulated(random).facets });
        }
        Self { points: self.points.clone(), facets }
    }
}

/// A pair of all `nodes` of body 0 and the given antagonist.
fn pair(nodes: usize, antagonist: Antagonist<3>, reach: f64, depth: f64) -> Pair<3> {
    let candidates = CandidateSet::new(0, (0..nodes).collect(), vec![1.0; nodes]).unwrap();
    Pair { id: 0, pass: 0, candidates, antagonist, reach, depth, normals: Normals::Facet, corners: false }
}

/// Contacts of free points (body 0) with a surface (body 1).
fn detect(points: &[[f64; 3]], solid: &Solid, reach: f64, depth: f64) -> Detection<3> {
    let antagonist = Antagonist::Surface(solid.surface(1));
    let (x, y) = (points.concat(), solid.points.concat());
    let positions = [x.as_slice(), y.as_slice()];
    let mut detector = Detector::new(vec![pair(points.len(), antagonist, reach, depth)], &positions).unwrap();
    detector.detect(&positions, &[Translation::default()]).unwrap()
}

/// A box of n × n quadrilaterals per side, points on the unit sphere's cube [-1, 1]³ sent through `place`.
fn cube(n: usize, mut place: impl FnMut(Vector<3>) -> Vector<3>) -> Solid {
    let mut numbers: std::collections::BTreeMap<[usize; 3], usize> = std::collections::BTreeMap::new();
    let (mut points, mut facets) = (Vec::new(), Vec::new());
    let mut number = |lattice: [usize; 3]| {
        *numbers.entry(lattice).or_insert_with(|| {
            points.push(place(Vector::<3>::from(lattice.map(|i| 2.0 * i as f64 / n as f64 - 1.0))).into());
            points.len() - 1
        })
    };
    for axis in 0..3 {
        for (side, at) in [(0, 0), (1, n)] {
            for i in 0..n {
                for j in 0..n {
                    let mut corner = |di: usize, dj: usize| {
                        let mut lattice = [at; 3];
                        lattice[(axis + 1) % 3] = i + di;
                        lattice[(axis + 2) % 3] = j + dj;
                        number(lattice)
                    };
                    let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    if side == 0 {
                        quad.reverse();
                    }
                    facets.push(FacetNodes::from(quad));
                }
            }
        }
    }
    Solid { points, facets }
}

/// A star-shaped solid around the origin with warped quadrilaterals, radii between `low` and 1.
fn star(random: &mut Random, n: usize, low: f64) -> Solid {
    cube(n, |x| x.normalize() * random.within(low, 1.0))
}

/// A sheet of n × m quadrilaterals over [0, 1]², normal up, heights by a function.
fn sheet(n: usize, m: usize, height: impl Fn(f64, f64) -> f64) -> Solid {
    let at = |i: usize, j: usize| [i as f64 / n as f64, j as f64 / m as f64];
    let lattice = (0..=m).flat_map(|j| (0..=n).map(move |i| (i, j)));
    let points = lattice.map(|(i, j)| at(i, j)).map(|[x, y]| [x, y, height(x, y)]).collect();
    let k = |i: usize, j: usize| j * (n + 1) + i;
    let cells = (0..m).flat_map(|j| (0..n).map(move |i| (i, j)));
    let facets = cells.map(|(i, j)| FacetNodes::from([k(i, j), k(i + 1, j), k(i + 1, j + 1), k(i, j + 1)])).collect();
    Solid { points, facets }
}

fn vector(random: &mut Random, size: f64) -> Vector<3> {
    Vector::<3>::from_fn(|_, _| random.within(-size, size))
}

/// World position of the antagonist point.
fn foot(contact: &Contact<3>, points: &[[f64; 3]]) -> Vector<3> {
    let delassus_contact::Map::Nodes(weights) = &contact.sides[1].map else { panic!("a deformable antagonist") };
    weights.iter().map(|&(node, w)| Vector::<3>::from(points[node]) * w).sum()
}

/// Distance to a triangle, by minimising over the plane and the three edges separately: shares nothing with the crate.
fn to_triangle(c: &[Vector<3>], p: &Vector<3>) -> f64 {
    let (a, b) = (c[1] - c[0], c[2] - c[0]);
    let (aa, ab, bb) = (a.dot(&a), a.dot(&b), b.dot(&b));
    let (pa, pb) = ((p - c[0]).dot(&a), (p - c[0]).dot(&b));
    let det = aa * bb - ab * ab;
    let (s, t) = ((bb * pa - ab * pb) / det, (aa * pb - ab * pa) / det);
    let mut best = FAR;
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        best = (p - c[0] - a * s - b * t).norm();
    }
    for k in 0..3 {
        let (q, e) = (c[k], c[(k + 1) % 3] - c[k]);
        let s = ((p - q).dot(&e) / e.norm_squared()).clamp(0.0, 1.0);
        best = best.min((p - q - e * s).norm());
    }
    best
}

/// Distance to a bilinear face, by sampling and zooming in on the best samples.
fn to_quadrilateral(c: &[Vector<3>], p: &Vector<3>) -> f64 {
    let distance = |u: f64, v: f64| {
        (c[0] * (1.0 - u) * (1.0 - v) + c[1] * u * (1.0 - v) + c[2] * u * v + c[3] * (1.0 - u) * v - p).norm()
    };
    const N: usize = 12;
    let mut starts: Vec<(f64, f64, f64)> = Vec::new();
    for i in 0..=N {
        for j in 0..=N {
            let (u, v) = (i as f64 / N as f64, j as f64 / N as f64);
            starts.push((distance(u, v), u, v));
        }
    }
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = FAR;
    for &(d, u, v) in &starts[..6] {
        let (mut d, mut u, mut v, mut h) = (d, u, v, 1.0 / N as f64);
        while h > 1e-9 {
            let mut moved = false;
            for (du, dv) in [(h, 0.0), (-h, 0.0), (0.0, h), (0.0, -h), (h, h), (h, -h), (-h, h), (-h, -h)] {
                let (s, t) = ((u + du).clamp(0.0, 1.0), (v + dv).clamp(0.0, 1.0));
                let other = distance(s, t);
                if other < d {
                    (d, u, v, moved) = (other, s, t, true);
                }
            }
            if !moved {
                h *= 0.5;
            }
        }
        best = best.min(d);
    }
    best
}

/// Winding number of a closed surface of triangles about a point, by solid angles (van Oosterom & Strackee).
fn winding(triangles: &[[Vector<3>; 3]], p: &Vector<3>) -> f64 {
    let angle = |t: &[Vector<3>; 3]| {
        let [a, b, c] = t.map(|x| x - p);
        let (x, y, z) = (a.norm(), b.norm(), c.norm());
        let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * a.dot(&b.cross(&c)).atan2(below)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The faces as triangles: quadrilaterals in n × n pieces, two triangles each.
fn triangles(solid: &Solid, n: usize) -> Vec<[Vector<3>; 3]> {
    let mut out = Vec::new();
    for f in 0..solid.facets.len() {
        let c = solid.corners(f);
        if let [a, b, c] = c[..] {
            out.push([a, b, c]);
            continue;
        }
        let at = |i: usize, j: usize| {
            let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
            c[0] * (1.0 - u) * (1.0 - v) + c[1] * u * (1.0 - v) + c[2] * u * v + c[3] * (1.0 - u) * v
        };
        for i in 0..n {
            for j in 0..n {
                out.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                out.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    out
}

/// Unsigned distance to a surface.
fn distance(solid: &Solid, p: &Vector<3>) -> f64 {
    let of = |f: usize| {
        let c = solid.corners(f);
        if c.len() == 3 { to_triangle(&c, p) } else { to_quadrilateral(&c, p) }
    };
    (0..solid.facets.len()).map(of).fold(FAR, f64::min)
}

/// Points everywhere, and near vertices, edges and faces at all distances.
fn points_around(random: &mut Random, solid: &Solid, count: usize) -> Vec<[f64; 3]> {
    let point = |_| {
        let c = solid.corners(random.below(solid.facets.len()));
        let (u, v) = (random.within(0.0, 1.0), random.within(0.0, 1.0));
        let on_edge = c[0] * (1.0 - u) + c[1] * u;
        let last = c[c.len() - 1];
        let on_face = if c.len() == 3 {
            c[0] + (c[1] - c[0]) * u + (last - c[0]) * (v * (1.0 - u))
        } else {
            on_edge * (1.0 - v) + (c[3] * (1.0 - u) + c[2] * u) * v
        };
        let near = vector(random, 1.0) * 10f64.powf(random.within(-17.0, 0.0));
        let p = match random.below(5) {
            0 => vector(random, 1.3),
            1 => c[0] + near,
            2 => on_edge + near,
            3 => on_face + near,
            _ => [c[0], on_edge, on_face][random.below(3)],
        };
        p.into()
    };
    (0..count).map(point).collect()
}
