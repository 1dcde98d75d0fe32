//! The closest point of one triangle or bilinear quadrilateral (3D).
//!
//! ```text
//! triangle        inside if s_k = (n × e_k)·(x − c_k) > 0 for its three edges e_k = c_{k+1} − c_k; weights s_k/Σs of the corner
//!                 opposite to the edge
//! quadrilateral   X(u,v) = c₀ + u a + v b + uv c,   a = c₁ − c₀, b = c₃ − c₀, c = c₀ − c₁ + c₂ − c₃,   0 ≤ u, v ≤ 1
//!                 min ½|x − X|²:  gradient −r·(X_u, X_v), Hessian [X_u·X_u, X_u·X_v − r·c; ·, X_v·X_v],  r = x − X
//! edge            clamped projection on the segment, from its lexicographically lower end: both faces of an edge get the same bits
//! ```
//!
//! Newton's method in the box 0 ≤ u, v ≤ 1 starts at the best of nine points; where the Hessian is not positive it goes by
//! Gauss–Newton, and halves a step that does not descend. A minimum on the border of the box is left to the edges, and an edge that is
//! nearer than the minimum inside (a strongly warped face has several) wins. The mapping must be one to one: a quadrilateral that is
//! not convex has a foot, but not the only one.
//!
//! Regions of a triangle: Ericson, Real-Time Collision Detection, 2005, §5.1.5. The bilinear face of a brick and its projection by
//! Newton's method: Wriggers, Computational Contact Mechanics, 2006, §4.1.

use delassus_math as math;

use crate::frame::unit;
use crate::{Few, Vector};

/// Sine of the angle below which three corners are on a line.
const FLAT: f64 = 1e-13;

/// Steps of Newton's method: it takes about five, more only near a centre of curvature.
const MAX_STEPS: usize = 60;

/// Below this step (in u, v) Newton's method is not checked any more: the distance has not the digits to tell.
const SMALL_STEP: f64 = 1e-3;

/// The step that ends the iteration.
const LAST_STEP: f64 = 4.0 * f64::EPSILON;

/// By how much (relative, squared) an edge must be nearer than a minimum inside.
const NEARER: f64 = 1e-12;

/// Part of a separation that may be off the normal at a minimum, relative to the size of the face.
const ALIGNED: f64 = 1e-9;

/// A triangle or a quadrilateral, its corners counter-clockwise seen from outside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub(crate) corners: Few<Vector<3>>,
}

/// Where the closest point of a face is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FacePlace {
    Inside,
    /// Inside the edge from this corner to the next.
    Edge(usize),
    Vertex(usize),
}

/// The closest point of a face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    pub(crate) place: FacePlace,
    pub(crate) weights: Few<f64>,
    /// From the foot to the point (m).
    pub(crate) from: Vector<3>,
    pub(crate) distance: f64,
}

impl Face {
    pub(crate) fn new(corners: &[Vector<3>]) -> Self {
        Self { corners: Few::from_fn(corners.len(), |k| corners[k]) }
    }

    fn n(&self) -> usize {
        self.corners.len()
    }

    fn next(&self, k: usize) -> usize {
        if k + 1 == self.n() { 0 } else { k + 1 }
    }

    fn previous(&self, k: usize) -> usize {
        if k == 0 { self.n() - 1 } else { k - 1 }
    }

    /// From a corner to the next (m).
    pub(crate) fn edge(&self, k: usize) -> Vector<3> {
        self.corners[self.next(k)] - self.corners[k]
    }

    /// Longest edge (m).
    pub(crate) fn size(&self) -> f64 {
        (0..self.n()).filter_map(|k| unit(&self.edge(k))).fold(0.0, |longest, (_, length)| longest.max(length))
    }

    /// Largest distance between two corners (m).
    pub(crate) fn diameter(&self) -> f64 {
        let across = (2..self.n()).filter_map(|k| unit(&(self.corners[k] - self.corners[k - 2])));
        across.fold(self.size(), |longest, (_, length)| longest.max(length))
    }

    /// Unit normal in the middle: across the diagonals of a quadrilateral. `None` without area.
    pub(crate) fn normal(&self) -> Option<Vector<3>> {
        let c = &self.corners;
        let (one, two) = if self.n() == 3 { (c[1] - c[0], c[2] - c[0]) } else { (c[2] - c[0], c[3] - c[1]) };
        let length = one.amax();
        (length * length).is_normal().then(|| unit_cross(&one, &two)).flatten()
    }

    /// Unit normal at the place of these weights; that in the middle where the face is folded there.
    pub(crate) fn normal_at(&self, weights: &[f64]) -> Option<Vector<3>> {
        let middle = self.normal()?;
        if self.n() == 3 {
            return Some(middle);
        }
        let (u, v) = (weights[1] + weights[2], weights[2] + weights[3]);
        let along_u = self.edge(0) * (1.0 - v) - self.edge(2) * v;
        let along_v = self.edge(1) * u - self.edge(3) * (1.0 - u);
        let here = unit_cross(&along_u, &along_v);
        Some(here.filter(|n| n.dot(&middle) > 0.0).unwrap_or(middle))
    }

    /// Normal of the sector at a corner, as long as its angle (rad): its share in the normal of the vertex.
    pub(crate) fn sector(&self, k: usize) -> Vector<3> {
        let (Some((one, _)), Some((two, _))) = (unit(&self.edge(k)), unit(&-self.edge(self.previous(k)))) else {
            return Vector::<3>::zeros();
        };
        let angle = math::atan2(one.cross(&two).norm(), one.dot(&two));
        unit_cross(&one, &two).map_or_else(Vector::<3>::zeros, |n| n * angle)
    }

    /// The closest point of the face.
    pub(crate) fn closest(&self, point: &Vector<3>) -> Foot {
        let inside = if self.n() == 3 { self.inside_triangle(point) } else { self.inside_quadrilateral(point) };
        match inside {
            Some(foot) if self.n() == 3 => foot,
            Some(foot) => {
                let edge = self.closest_of_edges(point);
                let nearer = edge.distance * edge.distance < foot.distance * foot.distance * (1.0 - NEARER);
                if nearer { edge } else { foot }
            }
            None => self.closest_of_edges(point),
        }
    }

    fn closest_of_edges(&self, point: &Vector<3>) -> Foot {
        let mut best = self.on_edge(0, point);
        for k in 1..self.n() {
            let foot = self.on_edge(k, point);
            if foot.distance < best.distance {
                best = foot;
            }
        }
        best
    }

    fn on_edge(&self, k: usize, point: &Vector<3>) -> Foot {
        let (mut i, mut j) = (k, self.next(k));
        if is_before(&self.corners[j], &self.corners[i]) {
            (i, j) = (j, i);
        }
        let (from_i, from_j) = (point - self.corners[i], point - self.corners[j]);
        let edge = self.corners[j] - self.corners[i];
        let (past_i, past_j) = (from_i.dot(&edge), from_j.dot(&edge));
        let lambda = past_i / (past_i - past_j);
        // A foot whose weight is all on one end is that end.
        let (place, lambda, from) = if past_i <= 0.0 || lambda <= 0.0 {
            (FacePlace::Vertex(i), 0.0, from_i)
        } else if past_j >= 0.0 || lambda >= 1.0 {
            (FacePlace::Vertex(j), 1.0, from_j)
        } else {
            (FacePlace::Edge(k), lambda, from_i * (1.0 - lambda) + from_j * lambda)
        };
        let weights = Few::from_fn(self.n(), |c| {
            if c == i {
                1.0 - lambda
            } else if c == j {
                lambda
            } else {
                0.0
            }
        });
        Foot { place, weights, from, distance: length(&from) }
    }

    fn at(&self, weights: Few<f64>, point: &Vector<3>) -> Foot {
        // The weights add up to one: the sum keeps the digits of the distances to the corners, wherever the origin is.
        let shares = self.corners.iter().zip(weights.iter()).map(|(c, w)| (point - c) * *w);
        let from = shares.fold(Vector::<3>::zeros(), |sum, part| sum + part);
        Foot { place: FacePlace::Inside, weights, from, distance: length(&from) }
    }

    fn inside_triangle(&self, point: &Vector<3>) -> Option<Foot> {
        let normal = self.normal()?;
        let areas = Few::<f64>::from_fn(3, |k| normal.cross(&self.edge(k)).dot(&(point - self.corners[k])));
        if areas.iter().any(|s| s.is_nan() || *s <= 0.0) {
            return None;
        }
        let sum: f64 = areas.iter().sum();
        // Edge k is opposite to corner k + 2.
        let foot = self.at(Few::from([areas[1] / sum, areas[2] / sum, areas[0] / sum]), point);
        // In the plane there is nothing but rounding: the height counts.
        let height = normal.dot(&foot.from);
        Some(Foot { from: normal * height, distance: height.abs(), ..foot })
    }

    fn inside_quadrilateral(&self, point: &Vector<3>) -> Option<Foot> {
        let (u, v) = self.newton(point)?;
        let weights = Few::from([(1.0 - u) * (1.0 - v), u * (1.0 - v), u * v, (1.0 - u) * v]);
        let foot = self.at(weights, point);
        // At a minimum the separation is along the normal; what is not is rounding, or what Newton's method left.
        let height = self.normal_at(&weights)?.dot(&foot.from);
        let aligned = (foot.distance - height.abs()).abs() <= ALIGNED * self.edge(0).amax();
        Some(if aligned { Foot { distance: height.abs(), ..foot } } else { foot })
    }

    /// Parameters of a minimum of the distance strictly inside a quadrilateral.
    fn newton(&self, point: &Vector<3>) -> Option<(f64, f64)> {
        let c0 = self.corners[0];
        let scale = (self.corners[2] - c0).amax();
        let [a, b] = [1, 3].map(|k| (self.corners[k] - c0) / scale);
        let c = (self.corners[2] - self.corners[1]) / scale - b;
        let d = (point - c0) / scale;
        let from = |u: f64, v: f64| d - a * u - b * v - c * (u * v);
        let (mut u, mut v, mut best) = (0.5, 0.5, f64::INFINITY);
        for i in 0..9 {
            let (s, t) = ([1.0, 3.0, 5.0][i % 3] / 6.0, [1.0, 3.0, 5.0][i / 3] / 6.0);
            let distance2 = from(s, t).norm_squared();
            if distance2 < best {
                (u, v, best) = (s, t, distance2);
            }
        }
        for _ in 0..MAX_STEPS {
            let r = from(u, v);
            let (along_u, along_v) = (a + c * v, b + c * u);
            let slope = [-r.dot(&along_u), -r.dot(&along_v)];
            let at_bound = |p: f64, g: f64| (p <= 0.0 && g > 0.0) || (p >= 1.0 && g < 0.0);
            let blocked = [at_bound(u, slope[0]), at_bound(v, slope[1])];
            let hessian = [along_u.norm_squared(), along_u.dot(&along_v), along_v.norm_squared(), r.dot(&c)];
            let ([du, dv], exact) = step(slope, hessian, blocked);
            let size = du.abs().max(dv.abs());
            if size.is_nan() || size <= LAST_STEP {
                break;
            }
            let trial = |t: f64| ((u + t * du).clamp(0.0, 1.0), (v + t * dv).clamp(0.0, 1.0));
            let mut t = 1.0;
            if !(exact && size < SMALL_STEP) {
                let now = r.norm_squared();
                while t > 1e-9 && from(trial(t).0, trial(t).1).norm_squared() >= now {
                    t *= 0.5;
                }
                if t <= 1e-9 {
                    break;
                }
            }
            (u, v) = trial(t);
        }
        (u > 0.0 && u < 1.0 && v > 0.0 && v < 1.0).then_some((u, v))
    }
}

/// A step of Newton's method, or of Gauss–Newton's where that is no descent; and whether it is the former.
fn step(slope: [f64; 2], [uu, uv, vv, bend]: [f64; 4], blocked: [bool; 2]) -> ([f64; 2], bool) {
    match blocked {
        [true, true] => return ([0.0; 2], true),
        [true, false] => return ([0.0, -slope[1] / vv], true),
        [false, true] => return ([-slope[0] / uu, 0.0], true),
        [false, false] => {}
    }
    let solve = |uv: f64, det: f64| [(uv * slope[1] - vv * slope[0]) / det, (uv * slope[0] - uu * slope[1]) / det];
    let off = uv - bend;
    let [exact, gauss] = [uu * vv - off * off, uu * vv - uv * uv];
    let least = FLAT * uu * vv;
    if exact > least {
        (solve(off, exact), true)
    } else if gauss > least {
        (solve(uv, gauss), false)
    } else {
        ([-slope[0] / uu, -slope[1] / vv], false)
    }
}

/// Unit vector across two; `None` if they are parallel.
fn unit_cross(one: &Vector<3>, two: &Vector<3>) -> Option<Vector<3>> {
    let (one, two) = (unit(one)?.0, unit(two)?.0);
    let across = one.cross(&two);
    unit(&across).filter(|(_, sine)| *sine > FLAT).map(|(n, _)| n)
}

/// Length without overflow or underflow (m).
fn length(v: &Vector<3>) -> f64 {
    unit(v).map_or(0.0, |(_, length)| length)
}

fn is_before(a: &Vector<3>, b: &Vector<3>) -> bool {
    a.iter().zip(b.iter()).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne()).is_some_and(std::cmp::Ordering::is_lt)
}
