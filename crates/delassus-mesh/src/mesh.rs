//! The mesh as plain data: points, blocks of equal cells, named groups.

use crate::{CellKind, MeshError};

/// Points, cells and groups of one or several bodies in D dimensions.
///
/// The fields are public and the structure is not checked on the way in; [`Mesh::validate`] says whether
/// it can be computed with. The gmsh reader and the generators return validated meshes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh<const D: usize> {
    /// Coordinates \[m\].
    pub points: Vec<[f64; D]>,
    /// Cells by kind. Global cell numbers count through the blocks in order.
    pub blocks: Vec<CellBlock>,
    /// Named sets of cells.
    pub groups: Vec<Group>,
}

/// Cells of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellBlock {
    /// Kind of every cell of the block.
    pub kind: CellKind,
    /// Point numbers, `kind.n_nodes()` for each cell.
    pub nodes: Vec<usize>,
}

/// A named set of cells of one dimension (a gmsh physical group).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name, or the number as text when gmsh has no name for it.
    pub name: String,
    /// Number, unique among the groups of one dimension.
    pub tag: i32,
    /// Dimension of its cells.
    pub dim: usize,
    /// Global cell numbers, sorted, unique.
    pub cells: Vec<usize>,
}

impl CellBlock {
    /// Number of whole cells.
    pub fn n_cells(&self) -> usize {
        self.nodes.len() / self.kind.n_nodes()
    }
}

impl<const D: usize> Mesh<D> {
    /// Number of points.
    pub fn n_points(&self) -> usize {
        self.points.len()
    }

    /// Number of cells of all dimensions.
    pub fn n_cells(&self) -> usize {
        self.blocks.iter().map(CellBlock::n_cells).sum()
    }

    /// Kind and nodes of the cell with global number `i`.
    ///
    /// # Panics
    /// If `i >= n_cells()`, like an index into a slice.
    pub fn cell(&self, i: usize) -> (CellKind, &[usize]) {
        let mut local = i;
        let mut blocks = self.blocks.iter();
        loop {
            let block = &blocks.as_slice()[0];
            if local < block.n_cells() {
                let n = block.kind.n_nodes();
                return (block.kind, &block.nodes[local * n..(local + 1) * n]);
            }
            local -= block.n_cells();
            blocks.next();
        }
    }

    /// All cells in the order of their global numbers: (number, kind, nodes).
    pub fn cells(&self) -> impl Iterator<Item = (usize, CellKind, &[usize])> {
        self.blocks
            .iter()
            .flat_map(|block| block.nodes.chunks_exact(block.kind.n_nodes()).map(|nodes| (block.kind, nodes)))
            .enumerate()
            .map(|(i, (kind, nodes))| (i, kind, nodes))
    }

    /// The cells of dimension D, which carry mass: (global number, kind, nodes).
    pub fn bulk_cells(&self) -> impl Iterator<Item = (usize, CellKind, &[usize])> {
        self.cells().filter(|(_, kind, _)| kind.dim() == D)
    }

    /// Mean of the nodes of cell `i` \[m\].
    ///
    /// # Panics
    /// If `i >= n_cells()` or the cell's nodes are not points of the mesh.
    pub fn cell_centre(&self, i: usize) -> [f64; D] {
        self.mean_of(self.cell(i).1)
    }

    pub(crate) fn mean_of(&self, nodes: &[usize]) -> [f64; D] {
        let mut centre = [0.0; D];
        for &node in nodes {
            for (c, x) in centre.iter_mut().zip(self.points[node]) {
                *c += x / nodes.len() as f64;
            }
        }
        centre
    }

    /// Removes the points that no bulk cell uses and renumbers the rest in order; returns how many went.
    /// A free point would make every system matrix singular.
    ///
    /// # Errors
    /// [`MeshError::OffBody`] when a cell of lower dimension uses such a point,
    /// [`MeshError::Inconsistent`] when a cell uses a point that is not there.
    pub fn drop_orphans(&mut self) -> Result<usize, MeshError> {
        self.check_indices()?;
        let mut used = vec![false; self.n_points()];
        for (_, _, nodes) in self.bulk_cells() {
            for &node in nodes {
                used[node] = true;
            }
        }
        for (cell, kind, nodes) in self.cells() {
            if let Some(&node) = nodes.iter().find(|&&node| !used[node]) {
                return Err(MeshError::OffBody {
                    cell,
                    kind,
                    point: self.points[node].to_vec(),
                    mesh_dim: D,
                    groups: self.names_of_groups_with(cell),
                });
            }
        }
        let before = self.n_points();
        let mut number = vec![0; before];
        let mut next = 0;
        for (new, _) in number.iter_mut().zip(&used).filter(|(_, used)| **used) {
            *new = next;
            next += 1;
        }
        let mut keep = used.iter();
        self.points.retain(|_| keep.next().copied().unwrap_or(false));
        for node in self.blocks.iter_mut().flat_map(|block| block.nodes.iter_mut()) {
            *node = number[*node];
        }
        Ok(before - next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// A unit square of two triangles with a segment on its bottom and a point that nothing uses.
    fn square() -> Mesh<2> {
        Mesh {
            points: vec![[9.0, 9.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            blocks: vec![
                CellBlock { kind: CellKind::Triangle3, nodes: vec![1, 2, 3, 1, 3, 4] },
                CellBlock { kind: CellKind::Segment2, nodes: vec![1, 2] },
            ],
            groups: vec![Group { name: "base".into(), tag: 4, dim: 1, cells: vec![2] }],
        }
    }

    #[test]
    fn cells_count_through_the_blocks() {
        let mesh = square();
        assert_eq!((mesh.n_points(), mesh.n_cells()), (5, 3));
        for (i, kind, nodes) in mesh.cells() {
            assert_eq!(mesh.cell(i), (kind, nodes));
        }
        assert_eq!(mesh.cell(1), (CellKind::Triangle3, &[1, 3, 4][..]));
        assert_eq!(mesh.cell(2), (CellKind::Segment2, &[1, 2][..]));
        assert_eq!(mesh.bulk_cells().map(|c| c.0).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn orphans_go_and_the_rest_keep_their_order() {
        let mut mesh = square();
        assert_eq!(mesh.drop_orphans().unwrap(), 1);
        assert!(mesh.points[0].iter().all(|x| x.abs() < 1e-300), "the point at (9, 9) has gone");
        assert_eq!(mesh.cell(1).1, [0, 2, 3]);
        assert_eq!(mesh.cell(2).1, [0, 1]);
        mesh.validate().unwrap();
        assert_eq!(mesh.drop_orphans().unwrap(), 0);
    }

    #[test]
    fn boundary_cell_on_an_orphan_is_an_error() {
        let mut mesh = square();
        mesh.blocks[1].nodes = vec![0, 2];
        let text = mesh.drop_orphans().unwrap_err().to_string();
        assert!(text.contains("cell 2 (Segment2) uses the point (9, 9)"), "{text}");
        assert!(text.contains("`base`"), "{text}");
    }

    #[test]
    fn centre_is_the_mean_of_the_nodes() {
        let mesh = generate::rectangle([1.0, 2.0], [2.0, 4.0], [1, 1], CellKind::Quad4, 1).unwrap();
        let centre = mesh.cell_centre(0);
        // Four exact quarters of small integers.
        assert!((centre[0] - 2.0).abs() < 1e-15 && (centre[1] - 4.0).abs() < 1e-15);
    }
}
