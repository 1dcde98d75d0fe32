//! Reads back what [`super::write_vtu`] and [`super::write_pvd`] write, and what earlier versions wrote (arrays within the elements).
//!
//! Arrays are decoded by the reader of foreign grids, which is bounded by the length of the file; what it found is checked like a grid that is about to be
//! written. Damaged files give an error, never a panic.

use delassus_error::{Code, Coded, excerpt};
use thiserror::Error;

use super::foreign::{ArrayStore, Tags, XmlTag};
use super::{Cells, Grid, Location, VtkError};
use crate::MeshError;

/// Bytes that a byte of a frame may unpack to. Regular meshes shrink by thirty, and a first frame has many fields of zeros.
const UNPACKED: usize = 256;

/// Most components of a field; ours have at most nine.
const MOST_COMPONENTS: usize = 1000;

/// Reasons why a VTK file cannot be read.
#[derive(Debug, Error)]
pub enum VtkReadError {
    /// Bytes that are not text.
    #[error("byte {byte} is not UTF-8: a VTK XML file is text")]
    NotText {
        /// Position of the first such byte, from 0.
        byte: usize,
    },
    /// Not the kind of file asked for, or not as this program writes it.
    #[error("not a VTK file as this program writes it: {0}")]
    Format(String),
    /// An entry of a collection that gives no time or no file.
    #[error("entry {entry} of the collection: {reason}")]
    Entry {
        /// Number of the entry, from 1.
        entry: usize,
        /// What is wrong.
        reason: String,
    },
    /// The arrays do not make a grid.
    #[error("the grid is damaged: {0}")]
    Grid(#[from] VtkError),
    /// A field that is needed is not there.
    #[error("there is no {location} field `{name}` with {components} components; the {location} fields are: {found}")]
    NoField {
        /// Point or cell field.
        location: Location,
        /// Its name.
        name: String,
        /// Components it should have.
        components: usize,
        /// The fields there are, with their components.
        found: String,
    },
}

/// A field that has been read; whole numbers are given as `f64`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldData {
    /// Its name.
    pub name: String,
    /// Values per point or cell.
    pub components: usize,
    /// All values, the components of a tuple side by side.
    pub values: Vec<f64>,
}

/// A grid that has been read: its indices are in range and its fields have the right length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridData {
    /// Points \[m\].
    pub points: Vec<[f64; 3]>,
    /// Nodes of all cells, one cell after the other.
    pub connectivity: Vec<usize>,
    /// Where the nodes of each cell end in `connectivity`.
    pub offsets: Vec<usize>,
    /// VTK's type number of each cell.
    pub types: Vec<u8>,
    /// Fields on the points.
    pub point_fields: Vec<FieldData>,
    /// Fields on the cells.
    pub cell_fields: Vec<FieldData>,
}

impl GridData {
    /// Number of cells.
    #[must_use]
    pub fn n_cells(&self) -> usize {
        self.types.len()
    }

    /// Nodes of a cell; none for a cell that does not exist.
    #[must_use]
    pub fn cell(&self, i: usize) -> &[usize] {
        let from = if i == 0 { Some(0) } else { self.offsets.get(i - 1).copied() };
        let range = from.zip(self.offsets.get(i).copied()).map(|(from, to)| from..to);
        range.and_then(|r| self.connectivity.get(r)).unwrap_or(&[])
    }

    /// The values of a point field.
    pub fn point_field(&self, name: &str, components: usize) -> Result<&[f64], VtkReadError> {
        find(&self.point_fields, Location::Point, name, components)
    }

    /// The values of a cell field.
    pub fn cell_field(&self, name: &str, components: usize) -> Result<&[f64], VtkReadError> {
        find(&self.cell_fields, Location::Cell, name, components)
    }
}

fn find<'a>(
    fields: &'a [FieldData],
    location: Location,
    name: &str,
    components: usize,
) -> Result<&'a [f64], VtkReadError> {
    match fields.iter().find(|f| f.name == name && f.components == components) {
        Some(field) => Ok(&field.values),
        None => {
            let list: Vec<String> = fields.iter().map(|f| format!("{} ({})", f.name, f.components)).collect();
            let found = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
            Err(VtkReadError::NoField { location, name: name.to_owned(), components, found })
        }
    }
}

/// Reads an unstructured grid written by [`super::write_vtu`]. Its time is in the collection.
pub fn read_vtu(bytes: &[u8]) -> Result<GridData, VtkReadError> {
    let wrong = |reason: String| VtkReadError::Format(reason);
    let (head, mut store) = ArrayStore::open(bytes, UNPACKED).map_err(damaged)?;
    if !bytes.trim_ascii_end().ends_with(b"</VTKFile>") {
        return Err(wrong("the file breaks off before </VTKFile>".to_owned()));
    }
    let count = |name: &str| Tags::of(head).filter(|tag| tag.name == name).count();
    for (element, count) in ["Piece", "Points", "Cells"].map(|name| (name, count(name))) {
        if count != 1 {
            return Err(wrong(format!("there are {count} <{element}> elements, there should be one")));
        }
    }
    let (mut grid, mut section) = (GridData::default(), "");
    for tag in Tags::of(head) {
        match tag.name {
            "PointData" | "CellData" | "Points" | "Cells" | "FieldData" => section = tag.name,
            "DataArray" => grid.add(&mut store, section, &tag)?,
            _ => {}
        }
    }
    Grid { points: &grid.points, cells: Cells::new(&grid.connectivity, &grid.offsets, &grid.types), ..Grid::default() }
        .check()?;
    check_fields(&grid.point_fields, Location::Point, grid.points.len())?;
    check_fields(&grid.cell_fields, Location::Cell, grid.types.len())?;
    Ok(grid)
}

fn damaged(e: MeshError) -> VtkReadError {
    match e {
        MeshError::VtkGrid { reason } => VtkReadError::Format(reason),
        other => VtkReadError::Format(other.to_string()),
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, VtkReadError> {
    std::str::from_utf8(bytes).map_err(|e| VtkReadError::NotText { byte: e.valid_up_to() })
}

impl GridData {
    /// Adds an array of the file.
    fn add(&mut self, store: &mut ArrayStore<'_>, section: &str, tag: &XmlTag<'_>) -> Result<(), VtkReadError> {
        let name = attribute(tag.attributes, "Name").unwrap_or_default();
        let told = attribute(tag.attributes, "NumberOfComponents").unwrap_or_else(|| "1".to_owned());
        let components = told.parse::<usize>().ok().filter(|n| (1..=MOST_COMPONENTS).contains(n));
        let components = components.ok_or_else(|| {
            VtkReadError::Format(format!("array `{}` has `{}` components", excerpt(&name), excerpt(&told)))
        })?;
        let indices = |list: Vec<i64>| list.into_iter().map(|i| usize::try_from(i).unwrap_or(usize::MAX)).collect();
        match (section, name.as_str()) {
            ("Points", _) => {
                let values = store.floats(tag.attributes, tag.content).map_err(damaged)?;
                let (points, rest) = values.as_chunks::<3>();
                if components != 3 || !rest.is_empty() {
                    return Err(VtkReadError::Format("the points are not triples of numbers".to_owned()));
                }
                self.points = points.to_vec();
            }
            ("Cells", "connectivity") => {
                self.connectivity = indices(store.integers(tag.attributes, tag.content).map_err(damaged)?)
            }
            ("Cells", "offsets") => {
                self.offsets = indices(store.integers(tag.attributes, tag.content).map_err(damaged)?)
            }
            ("Cells", "types") => {
                let types = store.integers(tag.attributes, tag.content).map_err(damaged)?;
                self.types = types.into_iter().map(|t| u8::try_from(t).unwrap_or(u8::MAX)).collect();
            }
            ("PointData" | "CellData", _) => {
                let values = store.floats(tag.attributes, tag.content).map_err(damaged)?;
                let fields = if section == "PointData" { &mut self.point_fields } else { &mut self.cell_fields };
                fields.push(FieldData { name, components, values });
            }
            _ => {}
        }
        Ok(())
    }
}

/// An opening tag.
struct Tag<'a> {
    attributes: &'a str,
}

/// The elements called `name`, in order.
fn tags<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = Tag<'a>> {
    text.split('<').skip(1).filter_map(move |piece| {
        let rest = piece.strip_prefix(name)?;
        let (attributes, _) = rest.split_once('>')?;
        let whole = attributes.is_empty() || attributes.starts_with(|c: char| c.is_ascii_whitespace() || c == '/');
        whole.then_some(Tag { attributes })
    })
}

/// The value of an attribute, with its escapes undone.
pub(super) fn attribute(attributes: &str, key: &str) -> Option<String> {
    let open = format!("{key}=\"");
    let at = attributes.match_indices(&open).map(|(i, _)| i).find(|&i| {
        let before = attributes[..i].chars().next_back();
        before.is_some_and(|c| c.is_ascii_whitespace())
    })?;
    let value = attributes[at + open.len()..].split('"').next()?;
    let mut out = value.to_owned();
    // The ampersand last: `&amp;lt;` stands for the text `&lt;`.
    for (from, to) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
        out = out.replace(from, to);
    }
    Some(out)
}

fn check_fields(fields: &[FieldData], location: Location, count: usize) -> Result<(), VtkReadError> {
    for FieldData { name, components, values } in fields {
        let (components, found, expected) = (*components, values.len(), components.saturating_mul(count));
        if found != expected {
            let field = name.clone();
            return Err(VtkError::FieldLength { location, field, components, count, expected, found }.into());
        }
    }
    Ok(())
}

/// Reads a collection: the time \[s\] and the file of each entry, in order.
pub fn read_pvd(bytes: &[u8]) -> Result<Vec<(f64, String)>, VtkReadError> {
    let text = text_of(bytes)?;
    let open = tags(text, "VTKFile").next();
    let kind = open.and_then(|t| attribute(t.attributes, "type")).unwrap_or_default();
    if kind != "Collection" {
        return Err(VtkReadError::Format(format!("its type is `{}`, it should be `Collection`", excerpt(&kind))));
    }
    if !text.trim_end().ends_with("</VTKFile>") {
        return Err(VtkReadError::Format("the file breaks off before </VTKFile>".to_owned()));
    }
    let entry = |(i, tag): (usize, Tag<'_>)| {
        let wrong = |reason: String| VtkReadError::Entry { entry: i + 1, reason };
        let time = attribute(tag.attributes, "timestep").ok_or_else(|| wrong("it has no timestep".to_owned()))?;
        let file = attribute(tag.attributes, "file").ok_or_else(|| wrong("it has no file".to_owned()))?;
        match time.parse::<f64>() {
            Ok(t) if t.is_finite() => Ok((t, file)),
            _ => Err(wrong(format!("timestep `{}` is not a finite number", excerpt(&time)))),
        }
    };
    tags(text, "DataSet").enumerate().map(entry).collect()
}

impl Coded for VtkReadError {
    fn code(&self) -> Code {
        match self {
            Self::NotText { .. } => Code("E0851"),
            Self::Format(_) => Code("E0852"),
            Self::Entry { .. } => Code("E0853"),
            Self::Grid(e) => e.code(),
            Self::NoField { .. } => Code("E0854"),
        }
    }
}

#[cfg(test)]
mod tests;
