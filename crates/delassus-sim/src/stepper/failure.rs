//! Why a nominal step was not done.

use std::fmt;
use std::sync::Arc;

use delassus_error::Interrupted;

use crate::error::SimError;
use crate::observer::ObserverError;
use crate::outcome::Outcome;
use crate::snapshot::Snapshot;

/// A nominal step that was not done: which of its parts failed, and why.
pub struct StepFailure<const D: usize> {
    /// Number of the accepted step that it would have been.
    pub step: usize,
    /// The last good state, from which it was tried: that before the nominal step, or the end of a half of it that had been accepted. Of an observer, the state
    /// that it was shown.
    pub from: Arc<Snapshot>,
    /// Why.
    pub reason: FailureReason<D>,
}

/// Why a step was not done.
pub enum FailureReason<const D: usize> {
    /// Someone asked to stop.
    Interrupted(Interrupted),
    /// It could not be computed.
    Step(SimError),
    /// It is outside tolerance, or not finite, and the policy of the case allows no other try.
    Rejected(Box<Outcome<D>>),
    /// An observer could not go on.
    Observer(ObserverError),
}

impl<const D: usize> From<SimError> for FailureReason<D> {
    fn from(e: SimError) -> Self {
        match e {
            SimError::Interrupted(e) => Self::Interrupted(e),
            other => Self::Step(other),
        }
    }
}

impl<const D: usize> fmt::Display for StepFailure<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} at t = {:e} s: ", self.step, self.from.time())?;
        match &self.reason {
            FailureReason::Interrupted(e) => e.fmt(f),
            FailureReason::Step(e) => e.fmt(f),
            FailureReason::Rejected(outcome) => write!(f, "rejected: {}", outcome.description()),
            FailureReason::Observer(e) => e.fmt(f),
        }
    }
}

impl<const D: usize> fmt::Debug for StepFailure<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const D: usize> std::error::Error for StepFailure<D> {}
