//! Errors of pairs, positions and motions; those of sets, surfaces, obstacles and frames are beside the code.

use delassus_contact::{
    Antagonist, Ball, ContactError, Detector, HalfSpace, Matrix, Pair, Pose, RigidMotion, RigidSurface, Solid,
    Translation, Vector,
};

use super::{chain, pair};

const POINTS: [f64; 2] = [0.5, 0.1];
const FLOOR: [f64; 6] = [1.0, 0.0, 0.5, 0.0, 0.0, 0.0];

fn floor() -> Pair<2> {
    pair(1, Antagonist::Surface(chain(1, 3, false)), 0.2, 0.2)
}

fn built(pairs: Vec<Pair<2>>, positions: &[&[f64]]) -> ContactError {
    Detector::new(pairs, positions).unwrap_err()
}

/// The same error at construction and at a later detection.
fn check_positions(positions: &[&[f64]], expected: &ContactError) {
    assert_eq!(&built(vec![floor()], positions), expected);
    let mut detector = Detector::new(vec![floor()], &[&POINTS, &FLOOR]).unwrap();
    assert_eq!(&detector.detect(positions, &[Translation::default()]).unwrap_err(), expected);
    // A failed detection leaves no trace.
    let good = detector.detect(&[&POINTS, &FLOOR], &[Translation::default()]).unwrap();
    assert_eq!(good.contacts.len(), 1);
}

#[test]
fn positions_are_checked() {
    check_positions(&[], &ContactError::UnknownBody { body: 0, n_bodies: 0 });
    check_positions(&[&POINTS], &ContactError::UnknownBody { body: 1, n_bodies: 1 });
    check_positions(&[&POINTS, &FLOOR[..5]], &ContactError::UnknownNode { body: 1, node: 2, n_nodes: 2 });
    check_positions(&[&POINTS[..1], &FLOOR], &ContactError::UnknownNode { body: 0, node: 0, n_nodes: 0 });
    for value in [f64::INFINITY, f64::NEG_INFINITY, 1e151] {
        check_positions(
            &[&[0.5, value], &FLOOR],
            &ContactError::InvalidPosition { body: 0, node: 0, component: 1, value },
        );
        let broken = [1.0, 0.0, value, 0.0, 0.0, 0.0];
        check_positions(&[&POINTS, &broken], &ContactError::InvalidPosition { body: 1, node: 1, component: 0, value });
    }
    let nan = built(vec![floor()], &[&[f64::NAN, 0.0], &FLOOR]);
    assert!(matches!(nan, ContactError::InvalidPosition { body: 0, node: 0, component: 0, .. }), "{nan}");
}

#[test]
fn collapsed_facets_are_named_with_their_nodes() {
    let collapsed = [1.0, 0.0, 0.5, 0.0, 0.5, 0.0];
    let error = ContactError::ZeroLengthFacet { body: 1, facet: 1, nodes: vec![1, 2] };
    check_positions(&[&POINTS, &collapsed], &error);
    assert!(error.to_string().contains("facet 1 of body 1 (nodes [1, 2])"), "{error}");
}

#[test]
fn pairs_are_checked() {
    let positions: [&[f64]; 2] = [&POINTS, &FLOOR];
    for (reach, depth, limit, value) in [(-1.0, 0.0, "reach", -1.0), (0.0, -2.0, "depth", -2.0)] {
        let broken = Pair { reach, depth, id: 3, ..floor() };
        assert_eq!(built(vec![broken], &positions), ContactError::InvalidLimit { pair: 3, pass: 0, limit, value });
    }
    let nan = built(vec![Pair { depth: f64::NAN, ..floor() }], &positions);
    assert!(matches!(nan, ContactError::InvalidLimit { limit: "depth", .. }), "{nan}");
    let twice = vec![floor(), Pair { id: 1, ..floor() }, floor()];
    assert_eq!(built(twice, &positions), ContactError::DuplicatePair { pair: 0, pass: 0 });
    let flat = HalfSpace { point: Vector::<2>::zeros(), normal: Vector::<2>::zeros() };
    let broken = pair(1, flat.into(), 1.0, 1.0);
    assert_eq!(built(vec![broken], &positions), ContactError::ZeroNormal { normal: vec![0.0; 2] });
}

#[test]
fn motions_are_checked() {
    let positions: [&[f64]; 2] = [&POINTS, &FLOOR];
    let mut detector = Detector::new(vec![floor()], &positions).unwrap();
    let none: [Translation<2>; 0] = [];
    assert_eq!(detector.detect(&positions, &none).unwrap_err(), ContactError::MotionCount { motions: 0, pairs: 1 });
    let bad = Vector::<2>::new(0.0, f64::INFINITY);
    let value = vec![0.0, f64::INFINITY];
    let motion = Translation { displacement: bad, ..Translation::default() };
    let error = detector.detect(&positions, &[motion]).unwrap_err();
    assert_eq!(error, ContactError::NonFiniteMotion { pair: 0, pass: 0, what: "displacement", value: value.clone() });
    let motion = Translation { velocity: bad, ..Translation::default() };
    let error = detector.detect(&positions, &[motion]).unwrap_err();
    assert_eq!(error, ContactError::NonFiniteMotion { pair: 0, pass: 0, what: "velocity", value });
    let broken = |what: &'static str, motion: RigidMotion<2>| {
        let found = Detector::new(vec![floor()], &positions).unwrap().detect(&positions, &[motion]).unwrap_err();
        let named = matches!(found, ContactError::NonFiniteMotion { pair: 0, pass: 0, what: w, .. } if w == what);
        assert!(named, "{what}: {found}");
    };
    let turned = |angle: f64, centre: f64| RigidMotion {
        pose: Pose::turned(angle, Vector::<2>::new(centre, 0.0), Vector::<2>::zeros()),
        ..RigidMotion::default()
    };
    broken("rotation", turned(f64::NAN, 0.0));
    broken("rotation", turned(f64::INFINITY, 0.0));
    broken("centre", turned(0.0, f64::NEG_INFINITY));
    broken("spin", RigidMotion { spin: Matrix::<2>::repeat(f64::NAN), ..RigidMotion::default() });
}

#[test]
fn rigid_shapes_are_checked_when_they_are_built_and_moved() {
    let positions: [&[f64]; 1] = [&POINTS];
    let round = Ball { centre: Vector::<2>::zeros(), radius: -1.0 };
    let broken = pair(1, round.into(), 1.0, 1.0);
    assert_eq!(built(vec![broken], &positions), ContactError::InvalidRadius { radius: -1.0 });
    // Moved so far that its sides are lost to rounding.
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vector::<2>::from);
    let square = RigidSurface::polygon(square.to_vec(), Solid::Inside).unwrap();
    let mut detector = Detector::new(vec![pair(1, square.into(), 1.0, 1.0)], &positions).unwrap();
    let away = Translation { displacement: Vector::<2>::repeat(1e20), ..Translation::default() };
    let lost = detector.detect(&positions, &[away]).unwrap_err();
    assert_eq!(lost, ContactError::ZeroLengthObstacle { a: vec![1e20; 2], b: vec![1e20; 2] });
    assert_eq!(detector.detect(&positions, &[Translation::default()]).unwrap().contacts.len(), 1, "and it comes back");
}
