//! Facets: the boundary of the bodies, and the facets of a named surface with their outside.
//!
//! A facet is known by its corner nodes. Each bulk cell lists its facets walking counter-clockwise, so
//! the facet of an outer cell has the body on its left:
//!
//! ```text
//! 2D   t = (x₁ − x₀)/|x₁ − x₀|,   outward normal n = (t_y, −t_x)
//! 3D   corners counter-clockwise seen from outside,   n = a/|a|,   a = ½ Σ (x_k − x₀) × (x_{k+1} − x₀)
//! ```
//!
//! a is the integral of the normal over any surface that the (straight) edges bound, a warped quadrilateral for example.

use delassus_math as math;

use crate::{CellKind, Mesh, MeshError};

/// A facet of one bulk cell, oriented so that its outward normal is on its right (2D), or that its corners are
/// counter-clockwise seen from outside (3D).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// Kind, one dimension below the mesh.
    pub kind: CellKind,
    /// Points, in the order of the owning cell.
    pub nodes: Vec<usize>,
    /// Global number of the bulk cell it belongs to.
    pub cell: usize,
}

/// Sorted corner nodes; unused places hold `usize::MAX`.
pub(crate) type Key = [usize; 4];

pub(crate) fn key(nodes: &[usize], kind: CellKind) -> Key {
    let mut key = [usize::MAX; 4];
    for (k, corner) in key.iter_mut().zip(kind.corners()) {
        *k = nodes[corner[0]];
    }
    key.sort_unstable();
    key
}

/// The corners from the lowest on, in the direction of the facet.
fn way(facet: &Facet) -> Vec<usize> {
    let n = facet.kind.n_corners();
    let corners = &facet.nodes[..n];
    if n < 3 {
        return corners.to_vec();
    }
    let lowest = (0..n).min_by_key(|&i| corners[i]).unwrap_or(0);
    (0..n).map(|i| corners[(lowest + i) % n]).collect()
}

/// All facets of all bulk cells: (key, cell, local facet), sorted.
pub(crate) struct FacetTable<'a, const D: usize> {
    mesh: &'a Mesh<D>,
    pub(crate) rows: Vec<(Key, usize, usize)>,
}

impl<'a, const D: usize> FacetTable<'a, D> {
    pub(crate) fn of(mesh: &'a Mesh<D>) -> Self {
        let mut rows = Vec::new();
        for (cell, kind, nodes) in mesh.bulk_cells() {
            for (i, local) in kind.facets().iter().enumerate() {
                let facet: Vec<usize> = local.nodes.iter().map(|&l| nodes[l]).collect();
                rows.push((key(&facet, local.kind), cell, i));
            }
        }
        rows.sort_unstable();
        FacetTable { mesh, rows }
    }

    /// The rows with this key: the cells that share the facet.
    pub(crate) fn owners(&self, key: &Key) -> &[(Key, usize, usize)] {
        let start = self.rows.partition_point(|row| row.0 < *key);
        let end = self.rows.partition_point(|row| row.0 <= *key);
        &self.rows[start..end]
    }

    pub(crate) fn facet(&self, cell: usize, local: usize) -> Facet {
        let (kind, nodes) = self.mesh.cell(cell);
        let local = kind.facets()[local];
        Facet { kind: local.kind, nodes: local.nodes.iter().map(|&l| nodes[l]).collect(), cell }
    }

    /// Facets with one owner, by cell and local number.
    pub(crate) fn boundary(&self) -> Vec<Facet> {
        let mut outer: Vec<(usize, usize)> = self
            .rows
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|owners| owners.len() == 1)
            .map(|owners| (owners[0].1, owners[0].2))
            .collect();
        outer.sort_unstable();
        outer.into_iter().map(|(cell, local)| self.facet(cell, local)).collect()
    }

    /// Two well-oriented cells lie on opposite sides of the facet they share and walk it in opposite
    /// directions; more than two cannot share one.
    pub(crate) fn check_overlap(&self) -> Result<(), MeshError> {
        for owners in self.rows.chunk_by(|a, b| a.0 == b.0).filter(|owners| owners.len() > 1) {
            let facets: Vec<Facet> = owners.iter().map(|o| self.facet(o.1, o.2)).collect();
            let same_way = way(&facets[0]) == way(&facets[1]);
            if facets.len() > 2 || same_way {
                return Err(MeshError::Overlap {
                    nodes: facets[0].nodes.clone(),
                    cells: facets.iter().map(|facet| facet.cell).collect(),
                });
            }
        }
        Ok(())
    }
}

impl<const D: usize> Mesh<D> {
    /// The facets that belong to exactly one bulk cell, oriented outward, in the order of their cells.
    pub fn boundary(&self) -> Vec<Facet> {
        FacetTable::of(self).boundary()
    }

    /// By global number of a cell, its neighbours across its facets in the order of the kind's facets; nothing where the body ends,
    /// an empty list for a cell of lower dimension.
    pub fn cells_across(&self) -> Vec<Vec<Option<usize>>> {
        let mut found: Vec<Vec<Option<usize>>> = vec![Vec::new(); self.n_cells()];
        for (cell, kind, _) in self.bulk_cells() {
            found[cell] = vec![None; kind.facets().len()];
        }
        for owners in FacetTable::of(self).rows.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, a, i), (_, b, j)] = owners {
                (found[*a][*i], found[*b][*j]) = (Some(*b), Some(*a));
            }
        }
        found
    }

    /// The facets of a group, oriented outward from their bulk cell whatever the file says, each once.
    ///
    /// A group of dimension D − 1 gives its own cells, in order; a group of dimension D gives the
    /// boundary facets of the bodies that belong to its cells. Where both dimensions use the name,
    /// D − 1 is meant.
    ///
    /// # Errors
    /// As [`Mesh::group`]; [`MeshError::NoFacets`] for a group of points (curves in 3D);
    /// [`MeshError::FacetOutside`], [`MeshError::FacetInside`] for cells that are not on the boundary.
    ///
    /// # Panics
    /// If the group has cells the mesh lacks ([`Mesh::validate`] tells).
    pub fn group_facets(&self, name: &str) -> Result<Vec<Facet>, MeshError> {
        let group = self.group_of_dim(name, D.saturating_sub(1))?;
        let table = FacetTable::of(self);
        if group.dim == D {
            let mut facets = table.boundary();
            facets.retain(|facet| group.cells.binary_search(&facet.cell).is_ok());
            return Ok(facets);
        }
        if group.dim + 1 != D {
            return Err(MeshError::NoFacets { name: group.name.clone(), dim: group.dim, mesh_dim: D });
        }
        let mut seen = std::collections::BTreeSet::new();
        let mut facets = Vec::with_capacity(group.cells.len());
        for &cell in &group.cells {
            let (kind, nodes) = self.cell(cell);
            match table.owners(&key(nodes, kind)) {
                [(_, owner, local)] => {
                    if seen.insert((*owner, *local)) {
                        facets.push(table.facet(*owner, *local));
                    }
                }
                [] => {
                    return Err(MeshError::FacetOutside {
                        group: group.name.clone(),
                        cell,
                        kind,
                        nodes: nodes.to_vec(),
                    });
                }
                several => {
                    return Err(MeshError::FacetInside {
                        group: group.name.clone(),
                        cell,
                        nodes: nodes.to_vec(),
                        owners: several.iter().map(|row| row.1).collect(),
                    });
                }
            }
        }
        Ok(facets)
    }

    /// Length (2D) or area (3D) of a facet \[m^(D−1)\].
    ///
    /// # Panics
    /// If the facet is not of this mesh.
    pub fn facet_measure(&self, facet: &Facet) -> f64 {
        self.measure_of(facet.kind, &facet.nodes)
    }

    /// Mean of the nodes of a facet \[m\].
    ///
    /// # Panics
    /// If the facet is not of this mesh.
    pub fn facet_centre(&self, facet: &Facet) -> [f64; D] {
        self.mean_of(&facet.nodes)
    }
}

impl<const D: usize> Mesh<D> {
    /// Outward unit normal of a facet, in 3D the direction of its area vector; zero if the facet has no measure.
    ///
    /// # Panics
    /// If the facet is not of this mesh.
    pub fn facet_normal(&self, facet: &Facet) -> [f64; D] {
        let corners = &facet.nodes[..facet.kind.n_corners()];
        let along = |node: usize| -> [f64; 3] {
            let (x, origin) = (&self.points[node], &self.points[corners[0]]);
            std::array::from_fn(|i| if i < D { x[i] - origin[i] } else { 0.0 })
        };
        let normal = match corners {
            [_, b] => {
                let [dx, dy, _] = along(*b);
                [dy, -dx, 0.0]
            }
            [_, rest @ ..] => rest.windows(2).fold([0.0; 3], |sum, pair| {
                let (a, b) = (along(pair[0]), along(pair[1]));
                let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
                std::array::from_fn(|i| sum[i] + cross[i])
            }),
            [] => [0.0; 3],
        };
        let size = math::hypot(math::hypot(normal[0], normal[1]), normal[2]);
        std::array::from_fn(|i| if size > 0.0 { normal[i] / size } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellBlock, Group, generate};
    use proptest::prelude::*;

    fn rectangle(kind: CellKind) -> Mesh<2> {
        generate::rectangle([0.0, 0.0], [2.0, 1.0], [4, 3], kind, 1).unwrap()
    }

    /// Every normal points away from the centre of its cell, and Σ n·length = 0 (closed curve).
    fn assert_outward(mesh: &Mesh<2>, facets: &[Facet]) {
        for facet in facets {
            let (normal, middle) = (mesh.facet_normal(facet), mesh.facet_centre(facet));
            let centre = mesh.cell_centre(facet.cell);
            let outward: f64 = (0..2).map(|d| normal[d] * (middle[d] - centre[d])).sum();
            assert!(outward > 0.0, "{facet:?}");
            assert!((normal[0].hypot(normal[1]) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn boundary_of_a_rectangle() {
        for kind in [CellKind::Quad4, CellKind::Triangle3] {
            let mesh = rectangle(kind);
            let facets = mesh.boundary();
            assert_eq!(facets.len(), 14);
            assert_outward(&mesh, &facets);
            let length: f64 = facets.iter().map(|f| mesh.facet_measure(f)).sum();
            assert!((length - 6.0).abs() < 1e-14);
            // Divergence theorem with the field x/2: the flux is the area.
            let flux: f64 = facets
                .iter()
                .map(|f| {
                    let (n, m) = (mesh.facet_normal(f), mesh.facet_centre(f));
                    0.5 * (n[0] * m[0] + n[1] * m[1]) * mesh.facet_measure(f)
                })
                .sum();
            assert!((flux - 2.0).abs() < 1e-14, "{flux}");
        }
    }

    #[test]
    fn facets_of_groups() {
        let mesh = rectangle(CellKind::Quad4);
        for (name, n, normal) in
            [("left", 3, [-1.0, 0.0]), ("right", 3, [1.0, 0.0]), ("bottom", 4, [0.0, -1.0]), ("top", 4, [0.0, 1.0])]
        {
            let facets = mesh.group_facets(name).unwrap();
            assert_eq!(facets.len(), n, "{name}");
            for facet in &facets {
                let found = mesh.facet_normal(facet);
                assert!((0..2).all(|d| (found[d] - normal[d]).abs() < 1e-15), "{name}: {found:?}");
            }
        }
        assert_eq!(mesh.group_facets("boundary").unwrap().len(), 14);
        assert_eq!(mesh.group_facets("body").unwrap(), mesh.boundary());
    }

    #[test]
    fn facets_of_a_part_of_the_body() {
        let mut mesh = rectangle(CellKind::Quad4);
        // The cell in the corner has two outer facets; its neighbours are not the group's outside.
        mesh.groups.push(Group { name: "corner".into(), tag: 50, dim: 2, cells: vec![0] });
        assert_eq!(mesh.group_facets("corner").unwrap().len(), 2);
    }

    #[test]
    fn misplaced_facets_are_errors() {
        let mut mesh = rectangle(CellKind::Quad4);
        let add = |mesh: &mut Mesh<2>, name: &str, nodes: [usize; 2]| {
            let cell = mesh.n_cells();
            mesh.blocks.push(CellBlock { kind: CellKind::Segment2, nodes: nodes.to_vec() });
            mesh.groups.push(Group { name: name.into(), tag: 90, dim: 1, cells: vec![cell] });
        };
        // Points count from the bottom left in rows of five: 1–6 is inside, 0–12 crosses two rows.
        add(&mut mesh, "inside", [1, 6]);
        add(&mut mesh, "outside", [0, 12]);
        let text = mesh.group_facets("inside").unwrap_err().to_string();
        assert!(text.contains("is inside the body, between cells [0, 1]"), "{text}");
        let text = mesh.group_facets("outside").unwrap_err().to_string();
        assert!(text.contains("nodes [0, 12]) is not a facet of any cell"), "{text}");
        let text = mesh.group_facets("top_left").unwrap_err().to_string();
        assert!(text.contains("group of points has no facets"), "{text}");
        assert!(matches!(mesh.group_facets("nowhere"), Err(MeshError::UnknownGroup { .. })));
    }

    #[test]
    fn three_cells_cannot_share_a_facet() {
        let mesh = Mesh::<2> {
            points: vec![[0., 0.], [1., 0.], [0.5, 1.], [0.5, -1.], [0.2, 0.5]],
            blocks: vec![CellBlock { kind: CellKind::Triangle3, nodes: vec![0, 1, 2, 1, 0, 3, 0, 1, 4] }],
            groups: vec![],
        };
        let error = mesh.validate().unwrap_err();
        assert!(matches!(&error, MeshError::Overlap { cells, .. } if cells == &[0, 1, 2]), "{error}");
    }

    #[test]
    fn cells_that_overlap_in_space_are_found() {
        let mesh = Mesh::<3> {
            points: vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [0.2, 0.2, 2.]],
            blocks: vec![CellBlock { kind: CellKind::Tetrahedron4, nodes: vec![0, 1, 2, 3, 1, 2, 0, 4] }],
            groups: vec![],
        };
        let error = mesh.validate().unwrap_err();
        assert!(matches!(&error, MeshError::Overlap { cells, .. } if cells == &[0, 1]), "{error}");
        let mut apart = mesh.clone();
        apart.points[4] = [0.2, 0.2, -1.0];
        apart.blocks[0].nodes[4..].copy_from_slice(&[2, 1, 0, 4]);
        apart.validate().unwrap();
        assert_eq!(apart.boundary().len(), 6);
    }

    #[test]
    fn facets_of_groups_in_space() {
        let mut mesh = generate::block([0.0; 3], [1.0; 3], [2, 2, 2], CellKind::Hexahedron8, 1).unwrap();
        let flipped: Vec<usize> = mesh.blocks[1].nodes.chunks(4).flat_map(|quad| quad.iter().rev().copied()).collect();
        mesh.blocks[1].nodes = flipped;
        let facets = mesh.group_facets("top").unwrap();
        assert_eq!(facets.len(), 4);
        // outward whatever the file says
        assert!(facets.iter().all(|f| (mesh.facet_normal(f)[1] - 1.0).abs() < 1e-15));
        assert_eq!(mesh.group_facets("body").unwrap().len(), 24);
        let text = mesh.group_facets("bottom_left").unwrap_err().to_string();
        assert!(text.contains("bottom_left"), "{text}");
    }

    proptest! {
        /// However the segments of the file run, the facets are oriented outward.
        #[test]
        fn orientation_in_the_file_does_not_matter(flips in proptest::collection::vec(any::<bool>(), 14)) {
            let good = rectangle(CellKind::Triangle3);
            let mut mesh = good.clone();
            for (i, _) in flips.iter().enumerate().filter(|(_, flip)| **flip) {
                mesh.blocks[1].nodes[2 * i..2 * i + 2].reverse();
            }
            let facets = mesh.group_facets("boundary").unwrap();
            assert_outward(&mesh, &facets);
            prop_assert_eq!(facets, good.group_facets("boundary").unwrap());
        }
    }
}
