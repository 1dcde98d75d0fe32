//! A fill-reducing order by nested dissection.
//!
//! ```text
//! V = A ∪ B ∪ S ,   no edge between A and B        order: A, B, then S; A and B again in the same way
//! ```
//!
//! Eliminating A fills nothing in B. In a grid of n nodes in space this gives O(n^{4/3}) entries of L, where minimum
//! degree gives about twice that for the sizes of interest (George 1973; Lipton, Rose, Tarjan 1979).
//!
//! The graph alone is used, no coordinates:
//! 1. vertices with equal closed neighbourhoods (the dofs of one node) become one weighted vertex (Ashcraft 1995);
//! 2. vertices linked to very many others are put last;
//! 3. the graph is cut in two on a chain of coarser graphs made by heavy-edge matching, and the cut is refined on the way
//!    back (Karypis, Kumar 1998): the best move first, also moves that make the cut worse, then back to the best cut
//!    found (Fiduccia, Mattheyses 1982);
//! 4. S begins as the lighter border of the cut and is refined in the same way: a vertex leaves S for one part, and its
//!    neighbours in the other part enter (Ashcraft, Liu 1998);
//! 5. small parts are ordered by minimum degree.
//!
//! Separators found on the coarse graphs directly, without the cut, are 1.5 times heavier in a box, because a coarse
//! vertex is a thick piece of the separator.
//!
//! Ties are broken by vertex number, and the pseudo-random visit order is a fixed hash: the result is a function of the
//! pattern.

mod bisection;
mod separation;

use std::cmp::Reverse;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::amd;
use faer::sparse::{FaerError, SymbolicSparseColMatRef};
use nalgebra_sparse::pattern::SparsityPattern;

use bisection::Bisection;
use separation::Separation;

/// Parts of at most this many vertices are ordered by minimum degree.
const LEAF: usize = 60;
/// Coarsening stops at this many vertices.
const COARSE: usize = 100;
/// First bisections tried on the coarsest graph.
const SEEDS: usize = 4;
/// Passes of the refinement on one graph, at most.
const PASSES: usize = 8;
/// Moves without a better result after which a pass gives up.
const HILL: usize = 300;
/// The heavier part may hold this share of all weight.
const SHARE: f64 = 0.6;

/// The separator; parts are 0 and 1.
const SEPARATOR: usize = 2;

/// The nested-dissection order (new → old) of a symmetric matrix given by its lower triangle.
pub fn nested_dissection(pattern: &SparsityPattern) -> Result<Vec<usize>, FaerError> {
    let (graph, members) = compressed(pattern);
    let n = graph.n();
    let dense = 16.0_f64.max(10.0 * (n as f64).sqrt());
    let (last, first): (Vec<usize>, Vec<usize>) = (0..n).partition(|&v| graph.degree(v) as f64 > dense);
    let mut order = Vec::with_capacity(n);
    let mut local = vec![usize::MAX; n];
    let part = graph.induced(&first, &mut local);
    dissect(&part, &first, &mut order)?;
    order.extend(last);
    Ok(order.into_iter().flat_map(|v| members[v].iter().copied()).collect())
}

/// An undirected graph with weights on vertices and edges, without loops.
struct Graph {
    offsets: Vec<usize>,
    neighbours: Vec<usize>,
    links: Vec<i64>,
    weights: Vec<i64>,
}

impl Graph {
    fn n(&self) -> usize {
        self.weights.len()
    }

    fn range(&self, v: usize) -> std::ops::Range<usize> {
        self.offsets[v]..self.offsets[v + 1]
    }

    fn neighbours(&self, v: usize) -> &[usize] {
        &self.neighbours[self.range(v)]
    }

    fn degree(&self, v: usize) -> usize {
        self.offsets[v + 1] - self.offsets[v]
    }

    /// The graph on some vertices, numbered as listed. `local` is scratch: all `usize::MAX`, before and after.
    fn induced(&self, vertices: &[usize], local: &mut [usize]) -> Self {
        for (k, &v) in vertices.iter().enumerate() {
            local[v] = k;
        }
        let mut part = Self { offsets: vec![0], neighbours: vec![], links: vec![], weights: vec![] };
        for &v in vertices {
            for e in self.range(v) {
                if local[self.neighbours[e]] != usize::MAX {
                    part.neighbours.push(local[self.neighbours[e]]);
                    part.links.push(self.links[e]);
                }
            }
            part.offsets.push(part.neighbours.len());
            part.weights.push(self.weights[v]);
        }
        for &v in vertices {
            local[v] = usize::MAX;
        }
        part
    }

    /// The connected parts, each ascending.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.n()];
        let mut parts = Vec::new();
        for root in 0..self.n() {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            let mut part = vec![root];
            let mut next = 0;
            while let Some(&v) = part.get(next) {
                next += 1;
                for &u in self.neighbours(v) {
                    if !seen[u] {
                        seen[u] = true;
                        part.push(u);
                    }
                }
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }
}

/// The heaviest part allowed.
fn limit(total: i64) -> i64 {
    (SHARE * total as f64) as i64
}

/// A fixed scatter of integers (the finaliser of `SplitMix64`).
fn scatter(x: usize) -> u64 {
    let mut z = (x as u64).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The graph of the pattern with vertices of equal closed neighbourhoods merged, and the unknowns of each vertex.
fn compressed(pattern: &SparsityPattern) -> (Graph, Vec<Vec<usize>>) {
    let n = pattern.major_dim();
    // Closed neighbourhoods. Columns come in ascending order, so every list gets sorted.
    let mut offsets = vec![0; n + 1];
    for v in 0..n {
        offsets[v + 1] = 1;
    }
    for (j, i) in pattern.entries().filter(|(j, i)| i != j) {
        offsets[i + 1] += 1;
        offsets[j + 1] += 1;
    }
    for v in 0..n {
        offsets[v + 1] += offsets[v];
    }
    let mut fill = offsets.clone();
    let mut closed = vec![0; offsets[n]];
    let mut add = |v: usize, u: usize| {
        closed[fill[v]] = u;
        fill[v] += 1;
    };
    for j in 0..n {
        add(j, j);
        for &i in pattern.lane(j).iter().filter(|&&i| i != j) {
            add(i, j);
            add(j, i);
        }
    }
    let around = |v: usize| &closed[offsets[v]..offsets[v + 1]];

    // Equal lists have equal sums of scattered numbers; lists with equal sums are compared.
    let mut keys: Vec<(u64, usize)> =
        (0..n).map(|v| (around(v).iter().fold(0_u64, |sum, &u| sum.wrapping_add(scatter(u))), v)).collect();
    keys.sort_unstable();
    let mut leader: Vec<usize> = (0..n).collect();
    for equal in keys.chunk_by(|a, b| a.0 == b.0) {
        let first = equal[0].1;
        for &(_, v) in &equal[1..] {
            if around(v) == around(first) {
                leader[v] = first;
            }
        }
    }
    let mut class = vec![0; n];
    let mut members: Vec<Vec<usize>> = Vec::new();
    for v in 0..n {
        if leader[v] == v {
            class[v] = members.len();
            members.push(vec![v]);
        } else {
            class[v] = class[leader[v]];
            members[class[v]].push(v);
        }
    }
    let mut graph = Graph { offsets: vec![0], neighbours: vec![], links: vec![], weights: vec![] };
    for (c, group) in members.iter().enumerate() {
        for &u in around(group[0]) {
            if leader[u] == u && class[u] != c {
                graph.neighbours.push(class[u]);
                graph.links.push((group.len() * members[class[u]].len()) as i64);
            }
        }
        graph.offsets.push(graph.neighbours.len());
        graph.weights.push(group.len() as i64);
    }
    (graph, members)
}

/// Appends the order of `graph`, whose vertices are called `names` outside.
fn dissect(graph: &Graph, names: &[usize], order: &mut Vec<usize>) -> Result<(), FaerError> {
    let mut local = vec![usize::MAX; graph.n()];
    for part in graph.components() {
        let connected = graph.induced(&part, &mut local);
        let names: Vec<usize> = part.iter().map(|&v| names[v]).collect();
        let separation = (part.len() > LEAF).then(|| separate(&connected)).filter(Separation::is_useful);
        let Some(separation) = separation else {
            order.extend(minimum_degree(&connected)?.into_iter().map(|v| names[v]));
            continue;
        };
        let mut local = vec![usize::MAX; connected.n()];
        for side in 0..2 {
            let half: Vec<usize> = (0..connected.n()).filter(|&v| separation.side[v] == side).collect();
            let half_names: Vec<usize> = half.iter().map(|&v| names[v]).collect();
            dissect(&connected.induced(&half, &mut local), &half_names, order)?;
        }
        order.extend((0..connected.n()).filter(|&v| separation.side[v] == SEPARATOR).map(|v| names[v]));
    }
    Ok(())
}

fn minimum_degree(graph: &Graph) -> Result<Vec<usize>, FaerError> {
    let n = graph.n();
    let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
    let view = SymbolicSparseColMatRef::new_unsorted_checked(n, n, &graph.offsets, None, &graph.neighbours);
    let scratch = amd::order_maybe_unsorted_scratch::<usize>(n, graph.neighbours.len());
    let mut memory = MemBuffer::try_new(scratch).map_err(|_| FaerError::OutOfMemory)?;
    amd::order_maybe_unsorted(&mut order, &mut inverse, view, amd::Control::default(), MemStack::new(&mut memory))?;
    Ok(order)
}

/// A separator of a connected graph: the lighter border of a bisection, refined.
fn separate(graph: &Graph) -> Separation<'_> {
    let bisection = bisect(graph);
    let borders: [Vec<usize>; 2] =
        [0, 1].map(|s| (0..graph.n()).filter(|&v| bisection.side[v] == s && bisection.is_border(v)).collect());
    let [first, second] = [0, 1].map(|s: usize| borders[s].iter().map(|&v| graph.weights[v]).sum::<i64>());
    let mut side = bisection.side;
    for &v in &borders[usize::from(second < first)] {
        side[v] = SEPARATOR;
    }
    let mut separation = Separation::new(graph, side);
    separation.refine();
    separation
}

/// Two parts of about equal weight with a light cut, found on coarser graphs first.
fn bisect(graph: &Graph) -> Bisection<'_> {
    if graph.n() > COARSE {
        let (coarse, parent) = coarsened(graph);
        // A graph that hardly shrinks (a star) is not worth another level.
        if 10 * coarse.n() <= 9 * graph.n() {
            let above = bisect(&coarse);
            let mut bisection = Bisection::new(graph, parent.iter().map(|&c| above.side[c]).collect());
            bisection.refine();
            return bisection;
        }
    }
    // Grown from several vertices; the first of the best ones is kept.
    let seeds = SEEDS.min(graph.n());
    let mut best = Bisection::grown(graph, 0);
    for k in 1..seeds {
        let next = Bisection::grown(graph, k * graph.n() / seeds);
        if next.cost() < best.cost() {
            best = next;
        }
    }
    best
}

/// The graph with matched pairs merged, and the new vertex of each old one. The heaviest link is matched first, as seen
/// from vertices in ascending degree.
fn coarsened(graph: &Graph) -> (Graph, Vec<usize>) {
    let n = graph.n();
    let total: i64 = graph.weights.iter().sum();
    let heaviest = (3 * total / (2 * COARSE as i64)).max(1);
    let mut visits: Vec<usize> = (0..n).collect();
    visits.sort_by_cached_key(|&v| (graph.degree(v), scatter(v)));
    let mut mate: Vec<usize> = vec![usize::MAX; n];
    for v in visits {
        if mate[v] != usize::MAX {
            continue;
        }
        let partner = graph
            .range(v)
            .map(|e| (graph.links[e], Reverse(graph.weights[graph.neighbours[e]]), Reverse(graph.neighbours[e])))
            .filter(|&(_, Reverse(w), Reverse(u))| mate[u] == usize::MAX && w + graph.weights[v] <= heaviest)
            .max()
            .map_or(v, |(_, _, Reverse(u))| u);
        mate[v] = partner;
        mate[partner] = v;
    }
    let mut parent = vec![0; n];
    let mut pairs = Vec::new();
    for v in 0..n {
        if mate[v] >= v {
            parent[v] = pairs.len();
            parent[mate[v]] = pairs.len();
            pairs.push(v);
        }
    }
    let mut coarse = Graph { offsets: vec![0], neighbours: vec![], links: vec![], weights: vec![] };
    let mut slot = vec![usize::MAX; pairs.len()];
    for (c, &v) in pairs.iter().enumerate() {
        let start = coarse.neighbours.len();
        let both = [v, mate[v]];
        let both = &both[..if mate[v] == v { 1 } else { 2 }];
        for e in both.iter().flat_map(|&v| graph.range(v)) {
            let u = parent[graph.neighbours[e]];
            if u == c {
                continue;
            }
            // Slots of earlier vertices lie before `start`.
            if slot[u] == usize::MAX || slot[u] < start {
                slot[u] = coarse.neighbours.len();
                coarse.neighbours.push(u);
                coarse.links.push(graph.links[e]);
            } else {
                coarse.links[slot[u]] += graph.links[e];
            }
        }
        coarse.offsets.push(coarse.neighbours.len());
        coarse.weights.push(both.iter().map(|&v| graph.weights[v]).sum());
    }
    (coarse, parent)
}

/// A move to choose from: how much lighter the cut or the separator gets, and the vertex.
type VertexMove = (i64, Reverse<usize>);

#[cfg(test)]
mod tests;
