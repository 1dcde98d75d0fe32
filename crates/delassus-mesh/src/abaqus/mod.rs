//! Reader of Abaqus' and CalculiX' input files (`.inp`): the mesh, its sets and surfaces.
//!
//! ```text
//! *NODE, NSET=…                     number, x, y, z
//! *ELEMENT, TYPE=C3D8R, ELSET=…     number, nodes (over several lines if need be)
//! *NSET, NSET=…, GENERATE           nodes, names of sets, or first, last, step
//! *ELSET, ELSET=…, GENERATE         elements, the same way
//! *SURFACE, NAME=…, TYPE=ELEMENT    element or set, face (S1 … S6, SPOS, SNEG); without a face the free ones
//! *SURFACE, NAME=…, TYPE=NODE       node or set
//! *PART, *INSTANCE, *ASSEMBLY       one instance of each part, moved and turned
//! ```
//!
//! Node sets become groups of points, element sets groups of cells, surfaces groups of facets, under the names of the file. Where
//! one name is used for several, the group of that name is the surface, else the node set; the others are `name.nodes` and
//! `name.elements`. Names of a part that occur again elsewhere are `instance.name`. Other keywords (materials, sections, steps,
//! supports) are stepped over: they belong to the case.
//!
//! No input makes the reader panic, and memory follows the length of the file: sets may refer to ranges and to other sets, so the
//! members they add up to are bounded ([`MeshError::SetsTooLarge`]).

mod element_types;
mod lines;
mod parts;
mod sets;

use std::collections::BTreeMap;

use crate::draft::Draft;
use crate::{CellKind, MeshError};
use element_types::{TypeShape, shape};
use lines::{InputLines, Keyword, Line};
use parts::{Parts, Placement};
use sets::{ElementFace, SetBlock, SetKind, SurfaceLine};

/// Reads an input file from its bytes.
///
/// # Errors
/// [`MeshError::Syntax`], [`MeshError::MissingSection`], [`MeshError::DuplicateNode`], [`MeshError::UnknownNode`],
/// [`MeshError::UnknownSet`], [`MeshError::UnknownFace`], [`MeshError::SetsTooLarge`], [`MeshError::IncludedFile`],
/// [`MeshError::Instances`].
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, MeshError> {
    let mut reader = InputReader::new(bytes);
    while let Some(line) = reader.lines.next() {
        match line {
            Line::Keyword(keyword) => reader.keyword(&keyword)?,
            // Data of a keyword that is stepped over.
            Line::Data(_) if !reader.lines.section.is_empty() => {}
            Line::Data(_) => return Err(MeshError::NotAbaqus),
        }
    }
    reader.finish(bytes.len())
}

/// What has been read so far.
struct InputReader<'a> {
    lines: InputLines<'a>,
    parts: Parts,
    /// The part that lines belong to; 0 outside of parts.
    scope: usize,
    blocks: Vec<SetBlock>,
    surfaces: Vec<sets::SurfaceBlock>,
    names: Names,
    unsupported: BTreeMap<String, (usize, usize)>,
    is_known: bool,
}

/// Names of sets and surfaces, as first written; compared without regard to case.
#[derive(Default)]
pub(crate) struct Names {
    numbers: BTreeMap<String, u32>,
    written: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        let next = crate::draft::place(self.written.len());
        let number = *self.numbers.entry(name.to_uppercase()).or_insert(next);
        if number == next {
            self.written.push(name.to_owned());
        }
        number
    }

    fn text(&self, number: u32) -> &str {
        self.written.get(number as usize).map_or("", String::as_str)
    }

    fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(&name.to_uppercase()).copied()
    }
}

impl<'a> InputReader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            lines: InputLines::new(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)),
            parts: Parts::default(),
            scope: 0,
            blocks: Vec::new(),
            surfaces: Vec::new(),
            names: Names::default(),
            unsupported: BTreeMap::new(),
            is_known: false,
        }
    }

    /// A keyword and the lines of data that belong to it.
    fn keyword(&mut self, keyword: &Keyword) -> Result<(), MeshError> {
        let known = !matches!(self.read_keyword(keyword)?, Handled::Skipped);
        self.is_known |= known;
        Ok(())
    }

    fn read_keyword(&mut self, keyword: &Keyword) -> Result<Handled, MeshError> {
        match keyword.name.as_str() {
            "HEADING" => {}
            "INCLUDE" => {
                return Err(MeshError::IncludedFile {
                    file: delassus_error::excerpt(keyword.get("INPUT").unwrap_or("")),
                });
            }
            "PART" => self.scope = self.parts.begin(self.value(keyword, "NAME")?)?,
            "END PART" | "ASSEMBLY" | "END ASSEMBLY" => self.scope = 0,
            "INSTANCE" => self.instance(keyword)?,
            "NODE" => self.nodes(keyword)?,
            "ELEMENT" => self.elements(keyword)?,
            "NSET" => self.set(keyword, SetKind::Nodes, "NSET")?,
            "ELSET" => self.set(keyword, SetKind::Elements, "ELSET")?,
            "SURFACE" => self.surface(keyword)?,
            _ => return Ok(Handled::Skipped),
        }
        Ok(Handled::Read)
    }

    /// A parameter that must be there.
    fn value<'k>(&self, keyword: &'k Keyword, name: &str) -> Result<&'k str, MeshError> {
        match keyword.get(name) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(self.lines.wrong(format!("expected the parameter {name}=…"))),
        }
    }

    fn instance(&mut self, keyword: &Keyword) -> Result<(), MeshError> {
        let (name, part) = (self.value(keyword, "NAME")?.to_owned(), self.value(keyword, "PART")?.to_owned());
        let mut placement = Placement::default();
        if let Some(fields) = self.lines.next_data() {
            for (axis, field) in fields.iter().take(3).enumerate() {
                placement.shift[axis] = self.lines.real(field, "a translation")?;
            }
            if let Some(fields) = self.lines.next_data() {
                let numbers: Result<Vec<f64>, MeshError> =
                    fields.iter().map(|field| self.lines.real(field, "two points of the axis and an angle")).collect();
                let numbers = numbers?;
                let &[ax, ay, az, bx, by, bz, degrees] = numbers.as_slice() else {
                    return Err(self.lines.wrong(format!(
                        "expected two points of the axis and an angle, 7 numbers, found {}",
                        numbers.len()
                    )));
                };
                placement.turn = Some(([ax, ay, az], [bx, by, bz], degrees));
            }
        }
        self.parts.place(name, &part, placement)
    }

    fn nodes(&mut self, keyword: &Keyword) -> Result<(), MeshError> {
        if keyword.get("SYSTEM").is_some_and(|system| !system.eq_ignore_ascii_case("R") && !system.is_empty()) {
            return Err(self.lines.wrong("coordinates must be rectangular (SYSTEM=R)"));
        }
        let first = self.parts.of(self.scope).points.len();
        while let Some(fields) = self.lines.next_data() {
            let tag = self.lines.count(fields.first().copied().unwrap_or_default(), "the number of a node")?;
            let mut x = [0.0; 3];
            for (x, field) in x.iter_mut().zip(fields.iter().skip(1)).filter(|(_, field)| !field.is_empty()) {
                *x = self.lines.real(field, "a finite coordinate")?;
            }
            let part = self.parts.of(self.scope);
            part.points.push(x);
            part.node_tags.push(tag);
        }
        let last = self.parts.of(self.scope).points.len();
        self.named_range(keyword, "NSET", SetKind::Nodes, first..last);
        Ok(())
    }

    fn elements(&mut self, keyword: &Keyword) -> Result<(), MeshError> {
        let name = self.value(keyword, "TYPE")?.to_uppercase();
        let shape = shape(&name);
        let first = self.parts.of(self.scope).kinds.len();
        while let Some(fields) = self.lines.next_data() {
            let tag = self.lines.count(fields.first().copied().unwrap_or_default(), "the number of an element")?;
            let TypeShape::Known(kind) = shape else {
                let TypeShape::Unknown(dim) = shape else { continue };
                // How many nodes it has is not known, so its lines cannot be told from those of the next: they are not counted.
                self.unsupported.entry(format!("element type {}", delassus_error::excerpt(&name))).or_insert((dim, 0));
                while self.lines.next_data().is_some() {}
                break;
            };
            let (mut found, mut fields) = (0, fields.get(1..).unwrap_or_default().to_vec());
            loop {
                for field in &fields {
                    found += 1;
                    if found > kind.n_nodes() {
                        let (name, n) = (delassus_error::excerpt(&name), kind.n_nodes());
                        return Err(self
                            .lines
                            .wrong(format!("element {tag} of type {name} has {n} nodes, found more")));
                    }
                    let node = self.lines.count(field, &format!("node {found} of element {tag}"))?;
                    self.parts.of(self.scope).element_nodes.push(node);
                }
                if found == kind.n_nodes() {
                    break;
                }
                let missing = || format!("element {tag} has {found} of {} nodes", kind.n_nodes());
                fields = self.lines.next_data().ok_or_else(|| self.lines.wrong(missing()))?;
            }
            let part = self.parts.of(self.scope);
            part.kinds.push(kind);
            part.element_tags.push(tag);
        }
        let last = self.parts.of(self.scope).kinds.len();
        self.named_range(keyword, "ELSET", SetKind::Elements, first..last);
        Ok(())
    }

    /// The set that a block of nodes or elements is put into at once.
    fn named_range(&mut self, keyword: &Keyword, key: &str, kind: SetKind, range: std::ops::Range<usize>) {
        if let Some(name) = keyword.get(key).filter(|name| !name.is_empty()) {
            let name = self.names.number(name);
            let mut block = SetBlock::new(kind, name, self.scope, self.scope, self.lines.number);
            block.places = range;
            self.blocks.push(block);
        }
    }

    /// The part whose numbers a set or surface has.
    fn part_of(&self, keyword: &Keyword) -> Result<usize, MeshError> {
        match keyword.get("INSTANCE") {
            Some(instance) => self.parts.instance(instance).ok_or_else(|| MeshError::UnknownSet {
                what: "instance",
                name: delassus_error::excerpt(instance),
                line: self.lines.number,
            }),
            None => Ok(self.scope),
        }
    }

    fn set(&mut self, keyword: &Keyword, kind: SetKind, key: &str) -> Result<(), MeshError> {
        let name = self.value(keyword, key)?;
        let name = self.names.number(name);
        let of = self.part_of(keyword)?;
        let mut block = SetBlock::new(kind, name, self.scope, of, self.lines.number);
        let generate = keyword.has("GENERATE");
        while let Some(fields) = self.lines.next_data() {
            if generate {
                let numbers: Result<Vec<u64>, MeshError> =
                    fields.iter().map(|field| self.lines.count(field, "first, last and step")).collect();
                let (first, last, step) = match numbers?.as_slice() {
                    [first, last] => (*first, *last, 1),
                    [first, last, step] => (*first, *last, *step),
                    _ => return Err(self.lines.wrong("expected first, last and step")),
                };
                if step == 0 || last < first {
                    return Err(self
                        .lines
                        .wrong(format!("expected first <= last and step >= 1, found {first}, {last}, {step}")));
                }
                block.ranges.push([first, last, step]);
                continue;
            }
            for field in fields.into_iter().filter(|field| !field.is_empty()) {
                match lines::whole(field) {
                    Some(tag) => block.tags.push(tag),
                    None => block.sets.push(self.names.number(&String::from_utf8_lossy(field))),
                }
            }
        }
        self.blocks.push(block);
        Ok(())
    }

    fn surface(&mut self, keyword: &Keyword) -> Result<(), MeshError> {
        let name = self.value(keyword, "NAME")?;
        let name = self.names.number(name);
        let of_nodes = match keyword.get("TYPE").unwrap_or("ELEMENT").to_uppercase().as_str() {
            "ELEMENT" => false,
            "NODE" => true,
            // Analytical and combined surfaces have no facets of the mesh.
            _ => return Ok(()),
        };
        let of = self.part_of(keyword)?;
        let mut surface =
            sets::SurfaceBlock { name, home: self.scope, of, of_nodes, lines: Vec::new(), line: self.lines.number };
        while let Some(fields) = self.lines.next_data() {
            let Some(first) = fields.first().filter(|field| !field.is_empty()) else { continue };
            let label = fields.get(1).copied().unwrap_or_default();
            let face = match label {
                _ if of_nodes => ElementFace::Free,
                b"" => ElementFace::Free,
                label => ElementFace::parse(label).ok_or_else(|| {
                    self.lines.wrong(format!("expected a face S1 … S6, SPOS or SNEG, found {}", lines::quote(label)))
                })?,
            };
            surface.lines.push(match lines::whole(first) {
                Some(tag) => SurfaceLine::Element(tag, face),
                None => SurfaceLine::Set(self.names.number(&String::from_utf8_lossy(first)), face),
            });
        }
        self.surfaces.push(surface);
        Ok(())
    }

    fn finish(self, length: usize) -> Result<Draft, MeshError> {
        if !self.is_known {
            return Err(MeshError::NotAbaqus);
        }
        let Self { mut parts, blocks, surfaces, names, unsupported, .. } = self;
        parts.settle()?;
        if parts.all().all(|part| part.points.is_empty()) {
            return Err(MeshError::MissingSection { section: "*NODE" });
        }
        let mut draft = Draft {
            unsupported,
            no_bulk: "is the part meshed, and is the element type one of the case's dimension (CPS…, CPE… or C3D…)?",
            ..Draft::default()
        };
        parts.fill(&mut draft)?;
        if !draft.unsupported.is_empty() {
            // Sets may name elements that were not read. The mesh is refused for them, whatever its sets.
            return Ok(draft);
        }
        sets::fill(&mut draft, &parts, &names, &blocks, &surfaces, length)?;
        Ok(draft)
    }
}

/// Whether a keyword describes the mesh.
enum Handled {
    Read,
    Skipped,
}

/// Facet `k` of a kind, from 0: Abaqus numbers the faces of all kinds here as our table does (a test holds them together).
fn facet(kind: CellKind, k: usize) -> Option<&'static crate::LocalFacet> {
    kind.facets().get(k)
}

#[cfg(test)]
mod tests;
