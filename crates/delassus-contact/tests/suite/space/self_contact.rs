//! Bodies that touch themselves in 3D: clamps, rings, thin plates; and nothing through the thickness.

use delassus_contact::{Antagonist, CandidateSet, Contact, Detector, FacetNodes, Normals, Pair, Translation, Vector};

use super::{FAR, Solid, cube, pair};

/// A closed loop in the plane drawn out along z in m layers of height dz: walls only, open at both ends.
fn extruded(nodes: &[[f64; 2]], m: usize, dz: f64) -> Solid {
    let n = nodes.len();
    let points = (0..=m).flat_map(|k| nodes.iter().map(move |p| [p[0], p[1], dz * k as f64])).collect();
    let wall = |k: usize, i: usize| {
        let j = (i + 1) % n;
        FacetNodes::from([k * n + i, k * n + j, (k + 1) * n + j, (k + 1) * n + i])
    };
    let facets = (0..m).flat_map(|k| (0..n).map(move |i| wall(k, i))).collect();
    Solid { points, facets }
}

/// Contacts of a body with itself; by default the depth of a careless caller: the longest edge, longer than a thin body is thick.
fn with_itself(at_rest: &Solid, now: &Solid, reach: f64, depth: Option<f64>) -> Vec<Contact<3>> {
    let surface = at_rest.surface(0);
    let (x0, x) = (at_rest.points.concat(), now.points.concat());
    let depth = depth.unwrap_or(surface.facet_sizes(&x0).1);
    let pairs = vec![pair(now.points.len(), Antagonist::Surface(surface), reach, depth)];
    Detector::new(pairs, &[&x0]).unwrap().detect(&[&x], &[Translation::default()]).unwrap().contacts
}

/// Boundary of a C: two arms of thickness 1 and length 4 with a slot of the given height, opening to the right. Facets of 0.5.
fn clamp(slot: f64) -> Solid {
    let corners = [
        [0.0, 0.0],
        [5.0, 0.0],
        [5.0, 1.0],
        [1.0, 1.0],
        [1.0, 1.0 + slot],
        [5.0, 1.0 + slot],
        [5.0, 2.0 + slot],
        [0.0, 2.0 + slot],
    ];
    let pieces = [10, 2, 8, 1, 8, 2, 10, 5];
    let mut nodes = Vec::new();
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let n = f64::from(pieces[i]);
        nodes.extend((0..pieces[i]).map(|k| [0, 1].map(|c| a[c] + (b[c] - a[c]) * f64::from(k) / n)));
    }
    extruded(&nodes, 3, 0.5)
}

#[test]
fn the_arms_of_a_clamp_touch_each_other_and_nothing_else_does() {
    for (rest, slot) in [(0.1, 0.1), (0.1, 1e-9), (0.1, -1e-9), (0.1, -0.1), (1e-9, -0.1)] {
        let now = clamp(slot);
        let found = with_itself(&clamp(rest), &now, 0.3, Some(0.3));
        let in_slot = |p: &Vector<3>| p.x > 1.6 && p.y > 0.5 && p.y < 1.5 + slot;
        let expected = now.points.iter().filter(|p| in_slot(&(**p).into())).count();
        let seen = found.iter().filter(|c| in_slot(&c.point)).count();
        assert_eq!(seen, expected, "slot {slot}: every node of the faces of the slot");
        for c in &found {
            assert!(c.point.x > 0.9 && c.point.y > 0.5 && c.point.y < 1.5 + slot, "slot {slot}: {:?}", c.point);
            assert!((c.gap - slot).abs() < 1e-15, "slot {slot}: {}", c.gap);
        }
    }
}

#[test]
fn a_body_at_rest_does_not_touch_itself() {
    for block in [cube(4, |x| x), cube(4, |x| x.component_mul(&Vector::<3>::new(1.0, 1.0, 0.03))), clamp(2.0)] {
        for depth in [None, Some(0.9), Some(FAR)] {
            assert_eq!(with_itself(&block, &block, 1.9, depth), []);
        }
    }
    let ball = cube(6, |x| x.normalize());
    assert_eq!(with_itself(&ball, &ball, FAR, Some(FAR)), []);
    // The wall of a round hole, its solid outside: the far side is a diameter away.
    let facets = ball.facets.iter().map(|f| FacetNodes::from([f[3], f[2], f[1], f[0]])).collect();
    let hole = Solid { facets, ..ball };
    assert_eq!(with_itself(&hole, &hole, 1.7, Some(0.9)), []);
    let across = with_itself(&hole, &hole, 2.1, Some(0.9));
    assert!(across.len() > 100 && across.iter().all(|c| c.gap > 1.7), "{}", across.len());
}

/// Two plates of 1 × 1 with 4 × 4 faces, the upper one shifted along x by half a face and `gap` above the lower one.
fn plates(thickness: f64, gap: f64) -> Solid {
    let half = Vector::<3>::new(0.5, 0.5, 0.5 * thickness);
    let lower = cube(4, |x| x.component_mul(&half));
    let upper = lower.map(|x| x + Vector::<3>::new(0.125, 0.0, thickness + gap));
    let n = lower.points.len();
    let shifted = upper.facets.iter().map(|f| f.map(|i| i + n));
    Solid {
        facets: lower.facets.iter().copied().chain(shifted).collect(),
        points: [lower.points, upper.points].concat(),
    }
}

#[test]
fn thin_plates_touch_with_the_faces_that_look_at_each_other() {
    // One body, one surface, candidates on all faces; the depth is the length of a face, up to ten thicknesses.
    for thickness in [0.5, 0.2, 0.03] {
        let at_rest = plates(thickness, 0.5 * thickness);
        for gap in [0.4, 0.01, 0.0, -0.01, -0.3].map(|g| g * thickness) {
            let now = plates(thickness, gap);
            let found = with_itself(&at_rest, &now, FAR, None);
            let n = now.points.len() / 2;
            let on_inner = |i: usize| {
                let z = now.points[i][2];
                if i < n { (z - 0.5 * thickness).abs() < 1e-9 } else { (z - 0.5 * thickness - gap).abs() < 1e-9 }
            };
            // Those under (over) the other plate, and in from its sides.
            let facing = |i: usize| {
                let [x, y, _] = now.points[i];
                on_inner(i) && y.abs() < 0.45 && x > -0.3 && x < 0.45
            };
            let expected: Vec<usize> = (0..2 * n).filter(|&i| facing(i)).collect();
            let seen: Vec<usize> = found.iter().map(|c| c.key.candidate as usize).filter(|&i| facing(i)).collect();
            assert_eq!(seen, expected, "thickness {thickness}, gap {gap}");
            assert!(expected.len() >= 15, "{}", expected.len());
            for c in &found {
                let i = c.key.candidate as usize;
                assert!(on_inner(i), "thickness {thickness}, gap {gap}: {:?}", c.point);
                assert!(!facing(i) || (c.gap - gap).abs() < 4e-16, "thickness {thickness}, gap {gap}: {}", c.gap);
            }
        }
    }
}

/// Walls of an open ring of radii 0.9 and 1.1 that leaves an opening of `half_opening` (rad) on each side of the x axis.
fn open_ring(n: usize, half_opening: f64) -> Solid {
    let angle = |i: usize| half_opening + (std::f64::consts::TAU - 2.0 * half_opening) * i as f64 / n as f64;
    let outer = (0..=n).map(|i| [1.1 * angle(i).cos(), 1.1 * angle(i).sin()]);
    let inner = (0..=n).rev().map(|i| [0.9 * angle(i).cos(), 0.9 * angle(i).sin()]);
    extruded(&outer.chain(inner).collect::<Vec<_>>(), 2, 0.2)
}

#[test]
fn the_ends_of_a_ring_that_closes_meet_each_other() {
    // As in 2D, in every layer: the gap is r sin 2ψ from the line of the face, 2 r sin ψ from its corner while open.
    let n = 30;
    let per_layer = 2 * n + 2;
    let ends: Vec<usize> = (0..3).flat_map(|k| [0, n, n + 1, 2 * n + 1].map(|i| k * per_layer + i)).collect();
    for psi in [0.04, 0.004, 1e-6, -1e-6, -0.004, -0.02] {
        let found = with_itself(&open_ring(n, 0.1), &open_ring(n, psi), 0.15, None);
        assert_eq!(found.iter().map(|c| c.key.candidate as usize).collect::<Vec<_>>(), ends, "half opening {psi}");
        for c in &found {
            let r = c.point.xy().norm();
            let at_corner = r < 1.0 && psi > 0.0;
            let expected = if at_corner { 2.0 * r * psi.sin() } else { r * (2.0 * psi).sin() };
            assert!((c.gap - expected).abs() < 1e-14, "half opening {psi}: {} and {expected}", c.gap);
        }
    }
}

#[test]
fn points_inside_faces_follow_the_same_rules() {
    let points_of = |at_rest: &Solid, now: &Solid| {
        let surface = at_rest.surface(0);
        let (x0, x) = (at_rest.points.concat(), now.points.concat());
        let depth = surface.facet_sizes(&x0).1;
        let candidates = CandidateSet::on_facets(&surface, &x0, 2).unwrap();
        let antagonist = Antagonist::Surface(surface);
        let pairs = vec![Pair {
            id: 0,
            pass: 0,
            candidates,
            antagonist,
            reach: 0.3,
            depth,
            normals: Normals::Facet,
            corners: false,
        }];
        Detector::new(pairs, &[&x0]).unwrap().detect(&[&x], &[Translation::default()]).unwrap().contacts
    };
    let block = cube(4, |x| x.component_mul(&Vector::<3>::new(1.0, 1.0, 0.03)));
    assert_eq!(points_of(&block, &block), [], "nothing through the thickness");
    let thickness = 0.05;
    for gap in [0.01, -0.01] {
        let found = points_of(&plates(thickness, 0.02), &plates(thickness, gap));
        // 4 × 4 faces of 2 × 2 points on two plates; those over the other plate are 7/8 of them.
        let inner = found.iter().filter(|c| (c.gap - gap).abs() < 1e-15).count();
        assert_eq!(inner, 2 * 56, "gap {gap}");
        assert!(found.iter().all(|c| (c.point.z - 0.5 * (thickness + gap)).abs() < 0.03), "gap {gap}");
    }
}
