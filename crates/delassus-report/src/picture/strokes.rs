//! Edges as few long strokes: a picture of the lines of a mesh is several times smaller than edge by edge.

use std::collections::{BTreeMap, BTreeSet};

use super::draw::{needed, short};

/// A stroke goes on where it turns by less than this: cos 25°.
const STRAIGHT: f64 = 0.906;

/// A path along all edges, each of them once; points on the straight lines between others are left out.
#[must_use]
pub fn strokes(edges: impl IntoIterator<Item = (usize, usize)>, at: &[[f64; 2]]) -> String {
    let mut d = String::new();
    for stroke in chained(edges, at) {
        let line: Vec<[f64; 2]> = stroke.iter().map(|&k| at[k]).collect();
        let mut letter = 'M';
        for i in needed(&line) {
            short(&mut d, letter, line[i]);
            letter = 'L';
        }
    }
    d
}

/// Runs of nodes along the edges, as straight as the edges allow.
fn chained(edges: impl IntoIterator<Item = (usize, usize)>, at: &[[f64; 2]]) -> Vec<Vec<usize>> {
    let mut next: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (a, b) in edges {
        next.entry(a).or_default().insert(b);
        next.entry(b).or_default().insert(a);
    }
    let mut out = Vec::new();
    while let Some((&a, ends)) = next.first_key_value() {
        let Some(&b) = ends.first() else {
            next.remove(&a);
            continue;
        };
        cut(&mut next, a, b);
        // On from b, then back from a.
        let mut run = vec![a, b];
        extend(&mut run, &mut next, at);
        run.reverse();
        extend(&mut run, &mut next, at);
        out.push(run);
    }
    out
}

fn cut(next: &mut BTreeMap<usize, BTreeSet<usize>>, a: usize, b: usize) {
    for (from, to) in [(a, b), (b, a)] {
        if let Some(ends) = next.get_mut(&from) {
            ends.remove(&to);
        }
    }
}

/// Goes on from the last node as long as an edge leads nearly straight ahead.
fn extend(run: &mut Vec<usize>, next: &mut BTreeMap<usize, BTreeSet<usize>>, at: &[[f64; 2]]) {
    while let [.., a, b] = run[..] {
        let along = |from: usize, to: usize| [at[to][0] - at[from][0], at[to][1] - at[from][1]];
        let turn = |c: usize| {
            let (u, v) = (along(a, b), along(b, c));
            (u[0] * v[0] + u[1] * v[1]) / (u[0].hypot(u[1]) * v[0].hypot(v[1])).max(f64::MIN_POSITIVE)
        };
        let ahead = next.get(&b).into_iter().flatten().copied().max_by(|&c, &d| turn(c).total_cmp(&turn(d)));
        let Some(c) = ahead.filter(|&c| turn(c) > STRAIGHT) else { return };
        cut(next, b, c);
        run.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes and edges of an n × n grid of squares of ten pixels.
    fn grid(n: usize) -> (Vec<[f64; 2]>, Vec<(usize, usize)>) {
        let at = (0..(n + 1) * (n + 1)).map(|k| [10.0 * (k % (n + 1)) as f64, 10.0 * (k / (n + 1)) as f64]).collect();
        let across = (0..(n + 1) * n).map(|k| (k / n * (n + 1) + k % n, k / n * (n + 1) + k % n + 1));
        (at, across.chain((0..n * (n + 1)).map(|k| (k, k + n + 1))).collect())
    }

    #[test]
    fn a_grid_is_drawn_line_by_line() {
        let (at, edges) = grid(7);
        let d = strokes(edges.iter().copied(), &at);
        assert_eq!((d.matches('M').count(), d.matches('L').count()), (16, 16), "{d}");
        assert!(d.contains("M0 0L70 0") || d.contains("M70 0L0 0"), "{d}");
    }

    #[test]
    fn every_edge_is_run_once() {
        let (mut at, edges) = grid(9);
        // Bent here and there, so that some strokes end early and others keep their points.
        for (k, p) in at.iter_mut().enumerate() {
            p[1] += [0.0, 1.5, -4.0, 7.0][k * k % 4];
        }
        let mut run: Vec<(usize, usize)> = chained(edges.iter().copied(), &at)
            .iter()
            .flat_map(|s| s.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1]))).collect::<Vec<_>>())
            .collect();
        run.sort_unstable();
        let mut all = edges;
        all.sort_unstable();
        assert_eq!(run, all);
    }

    #[test]
    fn points_in_one_place_and_nothing_do_no_harm() {
        assert_eq!(strokes([], &[]), "");
        assert_eq!(strokes([(0, 1), (1, 2)], &[[1.0, 2.0]; 3]).matches('L').count(), 2);
        assert!(strokes([(0, 1)], &[[f64::NAN; 2], [0.0; 2]]).starts_with('M'));
    }
}
