//! Reads back what [`super::write_vtu`] and [`super::write_pvd`] write.
//!
//! The arrays of a grid are decoded by `vtkio`. It trusts its input in places (an array shorter than its own length word,
//! a piece without points), so the text is first held against the one encoding our writer uses; what passes is then
//! checked like a grid that is about to be written. Damaged files give an error, never a panic.

use delassus_error::{Code, Coded, excerpt};
use thiserror::Error;
use vtkio::model::{Attribute, DataSet, ElementType, UnstructuredGridPiece, VertexNumbers};
use vtkio::xml::VTKFile;
use vtkio::{IOBuffer, Vtk};

use super::{Cells, Grid, Location, VtkError};

/// Most attributes of a tag; ours have a dozen. The XML reader below `vtkio` compares each with all before it (RUSTSEC-2026-0194): 80 000 of them
/// would take seconds.
const MOST_ATTRIBUTES: usize = 256;

/// Bytes of the length that stands before the values of an array.
const LENGTH_BYTES: usize = 8;

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
    let text = text_of(bytes)?;
    check_tags(text)?;
    check_encoding(text)?;
    let damaged = |e: &dyn std::fmt::Display| VtkReadError::Format(excerpt(&e.to_string()));
    let file = VTKFile::parse(bytes).map_err(|e| damaged(&e))?;
    let vtk = Vtk::try_from(file).map_err(|e| damaged(&e))?;
    let DataSet::UnstructuredGrid { pieces, .. } = vtk.data else {
        return Err(VtkReadError::Format("the data set is not an unstructured grid".to_owned()));
    };
    let mut grid = GridData::default();
    for piece in pieces {
        let piece = piece.into_loaded_piece_data(None).map_err(|e| damaged(&e))?;
        grid = grid_of(piece)?;
    }
    Grid { points: &grid.points, cells: Cells::new(&grid.connectivity, &grid.offsets, &grid.types), ..Grid::default() }
        .check()?;
    check_fields(&grid.point_fields, Location::Point, grid.points.len())?;
    check_fields(&grid.cell_fields, Location::Cell, grid.types.len())?;
    Ok(grid)
}

fn text_of(bytes: &[u8]) -> Result<&str, VtkReadError> {
    std::str::from_utf8(bytes).map_err(|e| VtkReadError::NotText { byte: e.valid_up_to() })
}

/// Tags that cost no more to read than their length. An attribute has an equals sign; those within values count too, which our files need few of.
fn check_tags(text: &str) -> Result<(), VtkReadError> {
    let body = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or(text, |(_, body)| body);
    // In these, quotes do not come in pairs.
    if body.contains("<!") || body.contains("<?") {
        return Err(VtkReadError::Format("there is a comment, a declaration or an instruction".to_owned()));
    }
    let (mut inside, mut quote, mut signs) = (false, None, 0);
    for byte in body.bytes() {
        match byte {
            b'<' if !inside => (inside, quote, signs) = (true, None, 0),
            _ if !inside => {}
            b'"' | b'\'' if quote.is_none() => quote = Some(byte),
            _ if quote == Some(byte) => quote = None,
            b'>' if quote.is_none() => inside = false,
            b'=' => signs += 1,
            _ => {}
        }
        if signs > MOST_ATTRIBUTES {
            return Err(VtkReadError::Format(format!("a tag has more than {MOST_ATTRIBUTES} attributes")));
        }
    }
    Ok(())
}

/// Everything `vtkio` takes for granted when it decodes a grid.
fn check_encoding(text: &str) -> Result<(), VtkReadError> {
    let wrong = |reason: String| Err(VtkReadError::Format(reason));
    let Some(open) = tags(text, "VTKFile").next() else {
        return wrong("there is no <VTKFile> element".to_owned());
    };
    for (key, expected) in [("type", "UnstructuredGrid"), ("byte_order", "LittleEndian"), ("header_type", "UInt64")] {
        let found = attribute(open.attributes, key).unwrap_or_default();
        if found != expected {
            return wrong(format!("{key} is `{}`, it should be `{expected}`", excerpt(&found)));
        }
    }
    if attribute(open.attributes, "compressor").is_some() || text.contains("<AppendedData") {
        return wrong("the arrays are compressed or appended, they should be inline".to_owned());
    }
    for (element, count) in [("Piece", tags(text, "Piece").count()), ("Points", tags(text, "Points").count())] {
        if count != 1 {
            return wrong(format!("there are {count} <{element}> elements, there should be one"));
        }
    }
    if !text.trim_end().ends_with("</VTKFile>") {
        return wrong("the file breaks off before </VTKFile>".to_owned());
    }
    for tag in tags(text, "DataArray") {
        let name = attribute(tag.attributes, "Name").unwrap_or_default();
        if name == "TimeValue" {
            continue;
        }
        let content = tag.content.trim();
        if attribute(tag.attributes, "format").as_deref() != Some("binary")
            || decoded_length(content).is_none_or(|n| n < LENGTH_BYTES)
        {
            return wrong(format!("array `{name}` is not inline base64 with a length of eight bytes"));
        }
        let components = attribute(tag.attributes, "NumberOfComponents").unwrap_or_else(|| "1".to_owned());
        let single = ["connectivity", "offsets", "types"].contains(&name.as_str());
        let most = if single { 1 } else { 1000 };
        if !components.parse::<usize>().is_ok_and(|n| (1..=most).contains(&n)) {
            return wrong(format!("array `{name}` has `{components}` components"));
        }
    }
    Ok(())
}

/// Bytes that a base64 text stands for; none if it is not one.
fn decoded_length(text: &str) -> Option<usize> {
    let padding = text.len() - text.trim_end_matches('=').len();
    let digits = &text.as_bytes()[..text.len() - padding];
    let is_digit = |c: &u8| c.is_ascii_alphanumeric() || *c == b'+' || *c == b'/';
    let whole = text.len().is_multiple_of(4) && padding <= 2 && digits.iter().all(is_digit);
    whole.then(|| text.len() / 4 * 3 - padding)
}

/// An opening tag and the text up to the next tag.
struct Tag<'a> {
    attributes: &'a str,
    content: &'a str,
}

/// The elements called `name`, in order.
fn tags<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = Tag<'a>> {
    text.split('<').skip(1).filter_map(move |piece| {
        let rest = piece.strip_prefix(name)?;
        let (attributes, content) = rest.split_once('>')?;
        let whole = attributes.is_empty() || attributes.starts_with(|c: char| c.is_ascii_whitespace() || c == '/');
        whole.then_some(Tag { attributes, content })
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

fn grid_of(piece: UnstructuredGridPiece) -> Result<GridData, VtkReadError> {
    let damaged = |what: &str| VtkReadError::Format(format!("{what} cannot be decoded"));
    let coordinates: Vec<f64> = piece.points.cast_into().ok_or_else(|| damaged("the points"))?;
    let VertexNumbers::XML { connectivity, offsets } = piece.cells.cell_verts else {
        // vtkio gives the legacy form to a piece without a <Cells> element.
        return Err(damaged("the cells"));
    };
    let indices = |list: Vec<u64>| list.into_iter().map(|i| usize::try_from(i).unwrap_or(usize::MAX)).collect();
    Ok(GridData {
        points: coordinates.as_chunks::<3>().0.to_vec(),
        connectivity: indices(connectivity),
        offsets: indices(offsets),
        types: piece.cells.types.iter().map(|&t| t as u8).collect(),
        point_fields: fields_of(piece.data.point)?,
        cell_fields: fields_of(piece.data.cell)?,
    })
}

fn fields_of(attributes: Vec<Attribute>) -> Result<Vec<FieldData>, VtkReadError> {
    let mut out = Vec::new();
    for attribute in attributes {
        let Attribute::DataArray(array) = attribute else { continue };
        let components = match array.elem {
            ElementType::Generic(n) => n as usize,
            ElementType::Scalars { num_comp, .. } => num_comp as usize,
            ElementType::Vectors | ElementType::Normals => 3,
            ElementType::Tensors => 9,
            ElementType::TCoords(n) => n as usize,
            ElementType::ColorScalars(n) => n as usize,
            ElementType::LookupTable => 4,
        };
        let name = array.name;
        let values = numbers(array.data).ok_or_else(|| VtkReadError::Format(format!("array `{name}`")))?;
        out.push(FieldData { name, components, values });
    }
    Ok(out)
}

fn numbers(buffer: IOBuffer) -> Option<Vec<f64>> {
    match buffer {
        IOBuffer::F64(v) => Some(v),
        other => other.cast_into(),
    }
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
