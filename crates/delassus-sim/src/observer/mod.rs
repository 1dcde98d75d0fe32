//! Observers turn accepted steps into files. They see the run, they never change it.

mod contacts;
mod fields;
mod frames;
mod history;
mod obstacles;

use crate::error::SimError;
use crate::ledger::Ledger;
use crate::model::Model;
use crate::step::{Outcome, Snapshot};

pub use contacts::ContactFrames;
pub use fields::FieldFrames;
pub use frames::Frames;
pub use history::HistoryFile;
pub use obstacles::ObstacleFrames;

/// An accepted state, as observers see it.
pub struct Frame<'a, const D: usize> {
    /// The model.
    pub model: &'a Model<D>,
    /// Number of accepted steps so far.
    pub step: usize,
    /// The state.
    pub snapshot: &'a Snapshot,
    /// Energies so far.
    pub ledger: &'a Ledger,
    /// The step that led here; none for the initial state.
    pub outcome: Option<&'a Outcome<D>>,
    /// Is this one of the states of which frames are written?
    pub is_output: bool,
}

/// Something that looks at every accepted state.
pub trait Observer<const D: usize> {
    /// Looks at a state.
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), SimError>;
    /// How far its files have come.
    fn cursor(&self) -> Cursor;
    /// Goes on where it was then.
    fn resume(&mut self, cursor: &Cursor) -> Result<(), SimError>;
}

/// How far an observer's files have come.
#[derive(Clone, Debug, PartialEq)]
pub enum Cursor {
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
