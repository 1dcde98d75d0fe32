//! The gap is the signed distance to the surface: against formulas that share nothing with the crate, continuous, invariant.

use delassus_contact::{
    Antagonist, Contact, Dimension, FacetNodes, FacetSurface, Map, Matrix, NarrowPhase, Pose, Vector,
};

use super::{FAR, Solid, cube, detect, distance, foot, points_around, star, triangles, vector, winding};
use crate::random::Random;

fn n_weights(c: &Contact<3>) -> usize {
    let Map::Nodes(weights) = &c.sides[1].map else { panic!("a deformable antagonist") };
    weights.len()
}

/// Points around closed solids; `cut` is how finely faces are cut to tell inside from outside. Counts feet by their number of nodes.
fn check(random: &mut Random, solid: &Solid, n_points: usize, cut: usize, rounding: f64) -> [usize; 5] {
    let points = points_around(random, solid, n_points);
    let found = detect(&points, solid, FAR, FAR);
    assert_eq!(found.contacts.len(), points.len(), "every point has one contact");
    let cut = triangles(solid, cut);
    let mut counts = [0; 5];
    for (i, c) in found.contacts.iter().enumerate() {
        assert_eq!(c.key.candidate as usize, i);
        let d = distance(solid, &c.point);
        assert!((c.gap.abs() - d).abs() < rounding, "{:?}: {} and {d}", c.point, c.gap);
        if d > 2e-2 {
            let inside = winding(&cut, &c.point) > 0.5;
            assert_eq!(c.gap < 0.0, inside, "{:?}: {} and {d}", c.point, c.gap);
        }
        let closing = foot(c, &solid.points) + c.normal() * c.gap - c.point;
        assert!(closing.norm() < rounding, "{:?}: x = foot + g n fails by {}", c.point, closing.norm());
        let skew = (c.frame.transpose() * c.frame - Matrix::<3>::identity()).amax();
        assert!(skew < 2e-15 && (c.frame.determinant() - 1.0).abs() < 4e-15, "{}", c.frame);
        counts[n_weights(c)] += 1;
    }
    counts
}

#[test]
fn the_gap_of_triangles_is_the_signed_distance() {
    let mut random = Random::new(111);
    let mut sums = [0; 5];
    for round in 0..60 {
        let n = 1 + round % 3;
        let solid = star(&mut random, n, 0.5).triangulated(&mut random);
        // Coordinates of order one, a few roundings each in the crate and in the oracle.
        let counts = check(&mut random, &solid, 60, 1, 1e-14);
        (0..5).for_each(|k| sums[k] += counts[k]);
    }
    assert!(sums[1] > 300 && sums[2] > 300 && sums[3] > 300 && sums[4] == 0, "feet of all kinds: {sums:?}");
}

#[test]
fn the_gap_of_warped_quadrilaterals_is_the_signed_distance() {
    let mut random = Random::new(112);
    let mut sums = [0; 5];
    for round in 0..24 {
        let (n, low) = ([2, 3][round % 2], [0.95, 0.8, 0.65][round % 3]);
        let solid = star(&mut random, n, low).mixed(&mut random);
        // The oracle knows the foot to 1e-9 and its distance to the square of that over the distance; where the point is on the
        // surface, to 1e-9 itself.
        let counts = check(&mut random, &solid, 40, 8, 1e-8);
        (0..5).for_each(|k| sums[k] += counts[k]);
    }
    assert!(sums[1] > 50 && sums[2] > 50 && sums[3] > 50 && sums[4] > 200, "feet of all kinds: {sums:?}");
}

#[test]
fn the_gap_changes_by_no_more_than_the_point_moves() {
    let mut random = Random::new(113);
    let mut n_crossings = 0;
    for round in 0..24 {
        let solid = star(&mut random, 2, 0.7);
        let solid = if round % 2 == 0 { solid } else { solid.triangulated(&mut random) };
        let mut p = vector(&mut random, 1.0);
        let mut path = vec![p];
        while path.len() < 300 {
            // Random steps of all sizes; now and then straight at a vertex or the middle of an edge, and through it.
            let size = 10f64.powf(random.within(-9.0, -0.5));
            let c = solid.corners(random.below(solid.facets.len()));
            let goal = if random.below(2) == 0 { c[0] } else { (c[0] + c[1]) * 0.5 };
            let step = if random.below(4) == 0 {
                (goal - p) * random.within(0.9, 1.1)
            } else {
                vector(&mut random, 1.0) * size
            };
            p += step;
            if p.norm() > 2.0 {
                p *= 0.5;
            }
            path.push(p);
        }
        let points: Vec<[f64; 3]> = path.iter().map(|&p| p.into()).collect();
        let contacts = detect(&points, &solid, FAR, FAR).contacts;
        assert_eq!(contacts.len(), path.len());
        for (pair, ends) in contacts.windows(2).zip(path.windows(2)) {
            let moved = (ends[1] - ends[0]).norm();
            let change = (pair[1].gap - pair[0].gap).abs();
            assert!(change <= moved + 8e-15, "the gap changes by {change} on a move of {moved} to {:?}", ends[1]);
            n_crossings += usize::from((pair[0].gap < 0.0) != (pair[1].gap < 0.0));
        }
    }
    assert!(n_crossings > 500, "the paths cross the surface often enough: {n_crossings}");
}

#[test]
fn all_faces_of_a_ridge_give_the_same_answer_to_the_last_bit() {
    let mut random = Random::new(114);
    let mut n_ridges = [0; 2];
    for _ in 0..40 {
        let solid = star(&mut random, 2, 0.7).mixed(&mut random);
        let (surface, x) = (solid.surface(0), solid.points.concat());
        for p in points_around(&mut random, &solid, 40) {
            let answers: Vec<_> = (0..solid.facets.len())
                .filter_map(|f| Dimension::<3>::project(&surface, &x, f, &p.into(), FAR).map(|q| (f, q)))
                .collect();
            for (f, q) in &answers {
                let nodes = |f: usize, q: &delassus_contact::Projection<3>| -> Vec<(usize, f64)> {
                    let mut shares: Vec<_> = solid.facets[f].into_iter().zip(q.weights).collect();
                    shares.retain(|s| s.1 > 0.0);
                    shares.sort_by_key(|s| s.0);
                    shares
                };
                let own = nodes(*f, q);
                if own.len() > 2 {
                    continue;
                }
                for (g, r) in answers.iter().filter(|(g, r)| g > f && nodes(*g, r) == own) {
                    // On the ridge, to rounding, a face may take the point for one inside it: the gap is rounding all the same.
                    if q.distance < 1e-12 {
                        assert!((q.gap - r.gap).abs() < 1e-13, "{f} and {g}: {} and {}", q.gap, r.gap);
                        continue;
                    }
                    assert_eq!((q.gap, q.normal, q.distance), (r.gap, r.normal, r.distance), "{f} and {g}");
                    n_ridges[own.len() - 1] += 1;
                }
            }
        }
    }
    assert!(n_ridges[0] > 300 && n_ridges[1] > 100, "vertices and edges: {n_ridges:?}");
}

/// Gap, normal and foot of one point over the unit cube [-1, 1]³.
fn at_cube(p: [f64; 3]) -> (f64, Vector<3>, Vector<3>) {
    let cube = cube(2, |x| x);
    let c = detect(&[p], &cube, FAR, FAR).contacts.remove(0);
    (c.gap, c.normal(), foot(&c, &cube.points))
}

#[test]
fn faces_edges_and_corners_of_a_cube() {
    let (s2, s3) = (0.5f64.sqrt(), (1.0f64 / 3.0).sqrt());
    for (p, gap, normal, foot) in [
        ([0.3, 0.2, 1.5], 0.5, [0.0, 0.0, 1.0], [0.3, 0.2, 1.0]),
        ([0.3, 0.2, 0.75], -0.25, [0.0, 0.0, 1.0], [0.3, 0.2, 1.0]),
        ([1.3, 0.2, 1.4], 0.5, [0.6, 0.0, 0.8], [1.0, 0.2, 1.0]),
        ([1.0, 0.2, 1.0], 0.0, [s2, 0.0, s2], [1.0, 0.2, 1.0]),
        ([1.2, -1.1, 1.2], 0.3, [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0], [1.0, -1.0, 1.0]),
        ([-1.0, -1.0, -1.0], 0.0, [-s3, -s3, -s3], [-1.0, -1.0, -1.0]),
        // Above vertices and edges in the middle of a face: its normal.
        ([0.0, 0.0, 1.25], 0.25, [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
        ([0.5, 0.0, 1.25], 0.25, [0.0, 0.0, 1.0], [0.5, 0.0, 1.0]),
        ([0.0, -1.0, 0.5], 0.0, [0.0, -1.0, 0.0], [0.0, -1.0, 0.5]),
    ] {
        let (g, n, f) = at_cube(p);
        let error = (g - gap).abs() + (n - Vector::<3>::from(normal)).norm() + (f - Vector::<3>::from(foot)).norm();
        assert!(error < 4e-15, "{p:?}: {g} {n} {f}");
    }
}

#[test]
fn re_entrant_edges_are_inside() {
    // The cube seen from inside, as a cavity: beyond its edge is inside the solid, at minus the distance.
    let cavity = cube(2, |x| x);
    let facets: Vec<FacetNodes> = cavity.facets.iter().map(|f| FacetNodes::from([f[3], f[2], f[1], f[0]])).collect();
    let cavity = Solid { facets, ..cavity };
    for (p, gap, normal) in [
        ([1.3, 0.2, 1.4], -0.5, [-0.6, 0.0, -0.8]),
        ([1.2, -1.1, 1.2], -0.3, [-2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0]),
        ([0.3, 0.2, 0.75], 0.25, [0.0, 0.0, -1.0]),
    ] {
        let c = detect(&[p], &cavity, FAR, FAR).contacts.remove(0);
        assert!((c.gap - gap).abs() + (c.normal() - Vector::<3>::from(normal)).norm() < 4e-15, "{p:?}: {c:?}");
    }
}

#[test]
fn gaps_do_not_depend_on_place_direction_and_unit() {
    let mut random = Random::new(115);
    let mut worst: f64 = 0.0;
    for round in 0..60 {
        let solid = star(&mut random, 2, 0.7).mixed(&mut random);
        let points = points_around(&mut random, &solid, 30);
        let scale = [1.0, 1e-6, 1e6, 1e-60, 1e60][round % 5];
        let (turn, shift) = (vector(&mut random, 2.0), vector(&mut random, 9.0));
        let pose = Pose::turned_about(turn, Vector::<3>::zeros(), shift);
        let moved = |x: Vector<3>| pose.place(&x) * scale;
        let moved_points: Vec<[f64; 3]> = points.iter().map(|&p| moved(p.into()).into()).collect();
        let before = detect(&points, &solid, FAR, FAR).contacts;
        let after = detect(&moved_points, &solid.map(moved), FAR, FAR).contacts;
        assert_eq!((before.len(), after.len()), (30, 30));
        let change = before.iter().zip(&after).map(|(a, b)| (a.gap - b.gap / scale).abs());
        worst = change.fold(worst, f64::max);
    }
    // Rounding of coordinates ten times the size of the solid: 10 × 2e-16, a few times.
    assert!(worst < 1e-13, "{worst}");
}

#[test]
fn thin_wedges_and_folds_have_a_sign() {
    // Two triangles that share an edge on the y axis and lie almost on each other, to the left of it: beyond the edge is outside.
    for thickness in [1e-3, 1e-6, 1e-9, 0.0] {
        let points = vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.5, -thickness], [-1.0, 0.5, thickness]];
        // Lower face looks down, upper face up.
        let facets = vec![FacetNodes::from([1, 0, 2]), FacetNodes::from([0, 1, 3])];
        let fold = Solid { points, facets };
        let c = detect(&[[0.25, 0.5, 0.0]], &fold, FAR, FAR).contacts.remove(0);
        assert!((c.gap - 0.25).abs() < 1e-15 && (c.normal()[0] - 1.0).abs() < 1e-15, "{thickness}: {c:?}");
        let on = detect(&[[0.0, 0.5, 0.0]], &fold, FAR, FAR).contacts.remove(0);
        assert!(on.gap.abs() < 1e-300 && (on.normal()[0] - 1.0).abs() < 1e-5, "{thickness}: {on:?}");
    }
}

#[test]
fn the_sign_at_a_vertex_does_not_depend_on_how_its_faces_are_cut() {
    // The end of a sharp wedge (20°) with a flat cap; its lower face is cut into a fan of n triangles, whose normals all look down.
    let (sin, cos) = 10f64.to_radians().sin_cos();
    let (upper, lower, along) = ([-cos, 0.0, sin], Vector::<3>::new(-cos, 0.0, -sin), Vector::<3>::new(0.0, 1.0, 0.0));
    for n in [1, 2, 30] {
        let fan = (0..=n).map(|k| std::f64::consts::FRAC_PI_2 * k as f64 / n as f64);
        let fan = fan.map(|a| <[f64; 3]>::from(lower * a.cos() + along * a.sin()));
        let points: Vec<[f64; 3]> = [[0.0; 3], upper].into_iter().chain(fan).collect();
        let (first, last) = (2, 2 + n);
        let mut facets = vec![FacetNodes::from([0, last, 1]), FacetNodes::from([0, 1, first])];
        facets.extend((0..n).map(|k| FacetNodes::from([0, first + k, first + k + 1])));
        let wedge = Solid { points, facets };
        // In the cone of the three normals, near that of the upper face: outside.
        let normals = [Vector::<3>::new(sin, 0.0, cos), Vector::<3>::new(sin, 0.0, -cos), -along];
        let p = normals[0] * 0.3 + normals[1] * 0.02 + normals[2] * 0.02;
        let c = detect(&[p.into()], &wedge, FAR, FAR).contacts.remove(0);
        assert!((c.gap - p.norm()).abs() < 1e-15 && n_weights(&c) == 1, "{n}: {c:?}");
    }
}

#[test]
fn surfaces_on_a_coarse_lattice_are_projected_on_without_panic() {
    // Points and faces on a lattice of 3³: coincident, flat, folded, crossing; a contact or an error, never a panic or a NaN.
    let mut random = Random::new(116);
    let (mut n_good, mut n_flat) = (0, 0);
    for _ in 0..4000 {
        let mut lattice = || [0; 3].map(|_: i32| random.below(3) as f64 * 0.5);
        let points: Vec<[f64; 3]> = (0..5).map(|_| lattice()).collect();
        let p: Vec<[f64; 3]> = (0..8).map(|_| lattice()).collect();
        let facets = vec![FacetNodes::from([0, 1, 2, 3]), FacetNodes::from([1, 0, 4])];
        let antagonist = Antagonist::Surface(FacetSurface::new(1, facets).unwrap());
        let (x, y) = (p.concat(), points.concat());
        match delassus_contact::Detector::new(vec![super::pair(8, antagonist, FAR, FAR)], &[&x, &y]) {
            Err(delassus_contact::ContactError::FlatFacet { .. }) => n_flat += 1,
            Err(other) => panic!("{other}"),
            Ok(mut detector) => {
                for c in detector.detect(&[&x, &y], &[delassus_contact::Translation::default()]).unwrap().contacts {
                    assert!(c.gap.is_finite() && c.frame.iter().all(|v| v.is_finite()), "{c:?}");
                    assert!((c.normal().norm() - 1.0).abs() < 1e-14, "{c:?}");
                    n_good += 1;
                }
            }
        }
    }
    assert!(n_good > 5000 && n_flat > 500, "{n_good} contacts, {n_flat} flat");
}
