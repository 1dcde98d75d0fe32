//! The work of a detection on large surfaces: few faces looked at, no allocation that grows with them; times are printed.

use std::time::Instant;

use delassus_contact::{Antagonist, BoxTree, Detector, Dimension, NarrowPhase, Translation, Vector};

use super::{Solid, cube, pair, sheet};
use crate::random::Random;

/// Faces looked at per query, for 1000 points within a few faces of the surface.
fn n_visited(name: &str, solid: &Solid, near: impl Fn(&mut Random) -> Vector<3>) -> f64 {
    let mut random = Random::new(141);
    let n = 1000;
    let x: Vec<f64> = (0..n).flat_map(|_| <[f64; 3]>::from(near(&mut random))).collect();
    let y = solid.points.concat();
    let positions = [x.as_slice(), y.as_slice()];
    let start = Instant::now();
    let pairs = vec![pair(n, Antagonist::Surface(solid.surface(1)), f64::INFINITY, f64::INFINITY)];
    let mut detector = Detector::new(pairs, &positions).unwrap();
    let built = start.elapsed();
    let surface = solid.surface(1);
    let bounds = |facet: usize| Dimension::<3>::bounds(&surface, &y, facet);
    let mut tree = BoxTree::new(&(0..surface.facets().len()).map(bounds).collect::<Vec<_>>());
    let start = Instant::now();
    tree.refit(bounds);
    let refitted = start.elapsed();
    let start = Instant::now();
    let found = detector.detect(&positions, &[Translation::default()]).unwrap();
    let all = start.elapsed();
    assert_eq!(found.contacts.len(), n);
    let visited = found.n_visited as f64 / n as f64;
    let per_query = (all.as_secs_f64() - refitted.as_secs_f64()) * 1e6 / n as f64;
    let line = format!(
        "{name}: {} faces, built in {:.1} ms, refitted in {:.2} ms, {per_query:.1} µs and {visited:.1} faces per query",
        solid.facets.len(),
        built.as_secs_f64() * 1e3,
        refitted.as_secs_f64() * 1e3,
    );
    // To the test's own output, which is shown on demand.
    #[expect(clippy::print_stdout, reason = "times are there to be read, not to be asserted")]
    {
        println!("{line}");
    }
    visited
}

fn bumpy(n: usize) -> Solid {
    sheet(n, n, |x, y| 0.05 * (9.0 * x).sin() * (7.0 * y).cos())
}

#[test]
fn a_large_surface_is_not_looked_through() {
    let mut random = Random::new(142);
    let mut seen = Vec::new();
    for n in [32, 100, 316] {
        let quads = bumpy(n);
        // Within two faces of the surface, and in from the border.
        let near = |random: &mut Random| {
            let (x, y) = (random.within(0.05, 0.95), random.within(0.05, 0.95));
            let z = 0.05 * (9.0 * x).sin() * (7.0 * y).cos() + random.within(-2.0, 2.0) / n as f64;
            Vector::<3>::new(x, y, z)
        };
        let triangles = quads.triangulated(&mut random);
        seen.push([n_visited("quadrilaterals", &quads, near), n_visited("triangles", &triangles, near)]);
    }
    // A hundred times the faces: a few leaves of four faces more, if at all.
    for kind in [0, 1] {
        assert!(seen[2][kind] < 60.0 && seen[2][kind] < 2.0 * seen[0][kind], "{seen:?}");
    }
}

#[test]
fn far_from_a_ball_many_faces_are_equally_near() {
    let ball = cube(40, |x| x.normalize());
    let far = |random: &mut Random| super::vector(random, 1.0).normalize() * random.within(1.5, 3.0);
    let visited = n_visited("a ball from afar", &ball, far);
    assert!(visited < 0.05 * ball.facets.len() as f64, "{visited} of {}", ball.facets.len());
}

#[test]
fn out_of_reach_nothing_is_looked_at() {
    let found = super::detect(&[[0.5, 0.5, 1.0], [3.0, 0.0, 0.0]], &bumpy(20), 0.2, 0.1);
    assert_eq!((found.n_visited, found.contacts.len()), (0, 0));
}
