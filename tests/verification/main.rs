//! Verification cases.
