//! A cut of a graph in two, refined by moving vertices across it (Fiduccia, Mattheyses 1982).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Graph, HILL, PASSES, VertexMove, limit};

/// A graph cut into two parts.
pub(super) struct Bisection<'a> {
    pub(super) graph: &'a Graph,
    /// Part of each vertex.
    pub(super) side: Vec<usize>,
    /// Weight of each part.
    pub(super) size: [i64; 2],
    /// Weight of the links between the parts.
    pub(super) cut: i64,
    /// How much lighter the cut gets if a vertex changes sides.
    pub(super) gain: Vec<i64>,
    /// Weight of all links of a vertex.
    pub(super) reach: Vec<i64>,
    /// Heaviest part allowed.
    pub(super) limit: i64,
}

impl<'a> Bisection<'a> {
    pub(super) fn new(graph: &'a Graph, side: Vec<usize>) -> Self {
        let mut size = [0; 2];
        let (mut gain, mut reach, mut cut) = (vec![0; graph.n()], vec![0; graph.n()], 0);
        for v in 0..graph.n() {
            size[side[v]] += graph.weights[v];
            for e in graph.range(v) {
                reach[v] += graph.links[e];
                if side[graph.neighbours[e]] == side[v] {
                    gain[v] -= graph.links[e];
                } else {
                    gain[v] += graph.links[e];
                    cut += graph.links[e];
                }
            }
        }
        Self { graph, side, size, cut: cut / 2, gain, reach, limit: limit(size[0] + size[1]) }
    }

    /// Part 0 grown from `seed` up to half the weight, always by the vertex that keeps the cut lightest; refined.
    pub(super) fn grown(graph: &'a Graph, seed: usize) -> Self {
        let mut grown = Self::new(graph, vec![1; graph.n()]);
        let mut heap = BinaryHeap::from([(grown.gain[seed], Reverse(seed))]);
        while grown.size[0] < grown.size[1] {
            let Some(v) = grown.best(&mut heap, 1, &[]) else { break };
            grown.flip(v);
            heap.extend(graph.neighbours(v).iter().map(|&u| (grown.gain[u], Reverse(u))));
        }
        grown.refine();
        grown
    }

    /// Less is better: parts within the limit, a light cut, parts of equal weight.
    pub(super) fn cost(&self) -> (i64, i64, i64) {
        let [a, b] = self.size;
        ((a.max(b) - self.limit).max(0), self.cut, (a - b).abs())
    }

    pub(super) fn is_border(&self, v: usize) -> bool {
        self.gain[v] > -self.reach[v]
    }

    /// The top of the heap that is still true; it stays there.
    pub(super) fn best(&self, heap: &mut BinaryHeap<VertexMove>, from: usize, locked: &[bool]) -> Option<usize> {
        while let Some(&(gain, Reverse(v))) = heap.peek() {
            let is_locked = locked.get(v).copied().unwrap_or(false);
            if self.side[v] == from && !is_locked && gain == self.gain[v] {
                return Some(v);
            }
            heap.pop();
        }
        None
    }

    /// Moves v to the other part; a second time undoes the first.
    pub(super) fn flip(&mut self, v: usize) {
        let from = self.side[v];
        self.side[v] = 1 - from;
        self.size[from] -= self.graph.weights[v];
        self.size[1 - from] += self.graph.weights[v];
        self.cut -= self.gain[v];
        self.gain[v] = -self.gain[v];
        for e in self.graph.range(v) {
            let u = self.graph.neighbours[e];
            let change = 2 * self.graph.links[e];
            self.gain[u] += if self.side[u] == from { change } else { -change };
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

    /// One pass: every vertex moves at most once; at the end the moves after the best cost are undone.
    pub(super) fn pass(&mut self) {
        let mut locked = vec![false; self.graph.n()];
        let mut heaps = [BinaryHeap::new(), BinaryHeap::new()];
        for v in (0..self.graph.n()).filter(|&v| self.is_border(v)) {
            heaps[self.side[v]].push((self.gain[v], Reverse(v)));
        }
        let mut moves = Vec::new();
        let mut best = (self.cost(), 0);
        while moves.len() < best.1 + HILL {
            let heavier = usize::from(self.size[1] > self.size[0]);
            let mut chosen: Option<(i64, usize)> = None;
            for from in [heavier, 1 - heavier] {
                let Some(v) = self.best(&mut heaps[from], from, &locked) else { continue };
                let fits = from == heavier || self.size[1 - from] + self.graph.weights[v] <= self.limit;
                if fits && chosen.is_none_or(|(gain, _)| self.gain[v] > gain) {
                    chosen = Some((self.gain[v], v));
                }
            }
            let Some((_, v)) = chosen else { break };
            moves.push(v);
            locked[v] = true;
            self.flip(v);
            for &u in self.graph.neighbours(v) {
                if !locked[u] && self.is_border(u) {
                    heaps[self.side[u]].push((self.gain[u], Reverse(u)));
                }
            }
            if self.cost() < best.0 {
                best = (self.cost(), moves.len());
            }
        }
        for v in moves.drain(best.1..).rev() {
            self.flip(v);
        }
    }
}
