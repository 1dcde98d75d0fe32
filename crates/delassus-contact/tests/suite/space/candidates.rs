//! Candidate points inside faces: areas, positions, forces, keys.

use delassus_contact::{
    Antagonist, Ball, CandidateSet, Contact, Detector, FacetNodes, FacetSurface, HalfSpace, Normals, Pair, Translation,
    Vector, local_velocity, scatter,
};

use super::{FAR, Solid, cube, sheet, star, vector};
use crate::random::Random;

/// Contacts of points inside the faces of a body (body 0) with an antagonist.
fn detect(
    set: CandidateSet,
    antagonist: impl Into<Antagonist<3>>,
    positions: &[&[f64]],
    reach: f64,
) -> Vec<Contact<3>> {
    let antagonist = antagonist.into();
    let pairs = vec![Pair {
        id: 3,
        pass: 1,
        candidates: set,
        antagonist,
        reach,
        depth: FAR,
        normals: Normals::Facet,
        corners: false,
    }];
    Detector::new(pairs, positions).unwrap().detect(positions, &[Translation::default()]).unwrap().contacts
}

fn area(triangle: &[Vector<3>; 3]) -> f64 {
    0.5 * (triangle[1] - triangle[0]).cross(&(triangle[2] - triangle[0])).norm()
}

#[test]
fn the_pieces_of_a_face_have_its_area_and_its_centroid() {
    let mut random = Random::new(181);
    for round in 0..40 {
        // Flat faces of any shape: triangles and convex quadrilaterals.
        let (a, b) = (vector(&mut random, 1.0), vector(&mut random, 1.0));
        let flat = |s: f64, t: f64| <[f64; 3]>::from(a * s + b * t);
        let mut near = |s: f64, t: f64| flat(s + random.within(-0.2, 0.2), t + random.within(-0.2, 0.2));
        let mut points = vec![near(0.0, 0.0), near(1.0, 0.0), near(1.0, 1.0), near(0.0, 1.0)];
        let mut facet = FacetNodes::from([0, 1, 2, 3]);
        if round % 2 == 0 {
            points.pop();
            facet = FacetNodes::from([0, 1, 2]);
        }
        let solid = Solid { points, facets: vec![facet] };
        let x = solid.points.concat();
        let cut: Vec<[Vector<3>; 3]> = super::triangles(&solid, 1);
        let whole: f64 = cut.iter().map(area).sum();
        let centroid: Vector<3> = cut.iter().map(|t| (t[0] + t[1] + t[2]) / 3.0 * area(t)).sum::<Vector<3>>() / whole;
        let mut last = FAR;
        for n in [1, 2, 4, 8] {
            let set = CandidateSet::on_facets(&solid.surface(0), &x, n).unwrap();
            assert_eq!(set.n_points(), n * n);
            let sum: f64 = set.areas().iter().sum();
            assert!((sum - whole).abs() < 1e-14, "{sum} and {whole}");
            let places = set.points().iter().map(|p| p.position::<3>(&x));
            let mean = places.zip(set.areas()).map(|(p, a)| p * *a).sum::<Vector<3>>() / whole;
            let error = (mean - centroid).norm();
            // Exact for triangles; for quadrilaterals each piece has its middle for its centroid, to second order.
            let bound = if round % 2 == 0 { 1e-14 } else { 0.3 * last + 1e-14 };
            assert!(error < bound, "n = {n}: {error}");
            last = error;
        }
    }
}

#[test]
fn a_pressure_on_the_points_has_the_resultant_of_the_face() {
    // A block on a floor, 4 × 4 points per face: forces p A n add up to the pressure times the area, without moment.
    let block = cube(2, |x| x);
    let below: Vec<FacetNodes> = (0..block.facets.len())
        .filter(|&f| block.corners(f).iter().all(|c| c.z < -0.5))
        .map(|f| block.facets[f])
        .collect();
    assert_eq!(below.len(), 4);
    let surface = FacetSurface::<3>::new(0, below).unwrap();
    let x = block.points.concat();
    let set = CandidateSet::on_facets(&surface, &x, 4).unwrap();
    assert_eq!(set.nodes().len(), 9);
    let floor = HalfSpace { point: Vector::<3>::new(0.0, 0.0, -1.5), normal: Vector::<3>::new(0.0, 0.0, 1.0) };
    let found = detect(set, floor, &[&x], 1.0);
    assert_eq!(found.len(), 64);
    let mut out = vec![vec![0.0; x.len()]];
    for c in &found {
        assert!((c.gap - 0.5).abs() < 1e-15);
        scatter(c, &Vector::<3>::new(7.0 * c.area, 0.0, 0.0), &mut out);
    }
    let (mut force, mut moment) = (Vector::<3>::zeros(), Vector::<3>::zeros());
    for (f, p) in out[0].chunks(3).zip(&block.points) {
        let (f, p) = (Vector::<3>::new(f[0], f[1], f[2]), Vector::<3>::from(*p));
        force += f;
        moment += p.cross(&f);
    }
    assert!((force - Vector::<3>::new(0.0, 0.0, 28.0)).norm() < 1e-13 && moment.norm() < 1e-13, "{force} {moment}");
}

#[test]
fn points_in_a_face_see_what_its_corners_miss() {
    // A ball under the middle of one large face.
    let plate = sheet(1, 1, |_, _| 0.0);
    let x = plate.points.concat();
    let surface = plate.surface(0);
    let ball = Ball { centre: Vector::<3>::new(0.5, 0.5, -0.15), radius: 0.1 };
    let corners = CandidateSet::new(0, (0..4).collect(), vec![0.25; 4]).unwrap();
    assert_eq!(detect(corners, ball, &[&x], 0.1).len(), 0);
    let found = detect(CandidateSet::on_facets(&surface, &x, 4).unwrap(), ball, &[&x], 0.15);
    assert_eq!(found.iter().map(|c| c.key.candidate).collect::<Vec<_>>(), [5, 6, 9, 10]);
    for c in &found {
        assert_eq!((c.key.pair, c.key.pass), (3, 1));
        assert!((c.area - 0.0625).abs() < 1e-16);
    }
}

#[test]
fn between_faces_the_maps_are_transposes_and_momentum_is_kept() {
    let mut random = Random::new(182);
    let mut n_checked = 0;
    for _ in 0..20 {
        // Points in the faces of one solid, against the faces of another that overlaps it.
        let (one, other) = (star(&mut random, 2, 0.7), star(&mut random, 2, 0.8).mixed(&mut random));
        let other = other.map(|x| x + Vector::<3>::new(1.2, 0.1, 0.2));
        let (x, y) = (one.points.concat(), other.points.concat());
        let set = CandidateSet::on_facets(&one.surface(0), &x, 2).unwrap();
        let found = detect(set, Antagonist::Surface(other.surface(1)), &[&x, &y], 0.3);
        assert!(found.windows(2).all(|w| w[0].key < w[1].key), "sorted, no key twice");
        for c in &found {
            let v = [&x, &y].map(|z| z.iter().map(|_| random.within(-1.0, 1.0)).collect::<Vec<f64>>());
            let p = vector(&mut random, 1.0);
            let mut f = vec![vec![0.0; x.len()], vec![0.0; y.len()]];
            scatter(c, &p, &mut f);
            let left = p.dot(&local_velocity(c, &[&v[0], &v[1]]));
            let right: f64 = f.iter().flatten().zip(v.iter().flatten()).map(|(a, b)| a * b).sum();
            assert!((left - right).abs() < 1e-14, "{left} and {right}");
            // No net impulse; the moment is that of the gap: p and −p are x − x' = g n apart.
            let (mut net, mut moment) = (Vector::<3>::zeros(), Vector::<3>::zeros());
            for (f, x) in f.iter().zip([&x, &y]) {
                for (f, x) in f.chunks(3).zip(x.chunks(3)) {
                    let (f, x) = (Vector::<3>::new(f[0], f[1], f[2]), Vector::<3>::new(x[0], x[1], x[2]));
                    net += f;
                    moment += x.cross(&f);
                }
            }
            let couple = (c.normal() * c.gap).cross(&(c.frame * p));
            assert!(net.norm() < 1e-14 && (moment - couple).norm() < 2e-14, "{net} {moment} {couple}");
            n_checked += 1;
        }
    }
    assert!(n_checked > 200, "{n_checked}");
}

#[test]
fn the_rate_of_the_gap_is_the_normal_velocity_of_the_points() {
    let mut random = Random::new(183);
    let dt = 1e-6;
    let (one, other) = (cube(2, |x| x * 0.5), star(&mut random, 3, 0.9));
    let other = other.map(|x| x + Vector::<3>::new(1.6, 0.1, 0.2));
    let (x, y) = (one.points.concat(), other.points.concat());
    let set = CandidateSet::on_facets(&one.surface(0), &x, 3).unwrap();
    let mut velocities = |n: usize| -> Vec<f64> { (0..n).map(|_| random.within(-1.0, 1.0)).collect() };
    let (v, w) = (velocities(x.len()), velocities(y.len()));
    let moved = |x: &[f64], v: &[f64]| -> Vec<f64> { x.iter().zip(v).map(|(x, v)| x + dt * v).collect() };
    let before = detect(set.clone(), Antagonist::Surface(other.surface(1)), &[&x, &y], FAR);
    let (x, y) = (moved(&x, &v), moved(&y, &w));
    let after = detect(set, Antagonist::Surface(other.surface(1)), &[&x, &y], FAR);
    assert_eq!((before.len(), after.len()), (216, 216));
    for (a, b) in before.iter().zip(&after) {
        if (a.normal() - b.normal()).norm() < 1e-4 {
            let rate = (b.gap - a.gap) / dt;
            let u = local_velocity(a, &[&v, &w])[0];
            assert!((rate - u).abs() < 1e-4, "{rate} and {u}");
        }
    }
}
