//! The kinds of cells, from one table.
//!
//! Everything the crates need to know about a kind besides its shape functions is one row of [`ROWS`]:
//! a new kind is one more variant and one more row.
//!
//! Node orders are those of VTK ("VTK file formats", figures of linear and quadratic cells; the classes `vtkQuadraticTetra`
//! and `vtkQuadraticHexahedron`), so that cells are written as they are. gmsh ("Node ordering" in its manual) orders the
//! middles of the 10-node tetrahedron and of the 20-node hexahedron differently; `from_gmsh` says how. The description of
//! `vtkWedge` speaks of a base with an outward normal, but VTK (9.7, its parametric coordinates, faces and volumes) has
//! it as gmsh: inward.

/// Shape and order of a cell.
///
/// Nodes are in VTK's order: the corners, then the middles of the edges ([`CellKind::mid_nodes`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellKind {
    /// A single node (0-dimensional; carries named points of a mesh).
    Point,
    /// Straight segment of two nodes.
    Segment2,
    /// Quadratic segment: two ends and the middle.
    Segment3,
    /// Linear triangle, counter-clockwise.
    Triangle3,
    /// Quadratic triangle: three corners, three middles.
    Triangle6,
    /// Bilinear quadrilateral, counter-clockwise.
    Quad4,
    /// Quadratic (serendipity) quadrilateral: four corners, four middles.
    Quad8,
    /// Linear tetrahedron; nodes 1, 2, 3 are counter-clockwise seen from outside.
    Tetrahedron4,
    /// Quadratic tetrahedron: four corners, six middles.
    Tetrahedron10,
    /// Trilinear hexahedron: a quadrilateral (inward normal), and the one opposite.
    Hexahedron8,
    /// Quadratic (serendipity) hexahedron: eight corners, twelve middles.
    Hexahedron20,
    /// Linear prism: a triangle (inward normal), and the one opposite.
    Prism6,
}

/// One facet of a cell kind, in local node numbers of the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalFacet {
    /// Kind of the facet, one dimension below the cell.
    pub kind: CellKind,
    /// Local nodes, ordered so that the outside of a well-oriented cell is on the facet's right (2D), or sees the
    /// corners counter-clockwise (3D).
    pub nodes: &'static [usize],
}

/// One row of the table of kinds.
struct KindRow {
    kind: CellKind,
    name: &'static str,
    dim: usize,
    n_nodes: usize,
    facets: &'static [LocalFacet],
    /// For each corner: the node, then its neighbours along a positively oriented local frame.
    corners: &'static [&'static [usize]],
    /// Splits into simplices, positively oriented.
    simplices: &'static [&'static [usize]],
    /// How many times the simplices cover the cell.
    covers: usize,
    /// For each node after the corners: the ends of its edge.
    mid_nodes: &'static [[usize; 2]],
    /// The node order that turns the cell over.
    flipped: &'static [usize],
    gmsh_id: i32,
    /// Per node, its place in gmsh's order; empty where the orders agree.
    from_gmsh: &'static [usize],
    vtk_id: u8,
}

const fn facet(kind: CellKind, nodes: &'static [usize]) -> LocalFacet {
    LocalFacet { kind, nodes }
}

const fn vertex(nodes: &'static [usize]) -> LocalFacet {
    facet(CellKind::Point, nodes)
}

const fn edge(nodes: &'static [usize]) -> LocalFacet {
    facet(CellKind::Segment2, nodes)
}

const fn edge_3(nodes: &'static [usize]) -> LocalFacet {
    facet(CellKind::Segment3, nodes)
}

const fn triangle(nodes: &'static [usize]) -> LocalFacet {
    facet(CellKind::Triangle3, nodes)
}

const fn triangle_6(nodes: &'static [usize]) -> LocalFacet {
    facet(CellKind::Triangle6, nodes)
}

const fn quad(nodes: &'static [usize]) -> LocalFacet {
    facet(CellKind::Quad4, nodes)
}

const fn quad_8(nodes: &'static [usize]) -> LocalFacet {
    facet(CellKind::Quad8, nodes)
}

const TRIANGLE_CORNERS: &[&[usize]] = &[&[0, 1, 2], &[1, 2, 0], &[2, 0, 1]];
const TRIANGLE_EDGES: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0]];
const QUAD_CORNERS: &[&[usize]] = &[&[0, 1, 3], &[1, 2, 0], &[2, 3, 1], &[3, 0, 2]];
const QUAD_SIMPLICES: &[&[usize]] = &[&[0, 1, 2], &[0, 2, 3]];
const QUAD_EDGES: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 3], [3, 0]];
const TETRAHEDRON_CORNERS: &[&[usize]] = &[&[0, 1, 2, 3], &[1, 0, 3, 2], &[2, 3, 0, 1], &[3, 2, 1, 0]];
const TETRAHEDRON_EDGES: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
const HEXAHEDRON_CORNERS: &[&[usize]] = &[
    &[0, 1, 3, 4],
    &[1, 2, 0, 5],
    &[2, 3, 1, 6],
    &[3, 0, 2, 7],
    &[4, 7, 5, 0],
    &[5, 4, 6, 1],
    &[6, 5, 7, 2],
    &[7, 6, 4, 3],
];
/// Four corners cut off and the tetrahedron between them, in the two possible ways. The two cut every face along
/// opposite diagonals, so that the mean of their volumes is that of the trilinear cell, warped faces or not.
const HEXAHEDRON_SIMPLICES: &[&[usize]] = &[
    &[1, 2, 0, 5],
    &[3, 0, 2, 7],
    &[4, 7, 5, 0],
    &[6, 5, 7, 2],
    &[0, 5, 2, 7],
    &[0, 1, 3, 4],
    &[2, 3, 1, 6],
    &[5, 4, 6, 1],
    &[7, 6, 4, 3],
    &[1, 3, 4, 6],
];
const HEXAHEDRON_EDGES: &[[usize; 2]] =
    &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

/// In the order of the variants of [`CellKind`] (a test checks it).
static ROWS: [KindRow; 12] = [
    KindRow {
        kind: CellKind::Point,
        name: "Point",
        dim: 0,
        n_nodes: 1,
        facets: &[],
        corners: &[&[0]],
        simplices: &[&[0]],
        covers: 1,
        mid_nodes: &[],
        flipped: &[0],
        gmsh_id: 15,
        from_gmsh: &[],
        vtk_id: 1,
    },
    KindRow {
        kind: CellKind::Segment2,
        name: "Segment2",
        dim: 1,
        n_nodes: 2,
        facets: &[vertex(&[0]), vertex(&[1])],
        corners: &[&[0, 1], &[1, 0]],
        simplices: &[&[0, 1]],
        covers: 1,
        mid_nodes: &[],
        flipped: &[1, 0],
        gmsh_id: 1,
        from_gmsh: &[],
        vtk_id: 3,
    },
    KindRow {
        kind: CellKind::Segment3,
        name: "Segment3",
        dim: 1,
        n_nodes: 3,
        facets: &[vertex(&[0]), vertex(&[1])],
        corners: &[&[0, 1], &[1, 0]],
        simplices: &[&[0, 1]],
        covers: 1,
        mid_nodes: &[[0, 1]],
        flipped: &[1, 0, 2],
        gmsh_id: 8,
        from_gmsh: &[],
        vtk_id: 21,
    },
    KindRow {
        kind: CellKind::Triangle3,
        name: "Triangle3",
        dim: 2,
        n_nodes: 3,
        facets: &[edge(&[0, 1]), edge(&[1, 2]), edge(&[2, 0])],
        corners: TRIANGLE_CORNERS,
        simplices: &[&[0, 1, 2]],
        covers: 1,
        mid_nodes: &[],
        flipped: &[0, 2, 1],
        gmsh_id: 2,
        from_gmsh: &[],
        vtk_id: 5,
    },
    KindRow {
        kind: CellKind::Triangle6,
        name: "Triangle6",
        dim: 2,
        n_nodes: 6,
        facets: &[edge_3(&[0, 1, 3]), edge_3(&[1, 2, 4]), edge_3(&[2, 0, 5])],
        corners: TRIANGLE_CORNERS,
        simplices: &[&[0, 1, 2]],
        covers: 1,
        mid_nodes: TRIANGLE_EDGES,
        flipped: &[0, 2, 1, 5, 4, 3],
        gmsh_id: 9,
        from_gmsh: &[],
        vtk_id: 22,
    },
    KindRow {
        kind: CellKind::Quad4,
        name: "Quad4",
        dim: 2,
        n_nodes: 4,
        facets: &[edge(&[0, 1]), edge(&[1, 2]), edge(&[2, 3]), edge(&[3, 0])],
        corners: QUAD_CORNERS,
        simplices: QUAD_SIMPLICES,
        covers: 1,
        mid_nodes: &[],
        flipped: &[0, 3, 2, 1],
        gmsh_id: 3,
        from_gmsh: &[],
        vtk_id: 9,
    },
    KindRow {
        kind: CellKind::Quad8,
        name: "Quad8",
        dim: 2,
        n_nodes: 8,
        facets: &[edge_3(&[0, 1, 4]), edge_3(&[1, 2, 5]), edge_3(&[2, 3, 6]), edge_3(&[3, 0, 7])],
        corners: QUAD_CORNERS,
        simplices: QUAD_SIMPLICES,
        covers: 1,
        mid_nodes: QUAD_EDGES,
        flipped: &[0, 3, 2, 1, 7, 6, 5, 4],
        gmsh_id: 16,
        from_gmsh: &[],
        vtk_id: 23,
    },
    KindRow {
        kind: CellKind::Tetrahedron4,
        name: "Tetrahedron4",
        dim: 3,
        n_nodes: 4,
        facets: &[triangle(&[0, 2, 1]), triangle(&[0, 1, 3]), triangle(&[1, 2, 3]), triangle(&[0, 3, 2])],
        corners: TETRAHEDRON_CORNERS,
        simplices: &[&[0, 1, 2, 3]],
        covers: 1,
        mid_nodes: &[],
        flipped: &[0, 2, 1, 3],
        gmsh_id: 4,
        from_gmsh: &[],
        vtk_id: 10,
    },
    KindRow {
        kind: CellKind::Tetrahedron10,
        name: "Tetrahedron10",
        dim: 3,
        n_nodes: 10,
        facets: &[
            triangle_6(&[0, 2, 1, 6, 5, 4]),
            triangle_6(&[0, 1, 3, 4, 8, 7]),
            triangle_6(&[1, 2, 3, 5, 9, 8]),
            triangle_6(&[0, 3, 2, 7, 9, 6]),
        ],
        corners: TETRAHEDRON_CORNERS,
        simplices: &[&[0, 1, 2, 3]],
        covers: 1,
        mid_nodes: TETRAHEDRON_EDGES,
        flipped: &[0, 2, 1, 3, 6, 5, 4, 7, 9, 8],
        gmsh_id: 11,
        from_gmsh: &[0, 1, 2, 3, 4, 5, 6, 7, 9, 8],
        vtk_id: 24,
    },
    KindRow {
        kind: CellKind::Hexahedron8,
        name: "Hexahedron8",
        dim: 3,
        n_nodes: 8,
        facets: &[
            quad(&[0, 3, 2, 1]),
            quad(&[4, 5, 6, 7]),
            quad(&[0, 1, 5, 4]),
            quad(&[1, 2, 6, 5]),
            quad(&[2, 3, 7, 6]),
            quad(&[3, 0, 4, 7]),
        ],
        corners: HEXAHEDRON_CORNERS,
        simplices: HEXAHEDRON_SIMPLICES,
        covers: 2,
        mid_nodes: &[],
        flipped: &[0, 3, 2, 1, 4, 7, 6, 5],
        gmsh_id: 5,
        from_gmsh: &[],
        vtk_id: 12,
    },
    KindRow {
        kind: CellKind::Hexahedron20,
        name: "Hexahedron20",
        dim: 3,
        n_nodes: 20,
        facets: &[
            quad_8(&[0, 3, 2, 1, 11, 10, 9, 8]),
            quad_8(&[4, 5, 6, 7, 12, 13, 14, 15]),
            quad_8(&[0, 1, 5, 4, 8, 17, 12, 16]),
            quad_8(&[1, 2, 6, 5, 9, 18, 13, 17]),
            quad_8(&[2, 3, 7, 6, 10, 19, 14, 18]),
            quad_8(&[3, 0, 4, 7, 11, 16, 15, 19]),
        ],
        corners: HEXAHEDRON_CORNERS,
        simplices: HEXAHEDRON_SIMPLICES,
        covers: 2,
        mid_nodes: HEXAHEDRON_EDGES,
        flipped: &[0, 3, 2, 1, 4, 7, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 16, 19, 18, 17],
        gmsh_id: 17,
        from_gmsh: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15],
        vtk_id: 25,
    },
    KindRow {
        kind: CellKind::Prism6,
        name: "Prism6",
        dim: 3,
        n_nodes: 6,
        facets: &[
            triangle(&[0, 2, 1]),
            triangle(&[3, 4, 5]),
            quad(&[0, 1, 4, 3]),
            quad(&[1, 2, 5, 4]),
            quad(&[2, 0, 3, 5]),
        ],
        corners: &[&[0, 1, 2, 3], &[1, 2, 0, 4], &[2, 0, 1, 5], &[3, 5, 4, 0], &[4, 3, 5, 1], &[5, 4, 3, 2]],
        simplices: &[&[0, 1, 2, 3], &[1, 2, 3, 4], &[2, 3, 4, 5], &[0, 1, 2, 5], &[0, 1, 5, 4], &[0, 4, 5, 3]],
        covers: 2,
        mid_nodes: &[],
        flipped: &[0, 2, 1, 3, 5, 4],
        gmsh_id: 6,
        from_gmsh: &[],
        vtk_id: 13,
    },
];

impl CellKind {
    fn row(self) -> &'static KindRow {
        &ROWS[self as usize]
    }

    /// Every kind, by increasing dimension.
    pub fn all() -> impl Iterator<Item = CellKind> {
        ROWS.iter().map(|row| row.kind)
    }

    /// Name as written in messages, e.g. `Quad4`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Topological dimension: 0 point, 1 segment, 2 surface cell, 3 volume cell.
    pub fn dim(self) -> usize {
        self.row().dim
    }

    /// Number of nodes.
    pub fn n_nodes(self) -> usize {
        self.row().n_nodes
    }

    /// Facets (one dimension lower), walking counter-clockwise round a 2D cell, with outward normals in 3D.
    pub fn facets(self) -> &'static [LocalFacet] {
        self.row().facets
    }

    /// Per corner: the corner's local node, then its neighbours along the local axes. The determinant of
    /// the edge vectors is the Jacobian at the corner (of the unit-square map for a quadrilateral; edges
    /// are taken as straight).
    /// The two ends of a segment are listed each with the other as its neighbour.
    pub fn corners(self) -> &'static [&'static [usize]] {
        self.row().corners
    }

    /// Split into simplices in local node numbers, oriented as the cell. Hexahedra and prisms have two splits, which
    /// cut their faces along opposite diagonals, one after the other: together they cover the cell
    /// [`covers`](Self::covers) times.
    pub fn simplices(self) -> &'static [&'static [usize]] {
        self.row().simplices
    }

    /// How many times [`simplices`](Self::simplices) covers the cell.
    pub fn covers(self) -> usize {
        self.row().covers
    }

    /// Number of corners.
    pub fn n_corners(self) -> usize {
        self.row().corners.len()
    }

    /// For each node after the corners, the two corners it is the middle of; none for linear cells.
    pub fn mid_nodes(self) -> &'static [[usize; 2]] {
        self.row().mid_nodes
    }

    /// Whether the only nodes are the corners.
    pub fn is_linear(self) -> bool {
        self.mid_nodes().is_empty()
    }

    /// The quadratic kind with the same corners, if there is one; a point is its own.
    pub fn quadratic(self) -> Option<CellKind> {
        if self == CellKind::Point {
            return Some(self);
        }
        let same = |row: &&KindRow| row.corners == self.row().corners && !row.mid_nodes.is_empty();
        ROWS.iter().find(same).map(|row| row.kind)
    }

    /// Local node order of the same cell turned over (clockwise ↔ counter-clockwise).
    pub fn flipped(self) -> &'static [usize] {
        self.row().flipped
    }

    /// Element type number of the gmsh MSH format.
    pub fn gmsh_id(self) -> i32 {
        self.row().gmsh_id
    }

    /// Per node of the cell, its place in gmsh's node order; empty where the two orders agree.
    pub fn from_gmsh(self) -> &'static [usize] {
        self.row().from_gmsh
    }

    /// Cell type number of VTK; the nodes are already in VTK's order.
    pub fn vtk_id(self) -> u8 {
        self.row().vtk_id
    }

    /// The kind with this VTK cell type, if Delassus has it.
    pub fn from_vtk_id(id: u8) -> Option<CellKind> {
        ROWS.iter().find(|row| row.vtk_id == id).map(|row| row.kind)
    }

    /// The kind with this gmsh element type, if Delassus has it.
    pub fn from_gmsh_id(id: i32) -> Option<CellKind> {
        ROWS.iter().find(|row| row.gmsh_id == id).map(|row| row.kind)
    }
}

impl std::fmt::Display for CellKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_variants() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.kind as usize, i, "{}", row.name);
            assert_eq!(row.kind.to_string(), format!("{:?}", row.kind));
        }
    }

    #[test]
    fn rows_are_consistent() {
        for kind in CellKind::all() {
            let all_local = |nodes: &[usize]| nodes.iter().all(|&n| n < kind.n_nodes());
            for facet in kind.facets() {
                assert_eq!(facet.kind.dim() + 1, kind.dim());
                assert_eq!(facet.nodes.len(), facet.kind.n_nodes());
                assert!(all_local(facet.nodes));
            }
            for list in kind.corners().iter().chain(kind.simplices()) {
                assert_eq!(list.len(), kind.dim() + 1);
                assert!(all_local(list));
            }
            assert_eq!(kind.n_corners() + kind.mid_nodes().len(), kind.n_nodes());
            assert!(kind.from_gmsh().is_empty() || kind.from_gmsh().len() == kind.n_nodes());
            let mut flipped = kind.flipped().to_vec();
            flipped.sort_unstable();
            assert_eq!(flipped, (0..kind.n_nodes()).collect::<Vec<_>>());
            assert_eq!(CellKind::from_gmsh_id(kind.gmsh_id()), Some(kind));
            assert_eq!(CellKind::from_vtk_id(kind.vtk_id()), Some(kind));
        }
        assert_eq!(CellKind::from_gmsh_id(7), None, "pyramids");
        let quadratic: Vec<_> = CellKind::all().map(|kind| kind.quadratic().map(CellKind::n_nodes)).collect();
        let expected = [1, 3, 3, 6, 6, 8, 8, 10, 10, 20, 20].map(Some);
        assert_eq!(quadratic[..11], expected);
        assert_eq!(CellKind::Prism6.quadratic(), None);
    }

    /// The ends of the edge of node `l`; of a corner, the corner twice.
    fn ends(kind: CellKind, l: usize) -> [usize; 2] {
        let mut ends = l.checked_sub(kind.n_corners()).map_or([l, l], |m| kind.mid_nodes()[m]);
        ends.sort_unstable();
        ends
    }

    /// The middles of a facet's edges are the middles of the cell's edges, and so for a cell turned over.
    #[test]
    fn middles_of_facets_and_of_turned_cells_are_those_of_the_cell() {
        for kind in CellKind::all() {
            for facet in kind.facets() {
                for (m, &[a, b]) in facet.kind.mid_nodes().iter().enumerate() {
                    let mut corners = [facet.nodes[a], facet.nodes[b]];
                    corners.sort_unstable();
                    assert_eq!(ends(kind, facet.nodes[facet.kind.n_corners() + m]), corners, "{kind} {facet:?}");
                }
            }
            for (m, &[a, b]) in kind.mid_nodes().iter().enumerate() {
                let mut corners = [kind.flipped()[a], kind.flipped()[b]];
                corners.sort_unstable();
                assert_eq!(ends(kind, kind.flipped()[kind.n_corners() + m]), corners, "{kind}");
            }
        }
    }

    /// Every edge of a facet of a volume cell is walked once each way: the facets are a closed surface, all with the
    /// same side out.
    #[test]
    fn facets_of_volume_cells_are_a_closed_surface() {
        for kind in CellKind::all().filter(|k| k.dim() == 3) {
            let mut edges = Vec::new();
            for facet in kind.facets() {
                let n = facet.kind.n_corners();
                edges.extend((0..n).map(|i| (facet.nodes[i], facet.nodes[(i + 1) % n])));
            }
            for &(a, b) in &edges {
                assert_eq!(edges.iter().filter(|e| **e == (a, b)).count(), 1, "{kind}");
                assert_eq!(edges.iter().filter(|e| **e == (b, a)).count(), 1, "{kind}");
            }
        }
    }

    /// Each node of a 2D cell ends one facet and starts one: the facets are a closed walk.
    #[test]
    fn facets_of_surface_cells_are_a_closed_walk() {
        for kind in CellKind::all().filter(|k| k.dim() == 2) {
            let facets = kind.facets();
            for (i, facet) in facets.iter().enumerate() {
                let next = &facets[(i + 1) % facets.len()];
                assert_eq!(facet.nodes[1], next.nodes[0]);
            }
        }
    }
}
