//! The writers of the files of a run.

mod chains;
mod contact_surfaces;
mod contacts;
mod fields;
mod frames;
mod history;
mod joints;
mod lines;
mod obstacles;

use delassus_case::hash::sha256;
use delassus_case::spec::OutputSpec;
use delassus_sim::observer::Frame;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

pub use chains::ChainFrames;
pub use contact_surfaces::ContactSurfaceFrames;
pub use contacts::ContactFrames;
pub use fields::FieldFrames;
pub use frames::Frames;
pub use history::HistoryFile;
pub use joints::JointFrames;
pub use lines::{LineFiles, line_file};
pub use obstacles::ObstacleFrames;

/// Something that writes files of accepted states, and goes on with them when the run is resumed.
pub trait Writer<const D: usize> {
    /// Writes what is to be written of a state that has just been recorded.
    fn write(&mut self, frame: &Frame<'_, D>, records: &Records) -> Result<(), RunError>;
    /// How far its files have come.
    fn cursor(&self, records: &Records) -> WriterCursor;
    /// Goes on where it was then, and gives back to the records what its files hold of them.
    fn resume(&mut self, cursor: &WriterCursor, records: &mut Records) -> Result<(), RunError>;
    /// Waits until its open files are on the disk.
    fn synchronise(&self) -> Result<(), RunError> {
        Ok(())
    }
}

/// All writers of a run, in the order of the cursors in a checkpoint.
#[must_use]
pub fn writers<const D: usize>(folder: &Folder, output: &OutputSpec, records: &Records) -> Vec<Box<dyn Writer<D>>> {
    vec![
        Box::new(HistoryFile::new(folder)),
        Box::new(FieldFrames::new(folder, output)),
        Box::new(ContactFrames::new(folder, output)),
        Box::new(ObstacleFrames::new(folder, output)),
        Box::new(LineFiles::new(folder, records)),
        Box::new(ContactSurfaceFrames::new(folder, output)),
        Box::new(JointFrames::new(folder, output)),
        Box::new(ChainFrames::new(folder, output)),
    ]
}

/// VTK's number of the line, triangle or quadrilateral with so many points.
fn vtk_type(n_points: usize) -> u8 {
    match n_points {
        2 => 3,
        3 => 5,
        _ => 9,
    }
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
    /// The frames.
    Frames(Vec<WrittenFile>),
    /// Small files that are written again and again: time \[s\], file and text of each.
    Lines(Vec<(f64, String, String)>),
}

impl WriterCursor {
    /// Was nothing written yet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text { bytes, .. } => *bytes == 0,
            Self::Frames(written) => written.is_empty(),
            Self::Lines(written) => written.is_empty(),
        }
    }
}

/// A file that is written once.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct WrittenFile {
    /// Time that it shows \[s\].
    pub time: f64,
    /// Its path in the results folder.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

impl WrittenFile {
    /// With this content.
    #[must_use]
    pub fn of(time: f64, file: &str, content: &[u8]) -> Self {
        Self { time, file: file.to_owned(), bytes: content.len() as u64, sha256: sha256(content) }
    }
}
