//! Sets and surfaces: from numbers, ranges and names of the file to groups of cells.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::parts::{MeshPart, Parts};
use super::{Names, facet};
use crate::draft::{Draft, DraftGroup};
use crate::{CellKind, MeshError};

/// What a set is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SetKind {
    Nodes,
    Elements,
}

impl SetKind {
    fn noun(self) -> &'static str {
        match self {
            SetKind::Nodes => "node set",
            SetKind::Elements => "element set",
        }
    }
}

/// One `*NSET` or `*ELSET`, or the set a block of nodes or elements is put into.
#[derive(Debug)]
pub(super) struct SetBlock {
    kind: SetKind,
    name: u32,
    /// Part in which the name stands; 0 outside.
    home: usize,
    /// Part whose numbers it has.
    of: usize,
    /// Line of its keyword.
    line: usize,
    pub(super) tags: Vec<u64>,
    /// First, last, step.
    pub(super) ranges: Vec<[u64; 3]>,
    /// Names of other sets.
    pub(super) sets: Vec<u32>,
    /// Nodes or elements of the part, in the order of the file.
    pub(super) places: Range<usize>,
}

impl SetBlock {
    pub(super) fn new(kind: SetKind, name: u32, home: usize, of: usize, line: usize) -> Self {
        Self { kind, name, home, of, line, tags: Vec::new(), ranges: Vec::new(), sets: Vec::new(), places: 0..0 }
    }
}

/// A face of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementFace {
    /// `S1` … `S6`, from 0.
    Number(u8),
    /// `SPOS`, `SNEG`: the element itself.
    Whole,
    /// No label: the faces on the boundary.
    Free,
}

impl ElementFace {
    /// The face of a label, in letters of either case.
    pub(super) fn parse(label: &[u8]) -> Option<ElementFace> {
        match label.to_ascii_uppercase().as_slice() {
            b"SPOS" | b"SNEG" => Some(ElementFace::Whole),
            [b'S', digit @ b'1'..=b'6'] => Some(ElementFace::Number(digit - b'1')),
            _ => None,
        }
    }
}

/// A line of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) enum SurfaceLine {
    /// Number of an element (or of a node).
    Element(u64, ElementFace),
    /// Name of a set.
    Set(u32, ElementFace),
}

/// One `*SURFACE`.
#[derive(Debug)]
pub(super) struct SurfaceBlock {
    pub(super) name: u32,
    pub(super) home: usize,
    pub(super) of: usize,
    pub(super) of_nodes: bool,
    pub(super) lines: Vec<SurfaceLine>,
    pub(super) line: usize,
}

/// Sets under (kind, part of the name, name), with places in the draft.
type Sets = BTreeMap<(SetKind, usize, u32), Vec<u32>>;

/// Turns sets and surfaces into cells and groups.
pub(super) fn fill(
    draft: &mut Draft,
    parts: &Parts,
    names: &Names,
    blocks: &[SetBlock],
    surfaces: &[SurfaceBlock],
    length: usize,
) -> Result<(), MeshError> {
    let mut maker = Maker { parts, names, sets: Sets::new(), left: length.saturating_add(1000) };
    for block in blocks {
        maker.resolve(block)?;
    }
    let starts = draft.starts();
    // (name, home) of every surface; one that is given in several places grows.
    let mut facets: BTreeMap<(u32, usize), Vec<(usize, u32)>> = BTreeMap::new();
    let mut points: BTreeMap<(u32, usize), Vec<u32>> = BTreeMap::new();
    for surface in surfaces {
        if surface.of_nodes {
            let nodes = maker.surface_nodes(surface)?;
            points.entry((surface.name, surface.home)).or_default().extend(nodes);
        } else {
            let cells = maker.surface_facets(draft, &starts, surface)?;
            facets.entry((surface.name, surface.home)).or_default().extend(cells);
        }
    }
    let Maker { sets, .. } = maker;
    // Nodes of sets as cells, each once.
    let mut point_cells: BTreeMap<u32, u32> = BTreeMap::new();
    let is_nodes = |(kind, ..): &(SetKind, usize, u32)| *kind == SetKind::Nodes;
    let in_sets = sets.iter().filter(|(key, _)| is_nodes(key)).flat_map(|(_, nodes)| nodes);
    let used: BTreeSet<u32> = in_sets.chain(points.values().flatten()).copied().collect();
    for node in used {
        let cell = draft.push_cell(CellKind::Point, std::iter::once(node));
        point_cells.insert(node, cell);
    }
    let as_cells = |nodes: &[u32]| nodes.iter().filter_map(|node| point_cells.get(node).copied()).collect::<Vec<_>>();
    let mut raw: Vec<RawGroup> = Vec::new();
    for ((name, home), list) in facets {
        for dim in 0..=3 {
            let cells: Vec<u32> = list.iter().filter(|(d, _)| *d == dim).map(|(_, cell)| *cell).collect();
            if !cells.is_empty() {
                raw.push(RawGroup { rank: 0, name, home, dim, cells });
            }
        }
    }
    raw.extend(points.into_iter().map(|((name, home), nodes)| RawGroup {
        rank: 0,
        name,
        home,
        dim: 0,
        cells: as_cells(&nodes),
    }));
    for ((kind, home, name), list) in sets {
        if kind == SetKind::Nodes {
            raw.push(RawGroup { rank: 1, name, home, dim: 0, cells: as_cells(&list) });
            continue;
        }
        for dim in 0..=3 {
            let cells: Vec<u32> =
                list.iter().copied().filter(|&cell| draft.kinds[cell as usize].dim() == dim).collect();
            if !cells.is_empty() {
                raw.push(RawGroup { rank: 2, name, home, dim, cells });
            }
        }
    }
    draft.groups = named(raw, parts, names);
    Ok(())
}

/// A group before its name is settled.
struct RawGroup {
    /// Surfaces 0, node sets 1, element sets 2: who keeps a name that several have.
    rank: u8,
    name: u32,
    home: usize,
    dim: usize,
    cells: Vec<u32>,
}

/// Gives every group its name: see the module's page.
fn named(raw: Vec<RawGroup>, parts: &Parts, names: &Names) -> Vec<DraftGroup> {
    let mut homes: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    let mut lowest: BTreeMap<(u32, usize), u8> = BTreeMap::new();
    for group in &raw {
        homes.entry(group.name).or_default().insert(group.home);
        let rank = lowest.entry((group.name, group.home)).or_insert(group.rank);
        *rank = group.rank.min(*rank);
    }
    let mut numbers = [0; 4];
    raw.into_iter()
        .map(|group| {
            let shared = homes.get(&group.name).is_some_and(|homes| homes.len() > 1);
            let mut name = names.text(group.name).to_owned();
            if shared && group.home > 0 {
                name = format!("{}.{name}", parts.name(group.home));
            }
            if lowest.get(&(group.name, group.home)).is_some_and(|lowest| *lowest < group.rank) {
                name.push_str(if group.rank == 1 { ".nodes" } else { ".elements" });
            }
            numbers[group.dim] += 1;
            DraftGroup { name, tag: numbers[group.dim], dim: group.dim, cells: group.cells }
        })
        .collect()
}

struct Maker<'a> {
    parts: &'a Parts,
    names: &'a Names,
    sets: Sets,
    /// Members that sets and surfaces may still have.
    left: usize,
}

impl Maker<'_> {
    fn spend(&mut self, members: usize) -> Result<(), MeshError> {
        self.left = self.left.checked_sub(members).ok_or(MeshError::SetsTooLarge)?;
        Ok(())
    }

    fn part(&self, i: usize) -> Result<&MeshPart, MeshError> {
        self.parts.get(i).ok_or_else(|| MeshError::Inconsistent { what: format!("part {i} is not there") })
    }

    /// Adds the members of a block to its set.
    fn resolve(&mut self, block: &SetBlock) -> Result<(), MeshError> {
        let nodes = block.kind == SetKind::Nodes;
        let mut found: Vec<u32> = Vec::new();
        self.spend(block.tags.len() + block.places.len())?;
        for &tag in &block.tags {
            found.push(self.member(block.kind, block.of, tag, block.line)?);
        }
        for &[first, last, step] in &block.ranges {
            let visited = self.part(block.of)?.between(nodes, first, last).count();
            self.spend(visited)?;
            let part = self.part(block.of)?;
            found.extend(part.between(nodes, first, last).filter(|(tag, _)| (tag - first) % step == 0).map(|(_, i)| i));
        }
        for &name in &block.sets {
            let size = self.set(block.kind, block.home, block.of, name, block.line)?.len();
            self.spend(size)?;
            found.extend_from_slice(self.set(block.kind, block.home, block.of, name, block.line)?);
        }
        if let Some(part) = self.parts.get(block.of) {
            // A part without an instance has no nodes left.
            let n = if nodes { part.points.len() } else { part.kinds.len() };
            found.extend(block.places.clone().filter(|&i| i < n).map(|i| part.place_of(nodes, i)));
        }
        self.sets.entry((block.kind, block.home, block.name)).or_default().extend(found);
        Ok(())
    }

    /// Place of a node or element of a part.
    fn member(&self, kind: SetKind, of: usize, tag: u64, line: usize) -> Result<u32, MeshError> {
        let part = self.part(of)?;
        let (found, what) = match kind {
            SetKind::Nodes => (part.node(tag), "node"),
            SetKind::Elements => (part.element(tag), "element"),
        };
        found.ok_or_else(|| MeshError::UnknownSet { what, name: tag.to_string(), line })
    }

    /// A set by the name by which a line of `home`, about the numbers of `of`, calls it.
    fn set(&self, kind: SetKind, home: usize, of: usize, name: u32, line: usize) -> Result<&[u32], MeshError> {
        let at = |part: usize, name: u32| self.sets.get(&(kind, part, name));
        let dotted = || {
            let (instance, set) = self.names.text(name).split_once('.')?;
            at(self.parts.instance(instance)?, self.names.find(set)?)
        };
        let found = at(of, name).or_else(|| at(home, name)).or_else(dotted);
        found.map(Vec::as_slice).ok_or_else(|| MeshError::UnknownSet {
            what: kind.noun(),
            name: delassus_error::excerpt(self.names.text(name)),
            line,
        })
    }

    fn surface_nodes(&mut self, surface: &SurfaceBlock) -> Result<Vec<u32>, MeshError> {
        let mut found = Vec::new();
        for line in &surface.lines {
            match *line {
                SurfaceLine::Element(tag, _) => {
                    self.spend(1)?;
                    found.push(self.member(SetKind::Nodes, surface.of, tag, surface.line)?);
                }
                SurfaceLine::Set(name, _) => {
                    let size = self.set(SetKind::Nodes, surface.home, surface.of, name, surface.line)?.len();
                    self.spend(size)?;
                    found.extend_from_slice(self.set(SetKind::Nodes, surface.home, surface.of, name, surface.line)?);
                }
            }
        }
        Ok(found)
    }

    /// The facets of a surface as cells of the draft: dimension and place.
    fn surface_facets(
        &mut self,
        draft: &mut Draft,
        starts: &[usize],
        surface: &SurfaceBlock,
    ) -> Result<Vec<(usize, u32)>, MeshError> {
        let mut found = Vec::new();
        for line in &surface.lines {
            let (elements, face) = match *line {
                SurfaceLine::Element(tag, face) => {
                    (vec![self.member(SetKind::Elements, surface.of, tag, surface.line)?], face)
                }
                SurfaceLine::Set(name, face) => {
                    let set = self.set(SetKind::Elements, surface.home, surface.of, name, surface.line)?;
                    let size = set.len();
                    // Facets have up to eight nodes.
                    if size > self.left {
                        return Err(MeshError::SetsTooLarge);
                    }
                    (set.to_vec(), face)
                }
            };
            for cell in elements {
                let kind = draft.kinds[cell as usize];
                let k = match face {
                    // A group of cells: its facets are those on the boundary.
                    ElementFace::Free | ElementFace::Whole => {
                        self.spend(1)?;
                        found.push((kind.dim(), cell));
                        continue;
                    }
                    ElementFace::Number(k) => usize::from(k),
                };
                let Some(local) = facet(kind, k) else {
                    let element = draft.cell_tags.get(cell as usize).copied().unwrap_or(0);
                    let faces = kind.facets().len();
                    return Err(MeshError::UnknownFace { element, kind, face: k + 1, faces, line: surface.line });
                };
                self.spend(1 + local.nodes.len())?;
                let start = starts[cell as usize];
                let nodes: Vec<u32> = local.nodes.iter().map(|&l| draft.nodes[start + l]).collect();
                let facet = draft.push_cell(local.kind, nodes.into_iter());
                found.push((local.kind.dim(), facet));
            }
        }
        Ok(found)
    }
}
