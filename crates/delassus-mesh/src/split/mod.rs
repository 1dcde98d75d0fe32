//! Splitting a conforming mesh along facets inside it: cracks, and interfaces of fibres and grains.
//!
//! The cells stay as they are; where an interface passes, the cells on its two sides get nodes of their own at the same
//! places, and the two sides become groups of boundary facets, `NAME-plus` and `NAME-minus`, which can be put in contact.
//!
//! ```text
//! node     The cells around it are connected through those of their common facets that hold the node and are of no interface.
//!          The first component (with the lowest cell) keeps the node, each further one gets a copy behind the last point.
//!          One component: the node stays shared. That is the front of a crack inside the material.
//! side     Two facets that share a ridge (a node in 2D, an edge in 3D) have on the same side the cells that are connected around
//!          that ridge without crossing the interface. From facet to facet this tells the sides of a connected piece apart.
//!          A piece for which it contradicts itself (a surface that branches in three, a Möbius strip) has no two sides.
//! plus     of a named group of cells, those cells. Else, with a = Σ n A over the piece, the side that a points to when its
//!          largest component is positive: above an interface along x, right of one along y. Of a closed piece (a = 0) the
//!          inside. The numbers of cells and the direction of facets in the file do not matter.
//! ```
//!
//! Sides are found in the mesh as it is given, each interface for itself; then the nodes are doubled for all at once. So
//! interfaces may cross and end on each other, the order of their names does not matter, and one that is cut in pieces by another
//! still has one plus side.
//!
//! Groups: cells of lower dimension follow the cells they lie on. One that has come apart (a facet of the interface, a named
//! point or curve on it) is there once for every part, and its groups hold all of them. A facet whose nodes all lie
//! on the front of a crack cannot open: it stays inside, and stays in the group of the interface, which is gone otherwise.
//!
//! Cost: sorting the facets of all cells.

use std::collections::BTreeSet;

use crate::boundary::{FacetTable, Key, key};
use crate::{CellKind, Facet, Group, Mesh, MeshError};

/// Below this share of the area a sum of normals is none: a closed surface leaves the rounding of its coordinates.
const CLOSED: f64 = 1e-6;

/// A group of facets inside a mesh to split it along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Name of the group; the sides are called `name-plus` and `name-minus`.
    pub name: String,
    /// Group of cells that lie on the plus side; by geometry when absent.
    pub plus: Option<String>,
}

impl Interface {
    /// Names of the groups of facets of its sides: plus, minus.
    #[must_use]
    pub fn side_names(&self) -> [String; 2] {
        [format!("{}-plus", self.name), format!("{}-minus", self.name)]
    }
}

/// A facet between two cells.
struct InnerFacet {
    key: Key,
    /// The cell of dimension D − 1 that names it.
    cell: usize,
    /// Bulk cells, ascending, each with its local facet.
    owners: [(usize, usize); 2],
    /// Which of the owners is on the plus side.
    plus: usize,
}

impl<const D: usize> Mesh<D> {
    /// The mesh with the cells on both sides of the interfaces apart, and the sides as groups of facets (see the module).
    ///
    /// # Errors
    /// As [`Mesh::group`]; [`MeshError::NotAnInterface`], [`MeshError::FacetOutside`], [`MeshError::OneSidedFacet`] for groups
    /// that are not of facets between cells; [`MeshError::NoTwoSides`], [`MeshError::UnclearSide`] for an interface without two clear sides;
    /// [`MeshError::NothingOpens`]; [`MeshError::NameTaken`] for a side; [`MeshError::Inconsistent`] as [`Mesh::validate`].
    pub fn split(&self, interfaces: &[Interface]) -> Result<Mesh<D>, MeshError> {
        self.check_indices()?;
        let table = FacetTable::of(self);
        table.check_overlap()?;
        let mut sides = Vec::with_capacity(interfaces.len());
        for (i, interface) in interfaces.iter().enumerate() {
            if interfaces[..i].iter().any(|earlier| earlier.name == interface.name) {
                return Err(MeshError::NameTaken { name: interface.side_names()[0].clone() });
            }
            for name in interface.side_names() {
                self.check_free(&name)?;
            }
            let group = self.interface_group(&interface.name)?;
            let mut facets = self.inner_of(&table, group)?;
            match &interface.plus {
                Some(side) => self.name_sides(&mut facets, group, side)?,
                None => self.tell_sides(&table, &mut facets, group)?,
            }
            sides.push(facets);
        }
        let walls: BTreeSet<Key> = sides.iter().flatten().map(|facet| facet.key).collect();
        let copies = DoubledNodes::of(self, &table, &walls);
        self.apart(&copies, interfaces, &sides)
    }

    fn interface_group(&self, name: &str) -> Result<&Group, MeshError> {
        let group = self.group_of_dim(name, D.saturating_sub(1))?;
        if group.dim + 1 != D {
            return Err(MeshError::NotAnInterface { name: group.name.clone(), dim: group.dim, mesh_dim: D });
        }
        Ok(group)
    }

    /// The facets of a group with the two cells of each.
    fn inner_of(&self, table: &FacetTable<'_, D>, group: &Group) -> Result<Vec<InnerFacet>, MeshError> {
        let mut facets = Vec::with_capacity(group.cells.len());
        for &cell in &group.cells {
            let (kind, nodes) = self.cell(cell);
            let (key, group) = (key(nodes, kind), group.name.clone());
            match table.owners(&key) {
                [(_, a, i), (_, b, j)] => {
                    facets.push(InnerFacet { key, cell, owners: [(*a, *i), (*b, *j)], plus: 0 });
                }
                [(_, owner, _)] => {
                    return Err(MeshError::OneSidedFacet { group, cell, nodes: nodes.to_vec(), owner: *owner });
                }
                _ => return Err(MeshError::FacetOutside { group, cell, kind, nodes: nodes.to_vec() }),
            }
        }
        Ok(facets)
    }

    /// Plus is the side of the cells of a group.
    fn name_sides(&self, facets: &mut [InnerFacet], group: &Group, side: &str) -> Result<(), MeshError> {
        let cells = self.group_of_dim(side, D)?;
        if cells.dim != D {
            return Err(MeshError::NotCells { name: cells.name.clone(), dim: cells.dim, mesh_dim: D });
        }
        for facet in facets {
            let owners = facet.owners.map(|owner| owner.0);
            match owners.map(|cell| cells.cells.binary_search(&cell).is_ok()) {
                [true, false] => facet.plus = 0,
                [false, true] => facet.plus = 1,
                [both, _] => {
                    let (group, side) = (group.name.clone(), side.to_owned());
                    return Err(MeshError::UnclearSide { group, side, cell: facet.cell, owners, both });
                }
            }
        }
        Ok(())
    }

    /// Tells the sides apart from facet to facet, and which one is plus by geometry.
    fn tell_sides(&self, table: &FacetTable<'_, D>, facets: &mut [InnerFacet], group: &Group) -> Result<(), MeshError> {
        let neighbours = self.neighbours(table, facets);
        let mut known = vec![false; facets.len()];
        for first in 0..facets.len() {
            if known[first] {
                continue;
            }
            known[first] = true;
            let mut piece = vec![first];
            let mut next = 0;
            while next < piece.len() {
                let i = piece[next];
                next += 1;
                for &(j, same, ridge) in &neighbours[i] {
                    let plus = if same { facets[i].plus } else { 1 - facets[i].plus };
                    if !known[j] {
                        known[j] = true;
                        facets[j].plus = plus;
                        piece.push(j);
                    } else if facets[j].plus != plus {
                        let point = self.mean_of(ridge.nodes()).to_vec();
                        return Err(MeshError::NoTwoSides { group: group.name.clone(), point });
                    }
                }
            }
            if self.is_turned(table, facets, &piece) {
                for &i in &piece {
                    facets[i].plus = 1 - facets[i].plus;
                }
            }
        }
        Ok(())
    }

    /// For every facet the ones beside it: (which, whether their owners of equal rank are on the same side, the ridge).
    fn neighbours(&self, table: &FacetTable<'_, D>, facets: &[InnerFacet]) -> Vec<Vec<(usize, bool, RidgeNodes)>> {
        let walls: BTreeSet<Key> = facets.iter().map(|facet| facet.key).collect();
        let mut beside: Vec<(RidgeNodes, usize)> = Vec::new();
        for (i, facet) in facets.iter().enumerate() {
            let (cell, local) = facet.owners[0];
            beside.extend(ridges(&table.facet(cell, local)).map(|ridge| (ridge, i)));
        }
        beside.sort_unstable();
        let is_ridge = |ridge: &RidgeNodes| beside.binary_search_by(|b| b.0.cmp(ridge)).is_ok();
        // Cells with a ridge in common that are connected through a facet that is no wall.
        let mut links: Vec<(RidgeNodes, [usize; 2])> = Vec::new();
        for owners in table.rows.chunk_by(|a, b| a.0 == b.0).filter(|o| o.len() == 2 && !walls.contains(&o[0].0)) {
            let facet = table.facet(owners[0].1, owners[0].2);
            links.extend(ridges(&facet).filter(&is_ridge).map(|ridge| (ridge, [owners[0].1, owners[1].1])));
        }
        links.sort_unstable();
        let mut out: Vec<Vec<(usize, bool, RidgeNodes)>> = (0..facets.len()).map(|_| Vec::new()).collect();
        for around in beside.chunk_by(|a, b| a.0 == b.0) {
            let ridge = around[0].0;
            let parts = ConnectedCells::of(run(&links, ridge));
            let sides = |i: usize| facets[i].owners.map(|owner| parts.holding(owner.0));
            for (n, &(_, i)) in around.iter().enumerate() {
                for &(_, j) in &around[n + 1..] {
                    let ([a, b], [c, d]) = (sides(i), sides(j));
                    // Equal on both sides: the ridge is the front of a crack, around which the sides are one.
                    if a == b || c == d {
                        continue;
                    }
                    for same in [true, false] {
                        if if same { a == c || b == d } else { a == d || b == c } {
                            out[i].push((j, same, ridge));
                            out[j].push((i, same, ridge));
                        }
                    }
                }
            }
        }
        out
    }

    /// Whether the plus side of a connected piece has to be the other one.
    fn is_turned(&self, table: &FacetTable<'_, D>, facets: &[InnerFacet], piece: &[usize]) -> bool {
        let (mut sum, mut area, mut volume) = ([0.0; D], 0.0, 0.0);
        let mut origin = None;
        for &i in piece {
            let (cell, local) = facets[i].owners[facets[i].plus];
            let facet = table.facet(cell, local);
            let (normal, measure, centre) =
                (self.facet_normal(&facet), self.facet_measure(&facet), self.facet_centre(&facet));
            let origin = *origin.get_or_insert(centre);
            area += measure;
            for k in 0..D {
                sum[k] += normal[k] * measure;
                volume += normal[k] * measure * (centre[k] - origin[k]);
            }
        }
        // Outward of the plus side: it must look down, or out of what it encloses.
        let main = (0..D).fold(0, |best, k| if sum[k].abs() > (1.0 + CLOSED) * sum[best].abs() { k } else { best });
        if sum[main].abs() > CLOSED * area { sum[main] > 0.0 } else { volume < 0.0 }
    }

    /// Puts the copies in the place of the nodes.
    fn apart(
        &self,
        copies: &DoubledNodes<'_, D>,
        interfaces: &[Interface],
        sides: &[Vec<InnerFacet>],
    ) -> Result<Mesh<D>, MeshError> {
        let mut mesh = self.clone();
        mesh.points.extend(copies.added.iter().map(|&node| self.points[node]));
        let mut more: Vec<(CellKind, Vec<usize>, usize, usize)> = Vec::new();
        let mut first_of: Vec<(usize, [usize; 2])> = Vec::new();
        let mut number = 0;
        for block in &mut mesh.blocks {
            let kind = block.kind;
            for nodes in block.nodes.chunks_exact_mut(kind.n_nodes()) {
                if kind.dim() == D {
                    nodes.iter_mut().for_each(|node| *node = copies.at(number, *node));
                } else {
                    let mut parts = copies.parts(nodes).into_iter();
                    if let Some((cell, own)) = parts.next() {
                        nodes.copy_from_slice(&own);
                        first_of.push((number, [number, cell]));
                    }
                    more.extend(parts.map(|(cell, own)| (kind, own, number, cell)));
                }
                number += 1;
            }
        }
        more.sort_by(|a, b| (b.0.dim(), b.0, a.2).cmp(&(a.0.dim(), a.0, b.2)));
        // (cell, its further parts, the bulk cells these lie on)
        let mut further: Vec<(usize, [usize; 2])> =
            more.iter().enumerate().map(|(i, m)| (m.2, [number + i, m.3])).collect();
        further.sort_unstable();
        for group in &mut mesh.groups {
            let extra: Vec<usize> =
                group.cells.iter().flat_map(|&cell| run(&further, cell).iter().map(|part| part.1[0])).collect();
            group.cells.extend(extra);
            group.cells.sort_unstable();
        }
        let mut named = Vec::new();
        for (interface, facets) in interfaces.iter().zip(sides) {
            let mut of_side: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
            for facet in facets {
                let parts = run(&further, facet.cell);
                if parts.is_empty() {
                    continue;
                }
                for [cell, owner] in run(&first_of, facet.cell).iter().chain(parts).map(|part| part.1) {
                    of_side[usize::from(owner != facet.owners[facet.plus].0)].push(cell);
                }
            }
            if of_side[0].is_empty() {
                return Err(MeshError::NothingOpens { group: interface.name.clone(), facets: facets.len() });
            }
            let opened: BTreeSet<usize> = of_side.iter().flatten().copied().collect();
            let own = self.interface_group(&interface.name)?;
            let is_own = |group: &Group| group.dim == own.dim && group.name == own.name;
            if let Some(group) = mesh.groups.iter_mut().find(|group| is_own(group)) {
                group.cells.retain(|cell| !opened.contains(cell));
            }
            mesh.groups.retain(|group| !(is_own(group) && group.cells.is_empty()));
            named.extend(interface.side_names().into_iter().zip(of_side));
        }
        mesh.append(more.into_iter().map(|m| (m.0, m.1)).collect());
        for (name, mut cells) in named {
            cells.sort_unstable();
            mesh.push_facet_group(&name, cells);
        }
        Ok(mesh)
    }
}

/// Corner nodes of a facet of a facet, sorted; unused places hold `usize::MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RidgeNodes([usize; 2]);

impl RidgeNodes {
    fn nodes(&self) -> &[usize] {
        if self.0[1] == usize::MAX { &self.0[..1] } else { &self.0 }
    }
}

fn ridges(facet: &Facet) -> impl Iterator<Item = RidgeNodes> + '_ {
    facet.kind.facets().iter().map(|local| {
        let mut nodes = [usize::MAX; 2];
        for (place, corner) in nodes.iter_mut().zip(local.kind.corners()) {
            *place = facet.nodes[local.nodes[corner[0]]];
        }
        nodes.sort_unstable();
        RidgeNodes(nodes)
    })
}

/// The rows of a sorted list that begin with this.
fn run<K: Ord + Copy, T>(rows: &[(K, T)], first: K) -> &[(K, T)] {
    let start = rows.partition_point(|row| row.0 < first);
    let end = rows.partition_point(|row| row.0 <= first);
    &rows[start..end]
}

/// Cells connected by links, a few around a node or a ridge.
struct ConnectedCells {
    /// (cell, lowest cell of its part), by cell.
    lowest: Vec<(usize, usize)>,
}

impl ConnectedCells {
    fn of<K>(links: &[(K, [usize; 2])]) -> Self {
        let mut lowest: Vec<(usize, usize)> = links.iter().flat_map(|link| link.1).map(|cell| (cell, cell)).collect();
        lowest.sort_unstable();
        lowest.dedup();
        let mut parts = Self { lowest };
        // Every turn carries the lowest cell one link further at least.
        let mut changed = true;
        while changed {
            changed = false;
            for link in links {
                let least = link.1.map(|cell| parts.holding(cell)).into_iter().fold(usize::MAX, usize::min);
                for cell in link.1 {
                    if let Ok(i) = parts.lowest.binary_search_by_key(&cell, |part| part.0)
                        && parts.lowest[i].1 != least
                    {
                        parts.lowest[i].1 = least;
                        changed = true;
                    }
                }
            }
        }
        parts
    }

    /// The part of a cell, named by its lowest cell; one without links is a part of its own.
    fn holding(&self, cell: usize) -> usize {
        self.lowest.binary_search_by_key(&cell, |part| part.0).map_or(cell, |i| self.lowest[i].1)
    }
}

/// The nodes that are doubled.
struct DoubledNodes<'a, const D: usize> {
    mesh: &'a Mesh<D>,
    /// (doubled node, [bulk cell around it, the node that cell has now]), sorted.
    rows: Vec<(usize, [usize; 2])>,
    /// The node each new point is a copy of.
    added: Vec<usize>,
}

impl<'a, const D: usize> DoubledNodes<'a, D> {
    fn of(mesh: &'a Mesh<D>, table: &FacetTable<'_, D>, walls: &BTreeSet<Key>) -> Self {
        let mut on_wall = vec![false; mesh.n_points()];
        let mut links: Vec<(usize, [usize; 2])> = Vec::new();
        for wall in walls {
            for owner in table.owners(wall) {
                table.facet(owner.1, owner.2).nodes.iter().for_each(|&node| on_wall[node] = true);
            }
        }
        for owners in table.rows.chunk_by(|a, b| a.0 == b.0).filter(|o| o.len() == 2 && !walls.contains(&o[0].0)) {
            let nodes = table.facet(owners[0].1, owners[0].2).nodes;
            links.extend(nodes.iter().filter(|&&n| on_wall[n]).map(|&n| (n, [owners[0].1, owners[1].1])));
        }
        links.sort_unstable();
        let mut stars: Vec<(usize, usize)> = mesh
            .bulk_cells()
            .flat_map(|(cell, _, nodes)| nodes.iter().map(move |&node| (node, cell)))
            .filter(|&(node, _)| on_wall[node])
            .collect();
        stars.sort_unstable();
        let (mut rows, mut added) = (Vec::new(), Vec::new());
        for star in stars.chunk_by(|a, b| a.0 == b.0) {
            let node = star[0].0;
            let parts = ConnectedCells::of(run(&links, node));
            // Parts in the order of their lowest cells, which is that in which the star meets them.
            let mut seen: Vec<(usize, usize)> = Vec::new();
            for &(_, cell) in star {
                let part = parts.holding(cell);
                if !seen.iter().any(|s| s.0 == part) {
                    if !seen.is_empty() {
                        added.push(node);
                    }
                    let own = if seen.is_empty() { node } else { mesh.n_points() + added.len() - 1 };
                    seen.push((part, own));
                }
            }
            if seen.len() > 1 {
                for &(_, cell) in star {
                    let part = parts.holding(cell);
                    rows.extend(seen.iter().filter(|s| s.0 == part).map(|s| (node, [cell, s.1])));
                }
            }
        }
        Self { mesh, rows, added }
    }

    /// The node that a bulk cell has in the place of this one.
    fn at(&self, cell: usize, node: usize) -> usize {
        let star = run(&self.rows, node);
        star.binary_search_by_key(&cell, |row| row.1[0]).map_or(node, |i| star[i].1[1])
    }

    /// What becomes of a cell of lower dimension: (bulk cell it lies on, its nodes there), as often as it is different, by cell;
    /// nothing if none of its nodes is doubled.
    fn parts(&self, nodes: &[usize]) -> Vec<(usize, Vec<usize>)> {
        let Some(star) = nodes.iter().map(|&node| run(&self.rows, node)).find(|star| !star.is_empty()) else {
            return Vec::new();
        };
        let mut parts: Vec<(usize, Vec<usize>)> = Vec::new();
        for &(_, [cell, _]) in star {
            let of_cell = self.mesh.cell(cell).1;
            if nodes.iter().all(|node| of_cell.contains(node)) {
                let own: Vec<usize> = nodes.iter().map(|&node| self.at(cell, node)).collect();
                if parts.iter().all(|part| part.1 != own) {
                    parts.push((cell, own));
                }
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests;
