//! Observers receive every accepted state. They cannot change the run.

use std::fmt;

use delassus_error::{Code, Coded, Failure};

use crate::ledger::Ledger;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::snapshot::Snapshot;
use crate::surfaces::SurfaceView;

/// An accepted state, as observers see it.
#[derive(Clone, Copy)]
pub struct Frame<'a, const D: usize> {
    /// The model.
    pub model: &'a Model<D>,
    /// Number of accepted steps so far.
    pub step: usize,
    /// The state.
    pub snapshot: &'a Snapshot,
    /// Energies so far.
    pub ledger: &'a Ledger,
    /// The state before the step that led here; none for the initial state.
    pub from: Option<&'a Snapshot>,
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

    /// Hears a line about a step that is out of the ordinary.
    fn note(&mut self, _text: &str) {}

    /// Hears that a step will be tried again in halves, perhaps more than once within a nominal step: what is observed from here to the end of the nominal step
    /// is dropped if a part of it fails.
    fn cutting(&mut self) {}
}

/// Any number of observers, in their order.
impl<const D: usize> Observer<D> for Vec<Box<dyn Observer<D>>> {
    fn observe(&mut self, frame: &Frame<'_, D>) -> Result<(), ObserverError> {
        self.iter_mut().try_for_each(|o| o.observe(frame))
    }

    fn note(&mut self, text: &str) {
        self.iter_mut().for_each(|o| o.note(text));
    }

    fn cutting(&mut self) {
        self.iter_mut().for_each(|o| o.cutting());
    }
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

impl ObserverError {
    /// An error of an observer that has no codes of its own: a reason in words.
    #[must_use]
    pub fn because(reason: impl Into<String>) -> Self {
        Self(Box::new(ObserverStop(reason.into())))
    }
}

/// An observer asked the run to stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an observer stopped the run: {0}")]
pub struct ObserverStop(pub String);

impl Coded for ObserverStop {
    fn code(&self) -> Code {
        Code("E0843")
    }
}

impl Failure for ObserverStop {
    fn exit_code(&self) -> u8 {
        4
    }
}
