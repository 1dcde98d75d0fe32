//! Cuts and separators of boxes, and the bookkeeping of the moves.

use super::*;

/// A box of nodes, each linked to all nodes of its cells.
fn block([nx, ny, nz]: [usize; 3]) -> Graph {
    let near = |i: usize, n: usize| i.saturating_sub(1)..(i + 2).min(n);
    let mut graph = Graph { offsets: vec![0], neighbours: vec![], links: vec![], weights: vec![] };
    for a in 0..nx * ny * nz {
        for z in near(a / (nx * ny), nz) {
            for y in near(a / nx % ny, ny) {
                for x in near(a % nx, nx) {
                    let b = x + nx * (y + ny * z);
                    if a != b {
                        graph.neighbours.push(b);
                        graph.links.push(1);
                    }
                }
            }
        }
        graph.offsets.push(graph.neighbours.len());
        graph.weights.push(1);
    }
    graph
}

/// The plane across the middle is the best separator of a box.
#[test]
fn separators_separate_and_are_light() {
    for size in [[12, 12, 12], [20, 12, 12], [40, 6, 5], [21, 21, 3], [40, 40, 1], [60, 20, 1], [200, 1, 1]] {
        let graph = block(size);
        let separation = separate(&graph);
        let side = &separation.side;
        for v in 0..graph.n() {
            for &u in graph.neighbours(v) {
                assert!(side[u] == side[v] || side[u] == SEPARATOR || side[v] == SEPARATOR, "{size:?}: {u} – {v}");
            }
        }
        let count = |s: usize| side.iter().filter(|&&x| x == s).count() as i64;
        assert_eq!(separation.size, [0, 1, 2].map(count), "{size:?}");
        assert!(count(0).max(count(1)) <= separation.limit, "{size:?}: {:?}", separation.size);
        let weight = count(SEPARATOR) as f64 / (size[1] * size[2]) as f64;
        // In a square a slanted cut can be stationary, up to the diagonal; elsewhere the plane must be found.
        let allowed = if size == [40, 40, 1] { 2.0_f64.sqrt() } else { 1.0 };
        assert!(weight <= allowed, "{size:?}: {:?}, {weight} planes", separation.size);
    }
}

/// Merging keeps all weight, of vertices and of links between different vertices.
#[test]
fn coarsening_keeps_weight() {
    let graph = block([9, 8, 7]);
    let (coarse, parent) = coarsened(&graph);
    assert!(coarse.n() < graph.n() && 2 * coarse.n() >= graph.n());
    assert_eq!(coarse.weights.iter().sum::<i64>(), graph.n() as i64);
    let across = (0..graph.n())
        .flat_map(|v| graph.neighbours(v).iter().map(move |&u| (u, v)))
        .filter(|&(u, v)| parent[u] != parent[v])
        .count();
    assert_eq!(coarse.links.iter().sum::<i64>(), across as i64);
}

/// The books kept while vertices move are those of a fresh count.
#[test]
fn moves_keep_the_books() {
    let graph = block([6, 5, 4]);
    let mut bisection = Bisection::new(&graph, (0..graph.n()).map(|v| v / 60).collect());
    for k in 0..40 {
        bisection.flip((37 * k) % graph.n());
    }
    let fresh = Bisection::new(&graph, bisection.side.clone());
    assert_eq!((bisection.cut, bisection.size, bisection.gain), (fresh.cut, fresh.size, fresh.gain));

    // A wall two layers thick.
    let side = (0..graph.n()).map(|v| [0, SEPARATOR, SEPARATOR, 1][v / 30]).collect();
    let mut separation = Separation::new(&graph, side);
    for v in 30..90 {
        separation.measure(v);
    }
    let (mut pulled, mut changed) = (Vec::new(), Vec::new());
    for k in 0..40 {
        let v = 30 + (7 * k) % 60;
        if separation.side[v] == SEPARATOR {
            separation.shift(v, k % 2, &mut pulled, &mut changed);
        }
    }
    assert!(!pulled.is_empty());
    let mut fresh = Separation::new(&graph, separation.side.clone());
    assert_eq!(separation.size, fresh.size);
    for v in (0..graph.n()).filter(|&v| separation.side[v] == SEPARATOR) {
        fresh.measure(v);
        assert_eq!(separation.pull[v], fresh.pull[v], "vertex {v}");
    }
}
