//! Blocks in JSON.
//!
//! ```text
//! {"blocks": [{"vertices": [[0,0,0], …], "faces": [[0,3,2,1], …]}, …]}     polyhedra; polygons have vertices of two numbers and no faces
//! {"blocks": [{"centre": [0,0], "radius": 1}, …]}                          disks, in space balls
//! {"data": {"vertex": {"0": {"x": 0, "y": 0, "z": 0}, …}, "face": {"0": [0, 3, 2, 1], …}}, "dtype": "compas.datastructures/Mesh", …}
//! ```
//!
//! Any of these may have a motion at the start, `"velocity": [0,0,1]` and `"spin"`: in the plane a number, in space three.
//!
//! An object with `vertices`, with `centre` and `radius`, or with `vertex` and `face`, is a block wherever it stands: in a list, in the nodes of an assembly, alone. Lists are read in their order,
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
                (Some(Value::Array(vertices)), ..) => {
                    found.push(moving(block, listed(block, vertices, map.get("faces"))?, map)?);
                }
                (None, Some(Value::Object(vertex)), Some(Value::Object(face))) => {
                    found.push(moving(block, compas_mesh(block, vertex, face)?, map)?);
                }
                (None, ..) if map.contains_key("centre") && map.contains_key("radius") => {
                    found.push(moving(block, round(block, &map["centre"], &map["radius"])?, map)?);
                }
                _ => return sorted(map).into_iter().try_for_each(|(_, one)| collect(one, found)),
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Numbers of a list of two or three.
fn vector(given: &Value) -> Option<([f64; 3], usize)> {
    let list = given.as_array().filter(|v| v.len() == 2 || v.len() == 3)?;
    let mut out = [0.0; 3];
    for (x, value) in out.iter_mut().zip(list) {
        *x = value.as_f64().filter(|x| x.is_finite())?;
    }
    Some((out, list.len()))
}

/// A disk or ball.
fn round(block: usize, centre: &Value, radius: &Value) -> Result<FileBlock, BlockFileError> {
    let fault = |what: &str, found: &Value, wanted: &str| {
        let what = format!("`{what}` is {}; it must be {wanted}", shown(&found.to_string()));
        BlockFileError::Block { block, what }
    };
    let (point, _) = vector(centre).ok_or_else(|| fault("centre", centre, "two finite numbers, in space three"))?;
    let radius = radius
        .as_f64()
        .filter(|r| r.is_finite() && *r > 0.0)
        .ok_or_else(|| fault("radius", radius, "a positive finite number"))?;
    Ok(FileBlock { points: vec![point], radius: Some(radius), ..FileBlock::default() })
}

/// A block with the motion that it has at the start.
fn moving(block: usize, mut read: FileBlock, map: &Map<String, Value>) -> Result<FileBlock, BlockFileError> {
    let fault = |what: &str, found: &Value| {
        let what = format!("`{what}` is {}; it must be finite numbers", shown(&found.to_string()));
        BlockFileError::Block { block, what }
    };
    if let Some(given) = map.get("velocity") {
        read.velocity = vector(given).ok_or_else(|| fault("velocity", given))?.0;
    }
    if let Some(given) = map.get("spin") {
        let plane = given.as_f64().filter(|w| w.is_finite()).map(|w| [0.0, 0.0, w]);
        let space = || vector(given).filter(|v| v.1 == 3).map(|v| v.0);
        read.spin = plane.or_else(space).ok_or_else(|| fault("spin", given))?;
    }
    Ok(read)
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
        _ => Ok(FileBlock { points, faces: read, ..FileBlock::default() }),
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
    Ok(FileBlock { points, faces, ..FileBlock::default() })
}
