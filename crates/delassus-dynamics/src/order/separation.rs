//! Two parts of a graph with a separator between them, refined by moving vertices out of the separator (Ashcraft, Liu 1998).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Graph, HILL, PASSES, SEPARATOR, VertexMove, limit};

/// A graph cut into two parts and a separator.
pub(super) struct Separation<'a> {
    pub(super) graph: &'a Graph,
    /// Part of each vertex.
    pub(super) side: Vec<usize>,
    /// Weight of each part and of the separator.
    pub(super) size: [i64; 3],
    /// For vertices of the separator: weight of their neighbours in each part.
    pub(super) pull: Vec<[i64; 2]>,
    /// Heaviest part allowed.
    pub(super) limit: i64,
}

impl<'a> Separation<'a> {
    pub(super) fn new(graph: &'a Graph, side: Vec<usize>) -> Self {
        let mut size = [0; 3];
        for (v, &s) in side.iter().enumerate() {
            size[s] += graph.weights[v];
        }
        Self { graph, side, size, pull: vec![[0; 2]; graph.n()], limit: limit(size.iter().sum()) }
    }

    /// Less is better: parts within the limit, a light separator, parts of equal weight.
    pub(super) fn cost(&self) -> (i64, i64, i64) {
        let heavier = self.size[0].max(self.size[1]);
        ((heavier - self.limit).max(0), self.size[SEPARATOR], (self.size[0] - self.size[1]).abs())
    }

    /// Both parts are much smaller than the whole. This bounds the depth of the dissection too.
    pub(super) fn is_useful(&self) -> bool {
        let [a, b, separator] = self.size;
        a > 0 && b > 0 && 10 * a.max(b) <= 9 * (a + b + separator)
    }

    /// How much lighter the separator gets if v moves to part `to`: v leaves, its neighbours in the other part enter.
    pub(super) fn gain(&self, v: usize, to: usize) -> i64 {
        self.graph.weights[v] - self.pull[v][1 - to]
    }

    /// Counts the neighbours of v afresh.
    pub(super) fn measure(&mut self, v: usize) {
        self.pull[v] = [0; 2];
        for &u in self.graph.neighbours(v) {
            if self.side[u] != SEPARATOR {
                self.pull[v][self.side[u]] += self.graph.weights[u];
            }
        }
    }

    /// The top of the heap that is still true; it stays there.
    pub(super) fn best(&self, heap: &mut BinaryHeap<VertexMove>, to: usize, locked: &[bool]) -> Option<usize> {
        while let Some(&(gain, Reverse(v))) = heap.peek() {
            let is_locked = locked.get(v).copied().unwrap_or(false);
            if self.side[v] == SEPARATOR && !is_locked && gain == self.gain(v, to) {
                return Some(v);
            }
            heap.pop();
        }
        None
    }

    /// Moves v from the separator to part `to`. Appends the vertices pulled into the separator to `pulled`, and those
    /// whose gains are new to `changed`.
    pub(super) fn shift(&mut self, v: usize, to: usize, pulled: &mut Vec<usize>, changed: &mut Vec<usize>) {
        let graph = self.graph;
        self.side[v] = to;
        self.size[SEPARATOR] -= graph.weights[v];
        self.size[to] += graph.weights[v];
        for &u in graph.neighbours(v) {
            if self.side[u] == SEPARATOR {
                self.pull[u][to] += graph.weights[v];
                changed.push(u);
            } else if self.side[u] == 1 - to {
                self.side[u] = SEPARATOR;
                self.size[1 - to] -= graph.weights[u];
                self.size[SEPARATOR] += graph.weights[u];
                self.measure(u);
                changed.push(u);
                pulled.push(u);
                for &x in graph.neighbours(u) {
                    if self.side[x] == SEPARATOR {
                        self.pull[x][1 - to] -= graph.weights[u];
                        changed.push(x);
                    }
                }
            }
        }
    }

    /// Passes of moves while they help.
    pub(super) fn refine(&mut self) {
        for _ in 0..PASSES {
            let before = self.cost();
            self.pass();
            if self.cost() >= before {
                break;
            }
        }
    }

    /// One pass: every vertex leaves the separator at most once; at the end the moves after the best cost are undone.
    pub(super) fn pass(&mut self) {
        let n = self.graph.n();
        let mut locked = vec![false; n];
        let mut heaps = [BinaryHeap::new(), BinaryHeap::new()];
        for v in 0..n {
            if self.side[v] == SEPARATOR {
                self.measure(v);
                for to in 0..2 {
                    heaps[to].push((self.gain(v, to), Reverse(v)));
                }
            }
        }
        // Each move, and where its pulled vertices begin.
        let mut moves: Vec<(usize, usize, usize)> = Vec::new();
        let (mut pulled, mut changed) = (Vec::new(), Vec::new());
        let mut best = (self.cost(), 0);
        while moves.len() < best.1 + HILL {
            let lighter = usize::from(self.size[1] < self.size[0]);
            let mut chosen: Option<(i64, usize, usize)> = None;
            for to in [lighter, 1 - lighter] {
                let Some(v) = self.best(&mut heaps[to], to, &locked) else { continue };
                let fits = to == lighter || self.size[to] + self.graph.weights[v] <= self.limit;
                let gain = self.gain(v, to);
                if fits && chosen.is_none_or(|(g, _, _)| gain > g) {
                    chosen = Some((gain, v, to));
                }
            }
            let Some((_, v, to)) = chosen else { break };
            moves.push((v, to, pulled.len()));
            locked[v] = true;
            self.shift(v, to, &mut pulled, &mut changed);
            for u in changed.drain(..) {
                if !locked[u] {
                    for to in 0..2 {
                        heaps[to].push((self.gain(u, to), Reverse(u)));
                    }
                }
            }
            if self.cost() < best.0 {
                best = (self.cost(), moves.len());
            }
        }
        for (v, to, start) in moves.drain(best.1..).rev() {
            for u in pulled.drain(start..) {
                self.side[u] = 1 - to;
                self.size[SEPARATOR] -= self.graph.weights[u];
                self.size[1 - to] += self.graph.weights[u];
            }
            self.side[v] = SEPARATOR;
            self.size[to] -= self.graph.weights[v];
            self.size[SEPARATOR] += self.graph.weights[v];
        }
    }
}
