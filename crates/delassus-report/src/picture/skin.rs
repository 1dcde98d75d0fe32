//! What is drawn of a grid: its cells in the plane, the outer faces of its cells in space.
//!
//! ```text
//! outer face = face of one cell only; two cells that share a face have its corners in common
//! ```

use delassus_mesh::CellKind;
use delassus_mesh::vtk::GridData;

/// A polygon to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its points, counter-clockwise seen from outside; the middles of edges stand between their ends.
    pub ring: Vec<usize>,
    /// The cell of the grid it belongs to.
    pub owner: usize,
}

/// The polygons of a grid, by ascending owner, and how many cells have none because they are of another dimension.
#[must_use]
pub fn drawn_cells<const D: usize>(grid: &GridData) -> (Vec<Cell>, usize) {
    let kinds = |i: usize| {
        let kind = CellKind::all().find(|k| k.vtk_id() == grid.types[i] && k.dim() == D)?;
        (grid.cell(i).len() == kind.n_nodes()).then_some(kind)
    };
    let known: Vec<(usize, CellKind)> = (0..grid.n_cells()).filter_map(|i| kinds(i).map(|k| (i, k))).collect();
    let skipped = grid.n_cells() - known.len();
    let cells = if D == 3 { skin(grid, &known) } else { plane(grid, &known) };
    (cells, skipped)
}

/// Corners alone: a plane picture is full of cells, and bends of edges would not be seen.
fn plane(grid: &GridData, known: &[(usize, CellKind)]) -> Vec<Cell> {
    known.iter().map(|&(i, kind)| Cell { ring: grid.cell(i)[..kind.n_corners()].to_vec(), owner: i }).collect()
}

fn skin(grid: &GridData, known: &[(usize, CellKind)]) -> Vec<Cell> {
    let mut faces: Vec<([usize; 4], usize, usize)> = Vec::with_capacity(6 * known.len());
    for &(i, kind) in known {
        for (k, facet) in kind.facets().iter().enumerate() {
            let mut key = [usize::MAX; 4];
            for (slot, &n) in key.iter_mut().zip(&facet.nodes[..facet.kind.n_corners()]) {
                *slot = grid.cell(i)[n];
            }
            key.sort_unstable();
            faces.push((key, i, k));
        }
    }
    faces.sort_unstable();
    let mut outer: Vec<(usize, usize)> =
        faces.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|same| (same[0].1, same[0].2)).collect();
    outer.sort_unstable();
    outer.into_iter().filter_map(|(i, k)| ring(grid, known, i, k)).collect()
}

/// The points around face `k` of cell `i`.
fn ring(grid: &GridData, known: &[(usize, CellKind)], i: usize, k: usize) -> Option<Cell> {
    let at = known.binary_search_by_key(&i, |c| c.0).ok()?;
    let facet = known[at].1.facets().get(k)?;
    let (corners, middles) = facet.nodes.split_at(facet.kind.n_corners());
    let local = corners.iter().enumerate().flat_map(|(j, &c)| std::iter::once(c).chain(middles.get(j).copied()));
    Some(Cell { ring: local.map(|n| grid.cell(i)[n]).collect(), owner: i })
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_mesh::{Mesh, generate};

    /// The bulk cells of a mesh as a grid that was read.
    fn grid(mesh: &Mesh<3>) -> GridData {
        let mut out = GridData { points: mesh.points.clone(), ..GridData::default() };
        for block in mesh.blocks.iter().filter(|b| b.kind.dim() == 3) {
            for nodes in block.nodes.chunks_exact(block.kind.n_nodes()) {
                out.connectivity.extend(nodes);
                out.offsets.push(out.connectivity.len());
                out.types.push(block.kind.vtk_id());
            }
        }
        out
    }

    /// (1/6) Σ x·(x × x) over fans: the volume enclosed by flat faces with outward normals.
    fn volume(grid: &GridData, cells: &[Cell]) -> f64 {
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let fan = |c: &Cell| -> f64 {
            let x = |k: usize| grid.points[c.ring[k]];
            let one = |k: usize| (0..3).map(|i| x(0)[i] * cross(x(k), x(k + 1))[i]).sum::<f64>() / 6.0;
            (1..c.ring.len() - 1).map(one).sum()
        };
        cells.iter().map(fan).sum()
    }

    /// A 2 × 3 × 4 block has 52 unit squares around it; tetrahedra and prisms cut some or all of them in two.
    #[test]
    fn the_skin_of_a_block_encloses_its_volume() {
        use CellKind::{Hexahedron8, Prism6, Tetrahedron4};
        for (kind, quadratic, faces, corners) in [
            (Hexahedron8, false, 52, Some(4)),
            (Hexahedron8, true, 52, Some(8)),
            (Tetrahedron4, false, 104, Some(3)),
            (Tetrahedron4, true, 104, Some(6)),
            (Prism6, false, 64, None),
        ] {
            let mesh = generate::block([1.0, 0.0, -1.0], [2.0, 3.0, 4.0], [2, 3, 4], kind, 1).unwrap();
            let mesh = if quadratic { mesh.to_quadratic().unwrap() } else { mesh };
            let grid = grid(&mesh);
            let (cells, skipped) = drawn_cells::<3>(&grid);
            assert_eq!(skipped, 0, "{kind:?}");
            assert_eq!(cells.len(), faces, "{kind:?}");
            assert!(cells.iter().all(|c| corners.is_none_or(|n| c.ring.len() == n)), "{kind:?}");
            assert!((volume(&grid, &cells) - 24.0).abs() < 1e-12, "{kind:?}");
            assert!(cells.is_sorted_by_key(|c| c.owner));
        }
    }

    #[test]
    fn cells_of_another_dimension_are_counted() {
        let mesh = generate::block([0.0; 3], [1.0; 3], [1, 1, 1], CellKind::Hexahedron8, 1).unwrap();
        let mut grid = grid(&mesh);
        let before = drawn_cells::<3>(&grid).0;
        grid.connectivity.extend([0, 1, 2]);
        grid.offsets.push(grid.connectivity.len());
        // A triangle, then a cell of a type that VTK does not have.
        grid.types.push(5);
        assert_eq!(drawn_cells::<3>(&grid), (before.clone(), 1));
        grid.types[1] = 200;
        assert_eq!(drawn_cells::<3>(&grid), (before, 1));
        assert_eq!(drawn_cells::<2>(&grid), (Vec::new(), 2));
    }
}
