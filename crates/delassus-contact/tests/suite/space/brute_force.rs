//! Detection against all faces, for other bodies and for the own one.

use delassus_contact::{
    Antagonist, ContactKey, Detector, Dimension, FacetSurface, NarrowPhase, Projection, Side, Translation, Vector,
};

use super::{Solid, pair, points_around, sheet, star};
use crate::random::Random;

/// What a candidate should give: (gap, normal, antagonist side), `Err` if it is too deep.
type Expected = Option<Result<(f64, Vector<3>, Side<3>), ()>>;

/// Whether a facet holds the node or has a node in common with one that does.
fn is_near(surface: &FacetSurface<3>, f: usize, node: usize) -> bool {
    let around = surface.facets().iter().filter(|g| g.contains(&node));
    around.into_iter().any(|g| g.iter().any(|n| surface.facets()[f].contains(n)))
}

/// Normals of the corners at a node, weighted by their angles.
fn own_normal(surface: &FacetSurface<3>, x: &[f64], node: usize) -> Vector<3> {
    let at = |n: usize| Vector::<3>::new(x[3 * n], x[3 * n + 1], x[3 * n + 2]);
    let mut sum = Vector::<3>::zeros();
    for f in surface.facets() {
        if let Some(k) = f.iter().position(|&n| n == node) {
            let (next, last) = (f[(k + 1) % f.len()], f[(k + f.len() - 1) % f.len()]);
            let (a, b) = (at(next) - at(node), at(last) - at(node));
            sum += a.cross(&b).normalize() * a.angle(&b);
        }
    }
    sum
}

/// Half the distance to the nearest facet that faces the node and has it behind, or the depth.
fn own_depth(surface: &FacetSurface<3>, x: &[f64], node: usize, depth: f64) -> f64 {
    let p = Vector::<3>::new(x[3 * node], x[3 * node + 1], x[3 * node + 2]);
    let n = own_normal(surface, x, node);
    (0..surface.facets().len()).filter(|&f| !is_near(surface, f, node)).fold(depth, |least, f| {
        let c = surface.corners(f, x);
        let m = Dimension::<3>::normal(&c).unwrap();
        let far_side = n.dot(&m) < 0.0 && m.dot(&(p - c[0])) <= -0.01 * Dimension::<3>::size(&c);
        if far_side { least.min(0.5 * Dimension::<3>::distance(&c, &p)) } else { least }
    })
}

/// All facets, the rules of the detector's documentation, no tree. `own` is the candidate's node if it is on the surface.
fn oracle(
    surface: &FacetSurface<3>,
    x: &[f64],
    own: Option<usize>,
    p: &Vector<3>,
    reach: f64,
    [depth, own_depth]: [f64; 2],
) -> Expected {
    let mut best: Option<(usize, Projection<3>)> = None;
    let own_normal = own.map(|node| own_normal(surface, x, node));
    for f in 0..surface.facets().len() {
        if own.is_some_and(|node| is_near(surface, f, node)) {
            continue;
        }
        let past_ridge = || own.and_then(|_| Dimension::<3>::project_past_ridge(surface, x, f, p));
        let Some(q) = Dimension::<3>::project(surface, x, f, p, f64::INFINITY).or_else(past_ridge) else { continue };
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

/// A sheet bent to a U along x, legs about 0.3 apart and facing each other, with some noise.
fn fold(random: &mut Random) -> Solid {
    let (n, m) = (5 + random.below(6), 1 + random.below(4));
    let flat = sheet(n, m, |_, _| 0.0);
    let noise: Vec<Vector<3>> = flat.points.iter().map(|_| super::vector(random, 0.06)).collect();
    let bent = |p: &[f64; 3]| {
        let s = std::f64::consts::PI * (3.0 * p[0] - 1.0).clamp(0.0, 1.0);
        let leg = p[0].min(1.0 - p[0]).min(1.0 / 3.0);
        Vector::<3>::new(2.0 * leg + 0.15 * s.sin(), p[1], 0.15 - 0.15 * s.cos())
    };
    let points = flat.points.iter().zip(noise).map(|(p, e)| (bent(p) + e).into()).collect();
    Solid { points, facets: flat.facets }.mixed(random)
}

/// A closed star or an open sheet, of triangles, quadrilaterals or both.
fn solid(random: &mut Random) -> Solid {
    let solid = if random.below(3) == 0 {
        let heights: Vec<f64> = (0..64).map(|_| random.within(-0.4, 0.4)).collect();
        let (n, m) = (1 + random.below(4), 1 + random.below(4));
        let at = |x: f64, y: f64| heights[((x * n as f64).round() + 7.0 * (y * m as f64).round()) as usize];
        sheet(n, m, at)
    } else {
        let n = 1 + random.below(3);
        star(random, n, 0.5)
    };
    match random.below(3) {
        0 => solid,
        1 => solid.triangulated(random),
        _ => solid.mixed(random),
    }
}

fn check(random: &mut Random, own: bool) -> [usize; 3] {
    let solid = if own && random.below(4) > 0 { fold(random) } else { solid(random) };
    let surface = solid.surface(usize::from(!own));
    let lattice = |random: &mut Random| [0; 3].map(|_: i32| random.below(5) as f64 * 0.25 - 0.5);
    let points = match (own, random.below(2)) {
        (true, _) => solid.points.clone(),
        (_, 0) => (0..20).map(|_| lattice(random)).collect(),
        _ => points_around(random, &solid, 20),
    };
    let (reach, depth) = (random.within(0.0, 0.6), random.within(0.0, 0.3));
    let [x, y] = [points.concat(), solid.points.concat()];
    let both = [x.as_slice(), y.as_slice()];
    let positions = if own { &both[1..] } else { &both[..] };
    // The tree is built for another configuration than the one detected: only the refit may matter. In self contact that
    // configuration gives the thickness, and a smaller one makes it count.
    let scale = if own { 0.4 } else { 3.0 };
    let elsewhere: Vec<f64> = y.iter().map(|c| c * scale).collect();
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
fn detection_is_that_of_all_faces() {
    let mut random = Random::new(131);
    let mut sums = [0; 3];
    for _ in 0..400 {
        let counts = check(&mut random, false);
        (0..3).for_each(|i| sums[i] += counts[i]);
    }
    assert!(sums[0] > sums[2] / 4 && sums[1] > 100, "the cases are worth their name: {sums:?}");
}

#[test]
fn self_detection_is_that_of_all_faces() {
    let mut random = Random::new(132);
    let mut sums = [0; 3];
    for _ in 0..400 {
        let counts = check(&mut random, true);
        (0..3).for_each(|i| sums[i] += counts[i]);
    }
    assert!(sums[0] > 100 && sums[1] == 0, "the cases are worth their name: {sums:?}");
}
