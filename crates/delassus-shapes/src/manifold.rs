//! The points of contact of two convex cores along a given normal.
//!
//! Of each core the face that faces the other is taken: of the faces at its farthest corner along n the one that is most aligned with n. If all are
//! steep, an edge that is level takes its place, else the corner. The two patches are seen along n. The points are the corners of their common part:
//!
//! ```text
//! corner of a within the patch of b      key (corner, face)
//! corner of b within the patch of a      key (face, corner)
//! crossing of an edge with an edge       key (edge, edge)
//! gap at such a place                    height of a's patch − height of b's patch, along n
//! ```
//!
//! Where a face faces a face, the points share the area A of their common part. In the plane each end of the segment has half of it. In space, with the mean m of
//! the n corners v_i of the common polygon and the triangles T_i = (m, v_i, v_i+1),
//!
//! ```text
//! A_i = (T_i−1 + T_i)/3 + A/(3n)        Σ A_i f(v_i) = ∫ f  for every linear f: force and moment of a pressure that is linear
//! ```
//!
//! A point beyond the reach keeps its share: the others do not grow when a face tilts.
//!
//! Places that agree within [`SAME`] of the sizes are one point, corners of a before those of b before crossings. So the keys of blocks that lie
//! flush on one another do not waver, and no point is there twice. If the faces are parallel all gaps are equal; if they are not, the gap grows
//! linearly and the points beyond the reach are left out. The points move continuously with the bodies.

use delassus_contact::{Dimension, Matrix, Vector};

use crate::ShapeSpace;
use crate::core::Feature;
use crate::hit::{Hit, PlacedCore};

/// Share of the sizes within which two places seen along the normal are one.
const SAME: f64 = 1e-9;

/// Cosine of the angle to the normal below which a face is steep, and sine of the slope above which an edge is not level.
const STEEP: f64 = 0.2;

/// Cosine of the same slope, for the core of a capsule. Its surface is taken at the radius from the core along the normal of the contact, which is beneath
/// the surface by 1 − cos of the slope at most, 2 % of the radius; at the point of least gap it is exact.
const LEVEL: f64 = 0.98;

/// A place as seen along the normal.
type Place = [f64; 2];

/// What of a core faces the other, seen along the normal.
struct FacingPatch<const D: usize> {
    /// The face, the edge or the corner.
    feature: Feature,
    /// Its corners, counter-clockwise seen against the normal.
    corners: Vec<usize>,
    places: Vec<Place>,
    /// Along the normal (m).
    heights: Vec<f64>,
    /// How the height grows with the place.
    slope: Place,
}

/// Appends the contacts along `normal`, from b to a, whose gap is at most `reach` (m).
pub(crate) fn between<const D: usize>(
    a: &PlacedCore<'_, D>,
    b: &PlacedCore<'_, D>,
    normal: &Vector<D>,
    reach: f64,
    tolerance: f64,
    hits: &mut Vec<Hit<D>>,
) where
    Dimension<D>: ShapeSpace<D>,
{
    let frame = Dimension::<D>::across(normal);
    // Places are taken from a common origin that is near to both.
    let origin = b.centre;
    let (p, q) = (FacingPatch::of(a, &-normal, &frame, &origin), FacingPatch::of(b, normal, &frame, &origin));
    let same = SAME * a.core.extent.max(b.core.extent);
    let (begin, mut found, mut listed) = (hits.len(), Vec::<Place>::new(), Vec::new());
    let mut add = |features: [Feature; 2], place: Place, heights: [f64; 2]| {
        if found.iter().any(|f| distance(*f, place) <= same) {
            return;
        }
        found.push(place);
        let gap = heights[0] - heights[1];
        if gap > reach + tolerance {
            return;
        }
        let flat: Vector<D> = origin + (1..D).map(|k| frame.column(k) * place[k - 1]).sum::<Vector<D>>();
        let points = heights.map(|h| flat + normal * h);
        listed.push(found.len() - 1);
        hits.push(Hit { features, points, normal: *normal, gap, area: 0.0 });
    };
    for (i, &place) in p.places.iter().enumerate() {
        if q.holds(place, same) {
            add([Feature::Corner(p.corners[i]), q.feature], place, [p.heights[i], q.height(place)]);
        }
    }
    for (i, &place) in q.places.iter().enumerate() {
        if p.holds(place, same) {
            add([p.feature, Feature::Corner(q.corners[i])], place, [p.height(place), q.heights[i]]);
        }
    }
    for (e, side_a) in p.sides() {
        for (f, side_b) in q.sides() {
            let Some(place) = crossing(side_a, side_b) else { continue };
            let edge = |core: &PlacedCore<'_, D>, patch: &FacingPatch<D>, side: usize| {
                let ends = [patch.corners[side], patch.corners[(side + 1) % patch.corners.len()]];
                core.core.edge_between(ends[0], ends[1]).map(Feature::Edge)
            };
            if let (Some(e), Some(f)) = (edge(a, &p, e), edge(b, &q, f)) {
                add([e, f], place, [p.height(place), q.height(place)]);
            }
        }
    }
    if let (Feature::Face(_), Feature::Face(_)) = (p.feature, q.feature) {
        let areas = if D == 2 { halves(&found) } else { shares(&found) };
        hits[begin..].iter_mut().zip(listed).for_each(|(hit, k)| hit.area = areas[k]);
    }
}

/// The two halves of a segment, each for its end.
fn halves(places: &[Place]) -> Vec<f64> {
    match places {
        [a, b] => vec![0.5 * distance(*a, *b); 2],
        _ => vec![0.0; places.len()],
    }
}

/// The shares of the corners of a convex polygon, in any order, in its area.
fn shares(places: &[Place]) -> Vec<f64> {
    let n = places.len();
    let mut out = vec![0.0; n];
    if n < 3 {
        return out;
    }
    let sum = places.iter().fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
    let arms: Vec<Place> = places.iter().map(|p| minus(*p, sum.map(|s| s / n as f64))).collect();
    // Grows with the angle of an arm, from −2 to 2, without a function that rounds differently elsewhere.
    let turn = |[x, y]: Place| {
        let part = x / (x.abs() + y.abs());
        if y >= 0.0 { 1.0 - part } else { part - 1.0 }
    };
    let mut around: Vec<usize> = (0..n).collect();
    around.sort_by(|i, j| turn(arms[*i]).total_cmp(&turn(arms[*j])));
    for k in 0..n {
        let (i, j) = (around[k], around[(k + 1) % n]);
        let triangle = 0.5 * perp(arms[i], arms[j]).abs();
        out[i] += triangle / 3.0;
        out[j] += triangle / 3.0;
        out.iter_mut().for_each(|a| *a += triangle / (3.0 * n as f64));
    }
    out
}

impl<const D: usize> FacingPatch<D> {
    /// What of a core is farthest in a direction (the normal or its opposite).
    fn of(core: &PlacedCore<'_, D>, direction: &Vector<D>, frame: &Matrix<D>, origin: &Vector<D>) -> Self {
        let (farthest, _) = core.farthest(direction);
        let aligned = |f: usize| core.normals[f].dot(direction);
        let face = core.core.faces_at[farthest]
            .iter()
            .copied()
            .reduce(|best, f| if aligned(f) > aligned(best) { f } else { best })
            .filter(|&f| aligned(f) >= if core.core.radius > 0.0 { LEVEL } else { STEEP });
        let rise = |c: usize| {
            let arm = core.points[farthest] - core.points[c];
            arm.dot(direction) / arm.norm()
        };
        let level = || {
            core.core.neighbours[farthest]
                .iter()
                .copied()
                .reduce(|best, c| if rise(c) < rise(best) { c } else { best })
                .filter(|&c| rise(c) <= STEEP)
        };
        let (feature, mut corners) = if let Some(f) = face {
            (Feature::Face(f), core.core.faces[f].corners.clone())
        } else if let Some(other) = level() {
            let edge = core.core.edge_between(farthest, other);
            (edge.map_or(Feature::Corner(farthest), Feature::Edge), vec![farthest.min(other), farthest.max(other)])
        } else {
            (Feature::Corner(farthest), vec![farthest])
        };
        let normal = frame.column(0);
        let seen = |v: &Vector<D>| {
            let mut place = [0.0; 2];
            (1..D).for_each(|k| place[k - 1] = frame.column(k).dot(v));
            place
        };
        // Faces run counter-clockwise seen from outside; the side that looks against the normal is seen from inside.
        if direction.dot(&normal) < 0.0 && corners.len() > 2 {
            corners.reverse();
        }
        let arms: Vec<Vector<D>> = corners.iter().map(|&c| core.points[c] - origin).collect();
        let places: Vec<Place> = arms.iter().map(seen).collect();
        let heights: Vec<f64> = arms.iter().map(|v| normal.dot(v)).collect();
        let slope = match face {
            Some(f) => {
                let n = core.normals[f];
                seen(&n).map(|c| -c / n.dot(&normal))
            }
            None if corners.len() == 2 => {
                let run = minus(places[1], places[0]);
                let square = dot(run, run);
                run.map(|c| if square > 0.0 { c * (heights[1] - heights[0]) / square } else { 0.0 })
            }
            None => [0.0; 2],
        };
        Self { feature, corners, places, heights, slope }
    }

    /// The height at a place (m).
    fn height(&self, place: Place) -> f64 {
        self.heights[0] + dot(self.slope, minus(place, self.places[0]))
    }

    /// The sides: none of a corner, one of an edge.
    fn sides(&self) -> impl Iterator<Item = (usize, [Place; 2])> + '_ {
        let n = self.places.len();
        let count = if n > 2 { n } else { n - 1 };
        (0..count).map(move |i| (i, [self.places[i], self.places[(i + 1) % n]]))
    }

    /// Is a place within the patch, or nearer to it than `margin` (m)?
    fn holds(&self, place: Place, margin: f64) -> bool {
        if self.places.len() > 2 {
            return self.sides().all(|(_, [q, r])| {
                let along = minus(r, q);
                perp(along, minus(place, q)) >= -margin * dot(along, along).sqrt()
            });
        }
        let [first, last] = [self.places[0], self.places[self.places.len() - 1]];
        let along = minus(last, first);
        let square = dot(along, along);
        let s = if square > 0.0 { (dot(along, minus(place, first)) / square).clamp(0.0, 1.0) } else { 0.0 };
        distance(place, [first[0] + s * along[0], first[1] + s * along[1]]) <= margin
    }
}

/// Where two segments cross, within both.
fn crossing([a, b]: [Place; 2], [c, d]: [Place; 2]) -> Option<Place> {
    let (u, v, w) = (minus(b, a), minus(d, c), minus(c, a));
    let det = perp(u, v);
    if det.abs() <= SAME * (dot(u, u) * dot(v, v)).sqrt() {
        return None;
    }
    let [s, t] = [perp(w, v) / det, perp(w, u) / det];
    ([s, t].iter().all(|x| (0.0..=1.0).contains(x))).then_some([a[0] + s * u[0], a[1] + s * u[1]])
}

fn minus(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: Place, b: Place) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn perp(a: Place, b: Place) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn distance(a: Place, b: Place) -> f64 {
    let d = minus(a, b);
    dot(d, d).sqrt()
}
