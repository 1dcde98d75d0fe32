//! Bodies that touch themselves: clamps, rings, folds, thin strips, cracks; and nothing through the thickness.

use delassus_contact::{
    Antagonist, CandidateSet, Contact, Detection, Detector, FacetSurface, Normals, Pair, Translation, Vector,
};

use super::{chain, pair};

const FAR: f64 = f64::INFINITY;

/// Contacts of a body with itself: boundary nodes at rest and now, in closed loops of the given lengths.
fn loops(at_rest: &[[f64; 2]], now: &[[f64; 2]], lengths: &[usize], reach: f64, depth: Option<f64>) -> Detection<2> {
    let mut facets = Vec::new();
    for (k, &n) in lengths.iter().enumerate() {
        let first: usize = lengths[..k].iter().sum();
        facets.extend((0..n).map(|i| [first + i, first + (i + 1) % n]));
    }
    assert_eq!((lengths.iter().sum::<usize>(), now.len()), (at_rest.len(), at_rest.len()));
    let surface = FacetSurface::<2>::new(0, facets).unwrap();
    let (x0, x) = (at_rest.concat(), now.concat());
    // By default the depth of a careless caller: the longest facet, longer than a thin body is thick.
    let depth = depth.unwrap_or(surface.facet_sizes(&x0).1);
    let pairs = vec![pair(now.len(), Antagonist::Surface(surface), reach, depth)];
    Detector::new(pairs, &[&x0]).unwrap().detect(&[&x], &[Translation::default()]).unwrap()
}

fn one_loop(at_rest: &[[f64; 2]], now: &[[f64; 2]], reach: f64, depth: Option<f64>) -> Vec<Contact<2>> {
    loops(at_rest, now, &[now.len()], reach, depth).contacts
}

fn candidate_nodes(found: &[Contact<2>]) -> Vec<usize> {
    found.iter().map(|c| c.key.candidate as usize).collect()
}

/// Boundary of a C: two arms of thickness 1 and length 4 with a slot of the given height, opening to the right. Facets of 0.5.
fn clamp(slot: f64) -> Vec<[f64; 2]> {
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
    // Pieces as for a slot of 0.1, so that every clamp has the same nodes.
    let pieces = [10, 2, 8, 1, 8, 2, 10, 5];
    let mut nodes = Vec::new();
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let n = f64::from(pieces[i]);
        nodes.extend((0..pieces[i]).map(|k| [0, 1].map(|c| a[c] + (b[c] - a[c]) * f64::from(k) / n)));
    }
    nodes
}

#[test]
fn the_arms_of_a_clamp_touch_each_other_and_nothing_else_does() {
    for (rest, slot) in [(0.1, 0.1), (0.1, 1e-9), (0.1, -1e-9), (0.1, -0.1), (1e-9, -0.1), (-1e-9, -0.1)] {
        let nodes = clamp(slot);
        let found = one_loop(&clamp(rest), &nodes, 0.3, Some(0.3));
        let in_slot = |p: &Vector<2>| p[0] > 1.6 && p[1] > 0.5 && p[1] < 1.5 + slot;
        let expected = nodes.iter().filter(|p| in_slot(&(**p).into())).count();
        let seen = found.iter().filter(|c| in_slot(&c.point)).count();
        assert_eq!(seen, expected, "slot {slot}: every node of the faces of the slot");
        for c in &found {
            assert!(c.point[0] > 0.9 && c.point[1] > 0.5 && c.point[1] < 1.5 + slot, "slot {slot}: {:?}", c.point);
            assert!((c.gap - slot).abs() < 1e-15, "slot {slot}: {}", c.gap);
        }
    }
}

#[test]
fn a_body_at_rest_does_not_touch_itself() {
    // Through its own thickness (1) the far face is behind; across the slot of an open clamp nothing is in reach. The reach is
    // several facets long and more than the thickness: neither the neighbourhood nor the far side may answer.
    let block = clamp(2.0);
    assert_eq!(one_loop(&block, &block, 1.9, Some(0.9)), []);
    let n = 41;
    let disc: Vec<[f64; 2]> =
        (0..n).map(|i| std::f64::consts::TAU * f64::from(i) / f64::from(n)).map(|a| [a.cos(), a.sin()]).collect();
    for depth in [0.9, FAR] {
        assert_eq!(one_loop(&disc, &disc, 5.0, Some(depth)), []);
    }
    // The wall of a round hole, its solid outside: concave everywhere, and the far side of the hole is a diameter away.
    let hole: Vec<[f64; 2]> = disc.iter().rev().copied().collect();
    assert_eq!(one_loop(&hole, &hole, 1.9, Some(0.9)), []);
    assert_eq!(one_loop(&hole, &hole, 2.1, Some(0.9)).len(), 41);
}

#[test]
fn candidates_of_the_same_body_off_the_surface_are_ordinary_points() {
    // The lower arm's face as candidates, the upper arm's as antagonist, named separately as groups.
    let (x, upper) = ([0.0, 0.0, 1.0, 0.0, 0.0, 0.2, 1.0, 0.2], vec![[2, 3]]);
    let candidates = CandidateSet::new(0, vec![0, 1], vec![1.0; 2]).unwrap();
    let antagonist = Antagonist::Surface(FacetSurface::<2>::new(0, upper).unwrap());
    let pairs = vec![Pair {
        id: 0,
        pass: 0,
        candidates,
        antagonist,
        reach: 0.5,
        depth: 0.1,
        normals: Normals::Facet,
        corners: false,
    }];
    let found = Detector::new(pairs, &[&x]).unwrap().detect(&[&x], &[Translation::default()]).unwrap().contacts;
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| (c.gap - 0.2).abs() < 1e-15));
}

#[test]
fn faces_of_a_strip_named_as_separate_groups_do_not_touch_through_it() {
    // Candidates on the top, antagonist the bottom of one strip 0.1 thick with facets of 1; depth and reach beyond both.
    let n = 6;
    let bottom = (0..n).map(|i| [f64::from(i), 0.0]);
    let top = (0..n).map(|i| [f64::from(i), 0.1]);
    let x: Vec<f64> = bottom.chain(top).flatten().collect();
    let candidates = CandidateSet::new(0, (6..12).collect(), vec![1.0; 6]).unwrap();
    let pairs = vec![Pair {
        id: 0,
        pass: 0,
        candidates,
        antagonist: Antagonist::Surface(chain(0, 6, false)),
        reach: FAR,
        depth: 1.0,
        normals: Normals::Facet,
        corners: false,
    }];
    let found = Detector::new(pairs, &[&x]).unwrap().detect(&[&x], &[Translation::default()]).unwrap();
    assert_eq!((found.contacts.len(), found.too_deep.len()), (0, 0));
}

/// Boundary of an open ring of inner and outer radii 0.9 and 1.1 that leaves an opening of `half_opening` (rad) on each side of
/// the x axis: outer side, then inner side, n pieces each, one piece thick.
fn open_ring(n: usize, half_opening: f64) -> Vec<[f64; 2]> {
    let angle = |i: usize| half_opening + (std::f64::consts::TAU - 2.0 * half_opening) * i as f64 / n as f64;
    let outer = (0..=n).map(|i| [1.1 * angle(i).cos(), 1.1 * angle(i).sin()]);
    let inner = (0..=n).rev().map(|i| [0.9 * angle(i).cos(), 0.9 * angle(i).sin()]);
    outer.chain(inner).collect()
}

#[test]
fn the_ends_of_a_ring_that_closes_meet_each_other() {
    // 30 pieces of 0.2, as long as the ring is thick. The faces of the ends make twice the half opening ψ; a node at radius r of one
    // face is at r sin 2ψ from the other and its foot at r cos 2ψ. While open, the foot of the inner ones is past the corner of the
    // face, whose distance is 2 r sin ψ; overlapping (ψ < 0) they are inside, and the line of the face counts.
    let n = 30;
    let ends = [0, n, n + 1, 2 * n + 1];
    for psi in [0.04, 0.004, 1e-6, -1e-6, -0.004, -0.02] {
        let found = one_loop(&open_ring(n, 0.1), &open_ring(n, psi), 0.15, None);
        assert_eq!(candidate_nodes(&found), ends, "half opening {psi}");
        for c in &found {
            let r = c.point.norm();
            let at_corner = r < 1.0 && psi > 0.0;
            let expected = if at_corner { 2.0 * r * psi.sin() } else { r * (2.0 * psi).sin() };
            assert!((c.gap - expected).abs() < 1e-15 * 8.0, "half opening {psi}: {} and {expected}", c.gap);
        }
    }
}

/// Boundary of a hairpin: two legs of length 6 and thickness 0.2 one above the other at rest, joined on the left by a block;
/// the upper leg is turned about its root so that its end comes down by `down`. Legs one piece thick, pieces of 0.4, slot 0.3.
fn hairpin(down: f64) -> Vec<[f64; 2]> {
    const PIECES: i32 = 15;
    let turned = |[x, y]: [f64; 2]| [x, y - down * x.max(0.0) / 6.0];
    let along =
        |y: f64, forwards: bool| (0..=PIECES).map(move |i| [0.4 * f64::from(if forwards { i } else { PIECES - i }), y]);
    let lower = along(0.0, true).chain(along(0.2, false));
    let upper = along(0.5, true).chain(along(0.7, false)).map(turned);
    let back = [[-0.4, 0.7], [-0.4, 0.35], [-0.4, 0.0]];
    lower.chain(upper).chain(back).collect()
}

#[test]
fn the_legs_of_a_hairpin_touch_with_their_inner_faces_only() {
    let rest = hairpin(0.0);
    let inner_lower: Vec<usize> = (16..32).collect();
    let inner_upper: Vec<usize> = (32..48).collect();
    for down in [0.0, 0.2, 0.299, 0.301, 0.33] {
        let now = hairpin(down);
        let found = one_loop(&rest, &now, FAR, None);
        // The last node of either face may overhang the turned one; those at the root are each other's neighbours.
        for node in candidate_nodes(&found) {
            assert!(inner_lower.contains(&node) || inner_upper.contains(&node), "down {down}: node {node}");
        }
        assert!(found.len() >= 28, "down {down}: {} of 32 inner nodes", found.len());
        let slope = down / 6.0;
        for c in found.iter().filter(|c| c.point[0] > 0.9 && c.point[0] < 5.5) {
            // The inner faces are the lines y = 0.2 and y = 0.5 − slope x: distance to the line that is not the node's own.
            let upper = c.key.candidate >= 32;
            let expected =
                if upper { c.point[1] - 0.2 } else { (0.5 - slope * c.point[0] - c.point[1]) / slope.hypot(1.0) };
            assert!((c.gap - expected).abs() < 2e-15, "down {down}, {:?}: {} and {expected}", c.point, c.gap);
        }
        let behind = found.iter().filter(|c| c.gap < 0.0).count();
        assert_eq!(behind > 0, down > 0.3, "down {down}: {behind} behind");
    }
}

/// A strip of length 10 with facets of 1, its bottom at `y`: bottom to the right, then top to the left.
fn strip(thickness: f64, shift: f64, y: f64) -> Vec<[f64; 2]> {
    let bottom = (0..=10).map(|i| [f64::from(i) + shift, y]);
    let top = (0..=10).rev().map(|i| [f64::from(i) + shift, y + thickness]);
    bottom.chain(top).collect()
}

#[test]
fn strips_one_element_thick_touch_with_the_faces_that_look_at_each_other() {
    // Two strips in one body and one group, candidates on all faces; the depth is the facet length, up to 20 thicknesses.
    for thickness in [2.0, 1.0, 0.3, 0.05] {
        let at_rest = [strip(thickness, 0.0, 0.0), strip(thickness, 0.5, 1.5 * thickness)].concat();
        for gap in [0.4, 0.01, 0.0, -0.01, -0.3].map(|g| g * thickness) {
            let now = [strip(thickness, 0.0, 0.0), strip(thickness, 0.5, thickness + gap)].concat();
            let found = loops(&at_rest, &now, &[22, 22], FAR, None);
            // The top of the lower strip from x = 1, the bottom of the upper one to x = 9.5; beyond, corners may face ends.
            let expected: Vec<usize> = (11..=20).chain(22..=31).collect();
            let seen: Vec<usize> =
                candidate_nodes(&found.contacts).into_iter().filter(|n| expected.contains(n)).collect();
            assert_eq!(seen, expected, "thickness {thickness}, gap {gap}");
            let facing = found.contacts.iter().filter(|c| expected.contains(&(c.key.candidate as usize)));
            for c in facing {
                assert!((c.gap - gap).abs() < 4e-15, "thickness {thickness}, gap {gap}: {} at {:?}", c.gap, c.point);
            }
            let on_inner = |c: &Contact<2>| (11..=32).contains(&c.key.candidate);
            assert!(found.contacts.iter().all(on_inner), "{:?}", candidate_nodes(&found.contacts));
            assert_eq!(found.penetrations[0].n_behind > 0, gap < 0.0);
        }
    }
}

/// A thin ring, n pieces around and one thick (0.05), its middle line pinched to the half height `waist` at x = 0: outer nodes
/// counter-clockwise, then inner nodes clockwise.
fn pinched_ring(n: usize, waist: f64) -> Vec<[f64; 2]> {
    let at = |i: usize, side: f64| {
        let phi = std::f64::consts::TAU * i as f64 / n as f64;
        let (s, c) = phi.sin_cos();
        let height = waist + (1.0 - waist) * c * c;
        let tangent = Vector::<2>::new(-s, c * height - 2.0 * (1.0 - waist) * c * s * s);
        let outward = Vector::<2>::new(tangent.y, -tangent.x) / tangent.norm();
        let place = Vector::<2>::new(c, s * height) + outward * (0.025 * side);
        [place.x, place.y]
    };
    let outer = (0..n).map(|i| at(i, 1.0));
    outer.chain((0..n).rev().map(|i| at(i, -1.0))).collect()
}

#[test]
fn the_inside_of_a_squeezed_ring_touches_itself_and_its_outside_does_not() {
    let n = 64;
    let rest = pinched_ring(n, 1.0);
    for clearance in [0.5, 0.05, 1e-3, -1e-3, -0.02] {
        let now = pinched_ring(n, 0.5 * (0.05 + clearance));
        let found = loops(&rest, &now, &[n, n], FAR, None);
        // From outside the lobes see each other across the waist, but nothing is near.
        let outer = found.contacts.iter().filter(|c| (c.key.candidate as usize) < n);
        assert!(outer.map(|c| c.gap).fold(FAR, f64::min) > 0.2, "clearance {clearance}: an outer node");
        // Inner node at phi = ±90°: 2n − 1 − n/4 and 2n − 1 − 3n/4. Their distance is the clearance; when one is behind the
        // other, the nearest points are on the chords beside it, sloped by 5.4°.
        let near = |gap: f64| (gap - clearance).abs() < if clearance > 0.0 { 1e-15 } else { 0.005 * clearance.abs() };
        for node in [2 * n - 1 - n / 4, 2 * n - 1 - 3 * n / 4] {
            let c = found.contacts.iter().find(|c| c.key.candidate as usize == node).expect("the waist is in contact");
            assert!(near(c.gap), "{} and {clearance}", c.gap);
        }
        let least = found.contacts.iter().map(|c| c.gap).fold(FAR, f64::min);
        assert!(near(least), "nothing is nearer than the waist: {least} and {clearance}");
    }
    // At rest the inner nodes see the other side of the hole, the outer ones nothing.
    let open = loops(&rest, &rest, &[n, n], FAR, None);
    assert!(open.contacts.iter().all(|c| c.key.candidate as usize >= n && c.gap > 1.0), "{:?}", open.penetrations);
}

#[test]
fn the_sides_of_an_interface_around_a_corner_touch_as_two_bodies_do() {
    // The side of a square inclusion, run counter-clockwise, and the nodes of the hole it was cut from: 4 facets of 1 a side. Points
    // near a corner are behind the facets around it by much less than the depth.
    let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    let mut ring: Vec<[f64; 2]> = Vec::new();
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % 4];
        ring.extend((0..4).map(|k| [0, 1].map(|c| a[c] + (b[c] - a[c]) * f64::from(k) / 4.0)));
    }
    let facets: Vec<[usize; 2]> = (0..16).map(|i| [i, (i + 1) % 16]).collect();
    let hole = FacetSurface::<2>::new(0, facets.iter().map(|f| [f[1] + 16, f[0] + 16]).collect()).unwrap();
    let at_rest = [ring.concat(), ring.concat()].concat();
    let candidates = CandidateSet::on_facets(&hole, &at_rest, 20).unwrap();
    let detect = |body: usize, x: &[f64]| {
        let facets = facets.iter().map(|f| [f[0], f[1]]).collect();
        let antagonist = Antagonist::Surface(FacetSurface::<2>::new(body, facets).unwrap());
        let candidates = candidates.clone();
        let pairs = vec![Pair {
            id: 0,
            pass: 0,
            candidates,
            antagonist,
            reach: 0.5,
            depth: 0.3,
            normals: Normals::Facet,
            corners: false,
        }];
        let mut detector = Detector::new(pairs, &[&at_rest, &at_rest]).unwrap();
        detector.detect(&[x, x], &[Translation::default()]).unwrap().contacts
    };
    for deep in [0.0, 0.02, 0.2] {
        // The hole closes on the inclusion by `deep` from below.
        let mut x = at_rest.clone();
        x[32..].chunks_mut(2).for_each(|p| p[1] += deep);
        let (own, two) = (detect(0, &x), detect(1, &x));
        assert_eq!(own.len(), candidates.points().len(), "deep {deep}");
        assert_eq!(own.len(), two.len());
        for (a, b) in own.iter().zip(&two) {
            assert!((a.gap - b.gap).abs() < 1e-15, "deep {deep} at {:?}: {} and {}", a.point, a.gap, b.gap);
        }
    }
}
