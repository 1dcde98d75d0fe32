//! Detection against all pairs, and its work on a large surface.

use delassus_contact::{
    Antagonist, ContactKey, Detector, Dimension, FacetSurface, NarrowPhase, Projection, Side, Translation, Vector,
};

use super::{chain, detect, pair, star};
use crate::random::Random;

/// What a candidate should give: (gap, normal, antagonist side), `Err` if it is too deep.
type Expected = Option<Result<(f64, Vector<2>, Side<2>), ()>>;

/// Whether a facet holds the node or touches one that does.
fn is_near(surface: &FacetSurface<2>, f: usize, node: usize) -> bool {
    std::iter::once(f).chain(surface.neighbours(f).into_iter().flatten()).any(|g| surface.facets()[g].contains(&node))
}

fn own_normal(surface: &FacetSurface<2>, x: &[f64], node: usize) -> Vector<2> {
    let around = (0..surface.facets().len()).filter(|&f| surface.facets()[f].contains(&node));
    around.map(|f| Dimension::<2>::normal(&surface.corners(f, x)).unwrap()).sum()
}

/// Half the distance to the nearest facet that faces the node and has it behind, or the depth.
fn own_depth(surface: &FacetSurface<2>, x: &[f64], node: usize, depth: f64) -> f64 {
    let p = Vector::<2>::new(x[2 * node], x[2 * node + 1]);
    let n = own_normal(surface, x, node);
    (0..surface.facets().len()).filter(|&f| !is_near(surface, f, node)).fold(depth, |least, f| {
        let (a, b) = (surface.corners(f, x)[0], surface.corners(f, x)[1]);
        let (e, m) = (b - a, Dimension::<2>::normal(&[a, b]).unwrap());
        let far_side = n.dot(&m) < 0.0 && m.dot(&(p - a)) <= -0.01 * e.norm();
        let s = ((p - a).dot(&e) / e.norm_squared()).clamp(0.0, 1.0);
        if far_side { least.min(0.5 * (p - a - e * s).norm()) } else { least }
    })
}

/// All facets, the rules of the detector's documentation, no tree. `own` is the candidate's node if it is on the surface.
fn oracle(
    surface: &FacetSurface<2>,
    x: &[f64],
    own: Option<usize>,
    p: &Vector<2>,
    reach: f64,
    depths: [f64; 2],
) -> Expected {
    let mut best: Option<(usize, Projection<2>)> = None;
    let [depth, own_depth] = depths;
    let own_normal = own.map(|node| own_normal(surface, x, node));
    for f in 0..surface.facets().len() {
        if own.is_some_and(|node| is_near(surface, f, node)) {
            continue;
        }
        let past_ridge = || own.and_then(|_| Dimension::<2>::project_past_ridge(surface, x, f, p));
        let Some(q) = Dimension::<2>::project(surface, x, f, p, f64::INFINITY).or_else(past_ridge) else { continue };
        let seen_from_behind =
            own.is_some() && (q.gap < -own_depth || own_normal.is_some_and(|n| n.dot(&q.normal) >= 0.0));
        if q.distance <= reach.max(2.0 * depth)
            && !seen_from_behind
            && best.is_none_or(|(_, b)| q.distance < b.distance)
        {
            best = Some((f, q));
        }
    }
    let (f, q) = best.filter(|(_, q)| q.gap <= reach)?;
    if q.gap < -depth {
        return Some(Err(()));
    }
    let side = Side::on_nodes(surface.body(), surface.facets()[f].into_iter().zip(q.weights));
    Some(Ok((q.gap, q.normal, side)))
}

/// A body of free points (a random star, or a grid with many ties) against a chain; `own` means the chain's own nodes.
fn check(random: &mut Random, own: bool) -> [usize; 3] {
    let n = 4 + random.below(40);
    let grid = |random: &mut Random| [random.below(5) as f64 * 0.25, random.below(5) as f64 * 0.25];
    let nodes = star(random, n);
    let closed = random.below(2) == 0;
    let surface = chain(usize::from(!own), n, closed);
    let points = match (own, random.below(2)) {
        (true, _) => nodes.clone(),
        (_, 0) => (0..20).map(|_| grid(random)).collect(),
        _ => (0..20).map(|_| [random.within(-1.2, 1.2), random.within(-1.2, 1.2)]).collect(),
    };
    let (reach, depth) = (random.within(0.0, 0.6), random.within(0.0, 0.3));
    let [x, y] = [points.concat(), nodes.concat()];
    let both = [x.as_slice(), y.as_slice()];
    let positions = if own { &both[1..] } else { &both[..] };
    // The tree is built for another configuration than the one detected: only the refit may matter. In self contact that
    // configuration gives the thickness, and a smaller one makes it count.
    let scale = if own { 0.4 } else { 3.0 };
    let elsewhere: Vec<f64> = y.iter().rev().map(|c| c * scale).collect();
    let first = [x.as_slice(), elsewhere.as_slice()];
    let first = if own { &first[1..] } else { &first[..] };
    let mut detector =
        Detector::new(vec![pair(points.len(), Antagonist::Surface(surface.clone()), reach, depth)], first).unwrap();
    let found = detector.detect(positions, &[Translation::default()]).unwrap();
    let (mut contacts, mut deep) = (found.contacts.iter(), found.too_deep.iter());
    for (i, &p) in points.iter().enumerate() {
        let key = ContactKey::nearest(0, 0, i as u32);
        let own_depth = if own { own_depth(&surface, &elsewhere, i, depth) } else { depth };
        match oracle(&surface, &y, own.then_some(i), &p.into(), reach, [depth, own_depth]) {
            None => {}
            Some(Err(())) => assert_eq!(deep.next(), Some(&key)),
            Some(Ok((gap, normal, side))) => {
                let c = contacts.next().expect("a contact of all pairs is missing");
                assert_eq!((c.key, c.normal(), &c.sides[1]), (key, normal, &side));
                assert_eq!(c.gap.to_bits(), gap.to_bits());
            }
        }
    }
    assert_eq!((contacts.next(), deep.next()), (None, None), "found more than all pairs");
    assert_eq!(detector.detect(positions, &[Translation::default()]).unwrap(), found, "a second detection is the same");
    [found.contacts.len(), found.too_deep.len(), points.len()]
}

#[test]
fn detection_is_that_of_all_pairs() {
    let mut random = Random::new(21);
    let mut sums = [0; 3];
    for _ in 0..3000 {
        let counts = check(&mut random, false);
        (0..3).for_each(|i| sums[i] += counts[i]);
    }
    assert!(sums[0] > sums[2] / 4 && sums[1] > 1000, "the cases are worth their name: {sums:?}");
}

#[test]
fn self_detection_is_that_of_all_pairs() {
    let mut random = Random::new(22);
    let mut sums = [0; 3];
    for _ in 0..2000 {
        let counts = check(&mut random, true);
        (0..3).for_each(|i| sums[i] += counts[i]);
    }
    assert!(sums[0] > 1000 && sums[1] == 0, "the cases are worth their name: {sums:?}");
}

#[test]
fn a_large_surface_is_not_looked_through() {
    let n = 10_000;
    let at = |i: f64, r: f64| {
        let angle = std::f64::consts::TAU * i / n as f64;
        [r * angle.cos(), r * angle.sin()]
    };
    let nodes: Vec<[f64; 2]> = (0..n).map(|i| at(f64::from(i), 1.0)).collect();
    let mut random = Random::new(23);
    let mut points = |low, high| -> Vec<[f64; 2]> {
        (0..1000).map(|_| at(random.within(0.0, f64::from(n)), random.within(low, high))).collect()
    };
    // Around the surface, within ten facets of it: a few leaves of four facets. Farther out, where 1 % of the circle is almost
    // equally near: still far below the 10 000 facets.
    let near = detect(&points(0.994, 1.006), &nodes, true, 0.01, 0.01);
    assert_eq!(near.contacts.len(), 1000);
    assert!(near.n_visited < 1000 * 24, "{} facets per query", near.n_visited as f64 / 1000.0);
    let far = detect(&points(1.1, 2.0), &nodes, true, 1.0, 0.01);
    assert_eq!(far.contacts.len(), 1000);
    assert!(far.n_visited < 1000 * 200, "{} facets per query", far.n_visited as f64 / 1000.0);
    // Out of reach nothing is looked at.
    assert_eq!(detect(&points(1.1, 2.0), &nodes, true, 0.05, 0.01).n_visited, 0);
}
