//! How thick a body is, and how many cells lie over its thickness, wherever two sides of it are opposite.
//!
//! From the middle of every boundary facet a ray goes inward, along the normal, from cell to cell until it leaves the body through
//! a facet that is about opposite. With the way t it went and the extents e of the cells it crossed, along itself,
//!
//! ```text
//! layers = t / mean e          quadrilaterals, hexahedra: how many were crossed; triangles, tetrahedra: layers of blocks
//! ```
//!
//! Facets beside each other whose rays arrived form a *sheet*: a wall, a plate, one side of a beam. Figures of a sheet are medians.

use delassus_mesh::{CellKind, Facet, Mesh};

use super::scales::{distance, longest_extent};

/// Cells that a ray crosses at most: beyond, nothing is thin.
const MOST_CELLS: usize = 24;

/// Cosine of the angle that opposite facets, and facets of one sheet, may make.
const ALIGNED: f64 = 0.7;

/// A part of the boundary with another opposite.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sheet {
    /// From one side to the other \[m\].
    pub thickness: f64,
    /// Layers of cells over the thickness.
    pub layers: f64,
    /// Largest extent of the sheet \[m\].
    pub length: f64,
    /// Area over length; nothing in the plane \[m\].
    pub width: Option<f64>,
    /// Extent of a cell along the length \[m\].
    pub cell_length: f64,
    /// A cell of the sheet.
    pub cell: usize,
    /// Kind of the facet that this cell has in it.
    pub facet: CellKind,
}

impl Sheet {
    /// Length over thickness.
    pub fn slenderness(&self) -> f64 {
        self.length / self.thickness
    }
}

/// A ray that arrived.
struct Ray<const D: usize> {
    facet: Facet,
    normal: [f64; D],
    thickness: f64,
    layers: f64,
}

/// The sheets of a mesh, in the order of its boundary. `is_held` tells of a facet whether supports keep it from moving along its
/// normal: what is held on one side cannot bend.
pub(super) fn sheets<const D: usize>(mesh: &Mesh<D>, is_held: &dyn Fn(&Facet, &[f64; D]) -> bool) -> Vec<Sheet> {
    let neighbours = mesh.cells_across();
    let rays: Vec<Ray<D>> = mesh.boundary().into_iter().filter_map(|f| ray(mesh, &neighbours, f, is_held)).collect();
    connected(&rays).iter().filter_map(|members| sheet(mesh, &rays, members)).collect()
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Extent of a cell along a direction \[m\].
fn extent<const D: usize>(mesh: &Mesh<D>, nodes: &[usize], along: &[f64; D]) -> f64 {
    let places = nodes.iter().map(|&n| dot(&mesh.points[n], along));
    let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    high - low
}

/// The facet of a cell with a local number.
fn facet_of<const D: usize>(mesh: &Mesh<D>, cell: usize, local: usize) -> Facet {
    let (kind, nodes) = mesh.cell(cell);
    let local = kind.facets()[local];
    Facet { kind: local.kind, nodes: local.nodes.iter().map(|&l| nodes[l]).collect(), cell }
}

fn ray<const D: usize>(
    mesh: &Mesh<D>,
    neighbours: &[Vec<Option<usize>>],
    facet: Facet,
    is_held: &dyn Fn(&Facet, &[f64; D]) -> bool,
) -> Option<Ray<D>> {
    let (from, normal) = (mesh.facet_centre(&facet), mesh.facet_normal(&facet));
    if is_held(&facet, &normal) {
        return None;
    }
    let along = normal.map(|n| -n);
    let (mut place, mut cell, mut extents) = (from, facet.cell, Vec::new());
    while extents.len() < MOST_CELLS {
        extents.push(extent(mesh, mesh.cell(cell).1, &along));
        // Facets are planes here: the first one that the ray meets from inside is where it leaves the cell.
        let exit = (0..neighbours[cell].len()).filter_map(|local| {
            let other = facet_of(mesh, cell, local);
            let n = mesh.facet_normal(&other);
            let steep = dot(&along, &n);
            let centre = mesh.facet_centre(&other);
            let way: f64 = (0..D).map(|i| (centre[i] - place[i]) * n[i]).sum::<f64>() / steep;
            (steep > 1e-9).then_some((way.max(0.0), local, steep))
        });
        let (way, local, steep) = exit.min_by(|a, b| a.0.total_cmp(&b.0))?;
        place = std::array::from_fn(|i| place[i] + way * along[i]);
        match neighbours[cell][local] {
            Some(next) => cell = next,
            None => {
                let thickness = distance(&from, &place);
                let mean = extents.iter().sum::<f64>() / extents.len() as f64;
                let arrived = steep > ALIGNED && thickness > 0.0 && mean > 0.0;
                let arrived = arrived && !is_held(&facet_of(mesh, cell, local), &along);
                return arrived.then(|| Ray { facet, normal, thickness, layers: thickness / mean });
            }
        }
    }
    None
}

/// Rays whose facets hang together, at about one angle.
fn connected<const D: usize>(rays: &[Ray<D>]) -> Vec<Vec<usize>> {
    let mut at_node: Vec<(usize, usize)> =
        rays.iter().enumerate().flat_map(|(i, r)| r.facet.nodes.iter().map(move |&n| (n, i))).collect();
    at_node.sort_unstable();
    let mut group: Vec<Option<usize>> = vec![None; rays.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for first in 0..rays.len() {
        if group[first].is_some() {
            continue;
        }
        let (number, mut members, mut next) = (groups.len(), vec![first], 0);
        group[first] = Some(number);
        while let Some(&i) = members.get(next) {
            next += 1;
            for &node in &rays[i].facet.nodes {
                let start = at_node.partition_point(|&(n, _)| n < node);
                for &(_, j) in at_node[start..].iter().take_while(|(n, _)| *n == node) {
                    if group[j].is_none() && dot(&rays[i].normal, &rays[j].normal) > ALIGNED {
                        group[j] = Some(number);
                        members.push(j);
                    }
                }
            }
        }
        groups.push(members);
    }
    groups
}

fn sheet<const D: usize>(mesh: &Mesh<D>, rays: &[Ray<D>], members: &[usize]) -> Option<Sheet> {
    let mut nodes: Vec<usize> = members.iter().flat_map(|&i| rays[i].facet.nodes.iter().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let points: Vec<[f64; D]> = nodes.iter().map(|&n| mesh.points[n]).collect();
    let (axis, length) = longest_extent(&points)?;
    let axis: [f64; D] = axis.into();
    let along = |i: &usize| {
        let Ray { facet, normal, .. } = &rays[*i];
        if D == 2 {
            return mesh.facet_measure(facet);
        }
        // The axis within the facet; where it is about normal to it the sheet turns, and any direction will do.
        let part = dot(&axis, normal);
        let within: [f64; D] = std::array::from_fn(|k| axis[k] - part * normal[k]);
        let size = dot(&within, &within).sqrt();
        if size > 0.3 {
            extent(mesh, &facet.nodes, &within.map(|x| x / size))
        } else {
            mesh.facet_measure(facet).sqrt()
        }
    };
    let area: f64 = members.iter().map(|&i| mesh.facet_measure(&rays[i].facet)).sum();
    Some(Sheet {
        thickness: median(members.iter().map(|&i| rays[i].thickness))?,
        layers: median(members.iter().map(|&i| rays[i].layers))?,
        length,
        width: (D == 3).then_some(area / length),
        cell_length: median(members.iter().map(along))?,
        cell: rays[*members.first()?].facet.cell,
        facet: rays[*members.first()?].facet.kind,
    })
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use delassus_mesh::generate;

    use super::*;

    fn largest<const D: usize>(mesh: &Mesh<D>) -> Sheet {
        let all = sheets(mesh, &|_, _| false);
        all.into_iter().max_by(|a, b| a.length.total_cmp(&b.length)).unwrap()
    }

    /// Thickness, layers, length and length of a cell of a strip 1 m × 0.1 m, whatever its cells and however it lies.
    #[test]
    fn a_strip() {
        for (kind, cells) in [(CellKind::Quad4, [20, 2]), (CellKind::Triangle3, [20, 2]), (CellKind::Quad4, [7, 1])] {
            let mut mesh = generate::rectangle([0.0, 0.0], [1.0, 0.1], cells, kind, 1).unwrap();
            let (sin, cos) = 0.6_f64.sin_cos();
            mesh.points.iter_mut().for_each(|p| *p = [cos * p[0] - sin * p[1], sin * p[0] + cos * p[1]]);
            let s = largest(&mesh);
            assert!((s.thickness - 0.1).abs() < 1e-12 && (s.length - 1.0).abs() < 1e-9, "{kind:?} {s:?}");
            assert!((s.layers - cells[1] as f64).abs() < 1e-9, "{kind:?} {s:?}");
            assert!((s.cell_length - 1.0 / cells[0] as f64).abs() < 1e-12, "{kind:?} {s:?}");
        }
    }

    /// The same in space, of every kind of cell; the width is that of the side.
    #[test]
    fn a_bar_in_space() {
        for kind in [CellKind::Hexahedron8, CellKind::Tetrahedron4, CellKind::Prism6] {
            let mesh = generate::block([0.0; 3], [1.0, 0.1, 0.2], [10, 2, 2], kind, 1).unwrap();
            let s = largest(&mesh);
            let is_y = (s.thickness - 0.1).abs() < 1e-12;
            assert!(is_y || (s.thickness - 0.2).abs() < 1e-12, "{kind:?} {s:?}");
            assert!((s.layers - 2.0).abs() < 0.01 && (s.cell_length - 0.1).abs() < 1e-9, "{kind:?} {s:?}");
        }
    }

    /// A ring is one sheet outside and one inside.
    #[test]
    fn a_ring() {
        let mesh = generate::annulus([0.0, 0.0], 0.9, 1.0, 1, 40, 1).unwrap();
        let s = largest(&mesh);
        assert!((s.layers - 1.0).abs() < 0.01 && (s.thickness / 0.1 - 1.0).abs() < 0.01, "{s:?}");
        assert!((s.length - 2.0).abs() < 0.01, "{s:?}");
    }

    /// A thick block has no sheet when it has more cells than a ray crosses, nor a side that is held.
    #[test]
    fn no_sheet() {
        let mesh = generate::rectangle([0.0, 0.0], [1.0, 1.0], [30, 30], CellKind::Quad4, 1).unwrap();
        assert!(sheets(&mesh, &|_, _| false).is_empty());
        let strip = generate::rectangle([0.0, 0.0], [1.0, 0.1], [30, 1], CellKind::Quad4, 1).unwrap();
        assert!(sheets(&strip, &|_, normal| normal[1] < -0.5).is_empty());
    }
}
