//! Contact surfaces, pairs, and contact problems as data.

use delassus_contact::{
    Antagonist, Ball, Bore, CandidatePoint, CandidateSet, ContactError, Cylinder, Detector, FacetNodes, FacetSurface,
    HalfSpace, Normals, Obstacle, Pair, Pose, RigidMotion, RigidSurface, Solid, Translation, Vector,
};
use delassus_error::Coded;
use delassus_sim::space::{Dimension, Space};
use delassus_solver::{BlockMatrix, Cone, ContactProblem, Derived, Matrix, SolverError, SolverOptions};

fn check<T>(result: Result<T, ContactError>, code: &str) {
    let error = result.map(|_| ()).unwrap_err();
    assert_eq!(error.code(), code, "{error}");
}

#[test]
fn candidates() {
    check(CandidateSet::new(0, vec![], vec![]), "E0501");
    check(CandidateSet::new(0, vec![1, 2], vec![1.0]), "E0502");
    check(CandidateSet::new(0, vec![1], vec![-1.0]), "E0503");
    check(CandidateSet::new(0, vec![1, 1], vec![1.0, 1.0]), "E0504");
    let middle = || CandidatePoint::interpolated([(1, 0.5), (2, 0.5)]).unwrap();
    check(CandidateSet::from_points(0, vec![middle(), middle()], vec![1.0, 1.0]), "E0505");
    check(CandidatePoint::interpolated([(1, 0.5), (2, 0.6)]), "E0506");
    let round = |radius| delassus_contact::Round { radius, rotation: 5 };
    check(CandidateSet::new(0, vec![1], vec![1.0]).unwrap().round(round(0.0)), "E0508");
    check(CandidateSet::from_points(0, vec![middle()], vec![1.0]).unwrap().round(round(1.0)), "E0509");
    // No machine holds so many candidates.
    assert_eq!(ContactError::TooManyCandidates { index: usize::MAX }.code(), "E0507");
}

fn surface<const D: usize>(facets: &[&[usize]]) -> Result<FacetSurface<D>, ContactError>
where
    Dimension<D>: Space<D>,
{
    FacetSurface::new(1, facets.iter().map(|&f| FacetNodes::try_from(f).unwrap()).collect())
}

#[test]
fn surfaces() {
    check(surface::<2>(&[]), "E0511");
    check(surface::<2>(&[&[0, 1, 2]]), "E0512");
    check(surface::<2>(&[&[5, 5]]), "E0513");
    check(surface::<2>(&[&[0, 1], &[1, 2], &[1, 3]]), "E0514");
    check(surface::<2>(&[&[3, 4], &[3, 9]]), "E0515");
    check(surface::<3>(&[&[0, 1, 2], &[1, 0, 3], &[0, 1, 4]]), "E0516");
    check(surface::<3>(&[&[4, 1, 2], &[3, 4, 1]]), "E0517");
}

#[test]
fn obstacles() {
    let zero = Vector::<3>::zeros();
    let nan = Vector::<3>::repeat(f64::NAN);
    check(HalfSpace { point: zero, normal: zero }.validate(), "E0521");
    check(Ball { centre: nan, radius: 1.0 }.validate(), "E0522");
    let up = Vector::<3>::y();
    check(Cylinder { centre: zero, axis: up, radius: 1.0, half_length: 0.0 }.validate(), "E0527");
    check(Bore { point: zero, axis: zero, radius: 1.0 }.validate(), "E0526");
    let triangle = |points: Vec<Vector<3>>| RigidSurface::mesh(points, vec![[0, 1, 2]]);
    check(triangle(vec![zero, up]), "E0528");
    check(triangle(vec![zero, up, 2.0 * up]), "E0529");
    let corners = || vec![zero, up, Vector::<3>::x()];
    check(RigidSurface::solid(corners(), vec![[0, 1, 2]], Solid::Inside), "E0530");
    check(RigidSurface::solid(corners(), vec![[0, 1, 2], [2, 1, 0]], Solid::Inside), "E0531");
    let line = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]].map(Vector::<2>::from);
    check(RigidSurface::polygon(line.to_vec(), Solid::Inside), "E0534");
}

const POINT: [f64; 2] = [0.5, 0.1];
const FLOOR: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// A point above a floor of one facet.
fn floor() -> Pair<2> {
    Pair {
        id: 0,
        pass: 0,
        candidates: CandidateSet::new(0, vec![0], vec![1.0]).unwrap(),
        antagonist: Antagonist::Surface(surface::<2>(&[&[0, 1]]).unwrap()),
        reach: 1.0,
        depth: 1.0,
        normals: Normals::Facet,
        corners: false,
    }
}

#[test]
fn pairs_and_positions() {
    let pose = Pose::<2>::default();
    check(RigidMotion::between(&pose, &pose, 0.0), "E0541");
    let positions: [&[f64]; 2] = [&POINT, &FLOOR];
    check(Detector::new(vec![Pair { reach: -1.0, ..floor() }], &positions), "E0542");
    check(Detector::new(vec![floor(), floor()], &positions), "E0543");
    check(Detector::new(vec![floor()], &[&POINT]), "E0544");
    check(Detector::new(vec![floor()], &[&POINT, &FLOOR[..2]]), "E0545");
    check(Detector::new(vec![floor()], &[&[f64::NAN, 0.0], &FLOOR]), "E0546");
    check(Detector::new(vec![floor()], &[&POINT, &[1.0, 0.0, 1.0, 0.0]]), "E0519");
    let mut detector = Detector::new(vec![floor()], &positions).unwrap();
    check(detector.detect::<Translation<2>>(&positions, &[]), "E0547");
    let away = Translation { velocity: Vector::<2>::repeat(f64::INFINITY), ..Translation::default() };
    check(detector.detect(&positions, &[away]), "E0548");
    let flat = Pair {
        id: 0,
        pass: 0,
        candidates: CandidateSet::new(0, vec![0], vec![1.0]).unwrap(),
        antagonist: Antagonist::Surface(surface::<3>(&[&[0, 1, 2]]).unwrap()),
        reach: 1.0,
        depth: 1.0,
        normals: Normals::Facet,
        corners: false,
    };
    let line = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    check(Detector::new(vec![flat], &[&[0.0, 0.0, 1.0], &line]), "E0518");
}

/// A problem of two contacts, changed.
fn check_problem(code: &str, change: impl FnOnce(&mut ContactProblem<2>)) {
    let mut problem = ContactProblem {
        operator: BlockMatrix::dense(2, |i, j| Matrix::<2>::identity() * if i == j { 2.0 } else { 0.5 }),
        v_free: vec![delassus_solver::Vector::<2>::new(-1.0, 0.5); 2],
        laws: vec![Derived::standard(Cone::Coulomb(0.3)); 2],
    };
    problem.validate().unwrap();
    change(&mut problem);
    let error = problem.validate().unwrap_err();
    assert_eq!(error.code(), code, "{error}");
}

#[test]
fn contact_problems() {
    check_problem("E0711", |p| p.v_free.truncate(1));
    check_problem("E0712", |p| p.v_free[0][0] = f64::NAN);
    check_problem("E0713", |p| p.laws[0].spring[1] = -2.0);
    check_problem("E0714", |p| {
        p.laws[1].spring[0] = 1.0;
        p.laws[1].w_shift[1] = 1.0;
    });
    check_problem("E0715", |p| p.operator = BlockMatrix::dense(2, |_, _| Matrix::<2>::new(1.0, 2.0, 2.0, 1.0)));
    check_problem("E0716", |p| p.operator = BlockMatrix::dense(2, |_, _| Matrix::<2>::new(0.0, 0.0, 0.0, 1.0)));
    check_problem("E0620", |p| {
        p.laws[1].section = delassus_solver::ConeSection::Ellipse { axis: [1.0, 0.0], ratio: 0.5 };
    });
    let flat = delassus_solver::law::EllipticFriction { along: 0.1, across: 0.2, direction: [1.0, 0.0, 0.0] };
    assert_eq!(delassus_solver::LawSpec::from(flat).build::<2>().err().unwrap().code(), "E0150");
    check_problem("E0631", |p| p.laws[1].cone = Cone::Coulomb(-0.1));
    let one = Matrix::<2>::identity();
    let wrong = |rows| -> SolverError { BlockMatrix::from_rows(rows).map(|_: BlockMatrix<2>| ()).unwrap_err() };
    assert_eq!(wrong(vec![vec![(1, one)]]).code(), "E0717");
    assert_eq!(wrong(vec![vec![(0, one), (0, one)]]).code(), "E0718");
    assert_eq!(SolverOptions { tolerance: 0.0, max_iterations: 1 }.validate().unwrap_err().code(), "E0719");
}
