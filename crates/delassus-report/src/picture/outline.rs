//! Edges of plane cells: the outline of a set of cells, and the lines of a mesh.
//!
//! ```text
//! outline of a set of cells = its directed edges, less those that meet their opposite
//! ```
//!
//! Cells are counter-clockwise, so an edge shared by two of them occurs once in each direction. Cells of one colour are
//! drawn as the outline of their union: the picture is the same as cell by cell, and far smaller.

use std::collections::{BTreeMap, BTreeSet};

/// Closed loops of nodes around the union of some cells, outer ones counter-clockwise, holes clockwise.
#[must_use]
pub fn outline<'a>(cells: impl IntoIterator<Item = &'a [usize]>) -> Vec<Vec<usize>> {
    let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (a, b) in cells.into_iter().flat_map(edges_of) {
        match edges.get_mut(&(b, a)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => *edges.entry((a, b)).or_insert(0) += 1,
        }
    }
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for ((a, b), count) in edges {
        for _ in 0..count {
            next.entry(a).or_default().push(b);
        }
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = next.first_key_value() {
        let mut nodes = vec![start];
        let mut at = start;
        while let Some(ends) = next.get_mut(&at) {
            let Some(end) = ends.pop() else { break };
            if ends.is_empty() {
                next.remove(&at);
            }
            at = end;
            if at == start {
                break;
            }
            nodes.push(at);
        }
        loops.push(nodes);
    }
    loops
}

/// Every edge once, as pairs of increasing node numbers.
#[must_use]
pub fn all_edges<'a>(cells: impl IntoIterator<Item = &'a [usize]>) -> BTreeSet<(usize, usize)> {
    cells.into_iter().flat_map(edges_of).map(|(a, b)| (a.min(b), a.max(b))).collect()
}

fn edges_of(cell: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let n = cell.len();
    (0..n).map(move |i| (cell[i], cell[(i + 1) % n]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quads of an n × n grid.
    fn grid(n: usize) -> Vec<Vec<usize>> {
        let node = |i: usize, j: usize| j * (n + 1) + i;
        let quad = |k: usize| {
            let (i, j) = (k % n, k / n);
            vec![node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]
        };
        (0..n * n).map(quad).collect()
    }

    /// Area enclosed by loops, with sign; node k of an n × n grid is at (k mod (n+1), k div (n+1)).
    fn area(loops: &[Vec<usize>], n: usize) -> f64 {
        let at = |k: usize| ((k % (n + 1)) as f64, (k / (n + 1)) as f64);
        let of = |l: &Vec<usize>| -> f64 {
            let edge = |i: usize| (at(l[i]), at(l[(i + 1) % l.len()]));
            (0..l.len()).map(edge).map(|(a, b)| 0.5 * (a.0 * b.1 - b.0 * a.1)).sum()
        };
        loops.iter().map(of).sum()
    }

    fn slices(cells: &[Vec<usize>]) -> impl Iterator<Item = &[usize]> {
        cells.iter().map(Vec::as_slice)
    }

    #[test]
    fn a_block_of_cells_has_one_loop_around_it() {
        let cells = grid(5);
        let loops = outline(slices(&cells));
        assert_eq!((loops.len(), loops[0].len()), (1, 20));
        assert!((area(&loops, 5) - 25.0).abs() < 1e-12);
        assert_eq!(all_edges(slices(&cells)).len(), 2 * 5 * 6);
    }

    #[test]
    fn any_subset_keeps_its_area() {
        let cells = grid(6);
        // Pseudo-random subsets, with holes and cells that touch at corners only.
        let mut word = 1_u64;
        for _ in 0..200 {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let chosen: Vec<Vec<usize>> =
                cells.iter().enumerate().filter(|(k, _)| (word >> (k + 20)) & 1 == 1).map(|(_, c)| c.clone()).collect();
            let loops = outline(slices(&chosen));
            assert!((area(&loops, 6) - chosen.len() as f64).abs() < 1e-12, "{chosen:?}");
            assert!(loops.iter().map(Vec::len).sum::<usize>() <= 4 * chosen.len());
        }
    }

    #[test]
    fn nothing_and_odd_cells_do_no_harm() {
        assert!(outline([]).is_empty());
        assert!(outline([&[][..]]).is_empty());
        // A cell given twice: both of its outlines are there.
        assert_eq!(outline([&[0, 1, 2][..], &[0, 1, 2][..]]).iter().map(Vec::len).sum::<usize>(), 6);
    }
}
