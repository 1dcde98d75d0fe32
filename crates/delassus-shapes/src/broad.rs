//! Broad phase: the pairs of many shapes whose boxes are near one another.
//!
//! The boxes, grown by half the reach, are kept in binary trees that are refitted when they move: one tree for each factor of four in size, because a large
//! box among small ones would widen all boxes of the tree above it. Every box asks the trees of its own size and of larger ones for those it meets. A pair (i, j), i < j,
//! is found if and only if the grown boxes have a point in common, whatever the trees look like: the result does not depend on the history of the run. The trees
//! are built anew when the boxes have moved so far that they have become slow; this changes no result either. Shapes without an end (half-spaces) are
//! compared with all others. Cost: O(n log n + pairs) for sizes that differ by any factor.

use std::collections::BTreeMap;

use delassus_contact::{Aabb, BoxTree, Vector};

/// How many times the work of a search with new trees a search may take before they are built anew.
const WORN: usize = 2;

/// Pairs of bodies that may touch, from step to step.
#[derive(Debug, Clone, Default)]
pub struct BroadPhase<const D: usize> {
    boxes: Vec<Aabb<D>>,
    /// By size, ascending.
    levels: Vec<SizeLevel<D>>,
    unbounded: Vec<usize>,
    /// Boxes looked at in the first search with these trees, and in the last one.
    fresh_work: usize,
    work: usize,
}

/// Bodies of about the same size.
#[derive(Debug, Clone)]
struct SizeLevel<const D: usize> {
    /// Bodies by their place in the tree: near ones follow one another, so that what they ask for is still in the caches.
    bodies: Vec<usize>,
    /// Their grown boxes.
    boxes: Vec<Aabb<D>>,
    tree: BoxTree<D>,
}

impl<const D: usize> BroadPhase<D> {
    /// Without bodies.
    #[must_use]
    pub fn new() -> Self {
        Self { boxes: Vec::new(), levels: Vec::new(), unbounded: Vec::new(), fresh_work: 0, work: 0 }
    }

    /// The pairs (i, j), i < j, of boxes that are not farther apart than `reach` (m) along any axis, in ascending order. `use_pair` can leave pairs out, as
    /// those of two walls.
    pub fn pairs(
        &mut self,
        boxes: &[Aabb<D>],
        reach: f64,
        use_pair: impl Fn(usize, usize) -> bool,
        out: &mut Vec<(usize, usize)>,
    ) {
        out.clear();
        let is_new = self.update(boxes, reach);
        let mut work = 0;
        for (k, level) in self.levels.iter().enumerate() {
            for (&i, bounds) in level.bodies.iter().zip(&level.boxes) {
                for (l, other) in self.levels.iter().enumerate().skip(k) {
                    other.tree.meeting(bounds, |place| {
                        work += 1;
                        let j = other.bodies[place];
                        if (l > k || j > i) && bounds.meets(&other.boxes[place]) && use_pair(i.min(j), i.max(j)) {
                            out.push((i.min(j), i.max(j)));
                        }
                    });
                }
            }
        }
        for &i in &self.unbounded {
            for j in (0..self.boxes.len()).filter(|&j| j != i && (j > i || self.unbounded.binary_search(&j).is_err())) {
                let pair = (i.min(j), i.max(j));
                if use_pair(pair.0, pair.1) && self.boxes[i].meets(&self.boxes[j]) {
                    out.push(pair);
                }
            }
        }
        out.sort_unstable();
        self.work = work;
        if is_new {
            self.fresh_work = work;
        }
    }

    /// All pairs, without a tree: what [`BroadPhase::pairs`] is compared with.
    pub fn all_pairs(
        boxes: &[Aabb<D>],
        reach: f64,
        use_pair: impl Fn(usize, usize) -> bool,
        out: &mut Vec<(usize, usize)>,
    ) {
        out.clear();
        let grown: Vec<Aabb<D>> = boxes.iter().map(|b| widened(b, reach)).collect();
        for i in 0..grown.len() {
            out.extend((i + 1..grown.len()).filter(|&j| grown[i].meets(&grown[j]) && use_pair(i, j)).map(|j| (i, j)));
        }
    }

    /// Takes new boxes; true if the trees are new.
    fn update(&mut self, boxes: &[Aabb<D>], reach: f64) -> bool {
        let is_endless = |b: &Aabb<D>| !b.low.iter().chain(b.high.iter()).all(|c| c.is_finite());
        let is_same = self.boxes.len() == boxes.len()
            && self.unbounded.iter().all(|&i| is_endless(&boxes[i]))
            && self.levels.iter().flat_map(|l| &l.bodies).all(|&i| !is_endless(&boxes[i]));
        self.boxes.clear();
        self.boxes.extend(boxes.iter().map(|b| widened(b, reach)));
        let grown = &self.boxes;
        if is_same && self.work <= WORN * self.fresh_work {
            for level in &mut self.levels {
                level.boxes.clear();
                level.boxes.extend(level.bodies.iter().map(|&i| grown[i]));
                let fitted = &level.boxes;
                level.tree.refit(|place| fitted[place]);
            }
            return false;
        }
        self.unbounded.clear();
        let mut sizes: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (i, b) in boxes.iter().enumerate() {
            if is_endless(b) {
                self.unbounded.push(i);
            } else {
                // Two binary digits of the exponent make a level.
                let size = (grown[i].high - grown[i].low).amax();
                sizes.entry(size.to_bits() >> 53).or_default().push(i);
            }
        }
        let level = |mut bodies: Vec<usize>| {
            let around = bodies.iter().fold(Aabb::empty(), |all, &i| all.merged(&grown[i]));
            bodies.sort_by_cached_key(|&i| (place_on_curve(&around, &grown[i]), i));
            let boxes: Vec<Aabb<D>> = bodies.iter().map(|&i| grown[i]).collect();
            let tree = BoxTree::new(&boxes);
            SizeLevel { bodies, boxes, tree }
        };
        self.levels = sizes.into_values().map(level).collect();
        true
    }
}

/// The place of a box along a curve that fills space (Morton 1966): the digits of its coordinates, interleaved.
fn place_on_curve<const D: usize>(around: &Aabb<D>, bounds: &Aabb<D>) -> u64 {
    const DIGITS: usize = 16;
    let digits = |k: usize| {
        let extent = around.high[k] - around.low[k];
        let share = if extent > 0.0 { (bounds.low[k] - around.low[k]) / extent } else { 0.0 };
        // Beyond the range the conversion saturates.
        (share * (1u64 << DIGITS) as f64) as u64
    };
    let own: [u64; D] = std::array::from_fn(digits);
    let mut place = 0;
    for digit in (0..=DIGITS).rev() {
        for k in 0..D {
            place = place << 1 | (own[k] >> digit & 1);
        }
    }
    place
}

/// Half the reach more on every side.
fn widened<const D: usize>(bounds: &Aabb<D>, reach: f64) -> Aabb<D> {
    let around = Vector::repeat(0.5 * reach.max(0.0));
    Aabb { low: bounds.low - around, high: bounds.high + around }
}
