//! A mesh as a file gives it, before it is one of bodies: cells of any dimension under the file's numbers.
//!
//! Readers fill a [`Draft`]; its conversion is the same for all of them. Cells of the body's dimension are kept, lower ones
//! if they belong to a group; blocks come by falling dimension, so bulk cells are numbered first, in the order of the file;
//! clockwise cells are turned over; points of no bulk cell are dropped. The gmsh reader, whose groups are numbers, shares [`bodies`].
//!
//! Places are `u32`: a file has at most 8 GB, and a point or cell takes more than two bytes of it.

use std::collections::BTreeMap;

use crate::mesh_file::{MeshFile, SurfaceMaker, SurfaceMesh};
use crate::{CellBlock, CellKind, Group, Mesh, MeshError};

/// A D-dimensional mesh may leave its plane by this part of its size.
const FLATNESS: f64 = 1e-12;

/// What a file says, in our terms.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// Coordinates \[m\].
    pub(crate) points: Vec<[f64; 3]>,
    /// Number of each point in the file; empty where the file has none.
    pub(crate) point_tags: Vec<u64>,
    /// Kind of each cell.
    pub(crate) kinds: Vec<CellKind>,
    /// Number of each cell in the file; cells beyond them have none.
    pub(crate) cell_tags: Vec<u64>,
    /// Places of the nodes of all cells, in VTK's order.
    pub(crate) nodes: Vec<u32>,
    /// Named sets of cells of one dimension.
    pub(crate) groups: Vec<DraftGroup>,
    /// Elements without a kind of ours: name in the file, dimension and number (0 where it is not known).
    pub(crate) unsupported: BTreeMap<String, (usize, usize)>,
    /// What to look at where there are no cells of the body's dimension.
    pub(crate) no_bulk: &'static str,
}

/// A named set of cells.
#[derive(Debug)]
pub(crate) struct DraftGroup {
    pub(crate) name: String,
    pub(crate) tag: i32,
    pub(crate) dim: usize,
    /// Places of cells, in any order, perhaps repeated.
    pub(crate) cells: Vec<u32>,
}

impl Draft {
    /// Adds a cell and returns its place.
    pub(crate) fn push_cell(&mut self, kind: CellKind, nodes: impl Iterator<Item = u32>) -> u32 {
        let place = place(self.kinds.len());
        self.kinds.push(kind);
        self.nodes.extend(nodes);
        place
    }

    /// Where the nodes of each cell begin.
    pub(crate) fn starts(&self) -> Vec<usize> {
        let mut next = 0;
        self.kinds
            .iter()
            .map(|kind| {
                let start = next;
                next += kind.n_nodes();
                start
            })
            .collect()
    }

    fn cell_nodes(&self, starts: &[usize], cell: usize) -> &[u32] {
        let n = self.kinds[cell].n_nodes();
        self.nodes.get(starts[cell]..starts[cell] + n).unwrap_or(&[])
    }

    /// The mesh of D-dimensional bodies.
    ///
    /// # Errors
    /// [`MeshError::TooManyDimensions`], [`MeshError::UnsupportedElement`], [`MeshError::NoBulkCells`], [`MeshError::NotPlane`],
    /// [`MeshError::OffBody`], and what [`Mesh::validate`] says of the result.
    pub(crate) fn to_mesh<const D: usize>(&self) -> Result<Mesh<D>, MeshError> {
        self.check_kinds::<D>()?;
        let mut grouped = vec![false; self.kinds.len()];
        for &cell in self.groups.iter().flat_map(|group| &group.cells) {
            if let Some(entry) = grouped.get_mut(cell as usize) {
                *entry = true;
            }
        }
        let wanted = |&cell: &usize| self.kinds[cell].dim() == D || grouped[cell];
        let mut chosen: Vec<usize> = (0..self.kinds.len()).filter(wanted).collect();
        // Stable: the order of the file remains within a kind.
        chosen.sort_by_key(|&cell| (std::cmp::Reverse(self.kinds[cell].dim()), self.kinds[cell]));
        if chosen.first().is_none_or(|&cell| self.kinds[cell].dim() != D) {
            return Err(MeshError::NoBulkCells { dim: D, hint: self.no_bulk });
        }
        let starts = self.starts();
        let mut blocks: Vec<CellBlock> = Vec::new();
        for &cell in &chosen {
            let kind = self.kinds[cell];
            if blocks.last().is_none_or(|block| block.kind != kind) {
                blocks.push(CellBlock { kind, nodes: Vec::new() });
            }
            if let Some(block) = blocks.last_mut() {
                block.nodes.extend(self.cell_nodes(&starts, cell).iter().map(|&node| node as usize));
            }
        }
        let mut numbers = vec![None; self.kinds.len()];
        for (number, &cell) in chosen.iter().enumerate() {
            numbers[cell] = Some(number);
        }
        let groups = self.groups.iter().map(|group| {
            let number = |&cell: &u32| numbers.get(cell as usize).copied().flatten();
            let mut cells: Vec<usize> = group.cells.iter().filter_map(number).collect();
            cells.sort_unstable();
            cells.dedup();
            Group { name: group.name.clone(), tag: group.tag, dim: group.dim, cells }
        });
        let point_tag = |place: usize| self.point_tags.get(place).copied().unwrap_or(place as u64);
        let groups = groups.collect();
        bodies(&Points { n: self.points.len(), at: |i| self.points[i], tag: point_tag }, blocks, groups, |number| {
            chosen.get(number).and_then(|&cell| self.cell_tags.get(cell)).copied()
        })
    }

    /// Every cell has a kind we know and no more dimensions than the body.
    fn check_kinds<const D: usize>(&self) -> Result<(), MeshError> {
        let known = self.kinds.iter().copied().max_by_key(|kind| kind.dim());
        let foreign = self.unsupported.iter().max_by_key(|(_, (dim, _))| *dim);
        let highest = known.map_or(0, CellKind::dim).max(foreign.map_or(0, |(_, (dim, _))| *dim));
        if highest > D {
            let (element, count) = match (known, foreign) {
                (Some(kind), _) if kind.dim() == highest => {
                    (kind.to_string(), self.kinds.iter().filter(|other| **other == kind).count())
                }
                (_, Some((name, (_, count)))) => (name.clone(), *count),
                _ => (String::new(), 0),
            };
            return Err(MeshError::TooManyDimensions { mesh_dim: highest, count, element, dim: D });
        }
        self.check_supported(D)
    }

    /// Every element is of a kind we know.
    fn check_supported(&self, dim: usize) -> Result<(), MeshError> {
        if self.unsupported.is_empty() {
            return Ok(());
        }
        let verb = if self.unsupported.len() == 1 { "is" } else { "are" };
        let found: Vec<String> =
            self.unsupported.iter().take(10).map(|(name, (_, count))| counted(*count, name)).collect();
        Err(MeshError::UnsupportedElement {
            found: format!("{} {verb}", found.join(", ")),
            supported: supported(dim),
            hint: "",
        })
    }

    /// The linear facets of a group of dimension 2, or all of dimension 2.
    ///
    /// # Errors
    /// As [`Mesh::group`]; [`MeshError::NotASurface`] for a group of another dimension, [`MeshError::UnsupportedElement`] for facets
    /// that are not linear, [`MeshError::NoBulkCells`] for a file without facets.
    pub(crate) fn to_surface(&self, group: Option<&str>) -> Result<SurfaceMesh, MeshError> {
        let cells: Vec<usize> = match group {
            Some(name) => {
                self.check_supported(3)?;
                // A mesh of groups only, to be asked for one of them.
                let listed = |group: &DraftGroup| Group {
                    name: group.name.clone(),
                    tag: group.tag,
                    dim: group.dim,
                    cells: group.cells.iter().map(|&cell| cell as usize).collect(),
                };
                let groups = self.groups.iter().map(listed).collect();
                let mesh = Mesh::<3> { points: Vec::new(), blocks: Vec::new(), groups };
                let found = mesh.group_of_dim(name, 2)?;
                if found.dim != 2 {
                    return Err(MeshError::NotASurface { name: found.name.clone(), dim: found.dim });
                }
                found.cells.clone()
            }
            None => (0..self.kinds.len()).filter(|&cell| self.kinds[cell].dim() == 2).collect(),
        };
        if cells.is_empty() {
            return Err(MeshError::NoBulkCells {
                dim: 2,
                hint: "a rigid surface is made of triangles and quadrilaterals",
            });
        }
        let starts = self.starts();
        let mut maker = SurfaceMaker::new(self.points.len());
        for cell in cells {
            let kind = self.kinds[cell];
            if !matches!(kind, CellKind::Triangle3 | CellKind::Quad4) {
                return Err(MeshError::UnsupportedElement {
                    found: format!("cell {cell} ({kind}) is"),
                    supported: "triangles of three and quadrilaterals of four nodes on a rigid surface".to_owned(),
                    hint: "",
                });
            }
            maker.push(self.cell_nodes(&starts, cell).iter().map(|&node| node as usize), |point| self.points[point]);
        }
        Ok(maker.finish())
    }
}

impl MeshFile for Draft {
    fn plane(&self) -> Result<Mesh<2>, MeshError> {
        self.to_mesh()
    }

    fn space(&self) -> Result<Mesh<3>, MeshError> {
        self.to_mesh()
    }

    fn surface(&self, group: Option<&str>) -> Result<SurfaceMesh, MeshError> {
        self.to_surface(group)
    }
}

/// A place as it is stored; files are not that long.
pub(crate) fn place(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

/// A name with how many there are, if that is known.
fn counted(count: usize, name: &str) -> String {
    if count == 0 { name.to_owned() } else { format!("{count} × {name}") }
}

/// Every kind Delassus computes with.
fn supported(dim: usize) -> String {
    let names: Vec<&str> = CellKind::all().filter(|kind| kind.dim() <= dim).map(CellKind::name).collect();
    names.join(", ")
}

/// The points of a file: how many, where, and their numbers in the file.
pub(crate) struct Points<At, Tag> {
    pub(crate) n: usize,
    pub(crate) at: At,
    pub(crate) tag: Tag,
}

/// The mesh of bodies of blocks whose nodes are places of points of a file.
///
/// # Errors
/// [`MeshError::NotPlane`], [`MeshError::OffBody`], and what [`Mesh::validate`] says of the result.
pub(crate) fn bodies<const D: usize>(
    points: &Points<impl Fn(usize) -> [f64; 3], impl Fn(usize) -> u64>,
    blocks: Vec<CellBlock>,
    groups: Vec<Group>,
    cell_tag: impl Fn(usize) -> Option<u64>,
) -> Result<Mesh<D>, MeshError> {
    const { assert!(D >= 1 && D <= 3, "space has one, two or three dimensions") };
    check_flat::<D>(points, &blocks)?;
    let places = (0..points.n).map(|i| {
        let x = (points.at)(i);
        std::array::from_fn(|d| x[d])
    });
    let mut mesh = Mesh { points: places.collect(), blocks, groups };
    mesh.drop_orphans()?;
    mesh.orient_cells()?;
    match mesh.validate() {
        Err(MeshError::BadCell { cell, kind, centre, defect, corner, jacobian, others, .. }) => {
            let file_tag = cell_tag(cell);
            Err(MeshError::BadCell { cell, kind, file_tag, centre, defect, corner, jacobian, others })
        }
        other => other.map(|()| mesh),
    }
}

/// The coordinates beyond the D-th are the same for all points that are used.
fn check_flat<const D: usize>(
    points: &Points<impl Fn(usize) -> [f64; 3], impl Fn(usize) -> u64>,
    blocks: &[CellBlock],
) -> Result<(), MeshError> {
    let used = || blocks.iter().flat_map(|block| &block.nodes).copied();
    let Some(first) = used().next() else { return Ok(()) };
    let mut size: f64 = 0.0;
    for d in 0..D.min(3) {
        let (low, high) = used()
            .map(|i| (points.at)(i)[d])
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        size = size.max(high - low);
    }
    for (d, axis) in ['x', 'y', 'z'].into_iter().enumerate().skip(D) {
        let reference = (points.at)(first)[d];
        if let Some(i) = used().find(|&i| ((points.at)(i)[d] - reference).abs() > FLATNESS * size) {
            let (node, value) = ((points.tag)(i), (points.at)(i)[d]);
            return Err(MeshError::NotPlane { node, axis, value, reference, dim: D });
        }
    }
    Ok(())
}
