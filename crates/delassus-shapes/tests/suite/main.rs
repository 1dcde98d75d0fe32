//! Shapes, their contacts and generators from outside of the crate: one program, so that it is compiled and linked once.

#[path = "../common/mod.rs"]
mod common;

mod broad;
mod convex;
mod errors;
mod generators;
mod hostile;
mod mass;
mod reentrant;
mod touching;
