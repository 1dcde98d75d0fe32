//! Instructions of the processor on which a run computes. Results on one level have the same bits on every machine; a run that goes on on another would have
//! others, so the level stands in manifest and checkpoints.

/// The instruction level on which this program computes on this machine. Empty: levels are not told apart.
#[must_use]
pub fn instruction_level() -> &'static str {
    ""
}
