//! The boundary of a mesh as closed surfaces of linear facets, one for every connected part.
//!
//! Quadratic facets are cut at their middle nodes: a segment in two, a triangle in four, a quadrilateral in four corners and what is
//! between them. All their nodes are then nodes of the surface.

use delassus_contact::FacetNodes;
use delassus_mesh::{Facet, Mesh};

/// The boundary of a connected part.
pub(super) struct Part {
    /// Nodes of the mesh, ascending.
    pub nodes: Vec<usize>,
    /// Facets by the places of their nodes in that list.
    pub facets: Vec<FacetNodes>,
}

/// The boundary of every part whose cells are joined by nodes, by their lowest nodes.
pub(super) fn parts<const D: usize>(mesh: &Mesh<D>) -> Vec<Part> {
    let mut class: Vec<usize> = (0..mesh.n_points()).collect();
    for (_, _, nodes) in mesh.bulk_cells() {
        for pair in nodes.windows(2) {
            let [a, b] = [root(&mut class, pair[0]), root(&mut class, pair[1])];
            class[a.max(b)] = a.min(b);
        }
    }
    let pieces = mesh.boundary().iter().flat_map(linear).collect::<Vec<_>>();
    let mut by_part: std::collections::BTreeMap<usize, Vec<Vec<usize>>> = std::collections::BTreeMap::new();
    for piece in pieces {
        by_part.entry(root(&mut class, piece[0])).or_default().push(piece);
    }
    by_part.into_values().map(numbered).collect()
}

/// The lowest node that a node is joined with.
fn root(class: &mut [usize], mut node: usize) -> usize {
    while class[node] != node {
        class[node] = class[class[node]];
        node = class[node];
    }
    node
}

/// A facet in linear pieces of at most four nodes, oriented as it is.
fn linear(facet: &Facet) -> Vec<Vec<usize>> {
    let n = facet.kind.n_corners();
    let (corners, middles) = facet.nodes.split_at(n);
    match *middles {
        [] => vec![corners.to_vec()],
        [middle] => vec![vec![corners[0], middle], vec![middle, corners[1]]],
        _ => {
            let corner = |k: usize| vec![corners[k], middles[k], middles[(k + n - 1) % n]];
            (0..n).map(corner).chain([middles.to_vec()]).collect()
        }
    }
}

fn numbered(pieces: Vec<Vec<usize>>) -> Part {
    let mut nodes: Vec<usize> = pieces.iter().flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let local = |node: &usize| nodes.binary_search(node).unwrap_or(0);
    let facet = |piece: &Vec<usize>| {
        let places: Vec<usize> = piece.iter().map(local).collect();
        FacetNodes::try_from(places.as_slice()).ok()
    };
    let facets = pieces.iter().filter_map(facet).collect();
    Part { nodes, facets }
}

#[cfg(test)]
mod tests {
    use delassus_contact::{Dimension, FacetSurface, NarrowPhase};
    use delassus_mesh::CellKind;

    use super::*;

    /// ∮ x·n dA / D over the surface: the volume (area) it encloses, of linear facets. Warped ones are cut in triangles.
    fn enclosed<const D: usize>(mesh: &Mesh<D>, part: &Part) -> f64 {
        let x = |k: usize| nalgebra::SVector::<f64, D>::from(mesh.points[part.nodes[k]]);
        let mut sum = 0.0;
        for facet in &part.facets {
            if D == 2 {
                let (a, b) = (x(facet[0]), x(facet[1]));
                sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
                continue;
            }
            for k in 1..facet.len() - 1 {
                let [a, b, c] = [facet[0], facet[k], facet[k + 1]].map(x);
                let m = nalgebra::Matrix3::from_fn(|i, j| [a, b, c][j][i]);
                sum += m.determinant() / 6.0;
            }
        }
        sum
    }

    fn check<const D: usize>(mesh: &Mesh<D>, volumes: &[f64])
    where
        Dimension<D>: NarrowPhase<D>,
    {
        let parts = parts(mesh);
        assert_eq!(parts.len(), volumes.len());
        for (part, volume) in parts.iter().zip(volumes) {
            let surface = FacetSurface::<D>::new(0, part.facets.clone()).unwrap();
            assert!(surface.is_closed());
            assert_eq!(surface.nodes().count(), part.nodes.len());
            // Unit cells: a few roundings.
            assert!((enclosed(mesh, part) - volume).abs() < 1e-14, "{}", enclosed(mesh, part));
        }
    }

    fn single(kind: CellKind, corners: &[[f64; 3]]) -> Mesh<3> {
        let mid = |e: &[usize; 2]| std::array::from_fn(|i| 0.5 * (corners[e[0]][i] + corners[e[1]][i]));
        let points = corners.iter().copied().chain(kind.mid_nodes().iter().map(mid)).collect();
        let nodes = (0..kind.n_nodes()).collect();
        Mesh { points, blocks: vec![delassus_mesh::CellBlock { kind, nodes }], groups: Vec::new() }
    }

    const CUBE: [[f64; 3]; 8] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
    ];

    #[test]
    fn boundaries_are_closed_and_hold_the_volume_of_their_cells() {
        check(&single(CellKind::Hexahedron8, &CUBE), &[1.0]);
        check(&single(CellKind::Hexahedron20, &CUBE), &[1.0]);
        let tetrahedron = [CUBE[0], CUBE[1], CUBE[3], CUBE[4]];
        check(&single(CellKind::Tetrahedron4, &tetrahedron), &[1.0 / 6.0]);
        check(&single(CellKind::Tetrahedron10, &tetrahedron), &[1.0 / 6.0]);
    }

    #[test]
    fn parts_that_share_no_node_are_apart() {
        let square = |x: f64| [[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]];
        let points = [square(0.0), square(1.0), square(5.0)].concat();
        // The first two share a side but no node.
        let nodes = (0..12).collect();
        let blocks = vec![delassus_mesh::CellBlock { kind: CellKind::Quad4, nodes }];
        check(&Mesh { points, blocks, groups: Vec::new() }, &[1.0, 1.0, 1.0]);
    }
}
