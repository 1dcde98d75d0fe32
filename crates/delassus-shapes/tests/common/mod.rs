//! Random shapes and poses, and what is true of contacts whatever computed them.
#![allow(
    dead_code,
    clippy::allow_attributes,
    clippy::expect_used,
    reason = "every file of tests uses a part of it, and a helper of a test fails by panicking"
)]

use delassus_contact::{Dimension, Vector};
use delassus_shapes::{RigidShape, ShapeContact, ShapePose, ShapeSpace, contacts};

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        b ^ (b >> 31)
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn vector<const D: usize>(&mut self, size: f64) -> Vector<D> {
        Vector::from_fn(|_, _| self.within(-size, size))
    }

    pub fn direction<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let v = self.vector::<D>(1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }
}

/// A convex shape of known corners and radius.
pub struct Known<const D: usize> {
    pub name: &'static str,
    pub shape: RigidShape<D>,
    pub corners: Vec<Vector<D>>,
    pub radius: f64,
}

impl<const D: usize> Known<D> {
    /// max over the shape of n·x.
    pub fn support(&self, pose: &ShapePose<D>, n: &Vector<D>) -> f64 {
        let far = self.corners.iter().map(|c| n.dot(&pose.place(c))).fold(f64::NEG_INFINITY, f64::max);
        far + self.radius * n.norm()
    }
}

/// Signed distance of two shapes along n, from b to a.
pub fn along<const D: usize>(a: (&Known<D>, &ShapePose<D>), b: (&Known<D>, &ShapePose<D>), n: &Vector<D>) -> f64 {
    -a.0.support(a.1, &-n) - b.0.support(b.1, n)
}

pub trait Plenty<const D: usize>: ShapeSpace<D> {
    /// A random convex shape of size about 1.
    fn convex(random: &mut Random) -> Known<D>;
    fn turned(random: &mut Random) -> ShapePose<D>;
    /// Directions by which one convex shape can be taken off another, apart from random ones.
    fn axes(a: (&Known<D>, &ShapePose<D>), b: (&Known<D>, &ShapePose<D>)) -> Vec<Vector<D>>;
}

fn round<const D: usize>(random: &mut Random, kind: usize) -> Known<D> {
    let radius = random.within(0.1, 1.0);
    if kind == 0 {
        let shape = RigidShape::ball(radius).expect("a ball");
        return Known { name: "ball", shape, corners: vec![Vector::zeros()], radius };
    }
    let ends = [random.vector(0.7), random.vector(0.7)];
    let shape = RigidShape::capsule(ends, radius).expect("a capsule");
    Known { name: "capsule", shape, corners: ends.to_vec(), radius }
}

impl Plenty<2> for Dimension<2> {
    fn convex(random: &mut Random) -> Known<2> {
        let kind = random.below(4);
        if kind < 2 {
            return round(random, kind);
        }
        if kind == 2 {
            let lengths = random.vector::<2>(1.0).map(|c| c.abs() + 0.1);
            let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
            let corners = corners.map(|[x, y]| Vector::<2>::new(x * lengths.x, y * lengths.y)).to_vec();
            return Known { name: "block", shape: RigidShape::block(lengths).expect("a block"), corners, radius: 0.0 };
        }
        // On an ellipse at ascending angles.
        let n = 3 + random.below(8);
        let (p, q) = (random.within(0.3, 1.0), random.within(0.3, 1.0));
        let mut angles: Vec<f64> =
            (0..n).map(|i| (i as f64 + random.within(0.1, 0.9)) * std::f64::consts::TAU / n as f64).collect();
        angles.sort_by(f64::total_cmp);
        let corners: Vec<Vector<2>> = angles.iter().map(|t| Vector::<2>::new(p * t.cos(), q * t.sin())).collect();
        Known { name: "polygon", shape: RigidShape::polygon(&corners).expect("a polygon"), corners, radius: 0.0 }
    }

    fn turned(random: &mut Random) -> ShapePose<2> {
        ShapePose::turned(random.vector(1.0), random.within(-4.0, 4.0))
    }

    fn axes((a, p): (&Known<2>, &ShapePose<2>), (b, q): (&Known<2>, &ShapePose<2>)) -> Vec<Vector<2>> {
        let mut all = Vec::new();
        for (k, pose) in [(a, p), (b, q)] {
            for (i, c) in k.corners.iter().enumerate() {
                for d in &k.corners[..i] {
                    let e = (pose.rotation * (c - d)).normalize();
                    all.extend([Vector::<2>::new(e.y, -e.x), Vector::<2>::new(-e.y, e.x)]);
                }
            }
        }
        all
    }
}

/// The convex hull of a few points in general position: planes through three of them with all others on one side.
pub fn hull(points: &[Vector<3>]) -> Vec<Vec<usize>> {
    let n = points.len();
    let mut faces = Vec::new();
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                if i == j || j == k || k == i || i > j || i > k {
                    continue;
                }
                let normal = (points[j] - points[i]).cross(&(points[k] - points[i]));
                if points.iter().all(|p| normal.dot(&(p - points[i])) <= 1e-12) {
                    faces.push(vec![i, j, k]);
                }
            }
        }
    }
    faces
}

impl Plenty<3> for Dimension<3> {
    fn convex(random: &mut Random) -> Known<3> {
        let kind = random.below(5);
        if kind < 2 {
            return round(random, kind);
        }
        if kind == 2 {
            let lengths = random.vector::<3>(1.0).map(|c| c.abs() + 0.1);
            let corner =
                |i: usize| Vector::<3>::from_fn(|k, _| (if i >> k & 1 == 1 { 0.5 } else { -0.5 }) * lengths[k]);
            let corners = (0..8).map(corner).collect();
            return Known { name: "block", shape: RigidShape::block(lengths).expect("a block"), corners, radius: 0.0 };
        }
        if kind == 3 {
            // A prism: faces with many corners, parallel ones among them.
            let n = 3 + random.below(5);
            let (r, h) = (random.within(0.3, 1.0), random.within(0.1, 0.6));
            let ring = |i: usize, z: f64| {
                let t = std::f64::consts::TAU * i as f64 / n as f64;
                Vector::<3>::new(r * t.cos(), r * t.sin(), z)
            };
            let corners: Vec<_> = (0..2 * n).map(|i| ring(i % n, if i < n { -h } else { h })).collect();
            let mut faces: Vec<Vec<usize>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
            faces.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
            let shape = RigidShape::polyhedron(&corners, &faces).expect("a prism");
            return Known { name: "prism", shape, corners, radius: 0.0 };
        }
        let n = 4 + random.below(7);
        let size = random.vector::<3>(1.0).map(|c| c.abs() + 0.2);
        let corners: Vec<Vector<3>> = (0..n).map(|_| random.direction::<3>().component_mul(&size)).collect();
        match RigidShape::polyhedron(&corners, &hull(&corners)) {
            Ok(shape) => Known { name: "polyhedron", shape, corners, radius: 0.0 },
            Err(_) => Self::convex(random),
        }
    }

    fn turned(random: &mut Random) -> ShapePose<3> {
        let axis = random.direction::<3>() * random.within(0.0, 3.1);
        ShapePose::turned_about(random.vector(1.0), axis)
    }

    fn axes((a, p): (&Known<3>, &ShapePose<3>), (b, q): (&Known<3>, &ShapePose<3>)) -> Vec<Vector<3>> {
        // Normals of all planes through corners, and what is across two lines between corners.
        let lines = |k: &Known<3>, pose: &ShapePose<3>| {
            let mut all = Vec::new();
            for (i, c) in k.corners.iter().enumerate() {
                all.extend(k.corners[..i].iter().map(|d| pose.rotation * (c - d)));
            }
            all
        };
        let (u, v) = (lines(a, p), lines(b, q));
        let mut all = Vec::new();
        for (first, second) in [(&u, &u), (&u, &v), (&v, &v)] {
            for x in first.iter() {
                all.extend(second.iter().filter_map(|y| x.cross(y).try_normalize(1e-9)).flat_map(|n| [n, -n]));
            }
        }
        all
    }
}

pub fn found<const D: usize>(
    a: (&RigidShape<D>, &ShapePose<D>),
    b: (&RigidShape<D>, &ShapePose<D>),
    reach: f64,
) -> Vec<ShapeContact<D>>
where
    Dimension<D>: ShapeSpace<D>,
{
    let mut out = Vec::new();
    contacts(a, b, reach, &mut out);
    for c in &out {
        let scale = 1.0 + c.on_a.norm() + c.on_b.norm();
        assert!((c.on_a - c.on_b - c.normal * c.gap).norm() < 1e-13 * scale, "{c:?}");
        assert!((c.normal.norm() - 1.0).abs() < 1e-13 && c.gap <= reach, "{c:?}");
    }
    assert!(out.is_sorted_by(|c, d| c.key < d.key), "sorted, each key once: {out:?}");
    out
}

pub fn least<const D: usize>(all: &[ShapeContact<D>]) -> Option<f64> {
    all.iter().map(|c| c.gap).reduce(f64::min)
}
