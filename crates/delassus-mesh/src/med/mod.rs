//! Reader of MED files (`.med`) of Salome, Code_Aster, gmsh and meshio: HDF5 in the layout of MED 3 and 4.
//!
//! ```text
//! ENS_MAA/MESH                      a mesh; REP 0: Cartesian coordinates
//!   STEP/NOE/COO                    coordinates, all x, then all y, then all z (NBR nodes)
//!   STEP/NOE/FAM, NUM               family and number of each node; either may be missing
//!   STEP/MAI/TYPE/NOD               nodes of the cells of a type, from 1: first nodes of all cells, then second ones, …
//!   STEP/MAI/TYPE/FAM, NUM          family and number of each cell
//! FAS/MESH/ELEME/FAMILY, NOEUD/…    a family of cells, of nodes: its number NUM, and GRO/NOM, the groups it belongs to, 80 characters each
//! ```
//!
//! A cell or node is in one family, a family in any number of groups. Solids run the other way round than VTK's, with their edges in the same order, so
//! that turning inverted cells over, which every draft gets, is all there is to do (the files that gmsh and meshio write are the test). Lengths are taken as they
//! are, whatever the file calls their unit.
//!
//! hdf5-pure reads the HDF5. Nothing is asked of it before its size is known: arrays must lie in the file as they are, and together are no longer than it.

use std::cell::Cell;
use std::collections::BTreeMap;

use delassus_error::excerpt;
use hdf5_pure::{Dataset, File, Group, Layout};

use crate::CellKind::{
    self, Hexahedron8, Hexahedron20, Point, Prism6, Quad4, Quad8, Segment2, Segment3, Tetrahedron4, Tetrahedron10,
    Triangle3, Triangle6,
};
use crate::MeshError;
use crate::draft::{Draft, DraftGroup, place};

/// MED's names of types, and the kinds they stand for.
const KINDS: [(&str, CellKind); 12] = [
    ("PO1", Point),
    ("SE2", Segment2),
    ("SE3", Segment3),
    ("TR3", Triangle3),
    ("TR6", Triangle6),
    ("QU4", Quad4),
    ("QU8", Quad8),
    ("TE4", Tetrahedron4),
    ("T10", Tetrahedron10),
    ("PE6", Prism6),
    ("HE8", Hexahedron8),
    ("H20", Hexahedron20),
];

/// Dimension of the types that are not computed with, by the beginning of their names; all others are of space.
const FOREIGN: [(&str, usize); 5] = [("SE", 1), ("TR", 2), ("QU", 2), ("POG", 2), ("PG", 2)];

/// Length of the name of a group \[B\].
const NAME: usize = 80;

/// Reads a MED file from its bytes.
///
/// # Errors
/// [`MeshError::MedFile`] for a file that is none, is damaged, or has no mesh of this layout; [`MeshError::SetsTooLarge`].
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, MeshError> {
    let file = File::from_bytes(bytes.to_vec()).map_err(|e| failed("the file", &e))?;
    let reader = MedReader { left: Cell::new(bytes.len()) };
    let root = groups(&file.root(), "/")?;
    let Some(meshes) = root.get("ENS_MAA") else {
        return Err(wrong("an HDF5 file without meshes (`ENS_MAA`): of HDF5 files only MED's are meshes"));
    };
    if let Some(major) = root.get("INFOS_GENERALES").and_then(|about| number(about, "MAJ"))
        && !(3..=4).contains(&major)
    {
        return Err(wrong(format!(
            "MED {major}, read are MED 3 and 4; open the file in Salome or gmsh and save it again"
        )));
    }
    let meshes = groups(meshes, "ENS_MAA")?;
    let (name, mesh) = only(meshes, "mesh", "save each in a file of its own")?;
    if number(&mesh, "REP").is_some_and(|system| system != 0) {
        return Err(wrong("coordinates that are not Cartesian"));
    }
    let (_, step) = only(groups(&mesh, &name)?, "computing step", "save the mesh without steps")?;
    let families =
        match root.get("FAS").map(|all| groups(all, "FAS")).transpose()?.and_then(|mut all| all.remove(&name)) {
            Some(families) => reader.families(&families)?,
            None => BTreeMap::new(),
        };
    let mut draft = Draft { no_bulk: "were volumes, or for a plane case faces, meshed and saved?", ..Draft::default() };
    let mut grouped = Grouped { members: BTreeMap::new(), left: bytes.len() };
    let mut parts = groups(&step, "the mesh")?;
    let nodes = parts.remove("NOE").ok_or_else(|| wrong("the mesh has no nodes (`NOE`)"))?;
    let of_nodes = reader.nodes(&nodes, &mut draft)?;
    for (kind, cells) in parts.remove("MAI").map(|all| groups(&all, "MAI")).transpose()?.unwrap_or_default() {
        reader.cells(&kind, &cells, &families, &mut draft, &mut grouped)?;
    }
    for (node, names) in of_nodes.iter().enumerate().filter_map(|(i, family)| Some((i, families.get(family)?))) {
        let cell = draft.push_cell(Point, std::iter::once(place(node)));
        grouped.add(names, 0, cell)?;
    }
    for (tag, ((name, dim), cells)) in grouped.members.into_iter().enumerate() {
        let tag = i32::try_from(tag + 1).unwrap_or(i32::MAX);
        draft.groups.push(DraftGroup { name: name.to_owned(), tag, dim, cells });
    }
    Ok(draft)
}

/// Members of groups, by name and dimension.
struct Grouped<'f> {
    members: BTreeMap<(&'f str, usize), Vec<u32>>,
    /// Members that may still come: a family of many groups multiplies them.
    left: usize,
}

impl<'f> Grouped<'f> {
    fn add(&mut self, names: &'f [String], dim: usize, cell: u32) -> Result<(), MeshError> {
        self.left = self.left.checked_sub(names.len()).ok_or(MeshError::SetsTooLarge)?;
        for name in names {
            self.members.entry((name, dim)).or_default().push(cell);
        }
        Ok(())
    }
}

struct MedReader {
    /// Bytes of arrays that may still be read: together they are no longer than the file.
    left: Cell<usize>,
}

impl MedReader {
    /// Looks at the size of an array before it is read: how many entries it has.
    fn admit(&self, array: &Dataset, name: &str) -> Result<usize, MeshError> {
        let shape = array.shape().map_err(|e| failed(name, &e))?;
        let size = array.element_size().map_err(|e| failed(name, &e))?;
        let count = shape.iter().try_fold(1_u64, |n, &side| n.checked_mul(side));
        let length = count.and_then(|n| n.checked_mul(size)).and_then(|n| usize::try_from(n).ok());
        let left = length.and_then(|n| self.left.get().checked_sub(n));
        match array.layout().map_err(|e| failed(name, &e))? {
            Layout::Compact { .. } | Layout::Contiguous { address: Some(_), .. } => {}
            Layout::Contiguous { address: None, .. } if length == Some(0) => {}
            Layout::Contiguous { .. } => return Err(wrong(format!("`{name}` was never written"))),
            _ => {
                return Err(wrong(format!(
                    "`{name}` is stored in pieces; `h5repack -l CONTI -f NONE old.med new.med` joins them"
                )));
            }
        }
        let Some(left) = left else {
            return Err(wrong(format!("`{name}` has more numbers than the file has bytes")));
        };
        self.left.set(left);
        count.and_then(|n| usize::try_from(n).ok()).ok_or_else(|| wrong(format!("`{name}` is too long")))
    }

    fn integers(&self, of: &BTreeMap<String, Dataset>, name: &str) -> Result<Option<Vec<i64>>, MeshError> {
        let Some(array) = of.get(name) else { return Ok(None) };
        self.admit(array, name)?;
        array.read_i64().map(Some).map_err(|e| failed(name, &e))
    }

    /// The same with one number for each of so many things.
    fn of_each(&self, of: &BTreeMap<String, Dataset>, name: &str, n: usize) -> Result<Option<Vec<i64>>, MeshError> {
        match self.integers(of, name)? {
            Some(found) if found.len() != n => {
                Err(wrong(format!("`{name}` has {} numbers where {n} should be", found.len())))
            }
            found => Ok(found),
        }
    }

    /// The names of the groups of each family.
    fn families(&self, all: &Group) -> Result<BTreeMap<i64, Vec<String>>, MeshError> {
        let mut out = BTreeMap::new();
        for (_, side) in groups(all, "FAS")?.into_iter().filter(|(name, _)| name == "ELEME" || name == "NOEUD") {
            for (name, family) in groups(&side, "families")? {
                let Some(tag) = number(&family, "NUM") else {
                    return Err(wrong(format!("family `{}` has no number", excerpt(&name))));
                };
                let Some(named) = groups(&family, "a family")?.remove("GRO") else { continue };
                let named = arrays(&named, "GRO")?;
                let Some(array) = named.get("NOM") else { continue };
                self.admit(array, "NOM")?;
                let bytes = array.read_raw().map_err(|e| failed("NOM", &e))?;
                let names = bytes.chunks(NAME).filter_map(|name| {
                    let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
                    Some(String::from_utf8_lossy(&name[..end]).trim().to_owned()).filter(|name| !name.is_empty())
                });
                out.entry(tag).or_insert_with(Vec::new).extend(names);
            }
        }
        Ok(out)
    }

    /// Places and numbers of the nodes; returns their families.
    fn nodes(&self, nodes: &Group, draft: &mut Draft) -> Result<Vec<i64>, MeshError> {
        let of = arrays(nodes, "NOE")?;
        let array = of.get("COO").ok_or_else(|| wrong("the nodes have no coordinates (`COO`)"))?;
        let length = self.admit(array, "COO")?;
        let attributes = array.attrs().map_err(|e| failed("COO", &e))?;
        let count = attributes.get("NBR").and_then(|value| usize::try_from(value.as_i64()?).ok());
        let Some(n) = count.filter(|&n| n > 0 && [n, 2 * n, 3 * n].contains(&length)) else {
            return Err(wrong(format!(
                "`COO` has {length} coordinates, which fit its number of nodes (`NBR`) in no dimension"
            )));
        };
        let all = array.read_f64().map_err(|e| failed("COO", &e))?;
        if let Some(bad) = all.iter().position(|x| !x.is_finite()) {
            return Err(wrong(format!("node {} has a coordinate that is no finite number", bad % n + 1)));
        }
        let at = |i: usize, axis: usize| all.get(axis * n + i).copied().unwrap_or(0.0);
        draft.points = (0..n).map(|i| std::array::from_fn(|axis| at(i, axis))).collect();
        draft.point_tags = tags(self.of_each(&of, "NUM", n)?, n, 0);
        Ok(self.of_each(&of, "FAM", n)?.unwrap_or_default())
    }

    /// The cells of a type.
    fn cells<'f>(
        &self,
        name: &str,
        cells: &Group,
        families: &'f BTreeMap<i64, Vec<String>>,
        draft: &mut Draft,
        grouped: &mut Grouped<'f>,
    ) -> Result<(), MeshError> {
        let of = arrays(cells, "MAI")?;
        let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == name) else {
            let dim = FOREIGN.iter().find(|(begin, _)| name.starts_with(begin)).map_or(3, |(_, dim)| *dim);
            let attributes = of.get("NOD").and_then(|array| array.attrs().ok());
            let count = attributes.and_then(|all| usize::try_from(all.get("NBR")?.as_i64()?).ok());
            draft.unsupported.insert(excerpt(name), (dim, count.unwrap_or(0)));
            return Ok(());
        };
        let Some(nodes) = self.integers(&of, "NOD")? else {
            return Err(wrong(format!("the cells `{name}` have no nodes (`NOD`)")));
        };
        let (width, length) = (kind.n_nodes(), nodes.len());
        if !length.is_multiple_of(width) {
            return Err(wrong(format!("the cells `{name}` have {length} nodes, which is no multiple of {width}")));
        }
        let n = length / width;
        let first = draft.kinds.len();
        let numbers = tags(self.of_each(&of, "NUM", n)?, n, first);
        let of_cells = self.of_each(&of, "FAM", n)?.unwrap_or_default();
        for (i, &tag) in numbers.iter().enumerate() {
            let mut places = Vec::with_capacity(width);
            for &node in nodes.iter().skip(i).step_by(n) {
                let known = usize::try_from(node).ok().and_then(|node| node.checked_sub(1));
                let Some(known) = known.filter(|&node| node < draft.points.len()) else {
                    return Err(wrong(format!("element {tag} ({name}) uses node {node} of {}", draft.points.len())));
                };
                places.push(place(known));
            }
            let cell = draft.push_cell(*kind, places.into_iter());
            draft.cell_tags.push(tag);
            if let Some(names) = of_cells.get(i).and_then(|family| families.get(family)) {
                grouped.add(names, kind.dim(), cell)?;
            }
        }
        Ok(())
    }
}

/// Numbers in the file; where it has none, the order.
fn tags(given: Option<Vec<i64>>, n: usize, first: usize) -> Vec<u64> {
    let given = given.map(|all| all.into_iter().map(|tag| u64::try_from(tag).unwrap_or(0)).collect());
    given.unwrap_or_else(|| (0..n).map(|i| (first + i + 1) as u64).collect())
}

/// Groups in a group of HDF5, by their names.
fn groups(of: &Group, name: &str) -> Result<BTreeMap<String, Group>, MeshError> {
    of.iter_groups().map(Iterator::collect).map_err(|e| failed(name, &e))
}

fn arrays(of: &Group, name: &str) -> Result<BTreeMap<String, Dataset>, MeshError> {
    of.iter_datasets().map(Iterator::collect).map_err(|e| failed(name, &e))
}

/// A whole number that belongs to a group.
fn number(of: &Group, name: &str) -> Option<i64> {
    of.attrs().ok()?.get(name)?.as_i64()
}

/// The one member where there must be one.
fn only(mut all: BTreeMap<String, Group>, what: &str, remedy: &str) -> Result<(String, Group), MeshError> {
    match (all.len(), all.pop_first()) {
        (1, Some(one)) => Ok(one),
        (0, _) => Err(wrong(format!("there is no {what}"))),
        (n, _) => Err(wrong(format!("there are {n} of the kind {what}; {remedy}"))),
    }
}

fn wrong(reason: impl Into<String>) -> MeshError {
    MeshError::MedFile { reason: reason.into() }
}

fn failed(place: &str, error: &hdf5_pure::Error) -> MeshError {
    wrong(format!("{}: {}", excerpt(place), excerpt(&error.to_string())))
}

#[cfg(test)]
mod tests;
