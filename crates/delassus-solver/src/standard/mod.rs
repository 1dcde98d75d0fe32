//! The change of variables that makes every law the standard problem: at one contact, and of a whole problem.

pub(crate) mod contact;
pub(crate) mod problem;
