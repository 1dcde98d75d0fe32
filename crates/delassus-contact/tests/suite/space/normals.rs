//! The continuous normal: no jump over ridges, the sign of the gap kept, nearer to the smooth surface's.

use delassus_contact::{Antagonist, Ball, Contact, Detector, Normals, Pair, Pose, RigidSurface, Translation, Vector};

use super::{FAR, Solid, cube, pair, sheet, vector};
use crate::random::Random;

fn detect(points: &[[f64; 3]], antagonist: &Antagonist<3>, solid: &Solid, normals: Normals) -> Vec<Contact<3>> {
    let (x, y) = (points.concat(), solid.points.concat());
    let pairs = vec![Pair { normals, ..pair(points.len(), antagonist.clone(), FAR, FAR) }];
    Detector::new(pairs, &[&x, &y]).unwrap().detect(&[&x, &y], &[Translation::default()]).unwrap().contacts
}

fn both(points: &[[f64; 3]], solid: &Solid) -> [Vec<Contact<3>>; 2] {
    let surface = Antagonist::Surface(solid.surface(1));
    [Normals::Facet, Normals::Continuous].map(|normals| detect(points, &surface, solid, normals))
}

/// Largest angle between successive normals (rad).
fn largest_turn(contacts: &[Contact<3>]) -> f64 {
    contacts.windows(2).map(|w| w[0].normal().angle(&w[1].normal())).fold(0.0, f64::max)
}

#[test]
fn along_a_coarse_ball_the_normal_does_not_jump() {
    let ball = cube(6, |x| x.normalize());
    let n = 4000;
    let path = |r: f64| -> Vec<[f64; 3]> {
        let at = |i: usize| Vector::<3>::new(0.3, (1.9 * i as f64 / n as f64).cos(), (1.9 * i as f64 / n as f64).sin());
        (0..n).map(|i| (at(i).normalize() * r).into()).collect()
    };
    // From outside, where the foot does not jump.
    for r in [1.0, 1.001, 1.05] {
        let [facet, smooth] = both(&path(r), &ball);
        assert_eq!((facet.len(), smooth.len()), (n, n));
        let step = 1.9 / n as f64;
        let worst = |contacts: &[Contact<3>]| contacts.iter().map(|c| c.normal().angle(&c.point)).fold(0.0, f64::max);
        // The nodal normals of a mesh of a ball are radial but for its irregularity, and turn as the ball's do, not in the narrow wedges.
        assert!(largest_turn(&smooth) < 1.3 * step, "r {r}: {}", largest_turn(&smooth) / step);
        assert!(largest_turn(&facet) > 10.0 * step, "r {r}: {}", largest_turn(&facet) / step);
        assert!(worst(&smooth) < 0.03 && worst(&facet) > 0.2, "r {r}: {} and {}", worst(&smooth), worst(&facet));
        for (a, b) in facet.iter().zip(&smooth) {
            assert_eq!((a.key, &a.sides, a.area), (b.key, &b.sides, b.area), "foot and weights are the facet's");
            let seen = a.gap * a.normal().dot(&b.normal());
            assert!((b.gap - seen).abs() < 1e-16, "{} and {seen}", b.gap);
        }
    }
}

#[test]
fn on_a_flat_sheet_both_normals_are_the_same() {
    let mut random = Random::new(171);
    let flat = sheet(4, 3, |x, y| 0.3 * x + 0.1 * y).mixed(&mut random);
    let points: Vec<[f64; 3]> =
        (0..300).map(|_| [random.within(0.0, 1.0), random.within(0.0, 1.0), random.within(-0.2, 0.6)]).collect();
    let [facet, smooth] = both(&points, &flat);
    assert!(facet.len() > 200, "{}", facet.len());
    for (a, b) in facet.iter().zip(&smooth) {
        assert!((a.gap - b.gap).abs() < 1e-15 && (a.normal() - b.normal()).norm() < 4e-15, "{a:?}");
    }
}

#[test]
fn the_sign_of_the_gap_is_kept_and_sharp_edges_are_rounded() {
    let mut random = Random::new(172);
    let block = cube(3, |x| x);
    let points: Vec<[f64; 3]> = (0..500).map(|_| vector(&mut random, 1.5).into()).collect();
    let [facet, smooth] = both(&points, &block);
    for (a, b) in facet.iter().zip(&smooth) {
        assert!(a.gap.abs() < 1e-12 || (a.gap < 0.0) == (b.gap < 0.0), "{} and {}", a.gap, b.gap);
        assert!(b.gap.abs() <= a.gap.abs() + 1e-16);
    }
    // At a corner: the mean of the three faces, whatever the direction of the point in the wedge.
    let [_, smooth] = both(&[[1.5, 1.1, 1.2]], &block);
    assert!((smooth[0].normal() - Vector::<3>::repeat((1.0f64 / 3.0).sqrt())).norm() < 1e-15);
}

#[test]
fn rigid_meshes_have_it_and_their_velocity_is_that_of_the_foot() {
    let ball = cube(4, |x| x.normalize());
    let points = ball.points.iter().map(|&p| p.into()).collect();
    let rigid: Antagonist<3> = RigidSurface::mesh(points, ball.facets.clone()).unwrap().into();
    let x = [[0.3, 0.2, 1.1]].concat();
    let turn = Pose::turned_about(Vector::<3>::new(0.1, 0.2, 0.3), Vector::<3>::zeros(), Vector::<3>::zeros());
    let motion = delassus_contact::RigidMotion::between(&Pose::default(), &turn, 0.5).unwrap();
    let [facet, smooth] = [Normals::Facet, Normals::Continuous].map(|normals| {
        let pairs = vec![Pair { normals, ..pair(1, rigid.clone(), FAR, FAR) }];
        Detector::new(pairs, &[&x]).unwrap().detect(&[&x], &[motion]).unwrap().contacts.remove(0)
    });
    assert_eq!(facet.sides[1].velocity, smooth.sides[1].velocity);
    assert!(facet.normal().angle(&smooth.normal()) > 0.02);
    // A shape with a formula has its own normal.
    let round = Ball { centre: Vector::<3>::zeros(), radius: 1.0 };
    let solid = Solid { points: vec![], facets: vec![] };
    let p = [[0.0, 0.6, 0.9]];
    let found = [Normals::Facet, Normals::Continuous].map(|normals| detect(&p, &round.into(), &solid, normals));
    assert_eq!(found[0], found[1]);
}

#[test]
fn in_2d_too() {
    // A coarse circle: the normal of the nodes is radial, between them it is interpolated.
    let n = 12;
    let at = |k: f64, r: f64| {
        let angle = std::f64::consts::TAU * k / f64::from(n);
        [r * angle.cos(), r * angle.sin()]
    };
    let y: Vec<f64> = (0..n).flat_map(|k| at(f64::from(k), 1.0)).collect();
    let x: Vec<f64> = (0..600).flat_map(|k| at(f64::from(k) / 100.0, 1.001)).collect();
    let candidates = delassus_contact::CandidateSet::new(0, (0..600).collect(), vec![1.0; 600]).unwrap();
    let antagonist = Antagonist::Surface(crate::chain(1, n as usize, true));
    let normals = Normals::Continuous;
    let pairs = vec![Pair { id: 0, pass: 0, candidates, antagonist, reach: FAR, depth: FAR, normals, corners: false }];
    let found = Detector::new(pairs, &[&x, &y]).unwrap().detect(&[&x, &y], &[Translation::default()]).unwrap().contacts;
    assert_eq!(found.len(), 600);
    for w in found.windows(2) {
        let turned = w[0].normal().angle(&w[1].normal());
        // Points 1/100 of a facet apart: 0.0052 rad each on the circle.
        assert!(turned < 0.0075, "{turned} at {:?}", w[1].point);
        assert!(w[0].normal().angle(&w[0].point) < 0.01, "within a third of a degree of radial");
    }
}
