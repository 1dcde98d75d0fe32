//! Shapes that are not convex, against distances of all pairs of features.
#![expect(clippy::expect_used, reason = "a helper of a test fails by panicking")]

use crate::common::{Plenty, Random, found, least};
use delassus_contact::{Dimension, Vector};
use delassus_shapes::{RigidShape, ShapePose, nearest};

/// A polygon or polyhedron with its corners and simplices (sides, triangles).
struct Star<const D: usize> {
    shape: RigidShape<D>,
    corners: Vec<Vector<D>>,
    simplices: Vec<[usize; D]>,
}

fn star_polygon(random: &mut Random) -> Star<2> {
    let n = 4 + random.below(9);
    let at = |i: usize, random: &mut Random| {
        let (t, r) = ((i as f64 + random.within(0.0, 0.8)) * std::f64::consts::TAU / n as f64, random.within(0.2, 1.0));
        Vector::<2>::new(r * t.cos(), r * t.sin())
    };
    let corners: Vec<_> = (0..n).map(|i| at(i, random)).collect();
    let simplices = (0..n).map(|i| [i, (i + 1) % n]).collect();
    match RigidShape::polygon(&corners) {
        Ok(shape) => Star { shape, corners, simplices },
        // Few points can leave the origin outside, where the order of angles makes no simple polygon.
        Err(_) => star_polygon(random),
    }
}

/// An icosahedron whose corners are moved along their rays.
fn star_polyhedron(random: &mut Random) -> Star<3> {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for [x, y] in [[1.0, g], [-1.0, g], [1.0, -g], [-1.0, -g]] {
        corners.extend([Vector::<3>::new(0.0, x, y), Vector::<3>::new(x, y, 0.0), Vector::<3>::new(y, 0.0, x)]);
    }
    let faces = crate::common::hull(&corners);
    assert_eq!(faces.len(), 20);
    for c in &mut corners {
        *c = c.normalize() * random.within(0.3, 1.0);
    }
    let simplices = faces.iter().map(|f| [f[0], f[1], f[2]]).collect();
    let shape = RigidShape::surface_of(&corners, &faces).expect("a star");
    Star { shape, corners, simplices }
}

fn to_segment<const D: usize>(p: &Vector<D>, a: &Vector<D>, b: &Vector<D>) -> f64 {
    let u = b - a;
    let s = ((p - a).dot(&u) / u.norm_squared()).clamp(0.0, 1.0);
    (p - a - u * s).norm()
}

/// Distance of a point from a simplex: by Newton's projections on its parts.
fn to_simplex<const D: usize>(p: &Vector<D>, s: &[Vector<D>]) -> f64 {
    if s.len() == 2 {
        return to_segment(p, &s[0], &s[1]);
    }
    let (u, v, w) = (s[1] - s[0], s[2] - s[0], p - s[0]);
    let (uu, uv, vv, uw, vw) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let det = uu * vv - uv * uv;
    let (x, y) = ((uw * vv - vw * uv) / det, (vw * uu - uw * uv) / det);
    if x >= 0.0 && y >= 0.0 && x + y <= 1.0 {
        return (w - u * x - v * y).norm();
    }
    (0..3).map(|i| to_segment(p, &s[i], &s[(i + 1) % 3])).fold(f64::INFINITY, f64::min)
}

/// Distance of two segments in space by minimising along one of them (the distance to the other is convex there).
fn segments<const D: usize>(a: [Vector<D>; 2], b: [Vector<D>; 2]) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let at = |s: f64| to_segment(&(a[0] + (a[1] - a[0]) * s), &b[0], &b[1]);
    for _ in 0..120 {
        let (m, n) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(m) < at(n) { high = n } else { low = m }
    }
    at(0.5 * (low + high)).min(at(0.0)).min(at(1.0))
}

impl<const D: usize> Star<D> {
    fn placed(&self, pose: &ShapePose<D>) -> Vec<Vec<Vector<D>>> {
        let one = |s: &[usize; D]| s.iter().map(|&c| pose.place(&self.corners[c])).collect();
        self.simplices.iter().map(one).collect()
    }
}

/// Distance of two surfaces by all pairs of features.
fn surface_distance<const D: usize>(a: &[Vec<Vector<D>>], b: &[Vec<Vector<D>>]) -> f64 {
    let mut best = f64::INFINITY;
    for s in a {
        for t in b {
            for (p, q) in [(s, t), (t, s)] {
                best = p.iter().map(|x| to_simplex(x, q)).fold(best, f64::min);
            }
            if D == 3 {
                for i in 0..3 {
                    for j in 0..3 {
                        // A bound first: most are far.
                        let (e, f) = ([s[i], s[(i + 1) % 3]], [t[j], t[(j + 1) % 3]]);
                        if (e[0] - f[0]).norm() - (e[1] - e[0]).norm() - (f[1] - f[0]).norm() < best {
                            best = best.min(segments(e, f));
                        }
                    }
                }
            }
        }
    }
    best
}

/// Does a side of one (in space: of a triangle) go through a simplex of the other? By the signs of determinants.
fn cross<const D: usize>(a: &[Vec<Vector<D>>], b: &[Vec<Vector<D>>]) -> bool {
    // The volume of the simplex of D + 1 points, as a sum over permutations.
    let signed = |p: &[Vector<D>]| {
        let e: Vec<Vector<D>> = p[1..].iter().map(|x| x - p[0]).collect();
        if D == 2 {
            return e[0][0] * e[1][1] - e[0][1] * e[1][0];
        }
        let minor = |i: usize, j: usize| e[1][i] * e[2][j] - e[1][j] * e[2][i];
        e[0][0] * minor(1, 2) - e[0][1] * minor(0, 2) + e[0][2] * minor(0, 1)
    };
    let through = |p: Vector<D>, q: Vector<D>, s: &[Vector<D>]| {
        let with = |x: Vector<D>| signed(&s.iter().copied().chain([x]).collect::<Vec<_>>());
        if with(p) * with(q) >= 0.0 {
            return false;
        }
        let round: Vec<f64> = (0..D)
            .map(|i| {
                let mut list = vec![p, q];
                if D == 3 {
                    list.extend([s[i], s[(i + 1) % D]]);
                } else {
                    list.push(s[i]);
                }
                signed(&list)
            })
            .collect();
        if D == 2 {
            round[0] * round[1] < 0.0
        } else {
            round.iter().all(|r| *r > 0.0) || round.iter().all(|r| *r < 0.0)
        }
    };
    let pierces = |s: &Vec<Vector<D>>, t: &Vec<Vector<D>>| (0..D).any(|i| through(s[i], s[(i + 1) % D], t));
    a.iter().any(|s| b.iter().any(|t| pierces(s, t) || pierces(t, s)))
}

fn check<const D: usize>(seed: u64, n: usize, star: impl Fn(&mut Random) -> Star<D>) -> [usize; 3]
where
    Dimension<D>: Plenty<D>,
{
    let mut random = Random(seed);
    let mut counts = [0; 3];
    for _ in 0..n {
        let (a, b) = (star(&mut random), star(&mut random));
        let (p, mut q) = (Dimension::<D>::turned(&mut random), Dimension::<D>::turned(&mut random));
        q.position = p.position + random.direction::<D>() * random.within(0.8, 2.2);
        let reach = random.within(0.05, 1.0);
        let all = found((&a.shape, &p), (&b.shape, &q), reach);
        let what = || format!("{:?} {p:?}\n{:?} {q:?}\n{all:#?}", a.corners, b.corners);
        // Outside of one another and not through one another?
        let inside = |s: &Star<D>, sp: &ShapePose<D>, t: &Star<D>, tp: &ShapePose<D>| {
            t.corners.iter().any(|c| nearest(&s.shape, sp, &tp.place(c)).gap < 0.0)
        };
        let has_corner_in = inside(&a, &p, &b, &q) || inside(&b, &q, &a, &p);
        let (sides_a, sides_b) = (a.placed(&p), b.placed(&q));
        let distance = if cross(&sides_a, &sides_b) { 0.0 } else { surface_distance(&sides_a, &sides_b) };
        for c in &all {
            for (point, shape, pose) in [(c.on_a, &a.shape, &p), (c.on_b, &b.shape, &q)] {
                // In one another, planes are taken a little beyond their faces.
                let off = nearest(shape, pose, &point).gap.abs();
                assert!(off < 1e-12 || has_corner_in || c.gap < 0.0, "{off}: {}", what());
            }
        }
        if has_corner_in {
            assert!(least(&all).is_some_and(|g| g < 0.0), "a corner is inside: {}", what());
            counts[0] += 1;
        } else if distance > 1e-9 {
            match least(&all) {
                None => assert!(distance > reach - 1e-12, "{distance} {}", what()),
                Some(gap) => assert!((gap - distance).abs() < 1e-9, "{distance} {}", what()),
            }
            counts[1 + usize::from(all.is_empty())] += 1;
        } else {
            assert!(least(&all).is_some_and(|g| g < 0.0), "they cross: {}", what());
        }
    }
    counts
}

#[test]
fn polygons_have_the_distance_of_all_pairs() {
    let counts = check::<2>(1, 4000, star_polygon);
    assert!(counts.iter().all(|c| *c > 400), "{counts:?}");
}

#[test]
fn polyhedra_have_the_distance_of_all_pairs() {
    let counts = check::<3>(2, 150, star_polyhedron);
    assert!(counts.iter().all(|c| *c > 10), "{counts:?}");
}

/// A ball against a re-entrant shape is a point at its distance.
#[test]
fn balls_and_points() {
    let mut random = Random(7);
    for _ in 0..500 {
        let star = star_polyhedron(&mut random);
        let pose = <Dimension<3> as Plenty<3>>::turned(&mut random);
        let radius = random.within(0.01, 0.5);
        let ball = RigidShape::<3>::ball(radius).expect("a ball");
        let point = random.vector::<3>(1.5);
        let foot = nearest(&star.shape, &pose, &point);
        let surface = star.placed(&pose).iter().map(|s| to_simplex(&point, s)).fold(f64::INFINITY, f64::min);
        assert!((foot.gap.abs() - surface).abs() < 1e-12, "{foot:?} {surface}");
        // Inside or outside by the angle of the surface seen from the point.
        assert_eq!(foot.gap < 0.0, solid_angle(&star.placed(&pose), &point) > 6.0, "{foot:?}");
        let all = found((&ball, &ShapePose::at(point)), (&star.shape, &pose), 0.4);
        match least(&all) {
            // From within, faces beside the nearest may be listed too.
            Some(_) if foot.gap < 0.0 => {
                assert!(all.iter().any(|c| (c.gap - (foot.gap - radius)).abs() < 1e-9), "{all:#?}")
            }
            Some(gap) => assert!((gap - (foot.gap - radius)).abs() < 1e-9, "{gap} {foot:?} {radius}"),
            None => assert!(foot.gap - radius > 0.4 - 1e-12),
        }
    }
}

/// A square ring: mass properties of the difference of two squares; a disk within it, in a corner and beside it touches what is nearest; a brick lies in it on two corners.
#[test]
fn a_ring_is_touched_from_within_and_from_outside() {
    let square =
        |half: f64| [[-half, -half], [half, -half], [half, half], [-half, half]].map(Vector::<2>::from).to_vec();
    let hole: Vec<Vector<2>> = square(1.0).into_iter().rev().collect();
    let ring = RigidShape::outlines(&[square(2.0), hole]).expect("a ring");
    let own = ring.mass_properties(3.0).expect("a mass");
    let exact = 3.0 * (16.0 * 32.0 / 12.0 - 4.0 * 8.0 / 12.0);
    assert!((own.mass - 36.0).abs() < 1e-13 && own.centre.norm() < 1e-15);
    assert!((own.inertia[(2, 2)] - exact).abs() < 1e-12, "{}", own.inertia);
    let disk = RigidShape::<2>::ball(0.25).expect("a disk");
    let home = ShapePose::default();
    let touching =
        |x: f64, y: f64, reach: f64| found((&disk, &ShapePose::at(Vector::<2>::new(x, y))), (&ring, &home), reach);
    for (x, y, normals) in [
        (0.75, 0.0, vec![[-1.0, 0.0]]),
        (0.75, 0.75, vec![[-1.0, 0.0], [0.0, -1.0]]),
        (2.25, 0.3, vec![[1.0, 0.0]]),
        (0.0, -2.25, vec![[0.0, -1.0]]),
    ] {
        let all = touching(x, y, 1e-3);
        assert_eq!(all.len(), normals.len(), "{x} {y}: {all:#?}");
        for n in normals {
            let is_there = |c: &delassus_shapes::ShapeContact<2>| {
                (c.normal - Vector::<2>::from(n)).norm() < 1e-14 && c.gap.abs() < 1e-15
            };
            assert!(all.iter().any(is_there), "{n:?}: {all:#?}");
        }
    }
    assert!(touching(0.0, 0.0, 0.5).is_empty(), "in the middle of the hole");
    // Within the solid: the shortest way out.
    assert!(least(&touching(1.4, 0.0, 0.0)).is_some_and(|g| (g + 0.65).abs() < 1e-14));
    let brick = RigidShape::<2>::block(Vector::<2>::new(1.0, 0.5)).expect("a brick");
    let all = found((&brick, &ShapePose::at(Vector::<2>::new(0.1, -0.75))), (&ring, &home), 1e-3);
    assert!(all.len() == 2 && all.iter().all(|c| (c.normal - Vector::<2>::new(0.0, 1.0)).norm() < 1e-14), "{all:#?}");
    let sides: usize = ring.surface(8).facets.iter().map(Vec::len).sum();
    assert_eq!((ring.surface(8).facets.len(), sides), (2, 8));
}

/// Van Oosterom & Strackee 1983.
fn solid_angle(surface: &[Vec<Vector<3>>], p: &Vector<3>) -> f64 {
    let one = |t: &Vec<Vector<3>>| {
        let [a, b, c] = [0, 1, 2].map(|i| t[i] - p);
        let (x, y, z) = (a.norm(), b.norm(), c.norm());
        let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * a.dot(&b.cross(&c)).atan2(below)
    };
    surface.iter().map(one).sum()
}

/// A brick on an L-shaped body made of a closed surface, of a clump, and on its edge.
#[test]
fn surfaces_and_clumps_agree_at_rest() {
    let v = Vector::<3>::new;
    // L: floor 4 × 2 × 1 and wall 1 × 2 × 2 on it, extruded along y; triangles.
    let outline = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let points: Vec<Vector<3>> =
        outline.iter().map(|[x, z]| v(*x, 0.0, *z)).chain(outline.iter().map(|[x, z]| v(*x, 2.0, *z))).collect();
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut faces: Vec<Vec<usize>> = caps.iter().map(|c| c.to_vec()).collect();
    faces.extend(caps.iter().map(|c| c.iter().rev().map(|i| i + 6).collect()));
    for i in 0..6 {
        let j = (i + 1) % 6;
        faces.extend([vec![i, i + 6, j], vec![j, i + 6, j + 6]]);
    }
    let surface = RigidShape::surface_of(&points, &faces).expect("an L");
    assert!(!surface.is_convex());
    let part = |size: Vector<3>, at: Vector<3>| (RigidShape::<3>::block(size).expect("a block"), ShapePose::at(at));
    let clump =
        RigidShape::clump(&[part(v(4.0, 2.0, 1.0), v(2.0, 1.0, 0.5)), part(v(1.0, 2.0, 2.0), v(0.5, 1.0, 2.0))])
            .expect("a clump");
    let [m, k] = [&surface, &clump].map(|s| s.mass_properties(2.0).expect("a mass"));
    assert!(
        (m.mass - k.mass).abs() < 1e-12
            && (m.centre - k.centre).norm() < 1e-12
            && (m.inertia - k.inertia).norm() < 1e-11
    );
    let brick = RigidShape::<3>::block(v(1.0, 1.0, 0.5)).expect("a brick");
    // On the floor away from the wall, also with an edge over the border between two triangles.
    for [x, y] in [[2.5, 1.0], [2.0, 0.75], [3.3, 1.2]] {
        let at = ShapePose::at(v(x, y, 1.25));
        for shape in [&surface, &clump] {
            let all = found((&brick, &at), (shape, &ShapePose::default()), 1e-3);
            let up = all.iter().filter(|c| (c.normal - v(0.0, 0.0, 1.0)).norm() < 1e-14 && c.gap.abs() < 1e-14).count();
            assert_eq!((up, all.len()), (4, 4), "{x} {y} {all:#?}");
        }
    }
    // Sliding over the floor, on it and a little above: the triangles of the plane are one face in the keys, also where a corner is above the edge between two.
    for height in [0.0, 1e-4] {
        let keys = |shift: f64| -> Vec<_> {
            let at = ShapePose::at(v(3.0 + shift, 1.5 - 1e-2 + shift.abs(), 1.25 + height));
            found((&brick, &at), (&surface, &ShapePose::default()), 1e-3).iter().map(|c| c.key).collect()
        };
        let first = keys(0.0);
        assert_eq!(first.len(), 4);
        for k in -10..=10 {
            assert_eq!(keys(1e-3 * f64::from(k)), first, "{k}");
        }
        let above_edge = ShapePose::at(v(3.0, 1.5, 1.25 + height));
        let over: Vec<_> = found((&brick, &above_edge), (&surface, &ShapePose::default()), 1e-3);
        assert!(over.len() == 4 && over.iter().all(|c| first.contains(&c.key)), "{over:#?}");
    }
    // In the corner: four on the floor, four on the wall.
    let all = found((&brick, &ShapePose::at(v(1.5, 1.0, 1.25))), (&surface, &ShapePose::default()), 1e-3);
    let on = |n: Vector<3>| all.iter().filter(|c| (c.normal - n).norm() < 1e-14 && c.gap.abs() < 1e-14).count();
    assert_eq!((on(v(0.0, 0.0, 1.0)), on(v(1.0, 0.0, 0.0)), all.len()), (4, 4, 8), "{all:#?}");
    // Overhanging: two corners of the brick, and two crossings of edges.
    let all = found((&brick, &ShapePose::at(v(4.0, 1.0, 1.25))), (&surface, &ShapePose::default()), 1e-3);
    assert_eq!(all.len(), 4, "{all:#?}");
    assert!(all.iter().all(|c| (c.normal - v(0.0, 0.0, 1.0)).norm() < 1e-14 && c.gap.abs() < 1e-14));
}
