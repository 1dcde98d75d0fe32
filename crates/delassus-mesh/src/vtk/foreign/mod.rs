//! Grids of other programs (`.vtu`) as meshes of bodies.
//!
//! Files of ParaView, VTK, PyVista and meshio come in every encoding of the format: numbers as text, base64 or raw bytes, within the
//! elements or appended, compressed by zlib or not, of either byte order. Arrays are decoded by `arrays`, bounded by the length of the file. Several pieces are
//! joined.
//!
//! A grid has no names for its parts. Every array of whole numbers on the cells, with one component and at most
//! [`MOST_VALUES`] values, gives groups: `gmsh:physical=3` is the group of cells where `gmsh:physical` is 3.

mod arrays;

use std::collections::BTreeMap;

use super::read::attribute;
use crate::draft::{Draft, DraftGroup, place};
use crate::{CellKind, MeshError};
use arrays::ArrayEncoding;
pub(super) use arrays::Store as ArrayStore;
use arrays::Store;

/// Most different values of an array that gives groups; one with more numbers the cells.
const MOST_VALUES: usize = 256;

/// Bytes that a byte of a file may unpack to: coordinates and connectivity shrink by less than ten.
const UNPACKED: usize = 64;

/// Elements within which arrays are needed.
const SECTIONS: [&str; 3] = ["Points", "Cells", "CellData"];

/// Reads an unstructured grid from its bytes.
///
/// # Errors
/// [`MeshError::VtkGrid`], [`MeshError::UnpacksTooFar`].
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, MeshError> {
    let (head, mut store) = Store::open(bytes, UNPACKED)?;
    let tags = Tags::of(head);
    let mut draft = Draft { no_bulk: "does the grid have cells of the case's dimension?", ..Draft::default() };
    let mut section = None;
    let mut piece: Option<PieceArrays> = None;
    let mut groups = Groups::default();
    for tag in tags {
        match tag.name {
            "Piece" => {
                if let Some(whole) = piece.take() {
                    whole.add(&mut draft, &mut groups)?;
                }
                piece = Some(PieceArrays::default());
            }
            "DataArray" => {
                let (Some(section), Some(piece)) = (section, piece.as_mut()) else { continue };
                piece.read(&mut store, section, &tag)?;
            }
            name => match name.strip_prefix('/') {
                Some(closed) if section == Some(closed) => section = None,
                _ if !tag.attributes.ends_with('/') => section = SECTIONS.into_iter().find(|s| *s == name).or(section),
                _ => {}
            },
        }
    }
    piece.ok_or_else(|| wrong("there is no <Piece> element"))?.add(&mut draft, &mut groups)?;
    draft.groups = groups.finish(&draft.kinds);
    Ok(draft)
}

fn wrong(reason: impl Into<String>) -> MeshError {
    MeshError::VtkGrid { reason: reason.into() }
}

/// The XML part, and the bytes behind the `_` of the appended data with their encoding.
fn split_appended(bytes: &[u8]) -> (&[u8], arrays::Appended<'_>) {
    let mark = b"<AppendedData";
    let Some(at) = bytes.windows(mark.len()).position(|w| w == mark) else { return (bytes, arrays::Appended::None) };
    let (head, tail) = bytes.split_at(at);
    let opened = tail.iter().position(|&b| b == b'>').unwrap_or(tail.len());
    let is_raw = String::from_utf8_lossy(&tail[..opened]).contains("raw");
    let start = tail.get(opened..).and_then(|t| t.iter().position(|&b| b == b'_')).map(|i| opened + i + 1);
    let data = start.and_then(|i| tail.get(i..)).unwrap_or_default();
    (head, if is_raw { arrays::Appended::Raw(data) } else { arrays::Appended::Base64(data) })
}

impl<'a> Store<'a> {
    /// The XML part of an unstructured grid, and its arrays.
    /// Each byte of the file may unpack to so many.
    pub(in crate::vtk) fn open(bytes: &'a [u8], unpacked: usize) -> Result<(&'a str, Self), MeshError> {
        let (head, appended) = split_appended(bytes);
        let head = std::str::from_utf8(head).map_err(|e| wrong(format!("byte {} is not text", e.valid_up_to())))?;
        let open =
            Tags::of(head).find(|tag| tag.name == "VTKFile").ok_or_else(|| wrong("there is no <VTKFile> element"))?;
        let kind = attribute(open.attributes, "type").unwrap_or_default();
        if kind != "UnstructuredGrid" {
            let kind = delassus_error::excerpt(&kind);
            return Err(wrong(format!(
                "its type is `{kind}`, it must be `UnstructuredGrid`; in ParaView apply “Append Datasets”"
            )));
        }
        let most = bytes.len().saturating_mul(unpacked);
        Ok((head, Self::new(ArrayEncoding::of(open.attributes)?, appended, most)))
    }
}

/// An opening or closing tag (`/name`), and the text up to the next one.
pub(super) struct XmlTag<'a> {
    pub name: &'a str,
    pub attributes: &'a str,
    pub content: &'a str,
}

/// The tags of a text in order; comments and declarations are stepped over.
pub(super) struct Tags<'a> {
    rest: &'a str,
}

impl<'a> Tags<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = XmlTag<'a>;

    fn next(&mut self) -> Option<XmlTag<'a>> {
        loop {
            let at = self.rest.find('<')?;
            let rest = &self.rest[at + 1..];
            if let Some(comment) = rest.strip_prefix("!--") {
                self.rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
                continue;
            }
            let end = tag_end(rest)?;
            self.rest = &rest[end + 1..];
            if rest.starts_with(['?', '!']) {
                continue;
            }
            let inside = &rest[..end];
            let name_end = inside.find(|c: char| c.is_ascii_whitespace()).unwrap_or(inside.len());
            let (name, attributes) = inside.split_at(name_end);
            let content = self.rest.split('<').next().unwrap_or_default();
            return Some(XmlTag { name: name.trim_end_matches('/'), attributes, content });
        }
    }
}

/// Where a tag ends: a `>` that is not within quotes.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    text.bytes().position(|byte| {
        match quote {
            Some(open) if open == byte => quote = None,
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}

/// The arrays of a piece, as far as they are needed.
#[derive(Default)]
struct PieceArrays {
    points: Option<Vec<f64>>,
    connectivity: Option<Vec<i64>>,
    offsets: Option<Vec<i64>>,
    types: Option<Vec<i64>>,
    numbers: Vec<(String, Vec<i64>)>,
}

impl PieceArrays {
    fn read(&mut self, store: &mut Store<'_>, section: &str, tag: &XmlTag<'_>) -> Result<(), MeshError> {
        let name = attribute(tag.attributes, "Name").unwrap_or_default();
        let components = attribute(tag.attributes, "NumberOfComponents").unwrap_or_else(|| "1".to_owned());
        match (section, name.as_str()) {
            ("Points", _) => {
                if components.trim() != "3" {
                    return Err(wrong(format!(
                        "points have `{}` components, there must be 3",
                        delassus_error::excerpt(&components)
                    )));
                }
                self.points = Some(store.floats(tag.attributes, tag.content)?);
            }
            ("Cells", "connectivity") => self.connectivity = Some(store.integers(tag.attributes, tag.content)?),
            ("Cells", "offsets") => self.offsets = Some(store.integers(tag.attributes, tag.content)?),
            ("Cells", "types") => self.types = Some(store.integers(tag.attributes, tag.content)?),
            ("CellData", _) if components.trim() == "1" && arrays::is_whole(tag.attributes) => {
                self.numbers.push((name, store.integers(tag.attributes, tag.content)?));
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the piece to the mesh.
    fn add(self, draft: &mut Draft, groups: &mut Groups) -> Result<(), MeshError> {
        let missing = |what: &str| wrong(format!("a piece has no {what}"));
        let points = self.points.ok_or_else(|| missing("points"))?;
        let connectivity = self.connectivity.ok_or_else(|| missing("connectivity"))?;
        let offsets = self.offsets.ok_or_else(|| missing("offsets"))?;
        let types = self.types.ok_or_else(|| missing("types of cells"))?;
        let (points, rest) = points.as_chunks::<3>();
        if !rest.is_empty() || points.iter().flatten().any(|x| !x.is_finite()) {
            return Err(wrong("the points are not triples of finite numbers"));
        }
        if offsets.len() != types.len() {
            return Err(wrong(format!("{} cells have offsets and {} have types", offsets.len(), types.len())));
        }
        let first_point = draft.points.len();
        draft.points.extend_from_slice(points);
        let mut from = 0;
        // Cells of the file that are not of ours have no place.
        let mut places: Vec<Option<u32>> = Vec::with_capacity(types.len());
        for (i, (&offset, &kind)) in offsets.iter().zip(&types).enumerate() {
            let to = usize::try_from(offset).ok().filter(|&to| to >= from && to <= connectivity.len());
            let to = to.ok_or_else(|| {
                wrong(format!(
                    "cell {i}: its nodes end at {offset}, which must lie between {from} and {}",
                    connectivity.len()
                ))
            })?;
            let nodes = &connectivity[from..to];
            from = to;
            let Some((kind, order)) = kind_of(kind) else {
                let dim = dimension_of(kind);
                draft.unsupported.entry(format!("VTK cell type {kind}")).or_insert((dim, 0)).1 += 1;
                places.push(None);
                continue;
            };
            if nodes.len() != kind.n_nodes() {
                return Err(wrong(format!(
                    "cell {i} ({kind}) has {} nodes, it must have {}",
                    nodes.len(),
                    kind.n_nodes()
                )));
            }
            let mut own = [0_u32; 20];
            for (k, slot) in own.iter_mut().enumerate().take(nodes.len()) {
                let node = nodes[order.get(k).copied().unwrap_or(k)];
                let point = usize::try_from(node).ok().filter(|&p| p < points.len());
                let point =
                    point.ok_or_else(|| wrong(format!("cell {i} refers to point {node} of {}", points.len())))?;
                *slot = place(first_point + point);
            }
            places.push(Some(draft.push_cell(kind, own.into_iter().take(nodes.len()))));
        }
        for (name, values) in self.numbers {
            if values.len() != types.len() {
                let name = delassus_error::excerpt(&name);
                return Err(wrong(format!("array `{name}` has {} values for {} cells", values.len(), types.len())));
            }
            groups.add(name, values.iter().zip(&places).filter_map(|(&value, &cell)| Some((value, cell?))));
        }
        Ok(())
    }
}

/// The kind of a VTK cell, and the order of its nodes where it is not ours.
fn kind_of(vtk: i64) -> Option<(CellKind, &'static [usize])> {
    match vtk {
        // Pixel and voxel: the nodes count along the axes.
        8 => Some((CellKind::Quad4, &[0, 1, 3, 2])),
        11 => Some((CellKind::Hexahedron8, &[0, 1, 3, 2, 4, 5, 7, 6])),
        id => u8::try_from(id).ok().and_then(CellKind::from_vtk_id).map(|kind| (kind, &[][..])),
    }
}

/// Dimension of a cell that is not computed with, for the message.
fn dimension_of(vtk: i64) -> usize {
    match vtk {
        0 | 2 => 0,
        4 | 35 | 51 | 60 | 66 | 68 | 75 => 1,
        6 | 7 | 28 | 30 | 34 | 36 | 52..=55 | 61..=63 | 67 | 69 | 70 | 76 | 77 => 2,
        _ => 3,
    }
}

/// Cells by array and value.
#[derive(Default)]
struct Groups(BTreeMap<String, Option<BTreeMap<i64, Vec<u32>>>>);

impl Groups {
    fn add(&mut self, name: String, cells: impl Iterator<Item = (i64, u32)>) {
        let entry = self.0.entry(name).or_insert_with(|| Some(BTreeMap::new()));
        for (value, cell) in cells {
            let Some(values) = entry else { return };
            values.entry(value).or_default().push(cell);
            if values.len() > MOST_VALUES {
                *entry = None;
            }
        }
    }

    fn finish(self, kinds: &[CellKind]) -> Vec<DraftGroup> {
        let mut numbers = [0; 4];
        let mut out = Vec::new();
        for (name, values) in self.0.into_iter().filter_map(|(name, values)| Some((name, values?))) {
            for (value, cells) in values {
                for dim in 0..=3 {
                    let own: Vec<u32> =
                        cells.iter().copied().filter(|&cell| kinds[cell as usize].dim() == dim).collect();
                    if !own.is_empty() {
                        numbers[dim] += 1;
                        out.push(DraftGroup { name: format!("{name}={value}"), tag: numbers[dim], dim, cells: own });
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
