//! Timing helpers of the benches.
