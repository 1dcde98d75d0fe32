//! The command as users call it: one program, so that it is compiled and linked once.

#[path = "../common/mod.rs"]
#[expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]
mod common;

mod continued;
mod faults;
mod first_hour;
mod limits;
mod links;
mod memory;
mod not_converged;
mod report;
mod resume;
mod run;
mod solve;
mod study;
mod tutorial;
mod verify;
