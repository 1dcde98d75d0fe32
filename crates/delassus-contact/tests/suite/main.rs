//! Detection as its users see it: geometry of random polygons, detection against all pairs, scenes, errors.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test when something is missing")]

#[cfg(test)]
mod brute_force;
#[cfg(test)]
mod corners;
#[cfg(test)]
mod crowd;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod moving;
#[cfg(test)]
mod obstacles;
#[cfg(test)]
mod polygons;
#[cfg(test)]
#[path = "../../src/testing.rs"]
mod random;
#[cfg(test)]
mod scenes;
#[cfg(test)]
mod self_contact;
#[cfg(test)]
mod sliding;
#[cfg(test)]
mod space;

use delassus_contact::{Antagonist, CandidateSet, Detection, Detector, FacetSurface, Normals, Pair, Translation};

use random::Random;

/// A pair of all `nodes` of body 0 and the given antagonist.
fn pair(nodes: usize, antagonist: Antagonist<2>, reach: f64, depth: f64) -> Pair<2> {
    let candidates = CandidateSet::new(0, (0..nodes).collect(), vec![1.0; nodes]).unwrap();
    Pair { id: 0, pass: 0, candidates, antagonist, reach, depth, normals: Normals::Facet, corners: false }
}

/// Facets of a chain of n nodes.
fn chain(body: usize, n: usize, closed: bool) -> FacetSurface<2> {
    let facets = (0..if closed { n } else { n - 1 }).map(|i| [i, (i + 1) % n]).collect();
    FacetSurface::new(body, facets).unwrap()
}

/// Contacts of free points (body 0) with a chain (body 1).
fn detect(points: &[[f64; 2]], nodes: &[[f64; 2]], closed: bool, reach: f64, depth: f64) -> Detection<2> {
    let antagonist = Antagonist::Surface(chain(1, nodes.len(), closed));
    let (x, y) = (points.concat(), nodes.concat());
    let positions = [x.as_slice(), y.as_slice()];
    let mut detector = Detector::new(vec![pair(points.len(), antagonist, reach, depth)], &positions).unwrap();
    detector.detect(&positions, &[Translation::default()]).unwrap()
}

/// A simple polygon around the origin, run counter-clockwise, with convex and re-entrant vertices.
fn star(random: &mut Random, n: usize) -> Vec<[f64; 2]> {
    let node = |i| {
        let angle = std::f64::consts::TAU * (i as f64 + random.within(0.0, 0.9)) / n as f64;
        let radius = random.within(0.3, 1.0);
        [radius * angle.cos(), radius * angle.sin()]
    };
    (0..n).map(node).collect()
}
