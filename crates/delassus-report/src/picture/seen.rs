//! How much of each body is seen from a place, and of the contacts.
//!
//! ```text
//! pixels of a body     those in which one of its faces that look at the viewer has a sample
//! it is seen in one    if there nothing else is nearer to the viewer by more than two pixels
//! share of a body      pixels in which it is seen / its pixels;   of the contacts: points that nothing covers / points
//! ```
//!
//! The picture is cut into 96 pixels along its longer side, and the triangles of a face are sampled in rows, at distances of 0.7 pixels at most. That is
//! coarse, but the same to the last bit whenever the same folder is looked at, and `scripts/paraview/open_results.py` does the same.

use super::camera::{Camera, Ring, area_vector};
use super::view::Extent;

/// Pixels along the longer side.
const PIXELS: f64 = 96.0;
/// Largest distance of samples, in pixels.
const SPACING: f64 = 0.7;
/// Longest edge of a triangle that is not cut first, in pixels.
const LARGE: f64 = 64.0;
/// What is nearer by less than so many pixels does not cover.
const NEARER: f64 = 2.0;
/// A body of which less than this part is seen is hidden.
const HIDDEN: f64 = 0.05;

/// What there is to be seen.
pub struct Stage<'a> {
    /// Faces of the bodies with their stress.
    pub faces: &'a [(Ring, f64)],
    /// Body of each face.
    pub owners: &'a [usize],
    /// Faces of obstacles.
    pub walls: &'a [Ring],
    /// Where contact forces act \[m\].
    pub contacts: &'a [[f64; 3]],
}

/// Whose face a sample is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A body, by its number.
    Body(usize),
    /// Some obstacle.
    Wall,
}

/// What is seen from some place.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Bodies, ascending, with the share of each that is seen and with what covers it most.
    pub bodies: Vec<(usize, f64, Option<Owner>)>,
    /// Share of the contact points; one if there are none.
    pub contacts: f64,
}

/// A sample: its pixel, whose it is, how near.
type Sample = (usize, Owner, f64);

/// The raster of a picture.
struct Raster {
    low: [f64; 2],
    pixel: f64,
    columns: usize,
    rows: usize,
}

impl Seen {
    /// From here.
    #[must_use]
    pub fn from(camera: &Camera, stage: &Stage<'_>) -> Self {
        let Some(raster) = Raster::of(camera, stage) else {
            return Self { bodies: Vec::new(), contacts: 1.0 };
        };
        let mut samples: Vec<Sample> = Vec::new();
        for ((ring, _), body) in stage.faces.iter().zip(stage.owners) {
            raster.sample(camera, ring, Owner::Body(*body), &mut samples);
        }
        for ring in stage.walls {
            raster.sample(camera, ring, Owner::Wall, &mut samples);
        }
        // The nearest sample of each owner in each pixel.
        samples.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        samples.dedup_by_key(|s| (s.0, s.1));
        let mut nearest: Vec<(usize, f64)> = Vec::new();
        let mut parts: Vec<(usize, Option<Owner>)> = Vec::new();
        for pixel in samples.chunk_by(|a, b| a.0 == b.0) {
            let (_, owner, depth) = pixel.iter().copied().fold(pixel[0], |best, s| if s.2 > best.2 { s } else { best });
            nearest.push((pixel[0].0, depth));
            for (_, own, z) in pixel {
                if let Owner::Body(body) = own {
                    let covered = depth > z + NEARER * raster.pixel && owner != *own;
                    parts.push((*body, covered.then_some(owner)));
                }
            }
        }
        parts.sort_unstable();
        let share = |same: &[(usize, Option<Owner>)]| {
            let seen = same.iter().filter(|p| p.1.is_none()).count();
            // Sorted, so that equal owners stand together; of equally many the first.
            let covers = same[seen..].chunk_by(|a, b| a == b);
            let most = covers.fold((0, None), |best, c| if c.len() > best.0 { (c.len(), c[0].1) } else { best });
            (same[0].0, seen as f64 / same.len() as f64, most.1)
        };
        let bodies = parts.chunk_by(|a, b| a.0 == b.0).map(share).collect();
        Self { bodies, contacts: raster.uncovered(camera, stage.contacts, &nearest) }
    }

    /// The share of the body of which least is seen; of many bodies that of which a tenth is seen still less.
    #[must_use]
    pub fn least(&self) -> f64 {
        let mut shares: Vec<f64> = self.bodies.iter().map(|b| b.1).collect();
        shares.sort_by(f64::total_cmp);
        shares.get(shares.len() / 10).copied().unwrap_or(1.0)
    }

    /// Bodies that are hidden, each with what hides it.
    pub fn hidden(&self) -> impl Iterator<Item = (usize, Owner)> + '_ {
        self.bodies.iter().filter(|b| b.1 < HIDDEN).filter_map(|b| Some((b.0, b.2?)))
    }
}

impl Raster {
    /// Around the bodies; none if they have no extent.
    fn of(camera: &Camera, stage: &Stage<'_>) -> Option<Self> {
        let points = stage.faces.iter().flat_map(|(ring, _)| ring).map(|x| camera.flat(x));
        let extent = Extent::of(points);
        let [width, height] = extent.size();
        let pixel = width.max(height) / PIXELS;
        let count = |length: f64| (length / pixel).ceil().clamp(1.0, PIXELS) as usize;
        (pixel > 0.0 && pixel.is_finite()).then(|| Self {
            low: extent.low(),
            pixel,
            columns: count(width),
            rows: count(height),
        })
    }

    /// The pixel of a point of the picture.
    fn place(&self, x: [f64; 2]) -> Option<usize> {
        let [i, j] = [0, 1].map(|k| (x[k] - self.low[k]) / self.pixel);
        // Bodies end at the edges of the raster: what lies there, to rounding, belongs to it.
        let within = |x: f64, n: usize| (-1e-6..n as f64 + 1e-6).contains(&x).then(|| (x.max(0.0) as usize).min(n - 1));
        Some(within(j, self.rows)? * self.columns + within(i, self.columns)?)
    }

    /// Adds the samples of a face that looks at the viewer.
    fn sample(&self, camera: &Camera, ring: &Ring, owner: Owner, out: &mut Vec<Sample>) {
        let seen: Ring = ring.iter().map(|x| camera.see(x)).collect();
        if seen.iter().flatten().any(|x| !x.is_finite()) || area_vector(&seen)[2] <= 0.0 {
            return;
        }
        for k in 1..seen.len().saturating_sub(1) {
            self.sample_triangle([seen[0], seen[k], seen[k + 1]], owner, out);
        }
    }

    /// Adds the samples of a triangle. A large one is cut in two, and what is outside the picture left out: a wall may be far larger.
    fn sample_triangle(&self, corners: [[f64; 3]; 3], owner: Owner, out: &mut Vec<Sample>) {
        let [a, b, c] = from_shortest(corners);
        let is_outside = (0..2).any(|k| {
            let [x, y, z] = [a[k], b[k], c[k]].map(|x| (x - self.low[k]) / self.pixel);
            x.min(y).min(z) > PIXELS + 1.0 || x.max(y).max(z) < -1.0
        });
        if is_outside {
            return;
        }
        let (side, longest) = (apart(a, b), apart(b, c).max(apart(c, a)));
        if longest > LARGE * self.pixel {
            let middle = |p: [f64; 3], q: [f64; 3]| -> [f64; 3] { std::array::from_fn(|d| 0.5 * (p[d] + q[d])) };
            // Across its longest edge.
            let halves = match apart(b, c) >= apart(c, a) {
                true => [[a, b, middle(b, c)], [a, middle(b, c), c]],
                false => [[a, b, middle(c, a)], [middle(c, a), b, c]],
            };
            return halves.into_iter().for_each(|half| self.sample_triangle(half, owner, out));
        }
        let pieces = |length: f64| (length / (SPACING * self.pixel)).ceil().max(1.0) as usize;
        for (s, t) in places(pieces(side), pieces(longest)) {
            let at: [f64; 3] = std::array::from_fn(|d| a[d] + s * (b[d] - a[d]) + t * (c[d] - a[d]));
            out.extend(self.place([at[0], at[1]]).map(|pixel| (pixel, owner, at[2])));
        }
    }

    /// The share of points that nothing covers.
    fn uncovered(&self, camera: &Camera, points: &[[f64; 3]], nearest: &[(usize, f64)]) -> f64 {
        let is_free = |x: &&[f64; 3]| {
            let [right, up, near] = camera.see(x);
            let at = self.place([right, up]).and_then(|pixel| nearest.binary_search_by_key(&pixel, |n| n.0).ok());
            at.is_none_or(|k| nearest[k].1 <= near + NEARER * self.pixel)
        };
        if points.is_empty() { 1.0 } else { points.iter().filter(is_free).count() as f64 / points.len() as f64 }
    }
}

/// How far apart two points are in the picture.
fn apart(p: [f64; 3], q: [f64; 3]) -> f64 {
    (q[0] - p[0]).hypot(q[1] - p[1])
}

/// A triangle with its shortest edge first, so that few rows cross one that is long and thin.
fn from_shortest([a, b, c]: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let [ab, bc, ca] = [apart(a, b), apart(b, c), apart(c, a)];
    match (ab <= bc && ab <= ca, bc <= ca) {
        (true, _) => [a, b, c],
        (false, true) => [b, c, a],
        (false, false) => [c, a, b],
    }
}

/// Places (s, t) in a triangle, a + s (b − a) + t (c − a): rows at equal distances along its first edge, points at equal distances along each.
fn places(rows: usize, along: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..rows).flat_map(move |i| {
        let s = (i as f64 + 0.5) / rows as f64;
        (0..along).map(move |j| (s, (1.0 - s) * (j as f64 + 0.5) / along as f64))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::boxes;
    use super::*;

    const UP: [f64; 3] = [0.0, 1.0, 0.0];

    /// Shares are quotients of whole numbers.
    fn is(share: f64, expected: f64) -> bool {
        (share - expected).abs() < 1e-12
    }

    fn seen(camera: &Camera, list: &[([f64; 3], [f64; 3])], walls: &[Ring], contacts: &[[f64; 3]]) -> Seen {
        let (faces, owners) = boxes(list);
        Seen::from(camera, &Stage { faces: &faces, owners: &owners, walls, contacts })
    }

    #[test]
    fn samples_lie_in_the_triangle_and_no_farther_apart_than_asked() {
        let all: Vec<(f64, f64)> = places(3, 5).collect();
        assert_eq!(all.len(), 15);
        assert!(all.iter().all(|&(s, t)| s > 0.0 && t > 0.0 && s + t < 1.0), "{all:?}");
        // The mean over a row is its middle.
        for (k, row) in all.chunks_exact(5).enumerate() {
            let (s, mean) = (row[0].0, row.iter().map(|p| p.1).sum::<f64>() / 5.0);
            assert!((s - (k as f64 + 0.5) / 3.0).abs() < 1e-15 && (mean - 0.5 * (1.0 - s)).abs() < 1e-15);
        }
        // A face a hundred times as long as wide takes no more samples than it has room for.
        let raster = Raster { low: [0.0; 2], pixel: 1.0, columns: 96, rows: 96 };
        let ring = vec![[0.0, 0.0, 0.0], [90.0, 0.0, 0.0], [90.0, 0.9, 0.0], [0.0, 0.9, 0.0]];
        let mut samples = Vec::new();
        raster.sample(&Camera::looking(0.0, 0.0, UP), &ring, Owner::Wall, &mut samples);
        assert!((180..1200).contains(&samples.len()), "{}", samples.len());
        samples.sort_by_key(|s| s.0);
        samples.dedup_by_key(|s| s.0);
        assert_eq!(samples.len(), 90);
        // Of a wall a thousand times as large, what is in the picture, and without holes.
        let ring = vec![[-9e4, -9e4, 0.0], [9e4, -9e4, 0.0], [9e4, 9e4, 0.0], [-9e4, 9e4, 0.0]];
        let mut samples = Vec::new();
        raster.sample(&Camera::looking(0.0, 0.0, UP), &ring, Owner::Wall, &mut samples);
        assert!(samples.len() < 20 * 96 * 96, "{}", samples.len());
        samples.sort_by_key(|s| s.0);
        samples.dedup_by_key(|s| s.0);
        assert_eq!(samples.len(), 96 * 96);
    }

    /// Straight from the front: the share of a box of which the nearer one covers the lower part.
    #[test]
    fn shares_are_those_of_the_areas() {
        let front = Camera::looking(0.0, 0.0, UP);
        let one = ([0.0; 3], [1.0, 1.0, 1.0]);
        assert_eq!(seen(&front, &[one], &[], &[]).bodies, [(0, 1.0, None)]);
        for height in [0.25, 0.5, 0.75] {
            let low = ([0.0, 0.0, 2.0], [1.0, height, 1.0]);
            let Seen { bodies, .. } = seen(&front, &[one, low], &[], &[]);
            // To a row of pixels.
            assert!((bodies[0].1 - (1.0 - height)).abs() < 1.5 / PIXELS, "{height}: {bodies:?}");
            assert_eq!((bodies[0].2, bodies[1]), (Some(Owner::Body(1)), (1, 1.0, None)));
        }
        // A wall that looks at the viewer covers; from behind it is not drawn.
        let wall = |z: f64| vec![[-1.0, -1.0, z], [3.0, -1.0, z], [3.0, 3.0, z], [-1.0, 3.0, z]];
        let hides = seen(&front, &[one], &[wall(3.0)], &[]);
        assert_eq!(hides.bodies, [(0, 0.0, Some(Owner::Wall))]);
        assert_eq!(hides.hidden().collect::<Vec<_>>(), [(0, Owner::Wall)]);
        let back = wall(3.0).into_iter().rev().collect();
        assert!(is(seen(&front, &[one], &[back, wall(-1.0)], &[]).least(), 1.0));
    }

    #[test]
    fn contacts_are_seen_unless_something_is_in_front() {
        let front = Camera::looking(0.0, 0.0, UP);
        let one = ([0.0; 3], [1.0, 1.0, 1.0]);
        // On the face towards the viewer, beside the body, in the middle of it, behind it.
        let points = [[0.5, 0.5, 1.0], [2.0, 0.5, 0.0], [0.5, 0.5, 0.5], [0.5, 0.5, 0.0]];
        assert!(is(seen(&front, &[one], &[], &points).contacts, 0.5));
        assert!(is(seen(&front, &[one], &[], &[]).contacts, 1.0));
    }

    #[test]
    fn nothing_and_what_is_no_number_do_no_harm() {
        let front = Camera::looking(0.0, 0.0, UP);
        assert!(is(seen(&front, &[], &[], &[[0.0; 3]]).least(), 1.0));
        assert!(is(seen(&front, &[([f64::NAN; 3], [1.0; 3])], &[], &[]).least(), 1.0));
        assert!(is(seen(&front, &[([0.0; 3], [0.0; 3])], &[], &[]).least(), 1.0));
        // Of many bodies a tenth may be hidden.
        let row: Vec<_> = (0..20).map(|k| ([0.0, 0.0, -2.0 * f64::from(k)], [1.0; 3])).collect();
        assert!(is(seen(&front, &row, &[], &[]).least(), 0.0));
        let wide: Vec<_> = (0..20).map(|k| ([2.0 * f64::from(k), 0.0, 0.0], [1.0; 3])).collect();
        assert!(is(seen(&front, &wide, &[], &[]).least(), 1.0));
    }
}
