//! Nearest facet to a point: a bounding-volume tree searched from the nearest box on.
//!
//! A binary tree of axis-aligned boxes, split at the median of the box centres along their widest direction. The topology is
//! built once; each step only refits the boxes to the moved facets, O(n), without allocation. A query opens boxes in the order of
//! their distance and ends at the first one farther than the best facet found:
//!
//! ```text
//! d(x, box) = ‖max(lo − x, 0, x − hi)‖ ≤ d(x, facet in the box)
//! ```
//!
//! So it opens only boxes that are nearer than the result. This also holds if the nearest facets give no result (because a
//! neighbour is nearer, or the facet belongs to the candidate itself), in which case a depth-first search would have no
//! bound. The answer is the smallest pair (distance, facet index): it does not depend on the shape of the tree, so a run that
//! is resumed, with a tree built from other positions, finds the same contacts to the last bit. To make that hold in floating
//! point, boxes are padded and bounds lowered by a few units of rounding, which is more than a facet distance can be wrong
//! by. Cost of a query on a well-separated point: O(log n).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::Vector;

/// Relative rounding allowance of boxes and bounds.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Facets in a leaf: a few, because looking at a facet costs about as much as looking at two boxes.
const LEAF_SIZE: usize = 4;

/// Axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb<const D: usize> {
    /// Lowest corner (m).
    pub low: Vector<D>,
    /// Highest corner (m).
    pub high: Vector<D>,
}

impl<const D: usize> Aabb<D> {
    /// The box that holds nothing; merging it changes nothing.
    #[must_use]
    pub fn empty() -> Self {
        Self { low: Vector::repeat(f64::INFINITY), high: Vector::repeat(f64::NEG_INFINITY) }
    }

    /// Smallest box around points.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vector<D>>) -> Self {
        points.into_iter().fold(Self::empty(), |b, p| Self { low: b.low.inf(&p), high: b.high.sup(&p) })
    }

    /// Smallest box around two boxes.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        Self { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// Distance from a point (m), zero inside.
    #[must_use]
    pub fn distance(&self, point: &Vector<D>) -> f64 {
        (self.low - point).sup(&(point - self.high)).map(|c| c.max(0.0)).norm()
    }

    /// Distance from a point inside to the nearest face (m); below zero outside.
    #[must_use]
    pub fn inner_distance(&self, point: &Vector<D>) -> f64 {
        (point - self.low).inf(&(self.high - point)).min()
    }

    /// Distance to another box: 0 where they meet.
    #[must_use]
    pub fn distance_to(&self, other: &Self) -> f64 {
        let apart = |i: usize| (self.low[i] - other.high[i]).max(other.low[i] - self.high[i]).max(0.0);
        (0..D).map(|i| apart(i) * apart(i)).sum::<f64>().sqrt()
    }

    /// Do they have a point in common?
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        (0..D).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }

    /// The box with all that is nearer than `distance` (m), and a little more than rounding can lose.
    #[must_use]
    pub fn grown(&self, distance: f64) -> Self {
        let around = Vector::repeat(distance * (1.0 + 4.0 * ROUNDING));
        Self { low: self.low - around, high: self.high + around }.padded()
    }

    fn padded(&self) -> Self {
        let pad = Vector::repeat(ROUNDING * self.low.amax().max(self.high.amax()));
        Self { low: self.low - pad, high: self.high + pad }
    }

    fn centre(&self, axis: usize) -> f64 {
        0.5 * (self.low[axis] + self.high[axis])
    }
}

/// Answer of a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest<T> {
    /// Index of the nearest facet (the lowest among equals).
    pub facet: usize,
    /// Its distance (m).
    pub distance: f64,
    /// What the caller computed for it.
    pub value: T,
}

/// Bounding-volume tree over facets.
#[derive(Debug, Clone)]
pub struct BoxTree<const D: usize> {
    /// In preorder: the left child of a branch is the next one, and children come after their parents.
    nodes: Vec<TreeNode<D>>,
    /// Facets, those of a leaf contiguous.
    order: Vec<usize>,
}

#[derive(Debug, Clone)]
struct TreeNode<const D: usize> {
    bounds: Aabb<D>,
    content: TreeContent,
}

#[derive(Debug, Clone)]
enum TreeContent {
    Leaf { first: usize, end: usize },
    Branch { right: usize },
}

impl<const D: usize> BoxTree<D> {
    /// Tree over facets with the given boxes.
    #[must_use]
    pub fn new(boxes: &[Aabb<D>]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..boxes.len()).collect() };
        if !boxes.is_empty() {
            let mut order = std::mem::take(&mut tree.order);
            tree.split(&mut order, 0, boxes);
            tree.order = order;
            tree.refit(|facet| boxes[facet]);
        }
        tree
    }

    /// Appends the subtree of `facets`, which start at `first` in the whole order.
    fn split(&mut self, facets: &mut [usize], first: usize, boxes: &[Aabb<D>]) {
        let here = self.nodes.len();
        let end = first + facets.len();
        self.nodes.push(TreeNode { bounds: Aabb::empty(), content: TreeContent::Leaf { first, end } });
        if facets.len() <= LEAF_SIZE {
            return;
        }
        let centres: Aabb<D> = Aabb::around(facets.iter().map(|&f| Vector::from_fn(|i, _| boxes[f].centre(i))));
        let axis = (centres.high - centres.low).imax();
        let middle = facets.len() / 2;
        // Equal centres are ordered by index: the split is the same on every run.
        facets.select_nth_unstable_by(middle, |&a, &b| {
            boxes[a].centre(axis).total_cmp(&boxes[b].centre(axis)).then(a.cmp(&b))
        });
        let (left, right) = facets.split_at_mut(middle);
        self.split(left, first, boxes);
        self.nodes[here].content = TreeContent::Branch { right: self.nodes.len() };
        self.split(right, first + middle, boxes);
    }

    /// Fits the boxes to moved facets.
    pub fn refit(&mut self, bounds_of: impl Fn(usize) -> Aabb<D>) {
        for i in (0..self.nodes.len()).rev() {
            self.nodes[i].bounds = match self.nodes[i].content {
                TreeContent::Leaf { first, end } => {
                    self.order[first..end].iter().fold(Aabb::empty(), |b, &f| b.merged(&bounds_of(f).padded()))
                }
                TreeContent::Branch { right } => self.nodes[i + 1].bounds.merged(&self.nodes[right].bounds),
            };
        }
    }

    /// The box around all facets, with the allowance for rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb<D> {
        self.nodes.first().map_or_else(Aabb::empty, |n| n.bounds)
    }

    /// The facets whose box can meet a box, in no particular order: none that meets it is left out, a few that do not may come too.
    pub fn meeting(&self, bounds: &Aabb<D>, mut found: impl FnMut(usize)) {
        let mut open = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(node) = open.pop() {
            let TreeNode { bounds: own, content } = &self.nodes[node];
            if !own.meets(bounds) {
                continue;
            }
            match content {
                TreeContent::Leaf { first, end } => self.order[*first..*end].iter().for_each(|&facet| found(facet)),
                TreeContent::Branch { right } => open.extend([node + 1, *right]),
            }
        }
    }

    /// The nearest facet within `reach` (m), and the number of facets looked at.
    ///
    /// `evaluate` gives the distance of a facet and anything else about it, or `None` if the facet does not count; the
    /// distance must not be less than that of the facet's box. Its second argument is the distance (m) beyond which an answer is
    /// of no use any more.
    pub fn nearest<T>(
        &self,
        point: &Vector<D>,
        reach: f64,
        evaluate: impl FnMut(usize, f64) -> Option<(f64, T)>,
    ) -> (Option<Nearest<T>>, usize) {
        let mut search = Search { reach, evaluate, best: None, visited: 0 };
        let waiting = |node: usize| Waiting { bound: self.nodes[node].bounds.distance(point), node };
        let mut queue = BinaryHeap::with_capacity(64);
        queue.extend((!self.nodes.is_empty()).then(|| waiting(0)));
        while let Some(Waiting { bound, node }) = queue.pop() {
            if search.excludes(bound) {
                break;
            }
            match self.nodes[node].content {
                TreeContent::Leaf { first, end } => {
                    self.order[first..end].iter().for_each(|&facet| search.visit(facet))
                }
                TreeContent::Branch { right } => {
                    let children = [node + 1, right];
                    queue.extend(children.map(waiting));
                }
            }
        }
        (search.best, search.visited)
    }
}

/// A box still to be opened.
struct Waiting {
    bound: f64,
    node: usize,
}

impl Ord for Waiting {
    /// The nearest box is the greatest; among equals the first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

/// State of a query.
struct Search<T, F> {
    reach: f64,
    evaluate: F,
    best: Option<Nearest<T>>,
    visited: usize,
}

impl<T, F> Search<T, F>
where
    F: FnMut(usize, f64) -> Option<(f64, T)>,
{
    /// Equal distances are not excluded: the lowest facet index has to win.
    fn excludes(&self, bound: f64) -> bool {
        bound * (1.0 - ROUNDING) > self.limit()
    }

    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(self.reach, |b| b.distance)
    }

    fn visit(&mut self, facet: usize) {
        self.visited += 1;
        let limit = self.limit();
        let Some((distance, value)) = (self.evaluate)(facet, limit) else { return };
        let better = match &self.best {
            None => distance <= self.reach,
            Some(best) => distance.total_cmp(&best.distance).then(facet.cmp(&best.facet)).is_lt(),
        };
        if better {
            self.best = Some(Nearest { facet, distance, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// Segments in any dimension, some of them points, some repeated.
    fn cloud<const D: usize>(random: &mut Random, n: usize) -> Vec<[Vector<D>; 2]> {
        // A coarse grid makes ties and coincident segments frequent.
        let coarse = random.below(2) == 0;
        let mut segments: Vec<[Vector<D>; 2]> = Vec::new();
        for _ in 0..n {
            let point = |random: &mut Random| {
                Vector::from_fn(|_, _| if coarse { random.below(4) as f64 } else { random.within(-1.0, 1.0) })
            };
            let a: Vector<D> = point(random);
            let b = if random.below(5) == 0 { a } else { point(random) };
            let again = (random.below(5) == 0 && !segments.is_empty()).then(|| segments[random.below(segments.len())]);
            segments.push(again.unwrap_or([a, b]));
        }
        segments
    }

    fn distance<const D: usize>([a, b]: &[Vector<D>; 2], p: &Vector<D>) -> f64 {
        let e = b - a;
        let s = ((p - a).dot(&e) / e.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (p - a - e * s).norm()
    }

    fn boxes<const D: usize>(segments: &[[Vector<D>; 2]]) -> Vec<Aabb<D>> {
        segments.iter().map(|s| Aabb::around(*s)).collect()
    }

    fn check_clouds<const D: usize>(seed: u64) -> usize {
        let mut random = Random::new(seed);
        let mut found = 0;
        for _ in 0..2000 {
            let n = 1 + random.below(40);
            let before = cloud::<D>(&mut random, n);
            let mut tree = BoxTree::new(&boxes(&before));
            let segments = if random.below(2) == 0 { before } else { cloud(&mut random, n) };
            let fitted = boxes(&segments);
            tree.refit(|f| fitted[f]);
            for _ in 0..4 {
                let p = Vector::from_fn(|_, _| random.below(9) as f64 * 0.5 - 0.5);
                let reach = if random.below(4) == 0 { f64::INFINITY } else { random.within(0.0, 3.0) };
                let skip = random.below(3);
                let look = |f: usize| (f % 3 != skip).then(|| (distance(&segments[f], &p), f));
                let all = (0..n).filter_map(look).filter(|r| r.0 <= reach);
                let expected = all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let (answer, visited) = tree.nearest(&p, reach, |f, limit| look(f).filter(|a| a.0 <= limit));
                assert_eq!(answer.map(|a| (a.distance, a.facet)), expected);
                assert!(visited <= n);
                found += usize::from(expected.is_some());
            }
        }
        found
    }

    #[test]
    fn the_nearest_is_that_of_all_pairs() {
        // Equality to the last bit, in 8000 queries per dimension; most of them have an answer.
        assert!(check_clouds::<2>(1) > 4000);
        assert!(check_clouds::<3>(2) > 4000);
    }

    #[test]
    fn the_lowest_of_coincident_facets_wins() {
        let same = vec![[Vector::<2>::new(0.0, 0.0), Vector::<2>::new(1.0, 0.0)]; 100];
        let tree = BoxTree::new(&boxes(&same));
        let p = Vector::<2>::new(0.5, 0.3);
        let (answer, _) = tree.nearest(&p, 1.0, |f, _| (f > 16).then(|| (distance(&same[f], &p), ())));
        assert_eq!(answer.unwrap().facet, 17);
    }

    #[test]
    fn an_empty_tree_has_no_answer() {
        let (answer, visited) = BoxTree::<2>::new(&[]).nearest(&Vector::<2>::zeros(), 1.0, |_, _| Some((0.0, ())));
        assert_eq!((answer, visited), (None, 0));
    }

    #[test]
    fn box_distances() {
        let b = Aabb::around([Vector::<2>::new(0.0, 0.0), Vector::<2>::new(2.0, 1.0)]);
        for (p, d) in [([1.0, 0.5], 0.0), ([5.0, 5.0], 5.0), ([-2.0, 0.5], 2.0), ([1.0, -3.0], 3.0)] {
            assert!((b.distance(&p.into()) - d).abs() < 1e-15, "{p:?}");
            let other = Aabb::around([Vector::<2>::from(p)]);
            assert!((b.distance_to(&other) - d).abs() < 1e-15 && (other.distance_to(&b) - d).abs() < 1e-15, "{p:?}");
        }
        for (p, d) in [([1.0, 0.5], 0.5), ([0.25, 0.5], 0.25), ([1.0, 1.0], 0.0), ([1.0, -3.0], -3.0)] {
            assert!((b.inner_distance(&p.into()) - d).abs() < 1e-15, "{p:?}");
        }
        let across = Aabb::around([Vector::<2>::new(1.0, -9.0), Vector::<2>::new(1.5, 9.0)]);
        assert!(b.distance_to(&across) < 1e-15, "boxes that cross meet");
    }
}
