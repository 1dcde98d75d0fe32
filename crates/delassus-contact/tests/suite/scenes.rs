//! Small scenes with known contacts: two bars, obstacles, limits, self contact, keys.

use delassus_contact::{
    Antagonist, CandidateSet, Contact, ContactKey, Detector, HalfSpace, Map, Matrix, Normals, Obstacle, Pair, Pose,
    Segment, Translation, Vector,
};
use delassus_contact::{local_velocity, scatter};

use super::{chain, detect, pair};

/// Face of a bar at x = 1, run upwards: solid on the left, normal +x.
const FACE: [[f64; 2]; 4] = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [1.0, 0.3]];

fn obstacle_contacts(
    points: &[[f64; 2]],
    obstacle: impl Into<Antagonist<2>>,
    motion: Translation<2>,
    limits: [f64; 2],
) -> Vec<Contact<2>> {
    let x = points.concat();
    let pairs = vec![pair(points.len(), obstacle.into(), limits[0], limits[1])];
    Detector::new(pairs, &[&x]).unwrap().detect(&[&x], &[motion]).unwrap().contacts
}

#[test]
fn bars_whose_faces_coincide_touch_node_to_node() {
    let found = detect(&FACE, &FACE, false, 0.0, 0.0).contacts;
    assert_eq!(found.len(), 4);
    for (i, c) in found.iter().enumerate() {
        assert_eq!(c.gap.to_bits() << 1, 0, "a gap of zero exactly");
        assert_eq!(c.frame, Matrix::<2>::new(1.0, 0.0, 0.0, 1.0));
        assert_eq!(c.sides[1].map, Map::Nodes(vec![(i, 1.0)]));
    }
}

#[test]
fn a_rounding_between_the_faces_changes_nothing_of_weight() {
    let shifted = FACE.map(|[x, y]| [x.next_up(), (y * 3.0) / 3.0 + 1e-17]);
    let found = detect(&shifted, &FACE, false, 1e-9, 1e-9).contacts;
    assert_eq!(found.len(), 4);
    for c in &found {
        assert!(c.gap.abs() < 3e-16 && (c.normal() - Vector::<2>::new(1.0, 0.0)).norm() < 1e-15, "{c:?}");
    }
}

#[test]
fn the_wider_bar_overhangs_a_little_within_any_reach() {
    // 4 % of the end segment past the end: the reach need not be that large.
    let found = detect(&[[1.0, 0.304], [1.0, -0.004], [1.0, 0.306]], &FACE, false, 1e-12, 0.0).contacts;
    assert_eq!(found.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(found[0].sides[1].map, Map::Nodes(vec![(3, 1.0)]));
}

#[test]
fn contacts_between_bodies_conserve_momentum_and_follow_the_gap() {
    let (points, nodes) = ([[1.2, 0.13], [1.1, 0.27]], FACE);
    let (v, w) = ([-1.0, 0.3, -2.0, 0.1], [0.5, 0.0, 0.4, 0.1, 0.3, 0.2, 0.2, 0.3]);
    let dt = 1e-6;
    let moved = |x: &[[f64; 2]], v: &[f64]| -> Vec<[f64; 2]> {
        x.iter().zip(v.chunks(2)).map(|(x, v)| [x[0] + dt * v[0], x[1] + dt * v[1]]).collect()
    };
    let before = detect(&points, &nodes, false, 1.0, 0.1).contacts;
    let after = detect(&moved(&points, &v), &moved(&nodes, &w), false, 1.0, 0.1).contacts;
    assert_eq!((before.len(), after.len()), (2, 2));
    for (a, b) in before.iter().zip(&after) {
        // dg/dt = U_N exactly at fixed normal and weights; the rest is of order dt.
        let rate = (b.gap - a.gap) / dt;
        let u = local_velocity(a, &[&v, &w]);
        assert!((rate - u[0]).abs() < 1e-5, "{rate} and {u}");
        let mut out = vec![vec![0.0; 4], vec![0.0; 8]];
        scatter(a, &Vector::<2>::new(3.0, -2.0), &mut out);
        for i in 0..2 {
            let total: f64 = out.iter().flat_map(|f| f.iter().skip(i).step_by(2)).sum();
            assert!(total.abs() < 1e-15);
        }
    }
}

#[test]
fn a_half_space_is_felt_at_any_depth_and_moves() {
    let floor = HalfSpace { point: Vector::<2>::new(5.0, 1.0), normal: Vector::<2>::new(0.0, 20.0) };
    let motion = Translation { displacement: Vector::<2>::new(0.0, 0.5), velocity: Vector::<2>::new(0.0, 3.0) };
    let found = obstacle_contacts(&[[0.0, 1.75], [9.0, -99.5], [0.0, 3.0]], floor, motion, [1.0, 0.01]);
    assert_eq!(found.iter().map(|c| (c.key.candidate, c.gap)).collect::<Vec<_>>(), [(0, 0.25), (1, -101.0)]);
    assert_eq!(found[0].frame, Matrix::<2>::new(0.0, -1.0, 1.0, 0.0));
    assert_eq!(found[0].sides[1].body, None);
    let u = local_velocity(&found[0], &[&[0.0, -2.0, 0.0, 0.0, 0.0, 0.0]]);
    assert!((u - Vector::<2>::new(-5.0, 0.0)).norm() < 1e-15);
}

#[test]
fn every_obstacle_has_its_own_motion_in_the_order_of_the_pairs() {
    let floor = HalfSpace { point: Vector::<2>::zeros(), normal: Vector::<2>::new(0.0, 1.0) };
    let wall = HalfSpace { point: Vector::<2>::zeros(), normal: Vector::<2>::new(1.0, 0.0) };
    let pairs = [(5, floor), (2, wall)].map(|(id, o)| Pair { id, ..pair(1, o.into(), 9.0, 0.0) });
    let move_by =
        |x: f64, y: f64| Translation { displacement: Vector::<2>::new(x, y), velocity: Vector::<2>::new(x, y) * 10.0 };
    let x = [3.0, 4.0];
    let mut detector = Detector::new(pairs.to_vec(), &[&x]).unwrap();
    let found = detector.detect(&[&x], &[move_by(0.0, 0.5), move_by(0.25, 0.0)]).unwrap().contacts;
    let seen: Vec<_> = found.iter().map(|c| (c.key.pair, c.gap, c.sides[1].velocity)).collect();
    assert_eq!(seen, [(2, 2.75, Vector::<2>::new(2.5, 0.0)), (5, 3.5, Vector::<2>::new(0.0, 5.0))]);
}

#[test]
fn a_segment_obstacle_ends_and_has_a_depth() {
    // A table from x = 2 to x = 0, normal up.
    let table = Segment { a: Vector::<2>::new(2.0, 0.0), b: Vector::<2>::new(0.0, 0.0) };
    let points = [[1.0, 0.2], [2.05, -0.1], [2.2, 0.0], [1.0, -0.4], [-0.15, 0.0]];
    let found = obstacle_contacts(&points, table, Translation::default(), [0.3, 0.3]);
    assert_eq!(found.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0, 1]);
    assert!((found[0].gap - 0.2).abs() < 1e-15 && (found[1].gap + 0.1).abs() < 1e-15);
    assert!(found.iter().all(|c| (c.normal() - Vector::<2>::new(0.0, 1.0)).norm() < 1e-15));
    let motion = Translation { displacement: Vector::<2>::new(-0.2, 0.1), velocity: Vector::<2>::new(1.0, 0.0) };
    let moved = obstacle_contacts(&points, table, motion, [0.3, 0.3]);
    let by_hand = obstacle_contacts(
        &points,
        Antagonist::Obstacle(table.placed(&Pose::translated(motion.displacement))),
        Translation { displacement: Vector::<2>::zeros(), ..motion },
        [0.3, 0.3],
    );
    assert_eq!(moved, by_hand);
    assert_eq!(moved.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0, 4]);
}

#[test]
fn nodes_on_another_side_are_left_out_and_those_going_through_are_listed() {
    let found = detect(&[[0.95, 0.15], [0.85, 0.15], [0.5, 0.15], [1.2, 0.15]], &FACE, false, 0.1, 0.1);
    assert_eq!(found.contacts.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [0]);
    // −0.15 is between once and twice the depth; −0.5 is simply elsewhere.
    assert_eq!(found.too_deep, [ContactKey::nearest(0, 0, 1)]);
}

/// Two faces opposite each other as a two-pass pair, in the wrong order on purpose; every body once candidate, once antagonist.
fn two_passes(faces: &[Vec<[f64; 2]>; 2]) -> Vec<Contact<2>> {
    let one = |pass: u64, from: usize| Pair {
        id: 7,
        pass,
        candidates: CandidateSet::new(from, (0..faces[from].len()).collect(), vec![0.1; faces[from].len()]).unwrap(),
        antagonist: Antagonist::Surface(chain(1 - from, faces[1 - from].len(), false)),
        reach: 0.05,
        depth: 0.05,
        normals: Normals::Facet,
        corners: false,
    };
    let x = faces.clone().map(|nodes| nodes.concat());
    let positions: [&[f64]; 2] = [&x[0], &x[1]];
    let mut detector = Detector::new(vec![one(1, 1), one(0, 0)], &positions).unwrap();
    assert_eq!((detector.n_pairs(), detector.n_surfaces()), (2, 2));
    detector.detect(&positions, &[Translation::default(); 2]).unwrap().contacts
}

#[test]
fn two_passes_have_their_own_keys_in_order() {
    let other: Vec<[f64; 2]> = FACE.iter().rev().map(|&[x, y]| [x + 0.01, y]).collect();
    let contacts = two_passes(&[FACE.to_vec(), other]);
    assert_eq!(contacts.len(), 8);
    assert!(contacts.windows(2).all(|w| w[0].key < w[1].key), "sorted, no key twice");
    for c in &contacts {
        assert!((c.gap - 0.01).abs() < 1e-15 && (c.area - 0.1).abs() < 1e-15);
        let x = if c.key.pass == 0 { -1.0 } else { 1.0 };
        assert!((c.normal()[0] - x).abs() < 1e-15, "from the antagonist to the candidate");
    }
}

#[test]
fn both_passes_act_with_opposite_resultants_and_moments() {
    // Faces of different meshes, in touch: the moments too must balance, which they do where the gap is zero.
    let other = [0.0, 0.13, 0.16, 0.24, 0.3].map(|y| [1.0, 0.3 - y]);
    let faces = [FACE.to_vec(), other.to_vec()];
    let contacts = two_passes(&faces);
    let in_pass = |pass| contacts.iter().filter(|c| c.key.pass == pass).count();
    assert_eq!((in_pass(0), in_pass(1)), (4, 5), "every node of either face is a candidate");
    assert!(contacts.windows(2).all(|w| w[0].key < w[1].key), "no key twice");
    for pass in [0, 1] {
        let mut out = [vec![0.0; 8], vec![0.0; 10]];
        for (i, c) in contacts.iter().enumerate().filter(|(_, c)| c.key.pass == pass) {
            scatter(c, &Vector::<2>::new(1.0 + i as f64, 0.3 - 0.2 * i as f64), &mut out);
        }
        let wrench = |body: usize| {
            let forces = out[body].chunks(2).zip(&faces[body]);
            forces.fold([0.0; 3], |w, (f, x)| [w[0] + f[0], w[1] + f[1], w[2] + x[0] * f[1] - x[1] * f[0]])
        };
        let (one, two) = (wrench(0), wrench(1));
        assert!(one[0].abs() > 1.0, "the pass acts: {one:?}");
        // Sums of nine numbers of order ten.
        assert!((0..3).all(|k| (one[k] + two[k]).abs() < 1e-13), "pass {pass}: {one:?} and {two:?}");
    }
}

#[test]
fn penetrations_are_summed_up_pair_by_pair() {
    // The last one is as deep as the third: the lower key is named.
    let points = [[0.95, 0.15], [1.1, 0.15], [0.85, 0.15], [0.99, 0.25], [0.85, 0.18]];
    let (x, face) = (points.concat(), FACE.concat());
    let surface = |id, reach| Pair { id, ..pair(5, Antagonist::Surface(chain(1, 4, false)), reach, 0.1) };
    let wall = HalfSpace { point: Vector::<2>::new(0.9, 0.0), normal: Vector::<2>::new(1.0, 0.0) };
    let above = HalfSpace { point: Vector::<2>::zeros(), normal: Vector::<2>::new(0.0, 1.0) };
    let pairs = vec![
        surface(9, 0.2),
        Pair { id: 4, ..pair(5, wall.into(), 0.5, 0.1) },
        Pair { id: 5, ..pair(5, above.into(), 0.5, 0.1) },
        surface(2, 0.0),
    ];
    let mut detector = Detector::new(pairs, &[&x, &face]).unwrap();
    assert_eq!(detector.n_surfaces(), 1, "equal surfaces share a tree");
    let found = detector.detect(&[&x, &face], &[Translation::default(); 4]).unwrap();
    // In the caller's order: the face (0.05 and 0.01 behind, 0.15 twice too deep), the wall (0.05 twice), nothing, and the face again.
    let seen: Vec<_> = found.penetrations.iter().map(|p| (p.n_behind, p.n_too_deep)).collect();
    assert_eq!(seen, [(4, 2), (2, 0), (0, 0), (4, 2)]);
    assert_eq!(found.too_deep.len(), 4);
    for (k, id, gap) in [(0, 9, -0.15), (1, 4, -0.05), (3, 2, -0.15)] {
        let deepest = found.penetrations[k].deepest.expect("a deepest");
        assert_eq!(deepest.key, ContactKey::nearest(id, 0, 2));
        assert_eq!(deepest.point, Vector::<2>::from(points[2]));
        assert!((deepest.gap - gap).abs() < 1e-15);
    }
    assert_eq!(found.penetrations[2].deepest, None);
}
