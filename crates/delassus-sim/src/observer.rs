//! Observers receive every accepted state. They cannot change the run.

use std::fmt;

use delassus_error::Failure;

use crate::ledger::Ledger;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::snapshot::Snapshot;
use crate::surfaces::SurfaceView;

/// An accepted state, as observers receive it.
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
    /// Penetrations of all surfaces after it; none for the initial state.
    pub seen: Option<&'a SurfaceView<D>>,
    /// Is this one of the states of which frames are written?
    pub is_output: bool,
}

/// Receives every accepted state of a run, for instance to write it to a file.
pub trait Observer<const D: usize> {
    /// Receives a state. An error stops the run.
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), ObserverError>;
}

/// Why an observer stops a run.
#[derive(Debug)]
pub struct ObserverError(pub Box<dyn Failure + Send + Sync>);

impl<E: Failure + Send + Sync + 'static> From<E> for ObserverError {
    fn from(e: E) -> Self {
        Self(Box::new(e))
    }
}

impl fmt::Display for ObserverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ObserverError {}
