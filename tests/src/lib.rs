//! Helpers of the verification tests.
