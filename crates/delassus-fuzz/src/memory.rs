//! The allocator of every program that links this crate: it counts, and refuses what is beyond all reason.

use std::alloc::System;

use cap::Cap;

/// What the process may hold \[B\]. An allocation beyond it fails, which ends the process: an input that asks for all memory of the
/// machine must not get it.
pub const LIMIT: usize = 2 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, LIMIT);

/// Bytes held now.
#[must_use]
pub fn held() -> usize {
    ALLOCATOR.allocated()
}

/// The most that was ever held.
#[must_use]
pub fn most() -> usize {
    ALLOCATOR.max_allocated()
}

/// All bytes ever asked for, given back or not.
#[must_use]
pub fn asked() -> usize {
    ALLOCATOR.total_allocated()
}
