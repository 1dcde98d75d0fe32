//! The solvers of whole problems, and the chain in which one takes over from another.

pub mod chain;
pub mod lemke;
pub mod newton;
pub mod nlgs;
