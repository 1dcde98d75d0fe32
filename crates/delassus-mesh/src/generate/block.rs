//! Blocks (boxes) of hexahedra, prisms or tetrahedra.

use super::{cells, extrude, finite, length, parameter, rectangle, total};
use crate::{CellBlock, CellKind, Group, Mesh, MeshError};

/// Tetrahedra made of one hexahedron.
const TETRAHEDRA: usize = 5;

/// A block with its lowest `corner` and `size` \[m\], of `cells` × `refine` cells each way.
///
/// `kind` is `Hexahedron8`; `Prism6`: two prisms a cell, along z, the triangles as in [`rectangle`](super::rectangle());
/// or `Tetrahedron4`: five tetrahedra a cell, in two mirrored ways that alternate like a chess board in space, so that
/// they fit together and no direction is preferred; with even counts the mesh has all mirror symmetries, and no
/// tetrahedron fills a corner of the block.
///
/// Groups: `body`; the faces `left`, `right` (lowest and highest x), `bottom`, `top` (y, as in 2D), `front`, `back` (lowest
/// and highest z) and `boundary`; the edges `bottom_left` … along z, `bottom_front` … and `left_front` … in the planes of
/// front and back; the corners `bottom_left_front` … . Points are numbered along x, then y, then z.
///
/// # Errors
/// [`MeshError::Parameter`]; [`MeshError::BadCell`] when the cells are below the rounding of `corner`.
pub fn block(
    corner: [f64; 3],
    size: [f64; 3],
    cells_each_way: [usize; 3],
    kind: CellKind,
    refine: usize,
) -> Result<Mesh<3>, MeshError> {
    const SHAPE: &str = "block";
    finite(SHAPE, "corner", corner)?;
    let mut n = [0; 3];
    for (d, (size_name, cells_name)) in
        [("size[0]", "cells[0]"), ("size[1]", "cells[1]"), ("size[2]", "cells[2]")].into_iter().enumerate()
    {
        length(SHAPE, size_name, size[d])?;
        n[d] = cells(SHAPE, cells_name, cells_each_way[d], refine, 1)?;
    }
    let (plane, per_cell) = match kind {
        CellKind::Hexahedron8 => (CellKind::Quad4, 1),
        CellKind::Prism6 => (CellKind::Triangle3, 2),
        CellKind::Tetrahedron4 => (CellKind::Quad4, TETRAHEDRA),
        _ => return parameter(SHAPE, "kind", kind, "Hexahedron8, Prism6 or Tetrahedron4"),
    };
    total(SHAPE, n.iter().fold(per_cell, |product, &count| product.saturating_mul(count)))?;
    let plane = rectangle([corner[0], corner[1]], [size[0], size[1]], [n[0], n[1]], plane, 1)?;
    let mesh = extrude(&plane, [corner[2], corner[2] + size[2]], n[2])?;
    if kind != CellKind::Tetrahedron4 {
        return Ok(mesh);
    }
    let mesh = tetrahedra(&mesh, n);
    mesh.check_cells()?;
    Ok(mesh)
}

/// Cuts the hexahedra of a block, and the quadrilaterals on its faces with them.
fn tetrahedra(block: &Mesh<3>, n: [usize; 3]) -> Mesh<3> {
    let tets_of = |cell: usize| {
        // `extrude` makes all layers of one rectangle, then those of the next
        let (layer, square) = (cell % n[2], cell / n[2]);
        let parity = layer + square % n[0] + square / n[0];
        let nodes = block.cell(cell).1;
        let split = &CellKind::Hexahedron8.simplices()[TETRAHEDRA * (parity % 2)..][..TETRAHEDRA];
        split.iter().map(|tet| std::array::from_fn(|i| nodes[tet[i]]))
    };
    let n_hexahedra = n[0] * n[1] * n[2];
    let bulk: Vec<[usize; 4]> = (0..n_hexahedra).flat_map(tets_of).collect();

    let facets = block.blocks.iter().find(|b| b.kind == CellKind::Quad4).map_or(&[][..], |b| &b.nodes);
    let mut owners: Vec<(Vec<usize>, usize)> =
        block.boundary().into_iter().map(|f| (sorted(&f.nodes), f.cell)).collect();
    owners.sort_unstable();
    let mut triangles: Vec<usize> = Vec::with_capacity(6 * facets.len() / 4);
    for quad in facets.chunks_exact(4) {
        let key = sorted(quad);
        let Ok(i) = owners.binary_search_by(|owner| owner.0.cmp(&key)) else { continue };
        for tet in tets_of(owners[i].1) {
            for local in CellKind::Tetrahedron4.facets() {
                let face = local.nodes.iter().map(|&l| tet[l]);
                if face.clone().all(|node| quad.contains(&node)) {
                    triangles.extend(face);
                }
            }
        }
    }
    // every cell of dimension 3 has become five, every one of dimension 2 two
    let n_facets = facets.len() / 4;
    let renumber = |cell: usize| {
        let (tets, faces) = (TETRAHEDRA * n_hexahedra, 2 * n_facets);
        if cell < n_hexahedra {
            TETRAHEDRA * cell..TETRAHEDRA * (cell + 1)
        } else if cell < n_hexahedra + n_facets {
            let first = tets + 2 * (cell - n_hexahedra);
            first..first + 2
        } else {
            let first = tets + faces + cell - n_hexahedra - n_facets;
            first..first + 1
        }
    };
    let groups =
        block.groups.iter().map(|g| Group { cells: g.cells.iter().copied().flat_map(renumber).collect(), ..g.clone() });
    let mut blocks = vec![
        CellBlock { kind: CellKind::Tetrahedron4, nodes: bulk.into_iter().flatten().collect() },
        CellBlock { kind: CellKind::Triangle3, nodes: triangles },
    ];
    blocks.extend(block.blocks.iter().filter(|b| b.kind.dim() < 2).cloned());
    Mesh { points: block.points.clone(), blocks, groups: groups.collect() }
}

fn sorted(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [(CellKind, usize); 3] =
        [(CellKind::Hexahedron8, 1), (CellKind::Prism6, 2), (CellKind::Tetrahedron4, 5)];
    const FACES: [(&str, [f64; 3]); 6] = [
        ("left", [-1.0, 0.0, 0.0]),
        ("right", [1.0, 0.0, 0.0]),
        ("bottom", [0.0, -1.0, 0.0]),
        ("top", [0.0, 1.0, 0.0]),
        ("front", [0.0, 0.0, -1.0]),
        ("back", [0.0, 0.0, 1.0]),
    ];

    #[test]
    fn faces_edges_and_corners_are_where_they_are_called() {
        let (corner, size) = ([-1.0, 2.0, 0.5], [4.0, 0.5, 3.0]);
        for (kind, _) in KINDS {
            let mesh = block(corner, size, [2, 3, 4], kind, 1).unwrap();
            mesh.validate().unwrap();
            let side = |name: &str| FACES.iter().find(|f| f.0 == name).unwrap().1;
            let mut checked = 0;
            for group in mesh.groups.iter().filter(|g| g.dim < 3 && g.name != "boundary") {
                let names: Vec<&str> = group.name.split('_').collect();
                assert_eq!(names.len() + group.dim, 3, "{kind} {}", group.name);
                for node in mesh.group_nodes(group) {
                    for name in &names {
                        let (axis, sign) = (0..3).map(|d| (d, side(name)[d])).find(|(_, s)| s.abs() > 0.5).unwrap();
                        let exact = corner[axis] + if sign > 0.0 { size[axis] } else { 0.0 };
                        assert!((mesh.points[node][axis] - exact).abs() < 1e-15, "{kind} {}", group.name);
                    }
                }
                checked += 1;
            }
            assert_eq!(checked, 6 + 12 + 8, "{kind}");
        }
    }

    /// With even counts no tetrahedron has three facets on the boundary: held on three sides it could not move.
    #[test]
    fn no_tetrahedron_fills_a_corner() {
        let mesh = block([0.0; 3], [1.0; 3], [2, 4, 2], CellKind::Tetrahedron4, 1).unwrap();
        let mut count = vec![0; mesh.bulk_cells().count()];
        for facet in mesh.boundary() {
            count[facet.cell] += 1;
        }
        assert!(count.iter().all(|&n| n < 3));
        let odd = block([0.0; 3], [1.0; 3], [3, 3, 3], CellKind::Tetrahedron4, 1).unwrap();
        odd.validate().unwrap();
    }

    #[test]
    fn bad_parameters_are_named() {
        let o = [0.0; 3];
        let one = [1.0; 3];
        let h = CellKind::Hexahedron8;
        for (result, words) in [
            (block([0.0, 0.0, f64::NAN], one, [1; 3], h, 1), "block: corner = [0.0, 0.0, NaN], must be finite"),
            (block(o, [1.0, 1.0, -2.0], [1; 3], h, 1), "size[2] = -2.0"),
            (block(o, one, [1, 0, 1], h, 1), "cells[1] = 0"),
            (block(o, one, [1; 3], h, 0), "refine = 0"),
            (block(o, one, [1000; 3], h, 1), "number of cells = 1000000000"),
            (block(o, one, [1; 3], CellKind::Quad4, 1), "kind = Quad4, must be Hexahedron8, Prism6 or Tetrahedron4"),
            (block([0.0, 0.0, 1e20], one, [1; 3], h, 1), "z = [1e20, 1e20]"),
        ] {
            let text = result.unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn counts_volume_and_boundary(n in proptest::array::uniform3(1..5_usize), refine in 1..3_usize,
                                      size in proptest::array::uniform3(0.1..10.0_f64), which in 0..3_usize) {
            let (kind, per_cell) = KINDS[which];
            let mesh = block([-3.0, 7.0, 1.0], size, n, kind, refine).unwrap();
            mesh.validate().unwrap();
            let n = n.map(|k| k * refine);
            prop_assert_eq!(mesh.n_points(), n.iter().map(|k| k + 1).product::<usize>());
            prop_assert_eq!(mesh.bulk_cells().count(), n.iter().product::<usize>() * per_cell);
            // Coordinates of up to 20 carry 4e-15; relative to the smallest size 0.1.
            prop_assert!((mesh.total_measure() / size.iter().product::<f64>() - 1.0).abs() < 1e-12);
            let mut all = 0;
            for (name, normal) in FACES {
                let facets = mesh.group_facets(name).unwrap();
                all += facets.len();
                let mut area = 0.0;
                for facet in &facets {
                    let found = mesh.facet_normal(facet);
                    prop_assert!((0..3).all(|d| (found[d] - normal[d]).abs() < 1e-12), "{}: {:?}", name, found);
                    area += mesh.facet_measure(facet);
                }
                let exact: f64 = (0..3).filter(|&d| normal[d].abs() < 0.5).map(|d| size[d]).product();
                prop_assert!((area / exact - 1.0).abs() < 1e-12);
            }
            prop_assert_eq!(mesh.boundary().len(), all);
            prop_assert_eq!(mesh.group_facets("boundary").unwrap().len(), all);
        }
    }
}
