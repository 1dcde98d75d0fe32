//! The broad phase finds what all pairs find.
use crate::common::Random;
use delassus_contact::{Aabb, Vector};
use delassus_shapes::BroadPhase;

fn check<const D: usize>(seed: u64, n: usize, steps: usize) -> usize {
    let mut random = Random(seed);
    // Sizes over five decades; some bodies far away, some walls without an end, some that are nowhere.
    let mut boxes: Vec<Aabb<D>> = (0..n)
        .map(|i| {
            let size = 10f64.powf(random.within(-4.0, 1.0));
            let at = random.vector::<D>(if i % 20 == 0 { 1e6 } else { 3.0 });
            Aabb { low: at, high: at + Vector::repeat(size) }
        })
        .collect();
    if n > 5 {
        boxes[2] = Aabb { low: Vector::repeat(f64::NEG_INFINITY), high: Vector::repeat(f64::INFINITY) };
        boxes[5] = boxes[2];
        boxes[3] = Aabb { low: Vector::repeat(f64::NAN), high: Vector::repeat(f64::NAN) };
    }
    let mut broad = BroadPhase::new();
    let (mut found, mut expected, mut count) = (Vec::new(), Vec::new(), 0);
    for step in 0..steps {
        let reach = random.within(0.0, 0.3);
        let use_pair = |i: usize, j: usize| !(i + j).is_multiple_of(7);
        broad.pairs(&boxes, reach, use_pair, &mut found);
        BroadPhase::all_pairs(&boxes, reach, use_pair, &mut expected);
        assert_eq!(found, expected, "step {step}");
        assert!(found.is_sorted() && found.iter().all(|(i, j)| i < j));
        count += found.len();
        // A fresh one has the same: nothing depends on the history.
        BroadPhase::new().pairs(&boxes, reach, use_pair, &mut expected);
        assert_eq!(found, expected);
        for b in &mut boxes {
            let shift = random.vector::<D>(0.4);
            *b = Aabb { low: b.low + shift, high: b.high + shift };
        }
        if step % 5 == 4 {
            boxes.truncate(boxes.len() - boxes.len() / 10);
        }
    }
    count
}

#[test]
fn pairs_are_those_of_all_pairs() {
    for n in [0, 1, 2, 6, 50] {
        check::<2>(n as u64, n, 10);
        check::<3>(n as u64, n, 10);
    }
    assert!(check::<2>(7, 400, 20) > 10_000);
    assert!(check::<3>(8, 400, 20) > 10_000);
}
