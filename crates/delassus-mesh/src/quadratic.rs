//! From linear cells to quadratic ones on the same corners.

use std::collections::BTreeMap;

use crate::{CellBlock, Mesh, MeshError};

impl<const D: usize> Mesh<D> {
    /// The same mesh with quadratic cells of all dimensions: a node in the middle of every edge, edges still straight.
    /// Old points keep their numbers, new ones follow in the order of the cells; groups stay as they are.
    ///
    /// # Errors
    /// [`MeshError::Inconsistent`] for a cell that has no quadratic kind, is quadratic already, or uses points that are
    /// not there.
    pub fn to_quadratic(&self) -> Result<Mesh<D>, MeshError> {
        self.check_indices()?;
        let mut points = self.points.clone();
        let mut middles: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let mut blocks = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let Some(kind) = block.kind.quadratic().filter(|_| block.kind.is_linear()) else {
                let what = format!("there is no quadratic kind to make of {}", block.kind);
                return Err(MeshError::Inconsistent { what });
            };
            let mut nodes = Vec::with_capacity(block.n_cells() * kind.n_nodes());
            for cell in block.nodes.chunks_exact(block.kind.n_nodes()) {
                nodes.extend(cell);
                for &[a, b] in kind.mid_nodes() {
                    let ends = [cell[a].min(cell[b]), cell[a].max(cell[b])];
                    nodes.push(*middles.entry(ends).or_insert_with(|| {
                        let [x, y] = ends.map(|end| self.points[end]);
                        points.push(std::array::from_fn(|i| 0.5 * (x[i] + y[i])));
                        points.len() - 1
                    }));
                }
            }
            blocks.push(CellBlock { kind, nodes });
        }
        Ok(Mesh { points, blocks, groups: self.groups.clone() })
    }
}

#[cfg(test)]
mod tests {
    use crate::{CellKind, generate};

    #[test]
    fn quadratic_meshes_have_the_measure_and_the_facets_of_linear_ones() {
        for (kind, n_points) in [(CellKind::Triangle3, 5 * 7), (CellKind::Quad4, 5 * 7 - 6)] {
            let linear = generate::rectangle([0.0, 0.0], [2.0, 1.0], [2, 3], kind, 1).unwrap();
            let mesh = linear.to_quadratic().unwrap();
            mesh.validate().unwrap();
            assert_eq!(mesh.n_points(), n_points);
            assert!((mesh.total_measure() - 2.0).abs() < 1e-15);
            assert_eq!(mesh.group_facets("top").unwrap().len(), 2);
            assert_eq!(mesh.group_nodes(mesh.group("top").unwrap()).len(), 5);
            assert!(mesh.to_quadratic().is_err(), "once is enough");
        }
        // every second node of a 5 × 7 × 9 grid and the middles: all nodes with at most one odd index
        for (kind, n_points) in [(CellKind::Tetrahedron4, 5 * 7 * 9 - 24), (CellKind::Hexahedron8, 60 + 40 + 45 + 48)] {
            let linear = generate::block([0.0; 3], [1.0, 2.0, 3.0], [2, 3, 4], kind, 1).unwrap();
            let mesh = linear.to_quadratic().unwrap();
            mesh.validate().unwrap();
            assert_eq!(mesh.n_points(), n_points, "{kind}");
            assert!((mesh.total_measure() - 6.0).abs() < 1e-14);
            assert_eq!(mesh.boundary().len(), linear.boundary().len());
            assert_eq!(mesh.group_facets("right").unwrap().len(), linear.group_facets("right").unwrap().len());
        }
        let prisms = generate::block([0.0; 3], [1.0; 3], [1, 1, 1], CellKind::Prism6, 1).unwrap();
        assert!(prisms.to_quadratic().unwrap_err().to_string().contains("no quadratic kind to make of Prism6"));
    }
}
