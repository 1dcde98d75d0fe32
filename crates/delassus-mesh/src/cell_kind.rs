//! The kinds of cells, from one table.
//!
//! Everything the crates need to know about a kind besides its shape functions is one row of [`ROWS`]:
//! a new kind is one more variant and one more row.

/// Shape and order of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellKind {
    /// A single node (0-dimensional; carries named points of a mesh).
    Point,
    /// Straight segment of two nodes.
    Segment2,
    /// Linear triangle, counter-clockwise.
    Triangle3,
    /// Bilinear quadrilateral, counter-clockwise.
    Quad4,
}

/// One facet of a cell kind, in local node numbers of the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalFacet {
    /// Kind of the facet, one dimension below the cell.
    pub kind: CellKind,
    /// Local nodes, ordered so that the outside of a well-oriented cell is on the facet's right (2D).
    pub nodes: &'static [usize],
}

/// One row of the table of kinds.
struct Row {
    kind: CellKind,
    name: &'static str,
    dim: usize,
    n_nodes: usize,
    facets: &'static [LocalFacet],
    /// For each corner: the node, then its neighbours along a positively oriented local frame.
    corners: &'static [&'static [usize]],
    /// A split into simplices, positively oriented.
    simplices: &'static [&'static [usize]],
    /// The node order that turns the cell over.
    flipped: &'static [usize],
    gmsh_id: i32,
    vtk_id: u8,
}

const fn vertex(nodes: &'static [usize]) -> LocalFacet {
    LocalFacet { kind: CellKind::Point, nodes }
}

const fn edge(nodes: &'static [usize]) -> LocalFacet {
    LocalFacet { kind: CellKind::Segment2, nodes }
}

/// In the order of the variants of [`CellKind`] (a test checks it).
static ROWS: [Row; 4] = [
    Row {
        kind: CellKind::Point,
        name: "Point",
        dim: 0,
        n_nodes: 1,
        facets: &[],
        corners: &[&[0]],
        simplices: &[&[0]],
        flipped: &[0],
        gmsh_id: 15,
        vtk_id: 1,
    },
    Row {
        kind: CellKind::Segment2,
        name: "Segment2",
        dim: 1,
        n_nodes: 2,
        facets: &[vertex(&[0]), vertex(&[1])],
        corners: &[&[0, 1], &[1, 0]],
        simplices: &[&[0, 1]],
        flipped: &[1, 0],
        gmsh_id: 1,
        vtk_id: 3,
    },
    Row {
        kind: CellKind::Triangle3,
        name: "Triangle3",
        dim: 2,
        n_nodes: 3,
        facets: &[edge(&[0, 1]), edge(&[1, 2]), edge(&[2, 0])],
        corners: &[&[0, 1, 2], &[1, 2, 0], &[2, 0, 1]],
        simplices: &[&[0, 1, 2]],
        flipped: &[0, 2, 1],
        gmsh_id: 2,
        vtk_id: 5,
    },
    Row {
        kind: CellKind::Quad4,
        name: "Quad4",
        dim: 2,
        n_nodes: 4,
        facets: &[edge(&[0, 1]), edge(&[1, 2]), edge(&[2, 3]), edge(&[3, 0])],
        corners: &[&[0, 1, 3], &[1, 2, 0], &[2, 3, 1], &[3, 0, 2]],
        simplices: &[&[0, 1, 2], &[0, 2, 3]],
        flipped: &[0, 3, 2, 1],
        gmsh_id: 3,
        vtk_id: 9,
    },
];

impl CellKind {
    fn row(self) -> &'static Row {
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

    /// Topological dimension: 0 point, 1 segment, 2 surface cell.
    pub fn dim(self) -> usize {
        self.row().dim
    }

    /// Number of nodes.
    pub fn n_nodes(self) -> usize {
        self.row().n_nodes
    }

    /// Facets (one dimension lower), walking counter-clockwise round a 2D cell.
    pub fn facets(self) -> &'static [LocalFacet] {
        self.row().facets
    }

    /// Per corner: the corner's local node, then its neighbours along the local axes. The determinant of
    /// the edge vectors is the Jacobian at the corner (of the unit-square map for a quadrilateral).
    /// The two ends of a segment are listed each with the other as its neighbour.
    pub fn corners(self) -> &'static [&'static [usize]] {
        self.row().corners
    }

    /// Split into simplices in local node numbers, oriented as the cell.
    pub fn simplices(self) -> &'static [&'static [usize]] {
        self.row().simplices
    }

    /// Local node order of the same cell turned over (clockwise ↔ counter-clockwise).
    pub fn flipped(self) -> &'static [usize] {
        self.row().flipped
    }

    /// Element type number of the gmsh MSH format.
    pub fn gmsh_id(self) -> i32 {
        self.row().gmsh_id
    }

    /// Cell type number of VTK.
    pub fn vtk_id(self) -> u8 {
        self.row().vtk_id
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
            let mut flipped = kind.flipped().to_vec();
            flipped.sort_unstable();
            assert_eq!(flipped, (0..kind.n_nodes()).collect::<Vec<_>>());
            assert_eq!(CellKind::from_gmsh_id(kind.gmsh_id()), Some(kind));
        }
        assert_eq!(CellKind::from_gmsh_id(9), None);
    }

    /// Each node of a 2D cell ends one facet and starts one: the facets are a closed walk.
    #[test]
    fn facets_of_surface_cells_are_a_closed_walk() {
        for kind in CellKind::all().filter(|k| k.dim() == 2) {
            let facets = kind.facets();
            for (i, facet) in facets.iter().enumerate() {
                let next = &facets[(i + 1) % facets.len()];
                assert_eq!(facet.nodes.last(), next.nodes.first());
            }
        }
    }
}
