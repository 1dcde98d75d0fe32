//! Naming facets inside a body: those in a box, and those around a group of cells.
//!
//! Interfaces to split a mesh along ([`Mesh::split`]) come as groups of a gmsh file, or are found here. A facet is inside if
//! it lies between two cells.

use crate::boundary::FacetTable;
use crate::{CellBlock, Facet, Group, Mesh, MeshError};

/// How far from a box a node counts as in it, relative to the size of the mesh: far above the rounding of coordinates, far below
/// any cell.
const IN_BOX: f64 = 1e-9;

impl<const D: usize> Mesh<D> {
    /// Adds the group `name` of all facets inside the body whose nodes lie in the box with the opposite corners `from` and
    /// `to` \[m\]; a box without thickness is a plane piece, or a line.
    ///
    /// # Errors
    /// [`MeshError::NameTaken`]; [`MeshError::NoFacetFound`]; [`MeshError::Parameter`] for corners that are not finite.
    pub fn add_interface_in_box(&mut self, name: &str, from: [f64; D], to: [f64; D]) -> Result<(), MeshError> {
        if from.iter().chain(&to).any(|x| !x.is_finite()) {
            let value = format!("{from:?} … {to:?}");
            return Err(MeshError::Parameter { shape: "interface", name: "box", value, expected: "finite" });
        }
        let extent = |i: usize| {
            let (low, high) = self
                .points
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x[i]), high.max(x[i])));
            high - low
        };
        let slack = IN_BOX * (0..D).map(extent).fold(0.0, f64::max);
        let in_box = |node: usize| {
            let x = &self.points[node];
            (0..D).all(|i| x[i] >= from[i].min(to[i]) - slack && x[i] <= from[i].max(to[i]) + slack)
        };
        let place = || format!("in the box from {from:?} to {to:?}");
        let chosen = self.inner_facets(|facet, _| facet.nodes.iter().all(|&node| in_box(node)));
        self.add_facets(name, chosen, place())
    }

    /// Adds the group `name` of all facets between a cell of the group `cells` and one that is not of it.
    ///
    /// # Errors
    /// As [`Mesh::group`] for `cells`; [`MeshError::NameTaken`]; [`MeshError::NoFacetFound`].
    pub fn add_interface_around(&mut self, name: &str, cells: &str) -> Result<(), MeshError> {
        let own = self.group_of_dim(cells, D)?.cells.clone();
        let is_own = |cell: usize| own.binary_search(&cell).is_ok();
        let chosen = self.inner_facets(|facet, other| is_own(facet.cell) != is_own(other));
        self.add_facets(name, chosen, format!("around the cells of `{cells}`"))
    }

    /// Facets with two cells that are wanted, by their lower cell: asked with the facet and its other cell.
    fn inner_facets(&self, wanted: impl Fn(&Facet, usize) -> bool) -> Vec<Facet> {
        let table = FacetTable::of(self);
        let mut found: Vec<(usize, usize, usize)> = table
            .rows
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|owners| owners.len() == 2)
            .map(|owners| (owners[0].1, owners[0].2, owners[1].1))
            .collect();
        found.sort_unstable();
        found
            .into_iter()
            .filter_map(|(cell, local, other)| Some(table.facet(cell, local)).filter(|facet| wanted(facet, other)))
            .collect()
    }

    fn add_facets(&mut self, name: &str, facets: Vec<Facet>, place: String) -> Result<(), MeshError> {
        self.check_free(name)?;
        if facets.is_empty() {
            return Err(MeshError::NoFacetFound { name: name.to_owned(), place });
        }
        self.push_facets(name, facets);
        Ok(())
    }

    /// Adds facets as cells, and the group of them.
    pub(crate) fn push_facets(&mut self, name: &str, facets: Vec<Facet>) {
        let mut cells = facets.into_iter().map(|facet| (facet.kind, facet.nodes)).collect::<Vec<_>>();
        cells.sort_by_key(|cell| cell.0);
        let first = self.n_cells();
        let numbers = (first..first + cells.len()).collect();
        self.append(cells);
        self.push_facet_group(name, numbers);
    }

    /// No group of facets may have this name yet.
    pub(crate) fn check_free(&self, name: &str) -> Result<(), MeshError> {
        match self.groups.iter().any(|group| group.name == name) {
            true => Err(MeshError::NameTaken { name: name.to_owned() }),
            false => Ok(()),
        }
    }

    /// Cells behind the last ones, in this order.
    pub(crate) fn append(&mut self, cells: Vec<(crate::CellKind, Vec<usize>)>) {
        for same in cells.chunk_by(|a, b| a.0 == b.0) {
            let nodes = same.iter().flat_map(|cell| cell.1.iter().copied()).collect();
            self.blocks.push(CellBlock { kind: same[0].0, nodes });
        }
    }

    /// A group of facets with the next free number.
    pub(crate) fn push_facet_group(&mut self, name: &str, cells: Vec<usize>) {
        let dim = D.saturating_sub(1);
        let tag = self.groups.iter().filter(|group| group.dim == dim).map(|group| group.tag).fold(0, i32::max);
        self.groups.push(Group { name: name.to_owned(), tag: tag.saturating_add(1), dim, cells });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellKind, generate};

    #[test]
    fn a_line_of_facets_is_found_whatever_the_order_of_its_ends() {
        let mesh = generate::rectangle([0.0, 0.0], [2.0, 1.0], [8, 3], CellKind::Quad4, 1).unwrap();
        for (from, to) in [([0.5, 2.0 / 3.0], [1.5, 2.0 / 3.0]), ([1.5, 2.0 / 3.0], [0.5, 2.0 / 3.0])] {
            let mut mesh = mesh.clone();
            mesh.add_interface_in_box("crack", from, to).unwrap();
            mesh.validate().unwrap();
            let group = mesh.group("crack").unwrap();
            assert_eq!((group.dim, group.cells.len()), (1, 4));
            let length: f64 = group.cells.iter().map(|&cell| mesh.cell_measure(cell)).sum();
            // Four edges of 0.25 at coordinates of order 1.
            assert!((length - 1.0).abs() < 1e-14, "{length}");
        }
    }

    #[test]
    fn facets_around_cells_leave_the_boundary_out() {
        let mut mesh = generate::block([0.0; 3], [1.0; 3], [2, 2, 2], CellKind::Hexahedron8, 1).unwrap();
        mesh.groups.push(Group { name: "grain".into(), tag: 70, dim: 3, cells: vec![0] });
        mesh.add_interface_around("skin", "grain").unwrap();
        mesh.validate().unwrap();
        // A cell in a corner has three neighbours.
        assert_eq!(mesh.group("skin").unwrap().cells.len(), 3);
    }

    #[test]
    fn what_is_not_there_is_said() {
        let mut mesh = generate::rectangle([0.0, 0.0], [2.0, 1.0], [8, 3], CellKind::Quad4, 1).unwrap();
        for (result, words) in [
            (
                mesh.add_interface_in_box("crack", [0.0, 0.4], [2.0, 0.4]),
                "interface `crack`: no facet between two cells",
            ),
            (mesh.add_interface_in_box("top", [0.0, 1.0 / 3.0], [2.0, 1.0 / 3.0]), "group `top` exists already"),
            (mesh.add_interface_in_box("crack", [0.0, f64::NAN], [2.0, 0.4]), "interface: box = [0.0, NaN]"),
            (mesh.add_interface_around("skin", "body"), "no facet between two cells lies around the cells of `body`"),
            (mesh.add_interface_around("skin", "bdy"), "did you mean `body`?"),
        ] {
            let text = result.unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
    }
}
