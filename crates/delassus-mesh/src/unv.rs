//! Reader of I-DEAS universal files (`.unv`): nodes, elements and groups.
//!
//! ```text
//!     -1                       a dataset begins and ends with −1
//!   2411                       its number: 2411 nodes, 2412 elements, 2467 and its forerunners groups; others are stepped over
//!       1  1  1  11            node: number, systems of coordinates, colour
//!    0.0D+00  1.0D+00  …       its place
//!       7  111  …  4           element: number, descriptor, …, number of nodes; beams have one more line before their nodes
//!       1  2  3  4             its nodes, eight a line
//!       1  …  12               group: number, …, members in the last column; then its name, then members in fours: kind (7 node, 8 element), number, 0, 0
//! ```
//!
//! Nodes of quadratic elements go round the edges, corner and middle in turn; `ORDER` brings them into VTK's order (Siemens, *Universal File Datasets*, dataset 2412;
//! the files that gmsh writes are the test). Lengths are taken as they are: dataset 164, the units, is stepped over, and the translation of the case scales nothing.

use std::collections::BTreeMap;

use crate::CellKind::{
    self, Hexahedron8, Hexahedron20, Point, Prism6, Quad4, Quad8, Segment2, Segment3, Tetrahedron4, Tetrahedron10,
    Triangle3, Triangle6,
};
use crate::draft::{Draft, DraftGroup, place};
use crate::{FilePlace, MeshError};

/// Numbers of the datasets of groups, from the newest to the oldest.
const GROUPS: [u64; 9] = [2477, 2467, 2452, 2435, 2432, 2430, 2429, 2420, 2417];

/// Descriptors, the kind they stand for, and whether a line of the beam's orientation precedes the nodes.
const KINDS: &[(&[u64], CellKind, bool)] = &[
    (&[11, 21, 22, 31, 121, 122], Segment2, true),
    (&[23, 24, 32], Segment3, true),
    (&[41, 51, 61, 74, 81, 91], Triangle3, false),
    (&[42, 52, 62, 72, 82, 92], Triangle6, false),
    (&[44, 54, 64, 71, 84, 94], Quad4, false),
    (&[45, 55, 65, 75, 85, 95], Quad8, false),
    (&[111], Tetrahedron4, false),
    (&[118], Tetrahedron10, false),
    (&[112], Prism6, false),
    (&[115], Hexahedron8, false),
    (&[116], Hexahedron20, false),
    (&[161], Point, false),
];

/// Place in the file of each node in VTK's order; other kinds have the same order.
fn order(kind: CellKind) -> Option<&'static [usize]> {
    match kind {
        Segment3 => Some(&[0, 2, 1]),
        Triangle6 => Some(&[0, 2, 4, 1, 3, 5]),
        Quad8 => Some(&[0, 2, 4, 6, 1, 3, 5, 7]),
        Tetrahedron10 => Some(&[0, 2, 4, 9, 1, 3, 5, 6, 7, 8]),
        Hexahedron20 => Some(&[0, 2, 4, 6, 12, 14, 16, 18, 1, 3, 5, 7, 13, 15, 17, 19, 8, 9, 10, 11]),
        _ => None,
    }
}

/// Most nodes of an element of a kind that is not known: a number beyond is no number of nodes.
const MOST_NODES: u64 = 64;

/// Reads a universal file from its bytes.
///
/// # Errors
/// [`MeshError::Syntax`] for a text that is none, [`MeshError::MissingSection`] without nodes.
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, MeshError> {
    let mut lines = UnvLines { rest: bytes, number: 0, section: "UNV" };
    let mut made = UnvReader::default();
    let mut any = false;
    while let Some(line) = lines.next() {
        if line.trim_ascii() != b"-1" {
            if line.trim_ascii().is_empty() {
                continue;
            }
            return Err(lines.wrong("expected `-1`, with which a dataset begins"));
        }
        let Some(head) = lines.next() else { break };
        any = true;
        match numbers(head).first().copied() {
            Some(2411) => made.nodes(&mut lines)?,
            Some(2412) => made.elements(&mut lines)?,
            Some(n) if GROUPS.contains(&n) => made.groups(&mut lines)?,
            Some(_) => lines.skip(),
            None => return Err(lines.wrong("expected the number of a dataset")),
        }
    }
    if !any || made.draft.points.is_empty() {
        return Err(MeshError::MissingSection { section: "2411 (nodes)" });
    }
    made.draft.no_bulk = "are the elements solids, or for a plane case shells or plane elements?";
    Ok(made.draft)
}

/// Lines with their numbers.
struct UnvLines<'b> {
    rest: &'b [u8],
    number: usize,
    section: &'static str,
}

impl<'b> UnvLines<'b> {
    fn next(&mut self) -> Option<&'b [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        self.number += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next line of a dataset; nothing at its end.
    fn within(&mut self) -> Option<&'b [u8]> {
        self.next().filter(|line| line.trim_ascii() != b"-1")
    }

    /// The same where a line must follow.
    fn more(&mut self, what: &str) -> Result<&'b [u8], MeshError> {
        self.within().ok_or_else(|| self.wrong(format!("the dataset ends where {what} should be")))
    }

    /// Steps over the rest of a dataset.
    fn skip(&mut self) {
        while self.within().is_some() {}
    }

    fn wrong(&self, message: impl Into<String>) -> MeshError {
        MeshError::Syntax {
            section: self.section.to_owned(),
            place: FilePlace::Line(self.number),
            message: message.into(),
        }
    }
}

/// The whole numbers of a line, up to the first word that is none.
fn numbers(line: &[u8]) -> Vec<u64> {
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.map_while(|word| std::str::from_utf8(word).ok()?.parse().ok()).collect()
}

/// A number of Fortran, `1.5D+00`.
fn real(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?.replace(['D', 'd'], "e");
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

#[derive(Default)]
struct UnvReader {
    draft: Draft,
    /// Places of nodes and of elements by their numbers.
    node_places: BTreeMap<u64, u32>,
    cell_places: BTreeMap<u64, u32>,
}

impl UnvReader {
    fn nodes(&mut self, lines: &mut UnvLines<'_>) -> Result<(), MeshError> {
        lines.section = "2411";
        while let Some(line) = lines.within() {
            let Some(&tag) = numbers(line).first() else { return Err(lines.wrong("expected the number of a node")) };
            let line = lines.more("the place of a node")?;
            let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
            let x: Option<Vec<f64>> = words.iter().take(3).map(|word| real(word)).collect();
            let Some(&[x, y, z]) = x.as_deref() else {
                return Err(lines.wrong("expected three finite coordinates"));
            };
            if self.node_places.insert(tag, place(self.draft.points.len())).is_some() {
                return Err(lines.wrong(format!("node {tag} is given twice")));
            }
            self.draft.points.push([x, y, z]);
            self.draft.point_tags.push(tag);
        }
        Ok(())
    }

    fn elements(&mut self, lines: &mut UnvLines<'_>) -> Result<(), MeshError> {
        lines.section = "2412";
        while let Some(line) = lines.within() {
            let head = numbers(line);
            let &[tag, descriptor, .., count] = head.as_slice() else {
                return Err(lines.wrong("expected the number, the descriptor and the number of nodes of an element"));
            };
            let found = KINDS.iter().find(|(descriptors, ..)| descriptors.contains(&descriptor));
            // Rods and beams are the descriptors from 11 to 32, whatever we know of them.
            if found.map_or((11..=32).contains(&descriptor), |(_, _, beam)| *beam) {
                lines.more("the orientation of a beam")?;
            }
            if count > MOST_NODES {
                return Err(lines.wrong(format!("{count} nodes of an element: at most {MOST_NODES}")));
            }
            let mut nodes = Vec::new();
            while (nodes.len() as u64) < count {
                let line = lines.more("the nodes of an element")?;
                let of_line = numbers(line);
                if of_line.is_empty() {
                    return Err(lines.wrong("expected the numbers of nodes"));
                }
                nodes.extend(of_line);
            }
            self.element(lines, (tag, descriptor), found.map(|(_, kind, _)| *kind), &nodes, count)?;
        }
        Ok(())
    }

    fn element(
        &mut self,
        lines: &UnvLines<'_>,
        (tag, descriptor): (u64, u64),
        kind: Option<CellKind>,
        nodes: &[u64],
        count: u64,
    ) -> Result<(), MeshError> {
        let Some(kind) = kind else {
            let dim = if descriptor >= 101 { 3 } else { 2 };
            self.draft.unsupported.entry(format!("descriptor {descriptor}")).or_insert((dim, 0)).1 += 1;
            return Ok(());
        };
        if nodes.len() != kind.n_nodes() || count != nodes.len() as u64 {
            let (found, n) = (nodes.len(), kind.n_nodes());
            return Err(lines.wrong(format!("element {tag} ({kind}) has {n} nodes, found {found}")));
        }
        let mut places = Vec::with_capacity(nodes.len());
        for node in nodes {
            let known = self.node_places.get(node).copied();
            places.push(known.ok_or_else(|| lines.wrong(format!("element {tag}: there is no node {node}")))?);
        }
        if self.cell_places.contains_key(&tag) {
            return Err(lines.wrong(format!("element {tag} is given twice")));
        }
        let places = order(kind).map_or(places.clone(), |order| order.iter().map(|&k| places[k]).collect());
        let cell = self.draft.push_cell(kind, places.into_iter());
        self.draft.cell_tags.push(tag);
        self.cell_places.insert(tag, cell);
        Ok(())
    }

    fn groups(&mut self, lines: &mut UnvLines<'_>) -> Result<(), MeshError> {
        lines.section = "group";
        while let Some(line) = lines.within() {
            let head = numbers(line);
            let (Some(&tag), Some(&count)) = (head.first(), head.last()) else {
                return Err(lines.wrong("expected the number of a group and of its members"));
            };
            let name = String::from_utf8_lossy(lines.more("the name of a group")?.trim_ascii()).into_owned();
            let mut members = Vec::new();
            // Two members a line; a line may have one.
            while (members.len() as u64) < count {
                let of_line = numbers(lines.more("the members of a group")?);
                if of_line.len() < 2 || !of_line.len().is_multiple_of(4) {
                    return Err(lines.wrong("expected members of a group: kind, number, 0, 0"));
                }
                members.extend(of_line.chunks_exact(4).map(|member| (member[0], member[1])));
            }
            self.group(lines, &name, tag, &members)?;
        }
        Ok(())
    }

    /// One group for each dimension of the members; nodes become points.
    fn group(&mut self, lines: &UnvLines<'_>, name: &str, tag: u64, members: &[(u64, u64)]) -> Result<(), MeshError> {
        let mut by_dimension: [Vec<u32>; 4] = Default::default();
        for &(kind, number) in members {
            match kind {
                7 => {
                    let node = *self.node_places.get(&number).ok_or_else(|| {
                        lines.wrong(format!("group `{}`: there is no node {number}", delassus_error::excerpt(name)))
                    })?;
                    by_dimension[0].push(self.draft.push_cell(Point, std::iter::once(node)));
                }
                // gmsh names points as elements, but does not write them.
                8 => {
                    if let Some(&cell) = self.cell_places.get(&number) {
                        by_dimension[self.draft.kinds[cell as usize].dim()].push(cell);
                    }
                }
                // Loads, faces of elements and the like.
                _ => {}
            }
        }
        let name = if name.is_empty() { tag.to_string() } else { name.to_owned() };
        let tag = i32::try_from(tag).unwrap_or(i32::MAX);
        for (dim, cells) in by_dimension.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            self.draft.groups.push(DraftGroup { name: name.clone(), tag, dim, cells });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_file::MeshFile;

    const SQUARE: &str = "    -1\n   164\n         1  SI units\n    -1\n    -1\n  2411\n         1         1         1        11\n\
        \x20  0.0D+00  0.0D+00  0.0D+00\n 2 1 1 11\n 1.0D+00 0.0 0.0\n 3 1 1 11\n 1 1 0\n 4 1 1 11\n 0 1e0 0\n    -1\n\
        \x20   -1\n  2412\n 10 44 1 1 7 4\n 1 2 3 4\n 11 11 1 1 7 2\n 0 0 0\n 1 2\n    -1\n\
        \x20   -1\n  2467\n 1 0 0 0 0 0 0 1\nplate\n 8 10 0 0\n 2 0 0 0 0 0 0 2\nbottom\n 8 11 0 0 7 1 0 0\n    -1\n";

    #[test]
    fn nodes_elements_and_groups() {
        let draft = read(SQUARE.as_bytes()).unwrap();
        assert_eq!(draft.kinds, [Quad4, Segment2, Point]);
        let groups: Vec<_> = draft.groups.iter().map(|g| (g.name.as_str(), g.dim, g.cells.as_slice())).collect();
        assert_eq!(groups, [("plate", 2, &[0][..]), ("bottom", 0, &[2]), ("bottom", 1, &[1])]);
        let mesh = draft.plane().unwrap();
        assert_eq!((mesh.n_points(), mesh.group_facets("bottom").unwrap().len()), (4, 1));
        assert_eq!(mesh.points[2].map(f64::to_bits), [1.0_f64; 2].map(f64::to_bits));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        for (from, to, words) in [
            ("1 2 3 4", "1 2 3 9", "2412: line 19: element 10: there is no node 9"),
            ("1 2 3 4", "1 2 3", "has 4 nodes, found"),
            ("1 1 0\n", "1 1 inf\n", "2411: line 12: expected three finite coordinates"),
            ("1 1 0\n", "1 x 0\n", "expected three finite coordinates"),
            (" 4 1 1 11", " 3 1 1 11", "node 3 is given twice"),
            ("10 44 1 1 7 4", "10 44 1 1 7 999999999", "999999999 nodes of an element"),
            ("7 1 0 0", "7 77 0 0", "there is no node 77"),
            ("8 10 0 0", "8", "expected members of a group"),
            ("0 0 0 0 0 1\nplate", "0 0 0 0 0 18446744073709551615\nplate", "line"),
        ] {
            let text = read(SQUARE.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
        let code = |text: &str| delassus_error::Coded::code(&read(text.as_bytes()).unwrap_err()).as_str().to_owned();
        assert_eq!(code("hello"), "E0405");
        assert_eq!(code("    -1\n  2411\n    -1\n"), "E0406");
        let unknown = read(SQUARE.replace("10 44 1", "10 117 1").as_bytes()).unwrap();
        assert!(unknown.plane().unwrap_err().to_string().contains("descriptor 117"));
    }
}
