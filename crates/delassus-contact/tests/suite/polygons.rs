//! The gap is the signed distance to the polygon: against an independent formula, continuous, invariant.

use delassus_contact::{Contact, Map, Matrix, Vector};

use super::{detect, star};
use crate::random::Random;

const FAR: f64 = f64::INFINITY;

/// Distance by clamped projection on every edge, negative inside by the even-odd rule: shares nothing with the crate.
pub(super) fn signed_distance(nodes: &[[f64; 2]], p: [f64; 2]) -> f64 {
    let (mut best, mut inside) = (f64::INFINITY, false);
    for i in 0..nodes.len() {
        let ([ax, ay], [bx, by]) = (nodes[i], nodes[(i + 1) % nodes.len()]);
        let (ex, ey) = (bx - ax, by - ay);
        let s = (((p[0] - ax) * ex + (p[1] - ay) * ey) / (ex * ex + ey * ey)).clamp(0.0, 1.0);
        best = best.min((p[0] - ax - s * ex).hypot(p[1] - ay - s * ey));
        if (ay > p[1]) != (by > p[1]) && p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax) {
            inside = !inside;
        }
    }
    if inside { -best } else { best }
}

/// World position of the antagonist point.
fn foot(contact: &Contact<2>, nodes: &[[f64; 2]]) -> Vector<2> {
    let Map::Nodes(weights) = &contact.sides[1].map else { panic!("a deformable antagonist") };
    weights.iter().map(|&(n, w)| Vector::<2>::from(nodes[n]) * w).sum()
}

/// Points everywhere, on vertices, on edges and close to them.
pub(super) fn points(random: &mut Random, nodes: &[[f64; 2]], n: usize) -> Vec<[f64; 2]> {
    let point = |_| {
        let k = random.below(nodes.len());
        let (a, b) = (nodes[k], nodes[(k + 1) % nodes.len()]);
        let s = [0.0, random.within(0.0, 1.0)][random.below(2)];
        let off = 10f64.powf(random.within(-17.0, 0.0));
        let near = [0, 1].map(|i| a[i] + s * (b[i] - a[i]) + off * random.within(-1.0, 1.0));
        let anywhere = [random.within(-1.5, 1.5), random.within(-1.5, 1.5)];
        [near, near, anywhere, a][random.below(4)]
    };
    (0..n).map(point).collect()
}

#[test]
fn the_gap_is_the_signed_distance_and_every_candidate_has_one_contact() {
    let mut random = Random::new(11);
    for _ in 0..300 {
        let n = 3 + random.below(20);
        let nodes = star(&mut random, n);
        let points = points(&mut random, &nodes, 60);
        let found = detect(&points, &nodes, true, FAR, FAR);
        assert_eq!(found.contacts.len(), points.len());
        assert!(found.too_deep.is_empty());
        for (i, (c, &p)) in found.contacts.iter().zip(&points).enumerate() {
            assert_eq!(c.key.candidate as usize, i);
            let d = signed_distance(&nodes, p);
            // Coordinates are of order one; the oracle rounds too. The sign is told apart above that rounding only.
            assert!((c.gap.abs() - d.abs()).abs() < 4e-15, "{p:?}: {} and {d}", c.gap);
            assert!(d.abs() < 4e-15 || (c.gap < 0.0) == (d < 0.0), "{p:?}: {} and {d}", c.gap);
            let closing = foot(c, &nodes) + c.normal() * c.gap - c.point;
            assert!(closing.norm() < 8e-15, "{p:?}: x = foot + g n fails by {}", closing.norm());
            let skew = (c.frame.transpose() * c.frame - Matrix::<2>::identity()).amax();
            assert!(skew < 1e-15 && (c.frame.determinant() - 1.0).abs() < 2e-15, "{}", c.frame);
        }
    }
}

#[test]
fn the_gap_changes_by_no_more_than_the_point_moves() {
    let mut random = Random::new(12);
    let mut n_crossings = 0;
    for _ in 0..60 {
        let n = 3 + random.below(12);
        let nodes = star(&mut random, n);
        let mut p = Vector::<2>::new(random.within(-1.2, 1.2), random.within(-1.2, 1.2));
        let mut path = vec![p];
        while path.len() < 400 {
            // Random steps of all sizes; now and then straight at a vertex, and through it.
            let size = 10f64.powf(random.within(-9.0, -0.5));
            let step = if random.below(4) == 0 {
                (Vector::<2>::from(nodes[random.below(n)]) - p) * random.within(0.9, 1.1)
            } else {
                Vector::<2>::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0)) * size
            };
            p += step;
            if p.norm() > 2.0 {
                p *= 0.5;
            }
            path.push(p);
        }
        let points: Vec<[f64; 2]> = path.iter().map(|&p| p.into()).collect();
        let contacts = detect(&points, &nodes, true, FAR, FAR).contacts;
        for (pair, ends) in contacts.windows(2).zip(path.windows(2)) {
            let moved = (ends[1] - ends[0]).norm();
            let change = (pair[1].gap - pair[0].gap).abs();
            assert!(change <= moved + 4e-15, "the gap changes by {change} on a move of {moved} to {:?}", ends[1]);
            n_crossings += usize::from((pair[0].gap < 0.0) != (pair[1].gap < 0.0));
        }
    }
    assert!(n_crossings > 1000, "the paths cross the boundary often enough: {n_crossings}");
}

#[test]
fn the_gap_is_linear_across_a_straight_vertex() {
    // A chain cut at random places of a straight line: the gap is that of the line, everywhere between its ends.
    let mut random = Random::new(13);
    for _ in 0..200 {
        let angle = random.within(0.0, 6.3);
        let (t, n) = (Vector::<2>::new(angle.cos(), angle.sin()), Vector::<2>::new(angle.sin(), -angle.cos()));
        let mut at: Vec<f64> = (0..10).map(|_| random.within(0.0, 1.0)).collect();
        at.sort_by(f64::total_cmp);
        let nodes: Vec<[f64; 2]> = at.iter().map(|&s| (t * s).into()).collect();
        for _ in 0..20 {
            let (s, g) = (at[random.below(10)], random.within(-0.3, 0.3));
            let contact = detect(&[(t * s + n * g).into()], &nodes, false, FAR, FAR).contacts.remove(0);
            assert!((contact.gap - g).abs() < 1e-15 && (contact.normal() - n).norm() < 1e-12, "{s} {g}: {contact:?}");
        }
    }
}

/// Largest difference of the gaps before and after a similarity of points and chain, relative to the size.
fn change_of_gaps(random: &mut Random, scale: f64, turn: f64, shift: [f64; 2]) -> f64 {
    let n = 3 + random.below(15);
    let nodes = star(random, n);
    let points = points(random, &nodes, 30);
    let (c, s) = (turn.cos(), turn.sin());
    let moved = |p: &[f64; 2]| [c * p[0] - s * p[1] + shift[0], s * p[0] + c * p[1] + shift[1]].map(|x| x * scale);
    let (moved_nodes, moved_points): (Vec<_>, Vec<_>) =
        (nodes.iter().map(moved).collect(), points.iter().map(moved).collect());
    let before = detect(&points, &nodes, true, FAR, FAR).contacts;
    let after = detect(&moved_points, &moved_nodes, true, FAR, FAR).contacts;
    assert_eq!(before.len(), after.len());
    before.iter().zip(&after).map(|(a, b)| (a.gap - b.gap / scale).abs()).fold(0.0, f64::max)
}

#[test]
fn gaps_do_not_depend_on_place_direction_and_unit() {
    let mut random = Random::new(14);
    let mut worst: f64 = 0.0;
    for _ in 0..100 {
        let (turn, shift) = (random.within(0.0, 6.3), [random.within(-9.0, 9.0), random.within(-9.0, 9.0)]);
        for scale in [1.0, 1e-6, 1e6] {
            worst = worst.max(change_of_gaps(&mut random, scale, 0.0, [0.0; 2]));
            worst = worst.max(change_of_gaps(&mut random, scale, turn, [0.0; 2]));
            worst = worst.max(change_of_gaps(&mut random, scale, turn, shift));
        }
    }
    // Rounding of coordinates ten times the size of the polygon: 10 × 2e-16, a few times.
    assert!(worst < 1e-13, "{worst}");
}
