//! Errors of surfaces, positions and rigid meshes in 3D; those of shapes, sets and weights are beside the code.

use delassus_contact::{
    Antagonist, ContactError, Detector, FacetNodes, FacetSurface, HalfSpace, Pose, RigidMotion, RigidSurface, Solid,
    Translation, Vector,
};

use super::{FAR, cube, pair};

const TRIANGLE: [f64; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const POINT: [f64; 3] = [0.2, 0.2, 0.1];

fn surface(facets: &[&[usize]]) -> ContactError {
    let facets = facets.iter().map(|&f| FacetNodes::try_from(f).unwrap()).collect();
    FacetSurface::<3>::new(7, facets).unwrap_err()
}

#[test]
fn surfaces_are_checked() {
    assert_eq!(surface(&[]), ContactError::EmptySurface { body: 7 });
    let line = ContactError::CornerCount { facet: 1, count: 2, fewest: 3, most: 4 };
    assert_eq!(surface(&[&[0, 1, 2], &[3, 4]]), line);
    assert_eq!(surface(&[&[0, 1, 2, 1]]), ContactError::RepeatedNode { facet: 0, node: 1 });
    let three = ContactError::BranchingSurface { nodes: [0, 1], count: 3, facets: vec![0, 1, 2] };
    assert_eq!(surface(&[&[0, 1, 2], &[1, 0, 3], &[0, 1, 4]]), three);
    let opposite = ContactError::OppositeFacets { nodes: [1, 4], first: 0, second: 1 };
    assert_eq!(surface(&[&[4, 1, 2], &[3, 4, 1]]), opposite);
    assert!(opposite.to_string().contains("counter-clockwise") && three.to_string().contains("[0, 1, 2]"));
}

#[test]
fn sheets_are_connected() {
    let sheet = FacetSurface::<3>::new(0, vec![FacetNodes::from([0, 1, 4, 3]), FacetNodes::from([1, 2, 4])]).unwrap();
    assert_eq!(sheet.neighbours(0), [None, Some(1), None, None]);
    assert_eq!(sheet.neighbours(1), [None, None, Some(0)]);
    assert!(!sheet.is_closed());
    assert!(cube(2, |x| x).surface(0).is_closed());
    assert_eq!(sheet.nodes().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(sheet.facets_of(4).collect::<Vec<_>>(), [0, 1]);
    let (low, high) = sheet.facet_sizes(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0]);
    assert!((low - 2.0).abs() < 1e-15 && (high - 10f64.sqrt()).abs() < 1e-15, "longest edges: {low} {high}");
}

/// The same error at construction and at a later detection.
fn check_positions(positions: &[&[f64]], expected: &ContactError) {
    let floor = || pair(1, Antagonist::Surface(FacetSurface::new(1, vec![[0, 1, 2]]).unwrap()), 1.0, 1.0);
    assert_eq!(&Detector::new(vec![floor()], positions).unwrap_err(), expected);
    let mut detector = Detector::new(vec![floor()], &[&POINT, &TRIANGLE]).unwrap();
    assert_eq!(&detector.detect(positions, &[Translation::default()]).unwrap_err(), expected);
    // A failed detection leaves no trace.
    assert_eq!(detector.detect(&[&POINT, &TRIANGLE], &[Translation::default()]).unwrap().contacts.len(), 1);
}

#[test]
fn positions_are_checked() {
    check_positions(&[&POINT, &TRIANGLE[..8]], &ContactError::UnknownNode { body: 1, node: 2, n_nodes: 2 });
    for value in [f64::INFINITY, f64::NEG_INFINITY, 1e151] {
        let broken = [0.0, 0.0, value];
        check_positions(
            &[&broken, &TRIANGLE],
            &ContactError::InvalidPosition { body: 0, node: 0, component: 2, value },
        );
        let mut broken = TRIANGLE;
        broken[5] = value;
        check_positions(&[&POINT, &broken], &ContactError::InvalidPosition { body: 1, node: 1, component: 2, value });
    }
    // On a line, and at one place.
    let flat = ContactError::FlatFacet { body: 1, facet: 0, nodes: vec![0, 1, 2] };
    check_positions(&[&POINT, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0]], &flat);
    check_positions(&[&POINT, &[2.0; 9]], &flat);
    assert!(flat.to_string().contains("facet 0 of body 1 (nodes [0, 1, 2])"), "{flat}");
    let nan = [f64::NAN, 0.0, 0.0];
    let floor = pair(1, Antagonist::Surface(FacetSurface::new(1, vec![[0, 1, 2]]).unwrap()), 1.0, 1.0);
    let error = Detector::new(vec![floor], &[&nan, &TRIANGLE]).unwrap_err();
    assert!(matches!(error, ContactError::InvalidPosition { body: 0, node: 0, component: 0, .. }), "{error}");
}

#[test]
fn rotations_are_checked() {
    let floor = HalfSpace { point: Vector::<3>::zeros(), normal: Vector::<3>::new(0.0, 0.0, 1.0) };
    let mut detector = Detector::new(vec![pair(1, floor.into(), 1.0, 1.0)], &[&POINT]).unwrap();
    for bad in [f64::NAN, f64::INFINITY] {
        let turn = Vector::<3>::new(0.0, bad, 0.0);
        let pose = Pose::turned_about(turn, Vector::<3>::zeros(), Vector::<3>::zeros());
        let error = detector.detect(&[&POINT], &[RigidMotion { pose, ..RigidMotion::default() }]).unwrap_err();
        assert!(matches!(error, ContactError::NonFiniteMotion { what: "rotation", .. }), "{error}");
    }
}

fn tetrahedron() -> (Vec<Vector<3>>, Vec<[usize; 3]>) {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector::<3>::from);
    (points.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
}

#[test]
fn rigid_meshes_are_checked() {
    let (points, facets) = tetrahedron();
    let mesh = |points: &[Vector<3>], facets: &[[usize; 3]]| {
        RigidSurface::mesh(points.to_vec(), facets.to_vec()).map(|_| ()).unwrap_err()
    };
    assert_eq!(mesh(&points, &[]), ContactError::EmptySurface { body: 0 });
    let unknown = ContactError::UnknownPoint { facet: 0, point: 2, n_points: 2 };
    assert_eq!(mesh(&points[..2], &facets), unknown);
    let mut broken = points.clone();
    broken[3].y = f64::NAN;
    assert!(matches!(mesh(&broken, &facets), ContactError::NonFiniteObstacle { what: "point", .. }));
    broken[3] = Vector::<3>::new(2.0, 0.0, 0.0);
    let flat = mesh(&broken, &facets);
    assert!(matches!(flat, ContactError::FlatObstacleFacet { facet: 1, .. }), "{flat}");
    assert!(flat.to_string().contains("[2.0, 0.0, 0.0]"), "{flat}");
    let solid = |points: &[Vector<3>], facets: &[[usize; 3]]| {
        RigidSurface::solid(points.to_vec(), facets.to_vec(), Solid::Inside).map(|_| ())
    };
    assert_eq!(solid(&points, &facets), Ok(()));
    assert_eq!(solid(&points, &facets[1..]), Err(ContactError::OpenSolid { facet: 0, from: 0, to: 1 }));
    // A triangle and its back: closed, and around nothing.
    let sheet = solid(&points, &[[0, 1, 2], [2, 1, 0]]);
    assert!(matches!(sheet, Err(ContactError::FlatSolid { n_facets: 2, .. })), "{sheet:?}");
}

#[test]
fn solids_are_oriented_by_the_flag_not_by_their_order() {
    let (points, facets) = tetrahedron();
    let turned: Vec<[usize; 3]> = facets.iter().map(|f| [f[2], f[1], f[0]]).collect();
    for facets in [facets, turned] {
        for (solid, gap) in [(Solid::Inside, -0.1), (Solid::Outside, 0.1)] {
            let rigid = RigidSurface::solid(points.clone(), facets.clone(), solid).unwrap();
            let x = [0.1, 0.2, 0.2];
            let mut detector = Detector::new(vec![pair(1, rigid.into(), FAR, FAR)], &[&x]).unwrap();
            let found = detector.detect(&[&x], &[Translation::default()]).unwrap().contacts;
            assert!((found[0].gap - gap).abs() < 1e-15, "{solid:?}: {}", found[0].gap);
        }
    }
}

#[test]
fn a_rigid_mesh_moved_too_far_is_named() {
    let (points, facets) = tetrahedron();
    let rigid = RigidSurface::solid(points, facets, Solid::Inside).unwrap();
    let mut detector = Detector::new(vec![pair(1, rigid.into(), 1.0, 1.0)], &[&POINT]).unwrap();
    let away = Translation { displacement: Vector::<3>::repeat(1e20), ..Translation::default() };
    let lost = detector.detect(&[&POINT], &[away]).unwrap_err();
    assert_eq!(lost, ContactError::FlatObstacleFacet { facet: 0, corners: vec![vec![1e20; 3]; 3] });
    assert_eq!(detector.detect(&[&POINT], &[Translation::default()]).unwrap().contacts.len(), 1, "and it comes back");
}
