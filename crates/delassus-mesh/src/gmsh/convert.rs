//! Conversion of the contents of a file to a mesh of bodies.

use std::collections::BTreeMap;

use super::element_types::ElementType;
use super::{GmshElement, MshFile};
use crate::draft::{Points, bodies};
use crate::{CellBlock, CellKind, Group, Mesh, MeshError};

/// Node tags with their places in [`MshFile::nodes`], sorted by tag.
pub(super) struct NodeIndex(Vec<(u64, usize)>);

impl NodeIndex {
    /// Place of the node that `element` calls `tag`.
    pub(super) fn find(&self, element: u64, tag: u64) -> Result<usize, MeshError> {
        // Most files number their nodes from 1 in order.
        if let Some(&(found, place)) = usize::try_from(tag).ok().and_then(|t| self.0.get(t.wrapping_sub(1)))
            && found == tag
        {
            return Ok(place);
        }
        match self.0.binary_search_by_key(&tag, |entry| entry.0) {
            Ok(i) => Ok(self.0[i].1),
            Err(_) => Err(MeshError::UnknownNode { element, node: tag }),
        }
    }
}

impl MshFile {
    pub(super) fn node_index(&self) -> Result<NodeIndex, MeshError> {
        let mut index: Vec<(u64, usize)> =
            self.nodes.iter().enumerate().map(|(place, node)| (node.tag, place)).collect();
        index.sort_unstable();
        match index.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(MeshError::DuplicateNode { tag: pair[0].0 }),
            None => Ok(NodeIndex(index)),
        }
    }

    /// The mesh of D-dimensional bodies in the file.
    ///
    /// Elements of dimension D are kept whether they are in a physical group or not; lower ones only
    /// when they are in one. Blocks come by falling dimension, so bulk cells are numbered first, in the
    /// order of the file. Clockwise cells are turned over; nodes of no bulk cell are dropped. Groups are
    /// sorted by dimension and number; one without a name is called by its number.
    ///
    /// # Errors
    /// [`MeshError::TooManyDimensions`], [`MeshError::UnsupportedElement`], [`MeshError::NoBulkCells`],
    /// [`MeshError::NotPlane`], [`MeshError::OffBody`], [`MeshError::UnknownNode`],
    /// [`MeshError::DuplicateNode`], and what [`Mesh::validate`] says of the result.
    pub fn to_mesh<const D: usize>(&self) -> Result<Mesh<D>, MeshError> {
        self.check_elements::<D>()?;
        let index = self.node_index()?;
        let mut chosen: Vec<(CellKind, &GmshElement)> = self
            .elements
            .iter()
            .filter_map(|element| Some((CellKind::from_gmsh_id(element.type_id)?, element)))
            .filter(|(kind, element)| kind.dim() == D || !element.physical.is_empty())
            .collect();
        // Stable: the order of the file remains within a kind.
        chosen.sort_by_key(|(kind, _)| (std::cmp::Reverse(kind.dim()), *kind));
        if chosen.first().is_none_or(|(kind, _)| kind.dim() != D) {
            let hint = "in gmsh, is the surface (2D) or volume (3D) meshed and in a physical group?";
            return Err(MeshError::NoBulkCells { dim: D, hint });
        }
        let mut blocks: Vec<CellBlock> = Vec::new();
        for (kind, element) in &chosen {
            if blocks.last().is_none_or(|block| block.kind != *kind) {
                blocks.push(CellBlock { kind: *kind, nodes: Vec::new() });
            }
            if let Some(block) = blocks.last_mut() {
                let first = block.nodes.len();
                for &tag in &element.nodes {
                    block.nodes.push(index.find(element.tag, tag)?);
                }
                let in_file = block.nodes[first..].to_vec();
                for (node, &place) in block.nodes[first..].iter_mut().zip(kind.from_gmsh()) {
                    *node = in_file.get(place).copied().unwrap_or(*node);
                }
            }
        }
        let points = Points { n: self.nodes.len(), at: |i: usize| self.nodes[i].x, tag: |i: usize| self.nodes[i].tag };
        bodies(&points, blocks, self.groups(&chosen), |cell| chosen.get(cell).map(|(_, element)| element.tag))
    }

    /// Every element has a kind we know and no more dimensions than the body.
    fn check_elements<const D: usize>(&self) -> Result<(), MeshError> {
        let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
        for element in &self.elements {
            *counts.entry(element.type_id).or_default() += 1;
        }
        let mut types: Vec<(ElementType, usize)> =
            counts.into_iter().filter_map(|(id, count)| Some((ElementType::from_id(id)?, count))).collect();
        types.sort_by_key(|(element, _)| std::cmp::Reverse(element.dim));
        if let Some((element, count)) = types.first().filter(|(element, _)| element.dim > D) {
            return Err(MeshError::TooManyDimensions {
                mesh_dim: element.dim,
                count: *count,
                element: element.to_string(),
                dim: D,
            });
        }
        types.retain(|(element, _)| CellKind::from_gmsh_id(element.id).is_none());
        if types.is_empty() {
            return Ok(());
        }
        let verb = if types.len() == 1 { "is" } else { "are" };
        let found: Vec<String> = types.iter().map(|(element, count)| format!("{count} × {element}")).collect();
        let quadratic = types.iter().all(|(element, _)| element.is_complete_quadratic());
        let curved = types.iter().any(|(element, _)| !element.is_linear());
        Err(MeshError::UnsupportedElement {
            found: format!("{} {verb}", found.join(", ")),
            supported: ElementType::supported(D),
            hint: match (quadratic, curved) {
                (true, _) => "; in gmsh set Mesh.SecondOrderIncomplete = 1, or Mesh.ElementOrder = 1",
                (false, true) => "; in gmsh set Mesh.ElementOrder = 1",
                (false, false) => "",
            },
        })
    }

    /// The physical groups, also those that are only named: a question for one can then be answered.
    pub(super) fn groups(&self, cells: &[(CellKind, &GmshElement)]) -> Vec<Group> {
        let mut lists: BTreeMap<(usize, i32), Vec<usize>> = BTreeMap::new();
        for name in &self.physical_names {
            lists.entry((name.dim, name.tag)).or_default();
        }
        for (cell, (kind, element)) in cells.iter().enumerate() {
            for &tag in &element.physical {
                lists.entry((kind.dim(), tag)).or_default().push(cell);
            }
        }
        let names: BTreeMap<(usize, i32), &str> =
            self.physical_names.iter().map(|name| ((name.dim, name.tag), name.name.as_str())).collect();
        lists
            .into_iter()
            .map(|((dim, tag), mut cells)| {
                cells.dedup();
                let name = names.get(&(dim, tag)).map_or_else(|| tag.to_string(), |name| (*name).to_owned());
                Group { name, tag, dim, cells }
            })
            .collect()
    }
}
