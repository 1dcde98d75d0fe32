//! Rectangles of quadrilaterals or triangles.

use super::{GeneratedParts, cells, finite, length, parameter, total};
use crate::{CellKind, Mesh, MeshError};

/// A rectangle with its lower left `corner` and `size` \[m\], of `cells` × `refine` cells each way.
///
/// `kind` is `Quad4`, or `Triangle3`: each rectangle is then cut in two by a diagonal whose direction
/// alternates like a chess board (rising where column + row is even), so that there is no preferred
/// direction; with even counts the mesh has both mirror symmetries and every corner of the rectangle is
/// cut by its diagonal, so that no triangle has two edges on the boundary.
///
/// Groups: `body`; `bottom`, `right`, `top`, `left`, `boundary` (segments); `bottom_left`,
/// `bottom_right`, `top_right`, `top_left` (points). Points are numbered in rows from the lower left.
///
/// # Errors
/// [`MeshError::Parameter`]; [`MeshError::BadCell`] when the cells are below the rounding of `corner`.
pub fn rectangle(
    corner: [f64; 2],
    size: [f64; 2],
    cells_each_way: [usize; 2],
    kind: CellKind,
    refine: usize,
) -> Result<Mesh<2>, MeshError> {
    const SHAPE: &str = "rectangle";
    finite(SHAPE, "corner", corner)?;
    length(SHAPE, "size[0]", size[0])?;
    length(SHAPE, "size[1]", size[1])?;
    let nx = cells(SHAPE, "cells[0]", cells_each_way[0], refine, 1)?;
    let ny = cells(SHAPE, "cells[1]", cells_each_way[1], refine, 1)?;
    let per_rectangle = match kind {
        CellKind::Quad4 => 1,
        CellKind::Triangle3 => 2,
        _ => return parameter(SHAPE, "kind", kind, "Quad4 or Triangle3"),
    };
    total(SHAPE, nx.saturating_mul(ny).saturating_mul(per_rectangle))?;

    let node = |i: usize, j: usize| j * (nx + 1) + i;
    let along = |d: usize, i: usize, n: usize| corner[d] + size[d] * (i as f64 / n as f64);
    let mut points = Vec::with_capacity((nx + 1) * (ny + 1));
    for j in 0..=ny {
        points.extend((0..=nx).map(|i| [along(0, i, nx), along(1, j, ny)]));
    }
    let mut bulk = Vec::with_capacity(nx * ny * per_rectangle * kind.n_nodes());
    for j in 0..ny {
        for i in 0..nx {
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            match kind {
                CellKind::Quad4 => bulk.extend([a, b, c, d]),
                _ if (i + j).is_multiple_of(2) => bulk.extend([a, b, c, a, c, d]),
                _ => bulk.extend([a, b, d, b, c, d]),
            }
        }
    }
    // Round the outline counter-clockwise from the lower left.
    let mut segments: Vec<[usize; 2]> = Vec::with_capacity(2 * (nx + ny));
    segments.extend((0..nx).map(|i| [node(i, 0), node(i + 1, 0)]));
    segments.extend((0..ny).map(|j| [node(nx, j), node(nx, j + 1)]));
    segments.extend((0..nx).rev().map(|i| [node(i + 1, ny), node(i, ny)]));
    segments.extend((0..ny).rev().map(|j| [node(0, j + 1), node(0, j)]));
    let n = segments.len();
    GeneratedParts {
        points,
        kind,
        cells: bulk,
        segments,
        curves: vec![
            ("bottom", 0..nx),
            ("right", nx..nx + ny),
            ("top", nx + ny..2 * nx + ny),
            ("left", 2 * nx + ny..n),
            ("boundary", 0..n),
        ],
        vertices: vec![
            ("bottom_left", node(0, 0)),
            ("bottom_right", node(nx, 0)),
            ("top_right", node(nx, ny)),
            ("top_left", node(0, ny)),
        ],
    }
    .finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn corner_of(mesh: &Mesh<2>, name: &str) -> [f64; 2] {
        let nodes = mesh.group_nodes(mesh.group(name).unwrap());
        assert_eq!(nodes.len(), 1);
        mesh.points[nodes[0]]
    }

    #[test]
    fn corners_and_sides_are_where_they_are_called() {
        let mesh = rectangle([-1.0, 2.0], [4.0, 0.5], [3, 2], CellKind::Triangle3, 2).unwrap();
        for (name, point) in [
            ("bottom_left", [-1.0, 2.0]),
            ("bottom_right", [3.0, 2.0]),
            ("top_right", [3.0, 2.5]),
            ("top_left", [-1.0, 2.5]),
        ] {
            let found = corner_of(&mesh, name);
            assert!((0..2).all(|d| (found[d] - point[d]).abs() < 1e-15), "{name}: {found:?}");
        }
        for (name, axis, value) in [("left", 0, -1.0), ("right", 0, 3.0), ("bottom", 1, 2.0), ("top", 1, 2.5)] {
            for node in mesh.group_nodes(mesh.group(name).unwrap()) {
                assert!((mesh.points[node][axis] - value).abs() < 1e-15, "{name}");
            }
        }
    }

    /// With even counts no triangle has two boundary edges (it would be locked at a held corner).
    #[test]
    fn no_triangle_has_two_boundary_edges() {
        let mesh = rectangle([0.0, 0.0], [1.0, 1.0], [4, 6], CellKind::Triangle3, 1).unwrap();
        let mut owners: Vec<usize> = mesh.boundary().iter().map(|facet| facet.cell).collect();
        let n = owners.len();
        owners.sort_unstable();
        owners.dedup();
        assert_eq!(owners.len(), n);
    }

    proptest! {
        #[test]
        fn counts_area_and_boundary(nx in 1..9_usize, ny in 1..9_usize, refine in 1..4_usize,
                                    w in 0.01..50.0_f64, h in 0.01..50.0_f64, tri in any::<bool>()) {
            let kind = if tri { CellKind::Triangle3 } else { CellKind::Quad4 };
            let mesh = rectangle([-3.0, 7.0], [w, h], [nx, ny], kind, refine).unwrap();
            mesh.validate().unwrap();
            let (nx, ny) = (nx * refine, ny * refine);
            prop_assert_eq!(mesh.n_points(), (nx + 1) * (ny + 1));
            prop_assert_eq!(mesh.bulk_cells().count(), nx * ny * if tri { 2 } else { 1 });
            let facets = mesh.boundary();
            prop_assert_eq!(facets.len(), 2 * (nx + ny));
            // Coordinates of up to 60 carry 1e-14; relative to the smallest size 0.01.
            prop_assert!((mesh.total_measure() / (w * h) - 1.0).abs() < 1e-11);
            let mut named = mesh.group_facets("boundary").unwrap();
            named.sort_by_key(|f| (f.cell, f.nodes.clone()));
            let mut all = facets;
            all.sort_by_key(|f| (f.cell, f.nodes.clone()));
            prop_assert_eq!(named, all);
        }
    }
}
