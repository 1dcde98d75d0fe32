//! Plane meshes extruded along z.

use std::ops::Range;

use super::{cells, finite, parameter, total};
use crate::{CellBlock, CellKind, Group, Mesh, MeshError};

/// A plane mesh drawn out from z = `z[0]` to `z[1]` in `layers` equal layers: quadrilaterals become hexahedra, triangles
/// prisms, named curves surfaces and named points edges of the same name.
///
/// More groups: the surfaces `front` (at `z[0]`) and `back` (at `z[1]`), which also join a group called `boundary`; for
/// every other curve `c` its copies `c_front` and `c_back` (edges), for every point `p` its copies `p_front` and `p_back`
/// (points). Points are numbered layer by layer as in the plane mesh.
///
/// # Errors
/// [`MeshError::Parameter`] for the numbers, and for a mesh of other than linear cells; what [`Mesh::validate`] says of
/// the plane mesh.
pub fn extrude(plane: &Mesh<2>, z: [f64; 2], layers: usize) -> Result<Mesh<3>, MeshError> {
    const SHAPE: &str = "extrude";
    finite(SHAPE, "z", z)?;
    if z[0] >= z[1] {
        return parameter(SHAPE, "z", z, "ascending");
    }
    let layers = cells(SHAPE, "layers", layers, 1, 1)?;
    total(SHAPE, plane.n_cells().saturating_mul(layers))?;
    plane.validate()?;
    if let Some(block) = plane.blocks.iter().find(|block| !block.kind.is_linear()) {
        return parameter(SHAPE, "kind", block.kind, "a linear cell");
    }

    let n = plane.n_points();
    let mut points = Vec::with_capacity(n * (layers + 1));
    for layer in 0..=layers {
        // Weighted mean, so that both ends are met exactly.
        let s = layer as f64 / layers as f64;
        let height = (1.0 - s) * z[0] + s * z[1];
        points.extend(plane.points.iter().map(|x| [x[0], x[1], height]));
    }

    let mut made = Made { n, layers, blocks: Vec::new(), n_cells: 0 };
    // By falling dimension: volumes, surfaces (sides, then the ends), edges, points. Per plane cell the cells made of it.
    let volumes = made.draw_out(plane, 2);
    let sides = made.draw_out(plane, 1);
    let ends = made.copy_ends(plane, 2);
    let edges = made.draw_out(plane, 0);
    let edge_ends = made.copy_ends(plane, 1);
    let vertices = made.copy_ends(plane, 0);

    let mut named: Vec<(String, usize, Vec<usize>)> = Vec::new();
    let of_groups = |dim: usize| plane.groups.iter().filter(move |group| group.dim == dim);
    let all = |ranges: &[Option<Range<usize>>], list: &[usize]| -> Vec<usize> {
        list.iter().filter_map(|&cell| ranges[cell].clone()).flatten().collect()
    };
    let end = |ranges: &[Option<Range<usize>>], list: &[usize], back: usize| -> Vec<usize> {
        list.iter().filter_map(|&cell| ranges[cell].as_ref().map(|range| range.start + back)).collect()
    };
    let bulk: Vec<usize> = plane.bulk_cells().map(|(cell, ..)| cell).collect();
    for group in of_groups(2) {
        named.push((group.name.clone(), 3, all(&volumes, &group.cells)));
    }
    for group in of_groups(1) {
        let mut list = all(&sides, &group.cells);
        if group.name == "boundary" {
            list.extend(all(&ends, &bulk));
        }
        named.push((group.name.clone(), 2, list));
    }
    named.push(("front".to_owned(), 2, end(&ends, &bulk, 0)));
    named.push(("back".to_owned(), 2, end(&ends, &bulk, 1)));
    for group in of_groups(0) {
        named.push((group.name.clone(), 1, all(&edges, &group.cells)));
    }
    for (dim, ranges) in [(1, &edge_ends), (0, &vertices)] {
        for group in of_groups(dim).filter(|group| group.name != "boundary") {
            for (back, side) in ["front", "back"].into_iter().enumerate() {
                named.push((format!("{}_{side}", group.name), dim, end(ranges, &group.cells, back)));
            }
        }
    }
    let groups = (1..)
        .zip(named)
        .map(|(tag, (name, dim, mut cells))| {
            cells.sort_unstable();
            Group { name, tag, dim, cells }
        })
        .collect();
    let mesh = Mesh { points, blocks: made.blocks, groups };
    mesh.check_cells()?;
    Ok(mesh)
}

/// The cells made so far.
struct Made {
    /// Points of a layer.
    n: usize,
    layers: usize,
    blocks: Vec<CellBlock>,
    n_cells: usize,
}

impl Made {
    /// Draws the cells of dimension `dim` out; the run of cells made of each plane cell.
    fn draw_out(&mut self, plane: &Mesh<2>, dim: usize) -> Vec<Option<Range<usize>>> {
        let (n, layers) = (self.n, self.layers);
        self.each(plane, dim, |kind, nodes| {
            let kind = match kind {
                CellKind::Triangle3 => CellKind::Prism6,
                CellKind::Quad4 => CellKind::Hexahedron8,
                CellKind::Segment2 => CellKind::Quad4,
                _ => CellKind::Segment2,
            };
            let mut out = Vec::with_capacity(layers * kind.n_nodes());
            for layer in 0..layers {
                let (lower, upper) = (n * layer, n * (layer + 1));
                out.extend(nodes.iter().map(|&a| lower + a));
                match kind {
                    // round the quadrilateral: a segment has the body on its left, so the outside sees this
                    // counter-clockwise
                    CellKind::Quad4 => out.extend(nodes.iter().rev().map(|&a| upper + a)),
                    _ => out.extend(nodes.iter().map(|&a| upper + a)),
                }
            }
            (kind, out)
        })
    }

    /// Copies the cells of dimension `dim` to both ends, the front one turned over; the two copies of each.
    fn copy_ends(&mut self, plane: &Mesh<2>, dim: usize) -> Vec<Option<Range<usize>>> {
        let top = self.n * self.layers;
        self.each(plane, dim, |kind, nodes| {
            let mut out: Vec<usize> = kind.flipped().iter().map(|&l| nodes[l]).collect();
            out.extend(nodes.iter().map(|&a| top + a));
            (kind, out)
        })
    }

    fn each(
        &mut self,
        plane: &Mesh<2>,
        dim: usize,
        make: impl Fn(CellKind, &[usize]) -> (CellKind, Vec<usize>),
    ) -> Vec<Option<Range<usize>>> {
        let mut runs = vec![None; plane.n_cells()];
        for (cell, kind, nodes) in plane.cells().filter(|(_, kind, _)| kind.dim() == dim) {
            let (kind, new) = make(kind, nodes);
            let count = new.len() / kind.n_nodes();
            runs[cell] = Some(self.n_cells..self.n_cells + count);
            self.n_cells += count;
            match self.blocks.last_mut() {
                Some(block) if block.kind == kind => block.nodes.extend(new),
                _ => self.blocks.push(CellBlock { kind, nodes: new }),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_cylinder_has_the_volume_of_its_polygon_and_outward_normals() {
        let disk = generate::disk([1.0, -2.0], 0.5, [4, 4], 2, 1).unwrap();
        let mesh = extrude(&disk, [-1.0, 2.0], 3).unwrap();
        mesh.validate().unwrap();
        // roundings of some hundred cells of order 0.01
        assert!((mesh.total_measure() - 3.0 * disk.total_measure()).abs() < 1e-14);
        assert_eq!(mesh.n_points(), 4 * disk.n_points());
        let facets = mesh.group_facets("boundary").unwrap();
        assert_eq!(facets.len(), mesh.boundary().len());
        for facet in &facets {
            let (n, x) = (mesh.facet_normal(facet), mesh.facet_centre(facet));
            let c = mesh.cell_centre(facet.cell);
            assert!((0..3).map(|i| n[i] * (x[i] - c[i])).sum::<f64>() > 0.0);
        }
        assert_eq!(mesh.group_nodes(mesh.group("top").unwrap()).len(), 4, "the highest point has become an edge");
        assert_eq!(mesh.group_nodes(mesh.group("top_back").unwrap()).len(), 1);
        assert_eq!(mesh.group("front").unwrap().cells.len(), disk.bulk_cells().count());
    }

    /// The facets a generated mesh stores are the facets of its cells, the same way round.
    #[test]
    fn stored_facets_are_outward_as_they_are() {
        for kind in [CellKind::Quad4, CellKind::Triangle3] {
            let plane = generate::rectangle([0.0, 0.0], [2.0, 1.0], [3, 2], kind, 1).unwrap();
            let mesh = extrude(&plane, [0.0, 1.0], 2).unwrap();
            mesh.validate().unwrap();
            for (cell, _, nodes) in mesh.cells().filter(|(_, kind, _)| kind.dim() == 2) {
                let boundary = mesh.boundary();
                let same = |f: &&crate::Facet| {
                    let mut a = f.nodes.clone();
                    let mut b = nodes.to_vec();
                    a.sort_unstable();
                    b.sort_unstable();
                    a == b
                };
                let facet = boundary.iter().find(same).unwrap();
                let stored = crate::Facet { nodes: nodes.to_vec(), ..facet.clone() };
                let (a, b) = (mesh.facet_normal(facet), mesh.facet_normal(&stored));
                assert!((0..3).all(|i| (a[i] - b[i]).abs() < 1e-15), "{kind}: facet {cell}");
            }
        }
    }

    #[test]
    fn bad_input_is_named() {
        let plane = generate::rectangle([0.0, 0.0], [1.0, 1.0], [1, 1], CellKind::Quad4, 1).unwrap();
        for (result, words) in [
            (extrude(&plane, [1.0, 1.0], 1), "z = [1.0, 1.0], must be ascending"),
            (extrude(&plane, [0.0, f64::NAN], 1), "must be finite"),
            (extrude(&plane, [0.0, 1.0], 0), "layers = 0"),
            (extrude(&plane.to_quadratic().unwrap(), [0.0, 1.0], 1), "kind = Quad8, must be a linear cell"),
        ] {
            let text = result.unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
    }
}
