//! Reader of STL files, text and binary: triangles for rigid obstacles.
//!
//! ```text
//! solid name                                  80 bytes of anything
//!   facet normal nx ny nz                     u32: number of triangles n
//!     outer loop                              n × 50 bytes: normal, three corners (f32, little endian), 2 bytes
//!       vertex x y z   (three)
//!     endloop
//!   endfacet
//! endsolid name
//! ```
//!
//! The format has no points: each triangle repeats its corners. Corners with the same coordinates are one point, and a triangle with two equal
//! corners is left out: its neighbours then share an edge, as they should. The normals of the file are not used. Each solid of a text file is a
//! group. A binary file is told by its length, for some begin with `solid` too.

use std::collections::BTreeMap;

use nom::bytes::complete::{tag_no_case, take_till};
use nom::character::complete::{multispace0, multispace1};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::draft::{Draft, DraftGroup, place};
use crate::{CellKind, FilePlace, MeshError};

/// Bytes before the triangles of a binary file, and of each.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// What is said of a body made of a surface.
pub(crate) const ONLY_SURFACE: &str =
    "the file has a surface only: mesh its volume in gmsh, or use it as an obstacle (`Mesh(file: …, solid: …)`)";

/// Reads an STL file from its bytes.
///
/// # Errors
/// [`MeshError::NotASurfaceFile`], [`MeshError::Syntax`].
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, MeshError> {
    let mut corners = MergedCorners::default();
    match n_triangles(bytes) {
        Some(n) => binary(bytes, n, &mut corners)?,
        None => text(bytes, &mut corners)?,
    }
    if corners.draft.kinds.is_empty() {
        return Err(MeshError::NotASurfaceFile { format: "an STL file", reason: "there is no triangle" });
    }
    Ok(corners.draft)
}

/// The number of triangles of a binary file: its length must fit it.
fn n_triangles(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(80..HEADER)?.try_into().ok().map(u32::from_le_bytes)?;
    let n = usize::try_from(count).ok()?;
    (bytes.len() == n.checked_mul(TRIANGLE)?.checked_add(HEADER)?).then_some(n)
}

/// Points by their coordinates.
struct MergedCorners {
    draft: Draft,
    places: BTreeMap<[u64; 3], u32>,
}

impl Default for MergedCorners {
    fn default() -> Self {
        let draft = Draft { no_bulk: ONLY_SURFACE, ..Draft::default() };
        Self { draft, places: BTreeMap::new() }
    }
}

impl MergedCorners {
    fn point(&mut self, x: [f64; 3]) -> u32 {
        // −0 and 0 are one place.
        let x = x.map(|c| c + 0.0);
        let next = place(self.draft.points.len());
        let found = *self.places.entry(x.map(f64::to_bits)).or_insert(next);
        if found == next {
            self.draft.points.push(x);
        }
        found
    }

    /// Adds a triangle, unless two of its corners are one.
    fn triangle(&mut self, corners: [[f64; 3]; 3]) -> Option<u32> {
        let [a, b, c] = corners.map(|x| self.point(x));
        (a != b && b != c && c != a).then(|| self.draft.push_cell(CellKind::Triangle3, [a, b, c].into_iter()))
    }
}

fn binary(bytes: &[u8], n: usize, corners: &mut MergedCorners) -> Result<(), MeshError> {
    for i in 0..n {
        let at = HEADER + i * TRIANGLE;
        let number = |k: usize| {
            let from = at + 12 + 4 * k;
            let four = bytes.get(from..from + 4).and_then(|b| b.try_into().ok()).unwrap_or([0; 4]);
            f64::from(f32::from_le_bytes(four))
        };
        let triangle: [[f64; 3]; 3] = std::array::from_fn(|c| std::array::from_fn(|d| number(3 * c + d)));
        if triangle.iter().flatten().any(|x| !x.is_finite()) {
            return Err(MeshError::Syntax {
                section: "STL".to_owned(),
                place: FilePlace::Byte(at),
                message: format!("triangle {} of {n}: expected finite coordinates", i + 1),
            });
        }
        corners.triangle(triangle);
    }
    Ok(())
}

/// Where the reader of a text file is.
struct StlText<'a> {
    bytes: &'a [u8],
    rest: &'a [u8],
}

impl<'a> StlText<'a> {
    fn wrong(&self, expected: &str) -> MeshError {
        let rest = self.rest.trim_ascii_start();
        let offset = self.bytes.len() - rest.len();
        let line = 1 + self.bytes[..offset].iter().filter(|&&byte| byte == b'\n').count();
        let word = rest.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let found = if word.is_empty() {
            "the end of the file".to_owned()
        } else {
            format!("`{}`", String::from_utf8_lossy(word).chars().take(32).collect::<String>())
        };
        let message = format!("expected {expected}, found {found}");
        MeshError::Syntax { section: "STL".to_owned(), place: FilePlace::Line(line), message }
    }

    /// Takes a word of the format, if it is next.
    fn take(&mut self, word: &str) -> bool {
        let found: IResult<&[u8], &[u8]> = preceded(multispace0, tag_no_case(word)).parse(self.rest);
        match found {
            Ok((rest, _)) if rest.first().is_none_or(u8::is_ascii_whitespace) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, words: &[&str]) -> Result<(), MeshError> {
        for word in words {
            if !self.take(word) {
                return Err(self.wrong(&format!("`{}`", words.join(" "))));
            }
        }
        Ok(())
    }

    /// What is left of the line.
    fn line(&mut self) -> &'a [u8] {
        let found: IResult<&[u8], &[u8]> = take_till(|byte| byte == b'\n').parse(self.rest);
        let (rest, line) = found.unwrap_or((&[], self.rest));
        self.rest = rest;
        line.trim_ascii()
    }

    fn number(&mut self) -> Result<f64, MeshError> {
        let found: IResult<&[u8], &[u8]> =
            preceded(multispace1, take_till(|b: u8| b.is_ascii_whitespace())).parse(self.rest);
        let value = found.ok().and_then(|(rest, word)| {
            let value = std::str::from_utf8(word).ok()?.parse::<f64>().ok().filter(|x| x.is_finite())?;
            Some((rest, value))
        });
        let Some((rest, value)) = value else { return Err(self.wrong("a finite coordinate")) };
        self.rest = rest;
        Ok(value)
    }
}

fn text(bytes: &[u8], corners: &mut MergedCorners) -> Result<(), MeshError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = StlText { bytes, rest: bytes };
    if !text.take("solid") {
        let reason = "it neither begins with `solid` nor has the length of a binary file";
        return Err(MeshError::NotASurfaceFile { format: "an STL file", reason });
    }
    // Solids of one name are one group.
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    loop {
        let name = String::from_utf8_lossy(text.line()).into_owned();
        let mut cells = Vec::new();
        while text.take("facet") {
            text.expect(&["normal"])?;
            text.line();
            text.expect(&["outer", "loop"])?;
            let mut triangle = [[0.0; 3]; 3];
            for corner in &mut triangle {
                text.expect(&["vertex"])?;
                for x in corner.iter_mut() {
                    *x = text.number()?;
                }
            }
            text.expect(&["endloop"])?;
            text.expect(&["endfacet"])?;
            cells.extend(corners.triangle(triangle));
        }
        if !text.take("endsolid") {
            return Err(text.wrong("`facet` or `endsolid`"));
        }
        text.line();
        if !name.is_empty() {
            let groups = &mut corners.draft.groups;
            let next = groups.len();
            let own = *named.entry(name.clone()).or_insert(next);
            if own == next {
                let tag = i32::try_from(next + 1).unwrap_or(i32::MAX);
                groups.push(DraftGroup { name, tag, dim: 2, cells: Vec::new() });
            }
            groups[own].cells.extend(cells);
        }
        if !text.take("solid") {
            break;
        }
    }
    if text.rest.trim_ascii().is_empty() { Ok(()) } else { Err(text.wrong("`solid` or the end of the file")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron as text, with the corners each several times.
    fn tetrahedron() -> String {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, -0.0], [0.0, 0.0, 0.5]];
        let mut text = "solid small part\n".to_owned();
        for facet in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] {
            text += "facet normal 0 0 0\n outer loop\n";
            for i in facet {
                let [x, y, z] = points[i];
                text += &format!("  vertex {x:e} {y:e} {z:e}\n");
            }
            text += " endloop\nendfacet\n";
        }
        text + "endsolid small part\n"
    }

    fn as_binary(draft: &Draft) -> Vec<u8> {
        // Some writers begin binary files with this word.
        let mut out = b"solid binary".to_vec();
        out.resize(80, b' ');
        out.extend(u32::try_from(draft.kinds.len()).unwrap().to_le_bytes());
        for cell in draft.nodes.chunks(3) {
            out.extend([0; 12]);
            for &node in cell {
                draft.points[node as usize].iter().for_each(|&x| out.extend((x as f32).to_le_bytes()));
            }
            out.extend([0; 2]);
        }
        out
    }

    #[test]
    fn corners_are_merged_in_text_and_in_binary() {
        let draft = read(tetrahedron().as_bytes()).unwrap();
        assert_eq!((draft.points.len(), draft.kinds.len()), (4, 4));
        assert_eq!(draft.nodes, [0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3]);
        assert_eq!((draft.groups[0].name.as_str(), draft.groups[0].cells.len()), ("small part", 4));
        let again = read(&as_binary(&draft)).unwrap();
        assert_eq!((again.points, again.nodes, again.groups.len()), (draft.points, draft.nodes, 0));
    }

    #[test]
    fn a_surface_is_no_body_but_may_be_asked_for() {
        use crate::mesh_file::MeshFile;
        let draft = read(tetrahedron().as_bytes()).unwrap();
        assert_eq!(draft.surface(None).unwrap(), draft.surface(Some("small part")).unwrap());
        assert_eq!(draft.surface(None).unwrap().facets.len(), 4);
        let text = draft.space().unwrap_err().to_string();
        assert!(text.contains("no cell of dimension 3") && text.contains("a surface only"), "{text}");
        assert!(matches!(draft.surface(Some("smal part")), Err(MeshError::UnknownGroup { nearest: Some(_), .. })));
    }

    #[test]
    fn a_triangle_of_two_corners_is_left_out() {
        let text = tetrahedron().replacen("vertex 1e0 0e0 0e0", "vertex 0e0 0e0 0e0", 1);
        assert_eq!(read(text.as_bytes()).unwrap().kinds.len(), 3);
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let good = tetrahedron();
        for (from, to, words) in [
            ("vertex 0e0 1e0", "vertex 0e0 x", "STL: line 5: expected a finite coordinate, found `x`"),
            ("vertex 0e0 1e0", "vertex 0e0 nan", "expected a finite coordinate, found `nan`"),
            (" endloop\n", " vertex 0 0 0\n endloop\n", "line 7: expected `endloop`, found `vertex`"),
            ("endsolid small part\n", "", "expected `facet` or `endsolid`, found the end of the file"),
            ("endsolid small part\n", "endsolid\nhello", "expected `solid` or the end of the file, found `hello`"),
        ] {
            let text = read(good.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
        for bytes in [&b""[..], b"hello", b"solid a\nendsolid a\n"] {
            let error = read(bytes).unwrap_err();
            assert_eq!(delassus_error::Coded::code(&error).as_str(), "E0451", "{error}");
        }
        let mut bytes = as_binary(&read(good.as_bytes()).unwrap());
        bytes[HEADER + 12..HEADER + 16].copy_from_slice(&f32::NAN.to_le_bytes());
        let text = read(&bytes).unwrap_err().to_string();
        assert!(text.contains("byte 84: triangle 1 of 4"), "{text}");
    }
}
