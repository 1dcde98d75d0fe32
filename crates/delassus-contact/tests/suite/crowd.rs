//! Many bodies at once: what is found without a list of the pairs is what a list of all pairs finds, to the last bit.

use delassus_contact::{Antagonist, CandidateSet, Detection, Detector, HalfSpace, Normals, Pair, Pairing};
use delassus_contact::{PassPlace, Target, Translation, Vector};

use super::random::Random;
use super::{chain, star};

const N_NODES: usize = 7;

/// Polygons strewn over a square, each moved by its own vector.
fn strewn(random: &mut Random, n: usize, side: f64) -> Vec<Vec<f64>> {
    let polygon = |random: &mut Random| {
        let nodes = star(random, N_NODES);
        let [x, y] = [random.within(0.0, side), random.within(0.0, side)];
        nodes.iter().flat_map(|p| [p[0] + x, p[1] + y]).collect()
    };
    (0..n).map(|_| polygon(random)).collect()
}

/// Every body with every other and with a floor.
fn crowd(n: usize, random: &mut Random, with_floor: bool) -> Pairing<2> {
    let set = |body| CandidateSet::new(body, (0..N_NODES).collect(), vec![1.0; N_NODES]).unwrap();
    let mut targets: Vec<Target<2>> = (0..n)
        .map(|body| {
            let antagonist = Antagonist::Surface(chain(body, N_NODES, true));
            Target { antagonist, reach: random.within(0.0, 0.5), depth: random.within(0.0, 0.2) }
        })
        .collect();
    if with_floor {
        let floor = HalfSpace { point: Vector::<2>::new(0.0, 1.0), normal: Vector::<2>::new(0.0, 1.0) };
        targets.push(Target { antagonist: floor.into(), reach: 0.5, depth: 0.3 });
    }
    let normals = Normals::Facet;
    Pairing { id: 4, first_pass: 3, candidates: (0..n).map(set).collect(), targets, normals, corners: true }
}

/// A pair for each pass.
fn all_pairs(crowd: &Pairing<2>) -> Vec<Pair<2>> {
    let numbers = crowd.numbers();
    let mut pairs = Vec::new();
    for (set, candidates) in crowd.candidates.iter().enumerate() {
        for (antagonist, target) in crowd.targets.iter().enumerate() {
            let Some(number) = numbers.number(PassPlace { set, antagonist }) else { continue };
            pairs.push(Pair {
                id: crowd.id,
                pass: crowd.first_pass + number,
                candidates: candidates.clone(),
                antagonist: target.antagonist.clone(),
                reach: target.reach,
                depth: target.depth,
                normals: crowd.normals,
                corners: crowd.corners,
            });
        }
    }
    pairs
}

fn views(bodies: &[Vec<f64>]) -> Vec<&[f64]> {
    bodies.iter().map(Vec::as_slice).collect()
}

#[test]
fn a_crowd_finds_what_a_list_of_all_pairs_finds() {
    let mut random = Random::new(20);
    let (mut contacts, mut too_deep, mut passes) = (0, 0, 0);
    for round in 0..60 {
        let n = 2 + random.below(24);
        let given = strewn(&mut random, n, 6.0);
        let now = if round % 3 == 0 { given.clone() } else { strewn(&mut random, n, 6.0) };
        let crowd = crowd(n, &mut random, round % 2 == 1);
        let pairs = all_pairs(&crowd);
        passes += pairs.len();
        let still = |n: usize| vec![Translation::<2>::default(); n];
        let n_targets = crowd.targets.len();
        let mut listed = Detector::new(pairs.clone(), &views(&given)).unwrap();
        let mut one = Detector::new(vec![crowd], &views(&given)).unwrap();
        let expected: Detection<2> = listed.detect(&views(&now), &still(pairs.len())).unwrap();
        let found = one.detect(&views(&now), &still(n_targets)).unwrap();
        assert_eq!(found.contacts, expected.contacts);
        assert_eq!((&found.too_deep, found.n_visited), (&expected.too_deep, expected.n_visited));
        let behind = |d: &Detection<2>| d.penetrations.iter().map(|p| p.n_behind).sum::<usize>();
        assert_eq!((found.penetrations.len(), behind(&found)), (1, behind(&expected)));
        let deepest = expected.penetrations.iter().filter_map(|p| p.deepest.map(|d| d.gap)).fold(0.0, f64::min);
        assert!(found.penetrations[0].deepest.map_or(0.0, |d| d.gap) <= deepest);
        contacts += found.contacts.len();
        too_deep += found.too_deep.len();
    }
    // Both kinds of answer occur, and most passes have none.
    assert!(contacts > 1000 && too_deep > 100 && passes > 10_000, "{contacts} {too_deep} {passes}");
}

/// Twenty thousand bodies in a row, each beside the next: 4·10⁸ passes.
#[test]
fn a_row_of_many_bodies_is_looked_at_neighbour_by_neighbour() {
    let n = 20_000;
    let square = |k: usize| {
        let x = k as f64 * 1.01;
        vec![x, 0.0, x + 1.0, 0.0, x + 1.0, 1.0, x, 1.0]
    };
    let bodies: Vec<Vec<f64>> = (0..n).map(square).collect();
    let set = |body| CandidateSet::new(body, (0..4).collect(), vec![1.0; 4]).unwrap();
    let target = |body| Target { antagonist: Antagonist::Surface(chain(body, 4, true)), reach: 0.1, depth: 0.1 };
    let (candidates, targets) = ((0..n).map(set).collect(), (0..n).map(target).collect());
    let row = Pairing { id: 0, first_pass: 0, candidates, targets, normals: Normals::Facet, corners: false };
    let mut detector = Detector::new(vec![row], &views(&bodies)).unwrap();
    let found = detector.detect(&views(&bodies), &vec![Translation::default(); n]).unwrap();
    // Two corners on each of the two sides of every gap.
    assert_eq!(found.contacts.len(), 4 * (n - 1));
    assert!(found.contacts.iter().all(|c| (c.gap - 0.01).abs() < 1e-10));
    assert!(found.n_visited < 100 * n, "{}", found.n_visited);
}
