//! A surface in space from a file, as it is oriented there: for rigid obstacles, which have no bulk.

use super::MshFile;
use super::element_types::ElementType;
use crate::mesh_file::{SurfaceMaker, SurfaceMesh};
use crate::{CellBlock, CellKind, Mesh, MeshError};

impl MshFile {
    /// The facets of a physical group of dimension 2, by name or number, or all of dimension 2, in the order of the file.
    ///
    /// # Errors
    /// As [`Mesh::group`]; [`MeshError::NotASurface`] for a group of another dimension, [`MeshError::UnsupportedElement`] for
    /// facets that are not linear, [`MeshError::UnknownNode`], [`MeshError::DuplicateNode`].
    pub fn to_surface(&self, group: Option<&str>) -> Result<SurfaceMesh, MeshError> {
        let index = self.node_index()?;
        let chosen: Vec<_> = self
            .elements
            .iter()
            .filter_map(|element| Some((CellKind::from_gmsh_id(element.type_id)?, element)))
            .collect();
        let cells = match group {
            Some(name) => {
                // A mesh of groups only, to be asked for one of them.
                let groups = self.groups(&chosen);
                let listed = Mesh::<3> { points: Vec::new(), blocks: Vec::<CellBlock>::new(), groups };
                let found = listed.group_of_dim(name, 2)?;
                if found.dim != 2 {
                    return Err(MeshError::NotASurface { name: found.name.clone(), dim: found.dim });
                }
                found.cells.clone()
            }
            None => (0..chosen.len()).filter(|&cell| chosen[cell].0.dim() == 2).collect(),
        };
        if cells.is_empty() {
            return Err(MeshError::NoBulkCells {
                dim: 2,
                hint: "a rigid surface is made of triangles and quadrilaterals",
            });
        }
        let mut maker = SurfaceMaker::new(self.nodes.len());
        for cell in cells {
            let (kind, element) = chosen[cell];
            if !matches!(kind, CellKind::Triangle3 | CellKind::Quad4) {
                let name = ElementType::from_id(element.type_id).map_or_else(String::new, |e| e.to_string());
                return Err(MeshError::UnsupportedElement {
                    found: format!("element {} ({name}) is", element.tag),
                    supported: "3-node triangles and 4-node quadrilaterals of a rigid surface".to_owned(),
                    hint: "; in gmsh set Mesh.ElementOrder = 1",
                });
            }
            let corners: Result<Vec<usize>, MeshError> =
                element.nodes.iter().map(|&tag| index.find(element.tag, tag)).collect();
            maker.push(corners?.into_iter(), |node| self.nodes[node].x);
        }
        Ok(maker.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    const TENT: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 5 \"edge\"\n2 7 \"roof\"\n2 9 \"none\"\n$EndPhysicalNames\n\
        $Nodes\n6\n1 9 9 9\n2 0 0 0\n3 1 0 0\n4 1 1 0\n5 0 1 0\n7 2 0 1\n$EndNodes\n\
        $Elements\n3\n1 3 2 7 1 2 3 4 5\n2 2 2 7 1 3 7 4\n3 1 2 5 1 2 3\n$EndElements\n";

    #[test]
    fn a_group_of_facets_is_taken_as_it_is() {
        let file = read(TENT.as_bytes()).unwrap();
        for name in ["roof", "7"] {
            let roof = file.to_surface(Some(name)).unwrap();
            assert_eq!(roof.facets, [vec![0, 1, 2, 3], vec![1, 4, 2]]);
            assert_eq!(roof.points.len(), 5, "the node of nothing is left out");
            assert!((roof.points[4][2] - 1.0).abs() < 1e-15);
        }
        assert_eq!(
            file.to_surface(None).unwrap(),
            file.to_surface(Some("roof")).unwrap(),
            "the only facets of the file"
        );
    }

    #[test]
    fn what_is_no_surface_is_refused() {
        let file = read(TENT.as_bytes()).unwrap();
        for (name, words) in [
            ("edge", "`edge` is 1-dimensional"),
            ("none", "has no cells"),
            ("rof", "did you mean `roof`?"),
            ("8", "no group `8`"),
        ] {
            let text = file.to_surface(Some(name)).unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
        let curved = TENT.replace("2 2 2 7 1 3 7 4", "2 9 2 7 1 3 7 4 2 5 1");
        let text = read(curved.as_bytes()).unwrap().to_surface(Some("roof")).unwrap_err().to_string();
        assert!(text.contains("element 2 (6-node triangle") && text.contains("ElementOrder = 1"), "{text}");
        let lost = TENT.replace("1 3 7 4", "1 3 8 4");
        let text = read(lost.as_bytes()).unwrap_err().to_string();
        assert!(text.contains('8'), "{text}");
    }
}
