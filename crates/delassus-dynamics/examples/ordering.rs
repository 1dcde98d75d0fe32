//! What the order of elimination costs: minimum degree against nested dissection on boxes of Hexahedron8 cells and rectangles of
//! Quad4 cells, and half solves against contact dofs ordered last (by their patterns; the numbers in the matrix do not
//! matter here). Milliseconds of CPU time where the system tells it.
//!
//! `cargo run --release -p delassus-dynamics --example ordering [largest number of dofs] [last]`
#![expect(clippy::print_stdout, reason = "a table for the reader is all this program makes")]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use delassus_dynamics::factor::{Analysis, Factor, Order, Workspace};
use nalgebra_sparse::pattern::SparsityPattern;

/// Lower triangle of the matrix of a grid of nodes, `d` dofs each, every node linked to all nodes of its cells: diagonally
/// dominant.
fn grid(nodes: [usize; 3], d: usize) -> Result<(SparsityPattern, Vec<f64>), Box<dyn Error>> {
    let [nx, ny, nz] = nodes;
    let n = nx * ny * nz * d;
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    let near = |i: usize, n: usize| i.saturating_sub(1)..(i + 2).min(n);
    for column in 0..n {
        let (a, k) = (column / d, column % d);
        let (x, y, z) = (a % nx, a / nx % ny, a / (nx * ny));
        for w in near(z, nz) {
            for v in near(y, ny) {
                for u in near(x, nx) {
                    let b = u + nx * (v + ny * w);
                    for l in 0..d {
                        let row = b * d + l;
                        if row >= column {
                            rows.push(row);
                            values.push(if row == column { 100.0 } else { -1.0 / (1 + (k + 2 * l) % 4) as f64 });
                        }
                    }
                }
            }
        }
        offsets.push(rows.len());
    }
    Ok((SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows).map_err(|e| format!("{e}"))?, values))
}

/// CPU time of this thread \[ns\], where the system tells it: other work on the machine then counts for less.
fn on_cpu() -> Option<f64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}

fn milliseconds<T>(task: impl FnOnce() -> T) -> (f64, T) {
    let (cpu, start) = (on_cpu(), Instant::now());
    let result = task();
    let wall = 1e3 * start.elapsed().as_secs_f64();
    (cpu.zip(on_cpu()).map_or(wall, |(from, to)| 1e-6 * (to - from)), result)
}

fn main() -> Result<(), Box<dyn Error>> {
    let largest: usize = std::env::args().nth(1).map_or(Ok(60_000), |a| a.parse())?;
    if std::env::args().nth(2).is_some_and(|a| a == "last") {
        return last(largest);
    }
    let rows = [
        ("box", [12, 11, 11], 3),
        ("box", [16, 16, 17], 3),
        ("plate", [51, 51, 5], 3),
        ("box", [26, 26, 26], 3),
        ("box", [32, 32, 32], 3),
        ("rectangle", [71, 71, 1], 2),
        ("rectangle", [225, 225, 1], 2),
    ];
    println!(
        "{:>10} {:>7} {:>16} {:>9} {:>9} {:>8} {:>9} {:>8} {:>6} {:>9}",
        "", "dofs", "order", "analysis", "factor", "nnz(L)", "flops", "solve", "on", "condense"
    );
    for (name, nodes, d) in rows {
        if nodes.iter().product::<usize>() * d > largest {
            continue;
        }
        let (pattern, values) = grid(nodes, d)?;
        // The bottom: of a box the face z = 0, of a rectangle the edge y = 0.
        let bottom: usize = if nodes[2] == 1 { nodes[0] * d } else { nodes[0] * nodes[1] * d };
        let dofs: Vec<usize> = (0..bottom).collect();
        for order in [Order::MinimumDegree, Order::NestedDissection, Order::Automatic] {
            let (analysis_ms, analysis) = milliseconds(|| Analysis::with_order(&pattern, order, "test"));
            let analysis = Arc::new(analysis?);
            let (entries, operations) = (analysis.n_factor_entries() as f64, analysis.n_operations());
            if order == Order::Automatic {
                println!(
                    "{name:>10} {:>7} {:>16} {analysis_ms:>9.1} {:>9} {:>7.2}M {:>8.3}G",
                    analysis.n(),
                    "Automatic",
                    "",
                    entries / 1e6,
                    operations / 1e9
                );
                continue;
            }
            let (factor_ms, factor) = milliseconds(|| Factor::new(&analysis, &values, "test"));
            let factor = factor?;
            let mut workspace = Workspace::new(&analysis);
            let mut x = vec![1.0; analysis.n()];
            factor.solve(&mut x, &mut workspace);
            let (solve_ms, ()) = milliseconds(|| factor.solve(&mut x, &mut workspace));
            let (condense_ms, w) = milliseconds(|| factor.condense(&dofs));
            w?;
            println!(
                "{name:>10} {:>7} {:>16} {analysis_ms:>9.1} {factor_ms:>9.1} {:>7.2}M {:>8.3}G {solve_ms:>8.2} {:>6} {condense_ms:>9.1}",
                analysis.n(),
                format!("{order:?}"),
                entries / 1e6,
                operations / 1e9,
                dofs.len()
            );
        }
    }
    Ok(())
}

/// The dofs of `columns / 3` nodes on the bottom of a box, spread over it evenly.
fn spread(nodes: [usize; 3], columns: usize) -> Vec<usize> {
    let (bottom, wanted) = (nodes[0] * nodes[1], columns / 3);
    let step = bottom as f64 / wanted as f64;
    (0..wanted).flat_map(|k| (0..3).map(move |i| 3 * (k as f64 * step) as usize + i)).collect()
}

/// Half solves in the usual order, against the same order with the contact dofs taken out and put last: w then comes
/// from the last block of L alone.
fn last(largest: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "{:>7} {:>5} {:>12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "dofs", "on", "order", "nnz(L)", "flops", "factor", "condense", "both", "two solves"
    );
    for nodes in [[15, 15, 15], [26, 26, 26], [32, 32, 32]] {
        let (pattern, values) = grid(nodes, 3)?;
        if values.is_empty() || pattern.major_dim() > largest {
            continue;
        }
        let usual = Arc::new(Analysis::new(&pattern, "test")?);
        for columns in [300, 600, 1200, 2000] {
            let dofs = spread(nodes, columns);
            if columns > 3 * nodes[0] * nodes[1] {
                continue;
            }
            let mut is_contact = vec![false; usual.n()];
            dofs.iter().for_each(|&dof| is_contact[dof] = true);
            let (first, end): (Vec<usize>, Vec<usize>) = usual.order().into_iter().partition(|&dof| !is_contact[dof]);
            let forward: Vec<usize> = first.into_iter().chain(end).collect();
            let last = Arc::new(Analysis::in_order(&pattern, &forward, "test")?);
            compare([("half solves", &usual), ("contact last", &last)], &values, &dofs)?;
        }
    }
    Ok(())
}

/// Two rows: minima of three, taken in turns.
fn compare(ways: [(&str, &Arc<Analysis>); 2], values: &[f64], dofs: &[usize]) -> Result<(), Box<dyn Error>> {
    let mut least = [[f64::INFINITY; 3]; 2];
    for _ in 0..3 {
        for ((_, analysis), least) in ways.iter().zip(&mut least) {
            let (factor_ms, factor) = milliseconds(|| Factor::new(analysis, values, "test"));
            let factor = factor?;
            let (condense_ms, w) = milliseconds(|| factor.condense(dofs));
            w?;
            let mut workspace = Workspace::new(analysis);
            let mut x = vec![1.0; analysis.n()];
            let (solve_ms, ()) = milliseconds(|| {
                factor.solve(&mut x, &mut workspace);
                factor.solve(&mut x, &mut workspace);
            });
            for (least, new) in least.iter_mut().zip([factor_ms, condense_ms, solve_ms]) {
                *least = least.min(new);
            }
        }
    }
    for ((name, analysis), [factor, condense, solves]) in ways.into_iter().zip(least) {
        println!(
            "{:>7} {:>5} {name:>12} {:>7.2}M {:>7.2}G {factor:>8.1} {condense:>8.1} {:>8.1} {solves:>9.1}",
            analysis.n(),
            dofs.len(),
            analysis.n_factor_entries() as f64 / 1e6,
            analysis.n_operations() / 1e9,
            factor + condense
        );
    }
    Ok(())
}
