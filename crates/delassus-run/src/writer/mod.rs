//! Observers that write the files of a run.

mod contacts;
mod fields;
mod frames;
mod history;
mod lines;
mod obstacles;

use delassus_sim::observer::Observer;
use serde::{Deserialize, Serialize};

use crate::error::RunError;

pub use contacts::ContactFrames;
pub use fields::FieldFrames;
pub use frames::Frames;
pub use history::HistoryFile;
pub use lines::{LineFiles, line_file};
pub use obstacles::ObstacleFrames;

/// An observer that writes files, and goes on with them when the run is resumed.
pub trait Writer<const D: usize>: Observer<D> {
    /// How far its files have come.
    fn cursor(&self) -> WriterCursor;
    /// Goes on where it was then.
    fn resume(&mut self, cursor: &WriterCursor) -> Result<(), RunError>;
}

/// How far a writer's files have come.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub enum WriterCursor {
    /// A file that grows: its length, and the hash of what it holds.
    Text {
        /// Bytes.
        bytes: u64,
        /// SHA-256 in hexadecimal.
        sha256: String,
    },
    /// Time \[s\] and file of each frame.
    Frames(Vec<(f64, String)>),
}
