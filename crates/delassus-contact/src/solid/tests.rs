//! Depths against all facets, with inside told by an angle (2D) or a solid angle (3D) instead of a normal.

use super::*;
use crate::testing::Random;

const ALL: DepthLimit = DepthLimit { allowed: 0.0, ratio: 0.0 };

/// A closed surface of nodes and facets.
struct Closed<const D: usize> {
    facets: Vec<FacetNodes>,
    positions: Vec<f64>,
}

/// A star-shaped polygon with n corners, most of them far from convex.
fn polygon(random: &mut Random, n: usize) -> Closed<2> {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    let positions = (0..n).flat_map(|i| {
        let radius = random.within(0.3, 1.0);
        [radius * angle(i).cos(), radius * angle(i).sin()]
    });
    Closed { positions: positions.collect(), facets: (0..n).map(|i| [i, (i + 1) % n].into()).collect() }
}

/// A star-shaped polyhedron: a sphere of rings of nodes, each at a distance of its own.
fn polyhedron(random: &mut Random, rings: usize, around: usize) -> Closed<3> {
    let mut positions = Vec::new();
    let mut push = |polar: f64, azimuth: f64| {
        let radius = random.within(0.5, 1.0);
        positions.extend([
            radius * polar.sin() * azimuth.cos(),
            radius * polar.sin() * azimuth.sin(),
            radius * polar.cos(),
        ]);
    };
    push(0.0, 0.0);
    for ring in 1..=rings {
        for k in 0..around {
            let polar = std::f64::consts::PI * ring as f64 / (rings + 1) as f64;
            push(polar, std::f64::consts::TAU * k as f64 / around as f64);
        }
    }
    push(std::f64::consts::PI, 0.0);
    let node = |ring: usize, k: usize| 1 + (ring - 1) * around + k % around;
    let south = 1 + rings * around;
    let mut facets: Vec<FacetNodes> = Vec::new();
    for k in 0..around {
        facets.push([0, node(1, k), node(1, k + 1)].into());
        facets.push([south, node(rings, k + 1), node(rings, k)].into());
        for ring in 1..rings {
            let [a, b, c, d] = [node(ring, k), node(ring + 1, k), node(ring + 1, k + 1), node(ring, k + 1)];
            facets.push([a, b, c].into());
            facets.push([a, c, d].into());
        }
    }
    Closed { facets, positions }
}

/// How often a closed surface winds round a point, times its full angle: 1 inside, 0 outside.
fn winding<const D: usize>(closed: &Closed<D>, point: &Vector<D>) -> f64 {
    let corner = |node: usize| position_of::<D>(&closed.positions, node) - point;
    let angles = closed.facets.iter().map(|nodes| {
        let x: Vec<Vector<D>> = nodes.iter().map(|&n| corner(n)).collect();
        if D == 2 {
            return (x[0][0] * x[1][1] - x[0][1] * x[1][0]).atan2(x[0].dot(&x[1])) / std::f64::consts::TAU;
        }
        // Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125.
        let r: Vec<f64> = x.iter().map(|x| x.norm()).collect();
        let triple = x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1])
            + x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2])
            + x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
        let below = r[0] * r[1] * r[2] + x[0].dot(&x[1]) * r[2] + x[1].dot(&x[2]) * r[0] + x[2].dot(&x[0]) * r[1];
        2.0 * triple.atan2(below) / (2.0 * std::f64::consts::TAU)
    });
    angles.sum()
}

fn check<const D: usize>(closed: &Closed<D>, random: &mut Random, n_points: usize) -> [usize; 2]
where
    Dimension<D>: NarrowPhase<D>,
{
    let mut shape = SolidShape::<D>::new(closed.facets.clone(), &closed.positions).expect("a closed surface");
    let placed = shape.placed(&closed.positions);
    let mut counts = [0; 2];
    for _ in 0..n_points {
        let place = Vector::<D>::from_fn(|_, _| random.within(-1.0, 1.0));
        let point = SurfacePoint { place, size: f64::INFINITY };
        let corners = |nodes: &FacetNodes| nodes.map(|n| position_of::<D>(&closed.positions, n));
        let distances = closed.facets.iter().map(|nodes| Dimension::<D>::distance(&corners(nodes), &place));
        let distance = distances.fold(f64::INFINITY, f64::min);
        let inside = winding(closed, &place) > 0.5;
        // A limit on the smallest facet is one for all points that are nearer to the surface.
        let limit = DepthLimit { allowed: 0.05, ratio: random.within(0.0, 1.0) };
        let beyond = placed.depth(&point, limit);
        let ratio = beyond.map(|found| found.ratio);
        assert_eq!(
            ratio,
            placed.depth(&point, DepthLimit { ratio: 0.0, ..limit }).map(|f| f.ratio).filter(|r| *r > limit.ratio)
        );
        counts[usize::from(inside)] += 1;
        match placed.depth(&point, ALL) {
            // Coordinates of order one: a few roundings.
            Some(found) => assert!(inside && (found.depth - distance).abs() < 1e-14, "{place}: {found:?}, {distance}"),
            None => assert!(!inside, "{place} is inside by {distance}"),
        }
    }
    counts
}

#[test]
fn depths_are_those_of_all_facets_in_the_plane() {
    let mut random = Random::new(11);
    let mut counts = [0; 2];
    for n in 3..40 {
        let closed = polygon(&mut random, n);
        let found = check(&closed, &mut random, 100);
        counts = [counts[0] + found[0], counts[1] + found[1]];
    }
    assert!(counts.iter().all(|&n| n > 500), "{counts:?}");
}

#[test]
fn depths_are_those_of_all_facets_in_space() {
    let mut random = Random::new(12);
    let mut counts = [0; 2];
    for (rings, around) in [(1, 3), (2, 5), (4, 7), (7, 9)] {
        for _ in 0..4 {
            let closed = polyhedron(&mut random, rings, around);
            let found = check(&closed, &mut random, 100);
            counts = [counts[0] + found[0], counts[1] + found[1]];
        }
    }
    assert!(counts.iter().all(|&n| n > 200), "{counts:?}");
}

/// The rectangle [0, 2] × [0, 1], its lower side cut in two.
fn rectangle() -> Closed<2> {
    let positions = vec![0.0, 0.0, 0.5, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0];
    Closed { positions, facets: (0..5).map(|i| [i, (i + 1) % 5].into()).collect() }
}

#[test]
fn ratios_are_over_the_smaller_facet_and_beyond_what_is_allowed() {
    let Closed { facets, positions } = rectangle();
    let mut shape = SolidShape::<2>::new(facets, &positions).unwrap();
    let sizes = shape.facet_sizes().iter().zip([0.5, 1.5, 1.0, 2.0, 1.0]);
    assert!(shape.facet_sizes().len() == 5 && sizes.fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs())) < 1e-15);
    assert!((shape.node(0, &positions).size - 0.5).abs() < 1e-15);
    assert_eq!(shape.points(&positions).count(), 10);
    let middle = shape.points(&positions).nth(5).unwrap();
    assert_eq!(middle, SurfacePoint { place: Vector::<2>::new(0.25, 0.0), size: 0.5 });
    let placed = shape.placed(&positions);
    let at = |x: f64, y: f64, size: f64| SurfacePoint { place: Vector::<2>::new(x, y), size };
    let ratio = |point, allowed| placed.depth(&point, DepthLimit { allowed, ratio: 0.0 }).map(|d| (d.depth, d.ratio));
    // Near the short facet, near the long one, and as a point of facets that are smaller still.
    assert_eq!(ratio(at(0.25, 0.125, 9.0), 0.0), Some((0.125, 0.25)));
    assert_eq!(ratio(at(1.0, 0.125, 9.0), 0.0), Some((0.125, 0.125 / 1.5)));
    assert_eq!(ratio(at(1.0, 0.125, 0.25), 0.0), Some((0.125, 0.5)));
    assert_eq!(ratio(at(1.0, 0.125, 0.25), 0.0625), Some((0.125, 0.25)));
    assert_eq!(ratio(at(1.0, 0.125, 0.25), 0.125), None);
    assert_eq!(ratio(at(1.0, -0.125, 0.25), 0.0), None);
    // The first of the deepest.
    let points = [at(1.0, 0.1, 1.0), at(1.0, 0.25, 1.0), at(1.25, 0.25, 1.0), at(1.0, 0.2, 1.0)];
    assert_eq!(placed.deepest(points, ALL).unwrap().place, points[1].place);
    assert_eq!(placed.deepest(points, DepthLimit { allowed: 0.0, ratio: 0.3 }), None);
}

#[test]
fn a_shape_serves_its_copies() {
    let Closed { facets, positions } = rectangle();
    let mut shape = SolidShape::<2>::new(facets, &positions).unwrap();
    // Turned by a quarter and moved: (x, y) → (10 − y, x).
    let turned: Vec<f64> = positions.chunks(2).flat_map(|x| [10.0 - x[1], x[0]]).collect();
    let point = |x: f64, y: f64| SurfacePoint { place: Vector::<2>::new(x, y), size: 1.0 };
    let inside = shape.placed(&turned).depth(&point(9.75, 1.0), ALL).unwrap();
    assert!((inside.depth - 0.25).abs() < 1e-14, "{inside:?}");
    assert_eq!(shape.placed(&turned).depth(&point(1.0, 0.5), ALL), None);
    assert!(shape.placed(&positions).depth(&point(1.0, 0.5), ALL).is_some());
}

#[test]
fn what_has_no_inside_is_no_solid() {
    let positions = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
    let open = SolidShape::<2>::new(vec![[0, 1].into(), [1, 2].into()], &positions);
    assert!(open.is_none());
    let branching = [[0, 1], [1, 2], [2, 0], [1, 3], [3, 0]].map(FacetNodes::from).to_vec();
    assert!(SolidShape::<2>::new(branching, &positions).is_none());
    let flat = SolidShape::<2>::new(vec![[0, 1].into(), [1, 0].into()], &[0.0; 4]);
    assert!(flat.is_none());
}
