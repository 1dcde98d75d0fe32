//! Flat sheets: linear gaps, exact normals over ridges, borders with a little overhang.

use delassus_contact::{END_OVERHANG, Pose, Vector};

use super::{FAR, detect, foot, sheet, vector};
use crate::random::Random;

#[test]
fn the_gap_is_linear_over_the_ridges_of_a_flat_sheet() {
    let mut random = Random::new(121);
    for round in 0..100 {
        let flat = sheet(4, 3, |_, _| 0.0);
        let flat = if round % 2 == 0 { flat } else { flat.triangulated(&mut random) };
        let pose = Pose::turned_about(vector(&mut random, 2.0), Vector::<3>::zeros(), vector(&mut random, 1.0));
        let n = pose.rotation * Vector::<3>::new(0.0, 0.0, 1.0);
        let placed = flat.map(|x| pose.place(&x));
        for _ in 0..10 {
            // At a vertex, on an edge, on a diagonal; the gap down to where a direction from the foot would be rounding.
            let (i, j) = (random.below(4) as f64, random.below(3) as f64);
            let s = random.within(0.0, 1.0);
            let (u, v) = [(i, j), (i + s, j), (i + s, j + s)][random.below(3)];
            let g = random.within(-1.0, 1.0) * 10f64.powi(-(random.below(12) as i32));
            let p = pose.place(&Vector::<3>::new(u / 4.0, v / 3.0, g));
            let c = detect(&[p.into()], &placed, FAR, FAR).contacts.remove(0);
            // Coordinates of order one.
            assert!((c.gap - g).abs() < 2e-15, "{u} {v} {g}: {}", c.gap);
            assert!((c.normal() - n).norm() < 4e-15, "{u} {v} {g}: {}", c.normal() - n);
        }
    }
}

#[test]
fn a_border_reaches_a_little_past_itself() {
    // Cells of 0.25 × 1/3; 5 % of a cell past the border still counts, at corners too.
    let mut random = Random::new(122);
    let flat = sheet(4, 3, |_, _| 0.0);
    let (past_x, past_y) = (0.25 * END_OVERHANG, END_OVERHANG / 3.0);
    for sheet in [flat.clone(), flat.triangulated(&mut random)] {
        for gap in [0.2, 0.0, -0.1] {
            for (p, seen) in [
                ([1.0 + 0.99 * past_x, 0.4], true),
                ([1.0 + 1.01 * past_x, 0.4], false),
                ([-0.99 * past_x, 1.0 / 3.0], true),
                ([-1.01 * past_x, 1.0 / 3.0], false),
                ([0.6, 1.0 + 0.99 * past_y], true),
                ([0.6, 1.0 + 1.01 * past_y], false),
                ([-0.5 * past_x, -0.5 * past_x], true),
                ([-2.5 * past_x, -2.5 * past_y], false),
                ([1.0, 1.0], true),
            ] {
                let found = detect(&[[p[0], p[1], gap]], &sheet, FAR, FAR).contacts;
                assert_eq!(found.len(), usize::from(seen), "{p:?} {gap}");
                for c in found {
                    assert!((c.gap - gap).abs() < 1e-15 && (c.normal().z - 1.0).abs() < 1e-15, "{p:?}: {c:?}");
                    let f = foot(&c, &sheet.points);
                    let inside = Vector::<3>::new(p[0].clamp(0.0, 1.0), p[1].clamp(0.0, 1.0), 0.0);
                    assert!((f - inside).norm() < 1e-15, "{p:?}: {f}");
                }
            }
        }
    }
}

#[test]
fn the_wider_body_overhangs_within_any_reach() {
    let flat = sheet(4, 4, |_, _| 0.0);
    let found = detect(&[[1.01, 0.5, 0.0], [1.01, 1.0, 0.0], [1.02, 0.5, 0.0]], &flat, 1e-12, 0.0).contacts;
    assert_eq!(found.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn faces_that_coincide_touch_node_to_node() {
    let flat = sheet(3, 3, |x, y| 0.25 * x - 0.5 * y);
    let found = detect(&flat.points, &flat, 0.0, 0.0).contacts;
    assert_eq!(found.len(), 16);
    let n = Vector::<3>::new(-0.25, 0.5, 1.0).normalize();
    for (i, c) in found.iter().enumerate() {
        assert_eq!(c.gap.to_bits() << 1, 0, "a gap of zero exactly");
        assert_eq!(c.sides[1].map, delassus_contact::Map::Nodes(vec![(i, 1.0)]));
        assert!((c.normal() - n).norm() < 1e-15, "{}", c.normal());
    }
}

#[test]
fn over_a_saddle_the_foot_is_that_of_the_bilinear_face() {
    // One face z = x y over [0, 1]²: the foot of f + g n is f, as long as g is below the radius of curvature (> 1).
    let mut random = Random::new(123);
    let saddle = sheet(1, 1, |x, y| x * y);
    for _ in 0..2000 {
        let (x, y, g) = (random.within(0.0, 1.0), random.within(0.0, 1.0), random.within(-0.9, 0.9));
        let (f, n) = (Vector::<3>::new(x, y, x * y), Vector::<3>::new(-y, -x, 1.0).normalize());
        let c = detect(&[(f + n * g).into()], &saddle, FAR, FAR).contacts.remove(0);
        assert!((c.gap - g).abs() < 1e-14, "{x} {y} {g}: {}", c.gap);
        // The foot is worth the rounding over the curvature that is left, 1 − |g| κ ≥ 0.1.
        assert!((foot(&c, &saddle.points) - f).norm() < 1e-13 && (c.normal() - n).norm() < 1e-13, "{x} {y} {g}");
    }
}
