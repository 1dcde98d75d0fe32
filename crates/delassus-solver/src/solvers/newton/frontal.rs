//! LU factors of sparse block matrices with a symmetric pattern, by fronts: the contacts are ordered once, and any number of matrices is factored.
//!
//! ```text
//! front      rows and columns of a few contacts that are eliminated together (s numbers) and of those they touch later (r numbers), dense
//! assemble   entries of W between them, and what the fronts before have left:  A₂₂ − L₂₁ U₁₂
//! eliminate  P A₁₁ = L₁₁ U₁₁,   U₁₂ = L₁₁⁻¹ P A₁₂,   L₂₁ = A₂₁ U₁₁⁻¹
//! ```
//!
//! Duff & Reid 1983. Order by approximate minimum degree (Amestoy, Davis & Duff 1996) on the graph of the contacts, whose blocks go through the factor as a
//! whole. A contact may have any number of unknowns from 0 to D, another one in each matrix: open contacts have none and cost next to nothing, so that the pattern need not follow the
//! statuses. Rows are exchanged within the pivots of a front alone: that keeps the pattern and the fill symmetric, half of what general exchanges take; the
//! residual of the solution shows where it is not enough.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::matmul::matmul;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use faer::{Accum, MatMut, Par};

use crate::linalg::Matrix;
use crate::operator::BlockMatrix;

/// Columns that are eliminated before the rest of a front is brought up to date.
const PANEL: usize = 24;

/// Multiplications of an update from which a matrix product of the library is faster than plain loops.
const LARGE: usize = 4000;

/// A front takes in the one before it if that adds no more zeros than this share of it, or if the union has no more contacts than this.
const ZEROS: f64 = 0.15;
const SMALL: usize = 6;

/// Share of the contacts in a pattern that must be closed for it to be used again.
const WORTH_ORDERING: f64 = 0.7;

const NONE: usize = usize::MAX;

/// The order of elimination and the fronts.
#[derive(Debug)]
pub(in crate::solvers) struct FrontPattern {
    fronts: Vec<Front>,
    /// The contacts in it, and how many they are.
    is_kept: Vec<bool>,
    kept: usize,
}

/// Where the unknowns of the contacts are in a vector.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Numbering<'a> {
    /// How many each contact has, from 0 to D.
    pub(in crate::solvers) sizes: &'a [usize],
    /// The first of them.
    pub(in crate::solvers) first: &'a [usize],
}

#[derive(Debug)]
struct Front {
    /// Those eliminated here, then those touched, in the order of elimination.
    contacts: Vec<usize>,
    pivots: usize,
    children: Vec<usize>,
    /// Blocks that enter here: row and column by their place in `contacts`, and the number of the block in the order of the rows of W.
    entries: Vec<[u32; 3]>,
}

impl FrontPattern {
    /// Orders the contacts that are kept.
    pub(in crate::solvers) fn new<const D: usize>(w: &BlockMatrix<D>, is_kept: &[bool]) -> Self {
        let n = w.n();
        let kept: Vec<usize> = (0..n).filter(|&i| is_kept[i]).collect();
        let mut place = vec![NONE; n];
        for (a, &i) in kept.iter().enumerate() {
            place[i] = a;
        }
        let mut blocks: Vec<(usize, usize, u32)> = Vec::new();
        let mut number = 0;
        for i in 0..n {
            w.for_column_of_row(i, |j| {
                if place[i] != NONE && place[j] != NONE {
                    blocks.push((place[i], place[j], number));
                }
                number += 1;
            });
        }
        let graph = neighbours(kept.len(), &blocks);
        let order = minimum_degree(&graph);
        let (order, columns, parents) = eliminate(&graph, &order);
        let fronts = fronts(&kept, &order, columns, &parents, &blocks);
        Self { fronts, is_kept: place.iter().map(|&a| a != NONE).collect(), kept: kept.len() }
    }

    /// b − A x of the matrix with these blocks ([`FrontFactor::new`]).
    pub(in crate::solvers) fn residual<const D: usize>(
        &self,
        numbering: &Numbering<'_>,
        blocks: &[Matrix<D>],
        x: &[f64],
        b: &[f64],
    ) -> Vec<f64> {
        let mut out = b.to_vec();
        for front in &self.fronts {
            for &[row, column, number] in &front.entries {
                let [i, j] = [row, column].map(|slot| front.contacts[slot as usize]);
                let block = &blocks[number as usize];
                for k in 0..numbering.sizes[i] {
                    for l in 0..numbering.sizes[j] {
                        out[numbering.first[i] + k] -= block[(k, l)] * x[numbering.first[j] + l];
                    }
                }
            }
        }
        out
    }

    /// Are all these contacts in it, and not many more?
    pub(in crate::solvers) fn serves(&self, is_closed: &[bool], closed: usize) -> bool {
        closed as f64 >= WORTH_ORDERING * self.kept as f64
            && is_closed.iter().zip(&self.is_kept).all(|(&closed, &kept)| kept || !closed)
    }

    /// Multiplications of a factor in which contact i has `sizes[i]` unknowns.
    pub(in crate::solvers) fn work(&self, sizes: &[usize]) -> u64 {
        let of = |front: &Front| {
            let count = |list: &[usize]| list.iter().map(|&i| sizes[i] as u64).sum::<u64>();
            let (s, r) = (count(&front.contacts[..front.pivots]), count(&front.contacts[front.pivots..]));
            s * s * s / 3 + s * s * r + s * r * r
        };
        self.fronts.iter().map(of).sum()
    }
}

/// Symmetric lists of neighbours, ascending, without the diagonal.
fn neighbours(n: usize, blocks: &[(usize, usize, u32)]) -> Vec<Vec<usize>> {
    let mut graph: Vec<Vec<usize>> = vec![Vec::new(); n];
    for &(i, j, _) in blocks.iter().filter(|b| b.0 != b.1) {
        graph[i].push(j);
        graph[j].push(i);
    }
    for list in &mut graph {
        list.sort_unstable();
        list.dedup();
    }
    graph
}

/// Contacts in an order of small fill.
fn minimum_degree(graph: &[Vec<usize>]) -> Vec<usize> {
    let n = graph.len();
    let mut pointer = vec![0_usize];
    let mut rows = Vec::new();
    for (i, list) in graph.iter().enumerate() {
        let first = list.partition_point(|&j| j < i);
        rows.extend_from_slice(&list[..first]);
        rows.push(i);
        rows.extend_from_slice(&list[first..]);
        pointer.push(rows.len());
    }
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &pointer, None, &rows);
    let (mut order, mut place) = (vec![0_usize; n], vec![0_usize; n]);
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, rows.len()));
    match amd::order(&mut order, &mut place, pattern, amd::Control::default(), MemStack::new(&mut memory)) {
        Ok(_) => order,
        Err(_) => (0..n).collect(),
    }
}

/// The order with every contact right before its parent's others (postorder of the elimination tree), what each column touches below its diagonal (by places, ascending), and the parents.
fn eliminate(graph: &[Vec<usize>], order: &[usize]) -> (Vec<usize>, Vec<Vec<usize>>, Vec<usize>) {
    let n = order.len();
    let parents = tree(graph, order);
    // Children before parents, the subtrees one after the other.
    let mut first_child = vec![NONE; n];
    let mut next = vec![NONE; n];
    let mut roots = Vec::new();
    for k in (0..n).rev() {
        match parents[k] {
            NONE => roots.push(k),
            parent => (next[k], first_child[parent]) = (first_child[parent], k),
        }
    }
    let mut post = Vec::with_capacity(n);
    let mut stack: Vec<usize> = roots;
    while let Some(k) = stack.pop() {
        let child = std::mem::replace(&mut first_child[k], NONE);
        if child == NONE {
            post.push(k);
            continue;
        }
        stack.push(k);
        let mut list = Vec::new();
        let mut child = child;
        while child != NONE {
            list.push(child);
            child = next[child];
        }
        stack.extend(list.into_iter().rev());
    }
    let order: Vec<usize> = post.iter().map(|&k| order[k]).collect();
    let parents = tree(graph, &order);
    let mut place = vec![0; n];
    for (k, &i) in order.iter().enumerate() {
        place[i] = k;
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (k, &parent) in parents.iter().enumerate().filter(|p| *p.1 != NONE) {
        children[parent].push(k);
    }
    let mut mark = vec![NONE; n];
    let mut columns: Vec<Vec<usize>> = Vec::with_capacity(n);
    for k in 0..n {
        let mut list = Vec::new();
        mark[k] = k;
        let mut take = |j: usize| {
            if j > k && mark[j] != k {
                mark[j] = k;
                list.push(j);
            }
        };
        graph[order[k]].iter().for_each(|&i| take(place[i]));
        children[k].iter().for_each(|&c| columns[c].iter().for_each(|&j| take(j)));
        list.sort_unstable();
        columns.push(list);
    }
    (order, columns, parents)
}

/// Parents in the elimination tree, by places (Liu 1990).
fn tree(graph: &[Vec<usize>], order: &[usize]) -> Vec<usize> {
    let n = order.len();
    let mut place = vec![0; n];
    for (k, &i) in order.iter().enumerate() {
        place[i] = k;
    }
    let (mut parent, mut ancestor) = (vec![NONE; n], vec![NONE; n]);
    for k in 0..n {
        for &i in &graph[order[k]] {
            let mut j = place[i];
            while j < k {
                let up = std::mem::replace(&mut ancestor[j], k);
                if up == NONE {
                    parent[j] = k;
                    break;
                }
                j = up;
            }
        }
    }
    parent
}

/// Columns in a row, the first of them and one after the last, that are eliminated together.
fn groups(columns: &[Vec<usize>], parents: &[usize]) -> Vec<[usize; 2]> {
    let mut groups: Vec<([usize; 2], f64)> = Vec::new();
    for k in 0..columns.len() {
        let (mut range, mut zeros) = ([k, k + 1], 0.0);
        // The last group before, as long as it hangs on this one.
        while let Some(&([first, end], before)) = groups.last() {
            if end != range[0] || parents[end - 1] != range[0] {
                break;
            }
            let (pivots, touched) = (range[1] - first, columns[range[1] - 1].len());
            let missing = (columns[range[0]].len() + 1 - columns[end - 1].len()) * (end - first);
            let all = zeros + before + missing as f64;
            let size = (pivots * (pivots + 2 * touched)) as f64;
            if all > ZEROS * size && pivots + touched > SMALL {
                break;
            }
            groups.pop();
            (range, zeros) = ([first, range[1]], all);
        }
        groups.push((range, zeros));
    }
    groups.into_iter().map(|g| g.0).collect()
}

fn fronts(
    kept: &[usize],
    order: &[usize],
    columns: Vec<Vec<usize>>,
    parents: &[usize],
    blocks: &[(usize, usize, u32)],
) -> Vec<Front> {
    let groups = groups(&columns, parents);
    let mut front_of = vec![0; order.len()];
    for (f, &[first, end]) in groups.iter().enumerate() {
        front_of[first..end].fill(f);
    }
    let mut fronts: Vec<Front> = Vec::with_capacity(groups.len());
    let mut places: Vec<Vec<usize>> = Vec::with_capacity(groups.len());
    for &[first, end] in &groups {
        let mut list: Vec<usize> = (first..end).collect();
        let mut touched: Vec<usize> =
            (first..end).flat_map(|k| columns[k].iter().copied()).filter(|&j| j >= end).collect();
        touched.sort_unstable();
        touched.dedup();
        list.extend(touched);
        let contacts = list.iter().map(|&k| kept[order[k]]).collect();
        fronts.push(Front { contacts, pivots: end - first, children: Vec::new(), entries: Vec::new() });
        places.push(list);
    }
    for f in 0..fronts.len() {
        if let Some(&next) = places[f].get(fronts[f].pivots) {
            let parent = front_of[next];
            fronts[parent].children.push(f);
        }
    }
    let mut place = vec![0; order.len()];
    for (k, &i) in order.iter().enumerate() {
        place[i] = k;
    }
    for &(i, j, number) in blocks {
        let (row, column) = (place[i], place[j]);
        let f = front_of[row.min(column)];
        let slot = |k: usize| places[f].partition_point(|&x| x < k) as u32;
        fronts[f].entries.push([slot(row), slot(column), number]);
    }
    fronts
}

/// Factors of one matrix.
#[derive(Debug)]
pub(in crate::solvers) struct FrontFactor {
    fronts: Vec<EliminatedFront>,
}

#[derive(Debug)]
struct EliminatedFront {
    /// Where its numbers are in the vectors: pivots, then the others.
    numbers: Vec<usize>,
    pivots: usize,
    /// Row exchanged with row k at step k.
    exchanges: Vec<usize>,
    /// L₁₁ \ U₁₁ and U₁₂, row by row.
    top: Vec<f64>,
    /// L₂₁, row by row.
    below: Vec<f64>,
}

impl FrontFactor {
    /// Factors the matrix whose block with the number k is `blocks[k]`, of which as many rows and columns count as the contacts have unknowns. None if a pivot is zero.
    pub(in crate::solvers) fn new<const D: usize>(
        pattern: &FrontPattern,
        numbering: &Numbering<'_>,
        blocks: &[Matrix<D>],
    ) -> Option<Self> {
        let Numbering { sizes, first } = *numbering;
        let mut left: Vec<Option<Vec<f64>>> = std::iter::repeat_with(|| None).take(pattern.fronts.len()).collect();
        let mut fronts: Vec<EliminatedFront> = Vec::with_capacity(pattern.fronts.len());
        // Place of a number in the front at hand.
        let mut inside = vec![0_u32; sizes.iter().sum()];
        let mut offsets = Vec::new();
        for (f, front) in pattern.fronts.iter().enumerate() {
            offsets.clear();
            let mut numbers = Vec::with_capacity(D * front.contacts.len());
            let mut pivots = 0;
            for (slot, &i) in front.contacts.iter().enumerate() {
                offsets.push(numbers.len());
                for k in 0..sizes[i] {
                    inside[first[i] + k] = numbers.len() as u32;
                    numbers.push(first[i] + k);
                }
                pivots = if slot < front.pivots { numbers.len() } else { pivots };
            }
            let m = numbers.len();
            let mut a = vec![0.0; m * m];
            for &[row, column, number] in &front.entries {
                let (row, column) = (row as usize, column as usize);
                let [rows, columns] = [row, column].map(|slot| sizes[front.contacts[slot]]);
                let block = &blocks[number as usize];
                for k in 0..rows {
                    let to = (offsets[row] + k) * m + offsets[column];
                    for (l, x) in a[to..to + columns].iter_mut().enumerate() {
                        *x += block[(k, l)];
                    }
                }
            }
            for &child in &front.children {
                let Some(values) = left[child].take() else { continue };
                add(&mut a, m, &values, &fronts[child], &inside);
            }
            let exchanges = eliminate_front(&mut a, m, pivots)?;
            let r = m - pivots;
            let mut below = Vec::with_capacity(r * pivots);
            let mut rest = Vec::with_capacity(r * r);
            for row in a[pivots * m..].chunks_exact(m.max(1)) {
                below.extend_from_slice(&row[..pivots]);
                rest.extend_from_slice(&row[pivots..]);
            }
            left[f] = (r > 0).then_some(rest);
            a.truncate(pivots * m);
            fronts.push(EliminatedFront { numbers, pivots, exchanges, top: a, below });
        }
        Some(Self { fronts })
    }

    /// Replaces a right-hand side by the solution.
    pub(in crate::solvers) fn solve(&self, x: &mut [f64]) {
        let mut y = Vec::new();
        for front in &self.fronts {
            let (m, s) = (front.numbers.len(), front.pivots);
            y.clear();
            y.extend(front.numbers[..s].iter().map(|&i| x[i]));
            for k in 0..s {
                y.swap(k, front.exchanges[k]);
            }
            for k in 1..s {
                let sum: f64 = front.top[k * m..k * m + k].iter().zip(&y[..k]).map(|(l, y)| l * y).sum();
                y[k] -= sum;
            }
            for (row, &i) in front.below.chunks_exact(s.max(1)).zip(&front.numbers[s..]) {
                x[i] -= row.iter().zip(&y).map(|(l, y)| l * y).sum::<f64>();
            }
            for (&i, y) in front.numbers.iter().zip(&y) {
                x[i] = *y;
            }
        }
        for front in self.fronts.iter().rev() {
            let (m, s) = (front.numbers.len(), front.pivots);
            y.clear();
            y.extend(front.numbers.iter().map(|&i| x[i]));
            for k in (0..s).rev() {
                let row = &front.top[k * m..(k + 1) * m];
                let sum: f64 = row[k + 1..].iter().zip(&y[k + 1..]).map(|(u, y)| u * y).sum();
                y[k] = (y[k] - sum) / row[k];
                x[front.numbers[k]] = y[k];
            }
        }
    }
}

/// Adds what a child has left to a front of m rows; `inside` says where each number is in it.
fn add(a: &mut [f64], m: usize, values: &[f64], child: &EliminatedFront, inside: &[u32]) {
    let to: Vec<usize> = child.numbers[child.pivots..].iter().map(|&i| inside[i] as usize).collect();
    for (row, &i) in values.chunks_exact(to.len()).zip(&to) {
        let target = &mut a[i * m..(i + 1) * m];
        for (value, &j) in row.iter().zip(&to) {
            target[j] += value;
        }
    }
}

/// Eliminates the first `s` of m rows and columns; the rows exchanged, or none where a pivot is zero or not a number.
fn eliminate_front(a: &mut [f64], m: usize, s: usize) -> Option<Vec<usize>> {
    let mut exchanges = Vec::with_capacity(s);
    let mut start = 0;
    while start < s {
        let end = (start + PANEL).min(s);
        for k in start..end {
            let size = |i: usize| a[i * m + k].abs();
            let best = (k..s).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            let pivot = a[best * m + k];
            if pivot == 0.0 || !pivot.is_finite() {
                return None;
            }
            exchanges.push(best);
            if best != k {
                let (upper, lower) = a.split_at_mut(best * m);
                upper[k * m..(k + 1) * m].swap_with_slice(&mut lower[..m]);
            }
            let (upper, lower) = a.split_at_mut((k + 1) * m);
            let row = &upper[k * m + k + 1..k * m + end];
            for other in lower.chunks_exact_mut(m) {
                let factor = other[k] / pivot;
                other[k] = factor;
                for (x, u) in other[k + 1..end].iter_mut().zip(row) {
                    *x -= factor * u;
                }
            }
        }
        // The rows of the panel to the right of it, then all below.
        for k in start + 1..end {
            let (upper, lower) = a.split_at_mut(k * m);
            for j in start..k {
                let factor = lower[j];
                let row = &upper[j * m + end..(j + 1) * m];
                for (x, u) in lower[end..m].iter_mut().zip(row) {
                    *x -= factor * u;
                }
            }
        }
        update(a, m, start, end);
        start = end;
    }
    Some(exchanges)
}

/// A₂₂ −= L₂₁ U₁₂ beyond the columns start … end.
fn update(a: &mut [f64], m: usize, start: usize, end: usize) {
    let rest = m - end;
    if rest == 0 {
        return;
    }
    if rest * rest * (end - start) >= LARGE {
        let whole = MatMut::from_row_major_slice_mut(a, m, m);
        let (_, top, left, corner) = whole.split_at_mut(end, end);
        let (l, u) = (left.as_ref().subcols(start, end - start), top.as_ref().subrows(start, end - start));
        matmul(corner, Accum::Add, l, u, -1.0, Par::Seq);
        return;
    }
    let (upper, lower) = a.split_at_mut(end * m);
    for row in lower.chunks_exact_mut(m) {
        let (factors, target) = row.split_at_mut(end);
        for (k, factor) in (start..end).zip(&factors[start..]) {
            for (x, u) in target.iter_mut().zip(&upper[k * m + end..(k + 1) * m]) {
                *x -= factor * u;
            }
        }
    }
}
