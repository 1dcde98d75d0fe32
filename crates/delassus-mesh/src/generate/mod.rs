//! Structured meshes of simple shapes, with named groups.
//!
//! Every generator takes `refine`, which multiplies all its cell counts: a convergence study changes one
//! number. Groups are numbered from 1: first the bulk `body`, then the surfaces, the curves, the points.

mod annulus;
mod ball;
mod block;
mod disk;
mod extrude;
mod quarter_ball;
mod rectangle;
mod shell_block;

pub use annulus::annulus;
pub use ball::ball;
pub use block::block;
pub use disk::disk;
pub use extrude::extrude;
pub use quarter_ball::quarter_ball;
pub use rectangle::rectangle;
pub use shell_block::shell_block;

use std::ops::Range;

use delassus_error::machine::admit_more;
use delassus_math as math;

use crate::{CellBlock, CellKind, Group, Mesh, MeshError};

/// More cells than any workstation can hold are a slip of the pen.
const MAX_CELLS: usize = 50_000_000;

/// From this number of cells on, the memory for them is checked.
const LARGE: usize = 1_000_000;

/// What a cell takes at least: its nodes, a share of the points, and the facets while the mesh is checked \[B\].
const BYTES_OF_CELL: u64 = 100;

/// What a generator has found out; [`GeneratedParts::finish`] makes the mesh of it.
struct GeneratedParts {
    points: Vec<[f64; 2]>,
    kind: CellKind,
    /// Nodes of the bulk cells.
    cells: Vec<usize>,
    /// Boundary segments, body on the left.
    segments: Vec<[usize; 2]>,
    /// Named runs of segments.
    curves: Vec<(&'static str, Range<usize>)>,
    /// Named points.
    vertices: Vec<(&'static str, usize)>,
}

impl GeneratedParts {
    fn finish(self) -> Result<Mesh<2>, MeshError> {
        let n_bulk = self.cells.len() / self.kind.n_nodes();
        let n_upper = n_bulk + self.segments.len();
        let mut named: Vec<(&str, usize, Range<usize>)> = vec![("body", 2, 0..n_bulk)];
        for (name, run) in self.curves {
            named.push((name, 1, n_bulk + run.start..n_bulk + run.end));
        }
        for (i, (name, _)) in self.vertices.iter().enumerate() {
            named.push((name, 0, n_upper + i..n_upper + i + 1));
        }
        let groups = (1..)
            .zip(named)
            .map(|(tag, (name, dim, cells))| Group { name: name.to_owned(), tag, dim, cells: cells.collect() })
            .collect();
        let mut blocks = vec![
            CellBlock { kind: self.kind, nodes: self.cells },
            CellBlock { kind: CellKind::Segment2, nodes: self.segments.into_iter().flatten().collect() },
        ];
        if !self.vertices.is_empty() {
            let nodes = self.vertices.into_iter().map(|(_, node)| node).collect();
            blocks.push(CellBlock { kind: CellKind::Point, nodes });
        }
        let mesh = Mesh { points: self.points, blocks, groups };
        // A size far below the rounding of the position collapses cells: say so here.
        mesh.check_indices()?;
        mesh.check_cells()?;
        Ok(mesh)
    }
}

fn parameter<T>(
    shape: &'static str,
    name: &'static str,
    value: impl std::fmt::Debug,
    expected: &'static str,
) -> Result<T, MeshError> {
    Err(MeshError::Parameter { shape, name, value: format!("{value:?}"), expected })
}

/// A finite number, or an error.
fn finite<const N: usize>(shape: &'static str, name: &'static str, value: [f64; N]) -> Result<(), MeshError> {
    if value.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    parameter(shape, name, value, "finite")
}

/// A finite length above zero, or an error.
fn length(shape: &'static str, name: &'static str, value: f64) -> Result<(), MeshError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    parameter(shape, name, value, "a finite length > 0 (m)")
}

/// `count × refine`, at least `least`.
fn cells(
    shape: &'static str,
    name: &'static str,
    count: usize,
    refine: usize,
    least: usize,
) -> Result<usize, MeshError> {
    if refine == 0 {
        return parameter(shape, "refine", refine, "at least 1");
    }
    let n = count.saturating_mul(refine);
    if n < least {
        return parameter(shape, name, n, if least > 1 { "at least 3" } else { "at least 1" });
    }
    if n > MAX_CELLS {
        return parameter(shape, name, n, "at most 50 million cells");
    }
    Ok(n)
}

/// The whole number of cells is within reason, or an error.
fn total(shape: &'static str, n: usize) -> Result<(), MeshError> {
    if n > MAX_CELLS {
        return parameter(shape, "number of cells", n, "at most 50 million cells");
    }
    if n < LARGE {
        return Ok(());
    }
    let what = format!("{shape}: a mesh of {n} cells");
    Ok(admit_more(n as u64 * BYTES_OF_CELL, &what, "Use fewer cells, or give the process more memory")?)
}

/// (cos, sin) of 2π·`quarter_steps`/(4`n`), reduced to one octant in integers: points that mirror each
/// other on the circle have exactly mirrored coordinates, and the axes are hit exactly.
fn on_circle(quarter_steps: usize, n: usize) -> [f64; 2] {
    let mut a = quarter_steps % (4 * n);
    let below = a > 2 * n;
    if below {
        a = 4 * n - a;
    }
    let behind = a > n;
    if behind {
        a = 2 * n - a;
    }
    let steep = 2 * a > n;
    if steep {
        a = n - a;
    }
    let (sin, cos) = math::sin_cos(std::f64::consts::FRAC_PI_2 * a as f64 / n as f64);
    let [x, y] = if steep { [sin, cos] } else { [cos, sin] };
    [if behind { -x } else { x }, if below { -y } else { y }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circle_points_are_right_and_symmetric() {
        for n in [3, 4, 7, 8, 72] {
            for k in 0..4 * n {
                let [x, y] = on_circle(k, n);
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / (4 * n) as f64).sin_cos();
                // sin_cos of an argument up to 2π: a few units of the last place.
                assert!((x - cos).abs() < 2e-15 && (y - sin).abs() < 2e-15, "{k}/{n}");
                let [xm, ym] = on_circle(4 * n - k, n);
                assert!(x.to_bits() == xm.to_bits() && y.abs().to_bits() == ym.abs().to_bits());
            }
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let rectangle = |corner, size, cells, refine| {
            rectangle(corner, size, cells, CellKind::Quad4, refine).map(|_| ()).unwrap_err().to_string()
        };
        let o = [0.0, 0.0];
        let one = [1.0, 1.0];
        for (text, words) in [
            (rectangle([f64::NAN, 0.0], one, [1, 1], 1), "rectangle: corner = [NaN, 0.0], must be finite"),
            (rectangle(o, [1.0, 0.0], [1, 1], 1), "size[1] = 0.0, must be a finite length > 0"),
            (rectangle(o, [f64::INFINITY, 1.0], [1, 1], 1), "size[0] = inf"),
            (rectangle(o, [-1.0, 1.0], [1, 1], 1), "size[0] = -1.0"),
            (rectangle(o, one, [0, 1], 1), "cells[0] = 0, must be at least 1"),
            (rectangle(o, one, [1, 0], 1), "cells[1] = 0"),
            (rectangle(o, one, [1, 1], 0), "refine = 0"),
            (rectangle(o, one, [usize::MAX, 2], 3), "at most 50 million cells"),
            (rectangle(o, one, [10_000, 10_000], 1), "number of cells = 100000000"),
            (rectangle([1e20, 0.0], one, [1, 1], 1), "degenerate"),
        ] {
            assert!(text.contains(words), "{text}");
        }
        let segments = super::rectangle(o, one, [1, 1], CellKind::Segment2, 1).unwrap_err().to_string();
        assert!(segments.contains("kind = Segment2, must be Quad4 or Triangle3"), "{segments}");
        let annulus = |inner, outer, radial, around| {
            annulus([0.0, 0.0], inner, outer, radial, around, 1).map(|_| ()).unwrap_err().to_string()
        };
        for (text, words) in [
            (annulus(0.0, 1.0, 1, 8), "inner_radius = 0.0"),
            (annulus(1.0, 1.0, 1, 8), "inner_radius = 1.0, must be less than outer_radius"),
            (annulus(1.0, f64::NAN, 1, 8), "outer_radius = NaN"),
            (annulus(1.0, 2.0, 0, 8), "n_radial = 0"),
            (annulus(1.0, 2.0, 1, 2), "n_around = 2, must be at least 3"),
        ] {
            assert!(text.contains(words), "{text}");
        }
        let disk = |radius, core, rings| disk([0.0, 0.0], radius, core, rings, 1).map(|_| ()).unwrap_err().to_string();
        for (text, words) in [
            (disk(0.0, [2, 2], 1), "disk: radius = 0.0"),
            (disk(1.0, [0, 2], 1), "core[0] = 0"),
            (disk(1.0, [2, 0], 1), "core[1] = 0"),
            (disk(1.0, [2, 2], 0), "rings = 0"),
            (disk(1.0, [8000, 8000], 1), "number of cells"),
        ] {
            assert!(text.contains(words), "{text}");
        }
        assert!(super::disk([0.0, f64::INFINITY], 1.0, [2, 2], 1, 1).is_err());
        assert!(super::annulus([f64::NAN, 0.0], 1.0, 2.0, 1, 8, 1).is_err());
    }
}
