//! Blocks of masonry in files: JSON (our own list of shapes, and what COMPAS writes), and BODIES.DAT of LMGC90.

mod datbox;
mod json;

use delassus_error::{Code, Coded, excerpt};
use thiserror::Error;

/// A polygon, a polyhedron by its faces, or a disk or ball.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileBlock {
    /// Its corners, in the unit of the file; of a polygon with z = 0. Of a disk or ball its centre alone.
    pub points: Vec<[f64; 3]>,
    /// Its faces by numbers of corners; none of a polygon, disk or ball.
    pub faces: Vec<Vec<usize>>,
    /// Radius of a disk or ball, in the unit of the file.
    pub radius: Option<f64>,
    /// Velocity of its centre of mass at the start, in the unit of the file per second.
    pub velocity: [f64; 3],
    /// Angular velocity at the start [rad/s]; in the plane the last component alone.
    pub spin: [f64; 3],
}

/// Why blocks cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BlockFileError {
    /// A text that is not JSON.
    #[error("not JSON: {reason}")]
    NotJson {
        /// What the reader says, with line and column.
        reason: String,
    },
    /// Nothing that is a block.
    #[error(
        "no blocks: neither objects with `vertices` (and `faces`), nor meshes of COMPAS (`vertex` and `face`), nor bodies of LMGC90 (`$bdyty`)"
    )]
    NoBlocks,
    /// A vertex that is none.
    #[error("block {block}: vertex {vertex} is {found}; it must be two finite numbers, or three, as all of the block")]
    Vertex {
        /// Number of the block, from 0.
        block: usize,
        /// Its name, or number from 0.
        vertex: String,
        /// What is there.
        found: String,
    },
    /// A face that is none.
    #[error(
        "block {block}: face {face} is {found}; it must be a list of three or more numbers of vertices that are there"
    )]
    Face {
        /// Number of the block, from 0.
        block: usize,
        /// Its name, or number from 0.
        face: String,
        /// What is there.
        found: String,
    },
    /// A block with vertices in space and without faces, or the other way round.
    #[error("block {block}: {what}")]
    Block {
        /// Number of the block, from 0.
        block: usize,
        /// What is wrong.
        what: String,
    },
    /// A line of BODIES.DAT that is not what it should be.
    #[error("line {line}: `{found}` where {wanted} should be")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        found: String,
        /// What should be there.
        wanted: String,
    },
    /// A contactor that is no block.
    #[error("line {line}: a contactor `{found}`; of BODIES.DAT `POLYG` and `POLYR` are read")]
    Contactor {
        /// Number of the line, from 1.
        line: usize,
        /// Its type.
        found: String,
    },
    /// A body that is turned by its node.
    #[error("line {line}: the node of the body is turned; only nodes without rotation are read")]
    Turned {
        /// Number of the line, from 1.
        line: usize,
    },
}

impl Coded for BlockFileError {
    fn code(&self) -> Code {
        match self {
            Self::NotJson { .. } => Code("E0452"),
            Self::NoBlocks => Code("E0453"),
            Self::Vertex { .. } => Code("E0454"),
            Self::Face { .. } => Code("E0455"),
            Self::Block { .. } => Code("E0456"),
            Self::Line { .. } => Code("E0457"),
            Self::Contactor { .. } => Code("E0458"),
            Self::Turned { .. } => Code("E0459"),
        }
    }
}

/// The blocks of a file, by the ending of its name: `.dat` is LMGC90's, all else JSON.
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<FileBlock>, BlockFileError> {
    let is_datbox = std::path::Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("dat"));
    let blocks = if is_datbox { datbox::read(&String::from_utf8_lossy(bytes))? } else { json::read(bytes)? };
    if blocks.is_empty() { Err(BlockFileError::NoBlocks) } else { Ok(blocks) }
}

/// What a message repeats of a file.
fn shown(text: &str) -> String {
    excerpt(text.trim())
}

#[cfg(test)]
mod tests;
