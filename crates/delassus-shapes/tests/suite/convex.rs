//! Convex shapes: contacts are certified by support functions, which share nothing with the search for them.
//!
//! ```text
//! s(n) = min over a of n·x − max over b of n·x
//! apart        the points of the least gap g are on the shapes, so distance ≤ g; s(n) = g, so distance ≥ g
//! penetrating  s(n) = g, so the translation −g n takes them apart; s(m) ≤ g for all other directions m, so none is shorter
//! ```
#![expect(clippy::expect_used, reason = "a helper of a test fails by panicking")]

use crate::common::{Known, Plenty, Random, along, found, least};
use delassus_contact::{Dimension, Vector};
use delassus_shapes::{ShapePose, nearest};

/// Sizes are about 1: this is a thousand times the rounding of a distance, and above the share (1e-11) within which axes count as equal.
const SAME: f64 = 5e-11;

#[derive(Debug, Default)]
struct Counts {
    apart: usize,
    deep: usize,
    none: usize,
    points: usize,
}

fn certify<const D: usize>(
    a: (&Known<D>, &ShapePose<D>),
    b: (&Known<D>, &ShapePose<D>),
    reach: f64,
    counts: &mut Counts,
) where
    Dimension<D>: Plenty<D>,
{
    let all = found((&a.0.shape, a.1), (&b.0.shape, b.1), reach);
    let what = || format!("{} {:?} and {} {:?}: {all:#?}", a.0.name, a.1, b.0.name, b.1);
    let Some(gap) = least(&all) else {
        let far = found((&a.0.shape, a.1), (&b.0.shape, b.1), 1e3);
        assert!(least(&far).is_some_and(|g| g > reach - SAME), "{}", what());
        counts.none += 1;
        return;
    };
    counts.points += all.len();
    let first = all.iter().find(|c| c.gap <= gap).expect("the least");
    let s = along(a, b, &first.normal);
    assert!((s - gap).abs() < SAME, "along the normal {s}, gap {gap}: {}", what());
    for c in &all {
        assert!((c.normal - first.normal).norm() < 1e-14);
        // Points are on the shapes; those of capsules at the end that is farther may be beneath by 2 % of the radius.
        for (point, (known, pose)) in [(c.on_a, a), (c.on_b, b)] {
            let off = nearest(&known.shape, pose, &point).gap;
            let beneath = if c.gap > gap + SAME { 0.0202 * known.radius } else { 0.0 };
            assert!(off < 1e-9 && off > -1e-9 - beneath, "{off} off the surface: {}", what());
        }
    }
    if gap > 0.0 {
        counts.apart += 1;
        return;
    }
    counts.deep += 1;
    let mut random = Random(first.key.0 ^ counts.deep as u64);
    let sampled: Vec<Vector<D>> = (0..200).map(|_| random.direction::<D>()).collect();
    // Rays from a near direction: the best one would be nearby if there were one.
    let close: Vec<Vector<D>> = (0..100).map(|_| (first.normal + random.vector::<D>(0.05)).normalize()).collect();
    for m in Dimension::<D>::axes(a, b).into_iter().chain(sampled).chain(close) {
        assert!(along(a, b, &m) <= gap + SAME, "shorter along {m:?}: {} > {gap}: {}", along(a, b, &m), what());
    }
}

fn check<const D: usize>(seed: u64, n: usize) -> Counts
where
    Dimension<D>: Plenty<D>,
{
    let (mut random, mut counts) = (Random(seed), Counts::default());
    for _ in 0..n {
        let (a, b) = (Dimension::<D>::convex(&mut random), Dimension::<D>::convex(&mut random));
        let (p, q) = (Dimension::<D>::turned(&mut random), Dimension::<D>::turned(&mut random));
        let reach = random.within(0.0, 1.0);
        certify((&a, &p), (&b, &q), reach, &mut counts);
    }
    counts
}

#[test]
fn in_the_plane_the_least_gap_is_the_distance_or_the_shortest_way_out() {
    let counts = check::<2>(1, 20_000);
    assert!(counts.apart > 5000 && counts.deep > 5000 && counts.none > 500, "{counts:?}");
}

#[test]
fn in_space_the_least_gap_is_the_distance_or_the_shortest_way_out() {
    let counts = check::<3>(2, 3000);
    assert!(counts.apart > 500 && counts.deep > 500 && counts.none > 50, "{counts:?}");
}

/// Swapping, a common rigid motion, and a small motion of one.
fn check_symmetry<const D: usize>(seed: u64, n: usize)
where
    Dimension<D>: Plenty<D>,
{
    let mut random = Random(seed);
    let (mut same_keys, mut compared) = (0, 0);
    for _ in 0..n {
        let (a, b) = (Dimension::<D>::convex(&mut random), Dimension::<D>::convex(&mut random));
        let (p, q) = (Dimension::<D>::turned(&mut random), Dimension::<D>::turned(&mut random));
        let reach = 0.5;
        let all = found((&a.shape, &p), (&b.shape, &q), reach);
        let what = || format!("{} {p:?} and {} {q:?}: {all:#?}", a.name, b.name);
        let back = found((&b.shape, &q), (&a.shape, &p), reach);
        let Some(gap) = least(&all) else {
            assert!(least(&back).is_none_or(|g| g > reach - SAME), "{}", what());
            continue;
        };
        assert!(least(&back).is_some_and(|g| (g - gap).abs() < SAME), "{back:#?} {}", what());
        // Together: the same contacts, moved.
        let motion = Dimension::<D>::turned(&mut random);
        let moved = found((&a.shape, &motion.then(&p)), (&b.shape, &motion.then(&q)), reach);
        assert!(least(&moved).is_some_and(|g| (g - gap).abs() < SAME), "{moved:#?} {}", what());
        compared += 1;
        let keys = |list: &[delassus_shapes::ShapeContact<D>]| list.iter().map(|c| c.key).collect::<Vec<_>>();
        if keys(&moved) == keys(&all) {
            same_keys += 1;
            for (m, c) in moved.iter().zip(&all) {
                assert!((m.on_a - motion.place(&c.on_a)).norm() < 1e-8, "{}", what());
            }
        }
        // A small motion: gaps change by no more than it.
        let step = random.vector::<D>(1e-4);
        let near = ShapePose { position: p.position + step, ..p };
        let later = found((&a.shape, &near), (&b.shape, &q), reach + 1.0);
        let earlier = found((&a.shape, &p), (&b.shape, &q), reach + 1.0);
        let change = (least(&later).expect("near") - least(&earlier).expect("near")).abs();
        assert!(change <= step.norm() + SAME, "{change}: {}", what());
    }
    // Only pairs with equal axes (a ball at the corner of two faces, and so on) can differ.
    assert!(compared > n / 2 && same_keys as f64 > 0.99 * compared as f64, "{same_keys} of {compared}");
}

#[test]
fn swapped_and_moved_shapes_have_the_same_contacts() {
    check_symmetry::<2>(3, 4000);
    check_symmetry::<3>(4, 1000);
}

/// A block near a face of another: all corners are there, and keys and points stay while it tilts and slides a little.
#[test]
fn keys_of_resting_blocks_stay() {
    let block = delassus_shapes::RigidShape::<3>::block(Vector::<3>::new(1.0, 2.0, 0.5)).expect("a block");
    let mut random = Random(5);
    for _ in 0..500 {
        let turn = random.within(0.0, 3.0);
        let place = Vector::<3>::new(random.within(-0.4, 0.4), random.within(-0.9, 0.9), 0.5);
        let at = |shift: Vector<3>, tilt: Vector<3>| {
            let flat = ShapePose::turned_about(Vector::<3>::zeros(), Vector::<3>::new(0.0, 0.0, turn));
            let small = ShapePose::turned_about(place + shift, tilt);
            ShapePose { position: small.position, rotation: small.rotation * flat.rotation }
        };
        let rest =
            found((&block, &at(Vector::<3>::zeros(), Vector::<3>::zeros())), (&block, &ShapePose::default()), 1e-3);
        assert!((3..=8).contains(&rest.len()), "{rest:#?}");
        assert!(rest.iter().all(|c| c.gap.abs() < 1e-15 && (c.normal.z - 1.0).abs() < 1e-15));
        for size in [1e-12, 1e-9, 1e-6, 1e-5] {
            let (shift, tilt) = (random.vector::<3>(size), random.vector::<3>(size));
            let later = found((&block, &at(shift, tilt)), (&block, &ShapePose::default()), 1e-3);
            let keys = |list: &[delassus_shapes::ShapeContact<3>]| list.iter().map(|c| c.key).collect::<Vec<_>>();
            // Corners that are so near to an edge that the motion carries them across may change.
            let is_clear =
                rest.iter().enumerate().all(|(i, c)| rest[..i].iter().all(|d| (c.on_a - d.on_a).norm() > 1e-3));
            if is_clear {
                assert_eq!(keys(&later), keys(&rest), "{turn} {place:?} {shift:?} {tilt:?} {rest:#?} {later:#?}");
                for (c, d) in later.iter().zip(&rest) {
                    assert!(
                        (c.on_a - d.on_a).norm() < 100.0 * size + 1e-9 && (c.gap - d.gap).abs() < 10.0 * size + 1e-12
                    );
                }
            }
        }
    }
}

/// Equal blocks that lie flush on one another: corners are above corners, and rounding must not decide which feature is named.
#[test]
fn keys_of_flush_blocks_stay() {
    let mut random = Random(6);
    let keys2 = |shift: Vector<2>, turn: f64| -> Vec<_> {
        let brick = delassus_shapes::RigidShape::<2>::block(Vector::<2>::new(0.3, 0.1)).expect("a brick");
        let pose = ShapePose::turned(Vector::<2>::new(0.0, 0.1) + shift, turn);
        found((&brick, &pose), (&brick, &ShapePose::default()), 1e-3).iter().map(|c| c.key).collect()
    };
    let keys3 = |shift: Vector<3>, turn: Vector<3>| -> Vec<_> {
        let brick = delassus_shapes::RigidShape::<3>::block(Vector::<3>::new(0.3, 0.2, 0.1)).expect("a brick");
        let pose = ShapePose::turned_about(Vector::<3>::new(0.0, 0.0, 0.1) + shift, turn);
        found((&brick, &pose), (&brick, &ShapePose::default()), 1e-3).iter().map(|c| c.key).collect()
    };
    let (two, four) = (keys2(Vector::<2>::zeros(), 0.0), keys3(Vector::<3>::zeros(), Vector::<3>::zeros()));
    assert_eq!((two.len(), four.len()), (2, 4));
    for _ in 0..500 {
        let size = 1e-12;
        assert_eq!(keys2(random.vector(size), random.within(-size, size)), two);
        assert_eq!(keys3(random.vector(size), random.vector(size)), four);
    }
}
