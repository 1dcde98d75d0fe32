//! Candidates dragged along chains and around corners: the gap has no jump, the normal only those of the bends.

use delassus_contact::{Contact, RigidSurface, Solid, Vector};

use super::detect;

const FAR: f64 = f64::INFINITY;

/// Angle between the normals of two contacts (rad).
fn turn(a: &Contact<2>, b: &Contact<2>) -> f64 {
    a.normal().perp(&b.normal()).atan2(a.normal().dot(&b.normal())).abs()
}

/// A floor run from right to left (normal up) whose segments of length about one bend up and down by the given angles (rad).
fn bent(angles: &[f64]) -> Vec<[f64; 2]> {
    let (mut direction, mut x): (f64, Vec<[f64; 2]>) = (std::f64::consts::PI, vec![[angles.len() as f64, 0.0]]);
    for &angle in angles {
        let [a, b] = x[x.len() - 1];
        x.push([a + direction.cos(), b + direction.sin()]);
        direction += angle;
    }
    x
}

#[test]
fn along_a_bent_chain_the_gap_has_no_jump_and_the_normal_those_of_the_bends() {
    let angles = [0.0, 0.02, -0.03, 0.05, -0.01, -0.05, 0.04, 0.0];
    let nodes = bent(&angles);
    for height in [0.3, 0.05, 0.0, -0.05, -0.3] {
        let n = 40_000;
        let path: Vec<[f64; 2]> = (1..n).map(|i| [0.5 + 7.0 * f64::from(i) / f64::from(n), 0.0]).collect();
        // At a height above the chain itself: first on it, then off it by the local normal's vertical.
        let on = detect(&path, &nodes, false, FAR, FAR).contacts;
        let path: Vec<[f64; 2]> =
            on.iter().map(|c| [c.point[0], c.point[1] - c.gap / c.normal()[1] + height]).collect();
        let found = detect(&path, &nodes, false, FAR, FAR).contacts;
        assert_eq!(found.len(), path.len());
        let mut jumps = 0;
        for w in found.windows(2) {
            let step = (w[1].point - w[0].point).norm();
            assert!((w[1].gap - w[0].gap).abs() <= step + 4e-15, "height {height}: the gap jumps at {:?}", w[1].point);
            // Off the chain by r the normal turns by step/r around a corner; a jump is one of the bends.
            let turned = turn(&w[0], &w[1]);
            assert!(turned < 0.05 + 1e-9, "height {height}: a turn of {turned} at {:?}", w[1].point);
            let smooth = 2.0 * step / height.abs().max(1e-9) + 1e-9;
            if turned > smooth {
                let bend = angles.iter().map(|a| (turned - a.abs()).abs()).fold(FAR, f64::min);
                assert!(bend <= smooth, "height {height}: a turn of {turned} at {:?}", w[1].point);
                jumps += 1;
            }
        }
        // Six bends; at some height a bend is jumped over at re-entrant corners only: three from above, three from below.
        let expected = if height.abs() < 1e-6 { 0..=6 } else { 3..=3 };
        assert!(expected.contains(&jumps), "height {height}: {jumps} jumps");
    }
}

#[test]
fn around_a_convex_corner_the_normal_turns_with_the_candidate() {
    // A unit square, a node led around its corner (1, 0) at distance 0.1: along the bottom, a quarter circle, up the side.
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let (n, r) = (1000, 0.1);
    let step = 1.0 / f64::from(n);
    let mut path: Vec<[f64; 2]> = (0..n).map(|i| [f64::from(i) * step, -r]).collect();
    path.extend(
        (0..n).map(|i| std::f64::consts::FRAC_PI_2 * f64::from(i) * step).map(|a| [1.0 + r * a.sin(), -r * a.cos()]),
    );
    path.extend((0..n).map(|i| [1.0 + r, f64::from(i) * step]));
    let body = detect(&path, &square, true, FAR, FAR).contacts;
    let rigid = RigidSurface::polygon(square.iter().map(|&p| p.into()).collect(), Solid::Inside).unwrap();
    let x = path.concat();
    let mut detector =
        delassus_contact::Detector::new(vec![super::pair(path.len(), rigid.into(), FAR, FAR)], &[&x]).unwrap();
    let obstacle = detector.detect(&[&x], &[delassus_contact::Translation::default()]).unwrap().contacts;
    for found in [body, obstacle] {
        assert_eq!(found.len(), path.len());
        let mut total = 0.0;
        for (k, w) in found.windows(2).enumerate() {
            assert!((w[1].gap - r).abs() < 1e-15, "the gap is {} at {:?}", w[1].gap, w[1].point);
            let turned = turn(&w[0], &w[1]);
            let in_wedge = (n as usize..2 * n as usize).contains(&k);
            // On the faces the normal is fixed; in the wedge it turns by the angle of each step, (π/2)/1000.
            let expected = if in_wedge { std::f64::consts::FRAC_PI_2 * step } else { 0.0 };
            assert!((turned - expected).abs() < 1e-13, "step {k}: {turned} and {expected}");
            total += turned;
        }
        assert!((total - std::f64::consts::FRAC_PI_2).abs() < 1e-10, "a right angle in all: {total}");
    }
}

#[test]
fn through_a_corner_the_gap_follows_the_candidate() {
    // Straight through a corner, from outside to inside along the diagonal: |dg| ≤ |dx|, and the normal stays within the wedge.
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let path: Vec<[f64; 2]> = (0..2001).map(|i| 0.2 - 2e-4 * f64::from(i)).map(|s| [1.0 + s, -s]).collect();
    let found = detect(&path, &square, true, FAR, FAR).contacts;
    for w in found.windows(2) {
        let step = (w[1].point - w[0].point).norm();
        assert!((w[1].gap - w[0].gap).abs() <= step + 4e-16, "at {:?}", w[1].point);
        let n: Vector<2> = w[1].normal();
        assert!(n[0] >= 0.0 && n[1] <= 0.0, "{n}");
    }
    let signs = found.iter().filter(|c| c.gap < 0.0).count();
    assert!((999..=1001).contains(&signs), "half of the path is inside: {signs}");
}
