//! The element types of gmsh: what a type number means and how many nodes it has.
//!
//! All fixed-size types are here so that a file with unsupported elements is still read to the right
//! counts, and the message can name what it found.

use crate::CellKind;

/// A gmsh element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementType {
    /// Number in the MSH format.
    pub id: i32,
    /// Shape in words.
    pub shape: &'static str,
    /// Dimension of the shape.
    pub dim: usize,
    /// Number of nodes.
    pub n_nodes: usize,
}

/// Shape, dimension, and (type number, nodes) of the members of a family.
type Family = (&'static str, usize, &'static [(i32, usize)]);

#[rustfmt::skip]
static FAMILIES: [Family; 8] = [
    ("point", 0, &[(15, 1)]),
    (
        "line",
        1,
        &[
            (1, 2), (8, 3), (26, 4), (27, 5), (28, 6), (62, 7), (63, 8), (64, 9), (65, 10), (66, 11), (84, 1),
        ],
    ),
    (
        "triangle",
        2,
        &[
            (2, 3), (9, 6), (20, 9), (21, 10), (22, 12), (23, 15), (24, 15), (25, 21), (42, 28), (43, 36),
            (44, 45), (45, 55), (46, 66), (52, 18), (53, 21), (54, 24), (55, 27), (56, 30), (85, 1),
        ],
    ),
    (
        "quadrangle",
        2,
        &[
            (3, 4), (10, 9), (16, 8), (36, 16), (37, 25), (38, 36), (39, 12), (40, 16), (41, 20), (47, 49),
            (48, 64), (49, 81), (50, 100), (51, 121), (57, 24), (58, 28), (59, 32), (60, 36), (61, 40), (86, 1),
        ],
    ),
    (
        "tetrahedron",
        3,
        &[
            (4, 4), (11, 10), (29, 20), (30, 35), (31, 56), (32, 22), (33, 28), (71, 84), (72, 120), (73, 165),
            (74, 220), (75, 286), (79, 34), (80, 40), (81, 46), (82, 52), (83, 58), (87, 1), (137, 16),
        ],
    ),
    (
        "hexahedron",
        3,
        &[
            (5, 8), (12, 27), (17, 20), (88, 1), (92, 64), (93, 125), (94, 216), (95, 343), (96, 512), (97, 729),
            (98, 1000), (99, 32), (100, 44), (101, 56), (102, 68), (103, 80), (104, 92), (105, 104),
        ],
    ),
    ("prism", 3, &[(6, 6), (13, 18), (18, 15), (89, 1), (90, 40), (91, 75)]),
    (
        "pyramid",
        3,
        &[
            (7, 5), (14, 14), (19, 13), (118, 30), (119, 55), (120, 91), (121, 140), (122, 204), (123, 285),
            (124, 385), (125, 21), (126, 29), (127, 37), (128, 45), (129, 53), (130, 61), (131, 69), (132, 1),
        ],
    ),
];

impl ElementType {
    /// The type with this number.
    pub fn from_id(id: i32) -> Option<ElementType> {
        FAMILIES.iter().find_map(|&(shape, dim, members)| {
            let &(id, n_nodes) = members.iter().find(|member| member.0 == id)?;
            Some(ElementType { id, shape, dim, n_nodes })
        })
    }

    /// Whether its only nodes are the corners.
    pub(super) fn is_linear(self) -> bool {
        // gmsh gives the first-order shapes the numbers 1 to 7, and 15 to the point.
        self.id <= 7 || self.id == 15
    }

    /// Whether it is a quadrangle or hexahedron with nodes in the middles of its faces, of which gmsh also has a kind
    /// without them that can be computed with.
    pub(super) fn is_complete_quadratic(self) -> bool {
        self.id == 10 || self.id == 12
    }

    /// Every kind Delassus computes with, in gmsh's words.
    pub(super) fn supported(dim: usize) -> String {
        let names: Vec<String> = CellKind::all()
            .filter(|kind| kind.dim() <= dim)
            .filter_map(|kind| ElementType::from_id(kind.gmsh_id()))
            .map(|element| element.to_string())
            .collect();
        names.join(", ")
    }
}

impl std::fmt::Display for ElementType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-node {} (gmsh type {})", self.n_nodes, self.shape, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_complete_to_33() {
        let mut ids: Vec<i32> = FAMILIES.iter().flat_map(|family| family.2).map(|m| m.0).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(&ids[..33], (1..=33).collect::<Vec<_>>());
        assert_eq!(ElementType::from_id(34), None, "polygons have no fixed number of nodes");
        assert_eq!(ElementType::from_id(0), None);
    }

    #[test]
    fn kinds_agree_with_the_table() {
        for kind in CellKind::all() {
            let element = ElementType::from_id(kind.gmsh_id()).unwrap();
            assert_eq!((element.dim, element.n_nodes), (kind.dim(), kind.n_nodes()));
        }
    }

    /// Node counts of complete Lagrange elements follow from the order p.
    #[test]
    fn node_counts_of_complete_families() {
        let n = |id| ElementType::from_id(id).unwrap().n_nodes;
        let triangles = [2, 9, 21, 23, 25, 42, 43, 44, 45, 46];
        let quadrangles = [3, 10, 36, 37, 38, 47, 48, 49, 50, 51];
        let tetrahedra = [4, 11, 29, 30, 31, 71, 72, 73, 74, 75];
        for (i, p) in (1..=10).enumerate() {
            assert_eq!(n(triangles[i]), (p + 1) * (p + 2) / 2);
            assert_eq!(n(quadrangles[i]), (p + 1) * (p + 1));
            assert_eq!(n(tetrahedra[i]), (p + 1) * (p + 2) * (p + 3) / 6);
        }
        for (i, id) in [5, 12, 92, 93, 94, 95, 96, 97, 98].into_iter().enumerate() {
            assert_eq!(n(id), (i + 2).pow(3));
        }
    }

    #[test]
    fn the_name_is_for_people() {
        assert_eq!(ElementType::from_id(9).unwrap().to_string(), "6-node triangle (gmsh type 9)");
    }
}
