//! Blocks in JSON.
//!
//! ```text
//! {"blocks": [{"vertices": [[0,0,0], …], "faces": [[0,3,2,1], …]}, …]}     polyhedra; polygons have vertices of two numbers and no faces
//! {"data": {"vertex": {"0": {"x": 0, "y": 0, "z": 0}, …}, "face": {"0": [0, 3, 2, 1], …}}, "dtype": "compas.datastructures/Mesh", …}
//! ```
//!
//! An object with `vertices`, or with `vertex` and `face`, is a block wherever it stands: in a list, in the nodes of an assembly, alone. Lists are read in their order,
//! objects by their keys (numbers as numbers), so that the order of the blocks does not depend on how the file was written.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{BlockFileError, FileBlock, shown};

/// The blocks of a text.
pub fn read(bytes: &[u8]) -> Result<Vec<FileBlock>, BlockFileError> {
    let root: Value =
        serde_json::from_slice(bytes).map_err(|e| BlockFileError::NotJson { reason: shown(&e.to_string()) })?;
    let mut found = Vec::new();
    // The parser has bounded the depth.
    collect(&root, &mut found)?;
    Ok(found)
}

fn collect(value: &Value, found: &mut Vec<FileBlock>) -> Result<(), BlockFileError> {
    match value {
        Value::Array(list) => list.iter().try_for_each(|one| collect(one, found)),
        Value::Object(map) => {
            let block = found.len();
            match (map.get("vertices"), map.get("vertex"), map.get("face")) {
                (Some(Value::Array(vertices)), ..) => found.push(listed(block, vertices, map.get("faces"))?),
                (None, Some(Value::Object(vertex)), Some(Value::Object(face))) => {
                    found.push(compas_mesh(block, vertex, face)?);
                }
                _ => return sorted(map).into_iter().try_for_each(|(_, one)| collect(one, found)),
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Entries by their keys: numbers by value, before words.
fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut all: Vec<(&String, &Value)> = map.iter().collect();
    let number = |key: &str| key.parse::<i64>().ok();
    all.sort_by(|(a, _), (b, _)| match (number(a), number(b)) {
        (Some(x), Some(y)) => x.cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    });
    all
}

/// A block by lists.
fn listed(block: usize, vertices: &[Value], faces: Option<&Value>) -> Result<FileBlock, BlockFileError> {
    let mut points = Vec::with_capacity(vertices.len());
    let in_space = vertices.first().and_then(Value::as_array).is_some_and(|v| v.len() == 3);
    for (k, vertex) in vertices.iter().enumerate() {
        let fault = || BlockFileError::Vertex { block, vertex: k.to_string(), found: shown(&vertex.to_string()) };
        let given = vertex.as_array().filter(|v| v.len() == if in_space { 3 } else { 2 }).ok_or_else(fault)?;
        let mut point = [0.0; 3];
        for (x, value) in point.iter_mut().zip(given) {
            *x = value.as_f64().filter(|x| x.is_finite()).ok_or_else(fault)?;
        }
        points.push(point);
    }
    let mut read = Vec::new();
    let given = match faces {
        None | Some(Value::Null) => &[][..],
        Some(Value::Array(list)) => list,
        Some(other) => {
            return Err(BlockFileError::Block {
                block,
                what: format!("`faces` is {}, not a list", shown(&other.to_string())),
            });
        }
    };
    for (k, face) in given.iter().enumerate() {
        let fault = || BlockFileError::Face { block, face: k.to_string(), found: shown(&face.to_string()) };
        let corner = |value: &Value| {
            value.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|&n| n < points.len()).ok_or_else(fault)
        };
        let list = face.as_array().filter(|f| f.len() >= 3).ok_or_else(fault)?;
        read.push(list.iter().map(corner).collect::<Result<Vec<usize>, _>>()?);
    }
    match (in_space, read.is_empty()) {
        (true, true) => Err(BlockFileError::Block { block, what: "vertices in space, and no `faces`".to_owned() }),
        (false, false) => Err(BlockFileError::Block { block, what: "`faces` of vertices in the plane".to_owned() }),
        _ => Ok(FileBlock { points, faces: read }),
    }
}

/// A mesh of COMPAS: vertices by name with x, y, z (0 where one is missing), faces as lists of these names, as numbers or as words.
fn compas_mesh(
    block: usize,
    vertex: &Map<String, Value>,
    face: &Map<String, Value>,
) -> Result<FileBlock, BlockFileError> {
    let mut points = Vec::with_capacity(vertex.len());
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, given) in sorted(vertex) {
        let fault = || BlockFileError::Vertex { block, vertex: shown(name), found: shown(&given.to_string()) };
        let of = given.as_object().ok_or_else(fault)?;
        let mut point = [0.0; 3];
        for (x, key) in point.iter_mut().zip(["x", "y", "z"]) {
            *x = match of.get(key) {
                None => 0.0,
                Some(value) => value.as_f64().filter(|x| x.is_finite()).ok_or_else(fault)?,
            };
        }
        numbers.insert(name, points.len());
        points.push(point);
    }
    let mut faces = Vec::with_capacity(face.len());
    for (name, given) in sorted(face) {
        let fault = || BlockFileError::Face { block, face: shown(name), found: shown(&given.to_string()) };
        let corner = |value: &Value| match value {
            Value::String(word) => numbers.get(word.as_str()).copied(),
            Value::Number(number) => numbers.get(number.to_string().as_str()).copied(),
            _ => None,
        };
        let list = given.as_array().filter(|f| f.len() >= 3).ok_or_else(fault)?;
        faces.push(list.iter().map(|v| corner(v).ok_or_else(fault)).collect::<Result<Vec<usize>, _>>()?);
    }
    if faces.is_empty() {
        return Err(BlockFileError::Block { block, what: "a mesh without faces".to_owned() });
    }
    Ok(FileBlock { points, faces })
}
