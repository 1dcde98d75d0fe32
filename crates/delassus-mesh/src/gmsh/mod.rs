//! Reader of gmsh's MSH format: versions 2.2 and 4.1, text and binary of either byte order.
//!
//! [`read`] turns the bytes of a file into an [`MshFile`], which holds what the file says (nodes and
//! elements under gmsh's tags, physical groups of every element); [`MshFile::to_mesh`] turns that into a
//! [`Mesh`] of bodies: supported cells only, counter-clockwise, without orphan nodes.
//!
//! - Physical groups of an element: all of them. MSH 4.1 keeps them on the geometrical entities (in a
//!   partitioned file on the partition entities); MSH 2.2 repeats the element for each group, and the
//!   copies are merged, since two copies would have twice the mass.
//! - Sections that do not describe the mesh (`$Periodic`, `$GhostElements`, `$NodeData`, `$Comments`, …)
//!   are stepped over to their `$End…`.
//! - No input makes the reader panic, and memory stays within a fixed multiple of the file's size,
//!   whatever its headers claim. Errors say section, line (text) or byte (binary), what was expected and
//!   what was found.
//!
//! Format: "MSH file format", reference manual of gmsh 4, chapter "Gmsh file formats".

mod convert;
mod element_types;
mod elements;
mod entities;
mod header;
mod nodes;
mod parse;
mod surface;

use std::path::Path;

use delassus_error::FileError;
use delassus_error::input::ReadError;

pub use element_types::ElementType;

use crate::mesh_file::{MeshFile, SurfaceMesh};
use crate::{FilePlace, Mesh, MeshError};
use entities::Physicals;
use header::Format;
use parse::{Encoding, ParseFault, Parsed, end_of_line, end_of_section, quote, word};

/// A version of the MSH format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MshVersion {
    /// Version 2.2 (gmsh 2 and 3, and many other writers).
    V2_2,
    /// Version 4.1 (gmsh 4).
    V4_1,
}

impl std::fmt::Display for MshVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            MshVersion::V2_2 => "2.2",
            MshVersion::V4_1 => "4.1",
        })
    }
}

/// Name of a physical group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhysicalName {
    /// Dimension of the group.
    pub dim: usize,
    /// Number of the group, unique in its dimension.
    pub tag: i32,
    /// The name.
    pub name: String,
}

/// A node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GmshNode {
    /// Number in the file; neither sorted nor without gaps.
    pub tag: u64,
    /// Coordinates \[m\].
    pub x: [f64; 3],
}

/// An element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GmshElement {
    /// Number in the file.
    pub tag: u64,
    /// Type number, one that [`ElementType::from_id`] knows.
    pub type_id: i32,
    /// Tags of its nodes, in gmsh's order.
    pub nodes: Vec<u64>,
    /// Numbers of the physical groups (of the element's dimension) it belongs to, sorted.
    pub physical: Vec<i32>,
}

/// What an MSH file says.
#[derive(Debug, Clone, PartialEq)]
pub struct MshFile {
    /// Version of the format.
    pub version: MshVersion,
    /// Whether the file is binary.
    pub binary: bool,
    /// Names of physical groups; groups may lack one.
    pub physical_names: Vec<PhysicalName>,
    /// Nodes in the order of the file.
    pub nodes: Vec<GmshNode>,
    /// Elements in the order of the file, repeated ones of MSH 2.2 merged.
    pub elements: Vec<GmshElement>,
    /// Number of partitions, 0 if the mesh is not partitioned.
    pub n_partitions: usize,
    /// Names of the sections that were stepped over.
    pub skipped: Vec<String>,
}

impl MeshFile for MshFile {
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

/// Reads an MSH file from its bytes.
///
/// # Errors
/// [`MeshError::NotGmsh`], [`MeshError::UnsupportedVersion`], [`MeshError::Syntax`],
/// [`MeshError::MissingSection`], [`MeshError::DuplicateNode`], [`MeshError::UnknownNode`].
pub fn read(bytes: &[u8]) -> Result<MshFile, MeshError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut sections = Sections::default();
    let mut rest = bytes;
    loop {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            break;
        }
        rest = sections.next(bytes, rest)?;
    }
    sections.finish()
}

/// Reads an MSH file; errors carry the path.
///
/// # Errors
/// [`MeshError::Io`], [`MeshError::Refused`], or [`MeshError::File`] around what [`read`] says.
pub fn read_file(path: impl AsRef<Path>) -> Result<MshFile, MeshError> {
    let path = path.as_ref();
    let bytes = delassus_error::input::read_file(path, delassus_error::input::MESH).map_err(|e| match e {
        ReadError::File(FileError { path, source, .. }) => MeshError::Io { path, source },
        other => MeshError::Refused(other),
    })?;
    read(&bytes).map_err(|source| in_file(path, source))
}

/// Reads an MSH file as a mesh of bodies in D dimensions; errors carry the path.
///
/// # Errors
/// As [`read_file`] and [`MshFile::to_mesh`].
pub fn read_mesh<const D: usize>(path: impl AsRef<Path>) -> Result<Mesh<D>, MeshError> {
    let path = path.as_ref();
    read_file(path)?.to_mesh().map_err(|source| in_file(path, source))
}

fn in_file(path: &Path, source: MeshError) -> MeshError {
    MeshError::File { path: path.to_owned(), source: Box::new(source) }
}

/// What has been read so far.
#[derive(Default)]
struct Sections {
    format: Option<Format>,
    names: Vec<PhysicalName>,
    entities: Physicals,
    partition_entities: Physicals,
    n_partitions: usize,
    nodes: Option<Vec<GmshNode>>,
    elements: Option<elements::Read>,
    skipped: Vec<String>,
}

impl Sections {
    /// Reads the section at the head of `rest`, returns what follows it.
    fn next<'a>(&mut self, bytes: &'a [u8], rest: &'a [u8]) -> Result<&'a [u8], MeshError> {
        let syntax = |section: &str, fault: nom::Err<ParseFault<'_>>, encoding: Encoding| {
            syntax(section, bytes, fault, encoding)
        };
        let encoding = self.format.map_or(Encoding::Text, |format| format.encoding);
        let (body, name) = match section_name(rest) {
            Ok(found) => found,
            Err(_) if self.format.is_none() => return Err(not_gmsh(rest)),
            Err(fault) => return Err(syntax("between sections", fault, encoding)),
        };
        if name == "MeshFormat" {
            if self.format.is_some() {
                return Err(self.repeated(&name, bytes, rest));
            }
            return self.read_format(bytes, body);
        }
        if name == "NOD" && self.format.is_none() {
            return Err(MeshError::UnsupportedVersion { version: "1.0".to_owned() });
        }
        let is_mesh = ["PhysicalNames", "Entities", "PartitionedEntities", "Nodes", "ParametricNodes", "Elements"]
            .contains(&name.as_str());
        if !is_mesh {
            // Before the format is known the file may be anything.
            let after = skip(body, &name, bytes, rest, encoding)
                .map_err(|e| if self.format.is_some() { e } else { not_gmsh(rest) })?;
            self.skipped.push(name);
            return Ok(after);
        }
        let Some(format) = self.format else {
            return Err(not_gmsh(rest));
        };
        let twice = match name.as_str() {
            "Nodes" | "ParametricNodes" => self.nodes.is_some(),
            "Elements" => self.elements.is_some(),
            _ => false,
        };
        if twice {
            return Err(self.repeated(&name, bytes, rest));
        }
        self.mesh_section(&name, format, body)
            .and_then(|(rest, counted)| end_of_section(rest, &name, &counted))
            .map(|(rest, ())| rest)
            .map_err(|fault| syntax(&format!("${name}"), fault, encoding))
    }

    /// Reads the rest of `$MeshFormat`, returns what follows it.
    fn read_format<'a>(&mut self, bytes: &'a [u8], body: &'a [u8]) -> Result<&'a [u8], MeshError> {
        let section = "$MeshFormat";
        let (after, format) = header::format(body).map_err(|fault| syntax(section, bytes, fault, Encoding::Text))?;
        let format = format.map_err(|version| MeshError::UnsupportedVersion { version })?;
        self.format = Some(format);
        end_of_section(after, "MeshFormat", "the format line")
            .map(|(rest, ())| rest)
            .map_err(|fault| syntax(section, bytes, fault, format.encoding))
    }

    /// Reads a section that belongs to the mesh; returns how many things it held, for the message if its
    /// end does not follow.
    fn mesh_section<'a>(&mut self, name: &str, format: Format, input: &'a [u8]) -> Parsed<'a, String> {
        let Format { version, encoding } = format;
        match (name, version) {
            ("PhysicalNames", _) => {
                let (rest, names) = header::physical_names(input)?;
                let counted = format!("the {} names announced", names.len());
                self.names.extend(names);
                Ok((rest, counted))
            }
            ("Entities", _) => {
                let (rest, entities) = entities::entities(encoding, input)?;
                self.entities.extend(entities);
                Ok((rest, "the entities announced".to_owned()))
            }
            ("PartitionedEntities", _) => {
                let (rest, (n, entities)) = entities::partitioned(encoding, input)?;
                self.n_partitions = usize::try_from(n).unwrap_or(usize::MAX);
                self.partition_entities.extend(entities);
                Ok((rest, "the entities announced".to_owned()))
            }
            ("Elements", _) => {
                let (rest, read) = match version {
                    MshVersion::V2_2 => elements::version_2(encoding, input)?,
                    MshVersion::V4_1 => elements::version_4(encoding, input)?,
                };
                let counted = format!("the {} elements announced", read.elements.len());
                self.elements = Some(read);
                Ok((rest, counted))
            }
            (_, _) => {
                let (rest, nodes) = match version {
                    MshVersion::V2_2 => nodes::version_2(encoding, name == "ParametricNodes", input)?,
                    MshVersion::V4_1 => nodes::version_4(encoding, input)?,
                };
                let counted = format!("the {} nodes announced", nodes.len());
                self.nodes = Some(nodes);
                Ok((rest, counted))
            }
        }
    }

    fn repeated(&self, name: &str, bytes: &[u8], at: &[u8]) -> MeshError {
        let encoding = self.format.map_or(Encoding::Text, |format| format.encoding);
        MeshError::Syntax {
            section: format!("${name}"),
            place: place(bytes, at, encoding),
            message: "a second section of this name; a file has one".to_owned(),
        }
    }

    fn finish(self) -> Result<MshFile, MeshError> {
        let missing = |section| MeshError::MissingSection { section };
        let format = self.format.ok_or_else(|| not_gmsh(b""))?;
        let nodes = self.nodes.ok_or_else(|| missing("$Nodes"))?;
        let mut read = self.elements.ok_or_else(|| missing("$Elements"))?;
        match format.version {
            MshVersion::V2_2 => read.merge_repeated(),
            MshVersion::V4_1 => read.assign_groups(&self.entities, &self.partition_entities),
        }
        let file = MshFile {
            version: format.version,
            binary: format.encoding.is_binary(),
            physical_names: self.names,
            nodes,
            elements: read.elements,
            n_partitions: self.n_partitions.max(read.n_partitions),
            skipped: self.skipped,
        };
        let index = file.node_index()?;
        for element in &file.elements {
            for &node in &element.nodes {
                index.find(element.tag, node)?;
            }
        }
        Ok(file)
    }
}

/// `$Name` alone on its line.
fn section_name(input: &[u8]) -> Parsed<'_, String> {
    let (rest, text) = word(input)?;
    let Some(name) = text.strip_prefix(b"$") else {
        return parse::fail(input, "a section, `$…`");
    };
    let (rest, ()) = end_of_line(rest)?;
    Ok((rest, String::from_utf8_lossy(name).into_owned()))
}

/// Steps over a section to its end.
fn skip<'a>(body: &'a [u8], name: &str, bytes: &[u8], start: &[u8], encoding: Encoding) -> Result<&'a [u8], MeshError> {
    let end = format!("$End{name}");
    let mut from = 0;
    // Every `$` is tried; the name must end there too (`$EndNode` is not `$EndNodeData`).
    while let Some(i) = body[from..].iter().position(|&byte| byte == b'$') {
        from += i;
        if let Some(rest) = body[from..].strip_prefix(end.as_bytes())
            && rest.first().is_none_or(u8::is_ascii_whitespace)
        {
            return Ok(rest);
        }
        from += 1;
    }
    Err(MeshError::Syntax {
        section: format!("${name}"),
        place: place(bytes, start, encoding),
        message: format!("the section that begins here has no {end}"),
    })
}

fn not_gmsh(at: &[u8]) -> MeshError {
    MeshError::NotGmsh { is_empty: at.is_empty() }
}

/// Line or byte of `at`, which must be a tail of `bytes`.
fn place(bytes: &[u8], at: &[u8], encoding: Encoding) -> FilePlace {
    let offset = bytes.len().saturating_sub(at.len());
    if encoding.is_binary() {
        return FilePlace::Byte(offset);
    }
    FilePlace::Line(1 + bytes[..offset].iter().filter(|&&byte| byte == b'\n').count())
}

/// The error of the crate for a fault of a parser.
fn syntax(section: &str, bytes: &[u8], fault: nom::Err<ParseFault<'_>>, encoding: Encoding) -> MeshError {
    let (nom::Err::Error(fault) | nom::Err::Failure(fault)) = fault else {
        return MeshError::Syntax {
            section: section.to_owned(),
            place: place(bytes, b"", encoding),
            message: "the file ends too early".to_owned(),
        };
    };
    let ParseFault { at, expected, found, item } = fault;
    // A value that was read stands behind the white space, perhaps on the next line.
    let at = if found.is_some() && !encoding.is_binary() { at.trim_ascii_start() } else { at };
    let found = match found {
        Some(found) => format!("`{found}`"),
        // Bytes that are no text would be noise.
        None if encoding.is_binary() && !at.starts_with(b"$") && !at.is_empty() => {
            format!("{} bytes to the end of the file", at.len())
        }
        None => quote(at),
    };
    let item = item.map_or(String::new(), |(what, i, n)| format!("{what} {i} of {n}: "));
    MeshError::Syntax {
        section: section.to_owned(),
        place: place(bytes, at, encoding),
        message: format!("{item}expected {expected}, found {found}"),
    }
}
