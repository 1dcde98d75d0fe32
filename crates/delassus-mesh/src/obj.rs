//! Reader of Wavefront OBJ files: triangles and quadrilaterals for rigid obstacles.
//!
//! ```text
//! v x y z                    a point, numbered from 1
//! f 1 2 3   f 1/4/2 2//3 …   a facet: points, with numbers of textures and normals that are not used; −1 is the last point
//! g name …   o name          the facets below belong to these groups, or to this object
//! ```
//!
//! Other lines (textures, normals, materials, curves) are stepped over. A facet may have three or four corners.

use std::collections::BTreeMap;

use nom::bytes::complete::take_till1;
use nom::character::complete::space1;
use nom::multi::separated_list0;
use nom::{IResult, Parser};

use crate::draft::{Draft, DraftGroup, place};
use crate::stl::ONLY_SURFACE;
use crate::{CellKind, FilePlace, MeshError};

/// Reads an OBJ file from its bytes.
///
/// # Errors
/// [`MeshError::Syntax`], [`MeshError::Polygon`], [`MeshError::NotASurfaceFile`].
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, MeshError> {
    let mut draft = Draft { no_bulk: ONLY_SURFACE, ..Draft::default() };
    let mut places = BTreeMap::new();
    // Groups that facets are put into, as places in the draft's list.
    let (mut object, mut groups): (Option<usize>, Vec<usize>) = (None, Vec::new());
    for (i, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let words = words(line.trim_ascii());
        let fault =
            |message: String| MeshError::Syntax { section: "OBJ".to_owned(), place: FilePlace::Line(i + 1), message };
        match words.as_slice() {
            [b"v", rest @ ..] => {
                if rest.len() < 3 {
                    return Err(fault(format!("expected 3 coordinates, found {}", rest.len())));
                }
                let mut x = [0.0; 3];
                for (x, word) in x.iter_mut().zip(rest) {
                    let value = std::str::from_utf8(word).ok().and_then(|w| w.parse::<f64>().ok());
                    *x = value.filter(|x| x.is_finite()).ok_or_else(|| {
                        fault(format!(
                            "expected a finite coordinate, found `{}`",
                            delassus_error::excerpt(&String::from_utf8_lossy(word))
                        ))
                    })?;
                }
                draft.points.push(x);
            }
            [b"f", corners @ ..] => {
                let kind = match corners.len() {
                    3 => CellKind::Triangle3,
                    4 => CellKind::Quad4,
                    n => return Err(MeshError::Polygon { line: i + 1, corners: n }),
                };
                let n = draft.points.len();
                let mut nodes = Vec::with_capacity(4);
                for corner in corners {
                    let node = corner_of(corner, n).ok_or_else(|| {
                        let found = delassus_error::excerpt(&String::from_utf8_lossy(corner));
                        fault(format!("expected one of the {n} points above, found `{found}`"))
                    })?;
                    nodes.push(node);
                }
                let cell = draft.push_cell(kind, nodes.into_iter());
                let mut own = groups.clone();
                own.extend(object);
                own.sort_unstable();
                own.dedup();
                for group in own {
                    draft.groups[group].cells.push(cell);
                }
            }
            [b"g", names @ ..] => {
                groups = names.iter().take(MOST_GROUPS).map(|name| group(&mut draft, &mut places, name)).collect()
            }
            [b"o", name, ..] => object = Some(group(&mut draft, &mut places, name)),
            _ => {}
        }
    }
    if draft.kinds.is_empty() {
        return Err(MeshError::NotASurfaceFile { format: "an OBJ file", reason: "there is no facet (`f 1 2 3`)" });
    }
    Ok(draft)
}

/// Groups that a facet may be in at once: each facet is written into all of them.
const MOST_GROUPS: usize = 4;

fn words(line: &[u8]) -> Vec<&[u8]> {
    let is_space = |byte: u8| byte == b' ' || byte == b'\t';
    let found: IResult<&[u8], Vec<&[u8]>> = separated_list0(space1, take_till1(is_space)).parse(line);
    found.map_or_else(|_| Vec::new(), |(_, words)| words)
}

/// Place of the point of a corner, `12`, `12/3`, `12//5` or `-1`.
fn corner_of(word: &[u8], n: usize) -> Option<u32> {
    let number = word.split(|&byte| byte == b'/').next()?;
    let number: i64 = std::str::from_utf8(number).ok()?.parse().ok()?;
    let i = if number < 0 { i64::try_from(n).ok()?.checked_add(number)? } else { number.checked_sub(1)? };
    usize::try_from(i).ok().filter(|&i| i < n).map(place)
}

/// The group of this name, made if it is new.
fn group(draft: &mut Draft, places: &mut BTreeMap<Vec<u8>, usize>, name: &[u8]) -> usize {
    *places.entry(name.to_vec()).or_insert_with(|| {
        let tag = i32::try_from(draft.groups.len() + 1).unwrap_or(i32::MAX);
        let name = String::from_utf8_lossy(name).into_owned();
        draft.groups.push(DraftGroup { name, tag, dim: 2, cells: Vec::new() });
        draft.groups.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh_file::MeshFile;

    const TENT: &str = "# a tent\nmtllib x.mtl\no tent\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\ng floor base\nusemtl a\n\
        f 1/1/1 2//1 3/2 4\ng roof\r\nv 2 0 1\nf 2 -1 3\n";

    #[test]
    fn facets_have_groups_and_objects() {
        let draft = read(TENT.as_bytes()).unwrap();
        assert_eq!(draft.kinds, [CellKind::Quad4, CellKind::Triangle3]);
        assert_eq!(draft.nodes, [0, 1, 2, 3, 1, 4, 2]);
        let groups: Vec<_> = draft.groups.iter().map(|g| (g.name.as_str(), g.cells.as_slice())).collect();
        assert_eq!(groups, [("tent", &[0, 1][..]), ("floor", &[0]), ("base", &[0]), ("roof", &[1])]);
        let roof = draft.surface(Some("roof")).unwrap();
        assert_eq!((roof.points.len(), roof.facets), (3, vec![vec![0, 1, 2]]));
        assert!(draft.space().unwrap_err().to_string().contains("a surface only"));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        for (from, to, words) in [
            ("v 1 1 0", "v 1 1", "OBJ: line 6: expected 3 coordinates, found 2"),
            ("v 1 1 0", "v 1 1 inf", "line 6: expected a finite coordinate, found `inf`"),
            ("f 2 -1 3", "f 2 -9 3", "line 14: expected one of the 5 points above, found `-9`"),
            ("f 2 -1 3", "f 2 0 3", "found `0`"),
            ("f 2 -1 3", "f 2 6 3", "found `6`"),
            ("f 2 -1 3", "f 2 x 3", "found `x`"),
            ("f 2 -1 3", "f 2 3", "line 14: a facet with 2 corners"),
            ("f 2 -1 3", "f 1 2 3 4 5", "line 14: a facet with 5 corners"),
        ] {
            let text = read(TENT.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(text.contains(words), "{text}");
        }
        assert_eq!(delassus_error::Coded::code(&read(b"hello").unwrap_err()).as_str(), "E0451");
        let error = read(TENT.replace("f 2 -1 3", "f 2 3").as_bytes()).unwrap_err();
        assert_eq!(delassus_error::Coded::code(&error).as_str(), "E0446");
    }
}
