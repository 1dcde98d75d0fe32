//! BODIES.DAT of LMGC90: rigid bodies with polygons or polyhedra as contactors.
//!
//! ```text
//! $bdyty
//!  RBDY3      1
//! $blmty
//!  PLAIN      1  behav  stone  avrd= 0.0D+00  gyrd= 0.0D+00
//! $nodty
//!  NO6xx      1                coo1= 0.0D+00  coo2= 0.0D+00  coo3= 0.0D+00
//!                              coo4= 0.0D+00  coo5= 0.0D+00  coo6= 0.0D+00
//! $tacty
//!  POLYR      1  color  BLEUx  nb_vertex=    8      nb_face=   12
//!                              coo1= …  coo2= …  coo3= …
//!                              ver1= 1              ver2= 2              ver3= 3
//! $$$$$$
//! ```
//!
//! Vertices are relative to the node of their body, numbers of vertices begin at 1. Materials (`behav`), colours and radii are not read: density and contact laws stand in the
//! case. A body is a block; of several contactors each would be one, which is refused.

use super::{BlockFileError, FileBlock, shown};

/// A line that is no comment.
type DatLine<'a> = (usize, &'a str);

/// The blocks of a text.
pub fn read(text: &str) -> Result<Vec<FileBlock>, BlockFileError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(k, line)| (k + 1, line.trim_end()))
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with(['!', '#']))
        .peekable();
    let mut found = Vec::new();
    let mut node = [0.0; 3];
    let (mut section, mut in_space, mut has_contactor) = (String::new(), false, false);
    while let Some((number, line)) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        if let Some(name) = first.strip_prefix('$') {
            if name.starts_with('$') {
                section.clear();
            } else {
                name.clone_into(&mut section);
            }
            continue;
        }
        match section.as_str() {
            "bdyty" => match first {
                "RBDY2" | "RBDY3" => (in_space, has_contactor, node) = (first == "RBDY3", false, [0.0; 3]),
                _ => return Err(fault((number, line), "a rigid body, `RBDY2` or `RBDY3`,")),
            },
            "nodty" => {
                let mut given = vec![(number, line)];
                while let Some(more) = lines.next_if(|(_, l)| l.trim_start().starts_with("coo")) {
                    given.push(more);
                }
                let dimension = if in_space { 3 } else { 2 };
                for (k, x) in node.iter_mut().enumerate().take(dimension) {
                    *x = among(&given, &format!("coo{}", k + 1))?;
                }
                for k in dimension..if in_space { 6 } else { 3 } {
                    if among(&given, &format!("coo{}", k + 1))?.abs() > 0.0 {
                        return Err(BlockFileError::Turned { line: number });
                    }
                }
            }
            "tacty" => {
                let wanted = if in_space { "POLYR" } else { "POLYG" };
                if first != wanted || has_contactor {
                    let found = if first == wanted { "second contactor of a body" } else { first };
                    return Err(BlockFileError::Contactor { line: number, found: shown(found) });
                }
                has_contactor = true;
                let count = |key: &str| -> Result<usize, BlockFileError> {
                    let value = word(line, key).and_then(|w| w.parse().ok());
                    value.ok_or_else(|| fault((number, line), &format!("`{key}=` and a number")))
                };
                let (n_vertices, n_faces) = (count("nb_vertex")?, if in_space { count("nb_face")? } else { 0 });
                let mut points = Vec::new();
                for _ in 0..n_vertices {
                    let at = lines.next().ok_or_else(|| fault((number, line), "a contactor with all its vertices"))?;
                    let mut point = node;
                    for (k, x) in point.iter_mut().enumerate().take(if in_space { 3 } else { 2 }) {
                        *x += among(&[at], &format!("coo{}", k + 1))?;
                    }
                    points.push(point);
                }
                let mut faces = Vec::new();
                for _ in 0..n_faces {
                    let at = lines.next().ok_or_else(|| fault((number, line), "a contactor with all its faces"))?;
                    let corner = |key: &str| {
                        let value = word(at.1, key).and_then(|w| w.parse::<usize>().ok());
                        value
                            .and_then(|n| n.checked_sub(1))
                            .filter(|&n| n < points.len())
                            .ok_or_else(|| fault(at, &format!("`{key}=` and a number from 1 to {}", points.len())))
                    };
                    faces.push(vec![corner("ver1")?, corner("ver2")?, corner("ver3")?]);
                }
                found.push(FileBlock { points, faces, ..FileBlock::default() });
            }
            "blmty" => {}
            _ => return Err(fault((number, line), "a section `$bdyty`")),
        }
    }
    Ok(found.into_iter().map(oriented).collect())
}

fn fault((line, found): DatLine<'_>, wanted: &str) -> BlockFileError {
    BlockFileError::Line { line, found: shown(found), wanted: wanted.to_owned() }
}

/// The word behind `key=`.
fn word<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let at = line.find(key)? + key.len();
    line[at..].trim_start().strip_prefix('=')?.split_whitespace().next()
}

/// The number behind a key, with an exponent of D or E.
fn among(lines: &[DatLine<'_>], key: &str) -> Result<f64, BlockFileError> {
    let at = lines.iter().find(|(_, line)| line.contains(key));
    let read = at.and_then(|(_, line)| word(line, key)).and_then(|w| w.replace(['D', 'd'], "E").parse::<f64>().ok());
    let line = at.or(lines.first()).copied().unwrap_or_default();
    read.filter(|x| x.is_finite()).ok_or_else(|| fault(line, &format!("`{key}=` and a finite number")))
}

/// Faces of LMGC90 may look either way: turned so that all see the middle of the corners behind them, as convex blocks do.
fn oriented(mut block: FileBlock) -> FileBlock {
    let n = block.points.len().max(1) as f64;
    let mean: [f64; 3] = std::array::from_fn(|k| block.points.iter().map(|p| p[k] / n).sum());
    let minus = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] - b[k]) };
    for face in &mut block.faces {
        let [a, b, c] = [0, 1, 2].map(|k| block.points[face[k]]);
        let (u, v, w) = (minus(b, a), minus(c, a), minus(a, mean));
        let outwards = w[0] * (u[1] * v[2] - u[2] * v[1])
            + w[1] * (u[2] * v[0] - u[0] * v[2])
            + w[2] * (u[0] * v[1] - u[1] * v[0]);
        if outwards < 0.0 {
            face.reverse();
        }
    }
    block
}
